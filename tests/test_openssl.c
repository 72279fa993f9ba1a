/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Against OpenSSL: every algorithm that both have, on every engine that the CPU can run; random keys, IVs, lengths,
 * associated data and tags, in one call and in pieces, in place, both directions, and the chaining value left behind.
 */
#include "driver.h"
#include "peer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static size_t random_tag(const struct algorithm *a) {
    size_t n;
    if (!a->info.tag_lengths) return 0;
    do n = rnd_below(17);
    while (!(a->info.tag_lengths >> n & 1));
    return n;
}

static size_t random_iv(const struct algorithm *a) {
    if (a->info.iv_min == a->info.iv_max || rnd_below(2)) return a->info.iv_default;
    if (a->info.wraps) return rnd_below(2) ? a->info.iv_max : 0;
    if (strcmp(a->model->name, "SIV") == 0) return 1 + rnd_below(64); /* OpenSSL 3.0 has no empty strings */
    const size_t most = a->info.iv_max < 64 ? a->info.iv_max : 64;
    return a->info.iv_min + rnd_below(most - a->info.iv_min + 1);
}

static void test_algorithm(void *arg) {
    const struct algorithm *a = arg;
    static uint8_t in[MOST], want[MOST + 64], out[MOST + 64], back[MOST + 64];
    struct combo e[COMBO_MAX];
    const size_t engines = algorithm_combos(a, e);
    const size_t turns = test_quick ? 20 : 60;
    for (size_t i = 0; i < engines * turns; i++) {
        const struct combo *on = &e[i % engines];
        uint8_t key[64], iv[64], aad[100], tag[16] = {0}, want_tag[16] = {0};
        struct cuts cuts;
        size_t n, most = rnd_below(4) ? 300 : MOST;
        if (a->model->calls > 1 || test_quick) most = 200;
        struct msg m = {iv, random_iv(a), NULL, 0, in, algorithm_length(a, rnd_below(most - 16)), random_tag(a)};
        if (a->model->aad && rnd_below(3)) m.aad_len = 1 + rnd_below(99), m.aad = aad;
        if (strcmp(a->model->name, "SIV") == 0 && m.len == 0) m.len = 1; /* refused by OpenSSL 3.0 */
        rnd_fill(key, sizeof key);
        rnd_fill(iv, sizeof iv);
        rnd_fill(aad, sizeof aad);
        rnd_fill(in, m.len);
        NOW(.what = "OpenSSL", .name = a->name, .engine = on->name, .len = m.len, .a = m.iv_len, .b = m.aad_len);
        const struct peer_message p = {m.iv, m.iv_len, m.aad, m.aad_len, m.in, m.len, m.tag_len};
        const long made = peer_seal(a->name, key, a->info.key_len, &p, want, want_tag);
        CHECK(made >= 0);
        const size_t want_len = (size_t)made;
        cdz_cipher *c = combo_new(on, a->name, key, a->info.key_len);

        random_cuts(&cuts, m.len, m.aad_len, 8);
        if (!a->info.streaming || rnd_below(2)) {
            const bool in_place = rnd_below(2) && (a->info.one_shot || a->info.wraps);
            struct msg x = m;
            if (in_place) x.in = memcpy(out, in, m.len);
            CHECK_STATUS(drive_encrypt(c, a, &x, out, sizeof out, &n, tag), CDZ_OK);
        } else {
            CHECK_STATUS(drive_stream(c, a, &m, CDZ_ENCRYPT, &cuts, out, &n, tag), CDZ_OK);
        }
        CHECK(n == want_len);
        test_same("ciphertext", out, want, n);
        test_same("tag", tag, want_tag, m.tag_len);

        uint8_t chain[16], want_chain[16];
        unsigned used, want_used;
        if ((a->mode->flags & CDZ_MODE_CHAIN) && a->info.one_shot) {
            for (int direction = CDZ_ENCRYPT; direction <= CDZ_DECRYPT; direction++) {
                struct msg x = m;
                if (direction == CDZ_DECRYPT) x.in = want;
                CHECK(peer_chain(a->name, key, iv, direction == CDZ_ENCRYPT, x.in, m.len, want_chain, &want_used));
                CHECK_STATUS(drive_stream(c, a, &x, (cdz_direction)direction, &cuts, back, &n, tag), CDZ_OK);
                CHECK_STATUS(cdz_chain(c, chain, &used), CDZ_OK);
                test_same("chaining value", chain, want_chain, 16);
                CHECK(used == want_used);
            }
        }

        struct msg d = m;
        if (!a->info.mac) {
            d.in = want;
            d.len = want_len;
        }
        memcpy(tag, want_tag, 16);
        random_cuts(&cuts, d.len, d.aad_len, 8);
        if (!a->info.streaming || rnd_below(2)) {
            if (rnd_below(2) && !a->info.mac) d.in = memcpy(back, want, want_len);
            CHECK_STATUS(drive_decrypt(c, a, &d, back, sizeof back, &n, tag), CDZ_OK);
        } else {
            CHECK_STATUS(drive_stream(c, a, &d, CDZ_DECRYPT, &cuts, back, &n, tag), CDZ_OK);
        }
        CHECK(n == (a->info.mac ? 0 : m.len));
        test_same("plaintext", back, in, n);
        cdz_cipher_free(c);

        if (a->info.mac) continue;
        /* What cadenza made, OpenSSL must open too: the tag included. */
        struct peer_message q = p;
        q.in = out;
        q.len = want_len;
        CHECK(peer_open(a->name, key, a->info.key_len, &q, want_tag, back) == (long)m.len);
    }
}

static void add(const struct algorithm *a) {
    static struct algorithm copies[200]; /* what the tests point to */
    static size_t n;
    if (!peer_has(a->name)) return;
    if (n == sizeof copies / sizeof *copies) abort();
    copies[n] = *a;
    test_add(test_algorithm, &copies[n++], "%s", a->name);
}

int main(void) {
    test_begin();
    print_message("against %s\n", peer_version());
    each_algorithm(add);
    return test_end("OpenSSL");
}
