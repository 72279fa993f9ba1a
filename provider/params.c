/* SPDX-License-Identifier: Apache-2.0 */
/* OSSL_PARAM helpers: integers of 4 and 8 bytes in either signedness, octet strings by value and by pointer. */
#include "prov.h"

const OSSL_PARAM *param_find_c(const OSSL_PARAM *p, const char *key) {
    for (; p && p->key; p++)
        if (!strcmp(p->key, key)) return p;
    return NULL;
}

OSSL_PARAM *param_find(OSSL_PARAM *p, const char *key) {
    for (; p && p->key; p++)
        if (!strcmp(p->key, key)) return p;
    return NULL;
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

bool param_put_utf8_ptr(OSSL_PARAM *p, const char *s) {
    p->return_size = strlen(s);
    if (p->data_type != OSSL_PARAM_UTF8_PTR) return false;
    if (p->data) *(const char **)p->data = s;
    return true;
}

bool param_answer_uint(OSSL_PARAM *params, const char *key, uint64_t value) {
    OSSL_PARAM *p = param_find(params, key);
    return !p || param_put_uint(p, value);
}
