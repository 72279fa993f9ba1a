/* SPDX-License-Identifier: Apache-2.0 */
/* A program of somebody else's: built against the installed cadenza, by pkg-config and by find_package. */
#include <cadenza.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    /* RFC 5794, appendix A.1. */
    static const uint8_t expected[16] = {0xd7, 0x18, 0xfb, 0xd6, 0xab, 0x64, 0x4c, 0x73,
                                         0x9d, 0xa9, 0x5f, 0x3b, 0xe6, 0x45, 0x17, 0x78};
    uint8_t key[16], block[16];
    cdz_cipher *c;
    cdz_status s;
    for (int i = 0; i < 16; i++) {
        key[i] = (uint8_t)i;
        block[i] = (uint8_t)(i * 0x11);
    }
    s = cdz_cipher_new(&c, "ARIA-128-ECB", key, sizeof key);
    if (s == CDZ_OK) s = cdz_encrypt(c, NULL, 0, NULL, 0, block, sizeof block, block, NULL, 0);
    if (s != CDZ_OK) {
        fprintf(stderr, "%s\n", cdz_strerror(s));
        return 1;
    }
    printf("cadenza %s, %s\n", cdz_version(), cdz_engine_name(c));
    cdz_cipher_free(c);
    return memcmp(block, expected, sizeof block) != 0;
}
