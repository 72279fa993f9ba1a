/* SPDX-License-Identifier: Apache-2.0 */
/* aes/vperm-rvv128: AES by vector permutation, one register a block: VLEN 128 (aes_vperm_rvv.inc.h). */
#include "../engine.h"
#include "rvv.h"

#define X_VEC   vuint8m1_t
#define X(name) __riscv_##name##_u8m1
#define Y_VEC   vuint8m1x4_t
#define Y_GET   __riscv_vget_v_u8m1x4_u8m1
#define Y_MAKE  __riscv_vcreate_v_u8m1x4

extern const struct cdz_engine cdz_aes_vperm_rvv128;
#define ENGINE cdz_aes_vperm_rvv128
#define NAME   "aes/vperm-rvv128"
#define NEEDS  ((UINT64_C(1) << CDZ_CPU_BIT_RVV) | (UINT64_C(1) << CDZ_CPU_BIT_VPERM))
#include "aes_vperm_rvv.inc.h"
