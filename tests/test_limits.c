/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a mode may process: the limits of the standards, at the border, with the counters of a stream set by hand; and
 * counters beyond 32 bits, once with real messages of more than 4 GiB (fault class: lengths and counters that overflow
 * 32 bits).
 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint8_t iv[16], in[64], out[128];

/* ---- the numbers of the standards ---- */

static void test_numbers(void *arg) {
    static const struct {
        const char *mode;
        uint64_t len, aad;
    } limits[] = {
        {"GCM", (UINT64_C(1) << 36) - 32, UINT64_MAX >> 3}, /* SP 800-38D, 5.2.1.1: 2^39 - 256 and 2^64 - 1 bits */
        {"GMAC", 0, UINT64_MAX >> 3},
        {"GCM-SIV", UINT64_C(1) << 36, UINT64_C(1) << 36},         /* RFC 8452, 6 */
        {"XTS", UINT64_C(16) << 20, 0},                            /* SP 800-38E, 4: 2^20 blocks */
        {"CCM", UINT64_MAX - 1, UINT64_MAX - 1},                   /* and 2^(8 L): test_ccm */
        {"OCB", (UINT64_C(1) << 36) - 1, (UINT64_C(1) << 36) - 1}, /* L[0] to L[31] */
        {"KW", ((UINT64_C(1) << 54) - 1) * 8, 0},                  /* SP 800-38F, table 1 */
        {"KWP", UINT32_MAX, 0},
        {"CMAC", 0, UINT64_MAX},
    };
    (void)arg;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        for (int k = 0; k < 2; k++) {
            char name[40];
            cdz_info info;
            snprintf(name, sizeof name, "%s-256-%s", k ? "AES" : "ARIA", limits[i].mode);
            NOW(.what = "limits", .name = name);
            CHECK_STATUS(cdz_describe(&info, name), CDZ_OK);
            CHECK(info.max_len == limits[i].len);
            CHECK(info.max_aad == limits[i].aad);
        }
    }
}

/* ---- at the border ---- */

static void begin(struct subject *s) {
    const struct msg m = {iv, s->a.info.iv_default, NULL, 0, NULL, s->a.info.min_len, s->a.info.tag_lengths ? 16 : 0};
    /* CCM takes its lengths first, and its shortest nonce for the longest message. */
    if (s->a.mode->flags & CDZ_MODE_SIZES_FIRST)
        CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, iv, s->a.info.iv_min, s->a.info.max_aad, s->a.info.max_len, 16),
                     CDZ_OK);
    else
        CHECK_STATUS(drive_begin(s->c, &s->a, &m, CDZ_ENCRYPT, false), CDZ_OK);
}

/* Sums that overflow 32 and 64 bits are no way around a limit. */
static void test_border(struct subject *s) {
    const uint64_t most = s->a.info.max_len, most_aad = s->a.info.max_aad;
    size_t n;
    rnd_fill(iv, sizeof iv);
    NOW(.what = "limit", .name = s->a.name, .engine = s->e.name);
    static const uint64_t sums[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        for (size_t k = 1; k <= 33; k += 16) {
            if (most > sums[i] + k) {
                test_now.a = i;
                begin(s);
                s->c->s.aad_len = s->c->s.aad_total == CDZ_UNKNOWN ? 0 : s->c->s.aad_total;
                s->c->s.len = most - sums[i] - k;
                memset(out, 0xa5, sizeof out);
                CHECK_STATUS(cdz_update(s->c, in, k, out, sizeof out, &n), CDZ_OK); /* as much as is left */
                CHECK(s->c->s.len == most - sums[i]);
                s->c->s.len = most - k + 1;
                memset(out, 0xa5, sizeof out);
                /* Announced lengths are limits too, and come second. */
                CHECK_STATUS(cdz_update(s->c, in, k, out, sizeof out, &n), CDZ_ERR_LIMIT);
                test_all("output", out, 0xa5, sizeof out);
            }
            if (most_aad > sums[i] + k) {
                begin(s);
                s->c->s.aad_len = most_aad - sums[i] - k;
                CHECK_STATUS(cdz_aad(s->c, in, k), CDZ_OK);
                CHECK(s->c->s.aad_len == most_aad - sums[i]);
                s->c->s.aad_len = most_aad - k + 1;
                CHECK_STATUS(cdz_aad(s->c, in, k), CDZ_ERR_LIMIT);
            }
        }
    }
    /* In one call: nothing is looked at. */
    const size_t tag_len = s->a.info.tag_lengths ? 16 : 0;
    uint8_t tag[16];
    if (most < SIZE_MAX - 32 && s->a.info.one_shot) {
        const size_t more = (size_t)(most / s->a.info.unit + 1) * s->a.info.unit;
        CHECK_STATUS(cdz_encrypt(s->c, iv, s->a.info.iv_default, NULL, 0, in, more, out, tag, tag_len), CDZ_ERR_LIMIT);
        CHECK_STATUS(cdz_decrypt(s->c, iv, s->a.info.iv_default, NULL, 0, in, more, out, tag, tag_len), CDZ_ERR_LIMIT);
        if (s->a.info.streaming && s->a.info.iv_default != s->a.info.iv_min)
            CHECK_STATUS(cdz_begin_sized(s->c, CDZ_ENCRYPT, iv, s->a.info.iv_default, CDZ_UNKNOWN, more, tag_len),
                         CDZ_ERR_LIMIT);
    }
    if (most_aad && most_aad < SIZE_MAX && s->a.info.one_shot)
        CHECK_STATUS(cdz_encrypt(s->c, iv, s->a.info.iv_default, in, (size_t)most_aad + 1, NULL, 0, NULL, tag, tag_len),
                     CDZ_ERR_LIMIT);
}

/* ---- what one key may encrypt, over all its messages ---- */

static void test_key(struct subject *s) {
    const uint64_t most = s->a.mode->key_blocks;
    const size_t iv_len = s->a.info.iv_default, tag_len = 16;
    const bool mac = s->a.info.mac;
    uint8_t tag[16], sealed[48];
    size_t n;
    NOW(.what = "blocks of a key", .name = s->a.name, .engine = s->e.name);
    CHECK(most == UINT64_C(1) << 48); /* RFC 7253, 5; SP 800-38B, appendix B */
    rnd_fill(iv, sizeof iv);
    /* Of 33 bytes, three blocks: the last that fit. Then a byte is too much, in every way to encrypt. */
    CHECK(s->c->used == 0);
#define ENCRYPT(len)                                                                                                   \
    (mac ? cdz_mac(s->c, iv, iv_len, in, len, tag, tag_len)                                                            \
         : cdz_encrypt(s->c, iv, iv_len, in, 1, in, (len)-16, out, tag, tag_len))
#define DECRYPT(len)                                                                                                   \
    (mac ? cdz_mac_verify(s->c, iv, iv_len, in, len, tag, tag_len)                                                     \
         : cdz_decrypt(s->c, iv, iv_len, in, 1, sealed, (len)-16, out, tag, tag_len))
    s->c->used = most - 3;
    CHECK_STATUS(ENCRYPT(33), CDZ_OK);
    memcpy(sealed, out, sizeof sealed);
    CHECK(s->c->used == most - 3); /* others may be looking at the object */
    memset(out, 0xa5, sizeof out);
    s->c->used = most - 2;
    CHECK_STATUS(ENCRYPT(33), CDZ_ERR_LIMIT);
    test_all("output", out, 0xa5, sizeof out);
    s->c->used = most;
    CHECK_STATUS(DECRYPT(33), CDZ_OK);
    cdz_batch_message b[3];
    memset(b, 0, sizeof b);
    for (int i = 0; i < 3; i++) {
        b[i].iv = iv, b[i].iv_len = iv_len, b[i].tag = tag, b[i].tag_len = tag_len;
        b[i].aad = in, b[i].aad_len = i == 2 ? 32 : 16;
    }
    s->c->used = most - 1;
    CHECK_STATUS(cdz_encrypt_batch(s->c, b, 3), CDZ_ERR_LIMIT);
    CHECK(b[0].status == CDZ_OK && b[1].status == CDZ_OK && b[2].status == CDZ_ERR_LIMIT);

    /* In pieces: a block counts once, when it begins. */
    cdz_cipher *copy;
    s->c->used = most - 3;
    CHECK_STATUS(cdz_cipher_dup(&copy, s->c), CDZ_OK);
    CHECK_STATUS(cdz_begin(copy, CDZ_ENCRYPT, iv, iv_len), CDZ_OK);
    for (int i = 0; i < 16; i++) CHECK_STATUS(cdz_aad(copy, in, 1), CDZ_OK);
    CHECK(copy->used == most - 2);
    if (mac) {
        CHECK_STATUS(cdz_aad(copy, in, 32), CDZ_OK);
        CHECK_STATUS(cdz_aad(copy, in, 1), CDZ_ERR_LIMIT);
    } else {
        for (int i = 0; i < 32; i++) CHECK_STATUS(cdz_update(copy, in, 1, out, sizeof out, &n), CDZ_OK);
        memset(out, 0xa5, sizeof out);
        CHECK_STATUS(cdz_update(copy, in, 1, out, sizeof out, &n), CDZ_ERR_LIMIT);
        test_all("output", out, 0xa5, sizeof out);
    }
    CHECK(copy->used == most);
    CHECK_STATUS(cdz_finish(copy, out, sizeof out, &n), CDZ_OK); /* what came in is still good */
    CHECK_STATUS(cdz_begin(copy, CDZ_DECRYPT, iv, iv_len), CDZ_OK);
    CHECK_STATUS(cdz_aad(copy, in, 33), CDZ_OK);
    cdz_cipher_free(copy);
#undef ENCRYPT
#undef DECRYPT
}

/* ---- more than 4 GiB ---- */

#define PIECE    ((size_t)1 << 20)
#define LONG     (((uint64_t)1 << 32) + 48)
#define LONG_AAD (((uint64_t)1 << 29) + 1) /* whose bits do not fit in 32 bits */

/* One MiB of memory, seen again and again: a message of any length without its memory. */
static uint8_t *endless(size_t len) {
    char name[] = "/tmp/cdz-limits-XXXXXX";
    const int fd = mkstemp(name);
    if (fd < 0) test_skip("no file in /tmp");
    unlink(name);
    if (ftruncate(fd, (off_t)PIECE) != 0) test_skip("no room in /tmp");
    uint8_t *const p = mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) test_skip("no room for %zu bytes of addresses", len);
    for (size_t at = 0; at < len; at += PIECE)
        if (mmap(p + at, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
            test_skip("too few mappings are allowed");
    close(fd);
    return p;
}

/* In one call, and in pieces of one MiB: the same tag, and the same in the one MiB that holds the XOR of all the
 * keystream (it is encrypted in place 4096 times), at all its places the same. */
static void test_long(void *arg) {
    const char *name = arg;
    struct algorithm a;
    struct combo e[COMBO_MAX];
    uint8_t key[32], tag[16], want_tag[16];
    uint8_t *first = malloc(PIECE), *want = malloc(PIECE);
    if (!first || !want) abort();
    if (sizeof(size_t) < 8) test_skip("addresses of 32 bits");
    CHECK(algorithm_find(&a, name));
    algorithm_combos(&a, e);
    if (e[0].slow) test_skip("%s is too slow for 4 GiB", e[0].name);
    NOW(.what = "4 GiB", .name = name, .engine = e[0].name);
    rnd_fill(key, sizeof key);
    rnd_fill(iv, sizeof iv);
    rnd_fill(first, PIECE);
    cdz_cipher *c = combo_new(&e[0], name, key, a.info.key_len);
    const size_t tag_len = a.info.tag_lengths ? 16 : 0, iv_len = a.info.iv_default;
    const size_t len = a.info.mac ? 0 : (size_t)LONG, aad_len = a.info.mac ? (size_t)LONG
                                                                : tag_len  ? (size_t)LONG_AAD
                                                                           : 0;
    uint8_t *const p = endless(((size_t)LONG + PIECE - 1) / PIECE * PIECE);

    memcpy(p, first, PIECE);
    if (len) {
        CHECK_STATUS(cdz_encrypt(c, iv, iv_len, NULL, 0, p, len, p, want_tag, tag_len), CDZ_OK);
        memcpy(want, p, PIECE);
        memcpy(p, first, PIECE);
        size_t n, at = 0;
        CHECK_STATUS(cdz_begin(c, CDZ_ENCRYPT, iv, iv_len), CDZ_OK);
        for (; at < len; at += PIECE) {
            const size_t k = len - at < PIECE ? len - at : PIECE;
            CHECK_STATUS(cdz_update(c, p, k, p, k + 31, &n), CDZ_OK);
            CHECK(n == k);
        }
        CHECK_STATUS(cdz_finish(c, NULL, 0, &n), CDZ_OK);
        test_same("ciphertext", p, want, PIECE);
        if (tag_len) {
            CHECK_STATUS(cdz_tag(c, tag, tag_len), CDZ_OK);
            test_same("tag", tag, want_tag, tag_len);
        }
        /* And that was right: the last bytes of a message depend on its length, its end on the counter. */
        uint8_t ctr[16], block[48];
        if (strstr(name, "-CTR")) {
            cdz_cipher *again = combo_new(&e[0], name, key, a.info.key_len);
            uint64_t carry = (LONG - 48) / 16;
            memcpy(ctr, iv, 16);
            for (int i = 15; i >= 0 && carry; i--) {
                carry += ctr[i];
                ctr[i] = (uint8_t)carry;
                carry >>= 8;
            }
            memset(block, 0, sizeof block);
            CHECK_STATUS(cdz_encrypt(again, ctr, 16, NULL, 0, block, 48, block, NULL, 0), CDZ_OK);
            /* The last 48 bytes were encrypted once more than in a message of 4 GiB. */
            memcpy(p, first, PIECE);
            CHECK_STATUS(cdz_encrypt(again, iv, 16, NULL, 0, p, len - 48, p, NULL, 0), CDZ_OK);
            for (int i = 0; i < 48; i++) block[i] ^= p[i];
            test_same("last blocks", want, block, 48);
            cdz_cipher_free(again);
        }
    }
    if (aad_len) {
        memcpy(p, first, PIECE);
        CHECK_STATUS(cdz_encrypt(c, iv, iv_len, p, aad_len, NULL, 0, NULL, want_tag, tag_len), CDZ_OK);
        CHECK_STATUS(cdz_begin(c, CDZ_ENCRYPT, iv, iv_len), CDZ_OK);
        for (size_t at = 0; at < aad_len; at += PIECE - 7) {
            const size_t k = aad_len - at < PIECE - 7 ? aad_len - at : PIECE - 7;
            CHECK_STATUS(cdz_aad(c, p + at, k), CDZ_OK);
        }
        CHECK_STATUS(cdz_finish(c, NULL, 0, NULL), CDZ_OK);
        CHECK_STATUS(cdz_tag(c, tag, tag_len), CDZ_OK);
        test_same("tag over associated data", tag, want_tag, tag_len);
    }
    munmap(p, ((size_t)LONG + PIECE - 1) / PIECE * PIECE);
    cdz_cipher_free(c);
    free(first);
    free(want);
}

static void add_border(const struct algorithm *a) {
    if (a->bits == 128 && a->info.streaming) subjects_add_one(a, "limits", test_border);
    if (a->bits == 128 && a->mode->key_blocks) subjects_add_one(a, "blocks of a key", test_key);
}

int main(int argc, char **argv) {
    test_begin();
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        static const char *const names[] = {"ARIA-128-CTR", "AES-128-CTR", "ARIA-128-GCM", "AES-128-GCM",
                                            "ARIA-128-OCB", "AES-128-OCB", "AES-128-CMAC", "AES-128-GMAC"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            test_add(test_long, (void *)(uintptr_t)names[i], "%s: a message of 4 GiB and 48 bytes", names[i]);
        return test_end("limits_long");
    }
    test_add(test_numbers, NULL, "the standards' numbers");
    each_algorithm(add_border);
    return test_end("limits");
}
