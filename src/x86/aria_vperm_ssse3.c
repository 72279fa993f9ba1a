/* SPDX-License-Identifier: Apache-2.0 */
/* aria/vperm-ssse3: 16 blocks in sixteen 128-bit registers, S-boxes by byte shuffles, for CPUs without AES-NI. */
#if defined(__x86_64__) && defined(__SSSE3__)

#ifndef __clang__
#pragma GCC optimize("no-schedule-insns2") /* src/aria/aria_sliced.inc.h says why */
#endif

#include "../aria/aria_keys.h"
#include "../engine.h"
#include "../util/wipe.h"

#include <immintrin.h>

#define VEC_BITS 128
#include "vec.inc.h"

#include "aria_vperm.inc.h"

#include "../aria/aria_rows.inc.h"

#include "../aria/aria_serial.inc.h"

#include "../aria/aria_few.inc.h"

#include "../aria/aria_sliced.inc.h"

#include "../aria/aria_schedule.inc.h"

#define FEW(name) name##_128
enum {
    FEW_MOST = 4,
    BURN_FEW = 1024,
    BURN_SLICED = 640,
    BURN_PART = 1024,
    BURN_MASKED = 1600,
    BURN_MASKED_PART = 1600
};
#include "../aria/aria_engine.inc.h"

extern const struct cdz_engine cdz_aria_vperm_ssse3;
const struct cdz_engine cdz_aria_vperm_ssse3 = {
    .name = "aria/vperm-ssse3",
    .needs = ARIA_NEEDS(SSSE3) | ARIA_NEEDS(VPERM),
    ARIA_FUNCTIONS,
};
#endif
