/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages in pieces, for every mode x cipher x engine, against the model.
 *
 *   splits      200 bytes cut in two everywhere, and 2000 times in random pieces, some of them empty; the associated
 * data likewise; 5, then 16, then the rest in place    pieces of 0 to 33 and 0 to 33 bytes that are written over
 * themselves together    two objects with one key, byte by byte in turns again       a new message after one that was
 * given up, that failed, that ended copies      cdz_cipher_dup() and cdz_cipher_copy() at five moments, the original
 * overwritten and freed sequences   random calls against a small model of the state machine: bytes or error codes
 *
 * One argument, "ARIA" or "AES", takes that cipher alone.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 };
static uint8_t text[MOST], aad_text[MOST], sealed[MOST + 64], result[MOST + 256];

/* A key, an IV and what the model makes of a message with them. */
struct setting {
    const struct algorithm *a;
    struct combo e[COMBO_MAX];
    size_t n;
    struct ref r;
    uint8_t key[64], iv[64], tag[16];
    struct msg m;
    size_t out_len;
};

static void set_up(struct setting *s, const struct algorithm *a, size_t len, size_t aad_len) {
    memset(s, 0, sizeof *s);
    s->a = a;
    s->n = algorithm_combos(a, s->e);
    rnd_fill(s->key, sizeof s->key);
    rnd_fill(s->iv, sizeof s->iv);
    rnd_fill(text, sizeof text);
    rnd_fill(aad_text, sizeof aad_text);
    ref_init(&s->r, a->model->name, a->cipher, s->key, a->info.key_len);
    size_t tag_len = 0;
    if (a->info.tag_lengths) tag_len = 31 - (size_t)__builtin_clz(a->info.tag_lengths);
    s->m = (struct msg){s->iv, a->info.iv_default,       aad_text, a->model->aad ? aad_len : 0,
                        text,  algorithm_length(a, len), tag_len};
    const struct ref_message m = msg_ref(&s->m);
    s->out_len = ref_seal(&s->r, &m, sealed, s->tag);
}

static cdz_cipher *object(const struct setting *s, size_t i) {
    return combo_new(&s->e[i], s->a->name, s->key, s->a->info.key_len);
}

/* The message as one direction takes it. */
static struct msg side(const struct setting *s, cdz_direction direction) {
    struct msg m = s->m;
    if (direction == CDZ_DECRYPT && !s->a->info.mac) {
        m.in = sealed;
        m.len = s->out_len;
    }
    return m;
}

static void check_result(const struct setting *s, cdz_direction direction, size_t n, const uint8_t *tag) {
    const bool decrypt = direction == CDZ_DECRYPT;
    CHECK(n == (s->a->info.mac ? 0 : decrypt ? s->m.len : s->out_len));
    test_same("output", result, decrypt ? text : sealed, n);
    if (!decrypt) test_same("tag", tag, s->tag, s->m.tag_len);
}

static void stream(const struct setting *s, cdz_cipher *c, cdz_direction direction, const struct cuts *cuts) {
    const struct msg m = side(s, direction);
    uint8_t tag[16];
    size_t n = 0;
    if (direction == CDZ_DECRYPT)
        memcpy(tag, s->tag, 16);
    else
        memset(tag, 0x11, 16);
    test_now.len = m.len;
    test_now.a = cuts->n ? cuts->at[0] : m.len;
    test_now.b = cuts->n;
    CHECK_STATUS(drive_stream(c, s->a, &m, direction, cuts, result, &n, tag), CDZ_OK);
    check_result(s, direction, n, tag);
}

static const cdz_direction both[2] = {CDZ_ENCRYPT, CDZ_DECRYPT};

/* A piece of the message; what a MAC is made of goes as associated data. */
static cdz_status feed(cdz_cipher *c, const struct algorithm *a, const uint8_t *in, size_t len, uint8_t *out,
                       size_t cap, size_t *n) {
    if (!a->info.mac) return cdz_update(c, in, len, out, cap, n);
    *n = 0;
    return cdz_aad(c, in, len);
}

/* ---- splits (H6, B07, B35) ---- */

static void test_splits(void *arg) {
    const struct algorithm *a = arg;
    struct setting s;
    const bool costly = a->model->calls > 2;
    const size_t step = test_quick > 1 ? 3 : 1;
    set_up(&s, a, costly ? 50 : 200, 70);
    const size_t turn = rnd_below(s.n);
    for (size_t i = 0; i < s.n; i++) {
        if (algorithm_passes(a, i, s.n, turn)) continue;
        cdz_cipher *c = object(&s, i);
        for (int d = 0; d < 2; d++) {
            struct cuts cuts;
            const size_t len = side(&s, both[d]).len;
            NOW(.what = d ? "splits, decryption" : "splits, encryption", .name = a->name, .engine = s.e[i].name);
            for (size_t at = rnd_below(step); at <= len; at += step)
                for (int in_place = 0; in_place < 2; in_place++) {
                    cuts = (struct cuts){.n = 1, .at = {at}, .in_place = in_place, .early_tag = at % 2};
                    stream(&s, c, both[d], &cuts);
                }
            for (size_t at = rnd_below(step); s.m.aad_len && at <= s.m.aad_len; at += step) {
                cuts = (struct cuts){.aad_n = 1, .aad_at = {at}};
                stream(&s, c, both[d], &cuts);
            }
            cuts = (struct cuts){.n = 2, .at = {5, 21}};
            stream(&s, c, both[d], &cuts);
            /* Empty pieces at the start, in the middle and at the end. */
            cuts = (struct cuts){.n = 7, .at = {0, 0, 20, 20, 20, len, len}, .aad_n = 3, .aad_at = {0, 7, 7}};
            if (!s.m.aad_len) cuts.aad_n = 0;
            stream(&s, c, both[d], &cuts);
            const int turns = test_quick > 1 ? 20 : test_quick || costly ? 50 : s.e[i].slow ? 300 : 1000;
            for (int k = 0; k < turns; k++) {
                random_cuts(&cuts, len, s.m.aad_len, 1 + rnd_below(30));
                stream(&s, c, both[d], &cuts);
            }
        }
        cdz_cipher_free(c);
    }
    /* Whole blocks: where a block that waited is the last after all. */
    set_up(&s, a, 48, 32);
    for (size_t i = 0; i < s.n; i++) {
        cdz_cipher *c = object(&s, i);
        for (int d = 0; d < 2; d++) {
            NOW(.what = d ? "whole blocks, decryption" : "whole blocks, encryption", .name = a->name,
                .engine = s.e[i].name);
            for (size_t at = 0; at <= side(&s, both[d]).len; at++)
                stream(&s, c, both[d], &(struct cuts){.n = 1, .at = {at}, .in_place = at % 2});
            for (size_t at = 0; s.m.aad_len && at <= s.m.aad_len; at++)
                stream(&s, c, both[d], &(struct cuts){.aad_n = 1, .aad_at = {at}});
        }
        cdz_cipher_free(c);
    }
}

/* ---- in place (B32) ---- */

static void test_in_place(void *arg) {
    const struct algorithm *a = arg;
    struct setting s;
    for (size_t x = 0; x <= 33; x++)
        for (size_t y = 0; y <= 33; y++) {
            const size_t len = x + y;
            if (len != algorithm_length(a, len) || (test_quick && y % 5) || (a->model->calls > 16 && y % 8)) continue;
            set_up(&s, a, len, 0);
            const size_t i = rnd_below(s.n);
            cdz_cipher *c = object(&s, i);
            for (int d = 0; d < 2; d++) {
                NOW(.what = "in place", .name = a->name, .engine = s.e[i].name);
                for (size_t more = 0; more < 2; more++) { /* the rest in a third piece, where there is one */
                    const struct cuts cuts = {.n = 2, .at = {x, x + y - more * (y > 0)}, .in_place = true};
                    stream(&s, c, both[d], &cuts);
                }
            }
            cdz_cipher_free(c);
        }
}

/* ---- two objects in turns (B07) ---- */

static void test_together(void *arg) {
    const struct algorithm *a = arg;
    struct setting s;
    set_up(&s, a, a->model->calls > 2 ? 40 : 100, 20);
    const size_t turn = rnd_below(s.n);
    for (size_t i = 0; i < s.n; i++)
        for (int d = 0; d < 2; d++) {
            if (algorithm_passes(a, i, s.n, turn)) continue;
            const struct msg m = side(&s, both[d]);
            cdz_cipher *c[2] = {object(&s, i), NULL};
            uint8_t out[2][256], tag[2][16];
            size_t total[2] = {0, 0}, n;
            CHECK_STATUS(cdz_cipher_dup(&c[1], c[0]), CDZ_OK);
            NOW(.what = "together", .name = a->name, .engine = s.e[i].name);
            engine_count(s.e[i].name);
            for (int k = 0; k < 2; k++) CHECK_STATUS(drive_begin(c[k], a, &m, both[d], false), CDZ_OK);
            for (size_t at = 0; at < m.aad_len; at++)
                for (int k = 0; k < 2; k++) CHECK_STATUS(cdz_aad(c[k], m.aad + at, 1), CDZ_OK);
            for (size_t at = 0; at < m.len; at++)
                for (int k = 0; k < 2; k++) {
                    CHECK_STATUS(feed(c[k], a, m.in + at, 1, out[k] + total[k], 32, &n), CDZ_OK);
                    total[k] += n;
                }
            for (int k = 0; k < 2; k++) {
                if (d && m.tag_len) CHECK_STATUS(cdz_expect_tag(c[k], s.tag, m.tag_len), CDZ_OK);
                CHECK_STATUS(cdz_finish(c[k], out[k] + total[k], 32, &n), CDZ_OK);
                total[k] += n;
                /* After decryption it is the caller's own that it was held against, and never that of the message. */
                if (m.tag_len) CHECK_STATUS(cdz_tag(c[k], tag[k], m.tag_len), d ? CDZ_ERR_STATE : CDZ_OK);
                memcpy(result, out[k], total[k]);
                check_result(&s, both[d], total[k], tag[k]);
                cdz_cipher_free(c[k]);
            }
        }
}

/* ---- again (B08) ---- */

static void test_again(void *arg) {
    const struct algorithm *a = arg;
    struct setting s;
    const struct cuts none = {0};
    set_up(&s, a, 100, 30);
    const size_t turn = rnd_below(s.n);
    for (size_t i = 0; i < s.n; i++)
        for (int d = 0; d < 2; d++)
            for (int before = 0; before < 8; before++) {
                if (algorithm_passes(a, i, s.n, turn + (size_t)before)) continue;
                cdz_cipher *c = object(&s, i);
                const cdz_direction other = both[(before + d) % 2];
                struct msg m = side(&s, other);
                uint8_t out[256], tag[32], iv[64];
                size_t n, k;
                NOW(.what = "again", .name = a->name, .engine = s.e[i].name, .a = (size_t)before, .b = (size_t)d);
                rnd_fill(iv, sizeof iv);
                m.iv = iv;
                if (before > 0) CHECK_STATUS(drive_begin(c, a, &m, other, before % 2), CDZ_OK);
                if (before > 1 && m.aad_len) CHECK_STATUS(cdz_aad(c, aad_text, before == 2 ? 3 : m.aad_len), CDZ_OK);
                if (before > 2) CHECK_STATUS(feed(c, a, text, 23, out, sizeof out, &n), CDZ_OK);
                if (before == 4 && !a->info.mac) { /* an error return */
                    CHECK_STATUS(cdz_update(c, text, 64, out, 1, &n), CDZ_ERR_BUFFER);
                    CHECK(n > 1);
                }
                if (before >= 5) {
                    CHECK_STATUS(feed(c, a, text, m.len - 23, out, sizeof out, &n), CDZ_OK);
                    memset(tag, 0x42, sizeof tag);
                    if (other == CDZ_DECRYPT && m.tag_len) CHECK_STATUS(cdz_expect_tag(c, tag, m.tag_len), CDZ_OK);
                    const cdz_status e = cdz_finish(c, out, sizeof out, &n);
                    const bool fails = other == CDZ_DECRYPT && (m.tag_len || a->model->kind == REF_PADDED);
                    if (fails)
                        CHECK(e == (m.tag_len ? CDZ_ERR_AUTH : CDZ_ERR_PADDING) || (e == CDZ_OK && !m.tag_len));
                    else
                        CHECK_STATUS(e, CDZ_OK);
                    if (other == CDZ_ENCRYPT && m.tag_len)
                        for (k = 0; k < 2; k++) { /* the tag can be read twice */
                            CHECK_STATUS(cdz_tag(c, tag + 16 * k, m.tag_len), CDZ_OK);
                            test_same("tag read again", tag + 16 * k, tag, m.tag_len);
                        }
                    /* The message is over. */
                    CHECK_STATUS(cdz_update(c, text, 1, out, sizeof out, &n), CDZ_ERR_STATE);
                    CHECK_STATUS(cdz_finish(c, out, sizeof out, &n), CDZ_ERR_STATE);
                    if (a->model->aad || a->info.mac) CHECK_STATUS(cdz_aad(c, text, 1), CDZ_ERR_STATE);
                }
                stream(&s, c, both[d], &none);
                if (a->info.one_shot) { /* one-shot calls do not mind what the stream does */
                    const struct msg x = side(&s, both[d]);
                    memcpy(tag, s.tag, 16);
                    CHECK_STATUS(drive_begin(c, a, &x, both[1 - d], false), CDZ_OK);
                    if (d)
                        CHECK_STATUS(drive_decrypt(c, a, &x, result, sizeof result, &n, tag), CDZ_OK);
                    else
                        CHECK_STATUS(drive_encrypt(c, a, &x, result, sizeof result, &n, tag), CDZ_OK);
                    check_result(&s, both[d], n, tag);
                }
                cdz_cipher_free(c);
            }
}

/* ---- copies (B09) ---- */

static void test_copies(void *arg) {
    const struct algorithm *a = arg;
    struct setting s;
    const size_t size = cdz_cipher_size(a->name);
    const struct cuts none = {0};
    set_up(&s, a, 100, 30);
    const size_t turn = rnd_below(s.n);
    for (size_t i = 0; i < s.n; i++)
        for (int d = 0; d < 2; d++)
            for (int moment = 0; moment < 5; moment++)
                for (int how = 0; how < 3; how++) {
                    if (algorithm_passes(a, i, s.n, turn + (size_t)moment)) continue;
                    const struct msg m = side(&s, both[d]);
                    cdz_cipher *c = object(&s, i), *copy, *copy2;
                    uint8_t *mem = malloc(size + 64), *mem2 = malloc(size + 64), *mem3 = malloc(size + 64), tag[16];
                    size_t done = 0, aad_done = 0, n = 0, total = 0;
                    if (!mem || !mem2 || !mem3) abort();
                    NOW(.what = "copy", .name = a->name, .engine = s.e[i].name, .a = (size_t)moment, .b = (size_t)how);
                    if (how) { /* the original in memory that can be overwritten */
                        cdz_cipher *x;
                        CHECK_STATUS(cdz_cipher_copy(&x, mem + 1, size, c), CDZ_OK);
                        cdz_cipher_free(c);
                        c = x;
                    }
                    if (moment >= 1) CHECK_STATUS(drive_begin(c, a, &m, both[d], false), CDZ_OK);
                    if (moment >= 2 && m.aad_len) {
                        aad_done = moment == 2 ? 3 : m.aad_len;
                        CHECK_STATUS(cdz_aad(c, m.aad, aad_done), CDZ_OK);
                    }
                    if (moment >= 3) {
                        done = moment == 3 ? 23 : m.len;
                        CHECK_STATUS(feed(c, a, m.in, done, result, sizeof result, &total), CDZ_OK);
                    }
                    if (moment == 4) {
                        if (d && m.tag_len) CHECK_STATUS(cdz_expect_tag(c, s.tag, m.tag_len), CDZ_OK);
                        CHECK_STATUS(cdz_finish(c, result + total, 32, &n), CDZ_OK);
                        total += n;
                    }
                    if (how == 2)
                        CHECK_STATUS(cdz_cipher_copy(&copy, mem2 + 3, size, c), CDZ_OK);
                    else
                        CHECK_STATUS(cdz_cipher_dup(&copy, c), CDZ_OK);
                    if (how) {
                        cdz_cipher_wipe(c);
                        memset(mem, 0xdd, size + 64);
                    } else {
                        cdz_cipher_free(c);
                    }
                    /* A copy of the copy. */
                    CHECK_STATUS(cdz_cipher_copy(&copy2, mem3 + 17, size, copy), CDZ_OK);
                    if (how == 2)
                        cdz_cipher_wipe(copy);
                    else
                        cdz_cipher_free(copy);
                    memset(mem2, 0xdd, size + 64);
                    CHECK(strcmp(cdz_engine_name(copy2), s.e[i].name) == 0);
                    memcpy(tag, s.tag, 16);
                    if (moment == 0) {
                        stream(&s, copy2, both[d], &none);
                    } else if (moment == 4) {
                        if (!d && m.tag_len) CHECK_STATUS(cdz_tag(copy2, tag, m.tag_len), CDZ_OK);
                        check_result(&s, both[d], total, tag);
                    } else {
                        CHECK_STATUS(drive_pieces(copy2, a, &m, both[d], &none, aad_done, done, result, &total, tag),
                                     CDZ_OK);
                        check_result(&s, both[d], total, tag);
                    }
                    cdz_cipher_wipe(copy2);
                    test_all("wiped object", (uint8_t *)copy2, 0, 64);
                    free(mem);
                    free(mem2);
                    free(mem3);
                }
}

/* ---- random sequences (H5, B34) ---- */

enum phase { IDLE, AAD, DATA, DONE, FAILED };

struct machine {
    enum phase phase;
    cdz_direction direction;
    size_t iv_len, tag_len; /* tag_len: of the tag that goes with this message */
    size_t told_tag;        /* at begin; 0: not */
    uint64_t told_aad, told_len;
    uint8_t iv[32], tag[16]; /* decryption: the tag that is right for the whole of `planned` */
    uint8_t expected[16];    /* the tag given */
    size_t expected_len;
    size_t aad_len, len, planned; /* so far; decryption: the length of the ciphertext that `text` comes from */
    uint8_t in[MOST + 64], out[MOST + 64];
    size_t out_len;
};

/* Statuses that may be the answer, as a set: where several arguments are wrong at once, any of their errors. */
typedef uint32_t answers;
#define MAY(status) (UINT32_C(1) << -(status))

static void check_answer(cdz_status got, answers may, const char *call) {
    if (!(may & MAY(got))) test_fail("%s: %d (%s) is none of the answers %x", call, got, cdz_strerror(got), may);
}

static bool tag_ok(const struct algorithm *a, size_t n) { return n < 32 && (a->info.tag_lengths >> n & 1); }

struct walk {
    const struct setting *s;
    const struct algorithm *a;
    cdz_cipher *c;
    struct machine m;
    uint8_t *memory; /* of c, where it lies in ours */
};

static void walk_begin(struct walk *w) {
    const struct algorithm *a = w->a;
    struct machine n = {.phase = AAD, .direction = both[rnd_below(2)], .iv_len = a->info.iv_default};
    answers may = 0;
    if (rnd_below(6) == 0) n.iv_len = rnd_below(20);
    const bool sized = rnd_below(3) == 0 || (a->mode->flags & CDZ_MODE_SIZES_FIRST && rnd_below(10));
    rnd_fill(n.iv, sizeof n.iv);
    n.told_aad = n.told_len = CDZ_UNKNOWN;
    if (n.iv_len < a->info.iv_min || n.iv_len > a->info.iv_max) may |= MAY(CDZ_ERR_IV_LENGTH);
    n.planned = algorithm_length(a, rnd_below(300));
    size_t aad_planned = a->model->aad ? rnd_below(60) : 0;
    const bool first = a->mode->flags & CDZ_MODE_SIZES_FIRST;
    if (a->info.tag_lengths) do
            n.tag_len = rnd_below(17);
        while (!tag_ok(a, n.tag_len));
    if (sized) {
        n.told_tag = rnd_below(2) ? n.tag_len : rnd_below(3) ? 0 : rnd_below(40);
        if (n.told_tag && !a->info.tag_lengths) may |= MAY(CDZ_ERR_TAG_UNUSED);
        if (n.told_tag && a->info.tag_lengths && !tag_ok(a, n.told_tag)) may |= MAY(CDZ_ERR_TAG_LENGTH);
        if (rnd_below(first ? 10 : 2)) n.told_aad = a->info.mac ? n.planned : aad_planned;
        if (rnd_below(first ? 10 : 2)) n.told_len = a->info.mac ? 0 : rnd_below(8) ? n.planned : rnd_below(40);
        if (!a->info.max_aad && rnd_below(8) == 0) n.told_aad = 5;
        if (n.told_aad != CDZ_UNKNOWN && n.told_aad && !a->info.max_aad) may |= MAY(CDZ_ERR_AAD);
    }
    if (first && (n.told_aad == CDZ_UNKNOWN || n.told_len == CDZ_UNKNOWN)) may |= MAY(CDZ_ERR_LENGTH);
    if (n.told_len != CDZ_UNKNOWN && !a->info.mac) {
        const bool padded = a->model->kind == REF_PADDED;
        if (n.told_len % a->model->unit || n.told_len < a->model->min) may |= MAY(CDZ_ERR_LENGTH);
        /* Told the length of a padded ciphertext that cannot be one: an error now or at the end. */
        if (padded && n.direction == CDZ_DECRYPT && (n.told_len % 16 || !n.told_len)) n.told_len = CDZ_UNKNOWN;
    }
    if (n.told_tag && tag_ok(a, n.told_tag)) n.tag_len = n.told_tag;
    if (!n.told_tag && a->mode->flags & CDZ_MODE_TAG_FIRST) n.told_tag = n.tag_len = 16;
    cdz_status got;
    const bool no_iv = n.iv_len && rnd_below(12) == 0;
    if (no_iv) may |= MAY(CDZ_ERR_NULL);
    const uint8_t *iv = no_iv ? NULL : n.iv;
    if (!may) may = MAY(CDZ_OK);
    if (sized)
        got = cdz_begin_sized(w->c, n.direction, iv, n.iv_len, n.told_aad, n.told_len, n.told_tag);
    else
        got = cdz_begin(w->c, n.direction, iv, n.iv_len);
    check_answer(got, may, "cdz_begin");
    if (got != CDZ_OK) return;
    if (n.direction == CDZ_DECRYPT) { /* text to decrypt: something that was encrypted, with the first bytes of AAD */
        const struct ref_message m = {n.iv,      n.iv_len, a->info.max_aad ? aad_text : NULL, aad_planned, text,
                                      n.planned, n.tag_len};
        size_t len = ref_seal(&w->s->r, &m, n.in, n.tag);
        if (a->info.mac) memcpy(n.in, text, len = n.planned);
        n.planned = len;
        memset(n.in + len, 0x33, sizeof n.in - len);
        if (a->model->kind == REF_PADDED && n.told_len != CDZ_UNKNOWN) n.told_len = len;
        if (n.told_len != CDZ_UNKNOWN && a->model->kind == REF_PADDED)
            CHECK_STATUS(cdz_begin_sized(w->c, n.direction, iv, n.iv_len, n.told_aad, n.told_len, n.told_tag), CDZ_OK);
    } else {
        memcpy(n.in, text, MOST);
    }
    w->m = n;
    w->m.aad_len = 0;
}

/* A MAC's data come as associated data: m->in and m->len here. */
static void walk_mac(struct walk *w) {
    struct machine *m = &w->m;
    size_t n = rnd_below(5) ? rnd_below(70) : 0;
    answers may = 0;
    if (m->direction == CDZ_DECRYPT && m->planned > m->len && rnd_below(3) == 0) n = m->planned - m->len;
    if (m->len + n > MOST) return;
    const bool null = n && rnd_below(10) == 0;
    if (m->phase != AAD) may |= MAY(CDZ_ERR_STATE);
    if (null) may |= MAY(CDZ_ERR_NULL);
    if (m->phase == AAD && m->told_aad != CDZ_UNKNOWN && m->len + n > m->told_aad) may |= MAY(CDZ_ERR_LENGTH);
    if (!may) may = MAY(CDZ_OK);
    const cdz_status got = CALL_STATUS(cdz_aad, w->c, null ? NULL : m->in + m->len, n);
    check_answer(got, may, "cdz_aad");
    if (got == CDZ_OK) m->len += n;
}

static void walk_aad(struct walk *w) {
    struct machine *m = &w->m;
    if (w->a->info.mac) {
        walk_mac(w);
        return;
    }
    size_t n = rnd_below(4) ? rnd_below(40) : 0;
    answers may = 0;
    if (m->told_aad != CDZ_UNKNOWN && m->told_aad > m->aad_len && rnd_below(2)) n = (size_t)m->told_aad - m->aad_len;
    const bool null = n && rnd_below(10) == 0;
    if (!w->a->info.max_aad) may |= MAY(CDZ_ERR_AAD);
    if (m->phase != AAD) may |= MAY(CDZ_ERR_STATE);
    if (null) may |= MAY(CDZ_ERR_NULL);
    if (m->phase == AAD && m->told_aad != CDZ_UNKNOWN && m->aad_len + n > m->told_aad) may |= MAY(CDZ_ERR_LENGTH);
    if (m->aad_len + n > sizeof aad_text) return;
    if (!may) may = MAY(CDZ_OK);
    const cdz_status got = CALL_STATUS(cdz_aad, w->c, null ? NULL : aad_text + m->aad_len, n);
    check_answer(got, may, "cdz_aad");
    if (got == CDZ_OK) m->aad_len += n;
}

/* How many bytes an update must hand out: exactly for modes like a stream and for ECB and CBC. */
static void check_progress(const struct walk *w, size_t n, size_t len) {
    const struct machine *m = &w->m;
    const size_t in = m->len, out = m->out_len;
    if (!(w->a->mode->flags & CDZ_MODE_BLOCKS)) {
        CHECK(n == len);
    } else if (w->a->model->unit == 16) {
        CHECK(out == in - in % 16);
    } else {
        CHECK(out % 16 == 0 && out <= in && in - out <= 32 + 15 && n <= len + 15);
    }
}

static void walk_update(struct walk *w) {
    struct machine *m = &w->m;
    if (w->a->info.mac && rnd_below(8)) {
        walk_mac(w);
        return;
    }
    size_t n = rnd_below(5) ? rnd_below(70) : 0;
    answers may = 0;
    size_t got_len = 12345;
    uint8_t out[128 + 64];
    if (m->len + n > MOST - 100) return;
    if (m->direction == CDZ_DECRYPT && m->phase <= DATA && rnd_below(8) && m->len < m->planned &&
        m->len + n > m->planned)
        n = m->planned - m->len; /* mostly not beyond the end, so that messages come out right */
    if (m->direction == CDZ_DECRYPT && rnd_below(3) == 0 && m->planned > m->len && m->planned - m->len < 100)
        n = m->planned - m->len;
    if (m->told_len != CDZ_UNKNOWN && m->told_len > m->len && m->told_len - m->len < 100 && rnd_below(3) == 0)
        n = (size_t)m->told_len - m->len;
    const uint8_t *in = m->in + m->len;
    if (m->phase != AAD && m->phase != DATA) may |= MAY(CDZ_ERR_STATE);
    if (n && w->a->info.mac) may |= MAY(CDZ_ERR_LIMIT) | MAY(CDZ_ERR_LENGTH);
    if (n && (m->phase == AAD || m->phase == DATA)) {
        if (m->told_len != CDZ_UNKNOWN && m->len + n > m->told_len) may |= MAY(CDZ_ERR_LENGTH);
        if (m->phase == AAD && m->told_aad != CDZ_UNKNOWN && m->aad_len != m->told_aad) may |= MAY(CDZ_ERR_LENGTH);
    }
    const size_t wrong = n ? rnd_below(12) : 99;
    const bool overlap = wrong == 1 && n > 16;
    memset(out, 0x77, sizeof out);
    uint8_t *at = out;
    size_t cap = n + 31;
    if (wrong == 0) {
        in = NULL;
        may |= MAY(CDZ_ERR_NULL);
    } else if (overlap) { /* overlap by one byte: refused, or nothing was to be written */
        memcpy(out, in, n);
        in = out;
        at = out + n - 1;
        may |= MAY(CDZ_ERR_OVERLAP);
        if (w->a->mode->flags & CDZ_MODE_BLOCKS) may |= MAY(CDZ_OK);
        cap = 31;
        may |= MAY(CDZ_ERR_BUFFER);
    } else if (wrong == 2) { /* less room */
        cap = rnd_below(n + 1);
        may |= MAY(CDZ_ERR_BUFFER) | (may ? 0 : MAY(CDZ_OK));
    }
    if (!may) may = MAY(CDZ_OK);
    const bool in_place = wrong > 2 && rnd_below(2);
    if (in_place && n) memcpy(at, in, n);
    const cdz_status got = CALL_STATUS(cdz_update, w->c, in_place ? at : in, n, at, cap, &got_len);
    check_answer(got, may, "cdz_update");
    if (got == CDZ_ERR_BUFFER) {
        CHECK(got_len > cap);
        if (wrong == 2) {
            test_all("output of a refused call", out, 0x77, sizeof out);
            size_t again;
            CHECK_STATUS(CALL_STATUS(cdz_update, w->c, in, n, at, got_len, &again), CDZ_OK);
            CHECK(again == got_len);
        } else {
            return;
        }
    } else if (got != CDZ_OK) {
        CHECK(got_len == 0);
        if (!in_place && !overlap) test_all("output of a refused call", out, 0x77, sizeof out);
        return;
    } else {
        CHECK(got_len <= cap);
    }
    if (!n) {
        CHECK(got_len == 0);
        return; /* nothing changes */
    }
    if (overlap) { /* it went through since nothing was written; the bytes are in `out`, the same ones */
        CHECK(got_len == 0);
    }
    memcpy(m->out + m->out_len, at, got_len);
    if (!in_place && !overlap) test_all("behind the output", at + got_len, 0x77, sizeof out - got_len);
    m->out_len += got_len;
    m->len += n;
    m->phase = DATA;
    check_progress(w, got_len, n);
}

static void walk_expect(struct walk *w) {
    struct machine *m = &w->m;
    answers may = 0;
    size_t n = rnd_below(4) ? m->tag_len : rnd_below(20);
    uint8_t tag[32];
    const bool null = n && rnd_below(10) == 0;
    if (!w->a->info.tag_lengths) may |= MAY(CDZ_ERR_TAG_UNUSED);
    if ((m->phase != AAD && m->phase != DATA) || m->direction != CDZ_DECRYPT) may |= MAY(CDZ_ERR_STATE);
    if (!n)
        may |= MAY(CDZ_ERR_TAG_MISSING);
    else if (!tag_ok(w->a, n) || (m->told_tag && m->told_tag != n))
        may |= MAY(CDZ_ERR_TAG_LENGTH);
    if (null) may |= MAY(CDZ_ERR_NULL);
    if (!may) may = MAY(CDZ_OK);
    memset(tag, 0, sizeof tag);
    memcpy(tag, m->tag, 16);
    if (rnd_below(4) == 0) tag[rnd_below(n ? n : 1) % 16] ^= 0x80;
    const cdz_status got = CALL_STATUS(cdz_expect_tag, w->c, null ? NULL : tag, n);
    check_answer(got, may, "cdz_expect_tag");
    if (got == CDZ_OK) {
        memcpy(m->expected, tag, 16);
        m->expected_len = n;
    }
}

static void walk_finish(struct walk *w) {
    struct machine *m = &w->m;
    const struct algorithm *a = w->a;
    const bool decrypt = m->direction == CDZ_DECRYPT, running = m->phase == AAD || m->phase == DATA;
    answers may = 0;
    uint8_t want[MOST + 64], tag[16] = {0}, out[96];
    size_t want_len = 0, n = 12345, cap = rnd_below(6) ? 32 : rnd_below(20);
    bool length = false;
    if (!running) may |= MAY(CDZ_ERR_STATE);
    if (running && decrypt && a->info.tag_lengths && !m->expected_len) may |= MAY(CDZ_ERR_TAG_MISSING);
    if (running) {
        const size_t len = a->info.mac ? 0 : m->len, aad_len = a->info.mac ? m->len : m->aad_len;
        length = (m->told_len != CDZ_UNKNOWN && len != m->told_len) ||
                 (m->told_aad != CDZ_UNKNOWN && aad_len != m->told_aad) || m->len < a->model->min ||
                 m->len % a->model->unit;
        if (decrypt && a->model->kind == REF_PADDED && (m->len == 0 || m->len % 16)) length = true;
        if (length) may |= MAY(CDZ_ERR_LENGTH);
    }
    if (!may) {
        struct ref_message x = {m->iv, m->iv_len, m->aad_len ? aad_text : NULL,  m->aad_len,
                                m->in, m->len,    decrypt ? m->expected_len : 16};
        if (!a->info.tag_lengths) x.tag_len = 0;
        if (!decrypt && m->told_tag) x.tag_len = m->told_tag;
        bool good = true;
        if (decrypt)
            good = ref_open(&w->s->r, &x, m->expected, want, &want_len);
        else
            want_len = ref_seal(&w->s->r, &x, want, tag);
        /* Where the rest does not fit, the room is asked for before anything is said about the tag. */
        if (a->info.tag_lengths && want_len - m->out_len > cap) {
            may |= MAY(CDZ_ERR_BUFFER);
        } else if (!good) {
            may |= a->info.tag_lengths ? MAY(CDZ_ERR_AUTH) : MAY(CDZ_ERR_PADDING);
            if (a->info.tag_lengths == 0) want_len = 0;
        } else if (want_len - m->out_len > cap) {
            may |= MAY(CDZ_ERR_BUFFER);
        } else {
            may |= MAY(CDZ_OK);
        }
        if (good || a->info.tag_lengths) { /* what came out so far */
            test_same("output so far", m->out, want, m->out_len < want_len ? m->out_len : want_len);
        }
    }
    memset(out, 0x77, sizeof out);
    const cdz_status got = CALL_STATUS(cdz_finish, w->c, out, cap, &n);
    check_answer(got, may, "cdz_finish");
    if (got == CDZ_OK) {
        CHECK(m->out_len + n == want_len);
        test_same("end of the output", out, want + m->out_len, n);
        test_all("behind the end", out + n, 0x77, sizeof out - n);
        if (!decrypt) memcpy(m->tag, tag, 16);
        memcpy(m->out, want, want_len);
        m->phase = DONE;
    } else {
        test_all("output of a refused call", out, 0x77, sizeof out);
        if (got == CDZ_ERR_BUFFER)
            CHECK(n > cap && n <= 32 && m->out_len + n == want_len);
        else
            CHECK(n == 0);
        if (got != CDZ_ERR_BUFFER && got != CDZ_ERR_TAG_MISSING && got != CDZ_ERR_STATE) m->phase = FAILED;
    }
}

static void walk_tag(struct walk *w) {
    struct machine *m = &w->m;
    answers may = 0;
    uint8_t tag[64];
    const size_t n = rnd_below(3) ? m->tag_len : rnd_below(40);
    const bool null = n && rnd_below(10) == 0;
    if (!w->a->info.tag_lengths) may |= MAY(CDZ_ERR_TAG_UNUSED);
    if (m->phase != DONE || m->direction != CDZ_ENCRYPT) may |= MAY(CDZ_ERR_STATE);
    if (!n)
        may |= MAY(CDZ_ERR_TAG_MISSING);
    else if (!tag_ok(w->a, n) || (m->told_tag && m->told_tag != n))
        may |= MAY(CDZ_ERR_TAG_LENGTH);
    if (null) may |= MAY(CDZ_ERR_NULL);
    if (!may) may = MAY(CDZ_OK);
    memset(tag, 0x77, sizeof tag);
    const cdz_status got = CALL_STATUS(cdz_tag, w->c, null ? NULL : tag, n);
    check_answer(got, may, "cdz_tag");
    if (got == CDZ_OK) test_same("tag", tag, m->tag, n);
    test_all("behind the tag", tag + (got == CDZ_OK ? n : 0), 0x77, sizeof tag - (got == CDZ_OK ? n : 0));
}

static void walk_chain(struct walk *w) {
    struct machine *m = &w->m;
    uint8_t chain[16], want[16];
    unsigned used = 99, want_used;
    answers may = 0;
    if (!(w->a->mode->flags & CDZ_MODE_CHAIN)) may |= MAY(CDZ_ERR_UNSUPPORTED);
    if (m->phase == IDLE || m->phase == FAILED) may |= MAY(CDZ_ERR_STATE);
    if (m->phase == FAILED) may |= MAY(CDZ_OK); /* not told in the header */
    if (!may) may = MAY(CDZ_OK);
    const cdz_status got = CALL_STATUS(cdz_chain, w->c, chain, &used);
    check_answer(got, may, "cdz_chain");
    if (got != CDZ_OK || m->phase == FAILED || w->a->model->kind == REF_PADDED) return;
    if (strncmp(w->a->model->name, "CBC-CS", 6) == 0 && m->phase != DONE) return; /* told of the end alone */
    const size_t len = w->a->model->unit == 16 ? m->len - m->len % 16 : m->len;
    const bool decrypt = m->direction == CDZ_DECRYPT;
    if (!ref_chain(&w->s->r, m->iv, decrypt ? m->out : m->in, decrypt ? m->in : m->out, len, want, &want_used)) return;
    test_same("chaining value", chain, want, 16);
    CHECK(used == want_used);
}

static void walk_copy(struct walk *w) {
    cdz_cipher *x;
    const size_t size = cdz_cipher_size(w->a->name);
    uint8_t *memory = NULL;
    if (rnd_below(2)) {
        memory = malloc(size + 64);
        if (!memory) abort();
        CHECK_STATUS(cdz_cipher_copy(&x, memory + rnd_below(64), size, w->c), CDZ_OK);
    } else {
        CHECK_STATUS(cdz_cipher_dup(&x, w->c), CDZ_OK);
    }
    cdz_cipher *drop = w->c;
    uint8_t *drop_memory = w->memory;
    if (rnd_below(2)) { /* go on with the copy */
        w->c = x;
        w->memory = memory;
    } else {
        drop = x;
        drop_memory = memory;
    }
    if (drop_memory)
        cdz_cipher_wipe(drop);
    else
        cdz_cipher_free(drop);
    free(drop_memory);
}

static void walk_one_shot(struct walk *w) {
    const struct setting *s = w->s;
    uint8_t tag[16];
    size_t n;
    if (!w->a->info.one_shot) return;
    memcpy(tag, s->tag, 16);
    struct msg m = side(s, CDZ_DECRYPT);
    if (w->a->info.mac) m.in = text;
    CHECK_STATUS(drive_decrypt(w->c, w->a, &m, result, sizeof result, &n, tag), CDZ_OK);
    check_result(s, CDZ_DECRYPT, n, tag);
}

static void test_sequences(void *arg) {
    const struct algorithm *a = arg;
    struct setting s;
    static void (*const calls[])(struct walk *) = {walk_begin,  walk_aad,    walk_aad,    walk_update,  walk_update,
                                                   walk_update, walk_update, walk_expect, walk_finish,  walk_finish,
                                                   walk_tag,    walk_chain,  walk_copy,   walk_one_shot};
    static const char *const names[] = {"begin",      "aad",    "aad",    "update", "update", "update", "update",
                                        "expect_tag", "finish", "finish", "tag",    "chain",  "copy",   "one-shot"};
    size_t ended = 0;
    set_up(&s, a, 60, 10);
    const int walks = test_quick ? 30 : a->model->calls > 16 ? 40 : 300;
    /* Until some walks have come to their end, else they prove little; in some modes few do. */
    const size_t enough = (size_t)walks / 12 + 1;
    for (int k = 0; k < walks || (ended < enough && k < 100 * walks); k++) {
        const size_t i = (size_t)k % s.n;
        struct walk w = {.s = &s, .a = a, .c = object(&s, i)};
        engine_count(s.e[i].name);
        for (int step = 0; step < 60; step++) {
            size_t call = rnd_below(sizeof calls / sizeof *calls);
            /* Begin is only worth while now and then, or nothing ever ends. */
            if (call == 0 && (w.m.phase == AAD || w.m.phase == DATA) && rnd_below(4)) call = 3;
            if (w.m.phase != AAD && w.m.phase != DATA && rnd_below(2)) call = 0;
            NOW(.what = names[call], .name = a->name, .engine = s.e[i].name, .len = w.m.len, .a = (size_t)k,
                .b = (size_t)step);
            const enum phase before = w.m.phase;
            calls[call](&w);
            ended += before != DONE && w.m.phase == DONE;
        }
        if (w.memory)
            cdz_cipher_wipe(w.c);
        else
            cdz_cipher_free(w.c);
        free(w.memory);
    }
    CHECK(ended >= enough);
}

/* ---- the list ---- */

static void add(void (*run)(void *), const struct algorithm *a, const char *what) {
    struct algorithm *copy = malloc(sizeof *copy);
    if (!copy) abort();
    *copy = *a;
    test_add(run, copy, "%s %s", what, a->name);
}

static void add_all(const struct algorithm *a) {
    if (!a->info.streaming) return;
    add(test_sequences, a, "sequences");
    /* The key size makes no difference to the rest. */
    if (a->bits != (a->cipher == REF_ARIA ? 128 : 256)) return;
    add(test_splits, a, "splits");
    add(test_in_place, a, "in place");
    add(test_together, a, "together");
    add(test_again, a, "again");
    add(test_copies, a, "copies");
}

int main(int argc, char **argv) {
    test_begin();
    each_algorithm_of(argc > 1 ? argv[1] : NULL, NULL, add_all);
    return test_end("streams");
}
