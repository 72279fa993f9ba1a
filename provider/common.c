/* SPDX-License-Identifier: Apache-2.0 */
/* What all families of ciphers share: contexts, keys, the fixed parameters, random bytes. */
#include "prov.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void prov_wipe(void *p, size_t n) {
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory");
}

bool prov_equal(const uint8_t *a, const uint8_t *b, size_t n) {
    unsigned d = 0;
    for (size_t i = 0; i < n; i++) d |= (unsigned)(a[i] ^ b[i]);
    __asm__("" : "+r"(d));
    return d == 0;
}

bool prov_random(uint8_t *out, size_t n) {
    while (n) {
        const ssize_t k = getrandom(out, n, 0);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        out += k;
        n -= (size_t)k;
    }
    return true;
}

uint8_t *prov_copy(const struct ctx *x, const uint8_t *in, size_t n) {
    uint8_t *const copy = malloc(n);
    if (!copy) {
        FAIL(x->prov, R_MEMORY, "no memory for %zu bytes", n);
        return NULL;
    }
    return memcpy(copy, in, n);
}

void prov_copy_free(uint8_t *copy, size_t n) {
    if (copy) prov_wipe(copy, n);
    free(copy);
}

void *ctx_new(void *provctx, const struct alg *alg) {
    struct ctx *x = calloc(1, sizeof *x);
    if (!x) {
        FAIL(provctx, R_MEMORY, "no memory for a context of %s", alg->name);
        return NULL;
    }
    x->prov = provctx;
    x->alg = alg;
    x->pad = true;
    x->ivlen = alg->family->ivlen;
    x->taglen = 16;
    if (alg->family->mode == MODE_CCM) { /* L = 8, M = 12, whatever the cipher's own ivlen says */
        x->ivlen = 7;
        x->taglen = 12;
    }
    if (alg->family->mode == MODE_WRAP) x->pad = alg->family->flags & FLAG_PAD;
    return x;
}

static void wipe_key(struct ctx *x) {
    cdz_cipher_wipe(x->c);
    x->c = NULL;
}

void ctx_free(void *ctx) {
    struct ctx *x = ctx;
    if (!x) return;
    wipe_key(x);
    free(x->mem);
    if (x->strings) prov_wipe(x->strings, sizeof *x->strings + x->strings->cap);
    free(x->strings);
    prov_wipe(x, sizeof *x);
    free(x);
}

void *ctx_dup(void *ctx) {
    const struct ctx *x = ctx;
    struct ctx *d = malloc(sizeof *d);
    if (!d) {
        FAIL(x->prov, R_MEMORY, "no memory for a copy of a context of %s", x->alg->name);
        return NULL;
    }
    *d = *x;
    d->mem = NULL;
    d->c = NULL;
    d->strings = NULL;
    const size_t size = cdz_cipher_size(x->alg->name), all = x->strings ? sizeof *x->strings + x->strings->cap : 0;
    if (all && (d->strings = malloc(all))) memcpy(d->strings, x->strings, all); /* ctx_free() reads its size */
    if ((!all || d->strings) &&
        (!x->c || ((d->mem = malloc(size)) && cdz_cipher_copy(&d->c, d->mem, size, x->c) == CDZ_OK)))
        return d;
    FAIL(x->prov, R_MEMORY, "no memory for a copy of a context of %s", x->alg->name);
    ctx_free(d);
    return NULL;
}

bool ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen) {
    if (keylen != x->alg->keylen) {
        FAIL(x->prov, R_KEY_LENGTH, "%s takes a key of %zu bytes, not %zu", x->alg->name, x->alg->keylen, keylen);
        return false;
    }
    if (x->c) { /* the key before is overwritten */
        const cdz_status s = cdz_cipher_set_key(x->c, key, keylen);
        x->key_set = s == CDZ_OK;
        if (s != CDZ_OK) ctx_fail(x, s);
        return x->key_set;
    }
    const size_t size = cdz_cipher_size(x->alg->name);
    x->key_set = false;
    if (!x->mem && !(x->mem = malloc(size))) {
        FAIL(x->prov, R_MEMORY, "no memory for a key of %s", x->alg->name);
        return false;
    }
    const cdz_status s = cdz_cipher_init(&x->c, x->mem, size, x->alg->name, key, keylen);
    if (s != CDZ_OK) {
        ctx_fail(x, s);
        return false;
    }
    x->key_set = true;
    return true;
}

int ctx_fail(const struct ctx *x, cdz_status s) {
    static const struct {
        cdz_status s;
        enum reason r;
    } map[] = {
        {CDZ_ERR_NULL, R_BUFFER},       {CDZ_ERR_KEY_LENGTH, R_KEY_LENGTH},
        {CDZ_ERR_KEY_WEAK, R_WEAK_KEY}, {CDZ_ERR_IV_LENGTH, R_IV_LENGTH},
        {CDZ_ERR_AAD, R_AAD},           {CDZ_ERR_TAG_MISSING, R_TAG_MISSING},
        {CDZ_ERR_TAG_LENGTH, R_TAG},    {CDZ_ERR_LENGTH, R_LENGTH},
        {CDZ_ERR_LIMIT, R_LENGTH},      {CDZ_ERR_BUFFER, R_BUFFER},
        {CDZ_ERR_OVERLAP, R_BUFFER},    {CDZ_ERR_STATE, R_STATE},
        {CDZ_ERR_AUTH, R_TAG},          {CDZ_ERR_PADDING, R_BAD_DECRYPT},
        {CDZ_ERR_MEMORY, R_MEMORY},     {CDZ_ERR_CPU_MASK, R_CPU_MASK},
    };
    enum reason r = R_INTERNAL;
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].s == s) r = map[i].r;
    return FAIL(x->prov, r, "%s: %s", x->alg->name, cdz_strerror(s));
}

int ctx_fail_param(const struct ctx *x, const char *key) {
    return FAIL(x->prov, R_PARAM, "%s: %s has the wrong type, size or value", x->alg->name, key);
}

int family_get_params(OSSL_PARAM *params, const struct alg *alg) {
    const struct family *f = alg->family;
    for (OSSL_PARAM *p = params; p && p->key; p++) {
        uint64_t v;
        switch (param_id(p->key)) {
        case PARAM_MODE:
            v = f->mode;
            break;
        case PARAM_KEYLEN:
            v = alg->keylen;
            break;
        case PARAM_IVLEN:
            v = f->ivlen;
            break;
        case PARAM_BLOCK_SIZE:
            v = f->blocksize;
            break;
        case PARAM_AEAD:
            v = (f->flags & FLAG_AEAD) != 0;
            break;
        case PARAM_CUSTOM_IV:
            v = (f->flags & FLAG_CUSTOM_IV) != 0;
            break;
        case PARAM_CTS:
            v = (f->flags & FLAG_CTS) != 0;
            break;
        case PARAM_MULTIBLOCK:
        case PARAM_RAND_KEY:
            v = 0;
            break;
        default:
            continue;
        }
        if (!param_put_uint(p, v)) return 0;
    }
    return 1;
}

const OSSL_PARAM *family_gettable_params(void *provctx) {
    static const OSSL_PARAM list[] = {PARAM_UINT(OSSL_CIPHER_PARAM_MODE, unsigned),
                                      PARAM_UINT(OSSL_CIPHER_PARAM_KEYLEN, size_t),
                                      PARAM_UINT(OSSL_CIPHER_PARAM_IVLEN, size_t),
                                      PARAM_UINT(OSSL_CIPHER_PARAM_BLOCK_SIZE, size_t),
                                      PARAM_INT(OSSL_CIPHER_PARAM_AEAD),
                                      PARAM_INT(OSSL_CIPHER_PARAM_CUSTOM_IV),
                                      PARAM_INT(OSSL_CIPHER_PARAM_CTS),
                                      PARAM_INT(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK),
                                      PARAM_INT(OSSL_CIPHER_PARAM_HAS_RAND_KEY),
                                      PARAM_LAST};
    (void)provctx;
    return list;
}
