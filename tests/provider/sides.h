/* SPDX-License-Identifier: Apache-2.0 */
/* Two library contexts, one with cadenza's provider alone and one with the default provider alone. */
#ifndef CDZ_TEST_SIDES_H
#define CDZ_TEST_SIDES_H

#include <openssl/evp.h>

#include <stdbool.h>

enum { OURS, THEIRS, SIDES, MOST = 700 };

extern OSSL_LIB_CTX *lib[SIDES];

/* Modes that take a message in one update: no random sequences of calls, whole_messages() alone. */
bool is_whole_mode(const EVP_CIPHER *cipher);
/* A test (arg: the name of a cipher): random messages through EVP, compared with the default provider where it has the
 * cipher, and with the library. */
void whole_messages(void *name);

#endif
