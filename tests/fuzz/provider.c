/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider, called as OpenSSL's core calls it and as it would not: its functions in any order, with keys, IVs,
 * outputs and parameters of any size and type, copies of contexts, messages over their own input. Nothing may be
 * touched that was not given; no more may be said to be written than there was room for; a call that fails has said
 * why, one that does not has not. Besides, a message in pieces, with parameters read in between, must be the message in
 * one piece, and open again.
 */
#include "fuzz.h"

#include "prov.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1200, CALLS = 40, PARAMS = 5 };

/* ---- the core ---- */

static unsigned errors;

static void core_new_error(const OSSL_CORE_HANDLE *core) {
    (void)core;
    errors++;
}

static void core_set_error_debug(const OSSL_CORE_HANDLE *core, const char *file, int line, const char *function) {
    (void)core;
    MUST(file && line > 0 && function);
}

static void core_vset_error(const OSSL_CORE_HANDLE *core, uint32_t reason, const char *format, va_list args) {
    char text[512];
    (void)core;
    MUST(reason != 0);
    MUST(vsnprintf(text, sizeof text, format, args) > 0);
}

static int core_get_params(const OSSL_CORE_HANDLE *core, OSSL_PARAM params[]) {
    static char both[] = "aria, aes";
    (void)core;
    for (; params->key; params++)
        if (!strcmp(params->key, "algorithms")) *(const char **)params->data = both;
    return 1;
}

static const OSSL_DISPATCH upcalls[] = {
    {OSSL_FUNC_CORE_GET_PARAMS, (void (*)(void))core_get_params},
    {OSSL_FUNC_CORE_NEW_ERROR, (void (*)(void))core_new_error},
    {OSSL_FUNC_CORE_SET_ERROR_DEBUG, (void (*)(void))core_set_error_debug},
    {OSSL_FUNC_CORE_VSET_ERROR, (void (*)(void))core_vset_error},
    {0, NULL},
};

static void *provider;
static const OSSL_ALGORITHM *algorithms;
static size_t n_algorithms;

static void start(void) {
    const OSSL_DISPATCH *f;
    int no_cache;
    MUST(OSSL_provider_init((const OSSL_CORE_HANDLE *)upcalls, upcalls, &f, &provider));
    for (; f->function_id; f++)
        if (f->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION)
            algorithms = OSSL_FUNC_provider_query_operation(f)(provider, OSSL_OP_CIPHER, &no_cache);
    MUST(algorithms);
    while (algorithms[n_algorithms].algorithm_names) n_algorithms++;
    MUST(n_algorithms > 80);
}

/* ---- a cipher ---- */

struct cipher {
    const char *name;
    OSSL_FUNC_cipher_newctx_fn *newctx;
    OSSL_FUNC_cipher_freectx_fn *freectx;
    OSSL_FUNC_cipher_dupctx_fn *dupctx;
    OSSL_FUNC_cipher_encrypt_init_fn *init[2];
    OSSL_FUNC_cipher_update_fn *update;
    OSSL_FUNC_cipher_final_fn *final;
    OSSL_FUNC_cipher_cipher_fn *cipher;
    OSSL_FUNC_cipher_get_params_fn *get_params;
    OSSL_FUNC_cipher_get_ctx_params_fn *get_ctx_params;
    OSSL_FUNC_cipher_set_ctx_params_fn *set_ctx_params;
    OSSL_FUNC_cipher_gettable_ctx_params_fn *gettable;
    OSSL_FUNC_cipher_settable_ctx_params_fn *settable;
    size_t keylen, ivlen, blocksize;
    unsigned mode;
    bool aead, cts;
};

static void cipher_find(struct cipher *c, size_t i) {
    memset(c, 0, sizeof *c);
    c->name = algorithms[i % n_algorithms].algorithm_names;
    for (const OSSL_DISPATCH *f = algorithms[i % n_algorithms].implementation; f->function_id; f++)
        switch (f->function_id) {
        case OSSL_FUNC_CIPHER_NEWCTX:
            c->newctx = OSSL_FUNC_cipher_newctx(f);
            break;
        case OSSL_FUNC_CIPHER_FREECTX:
            c->freectx = OSSL_FUNC_cipher_freectx(f);
            break;
        case OSSL_FUNC_CIPHER_DUPCTX:
            c->dupctx = OSSL_FUNC_cipher_dupctx(f);
            break;
        case OSSL_FUNC_CIPHER_ENCRYPT_INIT:
            c->init[0] = OSSL_FUNC_cipher_encrypt_init(f);
            break;
        case OSSL_FUNC_CIPHER_DECRYPT_INIT:
            c->init[1] = OSSL_FUNC_cipher_decrypt_init(f);
            break;
        case OSSL_FUNC_CIPHER_UPDATE:
            c->update = OSSL_FUNC_cipher_update(f);
            break;
        case OSSL_FUNC_CIPHER_FINAL:
            c->final = OSSL_FUNC_cipher_final(f);
            break;
        case OSSL_FUNC_CIPHER_CIPHER:
            c->cipher = OSSL_FUNC_cipher_cipher(f);
            break;
        case OSSL_FUNC_CIPHER_GET_PARAMS:
            c->get_params = OSSL_FUNC_cipher_get_params(f);
            break;
        case OSSL_FUNC_CIPHER_GET_CTX_PARAMS:
            c->get_ctx_params = OSSL_FUNC_cipher_get_ctx_params(f);
            break;
        case OSSL_FUNC_CIPHER_SET_CTX_PARAMS:
            c->set_ctx_params = OSSL_FUNC_cipher_set_ctx_params(f);
            break;
        case OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS:
            c->gettable = OSSL_FUNC_cipher_gettable_ctx_params(f);
            break;
        case OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS:
            c->settable = OSSL_FUNC_cipher_settable_ctx_params(f);
            break;
        default:
            break;
        }
    int aead = 0, cts = 0;
    OSSL_PARAM ask[] = {
        {OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, &c->keylen, sizeof c->keylen, 0},
        {OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, &c->ivlen, sizeof c->ivlen, 0},
        {OSSL_CIPHER_PARAM_BLOCK_SIZE, OSSL_PARAM_UNSIGNED_INTEGER, &c->blocksize, sizeof c->blocksize, 0},
        {OSSL_CIPHER_PARAM_MODE, OSSL_PARAM_UNSIGNED_INTEGER, &c->mode, sizeof c->mode, 0},
        {OSSL_CIPHER_PARAM_AEAD, OSSL_PARAM_INTEGER, &aead, sizeof aead, 0},
        {OSSL_CIPHER_PARAM_CTS, OSSL_PARAM_INTEGER, &cts, sizeof cts, 0},
        {NULL, 0, NULL, 0, 0},
    };
    MUST(c->get_params(ask) == 1);
    c->aead = aead, c->cts = cts;
}

/* Counts what a call raises. */
static int said(int result) {
    MUST(result == 0 || result == 1);
    MUST((result == 0) == (errors > 0));
    errors = 0;
    return result;
}

/* ---- parameters ---- */

static const char *const names[] = {
    OSSL_CIPHER_PARAM_PADDING,
    OSSL_CIPHER_PARAM_NUM,
    OSSL_CIPHER_PARAM_IV,
    OSSL_CIPHER_PARAM_UPDATED_IV,
    OSSL_CIPHER_PARAM_USE_BITS,
    OSSL_CIPHER_PARAM_CTS_MODE,
    OSSL_CIPHER_PARAM_SPEED,
    OSSL_CIPHER_PARAM_AEAD_TAG,
    OSSL_CIPHER_PARAM_AEAD_TAGLEN,
    OSSL_CIPHER_PARAM_TLS_VERSION,
    OSSL_CIPHER_PARAM_TLS_MAC,
    OSSL_CIPHER_PARAM_TLS_MAC_SIZE,
    OSSL_CIPHER_PARAM_AEAD_TLS1_AAD,
    OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD,
    OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED,
    OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN,
    OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV,
    OSSL_CIPHER_PARAM_KEYLEN,
    OSSL_CIPHER_PARAM_IVLEN,
    OSSL_CIPHER_PARAM_MODE,
    OSSL_CIPHER_PARAM_BLOCK_SIZE,
    OSSL_CIPHER_PARAM_AEAD,
    "unknown",
    "",
    "t",
};

struct list {
    OSSL_PARAM p[PARAMS + 1];
};

static void list_make(struct list *l, struct decisions *d, bool set) {
    static const unsigned types[] = {
        OSSL_PARAM_UNSIGNED_INTEGER, OSSL_PARAM_INTEGER,  OSSL_PARAM_OCTET_STRING, OSSL_PARAM_UTF8_STRING,
        OSSL_PARAM_OCTET_PTR,        OSSL_PARAM_UTF8_PTR, OSSL_PARAM_REAL,         99};
    static const size_t sizes[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  11,  12,  13,
                                   14, 15, 16, 17, 20, 32, 48, 64, 65, 128, 129, 500};
    size_t n = 0;
    for (; n < PARAMS && (n == 0 || take_chance(d, 2)); n++) {
        OSSL_PARAM *const p = &l->p[n];
        p->key = names[take_below(d, sizeof names / sizeof *names)];
        p->data_type = types[take_below(d, 16) % 8];
        p->return_size = OSSL_PARAM_UNMODIFIED;
        p->data_size = sizes[take_below(d, sizeof sizes / sizeof *sizes)];
        const unsigned how = take_byte(d);
        if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) && how & 1)
            p->data_size = 13, p->data_type = OSSL_PARAM_OCTET_STRING;
        if (p->data_type <= OSSL_PARAM_UNSIGNED_INTEGER && how & 1) p->data_size = how & 2 ? 8 : 4;
        p->data = NULL;
        if (how % 16 == 15) continue;
        const bool pointer = p->data_type == OSSL_PARAM_OCTET_PTR || p->data_type == OSSL_PARAM_UTF8_PTR;
        uint8_t *const data = p->data = room(pointer ? sizeof(void *) : p->data_size);
        memset(data, 0, pointer ? sizeof(void *) : p->data_size);
        if (pointer || !set) continue;
        if (p->data_type <= OSSL_PARAM_UNSIGNED_INTEGER) { /* numbers are small mostly */
            if (p->data_size) data[0] = (uint8_t)take_byte(d);
            if (p->data_size > 1) data[1] = (uint8_t)(how & 4 ? 3 : 0);
            if (p->data_size > 1 && how & 8) data[p->data_size - 1] = (uint8_t)take_byte(d);
        } else if (p->data_type == OSSL_PARAM_UTF8_STRING && p->data_size >= 3 && how & 4) {
            memcpy(data, "CS1", 3);
            data[2] = (uint8_t)('0' + how / 8 % 5);
        } else {
            fill(data, p->data_size, how);
            if (p->data_size == 13 && how & 4) { /* a record's header: a length that may be true */
                static const uint8_t type[3] = {23, 3, 3};
                memcpy(data + 8, type, 3);
                data[11] = 0, data[12] = (uint8_t)take_byte(d);
            }
        }
    }
    l->p[n] = (OSSL_PARAM){NULL, 0, NULL, 0, 0};
}

static void list_free(struct list *l) {
    for (OSSL_PARAM *p = l->p; p->key; p++) free(p->data);
}

/* What the lists of parameters promise must be there. */
static void promised(const struct cipher *c, void *x) {
    uint8_t bytes[64];
    for (const OSSL_PARAM *p = c->gettable(x, provider); p->key; p++) {
        if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER && p->data_type != OSSL_PARAM_INTEGER) continue;
        OSSL_PARAM ask[] = {{p->key, p->data_type, bytes, p->data_size, OSSL_PARAM_UNMODIFIED}, {NULL, 0, NULL, 0, 0}};
        const int got = c->get_ctx_params(x, ask);
        MUST(!got || OSSL_PARAM_modified(&ask[0]));
        errors = 0;
    }
    MUST(c->settable(x, provider));
}

/* ---- any calls ---- */

static void init(const struct cipher *c, void *x, struct decisions *d) {
    const unsigned how = take_byte(d);
    struct list l;
    const size_t keylen = how & 1 ? take_below(d, 66) : c->keylen, ivlen = how & 2 ? take_below(d, 140) : c->ivlen;
    uint8_t *const key = how & 4 ? NULL : room(keylen), *const iv = how & 8 ? NULL : room(ivlen);
    if (key) fill(key, keylen, how);
    if (key && how & 128) memset(key, 7, keylen); /* XTS: equal halves */
    if (iv) fill(iv, ivlen, how + 1);
    if (how & 16) list_make(&l, d, true);
    said(c->init[how >> 5 & 1](x, key, key ? keylen : 0, iv, iv ? ivlen : 0, how & 16 ? l.p : NULL));
    if (how & 16) list_free(&l);
    free(key);
    free(iv);
}

static void update(const struct cipher *c, void *x, struct decisions *d) {
    const unsigned how = take_byte(d);
    const size_t n = take_length(d, MOST);
    size_t outsize = n + (c->blocksize > 1 ? c->blocksize : 0), outl = 0;
    if (how & 1) outsize = take_length(d, MOST);
    /* Padded wrapping takes up to 7 bytes more than the core says that there are: its callers know. */
    const size_t unsaid = strstr(c->name, "WRAP-PAD") ? 7 : 0;
    const size_t shift = how & 2 ? take_below(d, 40) : 0, most = (n > outsize + unsaid ? n : outsize + unsaid) + shift;
    uint8_t *const buf = room(most), *const apart = room(n);
    fill(buf, most, how);
    fill(apart, n, how);
    uint8_t *out = buf;
    const uint8_t *in = apart;
    if (how & 4) in = buf + (how & 8 ? shift : 0), out = buf + (how & 8 ? 0 : shift); /* in place, or shifted */
    if (how & 4 && most - (size_t)(in - buf) < n) in = apart;
    if (how & 16) out = NULL; /* associated data */
    if (how & 32 && how & 64) in = NULL;
    const bool by_cipher = how & 128 && c->cipher;
    const int result =
        said((by_cipher ? c->cipher : c->update)(x, out, &outl, out ? outsize : 0, in, in || how & 1 ? n : 0));
    if (result && out) MUST(outl <= outsize + unsaid);
    if (fuzz_planted() && result && outl == 32 && how == 0x40) FOUND_IF(c->aead);
    free(buf);
    free(apart);
}

static void final(const struct cipher *c, void *x, struct decisions *d) {
    const size_t outsize = take_chance(d, 2) ? take_below(d, 40) : c->blocksize;
    size_t outl = 0;
    uint8_t *const out = room(outsize);
    if (said(c->final(x, out, &outl, outsize))) MUST(outl <= outsize);
    free(out);
}

static void any_calls(const struct cipher *c, struct decisions *d) {
    struct list l;
    void *x = c->newctx(provider);
    MUST(x);
    for (int calls = 0; d->left && calls < CALLS; calls++) {
        void *copy;
        switch (take_below(d, 12)) {
        case 0:
        case 1:
            init(c, x, d);
            break;
        case 2:
        case 3:
        case 4:
        case 5:
            update(c, x, d);
            break;
        case 6:
            final(c, x, d);
            break;
        case 7:
            list_make(&l, d, false);
            said(c->get_ctx_params(x, l.p));
            list_free(&l);
            break;
        case 8:
        case 9:
            list_make(&l, d, true);
            said(c->set_ctx_params(x, l.p));
            list_free(&l);
            break;
        case 10:
            MUST((copy = c->dupctx(x)) != NULL);
            c->freectx(x);
            x = copy;
            break;
        default:
            list_make(&l, d, false);
            (void)c->get_params(l.p);
            errors = 0;
            list_free(&l);
            promised(c, x);
        }
    }
    c->freectx(x);
}

/* ---- a true message ---- */

struct text {
    uint8_t key[64], iv[16], aad[64], in[MOST + 64], tag[16];
    size_t aad_len, len;
};

/* Through init, updates and final; where `cut` is not NULL in pieces. Returns whether it worked. */
static bool run(const struct cipher *c, struct text *t, bool decrypt, struct decisions *cut, uint8_t *out, size_t *n) {
    void *x = c->newctx(provider);
    size_t outl = 0, done = 0;
    bool ok;
    MUST(x);
    OSSL_PARAM tag[] = {{OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, t->tag, 16, OSSL_PARAM_UNMODIFIED},
                        {NULL, 0, NULL, 0, 0}};
    if (c->aead && c->mode == MODE_CCM && !decrypt) tag[0].data = NULL; /* its length alone */
    *n = 0;
    const bool siv = c->mode == MODE_SIV, tag_first = c->aead && (decrypt || c->mode == MODE_CCM);
    ok = said(c->init[decrypt](x, t->key, c->keylen, siv ? NULL : t->iv, siv ? 0 : c->ivlen, tag_first ? tag : NULL));
    if (ok && c->mode == MODE_CCM) ok = said(c->update(x, NULL, &outl, 0, NULL, t->len));
    if (ok && c->aead && t->aad_len) ok = said(c->update(x, NULL, &outl, 0, t->aad, t->aad_len));
    const bool whole = !cut || c->cts || c->mode == MODE_CCM || c->mode == MODE_SIV || c->mode == MODE_GCM_SIV ||
                       c->mode == MODE_XTS || c->mode == MODE_WRAP;
    bool first = true;
    while (ok && (done < t->len || (first && whole && c->mode != MODE_WRAP))) {
        const size_t piece = whole ? t->len : take_length(cut, t->len - done);
        const size_t size = piece + c->blocksize + 8;
        uint8_t *const buf = room_with(t->in + done, piece), *const to = room(size);
        ok = said(c->update(x, to, &outl, size, buf, piece));
        if (ok) memcpy(out + *n, to, outl);
        free(buf);
        free(to);
        *n += ok ? outl : 0;
        done += piece;
        first = false;
        if (cut && take_chance(cut, 4)) { /* reading changes nothing */
            struct list l;
            list_make(&l, cut, false);
            for (OSSL_PARAM *p = l.p; p->key; p++) /* but for the one that counts IVs */
                if (!strcmp(p->key, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) p->key = "unknown";
            said(c->get_ctx_params(x, l.p));
            list_free(&l);
        }
        if (cut && take_chance(cut, 8)) {
            void *const copy = c->dupctx(x);
            MUST(copy);
            c->freectx(x);
            x = copy;
        }
        if (cut && !cut->left && !whole && !piece) break;
    }
    if (ok && !whole && done < t->len) { /* no more decisions: the rest */
        ok = said(c->update(x, out + *n, &outl, t->len - done + 32, t->in + done, t->len - done));
        *n += ok ? outl : 0;
    }
    if (ok && !(c->mode == MODE_CCM && decrypt)) {
        ok = said(c->final(x, out + *n, &outl, 32));
        *n += ok ? outl : 0;
    }
    if (ok && c->aead && !decrypt) {
        tag[0].data = t->tag;
        ok = said(c->get_ctx_params(x, tag));
    }
    c->freectx(x);
    return ok;
}

static void true_message(const struct cipher *c, struct decisions *d) {
    static struct text t, u;
    static uint8_t one[MOST + 128], pieces[MOST + 128], back[MOST + 128];
    size_t n, m, k;
    memset(&t, 0, sizeof t);
    const uint32_t seed = take_word(d);
    fill(t.key, sizeof t.key, seed);
    fill(t.iv, sizeof t.iv, seed + 1);
    fill(t.aad, sizeof t.aad, seed + 2);
    fill(t.in, sizeof t.in, seed + 3);
    t.aad_len = take_below(d, sizeof t.aad + 1);
    t.len = take_length(d, MOST);
    u = t;
    const bool ok = run(c, &t, false, NULL, one, &n);
    MUST(run(c, &u, false, d, pieces, &m) == ok);
    if (!ok) return; /* a length that the mode has not */
    MUST(n == m && memcmp(one, pieces, n) == 0 && memcmp(t.tag, u.tag, 16) == 0);
    memcpy(u.in, one, n);
    u.len = n;
    MUST(run(c, &u, true, d, back, &k));
    MUST(k == t.len && memcmp(back, t.in, k) == 0);
    if (c->aead) {
        const size_t at = take_below(d, 128);
        u.tag[at / 8] ^= (uint8_t)(1u << at % 8);
        MUST(!run(c, &u, true, NULL, back, &k));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct decisions d = {data, size};
    struct cipher c;
    if (!provider) start();
    errors = 0;
    cipher_find(&c, take_byte(&d));
    fuzz_about("%s", c.name);
    if (take_chance(&d, 4))
        true_message(&c, &d);
    else
        any_calls(&c, &d);
    return 0;
}
