/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIV: RFC 5297. The caller's key is the MAC's key, then the counter mode's. Any number of strings S[1] ... S[n] of
 * associated data (a nonce is one of them, the last), up to 126; then the plaintext P:
 *
 *     D = CMAC(0);  for each string  D = 2 D ^ CMAC(S[i])
 *     V = CMAC(P, its last 16 bytes ^ D)               where P has at least 16 bytes, else
 *     V = CMAC(2 D ^ (P || 1 0 ...))
 *     ciphertext = counter mode from (V with two bits cleared) on, tag = V
 *
 * Repeating a nonce, or having none, shows only that two messages are equal. The price is that V needs the whole
 * plaintext before the first byte of ciphertext: so there are no calls in pieces.
 */
#include "../mac/cmac.h"
#include "ctr.h"

struct area {
    struct cdz_cmac_key cmac;
    uint8_t start[16]; /* CMAC(0) */
};

static void setup(struct cdz_cipher *c) {
    struct area *a = cdz_mode_area(c);
    memset(a->start, 0, 16);
    c->engine->encrypt(cdz_ks(c), a->start, a->start, 1);
    cdz_cmac_subkeys(&a->cmac, a->start);
    memset(a->start, 0, 16);
    cdz_cmac(c->engine, cdz_ks(c), &a->cmac, a->start, (const uint8_t[16]){0}, 16);
}

static void add_string(const struct cdz_cipher *c, uint8_t d[16], const uint8_t *in, size_t len) {
    const struct area *a = cdz_mode_area_c(c);
    uint8_t mac[16] = {0};
    cdz_cmac(c->engine, cdz_ks(c), &a->cmac, mac, in, len);
    cdz_double_be(d, d);
    cdz_xor16(d, d, mac);
    cdz_wipe(mac, sizeof mac);
}

/* V, for a message whose plaintext is p. */
static void s2v(const struct cdz_cipher *c, const struct cdz_message *m, const uint8_t *p, uint8_t v[16]) {
    const struct area *a = cdz_mode_area_c(c);
    const struct cdz_engine *e = c->engine;
    uint8_t d[16], end[32];
    memcpy(d, a->start, 16);
    if (m->list) {
        for (size_t i = 0; i < m->n_strings; i++) add_string(c, d, m->strings[i].data, m->strings[i].len);
    } else {
        if (m->aad) add_string(c, d, m->aad, m->aad_len); /* an empty string is not none */
        if (m->iv_len) add_string(c, d, m->iv, m->iv_len);
    }
    memset(v, 0, 16);
    if (m->len < 16) {
        cdz_double_be(d, d);
        if (m->len) cdz_xor(d, d, p, m->len);
        d[m->len] ^= 0x80;
        cdz_cmac(e, cdz_ks(c), &a->cmac, v, d, 16);
    } else {
        /* The last 16 to 31 bytes, of which the last 16 are changed. */
        const size_t body = (m->len - 16) & ~(size_t)15, n = m->len - body;
        if (body) cdz_cbc_mac(e, cdz_ks(c), v, p, body / 16);
        memcpy(end, p + body, n);
        cdz_xor16(end + n - 16, end + n - 16, d);
        cdz_cmac(e, cdz_ks(c), &a->cmac, v, end, n);
        cdz_wipe(end, sizeof end);
    }
    cdz_wipe(d, sizeof d);
}

static void first_counter(uint8_t ctr[16], const uint8_t v[16]) {
    memcpy(ctr, v, 16);
    ctr[8] &= 0x7f; /* so that an implementation with a 64- or 32-bit counter sees no carry (2.5) */
    ctr[12] &= 0x7f;
}

static void crypt(const struct cdz_cipher *c, const struct cdz_message *m, const uint8_t v[16]) {
    uint8_t ctr[16];
    if (!m->len) return;
    first_counter(ctr, v);
    cdz_ctr_run_key(c->engine, cdz_ks2(c), ctr, m->in, m->out, m->len, CDZ_CTR_128);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    s2v(c, m, m->in, tag);
    CDZ_DECLASSIFY(tag, 16); /* it goes out with the ciphertext */
    crypt(c, m, tag);
}

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    crypt(c, m, m->tag);
    s2v(c, m, m->out, tag);
}

/* ---- many messages: the CMACs side by side, the counters together ---- */

struct batch {
    struct cdz_group g;
    size_t next;
    uint8_t mac[3 * CDZ_GROUP][16]; /* CMAC(AAD), CMAC(nonce), V; of each message */
};

/* The strings of all messages, where they are there. */
static bool next_string(void *context, struct cdz_mac_job *job) {
    struct batch *b = context;
    const struct area *a = cdz_mode_area_c(b->g.f->c);
    for (; b->next < 3 * b->g.n; b->next++) {
        const struct cdz_message *m = &b->g.m[b->next / 3];
        const size_t kind = b->next % 3;
        if (kind == 0 && m->aad)
            cdz_cmac_job(job, &a->cmac, NULL, m->aad, m->aad_len);
        else if (kind == 1 && m->iv_len)
            cdz_cmac_job(job, &a->cmac, NULL, m->iv, m->iv_len);
        else
            continue;
        job->id = b->next++;
        return true;
    }
    return false;
}

/* V of all messages, once their strings are done. */
static bool next_v(void *context, struct cdz_mac_job *job) {
    struct batch *b = context;
    const struct area *a = cdz_mode_area_c(b->g.f->c);
    if (b->next == b->g.n) return false;
    const size_t i = b->next++;
    const struct cdz_message *m = &b->g.m[i];
    const uint8_t *const p = b->g.f->decrypt ? m->out : m->in;
    uint8_t d[16];
    memcpy(d, a->start, 16);
    for (size_t kind = 0; kind < 2; kind++) {
        if (kind == 0 ? !m->aad : !m->iv_len) continue;
        cdz_double_be(d, d);
        cdz_xor16(d, d, b->mac[3 * i + kind]);
    }
    job->id = 3 * i + 2;
    job->len[0] = job->len[2] = 0;
    job->piece[1] = job->head;
    memset(job->head, 0, 32);
    if (m->len < 16) {
        cdz_double_be(d, d);
        if (m->len) memcpy(job->head, p, m->len);
        job->head[m->len] = 0x80;
        cdz_xor16(job->head, job->head, d);
        cdz_xor16(job->head, job->head, a->cmac.k1);
        job->len[1] = 16;
    } else {
        const size_t body = (m->len - 16) & ~(size_t)15, n = m->len - body;
        memcpy(job->head, p + body, n);
        cdz_xor16(job->head + n - 16, job->head + n - 16, d);
        if (n > 16) {
            job->head[n] = 0x80;
            cdz_xor16(job->head + 16, job->head + 16, a->cmac.k2);
        } else {
            cdz_xor16(job->head, job->head, a->cmac.k1);
        }
        job->piece[0] = p, job->len[0] = body;
        job->len[1] = n > 16 ? 32 : 16;
    }
    cdz_wipe(d, sizeof d);
    return true;
}

static void mac_done(void *context, const struct cdz_mac_job *job, const uint8_t mac[16]) {
    struct batch *b = context;
    memcpy(b->mac[job->id], mac, 16);
}

static void crypt_all(struct batch *b) {
    const struct cdz_cipher *c = b->g.f->c;
    struct cdz_pool pool;
    cdz_pool_open(&pool, c, cdz_ks2(c), false);
    for (size_t i = 0; i < b->g.n; i++) {
        uint8_t ctr[16];
        if (!b->g.f->decrypt) CDZ_DECLASSIFY(b->mac[3 * i + 2], 16);
        first_counter(ctr, b->g.f->decrypt ? b->g.m[i].tag : b->mac[3 * i + 2]);
        cdz_pool_ctr(&pool, c, ctr, &b->g.m[i], false);
    }
    cdz_pool_close(&pool);
}

static void batch(struct cdz_feed *f) {
    struct batch b;
    while (cdz_group_fill(&b.g, f)) {
        if (f->decrypt) crypt_all(&b);
        b.next = 0;
        cdz_lanes_mac(f->c, cdz_ks(f->c), next_string, mac_done, &b);
        b.next = 0;
        cdz_lanes_mac(f->c, cdz_ks(f->c), next_v, mac_done, &b);
        if (!f->decrypt) crypt_all(&b);
        for (size_t i = 0; i < b.g.n; i++) cdz_feed_done(f, b.g.id[i], b.mac[3 * i + 2]);
    }
    cdz_wipe(b.mac, sizeof b.mac);
}

const struct cdz_mode cdz_mode_siv = {
    CDZ_MODE_NAMES("SIV"),
    .standard = "RFC 5297",
    .keys = 2,
    .flags = CDZ_MODE_STRINGS,
    .iv_max = SIZE_MAX,
    .iv_default = 16,
    .tag_lengths = 1u << 16,
    .unit = 1,
    .max_len = UINT64_MAX - 1,
    .max_aad = UINT64_MAX - 1,
    .area = sizeof(struct area),
    .setup = setup,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .batch = batch,
};
