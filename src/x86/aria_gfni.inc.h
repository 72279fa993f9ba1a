/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA's S-boxes with GFNI, for the width of vec.inc.h. All four are one inversion in AES's field between affine maps
 * (RFC 5794 section 2.4.2), and two instructions do such a thing to every byte of a register:
 *
 *     gf2p8affineqb     A x + c            gf2p8affineinvqb  A x^-1 + c
 *
 * S1(x) = A1 x^-1 + 0x63 and S2(x) = A2 x^-1 + 0xe2 take one; X1(x) = (P1 x + 0x05)^-1 and X2(x) = (P2 x + 0x2c)^-1
 * take two, where P1 = A1^-1, 0x05 = P1 0x63, P2 = A2^-1, 0x2c = P2 0xe2. A matrix is a quadword whose byte 7 - i is
 * row i, bit j of it column j. tests/test_aria_constants.c recomputes all of them.
 */
#ifndef CDZ_ARIA_GFNI_CONSTANTS
#define CDZ_ARIA_GFNI_CONSTANTS
#define ARIA_A1 UINT64_C(0xf1e3c78f1f3e7cf8)
#define ARIA_A2 UINT64_C(0xeafcb7c3c273c66f)
#define ARIA_P1 UINT64_C(0xa44992254a942952)
#define ARIA_P2 UINT64_C(0x186450c737d6bdc9)
#define ARIA_I  UINT64_C(0x0102040810204080)

#define ARIA_KEYED 0 /* the S-boxes bring no round key */
#endif

#undef v_affine
#undef v_affine_inverse
#if VEC_BITS == 512
#define v_affine(x, a, c)         _mm512_gf2p8affine_epi64_epi8(x, a, c)
#define v_affine_inverse(x, a, c) _mm512_gf2p8affineinv_epi64_epi8(x, a, c)
#elif VEC_BITS == 256
#define v_affine(x, a, c)         _mm256_gf2p8affine_epi64_epi8(x, a, c)
#define v_affine_inverse(x, a, c) _mm256_gf2p8affineinv_epi64_epi8(x, a, c)
#else
#define v_affine(x, a, c)         _mm_gf2p8affine_epi64_epi8(x, a, c)
#define v_affine_inverse(x, a, c) _mm_gf2p8affineinv_epi64_epi8(x, a, c)
#endif

/* The kernel works on the bytes themselves. */
CDZ_INLINE vec VEC(enter)(vec x) { return x; }
CDZ_INLINE vec VEC(leave)(vec x) { return x; }

/* The S-box of a type (0 to 3: S1 S2 X1 X2) in two steps, between which the kernel can do something else. */
CDZ_INLINE vec VEC(sub_begin)(vec x, unsigned type) {
    switch (type) {
    case 0:
        return v_affine_inverse(x, v_fill64(ARIA_A1), 0x63);
    case 1:
        return v_affine_inverse(x, v_fill64(ARIA_A2), 0xe2);
    case 2:
        return v_affine(x, v_fill64(ARIA_P1), 0x05);
    default:
        return v_affine(x, v_fill64(ARIA_P2), 0x2c);
    }
}

CDZ_INLINE vec VEC(sub_end)(vec x, unsigned type, const uint32_t *key) {
    (void)key;
    return type < 2 ? x : v_affine_inverse(x, v_fill64(ARIA_I), 0);
}

/* Blocks stay in their order. */
CDZ_INLINE void VEC(order_begin)(vec x[16], size_t rounds) { (void)x, (void)rounds; }
CDZ_INLINE vec VEC(order_one)(vec x, size_t rounds) {
    (void)rounds;
    return x;
}

/* All four S-boxes of every byte (aria_rows.inc.h). */
CDZ_INLINE void VEC(parts)(vec x, vec p[4], unsigned even) {
    (void)even;
    const vec x1 = VEC(sub_begin)(x, 2), x2 = VEC(sub_begin)(x, 3);
    p[0] = VEC(sub_begin)(x, 0);
    p[1] = VEC(sub_begin)(x, 1);
    p[2] = VEC(sub_end)(x1, 2, NULL);
    p[3] = VEC(sub_end)(x2, 3, NULL);
}
