/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of POLYVAL (RFC 8452) on two 64-bit words, for hashes that multiply without carries.
 *
 * GHASH is POLYVAL on reversed bytes: with R for the reversal of a block's 16 bytes,
 *     GHASH(H, X_1, ..., X_n) = R(POLYVAL(R(H) * x, R(X_1), ..., R(X_n)))
 * and the number that R makes of a block is the block read as a big-endian number, so that no bit is reversed.
 *
 * The field is GF(2)[x] / (x^128 + x^127 + x^126 + x^121 + 1), and POLYVAL's product is a * b * x^-128. A product of
 * 256 bits p3 p2 p1 p0 is brought down by adding p0 times the polynomial at the bottom, which clears p0, then p1
 * likewise: the polynomial is 1 + x^64 * Q + x^128 with Q = x^63 + x^62 + x^57.
 */
#ifndef CDZ_POLYVAL_RISCV_H
#define CDZ_POLYVAL_RISCV_H

#include "../util/bytes.h"

static const uint64_t CDZ_POLYVAL_Q __attribute__((unused)) = UINT64_C(1) << 63 | UINT64_C(1) << 62 | UINT64_C(1) << 57;

struct cdz_word2 {
    uint64_t low, high;
};

/* a * x, without a branch. */
static inline struct cdz_word2 cdz_polyval_double(struct cdz_word2 a) {
    const uint64_t carry = cdz_value_barrier(0 - (a.high >> 63));
    return (struct cdz_word2){a.low << 1 ^ (carry & 1), (a.high << 1 | a.low >> 63) ^ (carry & CDZ_POLYVAL_Q)};
}

#endif
