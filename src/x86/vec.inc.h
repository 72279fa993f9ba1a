/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector vocabulary of the x86-64 engines: one set of names for 128, 256 and 512 bits.
 *
 *     #define VEC_BITS 256
 *     #include "vec.inc.h"
 *     ... a kernel, written in these names ...
 *     #include "vec_end.inc.h"
 *
 * It can be included again with another width: all names are macros. VEC(name) puts the width behind a function's name,
 * so that kernels of several widths stand in one file. What a name costs depends on the flags of the file: with
 * -mavx512vl a three-input XOR is one instruction and a broadcast from memory an operand, at any width.
 *
 * "Lanes" are the 128-bit parts of a vector; byte shuffles and unpacking work within lanes.
 */
#ifdef CDZ_MSAN_BUILD
#include "msan.h"
#endif

#if VEC_BITS == 512
#define VEC(name) name##_512
#elif VEC_BITS == 256
#define VEC(name) name##_256
#else
#define VEC(name) name##_128
#endif

#define EACH16(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

#define VEC_LANES (VEC_BITS / 128)
#define VEC_BYTES (VEC_BITS / 8)
#define V_ALIGNED __attribute__((aligned(VEC_BYTES))) /* an array that no load or store splits */

#ifdef __AVX512VL__
#define VEC_XOR3 1
#else
#define VEC_XOR3 0
#endif

#if VEC_BITS == 512

#define vec              __m512i
#define v_load(p)        _mm512_loadu_si512(p)
#define v_store(p, x)    _mm512_storeu_si512(p, x)
#define v_zero()         _mm512_setzero_si512()
#define v_xor(x, y)      _mm512_xor_si512(x, y)
#define v_and(x, y)      _mm512_and_si512(x, y)
#define v_or(x, y)       _mm512_or_si512(x, y)
#define v_add8(x, y)     _mm512_add_epi8(x, y)
#define v_low8(x, y)     _mm512_unpacklo_epi8(x, y)
#define v_high8(x, y)    _mm512_unpackhi_epi8(x, y)
#define v_shuffle8(x, i) _mm512_shuffle_epi8(x, i)
#define v_fill8(b)       _mm512_set1_epi8((char)(b))
#define v_fill64(q)      _mm512_set1_epi64((long long)(q))
#define v_lanes(p)       _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(p)))
#define v_dup32(p)       _mm512_set1_epi32((int)*(p))
#define v_srl64(x, n)    _mm512_srli_epi64(x, n)
#define v_sll64(x, n)    _mm512_slli_epi64(x, n)
#define v_swap64(x)      _mm512_shuffle_epi32(x, _MM_PERM_BADC)
/* 0xff where x >= y as unsigned bytes, else 0 */
#define v_above_equal8(x, y) _mm512_movm_epi8(_mm512_cmpge_epu8_mask(x, y))

/* The first n lanes, the others zero; nothing else is read or written. */
#define v_load_lanes(p, n)     _mm512_maskz_loadu_epi64((__mmask8)((1u << 2 * (n)) - 1), p)
#define v_store_lanes(p, x, n) _mm512_mask_storeu_epi64(p, (__mmask8)((1u << 2 * (n)) - 1), x)
/* The lanes of x moved up by one, with a lane of y, all of which are the same, before them. */
#define v_lanes_after(x, y) _mm512_alignr_epi64(x, y, 6)
/* Lanes from four of 128 bits, w[i] on, after w[3] from w[0] again. */
#define v_of_lanes(w, i)                                                                                               \
    _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set_m128i((w)[((i) + 1) % 4], (w)[(i) % 4])),                     \
                       _mm256_set_m128i((w)[((i) + 3) % 4], (w)[((i) + 2) % 4]), 1)
#define v_add16(x, y) _mm512_add_epi16(x, y)
/* Byte i of each lane: byte i + n of x above y. */
#define v_align(x, y, n) _mm512_alignr_epi8(x, y, n)

#elif VEC_BITS == 256

#define vec                  __m256i
#define v_load(p)            _mm256_loadu_si256((const __m256i *)(p))
#define v_store(p, x)        _mm256_storeu_si256((__m256i *)(p), x)
#define v_zero()             _mm256_setzero_si256()
#define v_xor(x, y)          _mm256_xor_si256(x, y)
#define v_and(x, y)          _mm256_and_si256(x, y)
#define v_or(x, y)           _mm256_or_si256(x, y)
#define v_add8(x, y)         _mm256_add_epi8(x, y)
#define v_low8(x, y)         _mm256_unpacklo_epi8(x, y)
#define v_high8(x, y)        _mm256_unpackhi_epi8(x, y)
#define v_shuffle8(x, i)     _mm256_shuffle_epi8(x, i)
#define v_fill8(b)           _mm256_set1_epi8((char)(b))
#define v_fill64(q)          _mm256_set1_epi64x((long long)(q))
#define v_lanes(p)           _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p)))
#define v_dup32(p)           _mm256_set1_epi32((int)*(p))
#define v_srl64(x, n)        _mm256_srli_epi64(x, n)
#define v_sll64(x, n)        _mm256_slli_epi64(x, n)
#define v_swap64(x)          _mm256_shuffle_epi32(x, 0x4e)
#define v_above_equal8(x, y) _mm256_cmpeq_epi8(_mm256_max_epu8(x, y), x)

#define v_load_lanes(p, n)     ((n) == 2 ? v_load(p) : _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)(p))))
#define v_store_lanes(p, x, n) ((n) == 2 ? v_store(p, x) : _mm_storeu_si128((__m128i *)(p), _mm256_castsi256_si128(x)))
#define v_lanes_after(x, y)    _mm256_permute2x128_si256(y, x, 0x20)
#define v_of_lanes(w, i)       _mm256_set_m128i((w)[((i) + 1) % 4], (w)[(i) % 4])
#define v_add16(x, y)          _mm256_add_epi16(x, y)
#define v_align(x, y, n)       _mm256_alignr_epi8(x, y, n)

#else

#define vec                  __m128i
#define v_load(p)            _mm_loadu_si128((const __m128i *)(p))
#define v_store(p, x)        _mm_storeu_si128((__m128i *)(p), x)
#define v_zero()             _mm_setzero_si128()
#define v_xor(x, y)          _mm_xor_si128(x, y)
#define v_and(x, y)          _mm_and_si128(x, y)
#define v_or(x, y)           _mm_or_si128(x, y)
#define v_add8(x, y)         _mm_add_epi8(x, y)
#define v_low8(x, y)         _mm_unpacklo_epi8(x, y)
#define v_high8(x, y)        _mm_unpackhi_epi8(x, y)
#define v_shuffle8(x, i)     _mm_shuffle_epi8(x, i)
#define v_fill8(b)           _mm_set1_epi8((char)(b))
#define v_fill64(q)          _mm_set1_epi64x((long long)(q))
#define v_lanes(p)           v_load(p)
#define v_dup32(p)           _mm_set1_epi32((int)*(p))
#define v_srl64(x, n)        _mm_srli_epi64(x, n)
#define v_sll64(x, n)        _mm_slli_epi64(x, n)
#define v_swap64(x)          _mm_shuffle_epi32(x, 0x4e)
#define v_above_equal8(x, y) _mm_cmpeq_epi8(_mm_max_epu8(x, y), x)

#define v_load_lanes(p, n)     v_load(p)
#define v_store_lanes(p, x, n) v_store(p, x)
#define v_lanes_after(x, y)    (y)
#define v_of_lanes(w, i)       (w)[(i) % 4]
#define v_add16(x, y)          _mm_add_epi16(x, y)
#define v_align(x, y, n)       _mm_alignr_epi8(x, y, n)

#endif

/* v_select: bits of x where m has ones, of y elsewhere. v_rol: rotation to the left. */
#if VEC_XOR3
#if VEC_BITS == 512
#define v_xor3(x, y, z)   _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define v_select(m, x, y) _mm512_ternarylogic_epi32(m, x, y, 0xca)
#define v_rol32(x, n)     _mm512_rol_epi32(x, n)
#define v_rol64(x, n)     _mm512_rol_epi64(x, n)
#elif VEC_BITS == 256
#define v_xor3(x, y, z)   _mm256_ternarylogic_epi32(x, y, z, 0x96)
#define v_select(m, x, y) _mm256_ternarylogic_epi32(m, x, y, 0xca)
#define v_rol32(x, n)     _mm256_rol_epi32(x, n)
#define v_rol64(x, n)     _mm256_rol_epi64(x, n)
#else
#define v_xor3(x, y, z)   _mm_ternarylogic_epi32(x, y, z, 0x96)
#define v_select(m, x, y) _mm_ternarylogic_epi32(m, x, y, 0xca)
#define v_rol32(x, n)     _mm_rol_epi32(x, n)
#define v_rol64(x, n)     _mm_rol_epi64(x, n)
#endif
#else
#define v_xor3(x, y, z) v_xor(v_xor(x, y), z)
#endif

/* The first n bytes of a vector XORed into bytes of memory: out = in ^ x. Nothing else is read or written. */
#if VEC_XOR3 && defined(__AVX512BW__)
CDZ_INLINE void VEC(vec_xor_bytes)(uint8_t *out, const uint8_t *in, vec x, size_t n) {
    const uint64_t m = n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
#if VEC_BITS == 512
    _mm512_mask_storeu_epi8(out, m, v_xor(x, _mm512_maskz_loadu_epi8(m, in)));
#elif VEC_BITS == 256
    _mm256_mask_storeu_epi8(out, (__mmask32)m, v_xor(x, _mm256_maskz_loadu_epi8((__mmask32)m, in)));
#else
    _mm_mask_storeu_epi8(out, (__mmask16)m, v_xor(x, _mm_maskz_loadu_epi8((__mmask16)m, in)));
#endif
}
#else
CDZ_INLINE void VEC(vec_xor_bytes)(uint8_t *out, const uint8_t *in, vec x, size_t n) {
    if (n >= VEC_BYTES) {
        v_store(out, v_xor(x, v_load(in)));
        return;
    }
    uint8_t t[VEC_BYTES];
    size_t at = 0;
    v_store(t, x);
#define STEP(type)                                                                                                     \
    do {                                                                                                               \
        type a, b;                                                                                                     \
        memcpy(&a, in + at, sizeof a);                                                                                 \
        memcpy(&b, t + at, sizeof b);                                                                                  \
        a = (type)(a ^ b);                                                                                             \
        memcpy(out + at, &a, sizeof a);                                                                                \
        at += sizeof a;                                                                                                \
    } while (0)
    if (n & 16 % VEC_BYTES) {
        STEP(uint64_t);
        STEP(uint64_t);
    }
    if (n & 8) STEP(uint64_t);
    if (n & 4) STEP(uint32_t);
    if (n & 2) STEP(uint16_t);
    if (n & 1) STEP(uint8_t);
#undef STEP
}
#endif
#define v_xor_bytes(out, in, x, n) VEC(vec_xor_bytes)(out, in, x, n)

/* x ^ y ^ the 32-bit word at p in all places. As an operand in memory the word costs no instruction and no shuffle; gcc
 * 12 does not make such operands of vpternlogd out of the intrinsics, and MemorySanitizer does not see through
 * assembly. */
#if VEC_XOR3 && defined(__GNUC__) && !defined(CDZ_MSAN_BUILD)
CDZ_INLINE vec VEC(vec_xor3_dup)(vec x, vec y, const uint32_t *p) {
#if VEC_BITS == 512
    __asm__("vpternlogd $0x96, %2%{1to16%}, %1, %0" : "+v"(x) : "v"(y), "m"(*p));
#elif VEC_BITS == 256
    __asm__("vpternlogd $0x96, %2%{1to8%}, %1, %0" : "+v"(x) : "v"(y), "m"(*p));
#else
    __asm__("vpternlogd $0x96, %2%{1to4%}, %1, %0" : "+v"(x) : "v"(y), "m"(*p));
#endif
    return x;
}
#define v_xor3_dup(x, y, p) VEC(vec_xor3_dup)(x, y, p)
#else
#define v_xor3_dup(x, y, p) v_xor3(x, y, v_dup32(p))
#endif
#define v_xor_dup(x, p) v_xor(x, v_dup32(p))
