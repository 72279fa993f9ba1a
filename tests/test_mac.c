/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CMAC and GMAC by cdz_mac() and in pieces, and EAX, whose three CMACs have borders of their own and whose counter may
 * begin anywhere.
 */
#include "subject.h"

#include <stdio.h>
#include <string.h>

static uint8_t iv[300], in[1200], out[1200], tag[16];

static void fill(void) {
    rnd_fill(iv, sizeof iv);
    rnd_fill(in, sizeof in);
}

static size_t iv_len(const struct subject *s) { return s->a.info.iv_default; }

static void test_lengths(struct subject *s) {
    fill();
    for (size_t len = 0; len <= 1100; len += len < 70 ? 1 : 31) {
        const struct msg m = {iv, iv_len(s), NULL, 0, in, len, 16};
        NOW(.what = "lengths");
        subject_agree(s, &m, out, tag);
        for (int i = 0; i < 4; i++) {
            struct cuts cuts;
            uint8_t again[16];
            size_t n;
            random_cuts(&cuts, len, 0, 6);
            CHECK_STATUS(drive_stream(s->c, &s->a, &m, CDZ_ENCRYPT, &cuts, out, &n, again), CDZ_OK);
            test_same("tag in pieces", again, tag, 16);
            random_cuts(&cuts, len, 0, 6);
            CHECK_STATUS(drive_stream(s->c, &s->a, &m, CDZ_DECRYPT, &cuts, out, &n, again), CDZ_OK);
            again[rnd_below(16)] ^= (uint8_t)(1 << rnd_below(8));
            CHECK_STATUS(drive_stream(s->c, &s->a, &m, CDZ_DECRYPT, &cuts, out, &n, again), CDZ_ERR_AUTH);
        }
    }
    /* Every cut in two around the block borders, where a block waits to be the last. */
    for (size_t len = 0; len <= 50; len++) {
        const struct ref_message m = {iv, iv_len(s), NULL, 0, in, len, 16};
        uint8_t want[16];
        ref_seal(&s->r, &m, out, want);
        for (size_t cut = 0; cut <= len; cut++) {
            NOW(.what = "cuts", .name = s->a.name, .engine = s->e.name, .len = len, .a = cut);
            CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, iv, iv_len(s)), CDZ_OK);
            CHECK_STATUS(cdz_aad(s->c, in, cut), CDZ_OK);
            CHECK_STATUS(cdz_aad(s->c, in + cut, len - cut), CDZ_OK);
            CHECK_STATUS(cdz_finish(s->c, NULL, 0, NULL), CDZ_OK);
            CHECK_STATUS(cdz_tag(s->c, tag, 16), CDZ_OK);
            test_same("tag", tag, want, 16);
        }
    }
}

static void test_calls(struct subject *s) {
    const bool gmac = s->a.info.iv_default != 0;
    uint8_t whole[16];
    size_t n;
    cdz_info info;
    fill();
    NOW(.what = "calls", .name = s->a.name, .engine = s->e.name);
    CHECK(s->a.info.mac && s->a.info.max_len == 0 && s->a.info.one_shot && s->a.info.streaming);
    CHECK_STATUS(cdz_mac(s->c, iv, iv_len(s), in, 100, whole, 16), CDZ_OK);
    for (size_t t = 0; t <= 18; t++) { /* short tags are the beginning of the long one */
        const bool has = t <= 16 && (s->a.info.tag_lengths >> t & 1);
        const cdz_status want = has ? CDZ_OK : t == 0 ? CDZ_ERR_TAG_MISSING : CDZ_ERR_TAG_LENGTH;
        memset(tag, 0xa5, sizeof tag);
        CHECK_STATUS(cdz_mac(s->c, iv, iv_len(s), in, 100, tag, t), want);
        CHECK_STATUS(cdz_mac_verify(s->c, iv, iv_len(s), in, 100, whole, t), want);
        if (has) test_same("tag", tag, whole, t);
        if (t <= 16) test_all("behind the tag", tag + (has ? t : 0), 0xa5, 16 - (has ? t : 0));
        for (size_t bit = 0; has && bit < 8 * t; bit++) {
            whole[bit / 8] ^= (uint8_t)(1 << bit % 8);
            CHECK_STATUS(cdz_mac_verify(s->c, iv, iv_len(s), in, 100, whole, t), CDZ_ERR_AUTH);
            whole[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        CHECK(t > 3 || !has);
    }
    in[99] ^= 1;
    CHECK_STATUS(cdz_mac_verify(s->c, iv, iv_len(s), in, 100, whole, 16), CDZ_ERR_AUTH);
    in[99] ^= 1;
    if (gmac) {
        iv[11] ^= 1;
        CHECK_STATUS(cdz_mac_verify(s->c, iv, iv_len(s), in, 100, whole, 16), CDZ_ERR_AUTH);
        iv[11] ^= 1;
        CHECK_STATUS(cdz_mac(s->c, NULL, 0, in, 100, tag, 16), CDZ_ERR_IV_LENGTH);
        CHECK_STATUS(cdz_mac(s->c, NULL, 12, in, 100, tag, 16), CDZ_ERR_NULL);
    } else {
        CHECK_STATUS(cdz_mac(s->c, iv, 12, in, 100, tag, 16), CDZ_ERR_IV_LENGTH);
    }
    CHECK_STATUS(cdz_mac(NULL, iv, iv_len(s), in, 100, tag, 16), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_mac(s->c, iv, iv_len(s), NULL, 100, tag, 16), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_mac(s->c, iv, iv_len(s), in, 100, NULL, 16), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_mac(s->c, iv, iv_len(s), NULL, 0, tag, 16), CDZ_OK);
    CHECK_STATUS(cdz_mac(s->c, iv, iv_len(s), in, 100, in, 16), CDZ_OK); /* the tag may overwrite the data */
    test_same("tag over the data", in, whole, 16);
    /* There is no message. */
    CHECK_STATUS(cdz_encrypt(s->c, iv, iv_len(s), in, 100, in, 1, out, tag, 16), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, iv, iv_len(s)), CDZ_OK);
    CHECK_STATUS(cdz_update(s->c, in, 1, out, 64, &n), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_update(s->c, NULL, 0, NULL, 0, &n), CDZ_OK);
    CHECK_STATUS(cdz_aad(s->c, in, 1), CDZ_OK);
    CHECK_STATUS(cdz_finish(s->c, NULL, 0, &n), CDZ_OK);
    CHECK_STATUS(cdz_aad(s->c, in, 1), CDZ_ERR_STATE);

    /* cdz_mac() is for MACs. */
    char name[40];
    cdz_cipher *gcm;
    snprintf(name, sizeof name, "%s-%zu-GCM", s->a.cipher_name, s->a.bits);
    CHECK_STATUS(cdz_describe(&info, name), CDZ_OK);
    CHECK(!info.mac);
    CHECK_STATUS(cdz_cipher_new(&gcm, name, s->key, s->a.info.key_len), CDZ_OK);
    CHECK_STATUS(cdz_mac(gcm, iv, 12, in, 100, tag, 16), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_mac_verify(gcm, iv, 12, in, 100, tag, 16), CDZ_ERR_UNSUPPORTED);
    if (gmac) { /* GMAC is GCM without a message */
        CHECK_STATUS(cdz_encrypt(gcm, iv, 12, in, 100, NULL, 0, NULL, whole, 16), CDZ_OK);
        CHECK_STATUS(cdz_mac(s->c, iv, 12, in, 100, tag, 16), CDZ_OK);
        test_same("GMAC", tag, whole, 16);
    }
    cdz_cipher_free(gcm);
}

/* ---- EAX ---- */

static void test_eax(struct subject *s) {
    static uint8_t aad[300];
    fill();
    rnd_fill(aad, sizeof aad);
    for (size_t n = 0; n <= 40; n++) { /* nonce, associated data and message around block borders of their own */
        for (size_t a = 0; a <= 40; a += 1 + a % 5) {
            const struct msg m = {iv, n, aad, a, in, (7 * n + 3 * a) % 50, 16};
            NOW(.what = "lengths", .a = n, .b = a);
            subject_agree(s, &m, out, tag);
        }
    }
    const struct msg m = {iv, 257, aad, 300, in, 1100, 16};
    subject_agree(s, &m, out, tag);
    /* Where the counter carries through all bytes: a nonce is sought for each counter. */
    for (int p = -2; p < 16; p++) {
        uint8_t ctr[16];
        rnd_fill(ctr, sizeof ctr);
        if (p < 0) memset(ctr, 0xff, 16);
        if (p == -2) ctr[15] = 0xfd;
        if (p >= 0) memset(ctr + p + 1, 0xff, 15 - (size_t)p);
        ref_eax_nonce_for_counter(&s->r, ctr, iv);
        const struct msg carry = {iv, 16, aad, 20, in, 1081, 16};
        NOW(.what = "carry");
        subject_agree(s, &carry, out, tag);
    }
}

int main(void) {
    test_begin();
    static const char *const modes[] = {"CMAC", "GMAC"};
    for (int i = 0; i < 2; i++) {
        subjects_add(modes[i], "lengths", test_lengths);
        subjects_add(modes[i], "calls", test_calls);
    }
    subjects_add("EAX", "lengths and carries", test_eax);
    return test_end("mac");
}
