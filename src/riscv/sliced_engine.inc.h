/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of an engine that stands in the frame of sliced_rvv.h, and the engine. The including file has defined
 * ENGINE, NAME, CIPHER, NEEDS, BATCH, KEY_SIZE, `sliced` (a struct cdz_sliced), set_key(), and may have defined
 *
 *   OWN_BLOCKS      encrypt(), decrypt(), ctr(), ctr32le() and cbc_decrypt() are its own
 *   OWN_CFB_DECRYPT cfb_decrypt() too
 *   OWN_SERIAL      it has cbc_encrypt(), cfb_encrypt(), ofb() and cbc_mac(): else the mode layer goes block by block
 */
#ifndef OWN_BLOCKS
static void encrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_blocks(&sliced, false, ks, in, out, blocks);
}

static void decrypt(const void *ks, const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_blocks(&sliced, true, ks, in, out, blocks);
}

static void ctr(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    cdz_sliced_ctr(&sliced, false, ks, c, in, out, len);
}

static void ctr32le(const void *ks, const uint8_t c[16], const uint8_t *in, uint8_t *out, size_t len) {
    cdz_sliced_ctr(&sliced, true, ks, c, in, out, len);
}

static void cbc_decrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_cbc_decrypt(&sliced, ks, iv, in, out, blocks);
}

#endif

#ifndef OWN_CFB_DECRYPT
static void cfb_decrypt(const void *ks, uint8_t iv[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_cfb_decrypt(&sliced, ks, iv, in, out, blocks);
}
#endif

static void xts_encrypt(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_xts(&sliced, false, ks, tweak, in, out, blocks);
}

static void xts_decrypt(const void *ks, uint8_t tweak[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_xts(&sliced, true, ks, tweak, in, out, blocks);
}

static void ocb_encrypt(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                        uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_ocb(&sliced, false, ks, l, index, offset, checksum, in, out, blocks);
}

static void ocb_decrypt(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16],
                        uint8_t checksum[16], const uint8_t *in, uint8_t *out, size_t blocks) {
    cdz_sliced_ocb(&sliced, true, ks, l, index, offset, checksum, in, out, blocks);
}

static void ocb_aad(const void *ks, const uint8_t (*l)[16], uint64_t index, uint8_t offset[16], uint8_t sum[16],
                    const uint8_t *aad, size_t blocks) {
    cdz_sliced_ocb_aad(&sliced, ks, l, index, offset, sum, aad, blocks);
}

const struct cdz_engine ENGINE = {
    .name = NAME,
    .cipher = CIPHER,
    .batch = BATCH,
    .needs = NEEDS,
    .key_size = (KEY_SIZE + 63) / 64 * 64,
    .set_key = set_key,
    .encrypt = encrypt,
    .decrypt = decrypt,
    .ctr = ctr,
    .ctr32le = ctr32le,
#ifdef OWN_SERIAL
    .cbc_encrypt = cbc_encrypt,
    .cfb_encrypt = cfb_encrypt,
    .ofb = ofb,
    .cbc_mac = cbc_mac,
#endif
    .cbc_decrypt = cbc_decrypt,
    .cfb_decrypt = cfb_decrypt,
    .xts_encrypt = xts_encrypt,
    .xts_decrypt = xts_decrypt,
    .ocb_encrypt = ocb_encrypt,
    .ocb_decrypt = ocb_decrypt,
    .ocb_aad = ocb_aad,
};
