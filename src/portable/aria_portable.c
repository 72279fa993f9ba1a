/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aria/portable: ARIA (RFC 5794) out of XOR, AND, shifts and fixed moves alone. No table is indexed by a secret, no
 * branch depends on one, key schedule and decryption included.
 *
 * Three kernels, chosen by the number of blocks:
 *
 *   narrow  one block, as 16 bytes. The four S-boxes are one inversion between affine maps, so the inversion's circuit
 *           runs once for all 16 bytes, whatever their type, and the maps, which differ from byte to byte, are made
 *           on bytes: a mask of ones for each byte whose bit j is set, times a constant vector of matrix columns.
 *   stripe  CDZ_STRIPE blocks as 32 words (words.h), on vectors only: an S-box type is 8 words, four circuits make the
 *           substitution, and 32-bit shuffles the diffusion.
 *   wide    CDZ_WORD_BITS blocks as 128 words: 16 circuits, and a diffusion that is XOR alone.
 *
 * Bytes are numbered as in words.h: byte 4c + t of a block is row t of column c, and the S-box type of a byte goes by
 * t: odd rounds S1 S2 X1 X2 for t = 0 1 2 3, even rounds X1 X2 S1 S2. All kernels and both schedules keep rows together
 * (byte 4t + c).
 *
 * The diffusion, with s = (3,2,0,1), m = (0,3,2,1) and n = s ^ m = (3,1,2,0), and x[t][c] for a byte:
 *
 *     y[t][c] = Q[t ^ m(c)] ^ T[t ^ s(c)] ^ x[t ^ n(c)][c]
 *     Q[k] = x[k ^ s(0)][0] ^ x[k ^ s(1)][1] ^ x[k ^ s(2)][2] ^ x[k ^ s(3)][3],  T[k] the same with m
 *
 * is RFC 5794's A (section 2.4.3) said in terms of a Latin square.
 */
#include "../aria/sbox_circuits.h"
#include "../aria/sbox_matrices.h"
#include "../engine.h"
#include "portable.h"

enum { MAX_ROUNDS = CDZ_ARIA_ROUNDS_MOST };

#define XOR(a, b) ((a) ^ (b))
#define AND(a, b) ((a) & (b))

/* ---- narrow --------------------------------------------------------------------------------------------------- */

/* The sum of eight, as a tree. */
#define SUM(term)                                                                                                      \
    cdz_block_xor(cdz_block_xor(cdz_block_xor(term(0), term(1)), cdz_block_xor(term(2), term(3))),                     \
                  cdz_block_xor(cdz_block_xor(term(4), term(5)), cdz_block_xor(term(6), term(7))))

/* The substitution layer of an odd (even = 0) or even round, without its constants. */
CDZ_INLINE cdz_block narrow_substitute(cdz_block x, unsigned even) {
#define COLUMN(n) cdz_block_and(cdz_plane_spread(cdz_block_plane(x, n)), cdz_block_load(cdz_aria_before[even][n]))
    const cdz_block y = SUM(COLUMN);
#undef COLUMN
    cdz_plane p0, p1, p2, p3, p4, p5, p6, p7;
    CDZ_INVERT(cdz_plane, XOR, AND, cdz_block_plane(y, 0), cdz_block_plane(y, 1), cdz_block_plane(y, 2),
               cdz_block_plane(y, 3), cdz_block_plane(y, 4), cdz_block_plane(y, 5), cdz_block_plane(y, 6),
               cdz_block_plane(y, 7), p0, p1, p2, p3, p4, p5, p6, p7);
#define COLUMN(n) cdz_block_and(cdz_plane_spread(p##n), cdz_block_load(cdz_aria_after[even][n]))
    return SUM(COLUMN);
#undef COLUMN
}

/* One byte of each lane from a, b, c, d in turn. */
CDZ_INLINE cdz_block pick_columns(cdz_block a, cdz_block b, cdz_block c, cdz_block d) {
    return cdz_block_xor(
        cdz_block_xor(cdz_block_and(a, cdz_block_lanes(0x000000ff)), cdz_block_and(b, cdz_block_lanes(0x0000ff00))),
        cdz_block_xor(cdz_block_and(c, cdz_block_lanes(0x00ff0000)), cdz_block_and(d, cdz_block_lanes(0xff000000))));
}

/* In each lane, the sum of its bytes in all four. */
CDZ_INLINE cdz_block sum_columns(cdz_block x) {
    x = cdz_block_xor(x, cdz_block_swap16(x));
    return cdz_block_xor(x, cdz_block_swap8(x));
}

CDZ_INLINE cdz_block narrow_diffuse(cdz_block x) {
    const cdz_block x1 = cdz_block_lane_xor(x, 1), x2 = cdz_block_lane_xor(x, 2), x3 = cdz_block_lane_xor(x, 3);
    const cdz_block q = sum_columns(pick_columns(x3, x2, x, x1)); /* s */
    const cdz_block t = sum_columns(pick_columns(x, x3, x2, x1)); /* m */
    const cdz_block y = pick_columns(x3, x1, x2, x);              /* n */
    const cdz_block qm = pick_columns(q, cdz_block_lane_xor(q, 3), cdz_block_lane_xor(q, 2), cdz_block_lane_xor(q, 1));
    const cdz_block ts = pick_columns(cdz_block_lane_xor(t, 3), cdz_block_lane_xor(t, 2), t, cdz_block_lane_xor(t, 1));
    return cdz_block_xor(y, cdz_block_xor(qm, ts));
}

CDZ_INLINE cdz_block narrow_cipher(const uint8_t (*rk)[16], unsigned rounds, cdz_block x) {
    for (unsigned r = 0;; r += 2) {
        x = narrow_substitute(cdz_block_xor(x, cdz_block_load(rk[r])), 0);
        x = cdz_block_xor(narrow_diffuse(x), cdz_block_load(rk[r + 1]));
        x = narrow_substitute(x, 1);
        if (r + 2 == rounds) break;
        x = narrow_diffuse(x);
    }
    return cdz_block_xor(x, cdz_block_load(rk[rounds]));
}

static CDZ_KERNEL void narrow(const uint8_t (*rk)[16], unsigned rounds, const uint8_t *in, uint8_t *out,
                              size_t blocks) {
    for (; blocks; blocks--, in += 16, out += 16) {
        const cdz_block x = cdz_block_transpose(cdz_block_load(in));
        cdz_block_store(out, cdz_block_transpose(narrow_cipher(rk, rounds, x)));
    }
}

/* The modes in which a block waits for the one before. */
enum chain { CBC, CBC_MAC, CFB, OFB };

static CDZ_KERNEL void narrow_chain(const uint8_t (*rk)[16], unsigned rounds, enum chain mode, uint8_t iv[16],
                                    const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_block x = cdz_block_transpose(cdz_block_load(iv));
    for (; blocks; blocks--, in += 16) {
        const cdz_block m = cdz_block_transpose(cdz_block_load(in));
        if (mode == CBC || mode == CBC_MAC) x = cdz_block_xor(x, m);
        x = narrow_cipher(rk, rounds, x);
        if (mode == CFB) x = cdz_block_xor(x, m);
        if (mode == CBC_MAC) continue;
        cdz_block_store(out, cdz_block_transpose(mode == OFB ? cdz_block_xor(x, m) : x));
        out += 16;
    }
    cdz_block_store(iv, cdz_block_transpose(x));
}

/* ---- stripe and wide: the substitution layer -------------------------------------------------------------------- */

/* One circuit over 8 words, the round key's added before. */
#define SUBSTITUTE(circuit, y, x, k)                                                                                   \
    circuit(cdz_word, XOR, AND, (x)[0] ^ (k)[0], (x)[1] ^ (k)[1], (x)[2] ^ (k)[2], (x)[3] ^ (k)[3], (x)[4] ^ (k)[4],   \
            (x)[5] ^ (k)[5], (x)[6] ^ (k)[6], (x)[7] ^ (k)[7], (y)[0], (y)[1], (y)[2], (y)[3], (y)[4], (y)[5], (y)[6], \
            (y)[7])

/* All four rows of `columns` columns (1 for a stripe, 4 when wide). */
CDZ_INLINE void substitute(cdz_word *y, const cdz_word *x, const cdz_word *k, unsigned even, unsigned columns) {
    const unsigned row = 8 * columns;
    const unsigned s1 = even ? 2 * row : 0, s2 = s1 + row, x1 = 2 * row - s1, x2 = x1 + row;
    for (unsigned i = 0; i < row; i += 8) {
        SUBSTITUTE(CDZ_S1, y + s1 + i, x + s1 + i, k + s1 + i);
        SUBSTITUTE(CDZ_S2, y + s2 + i, x + s2 + i, k + s2 + i);
        SUBSTITUTE(CDZ_X1, y + x1 + i, x + x1 + i, k + x1 + i);
        SUBSTITUTE(CDZ_X2, y + x2 + i, x + x2 + i, k + x2 + i);
    }
}

/* The first round's S-box of the counter's fast byte: the round is an odd one, and the byte of row 0 or 3. */
CDZ_INLINE void substitute_fast(cdz_word p[8], int le) {
    if (le)
        CDZ_S1(cdz_word, XOR, AND, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[0], p[1], p[2], p[3], p[4], p[5],
               p[6], p[7]);
    else
        CDZ_X2(cdz_word, XOR, AND, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[0], p[1], p[2], p[3], p[4], p[5],
               p[6], p[7]);
}

/* ---- stripe --------------------------------------------------------------------------------------------------- */

#if CDZ_VECTORS

/* Lane i of the result is lane i ^ n. */
#define LANES_XOR(x, n) CDZ_LANES(x, x, 0 ^ (n), 1 ^ (n), 2 ^ (n), 3 ^ (n))

CDZ_INLINE void stripe_diffuse(cdz_word *w) {
    for (unsigned b = 0; b < 8; b++) {
        /* From one word a row to one a column; lane t is then row t. */
        cdz_word c0 = w[b], c1 = w[8 + b], c2 = w[16 + b], c3 = w[24 + b];
        cdz_transpose_groups(&c0, &c1, &c2, &c3);
        const cdz_word c03 = LANES_XOR(c0, 3), c13 = LANES_XOR(c1, 3), c22 = LANES_XOR(c2, 2), c31 = LANES_XOR(c3, 1);
        const cdz_word q = c03 ^ LANES_XOR(c1, 2) ^ c2 ^ c31;
        const cdz_word t = c0 ^ c13 ^ c22 ^ c31;
        c0 = q ^ LANES_XOR(t, 3) ^ c03;
        c1 = LANES_XOR(q, 3) ^ LANES_XOR(t, 2) ^ LANES_XOR(c1, 1);
        c2 = LANES_XOR(q, 2) ^ t ^ c22;
        c3 = LANES_XOR(q, 1) ^ LANES_XOR(t, 1) ^ c3;
        cdz_transpose_groups(&c0, &c1, &c2, &c3);
        w[b] = c0, w[8 + b] = c1, w[16 + b] = c2, w[24 + b] = c3;
    }
}

CDZ_INLINE void stripe_key(cdz_word k[32], const uint8_t key[16]) {
    cdz_key_word w[32];
    cdz_slice_key(w, key);
    for (unsigned i = 0; i < 32; i++) k[i] = cdz_from_key_word(w[i]);
}

/* From the substitution of round `from` + 1 on. */
CDZ_INLINE void stripe_rounds(cdz_word x[32], const uint8_t (*rk)[16], unsigned rounds, unsigned from) {
    cdz_word k[32];
    for (unsigned r = from;; r++) {
        stripe_key(k, rk[r]);
        substitute(x, x, k, r & 1, 1);
        if (r + 1 == rounds) break;
        stripe_diffuse(x);
    }
    stripe_key(k, rk[rounds]);
    for (unsigned i = 0; i < 32; i++) x[i] ^= k[i];
}

static CDZ_KERNEL void stripe(const uint8_t (*rk)[16], unsigned rounds, const uint8_t *in, uint8_t *out,
                              size_t blocks) {
    uint8_t part[16 * CDZ_STRIPE];
    cdz_word x[32];
    for (size_t n; blocks; blocks -= n, in += 16 * n, out += 16 * n) {
        n = blocks < CDZ_STRIPE ? blocks : CDZ_STRIPE;
        const int whole = n == CDZ_STRIPE;
        if (!whole) {
            memset(part, 0, sizeof part);
            cdz_copy(part, in, 16 * n);
        }
        cdz_slice(x, whole ? in : part);
        stripe_rounds(x, rk, rounds, 0);
        cdz_unslice(whole ? out : part, x, NULL);
        if (!whole) cdz_copy(out, part, 16 * n);
    }
}

/* Counter mode: the first substitution layer is known but for the fast byte's S-box; see cdz_count_known(). */
static CDZ_KERNEL void stripe_ctr(const uint8_t (*rk)[16], unsigned rounds, const uint8_t ctr[16], int le,
                                  const uint8_t *in, uint8_t *out, size_t len) {
    uint8_t part[16 * CDZ_STRIPE], block[16];
    cdz_word x[32], p[8];
    cdz_key_word known[2][32];
    int slow[2] = {-1, -1};
    unsigned low = cdz_counter_low(ctr, le);
    for (size_t n; len; len -= n, in += n, out += n, low += CDZ_STRIPE) {
        n = len < sizeof part ? len : sizeof part;
        for (unsigned v = low >> 8; v <= (low + CDZ_STRIPE - 1) >> 8; v++) {
            if (slow[v & 1] == (int)v) continue;
            slow[v & 1] = (int)v;
            memcpy(block, ctr, 16);
            cdz_counter_set_low(block, v << 8, le);
            const cdz_block b = cdz_block_xor(cdz_block_transpose(cdz_block_load(block)), cdz_block_load(rk[0]));
            cdz_block_store(block, narrow_substitute(b, 0));
            cdz_slice_key(known[v & 1], block);
        }
        cdz_count_known(x, p, known, low, le, rk[0][CDZ_FAST(le)]); /* byte 15 or 0 in rows as well */
        substitute_fast(p, le);
        cdz_count_fast(x, p, le);
        stripe_diffuse(x);
        stripe_rounds(x, rk, rounds, 1);
        if (n == sizeof part) {
            cdz_unslice(out, x, in);
        } else {
            cdz_unslice(part, x, NULL);
            cdz_xor(out, in, part, n);
        }
    }
}

#endif

/* ---- wide ----------------------------------------------------------------------------------------------------- */

CDZ_INLINE void wide_diffuse(cdz_word *y, const cdz_word *x) {
    for (unsigned b = 0; b < 8; b++, x++, y++) {
/* Byte i of RFC 5794, which is row i mod 4, column i / 4. */
#define B(i) ((i) % 4 * 32 + (i) / 4 * 8)
        const cdz_word q0 = x[B(3)] ^ x[B(6)] ^ x[B(8)] ^ x[B(13)], q1 = x[B(2)] ^ x[B(7)] ^ x[B(9)] ^ x[B(12)];
        const cdz_word q2 = x[B(1)] ^ x[B(4)] ^ x[B(10)] ^ x[B(15)], q3 = x[B(0)] ^ x[B(5)] ^ x[B(11)] ^ x[B(14)];
#define Y(i, q, j, k, l) y[B(i)] = q ^ x[B(j)] ^ x[B(k)] ^ x[B(l)]
        Y(0, q0, 4, 9, 14);
        Y(1, q1, 5, 8, 15);
        Y(2, q2, 6, 11, 12);
        Y(3, q3, 7, 10, 13);
        Y(4, q3, 2, 8, 15);
        Y(5, q2, 3, 9, 14);
        Y(6, q1, 0, 10, 13);
        Y(7, q0, 1, 11, 12);
        Y(8, q2, 0, 7, 13);
        Y(9, q3, 1, 6, 12);
        Y(10, q0, 2, 5, 15);
        Y(11, q1, 3, 4, 14);
        Y(12, q1, 1, 6, 11);
        Y(13, q0, 0, 7, 10);
        Y(14, q3, 3, 4, 9);
        Y(15, q2, 2, 5, 8);
#undef Y
#undef B
    }
}

/* Batches that go through a round together, so that its key is spread once for all of them: 8 KiB of state at most. */
enum { TOGETHER = CDZ_WORD_BITS <= 128 ? 4 : 512 / CDZ_WORD_BITS };

/* Rounds first + 1 to the last one, in place. */
CDZ_INLINE void wide_rounds(cdz_word (*x)[128], unsigned batches, const uint8_t (*rk)[16], unsigned rounds,
                            unsigned first) {
    cdz_word y[128], k[128];
    for (unsigned r = first; r < rounds; r++) {
        cdz_slice_key_full(k, rk[r]);
        for (unsigned n = 0; n < batches; n++) {
            substitute(y, x[n], k, r & 1, 4);
            if (r + 1 < rounds)
                wide_diffuse(x[n], y);
            else
                memcpy(x[n], y, sizeof y);
        }
    }
    cdz_slice_key_full(k, rk[rounds]);
    for (unsigned n = 0; n < batches; n++)
        for (unsigned i = 0; i < 128; i++) x[n][i] ^= k[i];
}

static CDZ_KERNEL void wide(const uint8_t (*rk)[16], unsigned rounds, const uint8_t *in, uint8_t *out, size_t blocks) {
    enum { SIZE = 16 * CDZ_WORD_BITS };
    cdz_word x[TOGETHER][128];
    uint8_t part[SIZE];
    for (size_t len = 16 * blocks, now; len; len -= now, in += now, out += now) {
        unsigned n = 0;
        now = len < TOGETHER * SIZE ? len : TOGETHER * SIZE;
        for (size_t at = 0; at < now; at += SIZE, n++) {
            const uint8_t *p = in + at;
            if (now - at < SIZE) {
                memset(part, 0, sizeof part);
                cdz_copy(part, p, now - at);
                p = part;
            }
            cdz_slice_full(x[n], p);
        }
        wide_rounds(x, n, rk, rounds, 0);
        n = 0;
        for (size_t at = 0; at < now; at += SIZE, n++) {
            const int whole = now - at >= SIZE;
            cdz_unslice_full(whole ? out + at : part, x[n], NULL);
            if (!whole) cdz_copy(out + at, part, now - at);
        }
    }
}

/* ---- counter mode ----------------------------------------------------------------------------------------------- */

#if CDZ_WORD_BITS <= 256

/*
 * Before the first diffusion all bytes but the counter's fast one are the same in all blocks of a batch, or differ in
 * two ways (words.h). The diffusion takes the fast byte to seven others; the remaining nine are known right through the
 * second substitution.
 *
 * What is known is computed on one block for each value of the slow byte and then spread over the words. On words
 * are left: one S-box in the first round, and seven in the second, whose inputs are the fast byte's output plus what is
 * known. That is 8 S-boxes of 32.
 */
#define ROWS(j) (1u << ((j) % 4 * 4 + (j) / 4)) /* byte 4c + t as bit 4t + c */
#define TOUCHED_BY_15                                                                                                  \
    (ROWS(1) | ROWS(2) | ROWS(4) | ROWS(5) | ROWS(8) | ROWS(10) | ROWS(15)) /* y1 y2 y4 y5 y8 y10 y15 have x15 */
#define TOUCHED_BY_0 (ROWS(3) | ROWS(4) | ROWS(6) | ROWS(8) | ROWS(9) | ROWS(13) | ROWS(14))

/* For one value of the slow byte: of touched bytes the input of the second substitution, but for the fast byte's
 * part; of the others its output. */
CDZ_INLINE void wide_ctr_known(cdz_word known[128], const uint8_t (*rk)[16], const uint8_t ctr[16], unsigned low,
                               int le) {
    const unsigned touched = le ? TOUCHED_BY_0 : TOUCHED_BY_15;
    uint8_t block[16], fast[16] = {0}, pick[16];
    memcpy(block, ctr, 16);
    cdz_counter_set_low(block, low, le);
    fast[CDZ_FAST(le)] = 0xff;
    for (unsigned j = 0; j < 16; j++) pick[j] = (uint8_t)(0 - (touched >> j & 1));
    cdz_block x = cdz_block_xor(cdz_block_transpose(cdz_block_load(block)), cdz_block_load(rk[0]));
    x = narrow_substitute(x, 0);
    x = cdz_block_xor(x, cdz_block_and(x, cdz_block_load(fast)));
    x = cdz_block_xor(narrow_diffuse(x), cdz_block_load(rk[1]));
    const cdz_block y = narrow_substitute(x, 1);
    x = cdz_block_xor(y, cdz_block_and(cdz_block_xor(x, y), cdz_block_load(pick)));
    cdz_block_store(block, x);
    cdz_slice_key_full(known, block);
}

/* CDZ_WORD_BITS counter blocks up to the second diffusion. known[] is kept from batch to batch: known[v & 1] is that of
 * slow[v & 1] == v. */
CDZ_INLINE void wide_ctr_start(cdz_word x[128], cdz_word (*known)[128], int slow[2], const uint8_t (*rk)[16],
                               const uint8_t ctr[16], unsigned low, int le) {
    cdz_word p[8], y[128], wrapped;
    const cdz_word *k = known[low >> 8 & 1];
    for (unsigned v = low >> 8; v <= (low + CDZ_WORD_BITS - 1) >> 8; v++) {
        if (slow[v & 1] == (int)v) continue;
        wide_ctr_known(known[v & 1], rk, ctr, v << 8, le);
        slow[v & 1] = (int)v;
    }
    cdz_count(p, &wrapped, (uint8_t)low);
    if ((low & 255) + CDZ_WORD_BITS > 256) {
        const cdz_word *other = known[~low >> 8 & 1];
        for (unsigned i = 0; i < 128; i++) x[i] = k[i] ^ ((k[i] ^ other[i]) & wrapped);
        k = x;
    }
    const uint8_t key = rk[0][CDZ_FAST(le)]; /* byte 15 or 0 in rows as well */
    for (unsigned b = 0; b < 8; b++) p[b] ^= CDZ_MASK(key >> b & 1);
    substitute_fast(p, le);
    const unsigned touched = le ? TOUCHED_BY_0 : TOUCHED_BY_15;
#define ROW(t, circuit)                                                                                                \
    for (unsigned j = 4 * (t); j < 4 * (t) + 4; j++) {                                                                 \
        if (touched >> j & 1)                                                                                          \
            SUBSTITUTE(circuit, y + 8 * j, p, k + 8 * j);                                                              \
        else                                                                                                           \
            memcpy(y + 8 * j, k + 8 * j, 8 * sizeof *y);                                                               \
    }
    ROW(0, CDZ_X1)
    ROW(1, CDZ_X2)
    ROW(2, CDZ_S1)
    ROW(3, CDZ_S2)
#undef ROW
    wide_diffuse(x, y);
}

#else

/* A batch may be longer than the fast byte's period: nothing is saved then. */
CDZ_INLINE void wide_ctr_start(cdz_word x[128], const uint8_t ctr[16], unsigned low, int le) {
    uint8_t block[16 * CDZ_WORD_BITS];
    for (unsigned i = 0; i < CDZ_WORD_BITS; i++) {
        memcpy(block + 16 * i, ctr, 16);
        cdz_counter_set_low(block + 16 * i, low + i, le);
    }
    cdz_slice_full(x, block);
}

#endif

/* Any length; meant for long ones. */
static CDZ_KERNEL void wide_ctr(const struct cdz_aria_portable_keys *k, const uint8_t ctr[16], int le,
                                const uint8_t *in, uint8_t *out, size_t len) {
    enum { SIZE = 16 * CDZ_WORD_BITS };
    cdz_word x[TOGETHER][128];
    uint8_t part[SIZE];
    unsigned low = cdz_counter_low(ctr, le);
#if CDZ_WORD_BITS <= 256
    cdz_word known[2][128];
    int slow[2] = {-1, -1};
#endif
    while (len) {
        const size_t now = len < TOGETHER * SIZE ? len : TOGETHER * SIZE;
        unsigned n = 0;
        for (size_t at = 0; at < now; at += SIZE, n++, low += CDZ_WORD_BITS) {
#if CDZ_WORD_BITS <= 256
            wide_ctr_start(x[n], known, slow, k->enc, ctr, low, le);
#else
            wide_ctr_start(x[n], ctr, low, le);
#endif
        }
        wide_rounds(x, n, k->enc, k->rounds, CDZ_WORD_BITS <= 256 ? 2 : 0);
        n = 0;
        for (size_t at = 0; at < now; at += SIZE, n++) {
            if (now - at >= SIZE) {
                cdz_unslice_full(out + at, x[n], in + at);
            } else {
                cdz_unslice_full(part, x[n], NULL);
                cdz_xor(out + at, in + at, part, now - at);
            }
        }
        len -= now, in += now, out += now;
    }
}

/* ---- the engine ------------------------------------------------------------------------------------------------ */

/*
 * Up to how many blocks the narrower kernels are the quicker ones. In units of its cost for a block, the narrow kernel
 * takes 1, a stripe of any number of blocks 4, a batch on the wide one 9 (128-bit words).
 */
enum { NARROW_MAX = CDZ_VECTORS ? 3 : 6, STRIPE_MAX = CDZ_VECTORS ? 2 * CDZ_STRIPE : NARROW_MAX };

/* Bytes of stack that the kernels use at most, as wipe.h wants to know them: their arrays and what the compiler adds.
 */
enum {
    NARROW_STACK = 1024,
    STRIPE_STACK = 8 * sizeof(cdz_word[32]) + 2048,
    WIDE_STACK = (TOGETHER + 6) * sizeof(cdz_word[128]) + 3072,
    KEY_STACK = 3072
};

static void leave_nothing(size_t blocks) {
    cdz_leave_nothing(blocks <= NARROW_MAX ? NARROW_STACK : blocks <= STRIPE_MAX ? STRIPE_STACK : WIDE_STACK);
}

static void crypt(const uint8_t (*rk)[16], unsigned rounds, const uint8_t *in, uint8_t *out, size_t blocks) {
    size_t left = blocks, n = cdz_share(left, CDZ_WORD_BITS, STRIPE_MAX);
    if (n) wide(rk, rounds, in, out, n);
    left -= n, in += 16 * n, out += 16 * n;
#if CDZ_VECTORS
    n = cdz_share(left, CDZ_STRIPE, NARROW_MAX);
    if (n) stripe(rk, rounds, in, out, n);
    left -= n, in += 16 * n, out += 16 * n;
#endif
    if (left) narrow(rk, rounds, in, out, left);
    leave_nothing(blocks);
}

static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_portable_keys *k = ks;
    crypt(k->enc, k->rounds, in, out, blocks);
}

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_portable_keys *k = ks;
    crypt(k->dec, k->rounds, in, out, blocks);
}

static CDZ_KERNEL void narrow_ctr(const uint8_t (*rk)[16], unsigned rounds, const uint8_t ctr[16], int le,
                                  const uint8_t *in, uint8_t *out, size_t len) {
    uint8_t block[16];
    unsigned low = cdz_counter_low(ctr, le);
    for (size_t n; len; len -= n, in += n, out += n) {
        n = len < 16 ? len : 16;
        memcpy(block, ctr, 16);
        cdz_counter_set_low(block, low++, le);
        cdz_block_store(block,
                        cdz_block_transpose(narrow_cipher(rk, rounds, cdz_block_transpose(cdz_block_load(block)))));
        cdz_xor(out, in, block, n);
    }
}

static void ctr_crypt(const void *ks, const uint8_t ctr[16], int le, const uint8_t *in, uint8_t *out, size_t len) {
    const struct cdz_aria_portable_keys *k = ks;
    const size_t blocks = len / 16 + (len % 16 != 0);
    const unsigned low = cdz_counter_low(ctr, le);
    uint8_t next[16];
    size_t done = cdz_share(blocks, CDZ_WORD_BITS, STRIPE_MAX), n = 16 * done < len ? 16 * done : len;
    if (n) wide_ctr(k, ctr, le, in, out, n);
    len -= n, in += n, out += n;
    memcpy(next, ctr, 16);
    cdz_counter_set_low(next, low + (unsigned)done, le);
#if CDZ_VECTORS
    const size_t some = cdz_share(blocks - done, CDZ_STRIPE, NARROW_MAX);
    n = 16 * some < len ? 16 * some : len;
    if (n) stripe_ctr(k->enc, k->rounds, next, le, in, out, n);
    len -= n, in += n, out += n;
    done += some;
    cdz_counter_set_low(next, low + (unsigned)done, le);
#endif
    if (len) narrow_ctr(k->enc, k->rounds, next, le, in, out, len);
    leave_nothing(blocks);
}

static void ctr(const void *ks, const uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_crypt(ks, counter, 0, in, out, len);
}

static void ctr32le(const void *ks, const uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_crypt(ks, counter, 1, in, out, len);
}

static void chain(const struct cdz_aria_portable_keys *k, enum chain mode, uint8_t iv[16], const uint8_t *in,
                  uint8_t *out, size_t blocks) {
    narrow_chain(k->enc, k->rounds, mode, iv, in, out, blocks);
    cdz_leave_nothing(NARROW_STACK);
}

static void cbc_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    chain(ks, CBC, iv, in, out, blocks);
}

static void cfb_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    chain(ks, CFB, iv, in, out, blocks);
}

static void ofb(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    chain(ks, OFB, iv, in, out, blocks);
}

static void cbc_mac(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    chain(ks, CBC_MAC, x, in, NULL, blocks);
}

/* ---- key schedule ----------------------------------------------------------------------------------------------- */

/* RFC 5794 section 2.2: the first 3 * 128 fractional bits of 1 / pi. */
static const uint8_t ck[3][16] = {
    {0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0},
    {0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0},
    {0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e},
};

/* Key expansion's round functions FO (even = 0) and FE: the round with its constants. */
CDZ_INLINE cdz_block schedule_round(cdz_block x, const uint8_t key[16], unsigned even) {
    x = cdz_block_xor(x, cdz_block_xor(cdz_block_transpose(cdz_block_load(key)), cdz_block_load(cdz_aria_in[even])));
    x = narrow_substitute(x, even);
    return narrow_diffuse(cdz_block_xor(x, cdz_block_load(cdz_aria_out[even])));
}

static CDZ_KERNEL void set_key_kernel(struct cdz_aria_portable_keys *k, const uint8_t *key, size_t key_len) {
    uint8_t full[32] = {0}, w[4][16];
    cdz_block x[4], plain[MAX_ROUNDS + 1];
    const unsigned which = (unsigned)(key_len - 16) / 8, rounds = 12 + 2 * which;
    cdz_copy(full, key, key_len);
    x[0] = cdz_block_transpose(cdz_block_load(full));
    x[1] = schedule_round(x[0], ck[which], 0);
    x[1] = cdz_block_xor(x[1], cdz_block_transpose(cdz_block_load(full + 16)));
    x[2] = cdz_block_xor(schedule_round(x[1], ck[(which + 1) % 3], 1), x[0]);
    x[3] = cdz_block_xor(schedule_round(x[2], ck[(which + 2) % 3], 0), x[1]);
    for (unsigned i = 0; i < 4; i++) cdz_block_store(w[i], cdz_block_transpose(x[i]));

    /* ek(4 i + j + 1) = W(j) ^ (W(j + 1) rotated right by 19, 31, then left by 61, 31, 19) */
    static const uint8_t right[5] = {19, 31, 128 - 61, 128 - 31, 128 - 19};
    for (unsigned i = 0; i <= rounds; i++) {
        const uint8_t *a = w[i % 4], *b = w[(i + 1) % 4];
        const unsigned n = right[i / 4], shift = n % 64;
        uint64_t h = cdz_load_be64(b), l = cdz_load_be64(b + 8);
        if (n >= 64) {
            const uint64_t swap = h;
            h = l, l = swap;
        }
        uint8_t rk[16];
        cdz_store_be64(rk, cdz_load_be64(a) ^ (h >> shift | l << (64 - shift)));
        cdz_store_be64(rk + 8, cdz_load_be64(a + 8) ^ (l >> shift | h << (64 - shift)));
        plain[i] = cdz_block_transpose(cdz_block_load(rk));
    }

    /* The key of round i + 1, which is an odd one where i is even, brings the constants that came out of round i and
     * those that go in. */
    const cdz_block odd =
        cdz_block_xor(cdz_block_load(cdz_aria_in[0]), narrow_diffuse(cdz_block_load(cdz_aria_out[1])));
    const cdz_block even =
        cdz_block_xor(cdz_block_load(cdz_aria_in[1]), narrow_diffuse(cdz_block_load(cdz_aria_out[0])));
    k->rounds = (uint8_t)rounds;
    cdz_block_store(k->enc[0], cdz_block_xor(plain[0], cdz_block_load(cdz_aria_in[0])));
    cdz_block_store(k->dec[0], cdz_block_xor(plain[rounds], cdz_block_load(cdz_aria_in[0])));
    for (unsigned i = 1; i < rounds; i++) {
        const cdz_block c = i & 1 ? even : odd;
        cdz_block_store(k->enc[i], cdz_block_xor(plain[i], c));
        cdz_block_store(k->dec[i], cdz_block_xor(narrow_diffuse(plain[rounds - i]), c));
    }
    cdz_block_store(k->enc[rounds], cdz_block_xor(plain[rounds], cdz_block_load(cdz_aria_out[1])));
    cdz_block_store(k->dec[rounds], cdz_block_xor(plain[0], cdz_block_load(cdz_aria_out[1])));
}

_Static_assert(sizeof(struct cdz_aria_portable_keys) <= CDZ_ARIA_PORTABLE_KEY, "portable.h");

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    set_key_kernel(ks, key, key_len);
    cdz_leave_nothing(KEY_STACK);
}

const struct cdz_engine cdz_aria_portable = {
    .name = "aria/portable",
    .cipher = CDZ_ARIA,
    .batch = CDZ_WORD_BITS,
    .needs = 0,
    .key_size = CDZ_ARIA_PORTABLE_KEY,
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = cbc_encrypt,
    .cfb_encrypt = cfb_encrypt,
    .ofb = ofb,
    .cbc_mac = cbc_mac,
};
