/* SPDX-License-Identifier: Apache-2.0 */
/* Header and chunk arithmetic of encrypted files: see file_format.h for the layout. No I/O, no allocation, no keys. */
#include "file_format.h"

#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Like PNG's: a byte above 7f shows whether the 8th bit was lost, CR LF and LF whether line ends were changed, and
 * 1a ends a listing on some systems. */
static const uint8_t magic[FORMAT_MAGIC] = {0x89, 'C', 'D', 'Z', '\r', '\n', 0x1a, '\n'};

static const char *const cipher_names[] = {NULL, "ARIA", "AES"};
static const char *const mode_names[] = {NULL, "GCM", "GCM-SIV", "OCB", "CCM", "EAX"};
enum { CIPHERS = sizeof cipher_names / sizeof *cipher_names, MODES = sizeof mode_names / sizeof *mode_names };
enum { MODE_GCM_SIV = 2 };

enum format_status header_check(const struct file_header *h) {
    static const uint8_t zero[FORMAT_KEY_ID] = {0};
    if (h->cipher == 0 || h->cipher >= CIPHERS) return FORMAT_ERR_CIPHER;
    if (h->key_len != 16 && h->key_len != 24 && h->key_len != 32) return FORMAT_ERR_KEY_LEN;
    if (h->mode == 0 || h->mode >= MODES) return FORMAT_ERR_MODE;
    if (h->mode == MODE_GCM_SIV && h->key_len == 24) return FORMAT_ERR_KEY_LEN; /* RFC 8452 has none */
    switch (h->source) {
    case FORMAT_KEY_FILE:
        if (h->lanes != 0 || h->passes != 0 || h->memory_kib != 0) return FORMAT_ERR_RESERVED;
        return FORMAT_OK;
    case FORMAT_ARGON2ID:
        if (memcmp(h->key_id, zero, sizeof zero) != 0) return FORMAT_ERR_RESERVED;
        if (h->lanes < 1 || h->lanes > ARGON2_MAX_LANES) return FORMAT_ERR_LANES;
        if (h->passes < 1 || h->passes > ARGON2_MAX_PASSES) return FORMAT_ERR_PASSES;
        if (h->memory_kib < ARGON2_MIN_KIB || h->memory_kib > ARGON2_MAX_KIB) return FORMAT_ERR_MEMORY;
        if ((uint64_t)h->memory_kib * h->passes > ARGON2_MAX_WORK_KIB) return FORMAT_ERR_WORK;
        return FORMAT_OK;
    default:
        return FORMAT_ERR_SOURCE;
    }
}

enum format_status header_decode(struct file_header *h, const uint8_t *b, size_t len) {
    memset(h, 0, sizeof *h);
    const size_t n = len < FORMAT_MAGIC ? len : FORMAT_MAGIC;
    if (n < 4 || memcmp(b, magic, 4) != 0) return FORMAT_ERR_MAGIC;
    if (memcmp(b, magic, n) != 0) return FORMAT_ERR_TEXT;
    /* The version first: another one may have a shorter header. */
    if (len > FORMAT_MAGIC && b[8] != FORMAT_VERSION) return FORMAT_ERR_VERSION;
    if (len < FORMAT_HEADER) return FORMAT_ERR_SHORT;
    h->cipher = b[9];
    h->key_len = b[10];
    h->mode = b[11];
    h->source = b[12];
    h->lanes = b[13];
    h->passes = get_be32(b + 16);
    h->memory_kib = get_be32(b + 20);
    memcpy(h->key_id, b + 24, FORMAT_KEY_ID);
    memcpy(h->salt, b + 32, FORMAT_SALT);
    memcpy(h->commitment, b + FORMAT_AT_COMMITMENT, FORMAT_COMMITMENT);
    memcpy(h->tag, b + FORMAT_SIGNED, FORMAT_TAG);
    const enum format_status s = header_check(h);
    if (s != FORMAT_OK) return s;
    return b[14] != 0 || b[15] != 0 ? FORMAT_ERR_RESERVED : FORMAT_OK;
}

void header_encode(const struct file_header *h, uint8_t b[FORMAT_HEADER]) {
    memcpy(b, magic, FORMAT_MAGIC);
    b[8] = FORMAT_VERSION;
    b[9] = h->cipher;
    b[10] = h->key_len;
    b[11] = h->mode;
    b[12] = h->source;
    b[13] = h->lanes;
    b[14] = 0;
    b[15] = 0;
    put_be32(b + 16, h->passes);
    put_be32(b + 20, h->memory_kib);
    memcpy(b + 24, h->key_id, FORMAT_KEY_ID);
    memcpy(b + 32, h->salt, FORMAT_SALT);
    memcpy(b + FORMAT_AT_COMMITMENT, h->commitment, FORMAT_COMMITMENT);
    memcpy(b + FORMAT_SIGNED, h->tag, FORMAT_TAG);
}

const char *format_strerror(enum format_status s) {
    switch (s) {
    case FORMAT_OK:
        return "the header is right";
    case FORMAT_ERR_MAGIC:
        return "this is not a file that cadenza encrypted";
    case FORMAT_ERR_TEXT:
        return "this file went through something that changes line ends or characters; transfer it as binary data";
    case FORMAT_ERR_SHORT:
        return "the file ends within its header";
    case FORMAT_ERR_VERSION:
        return "the file's format is of a version that this program does not know";
    case FORMAT_ERR_CIPHER:
        return "the header names a block cipher that this program does not know";
    case FORMAT_ERR_KEY_LEN:
        return "the header names a key length that its cipher does not have";
    case FORMAT_ERR_MODE:
        return "the header names a mode that this program does not know";
    case FORMAT_ERR_SOURCE:
        return "the header names a way to derive the key that this program does not know";
    case FORMAT_ERR_RESERVED:
        return "the header has something where zeros must be";
    case FORMAT_ERR_LANES:
        return "the header asks for a number of Argon2id lanes that is out of bounds";
    case FORMAT_ERR_PASSES:
        return "the header asks for a number of Argon2id passes that is out of bounds";
    case FORMAT_ERR_MEMORY:
        return "the header asks for an amount of memory for Argon2id that is out of bounds";
    case FORMAT_ERR_WORK:
        return "the header asks for more Argon2id work than is allowed";
    }
    return "unknown format error";
}

bool format_parse_cipher(struct file_header *h, const char *name) {
    for (uint8_t c = 1; c < CIPHERS; c++)
        for (uint8_t len = 16; len <= 32; len = (uint8_t)(len + 8))
            for (uint8_t m = 1; m < MODES; m++) {
                struct file_header t = {.cipher = c, .key_len = len, .mode = m, .source = FORMAT_KEY_FILE};
                char known[FORMAT_NAME_MAX];
                if (header_check(&t) != FORMAT_OK) continue;
                format_cipher_name(&t, known);
                if (strcasecmp(known, name) != 0) continue;
                h->cipher = c;
                h->key_len = len;
                h->mode = m;
                return true;
            }
    return false;
}

void format_cipher_name(const struct file_header *h, char name[FORMAT_NAME_MAX]) {
    snprintf(name, FORMAT_NAME_MAX, "%s-%d-%s", cipher_names[h->cipher], h->key_len * 8, mode_names[h->mode]);
}

void format_nonce(uint8_t nonce[FORMAT_NONCE], const uint8_t prefix[FORMAT_NONCE_PREFIX], uint64_t index, bool last) {
    memcpy(nonce, prefix, FORMAT_NONCE_PREFIX);
    put_be32(nonce + FORMAT_NONCE_PREFIX, (uint32_t)index);
    nonce[FORMAT_NONCE - 1] = last;
}

bool format_file_length(uint64_t plaintext, uint64_t *file) {
    if (plaintext > FORMAT_MAX_CHUNKS * FORMAT_CHUNK) return false;
    const uint64_t chunks = plaintext == 0 ? 1 : (plaintext + FORMAT_CHUNK - 1) / FORMAT_CHUNK;
    *file = FORMAT_HEADER + plaintext + chunks * FORMAT_TAG;
    return true;
}

bool format_plaintext_length(uint64_t file, uint64_t *plaintext) {
    if (file < FORMAT_HEADER + FORMAT_TAG) return false;
    const uint64_t body = file - FORMAT_HEADER, whole = body / (FORMAT_CHUNK + FORMAT_TAG),
                   rest = body % (FORMAT_CHUNK + FORMAT_TAG);
    /* A last chunk that is shorter than full has a tag, and at least a byte unless it is alone. */
    if (rest != 0 && (rest < FORMAT_TAG || (rest == FORMAT_TAG && whole != 0))) return false;
    if (whole + (rest != 0) > FORMAT_MAX_CHUNKS) return false;
    *plaintext = body - (whole + (rest != 0)) * FORMAT_TAG;
    return true;
}
