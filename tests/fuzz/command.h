/* SPDX-License-Identifier: Apache-2.0 */
/* Running the command's parts in this process, with files in memory, messages caught, standard output thrown away. */
#ifndef CDZ_FUZZ_COMMAND_H
#define CDZ_FUZZ_COMMAND_H

#include "fuzz.h"

/* A file in memory, which has a name as well; `which` of several. The same one, with new contents, at each call. */
enum { MEMORY_FILES = 4 };
const char *memory_file(int which, const void *bytes, size_t n);
/* All that is in it now. */
uint8_t *memory_read(int which, size_t *n);
int memory_descriptor(int which);

/* An empty directory, which is the current one; ends with the program. */
void work_directory(void);
/* Removes all that is in it; returns how many files there were. */
size_t work_clear(void);

/* Begins to catch what goes to stderr. */
void messages_catch(void);
/* What came since the last call; ends the program where it is not as it should be: nothing where `code` is 0, else one
 * sentence that begins with "cadenza: ", perhaps after warnings, and for a wrong use a hint. */
const char *messages_check(int code);
/* What came does not matter. */
void messages_drop(void);

/* Runs a subcommand. argv[0 ... argc - 1] are copied first, since options may be overwritten. */
int command_run(int (*command)(int, char **), int argc, char *const *argv);

#endif
