/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw facts of an x86 CPU, by CPUID and XGETBV. What they mean is decided in src/cpu.c.
 *
 * XGETBV is executed only where the operating system has said by OSXSAVE that it may be; by its bytes, since the
 * mnemonic needs a flag that this file must not have.
 */
#include "../cpu.h"

#include <cpuid.h>

cdz_cpu_set cdz_cpu_detect(void) {
    struct cdz_x86_facts f = {0};
    uint32_t a, b, c, d;
    f.max_leaf = (uint32_t)__get_cpuid_max(0, NULL);
    if (f.max_leaf >= 1) {
        __cpuid(1, a, b, c, d);
        f.leaf1_ecx = c;
        f.leaf1_edx = d;
        if (c >> 27 & 1) {
            __asm__ volatile(".byte 0x0f, 0x01, 0xd0" /* xgetbv */ : "=a"(a), "=d"(d) : "c"(0));
            f.xcr0 = (uint64_t)d << 32 | a;
        }
    }
    if (f.max_leaf >= 7) {
        __cpuid_count(7, 0, a, b, c, d);
        f.leaf7_ebx = b;
        f.leaf7_ecx = c;
        f.leaf7_edx = d;
    }
    return cdz_cpu_from_x86(&f);
}
