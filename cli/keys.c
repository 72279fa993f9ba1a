/* SPDX-License-Identifier: Apache-2.0 */
/* Key files, passphrases from files and terminals, Argon2id: see keys.h. */
#include "keys.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef CDZ_HAVE_ARGON2
#include <argon2.h>
#endif

/* ---- key files ------------------------------------------------------------------------------- */

static const char key_first[] = "cadenza key file, version ";

int key_file_encode(const uint8_t key[MASTER_KEY], char text[KEY_FILE_SIZE + 1]) {
    uint8_t id[FORMAT_KEY_ID];
    char key_hex[2 * MASTER_KEY + 1], id_hex[2 * FORMAT_KEY_ID + 1];
    const int e = kdf_key_id(key, id);
    if (e != DONE) return e;
    hex_encode(key, MASTER_KEY, key_hex);
    hex_encode(id, FORMAT_KEY_ID, id_hex);
    snprintf(text, KEY_FILE_SIZE + 1, "%s1\nkey %s\nid %s\n", key_first, key_hex, id_hex);
    wipe(key_hex, sizeof key_hex);
    return DONE;
}

enum key_file_status key_file_decode(const char *text, size_t len, uint8_t key[MASTER_KEY], uint8_t id[FORMAT_KEY_ID]) {
    const size_t first = sizeof key_first - 1;
    const char *const key_line = text + first + 2, *const id_line = key_line + 4 + 2 * MASTER_KEY + 1;
    uint8_t right[FORMAT_KEY_ID];
    size_t n;
    if (len < first + 1 || memcmp(text, key_first, first) != 0) return KEY_FILE_ERR_FORM;
    if (text[first] != '1' || (len > first + 1 && text[first + 1] != '\n')) return KEY_FILE_ERR_VERSION;
    if (len != KEY_FILE_SIZE) return KEY_FILE_ERR_FORM;
    if (memcmp(key_line, "key ", 4) != 0 || id_line[-1] != '\n') return KEY_FILE_ERR_FORM;
    if (memcmp(id_line, "id ", 3) != 0 || text[len - 1] != '\n') return KEY_FILE_ERR_FORM;
    if (!hex_decode(id_line + 3, 2 * FORMAT_KEY_ID, id, FORMAT_KEY_ID, &n)) return KEY_FILE_ERR_FORM;
    if (!hex_decode(key_line + 4, 2 * MASTER_KEY, key, MASTER_KEY, &n)) return KEY_FILE_ERR_FORM;
    if (kdf_key_id(key, right) != DONE) return KEY_FILE_ERR_INTERNAL;
    return equal_ct(id, right, sizeof right) ? KEY_FILE_OK : KEY_FILE_ERR_ID;
}

static void warn_of_readers(const struct input *in, const char *what) {
    struct stat st;
    if (in->file && fstat(in->fd, &st) == 0 && (st.st_mode & 077) != 0)
        warn_user("others may access the %s %s (mode %04o)", what, in->name, (unsigned)(st.st_mode & 07777));
}

static int read_key_file(struct input *in, uint8_t key[MASTER_KEY], uint8_t id[FORMAT_KEY_ID]) {
    char text[KEY_FILE_SIZE + 1]; /* a byte more than it may have */
    size_t len;
    warn_of_readers(in, "key file");
    int e = input_read(in, (uint8_t *)text, sizeof text, &len);
    if (e == DONE) switch (key_file_decode(text, len, key, id)) {
        case KEY_FILE_OK:
            break;
        case KEY_FILE_ERR_FORM:
            e = fail(FAIL_KEY_FILE, "%s is not a key file made by 'cadenza keygen'", in->name);
            break;
        case KEY_FILE_ERR_VERSION:
            e = fail(FAIL_KEY_FILE, "the key file %s is of a version that this program does not know", in->name);
            break;
        case KEY_FILE_ERR_ID:
            e = fail(FAIL_KEY_FILE, "the key file %s is damaged: its key and its id do not belong together", in->name);
            break;
        case KEY_FILE_ERR_INTERNAL:
            e = FAIL_INTERNAL;
            break;
        }
    wipe(text, sizeof text);
    return e;
}

/* ---- passphrases ----------------------------------------------------------------------------- */

bool keys_have_argon2(void) {
#ifdef CDZ_HAVE_ARGON2
    return true;
#else
    return false;
#endif
}

#ifdef CDZ_HAVE_ARGON2

static int check_passphrase(const uint8_t *pass, size_t len) {
    (void)pass;
    if (len == 0) return fail(FAIL_PASSPHRASE, "the passphrase is empty");
    if (len > PASSPHRASE_MAX) return fail(FAIL_PASSPHRASE, "the passphrase is longer than %d bytes", PASSPHRASE_MAX);
    return DONE;
}

/* All of the file without one line end at its end: never cut, never less than it holds. */
static int passphrase_from_file(struct input *in, uint8_t pass[PASSPHRASE_MAX + 3], size_t *len) {
    warn_of_readers(in, "passphrase file");
    const int e = input_read(in, pass, PASSPHRASE_MAX + 3, len);
    if (e != DONE) return e;
    if (*len > 0 && pass[*len - 1] == '\n') {
        --*len;
        if (*len > 0 && pass[*len - 1] == '\r') --*len;
    }
    return check_passphrase(pass, *len);
}

static int passphrase_from_terminal(uint8_t pass[PASSPHRASE_MAX + 3], size_t *len, bool twice) {
    uint8_t again[PASSPHRASE_MAX];
    const int tty = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (tty < 0)
        return fail(FAIL_PASSPHRASE,
                    "there is no terminal to ask for a passphrase on; use --key-file or --passphrase-file");
    int e = DONE;
    ssize_t n = io_read_silently(tty, "Passphrase: ", pass, PASSPHRASE_MAX);
    if (n < 0) {
        e = fail(FAIL_PASSPHRASE, "no passphrase was given, or it is longer than %d bytes", PASSPHRASE_MAX);
    } else {
        *len = (size_t)n;
        e = check_passphrase(pass, *len);
    }
    if (e == DONE && twice) {
        n = io_read_silently(tty, "The same again: ", again, PASSPHRASE_MAX);
        if (n < 0 || (size_t)n != *len || !equal_ct(pass, again, *len))
            e = fail(FAIL_PASSPHRASE, "the two passphrases are not the same");
        wipe(again, sizeof again);
    }
    close(tty);
    return e;
}

static int passphrase_master(struct key_source *k, const struct file_header *h, bool writing,
                             uint8_t master[MASTER_KEY]) {
    uint8_t pass[PASSPHRASE_MAX + 3]; /* CR, LF, and one more that shows that it is too long */
    size_t len = 0;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0 && (uint64_t)pages * (uint64_t)page / 1024 < h->memory_kib)
        return fail(FAIL_MEMORY, "the passphrase takes %u MiB of memory to check, and this machine does not have that",
                    (unsigned)(h->memory_kib / 1024));
    int e = k->open ? passphrase_from_file(&k->file, pass, &len) : passphrase_from_terminal(pass, &len, writing);
    if (e == DONE) {
        const int a =
            argon2id_hash_raw(h->passes, h->memory_kib, h->lanes, pass, len, h->salt, FORMAT_SALT, master, MASTER_KEY);
        if (a == ARGON2_MEMORY_ALLOCATION_ERROR)
            e = fail(FAIL_MEMORY, "Argon2id: no memory (%u MiB)", (unsigned)(h->memory_kib / 1024));
        else if (a != ARGON2_OK)
            e = fail(FAIL_INTERNAL, "Argon2id: %s", argon2_error_message(a));
    }
    wipe(pass, sizeof pass);
    return e;
}

#else

static int passphrase_master(struct key_source *k, const struct file_header *h, bool writing,
                             uint8_t master[MASTER_KEY]) {
    (void)k, (void)h, (void)writing, (void)master;
    return fail(FAIL_NO_ARGON2, "this cadenza was built without libargon2 and has key files only, no passphrases");
}

#endif

/* ---- both ------------------------------------------------------------------------------------ */

int key_source_open(struct key_source *k, const struct key_options *o) {
    memset(k, 0, sizeof *k);
    k->file.fd = -1;
    k->kind = o->key_file ? FORMAT_KEY_FILE : FORMAT_ARGON2ID;
    if (k->kind == FORMAT_ARGON2ID && !keys_have_argon2())
        return fail(FAIL_NO_ARGON2,
                    "this cadenza was built without libargon2 and has no passphrases; use --key-file with a file of "
                    "'cadenza keygen'");
    const char *path = o->key_file ? o->key_file : o->passphrase_file;
    if (path == NULL) return DONE;
    k->open = true;
    return input_open(&k->file, path);
}

void key_source_close(struct key_source *k) {
    if (k->open) input_close(&k->file);
    k->open = false;
}

int key_source_master(struct key_source *k, struct file_header *h, bool writing, uint8_t master[MASTER_KEY]) {
    if (h->source == FORMAT_ARGON2ID) {
        if (k->kind == FORMAT_KEY_FILE)
            return fail(FAIL_KEY, "this file was encrypted with a passphrase, not with a key file");
        return passphrase_master(k, h, writing, master);
    }
    char wanted[2 * FORMAT_KEY_ID + 1], have[2 * FORMAT_KEY_ID + 1];
    uint8_t id[FORMAT_KEY_ID];
    hex_encode(h->key_id, FORMAT_KEY_ID, wanted);
    if (k->kind != FORMAT_KEY_FILE)
        return fail(FAIL_KEY, "this file was encrypted with the key file of id %s; give it by --key-file", wanted);
    const int e = read_key_file(&k->file, master, id);
    if (e != DONE) return e;
    if (writing) {
        memcpy(h->key_id, id, sizeof id);
    } else if (memcmp(h->key_id, id, sizeof id) != 0) {
        hex_encode(id, FORMAT_KEY_ID, have);
        return fail(FAIL_KEY, "this file was encrypted with the key file of id %s, and %s has the id %s", wanted,
                    k->file.name, have);
    }
    return DONE;
}
