/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Padding and MAC of TLS's CBC records against the plain reading of RFC 5246 section 6.2.3.2: every length of padding,
 * every place a MAC can have, damage in every byte of the padding, records too short for what they claim.
 */
#include "../../provider/prov.h"
#include "harness.h"

#include <stdlib.h>

/* payload | MAC | padding of `pad` + 1 bytes */
static size_t build(uint8_t *record, size_t payload, size_t mac, unsigned pad) {
    rnd_fill(record, payload + mac);
    memset(record + payload + mac, (int)pad, pad + 1);
    return payload + mac + pad + 1;
}

static void good(void *arg) {
    static const size_t macs[] = {20, 32, 48, 16, 64, 1};
    (void)arg;
    for (size_t m = 0; m < sizeof macs / sizeof *macs; m++)
        for (unsigned pad = 0; pad < 256; pad++)
            for (size_t k = 0; k < 12; k++) {
                const size_t payload = k < 8 ? k * 3 : rnd_below(2000), mac = macs[m];
                uint8_t record[2500], out[64];
                size_t n = build(record, payload, mac, pad);
                NOW("tls_cbc_open", .len = payload, .a = pad, .b = mac);
                CHECK(tls_cbc_open(record, &n, mac, out));
                CHECK(n == payload);
                test_same("MAC", out, record + payload, mac);
                n = build(record, payload, 0, pad); /* encrypt-then-MAC */
                CHECK(tls_cbc_open(record, &n, 0, out) && n == payload);
            }
}

static void damaged(void *arg) {
    (void)arg;
    for (unsigned pad = 1; pad < 256; pad++)
        for (unsigned at = 0; at < pad; at++) {
            uint8_t record[800], out[64], again[64];
            const size_t payload = rnd_below(200), whole = build(record, payload, 20, pad);
            size_t n = whole;
            record[payload + 20 + at] ^= (uint8_t)(1 + rnd_below(255));
            NOW("tls_cbc_open", .len = payload, .a = pad, .b = at);
            /* As if there were no padding, with a MAC of its own making: never what the record has anywhere. */
            CHECK(tls_cbc_open(record, &n, 20, out) && n == whole - 20);
            CHECK(memcmp(out, record + payload, 20) && memcmp(out, record + whole - 20, 20));
            n = whole;
            CHECK(tls_cbc_open(record, &n, 20, again) && memcmp(out, again, 20));
            n = whole;
            CHECK(!tls_cbc_open(record, &n, 0, out));
        }
}

static void short_records(void *arg) {
    (void)arg;
    uint8_t record[64] = {0}, out[64];
    for (size_t n = 0; n < 21; n++) {
        size_t len = n;
        CHECK(!tls_cbc_open(record, &len, 20, out));
    }
    /* The padding claims more than there is. */
    for (unsigned pad = 12; pad < 256; pad++) {
        size_t len = 32;
        memset(record, (int)pad, sizeof record);
        CHECK(tls_cbc_open(record, &len, 20, out) && len == 12);
        CHECK(memcmp(out, record, 20));
    }
    size_t len = 32;
    CHECK(!tls_cbc_open(record, &len, 65, out));
}

static void padding(void *arg) {
    (void)arg;
    for (size_t n = 0; n < 100; n++) {
        uint8_t record[128];
        rnd_fill(record, sizeof record);
        const size_t all = tls_cbc_pad(record, n);
        CHECK(all % 16 == 0 && all > n && all - n <= 16);
        test_all("padding", record + n, (uint8_t)(all - n - 1), all - n);
    }
}

int main(void) {
    test_begin();
    test_add(good, NULL, "right records");
    test_add(damaged, NULL, "damaged padding");
    test_add(short_records, NULL, "short records");
    test_add(padding, NULL, "padding");
    return test_end("tls_cbc");
}
