/* SPDX-License-Identifier: Apache-2.0 */
/* GMAC: NIST SP 800-38D. GCM (../mode/gcm.c) without a message: what is authenticated comes as associated data. */
#include "../mode/mode.h"

static void setup(struct cdz_cipher *c) { cdz_mode_gcm.setup(c); }

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16]) {
    cdz_mode_gcm.encrypt(c, m, tag);
}

static void batch(struct cdz_feed *f) { cdz_mode_gcm.batch(f); }

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) { cdz_mode_gcm.begin(c, iv, iv_len); }

static void aad(struct cdz_cipher *c, const uint8_t *in, size_t len) { cdz_mode_gcm.aad(c, in, len); }

/* Never called: there is no message. */
static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    cdz_mode_gcm.update(c, in, out, len);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]) {
    return cdz_mode_gcm.finish(c, in, len, out, out_len, tag);
}

const struct cdz_mode cdz_mode_gmac = {
    CDZ_MODE_NAMES("GMAC"),
    .standard = "NIST SP 800-38D",
    .keys = 1,
    .flags = CDZ_MODE_HASH | CDZ_MODE_MAC,
    .iv_min = 1,
    .iv_max = SIZE_MAX < UINT64_MAX ? SIZE_MAX : (size_t)(UINT64_MAX >> 3), /* 2^64 - 1 bits */
    .iv_default = 12,
    .tag_lengths = 1u << 4 | 1u << 8 | 0x1fu << 12,
    .unit = 1,
    .max_aad = UINT64_MAX >> 3,
    .setup = setup,
    .encrypt = whole,
    .decrypt = whole,
    .batch = batch,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
