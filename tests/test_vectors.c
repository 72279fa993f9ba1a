/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The standards' vectors (support/vectors.c) on every engine that the CPU can run: both directions, in one call and in
 * pieces, beside each other and in place.
 */
#include "driver.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

static size_t unhex(const char *text, uint8_t *out) {
    size_t n = 0;
    for (; text[0] && text[1]; text += 2) {
        unsigned x;
        if (sscanf(text, "%2x", &x) != 1) test_fail("'%s' is not hexadecimal", text);
        out[n++] = (uint8_t)x;
    }
    return n;
}

static void test_vector(void *arg) {
    const struct vector *v = arg;
    struct algorithm a;
    struct combo e[COMBO_MAX];
    static uint8_t key[64], iv[128], aad[256], in[1024], want[1024], out[1100];
    uint8_t tag[16], want_tag[16];
    if (!algorithm_find(&a, v->name)) test_skip("no %s in the library", v->name);
    const size_t key_len = unhex(v->key, key), iv_len = unhex(v->iv, iv), aad_len = unhex(v->aad, aad);
    const size_t len = unhex(v->in, in), want_len = unhex(v->out, want), tag_len = unhex(v->tag, want_tag);
    const size_t engines = algorithm_combos(&a, e);
    for (size_t i = 0; i < engines; i++) {
        const struct msg plain = {iv, iv_len, aad, aad_len, in, len, tag_len};
        /* A MAC is checked with the same message. */
        struct msg cipher = {iv, iv_len, aad, aad_len, a.info.mac ? in : want, a.info.mac ? len : want_len, tag_len};
        const size_t plain_len = a.info.mac ? 0 : len;
        cdz_cipher *c = combo_new(&e[i], v->name, key, key_len);
        size_t n;
        /* Two equal halves of an XTS key: IEEE 1619's first vector has them, and they may only decrypt. */
        const bool weak = strcmp(a.model->name, "XTS") == 0 && memcmp(key, key + key_len / 2, key_len / 2) == 0;
        NOW(.what = v->source, .name = v->name, .engine = e[i].name, .len = len);
        memset(out, 0, sizeof out);
        const cdz_status s = drive_encrypt(c, &a, &plain, out, sizeof out, &n, tag);
        CHECK_STATUS(s, weak ? CDZ_ERR_KEY_WEAK : CDZ_OK);
        if (!weak) {
            CHECK(n == want_len);
            test_same("ciphertext", out, want, want_len);
            test_same("tag", tag, want_tag, tag_len);
        }
        CHECK_STATUS(drive_decrypt(c, &a, &cipher, out, sizeof out, &n, want_tag), CDZ_OK);
        CHECK(n == plain_len);
        test_same("plaintext", out, in, plain_len);

        if (!a.info.mac) {
            memcpy(out, want, want_len);
            cipher.in = out;
            CHECK_STATUS(drive_decrypt(c, &a, &cipher, out, sizeof out, &n, want_tag), CDZ_OK);
            test_same("plaintext in place", out, in, len);
            cipher.in = want;
        }
        for (int k = 0; a.info.streaming && k < 4; k++) {
            struct cuts cuts;
            random_cuts(&cuts, len, aad_len, 5);
            if (!weak) {
                CHECK_STATUS(drive_stream(c, &a, &plain, CDZ_ENCRYPT, &cuts, out, &n, tag), CDZ_OK);
                CHECK(n == want_len);
                test_same("ciphertext in pieces", out, want, want_len);
                test_same("tag in pieces", tag, want_tag, tag_len);
            }
            random_cuts(&cuts, cipher.len, aad_len, 5);
            memcpy(tag, want_tag, 16);
            CHECK_STATUS(drive_stream(c, &a, &cipher, CDZ_DECRYPT, &cuts, out, &n, tag), CDZ_OK);
            CHECK(n == plain_len);
            test_same("plaintext in pieces", out, in, plain_len);
        }
        cdz_cipher_free(c);
    }
}

int main(void) {
    test_begin();
    for (size_t i = 0; vectors[i].source; i++)
        test_add(test_vector, (void *)(uintptr_t)&vectors[i], "vector %zu %s: %s", i, vectors[i].name,
                 vectors[i].source);
    return test_end("vectors");
}
