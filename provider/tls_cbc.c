/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CBC records of TLS 1.0 to 1.2 and DTLS, MAC then encrypt (RFC 5246 section 6.2.3.2): adding and removing the padding
 * and taking out the MAC. libssl leaves both to the cipher, because on the way back neither may show in time or in
 * memory accesses (Vaudenay 2002, "Lucky Thirteen" 2013): whether the padding is right, how long it is, where the MAC
 * lies.
 *
 * A padding is one byte n and before it n bytes of the same value. Where it is wrong, the record is taken to have none
 * and its MAC is random, so that libssl's own comparison fails in the time of any wrong MAC.
 */
#include "prov.h"

/* Masks of all ones or 0, from numbers below 2^31, without branches. */
static uint32_t barrier(uint32_t x) {
    __asm__("" : "+r"(x));
    return x;
}
static uint32_t less(uint32_t a, uint32_t b) { return barrier(0u - ((a - b) >> 31)); }
static uint32_t at_least(uint32_t a, uint32_t b) { return ~less(a, b); }
static uint32_t equal(uint32_t a, uint32_t b) { return less(a ^ b, 1); }

size_t tls_cbc_pad(uint8_t *record, size_t n) {
    const size_t pad = 16 - n % 16;
    memset(record + n, (int)(pad - 1), pad);
    return n + pad;
}

/* The MAC of m bytes that ends at `end`, a secret, in record[0, n), rotated into place in one pass over all places it
 * can have. */
static void take_mac(const uint8_t *record, uint32_t n, uint32_t end, uint32_t m, uint8_t *mac) {
    uint8_t ring[64] = {0};
    const uint32_t start = end - m, from = n > m + 256 ? n - (m + 256) : 0;
    uint32_t inside = 0, turn = 0;
    for (uint32_t i = from, j = 0; i < n; i++) {
        const uint32_t begins = equal(i, start);
        inside = (inside | begins) & less(i, end);
        turn |= j & begins;
        ring[j] = (uint8_t)(ring[j] | (record[i] & inside));
        j = j + 1 == m ? 0 : j + 1; /* public */
    }
    for (uint32_t k = 0; k < m; k++) {
        uint32_t from_j = turn + k, b = 0;
        from_j -= m & at_least(from_j, m);
        for (uint32_t j = 0; j < m; j++) b |= ring[j] & equal(j, from_j);
        mac[k] = (uint8_t)b;
    }
    prov_wipe(ring, sizeof ring);
}

bool tls_cbc_open(const uint8_t *record, size_t *len, size_t mac_size, uint8_t *mac) {
    uint8_t random[64];
    const uint32_t n = (uint32_t)*len, m = (uint32_t)mac_size;
    if (*len > 1u << 20 || m > sizeof random || n < m + 1) return false; /* publicly too short or too long */
    if (m && !prov_random(random, m)) return false;
    const uint32_t pad = record[n - 1];
    uint32_t good = at_least(n, m + 1 + pad);
    const uint32_t look = n < 256 ? n : 256;
    for (uint32_t i = 0; i < look; i++) good &= ~(at_least(pad, i) & (pad ^ record[n - 1 - i]));
    good = equal(good & 0xff, 0xff);
    const uint32_t end = n - (good & (pad + 1));
    *len = end - m;
    if (!m) return good != 0; /* encrypt-then-MAC: the record is authentic, and this no oracle */
    take_mac(record, n, end, m, mac);
    for (uint32_t k = 0; k < m; k++) mac[k] = (uint8_t)((mac[k] & good) | (random[k] & ~good));
    return true;
}
