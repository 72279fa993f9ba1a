/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constants of the vector-permute AES (aes_vperm.inc.h): functions of four bits as tables of 16 bytes, and orders
 * of bytes. tests/test_aes_vperm_constants.c makes all of them again from what is said here.
 *
 * The tower. GF(16) is GF(2)[z] / (z^4 + z + 1). GF(256) is GF(16)[s] / (s^2 + a s + a) with a = 2, and a byte of the
 * tower is k + i s with k in its low and i in its high nibble. t is the map from AES's own representation (x^8 + x^4 +
 * x^3 + x + 1) that takes x to 0x1c, the smallest root of that polynomial in the tower.
 *
 * Inversion. The norm of k + i s is N = k^2 + a i k + a i^2. With j = i + k and
 *
 *     io = 1 / (1/i + a/k) + j,     jo = 1 / (1/j + a/k) + i
 *
 * one finds 1/io = (k + a i) / N and 1/jo = (k + a j) / N, so that with p = 1/io and q = 1/jo
 *
 *     1 / (k + i s) = p + (p (1/a + 1/a^2) + q / a^2) s.
 *
 * So five look-ups of 1/x or a/x in GF(16) are all that is not linear, and what comes after an inversion is a sum of a
 * function of io and one of jo. Division by zero: 1/0 is a byte with its top bit set; added to anything it stays one,
 * and a look-up of it gives 0. All 256 cases come out right, 0 included (k = i = 0: 1/i and a/k cancel, and 1/0 is made
 * once more).
 *
 * M is the linear part of the S-box: S(x) = M x^-1 ^ 0x63, M x = x ^ (x <<< 1) ^ (x <<< 2) ^ (x <<< 3) ^ (x <<< 4). The
 * constant is in the round keys.
 *
 * Pairs of tables: one for the low nibble and one for the high one of a byte, or one for io and one for jo.
 */
#ifndef CDZ_AES_VPERM_TABLES_H
#define CDZ_AES_VPERM_TABLES_H

#include <stdint.h>

struct cdz_aes_vperm_tables {
    uint8_t inv[16];   /* 1/x; 0x80 for 0 */
    uint8_t a_inv[16]; /* a/x; 0x80 for 0 */

    uint8_t enc_in[2][16];  /* low, high: t(x) */
    uint8_t enc_1[2][16];   /* io, jo: t(M x^-1), */
    uint8_t enc_2[2][16];   /* t(2 M x^-1), */
    uint8_t enc_out[2][16]; /* M x^-1 */

    uint8_t dec_in[2]
                  [16];   /* low, high: t(M^-1 x), the basis of decryption, in which a round begins with an inversion */
    uint8_t dec_9[2][16]; /* io, jo: t(M^-1 (9 x^-1)) */
    uint8_t dec_b[2][16];
    uint8_t dec_d[2][16];
    uint8_t dec_e[2][16];
    uint8_t dec_out[2][16]; /* x^-1 */

    uint8_t key_9[2][16]; /* low, high: t(M^-1 (9 x)), for InvMixColumns of a round key */
    uint8_t key_b[2][16];
    uint8_t key_d[2][16];
    uint8_t key_e[2][16];

    /* Orders: byte n of the result is byte order[n]. sr[m] is ShiftRows m times, sr[1][4 c + r] = 4 ((c + r) mod 4) +
     * r. rot1[m] and rot3[m] turn every column up by 1 and 3 rows (4 c + r takes 4 c + (r + 1) mod 4), in a state whose
     * bytes lie in the order in which sr[m] has still to be done: sr[-m] after rot after sr[m]. */
    uint8_t rot1[4][16];
    uint8_t rot3[4][16];
    uint8_t sr[4][16];
};

extern const struct cdz_aes_vperm_tables cdz_aes_vperm_tables;

#endif
