/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The AES core of CPUs whose vectors have AES rounds. Includers define T(word), the vocabulary of src/x86/v128.h, and
 *
 *   T(aesenc), T(aesenclast), T(aesdec), T(aesdeclast)   one round of every lane (the equivalent inverse cipher)
 *   KEYS_IN_REGISTERS                                    1 where there are registers for 11 round keys and the rest
 *
 * What a core gives to the modes (aes_parallel.inc.h, aes_serial.inc.h):
 *
 *   struct T(keys), T(enc_keys), T(dec_keys)   one direction's round keys, ready for use
 *   T(first)                                   the key that is added before the first round: the caller adds it,
 * because it can often be merged with something else T(enc_rounds), T(dec_rounds)               all rounds but the
 * last, of n vectors (n is a constant) T(enc_last), T(dec_last)                   the last round T(enc_last_xor),
 * T(dec_last_xor)           the last round, and its result added to `post`. (a round's end adds the round key, and that
 * can have been added to `post` before: so it is free)
 *
 * Round keys lie in memory with the last one always in the same place, whatever the key's length:
 *
 *   index        0   1 ... 9   10  11   12  13   14
 *   AES-128      k0  k1 ... k9                   k10
 *   AES-192      k0  k1 ... k9 k10 k11           k12
 *   AES-256      k0  k1 ... k9 k10 k11  k12 k13  k14
 */
struct T(keys) {
    const uint8_t (*memory)[16];
#if KEYS_IN_REGISTERS
    T(vec) k[11]; /* 0 to 9, and the last; the four that only longer keys have are loaded when their turn comes */
#endif
    unsigned rounds;
};

CDZ_INLINE struct T(keys) T(keys_at)(const uint8_t (*rk)[16], unsigned rounds) {
    struct T(keys) k = {.memory = rk, .rounds = rounds};
#if KEYS_IN_REGISTERS
    CDZ_UNROLL
    for (int i = 0; i < 10; i++) k.k[i] = T(dup)(rk[i]);
    k.k[10] = T(dup)(rk[AES_LAST]);
#endif
    return k;
}

CDZ_INLINE T(vec) T(key)(const struct T(keys) * k, int i) {
#if KEYS_IN_REGISTERS
    if (i < 10 || i == AES_LAST) return k->k[i < 10 ? i : 10];
#endif
    return T(dup)(k->memory[i]);
}

CDZ_INLINE struct T(keys) T(enc_keys)(const struct aes_schedule *s) { return T(keys_at)(s->enc, s->rounds); }
CDZ_INLINE struct T(keys) T(dec_keys)(const struct aes_schedule *s) { return T(keys_at)(s->dec, s->rounds); }
CDZ_INLINE T(vec) T(first)(const struct T(keys) * k) { return T(key)(k, 0); }

CDZ_INLINE void T(enc_round)(const struct T(keys) * k, T(vec) * x, int n, int r) {
    const T(vec) rk = T(key)(k, r);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(aesenc)(x[i], rk);
}
CDZ_INLINE void T(dec_round)(const struct T(keys) * k, T(vec) * x, int n, int r) {
    const T(vec) rk = T(key)(k, r);
    CDZ_UNROLL
    for (int i = 0; i < n; i++) x[i] = T(aesdec)(x[i], rk);
}
/* Rounds 1 and 2; those from 3 on, of which the first seven are the same for all keys. */
CDZ_INLINE void T(enc_begin)(const struct T(keys) * k, T(vec) * x, int n) {
    T(enc_round)(k, x, n, 1);
    T(enc_round)(k, x, n, 2);
}
CDZ_INLINE void T(enc_rounds_more)(const struct T(keys) * k, T(vec) * x, int n) {
    if (k->rounds > 10) {
        T(enc_round)(k, x, n, 10);
        T(enc_round)(k, x, n, 11);
        if (k->rounds > 12) {
            T(enc_round)(k, x, n, 12);
            T(enc_round)(k, x, n, 13);
        }
    }
}
CDZ_INLINE void T(enc_go_on)(const struct T(keys) * k, T(vec) * x, int n) {
    CDZ_UNROLL
    for (int r = 3; r < 10; r++) T(enc_round)(k, x, n, r);
    T(enc_rounds_more)(k, x, n);
}
CDZ_INLINE void T(enc_rounds)(const struct T(keys) * k, T(vec) * x, int n) {
    T(enc_begin)(k, x, n);
    T(enc_go_on)(k, x, n);
}
CDZ_INLINE void T(dec_rounds)(const struct T(keys) * k, T(vec) * x, int n) {
    CDZ_UNROLL
    for (int r = 1; r < 10; r++) T(dec_round)(k, x, n, r);
    if (k->rounds > 10) {
        T(dec_round)(k, x, n, 10);
        T(dec_round)(k, x, n, 11);
        if (k->rounds > 12) {
            T(dec_round)(k, x, n, 12);
            T(dec_round)(k, x, n, 13);
        }
    }
}

CDZ_INLINE T(vec) T(enc_last)(const struct T(keys) * k, T(vec) x) { return T(aesenclast)(x, T(key)(k, AES_LAST)); }
CDZ_INLINE T(vec) T(dec_last)(const struct T(keys) * k, T(vec) x) { return T(aesdeclast)(x, T(key)(k, AES_LAST)); }
CDZ_INLINE T(vec) T(enc_last_xor)(const struct T(keys) * k, T(vec) x, T(vec) post) {
    return T(aesenclast)(x, T(xor)(T(key)(k, AES_LAST), post));
}
CDZ_INLINE T(vec) T(dec_last_xor)(const struct T(keys) * k, T(vec) x, T(vec) post) {
    return T(aesdeclast)(x, T(xor)(T(key)(k, AES_LAST), post));
}

#undef KEYS_IN_REGISTERS
