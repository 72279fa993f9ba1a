/* SPDX-License-Identifier: Apache-2.0 */
/* The engines of this build (engines.inc.h lists them) and the choice among them. */
#include "engine.h"

#define E(engine, words) extern const struct cdz_engine engine;
#define H(hash, words)   extern const struct cdz_hash hash;
#include "engines.inc.h"

const struct cdz_engine *const cdz_engines[] = {
#define E(engine, words) &engine,
#include "engines.inc.h"
    NULL};

const struct cdz_hash *const cdz_hashes[] = {
#define H(hash, words) &hash,
#include "engines.inc.h"
    NULL};

static const char *const engine_words[] = {
#define E(engine, words) words,
#include "engines.inc.h"
};

static const char *const hash_words[] = {
#define H(hash, words) words,
#include "engines.inc.h"
};

enum {
    ENGINES = sizeof engine_words / sizeof engine_words[0],
    HASHES = sizeof hash_words / sizeof hash_words[0],
};

const struct cdz_engine *cdz_engine_select(enum cdz_block_cipher cipher, cdz_cpu_set have) {
    for (size_t i = 0; i < ENGINES; i++) {
        const struct cdz_engine *e = cdz_engines[i];
        if (e->cipher == cipher && !(e->needs & ~have)) return e;
    }
    return NULL; /* not reached: the portable engines need nothing */
}

const struct cdz_hash *cdz_hash_select(cdz_cpu_set have) {
    for (size_t i = 0; i < HASHES; i++)
        if (!(cdz_hashes[i]->needs & ~have)) return cdz_hashes[i];
    return NULL; /* not reached either */
}

int cdz_engine_at(size_t i, cdz_engine_info *info) {
    cdz_cpu_set have, needs;
    if (i >= (size_t)ENGINES + HASHES || !info) return 0;
    if (i < ENGINES) {
        info->name = cdz_engines[i]->name;
        info->needs = engine_words[i];
        info->batch = cdz_engines[i]->batch;
        needs = cdz_engines[i]->needs;
    } else {
        i -= ENGINES;
        info->name = cdz_hashes[i]->name;
        info->needs = hash_words[i];
        info->batch = cdz_hashes[i]->batch;
        needs = cdz_hashes[i]->needs;
    }
    info->usable = cdz_cpu_now(&have) == CDZ_OK && !(needs & ~have);
    return 1;
}
