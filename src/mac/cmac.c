/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CMAC: NIST SP 800-38B, RFC 4493. An authenticated mode without a message: what is authenticated comes as associated
 * data.
 *
 *     K1 = 2 E(0), K2 = 4 E(0) in GF(2^128)
 *     MAC = CBC-MAC(... | M[n] ^ K1), or CBC-MAC(... | (M[n] || 1 0 ...) ^ K2) where M[n] is not full
 *
 * The mode's area is a struct cdz_cmac_key. Streaming state: acc = x, aad_used = bytes of the block that waits.
 */
#include "cmac.h"

void cdz_cmac(const struct cdz_engine *e, const void *ks, const struct cdz_cmac_key *k, uint8_t x[16],
              const uint8_t *in, size_t len) {
    if (len > 16) {
        const size_t blocks = (len - 1) / 16;
        cdz_cbc_mac(e, ks, x, in, blocks);
        in += 16 * blocks, len -= 16 * blocks;
    }
    cdz_cmac_last(k, x, in, len);
    e->encrypt(ks, x, x, 1);
}

void cdz_cmac_update(const struct cdz_engine *e, const void *ks, uint8_t x[16], uint8_t *at, const uint8_t *in,
                     size_t len) {
    if (!len) return;
    if (*at) {
        const size_t left = 16u - *at, n = len < left ? len : left;
        cdz_xor(x + *at, x + *at, in, n);
        *at = (uint8_t)(*at + n);
        in += n, len -= n;
        if (!len) return;
        e->encrypt(ks, x, x, 1); /* more follows, so that block was not the last */
    }
    const size_t blocks = (len - 1) / 16;
    if (blocks) {
        cdz_cbc_mac(e, ks, x, in, blocks);
        in += 16 * blocks, len -= 16 * blocks;
    }
    cdz_xor(x, x, in, len);
    *at = (uint8_t)len;
}

void cdz_cmac_final(const struct cdz_engine *e, const void *ks, const struct cdz_cmac_key *k, uint8_t x[16],
                    size_t at) {
    if (at < 16) x[at] ^= 0x80;
    cdz_xor16(x, x, at < 16 ? k->k2 : k->k1);
    e->encrypt(ks, x, x, 1);
}

void cdz_cmac_job(struct cdz_mac_job *job, const struct cdz_cmac_key *k, const uint8_t *first, const uint8_t *in,
                  size_t len) {
    const size_t body = len ? (len - 1) / 16 * 16 : 0;
    job->piece[0] = job->head, job->len[0] = first ? 16 : 0;
    job->piece[1] = in, job->len[1] = body;
    job->piece[2] = job->head + 16, job->len[2] = first && !len ? 0 : 16;
    if (first) memcpy(job->head, first, 16);
    if (first && !len) {
        cdz_xor16(job->head, job->head, k->k1);
        return;
    }
    /* The last block is made up, mask and all. */
    memset(job->head + 16, 0, 16);
    cdz_cmac_last(k, job->head + 16, body ? in + body : in, len - body);
}

static void setup(struct cdz_cipher *c) {
    uint8_t l[16] = {0};
    c->engine->encrypt(cdz_ks(c), l, l, 1);
    cdz_cmac_subkeys(cdz_mode_area(c), l);
    cdz_wipe(l, sizeof l);
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16]) {
    memset(tag, 0, 16);
    cdz_cmac(c->engine, cdz_ks(c), cdz_mode_area_c(c), tag, m->aad, m->aad_len);
}

/* ---- many messages: side by side ---- */

static bool next(void *context, struct cdz_mac_job *job) {
    struct cdz_feed *f = context;
    struct cdz_message m;
    if (!cdz_feed_next(f, &m, &job->id)) return false;
    cdz_cmac_job(job, cdz_mode_area_c(f->c), NULL, m.aad, m.aad_len);
    return true;
}

static void done(void *context, const struct cdz_mac_job *job, const uint8_t mac[16]) {
    cdz_feed_done(context, job->id, mac);
}

static void batch(struct cdz_feed *f) { cdz_lanes_mac(f->c, cdz_ks(f->c), next, done, f); }

/* ---- in pieces ---- */

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) { (void)c, (void)iv, (void)iv_len; }

static void aad(struct cdz_cipher *c, const uint8_t *in, size_t len) {
    cdz_cmac_update(c->engine, cdz_ks(c), c->s.acc, &c->s.aad_used, in, len);
}

/* Never called: there is no message. */
static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    (void)c, (void)in, (void)out, (void)len;
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]) {
    (void)in, (void)len, (void)out;
    *out_len = 0;
    cdz_cmac_final(c->engine, cdz_ks(c), cdz_mode_area_c(c), c->s.acc, c->s.aad_used);
    memcpy(tag, c->s.acc, 16);
    return CDZ_OK;
}

const struct cdz_mode cdz_mode_cmac = {
    CDZ_MODE_NAMES("CMAC"),
    .standard = "NIST SP 800-38B, RFC 4493",
    .keys = 1,
    .flags = CDZ_MODE_MAC,
    .tag_lengths = 0x1fffu << 4, /* 4 to 16 */
    .unit = 1,
    .max_aad = UINT64_MAX,
    .key_blocks = UINT64_C(1) << 48, /* SP 800-38B, appendix B */
    .area = sizeof(struct cdz_cmac_key),
    .setup = setup,
    .encrypt = whole,
    .decrypt = whole,
    .batch = batch,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
