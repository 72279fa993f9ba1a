/* SPDX-License-Identifier: Apache-2.0 */
/* Raw facts of an AArch64 CPU under Linux: HWCAP. What it means is decided in src/cpu.c. */
#if defined(__linux__)

#include "../cpu.h"

#include <sys/auxv.h>

cdz_cpu_set cdz_cpu_detect(void) {
    const struct cdz_arm64_facts f = {.hwcap = getauxval(AT_HWCAP)};
    return cdz_cpu_from_arm64(&f);
}

#endif
