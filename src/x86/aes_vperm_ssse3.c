/* SPDX-License-Identifier: Apache-2.0 */
/* aes/vperm-ssse3: vector permutes with PSHUFB, for CPUs and virtual machines without AES instructions. */
#include "../aes/aes_schedule.h"
#include "../aes/aes_vperm_tables.h"
#include "../engine.h"
#include "aes_tweak.h"

#define T(word) x_##word
#define LANES   1
#define BATCH   4
#include "../aes/aes_vperm.inc.h"

#include "../aes/aes_parallel.inc.h"
#include "../aes/aes_serial.inc.h"

#define x_set_key    x_vp_set_key
#define SCHEDULE     struct aes_vperm_schedule
#define STACK        1088
#define ENGINE       cdz_aes_vperm_ssse3
#define ENGINE_NAME  "aes/vperm-ssse3"
#define ENGINE_NEEDS (UINT64_C(1) << CDZ_CPU_BIT_SSSE3 | UINT64_C(1) << CDZ_CPU_BIT_VPERM)
#include "aes_engine.inc.h"
