/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cdz_clear_and_burn(): see wipe.h. In assembly, since only there nothing lies between the caller's stack pointer and
 * the first byte zeroed but the return address. The stack pointer goes down before anything is written: a signal
 * handler, and valgrind, see an ordinary frame.
 *
 * The one object that has instructions of several tiers and asks the CPU itself.
 */
#if defined(__x86_64__) && defined(__ELF__)

#include "../cpu.h"
#include "../util/wipe.h"

/* What vector registers there are, whatever CADENZA_CPU masks: the C library's memcpy() uses the widest. */
enum { LEVEL_UNKNOWN, LEVEL_SSE, LEVEL_AVX, LEVEL_AVX512 };
/* Used by the assembly below alone: link-time optimization must leave both where it finds them. */
__attribute__((used, visibility("hidden"))) uint8_t cdz_vector_level = LEVEL_UNKNOWN;

__attribute__((used, visibility("hidden"))) void cdz_find_vector_level(void);
void cdz_find_vector_level(void) {
    const cdz_cpu_set have = cdz_cpu_detect();
    const uint8_t level = have & CDZ_CPU_AVX512VL ? LEVEL_AVX512 : have & CDZ_CPU_AVX ? LEVEL_AVX : LEVEL_SSE;
    __atomic_store_n(&cdz_vector_level, level, __ATOMIC_RELAXED);
}

#define ZERO1(op, kind, n)          "    " op " %" kind #n ", %" kind #n ", %" kind #n "\n"
#define ZERO4(op, kind, a, b, c, d) ZERO1(op, kind, a) ZERO1(op, kind, b) ZERO1(op, kind, c) ZERO1(op, kind, d)
#define PXOR1(n)                    "    pxor %xmm" #n ", %xmm" #n "\n"
#define PXOR4(a, b, c, d)           PXOR1(a) PXOR1(b) PXOR1(c) PXOR1(d)

/*
 * rdi: bytes. Writing the low 128 bits in a VEX or EVEX form clears all above, without a port, where
 * VZEROALL takes twelve cycles for the first sixteen registers alone. VZEROUPPER makes SSE code that
 * follows fast again.
 *
 * The stack: a loop of 64-byte lines, of which the first and the last are not aligned; for more, the string
 * instruction, which takes some 40 cycles to begin but then writes wider than SSE2 can.
 */
__asm__(".text\n"
        ".p2align 4\n"
        ".globl cdz_clear_and_burn\n"
        ".hidden cdz_clear_and_burn\n"
        ".type cdz_clear_and_burn, @function\n"
        "cdz_clear_and_burn:\n"
        "    .cfi_startproc\n"
#ifdef __CET__
        "    endbr64\n"
#endif
        "    movq %rsp, %rdx\n"
        "    .cfi_def_cfa_register %rdx\n"
        "    subq %rdi, %rsp\n"
        "    movzbl cdz_vector_level(%rip), %eax\n"
        "    cmpl $1, %eax\n"
        "    jb 9f\n"
        "    je 5f\n"
        "    cmpl $2, %eax\n"
        "    je 4f\n"
        /* clang-format off */
        ZERO4("vpxord", "xmm", 16, 17, 18, 19) ZERO4("vpxord", "xmm", 20, 21, 22, 23)
        ZERO4("vpxord", "xmm", 24, 25, 26, 27) ZERO4("vpxord", "xmm", 28, 29, 30, 31)
        ZERO4("kxorw", "k", 0, 1, 2, 3) ZERO4("kxorw", "k", 4, 5, 6, 7)
        "4:\n"
        ZERO4("vpxor", "xmm", 0, 1, 2, 3) ZERO4("vpxor", "xmm", 4, 5, 6, 7)
        ZERO4("vpxor", "xmm", 8, 9, 10, 11) ZERO4("vpxor", "xmm", 12, 13, 14, 15)
        "    cmpq $4096, %rdi\n"
        "    ja 2f\n"
        "    vmovups %ymm0, (%rsp)\n"
        "    vmovups %ymm0, 32(%rsp)\n"
        "    leaq 64(%rsp), %rdi\n"
        "    andq $-64, %rdi\n"
        "    leaq -64(%rdx), %rcx\n"
        "1:  vmovaps %ymm0, (%rdi)\n"
        "    vmovaps %ymm0, 32(%rdi)\n"
        "    addq $64, %rdi\n"
        "    cmpq %rcx, %rdi\n"
        "    jb 1b\n"
        "    vmovups %ymm0, -64(%rdx)\n"
        "    vmovups %ymm0, -32(%rdx)\n"
        "    vzeroupper\n"
        "    jmp 3f\n"
        "5:\n"
        PXOR4(0, 1, 2, 3) PXOR4(4, 5, 6, 7) PXOR4(8, 9, 10, 11) PXOR4(12, 13, 14, 15)
        /* clang-format on */
        "    cmpq $2048, %rdi\n"
        "    ja 8f\n"
        "    movups %xmm0, (%rsp)\n"
        "    movups %xmm0, 16(%rsp)\n"
        "    movups %xmm0, 32(%rsp)\n"
        "    movups %xmm0, 48(%rsp)\n"
        "    leaq 64(%rsp), %rdi\n"
        "    andq $-64, %rdi\n"
        "    leaq -64(%rdx), %rcx\n"
        "1:  movaps %xmm0, (%rdi)\n"
        "    movaps %xmm0, 16(%rdi)\n"
        "    movaps %xmm0, 32(%rdi)\n"
        "    movaps %xmm0, 48(%rdi)\n"
        "    addq $64, %rdi\n"
        "    cmpq %rcx, %rdi\n"
        "    jb 1b\n"
        "    movups %xmm0, -64(%rdx)\n"
        "    movups %xmm0, -48(%rdx)\n"
        "    movups %xmm0, -32(%rdx)\n"
        "    movups %xmm0, -16(%rdx)\n"
        "    jmp 3f\n"
        "2:  vzeroupper\n"
        "8:  movq %rdi, %rcx\n"
        "    shrq $3, %rcx\n"
        "    movq %rsp, %rdi\n"
        "    xorl %eax, %eax\n"
        "    rep stosq\n"
        "3:  movq %rdx, %rsp\n"
        "    .cfi_def_cfa_register %rsp\n"
        "    xorl %eax, %eax\n"
        "    xorl %ecx, %ecx\n"
        "    xorl %edx, %edx\n"
        "    xorl %esi, %esi\n"
        "    xorl %edi, %edi\n"
        "    xorl %r8d, %r8d\n"
        "    xorl %r9d, %r9d\n"
        "    xorl %r10d, %r10d\n"
        "    xorl %r11d, %r11d\n"
        "    ret\n"
        /* The first call of the process: the call below leaves nothing that the start over does not cover. */
        "    .cfi_def_cfa_register %rdx\n"
        "9:  movq %rdx, %rsp\n"
        "    .cfi_def_cfa_register %rsp\n"
        "    pushq %rdi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call cdz_find_vector_level\n"
        "    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    jmp cdz_clear_and_burn\n"
        "    .cfi_endproc\n"
        ".size cdz_clear_and_burn, .-cdz_clear_and_burn\n");

#else
typedef int cdz_no_empty_file;
#endif
