/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM, with what TLS 1.2 needs of it (RFC 6655). As in OpenSSL: the nonce has 7 bytes and the tag 12 unless others are
 * set; the length of the message is told by an update with neither input nor output; AAD and message come in one piece
 * each. A message is checked as a whole, and nothing of a forged one is handed out.
 */
#include "prov.h"

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    if (encrypt != x->encrypt) x->tag_set = false; /* a tag expected is none that was made */
    x->encrypt = encrypt;
    if (x->state == RUNNING) x->state = READY;
    x->aad_kept_len = 0;
    x->ended = NO_MESSAGE;
    if (iv) {
        if (ivlen != x->ivlen)
            return FAIL(x->prov, R_IV_LENGTH, "%s has a nonce of %zu bytes set, not %zu", x->alg->name, x->ivlen,
                        ivlen);
        if (!aead_set_nonce(x, iv, ivlen)) return 0;
    }
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? aead_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(ccm)

/* The nonce is used up, and the lengths and the tag with it. */
static void spend(struct ctx *x) {
    x->state = UNSET;
    x->len_set = false;
    x->aad_kept_len = 0;
    if (!x->encrypt) x->tag_set = false;
}

static int begin(struct ctx *x, size_t aad_len) {
    const cdz_status s =
        cdz_begin_sized(x->c, x->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, x->nonce, x->ivlen, aad_len, x->total, x->taglen);
    if (s != CDZ_OK) return ctx_fail(x, s);
    x->state = RUNNING;
    return 1;
}

/* The message after long associated data, which the library has. */
static cdz_status rest(struct ctx *x, uint8_t *out, const uint8_t *in, size_t len) {
    size_t n;
    cdz_status s = len ? cdz_update(x->c, in, len, out, len, &n) : CDZ_OK;
    if (s == CDZ_OK && !x->encrypt) s = cdz_expect_tag(x->c, x->tag, x->taglen);
    if (s == CDZ_OK) s = cdz_finish(x->c, NULL, 0, &n);
    if (s == CDZ_OK && x->encrypt) s = cdz_tag(x->c, x->tag, x->taglen);
    return s;
}

static int message(struct ctx *x, uint8_t *out, const uint8_t *in, size_t len) {
    cdz_status s;
    if (!x->encrypt && !x->tag_set) return FAIL(x->prov, R_TAG_MISSING, "%s: the tag is not set", x->alg->name);
    if (x->state == RUNNING && !x->aad_kept_len)
        s = rest(x, out, in, len);
    else if (x->len_set && len != x->total)
        s = CDZ_ERR_LENGTH;
    else if (x->encrypt)
        s = cdz_encrypt(x->c, x->nonce, x->ivlen, x->aad_kept, x->aad_kept_len, in, len, out, x->tag, x->taglen);
    else
        s = cdz_decrypt(x->c, x->nonce, x->ivlen, x->aad_kept, x->aad_kept_len, in, len, out, x->tag, x->taglen);
    if (x->encrypt) x->tag_set = s == CDZ_OK;
    if (s != CDZ_OK && !x->encrypt && len) prov_wipe(out, len);
    x->ended = s == CDZ_OK ? MESSAGE_DONE : MESSAGE_FAILED;
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
    if (!in && out) return ccm_final(ctx, out, outl, outsize);
    if (x->state == UNSET) return FAIL(x->prov, R_NO_IV, "%s: no nonce, or it was used", x->alg->name);
    if (!out && !in) {
        if (x->state == RUNNING) return FAIL(x->prov, R_STATE, "%s: the length comes too late", x->alg->name);
        x->total = inl;
        x->len_set = true;
    } else if (!out) {
        if (!inl) return 1;
        if (!x->len_set || x->state == RUNNING)
            return FAIL(x->prov, R_STATE, "%s: the length comes first, then the AAD in one piece", x->alg->name);
        if (inl <= sizeof x->aad_kept) { /* a whole message in one call is quicker */
            memcpy(x->aad_kept, in, inl);
            x->aad_kept_len = inl;
            x->state = RUNNING;
        } else {
            if (!begin(x, inl)) return 0;
            const cdz_status s = cdz_aad(x->c, in, inl);
            if (s != CDZ_OK) return ctx_fail(x, s);
        }
    } else {
        if (!message(x, out, in, inl)) return 0;
    }
    *outl = inl;
    return 1;
}

int ccm_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    *outl = 0;
    if (!in && out) return 1;
    return ccm_cipher(ctx, out, outl, outsize, in, inl);
}

/* The message was made, or checked, by its update. Without one it is empty, and is made or checked here: success
 * always means that there was a message, and that its tag was right. */
int ccm_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    struct ctx *x = ctx;
    uint8_t none[1] = {0};
    (void)out, (void)outsize;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (x->ended == MESSAGE_DONE) return 1;
    if (x->ended == MESSAGE_FAILED) return FAIL(x->prov, R_STATE, "%s: the message has failed", x->alg->name);
    if (x->tls) return FAIL(x->prov, R_TLS_RECORD, "%s: a TLS record has no final", x->alg->name);
    if (x->state == UNSET) return FAIL(x->prov, R_NO_IV, "%s: no nonce, or it was used", x->alg->name);
    return message(x, none, none, 0);
}

static int set_tag(struct ctx *x, const uint8_t *tag, size_t n) {
    if (n < 4 || n > 16 || n % 2 || (tag && x->encrypt))
        return FAIL(x->prov, R_TAG, "%s: this tag cannot be set", x->alg->name);
    if (tag) {
        memcpy(x->tag, tag, n);
        x->tag_set = true;
    }
    x->taglen = n;
    return 1;
}

static int get_tag(struct ctx *x, OSSL_PARAM *p) {
    if (!x->tag_set || p->data_size != x->taglen)
        return FAIL(x->prov, R_TAG, "%s: there is no such tag to read", x->alg->name);
    p->return_size = x->taglen;
    if (p->data) { /* asking for the size alone uses nothing up */
        memcpy(p->data, x->tag, x->taglen);
        spend(x);
    }
    return 1;
}

const struct family family_ccm = {.mode = MODE_CCM,
                                  .blocksize = 1,
                                  .ivlen = 12,
                                  .flags = FLAG_AEAD | FLAG_CUSTOM_IV,
                                  .iv_min = 7,
                                  .iv_max = 13,
                                  .set_tag = set_tag,
                                  .get_tag = get_tag};
