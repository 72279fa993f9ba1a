/* SPDX-License-Identifier: Apache-2.0 */
/* CTR: NIST SP 800-38A section 6.5, with a counter of 128 bits, big-endian, that starts at the IV and wraps at 2^128.
 */
#include "ctr.h"

#include "batch.h"
#include "bulk.h"

static CDZ_KERNEL void secret_run(const struct cdz_engine *e, const void *ks, uint8_t ctr[16], const uint8_t *in,
                                  uint8_t *out, size_t len, enum cdz_ctr_width width) {
    /* what the carry does not reach: the upper half of l, and h, for a counter of 32 bits */
    const uint64_t keep = cdz_ctr_is_32(width) ? ~(uint64_t)UINT32_MAX : 0, carry = keep ? 0 : 1;
    uint8_t x[CDZ_BULK * 16];
    const size_t most = len < sizeof x ? (len + 15) & ~(size_t)15 : sizeof x;
    while (len) {
        const size_t n = len < sizeof x ? len : sizeof x, blocks = (n + 15) / 16;
        uint64_t h = cdz_load_be64(ctr), l = cdz_load_be64(ctr + 8);
        for (size_t i = 0; i < blocks; i++) {
            cdz_store_be64(x + 16 * i, h);
            cdz_store_be64(x + 16 * i + 8, l);
            h += (l & ~(l + 1)) >> 63 & carry;                     /* as no compiler makes it a branch */
            l = cdz_value_barrier((l & keep) | ((l + 1) & ~keep)); /* or it would count the blocks by l */
        }
        cdz_store_be64(ctr, h);
        cdz_store_be64(ctr + 8, l);
        e->encrypt(ks, x, x, blocks);
        cdz_xor(out, in, x, n);
        in += n, out += n, len -= n;
    }
    cdz_wipe(x, most);
}

void cdz_ctr_run_key(const struct cdz_engine *e, const void *ks, uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                     size_t len, enum cdz_ctr_width width) {
    if (width == CDZ_CTR_SECRET || width == CDZ_CTR_SECRET_32) {
        if (len <= 16) { /* no buffer, and nothing deep to clear */
            uint8_t x[16];
            if (!len) return;
            e->encrypt(ks, ctr, x, 1);
            cdz_ctr_add(ctr, 1, width);
            cdz_xor(out, in, x, len);
            cdz_wipe(x, sizeof x);
            return;
        }
        secret_run(e, ks, ctr, in, out, len, width);
        cdz_leave_nothing(CDZ_BULK_STACK + e->stack);
        return;
    }
    while (len) {
        const size_t n = cdz_ctr_room(ctr, len);
        e->ctr(ks, ctr, in, out, n);
        cdz_ctr_add(ctr, (n + 15) / 16, width);
        in += n, out += n, len -= n;
    }
}

void cdz_ctr_run(const struct cdz_cipher *c, uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len,
                 enum cdz_ctr_width width) {
    cdz_ctr_run_key(c->engine, cdz_ks(c), ctr, in, out, len, width);
}

void cdz_ctr32le_run(const struct cdz_engine *e, const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                     size_t len) {
    uint8_t block[16];
    uint32_t at = cdz_load_le32(ctr);
    while (len) {
        const size_t room = (size_t)(65536 - (at & 0xffff)) * 16, n = len < room ? len : room;
        cdz_store_le128(block, at | (uint64_t)cdz_load_le32(ctr + 4) << 32, cdz_load_le64(ctr + 8));
        e->ctr32le(ks, block, in, out, n);
        at += (uint32_t)((n + 15) / 16); /* wraps modulo 2^32 (RFC 8452, 4) */
        in += n, out += n, len -= n;
    }
}

void cdz_ctr_stream(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len, enum cdz_ctr_width width) {
    struct cdz_stream *s = &c->s;
    if (s->used && len) {
        if (!s->fresh) {
            uint8_t ctr[16];
            memcpy(ctr, s->chain, 16);
            cdz_ctr_back(ctr, width);
            c->engine->encrypt(cdz_ks(c), ctr, s->keystream, 1);
            s->fresh = 1;
        }
        const size_t left = 16u - s->used, n = len < left ? len : left;
        cdz_xor(out, in, s->keystream + s->used, n);
        s->used = (uint8_t)((s->used + n) & 15);
        in += n, out += n, len -= n;
    }
    if (!len) return;
    cdz_ctr_run(c, s->chain, in, out, len, width);
    s->used = (uint8_t)(len & 15);
    s->fresh = 0;
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    (void)tag;
    const size_t room = cdz_ctr_room(m->iv, m->len);
    if (room == m->len) { /* the usual case, without a copy of the IV */
        c->engine->ctr(cdz_ks(c), m->iv, m->in, m->out, m->len);
        return;
    }
    uint8_t ctr[16];
    memcpy(ctr, m->iv, 16);
    cdz_ctr_run(c, ctr, m->in, m->out, m->len, CDZ_CTR_128);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    (void)iv_len;
    memcpy(c->s.chain, iv, 16);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    cdz_ctr_stream(c, in, out, len, CDZ_CTR_128);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)c, (void)in, (void)len, (void)out, (void)tag;
    *out_len = 0;
    return CDZ_OK;
}

static void batch(struct cdz_feed *f) {
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
        uint8_t ctr[16];
        if (m.len) memcpy(ctr, m.iv, 16);
        for (size_t at = 0; at < m.len; at += 16) {
            const size_t n = m.len - at < 16 ? m.len - at : 16, k = cdz_pool_add(&pool, m.out + at, n);
            memcpy(pool.x[k], ctr, 16);
            memcpy(pool.y[k], m.in + at, n);
            cdz_ctr_add(ctr, 1, CDZ_CTR_128);
        }
        cdz_feed_done(f, id, NULL);
    }
    cdz_pool_close(&pool);
}

void cdz_clean_ctr_mac(struct cdz_cipher *c) {
    const struct cdz_engine *const e = c->engine;
    if (!e->ctr_mac) return;
    const uint16_t deep = (uint16_t)(CDZ_MODE_STACK / 2 + (e->few_stack ? e->few_stack : e->stack));
    for (size_t d = 0; d < 2; d++) c->behind.whole[d][0] = c->behind.whole[d][1] = deep;
}

static void clean(struct cdz_cipher *c) {
    struct cdz_behind *const b = &c->behind;
    b->begin[0] = b->begin[1] = 0;
    for (size_t d = 0; d < 2; d++)
        for (size_t part = 0; part < 2; part++) b->whole[d][part] = b->piece[d][part] = cdz_behind_few(c);
}

const struct cdz_mode cdz_mode_ctr = {
    CDZ_MODE_NAMES("CTR"),
    .standard = "NIST SP 800-38A",
    .keys = 1,
    .flags = CDZ_MODE_CHAIN,
    .iv_min = 16,
    .iv_max = 16,
    .iv_default = 16,
    .unit = 1,
    .max_len = UINT64_MAX,
    .clean = clean,
    .encrypt = whole,
    .decrypt = whole,
    .batch = batch,
    .begin = begin,
    .update = update,
    .finish = finish,
};
