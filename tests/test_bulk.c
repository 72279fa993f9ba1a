/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that are long enough for what engines and modes do for long messages alone (counter pages from 12 KiB on,
 * EAX's chunks of 8 KiB, associated data that a batch does not pool), on every engine, against the portable one: a
 * sample that is quick enough for sanitizers and for the count of lines, where the sweeps of other tests stop at 400
 * bytes.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24600, AAD = 3000 };
static const size_t lengths[] = {8191, 8193, 12287, 12288, 12289, 16385, 20000, MOST};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static uint8_t in[MOST], want[LENGTHS][MOST + 64], out[MOST + 64], back[MOST + 64];

static void test_algorithm(void *arg) {
    const struct algorithm *a = arg;
    struct combo e[COMBO_MAX];
    uint8_t key[64], iv[LENGTHS][16], aad[AAD], want_tag[LENGTHS][16] = {{0}}, tag[16] = {0};
    const size_t engines = algorithm_combos(a, e);
    size_t want_len[LENGTHS], n;
    const size_t tag_len = a->info.tag_lengths ? 16 : 0, aad_len = a->info.tag_lengths && !a->info.mac ? AAD : 0;
    char name[64];
    rnd_fill(key, sizeof key);
    rnd_fill(iv, sizeof iv);
    rnd_fill(aad, sizeof aad);
    rnd_fill(in, sizeof in);
    snprintf(name, sizeof name, "%s/portable+ghash/portable", a->cipher == REF_ARIA ? "aria" : "aes");
    for (size_t i = 0; i <= engines; i++) {
        cdz_cipher *c;
        const char *const engine = i ? e[i - 1].name : name; /* first what the others are compared with */
        const cdz_status s = cdz_cipher_new_on(&c, engine, a->name, key, a->info.key_len);
        CHECK_STATUS(s, CDZ_OK);
        for (size_t k = 0; k < LENGTHS; k++) {
            if (a->model->calls > 2 && k > 2) break; /* CFB8, CFB1, key wrap */
            const struct msg m = {a->info.iv_default ? iv[k] : NULL,
                                  a->info.iv_default,
                                  aad_len ? aad : NULL,
                                  aad_len,
                                  in,
                                  algorithm_length(a, lengths[k]) <= MOST ? algorithm_length(a, lengths[k]) : 24592,
                                  tag_len};
            NOW(.what = "long messages", .name = a->name, .engine = engine, .len = m.len);
            CHECK_STATUS(drive_encrypt(c, a, &m, i ? out : want[k], MOST + 64, &n, i ? tag : want_tag[k]), CDZ_OK);
            if (!i) want_len[k] = n;
            CHECK(n == want_len[k]);
            if (i) test_same("ciphertext", out, want[k], n);
            if (i) test_same("tag", tag, want_tag[k], tag_len);
            struct msg sealed = m;
            if (!a->info.mac) sealed.in = memcpy(back, want[k], n), sealed.len = n;
            CHECK_STATUS(drive_decrypt(c, a, &sealed, back, MOST + 64, &n, want_tag[k]), CDZ_OK); /* in place */
            if (!a->info.mac) test_same("plaintext", back, in, m.len);
        }
        /* A batch with long associated data: its messages one by one. */
        if (a->info.one_shot && !a->info.mac && i) {
            enum { N = 3, LEN = 4096 };
            cdz_batch_message list[N];
            uint8_t tags[N][16] = {{0}}, single[LEN];
            for (size_t k = 0; k < N; k++)
                list[k] = (cdz_batch_message){a->info.iv_default ? iv[k] : NULL,
                                              a->info.iv_default,
                                              aad_len ? aad + k : NULL,
                                              aad_len ? AAD - 16 * k : 0,
                                              in + LEN * k,
                                              LEN / 4 * (k + 1),
                                              out + LEN * k,
                                              tag_len ? tags[k] : NULL,
                                              tag_len,
                                              CDZ_OK};
            for (size_t k = 0; k < N && list[k].aad_len; k++) list[k].aad_len -= k;
            NOW(.what = "batch with long associated data", .name = a->name, .engine = engine);
            CHECK_STATUS(cdz_encrypt_batch(c, list, N), CDZ_OK);
            for (size_t k = 0; k < N; k++) {
                const cdz_batch_message *const m = &list[k];
                CHECK_STATUS(cdz_encrypt(c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, single,
                                         tag_len ? tag : NULL, tag_len),
                             CDZ_OK);
                test_same("ciphertext of a batch", m->out, single, m->len);
                test_same("tag of a batch", tags[k], tag, tag_len);
            }
        }
        cdz_cipher_free(c);
    }
}

static void add(const struct algorithm *a) {
    struct algorithm *const copy = malloc(sizeof *copy);
    if (!copy) abort();
    *copy = *a;
    test_add(test_algorithm, copy, "%s", a->name);
}

int main(void) {
    test_begin();
    each_algorithm(add);
    return test_end("bulk");
}
