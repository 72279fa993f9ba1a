/* SPDX-License-Identifier: Apache-2.0 */
/* Whole reads and writes, output that appears under its name only when complete, signals: see io.h. */
#include "io.h"

#include "cli.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* ---- signals --------------------------------------------------------------------------------- */

/* What a signal must undo. Changed with the signals blocked, read by the handler. */
static struct {
    int dir;
    char temporary[OUTPUT_TEMPORARY_MAX];
    volatile sig_atomic_t has_temporary;
    int tty;
    struct termios tty_was;
    volatile sig_atomic_t silent; /* echo is off */
} undo;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2};
enum { ENDING = sizeof ending / sizeof *ending };

static void on_ending(int sig) {
    const int e = errno;
    if (undo.has_temporary) unlinkat(undo.dir, undo.temporary, 0);
    if (undo.silent) tcsetattr(undo.tty, TCSAFLUSH, &undo.tty_was);
    if (undo.silent || progress_visible) (void)!write(STDERR_FILENO, "\n", 1);
    signal(sig, SIG_DFL);
    raise(sig); /* is delivered when the handler returns: the parent sees what ended us */
    errno = e;
}

/* Stopped at the prompt: the shell gets its terminal back as it was, and echo goes off again afterwards. */
static void on_stop(int sig) {
    const int e = errno;
    struct termios now;
    const bool silent = undo.silent && tcgetattr(undo.tty, &now) == 0;
    sigset_t set;
    if (silent) tcsetattr(undo.tty, TCSAFLUSH, &undo.tty_was);
    signal(sig, SIG_DFL);
    raise(sig);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* stops here */
    struct sigaction a = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    sigaction(sig, &a, NULL);
    if (silent) tcsetattr(undo.tty, TCSAFLUSH, &now);
    errno = e;
}

static void block_ending(sigset_t *was) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ENDING; i++) sigaddset(&set, ending[i]);
    sigaddset(&set, SIGTSTP);
    sigprocmask(SIG_BLOCK, &set, was);
}

void io_prepare(void) {
    /* A file opened as descriptor 2 would receive our messages, one opened as 1 our output. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) abort();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    struct sigaction a = {.sa_handler = on_ending, .sa_flags = SA_RESTART}, was;
    for (int i = 0; i < ENDING; i++) sigaddset(&a.sa_mask, ending[i]);
    for (int i = 0; i < ENDING; i++)
        if (sigaction(ending[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN) /* nohup, background jobs */
            sigaction(ending[i], &a, NULL);
    struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    if (sigaction(SIGTSTP, NULL, &was) == 0 && was.sa_handler != SIG_IGN) sigaction(SIGTSTP, &stop, NULL);
}

/* ---- input ----------------------------------------------------------------------------------- */

/* A descriptor that does not block, as a parent may have left it: waits until it is ready. */
static void wait_for(int fd, short events) {
    struct pollfd p = {.fd = fd, .events = events};
    poll(&p, 1, -1);
}

int input_open(struct input *in, const char *path) {
    struct stat st;
    memset(in, 0, sizeof *in);
    in->size = UINT64_MAX;
    if (path == NULL || strcmp(path, "-") == 0) {
        in->fd = STDIN_FILENO;
        in->name = "standard input";
    } else {
        in->name = path;
        in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (in->fd < 0) return fail(FAIL_READ, "cannot open %s: %s", path, strerror(errno));
    }
    if (fstat(in->fd, &st) < 0) {
        const int e = errno;
        input_close(in);
        return fail(FAIL_READ, "cannot read %s: %s", in->name, strerror(e));
    }
    if (S_ISDIR(st.st_mode)) {
        input_close(in);
        return fail(FAIL_READ, "%s is a directory", in->name);
    }
    in->dev = st.st_dev;
    in->ino = st.st_ino;
    in->file = S_ISREG(st.st_mode);
    if (in->file) {
        const off_t at = lseek(in->fd, 0, SEEK_CUR);
        if (at >= 0 && st.st_size >= at) in->size = (uint64_t)(st.st_size - at);
        posix_fadvise(in->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return DONE;
}

int input_read(struct input *in, uint8_t *buf, size_t n, size_t *got) {
    *got = 0;
    while (*got < n) {
        const ssize_t r = read(in->fd, buf + *got, n - *got);
        if (r > 0)
            *got += (size_t)r;
        else if (r == 0)
            break;
        else if (errno == EAGAIN)
            wait_for(in->fd, POLLIN);
        else if (errno != EINTR)
            return fail(FAIL_READ, "cannot read %s: %s", in->name, strerror(errno));
    }
    return DONE;
}

void input_close(struct input *in) {
    if (in->fd > STDERR_FILENO) close(in->fd);
    in->fd = -1;
}

/* ---- output ---------------------------------------------------------------------------------- */

static bool is_input(const struct stat *st, const struct input *const *inputs, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (S_ISREG(st->st_mode) && inputs[i]->file && inputs[i]->dev == st->st_dev && inputs[i]->ino == st->st_ino)
            return true;
    return false;
}

/* Splits path into a directory, opened, and a name in it. */
static int open_directory(struct output *out, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (*base == 0 || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
        return fail(FAIL_TARGET, "%s is a directory", *path ? path : "the output's empty name");
    char *dir = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    out->base = strdup(base);
    if (dir == NULL || out->base == NULL) {
        free(dir);
        return fail(FAIL_MEMORY, "no memory");
    }
    out->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* One may be allowed to create files where one is not allowed to list them. */
    if (out->dir < 0 && errno == EACCES) out->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    return out->dir < 0 ? fail(FAIL_WRITE, "cannot write %s: %s", path, strerror(errno)) : DONE;
}

int output_open(struct output *out, const char *path, enum output_rule rule, const struct input *const *inputs,
                size_t n_inputs) {
    struct stat st;
    memset(out, 0, sizeof *out);
    out->fd = out->dir = -1;
    out->rule = rule;
    if (path == NULL || strcmp(path, "-") == 0) {
        out->name = "standard output";
        out->standard = true;
        if (fstat(STDOUT_FILENO, &st) == 0 && is_input(&st, inputs, n_inputs))
            return fail(FAIL_TARGET, "standard output is the file that is read");
        out->terminal = isatty(STDOUT_FILENO);
        return DONE;
    }
    out->name = path;
    if (stat(path, &st) == 0) {
        if (is_input(&st, inputs, n_inputs)) return fail(FAIL_TARGET, "%s is the file that is read", path);
        if (S_ISDIR(st.st_mode)) return fail(FAIL_TARGET, "%s is a directory", path);
        if (rule == OUTPUT_CREATE_NEW && !S_ISCHR(st.st_mode) && !S_ISFIFO(st.st_mode))
            return fail(FAIL_TARGET, "%s exists; it is not overwritten", path);
        if (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) return DONE; /* written directly */
        if (!S_ISREG(st.st_mode)) return fail(FAIL_TARGET, "%s is neither a file nor a pipe", path);
    }
    const int e = open_directory(out, path);
    if (e != DONE) {
        output_abandon(out);
        return e;
    }
    /* A link planted in a shared directory must not make us write elsewhere, and one that was made on purpose should
     * not be replaced: neither can be told from the other. */
    if (fstatat(out->dir, out->base, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode)) {
        output_abandon(out);
        return fail(FAIL_TARGET, "%s is a symbolic link; name the file itself", path);
    }
    return DONE;
}

int output_begin(struct output *out) {
    if (out->base == NULL && out->dir < 0) {
        if (out->standard) {
            out->fd = STDOUT_FILENO;
            return DONE;
        }
        out->fd = open(out->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (out->fd < 0) return fail(FAIL_WRITE, "cannot open %s: %s", out->name, strerror(errno));
        out->terminal = isatty(out->fd);
        return DONE;
    }
    sigset_t was;
    block_ending(&was);
    int e = 0;
    for (int attempt = 0; attempt < 100; attempt++) {
        uint8_t r[8];
        char hex[2 * sizeof r + 1];
        if (random_bytes(r, sizeof r) != DONE) {
            sigprocmask(SIG_SETMASK, &was, NULL);
            return FAIL_RANDOM;
        }
        hex_encode(r, sizeof r, hex);
        snprintf(out->temporary, sizeof out->temporary, ".cadenza-%s", hex);
        out->fd = openat(out->dir, out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        e = errno;
        if (out->fd >= 0 || e != EEXIST) break;
    }
    if (out->fd >= 0) {
        undo.dir = out->dir;
        memcpy(undo.temporary, out->temporary, sizeof undo.temporary);
        undo.has_temporary = 1;
        fchmod(out->fd, 0600); /* a umask may have taken bits that the owner needs */
    }
    sigprocmask(SIG_SETMASK, &was, NULL);
    if (out->fd < 0) {
        out->temporary[0] = 0;
        return fail(e == ENOSPC || e == EDQUOT ? FAIL_FULL : FAIL_WRITE,
                    "cannot create a file in the directory of %s: %s", out->name, strerror(e));
    }
    return DONE;
}

static int write_failed(const struct output *out, int e) {
    const bool full = e == ENOSPC || e == EDQUOT || e == EFBIG;
    if (e == EPIPE) return fail(FAIL_PIPE, "whoever read %s stopped reading", out->name);
    return fail(full ? FAIL_FULL : FAIL_WRITE, "cannot write %s: %s", out->name, strerror(e));
}

int output_write(struct output *out, const uint8_t *buf, size_t n) {
    while (n > 0) {
        const ssize_t w = write(out->fd, buf, n);
        if (w > 0) {
            buf += w;
            n -= (size_t)w;
            out->written += (uint64_t)w;
        } else if (w == 0) {
            return write_failed(out, ENOSPC); /* no error and no progress: there is no room */
        } else if (errno == EAGAIN) {
            wait_for(out->fd, POLLOUT);
        } else if (errno != EINTR) {
            return write_failed(out, errno);
        }
    }
    return DONE;
}

/* The temporary file gets its name; an error number, or 0. */
static int give_name(struct output *out) {
    if (out->rule == OUTPUT_REPLACE) return renameat(out->dir, out->temporary, out->dir, out->base) == 0 ? 0 : errno;
    /* Both fail where the name exists; some file systems have the one, some the other. */
    if (renameat2(out->dir, out->temporary, out->dir, out->base, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (linkat(out->dir, out->temporary, out->dir, out->base, 0) != 0) return errno;
    unlinkat(out->dir, out->temporary, 0);
    return 0;
}

int output_commit(struct output *out) {
    int e = DONE;
    if (out->base == NULL) { /* close() may be the first to tell that a write failed */
        const int fd = out->fd;
        out->fd = -1;
        if (close(fd) < 0 && errno != EINTR) e = write_failed(out, errno);
        /* Later messages must not land in a file that gets this number. */
        if (fd == STDOUT_FILENO && open("/dev/null", O_RDONLY) != STDOUT_FILENO) abort();
        return e;
    }
    if (fsync(out->fd) < 0 && errno != EINVAL && errno != EROFS) e = write_failed(out, errno);
    const int fd = out->fd;
    out->fd = -1;
    if (close(fd) < 0 && errno != EINTR && e == DONE) e = write_failed(out, errno);
    if (e == DONE) {
        sigset_t was;
        block_ending(&was);
        const int n = give_name(out);
        if (n == 0) {
            undo.has_temporary = 0;
            out->temporary[0] = 0;
        }
        sigprocmask(SIG_SETMASK, &was, NULL);
        if (n == EEXIST)
            e = fail(FAIL_TARGET, "%s exists; it is not overwritten", out->name);
        else if (n != 0)
            e = fail(FAIL_WRITE, "cannot give the output its name %s: %s", out->name, strerror(n));
        /* Not every file system lets a directory be synced, and one opened without the right to list it cannot be. */
        else if (fsync(out->dir) < 0 && errno == EIO)
            e = fail(FAIL_WRITE, "the directory of %s cannot be written: %s", out->name, strerror(errno));
    }
    output_abandon(out);
    return e;
}

void output_abandon(struct output *out) {
    if (out->fd > STDERR_FILENO) close(out->fd);
    out->fd = -1;
    if (out->temporary[0] != 0) {
        sigset_t was;
        block_ending(&was);
        unlinkat(out->dir, out->temporary, 0);
        undo.has_temporary = 0;
        out->temporary[0] = 0;
        sigprocmask(SIG_SETMASK, &was, NULL);
    }
    if (out->dir >= 0) close(out->dir);
    out->dir = -1;
    free(out->base);
    out->base = NULL;
}

static int stdout_error; /* of the first write to it that failed */

bool io_flush_stdout(void) {
    errno = 0;
    if (fflush(stdout) != 0 && stdout_error == 0) stdout_error = errno ? errno : EIO;
    return stdout_error == 0;
}

int io_finish_stdout(int code) {
    const struct output out = {.name = "standard output"};
    if (io_flush_stdout() && ferror(stdout)) stdout_error = EIO; /* one that nobody looked at */
    if (stdout_error == 0 && close(STDOUT_FILENO) < 0 && errno != EINTR && errno != EBADF) stdout_error = errno;
    return stdout_error != 0 && code == DONE ? write_failed(&out, stdout_error) : code;
}

/* ---- passphrases ----------------------------------------------------------------------------- */

ssize_t io_read_silently(int fd, const char *prompt, uint8_t *buf, size_t cap) {
    struct termios silent;
    sigset_t was;
    size_t n = 0;
    bool ended = false, fits = true;
    if (tcgetattr(fd, &undo.tty_was) < 0) return -1;
    silent = undo.tty_was;
    silent.c_lflag &= (tcflag_t) ~(ECHO | ECHONL);
    block_ending(&was);
    undo.tty = fd;
    undo.silent = 1;
    tcsetattr(fd, TCSAFLUSH, &silent);
    sigprocmask(SIG_SETMASK, &was, NULL);
    const struct output tty = {.fd = fd, .name = "the terminal"};
    struct output o = tty;
    bool ok = output_write(&o, (const uint8_t *)prompt, strlen(prompt)) == DONE;
    while (ok && !ended) {
        uint8_t c;
        const ssize_t r = read(fd, &c, 1);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0 || c == '\n' || c == '\r') {
            ok = r > 0 || n > 0;
            ended = true;
        } else if (n < cap) {
            buf[n++] = c;
        } else {
            fits = false; /* the rest of the line is read, so that it does not reach the shell */
        }
        wipe(&c, 1);
    }
    block_ending(&was);
    tcsetattr(fd, TCSAFLUSH, &undo.tty_was);
    undo.silent = 0;
    sigprocmask(SIG_SETMASK, &was, NULL);
    output_write(&o, (const uint8_t *)"\n", 1);
    return ok && fits ? (ssize_t)n : -1;
}
