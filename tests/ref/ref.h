/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ref: the slow model that the library is compared with.
 *
 * ARIA and AES one block at a time from their definitions, and every mode put together from single-block calls as
 * literally as its standard has it. It shares no code with the library, on purpose: neither byte helpers nor tables. It
 * is written to be read beside the standards, not to be fast; a memo of the last block operations (ref_block.c)
 * makes it bearable that a sweep over all lengths computes the same blocks over and over.
 *
 * Not for secrets: it has tables and branches on everything. One thread at a time.
 */
#ifndef REF_H
#define REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- single blocks (ref_block.c) ---- */

enum ref_cipher { REF_ARIA, REF_AES };

struct ref_key {
    enum ref_cipher cipher;
    int rounds;
    uint64_t id;        /* of this key in the memo */
    uint8_t ek[17][16]; /* round keys for encryption, the first used first */
    uint8_t dk[17][16]; /* ARIA: for decryption; AES: unused (FIPS 197, figure 12, takes ek backwards) */
};

/* key_len is 16, 24 or 32. */
void ref_set_key(struct ref_key *k, enum ref_cipher cipher, const uint8_t *key, size_t key_len);
void ref_encrypt_block(const struct ref_key *k, const uint8_t in[16], uint8_t out[16]);
void ref_decrypt_block(const struct ref_key *k, const uint8_t in[16], uint8_t out[16]);

/* The four S-boxes of ARIA (S1 is AES's), computed at the first call: S1, S2, X1 = S1^-1, X2 = S2^-1. */
const uint8_t *ref_sbox(int which);
/* Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
uint8_t ref_gf8_mul(uint8_t a, uint8_t b);

/* ---- fields of 128 bits (ref_gf128.c) ---- */

/* SP 800-38D, algorithm 1: out = x * y as GCM has it. */
void ref_gcm_mul(const uint8_t x[16], const uint8_t y[16], uint8_t out[16]);
/* out = x^-1 in the same field (x not 0). */
void ref_gcm_inverse(const uint8_t x[16], uint8_t out[16]);
/* y = (y ^ block) * h for every block; a partial last one is padded with zeros. */
void ref_ghash(const uint8_t h[16], uint8_t y[16], const uint8_t *in, size_t len);
/* The same for POLYVAL (RFC 8452, section 3). */
void ref_polyval(const uint8_t h[16], uint8_t y[16], const uint8_t *in, size_t len);
/* The first block of n that makes POLYVAL of it and n - 1 blocks of zeros equal to y. */
void ref_polyval_solve(const uint8_t h[16], const uint8_t y[16], size_t n, uint8_t first[16]);

/* ---- whole messages (ref_modes.c, ref_aead.c, ref_mac.c) ---- */

struct ref_mode;

struct ref {
    const struct ref_mode *mode;
    struct ref_key k[2]; /* XTS: data, tweak; SIV: MAC, CTR */
    size_t key_len;      /* of one key */
};

struct ref_message {
    const uint8_t *iv;
    size_t iv_len;
    const uint8_t *aad; /* NULL: none (SIV tells that from an empty string) */
    size_t aad_len;
    const uint8_t *in;
    size_t len;
    size_t tag_len; /* 0 in modes without a tag */
};

enum ref_kind {
    REF_CIPHER, /* out as long as in; perhaps a tag */
    REF_PADDED, /* longer out: CBC-PKCS7 */
    REF_WRAP,   /* KW, KWP: longer out, checked at unwrap */
    REF_MAC     /* no out: the tag is the result */
};

struct ref_mode {
    const char *name;
    enum ref_kind kind;
    int keys;          /* 1 or 2 */
    bool no_192;       /* XTS, GCM-SIV: no 192-bit form */
    bool serial;       /* encryption is one block after the other: slow on wide engines */
    unsigned calls;    /* block calls for 16 bytes, roughly: 16 for CFB8, 128 for CFB1 */
    size_t unit, min;  /* lengths allowed: whole units, at least min */
    size_t max;        /* 0: any */
    size_t iv_default; /* 0: none */
    uint32_t tags;     /* bit n: a tag may have n bytes */
    bool aad;
    /* Encrypts; returns the length of the output; fills 16 bytes of tag (tag_len count) where there is one. */
    size_t (*seal)(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]);
    /* Decrypts; *out_len; false where tag, padding or integrity value is wrong. */
    bool (*open)(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out, size_t *out_len);
};

/* All modes that the model knows; NULL ends the list. */
extern const struct ref_mode *const ref_modes[];
const struct ref_mode *ref_mode_find(const char *name);

/* key_len is that of all keys together. */
void ref_init(struct ref *r, const char *mode, enum ref_cipher cipher, const uint8_t *key, size_t key_len);
size_t ref_seal(const struct ref *r, const struct ref_message *m, uint8_t *out, uint8_t tag[16]);
bool ref_open(const struct ref *r, const struct ref_message *m, const uint8_t *tag, uint8_t *out, size_t *out_len);
/* Room that ref_seal() may need for a message of len bytes. */
size_t ref_room(size_t len);

/* SIV with any number of strings. */
void ref_siv_seal(const struct ref *r, const uint8_t *const *strings, const size_t *lens, size_t n, const uint8_t *in,
                  size_t len, uint8_t *out, uint8_t v[16]);

/* Where a stream stands after `len` bytes: the last ciphertext block, the feedback register or the next counter
 * block, and how many bytes of the keystream block are used. ct is the ciphertext, pt the plaintext. False in
 * other modes. */
bool ref_chain(const struct ref *r, const uint8_t iv[16], const uint8_t *pt, const uint8_t *ct, size_t len,
               uint8_t chain[16], unsigned *used);

/* Messages built backwards, to reach what random ones never do. */
/* The 16-byte GCM IV that gives this J0 (SP 800-38D, section 7.1, step 2, solved for IV). */
void ref_gcm_iv_for_j0(const struct ref *r, const uint8_t j0[16], uint8_t iv[16]);
/* The 16-byte EAX nonce that gives this initial counter. */
void ref_eax_nonce_for_counter(const struct ref *r, const uint8_t ctr[16], uint8_t nonce[16]);
/* The 16 bytes of associated data that give this tag in GCM-SIV; false where none do. */
bool ref_gcm_siv_aad_for_tag(const struct ref *r, const uint8_t nonce[12], const uint8_t *in, size_t len,
                             const uint8_t tag[16], uint8_t aad[16]);
/* The 16 bytes of a single string that give this V in SIV, for a message of whole blocks; always true. */
bool ref_siv_string_for_v(const struct ref *r, const uint8_t *in, size_t len, const uint8_t v[16], uint8_t string[16]);

/* ---- for the files of the model alone ---- */

void ref_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n);
void ref_put_be64(uint8_t *p, uint64_t x);
void ref_put_le64(uint8_t *p, uint64_t x);
void ref_increment_be(uint8_t *p, size_t bytes);        /* a big-endian number of that many bytes, modulo 2^(8 bytes) */
void ref_double(const uint8_t in[16], uint8_t out[16]); /* dbl() of RFC 5297, section 2.3 */
void ref_ctr_from(const struct ref_key *k, const uint8_t ctr[16], size_t wrap_bytes, const uint8_t *in, size_t len,
                  uint8_t *out);
void ref_cmac(const struct ref_key *k, const uint8_t *in, size_t len, uint8_t mac[16]);
bool ref_equal(const uint8_t *a, const uint8_t *b, size_t n);

extern const struct ref_mode ref_ecb, ref_cbc, ref_cbc_pkcs7, ref_cbc_cs1, ref_cbc_cs2, ref_cbc_cs3, ref_cfb, ref_cfb8,
    ref_cfb1, ref_ofb, ref_ctr, ref_xts, ref_gcm, ref_ccm, ref_eax, ref_ocb, ref_siv, ref_gcm_siv, ref_kw, ref_kwp,
    ref_cmac_mode, ref_gmac;

#endif
