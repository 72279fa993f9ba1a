/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The AES sets of Project Wycheproof, on every engine that the CPU can run. They are not part of this project: they are
 * read from $CDZ_WYCHEPROOF, or from shared/wycheproof beside the source tree; where there are none the
 * program is skipped (exit code 77).
 *
 * Valid messages must encrypt and decrypt as told, invalid ones must be refused, by whatever error; acceptable ones
 * may be either, but if they are accepted, with the right result.
 */
#include "driver.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 70000 };

static char directory[4096];

static const struct set {
    const char *file, *mode;
} sets[] = {{"aes_gcm_test", "GCM"},
            {"aes_ccm_test", "CCM"},
            {"aes_eax_test", "EAX"},
            {"aes_gcm_siv_test", "GCM-SIV"},
            {"aes_siv_cmac_test", "SIV"},
            {"aead_aes_siv_cmac_test", "SIV"},
            {"aes_cbc_pkcs5_test", "CBC-PKCS7"},
            {"aes_xts_test", "XTS"},
            {"aes_cmac_test", "CMAC"},
            {"aes_gmac_test", "GMAC"},
            {"aes_wrap_test", "KW"},
            {"aes_kwp_test", "KWP"}};

static char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    size_t n = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        n += fread(text + n, 1, room - n - 1, f);
        if (n < room - 1) break;
        room *= 2;
        char *more = realloc(text, room);
        if (!more) free(text);
        text = more;
    }
    fclose(f);
    if (text) text[n] = 0;
    return text;
}

static size_t hex_of(const cJSON *test, const char *field, uint8_t *out) {
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(test, field);
    size_t n = 0;
    if (!cJSON_IsString(x)) return 0;
    for (const char *p = x->valuestring; p[0] && p[1]; p += 2) {
        unsigned byte;
        if (sscanf(p, "%2x", &byte) != 1 || n == ROOM) test_fail("field %s: '%s'", field, x->valuestring);
        out[n++] = (uint8_t)byte;
    }
    return n;
}

/* One test on one object; how it ended. */
struct counts {
    size_t valid, invalid, acceptable;
};

static uint8_t key[64], iv[ROOM], aad[ROOM], msg[ROOM], ct[ROOM], tag[ROOM], out[ROOM + 64];

static void run(const struct set *s, const cJSON *test, const struct algorithm *a, const struct combo *e,
                const char *result) {
    const bool siv = strcmp(s->file, "aes_siv_cmac_test") == 0;
    uint8_t made[16];
    size_t n;
    struct msg plain = {iv, hex_of(test, "iv", iv), aad, hex_of(test, "aad", aad), msg, hex_of(test, "msg", msg), 0};
    if (strcmp(s->mode, "XTS") == 0) { /* sector numbers of one byte and more: little-endian */
        memset(iv + plain.iv_len, 0, 16 - plain.iv_len);
        plain.iv_len = 16;
    }
    size_t ct_len = hex_of(test, "ct", ct), tag_len = hex_of(test, "tag", tag);
    const size_t key_len = hex_of(test, "key", key);
    if (siv) { /* the tag stands before the ciphertext; the associated data are one string even where it is empty */
        if (ct_len < 16) return;
        memcpy(tag, ct, 16);
        memmove(ct, ct + 16, ct_len -= 16);
        tag_len = 16;
    }
    plain.tag_len = tag_len;
    cdz_cipher *c;
    CHECK_STATUS(cdz_cipher_new_on(&c, e->name, a->name, key, key_len), CDZ_OK);
    struct msg cipher = plain;
    if (!a->info.mac) cipher.in = ct, cipher.len = ct_len;

    const cdz_status sealed = drive_encrypt(c, a, &plain, out, sizeof out, &n, made);
    const bool same = sealed == CDZ_OK && n == (a->info.mac ? 0 : ct_len) && memcmp(out, ct, n) == 0 &&
                      memcmp(made, tag, tag_len) == 0;
    memset(out, 0x77, sizeof out);
    const cdz_status opened = drive_decrypt(c, a, &cipher, out, sizeof out, &n, tag);
    const bool right = opened == CDZ_OK && (a->info.mac || (n == plain.len && memcmp(out, msg, n) == 0));
    cdz_cipher_free(c);
    if (strcmp(result, "valid") == 0) {
        if (!same) test_fail("encryption gives something else (status %d)", sealed);
        if (!right) test_fail("decryption gives something else (status %d)", opened);
    } else if (strcmp(result, "invalid") == 0) {
        if (opened == CDZ_OK) test_fail("an invalid message is accepted");
    } else {
        if (opened == CDZ_OK && !right) test_fail("an acceptable message is decrypted wrongly");
    }
}

static void test_set(void *arg) {
    const struct set *s = arg;
    char path[4200];
    struct counts counts = {0};
    size_t refused = 0;
    snprintf(path, sizeof path, "%s/%s.json", directory, s->file);
    char *text = read_file(path);
    if (!text) test_skip("no %s", path);
    cJSON *root = cJSON_Parse(text);
    if (!root) test_fail("%s is no JSON", path);
    const cJSON *group, *test, *total = cJSON_GetObjectItemCaseSensitive(root, "numberOfTests");
    cJSON_ArrayForEach(group, cJSON_GetObjectItemCaseSensitive(root, "testGroups")) {
        const cJSON *size = cJSON_GetObjectItemCaseSensitive(group, "keySize");
        const cJSON *iv_size = cJSON_GetObjectItemCaseSensitive(group, "ivSize");
        cJSON_ArrayForEach(test, cJSON_GetObjectItemCaseSensitive(group, "tests")) {
            const cJSON *result = cJSON_GetObjectItemCaseSensitive(test, "result");
            const cJSON *id = cJSON_GetObjectItemCaseSensitive(test, "tcId");
            struct algorithm a;
            struct combo e[COMBO_MAX];
            char name[40];
            if (!cJSON_IsString(result)) test_fail("a test without a result");
            const size_t keys = (size_t)ref_mode_find(s->mode)->keys, bits = (size_t)size->valuedouble / keys;
            snprintf(name, sizeof name, "AES-%zu-%s", bits, s->mode);
            NOW(.what = s->file, .name = name, .len = (size_t)id->valuedouble,
                .a = iv_size ? (size_t)iv_size->valuedouble : 0);
            if (!algorithm_find(&a, name)) {
                /* A key length that AES does not have, or XTS (IEEE 1619) not with it. */
                const bool no_192 = ref_mode_find(s->mode)->no_192 && bits == 192;
                if (strcmp(result->valuestring, "valid") == 0 && !no_192) test_fail("there is no %s", name);
                refused++;
                continue;
            }
            for (size_t i = algorithm_combos(&a, e); i-- > 0;) {
                test_now.engine = e[i].name;
                run(s, test, &a, &e[i], result->valuestring);
            }
            if (strcmp(result->valuestring, "valid") == 0)
                counts.valid++;
            else if (strcmp(result->valuestring, "invalid") == 0)
                counts.invalid++;
            else
                counts.acceptable++;
        }
    }
    const size_t all = counts.valid + counts.invalid + counts.acceptable + refused;
    print_message("%s: %zu valid, %zu invalid, %zu acceptable, %zu with impossible keys\n", s->file, counts.valid,
                  counts.invalid, counts.acceptable, refused);
    CHECK(all == (size_t)total->valuedouble && counts.valid > 0);
    cJSON_Delete(root);
    free(text);
}

int main(void) {
    const char *from = getenv("CDZ_WYCHEPROOF");
    snprintf(directory, sizeof directory, "%s", from && *from ? from : CDZ_SOURCE_DIR "/../shared/wycheproof");
    if (access(directory, R_OK) != 0) {
        printf("SKIP wycheproof: no %s\n", directory);
        return 77;
    }
    test_begin();
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (!cdz_mode_name(0)) continue;
        test_add(test_set, (void *)(uintptr_t)&sets[i], "%s", sets[i].file);
    }
    return test_end("wycheproof");
}
