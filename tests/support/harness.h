/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all tests share: a seed that is printed and can be set, buffers with guard pages, calls made with a dirty
 * machine state, the list of engines with a count of what each was given, and tests made by walking lists.
 *
 * Environment:
 *   CDZ_TEST_SEED=n      the seed that a failing run printed
 *   CDZ_TEST_QUICK=1     sweeps stop at 400 bytes and one key size is drawn a run: for emulators and valgrind
 *   CDZ_TEST_QUICK=2     what takes long in the emulator all the same is drawn as well: engines in modes that call them
 *                        block by block, places of buffers, bits to flip; from 64 bytes on, lengths near whole blocks
 *   CDZ_TEST_SAMPLE=n    one test of n is run, drawn by the seed: for long programs that are run in many ways
 *   CDZ_TEST_ONLY=text   only tests whose name has this text in it (^text: begins with it)
 *   CDZ_TEST_REQUIRE=a,b engines that must have run, or the program fails: so that skipped never passes for tested
 */
#ifndef CDZ_TEST_HARNESS_H
#define CDZ_TEST_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cadenza.h"

/* ---- running ---- */

extern int test_quick;

/* First call of main(): reads the environment, prints the seed. */
void test_begin(void);
/* Adds a test to the list; name is copied; run gets arg. */
void test_add(void (*run)(void *arg), void *arg, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Runs the list, prints what the engines got; for main() to return. */
int test_end(const char *group);
/* Skips the running test by name. */
_Noreturn void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is being tested just now, printed when something fails, faults included: set it before each call. */
struct test_case {
    const char *what, *name, *engine;
    size_t len, a, b;
};
extern struct test_case test_now;
#define NOW(...) (test_now = (struct test_case){__VA_ARGS__})

/* Fails the running test with test_now and a message. */
_Noreturn void test_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) test_fail("%s:%d: %s", __FILE__, __LINE__, #x);                                                      \
    } while (0)
#define CHECK_STATUS(expression, want) test_check_status((expression), (want), #expression, __FILE__, __LINE__)
void test_check_status(int got, int want, const char *expression, const char *file, int line);
/* Fails with the first byte that differs. */
void test_same(const char *what, const uint8_t *got, const uint8_t *want, size_t n);
/* Fails unless all n bytes are `value`. */
void test_all(const char *what, const uint8_t *p, uint8_t value, size_t n);

/* ---- random numbers: not for keys that matter ---- */

uint64_t rnd64(void);
size_t rnd_below(size_t n); /* 0 for n = 0 */
void rnd_fill(void *p, size_t n);
/* Starts again from the seed and a text. Every test of test_add() starts so from its own name. */
void rnd_start(const char *text);
/* A number below n that the seed and a text make, the same whenever it is asked for. */
size_t rnd_of(const char *text, size_t n);

/* ---- guard pages (H2) ---- */

/* `size` bytes rounded up to whole pages, with a page before and one behind that cannot be touched. */
struct guard {
    uint8_t *lo, *hi;
};
void guard_new(struct guard *g, size_t size);
void guard_free(struct guard *g);
static inline uint8_t *guard_end(const struct guard *g, size_t n) { return g->hi - n; }

/* ---- dirty machine state (H3) ---- */

/*
 * CALL(f, args...) calls f with up to 12 arguments that are pointers or as wide as one, all vector and mask registers
 * full of random bits and the callee-saved registers full of a pattern; afterwards these, the stack pointer, the
 * direction flag and the floating-point controls must be as they were. On a CPU without such a shim: a plain call.
 */
uintptr_t test_call(void (*f)(void), const char *name, const uintptr_t *args, size_t n);
#define CALL(f, ...)                                                                                                   \
    test_call((void (*)(void))(f), #f, (const uintptr_t[]){MAP_WORDS(__VA_ARGS__)},                                    \
              sizeof((const uintptr_t[]){MAP_WORDS(__VA_ARGS__)}) / sizeof(uintptr_t))
#define CALL_STATUS(f, ...) ((cdz_status)(int)CALL(f, __VA_ARGS__))

#define MAP_WORDS(...)                                         MAP_WORDS_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)(__VA_ARGS__)
#define MAP_WORDS_(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) MAP_##n
#define W(x)                                                   (uintptr_t)(x)
#define MAP_1(a)                                               W(a)
#define MAP_2(a, b)                                            W(a), W(b)
#define MAP_3(a, b, c)                                         W(a), W(b), W(c)
#define MAP_4(a, b, c, d)                                      W(a), W(b), W(c), W(d)
#define MAP_5(a, b, c, d, e)                                   W(a), W(b), W(c), W(d), W(e)
#define MAP_6(a, b, c, d, e, f)                                MAP_5(a, b, c, d, e), W(f)
#define MAP_7(a, b, c, d, e, f, g)                             MAP_5(a, b, c, d, e), MAP_2(f, g)
#define MAP_8(a, b, c, d, e, f, g, h)                          MAP_5(a, b, c, d, e), MAP_3(f, g, h)
#define MAP_9(a, b, c, d, e, f, g, h, i)                       MAP_5(a, b, c, d, e), MAP_4(f, g, h, i)
#define MAP_10(a, b, c, d, e, f, g, h, i, j)                   MAP_5(a, b, c, d, e), MAP_5(f, g, h, i, j)
#define MAP_11(a, b, c, d, e, f, g, h, i, j, k)                MAP_10(a, b, c, d, e, f, g, h, i, j), W(k)
#define MAP_12(a, b, c, d, e, f, g, h, i, j, k, l)             MAP_10(a, b, c, d, e, f, g, h, i, j), MAP_2(k, l)

/* Whether the upper halves of the vector registers are in use, which costs the code after: -1 where nobody can say. */
int test_upper_in_use(void);
/* Sets them to zero. */
void test_clear_upper(void);

/* ---- engines (H4) ---- */

struct combo {
    char name[80];      /* "aria/portable", "aria/portable+ghash/portable" */
    const char *engine; /* the cipher's part */
    size_t batch;
    bool slow; /* the portable engine: for sweeps that would take too long */
};
enum { COMBO_MAX = 64 };
/*
 * All engines of a cipher ("ARIA", "AES") that the CPU can run, with a hash engine where the mode has one: every cipher
 * engine with the best hash and with the portable one, every hash engine with the best cipher engine. Engines that
 * cannot run are told by name at the end of the program.
 */
size_t combos(const char *cipher, bool hash, struct combo out[COMBO_MAX]);
/* Makes an object on them and checks that these engines are what it got. */
cdz_cipher *combo_new(const struct combo *e, const char *name, const uint8_t *key, size_t key_len);
/* Blocks in the widest batch of an engine on this CPU: `batch` as cdz_engine_at() tells it, but for those engines of
 * RISC-V whose batch is as long as the registers are. */
size_t engine_batch(const char *name, size_t batch);
/* Adds to the count of calls of an engine, by the name of cdz_engine_name(). */
void engine_count(const char *engines);

#endif
