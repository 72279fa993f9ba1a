/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constants of ARIA's S-boxes in the x86 engines, recomputed from the definition of the S-boxes (RFC 5794
 * section 2.4.2): they are read from the sources, so that no copy of them is tested in their place.
 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t s1[256], s2[256], x1[256], x2[256];

static uint8_t mul(unsigned a, unsigned b) {
    unsigned r = 0;
    for (; b; b >>= 1, a = (a << 1) ^ (a & 0x80 ? 0x11b : 0))
        if (b & 1) r ^= a;
    return (uint8_t)r;
}

static uint8_t power(uint8_t x, unsigned n) {
    uint8_t r = 1;
    while (n--) r = mul(r, x);
    return r;
}

/* S1 is AES's; S2(x) = D x^247 + 0xe2, D given by its rows, bit 0 first. */
static void boxes(void) {
    static const char d[8][9] = {"01011110", "00111101", "11010111", "10011101",
                                 "00101100", "10000001", "01011101", "11010011"};
    for (unsigned x = 0; x < 256; x++) {
        const uint8_t inv = power((uint8_t)x, 254), p = power((uint8_t)x, 247);
        unsigned y = inv, z = 0;
        for (unsigned k = 1; k < 5; k++) y ^= (unsigned)(inv << k | inv >> (8 - k)) & 255;
        for (unsigned i = 0; i < 8; i++)
            for (unsigned j = 0; j < 8; j++) z ^= ((unsigned)(d[i][j] == '1') & (p >> j & 1)) << i;
        s1[x] = (uint8_t)(y ^ 0x63);
        s2[x] = (uint8_t)(z ^ 0xe2);
    }
    for (unsigned x = 0; x < 256; x++) x1[s1[x]] = (uint8_t)x, x2[s2[x]] = (uint8_t)x;
}

static char *source(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/src/%s", CDZ_SOURCE_DIR, name);
    FILE *f = fopen(path, "r");
    if (!f) test_fail("%s cannot be read", path);
    char *text = calloc(1, 1 << 20);
    CHECK(text && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* GF2P8AFFINEQB's matrix of a linear map: row i is byte 7 - i, its bit j the coefficient of input bit j. */
static uint64_t matrix(const uint8_t map[256], uint8_t constant) {
    uint64_t m = 0;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < 8; j++)
            m |= (uint64_t)((unsigned)(map[1u << j] ^ constant) >> i & 1) << (8 * (7 - i) + j);
    return m;
}

static void gfni(void *arg) {
    (void)arg;
    char *const text = source("x86/aria_gfni.inc.h");
    uint8_t a1[256], a2[256], p1[256], p2[256], id[256];
    for (unsigned x = 0; x < 256; x++) {
        const uint8_t inv = power((uint8_t)x, 254);
        a1[inv] = s1[x]; /* S1 = A1 inv(x) + 0x63 */
        a2[inv] = s2[x];
        p1[x] = power(x1[x], 254); /* X1 = inv(P1 x + 0x05) */
        p2[x] = power(x2[x], 254);
        id[x] = (uint8_t)x;
    }
    CHECK(a1[0] == 0x63 && a2[0] == 0xe2 && p1[0] == 0x05 && p2[0] == 0x2c);
    const struct {
        const char *name;
        const uint8_t *map;
    } maps[] = {{"ARIA_A1", a1}, {"ARIA_A2", a2}, {"ARIA_P1", p1}, {"ARIA_P2", p2}, {"ARIA_I", id}};
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        char want[64];
        const uint8_t *map = maps[k].map;
        for (unsigned x = 0; x < 256; x++) /* affine, or no matrix would do */
            for (unsigned y = 0; y < 256; y++) CHECK((map[x] ^ map[y] ^ map[0]) == map[x ^ y]);
        snprintf(want, sizeof want, "UINT64_C(0x%016llx)", (unsigned long long)matrix(map, map[0]));
        const char *const at = strstr(text, maps[k].name), *const found = at ? strstr(at, want) : NULL;
        if (!found || found > strchr(at, '\n')) test_fail("%s is not %s", maps[k].name, want);
    }
    free(text);
}

/* The next 16 bytes in braces after *at. */
static void row(const char **at, uint8_t out[16]) {
    for (;; (*at)++) {
        const char *p = *at = strstr(*at, "{0x");
        CHECK(p);
        unsigned i = 0, v;
        int n;
        p++;
        for (; i < 16 && sscanf(p, "%x%n", &v, &n) == 1 && v < 256; i++) {
            out[i] = (uint8_t)v;
            p += n;
            if (*p == ',') p++;
        }
        if (i == 16 && *p == '}') {
            *at = p;
            return;
        }
    }
}

/* A map as two tables, of the low nibble (with the constant) and of the high one. */
static void nibbles(const char **at, const char *what, const uint8_t map[256]) {
    uint8_t low[16], high[16];
    row(at, low);
    row(at, high);
    for (unsigned x = 0; x < 256; x++)
        if ((low[x & 15] ^ high[x >> 4]) != map[x]) test_fail("%s is wrong for %u", what, x);
}

static void aesni(void *arg) {
    (void)arg;
    char *const text = source("x86/aria_aesni.inc.h");
    const char *at = text;
    uint8_t m[256], n[256];
    for (unsigned x = 0; x < 256; x++) {
        m[x] = s2[x1[x]]; /* S2 = M(AESENCLAST) */
        n[x] = s1[x2[x]]; /* X2 = AESDECLAST(N) */
    }
    nibbles(&at, "M = S2 X1", m);
    nibbles(&at, "N = S1 X2", n);
    free(text);
}

/* The carry-less product with 0x87 as four tables: low and high byte, for either nibble. */
static void tweaks(void *arg) {
    (void)arg;
    char *const text = source("aria/aria_masks.h");
    const char *at = strstr(text, "aria_times_87");
    uint8_t t[4][16];
    CHECK(at);
    for (unsigned k = 0; k < 4; k++) row(&at, t[k]);
    for (unsigned b = 0; b < 256; b++) {
        const unsigned want = b ^ b << 1 ^ b << 2 ^ b << 7;
        CHECK((t[0][b & 15] ^ t[2][b >> 4]) == (want & 255));
        CHECK((t[1][b & 15] ^ t[3][b >> 4]) == want >> 8);
    }
    free(text);
}

/* Round form of a few blocks: all of it follows from the order of bytes and the grid of aria_sliced.inc.h. */
static void grid(void *arg) {
    (void)arg;
    static const uint8_t g[4][4] = {{13, 6, 8, 3}, {7, 12, 2, 9}, {10, 1, 15, 4}, {0, 11, 5, 14}}; /* [row][column] */
    char *const text = source("x86/aria_grid.inc.h");
    const char *at = strstr(text, "aria_grid_enter");
    uint8_t enter[16], leave[16], turn[3][16], constants[2][16], s[2][16], of[16];
    CHECK(at);
    row(&at, enter);
    row(&at, leave);
    for (unsigned k = 0; k < 3; k++) row(&at, turn[k]);
    for (unsigned k = 0; k < 2; k++) row(&at, constants[k]);
    for (unsigned k = 0; k < 2; k++) row(&at, s[k]);
    for (unsigned p = 0; p < 16; p++) of[enter[p] & 15] = (uint8_t)p;
    for (unsigned i = 0; i < 16; i++) CHECK(leave[i] == of[i] && enter[of[i]] == i);
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++) {
            const unsigned p = of[g[a][b]], q = of[g[b][a]];
            unsigned rows = 0, columns = 0;
            for (unsigned k = 0; k < 4; k++) rows |= 1u << of[g[a][k]], columns |= 1u << of[g[k][b]];
            CHECK(rows == (1u << p | 1u << (p ^ 4) | 1u << (p ^ 8) | 1u << (p ^ 12)));
            CHECK(columns == (1u << p | 1u << (p ^ 2) | 1u << (p ^ 9) | 1u << (p ^ 11)));
            CHECK(turn[0][q] == p && turn[1][q] == (p ^ 8) && turn[2][q] == (p ^ 9));
        }
    for (unsigned even = 0; even < 2; even++)
        for (unsigned a = 0; a < 4; a++)
            for (unsigned b = 0; b < 4; b++) {
                const unsigned i = g[b][a], p = of[i];
                /* S1 S2 X1 X2 for bytes 0 1 2 3 of each four in odd rounds, X1 X2 S1 S2 in even ones; A1 and P1 are the
                 * matrices of quadword 0. */
#define ADDS(i) ((((i) / 2 ^ even) & 1) ? 0 : (i) % 2 ? 0xe2 : 0x63)
                unsigned want = ADDS(g[a][b]);
                for (unsigned k = 0; k < 4; k++) want ^= ADDS(g[a][k]) ^ ADDS(g[k][b]);
                CHECK(s[even][p] == (ADDS(i) ? 255 : 0) && p / 8 == i % 2);
                /* The next round's X1 and X2 are where this round's S1 and S2 were. */
                CHECK(constants[even][p] == (want ^ ADDS(i)));
            }
#undef ADDS
    CHECK(strstr(text, "aria_grid_end = 0xe2630000")); /* bytes 2 and 3: 0x63, 0xe2 */
    free(text);
}

int main(void) {
    test_begin();
    boxes();
    test_add(gfni, NULL, "GFNI matrices");
    test_add(aesni, NULL, "maps around AES-NI's S-boxes");
    test_add(tweaks, NULL, "tables of tweaks");
    test_add(grid, NULL, "tables of a few blocks");
    return test_end("aria_constants");
}
