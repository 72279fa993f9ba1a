/* SPDX-License-Identifier: Apache-2.0 */
/* See driver.h. */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- algorithms ---- */

static const char *const cipher_names[2] = {"ARIA", "AES"};

static const struct cdz_mode *mode_find(const char *name) {
    for (size_t i = 0; cdz_modes[i]; i++)
        if (strcmp(cdz_modes[i]->name, name) == 0) return cdz_modes[i];
    return NULL;
}

bool algorithm_find(struct algorithm *a, const char *name) {
    memset(a, 0, sizeof *a);
    if (cdz_describe(&a->info, name) != CDZ_OK) return false;
    snprintf(a->name, sizeof a->name, "%s", a->info.name);
    a->cipher = strncmp(a->name, "ARIA", 4) == 0 ? REF_ARIA : REF_AES;
    a->cipher_name = cipher_names[a->cipher];
    a->bits = (size_t)atoi(strchr(a->name, '-') + 1);
    const char *mode = strchr(strchr(a->name, '-') + 1, '-') + 1;
    a->model = ref_mode_find(mode);
    a->mode = mode_find(mode);
    if (!a->model || !a->mode) {
        fprintf(stderr, "%s: the model tests/ref has no such mode: add it there\n", a->name);
        exit(1);
    }
    if (!a->info.one_shot && !a->info.streaming && !a->info.wraps) {
        fprintf(stderr, "%s: tests/support/driver.c has no calls for such a mode: add them there\n", a->name);
        exit(1);
    }
    return true;
}

void each_algorithm_of(const char *cipher, const char *mode, void (*f)(const struct algorithm *a)) {
    for (int i = 0; i < 2; i++) {
        if (cipher && strcmp(cipher, cipher_names[i]) != 0) continue;
        const char *m;
        for (size_t k = 0; (m = cdz_mode_name(k)); k++) {
            if (mode && strcmp(mode, m) != 0) continue;
            for (size_t bits = 128; bits <= 256; bits += 64) {
                char name[40];
                struct algorithm a;
                snprintf(name, sizeof name, "%s-%zu-%s", cipher_names[i], bits, m);
                const struct ref_mode *model = ref_mode_find(m);
                if (!algorithm_find(&a, name)) {
                    if (model && model->no_192 && bits == 192) continue;
                    fprintf(stderr, "%s does not exist\n", name);
                    exit(1);
                }
                f(&a);
            }
        }
    }
}

void each_algorithm(void (*f)(const struct algorithm *a)) { each_algorithm_of(NULL, NULL, f); }

size_t algorithm_combos(const struct algorithm *a, struct combo out[COMBO_MAX]) {
    return combos(a->cipher_name, (a->mode->flags & CDZ_MODE_HASH) != 0, out);
}

size_t algorithm_batch(const struct algorithm *a) {
    struct combo e[COMBO_MAX];
    size_t batch = 0;
    for (size_t i = algorithm_combos(a, e); i-- > 0;)
        if (e[i].batch > batch) batch = e[i].batch;
    return batch;
}

size_t algorithm_drawn_bits(const struct algorithm *a) {
    const size_t drawn = 128 + 64 * rnd_of("key size", 3);
    return drawn == 192 && a->model->no_192 ? 256 : drawn;
}

size_t algorithm_length(const struct algorithm *a, size_t len) {
    if (len < a->model->min) len = a->model->min;
    return (len + a->model->unit - 1) / a->model->unit * a->model->unit;
}

/* ---- whole messages ---- */

static cdz_status one_piece(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                            uint8_t *out, size_t cap, size_t *out_len, uint8_t *tag) {
    size_t n = 0, more = 0;
    cdz_status s = drive_begin(c, a, m, direction, false);
    if (s != CDZ_OK) return s;
    if (a->info.mac) test_fail("a MAC has a one-shot call");
    if (m->aad_len && (s = CALL_STATUS(cdz_aad, c, m->aad, m->aad_len)) != CDZ_OK) return s;
    if ((s = CALL_STATUS(cdz_update, c, m->in, m->len, out, cap, &n)) != CDZ_OK) return s;
    if (direction == CDZ_DECRYPT && m->tag_len && (s = CALL_STATUS(cdz_expect_tag, c, tag, m->tag_len)) != CDZ_OK)
        return s;
    if ((s = CALL_STATUS(cdz_finish, c, out + n, cap - n, &more)) != CDZ_OK) return s;
    *out_len = n + more;
    if (direction == CDZ_ENCRYPT && m->tag_len) s = CALL_STATUS(cdz_tag, c, tag, m->tag_len);
    return s;
}

cdz_status drive_encrypt(cdz_cipher *c, const struct algorithm *a, const struct msg *m, uint8_t *out, size_t cap,
                         size_t *out_len, uint8_t *tag) {
    engine_count(cdz_engine_name(c));
    if (a->info.wraps)
        return CALL_STATUS(cdz_wrap, c, m->iv_len ? m->iv : NULL, m->iv_len, m->in, m->len, out, cap, out_len);
    if (!a->info.one_shot) return one_piece(c, a, m, CDZ_ENCRYPT, out, cap, out_len, tag);
    *out_len = 0;
    if (a->info.mac) return CALL_STATUS(cdz_mac, c, m->iv, m->iv_len, m->in, m->len, tag, m->tag_len);
    *out_len = m->len;
    return CALL_STATUS(cdz_encrypt, c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, out, tag, m->tag_len);
}

cdz_status drive_decrypt(cdz_cipher *c, const struct algorithm *a, const struct msg *m, uint8_t *out, size_t cap,
                         size_t *out_len, const uint8_t *tag) {
    uint8_t copy[CDZ_TAG_MAX];
    engine_count(cdz_engine_name(c));
    if (a->info.wraps)
        return CALL_STATUS(cdz_unwrap, c, m->iv_len ? m->iv : NULL, m->iv_len, m->in, m->len, out, cap, out_len);
    if (a->info.mac) {
        *out_len = 0;
        return CALL_STATUS(cdz_mac_verify, c, m->iv, m->iv_len, m->in, m->len, tag, m->tag_len);
    }
    if (!a->info.one_shot) {
        if (m->tag_len) memcpy(copy, tag, m->tag_len);
        return one_piece(c, a, m, CDZ_DECRYPT, out, cap, out_len, copy);
    }
    *out_len = m->len;
    return CALL_STATUS(cdz_decrypt, c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, out, tag, m->tag_len);
}

/* ---- pieces ---- */

cdz_status drive_begin(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                       bool sized) {
    /* What a MAC is made of comes as associated data. */
    if (sized && a->info.mac) return cdz_begin_sized(c, direction, m->iv, m->iv_len, m->len, 0, m->tag_len);
    if (sized || a->mode->flags & CDZ_MODE_SIZES_FIRST)
        return cdz_begin_sized(c, direction, m->iv, m->iv_len, m->aad_len, m->len, m->tag_len);
    if (a->mode->flags & CDZ_MODE_TAG_FIRST)
        return cdz_begin_sized(c, direction, m->iv, m->iv_len, CDZ_UNKNOWN, CDZ_UNKNOWN, m->tag_len);
    return CALL_STATUS(cdz_begin, c, direction, m->iv, m->iv_len);
}

cdz_status drive_pieces(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                        const struct cuts *cuts, size_t aad_done, size_t done, uint8_t *out, size_t *out_len,
                        uint8_t *tag) {
    cdz_status s;
    size_t total = *out_len, n = 0;
    const bool expect = direction == CDZ_DECRYPT && m->tag_len;
    engine_count(cdz_engine_name(c));
    if (expect && cuts->early_tag && (s = CALL_STATUS(cdz_expect_tag, c, tag, m->tag_len)) != CDZ_OK) return s;
    for (size_t i = 0; a->model->aad && done == 0 && i <= cuts->aad_n; i++) {
        const size_t end = i < cuts->aad_n ? cuts->aad_at[i] : m->aad_len;
        if (end < aad_done) continue;
        const size_t piece = end - aad_done;
        if ((s = CALL_STATUS(cdz_aad, c, piece ? m->aad + aad_done : NULL, piece)) != CDZ_OK) return s;
        aad_done = end;
    }
    for (size_t i = 0; i <= cuts->n; i++) {
        const size_t end = i < cuts->n ? cuts->at[i] : m->len;
        if (end < done) continue;
        const size_t piece = end - done;
        if (a->info.mac) {
            s = CALL_STATUS(cdz_aad, c, piece ? m->in + done : NULL, piece);
        } else if (cuts->in_place) {
            /* A buffer with the piece alone: what is written beyond it would go into the next piece otherwise. */
            uint8_t *buf = malloc(piece + 64);
            if (!buf) abort();
            if (piece) memcpy(buf, m->in + done, piece);
            memset(buf + piece, 0x5a, 64);
            s = CALL_STATUS(cdz_update, c, buf, piece, buf, piece + 31, &n);
            if (s == CDZ_OK && n) memcpy(out + total, buf, n);
            const size_t written = n > piece ? n : piece;
            test_all("behind a piece in place", buf + written, 0x5a, piece + 64 - written);
            free(buf);
        } else {
            s = CALL_STATUS(cdz_update, c, piece ? m->in + done : NULL, piece, out + total, piece + 31, &n);
        }
        if (s != CDZ_OK) return s;
        if (n > piece + 31) test_fail("cdz_update wrote %zu bytes for %zu", n, piece);
        total += n;
        done = end;
    }
    if (expect && !cuts->early_tag && (s = CALL_STATUS(cdz_expect_tag, c, tag, m->tag_len)) != CDZ_OK) return s;
    n = 0;
    if ((s = CALL_STATUS(cdz_finish, c, out + total, 32, &n)) != CDZ_OK) return s;
    *out_len = total + n;
    if (direction == CDZ_ENCRYPT && m->tag_len) s = CALL_STATUS(cdz_tag, c, tag, m->tag_len);
    return s;
}

cdz_status drive_stream(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                        const struct cuts *cuts, uint8_t *out, size_t *out_len, uint8_t *tag) {
    const cdz_status s = drive_begin(c, a, m, direction, cuts->sized);
    *out_len = 0;
    if (s != CDZ_OK) return s;
    return drive_pieces(c, a, m, direction, cuts, 0, 0, out, out_len, tag);
}

static int by_size(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

void random_cuts(struct cuts *cuts, size_t len, size_t aad_len, size_t n) {
    memset(cuts, 0, sizeof *cuts);
    if (n > 64) n = 64;
    cuts->n = rnd_below(n + 1);
    for (size_t i = 0; i < cuts->n; i++) {
        cuts->at[i] = rnd_below(len + 1);
        if (i && rnd_below(8) == 0) cuts->at[i] = cuts->at[i - 1]; /* an empty piece */
        if (rnd_below(4) == 0) cuts->at[i] -= cuts->at[i] % 16;
    }
    qsort(cuts->at, cuts->n, sizeof *cuts->at, by_size);
    cuts->aad_n = rnd_below(6);
    for (size_t i = 0; i < cuts->aad_n; i++) cuts->aad_at[i] = rnd_below(aad_len + 1);
    qsort(cuts->aad_at, cuts->aad_n, sizeof *cuts->aad_at, by_size);
    cuts->in_place = rnd_below(2);
    cuts->sized = rnd_below(4) == 0;
    cuts->early_tag = rnd_below(2);
}
