/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One way to encrypt or decrypt a message in any mode: the templates are written over this, so that a new mode has
 * nothing to add to them but its entry in the model (tests/ref) and, where it needs calls that no other mode has, a
 * case here.
 */
#ifndef CDZ_TEST_DRIVER_H
#define CDZ_TEST_DRIVER_H

#include "../ref/ref.h"
#include "harness.h"
#include "mode/mode.h"

/* An algorithm: cipher x bits x mode. */
struct algorithm {
    char name[40]; /* "ARIA-256-GCM" */
    const char *cipher_name;
    enum ref_cipher cipher;
    size_t bits;
    cdz_info info;
    const struct ref_mode *model;
    const struct cdz_mode *mode; /* the library's inside, for its flags */
};

/* Calls f with every algorithm of this build. A mode that the model does not know is a failure by name. */
void each_algorithm(void (*f)(const struct algorithm *a));
/* The same of a cipher ("ARIA", "AES") or of a mode alone; NULL: all. */
void each_algorithm_of(const char *cipher, const char *mode, void (*f)(const struct algorithm *a));
bool algorithm_find(struct algorithm *a, const char *name);
/* A name with these bits for runs that draw one key size. */
size_t algorithm_batch(const struct algorithm *a);

/* One key size, drawn a run, for what would take too long with all three. */
size_t algorithm_drawn_bits(const struct algorithm *a);

/* Whether engine i of n is left out of a very quick run: in modes that go block by block, all but the one whose turn it
 * is. */
static inline bool algorithm_passes(const struct algorithm *a, size_t i, size_t n, size_t turn) {
    return test_quick > 1 && a->model->calls > 2 && i != turn % n;
}

size_t algorithm_combos(const struct algorithm *a, struct combo out[COMBO_MAX]);

/* A message as the library and the model take it. */
struct msg {
    const uint8_t *iv;
    size_t iv_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *in; /* of a MAC: what it is made of */
    size_t len;
    size_t tag_len;
};

static inline struct ref_message msg_ref(const struct msg *m) {
    return (struct ref_message){m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, m->tag_len};
}

/* How the pieces of a stream are cut. */
struct cuts {
    bool in_place;    /* out is in's place, piece by piece */
    size_t n, at[64]; /* the message: ends of pieces, ascending; the rest is the last piece */
    size_t aad_n, aad_at[16];
    bool sized;     /* the lengths are told at begin, where the mode does not want them anyway */
    bool early_tag; /* the expected tag comes right after begin */
};

/* Whole message in one call, through CALL() with a dirty machine. `in` and `out` of the message may be the same.
 * *out_len is what the mode makes of m->len. Modes that have no one-shot call go in pieces, one piece. */
cdz_status drive_encrypt(cdz_cipher *c, const struct algorithm *a, const struct msg *m, uint8_t *out, size_t cap,
                         size_t *out_len, uint8_t *tag);
cdz_status drive_decrypt(cdz_cipher *c, const struct algorithm *a, const struct msg *m, uint8_t *out, size_t cap,
                         size_t *out_len, const uint8_t *tag);

/* The same in pieces. Output goes to `out` one piece behind the other; with cuts->in_place the message must lie in a
 * buffer of its own with 64 bytes more behind it, and each piece is written over itself before it is collected. */
cdz_status drive_stream(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                        const struct cuts *cuts, uint8_t *out, size_t *out_len, uint8_t *tag);
/* From begin on, without begin. */
cdz_status drive_pieces(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                        const struct cuts *cuts, size_t aad_done, size_t done, uint8_t *out, size_t *out_len,
                        uint8_t *tag);
cdz_status drive_begin(cdz_cipher *c, const struct algorithm *a, const struct msg *m, cdz_direction direction,
                       bool sized);

/* Random cuts: up to n pieces, some of them empty. */
void random_cuts(struct cuts *cuts, size_t len, size_t aad_len, size_t n);

/* The next length from `len` on that the mode takes; lengths of messages before encryption. */
size_t algorithm_length(const struct algorithm *a, size_t len);

#endif
