/* SPDX-License-Identifier: Apache-2.0 */
/* How large the portable engines' key areas are, for engines that have one of them inside for a block at a time. */
#ifndef CDZ_PORTABLE_H
#define CDZ_PORTABLE_H

#include "words.h"

enum {
    /* Sliced and plain round keys, at most 15, and their number. */
    CDZ_AES_PORTABLE_KEY = (15 * (32 * sizeof(cdz_key_word) + 16) + 1 + 63) / 64 * 64,
    /* At most 17 round keys for each direction, and their number. */
    CDZ_ARIA_PORTABLE_KEY = (2 * 17 * 16 + 1 + 63) / 64 * 64
};

#endif
