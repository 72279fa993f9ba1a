/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter mode for all modes that have one inside. The engines' ctr() must not see the low 16 bits of the counter
 * overflow; the split, and the carry beyond, are made here and nowhere else. (ctr_mac() counts all 128 bits itself.)
 */
#ifndef CDZ_MODE_CTR_H
#define CDZ_MODE_CTR_H

#include "mode.h"

/* How far the carry goes: through all 16 bytes (CTR, CCM, SIV), or through the last four alone (GCM's inc32).
 * CDZ_CTR_SECRET is CDZ_CTR_128 for a counter that nobody may know (EAX, where it is a MAC): no branch depends on it,
 * and so it goes through encrypt() block by block, since ctr() may split and carry as it likes. CDZ_CTR_SECRET_32 is
 * the same with CDZ_CTR_32's carry (GCM, where a nonce of other than 12 bytes is hashed). */
enum cdz_ctr_width { CDZ_CTR_32 = 4, CDZ_CTR_SECRET_32 = 5, CDZ_CTR_128 = 16, CDZ_CTR_SECRET = 17 };

static inline bool cdz_ctr_is_32(enum cdz_ctr_width width) { return width == CDZ_CTR_32 || width == CDZ_CTR_SECRET_32; }

/* ctr += blocks */
static inline void cdz_ctr_add(uint8_t ctr[16], uint64_t blocks, enum cdz_ctr_width width) {
    const uint64_t high = cdz_load_be64(ctr), old = cdz_load_be64(ctr + 8), low = old + blocks;
    if (cdz_ctr_is_32(width))
        cdz_store_be128(ctr, high, (old & ~(uint64_t)UINT32_MAX) | (uint32_t)low);
    else
        cdz_store_be128(ctr, high + (((old & blocks) | ((old | blocks) & ~low)) >> 63), low); /* the carry, no branch */
}

/* ctr -= 1 */
static inline void cdz_ctr_back(uint8_t ctr[16], enum cdz_ctr_width width) {
    if (cdz_ctr_is_32(width)) {
        cdz_store_be32(ctr + 12, cdz_load_be32(ctr + 12) - 1);
        return;
    }
    const uint64_t old = cdz_load_be64(ctr + 8), low = old - 1;
    cdz_store_be64(ctr + 8, low);
    cdz_store_be64(ctr, cdz_load_be64(ctr) - ((~old & low) >> 63)); /* the borrow */
}

/* How many bytes may go into one engine call that begins with this counter. */
static inline size_t cdz_ctr_room(const uint8_t ctr[16], size_t len) {
    const size_t room = (size_t)(65536 - ((unsigned)ctr[14] << 8 | ctr[15])) * 16;
    return len < room ? len : room;
}

/* out = in ^ keystream for len bytes; ctr is left at the first block that was not touched. The first form has a key of
 * its own, the second takes the object's (first) one. */
void cdz_ctr_run_key(const struct cdz_engine *e, const void *ks, uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                     size_t len, enum cdz_ctr_width width);
void cdz_ctr_run(const struct cdz_cipher *c, uint8_t ctr[16], const uint8_t *in, uint8_t *out, size_t len,
                 enum cdz_ctr_width width);

/* GCM-SIV's counter: a little-endian number in bytes 0 to 3, which wraps there; ctr is not moved on. */
void cdz_ctr32le_run(const struct cdz_engine *e, const void *ks, const uint8_t ctr[16], const uint8_t *in, uint8_t *out,
                     size_t len);

/*
 * The same in pieces of any length, state in c->s: chain is the next counter; used, fresh and keystream the block
 * begun. A tail rides in the last batch; only if the message then goes on is its block of keystream made again and
 * kept.
 */
void cdz_ctr_stream(struct cdz_cipher *c, const uint8_t *in, uint8_t *out, size_t len, enum cdz_ctr_width width);

/* cdz_mode.clean() of the modes that have ctr_mac() serve a whole message: their frames hold secrets, but no buffer. */
void cdz_clean_ctr_mac(struct cdz_cipher *c);

#endif
