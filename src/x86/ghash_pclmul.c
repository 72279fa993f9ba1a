/* SPDX-License-Identifier: Apache-2.0 */
/* ghash/pclmul: GHASH and POLYVAL with PCLMULQDQ, eight blocks a reduction. */
#include "../engine.h"
#include "clmul.h"

#define T(word)     x_##word
#define LANES       1
#define HASH_BLOCKS X_HASH_BLOCKS
#define STACK       320 /* clang 14: 136, a return address, and 128 below */
#define HASH        cdz_ghash_pclmul
#define HASH_NAME   "ghash/pclmul"
#define HASH_NEEDS  (UINT64_C(1) << CDZ_CPU_BIT_SSE41 | UINT64_C(1) << CDZ_CPU_BIT_PCLMUL)
#include "../ghash/ghash_clmul.inc.h"
