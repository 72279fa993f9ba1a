/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets for the constant-time runs: shadow bits, which say of each bit in memory and registers whether it is defined.
 * What is marked here as undefined, and all that is made of it, may not decide a branch nor an address.
 *
 *   memcheck           looks at the machine code as it runs: each branch, each address. Knows nothing of GFNI, VAES,
 *                      VPCLMULQDQ on wide registers, AVX-512.
 *   MemorySanitizer    the compiler adds the shadow bits and the checks to its intermediate code: for those
 *                      instructions (src/x86/msan.h).
 *
 * References: the Valgrind manual, 4.7 (client requests); sanitizer/msan_interface.h.
 */
#ifndef CDZ_CT_POISON_H
#define CDZ_CT_POISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CT_MSAN 1
#endif
#endif

#ifdef CT_MSAN
#include <sanitizer/msan_interface.h>
#define CT_WATCHER "MemorySanitizer"

static inline bool ct_is_watched(void) { return true; }
static inline void ct_secret(const void *p, size_t n) { __msan_poison(p, n); }
static inline void ct_public(const void *p, size_t n) { __msan_unpoison(p, n); }

/* Does any bit of a byte depend on a secret? */
static inline bool ct_is_secret(const uint8_t *p) { return __msan_test_shadow(p, 1) == 0; }
#else
#include <valgrind/memcheck.h>
#define CT_WATCHER "valgrind"

static inline bool ct_is_watched(void) { return RUNNING_ON_VALGRIND != 0; }

static inline void ct_secret(const void *p, size_t n) {
    if (n) (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n);
}

static inline void ct_public(const void *p, size_t n) {
    if (n) (void)VALGRIND_MAKE_MEM_DEFINED(p, n);
}

static inline bool ct_is_secret(const uint8_t *p) {
    uint8_t bits = 0; /* set where undefined */
    return VALGRIND_GET_VBITS(p, &bits, 1) == 1 && bits;
}
#endif

/* Does each of n bytes depend on a secret? Where not, the run has proved nothing about them. */
static inline bool ct_all_secret(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!ct_is_secret(p + i)) return false;
    return true;
}

#endif
