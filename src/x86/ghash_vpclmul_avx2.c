/* SPDX-License-Identifier: Apache-2.0 */
/* ghash/vpclmul-avx2: GHASH and POLYVAL with VPCLMULQDQ on 256-bit registers, 16 blocks a reduction. */
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

#define T(word)     y_##word
#define LANES       2
#define HASH_BLOCKS Y_HASH_BLOCKS
#define STACK       448 /* gcc 12: 264, aligned to 32 */
#define HASH        cdz_ghash_vpclmul_avx2
#define HASH_NAME   "ghash/vpclmul-avx2"
#define HASH_NEEDS  (UINT64_C(1) << CDZ_CPU_BIT_AVX2 | UINT64_C(1) << CDZ_CPU_BIT_VPCLMUL)
#include "../ghash/ghash_clmul.inc.h"
