/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM-SIV: RFC 8452, with keys of 128 and 256 bits; for ARIA the same construction with that cipher in AES's place.
 *
 * Each nonce has keys of its own, derived with the caller's key: one for POLYVAL, one for the cipher.
 *
 *     the first 8 bytes of E(i || nonce), i = 0, 1, 2 ... a 32-bit little-endian number: POLYVAL's key, cipher's key
 *     S = POLYVAL(AAD padded | plaintext padded | bit lengths) ^ nonce, its top bit cleared
 *     tag = E'(S);  ciphertext = counter mode from (tag with its top bit set) on, the counter a 32-bit little-endian
 *     number in the first four bytes
 *
 * The tag needs the whole plaintext before the first byte of ciphertext: so there are no calls in pieces. The keys of
 * a message live on the stack for as long as the call.
 */
#include "../util/wipe.h"
#include "ctr.h"

enum { CHUNK = 8192 }; /* counter, then hash (decryption), over what surely stays in the first-level cache */

/* The keys of a message: the engine's area, and behind it the hash's. */
struct keys {
    uint8_t *ks, *hk;
};

static void derive(const struct cdz_cipher *c, const struct keys *k, const struct cdz_message *m) {
    const size_t n = 2 + c->key_len / 8u; /* halves of blocks: 16 bytes for POLYVAL, then the cipher's key */
    const size_t longest = m->len > m->aad_len ? m->len : m->aad_len;
    uint8_t x[6 * 16], key[6 * 8];
    for (size_t i = 0; i < n; i++)
        cdz_store_le128(x + 16 * i, i | (uint64_t)cdz_load_le32(m->iv) << 32, cdz_load_le64(m->iv + 4));
    c->engine->encrypt(cdz_ks(c), x, x, n);
    for (size_t i = 0; i < n; i += 2)
        cdz_store_le128(key + 8 * i, cdz_load_le64(x + 16 * i), cdz_load_le64(x + 16 * i + 16));
    c->hash->polyval_key(k->hk, key, longest / 16 + 1);
    c->engine->set_key(k->ks, key + 16, c->key_len);
    cdz_wipe(x, sizeof x);
    cdz_wipe(key, sizeof key);
}

static void hash_padded(const struct cdz_cipher *c, const struct keys *k, uint8_t y[16], const uint8_t *in,
                        size_t len) {
    const size_t blocks = len / 16, rest = len % 16;
    if (blocks) c->hash->polyval(k->hk, y, in, blocks);
    if (rest) {
        uint8_t block[16] = {0};
        memcpy(block, in + 16 * blocks, rest);
        c->hash->polyval(k->hk, y, block, 1);
        cdz_wipe(block, sizeof block);
    }
}

/* The end of the hash, and the tag. */
static void make_tag(const struct cdz_cipher *c, const struct keys *k, const struct cdz_message *m, uint8_t y[16],
                     uint8_t tag[16]) {
    uint8_t block[16];
    cdz_store_le128(block, (uint64_t)m->aad_len * 8, (uint64_t)m->len * 8);
    c->hash->polyval(k->hk, y, block, 1);
    cdz_store_le128(y, cdz_load_le64(y) ^ cdz_load_le64(m->iv),
                    (cdz_load_le64(y + 8) ^ cdz_load_le32(m->iv + 8)) & ~(UINT64_C(1) << 63));
    c->engine->encrypt(k->ks, y, tag, 1);
}

static void first_counter(uint8_t ctr[16], const uint8_t tag[16]) {
    cdz_store_le128(ctr, cdz_load_le64(tag), cdz_load_le64(tag + 8) | UINT64_C(1) << 63);
}

static void encrypt_with_keys(const struct cdz_cipher *c, const struct keys *k, const struct cdz_message *m,
                              uint8_t *tag) {
    uint8_t y[16] = {0}, ctr[16];
    hash_padded(c, k, y, m->aad, m->aad_len);
    hash_padded(c, k, y, m->in, m->len);
    make_tag(c, k, m, y, tag);
    CDZ_DECLASSIFY(tag, 16); /* it goes out with the ciphertext */
    first_counter(ctr, tag);
    cdz_ctr32le_run(c->engine, k->ks, ctr, m->in, m->out, m->len);
    cdz_wipe(y, sizeof y);
}

static void decrypt_with_keys(const struct cdz_cipher *c, const struct keys *k, const struct cdz_message *m,
                              uint8_t *tag) {
    uint8_t y[16] = {0}, ctr[16];
    const uint8_t *in = m->in;
    uint8_t *out = m->out;
    size_t len = m->len;
    hash_padded(c, k, y, m->aad, m->aad_len);
    first_counter(ctr, m->tag);
    while (len) {
        const size_t n = len < CHUNK ? len : CHUNK;
        cdz_ctr32le_run(c->engine, k->ks, ctr, in, out, n);
        cdz_store_le32(ctr, cdz_load_le32(ctr) + (uint32_t)(n / 16));
        hash_padded(c, k, y, out, n);
        in += n, out += n, len -= n;
    }
    make_tag(c, k, m, y, tag);
    cdz_wipe(y, sizeof y);
}

/* As much stack as the engines' keys take, and no more: from some 700 bytes to 14 KiB, which are wiped behind every
 * message. */
static CDZ_KERNEL void with_keys(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag, bool decrypt) {
    const size_t ks_size = c->engine->key_size, size = ks_size + c->hash->key_size;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvla"
    uint8_t area[size + 63]; /* at most CDZ_KEY_SIZE_MAX + CDZ_HASH_KEY_SIZE_MAX */
#pragma GCC diagnostic pop
    uint8_t *const aligned = area + (-(uintptr_t)area & 63);
    const struct keys k = {aligned, aligned + ks_size};
    derive(c, &k, m);
    (decrypt ? decrypt_with_keys : encrypt_with_keys)(c, &k, m, tag);
    cdz_wipe(area, sizeof area);
}

/* Below the keys lie the frames of all that was called with them: key_stack's, or `stack`'s. */
static void clear(const struct cdz_cipher *c) {
    cdz_clear_behind_keys(c, c->engine->key_size + c->hash->key_size + CDZ_MODE_STACK);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    with_keys(c, m, tag, false);
    clear(c);
}

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    with_keys(c, m, tag, true);
    clear(c);
}

const struct cdz_mode cdz_mode_gcm_siv = {
    CDZ_MODE_NAMES("GCM-SIV"),
    .standard = "RFC 8452",
    .keys = 1,
    .flags = CDZ_MODE_HASH | CDZ_MODE_NO_192,
    .iv_min = 12,
    .iv_max = 12,
    .iv_default = 12,
    .tag_lengths = 1u << 16,
    .unit = 1,
    .max_len = UINT64_C(1) << 36,
    .max_aad = UINT64_C(1) << 36,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
