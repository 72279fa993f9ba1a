/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aes/sliced-vperm-rvv256: long data in bit slices (aes_sliced_rvv.c), serial modes and short data by vector
 * permutation (aes_vperm_rvv256.c), each where it is the faster one. Chosen where registers are short enough for
 * gathers to be cheap (CDZ_CPU_GATHER); without the permutes, by the mask, there is aes/sliced-rvv.
 */
#include "../aes/aes_schedule.h"

#define ENGINE cdz_aes_sliced_vperm_rvv256
#define NAME   "aes/sliced-vperm-rvv256"
#define NEEDS                                                                                                          \
    (UINT64_C(1) << CDZ_CPU_BIT_RVV | UINT64_C(1) << CDZ_CPU_BIT_VLEN256 | UINT64_C(1) << CDZ_CPU_BIT_GATHER |         \
     UINT64_C(1) << CDZ_CPU_BIT_VPERM | UINT64_C(1) << CDZ_CPU_BIT_SLICED)
#define NARROW       cdz_aes_vperm_rvv256
#define NARROW_KEY   sizeof(struct aes_vperm_schedule)
#define EIGHT_FROM   (16)
#define WIDE_FROM(p) (13 * (p) / 2)
#define WIDE_CTR(p)  (11 * (p) / 2)
#define NARROW_CTR   1
#define OWN_SERIAL   1

#include "aes_sliced_rvv.h"
extern const struct cdz_engine ENGINE, NARROW;
#include "aes_sliced_engine.inc.h"
