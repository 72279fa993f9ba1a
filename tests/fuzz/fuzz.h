/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput(): libFuzzer calls it with inputs of
 * its own making (scripts/fuzz), and replay.c with those of corpus/TARGET in the usual tests.
 *
 * An input is a list of decisions, read byte by byte; what is not there counts as zeros. Keys and messages are made
 * from a seed in it, so that inputs stay short and a changed byte changes a decision.
 *
 * With -DCDZ_FUZZ_PLANT each target has a fault planted, which it must find: fuzz_planted().
 */
#ifndef CDZ_FUZZ_H
#define CDZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct decisions {
    const uint8_t *p;
    size_t left;
};

unsigned take_byte(struct decisions *d);
uint32_t take_word(struct decisions *d); /* 4 bytes */
/* A number below n, 0 for n = 0: one byte's worth up to n = 256, else two's. */
size_t take_below(struct decisions *d, size_t n);
bool take_chance(struct decisions *d, unsigned one_in);
/* A length up to most (below 2^16): often about the sizes of blocks and batches. */
size_t take_length(struct decisions *d, size_t most);
/* Up to cap bytes as they are. */
size_t take_bytes(struct decisions *d, uint8_t *out, size_t cap);
/* The same as a string without NULs, of at most cap - 1 bytes. */
void take_string(struct decisions *d, char *out, size_t cap);

/* n bytes made from a seed. */
void fill(void *out, size_t n, uint32_t seed);
/* malloc() that cannot fail, of exactly n bytes: the sanitizer sees one too many. */
void *room(size_t n);
void *room_with(const void *bytes, size_t n);

/* A planted fault, by -DCDZ_FUZZ_PLANT: always false without. */
#ifdef CDZ_FUZZ_PLANT
#define fuzz_planted() true
#else
#define fuzz_planted() false
#endif

/* Ends the program with what was found; say what it is about with fuzz_about() before. */
#define FOUND_IF(x)                                                                                                    \
    do {                                                                                                               \
        if (x) found(__FILE__, __LINE__, #x);                                                                          \
    } while (0)
#define MUST(x) FOUND_IF(!(x))
_Noreturn void found(const char *file, int line, const char *what);
/* A line that found() prints: the algorithm, the engine ... */
void fuzz_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- algorithms and engines ---- */

/* The i-th algorithm of this build, "ARIA-128-ECB", counted around. */
const char *fuzz_algorithm(size_t i);
/* An engine of this CPU for a cipher ("ARIA-..."), with a hash engine where it is an odd number: counted around. */
const char *fuzz_engine(const char *algorithm, size_t i);

#endif
