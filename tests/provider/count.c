/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the tests: the provider with a count of the keys that are set in it, so that a test of a program it does not own
 * can tell that the calls came here. The module is linked with --wrap=ctx_set_key; at the end of the process the count
 * goes as a line to the file that CDZ_COUNT_FILE names.
 */
#include "../../provider/prov.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long keys;

bool __real_ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen);
bool __wrap_ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen);
bool __wrap_ctx_set_key(struct ctx *x, const uint8_t *key, size_t keylen) {
    __atomic_add_fetch(&keys, 1, __ATOMIC_RELAXED);
    return __real_ctx_set_key(x, key, keylen);
}

static char name[4096];

/* Now: at the end a program (PHP) may have no environment any more. */
__attribute__((constructor)) static void remember(void) {
    const char *const value = getenv("CDZ_COUNT_FILE");
    snprintf(name, sizeof name, "%s", value ? value : "");
}

__attribute__((destructor)) static void tell(void) {
    char line[32];
    if (!*name || !keys) return;
    const int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return;
    const int n = snprintf(line, sizeof line, "%lu\n", keys);
    if (write(fd, line, (size_t)n) != n) abort();
    close(fd);
}
