/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA's S-boxes by byte shuffles alone, for the width of vec.inc.h: each table has 16 bytes and lies in a register,
 * where it is indexed with four bits of every byte at once. M. Hamburg, "Accelerating AES with Vector Permute
 * Instructions" (CHES 2009), found the way to invert in GF(2^8) like that; the tables here are made for ARIA.
 *
 * The field is GF(16)(t) with t^2 = 2 t + 2, GF(16) = GF(2)[u] / (u^4 + u + 1). A byte i << 4 | k stands for k + i t.
 * With 1/0 = infinity, which is 0x80 in the tables since a shuffle makes zero of such an index, and j = i + k:
 *
 *     io = 1 / (1/i + 2/k) + j,  jo = 1 / (1/j + 2/k) + i,  and 1 / (k + i t) = (1/io) + ((1/jo + 3/io) / 4) t
 *
 * so that a linear map of the inverse is the sum of two tables, indexed by io and jo.
 *
 * The cipher runs in this field from end to end: bytes are mapped into it before the first round key, round keys are,
 * and out of it after the last substitution (enter, leave: x of AES's field is 0x1c). S1 and S2 are one inversion each
 * and an affine map, X1 and X2 a map before an inversion (the same maps as in aria_gfni.inc.h, in this field).
 */
#define ARIA_KEYED 0

static const uint8_t aria_enter[2][16] = {
    {0x00, 0x01, 0x1c, 0x1d, 0x2d, 0x2c, 0x31, 0x30, 0x27, 0x26, 0x3b, 0x3a, 0x0a, 0x0b, 0x16, 0x17},
    {0x00, 0x86, 0xfd, 0x7b, 0x8e, 0x08, 0x73, 0xf5, 0x77, 0xf1, 0x8a, 0x0c, 0xf9, 0x7f, 0x04, 0x82},
};
static const uint8_t aria_leave[2][16] = {
    {0x00, 0x01, 0x5c, 0x5d, 0xe0, 0xe1, 0xbc, 0xbd, 0x50, 0x51, 0x0c, 0x0d, 0xb0, 0xb1, 0xec, 0xed},
    {0x00, 0xb2, 0xb5, 0x07, 0x3a, 0x88, 0x8f, 0x3d, 0xac, 0x1e, 0x19, 0xab, 0x96, 0x24, 0x23, 0x91},
};
/* P1 x + 0x05, P2 x + 0x2c */
static const uint8_t aria_before_x[2][2][16] = {
    {{0x2c, 0x99, 0xa9, 0x1c, 0xb8, 0x0d, 0x3d, 0x88, 0x66, 0xd3, 0xe3, 0x56, 0xf2, 0x47, 0x77, 0xc2},
     {0x00, 0x02, 0xb0, 0xb2, 0xc7, 0xc5, 0x77, 0x75, 0xb6, 0xb4, 0x06, 0x04, 0x71, 0x73, 0xc1, 0xc3}},
    {{0xf7, 0xaf, 0x84, 0xdc, 0x5c, 0x04, 0x2f, 0x77, 0xb2, 0xea, 0xc1, 0x99, 0x19, 0x41, 0x6a, 0x32},
     {0x00, 0xb2, 0x78, 0xca, 0x69, 0xdb, 0x11, 0xa3, 0x01, 0xb3, 0x79, 0xcb, 0x68, 0xda, 0x10, 0xa2}},
};
/* 1/x and 2/x in GF(16) */
static const uint8_t aria_inverse[2][16] = {
    {0x80, 0x01, 0x09, 0x0e, 0x0d, 0x0b, 0x07, 0x06, 0x0f, 0x02, 0x0c, 0x05, 0x0a, 0x04, 0x03, 0x08},
    {0x80, 0x02, 0x01, 0x0f, 0x09, 0x05, 0x0e, 0x0c, 0x0d, 0x04, 0x0b, 0x0a, 0x07, 0x08, 0x06, 0x03},
};
/* By io and jo: A1 of S1, A2 of S2, the inverse itself. */
static const uint8_t aria_after[3][2][16] = {
    {{0x00, 0xc3, 0x4f, 0x0c, 0xfc, 0x7c, 0x43, 0x80, 0xcf, 0x33, 0x3f, 0x70, 0xbf, 0xb3, 0xf0, 0x8c},
     {0x00, 0xe6, 0x72, 0xb7, 0xe5, 0xc6, 0xc5, 0x23, 0x51, 0xb4, 0x03, 0x71, 0x20, 0x97, 0x52, 0x94}},
    {{0x00, 0x15, 0xd5, 0xcd, 0x09, 0x04, 0x18, 0x0d, 0xd8, 0xd1, 0x1c, 0xc9, 0x11, 0xdc, 0xc4, 0xc0},
     {0x00, 0x72, 0x53, 0x26, 0xb3, 0xb4, 0x75, 0x07, 0x54, 0xe7, 0xc1, 0x92, 0xc6, 0xe0, 0x95, 0x21}},
    {{0x00, 0x41, 0x29, 0xde, 0x1d, 0xab, 0xf7, 0xb6, 0x9f, 0x82, 0x5c, 0x75, 0xea, 0x34, 0xc3, 0x68},
     {0x00, 0xd0, 0xf0, 0xa0, 0xe0, 0x60, 0x50, 0x80, 0x70, 0x90, 0x30, 0xc0, 0xb0, 0x10, 0x40, 0x20}},
};
enum { ARIA_S1_CONSTANT = 0x6e, ARIA_S2_CONSTANT = 0x18 }; /* 0x63 and 0xe2 in this field */

CDZ_INLINE vec VEC(map)(vec x, const uint8_t table[2][16]) {
    const vec half = v_fill8(15);
    return v_xor(v_shuffle8(v_lanes(table[0]), v_and(x, half)),
                 v_shuffle8(v_lanes(table[1]), v_and(v_srl64(x, 4), half)));
}

CDZ_INLINE vec VEC(enter)(vec x) { return VEC(map)(x, aria_enter); }
CDZ_INLINE vec VEC(leave)(vec x) { return VEC(map)(x, aria_leave); }

/* The S-box of a type (0 to 3: S1 S2 X1 X2) in two steps. */
CDZ_INLINE vec VEC(sub_begin)(vec x, unsigned type) { return type < 2 ? x : VEC(map)(x, aria_before_x[type - 2]); }

CDZ_INLINE vec VEC(sub_end)(vec x, unsigned type, const uint32_t *key) {
    const uint8_t(*const after)[16] = aria_after[type < 2 ? type : 2];
    const vec half = v_fill8(15), inverse = v_lanes(aria_inverse[0]);
    const vec k = v_and(x, half), i = v_and(v_srl64(x, 4), half), j = v_xor(i, k);
    const vec ak = v_shuffle8(v_lanes(aria_inverse[1]), k);
    const vec io = v_xor(v_shuffle8(inverse, v_xor(v_shuffle8(inverse, i), ak)), j);
    const vec jo = v_xor(v_shuffle8(inverse, v_xor(v_shuffle8(inverse, j), ak)), i);
    const vec y = v_xor(v_shuffle8(v_lanes(after[0]), io), v_shuffle8(v_lanes(after[1]), jo));
    (void)key;
    switch (type) {
    case 0:
        return v_xor(y, v_fill8(ARIA_S1_CONSTANT));
    case 1:
        return v_xor(y, v_fill8(ARIA_S2_CONSTANT));
    default:
        return y;
    }
}

/* Blocks stay in their order. */
CDZ_INLINE void VEC(order_begin)(vec x[16], size_t rounds) { (void)x, (void)rounds; }
CDZ_INLINE vec VEC(order_one)(vec x, size_t rounds) {
    (void)rounds;
    return x;
}

/* The substitution layer of a block in natural order; shift is 0 in odd rounds and 2 in even ones. */
CDZ_INLINE __m128i row_sub(__m128i x, unsigned shift) {
    const __m128i byte0 = _mm_set1_epi32(0xff), z = enter_128(x);
    const __m128i m0 = shift ? _mm_slli_epi32(byte0, 16) : byte0, m1 = _mm_slli_epi32(byte0, shift ? 24 : 8);
    const __m128i m2 = shift ? byte0 : _mm_slli_epi32(byte0, 16), m3 = _mm_slli_epi32(byte0, shift ? 8 : 24);
    const __m128i s1 = sub_end_128(sub_begin_128(z, 0), 0, NULL), s2 = sub_end_128(sub_begin_128(z, 1), 1, NULL);
    const __m128i x1 = sub_end_128(sub_begin_128(z, 2), 2, NULL), x2 = sub_end_128(sub_begin_128(z, 3), 3, NULL);
    return leave_128(_mm_or_si128(_mm_or_si128(_mm_and_si128(s1, m0), _mm_and_si128(s2, m1)),
                                  _mm_or_si128(_mm_and_si128(x1, m2), _mm_and_si128(x2, m3))));
}
