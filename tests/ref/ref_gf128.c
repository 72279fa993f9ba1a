/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's two fields of 2^128 elements: GCM's (SP 800-38D, 6.3 and 6.4) and POLYVAL's (RFC 8452, 3).
 *
 * Both bit by bit. GCM numbers the bits of a block from the left (bit 0 of byte 0 is the most significant one and the
 * coefficient of x^0), POLYVAL from the least significant bit of byte 0 on.
 */
#include "ref.h"

#include <string.h>

/* Results of past multiplications, as in ref_block.c: prefixes of one message hash the same blocks again. */
struct memo {
    bool full;
    uint8_t x[16], y[16], out[16];
};
static struct memo memo[1 << 16];

static struct memo *memo_find(const uint8_t x[16], const uint8_t y[16]) {
    uint64_t a[2], b[2];
    memcpy(a, x, 16);
    memcpy(b, y, 16);
    uint64_t h = (a[0] ^ b[0]) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32 ^ a[1]) * UINT64_C(0xd6e8feb86659fd93);
    return &memo[h >> 48];
}

void ref_gcm_mul(const uint8_t x[16], const uint8_t y[16], uint8_t out[16]) {
    struct memo *m = memo_find(x, y);
    if (m->full && memcmp(m->x, x, 16) == 0 && memcmp(m->y, y, 16) == 0) {
        memcpy(out, m->out, 16);
        return;
    }
    uint64_t vh = 0, vl = 0, zh = 0, zl = 0;
    for (int i = 0; i < 8; i++) {
        vh = vh << 8 | y[i];
        vl = vl << 8 | y[i + 8];
    }
    for (int i = 0; i < 128; i++) {
        if (x[i / 8] >> (7 - i % 8) & 1) {
            zh ^= vh;
            zl ^= vl;
        }
        const uint64_t lsb = vl & 1;
        vl = vl >> 1 | vh << 63;
        vh >>= 1;
        if (lsb) vh ^= UINT64_C(0xe1) << 56; /* R = 11100001 || 0^120 */
    }
    m->full = true;
    memcpy(m->x, x, 16);
    memcpy(m->y, y, 16);
    ref_put_be64(m->out, zh);
    ref_put_be64(m->out + 8, zl);
    memcpy(out, m->out, 16);
}

/* x^(2^128 - 2): the product of the squarings 2^1 to 2^127. */
void ref_gcm_inverse(const uint8_t x[16], uint8_t out[16]) {
    uint8_t square[16], product[16] = {0x80}; /* 1 */
    memcpy(square, x, 16);
    for (int i = 1; i < 128; i++) {
        ref_gcm_mul(square, square, square);
        ref_gcm_mul(product, square, product);
    }
    memcpy(out, product, 16);
}

void ref_ghash(const uint8_t h[16], uint8_t y[16], const uint8_t *in, size_t len) {
    for (size_t i = 0; i < len; i += 16) {
        ref_xor(y, y, in + i, len - i < 16 ? len - i : 16);
        ref_gcm_mul(y, h, y);
    }
}

/* a * b modulo x^128 + x^127 + x^126 + x^121 + 1. */
static void polyval_mul(const uint8_t a[16], const uint8_t b[16], uint8_t out[16]) {
    uint64_t vh = 0, vl = 0, zh = 0, zl = 0;
    for (int i = 7; i >= 0; i--) {
        vl = vl << 8 | a[i];
        vh = vh << 8 | a[i + 8];
    }
    for (int i = 0; i < 128; i++) {
        if (b[i / 8] >> i % 8 & 1) {
            zh ^= vh;
            zl ^= vl;
        }
        const uint64_t msb = vh >> 63;
        vh = vh << 1 | vl >> 63;
        vl <<= 1;
        if (msb) {
            vl ^= 1;
            vh ^= UINT64_C(1) << (127 - 64) | UINT64_C(1) << (126 - 64) | UINT64_C(1) << (121 - 64);
        }
    }
    ref_put_le64(out, zl);
    ref_put_le64(out + 8, zh);
}

/* h * x^-128, where x^-128 = x^127 + x^124 + x^121 + x^114 + 1: dot(a, h) = a * h * x^-128. */
static void dot_factor(const uint8_t h[16], uint8_t hx[16]) {
    static const int exponents[5] = {127, 124, 121, 114, 0};
    uint8_t inverse[16] = {0};
    for (int i = 0; i < 5; i++) inverse[exponents[i] / 8] |= (uint8_t)(1u << exponents[i] % 8);
    polyval_mul(h, inverse, hx);
}

void ref_polyval(const uint8_t h[16], uint8_t y[16], const uint8_t *in, size_t len) {
    uint8_t hx[16];
    dot_factor(h, hx);
    for (size_t i = 0; i < len; i += 16) {
        ref_xor(y, y, in + i, len - i < 16 ? len - i : 16);
        polyval_mul(y, hx, y);
    }
}

void ref_polyval_solve(const uint8_t h[16], const uint8_t y[16], size_t n, uint8_t first[16]) {
    /* first * hx^n = y; hx^-1 = hx^(2^128 - 2), the product of its squarings 2^1 to 2^127. */
    uint8_t square[16], inverse[16] = {1};
    dot_factor(h, square);
    for (int i = 1; i < 128; i++) {
        polyval_mul(square, square, square);
        polyval_mul(inverse, square, inverse);
    }
    memcpy(first, y, 16);
    for (size_t i = 0; i < n; i++) polyval_mul(first, inverse, first);
}
