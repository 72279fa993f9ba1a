/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM: NIST SP 800-38D. Nonces of one byte and more; tags of 4, 8 and 12 to 16 bytes; the counter wraps within its last
 * 32 bits (inc32).
 *
 *     tag = E(J0) ^ GHASH(AAD padded | ciphertext padded | bit lengths)
 *
 * E(J0) and the first blocks of keystream have consecutive counters, so a short message takes them from one batch.
 *
 * Streaming state: chain = next counter, acc = Y, part = the unfinished block of whatever is being hashed, extra[0] =
 * E(J0).
 */
#include "batch.h"
#include "ctr.h"

enum {
    SHORT = 1008,  /* J0 and such a message fill 64 blocks: one batch of the widest engine */
    SHORTER = 240, /* so little that its buffer is not worth clearing up behind on its own */
    CHUNK = 8192   /* counter, then hash, over what surely stays in the first-level cache */
};

static void hash_padded(const struct cdz_cipher *c, uint8_t y[16], const uint8_t *in, size_t len) {
    const size_t blocks = len / 16;
    if (blocks) c->hash->ghash(cdz_hk(c), y, in, blocks);
    if (len % 16) {
        uint8_t block[16] = {0};
        memcpy(block, in + 16 * blocks, len % 16);
        c->hash->ghash(cdz_hk(c), y, block, 1);
        cdz_wipe(block, sizeof block);
    }
}

static void put_lengths(uint8_t block[16], uint64_t aad_len, uint64_t len) {
    cdz_store_be128(block, aad_len * 8, len * 8);
}

/* J0 of a nonce of 12 bytes is public; any other is hashed with the key, and nothing may depend on it. */
static enum cdz_ctr_width width_of(size_t iv_len) { return iv_len == 12 ? CDZ_CTR_32 : CDZ_CTR_SECRET_32; }

static void first_counter(const struct cdz_cipher *c, uint8_t j0[16], const uint8_t *iv, size_t iv_len) {
    if (iv_len == 12) {
        cdz_store_be128(j0, cdz_load_be64(iv), (uint64_t)cdz_load_be32(iv + 8) << 32 | 1);
        return;
    }
    uint8_t block[16];
    memset(j0, 0, 16);
    hash_padded(c, j0, iv, iv_len);
    put_lengths(block, 0, iv_len);
    c->hash->ghash(cdz_hk(c), j0, block, 1);
}

/* Whether the engine runs counter and hash together. */
static bool is_fused(const struct cdz_cipher *c) { return c->engine->gcm_encrypt && c->engine->gcm_hash == c->hash; }

/* Counter and hash over data of which only the message's last call may have a length that is no multiple of 16. */
static void crypt(const struct cdz_cipher *c, uint8_t ctr[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
                  size_t len, enum cdz_ctr_width width, bool decrypt) {
    const struct cdz_engine *e = c->engine;
    const bool fused = is_fused(c);
    while (len && width == CDZ_CTR_SECRET_32) { /* the engines' counters may branch */
        const size_t n = len < CHUNK ? len : CHUNK;
        if (decrypt) hash_padded(c, y, in, n);
        cdz_ctr_run(c, ctr, in, out, n, width);
        if (!decrypt) hash_padded(c, y, out, n);
        in += n, out += n, len -= n;
    }
    while (len) {
        size_t n = cdz_ctr_room(ctr, len);
        if (fused) {
            (decrypt ? e->gcm_decrypt : e->gcm_encrypt)(cdz_ks(c), cdz_hk(c), ctr, y, in, out, n);
        } else {
            if (n > CHUNK) n = CHUNK;
            if (decrypt) hash_padded(c, y, in, n);
            e->ctr(cdz_ks(c), ctr, in, out, n);
            if (!decrypt) hash_padded(c, y, out, n);
        }
        cdz_ctr_add(ctr, (n + 15) / 16, CDZ_CTR_32);
        in += n, out += n, len -= n;
    }
}

/* A message gathered in buf, of 32 bytes more than it has blocks: | E(J0) | data, padded | lengths |, one run of
 * counters over the front, one of the hash over the rest. */
CDZ_INLINE void gather(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *buf, uint8_t ctr[16],
                       uint8_t y[16], enum cdz_ctr_width width, uint8_t tag[16], bool decrypt) {
    const size_t padded = (m->len + 15) & ~(size_t)15;
    uint8_t *const data = buf + 16;
    memset(buf, 0, 16);
    if (padded) memset(data + padded - 16, 0, 16);
    if (m->len) memcpy(data, m->in, m->len);
    put_lengths(data + padded, m->aad_len, m->len);
    if (decrypt) c->hash->ghash(cdz_hk(c), y, data, padded / 16 + 1);
    cdz_ctr_run(c, ctr, buf, buf, 16 + m->len, width);
    if (!decrypt) c->hash->ghash(cdz_hk(c), y, data, padded / 16 + 1);
    if (m->len) memcpy(m->out, data, m->len);
    cdz_xor16(tag, y, buf);
    cdz_wipe(buf, 16 + padded);
}

#define GATHERED(name, most)                                                                                           \
    static CDZ_KERNEL void name(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t ctr[16],              \
                                uint8_t y[16], enum cdz_ctr_width width, uint8_t tag[16], bool decrypt) {              \
        uint8_t buf[16 + most + 16];                                                                                   \
        gather(c, m, buf, ctr, y, width, tag, decrypt);                                                                \
    }
GATHERED(gathered, SHORT)
GATHERED(gathered_shorter, SHORTER)
#undef GATHERED

static void whole(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16], bool decrypt) {
    uint8_t ctr[16], y[16] = {0};
    const enum cdz_ctr_width width = width_of(m->iv_len);
    first_counter(c, ctr, m->iv, m->iv_len);
    if (m->aad_len) hash_padded(c, y, m->aad, m->aad_len);
    if (width == CDZ_CTR_32 && c->engine->gcm_whole_max && m->len <= c->engine->gcm_whole_max &&
        c->engine->gcm_hash == c->hash) {
        uint8_t lengths[16];
        put_lengths(lengths, m->aad_len, m->len);
        (decrypt ? c->engine->gcm_decrypt_whole : c->engine->gcm_encrypt_whole)(cdz_ks(c), cdz_hk(c), ctr, y, lengths,
                                                                                m->in, m->out, m->len, tag);
    } else if (m->len <= SHORTER && !c->engine->prompt) {
        gathered_shorter(c, m, ctr, y, width, tag, decrypt);
    } else if (m->len <= SHORT && !c->engine->prompt) {
        gathered(c, m, ctr, y, width, tag, decrypt);
        cdz_clear_behind(c, 1088 + CDZ_MODE_STACK / 2); /* the buffer, and what is called with it */
    } else {
        uint8_t e_j0[16], block[16];
        c->engine->encrypt(cdz_ks(c), ctr, e_j0, 1);
        cdz_ctr_add(ctr, 1, CDZ_CTR_32);
        crypt(c, ctr, y, m->in, m->out, m->len, width, decrypt);
        put_lengths(block, m->aad_len, m->len);
        c->hash->ghash(cdz_hk(c), y, block, 1);
        cdz_xor16(tag, y, e_j0);
        cdz_wipe(e_j0, sizeof e_j0);
    }
    cdz_wipe(y, sizeof y);
    if (width == CDZ_CTR_SECRET_32) cdz_wipe(ctr, sizeof ctr);
}

static void encrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) { whole(c, m, tag, false); }

static void decrypt(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t *tag) { whole(c, m, tag, true); }

static void setup(struct cdz_cipher *c) {
    static const uint8_t zero[16];
    uint8_t h[16];
    c->engine->encrypt(cdz_ks(c), zero, h, 1);
    c->hash->ghash_key((uint8_t *)c + c->hash_at, h);
    cdz_wipe(h, sizeof h);
}

static void begin(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len) {
    c->s.secret = iv_len != 12;
    first_counter(c, c->s.chain, iv, iv_len);
    c->engine->encrypt(cdz_ks(c), c->s.chain, c->s.extra[0], 1);
    cdz_ctr_add(c->s.chain, 1, CDZ_CTR_32);
}

/* Hashes a piece that starts `at` bytes into a block. */
static void hash_piece(struct cdz_cipher *c, size_t at, const uint8_t *in, size_t len) {
    struct cdz_stream *s = &c->s;
    if (at) {
        const size_t n = len < 16 - at ? len : 16 - at;
        memcpy(s->part + at, in, n);
        in += n, len -= n;
        if (at + n < 16) return;
        c->hash->ghash(cdz_hk(c), s->acc, s->part, 1);
    }
    if (len / 16) c->hash->ghash(cdz_hk(c), s->acc, in, len / 16);
    if (len % 16) memcpy(s->part, in + (len & ~(size_t)15), len % 16);
}

/* Ends what is being hashed, `at` bytes into a block. */
static void hash_pad(struct cdz_cipher *c, size_t at) {
    if (!at) return;
    memset(c->s.part + at, 0, 16 - at);
    c->hash->ghash(cdz_hk(c), c->s.acc, c->s.part, 1);
}

static void aad(struct cdz_cipher *c, const uint8_t *in, size_t len) {
    hash_piece(c, c->s.aad_used, in, len);
    c->s.aad_used = (uint8_t)((c->s.aad_used + len) & 15);
}

static enum cdz_ctr_width stream_width(const struct cdz_stream *s) {
    return s->secret ? CDZ_CTR_SECRET_32 : CDZ_CTR_32;
}

static void piece(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len, bool decrypt) {
    const size_t at = c->s.used;
    if (decrypt) hash_piece(c, at, in, len);
    cdz_ctr_stream(c, in, out, len, stream_width(&c->s));
    if (!decrypt) hash_piece(c, at, out, len);
}

static void update(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len) {
    struct cdz_stream *s = &c->s;
    const bool decrypt = s->direction == CDZ_DECRYPT;
    if (s->aad_used) { /* the first data end the associated data */
        hash_pad(c, s->aad_used);
        s->aad_used = 0;
    }
    if (s->used) {
        const size_t n = len < 16u - s->used ? len : 16u - s->used;
        piece(c, in, out, n, decrypt);
        in += n, out += n, len -= n;
    }
    if (len >= 16) {
        const size_t n = len & ~(size_t)15;
        crypt(c, s->chain, s->acc, in, out, n, stream_width(s), decrypt);
        in += n, out += n, len -= n;
    }
    if (len) piece(c, in, out, len, decrypt);
}

static cdz_status finish(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]) {
    struct cdz_stream *s = &c->s;
    uint8_t block[16];
    (void)in, (void)len, (void)out;
    *out_len = 0;
    hash_pad(c, s->aad_used);
    hash_pad(c, s->used);
    put_lengths(block, s->aad_len, s->len);
    c->hash->ghash(cdz_hk(c), s->acc, block, 1);
    cdz_xor16(tag, s->acc, s->extra[0]);
    return CDZ_OK;
}

/* E(J0) and the keystream of many messages together; then each one's hash. */
static void batch(struct cdz_feed *f) {
    enum { GROUP = 64 };
    const struct cdz_cipher *c = f->c;
    struct cdz_pool pool;
    struct cdz_message m[GROUP];
    size_t id[GROUP], waiting = 0;
    uint8_t y[GROUP][16], e_j0[GROUP][16];
    bool more = true;
    cdz_pool_open(&pool, c, cdz_ks(c), false);
    while (more) {
        more = cdz_feed_next(f, &m[waiting], &id[waiting]);
        const size_t blocks = more ? m[waiting].len / 16 + 2 : 0;
        if (more && cdz_pool_long(c, blocks)) {
            cdz_feed_direct(f, &m[waiting], id[waiting]);
            continue;
        }
        if (more && cdz_pool_fits(&pool, blocks)) {
            const struct cdz_message *w = &m[waiting];
            uint8_t ctr[16];
            memset(y[waiting], 0, 16);
            first_counter(c, ctr, w->iv, w->iv_len);
            if (w->aad_len) hash_padded(c, y[waiting], w->aad, w->aad_len);
            if (f->decrypt) hash_padded(c, y[waiting], w->in, w->len);
            size_t k = cdz_pool_add(&pool, e_j0[waiting], 16);
            memcpy(pool.x[k], ctr, 16);
            memset(pool.y[k], 0, 16);
            for (size_t at = 0; at < w->len; at += 16) {
                const size_t n = w->len - at < 16 ? w->len - at : 16;
                cdz_ctr_add(ctr, 1, CDZ_CTR_32);
                k = cdz_pool_add(&pool, w->out + at, n);
                memcpy(pool.x[k], ctr, 16);
                memcpy(pool.y[k], w->in + at, n);
            }
            cdz_wipe(ctr, sizeof ctr); /* from the key, where the nonce was hashed */
            if (++waiting < GROUP) continue;
        } else if (more) {
            f->at = id[waiting]; /* it comes again, into an empty pool */
        }
        cdz_pool_run(&pool);
        for (size_t j = 0; j < waiting; j++) {
            uint8_t block[16];
            if (!f->decrypt) hash_padded(c, y[j], m[j].out, m[j].len);
            put_lengths(block, m[j].aad_len, m[j].len);
            c->hash->ghash(cdz_hk(c), y[j], block, 1);
            cdz_xor16(y[j], y[j], e_j0[j]);
            cdz_feed_done(f, id[j], y[j]);
        }
        waiting = 0;
    }
    cdz_pool_close(&pool);
    cdz_wipe(y, sizeof y);
    cdz_wipe(e_j0, sizeof e_j0);
}

/* Nonce and associated data are nobody's secrets, and all else goes by pointers from the object to the engine and back.
 * Where the first counter is a hash of the nonce, cdz_stream.secret says otherwise. */
static void clean(struct cdz_cipher *c) {
    for (size_t d = 0; d < 2; d++) {
        c->behind.begin[d] = cdz_behind_engines(c);
        if (is_fused(c)) c->behind.piece[d][0] = cdz_behind_engines(c);
        if (c->engine->prompt) /* nothing is gathered, which is what takes the most room */
            c->behind.whole[d][0] = c->behind.whole[d][1] = CDZ_MODE_STACK / 2 + c->left;
    }
}

const struct cdz_mode cdz_mode_gcm = {
    CDZ_MODE_NAMES("GCM"),
    .standard = "NIST SP 800-38D",
    .keys = 1,
    .flags = CDZ_MODE_HASH,
    .iv_min = 1,
    .iv_max = SIZE_MAX < UINT64_MAX ? SIZE_MAX : (size_t)(UINT64_MAX >> 3), /* 2^64 - 1 bits */
    .iv_default = 12,
    .tag_lengths = 1u << 4 | 1u << 8 | 0x1fu << 12,
    .unit = 1,
    .max_len = (UINT64_C(1) << 36) - 32, /* 2^39 - 256 bits */
    .max_aad = UINT64_MAX >> 3,
    .clean = clean,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .setup = setup,
    .batch = batch,
    .begin = begin,
    .aad = aad,
    .update = update,
    .finish = finish,
};
