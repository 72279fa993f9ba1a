/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key wrap, KW and KWP (SP 800-38F; RFC 3394, RFC 5649): one update wraps or unwraps one key. Without output an update
 * tells how much room it needs. The names that end in -INV have encryption and decryption of the block cipher in each
 * other's places (SP 800-38F section 5.1); the library does not have that, so it is made here of single blocks.
 */
#include "prov.h"

enum { SEMI = 8 };

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    x->encrypt = encrypt;
    if (iv) {
        if (ivlen != x->alg->family->ivlen)
            return FAIL(x->prov, R_IV_LENGTH, "%s takes %zu bytes as its integrity value, not %zu", x->alg->name,
                        x->alg->family->ivlen, ivlen);
        memcpy(x->oiv, iv, ivlen);
        memcpy(x->iv, iv, ivlen);
        x->iv_set = true;
    }
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? plain_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(wrap)

static uint64_t load(const uint8_t *p) {
    uint64_t v = 0;
    for (int i = 0; i < SEMI; i++) v = v << 8 | p[i];
    return v;
}

static void store(uint8_t *p, uint64_t v) {
    for (int i = SEMI; i--; v >>= 8) p[i] = (uint8_t)v;
}

/* W with the block cipher's decryption, in place: a is the integrity value, r holds n semiblocks. */
static cdz_status inverse_w(struct ctx *x, uint8_t a[SEMI], uint8_t *r, size_t n) {
    uint8_t b[2 * SEMI];
    cdz_status s = CDZ_OK;
    memcpy(b, a, SEMI);
    for (uint64_t t = 1; t <= 6 * (uint64_t)n && s == CDZ_OK; t++) {
        uint8_t *const at = r + (t - 1) % n * SEMI;
        memcpy(b + SEMI, at, SEMI);
        s = cdz_decrypt(x->c, NULL, 0, NULL, 0, b, sizeof b, b, NULL, 0);
        store(b, load(b) ^ t);
        memcpy(at, b + SEMI, SEMI);
    }
    memcpy(a, b, SEMI);
    prov_wipe(b, sizeof b);
    return s;
}

/* Its inverse, with the block cipher's encryption. */
static cdz_status inverse_w1(struct ctx *x, uint8_t a[SEMI], uint8_t *r, size_t n) {
    uint8_t b[2 * SEMI];
    cdz_status s = CDZ_OK;
    memcpy(b, a, SEMI);
    for (uint64_t t = 6 * (uint64_t)n; t && s == CDZ_OK; t--) {
        uint8_t *const at = r + (t - 1) % n * SEMI;
        store(b, load(b) ^ t);
        memcpy(b + SEMI, at, SEMI);
        s = cdz_encrypt(x->c, NULL, 0, NULL, 0, b, sizeof b, b, NULL, 0);
        memcpy(at, b + SEMI, SEMI);
    }
    memcpy(a, b, SEMI);
    prov_wipe(b, sizeof b);
    return s;
}

/* The integrity value that a wrapped key of len bytes has: RFC 3394 section 2.2.3.1, RFC 5649 section 3. */
static void integrity(const struct ctx *x, uint8_t a[SEMI], size_t len) {
    static const uint8_t kw[SEMI] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6},
                         kwp[SEMI] = {0xa6, 0x59, 0x59, 0xa6};
    const bool pad = x->alg->family->flags & FLAG_PAD;
    memcpy(a, pad ? kwp : kw, SEMI);
    if (x->iv_set) memcpy(a, x->iv, x->alg->family->ivlen);
    if (pad) store(a, load(a) | len);
}

/* out has room for whole + 8 bytes, and may be in. */
static cdz_status inverse_wrap(struct ctx *x, const uint8_t *in, size_t len, uint8_t *out, size_t whole) {
    uint8_t a[SEMI];
    cdz_status s;
    integrity(x, a, len);
    memmove(out + SEMI, in, len);
    memset(out + SEMI + len, 0, whole - len);
    if (whole > SEMI) {
        s = inverse_w(x, a, out + SEMI, whole / SEMI);
        memcpy(out, a, SEMI);
    } else { /* KWP alone: one block */
        memcpy(out, a, SEMI);
        s = cdz_decrypt(x->c, NULL, 0, NULL, 0, out, 2 * SEMI, out, NULL, 0);
    }
    prov_wipe(a, sizeof a);
    return s;
}

/* len bytes, a multiple of 8 and at least 16, to len - 8 at most. All that is wrong is found in the same time. */
static cdz_status inverse_unwrap(struct ctx *x, const uint8_t *in, size_t len, uint8_t *out, size_t *outl) {
    const bool pad = x->alg->family->flags & FLAG_PAD;
    const size_t whole = len - SEMI;
    uint8_t a[SEMI], want[SEMI], block[2 * SEMI];
    cdz_status s;
    memcpy(a, in, SEMI);
    if (whole > SEMI) {
        memmove(out, in + SEMI, whole);
        s = inverse_w1(x, a, out, whole / SEMI);
    } else {
        s = cdz_encrypt(x->c, NULL, 0, NULL, 0, in, sizeof block, block, NULL, 0);
        memcpy(a, block, SEMI);
        memcpy(out, block + SEMI, SEMI);
    }
    uint64_t size = pad ? load(a) & 0xffffffff : whole, bad;
    /* The last semiblock is part of the key, with up to seven zeros behind it. */
    const uint64_t zeros = (uint64_t)whole - size;
    bad = zeros >> 3;
    if (pad) {
        integrity(x, want, 0);
        store(a, load(a) & ~UINT64_C(0xffffffff));
        for (unsigned i = 0; i < SEMI; i++)
            bad |= out[whole - 1 - i] & (0u - (((uint64_t)i - zeros) >> 63)); /* i < zeros */
    } else {
        integrity(x, want, whole);
    }
    bad |= (uint64_t)!prov_equal(a, want, SEMI);
    __asm__("" : "+r"(bad));
    if (s == CDZ_OK && bad) s = CDZ_ERR_AUTH;
    if (s != CDZ_OK) prov_wipe(out, whole);
    *outl = (size_t)size;
    prov_wipe(a, sizeof a);
    prov_wipe(block, sizeof block);
    return s;
}

int wrap_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    const bool pad = x->alg->family->flags & FLAG_PAD, inverse = x->alg->family->flags & FLAG_INVERSE;
    *outl = 0;
    if (!inl) return 1;
    if (!in) return FAIL(x->prov, R_LENGTH, "%s: no input", x->alg->name);
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    /* The core passes the input's length and 8 as the room, of which KWP may need up to 7 more: that much the caller
     * has to know (EVP_EncryptInit(3)). */
    if (outsize < inl || (x->encrypt && outsize - inl < SEMI))
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes do not fit into %zu", x->alg->name, inl, outsize);
    if (inl > INT32_MAX - 2 * SEMI || (x->encrypt ? !pad && (inl % SEMI || inl < 2 * SEMI) : inl % SEMI) ||
        (!x->encrypt && inl < (pad ? 2u : 3u) * SEMI))
        return FAIL(x->prov, R_LENGTH, "%s: %zu bytes", x->alg->name, inl);
    const size_t whole = (inl + SEMI - 1) / SEMI * SEMI;
    if (!out) {
        *outl = x->encrypt ? whole + SEMI : inl - SEMI;
        return 1;
    }
    size_t n = x->encrypt ? whole + SEMI : inl - SEMI;
    const size_t ivlen = x->iv_set ? x->alg->family->ivlen : 0;
    const cdz_status s = inverse
                             ? x->encrypt ? inverse_wrap(x, in, inl, out, whole) : inverse_unwrap(x, in, inl, out, &n)
                         : x->encrypt ? cdz_wrap(x->c, x->iv, ivlen, in, inl, out, n, &n)
                                      : cdz_unwrap(x->c, x->iv, ivlen, in, inl, out, n, &n);
    if (s != CDZ_OK) return ctx_fail(x, s);
    *outl = n;
    return 1;
}

int wrap_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    (void)ctx, (void)out, (void)outsize;
    *outl = 0;
    return 1;
}
