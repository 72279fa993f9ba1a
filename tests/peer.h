/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSSL 3 behind one call a direction: for the comparisons of test_openssl.c and test_ref.c. */
#ifndef CDZ_TEST_PEER_H
#define CDZ_TEST_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct peer_message {
    const uint8_t *iv;
    size_t iv_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *in;
    size_t len;
    size_t tag_len;
};

/* Whether OpenSSL has the algorithm; names are cadenza's ("ARIA-256-GCM", "AES-128-CBC-CS3", "AES-192-KWP"). */
bool peer_has(const char *name);
/* The version line of the libcrypto in use. */
const char *peer_version(void);

/* Encrypts; -1 where OpenSSL refuses, else the length of the output (len + 32 bytes of room). Of a MAC: 0, and the tag.
 */
long peer_seal(const char *name, const uint8_t *key, size_t key_len, const struct peer_message *m, uint8_t *out,
               uint8_t *tag);
/* Decrypts and checks; -1 where OpenSSL refuses. No MACs. */
long peer_open(const char *name, const uint8_t *key, size_t key_len, const struct peer_message *m, const uint8_t *tag,
               uint8_t *out);
/* After encryption (or decryption) of `len` bytes: OpenSSL's running IV and its position in the block. */
bool peer_chain(const char *name, const uint8_t *key, const uint8_t *iv, bool encrypt, const uint8_t *in, size_t len,
                uint8_t chain[16], unsigned *num);

#endif
