/* SPDX-License-Identifier: Apache-2.0 */
/* The key area of the vector engines of ARIA: both directions, each in the forms that the kernels want. */
#ifndef CDZ_ARIA_KEYS_H
#define CDZ_ARIA_KEYS_H

#include <stddef.h>
#include <stdint.h>

enum { CDZ_ARIA_KEYS = 17 }; /* 16 rounds and one more */

/*
 * One direction. Round keys are numbered from 0 (before the first substitution) to `rounds` (after the last).
 *
 *   word[r]  byte-sliced: byte i of the round key four times over, so that a broadcast of 32 bits brings it to every
 *            block. word[0] are the bytes of the key itself; the others are as the tier's substitution or diffusion
 * takes them (aria_sliced.inc.h), and word[rounds] is the key itself again where it is not taken by a substitution.
 *   row[r]   the round key itself
 */
struct cdz_aria_way {
    uint32_t word[CDZ_ARIA_KEYS][16];
    uint8_t row[CDZ_ARIA_KEYS + 3][16]; /* + 3: written four at a time */
};

struct cdz_aria_keys {
    struct cdz_aria_way enc, dec;
    uint32_t rounds; /* 12, 14 or 16 */
};

/* What counter mode makes once a call (aria_sliced.inc.h). */
struct cdz_aria_counter {
    uint32_t word1[16]; /* after the first diffusion: the sum of the constant bytes and the round key */
    uint32_t word2[16]; /* after the second: the same */
    uint32_t key[2];    /* bytes of the first round key for the counter's low and high byte */
    unsigned at;        /* the counter's two bytes */
};

/* Chains side by side (aria_sliced.inc.h), as engine.h has them. All is in one place in memory: there are too few
 * general registers for it, and what gcc keeps in vector registers instead looks like a secret. */
struct cdz_aria_chains {
    uint8_t (*x)[16];
    const uint8_t *const *in;
    uint8_t *const *out;
    size_t n, end, at; /* end: bytes of each chain; at: of this step's block in each */
};

#endif
