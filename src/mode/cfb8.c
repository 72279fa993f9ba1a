/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CFB8 and CFB1: CFB (NIST SP 800-38A section 6.3) with segments of one byte and of one bit. A block operation for each
 * segment, so these are 16 and 128 times slower than CFB; they are here for what was encrypted with them.
 *
 * CFB1 takes the bits of a byte from the most significant on. Its messages are whole bytes here, as they are in
 * OpenSSL unless a caller asks for lengths in bits.
 *
 * The register is the last 128 bits of IV and ciphertext. Decryption knows all of it beforehand, so many registers are
 * cut out of the ciphertext and encrypted together; encryption is serial.
 */
#include "bulk.h"

/* The register moves on by one segment. */
static void shift8(uint8_t reg[16], uint8_t segment) {
    memmove(reg, reg + 1, 15);
    reg[15] = segment;
}

static void shift1(uint8_t reg[16], uint8_t bit) {
    const uint64_t h = cdz_load_be64(reg), l = cdz_load_be64(reg + 8);
    cdz_store_be64(reg, h << 1 | l >> 63);
    cdz_store_be64(reg + 8, l << 1 | bit);
}

static void encrypt8(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out, size_t len) {
    uint8_t e[16];
    for (size_t i = 0; i < len; i++) {
        c->engine->encrypt(cdz_ks(c), reg, e, 1);
        out[i] = in[i] ^ e[0];
        shift8(reg, out[i]);
    }
    cdz_wipe(e, sizeof e);
}

static CDZ_KERNEL void in_bulk8(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out,
                                size_t len) {
    uint8_t x[CDZ_BULK * 16];
    const size_t most = len < CDZ_BULK ? len : CDZ_BULK;
    while (len) {
        const size_t n = len < CDZ_BULK ? len : CDZ_BULK;
        for (size_t i = 0; i < n; i++) {
            memcpy(x + 16 * i, reg, 16);
            shift8(reg, in[i]);
        }
        c->engine->encrypt(cdz_ks(c), x, x, n);
        for (size_t i = 0; i < n; i++) out[i] = in[i] ^ x[16 * i];
        in += n, out += n, len -= n;
    }
    cdz_wipe(x, most * 16);
}

static void decrypt8(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out, size_t len) {
    in_bulk8(c, reg, in, out, len);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

static void encrypt1(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out, size_t len) {
    uint8_t e[16];
    for (size_t i = 0; i < len; i++) {
        const uint8_t x = in[i];
        uint8_t y = 0;
        for (unsigned bit = 8; bit-- > 0;) {
            c->engine->encrypt(cdz_ks(c), reg, e, 1);
            const uint8_t b = (x >> bit ^ e[0] >> 7) & 1;
            y = (uint8_t)(y | b << bit);
            shift1(reg, b);
        }
        out[i] = y;
    }
    cdz_wipe(e, sizeof e);
}

static CDZ_KERNEL void in_bulk1(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out,
                                size_t len) {
    enum { MOST = CDZ_BULK / 8 }; /* bytes at a time */
    uint8_t x[CDZ_BULK * 16];
    const size_t most = len < MOST ? len : MOST;
    while (len) {
        const size_t n = len < MOST ? len : MOST;
        for (size_t i = 0; i < 8 * n; i++) {
            memcpy(x + 16 * i, reg, 16);
            shift1(reg, in[i / 8] >> (7 - i % 8) & 1);
        }
        c->engine->encrypt(cdz_ks(c), x, x, 8 * n);
        for (size_t i = 0; i < n; i++) {
            uint8_t y = in[i];
            for (unsigned bit = 0; bit < 8; bit++) y ^= (uint8_t)(x[16 * (8 * i + bit)] >> 7 << (7 - bit));
            out[i] = y;
        }
        in += n, out += n, len -= n;
    }
    cdz_wipe(x, most * 8 * 16);
}

static void decrypt1(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out, size_t len) {
    in_bulk1(c, reg, in, out, len);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

/* Both modes come as the same handful of functions around their crypt. */
#define CFB_FUNCTIONS(bits)                                                                                            \
    static void whole_encrypt##bits(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {           \
        uint8_t reg[16];                                                                                               \
        (void)tag;                                                                                                     \
        memcpy(reg, m->iv, 16);                                                                                        \
        encrypt##bits(c, reg, m->in, m->out, m->len);                                                                  \
    }                                                                                                                  \
    static void whole_decrypt##bits(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {           \
        uint8_t reg[16];                                                                                               \
        (void)tag;                                                                                                     \
        memcpy(reg, m->iv, 16);                                                                                        \
        decrypt##bits(c, reg, m->in, m->out, m->len);                                                                  \
    }                                                                                                                  \
    static void update##bits(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {                      \
        (c->s.direction == CDZ_ENCRYPT ? encrypt##bits : decrypt##bits)(c, c->s.chain, in, out, len);                  \
    }
CFB_FUNCTIONS(8)
CFB_FUNCTIONS(1)

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    (void)iv_len;
    memcpy(c->s.chain, iv, 16);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)c, (void)in, (void)len, (void)out, (void)tag;
    *out_len = 0;
    return CDZ_OK;
}

const struct cdz_mode cdz_mode_cfb8 = {
    CDZ_MODE_NAMES("CFB8"),
    .standard = "NIST SP 800-38A",
    .keys = 1,
    .flags = CDZ_MODE_CHAIN,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 1,
    .max_len = UINT64_MAX,
    .encrypt = whole_encrypt8,
    .decrypt = whole_decrypt8,
    .begin = begin,
    .update = update8,
    .finish = finish,
};

const struct cdz_mode cdz_mode_cfb1 = {
    CDZ_MODE_NAMES("CFB1"),
    .standard = "NIST SP 800-38A",
    .keys = 1,
    .flags = CDZ_MODE_CHAIN,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 1,
    .max_len = UINT64_MAX,
    .encrypt = whole_encrypt1,
    .decrypt = whole_decrypt1,
    .begin = begin,
    .update = update1,
    .finish = finish,
};
