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

/* One batch, and one batch of ciphertext at `hashed`. */
CDZ_INLINE void T(gcm_batch)(const struct T(keys) * k, const struct T(hash_key) * hk, T(vec) * c, T(vec) * y,
                             const uint8_t *hashed, const uint8_t *in, uint8_t *out, bool spread) {
    T(vec) x[BATCH];
    struct T(hash_sum) s;
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++) {
        x[i] = T(xor)(T(first)(k), T(reverse)(*c));
        *c = T(add)(*c, LANES);
    }
    CDZ_UNROLL
    for (int r = 1; r < 10; r++) {
        T(enc_round)(k, x, BATCH, r);
        if ((r - 1) % (8 / BATCH) == 0 && (r - 1) / (8 / BATCH) < BATCH) {
            const int v = (r - 1) / (8 / BATCH);
            T(vec) d = T(reverse)(T(load)(hashed + VB * (size_t)v));
            if (v == 0) d = T(xor)(d, *y);
            T(hash_step)(hk, &s, d, v, spread);
        }
    }
    *y = T(hash_reduce)(s);
    T(enc_rounds_more)(k, x, BATCH);
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++)
        T(store)(out + VB * (size_t)i, T(enc_last_xor)(k, x[i], T(load)(in + VB * (size_t)i)));
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

CDZ_INLINE x_vec T(gcm_rest)(const struct T(keys) * k, const struct T(hash_key) * hk, T(vec) * c, x_vec y,
                             const uint8_t *in, uint8_t *out, size_t len, bool dec) {
    const uint8_t(*h)[16] = hk->h + HASH_BLOCKS - (len + 15) / 16, (*g)[16] = hk->g + HASH_BLOCKS - (len + 15) / 16;
    struct T(hash_sum) s = {T(zero)(), T(zero)()};
    T(vec) yv = T(zext)(y);
#define STEP(n, last)                                                                                                  \
    do {                                                                                                               \
        T(gcm_step)(k, c, &s, &yv, h, g, in, out, n, last, dec);                                                       \
        h += (n)*LANES, g += (n)*LANES;                                                                                \
    } while (0)
    SWEEP(STEP, 4, true, true);
#undef STEP
    return T(fold)(T(hash_reduce)(s));
}

static CDZ_KERNEL void T(gcm_encrypt)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                      const uint8_t *in, uint8_t *out, size_t len) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) c = T(add_vec)(T(reverse)(T(dup)(ctr)), T(count)());
    x_vec s = x_reverse(x_load(y));
    if (len >= T(GCM_BATCH)) {
        T(vec) lanes = T(zext)(s);
        T(ctr_step)(&k, &c, in, out, BATCH, VB, true);
        in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
        for (; len >= T(GCM_BATCH); in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH))
            T(gcm_batch)(&k, hk, &c, &lanes, out - T(GCM_BATCH), in, out, false);
        s = T(fold)(T(hash_batch)(hk, lanes, out - T(GCM_BATCH), true, true));
    }
    if (len) s = T(gcm_rest)(&k, hk, &c, s, in, out, len, false);
    x_store(y, x_reverse(s));
}

static CDZ_KERNEL void T(gcm_decrypt)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                      const uint8_t *in, uint8_t *out, size_t len) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) c = T(add_vec)(T(reverse)(T(dup)(ctr)), T(count)());
    x_vec s = x_reverse(x_load(y));
    if (len >= T(GCM_BATCH)) {
        T(vec) lanes = T(zext)(s);
        for (; len >= 2 * T(GCM_BATCH); in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH))
            T(gcm_batch)(&k, hk, &c, &lanes, in, in, out, false);
        T(gcm_batch)(&k, hk, &c, &lanes, in, in, out, true);
        in += T(GCM_BATCH), out += T(GCM_BATCH), len -= T(GCM_BATCH);
        s = T(fold)(lanes);
    }
    if (len) s = T(gcm_rest)(&k, hk, &c, s, in, out, len, true);
    x_store(y, x_reverse(s));
}
