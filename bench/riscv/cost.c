/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What scripts/riscv-cost counts the instructions of, and scripts/riscv-check compares between machines:
 *
 *     cost ENGINE|best ALGORITHM e|d BYTES REPETITIONS
 *
 * encrypts or decrypts a message that often, in place, through the public calls. The difference of two runs that differ
 * in the repetitions is the cost of a message, without start and key set-up. Linked statically, since the counting tool
 * reads the program's own disassembly.
 */
#include "cadenza.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t data[1 << 20];

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    const char *engine = argv[1], *name = argv[2];
    const int decrypt = argv[3][0] == 'd';
    const size_t len = strtoul(argv[4], NULL, 0);
    const unsigned long n = strtoul(argv[5], NULL, 0);
    uint8_t key[64], iv[16] = {0}, tag[16] = {0};
    cdz_info info;
    cdz_cipher *c;
    if (len > sizeof data || cdz_describe(&info, name) != CDZ_OK || info.key_len > sizeof key) return 2;
    for (size_t i = 0; i < sizeof key; i++) key[i] = (uint8_t)(i * 37 + 11);
    const cdz_status s = strcmp(engine, "best") == 0 ? cdz_cipher_new(&c, name, key, info.key_len)
                                                     : cdz_cipher_new_on(&c, engine, name, key, info.key_len);
    if (s != CDZ_OK) {
        fprintf(stderr, "%s on %s: %s\n", name, engine, cdz_strerror(s));
        return 1;
    }
    const size_t tag_len = info.tag_lengths ? 16 : 0;
    for (unsigned long i = 0; i < n; i++) {
        cdz_status r;
        if (decrypt)
            r = cdz_decrypt(c, iv, info.iv_default, NULL, 0, data, len, data, tag, tag_len);
        else
            r = cdz_encrypt(c, iv, info.iv_default, NULL, 0, data, len, data, tag, tag_len);
        /* The tag of a decryption is wrong here: the work is the same, but for the clearing. */
        if (r != CDZ_OK && !(decrypt && r == CDZ_ERR_AUTH)) {
            fprintf(stderr, "%s\n", cdz_strerror(r));
            return 1;
        }
    }
    uint32_t sum = 0;
    for (size_t i = 0; i < len; i++) sum = sum * 31 + data[i];
    printf("%s %s %08x\n", cdz_cipher_name(c), cdz_engine_name(c), (unsigned)sum);
    cdz_cipher_free(c);
    return 0;
}
