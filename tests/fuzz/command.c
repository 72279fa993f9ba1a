/* SPDX-License-Identifier: Apache-2.0 */
/* See command.h. */
#include "command.h"

#include "cadenza.h"
#include "cli.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int files[MEMORY_FILES] = {-1, -1, -1, -1};

int memory_descriptor(int which) {
    if (files[which] < 0 && (files[which] = memfd_create("fuzz", MFD_CLOEXEC)) < 0) abort();
    return files[which];
}

const char *memory_file(int which, const void *bytes, size_t n) {
    static char names[MEMORY_FILES][40];
    const int fd = memory_descriptor(which);
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0 || (n && pwrite(fd, bytes, n, 0) != (ssize_t)n)) abort();
    snprintf(names[which], sizeof names[which], "/proc/self/fd/%d", fd);
    return names[which];
}

uint8_t *memory_read(int which, size_t *n) {
    struct stat st;
    const int fd = memory_descriptor(which);
    if (fstat(fd, &st) != 0) abort();
    *n = (size_t)st.st_size;
    uint8_t *const p = room(*n + 1);
    if (pread(fd, p, *n, 0) != (ssize_t)*n) abort();
    p[*n] = 0;
    return p;
}

static int null = -1;
static char directory[] = "/tmp/cadenza-fuzz-XXXXXX";

static void leave(void) {
    work_clear();
    rmdir(directory);
}

void work_directory(void) {
    static bool there;
    if (there) return;
    there = true;
    if (!mkdtemp(directory) || chdir(directory) != 0) abort();
    atexit(leave);
    setsid(); /* no terminal: nothing must ask on one */
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) abort();
}

size_t work_clear(void) {
    size_t n = 0;
    DIR *const d = opendir(directory);
    if (!d) return 0;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
            unlinkat(dirfd(d), e->d_name, 0);
            n++;
        }
    closedir(d);
    return n;
}

static char caught[65536];
static size_t caught_len;

static ssize_t catch (void *cookie, const char *buf, size_t n) {
    (void)cookie;
    const size_t left = sizeof caught - 1 - caught_len;
    memcpy(caught + caught_len, buf, n < left ? n : left);
    caught_len += n < left ? n : left;
    return (ssize_t)n;
}

void messages_catch(void) {
    static bool there;
    if (there) return;
    there = true;
    /* The C library's own stream: the sanitizers and libFuzzer write to the descriptor. */
    FILE *const f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = catch});
    if (!f) abort();
    setvbuf(f, NULL, _IONBF, 0);
    stderr = f;
}

const char *messages_check(int code) {
    caught[caught_len] = 0;
    caught_len = 0;
    const char *p = caught;
    fuzz_about("status %d, messages: %.180s", code, caught);
    while (strncmp(p, "cadenza: warning: ", 18) == 0 && strchr(p, '\n')) p = strchr(p, '\n') + 1;
    MUST(code >= 0 && code <= FAIL_SLOWER);
    if (code == DONE) {
        MUST(!*p);
        return caught;
    }
    MUST(strncmp(p, "cadenza: ", 9) == 0 && p[strlen(p) - 1] == '\n');
    return caught;
}

void messages_drop(void) { caught_len = 0; }

int command_run(int (*command)(int, char **), int argc, char *const *argv) {
    char *copies[64], *given[64];
    if (argc >= 64) abort();
    for (int i = 0; i < argc; i++) given[i] = copies[i] = room_with(argv[i], strlen(argv[i]) + 1);
    given[argc] = NULL;
    optind = 0; /* begins anew */
    const int e = command(argc, given);
    fflush(stdout);
    if (dup2(null, STDOUT_FILENO) < 0) abort(); /* it may have been closed as an output */
    for (int i = 0; i < argc; i++) free(copies[i]);
    if (cdz_cpu_mask(NULL) != CDZ_OK) abort();
    return e;
}
