/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES key expansion (FIPS 197, 5.2) with AES-NI.
 *
 * AESKEYGENASSIST is microcode, of a dozen cycles. AESENCLAST gives SubWord in three or four: a word that is broadcast
 * to all four columns does not notice ShiftRows, and the round key that the instruction adds takes the round constant.
 * So
 *
 *     s = AESENCLAST(broadcast(RotWord(w3)), rcon)       SubWord(RotWord(w3)) ^ rcon in every column
 *     (w0, w1, w2, w3) becomes (w0 ^ s, w0 ^ w1 ^ s, w0 ^ w1 ^ w2 ^ s, w0 ^ w1 ^ w2 ^ w3 ^ s)
 *
 * where the sums of words are made while s is on its way: a byte shuffle, a round and a XOR from one key to the next.
 */
#ifndef CDZ_X86_AES_KEY_H
#define CDZ_X86_AES_KEY_H

#include "../aes/aes_schedule.h"
#include "v128.h"

CDZ_INLINE x_vec aes_key_sums(x_vec w) {
    w = x_xor(w, _mm_slli_si128(w, 4));
    return x_xor(w, _mm_slli_si128(w, 8));
}
/* SubWord(RotWord(the last word)) ^ rcon, broadcast. Words are little-endian: RotWord's bytes are 13 14 15 12. */
CDZ_INLINE x_vec aes_key_sub_rot(x_vec w, int rcon) {
    return _mm_aesenclast_si128(_mm_shuffle_epi8(w, _mm_set1_epi32(0x0c0f0e0d)), _mm_set1_epi32(rcon));
}
/* The same without rotation and constant, of word 3 (12 13 14 15). */
CDZ_INLINE x_vec aes_key_sub(x_vec w) { return _mm_aesenclast_si128(_mm_shuffle_epi32(w, 0xff), _mm_setzero_si128()); }

/* Round constants: x^i in the field. */
CDZ_INLINE int aes_rcon(int i) { return i < 8 ? 1 << i : i == 8 ? 0x1b : 0x36; }

CDZ_INLINE void aes_key_128(struct aes_schedule *s, const uint8_t *key) {
    x_vec w = x_load(key);
    x_store(s->enc[0], w);
    x_store(s->dec[AES_LAST], w);
    CDZ_UNROLL
    for (int i = 1; i < 10; i++) {
        w = x_xor(aes_key_sums(w), aes_key_sub_rot(w, aes_rcon(i - 1)));
        x_store(s->enc[i], w);
        x_store(s->dec[10 - i], _mm_aesimc_si128(w));
    }
    w = x_xor(aes_key_sums(w), aes_key_sub_rot(w, aes_rcon(9)));
    x_store(s->enc[AES_LAST], w);
    x_store(s->dec[0], w);
}

CDZ_INLINE void aes_key_256(struct aes_schedule *s, const uint8_t *key) {
    x_vec a = x_load(key), b = x_load(key + 16);
    x_store(s->enc[0], a);
    x_store(s->dec[AES_LAST], a);
    x_store(s->enc[1], b);
    x_store(s->dec[13], _mm_aesimc_si128(b));
    CDZ_UNROLL
    for (int i = 2; i < 14; i += 2) {
        a = x_xor(aes_key_sums(a), aes_key_sub_rot(b, aes_rcon(i / 2 - 1)));
        x_store(s->enc[i], a);
        x_store(s->dec[14 - i], _mm_aesimc_si128(a));
        b = x_xor(aes_key_sums(b), aes_key_sub(a));
        x_store(s->enc[i + 1], b);
        x_store(s->dec[13 - i], _mm_aesimc_si128(b));
    }
    a = x_xor(aes_key_sums(a), aes_key_sub_rot(b, aes_rcon(6)));
    x_store(s->enc[AES_LAST], a);
    x_store(s->dec[0], a);
}

/* Six words a step, written one behind the other: two steps make three round keys. */
CDZ_INLINE void aes_key_192(struct aes_schedule *s, const uint8_t *key) {
    uint8_t *p = s->enc[0];
    x_vec a = x_load(key), b = _mm_loadl_epi64((const __m128i *)(key + 16));
    x_store(s->dec[AES_LAST], a);
    CDZ_UNROLL
    for (int i = 0; i < 8; i++, p += 24) {
        x_store(p, a);
        _mm_storel_epi64((__m128i *)(p + 16), b);
        /* words 4 and 5 are the low half of b: RotWord(w5) is its bytes 5 6 7 4 */
        const x_vec t = _mm_shuffle_epi8(b, _mm_set1_epi32(0x04070605));
        a = x_xor(aes_key_sums(a), _mm_aesenclast_si128(t, _mm_set1_epi32(aes_rcon(i))));
        b = x_xor(x_xor(b, _mm_slli_si128(b, 4)), _mm_shuffle_epi32(a, 0xff));
    }
    x_store(s->enc[AES_LAST], a);
    x_store(s->dec[0], a);
    CDZ_UNROLL
    for (int i = 1; i < 12; i++) x_store(s->dec[i], _mm_aesimc_si128(x_load(s->enc[12 - i])));
}

static CDZ_KERNEL void x_set_key(void *ks, const uint8_t *key, size_t key_len) {
    struct aes_schedule *s = ks;
    s->rounds = (uint32_t)key_len / 4 + 6;
    if (key_len == 16)
        aes_key_128(s, key);
    else if (key_len == 24)
        aes_key_192(s, key);
    else
        aes_key_256(s, key);
}

#endif
