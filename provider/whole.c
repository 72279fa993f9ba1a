/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIV (RFC 5297) and GCM-SIV (RFC 8452), which read a message twice: it comes whole, in one update. Associated data
 * are kept until then. In SIV every update with them is a string of its own, an empty one too; a nonce is the last
 * string. In GCM-SIV they are one string, in any number of pieces. The tag is set before the message is decrypted.
 *
 * Every init begins another message, without associated data. `speed`, for measuring: one after another without init.
 */
#include "prov.h"

#include <stdlib.h>

static bool is_siv(const struct ctx *x) { return x->alg->family->mode == MODE_SIV; }

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    if (encrypt != x->encrypt || encrypt) x->tag_set = false; /* the tag of an earlier message */
    x->encrypt = encrypt;
    x->started = x->forged = false;
    if (x->strings) x->strings->n = 0;
    if (iv && !is_siv(x)) {
        if (ivlen != 12)
            return FAIL(x->prov, R_IV_LENGTH, "%s takes a nonce of 12 bytes, not %zu", x->alg->name, ivlen);
        memcpy(x->nonce, iv, 12);
        x->iv_set = true;
    }
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? aead_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(siv)

static int add_string(struct ctx *x, const uint8_t *in, size_t n) {
    struct strings *s = x->strings;
    const size_t used = s && s->n ? s->ends[s->n - 1] : 0, most = sizeof s->ends / sizeof *s->ends;
    if (x->started && !x->speed)
        return FAIL(x->prov, R_STATE, "%s: associated data come before the message", x->alg->name);
    if (!is_siv(x) && !n) return 1;
    if (is_siv(x) && s && s->n == most)
        return FAIL(x->prov, R_AAD, "%s takes %zu strings of associated data at most", x->alg->name, most);
    if (!s || s->cap - used < n) {
        if (n > SIZE_MAX / 4 || used > SIZE_MAX / 4) return FAIL(x->prov, R_AAD, "%s: too long", x->alg->name);
        const size_t cap = 2 * (used + n) + 64;
        struct strings *const more = malloc(sizeof *more + cap);
        if (!more) return FAIL(x->prov, R_MEMORY, "no memory for associated data");
        if (s) {
            memcpy(more, s, sizeof *s + used);
            prov_wipe(s, sizeof *s + s->cap);
        } else {
            more->n = 0;
        }
        free(s);
        more->cap = cap;
        x->strings = s = more;
    }
    if (n) memcpy(s->data + used, in, n);
    if (is_siv(x) || !s->n) s->n++;
    s->ends[s->n - 1] = used + n;
    return 1;
}

static int message(struct ctx *x, uint8_t *out, size_t outsize, const uint8_t *in, size_t len) {
    static const uint8_t none[1];
    cdz_status s;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (!is_siv(x) && !x->iv_set) return FAIL(x->prov, R_NO_IV, "%s has no nonce yet", x->alg->name);
    if (x->started && !x->speed)
        return FAIL(x->prov, R_STATE, "%s: the message comes in one piece, once", x->alg->name);
    if (!x->encrypt && !x->tag_set) return FAIL(x->prov, R_TAG_MISSING, "%s: the tag is not set", x->alg->name);
    if (outsize < len)
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes of output do not fit into %zu", x->alg->name, len, outsize);
    const struct strings *const a = x->strings;
    const size_t n = a ? a->n : 0;
    if (is_siv(x)) {
        cdz_bytes list[sizeof a->ends / sizeof *a->ends];
        for (size_t i = 0; i < n; i++) {
            const size_t from = i ? a->ends[i - 1] : 0;
            list[i] = (cdz_bytes){a->data + from, a->ends[i] - from};
        }
        s = x->encrypt ? cdz_siv_encrypt(x->c, list, n, in, len, out, x->tag)
                       : cdz_siv_decrypt(x->c, list, n, in, len, out, x->tag);
    } else {
        const uint8_t *const aad = n ? a->data : none;
        const size_t aad_len = n ? a->ends[0] : 0;
        s = x->encrypt ? cdz_encrypt(x->c, x->nonce, 12, aad, aad_len, in, len, out, x->tag, 16)
                       : cdz_decrypt(x->c, x->nonce, 12, aad, aad_len, in, len, out, x->tag, 16);
    }
    if (s != CDZ_OK && s != CDZ_ERR_AUTH) return ctx_fail(x, s);
    x->started = true;
    x->forged = s == CDZ_ERR_AUTH;
    if (x->encrypt) x->tag_set = true;
    /* OpenSSL's GCM-SIV tells at the end, as GCM does. Until then the caller has zeros. */
    return x->forged && is_siv(x) ? ctx_fail(x, s) : 1;
}

int siv_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    struct ctx *x = ctx;
    (void)out, (void)outsize;
    *outl = 0;
    if (!x->started && !message(x, NULL, 0, NULL, 0)) return 0; /* the empty message */
    return x->forged ? ctx_fail(x, CDZ_ERR_AUTH) : 1;
}

int siv_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    *outl = 0;
    if (!in) return inl ? ctx_fail(x, CDZ_ERR_NULL) : siv_final(ctx, out, outl, outsize);
    if (!(out ? message(x, out, outsize, in, inl) : add_string(x, in, inl))) return 0;
    *outl = inl;
    return 1;
}

int siv_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    return siv_update(ctx, out, outl, outsize, in, inl);
}

static int set_tag(struct ctx *x, const uint8_t *tag, size_t n) {
    if (x->encrypt && is_siv(x)) return 1; /* as OpenSSL's: passed over */
    if (n != 16) return FAIL(x->prov, R_TAG, "%s has a tag of 16 bytes", x->alg->name);
    if (x->encrypt || !tag) return 1; /* its length alone */
    memcpy(x->tag, tag, 16);
    x->tag_set = true;
    return 1;
}

static int get_tag(struct ctx *x, OSSL_PARAM *p) {
    if (!x->tag_set || (p->data && p->data_size != 16))
        return FAIL(x->prov, R_TAG, "%s: there is no such tag to read", x->alg->name);
    return param_put_octets(p, x->tag, 16) ? 1 : ctx_fail_param(x, p->key);
}

const struct family family_siv = {
    .mode = MODE_SIV, .blocksize = 1, .flags = FLAG_AEAD | FLAG_CUSTOM_IV, .set_tag = set_tag, .get_tag = get_tag};
const struct family family_gcm_siv = {.mode = MODE_GCM_SIV,
                                      .blocksize = 1,
                                      .ivlen = 12,
                                      .flags = FLAG_AEAD | FLAG_CUSTOM_IV,
                                      .set_tag = set_tag,
                                      .get_tag = get_tag};
