/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cdz_encrypt_batch() and cdz_decrypt_batch() against the one-shot calls, for every algorithm on every engine: any
 * number of messages of mixed lengths, in place and not, bad ones among them, and one wrong tag.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 200, ROOM = 2200 };

struct record {
    uint8_t iv[32], aad[64], tag[16], want_tag[16];
    uint8_t *in, *out, *want;
    bool bad;
};

/* One of three mixtures: records of a field's size, of a packet's, and now and then a long one. */
static size_t draw_length(const struct algorithm *a, unsigned mixture) {
    size_t len = mixture == 0 ? rnd_below(100) : mixture == 1 ? rnd_below(700) : rnd_below(10) ? 64 : rnd_below(2000);
    if (test_quick > 1 && a->model->calls > 2) len /= a->model->calls; /* they go block by block whatever the length */
    len -= len % a->info.unit;
    if (len < a->info.min_len) len = a->info.min_len;
    return len > a->info.max_len ? (size_t)a->info.max_len : len;
}

static void batch(const struct algorithm *a, const struct combo *e, size_t n, unsigned mixture) {
    uint8_t key[64];
    rnd_fill(key, sizeof key);
    cdz_cipher *c = combo_new(e, a->name, key, a->info.key_len);
    cdz_batch_message *m = calloc(n + 1, sizeof *m);
    struct record *r = calloc(n + 1, sizeof *r);
    CHECK(m && r);
    NOW("batch", a->name, e->name, .len = n, .a = mixture);

    cdz_status first = CDZ_OK;
    for (size_t i = 0; i < n; i++) {
        const size_t len = draw_length(a, mixture);
        r[i].in = malloc(ROOM);
        r[i].out = rnd_below(2) ? r[i].in : malloc(ROOM);
        r[i].want = malloc(ROOM);
        CHECK(r[i].in && r[i].out && r[i].want);
        rnd_fill(r[i].iv, sizeof r[i].iv);
        rnd_fill(r[i].aad, sizeof r[i].aad);
        rnd_fill(r[i].in, ROOM);
        memset(r[i].out + len, 0x5a, ROOM - len);
        m[i] = (cdz_batch_message){
            .iv = r[i].iv,
            .iv_len = a->info.iv_default,
            .aad = r[i].aad,
            .aad_len = a->info.max_aad ? rnd_below(sizeof r[i].aad) : 0,
            .in = r[i].in,
            .len = len,
            .out = r[i].out,
            .tag = a->info.tag_lengths ? r[i].tag : NULL,
            .tag_len = a->info.tag_lengths ? 16 : 0,
            .status = -99,
        };
        CHECK_STATUS(cdz_encrypt(c, m[i].iv, m[i].iv_len, m[i].aad, m[i].aad_len, m[i].in, len, r[i].want,
                                 m[i].tag ? r[i].want_tag : NULL, m[i].tag_len),
                     CDZ_OK);
        if (rnd_below(16) == 0) { /* a tag where none is, or none where one is due */
            r[i].bad = true;
            m[i].tag_len = a->info.tag_lengths ? 0 : 16;
            if (first == CDZ_OK) first = a->info.tag_lengths ? CDZ_ERR_TAG_MISSING : CDZ_ERR_TAG_UNUSED;
        }
    }
    CHECK_STATUS(CALL_STATUS(cdz_encrypt_batch, c, m, n), first);
    engine_count(e->name);
    for (size_t i = 0; i < n; i++) {
        NOW("encrypt_batch", a->name, e->name, .len = m[i].len, .a = i, .b = n);
        if (r[i].bad) {
            CHECK(m[i].status == (a->info.tag_lengths ? CDZ_ERR_TAG_MISSING : CDZ_ERR_TAG_UNUSED));
        } else {
            CHECK_STATUS(m[i].status, CDZ_OK);
            test_same("ciphertext", m[i].out, r[i].want, m[i].len);
            if (m[i].tag) test_same("tag", m[i].tag, r[i].want_tag, 16);
        }
        test_all("behind the output", m[i].out + m[i].len, 0x5a, ROOM - m[i].len);
    }

    /* Back again; the good ones in place. One tag is wrong. */
    size_t wrong = n;
    first = CDZ_OK;
    for (size_t i = 0; i < n; i++) {
        m[i].status = -99;
        m[i].in = m[i].out;
        if (r[i].bad) {
            m[i].tag_len = a->info.tag_lengths ? 16 : 0;
            memcpy(m[i].out, r[i].want, m[i].len);
            memcpy(r[i].tag, r[i].want_tag, 16);
        }
        CHECK_STATUS(cdz_decrypt(c, m[i].iv, m[i].iv_len, m[i].aad, m[i].aad_len, m[i].in, m[i].len, r[i].want,
                                 m[i].tag, m[i].tag_len),
                     CDZ_OK);
    }
    if (n && a->info.tag_lengths) {
        wrong = rnd_below(n);
        r[wrong].tag[rnd_below(16)] ^= (uint8_t)(1u << rnd_below(8));
        first = CDZ_ERR_AUTH;
    }
    CHECK_STATUS(CALL_STATUS(cdz_decrypt_batch, c, m, n), first);
    for (size_t i = 0; i < n; i++) {
        NOW("decrypt_batch", a->name, e->name, .len = m[i].len, .a = i, .b = n);
        CHECK_STATUS(m[i].status, i == wrong ? CDZ_ERR_AUTH : CDZ_OK);
        if (i == wrong)
            test_all("output of a forged message", m[i].out, 0, m[i].len);
        else
            test_same("plaintext", m[i].out, r[i].want, m[i].len);
        test_all("behind the output", m[i].out + m[i].len, 0x5a, ROOM - m[i].len);
    }

    for (size_t i = 0; i < n; i++) {
        if (r[i].out != r[i].in) free(r[i].out);
        free(r[i].in);
        free(r[i].want);
    }
    free(r);
    free(m);
    cdz_cipher_free(c);
}

static void all_sizes(void *arg) {
    const struct algorithm *a = arg;
    struct combo combos_[COMBO_MAX];
    const size_t n = algorithm_combos(a, combos_);
    for (size_t i = 0; i < n; i++) {
        batch(a, &combos_[i], 0, 0);
        batch(a, &combos_[i], 1, 0);
        batch(a, &combos_[i], 2, 1);
        for (unsigned mixture = 0; mixture < 3; mixture++)
            for (unsigned k = test_quick ? 2 : 0; k < 3; k++)
                batch(a, &combos_[i], rnd_below(combos_[i].slow || test_quick > 1 ? 40 : MOST), mixture);
    }
}

static void add(const struct algorithm *a) {
    if (!a->info.one_shot) return;
    struct algorithm *copy = malloc(sizeof *copy);
    CHECK(copy);
    *copy = *a;
    test_add(all_sizes, copy, "batch %s", a->name);
}

static void arguments(void *arg) {
    (void)arg;
    static const uint8_t key[64] = {1};
    uint8_t iv[16] = {0}, block[2][16] = {{0}};
    cdz_batch_message m[2] = {{.iv = iv, .iv_len = 16, .in = block[0], .len = 16, .out = block[0]},
                              {.iv = iv, .iv_len = 16, .in = block[1], .len = 16, .out = block[1]}};
    cdz_cipher *c;
    CHECK_STATUS(cdz_cipher_new(&c, "ARIA-128-CBC", key, 16), CDZ_OK);
    CHECK_STATUS(cdz_encrypt_batch(c, NULL, 0), CDZ_OK);
    CHECK_STATUS(cdz_encrypt_batch(c, NULL, 1), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_encrypt_batch(NULL, m, 1), CDZ_ERR_NULL);
    m[0].len = 17;
    CHECK_STATUS(cdz_encrypt_batch(c, m, 2), CDZ_ERR_LENGTH);
    CHECK(m[0].status == CDZ_ERR_LENGTH && m[1].status == CDZ_OK);
    test_all("a refused message", block[0], 0, 16);
    cdz_cipher_free(c);
    /* Equal halves of an XTS key decrypt, and do not encrypt. */
    memset(block, 0, sizeof block);
    m[0].len = 16;
    static const uint8_t equal[64];
    CHECK_STATUS(cdz_cipher_new(&c, "AES-128-XTS", equal, 32), CDZ_OK);
    CHECK_STATUS(cdz_encrypt_batch(c, m, 2), CDZ_ERR_KEY_WEAK);
    test_all("a refused message", block[0], 0, 32);
    CHECK_STATUS(cdz_decrypt_batch(c, m, 2), CDZ_OK);
    cdz_cipher_free(c);
    CHECK_STATUS(cdz_cipher_new(&c, "AES-128-CBC-PKCS7", key, 16), CDZ_OK);
    CHECK_STATUS(cdz_encrypt_batch(c, m, 2), CDZ_ERR_UNSUPPORTED);
    cdz_cipher_free(c);
}

int main(void) {
    test_begin();
    test_add(arguments, NULL, "arguments");
    each_algorithm(add);
    return test_end("batch");
}
