/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine of the sliced AES kernels and a narrow engine, which does serial modes and a few blocks at a time: the
 * including file defines
 *
 *     ENGINE        the struct's name              NAME, NEEDS   its fields
 *     NARROW        the narrow engine's struct     NARROW_KEY    the bytes of its key area
 *     EIGHT_FROM    blocks from which on a batch of the kernel of eight planes costs less than the narrow engine
 *     WIDE_FROM(p)  blocks from which on a batch of the wide kernel costs less than batches of eight planes
 *     WIDE_CTR(p)   the same of counters
 *     NARROW_CTR    where the narrow engine's counter mode costs less than eight planes
 *     OWN_SERIAL    where the narrow engine has functions for serial modes
 */
#include "aes_sliced_rvv.h"

struct keys {
    struct cdz_aes_sliced_keys sliced;
    _Alignas(64) uint8_t narrow[NARROW_KEY];
};

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    struct keys *k = ks;
    cdz_aes_sliced_set_key(&k->sliced, key, key_len);
    NARROW.set_key(k->narrow, key, key_len);
}

static size_t wide_from(size_t p, bool counters) { return counters ? WIDE_CTR(p) : WIDE_FROM(p); }

#ifdef NARROW_CTR
static void few_ctr(const void *ks, const uint8_t ctr[16], bool little, const uint8_t *in, uint8_t *out, size_t len) {
    (little ? NARROW.ctr32le : NARROW.ctr)(((const struct keys *)ks)->narrow, ctr, in, out, len);
}
#endif

static void few(const void *ks, bool decrypt, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct keys *k = ks;
    const size_t batch = __riscv_vsetvl_e8m1(CDZ_PLANE_MOST) / 2, rest = blocks & (batch - 1);
    const size_t n = rest < EIGHT_FROM ? blocks - rest : blocks;
    if (n) cdz_aes_sliced_eight(&k->sliced, decrypt, in, out, n);
    if (n < blocks) (decrypt ? NARROW.decrypt : NARROW.encrypt)(k->narrow, in + 16 * n, out + 16 * n, blocks - n);
}

static const struct cdz_sliced sliced = {
    .wide_from = wide_from,
    .expand = cdz_aes_sliced_expand,
    .crypt = cdz_aes_sliced_crypt,
    .ctr_values = cdz_aes_sliced_ctr_values,
    .ctr_crypt = cdz_aes_sliced_ctr_crypt,
    .few = few,
#ifdef NARROW_CTR
    .few_ctr = few_ctr,
#endif
};

/* Serial modes are the narrow engine's alone. */
#ifdef OWN_SERIAL
static void cbc_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    NARROW.cbc_encrypt(((const struct keys *)ks)->narrow, iv, in, out, blocks);
}

static void cfb_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    NARROW.cfb_encrypt(((const struct keys *)ks)->narrow, iv, in, out, blocks);
}

static void ofb(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    NARROW.ofb(((const struct keys *)ks)->narrow, iv, in, out, blocks);
}

static void cbc_mac(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    NARROW.cbc_mac(((const struct keys *)ks)->narrow, x, in, blocks);
}
#endif

#define CIPHER   CDZ_AES
#define BATCH    256 /* of the wide kernel at VLEN 256 */
#define KEY_SIZE sizeof(struct keys)
#include "sliced_engine.inc.h"
