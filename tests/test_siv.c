/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIV: none, one and two empty strings are three different things; order and borders of strings count; 126 of them and
 * no more; empty messages; no calls in pieces (fault class: SIV's associated data and limits).
 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t in[300], out[300], back[300], tag[16];

/* V of a list, by the library and the model; decrypts as well. */
static void seal(struct subject *s, const cdz_bytes *strings, size_t n, size_t len, uint8_t v[16]) {
    const uint8_t *data[128];
    size_t lens[128];
    uint8_t want[300], want_v[16];
    for (size_t i = 0; i < n; i++) data[i] = strings[i].data, lens[i] = strings[i].len;
    ref_siv_seal(&s->r, data, lens, n, in, len, want, want_v);
    CHECK_STATUS(CALL_STATUS(cdz_siv_encrypt, s->c, strings, n, in, len, out, v), CDZ_OK);
    test_same("ciphertext", out, want, len);
    test_same("tag", v, want_v, 16);
    CHECK_STATUS(CALL_STATUS(cdz_siv_decrypt, s->c, strings, n, out, len, back, v), CDZ_OK);
    test_same("plaintext", back, in, len);
    memcpy(back, in, len);
    CHECK_STATUS(cdz_siv_encrypt(s->c, strings, n, back, len, back, v), CDZ_OK);
    test_same("in place", back, want, len);
    CHECK_STATUS(cdz_siv_decrypt(s->c, strings, n, back, len, back, v), CDZ_OK);
    test_same("back in place", back, in, len);
}

static void differ(uint8_t v[][16], size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (memcmp(v[i], v[k], 16) == 0) test_fail("lists %zu and %zu have the same tag", k, i);
}

static void test_strings(struct subject *s) {
    static const uint8_t abc[] = "abc";
    static const cdz_bytes lists[][3] = {{{0}},
                                         {{NULL, 0}},
                                         {{NULL, 0}, {NULL, 0}},
                                         {{abc, 1}, {abc + 1, 1}},
                                         {{abc, 2}},
                                         {{abc + 1, 1}, {abc, 1}},
                                         {{abc, 2}, {NULL, 0}},
                                         {{NULL, 0}, {abc, 2}},
                                         {{abc, 1}, {NULL, 0}, {abc + 1, 1}},
                                         {{NULL, 0}, {NULL, 0}, {NULL, 0}}};
    static const size_t counts[] = {0, 1, 2, 2, 1, 2, 2, 2, 3, 3};
    enum { N = sizeof counts / sizeof *counts };
    rnd_fill(in, sizeof in);
    for (size_t len = 0; len <= 100; len += len < 34 ? 1 : 33) {
        uint8_t v[N][16];
        NOW(.what = "strings", .name = s->a.name, .engine = s->e.name, .len = len);
        for (size_t i = 0; i < N; i++) {
            test_now.a = i;
            seal(s, lists[i], counts[i], len, v[i]);
        }
        differ(v, N);
        /* The general calls have the same in them. */
        const struct {
            const uint8_t *aad;
            size_t aad_len, iv_len, list;
        } same[] = {{NULL, 0, 0, 0}, {abc, 0, 0, 1}, {abc, 2, 0, 4}, {abc, 1, 1, 3}, {NULL, 0, 2, 4}, {abc, 0, 2, 7}};
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            const uint8_t *const iv = same[i].aad_len == 1 ? abc + 1 : abc;
            test_now.b = i;
            CHECK_STATUS(
                CALL_STATUS(cdz_encrypt, s->c, iv, same[i].iv_len, same[i].aad, same[i].aad_len, in, len, out, tag, 16),
                CDZ_OK);
            test_same("tag of cdz_encrypt", tag, v[same[i].list], 16);
            CHECK_STATUS(cdz_decrypt(s->c, iv, same[i].iv_len, same[i].aad, same[i].aad_len, out, len, back, tag, 16),
                         CDZ_OK);
            test_same("plaintext", back, in, len);
        }
        /* None is not empty, when decrypting either. */
        seal(s, lists[0], 0, len, tag);
        memset(back, 0xa5, len);
        CHECK_STATUS(cdz_decrypt(s->c, NULL, 0, abc, 0, out, len, back, tag, 16), CDZ_ERR_AUTH);
        test_all("output", back, 0, len);
    }
}

static void test_count(struct subject *s) {
    static cdz_bytes strings[127];
    static uint8_t bytes[127];
    rnd_fill(in, sizeof in);
    rnd_fill(bytes, sizeof bytes);
    for (size_t i = 0; i < 127; i++) strings[i] = (cdz_bytes){bytes + i, i % 3 ? 1 : 0};
    uint8_t v[2][16];
    NOW(.what = "number of strings", .name = s->a.name, .engine = s->e.name);
    seal(s, strings, 126, 40, v[0]);
    strings[125].len ^= 1;
    seal(s, strings, 126, 40, v[1]); /* the last one counts */
    differ(v, 2);
    memset(out, 0xa5, 40);
    CHECK_STATUS(cdz_siv_encrypt(s->c, strings, 127, in, 40, out, tag), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_siv_decrypt(s->c, strings, 127, in, 40, out, tag), CDZ_ERR_LIMIT);
    test_all("output", out, 0xa5, 40);
    CHECK_STATUS(cdz_siv_encrypt(s->c, strings, SIZE_MAX, in, 40, out, tag), CDZ_ERR_LIMIT);
}

/* Long strings and plaintexts around the block borders. */
static void test_lengths(struct subject *s) {
    static uint8_t a[300], b[300];
    rnd_fill(in, sizeof in);
    rnd_fill(a, sizeof a);
    rnd_fill(b, sizeof b);
    for (size_t len = 0; len <= 280; len += 1 + len / 40) {
        const cdz_bytes strings[2] = {{a, (7 * len) % 290}, {b, (11 * len + 3) % 50}};
        NOW(.what = "lengths", .name = s->a.name, .engine = s->e.name, .len = len);
        seal(s, strings, 2, len, tag);
        for (size_t bit = 0; bit < 128; bit += 1 + (bit % 7)) {
            tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
            memset(back, 0xa5, len);
            CHECK_STATUS(cdz_siv_decrypt(s->c, strings, 2, out, len, back, tag), CDZ_ERR_AUTH);
            test_all("output", back, 0, len);
            tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

static void test_arguments(struct subject *s) {
    const cdz_bytes one = {in, 10}, bad = {NULL, 1};
    size_t n;
    char name[40];
    NOW(.what = "arguments", .name = s->a.name, .engine = s->e.name);
    memset(out, 0xa5, sizeof out);
    CHECK_STATUS(cdz_siv_encrypt(NULL, &one, 1, in, 40, out, tag), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_encrypt(s->c, NULL, 1, in, 40, out, tag), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_encrypt(s->c, &bad, 1, in, 40, out, tag), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_encrypt(s->c, &one, 1, NULL, 40, out, tag), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_encrypt(s->c, &one, 1, in, 40, NULL, tag), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_encrypt(s->c, &one, 1, in, 40, out, NULL), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_decrypt(s->c, &one, 1, in, 40, out, NULL), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_siv_encrypt(s->c, &one, 1, in + 20, 40, in, tag), CDZ_ERR_OVERLAP); /* out with in */
    CHECK_STATUS(cdz_siv_encrypt(s->c, &one, 1, out, 40, in + 9, tag), CDZ_ERR_OVERLAP); /* out with a string */
    CHECK_STATUS(cdz_siv_encrypt(s->c, &one, 1, in, 40, out, out + 39), CDZ_ERR_OVERLAP);
    test_all("output", out, 0xa5, sizeof out);
    CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, NULL, 0), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_update(s->c, in, 1, out, 40, &n), CDZ_ERR_UNSUPPORTED);
    for (size_t t = 0; t < 16; t++)
        CHECK_STATUS(cdz_encrypt(s->c, NULL, 0, NULL, 0, in, 40, out, tag, t),
                     t ? CDZ_ERR_TAG_LENGTH : CDZ_ERR_TAG_MISSING);
    snprintf(name, sizeof name, "%s-%zu-GCM", s->a.cipher_name, s->a.bits);
    cdz_cipher *gcm;
    CHECK_STATUS(cdz_cipher_new(&gcm, name, s->key, s->a.bits / 8), CDZ_OK);
    CHECK_STATUS(cdz_siv_encrypt(gcm, &one, 1, in, 40, out, tag), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_siv_decrypt(gcm, &one, 1, in, 40, out, tag), CDZ_ERR_UNSUPPORTED);
    cdz_cipher_free(gcm);
}

int main(void) {
    test_begin();
    subjects_add("SIV", "strings", test_strings);
    subjects_add("SIV", "number of strings", test_count);
    subjects_add("SIV", "lengths", test_lengths);
    subjects_add("SIV", "arguments", test_arguments);
    return test_end("siv");
}
