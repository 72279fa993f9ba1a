/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The few vector operations that the RISC-V kernels are written in, over one register of bytes (RVV 1.0, SEW 8, LMUL
 * 1).
 *
 * Every operation takes the vector length: tails are agnostic (they may come back as all ones), so nothing beyond it is
 * ever used. RVV types are sizeless: they live in local variables and parameters only.
 *
 * All of these are in the list of Zvkt, the instructions whose time does not depend on their data, but for the table
 * gather, whose index operand Zvkt exempts: G_PUBLIC is for indices that are constants.
 *
 * Shifts by a constant are written as multiplications by powers of two: on in-order cores with two half-width vector
 * units (SpacemiT X60, T-Head C908) additions and multiplications can use both, logic and shifts only the first.
 *     x << n = low half of x * 2^n        x >> n = high half of x * 2^(8-n)
 */
#ifndef CDZ_RVV_H
#define CDZ_RVV_H

#include "../util/wipe.h"

#include <riscv_vector.h>

typedef vuint8m1_t cdz_v;

#define V_LOAD(p, vl)        __riscv_vle8_v_u8m1(p, vl)
#define V_STORE(p, x, vl)    __riscv_vse8_v_u8m1(p, x, vl)
#define V_XOR(a, b, vl)      __riscv_vxor_vv_u8m1(a, b, vl)
#define V_XOR_BYTE(a, k, vl) __riscv_vxor_vx_u8m1(a, k, vl)
#define V_AND(a, b, vl)      __riscv_vand_vv_u8m1(a, b, vl)
#define V_AND_BYTE(a, k, vl) __riscv_vand_vx_u8m1(a, k, vl)
#define V_ADD(a, b, vl)      __riscv_vadd_vv_u8m1(a, b, vl)
#define V_SUB(a, b, vl)      __riscv_vsub_vv_u8m1(a, b, vl)
#define V_ADD_BYTE(a, k, vl) __riscv_vadd_vx_u8m1(a, k, vl)
#define V_TIMES(a, k, vl)    __riscv_vmul_vx_u8m1(a, k, vl)
/* a - (b << n) */
#define V_LESS(a, b, n, vl) __riscv_vnmsac_vx_u8m1(a, (uint8_t)(1u << (n)), b, vl)
#define V_SPLAT(k, vl)      __riscv_vmv_v_x_u8m1(k, vl)
#define V_LEFT(a, n, vl)    __riscv_vmul_vx_u8m1(a, (uint8_t)(1u << (n)), vl)
#define V_RIGHT(a, n, vl)   __riscv_vmulhu_vx_u8m1(a, (uint8_t)(1u << (8 - (n))), vl)
#define V_GATHER(a, i, vl)  __riscv_vrgather_vv_u8m1(a, i, vl)

/* Bit j of every byte, as a byte of 0 or 0xff: bit j moved to bit 7, then the high half of the signed product with 2.
 */
#define V_BIT(a, j, vl)                                                                                                \
    __riscv_vreinterpret_v_i8m1_u8m1(                                                                                  \
        __riscv_vmulh_vx_i8m1(__riscv_vreinterpret_v_u8m1_i8m1(V_LEFT(a, 7 - (j), vl)), 2, vl))

/* Exchanges the bits of a under m << n with those of b under m. Where logic would have three operations more,
 * differences do: d is what b gets more, byte by byte, and a gets that much less further up; both are exact modulo 256,
 * since what comes out is a byte again. For n = 4 nothing is beside a's bits. */
#define V_SWAP(a, b, n, m, vl)                                                                                         \
    do {                                                                                                               \
        const cdz_v high_ = V_RIGHT(a, n, vl);                                                                         \
        const cdz_v d_ = V_SUB((n) == 4 ? high_ : V_AND_BYTE(high_, m, vl), V_AND_BYTE(b, m, vl), vl);                 \
        b = V_ADD(b, d_, vl);                                                                                          \
        a = V_LESS(a, d_, n, vl);                                                                                      \
    } while (0)

/* Registers come in eights, named x0 .. x7 by a prefix x. */
#define V_EIGHT(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7

/* The 8x8 bits of bytes at the same place in x0 .. x7, transposed: bit j of x_i goes to bit i of x_j. Its own inverse.
 */
#define V_TRANSPOSE(x, vl)                                                                                             \
    do {                                                                                                               \
        V_SWAP(x##0, x##1, 1, 0x55, vl);                                                                               \
        V_SWAP(x##2, x##3, 1, 0x55, vl);                                                                               \
        V_SWAP(x##4, x##5, 1, 0x55, vl);                                                                               \
        V_SWAP(x##6, x##7, 1, 0x55, vl);                                                                               \
        V_SWAP(x##0, x##2, 2, 0x33, vl);                                                                               \
        V_SWAP(x##1, x##3, 2, 0x33, vl);                                                                               \
        V_SWAP(x##4, x##6, 2, 0x33, vl);                                                                               \
        V_SWAP(x##5, x##7, 2, 0x33, vl);                                                                               \
        V_SWAP(x##0, x##4, 4, 0x0f, vl);                                                                               \
        V_SWAP(x##1, x##5, 4, 0x0f, vl);                                                                               \
        V_SWAP(x##2, x##6, 4, 0x0f, vl);                                                                               \
        V_SWAP(x##3, x##7, 4, 0x0f, vl);                                                                               \
    } while (0)

/* The compiler must not derive a pointer from another one that it knows: with many planes in memory it would keep all
 * their distances, more than there are registers for, on the stack. */
#define CDZ_OWN_POINTER(p) __asm__("" : "+r"(p))

/* To and from consecutive planes of vl bytes. */
#define V_LOAD8(p, x, vl)                                                                                              \
    do {                                                                                                               \
        const uint8_t *const p_ = (p);                                                                                 \
        x##0 = V_LOAD(p_, vl);                                                                                         \
        x##1 = V_LOAD(p_ + (vl), vl);                                                                                  \
        x##2 = V_LOAD(p_ + 2 * (vl), vl);                                                                              \
        x##3 = V_LOAD(p_ + 3 * (vl), vl);                                                                              \
        x##4 = V_LOAD(p_ + 4 * (vl), vl);                                                                              \
        x##5 = V_LOAD(p_ + 5 * (vl), vl);                                                                              \
        x##6 = V_LOAD(p_ + 6 * (vl), vl);                                                                              \
        x##7 = V_LOAD(p_ + 7 * (vl), vl);                                                                              \
    } while (0)
#define V_STORE8(p, x, vl)                                                                                             \
    do {                                                                                                               \
        uint8_t *const p_ = (p);                                                                                       \
        V_STORE(p_, x##0, vl);                                                                                         \
        V_STORE(p_ + (vl), x##1, vl);                                                                                  \
        V_STORE(p_ + 2 * (vl), x##2, vl);                                                                              \
        V_STORE(p_ + 3 * (vl), x##3, vl);                                                                              \
        V_STORE(p_ + 4 * (vl), x##4, vl);                                                                              \
        V_STORE(p_ + 5 * (vl), x##5, vl);                                                                              \
        V_STORE(p_ + 6 * (vl), x##6, vl);                                                                              \
        V_STORE(p_ + 7 * (vl), x##7, vl);                                                                              \
    } while (0)

#endif
