/* SPDX-License-Identifier: Apache-2.0 */
/* One line on a terminal's stderr with share, rate and time left, when something takes over a second. */
#ifndef CDZ_PROGRESS_H
#define CDZ_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line stands on the terminal: whoever else writes there begins a new one, or hides it. */
extern volatile sig_atomic_t progress_visible;

/* `total` bytes are to come (UINT64_MAX: nobody knows). Nothing is ever shown where `wanted` is false or stderr is no
 * terminal. */
void progress_start(uint64_t total, bool wanted);
void progress_add(uint64_t bytes);
/* Takes the line away. */
void progress_hide(void);
void progress_end(void);

/* The line, of at most `width` columns, for `done` bytes of `total` after `seconds`. A pure function. */
enum { PROGRESS_MAX = 256 };
void progress_line(char line[PROGRESS_MAX], unsigned width, uint64_t done, uint64_t total, double seconds);

#endif
