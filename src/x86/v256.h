/* SPDX-License-Identifier: Apache-2.0 */
/* The vector vocabulary (v128.h) of 256-bit registers: two blocks a vector. AVX2. */
#ifndef CDZ_X86_V256_H
#define CDZ_X86_V256_H

#include "v128.h"

typedef __m256i y_vec;
enum { Y_LANES = 2 };

CDZ_INLINE __m256i y_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
CDZ_INLINE void y_store(void *p, __m256i v) { _mm256_storeu_si256((__m256i *)p, v); }
CDZ_INLINE __m256i y_dup(const void *p) { return _mm256_broadcastsi128_si256(x_load(p)); }
CDZ_INLINE __m256i y_zero(void) { return _mm256_setzero_si256(); }
CDZ_INLINE __m256i y_xor(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
CDZ_INLINE __m256i y_xor3(__m256i a, __m256i b, __m256i c) { return _mm256_xor_si256(a, _mm256_xor_si256(b, c)); }
CDZ_INLINE __m256i y_prev(__m256i v, __m256i before) { return _mm256_permute2x128_si256(before, v, 0x21); }
CDZ_INLINE __m128i y_lane0(__m256i v) { return _mm256_castsi256_si128(v); }
CDZ_INLINE __m128i y_lane(__m256i v, size_t i) {
    return i ? _mm256_extracti128_si256(v, 1) : _mm256_castsi256_si128(v);
}
CDZ_INLINE __m256i y_first_lanes(__m256i v, size_t n) {
    return n >= 2 ? v : _mm256_zextsi128_si256(_mm256_castsi256_si128(v)); /* n >= 1 */
}
CDZ_INLINE __m256i y_first_bytes(__m256i v, size_t n) { return _mm256_and_si256(v, y_load(cdz_x86_masks + 32 - n)); }
CDZ_INLINE __m256i y_dup_x(__m128i v) { return _mm256_broadcastsi128_si256(v); }
CDZ_INLINE __m256i y_add_vec(__m256i v, __m256i w) { return _mm256_add_epi32(v, w); }
CDZ_INLINE __m128i y_fold(__m256i v) {
    return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}
CDZ_INLINE __m256i y_reverse(__m256i v) {
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(order));
}
CDZ_INLINE __m256i y_lookup(__m256i t, __m256i i) { return _mm256_shuffle_epi8(t, i); }
CDZ_INLINE __m256i y_low(__m256i v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
CDZ_INLINE __m256i y_high(__m256i v) { return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15)); }
CDZ_INLINE __m256i y_count(void) { return _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0); }
CDZ_INLINE __m256i y_add(__m256i v, int n) { return _mm256_add_epi32(v, _mm256_set_epi32(0, 0, 0, n, 0, 0, 0, n)); }
CDZ_INLINE __m256i y_load_bytes(const uint8_t *p, size_t n) {
    if (n <= 16) return _mm256_zextsi128_si256(x_load_bytes(p, n));
    return _mm256_inserti128_si256(_mm256_zextsi128_si256(x_load(p)), x_load_bytes(p + 16, n - 16), 1);
}
CDZ_INLINE void y_store_bytes(uint8_t *p, __m256i v, size_t n) {
    if (n <= 16) {
        x_store_bytes(p, _mm256_castsi256_si128(v), n);
        return;
    }
    x_store(p, _mm256_castsi256_si128(v));
    x_store_bytes(p + 16, _mm256_extracti128_si256(v, 1), n - 16);
}

#endif
