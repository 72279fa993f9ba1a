/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every mode x cipher x key size x engine against the model, through the public calls: one template a property.
 *
 *   sweep    all lengths from 0 to 1567; buffers at the ends and starts of pages, at odd addresses, in place, in
 * pieces; outputs that held zeros and ones before; tag and chaining value; both directions far      lengths around
 * multiples of the widest batch and of 64 KiB offsets  all 16 x 16 pairs of input and output addresses aad      the
 * same sweep over the associated data pairs    one engine encrypts, another decrypts, all pairs iv       all IV lengths
 * from 0 to 130; the last byte counts tags     all tag lengths, each bit flipped, output cleared limits   the longest
 * message and one more, by the length accounting special  what only one mode has: counters before a carry, tweaks
 * before a carry, equal key halves
 *
 * A new engine is in all of them by being in the list of engines; a new mode by being in the model (tests/ref).
 * One argument, "ARIA" or "AES", takes that cipher alone.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP = 1567, FAR = 3 * 65536 + 17, ROOM = FAR + 64, AAD_MOST = 131072 + 64, HALF_PLANES = 16 };

static uint8_t message[ROOM], sealed[ROOM + 64], result[ROOM + 64], aad_text[AAD_MOST];
static struct guard guard_in, guard_out, guard_aad, guard_iv, guard_tag, guard_key;

/* ---- an algorithm with a key on every engine ---- */

struct bench {
    const struct algorithm *a;
    struct combo e[COMBO_MAX];
    cdz_cipher *c[COMBO_MAX];
    size_t n;
    struct ref r;
    uint8_t key[64];
};

static void bench_new(struct bench *b, const struct algorithm *a) {
    if (!guard_in.lo) {
        guard_new(&guard_in, ROOM + 64);
        guard_new(&guard_out, ROOM + 64);
        guard_new(&guard_aad, AAD_MOST);
        guard_new(&guard_iv, 256);
        guard_new(&guard_tag, 16);
        guard_new(&guard_key, 64);
        rnd_fill(aad_text, sizeof aad_text);
    }
    memset(b, 0, sizeof *b);
    b->a = a;
    b->n = algorithm_combos(a, b->e);
    rnd_fill(b->key, sizeof b->key);
    ref_init(&b->r, a->model->name, a->cipher, b->key, a->info.key_len);
    for (size_t i = 0; i < b->n; i++) {
        NOW(.what = "set key", .name = a->name, .engine = b->e[i].name);
        /* The key at the end of a page, and gone afterwards. */
        uint8_t *k = i % 2 ? guard_end(&guard_key, a->info.key_len) : guard_key.lo;
        memcpy(k, b->key, a->info.key_len);
        b->c[i] = combo_new(&b->e[i], a->name, k, a->info.key_len);
        memset(k, 0, a->info.key_len);
    }
}

static void bench_free(struct bench *b) {
    for (size_t i = 0; i < b->n; i++) cdz_cipher_free(b->c[i]);
}

/* ---- one message, expected from the model ---- */

struct case_ {
    struct msg m; /* the plaintext's */
    size_t out_len;
    uint8_t tag[16];
};

static void expect(const struct bench *b, struct case_ *x) {
    const struct ref_message m = msg_ref(&x->m);
    x->out_len = ref_seal(&b->r, &m, sealed, x->tag);
}

static size_t longest_tag(const struct algorithm *a) {
    return a->info.tag_lengths ? 31 - (size_t)__builtin_clz(a->info.tag_lengths) : 0;
}

enum place { END, START, IN_PLACE, OFFSETS };

/* One direction on one engine with the buffers placed so. */
static void one_call(const struct bench *b, size_t i, const struct case_ *x, cdz_direction direction, enum place place,
                     size_t in_at, size_t out_at) {
    static unsigned turn;
    const bool decrypt = direction == CDZ_DECRYPT, mac = b->a->info.mac;
    const uint8_t *text = decrypt && !mac ? sealed : message, *want = decrypt ? message : sealed;
    const size_t len = decrypt && !mac ? x->out_len : x->m.len, want_len = mac ? 0 : decrypt ? x->m.len : x->out_len;
    /* Unwrapping wants room for the padding as well. */
    const size_t cap = decrypt && b->a->info.wraps ? len - 8 : want_len;
    const uint8_t before = turn++ & 1 ? 0xff : 0;
    const bool start = place == START;
    uint8_t *in, *out;
    size_t n = 0;
    struct msg m = x->m;
    if (m.iv_len) m.iv = memcpy(start ? guard_iv.lo : guard_end(&guard_iv, m.iv_len), x->m.iv, m.iv_len);
    if (m.aad_len) m.aad = memcpy(start ? guard_aad.lo : guard_end(&guard_aad, m.aad_len), x->m.aad, m.aad_len);
    uint8_t *tag = start ? guard_tag.lo : guard_end(&guard_tag, m.tag_len);
    switch (place) {
    case END:
        in = guard_end(&guard_in, len);
        out = guard_end(&guard_out, cap);
        break;
    case START:
        in = guard_in.lo;
        out = guard_out.lo;
        break;
    default:
        in = guard_in.lo + 64 + in_at;
        out = place == IN_PLACE ? in : guard_out.lo + 64 + out_at;
        break;
    }
    const bool around = place == OFFSETS || place == IN_PLACE;
    const size_t room = len > cap ? len : cap;
    if (in != out) memset(out, before, cap);
    if (around) {
        memset(out - 32, 0x5a, 32);
        memset(out + (in == out ? room : cap), 0x5a, 32);
    }
    memcpy(in, text, len);
    m.in = in;
    m.len = len;
    NOW(.what = decrypt ? (place == IN_PLACE ? "decryption in place" : "decryption")
                        : (place == IN_PLACE ? "encryption in place" : "encryption"),
        .name = b->a->name, .engine = b->e[i].name, .len = x->m.len, .a = in_at, .b = out_at);
    if (decrypt) {
        if (m.tag_len) memcpy(tag, x->tag, m.tag_len);
        CHECK_STATUS(drive_decrypt(b->c[i], b->a, &m, out, in == out ? room : cap, &n, tag), CDZ_OK);
    } else {
        if (m.tag_len) memset(tag, before, m.tag_len);
        CHECK_STATUS(drive_encrypt(b->c[i], b->a, &m, out, in == out ? room : cap, &n, tag), CDZ_OK);
        test_same("tag", tag, x->tag, m.tag_len);
    }
    CHECK(n == want_len);
    test_same("output", out, want, want_len);
    if (in != out) test_same("input afterwards", in, text, len);
    if (around) {
        test_all("before the output", out - 32, 0x5a, 32);
        test_all("behind the output", out + (in == out ? room : cap), 0x5a, 32);
    }
}

static void check_chain(const struct bench *b, size_t i, const struct case_ *x) {
    uint8_t chain[16], want[16];
    unsigned used, want_used;
    if (!(b->a->mode->flags & CDZ_MODE_CHAIN)) return;
    CHECK_STATUS(cdz_chain(b->c[i], chain, &used), CDZ_OK);
    if (b->a->model->kind == REF_PADDED) { /* CBC with padding: the last block of all */
        test_same("chaining value", chain, sealed + x->out_len - 16, 16);
        return;
    }
    if (!ref_chain(&b->r, x->m.iv, message, sealed, x->m.len, want, &want_used))
        test_fail("the model has no chaining value for %s", b->a->name);
    test_same("chaining value", chain, want, 16);
    CHECK(used == want_used);
}

static void in_pieces(const struct bench *b, size_t i, const struct case_ *x, cdz_direction direction,
                      const struct cuts *cuts) {
    const bool decrypt = direction == CDZ_DECRYPT;
    struct msg m = x->m;
    uint8_t tag[16];
    size_t n = 0;
    if (!b->a->info.streaming) return;
    memcpy(tag, x->tag, 16);
    if (!decrypt) memset(tag, 0, 16);
    const bool mac = b->a->info.mac;
    m.in = decrypt && !mac ? sealed : message;
    m.len = decrypt && !mac ? x->out_len : x->m.len;
    NOW(.what = decrypt ? "decryption in pieces" : "encryption in pieces", .name = b->a->name, .engine = b->e[i].name,
        .len = x->m.len, .a = cuts->n ? cuts->at[0] : 0, .b = cuts->n);
    CHECK_STATUS(drive_stream(b->c[i], b->a, &m, direction, cuts, result, &n, tag), CDZ_OK);
    CHECK(n == (mac ? 0 : decrypt ? x->m.len : x->out_len));
    test_same("output", result, decrypt ? message : sealed, n);
    test_same("tag", tag, x->tag, m.tag_len);
    check_chain(b, i, x);
}

/* ---- sweep ---- */

/* How far the sweep goes: modes with many block calls a byte stop earlier. */
static size_t sweep_end(const struct algorithm *a) {
    size_t most = test_quick ? 400 : SWEEP;
    if (a->model->calls >= 100)
        most = 40;
    else if (a->model->calls >= 8)
        most = 200;
    if (a->model->max && most > a->model->max) most = a->model->max;
    return most;
}

static void test_sweep(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t ivs[3][64];
    bench_new(&b, a);
    rnd_fill(ivs, sizeof ivs);
    rnd_fill(message, SWEEP + 64);
    const size_t most = sweep_end(a);
    for (size_t len = algorithm_length(a, 0); len <= most; len = algorithm_length(a, len + 1)) {
        if (test_quick > 1 && len > 64 && a->model->unit == 1 && (len + 1) % 16 > 2) continue;
        struct case_ x = {.m = {.in = message, .len = len, .iv_len = a->info.iv_default, .aad = aad_text}};
        x.m.iv = ivs[0];
        if (a->info.iv_max > a->info.iv_min && len % 4 == 3) { /* other lengths of IV now and then: two of them */
            const size_t top = a->info.iv_max < 60 ? a->info.iv_max : 60;
            x.m.iv_len = len % 8 == 3 ? a->info.iv_min : a->info.wraps ? a->info.iv_max : top;
        }
        if (a->model->aad) x.m.aad_len = len % 37;
        do x.m.tag_len = rnd_below(17);
        while (a->info.tag_lengths ? !(a->info.tag_lengths >> x.m.tag_len & 1) : x.m.tag_len != 0);
        expect(&b, &x);
        for (size_t i = 0; i < b.n; i++) {
            struct cuts cuts;
            if (algorithm_passes(a, i, b.n, len)) continue;
            const bool all = (test_quick < 2 && a->bits == algorithm_drawn_bits(a) && (!b.e[i].slow || len < 300)) ||
                             rnd_below(4) == 0;
            for (int d = CDZ_ENCRYPT; d <= CDZ_DECRYPT; d++) {
                const cdz_direction direction = (cdz_direction)d;
                one_call(&b, i, &x, direction, END, 0, 0);
                if (!all) continue;
                one_call(&b, i, &x, direction, START, 0, 0);
                const size_t at = rnd_below(16);
                one_call(&b, i, &x, direction, IN_PLACE, at, at);
                one_call(&b, i, &x, direction, OFFSETS, rnd_below(16), rnd_below(16));
                random_cuts(&cuts, d == CDZ_DECRYPT && !a->info.mac ? x.out_len : len, x.m.aad_len, 3);
                in_pieces(&b, i, &x, direction, &cuts);
            }
        }
    }
    bench_free(&b);
}

/* ---- far ---- */

static void far_one(struct bench *b, const uint8_t *iv, size_t len, bool always) {
    const struct algorithm *a = b->a;
    struct case_ x = {.m = {.in = message, .len = len, .iv = iv, .iv_len = a->info.iv_default, .aad = aad_text}};
    if (len != algorithm_length(a, len)) return;
    if (a->model->aad) x.m.aad_len = len % 37;
    x.m.tag_len = longest_tag(a);
    expect(b, &x);
    for (size_t i = 0; i < b->n; i++) {
        /* One engine after the other sees the long ones; the slow ones only at the ends of the ranges. */
        if (b->e[i].slow && !always && (a->model->serial || rnd_below(4))) continue;
        one_call(b, i, &x, CDZ_ENCRYPT, len % 2 ? END : IN_PLACE, 1, 1);
        one_call(b, i, &x, CDZ_DECRYPT, len % 2 ? IN_PLACE : END, 1, 1);
    }
}

static void test_far(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t iv[64];
    if (a->model->calls > 2 || a->model->max) test_skip("%s: not for long messages", a->model->name);
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    rnd_fill(message, sizeof message);
    size_t seen[COMBO_MAX];
    for (size_t i = 0; i < b.n; i++) {
        size_t at[3 + HALF_PLANES], n = 0;
        seen[i] = b.e[i].batch;
        for (size_t k = 0; k < i; k++)
            if (seen[k] == seen[i]) seen[i] = 0;
        if (!seen[i]) continue;
        for (size_t k = 1; k <= (test_quick ? 1 : 3); k++) at[n++] = k * b.e[i].batch * 16;
        if (strstr(b.e[i].engine, "/sliced-")) { /* one kernel takes over from another at some half planes */
            const size_t drawn = 2 + rnd_below(HALF_PLANES - 2);
            for (size_t k = 1; k < HALF_PLANES; k++)
                if (!test_quick || k == 1 || k == drawn) at[n++] = k * b.e[i].batch * 16 / HALF_PLANES;
        }
        for (size_t k = 0; k < n; k++) {
            static const size_t some[] = {0, 1, 16, 17, 18, 33, 34};
            if (at[k] <= sweep_end(a)) continue;
            for (size_t d = 0; d < (test_quick ? sizeof some / sizeof *some : 35); d++)
                far_one(&b, iv, at[k] - 17 + (test_quick ? some[d] : d), true);
        }
    }
    /* Where the model must do all of a message again for each length: a few of them. */
    const bool costly = a->model == &ref_siv || a->model == &ref_ccm || a->model == &ref_gcm_siv;
    for (size_t k = 1; !test_quick && a->bits == algorithm_drawn_bits(a) && k <= 3; k++)
        for (size_t d = 0; d <= 34; d += costly && d != 16 && d != 17 ? 4 : 1)
            far_one(&b, iv, k * 65536 + d - 17, (d == 17 || d == 33) && (k == 1 || !a->model->serial));
    bench_free(&b);
}

/* ---- offsets ---- */

static void test_offsets(void *arg) {
    const struct algorithm *a = arg;
    static const size_t lengths[24] = {1,   15,  16,  17,  31,  33,  47,  63,  64,  65,  80,  127,
                                       128, 129, 191, 255, 256, 257, 300, 384, 511, 513, 768, 1025};
    struct bench b;
    uint8_t iv[64];
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    rnd_fill(message, 2048);
    for (size_t k = 0; k < 24; k++) {
        const size_t len = algorithm_length(a, lengths[k]);
        struct case_ x = {.m = {.in = message, .len = len, .iv = iv, .iv_len = a->info.iv_default, .aad = aad_text}};
        if (len > sweep_end(a) || (test_quick && k % 6)) continue;
        if (a->model->aad) x.m.aad_len = k;
        x.m.tag_len = longest_tag(a);
        expect(&b, &x);
        for (size_t i = 0; i < b.n; i++) {
            /* The modes never look at addresses; the engines do, and test_engines has all of them at all pairs. */
            const size_t step = (b.e[i].slow && len > 100) || test_quick > 1 ? 7 : 1;
            for (size_t p = rnd_below(step); p < 256; p += step) {
                one_call(&b, i, &x, CDZ_ENCRYPT, OFFSETS, p / 16, p % 16);
                one_call(&b, i, &x, CDZ_DECRYPT, OFFSETS, p / 16, p % 16);
            }
        }
    }
    bench_free(&b);
}

/* ---- associated data ---- */

static void test_aad(void *arg) {
    const struct algorithm *a = arg;
    static const size_t far[] = {4095,  4096,  4097,  8191,  8192,  8193,  16384,  32768,  65279, 65280,
                                 65281, 65535, 65536, 65537, 65553, 98304, 131056, 131072, 131088};
    struct bench b;
    uint8_t iv[64];
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    rnd_fill(message, 64);
    for (size_t k = 0; k <= SWEEP + sizeof far / sizeof *far; k++) {
        const size_t aad_len = k <= SWEEP ? k : far[k - SWEEP - 1], len = k % 3 ? 33 : 0;
        struct case_ x = {.m = {.in = message, .len = len, .iv = iv, .iv_len = a->info.iv_default}};
        if (test_quick && (aad_len > 300 && aad_len != 65280)) continue;
        x.m.aad = aad_text;
        x.m.aad_len = aad_len;
        x.m.tag_len = longest_tag(a);
        expect(&b, &x);
        for (size_t i = 0; i < b.n; i++) {
            struct cuts cuts;
            if (b.e[i].slow && aad_len > 300 && k <= SWEEP && rnd_below(4)) continue;
            one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
            one_call(&b, i, &x, CDZ_DECRYPT, START, 0, 0);
            random_cuts(&cuts, len, aad_len, 2);
            if (k > SWEEP) cuts.aad_n = 1, cuts.aad_at[0] = 5; /* 5, then the rest */
            in_pieces(&b, i, &x, k % 2 ? CDZ_ENCRYPT : CDZ_DECRYPT, &cuts);
        }
    }
    bench_free(&b);
}

/* ---- pairs ---- */

static void test_pairs(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t iv[64];
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    size_t len = algorithm_length(a, ((test_quick ? 1 : 2) * algorithm_batch(a) + 1) * 16 + 7);
    if (len > sweep_end(a) && a->model->calls > 2) len = algorithm_length(a, sweep_end(a) - 16);
    rnd_fill(message, len);
    for (size_t i = 0; i < b.n; i++)
        for (size_t j = 0; j < b.n; j++) {
            struct msg m = {iv, a->info.iv_default, aad_text, a->model->aad ? 29u : 0u, message, len, longest_tag(a)};
            uint8_t tag[16];
            size_t n, back;
            NOW(.what = "pair", .name = a->name, .engine = b.e[i].name, .len = len, .a = i, .b = j);
            CHECK_STATUS(drive_encrypt(b.c[i], a, &m, sealed, sizeof sealed, &n, tag), CDZ_OK);
            uint8_t *const changed = a->info.mac ? message + len : sealed + n;
            if (!a->info.mac) m.in = sealed, m.len = n;
            NOW(.what = "pair", .name = a->name, .engine = b.e[j].name, .len = len, .a = i, .b = j);
            CHECK_STATUS(drive_decrypt(b.c[j], a, &m, result, sizeof result, &back, tag), CDZ_OK);
            CHECK(back == (a->info.mac ? 0 : len));
            test_same("plaintext", result, message, back);
            if (!m.tag_len && !a->info.wraps) continue;
            /* The last bytes count too, each of them. */
            for (size_t k = 1; k <= 16; k += test_quick ? 5 : 1) {
                *(changed - k) ^= 0x10;
                CHECK_STATUS(drive_decrypt(b.c[j], a, &m, result, sizeof result, &back, tag), CDZ_ERR_AUTH);
                *(changed - k) ^= 0x10;
            }
        }
    bench_free(&b);
}

/* ---- IV lengths ---- */

static void test_iv(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t ivs[2][131];
    bench_new(&b, a);
    rnd_fill(ivs, sizeof ivs);
    const size_t len = algorithm_length(a, 37);
    rnd_fill(message, len);
    for (size_t iv_len = 0; iv_len <= 130; iv_len++)
        for (size_t i = 0; i < b.n; i++) {
            struct case_ x = {.m = {.in = message, .len = len, .iv_len = iv_len, .aad = aad_text}};
            uint8_t tag[16], before[2][64];
            size_t n;
            if (b.e[i].slow && iv_len > 40 && iv_len % 8) continue;
            if (a->model->aad) x.m.aad_len = 5;
            x.m.tag_len = longest_tag(a);
            x.m.iv = ivs[0];
            NOW(.what = "IV length", .name = a->name, .engine = b.e[i].name, .len = iv_len);
            if (iv_len < a->info.iv_min || iv_len > a->info.iv_max ||
                (a->info.wraps && iv_len && iv_len != a->info.iv_max)) { /* KW: none, or the whole of it */
                memset(result, 0x77, 64);
                memset(tag, 0x77, 16);
                CHECK_STATUS(drive_encrypt(b.c[i], a, &x.m, result, 64, &n, tag), CDZ_ERR_IV_LENGTH);
                CHECK_STATUS(drive_decrypt(b.c[i], a, &x.m, result, 64, &n, tag), CDZ_ERR_IV_LENGTH);
                if (a->info.streaming)
                    CHECK_STATUS(drive_begin(b.c[i], a, &x.m, CDZ_ENCRYPT, false), CDZ_ERR_IV_LENGTH);
                test_all("output of a refused call", result, 0x77, 64);
                test_all("tag of a refused call", tag, 0x77, 16);
                x.m.iv_len = a->info.iv_default; /* and the object goes on */
                expect(&b, &x);
                one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
                continue;
            }
            expect(&b, &x);
            one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
            one_call(&b, i, &x, CDZ_DECRYPT, END, 0, 0);
            if (!iv_len) continue;
            for (int k = 0; k < 2; k++) { /* the last byte counts: both outputs, and the tag */
                ivs[0][iv_len - 1] ^= (uint8_t)k;
                CHECK_STATUS(drive_encrypt(b.c[i], a, &x.m, result, 64, &n, tag), CDZ_OK);
                memcpy(before[k], n ? result : tag, 16);
                ivs[0][iv_len - 1] ^= (uint8_t)k;
            }
            CHECK(memcmp(before[0], before[1], 16) != 0);
        }
    bench_free(&b);
}

/* ---- tags ---- */

static void test_tags(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t iv[64];
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    const size_t len = algorithm_length(a, 100);
    rnd_fill(message, len);
    for (size_t i = 0; i < b.n; i++) {
        for (size_t tag_len = 0; tag_len <= 64; tag_len += tag_len < 18 ? 1 : 46) {
            struct case_ x = {
                .m = {.in = message, .len = len, .iv = iv, .iv_len = a->info.iv_default, .aad = aad_text}};
            uint8_t tag[64];
            size_t n;
            if (a->model->aad) x.m.aad_len = 9;
            x.m.tag_len = tag_len;
            const bool known = tag_len < 32 && (a->info.tag_lengths >> tag_len & 1);
            if (!known) {
                const cdz_status want = tag_len == 0 ? CDZ_ERR_TAG_MISSING : CDZ_ERR_TAG_LENGTH;
                memset(result, 0x77, len);
                memset(tag, 0x77, 64);
                NOW(.what = "tag length", .name = a->name, .engine = b.e[i].name, .len = tag_len);
                if (a->info.one_shot || a->info.mac) {
                    CHECK_STATUS(drive_encrypt(b.c[i], a, &x.m, result, len, &n, tag), want);
                    CHECK_STATUS(drive_decrypt(b.c[i], a, &x.m, result, len, &n, tag), want);
                }
                test_all("output of a refused call", result, 0x77, len);
                test_all("tag of a refused call", tag, 0x77, 64);
                continue;
            }
            expect(&b, &x);
            one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
            one_call(&b, i, &x, CDZ_DECRYPT, END, 0, 0);
            struct msg m = x.m;
            const bool mac = a->info.mac;
            if (!mac) m.in = sealed, m.len = x.out_len;
            for (size_t bit = 0; bit < 8 * tag_len; bit++) {
                const bool in_place = bit % 2 && !mac;
                memcpy(tag, x.tag, 16);
                tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
                memset(result, 0x77, sizeof result < 256 ? sizeof result : 256);
                if (in_place) memcpy(result, sealed, x.out_len);
                if (!mac) m.in = in_place ? result : sealed;
                NOW(.what = "wrong tag", .name = a->name, .engine = b.e[i].name, .len = tag_len, .a = bit);
                CHECK_STATUS(drive_decrypt(b.c[i], a, &m, result, len, &n, tag), CDZ_ERR_AUTH);
                if (a->info.one_shot && !mac) test_all("output after a wrong tag", result, 0, len);
                test_all("behind it", result + len, 0x77, 16);
            }
            /* A bit of the message, of the associated data, of the IV. */
            m.in = mac ? message : sealed;
            for (size_t k = 0; k < 3; k++) {
                uint8_t *p = k == 0   ? (mac ? message : sealed) + rnd_below(m.len)
                             : k == 1 ? aad_text + rnd_below(9)
                                      : iv;
                if ((k == 1 && !m.aad_len) || (k == 2 && !m.iv_len) || (k == 0 && !m.len)) continue;
                const uint8_t flip = (uint8_t)(1u << rnd_below(8));
                *p ^= flip;
                CHECK_STATUS(drive_decrypt(b.c[i], a, &m, result, len, &n, x.tag), CDZ_ERR_AUTH);
                if (a->info.one_shot && !mac) test_all("output after a forged message", result, 0, len);
                *p ^= flip;
            }
        }
    }
    bench_free(&b);
}

/* ---- limits ---- */

static void test_limits(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t iv[64], tag[16];
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    rnd_fill(message, 256);
    cdz_cipher *c = b.c[0];
    size_t n;
    NOW(.what = "limits", .name = a->name, .engine = b.e[0].name);
    engine_count(b.e[0].name);
    const size_t tag_len = longest_tag(a), iv_len = a->info.iv_default;

    /* One call: refused by the numbers alone. No byte is looked at: there are none so many. */
    if (a->info.one_shot && a->info.max_len < SIZE_MAX) {
        const size_t more = ((size_t)a->info.max_len / a->info.unit + 1) * a->info.unit;
        memset(result, 0x77, 64);
        CHECK_STATUS(cdz_encrypt(c, iv, iv_len, NULL, 0, result, more, result, tag, tag_len), CDZ_ERR_LIMIT);
        CHECK_STATUS(cdz_decrypt(c, iv, iv_len, NULL, 0, result, more, result, tag, tag_len), CDZ_ERR_LIMIT);
        test_all("output of a refused call", result, 0x77, 64);
    }
    if (a->info.one_shot && a->info.max_aad && a->info.max_aad < SIZE_MAX)
        CHECK_STATUS(cdz_encrypt(c, iv, iv_len, message, (size_t)a->info.max_aad + 1, message, a->info.mac ? 0 : 16,
                                 result, tag, tag_len),
                     CDZ_ERR_LIMIT);

    /* In pieces: the length so far is put where `gap` bytes are left. */
    static const size_t gaps[] = {0, 1, 15, 16, 17, 31, 32, 33, 100};
    for (size_t k = 0; a->info.streaming && k < sizeof gaps / sizeof *gaps; k++)
        for (int d = CDZ_ENCRYPT; d <= CDZ_DECRYPT; d++) {
            const struct msg m = {iv, iv_len, NULL, 0, message, 16, tag_len};
            if (a->info.mac || a->info.max_len == UINT64_MAX || a->mode->flags & CDZ_MODE_SIZES_FIRST) break;
            CHECK_STATUS(drive_begin(c, a, &m, (cdz_direction)d, false), CDZ_OK);
            CHECK_STATUS(cdz_update(c, message, 64, result, sizeof result, &n), CDZ_OK);
            c->s.len = a->info.max_len - gaps[k];
            memset(result, 0x77, 256);
            CHECK_STATUS(cdz_update(c, message, gaps[k] + 1, result, sizeof result, &n), CDZ_ERR_LIMIT);
            CHECK(n == 0);
            CHECK_STATUS(cdz_update(c, message, SIZE_MAX, result, sizeof result, &n), CDZ_ERR_LIMIT);
            test_all("output of a refused call", result, 0x77, 256);
            CHECK_STATUS(cdz_update(c, message, gaps[k], result, sizeof result, &n), CDZ_OK);
            CHECK_STATUS(cdz_update(c, message, 1, result, sizeof result, &n), CDZ_ERR_LIMIT);
        }
    for (size_t k = 0; a->info.streaming && a->info.max_aad && k < sizeof gaps / sizeof *gaps; k++) {
        const struct msg m = {iv, iv_len, NULL, 0, message, 16, tag_len};
        if (a->mode->flags & CDZ_MODE_SIZES_FIRST || a->info.max_aad == UINT64_MAX) break;
        CHECK_STATUS(drive_begin(c, a, &m, CDZ_ENCRYPT, false), CDZ_OK);
        CHECK_STATUS(cdz_aad(c, message, 16), CDZ_OK);
        c->s.aad_len = a->info.max_aad - gaps[k];
        CHECK_STATUS(cdz_aad(c, message, gaps[k] + 1), CDZ_ERR_LIMIT);
        CHECK_STATUS(cdz_aad(c, message, gaps[k]), CDZ_OK);
        CHECK_STATUS(cdz_aad(c, message, 1), CDZ_ERR_LIMIT);
    }
    /* Lengths that are too short or no whole number of blocks. */
    for (size_t len = 0; a->info.one_shot && !a->info.mac && len <= 50; len++) {
        const bool good = len >= a->info.min_len && len % a->info.unit == 0;
        memset(result, 0x77, 64);
        const cdz_status s = cdz_encrypt(c, iv, iv_len, NULL, 0, message, len, result, tag_len ? tag : NULL, tag_len);
        CHECK_STATUS(s, good ? CDZ_OK : CDZ_ERR_LENGTH);
        if (!good) test_all("output of a refused call", result, 0x77, 64);
        if (!good)
            CHECK_STATUS(cdz_decrypt(c, iv, iv_len, NULL, 0, message, len, result, tag_len ? tag : NULL, tag_len),
                         CDZ_ERR_LENGTH);
    }
    bench_free(&b);
}

/* ---- what cdz_describe() says, beside the model's own numbers ---- */

static void test_describe(void *arg) {
    const struct algorithm *a = arg;
    const struct ref_mode *m = a->model;
    NOW(.what = "cdz_describe", .name = a->name);
    CHECK(a->info.key_len == a->bits / 8 * (size_t)m->keys);
    CHECK(a->info.tag_lengths == m->tags);
    CHECK((a->info.max_aad > 0) == (m->aad || m->kind == REF_MAC));
    CHECK(a->info.iv_default == m->iv_default);
    CHECK(a->info.wraps || (a->info.iv_min <= a->info.iv_default && a->info.iv_default <= a->info.iv_max));
    if (m->kind == REF_CIPHER) {
        CHECK(a->info.unit == m->unit && a->info.min_len == m->min);
        CHECK(a->info.one_shot);
    } else if (m->kind == REF_MAC) {
        CHECK(a->info.mac && a->info.one_shot && a->info.max_len == 0);
    } else {
        CHECK(!a->info.one_shot);
    }
    CHECK(!a->info.wraps == (m->kind != REF_WRAP) && !a->info.mac == (m->kind != REF_MAC));
    CHECK(a->info.standard && a->info.standard[0]);
    /* Names without regard to case. */
    char lower[40];
    cdz_info info;
    for (size_t i = 0; i <= strlen(a->name); i++)
        lower[i] = (char)(a->name[i] >= 'A' && a->name[i] <= 'Z' ? a->name[i] + 32 : a->name[i]);
    CHECK_STATUS(cdz_describe(&info, lower), CDZ_OK);
    CHECK(strcmp(info.name, a->name) == 0);
}

/* ---- special: GCM (B04) ---- */

/* Initial counters that put the wrap of the last 32 bits at every place of a batch, by IVs that were solved for. */
static void test_gcm_wrap(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    bench_new(&b, a);
    const size_t len = 1125, most = algorithm_batch(a) + 2 < 34 ? 34 : algorithm_batch(a) + 2;
    rnd_fill(message, len);
    for (size_t j = 0; j <= most; j++)
        for (int kind = 0; kind < 3; kind++) {
            uint8_t j0[16], iv[16];
            if (j > 2 && kind != (int)(j % 3)) continue;
            memset(j0, kind == 0 ? 0xff : kind == 1 ? 0 : 0xa5, 12);
            const uint32_t start = UINT32_MAX - (uint32_t)j;
            for (int i = 0; i < 4; i++) j0[12 + i] = (uint8_t)(start >> (24 - 8 * i));
            ref_gcm_iv_for_j0(&b.r, j0, iv);
            struct case_ x = {
                .m = {.in = message, .len = len, .iv = iv, .iv_len = 16, .aad = aad_text, .aad_len = 3, .tag_len = 16}};
            expect(&b, &x);
            for (size_t i = 0; i < b.n; i++) {
                one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
                one_call(&b, i, &x, CDZ_DECRYPT, IN_PLACE, 3, 3);
                struct cuts cuts;
                random_cuts(&cuts, len, 3, 4);
                in_pieces(&b, i, &x, CDZ_ENCRYPT, &cuts);
                /* The wrap in the byte path. */
                memset(&cuts, 0, sizeof cuts);
                for (size_t k = 0; k < 60; k++) cuts.at[cuts.n++] = (j ? 16 * (j - 1) : 0) + k;
                while (cuts.n && cuts.at[cuts.n - 1] > len) cuts.n--;
                in_pieces(&b, i, &x, CDZ_DECRYPT, &cuts);
            }
        }
    bench_free(&b);
}

/* ---- special: counters (B05) ---- */

static void counter_case(struct bench *b, const uint8_t start[16], size_t len) {
    uint8_t nonce[16];
    struct case_ x = {.m = {.in = message, .len = len, .iv = start, .iv_len = 16}};
    if (strcmp(b->a->model->name, "EAX") == 0) {
        ref_eax_nonce_for_counter(&b->r, start, nonce);
        x.m.iv = nonce;
    }
    x.m.tag_len = longest_tag(b->a);
    expect(b, &x);
    for (size_t i = 0; i < b->n; i++) {
        struct cuts cuts;
        one_call(b, i, &x, CDZ_ENCRYPT, END, 0, 0);
        if (len > 100000) continue;
        one_call(b, i, &x, CDZ_DECRYPT, IN_PLACE, 5, 5);
        random_cuts(&cuts, len, 0, 6);
        in_pieces(b, i, &x, CDZ_ENCRYPT, &cuts);
    }
}

static void test_counters(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t start[16];
    bench_new(&b, a);
    rnd_fill(message, 2048);
    for (int k = 0; k < 4; k++) {
        memset(start, k == 0 ? 0xff : 0, 16);
        if (k == 0) start[15] = 0xfd;
        if (k == 1) memset(start + 8, 0xff, 8);
        if (k == 2) memset(start + 8, 0xff, 8), start[8] = 0x7f;
        if (k == 3) memset(start + 12, 0xff, 4), start[15] = 0xfe;
        counter_case(&b, start, 1081);
    }
    for (int p = 0; p < 16; p++) { /* a carry into every byte, from different distances */
        for (int i = 0; i < 16; i++) start[i] = i > p ? 0xff : (uint8_t)(0x01 + 0x22 * i);
        if (p < 15) start[15] = (uint8_t)(0xff - rnd_below(60));
        counter_case(&b, start, 1081);
    }
    bench_free(&b);
}

/* More blocks in one call than the low 16 bits count. */
static void test_counter_runs(void *arg) {
    const struct algorithm *a = arg;
    static const unsigned lows[6] = {0x0000, 0x0001, 0x7fff, 0x8000, 0xfffe, 0xffff};
    const size_t len = (2 * 65536 + 5) * 16;
    struct bench b;
    if (test_quick) test_skip("too long for a quick run");
    uint8_t *in = malloc(len), *want = malloc(len), *out = malloc(len + 16);
    if (!in || !want || !out) abort();
    bench_new(&b, a);
    rnd_fill(in, len);
    for (size_t k = 0; k < 6; k++) {
        uint8_t start[16], tag[16];
        rnd_fill(start, 16);
        start[13] = 0xff;
        start[14] = (uint8_t)(lows[k] >> 8);
        start[15] = (uint8_t)lows[k];
        const struct ref_message m = {.iv = start, .iv_len = 16, .in = in, .len = len};
        bool made = false;
        for (size_t i = 0; i < b.n; i++) {
            struct cuts none = {0};
            size_t n;
            uint8_t chain[16], want_chain[16];
            unsigned used, want_used;
            if (b.e[i].slow && k != rnd_below(6)) continue;
            if (!made) ref_seal(&b.r, &m, want, tag);
            made = true;
            const struct msg x = {.iv = start, .iv_len = 16, .in = in, .len = len};
            NOW(.what = "long counter run", .name = a->name, .engine = b.e[i].name, .len = len, .a = lows[k]);
            CHECK_STATUS(drive_encrypt(b.c[i], a, &x, out, len, &n, tag), CDZ_OK);
            test_same("output", out, want, len);
            CHECK_STATUS(drive_stream(b.c[i], a, &x, CDZ_ENCRYPT, &none, out, &n, tag), CDZ_OK);
            test_same("output of one piece", out, want, len);
            if (a->mode->flags & CDZ_MODE_CHAIN) {
                CHECK_STATUS(cdz_chain(b.c[i], chain, &used), CDZ_OK);
                CHECK(ref_chain(&b.r, start, in, want, len, want_chain, &want_used));
                test_same("counter left behind", chain, want_chain, 16);
            }
        }
    }
    free(in);
    free(want);
    free(out);
    bench_free(&b);
}

/* The block behind an overflow of the low 16 bits is not a whole one: no engine may see it in the same call (engine.h).
 */
static void test_counter_ends(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    bench_new(&b, a);
    for (size_t before = 1; before <= 40; before += before < 4 ? 1 : 9)
        for (size_t rest = 1; rest < 16; rest++) {
            uint8_t iv[16];
            rnd_fill(iv, 16);
            iv[13] = 0xff;
            iv[14] = 0xff;
            iv[15] = (uint8_t)(256 - before);
            const size_t len = 16 * before + rest;
            struct case_ x = {.m = {.in = message, .len = len, .iv = iv, .iv_len = 16}};
            rnd_fill(message, len);
            expect(&b, &x);
            for (size_t i = 0; i < b.n; i++) {
                NOW(.what = "counter ends", .name = a->name, .engine = b.e[i].name, .len = len, .a = before);
                one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
                one_call(&b, i, &x, CDZ_DECRYPT, IN_PLACE, 1, 1);
            }
        }
    bench_free(&b);
}

/* ---- special: XTS (B24, B46) ---- */

static void test_xts_short(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    bench_new(&b, a);
    rnd_fill(message, 64);
    size_t carries = 0;
    uint8_t first[16];
    rnd_fill(first, 16);
    for (int k = 0; k < 128; k++) {
        uint8_t iv[16], t[16];
        if (k < 64) { /* consecutive sectors */
            memcpy(iv, first, 16);
            iv[0] = (uint8_t)(first[0] + k);
        } else {
            rnd_fill(iv, 16);
        }
        ref_encrypt_block(&b.r.k[1], iv, t);
        carries += t[15] >> 7;
        for (size_t len = 16; len <= 47; len++) {
            struct case_ x = {.m = {.in = message, .len = len, .iv = iv, .iv_len = 16}};
            expect(&b, &x);
            for (size_t i = 0; i < b.n; i++) {
                if (b.e[i].slow && (len + (size_t)k) % 3) continue;
                one_call(&b, i, &x, CDZ_ENCRYPT, len % 2 ? END : IN_PLACE, 1, 1);
                one_call(&b, i, &x, CDZ_DECRYPT, len % 2 ? IN_PLACE : START, 2, 2);
            }
        }
    }
    CHECK(carries >= 20); /* else the test has not seen what it is for */
    bench_free(&b);
}

static void test_xts_keys(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t key[64], iv[16], tag[16];
    const size_t half = a->info.key_len / 2, len = 100;
    size_t n;
    bench_new(&b, a);
    rnd_fill(iv, 16);
    rnd_fill(message, len);
    for (size_t i = 0; i < b.n; i++) {
        /* Equal halves: they decrypt, and do not encrypt. */
        rnd_fill(key, half);
        memcpy(key + half, key, half);
        cdz_cipher *c = combo_new(&b.e[i], a->name, key, a->info.key_len), *d;
        struct ref r;
        ref_init(&r, "XTS", a->cipher, key, a->info.key_len);
        const struct ref_message m = {.iv = iv, .iv_len = 16, .in = message, .len = len};
        struct msg x = {.iv = iv, .iv_len = 16, .in = message, .len = len};
        ref_seal(&r, &m, sealed, tag);
        NOW(.what = "equal halves", .name = a->name, .engine = b.e[i].name, .len = len);
        memset(result, 0x77, len);
        CHECK_STATUS(drive_encrypt(c, a, &x, result, len, &n, NULL), CDZ_ERR_KEY_WEAK);
        CHECK_STATUS(cdz_begin(c, CDZ_ENCRYPT, iv, 16), CDZ_ERR_KEY_WEAK);
        CHECK_STATUS(cdz_cipher_dup(&d, c), CDZ_OK);
        CHECK_STATUS(drive_encrypt(d, a, &x, result, len, &n, NULL), CDZ_ERR_KEY_WEAK);
        test_all("output of a refused call", result, 0x77, len);
        x.in = sealed;
        CHECK_STATUS(drive_decrypt(c, a, &x, result, len, &n, NULL), CDZ_OK);
        test_same("plaintext", result, message, len);
        cdz_cipher_free(d);
        cdz_cipher_free(c);
        /* One bit, anywhere, makes them differ. */
        for (size_t bit = 0; bit < 8 * half; bit += 1 + rnd_below(5)) {
            key[bit / 8] ^= (uint8_t)(1u << bit % 8);
            c = combo_new(&b.e[i], a->name, key, a->info.key_len);
            x.in = message;
            CHECK_STATUS(drive_encrypt(c, a, &x, result, len, &n, NULL), CDZ_OK);
            cdz_cipher_free(c);
            key[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    }
    bench_free(&b);
}

/* ---- special: CCM's lengths (B25) ---- */

static void test_ccm_lengths(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t iv[13], tag[16];
    size_t n;
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    rnd_fill(message, 65536);
    for (size_t iv_len = 7; iv_len <= 13; iv_len++)
        for (size_t tag_len = 4; tag_len <= 16; tag_len += 2) {
            struct case_ x = {
                .m = {.in = message, .len = 300, .iv = iv, .iv_len = iv_len, .aad = aad_text, .aad_len = 31}};
            x.m.tag_len = tag_len;
            expect(&b, &x);
            for (size_t i = 0; i < b.n; i++) {
                one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
                one_call(&b, i, &x, CDZ_DECRYPT, IN_PLACE, 1, 1);
            }
        }
    /* A nonce of 13 leaves two bytes for the length. */
    struct case_ x = {.m = {.in = message, .len = 65535, .iv = iv, .iv_len = 13, .tag_len = 16}};
    cdz_cipher *c = b.c[0];
    expect(&b, &x);
    one_call(&b, 0, &x, CDZ_ENCRYPT, END, 0, 0);
    one_call(&b, 0, &x, CDZ_DECRYPT, END, 0, 0);
    memset(result, 0x77, 65536);
    CHECK_STATUS(cdz_encrypt(c, iv, 13, NULL, 0, message, 65536, result, tag, 16), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_decrypt(c, iv, 13, NULL, 0, message, 65536, result, tag, 16), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_begin_sized(c, CDZ_ENCRYPT, iv, 13, 0, 65536, 16), CDZ_ERR_LIMIT);
    test_all("output of a refused call", result, 0x77, 65536);
    CHECK_STATUS(cdz_begin_sized(c, CDZ_ENCRYPT, iv, 12, 0, (UINT64_C(1) << 24) - 1, 16), CDZ_OK);
    CHECK_STATUS(cdz_begin_sized(c, CDZ_ENCRYPT, iv, 12, 0, UINT64_C(1) << 24, 16), CDZ_ERR_LIMIT);
    CHECK_STATUS(cdz_begin_sized(c, CDZ_ENCRYPT, iv, 7, 0, a->info.max_len, 16), CDZ_OK);
    /* Lengths told and lengths passed differ. */
    CHECK_STATUS(cdz_begin(c, CDZ_ENCRYPT, iv, 12), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_begin_sized(c, CDZ_ENCRYPT, iv, 12, 10, 50, 16), CDZ_OK);
    CHECK_STATUS(cdz_update(c, message, 1, result, 64, &n), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_aad(c, aad_text, 11), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_aad(c, aad_text, 10), CDZ_OK);
    CHECK_STATUS(cdz_update(c, message, 51, result, 128, &n), CDZ_ERR_LENGTH);
    CHECK_STATUS(cdz_update(c, message, 49, result, 128, &n), CDZ_OK);
    CHECK_STATUS(cdz_finish(c, result, 64, &n), CDZ_ERR_LENGTH);
    bench_free(&b);
}

/* ---- special: OCB's nonces and numbers of blocks (B31, B40) ---- */

static void test_ocb_nonces(void *arg) {
    const struct algorithm *a = arg;
    static const uint8_t lasts[3] = {0, 0x3f, 0xff};
    static uint8_t seen[15 * 3 * 3][64];
    struct bench b;
    size_t count = 0;
    bench_new(&b, a);
    rnd_fill(message, 2048);
    for (size_t iv_len = 1; iv_len <= 15; iv_len++)
        for (size_t k = 0; k < 3; k++)
            for (size_t tag_len = 8; tag_len <= 16; tag_len += 4) {
                uint8_t iv[15];
                memset(iv, 0x11, sizeof iv);
                iv[iv_len - 1] = k == 0 ? (uint8_t)(iv_len - 1) : lasts[k];
                struct case_ x = {.m = {.in = message, .len = 64, .iv = iv, .iv_len = iv_len, .tag_len = tag_len}};
                expect(&b, &x);
                for (size_t i = 0; i < b.n; i++) one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
                /* Every nonce and every length of the tag gives another ciphertext. */
                for (size_t j = 0; j < count; j++) CHECK(memcmp(seen[j], sealed, 64) != 0);
                memcpy(seen[count++], sealed, 64);
            }
    for (unsigned bottom = 0; bottom < 64; bottom++) { /* all shifts of the stretch */
        uint8_t iv[12] = {9};
        iv[11] = (uint8_t)(bottom | (bottom % 4) << 6);
        struct case_ x = {.m = {.in = message, .len = 100, .iv = iv, .iv_len = 12, .tag_len = 16}};
        expect(&b, &x);
        for (size_t i = 0; i < b.n; i++) one_call(&b, i, &x, CDZ_DECRYPT, END, 0, 0);
    }
    bench_free(&b);
}

static void test_ocb_blocks(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    const size_t most = test_quick ? 10 : 17, room = (((size_t)1 << most) + 2) * 16;
    uint8_t iv[12] = {1}, *in = malloc(room), *want = malloc(room), *out = malloc(room + 64), tag[16], want_tag[16];
    if (!in || !want || !out) abort();
    bench_new(&b, a);
    rnd_fill(in, room);
    for (size_t k = 0; k <= most; k++)
        for (size_t d = 0; d < 3; d++) {
            const size_t len = (((size_t)1 << k) - 1 + d) * 16;
            size_t n;
            /* As data, then as associated data; in one call, then with 5 bytes first. */
            for (int aad = 0; aad < 2; aad++) {
                const struct msg m = {iv, 12, aad ? in : NULL, aad ? len : 0, in, aad ? 0 : len, 16};
                const struct ref_message r = msg_ref(&m);
                ref_seal(&b.r, &r, want, want_tag);
                for (size_t i = 0; i < b.n; i++) {
                    const struct cuts cuts = {.n = 1, .at = {aad ? 0u : 5u}, .aad_n = 1, .aad_at = {aad ? 5u : 0u}};
                    if (b.e[i].slow && k > 14 && d != 1) continue;
                    NOW(.what = aad ? "2^k blocks of associated data" : "2^k blocks", .name = a->name,
                        .engine = b.e[i].name, .len = len);
                    if (len < 5) continue;
                    CHECK_STATUS(drive_encrypt(b.c[i], a, &m, out, room, &n, tag), CDZ_OK);
                    test_same("output", out, want, n);
                    test_same("tag", tag, want_tag, 16);
                    CHECK_STATUS(drive_stream(b.c[i], a, &m, CDZ_ENCRYPT, &cuts, out, &n, tag), CDZ_OK);
                    test_same("output in pieces", out, want, n);
                    test_same("tag in pieces", tag, want_tag, 16);
                }
            }
        }
    free(in);
    free(want);
    free(out);
    bench_free(&b);
}

/* ---- special: SIV's strings (B30) ---- */

static void test_siv_strings(void *arg) {
    const struct algorithm *a = arg;
    static const uint8_t nothing[1];
    static const cdz_bytes lists[][3] = {{{NULL, 0}},
                                         {{NULL, 0}},
                                         {{NULL, 0}, {NULL, 0}},
                                         {{(const uint8_t *)"a", 1}, {(const uint8_t *)"b", 1}},
                                         {{(const uint8_t *)"ab", 2}},
                                         {{(const uint8_t *)"b", 1}, {(const uint8_t *)"a", 1}},
                                         {{(const uint8_t *)"a", 1}, {(const uint8_t *)"b", 1}, {NULL, 0}}};
    static const size_t counts[] = {0, 1, 2, 2, 1, 2, 3};
    enum { LISTS = sizeof counts / sizeof *counts };
    struct bench b;
    bench_new(&b, a);
    rnd_fill(message, 200);
    for (size_t len = 0; len <= 40; len += 8)
        for (size_t i = 0; i < b.n; i++) {
            uint8_t v[LISTS][16], want[16], tag[16];
            NOW(.what = "strings", .name = a->name, .engine = b.e[i].name, .len = len);
            for (size_t k = 0; k < LISTS; k++) {
                const uint8_t *strings[3];
                size_t lens[3];
                for (size_t j = 0; j < counts[k]; j++) {
                    strings[j] = lists[k][j].data ? lists[k][j].data : nothing;
                    lens[j] = lists[k][j].len;
                }
                ref_siv_seal(&b.r, strings, lens, counts[k], message, len, sealed, want);
                CHECK_STATUS(cdz_siv_encrypt(b.c[i], lists[k], counts[k], message, len, result, v[k]), CDZ_OK);
                test_same("ciphertext", result, sealed, len);
                test_same("V", v[k], want, 16);
                CHECK_STATUS(cdz_siv_decrypt(b.c[i], lists[k], counts[k], sealed, len, result, v[k]), CDZ_OK);
                test_same("plaintext", result, message, len);
                for (size_t j = 0; j < k; j++) CHECK(memcmp(v[j], v[k], 16) != 0); /* all of them differ */
                v[k][5] ^= 1;
                memset(result, 0x77, 64);
                CHECK_STATUS(cdz_siv_decrypt(b.c[i], lists[k], counts[k], sealed, len, result, v[k]), CDZ_ERR_AUTH);
                test_all("output after a wrong tag", result, 0, len);
                v[k][5] ^= 1;
            }
            /* None and one empty string, through the plain call: NULL is none. */
            CHECK_STATUS(cdz_encrypt(b.c[i], NULL, 0, NULL, 0, message, len, result, tag, 16), CDZ_OK);
            test_same("no string", tag, v[0], 16);
            CHECK_STATUS(cdz_encrypt(b.c[i], NULL, 0, nothing, 0, message, len, result, tag, 16), CDZ_OK);
            test_same("one empty string", tag, v[1], 16);
            CHECK_STATUS(
                cdz_encrypt(b.c[i], (const uint8_t *)"b", 1, (const uint8_t *)"a", 1, message, len, result, tag, 16),
                CDZ_OK);
            test_same("associated data, then nonce", tag, v[3], 16);
        }
    /* 126 strings and no more; random lists. */
    for (int turn = 0; turn < (test_quick ? 20 : 100); turn++) {
        cdz_bytes list[127];
        const uint8_t *strings[127];
        size_t lens[127];
        uint8_t v[16], want[16];
        const size_t i = rnd_below(b.n), n = turn == 0 ? 126 : rnd_below(20), len = rnd_below(100);
        for (size_t j = 0; j < 127; j++) {
            list[j].data = strings[j] = aad_text + rnd_below(1000);
            list[j].len = lens[j] = rnd_below(40);
        }
        NOW(.what = "random strings", .name = a->name, .engine = b.e[i].name, .len = len, .a = n);
        ref_siv_seal(&b.r, strings, lens, n, message, len, sealed, want);
        CHECK_STATUS(cdz_siv_encrypt(b.c[i], list, n, message, len, result, v), CDZ_OK);
        test_same("ciphertext", result, sealed, len);
        test_same("V", v, want, 16);
        memset(result, 0x77, 128);
        CHECK_STATUS(cdz_siv_encrypt(b.c[i], list, 127, message, len, result, v), CDZ_ERR_LIMIT);
        CHECK_STATUS(cdz_siv_decrypt(b.c[i], list, 127, message, len, result, v), CDZ_ERR_LIMIT);
        test_all("output of a refused call", result, 0x77, 128);
    }
    bench_free(&b);
}

/* ---- special: counters of SIV and GCM-SIV before a carry (B05, B47) ---- */

static void test_tag_counters(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    const bool siv = a->model == &ref_siv;
    bench_new(&b, a);
    rnd_fill(message, 4096);
    for (int k = 0; k < 40; k++) {
        uint8_t tag[16], iv[12], aad[16];
        const size_t len = 16 * (20 + rnd_below(algorithm_batch(a) * 2));
        rnd_fill(iv, 12);
        do { /* not every tag can be the tag of something: half of them in GCM-SIV */
            rnd_fill(tag, 16);
            const size_t before = rnd_below(40);
            if (siv) { /* a big-endian number; bits 31 and 63 are cleared first */
                memset(tag + 12 - k % 9, 0xff, (size_t)(4 + k % 9));
                tag[15] = (uint8_t)(0xff - before);
            } else { /* the first four bytes, little-endian */
                memset(tag, 0xff, (size_t)(k % 4 + 1));
                tag[0] = (uint8_t)(0xff - before);
            }
        } while (siv ? !ref_siv_string_for_v(&b.r, message, len, tag, aad)
                     : !ref_gcm_siv_aad_for_tag(&b.r, iv, message, len, tag, aad));
        struct case_ x = {
            .m = {
                .in = message, .len = len, .iv = iv, .iv_len = siv ? 0 : 12, .aad = aad, .aad_len = 16, .tag_len = 16}};
        expect(&b, &x);
        test_same("the tag that was solved for", x.tag, tag, 16);
        for (size_t i = 0; i < b.n; i++) {
            one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
            one_call(&b, i, &x, CDZ_DECRYPT, IN_PLACE, 1, 1);
        }
    }
    bench_free(&b);
}

/* ---- special: key wrap (B26, B45) ---- */

static void test_wrap(void *arg) {
    const struct algorithm *a = arg;
    const bool kwp = a->model == &ref_kwp;
    struct bench b;
    uint8_t raw_key[32], tag[16];
    bench_new(&b, a);
    memcpy(raw_key, b.key, 32);
    for (size_t i = 0; i < b.n; i++) {
        size_t n;
        cdz_cipher *c = b.c[i], *other, *ecb;
        char name[40];
        snprintf(name, sizeof name, "%s-%zu-%s", a->cipher_name, a->bits, kwp ? "KW" : "KWP");
        CHECK_STATUS(cdz_cipher_new_on(&other, b.e[i].engine, name, raw_key, a->info.key_len), CDZ_OK);
        snprintf(name, sizeof name, "%s-%zu-ECB", a->cipher_name, a->bits);
        CHECK_STATUS(cdz_cipher_new_on(&ecb, b.e[i].engine, name, raw_key, a->info.key_len), CDZ_OK);
        engine_count(b.e[i].name);
        /* Lengths: KW takes whole semiblocks from two on, KWP anything but nothing. */
        for (size_t len = 0; len <= 40; len++) {
            const size_t padded = (len + 7) / 8 * 8;
            const bool good = kwp ? len >= 1 : len >= 16 && len % 8 == 0;
            NOW(.what = "lengths", .name = a->name, .engine = b.e[i].name, .len = len);
            rnd_fill(message, 64);
            memset(result, 0x77, 128);
            n = 12345;
            if (!good) {
                CHECK_STATUS(cdz_wrap(c, NULL, 0, message, len, result, 128, &n), CDZ_ERR_LENGTH);
                test_all("output of a refused call", result, 0x77, 128);
                continue;
            }
            CHECK_STATUS(cdz_wrap(c, NULL, 0, message, len, NULL, 0, &n), CDZ_ERR_BUFFER);
            CHECK(n == padded + 8);
            CHECK_STATUS(cdz_wrap(c, NULL, 0, message, len, result, padded + 7, &n), CDZ_ERR_BUFFER);
            CHECK(n == padded + 8);
            test_all("output of a refused call", result, 0x77, 128);
            CHECK_STATUS(cdz_wrap(c, NULL, 0, message, len, result, padded + 8, &n), CDZ_OK);
            CHECK(n == padded + 8);
            test_all("behind the output", result + n, 0x77, 128 - n);
            /* The other mode's unwrap refuses it, and zeroes what it wrote. */
            uint8_t out[64];
            size_t m;
            memset(out, 0x77, sizeof out);
            const cdz_status s = cdz_unwrap(other, NULL, 0, result, n, out, sizeof out, &m);
            CHECK(s == CDZ_ERR_AUTH || (s == CDZ_ERR_LENGTH && !kwp ? false : s == CDZ_ERR_LENGTH));
            if (s == CDZ_ERR_AUTH) test_all("output after a wrong value", out, 0, n - 8);
            /* Room: one byte less than the longest key that it may hold. */
            memset(out, 0x77, sizeof out);
            CHECK_STATUS(cdz_unwrap(c, NULL, 0, result, n, out, n - 9, &m), CDZ_ERR_BUFFER);
            CHECK(m == n - 8);
            test_all("output of a refused call", out, 0x77, sizeof out);
            CHECK_STATUS(cdz_unwrap(c, NULL, 0, result, n, out, n - 8, &m), CDZ_OK);
            CHECK(m == len);
            test_same("key", out, message, len);
            /* Every bit of the first semiblock, and some of the rest. */
            for (size_t bit = 0; bit < 8 * n; bit += bit < 64 ? 1 : 7) {
                result[bit / 8] ^= (uint8_t)(1u << bit % 8);
                memset(out, 0x77, sizeof out);
                CHECK_STATUS(cdz_unwrap(c, NULL, 0, result, n, out, sizeof out, &m), CDZ_ERR_AUTH);
                test_all("output after a wrong value", out, 0, n - 8);
                result[bit / 8] ^= (uint8_t)(1u << bit % 8);
            }
        }
        for (size_t len = 0; len <= 40; len++) { /* unwrapping what cannot be one */
            const bool good = len % 8 == 0 && len >= (kwp ? 16 : 24);
            uint8_t out[64];
            if (good) continue;
            memset(out, 0x77, sizeof out);
            CHECK_STATUS(cdz_unwrap(c, NULL, 0, message, len, out, sizeof out, &n), CDZ_ERR_LENGTH);
            test_all("output of a refused call", out, 0x77, sizeof out);
        }
        /* The step counter: 336 bytes end with step 252, 344 need its second byte, 4096 go on. */
        static const size_t lengths[] = {328, 336, 344, 352, 4096};
        for (size_t k = 0; k < 5; k++) {
            struct case_ x = {.m = {.in = message, .len = lengths[k]}};
            rnd_fill(message, lengths[k]);
            expect(&b, &x);
            one_call(&b, i, &x, CDZ_ENCRYPT, END, 0, 0);
            one_call(&b, i, &x, CDZ_ENCRYPT, IN_PLACE, 3, 3);
            one_call(&b, i, &x, CDZ_DECRYPT, END, 0, 0);
            one_call(&b, i, &x, CDZ_DECRYPT, IN_PLACE, 3, 3);
        }
        if (kwp) { /* made by hand, with one block of ECB: prefix, length, 8 bytes that should end with zeros */
            static const struct {
                uint32_t prefix, length;
                uint8_t data[8];
                size_t key; /* 0: to be refused */
            } blocks[] = {{0xa65959a6, 0, {0}, 0},
                          {0xa65959a6, 9, {1, 2, 3, 4, 5, 6, 7, 8}, 0},
                          {0xa65959a6, 5, {1, 2, 3, 4, 5, 0, 0, 0}, 5},
                          {0xa65959a6, 5, {1, 2, 3, 4, 5, 1, 0, 0}, 0},
                          {0xa65959a6, 5, {1, 2, 3, 4, 5, 0, 0, 1}, 0},
                          {0xa65959a6, 8, {1, 2, 3, 4, 5, 6, 7, 8}, 8},
                          {0xa65959a6, 1, {1}, 1},
                          {0xa65959a6, UINT32_MAX, {0}, 0},
                          {0xa65959a6, 0x80000005, {1, 2, 3, 4, 5}, 0},
                          {0xa65959a7, 8, {1, 2, 3, 4, 5, 6, 7, 8}, 0},
                          {0xa6a6a6a6, 0xa6a6a6a6, {1, 2, 3, 4, 5, 6, 7, 8}, 0}};
            for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
                uint8_t block[16], out[8];
                for (int j = 0; j < 4; j++) {
                    block[j] = (uint8_t)(blocks[k].prefix >> (24 - 8 * j));
                    block[4 + j] = (uint8_t)(blocks[k].length >> (24 - 8 * j));
                }
                memcpy(block + 8, blocks[k].data, 8);
                CHECK_STATUS(cdz_encrypt(ecb, NULL, 0, NULL, 0, block, 16, block, NULL, 0), CDZ_OK);
                NOW(.what = "a block made by hand", .name = a->name, .engine = b.e[i].name, .len = k);
                memset(out, 0x77, 8);
                const cdz_status s = cdz_unwrap(c, NULL, 0, block, 16, out, 8, &n);
                CHECK_STATUS(s, blocks[k].key ? CDZ_OK : CDZ_ERR_AUTH);
                if (blocks[k].key) {
                    CHECK(n == blocks[k].key);
                    test_same("key", out, blocks[k].data, n);
                } else {
                    test_all("output after a wrong value", out, 0, 8);
                }
            }
        }
        /* No messages in pieces. */
        CHECK_STATUS(cdz_begin(c, CDZ_ENCRYPT, NULL, 0), CDZ_ERR_UNSUPPORTED);
        CHECK_STATUS(cdz_encrypt(c, NULL, 0, NULL, 0, message, 16, result, tag, 0), CDZ_ERR_UNSUPPORTED);
        cdz_cipher_free(other);
        cdz_cipher_free(ecb);
    }
    bench_free(&b);
}

/* ---- more blocks in a message than 16 bits count, in every mode ---- */

static void test_long(void *arg) {
    const struct algorithm *a = arg;
    struct bench b;
    uint8_t iv[16], tag[16], want_tag[16];
    const size_t len = algorithm_length(a, (65536 + 300) * 16 + 5);
    size_t n, want_len;
    if (test_quick) test_skip("too long for a quick run");
    bench_new(&b, a);
    rnd_fill(iv, sizeof iv);
    uint8_t *in = malloc(len), *want = malloc(len + 32), *out = malloc(len + 64);
    if (!in || !want || !out) abort();
    rnd_fill(in, len);
    struct msg m = {iv, a->info.iv_default, NULL, 0, in, len, longest_tag(a)};
    const struct ref_message r = msg_ref(&m);
    want_len = ref_seal(&b.r, &r, want, want_tag);
    for (size_t i = 0; i < b.n; i++) {
        struct msg d = m;
        if (strcmp(b.e[i].name, b.e[i].engine) != 0 && b.e[i].slow && i + 1 < b.n) continue;
        NOW(.what = "a long message", .name = a->name, .engine = b.e[i].name, .len = len);
        CHECK_STATUS(drive_encrypt(b.c[i], a, &m, out, len + 32, &n, tag), CDZ_OK);
        CHECK(n == want_len);
        test_same("output", out, want, n);
        test_same("tag", tag, want_tag, m.tag_len);
        if (!a->info.mac) d.in = out, d.len = n;
        CHECK_STATUS(drive_decrypt(b.c[i], a, &d, out, len + 32, &n, tag), CDZ_OK);
        if (!a->info.mac) test_same("plaintext", out, in, len);
    }
    free(in);
    free(want);
    free(out);
    bench_free(&b);
}

/* ---- the list ---- */

static void add(void (*run)(void *), const struct algorithm *a, const char *what) {
    struct algorithm *copy = malloc(sizeof *copy);
    if (!copy) abort();
    *copy = *a;
    test_add(run, copy, "%s %s", what, a->name);
}

static void add_all(const struct algorithm *a) {
    const char *mode = a->model->name;
    const bool long_ones = !test_quick || a->bits == algorithm_drawn_bits(a); /* properties of the mode take 128 bits */
    add(test_describe, a, "describe");
    if (long_ones) {
        add(test_sweep, a, "sweep");
        add(test_far, a, "far");
        if (a->model->aad) add(test_aad, a, "aad");
        add(test_pairs, a, "pairs");
    }
    if (strcmp(mode, "GCM") == 0 && long_ones) add(test_gcm_wrap, a, "counter wrap");
    if ((strcmp(mode, "CTR") == 0 || strcmp(mode, "EAX") == 0) && long_ones) add(test_counters, a, "counter carries");
    if (strcmp(mode, "XTS") == 0) {
        if (long_ones) add(test_xts_short, a, "short units");
        add(test_xts_keys, a, "keys");
    }
    if (a->model->calls <= 2 && !a->model->max && a->bits == algorithm_drawn_bits(a)) add(test_long, a, "long");
    if (a->model == &ref_siv || a->model == &ref_gcm_siv) add(test_tag_counters, a, "counters");
    if (a->bits != 128) return;
    if (a->model == &ref_ccm) add(test_ccm_lengths, a, "lengths");
    if (a->model == &ref_ocb) {
        add(test_ocb_nonces, a, "nonces");
        add(test_ocb_blocks, a, "numbers of blocks");
    }
    if (a->model == &ref_siv) add(test_siv_strings, a, "strings");
    if (a->info.wraps) add(test_wrap, a, "wrap");
    add(test_offsets, a, "offsets");
    add(test_iv, a, "iv");
    if (a->info.tag_lengths) add(test_tags, a, "tags");
    add(test_limits, a, "limits");
    if (strcmp(mode, "CTR") == 0) {
        add(test_counter_runs, a, "counter runs");
        add(test_counter_ends, a, "counter ends");
    }
}

int main(int argc, char **argv) {
    test_begin();
    each_algorithm_of(argc > 1 ? argv[1] : NULL, NULL, add_all);
    return test_end("modes");
}
