/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line: see progress.h. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t progress_visible;

static struct {
    bool on;
    uint64_t total, done;
    double start, next;
} state;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* "1.5 GiB" */
static void amount(char out[24], double bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    unsigned u = 0;
    for (; bytes >= 1000 && u < sizeof units / sizeof *units - 1; u++) bytes /= 1024;
    snprintf(out, 24, "%.*f %s", u > 0 && bytes < 100, bytes, units[u]);
}

/* "0:07", "1:02:03" */
static void duration(char out[24], double seconds) {
    const uint64_t s = seconds < 0 ? 0 : seconds > 3e8 ? UINT64_C(300000000) : (uint64_t)seconds;
    if (s < 3600)
        snprintf(out, 24, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
    else
        snprintf(out, 24, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60, s % 60);
}

void progress_line(char line[PROGRESS_MAX], unsigned width, uint64_t done, uint64_t total, double seconds) {
    char did[24], rate[24], left[24], end[96];
    const double per_second = seconds > 0 ? (double)done / seconds : 0;
    amount(did, (double)done);
    amount(rate, per_second);
    if (width > PROGRESS_MAX - 1) width = PROGRESS_MAX - 1;
    if (total == UINT64_MAX || total == 0) {
        duration(left, seconds);
        snprintf(line, PROGRESS_MAX, "%s, %s/s, %s so far", did, rate, left);
    } else {
        if (done > total) done = total; /* the file grew meanwhile */
        if (per_second > 0)
            duration(left, (double)(total - done) / per_second);
        else
            strcpy(left, "-:--");
        const int length = snprintf(end, sizeof end, " %s, %s/s, %s left", did, rate, left);
        const unsigned percent = (unsigned)(100.0 * (double)done / (double)total);
        unsigned bar = width > (unsigned)length + 8 ? width - (unsigned)length - 8 : 0;
        if (bar > 40) bar = 40;
        int n = snprintf(line, PROGRESS_MAX, "%3u %% ", percent);
        if (bar >= 8) {
            const unsigned filled = (unsigned)((double)bar * (double)done / (double)total);
            line[n++] = '[';
            for (unsigned i = 0; i < bar; i++) line[n++] = i < filled ? '#' : '.';
            line[n++] = ']';
        }
        snprintf(line + n, (size_t)(PROGRESS_MAX - n), "%s", end);
    }
    line[width] = 0;
}

void progress_start(uint64_t total, bool wanted) {
    memset(&state, 0, sizeof state);
    if (!wanted || !isatty(STDERR_FILENO)) return;
    state.on = true;
    state.total = total;
    state.start = now();
    state.next = state.start + 1;
}

void progress_add(uint64_t bytes) {
    if (!state.on) return;
    state.done += bytes;
    const double t = now();
    if (t < state.next) return;
    state.next = t + 0.2;
    struct winsize w;
    char line[PROGRESS_MAX];
    const unsigned width = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col - 1U : 79;
    progress_line(line, width, state.done, state.total, t - state.start);
    progress_visible = 1;
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void progress_hide(void) {
    if (!progress_visible) return;
    progress_visible = 0;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

void progress_end(void) {
    progress_hide();
    state.on = false;
}
