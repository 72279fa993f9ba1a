/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KW and KWP: NIST SP 800-38F; RFC 3394 and RFC 5649. For keys under keys, of a few blocks each: no nonce, and as the
 * integrity value goes through the same permutation as the key there is no tag beside it.
 *
 *     KW:   W(A6A6A6A6A6A6A6A6 | key)                          whole semiblocks of 8 bytes, two at least
 *     KWP:  W(A65959A6 | length (4 bytes) | key | zeros)       up to whole semiblocks; a single one: one E()
 *
 * W on | A | R[1] | ... | R[n] |: 6 times over all i from 1 to n, t counting from 1 to 6 n
 *
 *     (A, R[i]) = E(A | R[i]);  A ^= t                         t is a big-endian number of 64 bits
 */
#include "mode.h"

static const uint8_t kw_value[8] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6}; /* RFC 3394, 2.2.3.1 */
static const uint8_t kwp_value[4] = {0xa6, 0x59, 0x59, 0xa6};                        /* RFC 5649, 3 */

/* W in place: a = A, r = R[1] ... R[n]. */
static void w(const struct cdz_cipher *c, uint8_t a[8], uint8_t *r, size_t n) {
    uint8_t x[16];
    uint64_t t = 0;
    memcpy(x, a, 8);
    for (int j = 0; j < 6; j++) {
        for (size_t i = 0; i < n; i++) {
            memcpy(x + 8, r + 8 * i, 8);
            c->engine->encrypt(cdz_ks(c), x, x, 1);
            memcpy(r + 8 * i, x + 8, 8);
            cdz_store_be64(x, cdz_load_be64(x) ^ ++t);
        }
    }
    memcpy(a, x, 8);
    cdz_wipe(x, sizeof x);
}

static void w_inverse(const struct cdz_cipher *c, uint8_t a[8], uint8_t *r, size_t n) {
    uint8_t x[16];
    uint64_t t = 6 * (uint64_t)n;
    memcpy(x, a, 8);
    for (int j = 0; j < 6; j++) {
        for (size_t i = n; i-- > 0;) {
            cdz_store_be64(x, cdz_load_be64(x) ^ t--);
            memcpy(x + 8, r + 8 * i, 8);
            c->engine->decrypt(cdz_ks(c), x, x, 1);
            memcpy(r + 8 * i, x + 8, 8);
        }
    }
    memcpy(a, x, 8);
    cdz_wipe(x, sizeof x);
}

static void wrap_kw(const struct cdz_cipher *c, const struct cdz_message *m) {
    memmove(m->out + 8, m->in, m->len);
    memcpy(m->out, m->iv_len ? m->iv : kw_value, 8);
    w(c, m->out, m->out + 8, m->len / 8);
}

static uint64_t unwrap_kw(const struct cdz_cipher *c, const struct cdz_message *m, size_t *out_len) {
    uint8_t a[8];
    memcpy(a, m->in, 8);
    *out_len = m->len - 8;
    memmove(m->out, m->in + 8, *out_len);
    w_inverse(c, a, m->out, *out_len / 8);
    const uint64_t right = cdz_equal_mask(a, m->iv_len ? m->iv : kw_value, 8);
    cdz_wipe(a, sizeof a);
    return right;
}

static void wrap_kwp(const struct cdz_cipher *c, const struct cdz_message *m) {
    const size_t padded = (m->len + 7) & ~(size_t)7;
    memmove(m->out + 8, m->in, m->len);
    memset(m->out + 8 + m->len, 0, padded - m->len);
    memcpy(m->out, m->iv_len ? m->iv : kwp_value, 4);
    cdz_store_be32(m->out + 4, (uint32_t)m->len);
    if (padded == 8)
        c->engine->encrypt(cdz_ks(c), m->out, m->out, 1);
    else
        w(c, m->out, m->out + 8, padded / 8);
}

static uint64_t unwrap_kwp(const struct cdz_cipher *c, const struct cdz_message *m, size_t *out_len) {
    const size_t padded = m->len - 8;
    uint8_t a[8];
    if (padded == 8) {
        uint8_t x[16];
        c->engine->decrypt(cdz_ks(c), m->in, x, 1);
        memcpy(a, x, 8);
        memcpy(m->out, x + 8, 8);
        cdz_wipe(x, sizeof x);
    } else {
        memcpy(a, m->in, 8);
        memmove(m->out, m->in + 8, padded);
        w_inverse(c, a, m->out, padded / 8);
    }
    /* The length that came out is padded, less 0 to 7 bytes, which are 0. All of it is checked without a branch: */
    const uint64_t len = cdz_load_be32(a + 4);
    const uint64_t pad = (uint64_t)padded - len; /* a huge number where len is greater */
    uint64_t bad = pad >> 3;                     /* not 0 unless pad is 0 to 7 */
    for (uint64_t i = 0; i < 7; i++) {           /* byte i from the end is padding if i < pad */
        const uint64_t is_pad = 0 - ((i - (pad & 7)) >> 63);
        bad |= cdz_value_barrier(is_pad) & m->out[padded - 1 - (size_t)i];
    }
    bad |= ~cdz_equal_mask(a, m->iv_len ? m->iv : kwp_value, 4);
    const uint64_t right = cdz_value_barrier(((bad | (0 - bad)) >> 63) - 1);
    *out_len = (size_t)(len & right);
    cdz_wipe(a, sizeof a);
    return right;
}

const struct cdz_mode cdz_mode_kw = {
    CDZ_MODE_NAMES("KW"),
    .standard = "NIST SP 800-38F, RFC 3394",
    .keys = 1,
    .iv_max = 8,
    .unit = 8,
    .min_len = 16,
    .max_len = (UINT64_C(1) << 57) - 8, /* 2^54 - 1 semiblocks */
    .wrap = wrap_kw,
    .unwrap = unwrap_kw,
};

const struct cdz_mode cdz_mode_kwp = {
    CDZ_MODE_NAMES("KWP"),
    .standard = "NIST SP 800-38F, RFC 5649",
    .keys = 1,
    .iv_max = 4,
    .unit = 1,
    .min_len = 1,
    .max_len = UINT32_MAX,
    .wrap = wrap_kwp,
    .unwrap = unwrap_kwp,
};
