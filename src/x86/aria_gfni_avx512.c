/* SPDX-License-Identifier: Apache-2.0 */
/* aria/gfni-avx512: 64 blocks in sixteen 512-bit registers, S-boxes by GFNI. */
#if defined(__x86_64__) && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__GFNI__)

#ifndef __clang__
#pragma GCC optimize("no-schedule-insns2") /* src/aria/aria_sliced.inc.h says why */
#endif

#include "../aria/aria_keys.h"
#include "../engine.h"
#include "../util/wipe.h"
#include "clmul.h"

#include <immintrin.h>

/* The hash of GCM, run together with the counter. */
#define T(word)     x_##word
#define LANES       1
#define HASH_BLOCKS X_HASH_BLOCKS
#include "../ghash/ghash_clmul.inc.h"
#undef T
#undef LANES
#undef HASH_BLOCKS
#undef HASH_VECS

#define T(word)     z_##word
#define LANES       4
#define HASH_BLOCKS Z_HASH_BLOCKS
#include "../ghash/ghash_clmul.inc.h"
#undef T
#undef LANES

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
    BURN_CHAINS = 5248,
    BURN_FEW = 512,
    BURN_SLICED = 448,
    BURN_PART = 1728,
    BURN_MASKED = 1792,
    BURN_MASKED_PART = 2752,
    BURN_GCM = 3328 /* gcc 12: 3016, aligned to 64 */
};
#define ARIA_GCM_HASH cdz_ghash_vpclmul_avx512
extern const struct cdz_hash ARIA_GCM_HASH;
#include "../aria/aria_engine.inc.h"

extern const struct cdz_engine cdz_aria_gfni_avx512;
const struct cdz_engine cdz_aria_gfni_avx512 = {
    .name = "aria/gfni-avx512",
    .needs = ARIA_NEEDS(GFNI) | ARIA_NEEDS(VPCLMUL) | ARIA_NEEDS(AVX512F) | ARIA_NEEDS(AVX512BW) | ARIA_NEEDS(AVX512VL),
    ARIA_FUNCTIONS,
    .chains_least = FEW_MOST + 1,
    .chains = chains,
    .gcm_hash = &ARIA_GCM_HASH,
    .gcm_encrypt = gcm_encrypt,
    .gcm_decrypt = gcm_decrypt,
};
#endif
