/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's ARIA (RFC 5794) and AES (FIPS 197): one block, from the definitions.
 *
 * Even the S-boxes are computed, from the inversion in GF(2^8) and the two affine maps. Section numbers are those of
 * the standards.
 */
#include "ref.h"

#include <string.h>

/* ---- GF(2^8) and the S-boxes ---- */

uint8_t ref_gf8_mul(uint8_t a, uint8_t b) {
    unsigned p = 0, x = a;
    for (int i = 0; i < 8; i++) {
        if (b >> i & 1) p ^= x;
        x <<= 1;
        if (x & 0x100) x ^= 0x11b;
    }
    return (uint8_t)p;
}

static uint8_t power(uint8_t x, int n) {
    uint8_t p = 1;
    for (int i = 0; i < n; i++) p = ref_gf8_mul(p, x);
    return p;
}

/* Bit i of the result is the parity of row i and x. */
static uint8_t linear(const uint8_t rows[8], uint8_t x) {
    unsigned y = 0;
    for (int i = 0; i < 8; i++) y |= (unsigned)__builtin_parity((unsigned)(rows[i] & x)) << i;
    return (uint8_t)y;
}

/* FIPS 197, 5.1.1: b'_i = b_i + b_(i+4) + b_(i+5) + b_(i+6) + b_(i+7) + c_i, indices modulo 8, c = 0x63. */
static uint8_t affine_s1(uint8_t b) {
    uint8_t rows[8];
    for (int i = 0; i < 8; i++) {
        unsigned row = 0;
        for (int j = 0; j < 8; j++)
            if (j == 0 || j >= 4) row |= 1u << ((i + j) % 8);
        rows[i] = (uint8_t)row;
    }
    return linear(rows, b) ^ 0x63;
}

/* RFC 5794, 2.4.2: S2(x) = D x^247 + 0xe2. Row i of the matrix, in its order from bit 0 on, as written there; here the
 * leftmost digit belongs to bit 0. */
static uint8_t affine_s2(uint8_t b) {
    static const char digits[8][9] = {"01011110", "00111101", "11010111", "10011101",
                                      "00101100", "10000001", "01011101", "11010011"};
    uint8_t rows[8];
    for (int i = 0; i < 8; i++) {
        unsigned row = 0;
        for (int j = 0; j < 8; j++) row |= (unsigned)(digits[i][j] == '1') << j;
        rows[i] = (uint8_t)row;
    }
    return linear(rows, b) ^ 0xe2;
}

static uint8_t sbox[4][256];
static uint8_t times[16][256]; /* times[a][x] = a * x, for the coefficients of MixColumns */
static bool ready;

const uint8_t *ref_sbox(int which) {
    if (!ready) {
        for (int a = 0; a < 16; a++)
            for (int x = 0; x < 256; x++) times[a][x] = ref_gf8_mul((uint8_t)a, (uint8_t)x);
        for (int x = 0; x < 256; x++) {
            sbox[0][x] = affine_s1(power((uint8_t)x, 254)); /* x^254 = x^-1, and 0 for 0 */
            sbox[1][x] = affine_s2(power((uint8_t)x, 247));
        }
        for (int x = 0; x < 256; x++) {
            sbox[2][sbox[0][x]] = (uint8_t)x;
            sbox[3][sbox[1][x]] = (uint8_t)x;
        }
        ready = true;
    }
    return sbox[which];
}

/* ---- ARIA ---- */

/* RFC 5794, 2.4.2.1: SL1 is S1 S2 X1 X2 repeated, SL2 its inverse, X1 X2 S1 S2. */
static void substitute(uint8_t x[16], bool odd) {
    for (int i = 0; i < 16; i++) x[i] = sbox[(i + (odd ? 0 : 2)) % 4][x[i]];
}

/* 2.4.3: y_i is the XOR of seven bytes of x. */
static void diffuse(uint8_t x[16]) {
    static const uint8_t terms[16][7] = {
        {3, 4, 6, 8, 9, 13, 14},  {2, 5, 7, 8, 9, 12, 15},  {1, 4, 6, 10, 11, 12, 15}, {0, 5, 7, 10, 11, 13, 14},
        {0, 2, 5, 8, 11, 14, 15}, {1, 3, 4, 9, 10, 14, 15}, {0, 2, 7, 9, 10, 12, 13},  {1, 3, 6, 8, 11, 12, 13},
        {0, 1, 4, 7, 10, 13, 15}, {0, 1, 5, 6, 11, 12, 14}, {2, 3, 5, 6, 8, 13, 15},   {2, 3, 4, 7, 9, 12, 14},
        {1, 2, 6, 7, 9, 11, 12},  {0, 3, 6, 7, 8, 10, 13},  {0, 3, 4, 5, 9, 11, 14},   {1, 2, 4, 5, 8, 10, 15}};
    uint8_t y[16];
    for (int i = 0; i < 16; i++) {
        y[i] = 0;
        for (int j = 0; j < 7; j++) y[i] ^= x[terms[i][j]];
    }
    memcpy(x, y, 16);
}

/* FO (odd) and FE (even) of 2.4.1. */
static void aria_round(uint8_t out[16], const uint8_t in[16], const uint8_t key[16], bool odd) {
    uint8_t x[16];
    ref_xor(x, in, key, 16);
    substitute(x, odd);
    diffuse(x);
    memcpy(out, x, 16);
}

/* out = in rotated right by n bits (big-endian, 128 bits). */
static void rotate_right(uint8_t out[16], const uint8_t in[16], int n) {
    uint8_t y[16] = {0};
    for (int i = 0; i < 128; i++) {
        const int to = (i + n) % 128;
        if (in[i / 8] >> (7 - i % 8) & 1) y[to / 8] |= (uint8_t)(0x80 >> to % 8);
    }
    memcpy(out, y, 16);
}

/* 2.2, with the constants of 2.2: the first 3 * 128 bits of the fraction of 1/pi. */
static void aria_set_key(struct ref_key *k, const uint8_t *key, size_t key_len) {
    static const uint8_t c[3][16] = {
        {0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0},
        {0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0},
        {0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e}};
    static const int rotation[5] = {19, 31, 128 - 61, 128 - 31, 128 - 19};
    const int first = key_len == 16 ? 0 : key_len == 24 ? 1 : 2;
    uint8_t kl[16], kr[16] = {0}, w[4][16], x[16];
    memcpy(kl, key, 16);
    if (key_len > 16) memcpy(kr, key + 16, key_len - 16);
    k->rounds = key_len == 16 ? 12 : key_len == 24 ? 14 : 16;

    memcpy(w[0], kl, 16);
    aria_round(x, w[0], c[first], true);
    ref_xor(w[1], x, kr, 16);
    aria_round(x, w[1], c[(first + 1) % 3], false);
    ref_xor(w[2], x, w[0], 16);
    aria_round(x, w[2], c[(first + 2) % 3], true);
    ref_xor(w[3], x, w[1], 16);

    for (int i = 0; i <= k->rounds; i++) {
        /* ek1 = W0 ^ (W1 >>> 19), ek2 = W1 ^ (W2 >>> 19), ek3 = W2 ^ (W3 >>> 19), ek4 = W3 ^ (W0 >>> 19), ... */
        rotate_right(x, w[(i + 1) % 4], rotation[i / 4]);
        ref_xor(k->ek[i], w[i % 4], x, 16);
    }
    for (int i = 0; i <= k->rounds; i++) {
        memcpy(k->dk[i], k->ek[k->rounds - i], 16);
        if (i > 0 && i < k->rounds) diffuse(k->dk[i]);
    }
}

static void aria(const uint8_t keys[17][16], int rounds, const uint8_t in[16], uint8_t out[16]) {
    uint8_t x[16];
    memcpy(x, in, 16);
    for (int i = 0; i < rounds - 1; i++) aria_round(x, x, keys[i], i % 2 == 0);
    ref_xor(x, x, keys[rounds - 1], 16);
    substitute(x, false); /* the last round is an even one */
    ref_xor(out, x, keys[rounds], 16);
}

/* ---- AES: the state s[r][c] is byte r + 4c (FIPS 197, 3.4) ---- */

static void aes_set_key(struct ref_key *k, const uint8_t *key, size_t key_len) {
    const size_t nk = key_len / 4;
    uint8_t w[60][4], rcon = 1;
    k->rounds = (int)nk + 6;
    const size_t words = 4 * ((size_t)k->rounds + 1);
    for (size_t i = 0; i < words; i++) {
        if (i < nk) {
            memcpy(w[i], key + 4 * i, 4);
            continue;
        }
        uint8_t t[4];
        memcpy(t, w[i - 1], 4);
        if (i % nk == 0) {
            const uint8_t t0 = t[0];
            for (int j = 0; j < 3; j++) t[j] = sbox[0][t[j + 1]];
            t[3] = sbox[0][t0];
            t[0] ^= rcon;
            rcon = ref_gf8_mul(rcon, 2);
        } else if (nk > 6 && i % nk == 4) {
            for (int j = 0; j < 4; j++) t[j] = sbox[0][t[j]];
        }
        ref_xor(w[i], w[i - nk], t, 4);
    }
    for (size_t i = 0; i < words; i++) memcpy(k->ek[i / 4] + 4 * (i % 4), w[i], 4);
}

static void shift_rows(uint8_t s[16], int direction) {
    uint8_t y[16];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) y[r + 4 * c] = s[r + 4 * ((c + 4 + direction * r) % 4)];
    memcpy(s, y, 16);
}

/* Each column times the polynomial whose coefficients are given, the constant one first. */
static void mix_columns(uint8_t s[16], const uint8_t a[4]) {
    uint8_t y[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++) {
            y[r + 4 * c] = 0;
            for (int i = 0; i < 4; i++) y[r + 4 * c] ^= times[a[(r - i + 4) % 4]][s[i + 4 * c]];
        }
    memcpy(s, y, 16);
}

static void aes_encrypt(const struct ref_key *k, const uint8_t in[16], uint8_t out[16]) {
    static const uint8_t a[4] = {2, 1, 1, 3};
    uint8_t s[16];
    ref_xor(s, in, k->ek[0], 16);
    for (int i = 1; i <= k->rounds; i++) {
        for (int j = 0; j < 16; j++) s[j] = sbox[0][s[j]];
        shift_rows(s, 1);
        if (i < k->rounds) mix_columns(s, a);
        ref_xor(s, s, k->ek[i], 16);
    }
    memcpy(out, s, 16);
}

static void aes_decrypt(const struct ref_key *k, const uint8_t in[16], uint8_t out[16]) {
    static const uint8_t inverse_a[4] = {14, 9, 13, 11};
    uint8_t s[16];
    ref_xor(s, in, k->ek[k->rounds], 16);
    for (int i = k->rounds - 1; i >= 0; i--) {
        shift_rows(s, -1);
        for (int j = 0; j < 16; j++) s[j] = sbox[2][s[j]];
        ref_xor(s, s, k->ek[i], 16);
        if (i > 0) mix_columns(s, inverse_a);
    }
    memcpy(out, s, 16);
}

/* ---- both ---- */

void ref_set_key(struct ref_key *k, enum ref_cipher cipher, const uint8_t *key, size_t key_len) {
    /* The same key keeps its number while it is among the last 64, so that the memo stays of use. */
    static struct {
        uint64_t id;
        enum ref_cipher cipher;
        size_t len;
        uint8_t key[32];
    } known[64];
    static uint64_t last_id;
    (void)ref_sbox(0); /* makes the tables */
    memset(k, 0, sizeof *k);
    k->cipher = cipher;
    for (size_t i = 0; i < 64; i++)
        if (known[i].id && known[i].cipher == cipher && known[i].len == key_len &&
            memcmp(known[i].key, key, key_len) == 0)
            k->id = known[i].id;
    if (!k->id) {
        const size_t at = ++last_id % 64;
        known[at].id = k->id = last_id;
        known[at].cipher = cipher;
        known[at].len = key_len;
        memcpy(known[at].key, key, key_len);
    }
    if (cipher == REF_ARIA)
        aria_set_key(k, key, key_len);
    else
        aes_set_key(k, key, key_len);
}

/* The memo: results of past calls, placed by a hash of key, direction and input; a newer one replaces an older. */
struct memo {
    uint64_t id; /* 2 * key id + direction; 0: empty */
    uint8_t in[16], out[16];
};
static struct memo memo[1 << 16];

static struct memo *memo_find(uint64_t id, const uint8_t in[16]) {
    uint64_t x[2];
    memcpy(x, in, 16);
    uint64_t h = (x[0] ^ id) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 32 ^ x[1]) * UINT64_C(0xd6e8feb86659fd93);
    return &memo[h >> 48];
}

static void with_memo(const struct ref_key *k, const uint8_t in[16], uint8_t out[16], bool decrypt) {
    const uint64_t id = 2 * k->id + decrypt;
    struct memo *m = memo_find(id, in);
    if (m->id != id || memcmp(m->in, in, 16) != 0) {
        uint8_t y[16];
        if (k->cipher == REF_ARIA)
            aria(decrypt ? k->dk : k->ek, k->rounds, in, y);
        else if (decrypt)
            aes_decrypt(k, in, y);
        else
            aes_encrypt(k, in, y);
        m->id = id;
        memcpy(m->in, in, 16);
        memcpy(m->out, y, 16);
    }
    memcpy(out, m->out, 16);
}

void ref_encrypt_block(const struct ref_key *k, const uint8_t in[16], uint8_t out[16]) { with_memo(k, in, out, false); }
void ref_decrypt_block(const struct ref_key *k, const uint8_t in[16], uint8_t out[16]) { with_memo(k, in, out, true); }
