/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ECB and CBC, as OpenSSL's default provider does them: partial blocks are buffered, padding is on unless switched off,
 * a decryption with padding keeps the last block back. An init without IV starts from the IV that was given last; where
 * none ever was, it is zero, as there.
 */
#include "prov.h"

#include "../src/direct.h"

enum { TLS1_0 = 0x0301 };

static bool is_cbc(const struct ctx *x) { return x->alg->family->ivlen != 0; }

static int init(struct ctx *x, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM *params, bool encrypt) {
    x->held = 0;
    x->num = 0;
    x->encrypt = encrypt;
    if (is_cbc(x) && iv) {
        if (ivlen != 16) return FAIL(x->prov, R_IV_LENGTH, "%s takes an IV of 16 bytes, not %zu", x->alg->name, ivlen);
        memcpy(x->oiv, iv, 16);
        x->iv_set = true;
    }
    memcpy(x->iv, x->oiv, 16);
    if (key && !ctx_set_key(x, key, keylen)) return 0;
    return params ? plain_set_ctx_params(x, params) : 1;
}

INIT_FUNCTIONS(block)

/* Whole blocks; in and out are the same or disjoint. */
static int blocks(struct ctx *x, const uint8_t *in, uint8_t *out, size_t n) {
    uint8_t last[16];
    cdz_status s;
    if (!n) return 1;
    if (!is_cbc(x)) {
        s = x->encrypt ? cdz_encrypt(x->c, NULL, 0, NULL, 0, in, n, out, NULL, 0)
                       : cdz_decrypt(x->c, NULL, 0, NULL, 0, in, n, out, NULL, 0);
    } else if (x->encrypt) {
        s = cdz_encrypt(x->c, x->iv, 16, NULL, 0, in, n, out, NULL, 0);
        if (s == CDZ_OK) memcpy(x->iv, out + n - 16, 16);
    } else {
        memcpy(last, in + n - 16, 16);
        s = cdz_decrypt(x->c, x->iv, 16, NULL, 0, in, n, out, NULL, 0);
        if (s == CDZ_OK) memcpy(x->iv, last, 16);
    }
    return s == CDZ_OK ? 1 : ctx_fail(x, s);
}

/* One TLS record in place: with the explicit IV of TLS 1.1 and later in front, which libssl skips itself. */
static int tls_record(struct ctx *x, uint8_t *out, size_t *outl, size_t outsize, const uint8_t *in, size_t inl) {
    if (in != out || !x->pad || outsize < inl)
        return FAIL(x->prov, R_TLS_RECORD, "%s: a record not in place", x->alg->name);
    if (x->encrypt) {
        if (outsize - inl < 16 - inl % 16) return FAIL(x->prov, R_BUFFER, "%s: no room for padding", x->alg->name);
        inl = tls_cbc_pad(out, inl);
    }
    if (inl % 16) return FAIL(x->prov, R_TLS_RECORD, "%s: a record of %zu bytes", x->alg->name, inl);
    if (!blocks(x, out, out, inl)) return 0;
    if (!x->encrypt) {
        const size_t iv = x->tls_version == TLS1_0 ? 0 : 16;
        if (inl < iv) return FAIL(x->prov, R_TLS_RECORD, "%s: a record of %zu bytes", x->alg->name, inl);
        inl -= iv;
        if (!tls_cbc_open(out + iv, &inl, x->tls_mac_size, x->tls_mac))
            return FAIL(x->prov, R_TLS_RECORD, "%s: a record of the wrong size", x->alg->name);
    }
    *outl = inl;
    return 1;
}

/* What most calls are: whole blocks, with nothing kept before or after. False: the long way, which has the errors. */
static bool whole_blocks(struct ctx *x, uint8_t *out, size_t *outl, size_t outsize, const uint8_t *in, size_t inl) {
    if (!x->key_set || x->tls_version || !prov_fits(in, out, outsize, inl) || !inl) return false;
    if (is_cbc(x) ? !cdz_direct_cbc(x->c, !x->encrypt, x->iv, in, out, inl)
                  : !cdz_direct_ecb(x->c, !x->encrypt, in, out, inl))
        return false;
    *outl = inl;
    return true;
}

int block_update(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    if (!x->held && (x->encrypt || !x->pad) && whole_blocks(x, out, outl, outsize, in, inl)) return 1;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (!inl && !x->tls_version) return 1;
    if (!in) return ctx_fail(x, CDZ_ERR_NULL);
    if (x->tls_version) return tls_record(x, out, outl, outsize, in, inl);
    const size_t all = x->held + inl, keep = !x->encrypt && x->pad ? 1 : 0, release = (all - keep) & ~(size_t)15;
    if (release == inl && !x->held && inl <= outsize) { /* whole blocks, and none kept: nothing to copy */
        if (!blocks(x, in, out, inl)) return 0;
        *outl = inl;
        return 1;
    }
    if (release > outsize)
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes of output do not fit into %zu", x->alg->name, release, outsize);
    if (!release) {
        memcpy(x->buf + x->held, in, inl);
        x->held = (uint8_t)all;
        return 1;
    }
    if (x->held) {
        /* Output is ahead of input by what was held: in place, input would be overwritten before it is read. */
        uint8_t *copy = NULL;
        if (prov_overlap(in, out, inl + 16)) {
            if (!(copy = prov_copy(x, in, inl))) return 0;
            in = copy;
        }
        uint8_t first[16];
        const size_t fill = 16u - x->held;
        memcpy(first, x->buf, x->held);
        memcpy(first + x->held, in, fill);
        x->held = 0;
        int ok = blocks(x, first, out, 16) && blocks(x, in + fill, out + 16, release - 16);
        prov_wipe(first, sizeof first);
        if (ok) {
            const size_t used = fill + release - 16;
            memcpy(x->buf, in + used, inl - used);
            x->held = (uint8_t)(inl - used);
        }
        prov_copy_free(copy, inl);
        if (!ok) return 0;
    } else {
        uint8_t rest[16];
        const size_t n = inl - release;
        memcpy(rest, in + release, n); /* before anything is written */
        const int ok = blocks(x, in, out, release);
        if (ok) {
            memcpy(x->buf, rest, n);
            x->held = (uint8_t)n;
        }
        prov_wipe(rest, sizeof rest);
        if (!ok) return 0;
    }
    *outl = release;
    return 1;
}

int block_final(void *ctx, unsigned char *out, size_t *outl, size_t outsize) {
    struct ctx *x = ctx;
    uint8_t block[16];
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (!x->pad) {
        if (x->held) return FAIL(x->prov, R_FINAL_BLOCK, "%s: the message is no whole number of blocks", x->alg->name);
        return 1;
    }
    if (x->encrypt) {
        if (outsize < 16) return FAIL(x->prov, R_BUFFER, "%s: the last block does not fit", x->alg->name);
        memset(block, 16 - x->held, 16);
        memcpy(block, x->buf, x->held);
        const int ok = blocks(x, block, out, 16);
        prov_wipe(block, sizeof block);
        if (!ok) return 0;
        x->held = 0;
        *outl = 16;
        return 1;
    }
    if (x->held != 16)
        return FAIL(x->prov, R_FINAL_BLOCK, "%s: the message is no whole number of blocks", x->alg->name);
    if (!blocks(x, x->buf, block, 16)) return 0;
    x->held = 0;
    /* The same work whatever the padding is; only whether it is right, and how long, comes out. */
    const unsigned pad = block[15];
    unsigned bad = ((pad - 1u) >> 4) != 0; /* 1 to 16 */
    for (unsigned i = 0; i < 16; i++) {
        const unsigned in_pad = 0u - ((15u - i - pad) >> 31); /* all ones for the last `pad` bytes */
        bad |= in_pad & (block[i] ^ pad);
    }
    __asm__("" : "+r"(bad));
    if (bad) {
        prov_wipe(block, sizeof block);
        return FAIL(x->prov, R_BAD_DECRYPT, "%s: the padding is wrong", x->alg->name);
    }
    const size_t n = 16 - pad;
    if (outsize < n) {
        prov_wipe(block, sizeof block);
        return FAIL(x->prov, R_BUFFER, "%s: %zu bytes of output do not fit into %zu", x->alg->name, n, outsize);
    }
    memcpy(out, block, n);
    prov_wipe(block, sizeof block);
    *outl = n;
    return 1;
}

/* EVP_Cipher(): whole blocks, no buffer, no padding. OpenSSL's CMAC comes this way, block by block. */
int block_cipher(void *ctx, unsigned char *out, size_t *outl, size_t outsize, const unsigned char *in, size_t inl) {
    struct ctx *x = ctx;
    if (whole_blocks(x, out, outl, outsize, in, inl)) return 1;
    *outl = 0;
    if (!x->key_set) return FAIL(x->prov, R_NO_KEY, "%s has no key yet", x->alg->name);
    if (outsize < inl) return FAIL(x->prov, R_BUFFER, "%s: %zu bytes do not fit into %zu", x->alg->name, inl, outsize);
    if (!in || !out) return ctx_fail(x, CDZ_ERR_NULL);
    if (inl % 16) return FAIL(x->prov, R_LENGTH, "%s: %zu bytes are no whole number of blocks", x->alg->name, inl);
    if (!blocks(x, in, out, inl)) return 0;
    *outl = inl;
    return 1;
}
