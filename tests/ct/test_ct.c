/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constant-time run: every mode with every engine, with keys, messages and associated data marked as undefined,
 * under valgrind's memcheck (scripts/ct builds and runs it) or MemorySanitizer (scripts/ct-msan).
 *
 *     test_ct [TEXT]              all algorithms, or those that have TEXT in their names
 *     test_ct entries [TEXT]      all engines and hashes by themselves (entries.c), or those that have TEXT in theirs
 *     test_ct planted-branch [ENGINE]    must be reported: a branch on a byte of ciphertext
 *     test_ct planted-table [ENGINE]     must be reported: a table indexed by a byte of ciphertext
 *
 * Exit status: 0, 1 where a call did not do what it should, 77 without either (nothing would be seen); the watcher's
 * own findings have the status that its --error-exitcode or exit_code names.
 */
#include "entries.h"
#include "poison.h"

#include "cadenza.h"
#include "util/secret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000, ROOM = LONGEST + 64, MESSAGES = 5 };

void cdz_ct_declassify(const void *p, size_t n) { ct_public(p, n); }

static char where[160];
static unsigned long calls;

static void check(bool right, const char *what) {
    calls++;
    if (right) return;
    fprintf(stderr, "%s: %s\n", where, what);
    exit(1);
}

static void expect(cdz_status got, cdz_status want, const char *what) {
    calls++;
    if (got == want) return;
    fprintf(stderr, "%s: %s: %s\n", where, what, cdz_strerror(got));
    exit(1);
}

/* Bytes from a counter, then marked as undefined. */
static void secret_bytes(uint8_t *p, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(seed * 29 + i * 151 + (i >> 8));
    ct_secret(p, n);
}

struct run {
    cdz_info info;
    cdz_cipher *c;
    uint8_t iv[16];
    size_t iv_len, tag_len, aad_len, len;
    bool tag_is_public; /* SIV, GCM-SIV: the tag is the first counter as well, and goes out with the ciphertext */
    uint8_t aad[ROOM], in[ROOM], out[ROOM], back[ROOM], tag[CDZ_TAG_MAX], wrong[CDZ_TAG_MAX];
};

/* A failed check must leave zeros. */
static void check_zero(uint8_t *p, size_t n) {
    unsigned sum = 0;
    ct_public(p, n);
    for (size_t i = 0; i < n; i++) sum |= p[i];
    check(!sum, "output of a failed check");
}

static void check_back(struct run *r) {
    uint8_t in[ROOM], back[ROOM];
    check(ct_all_secret(r->back, r->len), "decrypted data do not depend on a secret");
    memcpy(in, r->in, r->len);
    memcpy(back, r->back, r->len);
    ct_public(in, r->len);
    ct_public(back, r->len);
    check(!memcmp(in, back, r->len), "decrypted data");
}

static void check_tag(const struct run *r) {
    if (r->tag_len && !r->tag_is_public)
        check(ct_all_secret(r->tag, r->tag_len), "the tag does not depend on a secret");
}

static void spoil(struct run *r) {
    if (!r->tag_len) return;
    memcpy(r->wrong, r->tag, r->tag_len);
    r->wrong[r->tag_len - 1] ^= 1;
}

static void one_shot(struct run *r) {
    const cdz_cipher *c = r->c;
    expect(cdz_encrypt(c, r->iv, r->iv_len, r->aad, r->aad_len, r->in, r->len, r->out, r->tag, r->tag_len), CDZ_OK,
           "encrypt");
    check(ct_all_secret(r->out, r->len), "ciphertext does not depend on a secret");
    check_tag(r);
    spoil(r);
    /* What comes over the wire may be anything: the ciphertext stays a secret here. */
    expect(cdz_decrypt(c, r->iv, r->iv_len, r->aad, r->aad_len, r->out, r->len, r->back, r->tag, r->tag_len), CDZ_OK,
           "decrypt");
    check_back(r);
    if (!r->tag_len) return;
    expect(cdz_decrypt(c, r->iv, r->iv_len, r->aad, r->aad_len, r->out, r->len, r->back, r->wrong, r->tag_len),
           CDZ_ERR_AUTH, "decrypt, wrong tag");
    check_zero(r->back, r->len);
}

static void mac(struct run *r) {
    expect(cdz_mac(r->c, r->iv, r->iv_len, r->aad, r->aad_len, r->tag, r->tag_len), CDZ_OK, "mac");
    check_tag(r);
    spoil(r);
    expect(cdz_mac_verify(r->c, r->iv, r->iv_len, r->aad, r->aad_len, r->tag, r->tag_len), CDZ_OK, "verify");
    expect(cdz_mac_verify(r->c, r->iv, r->iv_len, r->aad, r->aad_len, r->wrong, r->tag_len), CDZ_ERR_AUTH,
           "verify, wrong tag");
}

/* One direction in three pieces, none of whole blocks. */
static void pieces(struct run *r, cdz_direction way, const uint8_t *in, size_t len, uint8_t *out, const uint8_t *tag,
                   cdz_status want, size_t *made) {
    const size_t cut[] = {0, len < 5 ? len : 5, len < 47 ? len : 47, len}, half = r->aad_len / 3;
    size_t at = 0, n;
    expect(cdz_begin_sized(r->c, way, r->iv, r->iv_len, r->aad_len, len, r->tag_len), CDZ_OK, "begin");
    if (r->info.max_aad) {
        expect(cdz_aad(r->c, r->aad, half), CDZ_OK, "aad");
        expect(cdz_aad(r->c, r->aad + half, r->aad_len - half), CDZ_OK, "aad");
    }
    for (int i = 0; i < 3 && len; i++) {
        expect(cdz_update(r->c, in + cut[i], cut[i + 1] - cut[i], out + at, ROOM - at, &n), CDZ_OK, "update");
        at += n;
    }
    if (tag && way == CDZ_DECRYPT) expect(cdz_expect_tag(r->c, tag, r->tag_len), CDZ_OK, "expect_tag");
    expect(cdz_finish(r->c, out + at, ROOM - at, &n), want, "finish");
    if (want != CDZ_OK) return;
    ct_public(&n, sizeof n); /* with padding, what the caller is told */
    *made = at + n;
    if (r->tag_len && way == CDZ_ENCRYPT) expect(cdz_tag(r->c, r->tag, r->tag_len), CDZ_OK, "tag");
}

static void stream(struct run *r) {
    size_t n = 0, m = 0;
    pieces(r, CDZ_ENCRYPT, r->in, r->len, r->out, NULL, CDZ_OK, &n);
    check(ct_all_secret(r->out, n), "ciphertext in pieces does not depend on a secret");
    check_tag(r);
    spoil(r);
    pieces(r, CDZ_DECRYPT, r->out, n, r->back, r->tag_len ? r->tag : NULL, CDZ_OK, &m);
    check(m == r->len, "length in pieces");
    check_back(r);
    if (r->tag_len) pieces(r, CDZ_DECRYPT, r->out, n, r->back, r->wrong, CDZ_ERR_AUTH, &m);
}

static void wrap(struct run *r) {
    size_t n, m;
    expect(cdz_wrap(r->c, NULL, 0, r->in, r->len, r->out, ROOM, &n), CDZ_OK, "wrap");
    check(ct_all_secret(r->out, n), "wrapped key does not depend on a secret");
    expect(cdz_unwrap(r->c, NULL, 0, r->out, n, r->back, ROOM, &m), CDZ_OK, "unwrap");
    ct_public(&m, sizeof m);
    check(m == r->len, "unwrapped length");
    check_back(r);
    r->out[n - 1] ^= 1;
    expect(cdz_unwrap(r->c, NULL, 0, r->out, n, r->back, ROOM, &m), CDZ_ERR_AUTH, "unwrap, wrong");
}

static void strings(struct run *r) {
    const cdz_bytes s[] = {{r->aad, r->aad_len}, {r->aad, 3}, {r->iv, 16}};
    expect(cdz_siv_encrypt(r->c, s, 3, r->in, r->len, r->out, r->tag), CDZ_OK, "siv_encrypt");
    check(ct_all_secret(r->out, r->len), "ciphertext does not depend on a secret");
    spoil(r);
    expect(cdz_siv_decrypt(r->c, s, 3, r->out, r->len, r->back, r->tag), CDZ_OK, "siv_decrypt");
    check_back(r);
    expect(cdz_siv_decrypt(r->c, s, 3, r->out, r->len, r->back, r->wrong), CDZ_ERR_AUTH, "siv_decrypt, wrong tag");
}

/* Messages of the same length and shorter ones; in decryption one has a wrong tag. */
static void batch(struct run *r) {
    static uint8_t out[MESSAGES][ROOM], back[MESSAGES][ROOM], tag[MESSAGES][CDZ_TAG_MAX];
    cdz_batch_message m[MESSAGES];
    for (size_t i = 0; i < MESSAGES; i++) {
        size_t len = r->len / (i + 1);
        len -= len % r->info.unit;
        if (len < r->info.min_len) len = r->len;
        m[i] = (cdz_batch_message){.iv = r->iv_len ? r->iv : NULL,
                                   .iv_len = r->iv_len,
                                   .aad = r->aad_len ? r->aad : NULL,
                                   .aad_len = r->aad_len,
                                   .in = r->in,
                                   .len = len,
                                   .out = out[i],
                                   .tag = r->tag_len ? tag[i] : NULL,
                                   .tag_len = r->tag_len};
    }
    expect(cdz_encrypt_batch(r->c, m, MESSAGES), CDZ_OK, "encrypt_batch");
    for (size_t i = 0; i < MESSAGES; i++) {
        check(ct_all_secret(out[i], m[i].len), "ciphertext of a batch does not depend on a secret");
        m[i].in = out[i];
        m[i].out = back[i];
    }
    if (r->tag_len) tag[1][0] ^= 1;
    expect(cdz_decrypt_batch(r->c, m, MESSAGES), r->tag_len ? CDZ_ERR_AUTH : CDZ_OK, "decrypt_batch");
    for (size_t i = 0; i < MESSAGES; i++) {
        if (r->tag_len && i == 1) {
            expect(m[i].status, CDZ_ERR_AUTH, "decrypt_batch, wrong tag");
            continue;
        }
        expect(m[i].status, CDZ_OK, "decrypt_batch");
        check(ct_all_secret(back[i], m[i].len), "decrypted data of a batch do not depend on a secret");
    }
}

static void all_calls(struct run *r) {
    if (r->info.mac) mac(r);
    if (r->info.one_shot) one_shot(r);
    if (r->info.streaming) stream(r);
    if (r->info.wraps) wrap(r);
    if (r->info.one_shot) batch(r);
    if (!strcmp(strrchr(r->info.name, '-'), "-SIV") && !strstr(r->info.name, "GCM")) strings(r);
}

static void algorithm(const char *name, const char *engine) {
    static const size_t lengths[] = {0, 1, 16, 63, LONGEST};
    static struct run r;
    uint8_t key[64];
    expect(cdz_describe(&r.info, name), CDZ_OK, "describe");
    secret_bytes(key, sizeof key, 1);
    expect(cdz_cipher_new_on(&r.c, engine, name, key, r.info.key_len), CDZ_OK, "new");
    r.tag_len = r.info.tag_lengths >> 16 & 1 ? 16 : 0;
    check(r.tag_len || !r.info.tag_lengths, "a tag of 16 bytes");
    const bool gcm = strstr(name, "-GCM") || strstr(name, "-GMAC"), siv = strstr(name, "-SIV") != NULL;
    r.tag_is_public = siv;
    for (size_t i = 0; i < 16; i++) r.iv[i] = (uint8_t)(i < 14 ? 0xa0 + i : 0xff); /* so that a counter carries */
    /* 16 bytes for GCM: a nonce that is hashed makes the counter a secret. */
    for (int other = 0; other <= (gcm && !siv); other++) {
        r.iv_len = other ? 16 : r.info.iv_default;
        size_t last = (size_t)-1;
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            size_t len = lengths[i];
            if (len == LONGEST && strstr(engine, "portable") && !strstr(name, "128")) len = 200; /* slow here */
            if (len < r.info.min_len) len = r.info.min_len;
            size_t unit = r.info.unit;
            if (r.info.wraps) unit = 8, len = len < 16 ? 16 : len; /* KWP takes other lengths too: below */
            len = (len + unit - 1) / unit * unit;
            if (r.info.wraps && strstr(name, "KWP") && len > 16) len -= 3;
            if (len == last) continue;
            last = len;
            r.len = r.info.mac ? 0 : len;
            r.aad_len = r.info.mac ? len : r.info.max_aad ? 20 + i : 0;
            secret_bytes(r.in, r.len, 2);
            secret_bytes(r.aad, r.aad_len, 3);
            ct_public(r.out, ROOM);
            ct_public(r.back, ROOM);
            ct_public(r.tag, sizeof r.tag);
            all_calls(&r);
        }
    }
    cdz_cipher *copy;
    expect(cdz_cipher_dup(&copy, r.c), CDZ_OK, "dup");
    expect(cdz_cipher_set_key(copy, key, r.info.key_len), CDZ_OK, "set key");
    cdz_cipher_free(copy);
    cdz_cipher_free(r.c);
}

/* A mode of one cipher with each engine, and each of the hash where it has one. */
static void on_engines(const char *name, const char *prefix) {
    cdz_engine_info e, h;
    for (size_t i = 0; cdz_engine_at(i, &e); i++) {
        uint8_t key[64];
        cdz_cipher *c;
        cdz_info info;
        if (!e.usable || strncmp(e.name, prefix, strlen(prefix))) continue;
        snprintf(where, sizeof where, "%s on %s", name, e.name);
        expect(cdz_describe(&info, name), CDZ_OK, "describe");
        for (size_t k = 0; k < sizeof key; k++) key[k] = (uint8_t)k;
        expect(cdz_cipher_new_on(&c, e.name, name, key, info.key_len), CDZ_OK, "new");
        const bool hashes = strstr(cdz_engine_name(c), "ghash/") != NULL;
        cdz_cipher_free(c);
        if (!hashes) {
            algorithm(name, e.name);
            continue;
        }
        for (size_t j = 0; cdz_engine_at(j, &h); j++) {
            char both[80];
            if (!h.usable || strncmp(h.name, "ghash/", 6)) continue;
            snprintf(both, sizeof both, "%s+%s", e.name, h.name);
            snprintf(where, sizeof where, "%s on %s", name, both);
            algorithm(name, both);
        }
    }
}

/* What must be reported, or the watcher is blind: on ciphertext, so that the way there through the library is proved
 * too. */
static void planted(bool branch, const char *engine) {
    static const volatile uint8_t table[256] = {1, 2, 3};
    static volatile unsigned sink;
    uint8_t key[16], block[16];
    cdz_cipher *c;
    secret_bytes(key, sizeof key, 1);
    secret_bytes(block, sizeof block, 2);
    snprintf(where, sizeof where, "planted");
    const char *const name = engine && !strncmp(engine, "aes/", 4) ? "AES-128-CTR" : "ARIA-128-CTR";
    if (engine)
        expect(cdz_cipher_new_on(&c, engine, name, key, 16), CDZ_OK, "new");
    else
        expect(cdz_cipher_new(&c, name, key, 16), CDZ_OK, "new");
    const uint8_t iv[16] = {0};
    expect(cdz_encrypt(c, iv, 16, NULL, 0, block, 16, block, NULL, 0), CDZ_OK, "encrypt");
    if (branch) {
        if (block[3] & 1) puts("odd");
    } else {
        sink = table[block[3]];
        (void)sink;
    }
    cdz_cipher_free(c);
}

int main(int argc, char **argv) {
    static const char *const ciphers[][2] = {{"ARIA", "aria/"}, {"AES", "aes/"}};
    static const int bits[] = {128, 192, 256};
    const char *const part = argc > 1 ? argv[1] : "";
    if (!ct_is_watched()) {
        puts("SKIP ct: not under " CT_WATCHER ", nothing would be seen");
        return 77;
    }
    if (!strncmp(part, "planted-", 8)) {
        planted(!strcmp(part, "planted-branch"), argc > 2 ? argv[2] : NULL);
        return 0;
    }
    if (!strcmp(part, "entries")) {
        const unsigned long made = ct_entries(argc > 2 ? argv[2] : "");
        printf("%lu outputs of engines' functions depend on secrets\n", made);
        return made ? 0 : 1;
    }
    unsigned algorithms = 0;
    cdz_engine_info e;
    for (size_t i = 0; cdz_engine_at(i, &e); i++) printf("%s %s\n", e.usable ? "engine" : "not run:", e.name);
    for (size_t c = 0; c < 2; c++) {
        const char *mode;
        for (size_t i = 0; (mode = cdz_mode_name(i)); i++) {
            for (size_t b = 0; b < 3; b++) {
                char name[48];
                cdz_info info;
                snprintf(name, sizeof name, "%s-%d-%s", ciphers[c][0], bits[b], mode);
                if (!strstr(name, part) || cdz_describe(&info, name) != CDZ_OK) continue;
                on_engines(name, ciphers[c][1]);
                algorithms++;
            }
        }
    }
    printf("%u algorithms, %lu calls and checks\n", algorithms, calls);
    return algorithms ? 0 : 1;
}
