/* SPDX-License-Identifier: Apache-2.0 */
/* XTS: every update is a data unit of its own, under the tweak that was given last. */
#include "prov.h"

#include "../src/direct.h"

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    x->encrypt = encrypt;
    if (iv) {
        if (ivlen != 16)
            return FAIL(x->prov, R_IV_LENGTH, "%s takes a tweak of 16 bytes, not %zu", x->alg->name, ivlen);
        memcpy(x->oiv, iv, 16);
        memcpy(x->iv, iv, 16);
        x->iv_set = true;
    }
    if (key) {
        if (!ctx_set_key(x, key, keylen)) return 0;
        /* Equal halves may decrypt old data, and not encrypt anything (IEEE 1619, FIPS 140 IG C.I). */
        const cdz_status s = encrypt ? cdz_begin(x->c, CDZ_ENCRYPT, x->iv, 16) : CDZ_OK;
        if (s != CDZ_OK) {
            x->key_set = false;
            return ctx_fail(x, s);
        }
    }
    return params ? plain_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(unit)

int unit_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (!x->iv_set) return FAIL(x->prov, R_NO_IV, "%s has no tweak yet", x->alg->name);
    if (prov_fits(in, out, outsize, inl) && cdz_direct_xts(x->c, !x->encrypt, x->iv, in, out, inl)) {
        *outl = inl;
        return 1;
    }
    if (outsize < inl) return FAIL(x->prov, R_BUFFER, "%s: %zu bytes do not fit into %zu", x->alg->name, inl, outsize);
    const cdz_status s = x->encrypt ? cdz_encrypt(x->c, x->iv, 16, NULL, 0, in, inl, out, NULL, 0)
                                    : cdz_decrypt(x->c, x->iv, 16, NULL, 0, in, inl, out, NULL, 0);
    if (s != CDZ_OK) return ctx_fail(x, s);
    *outl = inl;
    return 1;
}

int unit_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    (void)ctx, (void)out, (void)outsize;
    *outl = 0;
    return 1;
}

int unit_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    return unit_update(ctx, out, outl, outsize, in, inl);
}
