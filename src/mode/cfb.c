/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CFB: NIST SP 800-38A section 6.3 with segments of 128 bits; the last one may be shorter, as everywhere in practice.
 *
 * The register between pieces is one array: the bytes before `used` are ciphertext already, those from there on
 * keystream.
 */
#include "batch.h"
#include "bulk.h"

static void encrypt_blocks(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    if (c->engine->cfb_encrypt) {
        c->engine->cfb_encrypt(cdz_ks(c), iv, in, out, blocks);
        return;
    }
    for (; blocks; blocks--, in += 16, out += 16) {
        c->engine->encrypt(cdz_ks(c), iv, iv, 1);
        cdz_xor16(iv, iv, in);
        memcpy(out, iv, 16);
    }
}

static CDZ_KERNEL void decrypt_in_bulk(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                                       size_t blocks) {
    uint8_t buf[CDZ_BULK * 16];
    const size_t most = blocks < CDZ_BULK ? blocks : CDZ_BULK;
    while (blocks) {
        const size_t n = blocks < CDZ_BULK ? blocks : CDZ_BULK;
        memcpy(buf, iv, 16);
        memcpy(buf + 16, in, 16 * (n - 1));
        memcpy(iv, in + 16 * (n - 1), 16);
        c->engine->encrypt(cdz_ks(c), buf, buf, n);
        cdz_xor(out, in, buf, 16 * n);
        in += 16 * n, out += 16 * n, blocks -= n;
    }
    cdz_wipe(buf, most * 16);
}

static void decrypt_blocks(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    if (c->engine->cfb_decrypt) {
        c->engine->cfb_decrypt(cdz_ks(c), iv, in, out, blocks);
        return;
    }
    decrypt_in_bulk(c, iv, in, out, blocks);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

/* n bytes within one block: reg[at...] goes from keystream to ciphertext. */
static void bytes(uint8_t *reg, size_t at, const uint8_t *in, uint8_t *out, size_t n, bool decrypt) {
    for (size_t i = 0; i < n; i++) {
        const uint8_t x = in[i], y = x ^ reg[at + i];
        out[i] = y;
        reg[at + i] = decrypt ? x : y;
    }
}

/* Any length, from register position *used on. */
static void crypt(const struct cdz_cipher *c, uint8_t reg[16], uint8_t *used, const uint8_t *in, uint8_t *out,
                  size_t len, bool decrypt) {
    if (*used) {
        const size_t left = 16u - *used, n = len < left ? len : left;
        bytes(reg, *used, in, out, n, decrypt);
        *used = (uint8_t)((*used + n) & 15);
        in += n, out += n, len -= n;
    }
    const size_t blocks = len / 16;
    if (blocks) {
        if (decrypt)
            decrypt_blocks(c, reg, in, out, blocks);
        else
            encrypt_blocks(c, reg, in, out, blocks);
        in += 16 * blocks, out += 16 * blocks, len -= 16 * blocks;
    }
    if (len) {
        c->engine->encrypt(cdz_ks(c), reg, reg, 1);
        bytes(reg, 0, in, out, len, decrypt);
        *used = (uint8_t)len;
    }
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, bool decrypt) {
    uint8_t reg[16], used = 0;
    memcpy(reg, m->iv, 16);
    crypt(c, reg, &used, m->in, m->out, m->len, decrypt);
    cdz_wipe(reg, sizeof reg);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    (void)tag;
    whole(c, m, false);
}

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    (void)tag;
    whole(c, m, true);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    (void)iv_len;
    memcpy(c->s.chain, iv, 16);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    crypt(c, c->s.chain, &c->s.used, in, out, len, c->s.direction == CDZ_DECRYPT);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)c, (void)in, (void)len, (void)out, (void)tag;
    *out_len = 0;
    return CDZ_OK;
}

static void batch(struct cdz_feed *f) {
    if (!f->decrypt) {
        cdz_lanes_chain(f, CDZ_CHAIN_CFB);
        return;
    }
    struct cdz_pool pool;
    struct cdz_message m;
    size_t id;
    cdz_pool_open(&pool, f->c, cdz_ks(f->c), false);
    while (cdz_feed_next(f, &m, &id)) {
        if (cdz_pool_long(f->c, m.len / 16 + (m.len % 16 > 0))) {
            cdz_feed_direct(f, &m, id);
            continue;
        }
        if (!cdz_pool_fits(&pool, m.len / 16 + 1)) cdz_pool_run(&pool);
        for (size_t at = 0; at < m.len; at += 16) {
            const size_t n = m.len - at < 16 ? m.len - at : 16, k = cdz_pool_add(&pool, m.out + at, n);
            memcpy(pool.x[k], at ? m.in + at - 16 : m.iv, 16);
            memcpy(pool.y[k], m.in + at, n);
        }
        cdz_feed_done(f, id, NULL);
    }
    cdz_pool_close(&pool);
}

static void clean(struct cdz_cipher *c) {
    struct cdz_behind *const b = &c->behind;
    for (size_t d = 0; d < 2; d++)
        if (d ? c->engine->cfb_decrypt : c->engine->cfb_encrypt) b->whole[d][0] = b->piece[d][0] = cdz_behind_few(c);
}

const struct cdz_mode cdz_mode_cfb = {
    CDZ_MODE_NAMES("CFB"),
    .standard = "NIST SP 800-38A",
    .keys = 1,
    .flags = CDZ_MODE_CHAIN,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 1,
    .max_len = UINT64_MAX,
    .clean = clean,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
    .begin = begin,
    .update = update,
    .finish = finish,
};
