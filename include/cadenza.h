/* SPDX-License-Identifier: Apache-2.0 */
/**
 * cadenza.h - ARIA and AES, fast and in constant time.
 *
 * ## The model
 *
 * One key with one algorithm and mode is one object, `cdz_cipher`. It is made from a name such as
 * "ARIA-256-GCM" and a key; the fastest engine that this CPU can run is bound to it then. A whole message
 * goes through cdz_encrypt() and cdz_decrypt(), which change nothing in the object; a message in pieces
 * goes through cdz_begin(), cdz_aad(), cdz_update(), cdz_finish(), cdz_tag(), which keep its state in it.
 *
 * ## What holds for every call
 *
 * - Lengths are in bytes. Bits within bytes and blocks are as the named standards have them.
 * - A pointer whose length is 0 is never looked at and may be NULL. A NULL where bytes are due is
 *   CDZ_ERR_NULL.
 * - CDZ_OK is 0; every failure has a negative code of its own and a sentence (cdz_strerror()). Every length
 *   is checked before anything is written. No call aborts, prints or sets errno.
 * - Overlap: `out == in` always works, in a stream piece by piece. Any other overlap of `out` with `in`,
 *   and any overlap of `out` with `iv`, `aad` or `tag`, is CDZ_ERR_OVERLAP.
 * - No branch and no address in memory depends on a key or on data, whatever the engine: docs/constant-time.md.
 * - Threads: calls on different objects never meet. The one-shot calls take a `const cdz_cipher *`, and any
 *   number of threads may use one object at once in them; the calls in pieces need one thread an object at
 *   a time. Nothing needs to be initialised first.
 * - fork(): an object stays usable on both sides; cadenza keeps no descriptors, threads or random state.
 *   (It makes no random numbers either: keys and IVs come from the caller.)
 * - Key material is wiped from an object when it is freed or wiped, and from stack and registers before
 *   a call returns.
 *
 * cadenza is not validated under KCMVP or FIPS 140.
 */
#ifndef CADENZA_H
#define CADENZA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CDZ_VERSION_MAJOR 0
#define CDZ_VERSION_MINOR 1
#define CDZ_VERSION_PATCH 0

#if defined(__GNUC__)
#define CDZ_API        __attribute__((visibility("default")))
#define CDZ_MUST_CHECK __attribute__((warn_unused_result))
#else
#define CDZ_API
#define CDZ_MUST_CHECK
#endif

/** Size of a block of ARIA and of AES, in bytes. */
#define CDZ_BLOCK_SIZE 16
/** The longest tag of any mode, and the length that cdz_begin() assumes. */
#define CDZ_TAG_MAX 16
/** cdz_begin_sized(): a length that is not known ahead. */
#define CDZ_UNKNOWN UINT64_MAX

/** The result of a call: CDZ_OK or one of the negative codes. */
typedef enum cdz_status {
    CDZ_OK = 0,
    CDZ_ERR_NULL = -1,         /**< a pointer is NULL though its length is not 0 */
    CDZ_ERR_NAME = -2,         /**< no algorithm, or no engine, has this name */
    CDZ_ERR_KEY_LENGTH = -3,   /**< the key's length is not the algorithm's */
    CDZ_ERR_KEY_WEAK = -4,     /**< both halves of an XTS key are equal (refused for encryption only) */
    CDZ_ERR_IV_LENGTH = -5,    /**< the mode takes no IV (nonce) of this length */
    CDZ_ERR_AAD = -6,          /**< the mode has no associated data */
    CDZ_ERR_TAG_UNUSED = -7,   /**< the mode has no tag */
    CDZ_ERR_TAG_MISSING = -8,  /**< the mode needs a tag, and none was given */
    CDZ_ERR_TAG_LENGTH = -9,   /**< the mode has no tag of this length */
    CDZ_ERR_LENGTH = -10,      /**< not a whole number of blocks, or shorter than the mode can take */
    CDZ_ERR_LIMIT = -11,       /**< more than the mode may process in one message, or with one key: docs/modes.md */
    CDZ_ERR_OVERLAP = -12,     /**< buffers overlap and are not the same */
    CDZ_ERR_BUFFER = -13,      /**< the output has not enough room */
    CDZ_ERR_STATE = -14,       /**< calls out of order */
    CDZ_ERR_AUTH = -15,        /**< the tag is wrong: the message is not what was encrypted or wrapped */
    CDZ_ERR_PADDING = -16,     /**< the padding is wrong */
    CDZ_ERR_MEMORY = -17,      /**< no memory */
    CDZ_ERR_CPU_MASK = -18,    /**< CADENZA_CPU or cdz_cpu_mask() has a word that is no feature */
    CDZ_ERR_UNSUPPORTED = -19, /**< the mode does not offer this call */
    CDZ_ERR_ENGINE = -20       /**< the CPU, or the mask, does not allow this engine */
} cdz_status;

/** The sentence of a status code, in English, without a full stop. Never NULL. */
CDZ_API const char *cdz_strerror(int status);

/** "0.1.0". The header's own version is CDZ_VERSION_*. */
CDZ_API const char *cdz_version(void);

/** One key with one algorithm and mode. */
typedef struct cdz_cipher cdz_cipher;

/* ---- keys ------------------------------------------------------------------------------------ */

/**
 * Makes an object from a name and a key, with the best engine that the CPU and the mask allow.
 *
 * Names are CIPHER-BITS-MODE without regard to case: ARIA or AES; 128, 192 or 256; the modes are listed by
 * cdz_mode_name() and described in docs/modes.md. XTS and SIV take two keys in one, of twice the length
 * (ARIA-128-XTS: 32 bytes). XTS and GCM-SIV have 128 and 256 bits alone. OpenSSL's names for some modes are
 * understood too: CFB128, CBC-CTS (which is CBC-CS1), WRAP (KW), WRAP-PAD (KWP).
 *
 * On failure *c is NULL. Errors: CDZ_ERR_NULL, CDZ_ERR_NAME, CDZ_ERR_KEY_LENGTH, CDZ_ERR_MEMORY,
 * CDZ_ERR_CPU_MASK. (Equal halves of an XTS key are accepted here, since they must still decrypt, and refused
 * by the calls that encrypt.)
 *
 *     cdz_cipher *c;
 *     cdz_status s = cdz_cipher_new(&c, "ARIA-256-GCM", key, 32);
 *     if (s != CDZ_OK) errx(1, "%s", cdz_strerror(s));
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cipher_new(cdz_cipher **c, const char *name, const uint8_t *key, size_t key_len);

/**
 * The same with engines named by the caller, for tests and measuring: "aria/portable", or two joined by '+',
 * "aes/portable+ghash/portable", in any order. Names are those of cdz_engine_at(). NULL chooses the best.
 * CDZ_ERR_NAME where no engine of this cipher has the name, CDZ_ERR_ENGINE where the CPU or the mask forbids it.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cipher_new_on(cdz_cipher **c, const char *engine, const char *name,
                                                    const uint8_t *key, size_t key_len);

/**
 * Sets another key of the same length in an object that is there: same algorithm, same engines, no memory, and about
 * half of the time of a new object. A message in pieces is given up, and what is counted for a key (cdz_update() in
 * OCB) starts again. `key` must not lie in the object, and no other thread may use the object during the call.
 *
 * Errors, with the old key still set: CDZ_ERR_NULL, CDZ_ERR_KEY_LENGTH.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cipher_set_key(cdz_cipher *c, const uint8_t *key, size_t key_len);

/** Wipes and frees an object made by cdz_cipher_new(), cdz_cipher_new_on() or cdz_cipher_dup(). NULL is fine. */
CDZ_API void cdz_cipher_free(cdz_cipher *c);

/** Makes a copy that owes nothing to the original, at any moment, a message in pieces included. */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cipher_dup(cdz_cipher **copy, const cdz_cipher *c);

/**
 * How many bytes cdz_cipher_init() needs for an algorithm, whatever the engine, at any alignment; 0 where no
 * algorithm has the name.
 */
CDZ_API size_t cdz_cipher_size(const char *name);

/**
 * Makes the object in the caller's memory, without malloc. `mem` may have any alignment; it must neither
 * move nor end before cdz_cipher_wipe(). CDZ_ERR_BUFFER where size is below cdz_cipher_size().
 *
 *     unsigned char mem[4096];                             // or malloc(cdz_cipher_size(name))
 *     cdz_cipher *c;
 *     if (cdz_cipher_init(&c, mem, sizeof mem, "AES-128-CTR", key, 16) == CDZ_OK) { ...; cdz_cipher_wipe(c); }
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cipher_init(cdz_cipher **c, void *mem, size_t size, const char *name,
                                                  const uint8_t *key, size_t key_len);

/** Wipes an object made by cdz_cipher_init() (or cdz_cipher_copy()). NULL is fine. */
CDZ_API void cdz_cipher_wipe(cdz_cipher *c);

/** cdz_cipher_dup() into the caller's memory of cdz_cipher_size() bytes, which the original must not overlap. */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cipher_copy(cdz_cipher **copy, void *mem, size_t size, const cdz_cipher *c);

/* ---- what an algorithm wants ------------------------------------------------------------------ */

/** The properties of a mode of operation with a cipher. Lengths in bytes. */
typedef struct cdz_info {
    const char *name;     /**< "ARIA-256-GCM", as cadenza spells it */
    const char *standard; /**< "NIST SP 800-38D" */
    size_t key_len;       /**< the one length of the key (both keys together for XTS and SIV) */
    size_t iv_min;        /**< shortest IV; 0: it may be left out */
    size_t iv_max;        /**< longest IV (SIZE_MAX: any); 0: the mode has none */
    size_t iv_default;    /**< what callers who do not care should use; 0: none */
    uint32_t tag_lengths; /**< bit n set: a tag may have n bytes; 0: no tag */
    size_t unit;          /**< the one-shot calls' message is a whole number of these: 1 or 16 */
    size_t min_len;       /**< shortest message (XTS: 16) */
    uint64_t max_len;     /**< longest message under one IV (CCM: with the shortest nonce) */
    uint64_t max_aad;     /**< longest associated data; 0: the mode has none */
    int one_shot;         /**< cdz_encrypt() and cdz_decrypt() serve it (else the output's length differs) */
    int streaming;        /**< cdz_begin() serves it (else the whole message is needed at once) */
    int wraps;            /**< cdz_wrap() and cdz_unwrap() serve it: KW, KWP */
    int mac;              /**< cdz_mac() and cdz_mac_verify() serve it: CMAC, GMAC */
} cdz_info;

/** Fills in what is known of an algorithm. CDZ_ERR_NAME where there is none of this name. */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_describe(cdz_info *info, const char *name);

/** The name of the i-th mode ("ECB", "CBC", ...), from 0 on; NULL after the last. */
CDZ_API const char *cdz_mode_name(size_t i);

/** The algorithm of an object, "ARIA-256-GCM". */
CDZ_API const char *cdz_cipher_name(const cdz_cipher *c);

/** The engines bound to an object: "aria/portable", or "aria/portable+ghash/portable". */
CDZ_API const char *cdz_engine_name(const cdz_cipher *c);

/* ---- a whole message ------------------------------------------------------------------------ */

/**
 * Encrypts a whole message; `out` has room for `len` bytes. Keeps no state: one object may serve many threads at
 * once. In an authenticated mode `tag` receives `tag_len` bytes (any length that cdz_describe() lists); elsewhere
 * `aad` and `tag` must be absent (their lengths 0).
 *
 * The caller sees to it that no IV is used twice with one key (CTR, OFB, GCM, CCM, EAX, OCB ...) and that the IVs of
 * CBC and CFB cannot be foretold.
 *
 * In SIV alone, having no associated data and having one empty string of it are different messages: aad == NULL is
 * none; any other pointer with aad_len 0 is the empty string. An IV of at least one byte is SIV's nonce.
 *
 * Errors: CDZ_ERR_NULL, CDZ_ERR_IV_LENGTH, CDZ_ERR_AAD, CDZ_ERR_TAG_UNUSED, CDZ_ERR_TAG_MISSING,
 * CDZ_ERR_TAG_LENGTH, CDZ_ERR_LENGTH, CDZ_ERR_LIMIT, CDZ_ERR_OVERLAP, CDZ_ERR_KEY_WEAK, CDZ_ERR_UNSUPPORTED;
 * nothing is written then.
 *
 *     uint8_t tag[16];
 *     s = cdz_encrypt(c, nonce, 12, header, header_len, data, data_len, data, tag, 16);
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_encrypt(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *aad,
                                              size_t aad_len, const uint8_t *in, size_t len, uint8_t *out, uint8_t *tag,
                                              size_t tag_len);

/**
 * Decrypts a whole message and, in an authenticated mode, checks its tag: where it is wrong the result is
 * CDZ_ERR_AUTH and all `len` bytes of `out` are zero. Otherwise as cdz_encrypt().
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_decrypt(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *aad,
                                              size_t aad_len, const uint8_t *in, size_t len, uint8_t *out,
                                              const uint8_t *tag, size_t tag_len);

/* ---- many messages under one key ------------------------------------------------------------- */

/** One message of a batch: the arguments of cdz_encrypt() or cdz_decrypt(), and what became of it. */
typedef struct cdz_batch_message {
    const uint8_t *iv;
    size_t iv_len;
    const uint8_t *aad;
    size_t aad_len;
    const uint8_t *in;
    size_t len;
    uint8_t *out;
    uint8_t *tag; /**< written by cdz_encrypt_batch(), only read by cdz_decrypt_batch() */
    size_t tag_len;
    cdz_status status; /**< written by both */
} cdz_batch_message;

/**
 * Encrypts n messages of any lengths, each as cdz_encrypt() would with the same fields, and fills the lanes of the
 * engine with blocks of different messages: so the serial modes (CBC, CFB, OFB, CMAC) and records of a few blocks run
 * at the speed of long messages in parallel modes. For database fields, packets, disk sectors.
 *
 * Each message gets its own status; the result is CDZ_OK where all are, else the status of the first that failed: the
 * others are done all the same. Buffers of different messages must not overlap where one of them is written.
 * Keeps no state: one object may serve many threads at once.
 *
 *     for (i = 0; i < n; i++) m[i] = (cdz_batch_message){.iv = ivs[i], .iv_len = 16, .in = rec[i], .len = 64, .out =
 * rec[i]}; s = cdz_encrypt_batch(c, m, n);
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_encrypt_batch(const cdz_cipher *c, cdz_batch_message *messages, size_t n);

/** The same for decryption: where a tag is wrong, that message's status is CDZ_ERR_AUTH and its output is zero. */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_decrypt_batch(const cdz_cipher *c, cdz_batch_message *messages, size_t n);

/* ---- SIV with any number of strings ----------------------------------------------------------- */

/** A string of bytes. */
typedef struct cdz_bytes {
    const uint8_t *data;
    size_t len;
} cdz_bytes;

/**
 * SIV (RFC 5297) with n strings of associated data: at most 126, of any lengths, empty ones included, each of which
 * counts, as does their order. A nonce is simply the last string. Otherwise as cdz_encrypt(); the tag is the
 * synthetic IV, always of 16 bytes. cdz_encrypt() is the same with up to two strings: its aad, then its iv.
 *
 * CDZ_ERR_UNSUPPORTED in modes other than SIV, CDZ_ERR_LIMIT for more than 126 strings.
 *
 *     const cdz_bytes strings[] = {{to, to_len}, {subject, subject_len}, {nonce, 16}};
 *     s = cdz_siv_encrypt(c, strings, 3, data, len, data, tag);
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_siv_encrypt(const cdz_cipher *c, const cdz_bytes *strings, size_t n,
                                                  const uint8_t *in, size_t len, uint8_t *out, uint8_t tag[16]);

/** The reverse. Where the tag is wrong the result is CDZ_ERR_AUTH and all `len` bytes of `out` are zero. */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_siv_decrypt(const cdz_cipher *c, const cdz_bytes *strings, size_t n,
                                                  const uint8_t *in, size_t len, uint8_t *out, const uint8_t tag[16]);

/* ---- keys under a key --------------------------------------------------------------------------- */

/**
 * Wraps a key with KW or KWP (NIST SP 800-38F; RFC 3394, RFC 5649). KW takes whole semiblocks of 8 bytes, at least 16
 * bytes (8 are refused: the standard has no KW of one semiblock); KWP takes 1 byte and more.
 *
 * The output is longer than the input: 8 bytes more in KW; in KWP the length rounded up to a multiple of 8, and 8
 * more. Where `cap` is less the result is CDZ_ERR_BUFFER, nothing is written, and *out_len says how much is needed
 * (so out == NULL with cap == 0 asks). `out == in` works if the buffer has that much room.
 *
 * `iv` replaces the standard's integrity value where it is given: 8 bytes in KW, 4 in KWP; iv_len 0 is the usual case.
 *
 *     s = cdz_wrap(c, NULL, 0, key, 32, wrapped, sizeof wrapped, &wrapped_len);     // AES-256-KW: 40 bytes
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_wrap(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *in,
                                           size_t len, uint8_t *out, size_t cap, size_t *out_len);

/**
 * Unwraps, and checks the integrity value (and KWP's length and padding): where any of it is wrong the result is
 * CDZ_ERR_AUTH, whatever it was, and all that was written to `out` is zero. `out` needs room for len - 8 bytes,
 * although a KWP key may be up to 7 shorter: *out_len says how long it is. `out == in` works.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_unwrap(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *in,
                                             size_t len, uint8_t *out, size_t cap, size_t *out_len);

/* ---- authentication alone ----------------------------------------------------------------------- */

/**
 * CMAC (NIST SP 800-38B), which has no IV, and GMAC (SP 800-38D), whose IV must never repeat under a key. `tag`
 * receives tag_len bytes. Keeps no state: one object may serve many threads at once.
 *
 * These are authenticated modes whose message is empty and whose data are the associated data; so all other calls serve
 * them as well. In pieces: cdz_begin(c, CDZ_ENCRYPT, iv, iv_len), cdz_aad() for each piece, cdz_finish(c, NULL, 0,
 * NULL), cdz_tag(); to verify, CDZ_DECRYPT and cdz_expect_tag() ahead of cdz_finish().
 *
 *     s = cdz_mac(c, NULL, 0, data, len, tag, 16);
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_mac(const cdz_cipher *c, const uint8_t *iv, size_t iv_len, const uint8_t *data,
                                          size_t len, uint8_t *tag, size_t tag_len);

/** Makes the MAC again and compares in constant time; CDZ_ERR_AUTH where it differs. */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_mac_verify(const cdz_cipher *c, const uint8_t *iv, size_t iv_len,
                                                 const uint8_t *data, size_t len, const uint8_t *tag, size_t tag_len);

/* ---- a message in pieces ---------------------------------------------------------------------- */

/** Which way a message in pieces goes. */
typedef enum cdz_direction { CDZ_ENCRYPT = 1, CDZ_DECRYPT = 2 } cdz_direction;

/**
 * Begins a message, whatever became of the one before. Then, in this order: cdz_aad() any number of times,
 * cdz_update() any number of times, when decrypting in an authenticated mode cdz_expect_tag(), cdz_finish(), and
 * when encrypting in one cdz_tag(). Pieces may be of any length; the bytes are those of the one-shot call.
 *
 * SIV and GCM-SIV need the whole message before the first byte of output, KW and KWP are no messages at all:
 * CDZ_ERR_UNSUPPORTED. CCM needs its lengths first: cdz_begin_sized(), else CDZ_ERR_LENGTH.
 *
 * A call that fails for its arguments leaves the message as it was, so that it can be made again properly.
 * A call that comes at the wrong time is CDZ_ERR_STATE. CDZ_ERR_LIMIT comes before anything is written.
 *
 *     s = cdz_begin(c, CDZ_DECRYPT, iv, 16);
 *     while (s == CDZ_OK && (n = fread(in, 1, sizeof in, f)) > 0) {
 *         s = cdz_update(c, in, n, out, sizeof out, &m);    // sizeof out >= sizeof in + 31
 *         ...
 *     }
 *     if (s == CDZ_OK) s = cdz_finish(c, out, sizeof out, &m);
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_begin(cdz_cipher *c, cdz_direction direction, const uint8_t *iv, size_t iv_len);

/**
 * cdz_begin() with the lengths told ahead, for modes that put them first (CCM) or whose result depends on the
 * tag's length (CCM, OCB). CDZ_UNKNOWN where a length is not known; where one is told, another is
 * CDZ_ERR_LENGTH at the call that passes it or at cdz_finish(). tag_len 0 means 16, or none in a mode without.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_begin_sized(cdz_cipher *c, cdz_direction direction, const uint8_t *iv,
                                                  size_t iv_len, uint64_t aad_len, uint64_t len, size_t tag_len);

/** A piece of the associated data; all of it comes before the first cdz_update(). */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_aad(cdz_cipher *c, const uint8_t *aad, size_t aad_len);

/**
 * A piece of the message. `out` has room for `cap` bytes, *out_len receives how many were written: as many as came
 * in for CTR, CFB, OFB, GCM and all that are like a stream; whole blocks for ECB and CBC, up to 15 bytes
 * less or more than came in; up to 32 less or 15 more for modes that hold back the end (padding, XTS, CBC-CS1 to -CS3).
 * Room for `len + 31` bytes is always enough; CDZ_ERR_BUFFER, with nothing taken or written, where it is not, and
 * *out_len then says how much is needed.
 *
 * `out == in` works although output may lag behind. When decrypting in an authenticated mode, what is handed out here
 * is NOT verified: cdz_finish() says whether it may be used.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_update(cdz_cipher *c, const uint8_t *in, size_t len, uint8_t *out, size_t cap,
                                             size_t *out_len);

/**
 * When decrypting: the tag that the message must have. Any time between cdz_begin() and cdz_finish(); the last
 * one counts. CDZ_ERR_TAG_LENGTH where the mode has no tag of this length or cdz_begin_sized() named another.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_expect_tag(cdz_cipher *c, const uint8_t *tag, size_t tag_len);

/**
 * Ends a message: writes what is left (32 bytes at most; CDZ_ERR_BUFFER as in cdz_update()) and checks the tag.
 * CDZ_ERR_AUTH means that everything handed out since cdz_begin() must be thrown away; CDZ_ERR_TAG_MISSING
 * that none was given; CDZ_ERR_LENGTH that the message is not a whole number of blocks, or too short;
 * CDZ_ERR_PADDING that the padding is wrong. After CDZ_ERR_BUFFER or CDZ_ERR_TAG_MISSING the call may be made
 * again; after anything else only cdz_begin() (and, when encrypting, cdz_tag()) may follow.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_finish(cdz_cipher *c, uint8_t *out, size_t cap, size_t *out_len);

/**
 * Ends a decryption without checking it, and hands out the tag that the message should have: for protocols whose tags
 * are cut to lengths that the mode does not list, where the caller compares them himself, in constant time.
 * CDZ_ERR_TAG_UNUSED in modes without a tag, CDZ_ERR_UNSUPPORTED in those that hold data back (OCB), CDZ_ERR_STATE
 * outside a decryption, CDZ_ERR_LENGTH as in cdz_finish().
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_finish_unchecked(cdz_cipher *c, uint8_t tag[CDZ_TAG_MAX]);

/** After cdz_finish() of an encryption: the tag, or its first tag_len bytes where the mode allows it; again and again.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_tag(const cdz_cipher *c, uint8_t *tag, size_t tag_len);

/**
 * Where a message in pieces stands, for callers that chain messages themselves: the last ciphertext block (CBC), the
 * feedback register (CFB, CFB8, CFB1, OFB) or the next counter block (CTR), and in *used, where it is not NULL, how
 * many bytes of the current keystream block are used up (0 to 15). CDZ_ERR_UNSUPPORTED in other modes, CDZ_ERR_STATE
 * before cdz_begin(). In CBC-CS1 to -CS3 it is, after cdz_finish(), the block that was encrypted last, wherever it
 * stands in the ciphertext (RFC 3962's cipher state). In CFB and OFB, with *used > 0, the bytes from *used on are the
 * keystream that is left (OpenSSL's convention), so iv and *used together are all that it takes to go on.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_chain(const cdz_cipher *c, uint8_t iv[CDZ_BLOCK_SIZE], unsigned *used);

/* ---- the CPU ---------------------------------------------------------------------------------- */

/**
 * Takes features of the CPU away from the objects made from now on in this process: words such as
 * "-avx512f,-gfni", separated by commas, each with its minus sign. It can only remove, with all that depends on a
 * feature, and comes on top of the environment's CADENZA_CPU (which a set-uid process ignores). NULL or ""
 * takes the call's own mask back. CDZ_ERR_CPU_MASK, and no change, where a word is unknown.
 *
 * Where CADENZA_CPU itself has an unknown word every cdz_cipher_new() fails with CDZ_ERR_CPU_MASK.
 */
CDZ_API CDZ_MUST_CHECK cdz_status cdz_cpu_mask(const char *words);

/**
 * Writes the features that the CPU has and the masks leave, separated by blanks ("ssse3 aesni avx ..."), as a string
 * of at most cap bytes with its NUL; returns the length of the whole string, as snprintf does.
 */
CDZ_API size_t cdz_cpu_features(char *out, size_t cap);

/** One engine that this build has. */
typedef struct cdz_engine_info {
    const char *name;  /**< "aria/gfni-avx512", "ghash/portable" */
    const char *needs; /**< the features, separated by blanks; "" for none */
    int usable;        /**< the CPU has them and the masks leave them */
    size_t batch;      /**< blocks of its widest kernel */
} cdz_engine_info;

/** Describes the i-th engine of this build, from 0 on, the best of a cipher first; returns 0 after the last, else 1. */
CDZ_API int cdz_engine_at(size_t i, cdz_engine_info *info);

#ifdef __cplusplus
}
#endif
#endif
