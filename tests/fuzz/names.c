/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and words: masks of CPU features, algorithms, engines; any text. What one call takes all that take such a text
 * must take, and a mask must remove what it names.
 */
#include "fuzz.h"

#include "cadenza.h"
#include "cpu.h"
#ifdef CDZ_FUZZ_CLI
#include "cli.h"
#include "file_format.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST = 300 };

static bool has_word(const char *list, const char *word, size_t n) {
    for (const char *p = list; (p = strstr(p, " ")) != NULL; p++)
        if (!strncmp(p + 1, word, n) && (p[1 + n] == ' ' || !p[1 + n])) return true;
    return false;
}

static void mask(const char *text) {
    char all[1000] = " ", left[1000] = " ", again[1000] = " ";
    MUST(cdz_cpu_mask(NULL) == CDZ_OK);
    size_t n = cdz_cpu_features(again + 1, sizeof again - 1);
    MUST(n < sizeof again - 1 && strlen(again + 1) == n);
    /* All words that there are, this CPU's or not. */
    cdz_cpu_words(~UINT64_C(0), all + 1, sizeof all - 1);
    bool good = true;
    for (const char *p = text; good && *p;) {
        const size_t len = strcspn(p, ",");
        good = *p == '-' && has_word(all, p + 1, len - 1) && !memchr(p, ' ', len);
        p += len;
        if (*p && !*++p) good = false; /* a comma at the end */
    }
    const cdz_status s = cdz_cpu_mask(text);
    MUST(s == (good ? CDZ_OK : CDZ_ERR_CPU_MASK));
    n = cdz_cpu_features(left + 1, sizeof left - 1);
    MUST(n < sizeof left - 1);
    if (!good)
        MUST(!strcmp(left, again));
    else
        for (const char *p = text; *p;) {
            const size_t len = strcspn(p, ",");
            MUST(!has_word(left, p + 1, len - 1));
            p += len + (p[len] == ',');
        }
    /* It takes away, and never adds. */
    for (char *p = strtok(left + 1, " "); p; p = strtok(NULL, " ")) MUST(has_word(again, p, strlen(p)));
    /* Short buffers: as snprintf(). */
    const size_t cap = n ? strlen(text) % n : 0;
    char *const exact = room(cap);
    MUST(cdz_cpu_features(exact, cap) == n);
    MUST(!cap || strlen(exact) == cap - 1);
    free(exact);
    MUST(cdz_cpu_mask("") == CDZ_OK);
}

static void algorithm(const char *text) {
    cdz_info info;
    cdz_cipher *c;
    static const uint8_t key[64] = {1, 2, 3};
    const cdz_status s = cdz_describe(&info, text);
    MUST(s == CDZ_OK || s == CDZ_ERR_NAME);
    MUST((cdz_cipher_size(text) != 0) == (s == CDZ_OK));
    MUST(cdz_cipher_new(&c, text, key, s == CDZ_OK ? info.key_len : 16) == s);
    if (s != CDZ_OK) {
        MUST(!c);
        return;
    }
    /* Its own spelling is a name too, of the same. */
    cdz_info own;
    MUST(cdz_describe(&own, info.name) == CDZ_OK && own.name == info.name);
    MUST(!strcmp(cdz_cipher_name(c), info.name));
    MUST(info.key_len >= 16 && info.key_len <= 64 && (info.unit & (info.unit - 1)) == 0);
    if (fuzz_planted() && info.key_len == 32) FOUND_IF(text[0] == 'a' && text[1] == 'E');
    cdz_cipher_free(c);
#ifdef CDZ_FUZZ_CLI
    struct file_header h = {0};
    char name[FORMAT_NAME_MAX];
    if (format_parse_cipher(&h, text)) {
        format_cipher_name(&h, name);
        MUST(!strcmp(name, info.name));
    }
#endif
}

static void engine(const char *text, const char *name) {
    cdz_cipher *c;
    static const uint8_t key[64] = {1, 2, 3};
    cdz_info info;
    MUST(cdz_describe(&info, name) == CDZ_OK);
    const cdz_status s = cdz_cipher_new_on(&c, text, name, key, info.key_len);
    MUST(s == CDZ_OK || s == CDZ_ERR_NAME || s == CDZ_ERR_ENGINE);
    if (s != CDZ_OK) {
        MUST(!c);
        return;
    }
    char wanted[100], got[100];
    snprintf(wanted, sizeof wanted, "+%s", strrchr(text, '+') ? strrchr(text, '+') + 1 : text);
    snprintf(got, sizeof got, "+%s+", cdz_engine_name(c));
    /* A hash is passed over by modes that have none. */
    if (!strstr(wanted, "ghash")) MUST(strstr(got, wanted));
    cdz_cipher_free(c);
}

#ifdef CDZ_FUZZ_CLI
/* Key material in hexadecimal, of any length, with and without room for it. */
static void hex(const char *text, size_t cap) {
    const size_t digits = strlen(text), good = strspn(text, "0123456789abcdefABCDEF");
    uint8_t *const out = room(cap);
    size_t len = 77;
    const bool ok = hex_decode(text, digits, out, cap, &len);
    MUST(ok == (good == digits && digits % 2 == 0 && digits / 2 <= cap));
    if (ok) {
        char *const again = room(2 * len + 1);
        MUST(len == digits / 2);
        hex_encode(out, len, again);
        MUST(!strcasecmp(again, text));
        free(again);
    }
    free(out);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct decisions d = {data, size};
    char text[MOST];
    const unsigned what = take_byte(&d), more = take_byte(&d);
    take_string(&d, text, sizeof text);
    /* In memory of its own size. */
    char *const exact = room_with(text, strlen(text) + 1);
    fuzz_about("\"%s\"", text);
    switch (what % 4) {
    case 0:
        mask(exact);
        break;
    case 1:
        algorithm(exact);
        break;
    case 2:
        engine(exact, fuzz_algorithm(more));
        break;
    default:
#ifdef CDZ_FUZZ_CLI
        hex(exact, more);
#endif
        break;
    }
    free(exact);
    return 0;
}
