/* SPDX-License-Identifier: Apache-2.0 */
/* The batch calls, the pool and the lanes: see batch.h. */
#include "batch.h"

#include "../util/wipe.h"
#include "bulk.h"
#include "ctr.h"

/* The frames of the modes' batch functions, whose arrays they wipe themselves but for what compilers spill, and of what
 * is called from there: OCB's has 25 KiB, two pools and a group; EAX's and that of the lanes below it have 32 together.
 */
enum { BATCH_STACK = 36 * 1024 };

/* ---- the public calls, the feed ----------------------------------------------------------------- */

static void feed_open(struct cdz_feed *f, const struct cdz_cipher *c, cdz_batch_message *messages, size_t n,
                      bool decrypt) {
    const struct cdz_mode *const m = c->mode;
    f->c = c;
    f->messages = messages;
    f->n = f->bad = n;
    f->at = 0;
    f->decrypt = decrypt;
    f->usual = m->encrypt && (decrypt || !c->weak) && (m->tag_lengths || !(m->check || m->key_blocks));
    f->blocks_left = decrypt || !m->key_blocks ? UINT64_MAX : m->key_blocks - c->used;
    f->iv_min = m->iv_min;
    f->iv_room = m->iv_max - m->iv_min;
    f->unit_mask = m->unit - 1;
    f->min_len = m->min_len;
    f->len_room = m->max_len > SIZE_MAX ? SIZE_MAX - m->min_len : (size_t)m->max_len - m->min_len;
    f->max_aad = m->max_aad > SIZE_MAX ? SIZE_MAX : (size_t)m->max_aad;
    f->tag_lengths = m->tag_lengths;
}

/* Whether these bytes lie apart; false also for some that have none. Without a branch: which of them lie first, no CPU
 * foretells. */
CDZ_INLINE bool apart(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len) {
    return ((uintptr_t)b - (uintptr_t)a >= a_len) & ((uintptr_t)a - (uintptr_t)b >= b_len);
}

/* Whether this is a message as nearly all are, with which cdz_check_message() finds nothing wrong: a third of its time,
 * which is a quarter of a short record's. */
CDZ_INLINE bool is_usual(const struct cdz_feed *f, const cdz_batch_message *b) {
    if (b->iv_len - f->iv_min > f->iv_room || b->len & f->unit_mask || b->len - f->min_len > f->len_room) return false;
    if ((b->len && (!b->in || !b->out)) || (b->iv_len && !b->iv)) return false;
    if (!apart(b->iv, b->iv_len, b->out, b->len)) return false;
    if (b->in != b->out && !apart(b->in, b->len, b->out, b->len)) return false;
    if (!f->tag_lengths) return !(b->aad_len | b->tag_len);
    if (f->c->mode->check && f->c->mode->check(b->iv_len, b->len) != CDZ_OK) return false;
    if (b->len / 16 + b->aad_len / 16 + 2 > f->blocks_left) return false;
    return b->tag_len <= CDZ_TAG_MAX && f->tag_lengths >> b->tag_len & 1 && b->tag &&
           apart(b->tag, b->tag_len, b->out, b->len) &&
           (!b->aad_len || (b->aad && b->aad_len <= f->max_aad && apart(b->aad, b->aad_len, b->out, b->len)));
}

/* Field by field: compilers clear the whole of it by a string instruction otherwise, which costs as much as a block. */
CDZ_INLINE void message_of(struct cdz_message *m, const struct cdz_feed *f, const cdz_batch_message *b) {
    m->iv = b->iv, m->iv_len = b->iv_len;
    m->aad = b->aad, m->aad_len = b->aad_len;
    m->in = b->in, m->out = b->out, m->len = b->len;
    m->tag_len = b->tag_len, m->tag = f->decrypt ? b->tag : NULL;
    m->strings = NULL, m->n_strings = 0, m->list = false;
}

static void set_status(struct cdz_feed *f, size_t id, cdz_status s) {
    f->messages[id].status = s;
    if (s != CDZ_OK && id < f->bad) f->bad = id;
}

/* The others, which may be right too. (A function of its own, or its frame would be made for all.) */
static __attribute__((noinline)) bool is_right(struct cdz_feed *f, size_t id) {
    struct cdz_message m;
    message_of(&m, f, &f->messages[id]);
    set_status(f, id, cdz_check_message(f->c, &m, f->messages[id].tag, f->decrypt));
    return f->messages[id].status == CDZ_OK;
}

/* The next message whose arguments are right; NULL after the last. */
CDZ_INLINE const cdz_batch_message *take(struct cdz_feed *f) {
    while (f->at < f->n) {
        cdz_batch_message *b = &f->messages[f->at++];
        if (f->usual && is_usual(f, b)) {
            b->status = CDZ_OK;
            return b;
        }
        if (is_right(f, f->at - 1)) return b;
    }
    return NULL;
}

bool cdz_feed_next(struct cdz_feed *f, struct cdz_message *m, size_t *id) {
    const cdz_batch_message *b = take(f);
    if (!b) return false;
    message_of(m, f, b);
    *id = f->at - 1;
    return true;
}

void cdz_feed_done(struct cdz_feed *f, size_t id, const uint8_t *made) {
    const cdz_batch_message *b = &f->messages[id];
    if (!made) return;
    if (!f->decrypt)
        memcpy(b->tag, made, b->tag_len);
    else
        set_status(f, id, cdz_check_tag(made, b->tag, b->tag_len, b->out, b->len));
}

void cdz_feed_direct(struct cdz_feed *f, const struct cdz_message *m, size_t id) {
    uint8_t made[CDZ_TAG_MAX];
    (f->decrypt ? f->c->mode->decrypt : f->c->mode->encrypt)(f->c, m, made);
    cdz_feed_done(f, id, m->tag_len ? made : NULL);
    cdz_wipe(made, sizeof made);
}

static cdz_status run(const cdz_cipher *c, cdz_batch_message *messages, size_t n, bool decrypt) {
    struct cdz_feed f;
    struct cdz_message m;
    size_t id;
    if (!n) return CDZ_OK;
    if (!c || !messages) return CDZ_ERR_NULL;
    feed_open(&f, c, messages, n, decrypt);
    if (c->mode->batch && n > 1) {
        c->mode->batch(&f);
        cdz_clear_behind(c, BATCH_STACK);
    } else {
        while (cdz_feed_next(&f, &m, &id)) cdz_feed_direct(&f, &m, id);
        cdz_clear_behind(c, cdz_mode_stack(c) + 256); /* cdz_feed_direct()'s frame */
    }
    return f.bad < n ? messages[f.bad].status : CDZ_OK;
}

cdz_status cdz_encrypt_batch(const cdz_cipher *c, cdz_batch_message *messages, size_t n) {
    return run(c, messages, n, false);
}

cdz_status cdz_decrypt_batch(const cdz_cipher *c, cdz_batch_message *messages, size_t n) {
    return run(c, messages, n, true);
}

/* ---- the pool --------------------------------------------------------------------------------- */

void cdz_pool_run(struct cdz_pool *p) {
    (p->decrypt ? p->engine->decrypt : p->engine->encrypt)(p->ks, p->x[0], p->x[0], p->n);
    for (size_t i = 0; i < p->n; i++) {
        if (p->len[i] == 16)
            cdz_xor16(p->out[i], p->x[i], p->y[i]);
        else
            cdz_xor(p->out[i], p->x[i], p->y[i], p->len[i]);
    }
    p->n = 0;
}

void cdz_pool_close(struct cdz_pool *p) {
    cdz_pool_run(p);
    cdz_wipe(p->x, sizeof p->x);
    cdz_wipe(p->y, sizeof p->y);
}

void cdz_pool_ctr(struct cdz_pool *p, const struct cdz_cipher *c, uint8_t ctr[16], const struct cdz_message *m,
                  bool secret) {
    if (cdz_pool_long(c, m->len / 16 + (m->len % 16 > 0))) {
        cdz_ctr_run_key(p->engine, p->ks, ctr, m->in, m->out, m->len, secret ? CDZ_CTR_SECRET : CDZ_CTR_128);
        return;
    }
    if (!cdz_pool_fits(p, m->len / 16 + 1)) cdz_pool_run(p);
    for (size_t at = 0; at < m->len; at += 16) {
        const size_t n = m->len - at < 16 ? m->len - at : 16, k = cdz_pool_add(p, m->out + at, n);
        memcpy(p->x[k], ctr, 16);
        memcpy(p->y[k], m->in + at, n);
        cdz_ctr_add(ctr, 1, CDZ_CTR_128);
    }
}

/* ---- the lanes -------------------------------------------------------------------------------- */

enum {
    LANES = CDZ_BULK,
    FEWEST = 8,
    STEPS_LEAST = 3 /* for the engine's chains(), which has nothing to put between the rounds of a single step */
};

/* As many as the engine runs at once; some even where it has one block's width, to cover the latency. */
static size_t lanes_of(const struct cdz_cipher *c) {
    const size_t n = c->engine->batch;
    return n < FEWEST ? FEWEST : n > LANES ? LANES : n;
}

/* Chains side by side: of lane i, what is left, and the register. */
struct chains {
    size_t n;
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    size_t len[LANES];
    uint8_t x[LANES][16];
};

/* `steps` whole blocks of every chain. `kind` is a constant, so that the loops over the lanes are short. */
static inline void chains_run(struct chains *l, const struct cdz_cipher *c, size_t steps, enum cdz_chain_kind kind) {
    if (steps >= STEPS_LEAST && c->engine->chains && l->n >= c->engine->chains_least) {
        c->engine->chains(cdz_ks(c), kind, l->x, l->in, l->out, l->n, steps);
        return;
    }
    for (size_t at = 0; at < 16 * steps; at += 16) {
        if (kind == CDZ_CHAIN_CBC)
            for (size_t i = 0; i < l->n; i++) cdz_xor16(l->x[i], l->x[i], l->in[i] + at);
        c->engine->encrypt(cdz_ks(c), l->x[0], l->x[0], l->n);
        for (size_t i = 0; i < l->n; i++) {
            if (kind == CDZ_CHAIN_CFB) cdz_xor16(l->x[i], l->x[i], l->in[i] + at);
            if (kind == CDZ_CHAIN_OFB)
                cdz_xor16(l->out[i] + at, l->x[i], l->in[i] + at);
            else
                memcpy(l->out[i] + at, l->x[i], 16);
        }
    }
}

/* A block of every chain, or what is left of it: CFB and OFB end in less. */
static void chains_mixed(struct chains *l, const struct cdz_cipher *c, enum cdz_chain_kind kind) {
    c->engine->encrypt(cdz_ks(c), l->x[0], l->x[0], l->n);
    for (size_t i = 0; i < l->n; i++) {
        const size_t k = l->len[i] < 16 ? l->len[i] : 16;
        if (k == 16 && kind == CDZ_CHAIN_CFB) {
            cdz_xor16(l->x[i], l->x[i], l->in[i]);
            memcpy(l->out[i], l->x[i], 16);
        } else {
            cdz_xor(l->out[i], l->in[i], l->x[i], k);
        }
    }
}

void cdz_lanes_chain(struct cdz_feed *f, enum cdz_chain_kind kind) {
    const struct cdz_cipher *c = f->c;
    const size_t most = lanes_of(c);
    struct chains l;
    size_t n = 0;
    size_t shortest, longest; /* of what is left */
    for (;;) {
        shortest = SIZE_MAX, longest = 0;
        for (size_t i = 0; i < n; i++) {
            if (l.len[i] < shortest) shortest = l.len[i];
            if (l.len[i] > longest) longest = l.len[i];
        }
        while (n < most) {
            const cdz_batch_message *const m = take(f);
            if (!m) break;
            if (!m->len) continue;
            l.in[n] = m->in, l.out[n] = m->out, l.len[n] = m->len;
            if (m->len < shortest) shortest = m->len;
            if (m->len > longest) longest = m->len;
            memcpy(l.x[n++], m->iv, 16);
        }
        if (!n) break;
        l.n = n;
        const size_t steps = shortest / 16, done = steps ? 16 * steps : 16;
        if (!steps)
            chains_mixed(&l, c, kind);
        else if (kind == CDZ_CHAIN_CBC)
            chains_run(&l, c, steps, CDZ_CHAIN_CBC);
        else if (kind == CDZ_CHAIN_CFB)
            chains_run(&l, c, steps, CDZ_CHAIN_CFB);
        else
            chains_run(&l, c, steps, CDZ_CHAIN_OFB);
        if (longest <= done) { /* records of one size: all end together */
            n = 0;
            continue;
        }
        for (size_t i = 0; i < n;) {
            if (l.len[i] > done) {
                l.in[i] += done, l.out[i] += done, l.len[i] -= done;
                i++;
            } else if (i != --n) { /* the last lane moves into the gap, and has not had its turn yet */
                l.in[i] = l.in[n], l.out[i] = l.out[n], l.len[i] = l.len[n];
                memcpy(l.x[i], l.x[n], 16);
            }
        }
    }
    cdz_wipe(l.x, most * 16);
}

/* x ^= the next block of a job. */
static void absorb(struct cdz_mac_job *j, uint8_t x[16]) {
    for (size_t p = 0; p < 3; p++) {
        if (!j->len[p]) continue;
        const size_t k = j->len[p] < 16 ? j->len[p] : 16;
        if (k == 16)
            cdz_xor16(x, x, j->piece[p]);
        else
            cdz_xor(x, x, j->piece[p], k);
        j->piece[p] += k, j->len[p] -= k;
        return;
    }
}

static bool is_empty(const struct cdz_mac_job *j) { return !j->len[0] && !j->len[1] && !j->len[2]; }

/* As many whole blocks as the next piece of each job has, by the engine's chains(); false where they are too few. */
static bool macs_run(const struct cdz_cipher *c, const void *ks, struct cdz_mac_job *job, const uint8_t *order,
                     uint8_t (*x)[16], size_t n) {
    const uint8_t *in[LANES];
    uint8_t piece[LANES];
    size_t steps = SIZE_MAX;
    if (!c->engine->chains || n < c->engine->chains_least) return false;
    for (size_t i = 0; i < n; i++) {
        const struct cdz_mac_job *const j = &job[order[i]];
        const uint8_t p = j->len[0] ? 0 : j->len[1] ? 1 : 2;
        in[i] = j->piece[p], piece[i] = p;
        if (j->len[p] / 16 < steps) steps = j->len[p] / 16;
        if (steps < STEPS_LEAST) return false;
    }
    c->engine->chains(ks, CDZ_CHAIN_MAC, x, in, NULL, n, steps);
    for (size_t i = 0; i < n; i++) {
        struct cdz_mac_job *j = &job[order[i]];
        j->piece[piece[i]] += 16 * steps, j->len[piece[i]] -= 16 * steps;
    }
    return true;
}

void cdz_lanes_mac(const struct cdz_cipher *c, const void *ks, bool (*next)(void *context, struct cdz_mac_job *job),
                   void (*done)(void *context, const struct cdz_mac_job *job, const uint8_t mac[16]), void *context) {
    const size_t most = lanes_of(c);
    struct cdz_mac_job job[LANES];
    uint8_t order[LANES]; /* jobs stay where they are, since their pieces may point into their own head[] */
    uint8_t x[LANES][16];
    size_t n = 0, pause = 0, wait = 1; /* steps until macs_run() is tried again: mostly in vain with mixed lengths */
    bool more = true;
    for (size_t i = 0; i < most; i++) order[i] = (uint8_t)i;
    for (;;) {
        if (!n) pause = 0;
        while (more && n < most) {
            if (!(more = next(context, &job[order[n]]))) break;
            memset(x[n++], 0, 16);
        }
        if (!n) break;
        bool run = false;
        if (pause) {
            pause--;
        } else if (macs_run(c, ks, job, order, x, n)) {
            wait = 1;
            run = true;
        } else {
            pause = wait;
            if (wait < 16) wait *= 2;
        }
        if (!run) {
            for (size_t i = 0; i < n; i++) absorb(&job[order[i]], x[i]);
            c->engine->encrypt(ks, x[0], x[0], n);
        }
        for (size_t i = 0; i < n;) {
            struct cdz_mac_job *j = &job[order[i]];
            if (!is_empty(j)) {
                i++;
                continue;
            }
            done(context, j, x[i]);
            n--;
            const uint8_t free_slot = order[i];
            order[i] = order[n];
            order[n] = free_slot;
            memcpy(x[i], x[n], 16);
        }
    }
    cdz_wipe(x, most * 16);
    for (size_t i = 0; i < most; i++) cdz_wipe(job[i].head, sizeof job[i].head);
}
