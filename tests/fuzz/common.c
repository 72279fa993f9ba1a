/* SPDX-License-Identifier: Apache-2.0 */
/* See fuzz.h. */
#include "fuzz.h"

#include "cadenza.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned take_byte(struct decisions *d) {
    if (!d->left) return 0;
    d->left--;
    return *d->p++;
}

uint32_t take_word(struct decisions *d) {
    uint32_t x = 0;
    for (int i = 0; i < 4; i++) x = x << 8 | take_byte(d);
    return x;
}

size_t take_below(struct decisions *d, size_t n) {
    if (n < 2) return 0;
    size_t x = take_byte(d);
    if (n > 256) x |= (size_t)take_byte(d) << 8;
    return x % n;
}

bool take_chance(struct decisions *d, unsigned one_in) { return take_byte(d) % one_in == one_in - 1; }

size_t take_length(struct decisions *d, size_t most) {
    size_t n = take_byte(d);
    if (n >= 192)
        n = (n - 192) * 64 + take_byte(d); /* up to 4287 */
    else if (n >= 128)
        n = (n - 128) * 16; /* whole blocks */
    return n <= most ? n : n % (most + 1);
}

size_t take_bytes(struct decisions *d, uint8_t *out, size_t cap) {
    const size_t n = d->left < cap ? d->left : cap;
    if (n) memcpy(out, d->p, n);
    d->p += n;
    d->left -= n;
    return n;
}

void take_string(struct decisions *d, char *out, size_t cap) {
    size_t n = 0;
    while (n + 1 < cap && d->left) {
        const char c = (char)take_byte(d);
        if (!c) break;
        out[n++] = c;
    }
    out[n] = 0;
}

void fill(void *out, size_t n, uint32_t seed) {
    uint8_t *p = out;
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + 1; /* xorshift64*: not 0 */
    for (size_t i = 0; i < n; i++) {
        x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
        p[i] = (uint8_t)(x * UINT64_C(0x2545f4914f6cdd1d) >> 56);
    }
}

void *room(size_t n) {
    void *const p = malloc(n);
    if (!p && n) abort();
    return p;
}

void *room_with(const void *bytes, size_t n) {
    void *const p = room(n);
    if (n) memcpy(p, bytes, n);
    return p;
}

static char about[256];

void fuzz_about(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(about, sizeof about, format, args);
    va_end(args);
}

void found(const char *file, int line, const char *what) {
    /* Not by stdio: a target may have stderr in its hands. */
    char text[512];
    const int n = snprintf(text, sizeof text, "FOUND: %s:%d: %s\n       %s\n", file, line, what, about);
    const size_t len = n < (int)sizeof text ? (size_t)n : sizeof text - 1;
    if (write(STDERR_FILENO, text, len) != (ssize_t)len) _exit(99);
    abort();
}

enum { NAMES = 256, ENGINES = 64 };

const char *fuzz_algorithm(size_t i) {
    static char names[NAMES][24];
    static size_t n;
    if (!n) {
        static const char *const ciphers[] = {"ARIA", "AES"};
        for (size_t m = 0; cdz_mode_name(m); m++)
            for (int c = 0; c < 2; c++)
                for (int bits = 128; bits <= 256; bits += 64) {
                    cdz_info info;
                    if (n == NAMES) abort();
                    snprintf(names[n], sizeof names[n], "%s-%d-%s", ciphers[c], bits, cdz_mode_name(m));
                    if (cdz_describe(&info, names[n]) == CDZ_OK) n++;
                }
    }
    return names[i % n];
}

const char *fuzz_engine(const char *algorithm, size_t i) {
    static const char *engines[3][ENGINES]; /* ARIA, AES, hashes */
    static size_t n[3];
    static char name[96];
    if (!n[0]) {
        cdz_engine_info e;
        for (size_t k = 0; cdz_engine_at(k, &e); k++) {
            const int kind = !strncmp(e.name, "aria/", 5) ? 0 : !strncmp(e.name, "aes/", 4) ? 1 : 2;
            if (e.usable && n[kind] < ENGINES) engines[kind][n[kind]++] = e.name;
        }
    }
    const int cipher = algorithm[1] == 'E';
    const char *const engine = engines[cipher][i / 2 % n[cipher]];
    if (i % 2 == 0 || !n[2]) return engine;
    snprintf(name, sizeof name, "%s+%s", engine, engines[2][i / 2 / n[cipher] % n[2]]);
    return name;
}
