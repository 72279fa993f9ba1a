/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linear maps that make ARIA's four S-boxes out of one inversion, for kernels that hold one block in rows: bytes 0,
 * 4, 8, 12 of the block, then 1, 5, 9, 13 and so on, four bytes of one S-box type side by side. A vector here is 16
 * bytes, four equal ones a row; [0] is for odd rounds, whose rows are of types S1 S2 X1 X2, [1] for even ones, X1 X2 S1
 * S2.
 */
#ifndef CDZ_SBOX_MATRICES_H
#define CDZ_SBOX_MATRICES_H

#include <stdint.h>

/* A byte for each row, four times. */
#define CDZ_ROW_BYTES(a, b, c, d)                                                                                      \
    { UINT32_C(a) * 0x01010101, UINT32_C(b) * 0x01010101, UINT32_C(c) * 0x01010101, UINT32_C(d) * 0x01010101 }

/*
 * Columns of the 8 x 8 matrices around CDZ_INVERT, which turns F x into H / x (sbox_circuits.h). An S-box is
 * M (1 / (P x)) but for its constants, P and M being 1 or the matrices A1, A2 of the affine maps of S1 and S2:
 *
 *            S1     S2     X1      X2
 *     P      1      1      A1^-1   A2^-1
 *     M      A1     A2     1       1
 *
 * cdz_aria_before[] is F P, cdz_aria_after[] is M H^-1. tests/test_circuits.c recomputes them.
 */
static const uint32_t cdz_aria_before[2][8][4] __attribute__((aligned(16))) = {
    /* S1 S2 X1 X2 */
    {CDZ_ROW_BYTES(0xfe, 0xfe, 0x16, 0xd9), CDZ_ROW_BYTES(0x1e, 0x1e, 0x0f, 0xcc),
     CDZ_ROW_BYTES(0xde, 0xde, 0x7e, 0x22), CDZ_ROW_BYTES(0xf8, 0xf8, 0xa2, 0x93),
     CDZ_ROW_BYTES(0x4c, 0x4c, 0x3b, 0xe4), CDZ_ROW_BYTES(0x78, 0x78, 0xf6, 0xa2),
     CDZ_ROW_BYTES(0xf0, 0xf0, 0xcf, 0xdd), CDZ_ROW_BYTES(0x9d, 0x9d, 0x58, 0xed)},
    /* X1 X2 S1 S2 */
    {CDZ_ROW_BYTES(0x16, 0xd9, 0xfe, 0xfe), CDZ_ROW_BYTES(0x0f, 0xcc, 0x1e, 0x1e),
     CDZ_ROW_BYTES(0x7e, 0x22, 0xde, 0xde), CDZ_ROW_BYTES(0xa2, 0x93, 0xf8, 0xf8),
     CDZ_ROW_BYTES(0x3b, 0xe4, 0x4c, 0x4c), CDZ_ROW_BYTES(0xf6, 0xa2, 0x78, 0x78),
     CDZ_ROW_BYTES(0xcf, 0xdd, 0xf0, 0xf0), CDZ_ROW_BYTES(0x58, 0xed, 0x9d, 0x9d)},
};
static const uint32_t cdz_aria_after[2][8][4] __attribute__((aligned(16))) = {
    /* S1 S2 X1 X2 */
    {CDZ_ROW_BYTES(0x3b, 0xf0, 0x61, 0x61), CDZ_ROW_BYTES(0x05, 0x0d, 0x63, 0x63),
     CDZ_ROW_BYTES(0x60, 0x50, 0xdb, 0xdb), CDZ_ROW_BYTES(0x57, 0x08, 0xc1, 0xc1),
     CDZ_ROW_BYTES(0x79, 0xcb, 0x67, 0x67), CDZ_ROW_BYTES(0x71, 0xeb, 0x35, 0x35),
     CDZ_ROW_BYTES(0x31, 0x6f, 0xa7, 0xa7), CDZ_ROW_BYTES(0x80, 0xcd, 0x25, 0x25)},
    /* X1 X2 S1 S2 */
    {CDZ_ROW_BYTES(0x61, 0x61, 0x3b, 0xf0), CDZ_ROW_BYTES(0x63, 0x63, 0x05, 0x0d),
     CDZ_ROW_BYTES(0xdb, 0xdb, 0x60, 0x50), CDZ_ROW_BYTES(0xc1, 0xc1, 0x57, 0x08),
     CDZ_ROW_BYTES(0x67, 0x67, 0x79, 0xcb), CDZ_ROW_BYTES(0x35, 0x35, 0x71, 0xeb),
     CDZ_ROW_BYTES(0xa7, 0xa7, 0x31, 0x6f), CDZ_ROW_BYTES(0x25, 0x25, 0x80, 0xcd)},
};
/* What the circuits leave out (sbox_circuits.h): 0x63 and 0xe2 into X1 and X2, and out of S1 and S2. */
static const uint32_t cdz_aria_in[2][4]
    __attribute__((aligned(16))) = {CDZ_ROW_BYTES(0, 0, 0x63, 0xe2), CDZ_ROW_BYTES(0x63, 0xe2, 0, 0)};
static const uint32_t cdz_aria_out[2][4]
    __attribute__((aligned(16))) = {CDZ_ROW_BYTES(0x63, 0xe2, 0, 0), CDZ_ROW_BYTES(0, 0, 0x63, 0xe2)};

#endif
