/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cdz_burn_stack(): see wipe.h. In assembly where it can be, since only there nothing lies between the caller's stack
 * pointer and the first byte zeroed but the return address. The stack pointer goes down before anything is written:
 * a signal handler, and valgrind, see an ordinary frame.
 */
#include "wipe.h"

#if defined(__x86_64__) && defined(__ELF__)
/* cdz_clear_and_burn(), in src/x86/clear_x86.c. */
#elif defined(__riscv) && __riscv_xlen == 64 && defined(__ELF__)
/* a0: bytes. */
__asm__(".text\n"
        ".p2align 2\n"
        ".globl cdz_burn_stack\n"
        ".hidden cdz_burn_stack\n"
        ".type cdz_burn_stack, @function\n"
        "cdz_burn_stack:\n"
        "    .cfi_startproc\n"
        "    mv t0, sp\n"
        "    .cfi_def_cfa_register t0\n"
        "    sub sp, sp, a0\n"
        "    mv t1, sp\n"
        "1:  sd zero, 0(t1)\n"
        "    sd zero, 8(t1)\n"
        "    sd zero, 16(t1)\n"
        "    sd zero, 24(t1)\n"
        "    sd zero, 32(t1)\n"
        "    sd zero, 40(t1)\n"
        "    sd zero, 48(t1)\n"
        "    sd zero, 56(t1)\n"
        "    addi t1, t1, 64\n"
        "    bltu t1, t0, 1b\n"
        "    mv sp, t0\n"
        "    .cfi_def_cfa_register sp\n"
        "    li a0, 0\n"
        "    li a1, 0\n"
        "    li a2, 0\n"
        "    li a3, 0\n"
        "    li a4, 0\n"
        "    li a5, 0\n"
        "    li a6, 0\n"
        "    li a7, 0\n"
        "    li t1, 0\n"
        "    li t2, 0\n"
        "    li t3, 0\n"
        "    li t4, 0\n"
        "    li t5, 0\n"
        "    li t6, 0\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size cdz_burn_stack, .-cdz_burn_stack\n");
#elif defined(__aarch64__) && defined(__ELF__)
/* x0: bytes. */
__asm__(".text\n"
        ".p2align 2\n"
        ".globl cdz_burn_stack\n"
        ".hidden cdz_burn_stack\n"
        ".type cdz_burn_stack, %function\n"
        "cdz_burn_stack:\n"
        "    .cfi_startproc\n"
        "    hint #34\n" /* bti c */
        "    mov x1, sp\n"
        "    .cfi_def_cfa_register x1\n"
        "    sub sp, sp, x0\n"
        "    mov x2, sp\n"
        "1:  stp xzr, xzr, [x2]\n"
        "    stp xzr, xzr, [x2, #16]\n"
        "    stp xzr, xzr, [x2, #32]\n"
        "    stp xzr, xzr, [x2, #48]\n"
        "    add x2, x2, #64\n"
        "    cmp x2, x1\n"
        "    b.lo 1b\n"
        "    mov sp, x1\n"
        "    .cfi_def_cfa_register sp\n"
        "    mov x0, xzr\n"
        "    mov x1, xzr\n"
        "    mov x2, xzr\n"
        "    mov x3, xzr\n"
        "    mov x4, xzr\n"
        "    mov x5, xzr\n"
        "    mov x6, xzr\n"
        "    mov x7, xzr\n"
        "    mov x8, xzr\n"
        "    mov x9, xzr\n"
        "    mov x10, xzr\n"
        "    mov x11, xzr\n"
        "    mov x12, xzr\n"
        "    mov x13, xzr\n"
        "    mov x14, xzr\n"
        "    mov x15, xzr\n"
        "    mov x16, xzr\n"
        "    mov x17, xzr\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size cdz_burn_stack, .-cdz_burn_stack\n");
#elif defined(__s390x__) && defined(__ELF__)
/* r2: bytes. */
__asm__(".text\n"
        ".p2align 3\n"
        ".globl cdz_burn_stack\n"
        ".hidden cdz_burn_stack\n"
        ".type cdz_burn_stack, @function\n"
        "cdz_burn_stack:\n"
        "    .cfi_startproc\n"
        "    lgr %r3, %r15\n"
        "    .cfi_def_cfa %r3, 160\n"
        "    sgr %r15, %r2\n"
        "    lgr %r1, %r15\n"
        "1:  xc 0(64,%r1), 0(%r1)\n"
        "    la %r1, 64(%r1)\n"
        "    clgr %r1, %r3\n"
        "    jl 1b\n"
        "    lgr %r15, %r3\n"
        "    .cfi_def_cfa %r15, 160\n"
        "    lghi %r0, 0\n"
        "    lghi %r1, 0\n"
        "    lghi %r2, 0\n"
        "    lghi %r3, 0\n"
        "    lghi %r4, 0\n"
        "    lghi %r5, 0\n"
        "    lzdr %f0\n"
        "    lzdr %f1\n"
        "    lzdr %f2\n"
        "    lzdr %f3\n"
        "    lzdr %f4\n"
        "    lzdr %f5\n"
        "    lzdr %f6\n"
        "    lzdr %f7\n"
        "    br %r14\n"
        "    .cfi_endproc\n"
        ".size cdz_burn_stack, .-cdz_burn_stack\n");
#elif defined(__i386__) && defined(__ELF__)
/* 4(%esp): bytes. */
__asm__(".text\n"
        ".p2align 4\n"
        ".globl cdz_burn_stack\n"
        ".hidden cdz_burn_stack\n"
        ".type cdz_burn_stack, @function\n"
        "cdz_burn_stack:\n"
        "    .cfi_startproc\n"
        "    movl 4(%esp), %ecx\n"
        "    movl %esp, %edx\n"
        "    .cfi_def_cfa_register %edx\n"
        "    subl %ecx, %esp\n"
        "    movl %esp, %eax\n"
        "    xorl %ecx, %ecx\n"
        "1:  movl %ecx, (%eax)\n"
        "    movl %ecx, 4(%eax)\n"
        "    movl %ecx, 8(%eax)\n"
        "    movl %ecx, 12(%eax)\n"
        "    addl $16, %eax\n"
        "    cmpl %edx, %eax\n"
        "    jb 1b\n"
        "    movl %edx, %esp\n"
        "    .cfi_def_cfa_register %esp\n"
        "    xorl %eax, %eax\n"
        "    xorl %edx, %edx\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size cdz_burn_stack, .-cdz_burn_stack\n");
#else
/* The frames of this function cover the kernel's but for a few words at the top, where the kernel's saved registers and
 * return address were. */
enum { FRAME = 1024 };

CDZ_KERNEL void cdz_burn_stack(size_t bytes) {
    uint8_t frame[FRAME];
    cdz_wipe(frame, sizeof frame);
    if (bytes > FRAME) cdz_burn_stack(bytes - FRAME);
    __asm__ volatile("" : : "r"(frame) : "memory"); /* no tail call: the frames must lie side by side */
}
#endif
