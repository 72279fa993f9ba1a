/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `cadenza cipher`: one algorithm and mode over a file or pipe, key and IV in hexadecimal; the bytes are those of
 * `openssl enc -K -iv`. For tests, for data of other programs, and for modes that enc lacks: authenticated ones and
 * XTS.
 *
 * Nothing is filled up, cut or guessed: a key, IV or tag of the wrong length is an error. Plaintext of an authenticated
 * mode is handed out only when its tag is right: a named output is renamed then, and what goes to a pipe is kept in
 * memory until then, up to a limit.
 */
#include "cli.h"
#include "io.h"
#include "progress.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    PIECE = 65536,
    SPARE = 31,     /* what cdz_update() may write beyond its input's length */
    WRAP_MORE = 16, /* what cdz_wrap() does; also room for a tag */
    SPOOL_MAX = 64 * 1024 * 1024
};

enum {
    OPT_CPU = 256,
    OPT_IV,
    OPT_NO_PADDING,
    OPT_AAD,
    OPT_TAG,
    OPT_TAG_FILE,
    OPT_TAG_LENGTH,
    OPT_ENGINE,
    OPT_FORCE,
    OPT_IN
};

static const struct option options[] = {{"cipher", required_argument, NULL, 'c'},
                                        {"key", required_argument, NULL, 'K'},
                                        {"iv", required_argument, NULL, OPT_IV},
                                        {"encrypt", no_argument, NULL, 'e'},
                                        {"decrypt", no_argument, NULL, 'd'},
                                        {"no-padding", no_argument, NULL, OPT_NO_PADDING},
                                        {"nopad", no_argument, NULL, OPT_NO_PADDING},
                                        {"aad", required_argument, NULL, OPT_AAD},
                                        {"tag", required_argument, NULL, OPT_TAG},
                                        {"tag-file", required_argument, NULL, OPT_TAG_FILE},
                                        {"tag-length", required_argument, NULL, OPT_TAG_LENGTH},
                                        {"engine", required_argument, NULL, OPT_ENGINE},
                                        {"in", required_argument, NULL, OPT_IN},
                                        {"out", required_argument, NULL, 'o'},
                                        {"output", required_argument, NULL, 'o'},
                                        {"force", no_argument, NULL, OPT_FORCE},
                                        {"quiet", no_argument, NULL, 'q'},
                                        {"cpu", required_argument, NULL, OPT_CPU},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: cadenza cipher -c CIPHER -K HEX [-iv HEX] [-d] [OPTION ...] [-o OUT] [IN]\n"
    "\n"
    "Encrypts or decrypts with one cipher and mode, and nothing around it. The bytes are those of 'openssl enc -K "
    "-iv'.\n"
    "Long options may begin with one dash.\n"
    "\n"
    "  -c, --cipher CIPHER    aria-128-ctr, aes-256-cbc, aria-256-gcm, ... ('cadenza --version' lists the modes)\n"
    "  -K, --key HEX          the key; its length must be the cipher's. Other users can see it while this runs\n"
    "  --iv HEX               the IV or nonce; its length must be one that the mode takes\n"
    "  -e, -d                 encrypt (the default), decrypt\n"
    "  --no-padding           ECB and CBC: no PKCS#7 padding; the input must be whole blocks\n"
    "  --aad HEX              authenticated modes: associated data\n"
    "  --tag-length N         authenticated modes: bytes of the tag (16)\n"
    "  --tag-file FILE        the tag is written to FILE, or read from it, in hexadecimal. Without this option and "
    "--tag it\n"
    "                         stands behind the ciphertext\n"
    "  --tag HEX              with -d: the tag\n"
    "  --engine NAME          a certain engine ('cadenza cpu' lists them)\n"
    "  -o, --output OUT       appears, replacing an old file, when it is complete, and where there is a tag, verified\n"
    "  --force                write binary data to a terminal all the same\n"
    "  -q, --quiet            no progress line\n"
    "  --cpu=-FEATURE,...     leave out features of the CPU\n";

/* Bytes given in hexadecimal. */
struct bytes {
    uint8_t *p;
    size_t len;
    bool given;
};

struct job {
    const char *name, *engine, *in_path, *out_path, *tag_path;
    struct bytes key, iv, aad, tag;
    bool decrypt, no_padding, force, quiet;
    uint64_t tag_length; /* 0: not given */
};

/* What a run needs beyond the job. */
struct run {
    const struct job *j;
    cdz_info info;
    cdz_cipher *c;
    struct input *in;
    struct output *out;
    bool tagged; /* an authenticated mode */
    bool pad;
    size_t tag_len;
    uint8_t tag[CDZ_TAG_MAX];

    uint8_t *spool; /* plaintext that is not verified yet; NULL where output goes out at once */
    size_t spooled;
    uint8_t end[CDZ_BLOCK_SIZE]; /* padding: the last block of plaintext so far */
    size_t end_len;
};

static int take_hex(struct bytes *b, const char *option, char *hex, bool secret) {
    const size_t digits = strlen(hex);
    if (b->given) return fail(FAIL_ARGUMENT, "%s is given twice", option);
    b->given = true;
    b->p = malloc(digits / 2 + 1);
    if (b->p == NULL) return fail(FAIL_MEMORY, "no memory");
    const bool good = hex_decode(hex, digits, b->p, digits / 2, &b->len);
    if (secret) memset(hex, '*', digits); /* from now on it does not show in the list of processes */
    if (good) return DONE;
    if (digits % 2 != 0) return fail(FAIL_ARGUMENT, "%s has an odd number of hexadecimal digits (%zu)", option, digits);
    return fail(FAIL_ARGUMENT, "%s has something in it that is no hexadecimal digit", option);
}

static void job_free(struct job *j) {
    struct bytes *const all[] = {&j->key, &j->iv, &j->aad, &j->tag};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i]->p != NULL) wipe(all[i]->p, all[i]->len);
        free(all[i]->p);
    }
}

static int parse(struct job *j, int argc, char **argv) {
    int c, e = DONE;
    memset(j, 0, sizeof *j);
    while (e == DONE && (c = next_option(argc, argv, "cipher", ":c:K:edo:qh", options, true)) != -1) switch (c) {
        case 'c':
            j->name = optarg;
            break;
        case 'K':
            e = take_hex(&j->key, "-K", optarg, true);
            break;
        case OPT_IV:
            e = take_hex(&j->iv, "--iv", optarg, false);
            break;
        case OPT_AAD:
            e = take_hex(&j->aad, "--aad", optarg, false);
            break;
        case OPT_TAG:
            e = take_hex(&j->tag, "--tag", optarg, false);
            break;
        case OPT_TAG_FILE:
            j->tag_path = optarg;
            break;
        case OPT_TAG_LENGTH:
            e = parse_number("--tag-length", optarg, 1, CDZ_TAG_MAX, &j->tag_length);
            break;
        case 'e':
            j->decrypt = false;
            break;
        case 'd':
            j->decrypt = true;
            break;
        case OPT_NO_PADDING:
            j->no_padding = true;
            break;
        case OPT_ENGINE:
            j->engine = optarg;
            break;
        case OPT_IN:
            j->in_path = optarg;
            break;
        case 'o':
            j->out_path = optarg;
            break;
        case OPT_FORCE:
            j->force = true;
            break;
        case 'q':
            j->quiet = true;
            break;
        case OPT_CPU:
            e = set_cpu_mask(optarg);
            break;
        case 'h':
            fputs(help, stdout);
            return -1;
        default:
            return FAIL_USAGE;
        }
    if (e != DONE) return e;
    if (argc - optind > (j->in_path ? 0 : 1))
        return fail_usage("cipher", "one input at a time: what is '%s'?", argv[argc - 1]);
    if (optind < argc) j->in_path = argv[optind];
    if (j->name == NULL) return fail_usage("cipher", "which cipher? Name it with -c");
    return DONE;
}

static bool ends_with(const char *s, const char *end) {
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && strcasecmp(s + n - m, end) == 0;
}

/* Whether two names, of files that need not be there, are the same: in one directory, under one name. */
static bool same_target(const char *a, const char *b) {
    char dir[2][PATH_MAX], real[2][PATH_MAX];
    const char *const path[2] = {a, b}, *base[2];
    for (int i = 0; i < 2; i++) {
        const char *const slash = strrchr(path[i], '/');
        const size_t n = slash ? (size_t)(slash - path[i]) + 1 : 0;
        base[i] = path[i] + n;
        if (n >= sizeof dir[i] - 1) return false; /* too long to be opened */
        memcpy(dir[i], n ? path[i] : ".", n ? n : 1);
        dir[i][n ? n : 1] = 0;
        if (!realpath(dir[i], real[i])) return strcmp(a, b) == 0;
    }
    return strcmp(base[0], base[1]) == 0 && strcmp(real[0], real[1]) == 0;
}

/* All that can be wrong with the arguments, before anything is opened. */
static int check(struct run *r) {
    const struct job *const j = r->j;
    if (cdz_describe(&r->info, j->name) != CDZ_OK)
        return fail(FAIL_NAME, "there is no cipher '%s'; a name is such as aria-256-ctr", j->name);
    const cdz_info *const i = &r->info;
    if (!j->key.given)
        return fail(FAIL_ARGUMENT, "%s needs a key: -K with %zu hexadecimal digits", i->name, 2 * i->key_len);
    if (j->key.len != i->key_len)
        return fail(FAIL_ARGUMENT, "%s takes a key of %zu bytes (%zu hexadecimal digits), and -K has %zu", i->name,
                    i->key_len, 2 * i->key_len, j->key.len);
    if (i->iv_max == 0 && j->iv.given) return fail(FAIL_ARGUMENT, "%s has no IV", i->name);
    if (i->iv_min > 0 && !j->iv.given)
        return fail(FAIL_ARGUMENT, "%s needs an IV: --iv with %zu hexadecimal digits", i->name, 2 * i->iv_default);
    if (j->iv.given && (j->iv.len < i->iv_min || j->iv.len > i->iv_max)) {
        if (i->iv_min == i->iv_max)
            return fail(FAIL_ARGUMENT, "%s takes an IV of %zu bytes (%zu hexadecimal digits), and --iv has %zu",
                        i->name, i->iv_min, 2 * i->iv_min, j->iv.len);
        return fail(FAIL_ARGUMENT, "%s takes no IV of %zu bytes", i->name, j->iv.len);
    }
    r->tagged = i->tag_lengths != 0;
    if (!r->tagged && (j->aad.given || j->tag.given || j->tag_path || j->tag_length))
        return fail(FAIL_ARGUMENT, "%s has no associated data and no tag", i->name);
    if (j->tag.given && !j->decrypt)
        return fail(FAIL_ARGUMENT, "--tag goes with -d; --tag-file says where to write one");
    if (j->tag_path && strcmp(j->tag_path, "-") == 0 && !(j->decrypt ? j->in_path : j->out_path))
        return fail(FAIL_ARGUMENT, "--tag-file - and the data cannot share standard %s",
                    j->decrypt ? "input" : "output");
    if (j->tag.given && j->tag_path) return fail(FAIL_ARGUMENT, "--tag and --tag-file exclude each other");
    if (j->tag_path && j->out_path && same_target(j->tag_path, j->out_path))
        return fail(FAIL_ARGUMENT, "the tag and the output cannot both be %s", j->out_path);
    if (j->tag.given && j->tag_length != 0 && j->tag_length != j->tag.len)
        return fail(FAIL_ARGUMENT, "--tag has %zu bytes, and --tag-length says another number", j->tag.len);
    if (r->tagged) {
        r->tag_len = j->tag.given ? j->tag.len : j->tag_length ? (size_t)j->tag_length : CDZ_TAG_MAX;
        if (r->tag_len > CDZ_TAG_MAX || (i->tag_lengths >> r->tag_len & 1) == 0)
            return fail(FAIL_ARGUMENT, "%s has no tag of %zu bytes", i->name, r->tag_len);
        if (j->tag.given) memcpy(r->tag, j->tag.p, r->tag_len);
    }
    const bool blocks = ends_with(i->name, "-ECB") || ends_with(i->name, "-CBC");
    if (j->no_padding && !blocks) return fail(FAIL_ARGUMENT, "%s has no padding to leave out", i->name);
    r->pad = blocks && !j->no_padding;
    if (i->mac && j->aad.given) return fail(FAIL_ARGUMENT, "%s takes its data as the input, not by --aad", i->name);
    if (!i->streaming && !i->one_shot && !i->wraps) return fail(FAIL_NAME, "%s is not for data of this kind", i->name);
    return DONE;
}

static int no_spool(void) {
    return fail(FAIL_DATA, "more than %d MiB would have to be kept until the tag is checked: name a file with -o",
                SPOOL_MAX / (1024 * 1024));
}

/* Plaintext or ciphertext on its way out. */
static int hand_out(struct run *r, const uint8_t *p, size_t n) {
    if (r->spool != NULL) {
        if (n > SPOOL_MAX - r->spooled) return no_spool();
        memcpy(r->spool + r->spooled, p, n);
        r->spooled += n;
        return DONE;
    }
    if (r->out->terminal && !r->j->force && (!r->j->decrypt || !is_text(p, n)))
        return fail(FAIL_TERMINAL, "binary data would go to the terminal; use -o, or --force");
    return output_write(r->out, p, n);
}

/* The same with the last block kept back, since it is padding. */
static int hand_out_padded(struct run *r, const uint8_t *p, size_t n) {
    int e = DONE;
    if (n == 0) return DONE;
    /* Decryption of whole blocks: n is a multiple of 16, and so is what is kept. */
    if (r->end_len != 0) e = hand_out(r, r->end, r->end_len);
    memcpy(r->end, p + n - sizeof r->end, sizeof r->end);
    r->end_len = sizeof r->end;
    if (e == DONE) e = hand_out(r, p, n - sizeof r->end);
    return e;
}

/* How many bytes of padding a last block has, 0 where it is wrong; in a time that does not depend on it. */
static size_t padding_of(const uint8_t block[CDZ_BLOCK_SIZE]) {
    const uint32_t n = block[CDZ_BLOCK_SIZE - 1];
    uint32_t bad = (n - 1) >> 4; /* not 0 but for 1 to 16 */
    for (uint32_t i = 0; i < CDZ_BLOCK_SIZE; i++) {
        const uint32_t in_padding = 0 - ((CDZ_BLOCK_SIZE - 1 - i - n) >> 31); /* all ones for the last n bytes */
        bad |= in_padding & (block[i] ^ n);
    }
    const uint32_t good = 0 - ((bad - 1) >> 31 & ~bad >> 31);
    return n & good;
}

static int read_tag_file(struct run *r) {
    struct input in;
    char text[2 * CDZ_TAG_MAX + 3];
    size_t len, n = 0;
    int e = input_open(&in, r->j->tag_path);
    if (e != DONE) return e;
    e = input_read(&in, (uint8_t *)text, sizeof text, &len);
    input_close(&in);
    if (e != DONE) return e;
    if (len > 0 && text[len - 1] == '\n') len--;
    if (!hex_decode(text, len, r->tag, sizeof r->tag, &n) || n != r->tag_len)
        return fail(FAIL_ARGUMENT, "%s does not hold a tag of %zu bytes in hexadecimal", r->j->tag_path, r->tag_len);
    return DONE;
}

static int write_tag_file(struct run *r) {
    struct output out;
    char text[2 * CDZ_TAG_MAX + 2];
    hex_encode(r->tag, r->tag_len, text);
    strcat(text, "\n");
    const struct input *const inputs[] = {r->in};
    int e = output_open(&out, r->j->tag_path, OUTPUT_REPLACE, inputs, 1);
    if (e == DONE) e = output_begin(&out);
    if (e == DONE) e = output_write(&out, (const uint8_t *)text, strlen(text));
    if (e != DONE) {
        output_abandon(&out);
        return e;
    }
    return output_commit(&out);
}

/* The whole message in memory, for modes that cannot have it in pieces. */
static int run_whole(struct run *r) {
    const struct job *const j = r->j;
    const size_t behind = r->tagged && j->decrypt && !j->tag.given && !j->tag_path ? r->tag_len : 0;
    const size_t room =
        SPOOL_MAX + CDZ_TAG_MAX + WRAP_MORE + 1; /* the tag behind it, and one byte to see that there is more */
    uint8_t *const buf = malloc(room);
    size_t len = 0;
    if (buf == NULL) return fail(FAIL_MEMORY, "no memory");
    int e = input_read(r->in, buf, SPOOL_MAX + behind + 1, &len);
    if (e == DONE && len == SPOOL_MAX + behind + 1)
        e = fail(FAIL_DATA, "%s takes a message as a whole, of %d MiB at most", r->info.name,
                 SPOOL_MAX / (1024 * 1024));
    if (e == DONE && len < behind) e = fail(FAIL_TRUNCATED, "the input is shorter than its tag");
    if (e == DONE && r->info.wraps) {
        size_t n = 0;
        const cdz_status s = j->decrypt ? cdz_unwrap(r->c, j->iv.p, j->iv.len, buf, len, buf, SPOOL_MAX, &n)
                                        : cdz_wrap(r->c, j->iv.p, j->iv.len, buf, len, buf, SPOOL_MAX + WRAP_MORE, &n);
        e = s == CDZ_OK ? hand_out(r, buf, n) : fail_status(s, r->info.name);
    } else if (e == DONE) {
        len -= behind;
        if (behind) memcpy(r->tag, buf + len, behind);
        const cdz_status s = j->decrypt ? cdz_decrypt(r->c, j->iv.p, j->iv.len, j->aad.p, j->aad.len, buf, len, buf,
                                                      r->tagged ? r->tag : NULL, r->tag_len)
                                        : cdz_encrypt(r->c, j->iv.p, j->iv.len, j->aad.p, j->aad.len, buf, len, buf,
                                                      r->tagged ? r->tag : NULL, r->tag_len);
        e = s == CDZ_OK ? hand_out(r, buf, len) : fail_status(s, r->info.name);
    }
    wipe(buf, room);
    free(buf);
    return e;
}

static int run_pieces(struct run *r, uint8_t *in, uint8_t *out) {
    const struct job *const j = r->j;
    const size_t behind = r->tagged && j->decrypt && !j->tag.given && !j->tag_path ? r->tag_len : 0;
    size_t held = 0, got, n;
    uint64_t total = 0;
    cdz_status s = CDZ_OK;
    int e = DONE;
    if (j->aad.len != 0) s = cdz_aad(r->c, j->aad.p, j->aad.len);
    do {
        if (s == CDZ_OK) e = input_read(r->in, in + held, PIECE, &got);
        if (s != CDZ_OK || e != DONE) break;
        held += got;
        const size_t use = held > behind ? held - behind : 0;
        n = 0;
        if (r->info.mac) /* nothing but data, and its tag */
            s = cdz_aad(r->c, in, use);
        else
            s = cdz_update(r->c, in, use, out, PIECE + CDZ_TAG_MAX + SPARE, &n);
        if (s != CDZ_OK) break;
        e = r->pad && j->decrypt ? hand_out_padded(r, out, n) : hand_out(r, out, n);
        memmove(in, in + use, held - use);
        held -= use;
        total += use;
        progress_add(use);
    } while (e == DONE && got == PIECE);
    if (e == DONE && s == CDZ_OK && held < behind) return fail(FAIL_TRUNCATED, "the input is shorter than its tag");
    if (e == DONE && s == CDZ_OK && r->pad && !j->decrypt) {
        const size_t p = CDZ_BLOCK_SIZE - total % CDZ_BLOCK_SIZE;
        memset(in, (int)p, p);
        s = cdz_update(r->c, in, p, out, PIECE, &n);
        if (s == CDZ_OK) e = hand_out(r, out, n);
    }
    if (e == DONE && s == CDZ_OK && r->tagged && j->decrypt) {
        if (behind) memcpy(r->tag, in, behind);
        s = cdz_expect_tag(r->c, r->tag, r->tag_len);
    }
    if (e == DONE && s == CDZ_OK) s = cdz_finish(r->c, out, PIECE, &n);
    if (e == DONE && s == CDZ_OK) e = r->pad && j->decrypt ? hand_out_padded(r, out, n) : hand_out(r, out, n);
    if (e == DONE && s == CDZ_OK && r->tagged && !j->decrypt) s = cdz_tag(r->c, r->tag, r->tag_len);
    if (e == DONE && s != CDZ_OK) e = fail_status(s, r->info.name);
    if (e == DONE && r->pad && j->decrypt) {
        const size_t p = r->end_len == 0 ? 0 : padding_of(r->end);
        if (p == 0)
            e = fail(FAIL_DATA, "%s: the padding is wrong: wrong key or IV, or the data is damaged or was not padded",
                     r->info.name);
        else
            e = hand_out(r, r->end, sizeof r->end - p);
    }
    return e;
}

static int process(struct run *r) {
    const struct job *const j = r->j;
    int e = DONE;
    if (r->tagged && j->decrypt && j->tag_path) e = read_tag_file(r);
    if (e != DONE) return e;
    cdz_status s = cdz_cipher_new_on(&r->c, j->engine, r->info.name, j->key.p, j->key.len);
    if (s == CDZ_ERR_NAME)
        return fail(FAIL_NAME, "%s has no engine '%s'; 'cadenza cpu' lists them", r->info.name, j->engine);
    if (s != CDZ_OK) return fail_status(s, r->info.name);
    e = output_begin(r->out);
    if (e != DONE) return e;
    if (r->out->terminal && !j->force && !j->decrypt)
        return fail(FAIL_TERMINAL, "binary data would go to the terminal; use -o, or --force");
    if (r->tagged && j->decrypt && r->out->base == NULL) {
        r->spool = malloc(SPOOL_MAX);
        if (r->spool == NULL) return fail(FAIL_MEMORY, "no memory");
    }
    progress_start(r->in->size, !j->quiet && !r->out->terminal);
    const cdz_direction direction = j->decrypt ? CDZ_DECRYPT : CDZ_ENCRYPT;
    s = CDZ_ERR_UNSUPPORTED;
    if (r->info.streaming)
        s = r->tagged ? cdz_begin_sized(r->c, direction, j->iv.p, j->iv.len, r->info.mac ? CDZ_UNKNOWN : j->aad.len,
                                        CDZ_UNKNOWN, r->tag_len)
                      : cdz_begin(r->c, direction, j->iv.p, j->iv.len);
    if ((s == CDZ_ERR_UNSUPPORTED || s == CDZ_ERR_LENGTH) && (r->info.one_shot || r->info.wraps)) {
        e = run_whole(r);
    } else if (s != CDZ_OK) {
        e = fail_status(s, r->info.name);
    } else {
        uint8_t *const in = malloc(PIECE + CDZ_TAG_MAX), *const out = malloc(PIECE + CDZ_TAG_MAX + SPARE);
        e = in && out ? run_pieces(r, in, out) : fail(FAIL_MEMORY, "no memory");
        if (in) wipe(in, PIECE + CDZ_TAG_MAX);
        if (out) wipe(out, PIECE + CDZ_TAG_MAX + SPARE);
        free(in);
        free(out);
    }
    if (e == DONE && r->spool != NULL) { /* verified */
        uint8_t *const p = r->spool;
        r->spool = NULL;
        e = hand_out(r, p, r->spooled);
        r->spool = p;
    }
    if (e == DONE && r->tagged && !j->decrypt) e = j->tag_path ? write_tag_file(r) : hand_out(r, r->tag, r->tag_len);
    progress_end();
    return e;
}

int cmd_cipher(int argc, char **argv) {
    struct job j;
    struct input in;
    struct output out;
    struct run r = {.j = &j, .in = &in, .out = &out};
    no_core_dumps();
    int e = parse(&j, argc, argv);
    if (e == DONE) e = check(&r);
    if (e == DONE) e = input_open(&in, j.in_path);
    if (e == DONE) {
        const struct input *const inputs[] = {&in};
        e = output_open(&out, j.out_path, OUTPUT_REPLACE, inputs, 1);
        if (e == DONE) e = process(&r);
        if (e == DONE)
            e = output_commit(&out);
        else
            output_abandon(&out);
        input_close(&in);
    }
    cdz_cipher_free(r.c);
    if (r.spool != NULL) wipe(r.spool, r.spooled);
    free(r.spool);
    wipe(r.end, sizeof r.end);
    job_free(&j);
    return e < 0 ? DONE : e;
}
