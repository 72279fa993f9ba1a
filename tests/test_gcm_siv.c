/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM-SIV: the counter's width, byte order and wrap, every length, empty messages, what is refused (fault class:
 * GCM-SIV details). RFC 8452's vectors with wrapping counters (C.3) are in support/vectors.c.
 */
#include "subject.h"

#include "mode/ctr.h"

#include <string.h>

static uint8_t nonce[16], in[1200], out[1200], aad[1200], tag[16];

static void fill(void) {
    rnd_fill(nonce, sizeof nonce);
    rnd_fill(in, sizeof in);
    rnd_fill(aad, sizeof aad);
}

static void test_lengths(struct subject *s) {
    fill();
    for (size_t len = 0; len <= 1100; len += s->e.slow || test_quick ? 17 : 1) {
        const struct msg m = {nonce, 12, aad, len % 3 ? (11 * len) % 70 : 0, in, len, 16};
        NOW(.what = "lengths", .a = m.aad_len);
        nonce[len % 12]++;
        subject_agree(s, &m, out, tag);
    }
    for (size_t len = 0; len <= 1100; len += 37) { /* long associated data */
        const struct msg m = {nonce, 12, aad, len, in, 20, 16};
        NOW(.what = "associated data", .a = len);
        subject_agree(s, &m, out, tag);
    }
}

/* Starts around every border of the counter's bytes; the twelve bytes behind it never change. */
static void test_counter(struct subject *s) {
    static const uint32_t starts[] = {0,          1,          0xfe,       0xff,       0x100,      0xfffe,
                                      0xffff,     0x10000,    0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
                                      0xffffffdf, 0x0000fff0, 0xffff00ff, 0x00ffffff};
    rnd_fill(in, sizeof in);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        for (size_t len = 1; len <= 1125; len = len < 40 ? len + 13 : len * 3 + 1) {
            uint8_t ctr[16], block[16], want[1200];
            rnd_fill(ctr, sizeof ctr);
            cdz_store_le32(ctr, starts[i]);
            NOW(.what = "counter", .name = s->a.name, .engine = s->e.name, .len = len, .a = starts[i]);
            for (size_t at = 0; at < len; at += 16) {
                const uint32_t x = starts[i] + (uint32_t)(at / 16);
                uint8_t c[16];
                memcpy(c, ctr, 16);
                for (int b = 0; b < 4; b++) c[b] = (uint8_t)(x >> 8 * b);
                ref_encrypt_block(&s->r.k[0], c, block);
                for (size_t k = at; k < len && k < at + 16; k++) want[k] = in[k] ^ block[k - at];
            }
            cdz_ctr32le_run(s->c->engine, cdz_ks(s->c), ctr, in, out, len);
            test_same("keystream", out, want, len);
        }
    }
}

static void test_refused(struct subject *s) {
    size_t n;
    fill();
    NOW(.what = "arguments", .name = s->a.name, .engine = s->e.name);
    for (size_t len = 0; len <= 129; len++) {
        uint8_t iv[130] = {0};
        CHECK_STATUS(cdz_encrypt(s->c, iv, len, NULL, 0, in, 20, out, tag, 16), len == 12 ? CDZ_OK : CDZ_ERR_IV_LENGTH);
    }
    for (size_t t = 0; t < 16; t++)
        CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, NULL, 0, in, 20, out, tag, t),
                     t ? CDZ_ERR_TAG_LENGTH : CDZ_ERR_TAG_MISSING);
    CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, nonce, 12), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_update(s->c, in, 20, out, 64, &n), CDZ_ERR_UNSUPPORTED);
    if (sizeof(size_t) > 4) {
        const size_t most = (size_t)1 << (sizeof(size_t) > 4 ? 36 : 16);
        CHECK(s->a.info.max_len == most && s->a.info.max_aad == most);
        CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, NULL, 0, in, most + 1, out, tag, 16), CDZ_ERR_LIMIT);
        CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, aad, most + 1, in, 1, out, tag, 16), CDZ_ERR_LIMIT);
    }
    /* Nothing at all is a message. */
    const struct msg m = {nonce, 12, NULL, 0, NULL, 0, 16};
    subject_agree(s, &m, out, tag);
    for (size_t bit = 0; bit < 128; bit++) {
        tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK_STATUS(cdz_decrypt(s->c, nonce, 12, NULL, 0, NULL, 0, NULL, tag, 16), CDZ_ERR_AUTH);
        tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void test_key_sizes(void *arg) {
    cdz_cipher *c;
    uint8_t key[32] = {0};
    (void)arg;
    CHECK_STATUS(cdz_cipher_new(&c, "AES-192-GCM-SIV", key, 24), CDZ_ERR_NAME);
    CHECK_STATUS(cdz_cipher_new(&c, "ARIA-192-GCM-SIV", key, 24), CDZ_ERR_NAME);
    CHECK_STATUS(cdz_cipher_new(&c, "ARIA-128-GCM-SIV", key, 24), CDZ_ERR_KEY_LENGTH);
    /* The keys of a message lie on the stack: no engine's may be larger than there is room for. */
    for (size_t i = 0; cdz_engines[i]; i++)
        if (cdz_engines[i]->key_size > CDZ_KEY_SIZE_MAX) test_fail("%s: key_size", cdz_engines[i]->name);
    for (size_t i = 0; cdz_hashes[i]; i++)
        if (cdz_hashes[i]->key_size > CDZ_HASH_KEY_SIZE_MAX) test_fail("%s: key_size", cdz_hashes[i]->name);
}

int main(void) {
    test_begin();
    test_add(test_key_sizes, NULL, "key sizes");
    subjects_add("GCM-SIV", "lengths", test_lengths);
    subjects_add("GCM-SIV", "counter", test_counter);
    subjects_add("GCM-SIV", "arguments", test_refused);
    return test_end("gcm_siv");
}
