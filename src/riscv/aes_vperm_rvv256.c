/* SPDX-License-Identifier: Apache-2.0 */
/* aes/vperm-rvv256: AES by vector permutation, half a register a block: VLEN 256 (aes_vperm_rvv.inc.h). */
#include "../engine.h"
#include "rvv.h"

#define X_VEC   vuint8mf2_t
#define X(name) __riscv_##name##_u8mf2
#define Y_VEC   vuint8mf2x4_t
#define Y_GET   __riscv_vget_v_u8mf2x4_u8mf2
#define Y_MAKE  __riscv_vcreate_v_u8mf2x4

extern const struct cdz_engine cdz_aes_vperm_rvv256;
#define ENGINE cdz_aes_vperm_rvv256
#define NAME   "aes/vperm-rvv256"
#define NEEDS                                                                                                          \
    ((UINT64_C(1) << CDZ_CPU_BIT_RVV) | (UINT64_C(1) << CDZ_CPU_BIT_VLEN256) | (UINT64_C(1) << CDZ_CPU_BIT_VPERM))
#include "aes_vperm_rvv.inc.h"
