/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider against OpenSSL's default provider, call by call: two library contexts of their own, the same random
 * sequence of EVP calls on both, and after every call the same result, length, bytes, and answers to every parameter.
 */
#include "sides.h"

#include "harness.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

OSSL_LIB_CTX *lib[SIDES];
static OSSL_PROVIDER *prov[SIDES];

struct pair {
    EVP_CIPHER *cipher[SIDES];
    EVP_CIPHER_CTX *ctx[SIDES];
    const char *name;
    int mode, keylen, ivlen;
    bool encrypt, ready, aead;
};

static bool open_pair(struct pair *p, const char *name) {
    memset(p, 0, sizeof *p);
    p->name = name;
    for (int s = 0; s < SIDES; s++) {
        p->cipher[s] = EVP_CIPHER_fetch(lib[s], name, NULL);
        if (!p->cipher[s]) return false;
        p->ctx[s] = EVP_CIPHER_CTX_new();
        CHECK(p->ctx[s]);
    }
    CHECK(!strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(p->cipher[OURS])), "cadenza"));
    p->mode = EVP_CIPHER_get_mode(p->cipher[OURS]);
    p->keylen = EVP_CIPHER_get_key_length(p->cipher[OURS]);
    p->ivlen = EVP_CIPHER_get_iv_length(p->cipher[OURS]);
    p->aead = (EVP_CIPHER_get_flags(p->cipher[OURS]) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
    return true;
}

static void close_pair(struct pair *p) {
    for (int s = 0; s < SIDES; s++) {
        EVP_CIPHER_CTX_free(p->ctx[s]);
        EVP_CIPHER_free(p->cipher[s]);
    }
}

#define SAME_INT(p, what, a, b)                                                                                        \
    do {                                                                                                               \
        const long a_ = (long)(a), b_ = (long)(b);                                                                     \
        if (a_ != b_) test_fail("%s: %s: ours %ld, default's %ld (line %d)", (p)->name, what, a_, b_, __LINE__);       \
    } while (0)

/* All that can be asked of a context. */
static void same_answers(struct pair *p) {
    uint8_t iv[SIDES][128], now[SIDES][128];
    int r[SIDES], q[SIDES];
    memset(iv, 0, sizeof iv);
    memset(now, 0, sizeof now);
    SAME_INT(p, "key length", EVP_CIPHER_CTX_get_key_length(p->ctx[OURS]),
             EVP_CIPHER_CTX_get_key_length(p->ctx[THEIRS]));
    SAME_INT(p, "iv length", EVP_CIPHER_CTX_get_iv_length(p->ctx[OURS]), EVP_CIPHER_CTX_get_iv_length(p->ctx[THEIRS]));
    SAME_INT(p, "block size", EVP_CIPHER_CTX_get_block_size(p->ctx[OURS]),
             EVP_CIPHER_CTX_get_block_size(p->ctx[THEIRS]));
    SAME_INT(p, "tag length", EVP_CIPHER_CTX_get_tag_length(p->ctx[OURS]),
             EVP_CIPHER_CTX_get_tag_length(p->ctx[THEIRS]));
    if (!p->ready) return;
    for (int s = 0; s < SIDES; s++) {
        r[s] = EVP_CIPHER_CTX_get_original_iv(p->ctx[s], iv[s], sizeof iv[s]);
        q[s] = EVP_CIPHER_CTX_get_updated_iv(p->ctx[s], now[s], sizeof now[s]);
    }
    SAME_INT(p, "original iv", r[OURS] > 0, r[THEIRS] > 0);
    SAME_INT(p, "updated iv", q[OURS] > 0, q[THEIRS] > 0);
    if (p->mode != EVP_CIPH_ECB_MODE && r[OURS] > 0) test_same("original iv", iv[OURS], iv[THEIRS], 16);
    if (p->mode != EVP_CIPH_ECB_MODE && q[OURS] > 0) test_same("updated iv", now[OURS], now[THEIRS], 16);
    if (p->mode == EVP_CIPH_CTR_MODE || p->mode == EVP_CIPH_CFB_MODE || p->mode == EVP_CIPH_OFB_MODE)
        SAME_INT(p, "num", EVP_CIPHER_CTX_get_num(p->ctx[OURS]), EVP_CIPHER_CTX_get_num(p->ctx[THEIRS]));
}

/* One kind of initialisation out of all that applications do. */
static void note(const char *format, ...) {
    va_list a;
    if (!getenv("CDZ_TEST_TRACE")) return;
    va_start(a, format);
    vfprintf(stderr, format, a);
    va_end(a);
}

static void random_init(struct pair *p, bool *has_key, bool *has_iv) {
    uint8_t key[64], iv[16];
    int r[SIDES] = {0};
    rnd_fill(key, sizeof key);
    rnd_fill(iv, sizeof iv);
    if (rnd_below(4) == 0) memset(iv + rnd_below(13), 0xff, 4);
    const unsigned kind = (unsigned)rnd_below(5);
    const bool was = p->encrypt, block = p->mode == EVP_CIPH_ECB_MODE || p->mode == EVP_CIPH_CBC_MODE;
    p->encrypt = rnd_below(2);
    /* The default provider keeps the other direction's schedule when only the direction changes, and makes garbage. */
    const bool with_key = !*has_key || kind < 2 || (block && was != p->encrypt);
    const bool with_iv = !*has_iv || kind == 0 || kind == 2;
    note("init kind %u key %d iv %d encrypt %d\n", kind, with_key, with_iv, p->encrypt);
    for (int s = 0; s < SIDES; s++) {
        EVP_CIPHER_CTX *x = p->ctx[s];
        r[s] = EVP_CipherInit_ex(x, p->ready ? NULL : p->cipher[s], NULL, NULL, NULL, p->encrypt);
        if (kind == 3 && with_iv && with_key) { /* IV first, then the key */
            r[s] += EVP_CipherInit_ex(x, NULL, NULL, NULL, iv, p->encrypt);
            r[s] += EVP_CipherInit_ex(x, NULL, NULL, key, NULL, p->encrypt);
        } else {
            r[s] +=
                EVP_CipherInit_ex(x, NULL, NULL, with_key ? key : NULL, with_iv && p->ivlen ? iv : NULL, p->encrypt);
        }
    }
    SAME_INT(p, "init", r[OURS], r[THEIRS]);
    if (with_key) *has_key = true;
    if (with_iv) *has_iv = true;
    p->ready = true;
}

static bool both(struct pair *p, const char *what, const int r[SIDES], const int n[SIDES],
                 uint8_t out[SIDES][MOST + 64]) {
    SAME_INT(p, what, r[OURS] == 1, r[THEIRS] == 1);
    if (r[OURS] != 1) return false;
    SAME_INT(p, what, n[OURS], n[THEIRS]);
    test_same(what, out[OURS], out[THEIRS], (size_t)n[OURS]);
    return true;
}

static void random_update(struct pair *p, bool *alive) {
    uint8_t in[MOST], out[SIDES][MOST + 64];
    int r[SIDES], n[SIDES] = {0};
    const size_t len = rnd_below(3) ? rnd_below(40) : rnd_below(MOST);
    const bool whole = p->mode == EVP_CIPH_ECB_MODE || p->mode == EVP_CIPH_CBC_MODE;
    /* In place where the default provider can: it cannot with bytes left over from before. */
    const bool in_place = rnd_below(2) && !whole;
    rnd_fill(in, sizeof in);
    if (!len) return;
    note("update %zu in place %d\n", len, in_place);
    for (int s = 0; s < SIDES; s++) {
        memset(out[s], 0xa5, sizeof out[s]);
        if (in_place) memcpy(out[s], in, len);
        r[s] = EVP_CipherUpdate(p->ctx[s], out[s], &n[s], in_place ? out[s] : in, (int)len);
    }
    *alive = both(p, "update", r, n, out);
}

static void random_dup(struct pair *p) {
    note("dup\n");
    for (int s = 0; s < SIDES; s++) {
        EVP_CIPHER_CTX *d = EVP_CIPHER_CTX_new();
        CHECK(d && EVP_CIPHER_CTX_copy(d, p->ctx[s]) == 1);
        EVP_CIPHER_CTX_free(p->ctx[s]);
        p->ctx[s] = d;
    }
}

static void plain_mode(struct pair *p) {
    bool has_key = false, has_iv = false;
    for (size_t k = rnd_below(12) + 2; k; k--) {
        bool alive = true;
        random_init(p, &has_key, &has_iv);
        same_answers(p);
        if (rnd_below(3) == 0) {
            note("padding %d\n", (int)(k & 1));
            unsigned told[SIDES] = {2, 2};
            for (int s = 0; s < SIDES; s++) {
                OSSL_PARAM ask[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_PADDING, &told[s]),
                                    OSSL_PARAM_construct_end()};
                EVP_CIPHER_CTX_set_padding(p->ctx[s], (int)(k & 1));
                CHECK(EVP_CIPHER_CTX_get_params(p->ctx[s], ask) == 1);
            }
            CHECK(told[OURS] == told[THEIRS]);
        }
        for (size_t steps = rnd_below(8); steps && alive; steps--) {
            if (rnd_below(6) == 0) random_dup(p);
            random_update(p, &alive);
            if (alive) same_answers(p);
        }
        if (!alive || rnd_below(4) == 0) continue; /* abandoned */
        uint8_t out[SIDES][MOST + 64];
        int r[SIDES], n[SIDES] = {0};
        for (int s = 0; s < SIDES; s++) r[s] = EVP_CipherFinal_ex(p->ctx[s], out[s], &n[s]);
        both(p, "final", r, n, out);
    }
}

/* A padded ciphertext of the default provider, damaged or not, opened by both. */
static void padded(struct pair *p) {
    uint8_t key[32], iv[16], in[100], sealed[128], out[SIDES][MOST + 64];
    int n = 0, m = 0, r[SIDES], k[SIDES], l[SIDES];
    rnd_fill(key, 32);
    rnd_fill(iv, 16);
    rnd_fill(in, sizeof in);
    const size_t len = rnd_below(sizeof in);
    for (int s = 0; s < SIDES; s++) CHECK(EVP_CIPHER_CTX_reset(p->ctx[s]) == 1); /* padding is on again */
    CHECK(EVP_EncryptInit_ex(p->ctx[THEIRS], p->cipher[THEIRS], NULL, key, iv) == 1);
    CHECK(EVP_EncryptUpdate(p->ctx[THEIRS], sealed, &n, in, (int)len) == 1);
    CHECK(EVP_EncryptFinal_ex(p->ctx[THEIRS], sealed + n, &m) == 1);
    n += m;
    if (rnd_below(2)) sealed[rnd_below((size_t)n)] ^= (uint8_t)(1 + rnd_below(255));
    for (int s = 0; s < SIDES; s++) {
        CHECK(EVP_DecryptInit_ex(p->ctx[s], p->cipher[s], NULL, key, iv) == 1);
        CHECK(EVP_DecryptUpdate(p->ctx[s], out[s], &k[s], sealed, n) == 1);
        r[s] = EVP_DecryptFinal_ex(p->ctx[s], out[s] + k[s], &l[s]);
        if (r[s] != 1) l[s] = 0;
        k[s] += l[s];
    }
    SAME_INT(p, "final of a padded message", r[OURS], r[THEIRS]);
    SAME_INT(p, "length of a padded message", k[OURS], k[THEIRS]);
    test_same("padded message", out[OURS], out[THEIRS], (size_t)k[OURS]);
}

/* A message in GCM or CCM, sealed by one side and opened by the other, with or without damage. */
static void sealed(struct pair *p) {
    uint8_t key[32], iv[64], aad[80], in[MOST], out[SIDES][MOST + 64], tag[SIDES][16], back[MOST + 64];
    int n[SIDES] = {0}, r[SIDES];
    const bool ccm = p->mode == EVP_CIPH_CCM_MODE;
    const size_t len = rnd_below(4) ? rnd_below(5) ? rnd_below(100) : 0 : rnd_below(MOST - 1) + 1,
                 aad_len = rnd_below(80);
    const int ivlen = ccm ? 7 + (int)rnd_below(7) : rnd_below(2) ? 12 : 1 + (int)rnd_below(60);
    const int taglen = ccm ? 4 + 2 * (int)rnd_below(7) : 1 + (int)rnd_below(16);
    rnd_fill(key, sizeof key);
    rnd_fill(iv, sizeof iv);
    rnd_fill(aad, sizeof aad);
    rnd_fill(in, sizeof in);
    const bool again = rnd_below(3) == 0; /* only a new IV for a context that has done a message */
    for (int s = 0; s < SIDES; s++) {
        EVP_CIPHER_CTX *x = p->ctx[s];
        CHECK(EVP_EncryptInit_ex(x, p->cipher[s], NULL, NULL, NULL) == 1);
        CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, ivlen, NULL) == 1);
        if (ccm) CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, taglen, NULL) == 1);
        CHECK(EVP_EncryptInit_ex(x, NULL, NULL, key, iv) == 1);
        for (int round = 0; round <= again; round++) {
            size_t at = 0;
            int k, m;
            if (round) {
                iv[0] ^= (uint8_t)(s == OURS); /* once for both */
                CHECK(EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv) == 1);
            }
            n[s] = 0;
            if (ccm) CHECK(EVP_EncryptUpdate(x, NULL, &k, NULL, (int)len) == 1);
            if (aad_len && ccm) CHECK(EVP_EncryptUpdate(x, NULL, &k, aad, (int)aad_len) == 1);
            if (!ccm)
                for (size_t a = 0; a < aad_len; a += (size_t)k)
                    CHECK(EVP_EncryptUpdate(x, NULL, &k, aad + a, a + 7 < aad_len ? 7 : (int)(aad_len - a)) == 1);
            while (at < len) {
                const size_t piece = ccm ? len : len - at < 97 ? len - at : 97;
                CHECK(EVP_EncryptUpdate(x, out[s] + at, &k, in + at, (int)piece) == 1);
                at += piece, n[s] += k;
            }
            if (len)
                CHECK(EVP_EncryptFinal_ex(x, out[s] + n[s], &m) == 1);
            else
                CHECK(EVP_EncryptFinal_ex(x, out[s], &m) == 1);
            CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, taglen, tag[s]) == 1);
        }
        /* Without a new IV nothing goes on. */
        r[s] = EVP_EncryptUpdate(x, back, &n[SIDES - 1], in, 16);
        n[s] = (int)len;
    }
    SAME_INT(p, "update after final", r[OURS] == 1, r[THEIRS] == 1);
    test_same("sealed message", out[OURS], out[THEIRS], len);
    test_same("tag", tag[OURS], tag[THEIRS], (size_t)taglen);

    const unsigned damage = taglen < 8 ? 0 : (unsigned)rnd_below(3); /* short tags are forged by chance */
    if (damage == 1) tag[OURS][rnd_below((size_t)taglen)] ^= 0x10;
    if (damage == 2 && len) out[OURS][rnd_below(len)] ^= 1;
    for (int s = 0; s < SIDES; s++) {
        EVP_CIPHER_CTX *x = p->ctx[s];
        int k = 0, m = 0, ok = 1;
        CHECK(EVP_DecryptInit_ex(x, p->cipher[s], NULL, NULL, NULL) == 1);
        CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, ivlen, NULL) == 1);
        CHECK(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, taglen, tag[OURS]) == 1);
        CHECK(EVP_DecryptInit_ex(x, NULL, NULL, key, iv) == 1);
        if (ccm) CHECK(EVP_DecryptUpdate(x, NULL, &k, NULL, (int)len) == 1);
        if (aad_len) CHECK(EVP_DecryptUpdate(x, NULL, &k, aad, (int)aad_len) == 1);
        if (len) ok = EVP_DecryptUpdate(x, back, &k, out[OURS], (int)len) == 1;
        /* A caller may look at what the last call says alone: never success where another failed. */
        r[s] = EVP_DecryptFinal_ex(x, back + k, &m) == 1;
        if (r[s] && !ok)
            test_fail("%s: a final succeeds after an update that failed", s == OURS ? "cadenza" : "default");
        ok = r[s];
        if (ok && !(damage == 2 && !len)) CHECK(!memcmp(back, in, len));
    }
    SAME_INT(p, "opened", r[OURS], r[THEIRS]);
    SAME_INT(p, "opened", r[OURS], damage == 0 || (damage == 2 && !len));
}

static void run(void *name) {
    struct pair p;
    CHECK(open_pair(&p, name));
    const size_t rounds = p.aead || p.mode == EVP_CIPH_XTS_MODE ? 300 : 200;
    for (size_t i = 0; i < rounds; i++) {
        if (p.aead) {
            sealed(&p);
        } else if (p.mode == EVP_CIPH_XTS_MODE) {
            uint8_t key[64], iv[16], in[MOST], out[SIDES][MOST + 64];
            int r[SIDES], n[SIDES] = {0};
            const size_t len = rnd_below(MOST - 16) + 10;
            rnd_fill(key, 64);
            rnd_fill(iv, 16);
            rnd_fill(in, MOST);
            if (rnd_below(8) == 0) memcpy(key + p.keylen / 2, key, (size_t)p.keylen / 2);
            const int enc = (int)rnd_below(2);
            for (int s = 0; s < SIDES; s++) {
                r[s] = EVP_CipherInit_ex(p.ctx[s], p.cipher[s], NULL, key, iv, enc);
                if (r[s] == 1) r[s] = EVP_CipherUpdate(p.ctx[s], out[s], &n[s], in, (int)len);
            }
            both(&p, "update", r, n, out);
        } else {
            plain_mode(&p);
            if (p.mode == EVP_CIPH_CBC_MODE || p.mode == EVP_CIPH_ECB_MODE) padded(&p);
        }
        for (int s = 0; s < SIDES; s++)
            if (rnd_below(2)) EVP_CIPHER_CTX_reset(p.ctx[s]), p.ready = false;
        for (int s = 0; s < SIDES; s++) EVP_CIPHER_CTX_reset(p.ctx[s]);
        p.ready = false;
        ERR_clear_error();
    }
    close_pair(&p);
}

/* Our names, aliases and OIDs are the default provider's: what one finds, the other does, and it is the same algorithm
 * with the same fixed parameters. */
static void name_of(const char *name, void *arg) {
    EVP_CIPHER *theirs = EVP_CIPHER_fetch(lib[THEIRS], name, NULL);
    if (!theirs) return; /* one that OpenSSL lacks */
    if (!EVP_CIPHER_is_a(theirs, arg))
        test_fail("%s is another algorithm in the default provider than %s", name, (char *)arg);
    EVP_CIPHER_free(theirs);
}
static size_t seen, shared;
static void our_names(EVP_CIPHER *cipher, void *arg) {
    const char *const name = EVP_CIPHER_get0_name(cipher);
    (void)arg;
    seen++;
    EVP_CIPHER_names_do_all(cipher, name_of, (void *)(uintptr_t)name);
    EVP_CIPHER *theirs = EVP_CIPHER_fetch(lib[THEIRS], name, NULL);
    if (!theirs) return;
    shared++;
    struct pair p = {.name = name};
    SAME_INT(&p, "mode", EVP_CIPHER_get_mode(cipher), EVP_CIPHER_get_mode(theirs));
    SAME_INT(&p, "flags", EVP_CIPHER_get_flags(cipher), EVP_CIPHER_get_flags(theirs));
    SAME_INT(&p, "block size", EVP_CIPHER_get_block_size(cipher), EVP_CIPHER_get_block_size(theirs));
    SAME_INT(&p, "key length", EVP_CIPHER_get_key_length(cipher), EVP_CIPHER_get_key_length(theirs));
    SAME_INT(&p, "iv length", EVP_CIPHER_get_iv_length(cipher), EVP_CIPHER_get_iv_length(theirs));
    SAME_INT(&p, "type", EVP_CIPHER_get_type(cipher), EVP_CIPHER_get_type(theirs));
    EVP_CIPHER_free(theirs);
}
static void their_name(const char *name, void *arg) {
    (void)arg;
    EVP_CIPHER *ours = EVP_CIPHER_fetch(lib[OURS], name, NULL);
    if (!ours) test_fail("the default provider has %s, ours has not", name);
    EVP_CIPHER_free(ours);
}
static void their_names(EVP_CIPHER *cipher, void *arg) {
    const char *const name = EVP_CIPHER_get0_name(cipher);
    (void)arg;
    /* Composite ciphers are none of ours; GCM-SIV with 192 bits is in no standard. */
    if (strstr(name, "HMAC") || !strcmp(name, "AES-192-GCM-SIV")) return;
    if (!strncmp(name, "ARIA", 4) || !strncmp(name, "AES", 3) || !strncmp(name, "id-aes", 6) ||
        !strncmp(name, "1.2.410.200046.1.1", 18) || !strncmp(name, "2.16.840.1.101.3.4.1", 20))
        EVP_CIPHER_names_do_all(cipher, their_name, NULL);
}
static void names(void *arg) {
    (void)arg;
    seen = shared = 0;
    EVP_CIPHER_do_all_provided(lib[OURS], our_names, NULL);
    CHECK(seen >= 95 && shared >= 27 + 50);
    EVP_CIPHER_do_all_provided(lib[THEIRS], their_names, NULL);
}

/* Calls in any order with any arguments: whatever is refused leaves an error of ours in the queue, and nothing
 * crashes (the sanitizers watch in their own builds). */
static OSSL_PARAM odd_param(uint8_t *buf, size_t cap, bool get) {
    static const char *const keys[] = {
        "keylen",      "ivlen",        "padding", "num",    "iv",       "updated-iv", "use-bits",
        "cts_mode",    "speed",        "tag",     "taglen", "tlsaad",   "tlsaadpad",  "tls-mac",
        "tls-version", "tls-mac-size", "unknown", "mode",   "tlsivgen", "tlsivfixed", "tlsivinv"};
    static const unsigned types[] = {OSSL_PARAM_INTEGER, OSSL_PARAM_UNSIGNED_INTEGER, OSSL_PARAM_OCTET_STRING,
                                     OSSL_PARAM_UTF8_STRING, OSSL_PARAM_OCTET_PTR};
    static const size_t sizes[] = {0, 1, 4, 8, 12, 13, 15, 16, 17, 64};
    const size_t key = rnd_below(sizeof keys / sizeof *keys);
    /* OCTET_PTR to be set is nothing that OpenSSL makes, and UTF8_STRING ends in a NUL. */
    unsigned type = types[rnd_below(get ? 5 : 4)];
    /* Mostly the type that the key has. */
    if (rnd_below(4))
        type = key == 7 ? OSSL_PARAM_UTF8_STRING
               : key < 4 || key == 6 || key == 8 || key == 10 || key == 12 || key == 14 || key == 15
                   ? OSSL_PARAM_UNSIGNED_INTEGER
                   : OSSL_PARAM_OCTET_STRING;
    size_t size = sizes[rnd_below(sizeof sizes / sizeof *sizes)];
    if (size > cap) size = cap;
    if (type == OSSL_PARAM_INTEGER || type == OSSL_PARAM_UNSIGNED_INTEGER) size = rnd_below(8) ? 8 : size;
    if (type == OSSL_PARAM_OCTET_PTR) size = sizeof(void *);
    memset(buf, 0, cap);
    if (!get) {
        rnd_fill(buf, size);
        if (type != OSSL_PARAM_OCTET_STRING && size == 8) memset(buf + 1, 0, 7), buf[0] &= rnd_below(2) ? 15 : 255;
        if (type == OSSL_PARAM_UTF8_STRING) strcpy((char *)buf, rnd_below(2) ? "CS2" : "?"), size = strlen((char *)buf);
    }
    const bool null = rnd_below(10) == 0;
    return (OSSL_PARAM){keys[key], type, null ? NULL : buf, size, OSSL_PARAM_UNMODIFIED};
}

static void chaos(void *name) {
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib[OURS], name, NULL);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    CHECK(c && x);
    CHECK(EVP_CipherInit_ex(x, c, NULL, NULL, NULL, 1) == 1);
    if (EVP_CIPHER_get_mode(c) == EVP_CIPH_WRAP_MODE) EVP_CIPHER_CTX_set_flags(x, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    for (size_t i = 0; i < 1500; i++) {
        uint8_t key[64], iv[256], in[80], out[160], buf[64];
        OSSL_PARAM one[2] = {odd_param(buf, sizeof buf, false), OSSL_PARAM_END};
        int r = 1, n = 0;
        const unsigned what = (unsigned)rnd_below(11);
        const int len = rnd_below(3) ? (int)(rnd_below(6) * 8) : (int)rnd_below(sizeof in);
        bool core = false; /* refused by OpenSSL itself, without an error of ours */
        rnd_fill(key, sizeof key);
        rnd_fill(iv, sizeof iv);
        rnd_fill(in, sizeof in);
        ERR_clear_error();
        note("%s: %u %s %u %zu %d\n", (char *)name, what, one[0].key, one[0].data_type, one[0].data_size, len);
        switch (what) {
        case 0:
        case 1:
            /* With a nonce longer than what is here the core would read on. */
            if (EVP_CIPHER_CTX_get_iv_length(x) > 16) EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL);
            ERR_clear_error();
            r = EVP_CipherInit_ex2(x, NULL, rnd_below(3) ? key : NULL, rnd_below(3) ? iv : NULL, (int)rnd_below(2),
                                   rnd_below(4) ? NULL : one);
            if (!strcmp(one[0].key, "ivlen")) core = true;
            break;
        case 2:
        case 3:
            r = EVP_CipherUpdate(x, out, &n, in, len);
            if (!len) core = true;
            break;
        case 4:
            r = EVP_CipherUpdate(x, NULL, &n, rnd_below(6) ? in : NULL, len);
            /* A plain cipher has no update without output: the default provider would crash, and so the caller's. */
            break;
        case 5:
            r = EVP_CipherFinal_ex(x, out, &n);
            break;
        case 6:
            r = EVP_CIPHER_CTX_set_params(x, one);
            break;
        case 8:
        case 9:
            r = EVP_Cipher(x, rnd_below(8) ? out : NULL, rnd_below(8) ? in : NULL, (unsigned)len) >= 0;
            break;
        case 7: {
            one[0] = odd_param(buf, sizeof buf, true);
            r = EVP_CIPHER_CTX_get_params(x, one);
            break;
        }
        default: {
            EVP_CIPHER_CTX *d = EVP_CIPHER_CTX_new();
            CHECK(d && EVP_CIPHER_CTX_copy(d, x) == 1);
            EVP_CIPHER_CTX_free(x);
            x = d;
            break;
        }
        }
        if (r == 1 || core) continue;
        const unsigned long e = ERR_peek_error();
        if (!e) test_fail("%s: call %u (%s) was refused without an error", (char *)name, what, one[0].key);
    }
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_free(c);
    ERR_clear_error();
}

/* Errors come with our library's name and a reason. */
static void errors(void *arg) {
    (void)arg;
    struct pair p;
    uint8_t key[32] = {0}, iv[16] = {0}, out[64], in[32] = {0};
    int n;
    CHECK(open_pair(&p, "ARIA-256-CBC"));
    ERR_clear_error();
    CHECK(EVP_DecryptInit_ex(p.ctx[OURS], p.cipher[OURS], NULL, key, iv) == 1);
    CHECK(EVP_DecryptUpdate(p.ctx[OURS], out, &n, in, 32) == 1);
    CHECK(EVP_DecryptFinal_ex(p.ctx[OURS], out + n, &n) == 0);
    const char *data;
    int flags;
    const unsigned long e = ERR_get_error_all(NULL, NULL, NULL, &data, &flags);
    CHECK(e && ERR_reason_error_string(e) && !strcmp(ERR_reason_error_string(e), "bad decrypt"));
    CHECK(strstr(data, "padding"));
    CHECK(ERR_lib_error_string(e) && !strcmp(ERR_lib_error_string(e), "cadenza"));
    close_pair(&p);
}

/* What begins no message, or none that may be: GCM draws no short nonces, and none in the place of a given one; CCM's
 * final is no success without a message. */
static void no_message(void *arg) {
    (void)arg;
    struct pair p;
    static const uint8_t key[16], iv[16], in[20];
    uint8_t out[64];
    int n;
    CHECK(open_pair(&p, "AES-128-GCM"));
    for (int s = 0; s < SIDES; s++) {
        for (int ivlen = 1; ivlen <= 16; ivlen++) {
            CHECK(EVP_CIPHER_CTX_reset(p.ctx[s]) == 1);
            CHECK(EVP_EncryptInit_ex(p.ctx[s], p.cipher[s], NULL, NULL, NULL) == 1);
            CHECK(EVP_CIPHER_CTX_ctrl(p.ctx[s], EVP_CTRL_AEAD_SET_IVLEN, ivlen, NULL) == 1);
            CHECK(EVP_EncryptInit_ex(p.ctx[s], NULL, NULL, key, NULL) == 1);
            const int ok = EVP_EncryptUpdate(p.ctx[s], out, &n, in, 20) == 1;
            if (ok != (ivlen >= 12))
                test_fail("%s: a drawn nonce of %d bytes: %d", s == OURS ? "cadenza" : "default", ivlen, ok);
        }
        for (int begun = 0; begun < 2; begun++) {
            CHECK(EVP_CIPHER_CTX_reset(p.ctx[s]) == 1);
            CHECK(EVP_EncryptInit_ex(p.ctx[s], p.cipher[s], NULL, key, iv) == 1);
            if (begun) CHECK(EVP_EncryptUpdate(p.ctx[s], NULL, &n, in, 20) == 1);
            CHECK(EVP_CIPHER_CTX_ctrl(p.ctx[s], EVP_CTRL_AEAD_SET_IVLEN, 16, NULL) == 1);
            if (EVP_EncryptUpdate(p.ctx[s], out, &n, in, 20) == 1)
                test_fail("%s: another nonce than given", s == OURS ? "cadenza" : "default");
        }
    }
    close_pair(&p);
    CHECK(open_pair(&p, "AES-128-CCM"));
    for (int encrypt = 0; encrypt < 2; encrypt++) {
        EVP_CIPHER_CTX *const x = p.ctx[OURS];
        CHECK(EVP_CIPHER_CTX_reset(x) == 1);
        CHECK(EVP_CipherInit_ex(x, p.cipher[OURS], NULL, NULL, NULL, encrypt) == 1);
        CHECK(EVP_CipherFinal_ex(x, out, &n) != 1); /* no key */
        CHECK(EVP_CipherInit_ex(x, NULL, NULL, key, NULL, encrypt) == 1);
        CHECK(EVP_CipherFinal_ex(x, out, &n) != 1); /* no nonce */
        CHECK(EVP_CipherInit_ex(x, NULL, NULL, NULL, iv, encrypt) == 1);
        CHECK((EVP_CipherFinal_ex(x, out, &n) == 1) == encrypt); /* no tag to check */
    }
    close_pair(&p);
}

/* OCB's tags are those of RFC 7253; every other length is refused with a reason, and the context goes on. */
static void ocb_tags(void *arg) {
    (void)arg;
    struct pair p;
    static const uint8_t key[16], iv[12];
    uint8_t out[16], tag[SIDES][16];
    int n, m, taken = 0;
    CHECK(open_pair(&p, "AES-128-OCB"));
    for (int len = 0; len <= 17; len++) {
        ERR_clear_error();
        CHECK(EVP_EncryptInit_ex(p.ctx[OURS], p.cipher[OURS], NULL, key, iv) == 1);
        const bool ok = EVP_CIPHER_CTX_ctrl(p.ctx[OURS], EVP_CTRL_AEAD_SET_TAG, len, NULL) == 1;
        if (ok != (len == 8 || len == 12 || len == 16)) test_fail("a tag of %d bytes: %d", len, ok);
        if (!ok) {
            const char *data = "";
            int flags;
            CHECK(ERR_get_error_all(NULL, NULL, NULL, &data, &flags) && strstr(data, "RFC 7253"));
            continue;
        }
        for (int s = 0; s < SIDES; s++) {
            CHECK(EVP_EncryptInit_ex(p.ctx[s], p.cipher[s], NULL, NULL, NULL) == 1);
            CHECK(EVP_CIPHER_CTX_ctrl(p.ctx[s], EVP_CTRL_AEAD_SET_TAG, len, NULL) == 1);
            CHECK(EVP_EncryptInit_ex(p.ctx[s], NULL, NULL, key, iv) == 1);
            CHECK(EVP_EncryptUpdate(p.ctx[s], out, &n, key, 16) == 1);
            CHECK(EVP_EncryptFinal_ex(p.ctx[s], out, &m) == 1);
            CHECK(EVP_CIPHER_CTX_ctrl(p.ctx[s], EVP_CTRL_AEAD_GET_TAG, len, tag[s]) == 1);
        }
        test_same("tag", tag[OURS], tag[THEIRS], (size_t)len);
        taken++;
    }
    CHECK(taken == 3);
    ERR_clear_error();
    close_pair(&p);
}

static void add(EVP_CIPHER *cipher, void *arg) {
    (void)arg;
    char *name = strdup(EVP_CIPHER_get0_name(cipher));
    CHECK(name);
    EVP_CIPHER *theirs = EVP_CIPHER_fetch(lib[THEIRS], name, NULL);
    if (theirs && !is_whole_mode(cipher)) test_add(run, name, "%s", name);
    test_add(chaos, name, "%s, any calls", name);
    test_add(whole_messages, name, "%s, whole messages%s", name, theirs ? "" : " against the library");
    EVP_CIPHER_free(theirs);
}

int main(void) {
    test_begin();
    for (int s = 0; s < SIDES; s++) {
        lib[s] = OSSL_LIB_CTX_new();
        if (!lib[s]) return 1;
    }
    if (!OSSL_PROVIDER_set_default_search_path(lib[OURS], CDZ_PROVIDER_DIR)) return 1;
    /* The context reads this file for the provider's own section: AES is on in it. */
    if (!OSSL_LIB_CTX_load_config(lib[OURS], CDZ_PROVIDER_CONFIG)) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    prov[THEIRS] = OSSL_PROVIDER_load(lib[THEIRS], "default");
    prov[OURS] = OSSL_PROVIDER_load(lib[OURS], "cadenza");
    if (!prov[OURS] || !prov[THEIRS]) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
    test_add(names, NULL, "names, aliases and OIDs");
    test_add(errors, NULL, "errors");
    test_add(no_message, NULL, "no message, no nonce");
    test_add(ocb_tags, NULL, "lengths of OCB's tags");
    EVP_CIPHER_do_all_provided(lib[OURS], add, NULL);
    const int status = test_end("provider");
    for (int s = 0; s < SIDES; s++) {
        OSSL_PROVIDER_unload(prov[s]);
        OSSL_LIB_CTX_free(lib[s]);
    }
    return status;
}
