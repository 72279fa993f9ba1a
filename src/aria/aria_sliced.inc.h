/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA (RFC 5794) byte-sliced: sixteen registers, register i with byte i of 16 blocks in each 128-bit lane. Written in
 * the vector vocabulary (src/x86/vec.inc.h) and with the S-boxes of the tier; included once for each width.
 *
 * Order of blocks. Lane l, position j of every register belongs to block L j + l, where L is the number of lanes.
 * Before the transposition register j then holds blocks L j to L j + L - 1, which lie side by side in memory; and four
 * stages of unpacking within lanes, each of which rotates the eight bits of (register, position) by one, exchange the
 * two nibbles.
 *
 * Diffusion. RFC 5794's matrix A (section 2.4.3) is a sum over rows, columns and the byte itself of a 4 x 4
 * grid, which comes out transposed: with the bytes of a block at
 *
 *           b = 0   1   2   3
 *     a = 0    13   6   8   3         y[g(b,a)] = R[a] ^ C[b] ^ x[g(a,b)]
 *     a = 1     7  12   2   9
 *     a = 2    10   1  15   4         R[a]: the sum of row a,  C[b]: of column b
 *     a = 3     0  11   5  14
 *
 * With three-input XORs the sum C[b] ^ x[g(a,b)], the three other bytes of the column, is made anew for each byte:
 * one instruction with two of them and R[a], and one with the third and the round key. In column 0 alone C[0] itself is
 * made (two instructions for four bytes), and the key is brought by R[a], whose last instruction has room for it: 38
 * instructions in all, the key included. So the key of y[g(0,a)] is in all y[g(b,a)], and the stored keys of
 * these have it taken out (aria_rows.inc.h: key_form).
 *
 * With two-input XORs the triples of a column are made of two sums of two bytes: 12 + 4 (2 + 4 + 4) = 68, of which 16
 * for the key. The circuit with the fewest known gates has 48 + 16, but no fewer moves to and from the stack in all.
 *
 * Where the S-boxes bring a round key with them (ARIA_KEYED, AES-NI), the key of round r goes through the diffusion
 * once more beforehand (A is its own inverse) and is added by the substitution of round r: word[r] for 0 < r <= rounds.
 * Else word[r] is added by the diffusion after round r, and the last key before the result is stored.
 *
 * The diffusion of a round and the substitution of the next are one function: substitutions use other ports than XOR,
 * and begin as soon as a byte is there. The order of the statements is the order of the instructions: gcc's second
 * scheduling pass would gather the substitutions in one place, which costs an eighth of the speed, so the engines turn
 * it off.
 */

#include "aria_masks.h"

static const uint8_t VEC(counter_steps)[VEC_BYTES] = {
#if VEC_LANES == 4
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 1,  5,  9,  13, 17, 21,
    25, 29, 33, 37, 41, 45, 49, 53, 57, 61, 2,  6,  10, 14, 18, 22, 26, 30, 34, 38, 42, 46,
    50, 54, 58, 62, 3,  7,  11, 15, 19, 23, 27, 31, 35, 39, 43, 47, 51, 55, 59, 63,
#elif VEC_LANES == 2
    0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
    1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
#else
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
#endif
};

/* Exchanges (register, position) with (position, register). */
CDZ_INLINE void VEC(transpose)(vec x[16]) {
    vec t[16];
#define STAGE(x, t)                                                                                                    \
    t[0] = v_low8(x[0], x[8]), t[1] = v_high8(x[0], x[8]), t[2] = v_low8(x[1], x[9]), t[3] = v_high8(x[1], x[9]);      \
    t[4] = v_low8(x[2], x[10]), t[5] = v_high8(x[2], x[10]), t[6] = v_low8(x[3], x[11]);                               \
    t[7] = v_high8(x[3], x[11]), t[8] = v_low8(x[4], x[12]), t[9] = v_high8(x[4], x[12]);                              \
    t[10] = v_low8(x[5], x[13]), t[11] = v_high8(x[5], x[13]), t[12] = v_low8(x[6], x[14]);                            \
    t[13] = v_high8(x[6], x[14]), t[14] = v_low8(x[7], x[15]), t[15] = v_high8(x[7], x[15])
    STAGE(x, t);
    STAGE(t, x);
    STAGE(x, t);
    STAGE(t, x);
#undef STAGE
}

#define SUBSTITUTE(i) x[i] = VEC(sub_end)(VEC(sub_begin)(x[i], ((i) + shift) & 3), ((i) + shift) & 3, k + i);
#if ARIA_KEYED
#define ADD_KEY(x, i)     (x)
#define ADD_KEY3(x, y, i) v_xor(x, y)
#define ADD_LAST(x)       (x)
#define ADD_LAST2(x, y)   v_xor(x, y)
#else
#define ADD_KEY(x, i)     v_xor_dup(x, k + (i))
#define ADD_KEY3(x, y, i) v_xor3_dup(x, y, k + (i))
#define ADD_LAST(x)       v_xor(last, VEC(leave)(x))
#define ADD_LAST2(x, y)   v_xor3(last, VEC(leave)(x), y)
#endif
#define BEGIN(i, sum) y[i] = VEC(sub_begin)(sum, ((i) + shift) & 3)
#define END(i)        y[i] = VEC(sub_end)(y[i], ((i) + shift) & 3, k + (i))
#define COPY(i)       x[i] = y[i];

/* Substitution; shift is 0 in odd rounds (S1 S2 X1 X2) and 2 in even ones (X1 X2 S1 S2). */
CDZ_INLINE void VEC(substitute)(vec x[16], const uint32_t *k, unsigned shift){EACH16(SUBSTITUTE)}

/* Diffusion and the substitution of the next round, with the round key before or after it. */
CDZ_INLINE void VEC(mix_substitute)(vec x[16], const uint32_t k[16], unsigned shift) {
#if VEC_XOR3
    vec y[16], r0, r1, r2, r3, c;
    r0 = ADD_KEY3(v_xor3(x[6], x[8], x[3]), x[13], 13);
    r1 = ADD_KEY3(v_xor3(x[12], x[2], x[9]), x[7], 6);
    r2 = ADD_KEY3(v_xor3(x[1], x[15], x[4]), x[10], 8);
    r3 = ADD_KEY3(v_xor3(x[11], x[5], x[14]), x[0], 3);
    c = v_xor(v_xor3(x[13], x[7], x[10]), x[0]);
    BEGIN(13, v_xor3(r0, c, x[13]));
    BEGIN(6, v_xor3(r1, c, x[7]));
    BEGIN(8, v_xor3(r2, c, x[10]));
    END(13);
    BEGIN(3, v_xor3(r3, c, x[0]));
    END(6);
    BEGIN(7, ADD_KEY3(v_xor3(r0, x[12], x[1]), x[11], 7));
    END(8);
    BEGIN(12, ADD_KEY3(v_xor3(r1, x[1], x[11]), x[6], 12));
    END(3);
    BEGIN(2, ADD_KEY3(v_xor3(r2, x[11], x[6]), x[12], 2));
    END(7);
    BEGIN(9, ADD_KEY3(v_xor3(r3, x[6], x[12]), x[1], 9));
    END(12);
    BEGIN(10, ADD_KEY3(v_xor3(r0, x[2], x[15]), x[5], 10));
    END(2);
    BEGIN(1, ADD_KEY3(v_xor3(r1, x[15], x[5]), x[8], 1));
    END(9);
    BEGIN(15, ADD_KEY3(v_xor3(r2, x[5], x[8]), x[2], 15));
    END(10);
    BEGIN(4, ADD_KEY3(v_xor3(r3, x[8], x[2]), x[15], 4));
    END(1);
    BEGIN(0, ADD_KEY3(v_xor3(r0, x[9], x[4]), x[14], 0));
    END(15);
    BEGIN(11, ADD_KEY3(v_xor3(r1, x[4], x[14]), x[3], 11));
    END(4);
    BEGIN(5, ADD_KEY3(v_xor3(r2, x[14], x[3]), x[9], 5));
    END(0);
    BEGIN(14, ADD_KEY3(v_xor3(r3, x[3], x[9]), x[4], 14));
    END(11);
    END(5);
    END(14);
#else
    vec y[16], p, q;
    const vec r0 = v_xor(v_xor(x[13], x[6]), v_xor(x[8], x[3])), r1 = v_xor(v_xor(x[7], x[12]), v_xor(x[2], x[9]));
    const vec r2 = v_xor(v_xor(x[10], x[1]), v_xor(x[15], x[4])), r3 = v_xor(v_xor(x[0], x[11]), v_xor(x[5], x[14]));
#define COLUMN(a, b, c, d, i, j, m, n)                                                                                 \
    p = v_xor(x[a], x[b]), q = v_xor(x[c], x[d]);                                                                      \
    BEGIN(i, ADD_KEY(v_xor(r0, v_xor(x[b], q)), i));                                                                   \
    END(i);                                                                                                            \
    BEGIN(j, ADD_KEY(v_xor(r1, v_xor(x[a], q)), j));                                                                   \
    END(j);                                                                                                            \
    BEGIN(m, ADD_KEY(v_xor(r2, v_xor(x[d], p)), m));                                                                   \
    END(m);                                                                                                            \
    BEGIN(n, ADD_KEY(v_xor(r3, v_xor(x[c], p)), n));                                                                   \
    END(n)
    COLUMN(13, 7, 10, 0, 13, 6, 8, 3);
    COLUMN(6, 12, 1, 11, 7, 12, 2, 9);
    COLUMN(8, 2, 15, 5, 10, 1, 15, 4);
    COLUMN(3, 9, 4, 14, 0, 11, 5, 14);
#undef COLUMN
#endif
    EACH16(COPY)
}

/* From the substitution of an odd round to that of the last, `evens` even rounds on; w is the key that comes next. */
CDZ_INLINE void VEC(rounds)(vec x[16], const uint32_t (*w)[16], size_t evens) {
    for (;; w += 2) {
        VEC(mix_substitute)(x, w[0], 2);
        if (!--evens) return;
        VEC(mix_substitute)(x, w[1], 0);
    }
}

/* Whole batches of independent blocks. */
static CDZ_KERNEL void VEC(blocks)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out,
                                   size_t batches) {
    const vec first = v_lanes(way->row[0]), last = v_lanes(way->row[rounds]);
    (void)last;
    for (; batches; batches--, in += 16 * VEC_BYTES, out += 16 * VEC_BYTES) {
        vec x[16];
#define LOAD(i) x[i] = VEC(enter)(v_xor(first, v_load(in + i * VEC_BYTES)));
        EACH16(LOAD)
#undef LOAD
        VEC(transpose)(x);
        VEC(order_begin)(x, rounds);
        VEC(substitute)(x, way->word[1], 0);
        VEC(rounds)(x, way->word + 1 + ARIA_KEYED, rounds / 2);
        VEC(transpose)(x);
#define STORE(i) v_store(out + i * VEC_BYTES, ADD_LAST(x[i]));
        EACH16(STORE)
#undef STORE
    }
}

/* Bounce buffers: the blocks of a batch that is not full, with zeros after them, and back. */
/* Without it the loops below would be made calls of memcpy, which leaves what it copies in registers (ymm16 and up on
 * some CPUs) that code for a lesser one cannot clear. */
CDZ_INLINE vec VEC(opaque)(vec x) {
    CDZ_OPAQUE("x", x);
    return x;
}

CDZ_INLINE void VEC(take_blocks)(uint8_t part[16 * VEC_BYTES], const uint8_t *in, size_t blocks) {
    const uint8_t *const end = part + 16 * VEC_BYTES;
    for (; blocks >= VEC_LANES; blocks -= VEC_LANES, in += VEC_BYTES, part += VEC_BYTES)
        v_store(part, VEC(opaque)(v_load(in)));
    if (VEC_LANES > 1 && blocks) {
        v_store(part, v_load_lanes(in, blocks));
        part += VEC_BYTES;
    }
    for (; part < end; part += VEC_BYTES) v_store(part, v_zero());
}

CDZ_INLINE void VEC(give_blocks)(uint8_t *out, const uint8_t part[16 * VEC_BYTES], size_t blocks) {
    for (; blocks >= VEC_LANES; blocks -= VEC_LANES, part += VEC_BYTES, out += VEC_BYTES)
        v_store(out, VEC(opaque)(v_load(part)));
    if (VEC_LANES > 1 && blocks) v_store_lanes(out, v_load(part), blocks);
}

static CDZ_KERNEL void VEC(blocks_part)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out,
                                        size_t blocks) {
    uint8_t part[16 * VEC_BYTES] V_ALIGNED;
    VEC(take_blocks)(part, in, blocks);
    VEC(blocks)(way, rounds, part, part, 1);
    VEC(give_blocks)(out, part, blocks);
}

/*
 * CBC and CFB decryption: x = D(c) ^ the c before, x = E(the c before) ^ c. The ciphertext before a register's is in
 * memory, one block lower, but for the first one's: iv, which is left as the last of all. In place, each block is
 * overwritten after its last use: the registers are stored from the highest to the lowest.
 */
CDZ_INLINE void VEC(chain_decrypt)(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in,
                                   uint8_t *out, size_t batches, bool cfb) {
    const vec first = v_lanes(way->row[0]), last = v_lanes(way->row[rounds]);
    (void)last;
    for (; batches; batches--, in += 16 * VEC_BYTES, out += 16 * VEC_BYTES) {
        vec x[16];
        uint8_t next[16];
        const vec before = v_lanes_after(v_load(in), v_lanes(iv));
        memcpy(next, in + 16 * VEC_BYTES - 16, 16);
#define HERE(i)   v_load(in + (i)*VEC_BYTES)
#define BEFORE(i) ((i) == 0 ? before : v_load(in + (i)*VEC_BYTES - 16))
#define LOAD(i)   x[i] = VEC(enter)(v_xor(first, cfb ? BEFORE(i) : HERE(i)));
        EACH16(LOAD)
        VEC(transpose)(x);
        VEC(order_begin)(x, rounds);
        VEC(substitute)(x, way->word[1], 0);
        VEC(rounds)(x, way->word + 1 + ARIA_KEYED, rounds / 2);
        VEC(transpose)(x);
#define STORE(i) v_store(out + (15 - i) * VEC_BYTES, ADD_LAST2(x[15 - i], cfb ? HERE(15 - i) : BEFORE(15 - i)));
        EACH16(STORE)
#undef STORE
#undef LOAD
#undef HERE
#undef BEFORE
        memcpy(iv, next, 16);
    }
}

static CDZ_KERNEL void VEC(cbc_decrypt)(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16],
                                        const uint8_t *in, uint8_t *out, size_t batches) {
    VEC(chain_decrypt)(way, rounds, iv, in, out, batches, false);
}

static CDZ_KERNEL void VEC(cfb_decrypt)(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16],
                                        const uint8_t *in, uint8_t *out, size_t batches) {
    VEC(chain_decrypt)(way, rounds, iv, in, out, batches, true);
}

static CDZ_KERNEL void VEC(chain_part)(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in,
                                       uint8_t *out, size_t blocks, bool cfb) {
    uint8_t part[16 * VEC_BYTES] V_ALIGNED, next[16];
    memcpy(next, in + 16 * blocks - 16, 16);
    VEC(take_blocks)(part, in, blocks);
    (cfb ? VEC(cfb_decrypt) : VEC(cbc_decrypt))(way, rounds, iv, part, part, 1);
    VEC(give_blocks)(out, part, blocks);
    memcpy(iv, next, 16);
}

/*
 * XTS and OCB: y = E(x ^ mask) ^ mask, a mask a block, those of a batch in memory: they are needed twice, and there are
 * no registers for them in between. One batch; OCB's checksum is `sum`, one in each lane, of what comes in or goes out.
 * Of associated data, E(x ^ mask) is all that counts, and nothing is stored.
 */
CDZ_INLINE void VEC(masked)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *mask, const uint8_t *in,
                            uint8_t *out, uint8_t sum[VEC_BYTES], enum aria_sum kind) {
    const vec first = v_lanes(way->row[0]), last = v_lanes(way->row[rounds]);
    vec x[16], s = kind == ARIA_SUM_NONE ? v_zero() : v_load(sum);
    (void)last;
#define LOAD(i)                                                                                                        \
    x[i] = v_load(in + i * VEC_BYTES);                                                                                 \
    if (kind == ARIA_SUM_IN) s = v_xor(s, x[i]);                                                                       \
    x[i] = VEC(enter)(v_xor3(x[i], first, v_load(mask + i * VEC_BYTES)));
    EACH16(LOAD)
    if (kind == ARIA_SUM_IN) v_store(sum, s);
    VEC(transpose)(x);
    VEC(order_begin)(x, rounds);
    VEC(substitute)(x, way->word[1], 0);
    VEC(rounds)(x, way->word + 1 + ARIA_KEYED, rounds / 2);
    VEC(transpose)(x);
#define STORE(i)                                                                                                       \
    if (kind == ARIA_SUM_HASH) {                                                                                       \
        s = v_xor(s, ADD_LAST(x[i]));                                                                                  \
    } else {                                                                                                           \
        x[i] = ADD_LAST2(x[i], v_load(mask + i * VEC_BYTES));                                                          \
        if (kind == ARIA_SUM_OUT) s = v_xor(s, x[i]);                                                                  \
        v_store(out + i * VEC_BYTES, x[i]);                                                                            \
    }
    EACH16(STORE)
#undef STORE
#undef LOAD
    if (kind == ARIA_SUM_OUT || kind == ARIA_SUM_HASH) v_store(sum, s);
}

static CDZ_KERNEL void VEC(masked_plain)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *mask,
                                         const uint8_t *in, uint8_t *out) {
    VEC(masked)(way, rounds, mask, in, out, NULL, ARIA_SUM_NONE);
}
static CDZ_KERNEL void VEC(masked_sum_in)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *mask,
                                          const uint8_t *in, uint8_t *out, uint8_t sum[VEC_BYTES]) {
    VEC(masked)(way, rounds, mask, in, out, sum, ARIA_SUM_IN);
}
static CDZ_KERNEL void VEC(masked_sum_out)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *mask,
                                           const uint8_t *in, uint8_t *out, uint8_t sum[VEC_BYTES]) {
    VEC(masked)(way, rounds, mask, in, out, sum, ARIA_SUM_OUT);
}
static CDZ_KERNEL void VEC(masked_hash)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *mask,
                                        const uint8_t *in, uint8_t sum[VEC_BYTES]) {
    VEC(masked)(way, rounds, mask, in, NULL, sum, ARIA_SUM_HASH);
}

/*
 * The tweaks of a batch, the first eight of which are `base`, where those of the next one are left. Times x^8m, m <= 8,
 * is a shift by m bytes, and the m bytes h that leave come back times 0x87: each as a low byte in its place, and a high
 * one above it. With `low` and `high`, these products for all bytes,
 *
 *     byte      m          m - 1 ... 1                           0
 *          t[0] ^ high[15]   low[16 - m + i] ^ high[15 - m + i]   low[16 - m]
 *
 * which is the joint shift of t ^ high[15] and low ^ (high moved up), but for high[15 - m] in byte 0. (A function of
 * its own, or the tables would be loaded before the loop over the batches: onto the stack, that is.)
 */
static CDZ_KERNEL void VEC(tweaks)(uint8_t mask[][16], uint8_t base[8][16]) {
    const vec half = v_fill8(15), up = v_lanes(aria_byte_up), top = v_lanes(aria_byte_pick[0]);
    for (size_t i = 0; i < 8; i += VEC_LANES) {
        const vec t = v_load(base[i]), l = v_and(t, half), h = v_and(v_srl64(t, 4), half);
        const vec high = v_xor(v_shuffle8(v_lanes(aria_times_87[1]), l), v_shuffle8(v_lanes(aria_times_87[3]), h));
        const vec low = v_xor3(v_shuffle8(v_lanes(aria_times_87[0]), l), v_shuffle8(v_lanes(aria_times_87[2]), h),
                               v_shuffle8(high, up));
        const vec above = v_xor(t, v_shuffle8(high, top));
        v_store(mask[i], t);
#define TWEAK(m)                                                                                                       \
    if (m <= 2 * VEC_LANES)                                                                                            \
        v_store(m < 2 * VEC_LANES ? mask[8 * m + i] : base[i],                                                         \
                v_xor(v_align(above, low, 16 - m), v_shuffle8(high, v_lanes(aria_byte_pick[m]))));
        TWEAK(1) TWEAK(2) TWEAK(3) TWEAK(4) TWEAK(5) TWEAK(6) TWEAK(7) TWEAK(8)
#undef TWEAK
    }
}

static CDZ_KERNEL void VEC(xts)(const struct cdz_aria_way *way, size_t rounds, uint8_t tweak[16], const uint8_t *in,
                                uint8_t *out, size_t batches) {
    uint8_t mask[16 * VEC_LANES][16] V_ALIGNED, base[8][16] V_ALIGNED;
    aria_tweaks_first(base, tweak, 8);
    for (; batches; batches--, in += 16 * VEC_BYTES, out += 16 * VEC_BYTES) {
        VEC(tweaks)(mask, base);
        VEC(masked_plain)(way, rounds, mask[0], in, out);
    }
    memcpy(tweak, base[0], 16);
}

static CDZ_KERNEL void VEC(xts_part)(const struct cdz_aria_way *way, size_t rounds, uint8_t tweak[16],
                                     const uint8_t *in, uint8_t *out, size_t blocks) {
    uint8_t mask[16 * VEC_LANES][16] V_ALIGNED, base[8][16] V_ALIGNED, part[16 * VEC_BYTES] V_ALIGNED;
    aria_tweaks_first(base, tweak, 8);
    VEC(tweaks)(mask, base);
    VEC(take_blocks)(part, in, blocks);
    VEC(masked_plain)(way, rounds, mask[0], part, part);
    VEC(give_blocks)(out, part, blocks);
    memcpy(tweak, mask[blocks], 16);
}

/*
 * OCB's offsets from one batch to the next. Block i has the first offset of all plus L_k for each bit k of i's Gray
 * code, i ^ (i >> 1). With N = 2^n blocks a batch, from i = q N + r to i + N the bits n - 1 and n + ctz(q + 1) of it
 * change. `at` is the place in the batch where q becomes q + 1.
 */
CDZ_INLINE void VEC(offsets_next)(uint8_t next[][16], const uint8_t mask[][16], const uint8_t (*l)[16],
                                  uint64_t index) {
    enum { BITS = VEC_LANES == 4 ? 6 : VEC_LANES == 2 ? 5 : 4 };
    const size_t at = (size_t)(-index % (16 * VEC_LANES)), turn = at / VEC_LANES;
    const uint64_t q = (index + at) >> BITS;
    const uint8_t *const before = l[BITS + __builtin_ctzll(q)], *const after = l[BITS + __builtin_ctzll(q + 1)];
    const vec common = v_lanes(l[BITS - 1]), v = v_xor(common, v_lanes(before)), w = v_xor(common, v_lanes(after));
    for (size_t i = 0; i < turn; i++) v_store(next[VEC_LANES * i], v_xor(v, v_load(mask[VEC_LANES * i])));
    for (size_t i = turn; i < 16; i++) v_store(next[VEC_LANES * i], v_xor(w, v_load(mask[VEC_LANES * i])));
    for (size_t i = VEC_LANES * turn; i < at; i++) {
        cdz_xor16(next[i], next[i], before);
        cdz_xor16(next[i], next[i], after);
    }
}

CDZ_INLINE void VEC(sum_lanes)(uint8_t sum[16], const uint8_t lanes[VEC_BYTES]) {
    for (size_t i = 0; i < VEC_LANES; i++) cdz_xor16(sum, sum, lanes + 16 * i);
}

CDZ_INLINE void VEC(ocb)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16], uint64_t index,
                         uint8_t offset[16], uint8_t sum[16], const uint8_t *in, uint8_t *out, size_t batches,
                         enum aria_sum kind) {
    uint8_t mask[16 * VEC_LANES][16] V_ALIGNED, lanes[VEC_BYTES] V_ALIGNED;
    v_store(lanes, v_zero());
    aria_offsets_first(mask, l, index, offset, 16 * VEC_LANES);
    for (;; in += 16 * VEC_BYTES, index += 16 * VEC_LANES) {
        if (kind == ARIA_SUM_HASH) {
            VEC(masked_hash)(way, rounds, mask[0], in, lanes);
        } else {
            (kind == ARIA_SUM_IN ? VEC(masked_sum_in) : VEC(masked_sum_out))(way, rounds, mask[0], in, out, lanes);
            out += 16 * VEC_BYTES;
        }
        if (!--batches) break;
        VEC(offsets_next)(mask, (const uint8_t(*)[16])mask, l, index);
    }
    memcpy(offset, mask[16 * VEC_LANES - 1], 16);
    VEC(sum_lanes)(sum, lanes);
}

static CDZ_KERNEL void VEC(ocb_encrypt)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16],
                                        uint64_t index, uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                                        uint8_t *out, size_t batches) {
    VEC(ocb)(way, rounds, l, index, offset, sum, in, out, batches, ARIA_SUM_IN);
}
static CDZ_KERNEL void VEC(ocb_decrypt)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16],
                                        uint64_t index, uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                                        uint8_t *out, size_t batches) {
    VEC(ocb)(way, rounds, l, index, offset, sum, in, out, batches, ARIA_SUM_OUT);
}
static CDZ_KERNEL void VEC(ocb_aad)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16],
                                    uint64_t index, uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                                    uint8_t *out, size_t batches) {
    VEC(ocb)(way, rounds, l, index, offset, sum, in, out, batches, ARIA_SUM_HASH);
}

static CDZ_KERNEL void VEC(ocb_part)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16],
                                     uint64_t index, uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                                     uint8_t *out, size_t blocks, enum aria_sum kind) {
    uint8_t mask[16 * VEC_LANES][16] V_ALIGNED, part[16 * VEC_BYTES] V_ALIGNED;
#define ZERO(i) v_store(mask[VEC_LANES * i], v_zero());
    EACH16(ZERO)
#undef ZERO
    aria_offsets_first(mask, l, index, offset, blocks);
    VEC(take_blocks)(part, in, blocks);
    if (kind == ARIA_SUM_IN) aria_sum_blocks(sum, part, blocks);
    VEC(masked_plain)(way, rounds, mask[0], part, part);
    if (kind != ARIA_SUM_IN) aria_sum_blocks(sum, part, blocks);
    if (kind == ARIA_SUM_HASH)
        aria_sum_blocks(sum, mask[0], blocks); /* the masks came in at the end too */
    else
        VEC(give_blocks)(out, part, blocks);
    memcpy(offset, mask[blocks - 1], 16);
}

#if VEC_BITS == 512
/*
 * Many batches. While a batch is transposed, all work is on the one port that can shuffle 512 bits, and a batch is
 * longer than what the CPU looks ahead: so the transpositions of the batch before, on its way out, and of the one
 * after, on its way in, stand between the rounds of a batch, in halves that need few registers, from memory to memory.
 * Of what leaves and what enters in round
 *
 *     3: the first half of what leaves    5: its second half, to `out`    7: what enters, from `in`    9: its second
 * half
 */
enum aria_run { ARIA_ECB, ARIA_CBC, ARIA_CFB, ARIA_XTS, ARIA_OCB_IN, ARIA_OCB_OUT };

/* Half of the transposition: two of its stages make registers 4 i to 4 i + 3 of i, i + 4, i + 8 and i + 12. */
#define HALF(i, from, to)                                                                                              \
    do {                                                                                                               \
        const vec h0 = from(i), h1 = from((i) + 4), h2 = from((i) + 8), h3 = from((i) + 12);                           \
        const vec h02 = v_low8(h0, h2), h13 = v_low8(h1, h3), h20 = v_high8(h0, h2), h31 = v_high8(h1, h3);            \
        to(4 * (i) + 3, v_high8(h20, h31));                                                                            \
        to(4 * (i) + 2, v_low8(h20, h31));                                                                             \
        to(4 * (i) + 1, v_high8(h02, h13));                                                                            \
        to(4 * (i), v_low8(h02, h13));                                                                                 \
    } while (0)
#define HALVES(from, to)                                                                                               \
    HALF(3, from, to);                                                                                                 \
    HALF(2, from, to);                                                                                                 \
    HALF(1, from, to);                                                                                                 \
    HALF(0, from, to)

/* state: CBC's and CFB's iv, XTS's tweak, OCB's offset, to be left as the next one. l, index and sum are OCB's. */
CDZ_INLINE void VEC(run)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out, size_t batches,
                         enum aria_run kind, uint8_t state[16], const uint8_t (*l)[16], uint64_t index,
                         uint8_t sum[16]) {
    uint8_t next[16 * VEC_BYTES] V_ALIGNED, done[16 * VEC_BYTES] V_ALIGNED, half[16 * VEC_BYTES] V_ALIGNED;
    uint8_t mask[2][16 * VEC_LANES][16] V_ALIGNED, lanes[VEC_BYTES] V_ALIGNED, base[8][16] V_ALIGNED, iv[16];
    const vec first = v_lanes(way->row[0]), last = v_lanes(way->row[rounds]);
    const uint32_t(*const w)[16] = way->word + 1 + ARIA_KEYED;
    const bool ocb = kind == ARIA_OCB_IN || kind == ARIA_OCB_OUT;
    const uint8_t *old = in;
    vec before, s; /* the block before each one of the first vector; the checksum */
    v_store(lanes, v_zero());
    if (kind == ARIA_CBC || kind == ARIA_CFB) {
        memcpy(iv, state, 16);
        memcpy(state, in + 16 * VEC_BYTES * batches - 16, 16);
    }
    if (kind == ARIA_XTS) {
        aria_tweaks_first(base, state, 8);
        VEC(tweaks)(mask[0], base);
    }
    if (ocb) aria_offsets_first(mask[0], l, index, state, 16 * VEC_LANES);
#define AT(p, i)      ((p) + (i)*VEC_BYTES)
#define MASK(n, i)    v_load(mask[(n)&1][VEC_LANES * (i)])
#define FROM_HALF(i)  v_load(AT(half, i))
#define FROM_DONE(i)  v_load(AT(done, i))
#define TO_HALF(i, v) v_store(AT(half, i), v)
#define TO_NEXT(i, v) v_store(AT(next, i), v)
        /* The vector i of batch n. */
#define FROM_IN(n, i)                                                                                                  \
    VEC(enter)                                                                                                         \
    (kind == ARIA_XTS || ocb ? v_xor3(first, v_load(AT(in, i)), MASK(n, i))                                            \
     : kind == ARIA_CFB      ? v_xor(first, (i) == 0 ? before : v_load(AT(in, i) - 16))                                \
                             : v_xor(first, v_load(AT(in, i))))
#define FROM_NEXT(i)  FROM_IN(n + 1, i)
#define FROM_FIRST(i) FROM_IN(0, i)
#define TO_OUT(i, v)                                                                                                   \
    do {                                                                                                               \
        const vec y = kind == ARIA_XTS || ocb ? ADD_LAST2(v, MASK(n - 1, i))                                           \
                      : kind == ARIA_CBC      ? ADD_LAST2(v, (i) == 0 ? before : v_load(AT(old, i) - 16))              \
                           : kind == ARIA_CFB ? ADD_LAST2(v, v_load(AT(old, i)))                                       \
                                              : ADD_LAST(v);                                                                \
        if (kind == ARIA_OCB_OUT) s = v_xor(s, y);                                                                     \
        v_store(AT(out, i), y);                                                                                        \
    } while (0)
#define SUM_IN(i) s = v_xor(s, v_load(AT(in, i)));
#define ENTER(from)                                                                                                    \
    do {                                                                                                               \
        if (kind == ARIA_OCB_IN) {                                                                                     \
            s = v_load(lanes);                                                                                         \
            EACH16(SUM_IN)                                                                                             \
            v_store(lanes, s);                                                                                         \
        }                                                                                                              \
        HALVES(from, TO_HALF);                                                                                         \
    } while (0)
#define LEAVE                                                                                                          \
    do {                                                                                                               \
        uint8_t kept[16];                                                                                              \
        if (kind == ARIA_CBC) { /* in place, the ciphertext is overwritten from its end on */                          \
            before = v_lanes_after(v_load(old), v_lanes(iv));                                                          \
            memcpy(kept, old + 16 * VEC_BYTES - 16, 16);                                                               \
        }                                                                                                              \
        if (kind == ARIA_OCB_OUT) s = v_load(lanes);                                                                   \
        HALVES(FROM_HALF, TO_OUT);                                                                                     \
        if (kind == ARIA_OCB_OUT) v_store(lanes, s);                                                                   \
        if (kind == ARIA_CBC) memcpy(iv, kept, 16);                                                                    \
        out += 16 * VEC_BYTES, old += 16 * VEC_BYTES;                                                                  \
    } while (0)
    before = v_lanes_after(v_load(in), v_lanes(kind == ARIA_CBC || kind == ARIA_CFB ? iv : way->row[0]));
    ENTER(FROM_FIRST);
    HALVES(FROM_HALF, TO_NEXT);
    size_t n = 0;
    for (;; n++) {
        const bool more = n + 1 < batches;
        vec x[16];
#define LOAD(i)  x[i] = v_load(AT(next, i));
#define STORE(i) v_store(AT(done, i), x[i]);
        EACH16(LOAD)
        VEC(substitute)(x, way->word[1], 0);
        VEC(mix_substitute)(x, w[0], 2);
        VEC(mix_substitute)(x, w[1], 0);
        if (n) {
            HALVES(FROM_DONE, TO_HALF);
        }
        VEC(mix_substitute)(x, w[2], 2);
        VEC(mix_substitute)(x, w[3], 0);
        if (n) LEAVE;
        if (more && kind == ARIA_XTS) VEC(tweaks)(mask[(n + 1) & 1], base);
        if (more && ocb) {
            VEC(offsets_next)(mask[(n + 1) & 1], (const uint8_t(*)[16])mask[n & 1], l, index);
            index += 16 * VEC_LANES;
        }
        VEC(mix_substitute)(x, w[4], 2);
        VEC(mix_substitute)(x, w[5], 0);
        if (more) {
            in += 16 * VEC_BYTES;
            if (kind == ARIA_CFB) before = v_load(in - 16);
            ENTER(FROM_NEXT);
        }
        VEC(mix_substitute)(x, w[6], 2);
        VEC(mix_substitute)(x, w[7], 0);
        if (more) {
            HALVES(FROM_HALF, TO_NEXT);
        }
        VEC(rounds)(x, w + 8, rounds / 2 - 4);
        EACH16(STORE)
        if (!more) break;
    }
    n++;
    HALVES(FROM_DONE, TO_HALF);
    LEAVE;
    if (kind == ARIA_XTS) memcpy(state, base[0], 16);
    if (ocb) {
        memcpy(state, mask[(batches - 1) & 1][16 * VEC_LANES - 1], 16);
        VEC(sum_lanes)(sum, lanes);
    }
#undef AT
#undef MASK
#undef FROM_HALF
#undef FROM_DONE
#undef TO_HALF
#undef TO_NEXT
#undef FROM_IN
#undef FROM_NEXT
#undef FROM_FIRST
#undef TO_OUT
#undef SUM_IN
#undef ENTER
#undef LEAVE
#undef LOAD
#undef STORE
}

static CDZ_KERNEL void VEC(run_ecb)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out,
                                    size_t batches) {
    VEC(run)(way, rounds, in, out, batches, ARIA_ECB, NULL, NULL, 0, NULL);
}
static CDZ_KERNEL void VEC(run_cbc)(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in,
                                    uint8_t *out, size_t batches) {
    VEC(run)(way, rounds, in, out, batches, ARIA_CBC, iv, NULL, 0, NULL);
}
static CDZ_KERNEL void VEC(run_cfb)(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in,
                                    uint8_t *out, size_t batches) {
    VEC(run)(way, rounds, in, out, batches, ARIA_CFB, iv, NULL, 0, NULL);
}
static CDZ_KERNEL void VEC(run_xts)(const struct cdz_aria_way *way, size_t rounds, uint8_t tweak[16], const uint8_t *in,
                                    uint8_t *out, size_t batches) {
    VEC(run)(way, rounds, in, out, batches, ARIA_XTS, tweak, NULL, 0, NULL);
}
static CDZ_KERNEL void VEC(run_ocb_encrypt)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16],
                                            uint64_t index, uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                                            uint8_t *out, size_t batches) {
    VEC(run)(way, rounds, in, out, batches, ARIA_OCB_IN, offset, l, index, sum);
}
static CDZ_KERNEL void VEC(run_ocb_decrypt)(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16],
                                            uint64_t index, uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                                            uint8_t *out, size_t batches) {
    VEC(run)(way, rounds, in, out, batches, ARIA_OCB_OUT, offset, l, index, sum);
}

/*
 * Chains side by side, a block of each a step: block 0 to n - 1 of the batch. What is chained stays byte-sliced from
 * step to step,
 *
 *     x = y ^ T(in) ^ (first ^ last)
 *
 * with y the result of the step before, less its last key, T the transposition, and `in` the blocks of this step (CBC,
 * MAC) or of the step before (CFB; none in OFB). So the transpositions are off the chain, and stand between the rounds
 * as in run(): those of the results of the step before, on their way out, and of the blocks that come next. Blocks go
 * from and to their places by copies of 16 bytes, which take neither of the two vector ports.
 */
CDZ_INLINE void VEC(chains)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_chains *c,
                            enum cdz_chain_kind kind) {
    uint8_t next[16 * VEC_LANES][16] V_ALIGNED, done[16 * VEC_LANES][16] V_ALIGNED, half[16 * VEC_BYTES] V_ALIGNED;
    const vec last = v_lanes(way->row[rounds]);
    const uint32_t(*const w)[16] = way->word + 1 + ARIA_KEYED;
    const bool cbc = kind == CDZ_CHAIN_CBC || kind == CDZ_CHAIN_MAC;
    uint32_t keys[16] V_ALIGNED; /* first ^ last */
    vec x[16];
    v_store(keys, v_xor(v_load(way->word[0]), v_load(way->word[rounds])));
#define FROM_NEXT(i)  v_load(next[VEC_LANES * (i)])
#define FROM_DONE(i)  v_load(done[VEC_LANES * (i)])
#define FROM_HALF(i)  v_load(half + (i)*VEC_BYTES)
#define FROM_X(i)     v_xor(last, v_load(next[VEC_LANES * (i)]))
#define TO_HALF(i, v) v_store(half + (i)*VEC_BYTES, v)
#define TO_NEXT(i, v) v_store(next[VEC_LANES * (i)], v)
#define TO_DONE(i, v) v_store(done[VEC_LANES * (i)], ADD_LAST(v))
#define ZERO(i)       x[i] = v_zero();
#define ABSENT(i)     TO_NEXT(i, v_zero());
#define ENTER(i)      x[i] = v_xor3_dup(x[i], FROM_NEXT(i), keys + (i));
#define LEAVE(i)      v_store(done[VEC_LANES * (i)], x[i]);
#define EACH(m, from)                                                                                                  \
    do {                                                                                                               \
        const uint8_t *const *const in = c->in;                                                                        \
        uint8_t *const *const out = c->out, (*const regs)[16] = c->x;                                                  \
        const size_t n = c->n, at = (from);                                                                            \
        size_t i = 0;                                                                                                  \
        (void)in, (void)out, (void)regs, (void)at;                                                                     \
        for (; i + 4 <= n; i += 4) m(i), m(i + 1), m(i + 2), m(i + 3);                                                 \
        for (; i < n; i++) m(i);                                                                                       \
    } while (0)
#define COPY_IN(i)       memcpy(next[i], in[i] + at, 16)
#define XOR_IN(i)        cdz_xor16(next[i], regs[i], in[i] + at)
#define COPY_REGISTER(i) memcpy(next[i], regs[i], 16)
#define COPY_OUT(i)      memcpy(out[i] + at, done[i], 16)
#define XOR_OUT(i)       cdz_xor16(out[i] + at, done[i], in[i] + at)
#define LEAVE_COPY(i)    memcpy(regs[i], done[i], 16)
#define LEAVE_XOR(i)     cdz_xor16(regs[i], done[i], in[i] + at)
#define GIVE(at)                                                                                                       \
    do {                                                                                                               \
        if (kind == CDZ_CHAIN_CBC) EACH(COPY_OUT, at);                                                                 \
        if (kind == CDZ_CHAIN_CFB || kind == CDZ_CHAIN_OFB) EACH(XOR_OUT, at);                                         \
    } while (0)
    EACH16(ZERO)
    EACH16(ABSENT)
    if (cbc)
        EACH(XOR_IN, 0);
    else
        EACH(COPY_REGISTER, 0);
    HALVES(FROM_X, TO_HALF);
    HALVES(FROM_HALF, TO_NEXT);
    for (;; c->at += 16) {
        const bool more = c->at + 16 < c->end;
        EACH16(ENTER)
        VEC(substitute)(x, way->word[1], 0);
        VEC(mix_substitute)(x, w[0], 2);
        if (c->at && kind != CDZ_CHAIN_MAC) {
            HALVES(FROM_DONE, TO_HALF);
        }
        VEC(mix_substitute)(x, w[1], 0);
        if (kind == CDZ_CHAIN_OFB) {
            if (!c->at) {
                EACH16(ABSENT)
            }
        } else if (more) {
            EACH(COPY_IN, cbc ? c->at + 16 : c->at);
        }
        VEC(mix_substitute)(x, w[2], 2);
        VEC(mix_substitute)(x, w[3], 0);
        if (c->at && kind != CDZ_CHAIN_MAC) {
            HALVES(FROM_HALF, TO_DONE);
        }
        VEC(mix_substitute)(x, w[4], 2);
        VEC(mix_substitute)(x, w[5], 0);
        if (more && kind != CDZ_CHAIN_OFB) {
            HALVES(FROM_NEXT, TO_HALF);
        }
        VEC(mix_substitute)(x, w[6], 2);
        if (c->at) GIVE(c->at - 16);
        VEC(mix_substitute)(x, w[7], 0);
        if (more && kind != CDZ_CHAIN_OFB) {
            HALVES(FROM_HALF, TO_NEXT);
        }
        VEC(rounds)(x, w + 8, rounds / 2 - 4);
        EACH16(LEAVE)
        if (!more) break;
    }
    HALVES(FROM_DONE, TO_HALF);
    HALVES(FROM_HALF, TO_DONE);
    if (kind == CDZ_CHAIN_CFB)
        EACH(LEAVE_XOR, c->at);
    else
        EACH(LEAVE_COPY, c->at);
    GIVE(c->at);
#undef FROM_NEXT
#undef FROM_DONE
#undef FROM_HALF
#undef FROM_X
#undef TO_HALF
#undef TO_NEXT
#undef TO_DONE
#undef ZERO
#undef ABSENT
#undef ENTER
#undef LEAVE
#undef EACH
#undef COPY_IN
#undef XOR_IN
#undef COPY_REGISTER
#undef COPY_OUT
#undef XOR_OUT
#undef LEAVE_COPY
#undef LEAVE_XOR
#undef GIVE
}

static CDZ_KERNEL void VEC(chains_cbc)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_chains *c) {
    VEC(chains)(way, rounds, c, CDZ_CHAIN_CBC);
}
static CDZ_KERNEL void VEC(chains_cfb)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_chains *c) {
    VEC(chains)(way, rounds, c, CDZ_CHAIN_CFB);
}
static CDZ_KERNEL void VEC(chains_ofb)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_chains *c) {
    VEC(chains)(way, rounds, c, CDZ_CHAIN_OFB);
}
static CDZ_KERNEL void VEC(chains_mac)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_chains *c) {
    VEC(chains)(way, rounds, c, CDZ_CHAIN_MAC);
}
#endif

/*
 * Counter mode, whole batches. Within a call two bytes of the counter change, so the first substitution and diffusion
 * are made once for the other fourteen, on one block; the four bytes of their result that neither of the two reaches
 * go through the second substitution in the same way. `le` is a constant: the counter is little-endian in bytes 0 and
 * 1, else big-endian in bytes 14 and 15.
 *
 *            in byte  reaches                             neither reaches
 *     high       14   0  3  4  5  9 11 14                 6  7 12 13
 *     low        15   1  2  4  5  8 10 15
 *     high, le    1   2  5  7  8  9 12 15                 0  1 10 11
 *     low, le     0   3  4  6  8  9 13 14
 */
CDZ_INLINE void VEC(counter_begin)(vec x[16], const struct cdz_aria_counter *c, const uint32_t key3[16], size_t rounds,
                                   bool le) {
    const uint32_t *const k = c->word2;
    enum { shift = 2 };
    vec y[16], low, high, step;
    /* Block L j + l of the batch adds L j + l: what overflows in the low byte is carried into the high one. */
    step = VEC(order_one)(v_load(VEC(counter_steps)), rounds);
    low = v_add8(v_fill8(c->at), step);
    high = v_add8(v_fill8((c->at >> 8) + 1), v_above_equal8(low, step)); /* + 1 - 1 where nothing is carried */
    low = VEC(enter)(v_xor_dup(low, &c->key[0]));
    high = VEC(enter)(v_xor_dup(high, &c->key[1]));
    low = VEC(sub_begin)(low, le ? 0 : 3);
    high = VEC(sub_begin)(high, le ? 1 : 2);
    low = VEC(sub_end)(low, le ? 0 : 3, NULL);
    high = VEC(sub_end)(high, le ? 1 : 2, NULL);
#define LOW(i)  BEGIN(i, v_xor_dup(low, c->word1 + i))
#define HIGH(i) BEGIN(i, v_xor_dup(high, c->word1 + i))
#define BOTH(i) BEGIN(i, v_xor3_dup(low, high, c->word1 + i))
#if ARIA_KEYED
#define FIXED(i) y[i] = v_dup32(c->word2 + i)
#else
#define FIXED(i) y[i] = v_zero()
#endif
    if (le) {
        LOW(13), LOW(6), BOTH(8), END(13), LOW(3), END(6), HIGH(7), END(8), HIGH(12), END(3), HIGH(2), END(7), BOTH(9);
        END(12), HIGH(15), END(2), LOW(4), END(9), HIGH(5), END(15), LOW(14), END(4), END(5), END(14);
        FIXED(0), FIXED(1), FIXED(10), FIXED(11);
    } else {
        LOW(8), HIGH(3), LOW(2), END(8), HIGH(9), END(3), LOW(10), END(2), LOW(1), END(9), LOW(15), END(10), BOTH(4);
        END(1), HIGH(0), END(15), HIGH(11), END(4), BOTH(5), END(0), HIGH(14), END(11), END(5), END(14);
        FIXED(6), FIXED(7), FIXED(12), FIXED(13);
    }
#undef LOW
#undef HIGH
#undef BOTH
#undef FIXED
    VEC(mix_substitute)(y, ARIA_KEYED ? key3 : c->word2, 0);
    EACH16(COPY)
}

/* Full batches; the counter's two bytes are in c->at. */
CDZ_INLINE void VEC(counter_batches)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                     const uint8_t *in, uint8_t *out, size_t batches, bool le) {
    const vec last = v_lanes(way->row[rounds]);
    (void)last;
    for (; batches; batches--, in += 16 * VEC_BYTES, out += 16 * VEC_BYTES) {
        vec x[16];
        VEC(counter_begin)(x, c, way->word[3], rounds, le);
        VEC(rounds)(x, way->word + 3 + ARIA_KEYED, rounds / 2 - 1);
        VEC(transpose)(x);
#define STORE(i) v_store(out + i * VEC_BYTES, ADD_LAST2(x[i], v_load(in + i * VEC_BYTES)));
        EACH16(STORE)
#undef STORE
        c->at += 16 * VEC_LANES;
    }
}

/* Two functions rather than one, so that `le` is a constant. */
static CDZ_KERNEL void VEC(counter)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                    const uint8_t *in, uint8_t *out, size_t batches) {
    VEC(counter_batches)(way, rounds, c, in, out, batches, false);
}
static CDZ_KERNEL void VEC(counter_le)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                       const uint8_t *in, uint8_t *out, size_t batches) {
    VEC(counter_batches)(way, rounds, c, in, out, batches, true);
}

#if VEC_BITS == 512
/*
 * Many batches, as in run(): there is nothing to bring in here.
 *
 * GCM's hash (src/ghash/ghash_clmul.inc.h, of the same width) goes between the rounds too, in quarters of a batch: when
 * decrypting that of the batch whose keystream is being made, when encrypting that of the last one but one, which is
 * in memory. All but the very last quarter leave the lanes of `y` apart.
 */
enum aria_hash { ARIA_NO_HASH, ARIA_HASH_IN, ARIA_HASH_OUT };
_Static_assert(HASH_BLOCKS == 4 * VEC_LANES, "a hash of four vectors at once");

CDZ_INLINE void VEC(counter_run)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                 const uint8_t *in, uint8_t *out, size_t batches, bool le, enum aria_hash what,
                                 const void *hk, uint8_t y[16]) {
    uint8_t done[16 * VEC_BYTES] V_ALIGNED, half[16 * VEC_BYTES] V_ALIGNED, lanes[VEC_BYTES] V_ALIGNED;
    const vec last = v_lanes(way->row[rounds]);
    const uint32_t(*const w)[16] = way->word + 3 + ARIA_KEYED;
    const uint8_t *hashed = what == ARIA_HASH_IN ? in : out;
    if (what != ARIA_NO_HASH) v_store(lanes, z_zext(x_reverse(x_load(y))));
#define FROM_DONE(i)  v_load(done + (i)*VEC_BYTES)
#define FROM_HALF(i)  v_load(half + (i)*VEC_BYTES)
#define TO_HALF(i, v) v_store(half + (i)*VEC_BYTES, v)
#define TO_OUT(i, v)  v_store(out + (i)*VEC_BYTES, ADD_LAST2(v, v_load(in + (i)*VEC_BYTES)))
#define STORE(i)      v_store(done + i * VEC_BYTES, x[i]);
#define HASH(i)       v_store(lanes, z_hash_batch(hk, v_load(lanes), hashed + 4 * VEC_BYTES * (i), false, true))
#define HASHES        (what == ARIA_HASH_IN || (what == ARIA_HASH_OUT && n > 1))
    for (size_t n = 0;; n++) {
        const bool more = n + 1 < batches;
        vec x[16];
        VEC(counter_begin)(x, c, way->word[3], rounds, le);
        VEC(mix_substitute)(x, w[0], 2);
        if (HASHES) HASH(0);
        VEC(mix_substitute)(x, w[1], 0);
        if (n) {
            HALVES(FROM_DONE, TO_HALF);
        }
        VEC(mix_substitute)(x, w[2], 2);
        if (HASHES) HASH(1);
        VEC(mix_substitute)(x, w[3], 0);
        if (n) {
            HALVES(FROM_HALF, TO_OUT);
            in += 16 * VEC_BYTES, out += 16 * VEC_BYTES;
        }
        VEC(mix_substitute)(x, w[4], 2);
        if (HASHES) HASH(2);
        VEC(mix_substitute)(x, w[5], 0);
        if (HASHES) {
            if (what == ARIA_HASH_OUT || more) HASH(3);
            hashed += 16 * VEC_BYTES;
        }
        VEC(rounds)(x, w + 6, rounds / 2 - 4);
        EACH16(STORE)
        c->at += 16 * VEC_LANES;
        if (!more) break;
    }
    if (what == ARIA_HASH_IN) v_store(lanes, z_hash_batch(hk, v_load(lanes), hashed - 4 * VEC_BYTES, true, true));
    HALVES(FROM_DONE, TO_HALF);
    HALVES(FROM_HALF, TO_OUT);
    if (what == ARIA_HASH_OUT) {
        HASH(0), HASH(1), HASH(2), HASH(3), HASH(4), HASH(5), HASH(6);
        v_store(lanes, z_hash_batch(hk, v_load(lanes), hashed + 28 * VEC_BYTES, true, true));
    }
    if (what != ARIA_NO_HASH) x_store(y, x_reverse(z_fold(v_load(lanes))));
#undef FROM_DONE
#undef FROM_HALF
#undef TO_HALF
#undef TO_OUT
#undef STORE
#undef HASH
#undef HASHES
}

static CDZ_KERNEL void VEC(run_counter)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                        const uint8_t *in, uint8_t *out, size_t batches) {
    VEC(counter_run)(way, rounds, c, in, out, batches, false, ARIA_NO_HASH, NULL, NULL);
}
static CDZ_KERNEL void VEC(run_counter_le)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                           const uint8_t *in, uint8_t *out, size_t batches) {
    VEC(counter_run)(way, rounds, c, in, out, batches, true, ARIA_NO_HASH, NULL, NULL);
}
static CDZ_KERNEL void VEC(run_gcm_encrypt)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                            const void *hk, uint8_t y[16], const uint8_t *in, uint8_t *out,
                                            size_t batches) {
    VEC(counter_run)(way, rounds, c, in, out, batches, false, ARIA_HASH_OUT, hk, y);
}
static CDZ_KERNEL void VEC(run_gcm_decrypt)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                            const void *hk, uint8_t y[16], const uint8_t *in, uint8_t *out,
                                            size_t batches) {
    VEC(counter_run)(way, rounds, c, in, out, batches, false, ARIA_HASH_IN, hk, y);
}
#undef HALF
#undef HALVES
#endif

static CDZ_KERNEL void VEC(counter_part)(const struct cdz_aria_way *way, size_t rounds, struct cdz_aria_counter *c,
                                         const uint8_t *in, uint8_t *out, size_t len, bool le) {
    uint8_t part[16 * VEC_BYTES] V_ALIGNED;
    size_t at = 0;
#define ZERO(i) v_store(part + i * VEC_BYTES, v_zero());
    EACH16(ZERO)
#undef ZERO
    (le ? VEC(counter_le) : VEC(counter))(way, rounds, c, part, part, 1);
    for (; len - at >= VEC_BYTES; at += VEC_BYTES) v_store(out + at, v_xor(v_load(in + at), v_load(part + at)));
    if (at < len) v_xor_bytes(out + at, in + at, v_load(part + at), len - at);
}

#undef SUBSTITUTE
#undef ADD_KEY
#undef ADD_KEY3
#undef ADD_LAST
#undef ADD_LAST2
#undef BEGIN
#undef END
#undef COPY
