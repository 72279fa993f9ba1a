/* SPDX-License-Identifier: Apache-2.0 */
/* One test for every algorithm of a mode and every engine that it can have: with a random key, an object and the model.
 */
#ifndef CDZ_TEST_SUBJECT_H
#define CDZ_TEST_SUBJECT_H

#include "driver.h"

struct subject {
    struct algorithm a;
    struct combo e;
    void (*run)(struct subject *s);
    uint8_t key[64];
    cdz_cipher *c;
    struct ref r;
};

/* Adds run as "<algorithm> on <engine>: <what>"; of both ciphers, all key sizes (very quick: one), all engines. */
void subjects_add_one(const struct algorithm *a, const char *what, void (*run)(struct subject *s));
void subjects_add(const char *mode, const char *what, void (*run)(struct subject *s));

/* Encrypts with the library and the model, which must agree, and decrypts again; out and tag are the result. */
void subject_agree(struct subject *s, const struct msg *m, uint8_t *out, uint8_t tag[16]);

#endif
