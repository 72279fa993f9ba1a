/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the master key of a file comes from: a key file, or a passphrase by Argon2id.
 *
 * A key file is text of exactly three lines, each ended by LF:
 *
 *     cadenza key file, version 1
 *     key 64 hexadecimal digits
 *     id 16 hexadecimal digits
 *
 * The id is a function of the key (kdf.h): it tells one key from another, and a key from a damaged one.
 */
#ifndef CDZ_KEYS_H
#define CDZ_KEYS_H

#include "io.h"
#include "kdf.h"

enum { PASSPHRASE_MAX = 1024, KEY_FILE_SIZE = 28 + 4 + 64 + 1 + 3 + 16 + 1 };

struct key_options {
    const char *key_file, *passphrase_file; /* at most one */
};

struct key_source {
    enum format_source kind;
    bool open; /* `file` is the key file or the passphrase's; else the terminal is asked */
    struct input file;
};

/* Opens the file that the options name, or finds that the terminal must be asked. */
int key_source_open(struct key_source *k, const struct key_options *o);
void key_source_close(struct key_source *k);

/* The master key for a header whose source, and for Argon2id salt and parameters, are set. For a key file: sets key_id
 * when `writing`, and else refuses another. `writing` asks twice on the terminal. */
int key_source_master(struct key_source *k, struct file_header *h, bool writing, uint8_t master[MASTER_KEY]);

/* Whether this build has Argon2id. */
bool keys_have_argon2(void);

/* A key file's text for a key. */
int key_file_encode(const uint8_t key[MASTER_KEY], char text[KEY_FILE_SIZE + 1]);

enum key_file_status {
    KEY_FILE_OK,
    KEY_FILE_ERR_FORM,    /* not a key file */
    KEY_FILE_ERR_VERSION, /* one of another version */
    KEY_FILE_ERR_ID,      /* key and id do not belong together */
    KEY_FILE_ERR_INTERNAL /* said already */
};
enum key_file_status key_file_decode(const char *text, size_t len, uint8_t key[MASTER_KEY], uint8_t id[FORMAT_KEY_ID]);

#endif
