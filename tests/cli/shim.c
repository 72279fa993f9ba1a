/* SPDX-License-Identifier: Apache-2.0 */
/*
 * To be preloaded: makes system calls misbehave as they may. CDZ_SHIM names what, in words:
 *
 *     short        read() and write() do 1 to 9 bytes of what was asked for
 *     eintr        every third of them fails with EINTR first
 *     again        every fifth fails with EAGAIN first
 *     full=N       write() to a file fails with ENOSPC after N bytes
 *     close        close() of a file that was written to fails with ENOSPC
 *     fsync        fsync() fails with EIO
 *     rename       renameat() fails with EACCES
 *     random       getrandom() fails with ENOSYS
 *     read=N       read() from a file fails with EIO after N bytes
 *
 * CDZ_SHIM_LOG names a file to which each kind of misbehaviour is appended as it happens, so that a test can see that
 * it did.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool asked_for(const char *word) {
    const char *const all = getenv("CDZ_SHIM");
    return all != NULL && strstr(all, word) != NULL;
}

static bool limit(const char *word, uint64_t *n) {
    const char *const all = getenv("CDZ_SHIM"), *const p = all ? strstr(all, word) : NULL;
    if (p == NULL) return false;
    *n = strtoull(p + strlen(word), NULL, 10);
    return true;
}

static void note(const char *what) {
    const char *const name = getenv("CDZ_SHIM_LOG");
    if (name == NULL) return;
    const int e = errno, fd = open(name, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (fd >= 0) {
        (void)!syscall(SYS_write, fd, what, strlen(what));
        (void)!syscall(SYS_write, fd, "\n", 1);
        syscall(SYS_close, fd);
    }
    errno = e;
}

static bool regular(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static unsigned calls;
static uint64_t written, read_so_far;
static bool wrote_to[1024];

static int misbehave(void) {
    calls++;
    if (asked_for("eintr") && calls % 3 == 0) {
        note("eintr");
        errno = EINTR;
        return -1;
    }
    if (asked_for("again") && calls % 5 == 0) {
        note("again");
        errno = EAGAIN;
        return -1;
    }
    return 0;
}

static size_t less(size_t n) {
    if (!asked_for("short") || n < 2) return n;
    const size_t m = 1 + calls % 9;
    if (m < n) note("short");
    return m < n ? m : n;
}

ssize_t read(int fd, void *buf, size_t n) {
    uint64_t most;
    if (fd != STDERR_FILENO && misbehave() < 0) return -1;
    if (limit("read=", &most) && regular(fd) && read_so_far >= most) {
        note("read");
        errno = EIO;
        return -1;
    }
    const ssize_t r = (ssize_t)syscall(SYS_read, fd, buf, less(n));
    if (r > 0) read_so_far += (uint64_t)r;
    return r;
}

ssize_t write(int fd, const void *buf, size_t n) {
    uint64_t most;
    if (fd == STDERR_FILENO) return (ssize_t)syscall(SYS_write, fd, buf, n);
    if (misbehave() < 0) return -1;
    n = less(n);
    if (limit("full=", &most) && regular(fd)) {
        if (written >= most) {
            note("full");
            errno = ENOSPC;
            return -1;
        }
        if (n > most - written) n = (size_t)(most - written);
    }
    const ssize_t w = (ssize_t)syscall(SYS_write, fd, buf, n);
    if (w > 0) written += (uint64_t)w;
    if (w > 0 && fd >= 0 && fd < 1024) wrote_to[fd] = true;
    return w;
}

int close(int fd) {
    const bool fails = asked_for("close") && fd >= 0 && fd < 1024 && wrote_to[fd];
    const int r = (int)syscall(SYS_close, fd);
    if (!fails) return r;
    wrote_to[fd] = false;
    note("close");
    errno = ENOSPC;
    return -1;
}

int fsync(int fd) {
    if (!asked_for("fsync")) return (int)syscall(SYS_fsync, fd);
    note("fsync");
    errno = EIO;
    return -1;
}

int renameat(int from_dir, const char *from, int to_dir, const char *to) {
    if (!asked_for("rename")) return renameat2(from_dir, from, to_dir, to, 0);
    note("rename");
    errno = EACCES;
    return -1;
}

ssize_t getrandom(void *buf, size_t n, unsigned flags) {
    if (!asked_for("random")) return (ssize_t)syscall(SYS_getrandom, buf, less(n), flags);
    note("random");
    errno = ENOSYS;
    return -1;
}
