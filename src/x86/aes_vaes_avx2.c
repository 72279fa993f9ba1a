/* SPDX-License-Identifier: Apache-2.0 */
/* aes/vaes-avx2: AES instructions on 256-bit registers, 16 blocks at once; on 128-bit ones for one block. */
#include "../engine.h"
#include "aes_key.h"
#include "aes_tweak.h"
#include "clmul.h"

CDZ_INLINE x_vec x_aesenc(x_vec x, x_vec k) { return _mm_aesenc_si128(x, k); }
CDZ_INLINE x_vec x_aesenclast(x_vec x, x_vec k) { return _mm_aesenclast_si128(x, k); }
CDZ_INLINE x_vec x_aesdec(x_vec x, x_vec k) { return _mm_aesdec_si128(x, k); }
CDZ_INLINE x_vec x_aesdeclast(x_vec x, x_vec k) { return _mm_aesdeclast_si128(x, k); }
CDZ_INLINE y_vec y_aesenc(y_vec x, y_vec k) { return _mm256_aesenc_epi128(x, k); }
CDZ_INLINE y_vec y_aesenclast(y_vec x, y_vec k) { return _mm256_aesenclast_epi128(x, k); }
CDZ_INLINE y_vec y_aesdec(y_vec x, y_vec k) { return _mm256_aesdec_epi128(x, k); }
CDZ_INLINE y_vec y_aesdeclast(y_vec x, y_vec k) { return _mm256_aesdeclast_epi128(x, k); }

#define T(word)           x_##word
#define LANES             1
#define HASH_BLOCKS       X_HASH_BLOCKS
#define KEYS_IN_REGISTERS 0
#include "../aes/aes_rounds.inc.h"
#include "../ghash/ghash_clmul.inc.h"

#include "../aes/aes_ctr_mac.inc.h"
#include "../aes/aes_serial.inc.h"
#undef T
#undef LANES
#undef HASH_BLOCKS
#undef HASH_VECS

#define T(word)           y_##word
#define LANES             2
#define BATCH             8
#define KEYS_IN_REGISTERS 0
#define HASH_BLOCKS       Y_HASH_BLOCKS
#include "../aes/aes_rounds.inc.h"
#include "../ghash/ghash_clmul.inc.h"

#include "../aes/aes_parallel.inc.h"

#define GCM_HASH cdz_ghash_vpclmul_avx2
extern const struct cdz_hash GCM_HASH;
#define CTR_MAC     x_ctr_mac
#define SCHEDULE    struct aes_schedule
#define STACK       384 /* clang 14: 152, aligned to 32, in OCB */
#define GCM_STACK   576 /* gcc 12: 360, aligned to 32 */
#define ENGINE      cdz_aes_vaes_avx2
#define ENGINE_NAME "aes/vaes-avx2"
#define ENGINE_NEEDS                                                                                                   \
    (UINT64_C(1) << CDZ_CPU_BIT_AVX2 | UINT64_C(1) << CDZ_CPU_BIT_VAES | UINT64_C(1) << CDZ_CPU_BIT_VPCLMUL)
#include "aes_engine.inc.h"
