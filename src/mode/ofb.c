/* SPDX-License-Identifier: Apache-2.0 */
/* OFB: NIST SP 800-38A section 6.4. The register is the current block of keystream, `used` bytes of it used up. */
#include "batch.h"

static void blocks_of(const struct cdz_cipher *c, uint8_t reg[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    if (c->engine->ofb) {
        c->engine->ofb(cdz_ks(c), reg, in, out, blocks);
        return;
    }
    for (; blocks; blocks--, in += 16, out += 16) {
        c->engine->encrypt(cdz_ks(c), reg, reg, 1);
        cdz_xor16(out, in, reg);
    }
}

static void crypt(const struct cdz_cipher *c, uint8_t reg[16], uint8_t *used, const uint8_t *in, uint8_t *out,
                  size_t len) {
    if (*used) {
        const size_t left = 16u - *used, n = len < left ? len : left;
        cdz_xor(out, in, reg + *used, n);
        *used = (uint8_t)((*used + n) & 15);
        in += n, out += n, len -= n;
    }
    const size_t blocks = len / 16;
    if (blocks) {
        blocks_of(c, reg, in, out, blocks);
        in += 16 * blocks, out += 16 * blocks, len -= 16 * blocks;
    }
    if (len) {
        c->engine->encrypt(cdz_ks(c), reg, reg, 1);
        cdz_xor(out, in, reg, len);
        *used = (uint8_t)len;
    }
}

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {
    uint8_t reg[16], used = 0;
    (void)tag;
    memcpy(reg, m->iv, 16);
    crypt(c, reg, &used, m->in, m->out, m->len);
    cdz_wipe(reg, sizeof reg);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    (void)iv_len;
    memcpy(c->s.chain, iv, 16);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    crypt(c, c->s.chain, &c->s.used, in, out, len);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t *tag) {
    (void)c, (void)in, (void)len, (void)out, (void)tag;
    *out_len = 0;
    return CDZ_OK;
}

static void batch(struct cdz_feed *f) { cdz_lanes_chain(f, CDZ_CHAIN_OFB); }

static void clean(struct cdz_cipher *c) {
    struct cdz_behind *const b = &c->behind;
    for (size_t d = 0; d < 2 && c->engine->ofb; d++) b->whole[d][0] = b->piece[d][0] = cdz_behind_few(c);
}

const struct cdz_mode cdz_mode_ofb = {
    CDZ_MODE_NAMES("OFB"),
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
