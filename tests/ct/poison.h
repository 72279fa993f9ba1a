/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets for the constant-time run: memcheck's shadow bits, which say of each bit whether it is defined. What is
 * marked here as undefined, and all that is made of it, may not decide a branch nor an address: memcheck reports it.
 * References: the Valgrind manual, 4.7 (client requests).
 */
#ifndef CDZ_CT_POISON_H
#define CDZ_CT_POISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <valgrind/memcheck.h>

static inline bool ct_is_watched(void) { return RUNNING_ON_VALGRIND != 0; }

static inline void ct_secret(const void *p, size_t n) {
    if (n) (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n);
}

static inline void ct_public(const void *p, size_t n) {
    if (n) (void)VALGRIND_MAKE_MEM_DEFINED(p, n);
}

/* Does each of n bytes depend on a secret? Where not, the run has proved nothing about them. */
static inline bool ct_all_secret(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint8_t bits = 0; /* set where undefined */
        if (VALGRIND_GET_VBITS(p + i, &bits, 1) != 1 || !bits) return false;
    }
    return true;
}

#endif
