/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector vocabulary of 128-bit registers: one block a vector. v256.h and v512.h have the same words with y_ and z_
 * for two and four blocks, so that a kernel written over T(word) can be built for each.
 *
 *   vec                 LANES blocks, the first in the lowest lane
 *   load, store         LANES blocks, any alignment
 *   load_bytes          the first n bytes (0 < n <= 16 LANES), the rest zero; reads nothing beyond them
 *   store_bytes         the first n bytes (likewise)
 *   dup                 one block in every lane
 *   xor, xor3           of two, of three
 *   prev(v, before)     the block before each one of v: the last one of `before`, then all of v but its last
 *   fold                the XOR of all lanes, in lane 0 (a 128-bit register)
 *   reverse             each block's 16 bytes back to front
 *   lane(v, i)          lane i, as a 128-bit register; lane0(v): lane 0
 *   first_lanes(v, n)   lanes n and up zeroed
 *   first_bytes(v, n)   bytes n and up zeroed, 0 < n < 16 LANES
 *   dup_x               a 128-bit register in every lane
 *   count               LANES counters 0, 1, ... in the low words
 *   add                 v plus n in the low word of every lane (without a carry into the next word)
 *   add_vec             v plus w in words
 *   lookup(t, i)        byte n of a lane is t[i[n] mod 16] of that lane, 0 where i[n] >= 0x80
 *   low, high           nibbles of bytes
 *
 * and, where a vector is one block (x_ alone):
 *
 *   and                 of two
 *   fill                one byte in all places
 *   next                v plus 1, of 128 bits, without a branch on the carry
 */
#ifndef CDZ_X86_V128_H
#define CDZ_X86_V128_H

#include "../util/wipe.h"

#include <immintrin.h>

#ifdef CDZ_MSAN_BUILD
#include "msan.h"
#endif

#if defined(__clang__)
#define CDZ_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CDZ_UNROLL _Pragma("GCC unroll 32")
#endif

typedef __m128i x_vec;
enum { X_LANES = 1 };

CDZ_INLINE __m128i x_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
CDZ_INLINE void x_store(void *p, __m128i v) { _mm_storeu_si128((__m128i *)p, v); }
CDZ_INLINE __m128i x_dup(const void *p) { return x_load(p); }
CDZ_INLINE __m128i x_zero(void) { return _mm_setzero_si128(); }
CDZ_INLINE __m128i x_xor(__m128i a, __m128i b) { return _mm_xor_si128(a, b); }
CDZ_INLINE __m128i x_xor3(__m128i a, __m128i b, __m128i c) { return _mm_xor_si128(a, _mm_xor_si128(b, c)); }
CDZ_INLINE __m128i x_and(__m128i a, __m128i b) { return _mm_and_si128(a, b); }
CDZ_INLINE __m128i x_fill(int b) { return _mm_set1_epi8((char)b); }
CDZ_INLINE __m128i x_prev(__m128i v, __m128i before) {
    (void)v;
    return before;
}
CDZ_INLINE __m128i x_fold(__m128i v) { return v; }
CDZ_INLINE __m128i x_lane0(__m128i v) { return v; }
CDZ_INLINE __m128i x_lane(__m128i v, size_t i) {
    (void)i;
    return v;
}
CDZ_INLINE __m128i x_first_lanes(__m128i v, size_t n) {
    (void)n;
    return v;
}
/* Any 16 or 32 bytes in a row: a mask of the first so many bytes. */
static const uint8_t cdz_x86_masks[64]
    __attribute__((unused)) = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                               255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
CDZ_INLINE __m128i x_first_bytes(__m128i v, size_t n) { return _mm_and_si128(v, x_load(cdz_x86_masks + 32 - n)); }
CDZ_INLINE __m128i x_dup_x(__m128i v) { return v; }
CDZ_INLINE __m128i x_add_vec(__m128i v, __m128i w) { return _mm_add_epi32(v, w); }
CDZ_INLINE __m128i x_reverse(__m128i v) {
    return _mm_shuffle_epi8(v, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
CDZ_INLINE __m128i x_lookup(__m128i t, __m128i i) { return _mm_shuffle_epi8(t, i); }
CDZ_INLINE __m128i x_low(__m128i v) { return _mm_and_si128(v, _mm_set1_epi8(15)); }
CDZ_INLINE __m128i x_high(__m128i v) { return _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15)); }
CDZ_INLINE __m128i x_count(void) { return _mm_setzero_si128(); }
/* Where the low half becomes 0, both of its words do: what is subtracted from the upper half is -1 then. */
CDZ_INLINE __m128i x_next(__m128i v) {
    v = _mm_add_epi64(v, _mm_set_epi32(0, 0, 0, 1));
    const __m128i z = _mm_cmpeq_epi32(v, _mm_setzero_si128());
    return _mm_sub_epi64(v, _mm_slli_si128(_mm_and_si128(z, _mm_shuffle_epi32(z, 0xb1)), 8));
}
CDZ_INLINE __m128i x_add(__m128i v, int n) { return _mm_add_epi32(v, _mm_set_epi32(0, 0, 0, n)); }

/* Overlapping words cover any length of 1 to 15 bytes without touching others: two of 8 bytes, two of 4, or three
 * single bytes. */
CDZ_INLINE __m128i x_load_bytes(const uint8_t *p, size_t n) {
    uint64_t lo, hi = 0;
    if (n == 16) return x_load(p);
    if (n > 8) {
        lo = cdz_load_le64(p);
        hi = cdz_load_le64(p + n - 8) >> (8 * (16 - n));
    } else if (n == 8) {
        lo = cdz_load_le64(p);
    } else if (n >= 4) {
        lo = cdz_load_le32(p) | (uint64_t)cdz_load_le32(p + n - 4) << (8 * (n - 4));
    } else {
        lo = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return _mm_set_epi64x((long long)hi, (long long)lo);
}

CDZ_INLINE void x_store_bytes(uint8_t *p, __m128i v, size_t n) {
    if (n == 16) {
        x_store(p, v);
        return;
    }
    const uint64_t lo = (uint64_t)_mm_cvtsi128_si64(v);
    if (n > 8) {
        const uint64_t hi = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v));
        cdz_store_le64(p, lo);
        cdz_store_le64(p + n - 8, lo >> (8 * (n - 8)) | hi << (8 * (16 - n)));
    } else if (n == 8) {
        cdz_store_le64(p, lo);
    } else if (n >= 4) {
        cdz_store_le32(p, (uint32_t)lo);
        cdz_store_le32(p + n - 4, (uint32_t)(lo >> (8 * (n - 4))));
    } else {
        p[0] = (uint8_t)lo;
        p[n / 2] = (uint8_t)(lo >> (8 * (n / 2)));
        p[n - 1] = (uint8_t)(lo >> (8 * (n - 1)));
    }
}

#endif
