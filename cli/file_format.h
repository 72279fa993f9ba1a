/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of encrypted files: header and chunk arithmetic as pure functions over memory. docs/file-format.md is the
 * specification; this is its other half.
 *
 *     header: 96 bytes
 *         0  8  magic 89 43 44 5a 0d 0a 1a 0a
 *         8  1  version, 1
 *         9  1  block cipher: 1 ARIA, 2 AES
 *        10  1  its key's length in bytes: 16, 24, 32
 *        11  1  mode: 1 GCM, 2 GCM-SIV, 3 OCB, 4 CCM, 5 EAX
 *        12  1  where the key comes from: 1 key file, 2 passphrase by Argon2id
 *        13  1  Argon2id: lanes                       (0 with a key file)
 *        14  2  0
 *        16  4  Argon2id: passes                      (0 with a key file)
 *        20  4  Argon2id: memory in KiB               (0 with a key file)
 *        24  8  key file: its id                      (0 with a passphrase)
 *        32 16  salt, random
 *        48 32  commitment to the key
 *        80 16  tag of the 80 bytes before it
 *     chunks: 65536 bytes of plaintext encrypted, then a tag of 16 bytes; the last has 0 to 65536, and 0 only where it
 *     is the first too
 *
 * Numbers are big-endian. There is no length field: every place is known ahead, and nothing needs to be trusted.
 */
#ifndef CDZ_FILE_FORMAT_H
#define CDZ_FILE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FORMAT_HEADER = 96, /* bytes */
    FORMAT_MAGIC = 8,
    FORMAT_VERSION = 1,
    FORMAT_SIGNED = 80, /* of the header: what its tag covers, and the context of the file key */
    FORMAT_AT_COMMITMENT = 48,
    FORMAT_SALT = 16,
    FORMAT_COMMITMENT = 32,
    FORMAT_KEY_ID = 8,
    FORMAT_TAG = 16,
    FORMAT_CHUNK = 65536,
    FORMAT_NONCE = 12,
    FORMAT_NONCE_PREFIX = 7
};

/* The nonce's chunk number has 32 bits. */
#define FORMAT_MAX_CHUNKS (UINT64_C(1) << 32)

/* Limits of Argon2id's parameters, for writing and for reading: a file of a stranger's can take that much memory and
 * time, and no more, before it is found out. */
enum {
    ARGON2_MIN_KIB = 8 * 1024,
    ARGON2_MAX_KIB = 1024 * 1024,
    ARGON2_MAX_PASSES = 64,
    ARGON2_MAX_LANES = 16,
    ARGON2_MAX_WORK_KIB = 4 * 1024 * 1024, /* memory times passes */
    /* What encrypt uses: RFC 9106's second recommended option with four times its memory. */
    ARGON2_KIB = 256 * 1024,
    ARGON2_PASSES = 3,
    ARGON2_LANES = 4
};

enum format_cipher { FORMAT_ARIA = 1, FORMAT_AES = 2 };
enum format_source { FORMAT_KEY_FILE = 1, FORMAT_ARGON2ID = 2 };

struct file_header {
    uint8_t cipher;  /* enum format_cipher */
    uint8_t key_len; /* 16, 24, 32 */
    uint8_t mode;
    uint8_t source; /* enum format_source */
    uint8_t lanes;
    uint32_t passes, memory_kib;
    uint8_t key_id[FORMAT_KEY_ID];
    uint8_t salt[FORMAT_SALT];
    uint8_t commitment[FORMAT_COMMITMENT];
    uint8_t tag[FORMAT_TAG];
};

enum format_status {
    FORMAT_OK,
    FORMAT_ERR_MAGIC,    /* not a cadenza file */
    FORMAT_ERR_TEXT,     /* one that went through something that changes line ends */
    FORMAT_ERR_SHORT,    /* a beginning of one */
    FORMAT_ERR_VERSION,  /* of a version that is not known */
    FORMAT_ERR_CIPHER,   /* unknown block cipher, ... */
    FORMAT_ERR_KEY_LEN,  /* ... key length, ... */
    FORMAT_ERR_MODE,     /* ... mode, ... */
    FORMAT_ERR_SOURCE,   /* ... source of the key */
    FORMAT_ERR_RESERVED, /* a field that must be 0 is not */
    FORMAT_ERR_LANES,    /* Argon2id's parameters are out of bounds */
    FORMAT_ERR_PASSES,
    FORMAT_ERR_MEMORY,
    FORMAT_ERR_WORK
};

/* Reads a header of which `len` bytes are there. Everything but salt, commitment, tag and key id, which no rule
 * limits, is checked: what is returned can be acted upon. */
enum format_status header_decode(struct file_header *h, const uint8_t *bytes, size_t len);
/* The same check of a header that is about to be written. */
enum format_status header_check(const struct file_header *h);
void header_encode(const struct file_header *h, uint8_t bytes[FORMAT_HEADER]);
/* A sentence without a full stop. */
const char *format_strerror(enum format_status s);

/* "ARIA-256-GCM" to and from the three bytes; false where files have no such cipher. */
bool format_parse_cipher(struct file_header *h, const char *name);
enum { FORMAT_NAME_MAX = 24 };
void format_cipher_name(const struct file_header *h, char name[FORMAT_NAME_MAX]);

/* The nonce of chunk `index` (below FORMAT_MAX_CHUNKS): prefix, number, 1 in the last chunk and 0 in the others. */
void format_nonce(uint8_t nonce[FORMAT_NONCE], const uint8_t prefix[FORMAT_NONCE_PREFIX], uint64_t index, bool last);

/* How long the file of a plaintext is, both ways; false where there is none (too long, or an impossible length). */
bool format_file_length(uint64_t plaintext, uint64_t *file);
bool format_plaintext_length(uint64_t file, uint64_t *plaintext);

#endif
