/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM's counter and hash in one pass; part of aes_parallel.inc.h, over aes_rounds.inc.h and
 * src/ghash/ghash_clmul.inc.h of the same width, and a batch of the same length.
 *
 * AES rounds and carry-less multiplications go to different units of the CPU (512 bits on Intel: one each), so a
 * batch's rounds alternate with the hashing of a batch of ciphertext: when decrypting its own, when encrypting that of
 * the batch before, which is ready. Within a batch the order of instructions is round 1, vector 0 of the hash, round 2,
 * ...: the CPU finds the rest by itself.
 *
 * What is left of a message, less than a batch, is hashed out of registers as it is made.
 */
enum { T(GCM_BATCH) = 16 * HASH_BLOCKS };
_Static_assert(BATCH *LANES == HASH_BLOCKS && BATCH <= 8, "a batch of AES is a batch of the hash");

/* Where a batch's states come from: counters, through rounds 1 and 2; the same, left in the table of pages; that table.
 */
enum T(gcm_source) { T(GCM_COUNT), T(GCM_MAKE), T(GCM_TAKE) };

struct T(gcm) {
    struct T(keys) k;
    const struct T(hash_key) * hk;
    T(vec) c;          /* GCM_COUNT: the next counters */
    struct T(pages) p; /* the other two */
};

/* States after two rounds. */
CDZ_INLINE void T(gcm_states)(struct T(gcm) * g, T(vec) * x, enum T(gcm_source) from) {
    if (from == T(GCM_TAKE)) {
        T(page_take)(&g->k, &g->p, x, true);
        return;
    }
    if (from == T(GCM_MAKE)) {
        T(page_make)(&g->k, &g->p, x, true);
        return;
    }
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++) {
        x[i] = T(xor)(T(first)(&g->k), T(reverse)(g->c));
        g->c = T(add)(g->c, LANES);
    }
    T(enc_begin)(&g->k, x, BATCH);
}

/* One batch, and one batch of ciphertext at `hashed`: its vectors spread over rounds 3 to 9. */
CDZ_INLINE void T(gcm_batch)(struct T(gcm) * g, T(vec) * y, const uint8_t *hashed, const uint8_t *in, uint8_t *out,
                             bool spread, enum T(gcm_source) from) {
    T(vec) x[BATCH];
    struct T(hash_sum) s;
    const struct T(hash_key) *hk = g->hk;
    __asm__ volatile("" : "+r"(hk), "+r"(hashed), "+r"(in)); /* as in hash_batch() */
    T(gcm_states)(g, x, from);
    CDZ_UNROLL
    for (int r = 3; r < 10; r++) {
        T(enc_round)(&g->k, x, BATCH, r);
        CDZ_UNROLL
        for (int v = 0; v < BATCH; v++) {
            if (v * 7 / BATCH != r - 3) continue;
            T(vec) d = T(reverse)(T(load)(hashed + VB * (size_t)v));
            if (v == 0) d = T(xor)(d, *y);
            T(hash_step)(hk, &s, d, v, spread);
        }
    }
    *y = T(hash_reduce)(s);
    T(enc_rounds_more)(&g->k, x, BATCH);
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++)
        T(store)(out + VB * (size_t)i, T(enc_last_xor)(&g->k, x[i], T(load)(in + VB * (size_t)i)));
}

/* n vectors of what is less than a batch. */
CDZ_INLINE void T(gcm_step)(const struct T(keys) * k, T(vec) * c, struct T(hash_sum) * s, T(vec) * y,
                            const uint8_t (*h)[16], const uint8_t (*g)[16], const uint8_t *in, uint8_t *out, int n,
                            size_t last, bool dec) {
    T(vec) x[4];
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = T(xor)(T(first)(k), T(reverse)(*c));
        *c = T(add)(*c, LANES);
    }
    T(enc_rounds)(k, x, n);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        const T(vec) m = LOAD(in, i);
        const T(vec) v = T(enc_last_xor)(k, x[i], m);
        STORE(out, i, v);
        T(vec) d = dec ? m : v;
        if (!dec && i == n - 1 && last != VB) d = T(first_bytes)(d, last);
        T(hash_mul_add)(s, T(xor)(T(reverse)(d), *y), T(load)(h[LANES * i]), T(load)(g[LANES * i]));
        *y = T(zero)();
    }
}

/* All of less than a batch into the sum, the powers from h and g on; y comes in with the first vector, if there is one.
 */
CDZ_INLINE void T(gcm_sum)(const struct T(keys) * k, T(vec) * c, struct T(hash_sum) * s, T(vec) * y,
                           const uint8_t (*h)[16], const uint8_t (*g)[16], const uint8_t *in, uint8_t *out, size_t len,
                           bool dec) {
#define STEP(n, last)                                                                                                  \
    do {                                                                                                               \
        T(gcm_step)(k, c, s, y, h, g, in, out, n, last, dec);                                                          \
        h += (n)*LANES, g += (n)*LANES;                                                                                \
    } while (0)
    SWEEP(STEP, 4, true, true);
#undef STEP
}

CDZ_INLINE x_vec T(gcm_rest)(const struct T(keys) * k, const struct T(hash_key) * hk, T(vec) * c, x_vec y,
                             const uint8_t *in, uint8_t *out, size_t len, bool dec) {
    const size_t first = HASH_BLOCKS - (len + 15) / 16;
    struct T(hash_sum) s = {T(zero)(), T(zero)()};
    T(vec) yv = T(zext)(y);
    T(gcm_sum)(k, c, &s, &yv, hk->h + first, hk->g + first, in, out, len, dec);
    return T(fold)(T(hash_reduce)(s));
}

/* ---- less than a batch: a kernel with little on its stack ------------------------------------------------------ */

CDZ_INLINE void T(gcm_short)(const void *ks, const struct T(hash_key) * hk, const uint8_t ctr[16], uint8_t y[16],
                             const uint8_t *in, uint8_t *out, size_t len, bool dec) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) c = T(add_vec)(T(reverse)(T(dup)(ctr)), T(count)());
    if (len) x_store(y, x_reverse(T(gcm_rest)(&k, hk, &c, x_reverse(x_load(y)), in, out, len, dec)));
}

static CDZ_KERNEL void T(gcm_encrypt_short)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                            const uint8_t *in, uint8_t *out, size_t len) {
    T(gcm_short)(ks, hk, ctr, y, in, out, len, false);
}

static CDZ_KERNEL void T(gcm_decrypt_short)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                            const uint8_t *in, uint8_t *out, size_t len) {
    T(gcm_short)(ks, hk, ctr, y, in, out, len, true);
}

/*
 * A whole short message: E(J0) beside the counters, the block of lengths in the same reduction as the data. One more
 * block is hashed than the data have.
 */
enum { T(GCM_WHOLE_MAX) = 16 * (HASH_BLOCKS - 1) };

CDZ_INLINE void T(gcm_whole)(const void *ks, const struct T(hash_key) * hk, const uint8_t j0[16], const uint8_t y[16],
                             const uint8_t lengths[16], const uint8_t *in, uint8_t *out, size_t len, uint8_t tag[16],
                             bool dec) {
    const struct x_keys xk = x_enc_keys(ks);
    const struct T(keys) k = T(enc_keys)(ks);
    const size_t first = HASH_BLOCKS - 1 - (len + 15) / 16;
    T(vec) c = T(add)(T(add_vec)(T(reverse)(T(dup)(j0)), T(count)()), 1), yv = T(zext)(x_reverse(x_load(y)));
    struct T(hash_sum) s = {T(zero)(), T(zero)()};
    x_vec e = x_xor(x_first(&xk), x_load(j0));
    x_enc_rounds(&xk, &e, 1);
    T(gcm_sum)(&k, &c, &s, &yv, hk->h + first, hk->g + first, in, out, len, dec);
    const T(vec) end = T(xor)(T(zext)(x_reverse(x_load(lengths))), yv);
    T(hash_mul_add)(&s, end, T(load)(hk->h[HASH_BLOCKS - 1]), T(load)(hk->g[HASH_BLOCKS - 1]));
    x_store(tag, x_enc_last_xor(&xk, e, x_reverse(T(fold)(T(hash_reduce)(s)))));
}

static CDZ_KERNEL void T(gcm_encrypt_whole)(const void *ks, const void *hk, const uint8_t j0[16], const uint8_t y[16],
                                            const uint8_t lengths[16], const uint8_t *in, uint8_t *out, size_t len,
                                            uint8_t tag[16]) {
    T(gcm_whole)(ks, hk, j0, y, lengths, in, out, len, tag, false);
}

static CDZ_KERNEL void T(gcm_decrypt_whole)(const void *ks, const void *hk, const uint8_t j0[16], const uint8_t y[16],
                                            const uint8_t lengths[16], const uint8_t *in, uint8_t *out, size_t len,
                                            uint8_t tag[16]) {
    T(gcm_whole)(ks, hk, j0, y, lengths, in, out, len, tag, true);
}

/* ---- a batch and more ------------------------------------------------------------------------------------------ */

static CDZ_KERNEL void T(gcm_encrypt)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                      const uint8_t *in, uint8_t *out, size_t len) {
    struct T(gcm) g = {.k = T(enc_keys)(ks), .hk = hk};
    g.c = T(add_vec)(T(reverse)(T(dup)(ctr)), T(count)());
    x_vec s = x_reverse(x_load(y));
    T(vec) lanes = T(zext)(s);
    T(ctr_step)(&g.k, &g.c, in, out, BATCH, VB, true);
    in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
    for (; len >= T(GCM_BATCH); in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH))
        T(gcm_batch)(&g, &lanes, out - T(GCM_BATCH), in, out, false, T(GCM_COUNT));
    s = T(fold)(T(hash_batch)(hk, lanes, out - T(GCM_BATCH), true, true));
    if (len) s = T(gcm_rest)(&g.k, hk, &g.c, s, in, out, len, false);
    x_store(y, x_reverse(s));
}

static CDZ_KERNEL void T(gcm_decrypt)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                      const uint8_t *in, uint8_t *out, size_t len) {
    struct T(gcm) g = {.k = T(enc_keys)(ks), .hk = hk};
    g.c = T(add_vec)(T(reverse)(T(dup)(ctr)), T(count)());
    x_vec s = x_reverse(x_load(y));
    T(vec) lanes = T(zext)(s);
    for (; len >= 2 * T(GCM_BATCH); in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH))
        T(gcm_batch)(&g, &lanes, in, in, out, false, T(GCM_COUNT));
    T(gcm_batch)(&g, &lanes, in, in, out, true, T(GCM_COUNT));
    in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
    s = T(fold)(lanes);
    if (len) s = T(gcm_rest)(&g.k, hk, &g.c, s, in, out, len, true);
    x_store(y, x_reverse(s));
}

/* ---- long messages: with the table of aes_parallel.inc.h, of PAGE_TABLE bytes, the caller's to wipe ------------- */

/* Up to a whole batch of the table; returns how many bytes that took. */
CDZ_INLINE size_t T(gcm_long_start)(struct T(gcm) * g, x_vec *s, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                                    uint8_t *table, bool dec) {
    g->p.table = table;
    g->p.low = T(ctr_low)(ctr, true);
    g->p.zero = T(add)(T(reverse)(T(dup)(ctr)), -(int)g->p.low);
    const size_t lead = 16 * (-g->p.low % T(PAGE_BLOCKS));
    g->c = T(ctr_at)(g->p.zero, g->p.low);
    if (lead) *s = T(gcm_rest)(&g->k, g->hk, &g->c, *s, in, out, lead, dec);
    g->p.low += (unsigned)(lead / 16);
    T(pages_start)(&g->k, &g->p, true);
    return lead;
}

CDZ_INLINE x_vec T(gcm_long_end)(struct T(gcm) * g, x_vec s, const uint8_t *in, uint8_t *out, size_t len, bool dec) {
    if (!len) return s;
    g->c = T(ctr_at)(g->p.zero, g->p.low);
    return T(gcm_rest)(&g->k, g->hk, &g->c, s, in, out, len, dec);
}

static CDZ_KERNEL void T(gcm_encrypt_long)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                           const uint8_t *in, uint8_t *out, size_t len, uint8_t *table) {
    struct T(gcm) g = {.k = T(enc_keys)(ks), .hk = hk};
    x_vec s = x_reverse(x_load(y));
    const size_t lead = T(gcm_long_start)(&g, &s, ctr, in, out, table, false);
    T(vec) lanes = T(zext)(s), x[BATCH];
    in += lead, out += lead, len -= lead;
    T(page_make)(&g.k, &g.p, x, true);
    T(page_out)(&g.k, x, in, out);
    in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
    for (int i = T(PAGE_BLOCKS); i < 256; i += T(PAGE_BLOCKS)) {
        T(gcm_batch)(&g, &lanes, out - T(GCM_BATCH), in, out, false, T(GCM_MAKE));
        in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
    }
    for (; len >= T(GCM_BATCH); in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH))
        T(gcm_batch)(&g, &lanes, out - T(GCM_BATCH), in, out, false, T(GCM_TAKE));
    s = T(fold)(T(hash_batch)(hk, lanes, out - T(GCM_BATCH), true, true));
    x_store(y, x_reverse(T(gcm_long_end)(&g, s, in, out, len, false)));
}

static CDZ_KERNEL void T(gcm_decrypt_long)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                           const uint8_t *in, uint8_t *out, size_t len, uint8_t *table) {
    struct T(gcm) g = {.k = T(enc_keys)(ks), .hk = hk};
    x_vec s = x_reverse(x_load(y));
    const size_t lead = T(gcm_long_start)(&g, &s, ctr, in, out, table, true);
    T(vec) lanes = T(zext)(s);
    in += lead, out += lead, len -= lead;
    for (int i = 0; i < 256; i += T(PAGE_BLOCKS)) {
        T(gcm_batch)(&g, &lanes, in, in, out, false, T(GCM_MAKE));
        in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
    }
    for (; len >= 2 * T(GCM_BATCH); in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH))
        T(gcm_batch)(&g, &lanes, in, in, out, false, T(GCM_TAKE));
    T(gcm_batch)(&g, &lanes, in, in, out, true, T(GCM_TAKE)); /* CTR_LONG is long enough for one more */
    in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
    x_store(y, x_reverse(T(gcm_long_end)(&g, T(fold)(lanes), in, out, len, true)));
}
