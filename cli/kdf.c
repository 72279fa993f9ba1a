/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of one file: see kdf.h for the formulas and docs/file-format.md for the reasons.
 *
 * References: Bellare and Hoang, "Efficient Schemes for Committing Authenticated Encryption" (Eurocrypt 2022), the
 * committing PRF from a block cipher; NIST SP 800-108r1, section 4.1; NIST SP 800-38B (CMAC).
 */
#include "kdf.h"

#include "cli.h"

#include <string.h>

static const char tag_label[] = "cadenza header", chunk_label[] = "cadenza chunks", id_label[] = "cadenza key id";
enum { LABEL = sizeof tag_label - 1, CMAC_INPUT = 4 + LABEL + 1 + FORMAT_SIGNED + 4 };
_Static_assert(sizeof chunk_label == sizeof tag_label, "both labels have one length, so that the input has one, too");
_Static_assert(sizeof id_label - 1 < FORMAT_SALT, "fits a block, and its last byte is 0, which no X(i) has");

static int block_cipher(cdz_cipher **c, const uint8_t key[MASTER_KEY]) {
    const cdz_status s = cdz_cipher_new(c, "ARIA-256-ECB", key, MASTER_KEY);
    return s == CDZ_OK ? DONE : fail_status(s, "ARIA-256");
}

static int encrypt_block(const cdz_cipher *c, const uint8_t in[16], uint8_t out[16]) {
    const cdz_status s = cdz_encrypt(c, NULL, 0, NULL, 0, in, 16, out, NULL, 0);
    return s == CDZ_OK ? DONE : fail_status(s, "ARIA-256");
}

/* out = in * x in GF(2^128), polynomial 0x87, without a branch on the secret. */
static void double_block(uint8_t out[16], const uint8_t in[16]) {
    const uint8_t carry = (uint8_t)(0 - (in[0] >> 7));
    for (int i = 0; i < 15; i++) out[i] = (uint8_t)(in[i] << 1 | in[i + 1] >> 7);
    out[15] = (uint8_t)(in[15] << 1 ^ (carry & 0x87));
}

static int cmac(const cdz_cipher *c, const uint8_t *in, size_t len, uint8_t out[16]) {
    uint8_t x[16] = {0}, k[16] = {0};
    int e = encrypt_block(c, k, k);
    double_block(k, k);
    for (; e == DONE && len > 16; len -= 16, in += 16) {
        for (int i = 0; i < 16; i++) x[i] ^= in[i];
        e = encrypt_block(c, x, x);
    }
    if (len < 16) { /* not a full last block: padded, and masked with the second subkey */
        double_block(k, k);
        x[len] ^= 0x80;
    }
    for (size_t i = 0; i < len; i++) x[i] ^= in[i];
    for (int i = 0; i < 16; i++) x[i] ^= k[i];
    if (e == DONE) e = encrypt_block(c, x, out);
    wipe(x, sizeof x);
    wipe(k, sizeof k);
    return e;
}

static int derive(const cdz_cipher *root, const char *label, const uint8_t header[FORMAT_SIGNED], uint8_t *out,
                  size_t len) {
    uint8_t in[CMAC_INPUT], block[16];
    memcpy(in + 4, label, LABEL + 1); /* its NUL is the zero byte between label and context */
    memcpy(in + 4 + LABEL + 1, header, FORMAT_SIGNED);
    put_be32(in + CMAC_INPUT - 4, (uint32_t)(8 * len));
    int e = DONE;
    for (uint32_t i = 1; e == DONE && len > 0; i++) {
        const size_t n = len < 16 ? len : 16;
        put_be32(in, i);
        e = cmac(root, in, sizeof in, block);
        memcpy(out, block, n);
        out += n;
        len -= n;
    }
    wipe(block, sizeof block);
    return e;
}

int kdf_key_id(const uint8_t master[MASTER_KEY], uint8_t id[FORMAT_KEY_ID]) {
    uint8_t x[16] = {0}, y[16];
    cdz_cipher *c;
    memcpy(x, id_label, sizeof id_label - 1);
    int e = block_cipher(&c, master);
    if (e != DONE) return e;
    e = encrypt_block(c, x, y);
    cdz_cipher_free(c);
    for (int i = 0; i < FORMAT_KEY_ID; i++) id[i] = y[i] ^ x[i];
    return e;
}

/* commitment | file root */
static int committing_prf(const uint8_t master[MASTER_KEY], const uint8_t salt[FORMAT_SALT],
                          uint8_t commitment[FORMAT_COMMITMENT], uint8_t root[MASTER_KEY]) {
    cdz_cipher *c;
    uint8_t x[16];
    int e = block_cipher(&c, master);
    if (e != DONE) return e;
    memcpy(x, salt, 15);
    for (uint8_t i = 1; e == DONE && i <= 4; i++) {
        uint8_t *const y = i <= 2 ? commitment + 16 * (i - 1) : root + 16 * (i - 3);
        x[15] = i;
        e = encrypt_block(c, x, y);
        if (i <= 2)
            for (int j = 0; j < 16; j++) y[j] ^= x[j];
    }
    cdz_cipher_free(c);
    return e;
}

/* The header's tag, and the keys of the chunks, by the file root. */
static int expand(const struct file_header *h, const uint8_t root[MASTER_KEY], uint8_t tag[FORMAT_TAG],
                  struct file_keys *k) {
    uint8_t bytes[FORMAT_HEADER], keys[32 + FORMAT_NONCE_PREFIX];
    char name[FORMAT_NAME_MAX];
    cdz_cipher *c;
    header_encode(h, bytes);
    format_cipher_name(h, name);
    int e = block_cipher(&c, root);
    if (e != DONE) return e;
    e = derive(c, tag_label, bytes, tag, FORMAT_TAG);
    if (e == DONE) e = derive(c, chunk_label, bytes, keys, (size_t)h->key_len + FORMAT_NONCE_PREFIX);
    cdz_cipher_free(c);
    if (e == DONE) {
        const cdz_status s = cdz_cipher_new(&k->aead, name, keys, h->key_len);
        memcpy(k->prefix, keys + h->key_len, FORMAT_NONCE_PREFIX);
        if (s == CDZ_ERR_NAME)
            e = fail(FAIL_UNSUPPORTED, "this build of cadenza does not have %s", name);
        else if (s != CDZ_OK)
            e = fail_status(s, name);
    }
    wipe(keys, sizeof keys);
    return e;
}

int kdf_seal(struct file_header *h, const uint8_t master[MASTER_KEY], struct file_keys *k) {
    uint8_t root[MASTER_KEY];
    int e = committing_prf(master, h->salt, h->commitment, root);
    if (e == DONE) e = expand(h, root, h->tag, k);
    wipe(root, sizeof root);
    return e;
}

int kdf_open(const struct file_header *h, const uint8_t master[MASTER_KEY], struct file_keys *k) {
    uint8_t commitment[FORMAT_COMMITMENT], tag[FORMAT_TAG], root[MASTER_KEY];
    int e = committing_prf(master, h->salt, commitment, root);
    if (e == DONE && !equal_ct(commitment, h->commitment, sizeof commitment))
        e = fail(FAIL_KEY,
                 h->source == FORMAT_ARGON2ID
                     ? "the passphrase is wrong (or the header was damaged)"
                     : "the key file is not the one that this file was encrypted with (or the header was damaged)");
    if (e == DONE) {
        e = expand(h, root, tag, k);
        if (e == DONE && !equal_ct(tag, h->tag, sizeof tag)) {
            file_keys_free(k);
            e = fail(FAIL_HEADER, "the header was changed after the file was encrypted");
        }
    }
    wipe(root, sizeof root);
    return e;
}

void file_keys_free(struct file_keys *k) {
    cdz_cipher_free(k->aead);
    wipe(k, sizeof *k);
}
