/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_TARGET LIST: gives a target each input of a list (corpus/TARGET) once, and the empty one: so what libFuzzer
 * found stays found, in builds by any compiler. A list has one input a line: hexadecimal digits, or = and text as it
 * is; # begins a comment.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int digit(char c) {
    const char *const p = memchr("0123456789abcdef", c, 16);
    return p ? (int)(p - "0123456789abcdef") : -1;
}

static uint8_t *decode(const char *line, size_t len, size_t *n) {
    if (line[0] == '=') {
        *n = len - 1;
        return room_with(line + 1, *n);
    }
    if (len % 2) return NULL;
    *n = len / 2;
    uint8_t *const p = room(*n); /* exactly as long as it is, so that a sanitizer sees a read beyond it */
    for (size_t i = 0; i < *n; i++) {
        const int h = digit(line[2 * i]), l = digit(line[2 * i + 1]);
        if (h < 0 || l < 0) {
            free(p);
            return NULL;
        }
        p[i] = (uint8_t)(h << 4 | l);
    }
    return p;
}

int main(int argc, char **argv) {
    static const uint8_t none[1];
    char *line = NULL;
    size_t cap = 0, inputs = 0;
    ssize_t len;
    FILE *const f = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!f) {
        fprintf(stderr, "usage: %s LIST\n", argv[0]);
        return 1;
    }
    FILE *const report = fdopen(dup(1), "w"); /* a target may throw standard output away */
    if (!report) return 1;
    LLVMFuzzerTestOneInput(none, 0);
    for (unsigned number = 1; (len = getline(&line, &cap, f)) >= 0; number++) {
        size_t n;
        if (len > 0 && line[len - 1] == '\n') len--;
        if (len == 0 || line[0] == '#') continue;
        uint8_t *const bytes = decode(line, (size_t)len, &n);
        if (!bytes) {
            fprintf(report, "%s:%u: neither hexadecimal nor = and text\n", argv[1], number);
            return 1;
        }
        fuzz_about("line %u", number);
        LLVMFuzzerTestOneInput(bytes, n);
        free(bytes);
        inputs++;
    }
    free(line);
    fclose(f);
    fprintf(report, "%zu inputs\n", inputs);
    fclose(report);
    return inputs ? 0 : 1;
}
