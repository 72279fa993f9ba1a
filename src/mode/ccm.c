/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM: NIST SP 800-38C, RFC 3610. Nonces of 7 to 13 bytes; the other 15 - n = L bytes of a block count: the message's
 * length is below 2^(8 L). Tags of 4, 6, ... 16 bytes.
 *
 *     B0 = | flags | nonce | length of the message (L bytes) |     flags = 64 if there is AAD, 8 (tag - 2) / 2, L - 1
 *     T  = CBC-MAC(B0 | length of the AAD, AAD, padded | message, padded)
 *     A0 = | L - 1 | nonce | 0 |     tag = T ^ E(A0); the message is encrypted in counter mode from A0 + 1 on
 *
 * The MAC is serial and the counters are not: a message costs what its CBC-MAC costs. Where the engine has ctr_mac(),
 * the counters take no time of their own, and E(A0) is made beside E(B0). With other engines a short message is laid
 * out so that it takes two calls: one MAC over header and message, one run of counters over E(A0) and message.
 *
 * Streaming state: chain = next counter, acc = the MAC, into which an unfinished block has been XORed (it is padded
 * with zeros), aad_used and used = bytes of it, extra[0] = E(A0).
 */
#include "batch.h"
#include "bulk.h"
#include "ctr.h"

enum {
    SHORT = 1008,      /* E(A0) and such a message fill 64 blocks: one batch of the widest engine */
    SHORT_HEADER = 64, /* B0, the length of the AAD in two bytes, and the AAD */
    SHORT_AAD = SHORT_HEADER - 16 - 2,
    CHUNK = 8192 /* MAC and counter over what surely stays in the first-level cache */
};

static void put_b0(uint8_t b0[16], const uint8_t *iv, size_t iv_len, bool has_aad, uint64_t len, size_t tag_len) {
    cdz_store_be64(b0 + 8, len); /* at most 8 bytes: the nonce, which has at least 7, comes over those that are 0 */
    b0[0] = (uint8_t)((has_aad ? 64 : 0) | (tag_len - 2) / 2 << 3 | (14 - iv_len));
    memcpy(b0 + 1, iv, iv_len);
}

static void put_a0(uint8_t a0[16], const uint8_t *iv, size_t iv_len) {
    cdz_store_be64(a0 + 8, 0);
    a0[0] = (uint8_t)(14 - iv_len);
    memcpy(a0 + 1, iv, iv_len);
}

/* How the AAD begins (A.2.2): its length in 2, 6 or 10 bytes. */
static size_t put_aad_len(uint8_t *p, uint64_t len) {
    if (len < 0xff00) {
        p[0] = (uint8_t)(len >> 8);
        p[1] = (uint8_t)len;
        return 2;
    }
    p[0] = 0xff;
    if (len <= UINT32_MAX) {
        p[1] = 0xfe;
        cdz_store_be32(p + 2, (uint32_t)len);
        return 6;
    }
    p[1] = 0xff;
    cdz_store_be64(p + 2, len);
    return 10;
}

/* MAC over a piece that begins `at` bytes into a block (below 16); returns where in a block it ended. */
static size_t absorb(const struct cdz_cipher *c, uint8_t x[16], size_t at, const uint8_t *in, size_t len) {
    if (at) {
        const size_t n = len < 16 - at ? len : 16 - at;
        cdz_xor(x + at, x + at, in, n);
        if (at + n < 16) return at + n;
        c->engine->encrypt(cdz_ks(c), x, x, 1);
        in += n, len -= n;
    }
    const size_t blocks = len / 16, rest = len % 16;
    if (blocks) cdz_cbc_mac(c->engine, cdz_ks(c), x, in, blocks);
    if (rest) cdz_xor(x, x, in + 16 * blocks, rest);
    return rest;
}

/* The block that is not full ends: what it lacks are zeros. */
static void absorb_end(const struct cdz_cipher *c, uint8_t x[16], size_t at) {
    if (at) c->engine->encrypt(cdz_ks(c), x, x, 1);
}

/* x is E(B0), to which the AAD come. */
static void absorb_aad(const struct cdz_cipher *c, uint8_t x[16], const struct cdz_message *m) {
    if (!m->aad_len) return;
    if (m->aad_len <= SHORT_AAD) {
        uint8_t h[SHORT_HEADER - 16] = {0};
        put_aad_len(h, m->aad_len);
        memcpy(h + 2, m->aad, m->aad_len);
        cdz_cbc_mac(c->engine, cdz_ks(c), x, h, (2 + m->aad_len + 15) / 16);
        return;
    }
    uint8_t begin[10];
    const size_t at = absorb(c, x, 0, begin, put_aad_len(begin, m->aad_len));
    absorb_end(c, x, absorb(c, x, at, m->aad, m->aad_len));
}

static void absorb_header(const struct cdz_cipher *c, uint8_t x[16], const struct cdz_message *m) {
    put_b0(x, m->iv, m->iv_len, m->aad_len > 0, m->len, m->tag_len);
    c->engine->encrypt(cdz_ks(c), x, x, 1);
    absorb_aad(c, x, m);
}

/*
 *     | B0 | AAD, padded | message, padded |       MAC
 *                | E(A0) | message |               counter mode, before (decryption) or after
 */
static void short_message(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16], bool decrypt) {
    uint8_t buf[SHORT_HEADER + SHORT], a0[16], x[16], s0[16];
    uint8_t *const data = buf + SHORT_HEADER;
    const size_t padded = (m->len + 15) & ~(size_t)15;
    size_t header = 0;
    if (padded) memset(data + padded - 16, 0, 16);
    if (m->len) memcpy(data, m->in, m->len);
    put_a0(a0, m->iv, m->iv_len);
    if (decrypt) {
        memset(data - 16, 0, 16);
        cdz_ctr_run(c, a0, data - 16, data - 16, 16 + m->len, CDZ_CTR_128);
        memcpy(s0, data - 16, 16);
    }
    if (m->aad_len <= SHORT_AAD) {
        header = m->aad_len ? 16 + ((2 + m->aad_len + 15) & ~(size_t)15) : 16;
        uint8_t *const h = data - header;
        put_b0(h, m->iv, m->iv_len, m->aad_len > 0, m->len, m->tag_len);
        if (m->aad_len) {
            memset(data - 16, 0, 16);
            put_aad_len(h + 16, m->aad_len);
            memcpy(h + 18, m->aad, m->aad_len);
        }
        memset(x, 0, 16);
    } else {
        absorb_header(c, x, m);
    }
    cdz_cbc_mac(c->engine, cdz_ks(c), x, data - header, (header + padded) / 16);
    if (!decrypt) {
        memset(data - 16, 0, 16);
        cdz_ctr_run(c, a0, data - 16, data - 16, 16 + m->len, CDZ_CTR_128);
        memcpy(s0, data - 16, 16);
    }
    if (m->len) memcpy(m->out, data, m->len);
    cdz_xor16(tag, x, s0);
    cdz_wipe(data - 16, 16 + padded);
    cdz_wipe(s0, sizeof s0);
    cdz_wipe(x, sizeof x);
}

/* A message of any length, with an engine that has ctr_mac(). */
static void together(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16], bool decrypt) {
    uint8_t x[2][16], s0[16], ctr[16]; /* x: the MAC, and what is encrypted beside it */
    const size_t blocks = m->len / 16, rest = m->len % 16;
    /* One block, of B0 as the input: x[0] = E(B0), s0 = B0 ^ E(A0). */
    put_b0(x[1], m->iv, m->iv_len, m->aad_len > 0, m->len, m->tag_len);
    put_a0(ctr, m->iv, m->iv_len);
    memset(x[0], 0, 16);
    c->engine->ctr_mac(cdz_ks(c), ctr, x[0], x[1], s0, 1, true);
    cdz_xor16(s0, s0, x[1]);
    absorb_aad(c, x[0], m);
    if (blocks) c->engine->ctr_mac(cdz_ks(c), ctr, x[0], m->in, m->out, blocks, !decrypt);
    if (rest) {
        const uint8_t *const in = m->in + 16 * blocks;
        uint8_t *const out = m->out + 16 * blocks;
        memcpy(x[1], ctr, 16);
        if (decrypt) {
            c->engine->encrypt(cdz_ks(c), x[1], x[1], 1);
            cdz_xor(out, in, x[1], rest);
            cdz_xor(x[0], x[0], out, rest);
            c->engine->encrypt(cdz_ks(c), x[0], x[0], 1);
        } else {
            cdz_xor(x[0], x[0], in, rest);
            c->engine->encrypt(cdz_ks(c), x[0], x[0], 2);
            cdz_xor(out, in, x[1], rest);
        }
    }
    cdz_xor16(tag, x[0], s0);
    cdz_wipe(s0, sizeof s0);
    cdz_wipe(x, sizeof x);
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16], bool decrypt) {
    if (c->engine->ctr_mac) {
        together(c, m, tag, decrypt);
        return;
    }
    if (m->len <= SHORT) {
        short_message(c, m, tag, decrypt);
        return;
    }
    uint8_t ctr[16], x[16], s0[16];
    const uint8_t *in = m->in;
    uint8_t *out = m->out;
    size_t len = m->len, at = 0;
    absorb_header(c, x, m);
    put_a0(ctr, m->iv, m->iv_len);
    c->engine->encrypt(cdz_ks(c), ctr, s0, 1);
    cdz_ctr_add(ctr, 1, CDZ_CTR_128);
    while (len) {
        const size_t n = len < CHUNK ? len : CHUNK;
        if (!decrypt) at = absorb(c, x, 0, in, n);
        cdz_ctr_run(c, ctr, in, out, n, CDZ_CTR_128);
        if (decrypt) at = absorb(c, x, 0, out, n);
        in += n, out += n, len -= n;
    }
    absorb_end(c, x, at);
    cdz_xor16(tag, x, s0);
    cdz_wipe(s0, sizeof s0);
    cdz_wipe(x, sizeof x);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) { whole(c, m, tag, false); }

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) { whole(c, m, tag, true); }

/* ---- many messages: the MACs side by side, the counters together ---- */

struct batch {
    struct cdz_group g;
    size_t next;
    uint8_t mac[CDZ_GROUP][16], s0[CDZ_GROUP][16];
};

static bool next_mac(void *context, struct cdz_mac_job *job) {
    struct batch *b = context;
    if (b->next == b->g.n) return false;
    const struct cdz_message *m = &b->g.m[b->next];
    job->id = b->next++;
    /* B0; the length of the AAD and as much of it as fills a block; the rest of it; the message */
    size_t n = 16, begin = 0;
    memset(job->head, 0, 32);
    put_b0(job->head, m->iv, m->iv_len, m->aad_len > 0, m->len, m->tag_len);
    if (m->aad_len) {
        n += put_aad_len(job->head + 16, m->aad_len);
        begin = m->aad_len < 32 - n ? m->aad_len : 32 - n;
        memcpy(job->head + n, m->aad, begin);
        n = 32;
    }
    job->piece[0] = job->head, job->len[0] = n;
    job->piece[1] = begin ? m->aad + begin : NULL, job->len[1] = m->aad_len - begin;
    job->piece[2] = b->g.f->decrypt ? m->out : m->in, job->len[2] = m->len;
    return true;
}

static void mac_done(void *context, const struct cdz_mac_job *job, const uint8_t mac[16]) {
    struct batch *b = context;
    memcpy(b->mac[job->id], mac, 16);
}

static void crypt_all(struct batch *b) {
    const struct cdz_cipher *c = b->g.f->c;
    struct cdz_pool pool;
    cdz_pool_open(&pool, c, cdz_ks(c), false);
    for (size_t i = 0; i < b->g.n; i++) {
        uint8_t ctr[16];
        put_a0(ctr, b->g.m[i].iv, b->g.m[i].iv_len);
        cdz_pool_block(&pool, ctr, b->s0[i]);
        cdz_ctr_add(ctr, 1, CDZ_CTR_128);
        cdz_pool_ctr(&pool, c, ctr, &b->g.m[i], false);
    }
    cdz_pool_close(&pool);
}

static void batch(struct cdz_feed *f) {
    struct batch b;
    while (cdz_group_fill(&b.g, f)) {
        b.next = 0;
        if (f->decrypt) crypt_all(&b);
        cdz_lanes_mac(f->c, cdz_ks(f->c), next_mac, mac_done, &b);
        if (!f->decrypt) crypt_all(&b);
        for (size_t i = 0; i < b.g.n; i++) {
            cdz_xor16(b.mac[i], b.mac[i], b.s0[i]);
            cdz_feed_done(f, b.g.id[i], b.mac[i]);
        }
    }
    cdz_wipe(b.mac, sizeof b.mac);
    cdz_wipe(b.s0, sizeof b.s0);
}

/* ---- in pieces ---- */

static cdz_status check(size_t iv_len, uint64_t len) {
    const size_t l = 15 - iv_len;
    return l < 8 && len >> 8 * l ? CDZ_ERR_LIMIT : CDZ_OK;
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    struct cdz_stream *s = &c->s;
    put_b0(s->acc, iv, iv_len, s->aad_total > 0, s->total, s->tag_fixed);
    put_a0(s->chain, iv, iv_len);
    c->engine->encrypt(cdz_ks(c), s->acc, s->acc, 1);
    c->engine->encrypt(cdz_ks(c), s->chain, s->extra[0], 1);
    cdz_ctr_add(s->chain, 1, CDZ_CTR_128);
    if (s->aad_total) {
        uint8_t first[10];
        s->aad_used = (uint8_t)absorb(c, s->acc, 0, first, put_aad_len(first, s->aad_total));
    }
}

static void aad(struct cdz_cipher *c, const uint8_t *in, size_t len) {
    c->s.aad_used = (uint8_t)absorb(c, c->s.acc, c->s.aad_used, in, len);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    struct cdz_stream *s = &c->s;
    absorb_end(c, s->acc, s->aad_used); /* the first data end the associated data */
    s->aad_used = 0;
    const bool both = c->engine->ctr_mac != NULL;
    while (len) {
        const size_t at = s->used, most = both ? 16 - at : CHUNK, n = len < most ? len : most;
        if (both && n == 16) { /* nothing begun, and a block and more */
            const size_t blocks = len / 16;
            c->engine->ctr_mac(cdz_ks(c), s->chain, s->acc, in, out, blocks, s->direction == CDZ_ENCRYPT);
            in += 16 * blocks, out += 16 * blocks, len -= 16 * blocks;
            continue;
        }
        if (s->direction == CDZ_ENCRYPT) absorb(c, s->acc, at, in, n);
        cdz_ctr_stream(c, in, out, n, CDZ_CTR_128);
        if (s->direction == CDZ_DECRYPT) absorb(c, s->acc, at, out, n);
        in += n, out += n, len -= n;
    }
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]) {
    struct cdz_stream *s = &c->s;
    (void)in, (void)len, (void)out;
    *out_len = 0;
    absorb_end(c, s->acc, s->aad_used);
    absorb_end(c, s->acc, s->used);
    cdz_xor16(tag, s->acc, s->extra[0]);
    return CDZ_OK;
}

const struct cdz_mode cdz_mode_ccm = {
    CDZ_MODE_NAMES("CCM"),
    .standard = "NIST SP 800-38C, RFC 3610",
    .keys = 1,
    .flags = CDZ_MODE_TAG_FIRST | CDZ_MODE_SIZES_FIRST,
    .iv_min = 7,
    .iv_max = 13,
    .iv_default = 12,
    .stack = 1536 + CDZ_MODE_STACK / 2,
    .tag_lengths = 0x15550u, /* 4, 6, ... 16 */
    .unit = 1,
    .max_len = UINT64_MAX - 1, /* and what check() allows; UINT64_MAX is CDZ_UNKNOWN */
    .max_aad = UINT64_MAX - 1,
    .check = check,
    .clean = cdz_clean_ctr_mac,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
