/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes every constant of the vector-permute AES again from its definition in src/aes/aes_vperm_tables.h, and runs the
 * look-ups over all 256 bytes. Fields are multiplied bit by bit here; nothing is shared with the library but the
 * tables.
 */
#include "harness.h"

#include "aes/aes_vperm_tables.h"

#include <string.h>

static const struct cdz_aes_vperm_tables *const t = &cdz_aes_vperm_tables;

/* a b modulo a polynomial of degree n. */
static unsigned multiply(unsigned a, unsigned b, unsigned polynomial, unsigned n) {
    unsigned r = 0;
    for (; b; b >>= 1) {
        if (b & 1) r ^= a;
        a <<= 1;
        if (a >> n) a ^= polynomial;
    }
    return r;
}

static unsigned mul16(unsigned a, unsigned b) { return multiply(a, b, 0x13, 4); }   /* z^4 + z + 1 */
static unsigned mul256(unsigned a, unsigned b) { return multiply(a, b, 0x11b, 8); } /* x^8 + x^4 + x^3 + x + 1 */

enum { A = 2 };

/* (k + i s)(l + j s) = k l + a i j + (k j + i l + a i j) s, since s^2 = a s + a */
static unsigned mul_tower(unsigned x, unsigned y) {
    const unsigned k = x & 15, i = x >> 4, l = y & 15, j = y >> 4, aij = mul16(A, mul16(i, j));
    return (mul16(k, l) ^ aij) | (mul16(k, j) ^ mul16(i, l) ^ aij) << 4;
}

static unsigned power(unsigned (*mul)(unsigned, unsigned), unsigned x, unsigned n) {
    unsigned r = 1;
    while (n--) r = mul(r, x);
    return r;
}

static unsigned inv16(unsigned x) { return power(mul16, x, 14); }
static unsigned inv_tower(unsigned x) { return power(mul_tower, x, 254); }

static uint8_t to_tower[256], from_tower[256]; /* t and its inverse */

static unsigned affine(unsigned x) { /* M */
    unsigned r = x;
    for (int i = 1; i <= 4; i++) r ^= (x << i | x >> (8 - i)) & 0xff;
    return r;
}

static uint8_t affine_inverse[256];

static void make_maps(void) {
    unsigned root = 1;
    for (;; root++) { /* the smallest root of AES's polynomial in the tower */
        const unsigned r2 = mul_tower(root, root), r3 = mul_tower(r2, root), r4 = mul_tower(r2, r2);
        if ((mul_tower(r4, r4) ^ r4 ^ r3 ^ root ^ 1) == 0) break;
    }
    CHECK(root == 0x1c);
    for (unsigned x = 0; x < 256; x++) {
        unsigned y = 0;
        for (unsigned n = 0; n < 8; n++)
            if (x >> n & 1) y ^= power(mul_tower, root, n);
        to_tower[x] = (uint8_t)y;
        from_tower[y] = (uint8_t)x;
        affine_inverse[affine(x)] = (uint8_t)x;
    }
}

static void test_fields(void *arg) {
    (void)arg;
    make_maps();
    for (unsigned x = 1; x < 16; x++) CHECK(mul16(x, inv16(x)) == 1);
    for (unsigned x = 1; x < 256; x++) CHECK(mul_tower(x, inv_tower(x)) == 1); /* the tower is a field */
    for (unsigned x = 0; x < 256; x++)
        for (unsigned y = 0; y < 256; y++) CHECK(to_tower[mul256(x, y)] == mul_tower(to_tower[x], to_tower[y]));
}

static void test_inversion(void *arg) {
    (void)arg;
    CHECK(t->inv[0] == 0x80 && t->a_inv[0] == 0x80);
    for (unsigned x = 1; x < 16; x++) {
        CHECK(t->inv[x] == inv16(x));
        CHECK(t->a_inv[x] == mul16(A, inv16(x)));
    }
}

/* ---- what a byte becomes after the inversion; x is the inverse, in the tower ---- */

static unsigned factor;
static unsigned f_enc(unsigned x) { return to_tower[mul256(factor, affine(from_tower[x]))]; }
static unsigned f_enc_out(unsigned x) { return affine(from_tower[x]); }
static unsigned f_dec(unsigned x) { return to_tower[affine_inverse[mul256(factor, from_tower[x])]]; }
static unsigned f_dec_out(unsigned x) { return from_tower[x]; }

/* The two parts of an inverse that p = 1/io and q = 1/jo stand for: p + p (1/a + 1/a^2) s and (q / a^2) s. */
static unsigned part_p(unsigned p) {
    const unsigned ia = inv16(A);
    return p | mul16(p, ia ^ mul16(ia, ia)) << 4;
}
static unsigned part_q(unsigned q) {
    const unsigned ia = inv16(A);
    return mul16(q, mul16(ia, ia)) << 4;
}

static void check_out(const char *name, const uint8_t table[2][16], unsigned (*f)(unsigned), unsigned c) {
    NOW(.what = name);
    factor = c;
    for (unsigned i = 0; i < 16; i++) { /* inv16(0) = 0: what a look-up of infinity gives */
        CHECK(table[0][i] == f(part_p(inv16(i))));
        CHECK(table[1][i] == f(part_q(inv16(i))));
    }
}

static unsigned g_enc(unsigned x) { return to_tower[x]; }
static unsigned g_dec(unsigned x) { return to_tower[affine_inverse[mul256(factor, x)]]; }

static void check_in(const char *name, const uint8_t table[2][16], unsigned (*f)(unsigned), unsigned c) {
    NOW(.what = name);
    factor = c;
    for (unsigned i = 0; i < 16; i++) {
        CHECK(table[0][i] == f(i));
        CHECK(table[1][i] == f(i << 4));
    }
}

static void test_linear(void *arg) {
    (void)arg;
    make_maps();
    check_in("enc_in", t->enc_in, g_enc, 1);
    check_out("enc_1", t->enc_1, f_enc, 1);
    check_out("enc_2", t->enc_2, f_enc, 2);
    check_out("enc_out", t->enc_out, f_enc_out, 1);
    check_in("dec_in", t->dec_in, g_dec, 1);
    check_out("dec_9", t->dec_9, f_dec, 0x9);
    check_out("dec_b", t->dec_b, f_dec, 0xb);
    check_out("dec_d", t->dec_d, f_dec, 0xd);
    check_out("dec_e", t->dec_e, f_dec, 0xe);
    check_out("dec_out", t->dec_out, f_dec_out, 1);
    check_in("key_9", t->key_9, g_dec, 0x9);
    check_in("key_b", t->key_b, g_dec, 0xb);
    check_in("key_d", t->key_d, g_dec, 0xd);
    check_in("key_e", t->key_e, g_dec, 0xe);
}

/* The S-box and its inverse as the kernels put them together, against a field inversion by powers. */
static unsigned lookup(const uint8_t table[16], unsigned i) {
    CHECK(i < 16 || i >= 0x80);
    return i < 16 ? table[i] : 0;
}

static unsigned through(unsigned x, const uint8_t out[2][16]) {
    const unsigned k = x & 15, i = x >> 4, j = i ^ k, ak = lookup(t->a_inv, k);
    const unsigned iak = lookup(t->inv, i) ^ ak, jak = lookup(t->inv, j) ^ ak;
    const unsigned io = lookup(t->inv, iak) ^ j, jo = lookup(t->inv, jak) ^ i;
    return lookup(out[0], io) ^ lookup(out[1], jo);
}

static void test_sbox(void *arg) {
    (void)arg;
    for (unsigned x = 0; x < 256; x++) {
        const unsigned s = affine(power(mul256, x, 254)) ^ 0x63;
        CHECK((through(t->enc_in[0][x & 15] ^ t->enc_in[1][x >> 4], t->enc_out) ^ 0x63) == s);
        const unsigned y = s ^ 0x63;
        CHECK(through(t->dec_in[0][y & 15] ^ t->dec_in[1][y >> 4], t->dec_out) == x);
    }
}

/* ---- orders of bytes ---- */

/* (first, then `next`): byte n of the result is byte first[next[n]]. */
static void compose(uint8_t out[16], const uint8_t first[16], const uint8_t next[16]) {
    uint8_t r[16];
    for (int n = 0; n < 16; n++) r[n] = first[next[n]];
    memcpy(out, r, 16);
}

static void test_orders(void *arg) {
    uint8_t order[16];
    (void)arg;
    for (int n = 0; n < 16; n++) CHECK(t->sr[0][n] == n);
    for (int c = 0; c < 4; c++) /* FIPS 197, 5.1.2: row r of column c comes from column c + r */
        for (int r = 0; r < 4; r++) CHECK(t->sr[1][4 * c + r] == 4 * ((c + r) % 4) + r);
    for (int m = 1; m < 4; m++) {
        compose(order, t->sr[m], t->sr[1]);
        test_same("sr", t->sr[(m + 1) % 4], order, 16);
    }
    for (int m = 0; m < 4; m++) {
        for (int turn = 1; turn <= 3; turn += 2) {
            for (int n = 0; n < 16; n++) order[n] = (uint8_t)(n / 4 * 4 + (n + turn) % 4);
            compose(order, t->sr[m], order);
            compose(order, order, t->sr[-m & 3]);
            test_same("rot", turn == 1 ? t->rot1[m] : t->rot3[m], order, 16);
        }
    }
}

int main(void) {
    test_begin();
    test_add(test_fields, NULL, "fields");
    test_add(test_inversion, NULL, "inversion in GF(16)");
    test_add(test_linear, NULL, "linear maps");
    test_add(test_sbox, NULL, "S-box");
    test_add(test_orders, NULL, "orders");
    return test_end("AES by vector permutation: constants");
}
