/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The constant-time run with MemorySanitizer (scripts/ct-msan): what the compiler's instrumentation does not follow,
 * followed by hand. It knows the vector instructions that are plain operations in LLVM's intermediate code (logic,
 * additions, shifts, shuffles by constants, masks). Of the others it demands that their operands be public, and takes
 * their results for public (GFNI, VPTERNLOG, VPCOMPRESS), or joins the operands bit by bit, as if no bit changed its
 * place (AES, carry-less products, PSHUFB). So those run on copies that are marked as public, and the whole result is a
 * secret where any bit of an operand was one.
 *
 * Only after <immintrin.h>, and in no other build: it puts other names into effect for the intrinsics' own.
 */
#ifndef CDZ_X86_MSAN_H
#define CDZ_X86_MSAN_H

#include <sanitizer/msan_interface.h>
#include <stdbool.h>
#include <stddef.h>

/* Marks n bytes as public; was any of them a secret? */
static inline bool cdz_msan_take(void *p, size_t n) {
    const bool secret = __msan_test_shadow(p, n) >= 0;
    __msan_unpoison(p, n);
    return secret;
}

/* Functions, not inlined, since the kernels are long already: statements with operands x, y, z set `result`. */
#define CDZ_MSAN(type, name, count, ...)                                                                               \
    static __attribute__((noinline, unused)) type cdz_msan_##name(type x, type y, type z, int i) {                     \
        type result, operand[3] = {x, y, z};                                                                           \
        const bool secret = cdz_msan_take(operand, count * sizeof x);                                                  \
        x = operand[0], y = operand[1], z = operand[2];                                                                \
        (void)y, (void)z, (void)i;                                                                                     \
        __VA_ARGS__                                                                                                    \
        if (secret) __msan_poison(&result, sizeof result);                                                             \
        return result;                                                                                                 \
    }
/* The immediate operands that kernels use; another one must be added here. */
#define CDZ_MSAN_CASE(type, n, call)                                                                                   \
    case n:                                                                                                            \
        result = (type)call;                                                                                           \
        break;
#define CDZ_MSAN_SWITCH(...)                                                                                           \
    switch (i) {                                                                                                       \
        __VA_ARGS__                                                                                                    \
    default:                                                                                                           \
        __builtin_trap();                                                                                              \
    }

#define CDZ_MSAN_CLMUL(type, bits, part)                                                                               \
    CDZ_MSAN(type, clmul##bits, 2,                                                                                     \
             CDZ_MSAN_SWITCH(                                                                                          \
                 CDZ_MSAN_CASE(type, 0x00, __builtin_ia32_pclmulqdq##bits((part)x, (part)y, 0x00))                     \
                     CDZ_MSAN_CASE(type, 0x01, __builtin_ia32_pclmulqdq##bits((part)x, (part)y, 0x01))                 \
                         CDZ_MSAN_CASE(type, 0x10, __builtin_ia32_pclmulqdq##bits((part)x, (part)y, 0x10))             \
                             CDZ_MSAN_CASE(type, 0x11, __builtin_ia32_pclmulqdq##bits((part)x, (part)y, 0x11))))
#define CDZ_MSAN_AFFINE1(type, part, name, c) CDZ_MSAN_CASE(type, c, name((part)x, (part)y, (char)(c)))
#define CDZ_MSAN_AFFINE(type, bits, part, op, name)                                                                    \
    CDZ_MSAN(type, op##bits, 2,                                                                                        \
             CDZ_MSAN_SWITCH(CDZ_MSAN_AFFINE1(type, part, name, 0x00) CDZ_MSAN_AFFINE1(type, part, name, 0x05)         \
                                 CDZ_MSAN_AFFINE1(type, part, name, 0x2c) CDZ_MSAN_AFFINE1(type, part, name, 0x63)     \
                                     CDZ_MSAN_AFFINE1(type, part, name, 0xe2)))
#define CDZ_MSAN_TERNARY1(type, part, name, mask, t)                                                                   \
    CDZ_MSAN_CASE(type, t, name((part)x, (part)y, (part)z, t, (mask)-1))
#define CDZ_MSAN_TERNARY(type, bits, part, mask, name)                                                                 \
    CDZ_MSAN(type, ternary##bits, 3,                                                                                   \
             CDZ_MSAN_SWITCH(CDZ_MSAN_TERNARY1(type, part, name, mask, 0x96)                                           \
                                 CDZ_MSAN_TERNARY1(type, part, name, mask, 0xca)))
#define CDZ_MSAN_AES(type, bits, suffix)                                                                               \
    CDZ_MSAN(type, aesenc##bits, 2, result = suffix(aesenc)(x, y);)                                                    \
    CDZ_MSAN(type, aesdec##bits, 2, result = suffix(aesdec)(x, y);)                                                    \
    CDZ_MSAN(type, aesenclast##bits, 2, result = suffix(aesenclast)(x, y);)                                            \
    CDZ_MSAN(type, aesdeclast##bits, 2, result = suffix(aesdeclast)(x, y);)

#define CDZ_MSAN_X(op) _mm_##op##_si128
#define CDZ_MSAN_Y(op) _mm256_##op##_epi128
#define CDZ_MSAN_Z(op) _mm512_##op##_epi128

#ifdef __SSSE3__
CDZ_MSAN(__m128i, shuffle128, 2, result = _mm_shuffle_epi8(x, y);)
#define _mm_shuffle_epi8(x, i) cdz_msan_shuffle128(x, i, (__m128i){0}, 0)
#endif
#ifdef __AVX2__
CDZ_MSAN(__m256i, shuffle256, 2, result = _mm256_shuffle_epi8(x, y);)
#define _mm256_shuffle_epi8(x, i) cdz_msan_shuffle256(x, i, (__m256i){0}, 0)
#endif
#ifdef __AVX512BW__
CDZ_MSAN(__m512i, shuffle512, 2, result = _mm512_shuffle_epi8(x, y);)
CDZ_MSAN(__m512i, compress512, 1, result = _mm512_maskz_compress_epi64((__mmask8)i, x);)
CDZ_MSAN_TERNARY(__m128i, 128, __v4si, __mmask8, __builtin_ia32_pternlogd128_mask)
CDZ_MSAN_TERNARY(__m256i, 256, __v8si, __mmask8, __builtin_ia32_pternlogd256_mask)
CDZ_MSAN_TERNARY(__m512i, 512, __v16si, __mmask16, __builtin_ia32_pternlogd512_mask)
#undef _mm_ternarylogic_epi32
#undef _mm256_ternarylogic_epi32
#undef _mm512_ternarylogic_epi32
#undef _mm512_ternarylogic_epi64
#define _mm512_shuffle_epi8(x, i)             cdz_msan_shuffle512(x, i, (__m512i){0}, 0)
#define _mm512_maskz_compress_epi64(m, x)     cdz_msan_compress512(x, (__m512i){0}, (__m512i){0}, m)
#define _mm_ternarylogic_epi32(x, y, z, t)    cdz_msan_ternary128(x, y, z, t)
#define _mm256_ternarylogic_epi32(x, y, z, t) cdz_msan_ternary256(x, y, z, t)
#define _mm512_ternarylogic_epi32(x, y, z, t) cdz_msan_ternary512(x, y, z, t)
#define _mm512_ternarylogic_epi64(x, y, z, t) cdz_msan_ternary512(x, y, z, t)
#endif

#ifdef __GFNI__
CDZ_MSAN_AFFINE(__m128i, 128, __v16qi, affine, __builtin_ia32_vgf2p8affineqb_v16qi)
CDZ_MSAN_AFFINE(__m128i, 128, __v16qi, inverse, __builtin_ia32_vgf2p8affineinvqb_v16qi)
#undef _mm_gf2p8affine_epi64_epi8
#undef _mm_gf2p8affineinv_epi64_epi8
#define _mm_gf2p8affine_epi64_epi8(x, a, c)    cdz_msan_affine128(x, a, (__m128i){0}, c)
#define _mm_gf2p8affineinv_epi64_epi8(x, a, c) cdz_msan_inverse128(x, a, (__m128i){0}, c)
#ifdef __AVX2__
CDZ_MSAN_AFFINE(__m256i, 256, __v32qi, affine, __builtin_ia32_vgf2p8affineqb_v32qi)
CDZ_MSAN_AFFINE(__m256i, 256, __v32qi, inverse, __builtin_ia32_vgf2p8affineinvqb_v32qi)
#undef _mm256_gf2p8affine_epi64_epi8
#undef _mm256_gf2p8affineinv_epi64_epi8
#define _mm256_gf2p8affine_epi64_epi8(x, a, c)    cdz_msan_affine256(x, a, (__m256i){0}, c)
#define _mm256_gf2p8affineinv_epi64_epi8(x, a, c) cdz_msan_inverse256(x, a, (__m256i){0}, c)
#endif
#ifdef __AVX512F__
CDZ_MSAN_AFFINE(__m512i, 512, __v64qi, affine, __builtin_ia32_vgf2p8affineqb_v64qi)
CDZ_MSAN_AFFINE(__m512i, 512, __v64qi, inverse, __builtin_ia32_vgf2p8affineinvqb_v64qi)
#undef _mm512_gf2p8affine_epi64_epi8
#undef _mm512_gf2p8affineinv_epi64_epi8
#define _mm512_gf2p8affine_epi64_epi8(x, a, c)    cdz_msan_affine512(x, a, (__m512i){0}, c)
#define _mm512_gf2p8affineinv_epi64_epi8(x, a, c) cdz_msan_inverse512(x, a, (__m512i){0}, c)
#endif
#endif

#ifdef __AES__
CDZ_MSAN(__m128i, aesimc128, 1, result = _mm_aesimc_si128(x);)
CDZ_MSAN_AES(__m128i, 128, CDZ_MSAN_X)
#define _mm_aesimc_si128(x)        cdz_msan_aesimc128(x, (__m128i){0}, (__m128i){0}, 0)
#define _mm_aesenc_si128(x, k)     cdz_msan_aesenc128(x, k, (__m128i){0}, 0)
#define _mm_aesdec_si128(x, k)     cdz_msan_aesdec128(x, k, (__m128i){0}, 0)
#define _mm_aesenclast_si128(x, k) cdz_msan_aesenclast128(x, k, (__m128i){0}, 0)
#define _mm_aesdeclast_si128(x, k) cdz_msan_aesdeclast128(x, k, (__m128i){0}, 0)
#endif
#ifdef __VAES__
CDZ_MSAN_AES(__m256i, 256, CDZ_MSAN_Y)
#define _mm256_aesenc_epi128(x, k)     cdz_msan_aesenc256(x, k, (__m256i){0}, 0)
#define _mm256_aesdec_epi128(x, k)     cdz_msan_aesdec256(x, k, (__m256i){0}, 0)
#define _mm256_aesenclast_epi128(x, k) cdz_msan_aesenclast256(x, k, (__m256i){0}, 0)
#define _mm256_aesdeclast_epi128(x, k) cdz_msan_aesdeclast256(x, k, (__m256i){0}, 0)
#ifdef __AVX512F__
CDZ_MSAN_AES(__m512i, 512, CDZ_MSAN_Z)
#define _mm512_aesenc_epi128(x, k)     cdz_msan_aesenc512(x, k, (__m512i){0}, 0)
#define _mm512_aesdec_epi128(x, k)     cdz_msan_aesdec512(x, k, (__m512i){0}, 0)
#define _mm512_aesenclast_epi128(x, k) cdz_msan_aesenclast512(x, k, (__m512i){0}, 0)
#define _mm512_aesdeclast_epi128(x, k) cdz_msan_aesdeclast512(x, k, (__m512i){0}, 0)
#endif
#endif

#ifdef __PCLMUL__
CDZ_MSAN_CLMUL(__m128i, 128, __v2di)
#undef _mm_clmulepi64_si128
#define _mm_clmulepi64_si128(x, y, i) cdz_msan_clmul128(x, y, (__m128i){0}, i)
#endif
#ifdef __VPCLMULQDQ__
CDZ_MSAN_CLMUL(__m256i, 256, __v4di)
#undef _mm256_clmulepi64_epi128
#define _mm256_clmulepi64_epi128(x, y, i) cdz_msan_clmul256(x, y, (__m256i){0}, i)
#ifdef __AVX512F__
CDZ_MSAN_CLMUL(__m512i, 512, __v8di)
#undef _mm512_clmulepi64_epi128
#define _mm512_clmulepi64_epi128(x, y, i) cdz_msan_clmul512(x, y, (__m512i){0}, i)
#endif
#endif

#endif
