/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of docs/modes.md have each mode of the library, once, and no other; cadenza-modes(7) has the same ones. */
#include "cadenza.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MODES = 64, ROWS = 64, ROW = 400 };

/* The rows of a document's tables: cells as plain text, each followed by '|'. */
struct table {
    size_t n;
    char row[ROWS][ROW];
};

/* To the row that is being read: text without its markup. */
static void add(struct table *t, const char *text, size_t len) {
    assert_true(t->n < ROWS);
    size_t used = strlen(t->row[t->n]);
    const char *end = text + len;
    while (text < end && *text == ' ') text++;
    while (end > text && end[-1] == ' ') end--;
    while (text < end) {
        char c = *text;
        size_t skip = 1;
        if (end - text > 2 && strncmp(text, "\\f", 2) == 0)
            c = 0, skip = 3;
        else if (end - text > 3 && strncmp(text, "\\(ha", 4) == 0)
            c = '^', skip = 4;
        else if (end - text > 1 && strncmp(text, "\\-", 2) == 0)
            c = '-', skip = 2;
        else if (c == '`')
            c = 0;
        text += skip;
        assert_true(used + 1 < ROW);
        if (c) t->row[t->n][used++] = c;
    }
}

static void markdown(struct table *t, char *line) {
    if (strncmp(line, "| ", 2) != 0) return;
    for (char *cell = line + 1, *end; (end = strchr(cell, '|')); cell = end + 1) {
        add(t, cell, (size_t)(end - cell));
        add(t, "|", 1);
    }
    t->n++;
}

/* tbl's tables, with | between cells; T{ and T} around those that may be broken. */
static void manual(struct table *t, char *line) {
    static enum { OUTSIDE, FORMAT, BODY, BLOCK } where;
    size_t len = strlen(line);
    if (strncmp(line, ".TS", 3) == 0)
        where = FORMAT;
    else if (strncmp(line, ".TE", 3) == 0)
        where = OUTSIDE;
    else if (where == FORMAT && len && line[len - 1] == '.')
        where = BODY;
    else if (where == BLOCK && strncmp(line, "T}", 2) != 0)
        add(t, line, len);
    else if (where == BODY || where == BLOCK) {
        if (where == BLOCK) line += 2, len -= 2;
        where = len >= 2 && strcmp(line + len - 2, "T{") == 0 ? BLOCK : BODY;
        add(t, line, where == BLOCK ? len - 2 : len);
        if (where == BODY) {
            add(t, "|", 1);
            t->n++;
        }
    }
}

static void read_tables(struct table *t, const char *name, void (*take)(struct table *t, char *line)) {
    char path[1000], line[1000];
    memset(t, 0, sizeof *t);
    snprintf(path, sizeof path, CDZ_SOURCE_DIR "/docs/%s", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        take(t, line);
    }
    fclose(f);
}

static void modes(void **state) {
    (void)state;
    static struct table t;
    size_t n = 0;
    unsigned rows[MODES] = {0};
    while (cdz_mode_name(n)) n++;
    assert_true(n > 0 && n <= MODES);
    read_tables(&t, "modes.md", markdown);
    for (size_t r = 0; r < t.n; r++) {
        char names[ROW];
        snprintf(names, sizeof names, "%.*s", (int)strcspn(t.row[r], "|"), t.row[r]);
        if (strcmp(names, "mode") == 0) continue;
        for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
            size_t i = 0;
            while (i < n && strcmp(cdz_mode_name(i), name) != 0) i++;
            if (i == n) print_error("docs/modes.md has a row for %s, which the library has not\n", name);
            assert_true(i < n);
            rows[i]++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (rows[i] != 1) print_error("docs/modes.md has %u rows for %s\n", rows[i], cdz_mode_name(i));
        assert_int_equal(rows[i], 1);
    }
}

static void manual_page(void **state) {
    (void)state;
    static struct table md, man;
    read_tables(&md, "modes.md", markdown);
    read_tables(&man, "man/cadenza-modes.7", manual);
    for (size_t r = 0; r < md.n && r < man.n; r++) assert_string_equal(man.row[r], md.row[r]);
    assert_int_equal(man.n, md.n);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes), cmocka_unit_test(manual_page)};
    return cmocka_run_group_tests_name("docs", tests, NULL, NULL);
}
