/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR, CFB, CFB8, CFB1 and OFB: every update gives back as many bytes as it got. After an init without IV, CFB and OFB
 * start again from the IV that was given last; CTR goes on from the counter that it has reached, as OpenSSL's does.
 *
 * CFB1 is made here of single blocks, because OpenSSL can count its length in bits (EVP_CIPH_FLAG_LENGTH_BITS).
 */
#include "prov.h"

#include "../src/direct.h"

static bool is_cfb1(const struct ctx *x) { return x->alg->family->flags & FLAG_CFB1; }

static bool is_ctr(const struct ctx *x) { return x->alg->family->mode == MODE_CTR; }

unsigned stream_position(const struct ctx *x, uint8_t iv[16]) {
    unsigned used = x->num;
    if (!x->started || is_cfb1(x) || cdz_chain(x->c, iv, &used) != CDZ_OK) memmove(iv, x->iv, 16);
    return used;
}

void stream_move(struct ctx *x, unsigned used) {
    stream_position(x, x->iv);
    x->started = false;
    x->num = (uint8_t)used;
}

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    x->encrypt = encrypt;
    if (iv) {
        if (ivlen != 16) return FAIL(x->prov, R_IV_LENGTH, "%s takes an IV of 16 bytes, not %zu", x->alg->name, ivlen);
        memcpy(x->oiv, iv, 16);
        memcpy(x->iv, iv, 16);
        x->iv_set = true;
    } else if (is_ctr(x)) {
        uint8_t now[16];
        stream_position(x, now);
        memcpy(x->iv, now, 16);
    } else {
        memcpy(x->iv, x->oiv, 16);
    }
    x->started = false;
    x->num = 0;
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? plain_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(stream)

/* Bits of in, from the highest of the first byte on, to the same places of out; other bits of out stay. */
static int cfb1(struct ctx *x, const uint8_t *in, uint8_t *out, size_t bits) {
    for (size_t i = 0; i < bits; i++) {
        uint8_t block[16];
        const unsigned at = 7u - (unsigned)(i & 7);
        const cdz_status s = cdz_encrypt(x->c, NULL, 0, NULL, 0, x->iv, 16, block, NULL, 0);
        if (s != CDZ_OK) return ctx_fail(x, s);
        const unsigned from = (unsigned)in[i / 8] >> at & 1, to = from ^ (unsigned)block[0] >> 7;
        out[i / 8] = (uint8_t)((out[i / 8] & ~(1u << at)) | to << at);
        for (unsigned k = 0; k < 15; k++) x->iv[k] = (uint8_t)(x->iv[k] << 1 | x->iv[k + 1] >> 7);
        x->iv[15] = (uint8_t)((unsigned)x->iv[15] << 1 | (x->encrypt ? to : from));
        prov_wipe(block, sizeof block);
    }
    return 1;
}

/* The library's object begins a message with the first bytes; a position set by the caller is reached by dropping. */
static int start(struct ctx *x) {
    uint8_t drop[16] = {0};
    size_t n;
    cdz_status s = cdz_begin(x->c, x->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, x->iv, 16);
    if (s == CDZ_OK && x->num) s = cdz_update(x->c, drop, x->num, drop, sizeof drop, &n);
    prov_wipe(drop, sizeof drop);
    if (s != CDZ_OK) return ctx_fail(x, s);
    x->started = true;
    x->num = 0;
    return 1;
}

int stream_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    /* What most calls are: whole blocks in the middle of a message. CFB1 is never `started`. */
    if (x->started && prov_fits(in, out, outsize, inl) && cdz_direct_stream(x->c, in, out, inl)) {
        *outl = inl;
        return 1;
    }
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (!inl) return 1;
    if (!in || !out) return ctx_fail(x, CDZ_ERR_NULL);
    if (outsize < (x->bits ? (inl + 7) / 8 : inl))
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes of output do not fit into %zu", x->alg->name, inl, outsize);
    if (is_cfb1(x)) {
        if (!x->bits && inl > SIZE_MAX / 8) return FAIL(x->prov, R_LENGTH, "%s: too long", x->alg->name);
        if (!cfb1(x, in, out, x->bits ? inl : inl * 8)) return 0;
    } else {
        size_t n;
        if (!x->started && !start(x)) return 0;
        const cdz_status s = cdz_update(x->c, in, inl, out, outsize, &n);
        if (s != CDZ_OK) return ctx_fail(x, s);
    }
    *outl = inl;
    return 1;
}

int stream_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    struct ctx *x = ctx;
    (void)out, (void)outsize;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    return 1;
}

int stream_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    return stream_update(ctx, out, outl, outsize, in, inl);
}
