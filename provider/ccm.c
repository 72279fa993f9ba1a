/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM, with what TLS 1.2 needs of it (RFC 6655). As in OpenSSL: the nonce has 7 bytes and the tag 12 unless others are
 * set; the length of the message is told by an update with neither input nor output; AAD and message come in one piece
 * each. A message is checked as a whole, and nothing of a forged one is handed out.
 */
#include "prov.h"

enum { UNSET, READY, RUNNING };

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    if (encrypt != x->encrypt) x->tag_set = false; /* a tag expected is none that was made */
    x->encrypt = encrypt;
    if (x->state == RUNNING) x->state = READY;
    if (iv) {
        if (ivlen != x->ivlen)
            return FAIL(x->prov, R_IV_LENGTH, "%s has a nonce of %zu bytes set, not %zu", x->alg->name, x->ivlen,
                        ivlen);
        memcpy(x->nonce, iv, ivlen);
        x->state = READY;
    }
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return ccm_set_ctx_params(x, params);
}

int ccm_encrypt_init(void *ctx, const unsigned char *key, size_t keylen, const unsigned char *iv, size_t ivlen,
                     const OSSL_PARAM params[]) {
    return init(ctx, key, keylen, iv, ivlen, params, true);
}

int ccm_decrypt_init(void *ctx, const unsigned char *key, size_t keylen, const unsigned char *iv, size_t ivlen,
                     const OSSL_PARAM params[]) {
    return init(ctx, key, keylen, iv, ivlen, params, false);
}

/* The nonce is used up, and the lengths and the tag with it. */
static void spend(struct ctx *x) {
    x->state = UNSET;
    x->len_set = false;
    if (!x->encrypt) x->tag_set = false;
}

static int begin(struct ctx *x, size_t aad_len) {
    if (x->state == RUNNING) return 1;
    const cdz_status s =
        cdz_begin_sized(x->c, x->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, x->nonce, x->ivlen, aad_len, x->total, x->taglen);
    if (s != CDZ_OK) return ctx_fail(x, s);
    x->state = RUNNING;
    return 1;
}

static int message(struct ctx *x, uint8_t *out, const uint8_t *in, size_t len) {
    size_t n;
    if (!x->encrypt && !x->tag_set) return FAIL(x->prov, R_TAG_MISSING, "%s: the tag is not set", x->alg->name);
    if (!x->len_set) x->total = len;
    if (!begin(x, 0)) return 0;
    cdz_status s = len ? cdz_update(x->c, in, len, out, len, &n) : CDZ_OK;
    if (s == CDZ_OK && !x->encrypt) s = cdz_expect_tag(x->c, x->tag, x->taglen);
    if (s == CDZ_OK) s = cdz_finish(x->c, NULL, 0, &n);
    if (s == CDZ_OK && x->encrypt) {
        s = cdz_tag(x->c, x->tag, x->taglen);
        x->tag_set = s == CDZ_OK;
    }
    if (s != CDZ_OK && !x->encrypt && len) prov_wipe(out, len);
    spend(x);
    return s == CDZ_OK ? 1 : ctx_fail(x, s);
}

/* One TLS 1.2 record in place: explicit nonce (8) | payload | tag (8 or 16). */
static int tls_record(struct ctx *x, uint8_t *out, size_t *outl, const uint8_t *in, size_t inl) {
    cdz_status s;
    x->tls = false;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (out != in || inl < 8 + x->taglen || x->ivlen != 12)
        return FAIL(x->prov, R_TLS_RECORD, "%s: a record of %zu bytes", x->alg->name, inl);
    uint8_t *const payload = out + 8, *const tag = out + inl - x->taglen;
    const size_t n = inl - 8 - x->taglen;
    if (x->encrypt) memcpy(out, x->tls_aad, 8); /* the sequence number is the explicit nonce */
    memcpy(x->nonce + 4, out, 8);
    s = x->encrypt ? cdz_encrypt(x->c, x->nonce, 12, x->tls_aad, TLS_AAD, payload, n, payload, tag, x->taglen)
                   : cdz_decrypt(x->c, x->nonce, 12, x->tls_aad, TLS_AAD, payload, n, payload, tag, x->taglen);
    if (s != CDZ_OK) {
        prov_wipe(out, inl);
        return ctx_fail(x, s);
    }
    *outl = x->encrypt ? inl : n;
    return 1;
}

int ccm_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (out && in && outsize < inl)
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes of output do not fit into %zu", x->alg->name, inl, outsize);
    if (x->tls) {
        if (!out || !in) return FAIL(x->prov, R_TLS_RECORD, "%s: a record without data", x->alg->name);
        return tls_record(x, out, outl, in, inl);
    }
    if (!in && out) return 1; /* the end: all was done before */
    if (x->state == UNSET) return FAIL(x->prov, R_NO_IV, "%s: no nonce, or it was used", x->alg->name);
    if (!out && !in) {
        if (x->state == RUNNING) return FAIL(x->prov, R_STATE, "%s: the length comes too late", x->alg->name);
        x->total = inl;
        x->len_set = true;
    } else if (!out) {
        if (!inl) return 1;
        if (!x->len_set || x->state == RUNNING)
            return FAIL(x->prov, R_STATE, "%s: the length comes first, then the AAD in one piece", x->alg->name);
        if (!begin(x, inl)) return 0;
        const cdz_status s = cdz_aad(x->c, in, inl);
        if (s != CDZ_OK) return ctx_fail(x, s);
    } else {
        if (!message(x, out, in, inl)) return 0;
    }
    *outl = inl;
    return 1;
}

int ccm_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    return ccm_cipher(ctx, out, outl, outsize, in, inl);
}

int ccm_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    (void)ctx, (void)out, (void)outsize;
    *outl = 0;
    return 1;
}

int ccm_get_ctx_params(void *ctx, OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    OSSL_PARAM *p;
    if (!param_answer_uint(params, OSSL_CIPHER_PARAM_IVLEN, x->ivlen) ||
        !param_answer_uint(params, OSSL_CIPHER_PARAM_KEYLEN, x->alg->keylen) ||
        !param_answer_uint(params, OSSL_CIPHER_PARAM_AEAD_TAGLEN, x->taglen) ||
        !param_answer_uint(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, x->tls_pad))
        return FAIL(x->prov, R_PARAM, "%s: a parameter of the wrong type", x->alg->name);
    static const char *const keys[] = {OSSL_CIPHER_PARAM_IV, OSSL_CIPHER_PARAM_UPDATED_IV};
    for (size_t i = 0; i < 2; i++)
        if ((p = param_find(params, keys[i])) && !param_put_octets(p, x->nonce, x->ivlen))
            return FAIL(x->prov, R_PARAM, "%s: no room for a nonce of %zu bytes", x->alg->name, x->ivlen);
    if ((p = param_find(params, OSSL_CIPHER_PARAM_AEAD_TAG))) {
        if (p->data_type != OSSL_PARAM_OCTET_STRING || !x->encrypt || !x->tag_set || p->data_size != x->taglen)
            return FAIL(x->prov, R_TAG, "%s: there is no such tag to read", x->alg->name);
        p->return_size = x->taglen;
        if (p->data) { /* asking for the size alone uses nothing up */
            memcpy(p->data, x->tag, x->taglen);
            spend(x);
        }
    }
    return 1;
}

static int set_tls_aad(struct ctx *x, const uint8_t *aad, size_t n) {
    if (!aad || n != TLS_AAD) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS header has 13 bytes", x->alg->name);
    size_t len = (size_t)aad[11] << 8 | aad[12];
    const size_t less = x->encrypt ? 8 : 8 + x->taglen;
    if (len < less) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS record of %zu bytes", x->alg->name, len);
    len -= less;
    memcpy(x->tls_aad, aad, TLS_AAD);
    x->tls_aad[11] = (uint8_t)(len >> 8);
    x->tls_aad[12] = (uint8_t)len;
    x->tls = true;
    x->tls_pad = x->taglen;
    return 1;
}

int ccm_set_ctx_params(void *ctx, const OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    const OSSL_PARAM *p;
    const uint8_t *data;
    uint64_t v;
    size_t n;
    if ((p = param_find_c(params, OSSL_CIPHER_PARAM_AEAD_TAG))) {
        if (!param_get_octets(p, &data, &n) || n < 4 || n > 16 || n % 2 || (data && x->encrypt))
            return FAIL(x->prov, R_TAG, "%s: this tag cannot be set", x->alg->name);
        if (data) {
            memcpy(x->tag, data, n);
            x->tag_set = true;
        }
        x->taglen = n;
    }
    if ((p = param_find_c(params, OSSL_CIPHER_PARAM_AEAD_IVLEN))) {
        if (!param_get_uint(p, &v) || v < 7 || v > 13)
            return FAIL(x->prov, R_IV_LENGTH, "%s takes a nonce of 7 to 13 bytes", x->alg->name);
        if (x->ivlen != v) {
            x->ivlen = (size_t)v;
            x->state = UNSET;
        }
    }
    if ((p = param_find_c(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD)))
        if (!param_get_octets(p, &data, &n) || !set_tls_aad(x, data, n)) return 0;
    if ((p = param_find_c(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED))) {
        if (!param_get_octets(p, &data, &n) || !data || n != 4)
            return FAIL(x->prov, R_IV_LENGTH, "%s: a fixed nonce has 4 bytes", x->alg->name);
        memcpy(x->nonce, data, 4);
    }
    return 1;
}

static const OSSL_PARAM gettable[] = {
    {OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_AEAD_TAGLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_UPDATED_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {NULL, 0, NULL, 0, 0},
};
static const OSSL_PARAM settable[] = {
    {OSSL_CIPHER_PARAM_AEAD_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED},
    {NULL, 0, NULL, 0, 0},
};

const OSSL_PARAM *ccm_gettable_ctx_params(void *ctx, void *provctx) {
    (void)ctx, (void)provctx;
    return gettable;
}

const OSSL_PARAM *ccm_settable_ctx_params(void *ctx, void *provctx) {
    (void)ctx, (void)provctx;
    return settable;
}
