/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ghash/portable: GHASH and POLYVAL with integer multiplications alone: no table, no branch, no address that depends
 * on the key or the data.
 *
 * The field. Both hashes are computed in POLYVAL's field, GF(2)[x] / (x^128 + x^127 + x^126 + x^121 + 1), a block
 * being a 128-bit little-endian number whose bit i is the coefficient of x^i, and the product being
 * dot(a, b) = a b x^-128 (RFC 8452, 3). GHASH is the same over blocks read as big-endian numbers, with the key
 * multiplied by x once (RFC 8452, appendix A). So the two differ in how bytes are read, and in nothing else.
 *
 * Multiplication with holes. The product of polynomials is an integer product without carries. Carries are allowed
 * here but kept away: an operand is split into four, each holding every fourth bit. In the integer product of two such
 * parts only every fourth column is used; a column's sum counts up to the number of bits that a part has, and where
 * that is at most 15 it fits into the three empty columns above. The low bit of a sum is the wanted coefficient, and
 * a mask takes it out; sums of parts whose columns agree can be added by XOR before that. Sixteen multiplications make
 * a product. This is known from Thomas Pornin's BearSSL ("ctmul").
 *
 *   32 x 32 -> 64 bits: a part has 8 bits, and nothing overflows. 128 bits are nine products (Karatsuba twice).
 *   64 x 64 -> 128 bits (where the compiler has them): a part has 16 bits, and one column could count to 16. So
 *     the parts of the key leave out its four top bits, which are added as four masked shifts. Three products.
 *
 * Integer multiplication takes the same time whatever its operands on all CPUs that this library is meant for. (It
 * does not on some microcontrollers, such as the Cortex-M3 with its early-ending umull: docs/constant-time.md.)
 *
 * The key area holds what depends on H alone: the parts, and the masks of the top bits.
 */
#include "../engine.h"
#include "../util/bytes.h"
#include "../util/wipe.h"

/* Every fourth bit, beginning with bit i: 0x1111... = (2^64 - 1) / 15. */
#define EVERY_FOURTH(i) (UINT64_C(0x1111111111111111) << (i))

/* A field element: lo is the coefficients of x^0 to x^63. */
struct element {
    uint64_t lo, hi;
};

static inline struct element add(struct element a, struct element b) {
    return (struct element){a.lo ^ b.lo, a.hi ^ b.hi};
}

/* The product p[0..3] (256 bits) times x^-128 modulo the polynomial. A multiple of the polynomial that ends in the
 * lowest word is added to clear it, twice: w (x^128 + x^127 + x^126 + x^121 + 1) has w at its low end; above it are
 * w << 57, w << 62 and w << 63 in the second word (121 - 64 and so on) and w, w >> 1, w >> 2 and w >> 7 in the third
 * (128, and what the shifts pushed out). */
static inline struct element reduce(uint64_t p0, uint64_t p1, uint64_t p2, uint64_t p3) {
    p1 ^= p0 << 57 ^ p0 << 62 ^ p0 << 63;
    p2 ^= p0 ^ p0 >> 1 ^ p0 >> 2 ^ p0 >> 7;
    p2 ^= p1 << 57 ^ p1 << 62 ^ p1 << 63;
    p3 ^= p1 ^ p1 >> 1 ^ p1 >> 2 ^ p1 >> 7;
    return (struct element){p2, p3};
}

#ifdef __SIZEOF_INT128__

typedef unsigned __int128 u128;

/* One of H's three Karatsuba operands (low half, high half, their sum). */
struct operand {
    uint64_t part[4]; /* every fourth bit, bits 60 to 63 left out */
    uint64_t top[4];  /* bits 60 to 63, each as a mask of all bits */
};

struct key {
    struct operand h[3];
};

static inline void set_operand(struct operand *o, uint64_t h) {
    for (int i = 0; i < 4; i++) {
        o->part[i] = h & EVERY_FOURTH(i) & UINT64_MAX >> 4;
        o->top[i] = 0 - (h >> (60 + i) & 1);
    }
}

/* h b: 127 bits. */
static inline u128 multiply(const struct operand *h, uint64_t b) {
    const u128 mask = (u128)EVERY_FOURTH(0) << 64 | EVERY_FOURTH(0);
    const uint64_t b0 = b & EVERY_FOURTH(0), b1 = b & EVERY_FOURTH(1), b2 = b & EVERY_FOURTH(2),
                   b3 = b & EVERY_FOURTH(3);
    const u128 h0 = h->part[0], h1 = h->part[1], h2 = h->part[2], h3 = h->part[3];
    u128 r = ((h0 * b0) ^ (h1 * b3) ^ (h2 * b2) ^ (h3 * b1)) & mask;
    r |= ((h0 * b1) ^ (h1 * b0) ^ (h2 * b3) ^ (h3 * b2)) & mask << 1;
    r |= ((h0 * b2) ^ (h1 * b1) ^ (h2 * b0) ^ (h3 * b3)) & mask << 2;
    r |= ((h0 * b3) ^ (h1 * b2) ^ (h2 * b1) ^ (h3 * b0)) & mask << 3;
    uint64_t hi = 0;
    for (int i = 0; i < 4; i++) {
        hi ^= (b & h->top[i]) >> (4 - i);
        r ^= (u128)((b & h->top[i]) << (60 + i));
    }
    return r ^ (u128)hi << 64;
}

static inline void set_key(struct key *k, struct element h) {
    set_operand(&k->h[0], h.lo);
    set_operand(&k->h[1], h.hi);
    set_operand(&k->h[2], h.lo ^ h.hi);
}

static inline struct element dot(const struct key *k, struct element a) {
    const u128 lo = multiply(&k->h[0], a.lo), hi = multiply(&k->h[1], a.hi);
    const u128 mid = multiply(&k->h[2], a.lo ^ a.hi) ^ lo ^ hi;
    return reduce((uint64_t)lo, (uint64_t)(lo >> 64) ^ (uint64_t)mid, (uint64_t)hi ^ (uint64_t)(mid >> 64),
                  (uint64_t)(hi >> 64));
}

#else

/* The nine Karatsuba operands of H, of 32 bits: words 0, 1 and their sum; words 2, 3 and their sum; the sums of
 * those. */
struct key {
    uint32_t h[3][3][4]; /* every fourth bit */
};

static inline void set_operand(uint32_t o[4], uint32_t h) {
    for (int i = 0; i < 4; i++) o[i] = h & (uint32_t)EVERY_FOURTH(i);
}

static inline void set_operands(uint32_t o[3][4], uint64_t h) {
    set_operand(o[0], (uint32_t)h);
    set_operand(o[1], (uint32_t)(h >> 32));
    set_operand(o[2], (uint32_t)h ^ (uint32_t)(h >> 32));
}

static inline uint64_t multiply32(const uint32_t h[4], uint32_t b) {
    const uint32_t b0 = b & (uint32_t)EVERY_FOURTH(0), b1 = b & (uint32_t)EVERY_FOURTH(1),
                   b2 = b & (uint32_t)EVERY_FOURTH(2), b3 = b & (uint32_t)EVERY_FOURTH(3);
    const uint64_t h0 = h[0], h1 = h[1], h2 = h[2], h3 = h[3];
    return (((h0 * b0) ^ (h1 * b3) ^ (h2 * b2) ^ (h3 * b1)) & EVERY_FOURTH(0)) |
           (((h0 * b1) ^ (h1 * b0) ^ (h2 * b3) ^ (h3 * b2)) & EVERY_FOURTH(1)) |
           (((h0 * b2) ^ (h1 * b1) ^ (h2 * b0) ^ (h3 * b3)) & EVERY_FOURTH(2)) |
           (((h0 * b3) ^ (h1 * b2) ^ (h2 * b1) ^ (h3 * b0)) & EVERY_FOURTH(3));
}

static inline struct element multiply64(const uint32_t h[3][4], uint64_t b) {
    const uint64_t lo = multiply32(h[0], (uint32_t)b), hi = multiply32(h[1], (uint32_t)(b >> 32));
    const uint64_t mid = multiply32(h[2], (uint32_t)b ^ (uint32_t)(b >> 32)) ^ lo ^ hi;
    return (struct element){lo ^ mid << 32, hi ^ mid >> 32};
}

static inline void set_key(struct key *k, struct element h) {
    set_operands(k->h[0], h.lo);
    set_operands(k->h[1], h.hi);
    set_operands(k->h[2], h.lo ^ h.hi);
}

static inline struct element dot(const struct key *k, struct element a) {
    const struct element lo = multiply64(k->h[0], a.lo), hi = multiply64(k->h[1], a.hi);
    const struct element mid = add(multiply64(k->h[2], a.lo ^ a.hi), add(lo, hi));
    return reduce(lo.lo, lo.hi ^ mid.lo, hi.lo ^ mid.hi, hi.hi);
}

#endif

enum { KEY_SIZE = 192 };
_Static_assert(sizeof(struct key) <= KEY_SIZE, "the key area holds the key");

static inline struct element load_be(const uint8_t p[16]) {
    return (struct element){cdz_load_be64(p + 8), cdz_load_be64(p)};
}

static inline struct element load_le(const uint8_t p[16]) {
    return (struct element){cdz_load_le64(p), cdz_load_le64(p + 8)};
}

/* H x: where x^127 moves out, the polynomial's x^127 + x^126 + x^121 + 1 comes in. */
/* 0x61 << 57 are the bits 127, 126 and 121. */
static CDZ_KERNEL void ghash_key_kernel(void *hk, const uint8_t h[16]) {
    const struct element a = load_be(h);
    const uint64_t carry = cdz_value_barrier(0 - (a.hi >> 63));
    const struct element b = {a.lo << 1 ^ (carry & 1), (a.hi << 1 | a.lo >> 63) ^ (carry & UINT64_C(0x61) << 57)};
    set_key(hk, b);
}

static CDZ_KERNEL void polyval_key_kernel(void *hk, const uint8_t h[16]) { set_key(hk, load_le(h)); }

static CDZ_KERNEL void ghash_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    struct element s = load_be(y);
    for (; blocks > 0; blocks--, in += 16) s = dot(hk, add(s, load_be(in)));
    cdz_store_be64(y, s.hi);
    cdz_store_be64(y + 8, s.lo);
}

static CDZ_KERNEL void polyval_kernel(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    struct element s = load_le(y);
    for (; blocks > 0; blocks--, in += 16) s = dot(hk, add(s, load_le(in)));
    cdz_store_le64(y, s.lo);
    cdz_store_le64(y + 8, s.hi);
}

/* What no kernel uses up, with what it calls (-fstack-usage: on x86-64 280 bytes, gcc and clang, and 128 below the
 * stack pointer; on i686, where more is spilled, 544). */
#if defined(__x86_64__)
enum { STACK = 512 };
#else
enum { STACK = 1024 };
#endif

static void ghash_key(void *hk, const uint8_t h[16]) {
    ghash_key_kernel(hk, h);
    cdz_leave_nothing(STACK);
}

static void polyval_key(void *hk, const uint8_t h[16], size_t most) {
    (void)most;
    polyval_key_kernel(hk, h);
    cdz_leave_nothing(STACK);
}

#define HASH_STACK STACK
#include "hash_calls.inc.h"

const struct cdz_hash cdz_ghash_portable = {
    .name = "ghash/portable",
    .needs = 0,
    .batch = 1,
    .key_size = KEY_SIZE,
    .ghash_key = ghash_key,
    .ghash = ghash,
    .polyval_key = polyval_key,
    .polyval = polyval,
};
