/* SPDX-License-Identifier: Apache-2.0 */
/* A whole message in one call, in any mode, by cadenza and by OpenSSL: what the targets `stream` and `message` compare
 * with. */
#ifndef CDZ_FUZZ_WHOLE_H
#define CDZ_FUZZ_WHOLE_H

#include "fuzz.h"

#include "cadenza.h"

/* A message; of a MAC, what it is made of is `aad`. */
struct whole {
    const uint8_t *iv;
    size_t iv_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *in;
    size_t len, tag_len;
};

/* Room for what any mode makes of a message of `len` bytes. */
enum { WHOLE_MORE = 48 };

/* A key for an algorithm, on two engines. */
struct pair {
    const char *name;
    cdz_info info;
    bool weak; /* an XTS key of two equal halves */
    uint8_t key[64];
    cdz_cipher *c, *other;
};
void pair_new(struct pair *p, struct decisions *d);
void pair_free(struct pair *p);

/* By one call; where a mode has none, by one piece. `out` has room for len + WHOLE_MORE bytes. */
cdz_status whole_do(cdz_cipher *c, const cdz_info *info, bool decrypt, const struct whole *m, uint8_t *out,
                    size_t *out_len, uint8_t tag[16]);
/* Ends the program where OpenSSL, if it has the mode and takes the message, makes anything else of it than `out` and
 * `tag`. */
void whole_compare(const struct pair *p, const struct whole *m, const uint8_t *out, size_t out_len, const uint8_t *tag);

#endif
