/* SPDX-License-Identifier: Apache-2.0 */
/* The provider itself: init, configuration, the list of algorithms, errors. */
#include "prov.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- errors ------------------------------------------------------------------------------------- */

const OSSL_ITEM prov_reasons[] = {
    {R_NO_KEY, (void *)"no key is set"},
    {R_KEY_LENGTH, (void *)"invalid key length"},
    {R_IV_LENGTH, (void *)"invalid iv length"},
    {R_NO_IV, (void *)"no iv is set"},
    {R_BUFFER, (void *)"output buffer too small"},
    {R_FINAL_BLOCK, (void *)"wrong final block length"},
    {R_BAD_DECRYPT, (void *)"bad decrypt"},
    {R_TAG, (void *)"invalid tag"},
    {R_TAG_MISSING, (void *)"tag not set"},
    {R_AAD, (void *)"invalid aad"},
    {R_PARAM, (void *)"invalid parameter"},
    {R_STATE, (void *)"calls out of order"},
    {R_LENGTH, (void *)"invalid data length"},
    {R_WEAK_KEY, (void *)"xts duplicated keys"},
    {R_TLS_RECORD, (void *)"invalid tls record"},
    {R_TOO_MANY_RECORDS, (void *)"too many records"},
    {R_RANDOM, (void *)"no random numbers"},
    {R_MEMORY, (void *)"out of memory"},
    {R_CPU_MASK, (void *)"CADENZA_CPU has an unknown word"},
    {R_CONFIG, (void *)"invalid configuration"},
    {R_SELF_TEST, (void *)"self test failed"},
    {R_INTERNAL, (void *)"internal error"},
    {0, NULL},
};

int prov_error(const struct prov *p, enum reason reason, const char *file, int line, const char *function,
               const char *format, ...) {
    if (!p->new_error || !p->vset_error) return 0;
    va_list args;
    p->new_error(p->core);
    if (p->set_error_debug) p->set_error_debug(p->core, file, line, function);
    va_start(args, format);
    p->vset_error(p->core, (uint32_t)reason, format, args);
    va_end(args);
    return 0;
}

/* ---- algorithms ------------------------------------------------------------------------------------ */

static const struct family
    family_ecb = {.mode = MODE_ECB, .blocksize = 16},
    family_cbc = {.mode = MODE_CBC, .blocksize = 16, .ivlen = 16},
    family_cts = {.mode = MODE_CBC, .blocksize = 16, .ivlen = 16, .flags = FLAG_CTS},
    family_cfb = {.mode = MODE_CFB, .blocksize = 1, .ivlen = 16},
    family_cfb1 = {.mode = MODE_CFB, .blocksize = 1, .ivlen = 16, .flags = FLAG_CFB1},
    family_ofb = {.mode = MODE_OFB, .blocksize = 1, .ivlen = 16},
    family_ctr = {.mode = MODE_CTR, .blocksize = 1, .ivlen = 16},
    family_xts = {.mode = MODE_XTS, .blocksize = 1, .ivlen = 16, .flags = FLAG_CUSTOM_IV},
    family_wrap = {.mode = MODE_WRAP, .blocksize = 8, .ivlen = 8, .flags = FLAG_CUSTOM_IV},
    family_wrap_pad = {.mode = MODE_WRAP, .blocksize = 8, .ivlen = 4, .flags = FLAG_CUSTOM_IV | FLAG_PAD},
    family_wrap_inv = {.mode = MODE_WRAP, .blocksize = 8, .ivlen = 8, .flags = FLAG_CUSTOM_IV | FLAG_INVERSE},
    family_wrap_pad_inv = {
        .mode = MODE_WRAP, .blocksize = 8, .ivlen = 4, .flags = FLAG_CUSTOM_IV | FLAG_PAD | FLAG_INVERSE};

/* The functions of each family. */
#define F_block  FAMILY_FUNCTIONS(block, plain, plain), FN(CIPHER, block_cipher)
#define F_stream FAMILY_FUNCTIONS(stream, plain, plain), FN(CIPHER, stream_cipher)
#define F_unit   FAMILY_FUNCTIONS(unit, plain, plain), FN(CIPHER, unit_cipher)
#define F_cts    FAMILY_FUNCTIONS(cts, plain, cts), FN(CIPHER, cts_cipher)
#define F_wrap   FAMILY_FUNCTIONS(wrap, plain, plain)
#define F_gcm    FAMILY_FUNCTIONS(gcm, aead, gcm), FN(CIPHER, gcm_cipher)
#define F_ccm    FAMILY_FUNCTIONS(ccm, aead, aead), FN(CIPHER, ccm_cipher)
#define F_ocb    FAMILY_FUNCTIONS(ocb, aead, ocb), FN(CIPHER, ocb_cipher)
#define F_siv    FAMILY_FUNCTIONS(siv, aead, siv), FN(CIPHER, siv_cipher)

/* What every mode is given for: X(cipher, bits, symbol, name in OpenSSL, mode in cadenza, keys, family, functions,
 * other names). */
#define BITS_2(X, c, sym, name, own, keys, fam, f, o128, o256)                                                         \
    X(c, 128, sym, name, own, keys, fam, f, o128) X(c, 256, sym, name, own, keys, fam, f, o256)
#define BITS_3(X, c, sym, name, own, keys, fam, f, o128, o192, o256)                                                   \
    X(c, 128, sym, name, own, keys, fam, f, o128)                                                                      \
    X(c, 192, sym, name, own, keys, fam, f, o192) X(c, 256, sym, name, own, keys, fam, f, o256)

#define KISA ":1.2.410.200046.1.1."
#define ARIA_LIST(X)                                                                                                   \
    BITS_3(X, ARIA, ECB, "ECB", "ECB", 1, ecb, block, KISA "1", KISA "6", KISA "11")                                   \
    BITS_3(X, ARIA, CBC, "CBC", "CBC", 1, cbc, block, ":ARIA128" KISA "2", ":ARIA192" KISA "7", ":ARIA256" KISA "12")  \
    BITS_3(X, ARIA, CFB, "CFB", "CFB", 1, cfb, stream, KISA "3", KISA "8", KISA "13")                                  \
    BITS_3(X, ARIA, OFB, "OFB", "OFB", 1, ofb, stream, KISA "4", KISA "9", KISA "14")                                  \
    BITS_3(X, ARIA, CTR, "CTR", "CTR", 1, ctr, stream, KISA "5", KISA "10", KISA "15")                                 \
    BITS_3(X, ARIA, CFB1, "CFB1", "ECB", 1, cfb1, stream, "", "", "")                                                  \
    BITS_3(X, ARIA, CFB8, "CFB8", "CFB8", 1, cfb, stream, "", "", "")                                                  \
    BITS_3(X, ARIA, GCM, "GCM", "GCM", 1, gcm, gcm, KISA "34", KISA "35", KISA "36")                                   \
    BITS_3(X, ARIA, CCM, "CCM", "CCM", 1, ccm, ccm, KISA "37", KISA "38", KISA "39")                                   \
    /* OpenSSL has none of these. */                                                                                   \
    BITS_3(X, ARIA, CTS, "CBC-CTS", "CBC-CS3", 1, cts, cts, "", "", "")                                                \
    BITS_3(X, ARIA, OCB, "OCB", "OCB", 1, ocb, ocb, "", "", "")                                                        \
    BITS_3(X, ARIA, SIV, "SIV", "SIV", 2, siv, siv, "", "", "")                                                        \
    BITS_2(X, ARIA, GCM_SIV, "GCM-SIV", "GCM-SIV", 1, gcm_siv, siv, "", "")                                            \
    BITS_2(X, ARIA, XTS, "XTS", "XTS", 2, xts, unit, "", "")                                                           \
    BITS_3(X, ARIA, WRAP, "WRAP", "KW", 1, wrap, wrap, ":ARIA-128-KW", ":ARIA-192-KW", ":ARIA-256-KW")                 \
    BITS_3(X, ARIA, WRAP_PAD, "WRAP-PAD", "KWP", 1, wrap_pad, wrap, ":ARIA-128-KWP", ":ARIA-192-KWP", ":ARIA-256-KWP")

#define NIST ":2.16.840.1.101.3.4.1."
#define AES_LIST(X)                                                                                                    \
    BITS_3(X, AES, ECB, "ECB", "ECB", 1, ecb, block, NIST "1", NIST "21", NIST "41")                                   \
    BITS_3(X, AES, CBC, "CBC", "CBC", 1, cbc, block, ":AES128" NIST "2", ":AES192" NIST "22", ":AES256" NIST "42")     \
    BITS_3(X, AES, CTS, "CBC-CTS", "CBC-CS3", 1, cts, cts, "", "", "")                                                 \
    BITS_3(X, AES, OFB, "OFB", "OFB", 1, ofb, stream, NIST "3", NIST "23", NIST "43")                                  \
    BITS_3(X, AES, CFB, "CFB", "CFB", 1, cfb, stream, NIST "4", NIST "24", NIST "44")                                  \
    BITS_3(X, AES, CFB1, "CFB1", "ECB", 1, cfb1, stream, "", "", "")                                                   \
    BITS_3(X, AES, CFB8, "CFB8", "CFB8", 1, cfb, stream, "", "", "")                                                   \
    BITS_3(X, AES, CTR, "CTR", "CTR", 1, ctr, stream, "", "", "")                                                      \
    BITS_3(X, AES, GCM, "GCM", "GCM", 1, gcm, gcm, ":id-aes128-GCM" NIST "6", ":id-aes192-GCM" NIST "26",              \
           ":id-aes256-GCM" NIST "46")                                                                                 \
    BITS_3(X, AES, CCM, "CCM", "CCM", 1, ccm, ccm, ":id-aes128-CCM" NIST "7", ":id-aes192-CCM" NIST "27",              \
           ":id-aes256-CCM" NIST "47")                                                                                 \
    BITS_3(X, AES, OCB, "OCB", "OCB", 1, ocb, ocb, "", "", "")                                                         \
    BITS_3(X, AES, SIV, "SIV", "SIV", 2, siv, siv, "", "", "")                                                         \
    BITS_2(X, AES, GCM_SIV, "GCM-SIV", "GCM-SIV", 1, gcm_siv, siv, "", "")                                             \
    BITS_2(X, AES, XTS, "XTS", "XTS", 2, xts, unit, ":1.3.111.2.1619.0.1.1", ":1.3.111.2.1619.0.1.2")                  \
    BITS_3(X, AES, WRAP, "WRAP", "KW", 1, wrap, wrap, ":id-aes128-wrap:AES128-WRAP" NIST "5",                          \
           ":id-aes192-wrap:AES192-WRAP" NIST "25", ":id-aes256-wrap:AES256-WRAP" NIST "45")                           \
    BITS_3(X, AES, WRAP_PAD, "WRAP-PAD", "KWP", 1, wrap_pad, wrap, ":id-aes128-wrap-pad:AES128-WRAP-PAD" NIST "8",     \
           ":id-aes192-wrap-pad:AES192-WRAP-PAD" NIST "28", ":id-aes256-wrap-pad:AES256-WRAP-PAD" NIST "48")           \
    BITS_3(X, AES, WRAP_INV, "WRAP-INV", "ECB", 1, wrap_inv, wrap, ":AES128-WRAP-INV", ":AES192-WRAP-INV",             \
           ":AES256-WRAP-INV")                                                                                         \
    BITS_3(X, AES, WRAP_PAD_INV, "WRAP-PAD-INV", "ECB", 1, wrap_pad_inv, wrap, ":AES128-WRAP-PAD-INV",                 \
           ":AES192-WRAP-PAD-INV", ":AES256-WRAP-PAD-INV")

#define DEFINE(cipher, bits_, sym, name_, own, keys, fam, f, others)                                                   \
    static const struct alg alg_##cipher##_##bits_##_##sym = {#cipher "-" #bits_ "-" own, (keys) * (bits_) / 8,        \
                                                              &family_##fam};                                          \
    static void *new_##cipher##_##bits_##_##sym(void *provctx) {                                                       \
        return ctx_new(provctx, &alg_##cipher##_##bits_##_##sym);                                                      \
    }                                                                                                                  \
    static int params_##cipher##_##bits_##_##sym(OSSL_PARAM params[]) {                                                \
        return family_get_params(params, &alg_##cipher##_##bits_##_##sym);                                             \
    }                                                                                                                  \
    static const OSSL_DISPATCH fns_##cipher##_##bits_##_##sym[] = {FN(NEWCTX, new_##cipher##_##bits_##_##sym),         \
                                                                   FN(GET_PARAMS, params_##cipher##_##bits_##_##sym),  \
                                                                   F_##f,                                              \
                                                                   {0, NULL}};
ARIA_LIST(DEFINE)
AES_LIST(DEFINE)

#define ENTRY(cipher, bits_, sym, name_, own, keys, fam, f, others)                                                    \
    {{#cipher "-" #bits_ "-" name_ others, "provider=cadenza", fns_##cipher##_##bits_##_##sym,                         \
      #cipher "-" #bits_ "-" name_},                                                                                   \
     &alg_##cipher##_##bits_##_##sym},
static const struct entry {
    OSSL_ALGORITHM a;
    const struct alg *alg;
} entries[] = {ARIA_LIST(ENTRY) AES_LIST(ENTRY)};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* ---- the provider ------------------------------------------------------------------------------- */

/* "aria", "aes" or both, separated by commas and blanks. */
static bool parse_algorithms(const char *s, bool *aria, bool *aes) {
    *aria = *aes = false;
    while (*s) {
        const size_t n = strcspn(s, ", \t");
        if (n == 4 && !strncmp(s, "aria", 4))
            *aria = true;
        else if (n == 3 && !strncmp(s, "aes", 3))
            *aes = true;
        else if (n)
            return false;
        s += n;
        s += strspn(s, ", \t");
    }
    return *aria || *aes;
}

static const OSSL_ALGORITHM *query(void *provctx, int operation, int *no_cache) {
    struct prov *p = provctx;
    *no_cache = 0;
    return operation == OSSL_OP_CIPHER ? p->ciphers : NULL;
}

static const OSSL_ITEM *reasons(void *provctx) {
    (void)provctx;
    return prov_reasons;
}

static void teardown(void *provctx) {
    struct prov *p = provctx;
    free(p->ciphers);
    free(p);
}

static const OSSL_PARAM *gettable(void *provctx) {
    static const OSSL_PARAM list[] = {
        PARAM_OF(OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR),
        PARAM_OF(OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR),
        PARAM_OF(OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR),
        PARAM_INT(OSSL_PROV_PARAM_STATUS),
        PARAM_LAST,
    };
    (void)provctx;
    return list;
}

static int get_params(void *provctx, OSSL_PARAM params[]) {
    (void)provctx;
    for (OSSL_PARAM *p = params; p && p->key; p++) {
        bool ok = true;
        if (!strcmp(p->key, OSSL_PROV_PARAM_NAME))
            ok = param_put_utf8(p, "cadenza");
        else if (!strcmp(p->key, OSSL_PROV_PARAM_VERSION) || !strcmp(p->key, OSSL_PROV_PARAM_BUILDINFO))
            ok = param_put_utf8(p, cdz_version());
        else if (!strcmp(p->key, OSSL_PROV_PARAM_STATUS))
            ok = param_put_uint(p, 1);
        if (!ok) return 0;
    }
    return 1;
}

static const OSSL_DISPATCH provider_functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))reasons},
    {0, NULL},
};

/* An AES algorithm's name begins so. */
static bool is_aes(const struct alg *a) { return a->name[1] == 'E'; }

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *core, const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out, void **provctx) {
    OSSL_FUNC_core_get_params_fn *core_get_params = NULL;
    struct prov *p = calloc(1, sizeof *p);
    if (!p) return 0;
    p->core = core;
    for (; in->function_id; in++) {
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            core_get_params = OSSL_FUNC_core_get_params(in);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            p->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            p->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            p->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        default: /* upcalls that a cipher needs nothing of */
            break;
        }
    }

    bool on[2] = {true, false}; /* ARIA, AES */
    const char *words = NULL;
    OSSL_PARAM ask[] = {{"algorithms", OSSL_PARAM_UTF8_PTR, &words, 0, OSSL_PARAM_UNMODIFIED}, {NULL, 0, NULL, 0, 0}};
    if (core_get_params && core_get_params(core, ask) && words && !parse_algorithms(words, &on[0], &on[1])) {
        FAIL(p, R_CONFIG, "algorithms = %s: the words are aria and aes", words);
        free(p);
        return 0;
    }
    cdz_cipher *probe;
    static const uint8_t zero[16];
    if (cdz_cipher_new(&probe, "ARIA-128-ECB", zero, 16) == CDZ_ERR_CPU_MASK) {
        FAIL(p, R_CPU_MASK, "CADENZA_CPU has a word that is no feature with a minus sign");
        free(p);
        return 0;
    }
    cdz_cipher_free(probe);
    for (int aes = 0; aes < 2; aes++) {
        if (!on[aes] || prov_self_test(aes)) continue;
        FAIL(p, R_SELF_TEST, "%s failed its self-test and is left out", aes ? "AES" : "ARIA");
        on[aes] = false;
    }
    if (!(p->ciphers = calloc(ENTRIES + 1, sizeof *p->ciphers))) {
        FAIL(p, R_MEMORY, "no memory for the list of ciphers");
        free(p);
        return 0;
    }
    size_t n = 0;
    for (size_t i = 0; i < ENTRIES; i++)
        if (on[is_aes(entries[i].alg)]) p->ciphers[n++] = entries[i].a;
    *provctx = p;
    *out = provider_functions;
    return 1;
}
