/* SPDX-License-Identifier: Apache-2.0 */
/* AES's key expansion (FIPS 197, 5.2) in words, for engines whose instructions give SubBytes but not all of it. */
#ifndef CDZ_AES_WORDS_H
#define CDZ_AES_WORDS_H

#include "../util/wipe.h"

enum { CDZ_AES_ROUNDS_MOST = 14, CDZ_AES_WORDS_MOST = 4 * (CDZ_AES_ROUNDS_MOST + 1) };

/* 2 x for four bytes at once. */
CDZ_INLINE uint32_t cdz_aes_double4(uint32_t x) { return (x & 0x7f7f7f7f) << 1 ^ (x >> 7 & 0x01010101) * 0x1b; }

/* w: 4 * (rounds + 1) words, first byte lowest; substitute is SubBytes of the four bytes of a word. Returns the number
 * of rounds. key_len is public. */
CDZ_INLINE uint32_t cdz_aes_words(uint32_t *w, const uint8_t *key, size_t key_len, uint32_t (*substitute)(uint32_t)) {
    const size_t words = key_len / 4, rounds = words + 6;
    uint32_t rcon = 1;
    for (size_t i = 0; i < words; i++) w[i] = cdz_load_le32(key + 4 * i);
    for (size_t i = words, place = 0; i < 4 * (rounds + 1); i++) { /* place: i % words */
        uint32_t t = w[i - 1];
        if (place == 0) {
            t = substitute(t >> 8 | t << 24) ^ rcon;
            rcon = cdz_aes_double4(rcon);
        } else if (words == 8 && place == 4) {
            t = substitute(t);
        }
        if (++place == words) place = 0;
        w[i] = w[i - words] ^ t;
    }
    return (uint32_t)rounds;
}

#endif
