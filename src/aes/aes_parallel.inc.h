/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modes whose blocks do not wait for each other, written once for every width and every core: ECB, CBC and CFB
 * decryption, CTR, XTS, OCB. Includers define T(word) over a vector vocabulary (src/x86/v128.h) and a core
 * (aes_rounds.inc.h, aes_vperm.inc.h), and
 *
 *   LANES            blocks of a vector
 *   BATCH            vectors that are worked on at once: a power of two, at least 4
 *   T(xts_start), T(xts_next), T(ocb_prepare), T(ocb_offset): see XTS and OCB below
 *   HASH_BLOCKS      only with aes_rounds.inc.h and ghash_clmul.inc.h: GCM too (aes_gcm.inc.h)
 *
 * A message is swept in whole batches, then in what is left: a half or a quarter of a batch, two vectors, one, and at
 * last a vector that is not full. These short steps do not wait for each other either, so the CPU overlaps them.
 *
 * In place is allowed: a step loads all that it needs before it stores, or stores from the end to the beginning.
 */
#define VB ((size_t)16 * LANES) /* bytes of a vector */

/* A step takes n vectors, of which the last has `last` bytes: the constant VB, or fewer in the message's last step. */
#define LOAD(p, i)                                                                                                     \
    ((i) == n - 1 && last != VB ? T(load_bytes)((p) + VB * (size_t)(i), last) : T(load)((p) + VB * (size_t)(i)))
#define STORE(p, i, v)                                                                                                 \
    ((i) == n - 1 && last != VB ? T(store_bytes)((p) + VB * (size_t)(i), v, last) : T(store)((p) + VB * (size_t)(i), v))

/* Sweeps len bytes from in to out (which stays where it is unless `moves`). STEP(n, last) does not move the pointers.
 * Whole blocks leave nothing over for a vector that is not full where a vector is one block. */
#define SWEEP(STEP, batch, moves, any_bytes)                                                                           \
    do {                                                                                                               \
        for (; len >= (batch)*VB; SWEEP_ON(batch, moves)) STEP(batch, VB);                                             \
        if ((batch) > 4 && len >= 4 * VB) {                                                                            \
            STEP(4, VB);                                                                                               \
            SWEEP_ON(4, moves);                                                                                        \
        }                                                                                                              \
        if (len >= 2 * VB) {                                                                                           \
            STEP(2, VB);                                                                                               \
            SWEEP_ON(2, moves);                                                                                        \
        }                                                                                                              \
        if (len >= VB) {                                                                                               \
            STEP(1, VB);                                                                                               \
            SWEEP_ON(1, moves);                                                                                        \
        }                                                                                                              \
        if ((any_bytes || LANES > 1) && len) STEP(1, len);                                                             \
    } while (0)
#define SWEEP_ON(n, moves) (len -= (n)*VB, in += (n)*VB, out += (moves) ? (n)*VB : 0)

/* ---- ECB ----------------------------------------------------------------------------------------------------- */

CDZ_INLINE void T(ecb_step)(const struct T(keys) * k, const uint8_t *in, uint8_t *out, int n, size_t last, bool dec) {
    T(vec) x[BATCH];
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(xor)(T(first)(k), LOAD(in, i));
    if (dec)
        T(dec_rounds)(k, x, n);
    else
        T(enc_rounds)(k, x, n);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) STORE(out, i, dec ? T(dec_last)(k, x[i]) : T(enc_last)(k, x[i]));
}

/* One block alone, or two (a first counter, a tweak, a MAC's end), have just been stored as 16 bytes each and are
 * loaded as such at once: a load that is masked or wider would have to wait for the store. */
CDZ_INLINE void T(narrow)(const struct x_keys *k, const uint8_t *in, uint8_t *out, int n) {
    x_vec x[2];
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = x_xor(x_first(k), x_load(in + 16 * i));
    x_enc_rounds(k, x, n);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x_store(out + 16 * i, x_enc_last(k, x[i]));
}

static CDZ_KERNEL void T(encrypt)(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    if (LANES > 1 && (blocks == 1 || blocks == 2)) {
        const struct x_keys xk = x_enc_keys(ks);
        if (blocks == 1)
            T(narrow)(&xk, in, out, 1);
        else
            T(narrow)(&xk, in, out, 2);
        return;
    }
    const struct T(keys) k = T(enc_keys)(ks);
    size_t len = 16 * blocks;
#define STEP(n, last) T(ecb_step)(&k, in, out, n, last, false)
    SWEEP(STEP, BATCH, true, false);
#undef STEP
}

static CDZ_KERNEL void T(decrypt)(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    if (LANES > 1 && blocks == 1) {
        const struct x_keys xk = x_dec_keys(ks);
        x_vec x = x_xor(x_first(&xk), x_load(in));
        x_dec_rounds(&xk, &x, 1);
        x_store(out, x_dec_last(&xk, x));
        return;
    }
    const struct T(keys) k = T(dec_keys)(ks);
    size_t len = 16 * blocks;
#define STEP(n, last) T(ecb_step)(&k, in, out, n, last, true)
    SWEEP(STEP, BATCH, true, false);
#undef STEP
}

/* ---- CBC and CFB decryption ----------------------------------------------------------------------------------- */

/* CBC: out = D(c) ^ the ciphertext before. CFB: out = E(the ciphertext before) ^ c. `before` holds the block before
 * `in` in its last lane, and is left with that of the next step. */
CDZ_INLINE void T(chain_step)(const struct T(keys) * k, T(vec) * before, const uint8_t *in, uint8_t *out, int n,
                              size_t last, bool cfb) {
    T(vec) x[BATCH];
    const T(vec) c0 = LOAD(in, 0);
    const T(vec) p0 = T(prev)(c0, *before);
    /* block i's predecessors, from memory: the byte before the first vector is not ours */
#define PREV(i)                                                                                                        \
    ((i) == n - 1 && last != VB ? T(load_bytes)(in + VB * (size_t)(i)-16, last) : T(load)(in + VB * (size_t)(i)-16))
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        if (cfb)
            x[i] = T(xor)(T(first)(k), i ? PREV(i) : p0);
        else
            x[i] = T(xor)(T(first)(k), i ? LOAD(in, i) : c0);
    }
    if (last == VB) *before = T(load)(in + VB * (size_t)(n - 1));
    if (cfb)
        T(enc_rounds)(k, x, n);
    else
        T(dec_rounds)(k, x, n);
    CDZ_UNROLL
    for (int i = n - 1; i >= 0; i--) { /* backwards: in place, a block's predecessor must still be there */
        if (cfb)
            STORE(out, i, T(enc_last_xor)(k, x[i], i ? LOAD(in, i) : c0));
        else
            STORE(out, i, T(dec_last_xor)(k, x[i], i ? PREV(i) : p0));
    }
#undef PREV
}

CDZ_INLINE void T(chain)(const struct T(keys) * k, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks,
                         bool cfb) {
    size_t len = 16 * blocks;
    if (!len) return;
    T(vec) before = T(dup)(iv);
    const x_vec end = x_load(in + len - 16);
#define STEP(n, last) T(chain_step)(k, &before, in, out, n, last, cfb)
    SWEEP(STEP, BATCH, true, false);
#undef STEP
    x_store(iv, end);
}

static CDZ_KERNEL void T(cbc_decrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(dec_keys)(ks);
    T(chain)(&k, iv, in, out, blocks, false);
}

static CDZ_KERNEL void T(cfb_decrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(chain)(&k, iv, in, out, blocks, true);
}

/* ---- CTR ------------------------------------------------------------------------------------------------------ */

/* The counters are kept as little-endian numbers, of which only the low word moves. */
CDZ_INLINE void T(ctr_step)(const struct T(keys) * k, T(vec) * c, const uint8_t *in, uint8_t *out, int n, size_t last,
                            bool be) {
    T(vec) x[BATCH];
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = T(xor)(T(first)(k), be ? T(reverse)(*c) : *c);
        *c = T(add)(*c, LANES);
    }
    T(enc_rounds)(k, x, n);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) STORE(out, i, T(enc_last_xor)(k, x[i], LOAD(in, i)));
}

static CDZ_KERNEL void T(ctr)(const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) c = T(add_vec)(T(reverse)(T(dup)(ctr)), T(count)());
#define STEP(n, last) T(ctr_step)(&k, &c, in, out, n, last, true)
    SWEEP(STEP, BATCH, true, true);
#undef STEP
}

static CDZ_KERNEL void T(ctr32le)(const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(vec) c = T(add_vec)(T(dup)(ctr), T(count)());
#define STEP(n, last) T(ctr_step)(&k, &c, in, out, n, last, false)
    SWEEP(STEP, BATCH, true, true);
#undef STEP
}

/*
 * Long runs of counters: after two rounds, what a block's state owes to the two bytes that move can be told apart.
 *
 * Let l be the low and h the high byte of the low 16 bits; all other bytes of a call's counters are the same. In round
 * 1 each of l and h reaches one column, and these differ (ShiftRows takes bytes 15 and 14, or 0 and 1, of one column to
 * two columns). So every byte going into round 2's S-boxes depends on l or on h, but never on both, and since all that
 * comes after them in round 2 is linear,
 *
 *     state(h, l) = state(h, 0) ^ state(0, 0) ^ state(0, l).
 *
 * The first 256 blocks leave their states behind, and from then on a block begins with a load and a XOR instead of a
 * counter and two rounds. The same was done for software with tables by Bernstein and Schwabe ("New AES software speed
 * records", 2008). The table is read in the order of the counter, which is no secret; its contents are, and are wiped.
 *
 * The table's entries are those of the page h with which it began; `delta` is what they lack on the current page.
 */
enum {
    T(PAGE_BLOCKS) = BATCH * LANES, /* at once */
    T(PAGE_TABLE) = 256 * 16,
    T(CTR_LONG) = 3 * T(PAGE_TABLE) /* a message that gains more than the table's making and wiping cost */
};

struct T(pages) {
    uint8_t *table;
    T(vec) zero;          /* the counter with its low 16 bits zero, as a little-endian number */
    T(vec) origin, delta; /* state(h, 0) of the table's page; that of the current page ^ that */
    unsigned low;         /* the low 16 bits of the next block: a multiple of PAGE_BLOCKS */
};

CDZ_INLINE unsigned T(ctr_low)(const uint8_t ctr[16], bool be) {
    return be ? (unsigned)ctr[14] << 8 | ctr[15] : (unsigned)ctr[1] << 8 | ctr[0];
}

/* The counters of the next vector, lanes counted, from a block with its low bits zero. */
CDZ_INLINE T(vec) T(ctr_at)(T(vec) zero, unsigned low) { return T(add_vec)(T(add)(zero, (int)low), T(count)()); }

CDZ_INLINE T(vec) T(page_state)(const struct T(keys) * k, const struct T(pages) * p, bool be) {
    const T(vec) c = T(add)(p->zero, (int)(p->low & 0xff00));
    T(vec) x = T(xor)(T(first)(k), be ? T(reverse)(c) : c);
    T(enc_begin)(k, &x, 1);
    return x;
}

CDZ_INLINE void T(pages_start)(const struct T(keys) * k, struct T(pages) * p, bool be) {
    p->origin = T(page_state)(k, p, be);
    p->delta = T(zero)();
}

CDZ_INLINE void T(page_turn)(const struct T(keys) * k, struct T(pages) * p, bool be) {
    if ((p->low & 0xff) == 0) p->delta = T(xor)(T(page_state)(k, p, be), p->origin);
}

/* States of the next batch after two rounds: made, and left in the table; or taken from there. */
CDZ_INLINE void T(page_make)(const struct T(keys) * k, struct T(pages) * p, T(vec) * x, bool be) {
    T(page_turn)(k, p, be);
    T(vec) c = T(ctr_at)(p->zero, p->low);
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++) {
        x[i] = T(xor)(T(first)(k), be ? T(reverse)(c) : c);
        c = T(add)(c, LANES);
    }
    T(enc_begin)(k, x, BATCH);
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++) T(store)(p->table + 16 * (p->low & 0xff) + VB * (size_t)i, T(xor)(x[i], p->delta));
    p->low += T(PAGE_BLOCKS);
}

CDZ_INLINE void T(page_take)(const struct T(keys) * k, struct T(pages) * p, T(vec) * x, bool be) {
    T(page_turn)(k, p, be);
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++) x[i] = T(xor)(p->delta, T(load)(p->table + 16 * (p->low & 0xff) + VB * (size_t)i));
    p->low += T(PAGE_BLOCKS);
}

CDZ_INLINE void T(page_out)(const struct T(keys) * k, T(vec) * x, const uint8_t *in, uint8_t *out) {
    T(enc_go_on)(k, x, BATCH);
    CDZ_UNROLL
    for (int i = 0; i < BATCH; i++)
        T(store)(out + VB * (size_t)i, T(enc_last_xor)(k, x[i], T(load)(in + VB * (size_t)i)));
}

/* len >= CTR_LONG; table has PAGE_TABLE bytes, aligned as a vector, and is the caller's to wipe. */
CDZ_INLINE void T(ctr_pages)(const struct T(keys) * k, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                             size_t message, uint8_t *table, bool be) {
    T(vec) x[BATCH];
    struct T(pages) p = {.table = table, .low = T(ctr_low)(ctr, be)};
    p.zero = be ? T(reverse)(T(dup)(ctr)) : T(dup)(ctr);
    p.zero = T(add)(p.zero, -(int)p.low);
    /* up to a whole batch of the table */
    size_t len = 16 * (-p.low % T(PAGE_BLOCKS));
    const size_t lead = len;
    const uint8_t *const in0 = in;
    uint8_t *const out0 = out;
    T(vec) c = T(ctr_at)(p.zero, p.low);
#define STEP(n, last) T(ctr_step)(k, &c, in, out, n, last, be)
    SWEEP(STEP, BATCH, true, false);
    in = in0 + lead, out = out0 + lead, message -= lead;
    p.low += (unsigned)(lead / 16);
    T(pages_start)(k, &p, be);
    for (size_t i = 0; i < 256; i += T(PAGE_BLOCKS), in += BATCH * VB, out += BATCH * VB, message -= BATCH * VB) {
        T(page_make)(k, &p, x, be);
        T(page_out)(k, x, in, out);
    }
    for (; message >= BATCH * VB; in += BATCH * VB, out += BATCH * VB, message -= BATCH * VB) {
        T(page_take)(k, &p, x, be);
        T(page_out)(k, x, in, out);
    }
    len = message;
    c = T(ctr_at)(p.zero, p.low);
    SWEEP(STEP, BATCH, true, true);
#undef STEP
}

static CDZ_KERNEL void T(ctr_long)(const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len,
                                   uint8_t *table) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(ctr_pages)(&k, ctr, in, out, len, table, true);
}

static CDZ_KERNEL void T(ctr32le_long)(const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                                       size_t len, uint8_t *table) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(ctr_pages)(&k, ctr, in, out, len, table, false);
}

/* ---- XTS ------------------------------------------------------------------------------------------------------ */

/* The tweaks of the next four vectors are kept. T(xts_start)(t, tweak, len) makes those that a message of len bytes
 * needs, and of the block after it; T(xts_next)(t) multiplies all by x^(4 LANES). T(lane)(v, i) is lane i. */
CDZ_INLINE void T(xts_step)(const struct T(keys) * k, const T(vec) * t, const uint8_t *in, uint8_t *out, int n,
                            size_t last, bool dec) {
    T(vec) x[4];
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(xor3)(T(first)(k), t[i], LOAD(in, i));
    if (dec)
        T(dec_rounds)(k, x, n);
    else
        T(enc_rounds)(k, x, n);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) STORE(out, i, dec ? T(dec_last_xor)(k, x[i], t[i]) : T(enc_last_xor)(k, x[i], t[i]));
}

CDZ_INLINE void T(xts)(const struct T(keys) * k, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks,
                       bool dec) {
    size_t len = 16 * blocks;
    T(vec) t[4];
    T(xts_start)(t, tweak, len);
    for (; len >= 4 * VB; len -= 4 * VB, in += 4 * VB, out += 4 * VB) {
        T(xts_step)(k, t, in, out, 4, VB, dec);
        T(xts_next)(t);
    }
    if (len >= 2 * VB) {
        T(xts_step)(k, t, in, out, 2, VB, dec);
        t[0] = t[2], t[1] = t[3];
        len -= 2 * VB, in += 2 * VB, out += 2 * VB;
    }
    if (len >= VB) {
        T(xts_step)(k, t, in, out, 1, VB, dec);
        t[0] = t[1];
        len -= VB, in += VB, out += VB;
    }
    if (LANES > 1 && len) T(xts_step)(k, t, in, out, 1, len, dec);
    x_store(tweak, T(lane)(t[0], len / 16));
}

static CDZ_KERNEL void T(xts_encrypt)(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out,
                                      size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    T(xts)(&k, tweak, in, out, blocks, false);
}

static CDZ_KERNEL void T(xts_decrypt)(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out,
                                      size_t blocks) {
    const struct T(keys) k = T(dec_keys)(ks);
    T(xts)(&k, tweak, in, out, blocks, true);
}

/* ---- OCB ------------------------------------------------------------------------------------------------------ */

/*
 * RFC 7253: offset_i = offset_(i-1) ^ L_ntz(i). A vector takes LANES blocks of which the last one's number is a
 * multiple of LANES, so that the other lanes' L are always the same: T(ocb_prepare)(l) keeps them. T(ocb_offset)(p, &s,
 * ln) makes the vector's offsets; s holds the offset before it in every lane, and is moved on; ln is L_ntz of the last
 * lane's number.
 * T(first_lanes)(v, n) zeroes all lanes but the first n.
 *
 * The checksum is that of the plaintext; hashing associated data is encryption whose output is added up.
 */
enum T(ocb_way) { T(OCB_ENCRYPT), T(OCB_DECRYPT), T(OCB_AAD) };

CDZ_INLINE void T(ocb_step)(const struct T(keys) * k, const struct T(ocb_l) * p, T(vec) * s, T(vec) * sum,
                            x_vec *offset, const uint8_t (*l)[16], uint64_t index, const uint8_t *in, uint8_t *out,
                            int n, size_t last, enum T(ocb_way) way) {
    T(vec) x[4], o[4];
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        const uint64_t number = index + (uint64_t)(LANES * i + LANES - 1);
        o[i] = T(ocb_offset)(p, s, l[__builtin_ctzll(number) & 31]);
    }
    if (last != VB) *offset = T(lane)(o[n - 1], last / 16 - 1);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        const T(vec) m = LOAD(in, i);
        if (way == T(OCB_ENCRYPT)) *sum = T(xor)(*sum, m);
        x[i] = T(xor3)(T(first)(k), o[i], m);
    }
    if (way == T(OCB_DECRYPT))
        T(dec_rounds)(k, x, n);
    else
        T(enc_rounds)(k, x, n);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) {
        T(vec) y;
        if (way == T(OCB_AAD))
            y = T(enc_last)(k, x[i]);
        else
            y = way == T(OCB_DECRYPT) ? T(dec_last_xor)(k, x[i], o[i]) : T(enc_last_xor)(k, x[i], o[i]);
        if (way != T(OCB_AAD)) STORE(out, i, y);
        if (way == T(OCB_ENCRYPT)) continue;
        if (i == n - 1 && last != VB) y = T(first_lanes)(y, last / 16);
        *sum = T(xor)(*sum, y);
    }
}

CDZ_INLINE void T(ocb)(const struct T(keys) * k, const struct x_keys *xk, const uint8_t (*l)[16], uint64_t index,
                       uint8_t offset[16], uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks,
                       enum T(ocb_way) way) {
    size_t len = 16 * blocks;
    x_vec o = x_load(offset), c = x_load(checksum);
    /* up to a number that a vector can begin with */
    for (; LANES > 1 && len && (index - 1) % LANES; len -= 16, index++, in += 16, out += way == T(OCB_AAD) ? 0 : 16) {
        const x_vec m = x_load(in);
        o = x_xor(o, x_load(l[__builtin_ctzll(index) & 31]));
        x_vec x = x_xor3(x_first(xk), o, m);
        if (way == T(OCB_DECRYPT)) {
            x_dec_rounds(xk, &x, 1);
            x = x_dec_last_xor(xk, x, o);
        } else {
            x_enc_rounds(xk, &x, 1);
            x = way == T(OCB_AAD) ? x_enc_last(xk, x) : x_enc_last_xor(xk, x, o);
        }
        c = x_xor(c, way == T(OCB_ENCRYPT) ? m : x);
        if (way != T(OCB_AAD)) x_store(out, x);
    }
    if (len) {
        const struct T(ocb_l) p = T(ocb_prepare)(l);
        T(vec) s = T(dup_x)(o), sum = T(zero)();
        const bool whole = len % VB == 0;
#define STEP(n, last)                                                                                                  \
    do {                                                                                                               \
        T(ocb_step)(k, &p, &s, &sum, &o, l, index, in, out, n, last, way);                                             \
        index += (uint64_t)((n)*LANES);                                                                                \
    } while (0)
        SWEEP(STEP, 4, way != T(OCB_AAD), false);
#undef STEP
        if (whole) o = T(lane0)(s);
        c = x_xor(c, T(fold)(sum));
    }
    x_store(offset, o);
    x_store(checksum, c);
}

static CDZ_KERNEL void T(ocb_encrypt)(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                                      uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    const struct x_keys xk = x_enc_keys(ks);
    T(ocb)(&k, &xk, l, index, offset, checksum, in, out, blocks, T(OCB_ENCRYPT));
}

static CDZ_KERNEL void T(ocb_decrypt)(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                                      uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct T(keys) k = T(dec_keys)(ks);
    const struct x_keys xk = x_dec_keys(ks);
    T(ocb)(&k, &xk, l, index, offset, checksum, in, out, blocks, T(OCB_DECRYPT));
}

static CDZ_KERNEL void T(ocb_aad)(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                                  uint8_t sum[16], const uint8_t *aad, size_t blocks) {
    const struct T(keys) k = T(enc_keys)(ks);
    const struct x_keys xk = x_enc_keys(ks);
    T(ocb)(&k, &xk, l, index, offset, sum, aad, sum, blocks, T(OCB_AAD)); /* nothing is written to `out` */
}

#ifdef HASH_BLOCKS
#include "aes_gcm.inc.h"
#endif

#undef VB
#undef LOAD
#undef STORE
#undef SWEEP
#undef SWEEP_ON
