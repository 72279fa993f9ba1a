/* SPDX-License-Identifier: Apache-2.0 */
/* See subject.h. */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

static void run_subject(void *arg) {
    struct subject *s = arg;
    rnd_fill(s->key, sizeof s->key);
    NOW(.what = "set-up", .name = s->a.name, .engine = s->e.name);
    s->c = combo_new(&s->e, s->a.name, s->key, s->a.info.key_len);
    ref_init(&s->r, s->a.model->name, s->a.cipher, s->key, s->a.info.key_len);
    engine_count(s->e.name);
    s->run(s);
    cdz_cipher_free(s->c);
    s->c = NULL;
}

void subjects_add_one(const struct algorithm *a, const char *what, void (*run)(struct subject *s)) {
    struct combo e[COMBO_MAX];
    if (test_quick > 1 && a->bits != algorithm_drawn_bits(a)) return;
    const size_t n = algorithm_combos(a, e);
    for (size_t i = 0; i < n; i++) {
        struct subject *s = calloc(1, sizeof *s); /* until the program ends */
        if (!s) abort();
        s->a = *a;
        s->e = e[i];
        s->run = run;
        test_add(run_subject, s, "%s on %s: %s", a->name, e[i].name, what);
    }
}

static const char *adding_what;
static void (*adding_run)(struct subject *s);

static void add(const struct algorithm *a) { subjects_add_one(a, adding_what, adding_run); }

void subjects_add(const char *mode, const char *what, void (*run)(struct subject *s)) {
    adding_what = what;
    adding_run = run;
    each_algorithm_of(NULL, mode, add);
}

void subject_agree(struct subject *s, const struct msg *m, uint8_t *out, uint8_t tag[16]) {
    const struct ref_message rm = msg_ref(m);
    const size_t room = ref_room(m->len);
    uint8_t *want = malloc(room), *back = malloc(room), want_tag[16];
    size_t n, back_len;
    if (!want || !back) abort();
    test_now.name = s->a.name;
    test_now.engine = s->e.name;
    test_now.len = m->len;
    const size_t want_len = ref_seal(&s->r, &rm, want, want_tag);
    CHECK_STATUS(drive_encrypt(s->c, &s->a, m, out, room, &n, tag), CDZ_OK);
    CHECK(n == want_len);
    test_same("ciphertext", out, want, n);
    test_same("tag", tag, want_tag, m->tag_len);
    struct msg back_m = *m;
    if (!s->a.info.mac) back_m.in = out, back_m.len = n;
    CHECK_STATUS(drive_decrypt(s->c, &s->a, &back_m, back, room, &back_len, tag), CDZ_OK);
    if (!s->a.info.mac) {
        CHECK(back_len == m->len);
        test_same("plaintext", back, m->in, m->len);
    }
    free(want);
    free(back);
}
