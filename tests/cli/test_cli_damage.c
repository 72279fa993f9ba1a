/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged and forged files: cut at every byte, every header bit flipped, fields inflated, chunks swapped, dropped,
 * repeated, appended, foreign, and the second encoding of a file. Each must fail with its own exit code and one
 * sentence, within bounded memory and time, and leave an old output as it was and nothing beside it.
 *
 * Runs cmd_encrypt() and cmd_decrypt() in this process, in a directory of its own.
 */
#include "cli.h"
#include "engines.h"
#include "file_format.h"
#include "kdf.h"
#include "keys.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* cmocka.h comes last: it has a macro named as our fail(). */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { C = FORMAT_CHUNK, S = FORMAT_CHUNK + FORMAT_TAG, H = FORMAT_HEADER };
static const char old[] = "an old file of this name";
static char sentence[512];

struct bytes {
    uint8_t *p;
    size_t len;
};

static struct bytes slurp(const char *name) {
    struct bytes b = {0};
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    b.len = (size_t)ftell(f);
    rewind(f);
    b.p = malloc(b.len + 1);
    assert_int_equal(fread(b.p, 1, b.len, f), b.len);
    fclose(f);
    return b;
}

static void spit(const char *name, const void *p, size_t len) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* Runs a subcommand with its messages kept in `sentence`. */
static int run(int (*command)(int, char **), const char *const *words) {
    char *argv[16];
    int argc = 0;
    for (; words[argc] != NULL; argc++) argv[argc] = strdup(words[argc]);
    argv[argc] = NULL;
    fflush(stderr);
    const int err = dup(STDERR_FILENO), file = open("err", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    optind = 0;
    const int e = command(argc, argv);
    fflush(stderr);
    dup2(err, STDERR_FILENO);
    close(err);
    const ssize_t n = pread(file, sentence, sizeof sentence - 1, 0);
    sentence[n > 0 ? n : 0] = 0;
    close(file);
    while (argc > 0) free(argv[--argc]);
    return e;
}

#define RUN(command, ...) run(command, (const char *const[]){__VA_ARGS__, NULL})

/* How many files there are with a temporary name. */
static int leftovers(void) {
    int n = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) n += strncmp(e->d_name, ".cadenza", 8) == 0;
    closedir(d);
    return n;
}

/* Decrypts bytes over an old file: its exit code. Everything else that must hold is checked here. */
static int open_bytes(const uint8_t *p, size_t len) {
    spit("in", p, len);
    spit("out", old, sizeof old);
    const int e = RUN(cmd_decrypt, "decrypt", "--key-file", "key", "-o", "out", "in");
    assert_int_equal(leftovers(), 0);
    struct bytes out = slurp("out");
    if (e != DONE) {
        assert_int_equal(out.len, sizeof old);
        assert_memory_equal(out.p, old, sizeof old);
        const char *const end = strchr(sentence, '\n');
        assert_memory_equal(sentence, "cadenza: ", 9);
        assert_true(end != NULL && end[1] == 0); /* one sentence */
    } else {
        assert_string_equal(sentence, "");
    }
    free(out.p);
    return e;
}

static struct bytes encrypted(size_t len, uint64_t seed) {
    uint8_t *const plain = malloc(len + 1);
    pattern(plain, len, seed);
    spit("plain", plain, len);
    free(plain);
    assert_int_equal(RUN(cmd_encrypt, "encrypt", "--key-file", "key", "-o", "sealed", "plain"), DONE);
    struct bytes b = slurp("sealed");
    uint64_t want;
    assert_true(format_file_length(len, &want));
    assert_int_equal(b.len, want);
    return b;
}

static int setup(void **state) {
    char *const dir =
        strdup(access("/dev/shm", W_OK) == 0 ? "/dev/shm/cadenza-test.XXXXXX" : "/tmp/cadenza-test.XXXXXX");
    umask(077);
    if (mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    *state = dir;
    return RUN(cmd_keygen, "keygen", "-o", "key") || RUN(cmd_keygen, "keygen", "-o", "key2");
}

static int teardown(void **state) {
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    free(*state);
    return chdir("/") != 0 || system(command) != 0;
}

/* Sizes on both sides of the chunk's edges: there and back, and the file's length is what it must be. */
static void test_sizes(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 15, 16, 17, C - 1, C, C + 1, 2 * C - 1, 2 * C, 2 * C + 1, 16 * C};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct bytes b = encrypted(sizes[i], i);
        assert_int_equal(open_bytes(b.p, b.len), DONE);
        struct bytes in = slurp("plain"), out = slurp("out");
        assert_int_equal(in.len, out.len);
        assert_memory_equal(in.p, out.p, in.len);
        struct stat st;
        assert_int_equal(stat("out", &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
        free(in.p), free(out.p), free(b.p);
    }
}

static void test_cut_at_every_byte(void **state) {
    (void)state;
    for (size_t len = 0; len < 2; len++) {
        struct bytes b = encrypted(len, 20 + len);
        for (size_t n = 0; n < b.len; n++) {
            const int e = open_bytes(b.p, n);
            const int want = n < 4 ? FAIL_NOT_CADENZA : n < H + FORMAT_TAG ? FAIL_TRUNCATED : FAIL_DAMAGED;
            if (e != want) fail_msg("%zu of %zu bytes: exit code %d, expected %d", n, b.len, e, want);
        }
        free(b.p);
    }
}

static void test_cut_at_chunk_edges(void **state) {
    (void)state;
    static const size_t sizes[] = {C, 3 * C + 5};
    for (size_t i = 0; i < 2; i++) {
        struct bytes b = encrypted(sizes[i], 30 + i);
        for (size_t edge = H; edge < b.len + S; edge += S) {
            for (int d = -18; d <= 18; d++) {
                const size_t n = (edge < b.len ? edge : b.len) + (size_t)d;
                if (n >= b.len) continue;
                const int e = open_bytes(b.p, n);
                /* at an edge a whole chunk is last that should not be; within a tag alone, or one empty chunk more */
                const size_t rest = n < H ? 0 : (n - H) % S;
                int want = FAIL_DAMAGED;
                if (n < H || (n >= H && rest < FORMAT_TAG)) want = FAIL_TRUNCATED;
                if (n >= H && rest == FORMAT_TAG && n > H + S) want = FAIL_EXCESS;
                if (e != want) fail_msg("%zu of %zu bytes: exit code %d, expected %d: %s", n, b.len, e, want, sentence);
            }
        }
        free(b.p);
    }
}

static void test_header_bits(void **state) {
    (void)state;
    struct bytes b = encrypted(100, 40);
    unsigned seen = 0; /* exit codes that came up */
    for (size_t bit = 0; bit < 8 * H; bit++) {
        const size_t at = bit / 8;
        b.p[at] ^= (uint8_t)(1 << bit % 8);
        const int e = open_bytes(b.p, b.len);
        b.p[at] ^= (uint8_t)(1 << bit % 8);
        bool good = false;
        if (at < 8) good = e == FAIL_NOT_CADENZA;
        if (at == 8) good = e == FAIL_UNSUPPORTED;
        if (at >= 9 && at <= 11) good = e == FAIL_UNSUPPORTED || e == FAIL_HEADER; /* unknown, or known and not true */
        if (at == 12) good = e == FAIL_UNSUPPORTED || e == FAIL_HEADER;
        if (at >= 13 && at < 24) good = e == FAIL_HEADER;
        if (at >= 24 && at < 80) good = e == FAIL_KEY || (at == 47 && e == FAIL_HEADER);
        if (at >= 80) good = e == FAIL_HEADER;
        if (!good) fail_msg("byte %zu bit %zu: exit code %d: %s", at, bit % 8, e, sentence);
        seen |= 1u << e;
    }
    assert_int_equal(seen, 1u << FAIL_NOT_CADENZA | 1u << FAIL_UNSUPPORTED | 1u << FAIL_HEADER | 1u << FAIL_KEY);
    assert_int_equal(open_bytes(b.p, b.len), DONE);
    free(b.p);
}

static void test_body_bits(void **state) {
    (void)state;
    struct bytes b = encrypted(40, 50); /* every bit of a short file's body */
    for (size_t bit = 8 * H; bit < 8 * b.len; bit++) {
        b.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(open_bytes(b.p, b.len), FAIL_DAMAGED);
        b.p[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(b.p);
    b = encrypted(2 * C + 9, 51);
    for (size_t at = H; at < b.len; at += 4099) {
        b.p[at] ^= 0x10;
        assert_int_equal(open_bytes(b.p, b.len), FAIL_DAMAGED);
        b.p[at] ^= 0x10;
    }
    free(b.p);
}

/* A file put together of pieces: (offset, length) of `from`, the header always first. */
static int assemble(const uint8_t *header, size_t n, const struct bytes *pieces) {
    size_t len = H;
    for (size_t i = 0; i < n; i++) len += pieces[i].len;
    uint8_t *const p = malloc(len);
    memcpy(p, header, H);
    len = H;
    for (size_t i = 0; i < n; i++) {
        memcpy(p + len, pieces[i].p, pieces[i].len);
        len += pieces[i].len;
    }
    const int e = open_bytes(p, len);
    free(p);
    return e;
}

#define SPLICE(header, ...)                                                                                            \
    assemble(header, sizeof((struct bytes[]){__VA_ARGS__}) / sizeof(struct bytes), (struct bytes[]){__VA_ARGS__})

static void test_spliced_chunks(void **state) {
    (void)state;
    struct bytes a = encrypted(3 * C + 5, 60), z = encrypted(3 * C + 5, 61), full = encrypted(2 * C, 62);
    struct bytes c[4], d[4], f[2];
    for (size_t i = 0; i < 4; i++) {
        c[i] = (struct bytes){a.p + H + S * i, i < 3 ? S : 5 + FORMAT_TAG};
        d[i] = (struct bytes){z.p + H + S * i, i < 3 ? S : 5 + FORMAT_TAG};
    }
    for (size_t i = 0; i < 2; i++) f[i] = (struct bytes){full.p + H + S * i, S};
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[2], c[3]), DONE); /* the splicer itself */
    assert_int_equal(SPLICE(full.p, f[0], f[1]), DONE);
    assert_int_equal(SPLICE(a.p, c[1], c[0], c[2], c[3]), FAIL_DAMAGED); /* swapped */
    assert_int_equal(SPLICE(a.p, c[0], c[2], c[1], c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[3], c[2]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[2], c[1], c[0], c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[1], c[2], c[3]), FAIL_DAMAGED); /* dropped */
    assert_int_equal(SPLICE(a.p, c[0], c[2], c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[2]), FAIL_TRUNCATED);
    assert_int_equal(SPLICE(a.p, c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[0], c[0], c[1], c[2], c[3]), FAIL_DAMAGED); /* repeated */
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[2], c[2], c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[2], c[3], c[3]), FAIL_DAMAGED); /* appended */
    assert_int_equal(SPLICE(full.p, f[0], f[1], f[1]), FAIL_EXCESS);
    assert_int_equal(SPLICE(full.p, f[0], f[1], f[0]), FAIL_EXCESS);
    assert_int_equal(SPLICE(full.p, f[0], f[0]), FAIL_DAMAGED);
    for (size_t n = 1; n <= 33; n++) {
        uint8_t zeros[33] = {0};
        const struct bytes more = {zeros, n};
        assert_int_equal(SPLICE(full.p, f[0], f[1], more), FAIL_EXCESS);
        assert_int_equal(SPLICE(a.p, c[0], c[1], c[2], c[3], more), FAIL_DAMAGED);
    }
    /* of another file under the same key, or with its header */
    assert_int_equal(SPLICE(z.p, d[0], d[1], d[2], d[3]), DONE);
    assert_int_equal(SPLICE(a.p, c[0], d[1], c[2], c[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(a.p, c[0], c[1], c[2], d[3]), FAIL_DAMAGED);
    assert_int_equal(SPLICE(z.p, c[0], c[1], c[2], c[3]), FAIL_DAMAGED);
    free(a.p), free(z.p), free(full.p);
}

/* Chunks sealed with the true key, as no writer of ours does it. */
static struct bytes forged(const struct file_keys *k, uint64_t index, bool last, size_t len) {
    struct bytes b = {malloc(len + FORMAT_TAG), len + FORMAT_TAG};
    uint8_t nonce[FORMAT_NONCE];
    memset(b.p, 'x', len);
    format_nonce(nonce, k->prefix, index, last);
    assert_int_equal(cdz_encrypt(k->aead, nonce, sizeof nonce, NULL, 0, b.p, len, b.p, b.p + len, FORMAT_TAG), CDZ_OK);
    return b;
}

static void test_second_encodings(void **state) {
    (void)state;
    uint8_t master[MASTER_KEY], id[FORMAT_KEY_ID], header[H];
    struct bytes text = slurp("key");
    assert_int_equal(key_file_decode((char *)text.p, text.len, master, id), KEY_FILE_OK);
    struct file_header h = {.cipher = FORMAT_ARIA, .key_len = 32, .mode = 1, .source = FORMAT_KEY_FILE};
    struct file_keys k = {0};
    memcpy(h.key_id, id, sizeof id);
    pattern(h.salt, sizeof h.salt, 70);
    assert_int_equal(kdf_seal(&h, master, &k), DONE);
    header_encode(&h, header);
    struct bytes full = forged(&k, 0, false, C), full_last = forged(&k, 0, true, C), empty0 = forged(&k, 0, true, 0),
                 empty1 = forged(&k, 1, true, 0), one1 = forged(&k, 1, true, 1), empty_more = forged(&k, 0, false, 0),
                 half = forged(&k, 0, false, C / 2), half_last = forged(&k, 0, true, C / 2),
                 full1_last = forged(&k, 1, true, C);
    /* the forger is right: these are proper files */
    assert_int_equal(SPLICE(header, full_last), DONE);
    assert_int_equal(SPLICE(header, full, one1), DONE);
    assert_int_equal(SPLICE(header, empty0), DONE);
    assert_int_equal(SPLICE(header, half_last), DONE);
    assert_int_equal(SPLICE(header, full, full1_last), DONE);
    /* a full chunk and an empty last one: the same plaintext as full_last */
    assert_int_equal(SPLICE(header, full, empty1), FAIL_EXCESS);
    assert_int_equal(SPLICE(header, empty0, empty1), FAIL_DAMAGED);
    assert_int_equal(SPLICE(header, empty_more, one1), FAIL_DAMAGED);
    /* a short chunk that is not the last; one that is followed by more; two last ones */
    assert_int_equal(SPLICE(header, half), FAIL_TRUNCATED);
    assert_int_equal(SPLICE(header, half, one1), FAIL_DAMAGED);
    assert_int_equal(SPLICE(header, full_last, one1), FAIL_EXCESS);
    assert_int_equal(SPLICE(header, full_last, full1_last), FAIL_EXCESS);
    assert_int_equal(SPLICE(header, full), FAIL_TRUNCATED);
    struct bytes *const all[] = {&full,       &full_last, &empty0,    &empty1,    &one1,
                                 &empty_more, &half,      &half_last, &full1_last};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]->p);
    free(text.p);
    file_keys_free(&k);
}

static void test_wrong_key(void **state) {
    (void)state;
    struct bytes b = encrypted(10, 80), key2 = slurp("key2");
    uint8_t master[MASTER_KEY], id[FORMAT_KEY_ID];
    spit("in", b.p, b.len);
    assert_int_equal(RUN(cmd_decrypt, "decrypt", "--key-file", "key2", "-o", "new", "in"), FAIL_KEY);
    assert_int_not_equal(access("new", F_OK), 0);
    /* a header that claims the other key's id: the commitment tells */
    assert_int_equal(key_file_decode((char *)key2.p, key2.len, master, id), KEY_FILE_OK);
    memcpy(b.p + 24, id, sizeof id);
    spit("in", b.p, b.len);
    assert_int_equal(RUN(cmd_decrypt, "decrypt", "--key-file", "key2", "-o", "new", "in"), FAIL_KEY);
    assert_non_null(strstr(sentence, "not the one"));
    assert_int_not_equal(access("new", F_OK), 0);
    free(b.p), free(key2.p);
}

/* Fields of a passphrase's header set to what nobody may ask for: refused at once, without the memory. */
static void test_hostile_parameters(void **state) {
    (void)state;
    if (!keys_have_argon2()) skip();
    static const struct {
        size_t at, len;
        uint32_t value;
    } rows[] = {{13, 1, 0},       {13, 1, 17},         {13, 1, 255},        {16, 4, 0},
                {16, 4, 65},      {16, 4, 0xffffffff}, {20, 4, 0},          {20, 4, 8191},
                {20, 4, 1048577}, {20, 4, 0x80000000}, {20, 4, 0xffffffff}, {24, 4, 1}};
    spit("pass", "correct\n", 8);
    spit("plain", "some data", 9);
    assert_int_equal(RUN(cmd_encrypt, "encrypt", "--passphrase-file", "pass", "--kdf-memory", "8", "--kdf-passes", "1",
                         "--kdf-lanes", "1", "-o", "sealed", "plain"),
                     DONE);
    struct bytes b = slurp("sealed");
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    const time_t start = time(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t was[4];
        memcpy(was, b.p + rows[i].at, 4);
        if (rows[i].len == 1)
            b.p[rows[i].at] = (uint8_t)rows[i].value;
        else
            put_be32(b.p + rows[i].at, rows[i].value);
        spit("in", b.p, b.len);
        spit("out", old, sizeof old);
        assert_int_equal(RUN(cmd_decrypt, "decrypt", "--passphrase-file", "pass", "-o", "out", "in"), FAIL_HEADER);
        memcpy(b.p + rows[i].at, was, 4);
    }
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 8 * 1024);
    assert_true(time(NULL) - start < 20);
    /* the same file, unharmed */
    spit("in", b.p, b.len);
    assert_int_equal(RUN(cmd_decrypt, "decrypt", "--passphrase-file", "pass", "-o", "out", "in"), DONE);
    struct bytes out = slurp("out");
    assert_int_equal(out.len, 9);
    /* legal parameters that are not those of the file: another key */
    b.p[13] = 2;
    spit("in", b.p, b.len);
    assert_int_equal(RUN(cmd_decrypt, "decrypt", "--passphrase-file", "pass", "-o", "out", "in"), FAIL_KEY);
    free(out.p), free(b.p);
}

/* A file that appears after the output was looked at and before it gets its name: keygen's is not written over it. */
static void test_late_file(void **state) {
    (void)state;
    struct output out;
    assert_int_equal(output_open(&out, "late", OUTPUT_CREATE_NEW, NULL, 0), DONE);
    assert_int_equal(output_begin(&out), DONE);
    assert_int_equal(output_write(&out, (const uint8_t *)"new", 3), DONE);
    spit("late", old, sizeof old);
    fflush(stderr);
    const int err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    const int e = output_commit(&out);
    dup2(err, STDERR_FILENO);
    close(err);
    close(null);
    assert_int_equal(e, FAIL_TARGET);
    struct bytes b = slurp("late");
    assert_int_equal(b.len, sizeof old);
    assert_memory_equal(b.p, old, sizeof old);
    assert_int_equal(leftovers(), 0);
    free(b.p);
}

/* Two encryptions of one file under one key share nothing but the first 32 bytes. */
static void test_fresh(void **state) {
    (void)state;
    struct bytes a = encrypted(64, 90), b = encrypted(64, 90);
    assert_memory_equal(a.p, b.p, 32);
    for (size_t at = 32; at + 8 <= a.len; at += 8) assert_memory_not_equal(a.p + at, b.p + at, 8);
    free(a.p), free(b.p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_cut_at_every_byte),
        cmocka_unit_test(test_cut_at_chunk_edges),
        cmocka_unit_test(test_header_bits),
        cmocka_unit_test(test_body_bits),
        cmocka_unit_test(test_spliced_chunks),
        cmocka_unit_test(test_second_encodings),
        cmocka_unit_test(test_wrong_key),
        cmocka_unit_test(test_hostile_parameters),
        cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_late_file),
    };
    return cmocka_run_group_tests_name("cli_damage", tests, setup, teardown);
}
