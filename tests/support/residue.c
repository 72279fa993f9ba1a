/* SPDX-License-Identifier: Apache-2.0 */
/* See residue.h. Registers: x86-64 and RISC-V; elsewhere the stack alone. */
#include "residue.h"

#include "harness.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static ucontext_t outside, inside, fresh;
static uint8_t *stack;
static uint8_t registers[RESIDUE_REGISTERS] __attribute__((aligned(64)));
static void (*function)(void *);
static void *argument;

#if defined(__x86_64__)

enum { SSE, AVX, AVX512 };
static int level;

static void find_level(void) {
    char words[512];
    cdz_cpu_features(words, sizeof words);
    level = SSE;
    if (strstr(words, "avx2") && __builtin_cpu_supports("avx2")) level = AVX;
    if (strstr(words, "avx512f") && __builtin_cpu_supports("avx512f")) level = AVX512;
}

#define EACH16(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define HIGH16(X)    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define CLEAR_XMM(i) "pxor %%xmm" #i ", %%xmm" #i "\n"
#define CLEAR_ZMM(i) "vpxord %%zmm" #i ", %%zmm" #i ", %%zmm" #i "\n"
#define STORE_XMM(i) "movdqu %%xmm" #i ", 64*" #i "(%0)\n"
#define STORE_YMM(i) "vmovdqu %%ymm" #i ", 64*" #i "(%0)\n"
#define STORE_ZMM(i) "vmovdqu64 %%zmm" #i ", 64*" #i "(%0)\n"

/* Written so that nothing runs between the call's return and the stores but these instructions. */
static inline __attribute__((always_inline)) void store_registers(uint8_t *to) {
    /* General registers that a call need not preserve, but rax, which has the result, rcx..r11. */
    __asm__ volatile("mov %%rcx, 2112(%0)\nmov %%rdx, 2120(%0)\nmov %%rsi, 2128(%0)\nmov %%r8, 2136(%0)\n"
                     "mov %%r9, 2144(%0)\nmov %%r10, 2152(%0)\nmov %%r11, 2160(%0)\n" ::"D"(to)
                     : "memory");
    if (level == AVX512)
        __asm__ volatile(EACH16(STORE_ZMM) HIGH16(STORE_ZMM) "kmovw %%k0, 2048(%0)\nkmovw %%k1, 2056(%0)\n"
                                                             "kmovw %%k2, 2064(%0)\nkmovw %%k3, 2072(%0)\n"
                                                             "kmovw %%k4, 2080(%0)\nkmovw %%k5, 2088(%0)\n"
                                                             "kmovw %%k6, 2096(%0)\nkmovw %%k7, 2104(%0)\n" ::"D"(to)
                         : "memory");
    else if (level == AVX)
        __asm__ volatile(EACH16(STORE_YMM)::"D"(to) : "memory");
    else
        __asm__ volatile(EACH16(STORE_XMM)::"D"(to) : "memory");
}

static inline __attribute__((always_inline)) void clear_registers(void) {
    if (level == AVX512)
        __asm__ volatile(EACH16(CLEAR_ZMM) HIGH16(CLEAR_ZMM) "kxorw %%k0, %%k0, %%k0\nkxorw %%k1, %%k1, %%k1\n"
                                                             "kxorw %%k2, %%k2, %%k2\nkxorw %%k3, %%k3, %%k3\n"
                                                             "kxorw %%k4, %%k4, %%k4\nkxorw %%k5, %%k5, %%k5\n"
                                                             "kxorw %%k6, %%k6, %%k6\nkxorw %%k7, %%k7, %%k7\n" ::
                                                                 : "memory");
    else if (level == AVX)
        __asm__ volatile("vzeroall" ::: "memory");
    else
        __asm__ volatile(EACH16(CLEAR_XMM)::: "memory");
}

#elif defined(__riscv) && __riscv_xlen == 64

/* The first 64 bytes of each vector register, where there are any, whatever the compiler's flags say of them. */
static bool vectors;
#define ON                               ".option push\n.option arch, +v\n"
#define OFF                              ".option pop\n"
#define STORE_V(i)                       "vse8.v v" #i ", (t2)\naddi t2, t2, 64\n"
#define EACH8(X, a, b, c, d, e, f, g, h) X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h)

static void find_level(void) {
    char words[512];
    cdz_cpu_features(words, sizeof words);
    vectors = strncmp(words, "rvv", 3) == 0;
}

static inline __attribute__((always_inline)) void store_registers(uint8_t *where) {
    register uint8_t *to __asm__("t2") = where + 2112;
    __asm__ volatile("sd a2, 0(%0)\nsd a3, 8(%0)\nsd a4, 16(%0)\nsd a6, 24(%0)\n"
                     "sd a7, 32(%0)\nsd t5, 40(%0)\nsd t6, 48(%0)\n" ::"r"(to)
                     : "memory");
    if (vectors)
        __asm__ volatile(
            ON "mv t2, %0\nli t1, 64\nvsetvli zero, t1, e8, m1, ta, ma\n" EACH8(STORE_V, 0, 1, 2, 3, 4, 5, 6, 7)
                EACH8(STORE_V, 8, 9, 10, 11, 12, 13, 14, 15) EACH8(STORE_V, 16, 17, 18, 19, 20, 21, 22, 23)
                    EACH8(STORE_V, 24, 25, 26, 27, 28, 29, 30, 31) OFF ::"r"(where)
            : "memory", "t1", "t2");
}

static inline __attribute__((always_inline)) void clear_registers(void) {
    /* What a short call does not touch would come from before it. */
    __asm__ volatile("li a2, 0\nli a3, 0\nli a4, 0\nli a6, 0\nli a7, 0\nli t5, 0\nli t6, 0\n" ::
                         : "a2", "a3", "a4", "a6", "a7", "t5", "t6");
    if (vectors)
        __asm__ volatile(
            ON "vsetvli t1, zero, e8, m8, ta, ma\nvmv.v.i v0, 0\nvmv.v.i v8, 0\nvmv.v.i v16, 0\nvmv.v.i v24, 0\n" OFF ::
                : "memory", "t1");
}

#else

static void find_level(void) {}
static inline void store_registers(uint8_t *to) { (void)to; }
static inline void clear_registers(void) {}

#endif

static __attribute__((noinline)) void inner(void) {
    clear_registers();
    function(argument);
    store_registers(registers);
}

void residue_run(void (*f)(void *arg), void *arg, struct picture *p) {
    if (!stack) {
        find_level();
        stack = mmap(NULL, RESIDUE_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (stack == MAP_FAILED) abort();
        /* Taken once: the callee-saved registers of the context, which land on its stack, are the same in all runs. */
        if (getcontext(&fresh) != 0) abort();
    }
    memset(stack, 0xa5, RESIDUE_STACK);
    memset(registers, 0, sizeof registers);
    function = f;
    argument = arg;
    inside = fresh;
#if defined(__x86_64__)
    inside.uc_mcontext.fpregs = &inside.__fpregs_mem; /* else it points into the one that was copied */
#endif
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = RESIDUE_STACK;
    inside.uc_link = &outside;
    makecontext(&inside, inner, 0);
    if (swapcontext(&outside, &inside) != 0) abort();
    memcpy(p->stack, stack, RESIDUE_STACK);
    memcpy(p->registers, registers, sizeof registers);
}

const char *residue_place(size_t offset) {
    static char text[64];
#if defined(__riscv)
    static const char *const general[] = {"a2", "a3", "a4", "a6", "a7", "t5", "t6"};
#else
    static const char *const general[] = {"rcx", "rdx", "rsi", "r8", "r9", "r10", "r11"};
#endif
    if (offset < RESIDUE_STACK)
        snprintf(text, sizeof text, "stack, %zu bytes below its top", RESIDUE_STACK - offset);
    else if (offset < RESIDUE_STACK + 2048)
        snprintf(text, sizeof text, "vector register %zu, byte %zu", (offset - RESIDUE_STACK) / 64,
                 (offset - RESIDUE_STACK) % 64);
    else if (offset < RESIDUE_STACK + 2112)
        snprintf(text, sizeof text, "mask register %zu", (offset - RESIDUE_STACK - 2048) / 8);
    else
        snprintf(text, sizeof text, "register %s", general[(offset - RESIDUE_STACK - 2112) / 8 % 7]);
    return text;
}
