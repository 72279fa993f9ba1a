/* SPDX-License-Identifier: Apache-2.0 */
/* The `cadenza` command: finds the subcommand and runs it. */
#include "cli.h"
#include "io.h"
#include "keys.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
    {"encrypt", cmd_encrypt, "encrypt a file or a pipe"},
    {"decrypt", cmd_decrypt, "decrypt what encrypt made"},
    {"keygen", cmd_keygen, "make a key file"},
    {"cipher", cmd_cipher, "raw modes with key and IV in hexadecimal, as 'openssl enc -K -iv'"},
    {"cpu", cmd_cpu, "features of the CPU, and which engine each cipher gets"},
    {"selftest", cmd_selftest, "known answers on every engine that this CPU can run"},
    {"bench", cmd_bench, "how fast the ciphers are here"},
    {"openssl", cmd_openssl, "whether OpenSSL uses cadenza here, and what it gains"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(void) {
    puts("usage: cadenza [--cpu=-FEATURE,...] COMMAND [OPTION ...]\n"
         "\n"
         "ARIA and AES, fast and in constant time.\n");
    for (int i = 0; i < COMMANDS; i++) printf("  %-10s %s\n", commands[i].name, commands[i].help);
    puts("\n"
         "'cadenza COMMAND --help' says more about one. 'cadenza --version' shows what this build has. Features of the "
         "CPU\n"
         "can be left out by --cpu=-avx512f,-gfni, or by the same words in the environment's CADENZA_CPU.\n"
         "cadenza is not validated under KCMVP or FIPS 140.");
}

static void print_version(void) {
    cdz_engine_info engine;
    printf("cadenza %d.%d.%d, library %s\n", CDZ_VERSION_MAJOR, CDZ_VERSION_MINOR, CDZ_VERSION_PATCH, cdz_version());
#if defined(__clang__)
    printf("compiler: clang %s\n", __clang_version__);
#elif defined(__GNUC__)
    printf("compiler: gcc %s\n", __VERSION__);
#else
    puts("compiler: unknown");
#endif
    fputs("engines:", stdout);
    for (size_t i = 0; cdz_engine_at(i, &engine); i++) printf(" %s", engine.name);
    fputs("\nmodes:", stdout);
    for (size_t i = 0; cdz_mode_name(i) != NULL; i++) printf(" %s", cdz_mode_name(i));
    printf("\npassphrases: %s\n",
           keys_have_argon2() ? "yes (Argon2id)" : "no (built without libargon2): key files only");
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"cpu", required_argument, NULL, 'C'},
                                            {"help", no_argument, NULL, 'h'},
                                            {"version", no_argument, NULL, 'V'},
                                            {NULL, 0, NULL, 0}};
    int c, e;
    io_prepare();
    while ((c = next_option(argc, argv, "", "+:hV", options, false)) != -1) switch (c) {
        case 'C':
            if ((e = set_cpu_mask(optarg)) != DONE) return e;
            break;
        case 'h':
            print_help();
            return io_finish_stdout(DONE);
        case 'V':
            print_version();
            return io_finish_stdout(DONE);
        default:
            return FAIL_USAGE;
        }
    if (optind >= argc) {
        return fail_usage("", "which command?");
    }
    if ((e = check_cpu_mask()) != DONE) return e;
    argc -= optind;
    argv += optind;
    optind = 0; /* begins anew, for getopt_long() */
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[0], commands[i].name) == 0) return io_finish_stdout(commands[i].run(argc, argv));
    return fail_usage("", "there is no command '%s'", argv[0]);
}
