/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every function of the engine contract (src/engine.h) with keys and data that are secrets, of each engine and hash, at
 * lengths around the edges of all batches. The modes (test_ct.c) reach these functions too, but not each length of
 * each.
 *
 * Each call is made three times: key and data secret, which finds what depends on either; the key alone and the data
 * alone, where the output must still be a secret: whatever the watcher does not follow through the kernel shows there.
 */
#include "entries.h"

#include "engine.h"
#include "poison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 1, DATA = 2, BLOCKS = 130, BYTES = 16 * BLOCKS, LS = 32 };

static const size_t edges[] = {1, 2, 3, 5, 16, 17, 33, 64, 65, BLOCKS};
enum { EDGES = sizeof edges / sizeof edges[0] };

static _Alignas(64) uint8_t ks[CDZ_KEY_SIZE_MAX], hk[CDZ_HASH_KEY_SIZE_MAX];
static uint8_t in[BYTES], out[BYTES], l[LS][16];
static unsigned long calls;

/* What is called now. */
static struct {
    const char *name, *function;
    size_t len;
    int secrets;
} now;

static void fill(uint8_t *p, size_t n, unsigned seed, bool secret) {
    ct_public(p, n);
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)(seed * 29 + i * 151 + (i >> 8));
    if (secret) ct_secret(p, n);
}

static void ends_secret(const uint8_t *p, size_t n, const char *what) {
    calls++;
    if (ct_all_secret(p, n)) return;
    fprintf(stderr, "%s: %s, %zu bytes, secret are%s%s: %s does not depend on a secret\n", now.name, now.function,
            now.len, now.secrets & KEY ? " the key" : "", now.secrets & DATA ? " the data" : "", what);
    exit(1);
}

static void start(const char *function, size_t len) {
    now.function = function;
    now.len = len;
    fill(in, len, 2, now.secrets & DATA);
    fill(out, len, 5, false);
}

/* A public counter, and a block of chaining, which is a secret with the data. */
static const uint8_t counter[16] = {0xa0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 0xfe};
static const uint8_t counter_le[16] = {0xfe, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static uint8_t state[16], more[16];
static void start_states(void) {
    fill(state, 16, 7, now.secrets & DATA);
    fill(more, 16, 8, now.secrets & DATA);
}
/* What is left of a state is a secret for certain where all that went in is. */
static void ends_states(bool second) {
    if (now.secrets != (KEY | DATA)) return;
    ends_secret(state, 16, "the state");
    if (second) ends_secret(more, 16, "the second state");
}

typedef void plain_fn(const void *, const uint8_t *, uint8_t *, size_t);
typedef void chain_fn(const void *, uint8_t[16], const uint8_t *, uint8_t *, size_t);
typedef void ctr_fn(const void *, const uint8_t[16], const uint8_t *, uint8_t *, size_t);
typedef void ocb_fn(const void *, const uint8_t (*)[16], uint64_t, uint8_t[16], uint8_t[16], const uint8_t *, uint8_t *,
                    size_t);
typedef void gcm_fn(const void *, const void *, const uint8_t[16], uint8_t[16], const uint8_t *, uint8_t *, size_t);
typedef void gcm_whole_fn(const void *, const void *, const uint8_t[16], const uint8_t[16], const uint8_t[16],
                          const uint8_t *, uint8_t *, size_t, uint8_t[16]);

static void plain(const char *function, plain_fn *f, size_t blocks) {
    start(function, 16 * blocks);
    f(ks, in, out, blocks);
    ends_secret(out, 16 * blocks, "the output");
}

static void chain(const char *function, chain_fn *f, size_t blocks) {
    if (!f) return;
    start(function, 16 * blocks);
    start_states();
    f(ks, state, in, out, blocks);
    ends_secret(out, 16 * blocks, "the output");
    ends_states(false);
}

/* The tweak comes from a key. */
static void xts(const char *function, chain_fn *f, size_t blocks) {
    if (!f) return;
    start(function, 16 * blocks);
    fill(state, 16, 7, now.secrets & KEY);
    f(ks, state, in, out, blocks);
    ends_secret(out, 16 * blocks, "the output");
    if (now.secrets & KEY) ends_secret(state, 16, "the tweak");
}

static void ocb(const char *function, ocb_fn *f, size_t blocks) {
    if (!f) return;
    start(function, 16 * blocks);
    start_states();
    f(ks, l, 3, state, more, in, out, blocks);
    ends_secret(out, 16 * blocks, "the output");
    ends_states(true);
}

static void ctr(const char *function, ctr_fn *f, const uint8_t *from, size_t len) {
    start(function, len);
    f(ks, from, in, out, len);
    ends_secret(out, len, "the output");
}

/* The counter comes from a key (EAX). */
static void ctr_mac(const char *function, const struct cdz_engine *e, size_t blocks, bool of_input) {
    if (!e->ctr_mac) return;
    start(function, 16 * blocks);
    start_states();
    fill(state, 16, 7, now.secrets & KEY);
    e->ctr_mac(ks, state, more, in, out, blocks, of_input);
    ends_secret(out, 16 * blocks, "the output");
    ends_secret(more, 16, "the MAC");
    if (now.secrets & KEY) ends_secret(state, 16, "the counter");
}

static void gcm(const char *function, gcm_fn *f, size_t len) {
    if (!f) return;
    start(function, len);
    start_states();
    f(ks, hk, counter, state, in, out, len);
    ends_secret(out, len, "the output");
    ends_secret(state, 16, "the hash");
}

static void gcm_whole(const char *function, gcm_whole_fn *f, size_t len) {
    uint8_t tag[16];
    start(function, len);
    start_states();
    f(ks, hk, counter, state, more, in, out, len, tag);
    ends_secret(out, len, "the output");
    ends_secret(tag, 16, "the tag");
}

static void chains(const struct cdz_engine *e, const char *function, enum cdz_chain_kind kind, size_t n, size_t steps) {
    static uint8_t x[BLOCKS][16];
    const uint8_t *from[BLOCKS];
    uint8_t *to[BLOCKS];
    for (size_t i = 0; i < n; i++) from[i] = in + 16 * steps * i, to[i] = out + 16 * steps * i;
    start(function, 16 * steps * n);
    fill(x[0], 16 * n, 7, now.secrets & DATA);
    e->chains(ks, kind, x, from, kind == CDZ_CHAIN_MAC ? NULL : to, n, steps);
    if (kind != CDZ_CHAIN_MAC) ends_secret(out, 16 * steps * n, "the output");
    if (now.secrets == (KEY | DATA)) ends_secret(x[0], 16 * n, "the registers");
}

/* The fewest and all of them, as many steps as there is room for, three at most. */
static void chains_functions(const struct cdz_engine *e) {
    const size_t counts[] = {e->chains_least, e->batch};
    if (!e->chains) return;
    for (size_t i = 0; i < 2; i++)
        for (size_t steps = 1; steps <= 3 && steps * counts[i] <= BLOCKS; steps++) {
            chains(e, "chains, CBC", CDZ_CHAIN_CBC, counts[i], steps);
            chains(e, "chains, CFB", CDZ_CHAIN_CFB, counts[i], steps);
            chains(e, "chains, OFB", CDZ_CHAIN_OFB, counts[i], steps);
            chains(e, "chains, MAC", CDZ_CHAIN_MAC, counts[i], steps);
        }
}

static void block_functions(const struct cdz_engine *e, size_t blocks) {
    plain("encrypt", e->encrypt, blocks);
    plain("decrypt", e->decrypt, blocks);
    chain("cbc_encrypt", e->cbc_encrypt, blocks);
    chain("cbc_decrypt", e->cbc_decrypt, blocks);
    chain("cfb_encrypt", e->cfb_encrypt, blocks);
    chain("cfb_decrypt", e->cfb_decrypt, blocks);
    chain("ofb", e->ofb, blocks);
    xts("xts_encrypt", e->xts_encrypt, blocks);
    xts("xts_decrypt", e->xts_decrypt, blocks);
    ocb("ocb_encrypt", e->ocb_encrypt, blocks);
    ocb("ocb_decrypt", e->ocb_decrypt, blocks);
    if (e->cbc_mac) {
        start("cbc_mac", 16 * blocks);
        start_states();
        e->cbc_mac(ks, state, in, blocks);
        ends_secret(state, 16, "the MAC");
    }
    ctr_mac("ctr_mac of the input", e, blocks, true);
    ctr_mac("ctr_mac of the output", e, blocks, false);
    if (e->ocb_aad) {
        start("ocb_aad", 16 * blocks);
        start_states();
        e->ocb_aad(ks, l, 3, state, more, in, blocks);
        ends_secret(more, 16, "the sum");
        ends_states(true);
    }
}

static void byte_functions(const struct cdz_engine *e, size_t len) {
    ctr("ctr", e->ctr, counter, len);
    ctr("ctr32le", e->ctr32le, counter_le, len);
    gcm("gcm_encrypt", e->gcm_encrypt, len);
    gcm("gcm_decrypt", e->gcm_decrypt, len);
    if (len <= e->gcm_whole_max) {
        gcm_whole("gcm_encrypt_whole", e->gcm_encrypt_whole, len);
        gcm_whole("gcm_decrypt_whole", e->gcm_decrypt_whole, len);
    }
}

static void engine(const struct cdz_engine *e, cdz_cpu_set have) {
    static const size_t tails[] = {0, 1, 8, 15}; /* bytes that the last block lacks */
    /* Fused functions run where their hash does. */
    const struct cdz_hash *const hash = e->gcm_hash && !(e->gcm_hash->needs & ~have) ? e->gcm_hash : NULL;
    struct cdz_engine runs = *e;
    if (!hash) runs.gcm_encrypt = runs.gcm_decrypt = NULL, runs.gcm_whole_max = 0;
    for (size_t key_len = 16; key_len <= 32; key_len += 8) {
        for (now.secrets = KEY; now.secrets <= (KEY | DATA); now.secrets++) {
            uint8_t key[32], h[16];
            fill(key, sizeof key, 1, now.secrets & KEY);
            fill(h, sizeof h, 3, now.secrets & KEY);
            fill(l[0], sizeof l, 4, now.secrets & KEY);
            e->set_key(ks, key, key_len);
            if (hash) hash->ghash_key(hk, h);
            for (size_t i = 0; i < EDGES; i++) {
                block_functions(&runs, edges[i]);
                for (size_t j = 0; j < 4; j++) byte_functions(&runs, 16 * edges[i] - tails[j]);
            }
            chains_functions(e);
        }
    }
}

static void hash_one(const char *function, void (*f)(const void *, uint8_t[16], const uint8_t *, size_t)) {
    for (size_t i = 0; i < EDGES; i++) {
        start(function, 16 * edges[i]);
        start_states();
        f(hk, state, in, edges[i]);
        ends_secret(state, 16, "the hash");
    }
}

static void hash(const struct cdz_hash *h) {
    for (now.secrets = KEY; now.secrets <= (KEY | DATA); now.secrets++) {
        uint8_t key[16];
        fill(key, sizeof key, 3, now.secrets & KEY);
        h->ghash_key(hk, key);
        hash_one("ghash", h->ghash);
        h->polyval_key(hk, key, edges[EDGES - 1]);
        hash_one("polyval", h->polyval);
    }
}

unsigned long ct_entries(const char *part) {
    const cdz_cpu_set all = cdz_cpu_detect();
    cdz_cpu_set have;
    if (cdz_cpu_now(&have) != CDZ_OK) exit(1);
    for (size_t i = 0; cdz_engines[i]; i++) {
        const struct cdz_engine *const e = cdz_engines[i];
        const unsigned long before = calls;
        if (!strstr(e->name, part)) continue;
        now.name = e->name;
        if (e->needs & ~have) {
            printf("SKIP %s: %s\n", e->name,
                   e->needs & ~all ? "the CPU here lacks what it needs" : "left out by CADENZA_CPU");
            continue;
        }
        engine(e, have);
        printf("%s: %lu outputs\n", e->name, calls - before);
    }
    for (size_t i = 0; cdz_hashes[i]; i++) {
        const struct cdz_hash *const h = cdz_hashes[i];
        const unsigned long before = calls;
        if (!strstr(h->name, part)) continue;
        now.name = h->name;
        if (h->needs & ~have) {
            printf("SKIP %s: %s\n", h->name,
                   h->needs & ~all ? "the CPU here lacks what it needs" : "left out by CADENZA_CPU");
            continue;
        }
        hash(h);
        printf("%s: %lu outputs\n", h->name, calls - before);
    }
    return calls;
}
