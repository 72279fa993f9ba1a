/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CBC with ciphertext stealing: the three variants in relation to each other and to plain CBC, all lengths around the
 * borders, every cut, in place, and the chaining value that is left.
 */
#include "subject.h"

#include <stdio.h>
#include <string.h>

static uint8_t iv[16], in[200], out[200], tag[16];

static cdz_cipher *other(struct subject *s, const char *mode) {
    char name[40];
    snprintf(name, sizeof name, "%s-%zu-%s", s->a.cipher_name, s->a.bits, mode);
    return combo_new(&s->e, name, s->key, s->a.info.key_len);
}

static void encrypt(cdz_cipher *c, size_t len, uint8_t *to) {
    CHECK_STATUS(cdz_encrypt(c, iv, 16, NULL, 0, in, len, to, NULL, 0), CDZ_OK);
}

static void test_relations(struct subject *s) {
    cdz_cipher *cs2 = other(s, "CBC-CS2"), *cs3 = other(s, "CBC-CS3"), *cbc = other(s, "CBC");
    uint8_t one[80], two[80], three[80], plain[80];
    rnd_fill(iv, 16);
    rnd_fill(in, sizeof in);
    for (size_t n = 0; n < 16; n++)
        CHECK_STATUS(cdz_encrypt(s->c, iv, 16, NULL, 0, in, n, out, NULL, 0), CDZ_ERR_LENGTH);
    for (size_t n = 16; n <= 80; n++) {
        NOW(.what = "relations", .name = s->a.name, .engine = s->e.name, .len = n);
        encrypt(s->c, n, one);
        encrypt(cs2, n, two);
        encrypt(cs3, n, three);
        if (n == 16) {
            encrypt(cbc, n, plain);
            test_same("CS1", one, plain, n);
            test_same("CS2", two, plain, n);
            test_same("CS3", three, plain, n);
        } else if (n % 16 == 0) { /* CS1 and CS2 are CBC; CS3 swaps the last two blocks */
            encrypt(cbc, n, plain);
            test_same("CS1", one, plain, n);
            test_same("CS2", two, plain, n);
            test_same("CS3", three, plain, n - 32);
            test_same("CS3's last but one", three + n - 32, plain + n - 16, 16);
            test_same("CS3's last", three + n - 16, plain + n - 32, 16);
        } else { /* CS2 and CS3 are the same; CS1 has the short block first */
            const size_t r = n % 16, body = n - 16 - r;
            test_same("CS2", two, three, n);
            test_same("CS1", one, three, body);
            test_same("CS1's short block", one + body, three + n - r, r);
            test_same("CS1's full block", one + n - 16, three + body, 16);
        }
    }
    cdz_cipher_free(cs2);
    cdz_cipher_free(cs3);
    cdz_cipher_free(cbc);
}

/* Every length with the model, beside each other and in place. */
static void test_lengths(struct subject *s) {
    rnd_fill(iv, 16);
    rnd_fill(in, sizeof in);
    for (size_t n = 16; n <= 130; n++) {
        const struct msg m = {iv, 16, NULL, 0, in, n, 0};
        uint8_t place[200];
        NOW(.what = "lengths");
        subject_agree(s, &m, out, tag);
        memcpy(place, in, n);
        CHECK_STATUS(cdz_encrypt(s->c, iv, 16, NULL, 0, place, n, place, NULL, 0), CDZ_OK);
        test_same("in place", place, out, n);
        CHECK_STATUS(cdz_decrypt(s->c, iv, 16, NULL, 0, place, n, place, NULL, 0), CDZ_OK);
        test_same("back in place", place, in, n);
    }
}

/* Every cut in two, beside each other and in place; the chaining value afterwards is the block encrypted last. */
static void test_cuts(struct subject *s) {
    rnd_fill(iv, 16);
    rnd_fill(in, sizeof in);
    for (size_t n = 16; n <= 80; n += s->e.slow || test_quick > 1 ? 3 : 1) {
        encrypt(s->c, n, out);
        /* C[n]: in CS3, and in CS2 with a short block, it stands before the short one. */
        const size_t r = (n - 1) % 16 + 1;
        const char v = s->a.name[strlen(s->a.name) - 1];
        const bool swapped = n > 16 && (v == '3' || (v == '2' && r < 16));
        const uint8_t *const last = swapped ? out + n - 16 - r : out + n - 16;
        for (size_t cut = 0; cut <= n; cut++) {
            for (int way = 0; way < 4; way++) {
                const bool decrypt = way & 1, in_place = way & 2;
                const uint8_t *from = decrypt ? out : in, *want = decrypt ? in : out;
                uint8_t got[200], buf[200], chain[16];
                size_t k, total = 0;
                NOW(.what = decrypt ? "decryption in pieces" : "encryption in pieces", .name = s->a.name,
                    .engine = s->e.name, .len = n, .a = cut, .b = in_place);
                CHECK_STATUS(cdz_begin(s->c, decrypt ? CDZ_DECRYPT : CDZ_ENCRYPT, iv, 16), CDZ_OK);
                const size_t lens[2] = {cut, n - cut};
                for (int i = 0; i < 2; i++) {
                    const uint8_t *src = from + (i ? cut : 0);
                    if (in_place) {
                        memcpy(buf, src, lens[i]);
                        CHECK_STATUS(cdz_update(s->c, buf, lens[i], buf, lens[i] + 31, &k), CDZ_OK);
                        memcpy(got + total, buf, k);
                    } else {
                        CHECK_STATUS(cdz_update(s->c, src, lens[i], got + total, lens[i] + 31, &k), CDZ_OK);
                    }
                    total += k;
                }
                CHECK_STATUS(cdz_finish(s->c, got + total, 32, &k), CDZ_OK);
                CHECK(total + k == n);
                test_same("output", got, want, n);
                CHECK_STATUS(cdz_chain(s->c, chain, NULL), CDZ_OK);
                test_same("chaining value", chain, last, 16);
            }
        }
        size_t k;
        CHECK_STATUS(cdz_begin(s->c, CDZ_ENCRYPT, iv, 16), CDZ_OK);
        CHECK_STATUS(cdz_update(s->c, in, 15, out, 46, &k), CDZ_OK);
        CHECK_STATUS(cdz_finish(s->c, out, 32, &k), CDZ_ERR_LENGTH);
    }
}

int main(void) {
    test_begin();
    subjects_add("CBC-CS1", "relations of the variants", test_relations);
    static const char *const modes[] = {"CBC-CS1", "CBC-CS2", "CBC-CS3"};
    for (int i = 0; i < 3; i++) {
        subjects_add(modes[i], "lengths", test_lengths);
        subjects_add(modes[i], "cuts", test_cuts);
    }
    return test_end("cts");
}
