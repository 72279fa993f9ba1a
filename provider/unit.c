/* SPDX-License-Identifier: Apache-2.0 */
/* XTS: every update is a data unit of its own, under the tweak that was given last. */
#include "prov.h"

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    x->encrypt = encrypt;
    if (iv) {
        if (ivlen != 16)
            return FAIL(x->prov, R_IV_LENGTH, "%s takes a tweak of 16 bytes, not %zu", x->alg->name, ivlen);
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
    return unit_set_ctx_params(x, params);
}

int unit_encrypt_init(void *ctx, const unsigned char *key, size_t keylen, const unsigned char *iv, size_t ivlen,
                      const OSSL_PARAM params[]) {
    return init(ctx, key, keylen, iv, ivlen, params, true);
}

int unit_decrypt_init(void *ctx, const unsigned char *key, size_t keylen, const unsigned char *iv, size_t ivlen,
                      const OSSL_PARAM params[]) {
    return init(ctx, key, keylen, iv, ivlen, params, false);
}

int unit_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (!x->iv_set) return FAIL(x->prov, R_NO_IV, "%s has no tweak yet", x->alg->name);
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

int unit_get_ctx_params(void *ctx, OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    static const char *const keys[] = {OSSL_CIPHER_PARAM_IV, OSSL_CIPHER_PARAM_UPDATED_IV};
    OSSL_PARAM *p;
    if (!param_answer_uint(params, OSSL_CIPHER_PARAM_IVLEN, x->alg->family->ivlen) ||
        !param_answer_uint(params, OSSL_CIPHER_PARAM_KEYLEN, x->alg->keylen) ||
        !param_answer_uint(params, OSSL_CIPHER_PARAM_PADDING, x->pad) ||
        !param_answer_uint(params, OSSL_CIPHER_PARAM_NUM, 0))
        return FAIL(x->prov, R_PARAM, "%s: a parameter of the wrong type", x->alg->name);
    for (size_t i = 0; i < 2; i++)
        if ((p = param_find(params, keys[i])) && !param_put_octets(p, x->iv, 16))
            return FAIL(x->prov, R_PARAM, "%s: no room for the tweak", x->alg->name);
    return 1;
}

int unit_set_ctx_params(void *ctx, const OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    const OSSL_PARAM *p;
    uint64_t v;
    if ((p = param_find_c(params, OSSL_CIPHER_PARAM_KEYLEN)) && (!param_get_uint(p, &v) || v != x->alg->keylen))
        return FAIL(x->prov, R_KEY_LENGTH, "%s takes a key of %zu bytes", x->alg->name, x->alg->keylen);
    if ((p = param_find_c(params, OSSL_CIPHER_PARAM_PADDING))) {
        if (!param_get_uint(p, &v)) return FAIL(x->prov, R_PARAM, "%s: padding is no number", x->alg->name);
        x->pad = v != 0; /* no effect, as in the default provider */
    }
    return 1;
}

static const OSSL_PARAM gettable[] = {
    {OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_PADDING, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_NUM, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_UPDATED_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {NULL, 0, NULL, 0, 0},
};
static const OSSL_PARAM settable[] = {
    {OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_PADDING, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), OSSL_PARAM_UNMODIFIED},
    {NULL, 0, NULL, 0, 0},
};

const OSSL_PARAM *unit_gettable_ctx_params(void *ctx, void *provctx) {
    (void)ctx, (void)provctx;
    return gettable;
}

const OSSL_PARAM *unit_settable_ctx_params(void *ctx, void *provctx) {
    (void)ctx, (void)provctx;
    return settable;
}
