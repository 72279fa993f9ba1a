/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing secret stays on the stack or in registers (B20): every function of every engine and hash, and the public
 * calls of every mode, are run twice on a painted stack of their own, with the same public inputs at the same
 * addresses, but with different keys and messages. A byte of the stack or of a register that is not the same after
 * both runs depends on a secret. So whatever form a key has in an engine (sliced, broadcast, its powers, keystream),
 * it is found without being known. Ciphertext and tags are public: bytes that are theirs in both runs do not count.
 * For the public calls, which promise that of key material alone, neither do those of the plaintext; the engines
 * promise it of the data as well.
 *
 * The program first proves itself on functions that do leave something.
 */
#include "driver.h"
#include "engine.h"
#include "residue.h"
#include "util/wipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

/* What a run works on: the same addresses both times. */
static struct {
    uint8_t key[64], in[MOST], out[MOST + 64], aad[64], iv[64], tag[16], made[16], state[2][16], l[32][16];
    uint8_t registers[128][16];
    size_t len, aad_len, iv_len, tag_len, key_len, out_len;
    uint64_t index;
    int status;
} x;
static uint8_t area[32768] __attribute__((aligned(64))), hash_area[8192] __attribute__((aligned(64)));
static uint8_t object_memory[65536] __attribute__((aligned(64))), copy_memory[65536];
static struct picture pictures[2];
enum { BATCH = 9 };
static uint8_t public_text[2][(2 * BATCH + 2) * MOST]; /* what may be left, of each run */
static size_t public_len[2];

static void public_add(int run, const uint8_t *p, size_t n) {
    memcpy(public_text[run] + public_len[run], p, n);
    public_len[run] += n;
}

/* The first byte that differs and is not public, or SIZE_MAX; *bytes counts them. */
static size_t find_residue(size_t *bytes) {
    const uint8_t *a = pictures[0].stack, *b = pictures[1].stack;
    const size_t n = sizeof pictures[0];
    static uint8_t known[sizeof(struct picture)];
    size_t first = SIZE_MAX;
    *bytes = 0;
    if (memcmp(a, b, n) == 0) return first;
    memset(known, 0, n);
    for (size_t i = 0; i + 8 <= n; i++) { /* eight bytes of ciphertext, the same ones in both runs */
        if (a[i] == b[i]) continue;
        for (size_t start = i >= 7 ? i - 7 : 0; start <= i && start + 8 <= n && !known[i]; start++)
            for (size_t o = 0; o + 8 <= public_len[0] && o + 8 <= public_len[1]; o++)
                if (memcmp(a + start, public_text[0] + o, 8) == 0 && memcmp(b + start, public_text[1] + o, 8) == 0) {
                    memset(known + start, 1, 8);
                    break;
                }
    }
    for (size_t i = 0, run; i < n; i += run) { /* and shorter runs: the end of a message, a byte of it */
        for (run = 0; i + run < n && a[i + run] != b[i + run] && !known[i + run]; run++) {}
        for (size_t o = 0; run && run < 8 && o + run <= public_len[0] && o + run <= public_len[1]; o++)
            if (memcmp(a + i, public_text[0] + o, run) == 0 && memcmp(b + i, public_text[1] + o, run) == 0) {
                memset(known + i, 1, run);
                break;
            }
        if (!run) run = 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (a[i] == b[i] || known[i]) continue;
        if (first == SIZE_MAX) first = i;
        (*bytes)++;
    }
    return first;
}

static uint64_t base; /* of the secrets: both runs start from it */

static void fill(int run) {
    /* Public: the same both times. Secret: not. */
    memset(&x.status, 0, sizeof x.status);
    rnd_start("public");
    rnd_fill(x.iv, sizeof x.iv);
    rnd_fill(x.aad, sizeof x.aad);
    rnd_fill(x.state, sizeof x.state);
    x.state[0][14] &= 0x3f; /* room for the counter, in both orders of its bytes */
    x.state[0][1] &= 0x3f;
    x.index = 3;
    for (int k = 0; k < 2 + run; k++) (void)rnd64();
    char text[40];
    snprintf(text, sizeof text, "secret %d %llu", run, (unsigned long long)base);
    rnd_start(text);
    rnd_fill(x.key, sizeof x.key);
    rnd_fill(x.in, sizeof x.in);
    memset(x.out, 0, sizeof x.out);
    rnd_start(text);
}

/* `prepare` (or NULL) runs outside of the picture; what is public afterwards is told by `publish`. */
static void twice(const char *name, void (*prepare)(void), void (*f)(void *), void (*publish)(int run)) {
    (void)name;
    base++;
    for (int run = 0; run < 2; run++) {
        public_len[run] = 0;
        fill(run);
        if (prepare) prepare();
        residue_run(f, NULL, &pictures[run]);
        if (publish) publish(run);
    }
}

static void check(void) {
    size_t bytes;
    const size_t at = find_residue(&bytes);
    if (at != SIZE_MAX) test_fail("%zu bytes depend on a secret, the first: %s", bytes, residue_place(at));
}

/* ---- proof ---- */

static bool usable(cdz_cpu_set needs) {
    cdz_cpu_set have;
    CHECK_STATUS(cdz_cpu_now(&have), CDZ_OK);
    return !(needs & ~have);
}

static void leave_on_stack(void *arg) {
    uint8_t copy[64];
    (void)arg;
    for (size_t i = 0; i < 16; i++) copy[i] = x.key[i] ^ 0x5a;
    __asm__ volatile("" ::"r"(copy) : "memory"); /* else the array may be taken apart */
}

/* The same, cleared up behind it as the library does. */
static void leave_nothing(void *arg) {
    void (*volatile f)(void *) = leave_on_stack;
    f(arg);
    cdz_leave_nothing(1024);
}

#if defined(__x86_64__)
static void leave_in_register(void *arg) {
    (void)arg;
    __asm__ volatile("movdqu %0, %%xmm7" ::"m"(*(const uint8_t(*)[16])x.key));
}
#elif defined(__riscv)
static void leave_in_register(void *arg) {
    (void)arg;
    __asm__ volatile(
        ".option push\n.option arch, +v\nvsetivli zero, 16, e8, m1, ta, ma\nvle8.v v7, (%0)\n.option pop" ::"r"(x.key)
        : "memory");
}
#endif

static void publish_key(int run) {
    uint8_t y[16];
    for (size_t i = 0; i < 16; i++) y[i] = x.key[i] ^ 0x5a;
    public_add(run, y, 16);
}

static void test_proof(void *arg) {
    size_t bytes;
    (void)arg;
    twice("stack", NULL, leave_on_stack, NULL);
    CHECK(find_residue(&bytes) < RESIDUE_STACK && bytes >= 12);
    twice("stack, but public", NULL, leave_on_stack, publish_key);
    check();
    twice("nothing", NULL, leave_nothing, NULL);
    check();
#if defined(__x86_64__) || defined(__riscv)
#if defined(__riscv)
    if (!usable(CDZ_CPU_RVV)) return;
#endif
    twice("register", NULL, leave_in_register, NULL);
    const size_t at = find_residue(&bytes);
    CHECK(at >= RESIDUE_STACK + 7 * 64 && at < RESIDUE_STACK + 8 * 64);
#endif
}

/* ---- engines ---- */

static const struct cdz_engine *engine;
static const struct cdz_hash *hash;

static void set_key(void *arg) {
    (void)arg;
    engine->set_key(area, x.key, x.key_len);
}
static void do_encrypt(void *arg) { (void)arg, engine->encrypt(area, x.in, x.out, x.len / 16); }
static void do_decrypt(void *arg) { (void)arg, engine->decrypt(area, x.in, x.out, x.len / 16); }
static void do_ctr(void *arg) { (void)arg, engine->ctr(area, x.state[0], x.in, x.out, x.len); }
static void do_ctr32le(void *arg) { (void)arg, engine->ctr32le(area, x.state[0], x.in, x.out, x.len); }
static void do_cbc_encrypt(void *arg) { (void)arg, engine->cbc_encrypt(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_cbc_decrypt(void *arg) { (void)arg, engine->cbc_decrypt(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_cfb_encrypt(void *arg) { (void)arg, engine->cfb_encrypt(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_cfb_decrypt(void *arg) { (void)arg, engine->cfb_decrypt(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_ofb(void *arg) { (void)arg, engine->ofb(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_cbc_mac(void *arg) { (void)arg, engine->cbc_mac(area, x.state[0], x.in, x.len / 16); }
static void do_ctr_mac_input(void *arg) {
    (void)arg, engine->ctr_mac(area, x.state[0], x.state[1], x.in, x.out, x.len / 16, true);
}
static void do_ctr_mac_output(void *arg) {
    (void)arg, engine->ctr_mac(area, x.state[0], x.state[1], x.in, x.out, x.len / 16, false);
}
static void do_xts_encrypt(void *arg) { (void)arg, engine->xts_encrypt(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_xts_decrypt(void *arg) { (void)arg, engine->xts_decrypt(area, x.state[0], x.in, x.out, x.len / 16); }
static void do_ocb_encrypt(void *arg) {
    (void)arg;
    engine->ocb_encrypt(area, (const uint8_t(*)[16])x.l, x.index, x.state[0], x.state[1], x.in, x.out, x.len / 16);
}
static void do_ocb_decrypt(void *arg) {
    (void)arg;
    engine->ocb_decrypt(area, (const uint8_t(*)[16])x.l, x.index, x.state[0], x.state[1], x.in, x.out, x.len / 16);
}
static void do_ocb_aad(void *arg) {
    (void)arg;
    engine->ocb_aad(area, (const uint8_t(*)[16])x.l, x.index, x.state[0], x.state[1], x.in, x.len / 16);
}
static void do_gcm_encrypt(void *arg) {
    (void)arg;
    engine->gcm_encrypt(area, hash_area, x.state[0], x.state[1], x.in, x.out, x.len);
}
static void do_gcm_decrypt(void *arg) {
    (void)arg;
    engine->gcm_decrypt(area, hash_area, x.state[0], x.state[1], x.in, x.out, x.len);
}

/* What the engine leaves to its caller: cleared as the caller does, whose frame is not the one of do_encrypt() and its
 * kin: a few bytes more lie between. */
static void (*operation)(void *);
static size_t left;
static void run_and_clear(void *arg) {
    operation(arg);
    if (left) cdz_leave_nothing(left);
}
static void twice_clearing(const char *name, size_t stack, void (*prepare)(void), void (*f)(void *),
                           void (*publish)(int run)) {
    operation = f;
    left = stack;
    twice(name, prepare, run_and_clear, publish);
}

static void do_gcm_encrypt_whole(void *arg) {
    (void)arg;
    engine->gcm_encrypt_whole(area, hash_area, x.state[0], x.state[1], x.l[0], x.in, x.out, x.len, x.tag);
}
static void do_gcm_decrypt_whole(void *arg) {
    (void)arg;
    engine->gcm_decrypt_whole(area, hash_area, x.state[0], x.state[1], x.l[0], x.in, x.out, x.len, x.tag);
}

/* Chains side by side: x.len is that of all of them. The registers are as secret as what is in them. */
static size_t lanes;
static void do_chains(enum cdz_chain_kind kind) {
    const uint8_t *in[128];
    uint8_t *out[128];
    const size_t len = x.len / lanes;
    for (size_t i = 0; i < lanes; i++) in[i] = x.in + len * i, out[i] = x.out + len * i;
    engine->chains(area, kind, x.registers, in, kind == CDZ_CHAIN_MAC ? NULL : out, lanes, len / 16);
}
static void do_chains_cbc(void *arg) { (void)arg, do_chains(CDZ_CHAIN_CBC); }
static void do_chains_cfb(void *arg) { (void)arg, do_chains(CDZ_CHAIN_CFB); }
static void do_chains_ofb(void *arg) { (void)arg, do_chains(CDZ_CHAIN_OFB); }
static void do_chains_mac(void *arg) { (void)arg, do_chains(CDZ_CHAIN_MAC); }
static bool has_chains(const struct cdz_engine *e) { return e->chains != NULL; }

#define HAS(f)                                                                                                         \
    static bool has_##f(const struct cdz_engine *e) { return e->f != NULL; }
/* clang-format off: it finds no end to a list of macros without semicolons */
HAS(encrypt)
HAS(decrypt)
HAS(ctr)
HAS(ctr32le)
HAS(cbc_encrypt)
HAS(cbc_decrypt)
HAS(cfb_encrypt)
HAS(cfb_decrypt)
HAS(ofb)
HAS(cbc_mac)
HAS(ctr_mac)
HAS(xts_encrypt)
HAS(xts_decrypt)
HAS(ocb_encrypt)
HAS(ocb_decrypt)
HAS(ocb_aad)
HAS(gcm_encrypt)
HAS(gcm_decrypt)
HAS(gcm_encrypt_whole)
HAS(gcm_decrypt_whole)
/* clang-format on */

static const struct op {
    const char *name;
    bool (*has)(const struct cdz_engine *);
    void (*run)(void *);
    bool bytes;
    bool in_public; /* its input is ciphertext */
} ops[] = {
#define OP(f, bytes, in_public) OP_OF(f, f, bytes, in_public)
#define OP_OF(f, field, bytes, in_public)                                                                              \
    { #f, has_##field, do_##f, bytes, in_public }
    OP(encrypt, false, false),
    OP(decrypt, false, true),
    OP(ctr, true, false),
    OP(ctr32le, true, false),
    OP(cbc_encrypt, false, false),
    OP(cbc_decrypt, false, true),
    OP(cfb_encrypt, false, false),
    OP(cfb_decrypt, false, true),
    OP(ofb, false, false),
    OP(cbc_mac, false, false),
    OP(xts_encrypt, false, false),
    OP(xts_decrypt, false, true),
    OP(ocb_encrypt, false, false),
    OP(ocb_decrypt, false, true),
    OP(ocb_aad, false, false),
    OP(gcm_encrypt, true, false),
    OP(gcm_decrypt, true, true),
    OP(gcm_encrypt_whole, true, false),
    OP(gcm_decrypt_whole, true, true),
    OP_OF(ctr_mac_input, ctr_mac, false, false),
    OP_OF(ctr_mac_output, ctr_mac, false, false),
    {"chains, CBC", has_chains, do_chains_cbc, false, false},
    {"chains, CFB", has_chains, do_chains_cfb, false, false},
    {"chains, OFB", has_chains, do_chains_ofb, false, false},
    {"chains, MAC", has_chains, do_chains_mac, false, false},
};
static const struct op *op;

static void prepare_engine(void) {
    engine->set_key(area, x.key, x.key_len);
    rnd_fill(x.l, sizeof x.l);
    /* The tweak, offset, checksum and hash are secret. */
    if (op && !op->bytes) rnd_fill(x.state, sizeof x.state);
    rnd_fill(x.state[1], 16);
    rnd_fill(x.registers, sizeof x.registers);
    if (engine->gcm_hash) {
        uint8_t h[16];
        rnd_fill(h, 16);
        engine->gcm_hash->ghash_key(hash_area, h);
    }
}

static void publish_engine(int run) {
    public_add(run, op->in_public ? x.in : x.out, x.len);
    if (strstr(op->name, "whole")) public_add(run, x.tag, 16);
    if (op->run == do_cbc_encrypt || op->run == do_cfb_encrypt) public_add(run, x.state[0], 16);
}

struct job {
    const struct cdz_engine *e;
    const struct cdz_hash *h;
    struct algorithm a;
    struct combo c;
};

static void test_engine(void *arg) {
    const struct job *j = arg;
    if (!usable(j->e->needs)) test_skip("%s: the CPU or the mask does not allow it", j->e->name);
    engine = j->e;
    if (engine->key_size > sizeof area) test_fail("the key area is larger than expected");
    for (x.key_len = 16; x.key_len <= 32; x.key_len += 8) {
        NOW(.what = "set_key", .engine = j->e->name, .len = x.key_len);
        engine_count(j->e->name);
        op = NULL;
        twice_clearing("set_key", j->e->key_stack, NULL, set_key, NULL);
        check();
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            op = &ops[o];
            if (!op->has(j->e) || (strncmp(op->name, "gcm", 3) == 0 && !usable(j->e->gcm_hash->needs))) continue;
            static const size_t blocks[] = {1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 63, 64, 65, 97, 128, 130};
            for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
                x.len = 16 * blocks[k] + (op->bytes && k % 2 ? 5 : 0);
                if (strstr(op->name, "whole") && x.len > j->e->gcm_whole_max) break;
                if (op->has == has_chains) { /* the fewest, all, and between; one to three steps */
                    const size_t least = j->e->chains_least, room = j->e->batch - least;
                    lanes = k % 3 == 0 ? least + room : least + blocks[k] % (room + 1);
                    x.len = 16 * lanes * (1 + k % 4 % 3);
                }
                NOW(.what = op->name, .engine = j->e->name, .len = x.len, .a = x.key_len);
                const bool deep = strncmp(op->name, "gcm", 3) == 0 || strncmp(op->name, "ocb", 3) == 0;
                const size_t stack = deep || !j->e->few_stack ? j->e->stack : j->e->few_stack;
                twice_clearing(op->name, stack, prepare_engine, op->run, publish_engine);
                check();
                if (test_quick && k > 3) break;
            }
        }
    }
}

/* ---- hashes ---- */

static void do_ghash_key(void *arg) { (void)arg, hash->ghash_key(hash_area, x.key); }
static void do_polyval_key(void *arg) { (void)arg, hash->polyval_key(hash_area, x.key, hash->batch); }
static void do_ghash(void *arg) { (void)arg, hash->ghash(hash_area, x.state[0], x.in, x.len / 16); }
static void do_polyval(void *arg) { (void)arg, hash->polyval(hash_area, x.state[0], x.in, x.len / 16); }
static void prepare_ghash(void) { hash->ghash_key(hash_area, x.key); }
static void prepare_polyval(void) { hash->polyval_key(hash_area, x.key, hash->batch); }
static void publish_in(int run) { public_add(run, x.in, x.len); } /* GHASH is over ciphertext */

static void test_hash(void *arg) {
    const struct job *j = arg;
    if (!usable(j->h->needs)) test_skip("%s: the CPU or the mask does not allow it", j->h->name);
    hash = j->h;
    engine_count(j->h->name);
    NOW(.what = "ghash_key", .engine = j->h->name);
    twice_clearing("ghash_key", j->h->stack, NULL, do_ghash_key, NULL);
    check();
    NOW(.what = "polyval_key", .engine = j->h->name);
    twice_clearing("polyval_key", j->h->stack, NULL, do_polyval_key, NULL);
    check();
    for (size_t blocks = 1; blocks <= 130; blocks += blocks < 40 ? 1 : 13) {
        x.len = 16 * blocks;
        NOW(.what = "ghash", .engine = j->h->name, .len = x.len);
        twice_clearing("ghash", j->h->stack, prepare_ghash, do_ghash, publish_in);
        check();
        NOW(.what = "polyval", .engine = j->h->name, .len = x.len);
        twice_clearing("polyval", j->h->stack, prepare_polyval, do_polyval, NULL);
        check();
    }
}

/* ---- the public calls ---- */

static const struct algorithm *algorithm;
static const struct combo *combo;
static cdz_cipher *object;

static void api_new(void *arg) {
    (void)arg;
    x.status = cdz_cipher_init(&object, object_memory, sizeof object_memory, algorithm->name, x.key, x.key_len);
}
static void api_encrypt(void *arg) {
    (void)arg;
    uint8_t *const tag = x.tag_len ? x.tag : NULL;
    if (algorithm->info.wraps)
        x.status = cdz_wrap(object, NULL, 0, x.in, x.len, x.out, sizeof x.out, &x.out_len);
    else if (algorithm->info.mac)
        x.status = cdz_mac(object, x.iv, x.iv_len, x.in, x.len, tag, x.tag_len);
    else
        x.status = cdz_encrypt(object, x.iv, x.iv_len, x.aad, x.aad_len, x.in, x.len, x.out, tag, x.tag_len);
}
static void api_decrypt(void *arg) {
    (void)arg;
    const uint8_t *const tag = x.tag_len ? x.tag : NULL;
    if (algorithm->info.wraps)
        x.status = cdz_unwrap(object, NULL, 0, x.in, x.len, x.out, sizeof x.out, &x.out_len);
    else if (algorithm->info.mac)
        x.status = cdz_mac_verify(object, x.iv, x.iv_len, x.in, x.len, tag, x.tag_len);
    else
        x.status = cdz_decrypt(object, x.iv, x.iv_len, x.aad, x.aad_len, x.in, x.len, x.out, tag, x.tag_len);
}

static size_t written;
static cdz_direction direction;

static void api_begin(void *arg) {
    (void)arg;
    const bool mac = algorithm->info.mac;
    x.status = cdz_begin_sized(object, direction, x.iv, x.iv_len, mac ? x.len : x.aad_len,
                               mac                                    ? 0
                               : algorithm->model->kind == REF_PADDED ? CDZ_UNKNOWN
                                                                      : x.len,
                               x.tag_len);
}
static void api_aad(void *arg) {
    (void)arg;
    x.status = algorithm->info.mac ? cdz_aad(object, x.in, x.len)
               : x.aad_len         ? cdz_aad(object, x.aad, x.aad_len)
                                   : CDZ_OK;
}
static void api_update(void *arg) {
    size_t n;
    (void)arg;
    written = 0;
    if (algorithm->info.mac) return;
    const size_t first = x.len >= 32 && x.len % 16 == 0 ? 16 : 7; /* whole blocks stay whole */
    x.status = cdz_update(object, x.in, first, x.out, sizeof x.out, &n);
    if (x.status != CDZ_OK) return;
    written = n;
    x.status = cdz_update(object, x.in + first, x.len - first, x.out + written, sizeof x.out - written, &n);
    written += n;
}
static void api_expect(void *arg) {
    (void)arg;
    x.status = direction == CDZ_DECRYPT && x.tag_len ? cdz_expect_tag(object, x.tag, x.tag_len) : CDZ_OK;
}
static void api_finish(void *arg) {
    size_t n;
    (void)arg;
    x.status = cdz_finish(object, x.out + written, 64, &n);
}
static void api_tag(void *arg) {
    (void)arg;
    x.status = direction == CDZ_ENCRYPT && x.tag_len ? cdz_tag(object, x.tag, x.tag_len) : CDZ_OK;
}
/* Instead of the two calls before: the tag that the message should have, which the caller compares. */
static void api_unchecked(void *arg) {
    (void)arg;
    x.status = cdz_finish_unchecked(object, x.made);
}
static void api_copy(void *arg) {
    cdz_cipher *c;
    (void)arg;
    x.status = cdz_cipher_copy(&c, copy_memory, sizeof copy_memory, object);
    if (x.status == CDZ_OK) cdz_cipher_wipe(c);
}
static void api_wipe(void *arg) {
    (void)arg;
    cdz_cipher_wipe(object);
}

/* The calls of a stream, in order; `step` of them are made before the one that is looked at. */
static void (*const stream_calls[])(void *) = {api_begin,  api_aad, api_update, api_expect,
                                               api_finish, api_tag, api_copy,   api_wipe};
enum { STREAM_CALLS = sizeof stream_calls / sizeof *stream_calls };
static size_t step;
enum { BEFORE_UNCHECKED = 3 }; /* begin, aad, update */

/* Many messages in one call, shorter and shorter ones; what is decrypted has one that was forged. */
static struct {
    cdz_batch_message m[BATCH];
    uint8_t sealed[BATCH][MOST], opened[BATCH][MOST], tag[BATCH][16];
} many;
static size_t batch_count;

static void api_encrypt_batch(void *arg) {
    (void)arg;
    x.status = cdz_encrypt_batch(object, many.m, batch_count);
}
static void api_decrypt_batch(void *arg) {
    (void)arg;
    x.status = cdz_decrypt_batch(object, many.m, batch_count);
}

static void api_set_key(void *arg) {
    (void)arg;
    x.status = cdz_cipher_set_key(object, x.key, x.key_len);
}

static void prepare_object(void) {
    cdz_cipher *c;
    /* On the engines that are asked for, at the same place both times. */
    CHECK_STATUS(cdz_cipher_new_on(&c, combo->name, algorithm->name, x.key, x.key_len), CDZ_OK);
    CHECK_STATUS(cdz_cipher_copy(&object, object_memory, sizeof object_memory, c), CDZ_OK);
    cdz_cipher_free(c);
    engine_count(combo->name);
}

/* For decryption: x.in becomes ciphertext, x.tag its tag. */
static void prepare_ciphertext(void) {
    static uint8_t sealed[MOST + 64];
    struct ref r;
    ref_init(&r, algorithm->model->name, algorithm->cipher, x.key, x.key_len);
    const struct ref_message m = {x.iv,  x.iv_len, algorithm->model->aad ? x.aad : NULL, x.aad_len, x.in,
                                  x.len, x.tag_len};
    const size_t n = ref_seal(&r, &m, sealed, x.tag);
    if (!algorithm->info.mac) {
        memcpy(x.in, sealed, n);
        x.len = n;
    }
}

static size_t plain_len;

static void prepare_encrypt(void) {
    x.len = plain_len;
    prepare_object();
}
static void prepare_decrypt(void) {
    x.len = plain_len;
    prepare_object();
    prepare_ciphertext();
}
static void prepare_stream(void) {
    x.len = plain_len;
    prepare_object();
    if (direction == CDZ_DECRYPT) prepare_ciphertext();
    written = 0;
    for (size_t i = 0; i < step; i++) {
        x.status = CDZ_OK;
        stream_calls[i](NULL);
        CHECK_STATUS((cdz_status)x.status, CDZ_OK);
    }
}

static void prepare_batch(void) {
    x.len = plain_len;
    prepare_object();
    for (size_t i = 0; i < batch_count; i++)
        many.m[i] =
            (cdz_batch_message){.iv = x.iv_len ? x.iv + i : NULL,
                                .iv_len = x.iv_len,
                                .aad = algorithm->info.mac ? x.in
                                       : x.aad_len         ? x.aad + i
                                                           : NULL,
                                .aad_len = algorithm->info.mac ? plain_len : x.aad_len,
                                .in = x.in,
                                .out = many.sealed[i],
                                .len = algorithm->info.mac ? 0 : algorithm_length(algorithm, plain_len / (i / 3 + 1)),
                                .tag = x.tag_len ? many.tag[i] : NULL,
                                .tag_len = x.tag_len};
}
static void prepare_sealed_batch(void) {
    prepare_batch();
    CHECK_STATUS(cdz_encrypt_batch(object, many.m, batch_count), CDZ_OK);
    for (size_t i = 0; i < batch_count; i++) {
        many.m[i].in = many.sealed[i];
        many.m[i].out = many.opened[i];
    }
    if (x.tag_len) many.tag[1][0] ^= 1;
}
static void publish_batch(int run) {
    public_add(run, x.in, plain_len);
    for (size_t i = 0; i < batch_count; i++) {
        public_add(run, many.sealed[i], many.m[i].len);
        public_add(run, many.tag[i], x.tag_len);
    }
}

static void publish_out(int run) {
    public_add(run, x.in, plain_len);
    if (!algorithm->info.mac) public_add(run, x.out, sizeof x.out < plain_len + 40 ? sizeof x.out : plain_len + 40);
    public_add(run, x.tag, 16);
}
static void publish_ciphertext(int run) {
    public_add(run, x.in, x.len);
    if (!algorithm->info.mac) public_add(run, x.out, plain_len);
    public_add(run, x.tag, 16);
}
static void publish_stream(int run) {
    if (direction == CDZ_ENCRYPT)
        publish_out(run);
    else
        publish_ciphertext(run);
}

/* SIV and GCM-SIV count from their tag on, and where its low bits overflow in one of the two runs the calls are others.
 * The tag is public; so a second pair of messages has to show the same. */
static void api_call(const char *name, void (*prepare)(void), void (*f)(void *), void (*publish)(int run),
                     cdz_status want) {
    size_t bytes;
    twice(name, prepare, f, publish);
    CHECK_STATUS((cdz_status)x.status, want);
    if (strstr(algorithm->name, "SIV") && find_residue(&bytes) != SIZE_MAX) {
        twice(name, prepare, f, publish);
        CHECK_STATUS((cdz_status)x.status, want);
    }
    check();
}

static void test_api(void *arg) {
    const struct job *j = arg;
    static const size_t lengths[] = {0, 1, 16, 31, 33, 64, 100, 128, 224, 240, 241, 256, 512, 600, 1008, 1200, 2100};
    algorithm = &j->a;
    combo = &j->c;
    x.key_len = algorithm->info.key_len;
    x.iv_len = algorithm->info.iv_default;
    x.aad_len = algorithm->model->aad ? 37 : 0;
    x.tag_len = algorithm->info.tag_lengths ? 16 : 0;
    NOW(.what = "set key", .name = algorithm->name, .engine = combo->name);
    twice("set key", NULL, api_new, NULL);
    check();
    twice("set another key", prepare_object, api_set_key, NULL);
    CHECK_STATUS((cdz_status)x.status, CDZ_OK);
    check();
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        plain_len = algorithm_length(algorithm, lengths[k]);
        if ((algorithm->model->calls > 2 && plain_len > 100) || (test_quick && plain_len > 100)) break;
        if (algorithm->info.one_shot || algorithm->info.wraps) {
            NOW(.what = "encryption", .name = algorithm->name, .engine = combo->name, .len = plain_len);
            api_call("encryption", prepare_encrypt, api_encrypt, publish_out, CDZ_OK);
            NOW(.what = "decryption", .name = algorithm->name, .engine = combo->name, .len = plain_len);
            api_call("decryption", prepare_decrypt, api_decrypt, publish_ciphertext, CDZ_OK);
        }
        if (algorithm->info.one_shot) /* two: of the modes' ways of mixing, the one that is left at once */
            for (batch_count = 2; batch_count <= BATCH; batch_count += BATCH - 2) {
                NOW(.what = "encryption of many", .name = algorithm->name, .engine = combo->name, .len = plain_len,
                    .a = batch_count);
                api_call("encryption of many", prepare_batch, api_encrypt_batch, publish_batch, CDZ_OK);
                NOW(.what = "decryption of many", .name = algorithm->name, .engine = combo->name, .len = plain_len,
                    .a = batch_count);
                api_call("decryption of many", prepare_sealed_batch, api_decrypt_batch, publish_batch,
                         x.tag_len ? CDZ_ERR_AUTH : CDZ_OK);
            }
        if (!algorithm->info.streaming || plain_len < 8) continue;
        for (direction = CDZ_ENCRYPT; direction <= CDZ_DECRYPT; direction++)
            for (step = 0; step < STREAM_CALLS; step++) {
                NOW(.what = direction == CDZ_ENCRYPT ? "encryption in pieces" : "decryption in pieces",
                    .name = algorithm->name, .engine = combo->name, .len = plain_len, .a = step);
                twice("stream", prepare_stream, stream_calls[step], publish_stream);
                CHECK_STATUS((cdz_status)x.status, CDZ_OK);
                check();
            }
        if (!x.tag_len) continue;
        direction = CDZ_DECRYPT, step = BEFORE_UNCHECKED;
        NOW(.what = "the tag of a stream", .name = algorithm->name, .engine = combo->name, .len = plain_len);
        twice("the tag of a stream", prepare_stream, api_unchecked, publish_stream);
        if (x.status == CDZ_ERR_UNSUPPORTED) continue; /* modes that hold data back */
        CHECK_STATUS((cdz_status)x.status, CDZ_OK);
        test_same("the tag of a stream", x.made, x.tag, 16);
        check();
    }
}

/* ---- the list ---- */

static struct job jobs[1024];
static size_t job_count;

static void add(const struct algorithm *a) {
    struct combo e[COMBO_MAX];
    if (a->bits != (a->cipher == REF_ARIA ? 256 : 128)) return;
    const size_t n = algorithm_combos(a, e);
    for (size_t i = 0; i < n; i++) {
        if (job_count == sizeof jobs / sizeof *jobs) abort();
        struct job *j = &jobs[job_count++];
        j->a = *a;
        j->c = e[i];
        test_add(test_api, j, "%s on %s", a->name, e[i].name);
    }
}

int main(void) {
    test_begin();
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
    printf("SKIP residue: what is promised is promised of optimised builds without a sanitizer\n");
    return 77;
#endif
    test_add(test_proof, NULL, "proof");
    for (size_t i = 0; cdz_engines[i]; i++) {
        jobs[job_count].e = cdz_engines[i];
        test_add(test_engine, &jobs[job_count++], "%s", cdz_engines[i]->name);
    }
    for (size_t i = 0; cdz_hashes[i]; i++) {
        jobs[job_count].h = cdz_hashes[i];
        test_add(test_hash, &jobs[job_count++], "%s", cdz_hashes[i]->name);
    }
    each_algorithm(add);
    return test_end("residue");
}
