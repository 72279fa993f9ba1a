/* SPDX-License-Identifier: Apache-2.0 */
/* `cadenza encrypt`, `cadenza decrypt` and `cadenza keygen`. */
#include "cli.h"
#include "file_format.h"
#include "io.h"
#include "kdf.h"
#include "keys.h"
#include "progress.h"
#include "stream.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { OPT_CPU = 256, OPT_KEY_FILE, OPT_PASSPHRASE_FILE, OPT_FORCE, OPT_MEMORY, OPT_PASSES, OPT_LANES };

static const struct option encrypt_options[] = {{"cipher", required_argument, NULL, 'c'},
                                                {"key-file", required_argument, NULL, OPT_KEY_FILE},
                                                {"passphrase-file", required_argument, NULL, OPT_PASSPHRASE_FILE},
                                                {"output", required_argument, NULL, 'o'},
                                                {"kdf-memory", required_argument, NULL, OPT_MEMORY},
                                                {"kdf-passes", required_argument, NULL, OPT_PASSES},
                                                {"kdf-lanes", required_argument, NULL, OPT_LANES},
                                                {"force", no_argument, NULL, OPT_FORCE},
                                                {"quiet", no_argument, NULL, 'q'},
                                                {"cpu", required_argument, NULL, OPT_CPU},
                                                {"help", no_argument, NULL, 'h'},
                                                {NULL, 0, NULL, 0}};

static const struct option decrypt_options[] = {{"key-file", required_argument, NULL, OPT_KEY_FILE},
                                                {"passphrase-file", required_argument, NULL, OPT_PASSPHRASE_FILE},
                                                {"output", required_argument, NULL, 'o'},
                                                {"force", no_argument, NULL, OPT_FORCE},
                                                {"quiet", no_argument, NULL, 'q'},
                                                {"cpu", required_argument, NULL, OPT_CPU},
                                                {"help", no_argument, NULL, 'h'},
                                                {NULL, 0, NULL, 0}};

static const char encrypt_help[] =
    "usage: cadenza encrypt [-c CIPHER] [--key-file KEY | --passphrase-file FILE] [-o OUT] [IN]\n"
    "\n"
    "Encrypts IN (or standard input) into OUT (or standard output), so that 'cadenza decrypt' notices any change.\n"
    "Without --key-file and --passphrase-file it asks for a passphrase on the terminal.\n"
    "\n"
    "  -c, --cipher CIPHER       aria-256-gcm (the default), or with 128 or 192, or aes; -gcm or another mode of\n"
    "                            docs/file-format.md\n"
    "  --key-file KEY            a key made by 'cadenza keygen'\n"
    "  --passphrase-file FILE    the passphrase is the contents of FILE (without the last line's end); - is standard\n"
    "                            input\n"
    "  -o, --output OUT          appears, replacing an old file, when it is complete\n"
    "  --kdf-memory MIB          memory for Argon2id, 8 to 1024 MiB (256)\n"
    "  --kdf-passes N            passes over it, 1 to 64 (3); memory times passes may be 4096 MiB\n"
    "  --kdf-lanes N             lanes, 1 to 16 (4)\n"
    "  --force                   write to a terminal all the same\n"
    "  -q, --quiet               no progress line\n"
    "  --cpu=-FEATURE,...        leave out features of the CPU\n";

static const char decrypt_help[] =
    "usage: cadenza decrypt [--key-file KEY | --passphrase-file FILE] [-o OUT] [IN]\n"
    "\n"
    "Decrypts IN (or standard input) into OUT (or standard output). OUT appears only when all of IN was verified; "
    "what\n"
    "goes to a pipe is verified chunk by chunk, and the exit code says whether all of it came.\n"
    "\n"
    "  --key-file KEY            the key that IN was encrypted with\n"
    "  --passphrase-file FILE    the passphrase is the contents of FILE (without the last line's end)\n"
    "  -o, --output OUT          appears, replacing an old file, when it is complete and verified\n"
    "  --force                   write binary data to a terminal all the same\n"
    "  -q, --quiet               no progress line\n"
    "  --cpu=-FEATURE,...        leave out features of the CPU\n";

static const char keygen_help[] =
    "usage: cadenza keygen -o KEY\n"
    "\n"
    "Makes a new key file for 'cadenza encrypt', readable by its owner alone. A file that exists is\n"
    "never overwritten. -o - prints the key.\n";

struct job {
    bool force, quiet;
    const char *in_path, *out_path;
    struct key_options keys;
    struct file_header header;
};

/* Common to both directions: 0, an exit code, or -1 where help was printed and all is done. */
static int parse_job(struct job *j, int argc, char **argv, bool encrypting) {
    const char *const command = encrypting ? "encrypt" : "decrypt";
    uint64_t n, kib = ARGON2_KIB, passes = ARGON2_PASSES, lanes = ARGON2_LANES;
    bool kdf = false;
    int c, e = DONE;
    memset(j, 0, sizeof *j);
    if (encrypting && !format_parse_cipher(&j->header, "ARIA-256-GCM")) return FAIL_INTERNAL;
    while ((c = next_option(argc, argv, command, encrypting ? ":c:o:qh" : ":o:qh",
                            encrypting ? encrypt_options : decrypt_options, false)) != -1) {
        switch (c) {
        case 'c':
            if (!format_parse_cipher(&j->header, optarg)) {
                cdz_info info;
                if (cdz_describe(&info, optarg) == CDZ_OK)
                    return fail(FAIL_NAME, "%s cannot be used for files, which need a mode with a tag; use %s",
                                info.name, "ARIA-256-GCM, AES-256-GCM or another of docs/file-format.md");
                return fail(FAIL_NAME, "there is no cipher '%s'; use aria-256-gcm, aes-256-gcm, ...", optarg);
            }
            break;
        case OPT_KEY_FILE:
            j->keys.key_file = optarg;
            break;
        case OPT_PASSPHRASE_FILE:
            j->keys.passphrase_file = optarg;
            break;
        case 'o':
            j->out_path = optarg;
            break;
        case OPT_MEMORY:
            if ((e = parse_number("--kdf-memory", optarg, ARGON2_MIN_KIB / 1024, ARGON2_MAX_KIB / 1024, &n)) != DONE)
                return e;
            kib = n * 1024;
            kdf = true;
            break;
        case OPT_PASSES:
            if ((e = parse_number("--kdf-passes", optarg, 1, ARGON2_MAX_PASSES, &passes)) != DONE) return e;
            kdf = true;
            break;
        case OPT_LANES:
            if ((e = parse_number("--kdf-lanes", optarg, 1, ARGON2_MAX_LANES, &lanes)) != DONE) return e;
            kdf = true;
            break;
        case OPT_FORCE:
            j->force = true;
            break;
        case 'q':
            j->quiet = true;
            break;
        case OPT_CPU:
            if ((e = set_cpu_mask(optarg)) != DONE) return e;
            break;
        case 'h':
            fputs(encrypting ? encrypt_help : decrypt_help, stdout);
            return -1;
        default:
            return FAIL_USAGE;
        }
    }
    if (argc - optind > 1) return fail_usage(command, "one input at a time: what is '%s'?", argv[optind + 1]);
    j->in_path = argv[optind];
    if (j->keys.key_file && j->keys.passphrase_file)
        return fail_usage(command, "a key file and a passphrase file exclude each other");
    const char *const secret = j->keys.key_file ? j->keys.key_file : j->keys.passphrase_file;
    if (secret && strcmp(secret, "-") == 0 && (j->in_path == NULL || strcmp(j->in_path, "-") == 0))
        return fail_usage(command, "standard input cannot be both the secret and the data");
    if (!encrypting) return DONE;
    if (j->keys.key_file) {
        if (kdf) return fail_usage(command, "--kdf-... is for passphrases, and a key file is not one");
        j->header.source = FORMAT_KEY_FILE;
    } else {
        j->header.source = FORMAT_ARGON2ID;
        j->header.memory_kib = (uint32_t)kib;
        j->header.passes = (uint32_t)passes;
        j->header.lanes = (uint8_t)lanes;
    }
    if (header_check(&j->header) == FORMAT_ERR_WORK)
        return fail(FAIL_ARGUMENT, "--kdf-memory times --kdf-passes may be %d MiB at most", ARGON2_MAX_WORK_KIB / 1024);
    cdz_info info;
    char name[FORMAT_NAME_MAX];
    format_cipher_name(&j->header, name);
    if (cdz_describe(&info, name) != CDZ_OK) return fail(FAIL_NAME, "this build of cadenza does not have %s", name);
    return DONE;
}

static int refuse_terminal(const struct output *out) {
    return fail(FAIL_TERMINAL, "encrypted data would go to the terminal %s; use -o, or --force",
                out->standard ? "(standard output)" : out->name);
}

static int encrypt_body(struct job *j, struct input *in, struct output *out, struct key_source *source) {
    uint8_t master[MASTER_KEY], bytes[FORMAT_HEADER];
    struct file_keys keys = {0};
    if (out->terminal && !j->force) return refuse_terminal(out);
    int e = random_bytes(j->header.salt, FORMAT_SALT);
    if (e == DONE) e = key_source_master(source, &j->header, true, master);
    if (e == DONE) e = kdf_seal(&j->header, master, &keys);
    wipe(master, sizeof master);
    if (e == DONE) e = output_begin(out);
    if (e == DONE && out->terminal && !j->force) e = refuse_terminal(out);
    if (e == DONE) {
        header_encode(&j->header, bytes);
        e = output_write(out, bytes, sizeof bytes);
    }
    if (e == DONE) {
        progress_start(in->size, !j->quiet);
        e = stream_encrypt(&keys, in, out);
        progress_end();
    }
    file_keys_free(&keys);
    return e;
}

static int read_header(struct input *in, struct file_header *h) {
    uint8_t bytes[FORMAT_HEADER];
    size_t len;
    const int e = input_read(in, bytes, sizeof bytes, &len);
    if (e != DONE) return e;
    if (len == 0) return fail(FAIL_NOT_CADENZA, "%s is empty: not a file that cadenza encrypted", in->name);
    const enum format_status s = header_decode(h, bytes, len);
    int code = FAIL_HEADER;
    switch (s) {
    case FORMAT_OK:
        return DONE;
    case FORMAT_ERR_MAGIC:
    case FORMAT_ERR_TEXT:
        code = FAIL_NOT_CADENZA;
        break;
    case FORMAT_ERR_SHORT:
        code = FAIL_TRUNCATED;
        break;
    case FORMAT_ERR_VERSION:
    case FORMAT_ERR_CIPHER:
    case FORMAT_ERR_KEY_LEN:
    case FORMAT_ERR_MODE:
    case FORMAT_ERR_SOURCE:
        code = FAIL_UNSUPPORTED;
        break;
    case FORMAT_ERR_RESERVED:
    case FORMAT_ERR_LANES:
    case FORMAT_ERR_PASSES:
    case FORMAT_ERR_MEMORY:
    case FORMAT_ERR_WORK:
        break;
    }
    return fail(code, "%s: %s", in->name, format_strerror(s));
}

static int decrypt_body(struct job *j, struct input *in, struct output *out, struct key_source *source) {
    uint8_t master[MASTER_KEY];
    struct file_keys keys = {0};
    const uint64_t size = in->size;
    int e = read_header(in, &j->header);
    if (e != DONE) return e;
    e = key_source_master(source, &j->header, false, master);
    if (e == DONE) e = kdf_open(&j->header, master, &keys);
    wipe(master, sizeof master);
    if (e == DONE) e = output_begin(out);
    if (e == DONE) {
        progress_start(size, !j->quiet && !out->terminal);
        e = stream_decrypt(&keys, in, out, out->terminal && !j->force);
        progress_end();
    }
    file_keys_free(&keys);
    return e;
}

static int run(int argc, char **argv, bool encrypting) {
    struct job j;
    struct input in;
    struct output out;
    struct key_source source;
    int e = parse_job(&j, argc, argv, encrypting);
    if (e != DONE) return e < 0 ? DONE : e;
    no_core_dumps();
    if ((e = input_open(&in, j.in_path)) != DONE) return e;
    if ((e = key_source_open(&source, &j.keys)) == DONE) {
        const struct input *const inputs[] = {&in, &source.file};
        e = output_open(&out, j.out_path, OUTPUT_REPLACE, inputs, source.open ? 2 : 1);
        if (e == DONE) e = encrypting ? encrypt_body(&j, &in, &out, &source) : decrypt_body(&j, &in, &out, &source);
        if (e == DONE)
            e = output_commit(&out);
        else
            output_abandon(&out);
        key_source_close(&source);
    }
    input_close(&in);
    return e;
}

int cmd_encrypt(int argc, char **argv) { return run(argc, argv, true); }
int cmd_decrypt(int argc, char **argv) { return run(argc, argv, false); }

int cmd_keygen(int argc, char **argv) {
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *path = NULL;
    uint8_t key[MASTER_KEY];
    char text[KEY_FILE_SIZE + 1];
    struct output out;
    int c;
    while ((c = next_option(argc, argv, "keygen", ":o:h", options, false)) != -1) {
        if (c == 'h') {
            fputs(keygen_help, stdout);
            return DONE;
        }
        if (c != 'o') return FAIL_USAGE;
        path = optarg;
    }
    if (optind < argc) return fail_usage("keygen", "the key's name goes behind -o: what is '%s'?", argv[optind]);
    if (path == NULL) return fail_usage("keygen", "where to? Name the new key file with -o");
    no_core_dumps();
    int e = output_open(&out, path, OUTPUT_CREATE_NEW, NULL, 0);
    if (e == DONE) e = random_bytes(key, sizeof key);
    if (e == DONE) e = key_file_encode(key, text);
    if (e == DONE) e = output_begin(&out);
    if (e == DONE) e = output_write(&out, (const uint8_t *)text, KEY_FILE_SIZE);
    if (e == DONE)
        e = output_commit(&out);
    else
        output_abandon(&out);
    wipe(key, sizeof key);
    wipe(text, sizeof text);
    return e;
}
