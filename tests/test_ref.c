/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model itself: against the standards' vectors, against OpenSSL where it was there at build time, and by
 * relations that hold between the modes. Whatever trusts tests/ref trusts this.
 */
#include "harness.h"
#include "ref/ref.h"
#include "vectors.h"
#ifdef CDZ_TEST_HAS_PEER
#include "peer.h"
#endif

#include <stdio.h>
#include <stdlib.h>
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

static enum ref_cipher cipher_of(const char *name) { return strncmp(name, "ARIA", 4) == 0 ? REF_ARIA : REF_AES; }
static const char *mode_of(const char *name) { return strchr(strchr(name, '-') + 1, '-') + 1; }

/* ---- S-boxes ---- */

static void test_sboxes(void *arg) {
    static const uint8_t s1[4] = {0x63, 0x7c, 0x77, 0x7b}, s2[4] = {0xe2, 0x4e, 0x54, 0xfc},
                         x1[4] = {0x52, 0x09, 0x6a, 0xd5}, x2[4] = {0x30, 0x68, 0x99, 0x1b};
    const uint8_t *const heads[4] = {s1, s2, x1, x2};
    (void)arg;
    for (int i = 0; i < 4; i++) test_same("S-box", ref_sbox(i), heads[i], 4);
    for (int x = 0; x < 256; x++) {
        CHECK(ref_sbox(2)[ref_sbox(0)[x]] == x);
        CHECK(ref_sbox(3)[ref_sbox(1)[x]] == x);
    }
}

/* ---- vectors ---- */

static void test_vector(void *arg) {
    const struct vector *v = arg;
    static uint8_t key[64], iv[128], aad[256], in[1024], want[1024], out[1100], back[1100];
    uint8_t tag[16], want_tag[16];
    struct ref r;
    struct ref_message m = {.iv = iv, .aad = v->aad[0] ? aad : NULL, .in = in};
    const size_t key_len = unhex(v->key, key);
    m.iv_len = unhex(v->iv, iv);
    m.aad_len = unhex(v->aad, aad);
    m.len = unhex(v->in, in);
    const size_t want_len = unhex(v->out, want);
    m.tag_len = unhex(v->tag, want_tag);
    NOW(.what = v->source, .name = v->name, .engine = "the model", .len = m.len);
    ref_init(&r, mode_of(v->name), cipher_of(v->name), key, key_len);
    CHECK(ref_seal(&r, &m, out, tag) == want_len);
    test_same("ciphertext", out, want, want_len);
    test_same("tag", tag, want_tag, m.tag_len);

    const size_t len = m.len;
    size_t back_len;
    if (r.mode->kind != REF_MAC) m.in = want, m.len = want_len;
    CHECK(ref_open(&r, &m, want_tag, back, &back_len));
    if (r.mode->kind != REF_MAC) {
        CHECK(back_len == len);
        test_same("plaintext", back, in, len);
    }
}

/* SP 800-38C, example 4: 65536 bytes of associated data. */
static void test_ccm_long_aad(void *arg) {
    static const char out_hex[] = "69915dad1e84c6376a68c2967e4dab615ae0fd1faec44cc484828529463ccf72";
    static const char tag_hex[] = "b4ac6bec93e8598e7f0dadbcea5b";
    static uint8_t aad[65536];
    uint8_t key[16], iv[13], in[32], out[32], want[32], tag[16], want_tag[16];
    struct ref r;
    (void)arg;
    for (size_t i = 0; i < sizeof aad; i++) aad[i] = (uint8_t)i;
    for (size_t i = 0; i < 16; i++) key[i] = (uint8_t)(0x40 + i);
    for (size_t i = 0; i < 13; i++) iv[i] = (uint8_t)(0x10 + i);
    for (size_t i = 0; i < 32; i++) in[i] = (uint8_t)(0x20 + i);
    ref_init(&r, "CCM", REF_AES, key, 16);
    const struct ref_message m = {iv, 13, aad, sizeof aad, in, 32, unhex(tag_hex, want_tag)};
    unhex(out_hex, want);
    ref_seal(&r, &m, out, tag);
    test_same("ciphertext", out, want, 32);
    test_same("tag", tag, want_tag, m.tag_len);
}

/* RFC 5297, A.2: two strings and a nonce. */
static void test_siv_strings(void *arg) {
    uint8_t key[32], a1[40], a2[10], n[16], in[64], want[64], v[16], out[64], got_v[16];
    struct ref r;
    (void)arg;
    unhex("7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f", key);
    unhex("00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100", a1);
    unhex("102030405060708090a0", a2);
    unhex("09f911029d74e35bd84156c5635688c0", n);
    const size_t len = unhex("7468697320697320736f6d6520706c61696e7465787420746f20656e6372797074207573696e6720534956"
                             "2d414553",
                             in);
    unhex("7bdb6e3b432667eb06f4d14bff2fbd0f", v);
    unhex("cb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d", want);
    const uint8_t *const strings[3] = {a1, a2, n};
    const size_t lens[3] = {40, 10, 16};
    ref_init(&r, "SIV", REF_AES, key, 32);
    ref_siv_seal(&r, strings, lens, 3, in, len, out, got_v);
    test_same("V", got_v, v, 16);
    test_same("ciphertext", out, want, len);
}

/* ---- relations ---- */

/* RFC 8452, A: POLYVAL(H, X_1 ...) = reversed GHASH(mulX_GHASH(reversed H), reversed X_1 ...). */
static void test_polyval_is_ghash_backwards(void *arg) {
    (void)arg;
    for (int k = 0; k < 200; k++) {
        uint8_t h[16], x[64], p[16] = {0}, g[16] = {0}, hr[16], xr[64], back[16];
        rnd_fill(h, 16);
        rnd_fill(x, 64);
        ref_polyval(h, p, x, 64);
        for (int i = 0; i < 16; i++) hr[i] = h[15 - i];
        for (int i = 0; i < 64; i++) xr[i] = x[i / 16 * 16 + 15 - i % 16];
        const uint8_t carry = hr[15] & 1; /* times x: a shift to the right in GCM's order of bits */
        for (int i = 15; i > 0; i--) hr[i] = (uint8_t)(hr[i] >> 1 | hr[i - 1] << 7);
        hr[0] = (uint8_t)(hr[0] >> 1) ^ (carry ? 0xe1 : 0);
        ref_ghash(hr, g, xr, 64);
        for (int i = 0; i < 16; i++) back[i] = g[15 - i];
        test_same("POLYVAL", p, back, 16);
    }
}

static void test_inverse(void *arg) {
    static const uint8_t one[16] = {0x80};
    (void)arg;
    for (int k = 0; k < 20; k++) {
        uint8_t x[16], y[16];
        rnd_fill(x, 16);
        ref_gcm_inverse(x, y);
        ref_gcm_mul(x, y, y);
        test_same("x * x^-1", y, one, 16);
    }
}

/* The equations of ref_gcm_iv_for_j0() and ref_eax_nonce_for_counter(): GCM's keystream must be E(J0 + 1) ..., and
 * EAX's E(counter) .... */
static void test_solved_counters(void *arg) {
    (void)arg;
    for (int k = 0; k < 20; k++) {
        const enum ref_cipher cipher = k % 2 ? REF_ARIA : REF_AES;
        uint8_t key[16], target[16], iv[16], zero[32] = {0}, out[32], want[32], tag[16];
        struct ref gcm, eax, ctr;
        rnd_fill(key, 16);
        rnd_fill(target, 16);
        if (k < 4) memset(target, 0xff, 16);
        ref_init(&gcm, "GCM", cipher, key, 16);
        ref_init(&eax, "EAX", cipher, key, 16);
        ref_init(&ctr, "CTR", cipher, key, 16);
        ref_gcm_iv_for_j0(&gcm, target, iv);
        struct ref_message m = {.iv = iv, .iv_len = 16, .in = zero, .len = 32, .tag_len = 16};
        ref_seal(&gcm, &m, out, tag);
        uint8_t c[16];
        memcpy(c, target, 16);
        for (int b = 0; b < 2; b++) {
            ref_increment_be(c + 12, 4);
            ref_encrypt_block(&ctr.k[0], c, want + 16 * b);
        }
        test_same("GCM from a chosen J0", out, want, 32);
        ref_eax_nonce_for_counter(&eax, target, iv);
        ref_seal(&eax, &m, out, tag);
        m.iv = target;
        m.tag_len = 0;
        ref_seal(&ctr, &m, want, tag);
        test_same("EAX from a chosen counter", out, want, 32);
    }
}

/* SP 800-38A's addendum, as pitfalls of the three variants: relations to CBC and to each other. */
static void test_cs_relations(void *arg) {
    uint8_t key[16], iv[16], in[80], cbc[80], cs[3][80], tag[16];
    struct ref r;
    (void)arg;
    rnd_fill(key, 16);
    rnd_fill(iv, 16);
    rnd_fill(in, 80);
    for (size_t n = 16; n <= 80; n++) {
        struct ref_message m = {.iv = iv, .iv_len = 16, .in = in, .len = n};
        static const char *const names[3] = {"CBC-CS1", "CBC-CS2", "CBC-CS3"};
        for (int i = 0; i < 3; i++) {
            ref_init(&r, names[i], REF_ARIA, key, 16);
            CHECK(ref_seal(&r, &m, cs[i], tag) == n);
        }
        const size_t d = n % 16 ? n % 16 : 16;
        if (n % 16 == 0) {
            ref_init(&r, "CBC", REF_ARIA, key, 16);
            ref_seal(&r, &m, cbc, tag);
            test_same("CS1 of whole blocks", cs[0], cbc, n);
            test_same("CS2 of whole blocks", cs[1], cbc, n);
            if (n == 16) {
                test_same("CS3 of one block", cs[2], cbc, n);
                continue;
            }
        } else {
            test_same("CS2 of a partial block", cs[1], cs[2], n);
        }
        test_same("head", cs[2], cs[0], n - 16 - d);
        test_same("last two, swapped", cs[2] + n - 16 - d, cs[0] + n - 16, 16);
        test_same("last two, swapped", cs[2] + n - d, cs[0] + n - 16 - d, d);
    }
}

/* Every mode opens what it sealed, and refuses it with a bit of the tag changed. */
static void test_round_trip(void *arg) {
    const struct ref_mode *mode = arg;
    for (int k = 0; k < 200; k++) {
        uint8_t key[64], iv[16], aad[40], in[200], out[240], back[240], tag[16] = {0};
        struct ref r;
        const size_t bits = mode->no_192 ? 128 + 128 * (size_t)(k % 2) : 128 + 64 * (size_t)(k % 3);
        struct ref_message m = {.iv = iv, .iv_len = mode->iv_default, .aad = aad, .in = in};
        size_t back_len;
        rnd_fill(key, 64);
        rnd_fill(iv, 16);
        rnd_fill(aad, 40);
        rnd_fill(in, 200);
        if (mode->aad) m.aad_len = rnd_below(41);
        m.len = mode->min + rnd_below(160 - mode->min);
        m.len -= m.len % mode->unit;
        do m.tag_len = rnd_below(17);
        while (mode->tags ? !(mode->tags >> m.tag_len & 1) : m.tag_len != 0);
        NOW(.what = "round trip", .name = mode->name, .engine = "the model", .len = m.len);
        ref_init(&r, mode->name, k % 2 ? REF_AES : REF_ARIA, key, bits / 8 * (size_t)mode->keys);
        const size_t n = ref_seal(&r, &m, out, tag), len = m.len;
        if (mode->kind != REF_MAC) m.in = out, m.len = n;
        CHECK(ref_open(&r, &m, tag, back, &back_len));
        if (mode->kind != REF_MAC) {
            CHECK(back_len == len);
            test_same("plaintext", back, in, len);
        }
        if (m.tag_len) {
            const size_t bit = rnd_below(8 * m.tag_len);
            tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
            CHECK(!ref_open(&r, &m, tag, back, &back_len));
        } else if (mode->kind == REF_WRAP) {
            out[rnd_below(n)] ^= 1;
            CHECK(!ref_open(&r, &m, tag, back, &back_len));
        }
    }
}

/* ---- OpenSSL ---- */

#ifdef CDZ_TEST_HAS_PEER
static void test_against_peer(void *arg) {
    const struct ref_mode *mode = arg;
    static const char *const ciphers[2] = {"ARIA", "AES"};
    int compared = 0;
    for (int k = 0; k < 300; k++) {
        char name[40];
        const size_t bits = 128 + 64 * (size_t)(k % 3);
        if (mode->no_192 && bits == 192) continue;
        const enum ref_cipher cipher = k % 2 ? REF_AES : REF_ARIA;
        snprintf(name, sizeof name, "%s-%zu-%s", ciphers[cipher], bits, mode->name);
        if (!peer_has(name)) continue;
        uint8_t key[64], iv[64], aad[70], in[300], want[400], out[400], tag[16] = {0}, want_tag[16] = {0};
        struct ref r;
        struct peer_message p = {.iv = iv, .iv_len = mode->iv_default, .aad = aad, .in = in};
        rnd_fill(key, 64);
        rnd_fill(iv, 64);
        rnd_fill(aad, 70);
        rnd_fill(in, 300);
        if (mode == &ref_gcm || mode == &ref_gmac) p.iv_len = 1 + rnd_below(64);
        if (mode == &ref_ccm) p.iv_len = 7 + rnd_below(7);
        if (mode == &ref_ocb) p.iv_len = 1 + rnd_below(15);
        if (mode->aad) p.aad_len = rnd_below(71);
        p.len = mode->min + rnd_below(300 - mode->min);
        if (mode == &ref_siv && p.len == 0) p.len = 1; /* refused by OpenSSL 3.0 */
        p.len -= p.len % mode->unit;
        do p.tag_len = rnd_below(17);
        while (mode->tags ? !(mode->tags >> p.tag_len & 1) : p.tag_len != 0);
        if (mode == &ref_siv) p.tag_len = 16;
        NOW(.what = "OpenSSL", .name = name, .engine = "the model", .len = p.len, .a = p.iv_len, .b = p.aad_len);
        const size_t key_len = bits / 8 * (size_t)mode->keys;
        const long n = peer_seal(name, key, key_len, &p, want, want_tag);
        CHECK(n >= 0);
        ref_init(&r, mode->name, cipher, key, key_len);
        const struct ref_message m = {iv, p.iv_len, p.aad_len ? aad : NULL, p.aad_len, in, p.len, p.tag_len};
        CHECK(ref_seal(&r, &m, out, tag) == (size_t)n);
        test_same("ciphertext", out, want, (size_t)n);
        test_same("tag", tag, want_tag, p.tag_len);
        compared++;
        if (mode == &ref_cbc || mode == &ref_cfb || mode == &ref_ofb || mode == &ref_ctr) {
            uint8_t chain[16], want_chain[16];
            unsigned used, want_used;
            CHECK(peer_chain(name, key, iv, true, in, p.len, want_chain, &want_used));
            CHECK(ref_chain(&r, iv, in, out, p.len, chain, &used));
            test_same("chaining value", chain, want_chain, 16);
            CHECK(used == want_used);
        }
    }
    if (!compared) test_skip("%s has no %s", peer_version(), mode->name);
}
#endif

int main(void) {
    test_begin();
    test_add(test_sboxes, NULL, "S-boxes");
    for (size_t i = 0; vectors[i].source; i++)
        test_add(test_vector, (void *)(uintptr_t)&vectors[i], "vector %zu %s: %s", i, vectors[i].name,
                 vectors[i].source);
    test_add(test_ccm_long_aad, NULL, "CCM with 65536 bytes of associated data");
    test_add(test_siv_strings, NULL, "SIV with two strings and a nonce");
    test_add(test_polyval_is_ghash_backwards, NULL, "POLYVAL is GHASH backwards");
    test_add(test_inverse, NULL, "inversion in GCM's field");
    test_add(test_solved_counters, NULL, "counters that were solved for");
    test_add(test_cs_relations, NULL, "ciphertext stealing: relations");
    for (size_t i = 0; ref_modes[i]; i++) {
        test_add(test_round_trip, (void *)(uintptr_t)ref_modes[i], "round trip %s", ref_modes[i]->name);
#ifdef CDZ_TEST_HAS_PEER
        test_add(test_against_peer, (void *)(uintptr_t)ref_modes[i], "OpenSSL %s", ref_modes[i]->name);
#endif
    }
    return test_end("the model");
}
