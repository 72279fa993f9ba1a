/* SPDX-License-Identifier: Apache-2.0 */
/* OSSL_PARAM helpers: integers of 4 and 8 bytes in either signedness, octet strings by value and by pointer. */
#include "prov.h"

/* By the first letter, then by comparing: one pass over the caller's parameters, and few comparisons for each. */
enum param param_id(const char *key) {
#define IS(name, id)                                                                                                   \
    if (!strcmp(key, name)) return id
    switch (key[0]) {
    case 'a':
        IS(OSSL_CIPHER_PARAM_AEAD, PARAM_AEAD);
        break;
    case 'b':
        IS(OSSL_CIPHER_PARAM_BLOCK_SIZE, PARAM_BLOCK_SIZE);
        break;
    case 'c':
        IS(OSSL_CIPHER_PARAM_CUSTOM_IV, PARAM_CUSTOM_IV);
        IS(OSSL_CIPHER_PARAM_CTS, PARAM_CTS);
        IS(OSSL_CIPHER_PARAM_CTS_MODE, PARAM_CTS_MODE);
        break;
    case 'h':
        IS(OSSL_CIPHER_PARAM_HAS_RAND_KEY, PARAM_RAND_KEY);
        break;
    case 'i':
        IS(OSSL_CIPHER_PARAM_IVLEN, PARAM_IVLEN);
        IS(OSSL_CIPHER_PARAM_IV, PARAM_IV);
        break;
    case 'k':
        IS(OSSL_CIPHER_PARAM_KEYLEN, PARAM_KEYLEN);
        break;
    case 'm':
        IS(OSSL_CIPHER_PARAM_MODE, PARAM_MODE);
        break;
    case 'n':
        IS(OSSL_CIPHER_PARAM_NUM, PARAM_NUM);
        break;
    case 'p':
        IS(OSSL_CIPHER_PARAM_PADDING, PARAM_PADDING);
        break;
    case 's':
        IS(OSSL_CIPHER_PARAM_SPEED, PARAM_SPEED);
        break;
    case 't':
        IS(OSSL_CIPHER_PARAM_AEAD_TAG, PARAM_TAG);
        IS(OSSL_CIPHER_PARAM_AEAD_TAGLEN, PARAM_TAGLEN);
        IS(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, PARAM_TLS_AAD);
        IS(OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, PARAM_TLS_AAD_PAD);
        IS(OSSL_CIPHER_PARAM_TLS_MAC, PARAM_TLS_MAC);
        IS(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, PARAM_TLS_MAC_SIZE);
        IS(OSSL_CIPHER_PARAM_TLS_VERSION, PARAM_TLS_VERSION);
        IS(OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, PARAM_TLS_FIXED);
        IS(OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, PARAM_TLS_IV_GEN);
        IS(OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, PARAM_TLS_IV_INV);
        IS(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, PARAM_MULTIBLOCK);
        break;
    case 'u':
        IS(OSSL_CIPHER_PARAM_UPDATED_IV, PARAM_UPDATED_IV);
        IS(OSSL_CIPHER_PARAM_USE_BITS, PARAM_USE_BITS);
        break;
    default:
        break;
    }
#undef IS
    return PARAM_OTHER;
}

bool param_put_uint(OSSL_PARAM *p, uint64_t value) {
    if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER) return false;
    const bool is_signed = p->data_type == OSSL_PARAM_INTEGER;
    if (!p->data) {
        p->return_size = sizeof(size_t);
        return true;
    }
    p->return_size = p->data_size;
    if (p->data_size == sizeof(uint32_t) && value <= (is_signed ? INT32_MAX : UINT32_MAX)) {
        const uint32_t v = (uint32_t)value;
        memcpy(p->data, &v, sizeof v);
        return true;
    }
    if (p->data_size == sizeof(uint64_t) && value <= (is_signed ? INT64_MAX : UINT64_MAX)) {
        memcpy(p->data, &value, sizeof value);
        return true;
    }
    p->return_size = sizeof(uint64_t);
    return false;
}

bool param_get_uint(const OSSL_PARAM *p, uint64_t *value) {
    if (!p->data) return false;
    if (p->data_type == OSSL_PARAM_UNSIGNED_INTEGER) {
        if (p->data_size == sizeof(uint32_t)) {
            uint32_t v;
            memcpy(&v, p->data, sizeof v);
            *value = v;
            return true;
        }
        if (p->data_size == sizeof(uint64_t)) {
            memcpy(value, p->data, sizeof *value);
            return true;
        }
    } else if (p->data_type == OSSL_PARAM_INTEGER) {
        int64_t v = -1;
        if (p->data_size == sizeof(int32_t)) {
            int32_t w;
            memcpy(&w, p->data, sizeof w);
            v = w;
        } else if (p->data_size == sizeof(int64_t)) {
            memcpy(&v, p->data, sizeof v);
        }
        if (v < 0) return false;
        *value = (uint64_t)v;
        return true;
    }
    return false;
}

bool param_put_octets(OSSL_PARAM *p, const void *data, size_t n) {
    p->return_size = n;
    if (p->data_type == OSSL_PARAM_OCTET_PTR) {
        if (p->data) *(const void **)p->data = data;
        return true;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING) return false;
    if (!p->data) return true;
    if (p->data_size < n) return false;
    memcpy(p->data, data, n);
    return true;
}

bool param_get_octets(const OSSL_PARAM *p, const uint8_t **data, size_t *n) {
    if (p->data_type != OSSL_PARAM_OCTET_STRING) return false;
    *data = p->data;
    *n = p->data_size;
    return true;
}

bool param_put_utf8(OSSL_PARAM *p, const char *s) {
    const size_t n = strlen(s);
    p->return_size = n;
    if (p->data_type == OSSL_PARAM_UTF8_PTR) {
        if (p->data) *(const char **)p->data = s;
        return true;
    }
    if (p->data_type != OSSL_PARAM_UTF8_STRING) return false;
    if (!p->data) return true;
    if (p->data_size < n) return false;
    memcpy(p->data, s, n + (p->data_size > n)); /* its NUL where there is room for it */
    return true;
}
