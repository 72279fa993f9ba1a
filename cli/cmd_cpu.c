/* SPDX-License-Identifier: Apache-2.0 */
/* `cadenza cpu`: what the CPU can do, which engine each cipher gets, and what the better ones would need. */
#include "cli.h"
#include "engines.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_CPU = 256, WORDS = 1024 };

static const struct option options[] = {
    {"cpu", required_argument, NULL, OPT_CPU}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: cadenza cpu [--cpu=-FEATURE,...]\n"
    "\n"
    "Shows the features of this CPU that cadenza can use, and of each cipher all engines, the best first:\n"
    "which is used, which could be, and what the others lack.\n"
    "\n"
    "  --cpu=-FEATURE,...   as if the CPU did not have these\n";

int cmd_cpu(int argc, char **argv) {
    static const struct {
        const char *title, *probe; /* an algorithm to see what is bound */
        enum engine_kind kind;
    } kinds[] = {{"ARIA", "ARIA-128-CTR", ENGINE_ARIA},
                 {"AES", "AES-128-CTR", ENGINE_AES},
                 {"GHASH and POLYVAL", "AES-128-GCM", ENGINE_HASH}};
    static const uint8_t key[32] = {0};
    char have[WORDS], missing[WORDS];
    int c, e;
    while ((c = next_option(argc, argv, "cpu", ":h", options, false)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return DONE;
        }
        if (c != OPT_CPU) return FAIL_USAGE;
        if ((e = set_cpu_mask(optarg)) != DONE) return e;
    }
    if (optind < argc) return fail_usage("cpu", "what is '%s'?", argv[optind]);
    cdz_cipher *probe;
    if (cdz_cpu_features(have, sizeof have) >= sizeof have) return fail(FAIL_INTERNAL, "too many features");
    printf("features: %s\n", have[0] ? have : "none that cadenza uses");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        cdz_engine_info engine;
        const cdz_status made = cdz_cipher_new(&probe, kinds[k].probe, key, 16);
        if (made != CDZ_OK) return fail_status(made, kinds[k].probe);
        printf("\n%s\n", kinds[k].title);
        for (size_t i = 0; cdz_engine_at(i, &engine); i++) {
            if (engine_kind(engine.name) != kinds[k].kind) continue;
            const char *const bound = strstr(cdz_engine_name(probe), engine.name);
            const char after = bound ? bound[strlen(engine.name)] : 'x';
            if (after == 0 || after == '+')
                printf("  %-22s used    (needs %s)\n", engine.name, engine.needs[0] ? engine.needs : "nothing");
            else if (engine.usable)
                printf("  %-22s usable  (needs %s)\n", engine.name, engine.needs[0] ? engine.needs : "nothing");
            else {
                missing_features(missing, sizeof missing, engine.needs, have);
                printf("  %-22s lacks %s\n", engine.name, missing);
            }
        }
        cdz_cipher_free(probe);
    }
    return DONE;
}
