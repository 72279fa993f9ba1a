/* SPDX-License-Identifier: Apache-2.0 */
/* The body of an encrypted file: chunks, from an input to an output, in bounded memory. */
#ifndef CDZ_STREAM_H
#define CDZ_STREAM_H

#include "io.h"
#include "kdf.h"

/* Both write to an output that has begun, and leave it to the caller to commit or abandon it. */
int stream_encrypt(const struct file_keys *k, struct input *in, struct output *out);
/* Hands out a chunk only when its tag is right. `text_only`: a chunk that is not text is FAIL_TERMINAL. */
int stream_decrypt(const struct file_keys *k, struct input *in, struct output *out, bool text_only);

#endif
