/* SPDX-License-Identifier: Apache-2.0 */
/* What a configuration of OpenSSL says of providers, and the lines that it lacks for cadenza to be used. */
#ifndef CDZ_OPENSSL_CONFIG_H
#define CDZ_OPENSSL_CONFIG_H

#include <limits.h>
#include <stdbool.h>

/* Strings are OpenSSL's, and stay. NULL: the configuration has no such thing. */
struct openssl_config {
    const char *file;    /* "": programs are told to read none */
    char path[PATH_MAX]; /* what it points at, links followed */
    bool there, parsed;
    bool unreadable;        /* it is there, or may be, and cannot be read: not the same as none */
    long bad_line;          /* where it is not parsed */
    const char *init;       /* the section that openssl_conf names */
    const char *providers;  /* ... that `providers` names */
    const char *algorithms; /* ... that `alg_section` names */
    const char *fallback;   /* the section of the provider "default" */
    const char *own;        /* ... of "cadenza" */
    const char *properties; /* default_properties */
    const char *module;     /* what `module` says in own */
    const char *words;      /* what `algorithms` says in own */
    bool fallback_active, own_active;
};

/* Reads a configuration; NULL: the one that programs started in this environment read. */
void openssl_config_read(struct openssl_config *c, const char *file);
/* Whether default_properties have `?provider=cadenza`. */
bool openssl_config_prefers(const struct openssl_config *c);
/* Whether all is there but perhaps the module. */
bool openssl_config_complete(const struct openssl_config *c);
/* Prints what is lacking, as lines to be put at the end of the file; `module` is a path to be named there, or NULL;
 * `words` is for `algorithms`, or NULL. */
void openssl_config_print(const struct openssl_config *c, const char *indent, const char *module, const char *words);
/* One such line. What would mean something else in a value, in a path for example, is escaped; `.include` has no equals
 * sign (NULL) and takes its path as it is. */
void openssl_config_line(const char *indent, const char *name, const char *equals, const char *value);

#endif
