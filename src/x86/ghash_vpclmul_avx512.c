/* SPDX-License-Identifier: Apache-2.0 */
/* ghash/vpclmul-avx512: GHASH and POLYVAL with VPCLMULQDQ on 512-bit registers, 16 blocks a reduction. */
#include "../engine.h"
#include "clmul.h"

/* one block: the first powers of H, and messages of one block */
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
#define STACK       512 /* clang 14: 312, aligned to 64 */
#define HASH        cdz_ghash_vpclmul_avx512
#define HASH_NAME   "ghash/vpclmul-avx512"
#define HASH_NEEDS                                                                                                     \
    (UINT64_C(1) << CDZ_CPU_BIT_VPCLMUL | UINT64_C(1) << CDZ_CPU_BIT_AVX512F | UINT64_C(1) << CDZ_CPU_BIT_AVX512BW |   \
     UINT64_C(1) << CDZ_CPU_BIT_AVX512VL)
#include "../ghash/ghash_clmul.inc.h"
