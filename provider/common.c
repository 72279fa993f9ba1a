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
    if (alg->family->mode == 7) { /* CCM: L = 8, M = 12, whatever the cipher's own ivlen says */
        x->ivlen = 7;
        x->taglen = 12;
    }
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
    if (!x->c) return d;
    const size_t size = cdz_cipher_size(x->alg->name);
    if ((d->mem = malloc(size)) && cdz_cipher_copy(&d->c, d->mem, size, x->c) == CDZ_OK) return d;
    FAIL(x->prov, R_MEMORY, "no memory for a copy of a context of %s", x->alg->name);
    ctx_free(d);
    return NULL;
}

bool ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen) {
    if (keylen != x->alg->keylen) {
        FAIL(x->prov, R_KEY_LENGTH, "%s takes a key of %zu bytes, not %zu", x->alg->name, x->alg->keylen, keylen);
        return false;
    }
    const size_t size = cdz_cipher_size(x->alg->name);
    wipe_key(x);
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
        {CDZ_ERR_KEY_LENGTH, R_KEY_LENGTH},
        {CDZ_ERR_KEY_WEAK, R_WEAK_KEY},
        {CDZ_ERR_IV_LENGTH, R_IV_LENGTH},
        {CDZ_ERR_AAD, R_AAD},
        {CDZ_ERR_TAG_MISSING, R_TAG_MISSING},
        {CDZ_ERR_TAG_LENGTH, R_TAG},
        {CDZ_ERR_LENGTH, R_LENGTH},
        {CDZ_ERR_LIMIT, R_LENGTH},
        {CDZ_ERR_BUFFER, R_BUFFER},
        {CDZ_ERR_OVERLAP, R_BUFFER},
        {CDZ_ERR_STATE, R_STATE},
        {CDZ_ERR_AUTH, R_TAG},
        {CDZ_ERR_PADDING, R_BAD_DECRYPT},
        {CDZ_ERR_MEMORY, R_MEMORY},
        {CDZ_ERR_CPU_MASK, R_CPU_MASK},
    };
    enum reason r = R_INTERNAL;
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].s == s) r = map[i].r;
    return FAIL(x->prov, r, "%s: %s", x->alg->name, cdz_strerror(s));
}

int family_get_params(OSSL_PARAM *params, const struct alg *alg) {
    const struct family *f = alg->family;
    /* keylen, unlike the object's, is that of the algorithm's name: both keys of XTS and SIV in one */
    return param_answer_uint(params, OSSL_CIPHER_PARAM_MODE, f->mode) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_AEAD, (f->flags & FLAG_AEAD) != 0) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_CUSTOM_IV, (f->flags & FLAG_CUSTOM_IV) != 0) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_CTS, (f->flags & FLAG_CTS) != 0) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, 0) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_HAS_RAND_KEY, 0) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_KEYLEN, alg->keylen) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, f->blocksize) &&
           param_answer_uint(params, OSSL_CIPHER_PARAM_IVLEN, f->ivlen);
}

const OSSL_PARAM *family_gettable_params(void *provctx) {
    static const OSSL_PARAM list[] = {
        {OSSL_CIPHER_PARAM_MODE, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_BLOCK_SIZE, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_AEAD, OSSL_PARAM_INTEGER, NULL, sizeof(int), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_CUSTOM_IV, OSSL_PARAM_INTEGER, NULL, sizeof(int), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_CTS, OSSL_PARAM_INTEGER, NULL, sizeof(int), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, OSSL_PARAM_INTEGER, NULL, sizeof(int), OSSL_PARAM_UNMODIFIED},
        {OSSL_CIPHER_PARAM_HAS_RAND_KEY, OSSL_PARAM_INTEGER, NULL, sizeof(int), OSSL_PARAM_UNMODIFIED},
        {NULL, 0, NULL, 0, 0},
    };
    (void)provctx;
    return list;
}
