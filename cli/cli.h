/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the `cadenza` command share: exit codes, messages, small helpers, and the subcommands.
 *
 * A function that can fail says why on stderr itself, once, where it knows most, and returns the exit code; 0 is
 * success. Callers clean up and pass the code on. The codes are listed in docs/man/cadenza.1 and do not change meaning.
 */
#ifndef CDZ_CLI_H
#define CDZ_CLI_H

#include "cadenza.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum exit_code {
    DONE = 0,
    FAIL_INTERNAL = 1,     /* a call failed that cannot fail */
    FAIL_USAGE = 2,        /* unknown option or subcommand, too many arguments */
    FAIL_NAME = 3,         /* no cipher, mode or engine of this name, or not one for this purpose */
    FAIL_ARGUMENT = 4,     /* a key, IV, tag or number that is malformed or of the wrong length */
    FAIL_DATA = 5,         /* a message that the mode cannot take, or whose padding is wrong */
    FAIL_READ = 6,         /* input cannot be opened or read */
    FAIL_WRITE = 7,        /* output cannot be opened or written */
    FAIL_FULL = 8,         /* no room for the output */
    FAIL_PIPE = 9,         /* the reader of the output went away */
    FAIL_TARGET = 10,      /* the output's name must not be written: it is the input, exists, or is no file */
    FAIL_TERMINAL = 11,    /* binary data would go to a terminal */
    FAIL_NOT_CADENZA = 12, /* the input is not an encrypted file of cadenza's */
    FAIL_UNSUPPORTED = 13, /* ... it is, of a version or with a cipher that this build does not know */
    FAIL_HEADER = 14,      /* ... with a header that breaks the format's rules, or was changed */
    FAIL_KEY = 15,         /* the passphrase or the key file is not the one */
    FAIL_DAMAGED = 16,     /* a chunk, or a message's tag, is wrong */
    FAIL_TRUNCATED = 17,   /* the end is missing */
    FAIL_EXCESS = 18,      /* there is more than there should be */
    FAIL_PASSPHRASE = 19,  /* no passphrase could be had, or it is empty or too long, or the two differ */
    FAIL_KEY_FILE = 20,    /* the key file is not one */
    FAIL_MEMORY = 21,
    FAIL_RANDOM = 22,    /* the system gives no random bytes */
    FAIL_NO_ARGON2 = 23, /* this build has no passphrases */
    FAIL_CPU = 24,       /* a bad CPU mask, or an engine that the CPU or the mask forbids */
    FAIL_SELFTEST = 25,  /* a known answer was not met */
    FAIL_SLOWER = 26     /* bench --compare: a row is slower than it was, beyond the threshold */
};

/* "cadenza: SENTENCE" on stderr; returns the code. */
int fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
void warn_user(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* fail() with the sentence of a library status and the code that fits it. */
int fail_status(cdz_status status, const char *what);
/* fail() for a failed option: asks to look at the help of `command`. */
int fail_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- options --------------------------------------------------------------------------------- */

struct option;
/* getopt_long() with our own sentences: the option, -1 at the end, or '?' after a complaint. `one_dash` lets long
 * options begin with a single dash, as openssl's do. */
int next_option(int argc, char **argv, const char *command, const char *shorts, const struct option *longs,
                bool one_dash);
/* A whole decimal number in [min, max]. */
int parse_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value);
/* --cpu=-word,... */
int set_cpu_mask(const char *words);
/* The environment's. */
int check_cpu_mask(void);

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Hexadecimal digits to bytes; false where there is another character, an odd number, or more than cap bytes. */
bool hex_decode(const char *hex, size_t digits, uint8_t *out, size_t cap, size_t *len);
/* out receives 2 * len digits and a NUL. */
void hex_encode(const uint8_t *in, size_t len, char *out);
void wipe(void *p, size_t n);
/* In a time that depends on n alone. */
bool equal_ct(const uint8_t *a, const uint8_t *b, size_t n);
/* No control characters but those that move on in a line or to the next: a terminal may be shown it. */
bool is_text(const uint8_t *p, size_t n);
/* From now on no core is dumped: it would have keys in it. */
void no_core_dumps(void);
/* n bytes from the system's random generator. */
int random_bytes(uint8_t *out, size_t n);

static inline void put_be32(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

static inline uint32_t get_be32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

/* ---- subcommands: argv[0] is the subcommand's name --------------------------------------------- */

int cmd_encrypt(int argc, char **argv);
int cmd_decrypt(int argc, char **argv);
int cmd_keygen(int argc, char **argv);
int cmd_cipher(int argc, char **argv);
int cmd_cpu(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_openssl(int argc, char **argv);

#endif
