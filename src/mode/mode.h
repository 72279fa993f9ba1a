/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mode contract. A mode knows neither the cipher nor the CPU: it calls the bound engine (engine.h) and hash.
 *
 * cipher.c has checked, from the numbers in this struct, every length, the overlap rules and the order of the calls
 * before a mode is called: so a mode has no argument errors of its own but those that its standard alone explains.
 */
#ifndef CDZ_MODE_H
#define CDZ_MODE_H

#include "../engine.h"
#include "../util/bytes.h"
#include "../util/secret.h"
#include "../util/wipe.h"

#include <stdbool.h>

enum { CDZ_STREAM_IDLE, CDZ_STREAM_AAD, CDZ_STREAM_DATA, CDZ_STREAM_DONE, CDZ_STREAM_FAILED };

/* Strings of associated data in SIV: 127 components (RFC 5297, 2.6 and 7), of which the plaintext is the last. */
enum { CDZ_STRINGS_MAX = 126 };

/* Bits of cdz_mode.flags. */
enum {
    CDZ_MODE_BLOCKS = 1,       /* update() gets whole blocks; cipher.c buffers */
    CDZ_MODE_PADS = 2,         /* output longer than input: no one-shot call */
    CDZ_MODE_TAG_FIRST = 4,    /* the tag's length must be known at begin */
    CDZ_MODE_SIZES_FIRST = 8,  /* both lengths must be known at begin */
    CDZ_MODE_NO_192 = 16,      /* no 192-bit form (XTS) */
    CDZ_MODE_HASH = 32,        /* needs a hash engine (GHASH, POLYVAL) */
    CDZ_MODE_CHAIN = 64,       /* cdz_chain() serves it */
    CDZ_MODE_WEAK_EQUAL = 128, /* two equal keys must not encrypt (XTS) */
    CDZ_MODE_STRINGS = 256,    /* associated data are a list of strings (SIV) */
    CDZ_MODE_MAC = 512         /* no message at all: max_len is 0 */
};

/* The state of a message in pieces. The fields are shared by all modes; a mode uses those that it needs, as its file
 * says. */
struct cdz_stream {
    uint8_t phase;             /* CDZ_STREAM_* */
    uint8_t direction;         /* cdz_direction */
    uint8_t tag_fixed;         /* the length of the tag as told at begin; 0: any that the mode has */
    uint8_t tag_len;           /* of the expected tag */
    uint8_t tag_given;         /* cdz_expect_tag() was called */
    uint8_t held;              /* bytes in hold[] (modes with CDZ_MODE_BLOCKS) */
    uint8_t used;              /* bytes used of the keystream block, or filled of the feedback register: 0 to 15 */
    uint8_t aad_used;          /* bytes of an unfinished block of associated data */
    uint8_t part_at;           /* bytes of the block that a MAC waits with: 0 to 16 */
    uint8_t fresh;             /* keystream[] holds the block that `used` counts in */
    uint8_t secret;            /* nobody may know the counter in chain[] (GCM) */
    uint64_t aad_len, len;     /* so far */
    uint64_t aad_total, total; /* told at begin, or CDZ_UNKNOWN */
    uint64_t blocks;           /* that update() has seen (OCB) */
    uint8_t chain[16];         /* CBC's last block, CFB's register, the next counter, XTS's tweak ... */
    uint8_t keystream[16];     /* the current block of keystream */
    uint8_t acc[16], acc2[16]; /* running MACs, GHASH's Y, OCB's checksum and AAD sum ... */
    uint8_t extra[3][16];      /* E(J0), OCB's offsets ... */
    uint8_t part[16];          /* an unfinished block of a MAC's input */
    uint8_t tag[16];           /* the tag made, or the tag expected */
    uint8_t hold[48];          /* input held back by cipher.c */
};

/* How deep to clear behind a call of a mode with this key, in bytes of stack; 0: nothing is to be cleared. By direction
 * (1: decryption), and by whether the bytes end with a whole block (0) or not (1). cipher.c fills in what any function
 * of the mode may leave; cdz_mode.clean() lowers it. */
struct cdz_behind {
    uint16_t whole[2][2]; /* encrypt() and decrypt() */
    uint16_t piece[2][2]; /* update() where no block is unfinished */
    uint16_t begin[2];    /* begin() and aad() */
    uint16_t most;        /* what any other call may leave; these too in the middle of a block */
};

/* A key with a mode; what cdz_cipher points at. Aligned to 64 bytes; areas at fixed offsets behind it; no pointer into
 * itself, so that a copy is a copy of its bytes. */
struct cdz_cipher {
    const struct cdz_mode *mode;
    const struct cdz_engine *engine;
    const struct cdz_hash *hash;          /* NULL in modes without */
    uint32_t size;                        /* bytes of the whole object */
    uint32_t mode_at, key_at[2], hash_at; /* offsets of the areas */
    uint8_t cipher;                       /* enum cdz_block_cipher */
    uint8_t key_len;                      /* of one cipher key: 16, 24, 32 */
    uint8_t weak;                         /* 1: must not encrypt (XTS with equal halves) */
    uint8_t own;                          /* 1: memory is ours to free */
    uint16_t left;                        /* the larger `stack` of the engines */
    struct cdz_behind behind;
    uint32_t shift;   /* bytes between the malloc'ed block and this object */
    uint64_t used;    /* blocks encrypted in pieces, in modes with key_blocks */
    char engines[48]; /* "aria/portable+ghash/portable"; not set without a hash */
    struct cdz_stream s;
};

static inline const void *cdz_ks(const struct cdz_cipher *c) { return (const uint8_t *)c + c->key_at[0]; }
static inline const void *cdz_ks2(const struct cdz_cipher *c) { return (const uint8_t *)c + c->key_at[1]; }
static inline const void *cdz_hk(const struct cdz_cipher *c) { return (const uint8_t *)c + c->hash_at; }
static inline void *cdz_mode_area(struct cdz_cipher *c) { return (uint8_t *)c + c->mode_at; }
static inline const void *cdz_mode_area_c(const struct cdz_cipher *c) { return (const uint8_t *)c + c->mode_at; }

/* Counts the blocks that begin in the next len bytes of data or associated data, of which there were so_far, against
 * the mode's key_blocks; false, with nothing counted, where they are too many. */
bool cdz_spend_bytes(struct cdz_cipher *c, uint64_t so_far, size_t len);

/* Clears behind a mode's functions, whose own frames reach `bytes` deep (a multiple of 64), and behind the engines
 * below them. */
CDZ_INLINE void cdz_clear_behind(const struct cdz_cipher *c, size_t bytes) { cdz_leave_nothing(bytes + c->left); }

/* The same where nothing but the engines' functions has left anything, under frames of at most `bytes`. */
CDZ_INLINE void cdz_clear_engines(const struct cdz_cipher *c, size_t bytes) {
    if (c->left) cdz_clear_behind(c, bytes);
}

/* For cdz_mode.clean(): the depth behind functions of the mode that hand nothing but pointers, lengths and what is
 * public to the engines: their frames, and what an engine leaves below them. */
enum { CDZ_CLEAN_FRAMES = 256 };
static inline uint16_t cdz_behind_engines(const struct cdz_cipher *c) {
    return c->left ? (uint16_t)(CDZ_CLEAN_FRAMES + c->left) : 0;
}
/* The same where the functions called are not those of GCM and OCB. */
static inline uint16_t cdz_behind_few(const struct cdz_cipher *c) {
    const struct cdz_engine *const e = c->engine;
    return e->stack ? (uint16_t)(CDZ_CLEAN_FRAMES + (e->few_stack ? e->few_stack : e->stack)) : 0;
}

/* The same behind set_key(), with whatever else of the engines. */
CDZ_INLINE void cdz_clear_behind_keys(const struct cdz_cipher *c, size_t bytes) {
    cdz_leave_nothing(bytes + (c->left > c->engine->key_stack ? c->left : c->engine->key_stack));
}

/* A whole message, checked. */
struct cdz_message {
    const uint8_t *iv;
    size_t iv_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *in;
    uint8_t *out;
    size_t len;
    size_t tag_len;
    const uint8_t *tag;       /* decryption: the tag given, tag_len bytes (SIV decrypts with it); do not compare it */
    const cdz_bytes *strings; /* CDZ_MODE_STRINGS: instead of aad and iv, where list is set */
    size_t n_strings;
    bool list;
};

/* .name and .full of a mode: the latter by cipher (enum cdz_block_cipher) and key length. */
#define CDZ_MODE_NAMES(mode)                                                                                           \
    .name = mode, .full = {{"ARIA-128-" mode, "ARIA-192-" mode, "ARIA-256-" mode},                                     \
                           {"AES-128-" mode, "AES-192-" mode, "AES-256-" mode}}

struct cdz_feed;

/* Frames are larger elsewhere: s390x has 160 bytes in each for what it calls. */
#if defined(__x86_64__)
enum { CDZ_MODE_STACK = 1024 };
#else
enum { CDZ_MODE_STACK = 2048 };
#endif

struct cdz_mode {
    const char *name; /* "GCM" */
    const char *full[2][3];
    const char *standard; /* "NIST SP 800-38D" */
    uint8_t keys;         /* cipher keys in the caller's key: 1 or 2 */
    uint16_t flags;
    uint8_t hold_encrypt, hold_decrypt; /* CDZ_MODE_BLOCKS: that many last bytes at least are kept for finish() */
    size_t iv_min, iv_max, iv_default;
    uint32_t tag_lengths; /* bit n: n bytes; 0: none */
    size_t unit, min_len; /* unit is a power of two: no division on the way of a short message */
    uint64_t max_len, max_aad;
    uint64_t key_blocks; /* that one key may encrypt, associated data included; 0: no number that can be reached */
    size_t area;         /* bytes of the mode's own key-dependent values, in the object */
    /* How deep encrypt() and decrypt() reach: bytes of stack, a multiple of 64, that cipher.c clears behind them; 0:
     * what it clears behind every other call (CDZ_MODE_STACK). What lies deeper, and only sometimes, is a CDZ_KERNEL
     * function of its own, and cleared by who calls it; what engines leave below, cdz_clear_behind() adds.
     * tests/test_residue.c proves it of each compiler's frames. */
    uint16_t stack;

    /* Limits that depend on the IV's length (CCM): CDZ_OK or CDZ_ERR_LIMIT. Called with lengths that the numbers above
     * allow; CDZ_UNKNOWN is never passed. May be NULL. */
    cdz_status (*check)(size_t iv_len, uint64_t len);

    /* Lowers c->behind where, with the engines bound to c, the mode's functions leave nothing of their own, or less
     * than with others. May be NULL. */
    void (*clean)(struct cdz_cipher *c);

    /* After the engine's keys are set. Fills in the mode's area and the hash key. May be NULL. */
    void (*setup)(struct cdz_cipher *c);

    /* A whole message. Encryption writes m->tag_len bytes to tag; decryption writes the tag that the message should
     * have: cipher.c compares, and clears out, for all modes in one place. NULL with CDZ_MODE_PADS. */
    void (*encrypt)(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16]);
    void (*decrypt)(const struct cdz_cipher *c, const struct cdz_message *m, uint8_t tag[16]);

    /* Many messages, their blocks mixed (batch.h). NULL: one after the other. */
    void (*batch)(struct cdz_feed *f);

    /* Key wrap: encrypt, decrypt and begin are NULL then. m->out has room for m->len, rounded up to 8, and 8 bytes more
     * (wrap), or for m->len - 8 (unwrap, whose m->len is a multiple of 8 that wrap can have made); iv_len is 0 or
     * iv_max. Unwrap returns all ones where the integrity value is right, and the key's length, which is secret until
     * then; cipher.c clears out. */
    void (*wrap)(const struct cdz_cipher *c, const struct cdz_message *m);
    uint64_t (*unwrap)(const struct cdz_cipher *c, const struct cdz_message *m, size_t *out_len);

    /* In pieces: state in c->s, which begin finds cleared but for what cipher.c filled in. NULL begin: no streaming. */
    void (*begin)(struct cdz_cipher *c, const uint8_t *iv, size_t iv_len);
    void (*aad)(struct cdz_cipher *c, const uint8_t *aad, size_t len);
    /* len bytes in, len bytes out (whole blocks with CDZ_MODE_BLOCKS). */
    void (*update)(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len);
    /* The held-back bytes in, *out_len out (at most len + 16, room is 64); leaves the tag made (16 bytes) in tag where
     * there is one. CDZ_OK, CDZ_ERR_LENGTH or CDZ_ERR_PADDING; `in` and `out` do not overlap. */
    cdz_status (*finish)(struct cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t *out_len,
                         uint8_t tag[16]);
};

/* The checks that cipher.c makes for every one-shot call; `tag` is where it goes or what was given. */
cdz_status cdz_check_message(const struct cdz_cipher *c, const struct cdz_message *m, const uint8_t *tag, bool decrypt);

/* Compares a tag in constant time; CDZ_ERR_AUTH, and the output zeroed, where it is wrong. */
cdz_status cdz_check_tag(const uint8_t made[16], const uint8_t *tag, size_t tag_len, uint8_t *out, size_t len);

/* How deep encrypt() and decrypt() of its mode reach. */
static inline size_t cdz_mode_stack(const struct cdz_cipher *c) {
    return c->mode->stack ? c->mode->stack : CDZ_MODE_STACK;
}

/* All modes; NULL ends the list. */
extern const struct cdz_mode *const cdz_modes[];
extern const struct cdz_mode cdz_mode_ecb, cdz_mode_cbc, cdz_mode_cbc_pkcs7, cdz_mode_cfb, cdz_mode_ofb, cdz_mode_ctr,
    cdz_mode_xts, cdz_mode_gcm, cdz_mode_cbc_cs1, cdz_mode_cbc_cs2, cdz_mode_cbc_cs3, cdz_mode_cfb8, cdz_mode_cfb1,
    cdz_mode_ccm, cdz_mode_eax, cdz_mode_ocb, cdz_mode_siv, cdz_mode_gcm_siv, cdz_mode_kw, cdz_mode_kwp, cdz_mode_cmac,
    cdz_mode_gmac;

#endif
