/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine contract for ARIA on vectors: included last, where the kernels of all widths of a tier are there.
 *
 *   FEW(name)     the functions of aria_few.inc.h, and FEW_MOST, up to how many blocks they are the fastest
 *   FEWER(name)   the same for FEWER_MOST blocks and less, where these have a width of their own; else not defined
 *   NARROW(name)  the byte-sliced kernel of half the width, for batches not half full; defined where there is one
 *   VEC(name)     the byte-sliced kernel
 *
 * The BURN_ constants are at least what gcc and clang, at -O2 and -O3, use for a kernel with all that it calls, and the
 * 128 bytes below the stack pointer: BURN_FEW for aria_few.inc.h and one block after the other, which the caller clears
 * (the engine's `stack`); these functions clear the others: BURN_SLICED for whole batches, BURN_PART for any batch;
 * BURN_MASKED and BURN_MASKED_PART likewise in XTS and OCB; BURN_RUN and BURN_RUN_MASKED where there were RUN_LEAST
 * batches and more; BURN_CHAINS for chains side by side.
 */
#if VEC_BITS == 512
#define MANY(batches, many, some)  ((batches) >= RUN_LEAST ? VEC(many) : VEC(some))
#define AFTER(batches, many, some) ((batches) >= RUN_LEAST ? many : (some))
#else
#define MANY(batches, many, some)  VEC(some)
#define AFTER(batches, many, some) (some)
#endif
enum {
    BATCH = VEC_BYTES, /* 16 positions by so many lanes, as many as a register has bytes */
    BURN_KEY = 768,
    BURN_CHAIN = BURN_FEW + 320
};

CDZ_INLINE const struct cdz_aria_keys *keys_of(const void *ks) { return (const struct cdz_aria_keys *)ks; }

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    aria_set_key((struct cdz_aria_keys *)ks, key, key_len);
}

CDZ_INLINE void few_rows(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out,
                         size_t blocks) {
#ifdef FEWER
    if (blocks <= FEWER_MOST) {
        FEWER(rows)(way, rounds, in, out, blocks);
        return;
    }
#endif
    FEW(rows)(way, rounds, in, out, blocks);
}

CDZ_INLINE void few_ctr(const struct cdz_aria_way *way, size_t rounds, const uint8_t ctr[16], const uint8_t *in,
                        uint8_t *out, size_t len, bool le) {
#ifdef FEWER
    if (len <= 16 * FEWER_MOST) {
        FEWER(rows_ctr)(way, rounds, ctr, in, out, len, le);
        return;
    }
#endif
    FEW(rows_ctr)(way, rounds, ctr, in, out, len, le);
}

/* ---- independent blocks -------------------------------------------------------------------------------------- */

CDZ_INLINE void crypt(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out, size_t blocks) {
    const size_t batches = blocks / BATCH, rest = blocks % BATCH;
    if (blocks <= FEW_MOST) {
        if (!blocks) return;
        few_rows(way, rounds, in, out, blocks);
        return;
    }
    if (batches) MANY(batches, run_ecb, blocks)(way, rounds, in, out, batches);
    in += 16 * BATCH * batches, out += 16 * BATCH * batches;
    if (!rest) {
    } else if (rest <= FEW_MOST) {
        few_rows(way, rounds, in, out, rest);
#ifdef NARROW
    } else if (rest <= BATCH / 2) {
        NARROW(blocks_part)(way, rounds, in, out, rest);
#endif
    } else {
        VEC(blocks_part)(way, rounds, in, out, rest);
    }
    cdz_leave_nothing(AFTER(batches, BURN_RUN, rest ? BURN_PART : BURN_SLICED));
}

static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    crypt(&k->enc, k->rounds, in, out, blocks);
}

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    crypt(&k->dec, k->rounds, in, out, blocks);
}

/* ---- counter mode --------------------------------------------------------------------------------------------- */

/* What is constant in a call (aria_sliced.inc.h). */
static CDZ_KERNEL void counter_set(struct cdz_aria_counter *c, const struct cdz_aria_keys *k, const uint8_t ctr[16],
                                   bool le) {
    static const uint8_t fixed[2][2][16] = {
        /* the bytes that do not change, and what only they reach */
        {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0}},
        {{0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}},
    };
    uint8_t row[16];
    const size_t low = le ? 0 : 15, high = le ? 1 : 14;
    const __m128i zero = _mm_setzero_si128();
#define BLOCK(p)   _mm_loadu_si128((const __m128i *)(p))
#define ONLY(x, n) _mm_and_si128(x, _mm_cmpgt_epi8(BLOCK(fixed[le][n]), zero))
    __m128i x = _mm_xor_si128(BLOCK(ctr), BLOCK(k->enc.row[0]));
    x = _mm_xor_si128(row_mix_128(ONLY(row_sub_128(x, zero, 0), 0)), BLOCK(k->enc.row[1]));
    _mm_storeu_si128((__m128i *)row, enter_128(x));
    aria_words(c->word1, row);
    x = ONLY(row_sub_128(x, zero, 1), 1);
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

CDZ_INLINE void count(const struct cdz_aria_keys *k, const uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len,
                      bool le) {
    const size_t whole = len / (16 * BATCH) * (16 * BATCH), rest = len - whole;
    struct cdz_aria_counter c;
    if (len <= 16 * FEW_MOST) {
        if (!len) return;
        few_ctr(&k->enc, k->rounds, ctr, in, out, len, le);
        return;
    }
    counter_set(&c, k, ctr, le);
    if (whole)
        (le ? MANY(whole / (16 * BATCH), run_counter_le, counter_le)
            : MANY(whole / (16 * BATCH), run_counter, counter))(&k->enc, k->rounds, &c, in, out, whole / (16 * BATCH));
    in += whole, out += whole;
    if (!rest) {
    } else if (rest <= 16 * FEW_MOST) {
        uint8_t block[16];
        memcpy(block, ctr, 16);
        block[le ? 0 : 15] = (uint8_t)c.at;
        block[le ? 1 : 14] = (uint8_t)(c.at >> 8);
        few_ctr(&k->enc, k->rounds, block, in, out, rest, le);
#ifdef NARROW
    } else if (rest <= 16 * BATCH / 2) {
        NARROW(counter_part)(&k->enc, k->rounds, &c, in, out, rest, le);
#endif
    } else {
        VEC(counter_part)(&k->enc, k->rounds, &c, in, out, rest, le);
    }
    cdz_leave_nothing(AFTER(whole / (16 * BATCH), BURN_RUN, rest ? BURN_PART : BURN_SLICED));
    cdz_wipe(&c, sizeof c);
}

static void ctr(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    count(keys_of(ks), c, in, out, len, false);
}

static void ctr32le(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    count(keys_of(ks), c, in, out, len, true);
}

#ifdef ARIA_GCM_HASH
/* ---- counter and hash together ---- */

static CDZ_KERNEL void hash_bytes(const void *hk, uint8_t y[16], const uint8_t *in, size_t len) {
    const size_t whole = len / 16, rest = len % 16;
    x_vec s = z_hash_blocks(hk, x_reverse(x_load(y)), in, whole, true);
    if (rest) s = z_hash_rest(hk, s, in + 16 * whole, rest, true);
    x_store(y, x_reverse(s));
}

/* One after the other. */
static CDZ_KERNEL void gcm_apart(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16],
                                 const uint8_t *in, uint8_t *out, size_t len, bool dec) {
    if (dec) hash_bytes(hk, y, in, len);
    count(keys_of(ks), ctr, in, out, len, false);
    if (!dec) hash_bytes(hk, y, out, len);
    __asm__ volatile("" ::: "memory"); /* no jump out of here */
}

CDZ_INLINE void gcm(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16], const uint8_t *in,
                    uint8_t *out, size_t len, bool dec) {
    const struct cdz_aria_keys *k = keys_of(ks);
    const size_t batches = len / (16 * BATCH), done = 16 * BATCH * batches;
    if (batches < RUN_LEAST) {
        gcm_apart(ks, hk, ctr, y, in, out, len, dec);
        cdz_leave_nothing(1024);
        return;
    }
    struct cdz_aria_counter c;
    uint8_t block[16];
    counter_set(&c, k, ctr, false);
    (dec ? VEC(run_gcm_decrypt) : VEC(run_gcm_encrypt))(&k->enc, k->rounds, &c, hk, y, in, out, batches);
    cdz_leave_nothing(BURN_GCM);
    if (len > done) {
        memcpy(block, ctr, 14);
        block[14] = (uint8_t)(c.at >> 8);
        block[15] = (uint8_t)c.at;
        gcm_apart(ks, hk, block, y, in + done, out + done, len - done, dec);
        cdz_leave_nothing(1024);
    }
    cdz_wipe(&c, sizeof c);
}

static void gcm_encrypt(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16], const uint8_t *in,
                        uint8_t *out, size_t len) {
    gcm(ks, hk, ctr, y, in, out, len, false);
}

static void gcm_decrypt(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16], const uint8_t *in,
                        uint8_t *out, size_t len) {
    gcm(ks, hk, ctr, y, in, out, len, true);
}
#endif

/* ---- chains --------------------------------------------------------------------------------------------------- */

static void cbc_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    if (!blocks) return;
    cbc_encrypt_kernel(&k->enc, k->rounds, iv, in, out, blocks);
}

static void cfb_encrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    if (!blocks) return;
    cfb_encrypt_kernel(&k->enc, k->rounds, iv, in, out, blocks);
}

static void ofb(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    if (!blocks) return;
    ofb_kernel(&k->enc, k->rounds, iv, in, out, blocks);
}

static void cbc_mac(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    if (!blocks) return;
    cbc_mac_kernel(&k->enc, k->rounds, x, in, blocks);
}

#if VEC_BITS == 512
/* Up to FEW_MOST, few_rows() is as fast. */
static void chains(const void *ks, enum cdz_chain_kind kind, uint8_t (*x)[16], const uint8_t *const *in,
                   uint8_t *const *out, size_t n, size_t steps) {
    const struct cdz_aria_keys *k = keys_of(ks);
    struct cdz_aria_chains c = {x, in, out, n, 16 * steps, 0};
    if (!steps) return;
    (kind == CDZ_CHAIN_CBC   ? VEC(chains_cbc)
     : kind == CDZ_CHAIN_CFB ? VEC(chains_cfb)
     : kind == CDZ_CHAIN_OFB ? VEC(chains_ofb)
                             : VEC(chains_mac))(&k->enc, k->rounds, &c);
    cdz_leave_nothing(BURN_CHAINS);
}
#endif

/* A few blocks of CBC or CFB decryption. */
static CDZ_KERNEL void chain_few(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in,
                                 uint8_t *out, size_t blocks, bool cfb) {
    uint8_t x[FEW_MOST][16], next[16];
    memcpy(next, in + 16 * blocks - 16, 16);
    if (cfb) {
        memcpy(x[0], iv, 16);
        if (blocks > 1) cdz_copy(x[1], in, 16 * (blocks - 1));
        few_rows(way, rounds, x[0], x[0], blocks);
        for (size_t i = 0; i < blocks; i++) cdz_xor16(out + 16 * i, in + 16 * i, x[i]);
    } else {
        few_rows(way, rounds, in, x[0], blocks);
        for (size_t i = blocks - 1; i; i--) cdz_xor16(out + 16 * i, x[i], in + 16 * i - 16);
        cdz_xor16(out, x[0], iv);
    }
    memcpy(iv, next, 16);
}

CDZ_INLINE void chain(const struct cdz_aria_way *way, size_t rounds, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                      size_t blocks, bool cfb) {
    const size_t batches = blocks / BATCH, rest = blocks % BATCH;
    if (blocks <= FEW_MOST) {
        if (!blocks) return;
        chain_few(way, rounds, iv, in, out, blocks, cfb);
        cdz_leave_nothing(BURN_CHAIN);
        return;
    }
    if (batches)
        (cfb ? MANY(batches, run_cfb, cfb_decrypt) : MANY(batches, run_cbc, cbc_decrypt))(way, rounds, iv, in, out,
                                                                                          batches);
    in += 16 * BATCH * batches, out += 16 * BATCH * batches;
    if (!rest) {
    } else if (rest <= FEW_MOST) {
        chain_few(way, rounds, iv, in, out, rest, cfb);
#ifdef NARROW
    } else if (rest <= BATCH / 2) {
        NARROW(chain_part)(way, rounds, iv, in, out, rest, cfb);
#endif
    } else {
        VEC(chain_part)(way, rounds, iv, in, out, rest, cfb);
    }
    cdz_leave_nothing(AFTER(batches, BURN_RUN, rest ? BURN_PART : BURN_SLICED));
}

static void cbc_decrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    chain(&k->dec, k->rounds, iv, in, out, blocks, false);
}

static void cfb_decrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    chain(&k->enc, k->rounds, iv, in, out, blocks, true);
}

/* ---- XTS and OCB ---------------------------------------------------------------------------------------------- */

/* A few blocks with their masks, in one place. */
CDZ_INLINE void masked_few(const struct cdz_aria_way *way, size_t rounds, const uint8_t mask[][16], const uint8_t *in,
                           uint8_t *out, size_t blocks) {
    for (size_t i = 0; i < blocks; i++) cdz_xor16(out + 16 * i, in + 16 * i, mask[i]);
    few_rows(way, rounds, out, out, blocks);
    for (size_t i = 0; i < blocks; i++) cdz_xor16(out + 16 * i, out + 16 * i, mask[i]);
}

static CDZ_KERNEL void xts_few(const struct cdz_aria_way *way, size_t rounds, uint8_t tweak[16], const uint8_t *in,
                               uint8_t *out, size_t blocks) {
    uint8_t mask[FEW_MOST + 1][16];
    aria_tweaks_first(mask, tweak, blocks + 1);
    masked_few(way, rounds, mask, in, out, blocks);
    memcpy(tweak, mask[blocks], 16);
}

CDZ_INLINE void xts(const struct cdz_aria_way *way, size_t rounds, uint8_t tweak[16], const uint8_t *in, uint8_t *out,
                    size_t blocks) {
    const size_t batches = blocks / BATCH, rest = blocks % BATCH;
    if (!blocks) return;
    if (batches) MANY(batches, run_xts, xts)(way, rounds, tweak, in, out, batches);
    in += 16 * BATCH * batches, out += 16 * BATCH * batches;
    if (!rest) {
    } else if (rest <= FEW_MOST) {
        xts_few(way, rounds, tweak, in, out, rest);
#ifdef NARROW
    } else if (rest == BATCH / 2) {
        NARROW(xts)(way, rounds, tweak, in, out, 1);
    } else if (rest < BATCH / 2) {
        NARROW(xts_part)(way, rounds, tweak, in, out, rest);
#endif
    } else {
        VEC(xts_part)(way, rounds, tweak, in, out, rest);
    }
    cdz_leave_nothing(AFTER(batches, BURN_RUN_MASKED, rest ? BURN_MASKED_PART : BURN_MASKED));
}

static void xts_encrypt(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    xts(&k->enc, k->rounds, tweak, in, out, blocks);
}

static void xts_decrypt(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    xts(&k->dec, k->rounds, tweak, in, out, blocks);
}

static CDZ_KERNEL void ocb_few(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16], uint64_t index,
                               uint8_t offset[16], uint8_t sum[16], const uint8_t *in, uint8_t *out, size_t blocks,
                               enum aria_sum kind) {
    uint8_t mask[FEW_MOST][16], hash[16 * FEW_MOST] = {0};
    aria_offsets_first(mask, l, index, offset, blocks);
    if (kind == ARIA_SUM_IN) aria_sum_blocks(sum, in, blocks);
    if (kind == ARIA_SUM_HASH) out = hash;
    masked_few(way, rounds, mask, in, out, blocks);
    if (kind != ARIA_SUM_IN) aria_sum_blocks(sum, out, blocks);
    if (kind == ARIA_SUM_HASH) aria_sum_blocks(sum, mask[0], blocks); /* the masks came in at the end too */
    memcpy(offset, mask[blocks - 1], 16);
}

CDZ_INLINE void ocb(const struct cdz_aria_way *way, size_t rounds, const uint8_t (*l)[16], uint64_t index,
                    uint8_t offset[16], uint8_t sum[16], const uint8_t *in, uint8_t *out, size_t blocks,
                    enum aria_sum kind) {
    const size_t batches = blocks / BATCH, rest = blocks % BATCH;
    if (!blocks) return;
    if (batches)
        (kind == ARIA_SUM_IN    ? MANY(batches, run_ocb_encrypt, ocb_encrypt)
         : kind == ARIA_SUM_OUT ? MANY(batches, run_ocb_decrypt, ocb_decrypt)
                                : VEC(ocb_aad))(way, rounds, l, index, offset, sum, in, out, batches);
    in += 16 * BATCH * batches, index += BATCH * batches;
    if (out) out += 16 * BATCH * batches;
    if (!rest) {
    } else if (rest <= FEW_MOST) {
        ocb_few(way, rounds, l, index, offset, sum, in, out, rest, kind);
#ifdef NARROW
    } else if (rest == BATCH / 2) {
        (kind == ARIA_SUM_IN    ? NARROW(ocb_encrypt)
         : kind == ARIA_SUM_OUT ? NARROW(ocb_decrypt)
                                : NARROW(ocb_aad))(way, rounds, l, index, offset, sum, in, out, 1);
    } else if (rest < BATCH / 2) {
        NARROW(ocb_part)(way, rounds, l, index, offset, sum, in, out, rest, kind);
#endif
    } else {
        VEC(ocb_part)(way, rounds, l, index, offset, sum, in, out, rest, kind);
    }
    cdz_leave_nothing(AFTER(batches, BURN_RUN_MASKED, rest ? BURN_MASKED_PART : BURN_MASKED));
}

static void ocb_encrypt(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                        uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    ocb(&k->enc, k->rounds, l, index, offset, checksum, in, out, blocks, ARIA_SUM_IN);
}

static void ocb_decrypt(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                        uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    ocb(&k->dec, k->rounds, l, index, offset, checksum, in, out, blocks, ARIA_SUM_OUT);
}

static void ocb_aad(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16], uint8_t sum[16],
                    const uint8_t *aad, size_t blocks) {
    const struct cdz_aria_keys *k = keys_of(ks);
    ocb(&k->enc, k->rounds, l, index, offset, sum, aad, NULL, blocks, ARIA_SUM_HASH);
}

#define ARIA_NEEDS(word) (UINT64_C(1) << CDZ_CPU_BIT_##word)
#define ARIA_FUNCTIONS                                                                                                 \
    .cipher = CDZ_ARIA, .batch = BATCH, .key_size = (sizeof(struct cdz_aria_keys) + 63) / 64 * 64, .stack = BURN_FEW,  \
    .key_stack = BURN_KEY, .set_key = set_key, .encrypt = encrypt, .decrypt = decrypt, .ctr = ctr, .ctr32le = ctr32le, \
    .cbc_encrypt = cbc_encrypt, .cbc_decrypt = cbc_decrypt, .cfb_encrypt = cfb_encrypt, .cfb_decrypt = cfb_decrypt,    \
    .ofb = ofb, .cbc_mac = cbc_mac, .xts_encrypt = xts_encrypt, .xts_decrypt = xts_decrypt,                            \
    .ocb_encrypt = ocb_encrypt, .ocb_decrypt = ocb_decrypt, .ocb_aad = ocb_aad
