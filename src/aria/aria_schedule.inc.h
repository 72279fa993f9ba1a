/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ARIA's key schedule (RFC 5794 section 2.2) for the vector engines: both directions, as many round keys at a time as
 * the vectors have lanes. Included once, with the widest vectors of the tier, after their rows and the 128-bit ones.
 *
 *     W1 = FO(W0, CK1) ^ KR, W2 = FE(W1, CK2) ^ W0, W3 = FO(W2, CK3) ^ W1      W0 | KR = the key and zeros
 *     ek(4 i + j) = W(j) ^ (W(j + 1) turned right by n(i))                     i = 0 to 4, j = 0 to 3, W4 = W0
 *     n = 19, 31, 128 - 61, 128 - 31, 128 - 19                                 (in the RFC's count ek starts at 1)
 *     dk(r) = ek(rounds - r), for 0 < r < rounds through the diffusion
 */

/* Section 2.2: the first 3 * 128 fractional bits of 1 / pi. The key's length says which of them comes first. */
static const uint8_t aria_ck[5][16] = {
    {0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0},
    {0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0},
    {0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e},
    {0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0},
    {0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0},
};
static const uint8_t aria_reverse[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};

/* Each byte of a block four times over. */
static const uint8_t aria_spread[64] = {0,  0,  0,  0,  1,  1,  1,  1,  2,  2,  2,  2,  3,  3,  3,  3,
                                        4,  4,  4,  4,  5,  5,  5,  5,  6,  6,  6,  6,  7,  7,  7,  7,
                                        8,  8,  8,  8,  9,  9,  9,  9,  10, 10, 10, 10, 11, 11, 11, 11,
                                        12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15};

CDZ_INLINE void aria_words(uint32_t word[16], const uint8_t row[16]) {
    const vec x = v_lanes(row);
    for (size_t i = 0; i < 64; i += VEC_BYTES) v_store((uint8_t *)word + i, v_shuffle8(x, v_load(aria_spread + i)));
}

/* Makes `count` round keys, at most as many as there are lanes, from r on. `rounds` is a constant here and below: so
 * that the compiler knows which keys are inner ones, and where each goes. (Arrays of its own would each get room on
 * gcc's stack, once for each call.) */
CDZ_INLINE void aria_put_keys(struct cdz_aria_keys *k, uint8_t room[3][VEC_BYTES], vec x, size_t r, size_t count,
                              size_t rounds) {
    uint8_t *const form = room[0], *const mixed = room[1], *const mixed_form = room[2];
    const vec y = VEC(row_mix)(x);
    v_store(k->enc.row[r], x);
    v_store(form, VEC(key_form)(x, r));
    v_store(mixed, y);
    v_store(mixed_form, VEC(key_form)(y, r));
    _Pragma("GCC unroll 4") for (size_t i = 0; i < count; i++, r++) {
        const bool inner = r > 0 && r < rounds;
        const size_t s = rounds - r;
        const uint8_t *const raw = k->enc.row[r], *enc, *dec;
        if (ARIA_KEYED) {
            enc = inner ? mixed_form : form;
            dec = form;
        } else {
            enc = form;
            dec = mixed_form;
        }
        aria_words(k->enc.word[r], r == 0 || (r == rounds && !ARIA_KEYED) ? raw : enc + 16 * i);
        aria_words(k->dec.word[s], s == 0 || (s == rounds && !ARIA_KEYED) ? raw : dec + 16 * i);
        memcpy(k->dec.row[s], inner ? mixed + 16 * i : raw, 16);
    }
}

/* w: W0 to W3 as little-endian numbers. */
CDZ_INLINE void aria_all_keys(struct cdz_aria_keys *k, const __m128i w[4], size_t rounds) {
    uint8_t room[3][VEC_BYTES];
    const vec reverse = v_lanes(aria_reverse);
#define PUT(i, j, n)                                                                                                   \
    if (j % VEC_LANES == 0 && 4 * i + j < rounds + 1) {                                                                \
        const vec x = v_of_lanes(w, j + 1), y = v_swap64(x);                                                           \
        const vec t = v_or(v_srl64(n < 64 ? x : y, n % 64), v_sll64(n < 64 ? y : x, 64 - n % 64));                     \
        aria_put_keys(k, room, v_shuffle8(v_xor(v_of_lanes(w, j), t), reverse), 4 * i + j,                             \
                      rounds + 1 - 4 * i - j < VEC_LANES ? rounds + 1 - 4 * i - j : VEC_LANES, rounds);                \
    }
#define KEYS(i, n) PUT(i, 0, n) PUT(i, 1, n) PUT(i, 2, n) PUT(i, 3, n)
    KEYS(0, 19)
    KEYS(1, 31)
    KEYS(2, 67)
    KEYS(3, 97)
    KEYS(4, 109)
#undef KEYS
#undef PUT
}

/* One function each: gcc takes out of the three what they have in common, more than there are registers. */
#define ALL_KEYS(rounds)                                                                                               \
    static CDZ_KERNEL void aria_keys_##rounds(struct cdz_aria_keys *k, const __m128i w[4]) {                           \
        aria_all_keys(k, w, rounds);                                                                                   \
    }
ALL_KEYS(12)
ALL_KEYS(14)
ALL_KEYS(16)
#undef ALL_KEYS

static CDZ_KERNEL void aria_set_key(struct cdz_aria_keys *k, const uint8_t *key, size_t key_len) {
    __m128i w[4];
    const size_t which = (key_len - 16) / 8;
    k->rounds = (uint32_t)(12 + 2 * which);
    w[0] = _mm_loadu_si128((const __m128i *)key);
    __m128i kr = _mm_setzero_si128();
    if (key_len == 32) kr = _mm_loadu_si128((const __m128i *)(key + 16));
    if (key_len == 24) kr = _mm_loadl_epi64((const __m128i *)(key + 16));
#define CK(n)     _mm_loadu_si128((const __m128i *)aria_ck[which + n])
#define XOR(x, y) _mm_xor_si128(x, y)
    w[1] = row_round_128(XOR(w[0], CK(0)), kr, 0, aria_terms);
    w[2] = row_round_128(XOR(w[1], CK(1)), w[0], 1, aria_terms);
    w[3] = row_round_128(XOR(w[2], CK(2)), w[1], 0, aria_terms);
#undef CK
#undef XOR
#define REVERSE(x) x = _mm_shuffle_epi8(x, _mm_loadu_si128((const __m128i *)aria_reverse))
    REVERSE(w[0]);
    REVERSE(w[1]);
    REVERSE(w[2]);
    REVERSE(w[3]);
#undef REVERSE
    if (which == 0)
        aria_keys_12(k, w);
    else if (which == 1)
        aria_keys_14(k, w);
    else
        aria_keys_16(k, w);
    cdz_wipe(w, sizeof w);
}
