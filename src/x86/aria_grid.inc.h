/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A few blocks of ARIA (aria_few.inc.h) with GFNI and AVX-512, one block a lane. Included once, after aria_gfni.inc.h.
 *
 * The bytes of a block lie so that all S-boxes of a quadword have one matrix, and rows and columns of the grid of
 * aria_sliced.inc.h are reached by exchanges of places. Positions, and the bytes there:
 *
 *     0  1  2  3   4  5  6  7   8  9 10 11  12 13 14 15        row: 0 2 1 3 in each four
 *     6 10 12  0   8  4  2 14  13  1  7 11   3 15  9  5        even bytes (S1, X1), then odd ones (S2, X2)
 *
 * A row's four bytes are at p, p ^ 4, p ^ 8 and p ^ 12, a column's at p, p ^ 2, p ^ 9 and p ^ 11. With u = x[p] ^ x[p ^
 * 4] and v = x[p] ^ x[p ^ 2], the sums of a row and of a column are R = u[p] ^ u[p ^ 8] and C = v[p] ^ v[p ^ 9], and
 * the diffusion, x ^ R ^ C, turned over, is three byte shuffles: of x ^ u ^ v, u and v.
 *
 * S-boxes: A after an inversion, and P before another; which of them a byte takes is chosen after both, bit by bit
 * (masks of bytes cost GFNI five cycles). Their constants are added elsewhere: what S1 and S2 add (0x63, 0xe2) comes
 * through the diffusion, and X1 and X2 want the same bytes before P (P1 0x63 = 0x05, P2 0xe2 = 0x2c).
 *
 * 14 instructions a round for a register of four blocks, where the form of aria_rows.inc.h takes 18.
 */
static const uint8_t aria_grid_enter[16] = {0x06, 0x0a, 0x0c, 0x00, 0x08, 0x04, 0x02, 0x0e,
                                            0x0d, 0x01, 0x07, 0x0b, 0x03, 0x0f, 0x09, 0x05};
static const uint8_t aria_grid_leave[16] = {0x03, 0x09, 0x06, 0x0c, 0x05, 0x0f, 0x00, 0x0a,
                                            0x04, 0x0e, 0x01, 0x0b, 0x02, 0x08, 0x07, 0x0d};
/* Row and column exchanged; that of p ^ 8; that of p ^ 9. */
static const uint8_t aria_grid_turn[3][16] = {
    {0x0a, 0x04, 0x02, 0x0c, 0x01, 0x0f, 0x09, 0x07, 0x08, 0x06, 0x00, 0x0e, 0x03, 0x0d, 0x0b, 0x05},
    {0x02, 0x0c, 0x0a, 0x04, 0x09, 0x07, 0x01, 0x0f, 0x00, 0x0e, 0x08, 0x06, 0x0b, 0x05, 0x03, 0x0d},
    {0x03, 0x0d, 0x0b, 0x05, 0x08, 0x06, 0x00, 0x0e, 0x01, 0x0f, 0x09, 0x07, 0x0a, 0x04, 0x02, 0x0c},
};
/* After odd rounds and after even ones: the diffusion of what S1 and S2 add, and what X1 and X2 want before them. */
static const uint8_t aria_grid_constants[2][16] = {
    {0x00, 0x63, 0x00, 0x63, 0x63, 0x81, 0xe2, 0x00, 0x00, 0xe2, 0x00, 0xe2, 0x63, 0x00, 0xe2, 0x81},
    {0x81, 0x63, 0x00, 0xe2, 0x63, 0x00, 0x63, 0x00, 0x00, 0x63, 0x81, 0xe2, 0xe2, 0x00, 0xe2, 0x00},
};
/* In the natural order: what X1 and X2 want before the first round, and S1 and S2 add in the last. */
static const uint32_t aria_grid_end = 0xe2630000;
/* Positions of S1 and S2 in odd rounds and in even ones. */
static const uint8_t aria_grid_s[2][16] = {
    {0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff},
    {0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00},
};
static const uint64_t aria_grid_matrices[2][2] = {{ARIA_A1, ARIA_A2}, {ARIA_P1, ARIA_P2}};

CDZ_INLINE vec VEC(few_key_end)(const uint8_t row[16]) { return v_xor(v_lanes(row), v_dup32(&aria_grid_end)); }
CDZ_INLINE vec VEC(few_key)(const uint8_t row[16]) { return v_shuffle8(v_lanes(row), v_lanes(aria_grid_enter)); }

CDZ_INLINE vec VEC(few_enter)(vec x, vec key) { return v_shuffle8(v_xor(x, key), v_lanes(aria_grid_enter)); }

CDZ_INLINE vec VEC(grid_substitute)(vec x, unsigned even) {
    const vec s = v_affine_inverse(x, v_lanes(aria_grid_matrices[0]), 0);
    const vec z = v_affine_inverse(v_affine(x, v_lanes(aria_grid_matrices[1]), 0), v_fill64(ARIA_I), 0);
    return v_select(v_lanes(aria_grid_s[even]), s, z);
}

CDZ_INLINE vec VEC(few_round)(vec x, vec key, unsigned even, const uint8_t t[2][4][2][16]) {
    (void)t;
    x = VEC(grid_substitute)(x, even);
    const vec row = v_rol64(x, 32), column = v_rol32(x, 16);
    const vec a = v_shuffle8(v_xor3(x, row, column), v_lanes(aria_grid_turn[0]));
    const vec u = v_shuffle8(v_xor(x, row), v_lanes(aria_grid_turn[1]));
    const vec v = v_shuffle8(v_xor(x, column), v_lanes(aria_grid_turn[2]));
    return v_xor3(v_xor3(key, v_lanes(aria_grid_constants[even]), a), u, v);
}

CDZ_INLINE vec VEC(few_last)(vec x, vec key) {
    return v_xor(v_shuffle8(VEC(grid_substitute)(x, 1), v_lanes(aria_grid_leave)), key);
}
