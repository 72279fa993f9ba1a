/* SPDX-License-Identifier: Apache-2.0 */
/* aria/gfni-avx512: 64 blocks in sixteen 512-bit registers, S-boxes by GFNI. */
#if defined(__x86_64__) && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__GFNI__)

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

#include "vec_end.inc.h"

#define VEC_BITS 256
#include "vec.inc.h"

#include "aria_gfni.inc.h"

#include "../aria/aria_rows.inc.h"

#include "../aria/aria_few.inc.h"

#include "../aria/aria_sliced.inc.h"

#include "vec_end.inc.h"

#define VEC_BITS 512
#include "vec.inc.h"

#include "aria_gfni.inc.h"

#include "../aria/aria_rows.inc.h"

#include "aria_grid.inc.h"
#define ARIA_GRID
#include "../aria/aria_few.inc.h"

#include "../aria/aria_sliced.inc.h"

#include "../aria/aria_schedule.inc.h"

#define FEWER(name)  name##_256
#define FEW(name)    name##_512
#define NARROW(name) name##_256
enum {
    FEWER_MOST = 2,
    FEW_MOST = 16,
    RUN_LEAST = 3,
    BURN_RUN = 4352,
    BURN_RUN_MASKED = 6976,
    BURN_FEW = 448,
    BURN_SLICED = 448,
    BURN_PART = 1728,
    BURN_MASKED = 1792,
    BURN_MASKED_PART = 2752
};
#include "../aria/aria_engine.inc.h"

extern const struct cdz_engine cdz_aria_gfni_avx512;
const struct cdz_engine cdz_aria_gfni_avx512 = {
    .name = "aria/gfni-avx512",
    .needs = ARIA_NEEDS(GFNI) | ARIA_NEEDS(AVX512F) | ARIA_NEEDS(AVX512BW) | ARIA_NEEDS(AVX512VL),
    ARIA_FUNCTIONS,
};
#endif
