/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaving nothing behind: stack and registers.
 *
 * cdz_wipe() clears the arrays that the source names. It cannot reach what the compiler adds: spill slots, copies of
 * vectors, registers that still hold a round key when the function returns. So a kernel is a function of its own that
 * is never inlined (CDZ_KERNEL), and who calls it clears up behind it:
 *
 *     static CDZ_KERNEL void encrypt_kernel(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) { ... }
 *
 *     static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
 *         encrypt_kernel(ks, in, out, blocks);
 *         cdz_leave_nothing(2048);
 *     }
 *
 * The kernel's frame, with all that it calls, lies right below the stack pointer of its caller, and is overwritten
 * there whatever the compiler put into it: `bytes` must be at least what the kernel uses (gcc -fstack-usage, all
 * levels, plus the 128 bytes below the stack pointer that a leaf may use). The caller itself must hold nothing secret
 * but pointers. Callee-saved registers have their caller's contents again; the others are cleared.
 *
 * What a call into the C library leaves is covered where it is not deeper than `bytes`; the library is linked with
 * -z now, so that no lazy binding saves vector registers on the stack in between.
 */
#ifndef CDZ_WIPE_H
#define CDZ_WIPE_H

#include "bytes.h"

#if defined(__clang__)
#define CDZ_KERNEL __attribute__((noinline))
#else
#define CDZ_KERNEL __attribute__((noinline, noclone, noipa))
#endif
#define CDZ_INLINE static inline __attribute__((always_inline))

/* Zeroes `bytes` bytes (a multiple of 64, at least 256) right below the stack pointer of the caller, and clears the
 * general registers that need not be preserved. */
__attribute__((visibility("hidden"))) void cdz_burn_stack(size_t bytes);

/*
 * Clears the registers that a function need not preserve, vector registers as wide as this file's compiler flags know
 * them: an engine that uses wide ones is compiled with their flags.
 */
CDZ_INLINE void cdz_clear_vectors(void) {
#if defined(__x86_64__) && defined(__AVX__)
    /* Writing the low 128 bits in a VEX or EVEX form clears all above. 33 instructions that never reach a port take six
     * cycles, where VZEROALL takes twelve for the first sixteen registers alone. VZEROUPPER makes SSE code that follows
     * fast again. Mask registers are left: nothing secret is ever in one. */
#define CDZ_ZERO1(op, kind, n) op " %%" kind #n ", %%" kind #n ", %%" kind #n "\n\t"
#define CDZ_ZERO4(op, kind, a, b, c, d)                                                                                \
    CDZ_ZERO1(op, kind, a) CDZ_ZERO1(op, kind, b) CDZ_ZERO1(op, kind, c) CDZ_ZERO1(op, kind, d)
    __asm__ volatile(CDZ_ZERO4("vpxor", "xmm", 0, 1, 2, 3) CDZ_ZERO4("vpxor", "xmm", 4, 5, 6, 7)
                         CDZ_ZERO4("vpxor", "xmm", 8, 9, 10, 11) CDZ_ZERO4("vpxor", "xmm", 12, 13, 14, 15)
#if defined(__AVX512F__)
                             CDZ_ZERO4("vpxord", "zmm", 16, 17, 18, 19) CDZ_ZERO4("vpxord", "zmm", 20, 21, 22, 23)
                                 CDZ_ZERO4("vpxord", "zmm", 24, 25, 26, 27) CDZ_ZERO4("vpxord", "zmm", 28, 29, 30, 31)
                                     CDZ_ZERO4("kxorw", "k", 0, 1, 2, 3) CDZ_ZERO4("kxorw", "k", 4, 5, 6, 7)
#endif
                                         "vzeroupper"
                     :
                     :
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15"
#if defined(__AVX512F__)
                       ,
                       "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
                       "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6",
                       "k7"
#endif
    );
#undef CDZ_ZERO1
#undef CDZ_ZERO4
#elif defined(__x86_64__)
    __asm__ volatile("pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
                     "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
                     "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
                     "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\t"
                     "pxor %%xmm15, %%xmm15"
                     :
                     :
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15");
#elif defined(__i386__) && defined(__SSE2__)
    __asm__ volatile("pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
                     "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7"
                     :
                     :
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
#elif defined(__aarch64__) && defined(__ARM_NEON)
    /* The low halves of v8 to v15 are callee-saved, their high halves are not. */
    __asm__ volatile("movi v0.2d, #0\n\tmovi v1.2d, #0\n\tmovi v2.2d, #0\n\tmovi v3.2d, #0\n\t"
                     "movi v4.2d, #0\n\tmovi v5.2d, #0\n\tmovi v6.2d, #0\n\tmovi v7.2d, #0\n\t"
                     "mov v8.d[1], xzr\n\tmov v9.d[1], xzr\n\tmov v10.d[1], xzr\n\tmov v11.d[1], xzr\n\t"
                     "mov v12.d[1], xzr\n\tmov v13.d[1], xzr\n\tmov v14.d[1], xzr\n\tmov v15.d[1], xzr\n\t"
                     "movi v16.2d, #0\n\tmovi v17.2d, #0\n\tmovi v18.2d, #0\n\tmovi v19.2d, #0\n\t"
                     "movi v20.2d, #0\n\tmovi v21.2d, #0\n\tmovi v22.2d, #0\n\tmovi v23.2d, #0\n\t"
                     "movi v24.2d, #0\n\tmovi v25.2d, #0\n\tmovi v26.2d, #0\n\tmovi v27.2d, #0\n\t"
                     "movi v28.2d, #0\n\tmovi v29.2d, #0\n\tmovi v30.2d, #0\n\tmovi v31.2d, #0"
                     :
                     :
                     : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                       "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#elif defined(__riscv_vector)
    /* v0 to v31 in four groups of eight; vxrm and vxsat hold nothing here. */
    __asm__ volatile("vsetvli t0, zero, e8, m8, ta, ma\n\t"
                     "vmv.v.i v0, 0\n\tvmv.v.i v8, 0\n\tvmv.v.i v16, 0\n\tvmv.v.i v24, 0"
                     :
                     :
                     : "t0", "vl", "vtype", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",
                       "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
                       "v26", "v27", "v28", "v29", "v30", "v31");
#endif
}

/* After a kernel: see above. */
CDZ_INLINE void cdz_leave_nothing(size_t bytes) {
    cdz_clear_vectors();
#if defined(__riscv_vector)
    /* Vector registers are spilled whole, whatever their length: up to 16 of them come on top of `bytes` (more, where a
     * kernel's caller says so; scripts/riscv-static counts them). */
    size_t vlenb;
    __asm__("csrr %0, 0xc22" : "=r"(vlenb)); /* vlenb */
    bytes += 16 * vlenb;
#endif
    cdz_burn_stack(bytes);
}

#endif
