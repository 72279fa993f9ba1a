/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two reports, row by row: see bench.h.
 *
 * A row counts as slower only where three things agree: the minimum and the median of its rounds are both beyond the
 * threshold, and the rank test over the rounds says with 99 % that it is no chance. The minimum alone is fooled by one
 * lucky round in the old run, the median by a machine that is busy for a while, the test by any small drift.
 */
#include "bench.h"
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SURE 0.99

/* The result that `x` is to be compared with: of the same engine, or, where there is but one of the library's for that
 * work in both reports, that one, so that a better engine shows as a gain. */
static const struct result *counterpart(const struct report *old, const struct report *new, const struct result *x) {
    const struct result *found = NULL;
    size_t in_old = 0, in_new = 0;
    for (size_t i = 0; i < new->results; i++)
        in_new += strcmp(new->result[i].library, x->library) == 0 && same_work(&new->result[i], x);
    for (size_t i = 0; i < old->results; i++) {
        const struct result *const y = &old->result[i];
        if (strcmp(y->library, x->library) != 0 || !same_work(y, x)) continue;
        if (strcmp(y->engine, x->engine) == 0) return y;
        found = y;
        in_old++;
    }
    return in_old == 1 && in_new == 1 ? found : NULL;
}

/* The rounds of a line: slopes, or times of a point. Allocated; NULL: none. */
static double *rounds_of(const struct result *r, size_t line, size_t *n) {
    double *const v = malloc(BENCH_ROUNDS_MAX * sizeof *v);
    if (v == NULL) return NULL;
    if (r->slope)
        *n = result_round_slopes(r, v);
    else if (line < r->points) {
        *n = r->point[line].n;
        memcpy(v, r->point[line].ns, *n * sizeof *v);
    } else
        *n = 0;
    return v;
}

static double median_of(const struct result *r, size_t line) {
    struct stats s;
    double per_call;
    if (r->slope) return result_slope(r, &s, &per_call) ? s.median : NAN;
    return result_point(r, line, &s) ? s.median : NAN;
}

static bool change_of(struct change *c, double threshold) {
    size_t na = 0, nb = 0;
    c->before = result_figure(c->old, c->line);
    c->after = result_figure(c->new, c->line);
    if (isnan(c->before) || isnan(c->after) || c->before <= 0) return false;
    double *const a = rounds_of(c->old, c->line, &na), *const b = rounds_of(c->new, c->line, &nb);
    c->change = c->after / c->before - 1;
    c->confidence = a && b ? confidence_of_difference(a, na, b, nb) : 0;
    free(a);
    free(b);
    const double middle = median_of(c->new, c->line) / median_of(c->old, c->line) - 1;
    c->slower = c->change > threshold && middle > threshold && c->confidence >= SURE;
    return true;
}

size_t compare_reports(const struct report *old, const struct report *new, double threshold, struct change **changes) {
    size_t n = 0, room = 0;
    for (size_t i = 0; i < new->results; i++) room += result_lines(&new->result[i]);
    *changes = calloc(room + 1, sizeof **changes);
    if (*changes == NULL) {
        fail(FAIL_MEMORY, "no memory");
        return SIZE_MAX;
    }
    for (size_t i = 0; i < new->results; i++) {
        const struct result *const x = &new->result[i], *const y = counterpart(old, new, x);
        for (size_t line = 0; y != NULL && line < result_lines(x); line++) {
            (*changes)[n] = (struct change){.old = y, .new = x, .line = line};
            n += change_of(&(*changes)[n], threshold);
        }
    }
    return n;
}

int compare_print(const struct report *old, const struct report *new, double threshold, bool to_stderr) {
    FILE *const f = to_stderr ? stderr : stdout;
    char label[LABEL_MAX], bytes[24];
    struct change *c;
    size_t slower = 0, alone = 0;
    const size_t n = compare_reports(old, new, threshold, &c);
    if (n == SIZE_MAX) return FAIL_MEMORY;
    if (strcmp(old->cpu, new->cpu) != 0 || strcmp(old->arch, new->arch) != 0)
        warn_user("the old figures are those of another machine: %s", old->cpu);
    fprintf(f, "\nagainst %s, cadenza %s (ns/byte; a key: ns)\n%-18s %-6s %7s %-10s %10s %10s %8s %10s\n", old->taken,
            old->version, "", "", "bytes", "library", "before", "after", "change", "confidence");
    for (size_t i = 0; i < n; i++) {
        result_label(c[i].new, label);
        snprintf(bytes, sizeof bytes, "%zu", c[i].new->slope ? 0 : c[i].new->point[c[i].line].bytes);
        fprintf(f, "%-18s %-6s %7s %-10s %10.4f %10.4f %+7.1f%% %9.2f%%%s", label, c[i].new->direction,
                c[i].new->slope ? "slope" : bytes, c[i].new->library, c[i].before, c[i].after, 100 * c[i].change,
                100 * c[i].confidence, c[i].slower ? "  SLOWER" : "");
        if (strcmp(c[i].old->engine, c[i].new->engine) != 0)
            fprintf(f, "  %s -> %s", c[i].old->engine, c[i].new->engine);
        fputc('\n', f);
        slower += c[i].slower && is_ours(c[i].new);
    }
    for (size_t i = 0; i < new->results; i++) alone += counterpart(old, new, &new->result[i]) == NULL;
    if (alone > 0) fprintf(f, "%zu rows of this run are not in the old one\n", alone);
    free(c);
    if (n == 0) return fail(FAIL_DATA, "the old run has none of these rows: nothing was compared");
    if (slower > 0)
        return fail(FAIL_SLOWER, "%zu of %zu rows are slower by more than %.3g %%", slower, n, 100 * threshold);
    return DONE;
}
