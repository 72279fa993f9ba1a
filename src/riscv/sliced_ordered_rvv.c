/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner parts of the sliced kernels, all planes of the state once through: see scheduled_rvv.h. They are in a file
 * of their own because the compiler is told here (cmake/Tiers.cmake) not to order instructions before it gives out
 * registers: the source has them in the order that is wanted.
 */
#include "sliced_ordered_rvv.h"

#include "scheduled_rvv.h"

/* The four bytes of each column; `other`: the second two before the first two. */
#define EACH_COLUMN(state, other, vl)                                                                                  \
    for (size_t c = 0, half_ = 16 * (vl); c < 4; c++, (state) += 2 * half_) {                                          \
        uint8_t *p0 = (other) ? (state) + half_ : (state), *p1 = p0 + 8 * (vl);                                        \
        uint8_t *p2 = (other) ? (state) : (state) + half_, *p3 = p2 + 8 * (vl);                                        \
        CDZ_OWN_POINTER(p0);                                                                                           \
        CDZ_OWN_POINTER(p1);                                                                                           \
        CDZ_OWN_POINTER(p2);                                                                                           \
        CDZ_OWN_POINTER(p3);

#define DEFINE_SUBSTITUTE(name, FOUR)                                                                                  \
    CDZ_KERNEL void name(uint8_t *state, size_t p) {                                                                   \
        const size_t vl = __riscv_vsetvl_e8m1(p);                                                                      \
        EACH_COLUMN(state, false, vl)                                                                                  \
        FOUR(p0, p1, p2, p3, vl);                                                                                      \
    }                                                                                                                  \
    }
DEFINE_SUBSTITUTE(cdz_ordered_s1, cdz_four_s1)
DEFINE_SUBSTITUTE(cdz_ordered_x1, cdz_four_x1)

#define DEFINE_KEYED(name, other, FOUR)                                                                                \
    CDZ_KERNEL void name(uint8_t *state, const uint8_t *key, size_t p) {                                               \
        const size_t vl = __riscv_vsetvl_e8m1(p);                                                                      \
        EACH_COLUMN(state, other, vl)                                                                                  \
        FOUR(p0, p1, p2, p3, key, vl);                                                                                 \
        key += 4;                                                                                                      \
    }                                                                                                                  \
    }
DEFINE_KEYED(cdz_ordered_first_s1, false, cdz_first_s1)
DEFINE_KEYED(cdz_ordered_first_x1, false, cdz_first_x1)
DEFINE_KEYED(cdz_ordered_first_aria, false, cdz_first_aria)
DEFINE_KEYED(cdz_ordered_last_aria, true, cdz_last_aria)

CDZ_KERNEL void cdz_ordered_aria(uint8_t *state, bool odd, size_t p) {
    const size_t vl = __riscv_vsetvl_e8m1(p);
    EACH_COLUMN(state, !odd, vl)
    cdz_four_aria(p0, p1, p2, p3, vl);
}
}

/* Row i of column c is where row i of column c + shift * i was. The places are made ahead: arithmetic between the
 * columns would be waited for. */
#define DEFINE_MIX(name, COLUMN)                                                                                       \
    CDZ_KERNEL void name(uint8_t *state, const uint8_t *key, unsigned shift, size_t p) {                               \
        const size_t vl = __riscv_vsetvl_e8m1(p);                                                                      \
        const size_t column = 32 * vl, all = 128 * vl - 1; /* powers of two, less one */                               \
        uint8_t *at[16];                                                                                               \
        for (size_t i = 0, from = 0; i < 4; i++, from += shift * column) {                                             \
            uint8_t *const row = state + 8 * vl * i;                                                                   \
            at[i] = row + (from & all);                                                                                \
            at[4 + i] = row + ((from + column) & all);                                                                 \
            at[8 + i] = row + ((from + 2 * column) & all);                                                             \
            at[12 + i] = row + ((from + 3 * column) & all);                                                            \
        }                                                                                                              \
        for (unsigned c = 0; c < 16; c += 4, key += 4) {                                                               \
            uint8_t *p0 = at[c], *p1 = at[c + 1], *p2 = at[c + 2], *p3 = at[c + 3];                                    \
            CDZ_OWN_POINTER(p0);                                                                                       \
            CDZ_OWN_POINTER(p1);                                                                                       \
            CDZ_OWN_POINTER(p2);                                                                                       \
            CDZ_OWN_POINTER(p3);                                                                                       \
            COLUMN(p0, p1, p2, p3, key, vl);                                                                           \
        }                                                                                                              \
    }
DEFINE_MIX(cdz_ordered_mix, cdz_mix_column)
DEFINE_MIX(cdz_ordered_unmix, cdz_unmix_column)
DEFINE_MIX(cdz_ordered_last_s1, cdz_last_s1)
DEFINE_MIX(cdz_ordered_last_x1, cdz_last_x1)

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
