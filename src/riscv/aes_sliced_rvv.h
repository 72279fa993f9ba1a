/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of aes/sliced-rvv, for the engines that have them together with a narrow one. */
#ifndef CDZ_AES_SLICED_RVV_H
#define CDZ_AES_SLICED_RVV_H

#include "aes_words.h"
#include "sliced_rvv.h"

/* Round keys with the S-boxes' constants in them, in the order in which they are used. */
struct cdz_aes_sliced_keys {
    uint8_t encrypt[CDZ_AES_ROUNDS_MOST + 1][16];
    uint8_t decrypt[CDZ_AES_ROUNDS_MOST + 1][16];
    uint32_t rounds;
};

void cdz_aes_sliced_set_key(struct cdz_aes_sliced_keys *k, const uint8_t *key, size_t key_len);

/* Any number of blocks in the kernel of eight planes, of which a batch has P / 2. */
void cdz_aes_sliced_eight(const struct cdz_aes_sliced_keys *k, bool decrypt, const uint8_t *in, uint8_t *out,
                          size_t blocks);

unsigned cdz_aes_sliced_expand(const void *ks, bool decrypt, uint8_t *expanded);
unsigned cdz_aes_sliced_crypt(uint8_t *state, const uint8_t *expanded, unsigned rounds, bool decrypt, size_t p);
void cdz_aes_sliced_ctr_values(uint8_t *values, const void *ks, const uint8_t ctr[16], const uint8_t at[2]);
unsigned cdz_aes_sliced_ctr_crypt(uint8_t *state, const uint8_t *expanded, unsigned rounds, const uint8_t *values,
                                  const uint8_t at[2], unsigned low, size_t p);

#endif
