/* SPDX-License-Identifier: Apache-2.0 */
/* aes/vperm-avx2: vector permutes, two blocks a register. */
#include "../aes/aes_schedule.h"
#include "../aes/aes_vperm_tables.h"
#include "../engine.h"
#include "aes_tweak.h"

/* one block, for keys and for the modes that have one at a time */
#define T(word) x_##word
#define LANES   1
#include "../aes/aes_vperm.inc.h"

#include "../aes/aes_serial.inc.h"
#undef T
#undef LANES

#define T(word) y_##word
#define LANES   2
#define BATCH   4
#include "../aes/aes_vperm.inc.h"

#include "../aes/aes_parallel.inc.h"

#define x_set_key    x_vp_set_key
#define SCHEDULE     struct aes_vperm_schedule
#define STACK        1088
#define ENGINE       cdz_aes_vperm_avx2
#define ENGINE_NAME  "aes/vperm-avx2"
#define ENGINE_NEEDS (UINT64_C(1) << CDZ_CPU_BIT_AVX2 | UINT64_C(1) << CDZ_CPU_BIT_VPERM)
#include "aes_engine.inc.h"
