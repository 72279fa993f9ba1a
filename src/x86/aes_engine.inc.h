/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of an AES engine. Includers define
 *
 *   ENGINE, ENGINE_NAME, ENGINE_NEEDS   the struct's symbol, the name, the features
 *   T(word)                             the kernels of aes_parallel.inc.h; those of aes_serial.inc.h have x_
 *   SCHEDULE                            the type of the key area
 *   GCM_HASH                            the hash of the GCM kernels; not defined where there are none
 *   CTR_MAC                             the kernel of aes_ctr_mac.inc.h; likewise
 *
 *   STACK       bytes of stack that no kernel exceeds, at -O2 and -O3 with gcc 12 and clang 14 (-fstack-usage), but for
 *               those of GCM with whole batches: the engine's `stack`
 *   GCM_STACK   the same of those
 *   FEW_STACK   that of the kernels other than OCB's and GCM's, where it is smaller: the engine's `few_stack`
 *
 * Kernels stand in the contract as they are: who calls clears. Only those with deeper frames are cleared here.
 */
/* Long messages have a table on the stack, above the kernel's frame. */
#define COUNTER(name)                                                                                                  \
    static CDZ_KERNEL void name##_long(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out,           \
                                       size_t len) {                                                                   \
        uint8_t table[T(PAGE_TABLE)] __attribute__((aligned(64)));                                                     \
        T(name##_long)(ks, c, in, out, len, table);                                                                    \
        cdz_wipe(table, sizeof table);                                                                                 \
        cdz_leave_nothing(STACK);                                                                                      \
    }                                                                                                                  \
    static void name(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {               \
        if (len >= T(CTR_LONG))                                                                                        \
            name##_long(ks, c, in, out, len);                                                                          \
        else                                                                                                           \
            T(name)(ks, c, in, out, len);                                                                              \
    }
COUNTER(ctr)
COUNTER(ctr32le)
#undef COUNTER

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
            return;                                                                                                    \
        }                                                                                                              \
        if (len >= T(CTR_LONG)) {                                                                                      \
            name##_long(ks, hk, c, y, in, out, len);                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
        T(name)(ks, hk, c, y, in, out, len);                                                                           \
        if (GCM_STACK > STACK) cdz_leave_nothing(GCM_STACK);                                                           \
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
    .stack = STACK,
    .key_stack = STACK,
#ifdef FEW_STACK
    .few_stack = FEW_STACK,
#endif
    .prompt = true,
    .set_key = x_set_key,
    .encrypt = T(encrypt),
    .decrypt = T(decrypt),
    .ctr = ctr,
    .ctr32le = ctr32le,
    .cbc_encrypt = x_cbc_encrypt,
    .cbc_decrypt = T(cbc_decrypt),
    .cfb_encrypt = x_cfb_encrypt,
    .cfb_decrypt = T(cfb_decrypt),
    .ofb = x_ofb,
    .cbc_mac = x_cbc_mac,
#ifdef CTR_MAC
    .ctr_mac = CTR_MAC,
#endif
    .xts_encrypt = T(xts_encrypt),
    .xts_decrypt = T(xts_decrypt),
    .ocb_encrypt = T(ocb_encrypt),
    .ocb_decrypt = T(ocb_decrypt),
    .ocb_aad = T(ocb_aad),
#ifdef GCM_HASH
    .gcm_hash = &GCM_HASH,
    .gcm_encrypt = gcm_encrypt,
    .gcm_decrypt = gcm_decrypt,
    .gcm_whole_max = T(GCM_WHOLE_MAX),
    .gcm_encrypt_whole = T(gcm_encrypt_whole),
    .gcm_decrypt_whole = T(gcm_decrypt_whole),
#endif
};
