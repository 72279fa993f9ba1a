/* SPDX-License-Identifier: Apache-2.0 */
/* The words of src/ghash/ghash_clmul.inc.h, and how many blocks each width hashes at once. */
#ifndef CDZ_X86_CLMUL_H
#define CDZ_X86_CLMUL_H

#ifdef __AVX512F__
#include "v512.h"
#elif defined(__AVX2__)
#include "v256.h"
#else
#include "v128.h"
#endif

#include <stdbool.h>

enum { X_HASH_BLOCKS = 8, Y_HASH_BLOCKS = 16, Z_HASH_BLOCKS = 16 };

/* macros, since the instructions want a constant */
#define x_clmul(a, b, i) _mm_clmulepi64_si128(a, b, i)
CDZ_INLINE x_vec x_opaque(x_vec v) {
    CDZ_OPAQUE("x", v);
    return v;
}
CDZ_INLINE x_vec x_swap_halves(x_vec v) { return _mm_shuffle_epi32(v, 0x4e); }
CDZ_INLINE void x_join(x_vec *v, x_vec a, x_vec b, x_vec c, x_vec d) { v[0] = a, v[1] = b, v[2] = c, v[3] = d; }
CDZ_INLINE x_vec x_zext(x_vec v) { return v; }

#ifdef __AVX2__
#define y_clmul(a, b, i) _mm256_clmulepi64_epi128(a, b, i)
CDZ_INLINE y_vec y_opaque(y_vec v) {
    CDZ_OPAQUE("x", v);
    return v;
}
CDZ_INLINE y_vec y_swap_halves(y_vec v) { return _mm256_shuffle_epi32(v, 0x4e); }
CDZ_INLINE y_vec y_zext(x_vec v) { return _mm256_zextsi128_si256(v); }
CDZ_INLINE void y_join(y_vec *v, x_vec a, x_vec b, x_vec c, x_vec d) {
    v[0] = _mm256_inserti128_si256(y_zext(a), b, 1);
    v[1] = _mm256_inserti128_si256(y_zext(c), d, 1);
}
#endif

#ifdef __AVX512F__
#define z_clmul(a, b, i) _mm512_clmulepi64_epi128(a, b, i)
CDZ_INLINE z_vec z_opaque(z_vec v) {
    CDZ_OPAQUE("v", v);
    return v;
}
CDZ_INLINE z_vec z_swap_halves(z_vec v) { return _mm512_shuffle_epi32(v, (_MM_PERM_ENUM)0x4e); }
CDZ_INLINE z_vec z_zext(x_vec v) { return _mm512_zextsi128_si512(v); }
CDZ_INLINE void z_join(z_vec *v, x_vec a, x_vec b, x_vec c, x_vec d) {
    const y_vec low = _mm256_inserti128_si256(y_zext(a), b, 1), high = _mm256_inserti128_si256(y_zext(c), d, 1);
    v[0] = _mm512_inserti64x4(_mm512_zextsi256_si512(low), high, 1);
}
#endif

#endif
