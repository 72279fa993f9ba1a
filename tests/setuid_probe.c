/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what cadenza may use of the CPU, or the sentence of what it says instead: tests/setuid.sh runs it set-uid. */
#include <cadenza.h>

#include <stdio.h>

int main(void) {
    static const uint8_t key[16];
    char features[1000];
    cdz_cipher *c;
    const cdz_status s = cdz_cipher_new(&c, "ARIA-128-ECB", key, sizeof key);
    if (s != CDZ_OK) {
        puts(cdz_strerror(s));
        return 1;
    }
    cdz_cipher_free(c);
    cdz_cpu_features(features, sizeof features);
    puts(features);
    return 0;
}
