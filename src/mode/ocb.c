/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OCB: RFC 7253. Nonces of 1 to 15 bytes; tags of 8, 12 and 16 bytes, whose length goes into the nonce block, so that
 * it must be known at the start.
 *
 *     L_* = E(0)   L_$ = 2 L_*   L[0] = 2 L_$   L[i] = 2 L[i-1]           in GF(2^128), once a key
 *     Ktop = E(nonce block without its last 6 bits); those bits choose which 128 of Ktop's 192 stretched bits are
 *     offset[0];  offset[i] = offset[i-1] ^ L[trailing zeros of i]
 *     C[i] = E(P[i] ^ offset[i]) ^ offset[i];   a partial last block: P ^ E(offset[m] ^ L_*)
 *     tag = E(checksum of the plaintext ^ last offset ^ L_$) ^ HASH(AAD)
 *
 * Everything is parallel but Ktop, which comes before all else. The tag's block needs only the plaintext: so a short
 * message is two batches when encrypted (Ktop and the AAD, which does not depend on the nonce; the rest).
 *
 * A message has less than 2^32 whole blocks: L[0] to L[31] are all that is ever needed.
 *
 * Streaming state: extra[0] = the data's offset, extra[1] = the AAD's, acc = checksum, acc2 = sum of the AAD, part and
 * aad_used = an unfinished block of AAD, blocks = blocks of data so far.
 */
#include "batch.h"
#include "bulk.h"

enum {
    L_COUNT = 32,
    SHORT = 62,    /* blocks: with a partial one and the tag's 64, one batch of the widest engine */
    SHORTER = 14,  /* so few that their buffers are not worth clearing up behind on their own */
    SHORT_AAD = 15 /* blocks of AAD that go with Ktop */
};

struct area {
    uint8_t star[16], dollar[16];
    uint8_t l[L_COUNT][16];
};

static void setup(struct cdz_cipher *c) {
    struct area *a = cdz_mode_area(c);
    memset(a->star, 0, 16);
    c->engine->encrypt(cdz_ks(c), a->star, a->star, 1);
    cdz_double_be(a->dollar, a->star);
    cdz_double_be(a->l[0], a->dollar);
    for (int i = 1; i < L_COUNT; i++) cdz_double_be(a->l[i], a->l[i - 1]);
}

/* The block that Ktop is made of (4.2), less its last 6 bits, which are returned. */
static unsigned nonce_block(uint8_t block[16], const uint8_t *iv, size_t iv_len, size_t tag_len) {
    uint64_t high = (uint64_t)(tag_len * 8 % 128) << 57, low;
    if (iv_len == 12) { /* in words: one block's latency is saved against bytes, which the cipher has to wait for */
        high |= UINT64_C(1) << 32 | cdz_load_be32(iv);
        low = cdz_load_be64(iv + 4);
    } else {
        uint8_t bytes[16] = {0};
        memcpy(bytes + 16 - iv_len, iv, iv_len);
        bytes[15 - iv_len] |= 1;
        high |= cdz_load_be64(bytes);
        low = cdz_load_be64(bytes + 8);
    }
    cdz_store_be128(block, high, low & ~UINT64_C(63));
    return low & 63;
}

/* offset[0]: 128 bits of Ktop || (Ktop's first 64 bits ^ the 64 that begin 8 bits later), from bit `bottom` on. */
static void first_offset(uint8_t offset[16], const uint8_t ktop[16], unsigned bottom) {
    const uint64_t a = cdz_load_be64(ktop), b = cdz_load_be64(ktop + 8), s = a ^ (a << 8 | b >> 56);
    /* Two shifts, since one by 64 - 0 would be too far. */
    cdz_store_be128(offset, a << bottom | b >> 1 >> (63 - bottom), b << bottom | s >> 1 >> (63 - bottom));
}

static void xor_blocks(uint8_t sum[16], const uint8_t *in, size_t blocks) {
    for (; blocks; blocks--, in += 16) cdz_xor16(sum, sum, in);
}

/* Offsets of `blocks` blocks from number `index` on to o (unless NULL), the blocks masked with them to x, and their sum
 * (unless NULL). What is carried from block to block stays in registers: through memory it would be the slowest part.
 */
static inline void mask_blocks(const struct area *a, uint64_t index, uint8_t offset[16], uint8_t *sum,
                               const uint8_t *in, uint8_t *x, uint8_t *o, size_t blocks) {
    typedef uint64_t block __attribute__((vector_size(16)));
    block f, l, p, s = {0};
    memcpy(&f, offset, 16);
    for (size_t i = 0; i < blocks; i++) {
        memcpy(&l, a->l[__builtin_ctzll(index + i)], 16);
        memcpy(&p, in + 16 * i, 16);
        f ^= l;
        s ^= p;
        p ^= f;
        if (o) memcpy(o + 16 * i, &f, 16);
        memcpy(x + 16 * i, &p, 16);
    }
    memcpy(offset, &f, 16);
    if (sum) {
        memcpy(&p, sum, 16);
        s ^= p;
        memcpy(sum, &s, 16);
    }
}

/* out ^= o, and the sum of that. */
static inline void unmask_blocks(uint8_t *sum, const uint8_t *x, const uint8_t *o, uint8_t *out, size_t blocks) {
    typedef uint64_t block __attribute__((vector_size(16)));
    block f, p, s = {0};
    for (size_t i = 0; i < blocks; i++) {
        memcpy(&p, x + 16 * i, 16);
        memcpy(&f, o + 16 * i, 16);
        p ^= f;
        s ^= p;
        memcpy(out + 16 * i, &p, 16);
    }
    if (sum) {
        memcpy(&p, sum, 16);
        s ^= p;
        memcpy(sum, &s, 16);
    }
}

static CDZ_KERNEL void data_in_bulk(const struct cdz_cipher *c, uint64_t index, uint8_t offset[16], uint8_t sum[16],
                                    const uint8_t *in, uint8_t *out, size_t blocks, bool decrypt) {
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_engine *e = c->engine;
    uint8_t o[CDZ_BULK * 16];
    const size_t most = blocks < CDZ_BULK ? blocks : CDZ_BULK;
    while (blocks) {
        const size_t n = blocks < CDZ_BULK ? blocks : CDZ_BULK;
        mask_blocks(a, index, offset, decrypt ? NULL : sum, in, out, o, n);
        (decrypt ? e->decrypt : e->encrypt)(cdz_ks(c), out, out, n);
        unmask_blocks(decrypt ? sum : NULL, out, o, out, n);
        index += n, in += 16 * n, out += 16 * n, blocks -= n;
    }
    cdz_wipe(o, most * 16);
}

/* Blocks `index` (from 1) to index + blocks - 1 of the data. */
static void data_blocks(const struct cdz_cipher *c, uint64_t index, uint8_t offset[16], uint8_t sum[16],
                        const uint8_t *in, uint8_t *out, size_t blocks, bool decrypt) {
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_engine *e = c->engine;
    if (!blocks) return;
    if (decrypt ? e->ocb_decrypt : e->ocb_encrypt) {
        (decrypt ? e->ocb_decrypt : e->ocb_encrypt)(cdz_ks(c), a->l, index, offset, sum, in, out, blocks);
        return;
    }
    data_in_bulk(c, index, offset, sum, in, out, blocks, decrypt);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

static CDZ_KERNEL void aad_in_bulk(const struct cdz_cipher *c, uint64_t index, uint8_t offset[16], uint8_t sum[16],
                                   const uint8_t *in, size_t blocks) {
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_engine *e = c->engine;
    uint8_t x[CDZ_BULK * 16];
    const size_t most = blocks < CDZ_BULK ? blocks : CDZ_BULK;
    while (blocks) {
        const size_t n = blocks < CDZ_BULK ? blocks : CDZ_BULK;
        mask_blocks(a, index, offset, NULL, in, x, NULL, n);
        e->encrypt(cdz_ks(c), x, x, n);
        xor_blocks(sum, x, n);
        index += n, in += 16 * n, blocks -= n;
    }
    cdz_wipe(x, most * 16);
}

static void aad_blocks(const struct cdz_cipher *c, uint64_t index, uint8_t offset[16], uint8_t sum[16],
                       const uint8_t *in, size_t blocks) {
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_engine *e = c->engine;
    if (!blocks) return;
    if (e->ocb_aad) {
        e->ocb_aad(cdz_ks(c), a->l, index, offset, sum, in, blocks);
        return;
    }
    aad_in_bulk(c, index, offset, sum, in, blocks);
    cdz_clear_behind(c, CDZ_BULK_STACK);
}

/* x ^= the last block of AAD or of a checksum, of n < 16 bytes, padded with a one bit and zeros. */
static void xor_padded(uint8_t x[16], const uint8_t *in, size_t n) {
    cdz_xor(x, x, in, n);
    x[n] ^= 0x80;
}

static void aad_last(const struct cdz_cipher *c, const uint8_t offset[16], uint8_t sum[16], const uint8_t *in,
                     size_t n) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t x[16];
    if (!n) return;
    cdz_xor16(x, offset, a->star);
    xor_padded(x, in, n);
    c->engine->encrypt(cdz_ks(c), x, x, 1);
    cdz_xor16(sum, sum, x);
    cdz_wipe(x, sizeof x);
}

/* A partial last block of data, n < 16 bytes. */
static void data_last(const struct cdz_cipher *c, uint8_t offset[16], uint8_t sum[16], const uint8_t *in, uint8_t *out,
                      size_t n, bool decrypt) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t pad[16];
    if (!n) return;
    cdz_xor16(offset, offset, a->star);
    c->engine->encrypt(cdz_ks(c), offset, pad, 1);
    if (!decrypt) xor_padded(sum, in, n);
    cdz_xor(out, in, pad, n);
    if (decrypt) xor_padded(sum, out, n);
    cdz_wipe(pad, sizeof pad);
}

static void make_tag(const struct cdz_cipher *c, const uint8_t offset[16], const uint8_t checksum[16],
                     const uint8_t aad_sum[16], uint8_t tag[16]) {
    const struct area *a = cdz_mode_area_c(c);
    cdz_xor16(tag, checksum, offset);
    cdz_xor16(tag, tag, a->dollar);
    c->engine->encrypt(cdz_ks(c), tag, tag, 1);
    cdz_xor16(tag, tag, aad_sum);
}

/* offset[0] and HASH(AAD). */
static void start(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t offset[16], uint8_t aad_sum[16]) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t x[(1 + SHORT_AAD) * 16], o[16] = {0};
    const unsigned bottom = nonce_block(x, m->iv, m->iv_len, m->tag_len);
    const size_t whole = m->aad_len / 16, rest = m->aad_len % 16;
    size_t n = 1;
    memset(aad_sum, 0, 16);
    if (m->aad_len && m->aad_len <= SHORT_AAD * 16) {
        mask_blocks(a, 1, o, NULL, m->aad, x + 16, NULL, whole);
        n += whole;
        if (rest) {
            cdz_xor16(x + 16 * n, o, a->star);
            xor_padded(x + 16 * n, m->aad + 16 * whole, rest);
            n++;
        }
    } else if (m->aad_len) {
        aad_blocks(c, 1, o, aad_sum, m->aad, whole);
        aad_last(c, o, aad_sum, rest ? m->aad + 16 * whole : NULL, rest);
    }
    c->engine->encrypt(cdz_ks(c), x, x, n);
    xor_blocks(aad_sum, x + 16, n - 1);
    first_offset(offset, x, bottom);
    cdz_wipe(x, 16 * n);
}

/* All whole blocks, the partial one's pad and the tag in one batch: in x, of two blocks more than the message has whole
 * ones, and their offsets in o. */
CDZ_INLINE void gather(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *x, uint8_t *o,
                       uint8_t offset[16], const uint8_t aad_sum[16], uint8_t tag[16]) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t sum[16] = {0};
    const size_t whole = m->len / 16, rest = m->len % 16;
    size_t n = whole;
    if (whole) mask_blocks(a, 1, offset, sum, m->in, x, o, whole);
    if (rest) {
        cdz_xor16(offset, offset, a->star);
        memcpy(x + 16 * n++, offset, 16);
        xor_padded(sum, m->in + 16 * whole, rest);
    }
    cdz_xor16(sum, sum, offset);
    cdz_xor16(x + 16 * n++, sum, a->dollar);
    c->engine->encrypt(cdz_ks(c), x, x, n);
    cdz_xor16(tag, x + 16 * (n - 1), aad_sum);
    if (rest) cdz_xor(m->out + 16 * whole, m->in + 16 * whole, x + 16 * whole, rest);
    if (whole) unmask_blocks(NULL, x, o, m->out, whole);
    cdz_wipe(x, 16 * n);
    cdz_wipe(o, 16 * whole);
    cdz_wipe(sum, sizeof sum);
}

#define ENCRYPT(name, most)                                                                                            \
    static CDZ_KERNEL void name(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t offset[16],           \
                                const uint8_t aad_sum[16], uint8_t tag[16]) {                                          \
        uint8_t x[(most + 2) * 16], o[most * 16];                                                                      \
        gather(c, m, x, o, offset, aad_sum, tag);                                                                      \
    }
ENCRYPT(encrypt_short, SHORT)
ENCRYPT(encrypt_shorter, SHORTER)
#undef ENCRYPT

static void whole_message(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16], bool decrypt) {
    uint8_t offset[16], aad_sum[16], sum[16] = {0};
    const size_t blocks = m->len / 16, rest = m->len % 16;
    start(c, m, offset, aad_sum);
    /* An engine with a kernel for OCB needs no help with more than it takes at once. */
    const size_t fused = c->engine->ocb_encrypt ? c->engine->batch : SHORT;
    const bool gathers = !decrypt && !c->engine->prompt && blocks <= SHORT && blocks <= fused;
    if (gathers && blocks <= SHORTER) {
        encrypt_shorter(c, m, offset, aad_sum, tag);
        cdz_clear_behind(c, 1024);
    } else if (gathers) {
        encrypt_short(c, m, offset, aad_sum, tag);
        cdz_clear_behind(c, 2048 + CDZ_MODE_STACK / 2);
    } else {
        data_blocks(c, 1, offset, sum, m->in, m->out, blocks, decrypt);
        if (rest) data_last(c, offset, sum, m->in + 16 * blocks, m->out + 16 * blocks, rest, decrypt);
        make_tag(c, offset, sum, aad_sum, tag);
    }
    cdz_wipe(offset, sizeof offset);
    cdz_wipe(sum, sizeof sum);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    whole_message(c, m, tag, false);
}

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    whole_message(c, m, tag, true);
}

/* ---- many messages: all their blocks together ---- */

enum { POOL_AAD = 4 }; /* blocks of AAD that go through the pool with the rest */

struct batch {
    struct cdz_group g;
    unsigned bottom[CDZ_GROUP];
    uint8_t n_aad[CDZ_GROUP];
    uint8_t offset[CDZ_GROUP][16]; /* Ktop first; at last that of the tag */
    uint8_t sum[CDZ_GROUP][16];    /* of the plaintext */
    uint8_t tag[CDZ_GROUP][16];
    uint8_t aad[CDZ_GROUP][POOL_AAD][16]; /* E() of each block, to be summed */
};

/* AAD into the pool, or summed at once. */
static void pool_aad(struct batch *b, struct cdz_pool *pool, size_t i) {
    const struct cdz_cipher *c = b->g.f->c;
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_message *m = &b->g.m[i];
    const size_t whole = m->aad_len / 16, rest = m->aad_len % 16;
    uint8_t o[16] = {0}, x[POOL_AAD][16];
    memset(b->aad[i][0], 0, 16);
    b->n_aad[i] = 1;
    if (!m->aad_len) return;
    if (m->aad_len > 16 * POOL_AAD) {
        aad_blocks(c, 1, o, b->aad[i][0], m->aad, whole);
        if (rest) aad_last(c, o, b->aad[i][0], m->aad + 16 * whole, rest);
        return;
    }
    mask_blocks(a, 1, o, NULL, m->aad, x[0], NULL, whole);
    if (rest) {
        cdz_xor16(x[whole], o, a->star);
        xor_padded(x[whole], m->aad + 16 * whole, rest);
    }
    b->n_aad[i] = (uint8_t)(whole + (rest > 0));
    for (size_t k = 0; k < b->n_aad[i]; k++) cdz_pool_block(pool, x[k], b->aad[i][k]);
}

/* Whole blocks into the pool, or done at once. */
static void pool_data(struct batch *b, struct cdz_pool *pool, size_t i) {
    const struct cdz_cipher *c = b->g.f->c;
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_message *m = &b->g.m[i];
    const size_t whole = m->len / 16;
    if (cdz_pool_long(c, whole)) {
        data_blocks(c, 1, b->offset[i], b->sum[i], m->in, m->out, whole, pool->decrypt);
        return;
    }
    if (!cdz_pool_fits(pool, whole)) cdz_pool_run(pool);
    const size_t at = pool->n;
    for (size_t k = 0; k < whole; k++) (void)cdz_pool_add(pool, m->out + 16 * k, 16);
    if (whole)
        mask_blocks(a, 1, b->offset[i], pool->decrypt ? NULL : b->sum[i], m->in, pool->x[at], pool->y[at], whole);
}

/* The partial block's keystream. */
static void pool_rest(struct batch *b, struct cdz_pool *pool, size_t i) {
    const struct area *a = cdz_mode_area_c(b->g.f->c);
    const struct cdz_message *m = &b->g.m[i];
    const size_t rest = m->len % 16;
    if (!rest) return;
    const uint8_t *const in = m->in + (m->len - rest);
    if (!cdz_pool_fits(pool, 1)) cdz_pool_run(pool);
    const size_t k = cdz_pool_add(pool, m->out + (m->len - rest), rest);
    cdz_xor16(b->offset[i], b->offset[i], a->star);
    memcpy(pool->x[k], b->offset[i], 16);
    memcpy(pool->y[k], in, rest);
    if (!b->g.f->decrypt) xor_padded(b->sum[i], in, rest);
}

static void pool_tag(struct batch *b, struct cdz_pool *pool, size_t i) {
    const struct area *a = cdz_mode_area_c(b->g.f->c);
    cdz_xor16(b->sum[i], b->sum[i], b->offset[i]);
    cdz_xor16(b->sum[i], b->sum[i], a->dollar);
    cdz_pool_block(pool, b->sum[i], b->tag[i]);
}

static void batch(struct cdz_feed *f) {
    struct batch b;
    struct cdz_pool pool, back;
    cdz_pool_open(&pool, f->c, cdz_ks(f->c), false);
    cdz_pool_open(&back, f->c, cdz_ks(f->c), true);
    while (cdz_group_fill(&b.g, f)) {
        for (size_t i = 0; i < b.g.n; i++) {
            const struct cdz_message *m = &b.g.m[i];
            uint8_t block[16];
            b.bottom[i] = nonce_block(block, m->iv, m->iv_len, m->tag_len);
            cdz_pool_block(&pool, block, b.offset[i]);
            pool_aad(&b, &pool, i);
        }
        cdz_pool_run(&pool);
        for (size_t i = 0; i < b.g.n; i++) {
            uint8_t ktop[16];
            memcpy(ktop, b.offset[i], 16);
            first_offset(b.offset[i], ktop, b.bottom[i]);
            memset(b.sum[i], 0, 16);
            pool_data(&b, f->decrypt ? &back : &pool, i);
            pool_rest(&b, &pool, i);
            if (!f->decrypt) pool_tag(&b, &pool, i);
        }
        cdz_pool_run(&back);
        cdz_pool_run(&pool);
        if (f->decrypt) { /* the checksums are known only now */
            for (size_t i = 0; i < b.g.n; i++) {
                const struct cdz_message *m = &b.g.m[i];
                const size_t rest = m->len % 16;
                if (!cdz_pool_long(f->c, m->len / 16)) xor_blocks(b.sum[i], m->out, m->len / 16);
                if (rest) xor_padded(b.sum[i], m->out + (m->len - rest), rest);
                pool_tag(&b, &pool, i);
            }
            cdz_pool_run(&pool);
        }
        for (size_t i = 0; i < b.g.n; i++) {
            for (size_t k = 0; k < b.n_aad[i]; k++) cdz_xor16(b.tag[i], b.tag[i], b.aad[i][k]);
            cdz_feed_done(f, b.g.id[i], b.tag[i]);
        }
    }
    cdz_pool_close(&back);
    cdz_pool_close(&pool);
    cdz_wipe(b.offset, sizeof b.offset);
    cdz_wipe(b.sum, sizeof b.sum);
    cdz_wipe(b.tag, sizeof b.tag);
    cdz_wipe(b.aad, sizeof b.aad);
}

/* ---- in pieces ---- */

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    uint8_t x[16];
    const unsigned bottom = nonce_block(x, iv, iv_len, c->s.tag_fixed);
    c->engine->encrypt(cdz_ks(c), x, x, 1);
    first_offset(c->s.extra[0], x, bottom);
    cdz_wipe(x, sizeof x);
}

static void aad(struct cdz_cipher *c, const uint8_t *in, size_t len) {
    struct cdz_stream *s = &c->s;
    uint64_t index = s->aad_len / 16 + 1; /* of the block that begins or goes on here */
    if (s->aad_used) {
        const size_t left = 16u - s->aad_used, n = len < left ? len : left;
        memcpy(s->part + s->aad_used, in, n);
        s->aad_used = (uint8_t)((s->aad_used + n) & 15);
        in += n, len -= n;
        if (s->aad_used) return;
        aad_blocks(c, index++, s->extra[1], s->acc2, s->part, 1);
    }
    const size_t blocks = len / 16, rest = len % 16;
    aad_blocks(c, index, s->extra[1], s->acc2, in, blocks);
    if (rest) memcpy(s->part, in + 16 * blocks, rest);
    s->aad_used = (uint8_t)rest;
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    struct cdz_stream *s = &c->s;
    data_blocks(c, s->blocks + 1, s->extra[0], s->acc, in, out, len / 16, s->direction == CDZ_DECRYPT);
    s->blocks += len / 16;
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]) {
    struct cdz_stream *s = &c->s;
    aad_last(c, s->extra[1], s->acc2, s->part, s->aad_used);
    data_last(c, s->extra[0], s->acc, in, out, len, s->direction == CDZ_DECRYPT);
    make_tag(c, s->extra[0], s->acc, s->acc2, tag);
    *out_len = len;
    return CDZ_OK;
}

static void clean(struct cdz_cipher *c) {
    for (size_t d = 0; d < 2; d++)
        if (d ? c->engine->ocb_decrypt : c->engine->ocb_encrypt) c->behind.piece[d][0] = cdz_behind_engines(c);
}

const struct cdz_mode cdz_mode_ocb = {
    CDZ_MODE_NAMES("OCB"),
    .standard = "RFC 7253",
    .keys = 1,
    .flags = CDZ_MODE_BLOCKS | CDZ_MODE_TAG_FIRST,
    .iv_min = 1,
    .iv_max = 15,
    .iv_default = 12,
    .tag_lengths = 1u << 8 | 1u << 12 | 1u << 16,
    .unit = 1,
    .max_len = (UINT64_C(1) << 36) - 1, /* 2^32 - 1 whole blocks and 15 bytes */
    .max_aad = (UINT64_C(1) << 36) - 1,
    .key_blocks = UINT64_C(1) << 48, /* RFC 7253, 5 */
    .area = sizeof(struct area),
    .setup = setup,
    .clean = clean,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
