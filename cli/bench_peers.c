/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other libraries at the same work: see bench.h. They are opened at run time; what is declared here are the few calls
 * that are needed, by the types of their public headers. A batch is a loop for them.
 *
 * OpenSSL gets a library context of its own, without the configuration of this machine, and its default provider alone:
 * else it might be cadenza that is measured.
 */
#include "bench.h"
#include "cli.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mode { ECB, CBC, CFB, OFB, CTR, XTS, GCM, CCM, OCB, EAX, SIV, GCM_SIV, CMAC, GMAC, MODES };
static const char *const mode_names[MODES] = {"ECB", "CBC", "CFB", "OFB", "CTR",     "XTS",  "GCM",
                                              "CCM", "OCB", "EAX", "SIV", "GCM-SIV", "CMAC", "GMAC"};

/* What a session holds. */
struct held {
    enum mode mode;
    bool aria;
    int bits;
    void *enc, *dec, *cipher, *mac;
    uint8_t *room; /* of Nettle's contexts */
};

enum { NETTLE_ROOM = 16384 }; /* for the largest of its contexts, GCM's of 4 KiB and a key, several times over */

/* What a name says; NULL where it is none of the modes above, or no memory. */
static struct held *hold(struct session *s, const struct work *w) {
    const char *const name = w->info.name, *const bits = strchr(name, '-') + 1, *const mode = strchr(bits, '-') + 1;
    struct held *h = NULL;
    if (w->kind != WORK_MESSAGE && w->kind != WORK_KEY && w->kind != WORK_MAC) return NULL;
    for (int m = 0; m < MODES; m++) {
        if (strcmp(mode_names[m], mode) != 0) continue;
        if ((h = calloc(1, sizeof *h)) == NULL) {
            s->no_memory = true;
            return NULL;
        }
        h->mode = (enum mode)m;
        h->aria = name[1] == 'R';
        h->bits = atoi(bits);
    }
    s->a = h;
    return h;
}

struct symbol {
    const char *name;
    void *to; /* a function pointer, written as POSIX has it */
};

static int find(void *so, const struct symbol *symbols, size_t n, char *why, size_t cap) {
    for (size_t i = 0; i < n; i++) {
        void *const f = dlsym(so, symbols[i].name);
        if (f == NULL) {
            snprintf(why, cap, "it has no %s", symbols[i].name);
            return -1;
        }
        memcpy(symbols[i].to, &f, sizeof f);
    }
    return 0;
}

/* Opens the file, or the first of the names that there is. */
static void *open_first(struct library *l, const char *file, const char *const *names, char *why, size_t cap) {
    void *so = NULL;
    snprintf(why, cap, "not installed");
    if (file != NULL) {
        so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (so == NULL) snprintf(why, cap, "%s", dlerror());
        snprintf(l->file, sizeof l->file, "%s", file);
        return so;
    }
    for (; so == NULL && *names != NULL; names++) {
        so = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (so != NULL) snprintf(l->file, sizeof l->file, "%s", *names);
    }
    return so;
}

/* The file that a function came from: several versions of a library may be on a machine. */
static void note_file(struct library *l, const char *symbol, void *so) {
    Dl_info info;
    void *const f = dlsym(so, symbol);
    if (f != NULL && dladdr(f, &info) != 0 && info.dli_fname != NULL)
        snprintf(l->file, sizeof l->file, "%s", info.dli_fname);
}

typedef int one_message(const struct held *h, struct session *s, const struct work *w, uint8_t *buf, size_t len,
                        uint8_t *tag);

/* Inline, so that each library has its own loop with nothing else around its calls. */
__attribute__((always_inline)) static inline int all_messages(one_message *one, struct session *s, const struct work *w,
                                                              uint8_t *buf, size_t len, size_t stride, uint8_t *tags) {
    int bad = 0;
    for (size_t i = 0; i < w->messages; i++)
        bad |= one(s->a, s, w, buf + i * stride, len, tags + (size_t)CDZ_TAG_MAX * i);
    return bad;
}

/* ---- libgcrypt ------------------------------------------------------------------------------------ */

const char *peers_gcrypt_deny;

static struct {
    const char *(*check_version)(const char *);
    int (*control)(int, ...);
    int (*open)(void **, int, int, unsigned);
    void (*close)(void *);
    int (*ctl)(void *, int, void *, size_t);
    int (*setkey)(void *, const void *, size_t), (*setiv)(void *, const void *, size_t);
    int (*setctr)(void *, const void *, size_t);
    int (*encrypt)(void *, void *, size_t, const void *, size_t);
    int (*decrypt)(void *, void *, size_t, const void *, size_t);
    int (*gettag)(void *, void *, size_t), (*checktag)(void *, const void *, size_t);
    int (*mac_open)(void **, int, unsigned, void *);
    void (*mac_close)(void *);
    int (*mac_ctl)(void *, int, void *, size_t);
    int (*mac_setkey)(void *, const void *, size_t), (*mac_setiv)(void *, const void *, size_t);
    int (*mac_write)(void *, const void *, size_t), (*mac_read)(void *, void *, size_t *);
    int (*mac_verify)(void *, const void *, size_t);
} g;

/* Numbers of <gcrypt.h>. */
enum {
    GCRYCTL_RESET = 4,
    GCRYCTL_FINALIZE = 5,
    GCRYCTL_DISABLE_SECMEM = 37,
    GCRYCTL_INITIALIZATION_FINISHED = 38,
    GCRYCTL_DISABLE_HWF = 63,
    GCRYCTL_SET_CCM_LENGTHS = 69,
    GCRYCTL_SET_DECRYPTION_TAG = 80,
    GCRY_CIPHER_AES = 7,
    GCRY_CIPHER_ARIA128 = 319,
    GCRY_MAC_CMAC_AES = 201,
    GCRY_MAC_CMAC_ARIA = 213,
    GCRY_MAC_GMAC_AES = 401
};
static const int gcry_modes[MODES] = {[ECB] = 1, [CFB] = 2,  [CBC] = 3,  [OFB] = 5,  [CTR] = 6,  [CCM] = 8,
                                      [GCM] = 9, [OCB] = 11, [XTS] = 13, [EAX] = 14, [SIV] = 15, [GCM_SIV] = 16};

static int gcrypt_load(struct library *l, const char *file, char *why, size_t cap) {
    static const char *const names[] = {"libgcrypt.so.20", NULL};
    const struct symbol symbols[] = {{"gcry_check_version", &g.check_version},
                                     {"gcry_control", &g.control},
                                     {"gcry_cipher_open", &g.open},
                                     {"gcry_cipher_close", &g.close},
                                     {"gcry_cipher_ctl", &g.ctl},
                                     {"gcry_cipher_setkey", &g.setkey},
                                     {"gcry_cipher_setiv", &g.setiv},
                                     {"gcry_cipher_setctr", &g.setctr},
                                     {"gcry_cipher_encrypt", &g.encrypt},
                                     {"gcry_cipher_decrypt", &g.decrypt},
                                     {"gcry_cipher_gettag", &g.gettag},
                                     {"gcry_cipher_checktag", &g.checktag},
                                     {"gcry_mac_open", &g.mac_open},
                                     {"gcry_mac_close", &g.mac_close},
                                     {"gcry_mac_ctl", &g.mac_ctl},
                                     {"gcry_mac_setkey", &g.mac_setkey},
                                     {"gcry_mac_setiv", &g.mac_setiv},
                                     {"gcry_mac_write", &g.mac_write},
                                     {"gcry_mac_read", &g.mac_read},
                                     {"gcry_mac_verify", &g.mac_verify}};
    void *const so = open_first(l, file, names, why, cap);
    if (so == NULL || find(so, symbols, sizeof symbols / sizeof *symbols, why, cap) != 0) return -1;
    if (peers_gcrypt_deny != NULL) { /* before anything else */
        char words[512], *rest = words;
        snprintf(words, sizeof words, "%s", peers_gcrypt_deny);
        for (char *p; (p = strsep(&rest, ",")) != NULL;)
            if (*p != 0 && g.control(GCRYCTL_DISABLE_HWF, p, NULL) != 0) {
                snprintf(why, cap, "it knows no feature '%s'", p);
                return -1;
            }
    }
    const char *const version = g.check_version(NULL);
    g.control(GCRYCTL_DISABLE_SECMEM, 0);
    g.control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    snprintf(l->version, sizeof l->version, "libgcrypt %s", version ? version : "?");
    note_file(l, "gcry_check_version", so);
    return 0;
}

static bool gcrypt_open(struct session *s, const struct work *w) {
    struct held *const h = hold(s, w);
    if (h != NULL && w->kind == WORK_MAC)
        return !(h->aria && h->mode == GMAC) &&
               g.mac_open(&h->mac,
                          h->mode == GMAC ? GCRY_MAC_GMAC_AES
                          : h->aria       ? GCRY_MAC_CMAC_ARIA
                                          : GCRY_MAC_CMAC_AES,
                          0, NULL) == 0 &&
               g.mac_setkey(h->mac, w->key, w->info.key_len) == 0;
    return h != NULL &&
           g.open(&h->enc, (h->aria ? GCRY_CIPHER_ARIA128 : GCRY_CIPHER_AES) + (h->bits - 128) / 64,
                  gcry_modes[h->mode], 0) == 0 &&
           g.setkey(h->enc, w->key, w->info.key_len) == 0;
}

static int gcrypt_mac(const struct held *h, const struct work *w, const uint8_t *buf, size_t len, uint8_t *tag) {
    size_t n = w->tag_len;
    if (g.mac_ctl(h->mac, GCRYCTL_RESET, NULL, 0) != 0 ||
        (w->iv_len > 0 && g.mac_setiv(h->mac, w->iv, w->iv_len) != 0) || g.mac_write(h->mac, buf, len) != 0)
        return -1;
    return w->decrypt ? g.mac_verify(h->mac, tag, n) : g.mac_read(h->mac, tag, &n);
}

static int gcrypt_one(const struct held *h, struct session *s, const struct work *w, uint8_t *buf, size_t len,
                      uint8_t *tag) {
    if (w->kind == WORK_MAC) return gcrypt_mac(h, w, buf, len, tag);
    const bool siv = h->mode == SIV || h->mode == GCM_SIV;
    (void)s;
    /* EAX too: bytes that are left of a keystream block would go into the next message. */
    if ((siv || h->mode == EAX) && g.ctl(h->enc, GCRYCTL_RESET, NULL, 0) != 0) return -1;
    if (h->mode == CTR && g.setctr(h->enc, w->iv, 16) != 0) return -1;
    if (h->mode != CTR && w->iv_len > 0 && g.setiv(h->enc, w->iv, w->iv_len) != 0) return -1;
    if (h->mode == CCM) {
        uint64_t lengths[3] = {len, 0, w->tag_len};
        if (g.ctl(h->enc, GCRYCTL_SET_CCM_LENGTHS, lengths, sizeof lengths) != 0) return -1;
    }
    if (siv && w->decrypt && g.ctl(h->enc, GCRYCTL_SET_DECRYPTION_TAG, tag, w->tag_len) != 0) return -1;
    if (w->tag_len > 0) g.ctl(h->enc, GCRYCTL_FINALIZE, NULL, 0);
    if ((w->decrypt ? g.decrypt : g.encrypt)(h->enc, buf, len, NULL, 0) != 0) return -1;
    if (w->tag_len == 0) return 0;
    return w->decrypt ? g.checktag(h->enc, tag, w->tag_len) : g.gettag(h->enc, tag, w->tag_len);
}

static int gcrypt_run(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags) {
    return all_messages(gcrypt_one, s, w, buf, len, stride, tags);
}

static int gcrypt_set_key(struct session *s, const struct work *w) {
    return g.setkey(((struct held *)s->a)->enc, w->key, w->info.key_len);
}

static int gcrypt_block(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]) {
    (void)w;
    return g.encrypt(((struct held *)s->a)->enc, out, 16, in, 16);
}

static void gcrypt_close(struct session *s) {
    struct held *const h = s->a;
    if (h != NULL && h->enc != NULL) g.close(h->enc);
    if (h != NULL && h->mac != NULL) g.mac_close(h->mac);
    free(h);
}

/* ---- OpenSSL -------------------------------------------------------------------------------------- */

struct param { /* OSSL_PARAM */
    const char *key;
    unsigned type;
    void *data;
    size_t size, returned;
};
enum { PARAM_UTF8_STRING = 4, PARAM_OCTET_STRING = 5 };

static struct {
    const char *(*version)(int);
    void *(*lib_ctx_new)(void);
    void *(*fetch)(void *, const char *, const char *);
    void (*cipher_free)(void *);
    void *(*ctx_new)(void);
    void (*ctx_free)(void *);
    int (*init)(void *, const void *, const uint8_t *, const uint8_t *, int, const void *);
    int (*update)(void *, uint8_t *, int *, const uint8_t *, int);
    int (*final)(void *, uint8_t *, int *);
    int (*ctrl)(void *, int, int, void *);
    int (*set_padding)(void *, int);
    void *(*mac_fetch)(void *, const char *, const char *);
    void (*mac_free)(void *);
    void *(*mac_ctx_new)(void *);
    void (*mac_ctx_free)(void *);
    int (*mac_init)(void *, const uint8_t *, size_t, const struct param *);
    int (*mac_update)(void *, const uint8_t *, size_t);
    int (*mac_final)(void *, uint8_t *, size_t *, size_t);
    void *lib_ctx;
} o;

enum { EVP_CTRL_AEAD_SET_IVLEN = 0x9, EVP_CTRL_AEAD_GET_TAG = 0x10, EVP_CTRL_AEAD_SET_TAG = 0x11 };

static int openssl_load(struct library *l, const char *file, char *why, size_t cap) {
    static const char *const names[] = {"libcrypto.so.3", NULL};
    const struct symbol symbols[] = {{"OpenSSL_version", &o.version},
                                     {"OSSL_LIB_CTX_new", &o.lib_ctx_new},
                                     {"EVP_CIPHER_fetch", &o.fetch},
                                     {"EVP_CIPHER_free", &o.cipher_free},
                                     {"EVP_CIPHER_CTX_new", &o.ctx_new},
                                     {"EVP_CIPHER_CTX_free", &o.ctx_free},
                                     {"EVP_CipherInit_ex2", &o.init},
                                     {"EVP_CipherUpdate", &o.update},
                                     {"EVP_CipherFinal_ex", &o.final},
                                     {"EVP_CIPHER_CTX_ctrl", &o.ctrl},
                                     {"EVP_CIPHER_CTX_set_padding", &o.set_padding},
                                     {"EVP_MAC_fetch", &o.mac_fetch},
                                     {"EVP_MAC_free", &o.mac_free},
                                     {"EVP_MAC_CTX_new", &o.mac_ctx_new},
                                     {"EVP_MAC_CTX_free", &o.mac_ctx_free},
                                     {"EVP_MAC_init", &o.mac_init},
                                     {"EVP_MAC_update", &o.mac_update},
                                     {"EVP_MAC_final", &o.mac_final}};
    void *const so = open_first(l, file, names, why, cap);
    if (so == NULL || find(so, symbols, sizeof symbols / sizeof *symbols, why, cap) != 0) return -1;
    o.lib_ctx = o.lib_ctx_new();
    if (o.lib_ctx == NULL) {
        snprintf(why, cap, "it gives no library context");
        return -1;
    }
    snprintf(l->version, sizeof l->version, "%s", o.version(0));
    note_file(l, "OpenSSL_version", so);
    return 0;
}

static bool openssl_mac_open(struct held *h, const struct work *w) {
    char cipher[32];
    snprintf(cipher, sizeof cipher, "%s-%d-%s", h->aria ? "ARIA" : "AES", h->bits, h->mode == GMAC ? "GCM" : "CBC");
    const struct param params[] = {{"cipher", PARAM_UTF8_STRING, cipher, strlen(cipher), SIZE_MAX}, {0}};
    h->cipher = o.mac_fetch(o.lib_ctx, mode_names[h->mode], "provider=default");
    h->mac = h->cipher ? o.mac_ctx_new(h->cipher) : NULL;
    return h->mac != NULL && o.mac_init(h->mac, w->key, w->info.key_len, params) == 1;
}

static int openssl_mac(const struct held *h, const struct work *w, const uint8_t *buf, size_t len, uint8_t *tag) {
    uint8_t iv[16], made[16];
    size_t n;
    memcpy(iv, w->iv, sizeof iv); /* params are not const */
    const struct param params[] = {{"iv", PARAM_OCTET_STRING, iv, w->iv_len, SIZE_MAX}, {0}};
    if (o.mac_init(h->mac, NULL, 0, w->iv_len > 0 ? params : NULL) != 1 || o.mac_update(h->mac, buf, len) != 1 ||
        o.mac_final(h->mac, w->decrypt ? made : tag, &n, 16) != 1)
        return -1;
    return w->decrypt ? memcmp(made, tag, w->tag_len) != 0 : 0;
}

static bool openssl_open(struct session *s, const struct work *w) {
    struct held *const h = hold(s, w);
    if (h == NULL) return false;
    if (w->kind == WORK_MAC) return openssl_mac_open(h, w);
    h->cipher = o.fetch(o.lib_ctx, w->info.name, "provider=default");
    h->enc = o.ctx_new();
    h->dec = o.ctx_new();
    if (h->cipher == NULL || h->enc == NULL || h->dec == NULL) return false;
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        void *const c = decrypt ? h->dec : h->enc;
        if (o.init(c, h->cipher, NULL, NULL, !decrypt, NULL) != 1) return false;
        if (w->tag_len > 0 && h->mode != SIV && h->mode != GCM_SIV &&
            o.ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, (int)w->iv_len, NULL) != 1)
            return false;
        if (h->mode == CCM && o.ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int)w->tag_len, NULL) != 1) return false;
        if (o.init(c, NULL, w->key, w->iv_len > 0 && h->mode != SIV ? w->iv : NULL, !decrypt, NULL) != 1) return false;
        o.set_padding(c, 0);
    }
    return true;
}

static int openssl_one(const struct held *h, struct session *s, const struct work *w, uint8_t *buf, size_t len,
                       uint8_t *tag) {
    if (w->kind == WORK_MAC) return openssl_mac(h, w, buf, len, tag);
    void *const c = w->decrypt ? h->dec : h->enc;
    const bool siv = h->mode == SIV || h->mode == GCM_SIV; /* OpenSSL wants the key again for each message */
    uint8_t end[32];
    int n;
    (void)s;
    if ((siv || w->iv_len > 0) &&
        o.init(c, NULL, siv ? w->key : NULL, h->mode == SIV ? NULL : w->iv, !w->decrypt, NULL) != 1)
        return -1;
    if (w->tag_len > 0 && w->decrypt && o.ctrl(c, EVP_CTRL_AEAD_SET_TAG, (int)w->tag_len, tag) != 1) return -1;
    if (h->mode == CCM && o.update(c, NULL, &n, NULL, (int)len) != 1) return -1;
    /* A nonce of SIV is associated data to OpenSSL. */
    if (h->mode == SIV && w->iv_len > 0 && o.update(c, NULL, &n, w->iv, (int)w->iv_len) != 1) return -1;
    if (o.update(c, buf, &n, buf, (int)len) != 1) return -1;
    if (w->tag_len > 0 && h->mode != CCM) {
        int held_back = 0;
        /* OCB may hand out the last bytes here. */
        if (o.final(c, h->mode == OCB ? buf + n : end, &held_back) != 1) return -1;
    }
    return w->tag_len > 0 && !w->decrypt && o.ctrl(c, EVP_CTRL_AEAD_GET_TAG, (int)w->tag_len, tag) != 1;
}

static int openssl_run(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride,
                       uint8_t *tags) {
    return all_messages(openssl_one, s, w, buf, len, stride, tags);
}

static int openssl_set_key(struct session *s, const struct work *w) {
    return o.init(((struct held *)s->a)->enc, NULL, w->key, NULL, 1, NULL) != 1;
}

static int openssl_block(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]) {
    int n;
    (void)w;
    return o.update(((struct held *)s->a)->enc, out, &n, in, 16) != 1;
}

static void openssl_close(struct session *s) {
    struct held *const h = s->a;
    if (h == NULL) return;
    o.ctx_free(h->enc);
    o.ctx_free(h->dec);
    o.mac_ctx_free(h->mac);
    if (h->mode == CMAC || h->mode == GMAC)
        o.mac_free(h->cipher);
    else
        o.cipher_free(h->cipher);
    free(h);
}

/* ---- Botan ---------------------------------------------------------------------------------------- */

static struct {
    const char *(*version)(void);
    int (*init)(void **, const char *, uint32_t);
    int (*destroy)(void *);
    int (*set_key)(void *, const uint8_t *, size_t);
    int (*start)(void *, const uint8_t *, size_t);
    int (*update)(void *, uint32_t, uint8_t *, size_t, size_t *, const uint8_t *, size_t, size_t *);
    int (*mac_init)(void **, const char *, uint32_t);
    int (*mac_destroy)(void *);
    int (*mac_set_key)(void *, const uint8_t *, size_t), (*mac_set_nonce)(void *, const uint8_t *, size_t);
    int (*mac_update)(void *, const uint8_t *, size_t);
    int (*mac_final)(void *, uint8_t *);
} b;

enum { BOTAN_FINAL = 1 };

static int botan_load(struct library *l, const char *file, char *why, size_t cap) {
    /* The number behind .so is the minor version. */
    static const char *const names[] = {"libbotan-3.so",    "libbotan-3.so.15", "libbotan-3.so.14", "libbotan-3.so.13",
                                        "libbotan-3.so.12", "libbotan-3.so.11", "libbotan-3.so.10", "libbotan-3.so.9",
                                        "libbotan-3.so.8",  "libbotan-3.so.7",  "libbotan-3.so.6",  "libbotan-3.so.5",
                                        "libbotan-3.so.4",  "libbotan-3.so.3",  "libbotan-3.so.2",  "libbotan-3.so.1",
                                        "libbotan-3.so.0",  "libbotan-2.so.19", "libbotan-2.so.17", NULL};
    const struct symbol symbols[] = {{"botan_version_string", &b.version},  {"botan_cipher_init", &b.init},
                                     {"botan_cipher_destroy", &b.destroy},  {"botan_cipher_set_key", &b.set_key},
                                     {"botan_cipher_start", &b.start},      {"botan_cipher_update", &b.update},
                                     {"botan_mac_init", &b.mac_init},       {"botan_mac_destroy", &b.mac_destroy},
                                     {"botan_mac_set_key", &b.mac_set_key}, {"botan_mac_update", &b.mac_update},
                                     {"botan_mac_final", &b.mac_final}};
    void *const so = open_first(l, file, names, why, cap);
    if (so == NULL || find(so, symbols, sizeof symbols / sizeof *symbols, why, cap) != 0) return -1;
    void *const set_nonce = dlsym(so, "botan_mac_set_nonce"); /* since Botan 3 */
    memcpy(&b.mac_set_nonce, &set_nonce, sizeof set_nonce);
    /* "Botan 3.13.0 (release, ...)" */
    snprintf(l->version, sizeof l->version, "%s", b.version());
    l->version[strcspn(l->version, "(")] = 0;
    for (size_t n = strlen(l->version); n > 0 && l->version[n - 1] == ' ';) l->version[--n] = 0;
    note_file(l, "botan_version_string", so);
    return 0;
}

static bool botan_open(struct session *s, const struct work *w) {
    struct held *const h = hold(s, w);
    char name[64];
    if (h == NULL || (h->mode == ECB && w->kind != WORK_KEY) || h->mode == SIV) return false;
    const char *const cipher = h->aria ? "ARIA" : "AES";
    if (w->kind == WORK_MAC) {
        if (h->mode == GMAC && b.mac_set_nonce == NULL) return false;
        snprintf(name, sizeof name, "%s(%s-%d)", mode_names[h->mode], cipher, h->bits);
        return b.mac_init(&h->mac, name, 0) == 0 && b.mac_set_key(h->mac, w->key, w->info.key_len) == 0;
    }
    if (h->mode == CTR || h->mode == ECB) /* it has no ECB: the key of CTR is set */
        snprintf(name, sizeof name, "CTR-BE(%s-%d)", cipher, h->bits);
    else
        snprintf(name, sizeof name, "%s-%d/%s%s", cipher, h->bits, mode_names[h->mode],
                 h->mode == CBC ? "/NoPadding" : "");
    return b.init(&h->enc, name, 0) == 0 && b.init(&h->dec, name, 1) == 0 &&
           b.set_key(h->enc, w->key, w->info.key_len) == 0 && b.set_key(h->dec, w->key, w->info.key_len) == 0;
}

static int botan_one(const struct held *h, struct session *s, const struct work *w, uint8_t *buf, size_t len,
                     uint8_t *tag) {
    size_t out, in;
    if (w->kind == WORK_MAC) {
        uint8_t made[16];
        if ((w->iv_len > 0 && b.mac_set_nonce(h->mac, w->iv, w->iv_len) != 0) || b.mac_update(h->mac, buf, len) != 0 ||
            b.mac_final(h->mac, w->decrypt ? made : tag) != 0)
            return -1;
        return w->decrypt ? memcmp(made, tag, w->tag_len) != 0 : 0;
    }
    void *const c = w->decrypt ? h->dec : h->enc;
    if (s->scratch_cap < len + 64) { /* it works from one buffer to another; in place is a copy more */
        free(s->scratch);
        s->scratch_cap = len + 64;
        s->scratch = malloc(s->scratch_cap);
        if (s->scratch == NULL) return s->scratch_cap = 0, -1;
    }
    if (b.start(c, w->iv, w->iv_len) != 0) return -1;
    if (w->decrypt && w->tag_len > 0) memcpy(buf + len, tag, w->tag_len);
    if (b.update(c, BOTAN_FINAL, s->scratch, s->scratch_cap, &out, buf, len + (w->decrypt ? w->tag_len : 0), &in) != 0)
        return -1;
    memcpy(buf, s->scratch, len);
    if (!w->decrypt && w->tag_len > 0) memcpy(tag, s->scratch + len, w->tag_len);
    return 0;
}

static int botan_run(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags) {
    return all_messages(botan_one, s, w, buf, len, stride, tags);
}

static int botan_set_key(struct session *s, const struct work *w) {
    return b.set_key(((struct held *)s->a)->enc, w->key, w->info.key_len);
}

static int botan_block(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]) {
    static const uint8_t zeros[16];
    void *const c = ((struct held *)s->a)->enc;
    size_t n, m;
    (void)w;
    /* The keystream of CTR is the block cipher. */
    return b.start(c, in, 16) != 0 || b.update(c, BOTAN_FINAL, out, 16, &n, zeros, 16, &m) != 0;
}

static void botan_close(struct session *s) {
    struct held *const h = s->a;
    if (h == NULL) return;
    if (h->enc != NULL) b.destroy(h->enc);
    if (h->dec != NULL) b.destroy(h->dec);
    if (h->mac != NULL) b.mac_destroy(h->mac);
    free(h);
}

/* ---- Nettle --------------------------------------------------------------------------------------- */

typedef void nettle_cipher(const void *, size_t, uint8_t *, const uint8_t *);
typedef void nettle_chain(const void *, nettle_cipher *, size_t, uint8_t *, size_t, uint8_t *, const uint8_t *);
typedef void nettle_with_iv(const void *, uint8_t *, size_t, uint8_t *, const uint8_t *);
typedef void nettle_tweak(const void *, const uint8_t *, size_t, uint8_t *, const uint8_t *);
typedef void nettle_key(void *, const uint8_t *);
typedef void nettle_nonce(void *, size_t, const uint8_t *);
typedef void nettle_ccm_nonce(void *, size_t, const uint8_t *, size_t, size_t, size_t);
typedef void nettle_crypt(void *, size_t, uint8_t *, const uint8_t *);
typedef void nettle_digest(void *, size_t, uint8_t *);

static struct {
    void *so;
    nettle_chain *cbc_encrypt, *cbc_decrypt, *cfb_encrypt, *cfb_decrypt, *ctr;
    struct { /* of AES with 128, 192, 256 bits; not all sizes have all */
        nettle_key *set_encrypt_key, *set_decrypt_key, *xts_encrypt_key, *xts_decrypt_key, *gcm_key, *eax_key, *ccm_key,
            *cmac_key;
        nettle_cipher *encrypt, *decrypt;
        nettle_with_iv *cbc_encrypt;
        nettle_tweak *xts_encrypt, *xts_decrypt;
        nettle_nonce *gcm_iv, *eax_nonce;
        nettle_ccm_nonce *ccm_nonce;
        nettle_crypt *gcm_encrypt, *gcm_decrypt, *eax_encrypt, *eax_decrypt, *ccm_encrypt, *ccm_decrypt;
        nettle_nonce *gcm_update, *cmac_update; /* of the same type */
        nettle_digest *gcm_digest, *eax_digest, *ccm_digest, *cmac_digest;
    } aes[3];
} n;

static void nettle_find(void *to, const char *before, int bits, const char *after) {
    char name[64];
    snprintf(name, sizeof name, "nettle_%saes%d_%s", before, bits, after);
    void *const f = dlsym(n.so, name);
    memcpy(to, &f, sizeof f);
}

static int nettle_load(struct library *l, const char *file, char *why, size_t cap) {
    static const char *const names[] = {"libnettle.so.8", NULL};
    int (*major)(void), (*minor)(void);
    const struct symbol symbols[] = {{"nettle_version_major", &major},
                                     {"nettle_version_minor", &minor},
                                     {"nettle_cbc_encrypt", &n.cbc_encrypt},
                                     {"nettle_cbc_decrypt", &n.cbc_decrypt},
                                     {"nettle_cfb_encrypt", &n.cfb_encrypt},
                                     {"nettle_cfb_decrypt", &n.cfb_decrypt},
                                     {"nettle_ctr_crypt", &n.ctr}};
    n.so = open_first(l, file, names, why, cap);
    if (n.so == NULL || find(n.so, symbols, sizeof symbols / sizeof *symbols, why, cap) != 0) return -1;
    if (major() != 3) { /* the digest functions have other arguments from 4 on */
        snprintf(why, cap, "it is Nettle %d, and 3 is what is known here", major());
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        const int bits = 128 + 64 * i;
        nettle_find(&n.aes[i].set_encrypt_key, "", bits, "set_encrypt_key");
        nettle_find(&n.aes[i].set_decrypt_key, "", bits, "set_decrypt_key");
        nettle_find(&n.aes[i].encrypt, "", bits, "encrypt");
        nettle_find(&n.aes[i].decrypt, "", bits, "decrypt");
        nettle_find(&n.aes[i].cbc_encrypt, "cbc_", bits, "encrypt");
        nettle_find(&n.aes[i].xts_encrypt_key, "xts_", bits, "set_encrypt_key");
        nettle_find(&n.aes[i].xts_decrypt_key, "xts_", bits, "set_decrypt_key");
        nettle_find(&n.aes[i].xts_encrypt, "xts_", bits, "encrypt_message");
        nettle_find(&n.aes[i].xts_decrypt, "xts_", bits, "decrypt_message");
        nettle_find(&n.aes[i].gcm_key, "gcm_", bits, "set_key");
        nettle_find(&n.aes[i].gcm_iv, "gcm_", bits, "set_iv");
        nettle_find(&n.aes[i].gcm_update, "gcm_", bits, "update");
        nettle_find(&n.aes[i].cmac_key, "cmac_", bits, "set_key");
        nettle_find(&n.aes[i].cmac_update, "cmac_", bits, "update");
        nettle_find(&n.aes[i].cmac_digest, "cmac_", bits, "digest");
        nettle_find(&n.aes[i].gcm_encrypt, "gcm_", bits, "encrypt");
        nettle_find(&n.aes[i].gcm_decrypt, "gcm_", bits, "decrypt");
        nettle_find(&n.aes[i].gcm_digest, "gcm_", bits, "digest");
        nettle_find(&n.aes[i].eax_key, "eax_", bits, "set_key");
        nettle_find(&n.aes[i].eax_nonce, "eax_", bits, "set_nonce");
        nettle_find(&n.aes[i].eax_encrypt, "eax_", bits, "encrypt");
        nettle_find(&n.aes[i].eax_decrypt, "eax_", bits, "decrypt");
        nettle_find(&n.aes[i].eax_digest, "eax_", bits, "digest");
        nettle_find(&n.aes[i].ccm_key, "ccm_", bits, "set_key");
        nettle_find(&n.aes[i].ccm_nonce, "ccm_", bits, "set_nonce");
        nettle_find(&n.aes[i].ccm_encrypt, "ccm_", bits, "encrypt");
        nettle_find(&n.aes[i].ccm_decrypt, "ccm_", bits, "decrypt");
        nettle_find(&n.aes[i].ccm_digest, "ccm_", bits, "digest");
    }
    snprintf(l->version, sizeof l->version, "Nettle %d.%d", major(), minor());
    note_file(l, "nettle_version_major", n.so);
    return 0;
}

static size_t nettle_size(const struct held *h) { return (size_t)(h->bits - 128) / 64; }

static bool nettle_open(struct session *s, const struct work *w) {
    struct held *const h = hold(s, w);
    if (h == NULL || h->aria) return false;
    const size_t i = nettle_size(h);
    if (n.aes[i].set_encrypt_key == NULL || n.aes[i].set_decrypt_key == NULL || n.aes[i].encrypt == NULL ||
        n.aes[i].decrypt == NULL)
        return false;
    h->room = aligned_alloc(64, (size_t)2 * NETTLE_ROOM);
    s->no_memory = h->room == NULL;
    if (s->no_memory) return false;
    h->enc = h->room;
    h->dec = h->room + NETTLE_ROOM;
    switch (h->mode) {
    case ECB:
    case CBC:
    case CFB:
    case CTR:
        n.aes[i].set_encrypt_key(h->enc, w->key);
        n.aes[i].set_decrypt_key(h->dec, w->key);
        return true;
    case XTS:
        if (!n.aes[i].xts_encrypt_key || !n.aes[i].xts_decrypt_key || !n.aes[i].xts_encrypt || !n.aes[i].xts_decrypt)
            return false;
        n.aes[i].xts_encrypt_key(h->enc, w->key);
        n.aes[i].xts_decrypt_key(h->dec, w->key);
        return true;
    case CMAC:
        if (!n.aes[i].cmac_key || !n.aes[i].cmac_update || !n.aes[i].cmac_digest) return false;
        n.aes[i].cmac_key(h->enc, w->key);
        return true;
    case GMAC:
    case GCM:
        if (!n.aes[i].gcm_update || !n.aes[i].gcm_key || !n.aes[i].gcm_iv || !n.aes[i].gcm_encrypt ||
            !n.aes[i].gcm_decrypt || !n.aes[i].gcm_digest)
            return false;
        n.aes[i].gcm_key(h->enc, w->key);
        return true;
    case EAX:
        if (!n.aes[i].eax_key || !n.aes[i].eax_nonce || !n.aes[i].eax_encrypt || !n.aes[i].eax_decrypt ||
            !n.aes[i].eax_digest)
            return false;
        n.aes[i].eax_key(h->enc, w->key);
        return true;
    case CCM:
        if (!n.aes[i].ccm_key || !n.aes[i].ccm_nonce || !n.aes[i].ccm_encrypt || !n.aes[i].ccm_decrypt ||
            !n.aes[i].ccm_digest)
            return false;
        n.aes[i].ccm_key(h->enc, w->key);
        return true;
    case OFB:
    case OCB:
    case SIV:
    case GCM_SIV:
    case MODES:
        break;
    }
    return false;
}

static int nettle_one(const struct held *h, struct session *s, const struct work *w, uint8_t *buf, size_t len,
                      uint8_t *tag) {
    const size_t i = nettle_size(h);
    uint8_t iv[16], made[16];
    (void)s;
    memcpy(iv, w->iv, sizeof iv); /* it is moved on */
    nettle_crypt *encrypt = NULL, *decrypt = NULL;
    nettle_digest *digest = NULL;
    nettle_nonce *update = NULL;
    switch (h->mode) {
    case ECB:
        (w->decrypt ? n.aes[i].decrypt : n.aes[i].encrypt)(w->decrypt ? h->dec : h->enc, len, buf, buf);
        return 0;
    case CBC:
        if (w->decrypt)
            n.cbc_decrypt(h->dec, n.aes[i].decrypt, 16, iv, len, buf, buf);
        else if (n.aes[i].cbc_encrypt != NULL)
            n.aes[i].cbc_encrypt(h->enc, iv, len, buf, buf);
        else
            n.cbc_encrypt(h->enc, n.aes[i].encrypt, 16, iv, len, buf, buf);
        return 0;
    case CFB:
        (w->decrypt ? n.cfb_decrypt : n.cfb_encrypt)(h->enc, n.aes[i].encrypt, 16, iv, len, buf, buf);
        return 0;
    case CTR:
        n.ctr(h->enc, n.aes[i].encrypt, 16, iv, len, buf, buf);
        return 0;
    case XTS:
        (w->decrypt ? n.aes[i].xts_decrypt : n.aes[i].xts_encrypt)(w->decrypt ? h->dec : h->enc, iv, len, buf, buf);
        return 0;
    case CMAC:
        update = n.aes[i].cmac_update;
        digest = n.aes[i].cmac_digest;
        break;
    case GMAC:
        n.aes[i].gcm_iv(h->enc, w->iv_len, iv);
        update = n.aes[i].gcm_update;
        digest = n.aes[i].gcm_digest;
        break;
    case GCM:
        n.aes[i].gcm_iv(h->enc, w->iv_len, iv);
        encrypt = n.aes[i].gcm_encrypt;
        decrypt = n.aes[i].gcm_decrypt;
        digest = n.aes[i].gcm_digest;
        break;
    case EAX:
        n.aes[i].eax_nonce(h->enc, w->iv_len, iv);
        encrypt = n.aes[i].eax_encrypt;
        decrypt = n.aes[i].eax_decrypt;
        digest = n.aes[i].eax_digest;
        break;
    case CCM:
        n.aes[i].ccm_nonce(h->enc, w->iv_len, iv, 0, len, w->tag_len);
        encrypt = n.aes[i].ccm_encrypt;
        decrypt = n.aes[i].ccm_decrypt;
        digest = n.aes[i].ccm_digest;
        break;
    case OFB:
    case OCB:
    case SIV:
    case GCM_SIV:
    case MODES:
        return -1;
    }
    if (update != NULL)
        update(h->enc, len, buf);
    else
        (w->decrypt ? decrypt : encrypt)(h->enc, len, buf, buf);
    digest(h->enc, w->tag_len, w->decrypt ? made : tag);
    return w->decrypt ? memcmp(made, tag, w->tag_len) != 0 : 0;
}

static int nettle_run(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags) {
    return all_messages(nettle_one, s, w, buf, len, stride, tags);
}

static int nettle_set_key(struct session *s, const struct work *w) {
    const struct held *const h = s->a;
    n.aes[nettle_size(h)].set_encrypt_key(h->enc, w->key);
    n.aes[nettle_size(h)].set_decrypt_key(h->dec, w->key);
    return 0;
}

static int nettle_block(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]) {
    const struct held *const h = s->a;
    (void)w;
    n.aes[nettle_size(h)].encrypt(h->enc, 16, out, in);
    return 0;
}

static void nettle_close(struct session *s) {
    struct held *const h = s->a;
    if (h != NULL) free(h->room);
    free(h);
}

struct library library_peers[PEERS] = {{.name = "libgcrypt",
                                        .load = gcrypt_load,
                                        .open = gcrypt_open,
                                        .run = gcrypt_run,
                                        .set_key = gcrypt_set_key,
                                        .block = gcrypt_block,
                                        .close = gcrypt_close},
                                       {.name = "openssl",
                                        .load = openssl_load,
                                        .open = openssl_open,
                                        .run = openssl_run,
                                        .set_key = openssl_set_key,
                                        .block = openssl_block,
                                        .close = openssl_close},
                                       {.name = "botan",
                                        .load = botan_load,
                                        .open = botan_open,
                                        .run = botan_run,
                                        .set_key = botan_set_key,
                                        .block = botan_block,
                                        .close = botan_close},
                                       {.name = "nettle",
                                        .load = nettle_load,
                                        .open = nettle_open,
                                        .run = nettle_run,
                                        .set_key = nettle_set_key,
                                        .block = nettle_block,
                                        .close = nettle_close}};
