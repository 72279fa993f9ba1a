/* SPDX-License-Identifier: Apache-2.0 */
#include "libcrypto.h"
#include "cli.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct libcrypto ossl;

int libcrypto_open(const char *file) {
    void *const so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return fail(FAIL_READ,
                    "there is no OpenSSL 3 to look at: %s\n"
                    "Install it (Debian: libssl3), or name its library: cadenza openssl --libcrypto FILE",
                    dlerror());
    const struct {
        const char *name;
        void *to;
    } symbols[] = {
        {"OpenSSL_version", &ossl.version},
        {"OPENSSL_info", &ossl.info},
        {"ERR_get_error_all", &ossl.error},
        {"ERR_reason_error_string", &ossl.error_reason},
        {"CONF_get1_default_config_file", &ossl.config_file},
        {"NCONF_new", &ossl.conf_new},
        {"NCONF_load", &ossl.conf_load},
        {"NCONF_get_string", &ossl.conf_string},
        {"NCONF_get_section", &ossl.conf_section},
        {"OPENSSL_sk_num", &ossl.stack_size},
        {"OPENSSL_sk_value", &ossl.stack_at},
        {"OSSL_LIB_CTX_new", &ossl.context_new},
        {"OSSL_PROVIDER_load", &ossl.provider_load},
        {"OSSL_PROVIDER_get_params", &ossl.provider_params},
        {"OSSL_PROVIDER_get0_name", &ossl.provider_name},
        {"EVP_CIPHER_do_all_provided", &ossl.ciphers},
        {"EVP_CIPHER_fetch", &ossl.fetch},
        {"EVP_CIPHER_free", &ossl.cipher_free},
        {"EVP_CIPHER_get0_name", &ossl.cipher_name},
        {"EVP_CIPHER_get0_provider", &ossl.cipher_provider},
        {"EVP_CIPHER_get_mode", &ossl.cipher_mode},
        {"EVP_CIPHER_CTX_new", &ossl.ctx_new},
        {"EVP_CIPHER_CTX_free", &ossl.ctx_free},
        {"EVP_CipherInit_ex2", &ossl.init},
        {"EVP_CipherUpdate", &ossl.update},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *const f = dlsym(so, symbols[i].name);
        if (!f) return fail(FAIL_UNSUPPORTED, "%s is no libcrypto of OpenSSL 3: it has no %s", file, symbols[i].name);
        memcpy(symbols[i].to, &f, sizeof f);
    }
    return DONE;
}

void libcrypto_errors(const char *prefix) {
    const char *data = NULL;
    int flags = 0;
    for (unsigned long e; (e = ossl.error(NULL, NULL, NULL, &data, &flags)) != 0;) {
        const char *const reason = ossl.error_reason(e);
        if (prefix)
            printf("%s%s%s%s\n", prefix, reason ? reason : "error", data && *data ? ": " : "", data ? data : "");
    }
}
