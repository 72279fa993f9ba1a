/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The masks of XTS and OCB for the vector engines of ARIA, one after the other: for a few blocks, and what a batch's
 * (aria_sliced.inc.h) begin with.
 *
 * XTS (IEEE 1619): the tweak of a block is the one before times x, in GF(2^128) with x^128 = x^7 + x^2 + x + 1 (0x87),
 * a block being a little-endian number.
 */
#ifndef CDZ_ARIA_MASKS_H
#define CDZ_ARIA_MASKS_H

#include "../util/wipe.h"

#include <immintrin.h>

/* What a kernel sums up for OCB. */
enum aria_sum { ARIA_SUM_NONE, ARIA_SUM_IN, ARIA_SUM_OUT, ARIA_SUM_HASH };

/* All bytes one up. */
static const uint8_t aria_byte_up[16] = {128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
/* Byte 15 - m alone, at the bottom. */
#define PICK(n)                                                                                                        \
    { n, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128 }
static const uint8_t aria_byte_pick[9][16] = {PICK(15), PICK(14), PICK(13), PICK(12), PICK(11),
                                              PICK(10), PICK(9),  PICK(8),  PICK(7)};
#undef PICK

/* A byte b times 0x87 without carries has 15 bits: low and high byte for b & 15, low and high for b >> 4. */
static const uint8_t aria_times_87[4][16] = {
    {0x00, 0x87, 0x0e, 0x89, 0x1c, 0x9b, 0x12, 0x95, 0x38, 0xbf, 0x36, 0xb1, 0x24, 0xa3, 0x2a, 0xad},
    {0x00, 0x00, 0x01, 0x01, 0x02, 0x02, 0x03, 0x03, 0x04, 0x04, 0x05, 0x05, 0x06, 0x06, 0x07, 0x07},
    {0x00, 0x70, 0xe0, 0x90, 0xc0, 0xb0, 0x20, 0x50, 0x80, 0xf0, 0x60, 0x10, 0x40, 0x30, 0xa0, 0xd0},
    {0x00, 0x08, 0x10, 0x18, 0x21, 0x29, 0x31, 0x39, 0x43, 0x4b, 0x53, 0x5b, 0x62, 0x6a, 0x72, 0x7a},
};

/* tweak, tweak x, tweak x^2, ... */
CDZ_INLINE void aria_tweaks_first(uint8_t mask[][16], const uint8_t tweak[16], size_t n) {
    __m128i t = _mm_loadu_si128((const __m128i *)tweak);
    for (size_t i = 0; i < n; i++) {
        _mm_storeu_si128((__m128i *)mask[i], t);
        /* The top bits of both halves as masks: that of the low one carries, that of the high one comes back as 0x87.
         */
        const __m128i tops = _mm_srai_epi32(_mm_shuffle_epi32(t, 0x13), 31); /* words 3 0 1 0 */
        t = _mm_xor_si128(_mm_add_epi64(t, t), _mm_and_si128(tops, _mm_set_epi32(0, 1, 0, 0x87)));
    }
}

/* The offsets of n blocks from number `index` on, `offset` being that of the block before. */
CDZ_INLINE void aria_offsets_first(uint8_t mask[][16], const uint8_t (*l)[16], uint64_t index, const uint8_t offset[16],
                                   size_t n) {
    __m128i t = _mm_loadu_si128((const __m128i *)offset);
    for (size_t i = 0; i < n; i++) {
        t = _mm_xor_si128(t, _mm_loadu_si128((const __m128i *)l[__builtin_ctzll(index + i)]));
        _mm_storeu_si128((__m128i *)mask[i], t);
    }
}

CDZ_INLINE void aria_sum_blocks(uint8_t sum[16], const uint8_t *in, size_t blocks) {
    __m128i s = _mm_loadu_si128((const __m128i *)sum);
    for (; blocks; blocks--, in += 16) s = _mm_xor_si128(s, _mm_loadu_si128((const __m128i *)in));
    _mm_storeu_si128((__m128i *)sum, s);
}

#endif
