/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ghash/zvbc: GHASH and POLYVAL with vector carry-less multiplications of 64-bit elements (Zvbc; Zvkb to reverse
 * bytes).
 *
 * Groups of up to 32 blocks are multiplied by the powers H^32 ... H^1, the last ones of them where there are fewer, and
 * added up; then comes one reduction. A block is two elements, in the order in which they are in memory. A product
 * a * b of pairs needs the elements' own products, and those with the other element of b:
 *
 *     x:       | a0      | a1      | ...       power:   | b0 | b1 | ...      swapped: | b1 | b0 | ...
 *     own:       a0 b0     a1 b1               cross:    a0 b1   a1 b0       each in a low and a high half
 *
 * Sums over blocks are kept element by element in registers and folded at the end of a group. As many blocks as four
 * registers hold, and at most 8, are taken at once; the last piece of a group may be shorter, and leaves the rest of
 * the sums alone (tail undisturbed).
 */
#include "../engine.h"
#include "../util/wipe.h"
#include "polyval.h"

#include <riscv_vector.h>

extern const struct cdz_hash cdz_ghash_zvbc;

enum { POWERS = 32, AT_ONCE = 8 };

struct key {
    uint64_t power[POWERS][2];   /* H^32 to H^1, in the order of a block's elements */
    uint64_t swapped[POWERS][2]; /* the same the other way round */
};

typedef vuint64m4_t wide;

/* Q = x^63 + x^62 + x^57 times a, in two words, by shifts. */
CDZ_INLINE struct cdz_word2 times_q(uint64_t a) {
    return (struct cdz_word2){a << 63 ^ a << 62 ^ a << 57, a >> 1 ^ a >> 2 ^ a >> 7};
}

CDZ_INLINE struct cdz_word2 reduce(uint64_t p0, uint64_t p1, uint64_t p2, uint64_t p3) {
    struct cdz_word2 q = times_q(p0);
    p1 ^= q.low, p2 ^= q.high ^ p0;
    q = times_q(p1);
    return (struct cdz_word2){p2 ^ q.low, p3 ^ q.high ^ p1};
}

/* Elements of a block in memory: GHASH's high word comes first. */
CDZ_INLINE wide load(const uint8_t *p, size_t n, bool reversed) {
    const wide x = __riscv_vreinterpret_v_u8m4_u64m4(__riscv_vle8_v_u8m4(p, 8 * n));
    return reversed ? __riscv_vrev8_v_u64m4(x, n) : x;
}

/* The sum of a's elements with even, and with odd numbers. n is a power of two. */
CDZ_INLINE void fold(uint64_t sum[2], wide a, size_t n) {
    uint64_t x[2 * AT_ONCE];
    __riscv_vse64_v_u64m4(x, a, n);
    sum[0] = sum[1] = 0;
    for (size_t i = 0; i < n; i += 2) sum[0] ^= x[i], sum[1] ^= x[i + 1];
    cdz_wipe(x, sizeof x);
}

/* y = sum of (block i, with y added to the first) * H^(blocks - i); 1 to 32 blocks. */
CDZ_INLINE void group(const struct key *k, uint64_t y[2], const uint8_t *in, size_t blocks, bool reversed) {
    const size_t room = __riscv_vsetvl_e64m4(2 * AT_ONCE);
    wide own_low = __riscv_vmv_v_x_u64m4(0, room), own_high = own_low, cross_low = own_low, cross_high = own_low;
    const uint64_t *power = k->power[POWERS - blocks], *swapped = k->swapped[POWERS - blocks];
    wide add = __riscv_vle64_v_u64m4_tu(own_low, y, 2);
    for (size_t left = 2 * blocks; left;) {
        const size_t n = left < room ? left : room;
        const wide x = __riscv_vxor_vv_u64m4(load(in, n, reversed), add, n);
        const wide b = load((const uint8_t *)power, n, false), c = load((const uint8_t *)swapped, n, false);
        own_low = __riscv_vxor_vv_u64m4_tu(own_low, own_low, __riscv_vclmul_vv_u64m4(x, b, n), n);
        own_high = __riscv_vxor_vv_u64m4_tu(own_high, own_high, __riscv_vclmulh_vv_u64m4(x, b, n), n);
        cross_low = __riscv_vxor_vv_u64m4_tu(cross_low, cross_low, __riscv_vclmul_vv_u64m4(x, c, n), n);
        cross_high = __riscv_vxor_vv_u64m4_tu(cross_high, cross_high, __riscv_vclmulh_vv_u64m4(x, c, n), n);
        add = __riscv_vmv_v_x_u64m4(0, room);
        in += 8 * n, power += n, swapped += n, left -= n;
    }
    uint64_t ol[2], oh[2], cl[2], ch[2];
    fold(ol, own_low, room);
    fold(oh, own_high, room);
    fold(cl, cross_low, room);
    fold(ch, cross_high, room);
    const int low = reversed, high = !reversed;
    const struct cdz_word2 r = reduce(ol[low], oh[low] ^ cl[0] ^ cl[1], ol[high] ^ ch[0] ^ ch[1], oh[high]);
    y[low] = r.low, y[high] = r.high;
}

CDZ_INLINE void run(const struct key *k, uint8_t y[16], const uint8_t *in, size_t blocks, bool reversed) {
    uint64_t acc[2];
    for (int i = 0; i < 2; i++) acc[i] = reversed ? cdz_load_be64(y + 8 * i) : cdz_load_le64(y + 8 * i);
    while (blocks) {
        /* What is no whole group comes first. */
        const size_t n = (blocks - 1) % POWERS + 1;
        group(k, acc, in, n, reversed);
        in += 16 * n, blocks -= n;
    }
    for (int i = 0; i < 2; i++)
        if (reversed)
            cdz_store_be64(y + 8 * i, acc[i]);
        else
            cdz_store_le64(y + 8 * i, acc[i]);
    cdz_wipe(acc, sizeof acc);
}

static CDZ_KERNEL void ghash_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    run(hk, y, in, blocks, true);
}

static CDZ_KERNEL void polyval_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    run(hk, y, in, blocks, false);
}

/* H^1 first: the next power is the last one times H, as the hash of one block would be. */
static CDZ_KERNEL void powers(struct key *k, const uint64_t h[2], bool reversed) {
    uint8_t block[16];
    uint64_t p[2] = {h[0], h[1]};
    for (size_t i = POWERS; i--;) {
        k->power[i][0] = k->swapped[i][1] = p[0];
        k->power[i][1] = k->swapped[i][0] = p[1];
        if (!i) break;
        memset(block, 0, 16);
        group((const struct key *)k, p, block, 1, reversed);
    }
    cdz_wipe(p, sizeof p);
}

static void ghash_key(void *hk, const uint8_t h[16]) {
    const struct cdz_word2 x = cdz_polyval_double((struct cdz_word2){cdz_load_be64(h + 8), cdz_load_be64(h)});
    uint64_t p[2] = {x.high, x.low};
    powers(hk, p, true);
    cdz_wipe(p, sizeof p);
    cdz_leave_nothing(1024);
}

static void polyval_key(void *hk, const uint8_t h[16], size_t most) {
    (void)most;
    uint64_t p[2] = {cdz_load_le64(h), cdz_load_le64(h + 8)};
    powers(hk, p, false);
    cdz_wipe(p, sizeof p);
    cdz_leave_nothing(1024);
}

#define HASH_STACK 1024
#include "../ghash/hash_calls.inc.h"

const struct cdz_hash cdz_ghash_zvbc = {
    .name = "ghash/zvbc",
    .needs = UINT64_C(1) << CDZ_CPU_BIT_RVV | UINT64_C(1) << CDZ_CPU_BIT_ZVKB | UINT64_C(1) << CDZ_CPU_BIT_ZVBC,
    .batch = POWERS,
    .key_size = sizeof(struct key),
    .ghash_key = ghash_key,
    .ghash = ghash,
    .polyval_key = polyval_key,
    .polyval = polyval,
};
