/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cadenza.so, an OpenSSL 3 provider: cadenza's ciphers for programs that know only OpenSSL.
 *
 * It is not linked to libcrypto: everything it needs of OpenSSL comes through the core's upcalls, so that one module
 * serves every libcrypto that loads it, statically linked ones included. All state hangs on what OSSL_provider_init()
 * makes for one core, or on a cipher context; nothing is global but constants.
 *
 *     provider.c   init, configuration, the list of algorithms, errors
 *     self_test.c  what is tried before a cipher is served
 *     common.c     contexts and keys; the fixed parameters
 *     params.c     OSSL_PARAM helpers
 *     plain.c      the parameters of ciphers without a tag
 *     aead.c       the parameters of ciphers with one, TLS 1.2's headers
 *     block.c      ECB, CBC           stream.c  CTR, CFB, CFB8, CFB1, OFB
 *     gcm.c        GCM with TLS 1.2   ccm.c     CCM with TLS 1.2
 *     ocb.c        OCB                whole.c   SIV, GCM-SIV: a message in one update
 *     unit.c       XTS: one update is one data unit
 *     cts.c        CBC-CTS            wrap.c    WRAP, WRAP-PAD and their inverses
 *     tls_cbc.c    padding and MAC of TLS's CBC records
 */
#ifndef CDZ_PROV_H
#define CDZ_PROV_H

#include "cadenza.h"

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What one call of OSSL_provider_init() makes. Read-only afterwards. */
struct prov {
    const OSSL_CORE_HANDLE *core;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_ALGORITHM *ciphers; /* those that are switched on and passed their self-test */
};

OSSL_provider_init_fn OSSL_provider_init;

/* ---- errors ------------------------------------------------------------------------------------- */

/* Reasons, in the numbers that OpenSSL shows as "reason(n)" where it has no text. */
enum reason {
    R_NO_KEY = 1,
    R_KEY_LENGTH,
    R_IV_LENGTH,
    R_NO_IV,
    R_BUFFER,
    R_FINAL_BLOCK,
    R_BAD_DECRYPT,
    R_TAG,
    R_TAG_MISSING,
    R_AAD,
    R_PARAM,
    R_STATE,
    R_LENGTH,
    R_WEAK_KEY,
    R_TLS_RECORD,
    R_TOO_MANY_RECORDS,
    R_RANDOM,
    R_MEMORY,
    R_CPU_MASK,
    R_CONFIG,
    R_SELF_TEST,
    R_INTERNAL
};

/* Puts an error into OpenSSL's queue; returns 0, so that a function can `return FAIL(...)`. */
int prov_error(const struct prov *p, enum reason reason, const char *file, int line, const char *function,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
#define FAIL(p, reason, ...) prov_error(p, reason, __FILE__, __LINE__, __func__, __VA_ARGS__)

extern const OSSL_ITEM prov_reasons[];

/* ---- self-test --------------------------------------------------------------------------------------- */

/* What encryption in a mode must give: the sum, by prov_sum(), of output and tag, for ARIA and AES. The tests make it
 * again by their slow model. */
struct prov_answer {
    const char *mode; /* NULL: no more */
    uint8_t key_len, iv_len;
    uint16_t len;
    uint8_t tag_len;
    bool pieces; /* the provider works in pieces */
    uint64_t sum[2];
};
extern const struct prov_answer prov_answers[];

/* 64-bit FNV-1a, which begins with PROV_SUM: against broken machines, not against people. */
#define PROV_SUM UINT64_C(0xcbf29ce484222325)
uint64_t prov_sum(const uint8_t *data, size_t n, uint64_t sum);
bool prov_self_test(bool aes);

/* ---- OSSL_PARAM --------------------------------------------------------------------------------- */

/* What a key stands for. PARAM_OTHER: nothing that this provider knows, to be passed over. */
enum param {
    PARAM_OTHER,
    PARAM_MODE,
    PARAM_KEYLEN,
    PARAM_IVLEN,
    PARAM_BLOCK_SIZE,
    PARAM_AEAD,
    PARAM_CUSTOM_IV,
    PARAM_CTS,
    PARAM_MULTIBLOCK,
    PARAM_RAND_KEY,
    PARAM_PADDING,
    PARAM_NUM,
    PARAM_IV,
    PARAM_UPDATED_IV,
    PARAM_USE_BITS,
    PARAM_CTS_MODE,
    PARAM_SPEED,
    PARAM_TAG,
    PARAM_TAGLEN,
    PARAM_TLS_VERSION,
    PARAM_TLS_MAC,
    PARAM_TLS_MAC_SIZE,
    PARAM_TLS_AAD,
    PARAM_TLS_AAD_PAD,
    PARAM_TLS_FIXED,
    PARAM_TLS_IV_GEN,
    PARAM_TLS_IV_INV
};
enum param param_id(const char *key);

/* Each returns whether it could; where the caller only asks for the size (data is NULL) it gets that and all is well.
 */
bool param_put_uint(OSSL_PARAM *p, uint64_t value);
bool param_get_uint(const OSSL_PARAM *p, uint64_t *value);
bool param_put_octets(OSSL_PARAM *p, const void *data, size_t n); /* OCTET_STRING or OCTET_PTR */
bool param_get_octets(const OSSL_PARAM *p, const uint8_t **data, size_t *n);
bool param_put_utf8(OSSL_PARAM *p, const char *s); /* UTF8_STRING or UTF8_PTR */

/* Lists of what can be got or set; NULL, 0 ends them. */
#define PARAM_UINT(key, type)                                                                                          \
    { key, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(type), OSSL_PARAM_UNMODIFIED }
#define PARAM_INT(key)                                                                                                 \
    { key, OSSL_PARAM_INTEGER, NULL, sizeof(int), OSSL_PARAM_UNMODIFIED }
#define PARAM_BYTES(key)                                                                                               \
    { key, OSSL_PARAM_OCTET_STRING, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PARAM_OF(key, type)                                                                                            \
    { key, type, NULL, 0, OSSL_PARAM_UNMODIFIED }
#define PARAM_LAST                                                                                                     \
    { NULL, 0, NULL, 0, 0 }

/* ---- algorithms ------------------------------------------------------------------------------------ */

/* EVP_CIPH_*_MODE: the numbers that OpenSSL's core knows modes by. */
enum {
    MODE_ECB = 1,
    MODE_CBC = 2,
    MODE_CFB = 3,
    MODE_OFB = 4,
    MODE_CTR = 5,
    MODE_GCM = 6,
    MODE_CCM = 7,
    MODE_XTS = 0x10001,
    MODE_WRAP = 0x10002,
    MODE_OCB = 0x10003,
    MODE_SIV = 0x10004,
    MODE_GCM_SIV = 0x10005
};

enum { FLAG_AEAD = 1, FLAG_CUSTOM_IV = 2, FLAG_CTS = 4, FLAG_CFB1 = 8, FLAG_PAD = 16, FLAG_INVERSE = 32 };

struct ctx;

/* What is the same for all ciphers and key sizes of a mode. */
struct family {
    unsigned mode;           /* MODE_* */
    size_t blocksize, ivlen; /* as the core is told */
    unsigned flags;
    /* AEAD alone: what a nonce may have (0: its length is fixed), and what a tag does. set_tag gets NULL where only its
     * length is told. Each returns 1, or 0 with an error raised. */
    size_t iv_min, iv_max;
    int (*set_tag)(struct ctx *x, const uint8_t *tag, size_t n);
    int (*get_tag)(struct ctx *x, OSSL_PARAM *p);
};
extern const struct family family_gcm, family_ccm, family_ocb, family_siv, family_gcm_siv;

struct alg {
    const char *name; /* cadenza's; CFB1 is made of ECB here, for OpenSSL counts it in bits */
    size_t keylen;
    const struct family *family;
};

/* Strings of associated data, kept until the message comes (SIV, GCM-SIV). */
struct strings {
    size_t n, cap;
    size_t ends[126]; /* as many as SIV can take */
    uint8_t data[];
};

/* A cipher context, of any family. */
struct ctx {
    struct prov *prov;
    const struct alg *alg;
    void *mem; /* of the key's object: kept from key to key */
    cdz_cipher *c;
    bool encrypt, key_set, iv_set;

    /* ciphers without a tag */
    bool pad, bits, started;
    uint8_t held, num;
    uint8_t oiv[16], iv[16]; /* as it was given, and where it stands now */
    uint8_t buf[16];
    unsigned cts_mode; /* CBC-CS1 is 0 */
    /* TLS CBC */
    unsigned tls_version;
    size_t tls_mac_size;
    uint8_t tls_mac[64];

    /* AEAD */
    uint8_t state; /* of the nonce: see gcm.c */
    bool iv_gen, tag_set, len_set, speed, forged;
    size_t ivlen, taglen, total;
    uint8_t nonce[128], tag[16];
    struct strings *strings;
    uint8_t aad_kept[64]; /* CCM: short associated data, until the message comes */
    size_t aad_kept_len;
    enum { NO_MESSAGE, MESSAGE_DONE, MESSAGE_FAILED } ended; /* CCM: what became of the message since the last init */
    uint8_t tls_aad[16];
    bool tls;
    size_t tls_pad;
    uint64_t tls_records;
};

enum { TLS_AAD = 13 };

/* Where a nonce stands, which is used for one message: see gcm.c. */
enum { UNSET, READY, RUNNING, SPENT };

void *ctx_new(void *provctx, const struct alg *alg);
void ctx_free(void *ctx);
void *ctx_dup(void *ctx);
/* Makes the key's object. */
bool ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen);
/* An error for a status of the library; returns 0. */
int ctx_fail(const struct ctx *x, cdz_status s);
/* A parameter of the wrong type or size; returns 0. */
int ctx_fail_param(const struct ctx *x, const char *key);

int family_get_params(OSSL_PARAM *params, const struct alg *alg);
const OSSL_PARAM *family_gettable_params(void *provctx);

/* Where the register of a stream cipher stands; returns how many bytes of it are used. */
unsigned stream_position(const struct ctx *x, uint8_t iv[16]);
/* Goes there, and `used` bytes further with the next byte. */
void stream_move(struct ctx *x, unsigned used);

/* The nonce as given to init. Returns 0 with an error raised where its length is none that the mode has. */
int aead_set_nonce(struct ctx *x, const uint8_t *iv, size_t ivlen);
/* GCM: see gcm.c. */
int gcm_set_fixed(struct ctx *x, const uint8_t *iv, size_t n);
int gcm_generate(struct ctx *x, OSSL_PARAM *p);
int gcm_set_inverse(struct ctx *x, const uint8_t *iv, size_t n);

/* Whether n bytes at a and n bytes at b have one in common. */
static inline bool prov_overlap(const uint8_t *a, const uint8_t *b, size_t n) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x < y ? y - x < n : x - y < n;
}
/* Whether n bytes can go from in to out at once: what src/direct.h asks of its callers. */
static inline bool prov_fits(const uint8_t *in, const uint8_t *out, size_t outsize, size_t n) {
    return in && out && n <= outsize && (in == out || !prov_overlap(in, out, n));
}
/* Input that output would cover before it is read. NULL with an error raised where there is no memory. */
uint8_t *prov_copy(const struct ctx *x, const uint8_t *in, size_t n);
void prov_copy_free(uint8_t *copy, size_t n);

/* Random bytes of the operating system. */
bool prov_random(uint8_t *out, size_t n);

/* Takes GCC's and clang's word that memory is dead for untrue. */
void prov_wipe(void *p, size_t n);
bool prov_equal(const uint8_t *a, const uint8_t *b, size_t n);

/* Padding for a TLS CBC record of n bytes, for which there is room; returns the new length. */
size_t tls_cbc_pad(uint8_t *record, size_t n);
/* A decrypted TLS CBC record without its explicit IV: *len becomes the payload's, mac receives mac_size bytes (at most
 * 64). In constant time but for *len and mac_size; false where the record is wrong in a way that anybody can see. */
bool tls_cbc_open(const uint8_t *record, size_t *len, size_t mac_size, uint8_t *mac);

/* The functions of a family: `params` is plain or aead, `lists` whose lists of parameters it has. Without CIPHER:
 * EVP_Cipher() then goes through update. */
#define FN(id, f)                                                                                                      \
    { OSSL_FUNC_CIPHER_##id, (void (*)(void))(f) }
#define FAMILY_FUNCTIONS(prefix, params, lists)                                                                        \
    FN(ENCRYPT_INIT, prefix##_encrypt_init), FN(DECRYPT_INIT, prefix##_decrypt_init), FN(UPDATE, prefix##_update),     \
        FN(FINAL, prefix##_final), FN(FREECTX, ctx_free), FN(DUPCTX, ctx_dup),                                         \
        FN(GET_CTX_PARAMS, params##_get_ctx_params), FN(SET_CTX_PARAMS, params##_set_ctx_params),                      \
        FN(GETTABLE_PARAMS, family_gettable_params), FN(GETTABLE_CTX_PARAMS, lists##_gettable_ctx_params),             \
        FN(SETTABLE_CTX_PARAMS, lists##_settable_ctx_params)

#define PARAMS_DECLARE(params)                                                                                         \
    OSSL_FUNC_cipher_get_ctx_params_fn params##_get_ctx_params;                                                        \
    OSSL_FUNC_cipher_set_ctx_params_fn params##_set_ctx_params;                                                        \
    OSSL_FUNC_cipher_gettable_ctx_params_fn params##_gettable_ctx_params;                                              \
    OSSL_FUNC_cipher_settable_ctx_params_fn params##_settable_ctx_params
PARAMS_DECLARE(plain);
PARAMS_DECLARE(aead);
OSSL_FUNC_cipher_gettable_ctx_params_fn cts_gettable_ctx_params, gcm_gettable_ctx_params, ocb_gettable_ctx_params,
    siv_gettable_ctx_params;
OSSL_FUNC_cipher_settable_ctx_params_fn cts_settable_ctx_params, gcm_settable_ctx_params, ocb_settable_ctx_params,
    siv_settable_ctx_params;

#define FAMILY_DECLARE(prefix)                                                                                         \
    OSSL_FUNC_cipher_encrypt_init_fn prefix##_encrypt_init;                                                            \
    OSSL_FUNC_cipher_decrypt_init_fn prefix##_decrypt_init;                                                            \
    OSSL_FUNC_cipher_update_fn prefix##_update;                                                                        \
    OSSL_FUNC_cipher_final_fn prefix##_final;                                                                          \
    OSSL_FUNC_cipher_cipher_fn prefix##_cipher
FAMILY_DECLARE(block);
FAMILY_DECLARE(stream);
FAMILY_DECLARE(unit);
FAMILY_DECLARE(cts);
FAMILY_DECLARE(wrap);
FAMILY_DECLARE(gcm);
FAMILY_DECLARE(ccm);
FAMILY_DECLARE(ocb);
FAMILY_DECLARE(siv);

/* A family's two functions that init, a static function of its file, is behind. */
#define INIT_FUNCTIONS(prefix)                                                                                         \
    int prefix##_encrypt_init(void *ctx, const unsigned char *key, size_t keylen, const unsigned char *iv,             \
                              size_t ivlen, const OSSL_PARAM params[]) {                                               \
        return init(ctx, key, keylen, iv, ivlen, params, true);                                                        \
    }                                                                                                                  \
    int prefix##_decrypt_init(void *ctx, const unsigned char *key, size_t keylen, const unsigned char *iv,             \
                              size_t ivlen, const OSSL_PARAM params[]) {                                               \
        return init(ctx, key, keylen, iv, ivlen, params, false);                                                       \
    }

#endif
