/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, and the figures in it: see bench.h. */
#include "bench.h"
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_free(struct report *r) {
    for (size_t i = 0; i < r->results; i++)
        for (size_t k = 0; k < r->result[i].points; k++) free(r->result[i].point[k].ns);
    free(r->result);
    r->result = NULL;
    r->results = r->room = 0;
}

struct result *report_add(struct report *r) {
    if (r->results == r->room) {
        const size_t room = r->room ? 2 * r->room : 64;
        struct result *const p = realloc(r->result, room * sizeof *p);
        if (p == NULL) {
            fail(FAIL_MEMORY, "no memory");
            return NULL;
        }
        r->result = p;
        r->room = room;
    }
    struct result *const x = &r->result[r->results++];
    memset(x, 0, sizeof *x);
    x->messages = x->threads = 1;
    return x;
}

bool point_reserve(struct point *p, size_t bytes, size_t n) {
    p->bytes = bytes;
    p->n = 0;
    p->cycles = 0;
    p->ns = malloc((n ? n : 1) * sizeof *p->ns);
    return p->ns != NULL;
}

bool is_ours(const struct result *r) { return strcmp(r->library, "cadenza") == 0; }

/* Rounds that all points have: one that was broken off may be lacking at the last ones. */
static size_t whole_rounds(const struct result *r) {
    size_t n = r->points ? r->point[0].n : 0;
    for (size_t i = 1; i < r->points; i++)
        if (r->point[i].n < n) n = r->point[i].n;
    return n;
}

static struct line round_line(const struct result *r, size_t round) {
    double x[BENCH_POINTS], y[BENCH_POINTS];
    for (size_t i = 0; i < r->points; i++) {
        x[i] = (double)r->point[i].bytes;
        y[i] = r->point[i].ns[round];
    }
    return fit_line(x, y, r->points);
}

size_t result_round_slopes(const struct result *r, double *out) {
    const size_t n = r->slope ? whole_rounds(r) : 0;
    for (size_t i = 0; i < n; i++) out[i] = round_line(r, i).slope;
    return n;
}

bool result_slope(const struct result *r, struct stats *per_byte, double *per_call) {
    double x[BENCH_POINTS], least[BENCH_POINTS], middle[BENCH_POINTS];
    if (!r->slope || r->points < 2 || whole_rounds(r) == 0) return false;
    for (size_t i = 0; i < r->points; i++) {
        struct stats s;
        result_point(r, i, &s);
        x[i] = (double)r->point[i].bytes;
        least[i] = s.min;
        middle[i] = s.median;
    }
    const struct line best = fit_line(x, least, r->points), usual = fit_line(x, middle, r->points);
    double *const slopes = malloc(whole_rounds(r) * sizeof *slopes);
    if (slopes == NULL) return false;
    *per_byte = stats_of(slopes, result_round_slopes(r, slopes));
    free(slopes);
    /* The least time of every size, then the line: not the flattest line of any round, which a busy moment at a short
     * message makes flatter than the truth. */
    per_byte->min = best.slope;
    per_byte->median = usual.slope;
    *per_call = best.start;
    return true;
}

bool result_point(const struct result *r, size_t i, struct stats *ns) {
    const struct point *const p = &r->point[i];
    double *const copy = i < r->points && p->n > 0 ? malloc(p->n * sizeof *copy) : NULL;
    if (copy == NULL) return false;
    memcpy(copy, p->ns, p->n * sizeof *copy);
    *ns = stats_of(copy, p->n);
    free(copy);
    return true;
}

double result_cycles(const struct result *r, size_t i) {
    double x[BENCH_POINTS], y[BENCH_POINTS];
    if (r->wrong || i >= r->points) return NAN;
    if (!r->slope) return r->point[i].cycles > 0 ? r->point[i].cycles : NAN;
    for (size_t k = 0; k < r->points; k++) {
        x[k] = (double)r->point[k].bytes;
        y[k] = r->point[k].cycles;
        if (!(y[k] > 0)) return NAN;
    }
    return fit_line(x, y, r->points).slope;
}

size_t result_lines(const struct result *r) { return r->slope || r->points == 0 ? 1 : r->points; }

double result_figure(const struct result *r, size_t i) {
    struct stats s;
    double per_call;
    if (r->wrong) return NAN;
    if (r->slope) return result_slope(r, &s, &per_call) ? s.min : NAN;
    if (i >= r->points || !result_point(r, i, &s)) return NAN;
    return r->point[i].bytes ? s.min / (double)r->point[i].bytes : s.min;
}

void result_label(const struct result *r, char out[LABEL_MAX]) {
    int n = snprintf(out, LABEL_MAX, "%s", r->algorithm);
    if (strcmp(r->call, "batch") == 0) n += snprintf(out + n, (size_t)(LABEL_MAX - n), " x%u", r->messages);
    if (strcmp(r->call, "file") == 0) n += snprintf(out + n, (size_t)(LABEL_MAX - n), " file");
    if (r->threads > 1) snprintf(out + n, (size_t)(LABEL_MAX - n), " %u threads", r->threads);
}

bool same_work(const struct result *a, const struct result *b) {
    if (strcmp(a->algorithm, b->algorithm) != 0 || strcmp(a->direction, b->direction) != 0 ||
        strcmp(a->call, b->call) != 0 || a->messages != b->messages || a->threads != b->threads ||
        a->slope != b->slope || a->points != b->points)
        return false;
    for (size_t i = 0; i < a->points; i++)
        if (a->point[i].bytes != b->point[i].bytes) return false;
    return true;
}

const struct result *report_peer(const struct report *r, const struct result *ours, const char *library) {
    for (size_t i = 0; i < r->results; i++)
        if (strcmp(r->result[i].library, library) == 0 && same_work(&r->result[i], ours)) return &r->result[i];
    return NULL;
}

bool report_best_peer(const struct report *r, const struct result *ours, size_t i, double *ratio) {
    double best = NAN;
    for (size_t k = 0; k < r->results; k++) {
        if (is_ours(&r->result[k]) || !same_work(&r->result[k], ours)) continue;
        const double x = result_figure(&r->result[k], i);
        if (!isnan(x) && !(x >= best)) best = x;
    }
    *ratio = best / result_figure(ours, i);
    return !isnan(*ratio);
}
