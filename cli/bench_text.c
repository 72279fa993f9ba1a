/* SPDX-License-Identifier: Apache-2.0 */
/* Tables: text for a terminal, Markdown for documents, CSV for spreadsheets: see bench.h. */
#include "bench.h"
#include "cli.h"
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MIB_PER_NS = 1e9 / 1048576; /* bytes a nanosecond in MiB/s */

/* One line of a table, as numbers. */
struct shown {
    size_t bytes;
    double ns_op, ns_byte; /* NaN: none; ns_byte is the slope where there is one */
    double per_call;       /* the line's start; NaN without a slope */
    double median;         /* of ns_byte in a slope, else of ns_op */
    double spread;         /* half of what lies between the quartiles, as a share */
    double cycles;         /* a byte in a slope, else an operation; NaN: not known */
};

static struct shown shown_of(const struct result *r, size_t line) {
    struct shown x = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    struct stats s;
    if (r->wrong) return x;
    x.cycles = result_cycles(r, line);
    if (r->slope) {
        if (!result_slope(r, &s, &x.per_call)) return x;
        x.ns_byte = s.min;
    } else {
        if (line >= r->points || !result_point(r, line, &s)) return x;
        x.bytes = r->point[line].bytes;
        x.ns_op = s.min;
        if (x.bytes > 0) x.ns_byte = s.min / (double)x.bytes;
    }
    x.median = s.median;
    x.spread = s.median > 0 ? (s.high - s.low) / 2 / s.median : NAN;
    return x;
}

static void cell(int width, int digits, double x) {
    if (isnan(x))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, digits, x);
}

/* "3472±1": two columns less than bytes. */
static void mhz_text(const struct result *r, char out[32]) {
    if (r->mhz <= 0)
        strcpy(out, "-");
    else if (r->mhz_spread < 0.05)
        snprintf(out, 32, "%.0f", r->mhz);
    else
        snprintf(out, 32, "%.0f\xc2\xb1%.0f", r->mhz, ceil(r->mhz_spread));
}

static void mhz_cell(const struct result *r, int width) {
    char text[32];
    mhz_text(r, text);
    int columns = 0;
    for (const char *p = text; *p; p++) columns += ((unsigned char)*p & 0xc0) != 0x80;
    printf(" %*s%s", width > columns ? width - columns : 0, "", text);
}

/* The libraries other than cadenza. */
#define FOR_PEERS(r, i) for (size_t i = 0; i < (r)->libraries; i++)
static bool is_peer(const struct library_note *l) { return strcmp(l->name, "cadenza") != 0; }

static size_t names;
static bool with_peers, slopes;

void text_begin(const struct report *r, bool slope, bool peers, size_t name_width) {
    names = name_width;
    with_peers = peers;
    slopes = slope;
    const char *const mhz = strcmp(r->clock, "given") == 0 ? "MHz" : "auto MHz";
    if (slope)
        printf("%-*s %-6s %13s %13s %11s %12s %9s %9s %6s", (int)names, "", "", "nanosecs/byte", "mebibytes/sec",
               "cycles/byte", mhz, "ns/call", "median", "+-");
    else
        printf("%-*s %-6s %8s %12s %11s %10s %13s %13s %12s %10s %6s", (int)names, "", "", "bytes", "ops/sec",
               "cycles/op", "ns/op", "nanosecs/byte", "mebibytes/sec", mhz, "median", "+-");
    if (peers) {
        FOR_PEERS(r, i) if (is_peer(&r->library[i])) printf(" %10s", r->library[i].name);
        printf("  %-44s %6s\n", "engine", "ratio");
    } else
        printf("  engine\n");
}

void text_results(const struct report *r, size_t first) {
    char label[LABEL_MAX];
    for (size_t k = first; k < r->results; k++) {
        const struct result *const x = &r->result[k];
        if (!is_ours(x)) continue;
        result_label(x, label);
        for (size_t line = 0; line < result_lines(x); line++) {
            const struct shown s = shown_of(x, line);
            const bool key = strcmp(x->call, "key") == 0;
            printf("%-*s %-6s", (int)names, label, x->direction);
            if (!slopes) {
                if (s.bytes > 0)
                    printf(" %8zu", s.bytes);
                else
                    printf(" %8s", "-");
                cell(12, 0, 1e9 / s.ns_op);
                cell(11, 0, s.cycles);
                cell(10, 1, s.ns_op);
            }
            cell(13, 4, s.ns_byte);
            cell(13, 0, MIB_PER_NS / s.ns_byte);
            if (slopes) cell(11, 3, s.cycles);
            mhz_cell(x, 12);
            if (slopes) cell(9, 1, s.per_call);
            cell(slopes ? 9 : 10, slopes ? 4 : 1, s.median);
            if (isnan(s.spread))
                printf(" %6s", "-");
            else
                printf(" %5.1f%%", 100 * s.spread);
            if (with_peers) {
                double ratio;
                FOR_PEERS(r, i) {
                    if (!is_peer(&r->library[i])) continue;
                    const struct result *const peer = report_peer(r, x, r->library[i].name);
                    if (peer != NULL && peer->wrong)
                        printf(" %10s", "WRONG");
                    else
                        cell(10, key ? 1 : 4, peer ? result_figure(peer, line) : NAN);
                }
                printf("  %-44s", x->engine);
                if (report_best_peer(r, x, line, &ratio))
                    printf(" %6.2f\n", ratio);
                else
                    printf(" %6s\n", "-");
            } else
                printf("  %s\n", x->engine);
        }
    }
}

/* ---- Markdown --------------------------------------------------------------------------------------- */

static void md_cell(int digits, double x) {
    if (isnan(x))
        fputs(" - |", stdout);
    else
        printf(" %.*f |", digits, x);
}

/* Beside other libraries the figures alone: nanoseconds a byte (a key: nanoseconds). */
static void markdown_beside(const struct report *r, const struct result *x, size_t line) {
    const int digits = strcmp(x->call, "key") == 0 ? 1 : 4;
    double ratio;
    md_cell(digits, result_figure(x, line));
    FOR_PEERS(r, i) {
        if (!is_peer(&r->library[i])) continue;
        const struct result *const peer = report_peer(r, x, r->library[i].name);
        if (peer != NULL && peer->wrong)
            fputs(" wrong |", stdout);
        else
            md_cell(digits, peer ? result_figure(peer, line) : NAN);
    }
    md_cell(2, report_best_peer(r, x, line, &ratio) ? ratio : NAN);
    printf(" %s |\n", x->engine);
}

static void markdown_head(const struct report *r, bool slope, bool peers) {
    size_t columns = slope ? 8 : 9;
    fputs("\n| algorithm | |", stdout);
    if (!slope) fputs(" bytes |", stdout);
    if (peers) {
        columns = slope ? 5 : 6;
        fputs(" cadenza |", stdout);
        FOR_PEERS(r, i) if (is_peer(&r->library[i])) {
            printf(" %s |", r->library[i].name);
            columns++;
        }
        fputs(" ratio | engine |\n|", stdout);
    } else
        fputs(slope ? " ns/byte | MiB/s | cycles/byte | MHz | ns/call | engine |\n|"
                    : " ns/op | cycles/op | ns/byte | MiB/s | MHz | engine |\n|",
              stdout);
    for (size_t i = 0; i < columns; i++) fputs("---|", stdout);
    putchar('\n');
}

static void markdown_table(const struct report *r, bool slope) {
    char label[LABEL_MAX], mhz[32];
    size_t peers = 0, rows = 0;
    FOR_PEERS(r, i) peers += is_peer(&r->library[i]);
    for (size_t k = 0; k < r->results; k++) rows += is_ours(&r->result[k]) && r->result[k].slope == slope;
    if (rows == 0) return;
    markdown_head(r, slope, peers > 0);
    for (size_t k = 0; k < r->results; k++) {
        const struct result *const x = &r->result[k];
        if (!is_ours(x) || x->slope != slope) continue;
        result_label(x, label);
        mhz_text(x, mhz);
        for (size_t line = 0; line < result_lines(x); line++) {
            const struct shown s = shown_of(x, line);
            printf("| %s | %s |", label, x->direction);
            if (!slope && s.bytes > 0) printf(" %zu |", s.bytes);
            if (!slope && s.bytes == 0) fputs(" |", stdout);
            if (peers > 0) {
                markdown_beside(r, x, line);
                continue;
            }
            if (!slope) {
                md_cell(1, s.ns_op);
                md_cell(0, s.cycles);
            }
            md_cell(4, s.ns_byte);
            md_cell(0, MIB_PER_NS / s.ns_byte);
            if (slope) md_cell(3, s.cycles);
            printf(" %s |", mhz);
            if (slope) md_cell(0, s.per_call);
            printf(" %s |\n", x->engine);
        }
    }
}

void markdown_write(const struct report *r) {
    printf("cadenza %s by %s, %s (%s), %s, %u rounds.", r->version, r->compiler, r->cpu, r->arch, r->taken, r->rounds);
    FOR_PEERS(r, i) if (is_peer(&r->library[i])) printf(" %s.", r->library[i].version);
    if (r->emulator[0]) printf(" Under %s: the times mean nothing.", r->emulator);
    if (!r->complete) fputs(" Broken off.", stdout);
    putchar('\n');
    markdown_table(r, true);
    markdown_table(r, false);
}

/* ---- CSV -------------------------------------------------------------------------------------------- */

static void csv_number(FILE *f, double x) {
    if (isnan(x))
        fputs(",", f);
    else
        fprintf(f, ",%.6g", x);
}

int csv_write(const struct report *r, struct output *out) {
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    if (f == NULL) return fail(FAIL_MEMORY, "no memory");
    fputs("algorithm,direction,call,messages,threads,library,engine,bytes,rounds,ns_per_op_min,ns_per_op_median,"
          "ns_per_op_low,ns_per_op_high,slope_ns_per_byte,slope_ns_per_call,mhz,mhz_spread,wrong\n",
          f);
    for (size_t k = 0; k < r->results; k++) {
        const struct result *const x = &r->result[k];
        struct stats slope = {NAN, NAN, NAN, NAN}, s;
        double per_call = NAN;
        if (x->wrong || !result_slope(x, &slope, &per_call)) slope.min = per_call = NAN;
        for (size_t i = 0; i < x->points; i++) {
            if (x->wrong || !result_point(x, i, &s)) s = (struct stats){NAN, NAN, NAN, NAN};
            fprintf(f, "%s,%s,%s,%u,%u,%s,%s,%zu,%zu", x->algorithm, x->direction, x->call, x->messages, x->threads,
                    x->library, x->engine, x->point[i].bytes, x->point[i].n);
            csv_number(f, s.min);
            csv_number(f, s.median);
            csv_number(f, s.low);
            csv_number(f, s.high);
            csv_number(f, slope.min);
            csv_number(f, per_call);
            csv_number(f, x->mhz > 0 ? x->mhz : NAN);
            csv_number(f, x->mhz > 0 ? x->mhz_spread : NAN);
            fprintf(f, ",%d\n", x->wrong);
        }
    }
    int e = fclose(f) == 0 ? DONE : fail(FAIL_MEMORY, "no memory");
    if (e == DONE) e = output_write(out, (const uint8_t *)text, n);
    free(text);
    return e;
}
