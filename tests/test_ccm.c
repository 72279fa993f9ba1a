/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM's formatting: how the length of the associated data is written at its borders, what the nonce's length allows,
 * tags, lengths that were announced and lengths that came (fault class: CCM formatting limits).
 */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

static uint8_t nonce[16], in[65600], out[65600], aad[65600], tag[16];

static void fill(void) {
    rnd_fill(nonce, sizeof nonce);
    rnd_fill(in, sizeof in);
    rnd_fill(aad, sizeof aad);
}

/* 65280 is the first that takes 6 bytes. Around 14, 30, 46: block borders after the 2 bytes. */
static void test_aad(struct subject *s) {
    static const size_t lens[] = {0,  1,  2,  13, 14,  15,  16,   29,    30,    31,    45,    46,    47,   48,
                                  62, 63, 77, 78, 300, 999, 1000, 65278, 65279, 65280, 65281, 65282, 65537};
    fill();
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        const size_t len = i % 3 == 0 ? 0 : i % 3 == 1 ? 33 : 1200;
        const struct msg m = {nonce, 7 + i % 7, aad, lens[i], in, len, 16};
        NOW(.what = "AAD", .a = lens[i]);
        subject_agree(s, &m, out, tag);
        /* In pieces that do not know of the border. */
        struct cuts cuts;
        uint8_t tag2[16];
        size_t n;
        random_cuts(&cuts, len, lens[i], 4);
        CHECK_STATUS(drive_stream(s->c, &s->a, &m, CDZ_ENCRYPT, &cuts, in + 60000, &n, tag2), CDZ_OK);
        test_same("tag in pieces", tag2, tag, 16);
    }
}

static void test_nonces(struct subject *s) {
    uint8_t seen[7][16];
    fill();
    for (size_t n = 0; n <= 129; n++) {
        static uint8_t long_nonce[130];
        const cdz_status want = n >= 7 && n <= 13 ? CDZ_OK : CDZ_ERR_IV_LENGTH;
        NOW(.what = "nonce", .name = s->a.name, .engine = s->e.name, .a = n);
        memcpy(long_nonce, nonce, 16);
        CHECK_STATUS(cdz_encrypt(s->c, long_nonce, n, NULL, 0, in, 300, out, tag, 16), want);
        CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, long_nonce, n, 0, 300, 16), want);
        if (want != CDZ_OK) continue;
        const struct msg m = {nonce, n, aad, 20, in, 300, 16};
        subject_agree(s, &m, out, tag);
        memcpy(seen[n - 7], tag, 16);
        for (size_t i = 0; i < n - 7; i++) CHECK(memcmp(seen[i], tag, 16) != 0);
        nonce[n - 1] ^= 1; /* the last byte counts */
        CHECK_STATUS(cdz_encrypt(s->c, nonce, n, aad, 20, in, 300, out, tag, 16), CDZ_OK);
        CHECK(memcmp(seen[n - 7], tag, 16) != 0);
        nonce[n - 1] ^= 1;
    }
}

static void test_tags(struct subject *s) {
    uint8_t first[17][16];
    fill();
    for (size_t t = 0; t <= 16; t++) {
        const bool has = t >= 4 && t % 2 == 0;
        const cdz_status want = has ? CDZ_OK : t == 0 ? CDZ_ERR_TAG_MISSING : CDZ_ERR_TAG_LENGTH;
        NOW(.what = "tag", .name = s->a.name, .engine = s->e.name, .a = t);
        memset(tag, 0xa5, sizeof tag);
        CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, aad, 9, in, 50, out, tag, t), want);
        if (!has) {
            test_all("tag", tag, 0xa5, 16);
            continue;
        }
        test_all("behind the tag", tag + t, 0xa5, 16 - t);
        memcpy(first[t], tag, 16);
        const struct msg m = {nonce, 12, aad, 9, in, 50, t};
        subject_agree(s, &m, out, tag);
        /* The length is in B0: a short tag is not the start of a long one. */
        for (size_t u = 4; u < t; u += 2) CHECK(memcmp(first[u], tag, u) != 0);
        for (size_t bit = 0; bit < 8 * t; bit++) {
            tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
            CHECK_STATUS(cdz_decrypt(s->c, nonce, 12, aad, 9, out, 50, in + 100, tag, t), CDZ_ERR_AUTH);
            test_all("output", in + 100, 0, 50);
            tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
    CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, aad, 9, in, 50, out, tag, 17), CDZ_ERR_TAG_LENGTH);
    CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, aad, 9, in, 50, out, tag, 64), CDZ_ERR_TAG_LENGTH);
}

/* 2^(8 L) bytes are one too many, before anything is written. */
static void test_limits(struct subject *s) {
    fill();
    const struct msg m = {nonce, 13, aad, 3, in, 65535, 16};
    NOW(.what = "limit");
    subject_agree(s, &m, out, tag);
    memset(out, 0xa5, 65536);
    CHECK_STATUS(cdz_encrypt(s->c, nonce, 13, aad, 3, in, 65536, out, tag, 16), CDZ_ERR_LIMIT);
    test_all("output", out, 0xa5, 65536);
    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 13, 3, 65536, 16), CDZ_ERR_LIMIT);
    for (size_t l = 2; l <= 8; l++) {
        const uint64_t border = l < 8 ? UINT64_C(1) << 8 * l : UINT64_MAX - 1;
        NOW(.what = "limit", .name = s->a.name, .engine = s->e.name, .a = l);
        CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 15 - l, 3, border - (l < 8), 16), CDZ_OK);
        if (l < 8) CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 15 - l, 3, border, 16), CDZ_ERR_LIMIT);
    }
}

/* What was announced is what must come. */
static void test_announced(struct subject *s) {
    size_t n;
    fill();
    NOW(.what = "announced lengths", .name = s->a.name, .engine = s->e.name);
    CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, nonce, 12), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 12, 5, CDZ_UNKNOWN, 16), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 12, CDZ_UNKNOWN, 5, 16), CDZ_ERR_LENGTH);

    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 12, 5, 40, 16), CDZ_OK);
    CHECK_STATUS(cdz_aad(s->c, aad, 6), CDZ_ERR_LENGTH); /* too much */
    CHECK_STATUS(cdz_aad(s->c, aad, 4), CDZ_OK);
    CHECK_STATUS(cdz_update(s->c, in, 1, out, 64, &n), CDZ_ERR_LENGTH); /* one byte of it is missing */
    CHECK_STATUS(cdz_aad(s->c, aad + 4, 1), CDZ_OK);
    memset(out, 0xa5, 64);
    CHECK_STATUS(cdz_update(s->c, in, 41, out, 64, &n), CDZ_ERR_LENGTH);
    test_all("output", out, 0xa5, 64);
    CHECK_STATUS(cdz_update(s->c, in, 39, out, 64, &n), CDZ_OK);
    CHECK_STATUS(cdz_update(s->c, in, 2, out + 39, 64, &n), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_update(s->c, in + 39, 1, out + 39, 64, &n), CDZ_OK);
    CHECK_STATUS(cdz_finish(s->c, NULL, 0, &n), CDZ_OK);
    CHECK_STATUS(cdz_tag(s->c, tag, 8), CDZ_ERR_TAG_LENGTH); /* another length was announced */
    CHECK_STATUS(cdz_tag(s->c, tag, 16), CDZ_OK);
    const struct ref_message m = {nonce, 12, aad, 5, in, 40, 16};
    uint8_t want[40], want_tag[16];
    ref_seal(&s->r, &m, want, want_tag);
    test_same("ciphertext", out, want, 40); /* the refused calls left nothing behind */
    test_same("tag", tag, want_tag, 16);

    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 12, 0, 40, 16), CDZ_OK);
    CHECK_STATUS(cdz_update(s->c, in, 39, out, 64, &n), CDZ_OK);
    CHECK_STATUS(cdz_finish(s->c, NULL, 0, &n), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_tag(s->c, tag, 16), CDZ_ERR_STATE);
    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, nonce, 12, 1, 0, 16), CDZ_OK);
    CHECK_STATUS(cdz_finish(s->c, NULL, 0, &n), CDZ_ERR_LENGTH);

    CHECK_STATUS(cdz_begin_sized(s->c, CDZ_DECRYPT, nonce, 12, 5, 40, 8), CDZ_OK);
    CHECK_STATUS(cdz_expect_tag(s->c, want_tag, 16), CDZ_ERR_TAG_LENGTH);
}

int main(void) {
    test_begin();
    subjects_add("CCM", "lengths of associated data", test_aad);
    subjects_add("CCM", "lengths of nonces", test_nonces);
    subjects_add("CCM", "tags", test_tags);
    subjects_add("CCM", "limits of the length", test_limits);
    subjects_add("CCM", "announced lengths", test_announced);
    return test_end("ccm");
}
