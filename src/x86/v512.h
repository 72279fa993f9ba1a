/* SPDX-License-Identifier: Apache-2.0 */
/* The vector vocabulary (v128.h) of 512-bit registers: four blocks a vector. AVX-512 F, BW, VL. */
#ifndef CDZ_X86_V512_H
#define CDZ_X86_V512_H

#include "v256.h"

typedef __m512i z_vec;
enum { Z_LANES = 4 };

/* 0 < n <= 64; bytes that the mask leaves out are not touched, and cannot fault. */
CDZ_INLINE __mmask64 z_mask(size_t n) { return (__mmask64)(UINT64_MAX >> (64 - n)); }

CDZ_INLINE __m512i z_load(const void *p) { return _mm512_loadu_si512(p); }
CDZ_INLINE void z_store(void *p, __m512i v) { _mm512_storeu_si512(p, v); }
CDZ_INLINE __m512i z_dup(const void *p) { return _mm512_broadcast_i32x4(x_load(p)); }
CDZ_INLINE __m512i z_zero(void) { return _mm512_setzero_si512(); }
CDZ_INLINE __m512i z_xor(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
/* 0x96: the truth table of a ^ b ^ c */
CDZ_INLINE __m512i z_xor3(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
CDZ_INLINE __m512i z_prev(__m512i v, __m512i before) { return _mm512_alignr_epi64(v, before, 6); }
CDZ_INLINE __m128i z_lane0(__m512i v) { return _mm512_castsi512_si128(v); }
CDZ_INLINE __m128i z_lane(__m512i v, size_t i) {
    return _mm512_castsi512_si128(_mm512_maskz_compress_epi64((__mmask8)(3u << 2 * i), v));
}
CDZ_INLINE __m512i z_first_lanes(__m512i v, size_t n) {
    return _mm512_maskz_mov_epi64((__mmask8)((1u << 2 * n) - 1), v);
}
CDZ_INLINE __m512i z_first_bytes(__m512i v, size_t n) { return _mm512_maskz_mov_epi8(z_mask(n), v); }
CDZ_INLINE __m512i z_dup_x(__m128i v) { return _mm512_broadcast_i32x4(v); }
CDZ_INLINE __m512i z_add_vec(__m512i v, __m512i w) { return _mm512_add_epi32(v, w); }
CDZ_INLINE __m128i z_fold(__m512i v) {
    return y_fold(_mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1)));
}
CDZ_INLINE __m512i z_reverse(__m512i v) {
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(order));
}
CDZ_INLINE __m512i z_count(void) { return _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0); }
CDZ_INLINE __m512i z_add(__m512i v, int n) {
    return _mm512_add_epi32(v, _mm512_set_epi32(0, 0, 0, n, 0, 0, 0, n, 0, 0, 0, n, 0, 0, 0, n));
}
CDZ_INLINE __m512i z_load_bytes(const uint8_t *p, size_t n) { return _mm512_maskz_loadu_epi8(z_mask(n), p); }
CDZ_INLINE void z_store_bytes(uint8_t *p, __m512i v, size_t n) { _mm512_mask_storeu_epi8(p, z_mask(n), v); }

#endif
