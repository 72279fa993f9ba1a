/* SPDX-License-Identifier: Apache-2.0 */
/* From many times to a figure: see bench.h. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between two values where the place falls between them. */
static double at(const double *sorted, size_t n, double share) {
    const double place = share * (double)(n - 1);
    const size_t i = (size_t)place;
    if (i + 1 >= n) return sorted[n - 1];
    return sorted[i] + (place - (double)i) * (sorted[i + 1] - sorted[i]);
}

struct stats stats_of(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return (struct stats){values[0], at(values, n, 0.5), at(values, n, 0.25), at(values, n, 0.75)};
}

struct line fit_line(const double *x, const double *y, size_t n) {
    double slopes[BENCH_POINTS * (BENCH_POINTS - 1) / 2], rests[BENCH_POINTS];
    size_t k = 0;
    struct line l = {0, 0};
    if (n > BENCH_POINTS) n = BENCH_POINTS;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (x[i] < x[j] || x[j] < x[i]) slopes[k++] = (y[j] - y[i]) / (x[j] - x[i]);
    if (k > 0) l.slope = stats_of(slopes, k).median;
    for (size_t i = 0; i < n; i++) rests[i] = y[i] - l.slope * x[i];
    if (n > 0) l.start = stats_of(rests, n).median;
    return l;
}

struct ranked {
    double value;
    bool first; /* of the first sample */
};

static int by_rank(const void *a, const void *b) {
    return by_value(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

double confidence_of_difference(const double *a, size_t na, const double *b, size_t nb) {
    const size_t n = na + nb;
    struct ranked *const all = na < 4 || nb < 4 ? NULL : malloc(n * sizeof *all);
    if (all == NULL) return 0;
    for (size_t i = 0; i < n; i++) all[i] = (struct ranked){i < na ? a[i] : b[i - na], i < na};
    qsort(all, n, sizeof *all, by_rank);
    double rank_sum = 0, ties = 0;
    for (size_t i = 0; i < n;) { /* equal values share the middle of their ranks */
        size_t j = i;
        while (j < n && all[j].value <= all[i].value) j++;
        const double t = (double)(j - i), rank = (double)(i + 1 + j) / 2;
        for (size_t k = i; k < j; k++)
            if (all[k].first) rank_sum += rank;
        ties += t * t * t - t;
        i = j;
    }
    free(all);
    const double m = (double)na, k = (double)nb, s = (double)n;
    const double u = rank_sum - m * (m + 1) / 2, mean = m * k / 2;
    const double variance = m * k / 12 * (s + 1 - ties / (s * (s - 1)));
    if (variance <= 0) return 0;
    double distance = fabs(u - mean) - 0.5; /* a whole number is the middle of its interval */
    if (distance < 0) distance = 0;
    return 1 - erfc(distance / sqrt(variance) / sqrt(2.0));
}
