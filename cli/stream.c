/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks in, chunks out.
 *
 * Whether a chunk is the last is not known until a byte after it was asked for, so a buffer holds a chunk and one byte
 * of the next, which then begins the next round:
 *
 *     | chunk: up to 65536 bytes | tag: 16 | one byte |
 *
 * The chunk's number and whether it is the last are in its nonce (Hoang, Reyhanitabar, Rogaway, Vizar, "Online
 * Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", Crypto 2015: STREAM): cut, swapped, repeated,
 * foreign or appended chunks do not verify.
 */
#include "stream.h"

#include "cli.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEALED = FORMAT_CHUNK + FORMAT_TAG };

struct rounds {
    struct input *in;
    uint8_t *buf; /* SEALED + 1 bytes */
    size_t unit;  /* bytes of a full chunk in the input */
    size_t len;   /* of this one */
    bool ahead;   /* buf[0] holds the byte read ahead */
    bool last;
    uint64_t index;
};

static int rounds_start(struct rounds *r, struct input *in, size_t unit) {
    memset(r, 0, sizeof *r);
    r->in = in;
    r->unit = unit;
    r->buf = malloc(SEALED + 1);
    return r->buf ? DONE : fail(FAIL_MEMORY, "no memory");
}

static void rounds_end(struct rounds *r) {
    if (r->buf != NULL) wipe(r->buf, SEALED + 1);
    free(r->buf);
}

/* Fills buf with the next chunk; with the byte read ahead behind it, at buf[unit], where it is not the last. */
static int rounds_fill(struct rounds *r) {
    size_t got;
    const int e = input_read(r->in, r->buf + r->ahead, r->unit + 1 - r->ahead, &got);
    if (e != DONE) return e;
    got += r->ahead;
    r->last = got <= r->unit;
    r->len = r->last ? got : r->unit;
    if (r->index >= FORMAT_MAX_CHUNKS) return fail(FAIL_DATA, "the file is longer than the format can hold (256 TiB)");
    return DONE;
}

static void rounds_next(struct rounds *r, uint8_t byte_ahead) {
    r->buf[0] = byte_ahead;
    r->ahead = true;
    r->index++;
}

int stream_encrypt(const struct file_keys *k, struct input *in, struct output *out) {
    struct rounds r;
    uint8_t nonce[FORMAT_NONCE];
    int e = rounds_start(&r, in, FORMAT_CHUNK);
    while (e == DONE) {
        e = rounds_fill(&r);
        if (e != DONE) break;
        const uint8_t ahead = r.buf[FORMAT_CHUNK]; /* where the tag of a full chunk goes */
        format_nonce(nonce, k->prefix, r.index, r.last);
        const cdz_status s =
            cdz_encrypt(k->aead, nonce, sizeof nonce, NULL, 0, r.buf, r.len, r.buf, r.buf + r.len, FORMAT_TAG);
        if (s != CDZ_OK) {
            e = fail_status(s, "cannot encrypt");
            break;
        }
        e = output_write(out, r.buf, r.len + FORMAT_TAG);
        progress_add(r.len);
        if (r.last) break;
        rounds_next(&r, ahead);
    }
    rounds_end(&r);
    return e;
}

static cdz_status open_chunk(const struct file_keys *k, const struct rounds *r, bool last, uint8_t *plain) {
    uint8_t nonce[FORMAT_NONCE];
    const size_t len = r->len - FORMAT_TAG;
    format_nonce(nonce, k->prefix, r->index, last);
    return cdz_decrypt(k->aead, nonce, sizeof nonce, NULL, 0, r->buf, len, plain, r->buf + len, FORMAT_TAG);
}

/* Why a chunk does not verify: with the other value of "last" it may. */
static int explain(const struct file_keys *k, const struct rounds *r, uint8_t *scratch) {
    if (open_chunk(k, r, !r->last, scratch) == CDZ_OK)
        return r->last ? fail(FAIL_TRUNCATED,
                              "the file is cut short: it ends after chunk %" PRIu64 ", which is not its last", r->index)
                       : fail(FAIL_EXCESS, "there is data after the last chunk, number %" PRIu64, r->index);
    return fail(FAIL_DAMAGED, "chunk %" PRIu64 " is damaged, cut short, or not in its place", r->index);
}

int stream_decrypt(const struct file_keys *k, struct input *in, struct output *out, bool text_only) {
    struct rounds r;
    uint8_t *const plain = malloc(FORMAT_CHUNK);
    int e = rounds_start(&r, in, SEALED);
    if (plain == NULL && e == DONE) e = fail(FAIL_MEMORY, "no memory");
    while (e == DONE) {
        e = rounds_fill(&r);
        if (e != DONE) break;
        if (r.len < FORMAT_TAG) {
            e = fail(FAIL_TRUNCATED, "the file is cut short: it ends %s chunk %" PRIu64,
                     r.len == 0 ? "before" : "within the tag of", r.index);
            break;
        }
        /* Only the empty file has an empty chunk, so that a plaintext has one length. */
        if (r.len == FORMAT_TAG && r.index != 0) {
            e = fail(FAIL_EXCESS, "there is an empty chunk after the last, number %" PRIu64, r.index - 1);
            break;
        }
        /* Not in place: what does not verify is looked at once more. */
        const cdz_status s = open_chunk(k, &r, r.last, plain);
        if (s == CDZ_ERR_AUTH)
            e = explain(k, &r, plain);
        else if (s != CDZ_OK)
            e = fail_status(s, "cannot decrypt");
        else if (text_only && !is_text(plain, r.len - FORMAT_TAG))
            e = fail(FAIL_TERMINAL, "the data is binary and would go to the terminal; use -o, or --force");
        else
            e = output_write(out, plain, r.len - FORMAT_TAG);
        if (e != DONE) break;
        progress_add(r.len);
        if (r.last) break;
        rounds_next(&r, r.buf[SEALED]);
    }
    rounds_end(&r);
    if (plain != NULL) wipe(plain, FORMAT_CHUNK);
    free(plain);
    return e;
}
