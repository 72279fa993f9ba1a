/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA with whole blocks in registers, one in each 128-bit lane, in the natural order of bytes: the diffusion, and
 * what is made of round keys. For key schedules and for what is done once a call; included once for each width.
 */
#ifndef CDZ_ARIA_ROWS_CONSTANTS
#define CDZ_ARIA_ROWS_CONSTANTS
/* RFC 5794's matrix A (section 2.4.3): y[i] is the sum of x[aria_mix[0][i]] to x[aria_mix[6][i]]. */
static const uint8_t aria_mix[7][16] = {
    {3, 2, 1, 0, 0, 1, 0, 1, 0, 0, 2, 2, 1, 0, 0, 1},
    {4, 5, 4, 5, 2, 3, 2, 3, 1, 1, 3, 3, 2, 3, 3, 2},
    {6, 7, 6, 7, 5, 4, 7, 6, 4, 5, 5, 4, 6, 6, 4, 4},
    {8, 8, 10, 10, 8, 9, 9, 8, 7, 6, 6, 7, 7, 7, 5, 5},
    {9, 9, 11, 11, 11, 10, 10, 11, 10, 11, 8, 9, 9, 8, 9, 8},
    {13, 12, 12, 13, 14, 14, 12, 12, 13, 12, 13, 12, 11, 10, 11, 10},
    {14, 15, 15, 14, 15, 15, 13, 13, 15, 14, 15, 14, 12, 13, 14, 15},
};
/* In the grid of aria_sliced.inc.h: for byte g(b,a) with b > 0 the byte g(0,a), whose key is in all of row a. */
static const uint8_t aria_row_key[16] = {13, 6, 8, 128, 3, 8, 128, 13, 128, 3, 13, 6, 6, 128, 3, 8};
#endif

CDZ_INLINE vec VEC(row_mix)(vec x) {
#define TERM(n) v_shuffle8(x, v_lanes(aria_mix[n]))
    const vec y = v_xor3(TERM(0), TERM(1), TERM(2));
    return v_xor3(y, v_xor3(TERM(3), TERM(4), TERM(5)), TERM(6));
#undef TERM
}

#if !ARIA_KEYED
/* An inner round key as the diffusion of aria_sliced.inc.h takes it. */
CDZ_INLINE vec VEC(key_form)(vec x, size_t r) {
    (void)r;
    return VEC(enter)(VEC_XOR3 ? v_xor(x, v_shuffle8(x, v_lanes(aria_row_key))) : x);
}
#endif
