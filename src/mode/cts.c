/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CBC with ciphertext stealing: NIST SP 800-38A, addendum. No padding: the ciphertext is as long as the message, which
 * has at least one block. The last block C[n] is a full one; of the one before, only as many bytes are kept as the
 * message's last block has (1 to 16), since decrypting C[n] gives the others back:
 *
 *     ... | P[n-1]         | P[n] (r bytes) 0 |        C[n-1] = E(P[n-1] ^ C[n-2]);   C[n] = E((P[n] || 0 ...) ^
 * C[n-1])
 *
 *     CS1     ... C[n-2] | first r bytes of C[n-1] | C[n]            always in this order
 *     CS3     ... C[n-2] | C[n] | first r bytes of C[n-1]            always in this order (Kerberos, RFC 3962)
 *     CS2     as CS1 where r is 16 (this is plain CBC then), else as CS3
 *
 * A message of one block is plain CBC in all three. cipher.c holds back 17 to 32 bytes of a message in pieces, or the
 * one block that it has. After the end, chain is C[n].
 */
#include "bulk.h"

enum variant { CS1 = 1, CS2, CS3 };

/* The end of a message: 17 to 32 bytes, chain being the block before. in and out are the same or disjoint. */
static void encrypt_end(const struct cdz_cipher *c, enum variant v, uint8_t chain[16], const uint8_t *in, uint8_t *out,
                        size_t len) {
    const size_t r = len - 16;
    const bool swapped = v == CS3 || (v == CS2 && r < 16);
    uint8_t x[32] = {0};
    memcpy(x, in, len);
    cdz_cbc_encrypt(c, chain, x, x, 2);
    memcpy(swapped ? out + 16 : out, x, r);
    memcpy(swapped ? out : out + r, x + 16, 16);
    cdz_wipe(x, sizeof x);
}

static void decrypt_end(const struct cdz_cipher *c, enum variant v, uint8_t chain[16], const uint8_t *in, uint8_t *out,
                        size_t len) {
    const size_t r = len - 16;
    const bool swapped = v == CS3 || (v == CS2 && r < 16);
    uint8_t last[16], x[16], before[16];
    memcpy(before, swapped ? in + 16 : in, r); /* what is left of C[n-1] ... */
    memcpy(last, swapped ? in : in + r, 16);
    c->engine->decrypt(cdz_ks(c), last, x, 1); /* = (P[n] || 0 ...) ^ C[n-1] */
    memcpy(before + r, x + r, 16 - r);         /* ... and the rest of it */
    cdz_xor(out + 16, x, before, r);
    cdz_cbc_decrypt(c, chain, before, out, 1);
    memcpy(chain, last, 16);
    cdz_wipe(x, sizeof x);
}

/* How much of a message is its end: 17 to 32 bytes, or nothing of a single block. */
static size_t end_of(size_t len) { return len == 16 ? 0 : (len - 1) % 16 + 17; }

static void whole_encrypt(const struct cdz_cipher *c, const struct cdz_message *m, enum variant v) {
    uint8_t chain[16];
    const size_t end = end_of(m->len), body = m->len - end;
    memcpy(chain, m->iv, 16);
    cdz_cbc_encrypt(c, chain, m->in, m->out, body / 16);
    if (end) encrypt_end(c, v, chain, m->in + body, m->out + body, end);
}

static void whole_decrypt(const struct cdz_cipher *c, const struct cdz_message *m, enum variant v) {
    uint8_t chain[16];
    const size_t end = end_of(m->len), body = m->len - end;
    memcpy(chain, m->iv, 16);
    cdz_cbc_decrypt(c, chain, m->in, m->out, body / 16);
    if (end) decrypt_end(c, v, chain, m->in + body, m->out + body, end);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    (void)iv_len;
    memcpy(c->s.chain, iv, 16);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    (c->s.direction == CDZ_ENCRYPT ? cdz_cbc_encrypt : cdz_cbc_decrypt)(c, c->s.chain, in, out, len / 16);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         enum variant v) {
    *out_len = len;
    if (len == 16)
        update(c, in, out, 16);
    else
        (c->s.direction == CDZ_ENCRYPT ? encrypt_end : decrypt_end)(c, v, c->s.chain, in, out, len);
    return CDZ_OK;
}

#define CTS_FUNCTIONS(n)                                                                                               \
    static void encrypt_cs##n(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {                 \
        (void)tag;                                                                                                     \
        whole_encrypt(c, m, CS##n);                                                                                    \
    }                                                                                                                  \
    static void decrypt_cs##n(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) {                 \
        (void)tag;                                                                                                     \
        whole_decrypt(c, m, CS##n);                                                                                    \
    }                                                                                                                  \
    static cdz_status finish_cs##n(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len, \
                                   uint8_t *tag) {                                                                     \
        (void)tag;                                                                                                     \
        return finish(c, in, len, out, out_len, CS##n);                                                                \
    }                                                                                                                  \
    const struct cdz_mode cdz_mode_cbc_cs##n = {                                                                       \
        CDZ_MODE_NAMES("CBC-CS" #n),                                                                                   \
        .standard = "NIST SP 800-38A addendum",                                                                        \
        .keys = 1,                                                                                                     \
        .flags = CDZ_MODE_BLOCKS | CDZ_MODE_CHAIN,                                                                     \
        .hold_encrypt = 17,                                                                                            \
        .hold_decrypt = 17,                                                                                            \
        .iv_min = 16,                                                                                                  \
        .iv_max = 16,                                                                                                  \
        .iv_default = 16,                                                                                              \
        .unit = 1,                                                                                                     \
        .min_len = 16,                                                                                                 \
        .max_len = UINT64_MAX,                                                                                         \
        .encrypt = encrypt_cs##n,                                                                                      \
        .decrypt = decrypt_cs##n,                                                                                      \
        .begin = begin,                                                                                                \
        .update = update,                                                                                              \
        .finish = finish_cs##n,                                                                                        \
    };
CTS_FUNCTIONS(1)
CTS_FUNCTIONS(2)
CTS_FUNCTIONS(3)
