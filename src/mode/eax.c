/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EAX: M. Bellare, P. Rogaway, D. Wagner, "The EAX Mode of Operation", FSE 2004. Nonces of any length, the empty one
 * included.
 *
 *     OMAC[t](M) = CMAC(block whose last byte is t | M)
 *     N = OMAC[0](nonce)   H = OMAC[1](AAD)   ciphertext = counter mode from N on   C = OMAC[2](ciphertext)
 *     tag = N ^ H ^ C
 *
 * The block in front of each OMAC has been encrypted beforehand, and so has that of an OMAC that has nothing more: so N
 * and H of a short nonce and short AAD are one block operation each, and are made together.
 *
 * Streaming state: chain = next counter, extra[0] = N, acc2 and aad_used = H's running value and bytes that wait (see
 * cmac.h), acc and part_at = C's.
 */
#include "../mac/cmac.h"
#include "ctr.h"

enum { CHUNK = 8192 }; /* counter and MAC over what surely stays in the first-level cache */

struct area {
    struct cdz_cmac_key cmac;
    uint8_t start[3][16]; /* E(t): the value after OMAC[t]'s first block, if something follows */
    uint8_t empty[3][16]; /* OMAC[t] of nothing */
};

static void setup(struct cdz_cipher *c) {
    struct area *a = cdz_mode_area(c);
    memset(a->start, 0, sizeof a->start);
    for (uint8_t t = 0; t < 3; t++) a->start[t][15] = t;
    c->engine->encrypt(cdz_ks(c), a->start[0], a->start[0], 3);
    cdz_cmac_subkeys(&a->cmac, a->start[0]); /* E(0) */
    for (uint8_t t = 0; t < 3; t++) {
        memcpy(a->empty[t], a->cmac.k1, 16);
        a->empty[t][15] ^= t;
    }
    c->engine->encrypt(cdz_ks(c), a->empty[0], a->empty[0], 3);
}

static void omac(const struct cdz_cipher *c, unsigned t, uint8_t x[16], const uint8_t *in, size_t len) {
    const struct area *a = cdz_mode_area_c(c);
    memcpy(x, len ? a->start[t] : a->empty[t], 16);
    if (len) cdz_cmac(c->engine, cdz_ks(c), &a->cmac, x, in, len);
}

/* N and H. */
static void heads(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t x[2][16]) {
    const struct area *a = cdz_mode_area_c(c);
    if (m->iv_len - 1 < 16 && m->aad_len - 1 < 16) { /* 1 to 16 bytes */
        memcpy(x, a->start, 32);
        cdz_cmac_last(&a->cmac, x[0], m->iv, m->iv_len);
        cdz_cmac_last(&a->cmac, x[1], m->aad, m->aad_len);
        c->engine->encrypt(cdz_ks(c), x[0], x[0], 2);
        return;
    }
    omac(c, 0, x[0], m->iv, m->iv_len);
    omac(c, 1, x[1], m->aad, m->aad_len);
}

/* A message that is not empty, with an engine that has ctr_mac(); x is OMAC[2]'s first value, and becomes C. */
static void together(const struct cdz_cipher *c, uint8_t ctr[16], uint8_t x[16], const uint8_t *in, uint8_t *out,
                     size_t len, bool decrypt) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t last[2][16]; /* the MAC, and a counter beside it */
    const size_t body = (len - 1) / 16 * 16;
    if (body) c->engine->ctr_mac(cdz_ks(c), ctr, x, in, out, body / 16, decrypt);
    in += body, out += body, len -= body;
    memcpy(last[0], x, 16);
    memcpy(last[1], ctr, 16);
    if (decrypt) {
        cdz_cmac_last(&a->cmac, last[0], in, len);
        c->engine->encrypt(cdz_ks(c), last[0], last[0], 2);
        cdz_xor(out, in, last[1], len);
    } else {
        c->engine->encrypt(cdz_ks(c), last[1], last[1], 1);
        cdz_xor(out, in, last[1], len);
        cdz_cmac_last(&a->cmac, last[0], out, len);
        c->engine->encrypt(cdz_ks(c), last[0], last[0], 1);
    }
    memcpy(x, last[0], 16);
    cdz_wipe(last, sizeof last);
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16], bool decrypt) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t x[2][16], ctr[16];
    const uint8_t *in = m->in;
    uint8_t *out = m->out;
    size_t len = m->len;
    heads(c, m, x);
    cdz_xor16(x[1], x[1], x[0]);
    if (!len) {
        cdz_xor16(tag, x[1], a->empty[2]);
        return;
    }
    memcpy(ctr, x[0], 16);
    memcpy(tag, a->start[2], 16);
    if (c->engine->ctr_mac) {
        together(c, ctr, tag, in, out, len, decrypt);
        cdz_xor16(tag, tag, x[1]);
        return;
    }
    while (len > CHUNK) {
        if (decrypt) cdz_cbc_mac(c->engine, cdz_ks(c), tag, in, CHUNK / 16);
        cdz_ctr_run(c, ctr, in, out, CHUNK, CDZ_CTR_SECRET);
        if (!decrypt) cdz_cbc_mac(c->engine, cdz_ks(c), tag, out, CHUNK / 16);
        in += CHUNK, out += CHUNK, len -= CHUNK;
    }
    if (decrypt) cdz_cmac(c->engine, cdz_ks(c), &a->cmac, tag, in, len);
    cdz_ctr_run(c, ctr, in, out, len, CDZ_CTR_SECRET);
    if (!decrypt) cdz_cmac(c->engine, cdz_ks(c), &a->cmac, tag, out, len);
    cdz_xor16(tag, tag, x[1]);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) { whole(c, m, tag, false); }

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) { whole(c, m, tag, true); }

/* ---- many messages: the OMACs side by side, the counters together ---- */

struct batch {
    struct cdz_group g;
    unsigned from, to; /* OMAC[from] to OMAC[to - 1] of each message ... */
    size_t next;       /* ... the next of which is this */
    uint8_t mac[3][CDZ_GROUP][16];
};

static bool next_mac(void *context, struct cdz_mac_job *job) {
    struct batch *b = context;
    const struct area *a = cdz_mode_area_c(b->g.f->c);
    const unsigned kinds = b->to - b->from;
    if (b->next == b->g.n * kinds) return false;
    job->id = b->next++;
    const struct cdz_message *m = &b->g.m[job->id / kinds];
    const unsigned t = b->from + (unsigned)(job->id % kinds);
    const uint8_t first[16] = {[15] = (uint8_t)t};
    const uint8_t *const ciphertext = b->g.f->decrypt ? m->in : m->out;
    cdz_cmac_job(job, &a->cmac, first,
                 t == 0   ? m->iv
                 : t == 1 ? m->aad
                          : ciphertext,
                 t == 0   ? m->iv_len
                 : t == 1 ? m->aad_len
                          : m->len);
    return true;
}

static void mac_done(void *context, const struct cdz_mac_job *job, const uint8_t mac[16]) {
    struct batch *b = context;
    const unsigned kinds = b->to - b->from;
    memcpy(b->mac[b->from + job->id % kinds][job->id / kinds], mac, 16);
}

static void run_macs(struct batch *b, unsigned from, unsigned to) {
    b->from = from, b->to = to, b->next = 0;
    cdz_lanes_mac(b->g.f->c, cdz_ks(b->g.f->c), next_mac, mac_done, b);
}

static void batch(struct cdz_feed *f) {
    struct batch b;
    struct cdz_pool pool;
    cdz_pool_open(&pool, f->c, cdz_ks(f->c), false);
    while (cdz_group_fill(&b.g, f)) {
        run_macs(&b, 0, f->decrypt ? 3 : 2);
        for (size_t i = 0; i < b.g.n; i++) {
            uint8_t ctr[16];
            memcpy(ctr, b.mac[0][i], 16);
            cdz_pool_ctr(&pool, f->c, ctr, &b.g.m[i], true);
        }
        cdz_pool_run(&pool);
        if (!f->decrypt) run_macs(&b, 2, 3);
        for (size_t i = 0; i < b.g.n; i++) {
            cdz_xor16(b.mac[0][i], b.mac[0][i], b.mac[1][i]);
            cdz_xor16(b.mac[0][i], b.mac[0][i], b.mac[2][i]);
            cdz_feed_done(f, b.g.id[i], b.mac[0][i]);
        }
    }
    cdz_pool_close(&pool);
    cdz_wipe(b.mac, sizeof b.mac);
}

/* ---- in pieces ---- */

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    const struct area *a = cdz_mode_area_c(c);
    struct cdz_stream *s = &c->s;
    omac(c, 0, s->chain, iv, iv_len);
    memcpy(s->extra[0], s->chain, 16);
    memcpy(s->acc2, a->start[1], 16);
    memcpy(s->acc, a->start[2], 16);
}

static void aad(struct cdz_cipher *c, const uint8_t *in, size_t len) {
    cdz_cmac_update(c->engine, cdz_ks(c), c->s.acc2, &c->s.aad_used, in, len);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    struct cdz_stream *s = &c->s;
    const struct cdz_engine *e = c->engine;
    while (len) {
        if (e->ctr_mac && !s->used && len > 16) { /* all but what may be the last block */
            const size_t blocks = (len - 1) / 16;
            if (s->part_at) e->encrypt(cdz_ks(c), s->acc, s->acc, 1); /* the block that waited is full */
            s->part_at = 0;
            e->ctr_mac(cdz_ks(c), s->chain, s->acc, in, out, blocks, s->direction == CDZ_DECRYPT);
            in += 16 * blocks, out += 16 * blocks, len -= 16 * blocks;
        }
        const size_t most = e->ctr_mac ? 16u - s->used : CHUNK, n = len < most ? len : most;
        if (s->direction == CDZ_DECRYPT) cdz_cmac_update(e, cdz_ks(c), s->acc, &s->part_at, in, n);
        cdz_ctr_stream(c, in, out, n, CDZ_CTR_SECRET);
        if (s->direction == CDZ_ENCRYPT) cdz_cmac_update(e, cdz_ks(c), s->acc, &s->part_at, out, n);
        in += n, out += n, len -= n;
    }
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]) {
    const struct area *a = cdz_mode_area_c(c);
    struct cdz_stream *s = &c->s;
    (void)in, (void)len, (void)out;
    *out_len = 0;
    if (s->aad_used)
        cdz_cmac_final(c->engine, cdz_ks(c), &a->cmac, s->acc2, s->aad_used);
    else
        memcpy(s->acc2, a->empty[1], 16);
    if (s->part_at)
        cdz_cmac_final(c->engine, cdz_ks(c), &a->cmac, s->acc, s->part_at);
    else
        memcpy(s->acc, a->empty[2], 16);
    cdz_xor16(tag, s->extra[0], s->acc2);
    cdz_xor16(tag, tag, s->acc);
    return CDZ_OK;
}

const struct cdz_mode cdz_mode_eax = {
    CDZ_MODE_NAMES("EAX"),
    .standard = "Bellare, Rogaway, Wagner: The EAX Mode of Operation (FSE 2004)",
    .keys = 1,
    .iv_max = SIZE_MAX,
    .iv_default = 16,
    .tag_lengths = 0x1fffu << 4, /* 4 to 16 */
    .unit = 1,
    .max_len = UINT64_MAX - 1,
    .max_aad = UINT64_MAX - 1,
    .area = sizeof(struct area),
    .setup = setup,
    .clean = cdz_clean_ctr_mac,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
