/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does the time depend on the secret, as far as this CPU shows it? Two classes of input, one fixed and one random, in
 * random order, are timed call by call, and Welch's t-test asks whether the two means differ: O. Reparaz, J. Balasch,
 * I. Verbauwhede, "Dude, is my code constant time?", DATE 2017. As there, the test is made of all times and of those
 * below a number of percentiles, since interrupts and the like make the long ones noise.
 *
 *     dudect [SAMPLES [TEXT]]     every function of every engine and hash that the CPU has, or those with TEXT in their
 * names
 *
 * For each, once the key is what differs and once the data. |t| beyond 10 is taken for a difference; 5 to 10 come by
 * chance or by what else the machine does, and are worth another run. First of all a comparison that ends at the first
 * byte that differs must be found, or nothing that follows means anything. Exit status: 0, 1 where something differs, 2
 * where the planted comparison was not found.
 */
#include "engine.h"
#include "util/bytes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { ROUND = 512, CROPS = 20, FEWEST = 500, BLOCKS_MAX = 65, LIMIT = 10 };

/* Ticks that nothing is moved across. */
static inline uint64_t ticks(void) {
#if defined(__x86_64__)
    _mm_lfence();
    const uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
}

/* splitmix64 */
static uint64_t state;
static uint64_t random64(void) {
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
static void random_bytes(uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)random64();
}

/* ---- what is timed ---- */

static struct {
    _Alignas(64) uint8_t ks[CDZ_KEY_SIZE_MAX];
    _Alignas(64) uint8_t hk[CDZ_HASH_KEY_SIZE_MAX];
    uint8_t key[32], in[BLOCKS_MAX * 16], out[BLOCKS_MAX * 16], y[16];
    size_t blocks;
} x;
static const struct cdz_engine *engine;
static const struct cdz_hash *hash;
static volatile uint64_t sink;

static const uint8_t counter[16] = {1, 2, 3};

static void no_key(void) {}
static void engine_key(void) { engine->set_key(x.ks, x.key, 32); }
static void ghash_key(void) { hash->ghash_key(x.hk, x.key); }
static void polyval_key(void) { hash->polyval_key(x.hk, x.key, hash->batch); }
static void encrypt(void) { engine->encrypt(x.ks, x.in, x.out, x.blocks); }
static void decrypt(void) { engine->decrypt(x.ks, x.in, x.out, x.blocks); }
static void ctr(void) { engine->ctr(x.ks, counter, x.in, x.out, 16 * x.blocks); }
static void ghash(void) { hash->ghash(x.hk, x.y, x.in, x.blocks); }
static void polyval(void) { hash->polyval(x.hk, x.y, x.in, x.blocks); }
static void compare(void) { sink = cdz_equal_mask(x.key, x.in, 16); }
__attribute__((noinline)) static void planted(void) {
    for (size_t i = 0; i < 16; i++)
        if (((const volatile uint8_t *)x.key)[i] != x.in[i]) return;
    sink = 1;
}

struct entry {
    const char *name;
    void (*prepare)(void); /* before each call, of the key of its class */
    void (*run)(void);
};

/* ---- the test ---- */

struct moments {
    double n, mean, sum; /* of squared distances (Welford) */
};

static void add(struct moments *m, double v) {
    const double d = v - m->mean;
    m->n++;
    m->mean += d / m->n;
    m->sum += d * (v - m->mean);
}

static double welch(const struct moments m[2]) {
    if (m[0].n < FEWEST || m[1].n < FEWEST) return 0;
    const double variance = m[0].sum / (m[0].n - 1) / m[0].n + m[1].sum / (m[1].n - 1) / m[1].n;
    return variance > 0 ? (m[0].mean - m[1].mean) / sqrt(variance) : 0;
}

static int by_value(const void *a, const void *b) {
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

enum what { KEY, DATA };

/* The largest |t|. */
static double measure(const struct entry *e, enum what secret, unsigned long samples, bool tag) {
    static uint8_t keys[ROUND][32], data[ROUND][BLOCKS_MAX * 16];
    static uint64_t times[ROUND], sorted[ROUND];
    static bool random[ROUND];
    uint8_t fixed_key[32], fixed_data[BLOCKS_MAX * 16];
    struct moments all[CROPS + 1][2] = {0};
    uint64_t crop[CROPS] = {0};
    random_bytes(fixed_key, sizeof fixed_key);
    random_bytes(fixed_data, sizeof fixed_data);
    if (tag) memcpy(fixed_data, fixed_key, 16); /* the class that is equal */
    for (unsigned long done = 0, round = 0; done < samples; round++) {
        for (size_t i = 0; i < ROUND; i++) {
            random[i] = random64() >> 63;
            memcpy(keys[i], fixed_key, sizeof fixed_key);
            memcpy(data[i], fixed_data, sizeof fixed_data);
            /* Drawn in both classes, so that the draw leaves no trace in them. */
            uint8_t k[32], d[BLOCKS_MAX * 16];
            random_bytes(k, sizeof k);
            random_bytes(d, 16 * x.blocks);
            if (secret == KEY) memcpy(keys[i], random[i] ? k : fixed_key, sizeof k);
            if (secret == DATA) memcpy(data[i], random[i] ? d : fixed_data, 16 * x.blocks);
        }
        for (size_t i = 0; i < ROUND; i++) {
            memcpy(x.key, keys[i], sizeof x.key);
            memcpy(x.in, data[i], 16 * x.blocks);
            e->prepare();
            const uint64_t start = ticks();
            e->run();
            times[i] = ticks() - start;
        }
        if (round == 0) { /* warms up, and shows where the percentiles lie */
            memcpy(sorted, times, sizeof times);
            qsort(sorted, ROUND, sizeof *sorted, by_value);
            for (int k = 0; k < CROPS; k++)
                crop[k] = sorted[(size_t)((1 - pow(0.5, 10.0 * (k + 1) / CROPS)) * (ROUND - 1))];
            continue;
        }
        for (size_t i = 0; i < ROUND; i++, done++) {
            add(&all[CROPS][random[i]], (double)times[i]);
            for (int k = 0; k < CROPS; k++)
                if (times[i] <= crop[k]) add(&all[k][random[i]], (double)times[i]);
        }
    }
    double most = 0;
    for (int k = 0; k <= CROPS; k++) most = fmax(most, fabs(welch(all[k])));
    return most;
}

static unsigned long samples = 100000;
static const char *text = "";
static unsigned differ, measured;

static void report(const char *who, const struct entry *e, enum what secret, bool tag) {
    char name[80];
    snprintf(name, sizeof name, "%s %s, %s", who, e->name, secret == KEY ? "key" : "data");
    if (!strstr(name, text)) return;
    const double t = measure(e, secret, samples, tag);
    printf("%-50s |t| %8.2f %s\n", name, t, t > LIMIT ? "DIFFERS" : "");
    fflush(stdout);
    differ += t > LIMIT;
    measured++;
}

int main(int argc, char **argv) {
    static const struct entry engine_entries[] = {{"set_key", no_key, engine_key},
                                                  {"encrypt", engine_key, encrypt},
                                                  {"decrypt", engine_key, decrypt},
                                                  {"ctr", engine_key, ctr}},
                              hash_entries[] = {{"ghash_key", no_key, ghash_key},
                                                {"ghash", ghash_key, ghash},
                                                {"polyval_key", no_key, polyval_key},
                                                {"polyval", polyval_key, polyval}},
                              tag_entry = {"compare", no_key, compare}, planted_entry = {"planted", no_key, planted};
    if (argc > 1) samples = strtoul(argv[1], NULL, 10);
    if (argc > 2) text = argv[2];
    if (samples < 2 * FEWEST) {
        fprintf(stderr, "usage: dudect [SAMPLES [TEXT]], at least %d samples\n", 2 * FEWEST);
        return 2;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    state = (uint64_t)now.tv_sec * 1000000007 + (uint64_t)now.tv_nsec;

    x.blocks = 1;
    const double t = measure(&planted_entry, DATA, samples, true);
    printf("%-50s |t| %8.2f %s\n", "planted: a comparison that ends early", t, t > LIMIT ? "found" : "NOT FOUND");
    if (!(t > LIMIT)) return 2;
    report("tag", &tag_entry, DATA, true);

    cdz_cpu_set have;
    if (cdz_cpu_now(&have) != CDZ_OK) return 2;
    for (size_t i = 0; cdz_engines[i]; i++) {
        engine = cdz_engines[i];
        if (engine->needs & ~have) {
            printf("SKIP %s: the CPU or the mask does not allow it\n", engine->name);
            continue;
        }
        /* A full batch and a block: both kernels of an engine that has two. */
        x.blocks = engine->batch < BLOCKS_MAX - 1 ? engine->batch + 1U : BLOCKS_MAX;
        for (size_t k = 0; k < sizeof engine_entries / sizeof *engine_entries; k++) {
            report(engine->name, &engine_entries[k], KEY, false);
            if (k) report(engine->name, &engine_entries[k], DATA, false);
        }
    }
    for (size_t i = 0; cdz_hashes[i]; i++) {
        hash = cdz_hashes[i];
        if (hash->needs & ~have) {
            printf("SKIP %s: the CPU or the mask does not allow it\n", hash->name);
            continue;
        }
        x.blocks = hash->batch < BLOCKS_MAX - 1 ? hash->batch + 1U : BLOCKS_MAX;
        for (size_t k = 0; k < sizeof hash_entries / sizeof *hash_entries; k++) {
            report(hash->name, &hash_entries[k], KEY, false);
            if (k % 2) report(hash->name, &hash_entries[k], DATA, false);
        }
    }
    printf("%u measured, %lu samples each, %u differ\n", measured, samples, differ);
    return differ || !measured ? 1 : 0;
}
