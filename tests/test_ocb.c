/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OCB: nonces of every length and every shift, tags whose length changes the ciphertext, and numbers of blocks around
 * the powers of two, at which a new L comes in (fault classes: OCB nonce encoding; OCB's table at powers of two).
 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t nonce[16], in[2000], out[2000], aad[64], tag[16];

static void fill(void) {
    rnd_fill(nonce, sizeof nonce);
    rnd_fill(in, sizeof in);
    rnd_fill(aad, sizeof aad);
}

/* Three values for the last byte of every length: all results differ. */
static void test_nonces(struct subject *s) {
    static const uint8_t last[3] = {0, 0x3f, 0xff};
    uint8_t seen[45][16];
    size_t n = 0;
    fill();
    memset(nonce, 0, sizeof nonce); /* so that lengths could be mixed up */
    for (size_t len = 1; len <= 15; len++) {
        for (size_t i = 0; i < 3; i++) {
            nonce[len - 1] = i ? last[i] : (uint8_t)(len - 1);
            const struct msg m = {nonce, len, aad, 21, in, 53, 16};
            NOW(.what = "nonce", .a = len, .b = nonce[len - 1]);
            subject_agree(s, &m, out, tag);
            memcpy(seen[n], out, 16);
            for (size_t k = 0; k < n; k++) CHECK(memcmp(seen[k], seen[n], 16) != 0);
            n++;
        }
        nonce[len - 1] = 0;
    }
    uint8_t wrong[130] = {0};
    for (size_t len = 0; len <= 129; len++) {
        if (len >= 1 && len <= 15) continue;
        CHECK_STATUS(cdz_encrypt(s->c, wrong, len, NULL, 0, in, 16, out, tag, 16), CDZ_ERR_IV_LENGTH);
        CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, wrong, len), CDZ_ERR_IV_LENGTH);
    }
}

/* The low six bits of the nonce's last byte are the shift; the nonce lies at the end of a page. */
static void test_shifts(struct subject *s) {
    struct guard g;
    guard_new(&g, 16);
    fill();
    for (unsigned shift = 0; shift < 256; shift++) {
        const size_t len = 1 + shift % 15;
        uint8_t *const n = guard_end(&g, len);
        memcpy(n, nonce, len);
        n[len - 1] = (uint8_t)shift;
        const struct msg m = {n, len, aad, shift % 40, in, shift, 16};
        NOW(.what = "shift", .a = shift);
        subject_agree(s, &m, out, tag);
    }
    guard_free(&g);
}

static void test_tags(struct subject *s) {
    uint8_t ct[3][64];
    fill();
    for (size_t t = 0; t <= 17; t++) {
        const bool has = t == 8 || t == 12 || t == 16;
        NOW(.what = "tag", .name = s->a.name, .engine = s->e.name, .a = t);
        CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, aad, 9, in, 64, out, tag, t), has      ? CDZ_OK
                                                                                : t == 0 ? CDZ_ERR_TAG_MISSING
                                                                                         : CDZ_ERR_TAG_LENGTH);
        if (!has) continue;
        const struct msg m = {nonce, 12, aad, 9, in, 64, t};
        subject_agree(s, &m, ct[t / 4 - 2], tag);
        struct cuts cuts;
        size_t n;
        uint8_t tag2[16];
        random_cuts(&cuts, 64, 9, 5);
        CHECK_STATUS(drive_stream(s->c, &s->a, &m, CDZ_ENCRYPT, &cuts, out, &n, tag2), CDZ_OK);
        test_same("ciphertext in pieces", out, ct[t / 4 - 2], 64);
        test_same("tag in pieces", tag2, tag, t);
    }
    /* The length of the tag goes into the nonce block: no block is the same. */
    for (size_t i = 0; i < 64; i += 16) {
        CHECK(memcmp(ct[0] + i, ct[1] + i, 16) != 0);
        CHECK(memcmp(ct[0] + i, ct[2] + i, 16) != 0);
        CHECK(memcmp(ct[1] + i, ct[2] + i, 16) != 0);
    }
}

/* A twin on the portable engine for lengths that are too much for the model; it is compared with the model itself. */
static void agree(struct subject *s, cdz_cipher *twin, const uint8_t *text, size_t aad_len, size_t len, uint8_t *to) {
    uint8_t want_tag[16];
    uint8_t *const other = to + len;
    NOW(.what = "blocks", .name = s->a.name, .engine = s->e.name, .len = len, .a = aad_len);
    if (s->e.slow) {
        const struct ref_message m = {nonce, 12, text, aad_len, text, len, 16};
        ref_seal(&s->r, &m, other, want_tag);
    } else {
        CHECK_STATUS(cdz_encrypt(twin, nonce, 12, text, aad_len, text, len, other, want_tag, 16), CDZ_OK);
    }
    CHECK_STATUS(CALL_STATUS(cdz_encrypt, s->c, nonce, 12, text, aad_len, text, len, to, tag, 16), CDZ_OK);
    test_same("ciphertext", to, other, len);
    test_same("tag", tag, want_tag, 16);
    CHECK_STATUS(CALL_STATUS(cdz_decrypt, s->c, nonce, 12, text, aad_len, to, len, to, tag, 16), CDZ_OK);
    test_same("plaintext", to, text, len);
    /* In pieces: after 5 bytes the block whose number is a power of two is completed from the buffer. */
    size_t n, more;
    uint8_t piece_tag[16];
    const size_t cut = len < 5 ? len : 5, aad_cut = aad_len < 5 ? aad_len : 5;
    CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, nonce, 12), CDZ_OK);
    CHECK_STATUS(cdz_aad(s->c, text, aad_cut), CDZ_OK);
    CHECK_STATUS(cdz_aad(s->c, text + aad_cut, aad_len - aad_cut), CDZ_OK);
    CHECK_STATUS(cdz_update(s->c, text, cut, to, len + 31, &n), CDZ_OK);
    CHECK_STATUS(cdz_update(s->c, text + cut, len - cut, to + n, len + 31, &more), CDZ_OK);
    n += more;
    CHECK_STATUS(cdz_finish(s->c, to + n, 32, &more), CDZ_OK);
    CHECK(n + more == len);
    CHECK_STATUS(cdz_tag(s->c, piece_tag, 16), CDZ_OK);
    test_same("tag in pieces", piece_tag, want_tag, 16);
}

static void test_powers(struct subject *s) {
    const int most = test_quick ? 8 : s->e.slow ? s->a.bits == 128 ? 17 : 10 : s->a.bits == 128 ? 17 : 14;
    const size_t room = (size_t)16 << most;
    uint8_t *text = malloc(room + 64), *to = malloc(2 * room + 256);
    if (!text || !to) abort();
    struct combo portable = s->e;
    snprintf(portable.name, sizeof portable.name, "%s/portable", s->a.cipher == REF_ARIA ? "aria" : "aes");
    portable.engine = portable.name;
    cdz_cipher *twin = combo_new(&portable, s->a.name, s->key, s->a.info.key_len);
    rnd_fill(text, room + 64);
    fill();
    for (int k = 0; k <= most; k++) {
        if (s->e.slow && k > 12 && k < 16) continue;
        for (size_t blocks = ((size_t)1 << k) - 1; blocks <= ((size_t)1 << k) + 1; blocks++) {
            agree(s, twin, text, 16 * blocks, 3, to);
            agree(s, twin, text, 3, 16 * blocks, to);
            if (k < 11) agree(s, twin, text, 16 * blocks + 7, 16 * blocks + 9, to);
        }
    }
    cdz_cipher_free(twin);
    free(text);
    free(to);
}

/* Around what goes into one batch: whole blocks and a rest, associated data that go with the nonce and that do not. */
static void test_lengths(struct subject *s) {
    static uint8_t long_aad[300];
    fill();
    rnd_fill(long_aad, sizeof long_aad);
    for (size_t len = 0; len <= 1100; len += s->e.slow ? 13 : len < 80 || (len > 960 && len < 1060) ? 1 : 7) {
        const struct msg m = {nonce, 12, long_aad, (5 * len) % 300, in, len, 16};
        NOW(.what = "lengths", .a = m.aad_len);
        subject_agree(s, &m, out, tag);
        memcpy(out, in, len);
        uint8_t again[16];
        CHECK_STATUS(cdz_encrypt(s->c, nonce, 12, long_aad, m.aad_len, out, len, out, again, 16), CDZ_OK);
        test_same("tag in place", again, tag, 16);
        CHECK_STATUS(cdz_decrypt(s->c, nonce, 12, long_aad, m.aad_len, out, len, out, again, 16), CDZ_OK);
        test_same("plaintext in place", out, in, len);
    }
}

int main(void) {
    test_begin();
    subjects_add("OCB", "nonces", test_nonces);
    subjects_add("OCB", "shifts", test_shifts);
    subjects_add("OCB", "tags", test_tags);
    subjects_add("OCB", "lengths", test_lengths);
    subjects_add("OCB", "powers of two", test_powers);
    return test_end("ocb");
}
