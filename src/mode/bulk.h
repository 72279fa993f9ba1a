/* SPDX-License-Identifier: Apache-2.0 */
/* What modes share that loop over an engine's encrypt() and decrypt() because it has no function of its own for them.
 */
#ifndef CDZ_MODE_BULK_H
#define CDZ_MODE_BULK_H

#include "../util/wipe.h"
#include "mode.h"

/* Blocks in a buffer on the stack: as many as the widest portable kernel takes (128-bit words). */
enum { CDZ_BULK = 128 };

/* For cdz_clear_behind() behind a CDZ_KERNEL function that has such a buffer: its frame and those of what it calls. */
enum { CDZ_BULK_STACK = CDZ_BULK * 16 + CDZ_MODE_STACK / 2 };

/* CBC over whole blocks; iv is left as the last ciphertext block. */
void cdz_cbc_encrypt(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);
void cdz_cbc_decrypt(const struct cdz_cipher *c, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);

/* x = E(x ^ in[i]) for each block: CBC-MAC, CMAC. */
void cdz_cbc_mac(const struct cdz_engine *e, const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks);

#endif
