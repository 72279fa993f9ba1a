/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The circuits and matrices in src/aria, recomputed: every S-box and the inversion for all 256 inputs, every value of
 * the matrices from the field and the affine maps, the diffusion for every bit.
 *
 * What they are compared with is the model's (tests/ref), which has them from the definitions of FIPS 197 and RFC 5794.
 */
#include "../src/aria/diffusion.h"
#include "../src/aria/sbox_circuits.h"
#include "../src/aria/sbox_matrices.h"
#include "harness.h"
#include "ref/ref.h"

#include <string.h>

#define XOR(a, b) ((a) ^ (b))
#define AND(a, b) ((a) & (b))

enum { S1, S2, X1, X2, INVERT };
static const char *const names[] = {"S1", "S2", "X1", "X2", "INVERT"};

/* The circuit's value for every byte: 64 at a time, one a bit of a word. */
static void run_circuit(int which, uint8_t out[256]) {
    memset(out, 0, 256);
    for (unsigned from = 0; from < 256; from += 64) {
        uint64_t w[8] = {0};
        for (unsigned x = 0; x < 64; x++)
            for (unsigned b = 0; b < 8; b++) w[b] |= (uint64_t)((from + x) >> b & 1) << x;
        switch (which) {
#define RUN(name)                                                                                                      \
    case name:                                                                                                         \
        CDZ_##name(uint64_t, XOR, AND, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[0], w[1], w[2], w[3], w[4],   \
                   w[5], w[6], w[7]);                                                                                  \
        break;
            RUN(S1)
            RUN(S2)
            RUN(X1)
            RUN(X2)
            RUN(INVERT)
#undef RUN
        default:
            test_fail("no circuit %d", which);
        }
        for (unsigned x = 0; x < 64; x++)
            for (unsigned b = 0; b < 8; b++) out[from + x] |= (uint8_t)((w[b] >> x & 1) << b);
    }
}

/* What goes in front of the circuits and behind them. */
static const uint8_t in_constant[4] = {0, 0, 0x63, 0xe2}, out_constant[4] = {0x63, 0xe2, 0, 0};

static void test_sboxes(void *arg) {
    const int which = *(const int *)arg;
    uint8_t got[256], want[256];
    run_circuit(which, got);
    for (unsigned x = 0; x < 256; x++)
        want[x] = (uint8_t)(ref_sbox(which)[x ^ in_constant[which]] ^ out_constant[which]);
    test_same(names[which], got, want, 256);
}

/* How many gates, counted by the operations themselves. */
static unsigned xors, ands, depth[2000], values;
static int gate(unsigned *count, int a, int b) {
    (*count)++;
    CHECK(values < 2000);
    depth[values] = 1 + (depth[a] > depth[b] ? depth[a] : depth[b]);
    return (int)values++;
}
#define COUNT_XOR(a, b) gate(&xors, a, b)
#define COUNT_AND(a, b) gate(&ands, a, b)

static void test_gates(void *arg) {
    (void)arg;
    static const unsigned total[5] = {112, 111, 114, 112, 96};
    for (int which = 0; which < 5; which++) {
        int r[8];
        xors = ands = 0;
        values = 8;
        memset(depth, 0, sizeof depth);
        switch (which) {
#define RUN(name)                                                                                                      \
    case name:                                                                                                         \
        CDZ_##name(int, COUNT_XOR, COUNT_AND, 0, 1, 2, 3, 4, 5, 6, 7, r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]); \
        break;
            RUN(S1)
            RUN(S2)
            RUN(X1)
            RUN(X2)
            RUN(INVERT)
#undef RUN
        }
        if (xors + ands != total[which] || ands != 32) test_fail("%s: %u XOR, %u AND", names[which], xors, ands);
        unsigned deepest = 0;
        for (int b = 0; b < 8; b++)
            if (depth[r[b]] > deepest) deepest = depth[r[b]];
        if (which == S1) CHECK(deepest == 35);
        if (which == INVERT) CHECK(deepest == 20);
    }
}

/* ---- 8 x 8 matrices as their columns ---- */

static uint8_t times(const uint8_t m[8], uint8_t x) {
    uint8_t y = 0;
    for (unsigned j = 0; j < 8; j++)
        if (x >> j & 1) y ^= m[j];
    return y;
}

static void product(uint8_t out[8], const uint8_t a[8], const uint8_t b[8]) {
    for (unsigned j = 0; j < 8; j++) out[j] = times(a, b[j]);
}

static void inverse(uint8_t out[8], const uint8_t m[8]) {
    unsigned found = 0;
    for (unsigned x = 0; x < 256; x++)
        for (unsigned j = 0; j < 8; j++)
            if (times(m, (uint8_t)x) == 1u << j) out[j] = (uint8_t)x, found++;
    CHECK(found == 8);
}

static uint8_t field_inverse(uint8_t x) {
    for (unsigned y = 0; y < 256; y++)
        if (ref_gf8_mul(x, (uint8_t)y) == 1) return (uint8_t)y;
    return 0;
}

/* The matrix of an S-box that is A (1 / x) + constant. */
static void affine_matrix(uint8_t a[8], int which) {
    for (unsigned j = 0; j < 8; j++) {
        const uint8_t x = field_inverse((uint8_t)(1u << j));
        a[j] = (uint8_t)(ref_sbox(which)[x] ^ ref_sbox(which)[0]);
    }
}

/* The bases of CDZ_INVERT, as sbox_circuits.h gives them. */
static const uint8_t f[8] = {0xfe, 0x1e, 0xde, 0xf8, 0x4c, 0x78, 0xf0, 0x9d};
static const uint8_t h[8] = {0x58, 0x03, 0x12, 0xaf, 0xa0, 0xca, 0x93, 0xc3};

static void test_inversion(void *arg) {
    (void)arg;
    uint8_t k[256];
    run_circuit(INVERT, k);
    for (unsigned x = 0; x < 256; x++) CHECK(k[times(f, (uint8_t)x)] == times(h, field_inverse((uint8_t)x)));
}

static void test_matrices(void *arg) {
    (void)arg;
    static const uint8_t one[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint8_t a1[8], a2[8], a1_inverse[8], a2_inverse[8], h_inverse[8], k[256];
    affine_matrix(a1, S1);
    affine_matrix(a2, S2);
    inverse(a1_inverse, a1);
    inverse(a2_inverse, a2);
    inverse(h_inverse, h);
    run_circuit(INVERT, k);
    const uint8_t *const p[4] = {one, one, a1_inverse, a2_inverse}, *const m[4] = {a1, a2, one, one};
    for (int even = 0; even < 2; even++) {
        for (int row = 0; row < 4; row++) {
            const int type = row ^ 2 * even;
            uint8_t before[8], after[8], got_before[8], got_after[8], byte[4];
            product(before, f, p[type]);
            product(after, m[type], h_inverse);
            for (unsigned j = 0; j < 8; j++) {
                memcpy(byte, &cdz_aria_before[even][j][row], 4);
                got_before[j] = byte[0];
                test_all("four equal bytes", byte, byte[0], 4);
                memcpy(byte, &cdz_aria_after[even][j][row], 4);
                got_after[j] = byte[0];
                test_all("four equal bytes", byte, byte[0], 4);
            }
            test_same("before", got_before, before, 8);
            test_same("after", got_after, after, 8);
            CHECK(cdz_aria_in[even][row] == in_constant[type] * UINT32_C(0x01010101));
            CHECK(cdz_aria_out[even][row] == out_constant[type] * UINT32_C(0x01010101));
            /* And all of it together is the S-box. */
            for (unsigned x = 0; x < 256; x++) {
                const uint8_t y = times(got_before, (uint8_t)(x ^ in_constant[type]));
                CHECK((times(got_after, k[y]) ^ out_constant[type]) == ref_sbox(type)[x]);
            }
        }
    }
}

/* ---- diffusion ---- */

/* RFC 5794 section 2.4.3: which inputs each output is the sum of. */
static const uint8_t sum_of[16][7] = {
    {3, 4, 6, 8, 9, 13, 14},  {2, 5, 7, 8, 9, 12, 15},  {1, 4, 6, 10, 11, 12, 15}, {0, 5, 7, 10, 11, 13, 14},
    {0, 2, 5, 8, 11, 14, 15}, {1, 3, 4, 9, 10, 14, 15}, {0, 2, 7, 9, 10, 12, 13},  {1, 3, 6, 8, 11, 12, 13},
    {0, 1, 4, 7, 10, 13, 15}, {0, 1, 5, 6, 11, 12, 14}, {2, 3, 5, 6, 8, 13, 15},   {2, 3, 4, 7, 9, 12, 14},
    {1, 2, 6, 7, 9, 11, 12},  {0, 3, 6, 7, 8, 10, 13},  {0, 3, 4, 5, 9, 11, 14},   {1, 2, 4, 5, 8, 10, 15},
};

static void test_diffusion(void *arg) {
    (void)arg;
    uint16_t want[16], got[16];
    for (unsigned i = 0; i < 16; i++) {
        want[i] = 0;
        for (unsigned j = 0; j < 7; j++) want[i] |= (uint16_t)(1u << sum_of[i][j]);
    }
#define X(i)    (UINT32_C(1) << (i))
#define Y(i, y) got[i] = (uint16_t)(y)
    CDZ_DIFFUSE(uint32_t, XOR, X, Y);
#undef X
#undef Y
    test_same("diffusion", (const uint8_t *)got, (const uint8_t *)want, sizeof want);
}

int main(void) {
    static int which[4] = {S1, S2, X1, X2};
    test_begin();
    for (int i = 0; i < 4; i++) test_add(test_sboxes, &which[i], "circuit %s", names[i]);
    test_add(test_gates, NULL, "numbers of gates");
    test_add(test_inversion, NULL, "circuit INVERT");
    test_add(test_matrices, NULL, "matrices around the inversion");
    test_add(test_diffusion, NULL, "diffusion");
    return test_end("circuits");
}
