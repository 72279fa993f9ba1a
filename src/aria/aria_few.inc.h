/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A few blocks of ARIA at once, in one to four registers in the natural order of bytes (aria_rows.inc.h): where the
 * byte-sliced kernel would be nearly empty, and its transpositions cost as much as the rounds. A block takes some 10
 * cycles a round, of which most are spent waiting: more of them fit in between. Included once, with the width that
 * suits the tier, and a second time where one block or two have another width. ARIA_GRID: over the functions that
 * src/x86/aria_grid.inc.h has defined.
 */
#ifndef CDZ_ARIA_FEW_CONSTANTS
#define CDZ_ARIA_FEW_CONSTANTS
/* Exchanges the last two bytes, and n in the place of the counter's low 16 bits then (big- and little-endian). */
static const uint8_t aria_swap[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14};
#define BE(n)                                                                                                          \
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, n, 0 }
#define LE(n)                                                                                                          \
    { n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
static const uint8_t aria_count[2][16][16] = {
    {BE(0), BE(1), BE(2), BE(3), BE(4), BE(5), BE(6), BE(7), BE(8), BE(9), BE(10), BE(11), BE(12), BE(13), BE(14),
     BE(15)},
    {LE(0), LE(1), LE(2), LE(3), LE(4), LE(5), LE(6), LE(7), LE(8), LE(9), LE(10), LE(11), LE(12), LE(13), LE(14),
     LE(15)},
};
#undef BE
#undef LE
#endif

#ifndef ARIA_GRID
CDZ_INLINE vec VEC(few_key_end)(const uint8_t row[16]) { return v_lanes(row); }
CDZ_INLINE vec VEC(few_key)(const uint8_t row[16]) { return v_lanes(row); }
CDZ_INLINE vec VEC(few_enter)(vec x, vec key) { return v_xor(x, key); }
CDZ_INLINE vec VEC(few_round)(vec x, vec key, unsigned even, const uint8_t t[2][4][2][16]) {
    return VEC(row_round)(x, key, even, t);
}
CDZ_INLINE vec VEC(few_last)(vec x, vec key) { return VEC(row_sub)(x, key, 1); }
#endif

enum { VEC(rows_most) = 4 * VEC_LANES };

#define EACH1(M) M(0)
#define EACH2(M) M(0) M(1)
#define EACH3(M) M(0) M(1) M(2)
#define EACH4(M) M(0) M(1) M(2) M(3)
#define KEY(i)   x[i] = VEC(few_enter)(x[i], k);
#define ODD(i)   x[i] = VEC(few_round)(x[i], k, 0, t);
#define EVEN(i)  x[i] = VEC(few_round)(x[i], k, 1, t);
#define LAST(i)  x[i] = VEC(few_last)(x[i], k);
/* From the first round key to the last. */
#define RUN(EACH)                                                                                                      \
    const uint8_t(*row)[16] = way->row;                                                                                \
    const uint8_t(*t)[4][2][16] = aria_terms;                                                                          \
    vec k = VEC(few_key_end)(row[0]);                                                                                  \
    EACH(KEY)                                                                                                          \
    for (size_t odds = rounds / 2;; row += 2) {                                                                        \
        ROW_TABLE(t, row);                                                                                             \
        k = VEC(few_key)(row[1]);                                                                                      \
        EACH(ODD)                                                                                                      \
        if (!--odds) break;                                                                                            \
        k = VEC(few_key)(row[2]);                                                                                      \
        EACH(EVEN)                                                                                                     \
    }                                                                                                                  \
    k = VEC(few_key_end)(row[2]);                                                                                      \
    EACH(LAST)

/* Independent blocks. */
#define LOAD(i)  x[i] = i + 1 < n ? v_load(in + i * VEC_BYTES) : v_load_lanes(in + i * VEC_BYTES, rest);
#define STORE(i) i + 1 < n ? v_store(out + i * VEC_BYTES, x[i]) : v_store_lanes(out + i * VEC_BYTES, x[i], rest);
#define CASE(count)                                                                                                    \
    case count: {                                                                                                      \
        enum { n = count };                                                                                            \
        const size_t rest = blocks - (n - 1) * VEC_LANES;                                                              \
        vec x[n];                                                                                                      \
        (void)rest;                                                                                                    \
        EACH##count(LOAD) RUN(EACH##count) EACH##count(STORE) break;                                                   \
    }
static CDZ_KERNEL void VEC(rows)(const struct cdz_aria_way *way, size_t rounds, const uint8_t *in, uint8_t *out,
                                 size_t blocks) {
    switch ((blocks + VEC_LANES - 1) / VEC_LANES) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
    }
}
#undef LOAD
#undef STORE
#undef CASE

/* Counter mode: len bytes, at most rows_most blocks. */
#define COUNT(i)                                                                                                       \
    x[i] = v_add16(start, v_load(aria_count[le][i * VEC_LANES]));                                                      \
    if (!le) x[i] = v_shuffle8(x[i], swap);
#define STORE(i) v_xor_bytes(out + i * VEC_BYTES, in + i * VEC_BYTES, x[i], i + 1 < n ? VEC_BYTES : rest);
#define CASE(count)                                                                                                    \
    case count: {                                                                                                      \
        enum { n = count };                                                                                            \
        const size_t rest = len - (n - 1) * VEC_BYTES;                                                                 \
        vec x[n];                                                                                                      \
        EACH##count(COUNT) RUN(EACH##count) EACH##count(STORE) break;                                                  \
    }
static CDZ_KERNEL void VEC(rows_ctr)(const struct cdz_aria_way *way, size_t rounds, const uint8_t ctr[16],
                                     const uint8_t *in, uint8_t *out, size_t len, bool le) {
    const vec swap = v_lanes(aria_swap);
    vec start = v_lanes(ctr);
    if (!le) start = v_shuffle8(start, swap);
    switch ((len + VEC_BYTES - 1) / VEC_BYTES) {
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
    }
}
#undef COUNT
#undef STORE
#undef CASE
#undef KEY
#undef ODD
#undef EVEN
#undef LAST
#undef RUN
#undef EACH1
#undef EACH2
#undef EACH3
#undef EACH4
