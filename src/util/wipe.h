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

#if defined(__x86_64__) && defined(__ELF__)
/* Zeroes `bytes` bytes (a multiple of 64, at least 256) right below the stack pointer of the caller, and clears the
 * registers that need not be preserved: all vector and mask registers that the CPU has, since the C library's memcpy()
 * uses the widest, whatever this file is compiled for. */
__attribute__((visibility("hidden"))) void cdz_clear_and_burn(size_t bytes);
#else
/* Zeroes `bytes` bytes (a multiple of 64, at least 256) right below the stack pointer of the caller, and clears the
 * general registers that need not be preserved. */
__attribute__((visibility("hidden"))) void cdz_burn_stack(size_t bytes);

/*
 * Clears the vector registers that a function need not preserve, as wide as this file's compiler flags know them: an
 * engine that uses wide ones is compiled with their flags.
 */
CDZ_INLINE void cdz_clear_vectors(void) {
#if defined(__i386__) && defined(__SSE2__)
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
#endif

/* After a kernel: see above. Of whole lines of 64 bytes: more would be zeroed above the stack pointer otherwise. */
CDZ_INLINE void cdz_leave_nothing(size_t bytes) {
    bytes = (bytes + 63) & ~(size_t)63;
#if defined(__x86_64__) && defined(__ELF__)
    cdz_clear_and_burn(bytes);
#else
    cdz_clear_vectors();
#if defined(__riscv_vector)
    /* Vector registers are spilled whole, whatever their length: up to 16 of them come on top of `bytes` (more, where a
     * kernel's caller says so; scripts/riscv-static counts them). */
    size_t vlenb;
    __asm__("csrr %0, 0xc22" : "=r"(vlenb)); /* vlenb */
    bytes += 16 * vlenb;
#endif
    cdz_burn_stack(bytes);
#endif
    __asm__ volatile("" ::: "memory"); /* no tail call: it would begin above the caller's frame, and end higher */
}

#endif
