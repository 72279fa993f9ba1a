/* SPDX-License-Identifier: Apache-2.0 */
/* See peer.h. Ciphers are fetched once a name; nothing here is fast or hides secrets. */
#include "peer.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *mode_of(const char *name) { return strchr(strchr(name, '-') + 1, '-') + 1; }
static bool is_mode(const char *name, const char *mode) { return strcmp(mode_of(name), mode) == 0; }

const char *peer_version(void) { return OpenSSL_version(OPENSSL_VERSION); }

/* OpenSSL's name of the cipher below. */
static void translate(const char *name, char *out, size_t cap) {
    static const char *const table[][2] = {{"CBC-PKCS7", "CBC"},   {"CBC-CS1", "CBC-CTS"}, {"CBC-CS2", "CBC-CTS"},
                                           {"CBC-CS3", "CBC-CTS"}, {"KW", "WRAP"},         {"KWP", "WRAP-PAD"},
                                           {"GMAC", "GCM"},        {"CMAC", "CBC"}};
    const char *mode = mode_of(name), *theirs = mode;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i][0], mode) == 0) theirs = table[i][1];
    snprintf(out, cap, "%.*s%s", (int)(mode - name), name, theirs);
}

static const EVP_CIPHER *fetch(const char *name) {
    static struct {
        char name[40];
        EVP_CIPHER *cipher;
    } cache[128];
    for (size_t i = 0; i < 128; i++) {
        if (cache[i].name[0] == 0) {
            char theirs[64];
            translate(name, theirs, sizeof theirs);
            snprintf(cache[i].name, sizeof cache[i].name, "%s", name);
            cache[i].cipher = EVP_CIPHER_fetch(NULL, theirs, NULL);
        }
        if (strcmp(cache[i].name, name) == 0) return cache[i].cipher;
    }
    abort();
}

bool peer_has(const char *name) { return fetch(name) != NULL; }

static EVP_CIPHER_CTX *context(void) {
    static EVP_CIPHER_CTX *ctx;
    if (!ctx) ctx = EVP_CIPHER_CTX_new();
    if (!ctx || !EVP_CIPHER_CTX_reset(ctx)) abort();
    return ctx;
}

static bool is_aead(const char *name) {
    return is_mode(name, "GCM") || is_mode(name, "CCM") || is_mode(name, "OCB") || is_mode(name, "SIV");
}

/* Key, IV, and what must come before them. */
static bool start(EVP_CIPHER_CTX *ctx, const char *name, const uint8_t *key, const struct peer_message *m, int enc,
                  const uint8_t *tag) {
    const EVP_CIPHER *cipher = fetch(name);
    if (!cipher) return false;
    if (is_mode(name, "KW") || is_mode(name, "KWP")) EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (!EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, enc, NULL)) return false;
    if (strncmp(mode_of(name), "CBC-CS", 6) == 0) {
        char text[4];
        snprintf(text, sizeof text, "%s", mode_of(name) + 4);
        const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, text, 0),
                                     OSSL_PARAM_END};
        if (!EVP_CIPHER_CTX_set_params(ctx, params)) return false;
    }
    if (is_aead(name) && !is_mode(name, "SIV")) {
        if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)m->iv_len, NULL) <= 0) return false;
        /* The length alone; CCM wants the tag itself with it, OCB afterwards. */
        const bool with_tag = !enc && is_mode(name, "CCM");
        if (is_mode(name, "CCM") || is_mode(name, "OCB"))
            if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)m->tag_len,
                                    with_tag ? (void *)(uintptr_t)tag : NULL) <= 0)
                return false;
    }
    /* SIV's nonce is its last string. */
    if (!EVP_CipherInit_ex2(ctx, NULL, key, m->iv_len && !is_mode(name, "SIV") ? m->iv : NULL, enc, NULL)) return false;
    EVP_CIPHER_CTX_set_padding(ctx, is_mode(name, "CBC-PKCS7"));
    return true;
}

static long run(const char *name, const uint8_t *key, const struct peer_message *m, int enc, uint8_t *out,
                uint8_t *tag) {
    EVP_CIPHER_CTX *ctx = context();
    int n = 0, more = 0;
    static const uint8_t nothing[1];
    const uint8_t *in = m->len ? m->in : nothing;
    if (!start(ctx, name, key, m, enc, tag)) return -1;
    if (is_mode(name, "CCM") && EVP_CipherUpdate(ctx, NULL, &n, NULL, (int)m->len) <= 0) return -1;
    if (is_mode(name, "SIV") && !enc && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 16, tag) <= 0) return -1;
    if (is_aead(name) && m->aad_len && EVP_CipherUpdate(ctx, NULL, &n, m->aad, (int)m->aad_len) <= 0) return -1;
    if (is_mode(name, "SIV") && m->iv_len && EVP_CipherUpdate(ctx, NULL, &n, m->iv, (int)m->iv_len) <= 0) return -1;
    n = 0;
    if (!enc && (is_mode(name, "GCM") || is_mode(name, "OCB")) &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)m->tag_len, tag) <= 0)
        return -1;
    if (m->len || is_mode(name, "CCM") || is_mode(name, "SIV")) {
        if (EVP_CipherUpdate(ctx, out, &n, in, (int)m->len) <= 0) return -1;
    }
    if (!is_mode(name, "CCM") || enc)
        if (EVP_CipherFinal_ex(ctx, out + n, &more) <= 0) return -1;
    if (enc && is_aead(name) && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)m->tag_len, tag) <= 0) return -1;
    return n + more;
}

static long mac(const char *name, const uint8_t *key, size_t key_len, const struct peer_message *m, uint8_t *tag) {
    const bool gmac = is_mode(name, "GMAC");
    char theirs[64];
    uint8_t full[16];
    size_t n = 0;
    long result = -1;
    translate(name, theirs, sizeof theirs);
    EVP_MAC *type = EVP_MAC_fetch(NULL, gmac ? "GMAC" : "CMAC", NULL);
    EVP_MAC_CTX *ctx = type ? EVP_MAC_CTX_new(type) : NULL;
    OSSL_PARAM params[3];
    size_t k = 0;
    params[k++] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, theirs, 0);
    if (gmac) params[k++] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, (void *)(uintptr_t)m->iv, m->iv_len);
    params[k] = OSSL_PARAM_construct_end();
    if (ctx && EVP_MAC_init(ctx, key, key_len, params) && (!m->len || EVP_MAC_update(ctx, m->in, m->len)) &&
        EVP_MAC_final(ctx, full, &n, sizeof full)) {
        memcpy(tag, full, m->tag_len);
        result = 0;
    }
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(type);
    return result;
}

long peer_seal(const char *name, const uint8_t *key, size_t key_len, const struct peer_message *m, uint8_t *out,
               uint8_t *tag) {
    if (is_mode(name, "CMAC") || is_mode(name, "GMAC")) return mac(name, key, key_len, m, tag);
    return run(name, key, m, 1, out, tag);
}

long peer_open(const char *name, const uint8_t *key, size_t key_len, const struct peer_message *m, const uint8_t *tag,
               uint8_t *out) {
    uint8_t copy[16];
    (void)key_len;
    if (m->tag_len) memcpy(copy, tag, m->tag_len);
    return run(name, key, m, 0, out, copy);
}

bool peer_chain(const char *name, const uint8_t *key, const uint8_t *iv, bool encrypt, const uint8_t *in, size_t len,
                uint8_t chain[16], unsigned *num) {
    EVP_CIPHER_CTX *ctx = context();
    const struct peer_message m = {.iv = iv, .iv_len = 16};
    int n = 0;
    uint8_t *out = malloc(len + 32);
    bool ok = out && start(ctx, name, key, &m, encrypt, NULL) && (!len || EVP_CipherUpdate(ctx, out, &n, in, (int)len));
    free(out);
    if (!ok) return false;
    *num = (unsigned)EVP_CIPHER_CTX_get_num(ctx);
    return EVP_CIPHER_CTX_get_updated_iv(ctx, chain, 16);
}
