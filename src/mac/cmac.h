/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CMAC for all modes that have one inside (CMAC, EAX, SIV).
 *
 * CMAC is CBC-MAC with a mask on the last block, so the last block must be known as such: in pieces, a block that is
 * full waits until it is clear whether another one follows. The running value is the 16 bytes x, into which the
 * waiting block has been XORed already, and how many bytes of it there are, 0 to 16.
 */
#ifndef CDZ_CMAC_H
#define CDZ_CMAC_H

#include "../mode/batch.h"
#include "../mode/bulk.h"

/* The masks K1, for a full last block, and K2 (SP 800-38B, 6.1). */
struct cdz_cmac_key {
    uint8_t k1[16], k2[16];
};

/* l is E(0). */
static inline void cdz_cmac_subkeys(struct cdz_cmac_key *k, const uint8_t l[16]) {
    cdz_double_be(k->k1, l);
    cdz_double_be(k->k2, k->k1);
}

/* x ^= the last block, of n bytes (0 to 16), as CMAC pads and masks it. */
static inline void cdz_cmac_last(const struct cdz_cmac_key *k, uint8_t x[16], const uint8_t *in, size_t n) {
    if (n == 16) {
        cdz_xor16(x, x, in);
        cdz_xor16(x, x, k->k1);
        return;
    }
    cdz_xor(x, x, in, n);
    x[n] ^= 0x80;
    cdz_xor16(x, x, k->k2);
}

/* A whole message; x is 0, or what the blocks before (which do not end the message) have given. Where there are such
 * blocks, len is not 0. */
void cdz_cmac(const struct cdz_engine *e, const void *ks, const struct cdz_cmac_key *k, uint8_t x[16],
              const uint8_t *in, size_t len);

/* A piece; x and *at begin as 0. */
void cdz_cmac_update(const struct cdz_engine *e, const void *ks, uint8_t x[16], uint8_t *at, const uint8_t *in,
                     size_t len);

/* The end: x becomes the MAC. */
void cdz_cmac_final(const struct cdz_engine *e, const void *ks, const struct cdz_cmac_key *k, uint8_t x[16], size_t at);

/* The same as a job of cdz_lanes_mac(); where first is not NULL it is a block ahead of the message. */
void cdz_cmac_job(struct cdz_mac_job *job, const struct cdz_cmac_key *k, const uint8_t *first, const uint8_t *in,
                  size_t len);

#endif
