/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of all ciphers that have no tag: ECB, CBC, CTS, the stream modes, XTS, key wrap. */
#include "prov.h"

#include <strings.h>

static bool is_stream(const struct ctx *x) {
    const unsigned m = x->alg->family->mode;
    return m == MODE_CFB || m == MODE_OFB || m == MODE_CTR;
}

/* SSL 3 pads otherwise, and is dead. */
enum { SSL3 = 0x0300 };

static const char *const cts_modes[] = {OSSL_CIPHER_CTS_MODE_CS1, OSSL_CIPHER_CTS_MODE_CS2, OSSL_CIPHER_CTS_MODE_CS3};

int plain_get_ctx_params(void *ctx, OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    for (OSSL_PARAM *p = params; p && p->key; p++) {
        bool ok = true;
        switch (param_id(p->key)) {
        case PARAM_KEYLEN:
            ok = param_put_uint(p, x->alg->keylen);
            break;
        case PARAM_IVLEN:
            ok = param_put_uint(p, x->alg->family->ivlen);
            break;
        case PARAM_PADDING:
            ok = param_put_uint(p, x->pad);
            break;
        case PARAM_NUM:
            ok = param_put_uint(p, is_stream(x) ? stream_position(x, x->buf) : x->num);
            break;
        case PARAM_IV:
            ok = param_put_octets(p, x->oiv, x->alg->family->ivlen ? x->alg->family->ivlen : 16);
            break;
        case PARAM_UPDATED_IV:
            /* In the context, since OCTET_PTR hands out the address. */
            if (is_stream(x)) stream_position(x, x->buf);
            ok = param_put_octets(p, is_stream(x) ? x->buf : x->iv, x->alg->family->ivlen ? x->alg->family->ivlen : 16);
            break;
        case PARAM_TLS_MAC:
            ok = param_put_octets(p, x->tls_mac, x->tls_mac_size);
            break;
        case PARAM_CTS_MODE:
            ok = !(x->alg->family->flags & FLAG_CTS) || param_put_utf8(p, cts_modes[x->cts_mode]);
            break;
        default:
            break;
        }
        if (!ok) return ctx_fail_param(x, p->key);
    }
    return 1;
}

static bool set_cts_mode(struct ctx *x, const OSSL_PARAM *p) {
    if (!(x->alg->family->flags & FLAG_CTS)) return true;
    if (p->data_type != OSSL_PARAM_UTF8_STRING || !p->data) return false;
    /* A string in an OSSL_PARAM has data_size bytes, and perhaps no NUL. */
    const size_t n = strnlen(p->data, p->data_size);
    for (unsigned i = 0; i < 3; i++) {
        if (n != strlen(cts_modes[i]) || strncasecmp(p->data, cts_modes[i], n) != 0) continue;
        x->cts_mode = i;
        return true;
    }
    return false;
}

int plain_set_ctx_params(void *ctx, const OSSL_PARAM params[]) {
    struct ctx *x = ctx;
    for (const OSSL_PARAM *p = params; p && p->key; p++) {
        const bool is_cbc = x->alg->family->mode == MODE_CBC && !(x->alg->family->flags & FLAG_CTS);
        uint64_t v = 0;
        bool ok = true;
        switch (param_id(p->key)) {
        case PARAM_KEYLEN:
            ok = param_get_uint(p, &v) && v == x->alg->keylen;
            break;
        case PARAM_PADDING: /* without effect where nothing is padded, as in the default provider */
            ok = param_get_uint(p, &v);
            if (ok && x->alg->family->mode != MODE_WRAP) x->pad = v != 0;
            break;
        case PARAM_NUM:
            ok = param_get_uint(p, &v) && v < 16;
            if (ok && is_stream(x))
                stream_move(x, (unsigned)v);
            else if (ok)
                x->num = (uint8_t)v;
            break;
        case PARAM_USE_BITS:
            if (!(x->alg->family->flags & FLAG_CFB1)) break;
            ok = param_get_uint(p, &v);
            if (ok) x->bits = v != 0;
            break;
        case PARAM_TLS_VERSION: /* libssl tells it to every cipher */
            if (!is_cbc) break;
            ok = param_get_uint(p, &v) && v > SSL3 && v <= 0xffff;
            if (ok) x->tls_version = (unsigned)v;
            break;
        case PARAM_TLS_MAC_SIZE:
            if (!is_cbc) break;
            ok = param_get_uint(p, &v) && v <= sizeof x->tls_mac;
            if (ok) x->tls_mac_size = (size_t)v;
            break;
        case PARAM_CTS_MODE:
            ok = set_cts_mode(x, p);
            break;
        default:
            break;
        }
        if (!ok) return ctx_fail_param(x, p->key);
    }
    return 1;
}

#define GETTABLE                                                                                                       \
    PARAM_UINT(OSSL_CIPHER_PARAM_KEYLEN, size_t), PARAM_UINT(OSSL_CIPHER_PARAM_IVLEN, size_t),                         \
        PARAM_UINT(OSSL_CIPHER_PARAM_PADDING, unsigned), PARAM_UINT(OSSL_CIPHER_PARAM_NUM, unsigned),                  \
        PARAM_BYTES(OSSL_CIPHER_PARAM_IV), PARAM_BYTES(OSSL_CIPHER_PARAM_UPDATED_IV)
#define SETTABLE PARAM_UINT(OSSL_CIPHER_PARAM_PADDING, unsigned), PARAM_UINT(OSSL_CIPHER_PARAM_NUM, unsigned)
#define CTS_MODE PARAM_OF(OSSL_CIPHER_PARAM_CTS_MODE, OSSL_PARAM_UTF8_STRING)

const OSSL_PARAM *plain_gettable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {GETTABLE, PARAM_OF(OSSL_CIPHER_PARAM_TLS_MAC, OSSL_PARAM_OCTET_PTR), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *plain_settable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {SETTABLE, PARAM_UINT(OSSL_CIPHER_PARAM_USE_BITS, unsigned),
                                      PARAM_UINT(OSSL_CIPHER_PARAM_TLS_VERSION, unsigned),
                                      PARAM_UINT(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, size_t), PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *cts_gettable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {GETTABLE, CTS_MODE, PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}

const OSSL_PARAM *cts_settable_ctx_params(void *ctx, void *provctx) {
    static const OSSL_PARAM list[] = {SETTABLE, CTS_MODE, PARAM_LAST};
    (void)ctx, (void)provctx;
    return list;
}
