/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input and output of the command.
 *
 * An input is a named file or stdin. An output is stdout, a device or pipe written to directly, or a named file, which
 * is written under a temporary name in its directory and renamed only when it is complete: whatever goes wrong before,
 * signals included, the temporary file is removed and an old file of the name stays as it was.
 */
#ifndef CDZ_IO_H
#define CDZ_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct input {
    int fd;
    const char *name; /* for messages */
    uint64_t size;    /* of a regular file, from where it is now on; else UINT64_MAX */
    bool file;        /* a regular one, so that dev and ino tell whether an output would overwrite it */
    dev_t dev;
    ino_t ino;
};

/* NULL and "-" are stdin. */
int input_open(struct input *in, const char *path);
/* Reads until n bytes are there or the input ends. */
int input_read(struct input *in, uint8_t *buf, size_t n, size_t *got);
void input_close(struct input *in);

enum output_rule {
    OUTPUT_REPLACE,   /* an old file is replaced */
    OUTPUT_CREATE_NEW /* the name must not exist */
};

enum { OUTPUT_TEMPORARY_MAX = 32 };

struct output {
    int fd;           /* -1 before output_begin() */
    int dir;          /* the directory of a named file, else -1 */
    const char *name; /* for messages */
    char *base;       /* its name in the directory; NULL where written directly */
    char temporary[OUTPUT_TEMPORARY_MAX];
    enum output_rule rule;
    bool standard; /* it is stdout */
    bool terminal; /* known after output_begin() */
    uint64_t written;
};

/* Decides how `path` (NULL and "-": stdout) will be written, and refuses it where it is one of the inputs, or no file.
 * Nothing is created yet. */
int output_open(struct output *out, const char *path, enum output_rule rule, const struct input *const *inputs,
                size_t n_inputs);
/* Creates the temporary file, or opens the device. */
int output_begin(struct output *out);
int output_write(struct output *out, const uint8_t *buf, size_t n);
/* All is written and right: makes it durable and gives it its name. The output is closed, whatever comes of it. */
int output_commit(struct output *out);
/* Removes what was written under a temporary name. Fine after any of the calls above. */
void output_abandon(struct output *out);

/* Standard descriptors that are closed get something harmless, SIGPIPE and SIGXFSZ become errors of write(), and the
 * signals that end a program remove the temporary file and restore the terminal first. */
void io_prepare(void);
/* Flushes text printed to stdout; false where nothing more needs to be printed, since it cannot be written. */
bool io_flush_stdout(void);
/* Flushes and closes stdout after text was printed to it; `code`, or why that failed where code is 0. */
int io_finish_stdout(int code);

/* Reads a passphrase from the terminal `fd`, without echo, into buf without its line end; -1 where it does not fit
 * or the terminal is gone. A signal restores the terminal. */
ssize_t io_read_silently(int fd, const char *prompt, uint8_t *buf, size_t cap);

#endif
