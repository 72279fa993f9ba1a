/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls with a dirty machine state (H3): see harness.h.
 *
 * x86-64 (System V): the shim saves what the ABI wants saved, fills xmm/ymm/zmm 0 to 15 or 31 and k1 to k7 with random
 * bits, puts a pattern into rbx, rbp and r12 to r15, calls, and stores what it finds there afterwards.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__ELF__)

enum { PLAIN, SSE, AVX, AVX512 };

/* The offsets are written out in the assembly below, and checked. */
struct call {
    void (*f)(void);        /* 0 */
    uintptr_t args[12];     /* 8 */
    uintptr_t result;       /* 104 */
    uint64_t pattern[6];    /* 112: rbx rbp r12 r13 r14 r15 */
    uint64_t after[6];      /* 160 */
    uint64_t flags;         /* 208 */
    uint32_t mxcsr[2];      /* 216: before, after */
    uint16_t x87[2];        /* 224: control words */
    uint32_t level;         /* 228 */
    const uint8_t *garbage; /* 232: 32 x 64 bytes */
};
_Static_assert(offsetof(struct call, result) == 104 && offsetof(struct call, pattern) == 112 &&
                   offsetof(struct call, after) == 160 && offsetof(struct call, flags) == 208 &&
                   offsetof(struct call, mxcsr) == 216 && offsetof(struct call, x87) == 224 &&
                   offsetof(struct call, level) == 228 && offsetof(struct call, garbage) == 232,
               "as the assembly has it");

void cdz_test_call_shim(struct call *c);

#define FILL(op, reg, i, size) #op " " #size "*" #i "(%rax), %" #reg #i "\n"
#define FILL16(op, reg, size)                                                                                          \
    FILL(op, reg, 0, size)                                                                                             \
    FILL(op, reg, 1, size)                                                                                             \
    FILL(op, reg, 2, size)                                                                                             \
    FILL(op, reg, 3, size)                                                                                             \
    FILL(op, reg, 4, size)                                                                                             \
    FILL(op, reg, 5, size)                                                                                             \
    FILL(op, reg, 6, size)                                                                                             \
    FILL(op, reg, 7, size)                                                                                             \
    FILL(op, reg, 8, size)                                                                                             \
    FILL(op, reg, 9, size)                                                                                             \
    FILL(op, reg, 10, size)                                                                                            \
    FILL(op, reg, 11, size)                                                                                            \
    FILL(op, reg, 12, size)                                                                                            \
    FILL(op, reg, 13, size)                                                                                            \
    FILL(op, reg, 14, size)                                                                                            \
    FILL(op, reg, 15, size)
#define FILL_HIGH(op, reg, size)                                                                                       \
    FILL(op, reg, 16, size)                                                                                            \
    FILL(op, reg, 17, size)                                                                                            \
    FILL(op, reg, 18, size)                                                                                            \
    FILL(op, reg, 19, size)                                                                                            \
    FILL(op, reg, 20, size)                                                                                            \
    FILL(op, reg, 21, size)                                                                                            \
    FILL(op, reg, 22, size)                                                                                            \
    FILL(op, reg, 23, size)                                                                                            \
    FILL(op, reg, 24, size)                                                                                            \
    FILL(op, reg, 25, size)                                                                                            \
    FILL(op, reg, 26, size)                                                                                            \
    FILL(op, reg, 27, size)                                                                                            \
    FILL(op, reg, 28, size)                                                                                            \
    FILL(op, reg, 29, size)                                                                                            \
    FILL(op, reg, 30, size)                                                                                            \
    FILL(op, reg, 31, size)

__asm__(".text\n.p2align 4\n.globl cdz_test_call_shim\n.hidden cdz_test_call_shim\n"
        ".type cdz_test_call_shim, @function\ncdz_test_call_shim:\n"
        "endbr64\n"
        "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "sub $56, %rsp\n" /* 8 (return) + 48 (pushes) + 56 = 112: the stack is aligned to 16 at the call */
        "mov %rdi, 48(%rsp)\n"
        "mov 56(%rdi), %rax\nmov %rax, (%rsp)\n" /* the arguments from the seventh on */
        "mov 64(%rdi), %rax\nmov %rax, 8(%rsp)\n"
        "mov 72(%rdi), %rax\nmov %rax, 16(%rsp)\n"
        "mov 80(%rdi), %rax\nmov %rax, 24(%rsp)\n"
        "mov 88(%rdi), %rax\nmov %rax, 32(%rsp)\n"
        "mov 96(%rdi), %rax\nmov %rax, 40(%rsp)\n"
        "stmxcsr 216(%rdi)\nfnstcw 224(%rdi)\n"
        "mov 232(%rdi), %rax\n"
        "cmpl $1, 228(%rdi)\njb 9f\nje 1f\ncmpl $2, 228(%rdi)\nje 2f\n"
        /* AVX-512 */
        FILL16(vmovdqu64, zmm, 64) FILL_HIGH(
            vmovdqu64, zmm,
            64) "kmovw (%rax), %k1\nkmovw 2(%rax), %k2\nkmovw 4(%rax), %k3\nkmovw 6(%rax), %k4\n"
                "kmovw 8(%rax), %k5\nkmovw 10(%rax), %k6\nkmovw 12(%rax), %k7\n"
                "jmp 9f\n"
                "2:\n" FILL16(vmovdqu, ymm,
                              32) "jmp 9f\n"
                                  "1:\n" FILL16(movdqu, xmm,
                                                16) "9:\n"
                                                    "mov 112(%rdi), %rbx\nmov 120(%rdi), %rbp\nmov 128(%rdi), %r12\n"
                                                    "mov 136(%rdi), %r13\nmov 144(%rdi), %r14\nmov 152(%rdi), %r15\n"
                                                    "mov (%rdi), %rax\n"
                                                    "mov 16(%rdi), %rsi\nmov 24(%rdi), %rdx\nmov 32(%rdi), %rcx\nmov "
                                                    "40(%rdi), %r8\nmov 48(%rdi), %r9\n"
                                                    "mov 8(%rdi), %rdi\n"
                                                    "call *%rax\n"
                                                    "mov 48(%rsp), %rdi\n"
                                                    "mov %rax, 104(%rdi)\n"
                                                    "mov %rbx, 160(%rdi)\nmov %rbp, 168(%rdi)\nmov %r12, 176(%rdi)\n"
                                                    "mov %r13, 184(%rdi)\nmov %r14, 192(%rdi)\nmov %r15, 200(%rdi)\n"
                                                    "pushf\npop 208(%rdi)\ncld\n"
                                                    "stmxcsr 220(%rdi)\nfnstcw 226(%rdi)\n"
                                                    "add $56, %rsp\n"
                                                    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\n"
                                                    "ret\n.size cdz_test_call_shim, . - cdz_test_call_shim\n");

static bool env_is_set(const char *name) {
    const char *v = getenv(name);
    return v && *v && strcmp(v, "0") != 0;
}

/* How wide the registers are that may be filled; nothing wider than the engines' mask leaves, so that a run under
 * valgrind or an emulator meets no instruction that it does not know. */
static uint32_t level(void) {
    static int known = -1;
    if (known < 0) {
        char words[512];
        cdz_cpu_features(words, sizeof words);
        known = SSE;
        if (strstr(words, " avx2") && __builtin_cpu_supports("avx2")) known = AVX;
        if (strstr(words, " avx512f") && __builtin_cpu_supports("avx512f")) known = AVX512;
        if (env_is_set("CDZ_TEST_PLAIN_CALLS")) known = PLAIN;
    }
    return (uint32_t)known;
}

__attribute__((no_sanitize("address", "undefined"))) uintptr_t test_call(void (*f)(void), const char *name,
                                                                         const uintptr_t *args, size_t n) {
    static uint8_t garbage[32 * 64 * 2];
    static unsigned turn;
    struct call c = {.f = f, .level = level()};
    if (n > 12) abort();
    memcpy(c.args, args, n * sizeof *args);
    for (size_t i = n; i < 12; i++) c.args[i] = (uintptr_t)UINT64_C(0xdeadbeefdeadbeef);
    if (turn++ % 256 == 0) rnd_fill(garbage, sizeof garbage);
    c.garbage = garbage + turn * 8 % (32 * 64);
    for (int i = 0; i < 6; i++) c.pattern[i] = UINT64_C(0x0123456789abcdef) * (uint64_t)(turn + (unsigned)i);
    cdz_test_call_shim(&c);
    for (int i = 0; i < 6; i++)
        if (c.pattern[i] != c.after[i]) test_fail("%s does not preserve callee-saved register %d", name, i);
    if (c.flags & 0x400) test_fail("%s leaves the direction flag set", name);
    if ((c.mxcsr[0] ^ c.mxcsr[1]) & ~0x3fu || c.x87[0] != c.x87[1])
        test_fail("%s changes the floating-point control words", name);
    return c.result;
}

static bool has_xgetbv1(void) {
    static int known = -1;
    if (known < 0) {
        uint32_t a = 0xd, b, c = 1, d;
        known = 0;
        if (__builtin_cpu_supports("avx")) {
            __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
            known = a >> 2 & 1;
        }
    }
    return known;
}

int test_upper_in_use(void) {
    uint32_t a, d;
    if (!has_xgetbv1()) return -1;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
    return (a & 0x4) != 0; /* the component with the upper halves of ymm0 to ymm15 */
}

void test_clear_upper(void) {
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
}

#else

uintptr_t test_call(void (*f)(void), const char *name, const uintptr_t *args, size_t n) {
    uintptr_t a[12] = {0};
    (void)name;
    if (n > 12) abort();
    memcpy(a, args, n * sizeof *args);
    /* More arguments than the function takes: on the ABIs in question they are not looked at. */
    typedef uintptr_t twelve(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                             uintptr_t, uintptr_t, uintptr_t, uintptr_t);
    return ((twelve *)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

int test_upper_in_use(void) { return -1; }
void test_clear_upper(void) {}

#endif
