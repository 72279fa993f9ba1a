/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA with whole blocks in registers, one in each 128-bit lane, in the natural order of bytes: what counts here is the
 * time of one block, for CBC and CFB encryption, OFB, CBC-MAC, key schedules and the shortest messages. Included once
 * for each width, after the S-boxes of the tier, which make four registers out of one:
 *
 *     parts(x, p, even)   p[t] has S-box t (0 to 3: S1 S2 X1 X2) of byte i of x at a position that depends on i and t,
 *                      for at least those i that have this S-box in rounds of this kind
 *
 * A byte of the diffusion's result is a sum of seven, one or two of them of each type: two byte shuffles of each p[t]
 * bring them into place (aria_terms; 128 makes a zero), and the sum of the eight and the round key is the result. S1
 * and S2 are there before X1 and X2 (GFNI), so that half of it is done while the others are still being made.
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

#if !ARIA_KEYED
/* Odd rounds (S1 S2 X1 X2), even rounds (X1 X2 S1 S2); S-box; first and second of the diffusion's terms. */
static const uint8_t aria_terms[2][4][2][16] = {{{{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
                                                  {8, 12, 12, 128, 8, 128, 12, 12, 4, 12, 128, 12, 128, 8, 4, 8}},
                                                 {{9, 5, 1, 5, 5, 1, 9, 1, 1, 1, 5, 9, 1, 13, 5, 1},
                                                  {13, 9, 128, 13, 128, 9, 13, 13, 13, 5, 13, 128, 9, 128, 9, 5}},
                                                 {{6, 2, 6, 10, 2, 10, 2, 6, 10, 6, 2, 2, 2, 6, 14, 2},
                                                  {14, 128, 10, 14, 14, 14, 10, 128, 128, 14, 6, 14, 6, 10, 128, 10}},
                                                 {{3, 7, 11, 7, 11, 3, 7, 3, 7, 11, 3, 3, 7, 3, 3, 15},
                                                  {128, 15, 15, 11, 15, 15, 128, 11, 15, 128, 15, 7, 11, 7, 11, 128}}},
                                                {{{6, 2, 6, 10, 2, 10, 2, 6, 10, 6, 2, 2, 2, 6, 14, 2},
                                                  {14, 128, 10, 14, 14, 14, 10, 128, 128, 14, 6, 14, 6, 10, 128, 10}},
                                                 {{3, 7, 11, 7, 11, 3, 7, 3, 7, 11, 3, 3, 7, 3, 3, 15},
                                                  {128, 15, 15, 11, 15, 15, 128, 11, 15, 128, 15, 7, 11, 7, 11, 128}},
                                                 {{4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4},
                                                  {8, 12, 12, 128, 8, 128, 12, 12, 4, 12, 128, 12, 128, 8, 4, 8}},
                                                 {{9, 5, 1, 5, 5, 1, 9, 1, 1, 1, 5, 9, 1, 13, 5, 1},
                                                  {13, 9, 128, 13, 128, 9, 13, 13, 13, 5, 13, 128, 9, 128, 9, 5}}}};
/* The same for the substitution alone. */
static const uint8_t aria_pick[2][4][16] = {
    {{0, 128, 128, 128, 4, 128, 128, 128, 8, 128, 128, 128, 12, 128, 128, 128},
     {128, 1, 128, 128, 128, 5, 128, 128, 128, 9, 128, 128, 128, 13, 128, 128},
     {128, 128, 2, 128, 128, 128, 6, 128, 128, 128, 10, 128, 128, 128, 14, 128},
     {128, 128, 128, 3, 128, 128, 128, 7, 128, 128, 128, 11, 128, 128, 128, 15}},
    {{128, 128, 2, 128, 128, 128, 6, 128, 128, 128, 10, 128, 128, 128, 14, 128},
     {128, 128, 128, 3, 128, 128, 128, 7, 128, 128, 128, 11, 128, 128, 128, 15},
     {0, 128, 128, 128, 4, 128, 128, 128, 8, 128, 128, 128, 12, 128, 128, 128},
     {128, 1, 128, 128, 128, 5, 128, 128, 128, 9, 128, 128, 128, 13, 128, 128}}};
#endif
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

/* Substitution and diffusion of an odd round (even = 0) or an even one, and a key; t is aria_terms. */
CDZ_INLINE vec VEC(row_round)(vec x, vec key, unsigned even, const uint8_t t[2][4][2][16]) {
    vec p[4], y;
#define TERM(n, m) v_shuffle8(p[n], v_lanes(t[even][n][m]))
    VEC(parts)(x, p, even);
    y = v_xor3(key, TERM(0, 0), TERM(0, 1));
    y = v_xor3(y, TERM(1, 0), TERM(1, 1));
    if (VEC_XOR3) {
        y = v_xor3(y, TERM(2, 0), TERM(2, 1));
        return v_xor3(y, TERM(3, 0), TERM(3, 1));
    }
    y = v_xor(y, v_xor(TERM(2, 0), TERM(2, 1)));
    return v_xor(y, v_xor(TERM(3, 0), TERM(3, 1)));
#undef TERM
}

/* Substitution alone, and a key. */
CDZ_INLINE vec VEC(row_sub)(vec x, vec key, unsigned even) {
    vec p[4];
#define TERM(n) v_shuffle8(p[n], v_lanes(aria_pick[even][n]))
    VEC(parts)(x, p, even);
    return v_xor3(v_xor3(key, TERM(0), TERM(1)), TERM(2), TERM(3));
#undef TERM
}

/*
 * Where registers are few, the tables of the diffusion are operands in memory. The compiler would load them all before
 * the loop and then have no place for them: it must take the pointer for a new one in each round.
 */
#ifndef ROW_TABLE
#define ROW_TABLE(t, row)                                                                                              \
    do {                                                                                                               \
        if (!VEC_XOR3) __asm__("" : "+r"(t) : "r"(row));                                                               \
    } while (0)
#endif
