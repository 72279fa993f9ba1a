/* SPDX-License-Identifier: Apache-2.0 */
/* What cpu, selftest and bench share about engines. */
#ifndef CDZ_CLI_ENGINES_H
#define CDZ_CLI_ENGINES_H

#include "cadenza.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of an engine by its name's part before the slash. */
enum engine_kind { ENGINE_ARIA, ENGINE_AES, ENGINE_HASH, ENGINE_OTHER };
enum engine_kind engine_kind(const char *name);

/* Writes the words of `needs` that `have` lacks, separated by blanks. */
void missing_features(char *out, size_t cap, const char *needs, const char *have);

/* An object on certain engines for an algorithm: `engine` where it names one of the right kind, and the portable ones
 * for whatever it does not name. NULL makes it portable throughout. */
cdz_status new_on(cdz_cipher **c, const char *engine, const char *name, const uint8_t *key, size_t key_len);

/* Bytes that look random and are the same every time. */
void pattern(uint8_t *out, size_t n, uint64_t seed);

#endif
