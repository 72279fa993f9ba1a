/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of OpenSSL 3's libcrypto that `cadenza openssl` needs, opened at run time: nothing else of the command
 * needs it, and it is to be the one that other programs get. Types are those of its public headers.
 */
#ifndef CDZ_LIBCRYPTO_H
#define CDZ_LIBCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/* CONF_VALUE and OSSL_PARAM. */
struct ossl_conf_value {
    char *section, *name, *value;
};
struct ossl_param {
    const char *key;
    unsigned type;
    void *data;
    size_t data_size, return_size;
};
enum { OSSL_UTF8_PTR = 6, OSSL_INFO_CONFIG_DIR = 1001, OSSL_INFO_MODULES_DIR = 1003 };

/* NULL for a library context is the one that programs use unless they make their own. */
struct libcrypto {
    const char *(*version)(int);
    const char *(*info)(int);
    unsigned long (*error)(const char **file, int *line, const char **function, const char **data, int *flags);
    const char *(*error_reason)(unsigned long);

    char *(*config_file)(void);
    void *(*conf_new)(void *);
    int (*conf_load)(void *, const char *, long *line);
    char *(*conf_string)(const void *, const char *section, const char *name);
    void *(*conf_section)(const void *, const char *section);
    int (*stack_size)(const void *);
    void *(*stack_at)(const void *, int);

    void *(*context_new)(void);
    void *(*provider_load)(void *context, const char *name);
    int (*provider_params)(const void *, struct ossl_param *);
    const char *(*provider_name)(const void *);

    void (*ciphers)(void *context, void (*each)(void *cipher, void *arg), void *arg);
    void *(*fetch)(void *context, const char *, const char *properties);
    void (*cipher_free)(void *);
    const char *(*cipher_name)(const void *);
    const void *(*cipher_provider)(const void *);
    int (*cipher_mode)(const void *);
    void *(*ctx_new)(void);
    void (*ctx_free)(void *);
    int (*init)(void *, const void *, const uint8_t *, const uint8_t *, int, const void *);
    int (*update)(void *, uint8_t *, int *, const uint8_t *, int);
};
extern struct libcrypto ossl;

/* An exit code. */
int libcrypto_open(const char *file);
/* Empties the queue of errors; with a prefix each is printed to stdout as a line that begins with it. */
void libcrypto_errors(const char *prefix);

#endif
