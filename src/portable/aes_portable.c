/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aes/portable: AES (FIPS 197) out of XOR, AND, shifts and fixed moves alone. No table is indexed by a secret, no
 * branch depends on one, key schedule and decryption included.
 *
 * Two kernels, chosen by the number of blocks:
 *
 *   narrow  one block as 16 bytes in rows (byte 4r + c is row r of column c): ShiftRows rotates 32-bit lanes,
 *           MixColumns exchanges them, and the S-box circuit runs once, on planes of 16 bits.
 *   stripe  CDZ_STRIPE blocks as 32 words (words.h), 8 a row: four S-box circuits, ShiftRows moves groups,
 *           MixColumns is XOR alone.
 *
 * One schedule serves both directions: the S-box's constant 0x63 goes into all round keys but the first. Encrypting,
 * it is the S-boxes' output, which MixColumns leaves alone (its rows sum to 1); decrypting, the inverse S-boxes' input.
 */
#include "../aria/sbox_circuits.h"
#include "../engine.h"
#include "portable.h"

enum { MAX_ROUNDS = 14 };

struct aes_keys {
    cdz_key_word sliced[MAX_ROUNDS + 1][32];
    uint8_t narrow[MAX_ROUNDS + 1][16]; /* in rows */
    uint8_t rounds;                     /* 10, 12, 14 */
};

#define XOR(a, b) ((a) ^ (b))
#define AND(a, b) ((a) & (b))

/* ---- narrow --------------------------------------------------------------------------------------------------- */

/* SubBytes (inverse = 0) or InvSubBytes, without the constants. */
CDZ_INLINE cdz_block narrow_substitute(cdz_block x, int inverse) {
    cdz_plane p[8];
#define PLANE(n) p[n] = cdz_block_plane(x, n)
    PLANE(0);
    PLANE(1);
    PLANE(2);
    PLANE(3);
    PLANE(4);
    PLANE(5);
    PLANE(6);
    PLANE(7);
#undef PLANE
    if (inverse)
        CDZ_X1(cdz_plane, XOR, AND, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[0], p[1], p[2], p[3], p[4], p[5],
               p[6], p[7]);
    else
        CDZ_S1(cdz_plane, XOR, AND, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[0], p[1], p[2], p[3], p[4], p[5],
               p[6], p[7]);
    x = cdz_block_and(cdz_plane_spread(p[0]), cdz_block_lanes(0x01010101));
#define BIT(n) x = cdz_block_xor(x, cdz_block_and(cdz_plane_spread(p[n]), cdz_block_lanes(UINT32_C(0x01010101) << n)))
    BIT(1);
    BIT(2);
    BIT(3);
    BIT(4);
    BIT(5);
    BIT(6);
    BIT(7);
#undef BIT
    return x;
}

static const uint32_t rows_1_3[4] __attribute__((aligned(16))) = {0, UINT32_MAX, 0, UINT32_MAX};
static const uint32_t rows_2_3[4] __attribute__((aligned(16))) = {0, 0, UINT32_MAX, UINT32_MAX};

/* y in the rows of the mask, x elsewhere. */
CDZ_INLINE cdz_block pick_rows(const uint32_t mask[4], cdz_block x, cdz_block y) {
    return cdz_block_xor(x, cdz_block_and(cdz_block_xor(x, y), cdz_block_load(mask)));
}

/* Row r moves by r columns: by one for rows 1 and 3, by two for rows 2 and 3. Its inverse moves rows 1 and 3 by one
 * more than that, by two in all. */
CDZ_INLINE cdz_block narrow_shift_rows(cdz_block x, int inverse) {
    x = pick_rows(rows_1_3, x, cdz_block_next_byte(x));
    x = pick_rows(rows_2_3, x, cdz_block_swap16(x));
    return inverse ? pick_rows(rows_1_3, x, cdz_block_swap16(x)) : x;
}

/* Row r of the result is 2 x[r] + 3 x[r + 1] + x[r + 2] + x[r + 3], rows modulo 4. */
CDZ_INLINE cdz_block narrow_mix_columns(cdz_block x) {
    const cdz_block next = cdz_block_lane_next(x, 1), sum = cdz_block_xor(x, next);
    return cdz_block_xor(cdz_block_xor(cdz_block_double(sum), next), cdz_block_lane_next(sum, 2));
}

/* The inverse matrix is MixColumns times the one with 5 0 4 0 as its first row. */
CDZ_INLINE cdz_block narrow_unmix_columns(cdz_block x) {
    const cdz_block d = cdz_block_double(cdz_block_xor(x, cdz_block_lane_next(x, 2)));
    return narrow_mix_columns(cdz_block_xor(x, cdz_block_double(d)));
}

CDZ_INLINE cdz_block narrow_key(const struct aes_keys *k, unsigned r) { return cdz_block_load(k->narrow[r]); }

/* In rows, and out. */
CDZ_INLINE cdz_block narrow_cipher(const struct aes_keys *k, cdz_block x) {
    x = cdz_block_xor(x, narrow_key(k, 0));
    for (unsigned r = 1;; r++) {
        x = narrow_shift_rows(narrow_substitute(x, 0), 0);
        if (r == k->rounds) break;
        x = cdz_block_xor(narrow_mix_columns(x), narrow_key(k, r));
    }
    return cdz_block_xor(x, narrow_key(k, k->rounds));
}

static CDZ_KERNEL void narrow_encrypt(const struct aes_keys *k, const uint8_t *in, uint8_t *out, size_t blocks) {
    for (; blocks; blocks--, in += 16, out += 16)
        cdz_block_store(out, cdz_block_transpose(narrow_cipher(k, cdz_block_transpose(cdz_block_load(in)))));
}

/* The modes in which a block waits for the one before. */
enum chain { CBC, CBC_MAC, CFB, OFB };

static CDZ_KERNEL void narrow_chain(const struct aes_keys *k, enum chain mode, uint8_t iv[16], const uint8_t *in,
                                    uint8_t *out, size_t blocks) {
    cdz_block x = cdz_block_transpose(cdz_block_load(iv));
    for (; blocks; blocks--, in += 16) {
        const cdz_block m = cdz_block_transpose(cdz_block_load(in));
        if (mode == CBC || mode == CBC_MAC) x = cdz_block_xor(x, m);
        x = narrow_cipher(k, x);
        if (mode == CFB) x = cdz_block_xor(x, m);
        if (mode == CBC_MAC) continue;
        cdz_block_store(out, cdz_block_transpose(mode == OFB ? cdz_block_xor(x, m) : x));
        out += 16;
    }
    cdz_block_store(iv, cdz_block_transpose(x));
}

static CDZ_KERNEL void narrow_decrypt(const struct aes_keys *k, const uint8_t *in, uint8_t *out, size_t blocks) {
    for (; blocks; blocks--, in += 16, out += 16) {
        cdz_block x = cdz_block_xor(cdz_block_transpose(cdz_block_load(in)), narrow_key(k, k->rounds));
        for (unsigned r = k->rounds - 1u;; r--) {
            x = cdz_block_xor(narrow_shift_rows(narrow_substitute(x, 1), 1), narrow_key(k, r));
            if (!r) break;
            x = narrow_unmix_columns(x);
        }
        cdz_block_store(out, cdz_block_transpose(x));
    }
}

/* ---- stripe --------------------------------------------------------------------------------------------------- */

#define SUBSTITUTE(circuit, y, x)                                                                                      \
    circuit(cdz_word, XOR, AND, (x)[0], (x)[1], (x)[2], (x)[3], (x)[4], (x)[5], (x)[6], (x)[7], (y)[0], (y)[1],        \
            (y)[2], (y)[3], (y)[4], (y)[5], (y)[6], (y)[7])

/* The four bits b of a column, as ShiftRows or its inverse brings them together. */
struct column {
    cdz_word a, b, c, d;
};

CDZ_INLINE struct column shifted(const cdz_word x[32], unsigned b) {
    return (struct column){x[b], cdz_next_group(x[8 + b], 1), cdz_next_group(x[16 + b], 2),
                           cdz_next_group(x[24 + b], 3)};
}

CDZ_INLINE struct column unshifted(const cdz_word x[32], unsigned b) {
    return (struct column){x[b], cdz_next_group(x[8 + b], 3), cdz_next_group(x[16 + b], 2),
                           cdz_next_group(x[24 + b], 1)};
}

/* MixColumns of bit b (see narrow_mix_columns). `below` holds the sums of rows of the bit below, `top` those of bit 7.
 */
CDZ_INLINE struct column mix_bit(struct column x, unsigned b, struct column *below, struct column top) {
    const struct column sum = {x.a ^ x.b, x.b ^ x.c, x.c ^ x.d, x.d ^ x.a};
    struct column y = {x.b ^ sum.c, x.c ^ sum.d, x.d ^ sum.a, x.a ^ sum.b};
    if (b) y.a ^= below->a, y.b ^= below->b, y.c ^= below->c, y.d ^= below->d;
    if (0x1b >> b & 1) y.a ^= top.a, y.b ^= top.b, y.c ^= top.c, y.d ^= top.d;
    *below = sum;
    return y;
}

CDZ_INLINE struct column sums(struct column x) { return (struct column){x.a ^ x.b, x.b ^ x.c, x.c ^ x.d, x.d ^ x.a}; }

/* ShiftRows, MixColumns, and the round key. */
CDZ_INLINE void mix(cdz_word y[32], const cdz_word x[32], const cdz_key_word k[32]) {
    const struct column top = sums(shifted(x, 7));
    struct column below = top;
    _Pragma("GCC unroll 8") for (unsigned b = 0; b < 8; b++) {
        const struct column v = mix_bit(shifted(x, b), b, &below, top);
        y[b] = v.a ^ cdz_from_key_word(k[b]);
        y[8 + b] = v.b ^ cdz_from_key_word(k[8 + b]);
        y[16 + b] = v.c ^ cdz_from_key_word(k[16 + b]);
        y[24 + b] = v.d ^ cdz_from_key_word(k[24 + b]);
    }
}

/* The inverse ShiftRows, the round key, and the inverse MixColumns (see narrow_unmix_columns). Multiplying by 4 takes
 * bit b - 2 to bit b, bit 6 to 0, 1, 3, 4 (0x1b) and bit 7 to 1, 2, 4, 5 (0x36). */
CDZ_INLINE void unmix(cdz_word y[32], const cdz_word x[32], const cdz_key_word k[32]) {
    struct column z[8];
    cdz_word even[8], odd[8]; /* rows 0 + 2 and 1 + 3 */
    _Pragma("GCC unroll 8") for (unsigned b = 0; b < 8; b++) {
        struct column v = unshifted(x, b);
        v.a ^= cdz_from_key_word(k[b]);
        v.b ^= cdz_from_key_word(k[8 + b]);
        v.c ^= cdz_from_key_word(k[16 + b]);
        v.d ^= cdz_from_key_word(k[24 + b]);
        z[b] = v;
        even[b] = v.a ^ v.c;
        odd[b] = v.b ^ v.d;
    }
    _Pragma("GCC unroll 8") for (unsigned b = 0; b < 8; b++) {
        cdz_word e = {0}, o = {0};
        if (b >= 2) e ^= even[b - 2], o ^= odd[b - 2];
        if (0x1b >> b & 1) e ^= even[6], o ^= odd[6];
        if (0x36 >> b & 1) e ^= even[7], o ^= odd[7];
        z[b].a ^= e, z[b].c ^= e;
        z[b].b ^= o, z[b].d ^= o;
    }
    const struct column top = sums(z[7]);
    struct column below = top;
    _Pragma("GCC unroll 8") for (unsigned b = 0; b < 8; b++) {
        const struct column v = mix_bit(z[b], b, &below, top);
        y[b] = v.a, y[8 + b] = v.b, y[16 + b] = v.c, y[24 + b] = v.d;
    }
}

/* The last round's: no MixColumns. */
CDZ_INLINE void last(cdz_word y[32], const cdz_word x[32], const cdz_key_word k[32], int inverse) {
    for (unsigned b = 0; b < 8; b++) {
        const struct column v = inverse ? unshifted(x, b) : shifted(x, b);
        y[b] = v.a ^ cdz_from_key_word(k[b]);
        y[8 + b] = v.b ^ cdz_from_key_word(k[8 + b]);
        y[16 + b] = v.c ^ cdz_from_key_word(k[16 + b]);
        y[24 + b] = v.d ^ cdz_from_key_word(k[24 + b]);
    }
}

CDZ_INLINE void first(cdz_word x[32], const cdz_key_word k[32]) {
    for (unsigned i = 0; i < 32; i++) x[i] ^= cdz_from_key_word(k[i]);
}

/* From the first ShiftRows to the end. */
CDZ_INLINE void stripe_rest(cdz_word x[32], cdz_word y[32], const struct aes_keys *k) {
    for (unsigned r = 1; r < k->rounds; r++) {
        mix(x, y, k->sliced[r]);
        for (unsigned i = 0; i < 32; i += 8) SUBSTITUTE(CDZ_S1, y + i, x + i);
    }
    last(x, y, k->sliced[k->rounds], 0);
}

static CDZ_KERNEL void stripe_encrypt(const struct aes_keys *k, const uint8_t *in, uint8_t *out, size_t blocks) {
    uint8_t part[16 * CDZ_STRIPE];
    cdz_word x[32], y[32];
    for (size_t n; blocks; blocks -= n, in += 16 * n, out += 16 * n) {
        n = blocks < CDZ_STRIPE ? blocks : CDZ_STRIPE;
        const int whole = n == CDZ_STRIPE;
        if (!whole) {
            memset(part, 0, sizeof part);
            cdz_copy(part, in, 16 * n);
        }
        cdz_slice(x, whole ? in : part);
        first(x, k->sliced[0]);
        for (unsigned i = 0; i < 32; i += 8) SUBSTITUTE(CDZ_S1, y + i, x + i);
        stripe_rest(x, y, k);
        cdz_unslice(whole ? out : part, x, NULL);
        if (!whole) cdz_copy(out, part, 16 * n);
    }
}

/* The stripe of counters that begins with `low` in its two bytes, after the first SubBytes; see cdz_count_known(). */
CDZ_INLINE void stripe_count(cdz_word y[32], cdz_key_word (*known)[32], int slow[2], const struct aes_keys *k,
                             const uint8_t ctr[16], unsigned low, int le) {
    cdz_word p[8];
    for (unsigned v = low >> 8; v <= (low + CDZ_STRIPE - 1) >> 8; v++) {
        uint8_t block[16];
        if (slow[v & 1] == (int)v) continue;
        slow[v & 1] = (int)v;
        memcpy(block, ctr, 16);
        cdz_counter_set_low(block, v << 8, le);
        const cdz_block x = cdz_block_xor(cdz_block_transpose(cdz_block_load(block)), narrow_key(k, 0));
        cdz_block_store(block, narrow_substitute(x, 0));
        cdz_slice_key(known[v & 1], block);
    }
    cdz_count_known(y, p, known, low, le, k->narrow[0][CDZ_FAST(le)]); /* byte 15 or 0 in rows as well */
    SUBSTITUTE(CDZ_S1, p, p);
    cdz_count_fast(y, p, le);
}

static CDZ_KERNEL void stripe_ctr(const struct aes_keys *k, const uint8_t ctr[16], int le, const uint8_t *in,
                                  uint8_t *out, size_t len) {
    uint8_t part[16 * CDZ_STRIPE];
    cdz_word x[32], y[32];
    cdz_key_word known[2][32];
    int slow[2] = {-1, -1};
    unsigned low = cdz_counter_low(ctr, le);
    for (size_t n; len; len -= n, in += n, out += n, low += CDZ_STRIPE) {
        n = len < sizeof part ? len : sizeof part;
        stripe_count(y, known, slow, k, ctr, low, le);
        stripe_rest(x, y, k);
        if (n == sizeof part) {
            cdz_unslice(out, x, in);
        } else {
            cdz_unslice(part, x, NULL);
            cdz_xor(out, in, part, n);
        }
    }
}

static CDZ_KERNEL void stripe_decrypt(const struct aes_keys *k, const uint8_t *in, uint8_t *out, size_t blocks) {
    uint8_t part[16 * CDZ_STRIPE];
    cdz_word x[32], y[32];
    for (size_t n; blocks; blocks -= n, in += 16 * n, out += 16 * n) {
        n = blocks < CDZ_STRIPE ? blocks : CDZ_STRIPE;
        const int whole = n == CDZ_STRIPE;
        if (!whole) {
            memset(part, 0, sizeof part);
            cdz_copy(part, in, 16 * n);
        }
        cdz_slice(x, whole ? in : part);
        first(x, k->sliced[k->rounds]);
        for (unsigned r = k->rounds - 1u;; r--) {
            for (unsigned i = 0; i < 32; i += 8) SUBSTITUTE(CDZ_X1, y + i, x + i);
            if (!r) break;
            unmix(x, y, k->sliced[r]);
        }
        last(x, y, k->sliced[0], 1);
        cdz_unslice(whole ? out : part, x, NULL);
        if (!whole) cdz_copy(out, part, 16 * n);
    }
}

/* ---- the engine ------------------------------------------------------------------------------------------------ */

/* Bytes of stack that the kernels use at most, as wipe.h wants to know them: their arrays and what the compiler adds.
 */
enum { NARROW_STACK = 1024, STRIPE_STACK = 6 * sizeof(cdz_word[32]) + 2048, KEY_STACK = 2048 };

/* The narrow kernel takes some two thirds of a stripe's time for its one block. */
static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    if (blocks > 1)
        stripe_encrypt(ks, in, out, blocks);
    else
        narrow_encrypt(ks, in, out, blocks);
    cdz_leave_nothing(blocks > 1 ? STRIPE_STACK : NARROW_STACK);
}

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    if (blocks > 1)
        stripe_decrypt(ks, in, out, blocks);
    else
        narrow_decrypt(ks, in, out, blocks);
    cdz_leave_nothing(blocks > 1 ? STRIPE_STACK : NARROW_STACK);
}

static CDZ_KERNEL void narrow_ctr(const struct aes_keys *k, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                                  size_t len) {
    uint8_t block[16];
    cdz_block_store(block, cdz_block_transpose(narrow_cipher(k, cdz_block_transpose(cdz_block_load(ctr)))));
    for (size_t i = 0; i < len; i++) out[i] = in[i] ^ block[i];
}

static void ctr_crypt(const void *ks, const uint8_t ctr[16], int le, const uint8_t *in, uint8_t *out, size_t len) {
    if (len > 16)
        stripe_ctr(ks, ctr, le, in, out, len);
    else
        narrow_ctr(ks, ctr, in, out, len);
    cdz_leave_nothing(len > 16 ? STRIPE_STACK : NARROW_STACK);
}

static void ctr(const void *ks, const uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_crypt(ks, counter, 0, in, out, len);
}

static void ctr32le(const void *ks, const uint8_t counter[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_crypt(ks, counter, 1, in, out, len);
}

static void chain(const struct aes_keys *k, enum chain mode, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                  size_t blocks) {
    narrow_chain(k, mode, iv, in, out, blocks);
    cdz_leave_nothing(NARROW_STACK);
}

static void cbc_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    chain(ks, CBC, iv, in, out, blocks);
}

static void cfb_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    chain(ks, CFB, iv, in, out, blocks);
}

static void ofb(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    chain(ks, OFB, iv, in, out, blocks);
}

static void cbc_mac(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    chain(ks, CBC_MAC, x, in, NULL, blocks);
}

static CDZ_KERNEL void set_key_kernel(struct aes_keys *k, const uint8_t *key, size_t key_len) {
    uint8_t w[16 * (MAX_ROUNDS + 1) + 32];
    uint8_t rcon = 1;
    k->rounds = (uint8_t)(key_len / 4 + 6);
    const size_t total = 16 * (k->rounds + (size_t)1);
    cdz_copy(w, key, key_len);
    /* FIPS 197 section 5.2, a word (4 bytes) at a time. */
    for (size_t i = key_len; i < total; i += 4) {
        uint32_t t = cdz_load_le32(w + i - 4);
        if (i % key_len == 0 || (key_len == 32 && i % key_len == 16)) {
            uint8_t s[16];
            cdz_block_store(s, narrow_substitute(cdz_block_lanes(t), 0));
            t = cdz_load_le32(s) ^ 0x63636363;
            if (i % key_len == 0) {
                t = (t >> 8 | t << 24) ^ rcon;
                rcon = (uint8_t)(rcon << 1 ^ (rcon >> 7) * 0x1b);
            }
        }
        cdz_store_le32(w + i, t ^ cdz_load_le32(w + i - key_len));
    }
    for (unsigned r = 0; r <= k->rounds; r++) {
        cdz_block x = cdz_block_transpose(cdz_block_load(w + (size_t)16 * r));
        if (r) x = cdz_block_xor(x, cdz_block_lanes(0x63636363));
        cdz_block_store(k->narrow[r], x);
        cdz_slice_key(k->sliced[r], k->narrow[r]);
    }
}

_Static_assert(sizeof(struct aes_keys) <= CDZ_AES_PORTABLE_KEY, "portable.h");

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    set_key_kernel(ks, key, key_len);
    cdz_leave_nothing(KEY_STACK);
}

const struct cdz_engine cdz_aes_portable = {
    .name = "aes/portable",
    .cipher = CDZ_AES,
    .batch = CDZ_STRIPE,
    .needs = 0,
    .key_size = CDZ_AES_PORTABLE_KEY,
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = cbc_encrypt,
    .cfb_encrypt = cfb_encrypt,
    .ofb = ofb,
    .cbc_mac = cbc_mac,
};
