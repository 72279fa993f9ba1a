/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OCB (RFC 7253). The length of the tag goes into the encryption itself: it is 16 unless set before the first byte.
 * Associated data come before the message. A nonce serves one message, as in gcm.c.
 */
#include "prov.h"

#include "../src/direct.h"

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    if (encrypt != x->encrypt || encrypt) x->tag_set = false; /* the tag of an earlier message */
    x->encrypt = encrypt;
    if (iv) {
        if (!aead_set_nonce(x, iv, ivlen)) return 0;
    } else if (x->state == RUNNING) {
        x->state = encrypt ? SPENT : READY; /* left unfinished: not another under the same nonce */
    }
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? aead_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(ocb)

static int start(struct ctx *x) {
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (x->state == RUNNING) return 1;
    if (x->state == SPENT) return FAIL(x->prov, R_NO_IV, "%s: the nonce was used; set a new one", x->alg->name);
    if (x->state == UNSET) return FAIL(x->prov, R_NO_IV, "%s has no nonce yet", x->alg->name);
    const cdz_status s = cdz_begin_sized(x->c, x->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, x->nonce, x->ivlen, CDZ_UNKNOWN,
                                         CDZ_UNKNOWN, x->taglen);
    if (s != CDZ_OK) return ctx_fail(x, s);
    x->state = RUNNING;
    return 1;
}

int ocb_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    if (x->state == RUNNING && prov_fits(in, out, outsize, inl) && cdz_direct_ocb(x->c, in, out, inl)) {
        *outl = inl;
        return 1;
    }
    *outl = 0;
    if (!start(x)) return 0;
    if (!inl) return 1;
    if (!in) return ctx_fail(x, CDZ_ERR_NULL);
    /* Callers that work in place pass an `out` that lags behind `in` by what was held back. */
    uint8_t *copy = NULL;
    if (out && out != in && prov_overlap(in, out, inl + 16)) {
        if (!(copy = prov_copy(x, in, inl))) return 0;
        in = copy;
    }
    /* All whole blocks come out at once, and nothing for AAD. */
    const cdz_status s = out ? cdz_update(x->c, in, inl, out, outsize, outl) : cdz_aad(x->c, in, inl);
    if (copy) prov_copy_free(copy, inl);
    if (s != CDZ_OK) {
        *outl = 0;
        return ctx_fail(x, s);
    }
    if (!out) *outl = inl & ~(size_t)15; /* what OpenSSL's says; nobody can use it */
    return 1;
}

int ocb_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    struct ctx *x = ctx;
    *outl = 0;
    if (!x->encrypt && !x->tag_set) return FAIL(x->prov, R_TAG_MISSING, "%s: the tag is not set", x->alg->name);
    if (!start(x)) return 0;
    cdz_status s = x->encrypt ? CDZ_OK : cdz_expect_tag(x->c, x->tag, x->taglen);
    if (s == CDZ_OK) s = cdz_finish(x->c, out, outsize, outl);
    if (s == CDZ_ERR_BUFFER) { /* may be called again */
        *outl = 0;
        return ctx_fail(x, s);
    }
    x->state = SPENT;
    if (s == CDZ_OK && x->encrypt) {
        s = cdz_tag(x->c, x->tag, x->taglen);
        x->tag_set = s == CDZ_OK;
    }
    return s == CDZ_OK ? 1 : ctx_fail(x, s);
}

/* EVP_Cipher(): in NULL is the end. */
int ocb_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    return in ? ocb_update(ctx, out, outl, outsize, in, inl) : ocb_final(ctx, out, outl, outsize);
}

static int set_tag(struct ctx *x, const uint8_t *tag, size_t n) {
    if (!tag) { /* its length alone, in both directions */
        /* OpenSSL's takes 0 to 16. A tag of fewer than 8 bytes is soon forged, and one call more tells the forger. */
        if (n != 8 && n != 12 && n != 16)
            return FAIL(x->prov, R_TAG, "%s: a tag of %zu bytes: RFC 7253 has 8, 12 and 16", x->alg->name, n);
        if (x->state == RUNNING && n != x->taglen)
            return FAIL(x->prov, R_STATE, "%s: the length of the tag comes before the message", x->alg->name);
        x->taglen = n;
        return 1;
    }
    if (x->encrypt || n != x->taglen) return FAIL(x->prov, R_TAG, "%s: this tag cannot be set", x->alg->name);
    memcpy(x->tag, tag, n);
    x->tag_set = true;
    return 1;
}

static int get_tag(struct ctx *x, OSSL_PARAM *p) {
    if (!x->tag_set || p->data_size != x->taglen)
        return FAIL(x->prov, R_TAG, "%s: there is no such tag to read", x->alg->name);
    if (p->data) memcpy(p->data, x->tag, x->taglen);
    p->return_size = x->taglen;
    return 1;
}

const struct family family_ocb = {.mode = MODE_OCB,
                                  .blocksize = 16,
                                  .ivlen = 12,
                                  .flags = FLAG_AEAD | FLAG_CUSTOM_IV,
                                  .iv_min = 1,
                                  .iv_max = 15,
                                  .set_tag = set_tag,
                                  .get_tag = get_tag};
