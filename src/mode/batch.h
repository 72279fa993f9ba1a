/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many messages under one key. A mode's batch() takes checked messages out of a feed, in any number, and puts each back
 * when it is done; in between it mixes their blocks as the engine likes best.
 *
 * Two tools make that mixture. The pool collects blocks that do not depend on each other (counter blocks, ECB, CBC
 * decryption, XTS ...) and runs them together. The lanes run chains (CBC and CFB encryption, OFB, CBC-MAC), as many
 * messages side by side as the engine has lanes, by its chains() where it has that; a message that ends gives its lane
 * to the next.
 */
#ifndef CDZ_MODE_BATCH_H
#define CDZ_MODE_BATCH_H

#include "mode.h"

/* ---- the feed ---------------------------------------------------------------------------------- */

/*
 * Every message is checked when it is taken: by cdz_check_message(), or at first sight where the numbers below show
 * that cdz_check_message() would find nothing.
 */
struct cdz_feed {
    const struct cdz_cipher *c;
    cdz_batch_message *messages;
    size_t n, at;
    size_t bad; /* the first whose status is not CDZ_OK; n: none */
    bool decrypt;
    /* Whether the mode's numbers, of which these are copies, say all that there is to check. */
    bool usual;
    uint32_t tag_lengths;
    uint64_t blocks_left; /* of the key's, for each message; UINT64_MAX: it does not matter */
    size_t iv_min, iv_room, unit_mask, min_len, len_room, max_aad;
};

/* The next message whose arguments are right, and its number; false after the last. */
bool cdz_feed_next(struct cdz_feed *f, struct cdz_message *m, size_t *id);

/* Message id is done. `made` is its tag, 16 bytes; NULL in modes without: it is written, or compared and the output
 * zeroed. */
void cdz_feed_done(struct cdz_feed *f, size_t id, const uint8_t *made);

/* Does a message by the mode's one-shot function, and puts it back. */
void cdz_feed_direct(struct cdz_feed *f, const struct cdz_message *m, size_t id);

/* ---- independent blocks -------------------------------------------------------------------------- */

enum { CDZ_POOL_MOST = 128, CDZ_POOL_LONG = 64 };

struct cdz_pool {
    const struct cdz_engine *engine;
    const void *ks;
    bool decrypt;
    size_t n;
    uint8_t x[CDZ_POOL_MOST][16]; /* through the cipher ... */
    uint8_t y[CDZ_POOL_MOST][16]; /* ... then XORed with this ... */
    uint8_t *out[CDZ_POOL_MOST];  /* ... and so many bytes of it go here */
    uint8_t len[CDZ_POOL_MOST];
};

static inline void cdz_pool_open(struct cdz_pool *p, const struct cdz_cipher *c, const void *ks, bool decrypt) {
    p->engine = c->engine;
    p->ks = ks;
    p->decrypt = decrypt;
    p->n = 0;
}

/* Whether a message of so many blocks is better off alone: a call of the engine costs what a full batch does, the pool
 * some nanoseconds a block. They meet at a quarter of a batch where blocks are dear (ARIA), and at two blocks where the
 * engine takes less for some than gathering them does. */
static inline bool cdz_pool_long(const struct cdz_cipher *c, size_t blocks) {
    return blocks >= CDZ_POOL_LONG || blocks > (c->engine->prompt ? 1u : c->engine->batch / 4u);
}

/* Whether so many more blocks fit. */
static inline bool cdz_pool_fits(const struct cdz_pool *p, size_t blocks) { return blocks <= CDZ_POOL_MOST - p->n; }

/* The place of the next block: the caller fills in x[], y[]. */
static inline size_t cdz_pool_add(struct cdz_pool *p, uint8_t *out, size_t len) {
    p->out[p->n] = out;
    p->len[p->n] = (uint8_t)len;
    return p->n++;
}

/* Runs all that is in the pool and empties it. */
void cdz_pool_run(struct cdz_pool *p);

/* Runs and wipes. */
void cdz_pool_close(struct cdz_pool *p);

/* ---- chains ----------------------------------------------------------------------------------- */

/* All messages of the feed: CBC or CFB encryption, or OFB. */
void cdz_lanes_chain(struct cdz_feed *f, enum cdz_chain_kind kind);

/* The input of one CBC-MAC: up to three pieces, each padded with zeros to whole blocks. There is at least one block. */
struct cdz_mac_job {
    size_t id;
    const uint8_t *piece[3];
    size_t len[3];
    uint8_t head[48]; /* room for a first piece that is made up */
};

/* Runs CBC-MACs side by side: next() fills in a job or returns false after the last; done() receives each result. */
void cdz_lanes_mac(const struct cdz_cipher *c, const void *ks, bool (*next)(void *context, struct cdz_mac_job *job),
                   void (*done)(void *context, const struct cdz_mac_job *job, const uint8_t mac[16]), void *context);

/* ---- groups ------------------------------------------------------------------------------------ */

/* Messages taken together by modes that go over each of them more than once. */
enum { CDZ_GROUP = 64 };

struct cdz_group {
    struct cdz_feed *f;
    size_t n;
    struct cdz_message m[CDZ_GROUP];
    size_t id[CDZ_GROUP];
};

/* Takes up to CDZ_GROUP messages out of the feed; false where there were none. */
static inline bool cdz_group_fill(struct cdz_group *g, struct cdz_feed *f) {
    g->f = f;
    g->n = 0;
    while (g->n < CDZ_GROUP && cdz_feed_next(f, &g->m[g->n], &g->id[g->n])) g->n++;
    return g->n > 0;
}

/* Counter mode over a message, from ctr (which may be secret: ctr.h) on: into the pool or, where it is long, at once.
 * The caller runs the pool. */
void cdz_pool_ctr(struct cdz_pool *p, const struct cdz_cipher *c, uint8_t ctr[16], const struct cdz_message *m,
                  bool secret);

/* One block of keystream, to be had from `out` when the pool has run. */
static inline void cdz_pool_block(struct cdz_pool *p, const uint8_t in[16], uint8_t *out) {
    if (!cdz_pool_fits(p, 1)) cdz_pool_run(p);
    const size_t k = cdz_pool_add(p, out, 16);
    memcpy(p->x[k], in, 16);
    memset(p->y[k], 0, 16);
}

#endif
