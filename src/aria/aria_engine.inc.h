/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine contract for ARIA's byte-sliced kernels: included last, where the kernels of all widths of a tier are
 * there.
 */
CDZ_INLINE const struct cdz_aria_keys *keys_of(const void *ks) { return (const struct cdz_aria_keys *)ks; }

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    aria_set_key((struct cdz_aria_keys *)ks, key, key_len);
    cdz_leave_nothing(1024);
}

static CDZ_KERNEL void crypt_kernel(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out,
                                    size_t blocks) {
    const size_t batch = VEC_BYTES, whole = blocks / batch, rest = blocks % batch;
    VEC(blocks)(way, rounds, in, out, whole);
    if (rest) {
        uint8_t part[16 * VEC_BYTES];
        memcpy(part, in + 16 * batch * whole, 16 * rest);
        VEC(blocks)(way, rounds, part, part, 1);
        memcpy(out + 16 * batch * whole, part, 16 * rest);
        cdz_wipe(part, sizeof part);
    }
}

static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    crypt_kernel(&k->enc, k->rounds, in, out, blocks);
    cdz_leave_nothing(4096);
}

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    crypt_kernel(&k->dec, k->rounds, in, out, blocks);
    cdz_leave_nothing(4096);
}

/* What is constant in a call (aria_sliced.inc.h). */
CDZ_INLINE void counter_set(struct cdz_aria_counter *c, const struct cdz_aria_keys *k, const uint8_t ctr[16], bool le) {
    static const uint8_t fixed[2][2][16] = {
        /* the bytes that do not change, and what only they reach */
        {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0}},
        {{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}},
    };
    uint8_t row[16];
    const size_t low = le ? 0 : 15, high = le ? 1 : 14;
#define BLOCK(p)   _mm_loadu_si128((const __m128i *)(p))
#define ONLY(x, n) _mm_and_si128(x, _mm_cmpgt_epi8(BLOCK(fixed[le][n]), _mm_setzero_si128()))
    __m128i x = _mm_xor_si128(BLOCK(ctr), BLOCK(k->enc.row[0]));
    x = _mm_xor_si128(row_mix_128(ONLY(row_sub(x, 0), 0)), BLOCK(k->enc.row[1]));
    _mm_storeu_si128((__m128i *)row, enter_128(x));
    aria_words(c->word1, row);
    x = ONLY(row_sub(x, 2), 1);
    if (ARIA_KEYED) {
        const __m128i key = row_mix_128(BLOCK(k->enc.row[2])), form = key_form_128(key, 2);
        x = _mm_xor_si128(_mm_xor_si128(x, form), ONLY(_mm_xor_si128(key, form), 1));
    } else {
        x = key_form_128(_mm_xor_si128(row_mix_128(x), BLOCK(k->enc.row[2])), 2);
    }
    _mm_storeu_si128((__m128i *)row, x);
    aria_words(c->word2, row);
#undef BLOCK
#undef ONLY
    c->key[0] = k->enc.word[0][low];
    c->key[1] = k->enc.word[0][high];
    c->at = (unsigned)ctr[high] << 8 | ctr[low];
}

CDZ_INLINE void ctr_inner(const struct cdz_aria_keys *k, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                          size_t len, bool le) {
    const size_t batch = 16 * VEC_BYTES, whole = len / batch, rest = len % batch;
    struct cdz_aria_counter c;
    counter_set(&c, k, ctr, le);
    VEC(counter)(&k->enc, k->rounds, &c, in, out, whole, le);
    if (rest) {
        uint8_t part[16 * VEC_BYTES];
        memcpy(part, in + batch * whole, rest);
        VEC(counter)(&k->enc, k->rounds, &c, part, part, 1, le);
        memcpy(out + batch * whole, part, rest);
        cdz_wipe(part, sizeof part);
    }
    cdz_wipe(&c, sizeof c);
}

static CDZ_KERNEL void ctr_kernel(const struct cdz_aria_keys *k, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                                  size_t len) {
    ctr_inner(k, ctr, in, out, len, false);
}

static CDZ_KERNEL void ctr32le_kernel(const struct cdz_aria_keys *k, const uint8_t ctr[16], const uint8_t *in,
                                      uint8_t *out, size_t len) {
    ctr_inner(k, ctr, in, out, len, true);
}

static void ctr(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr_kernel(keys_of(ks), c, in, out, len);
    cdz_leave_nothing(4096);
}

static void ctr32le(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    ctr32le_kernel(keys_of(ks), c, in, out, len);
    cdz_leave_nothing(4096);
}

#define ARIA_NEEDS(word) (UINT64_C(1) << CDZ_CPU_BIT_##word)
#define ARIA_FUNCTIONS                                                                                                 \
    .cipher = CDZ_ARIA, .key_size = (sizeof(struct cdz_aria_keys) + 63) / 64 * 64, .set_key = set_key,                 \
    .encrypt = encrypt, .decrypt = decrypt, .ctr = ctr, .ctr32le = ctr32le
