/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole messages of every mode through EVP: the provider's bytes against the library's own calls, and against the
 * default provider where that has the cipher; opened again, damaged or not. In pieces where the mode takes pieces, with
 * a copy of the context going on in the middle.
 */
#include "sides.h"

#include "cadenza.h"
#include "harness.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <string.h>

#ifndef EVP_CIPH_GCM_SIV_MODE
#define EVP_CIPH_GCM_SIV_MODE 0x10005
#endif

enum { STRINGS = 4, STRING = 40 };

struct job {
    const char *name;
    int mode, keylen;
    bool pad, inverse, cts;
    uint8_t key[64], iv[128], in[MOST];
    size_t ivlen, len, taglen, strings, string[STRINGS];
    uint8_t aad[STRINGS * STRING];
    const char *variant; /* of CTS */
};

struct result {
    bool ok;
    size_t len;
    uint8_t out[MOST + 64], tag[16], updated_iv[16];
};

bool is_whole_mode(const EVP_CIPHER *c) {
    const int m = EVP_CIPHER_get_mode(c);
    return m == EVP_CIPH_OCB_MODE || m == EVP_CIPH_SIV_MODE || m == EVP_CIPH_GCM_SIV_MODE || m == EVP_CIPH_WRAP_MODE ||
           EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_CTS;
}

static bool is_aead(const struct job *j) {
    return j->mode == EVP_CIPH_GCM_MODE || j->mode == EVP_CIPH_CCM_MODE || j->mode == EVP_CIPH_OCB_MODE ||
           j->mode == EVP_CIPH_SIV_MODE || j->mode == EVP_CIPH_GCM_SIV_MODE;
}

static bool in_pieces(const struct job *j) {
    return is_aead(j) ? j->mode == EVP_CIPH_GCM_MODE || j->mode == EVP_CIPH_OCB_MODE
                      : j->mode != EVP_CIPH_XTS_MODE && j->mode != EVP_CIPH_WRAP_MODE && !j->cts;
}

static void random_job(struct job *j, const EVP_CIPHER *c) {
    const char *const name = j->name;
    memset(j, 0, sizeof *j);
    j->name = name;
    j->mode = EVP_CIPHER_get_mode(c);
    j->keylen = EVP_CIPHER_get_key_length(c);
    j->cts = EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_CTS;
    j->ivlen = (size_t)EVP_CIPHER_get_iv_length(c);
    j->inverse = strstr(name, "-INV");
    j->pad = strstr(name, "-PAD");
    rnd_fill(j->key, sizeof j->key);
    rnd_fill(j->iv, sizeof j->iv);
    rnd_fill(j->in, sizeof j->in);
    rnd_fill(j->aad, sizeof j->aad);
    j->len = rnd_below(3) ? rnd_below(70) : rnd_below(MOST);
    if (is_aead(j)) {
        j->taglen = 16;
        j->strings = rnd_below(STRINGS + 1);
        for (size_t i = 0; i < j->strings; i++) j->string[i] = rnd_below(STRING) + (j->mode != EVP_CIPH_SIV_MODE);
    }
    switch (j->mode) {
    case EVP_CIPH_ECB_MODE:
        j->len &= ~(size_t)15;
        break;
    case EVP_CIPH_CBC_MODE:
        if (j->cts) {
            static const char *const variants[] = {"CS1", "CS2", "CS3"};
            j->variant = variants[rnd_below(3)];
            j->len = j->len < 16 ? 16 + j->len : j->len;
        } else {
            j->len &= ~(size_t)15;
        }
        break;
    case EVP_CIPH_XTS_MODE:
        j->len += j->len < 16 ? 16 : 0;
        break;
    case EVP_CIPH_GCM_MODE:
        j->ivlen = rnd_below(2) ? 12 : 1 + rnd_below(128);
        break;
    case EVP_CIPH_CCM_MODE: {
        j->ivlen = 7 + rnd_below(7);
        j->taglen = 4 + 2 * rnd_below(7);
        j->len += !j->len; /* the default provider's CCM has its empty messages another way */
        j->strings = j->strings > 1 ? 1 : j->strings;
        break;
    }
    case EVP_CIPH_OCB_MODE: {
        static const uint8_t lengths[] = {8, 12, 16};
        j->ivlen = 1 + rnd_below(15);
        j->taglen = lengths[rnd_below(3)];
        break;
    }
    case EVP_CIPH_SIV_MODE:
        j->len += !j->len; /* OpenSSL 3.0 has no empty ones */
        break;
    case EVP_CIPH_WRAP_MODE:
        if (j->pad)
            j->len += !j->len;
        else
            j->len = j->len / 8 * 8 + (j->len < 16 ? 16 : 0);
        if (rnd_below(2)) j->ivlen = 0; /* the standard's integrity value */
        break;
    default:
        break;
    }
}

/* Through EVP. tag: made where it is an encryption, expected where it is none. */
static bool through_evp(int side, const struct job *j, const uint8_t *in, size_t len, struct result *r, bool enc) {
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib[side], j->name, NULL);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    const bool nonce = j->ivlen && (is_aead(j) && j->mode != EVP_CIPH_SIV_MODE && j->mode != EVP_CIPH_GCM_SIV_MODE);
    int n = 0;
    CHECK(c && x);
    if (j->mode == EVP_CIPH_WRAP_MODE) EVP_CIPHER_CTX_set_flags(x, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    CHECK(EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc) == 1);
    if (nonce) CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, (int)j->ivlen, NULL) == 1);
    if (side == OURS && rnd_below(2)) { /* the context has begun another message, and perhaps ended it */
        uint8_t out[128];
        CHECK(EVP_CipherInit_ex(x, NULL, NULL, j->in + 128, j->ivlen ? j->in : NULL, enc) == 1);
        (void)EVP_CipherUpdate(x, out, &n, j->in, rnd_below(2) ? 48 : 32);
        if (rnd_below(2)) (void)EVP_CipherFinal_ex(x, out, &n);
        CHECK(EVP_CipherInit_ex(x, NULL, NULL, NULL, NULL, enc) == 1);
        ERR_clear_error();
    }
    if (j->mode == EVP_CIPH_OCB_MODE) CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, (int)j->taglen, NULL) == 1);
    if (j->mode == EVP_CIPH_CCM_MODE && enc)
        CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, (int)j->taglen, NULL) == 1);
    if (is_aead(j) && !enc) CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, (int)j->taglen, r->tag) == 1);
    if (j->cts) {
        OSSL_PARAM p[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, (char *)(uintptr_t)j->variant, 0),
            OSSL_PARAM_construct_end()};
        CHECK(EVP_CIPHER_CTX_set_params(x, p) == 1);
    }
    const uint8_t *const iv = j->ivlen ? j->iv : NULL;
    if (rnd_below(2)) {
        CHECK(EVP_CipherInit_ex(x, NULL, NULL, j->key, iv, enc) == 1);
    } else { /* each on its own */
        CHECK(EVP_CipherInit_ex(x, NULL, NULL, j->key, NULL, enc) == 1);
        if (iv) CHECK(EVP_CipherInit_ex(x, NULL, NULL, NULL, iv, enc) == 1);
    }
    EVP_CIPHER_CTX_set_padding(x, 0);
    if (j->mode == EVP_CIPH_CCM_MODE) CHECK(EVP_CipherUpdate(x, NULL, &n, NULL, (int)len) == 1);
    for (size_t i = 0; i < j->strings; i++)
        CHECK(EVP_CipherUpdate(x, NULL, &n, j->aad + i * STRING, (int)j->string[i]) == 1);
    r->ok = true;
    r->len = 0;
    size_t at = 0;
    /* In place, output lagging behind input by what is held back: the default provider cannot in all modes. */
    if (side == OURS && rnd_below(2)) {
        memmove(r->out, in, len);
        in = r->out;
    }
    do {
        size_t piece = len - at;
        if (in_pieces(j) && piece > 1 && rnd_below(3)) piece = 1 + rnd_below(piece);
        if (rnd_below(8) == 0) {
            EVP_CIPHER_CTX *d = EVP_CIPHER_CTX_new();
            if (d && EVP_CIPHER_CTX_copy(d, x) == 1) { /* 3.0's default provider cannot copy all of them */
                EVP_CIPHER_CTX_free(x);
                x = d;
            } else {
                CHECK(side == THEIRS);
                EVP_CIPHER_CTX_free(d);
            }
        }
        n = 0;
        r->ok = EVP_CipherUpdate(x, r->out + r->len, &n, in + at, (int)piece) == 1;
        if (r->ok) r->len += (size_t)n;
        at += piece;
    } while (r->ok && at < len);
    if (j->cts && r->ok) CHECK(EVP_CIPHER_CTX_get_updated_iv(x, r->updated_iv, 16) == 1);
    n = 0;
    if (r->ok && !(j->mode == EVP_CIPH_CCM_MODE && !enc)) r->ok = EVP_CipherFinal_ex(x, r->out + r->len, &n) == 1;
    if (r->ok) r->len += (size_t)n;
    if (r->ok && enc && is_aead(j)) CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, (int)j->taglen, r->tag) == 1);
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_free(c);
    ERR_clear_error();
    return r->ok;
}

/* By the library's own calls. Not for the inverse key wraps, which it does not have. */
static void by_library(const struct job *j, struct result *r) {
    char name[32];
    const char *const mode = strchr(strchr(j->name, '-') + 1, '-') + 1;
    cdz_cipher *c;
    cdz_bytes list[STRINGS];
    uint8_t aad[STRINGS * STRING];
    size_t aad_len = 0;
    snprintf(name, sizeof name, "%.*s%s", (int)(mode - j->name), j->name, j->cts ? "CBC-" : mode);
    if (j->cts) strcat(name, j->variant);
    if (cdz_cipher_new(&c, name, j->key, (size_t)j->keylen) != CDZ_OK) test_fail("no %s", name);
    for (size_t i = 0; i < j->strings; i++) {
        list[i] = (cdz_bytes){j->aad + i * STRING, j->string[i]};
        memcpy(aad + aad_len, list[i].data, list[i].len);
        aad_len += list[i].len;
    }
    r->len = j->len;
    if (j->mode == EVP_CIPH_WRAP_MODE)
        CHECK(cdz_wrap(c, j->iv, j->ivlen, j->in, j->len, r->out, sizeof r->out, &r->len) == CDZ_OK);
    else if (j->mode == EVP_CIPH_SIV_MODE)
        CHECK(cdz_siv_encrypt(c, list, j->strings, j->in, j->len, r->out, r->tag) == CDZ_OK);
    else if (j->mode == EVP_CIPH_GCM_MODE && j->taglen != 16) /* not one of the library's lengths */
        test_fail("a tag of %zu bytes", j->taglen);
    else
        CHECK(cdz_encrypt(c, j->iv, j->ivlen, aad, aad_len, j->in, j->len, r->out, r->tag, j->taglen) == CDZ_OK);
    cdz_cipher_free(c);
}

static void compare(const struct job *j, const char *with, const struct result *ours, const struct result *theirs) {
    if (ours->ok != theirs->ok || ours->len != theirs->len)
        test_fail("%s: %d, %zu bytes; %s %d, %zu", j->name, ours->ok, ours->len, with, theirs->ok, theirs->len);
    test_same(with, ours->out, theirs->out, ours->len);
    if (is_aead(j)) test_same("tag", ours->tag, theirs->tag, j->taglen);
}

void whole_messages(void *name) {
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib[OURS], name, NULL), *theirs = EVP_CIPHER_fetch(lib[THEIRS], name, NULL);
    CHECK(c);
    for (size_t i = 0; i < 250; i++) {
        struct job j = {.name = name};
        struct result made = {0}, model = {.ok = true}, other = {0}, back = {0};
        random_job(&j, c);
        NOW("message", .len = j.len, .a = j.ivlen, .b = j.taglen);
        CHECK(through_evp(OURS, &j, j.in, j.len, &made, true));
        if (!j.inverse) {
            by_library(&j, &model);
            compare(&j, "the library", &made, &model);
        }
        if (theirs) {
            through_evp(THEIRS, &j, j.in, j.len, &other, true);
            compare(&j, "the default provider", &made, &other);
            if (j.cts) test_same("updated IV", made.updated_iv, other.updated_iv, 16);
        }
        /* Short tags are forged by chance. */
        const bool checked = (is_aead(&j) && j.taglen >= 8) || j.mode == EVP_CIPH_WRAP_MODE;
        const bool damaged = checked && rnd_below(2);
        if (damaged && is_aead(&j) && (!made.len || rnd_below(2)))
            made.tag[rnd_below(j.taglen)] ^= (uint8_t)(1 + rnd_below(255));
        else if (damaged)
            made.out[rnd_below(made.len)] ^= (uint8_t)(1 + rnd_below(255));
        memcpy(back.tag, made.tag, 16);
        memcpy(other.tag, made.tag, 16);
        const bool opened = through_evp(OURS, &j, made.out, made.len, &back, false);
        if (opened == damaged) test_fail("%s: damaged %d, opened %d", j.name, damaged, opened);
        if (opened) {
            CHECK(back.len == j.len);
            test_same("opened", back.out, j.in, j.len);
        }
        if (theirs) {
            CHECK(through_evp(THEIRS, &j, made.out, made.len, &other, false) == opened);
            if (j.cts) test_same("updated IV", back.updated_iv, other.updated_iv, 16);
        }
    }
    EVP_CIPHER_free(c);
    EVP_CIPHER_free(theirs);
}
