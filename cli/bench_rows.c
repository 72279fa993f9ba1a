/* SPDX-License-Identifier: Apache-2.0 */
/* Work, and how cadenza and the reference do it: see bench.h. */
#include "bench.h"
#include "cli.h"
#include "engines.h"
#include "stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_kwp(const struct work *w) { return w->info.unit == 1; }

size_t work_sealed(const struct work *w, size_t len) {
    switch (w->kind) {
    case WORK_PIECES:
        return (len / CDZ_BLOCK_SIZE + 1) * CDZ_BLOCK_SIZE; /* PKCS#7 always pads */
    case WORK_WRAP:
        return (is_kwp(w) ? (len + 7) / 8 * 8 : len) + 8;
    case WORK_MESSAGE:
    case WORK_MAC:
    case WORK_KEY:
    case WORK_FILE:
        break;
    }
    return len;
}

bool work_checks(const struct work *w) {
    return w->decrypt && (w->kind == WORK_PIECES || w->kind == WORK_WRAP || (w->kind == WORK_MESSAGE && w->tag_len));
}

bool work_takes(const struct work *w, size_t len) {
    if (w->kind == WORK_KEY) return len == 0;
    if (w->kind == WORK_FILE) return true;
    if (w->kind == WORK_MAC) return len > 0;
    return len > 0 && len % w->info.unit == 0 && len >= w->info.min_len && len <= w->info.max_len;
}

/* A whole message. */
static cdz_status message(cdz_cipher *c, const struct work *w, uint8_t *buf, size_t len, uint8_t *tag) {
    size_t n = 0, m = 0;
    switch (w->kind) {
    case WORK_MESSAGE:
        return w->decrypt ? cdz_decrypt(c, w->iv, w->iv_len, NULL, 0, buf, len, buf, tag, w->tag_len)
                          : cdz_encrypt(c, w->iv, w->iv_len, NULL, 0, buf, len, buf, tag, w->tag_len);
    case WORK_MAC:
        return w->decrypt ? cdz_mac_verify(c, w->iv, w->iv_len, buf, len, tag, w->tag_len)
                          : cdz_mac(c, w->iv, w->iv_len, buf, len, tag, w->tag_len);
    case WORK_WRAP:
        n = w->decrypt ? work_sealed(w, len) : len;
        return w->decrypt ? cdz_unwrap(c, NULL, 0, buf, n, buf, n, &m)
                          : cdz_wrap(c, NULL, 0, buf, n, buf, work_sealed(w, len), &m);
    case WORK_PIECES: {
        /* In place: what lags behind has its room in the 32 bytes behind the message. */
        const size_t in = w->decrypt ? work_sealed(w, len) : len;
        cdz_status s = cdz_begin(c, w->decrypt ? CDZ_DECRYPT : CDZ_ENCRYPT, w->iv, w->iv_len);
        if (s == CDZ_OK) s = cdz_update(c, buf, in, buf, in + 31, &n);
        if (s == CDZ_OK) s = cdz_finish(c, buf + n, 32, &m);
        if (s == CDZ_OK && n + m != (w->decrypt ? len : work_sealed(w, len))) s = CDZ_ERR_LENGTH;
        return s;
    }
    case WORK_KEY:
    case WORK_FILE:
        break;
    }
    return CDZ_ERR_UNSUPPORTED;
}

/* ---- cadenza ------------------------------------------------------------------------------------- */

static bool cadenza_open(struct session *s, const struct work *w) {
    cdz_cipher *c;
    const cdz_status status = cdz_cipher_new_on(&c, s->want, w->info.name, w->key, w->info.key_len);
    s->no_memory = status == CDZ_ERR_MEMORY;
    if (status != CDZ_OK) return false;
    snprintf(s->engine, sizeof s->engine, "%s", cdz_engine_name(c));
    s->a = c;
    s->b = w->batch ? calloc(w->messages, sizeof(cdz_batch_message)) : NULL;
    s->no_memory = w->batch && s->b == NULL;
    return !s->no_memory;
}

__attribute__((noinline)) static int cadenza_run_other(struct session *s, const struct work *w, uint8_t *buf,
                                                       size_t len, size_t stride, uint8_t *tags) {
    if (!w->batch) return message(s->a, w, buf, len, tags);
    cdz_batch_message *const m = s->b;
    const bool mac = w->kind == WORK_MAC; /* of associated data alone */
    for (size_t i = 0; i < w->messages; i++) {
        uint8_t *const at = buf + i * stride;
        m[i] = (cdz_batch_message){.iv = w->iv,
                                   .iv_len = w->iv_len,
                                   .aad = mac ? at : NULL,
                                   .aad_len = mac ? len : 0,
                                   .in = mac ? NULL : at,
                                   .len = mac ? 0 : len,
                                   .out = mac ? NULL : at,
                                   .tag = tags + (size_t)CDZ_TAG_MAX * i,
                                   .tag_len = w->tag_len};
    }
    return w->decrypt ? cdz_decrypt_batch(s->a, m, w->messages) : cdz_encrypt_batch(s->a, m, w->messages);
}

/* As little as can be around a call for a message: a frame with saved registers costs some 15 ns at 1 KiB, where it
 * keeps the core from beginning with the next message while this one ends. */
static int cadenza_run(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride,
                       uint8_t *tags) {
    if (w->kind != WORK_MESSAGE || w->batch) return cadenza_run_other(s, w, buf, len, stride, tags);
    return w->decrypt ? cdz_decrypt(s->a, w->iv, w->iv_len, NULL, 0, buf, len, buf, tags, w->tag_len)
                      : cdz_encrypt(s->a, w->iv, w->iv_len, NULL, 0, buf, len, buf, tags, w->tag_len);
}

static int cadenza_set_key(struct session *s, const struct work *w) {
    return cdz_cipher_set_key(s->a, w->key, w->info.key_len);
}

static int cadenza_block(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]) {
    cdz_cipher *c;
    cdz_status status = cdz_cipher_new_on(&c, s->want, w->info.name, w->key, w->info.key_len);
    if (status == CDZ_OK) status = cdz_encrypt(c, NULL, 0, NULL, 0, in, 16, out, NULL, 0);
    cdz_cipher_free(c);
    return status;
}

static void cadenza_close(struct session *s) {
    cdz_cipher_free(s->a);
    free(s->b);
}

const struct library library_cadenza = {.name = "cadenza",
                                        .open = cadenza_open,
                                        .run = cadenza_run,
                                        .set_key = cadenza_set_key,
                                        .block = cadenza_block,
                                        .close = cadenza_close,
                                        .loaded = true};

/* ---- the reference ---------------------------------------------------------------------------------- */

cdz_status reference_open(cdz_cipher **c, const char *engine, const struct work *w) {
    /* The portable engine for all but itself: that is compared with the best. */
    const char *const name = w->info.name;
    if (engine != NULL && strstr(engine, "/portable") != NULL) return cdz_cipher_new(c, name, w->key, w->info.key_len);
    return new_on(c, NULL, name, w->key, w->info.key_len);
}

int reference_run(cdz_cipher *c, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags) {
    cdz_status s = CDZ_OK;
    for (size_t i = 0; s == CDZ_OK && i < w->messages; i++)
        s = message(c, w, buf + i * stride, len, tags + (size_t)CDZ_TAG_MAX * i);
    return s;
}

/* ---- files ------------------------------------------------------------------------------------------- */

struct file_work {
    struct file_keys keys, reference;
    int in, made, expected; /* memory files: what is read; what came out here and by the reference */
    size_t len;             /* of the plaintext */
    bool decrypt;
    struct output null;
};

static int memory_file(const char *name) {
    const int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0) fail(FAIL_WRITE, "cannot make a file in memory");
    return fd;
}

static int through(const struct file_keys *k, bool decrypt, int from, int to) {
    struct input in = {.fd = from, .name = "a file in memory", .size = UINT64_MAX};
    struct output out = {.fd = to, .dir = -1, .name = "a file in memory"};
    if (lseek(from, 0, SEEK_SET) != 0 || ftruncate(to, 0) != 0 || lseek(to, 0, SEEK_SET) != 0)
        return fail(FAIL_READ, "cannot rewind a file in memory");
    return decrypt ? stream_decrypt(k, &in, &out, false) : stream_encrypt(k, &in, &out);
}

/* The input, made by the reference. */
static int file_work_fill(struct file_work *f) {
    enum { PIECE = 4096 };
    uint8_t block[PIECE];
    const int plain = f->decrypt ? f->made : f->in;
    pattern(block, PIECE, 8);
    for (size_t at = 0; at < f->len; at += PIECE) {
        const size_t n = f->len - at < PIECE ? f->len - at : PIECE;
        block[at / PIECE % PIECE] ^= 1; /* no piece is like another */
        if (write(plain, block, n) != (ssize_t)n) return fail(FAIL_WRITE, "cannot write to a file in memory");
    }
    return f->decrypt ? through(&f->reference, false, f->made, f->in) : DONE;
}

int file_work_open(struct file_work **file, const struct work *w, size_t len) {
    struct file_work *const f = *file = calloc(1, sizeof *f);
    struct file_header h = {.source = FORMAT_KEY_FILE};
    if (f == NULL) return fail(FAIL_MEMORY, "no memory");
    f->decrypt = w->decrypt;
    f->len = len;
    f->in = f->made = f->expected = -1;
    f->null.fd = f->null.dir = -1;
    if (!format_parse_cipher(&h, w->info.name))
        return fail(FAIL_NAME, "files are not encrypted with %s: GCM, GCM-SIV, OCB, CCM and EAX are for them",
                    w->info.name);
    cdz_status s = cdz_cipher_new(&f->keys.aead, w->info.name, w->key, w->info.key_len);
    if (s == CDZ_OK) s = reference_open(&f->reference.aead, cdz_engine_name(f->keys.aead), w);
    if (s != CDZ_OK) return fail_status(s, w->info.name);
    pattern(f->keys.prefix, sizeof f->keys.prefix, 6);
    memcpy(f->reference.prefix, f->keys.prefix, sizeof f->keys.prefix);
    if ((f->in = memory_file("in")) < 0 || (f->made = memory_file("made")) < 0 ||
        (f->expected = memory_file("expected")) < 0)
        return FAIL_WRITE;
    int e = output_open(&f->null, "/dev/null", OUTPUT_REPLACE, NULL, 0);
    if (e == DONE) e = output_begin(&f->null);
    return e == DONE ? file_work_fill(f) : e;
}

int file_work_run(struct file_work *f) {
    struct input in = {.fd = f->in, .name = "a file in memory", .size = UINT64_MAX};
    if (lseek(f->in, 0, SEEK_SET) != 0) return fail(FAIL_READ, "cannot rewind a file in memory");
    return f->decrypt ? stream_decrypt(&f->keys, &in, &f->null, false) : stream_encrypt(&f->keys, &in, &f->null);
}

int file_work_check(struct file_work *f) {
    uint8_t a[4096], b[4096];
    size_t total = 0;
    int e = through(&f->keys, f->decrypt, f->in, f->made);
    if (e == DONE) e = through(&f->reference, f->decrypt, f->in, f->expected);
    if (e != DONE) return e;
    if (lseek(f->made, 0, SEEK_SET) != 0 || lseek(f->expected, 0, SEEK_SET) != 0) return FAIL_INTERNAL;
    for (;;) {
        const ssize_t n = read(f->made, a, sizeof a), m = read(f->expected, b, sizeof b);
        if (n != m || n < 0 || memcmp(a, b, (size_t)n) != 0) return FAIL_SELFTEST;
        if (n == 0) break;
        total += (size_t)n;
    }
    const size_t chunks = f->len == 0 ? 1 : (f->len + FORMAT_CHUNK - 1) / FORMAT_CHUNK;
    if (ftruncate(f->made, 0) != 0 || ftruncate(f->expected, 0) != 0) return FAIL_INTERNAL; /* memory */
    return total == f->len + (f->decrypt ? 0 : chunks * FORMAT_TAG) ? DONE : FAIL_SELFTEST;
}

void file_work_engine(const struct file_work *f, char *out, size_t cap) {
    snprintf(out, cap, "%s", cdz_engine_name(f->keys.aead));
}

void file_work_close(struct file_work *f) {
    if (f == NULL) return;
    file_keys_free(&f->keys);
    file_keys_free(&f->reference);
    if (f->in >= 0) close(f->in);
    if (f->made >= 0) close(f->made);
    if (f->expected >= 0) close(f->expected);
    output_abandon(&f->null);
    free(f);
}
