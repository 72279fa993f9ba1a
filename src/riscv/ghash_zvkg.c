/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ghash/zvkg: GHASH and POLYVAL with the vector GHASH instructions (Zvkg). vghsh.vv does y = (y + x) H for each group
 * of four 32-bit elements, a block, and vgmul.vv y = y H, both in the bit order of GCM.
 *
 * N blocks side by side, the number that four registers hold, and at most 8: N sums, each of every N-th block,
 * multiplied by H^N from step to step, and in the last one by the power that the place of each wants. Their total is
 * the hash. A number of blocks that is no multiple of N is filled up with blocks of zeros in front, which change
 * nothing:
 *
 *     blocks 1 .. 6, N = 4:    | 0 | 0 | y + 1 | 2 |    then    | 3 | 4 | 5 | 6 |
 *                                 times H^4 each                  times H^4, H^3, H^2, H
 *
 * POLYVAL is GHASH on reversed bytes, with the key reversed and multiplied by x (RFC 8452, appendix A):
 *     POLYVAL(H, X_1, ...) = R(GHASH(R(H) x, R(X_1), ...))
 */
#include "../engine.h"
#include "../util/wipe.h"

#include <riscv_vector.h>

extern const struct cdz_hash cdz_ghash_zvkg;

enum { AT_ONCE = 8 };

struct key {
    uint8_t power[AT_ONCE][16]; /* H^8 to H^1 */
    uint8_t same[AT_ONCE][16];  /* H^N, N times: four registers hold 4 blocks at VLEN 128, and 8 or more above */
};

typedef vuint32m4_t wide;

CDZ_INLINE wide words(vuint8m4_t x) { return __riscv_vreinterpret_v_u8m4_u32m4(x); }
CDZ_INLINE vuint8m4_t bytes(wide x) { return __riscv_vreinterpret_v_u32m4_u8m4(x); }

/* Every block's bytes back to front; index: 15 .. 0, 31 .. 16, ... */
CDZ_INLINE vuint8m4_t reverse(vuint8m4_t x, size_t n) {
    const vuint8m4_t lane = __riscv_vid_v_u8m4(n);
    return __riscv_vrgather_vv_u8m4(x, __riscv_vxor_vx_u8m4(lane, 15, n), n);
}

CDZ_INLINE void run(const struct key *k, uint8_t y[16], const uint8_t *in, size_t blocks, bool reversed) {
    const size_t room = __riscv_vsetvl_e8m4(16 * AT_ONCE), n = room / 16;
    _Alignas(16) uint8_t front[16 * AT_ONCE], start[16 * AT_ONCE];
    size_t first = ((blocks - 1) & (n - 1)) + 1; /* n is a power of two */
    memset(front, 0, room);
    memset(start, 0, room);
    memcpy(front + 16 * (n - first), in, 16 * first);
    memcpy(start + 16 * (n - first), y, 16);
    vuint8m4_t x = __riscv_vle8_v_u8m4(front, room), s = __riscv_vle8_v_u8m4(start, room);
    if (reversed) x = reverse(x, room), s = reverse(s, room);
    wide sum = words(s);
    const wide same = words(__riscv_vle8_v_u8m4(k->same[0], room));
    in += 16 * first, blocks -= first;
    for (; blocks; blocks -= n, in += room) {
        sum = __riscv_vghsh_vv_u32m4(sum, same, words(x), room / 4);
        x = __riscv_vle8_v_u8m4(in, room);
        if (reversed) x = reverse(x, room);
    }
    sum = __riscv_vghsh_vv_u32m4(sum, words(__riscv_vle8_v_u8m4(k->power[AT_ONCE - n], room)), words(x), room / 4);
    vuint8m4_t total = bytes(sum);
    if (reversed) total = reverse(total, room);
    __riscv_vse8_v_u8m4(front, total, room);
    for (size_t i = 1; i < n; i++) cdz_xor16(front, front, front + 16 * i);
    memcpy(y, front, 16);
    cdz_wipe(front, sizeof front);
    cdz_wipe(start, sizeof start);
}

static CDZ_KERNEL void ghash_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    run(hk, y, in, blocks, false);
}

static CDZ_KERNEL void polyval_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    run(hk, y, in, blocks, true);
}

static CDZ_KERNEL void powers(struct key *k, const uint8_t h[16]) {
    const size_t n = __riscv_vsetvl_e8m4(16 * AT_ONCE) / 16;
    const wide base = words(__riscv_vle8_v_u8m4(h, 16));
    wide p = base;
    for (size_t i = 1; i <= AT_ONCE; i++) {
        __riscv_vse8_v_u8m4(k->power[AT_ONCE - i], bytes(p), 16);
        if (i == n)
            for (size_t j = 0; j < AT_ONCE; j++) __riscv_vse8_v_u8m4(k->same[j], bytes(p), 16);
        p = __riscv_vgmul_vv_u32m4(p, base, 4);
    }
}

static void ghash_key(void *hk, const uint8_t h[16]) {
    powers(hk, h);
    cdz_leave_nothing(512);
}

/* Bits are numbered from the top of byte 0 in GHASH, so that times x is a shift to the right, with 0xe1 in the first
 * byte for x^128 = x^7 + x^2 + x + 1. */
static void polyval_key(void *hk, const uint8_t h[16], size_t most) {
    (void)most;
    uint8_t g[16];
    for (size_t i = 0; i < 16; i++) g[i] = h[15 - i];
    const uint64_t high = cdz_load_be64(g), low = cdz_load_be64(g + 8), carry = cdz_value_barrier(0 - (low & 1));
    cdz_store_be64(g, high >> 1 ^ (carry & UINT64_C(0xe1) << 56));
    cdz_store_be64(g + 8, low >> 1 | high << 63);
    powers(hk, g);
    cdz_wipe(g, sizeof g);
    cdz_leave_nothing(512);
}

#define HASH_STACK 1024
#include "../ghash/hash_calls.inc.h"

const struct cdz_hash cdz_ghash_zvkg = {
    .name = "ghash/zvkg",
    .needs = UINT64_C(1) << CDZ_CPU_BIT_RVV | UINT64_C(1) << CDZ_CPU_BIT_ZVKG,
    .batch = AT_ONCE,
    .key_size = (sizeof(struct key) + 63) / 64 * 64,
    .ghash_key = ghash_key,
    .ghash = ghash,
    .polyval_key = polyval_key,
    .polyval = polyval,
};
