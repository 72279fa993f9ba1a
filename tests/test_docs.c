/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of docs/modes.md have each mode of the library, once, and no other. */
#include "cadenza.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MODES = 64 };

static void modes(void **state) {
    (void)state;
    size_t n = 0;
    unsigned rows[MODES] = {0};
    char line[1000];
    while (cdz_mode_name(n)) n++;
    assert_true(n > 0 && n <= MODES);
    FILE *f = fopen(CDZ_SOURCE_DIR "/docs/modes.md", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, "| ", 2) != 0) continue;
        char *end = strstr(line + 2, " |");
        assert_non_null(end);
        *end = 0;
        if (strcmp(line + 2, "mode") == 0) continue;
        for (char *name = strtok(line + 2, ", "); name; name = strtok(NULL, ", ")) {
            size_t i = 0;
            while (i < n && strcmp(cdz_mode_name(i), name) != 0) i++;
            if (i == n) print_error("docs/modes.md has a row for %s, which the library has not\n", name);
            assert_true(i < n);
            rows[i]++;
        }
    }
    fclose(f);
    for (size_t i = 0; i < n; i++) {
        if (rows[i] != 1) print_error("docs/modes.md has %u rows for %s\n", rows[i], cdz_mode_name(i));
        assert_int_equal(rows[i], 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes)};
    return cmocka_run_group_tests_name("docs", tests, NULL, NULL);
}
