/* SPDX-License-Identifier: Apache-2.0 */
/* Test vectors of the standards: vectors.c. All strings but the first two are in hexadecimal. */
#ifndef CDZ_TEST_VECTORS_H
#define CDZ_TEST_VECTORS_H

struct vector {
    const char *source, *name, *key, *iv, *aad, *in, *out, *tag;
};
extern const struct vector vectors[]; /* a NULL source ends the list */

#endif
