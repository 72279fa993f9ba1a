/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole blocks straight into the engine that is bound to a key: for the provider, whose callers update with 16 bytes as
 * often as with many, where the checks and layers of cdz_encrypt() and cdz_update() take as long as the cipher.
 *
 * The caller has made sure that in and out are the same or disjoint, and have len bytes. Each function returns false,
 * with nothing done, where the length, the engine or the state of the message needs the public call. Here only pointers
 * and public counters are in hand, so that nothing but what engines leave is to be cleared up.
 */
#ifndef CDZ_DIRECT_H
#define CDZ_DIRECT_H

#include "mode/ctr.h"
#include "util/wipe.h"

/* Behind functions other than those of GCM and OCB. */
CDZ_INLINE void cdz_direct_clear(const struct cdz_cipher *c) {
    const struct cdz_engine *const e = c->engine;
    if (e->stack) cdz_leave_nothing(e->few_stack ? e->few_stack : e->stack);
}

static inline bool cdz_direct_ecb(const struct cdz_cipher *c, bool decrypt, const uint8_t *in, uint8_t *out,
                                  size_t len) {
    if (len & 15) return false;
    (decrypt ? c->engine->decrypt : c->engine->encrypt)(cdz_ks(c), in, out, len / 16);
    cdz_direct_clear(c);
    return true;
}

/* iv is left as the next one. */
static inline bool cdz_direct_cbc(const struct cdz_cipher *c, bool decrypt, uint8_t iv[16], const uint8_t *in,
                                  uint8_t *out, size_t len) {
    void (*const f)(const void *, uint8_t *, const uint8_t *, uint8_t *, size_t) =
        decrypt ? c->engine->cbc_decrypt : c->engine->cbc_encrypt;
    if (len & 15 || !f) return false;
    f(cdz_ks(c), iv, in, out, len / 16);
    cdz_direct_clear(c);
    return true;
}

/* A data unit. */
static inline bool cdz_direct_xts(const struct cdz_cipher *c, bool decrypt, const uint8_t tweak[16], const uint8_t *in,
                                  uint8_t *out, size_t len) {
    void (*const f)(const void *, uint8_t *, const uint8_t *, uint8_t *, size_t) =
        decrypt ? c->engine->xts_decrypt : c->engine->xts_encrypt;
    uint8_t t[16];
    if (len & 15 || !len || len > c->mode->max_len || !f || (c->weak && !decrypt)) return false;
    c->engine->encrypt(cdz_ks2(c), tweak, t, 1);
    f(cdz_ks(c), t, in, out, len / 16);
    cdz_wipe(t, sizeof t);
    cdz_direct_clear(c);
    return true;
}

/* The middle of a message in pieces of unknown length, at the border of a block. */
static inline bool cdz_direct_middle(const struct cdz_cipher *c, size_t len) {
    const struct cdz_stream *const s = &c->s;
    return s->phase == CDZ_STREAM_DATA && !s->used && !(len & 15) && s->total == CDZ_UNKNOWN &&
           len <= c->mode->max_len && s->len <= c->mode->max_len - len;
}

/* CTR, CFB and OFB. */
static inline bool cdz_direct_stream(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    struct cdz_stream *const s = &c->s;
    const struct cdz_engine *const e = c->engine;
    if (!cdz_direct_middle(c, len)) return false;
    if (c->mode == &cdz_mode_ctr) {
        if (cdz_ctr_room(s->chain, len) < len) return false;
        e->ctr(cdz_ks(c), s->chain, in, out, len);
        cdz_ctr_add(s->chain, len / 16, CDZ_CTR_128);
        s->fresh = 0;
    } else {
        void (*f)(const void *, uint8_t *, const uint8_t *, uint8_t *, size_t) = NULL;
        if (c->mode == &cdz_mode_cfb)
            f = s->direction == CDZ_DECRYPT ? e->cfb_decrypt : e->cfb_encrypt;
        else if (c->mode == &cdz_mode_ofb)
            f = e->ofb;
        if (!f) return false;
        f(cdz_ks(c), s->chain, in, out, len / 16);
    }
    cdz_direct_clear(c);
    s->len += len;
    return true;
}

static inline bool cdz_direct_gcm(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    struct cdz_stream *const s = &c->s;
    const struct cdz_engine *const e = c->engine;
    if (!cdz_direct_middle(c, len) || s->secret || !e->gcm_encrypt || e->gcm_hash != c->hash ||
        cdz_ctr_room(s->chain, len) < len)
        return false;
    (s->direction == CDZ_DECRYPT ? e->gcm_decrypt : e->gcm_encrypt)(cdz_ks(c), cdz_hk(c), s->chain, s->acc, in, out,
                                                                    len);
    cdz_clear_engines(c, 64);
    cdz_ctr_add(s->chain, len / 16, CDZ_CTR_32);
    s->fresh = 0;
    s->len += len;
    return true;
}

/* By the mode itself, which hands whole blocks on to the engine where that has a function for them. */
static inline bool cdz_direct_ocb(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    const struct cdz_engine *const e = c->engine;
    if (!cdz_direct_middle(c, len) || c->s.held || !(c->s.direction == CDZ_DECRYPT ? e->ocb_decrypt : e->ocb_encrypt))
        return false;
    if (c->s.direction == CDZ_ENCRYPT && !cdz_spend_bytes(c, c->s.len, len)) return false;
    c->mode->update(c, in, out, len);
    cdz_clear_engines(c, 256);
    c->s.len += len;
    return true;
}

#endif
