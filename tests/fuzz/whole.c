/* SPDX-License-Identifier: Apache-2.0 */
/* See whole.h. */
#include "whole.h"

#ifdef CDZ_TEST_HAS_PEER
#include "../peer.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pair_new(struct pair *p, struct decisions *d) {
    char first[96];
    memset(p, 0, sizeof *p);
    p->name = fuzz_algorithm(take_byte(d));
    MUST(cdz_describe(&p->info, p->name) == CDZ_OK);
    snprintf(first, sizeof first, "%s", fuzz_engine(p->name, take_byte(d)));
    const char *const second = fuzz_engine(p->name, take_byte(d));
    fuzz_about("%s on %s and %s", p->name, first, second);
    fill(p->key, sizeof p->key, take_word(d));
    p->weak = strstr(p->name, "-XTS") && p->key[0] < 8;
    if (p->weak) memcpy(p->key + p->info.key_len / 2, p->key, p->info.key_len / 2);
    uint8_t *const key = room_with(p->key, p->info.key_len);
    MUST(cdz_cipher_new_on(&p->c, first, p->name, key, p->info.key_len) == CDZ_OK);
    MUST(cdz_cipher_new_on(&p->other, second, p->name, key, p->info.key_len) == CDZ_OK);
    free(key);
}

void pair_free(struct pair *p) {
    cdz_cipher_free(p->c);
    cdz_cipher_free(p->other);
}

cdz_status whole_do(cdz_cipher *c, const cdz_info *info, bool decrypt, const struct whole *m, uint8_t *out,
                    size_t *out_len, uint8_t tag[16]) {
    *out_len = 0;
    if (info->wraps)
        return (decrypt ? cdz_unwrap : cdz_wrap)(c, m->iv, m->iv_len, m->in, m->len, out, m->len + WHOLE_MORE, out_len);
    if (info->mac)
        return decrypt ? cdz_mac_verify(c, m->iv, m->iv_len, m->aad, m->aad_len, tag, m->tag_len)
                       : cdz_mac(c, m->iv, m->iv_len, m->aad, m->aad_len, tag, m->tag_len);
    cdz_status s;
    if (info->one_shot) {
        s = decrypt ? cdz_decrypt(c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, out, m->tag_len ? tag : NULL,
                                  m->tag_len)
                    : cdz_encrypt(c, m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, out, m->tag_len ? tag : NULL,
                                  m->tag_len);
        if (s == CDZ_OK) *out_len = m->len;
        return s;
    }
    size_t n = 0, more = 0;
    s = cdz_begin(c, decrypt ? CDZ_DECRYPT : CDZ_ENCRYPT, m->iv, m->iv_len);
    if (s == CDZ_OK) s = cdz_update(c, m->in, m->len, out, m->len + WHOLE_MORE, &n);
    if (s == CDZ_OK) s = cdz_finish(c, out + n, m->len + WHOLE_MORE - n, &more);
    if (s == CDZ_OK) *out_len = n + more;
    return s;
}

void whole_compare(const struct pair *p, const struct whole *m, const uint8_t *out, size_t out_len,
                   const uint8_t *tag) {
#ifdef CDZ_TEST_HAS_PEER
    if (!peer_has(p->name)) return;
    /* What OpenSSL 3.0 does otherwise: SIV has neither an empty message nor an empty string. */
    if (strstr(p->name, "-SIV") && (!m->len || !m->aad_len)) return;
    const struct peer_message theirs =
        p->info.mac ? (struct peer_message){.iv = m->iv,
                                            .iv_len = m->iv_len,
                                            .in = m->aad,
                                            .len = m->aad_len,
                                            .tag_len = m->tag_len}
                    : (struct peer_message){m->iv, m->iv_len, m->aad, m->aad_len, m->in, m->len, m->tag_len};
    uint8_t *const made = room(m->len + WHOLE_MORE), made_tag[16];
    const long n = peer_seal(p->name, p->key, p->info.key_len, &theirs, made, made_tag);
    if (n >= 0) {
        MUST((size_t)n == out_len);
        MUST(!out_len || memcmp(made, out, out_len) == 0);
        MUST(!m->tag_len || memcmp(made_tag, tag, m->tag_len) == 0);
    }
    free(made);
#else
    (void)p, (void)m, (void)out, (void)out_len, (void)tag;
#endif
}
