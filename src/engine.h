/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine contract: what a CPU-specific core must do, and all that the modes may ask of it.
 *
 * An engine is a constant struct of function pointers. It is chosen when a key is set and stays with that key,
 * because the layouts of key schedules differ and must never mix.
 *
 * What holds for every function here:
 * - `ks` is the engine's key area: key_size bytes (a multiple of 64) aligned to 64, filled by set_key. It may hold more
 *   than one schedule: an engine may have wide and narrow kernels, and picks by the number of blocks; callers never do.
 *   It has no pointers in it: an area is copied by copying its bytes.
 * - `in` and `out` have any alignment, and are either the same or disjoint. Nothing before or after the
 *   bytes named is read or written, by wide loads neither.
 * - blocks or len may be 0: nothing happens then.
 * - No branch and no address depends on keys or data.
 * - What is secret (round keys, data, keystream; not lengths, counters, IVs) does not stay on the stack or in
 * registers. Who clears is told by `stack`. 0: the function itself, before it returns. Else the caller may find secrets
 * in vector registers and in so many bytes below its stack pointer, and clears them when it needs the engine no more: a
 * message of a few blocks takes several calls, and one clearing. What lies deeper, the function has cleared.
 * - Many threads call with the same `ks` at once: it is only read, but by set_key.
 */
#ifndef CDZ_ENGINE_H
#define CDZ_ENGINE_H

#include "cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cdz_block_cipher { CDZ_ARIA, CDZ_AES };

/* No key area is larger: GCM-SIV makes keys on the stack, for one message each. */
enum { CDZ_KEY_SIZE_MAX = 12288, CDZ_HASH_KEY_SIZE_MAX = 4096 };

/* Chains of blocks: CBC and CFB encryption, OFB, CBC-MAC. */
enum cdz_chain_kind { CDZ_CHAIN_CBC, CDZ_CHAIN_CFB, CDZ_CHAIN_OFB, CDZ_CHAIN_MAC };

struct cdz_hash;

struct cdz_engine {
    const char *name; /* "aria/gfni-avx512" */
    enum cdz_block_cipher cipher;
    uint16_t batch;     /* blocks of the widest kernel (tests aim at its edges) */
    cdz_cpu_set needs;  /* all of these */
    size_t key_size;    /* bytes of the key area, a multiple of 64, at most CDZ_KEY_SIZE_MAX */
    uint16_t stack;     /* see above; a multiple of 64 */
    uint16_t key_stack; /* the same of set_key() */
    uint16_t few_stack; /* the same of all functions but those of OCB and GCM, where it is smaller; 0: `stack` */
    bool prompt;        /* A call with one block takes less than gathering some: modes do not gather for it. */

    /* Both directions ready. key_len is 16, 24 or 32 (checked by the caller); key has any alignment. */
    void (*set_key)(void *ks, const uint8_t *key, size_t key_len);

    /* Any number of blocks on their own. */
    void (*encrypt)(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks);
    void (*decrypt)(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks);

    /* out = in ^ E(ctr) E(ctr + 1) ...: len BYTES, the rest of the last block's keystream is dropped, so that a tail
     * rides in the last batch. ctr is a 128-bit big-endian number, of which the caller guarantees that the low 16
     * bits do not overflow for any block used in the call: bytes 0 to 13 are the same in all of them. (The mode layer
     * splits there, once for all modes: src/mode/ctr.h.) */
    void (*ctr)(const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len);

    /* The same with the counter as a little-endian number in bytes 0 to 3 (GCM-SIV), of which bytes 0 and 1
     * do not overflow in the call. */
    void (*ctr32le)(const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len);

    /* ---- Optional from here on: NULL means that the mode layer's loop over the functions above serves. ---- */

    /* iv is read and left as the last ciphertext block (for blocks > 0). */
    void (*cbc_encrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);
    void (*cbc_decrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);
    void (*cfb_encrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);
    void (*cfb_decrypt)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);
    /* iv is left as the last keystream block. */
    void (*ofb)(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks);
    /* x = E(x ^ in[i]) for each block: CBC-MAC, CMAC. */
    void (*cbc_mac)(const void *ks, uint8_t x[16], const uint8_t *in, size_t blocks);
    /* Both together: out = in ^ E(ctr) E(ctr + 1) ..., and x = E(x ^ m) for each block m of the input (of_input), or of
     * the output. Here ctr is a 128-bit big-endian number that may be secret and wraps anywhere; it is left as that of
     * the block after the last. */
    void (*ctr_mac)(const void *ks, uint8_t ctr[16], uint8_t x[16], const uint8_t *in, uint8_t *out, size_t blocks,
                    bool of_input);

    /* n chains side by side, `steps` blocks of each. x[i] is chain i's register, read and updated; its blocks begin at
     * in[i] and go to out[i] (CDZ_CHAIN_MAC: nowhere, and `out` may be NULL). Where two chains' buffers overlap,
     * neither is written. chains_least <= n <= batch: for fewer, encrypt() is as fast. */
    uint16_t chains_least;
    void (*chains)(const void *ks, enum cdz_chain_kind kind, uint8_t (*x)[16], const uint8_t *const *in,
                   uint8_t *const *out, size_t n, size_t steps);

    /* XTS (IEEE 1619): ks is the data key's, tweak the encrypted tweak of the first block, left as that of the block
     * after the last. Whole blocks; the stealing is the mode's. */
    void (*xts_encrypt)(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks);
    void (*xts_decrypt)(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks);

    /* OCB (RFC 7253): l[i] is L_i (32 of them), `index` the number of the first block (from 1), offset and checksum
     * are read and updated. ocb_aad adds the hash of whole blocks of associated data to `sum`. */
    void (*ocb_encrypt)(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                        uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks);
    void (*ocb_decrypt)(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                        uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks);
    void (*ocb_aad)(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16], uint8_t sum[16],
                    const uint8_t *aad, size_t blocks);

    /* GCM's counter and hash together, over the hash that gcm_hash names (NULL: any other hash is bound to the key, and
     * these are not called). ctr as for ctr(); y is read and updated with the ciphertext, a partial last block padded
     * with zeros: so only a message's last call may have a len that is no multiple of 16. */
    const struct cdz_hash *gcm_hash;
    void (*gcm_encrypt)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16], const uint8_t *in,
                        uint8_t *out, size_t len);
    void (*gcm_decrypt)(const void *ks, const void *hk, const uint8_t ctr[16], uint8_t y[16], const uint8_t *in,
                        uint8_t *out, size_t len);
    /* A message of at most gcm_whole_max bytes from J0 to the tag, y the hash of its associated data, `lengths` the
     * last block of the hash; the tag may take y's place. J0 is what the counter's rule above is about. */
    size_t gcm_whole_max;
    void (*gcm_encrypt_whole)(const void *ks, const void *hk, const uint8_t j0[16], const uint8_t y[16],
                              const uint8_t lengths[16], const uint8_t *in, uint8_t *out, size_t len, uint8_t tag[16]);
    void (*gcm_decrypt_whole)(const void *ks, const void *hk, const uint8_t j0[16], const uint8_t y[16],
                              const uint8_t lengths[16], const uint8_t *in, uint8_t *out, size_t len, uint8_t tag[16]);
};

/* A universal hash: GHASH (SP 800-38D) and POLYVAL (RFC 8452) over one key area. The rules above hold here too. */
struct cdz_hash {
    const char *name; /* "ghash/pclmul" */
    cdz_cpu_set needs;
    uint16_t batch;
    size_t key_size; /* a multiple of 64, at most CDZ_HASH_KEY_SIZE_MAX */
    uint16_t stack;

    void (*ghash_key)(void *hk, const uint8_t h[16]);
    /* y = (y ^ in[i]) * H for each block. */
    void (*ghash)(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks);

    /* `most` is what the key will be used for: no call of polyval() with it has more blocks. */
    void (*polyval_key)(void *hk, const uint8_t h[16], size_t most);
    void (*polyval)(const void *hk, uint8_t y[16], const uint8_t *in, size_t blocks);
};

/* All engines of this build, the best first within a cipher; NULL ends the list. */
extern const struct cdz_engine *const cdz_engines[];
extern const struct cdz_hash *const cdz_hashes[];

/* The first of the list that `have` allows. The portable ones need nothing, so there always is one. */
const struct cdz_engine *cdz_engine_select(enum cdz_block_cipher cipher, cdz_cpu_set have);
const struct cdz_hash *cdz_hash_select(cdz_cpu_set have);

extern const struct cdz_engine cdz_aria_portable, cdz_aes_portable;
extern const struct cdz_hash cdz_ghash_portable;

#endif
