/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of the sliced engines for RISC-V vectors: what a cipher gives it, and the modes that it gives back.
 *
 * A plane is one vector register: bit r of its byte e belongs to block r * P + e, where P is the length of a plane in
 * bytes (VLEN / 8, but no more than CDZ_PLANE_MOST). Plane (b, j) has bit j of byte b of every block; 128 planes are
 * the state of 8 * P blocks, kept in memory one after the other:
 *
 *     state:  | byte 0: bit 0 | byte 0: bit 1 | ... | byte 0: bit 7 | byte 1: bit 0 | ... | byte 15: bit 7 |
 *               P bytes         P bytes
 *
 * A round works through it with at most 32 planes in registers. Whatever moves bytes only (ShiftRows) costs nothing.
 *
 * Keys are expanded to bytes of 0 or 0xff, which an instruction XORs to a whole plane: expanded[round][bit j][byte b].
 */
#ifndef CDZ_SLICED_RVV_H
#define CDZ_SLICED_RVV_H

#include "../engine.h"
#include "rvv.h"

enum {
    CDZ_PLANE_MOST = 128,                  /* bytes of a plane: VLEN 1024; wider registers are used in part */
    CDZ_WIDE_MOST = 8 * CDZ_PLANE_MOST,    /* blocks of a full batch */
    CDZ_STATE_MOST = 128 * CDZ_PLANE_MOST, /* bytes of the state */
    CDZ_ROUNDS_MOST = 16,                  /* of any cipher */
    CDZ_EXPANDED = 128 * (CDZ_ROUNDS_MOST + 1),
    CDZ_CTR_VALUES = 2 * 128 + 16
};

/* What a cipher gives. `ks` is its engine's key area; p is the length of a plane. */
struct cdz_sliced {
    /* Blocks from which on a batch of the wide kernel, full or not, costs less than few() on so many, or than
     * few_ctr(). */
    size_t (*wide_from)(size_t p, bool counters);

    /* Round keys of a direction as bytes of 0 and 0xff; the result is the number of rounds. */
    unsigned (*expand)(const void *ks, bool decrypt, uint8_t *expanded);

    /* The whole cipher on a state that has, in place of planes, the bytes: register r of byte b has the byte b of
     * blocks r * P to r * P + P - 1. Byte 4 * c + i of the result is found where byte 4 * ((c + shift * i) % 4) + i
     * was; shift is returned. */
    unsigned (*crypt)(uint8_t *state, const uint8_t *expanded, unsigned rounds, bool decrypt, size_t p);

    /* Counter mode: what is the same for all blocks of a call, then the cipher on counters that begin with the 16-bit
     * number `low` in the bytes at[0] (low half) and at[1]; `values` as ctr_values() left it, result as that of
     * crypt(). */
    void (*ctr_values)(uint8_t *values, const void *ks, const uint8_t ctr[16], const uint8_t at[2]);
    unsigned (*ctr_crypt)(uint8_t *state, const uint8_t *expanded, unsigned rounds, const uint8_t *values,
                          const uint8_t at[2], unsigned low, size_t p);

    /* Few blocks, less than wide_from(); may be 0; in == out works. Leaves nothing. */
    void (*few)(const void *ks, bool decrypt, const uint8_t *in, uint8_t *out, size_t blocks);

    /* As cdz_engine.ctr, where the cipher has something better than few() on counter blocks for less than wide_from()
     * blocks; else NULL. Leaves nothing. */
    void (*few_ctr)(const void *ks, const uint8_t ctr[16], bool little, const uint8_t *in, uint8_t *out, size_t len);
};

/* The engine's functions, with the cipher in front and a direction for each pair. */
void cdz_sliced_blocks(const struct cdz_sliced *c, bool decrypt, const void *ks, const uint8_t *in, uint8_t *out,
                       size_t blocks);
void cdz_sliced_ctr(const struct cdz_sliced *c, bool little, const void *ks, const uint8_t ctr[16], const uint8_t *in,
                    uint8_t *out, size_t len);
void cdz_sliced_cbc_decrypt(const struct cdz_sliced *c, const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                            size_t blocks);
void cdz_sliced_cfb_decrypt(const struct cdz_sliced *c, const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out,
                            size_t blocks);
void cdz_sliced_xts(const struct cdz_sliced *c, bool decrypt, const void *ks, uint8_t tweak[16], const uint8_t *in,
                    uint8_t *out, size_t blocks);
void cdz_sliced_ocb(const struct cdz_sliced *c, bool decrypt, const void *ks, const uint8_t (*l)[16], uint64_t index,
                    uint8_t offset[16], uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks);
void cdz_sliced_ocb_aad(const struct cdz_sliced *c, const void *ks, const uint8_t (*l)[16], uint64_t index,
                        uint8_t offset[16], uint8_t sum[16], const uint8_t *aad, size_t blocks);

/* The planes of two counter bytes: x[0] gets the low byte's, x[1] the high one's, of the numbers low, low + 1, ... */
void cdz_sliced_counter(uint8_t *x0, uint8_t *x1, unsigned low, size_t p);

#endif
