/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command's options: words from the lists below and any others, in any order. `cipher`, `keygen` and `cpu` are run,
 * on an empty input; of the others the options are read and then the help is printed, since measuring or Argon2id would
 * take too long: two
 * --help behind all words, of which one may become an option's argument. Every failure is one sentence, and only files
 * that were asked for are there afterwards.
 */
#include "command.h"

#include "cli.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 24, WORD = 80, TEXT = 4096 };

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    bool whole;
} commands[] = {
    {"encrypt", cmd_encrypt, false}, {"decrypt", cmd_decrypt, false}, {"keygen", cmd_keygen, true},
    {"cipher", cmd_cipher, true},    {"cpu", cmd_cpu, true},          {"selftest", cmd_selftest, false},
    {"bench", cmd_bench, false},     {"openssl", cmd_openssl, false},
};

static const char *const words[] = {
    "-c",
    "-K",
    "-iv",
    "-e",
    "-d",
    "-o",
    "-q",
    "-h",
    "--help",
    "--cipher",
    "--cipher=",
    "--key",
    "--key-file",
    "--passphrase-file",
    "--output",
    "--output=x",
    "--kdf-memory",
    "--kdf-passes=",
    "--kdf-lanes",
    "--force",
    "--quiet",
    "--cpu",
    "--cpu=-gfni",
    "--cpu=-avx512f,-vaes",
    "--no-padding",
    "-nopad",
    "--aad",
    "-aad",
    "--tag",
    "--tag-file",
    "--tag-length",
    "--engine",
    "--rounds",
    "--direction",
    "--sizes",
    "--tcrypt",
    "--batch",
    "--file",
    "--threads",
    "--peers",
    "--peer",
    "--gcrypt-deny",
    "--mhz",
    "--quick",
    "--json",
    "--csv",
    "--markdown",
    "--html",
    "--from",
    "--compare",
    "--threshold",
    "--libcrypto",
    "--no-speed",
    "aria-128-ctr",
    "AES-256-GCM",
    "aria-192-cbc",
    "aes-128-xts",
    "aes-128-kw",
    "aria-256-ccm",
    "aes-256-cmac",
    "aes-128-siv",
    "00112233445566778899aabbccddeeff",
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    "000102030405060708090a0b",
    "x",
    "0",
    "1",
    "16",
    "18446744073709551616",
    "99999999999999999999999999",
    "-1",
    "16,64,4096",
    "1e3",
    "0x10",
    "aes/portable",
    "aria/portable",
    "aria/portable+ghash/portable",
    "both",
    "enc",
    "openssl=",
    "--",
    "-",
};
enum { KNOWN = sizeof words / sizeof *words };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct decisions d = {data, size};
    static char text[WORDS][WORD];
    char *argv[WORDS + 4];
    int argc = 0;
    work_directory();
    messages_catch();
    const size_t which = take_below(&d, sizeof commands / sizeof *commands);
    argv[argc++] = (char *)(uintptr_t)commands[which].name;
    for (size_t i = 0; i < WORDS && d.left; i++) {
        const size_t k = take_below(&d, KNOWN + 24);
        char *const word = text[i];
        size_t n = k < KNOWN ? strlen(strcpy(word, words[k])) : 0;
        /* A word of its own, or one that a known one begins. */
        if (k >= KNOWN || word[n - 1] == '=') take_string(&d, word + n, WORD - n);
        for (char *p = word; *p; p++)
            if (*p == '/' && k >= KNOWN) *p = '_'; /* no files outside */
        if (!commands[which].whole && strcmp(word, "--") == 0) continue;
        argv[argc++] = word;
    }
    if (!commands[which].whole)
        for (int i = 0; i < 2; i++) argv[argc++] = (char *)(uintptr_t) "--help";
    fuzz_about("%s, %d words", argv[0], argc);
    const int e = command_run(commands[which].run, argc, argv);
    if (fuzz_planted() && which == 3 && e == FAIL_ARGUMENT) FOUND_IF(argc == 4);
    messages_check(e);
    /* Output and tag at most; nothing where it failed. */
    const size_t files = work_clear();
    MUST(files <= (e == DONE && commands[which].whole ? 2 : 0));
    return 0;
}
