/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one page: see bench.h. No scripts, nothing from elsewhere; plots are inline SVG in cards of one
 * column's width, so that they can be read on a telephone. Light and dark by the reader's preference. Nothing is told
 * by colour alone: lines differ in dashes and markers, bars have their names and figures beside them, and a table has
 * everything as text.
 */
#include "bench.h"
#include "cli.h"
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MIB_PER_NS = 1e9 / 1048576;

static void escaped(FILE *f, const char *s) {
    for (; *s; s++) switch (*s) {
        case '<':
            fputs("&lt;", f);
            break;
        case '>':
            fputs("&gt;", f);
            break;
        case '&':
            fputs("&amp;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*s, f);
        }
}

/* The colours are those of Okabe and Ito, which people who see colours differently can tell apart, in a lighter and a
 * darker form. */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#59636e;--line:#d5dae0;--card:#f7f8fa;--bad:#b3261e;"
    "--c0:#005f99;--c1:#b84a00;--c2:#00785a;--c3:#a04a86;--c4:#7a6200;--c5:#2f7fb8;--c6:#444c56;--c7:#8c2f39}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14171b;--fg:#e6e9ed;--dim:#9aa4b0;--line:#343b44;--card:#1c2127;"
    "--bad:#ff8a80;--c0:#6cbcf0;--c1:#f59a4c;--c2:#3ecfa0;--c3:#e09ccb;--c4:#e6cf4f;--c5:#9fd3f5;--c6:#b7bfc9;"
    "--c7:#ff9aa5}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:1320px;padding:1rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n"
    "h1{font-size:1.6rem;margin:.3rem 0}h2{font-size:1.2rem;margin:2rem 0 .6rem;padding-top:.6rem;border-top:1px solid "
    "var(--line)}h3{font-size:1rem;margin:0 0 .3rem}p{margin:.3rem 0}.dim{color:var(--dim)}.bad{color:var(--bad);"
    "font-weight:600}\n"
    ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,380px),1fr));gap:.9rem}\n"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem .7rem .5rem;"
    "min-width:0}\n"
    "svg{display:block;width:100%;height:auto}svg text{font-size:13px;fill:var(--fg)}svg .t{fill:var(--dim)}"
    "svg .b{font-weight:600}svg .e{text-anchor:end}svg .m{text-anchor:middle}svg .slow{fill:var(--bad);"
    "font-weight:600}\n"
    ".g{stroke:var(--line);stroke-width:1}.ax{stroke:var(--dim);stroke-width:1}.l{fill:none;stroke-width:2}\n"
    "ul.key{list-style:none;margin:.4rem 0 0;padding:0;font-size:.84rem}ul.key li{display:flex;align-items:center;"
    "gap:.5rem;overflow-wrap:anywhere}ul.key svg{width:44px;height:16px;flex:none}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.86rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}"
    "th.w,td.w{text-align:left}\n";

/* ---- series ----------------------------------------------------------------------------------------------- */

/* How a line or bar looks: cadenza's engines by their order in the plot, solid; other libraries by who they are,
 * dashed. */
struct look {
    unsigned colour, marker;
    const char *dash;
};

enum { COLOURS = 8, MARKERS = 6 };

static struct look look_of(const struct result *r, unsigned engine) {
    static const struct {
        const char *name;
        struct look look;
    } peers[] = {{"libgcrypt", {1, 1, "7 4"}},
                 {"openssl", {2, 2, "2 3"}},
                 {"botan", {3, 3, "9 3 2 3"}},
                 {"nettle", {4, 4, "5 3"}}};
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        if (strcmp(peers[i].name, r->library) == 0) return peers[i].look;
    static const unsigned colours[] = {0, 6, 5, 7, 4, 3, 2, 1};
    return (struct look){colours[engine % COLOURS], engine == 0 ? 0 : 1 + engine % (MARKERS - 1), "none"};
}

static void series_name(FILE *f, const struct result *r) {
    if (is_ours(r)) {
        fputs("cadenza, ", f);
        escaped(f, r->engine);
    } else
        escaped(f, r->library);
}

static void marker(FILE *f, struct look l, double x, double y, const char *title) {
    static const char *const paths[MARKERS] = {"a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", /* a circle, from its left end */
                                               "m0 -4h8v8h-8z",
                                               "m4 -5l5 9h-10z",
                                               "m4 -5l5 5l-5 5l-5 -5z",
                                               "m0 -4l8 8m0 -8l-8 8",
                                               "m4 -5v10m-5 -5h10"};
    fprintf(f, "<path class=\"%c%u\" d=\"M%.1f %.1f%s\">", l.marker >= 4 ? 'o' : 's', l.colour, x - 4, y,
            paths[l.marker]);
    if (title != NULL) fprintf(f, "<title>%s</title>", title);
    fputs("</path>", f);
}

/* ---- throughput over size -------------------------------------------------------------------------------- */

static double rate(const struct result *r, size_t i) {
    struct stats s;
    if (r->wrong || r->point[i].bytes == 0 || !result_point(r, i, &s) || s.min <= 0) return NAN;
    return MIB_PER_NS * (double)r->point[i].bytes / s.min;
}

static void size_name(size_t n, char out[24]) {
    if (n >= 1048576 && n % 1048576 == 0)
        snprintf(out, 24, "%zuM", n / 1048576);
    else if (n >= 1024 && n % 1024 == 0)
        snprintf(out, 24, "%zuK", n / 1024);
    else
        snprintf(out, 24, "%zu", n);
}

static bool same_plot(const struct result *a, const struct result *b) { return same_work(a, b) && a->points > 1; }

/* Is this the first result of its plot? */
static bool is_first(const struct report *r, size_t k, bool (*same)(const struct result *, const struct result *)) {
    for (size_t i = 0; i < k; i++)
        if (same(&r->result[i], &r->result[k])) return false;
    return true;
}

static const int WIDTH = 420, HEIGHT = 270, LEFT = 54, INSET = 8, RIGHT = 14, TOP = 26, BOTTOM = 30;

static void plot(FILE *f, const struct report *r, size_t first) {
    const struct result *const a = &r->result[first];
    char label[LABEL_MAX], text[24];
    double low = INFINITY, high = 0;
    unsigned engine = 0;
    for (size_t k = first; k < r->results; k++)
        for (size_t i = 0; same_plot(&r->result[k], a) && i < a->points; i++) {
            const double v = rate(&r->result[k], i);
            if (v < low) low = v;
            if (v > high) high = v;
        }
    if (!(high > 0)) return;
    double from = INFINITY, to = 0;
    for (size_t i = 0; i < a->points; i++) {
        if ((double)a->point[i].bytes < from) from = (double)a->point[i].bytes;
        if ((double)a->point[i].bytes > to) to = (double)a->point[i].bytes;
    }
    if (!(to > from)) return;
    /* Bounds with some room; at least a factor of 2, so that noise does not look like mountains. */
    double bottom = log10(low) - 0.06, top = log10(high) + 0.06;
    if (top - bottom < 0.4) {
        const double more = (0.4 - (top - bottom)) / 2;
        bottom -= more;
        top += more;
    }
    const double xs = (WIDTH - LEFT - INSET - RIGHT) / log2(to / from), ys = (HEIGHT - TOP - BOTTOM) / (top - bottom);
#define AT_X(bytes) (LEFT + INSET + xs * log2((double)(bytes) / from))
#define AT_Y(v)     (HEIGHT - BOTTOM - ys * (log10(v) - bottom))
    result_label(a, label);
    fprintf(f, "<section class=\"card\"><h3>%s %s</h3>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", label,
            a->direction, WIDTH, HEIGHT);
    fprintf(f, "%s %s: MiB/s over bytes a message; the figures are in the table at the end\">\n", label, a->direction);
    fprintf(f, "<text class=\"t\" x=\"4\" y=\"15\">MiB/s</text>\n");
    double last = 1e9;
    for (int decade = (int)floor(bottom); decade <= (int)ceil(top); decade++)
        for (int m = 0; m < 3; m++) {
            static const int steps[] = {1, 2, 5};
            const double v = steps[m] * pow(10, decade), y = AT_Y(v);
            if (y < TOP || y > HEIGHT - BOTTOM || last - y < 17 || (top - bottom > 2.2 && m > 0)) continue;
            last = y;
            fprintf(f, "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"t e\" x=\"%d\" y=\"%.1f\">%g</text>\n", LEFT,
                    y, WIDTH - RIGHT, LEFT - 6, y + 4.5, v);
        }
    last = -1e9;
    for (size_t i = 0; i < a->points; i++) {
        const double x = AT_X(a->point[i].bytes);
        fprintf(f, "<path class=\"ax\" d=\"M%.1f %dv5\"/>", x, HEIGHT - BOTTOM);
        if (x - last < 38) continue;
        last = x;
        size_name(a->point[i].bytes, text);
        fprintf(f, "<text class=\"t m\" x=\"%.1f\" y=\"%d\">%s</text>\n", x, HEIGHT - 10, text);
    }
    fprintf(f, "<path class=\"ax\" d=\"M%d %dH%d\"/>\n", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (size_t k = first; k < r->results; k++) {
        const struct result *const x = &r->result[k];
        if (!same_plot(x, a) || x->wrong) continue;
        const struct look l = look_of(x, is_ours(x) ? engine++ : 0);
        fprintf(f, "<polyline class=\"l\" style=\"stroke:var(--c%u);stroke-dasharray:%s\" points=\"", l.colour, l.dash);
        for (size_t i = 0; i < x->points; i++) {
            const double v = rate(x, i);
            if (!isnan(v)) fprintf(f, "%.1f,%.1f ", AT_X(x->point[i].bytes), AT_Y(v));
        }
        fputs("\"/>\n", f);
        for (size_t i = 0; i < x->points; i++) {
            const double v = rate(x, i);
            char title[160];
            if (isnan(v)) continue;
            snprintf(title, sizeof title, "%s, %zu bytes: %.0f MiB/s", is_ours(x) ? x->engine : x->library,
                     x->point[i].bytes, v);
            marker(f, l, AT_X(x->point[i].bytes), AT_Y(v), title);
        }
        fputc('\n', f);
    }
    fputs("</svg>\n<ul class=\"key\">", f);
    engine = 0;
    for (size_t k = first; k < r->results; k++) {
        const struct result *const x = &r->result[k];
        if (!same_plot(x, a)) continue;
        if (x->wrong) {
            fputs("<li class=\"bad\">", f);
            series_name(f, x);
            fputs(": wrong result, not timed</li>", f);
            continue;
        }
        const struct look l = look_of(x, is_ours(x) ? engine++ : 0);
        fprintf(f,
                "<li><svg viewBox=\"0 0 44 16\" aria-hidden=\"true\"><path class=\"l\" d=\"M1 8H43\" "
                "style=\"stroke:var(--c%u);stroke-dasharray:%s\"/>",
                l.colour, l.dash);
        marker(f, l, 22, 8, NULL);
        fputs("</svg><span>", f);
        series_name(f, x);
        fputs("</span></li>", f);
    }
    fputs("</ul></section>\n", f);
}

/* ---- bars by mode ---------------------------------------------------------------------------------------- */

/* "ARIA-128" of "ARIA-128-GCM". */
static size_t cipher_length(const struct result *r) {
    const char *const bits = strchr(r->algorithm, '-');
    const char *const mode = bits ? strchr(bits + 1, '-') : NULL;
    return mode ? (size_t)(mode - r->algorithm) : strlen(r->algorithm);
}

/* A card of bars has one direction. */
static const char *direction_name(const struct result *r) {
    if (strcmp(r->direction, "enc") == 0) return "encryption";
    if (strcmp(r->direction, "dec") == 0) return "decryption";
    return strcmp(r->direction, "mac") == 0 ? "authentication" : "verification";
}

static bool is_key(const struct result *r) { return strcmp(r->call, "key") == 0; }

static bool same_bars(const struct result *a, const struct result *b) {
    const size_t n = cipher_length(a);
    return n == cipher_length(b) && strncmp(a->algorithm, b->algorithm, n) == 0 &&
           strcmp(a->direction, b->direction) == 0 && strcmp(a->call, b->call) == 0 && a->messages == b->messages &&
           a->threads == b->threads && a->slope == b->slope && !is_key(a) && !is_key(b);
}

static bool same_keys(const struct result *a, const struct result *b) { return is_key(a) && is_key(b); }

/* MiB/s of long messages: of the line, or of the longest; a key: nanoseconds. */
static double bar_value(const struct result *r) {
    const double x = result_figure(r, r->slope || r->points == 0 ? 0 : r->points - 1);
    return is_key(r) ? x : MIB_PER_NS / x;
}

static const int BAR = 17, BAR_LEFT = 128, BAR_ROOM = 62;

/* The engine's tier; where the cipher's is that of a bar of the row before (of results from `first` on), the hash's. */
static void bar_name(const struct report *r, size_t first, size_t i, char *out, size_t cap) {
    const struct result *const x = &r->result[i];
    const char *slash = strchr(x->engine, '/'), *const plus = strchr(x->engine, '+');
    const size_t cipher = plus ? (size_t)(plus - x->engine) : strlen(x->engine);
    bool again = false;
    for (size_t k = first; k < i && plus != NULL; k++)
        again |= same_work(&r->result[k], x) && strncmp(r->result[k].engine, x->engine, cipher + 1) == 0;
    if (again) slash = strchr(plus, '/');
    if (!is_ours(x) || slash == NULL)
        snprintf(out, cap, "%s", x->library);
    else
        snprintf(out, cap, "%s%.*s", again ? "+" : "", (int)strcspn(slash + 1, "+"), slash + 1);
}

static void bars(FILE *f, const struct report *r, size_t first,
                 bool (*same)(const struct result *, const struct result *)) {
    const struct result *const a = &r->result[first];
    const bool key = is_key(a);
    char label[LABEL_MAX];
    double most = 0;
    int height = 4;
    for (size_t k = first; k < r->results; k++) {
        if (!same(&r->result[k], a)) continue;
        const double v = bar_value(&r->result[k]);
        if (isfinite(v) && v > most) most = v;
    }
    /* Twice: for the height, then for the drawing. */
    for (int draw = 0; draw < 2; draw++) {
        if (draw) {
            result_label(a, label);
            const char *const rest = a->algorithm + cipher_length(a);
            if (key)
                fputs(
                    "<section class=\"card\"><h3>setting a key</h3><p class=\"dim\">nanoseconds; less is better</p>\n",
                    f);
            else {
                fprintf(f, "<section class=\"card\"><h3>%.*s%s, %s</h3><p class=\"dim\">MiB/s, ", (int)cipher_length(a),
                        a->algorithm, label + cipher_length(a) + strlen(rest), direction_name(a));
                if (a->slope)
                    fputs("what a byte costs in long messages</p>\n", f);
                else
                    fprintf(f, "messages of %zu bytes</p>\n", a->point[a->points - 1].bytes);
            }
            fprintf(f, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"bars; the figures stand beside them\">\n",
                    WIDTH, height);
        }
        int y = 4;
        for (size_t k = first; k < r->results; k++) {
            const struct result *const row = &r->result[k];
            bool seen = false;
            if (!same(row, a)) continue;
            for (size_t i = first; i < k && !seen; i++)
                seen = same(&r->result[i], a) && strcmp(r->result[i].algorithm, row->algorithm) == 0;
            if (seen) continue;
            y += 16;
            if (draw) {
                const size_t skip = key || cipher_length(row) >= strlen(row->algorithm) ? 0 : cipher_length(row) + 1;
                fprintf(f, "<text class=\"b\" x=\"0\" y=\"%d\">%s</text>\n", y - 3, row->algorithm + skip);
            }
            unsigned engine = 0;
            for (size_t i = k; i < r->results; i++) {
                const struct result *const x = &r->result[i];
                if (!same(x, a) || strcmp(x->algorithm, row->algorithm) != 0) continue;
                const struct look l = look_of(x, is_ours(x) ? engine++ : 0);
                if (draw) {
                    const double v = bar_value(x),
                                 w = isfinite(v) && v > 0 ? (WIDTH - BAR_LEFT - BAR_ROOM) * v / most : 0;
                    char name[24];
                    bar_name(r, k, i, name, sizeof name);
                    fprintf(f, "<text class=\"t e\" x=\"%d\" y=\"%d\">", BAR_LEFT - 6, y + 12);
                    escaped(f, name);
                    fprintf(f,
                            "</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" style=\"fill:var(--c%u);"
                            "fill-opacity:%s;stroke:var(--c%u)\"/>",
                            BAR_LEFT, y + 2, w > 1 ? w : 1, BAR - 5, l.colour, is_ours(x) ? "1" : ".35", l.colour);
                    if (isnan(v))
                        fprintf(f, "<text class=\"slow\" x=\"%d\" y=\"%d\">wrong</text>\n", BAR_LEFT + 6, y + 12);
                    else
                        fprintf(f, "<text x=\"%.1f\" y=\"%d\">%.0f</text>\n", BAR_LEFT + w + 6, y + 12, v);
                }
                y += BAR;
            }
            y += 5;
        }
        height = y;
    }
    fputs("</svg></section>\n", f);
}

/* ---- before and after ------------------------------------------------------------------------------------- */

enum { CHANGE_ROW = 42, CHANGES_A_CARD = 16 };

static void changes(FILE *f, const struct change *c, size_t n) {
    const double middle = WIDTH / 2.0, reach = WIDTH / 2.0 - 70;
    fprintf(
        f,
        "<section class=\"card\"><svg viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"change of the time a byte; the "
        "figures stand beside the bars\">\n<text class=\"t\" x=\"0\" y=\"14\">&#8592; less time</text><text class=\"t "
        "e\" "
        "x=\"%d\" y=\"14\">more time &#8594;</text>\n",
        WIDTH, 24 + CHANGE_ROW * n, WIDTH);
    for (size_t i = 0; i < n; i++) {
        const double y = (double)(24 + CHANGE_ROW * i);
        char label[LABEL_MAX], size[24];
        /* Halving and doubling are equally long; four times is as far as it goes. */
        double length = log2(c[i].after / c[i].before) / 2;
        if (length > 1) length = 1;
        if (!(length >= -1)) length = -1; /* also where a line's slope is no longer above zero */
        const double w = fabs(length) * reach;
        const bool slower = length > 0;
        result_label(c[i].new, label);
        size_name(c[i].new->slope ? 0 : c[i].new->point[c[i].line].bytes, size);
        fprintf(f, "<text class=\"b\" x=\"0\" y=\"%.0f\">%s %s%s%s</text><text class=\"t e\" x=\"%d\" y=\"%.0f\">",
                y + 13, label, c[i].new->direction, c[i].new->slope || is_key(c[i].new) ? "" : " ",
                c[i].new->slope || is_key(c[i].new) ? "" : size, WIDTH, y + 13);
        fprintf(f, "%.3g &#8594; %.3g %s</text>\n", c[i].before, c[i].after, is_key(c[i].new) ? "ns" : "ns/B");
        fprintf(f,
                "<path class=\"ax\" d=\"M%.1f %.0fv16\"/><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"12\" "
                "style=\"fill:var(--c%d);fill-opacity:%s;stroke:var(--c%d)\"/>",
                middle, y + 17, slower ? middle : middle - w, y + 19, w, slower ? 1 : 0,
                c[i].confidence >= 0.99 ? "1" : ".25", slower ? 1 : 0);
        fprintf(f, "<text class=\"%s%s\" x=\"%.1f\" y=\"%.0f\">%+.1f%%%s</text>\n", c[i].slower ? "slow" : "t",
                slower ? "" : " e", slower ? middle + w + 5 : middle - w - 5, y + 30, 100 * c[i].change,
                c[i].slower              ? " slower"
                : c[i].confidence < 0.99 ? " (chance)"
                                         : "");
    }
    fputs("</svg></section>\n", f);
}

static bool same_card(const struct change *a, const struct change *b) {
    return a->new->slope == b->new->slope &&is_key(a->new) == is_key(b->new) &&
           (a->new->slope || is_key(a->new) || strcmp(a->new->algorithm, b->new->algorithm) == 0);
}

/* ---- everything as text ------------------------------------------------------------------------------------ */

static void number(FILE *f, int digits, double x) {
    if (isnan(x))
        fputs("<td>&#8211;</td>", f);
    else
        fprintf(f, "<td>%.*f</td>", digits, x);
}

static void table(FILE *f, const struct report *r) {
    char label[LABEL_MAX];
    fputs("<h2>All figures</h2>\n<div class=\"wide\"><table><thead><tr><th class=\"w\">algorithm</th><th "
          "class=\"w\">direction</th><th class=\"w\">library</th><th class=\"w\">engine</th><th>bytes</th><th>ns a "
          "call</th><th>ns a byte</th><th>MiB/s</th><th>cycles a byte</th><th>MHz</th><th>best peer / "
          "cadenza</th></tr></thead>\n<tbody>\n",
          f);
    for (size_t k = 0; k < r->results; k++) {
        const struct result *const x = &r->result[k];
        result_label(x, label);
        for (size_t i = 0; i < result_lines(x); i++) {
            struct stats s;
            double per_call = NAN, per_byte = NAN, cycles = result_cycles(x, i), ratio = NAN;
            const size_t bytes = x->slope || x->points == 0 ? 0 : x->point[i].bytes;
            if (x->wrong)
                cycles = NAN;
            else if (x->slope) {
                if (result_slope(x, &s, &per_call)) per_byte = s.min;
            } else if (result_point(x, i, &s)) {
                per_call = s.min;
                if (bytes > 0) per_byte = s.min / (double)bytes;
                if (bytes > 0) cycles /= (double)bytes;
            }
            if (is_key(x)) cycles = NAN;
            if (is_ours(x) && !x->wrong && !report_best_peer(r, x, i, &ratio)) ratio = NAN;
            fprintf(f, "<tr><td class=\"w\">%s</td><td class=\"w\">%s</td><td class=\"w\">", label, x->direction);
            escaped(f, x->library);
            fprintf(f, "%s</td><td class=\"w\">", x->wrong ? " <span class=\"bad\">wrong</span>" : "");
            escaped(f, x->engine);
            fputs("</td>", f);
            if (x->slope)
                fputs("<td>slope</td>", f);
            else
                number(f, 0, bytes ? (double)bytes : NAN);
            number(f, 1, per_call);
            number(f, 4, per_byte);
            number(f, 0, MIB_PER_NS / per_byte);
            number(f, 3, cycles);
            number(f, 0, x->mhz > 0 ? x->mhz : NAN);
            number(f, 2, ratio);
            fputs("</tr>\n", f);
        }
    }
    fputs("</tbody></table></div>\n", f);
}

/* ---- the page ------------------------------------------------------------------------------------------------ */

static void head(FILE *f, const struct report *r) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\n"
          "<title>cadenza bench</title>\n<style>\n",
          f);
    fputs(style, f);
    for (int i = 0; i < COLOURS; i++)
        fprintf(f, ".s%d{stroke:var(--c%d);fill:var(--c%d)}.o%d{stroke:var(--c%d);stroke-width:2;fill:none}\n", i, i, i,
                i, i);
    fputs("</style></head><body>\n<h1>cadenza bench</h1>\n<p>", f);
    escaped(f, r->cpu);
    fprintf(f, ", %s</p>\n<p class=\"dim\">", r->arch);
    for (size_t i = 0; i < r->libraries; i++) {
        escaped(f, r->library[i].version);
        fputs(i + 1 < r->libraries ? ", " : "", f);
    }
    fputs("; ", f);
    escaped(f, r->compiler);
    fprintf(f, "; %s; best of %u rounds</p>\n", r->taken, r->rounds);
    if (r->emulator[0]) {
        fputs("<p class=\"bad\">This ran under an emulator (", f);
        escaped(f, r->emulator);
        fputs("): the times mean nothing.</p>\n", f);
    }
    if (r->rounds == 1) fputs("<p class=\"bad\">One round only: a test, no measurement.</p>\n", f);
    if (!r->complete) fputs("<p class=\"bad\">The run was broken off: some rows are missing.</p>\n", f);
}

int html_write(const struct report *r, const struct report *old, double threshold, struct output *out) {
    char *text = NULL;
    size_t n = 0, k, m, count = 0;
    struct change *c = NULL;
    if (old != NULL && (count = compare_reports(old, r, threshold, &c)) == SIZE_MAX) return FAIL_MEMORY;
    FILE *const f = open_memstream(&text, &n);
    if (f == NULL) {
        free(c);
        return fail(FAIL_MEMORY, "no memory");
    }
    head(f, r);
    for (k = 0, m = 0; k < count; k++) /* the others' are not what was changed */
        if (is_ours(c[k].new)) c[m++] = c[k];
    count = m;
    if (old != NULL) {
        fprintf(
            f,
            "<h2>Before and after</h2>\n<p class=\"dim\">Before: cadenza %s, %s. Slower: by more than %.3g %%. A pale "
            "bar may be chance (less than 99 %% sure).</p>\n<div class=\"grid\">\n",
            old->version, old->taken, 100 * threshold);
        for (k = 0; k < count;) { /* cadenza's; a card is full, or holds the sizes of one algorithm */
            m = k;
            while (m < count && m - k < CHANGES_A_CARD && (m == k || same_card(&c[k], &c[m]))) m++;
            changes(f, c + k, m - k);
            k = m;
        }
        fputs("</div>\n", f);
    }
    bool any = false;
    for (k = 0; k < r->results; k++) {
        if (is_key(&r->result[k]) || !is_first(r, k, same_bars)) continue;
        if (!any) fputs("<h2>By mode</h2>\n<div class=\"grid\">\n", f);
        any = true;
        bars(f, r, k, same_bars);
    }
    if (any) fputs("</div>\n", f);
    for (k = 0; k < r->results && !is_key(&r->result[k]);) k++;
    if (k < r->results) {
        fputs("<h2>Keys</h2>\n<div class=\"grid\">\n", f);
        bars(f, r, k, same_keys);
        fputs("</div>\n", f);
    }
    any = false;
    for (k = 0; k < r->results; k++) {
        if (r->result[k].points < 2 || !is_first(r, k, same_plot)) continue;
        if (!any)
            fputs("<h2>By message size</h2>\n<p class=\"dim\">MiB/s over bytes a message, IV and tag included; both "
                  "scales are "
                  "logarithmic.</p>\n<div class=\"grid\">\n",
                  f);
        any = true;
        plot(f, r, k);
    }
    if (any) fputs("</div>\n", f);
    table(f, r);
    fputs("</body></html>\n", f);
    free(c);
    int e = fclose(f) == 0 ? DONE : fail(FAIL_MEMORY, "no memory");
    if (e == DONE) e = output_write(out, (const uint8_t *)text, n);
    free(text);
    return e;
}
