/* SPDX-License-Identifier: Apache-2.0 */
/* The command's pure parts: header, chunk arithmetic, key files, hexadecimal, numbers, the progress line. */
#include "cli.h"
#include "engines.h"
#include "file_format.h"
#include "kdf.h"
#include "keys.h"
#include "progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* cmocka.h comes last: it has a macro named as our fail(). */
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct file_header with_key_file(void) {
    struct file_header h = {.cipher = FORMAT_ARIA, .key_len = 32, .mode = 1, .source = FORMAT_KEY_FILE};
    pattern(h.key_id, sizeof h.key_id, 1);
    pattern(h.salt, sizeof h.salt, 2);
    pattern(h.commitment, sizeof h.commitment, 3);
    pattern(h.tag, sizeof h.tag, 4);
    return h;
}

static struct file_header with_passphrase(void) {
    struct file_header h = with_key_file();
    memset(h.key_id, 0, sizeof h.key_id);
    h.source = FORMAT_ARGON2ID;
    h.lanes = 4;
    h.passes = 3;
    h.memory_kib = 65536;
    return h;
}

static void test_header_bytes(void **state) {
    (void)state;
    uint8_t b[FORMAT_HEADER];
    struct file_header h = with_passphrase(), back;
    header_encode(&h, b);
    /* written down once more, byte by byte */
    static const uint8_t first[32] = {0x89, 0x43, 0x44, 0x5a, 0x0d, 0x0a, 0x1a, 0x0a, 1, 1, 32, 1, 2, 4, 0, 0,
                                      0,    0,    0,    3,    0,    1,    0,    0,    0, 0, 0,  0, 0, 0, 0, 0};
    assert_memory_equal(b, first, sizeof first);
    assert_memory_equal(b + 32, h.salt, 16);
    assert_memory_equal(b + 48, h.commitment, 32);
    assert_memory_equal(b + 80, h.tag, 16);
    assert_int_equal(header_decode(&back, b, sizeof b), FORMAT_OK);
    assert_memory_equal(&back, &h, sizeof h);
    h = with_key_file();
    header_encode(&h, b);
    assert_memory_equal(b + 24, h.key_id, 8);
    assert_int_equal(header_decode(&back, b, sizeof b), FORMAT_OK);
    assert_memory_equal(&back, &h, sizeof h);
}

/* Every value of every byte that has rules: accepted exactly where the specification's table says so. */
static void test_header_bounds(void **state) {
    (void)state;
    struct file_header h, back;
    uint8_t b[FORMAT_HEADER];
    for (int pass = 0; pass < 2; pass++) {
        h = pass ? with_passphrase() : with_key_file();
        for (unsigned at = 0; at < 32; at++) {
            for (unsigned v = 0; v < 256; v++) {
                header_encode(&h, b);
                if (b[at] == v) continue;
                b[at] = (uint8_t)v;
                const enum format_status s = header_decode(&back, b, sizeof b);
                bool good = false;
                if (at == 9) good = v == 1 || v == 2;
                if (at == 10) good = v == 16 || v == 24 || v == 32;
                if (at == 11) good = v >= 1 && v <= 5;
                if (at == 13) good = pass && v >= 1 && v <= 16;
                /* passes: 3 is there; times 64 MiB they may be 64 */
                if (at == 19) good = pass && v >= 1 && v <= 64;
                /* memory: 00 01 00 00 is there */
                if (at == 21) good = pass && v >= 1 && v <= 16;
                if (at == 22 || at == 23) good = pass;
                if (at >= 24) good = !pass;
                if (good != (s == FORMAT_OK)) fail_msg("byte %u = %u with source %d: status %d", at, v, pass + 1, s);
                assert_non_null(format_strerror(s));
            }
        }
    }
}

static void test_header_limits(void **state) {
    (void)state;
    static const struct {
        uint32_t memory, passes;
        enum format_status s;
    } rows[] = {{8191, 1, FORMAT_ERR_MEMORY},
                {8192, 1, FORMAT_OK},
                {1048576, 1, FORMAT_OK},
                {1048576, 4, FORMAT_OK},
                {1048576, 5, FORMAT_ERR_WORK},
                {1048577, 1, FORMAT_ERR_MEMORY},
                {0, 1, FORMAT_ERR_MEMORY},
                {0xffffffff, 1, FORMAT_ERR_MEMORY},
                {0x80000000, 1, FORMAT_ERR_MEMORY},
                {65536, 0, FORMAT_ERR_PASSES},
                {65536, 64, FORMAT_OK},
                {65536, 65, FORMAT_ERR_PASSES},
                {65537, 64, FORMAT_ERR_WORK},
                {65536, 0xffffffff, FORMAT_ERR_PASSES},
                {0xffffffff, 0xffffffff, FORMAT_ERR_PASSES}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct file_header h = with_passphrase();
        h.memory_kib = rows[i].memory;
        h.passes = rows[i].passes;
        assert_int_equal(header_check(&h), rows[i].s);
    }
}

static void test_header_lengths(void **state) {
    (void)state;
    struct file_header h = with_key_file(), back;
    uint8_t b[FORMAT_HEADER];
    header_encode(&h, b);
    for (size_t n = 0; n < FORMAT_HEADER; n++) {
        uint8_t copy[FORMAT_HEADER];
        memset(copy, 0xee, sizeof copy); /* must not be looked at */
        memcpy(copy, b, n);
        assert_int_equal(header_decode(&back, copy, n), n < 4 ? FORMAT_ERR_MAGIC : FORMAT_ERR_SHORT);
    }
    b[8] = 2; /* of another version even where it is shorter */
    assert_int_equal(header_decode(&back, b, 9), FORMAT_ERR_VERSION);
    header_encode(&h, b);
    memmove(b + 4, b + 5, FORMAT_HEADER - 5); /* CR LF became LF */
    assert_int_equal(header_decode(&back, b, FORMAT_HEADER - 1), FORMAT_ERR_TEXT);
}

static void test_cipher_names(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint8_t cipher, key_len, mode;
    } rows[] = {{"ARIA-256-GCM", 1, 32, 1},    {"aes-128-gcm", 2, 16, 1},  {"Aria-192-Gcm", 1, 24, 1},
                {"AES-256-GCM-SIV", 2, 32, 2}, {"ARIA-128-OCB", 1, 16, 3}, {"aria-256-ccm", 1, 32, 4},
                {"aes-192-eax", 2, 24, 5}};
    static const char *const none[] = {"",
                                       "ARIA",
                                       "ARIA-256",
                                       "ARIA-256-CTR",
                                       "ARIA-512-GCM",
                                       "DES-256-GCM",
                                       "ARIA-256-GCM ",
                                       "ARIA-192-GCM-SIV",
                                       "ARIA-256-XTS",
                                       "AES-256-GC"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct file_header h = {0};
        assert_true(format_parse_cipher(&h, rows[i].name));
        assert_int_equal(h.cipher, rows[i].cipher);
        assert_int_equal(h.key_len, rows[i].key_len);
        assert_int_equal(h.mode, rows[i].mode);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct file_header h = {0};
        assert_false(format_parse_cipher(&h, none[i]));
    }
}

static void test_nonce(void **state) {
    (void)state;
    static const uint8_t prefix[7] = {1, 2, 3, 4, 5, 6, 7};
    uint8_t nonce[12];
    format_nonce(nonce, prefix, 0, false);
    assert_memory_equal(nonce, ((uint8_t[]){1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0}), 12);
    format_nonce(nonce, prefix, UINT64_C(0xfedcba98), true);
    assert_memory_equal(nonce, ((uint8_t[]){1, 2, 3, 4, 5, 6, 7, 0xfe, 0xdc, 0xba, 0x98, 1}), 12);
}

static void test_lengths(void **state) {
    (void)state;
    static const uint64_t n[] = {0, 1, 65535, 65536, 65537, 131071, 131072, 131073, 1048576, UINT64_C(2147483649)};
    uint64_t file, plain;
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        uint64_t chunks = n[i] / 65536 + (n[i] % 65536 != 0);
        if (chunks == 0) chunks = 1;
        assert_true(format_file_length(n[i], &file));
        assert_int_equal(file, 96 + n[i] + 16 * chunks);
        assert_true(format_plaintext_length(file, &plain));
        assert_int_equal(plain, n[i]);
    }
    assert_true(format_file_length(UINT64_C(1) << 48, &file));
    assert_true(format_plaintext_length(file, &plain));
    assert_int_equal(plain, UINT64_C(1) << 48);
    assert_false(format_plaintext_length(file + 17, &plain));
    assert_false(format_file_length((UINT64_C(1) << 48) + 1, &file));
    assert_false(format_file_length(UINT64_MAX, &file));
    /* No file has these lengths: shorter than the least, or with a rest that is no chunk. */
    for (uint64_t f = 0; f < 112; f++) assert_false(format_plaintext_length(f, &plain));
    for (uint64_t rest = 1; rest <= 16; rest++) assert_false(format_plaintext_length(96 + 65552 + rest, &plain));
    assert_true(format_plaintext_length(96 + 65552 + 17, &plain));
    assert_int_equal(plain, 65537);
}

static void test_key_files(void **state) {
    (void)state;
    uint8_t key[MASTER_KEY], back[MASTER_KEY], id[FORMAT_KEY_ID];
    char text[KEY_FILE_SIZE + 1], bad[KEY_FILE_SIZE + 1];
    pattern(key, sizeof key, 7);
    assert_int_equal(key_file_encode(key, text), DONE);
    assert_int_equal(strlen(text), KEY_FILE_SIZE);
    assert_int_equal(key_file_decode(text, KEY_FILE_SIZE, back, id), KEY_FILE_OK);
    assert_memory_equal(back, key, sizeof key);
    for (size_t n = 0; n < KEY_FILE_SIZE; n++) { /* shorter; and each byte changed, but for a digit's case */
        assert_int_not_equal(key_file_decode(text, n, back, id), KEY_FILE_OK);
        memcpy(bad, text, sizeof bad);
        bad[n] = (char)(bad[n] ^ 1);
        assert_int_not_equal(key_file_decode(bad, KEY_FILE_SIZE, back, id), KEY_FILE_OK);
    }
    memcpy(bad, text, sizeof bad);
    bad[26] = '2';
    assert_int_equal(key_file_decode(bad, KEY_FILE_SIZE, back, id), KEY_FILE_ERR_VERSION);
    memcpy(bad, text, sizeof bad);
    bad[40] = bad[40] == '0' ? '1' : '0';
    assert_int_equal(key_file_decode(bad, KEY_FILE_SIZE, back, id), KEY_FILE_ERR_ID);
}

/* A header and its keys: whatever is changed, the file is not opened, and each reason has its code. */
static void test_commitment(void **state) {
    (void)state;
    uint8_t key[MASTER_KEY], other[MASTER_KEY];
    struct file_header h = with_key_file();
    struct file_keys k = {0};
    pattern(key, sizeof key, 8);
    assert_int_equal(kdf_seal(&h, key, &k), DONE);
    file_keys_free(&k);
    assert_int_equal(kdf_open(&h, key, &k), DONE);
    file_keys_free(&k);
    const int err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    int wrong_key = 0, wrong_header = 0, other_code = 0;
    for (unsigned bit = 0; bit < 256; bit++) {
        memcpy(other, key, sizeof other);
        other[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const int e = kdf_open(&h, other, &k);
        if (e == FAIL_KEY) wrong_key++;
    }
    for (unsigned bit = 0; bit < 8 * 32; bit++) { /* the commitment itself */
        struct file_header m = h;
        m.commitment[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (kdf_open(&m, key, &k) == FAIL_KEY) wrong_header++;
    }
    for (unsigned bit = 0; bit < 8 * 16; bit++) { /* tag */
        struct file_header m = h;
        m.tag[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (kdf_open(&m, key, &k) == FAIL_HEADER) wrong_header++;
    }
    for (unsigned bit = 0; bit < 8 * 16; bit++) { /* salt: its last byte is in the second step alone */
        struct file_header m = h;
        m.salt[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (kdf_open(&m, key, &k) == (bit < 120 ? FAIL_KEY : FAIL_HEADER)) wrong_header++;
    }
    struct file_header m = h; /* another cipher, another key length, another key id */
    m.cipher = FORMAT_AES;
    if (kdf_open(&m, key, &k) == FAIL_HEADER) other_code++;
    m = h;
    m.key_len = 16;
    if (kdf_open(&m, key, &k) == FAIL_HEADER) other_code++;
    m = h;
    m.key_id[7] ^= 1;
    if (kdf_open(&m, key, &k) == FAIL_HEADER) other_code++;
    dup2(err, STDERR_FILENO);
    close(err);
    close(null);
    assert_int_equal(wrong_key, 256);
    assert_int_equal(wrong_header, 8 * (32 + 16 + 16));
    assert_int_equal(other_code, 3);
}

static void test_hex(void **state) {
    (void)state;
    static const char digits[] = "0123456789abcdefABCDEF";
    uint8_t b[4];
    char hex[9];
    size_t n;
    for (unsigned x = 0; x < 65536; x++) { /* every pair of characters */
        const char pair[2] = {(char)(x >> 8), (char)(x & 255)};
        const bool good = pair[0] && pair[1] && strchr(digits, pair[0]) && strchr(digits, pair[1]);
        if (hex_decode(pair, 2, b, 1, &n) != good) fail_msg("%04x", x);
        if (good) {
            unsigned v;
            assert_int_equal(sscanf(((char[]){pair[0], pair[1], 0}), "%x", &v), 1);
            assert_int_equal(b[0], v);
        }
    }
    assert_false(hex_decode("abc", 3, b, sizeof b, &n));
    assert_false(hex_decode("0011223344", 10, b, sizeof b, &n)); /* more than there is room for: not cut */
    assert_true(hex_decode("", 0, b, sizeof b, &n));
    assert_int_equal(n, 0);
    for (unsigned x = 0; x < 256; x++) {
        char want[3];
        snprintf(want, sizeof want, "%02x", x);
        hex_encode(&(uint8_t){(uint8_t)x}, 1, hex);
        assert_string_equal(hex, want);
    }
}

static void test_numbers(void **state) {
    (void)state;
    static const char *const bad[] = {"",   "-1", "+1", " 1", "1 ", "0x10", "1e3", "11", "0", "18446744073709551617",
                                      "one"};
    uint64_t v = 77;
    const int err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    int refused = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused += parse_number("--x", bad[i], 1, 10, &v) == FAIL_ARGUMENT;
    dup2(err, STDERR_FILENO);
    close(err);
    close(null);
    assert_int_equal(refused, sizeof bad / sizeof *bad);
    assert_int_equal(v, 77);
    assert_int_equal(parse_number("--x", "10", 1, 10, &v), DONE);
    assert_int_equal(v, 10);
    assert_int_equal(parse_number("--x", "18446744073709551615", 1, UINT64_MAX, &v), DONE);
    assert_true(v == UINT64_MAX);
}

static void test_text(void **state) {
    (void)state;
    for (unsigned c = 0; c < 256; c++) {
        const uint8_t s[3] = {'a', (uint8_t)c, 'b'};
        const bool text = (c >= 9 && c <= 13) || (c >= 32 && c != 127);
        assert_int_equal(is_text(s, 3), text);
    }
    assert_true(is_text(NULL, 0));
}

static void test_progress(void **state) {
    (void)state;
    char line[PROGRESS_MAX];
    progress_line(line, 100, 512 * 1024 * 1024, UINT64_C(1024) * 1024 * 1024, 4);
    assert_string_equal(line, " 50 % [####################....................] 512 MiB, 128 MiB/s, 0:04 left");
    progress_line(line, 20, 512 * 1024 * 1024, UINT64_C(1024) * 1024 * 1024, 4);
    assert_string_equal(line, " 50 %  512 MiB, 128 ");
    progress_line(line, 100, 0, 1000, 0);
    assert_string_equal(line, "  0 % [........................................] 0 B, 0 B/s, -:-- left");
    progress_line(line, 100, 1, UINT64_C(1) << 40, 1); /* more hours than fit */
    assert_non_null(strstr(line, "83333:20:00 left"));
    progress_line(line, 100, 3 * 1024, UINT64_MAX, 2);
    assert_string_equal(line, "3.0 KiB, 1.5 KiB/s, 0:02 so far");
    progress_line(line, 100, 2000, 1000, 2); /* the file grew */
    assert_non_null(strstr(line, "100 %"));
    for (unsigned w = 0; w < 400; w++) { /* never wider than the terminal, never beyond the buffer */
        for (unsigned shift = 0; shift < 64; shift++) {
            progress_line(line, w, UINT64_C(1) << shift, UINT64_C(1) << 63, 1e-9 * (double)(w + 1));
            assert_true(strlen(line) <= w && strlen(line) < PROGRESS_MAX);
            progress_line(line, w, UINT64_C(1) << shift, UINT64_MAX, 1e9);
            assert_true(strlen(line) <= w && strlen(line) < PROGRESS_MAX);
        }
    }
}

static void test_missing_features(void **state) {
    (void)state;
    char out[64];
    missing_features(out, sizeof out, "avx2 gfni", "avx avx2 vaes");
    assert_string_equal(out, "gfni");
    missing_features(out, sizeof out, "avx512f avx512bw", "avx512f avx512bw");
    assert_string_equal(out, "");
    missing_features(out, sizeof out, "avx aes", "avx2 aesni"); /* beginnings of words are not words */
    assert_string_equal(out, "avx aes");
    missing_features(out, 8, "abcdef ghijkl", "");
    assert_string_equal(out, "abcdef");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_bytes),  cmocka_unit_test(test_header_bounds),
        cmocka_unit_test(test_header_limits), cmocka_unit_test(test_header_lengths),
        cmocka_unit_test(test_cipher_names),  cmocka_unit_test(test_nonce),
        cmocka_unit_test(test_lengths),       cmocka_unit_test(test_key_files),
        cmocka_unit_test(test_commitment),    cmocka_unit_test(test_hex),
        cmocka_unit_test(test_numbers),       cmocka_unit_test(test_text),
        cmocka_unit_test(test_progress),      cmocka_unit_test(test_missing_features),
    };
    return cmocka_run_group_tests_name("cli_parts", tests, NULL, NULL);
}
