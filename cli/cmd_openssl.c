/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cadenza openssl`: whether OpenSSL's ciphers are served by the cadenza provider on this machine, the lines that make
 * it so, and what it gains. libcrypto is opened at run time, as any program would get it here: the command does not
 * need it for anything else.
 *
 * OpenSSL ignores a provider that it cannot load, and goes on with its own, slower code. So this looks at who answers a
 * fetch, not at what a configuration says.
 */
#include "cli.h"
#include "io.h"

#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPT_NO_SPEED = 256, OPT_LIB, SIZE = 16384 };

static const struct option options[] = {{"no-speed", no_argument, NULL, OPT_NO_SPEED},
                                        {"libcrypto", required_argument, NULL, OPT_LIB},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const char help[] = "usage: cadenza openssl [--no-speed] [--libcrypto FILE]\n"
                           "\n"
                           "Shows the configuration that lets OpenSSL 3 use cadenza for ARIA, whether it is in effect "
                           "for programs started in this\n"
                           "environment, which provider serves which cipher, and the speed with and without.\n"
                           "Ends with 0 where ARIA is served by cadenza, with 13 where it is not.\n"
                           "\n"
                           "  --no-speed           do not measure\n"
                           "  --libcrypto FILE     look at this libcrypto (default: libcrypto.so.3)\n";

/* The few functions of libcrypto that are needed, by the types of its public headers. */
static struct {
    const char *(*version)(int);
    const char *(*info)(int);
    void *(*fetch)(void *, const char *, const char *);
    void (*cipher_free)(void *);
    const void *(*provider_of)(const void *);
    const char *(*provider_name)(const void *);
    void *(*ctx_new)(void);
    void (*ctx_free)(void *);
    int (*init)(void *, const void *, const uint8_t *, const uint8_t *, int, const void *);
    int (*update)(void *, uint8_t *, int *, const uint8_t *, int);
} o;

enum { INFO_CONFIG_DIR = 1001, INFO_MODULES_DIR = 1003 }; /* OPENSSL_INFO_* of <openssl/crypto.h> */

static int open_libcrypto(const char *file) {
    void *const so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!so) return fail(FAIL_READ, "%s", dlerror());
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"OpenSSL_version", &o.version},
        {"OPENSSL_info", &o.info},
        {"EVP_CIPHER_fetch", &o.fetch},
        {"EVP_CIPHER_free", &o.cipher_free},
        {"EVP_CIPHER_get0_provider", &o.provider_of},
        {"OSSL_PROVIDER_get0_name", &o.provider_name},
        {"EVP_CIPHER_CTX_new", &o.ctx_new},
        {"EVP_CIPHER_CTX_free", &o.ctx_free},
        {"EVP_CipherInit_ex2", &o.init},
        {"EVP_CipherUpdate", &o.update},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *const f = dlsym(so, symbols[i].name);
        if (!f) return fail(FAIL_UNSUPPORTED, "%s is no libcrypto of OpenSSL 3: it has no %s", file, symbols[i].name);
        memcpy(symbols[i].to, &f, sizeof f);
    }
    return DONE;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* MB/s of one message size, the best of some rounds; 0 where it cannot be measured. */
static double speed(const char *name, const char *properties) {
    static uint8_t buf[SIZE + 16];
    static const uint8_t key[32] = {1}, iv[16] = {2};
    double best = 0;
    void *const cipher = o.fetch(NULL, name, properties), *const ctx = o.ctx_new();
    if (cipher && ctx && o.init(ctx, cipher, key, iv, 1, NULL) == 1) {
        for (double end = now() + 0.25; now() < end;) {
            const double start = now();
            int n, ok = o.init(ctx, NULL, NULL, iv, 1, NULL);
            for (int i = 0; i < 8; i++) ok &= o.update(ctx, buf, &n, buf, SIZE);
            const double t = now() - start;
            if (ok == 1 && 8.0 * SIZE / t / 1e6 > best) best = 8.0 * SIZE / t / 1e6;
        }
    }
    o.ctx_free(ctx);
    o.cipher_free(cipher);
    return best;
}

int cmd_openssl(int argc, char **argv) {
    static const char *const names[] = {"ARIA-128-ECB",  "ARIA-128-CBC", "ARIA-256-CBC", "ARIA-128-CFB",
                                        "ARIA-256-CFB8", "ARIA-128-OFB", "ARIA-128-CTR", "ARIA-256-CTR",
                                        "ARIA-128-GCM",  "ARIA-256-GCM", "ARIA-256-CCM", "AES-256-GCM"};
    const char *file = "libcrypto.so.3";
    bool measure = true;
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
        else
            return FAIL_USAGE;
    }
    if (optind < argc) return fail_usage("openssl", "what is '%s'?", argv[optind]);
    if ((e = open_libcrypto(file)) != DONE) return e;

    const char *const modules = getenv("OPENSSL_MODULES"), *const dir = modules ? modules : o.info(INFO_MODULES_DIR);
    const char *const conf = getenv("OPENSSL_CONF"), *const conf_dir = o.info(INFO_CONFIG_DIR);
    char module[4096];
    snprintf(module, sizeof module, "%s/cadenza.so", dir ? dir : "?");
    const bool there = access(module, R_OK) == 0;
    printf("%s\n  configuration: %s%s\n  module: %s (%s)\n", o.version(0),
           conf       ? conf
           : conf_dir ? conf_dir
                      : "?",
           conf ? "" : "/openssl.cnf", module,
           there     ? "there"
           : modules ? "not there"
                     : "not there: `cmake --install` of a build with the provider puts it there");

    bool live = true;
    printf("\n%-16s %-10s%s\n", "cipher", "served by", measure ? "    MB/s  by default   ratio" : "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *const cipher = o.fetch(NULL, names[i], NULL);
        const char *const by = cipher ? o.provider_name(o.provider_of(cipher)) : "nobody";
        printf("%-16s %-10s", names[i], by);
        if (names[i][1] == 'R' && strcmp(by, "cadenza") != 0) live = false;
        if (measure && cipher && strcmp(names[i] + 9, "CCM") != 0) {
            const double a = speed(names[i], NULL), b = speed(names[i], "provider=default");
            printf("%8.0f", a);
            if (b > 0) printf("    %8.0f  %6.2f", b, a / b);
        }
        putchar('\n');
        fflush(stdout);
        o.cipher_free(cipher);
    }
    if (live) {
        puts("\nARIA is served by cadenza for programs started like this one.");
        return DONE;
    }
    if (there)
        puts("\nThe module is there. Where the configuration names it and it is not used, `openssl list -providers "
             "-provider cadenza`\n"
             "shows OpenSSL's reason.");
    puts("\nARIA is NOT served by cadenza. With the module in place, put these lines at the end of openssl.cnf\n"
         "(or `.include` the file cadenza.cnf, which has them):\n"
         "\n"
         "    [openssl_init]\n"
         "    providers = cadenza_providers\n"
         "    alg_section = cadenza_algorithms\n"
         "    [cadenza_providers]\n"
         "    default = cadenza_default_provider\n"
         "    cadenza = cadenza_provider\n"
         "    [cadenza_default_provider]\n"
         "    activate = 1\n"
         "    [cadenza_provider]\n"
         "    activate = 1\n"
         "    [cadenza_algorithms]\n"
         "    default_properties = ?provider=cadenza");
    const int e_out = io_finish_stdout(DONE); /* lost lines are worse than an answer that nobody saw */
    return e_out != DONE ? e_out : FAIL_UNSUPPORTED;
}
