/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cadenza selftest`: does every engine that this CPU can run give the standards' answers?
 *
 * An engine is held against known answers first (RFC 5794, FIPS 197, SP 800-38A, the examples of the GCM specification,
 * IEEE 1619), then, in every mode and key size, against the portable engine over lengths on both sides of its batch.
 * The portable engine has the known answers alone. Both directions, and wrong tags, are tried.
 */
#include "cli.h"
#include "engines.h"
#include "io.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct answer {
    const char *name, *source, *key, *iv, *aad, *plain, *sealed, *tag;
};

#define KEY_32 "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define BLOCK  "00112233445566778899aabbccddeeff"
#define SP_KEY "2b7e151628aed2a6abf7158809cf4f3c"
#define SP_PLAIN                                                                                                       \
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17" \
    "ad2b417be66c3710"

static const struct answer answers[] = {
    {"ARIA-128-ECB", "RFC 5794", "000102030405060708090a0b0c0d0e0f", "", "", BLOCK, "d718fbd6ab644c739da95f3be6451778",
     ""},
    {"ARIA-192-ECB", "RFC 5794", "000102030405060708090a0b0c0d0e0f1011121314151617", "", "", BLOCK,
     "26449c1805dbe7aa25a468ce263a9e79", ""},
    {"ARIA-256-ECB", "RFC 5794", KEY_32, "", "", BLOCK, "f92bd7c79fb72e2f2b8f80c1972d24fc", ""},
    {"AES-128-ECB", "FIPS 197", "000102030405060708090a0b0c0d0e0f", "", "", BLOCK, "69c4e0d86a7b0430d8cdb78070b4c55a",
     ""},
    {"AES-192-ECB", "FIPS 197", "000102030405060708090a0b0c0d0e0f1011121314151617", "", "", BLOCK,
     "dda97ca4864cdfe06eaf70a0ec0d7191", ""},
    {"AES-256-ECB", "FIPS 197", KEY_32, "", "", BLOCK, "8ea2b7ca516745bfeafc49904b496089", ""},
    {"AES-128-CBC", "SP 800-38A", SP_KEY, "000102030405060708090a0b0c0d0e0f", "", SP_PLAIN,
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e222295163ff1caa1681fac091"
     "20eca307586e1a7",
     ""},
    {"AES-128-CFB", "SP 800-38A", SP_KEY, "000102030405060708090a0b0c0d0e0f", "", SP_PLAIN,
     "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0ee"
     "ac4c66f9ff7f2e6",
     ""},
    {"AES-128-OFB", "SP 800-38A", SP_KEY, "000102030405060708090a0b0c0d0e0f", "", SP_PLAIN,
     "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed8259740051e9c5fecf64344f7a82260edcc304c6528f659c7786"
     "6a510d9c1d6ae5e",
     ""},
    {"AES-128-CTR", "SP 800-38A", SP_KEY, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "", SP_PLAIN,
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d17"
     "92170a0f3009cee",
     ""},
    {"AES-128-XTS", "IEEE 1619", "1111111111111111111111111111111122222222222222222222222222222222",
     "33333333330000000000000000000000", "", "4444444444444444444444444444444444444444444444444444444444444444",
     "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0", ""},
    {"AES-128-GCM", "GCM specification", "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     "feedfacedeadbeeffeedfacedeadbeefabaddad2",
     "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657b"
     "a637b39",
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973"
     "d58e091",
     "5bc94fbc3221a5db94fae95ae7121a47"},
};
enum { ANSWERS = sizeof answers / sizeof *answers, ANSWER_MAX = 64 };

enum { MESSAGE_MAX = 16 * (3 * 128 + 2) };

struct test {
    const char *engine; /* under test */
    unsigned checks, failures;
};

static void check(struct test *t, bool right, const char *name, const char *what, size_t len) {
    t->checks++;
    if (right) return;
    t->failures++;
    if (t->failures <= 5) fail(FAIL_SELFTEST, "%s is wrong: %s, %s, %zu bytes", t->engine, name, what, len);
}

static size_t unhex(const char *hex, uint8_t *out, size_t cap) {
    size_t n = 0;
    return hex_decode(hex, strlen(hex), out, cap, &n) ? n : 0;
}

/* Does this engine serve this algorithm? Hash engines serve the modes with a tag. */
static bool serves(const char *engine, const char *name, const cdz_info *info) {
    switch (engine_kind(engine)) {
    case ENGINE_ARIA:
        return name[1] == 'R';
    case ENGINE_AES:
        return name[1] == 'E';
    case ENGINE_HASH:
        return info->tag_lengths != 0;
    case ENGINE_OTHER:
        break;
    }
    return false;
}

static void known_answer(struct test *t, const struct answer *a) {
    uint8_t key[64], iv[16], aad[ANSWER_MAX], plain[ANSWER_MAX], sealed[ANSWER_MAX], tag[16], out[ANSWER_MAX], got[16];
    const size_t key_len = unhex(a->key, key, sizeof key), iv_len = unhex(a->iv, iv, sizeof iv),
                 aad_len = unhex(a->aad, aad, sizeof aad), len = unhex(a->plain, plain, sizeof plain),
                 tag_len = unhex(a->tag, tag, sizeof tag);
    cdz_info info;
    cdz_cipher *c;
    unhex(a->sealed, sealed, sizeof sealed);
    if (cdz_describe(&info, a->name) != CDZ_OK || !serves(t->engine, a->name, &info)) return;
    cdz_status s = new_on(&c, t->engine, a->name, key, key_len);
    check(t, s == CDZ_OK, a->name, "making the key", len);
    if (s != CDZ_OK) return;
    /* A mode that knows no hash does not use the hash engine: nothing of it would be tested. */
    check(t, strstr(cdz_engine_name(c), t->engine) != NULL, a->name, "another engine was bound", len);
    s = cdz_encrypt(c, iv, iv_len, aad, aad_len, plain, len, out, got, tag_len);
    check(t, s == CDZ_OK && memcmp(out, sealed, len) == 0 && memcmp(got, tag, tag_len) == 0, a->name, a->source, len);
    s = cdz_decrypt(c, iv, iv_len, aad, aad_len, sealed, len, out, tag, tag_len);
    check(t, s == CDZ_OK && memcmp(out, plain, len) == 0, a->name, a->source, len);
    cdz_cipher_free(c);
}

/* One algorithm: the engine encrypts as the portable ones do, opens what they made, and refuses a wrong tag. */
static int compare(struct test *t, const char *name, const cdz_info *info, size_t batch, uint8_t *buf) {
    uint8_t *const plain = buf, *const sealed = buf + MESSAGE_MAX, *const out = buf + (size_t)2 * MESSAGE_MAX;
    const size_t lens[] = {0,
                           1,
                           15,
                           16,
                           17,
                           32,
                           33,
                           47,
                           64,
                           100,
                           256,
                           1000,
                           16 * batch - 1,
                           16 * batch,
                           16 * batch + 16,
                           32 * batch + 23,
                           MESSAGE_MAX};
    uint8_t key[64], iv[16], aad[33], tag[16], got[16];
    cdz_cipher *c, *reference;
    pattern(key, sizeof key, 1);
    pattern(plain, MESSAGE_MAX, 2);
    cdz_status s = new_on(&c, t->engine, name, key, info->key_len);
    check(t, s == CDZ_OK, name, "making the key", 0);
    if (s != CDZ_OK) return DONE;
    if (strstr(cdz_engine_name(c), t->engine) == NULL) { /* a mode with a tag and without this hash */
        cdz_cipher_free(c);
        return DONE;
    }
    s = new_on(&reference, NULL, name, key, info->key_len);
    if (s != CDZ_OK) {
        cdz_cipher_free(c);
        return fail_status(s, name);
    }
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        const size_t len = (lens[i] < MESSAGE_MAX ? lens[i] : MESSAGE_MAX) / info->unit * info->unit;
        const size_t iv_len = info->iv_default <= sizeof iv ? info->iv_default : sizeof iv;
        const size_t aad_len = info->max_aad ? i % sizeof aad : 0, tag_len = info->tag_lengths ? 16 : 0;
        if (len < info->min_len || len > info->max_len) continue;
        pattern(iv, sizeof iv, 100 + i);
        pattern(aad, sizeof aad, 200 + i);
        s = cdz_encrypt(reference, iv, iv_len, aad, aad_len, plain, len, sealed, tag, tag_len);
        if (s != CDZ_OK) {
            cdz_cipher_free(c);
            cdz_cipher_free(reference);
            return fail_status(s, name);
        }
        s = cdz_encrypt(c, iv, iv_len, aad, aad_len, plain, len, out, got, tag_len);
        check(t, s == CDZ_OK && memcmp(out, sealed, len) == 0 && memcmp(got, tag, tag_len) == 0, name, "encryption",
              len);
        s = cdz_decrypt(c, iv, iv_len, aad, aad_len, sealed, len, out, tag, tag_len);
        check(t, s == CDZ_OK && memcmp(out, plain, len) == 0, name, "decryption", len);
        if (tag_len != 0) {
            tag[i % tag_len] ^= (uint8_t)(1 << i % 8);
            s = cdz_decrypt(c, iv, iv_len, aad, aad_len, sealed, len, out, tag, tag_len);
            check(t, s == CDZ_ERR_AUTH, name, "a wrong tag was accepted", len);
        }
    }
    cdz_cipher_free(c);
    cdz_cipher_free(reference);
    return DONE;
}

static int test_engine(const cdz_engine_info *engine, uint8_t *buf, bool *failed) {
    static const char *const ciphers[] = {"ARIA", "AES"};
    struct test t = {.engine = engine->name};
    for (int i = 0; i < ANSWERS; i++) known_answer(&t, &answers[i]);
    const bool portable = strstr(engine->name, "/portable") != NULL;
    for (size_t m = 0; !portable && cdz_mode_name(m) != NULL; m++)
        for (int c = 0; c < 2; c++)
            for (int bits = 128; bits <= 256; bits += 64) {
                char name[64];
                cdz_info info;
                snprintf(name, sizeof name, "%s-%d-%s", ciphers[c], bits, cdz_mode_name(m));
                if (cdz_describe(&info, name) != CDZ_OK || !info.one_shot || info.key_len > 64) continue;
                if (!serves(engine->name, name, &info)) continue;
                const size_t batch = engine->batch < 1 ? 1 : engine->batch > 128 ? 128 : engine->batch;
                const int e = compare(&t, name, &info, batch, buf);
                if (e != DONE) return e;
            }
    if (t.failures != 0 || t.checks == 0) {
        *failed = true;
        printf("  %-22s FAILED: %u of %u checks\n", engine->name, t.failures, t.checks);
    } else {
        printf("  %-22s ok, %u checks\n", engine->name, t.checks);
    }
    io_flush_stdout();
    return DONE;
}

static const char help[] = "usage: cadenza selftest [--cpu=-FEATURE,...]\n"
                           "\n"
                           "Runs the standards' known answers on every engine that this CPU can run, and compares each "
                           "with the portable one in\n"
                           "every mode and key size. Engines that the CPU cannot run are named, with what they lack.\n"
                           "\n"
                           "  --cpu=-FEATURE,...   as if the CPU did not have these\n";

int cmd_selftest(int argc, char **argv) {
    enum { OPT_CPU = 256 };
    static const struct option options[] = {
        {"cpu", required_argument, NULL, OPT_CPU}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    cdz_engine_info engine;
    char have[1024], missing[1024];
    bool failed = false;
    int c, e = DONE;
    while ((c = next_option(argc, argv, "selftest", ":h", options, false)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return DONE;
        }
        if (c != OPT_CPU) return FAIL_USAGE;
        if ((e = set_cpu_mask(optarg)) != DONE) return e;
    }
    if (optind < argc) return fail_usage("selftest", "what is '%s'?", argv[optind]);
    uint8_t *const buf = malloc((size_t)3 * MESSAGE_MAX);
    if (buf == NULL) return fail(FAIL_MEMORY, "no memory");
    cdz_cpu_features(have, sizeof have);
    for (size_t i = 0; e == DONE && cdz_engine_at(i, &engine); i++) {
        if (engine.usable) {
            e = test_engine(&engine, buf, &failed);
        } else {
            missing_features(missing, sizeof missing, engine.needs, have);
            printf("  %-22s skipped: lacks %s\n", engine.name, missing);
        }
    }
    free(buf);
    if (e == DONE && failed) e = fail(FAIL_SELFTEST, "an engine is wrong: do not use it on this machine");
    return e;
}
