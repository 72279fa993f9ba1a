/* SPDX-License-Identifier: Apache-2.0 */
/* aria/gfni-avx: 16 blocks in sixteen 128-bit registers, S-boxes by GFNI. No instruction of AVX2. */
#if defined(__x86_64__) && defined(__AVX__) && defined(__GFNI__)

#ifndef __clang__
#pragma GCC optimize("no-schedule-insns2") /* src/aria/aria_sliced.inc.h says why */
#endif

#include "../aria/aria_keys.h"
#include "../engine.h"
#include "../util/wipe.h"

#include <immintrin.h>

#define VEC_BITS 128
#include "vec.inc.h"

#include "aria_gfni.inc.h"

#include "../aria/aria_rows.inc.h"

#include "../aria/aria_serial.inc.h"

#include "../aria/aria_few.inc.h"

#include "../aria/aria_sliced.inc.h"

#include "../aria/aria_schedule.inc.h"

#define FEW(name) name##_128
enum { FEW_MOST = 4, BURN_FEW = 704, BURN_SLICED = 640, BURN_PART = 1024, BURN_MASKED = 1024, BURN_MASKED_PART = 1216 };
#include "../aria/aria_engine.inc.h"

extern const struct cdz_engine cdz_aria_gfni_avx;
const struct cdz_engine cdz_aria_gfni_avx = {
    .name = "aria/gfni-avx",
    .needs = ARIA_NEEDS(GFNI) | ARIA_NEEDS(AVX),
    ARIA_FUNCTIONS,
};
#endif
