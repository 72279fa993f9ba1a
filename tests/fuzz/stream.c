/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages in pieces: any calls in any order, on any engine, each against what the header says of it, and each finished
 * message against one call for the whole on another engine, and against OpenSSL. Pieces lie in memory of exactly their
 * size, in place or not; copies of the object go on instead of it at any moment.
 */
#include "whole.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4400, MOST_AAD = 4400, CALLS = 48 };
enum phase { IDLE, AAD, DATA, ENDED, FAILED };

struct model {
    struct pair key;
    void *memory; /* of an object made by cdz_cipher_copy() */
    bool in_blocks, chains, sizes_first, tag_first;
    enum phase phase;
    bool decrypt;
    uint8_t iv[64], aad[MOST_AAD], in[MOST];
    size_t iv_len, aad_len, len; /* so far */
    uint64_t aad_total, total;   /* told */
    size_t tag_fixed, tag_len;   /* the latter: of the tag that was given */
    uint8_t right[16], tag[16];  /* what the message's tag is, what was given or made */
    uint8_t out[MOST + WHOLE_MORE];
    size_t out_len;
};

static bool has_tag(const struct model *m, size_t n) { return n <= 16 && (m->key.info.tag_lengths >> n & 1); }

static bool is(const struct model *m, const char *mode) {
    const char *const end = strrchr(m->key.name, '-');
    return strcmp(end + 1, mode) == 0;
}

static struct whole so_far(const struct model *m, size_t tag_len) {
    return (struct whole){m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, tag_len};
}

static size_t longest_tag(const struct model *m) {
    return m->tag_fixed ? m->tag_fixed : m->key.info.tag_lengths ? 16 : 0;
}

/* ---- the calls ---- */

static cdz_status expected_begin(const struct model *m, size_t iv_len, bool decrypt, uint64_t aad, uint64_t len,
                                 size_t tag_len) {
    const cdz_info *const i = &m->key.info;
    if (!i->streaming) return CDZ_ERR_UNSUPPORTED;
    if (iv_len < i->iv_min || iv_len > i->iv_max) return CDZ_ERR_IV_LENGTH;
    if (!i->tag_lengths) {
        if (tag_len) return CDZ_ERR_TAG_UNUSED;
        if (aad && aad != CDZ_UNKNOWN) return CDZ_ERR_AAD;
    } else if (tag_len && !has_tag(m, tag_len)) {
        return CDZ_ERR_TAG_LENGTH;
    }
    if (m->sizes_first && (aad == CDZ_UNKNOWN || len == CDZ_UNKNOWN)) return CDZ_ERR_LENGTH;
    if (aad != CDZ_UNKNOWN && aad > i->max_aad) return CDZ_ERR_LIMIT;
    if (len != CDZ_UNKNOWN) {
        if (len > i->max_len) return CDZ_ERR_LIMIT;
        if (len < i->min_len || len % i->unit) return CDZ_ERR_LENGTH;
    }
    return m->key.weak && !decrypt ? CDZ_ERR_KEY_WEAK : CDZ_OK;
}

static void begin(struct model *m, struct decisions *d) {
    const cdz_info *const i = &m->key.info;
    const unsigned how = take_byte(d);
    const bool decrypt = how & 1;
    uint8_t iv[64];
    size_t iv_len = i->iv_default, tag_len = 0;
    if (how & 2) iv_len = take_below(d, sizeof iv + 1);
    if (how & 4) tag_len = take_below(d, 18);
    fill(iv, sizeof iv, take_word(d));
    const size_t aad_len = i->max_aad ? take_length(d, MOST_AAD) : 0, len = i->mac ? 0 : take_length(d, MOST);
    uint64_t aad_told = CDZ_UNKNOWN, told = CDZ_UNKNOWN;
    if (how & 8 || m->sizes_first) aad_told = aad_len + (how & 32 ? 1 : 0), told = len + (how & 64 ? 1 : 0);
    if (how & 16) aad_told = CDZ_UNKNOWN;
    if (how & 128) told = CDZ_UNKNOWN;
    const cdz_status want = expected_begin(m, iv_len, decrypt, aad_told, told, tag_len);
    uint8_t *const exact = room_with(iv, iv_len);
    const cdz_direction direction = decrypt ? CDZ_DECRYPT : CDZ_ENCRYPT;
    const bool sized = aad_told != CDZ_UNKNOWN || told != CDZ_UNKNOWN || tag_len;
    MUST((sized ? cdz_begin_sized(m->key.c, direction, exact, iv_len, aad_told, told, tag_len)
                : cdz_begin(m->key.c, direction, exact, iv_len)) == want);
    free(exact);
    if (want != CDZ_OK) return; /* the message before is as it was */
    m->phase = AAD;
    m->decrypt = decrypt;
    memcpy(m->iv, iv, sizeof iv);
    m->iv_len = iv_len;
    m->aad_total = aad_told, m->total = told;
    m->tag_fixed = tag_len ? tag_len : m->tag_first ? 16 : 0;
    m->out_len = m->tag_len = 0;
    fill(m->aad, sizeof m->aad, iv[0]);
    fill(m->in, sizeof m->in, iv[1] + 256u);
    memset(m->right, 0, sizeof m->right);
    if (decrypt) { /* a true message where there can be one */
        m->aad_len = aad_len, m->len = len;
        const struct whole w = so_far(m, longest_tag(m));
        uint8_t *const sealed = room(len + WHOLE_MORE);
        size_t n;
        if (whole_do(m->key.other, i, false, &w, sealed, &n, m->right) == CDZ_OK && n <= MOST && n)
            memcpy(m->in, sealed, n);
        free(sealed);
    }
    m->aad_len = m->len = 0;
}

static void aad(struct model *m, struct decisions *d) {
    const cdz_info *const i = &m->key.info;
    size_t n = take_length(d, MOST_AAD);
    if (n > MOST_AAD - m->aad_len) n = MOST_AAD - m->aad_len;
    cdz_status want = CDZ_OK;
    if (!i->streaming)
        want = CDZ_ERR_UNSUPPORTED;
    else if (!i->max_aad)
        want = CDZ_ERR_AAD;
    else if (m->phase != AAD)
        want = CDZ_ERR_STATE;
    else if (m->aad_total != CDZ_UNKNOWN && m->aad_len + n > m->aad_total)
        want = CDZ_ERR_LENGTH;
    uint8_t *const exact = room_with(m->aad + m->aad_len, n);
    MUST(cdz_aad(m->key.c, n ? exact : NULL, n) == want);
    free(exact);
    if (want == CDZ_OK) m->aad_len += n;
}

static void update(struct model *m, struct decisions *d) {
    const cdz_info *const i = &m->key.info;
    const unsigned how = take_byte(d);
    size_t n = take_length(d, MOST);
    if (n > MOST - m->len) n = MOST - m->len;
    cdz_status want = CDZ_OK;
    if (!i->streaming)
        want = CDZ_ERR_UNSUPPORTED;
    else if (m->phase != AAD && m->phase != DATA)
        want = CDZ_ERR_STATE;
    else if (m->phase == AAD && m->aad_total != CDZ_UNKNOWN && m->aad_len != m->aad_total && n)
        want = CDZ_ERR_LENGTH;
    else if (n > i->max_len || m->len > i->max_len - n)
        want = CDZ_ERR_LIMIT;
    else if (m->total != CDZ_UNKNOWN && m->len + n > m->total)
        want = CDZ_ERR_LENGTH;
    size_t got = 77, need = n + 31;
    if (want == CDZ_OK && how & 1) { /* asks how much room is needed; where none is, that was the call */
        const cdz_status s = cdz_update(m->key.c, m->in + m->len, n, NULL, 0, &need);
        MUST(s == (need ? CDZ_ERR_BUFFER : CDZ_OK));
        MUST(need <= n + 31);
        if (!need) {
            m->len += n;
            if (n) m->phase = DATA;
            return;
        }
        uint8_t *const less = room_with(m->out, need - 1);
        MUST(cdz_update(m->key.c, m->in + m->len, n, less, need - 1, &got) == CDZ_ERR_BUFFER && got == need);
        MUST(need == 1 || memcmp(less, m->out, need - 1) == 0);
        free(less);
    }
    const bool in_place = how & 2;
    const size_t size = in_place && n > need ? n : need;
    uint8_t *const out = room(size), *const apart = in_place ? NULL : room_with(m->in + m->len, n);
    if (in_place) memcpy(out, m->in + m->len, n);
    const cdz_status s = cdz_update(m->key.c, in_place ? out : apart, n, out, need, &got);
    MUST(s == want);
    if (s == CDZ_OK) {
        MUST(got <= need);
        MUST(m->in_blocks || got == n);
        MUST(!(how & 1) || !n || got == need);
        if (got) memcpy(m->out + m->out_len, out, got);
        m->out_len += got;
        m->len += n;
        if (n) m->phase = DATA;
    } else {
        MUST(got == 0);
    }
    free(out);
    free(apart);
}

static void expect_tag(struct model *m, struct decisions *d) {
    const unsigned how = take_byte(d);
    size_t n = how & 1 ? take_below(d, 18) : longest_tag(m);
    cdz_status want = CDZ_OK;
    if (!m->key.info.streaming)
        want = CDZ_ERR_UNSUPPORTED;
    else if (!m->key.info.tag_lengths)
        want = CDZ_ERR_TAG_UNUSED;
    else if ((m->phase != AAD && m->phase != DATA) || !m->decrypt)
        want = CDZ_ERR_STATE;
    else if (!n)
        want = CDZ_ERR_TAG_MISSING;
    else if (!has_tag(m, n) || (m->tag_fixed && n != m->tag_fixed))
        want = CDZ_ERR_TAG_LENGTH;
    uint8_t tag[20] = {0};
    memcpy(tag, m->right, 16);
    if (how & 2 && n) tag[take_below(d, n)] ^= (uint8_t)(1u << take_below(d, 8));
    uint8_t *const exact = room_with(tag, n);
    MUST(cdz_expect_tag(m->key.c, exact, n) == want);
    free(exact);
    if (want != CDZ_OK) return;
    memcpy(m->tag, tag, 16);
    m->tag_len = n;
}

static bool is_complete(const struct model *m) {
    return m->len >= m->key.info.min_len && (m->total == CDZ_UNKNOWN || m->len == m->total) &&
           (m->aad_total == CDZ_UNKNOWN || m->aad_len == m->aad_total);
}

/* What a whole message with what came so far is: status, output, tag. */
static cdz_status other_side(struct model *m, bool decrypt, uint8_t *out, size_t *n, uint8_t tag[16], size_t tag_len) {
    const struct whole w = so_far(m, tag_len);
    return whole_do(m->key.other, &m->key.info, decrypt, &w, out, n, tag);
}

static void finish(struct model *m, struct decisions *d) {
    const unsigned how = take_byte(d);
    const bool checks = m->key.info.tag_lengths && m->decrypt;
    uint8_t want_out[MOST + WHOLE_MORE], tag[16];
    size_t n = 0, got = 77;
    cdz_status want;
    if (how & 1 && (m->phase == AAD || m->phase == DATA)) { /* the rest of what was told */
        while (m->phase == AAD && m->aad_total != CDZ_UNKNOWN && m->aad_len < m->aad_total &&
               m->aad_total <= MOST_AAD) {
            MUST(cdz_aad(m->key.c, m->aad + m->aad_len, (size_t)m->aad_total - m->aad_len) == CDZ_OK);
            m->aad_len = (size_t)m->aad_total;
        }
        if (checks && !m->tag_len) {
            m->tag_len = longest_tag(m);
            memcpy(m->tag, m->right, 16);
            MUST(cdz_expect_tag(m->key.c, m->tag, m->tag_len) == CDZ_OK);
        }
    }
    if (!m->key.info.streaming)
        want = CDZ_ERR_UNSUPPORTED;
    else if (m->phase != AAD && m->phase != DATA)
        want = CDZ_ERR_STATE;
    else if (checks && !m->tag_len)
        want = CDZ_ERR_TAG_MISSING;
    else if (!is_complete(m))
        want = CDZ_ERR_LENGTH;
    else {
        if (m->decrypt) memcpy(tag, m->tag, 16);
        want = other_side(m, m->decrypt, want_out, &n, tag, m->decrypt ? m->tag_len : longest_tag(m));
        MUST(want == CDZ_OK || want == CDZ_ERR_LENGTH || want == CDZ_ERR_AUTH || want == CDZ_ERR_PADDING);
    }
    const size_t rest = want == CDZ_OK ? n - m->out_len : 0;
    MUST(rest <= 32);
    if (rest) { /* too little room first: nothing is written, and the call can be made again */
        uint8_t *const less = room_with(m->out, rest - 1);
        MUST(cdz_finish(m->key.c, less, rest - 1, &got) == CDZ_ERR_BUFFER && got == rest);
        MUST(rest == 1 || memcmp(less, m->out, rest - 1) == 0);
        free(less);
    }
    /* Room for what a message with a wrong tag holds back: with less of it that is the complaint. */
    const size_t size = want == CDZ_OK ? rest : 32;
    uint8_t *const out = room(size);
    const cdz_status s = cdz_finish(m->key.c, out, size, &got);
    if (s != want)
        fuzz_about("%s on %s and %s: %s of %zu bytes and %zu of associated data, %d instead of %d", m->key.name,
                   cdz_engine_name(m->key.c), cdz_engine_name(m->key.other), m->decrypt ? "decryption" : "encryption",
                   m->len, m->aad_len, (int)s, (int)want);
    MUST(s == want);
    MUST(got == rest);
    if (rest) memcpy(m->out + m->out_len, out, rest);
    free(out);
    if (want == CDZ_ERR_UNSUPPORTED || want == CDZ_ERR_STATE || want == CDZ_ERR_TAG_MISSING) return;
    m->phase = want == CDZ_OK ? ENDED : FAILED;
    if (want != CDZ_OK) return;
    m->out_len = n;
    if (fuzz_planted() && n > 100 && m->aad_len == 17) m->out[99] ^= 1;
    MUST(!n || memcmp(m->out, want_out, n) == 0);
    if (m->decrypt) return;
    memcpy(m->tag, tag, 16);
    const struct whole w = so_far(m, longest_tag(m));
    whole_compare(&m->key, &w, want_out, n, tag);
}

static void finish_unchecked(struct model *m) {
    uint8_t tag[16], out[MOST + WHOLE_MORE];
    size_t n;
    cdz_status want = CDZ_OK;
    if (!m->key.info.streaming || m->in_blocks)
        want = CDZ_ERR_UNSUPPORTED;
    else if (!m->key.info.tag_lengths)
        want = CDZ_ERR_TAG_UNUSED;
    else if ((m->phase != AAD && m->phase != DATA) || !m->decrypt)
        want = CDZ_ERR_STATE;
    else if (!is_complete(m))
        want = CDZ_ERR_LENGTH;
    MUST(cdz_finish_unchecked(m->key.c, tag) == want);
    if (want == CDZ_OK || want == CDZ_ERR_LENGTH) m->phase = FAILED;
    if (want != CDZ_OK) return;
    MUST(other_side(m, true, out, &n, tag, longest_tag(m)) == CDZ_OK);
    MUST(n == m->out_len && (!n || memcmp(out, m->out, n) == 0));
}

static void read_tag(struct model *m, struct decisions *d) {
    const size_t n = take_below(d, 18);
    cdz_status want = CDZ_OK;
    if (!m->key.info.streaming)
        want = CDZ_ERR_UNSUPPORTED;
    else if (!m->key.info.tag_lengths)
        want = CDZ_ERR_TAG_UNUSED;
    else if (m->phase != ENDED || m->decrypt)
        want = CDZ_ERR_STATE;
    else if (!n)
        want = CDZ_ERR_TAG_MISSING;
    else if (!has_tag(m, n) || (m->tag_fixed && n != m->tag_fixed))
        want = CDZ_ERR_TAG_LENGTH;
    uint8_t *const exact = room(n);
    MUST(cdz_tag(m->key.c, exact, n) == want);
    MUST(want != CDZ_OK || memcmp(exact, m->tag, n) == 0);
    free(exact);
}

static void chain(struct model *m) {
    uint8_t iv[16];
    unsigned used = 99;
    cdz_status want = CDZ_OK;
    if (!m->chains)
        want = CDZ_ERR_UNSUPPORTED;
    else if (m->phase == IDLE || m->phase == FAILED)
        want = CDZ_ERR_STATE;
    MUST(cdz_chain(m->key.c, iv, &used) == want);
    MUST(want != CDZ_OK || used < 16);
    /* A stream is whole before each call: its register is what came out last. */
    if (want == CDZ_OK && is(m, "CBC") && !m->decrypt && m->out_len >= 16)
        MUST(memcmp(iv, m->out + m->out_len - 16, 16) == 0);
}

static void copy(struct model *m, struct decisions *d) {
    cdz_cipher *c;
    void *memory = NULL;
    if (take_chance(d, 2)) {
        MUST(cdz_cipher_dup(&c, m->key.c) == CDZ_OK);
    } else {
        const size_t size = cdz_cipher_size(m->key.name), shift = take_below(d, 64);
        uint8_t *const block = room(size + shift);
        MUST(cdz_cipher_copy(&c, block + shift, size, m->key.c) == CDZ_OK);
        memory = block;
    }
    MUST(strcmp(cdz_engine_name(c), cdz_engine_name(m->key.c)) == 0);
    cdz_cipher_free(m->key.c); /* wipes it; what cdz_cipher_copy() made is the caller's memory */
    free(m->memory);
    m->key.c = c;
    m->memory = memory;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct decisions d = {data, size};
    static struct model m; /* some 18 KiB */
    memset(&m, 0, sizeof m);
    pair_new(&m.key, &d);
    m.sizes_first = is(&m, "CCM");
    m.tag_first = is(&m, "CCM") || is(&m, "OCB");
    m.chains = strstr(m.key.name, "-CBC") || strstr(m.key.name, "-CFB") || is(&m, "OFB") || is(&m, "CTR");
    m.in_blocks = is(&m, "ECB") || strstr(m.key.name, "-CBC") || is(&m, "XTS") || is(&m, "OCB");
    begin(&m, &d);
    for (int calls = 0; d.left && calls < CALLS; calls++) {
        const unsigned call = take_byte(&d) % 16;
        if (call < 6)
            update(&m, &d);
        else if (call < 8)
            aad(&m, &d);
        else if (call < 9)
            begin(&m, &d);
        else if (call < 10)
            expect_tag(&m, &d);
        else if (call < 12)
            finish(&m, &d);
        else if (call < 13)
            copy(&m, &d);
        else if (call < 14)
            read_tag(&m, &d);
        else if (call < 15)
            chain(&m);
        else
            finish_unchecked(&m);
    }
    finish(&m, &(struct decisions){(const uint8_t[]){1}, 1});
    pair_free(&m.key);
    free(m.memory);
    return 0;
}
