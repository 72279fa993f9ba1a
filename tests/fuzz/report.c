/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cadenza bench --from`: any text as results that are read, shown in every form and compared. What was read is
 * written, and read again, as it was.
 */
#include "command.h"

#include "bench.h"
#include "cli.h"
#include "io.h"

#include <stdlib.h>
#include <string.h>

static void again(const char *name) {
    struct report a, b;
    const int e = json_read(&a, name);
    messages_check(e);
    if (e != DONE) {
        MUST(!a.results && !a.result);
        return;
    }
    memory_file(1, NULL, 0);
    struct output out = {.fd = memory_descriptor(1), .dir = -1, .name = "out"};
    MUST(json_write(&a, &out) == DONE);
    size_t n;
    uint8_t *const text = memory_read(1, &n);
    MUST(json_read(&b, memory_file(2, text, n)) == DONE);
    free(text);
    MUST(a.results == b.results && a.libraries == b.libraries && a.complete == b.complete && a.rounds == b.rounds);
    MUST(!strcmp(a.cpu, b.cpu) && !strcmp(a.compiler, b.compiler) && !strcmp(a.emulator, b.emulator));
    if (fuzz_planted() && a.results && a.rounds == 3) b.result[0].wrong = !a.result[0].wrong;
    for (size_t i = 0; i < a.results; i++) {
        const struct result *const x = &a.result[i], *const y = &b.result[i];
        MUST(same_work(x, y) && !strcmp(x->engine, y->engine) && !strcmp(x->library, y->library) &&
             x->wrong == y->wrong);
        for (size_t k = 0; k < x->points; k++) MUST(x->point[k].n == y->point[k].n);
    }
    report_free(&a);
    report_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const forms[] = {"--json", "--csv", "--markdown", "--quiet-is-none", "--html"};
    work_directory();
    messages_catch();
    if (size < 1) return 0;
    const unsigned how = data[0];
    char name[40], old[40];
    strcpy(name, memory_file(0, data + 1, size - 1));
    again(name);
    char *argv[10];
    int argc = 0;
    const size_t form = how % 5;
    argv[argc++] = (char *)(uintptr_t) "bench";
    argv[argc++] = (char *)(uintptr_t) "--from";
    argv[argc++] = name;
    if (form != 3) argv[argc++] = (char *)(uintptr_t)forms[form];
    if (form == 4) argv[argc++] = (char *)(uintptr_t) "page";
    if (how & 8) { /* with itself, or with another beginning of it */
        strcpy(old, memory_file(3, data + 1, how & 16 ? size - 1 : (size - 1) / 2));
        argv[argc++] = (char *)(uintptr_t) "--compare";
        argv[argc++] = old;
    }
    const int e = command_run(cmd_bench, argc, argv);
    /* A comparison goes to stderr where stdout has the results in a form for programs. */
    if (how & 8)
        messages_drop();
    else
        messages_check(e);
    MUST(e == DONE || e == FAIL_DATA);
    /* The page is complete before the comparison finds that there is nothing to compare. */
    const size_t files = work_clear();
    MUST(files == (form == 4 && e == DONE) || (files == 1 && form == 4 && how & 8));
    return 0;
}
