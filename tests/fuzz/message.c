/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole messages: one call, wrapped keys, SIV with lists of strings, batches; with lengths that a mode has and that it
 * has not. Two engines must say and make the same, OpenSSL too; what was encrypted opens again, and does not once a bit
 * is changed; where a call fails for its arguments nothing is written, where a tag is wrong all is zero.
 */
#include "whole.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4400, BATCH = 12, STRINGS = 140 };

static bool all(const uint8_t *p, size_t n, uint8_t value) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != value) return false;
    return true;
}

/* A call in memory of exactly the message's size: output in place or apart, one byte more than it may write behind it.
 */
struct made {
    cdz_status status;
    size_t len;
    uint8_t *out, tag[16];
};

static struct made make(cdz_cipher *c, const cdz_info *i, bool decrypt, const struct whole *m, const uint8_t *tag,
                        bool in_place) {
    struct made x = {.len = 0};
    const bool longer = !i->one_shot;
    const size_t size = m->len + (longer ? WHOLE_MORE : 0);
    struct whole exact = *m;
    uint8_t *const iv = room_with(m->iv, m->iv_len), *const aad = room_with(m->aad, m->aad_len),
                   *const in = room_with(m->in, m->len), *given = tag ? room_with(tag, m->tag_len) : room(16);
    x.out = room(size);
    memset(x.out, 0xa5, size);
    if (in_place && m->len) memcpy(x.out, m->in, m->len);
    exact.iv = iv, exact.aad = aad, exact.in = in_place ? x.out : in;
    x.status = whole_do(c, i, decrypt, &exact, x.out, &x.len, given);
    if (x.status != CDZ_OK && x.status != CDZ_ERR_AUTH && !longer)
        MUST(in_place ? !m->len || memcmp(x.out, m->in, m->len) == 0 : all(x.out, size, 0xa5));
    if (x.status == CDZ_ERR_AUTH && !i->mac) MUST(all(x.out, i->wraps ? m->len - 8 : m->len, 0));
    if (!tag) memcpy(x.tag, given, 16);
    free(iv);
    free(aad);
    free(in);
    free(given);
    return x;
}

static void same(const struct made *a, const struct made *b, size_t tag_len) {
    MUST(a->status == b->status);
    MUST(a->len == b->len);
    MUST(a->status != CDZ_OK || !a->len || memcmp(a->out, b->out, a->len) == 0);
    MUST(a->status != CDZ_OK || memcmp(a->tag, b->tag, tag_len) == 0);
}

static void one(struct pair *p, struct decisions *d, const struct whole *m) {
    const cdz_info *const i = &p->info;
    const bool in_place = take_chance(d, 2);
    struct made a = make(p->c, i, false, m, NULL, in_place), b = make(p->other, i, false, m, NULL, !in_place);
    if (fuzz_planted() && m->len == 48 && m->iv_len == 16) a.out[47] ^= 1;
    same(&a, &b, m->tag_len);
    if (a.status == CDZ_OK) {
        whole_compare(p, m, a.out, a.len, a.tag);
        struct whole sealed = *m;
        if (!i->mac) sealed.in = a.out, sealed.len = a.len;
        struct made back = make(p->other, i, true, &sealed, a.tag, in_place);
        MUST(back.status == CDZ_OK && back.len == m->len);
        MUST(!m->len || memcmp(back.out, m->in, m->len) == 0);
        free(back.out);
        /* One bit of ciphertext, tag or associated data. */
        uint8_t tag[16], *const in = room_with(sealed.in, sealed.len), *const aad = room_with(m->aad, m->aad_len);
        memcpy(tag, a.tag, 16);
        const unsigned where = take_byte(d) % 3;
        const size_t at = take_below(d, where == 0 ? sealed.len : where == 1 ? m->tag_len : m->aad_len);
        const uint8_t bit = (uint8_t)(1u << take_below(d, 8));
        bool changed = true;
        if (where == 0 && sealed.len && !i->mac)
            in[at] ^= bit;
        else if (where == 1 && m->tag_len)
            tag[at] ^= bit;
        else if (where == 2 && m->aad_len)
            aad[at] ^= bit;
        else
            changed = false;
        sealed.in = in, sealed.aad = aad;
        back = make(p->c, i, true, &sealed, tag, in_place);
        struct made again = make(p->other, i, true, &sealed, tag, !in_place);
        same(&back, &again, 0);
        if (changed && (m->tag_len || i->wraps)) MUST(back.status == CDZ_ERR_AUTH);
        free(back.out);
        free(again.out);
        free(in);
        free(aad);
    } else { /* ciphertext of nobody's */
        struct made x = make(p->c, i, true, m, a.tag, in_place), y = make(p->other, i, true, m, a.tag, !in_place);
        same(&x, &y, 0);
        free(x.out);
        free(y.out);
    }
    free(a.out);
    free(b.out);
}

/* Messages of one key at once: each as if it were alone. */
static void batch(struct pair *p, struct decisions *d, const struct whole *m) {
    cdz_batch_message list[BATCH];
    uint8_t *out[BATCH], tags[BATCH][16], want_tag[16];
    const size_t n = take_below(d, BATCH + 1);
    const bool odd = take_chance(d, 8), decrypt = take_chance(d, 2);
    memset(list, 0, sizeof list);
    for (size_t i = 0; i < n; i++) {
        size_t len = p->info.mac ? 0 : take_length(d, MOST);
        if (!odd) len = len / p->info.unit * p->info.unit;
        out[i] = room_with(m->in, len);
        fill(tags[i], 16, (uint32_t)i);
        list[i] =
            (cdz_batch_message){m->iv, m->iv_len, m->aad, m->aad_len, out[i], len, out[i], tags[i], m->tag_len, 77};
        if (decrypt && len) { /* every other one with its true tag */
            uint8_t *const sealed = room(len);
            if (cdz_encrypt(p->other, m->iv, m->iv_len, m->aad, m->aad_len, m->in, len, sealed,
                            m->tag_len ? tags[i] : NULL, m->tag_len) == CDZ_OK)
                memcpy(out[i], sealed, len);
            if (i % 2) tags[i][0] ^= 1;
            free(sealed);
        }
    }
    cdz_status want[BATCH];
    uint8_t *whole[BATCH], whole_tags[BATCH][16];
    cdz_status first = CDZ_OK;
    for (size_t i = 0; i < n; i++) {
        whole[i] = room_with(out[i], list[i].len);
        memcpy(want_tag, tags[i], 16);
        want[i] = (decrypt) ? cdz_decrypt(p->other, m->iv, m->iv_len, m->aad, m->aad_len, whole[i], list[i].len,
                                          whole[i], want_tag, m->tag_len)
                            : cdz_encrypt(p->other, m->iv, m->iv_len, m->aad, m->aad_len, whole[i], list[i].len,
                                          whole[i], want_tag, m->tag_len);
        memcpy(whole_tags[i], want_tag, 16);
        if (first == CDZ_OK) first = want[i];
    }
    MUST((decrypt ? cdz_decrypt_batch : cdz_encrypt_batch)(p->c, list, n) == first);
    for (size_t i = 0; i < n; i++) {
        MUST(list[i].status == want[i]);
        MUST(!list[i].len || memcmp(out[i], whole[i], list[i].len) == 0);
        MUST(memcmp(tags[i], whole_tags[i], 16) == 0);
        free(out[i]);
        free(whole[i]);
    }
}

/* SIV with a list; one or two strings are also what the usual call takes. */
static void strings(struct pair *p, struct decisions *d, const struct whole *m) {
    cdz_bytes list[STRINGS];
    const size_t n = take_chance(d, 8) ? 120 + take_below(d, STRINGS - 120 + 1) : take_below(d, 8);
    uint8_t *const a = room_with(m->in, m->len), *const b = room_with(m->in, m->len), tag[2][16];
    for (size_t i = 0; i < n; i++) {
        const size_t len = take_below(d, 40);
        list[i] = (cdz_bytes){len ? room_with(m->aad + i, len) : NULL, len};
    }
    const cdz_status s = cdz_siv_encrypt(p->c, list, n, a, m->len, a, tag[0]);
    MUST(cdz_siv_encrypt(p->other, list, n, b, m->len, b, tag[1]) == s);
    MUST(s == CDZ_OK ||
         s == (strcmp(strrchr(p->name, '-'), "-SIV") || strstr(p->name, "GCM") ? CDZ_ERR_UNSUPPORTED : CDZ_ERR_LIMIT));
    MUST(s != CDZ_ERR_LIMIT || n > 126);
    if (s == CDZ_OK) {
        MUST(n <= 126 && memcmp(tag[0], tag[1], 16) == 0 && (!m->len || memcmp(a, b, m->len) == 0));
        if (n <= 2 && (n < 2 || list[1].len)) { /* an IV of no bytes is none */
            static const uint8_t none[1];
            uint8_t *const usual = room(m->len), usual_tag[16];
            const uint8_t *const aad = n ? list[0].data ? list[0].data : none : NULL;
            MUST(cdz_encrypt(p->other, n == 2 ? list[1].data : NULL, n == 2 ? list[1].len : 0, aad, n ? list[0].len : 0,
                             m->in, m->len, usual, usual_tag, 16) == CDZ_OK);
            MUST(memcmp(usual_tag, tag[0], 16) == 0 && (!m->len || memcmp(usual, a, m->len) == 0));
            free(usual);
        }
        MUST(cdz_siv_decrypt(p->other, list, n, a, m->len, a, tag[0]) == CDZ_OK);
        MUST(!m->len || memcmp(a, m->in, m->len) == 0);
        tag[1][take_below(d, 16)] ^= (uint8_t)(1u << take_below(d, 8));
        MUST(cdz_siv_decrypt(p->c, list, n, b, m->len, b, tag[1]) == CDZ_ERR_AUTH && all(b, m->len, 0));
    }
    for (size_t i = 0; i < n; i++) free((void *)(uintptr_t)list[i].data);
    free(a);
    free(b);
}

/* A key set in the caller's memory, and whatever length that key has. */
static void keys(const struct pair *p, struct decisions *d) {
    const size_t len = take_below(d, 66), size = cdz_cipher_size(p->name), have = size - take_below(d, 3) * 64;
    uint8_t *const key = room_with(p->key, len < 64 ? len : 64), *const memory = room(have);
    cdz_cipher *c = (cdz_cipher *)memory;
    const cdz_status s = cdz_cipher_init(&c, memory, have, p->name, key, len);
    if (len != p->info.key_len)
        MUST(s == CDZ_ERR_KEY_LENGTH && !c);
    else
        MUST(have == size ? s == CDZ_OK : s == CDZ_OK || (s == CDZ_ERR_BUFFER && !c));
    if (s == CDZ_OK) {
        MUST(strcmp(cdz_cipher_name(c), p->name) == 0);
        cdz_cipher_wipe(c);
    }
    free(memory);
    free(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct decisions d = {data, size};
    static uint8_t in[MOST], aad[MOST + STRINGS], iv[300];
    struct pair p;
    pair_new(&p, &d);
    const unsigned how = take_byte(&d);
    struct whole m = {iv, p.info.iv_default, aad, 0, in, 0, 0};
    fill(in, sizeof in, how);
    fill(aad, sizeof aad, how + 256u);
    fill(iv, sizeof iv, take_word(&d));
    if (p.info.wraps && how % 4 < 3) m.iv_len = 0;
    if (how & 16) m.iv_len = take_below(&d, sizeof iv + 1);
    if (p.info.tag_lengths) {
        m.tag_len = how & 32 ? take_below(&d, 20) : 16;
        m.aad_len = take_length(&d, MOST);
    }
    if (m.tag_len > 16) m.tag_len = 16;
    m.len = p.info.mac ? 0 : take_length(&d, MOST);
    if (how & 64 && !p.info.mac) m.len = m.len / p.info.unit * p.info.unit + p.info.min_len;
    if (m.len > MOST) m.len = MOST;
    if (!m.iv_len) m.iv = NULL;
    switch (how % 8) {
    case 0:
        if (p.info.one_shot) batch(&p, &d, &m);
        break;
    case 1:
        strings(&p, &d, &m);
        break;
    case 2:
        keys(&p, &d);
        break;
    default:
        one(&p, &d, &m);
    }
    pair_free(&p);
    return 0;
}
