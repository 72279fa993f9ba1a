/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tweaks of XTS and offsets of OCB, for vectors of one, two and four blocks (aes_parallel.inc.h says what they are
 * for).
 *
 * XTS multiplies the tweak by x from block to block, in GF(2^128) with x^128 = x^7 + x^2 + x + 1 (0x87), the block
 * being a little-endian number. Multiplying by x^n, n < 64, is a shift; the n bits that leave at the top come back
 * times 0x87.
 */
#ifndef CDZ_X86_AES_TWEAK_H
#define CDZ_X86_AES_TWEAK_H

#ifdef __AVX512F__
#include "v512.h"
#elif defined(__AVX2__)
#include "v256.h"
#else
#include "v128.h"
#endif

/* ---- one block ------------------------------------------------------------------------------------------------ */

/* t x. The top bits of both halves as masks: that of the low half carries into the high one, that of the high half
 * comes back as 0x87. */
CDZ_INLINE x_vec x_times_x(x_vec t) {
    const x_vec tops = _mm_srai_epi32(_mm_shuffle_epi32(t, 0x13), 31); /* words 3 0 1 0 */
    return x_xor(_mm_add_epi64(t, t), _mm_and_si128(tops, _mm_set_epi32(0, 1, 0, 0x87)));
}

CDZ_INLINE void x_xts_next(x_vec t[4]) {
    t[0] = x_times_x(t[3]);
    t[1] = x_times_x(t[0]);
    t[2] = x_times_x(t[1]);
    t[3] = x_times_x(t[2]);
}

CDZ_INLINE void x_xts_start(x_vec t[4], const uint8_t tweak[16], size_t len) {
    (void)len;
    t[3] = t[0] = x_load(tweak);
    t[1] = x_times_x(t[0]);
    t[2] = x_times_x(t[1]);
    t[3] = x_times_x(t[2]);
}

struct x_ocb_l {
    char none;
};
CDZ_INLINE struct x_ocb_l x_ocb_prepare(const uint8_t (*l)[16]) {
    (void)l;
    return (struct x_ocb_l){0};
}
CDZ_INLINE x_vec x_ocb_offset(const struct x_ocb_l *p, x_vec *s, const uint8_t *ln) {
    (void)p;
    return *s = x_xor(*s, x_load(ln));
}

/* ---- two blocks ----------------------------------------------------------------------------------------------- */

#ifdef __AVX2__
#ifdef __VPCLMULQDQ__
/* Lane i times x^(n + i). Shifts by variable counts give zero for a count of 64. */
CDZ_INLINE y_vec y_times_powers(y_vec t, int n) {
    const y_vec by = _mm256_set_epi64x(n + 1, n + 1, n, n);
    const y_vec out = _mm256_srlv_epi64(t, _mm256_sub_epi64(_mm256_set1_epi64x(64), by));
    const y_vec back = _mm256_clmulepi64_epi128(out, _mm256_set_epi64x(0, 0x87, 0, 0x87), 0x01);
    return y_xor3(_mm256_sllv_epi64(t, by), _mm256_bslli_epi128(out, 8), back);
}
/* All lanes times x^8: a shift by a byte. */
CDZ_INLINE y_vec y_times_x8(y_vec t) {
    const y_vec back = _mm256_clmulepi64_epi128(_mm256_bsrli_epi128(t, 15), _mm256_set_epi64x(0, 0x87, 0, 0x87), 0x00);
    return y_xor(_mm256_bslli_epi128(t, 1), back);
}
CDZ_INLINE void y_xts_next(y_vec t[4]) {
    CDZ_UNROLL
    for (int i = 0; i < 4; i++) t[i] = y_times_x8(t[i]);
}
CDZ_INLINE void y_xts_start(y_vec t[4], const uint8_t tweak[16], size_t len) {
    const y_vec d = y_dup(tweak);
    t[0] = y_times_powers(d, 0);
    t[1] = t[2] = t[3] = t[0];
    if (len >= 32) t[1] = y_times_powers(d, 2);
    if (len >= 64) t[2] = y_times_powers(d, 4), t[3] = y_times_powers(d, 6);
}
#else
/* Both lanes times x. */
CDZ_INLINE y_vec y_times_x(y_vec t) {
    const y_vec tops = _mm256_srai_epi32(_mm256_shuffle_epi32(t, 0x13), 31);
    return y_xor(_mm256_add_epi64(t, t), _mm256_and_si256(tops, _mm256_set_epi32(0, 1, 0, 0x87, 0, 1, 0, 0x87)));
}
CDZ_INLINE void y_xts_next(y_vec t[4]) {
    t[0] = y_times_x(y_times_x(t[3]));
    t[1] = y_times_x(y_times_x(t[0]));
    t[2] = y_times_x(y_times_x(t[1]));
    t[3] = y_times_x(y_times_x(t[2]));
}
CDZ_INLINE void y_xts_start(y_vec t[4], const uint8_t tweak[16], size_t len) {
    (void)len;
    const x_vec t0 = x_load(tweak);
    t[0] = _mm256_inserti128_si256(_mm256_zextsi128_si256(t0), x_times_x(t0), 1);
    t[1] = y_times_x(y_times_x(t[0]));
    t[2] = y_times_x(y_times_x(t[1]));
    t[3] = y_times_x(y_times_x(t[2]));
}
#endif

/* The numbers of a vector's blocks are odd and even: the odd one's L is L_0. */
struct y_ocb_l {
    y_vec l0;
};
CDZ_INLINE struct y_ocb_l y_ocb_prepare(const uint8_t (*l)[16]) { return (struct y_ocb_l){y_dup(l[0])}; }
CDZ_INLINE y_vec y_ocb_offset(const struct y_ocb_l *p, y_vec *s, const uint8_t *ln) {
    const y_vec odd = y_xor(*s, p->l0), even = y_xor(odd, y_dup(ln));
    *s = even;
    return _mm256_blend_epi32(odd, even, 0xf0);
}
#endif

/* ---- four blocks ---------------------------------------------------------------------------------------------- */

#ifdef __AVX512F__
CDZ_INLINE z_vec z_times_powers(z_vec t, int n) {
    const z_vec by = _mm512_set_epi64(n + 3, n + 3, n + 2, n + 2, n + 1, n + 1, n, n);
    const z_vec out = _mm512_srlv_epi64(t, _mm512_sub_epi64(_mm512_set1_epi64(64), by));
    const z_vec poly = _mm512_broadcast_i32x4(_mm_set_epi64x(0, 0x87));
    return z_xor3(_mm512_sllv_epi64(t, by), _mm512_bslli_epi128(out, 8), _mm512_clmulepi64_epi128(out, poly, 0x01));
}
/* All lanes times x^16: a shift by two bytes. */
CDZ_INLINE void z_xts_next(z_vec t[4]) {
    const z_vec poly = _mm512_broadcast_i32x4(_mm_set_epi64x(0, 0x87));
    CDZ_UNROLL
    for (int i = 0; i < 4; i++)
        t[i] = z_xor(_mm512_bslli_epi128(t[i], 2), _mm512_clmulepi64_epi128(_mm512_bsrli_epi128(t[i], 14), poly, 0x00));
}
CDZ_INLINE void z_xts_start(z_vec t[4], const uint8_t tweak[16], size_t len) {
    const z_vec d = z_dup(tweak);
    t[0] = z_times_powers(d, 0);
    t[1] = t[2] = t[3] = t[0];
    if (len >= 64) t[1] = z_times_powers(d, 4);
    if (len >= 128) t[2] = z_times_powers(d, 8), t[3] = z_times_powers(d, 12);
}

/* A vector's blocks have the numbers 4k + 1 to 4k + 4: L_0, L_1, L_0 and one that changes. */
struct z_ocb_l {
    z_vec sums, l1; /* (L_0, L_0 ^ L_1, L_1, -); L_1 */
};
CDZ_INLINE struct z_ocb_l z_ocb_prepare(const uint8_t (*l)[16]) {
    const z_vec l1 = z_dup(l[1]);
    return (struct z_ocb_l){
        _mm512_mask_xor_epi64(_mm512_maskz_mov_epi64(0x30, l1), 0x0f, z_dup(l[0]), _mm512_maskz_mov_epi64(0x0c, l1)),
        l1};
}
CDZ_INLINE z_vec z_ocb_offset(const struct z_ocb_l *p, z_vec *s, const uint8_t *ln) {
    const z_vec before = *s, after = z_xor3(before, p->l1, z_dup(ln));
    *s = after;
    return _mm512_mask_xor_epi64(after, 0x3f, before, p->sums);
}
#endif

#endif
