/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KW and KWP: sizes, both directions with the buffer at a page's end, in place; every integrity value that is not quite
 * right; steps beyond 255; what is not a whole message (fault classes: key wrap checks bypassed; step counter of one
 * byte).
 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t in[8300], out[8300], back[8300], none[16];

static cdz_cipher *other(struct subject *s, const char *mode) {
    char name[40];
    snprintf(name, sizeof name, "%s-%zu-%s", s->a.cipher_name, s->a.bits, mode);
    return combo_new(&s->e, name, s->key, s->a.info.key_len);
}

/* How many bits are passed over in a very quick run. */
static int few_bits(void) { return test_quick > 1 ? (int)rnd_below(8) : 0; }

static size_t wrapped_len(size_t n) { return (n + 7) / 8 * 8 + 8; }

/* Wraps n bytes: the size, the model, room that ends at a page, one byte less of it, in place, and back. */
static void one_length(struct subject *s, const struct guard *g, size_t n) {
    const struct ref_message rm = {.in = in, .len = n};
    const size_t want_len = wrapped_len(n);
    uint8_t tag[16], want[8300];
    size_t k;
    NOW(.what = "wrap", .name = s->a.name, .engine = s->e.name, .len = n);
    CHECK(ref_seal(&s->r, &rm, want, tag) == want_len);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, n, NULL, 0, &k), CDZ_ERR_BUFFER);
    CHECK(k == want_len);
    uint8_t *const p = guard_end(g, want_len);
    memset(p, 0xa5, want_len);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, n, p, want_len - 1, &k), CDZ_ERR_BUFFER);
    test_all("output", p, 0xa5, want_len);
    CHECK_STATUS(CALL_STATUS(cdz_wrap, s->c, NULL, 0, in, n, p, want_len, &k), CDZ_OK);
    CHECK(k == want_len);
    test_same("wrapped", p, want, want_len);
    memcpy(p, in, n);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, p, n, p, want_len, &k), CDZ_OK);
    test_same("wrapped in place", p, want, want_len);

    NOW(.what = "unwrap", .name = s->a.name, .engine = s->e.name, .len = n);
    uint8_t *const q = guard_end(g, want_len - 8);
    memset(q, 0xa5, want_len - 8);
    CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, want, want_len, q, want_len - 9, &k), CDZ_ERR_BUFFER);
    CHECK(k == want_len - 8);
    test_all("output", q, 0xa5, want_len - 8);
    CHECK_STATUS(CALL_STATUS(cdz_unwrap, s->c, NULL, 0, want, want_len, q, want_len - 8, &k), CDZ_OK);
    CHECK(k == n);
    test_same("unwrapped", q, in, n);
    memcpy(p, want, want_len);
    CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, p, want_len, p, want_len, &k), CDZ_OK);
    CHECK(k == n);
    test_same("unwrapped in place", p, in, n);
}

/* 336 bytes: the last step is 252; 344: 258, the first that needs two bytes; 4096. */
static void test_lengths(struct subject *s) {
    struct guard g;
    const bool kwp = s->a.info.min_len == 1;
    guard_new(&g, 8300);
    rnd_fill(in, sizeof in);
    for (size_t n = 0; n <= 24; n++) {
        size_t k;
        if (n < s->a.info.min_len || n % s->a.info.unit) {
            NOW(.what = "refused", .name = s->a.name, .engine = s->e.name, .len = n);
            memset(out, 0xa5, 64);
            CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, n, out, sizeof out, &k), CDZ_ERR_LENGTH);
            test_all("output", out, 0xa5, 64);
        } else {
            one_length(s, &g, n);
        }
    }
    static const size_t more[] = {32, 40, 64, 328, 336, 344, 352, 4096};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (s->e.slow && more[i] > 400 && s->a.bits != 128) continue;
        one_length(s, &g, more[i]);
        if (kwp) one_length(s, &g, more[i] - 3);
    }
    /* What unwraps: multiples of 8; KW from 24, KWP from 16 on. */
    for (size_t n = 0; n <= 40; n++) {
        size_t k;
        const bool could = n % 8 == 0 && n >= (kwp ? 16u : 24u);
        NOW(.what = "lengths to unwrap", .name = s->a.name, .engine = s->e.name, .len = n);
        CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, in, n, out, sizeof out, &k), could ? CDZ_ERR_AUTH : CDZ_ERR_LENGTH);
        CHECK(k == 0);
    }
    guard_free(&g);
}

/* Refused, with everything that was written cleared. */
static void refused(struct subject *s, const uint8_t *wrapped, size_t len) {
    size_t k = 1;
    memset(back, 0xa5, len);
    CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, wrapped, len, back, sizeof back, &k), CDZ_ERR_AUTH);
    CHECK(k == 0);
    test_all("output", back, 0, len - 8);
    test_all("behind the output", back + len - 8, 0xa5, 8);
    memcpy(back, wrapped, len);
    CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, back, len, back, len - 8, &k), CDZ_ERR_AUTH);
    test_all("output in place", back, 0, len - 8);
}

/* W on | a | r |, from the standard's text and the model's cipher; one block: the cipher alone (KWP). */
static void raw_wrap(struct subject *s, const uint8_t a[8], const uint8_t *r, size_t n, uint8_t *to) {
    uint8_t x[16];
    memcpy(to + 8, r, 8 * n);
    memcpy(x, a, 8);
    if (n == 1) {
        memcpy(x + 8, r, 8);
        ref_encrypt_block(&s->r.k[0], x, to);
        return;
    }
    uint64_t t = 0;
    for (int j = 0; j < 6; j++) {
        for (size_t i = 1; i <= n; i++) {
            memcpy(x + 8, to + 8 * i, 8);
            ref_encrypt_block(&s->r.k[0], x, x);
            memcpy(to + 8 * i, x + 8, 8);
            t++;
            for (int b = 0; b < 8; b++) x[7 - b] ^= (uint8_t)(t >> 8 * b);
        }
    }
    memcpy(to, x, 8);
}

static void test_integrity(struct subject *s) {
    const bool kwp = s->a.info.min_len == 1;
    cdz_cipher *twin = other(s, kwp ? "KW" : "KWP");
    rnd_fill(in, sizeof in);
    for (size_t n = kwp ? 8 : 16; n <= 40; n += 8) {
        size_t k;
        uint8_t a[8];
        NOW(.what = "integrity value", .name = s->a.name, .engine = s->e.name, .len = n);
        memset(a, 0xa6, 8);
        if (kwp) {
            a[1] = a[2] = 0x59;
            memset(a + 4, 0, 4);
            a[7] = (uint8_t)n;
        }
        raw_wrap(s, a, in, n / 8, out);
        CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, out, n + 8, back, sizeof back, &k), CDZ_OK); /* the block is right ... */
        test_same("unwrapped", back, in, n);
        for (int bit = 0; bit < 64; bit += 1 + few_bits()) { /* ... and every other value of it is wrong */
            a[bit / 8] ^= (uint8_t)(1 << bit % 8);
            test_now.a = (size_t)bit;
            raw_wrap(s, a, in, n / 8, out);
            refused(s, out, n + 8);
            a[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        /* Every bit of the wrapped key. */
        raw_wrap(s, a, in, n / 8, out);
        for (size_t bit = 0; bit < 8 * (n + 8); bit += 1u + (unsigned)few_bits()) {
            out[bit / 8] ^= (uint8_t)(1 << bit % 8);
            refused(s, out, n + 8);
            out[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        /* Each mode's keys are no keys of the other. */
        if (n >= 16) CHECK_STATUS(cdz_unwrap(twin, NULL, 0, out, n + 8, back, sizeof back, &k), CDZ_ERR_AUTH);
    }
    cdz_cipher_free(twin);
}

/* KWP's length and padding, on blocks made by hand. */
static void test_padding(struct subject *s) {
    uint8_t r[48];
    for (size_t semiblocks = 1; semiblocks <= 4; semiblocks++) {
        const size_t padded = 8 * semiblocks;
        for (size_t len = 0; len <= padded + 9; len++) {
            const bool fits = len + 8 > padded && len <= padded && len > 0;
            uint8_t a[8] = {0xa6, 0x59, 0x59, 0xa6, 0, 0, 0, (uint8_t)len};
            size_t k;
            NOW(.what = "padding", .name = s->a.name, .engine = s->e.name, .len = len, .a = padded);
            rnd_fill(r, sizeof r);
            if (len < padded) memset(r + len, 0, padded - len);
            raw_wrap(s, a, r, semiblocks, out);
            if (!fits) {
                refused(s, out, padded + 8);
                continue;
            }
            CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, out, padded + 8, back, sizeof back, &k), CDZ_OK);
            CHECK(k == len);
            test_same("unwrapped", back, r, len);
            for (size_t i = len; i < padded; i++) { /* each byte of the padding, each bit */
                for (int bit = 0; bit < 8; bit += 1 + few_bits()) {
                    r[i] = (uint8_t)(1 << bit);
                    raw_wrap(s, a, r, semiblocks, out);
                    refused(s, out, padded + 8);
                }
                r[i] = 0;
            }
        }
        /* Lengths whose low 32 or 8 bits would do. */
        static const uint8_t high[][4] = {{0, 0, 1, 0}, {1, 0, 0, 0}, {0x80, 0, 0, 0}, {0xff, 0xff, 0xff, 0xf8}};
        for (size_t i = 0; i < 4; i++) {
            uint8_t a[8] = {0xa6, 0x59, 0x59, 0xa6};
            memcpy(a + 4, high[i], 4);
            a[7] = (uint8_t)(a[7] + padded);
            rnd_fill(r, sizeof r);
            raw_wrap(s, a, r, semiblocks, out);
            refused(s, out, padded + 8);
        }
    }
}

/* Integrity values of the caller's own. */
static void test_iv(struct subject *s) {
    const bool kwp = s->a.info.min_len == 1;
    const size_t iv_len = kwp ? 4 : 8;
    uint8_t iv[16], again[64];
    size_t k;
    rnd_fill(iv, sizeof iv);
    rnd_fill(in, 64);
    NOW(.what = "integrity value of one's own", .name = s->a.name, .engine = s->e.name);
    for (size_t n = 1; n <= 16; n++)
        if (n != iv_len) CHECK_STATUS(cdz_wrap(s->c, iv, n, in, 32, out, sizeof out, &k), CDZ_ERR_IV_LENGTH);
    CHECK_STATUS(cdz_wrap(s->c, NULL, iv_len, in, 32, out, sizeof out, &k), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_wrap(s->c, iv, iv_len, in, 32, out, sizeof out, &k), CDZ_OK);
    CHECK_STATUS(cdz_unwrap(s->c, iv, iv_len, out, k, back, sizeof back, &k), CDZ_OK);
    CHECK(k == 32);
    test_same("unwrapped", back, in, 32);
    refused(s, out, 40); /* with the standard's value */
    iv[0] ^= 1;
    CHECK_STATUS(cdz_unwrap(s->c, iv, iv_len, out, 40, back, sizeof back, &k), CDZ_ERR_AUTH);
    memset(iv, 0xa6, 8);
    if (kwp) iv[1] = iv[2] = 0x59;
    CHECK_STATUS(cdz_wrap(s->c, iv, iv_len, in, 32, out, sizeof out, &k), CDZ_OK);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, 32, again, sizeof again, &k), CDZ_OK);
    test_same("with the standard's value", out, again, 40);
}

/* No message in pieces, no one-shot call; and no wrapping with other modes. */
static void test_other_calls(struct subject *s) {
    size_t k;
    cdz_cipher *ctr = other(s, "CTR");
    NOW(.what = "other calls", .name = s->a.name, .engine = s->e.name);
    CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, none, 8), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_update(s->c, in, 16, out, 64, &k), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_finish(s->c, out, 64, &k), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_encrypt(s->c, NULL, 0, NULL, 0, in, 16, out, NULL, 0), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_decrypt(s->c, NULL, 0, NULL, 0, in, 24, out, NULL, 0), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_wrap(ctr, NULL, 0, in, 16, out, 64, &k), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_unwrap(ctr, NULL, 0, in, 24, out, 64, &k), CDZ_ERR_UNSUPPORTED);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, NULL, 16, out, 64, &k), CDZ_ERR_NULL);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, 16, NULL, 64, &k), CDZ_ERR_NULL);
    for (size_t d = 1; d <= 23; d++) {
        CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in + 24, 16, in + 24 - d, 64, &k), CDZ_ERR_OVERLAP);
        if (d < 16) CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, 16, in + d, 64, &k), CDZ_ERR_OVERLAP);
        if (d < 16) CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, in + 24, 24, in + 24 - d, 64, &k), CDZ_ERR_OVERLAP);
        CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, in, 24, in + d, 64, &k), CDZ_ERR_OVERLAP);
    }
    cdz_cipher_free(ctr);
}

/* Lengths that no buffer has; no byte is looked at. */
static void test_limits(struct subject *s) {
    size_t k;
    NOW(.what = "limits", .name = s->a.name, .engine = s->e.name);
    CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, SIZE_MAX & ~(size_t)7, out, sizeof out, &k), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, in, SIZE_MAX & ~(size_t)7, out, sizeof out, &k),
                 sizeof(size_t) > 4 ? CDZ_ERR_LIMIT : CDZ_ERR_BUFFER);
    if (sizeof(size_t) > 4) {
        const uint64_t most = s->a.info.max_len;
        CHECK(most == (s->a.info.min_len == 1 ? UINT32_MAX : ((UINT64_C(1) << 54) - 1) * 8));
        CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, (size_t)most, out, sizeof out, &k), CDZ_ERR_BUFFER);
        CHECK(k == (most + 7) / 8 * 8 + 8);
        CHECK_STATUS(cdz_wrap(s->c, NULL, 0, in, (size_t)(most + s->a.info.unit), out, sizeof out, &k), CDZ_ERR_LIMIT);
        CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, in, (size_t)((most + 7) / 8 * 8 + 8), out, sizeof out, &k),
                     CDZ_ERR_BUFFER);
        CHECK_STATUS(cdz_unwrap(s->c, NULL, 0, in, (size_t)((most + 7) / 8 * 8 + 16), out, sizeof out, &k),
                     CDZ_ERR_LIMIT);
    }
}

int main(void) {
    test_begin();
    static const char *const modes[] = {"KW", "KWP"};
    for (int i = 0; i < 2; i++) {
        subjects_add(modes[i], "lengths", test_lengths);
        subjects_add(modes[i], "integrity values", test_integrity);
        subjects_add(modes[i], "integrity values of one's own", test_iv);
        subjects_add(modes[i], "other calls", test_other_calls);
        subjects_add(modes[i], "limits", test_limits);
    }
    subjects_add("KWP", "padding", test_padding);
    return test_end("wrap");
}
