/* SPDX-License-Identifier: Apache-2.0 */
/* The portable engines' key areas, for engines that have one of them inside for a block at a time. */
#ifndef CDZ_PORTABLE_H
#define CDZ_PORTABLE_H

#include "words.h"

enum {
    /* Sliced and plain round keys, at most 15, and their number. */
    CDZ_AES_PORTABLE_KEY = (15 * (32 * sizeof(cdz_key_word) + 16) + 1 + 63) / 64 * 64,
    CDZ_ARIA_ROUNDS_MOST = 16
};

/* Round keys in rows (byte 4 t + c for byte 4 c + t of a block), with the constants of the S-boxes folded in: those of
 * the S-boxes' outputs go through the diffusion into the next round key, those of their inputs into the key right
 * before. aria/sliced-rvv has this key area too. */
struct cdz_aria_portable_keys {
    uint8_t enc[CDZ_ARIA_ROUNDS_MOST + 1][16], dec[CDZ_ARIA_ROUNDS_MOST + 1][16];
    uint8_t rounds; /* 12, 14, 16 */
};

enum { CDZ_ARIA_PORTABLE_KEY = (sizeof(struct cdz_aria_portable_keys) + 63) / 64 * 64 };

#endif
