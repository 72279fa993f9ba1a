/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner parts of the sliced kernels, all planes of the state once through: see scheduled_rvv.h. They are in a file
 * of their own because the compiler is told here (cmake/Tiers.cmake) not to order instructions before it gives out
 * registers: the source has them in the order that is wanted.
 */
#include "sliced_ordered_rvv.h"

#include "scheduled_rvv.h"

#define DEFINE_SUBSTITUTE(name, FOUR)                                                                                  \
    CDZ_KERNEL void name(uint8_t *state, size_t p) {                                                                   \
        const size_t vl = __riscv_vsetvl_e8m1(p);                                                                      \
        for (size_t c = 0; c < 4; c++, state += 32 * vl) {                                                             \
            uint8_t *p0 = state, *p1 = state + 8 * vl, *p2 = state + 16 * vl, *p3 = state + 24 * vl;                   \
            CDZ_OWN_POINTER(p1);                                                                                       \
            CDZ_OWN_POINTER(p2);                                                                                       \
            CDZ_OWN_POINTER(p3);                                                                                       \
            FOUR(p0, p1, p2, p3, vl);                                                                                  \
        }                                                                                                              \
    }
DEFINE_SUBSTITUTE(cdz_ordered_s1, cdz_four_s1)
DEFINE_SUBSTITUTE(cdz_ordered_x1, cdz_four_x1)

CDZ_KERNEL void cdz_ordered_aria(uint8_t *state, bool odd, size_t p) {
    const size_t vl = __riscv_vsetvl_e8m1(p), half = 16 * vl;
    for (size_t c = 0; c < 4; c++, state += 32 * vl) {
        uint8_t *p0 = odd ? state : state + half, *p1 = p0 + 8 * vl, *p2 = odd ? state + half : state,
                *p3 = p2 + 8 * vl;
        CDZ_OWN_POINTER(p0);
        CDZ_OWN_POINTER(p1);
        CDZ_OWN_POINTER(p2);
        CDZ_OWN_POINTER(p3);
        cdz_four_aria(p0, p1, p2, p3, vl);
    }
}

/* Row i of column c is where row i of column c + shift * i was; vl is a power of two, and so is the state's length. */
#define DEFINE_MIX(name, COLUMN)                                                                                       \
    CDZ_KERNEL void name(uint8_t *state, const uint8_t *key, unsigned shift, size_t p) {                               \
        const size_t vl = __riscv_vsetvl_e8m1(p), column = 32 * vl, all = 128 * vl - 1;                                \
        size_t at1 = 8 * vl + shift * column, at2 = 16 * vl + 2 * shift * column, at3 = 24 * vl + 3 * shift * column;  \
        for (unsigned c = 0; c < 4; c++, key += 4) {                                                                   \
            uint8_t *p0 = state + c * column, *p1 = state + (at1 & all), *p2 = state + (at2 & all),                    \
                    *p3 = state + (at3 & all);                                                                         \
            at1 += column, at2 += column, at3 += column;                                                               \
            CDZ_OWN_POINTER(p1);                                                                                       \
            CDZ_OWN_POINTER(p2);                                                                                       \
            CDZ_OWN_POINTER(p3);                                                                                       \
            COLUMN(p0, p1, p2, p3, key, vl);                                                                           \
        }                                                                                                              \
    }
DEFINE_MIX(cdz_ordered_mix, cdz_mix_column)
DEFINE_MIX(cdz_ordered_unmix, cdz_unmix_column)

CDZ_KERNEL void cdz_ordered_diffuse(uint8_t *state, const uint8_t *key, size_t p) {
    const size_t vl = __riscv_vsetvl_e8m1(p);
    uint8_t *at[16];
    at[0] = state;
#pragma GCC unroll 16
    for (int b = 1; b < 16; b++) {
        at[b] = at[b - 1] + 8 * vl;
        CDZ_OWN_POINTER(at[b]);
    }
    for (size_t j = 0; j < 8; j += 2, key += 32) cdz_diffuse_two(at, key, vl);
}
