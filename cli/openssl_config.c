/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections of openssl.cnf that have the same name are one section, and of two equal names the later counts. So what is
 * lacking can always be put at the end: into the sections that the file has, for a second `providers = ...` would
 * switch off what the first one names.
 */
#include "openssl_config.h"
#include "libcrypto.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* OpenSSL 3.0 takes any value for yes. */
static bool is_active(const void *conf, const char *section) {
    static const char *const no[] = {"0", "no", "false", "off"};
    const char *const value = ossl.conf_string(conf, section, "activate");
    bool active = value != NULL;
    for (size_t i = 0; active && i < sizeof no / sizeof *no; i++) active = strcasecmp(value, no[i]) != 0;
    return active;
}

void openssl_config_read(struct openssl_config *c, const char *file) {
    *c = (struct openssl_config){0};
    c->file = file ? file : ossl.config_file();
    if (!c->file) c->file = "";
    if (realpath(c->file, c->path)) c->file = c->path;
    struct stat st;
    if (*c->file && stat(c->file, &st) == 0) {
        c->there = access(c->file, R_OK) == 0 && !S_ISDIR(st.st_mode);
        c->unreadable = !c->there;
    } else {
        c->unreadable = *c->file && errno != ENOENT && errno != ENOTDIR;
    }
    void *const conf = ossl.conf_new(NULL);
    if (!c->there || !conf) return;
    c->parsed = ossl.conf_load(conf, c->file, &c->bad_line) == 1;
    if (!c->parsed) return; /* why is in the queue of errors */
    c->init = ossl.conf_string(conf, NULL, "openssl_conf");
    if (c->init) {
        c->providers = ossl.conf_string(conf, c->init, "providers");
        c->algorithms = ossl.conf_string(conf, c->init, "alg_section");
    }
    if (c->providers) {
        c->fallback = ossl.conf_string(conf, c->providers, "default");
        c->own = ossl.conf_string(conf, c->providers, "cadenza");
    }
    if (c->fallback) c->fallback_active = is_active(conf, c->fallback);
    if (c->own) {
        c->own_active = is_active(conf, c->own);
        c->module = ossl.conf_string(conf, c->own, "module");
        c->words = ossl.conf_string(conf, c->own, "algorithms");
    }
    if (c->algorithms) c->properties = ossl.conf_string(conf, c->algorithms, "default_properties");
    libcrypto_errors(NULL); /* of what is not there */
}

/* With the blanks that may be in it; without a question mark nothing but cadenza would be used. */
bool openssl_config_prefers(const struct openssl_config *c) {
    const char *p = c->properties;
    while (p && (p = strstr(p, "provider"))) {
        const char *q = p + strlen("provider");
        q += strspn(q, " \t");
        const bool asked = p > c->properties && p[-1] == '?';
        p = q;
        if (!asked || *q != '=') continue;
        q++;
        q += strspn(q, " \t");
        if (!strncmp(q, "cadenza", 7) && (!q[7] || strchr(", \t", q[7]))) return true;
    }
    return false;
}

bool openssl_config_complete(const struct openssl_config *c) {
    return c->fallback_active && c->own_active && openssl_config_prefers(c);
}

void openssl_config_line(const char *indent, const char *name, const char *equals, const char *value) {
    printf("%s%s%s%s ", indent, name, equals ? " " : "", equals ? equals : "");
    for (; *value; value++) {
        if (equals && strchr("#$\\\"'`", *value)) putchar('\\');
        putchar(*value);
    }
    putchar('\n');
}

static void section(const char *indent, const char *name) { printf("%s[%s]\n", indent, name); }
static void line(const char *indent, const char *name, const char *value) {
    openssl_config_line(indent, name, "=", value);
}

void openssl_config_print(const struct openssl_config *c, const char *indent, const char *module, const char *words) {
    const char *const init = c->init ? c->init : "openssl_init";
    const char *const providers = c->providers ? c->providers : "cadenza_providers";
    const char *const algorithms = c->algorithms ? c->algorithms : "cadenza_algorithms";
    const char *const fallback = c->fallback ? c->fallback : "cadenza_default_provider";
    const char *const own = c->own ? c->own : "cadenza_provider";
    if (!c->init) {
        section(indent, "default"); /* the one before the first section's name */
        line(indent, "openssl_conf", init);
    }
    if (!c->providers || !c->algorithms) {
        section(indent, init);
        if (!c->providers) line(indent, "providers", providers);
        if (!c->algorithms) line(indent, "alg_section", algorithms);
    }
    if (!c->fallback || !c->own) {
        section(indent, providers);
        if (!c->fallback) line(indent, "default", fallback);
        if (!c->own) line(indent, "cadenza", own);
    }
    if (!c->fallback_active) {
        section(indent, fallback);
        line(indent, "activate", "1");
    }
    if (!c->own_active || module || words) {
        section(indent, own);
        if (!c->own_active) line(indent, "activate", "1");
        if (module) line(indent, "module", module);
        if (words) line(indent, "algorithms", words);
    }
    if (!openssl_config_prefers(c)) {
        section(indent, algorithms);
        printf("%sdefault_properties = %s%s?provider=cadenza\n", indent, c->properties ? c->properties : "",
               c->properties && *c->properties ? "," : "");
    }
}
