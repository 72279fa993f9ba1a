/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every function of every engine and hash in this build against the model, at the level of the engine contract
 * (src/engine.h). Engines that the CPU cannot run are skipped by name; a new engine is tested by being in the list.
 *
 * For each function: all lengths from 0 to 1567 (block functions: all block counts), those around multiples of the
 * batch and of 64 KiB, all 16 x 16 offsets at chosen lengths; buffers that end at an unreadable page and that start
 * behind one; in place; output buffers that held zeros and ones before; key areas that can no longer be written, copied
 * to another place; states (IV, tweak, counter, hash) compared afterwards; registers full of garbage before.
 */
#include "driver.h"
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SWEEP = 1567,
    FAR = 3 * 65536 + 17,
    SLOW_STEP = 7 /* the portable engine sees every seventh of the lengths around multiples of 64 KiB */
};

/* ---- what a function works on ---- */

struct st {
    uint8_t *a, *b; /* IV, counter, tweak, offset; checksum, sum, GHASH's Y */
    uint64_t index; /* OCB's block number */
    uint8_t l[32][16];
};

struct op {
    const char *name;
    bool bytes;      /* any length, else whole blocks */
    bool no_out;     /* only the state changes */
    bool hash;       /* over the engine's GHASH */
    bool whole;      /* up to gcm_whole_max bytes */
    bool counts_128; /* a is a counter without a rule for its carry */
    void (*(*get)(const struct cdz_engine *e))(void);
    void (*call)(const struct cdz_engine *e, const void *ks, const void *hk, struct st *s, const uint8_t *in,
                 uint8_t *out, size_t len);
    void (*model)(const struct ref *r, const uint8_t h[16], struct st *s, const uint8_t *in, uint8_t *out, size_t len);
};

/* `name`: of the function itself, or of one use of `field`. */
#define CALLS(name, ...) CALLS_OF(name, name, __VA_ARGS__)
#define CALLS_OF(name, field, ...)                                                                                     \
    static void (*get_##name(const struct cdz_engine *e))(void) { return (void (*)(void))e->field; }                   \
    static void call_##name(const struct cdz_engine *e, const void *ks, const void *hk, struct st *s,                  \
                            const uint8_t *in, uint8_t *out, size_t len) {                                             \
        (void)hk, (void)s, (void)out;                                                                                  \
        __VA_ARGS__;                                                                                                   \
    }                                                                                                                  \
    static void model_##name(const struct ref *r, const uint8_t h[16], struct st *s, const uint8_t *in, uint8_t *out,  \
                             size_t len)
/* What the models do not use. */
#define UNUSED (void)h, (void)s, (void)out

CALLS(encrypt, CALL(e->encrypt, ks, in, out, len / 16)) {
    UNUSED;
    for (size_t i = 0; i < len; i += 16) ref_encrypt_block(&r->k[0], in + i, out + i);
}

CALLS(decrypt, CALL(e->decrypt, ks, in, out, len / 16)) {
    UNUSED;
    for (size_t i = 0; i < len; i += 16) ref_decrypt_block(&r->k[0], in + i, out + i);
}

CALLS(ctr, CALL(e->ctr, ks, s->a, in, out, len)) {
    UNUSED;
    ref_ctr_from(&r->k[0], s->a, 16, in, len, out);
}

CALLS(ctr32le, CALL(e->ctr32le, ks, s->a, in, out, len)) {
    uint8_t ctr[16], o[16];
    UNUSED;
    memcpy(ctr, s->a, 16);
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(&r->k[0], ctr, o);
        ref_xor(out + i, in + i, o, len - i < 16 ? len - i : 16);
        for (int j = 0; j < 4 && ++ctr[j] == 0; j++) {}
    }
}

CALLS(cbc_encrypt, CALL(e->cbc_encrypt, ks, s->a, in, out, len / 16)) {
    UNUSED;
    for (size_t i = 0; i < len; i += 16) {
        ref_xor(s->a, s->a, in + i, 16);
        ref_encrypt_block(&r->k[0], s->a, s->a);
        memcpy(out + i, s->a, 16);
    }
}

CALLS(cbc_decrypt, CALL(e->cbc_decrypt, ks, s->a, in, out, len / 16)) {
    uint8_t x[16];
    UNUSED;
    for (size_t i = 0; i < len; i += 16) {
        ref_decrypt_block(&r->k[0], in + i, x);
        ref_xor(out + i, x, s->a, 16);
        memcpy(s->a, in + i, 16);
    }
}

CALLS(cfb_encrypt, CALL(e->cfb_encrypt, ks, s->a, in, out, len / 16)) {
    uint8_t x[16];
    UNUSED;
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(&r->k[0], s->a, x);
        ref_xor(out + i, x, in + i, 16);
        memcpy(s->a, out + i, 16);
    }
}

CALLS(cfb_decrypt, CALL(e->cfb_decrypt, ks, s->a, in, out, len / 16)) {
    uint8_t x[16];
    UNUSED;
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(&r->k[0], s->a, x);
        ref_xor(out + i, x, in + i, 16);
        memcpy(s->a, in + i, 16);
    }
}

CALLS(ofb, CALL(e->ofb, ks, s->a, in, out, len / 16)) {
    UNUSED;
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(&r->k[0], s->a, s->a);
        ref_xor(out + i, s->a, in + i, 16);
    }
}

CALLS(cbc_mac, CALL(e->cbc_mac, ks, s->a, in, len / 16)) {
    UNUSED;
    for (size_t i = 0; i < len; i += 16) {
        ref_xor(s->a, s->a, in + i, 16);
        ref_encrypt_block(&r->k[0], s->a, s->a);
    }
}

/* ctr += 1, of 128 bits */
static void count(uint8_t ctr[16]) {
    for (int i = 15; i >= 0 && ++ctr[i] == 0; i--) {}
}

static void ctr_mac_model(const struct ref *r, struct st *s, const uint8_t *in, uint8_t *out, size_t len,
                          bool of_input) {
    uint8_t x[16];
    for (size_t i = 0; i < len; i += 16) {
        ref_encrypt_block(&r->k[0], s->a, x);
        count(s->a);
        ref_xor(out + i, in + i, x, 16);
        ref_xor(s->b, s->b, (of_input ? in : out) + i, 16);
        ref_encrypt_block(&r->k[0], s->b, s->b);
    }
}

CALLS_OF(ctr_mac_input, ctr_mac, CALL(e->ctr_mac, ks, s->a, s->b, in, out, len / 16, true)) {
    UNUSED;
    ctr_mac_model(r, s, in, out, len, true);
}

CALLS_OF(ctr_mac_output, ctr_mac, CALL(e->ctr_mac, ks, s->a, s->b, in, out, len / 16, false)) {
    UNUSED;
    ctr_mac_model(r, s, in, out, len, false);
}

/* x * alpha as IEEE 1619 has it. */
static void double_le(uint8_t t[16]) {
    const int carry = t[15] >> 7;
    for (int i = 15; i > 0; i--) t[i] = (uint8_t)(t[i] << 1 | t[i - 1] >> 7);
    t[0] = (uint8_t)(t[0] << 1 ^ (carry ? 0x87 : 0));
}

static void xts_model(const struct ref *r, struct st *s, const uint8_t *in, uint8_t *out, size_t len, bool decrypt) {
    uint8_t x[16];
    for (size_t i = 0; i < len; i += 16) {
        ref_xor(x, in + i, s->a, 16);
        (decrypt ? ref_decrypt_block : ref_encrypt_block)(&r->k[0], x, x);
        ref_xor(out + i, x, s->a, 16);
        double_le(s->a);
    }
}

CALLS(xts_encrypt, CALL(e->xts_encrypt, ks, s->a, in, out, len / 16)) {
    UNUSED;
    xts_model(r, s, in, out, len, false);
}

CALLS(xts_decrypt, CALL(e->xts_decrypt, ks, s->a, in, out, len / 16)) {
    UNUSED;
    xts_model(r, s, in, out, len, true);
}

static void ocb_model(const struct ref *r, struct st *s, const uint8_t *in, uint8_t *out, size_t len, int what) {
    uint8_t x[16];
    for (size_t i = 0; i < len; i += 16) {
        const uint64_t number = s->index + i / 16;
        ref_xor(s->a, s->a, s->l[__builtin_ctzll((unsigned long long)number)], 16);
        ref_xor(x, in + i, s->a, 16);
        if (what == 1) ref_xor(s->b, s->b, in + i, 16);
        (what == 2 ? ref_decrypt_block : ref_encrypt_block)(&r->k[0], x, x);
        if (what == 3) {
            ref_xor(s->b, s->b, x, 16);
            continue;
        }
        ref_xor(x, x, s->a, 16);
        if (what == 2) ref_xor(s->b, s->b, x, 16);
        memcpy(out + i, x, 16);
    }
}

/* The 64-bit index takes two words on 32-bit hosts: no CALL() there. */
#define CALL_OCB(f, ...)                                                                                               \
    do {                                                                                                               \
        if (sizeof(uintptr_t) == 8)                                                                                    \
            CALL(f, ks, (uintptr_t)s->l, s->index, s->a, s->b, __VA_ARGS__);                                           \
        else                                                                                                           \
            f(ks, (const uint8_t(*)[16])s->l, s->index, s->a, s->b, __VA_ARGS__);                                      \
    } while (0)

CALLS(ocb_encrypt, CALL_OCB(e->ocb_encrypt, in, out, len / 16)) {
    UNUSED;
    ocb_model(r, s, in, out, len, 1);
}

CALLS(ocb_decrypt, CALL_OCB(e->ocb_decrypt, in, out, len / 16)) {
    UNUSED;
    ocb_model(r, s, in, out, len, 2);
}

CALLS(ocb_aad, CALL_OCB(e->ocb_aad, in, len / 16)) {
    UNUSED;
    ocb_model(r, s, in, out, len, 3);
}

CALLS(gcm_encrypt, CALL(e->gcm_encrypt, ks, hk, s->a, s->b, in, out, len)) {
    ref_ctr_from(&r->k[0], s->a, 16, in, len, out);
    ref_ghash(h, s->b, out, len);
}

CALLS(gcm_decrypt, CALL(e->gcm_decrypt, ks, hk, s->a, s->b, in, out, len)) {
    ref_ghash(h, s->b, in, len);
    ref_ctr_from(&r->k[0], s->a, 16, in, len, out);
}

/* The tag may be where y was. */
static void model_whole(const struct ref *r, const uint8_t h[16], struct st *s, const uint8_t *in, uint8_t *out,
                        size_t len, bool decrypt) {
    uint8_t ctr[16], e_j0[16];
    memcpy(ctr, s->a, 16);
    if (!++ctr[15]) ctr[14]++;
    if (decrypt) ref_ghash(h, s->b, in, len);
    ref_ctr_from(&r->k[0], ctr, 16, in, len, out);
    if (!decrypt) ref_ghash(h, s->b, out, len);
    ref_ghash(h, s->b, s->l[0], 16);
    ref_encrypt_block(&r->k[0], s->a, e_j0);
    for (int i = 0; i < 16; i++) s->b[i] ^= e_j0[i];
}

CALLS(gcm_encrypt_whole, CALL(e->gcm_encrypt_whole, ks, hk, s->a, s->b, s->l[0], in, out, len, s->b)) {
    model_whole(r, h, s, in, out, len, false);
}

CALLS(gcm_decrypt_whole, CALL(e->gcm_decrypt_whole, ks, hk, s->a, s->b, s->l[0], in, out, len, s->b)) {
    model_whole(r, h, s, in, out, len, true);
}

#define OP(f, ...)                                                                                                     \
    { .name = #f, .get = get_##f, .call = call_##f, .model = model_##f, __VA_ARGS__ }
static const struct op ops[] = {
    OP(encrypt),
    OP(decrypt),
    OP(ctr, .bytes = true),
    OP(ctr32le, .bytes = true),
    OP(cbc_encrypt),
    OP(cbc_decrypt),
    OP(cfb_encrypt),
    OP(cfb_decrypt),
    OP(ofb),
    OP(cbc_mac, .no_out = true),
    OP(ctr_mac_input, .counts_128 = true),
    OP(ctr_mac_output, .counts_128 = true),
    OP(xts_encrypt),
    OP(xts_decrypt),
    OP(ocb_encrypt),
    OP(ocb_decrypt),
    OP(ocb_aad, .no_out = true),
    OP(gcm_encrypt, .bytes = true, .hash = true),
    OP(gcm_decrypt, .bytes = true, .hash = true),
    OP(gcm_encrypt_whole, .bytes = true, .hash = true, .whole = true),
    OP(gcm_decrypt_whole, .bytes = true, .hash = true, .whole = true),
};

/* ---- one call ---- */

static uint8_t message[FAR + 64], expected[FAR + 64];
static struct guard guard_in, guard_out, guard_a, guard_b;

static void buffers(void) {
    if (guard_in.lo) return;
    guard_new(&guard_in, FAR + 64);
    guard_new(&guard_out, FAR + 64);
    guard_new(&guard_a, 16);
    guard_new(&guard_b, 16);
}

struct keyed {
    const struct cdz_engine *e;
    struct ref r;
    uint8_t h[16];
    const void *ks, *hk;
    struct guard area, hash_area;
};

static void key_new(struct keyed *k, const struct cdz_engine *e, size_t key_len) {
    static struct guard g;
    uint8_t key[32];
    if (!g.lo) guard_new(&g, 64);
    rnd_fill(key, sizeof key);
    k->e = e;
    ref_init(&k->r, "ECB", e->cipher == CDZ_ARIA ? REF_ARIA : REF_AES, key, key_len);
    if (e->key_size % 64) test_fail("%s: key_size is no multiple of 64", e->name);

    /* Made where the key ends at a page's end and the area fills its pages to the end, then copied to where nobody may
     * write: an area has no pointers in it. */
    struct guard made;
    guard_new(&made, e->key_size);
    uint8_t *area = guard_end(&made, e->key_size), *p = guard_end(&g, key_len);
    memset(area, 0xa5, e->key_size);
    memcpy(p, key, key_len);
    CALL(e->set_key, area, p, key_len);
    guard_new(&k->area, e->key_size);
    memcpy(guard_end(&k->area, e->key_size), area, e->key_size);
    k->ks = guard_end(&k->area, e->key_size);
    memset(area, 0, e->key_size);
    guard_free(&made);
    /* The same key from the start of a page, at an odd address: the same area (its padding apart). */
    guard_new(&made, e->key_size);
    area = guard_end(&made, e->key_size);
    memset(area, 0xa5, e->key_size);
    memcpy(g.lo + 1, key, key_len);
    CALL(e->set_key, area, g.lo + 1, key_len);
    test_same("key area of the same key", area, k->ks, e->key_size);
    guard_free(&made);
    mprotect(k->area.lo, (size_t)(k->area.hi - k->area.lo), PROT_READ);

    const uint8_t zero[16] = {0};
    ref_encrypt_block(&k->r.k[0], zero, k->h);
    if (e->gcm_hash) {
        const size_t n = e->gcm_hash->key_size;
        guard_new(&k->hash_area, n);
        k->hk = guard_end(&k->hash_area, n);
        CALL(e->gcm_hash->ghash_key, k->hk, k->h);
        mprotect(k->hash_area.lo, (size_t)(k->hash_area.hi - k->hash_area.lo), PROT_READ);
    }
}

static void key_free(struct keyed *k) {
    guard_free(&k->area);
    if (k->hash_area.lo) guard_free(&k->hash_area);
}

/*
 * A state that the contract allows for a call of len bytes. Mostly one of four that come again, so that the model's
 * memo helps.
 */
static void state_new(const struct op *op, const struct ref *r, struct st *s, size_t len) {
    static uint8_t pool[4][32];
    const bool fresh = rnd_below(8) == 0, counts = op->get == get_ctr || op->get == get_ctr32le || op->hash;
    const size_t blocks = (len + 15) / 16 + op->whole, which = rnd_below(4); /* J0 comes before a whole message */
    if (pool[3][0] == 0) {
        rnd_fill(pool, sizeof pool);
        pool[3][0] |= 1;
    }
    memcpy(s->a, pool[which], 16);
    memcpy(s->b, pool[which] + 16, 16);
    if (fresh) {
        rnd_fill(s->a, 16);
        rnd_fill(s->b, 16);
    } else if (counts) {
        /* Room for the longest call; the second half of the pool in the last blocks before a carry. */
        uint8_t *low = op->get == get_ctr32le ? s->a + 1 : s->a + 14,
                *lower = op->get == get_ctr32le ? s->a : s->a + 15;
        *low &= 0x3f;
        if (which >= 2) *lower |= 0xe0;
        return;
    }
    if (counts) {
        /* The low 16 bits: anywhere, up to the last value allowed, or with a carry into their upper byte soon. */
        const size_t last = 65536 - (blocks ? blocks : 1);
        size_t low = rnd_below(last + 1);
        const size_t kind = rnd_below(4);
        if (kind == 0) low = last;
        if (kind == 1) low = 256 * rnd_below(256) + 255 - rnd_below(80);
        if (low > last) low = last;
        if (op->get == get_ctr32le) {
            s->a[0] = (uint8_t)low;
            s->a[1] = (uint8_t)(low >> 8);
        } else {
            s->a[14] = (uint8_t)(low >> 8);
            s->a[15] = (uint8_t)low;
        }
        if (rnd_below(4) == 0) memset(op->get == get_ctr32le ? s->a + 2 : s->a, 0xff, 14);
    }
    if (op->counts_128 && fresh) { /* its last n bytes wrap at a block of the call, or behind the last */
        const size_t n = 1 + rnd_below(16), below = rnd_below(blocks + 1);
        memset(s->a + 16 - n, 0xff, n);
        s->a[15] = (uint8_t)(s->a[15] - (below < 256 ? below : 0));
    }
    if (op->get == get_ocb_encrypt || op->get == get_ocb_decrypt || op->get == get_ocb_aad) {
        const uint8_t zero[16] = {0};
        ref_encrypt_block(&r->k[0], zero, s->l[0]);
        ref_double(s->l[0], s->l[0]);
        ref_double(s->l[0], s->l[0]);
        for (int i = 1; i < 32; i++) ref_double(s->l[i - 1], s->l[i]);
        s->index = 1 + rnd_below(100);
        if (rnd_below(2)) s->index = (UINT64_C(1) << rnd_below(30)) + rnd_below(3); /* near powers of two */
    }
}

enum place { END, START, IN_PLACE, OFFSETS };

static void one_call(const struct keyed *k, const struct op *op, size_t len, enum place place, size_t in_at,
                     size_t out_at) {
    if (op->whole && len > k->e->gcm_whole_max) return;
    struct st s = {.a = guard_end(&guard_a, 16), .b = guard_end(&guard_b, 16)};
    uint8_t a[16], b[16], want_a[16], want_b[16];
    uint8_t *in, *out;
    static int turn;
    const uint8_t before = turn++ & 1 ? 0xff : 0;
    if (place == START) s.a = guard_a.lo, s.b = guard_b.lo;
    state_new(op, &k->r, &s, len);
    memcpy(a, s.a, 16);
    memcpy(b, s.b, 16);

    struct st m = s;
    m.a = want_a;
    m.b = want_b;
    memcpy(want_a, a, 16);
    memcpy(want_b, b, 16);
    op->model(&k->r, k->h, &m, message, expected, len);

    switch (place) {
    case END:
        in = guard_end(&guard_in, len);
        out = guard_end(&guard_out, len);
        break;
    case START:
        in = guard_in.lo;
        out = guard_out.lo;
        break;
    default:
        in = guard_in.lo + 64 + in_at;
        out = place == IN_PLACE ? in : guard_out.lo + 64 + out_at;
        break;
    }
    memcpy(in, message, len);
    const bool around = place == OFFSETS || place == IN_PLACE;
    if (in != out) memset(out, before, len);
    if (around) {
        memset(out - 32, 0x5a, 32);
        memset(out + len, 0x5a, 32);
    }
    NOW(.what = op->name,
        .name = k->r.key_len == 16   ? "128"
                : k->r.key_len == 24 ? "192"
                                     : "256",
        .engine = k->e->name, .len = len, .a = in_at, .b = out_at);
    engine_count(k->e->name);
    op->call(k->e, k->ks, k->hk, &s, in, op->no_out ? NULL : out, len);
    if (!op->no_out) test_same("output", out, expected, len);
    if (in != out || op->no_out) test_same("input afterwards", in, message, len);
    test_same("state", s.a, want_a, 16);
    test_same("second state", s.b, want_b, 16);
    if (around && !op->no_out) {
        test_all("before the output", out - 32, 0x5a, 32);
        test_all("behind the output", out + len, 0x5a, 32);
    }
}

/* ---- sweeps ---- */

static void all_places(const struct keyed *k, const struct op *op, size_t len) {
    if (!op->bytes) len -= len % 16;
    one_call(k, op, len, END, 0, 0);
    one_call(k, op, len, START, 0, 0);
    const size_t x = rnd_below(16);
    one_call(k, op, len, IN_PLACE, x, x);
    one_call(k, op, len, OFFSETS, rnd_below(16), rnd_below(16));
}

static bool is_slow(const char *name) { return strstr(name, "/portable") != NULL; }

struct job {
    const struct cdz_engine *e;
    const struct cdz_hash *h;
    const struct op *op;
};

static bool usable(cdz_cpu_set needs) {
    cdz_cpu_set have;
    CHECK_STATUS(cdz_cpu_now(&have), CDZ_OK);
    return !(needs & ~have);
}

static void sweep_with_key(const struct cdz_engine *e, const struct op *op, size_t key_len) {
    struct keyed k = {0};
    key_new(&k, e, key_len);
    const size_t step = op->bytes ? 1 : 16, most = test_quick ? 400 : SWEEP;
    rnd_fill(message, SWEEP + 64);
    for (size_t len = 0; len <= most; len += step) all_places(&k, op, len);
    const size_t batch = engine_batch(e->name, e->batch);
    for (size_t m = 1; m <= 3; m++) {
        const size_t at = m * batch * 16;
        if (at <= most || (test_quick && m > 1 && at > 12288)) continue;
        rnd_fill(message, at + 64);
        for (size_t len = at - 32; len <= at + 32; len += step) all_places(&k, op, len);
    }
    /* All 16 x 16 offsets at chosen lengths. */
    static const size_t lengths[24] = {1,   15,  16,  17,  31,  33,  48,  63,  64,  65,  80,  127,
                                       128, 129, 191, 255, 256, 257, 300, 384, 511, 513, 768, 1025};
    for (size_t i = 0; i < 24; i++) {
        const size_t len = op->bytes ? lengths[i] : lengths[i] / 16 * 16;
        if ((len == 0) || (test_quick && (len > 400 || i % 4)) || (is_slow(e->name) && len > 300)) continue;
        for (size_t x = 0; x < 16; x++)
            for (size_t y = 0; y < 16; y++) one_call(&k, op, len, OFFSETS, x, y);
    }
    key_free(&k);
}

static void far_lengths(const struct cdz_engine *e, const struct op *op) {
    struct keyed k = {0};
    static const size_t key_lens[3] = {16, 24, 32};
    if (test_quick) return;
    key_new(&k, e, key_lens[rnd_below(3)]);
    rnd_fill(message, sizeof message);
    for (size_t m = 1; m <= 3; m++)
        for (size_t d = 0; d <= 34; d += op->bytes ? (is_slow(e->name) ? (size_t)SLOW_STEP : 1) : 16) {
            const size_t len = m * 65536 - (op->bytes ? 17 : 16) + d;
            one_call(&k, op, len, m == 2 ? IN_PLACE : END, 1, 1);
        }
    key_free(&k);
}

/* Clean before, clean after: else what runs next pays for it, and the upper halves hold whatever they held. */
static void test_upper_halves(const struct cdz_engine *e, const struct op *op) {
    struct keyed k = {0};
    test_clear_upper();
    if (test_upper_in_use() != 0) return; /* this CPU does not say, or something else keeps them in use */
    key_new(&k, e, 16);
    for (size_t len = op->bytes ? 1 : 16; len < 2000; len += 48) {
        if (op->whole && len > e->gcm_whole_max) break;
        struct st s = {.a = guard_end(&guard_a, 16), .b = guard_end(&guard_b, 16)};
        state_new(op, &k.r, &s, len);
        memset(guard_in.lo, 1, len);
        test_clear_upper();
        /* Straight, since CALL() fills the registers. */
        void (*f)(void) = op->get(e);
        const uint8_t *in = guard_in.lo;
        uint8_t *out = guard_out.lo;
        if (op->whole)
            ((void (*)(const void *, const void *, const uint8_t *, const uint8_t *, const uint8_t *, const uint8_t *,
                       uint8_t *, size_t, uint8_t *))f)(k.ks, k.hk, s.a, s.b, s.l[0], in, out, len, s.b);
        else if (op->hash)
            ((void (*)(const void *, const void *, const uint8_t *, uint8_t *, const uint8_t *, uint8_t *, size_t))f)(
                k.ks, k.hk, s.a, s.b, in, out, len);
        else if (op->get == get_encrypt || op->get == get_decrypt)
            ((void (*)(const void *, const uint8_t *, uint8_t *, size_t))f)(k.ks, in, out, len / 16);
        else if (op->get == get_ctr || op->get == get_ctr32le)
            ((void (*)(const void *, const uint8_t *, const uint8_t *, uint8_t *, size_t))f)(k.ks, s.a, in, out, len);
        else if (op->counts_128)
            e->ctr_mac(k.ks, s.a, s.b, in, out, len / 16, op->get == get_ctr_mac_input);
        else if (op->get == get_cbc_mac)
            ((void (*)(const void *, uint8_t *, const uint8_t *, size_t))f)(k.ks, s.a, in, len / 16);
        else if (op->get == get_ocb_aad)
            e->ocb_aad(k.ks, (const uint8_t(*)[16])s.l, s.index, s.a, s.b, in, len / 16);
        else if (op->get == get_ocb_encrypt || op->get == get_ocb_decrypt)
            ((void (*)(const void *, const uint8_t(*)[16], uint64_t, uint8_t *, uint8_t *, const uint8_t *, uint8_t *,
                       size_t))f)(k.ks, (const uint8_t(*)[16])s.l, s.index, s.a, s.b, in, out, len / 16);
        else
            ((void (*)(const void *, uint8_t *, const uint8_t *, uint8_t *, size_t))f)(k.ks, s.a, in, out, len / 16);
        const int in_use = test_upper_in_use();
        NOW(.what = op->name, .engine = e->name, .len = len);
        if (in_use) test_fail("the upper halves of the vector registers are left in use");
    }
    key_free(&k);
}

static void test_op(void *arg) {
    const struct job *j = arg;
    if (!usable(j->e->needs)) test_skip("%s: the CPU or the mask does not allow it", j->e->name);
    if (j->op->hash && !usable(j->e->gcm_hash->needs)) test_skip("%s: its hash cannot run", j->e->name);
    buffers();
    static const size_t key_lens[3] = {16, 24, 32};
    if (test_quick || is_slow(j->e->name)) {
        sweep_with_key(j->e, j->op, key_lens[rnd_below(3)]);
        const bool quick = test_quick; /* the other key sizes briefly */
        test_quick = true;
        for (size_t i = 0; i < 3 && !quick; i++) sweep_with_key(j->e, j->op, key_lens[i]);
        test_quick = quick;
    } else {
        for (size_t i = 0; i < 3; i++) sweep_with_key(j->e, j->op, key_lens[i]);
    }
    far_lengths(j->e, j->op);
    test_upper_halves(j->e, j->op);
}

/* ---- properties ---- */

/* What the contract says of the struct itself. */
static void test_struct(void *arg) {
    const struct job *j = arg;
    const struct cdz_engine *e = j->e;
    CHECK(e->set_key && e->encrypt && e->decrypt && e->ctr && e->ctr32le);
    CHECK(e->batch >= 1 && e->key_size > 0 && e->key_size % 64 == 0);
    CHECK(!e->xts_encrypt == !e->xts_decrypt);
    CHECK(!e->ocb_encrypt == !e->ocb_decrypt);
    CHECK(!e->gcm_encrypt == !e->gcm_decrypt);
    CHECK(!e->gcm_encrypt == !e->gcm_hash);
    CHECK(!e->gcm_encrypt_whole == !e->gcm_whole_max && !e->gcm_decrypt_whole == !e->gcm_whole_max);
    CHECK(e->gcm_hash || !e->gcm_whole_max);
    CHECK(!e->chains == !e->chains_least && e->chains_least <= e->batch);
    CHECK(strncmp(e->name, e->cipher == CDZ_ARIA ? "aria/" : "aes/", e->cipher == CDZ_ARIA ? 5 : 4) == 0);
}

/* Decryption known on its own: the inverse of 1000 blocks that the model encrypted, for every key size (B38). */
static void test_many_keys(void *arg) {
    const struct job *j = arg;
    if (!usable(j->e->needs)) test_skip("%s: the CPU or the mask does not allow it", j->e->name);
    buffers();
    for (int i = 0; i < (test_quick ? 30 : 300); i++) {
        struct keyed k = {0};
        uint8_t x[16 * 3], y[16 * 3], z[16 * 3];
        key_new(&k, j->e, 16 + 8 * (size_t)(i % 3));
        rnd_fill(x, sizeof x);
        for (int b = 0; b < 3; b++) ref_encrypt_block(&k.r.k[0], x + 16 * b, y + 16 * b);
        NOW(.what = "keys", .engine = j->e->name, .len = 16 + 8 * (size_t)(i % 3));
        engine_count(j->e->name);
        CALL(j->e->encrypt, k.ks, x, z, 3);
        test_same("encryption", z, y, sizeof y);
        CALL(j->e->decrypt, k.ks, y, z, 3);
        test_same("decryption", z, x, sizeof x);
        key_free(&k);
    }
}

/* ---- chains side by side ---- */

enum { LANES_MOST = 128, STEPS_MOST = 9 };

/* Each chain's buffers lie in a slot of their own, one of them at the end of the page. */
static void one_chains(const struct keyed *k, const struct op *one, enum cdz_chain_kind kind, size_t n, size_t steps) {
    enum { SLOT = 16 * STEPS_MOST + 48 };
    static uint8_t x[LANES_MOST][16], want[LANES_MOST][16];
    const size_t len = 16 * steps, last = rnd_below(n);
    const uint8_t *in[LANES_MOST];
    uint8_t *out[LANES_MOST], *places[LANES_MOST];
    struct st s = {.b = NULL};
    const bool no_out = kind == CDZ_CHAIN_MAC;
    rnd_fill(message, n * len);
    rnd_fill(x, sizeof x);
    memcpy(want, x, sizeof x);
    memset(guard_in.lo, 0x5a, n * SLOT);
    memset(guard_out.lo, 0x5a, n * SLOT);
    for (size_t i = 0; i < n; i++) {
        const size_t slot = (i * 5 + 3) % n; /* not in the order of memory */
        uint8_t *const from = guard_in.lo + SLOT * (n % 5 ? slot : i) + 16 + rnd_below(16);
        places[i] = i == last ? guard_end(&guard_in, len) : from;
        memcpy(places[i], message + i * len, len);
        in[i] = places[i];
        if (rnd_below(2))
            out[i] = places[i];
        else
            out[i] = i == last ? guard_end(&guard_out, len) : guard_out.lo + SLOT * i + 16 + rnd_below(16);
        s.a = want[i];
        one->model(&k->r, k->h, &s, message + i * len, expected + i * len, len);
    }
    NOW(.what = one->name, .name = "chains", .engine = k->e->name, .len = len, .a = n);
    engine_count(k->e->name);
    CALL(k->e->chains, k->ks, kind, x, in, no_out ? NULL : out, n, steps);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *const p = no_out ? in[i] : out[i];
        NOW(.what = one->name, .name = "chains", .engine = k->e->name, .len = len, .a = n, .b = i);
        test_same("output", p, no_out ? message + i * len : expected + i * len, len);
        if (p != in[i]) test_same("input afterwards", in[i], message + i * len, len);
        if (i == last) continue;
        test_all("before the output", p - 16, 0x5a, 16);
        test_all("behind the output", p + len, 0x5a, 16);
    }
    test_same("registers", x[0], want[0], sizeof x);
}

static void test_chains(void *arg) {
    const struct job *j = arg;
    static const struct op kinds[] = {
        [CDZ_CHAIN_CBC] = OP(cbc_encrypt),
        [CDZ_CHAIN_CFB] = OP(cfb_encrypt),
        [CDZ_CHAIN_OFB] = OP(ofb),
        [CDZ_CHAIN_MAC] = OP(cbc_mac),
    };
    if (!usable(j->e->needs)) test_skip("%s: the CPU or the mask does not allow it", j->e->name);
    CHECK(j->e->batch <= LANES_MOST);
    buffers();
    for (size_t key_len = 16; key_len <= 32; key_len += 8) {
        struct keyed k = {0};
        key_new(&k, j->e, key_len);
        for (enum cdz_chain_kind kind = CDZ_CHAIN_CBC; kind <= CDZ_CHAIN_MAC; kind++)
            for (size_t n = j->e->chains_least; n <= j->e->batch; n += test_quick && n + 5 < j->e->batch ? 5 : 1)
                for (size_t steps = 0; steps <= STEPS_MOST; steps += test_quick && steps > 2 ? 3 : 1)
                    one_chains(&k, &kinds[kind], kind, n, steps);
        test_clear_upper();
        if (test_upper_in_use() == 0) {
            static uint8_t x[LANES_MOST][16];
            const uint8_t *in[LANES_MOST];
            uint8_t *out[LANES_MOST];
            for (size_t i = 0; i < j->e->batch; i++) in[i] = out[i] = guard_out.lo + 16 * i;
            for (enum cdz_chain_kind kind = CDZ_CHAIN_CBC; kind <= CDZ_CHAIN_MAC; kind++) {
                j->e->chains(k.ks, kind, x, in, out, j->e->batch, 1);
                CHECK(!test_upper_in_use());
            }
        }
        key_free(&k);
    }
}

/* ---- hashes ---- */

static void one_hash(const struct cdz_hash *h, bool polyval, const void *hk, const uint8_t key[16], size_t len,
                     enum place place, size_t at) {
    uint8_t *y = place == START ? guard_a.lo : guard_end(&guard_a, 16);
    uint8_t want[16];
    rnd_fill(y, 16);
    memcpy(want, y, 16);
    (polyval ? ref_polyval : ref_ghash)(key, want, message, len);
    uint8_t *in = place == END ? guard_end(&guard_in, len) : place == START ? guard_in.lo : guard_in.lo + 64 + at;
    memcpy(in, message, len);
    NOW(.what = polyval ? "polyval" : "ghash", .engine = h->name, .len = len, .a = at);
    engine_count(h->name);
    if (polyval)
        CALL(h->polyval, hk, y, in, len / 16);
    else
        CALL(h->ghash, hk, y, in, len / 16);
    test_same("hash", y, want, 16);
}

static void test_hash(void *arg) {
    const struct job *j = arg;
    const struct cdz_hash *h = j->h;
    if (!usable(h->needs)) test_skip("%s: the CPU or the mask does not allow it", h->name);
    CHECK(h->key_size % 64 == 0 && h->ghash_key && h->ghash && h->polyval_key && h->polyval && h->batch >= 1);
    buffers();
    for (int polyval = 0; polyval < 2; polyval++)
        for (int turn = 0; turn < (test_quick ? 1 : 3); turn++) {
            struct guard made, area;
            uint8_t *key = guard_end(&guard_b, 16), copy[16];
            rnd_fill(key, 16);
            if (turn == 1) memset(key, 0, 16), key[polyval ? 0 : 15] = 1;
            if (turn == 2) memset(key, 0xff, 16);
            memcpy(copy, key, 16);
            guard_new(&made, h->key_size);
            guard_new(&area, h->key_size);
            if (polyval)
                CALL(h->polyval_key, guard_end(&made, h->key_size), key, SIZE_MAX);
            else
                CALL(h->ghash_key, guard_end(&made, h->key_size), key);
            memcpy(guard_end(&area, h->key_size), guard_end(&made, h->key_size), h->key_size);
            guard_free(&made);
            mprotect(area.lo, (size_t)(area.hi - area.lo), PROT_READ);
            const void *hk = guard_end(&area, h->key_size);
            rnd_fill(message, SWEEP + 64);
            for (size_t len = 0; len <= (test_quick ? 400 : SWEEP); len += 16) {
                one_hash(h, polyval, hk, copy, len, END, 0);
                one_hash(h, polyval, hk, copy, len, START, 0);
                for (size_t at = 0; at < 16; at++) one_hash(h, polyval, hk, copy, len, OFFSETS, at);
            }
            if (!test_quick && turn == 0) {
                rnd_fill(message, sizeof message);
                for (size_t m = 1; m <= 3; m++)
                    for (size_t len = m * 65536 - 16; len <= m * 65536 + 16; len += 16)
                        one_hash(h, polyval, hk, copy, len, END, 0);
                for (size_t m = 1; m <= 3; m++)
                    for (size_t b = m * h->batch; b <= m * h->batch + 2; b++)
                        if (b > 0) one_hash(h, polyval, hk, copy, 16 * (b - 1), OFFSETS, 3);
            }
            guard_free(&area);
        }
    /* POLYVAL's keys for no more than so many blocks a call. */
    for (size_t most = 0; most <= 2u * h->batch + 1; most++) {
        struct guard area;
        uint8_t *key = guard_end(&guard_b, 16), copy[16];
        rnd_fill(key, 16);
        memcpy(copy, key, 16);
        guard_new(&area, h->key_size);
        memset(guard_end(&area, h->key_size), 0xa5, h->key_size);
        CALL(h->polyval_key, guard_end(&area, h->key_size), key, most);
        for (size_t blocks = 0; blocks <= most; blocks++)
            one_hash(h, true, guard_end(&area, h->key_size), copy, 16 * blocks, END, 0);
        guard_free(&area);
    }
}

int main(void) {
    static struct job jobs[64 * 24];
    size_t n = 0;
    test_begin();
    for (size_t i = 0; cdz_engines[i]; i++) {
        jobs[n] = (struct job){.e = cdz_engines[i]};
        test_add(test_struct, &jobs[n], "%s: the struct", cdz_engines[i]->name);
        if (cdz_engines[i]->chains) test_add(test_chains, &jobs[n], "%s: chains", cdz_engines[i]->name);
        test_add(test_many_keys, &jobs[n++], "%s: many keys", cdz_engines[i]->name);
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            if (!ops[o].get(cdz_engines[i])) continue; /* an optional one, which the modes do without */
            jobs[n] = (struct job){.e = cdz_engines[i], .op = &ops[o]};
            test_add(test_op, &jobs[n++], "%s: %s", cdz_engines[i]->name, ops[o].name);
        }
    }
    for (size_t i = 0; cdz_hashes[i]; i++) {
        jobs[n] = (struct job){.h = cdz_hashes[i]};
        test_add(test_hash, &jobs[n++], "%s", cdz_hashes[i]->name);
    }
    return test_end("engines");
}
