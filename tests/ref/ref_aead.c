/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's modes with a tag, and the MACs: CMAC (SP 800-38B), GCM and GMAC (SP 800-38D), CCM (SP 800-38C), EAX
 * (Bellare, Rogaway, Wagner: The EAX mode of operation), OCB (RFC 7253), SIV (RFC 5297), GCM-SIV (RFC 8452).
 */
#include "ref.h"

#include <stdlib.h>
#include <string.h>

/* The lengths that each standard has for tags: bit n for n bytes. */
#define TAG_4_TO_16   0x1fff0u /* EAX and CMAC have any; cadenza takes no shorter ones */
#define TAG_EVEN_4_16 0x15550u
#define TAG_8_12_16   0x11100u
#define TAG_16        0x10000u
#define TAG_GCM       0x1f110u /* 12 to 16, and 4 and 8 (SP 800-38D, 5.2.1.2) */

/* A message put together: freed by the caller. */
struct text {
    uint8_t *p;
    size_t len;
};

static struct text text_new(size_t room) {
    struct text t = {calloc(1, room + 16), 0};
    if (!t.p) abort();
    return t;
}

static void text_add(struct text *t, const uint8_t *p, size_t n) {
    if (n > 0) memcpy(t->p + t->len, p, n);
    t->len += n;
}

static void text_pad(struct text *t) { t->len = (t->len + 15) / 16 * 16; } /* with zeros, that are there already */

/* ---- CMAC ---- */

void ref_double(const uint8_t in[16], uint8_t out[16]) {
    const bool carry = in[0] >> 7;
    for (int i = 0; i < 15; i++) out[i] = (uint8_t)(in[i] << 1 | in[i + 1] >> 7);
    out[15] = (uint8_t)(in[15] << 1);
    if (carry) out[15] ^= 0x87;
}

void ref_cmac(const struct ref_key *k, const uint8_t *in, size_t len, uint8_t mac[16]) {
    uint8_t k1[16], k2[16], last[16] = {0}, c[16] = {0};
    const size_t n = len == 0 ? 1 : (len + 15) / 16, part = len - 16 * (n - 1);
    ref_encrypt_block(k, c, k1);
    ref_double(k1, k1);
    ref_double(k1, k2);
    if (part > 0) memcpy(last, in + 16 * (n - 1), part);
    if (part < 16) last[part] = 0x80;
    ref_xor(last, last, part == 16 ? k1 : k2, 16);
    for (size_t i = 0; i < n; i++) {
        ref_xor(c, c, i < n - 1 ? in + 16 * i : last, 16);
        ref_encrypt_block(k, c, c);
    }
    memcpy(mac, c, 16);
}

static size_t cmac_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)out;
    ref_cmac(&r->k[0], m->in, m->len, tag);
    return 0;
}

/* Encrypt-and-compare serves every mode whose decryption finds the plaintext first. */
static bool mac_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t t[16];
    *out_len = 0;
    r->mode->seal(r, m, out, t);
    return ref_equal(t, tag, m->tag_len);
}

const struct ref_mode ref_cmac_mode = {.name = "CMAC",
                                       .kind = REF_MAC,
                                       .keys = 1,
                                       .serial = true,
                                       .calls = 1,
                                       .unit = 1,
                                       .tags = TAG_4_TO_16,
                                       .seal = cmac_seal,
                                       .open = mac_open};

/* ---- GCM and GMAC ---- */

static void gcm_h(const struct ref *r, uint8_t h[16]) {
    const uint8_t zero[16] = {0};
    ref_encrypt_block(&r->k[0], zero, h);
}

/* SP 800-38D, 7.1, step 2. */
static void gcm_j0(const uint8_t h[16], const uint8_t *iv, size_t iv_len, uint8_t j0[16]) {
    memset(j0, 0, 16);
    if (iv_len == 12) {
        memcpy(j0, iv, 12);
        j0[15] = 1;
    } else {
        uint8_t lengths[16] = {0};
        ref_put_be64(lengths + 8, 8 * (uint64_t)iv_len);
        ref_ghash(h, j0, iv, iv_len);
        ref_ghash(h, j0, lengths, 16);
    }
}

/* GCTR: inc32, so 4 bytes count. */
static void gcm_crypt(const struct ref *r, const struct ref_message *m, const uint8_t j0[16], uint8_t *out) {
    uint8_t ctr[16];
    memcpy(ctr, j0, 16);
    ref_increment_be(ctr + 12, 4);
    ref_ctr_from(&r->k[0], ctr, 4, m->in, m->len, out);
}

static void gcm_tag(const struct ref *r, const uint8_t h[16], const uint8_t j0[16], const uint8_t *aad, size_t aad_len,
                    const uint8_t *c, size_t len, uint8_t tag[16]) {
    uint8_t s[16] = {0}, lengths[16], e[16];
    ref_put_be64(lengths, 8 * (uint64_t)aad_len);
    ref_put_be64(lengths + 8, 8 * (uint64_t)len);
    ref_ghash(h, s, aad, aad_len);
    ref_ghash(h, s, c, len);
    ref_ghash(h, s, lengths, 16);
    ref_encrypt_block(&r->k[0], j0, e);
    ref_xor(tag, s, e, 16);
}

static size_t gcm_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    uint8_t h[16], j0[16];
    gcm_h(r, h);
    gcm_j0(h, m->iv, m->iv_len, j0);
    gcm_crypt(r, m, j0, out);
    gcm_tag(r, h, j0, m->aad, m->aad_len, out, m->len, tag);
    return m->len;
}

static bool gcm_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t h[16], j0[16], t[16];
    gcm_h(r, h);
    gcm_j0(h, m->iv, m->iv_len, j0);
    gcm_tag(r, h, j0, m->aad, m->aad_len, m->in, m->len, t);
    gcm_crypt(r, m, j0, out);
    *out_len = m->len;
    return ref_equal(t, tag, m->tag_len);
}

void ref_gcm_iv_for_j0(const struct ref *r, const uint8_t j0[16], uint8_t iv[16]) {
    uint8_t h[16], inverse[16], x[16];
    gcm_h(r, h);
    ref_gcm_inverse(h, inverse);
    ref_gcm_mul(j0, inverse, x); /* J0 = (IV * H ^ 128) * H */
    x[15] ^= 128;
    ref_gcm_mul(x, inverse, iv);
}

const struct ref_mode ref_gcm = {.name = "GCM",
                                 .keys = 1,
                                 .calls = 1,
                                 .unit = 1,
                                 .iv_default = 12,
                                 .tags = TAG_GCM,
                                 .aad = true,
                                 .seal = gcm_seal,
                                 .open = gcm_open};

static size_t gmac_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    struct ref_message x = {.iv = m->iv, .iv_len = m->iv_len, .aad = m->in, .aad_len = m->len};
    gcm_seal(r, &x, out, tag);
    return 0;
}

const struct ref_mode ref_gmac = {.name = "GMAC",
                                  .kind = REF_MAC,
                                  .keys = 1,
                                  .calls = 1,
                                  .unit = 1,
                                  .iv_default = 12,
                                  .tags = TAG_GCM,
                                  .seal = gmac_seal,
                                  .open = mac_open};

/* ---- CCM, formatting of SP 800-38C, appendix A; L here is q there ---- */

static void ccm_tag(const struct ref *r, const struct ref_message *m, const uint8_t *plain, uint8_t tag[16]) {
    const size_t q = 15 - m->iv_len;
    struct text b = text_new(16 + 16 + m->aad_len + 16 + m->len + 16);
    uint8_t b0[16] = {0}, length[10], t[16] = {0};
    b0[0] = (uint8_t)((m->aad_len > 0 ? 64 : 0) + 8 * ((m->tag_len - 2) / 2) + (q - 1));
    memcpy(b0 + 1, m->iv, m->iv_len);
    ref_put_be64(length, m->len);
    memcpy(b0 + 16 - q, length + 8 - q, q);
    text_add(&b, b0, 16);
    const uint64_t aad_len = m->aad_len; /* size_t may have 32 bits */
    if (aad_len > 0) {                   /* A.2.2 */
        if (aad_len < 0xff00) {
            ref_put_be64(length, m->aad_len);
            text_add(&b, length + 6, 2);
        } else if (aad_len <= UINT32_MAX) {
            ref_put_be64(length, UINT64_C(0xfffe) << 32 | m->aad_len);
            text_add(&b, length + 2, 6);
        } else {
            length[0] = length[1] = 0xff;
            ref_put_be64(length + 2, m->aad_len);
            text_add(&b, length, 10);
        }
        text_add(&b, m->aad, m->aad_len);
        text_pad(&b);
    }
    text_add(&b, plain, m->len);
    text_pad(&b);
    for (size_t i = 0; i < b.len; i += 16) {
        ref_xor(t, t, b.p + i, 16);
        ref_encrypt_block(&r->k[0], t, t);
    }
    free(b.p);
    /* Encrypted with the first counter block. */
    uint8_t ctr[16] = {(uint8_t)(q - 1)}, s0[16];
    memcpy(ctr + 1, m->iv, m->iv_len);
    ref_encrypt_block(&r->k[0], ctr, s0);
    ref_xor(tag, t, s0, 16);
}

static void ccm_crypt(const struct ref *r, const struct ref_message *m, uint8_t *out) {
    const size_t q = 15 - m->iv_len;
    uint8_t ctr[16] = {(uint8_t)(q - 1)};
    memcpy(ctr + 1, m->iv, m->iv_len);
    ctr[15] = 1;
    ref_ctr_from(&r->k[0], ctr, q, m->in, m->len, out);
}

static size_t ccm_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    ccm_tag(r, m, m->in, tag);
    ccm_crypt(r, m, out);
    return m->len;
}

static bool ccm_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t t[16];
    ccm_crypt(r, m, out);
    ccm_tag(r, m, out, t);
    *out_len = m->len;
    return ref_equal(t, tag, m->tag_len);
}

const struct ref_mode ref_ccm = {.name = "CCM",
                                 .keys = 1,
                                 .serial = true,
                                 .calls = 2,
                                 .unit = 1,
                                 .iv_default = 12,
                                 .tags = TAG_EVEN_4_16,
                                 .aad = true,
                                 .seal = ccm_seal,
                                 .open = ccm_open};

/* ---- EAX ---- */

/* OMAC^t(M) = CMAC([t]_n || M) */
static void omac(const struct ref *r, uint8_t t, const uint8_t *in, size_t len, uint8_t mac[16]) {
    struct text x = text_new(16 + len);
    uint8_t block[16] = {0};
    block[15] = t;
    text_add(&x, block, 16);
    text_add(&x, in, len);
    ref_cmac(&r->k[0], x.p, x.len, mac);
    free(x.p);
}

static void eax_tag(const struct ref *r, const struct ref_message *m, const uint8_t *c, uint8_t tag[16]) {
    uint8_t n[16], h[16], x[16];
    omac(r, 0, m->iv, m->iv_len, n);
    omac(r, 1, m->aad, m->aad_len, h);
    omac(r, 2, c, m->len, x);
    ref_xor(tag, n, h, 16);
    ref_xor(tag, tag, x, 16);
}

static size_t eax_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    uint8_t n[16];
    omac(r, 0, m->iv, m->iv_len, n);
    ref_ctr_from(&r->k[0], n, 16, m->in, m->len, out);
    eax_tag(r, m, out, tag);
    return m->len;
}

static bool eax_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t n[16], t[16];
    eax_tag(r, m, m->in, t);
    omac(r, 0, m->iv, m->iv_len, n);
    ref_ctr_from(&r->k[0], n, 16, m->in, m->len, out);
    *out_len = m->len;
    return ref_equal(t, tag, m->tag_len);
}

void ref_eax_nonce_for_counter(const struct ref *r, const uint8_t ctr[16], uint8_t nonce[16]) {
    const uint8_t zero[16] = {0};
    uint8_t k1[16], x[16];
    ref_encrypt_block(&r->k[0], zero, k1); /* also E of the block [0]_n */
    ref_decrypt_block(&r->k[0], ctr, x);   /* ctr = E(E([0]_n) ^ nonce ^ K1) */
    ref_xor(nonce, x, k1, 16);
    ref_double(k1, k1);
    ref_xor(nonce, nonce, k1, 16);
}

const struct ref_mode ref_eax = {.name = "EAX",
                                 .keys = 1,
                                 .serial = true,
                                 .calls = 2,
                                 .unit = 1,
                                 .iv_default = 16,
                                 .tags = TAG_4_TO_16,
                                 .aad = true,
                                 .seal = eax_seal,
                                 .open = eax_open};

/* ---- OCB (RFC 7253, 4) ---- */

/* L_i for i >= 0: L_* doubled i + 2 times. */
static void ocb_l(const struct ref *r, int i, uint8_t l[16]) {
    const uint8_t zero[16] = {0};
    ref_encrypt_block(&r->k[0], zero, l);
    for (int j = 0; j < i + 2; j++) ref_double(l, l);
}

static int ntz(size_t i) { return __builtin_ctzll((unsigned long long)i); }

static void ocb_hash(const struct ref *r, const uint8_t *a, size_t len, uint8_t sum[16]) {
    uint8_t offset[16] = {0}, l[16], x[16];
    memset(sum, 0, 16);
    for (size_t i = 1; i <= len / 16; i++) {
        ocb_l(r, ntz(i), l);
        ref_xor(offset, offset, l, 16);
        ref_xor(x, a + 16 * (i - 1), offset, 16);
        ref_encrypt_block(&r->k[0], x, x);
        ref_xor(sum, sum, x, 16);
    }
    if (len % 16 > 0) {
        ocb_l(r, -2, l); /* L_* */
        ref_xor(offset, offset, l, 16);
        memset(x, 0, 16);
        memcpy(x, a + len / 16 * 16, len % 16);
        x[len % 16] = 0x80;
        ref_xor(x, x, offset, 16);
        ref_encrypt_block(&r->k[0], x, x);
        ref_xor(sum, sum, x, 16);
    }
}

static void ocb_offset0(const struct ref *r, const struct ref_message *m, uint8_t offset[16]) {
    uint8_t nonce[16] = {0}, ktop[16], stretch[24];
    nonce[0] = (uint8_t)(8 * m->tag_len % 128 << 1);
    nonce[15 - m->iv_len] |= 1;
    memcpy(nonce + 16 - m->iv_len, m->iv, m->iv_len);
    const unsigned bottom = nonce[15] & 63;
    nonce[15] &= 0xc0;
    ref_encrypt_block(&r->k[0], nonce, ktop);
    memcpy(stretch, ktop, 16);
    ref_xor(stretch + 16, ktop, ktop + 1, 8);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned at = bottom / 8 + i, two = (unsigned)stretch[at] << 8 | (at + 1 < 24 ? stretch[at + 1] : 0);
        offset[i] = (uint8_t)(two << bottom % 8 >> 8);
    }
}

static void ocb(const struct ref *r, const struct ref_message *m, bool decrypt, uint8_t *out, uint8_t tag[16]) {
    uint8_t offset[16], checksum[16] = {0}, l[16], x[16], sum[16];
    const size_t whole = m->len / 16, part = m->len % 16;
    ocb_offset0(r, m, offset);
    for (size_t i = 1; i <= whole; i++) {
        const uint8_t *in = m->in + 16 * (i - 1);
        ocb_l(r, ntz(i), l);
        ref_xor(offset, offset, l, 16);
        ref_xor(x, in, offset, 16);
        if (!decrypt) ref_xor(checksum, checksum, in, 16);
        if (decrypt)
            ref_decrypt_block(&r->k[0], x, x);
        else
            ref_encrypt_block(&r->k[0], x, x);
        ref_xor(x, x, offset, 16);
        if (decrypt) ref_xor(checksum, checksum, x, 16);
        memcpy(out + 16 * (i - 1), x, 16);
    }
    if (part > 0) {
        uint8_t plain[16] = {0}, other[16];
        ocb_l(r, -2, l);
        ref_xor(offset, offset, l, 16);
        ref_encrypt_block(&r->k[0], offset, x); /* Pad */
        ref_xor(other, m->in + 16 * whole, x, part);
        memcpy(plain, decrypt ? other : m->in + 16 * whole, part);
        plain[part] = 0x80;
        memcpy(out + 16 * whole, other, part);
        ref_xor(checksum, checksum, plain, 16);
    }
    ocb_l(r, -1, l); /* L_$ */
    ref_xor(x, checksum, offset, 16);
    ref_xor(x, x, l, 16);
    ref_encrypt_block(&r->k[0], x, x);
    ocb_hash(r, m->aad, m->aad_len, sum);
    ref_xor(tag, x, sum, 16);
}

static size_t ocb_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    ocb(r, m, false, out, tag);
    return m->len;
}

static bool ocb_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t t[16];
    ocb(r, m, true, out, t);
    *out_len = m->len;
    return ref_equal(t, tag, m->tag_len);
}

const struct ref_mode ref_ocb = {.name = "OCB",
                                 .keys = 1,
                                 .calls = 1,
                                 .unit = 1,
                                 .iv_default = 12,
                                 .tags = TAG_8_12_16,
                                 .aad = true,
                                 .seal = ocb_seal,
                                 .open = ocb_open};

/* ---- SIV (RFC 5297) ---- */

/* S2V (2.4) of n strings and the plaintext as the last one. */
static void s2v(const struct ref *r, const uint8_t *const *strings, const size_t *lens, size_t n, const uint8_t *in,
                size_t len, uint8_t v[16]) {
    const uint8_t zero[16] = {0};
    uint8_t d[16], mac[16];
    ref_cmac(&r->k[0], zero, 16, d);
    for (size_t i = 0; i < n; i++) {
        ref_double(d, d);
        ref_cmac(&r->k[0], strings[i], lens[i], mac);
        ref_xor(d, d, mac, 16);
    }
    struct text t = text_new(len + 16);
    text_add(&t, in, len);
    if (len >= 16) { /* xorend */
        ref_xor(t.p + len - 16, t.p + len - 16, d, 16);
    } else {
        ref_double(d, d);
        t.p[len] = 0x80;
        ref_xor(t.p, t.p, d, 16);
        t.len = 16;
    }
    ref_cmac(&r->k[0], t.p, t.len, v);
    free(t.p);
}

static void siv_crypt(const struct ref *r, const uint8_t v[16], const uint8_t *in, size_t len, uint8_t *out) {
    uint8_t q[16];
    memcpy(q, v, 16);
    q[8] &= 0x7f;
    q[12] &= 0x7f;
    ref_ctr_from(&r->k[1], q, 16, in, len, out);
}

void ref_siv_seal(const struct ref *r, const uint8_t *const *strings, const size_t *lens, size_t n, const uint8_t *in,
                  size_t len, uint8_t *out, uint8_t v[16]) {
    s2v(r, strings, lens, n, in, len, v);
    siv_crypt(r, v, in, len, out);
}

/* AAD, then the nonce (3), each where it is there. */
static size_t siv_strings(const struct ref_message *m, const uint8_t *strings[2], size_t lens[2]) {
    size_t n = 0;
    if (m->aad) {
        strings[n] = m->aad;
        lens[n++] = m->aad_len;
    }
    if (m->iv_len > 0) {
        strings[n] = m->iv;
        lens[n++] = m->iv_len;
    }
    return n;
}

static size_t siv_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    const uint8_t *strings[2];
    size_t lens[2];
    const size_t n = siv_strings(m, strings, lens);
    ref_siv_seal(r, strings, lens, n, m->in, m->len, out, tag);
    return m->len;
}

static bool siv_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    const uint8_t *strings[2];
    size_t lens[2];
    const size_t n = siv_strings(m, strings, lens);
    uint8_t v[16];
    siv_crypt(r, tag, m->in, m->len, out);
    s2v(r, strings, lens, n, out, m->len, v);
    *out_len = m->len;
    return ref_equal(v, tag, 16);
}

bool ref_siv_string_for_v(const struct ref *r, const uint8_t *in, size_t len, const uint8_t v[16], uint8_t string[16]) {
    const uint8_t zero[16] = {0};
    uint8_t k1[16], c[16] = {0}, x[16], d[16];
    if (len == 0 || len % 16) return false;
    ref_encrypt_block(&r->k[0], zero, k1);
    ref_double(k1, k1);
    /* V = E(P_n ^ D ^ K1 ^ C_(n-1)), where C is the chain over the blocks before. */
    for (size_t i = 0; i + 16 < len; i += 16) {
        ref_xor(c, c, in + i, 16);
        ref_encrypt_block(&r->k[0], c, c);
    }
    ref_decrypt_block(&r->k[0], v, x);
    ref_xor(x, x, in + len - 16, 16);
    ref_xor(x, x, k1, 16);
    ref_xor(x, x, c, 16);
    /* x is now the D that it takes: dbl(CMAC(<zero>)) ^ CMAC(string), and the string is E^-1(...) ^ K1. */
    ref_cmac(&r->k[0], zero, 16, d);
    ref_double(d, d);
    ref_xor(x, x, d, 16);
    ref_decrypt_block(&r->k[0], x, x);
    ref_xor(string, x, k1, 16);
    return true;
}

const struct ref_mode ref_siv = {.name = "SIV",
                                 .keys = 2,
                                 .serial = true,
                                 .calls = 2,
                                 .unit = 1,
                                 .iv_default = 16,
                                 .tags = TAG_16,
                                 .aad = true,
                                 .seal = siv_seal,
                                 .open = siv_open};

/* ---- GCM-SIV (RFC 8452, 4 and 5) ---- */

static void gcm_siv_keys(const struct ref *r, const uint8_t nonce[12], uint8_t auth[16], struct ref_key *enc) {
    uint8_t block[16] = {0}, out[16], key[48];
    memcpy(block + 4, nonce, 12);
    for (uint8_t i = 0; i < 2 + r->key_len / 8; i++) {
        block[0] = i;
        ref_encrypt_block(&r->k[0], block, out);
        memcpy(key + 8 * i, out, 8);
    }
    memcpy(auth, key, 16);
    ref_set_key(enc, r->k[0].cipher, key + 16, r->key_len);
}

static void gcm_siv_tag(const struct ref_key *enc, const uint8_t auth[16], const struct ref_message *m,
                        const uint8_t *plain, uint8_t tag[16]) {
    uint8_t s[16] = {0}, lengths[16];
    ref_put_le64(lengths, 8 * (uint64_t)m->aad_len);
    ref_put_le64(lengths + 8, 8 * (uint64_t)m->len);
    ref_polyval(auth, s, m->aad, m->aad_len);
    ref_polyval(auth, s, plain, m->len);
    ref_polyval(auth, s, lengths, 16);
    ref_xor(s, s, m->iv, 12);
    s[15] &= 0x7f;
    ref_encrypt_block(enc, s, tag);
}

/* The counter is the little-endian number in the first four bytes, modulo 2^32. */
static void gcm_siv_crypt(const struct ref_key *enc, const uint8_t tag[16], const uint8_t *in, size_t len,
                          uint8_t *out) {
    uint8_t ctr[16], o[16];
    memcpy(ctr, tag, 16);
    ctr[15] |= 0x80;
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(enc, ctr, o);
        ref_xor(out + i, in + i, o, len - i < 16 ? len - i : 16);
        for (int j = 0; j < 4 && ++ctr[j] == 0; j++) {}
    }
}

static size_t gcm_siv_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    uint8_t auth[16];
    struct ref_key enc;
    gcm_siv_keys(r, m->iv, auth, &enc);
    gcm_siv_tag(&enc, auth, m, m->in, tag);
    gcm_siv_crypt(&enc, tag, m->in, m->len, out);
    return m->len;
}

static bool gcm_siv_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                         size_t *out_len) {
    uint8_t auth[16], t[16];
    struct ref_key enc;
    gcm_siv_keys(r, m->iv, auth, &enc);
    gcm_siv_crypt(&enc, tag, m->in, m->len, out);
    gcm_siv_tag(&enc, auth, m, out, t);
    *out_len = m->len;
    return ref_equal(t, tag, 16);
}

bool ref_gcm_siv_aad_for_tag(const struct ref *r, const uint8_t nonce[12], const uint8_t *in, size_t len,
                             const uint8_t tag[16], uint8_t aad[16]) {
    uint8_t auth[16], s[16], y[16] = {0}, lengths[16];
    struct ref_key enc;
    gcm_siv_keys(r, nonce, auth, &enc);
    ref_decrypt_block(&enc, tag, s);
    if (s[15] & 0x80) return false; /* that bit is cleared before the encryption */
    ref_xor(s, s, nonce, 12);
    /* POLYVAL is linear: what the message and the lengths give without the associated data is taken away. */
    ref_put_le64(lengths, 8 * 16);
    ref_put_le64(lengths + 8, 8 * (uint64_t)len);
    ref_polyval(auth, y, in, len);
    ref_polyval(auth, y, lengths, 16);
    ref_xor(y, y, s, 16);
    ref_polyval_solve(auth, y, 1 + (len + 15) / 16 + 1, aad);
    return true;
}

const struct ref_mode ref_gcm_siv = {.name = "GCM-SIV",
                                     .keys = 1,
                                     .no_192 = true,
                                     .calls = 1,
                                     .unit = 1,
                                     .iv_default = 12,
                                     .tags = TAG_16,
                                     .aad = true,
                                     .seal = gcm_siv_seal,
                                     .open = gcm_siv_open};

/* ---- all modes ---- */

const struct ref_mode *const ref_modes[] = {
    &ref_ecb,  &ref_cbc,     &ref_cbc_pkcs7, &ref_cbc_cs1, &ref_cbc_cs2,   &ref_cbc_cs3, &ref_cfb, &ref_cfb8,
    &ref_cfb1, &ref_ofb,     &ref_ctr,       &ref_xts,     &ref_gcm,       &ref_ccm,     &ref_eax, &ref_ocb,
    &ref_siv,  &ref_gcm_siv, &ref_kw,        &ref_kwp,     &ref_cmac_mode, &ref_gmac,    NULL};

const struct ref_mode *ref_mode_find(const char *name) {
    for (size_t i = 0; ref_modes[i]; i++)
        if (strcmp(ref_modes[i]->name, name) == 0) return ref_modes[i];
    return NULL;
}

void ref_init(struct ref *r, const char *mode, enum ref_cipher cipher, const uint8_t *key, size_t key_len) {
    memset(r, 0, sizeof *r);
    r->mode = ref_mode_find(mode);
    if (!r->mode) abort();
    r->key_len = key_len / (size_t)r->mode->keys;
    for (size_t i = 0; i < (size_t)r->mode->keys; i++) ref_set_key(&r->k[i], cipher, key + i * r->key_len, r->key_len);
}

size_t ref_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    return r->mode->seal(r, m, out, tag);
}

bool ref_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out, size_t *out_len) {
    return r->mode->open(r, m, tag, out, out_len);
}
