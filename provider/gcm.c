/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM, with what TLS 1.2 needs of it (RFC 5288: four bytes of the nonce fixed, eight in the record).
 *
 * An IV is used for one message. Where it stands:
 *
 *     UNSET -> (init or tlsivfixed) -> READY -> (first byte of AAD or message) -> RUNNING -> (final) -> SPENT
 *
 * Encryption with an UNSET one draws a random one; with a SPENT one it fails. Tags may have 1 to 16 bytes, as in
 * OpenSSL; the application chooses.
 */
#include "prov.h"

#include "../src/direct.h"

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    if (encrypt != x->encrypt || encrypt) x->tag_set = false;  /* the tag of an earlier message */
    if (encrypt && !x->encrypt && x->iv_gen) x->state = UNSET; /* a fixed part alone is no nonce to encrypt with */
    x->encrypt = encrypt;
    if (iv) {
        if (x->ivlen != ivlen) x->iv_gen = false;
        if (!aead_set_nonce(x, iv, ivlen)) return 0;
    } else if (x->state == RUNNING) {
        /* A message was left unfinished: the same nonce must not begin another in encryption. */
        x->state = encrypt ? SPENT : READY;
    }
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? aead_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(gcm)

/* The last eight bytes of the nonce, as a big-endian number, plus one. */
static void next_nonce(struct ctx *x) {
    for (size_t i = x->ivlen; i > x->ivlen - 8;)
        if (++x->nonce[--i]) break;
}

/* One TLS 1.2 record in place: explicit nonce (8) | payload | tag (16). */
static int tls_record(struct ctx *x, uint8_t *out, size_t *outl, const uint8_t *in, size_t inl) {
    cdz_status s;
    x->tls = false; /* whatever comes of it, the next record needs its own header */
    if (!x->key_set || !x->iv_gen || x->ivlen < 12)
        return FAIL(x->prov, R_TLS_RECORD, "%s: a record without a key or a fixed nonce", x->alg->name);
    if (out != in || inl < 8 + 16) return FAIL(x->prov, R_TLS_RECORD, "%s: a record of %zu bytes", x->alg->name, inl);
    uint8_t *const payload = out + 8, *const tag = out + inl - 16;
    const size_t n = inl - 8 - 16;
    if (x->encrypt) {
        if (x->tls_records == UINT64_MAX) return FAIL(x->prov, R_TOO_MANY_RECORDS, "%s: out of nonces", x->alg->name);
        x->tls_records++;
        memcpy(out, x->nonce + x->ivlen - 8, 8);
        s = cdz_encrypt(x->c, x->nonce, x->ivlen, x->tls_aad, TLS_AAD, payload, n, payload, tag, 16);
        next_nonce(x);
    } else {
        memcpy(x->nonce + x->ivlen - 8, in, 8);
        s = cdz_decrypt(x->c, x->nonce, x->ivlen, x->tls_aad, TLS_AAD, payload, n, payload, tag, 16);
    }
    x->state = SPENT;
    if (s != CDZ_OK) {
        prov_wipe(out, inl);
        return ctx_fail(x, s);
    }
    *outl = x->encrypt ? inl : n;
    return 1;
}

/* Begins the message where it has not begun. */
static int start(struct ctx *x) {
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (x->state == RUNNING) return 1;
    if (x->state == SPENT) return FAIL(x->prov, R_NO_IV, "%s: the nonce was used; set a new one", x->alg->name);
    if (x->state == UNSET) {
        if (!x->encrypt) return FAIL(x->prov, R_NO_IV, "%s has no nonce yet", x->alg->name);
        if (x->ivlen < 12) /* drawn ones would repeat */
            return FAIL(x->prov, R_NO_IV, "%s: a nonce of %zu bytes must be given", x->alg->name, x->ivlen);
        if (!prov_random(x->nonce, x->ivlen)) return FAIL(x->prov, R_RANDOM, "no random bytes for a nonce");
    }
    const cdz_status s = cdz_begin(x->c, x->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, x->nonce, x->ivlen);
    if (s != CDZ_OK) return ctx_fail(x, s);
    x->state = RUNNING;
    return 1;
}

int gcm_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    size_t n;
    cdz_status s;
    if (x->state == RUNNING && !x->tls && prov_fits(in, out, outsize, inl) && cdz_direct_gcm(x->c, in, out, inl)) {
        *outl = inl;
        return 1;
    }
    *outl = 0;
    if (!inl) return 1;
    if (out && outsize < inl)
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes of output do not fit into %zu", x->alg->name, inl, outsize);
    if (x->tls) return out ? tls_record(x, out, outl, in, inl) : FAIL(x->prov, R_TLS_RECORD, "a record without output");
    if (!start(x)) return 0;
    s = out ? cdz_update(x->c, in, inl, out, outsize, &n) : cdz_aad(x->c, in, inl);
    if (s != CDZ_OK) return ctx_fail(x, s);
    *outl = inl;
    return 1;
}

int gcm_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    struct ctx *x = ctx;
    size_t n;
    cdz_status s;
    (void)out, (void)outsize;
    *outl = 0;
    if (x->tls) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS record has no final", x->alg->name);
    if (!x->encrypt && !x->tag_set) return FAIL(x->prov, R_TAG_MISSING, "%s: the tag is not set", x->alg->name);
    if (!start(x)) return 0;
    x->state = SPENT;
    if (x->encrypt) {
        s = cdz_finish(x->c, NULL, 0, &n);
        if (s == CDZ_OK) s = cdz_tag(x->c, x->tag, sizeof x->tag);
        x->taglen = sizeof x->tag;
        x->tag_set = s == CDZ_OK;
        return s == CDZ_OK ? 1 : ctx_fail(x, s);
    }
    uint8_t made[CDZ_TAG_MAX];
    s = cdz_finish_unchecked(x->c, made);
    if (s == CDZ_OK && !prov_equal(made, x->tag, x->taglen)) s = CDZ_ERR_AUTH;
    prov_wipe(made, sizeof made);
    return s == CDZ_OK ? 1 : ctx_fail(x, s);
}

/* EVP_Cipher(): out NULL is AAD, in NULL is the end. */
int gcm_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    *outl = 0;
    if (x->tls) {
        if (!in || !out) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS record without data", x->alg->name);
        if (outsize < inl) return FAIL(x->prov, R_BUFFER, "%s: the record does not fit", x->alg->name);
        return tls_record(x, out, outl, in, inl);
    }
    return in ? gcm_update(ctx, out, outl, outsize, in, inl) : gcm_final(ctx, out, outl, outsize);
}

static int set_tag(struct ctx *x, const uint8_t *tag, size_t n) {
    if (!tag || !n || n > sizeof x->tag || x->encrypt)
        return FAIL(x->prov, R_TAG, "%s: this tag cannot be set", x->alg->name);
    memcpy(x->tag, tag, n);
    x->taglen = n;
    x->tag_set = true;
    return 1;
}

static int get_tag(struct ctx *x, OSSL_PARAM *p) {
    if (!p->data_size || p->data_size > sizeof x->tag || !x->tag_set)
        return FAIL(x->prov, R_TAG, "%s: there is no such tag to read", x->alg->name);
    if (p->data) memcpy(p->data, x->tag, p->data_size);
    p->return_size = p->data_size;
    return 1;
}

int gcm_generate(struct ctx *x, OSSL_PARAM *p) {
    if (!p->data || p->data_type != OSSL_PARAM_OCTET_STRING || !x->iv_gen || !x->key_set || x->ivlen < 12 ||
        x->state == UNSET)
        return FAIL(x->prov, R_NO_IV, "%s: no nonce can be generated", x->alg->name);
    const size_t n = !p->data_size || p->data_size > x->ivlen ? x->ivlen : p->data_size;
    memcpy(p->data, x->nonce + x->ivlen - n, n);
    p->return_size = n;
    const cdz_status s = cdz_begin(x->c, x->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, x->nonce, x->ivlen);
    if (s != CDZ_OK) return ctx_fail(x, s);
    next_nonce(x);
    x->state = RUNNING;
    return 1;
}

int gcm_set_fixed(struct ctx *x, const uint8_t *iv, size_t n) {
    if (!iv || x->ivlen < 12) return FAIL(x->prov, R_IV_LENGTH, "%s: a fixed nonce of %zu bytes", x->alg->name, n);
    if (n == SIZE_MAX) { /* the whole of it back, as EVP_CTRL_GCM_SET_IV_FIXED with -1 */
        memcpy(x->nonce, iv, x->ivlen);
    } else {
        if (n < 4 || x->ivlen < n || x->ivlen - n < 8)
            return FAIL(x->prov, R_IV_LENGTH, "%s: a fixed nonce of %zu bytes", x->alg->name, n);
        memcpy(x->nonce, iv, n);
        if (x->encrypt && !prov_random(x->nonce + n, x->ivlen - n))
            return FAIL(x->prov, R_RANDOM, "no random bytes for a nonce");
    }
    x->iv_gen = true;
    x->state = READY;
    return 1;
}

int gcm_set_inverse(struct ctx *x, const uint8_t *iv, size_t n) {
    if (!iv || !x->iv_gen || !x->key_set || x->encrypt || n > x->ivlen)
        return FAIL(x->prov, R_IV_LENGTH, "%s: this nonce cannot be set", x->alg->name);
    memcpy(x->nonce + x->ivlen - n, iv, n);
    x->state = READY;
    return 1;
}

const struct family family_gcm = {.mode = MODE_GCM,
                                  .blocksize = 1,
                                  .ivlen = 12,
                                  .flags = FLAG_AEAD | FLAG_CUSTOM_IV,
                                  .iv_min = 1,
                                  .iv_max = sizeof((struct ctx *)0)->nonce,
                                  .set_tag = set_tag,
                                  .get_tag = get_tag};
