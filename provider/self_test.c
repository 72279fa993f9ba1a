/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is tried before a cipher is served: single blocks of all key lengths against the standards' answers, and every
 * mode (but CFB1, the other forms of ciphertext stealing and the inverse key wraps) with one key length against a known
 * answer, back again in pieces where the provider works in pieces, and, where there is a tag, with a wrong one. All of
 * it on the engine that the provider will use.
 */
#include "prov.h"

#include <stdio.h>

/* RFC 5794 appendix A and FIPS 197 appendix C: key 00 01 02 ..., plaintext 00 11 22 ... ff. */
static const uint8_t blocks[2][3][16] = {
    {{0xd7, 0x18, 0xfb, 0xd6, 0xab, 0x64, 0x4c, 0x73, 0x9d, 0xa9, 0x5f, 0x3b, 0xe6, 0x45, 0x17, 0x78},
     {0x26, 0x44, 0x9c, 0x18, 0x05, 0xdb, 0xe7, 0xaa, 0x25, 0xa4, 0x68, 0xce, 0x26, 0x3a, 0x9e, 0x79},
     {0xf9, 0x2b, 0xd7, 0xc7, 0x9f, 0xb7, 0x2e, 0x2f, 0x2b, 0x8f, 0x80, 0xc1, 0x97, 0x2d, 0x24, 0xfc}},
    {{0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
     {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
     {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}},
};

/* Key byte i is i, nonce byte i is i, 16 bytes of associated data 00 11 ... ff where there is a tag, byte i of the text
 * is 7 i. Long enough for the wide kernels where these are quick, in modes that are serial for a few blocks. */
const struct prov_answer prov_answers[] = {
    {"ECB", 16, 0, 688, 0, false, {UINT64_C(0xfeaee5e4bb8cecb5), UINT64_C(0x69f4fd141577971c)}},
    {"CBC", 16, 16, 688, 0, false, {UINT64_C(0x5bac65b63fbfb309), UINT64_C(0xeff43db995244eb1)}},
    {"CBC-CS3", 24, 16, 103, 0, false, {UINT64_C(0x077124de0e8ad18d), UINT64_C(0x8826d7742383ff6e)}},
    {"CFB", 32, 16, 101, 0, true, {UINT64_C(0x1649471cd05ecacf), UINT64_C(0xa1b1412d47097cd8)}},
    {"CFB8", 16, 16, 37, 0, true, {UINT64_C(0xf18d5aac1ac0629a), UINT64_C(0xf886017756d25988)}},
    {"OFB", 24, 16, 101, 0, true, {UINT64_C(0x5bff2e2247a7a2a7), UINT64_C(0xd331547a6b5c3acf)}},
    {"CTR", 32, 16, 700, 0, true, {UINT64_C(0xe530b65da124a4cb), UINT64_C(0x2dc74b8bc174fb9f)}},
    {"GCM", 16, 12, 700, 16, true, {UINT64_C(0xa920d3e20df4d9f7), UINT64_C(0x4558e624caba43e7)}},
    {"GCM", 24, 12, 700, 16, true, {UINT64_C(0x1fac5ff5f8ec8c02), UINT64_C(0x6c012faac8e0e8a2)}},
    {"GCM", 32, 12, 700, 16, true, {UINT64_C(0x4e9ef3d423d76850), UINT64_C(0xaf06dce23a5afebe)}},
    {"CCM", 32, 13, 101, 16, true, {UINT64_C(0x5d3e5362f22ef5ba), UINT64_C(0x214bf30bfd0941c8)}},
    {"OCB", 32, 12, 700, 16, true, {UINT64_C(0x65ff71f90f7a8050), UINT64_C(0x9a0ce10050bd4d0a)}},
    {"XTS", 64, 16, 700, 0, false, {UINT64_C(0x7d29a62e15ad48b0), UINT64_C(0x9c7189cc8fbdefa1)}},
    {"SIV", 64, 16, 101, 16, false, {UINT64_C(0x2c3eb1befe32cc0a), UINT64_C(0x5a0f4f2205afeb29)}},
    {"GCM-SIV", 32, 12, 700, 16, false, {UINT64_C(0x84fae2a663c694c6), UINT64_C(0x8b0df2a9826405f8)}},
    {"KW", 32, 0, 40, 0, false, {UINT64_C(0xa07057564a4f9054), UINT64_C(0x503c54d0a1bcff74)}},
    {"KWP", 16, 0, 37, 0, false, {UINT64_C(0x1a965a0f0b62925e), UINT64_C(0x754656d38a0600c3)}},
    {NULL, 0, 0, 0, 0, false, {0, 0}},
};

enum { TEXT = 700, ROOM = TEXT + 16, AAD = 16 };

uint64_t prov_sum(const uint8_t *data, size_t n, uint64_t sum) {
    for (size_t i = 0; i < n; i++) sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Single blocks, both ways, with each key length. */
static bool test_blocks(bool aes, const uint8_t *key, const uint8_t *plain) {
    bool good = true;
    for (size_t k = 0; k < 3 && good; k++) {
        char name[24];
        uint8_t out[16];
        cdz_cipher *c = NULL;
        snprintf(name, sizeof name, "%s-%zu-ECB", aes ? "AES" : "ARIA", 128 + 64 * k);
        good = cdz_cipher_new(&c, name, key, 16 + 8 * k) == CDZ_OK &&
               cdz_encrypt(c, NULL, 0, NULL, 0, plain, 16, out, NULL, 0) == CDZ_OK &&
               !memcmp(out, blocks[aes][k], 16) && cdz_decrypt(c, NULL, 0, NULL, 0, out, 16, out, NULL, 0) == CDZ_OK &&
               !memcmp(out, plain, 16);
        cdz_cipher_free(c);
    }
    return good;
}

/* The plaintext back, in two pieces that do not end with a block. */
static bool in_pieces(cdz_cipher *c, const struct prov_answer *a, const uint8_t *iv, const uint8_t *aad,
                      const uint8_t *made, uint8_t *out, const uint8_t *tag) {
    const size_t first = a->len / 2 - 3;
    size_t n = 0, m = 0, end = 0;
    if (cdz_begin_sized(c, CDZ_DECRYPT, iv, a->iv_len, a->tag_len ? AAD : CDZ_UNKNOWN, a->len, a->tag_len) != CDZ_OK)
        return false;
    if (a->tag_len && (cdz_aad(c, aad, AAD) != CDZ_OK || cdz_expect_tag(c, tag, a->tag_len) != CDZ_OK)) return false;
    return cdz_update(c, made, first, out, ROOM, &n) == CDZ_OK &&
           cdz_update(c, made + first, a->len - first, out + n, ROOM - n, &m) == CDZ_OK &&
           cdz_finish(c, out + n + m, ROOM - n - m, &end) == CDZ_OK && n + m + end == a->len;
}

static bool test_mode(bool aes, const struct prov_answer *a, const uint8_t *key, const uint8_t *aad,
                      const uint8_t *text) {
    const bool wraps = a->mode[0] == 'K', two = a->key_len == 64; /* XTS and SIV have two keys */
    const size_t aad_len = a->tag_len ? AAD : 0;
    char name[24];
    uint8_t made[ROOM], out[ROOM], tag[16];
    size_t n = a->len;
    cdz_cipher *c = NULL;
    snprintf(name, sizeof name, "%s-%zu-%s", aes ? "AES" : "ARIA", (size_t)a->key_len * (two ? 4 : 8), a->mode);
    bool good = cdz_cipher_new(&c, name, key, a->key_len) == CDZ_OK;
    if (wraps) {
        good = good && cdz_wrap(c, NULL, 0, text, a->len, made, sizeof made, &n) == CDZ_OK &&
               prov_sum(made, n, PROV_SUM) == a->sum[aes];
        good = good && cdz_unwrap(c, NULL, 0, made, n, out, sizeof out, &n) == CDZ_OK && n == a->len &&
               !memcmp(out, text, n);
        made[9] ^= 1;
        good = good && cdz_unwrap(c, NULL, 0, made, (a->len + 15) & ~(size_t)7, out, sizeof out, &n) == CDZ_ERR_AUTH;
        cdz_cipher_free(c);
        return good;
    }
    good = good && cdz_encrypt(c, key, a->iv_len, aad, aad_len, text, n, made, tag, a->tag_len) == CDZ_OK &&
           prov_sum(tag, a->tag_len, prov_sum(made, n, PROV_SUM)) == a->sum[aes];
    good = good && cdz_decrypt(c, key, a->iv_len, aad, aad_len, made, n, out, tag, a->tag_len) == CDZ_OK &&
           !memcmp(out, text, n);
    memset(out, 0, sizeof out);
    if (a->pieces) good = good && in_pieces(c, a, key, aad, made, out, tag) && !memcmp(out, text, n);
    tag[a->tag_len / 2] ^= 1;
    if (a->tag_len)
        good = good && cdz_decrypt(c, key, a->iv_len, aad, aad_len, made, n, out, tag, a->tag_len) == CDZ_ERR_AUTH;
    cdz_cipher_free(c);
    return good;
}

bool prov_self_test(bool aes) {
    uint8_t key[64], aad[AAD], text[TEXT];
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof aad; i++) aad[i] = (uint8_t)(i * 0x11);
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 7);
    bool good = test_blocks(aes, key, aad);
    for (const struct prov_answer *a = prov_answers; a->mode && good; a++) good = test_mode(aes, a, key, aad, text);
    return good;
}
