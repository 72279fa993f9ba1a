/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cadenza.so, an OpenSSL 3 provider: cadenza's ciphers for programs that know only OpenSSL.
 *
 * It is not linked to libcrypto: everything it needs of OpenSSL comes through the core's upcalls, so that one module
 * serves every libcrypto that loads it, statically linked ones included. All state hangs on what OSSL_provider_init()
 * makes for one core, or on a cipher context; nothing is global but constants.
 *
 *     provider.c   init, configuration, the list of algorithms, errors
 *     params.c     OSSL_PARAM helpers
 *     block.c      ECB, CBC           stream.c  CTR, CFB, CFB8, CFB1, OFB
 *     gcm.c        GCM with TLS 1.2   ccm.c     CCM with TLS 1.2
 *     unit.c       XTS: one update is one data unit
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

/* ---- OSSL_PARAM --------------------------------------------------------------------------------- */

OSSL_PARAM *param_find(OSSL_PARAM *p, const char *key);
const OSSL_PARAM *param_find_c(const OSSL_PARAM *p, const char *key);
/* Each returns whether it could; where the caller only asks for the size (data is NULL) it gets that and all is well.
 */
bool param_put_uint(OSSL_PARAM *p, uint64_t value);
bool param_get_uint(const OSSL_PARAM *p, uint64_t *value);
bool param_put_octets(OSSL_PARAM *p, const void *data, size_t n); /* OCTET_STRING or OCTET_PTR */
bool param_get_octets(const OSSL_PARAM *p, const uint8_t **data, size_t *n);
bool param_put_utf8_ptr(OSSL_PARAM *p, const char *s);
/* Puts the value where the key is asked for; true where it is not. */
bool param_answer_uint(OSSL_PARAM *params, const char *key, uint64_t value);

/* ---- algorithms ------------------------------------------------------------------------------------ */

enum { FLAG_AEAD = 1, FLAG_CUSTOM_IV = 2, FLAG_CTS = 4, FLAG_CFB1 = 8 };

/* What is the same for all ciphers and key sizes of a mode. */
struct family {
    unsigned mode; /* EVP_CIPH_*_MODE */
    size_t blocksize, ivlen;
    unsigned flags;
};

struct alg {
    const char *name; /* cadenza's; CFB1 is made of ECB here, for OpenSSL counts it in bits */
    size_t keylen;
    const struct family *family;
};

/* A cipher context, of any family. */
struct ctx {
    struct prov *prov;
    const struct alg *alg;
    void *mem; /* of the key's object: kept from key to key */
    cdz_cipher *c;
    bool encrypt, key_set, iv_set;

    /* ECB, CBC and the stream modes */
    bool pad, bits, started;
    uint8_t held, num;
    uint8_t oiv[16], iv[16]; /* as it was given, and where it stands now */
    uint8_t buf[16];
    /* TLS CBC */
    unsigned tls_version;
    size_t tls_mac_size;
    uint8_t tls_mac[64];

    /* AEAD */
    uint8_t state; /* of the IV: see gcm.c */
    bool iv_gen, tag_set, len_set;
    size_t ivlen, taglen, total;
    uint8_t nonce[128], tag[16];
    uint8_t tls_aad[16];
    bool tls;
    size_t tls_pad;
    uint64_t tls_records;
};

enum { TLS_AAD = 13 };

void *ctx_new(void *provctx, const struct alg *alg);
void ctx_free(void *ctx);
void *ctx_dup(void *ctx);
/* Makes the key's object. */
bool ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen);
/* An error for a status of the library; returns 0. */
int ctx_fail(const struct ctx *x, cdz_status s);

int family_get_params(OSSL_PARAM *params, const struct alg *alg);
const OSSL_PARAM *family_gettable_params(void *provctx);

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

/* The functions of a family that are the same for all its algorithms. */
#define FN(id, f)                                                                                                      \
    { OSSL_FUNC_CIPHER_##id, (void (*)(void))(f) }
#define FAMILY_FUNCTIONS(prefix)                                                                                       \
    FN(ENCRYPT_INIT, prefix##_encrypt_init), FN(DECRYPT_INIT, prefix##_decrypt_init), FN(UPDATE, prefix##_update),     \
        FN(FINAL, prefix##_final), FN(CIPHER, prefix##_cipher), FN(FREECTX, ctx_free), FN(DUPCTX, ctx_dup),            \
        FN(GET_CTX_PARAMS, prefix##_get_ctx_params), FN(SET_CTX_PARAMS, prefix##_set_ctx_params),                      \
        FN(GETTABLE_PARAMS, family_gettable_params), FN(GETTABLE_CTX_PARAMS, prefix##_gettable_ctx_params),            \
        FN(SETTABLE_CTX_PARAMS, prefix##_settable_ctx_params)

#define FAMILY_DECLARE(prefix)                                                                                         \
    OSSL_FUNC_cipher_encrypt_init_fn prefix##_encrypt_init;                                                            \
    OSSL_FUNC_cipher_decrypt_init_fn prefix##_decrypt_init;                                                            \
    OSSL_FUNC_cipher_update_fn prefix##_update;                                                                        \
    OSSL_FUNC_cipher_final_fn prefix##_final;                                                                          \
    OSSL_FUNC_cipher_cipher_fn prefix##_cipher;                                                                        \
    OSSL_FUNC_cipher_get_ctx_params_fn prefix##_get_ctx_params;                                                        \
    OSSL_FUNC_cipher_set_ctx_params_fn prefix##_set_ctx_params;                                                        \
    OSSL_FUNC_cipher_gettable_ctx_params_fn prefix##_gettable_ctx_params;                                              \
    OSSL_FUNC_cipher_settable_ctx_params_fn prefix##_settable_ctx_params
FAMILY_DECLARE(block);
FAMILY_DECLARE(stream);
FAMILY_DECLARE(gcm);
FAMILY_DECLARE(ccm);
FAMILY_DECLARE(unit);

#endif
