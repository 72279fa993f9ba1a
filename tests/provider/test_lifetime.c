/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider in the life of a process: many threads with contexts of their own and copies of them, fork(), loading
 * and unloading again and again, and the end of the process with it loaded. With whatever libcrypto the program is
 * linked with, a static one too.
 *
 *   test_lifetime threads | fork | load N | exit
 */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void die(const char *what) {
    fprintf(stderr, "FAILED: %s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

static EVP_CIPHER *fetch(OSSL_LIB_CTX *lib, const char *name) {
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (!c) die(name);
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(c)), "cadenza") != 0) die("not served by cadenza");
    return c;
}

/* A message of `len` bytes that depends on `n`, sealed; half of it by a copy of the context. */
static void seal(EVP_CIPHER *c, unsigned n, unsigned char *out, int len) {
    unsigned char key[32] = {0}, iv[12] = {0}, in[256];
    int k, m;
    key[0] = (unsigned char)n, iv[1] = (unsigned char)(n >> 8);
    memset(in, (int)n, sizeof in);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *d = EVP_CIPHER_CTX_new();
    if (!x || !d || EVP_EncryptInit_ex(x, c, NULL, key, iv) != 1 || EVP_EncryptUpdate(x, out, &k, in, len / 2) != 1 ||
        EVP_CIPHER_CTX_copy(d, x) != 1)
        die("seal");
    EVP_CIPHER_CTX_free(x);
    if (EVP_EncryptUpdate(d, out + k, &m, in, len - len / 2) != 1 || EVP_EncryptFinal_ex(d, out + k + m, &m) != 1 ||
        EVP_CIPHER_CTX_ctrl(d, EVP_CTRL_AEAD_GET_TAG, 16, out + len) != 1)
        die("seal, second half");
    EVP_CIPHER_CTX_free(d);
}

enum { THREADS = 16, MESSAGES = 400, LEN = 200, SEALED = LEN + 16 };
static unsigned char expected[MESSAGES][SEALED];
static EVP_CIPHER *shared;

static void *thread(void *arg) {
    const unsigned t = (unsigned)(uintptr_t)arg;
    unsigned char out[SEALED];
    for (unsigned i = 0; i < MESSAGES; i++) {
        const unsigned n = (i * 7 + t * 31) % MESSAGES;
        /* Some threads fetch for themselves, at the same time. */
        EVP_CIPHER *c = t % 2 ? fetch(NULL, "ARIA-256-GCM") : shared;
        seal(c, n, out, LEN);
        if (t % 2) EVP_CIPHER_free(c);
        if (memcmp(out, expected[n], SEALED)) die("a thread has other bytes");
    }
    return NULL;
}

static void threads(void) {
    pthread_t id[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&id[i], NULL, thread, (void *)(uintptr_t)i)) die("pthread_create");
    for (unsigned i = 0; i < THREADS; i++) pthread_join(id[i], NULL);
}

/* Contexts made before fork() go on in both processes; a nonce made of random bytes is another in each. */
static void forks(void) {
    unsigned char key[32] = {1}, iv[12] = {2}, in[64] = {3}, out[64], want[64], nonce[2][12];
    int n, p[2];
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *y = EVP_CIPHER_CTX_new();
    if (!x || !y || EVP_EncryptInit_ex(x, shared, NULL, key, iv) != 1 || EVP_CIPHER_CTX_copy(y, x) != 1 ||
        EVP_EncryptUpdate(y, want, &n, in, 64) != 1 || pipe(p))
        die("before fork");
    const pid_t child = fork();
    if (child < 0) die("fork");
    if (EVP_EncryptUpdate(x, out, &n, in, 64) != 1 || memcmp(out, want, 64)) die("after fork: other bytes");
    if (child == 0) threads();
    /* No IV: the provider draws one. */
    EVP_CIPHER_CTX_reset(x);
    if (EVP_EncryptInit_ex(x, shared, NULL, key, NULL) != 1 || EVP_EncryptUpdate(x, out, &n, in, 64) != 1 ||
        EVP_CIPHER_CTX_get_original_iv(x, nonce[child == 0], 12) != 1)
        die("a random nonce");
    if (child == 0) {
        if (write(p[1], nonce[1], 12) != 12) _exit(2);
        EVP_CIPHER_CTX_free(x);
        EVP_CIPHER_CTX_free(y);
        exit(0); /* with all of OpenSSL's own clearing up */
    }
    int status;
    if (read(p[0], nonce[1], 12) != 12 || waitpid(child, &status, 0) != child || status) die("the child");
    if (!memcmp(nonce[0], nonce[1], 12)) die("both processes drew one nonce");
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_CTX_free(y);
}

static void load(unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        unsigned char out[SEALED];
        OSSL_LIB_CTX *lib = OSSL_LIB_CTX_new();
        OSSL_PROVIDER *p = lib ? OSSL_PROVIDER_load(lib, "cadenza") : NULL;
        if (!p) die("load");
        EVP_CIPHER *c = fetch(lib, i % 2 ? "ARIA-128-GCM" : "ARIA-256-GCM");
        seal(c, i, out, LEN);
        EVP_CIPHER_free(c);
        if (OSSL_PROVIDER_unload(p) != 1) die("unload");
        OSSL_LIB_CTX_free(lib);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (!strcmp(argv[1], "load")) {
        load(argc > 2 ? (unsigned)atoi(argv[2]) : 10);
    } else {
        shared = fetch(NULL, "ARIA-256-GCM");
        for (unsigned i = 0; i < MESSAGES; i++) seal(shared, i, expected[i], LEN);
        if (!strcmp(argv[1], "threads")) threads();
        if (!strcmp(argv[1], "fork")) forks();
        /* "exit": with a cipher and a context that nobody frees, and clearing up by OpenSSL's own atexit(). */
        if (!strcmp(argv[1], "exit")) {
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
            unsigned char key[32] = {0}, iv[12] = {0};
            if (!x || EVP_EncryptInit_ex(x, shared, NULL, key, iv) != 1) die("exit");
        } else {
            EVP_CIPHER_free(shared);
        }
    }
    printf("lifetime %s: right, with %s\n", argv[1], OpenSSL_version(OPENSSL_VERSION));
    return 0;
}
