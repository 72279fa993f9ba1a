/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU features: what raw facts mean, what depends on what, and what the masks leave.
 *
 * All but cdz_cpu_now() and the public calls at the end are pure functions. Raw facts are read in
 * src/<arch>/cpu_<arch>.c. A bit of the result promises that every instruction of the extension may be executed, so
 * a raw bit counts only together with all that it depends on (B() below): the operating system's part (XCR0) included.
 *
 * References: Intel SDM vol. 1, 13.3 and 15.2 to 15.4 (which XCR0 bits AVX and AVX-512 want), vol. 2, CPUID; Linux
 * Documentation/arch/riscv/hwprobe.rst and vector.rst; Linux Documentation/arch/arm64/elf_hwcaps.rst.
 */
#include "cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if !defined(__linux__)
#include <unistd.h>
#endif

_Static_assert(CDZ_CPU_BITS < 62, "the two highest bits of the cached set are its state");

static const char *const words[CDZ_CPU_BITS] = {
#define X(name, word) word,
    CDZ_CPU_LIST(X)
#undef X
};

#define B(name) (UINT64_C(1) << CDZ_CPU_BIT_##name)

/* What a feature builds on, directly. GFNI has a form on SSE registers, and CPUs without AVX have it; VAES and
 * VPCLMULQDQ have forms on ymm registers without AVX-512. AVX512VL's forms on xmm and ymm still want the operating
 * system to save the zmm state, since their EVEX encoding does. */
static const cdz_cpu_set builds_on[CDZ_CPU_BITS] = {
    [CDZ_CPU_BIT_SSSE3] = B(SSE2),
    [CDZ_CPU_BIT_SSE41] = B(SSSE3),
    [CDZ_CPU_BIT_AESNI] = B(SSE41),
    [CDZ_CPU_BIT_PCLMUL] = B(SSE41),
    [CDZ_CPU_BIT_AVX] = B(SSE41),
    [CDZ_CPU_BIT_AVX2] = B(AVX),
    [CDZ_CPU_BIT_GFNI] = B(SSE41),
    [CDZ_CPU_BIT_VAES] = B(AVX2) | B(AESNI),
    [CDZ_CPU_BIT_VPCLMUL] = B(AVX2) | B(PCLMUL),
    [CDZ_CPU_BIT_AVX512F] = B(AVX2),
    [CDZ_CPU_BIT_AVX512BW] = B(AVX512F),
    [CDZ_CPU_BIT_AVX512VL] = B(AVX512F),
    [CDZ_CPU_BIT_AVX512VBMI] = B(AVX512BW),
    [CDZ_CPU_BIT_ARMAES] = B(NEON),
    [CDZ_CPU_BIT_PMULL] = B(NEON),
    [CDZ_CPU_BIT_VLEN256] = B(RVV),
    [CDZ_CPU_BIT_GATHER] = B(RVV),
    [CDZ_CPU_BIT_ZVKB] = B(RVV),
    [CDZ_CPU_BIT_ZVBC] = B(RVV),
    [CDZ_CPU_BIT_ZVKG] = B(RVV),
    [CDZ_CPU_BIT_ZVKNED] = B(RVV),
    [CDZ_CPU_BIT_ZVKT] = B(RVV),
};

/* These and all that builds on them. */
static cdz_cpu_set with_dependents(cdz_cpu_set these) {
    cdz_cpu_set before;
    do {
        before = these;
        for (unsigned i = 0; i < CDZ_CPU_BITS; i++)
            if (builds_on[i] & these) these |= UINT64_C(1) << i;
    } while (these != before);
    return these;
}

cdz_cpu_set cdz_cpu_without(cdz_cpu_set have, cdz_cpu_set remove) { return have & ~with_dependents(remove); }

/* Drops what lacks something that it builds on. */
static cdz_cpu_set settle(cdz_cpu_set raw) { return cdz_cpu_without(raw, ~raw); }

/* Kinds of engine, not features: there until the mask takes them. */
static const cdz_cpu_set kinds = B(VPERM) | B(SLICED);

static bool bit(uint64_t x, unsigned i) { return x >> i & 1; }

cdz_cpu_set cdz_cpu_from_x86(const struct cdz_x86_facts *f) {
    cdz_cpu_set s = kinds;
    if (f->max_leaf < 1) return s;
    if (bit(f->leaf1_edx, 26)) s |= B(SSE2);
    if (bit(f->leaf1_ecx, 9)) s |= B(SSSE3);
    if (bit(f->leaf1_ecx, 19)) s |= B(SSE41);
    if (bit(f->leaf1_ecx, 25)) s |= B(AESNI);
    if (bit(f->leaf1_ecx, 1)) s |= B(PCLMUL);

    /* Register state that the operating system saves: XCR0 means something only where it has set OSXSAVE. */
    const uint64_t xcr0 = bit(f->leaf1_ecx, 27) ? f->xcr0 : 0;
    const uint64_t xmm_ymm = 0x06, opmask_zmm = 0xe0; /* bits 1 2; bits 5 (k0-7), 6 (zmm0-15's heads), 7 (zmm16-31) */
    const bool ymm_saved = (xcr0 & xmm_ymm) == xmm_ymm;
    const bool zmm_saved = (xcr0 & (xmm_ymm | opmask_zmm)) == (xmm_ymm | opmask_zmm);
    if (ymm_saved && bit(f->leaf1_ecx, 28)) s |= B(AVX);

    /* A leaf above the maximum answers with another leaf's bits. */
    if (f->max_leaf >= 7) {
        if (bit(f->leaf7_ebx, 5)) s |= B(AVX2);
        if (bit(f->leaf7_ebx, 8)) s |= B(BMI2);
        if (bit(f->leaf7_ecx, 8)) s |= B(GFNI);
        if (bit(f->leaf7_ecx, 9)) s |= B(VAES);
        if (bit(f->leaf7_ecx, 10)) s |= B(VPCLMUL);
        if (zmm_saved) {
            if (bit(f->leaf7_ebx, 16)) s |= B(AVX512F);
            if (bit(f->leaf7_ebx, 30)) s |= B(AVX512BW);
            if (bit(f->leaf7_ebx, 31)) s |= B(AVX512VL);
            if (bit(f->leaf7_ecx, 1)) s |= B(AVX512VBMI);
        }
    }
    return settle(s);
}

cdz_cpu_set cdz_cpu_from_riscv(const struct cdz_riscv_facts *f) {
    cdz_cpu_set s = kinds;
    /* Without hwprobe nothing can be told apart: vendor kernels set HWCAP's V for the draft 0.7 of the vector
     * extension, which has the same letter and other instructions. */
    const bool ima = f->hwprobe && f->key3_known && f->base_behavior != UINT64_MAX && bit(f->base_behavior, 0);
    if (!ima || !f->key4_known || f->ima_ext_0 == UINT64_MAX) return s;
    const uint64_t ext = f->ima_ext_0;
    if (bit(ext, 4)) s |= B(ZBB);
    if (bit(ext, 7)) s |= B(ZBC);

    /* V for this process (HWCAP follows the policy that prctl and sysctl set), and V of the ratified kind (hwprobe).
     * A V below 128 bits does not exist, but Zve does, and an emulator may show one as the other. */
    if (bit(f->hwcap, 'V' - 'A') && bit(ext, 2) && f->vlenb >= 16) {
        s |= B(RVV);
        if (f->vlenb >= 32) s |= B(VLEN256);
        /* A gather's cost grows with the square of its registers on cores with short ones, and with the number of its
         * elements on those with long ones: beyond 256 bits it is not a way to be fast. */
        if (f->vlenb <= 32) s |= B(GATHER);
        /* The permutes count on an index of 128 being beyond a register. */
        if (f->vlenb > 128) s &= ~B(VPERM);
    }
    if (bit(ext, 17) || bit(ext, 19)) s |= B(ZVKB); /* Zvbb has all of Zvkb */
    if (bit(ext, 18)) s |= B(ZVBC);
    if (bit(ext, 20)) s |= B(ZVKG);
    if (bit(ext, 21)) s |= B(ZVKNED);
    if (bit(ext, 26)) s |= B(ZVKT);
    return settle(s);
}

cdz_cpu_set cdz_cpu_from_arm64(const struct cdz_arm64_facts *f) {
    cdz_cpu_set s = kinds;
    if (bit(f->hwcap, 1)) s |= B(NEON); /* HWCAP_ASIMD */
    if (bit(f->hwcap, 3)) s |= B(ARMAES);
    if (bit(f->hwcap, 4)) s |= B(PMULL);
    return settle(s);
}

bool cdz_cpu_parse_mask(const char *mask, cdz_cpu_set *remove) {
    *remove = 0;
    if (!mask || !*mask) return true;
    cdz_cpu_set all = 0;
    for (;;) {
        if (*mask++ != '-') return false;
        const size_t n = strcspn(mask, ",");
        unsigned i = 0;
        while (i < CDZ_CPU_BITS && (strlen(words[i]) != n || memcmp(words[i], mask, n) != 0)) i++;
        if (i == CDZ_CPU_BITS) return false;
        all |= UINT64_C(1) << i;
        mask += n;
        if (!*mask) break;
        mask++;
    }
    *remove = all;
    return true;
}

size_t cdz_cpu_words(cdz_cpu_set set, char *out, size_t cap) {
    size_t n = 0;
    for (unsigned i = 0; i < CDZ_CPU_BITS; i++) {
        if (!bit(set, i)) continue;
        if (n) {
            if (n < cap) out[n] = ' ';
            n++;
        }
        for (const char *w = words[i]; *w; w++, n++)
            if (n < cap) out[n] = *w;
    }
    if (cap) out[n < cap ? n : cap - 1] = 0;
    return n;
}

/* ---- this process ---- */

#if defined(__x86_64__) || defined(__i386__) || (defined(__riscv) && __riscv_xlen == 64 && defined(__linux__)) ||      \
    (defined(__aarch64__) && defined(__linux__))
/* in src/<arch>/cpu_<arch>.c */
#else
cdz_cpu_set cdz_cpu_detect(void) { return kinds; }
#endif

/* The environment's mask, NULL where there is none. A set-uid process must not be steered from outside. */
static const char *environment(void) {
#if defined(__linux__)
    return secure_getenv("CADENZA_CPU");
#else
    return issetugid() ? NULL : getenv("CADENZA_CPU");
#endif
}

/* What was detected less CADENZA_CPU, and the state in the same word: threads that race here all store the same value,
 * so that neither a lock nor an order is needed. */
#define READY (UINT64_C(1) << 63)
#define BAD   (UINT64_C(1) << 62)
static _Atomic cdz_cpu_set detected;
static _Atomic cdz_cpu_set masked; /* what cdz_cpu_mask() removes, with all that builds on it: every new key asks */

cdz_status cdz_cpu_now(cdz_cpu_set *set) {
    cdz_cpu_set s = atomic_load_explicit(&detected, memory_order_relaxed);
    if (!(s & READY)) {
        cdz_cpu_set remove;
        const bool good = cdz_cpu_parse_mask(environment(), &remove);
        s = READY | (good ? cdz_cpu_without(cdz_cpu_detect(), remove) : BAD);
        atomic_store_explicit(&detected, s, memory_order_relaxed);
    }
    *set = 0;
    if (s & BAD) return CDZ_ERR_CPU_MASK;
    *set = s & ~(READY | BAD) & ~atomic_load_explicit(&masked, memory_order_relaxed);
    return CDZ_OK;
}

cdz_status cdz_cpu_mask(const char *mask) {
    cdz_cpu_set remove;
    if (!cdz_cpu_parse_mask(mask, &remove)) return CDZ_ERR_CPU_MASK;
    atomic_store_explicit(&masked, with_dependents(remove), memory_order_relaxed);
    return CDZ_OK;
}

size_t cdz_cpu_features(char *out, size_t cap) {
    cdz_cpu_set set;
    (void)cdz_cpu_now(&set); /* where CADENZA_CPU is bad nothing may be used, and the set is empty */
    return cdz_cpu_words(set, out, cap);
}
