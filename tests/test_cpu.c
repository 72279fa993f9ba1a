/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU detection from tables of raw facts (real and ill-behaved CPUs, hypervisors and kernels), the closure over
 * dependencies, the mask's words, and the choice of engines.
 *
 * The rows' bit positions are written as the manuals have them, not taken from the code under test.
 */
#include "cpu.h"
#include "engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define BIT(n) (UINT32_C(1) << (n))

/* CPUID leaf 1, ecx and edx; leaf 7, ebx and ecx. */
enum { PCLMUL = 1, SSSE3 = 9, SSE41 = 19, AES = 25, OSXSAVE = 27, AVX = 28 };
enum { SSE2 = 26 };
enum { BMI1 = 3, AVX2 = 5, BMI2 = 8, AVX512F = 16, AVX512BW = 30, AVX512VL = 31 };
enum { VBMI = 1, GFNI = 8, VAES = 9, VPCLMUL = 10 };

#define NEHALEM  (BIT(SSSE3) | BIT(SSE41))
#define WESTMERE (NEHALEM | BIT(PCLMUL) | BIT(AES))
#define SANDY    (WESTMERE | BIT(OSXSAVE) | BIT(AVX))
#define ALL7B    (BIT(BMI1) | BIT(AVX2) | BIT(BMI2) | BIT(AVX512F) | BIT(AVX512BW) | BIT(AVX512VL))
#define ALL7C    (BIT(VBMI) | BIT(GFNI) | BIT(VAES) | BIT(VPCLMUL))

#define KINDS  " vperm sliced"
#define W_SSE  "sse2 ssse3 sse4.1 aesni pclmul"
#define W_AVX  W_SSE " avx"
#define W_AVX2 W_AVX " avx2"
#define W_512  " avx512f avx512bw avx512vl avx512vbmi"
#define W_ICL  W_AVX2 " bmi2 gfni vaes vpclmul" W_512 KINDS

static void expect_words(const char *row, cdz_cpu_set got, const char *expected) {
    char text[400];
    assert_true(cdz_cpu_words(got, text, sizeof text) < sizeof text);
    if (strcmp(text, expected) != 0) print_error("row: %s\n", row);
    assert_string_equal(text, expected);
}

static void x86(void **state) {
    (void)state;
    static const struct {
        const char *what;
        struct cdz_x86_facts f; /* max leaf; 1.ecx, 1.edx; 7.ebx, 7.ecx, 7.edx; XCR0 */
        const char *words;
    } rows[] = {
        {"no CPUID leaves", {0, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0xe7}, "vperm sliced"},
        {"baseline x86-64", {1, 0, BIT(SSE2), 0, 0, 0, 0}, "sse2" KINDS},
        {"Nehalem", {11, NEHALEM, BIT(SSE2), 0, 0, 0, 0}, "sse2 ssse3 sse4.1" KINDS},
        {"Westmere", {11, WESTMERE, BIT(SSE2), 0, 0, 0, 0}, W_SSE KINDS},
        {"Sandy Bridge", {13, SANDY, BIT(SSE2), 0, 0, 0, 7}, W_AVX KINDS},
        {"Haswell", {13, SANDY, BIT(SSE2), BIT(BMI1) | BIT(AVX2) | BIT(BMI2), 0, 0, 7}, W_AVX2 " bmi2" KINDS},
        {"Skylake-X: AVX-512 without GFNI",
         {22, SANDY, BIT(SSE2), ALL7B, 0, 0, 0xe7},
         W_AVX2 " bmi2 avx512f avx512bw avx512vl" KINDS},
        {"Ice Lake", {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0xe7}, W_ICL},
        {"AMX state besides", {32, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0x602e7}, W_ICL},
        {"Knights Landing: AVX-512F without BW and VL",
         {13, SANDY, BIT(SSE2), BIT(AVX2) | BIT(BMI2) | BIT(AVX512F), 0, 0, 0xe7},
         W_AVX2 " bmi2 avx512f" KINDS},
        {"Zen 3: VAES and VPCLMULQDQ without AVX-512 and GFNI",
         {16, SANDY, BIT(SSE2), BIT(BMI1) | BIT(AVX2) | BIT(BMI2), BIT(VAES) | BIT(VPCLMUL), 0, 7},
         W_AVX2 " bmi2 vaes vpclmul" KINDS},
        {"Alder Lake: GFNI and VAES without AVX-512",
         {32, SANDY, BIT(SSE2), BIT(BMI1) | BIT(AVX2) | BIT(BMI2), BIT(GFNI) | BIT(VAES) | BIT(VPCLMUL), 0, 7},
         W_AVX2 " bmi2 gfni vaes vpclmul" KINDS},
        {"Tremont: GFNI without AVX",
         {27, WESTMERE | BIT(OSXSAVE), BIT(SSE2), 0, BIT(GFNI), 0, 3},
         W_SSE " gfni" KINDS},
        {"AVX without OSXSAVE (Xen, noxsave)",
         {13, SANDY & ~BIT(OSXSAVE), BIT(SSE2), ALL7B, ALL7C, 0, 0},
         W_SSE " bmi2 gfni" KINDS},
        {"XCR0 garbage where OSXSAVE is off",
         {13, SANDY & ~BIT(OSXSAVE), BIT(SSE2), ALL7B, ALL7C, 0, 0xe7},
         W_SSE " bmi2 gfni" KINDS},
        {"all bits, XCR0 1: x87 alone", {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 1}, W_SSE " bmi2 gfni" KINDS},
        {"all bits, XCR0 3: no ymm", {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 3}, W_SSE " bmi2 gfni" KINDS},
        {"all bits, XCR0 5: ymm without xmm", {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 5}, W_SSE " bmi2 gfni" KINDS},
        {"all bits, XCR0 7: no zmm",
         {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 7},
         W_AVX2 " bmi2 gfni vaes vpclmul" KINDS},
        {"all bits, XCR0 67: zmm 16 to 31 not saved",
         {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0x67},
         W_AVX2 " bmi2 gfni vaes vpclmul" KINDS},
        {"all bits, XCR0 a7: zmm heads not saved",
         {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0xa7},
         W_AVX2 " bmi2 gfni vaes vpclmul" KINDS},
        {"all bits, XCR0 c7: mask registers not saved",
         {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0xc7},
         W_AVX2 " bmi2 gfni vaes vpclmul" KINDS},
        {"all bits, XCR0 e3: zmm without ymm", {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0xe3}, W_SSE " bmi2 gfni" KINDS},
        {"AVX512VL alone", {27, SANDY, BIT(SSE2), BIT(AVX2) | BIT(AVX512VL), 0, 0, 0xe7}, W_AVX2 KINDS},
        {"leaf 7 garbage above the maximum of 1",
         {1, SANDY, BIT(SSE2), UINT32_MAX, UINT32_MAX, UINT32_MAX, 0xe7},
         W_AVX KINDS},
        {"leaf 7 garbage above the maximum of 6",
         {6, SANDY, BIT(SSE2), UINT32_MAX, UINT32_MAX, UINT32_MAX, 0xe7},
         W_AVX KINDS},
        {"BMI1 without BMI2", {13, SANDY, BIT(SSE2), BIT(BMI1) | BIT(AVX2), 0, 0, 7}, W_AVX2 KINDS},
        {"a hypervisor hides AVX and leaves AVX2, AVX-512, VAES",
         {27, SANDY & ~BIT(AVX), BIT(SSE2), ALL7B, ALL7C, 0, 0xe7},
         W_SSE " bmi2 gfni" KINDS},
        {"a hypervisor hides AVX2 and leaves AVX-512, VAES",
         {27, SANDY, BIT(SSE2), ALL7B & ~BIT(AVX2), ALL7C, 0, 0xe7},
         W_AVX " bmi2 gfni" KINDS},
        {"a hypervisor hides AES-NI and leaves VAES",
         {27, SANDY & ~BIT(AES), BIT(SSE2), ALL7B, ALL7C, 0, 0xe7},
         "sse2 ssse3 sse4.1 pclmul avx avx2 bmi2 gfni vpclmul" W_512 KINDS},
        {"a hypervisor hides PCLMULQDQ and leaves VPCLMULQDQ",
         {27, SANDY & ~BIT(PCLMUL), BIT(SSE2), ALL7B, ALL7C, 0, 0xe7},
         "sse2 ssse3 sse4.1 aesni avx avx2 bmi2 gfni vaes" W_512 KINDS},
        {"a hypervisor hides SSSE3", {27, SANDY & ~BIT(SSSE3), BIT(SSE2), ALL7B, ALL7C, 0, 0xe7}, "sse2 bmi2" KINDS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_words(rows[i].what, cdz_cpu_from_x86(&rows[i].f), rows[i].words);
}

/* hwprobe, IMA_EXT_0; HWCAP. */
enum {
    FD = 0,
    C = 1,
    V = 2,
    ZBA = 3,
    ZBB = 4,
    ZBC = 7,
    ZVBB = 17,
    ZVBC = 18,
    ZVKB = 19,
    ZVKG = 20,
    ZVKNED = 21,
    ZVKT = 26
};
#define H_GC (1ul << ('I' - 'A') | 1ul << ('M' - 'A') | 1ul << 0 | 1ul << ('F' - 'A') | 1ul << ('D' - 'A') | 1ul << 2)
#define H_V  (1ul << ('V' - 'A'))

static void riscv(void **state) {
    (void)state;
    const uint64_t none = UINT64_MAX;
    const uint64_t zvk = BIT(ZVKB) | BIT(ZVBC) | BIT(ZVKG) | BIT(ZVKNED) | BIT(ZVKT);
    const uint64_t gc = BIT(FD) | BIT(C);
    const struct {
        const char *what;
        struct cdz_riscv_facts f; /* HWCAP; hwprobe there; key 3, key 4, whether known; vlenb */
        const char *words;
    } rows[] = {
        {"rv64gc", {H_GC, true, 1, gc, true, true, 0}, "vperm sliced"},
        {"rv64gc with Zbb", {H_GC, true, 1, gc | BIT(ZBB), true, true, 0}, "zbb" KINDS},
        {"rv64gc with Zbb and Zbc", {H_GC, true, 1, gc | BIT(ZBB) | BIT(ZBC), true, true, 0}, "zbb zbc" KINDS},
        {"Zba is none of them", {H_GC, true, 1, gc | BIT(ZBA), true, true, 0}, "vperm sliced"},
        {"V, VLEN 128", {H_GC | H_V, true, 1, gc | BIT(V), true, true, 16}, "rvv gather" KINDS},
        {"V, VLEN 256 (K1)",
         {H_GC | H_V, true, 1, gc | BIT(V) | BIT(ZBB) | BIT(ZBC) | BIT(ZVKT), true, true, 32},
         "rvv vlen256 gather zbb zbc zvkt" KINDS},
        {"V, VLEN 512", {H_GC | H_V, true, 1, gc | BIT(V), true, true, 64}, "rvv vlen256" KINDS},
        {"V, VLEN 1024", {H_GC | H_V, true, 1, gc | BIT(V), true, true, 128}, "rvv vlen256" KINDS},
        {"V, VLEN 2048: too long for the permutes",
         {H_GC | H_V, true, 1, gc | BIT(V), true, true, 256},
         "rvv vlen256 sliced"},
        {"V and all vector crypto",
         {H_GC | H_V, true, 1, gc | BIT(V) | zvk, true, true, 16},
         "rvv gather zvkb zvbc zvkg zvkned zvkt" KINDS},
        {"Zvkned without Zvkb and Zvkg",
         {H_GC | H_V, true, 1, gc | BIT(V) | BIT(ZVKNED), true, true, 16},
         "rvv gather zvkned" KINDS},
        {"Zvbb has Zvkb in it",
         {H_GC | H_V, true, 1, gc | BIT(V) | BIT(ZVBB), true, true, 16},
         "rvv gather zvkb" KINDS},
        {"VLEN 64 (Zve)", {H_GC | H_V, true, 1, gc | BIT(V) | zvk, true, true, 8}, "vperm sliced"},
        {"vlenb could not be read", {H_GC | H_V, true, 1, gc | BIT(V) | zvk, true, true, 0}, "vperm sliced"},
        {"no hwprobe (ENOSYS): V may be the draft 0.7",
         {H_GC | H_V, false, 1, gc | BIT(V) | zvk, true, true, 16},
         "vperm sliced"},
        {"HWCAP has V, hwprobe has not (draft 0.7)", {H_GC | H_V, true, 1, gc | BIT(ZBB), true, true, 16}, "zbb" KINDS},
        {"hwprobe has V, HWCAP has not (prctl or sysctl says off)",
         {H_GC, true, 1, gc | BIT(V) | zvk | BIT(ZBB), true, true, 32},
         "zbb" KINDS},
        {"vector crypto without V", {H_GC, true, 1, gc | zvk | BIT(ZBC), true, true, 0}, "zbc" KINDS},
        {"key 3 unknown", {H_GC | H_V, true, none, gc | BIT(V), false, true, 16}, "vperm sliced"},
        {"key 4 unknown", {H_GC | H_V, true, 1, none, true, false, 16}, "vperm sliced"},
        {"key 4 unknown, value 0", {H_GC | H_V, true, 1, 0, true, false, 16}, "vperm sliced"},
        {"values of -1 though the keys are known", {H_GC | H_V, true, none, none, true, true, 16}, "vperm sliced"},
        {"value 4 of -1 though the key is known", {H_GC | H_V, true, 1, none, true, true, 16}, "vperm sliced"},
        {"not IMA", {H_GC | H_V, true, 0, gc | BIT(V) | BIT(ZBB), true, true, 16}, "vperm sliced"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_words(rows[i].what, cdz_cpu_from_riscv(&rows[i].f), rows[i].words);
    /* Each extension alone, beside V. */
    static const struct {
        unsigned bit;
        const char *words;
    } alone[] = {{ZVKB, "rvv gather zvkb" KINDS},     {ZVBC, "rvv gather zvbc" KINDS}, {ZVKG, "rvv gather zvkg" KINDS},
                 {ZVKNED, "rvv gather zvkned" KINDS}, {ZVKT, "rvv gather zvkt" KINDS}, {ZBB, "rvv gather zbb" KINDS},
                 {ZBC, "rvv gather zbc" KINDS}};
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        const struct cdz_riscv_facts f = {H_GC | H_V, true, 1, gc | BIT(V) | BIT(alone[i].bit), true, true, 16};
        expect_words("alone", cdz_cpu_from_riscv(&f), alone[i].words);
    }
}

static void arm64(void **state) {
    (void)state;
    static const struct {
        const char *what;
        struct cdz_arm64_facts f;
        const char *words;
    } rows[] = {
        {"nothing", {0}, "vperm sliced"},
        {"FP and ASIMD", {BIT(0) | BIT(1)}, "neon" KINDS},
        {"ASIMD and AES", {BIT(1) | BIT(3)}, "neon armaes" KINDS},
        {"ASIMD, AES and PMULL", {BIT(1) | BIT(3) | BIT(4)}, "neon armaes pmull" KINDS},
        {"AES without ASIMD", {BIT(3) | BIT(4)}, "vperm sliced"},
        {"FP without ASIMD", {BIT(0)}, "vperm sliced"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_words(rows[i].what, cdz_cpu_from_arm64(&rows[i].f), rows[i].words);
}

static cdz_cpu_set icelake(void) {
    const struct cdz_x86_facts f = {27, SANDY, BIT(SSE2), ALL7B, ALL7C, 0, 0xe7};
    return cdz_cpu_from_x86(&f);
}

/* What a mask leaves of an Ice Lake, and of a RISC-V with everything. */
static void closure(void **state) {
    (void)state;
    static const struct {
        const char *mask, *words;
    } rows[] = {
        {"", W_ICL},
        {"-avx512f", W_AVX2 " bmi2 gfni vaes vpclmul" KINDS},
        {"-avx512vl", W_AVX2 " bmi2 gfni vaes vpclmul avx512f avx512bw avx512vbmi" KINDS},
        {"-avx512bw", W_AVX2 " bmi2 gfni vaes vpclmul avx512f avx512vl" KINDS},
        {"-avx512vbmi", W_AVX2 " bmi2 gfni vaes vpclmul avx512f avx512bw avx512vl" KINDS},
        {"-gfni", W_AVX2 " bmi2 vaes vpclmul" W_512 KINDS},
        {"-avx512f,-gfni", W_AVX2 " bmi2 vaes vpclmul" KINDS},
        {"-gfni,-avx512f", W_AVX2 " bmi2 vaes vpclmul" KINDS},
        {"-vaes", W_AVX2 " bmi2 gfni vpclmul" W_512 KINDS},
        {"-vpclmul", W_AVX2 " bmi2 gfni vaes" W_512 KINDS},
        {"-avx2", W_AVX " bmi2 gfni" KINDS},
        {"-avx", W_SSE " bmi2 gfni" KINDS},
        {"-avx,-avx", W_SSE " bmi2 gfni" KINDS},
        {"-aesni", "sse2 ssse3 sse4.1 pclmul avx avx2 bmi2 gfni vpclmul" W_512 KINDS},
        {"-pclmul", "sse2 ssse3 sse4.1 aesni avx avx2 bmi2 gfni vaes" W_512 KINDS},
        {"-sse4.1", "sse2 ssse3 bmi2" KINDS},
        {"-ssse3", "sse2 bmi2" KINDS},
        {"-sse2", "bmi2" KINDS},
        {"-bmi2", W_AVX2 " gfni vaes vpclmul" W_512 KINDS},
        {"-vperm", W_AVX2 " bmi2 gfni vaes vpclmul" W_512 " sliced"},
        {"-sliced,-vperm", W_AVX2 " bmi2 gfni vaes vpclmul avx512f avx512bw avx512vl avx512vbmi"},
        {"-rvv,-zvkned,-neon", W_ICL}, /* words of other architectures are known everywhere */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cdz_cpu_set remove;
        assert_true(cdz_cpu_parse_mask(rows[i].mask, &remove));
        expect_words(rows[i].mask, cdz_cpu_without(icelake(), remove), rows[i].words);
    }
    const struct cdz_riscv_facts f = {H_GC | H_V, true, 1, UINT32_MAX, true, true, 32};
    cdz_cpu_set remove;
    assert_true(cdz_cpu_parse_mask("-rvv", &remove));
    expect_words("all of RISC-V less V", cdz_cpu_without(cdz_cpu_from_riscv(&f), remove), "zbb zbc" KINDS);
    assert_true(cdz_cpu_parse_mask("-vlen256,-zvkg", &remove));
    expect_words("all of RISC-V less VLEN 256 and Zvkg", cdz_cpu_without(cdz_cpu_from_riscv(&f), remove),
                 "rvv gather zbb zbc zvkb zvbc zvkned zvkt" KINDS);
}

/* A mask only removes, whatever it is applied to; and what remains of a detected set owes nothing to what went. */
static void closure_everywhere(void **state) {
    (void)state;
    const cdz_cpu_set all = (UINT64_C(1) << CDZ_CPU_BITS) - 1;
    uint64_t seed = 1;
    for (unsigned round = 0; round < 20000; round++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const cdz_cpu_set have = seed >> 8 & all;
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const cdz_cpu_set remove = seed >> 8 & seed >> 30 & all;
        const cdz_cpu_set left = cdz_cpu_without(have, remove);
        assert_true((left & ~have) == 0 && (left & remove) == 0);
        assert_true(cdz_cpu_without(left, remove) == left);
        for (unsigned i = 0; i < CDZ_CPU_BITS; i++) { /* taking one after the other comes to the same */
            const cdz_cpu_set one = UINT64_C(1) << i;
            assert_true(cdz_cpu_without(left, one) == cdz_cpu_without(have, remove | one));
        }
    }
}

static void mask_words(void **state) {
    (void)state;
    cdz_cpu_set remove = 1;
    assert_true(cdz_cpu_parse_mask(NULL, &remove) && remove == 0);
    remove = 1;
    assert_true(cdz_cpu_parse_mask("", &remove) && remove == 0);
    /* Every word alone is its own bit. */
    static const char *const all[] = {
#define X(name, word) "-" word,
        CDZ_CPU_LIST(X)
#undef X
    };
    for (unsigned i = 0; i < CDZ_CPU_BITS; i++) {
        assert_true(cdz_cpu_parse_mask(all[i], &remove));
        assert_true(remove == UINT64_C(1) << i);
    }
    static const char *const bad[] = {
        "avx2",    "+avx2",  "-avx3",      "-",          "-avx2,",    ",-avx2",     "-avx2,,-avx",
        "-avx2 ",  " -avx2", "-avx2 -avx", "-avx2;-avx", "-AVX2",     "-avx2,gfni", "-avx51",
        "-avx512", "--avx2", "-all",       "-none",      "-avx512ff", "0",          "-aria/gfni-avx512"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (cdz_cpu_parse_mask(bad[i], &remove)) print_error("accepted: '%s'\n", bad[i]);
        assert_false(cdz_cpu_parse_mask(bad[i], &remove));
        assert_true(remove == 0);
    }
}

static void words_in_any_room(void **state) {
    (void)state;
    char whole[400], part[400];
    const size_t n = cdz_cpu_words(icelake(), whole, sizeof whole);
    assert_int_equal(n, strlen(whole));
    assert_int_equal(cdz_cpu_words(icelake(), NULL, 0), n);
    for (size_t cap = 1; cap <= n + 2; cap++) {
        memset(part, '#', sizeof part);
        assert_int_equal(cdz_cpu_words(icelake(), part, cap), n);
        const size_t len = cap <= n ? cap - 1 : n;
        assert_memory_equal(part, whole, len);
        assert_int_equal(part[len], 0);
        assert_int_equal(part[cap], '#');
    }
    assert_int_equal(cdz_cpu_words(0, part, sizeof part), 0);
    assert_string_equal(part, "");
}

/* This process: what the public calls say agrees with what is inside, and the mask comes and goes. */
static void here(void **state) {
    (void)state;
    cdz_cpu_set full, less;
    char text[400], again[400];
    assert_int_equal(cdz_cpu_mask(NULL), CDZ_OK);
    assert_int_equal(cdz_cpu_now(&full), CDZ_OK);
    cdz_cpu_features(text, sizeof text);
    expect_words("this CPU", full, text);
    print_message("this CPU: %s\n", text);
    assert_int_equal(cdz_cpu_mask("-sse2,-rvv,-neon,-vperm"), CDZ_OK);
    assert_int_equal(cdz_cpu_now(&less), CDZ_OK);
    assert_true((less & (CDZ_CPU_SSE2 | CDZ_CPU_AVX2 | CDZ_CPU_RVV | CDZ_CPU_NEON | CDZ_CPU_VPERM)) == 0);
    assert_int_equal(cdz_cpu_mask("-vperm,-nonsense"), CDZ_ERR_CPU_MASK);
    cdz_cpu_features(again, sizeof again);
    expect_words("a bad mask changes nothing", less, again);
    assert_int_equal(cdz_cpu_mask(""), CDZ_OK);
    assert_int_equal(cdz_cpu_now(&less), CDZ_OK);
    assert_true(less == full);
}

static void engine_list(void **state) {
    (void)state;
    cdz_cpu_set have;
    cdz_engine_info info;
    size_t i, aria = 0, aes = 0, hashes = 0;
    assert_int_equal(cdz_cpu_now(&have), CDZ_OK);
    for (i = 0; cdz_engines[i]; i++) {
        const struct cdz_engine *e = cdz_engines[i];
        assert_int_equal(cdz_engine_at(i, &info), 1);
        assert_string_equal(info.name, e->name);
        expect_words(e->name, e->needs, info.needs);
        assert_int_equal(info.usable, (e->needs & ~have) == 0);
        assert_int_equal(info.batch, e->batch);
        assert_true(e->batch > 0 && e->key_size > 0 && e->key_size % 64 == 0);
        assert_true(e->set_key && e->encrypt && e->decrypt && e->ctr && e->ctr32le);
        assert_memory_equal(e->name, e->cipher == CDZ_ARIA ? "aria/" : "aes/", e->cipher == CDZ_ARIA ? 5 : 4);
        *(e->cipher == CDZ_ARIA ? &aria : &aes) += 1;
        for (size_t j = 0; j < i; j++) assert_string_not_equal(e->name, cdz_engines[j]->name);
    }
    for (; cdz_hashes[hashes]; hashes++) {
        const struct cdz_hash *h = cdz_hashes[hashes];
        assert_int_equal(cdz_engine_at(i + hashes, &info), 1);
        assert_string_equal(info.name, h->name);
        expect_words(h->name, h->needs, info.needs);
        assert_int_equal(info.usable, (h->needs & ~have) == 0);
        assert_true(h->batch > 0 && h->key_size % 64 == 0);
        assert_memory_equal(h->name, "ghash/", 6);
    }
    assert_int_equal(cdz_engine_at(i + hashes, &info), 0);
    assert_int_equal(cdz_engine_at(SIZE_MAX, &info), 0);
    assert_true(aria >= 1 && aes >= 1 && hashes >= 1);
    /* With nothing there are the portable ones, which are the last of their lists. */
    assert_ptr_equal(cdz_engine_select(CDZ_ARIA, 0), &cdz_aria_portable);
    assert_ptr_equal(cdz_engine_select(CDZ_AES, 0), &cdz_aes_portable);
    assert_ptr_equal(cdz_hash_select(0), &cdz_ghash_portable);
}

/* Which engine a CPU gets, where all of them are in the build. */
static void selection(void **state) {
    (void)state;
    static const struct {
        const char *mask, *aria, *aes, *hash; /* of an Ice Lake less the mask */
    } rows[] = {
        {"", "aria/gfni-avx512", "aes/vaes-avx512", "ghash/vpclmul-avx512"},
        {"-avx512f", "aria/gfni-avx2", "aes/vaes-avx2", "ghash/vpclmul-avx2"},
        {"-avx512vl", "aria/gfni-avx2", "aes/vaes-avx2", "ghash/vpclmul-avx2"},
        {"-avx512f,-gfni", "aria/vaes-avx2", "aes/vaes-avx2", "ghash/vpclmul-avx2"},
        {"-avx512f,-gfni,-vaes,-vpclmul", "aria/aesni-avx2", "aes/aesni", "ghash/pclmul"},
        {"-avx2", "aria/gfni-avx", "aes/aesni", "ghash/pclmul"},
        {"-avx2,-gfni", "aria/aesni-avx", "aes/aesni", "ghash/pclmul"},
        {"-avx512f,-gfni,-aesni,-pclmul", "aria/vperm-ssse3", "aes/vperm-avx2", "ghash/portable"},
        {"-avx,-gfni,-aesni,-pclmul", "aria/vperm-ssse3", "aes/vperm-ssse3", "ghash/portable"},
        {"-avx,-gfni,-aesni,-vperm", "aria/portable", "aes/portable", "ghash/pclmul"},
        {"-ssse3", "aria/portable", "aes/portable", "ghash/portable"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cdz_cpu_set remove;
        assert_true(cdz_cpu_parse_mask(rows[i].mask, &remove));
        const cdz_cpu_set have = cdz_cpu_without(icelake(), remove);
        const struct cdz_engine *aria = cdz_engine_select(CDZ_ARIA, have), *aes = cdz_engine_select(CDZ_AES, have);
        const struct cdz_hash *hash = cdz_hash_select(have);
        assert_true(!(aria->needs & ~have) && !(aes->needs & ~have) && !(hash->needs & ~have));
        /* An engine that the toolchain left out, or that is not of this architecture, is not expected. */
        bool all_there = true;
        cdz_engine_info info;
        const char *const want[3] = {rows[i].aria, rows[i].aes, rows[i].hash};
        const char *const got[3] = {aria->name, aes->name, hash->name};
        for (int k = 0; k < 3; k++) {
            bool there = false;
            for (size_t j = 0; cdz_engine_at(j, &info); j++) there = there || strcmp(info.name, want[k]) == 0;
            if (there)
                assert_string_equal(got[k], want[k]);
            else
                all_there = false;
        }
        if (!all_there) print_message("mask '%s': not all of its engines are in this build\n", rows[i].mask);
    }
}

/* CADENZA_CPU, which a process reads once: each row in a child of its own. First in the list, before anything here
 * has asked for the CPU. */
static void environment(void **state) {
    (void)state;
    static const struct {
        const char *value;
        cdz_status expected;
    } rows[] = {{"", CDZ_OK},
                {"-vperm", CDZ_OK},
                {"-vperm,-sse2,-rvv,-neon", CDZ_OK},
                {"-nonsense", CDZ_ERR_CPU_MASK},
                {"vperm", CDZ_ERR_CPU_MASK},
                {"-vperm,", CDZ_ERR_CPU_MASK}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            static const uint8_t key[16];
            cdz_cpu_set set, remove;
            cdz_cipher *c = (cdz_cipher *)&set;
            cdz_engine_info info;
            char text[400];
            if (setenv("CADENZA_CPU", rows[i].value, 1) != 0) _exit(2);
            const cdz_status made = cdz_cipher_new(&c, "ARIA-128-ECB", key, 16);
            if (made != rows[i].expected || (made != CDZ_OK) != (c == NULL)) _exit(3);
            cdz_cipher_free(c);
            if (cdz_cpu_now(&set) != rows[i].expected) _exit(4);
            if (made == CDZ_OK) {
                if (!cdz_cpu_parse_mask(rows[i].value, &remove) || set & remove) _exit(5);
                /* A mask of the call's own comes on top, and taking it back does not take CADENZA_CPU back. */
                if (cdz_cpu_mask("-sliced") != CDZ_OK || cdz_cpu_now(&set) != CDZ_OK) _exit(6);
                if (set & (remove | CDZ_CPU_SLICED)) _exit(7);
                if (cdz_cpu_mask(NULL) != CDZ_OK || cdz_cpu_now(&set) != CDZ_OK) _exit(8);
                if (set & remove || !(set & CDZ_CPU_SLICED)) _exit(9);
            } else {
                if (set != 0 || cdz_cpu_features(text, sizeof text) != 0) _exit(10);
                for (size_t k = 0; cdz_engine_at(k, &info); k++)
                    if (info.usable) _exit(11);
            }
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status != 0) print_error("CADENZA_CPU='%s': status %#x\n", rows[i].value, (unsigned)status);
        assert_int_equal(status, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment),
        cmocka_unit_test(x86),
        cmocka_unit_test(riscv),
        cmocka_unit_test(arm64),
        cmocka_unit_test(closure),
        cmocka_unit_test(mask_words),
        cmocka_unit_test(closure_everywhere),
        cmocka_unit_test(words_in_any_room),
        cmocka_unit_test(here),
        cmocka_unit_test(engine_list),
        cmocka_unit_test(selection),
    };
    return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
