/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA's S-boxes with AES-NI (or VAES), for the width of vec.inc.h. S1 is AES's S-box and X1 its inverse, which the
 * last rounds of AES bring together with a key; S2 and X2 are those two with an affine map after or before (RFC 5794
 * section 2.4.2: all four are one inversion between affine maps):
 *
 *     S1(x) ^ k = aesenclast(x, k)             S2(x) ^ k = M(aesenclast(x, M0^-1 k))      M = S2 X1 = M0 + 0x88
 *     X1(x) ^ k = aesdeclast(x, k)             X2(x) ^ k = aesdeclast(N(x), k)            N = S1 X2 = M^-1
 *
 * The maps are made of two tables of 16 bytes, one for each half of a byte, which are indexed within a register.
 *
 * AES's last round also shifts rows: position r + 4 c of a lane receives what was at r + 4 (c + r), when decrypting at
 * r + 4 (c - r). In byte-sliced form these positions are blocks. The registers of X1 and X2 are brought into the order
 * of the others (r + 4 (c + 2 r)), so that after n rounds all of them share the order of n ShiftRows. Four are the
 * identity: 12 and 16 rounds end where they began, and for 14 the order of the input is turned by two.
 */
#ifndef CDZ_ARIA_AESNI_CONSTANTS
#define CDZ_ARIA_AESNI_CONSTANTS
#define ARIA_KEYED 1

/* M(x) = map_m[0][x & 15] ^ map_m[1][x >> 4]; N in the same way. */
static const uint8_t aria_map_m[2][16] = {
    {0x88, 0x0d, 0x37, 0xb2, 0x00, 0x85, 0xbf, 0x3a, 0xa8, 0x2d, 0x17, 0x92, 0x20, 0xa5, 0x9f, 0x1a},
    {0x00, 0x3e, 0xd4, 0xea, 0x84, 0xba, 0x50, 0x6e, 0xcd, 0xf3, 0x19, 0x27, 0x49, 0x77, 0x9d, 0xa3},
};
static const uint8_t aria_map_n[2][16] = {
    {0x04, 0x45, 0xee, 0xaf, 0x17, 0x56, 0xfd, 0xbc, 0x53, 0x12, 0xb9, 0xf8, 0x40, 0x01, 0xaa, 0xeb},
    {0x00, 0xb6, 0x08, 0xbe, 0xd6, 0x60, 0xde, 0x68, 0x53, 0xe5, 0x5b, 0xed, 0x85, 0x33, 0x8d, 0x3b},
};

/* ShiftRows twice. */
static const uint8_t aria_shift_rows2[16] = {0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7};

/* As in aria_rows.inc.h, for positions after aesenclast and aesdeclast. */
static const uint8_t aria_terms[2][4][2][16] = {{{{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
                                                  {8, 12, 12, 128, 8, 128, 12, 12, 4, 12, 128, 12, 128, 8, 4, 8}},
                                                 {{5, 1, 13, 1, 1, 13, 5, 13, 13, 13, 1, 5, 13, 9, 1, 13},
                                                  {9, 5, 128, 9, 128, 5, 9, 9, 9, 1, 9, 128, 5, 128, 5, 1}},
                                                 {{14, 10, 14, 2, 10, 2, 10, 14, 2, 14, 10, 10, 10, 14, 6, 10},
                                                  {6, 128, 2, 6, 6, 6, 2, 128, 128, 6, 14, 6, 14, 2, 128, 2}},
                                                 {{15, 3, 7, 3, 7, 15, 3, 15, 3, 7, 15, 15, 3, 15, 15, 11},
                                                  {128, 11, 11, 7, 11, 11, 128, 7, 11, 128, 11, 3, 7, 3, 7, 128}}},
                                                {{{14, 10, 14, 2, 10, 2, 10, 14, 2, 14, 10, 10, 10, 14, 6, 10},
                                                  {6, 128, 2, 6, 6, 6, 2, 128, 128, 6, 14, 6, 14, 2, 128, 2}},
                                                 {{7, 11, 15, 11, 15, 7, 11, 7, 11, 15, 7, 7, 11, 7, 7, 3},
                                                  {128, 3, 3, 15, 3, 3, 128, 15, 3, 128, 3, 11, 15, 11, 15, 128}},
                                                 {{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
                                                  {8, 12, 12, 128, 8, 128, 12, 12, 4, 12, 128, 12, 128, 8, 4, 8}},
                                                 {{13, 9, 5, 9, 9, 5, 13, 5, 5, 5, 9, 13, 5, 1, 9, 5},
                                                  {1, 13, 128, 1, 128, 13, 1, 1, 1, 9, 1, 128, 13, 128, 13, 9}}}};
static const uint8_t aria_pick[2][4][16] = {
    {{0, 128, 128, 128, 4, 128, 128, 128, 8, 128, 128, 128, 12, 128, 128, 128},
     {128, 13, 128, 128, 128, 1, 128, 128, 128, 5, 128, 128, 128, 9, 128, 128},
     {128, 128, 10, 128, 128, 128, 14, 128, 128, 128, 2, 128, 128, 128, 6, 128},
     {128, 128, 128, 15, 128, 128, 128, 3, 128, 128, 128, 7, 128, 128, 128, 11}},
    {{128, 128, 10, 128, 128, 128, 14, 128, 128, 128, 2, 128, 128, 128, 6, 128},
     {128, 128, 128, 7, 128, 128, 128, 11, 128, 128, 128, 15, 128, 128, 128, 3},
     {0, 128, 128, 128, 4, 128, 128, 128, 8, 128, 128, 128, 12, 128, 128, 128},
     {128, 5, 128, 128, 128, 9, 128, 128, 128, 13, 128, 128, 128, 1, 128, 128}},
};

/* The bytes that S2 is for, in even rounds, odd ones, even ones. */
static const uint8_t aria_s2_bytes[3][16] = {
    {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255},
    {0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0},
    {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255},
};
#endif

CDZ_INLINE vec VEC(map)(vec x, const uint8_t table[2][16]) {
    const vec half = v_fill8(15);
    return v_xor(v_shuffle8(v_lanes(table[0]), v_and(x, half)),
                 v_shuffle8(v_lanes(table[1]), v_and(v_srl64(x, 4), half)));
}

#if VEC_BITS == 128
CDZ_INLINE vec VEC(enclast)(vec x, vec k) { return _mm_aesenclast_si128(x, k); }
CDZ_INLINE vec VEC(declast)(vec x, vec k) { return _mm_aesdeclast_si128(x, k); }
#elif defined(__VAES__)
CDZ_INLINE vec VEC(enclast)(vec x, vec k) { return _mm256_aesenclast_epi128(x, k); }
CDZ_INLINE vec VEC(declast)(vec x, vec k) { return _mm256_aesdeclast_epi128(x, k); }
#else
CDZ_INLINE vec VEC(enclast)(vec x, vec k) {
    const __m128i k1 = _mm256_castsi256_si128(k); /* both halves of a key in all places are the same */
    const __m128i low = _mm_aesenclast_si128(_mm256_castsi256_si128(x), k1);
    const __m128i high = _mm_aesenclast_si128(_mm256_extracti128_si256(x, 1), k1);
    return _mm256_inserti128_si256(_mm256_zextsi128_si256(low), high, 1);
}
CDZ_INLINE vec VEC(declast)(vec x, vec k) {
    const __m128i k1 = _mm256_castsi256_si128(k);
    const __m128i low = _mm_aesdeclast_si128(_mm256_castsi256_si128(x), k1);
    const __m128i high = _mm_aesdeclast_si128(_mm256_extracti128_si256(x, 1), k1);
    return _mm256_inserti128_si256(_mm256_zextsi128_si256(low), high, 1);
}
#endif

/* The kernel works on the bytes themselves. */
CDZ_INLINE vec VEC(enter)(vec x) { return x; }
CDZ_INLINE vec VEC(leave)(vec x) { return x; }

/* The S-box of a type (0 to 3: S1 S2 X1 X2) in two steps, and the key word at `key` (NULL: none) after it. */
CDZ_INLINE vec VEC(sub_begin)(vec x, unsigned type) { return type == 3 ? VEC(map)(x, aria_map_n) : x; }

CDZ_INLINE vec VEC(sub_end)(vec x, unsigned type, const uint32_t *key) {
    const vec k = key ? v_dup32(key) : v_zero();
    switch (type) {
    case 0:
        return VEC(enclast)(x, k);
    case 1:
        return VEC(map)(VEC(enclast)(x, k), aria_map_m);
    default:
        return v_shuffle8(VEC(declast)(x, k), v_lanes(aria_shift_rows2));
    }
}

CDZ_INLINE vec VEC(order_one)(vec x, size_t rounds) {
    return rounds == 14 ? v_shuffle8(x, v_lanes(aria_shift_rows2)) : x;
}

CDZ_INLINE void VEC(order_begin)(vec x[16], size_t rounds) {
    const vec turn = v_lanes(aria_shift_rows2);
    if (rounds != 14) return;
#define TURN(i) x[i] = v_shuffle8(x[i], turn);
    EACH16(TURN)
#undef TURN
}

/* Round key r, and in further lanes r + 1 and so on, where r is even, as the substitution of round r takes it. */
CDZ_INLINE vec VEC(key_form)(vec x, size_t r) {
    const vec s2 = v_load(aria_s2_bytes[r & 1]), mapped = v_xor(VEC(map)(x, aria_map_n), v_fill8(aria_map_n[0][0]));
    return v_xor(x, v_and(s2, v_xor(x, mapped)));
}

/* All four S-boxes of every byte (aria_rows.inc.h), shifted by AES's rows. */
CDZ_INLINE void VEC(parts)(vec x, vec p[4], unsigned even) {
    (void)even;
    const vec zero = v_zero(), x2 = VEC(map)(x, aria_map_n);
    p[0] = VEC(enclast)(x, zero);
    p[2] = VEC(declast)(x, zero);
    p[1] = VEC(map)(p[0], aria_map_m);
    p[3] = VEC(declast)(x2, zero);
}
