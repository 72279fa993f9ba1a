/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encrypted files and key files.
 *
 *   header   any 96 bytes: what is taken comes out again as it was, and keeps to the limits
 *   file     any bytes through `cadenza decrypt`; a key file, so that Argon2id is never run
 *   body     a true file, then cut, changed, put together otherwise, or left: what comes out is a beginning of the
 * plaintext, and all of it only where the file is what it was; by both parts (stream.h) and by the command key file any
 * text: what is taken is what is written for that key
 */
#include "command.h"

#include "cli.h"
#include "file_format.h"
#include "kdf.h"
#include "keys.h"
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 * FORMAT_CHUNK + 64, SEALED = FORMAT_CHUNK + FORMAT_TAG };
static const uint8_t master[MASTER_KEY] = "a key of thirty-two bytes, known";

static void header(struct decisions *d) {
    uint8_t bytes[FORMAT_HEADER] = {0x89, 'C', 'D', 'Z', 13, 10, 26, 10, 1}, again[FORMAT_HEADER];
    const unsigned how = take_byte(d);
    size_t n = take_bytes(d, bytes + (how & 1 ? 9 : 0), sizeof bytes - (how & 1 ? 9 : 0)) + (how & 1 ? 9 : 0);
    if (how & 2) n = sizeof bytes;
    uint8_t *const exact = room_with(bytes, n);
    struct file_header h;
    const enum format_status s = header_decode(&h, exact, n);
    MUST(format_strerror(s) && *format_strerror(s));
    if (s == FORMAT_OK) {
        char name[FORMAT_NAME_MAX];
        struct file_header other = {0};
        struct file_keys k = {0};
        MUST(n == FORMAT_HEADER);
        MUST(header_check(&h) == FORMAT_OK);
        header_encode(&h, again);
        MUST(memcmp(again, exact, n) == 0);
        format_cipher_name(&h, name);
        MUST(format_parse_cipher(&other, name));
        MUST(other.cipher == h.cipher && other.key_len == h.key_len && other.mode == h.mode);
        MUST((uint64_t)h.memory_kib * h.passes <= ARGON2_MAX_WORK_KIB && h.memory_kib <= ARGON2_MAX_KIB);
        const int e = kdf_open(&h, master, &k);
        messages_check(e);
        MUST(e != DONE && !k.aead); /* it has no tag of our key */
    }
    free(exact);
}

static void lengths(struct decisions *d) {
    const uint64_t plain = (uint64_t)take_word(d) << (take_byte(d) % 24);
    uint64_t file, back;
    if (format_file_length(plain, &file)) {
        MUST(format_plaintext_length(file, &back) && back == plain);
        MUST(file > plain + FORMAT_HEADER);
    }
    if (format_plaintext_length(plain, &back)) MUST(format_file_length(back, &file) && file == plain);
}

static void key_file(struct decisions *d) {
    static const char begin[] = "cadenza key file, version 1\nkey ";
    char text[KEY_FILE_SIZE + 2], right[KEY_FILE_SIZE + 1];
    uint8_t key[MASTER_KEY], id[FORMAT_KEY_ID];
    const unsigned how = take_byte(d);
    MUST(key_file_encode(master, text) == DONE);
    size_t n = KEY_FILE_SIZE;
    if (how & 1) {
        n = take_bytes(d, (uint8_t *)text, sizeof text);
    } else if (how & 2) {
        memcpy(text, begin, sizeof begin - 1);
        n = sizeof begin - 1 + take_bytes(d, (uint8_t *)text + sizeof begin - 1, sizeof text - sizeof begin + 1);
    } else {
        for (int i = 0; i < 3; i++) { /* a few bytes changed */
            const size_t at = take_below(d, KEY_FILE_SIZE);
            text[at] = (char)((uint8_t)text[at] ^ take_byte(d));
        }
        if (how & 4) n = take_below(d, KEY_FILE_SIZE + 1);
    }
    char *const exact = room_with(text, n);
    const enum key_file_status s = key_file_decode(exact, n, key, id);
    MUST(s != KEY_FILE_ERR_INTERNAL);
    if (s == KEY_FILE_OK) {
        MUST(n == KEY_FILE_SIZE && key_file_encode(key, right) == DONE);
        for (size_t i = 0; i < n; i++) { /* digits may be capitals */
            const char c = exact[i] >= 'A' && exact[i] <= 'F' ? (char)(exact[i] + 32) : exact[i];
            MUST(c == right[i]);
        }
    }
    free(exact);
}

/* `cadenza decrypt` of some bytes, with our key file: its exit code, and what it wrote. */
static int decrypt(const uint8_t *bytes, size_t n, uint8_t **out, size_t *out_len) {
    char key[KEY_FILE_SIZE + 1];
    MUST(key_file_encode(master, key) == DONE);
    char in_name[40], key_name[40];
    strcpy(in_name, memory_file(0, bytes, n));
    strcpy(key_name, memory_file(1, key, KEY_FILE_SIZE));
    char *const argv[] = {"decrypt", "-q", "--key-file", key_name, "-o", "out", in_name};
    const int e = command_run(cmd_decrypt, sizeof argv / sizeof *argv, argv);
    messages_check(e);
    *out = NULL;
    *out_len = 0;
    if (e == DONE) {
        FILE *const f = fopen("out", "rb");
        MUST(f);
        *out = room(MOST + FORMAT_CHUNK);
        *out_len = fread(*out, 1, MOST + FORMAT_CHUNK, f);
        fclose(f);
    }
    MUST(work_clear() == (e == DONE)); /* no output, and nothing temporary */
    return e;
}

static void any_file(struct decisions *d) {
    static uint8_t bytes[FORMAT_HEADER + 4096];
    uint8_t *out;
    size_t out_len, n = 0;
    if (take_chance(d, 2)) { /* a good header, and the body anything */
        struct file_header h = {0};
        struct file_keys k = {0};
        MUST(format_parse_cipher(&h, "ARIA-128-GCM"));
        h.source = FORMAT_KEY_FILE;
        MUST(kdf_key_id(master, h.key_id) == DONE);
        fill(h.salt, sizeof h.salt, take_word(d));
        MUST(kdf_seal(&h, master, &k) == DONE);
        file_keys_free(&k);
        header_encode(&h, bytes);
        n = FORMAT_HEADER;
    }
    n += take_bytes(d, bytes + n, sizeof bytes - n);
    MUST(decrypt(bytes, n, &out, &out_len) != DONE);
}

static void body(struct decisions *d) {
    static const char *const ciphers[] = {"ARIA-256-GCM", "AES-256-GCM",     "AES-128-OCB",      "ARIA-192-EAX",
                                          "AES-192-CCM",  "AES-256-GCM-SIV", "ARIA-128-GCM-SIV", "ARIA-128-OCB"};
    static uint8_t plain[MOST], file[2 * MOST], whole[2 * MOST];
    struct file_header h = {0};
    struct file_keys k = {0};
    const char *const cipher = ciphers[take_below(d, 8)];
    /* About the edges of chunks, or short. */
    size_t len = take_below(d, 4) * FORMAT_CHUNK;
    const unsigned more = take_byte(d);
    if (more < 128)
        len += more;
    else if (len >= 256 - more)
        len -= 256 - more;
    if (len > MOST) len = MOST;
    if (strstr(cipher, "ARIA-192") || strstr(cipher, "AES-192")) len %= 4 * 1024; /* serial modes are slow here */
    fuzz_about("%s, %zu bytes", cipher, len);
    MUST(format_parse_cipher(&h, cipher));
    h.source = FORMAT_KEY_FILE;
    MUST(kdf_key_id(master, h.key_id) == DONE);
    const uint32_t seed = take_word(d);
    fill(h.salt, sizeof h.salt, seed);
    for (size_t i = 0; i < len; i++) plain[i] = (uint8_t)(i * 7 + i / 251 + seed);
    MUST(kdf_seal(&h, master, &k) == DONE);
    header_encode(&h, file);
    memory_file(2, plain, len);
    memory_file(3, NULL, 0);
    struct input in = {.fd = memory_descriptor(2), .name = "in", .size = len};
    struct output out = {.fd = memory_descriptor(3), .dir = -1, .name = "out"};
    MUST(stream_encrypt(&k, &in, &out) == DONE);
    size_t n;
    uint8_t *const sealed = memory_read(3, &n);
    uint64_t want;
    MUST(format_file_length(len, &want) && want == n + FORMAT_HEADER);
    memcpy(file + FORMAT_HEADER, sealed, n);
    free(sealed);
    n += FORMAT_HEADER;
    const size_t whole_len = n;
    memcpy(whole, file, n);
    for (unsigned edits = take_byte(d) % 4; edits > 0; edits--) {
        const unsigned how = take_byte(d) % 6;
        const size_t chunks = (n - FORMAT_HEADER + SEALED - 1) / SEALED, a = take_below(d, chunks),
                     b = take_below(d, chunks);
        uint8_t *const pa = file + FORMAT_HEADER + a * SEALED, *const pb = file + FORMAT_HEADER + b * SEALED;
        if (how == 0) { /* a bit */
            if (n > 0) file[take_word(d) % n] ^= (uint8_t)(1u << take_below(d, 8));
        } else if (how == 1) { /* cut anywhere, or at a chunk */
            n = take_chance(d, 2) ? take_word(d) % (n + 1) : FORMAT_HEADER + a * SEALED;
        } else if (how == 2 && n + SEALED < sizeof file && chunks > 0) { /* a chunk once more at the end */
            const size_t size = n - FORMAT_HEADER - a * SEALED < SEALED ? n - FORMAT_HEADER - a * SEALED : SEALED;
            memmove(file + n, pa, size);
            n += size;
        } else if (how == 3 && a != b &&
                   n >= FORMAT_HEADER + (a > b ? a + 1 : b + 1) * SEALED) { /* two change places */
            for (size_t i = 0; i < SEALED; i++) {
                const uint8_t x = pa[i];
                pa[i] = pb[i];
                pb[i] = x;
            }
        } else if (how == 4 && n >= FORMAT_HEADER + (a + 1) * SEALED) { /* one is taken out */
            memmove(pa, pa + SEALED, n - FORMAT_HEADER - (a + 1) * SEALED);
            n -= SEALED;
        } else if (how == 5 && n + 64 < sizeof file) { /* more at the end */
            n += take_bytes(d, file + n, 64);
        }
        if (n < FORMAT_HEADER) break;
    }
    const bool changed = n != whole_len || memcmp(file, whole, n) != 0;
    /* By its parts: nothing but a beginning of the plaintext comes out. */
    if (n >= FORMAT_HEADER && memcmp(file, whole, FORMAT_HEADER) == 0) {
        memory_file(2, file + FORMAT_HEADER, n - FORMAT_HEADER);
        memory_file(3, NULL, 0);
        in = (struct input){.fd = memory_descriptor(2), .name = "in", .size = n};
        out = (struct output){.fd = memory_descriptor(3), .dir = -1, .name = "out"};
        const int e = stream_decrypt(&k, &in, &out, false);
        messages_check(e);
        size_t got;
        uint8_t *const opened = memory_read(3, &got);
        if (fuzz_planted() && e == FAIL_TRUNCATED && got == 0) opened[got++] = 1;
        MUST((e == DONE) == !changed);
        MUST(got <= len && memcmp(opened, plain, got) == 0);
        MUST(e != DONE || got == len);
        free(opened);
    }
    file_keys_free(&k);
    if (take_chance(d, 4)) {
        uint8_t *opened;
        size_t got;
        const int e = decrypt(file, n, &opened, &got);
        MUST((e == DONE) == !changed);
        MUST(e != DONE || (got == len && memcmp(opened, plain, len) == 0));
        free(opened);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct decisions d = {data, size};
    work_directory();
    messages_catch();
    switch (take_byte(&d) % 8) {
    case 0:
        header(&d);
        break;
    case 1:
        lengths(&d);
        break;
    case 2:
        key_file(&d);
        break;
    case 3:
        any_file(&d);
        break;
    default:
        body(&d);
    }
    messages_check(DONE);
    return 0;
}
