/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of an AES engine: each calls its kernel and clears up behind it. Includers define
 *
 *   ENGINE, ENGINE_NAME, ENGINE_NEEDS   the struct's symbol, the name, the features
 *   T(word)                             the kernels of aes_parallel.inc.h; those of aes_serial.inc.h have x_
 *   SCHEDULE                            the type of the key area
 *   GCM_HASH                            the hash of the GCM kernels; not defined where there are none
 *
 *   STACK                               bytes of stack that no kernel exceeds, at -O2 and -O3 with gcc 12 and clang 14
 *   GCM_STACK, GCM_SHORT_STACK,         (-fstack-usage); those of GCM and OCB may spill more than the rest
 *   OCB_STACK
 */
#define LEAVE cdz_leave_nothing(STACK)
#ifndef OCB_STACK
#define OCB_STACK STACK
#endif
#ifndef GCM_SHORT_STACK
#define GCM_SHORT_STACK STACK
#endif

static void set_key(void *ks, const uint8_t *key, size_t key_len) {
    x_set_key(ks, key, key_len);
    LEAVE;
}

#define BLOCKS(name, kernel)                                                                                           \
    static void name(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {                                 \
        kernel(ks, in, out, blocks);                                                                                   \
        LEAVE;                                                                                                         \
    }
BLOCKS(encrypt, T(encrypt))
BLOCKS(decrypt, T(decrypt))
#undef BLOCKS

/* Long messages have a table on the stack, above the kernel's frame. */
#define COUNTER(name)                                                                                                  \
    static CDZ_KERNEL void name##_long(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out,           \
                                       size_t len) {                                                                   \
        uint8_t table[T(PAGE_TABLE)] __attribute__((aligned(64)));                                                     \
        T(name##_long)(ks, c, in, out, len, table);                                                                    \
        cdz_wipe(table, sizeof table);                                                                                 \
        LEAVE;                                                                                                         \
    }                                                                                                                  \
    static void name(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {               \
        if (len >= T(CTR_LONG)) {                                                                                      \
            name##_long(ks, c, in, out, len);                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        T(name)(ks, c, in, out, len);                                                                                  \
        LEAVE;                                                                                                         \
    }
COUNTER(ctr)
COUNTER(ctr32le)
#undef COUNTER

#define CHAIN(name, kernel)                                                                                            \
    static void name(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {                 \
        kernel(ks, iv, in, out, blocks);                                                                               \
        LEAVE;                                                                                                         \
    }
CHAIN(cbc_encrypt, x_cbc_encrypt)
CHAIN(cbc_decrypt, T(cbc_decrypt))
CHAIN(cfb_encrypt, x_cfb_encrypt)
CHAIN(cfb_decrypt, T(cfb_decrypt))
CHAIN(ofb, x_ofb)
CHAIN(xts_encrypt, T(xts_encrypt))
CHAIN(xts_decrypt, T(xts_decrypt))
#undef CHAIN

static void cbc_mac(const void *ks, uint8_t mac[16], const uint8_t *in, size_t blocks) {
    x_cbc_mac(ks, mac, in, blocks);
    LEAVE;
}

#define OCB(name, kernel)                                                                                              \
    static void name(const void *ks, const uint8_t(*l)[16], uint64_t index, uint8_t offset[16], uint8_t checksum[16],  \
                     const uint8_t *in, uint8_t *out, size_t blocks) {                                                 \
        kernel(ks, l, index, offset, checksum, in, out, blocks);                                                       \
        cdz_leave_nothing(OCB_STACK);                                                                                  \
    }
OCB(ocb_encrypt, T(ocb_encrypt))
OCB(ocb_decrypt, T(ocb_decrypt))
#undef OCB

static void ocb_aad(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16], uint8_t sum[16],
                    const uint8_t *aad, size_t blocks) {
    T(ocb_aad)(ks, l, index, offset, sum, aad, blocks);
    cdz_leave_nothing(OCB_STACK);
}

#ifdef GCM_HASH
#define GCM(name)                                                                                                      \
    static CDZ_KERNEL void name##_long(const void *ks, const void *hk, const uint8_t c[16], uint8_t y[16],             \
                                       const uint8_t *in, uint8_t *out, size_t len) {                                  \
        uint8_t table[T(PAGE_TABLE)] __attribute__((aligned(64)));                                                     \
        T(name##_long)(ks, hk, c, y, in, out, len, table);                                                             \
        cdz_wipe(table, sizeof table);                                                                                 \
        cdz_leave_nothing(GCM_STACK);                                                                                  \
    }                                                                                                                  \
    static void name(const void *ks, const void *hk, const uint8_t c[16], uint8_t y[16], const uint8_t *in,            \
                     uint8_t *out, size_t len) {                                                                       \
        if (len < T(GCM_BATCH)) {                                                                                      \
            T(name##_short)(ks, hk, c, y, in, out, len);                                                               \
            cdz_leave_nothing(GCM_SHORT_STACK);                                                                        \
            return;                                                                                                    \
        }                                                                                                              \
        if (len >= T(CTR_LONG)) {                                                                                      \
            name##_long(ks, hk, c, y, in, out, len);                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        T(name)(ks, hk, c, y, in, out, len);                                                                           \
        cdz_leave_nothing(GCM_STACK);                                                                                  \
    }
GCM(gcm_encrypt)
GCM(gcm_decrypt)
#undef GCM
#endif

const struct cdz_engine ENGINE = {
    .name = ENGINE_NAME,
    .cipher = CDZ_AES,
    .batch = BATCH * LANES,
    .needs = ENGINE_NEEDS,
    .key_size = sizeof(SCHEDULE),
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = cbc_encrypt,
    .cbc_decrypt = cbc_decrypt,
    .cfb_encrypt = cfb_encrypt,
    .cfb_decrypt = cfb_decrypt,
    .ofb = ofb,
    .cbc_mac = cbc_mac,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .ocb_encrypt = ocb_encrypt,
    .ocb_decrypt = ocb_decrypt,
    .ocb_aad = ocb_aad,
#ifdef GCM_HASH
    .gcm_hash = &GCM_HASH,
    .gcm_encrypt = gcm_encrypt,
    .gcm_decrypt = gcm_decrypt,
#endif
};
