/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider's test of itself when it is loaded: with a library whose calls give wrong answers, one kind at a time,
 * the cipher concerned is left out, the other is served, and an error says so. The library's calls go through wrappers
 * that can damage what they return; the core is a small one of the test's own.
 */
#include "harness.h"

#include "../../provider/prov.h"
#include "ref/ref.h"

#include <stdarg.h>
#include <stdio.h>

static enum { NOTHING, TEXT, TAG, OPEN, FORGED, PIECE, NO_MEMORY, FAULTS } fault;
static const char *faulty, *mode; /* "ARIA" or "AES"; what is damaged of it */

static bool is_hit(const char *name) {
    const size_t n = faulty ? strlen(faulty) : 0;
    return n && !strncmp(name, faulty, n) && !strcmp(name + n + strlen("-128-"), mode);
}
static bool hit(const cdz_cipher *c, int what) { return (int)fault == what && is_hit(cdz_cipher_name(c)); }

#define ARGS                                                                                                           \
    const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *aad, size_t aad_len, const uint8_t *in,      \
        size_t len, uint8_t *out
#define PASS c, iv, iv_len, aad, aad_len, in, len, out
cdz_status __real_cdz_encrypt(ARGS, uint8_t *tag, size_t tag_len);
cdz_status __wrap_cdz_encrypt(ARGS, uint8_t *tag, size_t tag_len);
cdz_status __wrap_cdz_encrypt(ARGS, uint8_t *tag, size_t tag_len) {
    const cdz_status s = __real_cdz_encrypt(PASS, tag, tag_len);
    if (hit(c, TEXT)) out[len - 1] ^= 1;
    if (hit(c, TAG)) tag[tag_len - 1] ^= 1;
    return s;
}
cdz_status __real_cdz_decrypt(ARGS, const uint8_t *tag, size_t tag_len);
cdz_status __wrap_cdz_decrypt(ARGS, const uint8_t *tag, size_t tag_len);
cdz_status __wrap_cdz_decrypt(ARGS, const uint8_t *tag, size_t tag_len) {
    const cdz_status s = __real_cdz_decrypt(PASS, tag, tag_len);
    if (hit(c, OPEN)) out[0] ^= 0x80;
    return hit(c, FORGED) ? CDZ_OK : s;
}
cdz_status __real_cdz_update(cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t cap, size_t *out_len);
cdz_status __wrap_cdz_update(cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t cap, size_t *out_len);
cdz_status __wrap_cdz_update(cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t cap, size_t *out_len) {
    const cdz_status s = __real_cdz_update(c, in, len, out, cap, out_len);
    if (hit(c, PIECE)) out[0] ^= 2;
    return s;
}
#define WRAP_ARGS                                                                                                      \
    const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *in, size_t len, uint8_t *out, size_t cap,    \
        size_t *out_len
cdz_status __real_cdz_wrap(WRAP_ARGS);
cdz_status __wrap_cdz_wrap(WRAP_ARGS);
cdz_status __wrap_cdz_wrap(WRAP_ARGS) {
    const cdz_status s = __real_cdz_wrap(c, iv, iv_len, in, len, out, cap, out_len);
    if (hit(c, TEXT)) out[0] ^= 1;
    return s;
}
cdz_status __real_cdz_unwrap(WRAP_ARGS);
cdz_status __wrap_cdz_unwrap(WRAP_ARGS);
cdz_status __wrap_cdz_unwrap(WRAP_ARGS) {
    const cdz_status s = __real_cdz_unwrap(c, iv, iv_len, in, len, out, cap, out_len);
    if (hit(c, OPEN)) out[0] ^= 0x80;
    return hit(c, FORGED) ? CDZ_OK : s;
}
cdz_status __real_cdz_cipher_new(cdz_cipher **c, const char *name, const uint8_t *key, size_t n);
cdz_status __wrap_cdz_cipher_new(cdz_cipher **c, const char *name, const uint8_t *key, size_t n);
cdz_status __wrap_cdz_cipher_new(cdz_cipher **c, const char *name, const uint8_t *key, size_t n) {
    *c = NULL;
    if (fault == NO_MEMORY && is_hit(name)) return CDZ_ERR_MEMORY;
    return __real_cdz_cipher_new(c, name, key, n);
}

/* The allocation that fails: the nth from now on; 0: none. And how many blocks there are. */
static unsigned fail_at;
static long live;
static void *counted(void *p) {
    if (p) live++;
    return p;
}
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n) {
    if (fail_at && !--fail_at) return NULL;
    return counted(__real_malloc(n));
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) {
    if (fail_at && !--fail_at) return NULL;
    return counted(__real_calloc(n, size));
}
void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p) {
    if (p) live--;
    __real_free(p);
}

/* ---- a core ----------------------------------------------------------------------------------------- */

static char said[400];
static unsigned reason, errors;
static bool said_memory; /* some error since it was cleared */
static const char *words = "aria,aes";

static int core_get_params(const OSSL_CORE_HANDLE *core, OSSL_PARAM params[]) {
    (void)core;
    for (OSSL_PARAM *p = params; p->key; p++)
        if (!strcmp(p->key, "algorithms") && words) *(const char **)p->data = words;
    return 1;
}
static void new_error(const OSSL_CORE_HANDLE *core) { (void)core, errors++; }
static void set_error_debug(const OSSL_CORE_HANDLE *core, const char *file, int line, const char *function) {
    (void)core, (void)file, (void)line, (void)function;
}
static void vset_error(const OSSL_CORE_HANDLE *core, uint32_t r, const char *format, va_list args) {
    (void)core;
    reason = r;
    said_memory |= r == R_MEMORY;
    vsnprintf(said, sizeof said, format, args);
}
static const OSSL_DISPATCH core_functions[] = {
    {OSSL_FUNC_CORE_GET_PARAMS, (void (*)(void))core_get_params},
    {OSSL_FUNC_CORE_NEW_ERROR, (void (*)(void))new_error},
    {OSSL_FUNC_CORE_SET_ERROR_DEBUG, (void (*)(void))set_error_debug},
    {OSSL_FUNC_CORE_VSET_ERROR, (void (*)(void))vset_error},
    {0, NULL},
};

struct loaded {
    const OSSL_DISPATCH *f;
    void *ctx;
    size_t aria, aes;
};

static bool load(struct loaded *l) {
    *l = (struct loaded){0};
    errors = reason = 0;
    said[0] = 0;
    if (OSSL_provider_init((const OSSL_CORE_HANDLE *)l, core_functions, &l->f, &l->ctx) != 1) return false;
    OSSL_FUNC_provider_query_operation_fn *query = NULL;
    OSSL_FUNC_provider_teardown_fn *teardown = NULL;
    for (const OSSL_DISPATCH *d = l->f; d->function_id; d++) {
        if (d->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION) query = OSSL_FUNC_provider_query_operation(d);
        if (d->function_id == OSSL_FUNC_PROVIDER_TEARDOWN) teardown = OSSL_FUNC_provider_teardown(d);
    }
    CHECK(query && teardown);
    int no_cache = 1;
    const OSSL_ALGORITHM *a = query(l->ctx, OSSL_OP_CIPHER, &no_cache);
    CHECK(!no_cache && !query(l->ctx, OSSL_OP_DIGEST, &no_cache) && !query(l->ctx, OSSL_OP_MAC, &no_cache));
    for (; a && a->algorithm_names; a++) {
        CHECK(!strcmp(a->property_definition, "provider=cadenza"));
        l->aria += !strncmp(a->algorithm_names, "ARIA", 4);
        l->aes += !strncmp(a->algorithm_names, "AES", 3);
    }
    teardown(l->ctx);
    return true;
}

static void left_out(void *arg) {
    (void)arg;
    struct loaded whole, l;
    fault = NOTHING;
    words = "aria, aes";
    CHECK(load(&whole) && whole.aria >= 45 && whole.aes >= 50 && !errors);
    size_t damaged = 0;
    for (const struct prov_answer *a = prov_answers; a->mode; a++) {
        const bool wraps = a->mode[0] == 'K';
        mode = a->mode;
        for (fault = TEXT; fault < FAULTS; fault++) {
            if ((fault == TAG && !a->tag_len) || (fault == FORGED && !a->tag_len && !wraps) ||
                (fault == PIECE && !a->pieces))
                continue;
            NOW("self-test", .name = mode, .a = fault);
            faulty = "ARIA";
            CHECK(load(&l) && l.aria == 0 && l.aes == whole.aes);
            CHECK(errors == 1 && reason == R_SELF_TEST && strstr(said, "ARIA"));
            faulty = "AES";
            CHECK(load(&l) && l.aria == whole.aria && l.aes == 0);
            CHECK(errors == 1 && reason == R_SELF_TEST && strstr(said, "AES"));
            faulty = NULL;
            CHECK(load(&l) && l.aria == whole.aria && l.aes == whole.aes && !errors);
            damaged++;
        }
    }
    CHECK(damaged >= 60);
    fault = NOTHING;
}

/* The answers by the model; and every mode that is served has one. */
static void answers(void *arg) {
    uint8_t key[64], aad[16], text[700], out[800], tag[16];
    size_t n = 0;
    (void)arg;
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof aad; i++) aad[i] = (uint8_t)(i * 0x11);
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 7);
    for (const struct prov_answer *a = prov_answers; a->mode; a++, n++) {
        for (int aes = 0; aes < 2; aes++) {
            struct ref r;
            ref_init(&r, a->mode, aes ? REF_AES : REF_ARIA, key, a->key_len);
            const struct ref_message m = {.iv = key,
                                          .iv_len = a->iv_len,
                                          .aad = a->tag_len ? aad : NULL,
                                          .aad_len = a->tag_len ? sizeof aad : 0,
                                          .in = text,
                                          .len = a->len,
                                          .tag_len = a->tag_len};
            const size_t len = ref_seal(&r, &m, out, tag);
            const uint64_t sum = prov_sum(tag, a->tag_len, prov_sum(out, len, PROV_SUM));
            if (sum != a->sum[aes])
                test_fail("%s of %s: the sum is 0x%016llx", a->mode, aes ? "AES" : "ARIA", (unsigned long long)sum);
        }
    }
    static const char *const modes[] = {"ECB", "CBC", "CBC-CS3", "CFB",     "CFB8", "OFB", "CTR", "GCM",
                                        "CCM", "OCB", "SIV",     "GCM-SIV", "XTS",  "KW",  "KWP"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        bool there = false;
        for (const struct prov_answer *a = prov_answers; a->mode; a++) there |= !strcmp(a->mode, modes[i]);
        if (!there) test_fail("%s has no answer", modes[i]);
    }
    CHECK(n >= sizeof modes / sizeof *modes);
}

static void configuration(void *arg) {
    static const struct {
        const char *words;
        bool good, aria, aes;
    } rows[] = {{NULL, true, true, false},        {"aria", true, true, false},  {"aes", true, false, true},
                {"aes aria", true, true, true},   {"aria,", true, true, false}, {"", false, false, false},
                {"aria, des", false, true, true}, {"ARIA", false, true, true},  {",", false, false, false}};
    struct loaded l;
    (void)arg;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        words = rows[i].words;
        const bool ok = load(&l);
        if (ok != rows[i].good) test_fail("algorithms = %s: %d", words ? words : "(none)", ok);
        if (ok)
            CHECK((l.aria > 0) == rows[i].aria && (l.aes > 0) == rows[i].aes && !errors);
        else
            CHECK(errors == 1 && reason == R_CONFIG);
    }
    words = "aria,aes";
}

/* ---- no memory -------------------------------------------------------------------------------------- */

struct cipher {
    const char *name;
    OSSL_FUNC_cipher_newctx_fn *newctx;
    OSSL_FUNC_cipher_freectx_fn *freectx;
    OSSL_FUNC_cipher_dupctx_fn *dupctx;
    OSSL_FUNC_cipher_encrypt_init_fn *init[2]; /* encryption, decryption */
    OSSL_FUNC_cipher_update_fn *update;
    OSSL_FUNC_cipher_final_fn *final;
    size_t key_len, iv_len;
};

static void functions(struct cipher *c, const OSSL_ALGORITHM *a) {
    *c = (struct cipher){.name = a->algorithm_names};
    for (const OSSL_DISPATCH *d = a->implementation; d->function_id; d++) {
        if (d->function_id == OSSL_FUNC_CIPHER_NEWCTX) c->newctx = OSSL_FUNC_cipher_newctx(d);
        if (d->function_id == OSSL_FUNC_CIPHER_FREECTX) c->freectx = OSSL_FUNC_cipher_freectx(d);
        if (d->function_id == OSSL_FUNC_CIPHER_DUPCTX) c->dupctx = OSSL_FUNC_cipher_dupctx(d);
        if (d->function_id == OSSL_FUNC_CIPHER_ENCRYPT_INIT) c->init[0] = OSSL_FUNC_cipher_encrypt_init(d);
        if (d->function_id == OSSL_FUNC_CIPHER_DECRYPT_INIT) c->init[1] = OSSL_FUNC_cipher_decrypt_init(d);
        if (d->function_id == OSSL_FUNC_CIPHER_UPDATE) c->update = OSSL_FUNC_cipher_update(d);
        if (d->function_id == OSSL_FUNC_CIPHER_FINAL) c->final = OSSL_FUNC_cipher_final(d);
    }
    CHECK(c->newctx && c->freectx && c->dupctx && c->init[0] && c->init[1] && c->update && c->final);
}

static const uint8_t key_bytes[64] = {1}, iv_bytes[16] = {2}, aad_bytes[200] = {3};

/* The lengths that it takes. */
static void find_lengths(struct cipher *c, void *provctx) {
    static const size_t key_lengths[] = {16, 24, 32, 48, 64}, iv_lengths[] = {12, 16, 0, 8, 4, 7};
    for (size_t k = 0; k < 30; k++) {
        void *const x = c->newctx(provctx);
        CHECK(x);
        c->key_len = key_lengths[k / 6], c->iv_len = iv_lengths[k % 6];
        const int ready = c->init[0](x, key_bytes, c->key_len, iv_bytes, c->iv_len, NULL);
        c->freectx(x);
        if (ready) return;
    }
    test_fail("%s takes none of these keys and IVs", c->name);
}

enum { CALLS = 12 };

/* A life of a context: what each of its calls returned. Some refuse: not every mode takes data in pieces, or AAD. */
static void live_once(const struct cipher *c, void *provctx, int way, bool done[CALLS]) {
    uint8_t buf[128] = {0};
    size_t n = 0, at = 0;
    memset(done, 0, CALLS * sizeof *done);
    void *const x = c->newctx(provctx);
    if (!(done[at++] = x != NULL)) return;
    done[at++] = c->init[way](x, key_bytes, c->key_len, iv_bytes, c->iv_len, NULL);
    done[at++] = c->update(x, NULL, &n, 0, aad_bytes, 20);
    done[at++] = c->update(x, NULL, &n, 0, aad_bytes, sizeof aad_bytes); /* more than SIV had room for */
    void *y = c->dupctx(x);
    done[at++] = y != NULL;
    if (y) c->freectx(y);
    done[at++] = c->update(x, buf, &n, sizeof buf, buf, 7);
    done[at++] = c->update(x, buf, &n, sizeof buf, buf, 40); /* in place, with bytes that wait */
    y = c->dupctx(x);
    done[at++] = y != NULL;
    if (y) c->freectx(y);
    done[at++] = c->final(x, buf, &n, sizeof buf);
    done[at++] = c->init[!way](x, key_bytes, c->key_len, iv_bytes, c->iv_len, NULL);
    done[at++] = c->update(x, buf, &n, sizeof buf, buf, 48);
    c->freectx(x);
}

/* Every call of every cipher, with each of its allocations failing: an error that says so, nothing lost, nothing
 * written beside (the sanitizers look on). */
static void no_memory(void *arg) {
    (void)arg;
    const OSSL_DISPATCH *f = NULL;
    void *ctx = NULL;
    size_t ciphers = 0, refused = 0;
    CHECK(OSSL_provider_init((const OSSL_CORE_HANDLE *)&ctx, core_functions, &f, &ctx) == 1);
    OSSL_FUNC_provider_query_operation_fn *query = NULL;
    OSSL_FUNC_provider_teardown_fn *teardown = NULL;
    for (; f->function_id; f++) {
        if (f->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION) query = OSSL_FUNC_provider_query_operation(f);
        if (f->function_id == OSSL_FUNC_PROVIDER_TEARDOWN) teardown = OSSL_FUNC_provider_teardown(f);
    }
    int no_cache;
    for (const OSSL_ALGORITHM *a = query(ctx, OSSL_OP_CIPHER, &no_cache); a && a->algorithm_names; a++, ciphers++) {
        struct cipher c;
        functions(&c, a);
        find_lengths(&c, ctx);
        for (int way = 0; way < 2; way++) {
            bool usual[CALLS], done[CALLS];
            fail_at = 0;
            live_once(&c, ctx, way, usual);
            CHECK(usual[0] && usual[1] && usual[4]);
            for (unsigned k = 1;; k++) {
                NOW(.what = "no memory", .name = c.name, .len = k, .a = (size_t)way);
                const long before = live;
                said_memory = false;
                fail_at = k;
                live_once(&c, ctx, way, done);
                const bool failed = !fail_at;
                fail_at = 0;
                if (live != before) test_fail("%ld blocks are lost", live - before);
                const bool differs = memcmp(done, usual, sizeof usual) != 0;
                if (differs != failed || said_memory != failed)
                    test_fail("an allocation %s, %s, %s", failed ? "failed" : "did not fail",
                              differs ? "a call was refused" : "no call was refused",
                              said_memory ? "and it said so" : "and nothing was said");
                if (!failed) break;
                refused++;
            }
        }
    }
    CHECK(ciphers >= 90 && refused >= 2 * 4 * ciphers); /* context, key, and both again for a copy */
    teardown(ctx);
}

/* The provider's own: it does not load, or what could not be tested is left out. */
static void no_memory_to_load(void *arg) {
    (void)arg;
    struct loaded whole, l;
    words = "aria,aes";
    CHECK(load(&whole));
    unsigned k = 1, less = 0;
    for (;; k++) {
        NOW(.what = "no memory to load", .len = k);
        const long before = live;
        fail_at = k;
        const bool ok = load(&l), failed = !fail_at;
        fail_at = 0;
        if (live != before) test_fail("%ld blocks are lost", live - before);
        if (!failed) break;
        CHECK(!ok || (l.aria <= whole.aria && l.aes <= whole.aes));
        less += !ok || l.aria < whole.aria || l.aes < whole.aes;
    }
    /* The first, whose failure nobody can be told of, the list, and those of both self-tests. (The object by which the
     * CPU mask is tried is missed by nobody.) */
    CHECK(k > 10 && less + 2 >= k - 1);
}

int main(void) {
    test_begin();
    test_add(answers, NULL, "known answers by the model");
    test_add(left_out, NULL, "what fails is left out");
    test_add(configuration, NULL, "algorithms");
    test_add(no_memory, NULL, "no memory");
    test_add(no_memory_to_load, NULL, "no memory to load");
    return test_end("selftest");
}
