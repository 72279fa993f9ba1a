/* SPDX-License-Identifier: Apache-2.0 */
/* Running, failing, random numbers, guard pages, engines. See harness.h. */
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

int test_quick;
struct test_case test_now;

/* ---- random numbers: splitmix64 ---- */

static uint64_t seed, state;
static size_t sample = 1; /* one test of so many is run */

uint64_t rnd64(void) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

size_t rnd_below(size_t n) { return n ? (size_t)(rnd64() % n) : 0; }

void rnd_fill(void *p, size_t n) {
    uint8_t *q = p;
    for (; n >= 8; n -= 8, q += 8) {
        const uint64_t x = rnd64();
        memcpy(q, &x, 8);
    }
    if (n) {
        const uint64_t x = rnd64();
        memcpy(q, &x, n);
    }
}

void rnd_start(const char *text) {
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *text; text++) h = (h ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    state = seed ^ h;
}

size_t rnd_of(const char *text, size_t n) {
    const uint64_t before = state;
    rnd_start(text);
    rnd64(); /* else what comes out would be what a test of this name begins with */
    const size_t x = rnd_below(n);
    state = before;
    return x;
}

/* ---- running ---- */

struct item {
    char name[120];
    void (*run)(void *arg);
    void *arg;
};
static struct item *items;
static size_t item_count;

void test_begin(void) {
    const char *s = getenv("CDZ_TEST_SEED"), *q = getenv("CDZ_TEST_QUICK");
    /* A new seed a run finds more than the same one for ever; the printed line brings it back. */
    if (s && *s)
        seed = strtoull(s, NULL, 0);
    else if (getentropy(&seed, sizeof seed) != 0)
        seed = 1;
    test_quick = q && *q ? (int)strtol(q, NULL, 0) : 0;
    const char *n = getenv("CDZ_TEST_SAMPLE");
    if (n && *n) sample = strtoul(n, NULL, 0);
    if (!sample) sample = 1;
    rnd_start("");
    printf("CDZ_TEST_SEED=%llu%s", (unsigned long long)seed,
           test_quick > 1 ? " (very quick)"
           : test_quick   ? " (quick)"
                          : "");
    if (sample > 1) printf(", one test of %zu", sample);
    printf("\n");
    fflush(stdout);
}

void test_add(void (*run)(void *arg), void *arg, const char *format, ...) {
    items = realloc(items, (item_count + 1) * sizeof *items);
    if (!items) abort();
    struct item *t = &items[item_count];
    va_list ap;
    va_start(ap, format);
    vsnprintf(t->name, sizeof t->name, format, ap);
    va_end(ap);
    t->run = run;
    t->arg = arg;
    const char *only = getenv("CDZ_TEST_ONLY");
    const bool meant =
        !only || (*only == '^' ? strncmp(t->name, only + 1, strlen(only + 1)) == 0 : strstr(t->name, only) != NULL);
    if (!meant) return;
    /* Until one is drawn, the first stands in. */
    static bool stands_in;
    const bool drawn = rnd_of(t->name, sample) == 0;
    if (drawn && stands_in) {
        items[0] = *t;
        stands_in = false;
    } else if (drawn || item_count == 0) {
        stands_in = !drawn;
        item_count++;
    }
}

static void describe(char *text, size_t cap) {
    snprintf(text, cap, "%s: %s on %s, length %zu (%zu, %zu)", test_now.what ? test_now.what : "?",
             test_now.name ? test_now.name : "?", test_now.engine ? test_now.engine : "?", test_now.len, test_now.a,
             test_now.b);
}

static void on_fault(int number) {
    char text[400], line[500];
    describe(text, sizeof text);
    const int n = snprintf(line, sizeof line, "\n*** signal %d in %s; CDZ_TEST_SEED=%llu\n", number, text,
                           (unsigned long long)seed);
    if (write(2, line, (size_t)n) < 0) _exit(126);
    signal(number, SIG_DFL);
    raise(number);
}

static void run_item(void **state_) {
    const struct item *t = *state_;
    memset(&test_now, 0, sizeof test_now);
    rnd_start(t->name);
    /* After cmocka, whose handler would say less. A crash ends the program: the rest would prove nothing. */
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) signal(faults[i], on_fault);
    t->run(t->arg);
}

void test_fail(const char *format, ...) {
    char text[400], message[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    describe(text, sizeof text);
    print_error("%s\n  in %s\n  CDZ_TEST_SEED=%llu\n", message, text, (unsigned long long)seed);
    fail();
    abort();
}

void test_skip(const char *format, ...) {
    char message[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    print_message("SKIP: %s\n", message);
    skip();
    abort();
}

void test_check_status(int got, int want, const char *expression, const char *file, int line) {
    if (got != want)
        test_fail("%s:%d: %s is %d (%s), not %d (%s)", file, line, expression, got, cdz_strerror(got), want,
                  cdz_strerror(want));
}

static void hex(char *out, const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) sprintf(out + 2 * i, "%02x", p[i]);
}

void test_same(const char *what, const uint8_t *got, const uint8_t *want, size_t n) {
    if (n == 0 || memcmp(got, want, n) == 0) return;
    size_t i = 0, bad = 0;
    while (got[i] == want[i]) i++;
    for (size_t j = 0; j < n; j++) bad += got[j] != want[j];
    char a[40] = "", b[40] = "";
    const size_t show = n - i < 16 ? n - i : 16;
    hex(a, got + i, show);
    hex(b, want + i, show);
    test_fail("%s: byte %zu of %zu and %zu more differ: got %s, want %s", what, i, n, bad - 1, a, b);
}

void test_all(const char *what, const uint8_t *p, uint8_t value, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != value) test_fail("%s: byte %zu of %zu is %02x, not %02x", what, i, n, p[i], value);
}

/* ---- guard pages ---- */

void guard_new(struct guard *g, size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = size ? (size + page - 1) / page * page : page;
    uint8_t *p = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p + page, inner, PROT_READ | PROT_WRITE) != 0) {
        perror("guard pages");
        abort();
    }
    g->lo = p + page;
    g->hi = g->lo + inner;
}

void guard_free(struct guard *g) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(g->lo - page, (size_t)(g->hi - g->lo) + 2 * page);
    g->lo = g->hi = NULL;
}

/* ---- engines ---- */

static struct {
    char name[40];
    unsigned long long calls;
    bool usable;
} engines[64];
static size_t engine_total;

static void list_engines(void) {
    cdz_engine_info info;
    if (engine_total) return;
    for (size_t i = 0; cdz_engine_at(i, &info); i++) {
        if (engine_total == sizeof engines / sizeof *engines) abort();
        snprintf(engines[engine_total].name, sizeof engines[0].name, "%s", info.name);
        engines[engine_total++].usable = info.usable;
    }
}

static void count_one(const char *name, size_t len) {
    for (size_t i = 0; i < engine_total; i++)
        if (strlen(engines[i].name) == len && memcmp(engines[i].name, name, len) == 0) {
            engines[i].calls++;
            return;
        }
    test_fail("'%s' is no engine of cdz_engine_at()", name);
}

void engine_count(const char *names) {
    list_engines();
    for (const char *p = names, *end; p; p = end ? end + 1 : NULL) {
        end = strchr(p, '+');
        count_one(p, end ? (size_t)(end - p) : strlen(p));
    }
}

size_t engine_batch(const char *name, size_t batch) {
#if defined(__riscv) && __riscv_xlen == 64
    if (strstr(name,
               "/sliced-")) { /* that it can be asked for means that there are vectors, and so vlenb (CSR 0xc22) */
        size_t vlenb;
        __asm__ volatile("csrr %0, 0xc22" : "=r"(vlenb));
        return 8 * vlenb;
    }
#else
    (void)name;
#endif
    return batch;
}

static void add_combo(struct combo *out, size_t *n, const cdz_engine_info *e, const cdz_engine_info *h) {
    struct combo c = {.engine = e->name, .batch = engine_batch(e->name, e->batch)};
    snprintf(c.name, sizeof c.name, h ? "%s+%s" : "%s", e->name, h ? h->name : "");
    c.slow = strstr(e->name, "/portable") != NULL;
    if (h && strstr(h->name, "/portable")) c.slow = true;
    if (h && h->batch > c.batch) c.batch = h->batch;
    for (size_t i = 0; i < *n; i++)
        if (strcmp(out[i].name, c.name) == 0) return;
    if (*n == COMBO_MAX) abort();
    out[(*n)++] = c;
}

size_t combos(const char *cipher, bool hash, struct combo out[COMBO_MAX]) {
    static cdz_engine_info all[64];
    size_t count = 0, n = 0;
    const cdz_engine_info *e[64], *h[64];
    size_t es = 0, hs = 0;
    list_engines();
    while (count < 64 && cdz_engine_at(count, &all[count])) count++;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].usable) continue;
        const char *slash = strchr(all[i].name, '/');
        const size_t family = slash ? (size_t)(slash - all[i].name) : 0;
        if (strlen(cipher) == family && strncasecmp(all[i].name, cipher, family) == 0) e[es++] = &all[i];
        if (family == 5 && strncmp(all[i].name, "ghash", 5) == 0) h[hs++] = &all[i];
    }
    for (size_t i = 0; i < es; i++) add_combo(out, &n, e[i], hash ? h[0] : NULL);
    if (hash) {
        for (size_t i = 0; i < es; i++) add_combo(out, &n, e[i], h[hs - 1]);
        for (size_t i = 0; i < hs; i++) add_combo(out, &n, e[0], h[i]);
    }
    return n;
}

cdz_cipher *combo_new(const struct combo *e, const char *name, const uint8_t *key, size_t key_len) {
    cdz_cipher *c;
    CHECK_STATUS(cdz_cipher_new_on(&c, e->name, name, key, key_len), CDZ_OK);
    if (strcmp(cdz_engine_name(c), e->name) != 0)
        test_fail("%s asked for %s and got %s", name, e->name, cdz_engine_name(c));
    return c;
}

/* How many names of `list`, separated by commas, did not run: those that the build does not have are among them. */
static int not_run(const char *list) {
    int missing = 0;
    list_engines();
    for (const char *p = list; p && *p;) {
        const size_t n = strcspn(p, ",");
        bool ran = false;
        for (size_t i = 0; i < engine_total; i++)
            if (strlen(engines[i].name) == n && memcmp(engines[i].name, p, n) == 0) ran = engines[i].calls > 0;
        if (!ran) printf("engine %.*s is required and did not run\n", (int)n, p);
        missing += !ran;
        p += n + (p[n] == ',');
    }
    return missing;
}

int test_end(const char *group) {
    struct CMUnitTest *tests = calloc(item_count + 1, sizeof *tests);
    if (!tests) abort();
    for (size_t i = 0; i < item_count; i++)
        tests[i] = (struct CMUnitTest){items[i].name, run_item, NULL, NULL, &items[i]};
    if (item_count == 0) {
        printf("no test of this name\n");
        return 1;
    }
    const int failed = _cmocka_run_group_tests(group, tests, item_count, NULL, NULL);
    free(tests);

    for (size_t i = 0; i < engine_total; i++) {
        if (engines[i].calls)
            printf("engine %-24s %12llu calls\n", engines[i].name, engines[i].calls);
        else
            printf("engine %-24s %s\n", engines[i].name,
                   engines[i].usable ? "no calls" : "SKIPPED: the CPU or the mask does not allow it");
    }
    const int missing = not_run(getenv("CDZ_TEST_REQUIRE"));
    if (failed || missing) printf("failed with CDZ_TEST_SEED=%llu\n", (unsigned long long)seed);
    return failed || missing ? 1 : 0;
}
