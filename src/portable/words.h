/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary of the portable engines: words of bits, and one block as a vector of bytes.
 *
 * A word (cdz_word) is as wide as this build's target can handle at once: a compiler's vector of 512, 256 or 128 bits,
 * uint64_t or uint32_t. -DCDZ_WORD_BITS=... forces one (tests do). The kernels use it through C's operators ^ & | << >>
 * and the functions here, and are the same source for all.
 *
 * Four bytes side by side in a block are a column: byte 4c + t is row t of column c (AES's naming; ARIA's S-box types
 * go by t as well).
 *
 * The sliced form of CDZ_STRIPE = CDZ_WORD_BITS / 4 blocks is 32 words: word 8t + b holds bit b of row t.
 * A word is four groups, group c for column c, of one bit a block:
 *
 *     uint32_t, uint64_t   group c = bits c n .. c n + n - 1 (n = 8, 16), bit i for block i
 *     128-bit vector       group c = 32-bit lane c, bit i for block i
 *     wider vectors        the same in each 128-bit piece h of H; bit i there for block H i + h
 *
 * The fully sliced form of CDZ_WORD_BITS blocks is 128 words: word 8 (4t + c) + b holds bit b of byte 4c + t. Which bit
 * of a word belongs to which block is said at cdz_slice_full().
 */
#ifndef CDZ_WORDS_H
#define CDZ_WORDS_H

#include "../util/bytes.h"
#include "../util/wipe.h"

#ifndef CDZ_WORD_BITS
#if defined(__x86_64__) && defined(__AVX512F__)
#define CDZ_WORD_BITS 512
#elif defined(__x86_64__) && defined(__AVX2__)
#define CDZ_WORD_BITS 256
#elif defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define CDZ_WORD_BITS 128
#elif UINTPTR_MAX > UINT32_MAX
#define CDZ_WORD_BITS 64
#else
#define CDZ_WORD_BITS 32
#endif
#endif

enum {
    CDZ_STRIPE = CDZ_WORD_BITS / 4,
    CDZ_PIECES = CDZ_WORD_BITS > 128 ? CDZ_WORD_BITS / 128 : 1 /* H above */
};

#if CDZ_WORD_BITS >= 128

#define CDZ_VECTORS 1
typedef uint32_t cdz_lane;
typedef cdz_lane cdz_word __attribute__((vector_size(CDZ_WORD_BITS / 8)));
/* The constant x in every 32 bits. */
#define CDZ_WORD(x) ((cdz_word){0} + UINT32_C(x))

/* Shuffles 32-bit lanes within each 128-bit piece: lane i of the result is lane s_i of a (0 to 3) or b (4 to 7). */
#if CDZ_WORD_BITS == 128
#define CDZ_LANES(a, b, s0, s1, s2, s3) __builtin_shufflevector(a, b, s0, s1, s2, s3)
#else
#define CDZ_LANE(s, p, h)               (((s)&3) + 4 * (h) + ((s) >> 2) * 4 * (p))
#define CDZ_PIECE(s0, s1, s2, s3, p, h) CDZ_LANE(s0, p, h), CDZ_LANE(s1, p, h), CDZ_LANE(s2, p, h), CDZ_LANE(s3, p, h)
#if CDZ_WORD_BITS == 256
#define CDZ_LANES(a, b, s0, s1, s2, s3)                                                                                \
    __builtin_shufflevector(a, b, CDZ_PIECE(s0, s1, s2, s3, 2, 0), CDZ_PIECE(s0, s1, s2, s3, 2, 1))
#else
#define CDZ_LANES(a, b, s0, s1, s2, s3)                                                                                \
    __builtin_shufflevector(a, b, CDZ_PIECE(s0, s1, s2, s3, 4, 0), CDZ_PIECE(s0, s1, s2, s3, 4, 1),                    \
                            CDZ_PIECE(s0, s1, s2, s3, 4, 2), CDZ_PIECE(s0, s1, s2, s3, 4, 3))
#endif
#endif

/* One block: 16 bytes, and four 32-bit lanes. */
typedef uint32_t cdz_block __attribute__((vector_size(16)));
typedef uint64_t cdz_block64 __attribute__((vector_size(16)));
typedef uint16_t cdz_block16 __attribute__((vector_size(16)));
typedef uint8_t cdz_block8 __attribute__((vector_size(16)));
typedef int8_t cdz_block8s __attribute__((vector_size(16)));

#elif CDZ_WORD_BITS == 64

#define CDZ_VECTORS       0
typedef uint64_t cdz_word, cdz_lane;
#define CDZ_WORD(x)       (UINT64_C(0x0000000100000001) * (x))
#define CDZ_WORD_BYTES(x) (UINT64_C(0x0101010101010101) * (x))

#elif CDZ_WORD_BITS == 32

#define CDZ_VECTORS       0
typedef uint32_t cdz_word, cdz_lane;
#define CDZ_WORD(x)       UINT32_C(x)
#define CDZ_WORD_BYTES(x) (UINT32_C(0x01010101) * (x))

#else
#error "CDZ_WORD_BITS is 32, 64, 128, 256 or 512"
#endif

/* Long, and called a few times a batch: not repeated at every call. */
#define CDZ_OUTLINE static __attribute__((noinline, unused))

/* The bit in all places of a word. */
#define CDZ_MASK(bit) ((cdz_word){0} - (cdz_lane)(bit))

/* Exchanges the bits of a under m << n with those of b under m. */
#define CDZ_SWAP_BITS(a, b, n, m)                                                                                      \
    do {                                                                                                               \
        const cdz_word swap_t_ = (((a) >> (n)) ^ (b)) & (m);                                                           \
        (b) ^= swap_t_;                                                                                                \
        (a) ^= swap_t_ << (n);                                                                                         \
    } while (0)

/* Transposes the 32 x 32 bits that 32 words have in each 32-bit lane: bit i of word j and bit j of word i change
 * places. Hacker's Delight's five steps, the same for every lane. */
CDZ_OUTLINE void cdz_transpose32(cdz_word w[32]) {
#define CDZ_STEP(n, mask)                                                                                              \
    _Pragma("GCC unroll 16") for (unsigned i = 0; i < 32; i += 2 * (n))                                                \
        _Pragma("GCC unroll 16") for (unsigned j = i; j < i + (n); j++)                                                \
            CDZ_SWAP_BITS(w[j], w[j + (n)], n, CDZ_WORD(mask));
    CDZ_STEP(16, 0x0000ffff)
    CDZ_STEP(8, 0x00ff00ff)
    CDZ_STEP(4, 0x0f0f0f0f)
    CDZ_STEP(2, 0x33333333)
    CDZ_STEP(1, 0x55555555)
#undef CDZ_STEP
}

/* CDZ_STRIPE blocks to their sliced form. */
CDZ_INLINE void cdz_slice(cdz_word w[32], const uint8_t *in) {
#if CDZ_VECTORS
    for (unsigned i = 0; i < 32; i++) memcpy(&w[i], in + i * sizeof w[i], sizeof w[i]);
#elif CDZ_WORD_BITS == 64
    for (unsigned i = 0; i < 16; i++) {
        const uint64_t a = cdz_load_le64(in + 16 * i), b = cdz_load_le64(in + 16 * i + 8);
        w[i] = (a & UINT32_MAX) | b << 32;
        w[16 + i] = a >> 32 | (b & ~(uint64_t)UINT32_MAX);
    }
#else
    for (unsigned i = 0; i < 8; i++)
        for (unsigned c = 0; c < 4; c++) w[8 * c + i] = cdz_load_le32(in + 16 * i + 4 * c);
#endif
    cdz_transpose32(w);
}

/* And back, with `mask` (as many blocks, or NULL) XORed to the result. */
CDZ_INLINE void cdz_unslice(uint8_t *out, cdz_word w[32], const uint8_t *mask) {
    cdz_transpose32(w);
#if CDZ_VECTORS
    if (mask)
        for (unsigned i = 0; i < 32; i++) {
            cdz_word m;
            memcpy(&m, mask + i * sizeof m, sizeof m);
            w[i] ^= m;
        }
    for (unsigned i = 0; i < 32; i++) memcpy(out + i * sizeof w[i], &w[i], sizeof w[i]);
#elif CDZ_WORD_BITS == 64
    for (unsigned i = 0; i < 16; i++) {
        uint64_t a = (w[i] & UINT32_MAX) | w[16 + i] << 32, b = w[i] >> 32 | (w[16 + i] & ~(uint64_t)UINT32_MAX);
        if (mask) a ^= cdz_load_le64(mask + 16 * i), b ^= cdz_load_le64(mask + 16 * i + 8);
        cdz_store_le64(out + 16 * i, a);
        cdz_store_le64(out + 16 * i + 8, b);
    }
#else
    for (unsigned i = 0; i < 8; i++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t a = w[8 * c + i];
            if (mask) a ^= cdz_load_le32(mask + 16 * i + 4 * c);
            cdz_store_le32(out + 16 * i + 4 * c, a);
        }
#endif
}

/* For a stripe: the planes of the byte (start + i) mod 256 for block i, in each of the four groups; and in *wrapped
 * where start + i >= 256. */
CDZ_INLINE void cdz_count_stripe(cdz_word p[8], cdz_word *wrapped, uint8_t start) {
    /* Bits of a block's number within a piece: runs of 1, 2, 4, 8, 16 zeroes and ones. */
    static const uint32_t runs[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
    enum { PER_PIECE = CDZ_STRIPE / CDZ_PIECES };
    cdz_word carry = {0};
    for (unsigned b = 0; b < 8; b++) {
        cdz_word i = {0};
        const unsigned run = (1u << b) / CDZ_PIECES; /* 0: the bit is one of the piece's number */
#if CDZ_VECTORS
        if (!run)
            for (unsigned lane = 0; lane < 4 * CDZ_PIECES; lane++) i[lane] = 0 - (lane / 4 >> b & 1);
#endif
        for (unsigned n = 0; n < 5; n++)
            if (run == 1u << n && run < PER_PIECE) i |= CDZ_WORD(1) * (cdz_lane)runs[n];
        const cdz_word s = CDZ_MASK(start >> b & 1);
        p[b] = i ^ s ^ carry;
        carry = (i & s) | (carry & (i ^ s));
    }
    *wrapped = carry;
}

/* Ones in group c. */
CDZ_INLINE cdz_word cdz_group(unsigned c) {
    cdz_word w = {0};
#if CDZ_VECTORS
    for (unsigned lane = c; lane < 4 * CDZ_PIECES; lane += 4) w[lane] = UINT32_MAX;
#else
    w = (((cdz_word)1 << CDZ_STRIPE) - 1) << c * CDZ_STRIPE;
#endif
    return w;
}

/* Group i of word j and group j of word i change places. */
CDZ_INLINE void cdz_transpose_groups(cdz_word *p0, cdz_word *p1, cdz_word *p2, cdz_word *p3) {
    cdz_word a = *p0, b = *p1, c = *p2, d = *p3;
#if CDZ_VECTORS
    const cdz_word ab = CDZ_LANES(a, b, 0, 4, 1, 5), cd = CDZ_LANES(c, d, 0, 4, 1, 5);
    const cdz_word AB = CDZ_LANES(a, b, 2, 6, 3, 7), CD = CDZ_LANES(c, d, 2, 6, 3, 7);
    a = CDZ_LANES(ab, cd, 0, 1, 4, 5);
    b = CDZ_LANES(ab, cd, 2, 3, 6, 7);
    c = CDZ_LANES(AB, CD, 0, 1, 4, 5);
    d = CDZ_LANES(AB, CD, 2, 3, 6, 7);
#elif CDZ_WORD_BITS == 64
    CDZ_SWAP_BITS(a, c, 32, UINT64_C(0x00000000ffffffff));
    CDZ_SWAP_BITS(b, d, 32, UINT64_C(0x00000000ffffffff));
    CDZ_SWAP_BITS(a, b, 16, UINT64_C(0x0000ffff0000ffff));
    CDZ_SWAP_BITS(c, d, 16, UINT64_C(0x0000ffff0000ffff));
#else
    CDZ_SWAP_BITS(a, c, 16, UINT32_C(0x0000ffff));
    CDZ_SWAP_BITS(b, d, 16, UINT32_C(0x0000ffff));
    CDZ_SWAP_BITS(a, b, 8, UINT32_C(0x00ff00ff));
    CDZ_SWAP_BITS(c, d, 8, UINT32_C(0x00ff00ff));
#endif
    *p0 = a, *p1 = b, *p2 = c, *p3 = d;
}

/* Group c of the result is group c + n (mod 4) of x. */
#if CDZ_VECTORS
#define cdz_next_group(x, n) CDZ_LANES(x, x, (n)&3, ((n) + 1) & 3, ((n) + 2) & 3, ((n) + 3) & 3)
#else
CDZ_INLINE cdz_word cdz_next_group(cdz_word x, unsigned n) {
    return n ? x >> n * CDZ_STRIPE | x << (4 - n) * CDZ_STRIPE : x;
}
#endif

/* CDZ_WORD_BITS blocks to their fully sliced form; and back, with `mask` (as many blocks, or NULL) XORed to the result.
 */
#if CDZ_VECTORS

/*
 * In two steps: 16 blocks (of each 128-bit piece) become 16 words of one byte of each block; then eight such words of
 * the same byte become one word a bit. So byte i of a piece belongs to the i-th block of each of eight groups of 16
 * vectors, bit g of it to group g.
 */
CDZ_INLINE cdz_word cdz_interleave_low(cdz_word a, cdz_word b) {
    typedef uint8_t bytes __attribute__((vector_size(CDZ_WORD_BITS / 8)));
#define CDZ_PIECE_LOW(h)                                                                                               \
    16 * h, N + 16 * h, 16 * h + 1, N + 16 * h + 1, 16 * h + 2, N + 16 * h + 2, 16 * h + 3, N + 16 * h + 3,            \
        16 * h + 4, N + 16 * h + 4, 16 * h + 5, N + 16 * h + 5, 16 * h + 6, N + 16 * h + 6, 16 * h + 7, N + 16 * h + 7
    enum { N = CDZ_WORD_BITS / 8 };
#if CDZ_WORD_BITS == 128
    return (cdz_word)__builtin_shufflevector((bytes)a, (bytes)b, CDZ_PIECE_LOW(0));
#elif CDZ_WORD_BITS == 256
    return (cdz_word)__builtin_shufflevector((bytes)a, (bytes)b, CDZ_PIECE_LOW(0), CDZ_PIECE_LOW(1));
#else
    return (cdz_word)__builtin_shufflevector((bytes)a, (bytes)b, CDZ_PIECE_LOW(0), CDZ_PIECE_LOW(1), CDZ_PIECE_LOW(2),
                                             CDZ_PIECE_LOW(3));
#endif
}
CDZ_INLINE cdz_word cdz_interleave_high(cdz_word a, cdz_word b) {
    typedef uint8_t bytes __attribute__((vector_size(CDZ_WORD_BITS / 8)));
    enum { N = CDZ_WORD_BITS / 8 + 8 };
#define CDZ_PIECE_HIGH(h)                                                                                              \
    16 * h + 8, N + 16 * h, 16 * h + 9, N + 16 * h + 1, 16 * h + 10, N + 16 * h + 2, 16 * h + 11, N + 16 * h + 3,      \
        16 * h + 12, N + 16 * h + 4, 16 * h + 13, N + 16 * h + 5, 16 * h + 14, N + 16 * h + 6, 16 * h + 15,            \
        N + 16 * h + 7
#if CDZ_WORD_BITS == 128
    return (cdz_word)__builtin_shufflevector((bytes)a, (bytes)b, CDZ_PIECE_HIGH(0));
#elif CDZ_WORD_BITS == 256
    return (cdz_word)__builtin_shufflevector((bytes)a, (bytes)b, CDZ_PIECE_HIGH(0), CDZ_PIECE_HIGH(1));
#else
    return (cdz_word)__builtin_shufflevector((bytes)a, (bytes)b, CDZ_PIECE_HIGH(0), CDZ_PIECE_HIGH(1),
                                             CDZ_PIECE_HIGH(2), CDZ_PIECE_HIGH(3));
#endif
}

/* Transposes 16 x 16 bytes in each piece. A step rotates the eight bits of (word, byte in piece) by one; four exchange
 * the two. */
#define CDZ_TRANSPOSE_STEP(y, x)                                                                                       \
    _Pragma("GCC unroll 8") for (unsigned step_i_ = 0; step_i_ < 8; step_i_++) {                                       \
        (y)[2 * step_i_] = cdz_interleave_low((x)[step_i_], (x)[8 + step_i_]);                                         \
        (y)[2 * step_i_ + 1] = cdz_interleave_high((x)[step_i_], (x)[8 + step_i_]);                                    \
    }
CDZ_INLINE void cdz_transpose_bytes(cdz_word x[16]) {
    cdz_word y[16];
    CDZ_TRANSPOSE_STEP(y, x)
    CDZ_TRANSPOSE_STEP(x, y)
    CDZ_TRANSPOSE_STEP(y, x)
    CDZ_TRANSPOSE_STEP(x, y)
}

/* Transposes the 8 x 8 bits that eight words have in each byte. */
CDZ_INLINE void cdz_transpose8(cdz_word w[8]) {
    CDZ_SWAP_BITS(w[0], w[4], 4, CDZ_WORD(0x0f0f0f0f));
    CDZ_SWAP_BITS(w[1], w[5], 4, CDZ_WORD(0x0f0f0f0f));
    CDZ_SWAP_BITS(w[2], w[6], 4, CDZ_WORD(0x0f0f0f0f));
    CDZ_SWAP_BITS(w[3], w[7], 4, CDZ_WORD(0x0f0f0f0f));
    CDZ_SWAP_BITS(w[0], w[2], 2, CDZ_WORD(0x33333333));
    CDZ_SWAP_BITS(w[1], w[3], 2, CDZ_WORD(0x33333333));
    CDZ_SWAP_BITS(w[4], w[6], 2, CDZ_WORD(0x33333333));
    CDZ_SWAP_BITS(w[5], w[7], 2, CDZ_WORD(0x33333333));
    CDZ_SWAP_BITS(w[0], w[1], 1, CDZ_WORD(0x55555555));
    CDZ_SWAP_BITS(w[2], w[3], 1, CDZ_WORD(0x55555555));
    CDZ_SWAP_BITS(w[4], w[5], 1, CDZ_WORD(0x55555555));
    CDZ_SWAP_BITS(w[6], w[7], 1, CDZ_WORD(0x55555555));
}

/* Where byte j of a block is in the fully sliced form. */
#define CDZ_SLICED(j) ((j) % 4 * 32 + (j) / 4 * 8)

CDZ_INLINE void cdz_slice_full(cdz_word w[128], const uint8_t *in) {
    for (unsigned g = 0; g < 8; g++) {
        cdz_word x[16];
        _Pragma("GCC unroll 16") for (unsigned j = 0; j < 16; j++)
            memcpy(&x[j], in + (16 * g + j) * sizeof x[j], sizeof x[j]);
        cdz_transpose_bytes(x);
        _Pragma("GCC unroll 16") for (unsigned j = 0; j < 16; j++) w[CDZ_SLICED(j) + g] = x[j];
    }
    for (unsigned j = 0; j < 128; j += 8) cdz_transpose8(w + j);
}

CDZ_INLINE void cdz_unslice_full(uint8_t *out, cdz_word w[128], const uint8_t *mask) {
    for (unsigned j = 0; j < 128; j += 8) cdz_transpose8(w + j);
    for (unsigned g = 0; g < 8; g++) {
        cdz_word x[16];
        _Pragma("GCC unroll 16") for (unsigned j = 0; j < 16; j++) x[j] = w[CDZ_SLICED(j) + g];
        cdz_transpose_bytes(x);
        if (mask) {
            _Pragma("GCC unroll 16") for (unsigned j = 0; j < 16; j++) {
                cdz_word m;
                memcpy(&m, mask + (16 * g + j) * sizeof m, sizeof m);
                x[j] ^= m;
            }
        }
        _Pragma("GCC unroll 16") for (unsigned j = 0; j < 16; j++)
            memcpy(out + (16 * g + j) * sizeof x[j], &x[j], sizeof x[j]);
    }
}

/* The planes of the byte (start + i) mod 256 for block i, and in *wrapped where start + i >= 256: for up to 256 blocks.
 */
CDZ_INLINE void cdz_count(cdz_word p[8], cdz_word *wrapped, uint8_t start) {
    typedef uint8_t bytes __attribute__((vector_size(CDZ_WORD_BITS / 8)));
    bytes index;
    cdz_word w = {0};
    for (unsigned i = 0; i < sizeof index; i++) index[i] = (uint8_t)(i % 16 * CDZ_PIECES + i / 16);
    for (unsigned g = 0; g < 8; g++) {
        const bytes v = index + (uint8_t)(start + 16 * CDZ_PIECES * g);
        p[g] = (cdz_word)v;
        w |= (cdz_word)((bytes)(v < start) & (uint8_t)(1u << g));
    }
    cdz_transpose8(p);
    *wrapped = w;
}

#else

/* Four stripes, transposed group by group: bit i belongs to block i. */
CDZ_INLINE void cdz_slice_full(cdz_word w[128], const uint8_t *in) {
    for (unsigned g = 0; g < 4; g++) {
        cdz_word s[32];
        cdz_slice(s, in + (size_t)16 * CDZ_STRIPE * g);
        for (unsigned i = 0; i < 32; i++) w[(i >> 3) * 32 + 8 * g + (i & 7)] = s[i];
    }
    for (unsigned i = 0; i < 32; i++) {
        cdz_word *p = w + (i >> 3) * 32 + (i & 7);
        cdz_transpose_groups(p, p + 8, p + 16, p + 24);
    }
}

CDZ_INLINE void cdz_unslice_full(uint8_t *out, cdz_word w[128], const uint8_t *mask) {
    for (unsigned i = 0; i < 32; i++) {
        cdz_word *p = w + (i >> 3) * 32 + (i & 7);
        cdz_transpose_groups(p, p + 8, p + 16, p + 24);
    }
    for (unsigned g = 0; g < 4; g++) {
        const size_t at = (size_t)16 * CDZ_STRIPE * g;
        cdz_word s[32];
        for (unsigned i = 0; i < 32; i++) s[i] = w[(i >> 3) * 32 + 8 * g + (i & 7)];
        cdz_unslice(out + at, s, mask ? mask + at : NULL);
    }
}

CDZ_INLINE void cdz_count(cdz_word p[8], cdz_word *wrapped, uint8_t start) {
    cdz_word carry = 0;
    for (unsigned b = 0; b < 8; b++) {
        /* Bit b of the number of a bit: runs of 2^b zeroes and ones. */
        const unsigned run = 1u << b;
        cdz_word i = 0;
        if (run < CDZ_WORD_BITS) i = ~(cdz_word)0 / (((cdz_word)1 << run) + 1) << run;
        const cdz_word s = (cdz_word)0 - (cdz_word)(start >> b & 1);
        p[b] = i ^ s ^ carry;
        carry = (i & s) | (carry & (i ^ s));
    }
    *wrapped = carry;
}

#endif

/* ---- one block as a vector of 16 bytes; byte i of memory is byte i, lane i is bytes 4i to 4i + 3 ---------------- */

#if CDZ_VECTORS

/* What a bitsliced circuit over the 16 bytes of one block works on. */
typedef cdz_block64 cdz_plane;

CDZ_INLINE cdz_block cdz_block_load(const void *p) {
    cdz_block x;
    memcpy(&x, p, sizeof x);
    return x;
}
CDZ_INLINE void cdz_block_store(void *p, cdz_block x) { memcpy(p, &x, sizeof x); }
CDZ_INLINE cdz_block cdz_block_xor(cdz_block a, cdz_block b) { return a ^ b; }
CDZ_INLINE cdz_block cdz_block_and(cdz_block a, cdz_block b) { return a & b; }
/* The constant x in every lane. */
CDZ_INLINE cdz_block cdz_block_lanes(uint32_t x) { return (cdz_block){x, x, x, x}; }
/* Lane i of the result is lane i ^ n of x. */
#define cdz_block_lane_xor(x, n) __builtin_shufflevector(x, x, 0 ^ (n), 1 ^ (n), 2 ^ (n), 3 ^ (n))
/* In each lane: the halves exchanged; the bytes of each half exchanged. */
CDZ_INLINE cdz_block cdz_block_swap16(cdz_block x) { return x << 16 | x >> 16; }
CDZ_INLINE cdz_block cdz_block_swap8(cdz_block x) {
    const cdz_block16 y = (cdz_block16)x;
    return (cdz_block)(y << 8 | y >> 8);
}
/* Lane i of the result is lane i + n (mod 4) of x. */
#define cdz_block_lane_next(x, n) __builtin_shufflevector(x, x, (n)&3, ((n) + 1) & 3, ((n) + 2) & 3, ((n) + 3) & 3)
/* In each lane: byte i of the result is byte i + 1 (mod 4). */
CDZ_INLINE cdz_block cdz_block_next_byte(cdz_block x) { return x >> 8 | x << 24; }
/* Each byte times x in AES's field. */
CDZ_INLINE cdz_block cdz_block_double(cdz_block x) {
    const cdz_block8 y = (cdz_block8)x;
    return (cdz_block)((y + y) ^ ((cdz_block8)((cdz_block8s)x < 0) & 0x1b));
}
/* The plane of bit n of every byte: at the top of the byte; anything may be below. */
CDZ_INLINE cdz_plane cdz_block_plane(cdz_block x, unsigned n) { return (cdz_block64)x << (7 - n); }
/* A byte of ones where the plane has a one. */
CDZ_INLINE cdz_block cdz_plane_spread(cdz_plane p) { return (cdz_block)((cdz_block8s)p < 0); }
/* Bytes of a 4 x 4 square, rows to columns. */
CDZ_INLINE cdz_block cdz_block_transpose(cdz_block x) {
    /* Interleaving the halves rotates a byte's number by one bit; twice exchanges row and column. */
#define CDZ_INTERLEAVE(x)                                                                                              \
    ((cdz_block)__builtin_shufflevector((cdz_block8)(x), (cdz_block8)__builtin_shufflevector(x, x, 2, 3, 2, 3), 0, 16, \
                                        1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23))
    x = CDZ_INTERLEAVE(x);
    return CDZ_INTERLEAVE(x);
#undef CDZ_INTERLEAVE
}

#else

/* As little-endian words: byte 0 is the lowest of w[0]. */
enum { CDZ_BLOCK_WORDS = 128 / CDZ_WORD_BITS };
typedef struct {
    cdz_word w[CDZ_BLOCK_WORDS];
} cdz_block;
/* The 16 bits of all words side by side, at bits 7, 6, ... of each byte. */
typedef cdz_word cdz_plane;

#define CDZ_FOR_WORDS(i) _Pragma("GCC unroll 4") for (unsigned i = 0; i < CDZ_BLOCK_WORDS; i++)

CDZ_INLINE cdz_block cdz_block_load(const void *p) {
    cdz_block x;
#if CDZ_WORD_BITS == 64
    CDZ_FOR_WORDS(i) x.w[i] = cdz_load_le64((const uint8_t *)p + 8 * i);
#else
    CDZ_FOR_WORDS(i) x.w[i] = cdz_load_le32((const uint8_t *)p + 4 * i);
#endif
    return x;
}
CDZ_INLINE void cdz_block_store(void *p, cdz_block x) {
#if CDZ_WORD_BITS == 64
    CDZ_FOR_WORDS(i) cdz_store_le64((uint8_t *)p + 8 * i, x.w[i]);
#else
    CDZ_FOR_WORDS(i) cdz_store_le32((uint8_t *)p + 4 * i, x.w[i]);
#endif
}
CDZ_INLINE cdz_block cdz_block_xor(cdz_block a, cdz_block b) {
    CDZ_FOR_WORDS(i) a.w[i] ^= b.w[i];
    return a;
}
CDZ_INLINE cdz_block cdz_block_and(cdz_block a, cdz_block b) {
    CDZ_FOR_WORDS(i) a.w[i] &= b.w[i];
    return a;
}
CDZ_INLINE cdz_block cdz_block_lanes(uint32_t x) {
    cdz_block y;
#if CDZ_WORD_BITS == 64
    CDZ_FOR_WORDS(i) y.w[i] = (uint64_t)x << 32 | x;
#else
    CDZ_FOR_WORDS(i) y.w[i] = x;
#endif
    return y;
}
CDZ_INLINE cdz_block cdz_block_lane_xor(cdz_block x, unsigned n) {
    cdz_block y;
#if CDZ_WORD_BITS == 64
    CDZ_FOR_WORDS(i) y.w[i] = x.w[i ^ n >> 1];
    if (n & 1) CDZ_FOR_WORDS(i) y.w[i] = y.w[i] << 32 | y.w[i] >> 32;
#else
    CDZ_FOR_WORDS(i) y.w[i] = x.w[i ^ n];
#endif
    return y;
}
CDZ_INLINE cdz_block cdz_block_swap16(cdz_block x) {
    const cdz_word m = CDZ_WORD(0x0000ffff);
    CDZ_FOR_WORDS(i) x.w[i] = (x.w[i] & m) << 16 | (x.w[i] >> 16 & m);
    return x;
}
CDZ_INLINE cdz_block cdz_block_swap8(cdz_block x) {
    const cdz_word m = CDZ_WORD(0x00ff00ff);
    CDZ_FOR_WORDS(i) x.w[i] = (x.w[i] & m) << 8 | (x.w[i] >> 8 & m);
    return x;
}
CDZ_INLINE cdz_block cdz_block_lane_next(cdz_block x, unsigned n) {
    cdz_block y;
#if CDZ_WORD_BITS == 64
    CDZ_FOR_WORDS(i) y.w[i] = x.w[i ^ n >> 1];
    if (n & 1) {
        const uint64_t a = y.w[0], b = y.w[1];
        y.w[0] = a >> 32 | b << 32;
        y.w[1] = b >> 32 | a << 32;
    }
#else
    CDZ_FOR_WORDS(i) y.w[i] = x.w[(i + n) & 3];
#endif
    return y;
}
CDZ_INLINE cdz_block cdz_block_next_byte(cdz_block x) {
    const cdz_word m = CDZ_WORD(0x000000ff);
    CDZ_FOR_WORDS(i) x.w[i] = (x.w[i] >> 8 & ~(m << 24)) | (x.w[i] & m) << 24;
    return x;
}
CDZ_INLINE cdz_block cdz_block_double(cdz_block x) {
    CDZ_FOR_WORDS(i) {
        const cdz_word top = x.w[i] >> 7 & CDZ_WORD_BYTES(1);
        x.w[i] = ((x.w[i] & CDZ_WORD_BYTES(0x7f)) << 1) ^ top * 0x1b;
    }
    return x;
}
CDZ_INLINE cdz_plane cdz_block_plane(cdz_block x, unsigned n) {
    cdz_plane p = 0;
    CDZ_FOR_WORDS(i) p |= (x.w[i] >> n & CDZ_WORD_BYTES(1)) << (7 - i);
    return p;
}
CDZ_INLINE cdz_block cdz_plane_spread(cdz_plane p) {
    cdz_block x;
    CDZ_FOR_WORDS(i) {
        const cdz_word t = p >> (7 - i) & CDZ_WORD_BYTES(1);
        x.w[i] = (t << 8) - t;
    }
    return x;
}
CDZ_INLINE cdz_block cdz_block_transpose(cdz_block x) {
#if CDZ_WORD_BITS == 64
    /* 2 x 2 squares of bytes, then the squares. */
    cdz_word a = x.w[0], b = x.w[1], t;
    t = (a ^ a >> 24) & UINT64_C(0x00000000ff00ff00), a ^= t ^ t << 24;
    t = (b ^ b >> 24) & UINT64_C(0x00000000ff00ff00), b ^= t ^ t << 24;
    CDZ_SWAP_BITS(a, b, 16, UINT64_C(0x0000ffff0000ffff));
    x.w[0] = a, x.w[1] = b;
#else
    CDZ_SWAP_BITS(x.w[0], x.w[2], 16, UINT32_C(0x0000ffff));
    CDZ_SWAP_BITS(x.w[1], x.w[3], 16, UINT32_C(0x0000ffff));
    CDZ_SWAP_BITS(x.w[0], x.w[1], 8, UINT32_C(0x00ff00ff));
    CDZ_SWAP_BITS(x.w[2], x.w[3], 8, UINT32_C(0x00ff00ff));
#endif
    return x;
}

#endif

/* ---- round keys: 16 bytes in rows (byte 4t + c) to masks, all ones where the bit is one -------------------------- */

/* A word of a key in the sliced form; the pieces of a wider vector would all be the same, so that one is kept. */
#if CDZ_VECTORS
typedef cdz_block cdz_key_word;
#else
typedef cdz_word cdz_key_word;
#endif

CDZ_INLINE cdz_word cdz_from_key_word(cdz_key_word k) {
#if CDZ_WORD_BITS == 256
    return __builtin_shufflevector(k, k, 0, 1, 2, 3, 0, 1, 2, 3);
#elif CDZ_WORD_BITS == 512
    return __builtin_shufflevector(k, k, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
#else
    return k;
#endif
}

/* For the sliced form. */
CDZ_INLINE void cdz_slice_key(cdz_key_word k[32], const uint8_t key[16]) {
#if CDZ_VECTORS
    cdz_block8 x, half[2];
    memcpy(&x, key, 16);
    half[0] = __builtin_shufflevector(x, x, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    half[1] = __builtin_shufflevector(x, x, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
    /* lane c: four times byte 4t + c */
#define CDZ_ROW(t, half, at)                                                                                           \
    do {                                                                                                               \
        const cdz_block16 y_ = (cdz_block16)(half);                                                                    \
        const cdz_block row_ = (cdz_block)__builtin_shufflevector(y_, y_, at, at, (at) + 1, (at) + 1, (at) + 2,        \
                                                                  (at) + 2, (at) + 3, (at) + 3);                       \
        _Pragma("GCC unroll 8") for (unsigned b = 0; b < 8; b++) k[8 * (t) + b] =                                      \
            cdz_plane_spread(cdz_block_plane(row_, b));                                                                \
    } while (0)
    CDZ_ROW(0, half[0], 0);
    CDZ_ROW(1, half[0], 4);
    CDZ_ROW(2, half[1], 0);
    CDZ_ROW(3, half[1], 4);
#undef CDZ_ROW
#else
    for (unsigned t = 0; t < 4; t++)
        for (unsigned b = 0; b < 8; b++) {
            cdz_word m = 0;
            for (unsigned c = 0; c < 4; c++) m |= (cdz_word)(key[4 * t + c] >> b & 1) << CDZ_STRIPE * c;
            k[8 * t + b] = m * (((cdz_word)1 << CDZ_STRIPE) - 1);
        }
#endif
}

/* For the fully sliced form. */
CDZ_INLINE void cdz_slice_key_full(cdz_word k[128], const uint8_t key[16]) {
#if CDZ_VECTORS
    cdz_key_word s[32];
    cdz_slice_key(s, key);
    for (unsigned t = 0; t < 4; t++)
        for (unsigned b = 0; b < 8; b++) {
            const cdz_word x = cdz_from_key_word(s[8 * t + b]);
            cdz_word *p = k + 32 * t + b;
            p[0] = CDZ_LANES(x, x, 0, 0, 0, 0);
            p[8] = CDZ_LANES(x, x, 1, 1, 1, 1);
            p[16] = CDZ_LANES(x, x, 2, 2, 2, 2);
            p[24] = CDZ_LANES(x, x, 3, 3, 3, 3);
        }
#else
    for (unsigned i = 0; i < 16; i++)
        for (unsigned b = 0; b < 8; b++) k[8 * i + b] = (cdz_word)0 - (cdz_word)(key[i] >> b & 1);
#endif
}

/* ---- counters -------------------------------------------------------------------------------------------------- */

/*
 * Within a call of ctr() or ctr32le() only two bytes of the counter block change: a fast one, which differs from block
 * to block, and a slow one, which takes one or two values in a batch of up to 256 blocks. (`le`: the little-endian
 * form.)
 */
#define CDZ_FAST(le) ((le) ? 0u : 15u)
#define CDZ_SLOW(le) ((le) ? 1u : 14u)

CDZ_INLINE unsigned cdz_counter_low(const uint8_t ctr[16], int le) {
    return ctr[CDZ_FAST(le)] | (unsigned)ctr[CDZ_SLOW(le)] << 8;
}

CDZ_INLINE void cdz_counter_set_low(uint8_t ctr[16], unsigned low, int le) {
    ctr[CDZ_FAST(le)] = (uint8_t)low;
    ctr[CDZ_SLOW(le)] = (uint8_t)(low >> 8);
}

/*
 * A first substitution layer therefore has little to do on a stripe of counters: all bytes but the fast one can be
 * computed on one block for each value of the slow one. These two give the layer's output: known[v & 1] is that of
 * the one block, spread over words, for the slow byte v (kept from stripe to stripe; the fast byte does not matter);
 * p receives the fast byte with its byte of the round key, to which the S-box's circuit is then applied.
 */
CDZ_INLINE void cdz_count_known(cdz_word y[32], cdz_word p[8], cdz_key_word (*known)[32], unsigned low, int le,
                                uint8_t key) {
    const cdz_key_word *const now = known[low >> 8 & 1], *const next = known[~low >> 8 & 1];
    cdz_word wrapped;
    for (unsigned i = 0; i < 32; i++) y[i] = cdz_from_key_word(now[i]);
    cdz_count_stripe(p, &wrapped, (uint8_t)low);
    if ((low & 255) + CDZ_STRIPE > 256)
        for (unsigned i = CDZ_SLOW(le) % 4 * 8; i < CDZ_SLOW(le) % 4 * 8 + 8; i++)
            y[i] ^= (y[i] ^ cdz_from_key_word(next[i])) & wrapped;
    for (unsigned b = 0; b < 8; b++) p[b] ^= CDZ_MASK(key >> b & 1);
}

CDZ_INLINE void cdz_count_fast(cdz_word y[32], const cdz_word p[8], int le) {
    const cdz_word group = cdz_group(CDZ_FAST(le) / 4);
    cdz_word *row = y + CDZ_FAST(le) % 4 * 8;
    for (unsigned b = 0; b < 8; b++) row[b] ^= (row[b] ^ p[b]) & group;
}

/* ---- sharing out --------------------------------------------------------------------------------------------------
 */

/* How many of the blocks a kernel for `unit` of them should take: all full units, and what is over unless it is no more
 * than `most`, which a narrower kernel does sooner. */
CDZ_INLINE size_t cdz_share(size_t blocks, size_t unit, size_t most) {
    const size_t over = blocks % unit;
    return over <= most ? blocks - over : blocks;
}

#endif
