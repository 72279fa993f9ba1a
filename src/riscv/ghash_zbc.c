/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ghash/zbc: GHASH and POLYVAL with the carry-less multiplications of scalar RISC-V (Zbc; Zbb to reverse bytes).
 *
 * A product of two blocks is three of 64 bits (Karatsuba), each in two instructions. Four blocks are multiplied by the
 * powers H^4 to H^1 and added up before one reduction. Loads are of whole words: a buffer that is not aligned to 8
 * bytes is copied piece by piece first, since cores differ in what unaligned loads cost them, down to a trap.
 */
#include "../engine.h"
#include "../util/wipe.h"
#include "polyval.h"

extern const struct cdz_hash cdz_ghash_zbc;

enum { POWERS = 4, PIECE = 512 };

struct key {
    struct cdz_word2 power[POWERS]; /* H^4 to H^1 */
    uint64_t sum[POWERS];           /* low ^ high of each */
};

CDZ_INLINE uint64_t mul_low(uint64_t a, uint64_t b) {
    uint64_t r;
    __asm__("clmul %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

CDZ_INLINE uint64_t mul_high(uint64_t a, uint64_t b) {
    uint64_t r;
    __asm__("clmulh %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

/* An unreduced sum of products: of the low words, of the high words, and of the words' sums. */
struct product {
    uint64_t l0, l1, h0, h1, m0, m1;
};

#define ADD_PRODUCT(p, a, b, b_sum)                                                                                    \
    do {                                                                                                               \
        const struct cdz_word2 a_ = (a), b_ = (b);                                                                     \
        const uint64_t as_ = a_.low ^ a_.high, bs_ = (b_sum);                                                          \
        p.l0 ^= mul_low(a_.low, b_.low), p.l1 ^= mul_high(a_.low, b_.low);                                             \
        p.h0 ^= mul_low(a_.high, b_.high), p.h1 ^= mul_high(a_.high, b_.high);                                         \
        p.m0 ^= mul_low(as_, bs_), p.m1 ^= mul_high(as_, bs_);                                                         \
    } while (0)

CDZ_INLINE struct cdz_word2 reduce(struct product p) {
    p.m0 ^= p.l0 ^ p.h0;
    p.m1 ^= p.l1 ^ p.h1;
    const uint64_t p0 = p.l0, p1 = p.l1 ^ p.m0 ^ mul_low(p0, CDZ_POLYVAL_Q);
    const uint64_t p2 = p.h0 ^ p.m1 ^ p0 ^ mul_high(p0, CDZ_POLYVAL_Q) ^ mul_low(p1, CDZ_POLYVAL_Q);
    return (struct cdz_word2){p2, p.h1 ^ p1 ^ mul_high(p1, CDZ_POLYVAL_Q)};
}

/* A block of an aligned buffer. */
CDZ_INLINE struct cdz_word2 block(const uint8_t *p, bool reversed) {
    const uint8_t *const q = __builtin_assume_aligned(p, 8);
    if (reversed) return (struct cdz_word2){cdz_load_be64(q + 8), cdz_load_be64(q)};
    return (struct cdz_word2){cdz_load_le64(q), cdz_load_le64(q + 8)};
}

CDZ_INLINE struct cdz_word2 add(struct cdz_word2 a, struct cdz_word2 b) {
    return (struct cdz_word2){a.low ^ b.low, a.high ^ b.high};
}

CDZ_INLINE struct cdz_word2 hash(const struct key *k, struct cdz_word2 y, const uint8_t *in, size_t blocks,
                                 bool reversed) {
    for (; blocks >= POWERS; blocks -= POWERS, in += 16 * POWERS) {
        struct product p = {0, 0, 0, 0, 0, 0};
        ADD_PRODUCT(p, add(y, block(in, reversed)), k->power[0], k->sum[0]);
        ADD_PRODUCT(p, block(in + 16, reversed), k->power[1], k->sum[1]);
        ADD_PRODUCT(p, block(in + 32, reversed), k->power[2], k->sum[2]);
        ADD_PRODUCT(p, block(in + 48, reversed), k->power[3], k->sum[3]);
        y = reduce(p);
    }
    for (; blocks; blocks--, in += 16) {
        struct product p = {0, 0, 0, 0, 0, 0};
        ADD_PRODUCT(p, add(y, block(in, reversed)), k->power[POWERS - 1], k->sum[POWERS - 1]);
        y = reduce(p);
    }
    return y;
}

CDZ_INLINE void run(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks, bool reversed) {
    _Alignas(8) uint8_t piece[PIECE];
    memcpy(piece, y, 16);
    struct cdz_word2 acc = block(piece, reversed);
    if ((uintptr_t)in % 8 == 0) {
        acc = hash(hk, acc, in, blocks, reversed);
    } else {
        const size_t most = blocks < PIECE / 16 ? 16 * blocks : PIECE;
        while (blocks) {
            const size_t n = blocks < PIECE / 16 ? blocks : PIECE / 16;
            memcpy(piece, in, 16 * n);
            acc = hash(hk, acc, piece, n, reversed);
            in += 16 * n, blocks -= n;
        }
        cdz_wipe(piece, most);
    }
    if (reversed) {
        cdz_store_be64(y, acc.high);
        cdz_store_be64(y + 8, acc.low);
    } else {
        cdz_store_le64(y, acc.low);
        cdz_store_le64(y + 8, acc.high);
    }
    cdz_wipe(piece, 16);
}

static CDZ_KERNEL void ghash_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    run(hk, y, in, blocks, true);
}

static CDZ_KERNEL void polyval_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    run(hk, y, in, blocks, false);
}

static CDZ_KERNEL void powers(struct key *k, struct cdz_word2 h) {
    struct cdz_word2 p = h;
    for (size_t i = POWERS; i--;) {
        k->power[i] = p;
        k->sum[i] = p.low ^ p.high;
        struct product q = {0, 0, 0, 0, 0, 0};
        ADD_PRODUCT(q, p, h, h.low ^ h.high);
        p = reduce(q);
    }
}

static void ghash_key(void *hk, const uint8_t h[16]) {
    powers(hk, cdz_polyval_double((struct cdz_word2){cdz_load_be64(h + 8), cdz_load_be64(h)}));
    cdz_leave_nothing(256);
}

static void polyval_key(void *hk, const uint8_t h[16], size_t most) {
    (void)most;
    powers(hk, (struct cdz_word2){cdz_load_le64(h), cdz_load_le64(h + 8)});
    cdz_leave_nothing(256);
}

#define HASH_STACK 1024
#include "../ghash/hash_calls.inc.h"

const struct cdz_hash cdz_ghash_zbc = {
    .name = "ghash/zbc",
    .needs = UINT64_C(1) << CDZ_CPU_BIT_ZBB | UINT64_C(1) << CDZ_CPU_BIT_ZBC,
    .batch = POWERS,
    .key_size = (sizeof(struct key) + 63) / 64 * 64,
    .ghash_key = ghash_key,
    .ghash = ghash,
    .polyval_key = polyval_key,
    .polyval = polyval,
};
