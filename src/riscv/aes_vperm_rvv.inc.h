/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES by vector permutation (aes_vperm.inc.h) on RISC-V vectors. Includers define
 *
 *   X_VEC, X(name)                       the vector type, and the name of an intrinsic with its suffix: one block's
 * room ENGINE, NAME, NEEDS                  the engine's struct and fields
 *
 * One block a register, half a register where VLEN is 256: on SpacemiT's X60 a gather takes as many cycles as the
 * product of its operands' 128-bit pieces, so that two blocks in a whole register take 4 cycles, and in two halves 2.
 * Serial modes run one block, whose time is the latency of some twelve dependent instructions a round; the others run
 * four blocks side by side, which fill an in-order core of latency 4.
 *
 * Lookups index vrgather with secrets. Zvkt, which lists the instructions whose time does not depend on data, exempts
 * those indices: see docs/constant-time.md. An index of 0x80 or more gives 0 because it is beyond VLMAX, which is at
 * most 128 at VLEN 1024; with longer vectors these engines would be wrong, and detection leaves them out there.
 */
#include "../aes/aes_schedule.h"
#include "../aes/aes_vperm_tables.h"
#include "../engine.h"
#include "sliced_rvv.h"

#define T(word) x_##word
#define LANES   1
#define VL      ((size_t)16)

typedef X_VEC x_vec;

CDZ_INLINE x_vec x_load(const void *p) { return X(vle8_v)(p, VL); }
CDZ_INLINE void x_store(void *p, x_vec v) { X(vse8_v)(p, v, VL); }
CDZ_INLINE x_vec x_dup(const void *p) { return X(vle8_v)(p, VL); }
CDZ_INLINE x_vec x_xor(x_vec a, x_vec b) { return X(vxor_vv)(a, b, VL); }
CDZ_INLINE x_vec x_xor3(x_vec a, x_vec b, x_vec c) { return x_xor(x_xor(b, c), a); }
CDZ_INLINE x_vec x_lookup(x_vec t, x_vec i) { return X(vrgather_vv)(t, i, VL); }
CDZ_INLINE x_vec x_low(x_vec v) { return X(vand_vx)(v, 15, VL); }
CDZ_INLINE x_vec x_high(x_vec v) { return X(vsrl_vx)(v, 4, VL); }

#define VPERM_SIZELESS 1
#include "../aes/aes_vperm.inc.h"

struct x_keys {
    const uint8_t (*k)[16];
    unsigned rounds;
};
CDZ_INLINE struct x_keys x_enc_keys(const struct aes_vperm_schedule *s) { return (struct x_keys){s->enc, s->rounds}; }
CDZ_INLINE struct x_keys x_dec_keys(const struct aes_vperm_schedule *s) { return (struct x_keys){s->dec, s->rounds}; }
CDZ_INLINE x_vec x_first(const struct x_keys *k) { return x_dup(k->k[0]); }
#define X_TABLE(name) x_dup(cdz_aes_vperm_tables.name)

/* What aes_serial.inc.h asks for; n is always 1. */
CDZ_INLINE void x_enc_rounds(const struct x_keys *k, x_vec *x, int n) {
    x_vec v = x_vp_enc_in(*x);
    (void)n;
    for (unsigned r = 1; r < k->rounds; r++)
        v = x_vp_enc_round(v, x_dup(k->k[r]), X_TABLE(rot1[r & 3]), X_TABLE(rot3[r & 3]));
    *x = v;
}
CDZ_INLINE x_vec x_enc_last(const struct x_keys *k, x_vec x) {
    return x_xor(x_vp_enc_last(x, X_TABLE(sr[k->rounds & 3])), x_dup(k->k[k->rounds]));
}
CDZ_INLINE x_vec x_enc_last_xor(const struct x_keys *k, x_vec x, x_vec post) { return x_xor(post, x_enc_last(k, x)); }

#include "../aes/aes_serial.inc.h"

#undef T
#undef LANES

/* ---- four blocks ------------------------------------------------------------------------------------------------- */

/* The words again, over four registers: every operation is done on each of them before the next operation comes, which
 * is the order that an in-order core of latency 4 wants. */
#define T(word) y_##word
#define LANES   4

typedef Y_VEC y_vec;
#define GET(v, i)          Y_GET(v, i)
#define MAKE(a, b, c, d)   Y_MAKE(a, b, c, d)
#define EACH(f, ...)       MAKE(f(0, __VA_ARGS__), f(1, __VA_ARGS__), f(2, __VA_ARGS__), f(3, __VA_ARGS__))
#define XOR_OF(i, a, b)    x_xor(GET(a, i), GET(b, i))
#define LOOKUP_OF(i, t, n) x_lookup(GET(t, i), GET(n, i))
#define LOW_OF(i, v)       x_low(GET(v, i))
#define HIGH_OF(i, v)      x_high(GET(v, i))

CDZ_INLINE y_vec y_same(x_vec v) { return MAKE(v, v, v, v); }
CDZ_INLINE y_vec y_dup(const void *p) { return y_same(x_dup(p)); }
CDZ_INLINE y_vec y_xor(y_vec a, y_vec b) { return EACH(XOR_OF, a, b); }
CDZ_INLINE y_vec y_xor3(y_vec a, y_vec b, y_vec c) { return y_xor(y_xor(b, c), a); }
CDZ_INLINE y_vec y_lookup(y_vec t, y_vec i) { return EACH(LOOKUP_OF, t, i); }
CDZ_INLINE y_vec y_low(y_vec v) { return EACH(LOW_OF, v); }
CDZ_INLINE y_vec y_high(y_vec v) { return EACH(HIGH_OF, v); }

#include "../aes/aes_vperm.inc.h"
#define Y_TABLE(name) y_dup(cdz_aes_vperm_tables.name)

/* All of the cipher: four blocks to which the first key has been added become blocks. */
CDZ_INLINE y_vec y_encrypt(const struct x_keys *k, y_vec x) {
    x = y_vp_enc_in(x);
    for (unsigned r = 1; r < k->rounds; r++)
        x = y_vp_enc_round(x, y_dup(k->k[r]), Y_TABLE(rot1[r & 3]), Y_TABLE(rot3[r & 3]));
    return y_xor(y_vp_enc_last(x, Y_TABLE(sr[k->rounds & 3])), y_dup(k->k[k->rounds]));
}

CDZ_INLINE y_vec y_decrypt(const struct x_keys *k, y_vec x) {
    x = y_vp_dec_in(x);
    for (unsigned r = 1; r < k->rounds; r++) x = y_vp_dec_round(x, y_dup(k->k[r]), Y_TABLE(rot1[-r & 3]));
    return y_xor(y_vp_dec_last(x, Y_TABLE(sr[-k->rounds & 3])), y_dup(k->k[k->rounds]));
}

/* ---- the modes whose blocks do not wait for each other ----------------------------------------------------------- */

/* n blocks, 1 to 4; in the others' place the first one again. */
CDZ_INLINE y_vec y_load(const uint8_t *p, size_t n) {
    return MAKE(x_load(p), x_load(p + (n > 1 ? 16 : 0)), x_load(p + (n > 2 ? 32 : 0)), x_load(p + (n > 3 ? 48 : 0)));
}
CDZ_INLINE void y_store(uint8_t *p, y_vec v, size_t n) {
    x_store(p, GET(v, 0));
    if (n > 1) x_store(p + 16, GET(v, 1));
    if (n > 2) x_store(p + 32, GET(v, 2));
    if (n > 3) x_store(p + 48, GET(v, 3));
}

static CDZ_KERNEL void encrypt_kernel(const struct aes_vperm_schedule *ks, const uint8_t *in, uint8_t *out,
                                      size_t blocks) {
    const struct x_keys k = x_enc_keys(ks);
    for (; blocks >= 4; blocks -= 4, in += 64, out += 64)
        y_store(out, y_encrypt(&k, y_xor(y_load(in, 4), y_same(x_first(&k)))), 4);
    if (blocks == 1) {
        x_vec x = x_xor(x_load(in), x_first(&k));
        x_enc_rounds(&k, &x, 1);
        x_store(out, x_enc_last(&k, x));
    } else if (blocks) {
        y_store(out, y_encrypt(&k, y_xor(y_load(in, blocks), y_same(x_first(&k)))), blocks);
    }
}

static CDZ_KERNEL void decrypt_kernel(const struct aes_vperm_schedule *ks, const uint8_t *in, uint8_t *out,
                                      size_t blocks) {
    const struct x_keys k = x_dec_keys(ks);
    for (; blocks >= 4; blocks -= 4, in += 64, out += 64)
        y_store(out, y_decrypt(&k, y_xor(y_load(in, 4), y_same(x_first(&k)))), 4);
    if (blocks) y_store(out, y_decrypt(&k, y_xor(y_load(in, blocks), y_same(x_first(&k)))), blocks);
}

/* The counter's two moving bytes are multiplied into place: low and high are vectors with a single 1. */
#define COUNTER(n)  X(vmacc_vx)(X(vmacc_vx)(fixed, (uint8_t)(n), low, VL), (uint8_t)((n) >> 8), high, VL)
#define COUNTERS(n) MAKE(COUNTER(n), COUNTER((n) + 1), COUNTER((n) + 2), COUNTER((n) + 3))

static CDZ_KERNEL void ctr_kernel(const struct aes_vperm_schedule *ks, const uint8_t ctr[16], bool little,
                                  const uint8_t *in, uint8_t *out, size_t len) {
    const struct x_keys k = x_enc_keys(ks);
    const unsigned low_at = little ? 0 : 15, high_at = little ? 1 : 14;
    unsigned count = (unsigned)ctr[high_at] << 8 | ctr[low_at];
    uint8_t block[16];
    memset(block, 0, 16);
    block[low_at] = 1;
    const x_vec low = x_load(block);
    block[low_at] = 0, block[high_at] = 1;
    const x_vec high = x_load(block);
    memcpy(block, ctr, 16);
    block[low_at] = block[high_at] = 0;
    const x_vec fixed = x_load(block);
    for (; len >= 64; len -= 64, in += 64, out += 64, count += 4) {
        const y_vec x = y_encrypt(&k, y_xor(COUNTERS(count), y_same(x_first(&k))));
        y_store(out, y_xor(x, y_load(in, 4)), 4);
    }
    if (!len) return;
    const y_vec x = y_encrypt(&k, y_xor(COUNTERS(count), y_same(x_first(&k))));
#define PART(i)                                                                                                        \
    if (len > 16 * (i)) {                                                                                              \
        const size_t n = len - 16 * (i) < 16 ? len - 16 * (i) : 16;                                                    \
        X(vse8_v)(out + 16 * (i), X(vxor_vv)(GET(x, i), X(vle8_v)(in + 16 * (i), n), n), n);                           \
    }
    PART(0)
    PART(1)
    PART(2)
    PART(3)
#undef PART
}

/* In place a block's predecessor is gone: the last one is kept from step to step, the others loaded before the stores.
 */
static CDZ_KERNEL void cbc_decrypt_kernel(const struct aes_vperm_schedule *ks, uint8_t iv[16], const uint8_t *in,
                                          uint8_t *out, size_t blocks) {
    const struct x_keys k = x_dec_keys(ks);
    x_vec before = x_load(iv);
#define STEP(n)                                                                                                        \
    {                                                                                                                  \
        const y_vec x = y_decrypt(&k, y_xor(y_load(in, n), y_same(x_first(&k)))), c = y_load(in, n);                   \
        const x_vec last = x_load(in + 16 * (n - 1));                                                                  \
        y_store(out, y_xor(x, MAKE(before, GET(c, 0), GET(c, 1), GET(c, 2))), n);                                      \
        before = last;                                                                                                 \
    }
    for (; blocks >= 4; blocks -= 4, in += 64, out += 64) STEP(4)
    if (blocks) STEP(blocks)
#undef STEP
    x_store(iv, before);
}

/* ---- the engine ----------------------------------------------------------------------------------------------------
 */

enum { STACK = 1024 };

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    x_vp_set_key(ks, key, key_len);
    cdz_leave_nothing(STACK);
}

static void few(const void *ks, bool decrypt, const uint8_t *in, uint8_t *out, size_t blocks) {
    if (decrypt)
        decrypt_kernel(ks, in, out, blocks);
    else
        encrypt_kernel(ks, in, out, blocks);
    cdz_leave_nothing(STACK);
}

static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) { few(ks, false, in, out, blocks); }

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) { few(ks, true, in, out, blocks); }

static void ctr(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_kernel(ks, c, false, in, out, len);
    cdz_leave_nothing(STACK);
}

static void ctr32le(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_kernel(ks, c, true, in, out, len);
    cdz_leave_nothing(STACK);
}

#define CHAIN(name, kernel)                                                                                            \
    static void name(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {                 \
        kernel(ks, iv, in, out, blocks);                                                                               \
        cdz_leave_nothing(STACK);                                                                                      \
    }
CHAIN(cbc_encrypt, x_cbc_encrypt)
CHAIN(cbc_decrypt, cbc_decrypt_kernel)
CHAIN(cfb_encrypt, x_cfb_encrypt)
CHAIN(ofb, x_ofb)
#undef CHAIN

static void cbc_mac(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    x_cbc_mac(ks, x, in, blocks);
    cdz_leave_nothing(STACK);
}

/* The other modes are those of the frame, which never has enough blocks for a wide kernel here. */
static size_t never(size_t p, bool counters) {
    (void)p, (void)counters;
    return SIZE_MAX / 32;
}

static const struct cdz_sliced sliced = {.wide_from = never, .few = few};

#define CIPHER     CDZ_AES
#define BATCH      4
#define KEY_SIZE   sizeof(struct aes_vperm_schedule)
#define OWN_BLOCKS 1
#define OWN_SERIAL 1
#include "sliced_engine.inc.h"
