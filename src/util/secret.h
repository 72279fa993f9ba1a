/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a secret becomes public on purpose. The constant-time run (tests/ct) marks keys and data as undefined and lets
 * valgrind report every branch and address that depends on them; what the caller is told anyway - that a tag is wrong,
 * how long the unpadded message is - is declared here. In a normal build nothing is left of it.
 */
#ifndef CDZ_SECRET_H
#define CDZ_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef CDZ_CT_CHECK
void cdz_ct_declassify(const void *p, size_t n); /* defined by the test program */
#define CDZ_DECLASSIFY(p, n) cdz_ct_declassify(p, n)
#else
#define CDZ_DECLASSIFY(p, n) ((void)(p), (void)(n))
#endif

static inline bool cdz_declassify_mask(uint64_t mask) {
    CDZ_DECLASSIFY(&mask, sizeof mask);
    return mask != 0;
}

#endif
