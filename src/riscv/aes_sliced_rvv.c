/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aes/sliced-rvv: AES (FIPS 197) in bit slices over RISC-V vectors of any length from 128 bits on.
 *
 * Every instruction that touches keys or data is one of Zvkt's list: logic, multiplications for shifts, loads and
 * stores; the only gathers are ShiftRows and its like, with constant indices. No table, no branch on secrets.
 *
 *   wide   8 P blocks (P = VLEN / 8; 4 KiB at VLEN 256) in the frame of sliced_rvv.h. A column at a time: SubBytes on
 *          each of its bytes in place, then MixColumns over its 32 planes in place. ShiftRows moves nothing: after k
 *          rounds, byte (row i, column c) is where (i, c + k i) was at first.
 *   eight  P / 2 blocks in eight registers. Register j has bit j of everything: loading 8 registers of P / 16 blocks
 * and transposing the 8x8 bits of bytes at the same place is all that is needed. ShiftRows is one gather a register,
 *          MixColumns two rotations of 32-bit elements.
 *
 *            register j:   | byte 0 | byte 1 | ... | byte 15 |   bit i of each belongs to block i * P / 16 (+ 1 in the
 *                                                                next 16 bytes, and so on)
 *
 * Counter mode: within a call only two bytes of the counter change. Round 1 is then constant but for two S-boxes, which
 * reach two columns; the other half of the state stays constant through SubBytes of round 2. ctr_values() computes what
 * is constant once a call; a batch begins at MixColumns of round 2.
 *
 * Constants: the circuits leave out S1's 0x63. Encrypting, it goes into the round keys but the first: MixColumns leaves
 * it alone, since its rows sum to 1. Decrypting, X1 wants it in its input: into the round keys but the last.
 *
 * References: E. Kasper and P. Schwabe, "Faster and timing-attack resistant AES-GCM" (2009), for eight planes;
 * A. Adomnicai and T. Peyrin, "Fixslicing AES-like ciphers" (2021), for planes that keep rows apart.
 */
#include "aes_sliced_rvv.h"

#include "../aria/sbox_circuits.h"
#include "../portable/portable.h"
#include "sliced_ordered_rvv.h"

enum { S_CONSTANT = 0x63 }; /* S1(0) */

#define X(a, b) V_XOR(a, b, vl)
#define N(a, b) V_AND(a, b, vl)
#define SBOX(x)                                                                                                        \
    CDZ_S1(cdz_v, X, N, x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7)
#define INVERSE_SBOX(x)                                                                                                \
    CDZ_X1(cdz_v, X, N, x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7)

/* ---- keys ---------------------------------------------------------------------------------------- */

static void substitute16(uint8_t x[16]) {
    const size_t vl = 16;
    const cdz_v v = V_LOAD(x, vl);
    cdz_v x0 = V_BIT(v, 0, vl), x1 = V_BIT(v, 1, vl), x2 = V_BIT(v, 2, vl), x3 = V_BIT(v, 3, vl);
    cdz_v x4 = V_BIT(v, 4, vl), x5 = V_BIT(v, 5, vl), x6 = V_BIT(v, 6, vl), x7 = V_BIT(v, 7, vl);
    SBOX(x);
    cdz_v y = V_XOR_BYTE(V_AND_BYTE(x0, 1, vl), S_CONSTANT, vl);
#define BIT(j) y = V_XOR(y, V_AND_BYTE(x##j, 1u << (j), vl), vl);
    BIT(1)
    BIT(2)
    BIT(3)
    BIT(4)
    BIT(5)
    BIT(6)
    BIT(7)
#undef BIT
    V_STORE(x, y, vl);
}

static uint32_t unmix_column(uint32_t x) {
    /* InvMixColumns = MixColumns after adding 4 (x + x two rows further) */
    x ^= cdz_aes_double4(cdz_aes_double4(x ^ (x >> 16 | x << 16)));
    const uint32_t next = x >> 8 | x << 24, s = x ^ next;
    return cdz_aes_double4(s) ^ next ^ (s >> 16 | s << 16);
}

static uint32_t substitute4(uint32_t x) {
    uint8_t s[16] = {0};
    cdz_store_le32(s, x);
    substitute16(s);
    x = cdz_load_le32(s);
    cdz_wipe(s, sizeof s);
    return x;
}

static CDZ_KERNEL void schedule(struct cdz_aes_sliced_keys *k, const uint8_t *key, size_t key_len) {
    uint32_t w[CDZ_AES_WORDS_MOST];
    const size_t rounds = cdz_aes_words(w, key, key_len, substitute4);
    const uint32_t constant = S_CONSTANT * UINT32_C(0x01010101);
    for (size_t r = 0; r <= rounds; r++)
        for (size_t c = 0; c < 4; c++) {
            const uint32_t e = w[4 * r + c], d = w[4 * (rounds - r) + c];
            cdz_store_le32(k->encrypt[r] + 4 * c, r ? e ^ constant : e);
            cdz_store_le32(k->decrypt[r] + 4 * c, r == rounds ? d : (r ? unmix_column(d) : d) ^ constant);
        }
    k->rounds = (uint32_t)rounds;
    cdz_wipe(w, sizeof w);
}

void cdz_aes_sliced_set_key(struct cdz_aes_sliced_keys *k, const uint8_t *key, size_t key_len) {
    schedule(k, key, key_len);
    cdz_leave_nothing(512);
}

unsigned cdz_aes_sliced_expand(const void *ks, bool decrypt, uint8_t *expanded) {
    const struct cdz_aes_sliced_keys *k = ks;
    const size_t vl = 16;
    for (size_t r = 0; r <= k->rounds; r++, expanded += 128) {
        const cdz_v v = V_LOAD(decrypt ? k->decrypt[r] : k->encrypt[r], vl);
#define BIT(j) V_STORE(expanded + 16 * (j), V_BIT(v, j, vl), vl);
        BIT(0)
        BIT(1) BIT(2) BIT(3) BIT(4) BIT(5) BIT(6) BIT(7)
#undef BIT
    }
    return k->rounds;
}

/* ---- wide: a byte ---------------------------------------------------------------------------------- */

#define ADD_KEY(x, k, vl)                                                                                              \
    do {                                                                                                               \
        x##0 = V_XOR_BYTE(x##0, (k)[0], vl), x##1 = V_XOR_BYTE(x##1, (k)[16], vl);                                     \
        x##2 = V_XOR_BYTE(x##2, (k)[32], vl), x##3 = V_XOR_BYTE(x##3, (k)[48], vl);                                    \
        x##4 = V_XOR_BYTE(x##4, (k)[64], vl), x##5 = V_XOR_BYTE(x##5, (k)[80], vl);                                    \
        x##6 = V_XOR_BYTE(x##6, (k)[96], vl), x##7 = V_XOR_BYTE(x##7, (k)[112], vl);                                   \
    } while (0)

/* From MixColumns of round r on, to the end. */
static unsigned rest(uint8_t *state, const uint8_t *expanded, unsigned rounds, unsigned r, bool decrypt, size_t p) {
    const unsigned step = decrypt ? 3 : 1;
    unsigned shift = 0;
    for (;; r++) {
        shift = (shift + step) & 3;
        (decrypt ? cdz_ordered_unmix : cdz_ordered_mix)(state, expanded + 128 * r, shift, p);
        if (r == rounds - 1) break;
        (decrypt ? cdz_ordered_x1 : cdz_ordered_s1)(state, p);
    }
    shift = (shift + step) & 3;
    (decrypt ? cdz_ordered_last_x1 : cdz_ordered_last_s1)(state, expanded + 128 * rounds, shift, p);
    return shift;
}

unsigned cdz_aes_sliced_crypt(uint8_t *state, const uint8_t *expanded, unsigned rounds, bool decrypt, size_t p) {
    (decrypt ? cdz_ordered_first_x1 : cdz_ordered_first_s1)(state, expanded, p);
    return rest(state, expanded, rounds, 1, decrypt, p);
}

/* ---- wide: counters ---------------------------------------------------------------------------------- */

/* values: bit planes, as bytes of 0 and 0xff in the order of a key's, of the state after round 1 without what the two
 * counter bytes give to it, and of SubBytes of that. */
static CDZ_KERNEL void values_kernel(uint8_t *values, const struct cdz_aes_sliced_keys *k, const uint8_t ctr[16],
                                     const uint8_t at[2]) {
    const size_t vl = 16;
    /* The byte i rows below in the column that ShiftRows brings together. */
    static const uint8_t rows[4][16] = {{0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11},
                                        {5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8, 1, 6, 11, 12},
                                        {10, 15, 0, 5, 14, 3, 4, 9, 2, 7, 8, 13, 6, 11, 12, 1},
                                        {15, 0, 5, 10, 3, 4, 9, 14, 7, 8, 13, 2, 11, 12, 1, 6}};
    uint8_t constant[16];
    memset(constant, 0xff, 16);
    constant[at[0]] = constant[at[1]] = 0;
    const cdz_v mask = V_LOAD(constant, vl), v = V_XOR(V_LOAD(ctr, vl), V_LOAD(k->encrypt[0], vl), vl);
    cdz_v x0 = V_BIT(v, 0, vl), x1 = V_BIT(v, 1, vl), x2 = V_BIT(v, 2, vl), x3 = V_BIT(v, 3, vl);
    cdz_v x4 = V_BIT(v, 4, vl), x5 = V_BIT(v, 5, vl), x6 = V_BIT(v, 6, vl), x7 = V_BIT(v, 7, vl);
    SBOX(x);
    const cdz_v row0 = V_LOAD(rows[0], vl), row1 = V_LOAD(rows[1], vl), row2 = V_LOAD(rows[2], vl),
                row3 = V_LOAD(rows[3], vl), key = V_LOAD(k->encrypt[1], vl);
    cdz_v h, s, b;
#define MIX(j, down, reduce)                                                                                           \
    {                                                                                                                  \
        const cdz_v x = V_AND(x##j, mask, vl);                                                                         \
        b = V_GATHER(x, row1, vl);                                                                                     \
        const cdz_v y = X(X(b, V_GATHER(x, row2, vl)), X(V_GATHER(x, row3, vl), V_BIT(key, j, vl)));                   \
        b = X(V_GATHER(x, row0, vl), b);                                                                               \
        if (j == 7) h = b;                                                                                             \
        x##j = reduce ? X(y, h) : y;                                                                                   \
        s = b;                                                                                                         \
        (void)s;                                                                                                       \
    }
    /* Bit 7 first, for the reduction; a bit's sum goes to the bit above. */
    MIX(7, 6, 0)
    MIX(6, 5, 0) x7 = X(x7, s);
    MIX(5, 4, 0) x6 = X(x6, s);
    MIX(4, 3, 1) x5 = X(x5, s);
    MIX(3, 2, 1) x4 = X(x4, s);
    MIX(2, 1, 0) x3 = X(x3, s);
    MIX(1, 0, 1) x2 = X(x2, s);
    MIX(0, 0, 1) x1 = X(x1, s);
#undef MIX
#define STORE(j) V_STORE(values + 16 * (j), x##j, vl);
    STORE(0)
    STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7) SBOX(x);
    values += 128;
    STORE(0)
    STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7)
#undef STORE
}

void cdz_aes_sliced_ctr_values(uint8_t *values, const void *ks, const uint8_t ctr[16], const uint8_t at[2]) {
    values_kernel(values, ks, ctr, at);
    cdz_leave_nothing(256);
}

/* SubBytes of a counter byte's planes, then once, twice and three times the result behind each other. */
static CDZ_KERNEL void multiples(uint8_t *at, const uint8_t *key, size_t p) {
    const size_t vl = __riscv_vsetvl_e8m1(p);
    cdz_v V_EIGHT(x);
    V_LOAD8(at, x, vl);
    V_TRANSPOSE(x, vl);
    ADD_KEY(x, key, vl);
    SBOX(x);
    V_STORE8(at, x, vl);
    const cdz_v y0 = x7, y1 = X(x0, x7), y2 = x1, y3 = X(x2, x7), y4 = X(x3, x7), y5 = x4, y6 = x5, y7 = x6;
    V_STORE8(at + 8 * vl, y, vl);
    x0 = X(x0, y0), x1 = X(x1, y1), x2 = X(x2, y2), x3 = X(x3, y3);
    x4 = X(x4, y4), x5 = X(x5, y5), x6 = X(x6, y6), x7 = X(x7, y7);
    V_STORE8(at + 16 * vl, x, vl);
}

/* SubBytes of x with constants added. */
static CDZ_KERNEL void add_substitute(uint8_t *out, const uint8_t *in, const uint8_t *constants, size_t p) {
    const size_t vl = __riscv_vsetvl_e8m1(p);
    cdz_v V_EIGHT(x);
    V_LOAD8(in, x, vl);
    ADD_KEY(x, constants, vl);
    SBOX(x);
    V_STORE8(out, x, vl);
}

static void splat(uint8_t *out, const uint8_t *constants, size_t p) {
    for (size_t j = 0; j < 8; j++) V_STORE(out + j * p, V_SPLAT(constants[16 * j], p), p);
}

unsigned cdz_aes_sliced_ctr_crypt(uint8_t *state, const uint8_t *expanded, unsigned rounds, const uint8_t *values,
                                  const uint8_t at[2], unsigned low, size_t p) {
    /* The multiples are made in the places of columns that are filled afterwards: 24 planes for each counter byte, and
     * a column has 32. */
    unsigned column[2], spare[2], s = 0;
    for (unsigned i = 0; i < 2; i++) column[i] = (at[i] / 4u - at[i] % 4u) & 3;
    for (unsigned c = 0; c < 4; c++)
        if (c != column[0] && c != column[1]) spare[s++] = c;
    uint8_t *const x[2] = {state + 32 * p * spare[0], state + 32 * p * spare[1]};
    cdz_sliced_counter(x[0], x[1], low, p);
    for (unsigned i = 0; i < 2; i++) {
        multiples(x[i], expanded + at[i], p);
        for (unsigned row = 0; row < 4; row++) {
            /* Row `row` gets the byte of row at % 4 times 2, 3, 1, 1. */
            const unsigned d = (at[i] - row) & 3, b = 4 * column[i] + row;
            add_substitute(state + 8 * p * b, x[i] + 8 * p * (d == 0 ? 1 : d == 1 ? 2 : 0), values + b, p);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        for (unsigned b = 4 * spare[i]; b < 4 * spare[i] + 4; b++) splat(state + 8 * p * b, values + 128 + b, p);
    return rest(state, expanded, rounds, 2, false, p);
}

/* ---- eight ------------------------------------------------------------------------------------------ */

/* Elements of 32 bits hold a column: its rows turned by n places. */
#define TURN(x, n)                                                                                                     \
    __riscv_vreinterpret_v_u32m1_u8m1(__riscv_vmacc_vx_u32m1(                                                          \
        __riscv_vmulhu_vx_u32m1(__riscv_vreinterpret_v_u8m1_u32m1(x), UINT32_C(1) << (32 - 8 * (n)), vl / 4),          \
        UINT32_C(1) << (32 - 8 * (n)), __riscv_vreinterpret_v_u8m1_u32m1(x), vl / 4))

#define EIGHT_KEY(x, round_key)                                                                                        \
    do {                                                                                                               \
        const cdz_v k_ = V_GATHER(V_LOAD(round_key, 16), place, vl);                                                   \
        x##0 = X(x##0, V_BIT(k_, 0, vl)), x##1 = X(x##1, V_BIT(k_, 1, vl)), x##2 = X(x##2, V_BIT(k_, 2, vl));          \
        x##3 = X(x##3, V_BIT(k_, 3, vl)), x##4 = X(x##4, V_BIT(k_, 4, vl)), x##5 = X(x##5, V_BIT(k_, 5, vl));          \
        x##6 = X(x##6, V_BIT(k_, 6, vl)), x##7 = X(x##7, V_BIT(k_, 7, vl));                                            \
    } while (0)

#define EIGHT_ROWS(x)                                                                                                  \
    do {                                                                                                               \
        x##0 = V_GATHER(x##0, rows, vl), x##1 = V_GATHER(x##1, rows, vl), x##2 = V_GATHER(x##2, rows, vl);             \
        x##3 = V_GATHER(x##3, rows, vl), x##4 = V_GATHER(x##4, rows, vl), x##5 = V_GATHER(x##5, rows, vl);             \
        x##6 = V_GATHER(x##6, rows, vl), x##7 = V_GATHER(x##7, rows, vl);                                              \
    } while (0)

#define EIGHT_MIX(x)                                                                                                   \
    do {                                                                                                               \
        const cdz_v n0 = TURN(x##0, 1), n1 = TURN(x##1, 1), n2 = TURN(x##2, 1), n3 = TURN(x##3, 1);                    \
        const cdz_v n4 = TURN(x##4, 1), n5 = TURN(x##5, 1), n6 = TURN(x##6, 1), n7 = TURN(x##7, 1);                    \
        const cdz_v s0 = X(x##0, n0), s1 = X(x##1, n1), s2 = X(x##2, n2), s3 = X(x##3, n3);                            \
        const cdz_v s4 = X(x##4, n4), s5 = X(x##5, n5), s6 = X(x##6, n6), s7 = X(x##7, n7);                            \
        x##0 = X(X(n0, s7), TURN(s0, 2)), x##1 = X(X(n1, X(s0, s7)), TURN(s1, 2));                                     \
        x##2 = X(X(n2, s1), TURN(s2, 2)), x##3 = X(X(n3, X(s2, s7)), TURN(s3, 2));                                     \
        x##4 = X(X(n4, X(s3, s7)), TURN(s4, 2)), x##5 = X(X(n5, s4), TURN(s5, 2));                                     \
        x##6 = X(X(n6, s5), TURN(s6, 2)), x##7 = X(X(n7, s6), TURN(s7, 2));                                            \
    } while (0)

/* Adds 4 (x + x two rows further). */
#define EIGHT_UNMIX(x)                                                                                                 \
    do {                                                                                                               \
        const cdz_v d0 = X(x##0, TURN(x##0, 2)), d1 = X(x##1, TURN(x##1, 2)), d2 = X(x##2, TURN(x##2, 2));             \
        const cdz_v d3 = X(x##3, TURN(x##3, 2)), d4 = X(x##4, TURN(x##4, 2)), d5 = X(x##5, TURN(x##5, 2));             \
        const cdz_v d6 = X(x##6, TURN(x##6, 2)), d7 = X(x##7, TURN(x##7, 2)), d67 = X(d6, d7);                         \
        x##0 = X(x##0, d6), x##1 = X(x##1, d67), x##2 = X(x##2, X(d0, d7)), x##3 = X(x##3, X(d1, d6));                 \
        x##4 = X(x##4, X(d2, d67)), x##5 = X(x##5, X(d3, d7)), x##6 = X(x##6, d4), x##7 = X(x##7, d5);                 \
        EIGHT_MIX(x);                                                                                                  \
    } while (0)

/* A register's part of what is left. */
CDZ_INLINE size_t part(size_t bytes, size_t before, size_t vl) {
    return bytes <= before ? 0 : bytes - before < vl ? bytes - before : vl;
}

#define DEFINE_EIGHT(name, KEYS, S, MIX, INDEX)                                                                        \
    /* 1 to P / 2 blocks. */                                                                                           \
    static CDZ_KERNEL void name(const struct cdz_aes_sliced_keys *keys, const uint8_t *in, uint8_t *out,               \
                                size_t blocks) {                                                                       \
        const size_t vl = __riscv_vsetvl_e8m1(CDZ_PLANE_MOST), bytes = 16 * blocks;                                    \
        const cdz_v lane = __riscv_vid_v_u8m1(vl), place = V_AND_BYTE(lane, 15, vl);                                   \
        const cdz_v rows =                                                                                             \
            __riscv_vadd_vv_u8m1(V_GATHER(V_LOAD(INDEX, 16), place, vl), V_AND_BYTE(lane, 0xf0, vl), vl);              \
        cdz_v x0 = V_LOAD(in, part(bytes, 0, vl)), x1 = V_LOAD(in + vl, part(bytes, vl, vl));                          \
        cdz_v x2 = V_LOAD(in + 2 * vl, part(bytes, 2 * vl, vl)), x3 = V_LOAD(in + 3 * vl, part(bytes, 3 * vl, vl));    \
        cdz_v x4 = V_LOAD(in + 4 * vl, part(bytes, 4 * vl, vl)), x5 = V_LOAD(in + 5 * vl, part(bytes, 5 * vl, vl));    \
        cdz_v x6 = V_LOAD(in + 6 * vl, part(bytes, 6 * vl, vl)), x7 = V_LOAD(in + 7 * vl, part(bytes, 7 * vl, vl));    \
        V_TRANSPOSE(x, vl);                                                                                            \
        EIGHT_KEY(x, keys->KEYS[0]);                                                                                   \
        for (uint32_t r = 1; r < keys->rounds; r++) {                                                                  \
            S(x);                                                                                                      \
            EIGHT_ROWS(x);                                                                                             \
            MIX(x);                                                                                                    \
            EIGHT_KEY(x, keys->KEYS[r]);                                                                               \
        }                                                                                                              \
        S(x);                                                                                                          \
        EIGHT_ROWS(x);                                                                                                 \
        EIGHT_KEY(x, keys->KEYS[keys->rounds]);                                                                        \
        V_TRANSPOSE(x, vl);                                                                                            \
        V_STORE(out, x0, part(bytes, 0, vl)), V_STORE(out + vl, x1, part(bytes, vl, vl));                              \
        V_STORE(out + 2 * vl, x2, part(bytes, 2 * vl, vl)), V_STORE(out + 3 * vl, x3, part(bytes, 3 * vl, vl));        \
        V_STORE(out + 4 * vl, x4, part(bytes, 4 * vl, vl)), V_STORE(out + 5 * vl, x5, part(bytes, 5 * vl, vl));        \
        V_STORE(out + 6 * vl, x6, part(bytes, 6 * vl, vl)), V_STORE(out + 7 * vl, x7, part(bytes, 7 * vl, vl));        \
    }

static const uint8_t shift_rows[16] = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};
static const uint8_t unshift_rows[16] = {0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3};

DEFINE_EIGHT(eight_encrypt, encrypt, SBOX, EIGHT_MIX, shift_rows)
DEFINE_EIGHT(eight_decrypt, decrypt, INVERSE_SBOX, EIGHT_UNMIX, unshift_rows)

void cdz_aes_sliced_eight(const struct cdz_aes_sliced_keys *k, bool decrypt, const uint8_t *in, uint8_t *out,
                          size_t blocks) {
    const size_t most = __riscv_vsetvl_e8m1(CDZ_PLANE_MOST) / 2;
    while (blocks) {
        const size_t n = blocks < most ? blocks : most;
        if (decrypt)
            eight_decrypt(k, in, out, n);
        else
            eight_encrypt(k, in, out, n);
        in += 16 * n, out += 16 * n, blocks -= n;
    }
    cdz_leave_nothing(1024);
}

/* ---- the engine ---------------------------------------------------------------------------------------- */

#define ENGINE       cdz_aes_sliced_rvv
#define NAME         "aes/sliced-rvv"
#define NEEDS        ((UINT64_C(1) << CDZ_CPU_BIT_RVV) | (UINT64_C(1) << CDZ_CPU_BIT_SLICED))
#define NARROW       cdz_aes_portable
#define NARROW_KEY   CDZ_AES_PORTABLE_KEY
#define EIGHT_FROM   4
#define WIDE_FROM(p) (13 * ((p) / 2) + 1)
#define WIDE_CTR(p)  (11 * ((p) / 2))
extern const struct cdz_engine ENGINE;
#include "aes_sliced_engine.inc.h"
