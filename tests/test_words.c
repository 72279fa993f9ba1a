/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The portable engines with words of every width, not only that of this build: the same sources, compiled again with
 * CDZ_WORD_BITS (tests/CMakeLists.txt), against the model. test_engines does the rest for the width of the build.
 */
#include "engine.h"
#include "harness.h"
#include "ref/ref.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH(bits) extern const struct cdz_engine cdz_aria_portable_##bits, cdz_aes_portable_##bits;
#include "words_widths.h"
#undef WIDTH

static const struct width {
    unsigned bits;
    const struct cdz_engine *engine[2];
} widths[] = {
#define WIDTH(bits) {bits, {&cdz_aria_portable_##bits, &cdz_aes_portable_##bits}},
#include "words_widths.h"
#undef WIDTH
};

static bool can_run(unsigned bits) {
#if defined(__x86_64__)
    if (bits == 256) return __builtin_cpu_supports("avx2");
    if (bits == 512) return __builtin_cpu_supports("avx512f");
#endif
    return bits <= 128;
}

enum { MOST = 2 * 2048 + 64 };

static uint8_t in[16 * MOST], out[16 * MOST + 16], want[16 * MOST], ctr_in[16 * MOST];

static void one(const struct cdz_engine *e, const void *ks, const struct ref_key *k, size_t blocks) {
    const size_t n = 16 * blocks;
    NOW(.what = "encrypt", .engine = e->name, .len = n);
    for (size_t i = 0; i < n; i += 16) ref_encrypt_block(k, in + i, want + i);
    memset(out, 0xa5, n + 16);
    e->encrypt(ks, in, out, blocks);
    test_same("encrypt", out, want, n);
    test_all("behind it", out + n, 0xa5, 16);
    NOW(.what = "decrypt", .engine = e->name, .len = n);
    e->decrypt(ks, out, out, blocks);
    test_same("decrypt", out, in, n);

    for (int le = 0; le < 2; le++) {
        uint8_t ctr[16], block[16];
        const size_t len = n ? n - rnd_below(16) : 0;
        size_t low = rnd_below(65536 - blocks + 1);
        rnd_fill(ctr, 16);
        if (rnd_below(2)) low = rnd_below(200) * 256 + 256 - 1 - rnd_below(256) % (blocks + 1);
        if (low > 65536 - blocks) low = 65536 - blocks;
        NOW(.what = le ? "ctr32le" : "ctr", .engine = e->name, .len = len, .a = low);
        for (size_t i = 0; i < blocks; i++) {
            memcpy(block, ctr, 16);
            block[le ? 0 : 15] = (uint8_t)(low + i);
            block[le ? 1 : 14] = (uint8_t)((low + i) >> 8);
            ref_encrypt_block(k, block, want + 16 * i);
        }
        for (size_t i = 0; i < len; i++) want[i] ^= in[i];
        ctr[le ? 0 : 15] = (uint8_t)low;
        ctr[le ? 1 : 14] = (uint8_t)(low >> 8);
        memset(out, 0xa5, n + 16);
        (le ? e->ctr32le : e->ctr)(ks, ctr, in, out, len);
        test_same("counter mode", out, want, len);
        test_all("behind it", out + len, 0xa5, n + 16 - len);
        memcpy(ctr_in, in, len);
        (le ? e->ctr32le : e->ctr)(ks, ctr, ctr_in, ctr_in, len);
        test_same("in place", ctr_in, want, len);
    }
}

static void test_width(void *arg) {
    const struct width *w = arg;
    if (!can_run(w->bits)) test_skip("%u bits: not on this CPU", w->bits);
    for (int i = 0; i < 2; i++) {
        const struct cdz_engine *e = w->engine[i];
        uint8_t *ks = aligned_alloc(64, e->key_size), key[32];
        const size_t batch = e->batch;
        CHECK(ks && batch >= w->bits / 4);
        for (size_t key_len = 16; key_len <= 32; key_len += 8) {
            struct ref_key k;
            rnd_fill(key, sizeof key);
            rnd_fill(in, sizeof in);
            ref_set_key(&k, i ? REF_AES : REF_ARIA, key, key_len);
            e->set_key(ks, key, key_len);
            if (key_len == 16)
                for (size_t n = 0; n <= (test_quick ? 20 : 80); n++) one(e, ks, &k, n);
            /* Around the stripes of a quarter of the word's bits, and one to several batches that go together. */
            for (size_t at = w->bits / 4; at <= 9 * batch && at + 1 < MOST; at += at < batch ? w->bits / 4 : batch) {
                if (test_quick && at > batch) break;
                for (size_t n = at - 1; n <= at + 1; n++) one(e, ks, &k, n);
            }
        }
        free(ks);
    }
}

int main(void) {
    test_begin();
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        test_add(test_width, (void *)(uintptr_t)&widths[i], "words of %u bits", widths[i].bits);
    return test_end("words");
}
