/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public calls: names, objects, one-shot and in pieces.
 *
 * All argument checks of the library are here, made from the numbers in struct cdz_mode, so that no mode and no engine
 * has any. So is the buffering of modes that work on whole blocks: a mode sees runs of whole blocks, and the end.
 *
 * An object is one piece of memory, aligned to 64 bytes, without pointers into itself:
 *
 *     struct cdz_cipher | the mode's values | hash key | engine's key area | second key area (XTS)
 */
#include "mode/mode.h"
#include "util/wipe.h"

#include <stdlib.h>

enum { ALIGN = 64 };

_Static_assert(CDZ_STREAM_IDLE == 0, "what wipe_stream() leaves");

/* Behind every call of a mode: its compiler's spill slots and registers hold what the arrays that it wipes held. */
#define CLEAR_UP(c)   clear_up((c)->behind.most)
#define ROUND_UP(n)   (((n) + (ALIGN - 1)) & ~(size_t)(ALIGN - 1))
#define TO_STRING_(x) #x
#define TO_STRING(x)  TO_STRING_(x)

static void clear_up(size_t bytes) {
    if (bytes) cdz_leave_nothing(bytes);
}

const struct cdz_mode *const cdz_modes[] = {
    &cdz_mode_ecb,
    &cdz_mode_cbc,
    &cdz_mode_cbc_pkcs7,
    &cdz_mode_cbc_cs1,
    &cdz_mode_cbc_cs2,
    &cdz_mode_cbc_cs3,
    &cdz_mode_cfb,
    &cdz_mode_cfb8,
    &cdz_mode_cfb1,
    &cdz_mode_ofb,
    &cdz_mode_ctr,
    &cdz_mode_xts,
    &cdz_mode_gcm,
    &cdz_mode_ccm,
    &cdz_mode_eax,
    &cdz_mode_ocb,
    &cdz_mode_siv,
    &cdz_mode_gcm_siv,
    &cdz_mode_kw,
    &cdz_mode_kwp,
    &cdz_mode_cmac,
    &cdz_mode_gmac,
    NULL,
};

const char *cdz_version(void) {
    return TO_STRING(CDZ_VERSION_MAJOR) "." TO_STRING(CDZ_VERSION_MINOR) "." TO_STRING(CDZ_VERSION_PATCH);
}

const char *cdz_strerror(int status) {
    switch (status) {
    case CDZ_OK:
        return "success";
    case CDZ_ERR_NULL:
        return "a pointer is NULL though its length is not 0";
    case CDZ_ERR_NAME:
        return "there is no algorithm or engine of this name";
    case CDZ_ERR_KEY_LENGTH:
        return "the key has the wrong length";
    case CDZ_ERR_KEY_WEAK:
        return "both halves of the XTS key are equal";
    case CDZ_ERR_IV_LENGTH:
        return "the mode takes no IV of this length";
    case CDZ_ERR_AAD:
        return "the mode has no associated data";
    case CDZ_ERR_TAG_UNUSED:
        return "the mode has no tag";
    case CDZ_ERR_TAG_MISSING:
        return "the tag is missing";
    case CDZ_ERR_TAG_LENGTH:
        return "the mode has no tag of this length";
    case CDZ_ERR_LENGTH:
        return "the message is too short or not a whole number of blocks";
    case CDZ_ERR_LIMIT:
        return "the message, or what comes with it, is longer than the mode, or its key from now on, may process";
    case CDZ_ERR_OVERLAP:
        return "buffers overlap without being the same";
    case CDZ_ERR_BUFFER:
        return "the output buffer is too small";
    case CDZ_ERR_STATE:
        return "calls are out of order";
    case CDZ_ERR_AUTH:
        return "the tag or integrity value is wrong: the message was changed, or the key is another";
    case CDZ_ERR_PADDING:
        return "the padding is wrong: the message was changed, or the key is another";
    case CDZ_ERR_MEMORY:
        return "there is not enough memory";
    case CDZ_ERR_CPU_MASK:
        return "the CPU mask has a word that is no feature with a minus sign";
    case CDZ_ERR_UNSUPPORTED:
        return "the mode does not offer this call";
    case CDZ_ERR_ENGINE:
        return "this CPU, or the CPU mask, does not allow the engine";
    default:
        return "unknown status";
    }
}

/* ---- names ------------------------------------------------------------------------------------ */

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

/* The rest of s after prefix, which is in capitals, or NULL. */
static const char *after(const char *s, const char *prefix) {
    for (; *prefix; s++, prefix++)
        if (upper(*s) != *prefix) return NULL;
    return s;
}

struct name {
    const struct cdz_mode *mode;
    enum cdz_block_cipher cipher;
    size_t key_len; /* of one cipher key */
};

/* Names that are not cadenza's own; OpenSSL's spellings. */
static const struct {
    const char *alias, *name;
} aliases[] = {{"CFB128", "CFB"}, {"CBC-CTS", "CBC-CS1"}, {"WRAP", "KW"}, {"WRAP-PAD", "KWP"}};

static const struct cdz_mode *find_mode(const char *s) {
    for (const struct cdz_mode *const *m = cdz_modes; *m; m++) {
        const char *rest = after(s, (*m)->name);
        if (rest && !*rest) return *m;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const char *rest = after(s, aliases[i].alias);
        if (rest && !*rest) return find_mode(aliases[i].name);
    }
    return NULL;
}

static cdz_status parse_name(struct name *n, const char *name) {
    const char *s;
    if (!name) return CDZ_ERR_NULL;
    if ((s = after(name, "ARIA-")))
        n->cipher = CDZ_ARIA;
    else if ((s = after(name, "AES-")))
        n->cipher = CDZ_AES;
    else
        return CDZ_ERR_NAME;
    if (s[0] == '1' && s[1] == '2' && s[2] == '8')
        n->key_len = 16;
    else if (s[0] == '1' && s[1] == '9' && s[2] == '2')
        n->key_len = 24;
    else if (s[0] == '2' && s[1] == '5' && s[2] == '6')
        n->key_len = 32;
    else
        return CDZ_ERR_NAME;
    if (s[3] != '-') return CDZ_ERR_NAME;
    n->mode = find_mode(s + 4);
    return n->mode && !((n->mode->flags & CDZ_MODE_NO_192) && n->key_len == 24) ? CDZ_OK : CDZ_ERR_NAME;
}

const char *cdz_mode_name(size_t i) {
    for (size_t k = 0; cdz_modes[k]; k++)
        if (k == i) return cdz_modes[k]->name;
    return NULL;
}

cdz_status cdz_describe(cdz_info *info, const char *name) {
    struct name n;
    if (!info) return CDZ_ERR_NULL;
    cdz_status s = parse_name(&n, name);
    if (s != CDZ_OK) return s;
    const struct cdz_mode *m = n.mode;
    *info = (cdz_info){
        .name = m->full[n.cipher][n.key_len / 8 - 2],
        .standard = m->standard,
        .key_len = n.key_len * m->keys,
        .iv_min = m->iv_min,
        .iv_max = m->iv_max,
        .iv_default = m->iv_default,
        .tag_lengths = m->tag_lengths,
        .unit = m->unit,
        .min_len = m->min_len,
        .max_len = m->max_len,
        .max_aad = m->max_aad,
        .one_shot = m->encrypt != NULL,
        .streaming = m->begin != NULL,
        .wraps = m->wrap != NULL,
        .mac = (m->flags & CDZ_MODE_MAC) != 0,
    };
    return CDZ_OK;
}

/* ---- objects -------------------------------------------------------------------------------- */

/* Sets the offsets for these engines; returns the size of the whole. */
static size_t lay_out(struct cdz_cipher *c, const struct cdz_mode *mode, size_t key_size, size_t hash_size) {
    size_t at = ROUND_UP(sizeof *c);
    c->mode_at = (uint32_t)at;
    at += ROUND_UP(mode->area);
    c->hash_at = (uint32_t)at;
    at += hash_size;
    c->key_at[0] = (uint32_t)at;
    at += key_size;
    c->key_at[1] = (uint32_t)at;
    if (mode->keys == 2) at += key_size;
    return at;
}

size_t cdz_cipher_size(const char *name) {
    struct name n;
    struct cdz_cipher c;
    size_t key = 0, hash = 0;
    if (parse_name(&n, name) != CDZ_OK) return 0;
    for (const struct cdz_engine *const *e = cdz_engines; *e; e++)
        if ((*e)->cipher == n.cipher && (*e)->key_size > key) key = (*e)->key_size;
    if (n.mode->flags & CDZ_MODE_HASH)
        for (const struct cdz_hash *const *h = cdz_hashes; *h; h++)
            if ((*h)->key_size > hash) hash = (*h)->key_size;
    return lay_out(&c, n.mode, key, hash) + ALIGN - 1;
}

/* The engines for a name: the best, or those that `names` ("a", "a+b") asks for. */
static cdz_status choose(const struct name *n, const char *names, const struct cdz_engine **engine,
                         const struct cdz_hash **hash) {
    cdz_cpu_set have;
    cdz_status s = cdz_cpu_now(&have);
    if (s != CDZ_OK) return s;
    *engine = cdz_engine_select(n->cipher, have);
    *hash = n->mode->flags & CDZ_MODE_HASH ? cdz_hash_select(have) : NULL;
    while (names) {
        const char *end = strchr(names, '+');
        const size_t len = end ? (size_t)(end - names) : strlen(names);
        const struct cdz_engine *e = NULL;
        const struct cdz_hash *h = NULL;
        for (size_t i = 0; !e && cdz_engines[i]; i++)
            if (cdz_engines[i]->cipher == n->cipher && strlen(cdz_engines[i]->name) == len &&
                !memcmp(cdz_engines[i]->name, names, len))
                e = cdz_engines[i];
        for (size_t i = 0; !e && !h && cdz_hashes[i]; i++)
            if (strlen(cdz_hashes[i]->name) == len && !memcmp(cdz_hashes[i]->name, names, len)) h = cdz_hashes[i];
        if (!e && !h) return CDZ_ERR_NAME;
        if ((e ? e->needs : h->needs) & ~have) return CDZ_ERR_ENGINE;
        if (e) *engine = e;
        if (h && *hash) *hash = h;
        names = end ? end + 1 : NULL;
    }
    return CDZ_OK;
}

/* What is not told otherwise: anything of the mode, and the engines below it. */
static void set_behind(struct cdz_cipher *c) {
    struct cdz_behind *const b = &c->behind;
    const uint16_t whole = (uint16_t)(cdz_mode_stack(c) + c->left);
    b->most = CDZ_MODE_STACK + c->left;
    for (size_t d = 0; d < 2; d++) {
        b->begin[d] = b->most;
        for (size_t part = 0; part < 2; part++) b->whole[d][part] = whole, b->piece[d][part] = b->most;
    }
    if (c->mode->clean) c->mode->clean(c);
}

/* What depends on the key alone, of the length that c says. */
static void key_areas(struct cdz_cipher *c, const uint8_t *key) {
    const struct cdz_mode *const m = c->mode;
    const size_t n = c->key_len;
    c->used = 0;
    c->weak = 0;
    c->engine->set_key((uint8_t *)c + c->key_at[0], key, n);
    if (m->keys == 2) {
        c->engine->set_key((uint8_t *)c + c->key_at[1], key + n, n);
        /* Only whether the halves are equal becomes known, and only by the error that says so. */
        c->weak = (m->flags & CDZ_MODE_WEAK_EQUAL) && cdz_declassify_mask(cdz_equal_mask(key, key + n, n));
    }
    if (m->setup) m->setup(c);
    cdz_clear_behind_keys(c, m->setup || m->keys == 2 ? CDZ_MODE_STACK : CDZ_CLEAN_FRAMES);
}

/* Everything but the memory. `at` is where the object may begin, with `size` bytes behind it; NULL: malloc. */
static cdz_status make(cdz_cipher **out, const char *engines, void *mem, size_t size, const char *name,
                       const uint8_t *key, size_t key_len) {
    struct name n;
    struct cdz_cipher h; /* the head; of its stream only the phase is set */
    if (!out) return CDZ_ERR_NULL;
    *out = NULL;
    cdz_status s = parse_name(&n, name);
    if (s != CDZ_OK) return s;
    if (key_len != n.key_len * n.mode->keys) return CDZ_ERR_KEY_LENGTH;
    if (!key) return CDZ_ERR_NULL;
    if ((s = choose(&n, engines, &h.engine, &h.hash)) != CDZ_OK) return s;
    const size_t total = lay_out(&h, n.mode, h.engine->key_size, h.hash ? h.hash->key_size : 0);
    uint8_t *block = mem;
    if (!block && !(block = malloc(total + ALIGN - 1))) return CDZ_ERR_MEMORY;
    const size_t shift = (size_t)(-(uintptr_t)block & (ALIGN - 1));
    if (mem && size < total + shift) return CDZ_ERR_BUFFER;

    struct cdz_cipher *c = (struct cdz_cipher *)(void *)(block + shift);
    c->mode = n.mode;
    c->engine = h.engine;
    c->hash = h.hash;
    c->size = (uint32_t)total;
    c->mode_at = h.mode_at;
    c->hash_at = h.hash_at;
    c->key_at[0] = h.key_at[0];
    c->key_at[1] = h.key_at[1];
    c->cipher = (uint8_t)n.cipher;
    c->key_len = (uint8_t)n.key_len;
    c->own = mem == NULL;
    c->left = c->hash && c->hash->stack > c->engine->stack ? c->hash->stack : c->engine->stack;
    set_behind(c);
    c->shift = (uint32_t)shift;
    c->s.phase = CDZ_STREAM_IDLE;
    if (c->hash) {
        const size_t e = strlen(c->engine->name), g = strlen(c->hash->name); /* all engine names are short */
        memcpy(c->engines, c->engine->name, e);
        c->engines[e] = '+';
        memcpy(c->engines + e + 1, c->hash->name, g + 1);
    }
    key_areas(c, key);
    *out = c;
    return CDZ_OK;
}

cdz_status cdz_cipher_new(cdz_cipher **c, const char *name, const uint8_t *key, size_t key_len) {
    return make(c, NULL, NULL, 0, name, key, key_len);
}

cdz_status cdz_cipher_new_on(cdz_cipher **c, const char *engine, const char *name, const uint8_t *key, size_t key_len) {
    return make(c, engine, NULL, 0, name, key, key_len);
}

cdz_status cdz_cipher_init(cdz_cipher **c, void *mem, size_t size, const char *name, const uint8_t *key,
                           size_t key_len) {
    if (c) *c = NULL;
    if (!mem) return CDZ_ERR_NULL;
    return make(c, NULL, mem, size, name, key, key_len);
}

/* In pieces: for the whole of it the compiler takes an instruction that takes 30 cycles to begin. */
static void wipe_stream(struct cdz_stream *s) {
    enum { PIECE = 64 };
    uint8_t *const p = (uint8_t *)s;
    size_t at = 0;
    for (; at + PIECE <= sizeof *s; at += PIECE) cdz_wipe(p + at, PIECE);
    cdz_wipe(p + at, sizeof *s % PIECE);
}

cdz_status cdz_cipher_set_key(cdz_cipher *c, const uint8_t *key, size_t key_len) {
    if (!c) return CDZ_ERR_NULL;
    if (key_len != (size_t)c->key_len * c->mode->keys) return CDZ_ERR_KEY_LENGTH;
    if (!key) return CDZ_ERR_NULL;
    wipe_stream(&c->s);
    key_areas(c, key);
    return CDZ_OK;
}

void cdz_cipher_wipe(cdz_cipher *c) {
    if (c) cdz_wipe(c, c->size);
}

void cdz_cipher_free(cdz_cipher *c) {
    if (!c) return;
    uint8_t *block = (uint8_t *)c - c->shift;
    const int own = c->own;
    cdz_wipe(c, c->size);
    if (own) free(block);
}

static cdz_status copy(cdz_cipher **out, void *mem, size_t size, const cdz_cipher *c) {
    if (!out) return CDZ_ERR_NULL;
    *out = NULL;
    if (!c) return CDZ_ERR_NULL;
    uint8_t *block = mem;
    if (!block && !(block = malloc(c->size + ALIGN - 1))) return CDZ_ERR_MEMORY;
    const size_t shift = (size_t)(-(uintptr_t)block & (ALIGN - 1));
    if (mem && size < c->size + shift) return CDZ_ERR_BUFFER;
    struct cdz_cipher *d = (struct cdz_cipher *)(void *)(block + shift);
    cdz_copy(d, c, c->size);
    cdz_leave_nothing(256);
    d->own = mem == NULL;
    d->shift = (uint32_t)shift;
    *out = d;
    return CDZ_OK;
}

cdz_status cdz_cipher_dup(cdz_cipher **out, const cdz_cipher *c) { return copy(out, NULL, 0, c); }

cdz_status cdz_cipher_copy(cdz_cipher **out, void *mem, size_t size, const cdz_cipher *c) {
    if (out) *out = NULL;
    if (!mem) return CDZ_ERR_NULL;
    return copy(out, mem, size, c);
}

const char *cdz_cipher_name(const cdz_cipher *c) { return c ? c->mode->full[c->cipher][c->key_len / 8 - 2] : ""; }

const char *cdz_engine_name(const cdz_cipher *c) {
    if (!c) return "";
    return c->hash ? c->engines : c->engine->name;
}

/* ---- checks ------------------------------------------------------------------------------------ */

static bool disjoint(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len) {
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return !a_len || !b_len || (x < y ? y - x >= a_len : x - y >= b_len);
}

static bool has_tag_length(const struct cdz_mode *m, size_t tag_len) {
    return tag_len <= CDZ_TAG_MAX && (m->tag_lengths >> tag_len & 1);
}

static uint64_t blocks_of(uint64_t bytes) { return bytes / 16 + (bytes % 16 > 0); }

cdz_status cdz_check_message(const cdz_cipher *c, const struct cdz_message *m, const uint8_t *tag, bool decrypt) {
    if (!c) return CDZ_ERR_NULL;
    const struct cdz_mode *mode = c->mode;
    if (!mode->encrypt) return CDZ_ERR_UNSUPPORTED;
    if (m->iv_len < mode->iv_min || m->iv_len > mode->iv_max) return CDZ_ERR_IV_LENGTH;
    if (!mode->tag_lengths) {
        if (m->aad_len) return CDZ_ERR_AAD;
        if (m->tag_len) return CDZ_ERR_TAG_UNUSED;
    } else {
        if (!m->tag_len) return CDZ_ERR_TAG_MISSING;
        if (!has_tag_length(mode, m->tag_len)) return CDZ_ERR_TAG_LENGTH;
        if (m->aad_len > mode->max_aad) return CDZ_ERR_LIMIT;
    }
    if (m->len & (mode->unit - 1) || m->len < mode->min_len) return CDZ_ERR_LENGTH;
    if (m->len > mode->max_len) return CDZ_ERR_LIMIT;
    if (mode->check) {
        const cdz_status s = mode->check(m->iv_len, m->len);
        if (s != CDZ_OK) return s;
    }
    if ((m->len && (!m->in || !m->out)) || (m->iv_len && !m->iv) || (m->aad_len && !m->aad) || (m->tag_len && !tag))
        return CDZ_ERR_NULL;
    if ((m->in != m->out && !disjoint(m->in, m->len, m->out, m->len)) || !disjoint(m->iv, m->iv_len, m->out, m->len) ||
        !disjoint(m->aad, m->aad_len, m->out, m->len) || !disjoint(tag, m->tag_len, m->out, m->len))
        return CDZ_ERR_OVERLAP;
    if (decrypt) return CDZ_OK;
    if (c->weak) return CDZ_ERR_KEY_WEAK;
    /* The object is const here: the message must fit, and is not counted. */
    if (mode->key_blocks && blocks_of(m->len) + blocks_of(m->aad_len) > mode->key_blocks - c->used)
        return CDZ_ERR_LIMIT;
    return CDZ_OK;
}

bool cdz_spend_bytes(cdz_cipher *c, uint64_t so_far, size_t len) {
    const uint64_t blocks = blocks_of(so_far + len) - blocks_of(so_far); /* no overflow: may_follow() */
    if (blocks > c->mode->key_blocks - c->used) return false;
    c->used += blocks;
    return true;
}

cdz_status cdz_check_tag(const uint8_t made[16], const uint8_t *tag, size_t tag_len, uint8_t *out, size_t len) {
    if (cdz_declassify_mask(cdz_equal_mask(made, tag, tag_len))) return CDZ_OK;
    if (len) cdz_wipe(out, len);
    return CDZ_ERR_AUTH;
}

/* ---- whole messages ----------------------------------------------------------------------------- */

cdz_status cdz_encrypt(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *aad, size_t aad_len,
                       const uint8_t *in, size_t len, uint8_t *out, uint8_t *tag, size_t tag_len) {
    const struct cdz_message m = {.iv = iv,
                                  .iv_len = iv_len,
                                  .aad = aad,
                                  .aad_len = aad_len,
                                  .in = in,
                                  .out = out,
                                  .len = len,
                                  .tag_len = tag_len};
    cdz_status s = cdz_check_message(c, &m, tag, false);
    if (s != CDZ_OK) return s;
    if (!tag_len) {
        c->mode->encrypt(c, &m, NULL);
        clear_up(c->behind.whole[0][(len & 15) > 0]);
        return CDZ_OK;
    }
    uint8_t made[CDZ_TAG_MAX];
    c->mode->encrypt(c, &m, made);
    clear_up(c->behind.whole[0][(len & 15) > 0]);
    memcpy(tag, made, tag_len);
    cdz_wipe(made, sizeof made); /* the part that a short tag leaves out is nobody's */
    return CDZ_OK;
}

cdz_status cdz_decrypt(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *aad, size_t aad_len,
                       const uint8_t *in, size_t len, uint8_t *out, const uint8_t *tag, size_t tag_len) {
    const struct cdz_message m = {.iv = iv,
                                  .iv_len = iv_len,
                                  .aad = aad,
                                  .aad_len = aad_len,
                                  .in = in,
                                  .out = out,
                                  .len = len,
                                  .tag_len = tag_len,
                                  .tag = tag};
    cdz_status s = cdz_check_message(c, &m, tag, true);
    if (s != CDZ_OK) return s;
    if (!tag_len) {
        c->mode->decrypt(c, &m, NULL);
        clear_up(c->behind.whole[1][(len & 15) > 0]);
        return CDZ_OK;
    }
    uint8_t made[CDZ_TAG_MAX];
    c->mode->decrypt(c, &m, made);
    s = cdz_check_tag(made, tag, tag_len, out, len);
    cdz_wipe(made, sizeof made);
    clear_up(c->behind.whole[1][(len & 15) > 0]);
    return s;
}

/* SIV with a list of strings: the same, with the list checked beside the rest. */
static cdz_status siv(const cdz_cipher *c, const cdz_bytes *strings, size_t n, const uint8_t *in, size_t len,
                      uint8_t *out, uint8_t *made, const uint8_t *given, const uint8_t *tag) {
    const struct cdz_message m = {.in = in,
                                  .out = out,
                                  .len = len,
                                  .tag_len = CDZ_TAG_MAX,
                                  .tag = given,
                                  .strings = strings,
                                  .n_strings = n,
                                  .list = true};
    if (!c) return CDZ_ERR_NULL;
    if (!(c->mode->flags & CDZ_MODE_STRINGS)) return CDZ_ERR_UNSUPPORTED;
    if (n > CDZ_STRINGS_MAX) return CDZ_ERR_LIMIT;
    if (n && !strings) return CDZ_ERR_NULL;
    for (size_t i = 0; i < n; i++)
        if (strings[i].len && !strings[i].data) return CDZ_ERR_NULL;
    cdz_status s = cdz_check_message(c, &m, tag, given != NULL);
    if (s != CDZ_OK) return s;
    for (size_t i = 0; i < n; i++)
        if (!disjoint(strings[i].data, strings[i].len, out, len)) return CDZ_ERR_OVERLAP;
    (given ? c->mode->decrypt : c->mode->encrypt)(c, &m, made);
    CLEAR_UP(c);
    return CDZ_OK;
}

cdz_status cdz_siv_encrypt(const cdz_cipher *c, const cdz_bytes *strings, size_t n, const uint8_t *in, size_t len,
                           uint8_t *out, uint8_t tag[16]) {
    uint8_t made[CDZ_TAG_MAX];
    const cdz_status s = siv(c, strings, n, in, len, out, made, NULL, tag);
    if (s == CDZ_OK) memcpy(tag, made, sizeof made);
    return s;
}

cdz_status cdz_siv_decrypt(const cdz_cipher *c, const cdz_bytes *strings, size_t n, const uint8_t *in, size_t len,
                           uint8_t *out, const uint8_t tag[16]) {
    uint8_t made[CDZ_TAG_MAX];
    if (!tag) return CDZ_ERR_NULL;
    cdz_status s = siv(c, strings, n, in, len, out, made, tag, tag);
    if (s != CDZ_OK) return s;
    s = cdz_check_tag(made, tag, CDZ_TAG_MAX, out, len);
    cdz_wipe(made, sizeof made);
    CLEAR_UP(c);
    return s;
}

cdz_status cdz_mac(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *data, size_t len, uint8_t *tag,
                   size_t tag_len) {
    if (c && !(c->mode->flags & CDZ_MODE_MAC)) return CDZ_ERR_UNSUPPORTED;
    return cdz_encrypt(c, iv, iv_len, data, len, NULL, 0, NULL, tag, tag_len);
}

cdz_status cdz_mac_verify(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *data, size_t len,
                          const uint8_t *tag, size_t tag_len) {
    if (c && !(c->mode->flags & CDZ_MODE_MAC)) return CDZ_ERR_UNSUPPORTED;
    return cdz_decrypt(c, iv, iv_len, data, len, NULL, 0, NULL, tag, tag_len);
}

/* ---- key wrap ---------------------------------------------------------------------------------- */

enum { SEMIBLOCK = 8 };

/* How many bytes wrap() makes of len, which is at most the mode's max_len. */
static uint64_t wrapped_len(uint64_t len) { return ((len + 7) & ~UINT64_C(7)) + SEMIBLOCK; }

/* What both directions check, with the room that the output needs. */
static cdz_status check_wrap(const struct cdz_message *m, size_t need, size_t cap, size_t *out_len) {
    if (!m->in || (m->iv_len && !m->iv)) return CDZ_ERR_NULL;
    if (cap < need) {
        *out_len = need;
        return CDZ_ERR_BUFFER;
    }
    if (!m->out) return CDZ_ERR_NULL;
    if ((m->in != m->out && !disjoint(m->in, m->len, m->out, need)) || !disjoint(m->iv, m->iv_len, m->out, need))
        return CDZ_ERR_OVERLAP;
    return CDZ_OK;
}

cdz_status cdz_wrap(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *in, size_t len, uint8_t *out,
                    size_t cap, size_t *out_len) {
    const struct cdz_message m = {.iv = iv, .iv_len = iv_len, .in = in, .out = out, .len = len};
    size_t dummy;
    if (!out_len) out_len = &dummy;
    *out_len = 0;
    if (!c) return CDZ_ERR_NULL;
    if (!c->mode->wrap) return CDZ_ERR_UNSUPPORTED;
    if (iv_len && iv_len != c->mode->iv_max) return CDZ_ERR_IV_LENGTH;
    if (len & (c->mode->unit - 1) || len < c->mode->min_len) return CDZ_ERR_LENGTH;
    if (len > c->mode->max_len || wrapped_len(len) > SIZE_MAX) return CDZ_ERR_LIMIT;
    const size_t need = (size_t)wrapped_len(len);
    const cdz_status s = check_wrap(&m, need, cap, out_len);
    if (s != CDZ_OK) return s;
    c->mode->wrap(c, &m);
    CLEAR_UP(c);
    *out_len = need;
    return CDZ_OK;
}

cdz_status cdz_unwrap(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *in, size_t len,
                      uint8_t *out, size_t cap, size_t *out_len) {
    const struct cdz_message m = {.iv = iv, .iv_len = iv_len, .in = in, .out = out, .len = len};
    size_t dummy, n;
    if (!out_len) out_len = &dummy;
    *out_len = 0;
    if (!c) return CDZ_ERR_NULL;
    if (!c->mode->wrap) return CDZ_ERR_UNSUPPORTED;
    if (iv_len && iv_len != c->mode->iv_max) return CDZ_ERR_IV_LENGTH;
    if (len % SEMIBLOCK || len < wrapped_len(c->mode->min_len)) return CDZ_ERR_LENGTH;
    if (len > wrapped_len(c->mode->max_len)) return CDZ_ERR_LIMIT;
    cdz_status s = check_wrap(&m, len - SEMIBLOCK, cap, out_len);
    if (s != CDZ_OK) return s;
    const bool right = cdz_declassify_mask(c->mode->unwrap(c, &m, &n));
    CLEAR_UP(c);
    if (!right) {
        cdz_wipe(out, len - SEMIBLOCK);
        return CDZ_ERR_AUTH;
    }
    CDZ_DECLASSIFY(&n, sizeof n);
    *out_len = n;
    return CDZ_OK;
}

/* ---- messages in pieces ------------------------------------------------------------------------- */

cdz_status cdz_begin(cdz_cipher *c, cdz_direction direction, const uint8_t *iv, size_t iv_len) {
    return cdz_begin_sized(c, direction, iv, iv_len, CDZ_UNKNOWN, CDZ_UNKNOWN, 0);
}

cdz_status cdz_begin_sized(cdz_cipher *c, cdz_direction direction, const uint8_t *iv, size_t iv_len, uint64_t aad_len,
                           uint64_t len, size_t tag_len) {
    if (!c) return CDZ_ERR_NULL;
    const struct cdz_mode *m = c->mode;
    if (!m->begin) return CDZ_ERR_UNSUPPORTED;
    if (direction != CDZ_ENCRYPT && direction != CDZ_DECRYPT) return CDZ_ERR_STATE;
    if (iv_len < m->iv_min || iv_len > m->iv_max) return CDZ_ERR_IV_LENGTH;
    if (!m->tag_lengths) {
        if (tag_len) return CDZ_ERR_TAG_UNUSED;
        if (aad_len && aad_len != CDZ_UNKNOWN) return CDZ_ERR_AAD;
    } else if (tag_len && !has_tag_length(m, tag_len)) {
        return CDZ_ERR_TAG_LENGTH;
    }
    if ((m->flags & CDZ_MODE_SIZES_FIRST) && (aad_len == CDZ_UNKNOWN || len == CDZ_UNKNOWN)) return CDZ_ERR_LENGTH;
    if (aad_len != CDZ_UNKNOWN && aad_len > m->max_aad) return CDZ_ERR_LIMIT;
    if (len != CDZ_UNKNOWN) {
        if (len > m->max_len) return CDZ_ERR_LIMIT;
        if (len < m->min_len || len & (m->unit - 1)) return CDZ_ERR_LENGTH;
        if (m->check && m->check(iv_len, len) != CDZ_OK) return CDZ_ERR_LIMIT;
    }
    if (iv_len && !iv) return CDZ_ERR_NULL;
    if (c->weak && direction == CDZ_ENCRYPT) return CDZ_ERR_KEY_WEAK;
    if (!tag_len && (m->flags & CDZ_MODE_TAG_FIRST)) tag_len = CDZ_TAG_MAX;
    uint8_t copy_of_iv[CDZ_BLOCK_SIZE]; /* iv may be what cdz_chain() gave, or even lie in the object */
    if (iv_len && iv_len <= sizeof copy_of_iv) iv = memcpy(copy_of_iv, iv, iv_len);
    wipe_stream(&c->s);
    c->s.phase = CDZ_STREAM_AAD;
    c->s.direction = (uint8_t)direction;
    c->s.tag_fixed = (uint8_t)tag_len;
    c->s.aad_total = aad_len;
    c->s.total = len;
    m->begin(c, iv, iv_len);
    clear_up(c->s.secret ? c->behind.most : c->behind.begin[c->s.direction == CDZ_DECRYPT]);
    return CDZ_OK;
}

/* Whether `more` bytes may follow `so_far`, of which at most max are allowed and, where told, `total` announced. */
static cdz_status may_follow(uint64_t so_far, size_t more, uint64_t max, uint64_t total) {
    if (more > max || so_far > max - more) return CDZ_ERR_LIMIT;
    if (total != CDZ_UNKNOWN && so_far + more > total) return CDZ_ERR_LENGTH;
    return CDZ_OK;
}

cdz_status cdz_aad(cdz_cipher *c, const uint8_t *aad, size_t aad_len) {
    if (!c) return CDZ_ERR_NULL;
    const struct cdz_mode *m = c->mode;
    if (!m->begin) return CDZ_ERR_UNSUPPORTED;
    if (!m->aad) return CDZ_ERR_AAD;
    if (c->s.phase != CDZ_STREAM_AAD) return CDZ_ERR_STATE;
    cdz_status s = may_follow(c->s.aad_len, aad_len, m->max_aad, c->s.aad_total);
    if (s != CDZ_OK) return s;
    if (!aad_len) return CDZ_OK;
    if (!aad) return CDZ_ERR_NULL;
    if (m->key_blocks && c->s.direction == CDZ_ENCRYPT && !cdz_spend_bytes(c, c->s.aad_len, aad_len))
        return CDZ_ERR_LIMIT;
    m->aad(c, aad, aad_len);
    clear_up(c->s.secret ? c->behind.most : c->behind.begin[c->s.direction == CDZ_DECRYPT]);
    c->s.aad_len += aad_len;
    return CDZ_OK;
}

/*
 * Modes on whole blocks. `release` bytes (whole blocks) of hold[] and then `in` go through the mode to `out`; what is
 * left of `in` goes to hold[]. Output lags behind input by the held bytes, so with out == in a block written covers
 * input bytes that were not read yet: these are saved in hold[] first.
 *
 *     hold: |h h h|  in: |i i i i i i i i ...        out: written from in[0] on, `held` bytes behind what was read
 */
struct run {
    const uint8_t *in;
    uint8_t *out;
    size_t len, release;
};

static CDZ_KERNEL void through_bounce(struct cdz_cipher *c, struct run *r) {
    struct cdz_stream *s = &c->s;
    uint8_t bounce[1024];
    size_t bounced = 0;
    while (r->release && s->held) {
        const size_t n = r->release < sizeof bounce ? r->release : sizeof bounce;
        const size_t from_hold = n < s->held ? n : s->held, from_in = n - from_hold;
        const size_t saved = n < r->len ? n : r->len; /* in[from_in, saved) is about to be overwritten */
        memcpy(bounce, s->hold, from_hold);
        memcpy(bounce + from_hold, r->in, from_in);
        memmove(s->hold, s->hold + from_hold, s->held - from_hold);
        s->held = (uint8_t)(s->held - from_hold);
        memcpy(s->hold + s->held, r->in + from_in, saved - from_in);
        s->held = (uint8_t)(s->held + saved - from_in);
        c->mode->update(c, bounce, r->out, n);
        bounced = n > bounced ? n : bounced;
        r->in += saved, r->len -= saved, r->out += n, r->release -= n;
    }
    cdz_wipe(bounce, bounced);
}

static void through_blocks(struct cdz_cipher *c, struct run r) {
    struct cdz_stream *s = &c->s;
    if (s->held && r.out == r.in) {
        through_bounce(c, &r);
        cdz_clear_behind(c, 1024 + CDZ_MODE_STACK);
    } else if (s->held && r.release) {
        /* Complete the blocks in hold[] (one or two), then go on straight from the input. */
        size_t n = ((size_t)s->held + 15) & ~(size_t)15;
        if (n > r.release) n = r.release;
        const size_t fill = n > s->held ? n - s->held : 0;
        memcpy(s->hold + s->held, r.in, fill);
        c->mode->update(c, s->hold, r.out, n);
        s->held = (uint8_t)(s->held + fill - n);
        memmove(s->hold, s->hold + n, s->held);
        r.in += fill, r.len -= fill, r.out += n, r.release -= n;
    }
    if (r.release) { /* hold[] is empty here */
        c->mode->update(c, r.in, r.out, r.release);
        r.in += r.release, r.len -= r.release;
    }
    if (r.len) memcpy(s->hold + s->held, r.in, r.len);
    s->held = (uint8_t)(s->held + r.len);
}

cdz_status cdz_update(cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t cap, size_t *out_len) {
    size_t dummy;
    if (!out_len) out_len = &dummy;
    *out_len = 0;
    if (!c) return CDZ_ERR_NULL;
    const struct cdz_mode *m = c->mode;
    struct cdz_stream *s = &c->s;
    if (!m->begin) return CDZ_ERR_UNSUPPORTED;
    if (s->phase != CDZ_STREAM_AAD && s->phase != CDZ_STREAM_DATA) return CDZ_ERR_STATE;
    if (s->phase == CDZ_STREAM_AAD && s->aad_total != CDZ_UNKNOWN && s->aad_len != s->aad_total && len)
        return CDZ_ERR_LENGTH;
    cdz_status e = may_follow(s->len, len, m->max_len, s->total);
    if (e != CDZ_OK) return e;
    if (!len) return CDZ_OK;
    if (!in) return CDZ_ERR_NULL;
    size_t release = len;
    if (m->flags & CDZ_MODE_BLOCKS) {
        const size_t keep = s->direction == CDZ_ENCRYPT ? m->hold_encrypt : m->hold_decrypt;
        const size_t all = s->held + len;
        release = all < keep ? 0 : (all - keep) & ~(size_t)15;
    }
    if (release > cap) {
        *out_len = release;
        return CDZ_ERR_BUFFER;
    }
    if (release && !out) return CDZ_ERR_NULL;
    if (in != out && !disjoint(in, len, out, release)) return CDZ_ERR_OVERLAP;
    if (m->key_blocks && s->direction == CDZ_ENCRYPT && !cdz_spend_bytes(c, s->len, len)) return CDZ_ERR_LIMIT;
    s->phase = CDZ_STREAM_DATA;
    const bool at_border = !(s->used | s->held | s->aad_used | s->secret);
    if (m->flags & CDZ_MODE_BLOCKS)
        through_blocks(c, (struct run){in, out, len, release});
    else
        m->update(c, in, out, len);
    clear_up(at_border ? c->behind.piece[s->direction == CDZ_DECRYPT][(len & 15) > 0] : c->behind.most);
    s->len += len;
    *out_len = release;
    return CDZ_OK;
}

cdz_status cdz_expect_tag(cdz_cipher *c, const uint8_t *tag, size_t tag_len) {
    if (!c) return CDZ_ERR_NULL;
    struct cdz_stream *s = &c->s;
    if (!c->mode->begin) return CDZ_ERR_UNSUPPORTED;
    if (!c->mode->tag_lengths) return CDZ_ERR_TAG_UNUSED;
    if ((s->phase != CDZ_STREAM_AAD && s->phase != CDZ_STREAM_DATA) || s->direction != CDZ_DECRYPT)
        return CDZ_ERR_STATE;
    if (!tag_len) return CDZ_ERR_TAG_MISSING;
    if (!has_tag_length(c->mode, tag_len) || (s->tag_fixed && s->tag_fixed != tag_len)) return CDZ_ERR_TAG_LENGTH;
    if (!tag) return CDZ_ERR_NULL;
    memcpy(s->tag, tag, tag_len);
    s->tag_len = (uint8_t)tag_len;
    s->tag_given = 1;
    return CDZ_OK;
}

/* Whether as much came in as the mode wants and as was told. */
static bool is_complete(const cdz_cipher *c) {
    const struct cdz_stream *s = &c->s;
    return s->len >= c->mode->min_len && (s->total == CDZ_UNKNOWN || s->len == s->total) &&
           (s->aad_total == CDZ_UNKNOWN || s->aad_len == s->aad_total);
}

cdz_status cdz_finish(cdz_cipher *c, uint8_t *out, size_t cap, size_t *out_len) {
    size_t dummy;
    if (!out_len) out_len = &dummy;
    *out_len = 0;
    if (!c) return CDZ_ERR_NULL;
    const struct cdz_mode *m = c->mode;
    struct cdz_stream *s = &c->s;
    if (!m->begin) return CDZ_ERR_UNSUPPORTED;
    if (s->phase != CDZ_STREAM_AAD && s->phase != CDZ_STREAM_DATA) return CDZ_ERR_STATE;
    const bool checks = m->tag_lengths && s->direction == CDZ_DECRYPT;
    if (checks && !s->tag_given) return CDZ_ERR_TAG_MISSING;
    if (!is_complete(c)) {
        s->phase = CDZ_STREAM_FAILED;
        return CDZ_ERR_LENGTH;
    }

    /* A mode that holds data back makes the end on a copy of the state, since how much it writes shows only afterwards.
     * The others write nothing at the end. */
    const bool writes = m->flags & CDZ_MODE_BLOCKS;
    struct cdz_stream before;
    if (writes) cdz_copy(&before, s, sizeof before);
    uint8_t last[64], made[CDZ_TAG_MAX];
    size_t n = 0;
    cdz_status e = m->finish(c, writes ? before.hold : s->hold, s->held, last, &n, made);
    if (e == CDZ_OK && n > cap) {
        cdz_copy(s, &before, sizeof before);
        *out_len = n;
        e = CDZ_ERR_BUFFER;
    } else if (e == CDZ_OK && n && !out) {
        cdz_copy(s, &before, sizeof before);
        e = CDZ_ERR_NULL;
    } else {
        s->phase = CDZ_STREAM_DONE;
        if (e == CDZ_OK && checks && !cdz_declassify_mask(cdz_equal_mask(made, s->tag, s->tag_len))) e = CDZ_ERR_AUTH;
        if (e != CDZ_OK) {
            s->phase = CDZ_STREAM_FAILED;
        } else {
            if (n) memcpy(out, last, n);
            *out_len = n;
            if (!checks && m->tag_lengths) memcpy(s->tag, made, sizeof made);
        }
    }
    if (writes) {
        wipe_stream(&before);
        cdz_wipe(last, sizeof last);
    }
    cdz_wipe(made, sizeof made);
    CLEAR_UP(c);
    return e;
}

cdz_status cdz_finish_unchecked(cdz_cipher *c, uint8_t tag[CDZ_TAG_MAX]) {
    if (!c) return CDZ_ERR_NULL;
    const struct cdz_mode *m = c->mode;
    struct cdz_stream *s = &c->s;
    /* A mode that holds data back would have some to write here, unverified. */
    if (!m->begin || (m->flags & CDZ_MODE_BLOCKS)) return CDZ_ERR_UNSUPPORTED;
    if (!m->tag_lengths) return CDZ_ERR_TAG_UNUSED;
    if ((s->phase != CDZ_STREAM_AAD && s->phase != CDZ_STREAM_DATA) || s->direction != CDZ_DECRYPT)
        return CDZ_ERR_STATE;
    if (!tag) return CDZ_ERR_NULL;
    s->phase = CDZ_STREAM_FAILED; /* nothing but a new message may follow */
    if (!is_complete(c)) return CDZ_ERR_LENGTH;
    uint8_t none[64];
    size_t n = 0;
    const cdz_status e = m->finish(c, s->hold, 0, none, &n, tag);
    CLEAR_UP(c);
    return e;
}

cdz_status cdz_tag(const cdz_cipher *c, uint8_t *tag, size_t tag_len) {
    if (!c) return CDZ_ERR_NULL;
    if (!c->mode->begin) return CDZ_ERR_UNSUPPORTED;
    if (!c->mode->tag_lengths) return CDZ_ERR_TAG_UNUSED;
    if (c->s.phase != CDZ_STREAM_DONE || c->s.direction != CDZ_ENCRYPT) return CDZ_ERR_STATE;
    if (!tag_len) return CDZ_ERR_TAG_MISSING;
    if (!has_tag_length(c->mode, tag_len) || (c->s.tag_fixed && c->s.tag_fixed != tag_len)) return CDZ_ERR_TAG_LENGTH;
    if (!tag) return CDZ_ERR_NULL;
    memcpy(tag, c->s.tag, tag_len);
    return CDZ_OK;
}

cdz_status cdz_chain(const cdz_cipher *c, uint8_t iv[CDZ_BLOCK_SIZE], unsigned *used) {
    if (!c || !iv) return CDZ_ERR_NULL;
    if (!(c->mode->flags & CDZ_MODE_CHAIN)) return CDZ_ERR_UNSUPPORTED;
    if (c->s.phase == CDZ_STREAM_IDLE || c->s.phase == CDZ_STREAM_FAILED) return CDZ_ERR_STATE;
    memcpy(iv, c->s.chain, CDZ_BLOCK_SIZE);
    if (used) *used = c->s.used;
    return CDZ_OK;
}
