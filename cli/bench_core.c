/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Taking times: see bench.h.
 *
 *     for each round
 *         for each size
 *             the clock rate
 *             for each contestant: input copied in; clock; so many calls; clock
 *
 * so that a slow moment of the machine hits all sizes and contestants alike. All work in place and in the same memory.
 * A call that checks its input (decryption under a tag, unwrapping, padding) needs a true ciphertext each time: it gets
 * a ring of copies, filled while the clock stands.
 *
 * What keeps the figures honest: before anything is timed, every contestant's output is compared with the reference's,
 * which is another engine of cadenza's. Every call's status is looked at once the clock has stopped. The output of the
 * last round, which is many calls over their own output, is compared with what the reference makes of as many calls,
 * and that of one more call on the true input. And nothing may be faster than an exclusive-or of the same bytes with a
 * constant.
 */
#include "bench.h"
#include "cli.h"
#include "engines.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile sig_atomic_t bench_stop;

enum { RING_BYTES = 65536, RING_MAX = 64, RING_SHORT = 1024, MHZ_STEPS = 60000, SLACK = 64, PAGE = 4096, PLACES = 8 };
#define CALLS_MAX ((size_t)1 << 24)

/* ---- the input of a size, and what must come of it ---------------------------------------------------- */

struct given {
    size_t index;             /* among the sizes */
    size_t len, stride, slot; /* of a message; from one to the next; of all messages, a multiple of 64 */
    size_t in_len, out_len;   /* of a message, as the direction has it */
    size_t ring;              /* copies that a round goes through; 1: the same memory again and again */
    uint8_t *in, *out, *tags; /* slot, slot, 16 * messages */
};

static void given_free(struct given *g) {
    free(g->in);
    free(g->out);
    free(g->tags);
    memset(g, 0, sizeof *g);
}

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

static int given_make(struct given *g, const struct work *w, const char *engine, size_t len) {
    struct work forth = *w;
    cdz_cipher *reference = NULL;
    memset(g, 0, sizeof *g);
    g->len = len;
    if (w->kind == WORK_KEY || w->kind == WORK_FILE) return DONE;
    const size_t sealed = work_sealed(w, len);
    g->stride = round_up(sealed + CDZ_TAG_MAX, CDZ_BLOCK_SIZE); /* some put the tag behind the ciphertext */
    /* A ring has several slots only where they are short, so a quarter leaves room for all that is added. */
    if (w->messages > (SIZE_MAX / 4 - SLACK) / g->stride) return fail(FAIL_MEMORY, "no memory");
    g->slot = round_up(g->stride * w->messages + SLACK, 64);
    g->in_len = w->decrypt ? sealed : len;
    g->out_len = w->kind == WORK_MAC ? len : w->decrypt ? len : sealed;
    const size_t bytes = len * w->messages;
    g->ring = !work_checks(w) ? 1 : bytes > RING_BYTES ? 1 : bytes < RING_SHORT ? RING_MAX : RING_BYTES / bytes;
    uint8_t *const plain = calloc(1, g->slot), *const cipher = calloc(1, g->slot);
    g->in = w->decrypt ? cipher : plain;
    g->out = w->decrypt ? plain : cipher;
    g->tags = calloc(w->messages, CDZ_TAG_MAX);
    if (!plain || !cipher || !g->tags) return fail(FAIL_MEMORY, "no memory");
    for (size_t i = 0; i < w->messages; i++) pattern(plain + i * g->stride, len, 5 + i);
    memcpy(cipher, plain, g->slot);
    forth.decrypt = false;
    cdz_status s = reference_open(&reference, engine, w);
    if (s == CDZ_OK) s = (cdz_status)reference_run(reference, &forth, cipher, len, g->stride, g->tags);
    cdz_cipher_free(reference);
    return s == CDZ_OK ? DONE : fail_status(s, w->info.name);
}

static bool right(const struct given *g, const struct work *w, const uint8_t *buf, const uint8_t *tags) {
    for (size_t i = 0; i < w->messages; i++)
        if (memcmp(buf + i * g->stride, g->out + i * g->stride, g->out_len) != 0 ||
            memcmp(tags + CDZ_TAG_MAX * i, g->tags + CDZ_TAG_MAX * i, w->tag_len) != 0)
            return false;
    return true;
}

/* ---- a contestant ------------------------------------------------------------------------------------- */

struct lane { /* in one thread */
    struct session s;
    struct file_work *file[BENCH_POINTS]; /* one a size */
    uint8_t *base, *buf, *tags;           /* shared by all contestants in this thread */
};

struct contestant {
    struct lane *lane; /* one a thread */
    size_t opened;
    bool out; /* takes no part, or no longer */
    size_t result;
    size_t calls[BENCH_POINTS];
    /* what the last round left */
    uint8_t *left, *left_tags;
    size_t left_calls;
};

/* One timed stretch in one thread. */
struct stretch {
    const struct plan *plan;
    const struct work *w;
    const struct given *g;
    struct lane *lane;
    size_t calls;
    pthread_barrier_t *gate;
    double ns; /* a call */
    size_t done;
    int bad;
};

/* `calls` of them, each on the memory `step` behind that of the one before. The loop over messages has nothing in it
 * but the call. */
static int calls_run(const struct stretch *t, uint8_t *buf, size_t step, size_t calls) {
    struct session *const s = &t->lane->s;
    const struct work *const w = t->w;
    uint8_t *const tags = t->lane->tags;
    const size_t len = t->g->len, stride = t->g->stride;
    int (*const run)(struct session *, const struct work *, uint8_t *, size_t, size_t, uint8_t *) = s->lib->run;
    int bad = 0;
    if (w->kind == WORK_KEY)
        for (size_t i = 0; i < calls; i++) bad |= s->lib->set_key(s, w);
    else if (w->kind == WORK_FILE)
        for (size_t i = 0; i < calls; i++) bad |= file_work_run(t->lane->file[t->g->index]);
    else
        for (size_t i = 0; i < calls; i++, buf += step) bad |= run(s, w, buf, len, stride, tags);
    return bad;
}

static void *stretch_run(void *arg) {
    struct stretch *const t = arg;
    const struct given *const g = t->g;
    const double cost = bench_clock_cost();
    uint8_t *const buf = t->lane->buf;
    const size_t ring = g->ring > 1 || work_checks(t->w) ? g->ring : 0, tags = t->w->messages * CDZ_TAG_MAX;
    double total = 0;
    int bad = 0;
    t->done = 0;
    if (g->in != NULL) {
        memcpy(buf, g->in, g->slot);
        memcpy(t->lane->tags, g->tags, tags);
        if (!t->w->decrypt) memset(t->lane->tags, 0, tags);
    }
    if (t->gate) pthread_barrier_wait(t->gate);
    if (ring) {
        const size_t once = t->calls < ring ? t->calls : ring;
        while (t->done < t->calls) {
            for (size_t k = 0; k < once; k++) memcpy(buf + k * g->slot, g->in, g->slot);
            const double start = bench_now();
            bad |= calls_run(t, buf, g->slot, once);
            total += bench_now() - start - cost;
            t->done += once;
        }
        for (size_t k = 0; k < once; k++) bad |= !right(g, t->w, buf + k * g->slot, t->lane->tags);
    } else {
        const double start = bench_now();
        bad = calls_run(t, buf, 0, t->calls);
        total = bench_now() - start - cost;
        t->done = t->calls;
    }
    t->ns = (total > 0 ? total : 0) / (double)t->done;
    t->bad = bad;
    return NULL;
}

/* Nanoseconds a message, all threads together; negative where a call failed. */
static double timed(const struct plan *p, const struct work *w, const struct given *g, struct contestant *c,
                    size_t calls) {
    struct stretch t[BENCH_THREADS];
    pthread_t id[BENCH_THREADS];
    pthread_barrier_t gate;
    int bad = 0;
    double rate = 0;
    for (unsigned i = 0; i < p->threads; i++)
        t[i] = (struct stretch){.plan = p, .w = w, .g = g, .lane = &c->lane[i], .calls = calls};
    if (p->threads > 1) {
        unsigned started = 1;
        pthread_barrier_init(&gate, NULL, p->threads);
        for (unsigned i = 0; i < p->threads; i++) t[i].gate = &gate;
        for (unsigned i = 1; i < p->threads; i++, started++)
            if (pthread_create(&id[i], NULL, stretch_run, &t[i]) != 0) {
                fail(FAIL_MEMORY, "cannot start %u threads", p->threads);
                exit(FAIL_MEMORY); /* the others wait at the gate for good */
            }
        stretch_run(&t[0]);
        for (unsigned i = 1; i < started; i++) pthread_join(id[i], NULL);
        pthread_barrier_destroy(&gate);
    } else
        stretch_run(&t[0]);
    for (unsigned i = 0; i < p->threads; i++) {
        bad |= t[i].bad;
        rate += 1 / (t[i].ns > 1e-3 ? t[i].ns : 1e-3);
    }
    const double ns = 1 / rate / (double)w->messages;
    return bad ? -1 : ns > BENCH_NS_MIN ? ns : BENCH_NS_MIN;
}

static void contestant_close(struct contestant *c) {
    for (size_t i = 0; i < c->opened; i++) {
        for (size_t k = 0; k < BENCH_POINTS; k++) file_work_close(c->lane[i].file[k]);
        if (c->lane[i].file[0] == NULL) c->lane[i].s.lib->close(&c->lane[i].s);
        free(c->lane[i].s.scratch);
    }
    free(c->lane);
    free(c->left);
    free(c->left_tags);
}

static int contestant_open(struct contestant *c, const struct plan *p, const struct work *w, const struct session *s,
                           const struct given *g, size_t sizes, size_t slot) {
    c->lane = calloc(p->threads, sizeof *c->lane);
    c->left = slot ? malloc(slot) : NULL;
    c->left_tags = slot ? malloc(w->messages * CDZ_TAG_MAX) : NULL;
    if (!c->lane || (slot && (!c->left || !c->left_tags))) return fail(FAIL_MEMORY, "no memory");
    for (unsigned i = 0; i < p->threads; i++) {
        struct lane *const l = &c->lane[i];
        l->s = (struct session){.lib = s->lib, .want = s->want};
        if (w->kind == WORK_FILE) {
            int e = DONE;
            c->opened = i + 1U;
            for (size_t k = 0; e == DONE && k < sizes; k++) e = file_work_open(&l->file[k], w, g[k].len);
            if (e != DONE) return e;
            continue;
        }
        const bool opened = s->lib->open(&l->s, w);
        if (!opened) {
            s->lib->close(&l->s);
            if (l->s.no_memory) return fail(FAIL_MEMORY, "no memory");
            c->out = true;
            return DONE;
        }
        c->opened = i + 1U;
    }
    return DONE;
}

/* One call, compared with what must come out. */
static bool check_once(const struct plan *p, const struct work *w, const struct given *g, struct contestant *c) {
    uint8_t in[16], out[16], expected[16];
    if (w->kind == WORK_FILE) return file_work_check(c->lane[0].file[g->index]) == DONE;
    if (w->kind == WORK_KEY) {
        cdz_cipher *reference = NULL;
        pattern(in, sizeof in, 7);
        const bool ok = reference_open(&reference, c->lane[0].s.engine, w) == CDZ_OK &&
                        cdz_encrypt(reference, NULL, 0, NULL, 0, in, 16, expected, NULL, 0) == CDZ_OK;
        cdz_cipher_free(reference);
        return ok && c->lane[0].s.lib->set_key(&c->lane[0].s, w) == 0 &&
               c->lane[0].s.lib->block(&c->lane[0].s, w, in, out) == 0 && memcmp(out, expected, 16) == 0;
    }
    for (unsigned i = 0; i < p->threads; i++) {
        struct stretch t = {.plan = p, .w = w, .g = g, .lane = &c->lane[i], .calls = 1};
        stretch_run(&t);
        if (t.bad != 0 || !right(g, w, c->lane[i].buf, c->lane[i].tags)) return false;
    }
    return true;
}

/* What the last round of all contestants left, against as many calls of the reference over their own output. */
static int check_chains(const struct work *w, const struct given *g, struct contestant *c, size_t n, bool *wrong) {
    size_t most = 0;
    for (size_t k = 0; k < n; k++) {
        wrong[k] = false;
        if (!c[k].out && c[k].left_calls > most) most = c[k].left_calls;
    }
    if (most == 0) return DONE;
    cdz_cipher *reference = NULL;
    uint8_t *const buf = malloc(g->slot), *const tags = malloc(w->messages * CDZ_TAG_MAX);
    cdz_status s = buf && tags ? reference_open(&reference, c[0].lane[0].s.engine, w) : CDZ_ERR_MEMORY;
    if (s == CDZ_OK) {
        memcpy(buf, g->in, g->slot);
        memcpy(tags, g->tags, w->messages * CDZ_TAG_MAX);
    }
    for (size_t i = 1; s == CDZ_OK && i <= most; i++) {
        s = (cdz_status)reference_run(reference, w, buf, g->len, g->stride, tags);
        for (size_t k = 0; s == CDZ_OK && k < n; k++) {
            if (c[k].out || c[k].left_calls != i) continue;
            for (size_t m = 0; m < w->messages; m++)
                wrong[k] |= memcmp(buf + m * g->stride, c[k].left + m * g->stride, g->out_len) != 0 ||
                            memcmp(tags + CDZ_TAG_MAX * m, c[k].left_tags + CDZ_TAG_MAX * m, w->tag_len) != 0;
        }
    }
    free(buf);
    free(tags);
    cdz_cipher_free(reference);
    return s == CDZ_OK ? DONE : fail_status(s, w->info.name);
}

/* ---- what cannot be undercut --------------------------------------------------------------------------- */

typedef uint64_t wide __attribute__((vector_size(16), may_alias, aligned(16)));

__attribute__((noinline)) static void xor_constant(uint8_t *buf, size_t n) {
    wide *p = (wide *)(void *)buf;
    const wide k = {UINT64_C(0x5a5a5a5a5a5a5a5a), UINT64_C(0xa5a5a5a5a5a5a5a5)};
    size_t i = 0;
    for (; i + 64 <= n; i += 64, p += 4) {
        p[0] ^= k;
        p[1] ^= k;
        p[2] ^= k;
        p[3] ^= k;
    }
    for (; i + 16 <= n; i += 16, p++) *p ^= k;
    __asm__ volatile("" : : "r"(buf) : "memory");
}

/* Nanoseconds of an exclusive-or of so many bytes; 0 where it cannot be said. */
static double floor_of(size_t bytes) {
    static struct {
        size_t bytes;
        double ns;
    } known[2 * BENCH_POINTS];
    enum { KNOWN = sizeof known / sizeof *known };
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].bytes == bytes && known[i].ns > 0) return known[i].ns;
    uint8_t *const buf = aligned_alloc(64, round_up(bytes, 64));
    if (buf == NULL) return 0;
    memset(buf, 1, bytes);
    const size_t calls = 100000 / (bytes / 16 + 10) + 1;
    double best = 1e30;
    for (int k = 0; k < 20; k++) {
        const double start = bench_now();
        for (size_t i = 0; i < calls; i++) xor_constant(buf, bytes);
        const double took = (bench_now() - start - bench_clock_cost()) / (double)calls;
        if (took < best) best = took;
    }
    free(buf);
#if !defined(__SSE2__) && !defined(__ARM_NEON)
    best /= 4; /* written with words where an engine may have vectors */
#endif
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].ns <= 0) {
            known[i].bytes = bytes;
            known[i].ns = best;
            break;
        }
    return best;
}

/* Is a result faster than can be? */
static bool too_fast(const struct result *r, const struct work *w) {
    if (w->kind == WORK_KEY || w->kind == WORK_FILE) return false;
    for (size_t i = 0; i < r->points; i++) {
        struct stats s;
        const double floor = floor_of(r->point[i].bytes * w->messages) / (double)w->messages / r->threads;
        /* A MAC reads only. */
        if (result_point(r, i, &s) && s.min < (w->kind == WORK_MAC ? 0.5 : 1) * floor) return true;
    }
    return false;
}

/* ---- measuring ------------------------------------------------------------------------------------------ */

static size_t calls_for(const struct plan *p, const struct work *w, const struct given *g, struct contestant *c) {
    size_t calls = 1;
    if (p->quick) return 1;
    for (;;) { /* this also warms up */
        const double ns = timed(p, w, g, c, calls) * (double)w->messages * p->threads;
        if (ns < 0) return 0;
        if (ns * (double)calls >= 0.6 * p->round_ns || calls >= CALLS_MAX || bench_stop) return calls;
        calls *= 2;
    }
}

static const char *direction_of(const struct work *w) {
    if (w->kind == WORK_KEY) return "set";
    if (w->kind == WORK_MAC) return w->decrypt ? "verify" : "mac";
    return w->decrypt ? "dec" : "enc";
}

static int describe(struct report *r, const struct plan *p, const struct work *w, const struct given *g, size_t sizes,
                    struct contestant *c) {
    struct result *const x = report_add(r);
    if (x == NULL) return FAIL_MEMORY;
    c->result = r->results - 1;
    if (w->kind == WORK_KEY) /* not of a mode */
        snprintf(x->algorithm, sizeof x->algorithm, "%.*s-KEY", (int)(strrchr(w->info.name, '-') - w->info.name),
                 w->info.name);
    else
        snprintf(x->algorithm, sizeof x->algorithm, "%s", w->info.name);
    snprintf(x->direction, sizeof x->direction, "%s", direction_of(w));
    snprintf(x->call, sizeof x->call, "%s",
             w->kind == WORK_KEY    ? "key"
             : w->kind == WORK_FILE ? "file"
             : w->batch             ? "batch"
                                    : "message");
    const struct session *const s = &c->lane[0].s;
    snprintf(x->library, sizeof x->library, "%s", s->lib->name);
    snprintf(x->engine, sizeof x->engine, "%s", s->engine);
    if (w->kind == WORK_FILE) file_work_engine(c->lane[0].file[0], x->engine, sizeof x->engine);
    x->messages = (unsigned)w->messages;
    x->threads = p->threads;
    x->slope = p->slope && sizes > 1;
    for (size_t i = 0; i < sizes; i++) {
        if (!point_reserve(&x->point[i], g[i].len, p->rounds)) return fail(FAIL_MEMORY, "no memory");
        x->points = i + 1;
    }
    return DONE;
}

/* A contestant failed: cadenza's failure is ours to report, another's is noted. */
static int disqualify(struct report *r, struct contestant *c, const struct work *w, const char *what) {
    struct result *const x = &r->result[c->result];
    c->out = true;
    x->wrong = true;
    for (size_t i = 0; i < x->points; i++) x->point[i].n = 0;
    if (is_ours(x)) return fail(FAIL_SELFTEST, "%s is %s on %s", w->info.name, what, x->engine);
    warn_user("%s is %s in %s", w->info.name, what, x->library);
    return DONE;
}

/* The clock rate, and cycles: each round's time by the rate of its moment. A rate far below the others was measured
 * while something else ran. */
static void note_cycles(struct result *r, const struct plan *p, const double *mhz, size_t rates, size_t sizes) {
    double *const sorted = malloc((rates + 1) * sizeof *sorted);
    struct stats s = {p->mhz, p->mhz, p->mhz, p->mhz};
    if (sorted == NULL || (rates == 0 && p->mhz <= 0)) {
        free(sorted);
        return;
    }
    memcpy(sorted, mhz, rates * sizeof *sorted);
    if (rates > 0) s = stats_of(sorted, rates);
    free(sorted);
    r->mhz = s.median;
    r->mhz_spread = (s.high - s.low) / 2;
    for (size_t i = 0; i < r->points; i++)
        for (size_t round = 0; round < r->point[i].n; round++) {
            const size_t at = round * sizes + i;
            const double rate = at < rates ? mhz[at] : s.median, cycles = r->point[i].ns[round] * rate / 1e3;
            if (rate < 0.9 * s.median) continue;
            if (r->point[i].cycles <= 0 || cycles < r->point[i].cycles) r->point[i].cycles = cycles;
        }
}

static int measure(const struct plan *p, const struct work *w, const struct given *g, size_t sizes,
                   struct contestant *c, size_t n, struct report *r) {
    double *const mhz = malloc((size_t)p->rounds * sizes * sizeof *mhz);
    size_t rates = 0;
    bool wrong[BENCH_CONTESTANTS];
    int e = mhz ? DONE : fail(FAIL_MEMORY, "no memory");
    for (size_t k = 0; e == DONE && k < n; k++) {
        if (c[k].out) continue;
        e = describe(r, p, w, g, sizes, &c[k]);
        for (size_t i = 0; e == DONE && !c[k].out && i < sizes; i++)
            if (!check_once(p, w, &g[i], &c[k])) e = disqualify(r, &c[k], w, "wrong");
    }
    for (size_t k = 0; e == DONE && k < n; k++)
        for (size_t i = 0; e == DONE && !c[k].out && i < sizes; i++)
            if ((c[k].calls[i] = calls_for(p, w, &g[i], &c[k])) == 0) e = disqualify(r, &c[k], w, "wrong");
    for (unsigned round = 0; e == DONE && round < p->rounds && !bench_stop; round++)
        for (size_t i = 0; e == DONE && i < sizes && !bench_stop; i++) {
            /* Another place in the page in each round: where the addresses of keys and data are the same in their last
             * 12 bits, the core takes the one for the other for a moment. The best round is one where they are not. */
            for (size_t k = 0; k < n; k++)
                for (size_t t = 0; t < c[k].opened && c[k].lane[t].base != NULL; t++) /* keys and files have none */
                    c[k].lane[t].buf = c[k].lane[t].base + round % PLACES * (PAGE / PLACES);
            if (p->mhz <= 0 && p->mhz_known) mhz[rates++] = bench_chain_mhz(p->quick ? 1000 : MHZ_STEPS);
            for (size_t k = 0; e == DONE && k < n; k++) {
                if (c[k].out) continue;
                const double ns = timed(p, w, &g[i], &c[k], c[k].calls[i]);
                struct point *const point = &r->result[c[k].result].point[i];
                if (ns < 0)
                    e = disqualify(r, &c[k], w, "wrong");
                else
                    point->ns[point->n++] = ns;
                c[k].left_calls = 0;
                if (round + 1 != p->rounds || ns < 0 || g[i].in == NULL || work_checks(w)) continue;
                memcpy(c[k].left, c[k].lane[0].buf, g[i].slot);
                memcpy(c[k].left_tags, c[k].lane[0].tags, w->messages * CDZ_TAG_MAX);
                c[k].left_calls = w->kind == WORK_MAC ? 1 : c[k].calls[i]; /* a MAC leaves its input */
                /* In CTR and OFB two faults, or two calls, undo each other: so one more on the true input. */
                if (!check_once(p, w, &g[i], &c[k])) e = disqualify(r, &c[k], w, "wrong after its last round");
            }
            if (e != DONE || round + 1 != p->rounds || g[i].in == NULL) continue;
            e = check_chains(w, &g[i], c, n, wrong);
            for (size_t k = 0; e == DONE && k < n; k++)
                if (!c[k].out && c[k].left_calls > 0 && wrong[k])
                    e = disqualify(r, &c[k], w, "wrong after its last round");
        }
    /* Files and keys leave nothing that could be looked at in the last round: they are done once more. */
    for (size_t k = 0; e == DONE && k < n && (w->kind == WORK_FILE || w->kind == WORK_KEY); k++)
        if (!c[k].out && !check_once(p, w, &g[sizes - 1], &c[k])) e = disqualify(r, &c[k], w, "wrong");
    for (size_t k = 0; e == DONE && k < n; k++)
        if (!c[k].out && !p->quick && too_fast(&r->result[c[k].result], w))
            e = disqualify(r, &c[k], w, "faster than an exclusive-or of the same bytes");
    for (size_t k = 0; e == DONE && k < n; k++)
        if (!c[k].out) note_cycles(&r->result[c[k].result], p, mhz, rates, sizes);
    free(mhz);
    return e;
}

int bench_measure(const struct plan *p, const struct work *w, struct session *contestants, size_t n, struct report *r) {
    struct given g[BENCH_POINTS] = {0};
    struct contestant c[BENCH_CONTESTANTS] = {0};
    uint8_t *buf[BENCH_THREADS] = {0}, *tags[BENCH_THREADS] = {0};
    size_t sizes = 0, largest = 0;
    int e = n <= BENCH_CONTESTANTS ? DONE : fail(FAIL_INTERNAL, "too many contestants");
    const char *const first = contestants[0].want;
    bench_clock_cost();
    for (size_t i = 0; e == DONE && i < (w->kind == WORK_KEY ? 1 : p->sizes); i++) {
        const size_t len = w->kind == WORK_KEY ? 0 : p->size[i];
        if (!work_takes(w, len)) continue;
        e = given_make(&g[sizes], w, first, len);
        g[sizes].index = sizes;
        const size_t need = g[sizes].slot * (g[sizes].ring ? g[sizes].ring : 1);
        if (need > largest) largest = need;
        sizes++;
    }
    if (e == DONE && sizes > 0) {
        for (unsigned i = 0; e == DONE && largest > 0 && i < p->threads; i++) {
            buf[i] = aligned_alloc(PAGE, round_up(largest, PAGE) + PAGE);
            tags[i] = calloc(w->messages, CDZ_TAG_MAX);
            if (!buf[i] || !tags[i]) e = fail(FAIL_MEMORY, "no memory");
        }
        for (size_t k = 0; e == DONE && k < n; k++) {
            e = contestant_open(&c[k], p, w, &contestants[k], g, sizes, largest);
            for (size_t i = 0; i < c[k].opened; i++) {
                c[k].lane[i].base = c[k].lane[i].buf = buf[i];
                c[k].lane[i].tags = tags[i];
            }
        }
        if (e == DONE) e = measure(p, w, g, sizes, c, n, r);
    }
    for (size_t k = 0; k < n && n <= BENCH_CONTESTANTS; k++) contestant_close(&c[k]);
    for (size_t i = 0; i < BENCH_POINTS; i++) given_free(&g[i]);
    for (unsigned i = 0; i < BENCH_THREADS; i++) {
        free(buf[i]);
        free(tags[i]);
    }
    return e;
}
