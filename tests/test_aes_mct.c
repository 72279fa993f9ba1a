/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Monte Carlo tests of NIST's AES Algorithm Validation Suite (AESAVS, 6.4) on every AES engine: ECB, CBC, OFB and
 * CFB128, all key sizes, both directions. 100 times over, 1000 operations are chained and the key is changed with their
 * results. A single wrong bit anywhere changes all that follows.
 *
 * The suite's published answers belong to its own keys; here the keys are random, and OpenSSL answers.
 */
#include "driver.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

enum { OUTER = 100, INNER = 1000 };

/* One block in a chain: ours (in pieces, one message that never ends) or OpenSSL's. */
struct chain {
    cdz_cipher *ours;
    EVP_CIPHER_CTX *theirs;
};

static void block(struct chain *c, const uint8_t in[16], uint8_t out[16]) {
    if (c->ours) {
        size_t n;
        CHECK_STATUS(cdz_update(c->ours, in, 16, out, 64, &n), CDZ_OK);
        CHECK(n == 16);
    } else {
        int n;
        CHECK(EVP_CipherUpdate(c->theirs, out, &n, in, 16) == 1 && n == 16);
    }
}

struct mct {
    const char *mode;
    unsigned bits;
    bool encrypt;
    const char *engine; /* NULL: OpenSSL */
};

static void start(struct chain *c, const struct mct *m, const uint8_t *key, const uint8_t *iv) {
    char name[32];
    const size_t iv_len = strcmp(m->mode, "ECB") ? 16 : 0;
    snprintf(name, sizeof name, "AES-%u-%s", m->bits, m->mode);
    if (m->engine) {
        CHECK_STATUS(cdz_cipher_new_on(&c->ours, m->engine, name, key, m->bits / 8), CDZ_OK);
        CHECK_STATUS(cdz_begin(c->ours, m->encrypt ? CDZ_ENCRYPT : CDZ_DECRYPT, iv_len ? iv : NULL, iv_len), CDZ_OK);
        return;
    }
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, "provider=default");
    CHECK(cipher);
    CHECK(EVP_CipherInit_ex2(c->theirs, cipher, key, iv_len ? iv : NULL, m->encrypt, NULL) == 1);
    CHECK(EVP_CIPHER_CTX_set_padding(c->theirs, 0) == 1);
    EVP_CIPHER_free(cipher);
}

static void stop(struct chain *c) {
    cdz_cipher_free(c->ours);
    c->ours = NULL;
}

/* AESAVS 6.4.1 to 6.4.4: the last results of all outer turns, one behind the other. */
static void monte_carlo(const struct mct *m, const uint8_t *first_key, const uint8_t first_iv[16],
                        const uint8_t first_in[16], size_t outer, uint8_t *results) {
    struct chain c = {NULL, m->engine ? NULL : EVP_CIPHER_CTX_new()};
    const size_t key_len = m->bits / 8;
    const bool ecb = strcmp(m->mode, "ECB") == 0;
    uint8_t key[32], iv[16], in[16], out[64], before[16];
    memcpy(key, first_key, key_len);
    memcpy(iv, first_iv, 16);
    memcpy(in, first_in, 16);
    for (size_t i = 0; i < outer; i++) {
        start(&c, m, key, iv);
        memset(before, 0, 16);
        for (size_t j = 0; j < INNER; j++) {
            uint8_t next[16];
            block(&c, in, out);
            /* ECB: the next input is this output. The others: it is the output before, and at first the IV. */
            memcpy(next, ecb ? out : j == 0 ? iv : before, 16);
            if (j + 1 < INNER) memcpy(before, out, 16);
            memcpy(in, next, 16);
        }
        stop(&c);
        memcpy(results + 16 * i, out, 16);
        /* The key changes with the end of (the output before the last | the last output). */
        uint8_t change[32];
        memcpy(change, before, 16);
        memcpy(change + 16, out, 16);
        for (size_t n = 0; n < key_len; n++) key[n] ^= change[32 - key_len + n];
        memcpy(iv, out, 16);
        if (!ecb) memcpy(in, before, 16);
    }
    EVP_CIPHER_CTX_free(c.theirs);
}

static void test_mct(void *arg) {
    const struct mct *m = arg;
    uint8_t key[32], iv[16], in[16], got[16 * OUTER], want[16 * OUTER];
    const size_t outer = test_quick ? 3 : OUTER;
    rnd_fill(key, sizeof key);
    rnd_fill(iv, sizeof iv);
    rnd_fill(in, sizeof in);
    struct mct theirs = *m;
    theirs.engine = NULL;
    monte_carlo(&theirs, key, iv, in, outer, want);

    cdz_engine_info e;
    for (size_t i = 0; cdz_engine_at(i, &e); i++) {
        if (strncmp(e.name, "aes/", 4) != 0 || !e.usable) continue;
        NOW(.what = "Monte Carlo", .name = m->mode, .engine = e.name, .len = m->bits);
        struct mct ours = *m;
        ours.engine = e.name;
        /* a tenth of the chain for the engines that take long over one block */
        const size_t turns = strcmp(e.name, "aes/portable") == 0 && outer > 10 ? 10 : outer;
        engine_count(e.name);
        monte_carlo(&ours, key, iv, in, turns, got);
        test_same("results", got, want, 16 * turns);
    }
}

int main(void) {
    static const char *const modes[] = {"ECB", "CBC", "OFB", "CFB"};
    static struct mct all[4 * 3 * 2];
    size_t n = 0;
    test_begin();
    for (size_t i = 0; i < 4; i++)
        for (unsigned bits = 128; bits <= 256; bits += 64)
            for (int encrypt = 1; encrypt >= 0; encrypt--) {
                all[n] = (struct mct){modes[i], bits, encrypt, NULL};
                test_add(test_mct, &all[n++], "AES-%u-%s %s", bits, modes[i], encrypt ? "encryption" : "decryption");
            }
    return test_end("AESAVS Monte Carlo");
}
