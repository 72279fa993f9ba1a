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
 *     memory=N     the Nth allocation after the start of main() fails; 0: none. What is allocated for the program
 * itself, not for a library, and still is when it ends, is logged as "lost N BYTES" each
 *
 * CDZ_SHIM_LOG names a file to which each kind of misbehaviour is appended as it happens, so that a test can see that
 * it did; with memory=0 also how many allocations there were: "allocations N".
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
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

#if defined(__GLIBC__) && !defined(CDZ_SHIM_NO_MEMORY) /* whose allocator has these names besides */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);
void __libc_free(void *p);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool counting;
static uint64_t fail_at;
static unsigned long allocations; /* a word, for all machines have atomic ones */
static uintptr_t program_start, program_end;
static struct {
    void *p;
    size_t n;
} blocks[1024]; /* the program's own; more are not followed */

static int find_program(struct dl_phdr_info *info, size_t size, void *arg) {
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
        program_start = info->dlpi_addr + h->p_vaddr;
        program_end = program_start + h->p_memsz;
    }
    return 1; /* the first is the program */
}

__attribute__((constructor)) static void begin_counting(void) {
    dl_iterate_phdr(find_program, NULL);
    counting = limit("memory=", &fail_at);
}

/* Whether this one fails. */
static bool fails(void) {
    if (!counting || __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) != fail_at) return false;
    note("memory");
    errno = ENOMEM;
    return true;
}

static void *follow(void *p, size_t n, const void *caller) {
    if (!counting || p == NULL || (uintptr_t)caller < program_start || (uintptr_t)caller >= program_end) return p;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].p == NULL) {
            blocks[i].p = p;
            blocks[i].n = n;
            break;
        }
    pthread_mutex_unlock(&lock);
    return p;
}

static void forget(const void *p) {
    if (!counting || p == NULL) return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].p == p) blocks[i].p = NULL;
    pthread_mutex_unlock(&lock);
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t n) { return fails() ? NULL : follow(__libc_malloc(n), n, CALLER); }

void *calloc(size_t n, size_t size) { return fails() ? NULL : follow(__libc_calloc(n, size), n * size, CALLER); }

void *realloc(void *p, size_t n) {
    if (fails()) return NULL;
    forget(p);
    return follow(__libc_realloc(p, n), n, CALLER);
}

void *aligned_alloc(size_t alignment, size_t n) {
    return fails() ? NULL : follow(__libc_memalign(alignment, n), n, CALLER);
}

void free(void *p) {
    forget(p);
    __libc_free(p);
}

__attribute__((destructor)) static void end_counting(void) {
    char text[80];
    if (!counting) return;
    counting = false;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].p != NULL) {
            snprintf(text, sizeof text, "lost %zu", blocks[i].n);
            note(text);
        }
    snprintf(text, sizeof text, "allocations %lu", allocations);
    note(text);
}

#endif
