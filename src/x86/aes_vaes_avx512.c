/* SPDX-License-Identifier: Apache-2.0 */
/* aes/vaes-avx512: AES instructions on 512-bit registers, 16 blocks at once; on 128-bit ones for one block. */
#include "../engine.h"
#include "aes_key.h"
#include "aes_tweak.h"
#include "clmul.h"

CDZ_INLINE x_vec x_aesenc(x_vec x, x_vec k) { return _mm_aesenc_si128(x, k); }
CDZ_INLINE x_vec x_aesenclast(x_vec x, x_vec k) { return _mm_aesenclast_si128(x, k); }
CDZ_INLINE x_vec x_aesdec(x_vec x, x_vec k) { return _mm_aesdec_si128(x, k); }
CDZ_INLINE x_vec x_aesdeclast(x_vec x, x_vec k) { return _mm_aesdeclast_si128(x, k); }
CDZ_INLINE z_vec z_aesenc(z_vec x, z_vec k) { return _mm512_aesenc_epi128(x, k); }
CDZ_INLINE z_vec z_aesenclast(z_vec x, z_vec k) { return _mm512_aesenclast_epi128(x, k); }
CDZ_INLINE z_vec z_aesdec(z_vec x, z_vec k) { return _mm512_aesdec_epi128(x, k); }
CDZ_INLINE z_vec z_aesdeclast(z_vec x, z_vec k) { return _mm512_aesdeclast_epi128(x, k); }

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

#define T(word)           z_##word
#define LANES             4
#define BATCH             4
#define KEYS_IN_REGISTERS 1
#define HASH_BLOCKS       Z_HASH_BLOCKS
#include "../aes/aes_rounds.inc.h"
#include "../ghash/ghash_clmul.inc.h"

#include "../aes/aes_parallel.inc.h"

#define GCM_HASH cdz_ghash_vpclmul_avx512
extern const struct cdz_hash GCM_HASH;
#define CTR_MAC     x_ctr_mac
#define SCHEDULE    struct aes_schedule
#define STACK       512 /* gcc 12: 328, in short GCM */
#define GCM_STACK   832 /* gcc 12: 584, aligned to 64 */
#define FEW_STACK   256 /* gcc 12: 56 */
#define ENGINE      cdz_aes_vaes_avx512
#define ENGINE_NAME "aes/vaes-avx512"
#define ENGINE_NEEDS                                                                                                   \
    (UINT64_C(1) << CDZ_CPU_BIT_VAES | UINT64_C(1) << CDZ_CPU_BIT_VPCLMUL | UINT64_C(1) << CDZ_CPU_BIT_AVX512F |       \
     UINT64_C(1) << CDZ_CPU_BIT_AVX512BW | UINT64_C(1) << CDZ_CPU_BIT_AVX512VL)
#include "aes_engine.inc.h"
