/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's modes without a tag: SP 800-38A (ECB, CBC, CFB, OFB, CTR), its addendum (CBC-CS1 to CS3), PKCS #7 padding
 * (RFC 5652, 6.3), IEEE 1619 (XTS), SP 800-38F (KW, KWP).
 *
 * Symbols are those of the standards: P and C plaintext and ciphertext, I and O input and output of the block cipher.
 */
#include "ref.h"

#include <string.h>

/* ---- bytes ---- */

void ref_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(a[i] ^ b[i]);
}

void ref_put_be64(uint8_t *p, uint64_t x) {
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> (56 - 8 * i));
}

void ref_put_le64(uint8_t *p, uint64_t x) {
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> 8 * i);
}

void ref_increment_be(uint8_t *p, size_t bytes) {
    while (bytes > 0 && ++p[bytes - 1] == 0) bytes--;
}

bool ref_equal(const uint8_t *a, const uint8_t *b, size_t n) { return n == 0 || memcmp(a, b, n) == 0; }

size_t ref_room(size_t len) { return len + 32; }

/* ---- ECB ---- */

static size_t ecb_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    for (size_t i = 0; i < m->len; i += 16) ref_encrypt_block(&r->k[0], m->in + i, out + i);
    return m->len;
}

static bool ecb_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    (void)tag;
    for (size_t i = 0; i < m->len; i += 16) ref_decrypt_block(&r->k[0], m->in + i, out + i);
    *out_len = m->len;
    return true;
}

const struct ref_mode ref_ecb = {.name = "ECB", .keys = 1, .calls = 1, .unit = 16, .seal = ecb_seal, .open = ecb_open};

/* ---- CBC ---- */

/* C_j = E(P_j ^ C_(j-1)), C_0 = IV. `chain` is left as the last ciphertext block. */
static void cbc_encrypt(const struct ref_key *k, uint8_t chain[16], const uint8_t *in, size_t len, uint8_t *out) {
    for (size_t i = 0; i < len; i += 16) {
        ref_xor(chain, chain, in + i, 16);
        ref_encrypt_block(k, chain, chain);
        memcpy(out + i, chain, 16);
    }
}

static void cbc_decrypt(const struct ref_key *k, uint8_t chain[16], const uint8_t *in, size_t len, uint8_t *out) {
    for (size_t i = 0; i < len; i += 16) {
        uint8_t c[16], x[16];
        memcpy(c, in + i, 16);
        ref_decrypt_block(k, c, x);
        ref_xor(out + i, x, chain, 16);
        memcpy(chain, c, 16);
    }
}

static size_t cbc_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    uint8_t chain[16];
    (void)tag;
    memcpy(chain, m->iv, 16);
    cbc_encrypt(&r->k[0], chain, m->in, m->len, out);
    return m->len;
}

static bool cbc_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t chain[16];
    (void)tag;
    memcpy(chain, m->iv, 16);
    cbc_decrypt(&r->k[0], chain, m->in, m->len, out);
    *out_len = m->len;
    return true;
}

const struct ref_mode ref_cbc = {.name = "CBC",
                                 .keys = 1,
                                 .serial = true,
                                 .calls = 1,
                                 .unit = 16,
                                 .iv_default = 16,
                                 .seal = cbc_seal,
                                 .open = cbc_open};

/* ---- CBC with PKCS #7 padding: n bytes of value n, 1 to 16 of them ---- */

static size_t pkcs7_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    const size_t pad = 16 - m->len % 16, whole = m->len - m->len % 16;
    uint8_t chain[16], last[16];
    (void)tag;
    if (m->len % 16 > 0) memcpy(last, m->in + whole, m->len % 16);
    memset(last + m->len % 16, (int)pad, pad);
    memcpy(chain, m->iv, 16);
    cbc_encrypt(&r->k[0], chain, m->in, whole, out);
    cbc_encrypt(&r->k[0], chain, last, 16, out + whole);
    return whole + 16;
}

static bool pkcs7_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                       size_t *out_len) {
    if (m->len == 0 || m->len % 16 != 0) return false;
    cbc_open(r, m, tag, out, out_len);
    const uint8_t pad = out[m->len - 1];
    if (pad < 1 || pad > 16) return false;
    for (size_t i = 0; i < pad; i++)
        if (out[m->len - 1 - i] != pad) return false;
    *out_len = m->len - pad;
    return true;
}

const struct ref_mode ref_cbc_pkcs7 = {.name = "CBC-PKCS7",
                                       .kind = REF_PADDED,
                                       .keys = 1,
                                       .serial = true,
                                       .calls = 1,
                                       .unit = 1,
                                       .iv_default = 16,
                                       .seal = pkcs7_seal,
                                       .open = pkcs7_open};

/* ---- CBC with ciphertext stealing (addendum to SP 800-38A) ---- */

/* Encrypts the zero-padded message with CBC; what is left out of C_(n-1) is what decryption finds again in P_n. One
 * block alone is plain CBC in all three. CS1 leaves the two last blocks in their order, CS2 swaps them where the
 * last one is partial, CS3 always. */
static size_t cs_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, int variant) {
    const size_t d = m->len % 16 == 0 ? 16 : m->len % 16, before = m->len - d;
    uint8_t chain[16], last[16] = {0}, next[16];
    memcpy(chain, m->iv, 16);
    cbc_encrypt(&r->k[0], chain, m->in, before, out);
    memcpy(last, m->in + before, d);
    memcpy(next, chain, 16);
    cbc_encrypt(&r->k[0], next, last, 16, last);
    if (before == 0) {
        memcpy(out, last, 16);
    } else if (variant == 1 || (variant == 2 && d == 16)) {
        memcpy(out + before - 16 + d, last, 16); /* behind the first d bytes of C_(n-1) */
    } else {
        memcpy(out + before - 16, last, 16);
        memcpy(out + before, chain, d);
    }
    return m->len;
}

static bool cs_open(const struct ref *r, const struct ref_message *m, uint8_t *out, size_t *out_len, int variant) {
    const size_t d = m->len % 16 == 0 ? 16 : m->len % 16, before = m->len - d;
    uint8_t chain[16], last[16], part[16], x[16];
    memcpy(chain, m->iv, 16);
    *out_len = m->len;
    if (before == 0) {
        cbc_decrypt(&r->k[0], chain, m->in, 16, out);
        return true;
    }
    if (variant == 1 || (variant == 2 && d == 16)) {
        memcpy(part, m->in + before - 16, d);
        memcpy(last, m->in + before - 16 + d, 16);
    } else {
        memcpy(last, m->in + before - 16, 16);
        memcpy(part, m->in + before, d);
    }
    cbc_decrypt(&r->k[0], chain, m->in, before - 16, out);
    /* D(C_n) = C_(n-1) ^ (P_n padded with zeros): its end is that of C_(n-1). */
    ref_decrypt_block(&r->k[0], last, x);
    memcpy(last, x, 16);
    memcpy(last, part, d); /* C_(n-1), whole again */
    ref_xor(x, x, last, 16);
    cbc_decrypt(&r->k[0], chain, last, 16, out + before - 16);
    memcpy(out + before, x, d);
    return true;
}

#define CS(n)                                                                                                          \
    static size_t cs##n##_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {      \
        (void)tag;                                                                                                     \
        return cs_seal(r, m, out, n);                                                                                  \
    }                                                                                                                  \
    static bool cs##n##_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,       \
                             size_t *out_len) {                                                                        \
        (void)tag;                                                                                                     \
        return cs_open(r, m, out, out_len, n);                                                                         \
    }                                                                                                                  \
    const struct ref_mode ref_cbc_cs##n = {.name = "CBC-CS" #n,                                                        \
                                           .keys = 1,                                                                  \
                                           .serial = true,                                                             \
                                           .calls = 1,                                                                 \
                                           .unit = 1,                                                                  \
                                           .min = 16,                                                                  \
                                           .iv_default = 16,                                                           \
                                           .seal = cs##n##_seal,                                                       \
                                           .open = cs##n##_open};
CS(1)
CS(2)
CS(3)
#undef CS

/* ---- CFB with segments of 128, 8 and 1 bits (SP 800-38A, 6.3) ---- */

/* I_(j+1) = the last b - s bits of I_j, then C_j; C_j = P_j ^ the first s bits of E(I_j). The last segment of CFB128
 * may be cut. */
static void cfb(const struct ref_key *k, const uint8_t iv[16], size_t segment, bool decrypt, const uint8_t *in,
                size_t len, uint8_t *out) {
    uint8_t i_block[16], o[16];
    memcpy(i_block, iv, 16);
    for (size_t i = 0; i < len; i += segment) {
        const size_t n = len - i < segment ? len - i : segment;
        uint8_t c[16];
        ref_encrypt_block(k, i_block, o);
        memcpy(c, in + i, n);
        ref_xor(out + i, c, o, n);
        if (!decrypt) memcpy(c, out + i, n);
        memmove(i_block, i_block + segment, 16 - segment);
        memcpy(i_block + 16 - segment, c, n);
    }
}

static void cfb1(const struct ref_key *k, const uint8_t iv[16], bool decrypt, const uint8_t *in, size_t len,
                 uint8_t *out) {
    uint8_t i_block[16], o[16];
    memcpy(i_block, iv, 16);
    for (size_t i = 0; i < len; i++) {
        const uint8_t byte = in[i];
        uint8_t result = 0;
        for (int b = 7; b >= 0; b--) {
            ref_encrypt_block(k, i_block, o);
            const unsigned p = byte >> b & 1u, q = p ^ (unsigned)o[0] >> 7, c = decrypt ? p : q;
            result |= (uint8_t)(q << b);
            for (int j = 0; j < 15; j++) i_block[j] = (uint8_t)(i_block[j] << 1 | i_block[j + 1] >> 7);
            i_block[15] = (uint8_t)((unsigned)i_block[15] << 1 | c);
        }
        out[i] = result;
    }
}

static size_t cfb_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    cfb(&r->k[0], m->iv, 16, false, m->in, m->len, out);
    return m->len;
}
static bool cfb_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    (void)tag;
    cfb(&r->k[0], m->iv, 16, true, m->in, m->len, out);
    *out_len = m->len;
    return true;
}
static size_t cfb8_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    cfb(&r->k[0], m->iv, 1, false, m->in, m->len, out);
    return m->len;
}
static bool cfb8_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                      size_t *out_len) {
    (void)tag;
    cfb(&r->k[0], m->iv, 1, true, m->in, m->len, out);
    *out_len = m->len;
    return true;
}
static size_t cfb1_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    cfb1(&r->k[0], m->iv, false, m->in, m->len, out);
    return m->len;
}
static bool cfb1_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                      size_t *out_len) {
    (void)tag;
    cfb1(&r->k[0], m->iv, true, m->in, m->len, out);
    *out_len = m->len;
    return true;
}

const struct ref_mode ref_cfb = {.name = "CFB",
                                 .keys = 1,
                                 .serial = true,
                                 .calls = 1,
                                 .unit = 1,
                                 .iv_default = 16,
                                 .seal = cfb_seal,
                                 .open = cfb_open};
const struct ref_mode ref_cfb8 = {.name = "CFB8",
                                  .keys = 1,
                                  .serial = true,
                                  .calls = 16,
                                  .unit = 1,
                                  .iv_default = 16,
                                  .seal = cfb8_seal,
                                  .open = cfb8_open};
const struct ref_mode ref_cfb1 = {.name = "CFB1",
                                  .keys = 1,
                                  .serial = true,
                                  .calls = 128,
                                  .unit = 1,
                                  .iv_default = 16,
                                  .seal = cfb1_seal,
                                  .open = cfb1_open};

/* ---- OFB ---- */

static size_t ofb_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    uint8_t o[16];
    (void)tag;
    memcpy(o, m->iv, 16);
    for (size_t i = 0; i < m->len; i += 16) {
        ref_encrypt_block(&r->k[0], o, o);
        ref_xor(out + i, m->in + i, o, m->len - i < 16 ? m->len - i : 16);
    }
    return m->len;
}

static bool ofb_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    (void)tag;
    *out_len = ofb_seal(r, m, out, NULL);
    return true;
}

const struct ref_mode ref_ofb = {.name = "OFB",
                                 .keys = 1,
                                 .serial = true,
                                 .calls = 1,
                                 .unit = 1,
                                 .iv_default = 16,
                                 .seal = ofb_seal,
                                 .open = ofb_open};

/* ---- CTR, the counter the whole block as in SP 800-38A, appendix B.1, with m = 128 ---- */

/* The last wrap_bytes of the block count, modulo their power of two; the others stay. */
void ref_ctr_from(const struct ref_key *k, const uint8_t ctr[16], size_t wrap_bytes, const uint8_t *in, size_t len,
                  uint8_t *out) {
    uint8_t t[16], o[16];
    memcpy(t, ctr, 16);
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(k, t, o);
        ref_xor(out + i, in + i, o, len - i < 16 ? len - i : 16);
        ref_increment_be(t + 16 - wrap_bytes, wrap_bytes);
    }
}

static size_t ctr_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    ref_ctr_from(&r->k[0], m->iv, 16, m->in, m->len, out);
    return m->len;
}

static bool ctr_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    (void)tag;
    *out_len = ctr_seal(r, m, out, NULL);
    return true;
}

const struct ref_mode ref_ctr = {
    .name = "CTR", .keys = 1, .calls = 1, .unit = 1, .iv_default = 16, .seal = ctr_seal, .open = ctr_open};

/* ---- where a stream stands ---- */

bool ref_chain(const struct ref *r, const uint8_t iv[16], const uint8_t *pt, const uint8_t *ct, size_t len,
               uint8_t chain[16], unsigned *used) {
    const size_t part = len % 16, whole = len - part;
    uint8_t x[16];
    memcpy(x, iv, 16);
    *used = (unsigned)part;
    if (r->mode == &ref_cbc) {
        if (part != 0) return false;
        if (len > 0) memcpy(x, ct + len - 16, 16);
    } else if (r->mode == &ref_cfb) {
        /* Within a block: the ciphertext so far, then what is left of the keystream. */
        if (whole > 0) memcpy(x, ct + whole - 16, 16);
        if (part > 0) {
            ref_encrypt_block(&r->k[0], x, x);
            memcpy(x, ct + whole, part);
        }
    } else if (r->mode == &ref_ofb) {
        if (part > 0) { /* the current keystream block, of which only a part shows in the message */
            for (size_t i = 0; i < len; i += 16) ref_encrypt_block(&r->k[0], x, x);
        } else if (len > 0) {
            ref_xor(x, pt + len - 16, ct + len - 16, 16);
        }
    } else if (r->mode == &ref_ctr) {
        for (size_t i = 0; i < len; i += 16) ref_increment_be(x, 16);
    } else if (r->mode == &ref_cfb8 || r->mode == &ref_cfb1) {
        *used = 0;
        for (size_t i = 0; i < len; i++) {
            memmove(x, x + 1, 15);
            x[15] = ct[i];
        }
    } else if (r->mode == &ref_cbc_cs1 || r->mode == &ref_cbc_cs2 || r->mode == &ref_cbc_cs3) {
        /* Of a whole message: the block that was encrypted last. */
        const bool swapped = len > 16 && (r->mode == &ref_cbc_cs3 || (r->mode == &ref_cbc_cs2 && part));
        *used = 0;
        if (len < 16) return false;
        memcpy(x, swapped ? ct + (len - 1) / 16 * 16 - 16 : ct + len - 16, 16);
    } else {
        return false;
    }
    memcpy(chain, x, 16);
    return true;
}

/* ---- XTS (IEEE 1619-2007, 5.3 and 5.4) ---- */

/* 5.2: multiplication by alpha; byte 0 is the least significant. */
static void multiply_by_alpha(uint8_t t[16]) {
    const bool carry = t[15] >> 7;
    for (int i = 15; i > 0; i--) t[i] = (uint8_t)(t[i] << 1 | t[i - 1] >> 7);
    t[0] = (uint8_t)(t[0] << 1);
    if (carry) t[0] ^= 135;
}

static void xts_block(const struct ref *r, const uint8_t t[16], bool decrypt, const uint8_t in[16], uint8_t out[16]) {
    uint8_t x[16];
    ref_xor(x, in, t, 16);
    if (decrypt)
        ref_decrypt_block(&r->k[0], x, x);
    else
        ref_encrypt_block(&r->k[0], x, x);
    ref_xor(out, x, t, 16);
}

static void xts(const struct ref *r, const uint8_t iv[16], bool decrypt, const uint8_t *in, size_t len, uint8_t *out) {
    const size_t part = len % 16, whole = len / 16; /* whole: m of the standard */
    const size_t plain = part == 0 ? whole : whole - 1;
    uint8_t t[16], last[16], stolen[16];
    ref_encrypt_block(&r->k[1], iv, t);
    for (size_t j = 0; j < plain; j++) {
        xts_block(r, t, decrypt, in + 16 * j, out + 16 * j);
        multiply_by_alpha(t);
    }
    if (part == 0) return;
    uint8_t t_next[16];
    memcpy(t_next, t, 16);
    multiply_by_alpha(t_next);
    /* Encryption: CC = block m - 1 with tweak m - 1; C_m = its head; C_(m-1) = (P_m, CC's tail) with tweak m.
     * Decryption: the other way round, tweak m first. */
    memcpy(last, in + 16 * whole, part);
    xts_block(r, decrypt ? t_next : t, decrypt, in + 16 * plain, stolen);
    memcpy(last + part, stolen + part, 16 - part);
    memcpy(out + 16 * whole, stolen, part);
    xts_block(r, decrypt ? t : t_next, decrypt, last, out + 16 * plain);
}

static size_t xts_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    xts(r, m->iv, false, m->in, m->len, out);
    return m->len;
}

static bool xts_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    (void)tag;
    xts(r, m->iv, true, m->in, m->len, out);
    *out_len = m->len;
    return true;
}

const struct ref_mode ref_xts = {.name = "XTS",
                                 .keys = 2,
                                 .no_192 = true,
                                 .calls = 1,
                                 .unit = 1,
                                 .min = 16,
                                 .iv_default = 16,
                                 .seal = xts_seal,
                                 .open = xts_open};

/* ---- KW and KWP (SP 800-38F, 6) ---- */

/* W: s steps over n semiblocks, the first of them A. Algorithm 1. */
static void wrap(const struct ref_key *k, uint8_t *s, size_t n) {
    uint8_t block[16], t[8];
    for (uint64_t step = 1; step <= 6 * (uint64_t)(n - 1); step++) {
        memcpy(block, s, 16); /* A, R2 */
        ref_encrypt_block(k, block, block);
        ref_put_be64(t, step);
        ref_xor(s, block, t, 8);
        memmove(s + 8, s + 16, 8 * (n - 2));
        memcpy(s + 8 * (n - 1), block + 8, 8);
    }
}

/* W^-1. Algorithm 2. */
static void unwrap(const struct ref_key *k, uint8_t *s, size_t n) {
    uint8_t block[16], t[8];
    for (uint64_t step = 6 * (uint64_t)(n - 1); step >= 1; step--) {
        ref_put_be64(t, step);
        ref_xor(block, s, t, 8);
        memcpy(block + 8, s + 8 * (n - 1), 8);
        ref_decrypt_block(k, block, block);
        memmove(s + 16, s + 8, 8 * (n - 2));
        memcpy(s, block, 16);
    }
}

/* ICV1, or what the caller has in its place (RFC 3394, 2.2.3). */
static void kw_icv(const struct ref_message *m, uint8_t icv[8]) {
    memset(icv, 0xa6, 8);
    if (m->iv_len) memcpy(icv, m->iv, 8);
}

static size_t kw_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    (void)tag;
    memmove(out + 8, m->in, m->len);
    kw_icv(m, out);
    wrap(&r->k[0], out, m->len / 8 + 1);
    return m->len + 8;
}

static bool kw_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                    size_t *out_len) {
    uint8_t s[16384], icv[8];
    (void)tag;
    if (m->len < 24 || m->len % 8 != 0 || m->len > sizeof s) return false;
    memcpy(s, m->in, m->len);
    unwrap(&r->k[0], s, m->len / 8);
    kw_icv(m, icv);
    *out_len = m->len - 8;
    memcpy(out, s + 8, *out_len);
    return ref_equal(s, icv, 8);
}

/* ICV2, or what the caller has in its place. */
static void kwp_icv(const struct ref_message *m, uint8_t icv[4]) {
    static const uint8_t icv2[4] = {0xa6, 0x59, 0x59, 0xa6};
    memcpy(icv, m->iv_len ? m->iv : icv2, 4);
}

/* ICV2, the length in 32 bits, the data padded with zeros; two semiblocks are one block of ECB. */
static size_t kwp_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]) {
    const size_t padded = (m->len + 7) / 8 * 8;
    (void)tag;
    memmove(out + 8, m->in, m->len);
    memset(out + 8 + m->len, 0, padded - m->len);
    ref_put_be64(out, (uint32_t)m->len);
    kwp_icv(m, out);
    if (padded == 8)
        ref_encrypt_block(&r->k[0], out, out);
    else
        wrap(&r->k[0], out, padded / 8 + 1);
    return padded + 8;
}

static bool kwp_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out,
                     size_t *out_len) {
    uint8_t s[16384], icv[4];
    (void)tag;
    kwp_icv(m, icv);
    if (m->len < 16 || m->len % 8 != 0 || m->len > sizeof s) return false;
    memcpy(s, m->in, m->len);
    if (m->len == 16)
        ref_decrypt_block(&r->k[0], s, s);
    else
        unwrap(&r->k[0], s, m->len / 8);
    size_t n = 0;
    for (int i = 4; i < 8; i++) n = n << 8 | s[i];
    if (!ref_equal(s, icv, 4) || n > m->len - 8 || n + 8 <= m->len - 8) return false;
    for (size_t i = n; i < m->len - 8; i++)
        if (s[8 + i] != 0) return false;
    memcpy(out, s + 8, n);
    *out_len = n;
    return true;
}

const struct ref_mode ref_kw = {.name = "KW",
                                .kind = REF_WRAP,
                                .keys = 1,
                                .serial = true,
                                .calls = 12,
                                .unit = 8,
                                .min = 16,
                                .max = 8192,
                                .seal = kw_seal,
                                .open = kw_open};
const struct ref_mode ref_kwp = {.name = "KWP",
                                 .kind = REF_WRAP,
                                 .keys = 1,
                                 .serial = true,
                                 .calls = 12,
                                 .unit = 1,
                                 .min = 1,
                                 .max = 8192,
                                 .seal = kwp_seal,
                                 .open = kwp_open};
