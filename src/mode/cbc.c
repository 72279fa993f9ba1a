/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CBC: NIST SP 800-38A section 6.2, on whole blocks; and CBC-PKCS7: the same with the padding of PKCS #7 (RFC 5652
 * section 6.3), which always adds 1 to 16 bytes.
 *
 * Whether a padding is right is told to the caller, and so must not be told to whoever sent the message: authenticate
 * first. The check itself takes the same time for every content.
 */
#include "batch.h"
#include "bulk.h"

void cdz_cbc_encrypt(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    if (c->engine->cbc_encrypt) {
        c->engine->cbc_encrypt(cdz_ks(c), iv, in, out, blocks);
        return;
    }
    for (; blocks; blocks--, in += 16, out += 16) {
        cdz_xor16(iv, iv, in);
        c->engine->encrypt(cdz_ks(c), iv, iv, 1);
        memcpy(out, iv, 16);
    }
}

static CDZ_KERNEL void decrypt_in_bulk(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                                       size_t blocks) {
    uint8_t buf[CDZ_BULK * 16], last[16];
    const size_t most = blocks < CDZ_BULK ? blocks : CDZ_BULK;
    while (blocks) {
        const size_t n = blocks < CDZ_BULK ? blocks : CDZ_BULK;
        c->engine->decrypt(cdz_ks(c), in, buf, n);
        memcpy(last, in + 16 * (n - 1), 16);
        /* From the end, so that in place each ciphertext block is still there when its successor needs it. */
        for (size_t i = n - 1; i; i--) cdz_xor16(out + 16 * i, buf + 16 * i, in + 16 * (i - 1));
        cdz_xor16(out, buf, iv);
        memcpy(iv, last, 16);
        in += 16 * n, out += 16 * n, blocks -= n;
    }
    cdz_wipe(buf, most * 16);
}

void cdz_cbc_decrypt(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    if (c->engine->cbc_decrypt) {
        c->engine->cbc_decrypt(cdz_ks(c), iv, in, out, blocks);
        return;
    }
    decrypt_in_bulk(c, iv, in, out, blocks);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

void cdz_cbc_mac(const struct cdz_engine *e, const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    if (e->cbc_mac) {
        e->cbc_mac(ks, x, in, blocks);
        return;
    }
    for (; blocks; blocks--, in += 16) {
        cdz_xor16(x, x, in);
        e->encrypt(ks, x, x, 1);
    }
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    uint8_t iv[16];
    (void)tag;
    memcpy(iv, m->iv, 16);
    cdz_cbc_encrypt(c, iv, m->in, m->out, m->len / 16);
}

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    uint8_t iv[16];
    (void)tag;
    memcpy(iv, m->iv, 16);
    cdz_cbc_decrypt(c, iv, m->in, m->out, m->len / 16);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    (void)iv_len;
    memcpy(c->s.chain, iv, 16);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    if (c->s.direction == CDZ_ENCRYPT)
        cdz_cbc_encrypt(c, c->s.chain, in, out, len / 16);
    else
        cdz_cbc_decrypt(c, c->s.chain, in, out, len / 16);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)c, (void)in, (void)out, (void)tag;
    *out_len = 0;
    return len ? CDZ_ERR_LENGTH : CDZ_OK;
}

/* All ones where a < b, both below 2^63. */
static uint64_t less(uint64_t a, uint64_t b) { return cdz_value_barrier(0 - ((a - b) >> 63)); }

static cdz_status finish_pkcs7(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                               uint8_t *tag) {
    (void)tag;
    uint8_t block[16];
    *out_len = 0;
    if (c->s.direction == CDZ_ENCRYPT) {
        memset(block, (int)(16 - len), 16);
        if (len) memcpy(block, in, len);
        cdz_cbc_encrypt(c, c->s.chain, block, out, 1);
        cdz_wipe(block, sizeof block);
        *out_len = 16;
        return CDZ_OK;
    }
    if (len != 16) return CDZ_ERR_LENGTH; /* an empty ciphertext has no padding either */
    cdz_cbc_decrypt(c, c->s.chain, in, block, 1);
    const uint64_t pad = block[15];
    uint64_t bad = less(pad, 1) | less(16, pad);
    for (uint64_t i = 0; i < 16; i++) bad |= less(15 - i, pad) & (block[i] ^ pad);
    bad = cdz_value_barrier(0 - ((bad | (0 - bad)) >> 63));
    memcpy(out, block, 16);
    cdz_clear_if(out, 16, bad);
    cdz_wipe(block, sizeof block);
    if (cdz_declassify_mask(bad)) return CDZ_ERR_PADDING;
    uint64_t n = 16 - pad;
    CDZ_DECLASSIFY(&n, sizeof n); /* the caller learns the length */
    *out_len = (size_t)n;
    return CDZ_OK;
}

static void batch(struct cdz_feed *f) {
    if (!f->decrypt) {
        cdz_lanes_chain(f, CDZ_CHAIN_CBC);
        return;
    }
    struct cdz_pool pool;
    struct cdz_message m;
    size_t id;
    cdz_pool_open(&pool, f->c, cdz_ks(f->c), true);
    while (cdz_feed_next(f, &m, &id)) {
        const size_t blocks = m.len / 16;
        if (cdz_pool_long(f->c, blocks)) {
            cdz_feed_direct(f, &m, id);
            continue;
        }
        if (!cdz_pool_fits(&pool, blocks)) cdz_pool_run(&pool);
        for (size_t i = 0; i < blocks; i++) {
            const size_t k = cdz_pool_add(&pool, m.out + 16 * i, 16);
            memcpy(pool.x[k], m.in + 16 * i, 16);
            memcpy(pool.y[k], i ? m.in + 16 * (i - 1) : m.iv, 16);
        }
        cdz_feed_done(f, id, NULL);
    }
    cdz_pool_close(&pool);
}

static void clean(struct cdz_cipher *c) {
    struct cdz_behind *const b = &c->behind;
    b->begin[0] = b->begin[1] = 0;
    for (size_t d = 0; d < 2; d++)
        if (d ? c->engine->cbc_decrypt : c->engine->cbc_encrypt) b->whole[d][0] = b->piece[d][0] = cdz_behind_few(c);
}

const struct cdz_mode cdz_mode_cbc = {
    CDZ_MODE_NAMES("CBC"),
    .standard = "NIST SP 800-38A",
    .keys = 1,
    .flags = CDZ_MODE_BLOCKS | CDZ_MODE_CHAIN,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 16,
    .max_len = UINT64_MAX,
    .clean = clean,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
    .begin = begin,
    .update = update,
    .finish = finish,
};

const struct cdz_mode cdz_mode_cbc_pkcs7 = {
    CDZ_MODE_NAMES("CBC-PKCS7"),
    .standard = "NIST SP 800-38A, RFC 5652 section 6.3",
    .keys = 1,
    .flags = CDZ_MODE_BLOCKS | CDZ_MODE_PADS | CDZ_MODE_CHAIN,
    .hold_decrypt = 1,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 1,
    .max_len = UINT64_MAX,
    .begin = begin,
    .update = update,
    .finish = finish_pkcs7,
};
