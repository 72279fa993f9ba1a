/* SPDX-License-Identifier: Apache-2.0 */
/* `cadenza bench`: options and the order of work; bench.h says who does what. */
#include "bench.h"
#include "cli.h"
#include "engines.h"
#include "file_format.h"
#include "io.h"
#include "progress.h"

#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum {
    ENGINES_MAX = 24,
    WORKS_MAX = 1024,
    PATTERNS_MAX = 256,
    SLOPE_STEP = 2048,
    SLOPE_POINTS = 8,
    FILE_POINTS = 4,
    MIB = 1048576
};

enum format { TEXT, JSON, CSV, MARKDOWN };

struct settings {
    struct plan plan;
    const char *engine; /* NULL: the best; "all" */
    const char *direction;
    bool keys, files, peers, all_peers;
    uint64_t batch;
    enum format format;
    const char *html, *from, *compare;
    double threshold;
    const char *peer_file[PEERS];
    bool peer_wanted[PEERS];
    char **patterns;
    int n_patterns;
};

static const char help[] =
    "usage: cadenza bench [OPTION ...] [CIPHER ...]\n"
    "\n"
    "Times whole messages, IV and tag included, in place. Without sizes a line is fitted to the times of messages of 2 "
    "to\n"
    "16 KiB: what a byte costs, and what a call costs besides. CIPHER is a name (aria-256-gcm), its beginning "
    "(aria-256)\n"
    "or a pattern ('*-gcm'); without any, ARIA and AES with 128-bit keys in the usual modes are timed.\n"
    "\n"
    "what:\n"
    "  --engine NAME        one engine instead of the best, two joined by +, or 'all' that this CPU can run\n"
    "  --direction WHICH    enc, dec or both (both)\n"
    "  --sizes N,...        messages of these sizes, each by itself, instead of a line\n"
    "  --tcrypt             operations and cycles of messages of 16, 64, 128, 256, 1024, 1420, 4096, 16384 bytes\n"
    "  --key                setting a key, both directions ready, instead of messages\n"
    "  --batch N            the call for N messages or MACs at once, instead of single ones (by sizes)\n"
    "  --file               the body of 'cadenza encrypt' and 'decrypt', from memory to /dev/null\n"
    "  --threads N          N threads at once, together\n"
    "  --cpu=-FEATURE,...   leave out features of the CPU\n"
    "other libraries, where they are installed, in turns with cadenza:\n"
    "  --peers              libgcrypt, OpenSSL, Botan, Nettle\n"
    "  --peer NAME[=FILE]   libgcrypt, openssl, botan or nettle, from this shared library\n"
    "  --gcrypt-deny WORDS  hardware features that libgcrypt must not use, by its names, separated by commas\n"
    "how:\n"
    "  --rounds N           rounds, 1 to 10000 (25)\n"
    "  --mhz N              the core's clock rate, instead of measuring it\n"
    "  --quick              one call of everything: a test, no measurement\n"
    "output:\n"
    "  --json, --csv, --markdown   instead of the table\n"
    "  --html FILE          a page with plots, besides\n"
    "  --from FILE          show results written by --json, instead of measuring\n"
    "  --compare FILE       compare with results written by --json; ends with 26 where a row is slower\n"
    "  --threshold PERCENT  by more than this (5)\n";

/* ---- what there is to do ----------------------------------------------------------------------------------- */

struct job {
    struct work w;
    const char *engines[ENGINES_MAX];
    size_t n_engines;
};

struct jobs {
    struct job *job;
    size_t n;
    cdz_engine_info engine[64];
    size_t n_engines;
};

/* What is listed unless it is asked for by name: the modes whose speed says something of its own. */
static bool usual(const char *mode) {
    static const char *const left_out[] = {"CBC-PKCS7", "CBC-CS1", "CBC-CS2", "CBC-CS3", "CFB8", "CFB1", "KW", "KWP"};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(mode, left_out[i]) == 0) return false;
    return true;
}

static bool for_files(const char *mode) {
    struct file_header h;
    char name[32];
    snprintf(name, sizeof name, "AES-256-%s", mode);
    return format_parse_cipher(&h, name);
}

/* Is this cipher asked for? A name, also another one of OpenSSL's, is that cipher alone; a pattern, all that it fits;
 * the beginning of a name, the usual ones of those. */
static bool asked_for(const char *pattern, const char *name, const char *mode) {
    cdz_info info;
    const size_t n = strlen(pattern);
    if (strpbrk(pattern, "*?[") != NULL) return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
    if (cdz_describe(&info, pattern) == CDZ_OK) return strcmp(info.name, name) == 0;
    return strncasecmp(pattern, name, n) == 0 && (name[n] == 0 || (name[n] == '-' && usual(mode)));
}

static bool work_of(struct work *w, const struct settings *s, const char *name, bool decrypt) {
    memset(w, 0, sizeof *w);
    if (cdz_describe(&w->info, name) != CDZ_OK || w->info.key_len > sizeof w->key) return false;
    w->kind = s->keys            ? WORK_KEY
              : s->files         ? WORK_FILE
              : w->info.wraps    ? WORK_WRAP
              : w->info.mac      ? WORK_MAC
              : w->info.one_shot ? WORK_MESSAGE
                                 : WORK_PIECES;
    w->decrypt = decrypt;
    w->batch = s->batch > 0;
    w->messages = w->batch ? (size_t)s->batch : 1;
    /* One nonce of 12 bytes for all modes that take it, so that modes and libraries can be compared. */
    w->iv_len = w->info.iv_default > 12 && w->info.iv_min <= 12 && w->info.tag_lengths ? 12 : w->info.iv_default;
    w->tag_len = w->info.tag_lengths ? 16 : 0;
    if (w->iv_len > sizeof w->iv) return false;
    pattern(w->key, sizeof w->key, 3);
    pattern(w->iv, sizeof w->iv, 4);
    /* A counter that begins at 1, as protocols have it: where it carries some engines lose a few cycles. */
    if (w->iv_len == sizeof w->iv) memcpy(w->iv + 12, (const uint8_t[4]){0, 0, 0, 1}, 4);
    return true;
}

static bool is_engine_of(const struct work *w, const char *engine) {
    const enum engine_kind kind = engine_kind(engine);
    return kind == (strncmp(w->info.name, "ARIA", 4) == 0 ? ENGINE_ARIA : ENGINE_AES) ||
           (kind == ENGINE_HASH && strstr(engine, "/") != NULL);
}

/* Adds a piece of work for the engines that do it; nothing where none does. */
static int job_add(struct jobs *j, const struct settings *s, const struct work *w) {
    cdz_cipher *c;
    struct job *const job = &j->job[j->n];
    if (j->n >= WORKS_MAX) return fail(FAIL_DATA, "too much to do at once");
    *job = (struct job){.w = *w};
    if (s->engine == NULL)
        job->engines[job->n_engines++] = NULL;
    else if (strcmp(s->engine, "all") != 0) {
        const cdz_status status = cdz_cipher_new_on(&c, s->engine, w->info.name, w->key, w->info.key_len);
        cdz_cipher_free(c);
        if (status == CDZ_ERR_NAME) return DONE; /* of the other cipher, or a hash where none is */
        if (status != CDZ_OK) return fail_status(status, s->engine);
        job->engines[job->n_engines++] = s->engine;
    } else
        for (size_t i = 0; i < j->n_engines && job->n_engines < ENGINES_MAX; i++) {
            if (!j->engine[i].usable || !is_engine_of(w, j->engine[i].name)) continue;
            if (w->kind == WORK_KEY && engine_kind(j->engine[i].name) == ENGINE_HASH) continue;
            if (cdz_cipher_new_on(&c, j->engine[i].name, w->info.name, w->key, w->info.key_len) != CDZ_OK) continue;
            /* A hash engine with the best cipher engine; the best hash engine came with that one already. */
            char bound[96];
            snprintf(bound, sizeof bound, "%s", cdz_engine_name(c));
            cdz_cipher_free(c);
            bool again = false;
            for (size_t k = 0; k < job->n_engines && !again; k++)
                if (cdz_cipher_new_on(&c, job->engines[k], w->info.name, w->key, w->info.key_len) == CDZ_OK) {
                    again = strcmp(bound, cdz_engine_name(c)) == 0;
                    cdz_cipher_free(c);
                }
            if (!again) job->engines[job->n_engines++] = j->engine[i].name;
        }
    j->n += job->n_engines > 0;
    return DONE;
}

static int jobs_of(struct jobs *j, const struct settings *s) {
    static const char *const ciphers[] = {"ARIA", "AES"};
    bool used[PATTERNS_MAX] = {false};
    int e = DONE;
    bool any_name = false, any_size = false;
    j->job = calloc(WORKS_MAX, sizeof *j->job);
    if (j->job == NULL) return fail(FAIL_MEMORY, "no memory");
    while (j->n_engines < sizeof j->engine / sizeof *j->engine && cdz_engine_at(j->n_engines, &j->engine[j->n_engines]))
        j->n_engines++;
    for (int c = 0; c < 2; c++)
        for (int bits = 128; bits <= 256; bits += 64)
            for (size_t m = 0; cdz_mode_name(m) != NULL; m++) {
                char name[64];
                struct work w;
                const char *const mode = s->keys ? "ECB" : cdz_mode_name(m);
                if (s->keys && m > 0) break;
                snprintf(name, sizeof name, "%s-%d-%s", ciphers[c], bits, mode);
                if (!work_of(&w, s, name, false)) continue;
                bool wanted = s->n_patterns == 0 && (bits == 128 || s->keys) && usual(mode);
                for (int i = 0; i < s->n_patterns; i++) {
                    char key_name[64];
                    snprintf(key_name, sizeof key_name, "%s-%d-KEY", ciphers[c], bits);
                    if (!asked_for(s->patterns[i], s->keys ? key_name : w.info.name, mode)) continue;
                    wanted = used[i] = true;
                }
                if (!wanted || (w.batch && w.kind != WORK_MESSAGE && w.kind != WORK_MAC) ||
                    (s->files && !for_files(mode)))
                    continue;
                any_name = true;
                bool takes = s->keys;
                for (size_t i = 0; i < s->plan.sizes; i++) takes |= work_takes(&w, s->plan.size[i]);
                any_size |= takes;
                for (int d = 0; takes && d < 2; d++) {
                    if (s->keys && d) continue;
                    if (!s->keys && strcmp(s->direction, "both") != 0 && d != (strcmp(s->direction, "dec") == 0))
                        continue;
                    w.decrypt = d;
                    if ((e = job_add(j, s, &w)) != DONE) return e;
                }
            }
    for (int i = 0; i < s->n_patterns; i++)
        if (!used[i]) return fail(FAIL_NAME, "there is no cipher '%s'; a name is such as aria-256-ctr", s->patterns[i]);
    if (!any_name) return fail(FAIL_NAME, "nothing to time: no cipher that was named is for this");
    if (!any_size)
        return fail(FAIL_ARGUMENT, "nothing to time: no cipher that was named takes messages of these sizes");
    if (j->n == 0) return fail(FAIL_NAME, "nothing to time: %s does not serve what was asked for", s->engine);
    return DONE;
}

/* ---- progress ------------------------------------------------------------------------------------------------ */

static void show_progress(const struct job *job, size_t done, size_t total, double seconds) {
    struct winsize ws;
    char line[256];
    if (!isatty(STDERR_FILENO)) return;
    const unsigned width = ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 1 ? ws.ws_col - 1U : 79;
    int n = snprintf(line, sizeof line, "%zu of %zu, ", done, total);
    if (done > 0) {
        const double left = seconds / (double)done * (double)(total - done);
        n += snprintf(line + n, sizeof line - (size_t)n, "%.0f:%02.0f left, ", floor(left / 60), floor(fmod(left, 60)));
    }
    snprintf(line + n, sizeof line - (size_t)n, "%s %s", job->w.info.name, job->w.decrypt ? "dec" : "enc");
    if (width < sizeof line) line[width] = 0;
    progress_visible = 1;
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

static void on_interrupt(int sig) {
    (void)sig;
    bench_stop = 1;
}

/* ---- the run --------------------------------------------------------------------------------------------------- */

static void describe_run(struct report *r, const struct settings *s) {
    struct utsname u;
    const time_t t = time(NULL);
    struct tm tm;
    snprintf(r->version, sizeof r->version, "%s", cdz_version());
#if defined(__clang__)
    snprintf(r->compiler, sizeof r->compiler, "clang %s", __clang_version__);
    r->compiler[strcspn(r->compiler, "(")] = 0;
#elif defined(__GNUC__)
    snprintf(r->compiler, sizeof r->compiler, "gcc %s", __VERSION__);
#endif
    bench_cpu_name(r->cpu, sizeof r->cpu);
    snprintf(r->arch, sizeof r->arch, "%.15s", uname(&u) == 0 ? u.machine : "?");
    if (gmtime_r(&t, &tm) != NULL) strftime(r->taken, sizeof r->taken, "%Y-%m-%dT%H:%M:%SZ", &tm);
    if (bench_emulator() != NULL) snprintf(r->emulator, sizeof r->emulator, "%s", bench_emulator());
    r->rounds = s->plan.rounds;
    r->library[0] = (struct library_note){.name = "cadenza"};
    snprintf(r->library[0].version, sizeof r->library[0].version, "cadenza %s", cdz_version());
    r->libraries = 1;
}

static int load_peers(struct report *r, const struct settings *s) {
    char why[512];
    for (int i = 0; i < PEERS; i++) {
        struct library *const l = &library_peers[i];
        if (!s->peer_wanted[i]) continue;
        if (l->load(l, s->peer_file[i], why, sizeof why) != 0) {
            /* One that was asked for by name must be there; of --peers those that are. */
            if (!s->all_peers || s->peer_file[i] != NULL) return fail(FAIL_READ, "%s: %s", l->name, why);
            fprintf(stderr, "%s: %s\n", l->name, why);
            continue;
        }
        l->loaded = true;
        struct library_note *const n = &r->library[r->libraries++];
        snprintf(n->name, sizeof n->name, "%s", l->name);
        snprintf(n->version, sizeof n->version, "%s", l->version);
        snprintf(n->file, sizeof n->file, "%s", l->file);
    }
    if (r->libraries == 1) return fail(FAIL_READ, "none of the other libraries is installed");
    return DONE;
}

static int set_clock(struct report *r, struct settings *s) {
    if (s->plan.mhz > 0) {
        s->plan.mhz_known = true;
        snprintf(r->clock, sizeof r->clock, "given");
        return DONE;
    }
    const enum mhz_check check = bench_check_mhz();
    s->plan.mhz_known = check != MHZ_DIFFERS && bench_chain_mhz(1000) > 0;
    snprintf(r->clock, sizeof r->clock, "%s",
             !s->plan.mhz_known    ? "unknown"
             : check == MHZ_AGREES ? "measured and checked"
                                   : "measured");
    return DONE;
}

static void print_head(const struct report *r) {
    printf("cadenza %s by %s on %s (%s); clock rate %s\n", r->version, r->compiler, r->cpu, r->arch, r->clock);
    if (r->rounds == 1) puts("one round: a test, no measurement");
    for (size_t i = 1; i < r->libraries; i++) printf("%s: %s\n", r->library[i].version, r->library[i].file);
    if (!r->complete) puts("the run was broken off");
}

static size_t name_width(const struct report *r) {
    size_t width = 16;
    char label[LABEL_MAX];
    for (size_t i = 0; i < r->results; i++) {
        result_label(&r->result[i], label);
        if (strlen(label) > width) width = strlen(label);
    }
    return width;
}

/* Rounds that were not come to: the result says nothing. */
static void drop_empty(struct report *r, size_t first) {
    for (size_t i = first; i < r->results;) {
        struct result *const x = &r->result[i];
        size_t least = SIZE_MAX;
        for (size_t k = 0; k < x->points; k++)
            if (x->point[k].n < least) least = x->point[k].n;
        if (least > 0 || x->wrong) {
            i++;
            continue;
        }
        for (size_t k = 0; k < x->points; k++) free(x->point[k].ns);
        memmove(x, x + 1, (--r->results - i) * sizeof *x);
    }
}

static int measure_all(struct report *r, struct settings *s) {
    struct jobs j = {0};
    int e = jobs_of(&j, s);
    if (e == DONE && s->peers) e = load_peers(r, s);
    if (e == DONE) e = set_clock(r, s);
    if (e != DONE) {
        free(j.job);
        return e;
    }
    if (r->emulator[0]) fprintf(stderr, "this runs under an emulator (%s): the times mean nothing\n", r->emulator);
    struct sigaction stop = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, was;
    sigaction(SIGINT, &stop, &was);
    if (was.sa_handler == SIG_IGN) sigaction(SIGINT, &was, NULL); /* nohup, background jobs */
    if (s->format == TEXT) {
        r->complete = true;
        print_head(r);
        size_t width = 16;
        for (size_t i = 0; i < j.n; i++)
            if (strlen(j.job[i].w.info.name) + 12 > width && (s->batch || s->files || s->plan.threads > 1))
                width = strlen(j.job[i].w.info.name) + 12;
        text_begin(r, s->plan.slope, s->peers, width);
    }
    const double start = bench_now();
    for (size_t i = 0; e == DONE && i < j.n && !bench_stop; i++) {
        struct session contestants[BENCH_CONTESTANTS] = {0};
        const size_t first = r->results;
        size_t n = 0;
        for (size_t k = 0; k < j.job[i].n_engines; k++)
            contestants[n++] = (struct session){.lib = &library_cadenza, .want = j.job[i].engines[k]};
        for (int k = 0; k < PEERS; k++)
            if (library_peers[k].loaded && j.job[i].w.kind != WORK_FILE)
                contestants[n++] = (struct session){.lib = &library_peers[k]};
        show_progress(&j.job[i], i, j.n, (bench_now() - start) / 1e9);
        e = bench_measure(&s->plan, &j.job[i].w, contestants, n, r);
        progress_hide();
        drop_empty(r, first);
        if (s->format == TEXT && e == DONE) {
            text_results(r, first);
            if (!io_flush_stdout()) break;
        }
    }
    r->complete = e == DONE && !bench_stop;
    sigaction(SIGINT, &was, NULL);
    free(j.job);
    return e;
}

/* Writes to a file, or to stdout where path is NULL. */
static int write_to(const char *path, int (*write)(const struct report *, struct output *), const struct report *r) {
    struct output out;
    int e = output_open(&out, path, OUTPUT_REPLACE, NULL, 0);
    if (e != DONE) return e;
    e = output_begin(&out);
    if (e == DONE) e = write(r, &out);
    if (e == DONE) return output_commit(&out);
    output_abandon(&out);
    return e;
}

static const struct report *html_old;
static double html_threshold;
static int write_html(const struct report *r, struct output *out) {
    return html_write(r, html_old, html_threshold, out);
}

static int show(const struct report *r, const struct settings *s) {
    struct report old = {0};
    int e = DONE, slower = DONE;
    if (s->compare != NULL) e = json_read(&old, s->compare);
    if (e == DONE && s->format == TEXT && s->from != NULL) {
        print_head(r);
        for (int slope = 1; slope >= 0; slope--) {
            struct report part = *r;
            size_t n = 0;
            part.result = malloc((r->results + 1) * sizeof *part.result);
            if (part.result == NULL) return fail(FAIL_MEMORY, "no memory");
            for (size_t i = 0; i < r->results; i++)
                if (r->result[i].slope == (slope == 1)) part.result[n++] = r->result[i];
            part.results = n;
            if (n > 0) {
                text_begin(&part, slope, r->libraries > 1, name_width(r));
                text_results(&part, 0);
            }
            free(part.result);
        }
    }
    if (e == DONE && s->format == JSON) e = write_to(NULL, json_write, r);
    if (e == DONE && s->format == CSV) e = write_to(NULL, csv_write, r);
    if (e == DONE && s->format == MARKDOWN) markdown_write(r);
    if (e == DONE && s->html != NULL) {
        html_old = s->compare ? &old : NULL;
        html_threshold = s->threshold;
        e = write_to(s->html, write_html, r);
    }
    if (e == DONE && s->compare != NULL) slower = compare_print(&old, r, s->threshold, s->format != TEXT);
    report_free(&old);
    return e != DONE ? e : slower;
}

/* ---- options ------------------------------------------------------------------------------------------------- */

static int parse_sizes(struct plan *p, const char *list) {
    char *const copy = strdup(list), *rest = copy;
    uint64_t n = 0;
    int e = copy != NULL ? DONE : fail(FAIL_MEMORY, "no memory");
    p->sizes = 0;
    p->slope = false;
    for (char *word; e == DONE && (word = strsep(&rest, ",")) != NULL;) {
        if (p->sizes == BENCH_POINTS)
            e = fail(FAIL_ARGUMENT, "--sizes takes %d sizes at most", BENCH_POINTS);
        else if ((e = parse_number("--sizes", word, 1, 64 * MIB, &n)) == DONE)
            p->size[p->sizes++] = (size_t)n;
    }
    free(copy);
    return e;
}

static int parse_real(const char *option, const char *text, double min, double max, double *value) {
    char *end;
    const double x = strtod(text, &end);
    if (end == text || *end != 0 || !(x >= min && x <= max))
        return fail(FAIL_ARGUMENT, "%s takes a number from %g to %g, not '%s'", option, min, max, text);
    *value = x;
    return DONE;
}

static int parse_peer(struct settings *s, char *text) {
    char *const file = strchr(text, '=');
    if (file != NULL) *file = 0;
    for (int i = 0; i < PEERS; i++)
        if (strcasecmp(library_peers[i].name, text) == 0) {
            s->peers = s->peer_wanted[i] = true;
            s->peer_file[i] = file ? file + 1 : NULL;
            return DONE;
        }
    return fail(FAIL_NAME, "there is no library '%s' to compare with: libgcrypt, openssl, botan, nettle", text);
}

/* No such engine, or not here: said once, not row by row. */
static int probe_engine(const char *engine) {
    static const uint8_t key[16] = {0};
    static const char *const names[] = {"ARIA-128-GCM", "AES-128-GCM"};
    cdz_cipher *c;
    cdz_status s = CDZ_ERR_NAME;
    for (size_t i = 0; s == CDZ_ERR_NAME && i < sizeof names / sizeof *names; i++) {
        s = cdz_cipher_new_on(&c, engine, names[i], key, 16);
        cdz_cipher_free(c);
    }
    if (s == CDZ_ERR_NAME) return fail(FAIL_NAME, "there is no engine '%s'; 'cadenza cpu' lists them", engine);
    return s == CDZ_OK ? DONE : fail_status(s, engine);
}

static int parse(struct settings *s, int argc, char **argv) {
    enum {
        OPT_CPU = 256,
        OPT_ENGINE, /* from here to OPT_QUICK: what is measured and how */
        OPT_ROUNDS,
        OPT_DIRECTION,
        OPT_SIZES,
        OPT_TCRYPT,
        OPT_KEY,
        OPT_BATCH,
        OPT_FILE,
        OPT_THREADS,
        OPT_PEERS,
        OPT_PEER,
        OPT_DENY,
        OPT_MHZ,
        OPT_QUICK,
        OPT_JSON,
        OPT_CSV,
        OPT_MARKDOWN,
        OPT_HTML,
        OPT_FROM,
        OPT_COMPARE,
        OPT_THRESHOLD
    };
    static const struct option options[] = {{"cpu", required_argument, NULL, OPT_CPU},
                                            {"engine", required_argument, NULL, OPT_ENGINE},
                                            {"rounds", required_argument, NULL, OPT_ROUNDS},
                                            {"direction", required_argument, NULL, OPT_DIRECTION},
                                            {"sizes", required_argument, NULL, OPT_SIZES},
                                            {"tcrypt", no_argument, NULL, OPT_TCRYPT},
                                            {"key", no_argument, NULL, OPT_KEY},
                                            {"batch", required_argument, NULL, OPT_BATCH},
                                            {"file", no_argument, NULL, OPT_FILE},
                                            {"threads", required_argument, NULL, OPT_THREADS},
                                            {"peers", no_argument, NULL, OPT_PEERS},
                                            {"peer", required_argument, NULL, OPT_PEER},
                                            {"gcrypt-deny", required_argument, NULL, OPT_DENY},
                                            {"mhz", required_argument, NULL, OPT_MHZ},
                                            {"quick", no_argument, NULL, OPT_QUICK},
                                            {"json", no_argument, NULL, OPT_JSON},
                                            {"csv", no_argument, NULL, OPT_CSV},
                                            {"markdown", no_argument, NULL, OPT_MARKDOWN},
                                            {"html", required_argument, NULL, OPT_HTML},
                                            {"from", required_argument, NULL, OPT_FROM},
                                            {"compare", required_argument, NULL, OPT_COMPARE},
                                            {"threshold", required_argument, NULL, OPT_THRESHOLD},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static const char tcrypt[] = "16,64,128,256,1024,1420,4096,16384", batch_sizes[] = "16,64,256,1024",
                      file_sizes[] = "65536,1048576,16777216", quick_file_sizes[] = "100,200000";
    struct plan *const p = &s->plan;
    uint64_t n = 0;
    int c, e = DONE;
    bool measures = false;
    while ((c = next_option(argc, argv, "bench", ":h", options, false)) != -1) {
        measures |= c > OPT_CPU && c < OPT_JSON;
        switch (c) {
        case OPT_CPU:
            e = set_cpu_mask(optarg);
            break;
        case OPT_ENGINE:
            s->engine = optarg;
            break;
        case OPT_ROUNDS:
            e = parse_number("--rounds", optarg, 1, BENCH_ROUNDS_MAX, &n);
            p->rounds = (unsigned)n;
            break;
        case OPT_DIRECTION:
            s->direction = optarg;
            if (strcmp(optarg, "enc") != 0 && strcmp(optarg, "dec") != 0 && strcmp(optarg, "both") != 0)
                e = fail(FAIL_ARGUMENT, "--direction takes enc, dec or both, not '%s'", optarg);
            break;
        case OPT_SIZES:
            e = parse_sizes(p, optarg);
            break;
        case OPT_TCRYPT:
            e = parse_sizes(p, tcrypt);
            break;
        case OPT_KEY:
            s->keys = true;
            break;
        case OPT_BATCH:
            e = parse_number("--batch", optarg, 1, 65536, &s->batch);
            break;
        case OPT_FILE:
            s->files = true;
            break;
        case OPT_THREADS:
            e = parse_number("--threads", optarg, 1, BENCH_THREADS, &n);
            p->threads = (unsigned)n;
            break;
        case OPT_PEERS:
            s->peers = s->all_peers = true;
            for (int i = 0; i < PEERS; i++) s->peer_wanted[i] = true;
            break;
        case OPT_PEER:
            e = parse_peer(s, optarg);
            break;
        case OPT_DENY:
            peers_gcrypt_deny = optarg;
            break;
        case OPT_MHZ:
            e = parse_real("--mhz", optarg, 1, 100000, &p->mhz);
            break;
        case OPT_QUICK:
            p->quick = true;
            break;
        case OPT_JSON:
            s->format = JSON;
            break;
        case OPT_CSV:
            s->format = CSV;
            break;
        case OPT_MARKDOWN:
            s->format = MARKDOWN;
            break;
        case OPT_HTML:
            s->html = optarg;
            break;
        case OPT_FROM:
            s->from = optarg;
            break;
        case OPT_COMPARE:
            s->compare = optarg;
            break;
        case OPT_THRESHOLD:
            e = parse_real("--threshold", optarg, 0, 1000, &s->threshold);
            s->threshold /= 100;
            break;
        case 'h':
            fputs(help, stdout);
            return -1;
        default:
            return FAIL_USAGE;
        }
        if (e != DONE) return e;
    }
    s->patterns = argv + optind;
    s->n_patterns = argc - optind;
    if (s->from != NULL && (measures || s->n_patterns > 0))
        return fail_usage("bench", "--from shows results; it measures nothing");
    if (s->html != NULL && strcmp(s->html, "-") == 0)
        return fail_usage("bench", "--html writes a page beside the results, which go to standard output: name a file");
    if (s->n_patterns > PATTERNS_MAX) return fail_usage("bench", "too many ciphers");
    if (s->threshold >= 0 && s->compare == NULL)
        return fail_usage("bench", "--threshold is for --compare: it says what counts as slower");
    if (s->threshold < 0) s->threshold = 0.05;
    if (s->keys + s->files + (s->batch > 0) > 1)
        return fail_usage("bench", "--key, --file and --batch are different things to time");
    if (s->engine != NULL && s->files)
        return fail_usage("bench", "files are for the best engine; --cpu can choose another");
    if (p->sizes == 0 && s->batch > 0) e = parse_sizes(p, batch_sizes);
    if (p->sizes == 0 && s->files) e = parse_sizes(p, p->quick ? quick_file_sizes : file_sizes);
    if (e != DONE) return e;
    if (p->sizes == 0) {
        p->slope = true;
        p->sizes = SLOPE_POINTS;
        for (size_t i = 0; i < SLOPE_POINTS; i++) p->size[i] = (i + 1) * SLOPE_STEP;
    }
    if (s->keys) p->slope = false;
    if (p->quick) {
        p->rounds = 1;
        if (p->slope) p->sizes = 2;
    }
    p->round_ns = p->threads > 1 ? 2e6 : 2.5e5;
    return s->engine != NULL && strcmp(s->engine, "all") != 0 ? probe_engine(s->engine) : DONE;
}

int cmd_bench(int argc, char **argv) {
    struct settings s = {.plan = {.rounds = 25, .threads = 1}, .direction = "both", .threshold = -1};
    struct report r = {0};
    int e = parse(&s, argc, argv);
    if (e != DONE) return e == -1 ? DONE : e;
    if (s.compare != NULL) { /* before minutes are spent on what it cannot be compared with */
        struct report old = {0};
        e = json_read(&old, s.compare);
        report_free(&old);
        if (e != DONE) return e;
    }
    if (s.from != NULL)
        e = json_read(&r, s.from);
    else {
        describe_run(&r, &s);
        e = measure_all(&r, &s);
    }
    if (e == DONE) e = show(&r, &s);
    report_free(&r);
    if (bench_stop) { /* what there is has been shown: now end as the signal would have it */
        io_finish_stdout(DONE);
        signal(SIGINT, SIG_DFL);
        raise(SIGINT);
    }
    return e;
}
