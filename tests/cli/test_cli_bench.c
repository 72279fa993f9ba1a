/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of `cadenza bench`: quartiles, lines, the rank test, what a report makes of its rounds, comparisons. */
#include "bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A test asks for more memory than there is: sanitizers are to say no, as the C library does, not to end. */
#define SAYS_NO(name)                                                                                                  \
    const char *name(void);                                                                                            \
    __attribute__((visibility("default"))) const char *name(void) { return "allocator_may_return_null=1"; }
SAYS_NO(__asan_default_options)
SAYS_NO(__msan_default_options)
SAYS_NO(__tsan_default_options)

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-12)) fail_msg("%.12g is not %.12g", a, b);
}

static void quartiles(void **state) {
    (void)state;
    double v[] = {9, 1, 5, 3, 7};
    struct stats s = stats_of(v, 5);
    near(s.min, 1);
    near(s.low, 3);
    near(s.median, 5);
    near(s.high, 7);
    double w[] = {4, 2};
    s = stats_of(w, 2);
    near(s.median, 3);
    near(s.low, 2.5);
    double one[] = {6};
    s = stats_of(one, 1);
    near(s.min, 6);
    near(s.high, 6);
}

static void lines(void **state) {
    (void)state;
    double x[8], y[8];
    for (int i = 0; i < 8; i++) {
        x[i] = 2048.0 * (i + 1);
        y[i] = 40 + 0.25 * x[i];
    }
    struct line l = fit_line(x, y, 8);
    near(l.slope, 0.25);
    near(l.start, 40);
    /* Two of eight spoilt, as far as can be: where least squares would be lost. */
    y[2] = 1e6;
    y[6] = 1e7;
    l = fit_line(x, y, 8);
    assert_true(fabs(l.slope - 0.25) < 0.01);
    /* one point, no line */
    l = fit_line(x, y, 1);
    near(l.slope, 0);
}

static void ranks(void **state) {
    (void)state;
    double a[25], b[25], c[25];
    for (int i = 0; i < 25; i++) {
        a[i] = 100 + i % 5;
        b[i] = 110 + i % 5;
        c[i] = 100 + (i + 2) % 5;
    }
    assert_true(confidence_of_difference(a, 25, b, 25) > 0.999999);
    assert_true(confidence_of_difference(b, 25, a, 25) > 0.999999);
    assert_true(confidence_of_difference(a, 25, c, 25) < 0.1); /* the same values in another order */
    near(confidence_of_difference(a, 25, a, 25), 0);
    near(confidence_of_difference(a, 3, b, 25), 0); /* too few to say */
    double same[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    near(confidence_of_difference(same, 8, same, 8), 0);
    /* Textbook: ranks 1 2 3 4 6 against 5 7 8 9 10: U = 1, mean 12.5, sd sqrt(25 * 11 / 12). */
    const double p[] = {1, 2, 3, 4, 6}, q[] = {5, 7, 8, 9, 10};
    near(confidence_of_difference(p, 5, q, 5), erf(11.0 / sqrt(25.0 * 11 / 12) / sqrt(2.0)));
    /* With ties: ranks 1 3 3 5.5 against 3 5.5 7.5 7.5: U = 2.5, mean 8; three, two and two are equal, which takes
     * (24 + 6 + 6) / (8 * 7) from the 9 in the variance. */
    const double u[] = {1, 2, 2, 3}, v[] = {2, 3, 4, 4};
    near(confidence_of_difference(u, 4, v, 4), erf(5.0 / sqrt(16.0 / 12 * (9 - 36.0 / 56)) / sqrt(2.0)));
}

/* A report with one result of three sizes: 0.5 ns a byte and 100 ns a call, times `factor`, the rounds noisy upwards.
 */
static void make(struct report *r, double factor, const char *engine) {
    struct result *const x = report_add(r);
    strcpy(x->algorithm, "AES-128-CTR");
    strcpy(x->direction, "enc");
    strcpy(x->call, "message");
    strcpy(x->library, "cadenza");
    strcpy(x->engine, engine);
    x->slope = true;
    for (size_t i = 0; i < 3; i++) {
        assert_true(point_reserve(&x->point[i], 1000 * (i + 1), 20));
        x->points++;
        for (size_t k = 0; k < 20; k++)
            x->point[i].ns[x->point[i].n++] =
                factor * (100 + 0.5 * (double)(1000 * (i + 1))) * (1 + 0.001 * (double)((k * 7 + i) % 10));
        x->point[i].cycles = 2 * x->point[i].ns[0];
    }
}

static void figures(void **state) {
    (void)state;
    struct report r = {0};
    struct stats s;
    double per_call;
    make(&r, 1, "aes/portable");
    assert_true(result_slope(&r.result[0], &s, &per_call));
    near(s.min, 0.5);
    near(per_call, 100);
    assert_true(s.median >= s.min && s.high >= s.low);
    near(result_figure(&r.result[0], 0), 0.5);
    assert_int_equal(result_lines(&r.result[0]), 1);
    r.result[0].slope = false;
    assert_int_equal(result_lines(&r.result[0]), 3);
    near(result_figure(&r.result[0], 1), 1100.0 / 2000);
    near(result_cycles(&r.result[0], 1), 2 * r.result[0].point[1].ns[0]);
    assert_true(isnan(result_figure(&r.result[0], 3)));
    r.result[0].wrong = true;
    assert_true(isnan(result_figure(&r.result[0], 0)));
    report_free(&r);
}

static void peers(void **state) {
    (void)state;
    struct report r = {0};
    double ratio;
    make(&r, 1, "aes/portable");
    assert_false(report_best_peer(&r, &r.result[0], 0, &ratio));
    make(&r, 3, "");
    strcpy(r.result[1].library, "openssl");
    make(&r, 2, "");
    strcpy(r.result[2].library, "botan");
    make(&r, 0.5, "");
    strcpy(r.result[3].library, "nettle");
    r.result[3].wrong = true; /* fast and wrong is not best */
    assert_true(report_best_peer(&r, &r.result[0], 0, &ratio));
    near(ratio, 2);
    assert_ptr_equal(report_peer(&r, &r.result[0], "openssl"), &r.result[1]);
    strcpy(r.result[2].direction, "dec"); /* other work */
    assert_true(report_best_peer(&r, &r.result[0], 0, &ratio));
    near(ratio, 3);
    report_free(&r);
}

static size_t compare(double before, const char *old_engine, double after, const char *new_engine, double threshold,
                      struct change *first) {
    struct report old = {0}, new = {0};
    struct change *c;
    make(&old, before, old_engine);
    make(&new, after, new_engine);
    const size_t n = compare_reports(&old, &new, threshold, &c);
    assert_true(n != SIZE_MAX);
    if (n > 0) *first = c[0];
    free(c);
    report_free(&old);
    report_free(&new);
    return n;
}

static void comparisons(void **state) {
    (void)state;
    struct change c;
    assert_int_equal(compare(1, "aes/aesni", 1, "aes/aesni", 0.05, &c), 1);
    near(c.change, 0);
    assert_false(c.slower);
    assert_int_equal(compare(1, "aes/aesni", 1.2, "aes/aesni", 0.05, &c), 1);
    near(c.change, 0.2);
    assert_true(c.slower && c.confidence > 0.999);
    assert_int_equal(compare(1, "aes/aesni", 1.2, "aes/aesni", 0.25, &c), 1);
    assert_false(c.slower);
    assert_int_equal(compare(1.2, "aes/aesni", 1, "aes/aesni", 0.05, &c), 1);
    assert_false(c.slower);
    /* sure, but not beyond the threshold */
    assert_int_equal(compare(1, "aes/aesni", 1.03, "aes/aesni", 0.05, &c), 1);
    assert_true(c.confidence > 0.99 && !c.slower);
    /* another engine for the only row of this work */
    assert_int_equal(compare(1, "aes/portable", 0.1, "aes/aesni", 0.05, &c), 1);
    near(c.change, -0.9);
}

/* ---- contestants that are not honest: a library that has every fault of benchmarks that are ---- */

static struct {
    enum { HONEST, WRONG_BYTES, WRONG_TAG, WRONG_LATER, FAILS_LATER, IDLE_LATER, LAST_BYTE_LATER, CACHED_MAC } fault;
    unsigned good; /* calls before the fault shows */
    unsigned calls;
    cdz_cipher *c;
} fake;

static bool fake_open(struct session *s, const struct work *w) {
    (void)s;
    fake.calls = 0;
    return cdz_cipher_new(&fake.c, w->info.name, w->key, w->info.key_len) == CDZ_OK;
}

static int fake_run(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags) {
    static uint8_t tag[16];
    (void)s;
    const bool now = fake.calls++ >= fake.good;
    if (fake.fault == IDLE_LATER && now) return 0;
    if (fake.fault == FAILS_LATER && fake.calls - 1 == fake.good) return -1; /* once */
    if (fake.fault == CACHED_MAC && fake.calls > 1) {
        memcpy(tags, tag, 16);
        return 0;
    }
    const int result = reference_run(fake.c, w, buf, len, stride, tags);
    if (fake.fault == CACHED_MAC) memcpy(tag, tags, 16);
    if (fake.fault == WRONG_BYTES || (fake.fault == WRONG_LATER && now)) buf[0] ^= 1;
    if (fake.fault == LAST_BYTE_LATER && now) buf[len - 1] ^= 1;
    if (fake.fault == WRONG_TAG) tags[w->tag_len - 1] ^= 1;
    return result;
}

static int fake_set_key(struct session *s, const struct work *w) {
    (void)s;
    (void)w;
    return 0;
}

static int fake_block(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]) {
    (void)s;
    if (fake.fault == WRONG_BYTES) {
        memcpy(out, in, 16);
        return 0;
    }
    cdz_cipher *c;
    cdz_status status = cdz_cipher_new(&c, w->info.name, w->key, w->info.key_len);
    if (status == CDZ_OK) status = cdz_encrypt(c, NULL, 0, NULL, 0, in, 16, out, NULL, 0);
    cdz_cipher_free(c);
    return status;
}

static void fake_close(struct session *s) {
    (void)s;
    cdz_cipher_free(fake.c);
    fake.c = NULL;
}

/* Is it found out? As another library it is noted, as cadenza the run ends with 25. */
static bool found_out(const char *name, enum work_kind kind, bool decrypt, int fault, unsigned good, size_t len) {
    struct plan p = {.rounds = 4, .threads = 1, .round_ns = 2e4, .sizes = 1, .size = {len}};
    struct work w = {.kind = kind, .decrypt = decrypt, .messages = 1};
    const struct library library = {.name = "openssl",
                                    .open = fake_open,
                                    .run = fake_run,
                                    .set_key = fake_set_key,
                                    .block = fake_block,
                                    .close = fake_close};
    struct library as_ours = library;
    struct report r = {0};
    assert_int_equal(cdz_describe(&w.info, name), CDZ_OK);
    for (size_t i = 0; i < sizeof w.key; i++) w.key[i] = (uint8_t)(i * 7 + 1);
    w.iv_len = w.info.iv_default;
    w.tag_len = w.info.tag_lengths ? 16 : 0;
    fake.fault = (__typeof__(fake.fault))fault;
    fake.good = good;
    struct session s = {.lib = &library};
    assert_int_equal(bench_measure(&p, &w, &s, 1, &r), 0);
    assert_int_equal(r.results, 1);
    const bool wrong = r.result[0].wrong;
    assert_int_equal(r.result[0].point[0].n, wrong ? 0 : p.rounds);
    report_free(&r);
    as_ours.name = "cadenza";
    s.lib = &as_ours;
    assert_int_equal(bench_measure(&p, &w, &s, 1, &r), wrong ? 25 : 0);
    report_free(&r);
    return wrong;
}

static void honesty(void **state) {
    (void)state;
    static const char *const names[] = {"ARIA-128-CTR", "AES-256-CBC", "AES-128-GCM", "ARIA-256-CMAC"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int decrypt = 0; decrypt < 2; decrypt++) {
            const enum work_kind kind = i == 3 ? WORK_MAC : WORK_MESSAGE;
            const bool checks = decrypt && i == 2; /* a ring of copies; else the same memory again and again */
            if (found_out(names[i], kind, decrypt, HONEST, 0, 512)) fail_msg("%s: an honest one is refused", names[i]);
            if (!found_out(names[i], kind, decrypt, FAILS_LATER, 5, 512)) fail_msg("%s: a failed call", names[i]);
            if (kind == WORK_MAC) continue; /* it changes no bytes */
            if (!found_out(names[i], kind, decrypt, WRONG_BYTES, 0, 512)) fail_msg("%s: wrong bytes", names[i]);
            if (!found_out(names[i], kind, decrypt, WRONG_LATER, 3, 512)) fail_msg("%s: wrong after 3 calls", names[i]);
            if (!found_out(names[i], kind, decrypt, IDLE_LATER, 3, 512)) fail_msg("%s: idle after 3 calls", names[i]);
            if (!found_out(names[i], kind, decrypt, LAST_BYTE_LATER, 3, 512))
                fail_msg("%s: the last byte is wrong after 3 calls", names[i]);
            if (checks && found_out(names[i], kind, decrypt, HONEST, 0, 100000)) fail_msg("a ring of one");
        }
    assert_true(found_out("AES-128-GCM", WORK_MESSAGE, false, WRONG_TAG, 0, 512));
    assert_true(found_out("AES-128-CMAC", WORK_MAC, false, WRONG_TAG, 0, 512));
    /* Right, and without looking at the message: faster than can be. */
    assert_true(found_out("AES-128-CMAC", WORK_MAC, false, CACHED_MAC, 0, 65536));
    assert_true(found_out("AES-128-ECB", WORK_KEY, false, WRONG_BYTES, 0, 0));
    assert_false(found_out("AES-128-ECB", WORK_KEY, false, HONEST, 0, 0));
}

/* Sizes whose product wraps around to next to nothing, and what a library cannot get memory for. */
static bool no_room(struct session *s, const struct work *w) {
    (void)w;
    s->no_memory = true;
    return false;
}
static void not_open(struct session *s) { (void)s; }

static void memory(void **state) {
    (void)state;
    struct plan p = {
        .rounds = 1, .threads = 1, .quick = true, .sizes = 1, .size = {(SIZE_MAX >> 16) + 1 - CDZ_TAG_MAX}};
    struct work w = {.kind = WORK_MESSAGE, .batch = true, .messages = 65536};
    const struct library library = {.name = "openssl", .open = no_room, .close = not_open};
    struct session s = {.lib = &library};
    struct report r = {0};
    assert_int_equal(cdz_describe(&w.info, "AES-128-CTR"), CDZ_OK);
    w.iv_len = w.info.iv_default;
    assert_int_equal(bench_measure(&p, &w, &s, 1, &r), 21);
    p.size[0] = 64;
    w.messages = 2;
    assert_int_equal(bench_measure(&p, &w, &s, 1, &r), 21);
    w.messages = SIZE_MAX / 16; /* of more than 16 bytes each */
    s.lib = &library_cadenza;
    assert_false(library_cadenza.open(&s, &w));
    assert_true(s.no_memory);
    library_cadenza.close(&s);
    assert_int_equal(r.results, 0);
    report_free(&r);
}

/* The clock: a chain of steps takes a time that goes with its length, and its rate is a CPU's. */
static void clock_rate(void **state) {
    (void)state;
    if (bench_emulator() != NULL) skip();
    double best = 0;
    for (int i = 0; i < 50; i++) {
        const double mhz = bench_chain_mhz(50000);
        if (mhz > best) best = mhz;
    }
    if (best <= 0) skip(); /* compiled without optimisation */
    assert_true(best > 50 && best < 20000);
    assert_true(bench_clock_cost() > 0 && bench_clock_cost() < 1e6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartiles), cmocka_unit_test(lines),  cmocka_unit_test(ranks),
        cmocka_unit_test(figures),   cmocka_unit_test(peers),  cmocka_unit_test(comparisons),
        cmocka_unit_test(honesty),   cmocka_unit_test(memory), cmocka_unit_test(clock_rate)};
    return cmocka_run_group_tests_name("bench", tests, NULL, NULL);
}
