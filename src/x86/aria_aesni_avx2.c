/* SPDX-License-Identifier: Apache-2.0 */
/* aria/aesni-avx2: 32 blocks in sixteen 256-bit registers, S-boxes by AES-NI on their halves. */
#if defined(__x86_64__) && defined(__AVX2__) && defined(__AES__)

#ifndef __clang__
#pragma GCC optimize("no-schedule-insns2") /* src/aria/aria_sliced.inc.h says why */
#endif

#include "../aria/aria_keys.h"
#include "../engine.h"
#include "../util/wipe.h"

#include <immintrin.h>

#define VEC_BITS 128
#include "vec.inc.h"

#include "aria_aesni.inc.h"

#include "../aria/aria_rows.inc.h"

#include "../aria/aria_serial.inc.h"

#include "vec_end.inc.h"

#define VEC_BITS 256
#include "vec.inc.h"

#include "aria_aesni.inc.h"

#include "../aria/aria_rows.inc.h"

#include "../aria/aria_few.inc.h"

#include "../aria/aria_sliced.inc.h"

#include "../aria/aria_schedule.inc.h"

#define FEW(name) name##_256
enum {
    FEW_MOST = 8,
    BURN_FEW = 1024,
    BURN_SLICED = 960,
    BURN_PART = 1664,
    BURN_MASKED = 1856,
    BURN_MASKED_PART = 2176
};
#include "../aria/aria_engine.inc.h"

extern const struct cdz_engine cdz_aria_aesni_avx2;
const struct cdz_engine cdz_aria_aesni_avx2 = {
    .name = "aria/aesni-avx2",
    .needs = ARIA_NEEDS(AESNI) | ARIA_NEEDS(AVX2),
    ARIA_FUNCTIONS,
};
#endif
