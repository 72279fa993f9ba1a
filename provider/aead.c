/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of all ciphers with a tag: GCM, CCM, OCB, SIV, GCM-SIV; and the headers of TLS 1.2's records. */
#include "prov.h"

/* Not SIV, whose nonces are strings of associated data, nor GCM-SIV: OpenSSL's have nothing to ask for. */
static bool has_nonce(const struct ctx *x) { return x->alg->family->iv_max != 0; }

static bool has_tls(const struct ctx *x) {
    return x->alg->family->mode == MODE_GCM || x->alg->family->mode == MODE_CCM;
}

/* GCM's is always 16 in TLS, whatever length another message's had. */
static size_t tls_tag(const struct ctx *x) { return x->alg->family->mode == MODE_GCM ? 16 : x->taglen; }

/* A record's header, whose length field is the payload's then (RFC 5288, RFC 6655): libssl passes the record's. */
static int set_tls_aad(struct ctx *x, const uint8_t *aad, size_t n) {
    if (!aad || n != TLS_AAD) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS header has 13 bytes", x->alg->name);
    size_t len = (size_t)aad[11] << 8 | aad[12];
    const size_t less = x->encrypt ? 8 : 8 + tls_tag(x);
    if (len < less) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS record of %zu bytes", x->alg->name, len);
    len -= less;
    memcpy(x->tls_aad, aad, TLS_AAD);
    x->tls_aad[11] = (uint8_t)(len >> 8);
    x->tls_aad[12] = (uint8_t)len;
    x->tls = true;
    x->tls_pad = tls_tag(x);
    return 1;
}

static int set_fixed(struct ctx *x, const uint8_t *iv, size_t n) {
    if (x->alg->family->mode == MODE_GCM) return gcm_set_fixed(x, iv, n);
    if (!iv || n != 4) return FAIL(x->prov, R_IV_LENGTH, "%s: a fixed nonce has 4 bytes", x->alg->name);
    memcpy(x->nonce, iv, 4);
    return 1;
}

int aead_set_nonce(struct ctx *x, const uint8_t *iv, size_t ivlen) {
    const struct family *f = x->alg->family;
    if (ivlen < f->iv_min || ivlen > f->iv_max)
        return FAIL(x->prov, R_IV_LENGTH, "%s takes a nonce of %zu to %zu bytes, not %zu", x->alg->name, f->iv_min,
                    f->iv_max, ivlen);
    x->ivlen = ivlen;
    memcpy(x->nonce, iv, ivlen);
    x->state = READY;
    return 1;
}

int aead_get_ctx_params(void *ctx, OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    const bool is_gcm = x->alg->family->mode == MODE_GCM;
    for (OSSL_PARAM *p = params; p && p->key; p++) {
        bool ok = true;
        switch (param_id(p->key)) {
        case PARAM_KEYLEN:
            ok = param_put_uint(p, x->alg->keylen);
            break;
        case PARAM_IVLEN:
            if (has_nonce(x)) ok = param_put_uint(p, x->ivlen);
            break;
        case PARAM_TAGLEN:
            ok = param_put_uint(p, is_gcm && !x->tag_set ? 16 : x->taglen);
            break;
        case PARAM_TLS_AAD_PAD:
            if (has_tls(x)) ok = param_put_uint(p, x->tls_pad);
            break;
        case PARAM_IV:
        case PARAM_UPDATED_IV:
            if (!has_nonce(x)) break;
            if (is_gcm && x->state == UNSET) return FAIL(x->prov, R_NO_IV, "%s has no nonce yet", x->alg->name);
            ok = param_put_octets(p, x->nonce, x->ivlen);
            break;
        case PARAM_TAG:
            if (p->data_type != OSSL_PARAM_OCTET_STRING || !x->encrypt)
                return FAIL(x->prov, R_TAG, "%s: there is no such tag to read", x->alg->name);
            if (!x->alg->family->get_tag(x, p)) return 0;
            break;
        case PARAM_TLS_IV_GEN:
            if (is_gcm && !gcm_generate(x, p)) return 0;
            break;
        default:
            break;
        }
        if (!ok) return ctx_fail_param(x, p->key);
    }
    return 1;
}

int aead_set_ctx_params(void *ctx, const OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    const struct family *f = x->alg->family;
    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        const enum param id = param_id(p->key);
        const uint8_t *data = NULL;
        size_t n = 0;
        uint64_t v = 0;
        switch (id) {
        case PARAM_TAG:
            if (!param_get_octets(p, &data, &n)) return ctx_fail_param(x, p->key);
            if (!f->set_tag(x, data, n)) return 0;
            break;
        case PARAM_KEYLEN:
            if (!param_get_uint(p, &v) || v != x->alg->keylen) return ctx_fail_param(x, p->key);
            break;
        case PARAM_IVLEN:
            if (!has_nonce(x)) break;
            if (!param_get_uint(p, &v) || v < f->iv_min || v > f->iv_max)
                return FAIL(x->prov, R_IV_LENGTH, "%s takes a nonce of %zu to %zu bytes", x->alg->name, f->iv_min,
                            f->iv_max);
            if (x->ivlen == v) break;
            x->ivlen = (size_t)v;
            /* GCM draws a nonce where none was given, but not in the place of one that was. */
            x->state = f->mode == MODE_GCM && x->state != UNSET ? SPENT : UNSET;
            x->iv_gen = false;
            break;
        case PARAM_SPEED:
            if (!param_get_uint(p, &v)) return ctx_fail_param(x, p->key);
            x->speed = v != 0;
            break;
        case PARAM_TLS_AAD:
        case PARAM_TLS_FIXED:
        case PARAM_TLS_IV_INV:
            if (!has_tls(x)) break;
            if (!param_get_octets(p, &data, &n)) return ctx_fail_param(x, p->key);
            if (id == PARAM_TLS_AAD && !set_tls_aad(x, data, n)) return 0;
            if (id == PARAM_TLS_FIXED && !set_fixed(x, data, n)) return 0;
            if (id == PARAM_TLS_IV_INV && f->mode == MODE_GCM && !gcm_set_inverse(x, data, n)) return 0;
            break;
        default:
            break;
        }
    }
    return 1;
}

#define GETTABLE                                                                                                       \
    PARAM_UINT(OSSL_CIPHER_PARAM_KEYLEN, size_t), PARAM_UINT(OSSL_CIPHER_PARAM_AEAD_TAGLEN, size_t),                   \
        PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TAG)
#define NONCE                                                                                                          \
    PARAM_UINT(OSSL_CIPHER_PARAM_IVLEN, size_t), PARAM_BYTES(OSSL_CIPHER_PARAM_IV),                                    \
        PARAM_BYTES(OSSL_CIPHER_PARAM_UPDATED_IV)

const OSSL_PARAM *ocb_gettable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {GETTABLE, NONCE, PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *ocb_settable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {PARAM_UINT(OSSL_CIPHER_PARAM_AEAD_IVLEN, size_t),
                                      PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TAG), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

/* CCM. */
const OSSL_PARAM *aead_gettable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {GETTABLE, NONCE, PARAM_UINT(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, size_t),
                                      PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *aead_settable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {
        PARAM_UINT(OSSL_CIPHER_PARAM_AEAD_IVLEN, size_t), PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TAG),
        PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD), PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *gcm_gettable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {GETTABLE, NONCE, PARAM_UINT(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, size_t),
                                      PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *gcm_settable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {
        PARAM_UINT(OSSL_CIPHER_PARAM_AEAD_IVLEN, size_t),    PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TAG),
        PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD),        PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED),
        PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *siv_gettable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {GETTABLE, PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *siv_settable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {PARAM_UINT(OSSL_CIPHER_PARAM_KEYLEN, size_t),
                                      PARAM_UINT(OSSL_CIPHER_PARAM_SPEED, unsigned),
                                      PARAM_BYTES(OSSL_CIPHER_PARAM_AEAD_TAG), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}
