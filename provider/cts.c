/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CBC with ciphertext stealing (SP 800-38A addendum), a message in one update of 16 bytes or more, and which of the
 * three variants is a parameter that may change after the key. So the library's object is always CBC-CS3, and CS1 and
 * CS2, which have the same bytes in another order, are made of it. With a last block of r bytes, 1 to 16:
 *
 *     CS3    ... C(n) 16 bytes | C(n-1) r bytes
 *     CS2    the same for r < 16, else as CBC: C(n-1) | C(n)
 *     CS1    C(n-1) r bytes | C(n) 16 bytes
 */
#include "prov.h"

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    x->started = false;
    return (encrypt ? block_encrypt_init : block_decrypt_init)(x, key, keylen, iv, ivlen, params);
}

INIT_FUNCTIONS(cts)

/* Whether the last two blocks stand the other way round than in CS3. */
static bool swapped(const struct ctx *x, size_t len) {
    return len > 16 && (x->cts_mode == 0 || (x->cts_mode == 1 && len % 16 == 0));
}

static cdz_status encrypt(struct ctx *x, const uint8_t *in, uint8_t *out, size_t len) {
    uint8_t last[32];
    size_t n = 0, m = 0;
    cdz_status s = cdz_begin(x->c, CDZ_ENCRYPT, x->iv, 16);
    if (s == CDZ_OK) s = cdz_update(x->c, in, len, out, len, &n);
    if (s == CDZ_OK) s = cdz_finish(x->c, out + n, len - n, &m);
    if (s != CDZ_OK || !swapped(x, len)) return s;
    const size_t r = (len - 1) % 16 + 1;
    uint8_t *const end = out + len - 16 - r;
    memcpy(last, end, 16 + r);
    memcpy(end, last + 16, r);
    memcpy(end + r, last, 16);
    return s;
}

static cdz_status decrypt(struct ctx *x, const uint8_t *in, uint8_t *out, size_t len) {
    uint8_t last[32];
    const size_t r = (len - 1) % 16 + 1, tail = swapped(x, len) ? 16 + r : 0, head = len - tail;
    size_t n = 0, m = 0, k = 0;
    if (tail) { /* before output covers it */
        memcpy(last, in + head + r, 16);
        memcpy(last + 16, in + head, r);
    }
    cdz_status s = cdz_begin(x->c, CDZ_DECRYPT, x->iv, 16);
    if (s == CDZ_OK && head) s = cdz_update(x->c, in, head, out, len, &n);
    if (s == CDZ_OK && tail) s = cdz_update(x->c, last, tail, out + n, len - n, &m);
    if (s == CDZ_OK) s = cdz_finish(x->c, out + n + m, len - n - m, &k);
    return s;
}

int cts_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (inl < 16) return FAIL(x->prov, R_LENGTH, "%s takes 16 bytes or more", x->alg->name);
    if (outsize < inl) return FAIL(x->prov, R_BUFFER, "%s: %zu bytes do not fit into %zu", x->alg->name, inl, outsize);
    if (!in) return ctx_fail(x, CDZ_ERR_NULL);
    if (out) {
        if (x->started) return FAIL(x->prov, R_STATE, "%s: the message comes in one piece", x->alg->name);
        const cdz_status s = (x->encrypt ? encrypt : decrypt)(x, in, out, inl);
        if (s != CDZ_OK) return ctx_fail(x, s);
        x->started = true;
        cdz_status where = cdz_chain(x->c, x->iv, NULL);
        if (where != CDZ_OK) return ctx_fail(x, where);
    }
    *outl = inl;
    return 1;
}

int cts_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    (void)ctx, (void)out, (void)outsize;
    *outl = 0;
    return 1;
}

int cts_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    return cts_update(ctx, out, outl, outsize, in, inl);
}
