/* SPDX-License-Identifier: Apache-2.0 */
/* What cpu, selftest and bench share about engines: see engines.h. */
#include "engines.h"

#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum engine_kind engine_kind(const char *name) {
    if (strncmp(name, "aria/", 5) == 0) return ENGINE_ARIA;
    if (strncmp(name, "aes/", 4) == 0) return ENGINE_AES;
    if (strncmp(name, "ghash/", 6) == 0) return ENGINE_HASH;
    return ENGINE_OTHER;
}

/* Is the word, of n letters, among those of a list separated by blanks? */
static bool has_word(const char *list, const char *word, size_t n) {
    for (const char *p = list; (p = strstr(p, word)) != NULL; p++) {
        const bool begins = p == list || p[-1] == ' ', ends = p[n] == ' ' || p[n] == 0;
        if (begins && ends) return true;
    }
    return false;
}

void missing_features(char *out, size_t cap, const char *needs, const char *have) {
    size_t at = 0;
    out[0] = 0;
    while (*needs != 0) {
        char word[64];
        const size_t n = strcspn(needs, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, needs);
        if (n > 0 && !has_word(have, word, n) && at + n + 2 <= cap)
            at += (size_t)snprintf(out + at, cap - at, "%s%s", at ? " " : "", word);
        needs += n;
        needs += strspn(needs, " ");
    }
}

cdz_status new_on(cdz_cipher **c, const char *engine, const char *name, const uint8_t *key, size_t key_len) {
    char both[128];
    const bool aria = strncasecmp(name, "ARIA", 4) == 0;
    const enum engine_kind kind = engine ? engine_kind(engine) : ENGINE_OTHER;
    const char *const cipher = kind == (aria ? ENGINE_ARIA : ENGINE_AES) ? engine
                               : aria                                    ? "aria/portable"
                                                                         : "aes/portable";
    snprintf(both, sizeof both, "%s+%s", cipher, kind == ENGINE_HASH ? engine : "ghash/portable");
    const cdz_status s = cdz_cipher_new_on(c, both, name, key, key_len);
    /* A mode without a hash knows no hash engine. */
    return s == CDZ_ERR_NAME ? cdz_cipher_new_on(c, cipher, name, key, key_len) : s;
}

void pattern(uint8_t *out, size_t n, uint64_t seed) {
    uint64_t x =
        seed * UINT64_C(0x9e3779b97f4a7c15) + 1; /* 2^64 divided by the golden ratio: an odd number, well mixed */
    for (size_t i = 0; i < n; i++) {
        x ^= x << 13; /* Marsaglia's xorshift64 */
        x ^= x >> 7;
        x ^= x << 17;
        out[i] = (uint8_t)(x >> 32);
    }
}
