/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XTS: IEEE 1619, NIST SP 800-38E. The caller's key is the data key, then the tweak key; the IV is the tweak before its
 * encryption (a sector number: little-endian). A message is one data unit of 16 bytes to 2^20 blocks; the last one or
 * two blocks of a unit that is no whole number of blocks steal ciphertext:
 *
 *     ... | P[m-1]       | P[m] (r bytes)  |       CC = E(P[m-1], T[m-1]);  C[m] = first r bytes of CC
 *     ... | C[m-1]       | C[m] (r bytes)  |       C[m-1] = E(P[m] || rest of CC, T[m])
 *
 * In decryption the two tweaks change places.
 */
#include "batch.h"
#include "bulk.h"

/* t[i] = tweak * 2^i, and tweak is left as the next: in registers, for the loop is as long as its chain. */
static void tweaks(uint8_t *t, uint8_t tweak[16], size_t n) {
    uint64_t l = cdz_load_le64(tweak), h = cdz_load_le64(tweak + 8);
    for (size_t i = 0; i < n; i++) {
        cdz_store_le64(t + 16 * i, l);
        cdz_store_le64(t + 16 * i + 8, h);
        const uint64_t carry = cdz_value_barrier(0 - (h >> 63)) & 0x87;
        h = h << 1 | l >> 63;
        l = l << 1 ^ carry;
    }
    cdz_store_le64(tweak, l);
    cdz_store_le64(tweak + 8, h);
}

static CDZ_KERNEL void in_bulk(const struct cdz_cipher *c, uint8_t tweak[16], const uint8_t *in, uint8_t *out,
                               size_t blocks, bool decrypt) {
    const struct cdz_engine *e = c->engine;
    uint8_t t[CDZ_BULK * 16]; /* tweaks; the data are masked in `out` itself */
    const size_t most = blocks < CDZ_BULK ? blocks : CDZ_BULK;
    while (blocks) {
        const size_t n = blocks < CDZ_BULK ? blocks : CDZ_BULK;
        tweaks(t, tweak, n);
        cdz_xor(out, in, t, 16 * n);
        (decrypt ? e->decrypt : e->encrypt)(cdz_ks(c), out, out, n);
        cdz_xor(out, out, t, 16 * n);
        in += 16 * n, out += 16 * n, blocks -= n;
    }
    cdz_wipe(t, most * 16);
}

static void blocks_of(const struct cdz_cipher *c, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks,
                      bool decrypt) {
    const struct cdz_engine *e = c->engine;
    if (!blocks) return;
    if (decrypt ? e->xts_decrypt : e->xts_encrypt) {
        (decrypt ? e->xts_decrypt : e->xts_encrypt)(cdz_ks(c), tweak, in, out, blocks);
        return;
    }
    in_bulk(c, tweak, in, out, blocks, decrypt);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

/* The end of a unit: 16 to 31 bytes, which do not overlap with out unless they are the same. */
static void last(const struct cdz_cipher *c, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t len,
                 bool decrypt) {
    const size_t r = len - 16;
    if (!r) {
        blocks_of(c, tweak, in, out, 1, decrypt);
        return;
    }
    uint8_t next[16], full[16], stolen[16];
    cdz_double_le(next, tweak);
    /* blocks_of() moves the tweak that it is given on by one: in encryption to what the second call needs; in
     * decryption the second call needs the one that the first left alone. */
    blocks_of(c, decrypt ? next : tweak, in, full, 1, decrypt);
    memcpy(stolen, in + 16, r);
    memcpy(stolen + r, full + r, 16 - r);
    memcpy(out + 16, full, r);
    blocks_of(c, tweak, stolen, out, 1, decrypt);
    cdz_wipe(next, sizeof next);
    cdz_wipe(full, sizeof full);
    cdz_wipe(stolen, sizeof stolen);
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, bool decrypt) {
    uint8_t tweak[16];
    c->engine->encrypt(cdz_ks2(c), m->iv, tweak, 1);
    const size_t r = m->len % 16, body = r ? m->len - 16 - r : m->len;
    blocks_of(c, tweak, m->in, m->out, body / 16, decrypt);
    if (r) last(c, tweak, m->in + body, m->out + body, 16 + r, decrypt);
    cdz_wipe(tweak, sizeof tweak);
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
    c->engine->encrypt(cdz_ks2(c), iv, c->s.chain, 1);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    blocks_of(c, c->s.chain, in, out, len / 16, c->s.direction == CDZ_DECRYPT);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)tag;
    /* At least 16 bytes came in (min_len), and cipher.c has kept 16 to 31 of them. */
    last(c, c->s.chain, in, out, len, c->s.direction == CDZ_DECRYPT);
    *out_len = len;
    return CDZ_OK;
}

/* The tweaks of many units are encrypted together, then their blocks. Units that steal, and long ones, go alone. */
static void batch(struct cdz_feed *f) {
    enum { GROUP = 64 };
    struct cdz_pool tweaks, pool;
    struct cdz_message m[GROUP];
    size_t id[GROUP];
    uint8_t tweak[GROUP][16];
    bool more = true;
    cdz_pool_open(&tweaks, f->c, cdz_ks2(f->c), false);
    cdz_pool_open(&pool, f->c, cdz_ks(f->c), f->decrypt);
    while (more) {
        size_t n = 0;
        while (n < GROUP && (more = cdz_feed_next(f, &m[n], &id[n]))) {
            if (m[n].len % 16 || cdz_pool_long(f->c, m[n].len / 16)) {
                cdz_feed_direct(f, &m[n], id[n]);
                continue;
            }
            const size_t k = cdz_pool_add(&tweaks, tweak[n], 16);
            memcpy(tweaks.x[k], m[n].iv, 16);
            memset(tweaks.y[k], 0, 16);
            n++;
        }
        cdz_pool_run(&tweaks);
        for (size_t j = 0; j < n; j++) {
            const size_t blocks = m[j].len / 16;
            if (!cdz_pool_fits(&pool, blocks)) cdz_pool_run(&pool);
            for (size_t i = 0; i < blocks; i++) {
                const size_t k = cdz_pool_add(&pool, m[j].out + 16 * i, 16);
                cdz_xor16(pool.x[k], m[j].in + 16 * i, tweak[j]);
                memcpy(pool.y[k], tweak[j], 16);
                cdz_double_le(tweak[j], tweak[j]);
            }
            cdz_feed_done(f, id[j], NULL);
        }
    }
    cdz_pool_close(&pool);
    cdz_pool_close(&tweaks);
    cdz_wipe(tweak, sizeof tweak);
}

static void clean(struct cdz_cipher *c) {
    for (size_t d = 0; d < 2; d++)
        if (d ? c->engine->xts_decrypt : c->engine->xts_encrypt) c->behind.whole[d][0] = cdz_behind_few(c);
}

const struct cdz_mode cdz_mode_xts = {
    CDZ_MODE_NAMES("XTS"),
    .standard = "IEEE 1619, NIST SP 800-38E",
    .keys = 2,
    .flags = CDZ_MODE_BLOCKS | CDZ_MODE_NO_192 | CDZ_MODE_WEAK_EQUAL,
    .hold_encrypt = 16,
    .hold_decrypt = 16,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 1,
    .min_len = 16,
    .max_len = UINT64_C(16) << 20, /* 2^20 blocks a data unit */
    .clean = clean,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
    .begin = begin,
    .update = update,
    .finish = finish,
};
