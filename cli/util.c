/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, options, hexadecimal, wiping, random bytes: the small things that all parts of the command use. */
#include "cli.h"
#include "progress.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

static void complain(const char *kind, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

static void complain(const char *kind, const char *format, va_list args) {
    progress_hide();
    flockfile(stderr); /* one line in one piece, whoever else writes */
    fprintf(stderr, "cadenza: %s", kind);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    funlockfile(stderr);
}

int fail(int code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain("", format, args);
    va_end(args);
    return code;
}

void warn_user(const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain("warning: ", format, args);
    va_end(args);
}

int fail_usage(const char *command, const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain("", format, args);
    va_end(args);
    fprintf(stderr, "Try 'cadenza %s%s--help'.\n", command, *command ? " " : "");
    return FAIL_USAGE;
}

int fail_status(cdz_status status, const char *what) {
    int code = FAIL_INTERNAL;
    switch (status) {
    case CDZ_OK:
    case CDZ_ERR_NULL:
    case CDZ_ERR_OVERLAP:
    case CDZ_ERR_BUFFER:
    case CDZ_ERR_STATE:
        break; /* ours to get right: never the user's doing */
    case CDZ_ERR_NAME:
    case CDZ_ERR_UNSUPPORTED:
        code = FAIL_NAME;
        break;
    case CDZ_ERR_KEY_LENGTH:
    case CDZ_ERR_KEY_WEAK:
    case CDZ_ERR_IV_LENGTH:
    case CDZ_ERR_AAD:
    case CDZ_ERR_TAG_UNUSED:
    case CDZ_ERR_TAG_MISSING:
    case CDZ_ERR_TAG_LENGTH:
        code = FAIL_ARGUMENT;
        break;
    case CDZ_ERR_LENGTH:
    case CDZ_ERR_LIMIT:
    case CDZ_ERR_PADDING:
        code = FAIL_DATA;
        break;
    case CDZ_ERR_AUTH:
        code = FAIL_DAMAGED;
        break;
    case CDZ_ERR_MEMORY:
        code = FAIL_MEMORY;
        break;
    case CDZ_ERR_CPU_MASK:
    case CDZ_ERR_ENGINE:
        code = FAIL_CPU;
        break;
    }
    return fail(code, "%s: %s", what, cdz_strerror(status));
}

int next_option(int argc, char **argv, const char *command, const char *shorts, const struct option *longs,
                bool one_dash) {
    const int at = optind ? optind : 1;
    opterr = 0;
    const int c =
        one_dash ? getopt_long_only(argc, argv, shorts, longs, NULL) : getopt_long(argc, argv, shorts, longs, NULL);
    if (c != '?' && c != ':') return c;
    /* After a fault in a long option optind is past it; after one in a short option optopt is its letter. */
    const char *word = optind > at && argv[optind - 1][0] == '-' ? argv[optind - 1] : argv[at < argc ? at : argc - 1];
    if (c == ':')
        fail_usage(command, "the option %s needs an argument", word);
    else if (optopt != 0 && optopt < 256 && !(word[0] == '-' && word[1] == '-'))
        fail_usage(command, "there is no option -%c", optopt);
    else
        fail_usage(command, "there is no option %s, or it takes no argument", word);
    return '?';
}

int parse_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value) {
    char *end;
    errno = 0;
    const unsigned long long x = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : (end = NULL, 0ULL);
    if (end == NULL || *end != 0 || errno != 0 || x < min || x > max)
        return fail(FAIL_ARGUMENT, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, min, max,
                    text);
    *value = x;
    return DONE;
}

int set_cpu_mask(const char *words) {
    if (cdz_cpu_mask(words) == CDZ_OK) return DONE;
    return fail(FAIL_CPU, "--cpu takes features to leave out, such as -avx512f,-gfni: '%s' is something else", words);
}

int check_cpu_mask(void) {
    static const uint8_t key[16] = {0};
    cdz_cipher *probe;
    const cdz_status s = cdz_cipher_new(&probe, "ARIA-128-ECB", key, sizeof key);
    if (s == CDZ_ERR_CPU_MASK)
        return fail(
            FAIL_CPU,
            "the environment's CADENZA_CPU takes features to leave out, such as -avx512f,-gfni: '%s' is something else",
            getenv("CADENZA_CPU") ? getenv("CADENZA_CPU") : "");
    if (s != CDZ_OK) return fail_status(s, "ARIA-128-ECB");
    cdz_cipher_free(probe);
    return DONE;
}

/* Without a table or a branch, since it may be a key: a digit's value; *bad gets bits where it is none. */
static unsigned hex_digit(unsigned char c, unsigned *bad) {
    const unsigned digit = (unsigned)c - '0', letter = (c | 0x20u) - 'a';
    /* x - n has its top bit set and x has not only where x < n */
    const unsigned is_digit = 0 - (((digit - 10) & ~digit) >> 31), is_letter = 0 - (((letter - 6) & ~letter) >> 31);
    *bad |= ~(is_digit | is_letter);
    return (digit & is_digit) | ((letter + 10) & is_letter);
}

bool hex_decode(const char *hex, size_t digits, uint8_t *out, size_t cap, size_t *len) {
    unsigned bad = 0;
    if (digits % 2 != 0 || digits / 2 > cap) return false;
    for (size_t i = 0; i < digits / 2; i++) {
        const unsigned h = hex_digit((unsigned char)hex[2 * i], &bad),
                       l = hex_digit((unsigned char)hex[2 * i + 1], &bad);
        out[i] = (uint8_t)(h << 4 | l);
    }
    *len = digits / 2;
    return bad == 0;
}

void hex_encode(const uint8_t *in, size_t len, char *out) {
    for (size_t i = 0; i < len; i++) {
        /* 'a' - '9' - 1 = 39 more for digits above 9; without a table or a branch, since it may be a key */
        const unsigned h = in[i] >> 4, l = in[i] & 15;
        out[2 * i] = (char)('0' + h + ((9 - h) >> 8 & 39));
        out[2 * i + 1] = (char)('0' + l + ((9 - l) >> 8 & 39));
    }
    out[2 * len] = 0;
}

void wipe(void *p, size_t n) { explicit_bzero(p, n); }

bool equal_ct(const uint8_t *a, const uint8_t *b, size_t n) {
    volatile uint8_t d = 0;
    for (size_t i = 0; i < n; i++) d = (uint8_t)(d | (a[i] ^ b[i]));
    return d == 0;
}

bool is_text(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((p[i] < 0x20 && (p[i] < '\t' || p[i] > '\r')) || p[i] == 0x7f) return false;
    return true;
}

void no_core_dumps(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
}

int random_bytes(uint8_t *out, size_t n) {
    while (n > 0) {
        const ssize_t got = getrandom(out, n, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            return fail(FAIL_RANDOM, "the system gives no random bytes: %s", strerror(errno));
        }
        out += got;
        n -= (size_t)got;
    }
    return DONE;
}
