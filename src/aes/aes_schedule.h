/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key areas of AES engines: round keys of both directions in the order of use, those of decryption for the equivalent
 * inverse cipher (FIPS 197, 5.3.5). Unused places hold nothing.
 *
 *   aes_schedule         for AES instructions. The last round key is always at the end (aes_rounds.inc.h).
 *   aes_vperm_schedule   for vector permutes, in their bases and orders (aes_vperm.inc.h). The last one is at `rounds`.
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

struct aes_vperm_schedule {
    uint8_t enc[AES_KEYS][16];
    uint8_t dec[AES_KEYS][16];
    uint32_t rounds;
    uint32_t spare[7];
};

_Static_assert(sizeof(struct aes_schedule) == 512 && sizeof(struct aes_vperm_schedule) == 512, "multiples of 64");

#endif
