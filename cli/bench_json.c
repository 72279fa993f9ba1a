/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as JSON (RFC 8259), and back: see bench.h. docs/bench.md describes the fields.
 *
 * What is read was perhaps not written by this program: every field is checked for its type and bounds before anything
 * is made of it, and unknown fields are passed over.
 */
#include "bench.h"
#include "cli.h"
#include "io.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "cadenza bench 1"
enum { FILE_MAX = 256 * 1024 * 1024, DEPTH_MAX = 16, RESULTS_MAX = 100000 };

/* ---- writing -------------------------------------------------------------------------------------------- */

static void string(FILE *f, const char *s) {
    fputc('"', f);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, f);
    }
    fputc('"', f);
}

static void field(FILE *f, const char *name, const char *value, const char *end) {
    fprintf(f, "\"%s\": ", name);
    string(f, value);
    fputs(end, f);
}

static void stats_object(FILE *f, const char *name, const struct stats *s) {
    fprintf(f, "\"%s\": {\"min\": %.6g, \"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", name, s->min, s->median,
            s->low, s->high);
}

static void write_result(FILE *f, const struct result *r) {
    struct stats s;
    double per_call;
    fputs("  {", f);
    field(f, "algorithm", r->algorithm, ", ");
    field(f, "direction", r->direction, ", ");
    field(f, "call", r->call, ", ");
    field(f, "library", r->library, ", ");
    field(f, "engine", r->engine, ",\n   ");
    fprintf(f,
            "\"messages\": %u, \"threads\": %u, \"slope\": %s, \"wrong\": %s, \"mhz\": %.6g, \"mhz_spread\": %.3g,\n",
            r->messages, r->threads, r->slope ? "true" : "false", r->wrong ? "true" : "false", r->mhz, r->mhz_spread);
    if (!r->wrong && result_slope(r, &s, &per_call)) {
        fputs("   ", f);
        stats_object(f, "ns_per_byte", &s);
        fprintf(f, ", \"ns_per_call\": %.6g,\n", per_call);
    }
    fputs("   \"points\": [", f);
    for (size_t i = 0; i < r->points; i++) {
        fprintf(f, "%s{\"bytes\": %zu, ", i ? ",\n    " : "\n    ", r->point[i].bytes);
        if (result_point(r, i, &s)) {
            stats_object(f, "ns", &s);
            fprintf(f, ", \"cycles\": %.6g, ", r->point[i].cycles);
        }
        fputs("\"rounds\": [", f);
        for (size_t k = 0; k < r->point[i].n; k++) fprintf(f, "%s%.6g", k ? ", " : "", r->point[i].ns[k]);
        fputs("]}", f);
    }
    fputs("]}", f);
}

int json_write(const struct report *r, struct output *out) {
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    if (f == NULL) return fail(FAIL_MEMORY, "no memory");
    fputs("{", f);
    field(f, "format", FORMAT, ",\n ");
    field(f, "cadenza", r->version, ", ");
    field(f, "compiler", r->compiler, ",\n ");
    field(f, "cpu", r->cpu, ", ");
    field(f, "arch", r->arch, ", ");
    field(f, "emulator", r->emulator, ",\n ");
    field(f, "taken", r->taken, ", ");
    field(f, "clock", r->clock, ", ");
    fprintf(f, "\"rounds\": %u, \"complete\": %s,\n \"libraries\": [", r->rounds, r->complete ? "true" : "false");
    for (size_t i = 0; i < r->libraries; i++) {
        fputs(i ? ",\n  {" : "\n  {", f);
        field(f, "name", r->library[i].name, ", ");
        field(f, "version", r->library[i].version, ", ");
        field(f, "file", r->library[i].file, "}");
    }
    fputs("],\n \"results\": [", f);
    for (size_t i = 0; i < r->results; i++) {
        fputs(i ? ",\n" : "\n", f);
        write_result(f, &r->result[i]);
    }
    fputs("]}\n", f);
    int e = fclose(f) == 0 ? DONE : fail(FAIL_MEMORY, "no memory");
    if (e == DONE) e = output_write(out, (const uint8_t *)text, n);
    free(text);
    return e;
}

/* ---- parsing -------------------------------------------------------------------------------------------- */

enum kind { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT };

struct json_value {
    enum kind kind;
    bool truth;
    double number;
    const char *name, *string;       /* in the text, which is overwritten; name: of a member */
    struct json_value *first, *next; /* of an array's or object's */
};

struct parser {
    char *at, *text;
    const char *fault;
};

static void json_free(struct json_value *v) {
    while (v != NULL) { /* the depth is bounded by the parser */
        struct json_value *const next = v->next;
        json_free(v->first);
        free(v);
        v = next;
    }
}

static void space(struct parser *p) { p->at += strspn(p->at, " \t\r\n"); }

static void *fault(struct parser *p, const char *what) {
    if (p->fault == NULL) p->fault = what;
    return NULL;
}

/* Unescapes in place. Characters beyond ASCII that are written \uXXXX become '?': nothing here has them. */
static const char *parse_string(struct parser *p) {
    char *const start = ++p->at, *to = start;
    for (;; p->at++) {
        const char c = *p->at;
        if (c == '"') break;
        if ((unsigned char)c < 0x20) return fault(p, "a string does not end");
        if (c != '\\') {
            *to++ = c;
            continue;
        }
        static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
        const char e = *++p->at;
        const char *const known = e ? strchr(from, e) : NULL;
        if (known != NULL)
            *to++ = into[known - from];
        else if (e == 'u' && strspn(p->at + 1, "0123456789abcdefABCDEF") >= 4) {
            char digits[5] = {0};
            memcpy(digits, p->at + 1, 4);
            const long code = strtol(digits, NULL, 16);
            *to++ = code > 0 && code < 0x7f ? (char)code : '?';
            p->at += 4;
        } else
            return fault(p, "a backslash that means nothing");
    }
    *to = 0;
    p->at++;
    return start;
}

static struct json_value *parse_value(struct parser *p, int depth);

static struct json_value *parse_members(struct parser *p, struct json_value *v, char close, int depth) {
    struct json_value **tail = &v->first;
    p->at++;
    space(p);
    if (*p->at == close) {
        p->at++;
        return v;
    }
    for (;;) {
        const char *name = NULL;
        space(p);
        if (close == '}') {
            if (*p->at != '"') return fault(p, "a member without a name");
            if ((name = parse_string(p)) == NULL) return NULL;
            space(p);
            if (*p->at != ':') return fault(p, "a name without a colon");
            p->at++;
        }
        if ((*tail = parse_value(p, depth + 1)) == NULL) return NULL;
        (*tail)->name = name;
        tail = &(*tail)->next;
        space(p);
        const char c = *p->at;
        if (c != ',' && c != close) return fault(p, "neither a comma nor an end");
        p->at++;
        if (c == close) return v;
    }
}

static struct json_value *parse_value(struct parser *p, int depth) {
    struct json_value *const v = calloc(1, sizeof *v);
    bool ok = v != NULL;
    if (!ok) return fault(p, "there is no memory");
    if (depth > DEPTH_MAX) {
        fault(p, "it is nested too deeply");
        ok = false;
    }
    space(p);
    const size_t number = strspn(p->at, "+-.0123456789eE");
    if (!ok)
        ;
    else if (*p->at == '{') {
        v->kind = J_OBJECT;
        ok = parse_members(p, v, '}', depth) != NULL;
    } else if (*p->at == '[') {
        v->kind = J_ARRAY;
        ok = parse_members(p, v, ']', depth) != NULL;
    } else if (*p->at == '"') {
        v->kind = J_STRING;
        ok = (v->string = parse_string(p)) != NULL;
    } else if (strncmp(p->at, "true", 4) == 0 || strncmp(p->at, "null", 4) == 0) {
        v->kind = *p->at == 't' ? J_BOOL : J_NULL;
        v->truth = *p->at == 't';
        p->at += 4;
    } else if (strncmp(p->at, "false", 5) == 0) {
        v->kind = J_BOOL;
        p->at += 5;
    } else if (number > 0) {
        char *end;
        v->kind = J_NUMBER;
        v->number = strtod(p->at, &end);
        ok = end == p->at + number && isfinite(v->number);
        if (!ok) fault(p, "a number that is none");
        p->at = end;
    } else {
        fault(p, "something that is no value");
        ok = false;
    }
    if (ok) return v;
    json_free(v);
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

static const struct json_value *member(const struct json_value *v, const char *name, enum kind kind) {
    if (v->kind != J_OBJECT) return NULL;
    for (const struct json_value *m = v->first; m != NULL; m = m->next)
        if (strcmp(m->name, name) == 0) return m->kind == kind ? m : NULL;
    return NULL;
}

/* Copies a string that fits and has only printable characters. */
static bool get_string(const struct json_value *v, const char *name, char *out, size_t cap) {
    const struct json_value *const m = member(v, name, J_STRING);
    if (m == NULL || strlen(m->string) >= cap) return false;
    for (const char *p = m->string; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f) return false;
    strcpy(out, m->string);
    return true;
}

/* A name: letters, digits and what stands between them. It goes into tables as it is. */
static bool get_name(const struct json_value *v, const char *name, char *out, size_t cap) {
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+/._: ";
    return get_string(v, name, out, cap) && strspn(out, known) == strlen(out);
}

static bool get_number(const struct json_value *v, const char *name, double min, double max, double *out) {
    const struct json_value *const m = member(v, name, J_NUMBER);
    if (m == NULL || m->number < min || m->number > max) return false;
    *out = m->number;
    return true;
}

static bool get_bool(const struct json_value *v, const char *name, bool *out) {
    const struct json_value *const m = member(v, name, J_BOOL);
    if (m != NULL) *out = m->truth;
    return m != NULL;
}

static size_t count(const struct json_value *v) {
    size_t n = 0;
    for (const struct json_value *m = v->first; m != NULL; m = m->next) n++;
    return n;
}

static bool read_point(struct result *x, const struct json_value *v) {
    const struct json_value *const rounds = member(v, "rounds", J_ARRAY);
    double bytes;
    const double least = strcmp(x->call, "key") == 0 ? 0 : 1;
    if (x->points == BENCH_POINTS || rounds == NULL || !get_number(v, "bytes", least, 1e9, &bytes)) return false;
    const size_t n = count(rounds);
    struct point *const p = &x->point[x->points];
    if (n > BENCH_ROUNDS_MAX || !point_reserve(p, (size_t)bytes, n)) return false;
    x->points++;
    if (n > 0 && !get_number(v, "cycles", 0, 1e18, &p->cycles)) return false;
    for (const struct json_value *m = rounds->first; m != NULL; m = m->next) {
        if (m->kind != J_NUMBER || m->number < BENCH_NS_MIN || m->number > BENCH_NS_MAX) return false;
        p->ns[p->n++] = m->number;
    }
    return true;
}

static bool read_result(struct report *r, const struct json_value *v) {
    struct result *const x = r->results < RESULTS_MAX ? report_add(r) : NULL;
    const struct json_value *const points = member(v, "points", J_ARRAY);
    double messages, threads;
    if (x == NULL || points == NULL || !get_name(v, "algorithm", x->algorithm, sizeof x->algorithm) ||
        !get_name(v, "direction", x->direction, sizeof x->direction) || !get_name(v, "call", x->call, sizeof x->call) ||
        !get_name(v, "library", x->library, sizeof x->library) || !get_name(v, "engine", x->engine, sizeof x->engine) ||
        !get_number(v, "messages", 1, 1e6, &messages) || !get_number(v, "threads", 1, BENCH_THREADS, &threads) ||
        !get_bool(v, "slope", &x->slope) || !get_bool(v, "wrong", &x->wrong) ||
        !get_number(v, "mhz", 0, 1e6, &x->mhz) || !get_number(v, "mhz_spread", 0, 1e6, &x->mhz_spread))
        return false;
    x->messages = (unsigned)messages;
    x->threads = (unsigned)threads;
    for (const struct json_value *m = points->first; m != NULL; m = m->next)
        if (!read_point(x, m)) return false;
    return x->points >= (x->slope ? 2 : 1);
}

static bool read_report(struct report *r, const struct json_value *v) {
    char format[32];
    double rounds;
    const struct json_value *const libraries = member(v, "libraries", J_ARRAY), *const results =
                                                                                    member(v, "results", J_ARRAY);
    if (!get_string(v, "format", format, sizeof format) || strcmp(format, FORMAT) != 0 || !libraries || !results ||
        !get_name(v, "cadenza", r->version, sizeof r->version) ||
        !get_string(v, "compiler", r->compiler, sizeof r->compiler) || !get_string(v, "cpu", r->cpu, sizeof r->cpu) ||
        !get_name(v, "arch", r->arch, sizeof r->arch) || !get_string(v, "emulator", r->emulator, sizeof r->emulator) ||
        !get_name(v, "taken", r->taken, sizeof r->taken) || !get_name(v, "clock", r->clock, sizeof r->clock) ||
        !get_number(v, "rounds", 1, BENCH_ROUNDS_MAX, &rounds) || !get_bool(v, "complete", &r->complete) ||
        count(libraries) > BENCH_LIBRARIES)
        return false;
    r->rounds = (unsigned)rounds;
    for (const struct json_value *m = libraries->first; m != NULL; m = m->next) {
        struct library_note *const l = &r->library[r->libraries++];
        if (!get_name(m, "name", l->name, sizeof l->name) || !get_string(m, "version", l->version, sizeof l->version) ||
            !get_string(m, "file", l->file, sizeof l->file))
            return false;
    }
    for (const struct json_value *m = results->first; m != NULL; m = m->next)
        if (!read_result(r, m)) return false;
    return true;
}

int json_read(struct report *r, const char *path) {
    struct input in;
    size_t cap = 1 << 16, n = 0, got;
    memset(r, 0, sizeof *r);
    int e = input_open(&in, path);
    if (e != DONE) return e;
    char *text = malloc(cap + 1);
    for (;;) {
        if (text == NULL) {
            e = fail(FAIL_MEMORY, "no memory");
            break;
        }
        e = input_read(&in, (uint8_t *)text + n, cap - n, &got);
        n += got;
        if (e != DONE || n < cap) break;
        if (cap >= FILE_MAX) {
            e = fail(FAIL_DATA, "%s is too long for results of 'cadenza bench --json'", in.name);
            break;
        }
        cap *= 2;
        char *const more = realloc(text, cap + 1);
        if (more == NULL) free(text);
        text = more;
    }
    if (e == DONE) {
        text[n] = 0;
        struct parser p = {text, text, NULL};
        struct json_value *const v = parse_value(&p, 0);
        if (v != NULL) space(&p);
        if (v == NULL || p.at != text + n)
            e = fail(FAIL_DATA, "%s is not JSON: %s at byte %zu", in.name, p.fault ? p.fault : "there is more",
                     (size_t)(p.at - text));
        else if (!read_report(r, v))
            e = fail(FAIL_DATA, "%s does not have what 'cadenza bench --json' writes", in.name);
        json_free(v);
    }
    if (e != DONE) report_free(r);
    free(text);
    input_close(&in);
    return e;
}
