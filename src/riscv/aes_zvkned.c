/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aes/zvkned: AES (FIPS 197) with the vector AES instructions (Zvkned), and Zvkb's byte reversal for counters.
 *
 * A register holds P / 16 blocks (P = VLEN / 8, at most CDZ_PLANE_MOST), four 32-bit elements each. Modes whose blocks
 * do not wait for each other run eight registers side by side, one of them where no more blocks are left; serial modes
 * run one block. The round keys stay in registers, each repeated for every block of one: 15 of them, 8 of data, and
 * what the modes need.
 *
 * The .vv forms are used throughout: compilers have emitted .vs forms (one key for a group) of the wrong size.
 *
 * vaesdm adds the round key before InvMixColumns, as the specification's inverse cipher does: the same round keys serve
 * both directions, from the other end. The key schedule is made in words for all three key sizes, SubBytes by vaesef
 * with a key of zeros on a state of four equal columns, which ShiftRows leaves alone: vaeskf1 and vaeskf2 know no
 * 192-bit keys.
 *
 * Zvkned itself demands that its instructions' time does not depend on data; of the others Zvkt does, where it is
 * there.
 *
 * Reference: RISC-V Cryptography Extensions, volume II, vector instructions.
 */
#include "aes_words.h"
#include "sliced_rvv.h"

extern const struct cdz_engine cdz_aes_zvkned;

struct keys {
    uint8_t key[CDZ_AES_ROUNDS_MOST + 1][16];
    uint32_t rounds;
    uint32_t spare[3];
};

typedef vuint32m1_t x_vec;

enum { AT_ONCE = 8, STACK = 1024 };

#define WORDS(x) __riscv_vreinterpret_v_u8m1_u32m1(x)
#define BYTES(x) __riscv_vreinterpret_v_u32m1_u8m1(x)

/* ---- keys ------------------------------------------------------------------------------------------------------- */

/* By way of memory: Zvkt does not list vmv.x.s. */
CDZ_INLINE uint32_t substitute4(uint32_t x) {
    uint8_t s[4];
    const x_vec zero = __riscv_vmv_v_x_u32m1(0, 4);
    V_STORE(s, BYTES(__riscv_vaesef_vv_u32m1(__riscv_vmv_v_x_u32m1(x, 4), zero, 4)), 4);
    x = cdz_load_le32(s);
    cdz_wipe(s, 4);
    return x;
}

static CDZ_KERNEL void schedule(struct keys *k, const uint8_t *key, size_t key_len) {
    uint32_t w[CDZ_AES_WORDS_MOST];
    k->rounds = cdz_aes_words(w, key, key_len, substitute4);
    memcpy(k->key, w, 16 * (k->rounds + 1)); /* RISC-V is little-endian */
    cdz_wipe(w, sizeof w);
}

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    memset(ks, 0, sizeof(struct keys));
    schedule(ks, key, key_len);
    cdz_leave_nothing(STACK);
}

/* The 16 bytes at p for every block of a register. */
CDZ_INLINE x_vec repeat(const uint8_t *p, size_t vlb) {
    cdz_v x = V_LOAD(p, 16);
    for (size_t n = 16; n < vlb; n *= 2) x = __riscv_vslideup_vx_u8m1(x, x, n, vlb);
    return WORDS(x);
}

/* The round keys in the order of use as k_0 (the first), e_0 to e_3 (only in 12 and 14 rounds), m_1 to m_9, k_1. Needs
 * `keys`, `decrypt` (a constant) and vlb, the bytes of a register in use. */
#define NTH_KEY(n) repeat(keys->key[decrypt ? keys->rounds - (n) : (n)], vlb)
#define KEYS                                                                                                           \
    const uint32_t more = keys->rounds - 10;                                                                           \
    const size_t vl = vlb / 4;                                                                                         \
    const x_vec k_0 = NTH_KEY(0), k_1 = NTH_KEY(10 + more), m_1 = NTH_KEY(1 + more), m_2 = NTH_KEY(2 + more),          \
                m_3 = NTH_KEY(3 + more), m_4 = NTH_KEY(4 + more), m_5 = NTH_KEY(5 + more), m_6 = NTH_KEY(6 + more),    \
                m_7 = NTH_KEY(7 + more), m_8 = NTH_KEY(8 + more), m_9 = NTH_KEY(9 + more);                             \
    x_vec e_0 = k_0, e_1 = k_0, e_2 = k_0, e_3 = k_0;                                                                  \
    if (more) {                                                                                                        \
        e_0 = NTH_KEY(1), e_1 = NTH_KEY(2);                                                                            \
        if (more > 2) e_2 = NTH_KEY(3), e_3 = NTH_KEY(4);                                                              \
    }

#define XOR(a, b)    __riscv_vxor_vv_u32m1(a, b, vl)
#define MIDDLE(x, k) (decrypt ? __riscv_vaesdm_vv_u32m1(x, k, vl) : __riscv_vaesem_vv_u32m1(x, k, vl))
#define LAST(x, k)   (decrypt ? __riscv_vaesdf_vv_u32m1(x, k, vl) : __riscv_vaesef_vv_u32m1(x, k, vl))

/* All of the cipher on one register, or on eight named x0 to x7, to which the first key has been added. `last` is the
 * last round's key. */
#define ONE(k) x0 = MIDDLE(x0, k);
#define EIGHT(k)                                                                                                       \
    x0 = MIDDLE(x0, k), x1 = MIDDLE(x1, k), x2 = MIDDLE(x2, k), x3 = MIDDLE(x3, k);                                    \
    x4 = MIDDLE(x4, k), x5 = MIDDLE(x5, k), x6 = MIDDLE(x6, k), x7 = MIDDLE(x7, k);
#define ROUNDS(DO)                                                                                                     \
    if (more) {                                                                                                        \
        DO(e_0) DO(e_1) if (more > 2) { DO(e_2) DO(e_3) }                                                              \
    }                                                                                                                  \
    DO(m_1) DO(m_2) DO(m_3) DO(m_4) DO(m_5) DO(m_6) DO(m_7) DO(m_8) DO(m_9)
#define CRYPT_ONE(last)                                                                                                \
    do {                                                                                                               \
        ROUNDS(ONE)                                                                                                    \
        x0 = LAST(x0, last);                                                                                           \
    } while (0)
#define CRYPT_EIGHT                                                                                                    \
    do {                                                                                                               \
        ROUNDS(EIGHT)                                                                                                  \
        x0 = LAST(x0, k_1), x1 = LAST(x1, k_1), x2 = LAST(x2, k_1), x3 = LAST(x3, k_1);                                \
        x4 = LAST(x4, k_1), x5 = LAST(x5, k_1), x6 = LAST(x6, k_1), x7 = LAST(x7, k_1);                                \
    } while (0)
#define ALL_EIGHT(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* ---- the modes whose blocks do not wait for each other ----------------------------------------------------------- */

/* Register j's part of what is left. */
CDZ_INLINE size_t part(size_t len, size_t j, size_t vlb) {
    return len <= j * vlb ? 0 : len - j * vlb < vlb ? len - j * vlb : vlb;
}

/* No more bytes of a register in use than the call has blocks for. */
CDZ_INLINE size_t register_bytes(size_t len) {
    const size_t most = __riscv_vsetvl_e8m1(CDZ_PLANE_MOST);
    size_t vlb = 16;
    while (vlb < most && vlb < len) vlb *= 2;
    return vlb;
}

#define LOAD(p, j) WORDS(V_LOAD((p) + (j)*vlb, part(len, j, vlb)))
#define STORE(j)   V_STORE(out + (j)*vlb, BYTES(x##j), part(len, j, vlb))

/* A mode over eight registers at a time, and the last ones: PREPARE(j) declares xj with the first key added, FINISH(j)
 * stores it; STEP moves on what the mode counts, FIRST and AFTER come before and after each of these steps. */
#define SWEEP(FIRST, PREPARE, FINISH, STEP)                                                                            \
    while (len) {                                                                                                      \
        const size_t now = len < AT_ONCE * vlb ? len : AT_ONCE * vlb;                                                  \
        FIRST                                                                                                          \
        if (len <= vlb) {                                                                                              \
            PREPARE(0)                                                                                                 \
            CRYPT_ONE(k_1);                                                                                            \
            FINISH(0)                                                                                                  \
        } else {                                                                                                       \
            ALL_EIGHT(PREPARE)                                                                                         \
            CRYPT_EIGHT;                                                                                               \
            ALL_EIGHT(FINISH)                                                                                          \
        }                                                                                                              \
        STEP in += now, out += now, len -= now;                                                                        \
    }

#define NOTHING
#define PREPARE_BLOCKS(j) x_vec x##j = XOR(LOAD(in, j), k_0);
#define FINISH_BLOCKS(j)  STORE(j);

#define DEFINE_BLOCKS(name, direction)                                                                                 \
    static CDZ_KERNEL void name(const struct keys *keys, const uint8_t *in, uint8_t *out, size_t len) {                \
        const bool decrypt = direction;                                                                                \
        const size_t vlb = register_bytes(len);                                                                        \
        KEYS SWEEP(NOTHING, PREPARE_BLOCKS, FINISH_BLOCKS, NOTHING)                                                    \
    }
DEFINE_BLOCKS(encrypt_kernel, false)
DEFINE_BLOCKS(decrypt_kernel, true)

/* Counters are kept as numbers, so that an addition counts: big-endian ones are reversed within each word on their way
 * into the cipher. count: 0, 1, ... in the word that counts. */
#define PREPARE_CTR(j)                                                                                                 \
    x_vec x##j = little ? count : WORDS(__riscv_vreinterpret_v_u32m1_u8m1(__riscv_vrev8_v_u32m1(count, vl)));          \
    x##j = XOR(x##j, k_0);                                                                                             \
    count = __riscv_vadd_vv_u32m1(count, step, vl);
#define FINISH_CTR(j)                                                                                                  \
    {                                                                                                                  \
        const size_t n = part(len, j, vlb);                                                                            \
        V_STORE(out + (j)*vlb, V_XOR(BYTES(x##j), V_LOAD(in + (j)*vlb, n), n), n);                                     \
    }

CDZ_INLINE void ctr_sweep(const struct keys *keys, const uint8_t ctr[16], bool little, const uint8_t *in, uint8_t *out,
                          size_t len) {
    const bool decrypt = false;
    const size_t vlb = register_bytes(len);
    KEYS const x_vec lane = __riscv_vid_v_u32m1(vl), word = __riscv_vand_vx_u32m1(lane, 3, vl);
    /* All ones in the word that counts. (0 - 1 where the difference is 0: min(d, 1) - 1.) */
    const x_vec mask = __riscv_vadd_vx_u32m1(
        __riscv_vminu_vx_u32m1(__riscv_vxor_vx_u32m1(word, little ? 0 : 3, vl), 1, vl), (uint32_t)-1, vl);
    const x_vec step = __riscv_vand_vx_u32m1(mask, (uint32_t)(vlb / 16), vl);
    x_vec count = repeat(ctr, vlb);
    if (!little) count = __riscv_vrev8_v_u32m1(count, vl);
    count = __riscv_vadd_vv_u32m1(count, __riscv_vand_vv_u32m1(mask, __riscv_vsrl_vx_u32m1(lane, 2, vl), vl), vl);
    SWEEP(NOTHING, PREPARE_CTR, FINISH_CTR, NOTHING)
}

static CDZ_KERNEL void ctr_kernel(const struct keys *keys, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                                  size_t len) {
    ctr_sweep(keys, ctr, false, in, out, len);
}

static CDZ_KERNEL void ctr32le_kernel(const struct keys *keys, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                                      size_t len) {
    ctr_sweep(keys, ctr, true, in, out, len);
}

/* What stands before each block of register j: the register's own bytes moved up by a block, with the one before them
 * put below. All of it is loaded before anything is stored: in place the ciphertext is gone afterwards. */
#define BEFORE(j)                                                                                                      \
    ((j) == 0 ? WORDS(__riscv_vslideup_vx_u8m1(BYTES(before), V_LOAD(in, part(len, 0, vlb)), 16, vlb))                 \
              : WORDS(V_LOAD(in + (j)*vlb - 16, part(len, j, vlb))))
#define LAST_BLOCK const x_vec last = WORDS(V_LOAD(in + now - 16, 16));

#define PREPARE_CBC(j)                                                                                                 \
    x_vec x##j = XOR(LOAD(in, j), k_0);                                                                                \
    const x_vec b##j = part(len, j, vlb) ? BEFORE(j) : before;
#define FINISH_CBC(j)                                                                                                  \
    x##j = XOR(x##j, b##j);                                                                                            \
    STORE(j);
#define PREPARE_CFB(j)                                                                                                 \
    x_vec x##j = XOR(part(len, j, vlb) ? BEFORE(j) : before, k_0);                                                     \
    const x_vec c##j = LOAD(in, j);
#define FINISH_CFB(j)                                                                                                  \
    x##j = XOR(x##j, c##j);                                                                                            \
    STORE(j);

#define DEFINE_CHAINED(name, direction, PREPARE, FINISH)                                                               \
    static CDZ_KERNEL void name(const struct keys *keys, uint8_t iv[16], const uint8_t *in, uint8_t *out,              \
                                size_t blocks) {                                                                       \
        const bool decrypt = direction;                                                                                \
        size_t len = 16 * blocks;                                                                                      \
        const size_t vlb = register_bytes(len);                                                                        \
        x_vec before = WORDS(V_LOAD(iv, 16));                                                                          \
        KEYS SWEEP(LAST_BLOCK, PREPARE, FINISH, before = last;) V_STORE(iv, BYTES(before), 16);                        \
    }
DEFINE_CHAINED(cbc_decrypt_kernel, true, PREPARE_CBC, FINISH_CBC)
DEFINE_CHAINED(cfb_decrypt_kernel, false, PREPARE_CFB, FINISH_CFB)

/* ---- one block after the other ---------------------------------------------------------------------------------- */

/*
 * What counts is the time from one block to the next. The next block's first input is (this block's output) ^
 * (something known before) ^ (the first round key); all but the output is added to the last round's key in advance. So
 * x0 is the next block's state with the first key already in it, and outputs are taken out of it on the side.
 */
#define SERIAL                                                                                                         \
    const bool decrypt = false;                                                                                        \
    const size_t vlb = 16;                                                                                             \
    KEYS
#define BLOCK(p)      WORDS(V_LOAD(p, 16))
#define PUT(p, value) V_STORE(p, BYTES(value), 16)

static CDZ_KERNEL void cbc_encrypt_kernel(const struct keys *keys, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                                          size_t blocks) {
    SERIAL
    x_vec x0 = XOR(XOR(BLOCK(iv), BLOCK(in)), k_0);
    for (; --blocks; out += 16) {
        in += 16;
        const x_vec m = XOR(BLOCK(in), k_0);
        CRYPT_ONE(XOR(k_1, m));
        PUT(out, XOR(x0, m));
    }
    CRYPT_ONE(k_1);
    PUT(out, x0);
    PUT(iv, x0);
}

static CDZ_KERNEL void cbc_mac_kernel(const struct keys *keys, uint8_t mac[16], const uint8_t *in, size_t blocks) {
    SERIAL
    x_vec x0 = XOR(XOR(BLOCK(mac), BLOCK(in)), k_0);
    while (--blocks) {
        in += 16;
        CRYPT_ONE(XOR(k_1, XOR(BLOCK(in), k_0)));
    }
    CRYPT_ONE(k_1);
    PUT(mac, x0);
}

static CDZ_KERNEL void cfb_encrypt_kernel(const struct keys *keys, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                                          size_t blocks) {
    SERIAL
    x_vec x0 = XOR(BLOCK(iv), k_0);
    for (; blocks; blocks--, in += 16, out += 16) {
        CRYPT_ONE(XOR(k_1, XOR(BLOCK(in), k_0)));
        PUT(out, XOR(x0, k_0));
    }
    PUT(iv, XOR(x0, k_0));
}

static CDZ_KERNEL void ofb_kernel(const struct keys *keys, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                                  size_t blocks) {
    SERIAL
    x_vec x0 = XOR(BLOCK(iv), k_0);
    const x_vec both = XOR(k_0, k_1);
    for (; blocks; blocks--, in += 16, out += 16) {
        CRYPT_ONE(both);
        PUT(out, XOR(XOR(x0, k_0), BLOCK(in)));
    }
    PUT(iv, XOR(x0, k_0));
}

/* ---- the engine ------------------------------------------------------------------------------------------------- */

static void few(const void *ks, bool decrypt, const uint8_t *in, uint8_t *out, size_t blocks) {
    if (decrypt)
        decrypt_kernel(ks, in, out, 16 * blocks);
    else
        encrypt_kernel(ks, in, out, 16 * blocks);
    cdz_leave_nothing(STACK);
}

static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) { few(ks, false, in, out, blocks); }

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) { few(ks, true, in, out, blocks); }

static void ctr(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_kernel(ks, c, in, out, len);
    cdz_leave_nothing(STACK);
}

static void ctr32le(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr32le_kernel(ks, c, in, out, len);
    cdz_leave_nothing(STACK);
}

#define CHAIN(name)                                                                                                    \
    static void name(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {                 \
        if (!blocks) return;                                                                                           \
        name##_kernel(ks, iv, in, out, blocks);                                                                        \
        cdz_leave_nothing(STACK);                                                                                      \
    }
CHAIN(cbc_encrypt)
CHAIN(cbc_decrypt)
CHAIN(cfb_encrypt)
CHAIN(cfb_decrypt)
CHAIN(ofb)
#undef CHAIN

static void cbc_mac(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    if (!blocks) return;
    cbc_mac_kernel(ks, x, in, blocks);
    cdz_leave_nothing(STACK);
}

/* XTS and OCB are those of the frame, which never has enough blocks for a wide kernel here. */
static size_t never(size_t p, bool counters) {
    (void)p, (void)counters;
    return SIZE_MAX / 32;
}

static const struct cdz_sliced sliced = {.wide_from = never, .few = few};

#define ENGINE          cdz_aes_zvkned
#define NAME            "aes/zvkned"
#define NEEDS           (UINT64_C(1) << CDZ_CPU_BIT_RVV | UINT64_C(1) << CDZ_CPU_BIT_ZVKB | UINT64_C(1) << CDZ_CPU_BIT_ZVKNED)
#define CIPHER          CDZ_AES
#define BATCH           16 /* at VLEN 256 */
#define KEY_SIZE        sizeof(struct keys)
#define OWN_BLOCKS      1
#define OWN_SERIAL      1
#define OWN_CFB_DECRYPT 1
#include "sliced_engine.inc.h"
