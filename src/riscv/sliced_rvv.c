/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of the sliced engines for RISC-V vectors (sliced_rvv.h): how blocks become planes and planes blocks, and
 * the modes around that.
 *
 * Blocks to planes. P consecutive blocks, a group, are 16 P bytes. Two passes of four-way segment loads take them
 * apart: with byte 4 c + f of block k at 16 k + 4 c + f, the first pass gives four arrays with 4 k + c -> that byte,
 * one for each f, and the second, over each of these, four registers with k -> that byte, one for each c. Register r of
 * byte b then has the byte of the blocks of group r, and the eight registers of a byte are transposed bit by bit
 * (V_TRANSPOSE) into its planes: the ciphers do that, on the way into the first substitution and out of the last.
 * Planes to blocks is the same with segment stores. Only byte elements touch memory here: some cores end a program that
 * loads wider elements from an address that is no multiple of their size, and the caller's memory has any alignment.
 *
 * A batch takes the same time whether full or not; groups that are not there are neither loaded nor stored.
 *
 * A mode is two functions on groups: `prepare` makes the input of the cipher, `finish` takes its output. In the wide
 * kernel all groups of a batch are prepared before the first is finished; with few blocks each is finished at once.
 * Both keep their own place (struct cursor) in what chains the blocks, so that one function serves both ways.
 */
#include "sliced_rvv.h"

enum { GROUP_MOST = 16 * CDZ_PLANE_MOST }; /* bytes of a group */

struct job {
    const struct cdz_sliced *c;
    const void *ks;
    bool decrypt;
    enum { BLOCKS, CTR, CBC, CFB, XTS, OCB, OCB_AAD } mode;
    const uint8_t *in;  /* of the next group to prepare */
    const uint8_t *was; /* of the next group to finish: what it was prepared from */
    uint8_t *out;
    /* The cursors: last block, tweak, offset or counter. */
    _Alignas(8) uint8_t prepared[16], finished[16];
    uint8_t *sum;
    uint64_t words[32][2]; /* OCB's L_i */
    uint64_t sums[8][2];   /* L_0, L_0 + L_1, L_1, ... behind a zero: see offsets() */
    uint64_t index;
    bool little;
};

/* A cursor as two words at once: RISC-V is little-endian, and cursors are aligned. */
CDZ_INLINE void load_words(uint64_t *low, uint64_t *high, const uint8_t cursor[16]) {
    memcpy(low, __builtin_assume_aligned(cursor, 8), 8);
    memcpy(high, __builtin_assume_aligned(cursor + 8, 8), 8);
}

CDZ_INLINE void store_words(uint8_t cursor[16], uint64_t low, uint64_t high) {
    memcpy(__builtin_assume_aligned(cursor, 8), &low, 8);
    memcpy(__builtin_assume_aligned(cursor + 8, 8), &high, 8);
}

/* out = a ^ b for n bytes; any two may be the same. */
static void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n) {
    while (n) {
        const size_t vl = __riscv_vsetvl_e8m8(n);
        const vuint8m8_t x = __riscv_vle8_v_u8m8(a, vl), y = __riscv_vle8_v_u8m8(b, vl);
        __riscv_vse8_v_u8m8(out, __riscv_vxor_vv_u8m8(x, y, vl), vl);
        out += vl, a += vl, b += vl, n -= vl;
    }
}

CDZ_INLINE void copy_bytes(uint8_t *out, const uint8_t *in, size_t n) {
    while (n) {
        const size_t vl = __riscv_vsetvl_e8m8(n);
        __riscv_vse8_v_u8m8(out, __riscv_vle8_v_u8m8(in, vl), vl);
        out += vl, in += vl, n -= vl;
    }
}

/* sum ^= all blocks. */
static void xor_blocks(uint8_t sum[16], const uint8_t *in, size_t n) {
    const size_t all = __riscv_vsetvlmax_e8m8(), one = __riscv_vsetvlmax_e8m1();
    vuint8m8_t x = __riscv_vmv_v_x_u8m8(0, all);
    while (n) {
        const size_t vl = n < all ? n : all;
        /* Tail undisturbed: what is beyond the end leaves its part of the accumulator alone. */
        x = __riscv_vxor_vv_u8m8_tu(x, x, __riscv_vle8_v_u8m8(in, vl), vl);
        in += vl, n -= vl;
    }
    const vuint8m4_t x4 = __riscv_vxor_vv_u8m4(__riscv_vget_v_u8m8_u8m4(x, 0), __riscv_vget_v_u8m8_u8m4(x, 1), all / 2);
    const vuint8m2_t x2 =
        __riscv_vxor_vv_u8m2(__riscv_vget_v_u8m4_u8m2(x4, 0), __riscv_vget_v_u8m4_u8m2(x4, 1), all / 4);
    cdz_v x1 = V_XOR(__riscv_vget_v_u8m2_u8m1(x2, 0), __riscv_vget_v_u8m2_u8m1(x2, 1), one);
    for (size_t half = one / 2; half >= 16; half /= 2) x1 = V_XOR(x1, __riscv_vslidedown_vx_u8m1(x1, half, half), half);
    V_STORE(sum, V_XOR(x1, V_LOAD(sum, 16), 16), 16);
}

/* ---- modes: groups in ---------------------------------------------------------------------------- */

static void count(struct job *j, uint8_t *x, size_t blocks) {
    for (size_t i = 0; i < blocks; i++) {
        memcpy(x + 16 * i, j->prepared, 16);
        if (j->little)
            cdz_store_le32(j->prepared, cdz_load_le32(j->prepared) + 1);
        else
            cdz_store_be32(j->prepared + 12, cdz_load_be32(j->prepared + 12) + 1);
    }
}

/* The zeros at the end of a block's number, which is public. Half of the numbers have none: without Zbb, counting is
 * faster than what a compiler does at once. */
CDZ_INLINE unsigned zeros(uint64_t n) {
    unsigned z = 0;
    for (; !(n & 1); n >>= 1) z++;
    return z;
}

/* OCB's offsets of the next blocks. Eight of them whose first number is a multiple of eight differ from that one's by
 * the same sums of L_0 to L_2 always. */
CDZ_INLINE void offsets(struct job *j, uint64_t *mask, size_t blocks) {
    uint64_t low, high, index = j->index;
    load_words(&low, &high, j->prepared);
    for (size_t n; blocks; blocks -= n, mask += 2 * n, index += n) {
        const size_t k = index & 7;
        /* From the last offset to that of the eight's first. */
        const uint64_t *const step = k ? j->sums[k - 1] : j->words[3 + zeros(index >> 3)];
        const uint64_t(*const sums)[2] = (const uint64_t(*)[2])j->sums + k;
        low ^= step[0], high ^= step[1];
        n = blocks < 8 - k ? blocks : 8 - k;
        if (n == 8) {
#pragma GCC unroll 8
            for (size_t i = 0; i < 8; i++) mask[2 * i] = low ^ sums[i][0], mask[2 * i + 1] = high ^ sums[i][1];
        } else {
            for (size_t i = 0; i < n; i++) mask[2 * i] = low ^ sums[i][0], mask[2 * i + 1] = high ^ sums[i][1];
        }
        low ^= sums[n - 1][0], high ^= sums[n - 1][1];
    }
    store_words(j->prepared, low, high);
    j->index = index;
}

/* The cipher's input for the next `blocks` blocks: in place of the caller's, or in x. `masks` keeps XTS's tweaks and
 * OCB's offsets for finish(). */
static const uint8_t *prepare(struct job *j, uint8_t *x, uint8_t *masks, size_t blocks) {
    const uint8_t *const in = j->in;
    /* Words, which the compiler may only write as such where it knows that they are aligned. */
    uint64_t *const mask = (uint64_t *)__builtin_assume_aligned(masks, 16);
    switch (j->mode) {
    case CTR:
        count(j, x, blocks);
        return x; /* j->in stays: finish() moves on alone */
    case CFB:
        memcpy(x, j->prepared, 16);
        memcpy(x + 16, in, 16 * (blocks - 1));
        memcpy(j->prepared, in + 16 * (blocks - 1), 16);
        break;
    case XTS: {
        uint64_t low, high;
        load_words(&low, &high, j->prepared);
#pragma GCC unroll 4
        for (size_t i = 0; i < blocks; i++) {
            mask[2 * i] = low;
            mask[2 * i + 1] = high;
            const uint64_t carry = cdz_value_barrier((uint64_t)((int64_t)high >> 63));
            high = high << 1 | low >> 63;
            low = low << 1 ^ (carry & 0x87);
        }
        store_words(j->prepared, low, high);
        xor_bytes(x, in, masks, 16 * blocks);
        break;
    }
    case OCB:
    case OCB_AAD: {
        offsets(j, mask, blocks);
        if (j->mode == OCB && !j->decrypt) xor_blocks(j->sum, in, 16 * blocks);
        xor_bytes(x, in, masks, 16 * blocks);
        break;
    }
    default:
        j->in += 16 * blocks;
        return in;
    }
    j->in += 16 * blocks;
    return x;
}

/* ---- modes: groups out --------------------------------------------------------------------------- */

/* The cipher's output for the next len bytes is in x. */
static void finish(struct job *j, uint8_t *x, const uint8_t *masks, size_t len) {
    switch (j->mode) {
    case CTR:
    case CFB:
        xor_bytes(j->out, j->was, x, len);
        break;
    case CBC: {
        /* From the end, so that in place each ciphertext block is still there when its successor needs it. */
        uint8_t last[16];
        memcpy(last, j->was + len - 16, 16);
        const size_t most = __riscv_vsetvlmax_e8m8();
        for (size_t at = len; at > 16;) {
            const size_t n = at - 16 < most ? at - 16 : most;
            at -= n;
            xor_bytes(j->out + at, x + at, j->was + at - 16, n);
        }
        cdz_xor16(j->out, x, j->finished);
        memcpy(j->finished, last, 16);
        cdz_wipe(last, 16); /* with ciphertext stealing, not all of it is in the message */
        break;
    }
    case XTS:
        xor_bytes(j->out, x, masks, len);
        break;
    case OCB:
        xor_bytes(j->out, x, masks, len);
        if (j->decrypt) xor_blocks(j->sum, j->out, len);
        break;
    case OCB_AAD:
        xor_blocks(j->sum, x, len);
        return;
    default:
        if (j->out != x) memcpy(j->out, x, len);
    }
    j->was += len;
    j->out += len;
}

/* ---- blocks and planes --------------------------------------------------------------------------- */

/* One group of P blocks into register r of every byte. tmp: 16 P bytes. */
static void group_in(uint8_t *state, uint8_t *tmp, const uint8_t *in, size_t r, size_t p) {
    for (size_t k = 0; k < 4; k++) {
        const vuint8m1x4_t x = __riscv_vlseg4e8_v_u8m1x4(in + 4 * p * k, p);
        V_STORE(tmp + p * k, __riscv_vget_v_u8m1x4_u8m1(x, 0), p);
        V_STORE(tmp + p * (4 + k), __riscv_vget_v_u8m1x4_u8m1(x, 1), p);
        V_STORE(tmp + p * (8 + k), __riscv_vget_v_u8m1x4_u8m1(x, 2), p);
        V_STORE(tmp + p * (12 + k), __riscv_vget_v_u8m1x4_u8m1(x, 3), p);
    }
    for (size_t f = 0; f < 4; f++) {
        const vuint8m1x4_t x = __riscv_vlseg4e8_v_u8m1x4(tmp + 4 * p * f, p);
        V_STORE(state + p * (8 * f + r), __riscv_vget_v_u8m1x4_u8m1(x, 0), p);
        V_STORE(state + p * (8 * (4 + f) + r), __riscv_vget_v_u8m1x4_u8m1(x, 1), p);
        V_STORE(state + p * (8 * (8 + f) + r), __riscv_vget_v_u8m1x4_u8m1(x, 2), p);
        V_STORE(state + p * (8 * (12 + f) + r), __riscv_vget_v_u8m1x4_u8m1(x, 3), p);
    }
}

/* And back; see crypt() for shift. */
static void group_out(uint8_t *out, uint8_t *tmp, const uint8_t *state, size_t r, unsigned shift, size_t p) {
    for (unsigned f = 0; f < 4; f++) {
#define BYTE(c) V_LOAD(state + p * (8 * (4 * (((c) + shift * f) & 3) + f) + r), p)
        __riscv_vsseg4e8_v_u8m1x4(tmp + 4 * p * f, __riscv_vcreate_v_u8m1x4(BYTE(0), BYTE(1), BYTE(2), BYTE(3)), p);
#undef BYTE
    }
    for (size_t k = 0; k < 4; k++)
        __riscv_vsseg4e8_v_u8m1x4(out + 4 * p * k,
                                  __riscv_vcreate_v_u8m1x4(V_LOAD(tmp + p * k, p), V_LOAD(tmp + p * (4 + k), p),
                                                           V_LOAD(tmp + p * (8 + k), p), V_LOAD(tmp + p * (12 + k), p)),
                                  p);
}

void cdz_sliced_counter(uint8_t *x0, uint8_t *x1, unsigned low, size_t p) {
    for (size_t r = 0; r < 8; r++) {
        const vuint16m2_t n = __riscv_vadd_vx_u16m2(__riscv_vid_v_u16m2(p), (uint16_t)(low + r * p), p);
        V_STORE(x0 + r * p, __riscv_vnsrl_wx_u8m1(n, 0, p), p);
        V_STORE(x1 + r * p, __riscv_vnsrl_wx_u8m1(n, 8, p), p);
    }
}

/* ---- the two ways -------------------------------------------------------------------------------- */

/* The bytes of a counter that change within a call, low one first. */
static const uint8_t *counter_bytes(bool little) {
    static const uint8_t big_at[2] = {15, 14}, little_at[2] = {0, 1};
    return little ? little_at : big_at;
}

/* Whole and partial batches of the wide kernel until less than wide_from() blocks are left; the result is how many
 * bytes are. Wipes what it used. */
static CDZ_KERNEL size_t wide(struct job *j, size_t len, size_t from, size_t p) {
    _Alignas(64) uint8_t state[CDZ_STATE_MOST], masks[CDZ_STATE_MOST];
    _Alignas(64) uint8_t x[GROUP_MOST], tmp[GROUP_MOST];
    _Alignas(64) uint8_t expanded[CDZ_EXPANDED], values[CDZ_CTR_VALUES];
    const uint8_t *const at = counter_bytes(j->little);
    const bool masked = j->mode == XTS || j->mode == OCB || j->mode == OCB_AAD;
    const size_t group = 16 * p;
    size_t groups = 0; /* the most in a batch */
    const unsigned rounds = j->c->expand(j->ks, j->decrypt && j->mode != CFB, expanded);
    if (j->mode == CTR) j->c->ctr_values(values, j->ks, j->prepared, at);
    while (len > 16 * (from - 1)) {
        const size_t bytes = len < 8 * group ? len : 8 * group;
        size_t n = 1;
        unsigned shift;
        while (n * group < bytes) n++;
        if (n > groups) groups = n;
        if (j->mode == CTR) {
            const unsigned low = (unsigned)j->prepared[at[1]] << 8 | j->prepared[at[0]];
            const unsigned next = low + (unsigned)(8 * p);
            shift = j->c->ctr_crypt(state, expanded, rounds, values, at, low, p);
            j->prepared[at[0]] = (uint8_t)next;
            j->prepared[at[1]] = (uint8_t)(next >> 8);
        } else {
            for (size_t r = 0; r < n; r++) {
                const size_t here = r < n - 1 ? group : bytes - r * group;
                const uint8_t *src = prepare(j, x, masks + r * group, here / 16);
                if (here < group) {
                    if (src != x) memcpy(x, src, here);
                    memset(x + here, 0, group - here);
                    src = x;
                }
                group_in(state, tmp, src, r, p);
            }
            shift = j->c->crypt(state, expanded, rounds, j->decrypt && j->mode != CFB, p);
        }
        for (size_t r = 0; r < n; r++) {
            const size_t here = r < n - 1 ? group : bytes - r * group;
            const bool direct = j->mode == BLOCKS && here == group;
            group_out(direct ? j->out : x, tmp, state, r, shift, p);
            finish(j, direct ? j->out : x, masks + r * group, here);
        }
        len -= bytes;
    }
    cdz_wipe(state, 128 * p);
    if (masked) cdz_wipe(masks, groups * group);
    cdz_wipe(x, group);
    cdz_wipe(tmp, group);
    cdz_wipe(expanded, 128 * (rounds + 1));
    if (j->mode == CTR) cdz_wipe(values, sizeof values);
    return len;
}

static CDZ_KERNEL void narrow(struct job *j, size_t len, size_t p) {
    _Alignas(64) uint8_t x[GROUP_MOST], masks[GROUP_MOST];
    const size_t group = 16 * p, most = len < group ? (len + 15) & ~(size_t)15 : group;
    while (len) {
        const size_t here = len < group ? len : group, blocks = (here + 15) / 16;
        const uint8_t *const src = prepare(j, x, masks, blocks);
        j->c->few(j->ks, j->decrypt && j->mode != CFB, src, x, blocks);
        finish(j, x, masks, here);
        len -= here;
    }
    cdz_wipe(x, most);
    cdz_wipe(masks, most);
}

static void run(struct job *j, size_t len) {
    const size_t p = __riscv_vsetvl_e8m1(CDZ_PLANE_MOST);
    const size_t from = j->c->wide_from(p, j->mode == CTR);
    j->was = j->in;
    if (len > 16 * (from - 1)) {
        len = wide(j, len, from, p);
        cdz_leave_nothing(1024);
    }
    if (!len) return;
    if (j->mode == BLOCKS) {
        j->c->few(j->ks, j->decrypt, j->in, j->out, len / 16);
    } else if (j->mode == CTR && j->c->few_ctr) {
        j->c->few_ctr(j->ks, j->prepared, j->little, j->was, j->out, len);
    } else {
        narrow(j, len, p);
        cdz_leave_nothing(1024);
    }
}

/* ---- the modes ------------------------------------------------------------------------------------ */

void cdz_sliced_blocks(const struct cdz_sliced *c, bool decrypt, const void *ks, const uint8_t *in, uint8_t *out,
                       size_t blocks) {
    struct job j = {.c = c, .ks = ks, .decrypt = decrypt, .mode = BLOCKS, .in = in, .out = out};
    if (blocks) run(&j, 16 * blocks);
}

void cdz_sliced_ctr(const struct cdz_sliced *c, bool little, const void *ks, const uint8_t ctr[16], const uint8_t *in,
                    uint8_t *out, size_t len) {
    struct job j = {.c = c, .ks = ks, .mode = CTR, .in = in, .out = out, .little = little};
    memcpy(j.prepared, ctr, 16);
    if (len) run(&j, len);
}

void cdz_sliced_cbc_decrypt(const struct cdz_sliced *c, const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                            size_t blocks) {
    struct job j = {.c = c, .ks = ks, .decrypt = true, .mode = CBC, .in = in, .out = out};
    if (!blocks) return;
    memcpy(j.finished, iv, 16);
    run(&j, 16 * blocks);
    memcpy(iv, j.finished, 16);
    cdz_wipe(j.finished, 16);
    cdz_clear_vectors();
}

void cdz_sliced_cfb_decrypt(const struct cdz_sliced *c, const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                            size_t blocks) {
    struct job j = {.c = c, .ks = ks, .decrypt = true, .mode = CFB, .in = in, .out = out};
    if (!blocks) return;
    memcpy(j.prepared, iv, 16);
    run(&j, 16 * blocks);
    memcpy(iv, j.prepared, 16);
}

void cdz_sliced_xts(const struct cdz_sliced *c, bool decrypt, const void *ks, uint8_t tweak[16], const uint8_t *in,
                    uint8_t *out, size_t blocks) {
    struct job j = {.c = c, .ks = ks, .decrypt = decrypt, .mode = XTS, .in = in, .out = out};
    if (!blocks) return;
    memcpy(j.prepared, tweak, 16);
    run(&j, 16 * blocks);
    memcpy(tweak, j.prepared, 16);
    cdz_wipe(&j, sizeof j);
    cdz_clear_vectors(); /* copying is vectors' work too */
}

static void ocb(const struct cdz_sliced *c, struct job *j, const uint8_t (*l)[16], uint8_t offset[16], size_t blocks) {
    if (!blocks) return;
    j->c = c;
    memcpy(j->prepared, offset, 16);
    /* As many as the call's block numbers reach; in words, since l may have any alignment (RISC-V is little-endian). */
    size_t most = 1;
    while (most < 32 && (j->index + blocks - 1) >> most) most++;
    copy_bytes((uint8_t *)j->words, l[0], 16 * (most < 3 ? 3 : most));
    for (unsigned k = 1; k < 8; k++)
        for (unsigned w = 0; w < 2; w++) j->sums[k][w] = j->sums[k - 1][w] ^ j->words[zeros(k)][w];
    run(j, 16 * blocks);
    memcpy(offset, j->prepared, 16);
    cdz_wipe(j, sizeof *j);
    cdz_clear_vectors();
}

void cdz_sliced_ocb(const struct cdz_sliced *c, bool decrypt, const void *ks, const uint8_t (*l)[16], uint64_t index,
                    uint8_t offset[16], uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    struct job j = {.ks = ks, .decrypt = decrypt, .mode = OCB, .in = in, .out = out, .index = index, .sum = checksum};
    ocb(c, &j, l, offset, blocks);
}

void cdz_sliced_ocb_aad(const struct cdz_sliced *c, const void *ks, const uint8_t (*l)[16], uint64_t index,
                        uint8_t offset[16], uint8_t sum[16], const uint8_t *aad, size_t blocks) {
    struct job j = {.ks = ks, .mode = OCB_AAD, .in = aad, .index = index, .sum = sum};
    ocb(c, &j, l, offset, blocks);
}
