/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key area of the engines with AES instructions: round keys of both directions in the order of use, those of
 * decryption for the equivalent inverse cipher (FIPS 197, 5.3.5), the last one always at the end. Unused places between
 * hold nothing.
 */
#ifndef CDZ_AES_SCHEDULE_H
#define CDZ_AES_SCHEDULE_H

#include <stdint.h>

enum { AES_KEYS = 15, AES_LAST = AES_KEYS - 1 };

struct aes_schedule {
    uint8_t enc[AES_KEYS][16];
    uint8_t dec[AES_KEYS][16];
    uint32_t rounds; /* 10, 12, 14 */
    uint32_t spare[7];
};

_Static_assert(sizeof(struct aes_schedule) == 512, "a multiple of 64");

#endif
