/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of every engine and hash by itself: see entries.c. */
#ifndef CDZ_CT_ENTRIES_H
#define CDZ_CT_ENTRIES_H

/* Calls those whose names have `part` in them and that this CPU can run, and prints a line for each; exits with 1 where
 * an output does not depend on a secret. Returns the calls made. */
unsigned long ct_entries(const char *part);

#endif
