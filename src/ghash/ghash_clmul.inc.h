/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GHASH and POLYVAL by carry-less multiplication, written once for vectors of any number of blocks. Includers define
 * T(word) over the vocabulary of src/x86/v128.h and
 *
 *   LANES                blocks of a vector
 *   HASH_BLOCKS          blocks that are hashed with one reduction: so many powers of H are kept. A power of two, at
 *                        least 4 and at least LANES
 *   T(clmul)(a, b, i)    for each lane half (i & 1) of a times half (i >> 4) of b, 64 bits each
 *   T(swap_halves)(v)    the 64-bit halves of each lane exchanged
 *   T(opaque)(v)         v, of which the compiler knows nothing
 *   T(join)(v, a, b, c, d)   four 128-bit registers, the first in the lowest lane, as 4 / LANES vectors (LANES <= 4)
 *
 * The field is POLYVAL's (RFC 8452, 3): blocks are little-endian numbers, bit i the coefficient of x^i, the polynomial
 * is x^128 + x^127 + x^126 + x^121 + 1, and the product is dot(a, b) = a b x^-128. GHASH is the same over blocks turned
 * back to front, with the key H x (RFC 8452, appendix A).
 *
 * One product. Let h = h0 + h1 x^64 be a power of H, and g = h x^-64. Then for a block d = d0 + d1 x^64
 *
 *     d h = (d0 g + d1 h) x^64,      dot(d, h) = (d0 g + d1 h) x^-64
 *
 * where d0 g and d1 h have but 192 bits: (d0 g0 + d1 h0) + (d0 g1 + d1 h1) x^64 = lo + hi x^64. Four multiplications as
 * in the schoolbook, but two sums of products instead of three, and half the reduction: with x^-64 = x^64 + x^63 + x^62
 * + x^57 (the polynomial, divided by x^64)
 *
 *     (lo + hi x^64) x^-64 = hi + lo1 + lo0 x^-64 = hi + (lo with its halves exchanged) + lo0 (x^63 + x^62 + x^57)
 *
 * The key area has h and g for H^HASH_BLOCKS ... H^1; sums over as many blocks are reduced once.
 *
 * Many lanes. A message of n blocks is sum(d_i H^(n - i)), i from 0 on. With the powers in descending order, vectors of
 * blocks meet vectors of powers, and the lanes are added at the end. Between batches the lanes need not be added: if
 * all lanes of vector v are multiplied by H^(HASH_BLOCKS - LANES v), then every lane is a hash of its own, of every
 * LANES-th block, by H^LANES; multiplying the last batch by the powers in order gives each lane what it lacks.
 * (hash_step with `spread` false, and true.)
 */
struct T(hash_key) {
    uint8_t h[HASH_BLOCKS][16] __attribute__((aligned(64))); /* h[HASH_BLOCKS - i] = H^i */
    uint8_t g[HASH_BLOCKS + LANES]
             [16]; /* g = h x^-64. A vector may begin with H^1: what follows is read, and meets zeros */
};

/* A sum of products before its reduction. */
struct T(hash_sum) {
    T(vec) lo, hi;
};

#define HASH_VECS (HASH_BLOCKS / LANES)

/* x^63 + x^62 + x^57 */
CDZ_INLINE T(vec) T(hash_poly)(void) { return T(dup_x)(_mm_set_epi64x(0, (long long)(UINT64_C(0xc2) << 56))); }

CDZ_INLINE T(vec) T(hash_over_x64)(T(vec) v) { return T(xor)(T(swap_halves)(v), T(clmul)(v, T(hash_poly)(), 0x00)); }

CDZ_INLINE T(vec) T(hash_reduce)(struct T(hash_sum) s) {
    return T(xor3)(s.hi, T(swap_halves)(s.lo), T(clmul)(s.lo, T(hash_poly)(), 0x00));
}

CDZ_INLINE struct T(hash_sum) T(hash_mul)(T(vec) d, T(vec) h, T(vec) g) {
    return (struct T(hash_sum)){T(xor)(T(clmul)(d, g, 0x00), T(clmul)(d, h, 0x01)),
                                T(xor)(T(clmul)(d, g, 0x10), T(clmul)(d, h, 0x11))};
}

CDZ_INLINE void T(hash_mul_add)(struct T(hash_sum) * s, T(vec) d, T(vec) h, T(vec) g) {
    s->lo = T(xor3)(s->lo, T(clmul)(d, g, 0x00), T(clmul)(d, h, 0x01));
    s->hi = T(xor3)(s->hi, T(clmul)(d, g, 0x10), T(clmul)(d, h, 0x11));
    /* Without this gcc adds all products up as a tree, for which there are not registers enough. */
    s->lo = T(opaque)(s->lo);
    s->hi = T(opaque)(s->hi);
}

/* Vector v of a batch. */
CDZ_INLINE void T(hash_step)(const struct T(hash_key) * k, struct T(hash_sum) * s, T(vec) d, int v, bool spread) {
    const uint8_t *h = k->h[LANES * v], *g = k->g[LANES * v];
    const T(vec) hv = spread ? T(load)(h) : T(dup)(h), gv = spread ? T(load)(g) : T(dup)(g);
    if (v == 0)
        *s = T(hash_mul)(d, hv, gv);
    else
        T(hash_mul_add)(s, d, hv, gv);
}

CDZ_INLINE T(vec) T(hash_order)(T(vec) d, bool ghash) { return ghash ? T(reverse)(d) : d; }

/* A whole batch in memory. Where the pointers come from is hidden from the compiler, which would otherwise load keys
 * and data that two branches have in common, or that a loop does not change, in advance: onto the stack, that is. */
CDZ_INLINE T(vec) T(hash_batch)(const struct T(hash_key) * k, T(vec) y, const uint8_t *in, bool spread, bool ghash) {
    struct T(hash_sum) s;
    __asm__ volatile("" : "+r"(k), "+r"(in));
    CDZ_UNROLL
    for (int v = 0; v < HASH_VECS; v++) {
        T(vec) d = T(hash_order)(T(load)(in + 16 * LANES * v), ghash);
        if (v == 0) d = T(xor)(d, y);
        T(hash_step)(k, &s, d, v, spread);
    }
    return T(hash_reduce)(s);
}

/* len bytes, fewer than 16 HASH_BLOCKS and more than none, padded with zeros. */
CDZ_INLINE x_vec T(hash_rest)(const struct T(hash_key) * k, x_vec y, const uint8_t *in, size_t len, bool ghash) {
    const size_t blocks = (len + 15) / 16;
    const uint8_t(*h)[16] = k->h + HASH_BLOCKS - blocks, (*g)[16] = k->g + HASH_BLOCKS - blocks;
    if (LANES > 1 && len <= 16) {
        const x_vec d = x_xor(y, x_hash_order(x_load_bytes(in, len), ghash));
        return x_hash_reduce(x_hash_mul(d, x_load(h), x_load(g)));
    }
    struct T(hash_sum) s = {T(zero)(), T(zero)()};
    T(vec) first = T(zext)(y);
    for (; len >= 16 * LANES; len -= 16 * LANES, in += 16 * LANES, h += LANES, g += LANES) {
        T(hash_mul_add)(&s, T(xor)(T(hash_order)(T(load)(in), ghash), first), T(load)(h), T(load)(g));
        first = T(zero)();
    }
    if (len) T(hash_mul_add)(&s, T(xor)(T(hash_order)(T(load_bytes)(in, len), ghash), first), T(load)(h), T(load)(g));
    return T(fold)(T(hash_reduce)(s));
}

/* All but the last full batch leave the lanes apart. */
CDZ_INLINE x_vec T(hash_blocks)(const struct T(hash_key) * k, x_vec y, const uint8_t *in, size_t blocks, bool ghash) {
    if (blocks >= HASH_BLOCKS) {
        T(vec) lanes = T(zext)(y);
        for (; blocks >= 2 * HASH_BLOCKS; blocks -= HASH_BLOCKS, in += 16 * HASH_BLOCKS)
            lanes = T(hash_batch)(k, lanes, in, false, ghash);
        y = T(fold)(T(hash_batch)(k, lanes, in, true, ghash));
        blocks -= HASH_BLOCKS, in += 16 * HASH_BLOCKS;
    }
    if (blocks) y = T(hash_rest)(k, y, in, 16 * blocks, ghash);
    return y;
}

/* ---- a hash engine of its own: the includers that define HASH ------------------------------------------------- */

#ifdef HASH

/* `most`: powers that are needed, 0 or more (engine.h); those of a whole vector, and twice, four times ... as many. */
CDZ_INLINE void T(hash_setup)(void *hk, const uint8_t key[16], bool ghash, size_t most) {
    struct T(hash_key) *const k = hk;
    x_vec h1 = x_load(key);
    if (ghash) {
        /* times x: where x^127 moves out, x^127 + x^126 + x^121 + 1 comes in. The top bits of words 3 and 1 as masks */
        const x_vec h = x_reverse(h1);
        const x_vec tops = _mm_srai_epi32(_mm_shuffle_epi32(h, 0xd3), 31); /* words 3 0 1 3 */
        h1 = x_xor(_mm_add_epi64(h, h), _mm_and_si128(tops, _mm_set_epi32((int)0xc2000000, 1, 0, 1)));
    }
    const x_vec g1 = x_hash_over_x64(h1);
    const x_vec h2 = x_hash_reduce(x_hash_mul(h1, h1, g1));
    const x_vec g2 = x_hash_over_x64(h2);
    const x_vec h3 = x_hash_reduce(x_hash_mul(h1, h2, g2)), h4 = x_hash_reduce(x_hash_mul(h2, h2, g2));

    T(vec) v[HASH_VECS]; /* H^(LANES m) ... H^1 in its first m places, doubled until there are enough */
    T(join)(v, h4, h3, h2, h1);
#define KEEP(n)                                                                                                        \
    do {                                                                                                               \
        CDZ_UNROLL                                                                                                     \
        for (int i = 0; i < (n); i++) {                                                                                \
            T(store)(k->h[HASH_BLOCKS - LANES * ((n)-i)], v[i]);                                                       \
            T(store)(k->g[HASH_BLOCKS - LANES * ((n)-i)], T(hash_over_x64)(v[i]));                                     \
        }                                                                                                              \
        T(store)(k->g[HASH_BLOCKS], T(zero)());                                                                        \
        if ((n) < HASH_VECS) T(store)(k->g[0], T(zero)()); /* what follows H^1 is read here too */                     \
    } while (0)
#define DOUBLE(m)                                                                                                      \
    if ((m) >= 4 / LANES && (m) < HASH_VECS) {                                                                         \
        if (most <= (size_t)(LANES * (m))) {                                                                           \
            KEEP(m);                                                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        const T(vec) h = T(dup_x)(T(lane0)(v[0])), g = T(hash_over_x64)(h);                                            \
        CDZ_UNROLL                                                                                                     \
        for (int i = (m)-1; i >= 0; i--) {                                                                             \
            v[(m) + i] = v[i];                                                                                         \
            v[i] = T(hash_reduce)(T(hash_mul)(v[i], h, g));                                                            \
        }                                                                                                              \
    }
    _Static_assert(HASH_VECS <= 8, "these are all");
    DOUBLE(1)
    DOUBLE(2)
    DOUBLE(4)
#undef DOUBLE
    KEEP(HASH_VECS);
#undef KEEP
}

static CDZ_KERNEL void T(ghash)(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    if (blocks) x_store(y, x_reverse(T(hash_blocks)(hk, x_reverse(x_load(y)), in, blocks, true)));
}

static CDZ_KERNEL void T(polyval)(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks) {
    if (blocks) x_store(y, T(hash_blocks)(hk, x_load(y), in, blocks, false));
}

static CDZ_KERNEL void ghash_key(void *hk, const uint8_t h[16]) { T(hash_setup)(hk, h, true, HASH_BLOCKS); }

static CDZ_KERNEL void polyval_key(void *hk, const uint8_t h[16], size_t most) { T(hash_setup)(hk, h, false, most); }

const struct cdz_hash HASH = {
    .name = HASH_NAME,
    .needs = HASH_NEEDS,
    .batch = HASH_BLOCKS,
    .key_size = sizeof(struct T(hash_key)),
    .stack = STACK,
    .ghash_key = ghash_key,
    .ghash = T(ghash),
    .polyval_key = polyval_key,
    .polyval = T(polyval),
};

#endif
