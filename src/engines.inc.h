/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of engines, the best of a cipher first: included by engines.c with E (block ciphers) or H (hashes) defined.
 *
 * CDZ_HAVE_<FILE> is defined where src/<arch>/<file>.c is in the build (cmake/Tiers.cmake). The words are the engine's
 * `needs` as cdz_engine_at() shows them, in the order of CDZ_CPU_LIST: written out, since they must outlive the call
 * without anything being initialised; tests/test_cpu.c compares them with `needs`.
 *
 * Order: wider before narrower, and for ARIA GFNI before VAES before AES-NI, because GFNI makes each of the four
 * S-boxes out of one or two affine instructions, where the AES instructions give two of them and need maps for the
 * others. Engines of different architectures never meet.
 */
#ifndef E
#define E(engine, words)
#endif
#ifndef H
#define H(engine, words)
#endif
#ifdef CDZ_HAVE_ARIA_GFNI_AVX512
E(cdz_aria_gfni_avx512, "gfni vpclmul avx512f avx512bw avx512vl")
#endif
#ifdef CDZ_HAVE_ARIA_GFNI_AVX2
E(cdz_aria_gfni_avx2, "avx2 gfni")
#endif
#ifdef CDZ_HAVE_ARIA_VAES_AVX2
E(cdz_aria_vaes_avx2, "avx2 vaes")
#endif
#ifdef CDZ_HAVE_ARIA_AESNI_AVX2
E(cdz_aria_aesni_avx2, "aesni avx2")
#endif
#ifdef CDZ_HAVE_ARIA_GFNI_AVX
E(cdz_aria_gfni_avx, "avx gfni")
#endif
#ifdef CDZ_HAVE_ARIA_AESNI_AVX
E(cdz_aria_aesni_avx, "aesni avx")
#endif
#ifdef CDZ_HAVE_ARIA_VPERM_SSSE3
E(cdz_aria_vperm_ssse3, "ssse3 vperm")
#endif
#ifdef CDZ_HAVE_ARIA_SLICED_RVV
E(cdz_aria_sliced_rvv, "rvv sliced")
#endif
E(cdz_aria_portable, "")
#ifdef CDZ_HAVE_AES_VAES_AVX512
E(cdz_aes_vaes_avx512, "vaes vpclmul avx512f avx512bw avx512vl")
#endif
#ifdef CDZ_HAVE_AES_VAES_AVX2
E(cdz_aes_vaes_avx2, "avx2 vaes vpclmul")
#endif
#ifdef CDZ_HAVE_AES_AESNI
E(cdz_aes_aesni, "sse4.1 aesni")
#endif
#ifdef CDZ_HAVE_AES_VPERM_AVX2
E(cdz_aes_vperm_avx2, "avx2 vperm")
#endif
#ifdef CDZ_HAVE_AES_VPERM_SSSE3
E(cdz_aes_vperm_ssse3, "ssse3 vperm")
#endif
#ifdef CDZ_HAVE_AES_ZVKNED
E(cdz_aes_zvkned, "rvv zvkb zvkned")
#endif
#if defined(CDZ_HAVE_AES_SLICED_VPERM_RVV256) && defined(CDZ_HAVE_AES_SLICED_RVV)
E(cdz_aes_sliced_vperm_rvv256, "rvv vlen256 gather vperm sliced")
#endif
#if defined(CDZ_HAVE_AES_SLICED_VPERM_RVV128) && defined(CDZ_HAVE_AES_SLICED_RVV)
E(cdz_aes_sliced_vperm_rvv128, "rvv gather vperm sliced")
#endif
#ifdef CDZ_HAVE_AES_SLICED_RVV
E(cdz_aes_sliced_rvv, "rvv sliced")
#endif
#ifdef CDZ_HAVE_AES_VPERM_RVV256
E(cdz_aes_vperm_rvv256, "rvv vlen256 vperm")
#endif
#ifdef CDZ_HAVE_AES_VPERM_RVV128
E(cdz_aes_vperm_rvv128, "rvv vperm")
#endif
E(cdz_aes_portable, "")
#ifdef CDZ_HAVE_GHASH_VPCLMUL_AVX512
H(cdz_ghash_vpclmul_avx512, "vpclmul avx512f avx512bw avx512vl")
#endif
#ifdef CDZ_HAVE_GHASH_VPCLMUL_AVX2
H(cdz_ghash_vpclmul_avx2, "avx2 vpclmul")
#endif
#ifdef CDZ_HAVE_GHASH_PCLMUL
H(cdz_ghash_pclmul, "sse4.1 pclmul")
#endif
#ifdef CDZ_HAVE_GHASH_ZVKG
H(cdz_ghash_zvkg, "rvv zvkg")
#endif
#ifdef CDZ_HAVE_GHASH_ZVBC
H(cdz_ghash_zvbc, "rvv zvkb zvbc")
#endif
#ifdef CDZ_HAVE_GHASH_ZBC
H(cdz_ghash_zbc, "zbb zbc")
#endif
H(cdz_ghash_portable, "")
#undef E
#undef H
