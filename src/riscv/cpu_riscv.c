/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw facts of a RISC-V hart under Linux: HWCAP, the hwprobe system call, the vlenb register. What they mean is decided
 * in src/cpu.c.
 *
 * hwprobe over all online harts (cpu set NULL) answers with what they have in common. It is called by number: the C
 * library's wrapper and the kernel's header may be younger than the compiler's installation. prctl() is not asked:
 * vector.rst tells libraries to look at HWCAP, which follows it.
 */
#if defined(__linux__)

#include "../cpu.h"

#include <sys/auxv.h>
#include <unistd.h>

#define SYS_RISCV_HWPROBE 258 /* __NR_riscv_hwprobe, the same on 32 and 64 bits */

cdz_cpu_set cdz_cpu_detect(void) {
    struct cdz_riscv_facts f = {0};
    struct {
        int64_t key;
        uint64_t value;
    } pairs[] = {{3, 0}, {4, 0}}; /* BASE_BEHAVIOR, IMA_EXT_0 */
    f.hwcap = getauxval(AT_HWCAP);
    f.hwprobe = syscall(SYS_RISCV_HWPROBE, pairs, sizeof pairs / sizeof pairs[0], 0, NULL, 0) == 0;
    if (f.hwprobe) {
        /* A kernel that does not know a key says so by making it -1. */
        f.key3_known = pairs[0].key == 3;
        f.key4_known = pairs[1].key == 4;
        f.base_behavior = f.key3_known ? pairs[0].value : UINT64_MAX;
        f.ima_ext_0 = f.key4_known ? pairs[1].value : UINT64_MAX;
    }
    /* Reading vlenb (CSR 0xc22) without V is an illegal instruction: ask first what the decision would be with it. */
    f.vlenb = 16;
    if (cdz_cpu_from_riscv(&f) & CDZ_CPU_RVV) {
        unsigned long vlenb;
        __asm__ volatile("csrr %0, 0xc22" : "=r"(vlenb));
        f.vlenb = (unsigned)vlenb;
    } else {
        f.vlenb = 0;
    }
    return cdz_cpu_from_riscv(&f);
}

#endif
