/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cadenza openssl`: whether OpenSSL's ciphers are served by the cadenza provider on this machine, the lines that make
 * it so, and what it gains.
 *
 * OpenSSL ignores a provider that it cannot load, and goes on with its own, slower code. So whether cadenza is in use
 * is told by who answers a fetch in the library context that all programs have; the configuration and the module are
 * looked at to tell why not.
 */
#include "cli.h"
#include "io.h"
#include "libcrypto.h"
#include "openssl_config.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { OPT_NO_SPEED = 256, OPT_LIB, OPT_LINES, OPT_STANDALONE, OPT_AES, SIZE = 16384 };

static const struct option options[] = {{"no-speed", no_argument, NULL, OPT_NO_SPEED},
                                        {"libcrypto", required_argument, NULL, OPT_LIB},
                                        {"lines", no_argument, NULL, OPT_LINES},
                                        {"standalone", no_argument, NULL, OPT_STANDALONE},
                                        {"aes", no_argument, NULL, OPT_AES},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: cadenza openssl [--no-speed] [--libcrypto FILE]\n"
    "       cadenza openssl --lines | --standalone [--aes] [--libcrypto FILE]\n"
    "\n"
    "Shows whether OpenSSL 3 uses cadenza in programs started in this environment, and if not, why and which lines\n"
    "openssl.cnf lacks; which provider serves which cipher; and the speed with OpenSSL's own code and with cadenza.\n"
    "Ends with 0 where ARIA is served by cadenza, with 13 where it is not.\n"
    "\n"
    "  --lines              only those lines, to be put at the end of the file:\n"
    "                       cadenza openssl --lines | sudo tee -a /etc/ssl/openssl.cnf\n"
    "  --standalone         a whole file instead, for OPENSSL_CONF; it includes the system's openssl.cnf\n"
    "  --aes                with --lines or --standalone: for AES too\n"
    "  --no-speed           do not measure\n"
    "  --libcrypto FILE     look at this libcrypto (default: libcrypto.so.3)\n";

/* ---- the module ----------------------------------------------------------------------------------- */

struct module {
    char wanted[PATH_MAX]; /* where OpenSSL looks, by configuration and environment */
    char found[PATH_MAX];  /* a cadenza.so that loads; "": none */
    bool usable;           /* found is wanted */
    bool needs_line;       /* found is nowhere that OpenSSL looks without `module =` */
    char version[32];      /* what it says of itself */
    void *context;         /* where it is loaded, with OpenSSL's own provider, whatever the configuration says */
};

static bool is_there(const char *path) { return access(path, R_OK) == 0; }

/* Loads the module and asks who it is. */
static bool try_module(struct module *m, const char *path) {
    const char *name = "", *version = "";
    struct ossl_param ask[] = {
        {"name", OSSL_UTF8_PTR, &name, 0, 0}, {"version", OSSL_UTF8_PTR, &version, 0, 0}, {NULL, 0, NULL, 0, 0}};
    void *const context = ossl.context_new(); /* stays: modules are not unloaded, and the program ends soon */
    void *const loaded = context ? ossl.provider_load(context, path) : NULL;
    if (!loaded || ossl.provider_params(loaded, ask) != 1 || strcmp(name, "cadenza") != 0) return false;
    snprintf(m->found, sizeof m->found, "%s", path);
    snprintf(m->version, sizeof m->version, "%s", version);
    m->context = ossl.provider_load(context, "default") ? context : NULL;
    return true;
}

static void find_module(struct module *m, const struct openssl_config *c) {
    const char *const system = ossl.info(OSSL_INFO_MODULES_DIR), *const told = getenv("OPENSSL_MODULES");
    const char *const base = c->module ? c->module : "cadenza";
    const size_t n = strlen(base);
    const bool so = n > 3 && !strcmp(base + n - 3, ".so");
    *m = (struct module){.wanted = ""};
    snprintf(m->wanted, sizeof m->wanted, "%s%s%s%s",
             *base == '/' ? ""
             : told       ? told
             : system     ? system
                          : ".",
             *base == '/' ? "" : "/", base, so || c->module ? "" : ".so"); /* nothing is added to a name that is told */
    m->usable = is_there(m->wanted) && try_module(m, m->wanted);
    if (m->usable) {
        char real[PATH_MAX];
        m->needs_line = !c->module && told && realpath(m->wanted, real); /* for programs without OPENSSL_MODULES */
        if (m->needs_line) snprintf(m->found, sizeof m->found, "%s", real);
        return;
    }

    /* libcrypto's own folder; beside this program: in its build folder, or as it was installed. */
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    const ssize_t k = readlink("/proc/self/exe", self, sizeof self - 1);
    self[k > 0 ? k : 0] = 0;
    char *const slash = strrchr(self, '/');
    if (slash) *slash = 0;
    const struct {
        const char *dir, *below;
    } places[] = {{system, ""}, {slash ? self : NULL, "/ossl-modules"}, {slash ? self : NULL, CDZ_MODULES_FROM_BIN}};
    for (size_t i = 0; i < sizeof places / sizeof *places && !*m->found; i++) {
        char real[PATH_MAX];
        if (!places[i].dir) continue;
        snprintf(candidate, sizeof candidate, "%s%s/cadenza.so", places[i].dir, places[i].below);
        if (!realpath(candidate, real) || !strcmp(real, m->wanted) || !try_module(m, real)) continue;
        m->needs_line = i > 0 || c->module || told;
    }
    libcrypto_errors(NULL);
}

/* ---- speed ------------------------------------------------------------------------------------------ */

enum { MODE_CCM = 7, MODE_WRAP = 0x10002 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* MB/s of encrypting 16 KiB, IV included, the best of some rounds; 0 where there is none. */
static double speed(void *context, const char *name, const char *properties) {
    static uint8_t buf[SIZE + 16];
    uint8_t key[64]; /* XTS refuses two halves that are equal */
    static const uint8_t iv[16] = {2};
    double best = 0;
    void *const cipher = ossl.fetch(context, name, properties), *const ctx = ossl.ctx_new();
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    const int mode = cipher ? ossl.cipher_mode(cipher) : 0;
    if (cipher && ctx && mode != MODE_WRAP && ossl.init(ctx, cipher, key, iv, 1, NULL) == 1) {
        for (double end = now() + 0.05; now() < end;) {
            const double start = now();
            int n, ok = ossl.init(ctx, NULL, NULL, iv, 1, NULL);
            if (mode == MODE_CCM) ok &= ossl.update(ctx, NULL, &n, NULL, SIZE);
            ok &= ossl.update(ctx, buf, &n, buf, SIZE);
            const double t = now() - start;
            if (ok != 1) break;
            const double rate = (double)SIZE / t / 1e6;
            if (rate > best) best = rate;
        }
    }
    ossl.ctx_free(ctx);
    ossl.cipher_free(cipher);
    return best;
}

/* ---- who serves what ---------------------------------------------------------------------------------- */

struct row {
    char name[48], by[32];
    bool own, other; /* offered by cadenza, by another */
};

struct table {
    struct row *rows;
    size_t n, cap;
    bool full; /* no memory for more */
};

static struct row *row_of(struct table *t, const char *name) {
    for (size_t i = 0; i < t->n; i++)
        if (!strcasecmp(t->rows[i].name, name)) return &t->rows[i];
    if (t->n == t->cap) {
        const size_t cap = t->cap ? 2 * t->cap : 256;
        struct row *const more = realloc(t->rows, cap * sizeof *more);
        if (!more) {
            t->full = true;
            return NULL;
        }
        t->rows = more;
        t->cap = cap;
    }
    struct row *const r = &t->rows[t->n++];
    *r = (struct row){.own = false};
    snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

static void collect(void *cipher, void *arg) {
    struct row *const r = row_of(arg, ossl.cipher_name(cipher));
    if (!r) return;
    if (!strcmp(ossl.provider_name(ossl.cipher_provider(cipher)), "cadenza"))
        r->own = true;
    else
        r->other = true;
}

static bool is_aria(const struct row *r) { return !strncasecmp(r->name, "ARIA-", 5); }

/* ARIA first, then AES, then the rest; numbers within a name by their value. */
static int by_name(const void *a, const void *b) {
    const struct row *const x = a, *const y = b;
    const int k = 2 * is_aria(y) + !strncasecmp(y->name, "AES-", 4) - 2 * is_aria(x) - !strncasecmp(x->name, "AES-", 4);
    return k ? k : strcasecmp(x->name, y->name);
}

static void fill_table(struct table *t) {
    ossl.ciphers(NULL, collect, t);
    qsort(t->rows, t->n, sizeof *t->rows, by_name);
    for (size_t i = 0; i < t->n; i++) {
        void *const cipher = ossl.fetch(NULL, t->rows[i].name, NULL);
        snprintf(t->rows[i].by, sizeof t->rows[i].by, "%s",
                 cipher ? ossl.provider_name(ossl.cipher_provider(cipher)) : "nobody");
        ossl.cipher_free(cipher);
    }
    libcrypto_errors(NULL);
}

/* Every ARIA that cadenza offers comes from it, and it offers some. */
static bool is_live(const struct table *t) {
    bool some = false;
    for (size_t i = 0; i < t->n; i++) {
        if (!is_aria(&t->rows[i]) || !t->rows[i].own) continue;
        some = true;
        if (strcmp(t->rows[i].by, "cadenza") != 0) return false;
    }
    return some;
}

static void print_table(const struct table *t, void *context, bool measure) {
    printf("\n%-18s %-10s%s\n", "cipher", "served by", measure ? "  default    cadenza   ratio  (MB/s at 16 KiB)" : "");
    bool others = false;
    for (size_t i = 0; i < t->n; i++) {
        const struct row *const r = &t->rows[i];
        const bool own = !strcmp(r->by, "cadenza");
        if (!own && !is_aria(r)) {
            others = true;
            continue;
        }
        printf("%-18s %-10s", r->name, r->by);
        const double a = measure ? speed(context, r->name, "provider=default") : 0;
        const double b = measure ? speed(context, r->name, "provider=cadenza") : 0;
        if (a > 0) printf("%9.1f", a);
        if (b > 0 && a > 0) printf("  %9.1f  %6.2f", b, b / a);
        if (b > 0 && a <= 0) printf("%9s  %9.1f", "-", b);
        putchar('\n');
        if (!io_flush_stdout()) return;
    }
    libcrypto_errors(NULL);
    if (!others) return;
    printf("\nFrom other providers:");
    size_t column = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct row *const r = &t->rows[i];
        if (!strcmp(r->by, "cadenza") || is_aria(r)) continue;
        char word[96];
        const int k = snprintf(word, sizeof word, " %s (%s)", r->name, r->by);
        if (!column || column + (size_t)k > 110) {
            printf("\n ");
            column = 1;
        }
        fputs(word, stdout);
        column += (size_t)k;
    }
    putchar('\n');
}

/* ---- what it says ------------------------------------------------------------------------------------- */

static const char build_it[] = "Build cadenza where libssl-dev is installed, and `cmake --install` it";

/* Of a list as `algorithms` has it. */
static bool has_word(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (; *list; list += strcspn(list, ", \t"), list += strspn(list, ", \t"))
        if (strcspn(list, ", \t") == n && !strncasecmp(list, word, n)) return true;
    return false;
}

/* Only the lines. */
static int print_lines(const struct openssl_config *c, const struct module *m, bool standalone, bool aes) {
    if (c->there && !c->parsed) {
        libcrypto_errors(NULL);
        return fail(FAIL_UNSUPPORTED,
                    "%s: line %ld is no line of a configuration; nothing can be added before that is put right",
                    c->file, c->bad_line);
    }
    if (!*c->file)
        return fail(FAIL_UNSUPPORTED,
                    "OPENSSL_CONF is set and empty, so programs read no configuration: unset it, or use --standalone");
    if (c->unreadable)
        return fail(FAIL_READ, "%s cannot be read, so what it lacks cannot be told: not as this user", c->file);
    if (!*m->found) return fail(FAIL_UNSUPPORTED, "there is no cadenza.so that loads. %s", build_it);
    /* Where the line is there, it must have both of what is served now and what is asked for. */
    const bool has_aes = c->words && has_word(c->words, "aes"), has_aria = !c->words || has_word(c->words, "aria");
    const bool more = !has_aria || (aes && !has_aes);
    for (const char *s = m->needs_line ? m->found : ""; *s; s++)
        if ((unsigned char)*s < ' ')
            return fail(FAIL_UNSUPPORTED,
                        "the path of the module has a line break in it, which a configuration cannot have");
    if (!standalone && openssl_config_complete(c) && m->usable && !more) {
        fprintf(stderr, "cadenza: nothing is lacking in %s\n", c->file);
        return DONE;
    }
    if (standalone) {
        printf("# OPENSSL_CONF=THIS-FILE in a program's environment: OpenSSL 3 takes %s from cadenza.\n",
               aes ? "ARIA and AES" : "ARIA");
        if (c->there) openssl_config_line("", ".include", NULL, c->file);
        /* The name that Node looks for in a configuration of its own (node --openssl-config=FILE). */
        printf("[default]\nnodejs_conf = %s\n", c->init ? c->init : "openssl_init");
    } else {
        printf("\n# OpenSSL 3 takes %s from cadenza where it can (cadenza openssl --lines)\n",
               aes ? "ARIA and AES" : "ARIA");
    }
    openssl_config_print(c, "", m->needs_line ? m->found : NULL, !more ? NULL : aes || has_aes ? "aria, aes" : "aria");
    return DONE;
}

static void describe(const struct openssl_config *c, const struct module *m) {
    printf("%s\n", ossl.version(0));
    if (!*c->file)
        puts("  configuration: none (OPENSSL_CONF is set and empty)");
    else
        printf("  configuration: %s%s%s\n", c->file, getenv("OPENSSL_CONF") ? " (OPENSSL_CONF)" : "",
               c->there        ? ""
               : c->unreadable ? " (cannot be read)"
                               : " (not there)");
    printf("  modules: %s%s\n",
           getenv("OPENSSL_MODULES") ? getenv("OPENSSL_MODULES") : ossl.info(OSSL_INFO_MODULES_DIR),
           getenv("OPENSSL_MODULES") ? " (OPENSSL_MODULES)" : "");
    printf("  module: %s (%s)\n", m->wanted,
           m->usable             ? m->version
           : is_there(m->wanted) ? "does not load as cadenza"
                                 : "not there");
    if (*m->found && !m->usable) printf("  another: %s (%s)\n", m->found, m->version);
}

/* Why ARIA is not served by cadenza, and what to do; the first reason that there is. */
static int explain(const struct openssl_config *c, const struct module *m) {
    putchar('\n');
    if (!*c->file)
        return fail(FAIL_UNSUPPORTED, "ARIA is not served by cadenza: OPENSSL_CONF is set and empty, so programs read "
                                      "no configuration. Unset it");
    if (c->unreadable) return fail(FAIL_READ, "ARIA is not served by cadenza here: %s cannot be read", c->file);
    if (c->there && !c->parsed) {
        struct openssl_config again;
        puts("OpenSSL says:");
        openssl_config_read(&again, c->file);
        libcrypto_errors("    ");
        return fail(FAIL_UNSUPPORTED,
                    "ARIA is not served by cadenza: %s: line %ld is no line of a configuration, and OpenSSL uses "
                    "nothing of the file. Put it right",
                    c->file, c->bad_line);
    }
    if (!m->usable && is_there(m->wanted)) {
        struct module again = {.wanted = ""};
        printf("%s is there, and is not cadenza or cannot be loaded. OpenSSL says:\n", m->wanted);
        try_module(&again, m->wanted);
        libcrypto_errors("    ");
        puts("");
    }
    if (!*m->found)
        return fail(FAIL_UNSUPPORTED, "ARIA is not served by cadenza: there is no %s%s. %s", m->wanted,
                    is_there(m->wanted) ? " that loads" : "", build_it);
    if (openssl_config_complete(c) && m->usable) {
        if (c->words)
            printf("%s has `algorithms = %s`: the words are aria and aes, with a comma between them, and ARIA is "
                   "served where aria is one.\n",
                   c->file, c->words);
        return fail(FAIL_UNSUPPORTED, "ARIA is not served by cadenza, although %s names it and %s loads: %s", c->file,
                    m->wanted, c->words ? "see `algorithms`" : "`openssl list -providers` may tell why");
    }
    printf("These lines at the end of %s%s make it so (cadenza openssl --lines prints them alone):\n\n", c->file,
           c->there ? "" : ", which is to be made,");
    openssl_config_print(c, "    ", m->needs_line ? m->found : NULL, NULL);
    puts("");
    if (!io_flush_stdout()) return FAIL_WRITE;
    return fail(FAIL_UNSUPPORTED, "ARIA is not served by cadenza: %s",
                !c->there                     ? "there is no configuration"
                : !c->own                     ? "the configuration does not name it"
                : !openssl_config_complete(c) ? "the configuration names it, and lacks what makes it used"
                                              : "the module that the configuration names is not usable");
}

int cmd_openssl(int argc, char **argv) {
    const char *file = "libcrypto.so.3";
    bool measure = true, lines = false, standalone = false, aes = false;
    int c, e;
    while ((c = next_option(argc, argv, "openssl", ":h", options, false)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return DONE;
        }
        if (c == OPT_NO_SPEED)
            measure = false;
        else if (c == OPT_LIB)
            file = optarg;
        else if (c == OPT_LINES)
            lines = true;
        else if (c == OPT_STANDALONE)
            standalone = true;
        else if (c == OPT_AES)
            aes = true;
        else
            return FAIL_USAGE;
    }
    if (optind < argc) return fail_usage("openssl", "what is '%s'?", argv[optind]);
    if (lines && standalone) return fail_usage("openssl", "--lines or --standalone?");
    if (aes && !lines && !standalone) return fail_usage("openssl", "--aes goes with --lines or --standalone");
    if ((e = libcrypto_open(file)) != DONE) return e;

    struct openssl_config config;
    struct module module;
    char path[PATH_MAX];
    if (standalone) { /* upon the system's, whatever this environment has */
        snprintf(path, sizeof path, "%s/openssl.cnf", ossl.info(OSSL_INFO_CONFIG_DIR));
        openssl_config_read(&config, path);
    } else {
        openssl_config_read(&config, NULL);
    }
    find_module(&module, &config);
    if (lines || standalone) return print_lines(&config, &module, standalone, aes);

    struct table table = {.n = 0};
    describe(&config, &module);
    fill_table(&table);
    const bool live = is_live(&table);
    if (table.full) {
        free(table.rows);
        return fail(FAIL_MEMORY, "no memory for the list of ciphers");
    }
    print_table(&table, live ? NULL : module.context, measure && (live || module.context));
    free(table.rows);
    if (!live) {
        e = explain(&config, &module);
        const int lost = io_finish_stdout(DONE); /* lost lines are worse than an answer that nobody saw */
        return lost != DONE ? lost : e;
    }
    puts("\nARIA is served by cadenza for programs started like this one.");
    if (module.usable && strcmp(module.version, cdz_version()) != 0)
        warn_user("the module is of version %s, this command of %s", module.version, cdz_version());
    return DONE;
}
