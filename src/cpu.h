/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the CPU can do, as one set of bits.
 *
 * Detection has two halves: reading raw facts (CPUID leaves and XCR0, hwcaps, hwprobe pairs, VLEN), which only real
 * hardware can do, and deciding what they mean, which is a pure function and is tested with tables of CPUs,
 * hypervisors and kernels that nobody here owns (tests/test_cpu.c).
 */
#ifndef CDZ_CPU_H
#define CDZ_CPU_H

#include "cadenza.h"

#include <stdbool.h>

/* A bit is set only where every instruction of the extension may be executed: the CPU has it, the operating system
 * saves its registers, and all that it builds on is there too. */
#define CDZ_CPU_LIST(X)                                                                                                \
    /* name, word */                                                                                                   \
    X(SSE2, "sse2")                                                                                                    \
    X(SSSE3, "ssse3")                                                                                                  \
    X(SSE41, "sse4.1")                                                                                                 \
    X(AESNI, "aesni")                                                                                                  \
    X(PCLMUL, "pclmul")                                                                                                \
    X(AVX, "avx")                                                                                                      \
    X(AVX2, "avx2")                                                                                                    \
    X(BMI2, "bmi2")                                                                                                    \
    X(GFNI, "gfni")                                                                                                    \
    X(VAES, "vaes")                                                                                                    \
    X(VPCLMUL, "vpclmul")                                                                                              \
    X(AVX512F, "avx512f")                                                                                              \
    X(AVX512BW, "avx512bw")                                                                                            \
    X(AVX512VL, "avx512vl")                                                                                            \
    X(AVX512VBMI, "avx512vbmi")                                                                                        \
    X(NEON, "neon")                                                                                                    \
    X(ARMAES, "armaes")                                                                                                \
    X(PMULL, "pmull")                                                                                                  \
    X(RVV, "rvv")                                                                                                      \
    X(VLEN256, "vlen256")                                                                                              \
    X(GATHER, "gather") /* not a feature: registers of at most 256 bits, in which a gather is cheap */                 \
    X(ZBB, "zbb")                                                                                                      \
    X(ZBC, "zbc")                                                                                                      \
    X(ZVKB, "zvkb")                                                                                                    \
    X(ZVBC, "zvbc")                                                                                                    \
    X(ZVKG, "zvkg")                                                                                                    \
    X(ZVKNED, "zvkned")                                                                                                \
    X(ZVKT, "zvkt")                                                                                                    \
    /* kinds of engine rather than features, so that the mask can leave them out; always detected */                   \
    X(VPERM, "vperm")                                                                                                  \
    X(SLICED, "sliced")

enum {
#define X(name, word) CDZ_CPU_BIT_##name,
    CDZ_CPU_LIST(X)
#undef X
        CDZ_CPU_BITS
};

typedef uint64_t cdz_cpu_set;

#define X(name, word)                                                                                                  \
    static const cdz_cpu_set CDZ_CPU_##name __attribute__((unused)) = UINT64_C(1) << CDZ_CPU_BIT_##name;
CDZ_CPU_LIST(X)
#undef X

/** Raw facts of an x86 CPU. Leaves above the maximum are not looked at, whatever is in them. */
struct cdz_x86_facts {
    uint32_t max_leaf;
    uint32_t leaf1_ecx, leaf1_edx;
    uint32_t leaf7_ebx, leaf7_ecx, leaf7_edx; /* sub-leaf 0 */
    uint64_t xcr0;                            /* read only where leaf 1 has OSXSAVE; else 0 */
};

/** Raw facts of a RISC-V hart under Linux. */
struct cdz_riscv_facts {
    unsigned long hwcap;    /* AT_HWCAP */
    bool hwprobe;           /* the system call is there */
    uint64_t base_behavior; /* key 3; (uint64_t)-1 where the kernel does not know the key */
    uint64_t ima_ext_0;     /* key 4; likewise */
    bool key3_known, key4_known;
    unsigned vlenb; /* bytes of a vector register, read only where V may be used; else 0 */
};

/** Raw facts of an AArch64 CPU under Linux. */
struct cdz_arm64_facts {
    unsigned long hwcap; /* AT_HWCAP */
};

/** The raw facts of this CPU, read anew, and what they mean: src/<arch>/cpu_<arch>.c. No mask is applied. */
cdz_cpu_set cdz_cpu_detect(void);

cdz_cpu_set cdz_cpu_from_x86(const struct cdz_x86_facts *f);
cdz_cpu_set cdz_cpu_from_riscv(const struct cdz_riscv_facts *f);
cdz_cpu_set cdz_cpu_from_arm64(const struct cdz_arm64_facts *f);

/** Takes away from `have` the bits of `remove` and all that depends on them. A pure function. */
cdz_cpu_set cdz_cpu_without(cdz_cpu_set have, cdz_cpu_set remove);

/** Parses "-word,-word"; false where a word is unknown or lacks its minus sign. A pure function. */
bool cdz_cpu_parse_mask(const char *words, cdz_cpu_set *remove);

/** Feature words of a set, separated by blanks; as snprintf. */
size_t cdz_cpu_words(cdz_cpu_set set, char *out, size_t cap);

/** What may be used now: detected once, less CADENZA_CPU, less cdz_cpu_mask(). CDZ_ERR_CPU_MASK for a bad CADENZA_CPU.
 */
cdz_status cdz_cpu_now(cdz_cpu_set *set);

#endif
