/* SPDX-License-Identifier: Apache-2.0 */
/* ECB: NIST SP 800-38A section 6.1. Whole blocks; for building other things, not for messages. */
#include "batch.h"

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    (void)tag;
    c->engine->encrypt(cdz_ks(c), m->in, m->out, m->len / 16);
}

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    (void)tag;
    c->engine->decrypt(cdz_ks(c), m->in, m->out, m->len / 16);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) { (void)c, (void)iv, (void)iv_len; }

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    if (c->s.direction == CDZ_ENCRYPT)
        c->engine->encrypt(cdz_ks(c), in, out, len / 16);
    else
        c->engine->decrypt(cdz_ks(c), in, out, len / 16);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)c, (void)in, (void)out, (void)tag;
    *out_len = 0;
    return len ? CDZ_ERR_LENGTH : CDZ_OK;
}

static void batch(struct cdz_feed *f) {
    struct cdz_pool pool;
    struct cdz_message m;
    size_t id;
    cdz_pool_open(&pool, f->c, cdz_ks(f->c), f->decrypt);
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
            memset(pool.y[k], 0, 16);
        }
        cdz_feed_done(f, id, NULL);
    }
    cdz_pool_close(&pool);
}

static void clean(struct cdz_cipher *c) {
    struct cdz_behind *const b = &c->behind;
    b->begin[0] = b->begin[1] = 0;
    for (size_t d = 0; d < 2; d++) b->whole[d][0] = b->piece[d][0] = cdz_behind_few(c);
}

const struct cdz_mode cdz_mode_ecb = {
    CDZ_MODE_NAMES("ECB"),
    .standard = "NIST SP 800-38A",
    .keys = 1,
    .flags = CDZ_MODE_BLOCKS,
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
