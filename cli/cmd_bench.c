/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cadenza bench`: nanoseconds per byte of whole messages, IV and tag included, on one core.
 *
 * A figure is the least of several rounds, each of as many calls as fill some milliseconds, over the bytes they
 * process. Every call's status is added up and looked at after the clock stopped. What is timed is checked before and
 * after, against the portable engine: encryption gives its bytes, decryption opens its ciphertext under its true tag.
 */
#include "cli.h"
#include "engines.h"
#include "io.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#define ROW_NS 2e8 /* after three rounds, a slow mode is not given more than this */
enum { SMALL = 64, LARGE = 16384, IV_MAX = 16, KEY_MAX = 64 };

struct row {
    const char *name;
    cdz_info info;
    cdz_cipher *c;
    uint8_t *plain, *sealed, *out; /* LARGE bytes each */
    uint8_t iv[IV_MAX], tag[16], got[16];
    size_t tag_len;
    unsigned printed; /* lines so far */
    bool unread;      /* nobody takes them */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static cdz_status one(struct row *r, bool decrypt, size_t len) {
    return decrypt ? cdz_decrypt(r->c, r->iv, r->info.iv_default, NULL, 0, r->sealed, len, r->out, r->tag, r->tag_len)
                   : cdz_encrypt(r->c, r->iv, r->info.iv_default, NULL, 0, r->plain, len, r->out, r->got, r->tag_len);
}

static bool right(const struct row *r, bool decrypt, size_t len) {
    return memcmp(r->out, decrypt ? r->plain : r->sealed, len) == 0 &&
           (decrypt || memcmp(r->got, r->tag, r->tag_len) == 0);
}

/* Nanoseconds a byte, or a negative number where a result was wrong. */
static double measure(struct row *r, bool decrypt, size_t len, unsigned rounds, double round_ns) {
    memset(r->out, 0, LARGE);
    if (one(r, decrypt, len) != CDZ_OK || !right(r, decrypt, len)) return -1;
    uint64_t calls = 1;
    double best = 0;
    int bad = 0;
    for (;;) { /* how many calls fill a round; this also warms up */
        const double start = now();
        for (uint64_t i = 0; i < calls; i++) bad |= one(r, decrypt, len);
        const double took = now() - start;
        if (took >= round_ns / 2) break;
        calls *= 2;
    }
    double spent = 0;
    for (unsigned k = 0; k < rounds && (k < 3 || spent < ROW_NS); k++) {
        memset(r->out, 0, len);
        const double start = now();
        for (uint64_t i = 0; i < calls; i++) bad |= one(r, decrypt, len);
        const double took = now() - start, ns = took / (double)calls / (double)len;
        spent += took;
        if (bad != 0 || !right(r, decrypt, len)) return -1;
        if (k == 0 || ns < best) best = ns;
    }
    return best;
}

/* The expected ciphertext and tag, by the portable engine. */
static int expect(struct row *r, const uint8_t *key, size_t len) {
    cdz_cipher *reference;
    cdz_status s = new_on(&reference, NULL, r->name, key, r->info.key_len);
    if (s != CDZ_OK) return fail_status(s, r->name);
    s = cdz_encrypt(reference, r->iv, r->info.iv_default, NULL, 0, r->plain, len, r->sealed, r->tag, r->tag_len);
    cdz_cipher_free(reference);
    return s == CDZ_OK ? DONE : fail_status(s, r->name);
}

static int bench_row(struct row *r, const char *engine, unsigned rounds, double round_ns) {
    static const size_t lens[] = {SMALL, LARGE};
    static const char *const word[] = {"enc", "dec"};
    uint8_t key[KEY_MAX];
    double ns[2][2];
    pattern(key, sizeof key, 3);
    pattern(r->iv, sizeof r->iv, 4);
    pattern(r->plain, LARGE, 5);
    r->tag_len = r->info.tag_lengths ? 16 : 0;
    const cdz_status s = cdz_cipher_new_on(&r->c, engine, r->name, key, r->info.key_len);
    if (s == CDZ_ERR_NAME && engine != NULL) return DONE; /* an engine of the other cipher */
    if (s != CDZ_OK) return fail_status(s, r->name);
    int e = DONE;
    for (int l = 0; e == DONE && l < 2; l++) {
        e = expect(r, key, lens[l]);
        for (int d = 0; e == DONE && d < 2; d++) {
            ns[d][l] = measure(r, d, lens[l], rounds, round_ns);
            if (ns[d][l] < 0) e = fail(FAIL_SELFTEST, "%s is wrong on %s", r->name, cdz_engine_name(r->c));
        }
    }
    for (int d = 0; e == DONE && d < 2; d++, r->printed++)
        printf("%-16s %s %9.3f %9.3f %9.0f   %s\n", r->name, word[d], ns[d][0], ns[d][1], 1e9 / 1048576 / ns[d][1],
               cdz_engine_name(r->c));
    cdz_cipher_free(r->c);
    if (e == DONE && !io_flush_stdout()) r->unread = true;
    return e;
}

static const char help[] =
    "usage: cadenza bench [--engine NAME] [--rounds N] [--cpu=-FEATURE,...] [CIPHER ...]\n"
    "\n"
    "Times whole messages of 64 bytes and of 16 KiB, IV and tag included, on one core: nanoseconds per byte\n"
    "(less is better) and MiB per second. Without CIPHER: ARIA and AES with 128-bit keys in the usual modes.\n"
    "\n"
    "  --engine NAME        one engine instead of the best, or two joined by + ('cadenza cpu' lists them)\n"
    "  --rounds N           the least of N rounds counts (25)\n"
    "  --cpu=-FEATURE,...   leave out features of the CPU\n";

/* What is listed unless it is asked for by name: the modes whose speed says something of its own. */
static bool usual(const char *mode) {
    return strncmp(mode, "CBC-", 4) != 0 && strcmp(mode, "CFB8") != 0 && strcmp(mode, "CFB1") != 0;
}

static bool fits(const cdz_info *i) {
    return i->one_shot && i->iv_default <= IV_MAX && i->key_len <= KEY_MAX && i->min_len <= SMALL &&
           i->max_len >= LARGE;
}

int cmd_bench(int argc, char **argv) {
    enum { OPT_CPU = 256, OPT_ENGINE, OPT_ROUNDS };
    static const struct option options[] = {{"cpu", required_argument, NULL, OPT_CPU},
                                            {"engine", required_argument, NULL, OPT_ENGINE},
                                            {"rounds", required_argument, NULL, OPT_ROUNDS},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static const char *const ciphers[] = {"ARIA", "AES"};
    const char *engine = NULL;
    uint64_t rounds = 25;
    int c, e = DONE;
    while ((c = next_option(argc, argv, "bench", ":h", options, false)) != -1) {
        switch (c) {
        case OPT_CPU:
            e = set_cpu_mask(optarg);
            break;
        case OPT_ENGINE:
            engine = optarg;
            break;
        case OPT_ROUNDS:
            e = parse_number("--rounds", optarg, 1, 10000, &rounds);
            break;
        case 'h':
            fputs(help, stdout);
            return DONE;
        default:
            return FAIL_USAGE;
        }
        if (e != DONE) return e;
    }
    if (engine != NULL) { /* no such engine, or not here: said once, not row by row */
        static const uint8_t key[16] = {0};
        cdz_cipher *probe;
        cdz_status s = CDZ_ERR_NAME;
        for (int i = 0; s == CDZ_ERR_NAME && i < 2; i++)
            s = cdz_cipher_new_on(&probe, engine, i ? "AES-128-GCM" : "ARIA-128-GCM", key, 16);
        if (s == CDZ_ERR_NAME) return fail(FAIL_NAME, "there is no engine '%s'; 'cadenza cpu' lists them", engine);
        if (s != CDZ_OK) return fail_status(s, engine);
        cdz_cipher_free(probe);
    }
    struct row r = {0};
    uint8_t *const buf = malloc((size_t)3 * LARGE);
    if (buf == NULL) return fail(FAIL_MEMORY, "no memory");
    r.plain = buf;
    r.sealed = buf + LARGE;
    r.out = buf + (size_t)2 * LARGE;
    printf("%-16s     %9s %9s %9s   engine\n%-16s     %9s %9s %9s\n", "", "64 B", "16 KiB", "16 KiB", "", "ns/B",
           "ns/B", "MiB/s");
    if (optind < argc) {
        for (int i = optind; e == DONE && !r.unread && i < argc; i++) {
            if (cdz_describe(&r.info, argv[i]) != CDZ_OK)
                e = fail(FAIL_NAME, "there is no cipher '%s'; a name is such as aria-256-ctr", argv[i]);
            else if (!fits(&r.info))
                e = fail(FAIL_NAME, "%s is not for messages of this kind", r.info.name);
            r.name = r.info.name;
            if (e == DONE) e = bench_row(&r, engine, (unsigned)rounds, 1e6);
        }
    } else {
        for (int i = 0; e == DONE && i < 2; i++)
            for (size_t m = 0; e == DONE && !r.unread && cdz_mode_name(m) != NULL; m++) {
                char name[64];
                if (!usual(cdz_mode_name(m))) continue;
                snprintf(name, sizeof name, "%s-128-%s", ciphers[i], cdz_mode_name(m));
                if (cdz_describe(&r.info, name) != CDZ_OK || !fits(&r.info)) continue;
                r.name = r.info.name;
                e = bench_row(&r, engine, (unsigned)rounds, 1e6);
            }
    }
    free(buf);
    if (e == DONE && r.printed == 0)
        e = fail(FAIL_NAME, "nothing to time: %s does not serve what was asked for", engine);
    return e;
}
