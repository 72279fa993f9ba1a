/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aes/aesni: AES instructions on 128-bit registers, eight blocks at once. SSE encodings: the CPUs that have these alone
 * are the ones that this engine is for, and where AVX is there too the renamer makes the extra moves free.
 */
#include "../engine.h"
#include "aes_key.h"
#include "aes_tweak.h"
#include "clmul.h"

CDZ_INLINE x_vec x_aesenc(x_vec x, x_vec k) { return _mm_aesenc_si128(x, k); }
CDZ_INLINE x_vec x_aesenclast(x_vec x, x_vec k) { return _mm_aesenclast_si128(x, k); }
CDZ_INLINE x_vec x_aesdec(x_vec x, x_vec k) { return _mm_aesdec_si128(x, k); }
CDZ_INLINE x_vec x_aesdeclast(x_vec x, x_vec k) { return _mm_aesdeclast_si128(x, k); }

#define T(word)           x_##word
#define LANES             1
#define BATCH             8
#define KEYS_IN_REGISTERS 0
#define HASH_BLOCKS       X_HASH_BLOCKS
#include "../aes/aes_rounds.inc.h"
#include "../ghash/ghash_clmul.inc.h"

#include "../aes/aes_ctr_mac.inc.h"
#include "../aes/aes_parallel.inc.h"
#include "../aes/aes_serial.inc.h"

#define GCM_HASH cdz_ghash_pclmul
extern const struct cdz_hash GCM_HASH;
#define CTR_MAC      x_ctr_mac
#define SCHEDULE     struct aes_schedule
#define STACK        320
#define GCM_STACK    320 /* gcc 12: 152 and a return address, and 128 below */
#define ENGINE       cdz_aes_aesni
#define ENGINE_NAME  "aes/aesni"
#define ENGINE_NEEDS (UINT64_C(1) << CDZ_CPU_BIT_SSE41 | UINT64_C(1) << CDZ_CPU_BIT_AESNI)
#include "aes_engine.inc.h"
