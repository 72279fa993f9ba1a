/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of the sliced kernels, in parts: each works on the whole state of sliced_rvv.h in place; p is the length of a
 * plane. They leave the state's bits in registers and on the stack. */
#ifndef CDZ_SLICED_ORDERED_RVV_H
#define CDZ_SLICED_ORDERED_RVV_H

#include "rvv.h"

#include <stdbool.h>

/* Every byte through the circuit of AES's S-box, of its inverse, and of ARIA's four: S1 S2 X1 X2 for bytes 0 to 3 of
 * each column in odd rounds, X1 X2 S1 S2 in the others. */
void cdz_ordered_s1(uint8_t *state, size_t p);
void cdz_ordered_x1(uint8_t *state, size_t p);
void cdz_ordered_aria(uint8_t *state, bool odd, size_t p);

/* The first: from bytes to planes (sliced_rvv.h), the first round key, the S-boxes of round 1. The last: the S-boxes of
 * the last round (ARIA: an even one), the last round key, planes to bytes; shift as below. */
void cdz_ordered_first_s1(uint8_t *state, const uint8_t *key, size_t p);
void cdz_ordered_first_x1(uint8_t *state, const uint8_t *key, size_t p);
void cdz_ordered_first_aria(uint8_t *state, const uint8_t *key, size_t p);
void cdz_ordered_last_s1(uint8_t *state, const uint8_t *key, unsigned shift, size_t p);
void cdz_ordered_last_x1(uint8_t *state, const uint8_t *key, unsigned shift, size_t p);
void cdz_ordered_last_aria(uint8_t *state, const uint8_t *key, size_t p);

/* MixColumns, or its inverse, and a round key; row i of column c is where row i of column c + shift * i was. */
void cdz_ordered_mix(uint8_t *state, const uint8_t *key, unsigned shift, size_t p);
void cdz_ordered_unmix(uint8_t *state, const uint8_t *key, unsigned shift, size_t p);

/* ARIA's diffusion and a round key. */
void cdz_ordered_diffuse(uint8_t *state, const uint8_t *key, size_t p);

#endif
