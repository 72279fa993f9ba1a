/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cdz_encrypt_batch() and cdz_decrypt_batch() against the one-shot calls, for every algorithm on every engine: any
 * number of messages of mixed lengths, in place and not, bad ones among them, and one wrong tag.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 200, ROOM = 2200, AAD = 320 };

struct record {
    uint8_t iv[32], aad[AAD], tag[16], want_tag[16];
    uint8_t *in, *out, *want;
    bool bad;
};

/* One of four mixtures: records of a field's size, of a packet's, now and then a long one, and all of the one that is
 * `same`. */
enum { MIXTURES = 4 };
static size_t draw_length(const struct algorithm *a, unsigned mixture, size_t same) {
    size_t len = mixture == 3    ? same
                 : mixture == 0  ? rnd_below(100)
                 : mixture == 1  ? rnd_below(700)
                 : rnd_below(10) ? 64
                                 : rnd_below(2000);
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
    const size_t same = rnd_below(320), same_aad = rnd_below(AAD + 1);
    for (size_t i = 0; i < n; i++) {
        const size_t len = draw_length(a, mixture, same);
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
            .aad_len = !a->info.max_aad ? 0
                       : mixture == 3   ? same_aad
                                        : rnd_below(64),
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
        for (unsigned mixture = 0; mixture < MIXTURES; mixture++)
            for (unsigned k = test_quick ? 2 : 0; k < 3; k++)
                batch(a, &combos_[i], rnd_below(combos_[i].slow || test_quick > 1 ? 40 : MOST), mixture);
    }
}

/* Arguments that are mostly wrong in some way, all buffers somewhere in one piece of memory: status and bytes are those
 * of the one-shot call, and a good message beside is done. */
static void odd_arguments(void *arg) {
    const struct algorithm *a = arg;
    enum { ARENA = 640 };
    static uint8_t arena[ARENA], before[ARENA], want[ARENA];
    static const uint8_t good_iv[32] = {1}, good_aad[16] = {2};
    uint8_t key[64], good[2][128], good_tag[2][16];
    struct combo combos_[COMBO_MAX];
    cdz_cipher *c;
    unsigned oks = 0;
    CHECK(algorithm_combos(a, combos_) > 0);
    rnd_fill(key, sizeof key);
    c = combo_new(&combos_[0], a->name, key, a->info.key_len);
    const size_t good_len = a->info.mac ? 0 : 64, tag_len = a->info.tag_lengths ? 16 : 0;
    memset(good, 0, sizeof good);
    CHECK_STATUS(cdz_encrypt(c, good_iv, a->info.iv_default, good_aad, a->info.max_aad ? 16 : 0, good[0], good_len,
                             good[0], good_tag[0], tag_len),
                 CDZ_OK);
    for (int i = 0; i < (test_quick ? 400 : 3000); i++) {
        const bool decrypt = rnd_below(2);
        const size_t len = a->info.mac ? 0 : 16 * rnd_below(6);
        rnd_fill(before, sizeof before);
        cdz_batch_message m[2] = {{.iv = arena + rnd_below(64),
                                   .iv_len = a->info.iv_default,
                                   .aad = arena + 64 + rnd_below(48),
                                   .aad_len = a->info.max_aad ? rnd_below(20) : 0,
                                   .in = arena + 128 + rnd_below(32),
                                   .len = len,
                                   .out = arena + 256 + rnd_below(32),
                                   .tag = arena + 384 + rnd_below(32),
                                   .tag_len = tag_len,
                                   .status = -99},
                                  {.iv = good_iv,
                                   .iv_len = a->info.iv_default,
                                   .aad = good_aad,
                                   .aad_len = a->info.max_aad ? 16 : 0,
                                   .in = good[1],
                                   .len = good_len,
                                   .out = good[1],
                                   .tag = good_tag[1],
                                   .tag_len = tag_len,
                                   .status = -99}};
        for (size_t faults = rnd_below(3); faults; faults--) {
            switch (rnd_below(14)) {
            case 0:
                m->iv = NULL;
                break;
            case 1:
                m->iv_len = rnd_below(4) || a->info.iv_max == SIZE_MAX ? rnd_below(33) : SIZE_MAX;
                break;
            case 2:
                m->aad = NULL;
                break;
            case 3:
                m->aad_len = rnd_below(33);
                break;
            case 4:
                m->in = NULL;
                break;
            case 5:
                m->out = NULL;
                break;
            case 6:
                m->len = rnd_below(100);
                break;
            case 7:
                m->tag = NULL;
                break;
            case 8:
                m->tag_len = rnd_below(70);
                break;
            case 9:
                m->out = arena + rnd_below(ARENA - 240);
                break;
            case 10:
                m->in = arena + rnd_below(ARENA - 240);
                break;
            case 11:
                m->out = (uint8_t *)(uintptr_t)m->in;
                break;
            case 12:
                m->tag = m->out ? m->out + rnd_below(110) - (m->out > arena + 20 ? 20 : 0) : NULL;
                break;
            default:
                m->iv = m->in;
                break;
            }
        }
        memcpy(arena, before, ARENA);
        const cdz_status s =
            (decrypt ? cdz_decrypt(c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, m->out, m->tag, m->tag_len)
                     : cdz_encrypt(c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, m->out, m->tag, m->tag_len));
        memcpy(want, arena, ARENA);
        memcpy(arena, before, ARENA);
        if (decrypt) {
            memcpy(good[1], good[0], good_len);
            memcpy(good_tag[1], good_tag[0], sizeof good_tag[0]);
        } else {
            memset(good[1], 0, good_len);
        }
        NOW("odd arguments", a->name, combos_[0].name, .len = m->len, .a = (size_t)i, .b = decrypt);
        CHECK_STATUS(CALL_STATUS(*(decrypt ? cdz_decrypt_batch : cdz_encrypt_batch), c, m, 2), s);
        CHECK_STATUS(m->status, s);
        test_same("memory", arena, want, ARENA);
        CHECK_STATUS(m[1].status, CDZ_OK);
        if (decrypt)
            test_all("the other message", good[1], 0, good_len);
        else
            test_same("the other message", good[1], good[0], good_len);
        oks += s == CDZ_OK;
    }
    CHECK(oks > 20);
    cdz_cipher_free(c);
}

static void add(const struct algorithm *a) {
    if (!a->info.one_shot) return;
    struct algorithm *copy = malloc(sizeof *copy);
    CHECK(copy);
    *copy = *a;
    test_add(all_sizes, copy, "batch %s", a->name);
    test_add(odd_arguments, copy, "arguments of %s", a->name);
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
