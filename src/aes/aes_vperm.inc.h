/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES by vector permutation: for CPUs that can look up 16 bytes at once in a table of 16 bytes that is itself in a
 * register. No table in memory is indexed by a secret. The idea of nested inversion by permutes, with infinity as a
 * value, is Mike Hamburg's ("Accelerating AES with vector permute instructions", CHES 2009); the tower of fields, the
 * formulas and all tables are derived in aes_vperm_tables.h.
 *
 * Written once for every CPU and width over these words; includers define T(word):
 *
 *   vec                vector of one or more 16-byte lanes, one block in each; need not have a size (RVV)
 *   load, store        LANES blocks at any address
 *   dup(p)             the 16 bytes at p in every lane
 *   xor, xor3          of two, of three
 *   lookup(t, i)       byte n of a lane is t[i[n]] of the same lane, and 0 where i[n] >= 0x80. No i is from 16 to 127.
 *                      (PSHUFB, TBL; a vrgather of 16-byte vectors)
 *   low(x), high(x)    the low, the high nibble of every byte, as a byte of 0 to 15
 *
 * A state between rounds is in the basis of its direction, and its bytes lie in the order in which ShiftRows has still
 * to be done, as often as there were rounds: columns are then turned by orders that change from round to round with a
 * period of four, and no round shuffles for ShiftRows alone. What the caller does to run rounds r = 1 ... rounds - 1
 * and the last one:
 *
 *   x = T(vp_enc_in)(block ^ enc[0])
 *   x = T(vp_enc_round)(x, enc[r], rot1[r & 3], rot3[r & 3])
 *   block = T(vp_enc_last)(x, sr[rounds & 3]) ^ enc[rounds]
 *
 *   x = T(vp_dec_in)(block ^ dec[0])
 *   x = T(vp_dec_round)(x, dec[r], rot1[-r & 3])
 *   block = T(vp_dec_last)(x, sr[-rounds & 3]) ^ dec[rounds]
 *
 * (The number of rounds is even, so that the last order is sr[0] or sr[2] both ways.) Several vectors at once: call the
 * round for one after the other. Keys are made by T(vp_set_key), where a vector has one lane.
 *
 * At the end, and unless VPERM_SIZELESS is 1, the words of a core for aes_parallel.inc.h and aes_serial.inc.h.
 */
#define VP_TABLE(name) T(dup)(cdz_aes_vperm_tables.name)

/* A function of a byte, linear, by tables for its nibbles. */
#define VP_MAP(x, name) T (xor)(T(lookup)(VP_TABLE(name[0]), T(low)(x)), T(lookup)(VP_TABLE(name[1]), T(high)(x)))
/* A linear function of the inverse that io and jo stand for. */
#define VP_OUT(name) T (xor)(T(lookup)(VP_TABLE(name[0]), io), T(lookup)(VP_TABLE(name[1]), jo))

/* Declares io and jo, which stand for the inverse of the tower's x. Here and in the rounds the order of the statements
 * is the one that suits a core that issues in order: what does not depend on each other side by side. */
#define VP_INVERT(x)                                                                                                   \
    const T(vec) vp_i = T(high)(x), vp_k = T(low)(x);                                                                  \
    const T(vec) vp_inv = VP_TABLE(inv);                                                                               \
    const T(vec) vp_ri = T(lookup)(vp_inv, vp_i);                                                                      \
    const T(vec) vp_j = T(xor)(vp_i, vp_k);                                                                            \
    const T(vec) vp_ak = T(lookup)(VP_TABLE(a_inv), vp_k);                                                             \
    const T(vec) vp_rj = T(lookup)(vp_inv, vp_j);                                                                      \
    const T(vec) vp_iak = T(xor)(vp_ri, vp_ak), vp_jak = T(xor)(vp_rj, vp_ak);                                         \
    const T(vec) vp_riak = T(lookup)(vp_inv, vp_iak), vp_rjak = T(lookup)(vp_inv, vp_jak);                             \
    const T(vec) io = T(xor)(vp_riak, vp_j), jo = T(xor)(vp_rjak, vp_i)

CDZ_INLINE T(vec) T(vp_enc_in)(T(vec) x) { return VP_MAP(x, enc_in); }
CDZ_INLINE T(vec) T(vp_dec_in)(T(vec) x) { return VP_MAP(x, dec_in); }

/* MixColumns: 2 s_r + 3 s_(r+1) + s_(r+2) + s_(r+3). With t_r = 2 s_r + s_(r+1) that is t_r + t_(r+1) + s_(r+3). */
CDZ_INLINE T(vec) T(vp_enc_round)(T(vec) x, T(vec) key, T(vec) rot1, T(vec) rot3) {
    VP_INVERT(x);
    const T(vec) s_io = T(lookup)(VP_TABLE(enc_1[0]), io), s_jo = T(lookup)(VP_TABLE(enc_1[1]), jo);
    const T(vec) t_io = T(lookup)(VP_TABLE(enc_2[0]), io), t_jo = T(lookup)(VP_TABLE(enc_2[1]), jo);
    const T(vec) s = T(xor)(s_io, s_jo), double_s = T(xor)(t_io, t_jo);
    const T(vec) next = T(lookup)(s, rot1), before = T(lookup)(s, rot3);
    const T(vec) t = T(xor)(double_s, next);
    return T(xor3)(T(lookup)(t, rot1), t, T(xor)(key, before));
}

CDZ_INLINE T(vec) T(vp_enc_last)(T(vec) x, T(vec) sr) {
    VP_INVERT(x);
    return T(lookup)(VP_OUT(enc_out), sr);
}

/* InvMixColumns: 14 s_r + 11 s_(r+1) + 13 s_(r+2) + 9 s_(r+3), by Horner's rule. */
CDZ_INLINE T(vec) T(vp_dec_round)(T(vec) x, T(vec) key, T(vec) rot1) {
    VP_INVERT(x);
    T(vec) t = VP_OUT(dec_9);
    t = T(xor)(T(lookup)(t, rot1), VP_OUT(dec_d));
    t = T(xor)(T(lookup)(t, rot1), VP_OUT(dec_b));
    return T(xor3)(T(lookup)(t, rot1), VP_OUT(dec_e), key);
}

CDZ_INLINE T(vec) T(vp_dec_last)(T(vec) x, T(vec) sr) {
    VP_INVERT(x);
    return T(lookup)(VP_OUT(dec_out), sr);
}

/* ---- keys, where a vector has one lane ------------------------------------------------------------------------ */

#if LANES == 1

/* The S-box without its constant, of 16 bytes. */
CDZ_INLINE T(vec) T(vp_sub)(T(vec) x) {
    const T(vec) y = T(vp_enc_in)(x);
    VP_INVERT(y);
    return VP_OUT(enc_out);
}

/* Orders of bytes for the key schedule, 0x80 for a zero byte. */
static const uint8_t vp_up4[16] = {0x80, 0x80, 0x80, 0x80, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t vp_up8[16] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 1, 2, 3, 4, 5, 6, 7};
static const uint8_t vp_word3[16] = {12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15};
static const uint8_t vp_word3_rot[16] = {13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12};
static const uint8_t vp_word1_rot[16] = {5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4};
static const uint8_t vp_all63[16] = {0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63,
                                     0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63};

/* Words w0, w0 + w1, w0 + w1 + w2, w0 + ... + w3, and to all of them S(words of t in the order) + the round constant.
 */
CDZ_INLINE T(vec) T(vp_key_step)(T(vec) w, T(vec) t, const uint8_t *order, unsigned rcon) {
    uint8_t constant[16] = {0};
    for (int i = 0; i < 16; i += 4) constant[i] = (uint8_t)rcon;
    const T(vec) s = T(xor3)(T(vp_sub)(T(lookup)(t, T(dup)(order))), T(dup)(constant), T(dup)(vp_all63));
    w = T(xor)(w, T(lookup)(w, T(dup)(vp_up4)));
    w = T(xor)(w, T(lookup)(w, T(dup)(vp_up8)));
    return T(xor)(w, s);
}

/* FIPS 197, 5.2: round keys one behind the other, at most 240 bytes; up to 16 more are written to. */
static void T(vp_expand)(uint8_t rk[256], const uint8_t *key, size_t key_len) {
    unsigned rcon = 1;
    T(vec) a = T(dup)(key);
    T(store)(rk, a);
    if (key_len == 16) {
        for (int i = 1; i <= 10; i++, rcon = rcon << 1 ^ (rcon >> 7) * 0x11b) {
            a = T(vp_key_step)(a, a, vp_word3_rot, rcon);
            T(store)(rk + 16 * i, a);
        }
    } else if (key_len == 24) {
        uint8_t half[16] = {0};
        memcpy(half, key + 16, 8);
        T(vec) b = T(dup)(half);
        for (int i = 0; i < 8;
             i++, rcon <<= 1) { /* six words a step, of which the next one writes over what is too much */
            T(store)(rk + 24 * i + 16, b);
            a = T(vp_key_step)(a, b, vp_word1_rot, rcon);
            T(store)(rk + 24 * (i + 1), a);
            b = T(xor)(b, T(lookup)(b, T(dup)(vp_up4)));
            b = T(xor)(b, T(lookup)(a, T(dup)(vp_word3)));
        }
        cdz_wipe(half, sizeof half);
    } else {
        T(vec) b = T(dup)(key + 16);
        T(store)(rk + 16, b);
        for (int i = 2;; i += 2, rcon <<= 1) {
            a = T(vp_key_step)(a, b, vp_word3_rot, rcon);
            T(store)(rk + 16 * i, a);
            if (i == 14) break;
            b = T(vp_key_step)(b, a, vp_word3, 0);
            T(store)(rk + 16 * i + 16, b);
        }
    }
}

/* All round keys into the bases and orders of their rounds. The S-box's constant 0x63, which is the same after
 * MixColumns, is added to the round key behind it; in decryption, to the one before the S-box. */
static CDZ_KERNEL void T(vp_set_key)(void *ks, const uint8_t *key, size_t key_len) {
    struct aes_vperm_schedule *const s = ks;
    uint8_t rk[256];
    T(vp_expand)(rk, key, key_len);
    const unsigned rounds = (unsigned)key_len / 4 + 6;
    s->rounds = rounds;
    const T(vec) c = T(dup)(vp_all63);
    const T(vec) dec_c = VP_MAP(c, dec_in), rot1 = VP_TABLE(rot1[0]);
    for (unsigned r = 0; r <= rounds; r++) {
        const T(vec) k = T(dup)(rk + 16 * r);
        const unsigned d = rounds - r;
        if (r == 0) {
            T(store)(s->enc[r], k);
            T(store)(s->dec[d], k);
        } else if (r == rounds) {
            T(store)(s->enc[r], T(xor)(k, c));
            T(store)(s->dec[d], T(xor)(k, c));
        } else {
            const T(vec) kc = T(xor)(k, c);
            T(store)(s->enc[r], T(lookup)(VP_MAP(kc, enc_in), VP_TABLE(sr[-r & 3])));
            T(vec) t = VP_MAP(k, key_9);
            t = T(xor)(T(lookup)(t, rot1), VP_MAP(k, key_d));
            t = T(xor)(T(lookup)(t, rot1), VP_MAP(k, key_b));
            t = T(xor3)(T(lookup)(t, rot1), VP_MAP(k, key_e), dec_c);
            T(store)(s->dec[d], T(lookup)(t, VP_TABLE(sr[d & 3])));
        }
    }
    cdz_wipe(rk, sizeof rk);
}

#endif

/* ---- as a core of the modes ----------------------------------------------------------------------------------- */

#if !VPERM_SIZELESS

struct T(keys) {
    const uint8_t (*k)[16];
    unsigned rounds;
};
CDZ_INLINE struct T(keys) T(enc_keys)(const struct aes_vperm_schedule *s) {
    return (struct T(keys)){s->enc, s->rounds};
}
CDZ_INLINE struct T(keys) T(dec_keys)(const struct aes_vperm_schedule *s) {
    return (struct T(keys)){s->dec, s->rounds};
}
CDZ_INLINE T(vec) T(first)(const struct T(keys) * k) { return T(dup)(k->k[0]); }
CDZ_INLINE void T(vp_enc_rounds)(const struct T(keys) * k, T(vec) * x, int n, unsigned from, unsigned to) {
    for (unsigned r = from; r < to; r++) {
        const T(vec) key = T(dup)(k->k[r]), rot1 = VP_TABLE(rot1[r & 3]), rot3 = VP_TABLE(rot3[r & 3]);
        CDZ_UNROLL
        for (int i = 0; i < n; i++) x[i] = T(vp_enc_round)(x[i], key, rot1, rot3);
    }
}
CDZ_INLINE void T(enc_rounds)(const struct T(keys) * k, T(vec) * x, int n) {
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(vp_enc_in)(x[i]);
    T(vp_enc_rounds)(k, x, n, 1, k->rounds);
}
CDZ_INLINE void T(enc_begin)(const struct T(keys) * k, T(vec) * x, int n) {
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(vp_enc_in)(x[i]);
    T(vp_enc_rounds)(k, x, n, 1, 3);
}
CDZ_INLINE void T(enc_go_on)(const struct T(keys) * k, T(vec) * x, int n) { T(vp_enc_rounds)(k, x, n, 3, k->rounds); }
CDZ_INLINE void T(dec_rounds)(const struct T(keys) * k, T(vec) * x, int n) {
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(vp_dec_in)(x[i]);
    for (unsigned r = 1; r < k->rounds; r++) {
        const T(vec) key = T(dup)(k->k[r]), rot1 = VP_TABLE(rot1[-r & 3]);
        CDZ_UNROLL
        for (int i = 0; i < n; i++) x[i] = T(vp_dec_round)(x[i], key, rot1);
    }
}
CDZ_INLINE T(vec) T(enc_last)(const struct T(keys) * k, T(vec) x) {
    return T(xor)(T(vp_enc_last)(x, VP_TABLE(sr[k->rounds & 3])), T(dup)(k->k[k->rounds]));
}
CDZ_INLINE T(vec) T(dec_last)(const struct T(keys) * k, T(vec) x) {
    return T(xor)(T(vp_dec_last)(x, VP_TABLE(sr[-k->rounds & 3])), T(dup)(k->k[k->rounds]));
}
CDZ_INLINE T(vec) T(enc_last_xor)(const struct T(keys) * k, T(vec) x, T(vec) post) {
    return T(xor)(post, T(enc_last)(k, x));
}
CDZ_INLINE T(vec) T(dec_last_xor)(const struct T(keys) * k, T(vec) x, T(vec) post) {
    return T(xor)(post, T(dec_last)(k, x));
}

#endif

#undef VP_TABLE
#undef VP_MAP
#undef VP_OUT
#undef VP_INVERT
