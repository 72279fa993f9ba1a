/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aria/sliced-rvv: ARIA (RFC 5794) in bit slices over RISC-V vectors of any length from 128 bits on.
 *
 * The wide kernel has the frame of sliced_rvv.h: 8 P blocks, a plane for each bit of the state. A round is the four
 * S-boxes on their bytes, in place, then the diffusion, bit by bit: 16 planes in, 48 XORs, 16 round key bytes, 16
 * planes out. Fewer blocks than pay for it go to aria/portable, whose key area this engine has: the constants that the
 * S-box circuits leave out are in those round keys already.
 *
 * The 48 XORs of the diffusion are a straight-line program found by search (greedy common subexpressions, after Paar)
 * for the matrix of RFC 5794 section 2.4.3; without it, sharing in the order of the specification takes 52 and more.
 * tests/test_circuits.c compares it with the matrix.
 *
 * Counter mode: within a call only two bytes of the counter change. Round 1 is constant but for their two S-boxes; each
 * reaches seven bytes through the diffusion, and the four or so that neither reaches stay constant through the S-boxes
 * of round 2. ctr_values() computes what is constant once a call; a batch begins at the diffusion of round 2.
 *
 * Every instruction that touches keys or data is one of Zvkt's list; the gathers have constant indices.
 */
#include "../aria/sbox_circuits.h"
#include "../portable/portable.h"
#include "sliced_ordered_rvv.h"
#include "sliced_rvv.h"

#define X(a, b) V_XOR(a, b, vl)
#define N(a, b) V_AND(a, b, vl)
#define S(type, x)                                                                                                     \
    CDZ_##type(cdz_v, X, N, x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##0, x##1, x##2, x##3, x##4, x##5, x##6,  \
               x##7)

/* ---- keys ---------------------------------------------------------------------------------------- */

/* From rows to the bytes of a block: byte 4 c + t of a block is byte 4 t + c of a key. */
static const uint8_t from_rows[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

#define ALL_BITS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

static unsigned expand(const void *ks, bool decrypt, uint8_t *expanded) {
    const struct cdz_aria_portable_keys *k = ks;
    const size_t vl = 16;
    const cdz_v index = V_LOAD(from_rows, vl);
    for (size_t r = 0; r <= k->rounds; r++, expanded += 128) {
        const cdz_v v = V_GATHER(V_LOAD(decrypt ? k->dec[r] : k->enc[r], vl), index, vl);
#define BIT(j) V_STORE(expanded + 16 * (j), V_BIT(v, j, vl), vl);
        ALL_BITS(BIT)
#undef BIT
    }
    return k->rounds;
}

/* ---- bytes ----------------------------------------------------------------------------------------- */

#define ADD_KEY(x, k)                                                                                                  \
    do {                                                                                                               \
        x##0 = V_XOR_BYTE(x##0, (k)[0], vl), x##1 = V_XOR_BYTE(x##1, (k)[16], vl);                                     \
        x##2 = V_XOR_BYTE(x##2, (k)[32], vl), x##3 = V_XOR_BYTE(x##3, (k)[48], vl);                                    \
        x##4 = V_XOR_BYTE(x##4, (k)[64], vl), x##5 = V_XOR_BYTE(x##5, (k)[80], vl);                                    \
        x##6 = V_XOR_BYTE(x##6, (k)[96], vl), x##7 = V_XOR_BYTE(x##7, (k)[112], vl);                                   \
    } while (0)

/* For the four bytes of each type: rounds with odd numbers have the types in this order, the others begin in the middle
 * of it. */
#define TYPES(DO) DO(S1, 0) DO(S2, 1) DO(X1, 2) DO(X2, 3)

/* From the diffusion of round r on, to the end. */
static unsigned rest(uint8_t *state, const uint8_t *expanded, unsigned rounds, unsigned r, size_t p) {
    for (;; r++) {
        cdz_ordered_diffuse(state, expanded + 128 * r, p);
        if (r == rounds - 1) break;
        cdz_ordered_aria(state, !(r & 1), p);
    }
    cdz_ordered_last_aria(state, expanded + 128 * rounds, p);
    return 0;
}

static unsigned crypt(uint8_t *state, const uint8_t *expanded, unsigned rounds, bool decrypt, size_t p) {
    (void)decrypt; /* is in the keys */
    cdz_ordered_first_aria(state, expanded, p);
    return rest(state, expanded, rounds, 1, p);
}

/* ---- counters ---------------------------------------------------------------------------------------- */

/* Byte i of the diffusion is the sum of the bytes matrix[0][i] to matrix[6][i] (RFC 5794 section 2.4.3). */
static const uint8_t matrix[7][16] = {{3, 2, 1, 0, 0, 1, 0, 1, 0, 0, 2, 2, 1, 0, 0, 1},
                                      {4, 5, 4, 5, 2, 3, 2, 3, 1, 1, 3, 3, 2, 3, 3, 2},
                                      {6, 7, 6, 7, 5, 4, 7, 6, 4, 5, 5, 4, 6, 6, 4, 4},
                                      {8, 8, 10, 10, 8, 9, 9, 8, 7, 6, 6, 7, 7, 7, 5, 5},
                                      {9, 9, 11, 11, 11, 10, 10, 11, 10, 11, 8, 9, 9, 8, 9, 8},
                                      {13, 12, 12, 13, 14, 14, 12, 12, 13, 12, 13, 12, 11, 10, 11, 10},
                                      {14, 15, 15, 14, 15, 15, 13, 13, 15, 14, 15, 14, 12, 13, 14, 15}};

static const uint8_t every_fourth[4][16] = {{255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0},
                                            {0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0},
                                            {0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0},
                                            {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255}};

/* The four S-boxes on 16 bytes, as bytes of 0 and 0xff for each bit in x0 .. x7: all four, then a choice by place. */
#define SUBSTITUTE16(x, odd)                                                                                           \
    do {                                                                                                               \
        const cdz_v in0 = x##0, in1 = x##1, in2 = x##2, in3 = x##3, in4 = x##4, in5 = x##5, in6 = x##6, in7 = x##7;    \
        const unsigned begin_ = (odd) ? 0 : 2;                                                                         \
        cdz_v V_EIGHT(y_);                                                                                             \
        TYPES(CHOOSE)                                                                                                  \
    } while (0)
#define PICK(j) x##j = V_PICK(m_, x##j, y_##j);
#define CHOOSE(type, t)                                                                                                \
    {                                                                                                                  \
        CDZ_##type(cdz_v, X, N, in0, in1, in2, in3, in4, in5, in6, in7, y_0, y_1, y_2, y_3, y_4, y_5, y_6, y_7);       \
        const cdz_v m_ = V_LOAD(every_fourth[(t) ^ begin_], vl);                                                       \
        ALL_BITS(PICK)                                                                                                 \
    }
/* b where m is all ones, else a. */
#define V_PICK(m, a, b) X(a, N(m, X(a, b)))

/* values: as bytes of 0 and 0xff in the order of a key's, the state after round 1 without what the two counter bytes
 * give to it, and after the S-boxes of round 2. */
static CDZ_KERNEL void values_kernel(uint8_t *values, const struct cdz_aria_portable_keys *k, const uint8_t ctr[16],
                                     const uint8_t at[2]) {
    const size_t vl = 16;
    uint8_t constant[16];
    memset(constant, 0xff, 16);
    constant[at[0]] = constant[at[1]] = 0;
    const cdz_v mask = V_LOAD(constant, vl), index = V_LOAD(from_rows, vl);
    const cdz_v v = X(V_LOAD(ctr, vl), V_GATHER(V_LOAD(k->enc[0], vl), index, vl));
    const cdz_v key = V_GATHER(V_LOAD(k->enc[1], vl), index, vl);
#define BIT(j) cdz_v x##j = V_BIT(v, j, vl);
    ALL_BITS(BIT)
#undef BIT
    SUBSTITUTE16(x, true);
#define ROW(i, j) X(V_GATHER(s, V_LOAD(matrix[i], vl), vl), V_GATHER(s, V_LOAD(matrix[j], vl), vl))
#define BIT(j)                                                                                                         \
    {                                                                                                                  \
        const cdz_v s = V_AND(x##j, mask, vl);                                                                         \
        const cdz_v sum = X(X(ROW(0, 1), ROW(2, 3)), X(ROW(4, 5), V_GATHER(s, V_LOAD(matrix[6], vl), vl)));            \
        x##j = X(sum, V_BIT(key, j, vl));                                                                              \
        V_STORE(values + 16 * (j), x##j, vl);                                                                          \
    }
    ALL_BITS(BIT)
#undef BIT
#undef ROW
    SUBSTITUTE16(x, false);
#define BIT(j) V_STORE(values + 128 + 16 * (j), x##j, vl);
    ALL_BITS(BIT)
#undef BIT
}

static void ctr_values(uint8_t *values, const void *ks, const uint8_t ctr[16], const uint8_t at[2]) {
    values_kernel(values, ks, ctr, at);
    cdz_leave_nothing(96 * __riscv_vlenb()); /* that many registers are spilled besides */
}

/* Whether byte b of the diffusion has byte i in it. */
static bool reaches(unsigned i, unsigned b) {
    for (unsigned n = 0; n < 7; n++)
        if (matrix[n][b] == i) return true;
    return false;
}

/* The S-box of byte b in round 1 (odd) or 2 on the planes at `from` with constants, and another byte's planes or not,
 * added. */
static CDZ_KERNEL void substitute_byte(uint8_t *out, const uint8_t *from, const uint8_t *also, const uint8_t *constants,
                                       unsigned type, bool bytes, size_t p) {
    const size_t vl = __riscv_vsetvl_e8m1(p);
    cdz_v V_EIGHT(x);
    V_LOAD8(from, x, vl);
    if (bytes) V_TRANSPOSE(x, vl);
    if (also) {
        cdz_v V_EIGHT(y);
        V_LOAD8(also, y, vl);
#define BIT(j) x##j = X(x##j, y##j);
        ALL_BITS(BIT)
#undef BIT
    }
    ADD_KEY(x, constants);
    switch (type) {
    case 0:
        S(S1, x);
        break;
    case 1:
        S(S2, x);
        break;
    case 2:
        S(X1, x);
        break;
    default:
        S(X2, x);
    }
    V_STORE8(out, x, vl);
}

static unsigned ctr_crypt(uint8_t *state, const uint8_t *expanded, unsigned rounds, const uint8_t *values,
                          const uint8_t at[2], unsigned low, size_t p) {
    /* The counter bytes' S-boxes are kept in two bytes that neither of them reaches. */
    unsigned spare[16], n = 0;
    for (unsigned b = 0; b < 16; b++)
        if (!reaches(at[0], b) && !reaches(at[1], b)) spare[n++] = b;
    uint8_t *const x[2] = {state + 8 * p * spare[0], state + 8 * p * spare[1]};
    cdz_sliced_counter(x[0], x[1], low, p);
    for (unsigned i = 0; i < 2; i++) substitute_byte(x[i], x[i], NULL, expanded + at[i], at[i] & 3, true, p);
    for (unsigned b = 0; b < 16; b++) {
        const bool one = reaches(at[0], b), other = reaches(at[1], b);
        if (one || other)
            substitute_byte(state + 8 * p * b, x[one ? 0 : 1], one && other ? x[1] : NULL, values + b, (b & 3) ^ 2,
                            false, p);
    }
    for (unsigned s = 0; s < n; s++)
        for (size_t j = 0; j < 8; j++)
            V_STORE(state + p * (8 * spare[s] + j), V_SPLAT(values[128 + 16 * j + spare[s]], p), p);
    return rest(state, expanded, rounds, 2, p);
}

/* ---- the engine ---------------------------------------------------------------------------------------- */

struct keys {
    uint8_t narrow[CDZ_ARIA_PORTABLE_KEY];
};

static void set_key(void *ks, const uint8_t *key, size_t key_len) { cdz_aria_portable.set_key(ks, key, key_len); }

static size_t wide_from(size_t p, bool counters) {
    (void)counters;
    return 4 * p;
}

static void few(const void *ks, bool decrypt, const uint8_t *in, uint8_t *out, size_t blocks) {
    (decrypt ? cdz_aria_portable.decrypt : cdz_aria_portable.encrypt)(ks, in, out, blocks);
}

static const struct cdz_sliced sliced = {
    .wide_from = wide_from,
    .expand = expand,
    .crypt = crypt,
    .ctr_values = ctr_values,
    .ctr_crypt = ctr_crypt,
    .few = few,
};

#define ENGINE   cdz_aria_sliced_rvv
#define NAME     "aria/sliced-rvv"
#define CIPHER   CDZ_ARIA
#define BATCH    256 /* of the wide kernel at VLEN 256 */
#define KEY_SIZE sizeof(struct keys)
#define NEEDS    ((UINT64_C(1) << CDZ_CPU_BIT_RVV) | (UINT64_C(1) << CDZ_CPU_BIT_SLICED))
extern const struct cdz_engine ENGINE;
#include "sliced_engine.inc.h"
