/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLS in memory, libssl's record layer over the provider's ciphers: client and server each with cadenza or with the
 * default provider alone, all pairs. Records of all sizes both ways, resumption, and records that were damaged, cut,
 * repeated or swapped on the way, which must end the connection without giving out a byte. That cadenza's ciphers did
 * the work is counted: the test is linked with the provider's sources, whose ctx_set_key() goes through a counter.
 */
#include "harness.h"

#include "../../provider/prov.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OURS, THEIRS, SIDES, MOST = 40000 };

static OSSL_LIB_CTX *lib[SIDES];
static EVP_PKEY *key[2];
static X509 *cert[2];
enum { KEY_RSA, KEY_EC };

static struct {
    const char *suite;
    int version, cert;
    bool no_etm;
} const suites[] = {
    {"ECDHE-ARIA128-GCM-SHA256", TLS1_2_VERSION, KEY_RSA, false},
    {"ECDHE-ARIA256-GCM-SHA384", TLS1_2_VERSION, KEY_RSA, false},
    {"ECDHE-ECDSA-ARIA256-GCM-SHA384", TLS1_2_VERSION, KEY_EC, false},
    {"ARIA128-GCM-SHA256", TLS1_2_VERSION, KEY_RSA, false},
    {"ECDHE-RSA-AES128-GCM-SHA256", TLS1_2_VERSION, KEY_RSA, false},
    {"ECDHE-RSA-AES256-GCM-SHA384", TLS1_2_VERSION, KEY_RSA, false},
    {"AES128-CCM", TLS1_2_VERSION, KEY_RSA, false},
    {"AES256-CCM8", TLS1_2_VERSION, KEY_RSA, false},
    {"AES128-SHA", TLS1_2_VERSION, KEY_RSA, false},
    {"AES128-SHA", TLS1_2_VERSION, KEY_RSA, true},
    {"AES256-SHA256", TLS1_2_VERSION, KEY_RSA, true},
    {"ECDHE-RSA-AES256-SHA384", TLS1_2_VERSION, KEY_RSA, false},
    {"ECDHE-RSA-AES256-SHA384", TLS1_2_VERSION, KEY_RSA, true},
    {"AES256-SHA", TLS1_1_VERSION, KEY_RSA, true},
    {"AES256-SHA", TLS1_VERSION, KEY_RSA, true},
    {"TLS_AES_128_GCM_SHA256", TLS1_3_VERSION, KEY_RSA, false},
    {"TLS_AES_256_GCM_SHA384", TLS1_3_VERSION, KEY_RSA, false},
    {"TLS_AES_128_CCM_SHA256", TLS1_3_VERSION, KEY_EC, false},
    {"TLS_AES_128_CCM_8_SHA256", TLS1_3_VERSION, KEY_RSA, false},
};

/* ---- the count -------------------------------------------------------------------------------------- */

static size_t keys_set;
bool __real_ctx_set_key(struct ctx *x, const uint8_t *k, size_t n);
bool __wrap_ctx_set_key(struct ctx *x, const uint8_t *k, size_t n);
bool __wrap_ctx_set_key(struct ctx *x, const uint8_t *k, size_t n) {
    keys_set++;
    return __real_ctx_set_key(x, k, n);
}

/* ---- two ends ----------------------------------------------------------------------------------- */

struct end {
    SSL_CTX *ctx;
    SSL *ssl;
};

static SSL_CTX *new_ctx(int side, bool server, size_t suite) {
    SSL_CTX *c = SSL_CTX_new_ex(lib[side], NULL, server ? TLS_server_method() : TLS_client_method());
    CHECK(c);
    CHECK(SSL_CTX_set_min_proto_version(c, suites[suite].version) == 1);
    CHECK(SSL_CTX_set_max_proto_version(c, suites[suite].version) == 1);
    SSL_CTX_set_security_level(c, 0);
    if (suites[suite].version == TLS1_3_VERSION)
        CHECK(SSL_CTX_set_ciphersuites(c, suites[suite].suite) == 1);
    else
        CHECK(SSL_CTX_set_cipher_list(c, suites[suite].suite) == 1);
    SSL_CTX_set_options(c, SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS); /* one write is one record, in TLS 1.0 too */
    if (suites[suite].no_etm) SSL_CTX_set_options(c, SSL_OP_NO_ENCRYPT_THEN_MAC);
    if (server) {
        CHECK(SSL_CTX_use_certificate(c, cert[suites[suite].cert]) == 1);
        CHECK(SSL_CTX_use_PrivateKey(c, key[suites[suite].cert]) == 1);
        CHECK(SSL_CTX_set_session_id_context(c, (const unsigned char *)"t", 1) == 1);
    }
    return c;
}

/* TLS 1.2 with GCM or CCM: the explicit nonces of one end's records, each one more than the last (RFC 5288: never the
 * same twice). */
static struct nonces {
    const SSL *of;
    uint64_t last;
} nonces[2];
static bool has_nonces;

static void look_at_nonces(const SSL *from, const uint8_t *wire, size_t n) {
    struct nonces *const seen = &nonces[SSL_is_server(from)];
    for (size_t at = 0, len; at + 13 <= n; at += 5 + len) {
        len = (size_t)wire[at + 3] << 8 | wire[at + 4];
        if (wire[at] != SSL3_RT_APPLICATION_DATA) continue;
        uint64_t now = 0;
        for (size_t i = 0; i < 8; i++) now = now << 8 | wire[at + 5 + i];
        if (seen->of == from && now != seen->last + 1)
            test_fail("nonce %016llx after %016llx", (unsigned long long)now, (unsigned long long)seen->last);
        *seen = (struct nonces){from, now};
    }
}

/* What one end has written so far goes to the other. */
static size_t carry(SSL *from, SSL *to) {
    static uint8_t buf[MOST * 2];
    const int n = BIO_read(SSL_get_wbio(from), buf, sizeof buf);
    if (n <= 0) return 0;
    if (has_nonces) look_at_nonces(from, buf, (size_t)n);
    CHECK(BIO_write(SSL_get_rbio(to), buf, n) == n);
    return (size_t)n;
}

static void new_ssl(struct end *e, bool server) {
    e->ssl = SSL_new(e->ctx);
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    CHECK(e->ssl && in && out);
    BIO_set_mem_eof_return(in, -1);
    BIO_set_mem_eof_return(out, -1);
    SSL_set_bio(e->ssl, in, out);
    if (server)
        SSL_set_accept_state(e->ssl);
    else
        SSL_set_connect_state(e->ssl);
}

static void shake(struct end *client, struct end *server) {
    for (int i = 0; i < 20; i++) {
        const int a = SSL_do_handshake(client->ssl);
        carry(client->ssl, server->ssl);
        const int b = SSL_do_handshake(server->ssl);
        carry(server->ssl, client->ssl);
        if (a == 1 && b == 1) return;
    }
    ERR_print_errors_fp(stderr);
    test_fail("no handshake");
}

static void send_and_check(SSL *from, SSL *to, size_t len) {
    static uint8_t data[MOST], got[MOST];
    size_t at = 0;
    rnd_fill(data, len);
    CHECK(SSL_write(from, data, (int)len) == (int)len);
    carry(from, to);
    while (at < len) {
        const int n = SSL_read(to, got + at, (int)(sizeof got - at));
        if (n <= 0) {
            ERR_print_errors_fp(stderr);
            test_fail("%zu of %zu bytes arrived", at, len);
        }
        at += (size_t)n;
    }
    test_same("data", got, data, len);
}

/* One record written, and done away with on its way as `how` says; nothing of it may come out. */
static void damage(SSL *from, SSL *to, unsigned how) {
    uint8_t data[300], wire[2000], got[600];
    const size_t len = 1 + rnd_below(sizeof data);
    rnd_fill(data, len);
    CHECK(SSL_write(from, data, (int)len) == (int)len);
    int n = BIO_read(SSL_get_wbio(from), wire, (int)sizeof wire);
    CHECK(n > 5);
    BIO *const in = SSL_get_rbio(to);
    switch (how) {
    case 0: /* a bit, somewhere */
        wire[5 + rnd_below((size_t)n - 5)] ^= (uint8_t)(1u << rnd_below(8));
        break;
    case 1: { /* shorter, and the header says so */
        const size_t cut = 1 + rnd_below((size_t)n - 6);
        const size_t body = (size_t)n - 5 - cut;
        wire[3] = (uint8_t)(body >> 8), wire[4] = (uint8_t)body;
        n -= (int)cut;
        break;
    }
    case 2: /* twice: the second is a replay */
        CHECK(BIO_write(in, wire, n) == n);
        CHECK(SSL_read(to, got, sizeof got) > 0);
        break;
    default: { /* the second before the first */
        CHECK(SSL_write(from, data, (int)len) == (int)len);
        n = BIO_read(SSL_get_wbio(from), wire, (int)sizeof wire);
        break;
    }
    }
    CHECK(BIO_write(in, wire, n) == n);
    ERR_clear_error();
    const int r = SSL_read(to, got, sizeof got);
    if (r > 0) test_fail("a record that was damaged (%u) gave %d bytes", how, r);
    CHECK(SSL_get_error(to, r) == SSL_ERROR_SSL);
    ERR_clear_error();
}

static void run(void *arg) {
    const size_t suite = (size_t)(uintptr_t)arg;
    has_nonces = suites[suite].version == TLS1_2_VERSION &&
                 (strstr(suites[suite].suite, "GCM") || strstr(suites[suite].suite, "CCM"));
    for (int c = 0; c < SIDES; c++) {
        for (int s = 0; s < SIDES; s++) {
            struct end client = {new_ctx(c, false, suite), NULL}, server = {new_ctx(s, true, suite), NULL};
            SSL_SESSION *session = NULL;
            for (unsigned round = 0; round < 6; round++) {
                NOW("connection", .len = suite, .a = (unsigned)(c * 2 + s), .b = round);
                memset(nonces, 0, sizeof nonces);
                new_ssl(&client, false);
                new_ssl(&server, true);
                if (session) CHECK(SSL_set_session(client.ssl, session) == 1);
                keys_set = 0;
                shake(&client, &server);
                CHECK(SSL_session_reused(client.ssl) == (round > 0) && SSL_session_reused(server.ssl) == (round > 0));
                if (round == 0)
                    for (size_t i = 0; i < 40; i++) {
                        const size_t len = i < 20 ? i + 1 : 1 + rnd_below(i < 35 ? 500 : MOST);
                        send_and_check(client.ssl, server.ssl, len);
                        send_and_check(server.ssl, client.ssl, len);
                    }
                else /* also brings the tickets of TLS 1.3 */
                    send_and_check(server.ssl, client.ssl, 100);
                SSL_SESSION_free(session);
                /* A copy: a connection that fails takes its session with it. */
                CHECK((session = SSL_SESSION_dup(SSL_get0_session(client.ssl))));
                /* Each end that is ours has set a key for each direction. */
                const size_t least = 2 * ((size_t)(c == OURS) + (size_t)(s == OURS));
                /* Newer libssl has ciphers of the default provider's for MAC then encrypt with SHA-1 and SHA-256 that
                 * do both at once: no CBC of ours is asked for then. */
                const bool stitched = suites[suite].no_etm && !strstr(suites[suite].suite, "SHA384") &&
                                      OpenSSL_version_num() >= 0x30200000L;
                if (!stitched && (keys_set < least || (!least && keys_set)))
                    test_fail("%zu keys, %zu expected", keys_set, least);
                if (round >= 2) {
                    const bool up = rnd_below(2);
                    damage(up ? client.ssl : server.ssl, up ? server.ssl : client.ssl, round - 2);
                }
                SSL_set_shutdown(client.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
                SSL_free(client.ssl);
                SSL_free(server.ssl);
            }
            SSL_SESSION_free(session);
            SSL_CTX_free(client.ctx);
            SSL_CTX_free(server.ctx);
        }
    }
}

static void make_cert(int i) {
    X509 *const x = X509_new();
    CHECK(x && key[i]);
    CHECK(ASN1_INTEGER_set(X509_get_serialNumber(x), 1) == 1);
    CHECK(X509_gmtime_adj(X509_getm_notBefore(x), 0) && X509_gmtime_adj(X509_getm_notAfter(x), 86400));
    X509_NAME *const n = X509_get_subject_name(x);
    CHECK(X509_NAME_add_entry_by_txt(n, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0) == 1);
    CHECK(X509_set_issuer_name(x, n) == 1 && X509_set_pubkey(x, key[i]) == 1 && X509_sign(x, key[i], EVP_sha256()));
    cert[i] = x;
}

int main(void) {
    OSSL_PROVIDER *loaded[3] = {NULL};
    test_begin();
    for (int s = 0; s < SIDES; s++) {
        lib[s] = OSSL_LIB_CTX_new();
        if (!lib[s]) return 1;
    }
    printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
    /* The provider in this program, so that its calls can be counted; both it and the default one, as users have it. */
    if (!OSSL_PROVIDER_add_builtin(lib[OURS], "cadenza", OSSL_provider_init) ||
        !OSSL_LIB_CTX_load_config(lib[OURS], CDZ_PROVIDER_CONFIG) ||
        !(loaded[0] = OSSL_PROVIDER_load(lib[OURS], "default")) ||
        !(loaded[1] = OSSL_PROVIDER_load(lib[OURS], "cadenza")) ||
        !(loaded[2] = OSSL_PROVIDER_load(lib[THEIRS], "default")) ||
        !EVP_set_default_properties(lib[OURS], "?provider=cadenza")) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    key[KEY_RSA] = EVP_RSA_gen(2048);
    key[KEY_EC] = EVP_EC_gen("P-256");
    make_cert(KEY_RSA);
    make_cert(KEY_EC);
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        test_add(run, (void *)(uintptr_t)i, "%s, TLS 1.%d%s", suites[i].suite, (suites[i].version & 0xff) - 1,
                 suites[i].no_etm ? ", MAC then encrypt" : "");
    const int status = test_end("records");
    for (int i = 0; i < 2; i++) {
        EVP_PKEY_free(key[i]);
        X509_free(cert[i]);
    }
    for (int i = 0; i < 3; i++) OSSL_PROVIDER_unload(loaded[i]);
    for (int s = 0; s < SIDES; s++) OSSL_LIB_CTX_free(lib[s]);
    return status;
}
