/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public calls with bad arguments, at bad times and in bad memory: every status code of cadenza.h is made to come,
 * and nothing is written where one does. Objects in the caller's memory, without malloc; a malloc that fails at each
 * of its calls; blocks that are clean when they are freed; many threads on one object; fork().
 *
 * The program is linked with --wrap, so that all calls of malloc() and free() in the library come through here.
 */
#include "driver.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- malloc ---- */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static struct {
    bool on;        /* counting, or failing, or looking */
    size_t calls;   /* of malloc() and its like */
    size_t fail_at; /* this one fails, from 1 on; 0: none */
    long balance;   /* blocks not freed */
    size_t dirty;   /* freed blocks that were not all zero */
} watch;

static bool refuse(void) { return watch.on && ++watch.calls == watch.fail_at; }

void *__wrap_malloc(size_t n) {
    if (refuse()) return NULL;
    void *p = __real_malloc(n);
    if (watch.on && p) {
        watch.balance++;
        memset(p, 0, malloc_usable_size(p)); /* so that a block is clean unless somebody left something */
    }
    return p;
}

void *__wrap_calloc(size_t n, size_t size) {
    if (refuse()) return NULL;
    watch.balance += watch.on;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n) {
    if (refuse()) return NULL;
    if (watch.on && !p) watch.balance++;
    return __real_realloc(p, n);
}

void __wrap_free(void *p) {
    if (watch.on && p) {
        const uint8_t *q = p;
        const size_t n = malloc_usable_size(p);
        bool dirty = false;
        for (size_t i = 0; i < n; i++) dirty |= q[i] != 0;
        watch.dirty += dirty;
        watch.balance--;
    }
    __real_free(p);
}

/* ---- statuses that came ---- */

static bool came[64];

static void status(cdz_status got, cdz_status want, const char *expression, int line) {
    test_check_status(got, want, expression, __FILE__, line);
    came[-(int)got] = true;
}
#define IS(expression, want) status((expression), (want), #expression, __LINE__)

static const uint8_t key[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static uint8_t iv[64], data[4096], out[4096 + 64], tag[64];

static cdz_cipher *make(const char *name) {
    cdz_cipher *c;
    cdz_info info;
    CHECK_STATUS(cdz_describe(&info, name), CDZ_OK);
    CHECK_STATUS(cdz_cipher_new(&c, name, key, info.key_len), CDZ_OK);
    return c;
}

static void canaries(void) {
    memset(out, 0x77, sizeof out);
    memset(tag, 0x77, sizeof tag);
}
static void untouched(void) {
    test_all("output", out, 0x77, sizeof out);
    test_all("tag", tag, 0x77, sizeof tag);
}

/* ---- names, keys, memory ---- */

static void test_names(void *arg) {
    static const char *const bad[] = {"",
                                      "ARIA",
                                      "ARIA-",
                                      "ARIA-128",
                                      "ARIA-128-",
                                      "ARIA-129-GCM",
                                      "ARIA-12-GCM",
                                      "ARIA-1280-GCM",
                                      "DES-128-ECB",
                                      "ARIA-128-GCMX",
                                      "ARIA-128-GCM ",
                                      " ARIA-128-GCM",
                                      "ARIA128-GCM",
                                      "ARIA-128GCM",
                                      "ARIA-128-GC",
                                      "AES-192-XTS",
                                      "ARIA-192-XTS",
                                      "AES-192-GCM-SIV",
                                      "ARIA_128_GCM",
                                      "GCM"};
    static const char *const alike[][2] = {
        {"aria-256-gcm", "ARIA-256-GCM"},      {"Aes-128-Xts", "AES-128-XTS"},
        {"AES-128-CFB128", "AES-128-CFB"},     {"AES-256-WRAP", "AES-256-KW"},
        {"aria-128-wrap-pad", "ARIA-128-KWP"}, {"AES-128-CBC-CTS", "AES-128-CBC-CS1"}};
    cdz_info info;
    cdz_cipher *c = (cdz_cipher *)data;
    (void)arg;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        NOW(.what = "bad name", .name = bad[i]);
        IS(cdz_describe(&info, bad[i]), CDZ_ERR_NAME);
        c = (cdz_cipher *)data;
        IS(cdz_cipher_new(&c, bad[i], key, 16), CDZ_ERR_NAME);
        CHECK(c == NULL);
        CHECK(cdz_cipher_size(bad[i]) == 0);
    }
    IS(cdz_describe(&info, NULL), CDZ_ERR_NULL);
    IS(cdz_describe(NULL, "ARIA-128-GCM"), CDZ_ERR_NULL);
    CHECK(cdz_cipher_size(NULL) == 0);
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        NOW(.what = "name", .name = alike[i][0]);
        IS(cdz_describe(&info, alike[i][0]), CDZ_OK);
        CHECK(strcmp(info.name, alike[i][1]) == 0);
        c = make(alike[i][0]);
        CHECK(strcmp(cdz_cipher_name(c), alike[i][1]) == 0);
        cdz_cipher_free(c);
    }
    CHECK(cdz_mode_name(0) && !cdz_mode_name(1000) && !cdz_mode_name(SIZE_MAX));
    CHECK(strcmp(cdz_version(), "0.0.0") > 0);
}

static void each_key_length(const struct algorithm *a) {
    cdz_cipher *c;
    NOW(.what = "key length", .name = a->name);
    for (size_t n = 0; n <= 130; n++) {
        uint8_t k[130];
        rnd_fill(k, sizeof k);
        IS(cdz_cipher_new(&c, a->name, k, n), n == a->info.key_len ? CDZ_OK : CDZ_ERR_KEY_LENGTH);
        CHECK((c != NULL) == (n == a->info.key_len));
        cdz_cipher_free(c);
    }
    IS(cdz_cipher_new(&c, a->name, NULL, a->info.key_len), CDZ_ERR_NULL);
    CHECK(c == NULL);
    IS(cdz_cipher_new(NULL, a->name, key, a->info.key_len), CDZ_ERR_NULL);
}

static void test_keys(void *arg) {
    (void)arg;
    each_algorithm(each_key_length);
}

static void test_engine_names(void *arg) {
    cdz_cipher *c;
    cdz_engine_info e;
    (void)arg;
    IS(cdz_cipher_new_on(&c, "aria/nonsense", "ARIA-128-CTR", key, 16), CDZ_ERR_NAME);
    IS(cdz_cipher_new_on(&c, "", "ARIA-128-CTR", key, 16), CDZ_ERR_NAME);
    IS(cdz_cipher_new_on(&c, "aes/portable", "ARIA-128-CTR", key, 16), CDZ_ERR_NAME);
    IS(cdz_cipher_new_on(&c, "aria/portable+", "ARIA-128-CTR", key, 16), CDZ_ERR_NAME);
    CHECK(c == NULL);
    IS(cdz_cipher_new_on(&c, "ghash/portable+aria/portable", "ARIA-128-GCM", key, 16), CDZ_OK);
    CHECK(strcmp(cdz_engine_name(c), "aria/portable+ghash/portable") == 0);
    cdz_cipher_free(c);
    CHECK(!cdz_engine_at(1000, &e));

    /* Masks: a bad word changes nothing, a good one takes engines away, and they come back. */
    IS(cdz_cpu_mask("-nonsense"), CDZ_ERR_CPU_MASK);
    IS(cdz_cpu_mask("avx2"), CDZ_ERR_CPU_MASK);
    char all[512], fewer[512];
    CHECK(cdz_cpu_features(all, sizeof all) < sizeof all);
    CHECK(cdz_cpu_features(NULL, 0) == strlen(all));
    char words[600];
    size_t at = 0;
    for (const char *p = all; *p;) { /* everything that there is, taken away */
        const size_t n = strcspn(p, " ");
        at += (size_t)snprintf(words + at, sizeof words - at, "%s-%.*s", at ? "," : "", (int)n, p);
        p += n + (p[n] == ' ');
    }
    bool gone = false;
    if (at) {
        IS(cdz_cpu_mask(words), CDZ_OK);
        CHECK(cdz_cpu_features(fewer, sizeof fewer) == 0 && fewer[0] == 0);
        for (size_t i = 0; cdz_engine_at(i, &e); i++) {
            CHECK(!e.usable == (e.needs[0] != 0));
            if (e.usable || strncmp(e.name, "ghash", 5) == 0) continue;
            gone = true;
            IS(cdz_cipher_new_on(&c, e.name, strncmp(e.name, "aria", 4) ? "AES-128-CTR" : "ARIA-128-CTR", key, 16),
               CDZ_ERR_ENGINE);
            CHECK(c == NULL);
        }
        c = make("ARIA-128-GCM");
        CHECK(strcmp(cdz_engine_name(c), "aria/portable+ghash/portable") == 0);
        cdz_cipher_free(c);
    }
    came[-CDZ_ERR_ENGINE] |= !gone; /* where the build has no engine that could be taken away */
    IS(cdz_cpu_mask(NULL), CDZ_OK);
    cdz_cpu_features(fewer, sizeof fewer);
    CHECK(strcmp(all, fewer) == 0);
}

/* ---- objects in the caller's memory ---- */

static void each_init(const struct algorithm *a) {
    const size_t size = cdz_cipher_size(a->name);
    static struct guard g;
    cdz_cipher *c, *d;
    uint8_t text[64], back[64], t[16];
    if (!g.lo) guard_new(&g, 65536);
    NOW(.what = "init", .name = a->name);
    CHECK(size > 0 && size + 128 < 32768);
    rnd_fill(text, sizeof text);
    for (size_t at = 0; at < 64; at += a->bits == 128 ? 1 : 13) { /* any alignment, exactly so much */
        uint8_t *mem = g.hi - size - at;
        memset(g.lo, 0x77, (size_t)(g.hi - g.lo));
        IS(cdz_cipher_init(&c, mem, size, a->name, key, a->info.key_len), CDZ_OK);
        test_all("before the object", g.lo, 0x77, (size_t)(mem - g.lo));
        test_all("behind the object", mem + size, 0x77, at);
        IS(cdz_cipher_copy(&d, g.lo + at, size, c), CDZ_OK);
        cdz_cipher_wipe(c);
        const struct msg m = {
            iv, a->info.iv_default, NULL, 0, text, algorithm_length(a, 48), a->info.tag_lengths ? 16u : 0};
        struct msg r = m;
        size_t n, k;
        CHECK_STATUS(drive_encrypt(d, a, &m, out, 128, &n, t), CDZ_OK);
        if (!a->info.mac) r.in = out, r.len = n;
        CHECK_STATUS(drive_decrypt(d, a, &r, back, 64, &k, t), CDZ_OK);
        if (!a->info.mac) test_same("round trip", back, text, m.len);
        const size_t used = d->size;
        cdz_cipher_wipe(d);
        test_all("wiped memory", (uint8_t *)d, 0, used);
    }
    memset(g.lo, 0x77, 65536);
    for (size_t less = 0; less < size; less += less < 300 ? 1 : 97) {
        const cdz_status s = cdz_cipher_init(&c, g.lo + 1, less, a->name, key, a->info.key_len);
        if (s == CDZ_OK) { /* where the engine in use wants less than the largest */
            cdz_cipher_wipe(c);
            memset(g.lo, 0x77, 65536);
            break;
        }
        IS(s, CDZ_ERR_BUFFER);
        CHECK(c == NULL);
        test_all("memory of a refused object", g.lo, 0x77, less + 64);
    }
    IS(cdz_cipher_init(&c, NULL, size, a->name, key, a->info.key_len), CDZ_ERR_NULL);
    IS(cdz_cipher_init(NULL, g.lo, size, a->name, key, a->info.key_len), CDZ_ERR_NULL);
    IS(cdz_cipher_init(&c, g.lo, 16384, a->name, key, a->info.key_len), CDZ_OK);
    IS(cdz_cipher_copy(&d, g.lo + 16384, 64, c), CDZ_ERR_BUFFER);
    CHECK(d == NULL);
    IS(cdz_cipher_copy(&d, NULL, size, c), CDZ_ERR_NULL);
    IS(cdz_cipher_copy(NULL, g.lo + 16384, size, c), CDZ_ERR_NULL);
    IS(cdz_cipher_copy(&d, g.lo + 16384, size, NULL), CDZ_ERR_NULL);
    cdz_cipher_wipe(c);
}

static void test_init(void *arg) {
    (void)arg;
    cdz_cipher_wipe(NULL);
    cdz_cipher_free(NULL);
    each_algorithm(each_init);
}

/* No call but new and dup allocates: with a malloc that always fails, an object in the caller's memory does all. */
static void each_without_malloc(const struct algorithm *a) {
    static uint8_t mem[32768];
    struct cuts cuts = {.n = 2, .at = {5, 21}};
    cdz_cipher *c;
    size_t n, k;
    uint8_t t[16], back[256];
    const struct msg m = {
        iv, a->info.iv_default, NULL, 0, data, algorithm_length(a, 200), a->info.tag_lengths ? 16u : 0};
    struct msg r = m;
    NOW(.what = "without malloc", .name = a->name);
    engine_count("aria/portable");
    memset(&watch, 0, sizeof watch);
    watch.on = true;
    IS(cdz_cipher_init(&c, mem, sizeof mem, a->name, key, a->info.key_len), CDZ_OK);
    CHECK_STATUS(drive_encrypt(c, a, &m, out, 256, &n, t), CDZ_OK);
    if (!a->info.mac) r.in = out, r.len = n;
    CHECK_STATUS(drive_decrypt(c, a, &r, back, 256, &k, t), CDZ_OK);
    if (a->info.streaming) CHECK_STATUS(drive_stream(c, a, &m, CDZ_ENCRYPT, &cuts, out, &n, t), CDZ_OK);
    if (a->info.one_shot && !a->info.mac) {
        cdz_batch_message b[3];
        for (size_t i = 0; i < 3; i++)
            b[i] = (cdz_batch_message){
                iv, m.iv_len, NULL, 0, data, m.len, out + 300 * i, m.tag_len ? tag + 16 * i : NULL, m.tag_len, CDZ_OK};
        IS(cdz_encrypt_batch(c, b, 3), CDZ_OK);
    }
    cdz_cipher_wipe(c);
    watch.on = false;
    CHECK(watch.calls == 0);
}

static void test_without_malloc(void *arg) {
    (void)arg;
    each_algorithm(each_without_malloc);
}

/* ---- another key in an object ---- */

static void each_other_key(const struct algorithm *a) {
    static uint8_t other[64];
    const size_t key_len = a->info.key_len;
    uint8_t made[2][256], t[2][16], t_before[16], before[256];
    const struct msg m = {
        iv, a->info.iv_default, NULL, 0, data, algorithm_length(a, 200), a->info.tag_lengths ? 16u : 0};
    struct msg sealed = m;
    size_t n[2], k;
    cdz_cipher *c = make(a->name), *fresh;
    NOW(.what = "another key", .name = a->name);
    rnd_fill(other, sizeof other);
    rnd_fill(data, sizeof data);
    memset(t, 0, sizeof t);
    CHECK_STATUS(drive_encrypt(c, a, &m, before, sizeof before, &n[0], t_before), CDZ_OK);

    /* What is refused changes nothing. */
    IS(cdz_cipher_set_key(NULL, other, key_len), CDZ_ERR_NULL);
    IS(cdz_cipher_set_key(c, NULL, key_len), CDZ_ERR_NULL);
    IS(cdz_cipher_set_key(c, other, key_len - 1), CDZ_ERR_KEY_LENGTH);
    IS(cdz_cipher_set_key(c, other, key_len + 1), CDZ_ERR_KEY_LENGTH);
    IS(cdz_cipher_set_key(c, other, 0), CDZ_ERR_KEY_LENGTH);
    CHECK_STATUS(drive_encrypt(c, a, &m, made[0], 256, &n[0], t[0]), CDZ_OK);
    test_same("the key before", made[0], before, n[0]);
    if (m.tag_len) test_same("its tag", t[0], t_before, 16);

    /* In the middle of a message, which is given up. */
    if (a->info.streaming) {
        CHECK_STATUS(drive_begin(c, a, &m, CDZ_ENCRYPT, true), CDZ_OK);
        if (!a->info.mac) CHECK_STATUS(cdz_update(c, data, 21, out, sizeof out, NULL), CDZ_OK);
    }
    memset(&watch, 0, sizeof watch);
    watch.on = true;
    IS(cdz_cipher_set_key(c, other, key_len), CDZ_OK);
    watch.on = false;
    CHECK(watch.calls == 0);
    if (a->info.streaming) {
        IS(cdz_update(c, data, 16, out, sizeof out, NULL), CDZ_ERR_STATE);
        IS(cdz_finish(c, out, sizeof out, NULL), CDZ_ERR_STATE);
    }
    CHECK_STATUS(cdz_cipher_new(&fresh, a->name, other, key_len), CDZ_OK);
    CHECK(!strcmp(cdz_engine_name(c), cdz_engine_name(fresh)) && !strcmp(cdz_cipher_name(c), cdz_cipher_name(fresh)));
    CHECK_STATUS(drive_encrypt(c, a, &m, made[0], 256, &n[0], t[0]), CDZ_OK);
    CHECK_STATUS(drive_encrypt(fresh, a, &m, made[1], 256, &n[1], t[1]), CDZ_OK);
    CHECK(n[0] == n[1]);
    test_same("another key", made[0], made[1], n[0]);
    if (m.tag_len) test_same("its tag", t[0], t[1], 16);
    if (!a->info.mac) sealed.in = made[1], sealed.len = n[1];
    CHECK_STATUS(drive_decrypt(c, a, &sealed, made[0], 256, &k, t[1]), CDZ_OK);
    if (!a->info.mac) test_same("decrypted", made[0], data, m.len);

    /* Equal halves of a key for XTS are a fault of the key, not of the object. */
    if (!strcmp(a->model->name, "XTS")) {
        uint8_t weak[64];
        memcpy(weak, other, key_len / 2);
        memcpy(weak + key_len / 2, other, key_len / 2);
        IS(cdz_cipher_set_key(c, weak, key_len), CDZ_OK);
        IS(cdz_encrypt(c, iv, 16, NULL, 0, data, 32, out, NULL, 0), CDZ_ERR_KEY_WEAK);
        IS(cdz_cipher_set_key(c, other, key_len), CDZ_OK);
        IS(cdz_encrypt(c, iv, 16, NULL, 0, data, 32, out, NULL, 0), CDZ_OK);
    }
    cdz_cipher_free(fresh);
    cdz_cipher_free(c);
}

static void test_other_key(void *arg) {
    (void)arg;
    engine_count("aria/portable");
    each_algorithm(each_other_key);
}

/* ---- malloc that fails, blocks that are clean ---- */

static void each_malloc_failure(const struct algorithm *a) {
    NOW(.what = "malloc fails", .name = a->name);
    for (int call = 0; call < 3; call++) {
        cdz_cipher *c = NULL, *from = make(a->name);
        size_t k = 1;
        for (;; k++) { /* the k-th allocation fails, until all of them succeed */
            memset(&watch, 0, sizeof watch);
            watch.fail_at = k;
            watch.on = true;
            c = (cdz_cipher *)data;
            const cdz_status s = call == 0   ? cdz_cipher_new(&c, a->name, key, a->info.key_len)
                                 : call == 1 ? cdz_cipher_new_on(&c, NULL, a->name, key, a->info.key_len)
                                             : cdz_cipher_dup(&c, from);
            watch.on = false;
            if (s == CDZ_OK) break;
            IS(s, CDZ_ERR_MEMORY);
            CHECK(c == NULL && watch.balance == 0 && watch.dirty == 0 && k < 10);
        }
        CHECK(k >= 2); /* something was allocated, and that failing was seen */
        watch.on = true;
        cdz_cipher_free(c);
        watch.on = false;
        CHECK(watch.balance == 0);
        CHECK(watch.dirty == 0); /* freed blocks hold nothing any more */
        cdz_cipher_free(from);
    }
}

static void test_malloc_failure(void *arg) {
    (void)arg;
    each_algorithm(each_malloc_failure);
}

/* ---- one-shot arguments ---- */

static void each_one_shot(const struct algorithm *a) {
    cdz_cipher *c = make(a->name);
    const size_t iv_len = a->info.iv_default, tag_len = a->info.tag_lengths ? 16 : 0, len = a->info.mac ? 0 : 64;
    uint8_t *const t = tag_len ? tag : NULL;
    NOW(.what = "bad arguments", .name = a->name);
    rnd_fill(data, sizeof data);
    if (!a->info.one_shot) {
        canaries();
        IS(cdz_encrypt(c, iv, iv_len, NULL, 0, data, len, out, t, tag_len), CDZ_ERR_UNSUPPORTED);
        IS(cdz_decrypt(c, iv, iv_len, NULL, 0, data, len, out, t, tag_len), CDZ_ERR_UNSUPPORTED);
        untouched();
        cdz_cipher_free(c);
        return;
    }
#define BOTH(want, object, ...)                                                                                        \
    do {                                                                                                               \
        canaries();                                                                                                    \
        IS(cdz_encrypt(object, __VA_ARGS__), want);                                                                    \
        IS(cdz_decrypt(object, __VA_ARGS__), want);                                                                    \
        untouched();                                                                                                   \
    } while (0)
    BOTH(CDZ_ERR_NULL, NULL, iv, iv_len, NULL, 0, data, len, out, t, tag_len);
    if (len) {
        BOTH(CDZ_ERR_NULL, c, iv, iv_len, NULL, 0, NULL, len, out, t, tag_len);
        BOTH(CDZ_ERR_NULL, c, iv, iv_len, NULL, 0, data, len, NULL, t, tag_len);
    }
    if (iv_len) BOTH(CDZ_ERR_NULL, c, NULL, iv_len, NULL, 0, data, len, out, t, tag_len);
    if (a->info.iv_max < 64) BOTH(CDZ_ERR_IV_LENGTH, c, iv, a->info.iv_max + 1, NULL, 0, data, len, out, t, tag_len);
    if (a->info.iv_min > 0) BOTH(CDZ_ERR_IV_LENGTH, c, iv, a->info.iv_min - 1, NULL, 0, data, len, out, t, tag_len);
    if (!a->info.max_aad)
        BOTH(CDZ_ERR_AAD, c, iv, iv_len, data, 5, data, len, out, t, tag_len);
    else
        BOTH(CDZ_ERR_NULL, c, iv, iv_len, NULL, 5, data, len, out, t, tag_len);
    if (!tag_len) {
        BOTH(CDZ_ERR_TAG_UNUSED, c, iv, iv_len, NULL, 0, data, len, out, tag, 16);
    } else {
        BOTH(CDZ_ERR_TAG_MISSING, c, iv, iv_len, NULL, 0, data, len, out, NULL, 0);
        BOTH(CDZ_ERR_TAG_LENGTH, c, iv, iv_len, NULL, 0, data, len, out, tag, 17);
        BOTH(CDZ_ERR_TAG_LENGTH, c, iv, iv_len, NULL, 0, data, len, out, tag, 1);
        BOTH(CDZ_ERR_NULL, c, iv, iv_len, NULL, 0, data, len, out, NULL, 16);
    }
    if (a->info.unit > 1) BOTH(CDZ_ERR_LENGTH, c, iv, iv_len, NULL, 0, data, len + 1, out, t, tag_len);
    if (a->info.min_len > 0) BOTH(CDZ_ERR_LENGTH, c, iv, iv_len, NULL, 0, data, a->info.min_len - 1, out, t, tag_len);
    if (a->info.max_len < SIZE_MAX / 2)
        BOTH(CDZ_ERR_LIMIT, c, iv, iv_len, NULL, 0, out, ((size_t)a->info.max_len / 16 + 1) * 16, out, t, tag_len);
#undef BOTH

    /* Overlap: the same is fine, anything else is refused before a byte is written. */
    static uint8_t arena[512], before[512];
    rnd_fill(arena, sizeof arena);
    memcpy(before, arena, sizeof arena);
    for (size_t shift = 1; len && shift < len; shift++) {
        IS(cdz_encrypt(c, iv, iv_len, NULL, 0, arena + 100, len, arena + 100 + shift, t, tag_len), CDZ_ERR_OVERLAP);
        IS(cdz_encrypt(c, iv, iv_len, NULL, 0, arena + 100, len, arena + 100 - shift, t, tag_len), CDZ_ERR_OVERLAP);
        IS(cdz_decrypt(c, iv, iv_len, NULL, 0, arena + 100, len, arena + 100 + shift, t, tag_len), CDZ_ERR_OVERLAP);
        IS(cdz_decrypt(c, iv, iv_len, NULL, 0, arena + 100, len, arena + 100 - shift, t, tag_len), CDZ_ERR_OVERLAP);
    }
    if (len && iv_len) {
        IS(cdz_encrypt(c, arena + 50, iv_len, NULL, 0, data, len, arena + 50 + iv_len - 1, t, tag_len),
           CDZ_ERR_OVERLAP);
        IS(cdz_encrypt(c, arena + 50 + len - 1, iv_len, NULL, 0, data, len, arena + 50, t, tag_len), CDZ_ERR_OVERLAP);
    }
    if (len && a->model->aad)
        IS(cdz_decrypt(c, iv, iv_len, arena + 60, 20, data, len, arena + 79, t, tag_len), CDZ_ERR_OVERLAP);
    if (len && tag_len) {
        IS(cdz_encrypt(c, iv, iv_len, NULL, 0, data, len, arena + 50, arena + 50 + len - 1, 16), CDZ_ERR_OVERLAP);
        IS(cdz_decrypt(c, iv, iv_len, NULL, 0, data, len, arena + 50, arena + 35, 16), CDZ_ERR_OVERLAP);
    }
    test_same("memory of refused calls", arena, before, sizeof arena);
    /* Right beside each other is no overlap. */
    if (len) {
        IS(cdz_encrypt(c, iv, iv_len, NULL, 0, arena + 100, len, arena + 100 + len, t, tag_len), CDZ_OK);
        IS(cdz_encrypt(c, iv, iv_len, NULL, 0, arena + 100, len, arena + 100 - len, t, tag_len), CDZ_OK);
    }
    cdz_cipher_free(c);
}

static void test_one_shot(void *arg) {
    (void)arg;
    each_algorithm(each_one_shot);
    cdz_cipher *c = NULL;
    uint8_t weak[32] = {0};
    IS(cdz_cipher_new(&c, "AES-128-XTS", weak, 32), CDZ_OK);
    canaries();
    IS(cdz_encrypt(c, iv, 16, NULL, 0, data, 32, out, NULL, 0), CDZ_ERR_KEY_WEAK);
    untouched();
    cdz_cipher_free(c);
    c = make("AES-128-GCM");
    memset(tag, 0, 16);
    memset(out, 0x77, 64);
    IS(cdz_decrypt(c, iv, 12, NULL, 0, data, 32, out, tag, 16), CDZ_ERR_AUTH);
    test_all("output after a wrong tag", out, 0, 32);
    test_all("behind it", out + 32, 0x77, 32);
    cdz_cipher_free(c);
}

/* ---- calls that a mode does not offer, and calls out of order ---- */

static void each_unsupported(const struct algorithm *a) {
    cdz_cipher *c = make(a->name);
    const bool siv = a->mode->flags & CDZ_MODE_STRINGS;
    size_t n = 777;
    unsigned used;
    NOW(.what = "not offered", .name = a->name);
    canaries();
    if (!siv) {
        const cdz_bytes none = {NULL, 0};
        IS(cdz_siv_encrypt(c, &none, 1, data, 16, out, tag), CDZ_ERR_UNSUPPORTED);
        IS(cdz_siv_decrypt(c, &none, 1, data, 16, out, tag), CDZ_ERR_UNSUPPORTED);
    }
    if (!a->info.wraps) {
        IS(cdz_wrap(c, NULL, 0, data, 16, out, 64, &n), CDZ_ERR_UNSUPPORTED);
        IS(cdz_unwrap(c, NULL, 0, data, 24, out, 64, &n), CDZ_ERR_UNSUPPORTED);
    }
    if (!a->info.mac) {
        IS(cdz_mac(c, NULL, 0, data, 16, tag, 16), CDZ_ERR_UNSUPPORTED);
        IS(cdz_mac_verify(c, NULL, 0, data, 16, tag, 16), CDZ_ERR_UNSUPPORTED);
    }
    if (!(a->mode->flags & CDZ_MODE_CHAIN))
        IS(cdz_chain(c, tag, &used), CDZ_ERR_UNSUPPORTED);
    else
        IS(cdz_chain(c, tag, &used), CDZ_ERR_STATE);
    if (!a->info.streaming) {
        IS(cdz_begin(c, CDZ_ENCRYPT, iv, a->info.iv_default), CDZ_ERR_UNSUPPORTED);
        IS(cdz_begin_sized(c, CDZ_DECRYPT, iv, a->info.iv_default, 0, 16, 0), CDZ_ERR_UNSUPPORTED);
        IS(cdz_aad(c, data, 1), CDZ_ERR_UNSUPPORTED);
        IS(cdz_update(c, data, 16, out, 64, &n), CDZ_ERR_UNSUPPORTED);
        IS(cdz_finish(c, out, 64, &n), CDZ_ERR_UNSUPPORTED);
        IS(cdz_expect_tag(c, data, 16), CDZ_ERR_UNSUPPORTED);
        IS(cdz_tag(c, tag, 16), CDZ_ERR_UNSUPPORTED);
    } else { /* before begin */
        IS(cdz_update(c, data, a->info.mac ? 0 : 16, out, 64, &n), CDZ_ERR_STATE);
        IS(cdz_finish(c, out, 64, &n), CDZ_ERR_STATE);
        if (a->info.max_aad)
            IS(cdz_aad(c, data, 1), CDZ_ERR_STATE);
        else
            IS(cdz_aad(c, data, 1), CDZ_ERR_AAD);
        if (a->info.tag_lengths) {
            IS(cdz_expect_tag(c, data, 16), CDZ_ERR_STATE);
            IS(cdz_tag(c, tag, 16), CDZ_ERR_STATE);
        } else {
            IS(cdz_expect_tag(c, data, 16), CDZ_ERR_TAG_UNUSED);
            IS(cdz_tag(c, tag, 16), CDZ_ERR_TAG_UNUSED);
        }
        const struct msg m = {iv, a->info.iv_default, NULL, 0, data, 32, a->info.tag_lengths ? 16u : 0};
        CHECK_STATUS(drive_begin(c, a, &m, CDZ_DECRYPT, false), CDZ_OK);
        if (!a->info.mac) {
            uint8_t x[96];
            CHECK_STATUS(cdz_update(c, data, 32, x, sizeof x, &n), CDZ_OK);
            if (a->model->aad) IS(cdz_aad(c, data, 1), CDZ_ERR_STATE);
        }
        if (a->info.tag_lengths) {
            IS(cdz_finish(c, out, 64, &n), CDZ_ERR_TAG_MISSING);
            IS(cdz_expect_tag(c, data, 0), CDZ_ERR_TAG_MISSING);
            IS(cdz_expect_tag(c, data, 3), CDZ_ERR_TAG_LENGTH);
            IS(cdz_expect_tag(c, data, 17), CDZ_ERR_TAG_LENGTH);
            IS(cdz_expect_tag(c, NULL, 16), CDZ_ERR_NULL);
            IS(cdz_tag(c, tag, 16), CDZ_ERR_STATE);
        }
        IS(cdz_begin(c, (cdz_direction)0, iv, a->info.iv_default), CDZ_ERR_STATE);
        IS(cdz_begin(c, (cdz_direction)3, iv, a->info.iv_default), CDZ_ERR_STATE);
        if (a->info.iv_min)
            IS(cdz_begin_sized(c, CDZ_ENCRYPT, NULL, a->info.iv_default, 0, 32, 0),
               a->info.mac ? CDZ_ERR_LIMIT : CDZ_ERR_NULL);
    }
    untouched();
    /* Without an object. */
    canaries();
    IS(cdz_begin(NULL, CDZ_ENCRYPT, iv, 16), CDZ_ERR_NULL);
    IS(cdz_begin_sized(NULL, CDZ_ENCRYPT, iv, 16, 0, 16, 0), CDZ_ERR_NULL);
    IS(cdz_aad(NULL, data, 1), CDZ_ERR_NULL);
    IS(cdz_update(NULL, data, 16, out, 64, &n), CDZ_ERR_NULL);
    IS(cdz_finish(NULL, out, 64, &n), CDZ_ERR_NULL);
    IS(cdz_expect_tag(NULL, data, 16), CDZ_ERR_NULL);
    IS(cdz_tag(NULL, tag, 16), CDZ_ERR_NULL);
    IS(cdz_chain(NULL, tag, &used), CDZ_ERR_NULL);
    IS(cdz_wrap(NULL, NULL, 0, data, 16, out, 64, &n), CDZ_ERR_NULL);
    IS(cdz_unwrap(NULL, NULL, 0, data, 24, out, 64, &n), CDZ_ERR_NULL);
    IS(cdz_mac(NULL, NULL, 0, data, 16, tag, 16), CDZ_ERR_NULL);
    IS(cdz_mac_verify(NULL, NULL, 0, data, 16, tag, 16), CDZ_ERR_NULL);
    IS(cdz_siv_encrypt(NULL, NULL, 0, data, 16, out, tag), CDZ_ERR_NULL);
    IS(cdz_siv_decrypt(NULL, NULL, 0, data, 16, out, tag), CDZ_ERR_NULL);
    cdz_batch_message message = {.in = data, .len = 16, .out = out};
    IS(cdz_encrypt_batch(NULL, &message, 1), CDZ_ERR_NULL);
    IS(cdz_decrypt_batch(NULL, &message, 1), CDZ_ERR_NULL);
    IS(cdz_encrypt_batch(c, NULL, 0), CDZ_OK);
    IS(cdz_encrypt_batch(c, NULL, 1), CDZ_ERR_NULL);
    cdz_cipher *d = c;
    IS(cdz_cipher_dup(&d, NULL), CDZ_ERR_NULL);
    CHECK(d == NULL);
    IS(cdz_cipher_dup(NULL, c), CDZ_ERR_NULL);
    CHECK(strcmp(cdz_cipher_name(NULL), "") == 0 && strcmp(cdz_engine_name(NULL), "") == 0);
    untouched();
    cdz_cipher_free(c);
}

static void test_unsupported(void *arg) {
    (void)arg;
    each_algorithm(each_unsupported);
}

/* Padding: 0 to 33 bytes and back; all values of the last byte; lengths that no padded text has (B32). */
static void test_padding(void *arg) {
    (void)arg;
    for (int which = 0; which < 2; which++) {
        cdz_cipher *c = make(which ? "AES-128-CBC-PKCS7" : "ARIA-256-CBC-PKCS7");
        cdz_cipher *raw = make(which ? "AES-128-CBC" : "ARIA-256-CBC");
        size_t n, m;
        for (int last = 0; last < 256; last++)
            for (int same = 0; same < 2; same++) { /* all of the padding right, or its first byte alone wrong */
                uint8_t x[32], y[64];
                memset(x, 0x55, sizeof x);
                const bool good = last >= 1 && last <= 16 && (same || last == 1);
                for (int i = 0; i < last && i < 32; i++) x[31 - i] = (uint8_t)last;
                x[31] = (uint8_t)last;
                if (!same && last > 1 && last <= 16) x[32 - last] ^= 0x80;
                NOW(.what = "padding", .name = cdz_cipher_name(c), .len = (size_t)last, .a = (size_t)same);
                CHECK_STATUS(cdz_encrypt(raw, iv, 16, NULL, 0, x, 32, x, NULL, 0), CDZ_OK);
                CHECK_STATUS(cdz_begin(c, CDZ_DECRYPT, iv, 16), CDZ_OK);
                CHECK_STATUS(cdz_update(c, x, 32, y, sizeof y, &n), CDZ_OK);
                memset(out, 0x77, 64);
                IS(cdz_finish(c, out, 64, &m), good ? CDZ_OK : CDZ_ERR_PADDING);
                if (good)
                    CHECK(n + m == 32 - (size_t)last);
                else
                    test_all("output of a wrong padding", out, 0x77, 64);
            }
        for (size_t len = 0; len < 50; len++) {
            uint8_t y[100];
            CHECK_STATUS(cdz_begin(c, CDZ_DECRYPT, iv, 16), CDZ_OK);
            CHECK_STATUS(cdz_update(c, data, len, y, sizeof y, &n), CDZ_OK);
            if (len % 16 || !len) IS(cdz_finish(c, out, 64, &m), CDZ_ERR_LENGTH);
        }
        cdz_cipher_free(c);
        cdz_cipher_free(raw);
    }
}

/* ---- sentences ---- */

static void test_sentences(void *arg) {
    (void)arg;
    for (int s = 1; s > -64; s--) {
        const char *t = cdz_strerror(s);
        CHECK(t && *t);
        CHECK(t[strlen(t) - 1] != '.');
        if (s > 0 || s < CDZ_ERR_ENGINE) continue;
        for (int other = 0; other > s; other--) CHECK(strcmp(t, cdz_strerror(other)) != 0);
        CHECK(strcmp(t, cdz_strerror(1000)) != 0);
    }
}

/* All statuses of the header came, in the tests before: the last test. */
static void test_all_came(void *arg) {
    (void)arg;
    for (int s = 0; s >= CDZ_ERR_ENGINE; s--)
        if (!came[-s]) test_fail("no test makes status %d (%s) come", s, cdz_strerror(s));
}

/* ---- threads ---- */

struct worker {
    const cdz_cipher *c;
    const struct algorithm *a;
    uint64_t number;
    uint8_t want[300], want_tag[16];
    int failures;
};

static void *work(void *arg) {
    struct worker *w = arg;
    uint8_t o[300], t[16], text[200], v[16];
    const size_t tag_len = w->a->info.tag_lengths ? 16 : 0, len = w->a->info.mac ? 0 : 160;
    memset(v, (int)w->number, sizeof v);
    memset(text, (int)w->number + 7, sizeof text);
    for (int i = 0; i < 200; i++) {
        w->failures +=
            cdz_encrypt(w->c, v, w->a->info.iv_default, NULL, 0, text, len, o, tag_len ? t : NULL, tag_len) != CDZ_OK;
        if (i == 0) {
            memcpy(w->want, o, len);
            memcpy(w->want_tag, t, tag_len);
        }
        w->failures += memcmp(o, w->want, len) != 0 || memcmp(t, w->want_tag, tag_len) != 0;
        w->failures +=
            cdz_decrypt(w->c, v, w->a->info.iv_default, NULL, 0, o, len, o, tag_len ? t : NULL, tag_len) != CDZ_OK;
        w->failures += memcmp(o, text, len) != 0;
    }
    return NULL;
}

static void each_threads(const struct algorithm *a) {
    enum { THREADS = 4 };
    struct worker w[THREADS];
    pthread_t id[THREADS];
    if (!a->info.one_shot || a->bits != 128) return;
    cdz_cipher *c = make(a->name);
    NOW(.what = "threads", .name = a->name, .engine = cdz_engine_name(c));
    memset(w, 0, sizeof w);
    for (size_t i = 0; i < THREADS; i++) {
        w[i].c = c;
        w[i].a = a;
        w[i].number = i;
        CHECK(pthread_create(&id[i], NULL, work, &w[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(id[i], NULL) == 0);
        CHECK(w[i].failures == 0);
    }
    /* And alone, the same bytes. */
    for (size_t i = 0; i < THREADS; i++) {
        struct worker again = w[i];
        work(&again);
        test_same("output", again.want, w[i].want, sizeof again.want);
        test_same("tag", again.want_tag, w[i].want_tag, 16);
    }
    cdz_cipher_free(c);
}

static void test_threads(void *arg) {
    (void)arg;
    each_algorithm(each_threads);
}

/* ---- fork ---- */

static void test_fork(void *arg) {
    cdz_cipher *c = make("ARIA-256-GCM"), *d;
    uint8_t want[200], want_tag[16], t[16];
    size_t n, m;
    int result;
    (void)arg;
    rnd_fill(data, 200);
    CHECK_STATUS(cdz_encrypt(c, iv, 12, NULL, 0, data, 200, want, want_tag, 16), CDZ_OK);
    CHECK_STATUS(cdz_begin(c, CDZ_ENCRYPT, iv, 12), CDZ_OK);
    CHECK_STATUS(cdz_update(c, data, 77, out, sizeof out, &n), CDZ_OK);
    fflush(NULL);
    const pid_t child = fork();
    CHECK(child >= 0);
    /* Both sides go on with the same message, and with an object made afterwards. */
    bool good = cdz_update(c, data + 77, 123, out + n, sizeof out - n, &m) == CDZ_OK &&
                cdz_finish(c, NULL, 0, NULL) == CDZ_OK && cdz_tag(c, t, 16) == CDZ_OK && memcmp(out, want, 200) == 0 &&
                memcmp(t, want_tag, 16) == 0 && cdz_cipher_new(&d, "ARIA-256-GCM", key, 32) == CDZ_OK &&
                cdz_encrypt(d, iv, 12, NULL, 0, data, 200, out, t, 16) == CDZ_OK && memcmp(out, want, 200) == 0;
    if (child == 0) _exit(good ? 0 : 1);
    CHECK(good);
    CHECK(waitpid(child, &result, 0) == child && WIFEXITED(result) && WEXITSTATUS(result) == 0);
    cdz_cipher_free(c);
    cdz_cipher_free(d);
}

int main(void) {
    test_begin();
    rnd_fill(iv, sizeof iv);
    test_add(test_names, NULL, "names");
    test_add(test_keys, NULL, "keys");
    test_add(test_engine_names, NULL, "names of engines, masks");
    test_add(test_init, NULL, "objects in the caller's memory");
    test_add(test_other_key, NULL, "another key in an object");
    test_add(test_without_malloc, NULL, "no malloc");
    test_add(test_malloc_failure, NULL, "malloc fails");
    test_add(test_one_shot, NULL, "one call: bad arguments");
    test_add(test_unsupported, NULL, "not offered, or out of order");
    test_add(test_padding, NULL, "padding");
    test_add(test_sentences, NULL, "sentences");
    test_add(test_threads, NULL, "threads");
    test_add(test_fork, NULL, "fork");
    if (!getenv("CDZ_TEST_ONLY")) test_add(test_all_came, NULL, "every status came");
    return test_end("the public calls");
}
