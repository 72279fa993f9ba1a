/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the master key (out of a key file or Argon2id) to the keys of one file. ARIA-256 alone, whatever the file's
 * cipher: docs/file-format.md says why.
 *
 *     X(i)  = first 15 bytes of the salt | i                            one block, i = 1 ... 4
 *     commitment = E(X(1)) ^ X(1) | E(X(2)) ^ X(2)                      under the master key
 *     file root  = E(X(3)) | E(X(4))
 *     KDF(label, n) = first n bytes of C(1) | C(2) | ...                SP 800-108r1, counter mode
 *     C(i) = CMAC(file root, i as 4 bytes | label | 00 | header bytes 0 to 79 | 8 * n as 4 bytes)
 *     header tag = KDF("cadenza header", 16)
 *     file key | nonce prefix = KDF("cadenza chunks", key length + 7)
 *     key id = first 8 bytes of E(I) ^ I with I = "cadenza key id" padded with zeros
 */
#ifndef CDZ_KDF_H
#define CDZ_KDF_H

#include "file_format.h"

#include "cadenza.h"

enum { MASTER_KEY = 32 };

/* What protects the chunks of one file. */
struct file_keys {
    cdz_cipher *aead;
    uint8_t prefix[FORMAT_NONCE_PREFIX];
};

/* The id of a key file's key. */
int kdf_key_id(const uint8_t master[MASTER_KEY], uint8_t id[FORMAT_KEY_ID]);

/* For writing: fills in commitment and tag of a header whose other fields are set. */
int kdf_seal(struct file_header *h, const uint8_t master[MASTER_KEY], struct file_keys *k);
/* For reading: checks them. FAIL_KEY where the commitment is another key's, FAIL_HEADER where the header was changed.
 */
int kdf_open(const struct file_header *h, const uint8_t master[MASTER_KEY], struct file_keys *k);
void file_keys_free(struct file_keys *k);

#endif
