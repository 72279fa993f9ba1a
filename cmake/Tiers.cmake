# SPDX-License-Identifier: Apache-2.0
#
# ISA tiers: which flags the files of src/x86, src/riscv and src/arm64 are built with.
#
# A file named ALGORITHM_TIER.c gets exactly the flags of its tier, so that the compiler cannot slip in instructions that
# the run-time check did not ask for. Compiler AND assembler must know the tier's instructions, or the file is left out,
# and configure says so. Each file that is in the build defines CDZ_HAVE_ALGORITHM_TIER in capitals for src/engines.c
# (src/x86/aria_gfni_avx512.c: CDZ_HAVE_ARIA_GFNI_AVX512). A file whose name ends in no tier (cpu_x86.c) has no flags of
# its own and is always built for its architecture.
#
#   cdz_tier(NAME ARCH FLAGS "flags" ["other flags" ...] PROBE "body of a function")
#
# The first of the alternative FLAGS with which PROBE compiles is taken. A name's longest tier counts: aria_aesni_avx2.c
# is aesni_avx2, not avx2.

set(CDZ_TIER_NAMES "")
function(cdz_tier name arch)
    cmake_parse_arguments(PARSE_ARGV 2 T "" "HEADER;PROBE" "FLAGS")
    set(CDZ_TIER_${name}_ARCH ${arch} PARENT_SCOPE)
    set(CDZ_TIER_${name}_FLAGS "${T_FLAGS}" PARENT_SCOPE)
    set(CDZ_TIER_${name}_HEADER "${T_HEADER}" PARENT_SCOPE)
    set(CDZ_TIER_${name}_PROBE "${T_PROBE}" PARENT_SCOPE)
    set(CDZ_TIER_NAMES ${CDZ_TIER_NAMES} ${name} PARENT_SCOPE)
endfunction()

# x86-64. Probes use one instruction of every extension, on registers of every width that the tier may use.
set(sse "__m128i x = _mm_loadu_si128(p);")
set(avx2 "__m256i y = _mm256_loadu_si256(p);")
set(avx512 "__m512i z = _mm512_loadu_si512(p); z = _mm512_ternarylogic_epi64(z, _mm512_mask_add_epi8(z, 1, z, z), z, 0x96);
            __m256i y = _mm256_ternarylogic_epi64(_mm256_loadu_si256(p), _mm512_castsi512_si256(z), _mm512_castsi512_si256(z), 0x96);")
set(out "_mm_storeu_si128(p, x);")
set(out256 "_mm256_storeu_si256(p, y);")
set(out512 "_mm512_storeu_si512(p, z); _mm256_storeu_si256(p, y);")

cdz_tier(ssse3 x86 FLAGS "-mssse3" PROBE "${sse} x = _mm_shuffle_epi8(x, x); ${out}")
cdz_tier(avx x86 FLAGS "-mavx" PROBE "${sse} x = _mm_shuffle_epi8(x, x); ${out}")
cdz_tier(avx2 x86 FLAGS "-mavx2" PROBE "${avx2} y = _mm256_shuffle_epi8(y, y); ${out256}")
cdz_tier(vperm_ssse3 x86 FLAGS "-mssse3" PROBE "${sse} x = _mm_shuffle_epi8(x, x); ${out}")
cdz_tier(vperm_avx2 x86 FLAGS "-mavx2" PROBE "${avx2} y = _mm256_shuffle_epi8(y, y); ${out256}")
cdz_tier(aesni x86 FLAGS "-maes -mpclmul -msse4.1" PROBE "${sse} x = _mm_aesenc_si128(x, _mm_clmulepi64_si128(x, x, 1)); ${out}")
cdz_tier(aesni_avx x86 FLAGS "-mavx -maes" PROBE "${sse} x = _mm_aesenclast_si128(x, x); ${out}")
cdz_tier(aesni_avx2 x86 FLAGS "-mavx2 -maes"
    PROBE "${avx2} y = _mm256_shuffle_epi8(y, y); __m128i x = _mm_aesenclast_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1)); ${out}")
cdz_tier(gfni_avx x86 FLAGS "-mavx -mgfni" PROBE "${sse} x = _mm_gf2p8affineinv_epi64_epi8(x, x, 0x63); ${out}")
cdz_tier(gfni_avx2 x86 FLAGS "-mavx2 -mgfni" PROBE "${avx2} y = _mm256_gf2p8affineinv_epi64_epi8(y, y, 0x63); ${out256}")
cdz_tier(gfni_avx512 x86 FLAGS "-mavx512f -mavx512bw -mavx512vl -mgfni -mvpclmulqdq -mpclmul"
    PROBE "${avx512} z = _mm512_gf2p8affineinv_epi64_epi8(_mm512_clmulepi64_epi128(z, z, 1), z, 0x63); ${out512}")
cdz_tier(vaes_avx2 x86 FLAGS "-mavx2 -mvaes -maes -mvpclmulqdq -mpclmul"
    PROBE "${avx2} y = _mm256_aesenc_epi128(y, _mm256_clmulepi64_epi128(y, y, 1)); ${out256}")
cdz_tier(vaes_avx512 x86 FLAGS "-mavx512f -mavx512bw -mavx512vl -mvaes -maes -mvpclmulqdq -mpclmul"
    PROBE "${avx512} z = _mm512_aesenc_epi128(z, _mm512_clmulepi64_epi128(z, z, 1)); ${out512}")
cdz_tier(pclmul x86 FLAGS "-mpclmul -msse4.1" PROBE "${sse} x = _mm_clmulepi64_si128(x, x, 1); ${out}")
cdz_tier(vpclmul_avx2 x86 FLAGS "-mavx2 -mvpclmulqdq -mpclmul"
    PROBE "${avx2} y = _mm256_clmulepi64_epi128(y, y, 1); ${out256}")
cdz_tier(vpclmul_avx512 x86 FLAGS "-mavx512f -mavx512bw -mavx512vl -mvpclmulqdq -mpclmul"
    PROBE "${avx512} z = _mm512_clmulepi64_epi128(z, z, 1); ${out512}")

# RISC-V. gcc 12 has no riscv_vector.h; clang 19 hides the vector crypto intrinsics behind an experimental switch.
# -mstrict-align: some cores kill wide loads of bytes that are not aligned. No vectorizer: it would put secrets into
# reductions and strided loads, which Zvkt does not list, and compilers of that age have made mistakes there.
set(rvv "size_t n = __riscv_vsetvl_e8m1(16); vuint8m1_t v = __riscv_vle8_v_u8m1(p, n);")
set(rvv32 "size_t n = __riscv_vsetvl_e32m1(4); vuint32m1_t v = __riscv_vreinterpret_v_u8m1_u32m1(__riscv_vle8_v_u8m1(p, 16));")
set(rvv_tune "-mtune=sifive-7-series -mstrict-align -fno-tree-vectorize -fno-tree-slp-vectorize")
set(rvv_flags "-march=rv64gcv ${rvv_tune}")
set(gather "${rvv} __riscv_vse8_v_u8m1(p, __riscv_vrgather_vv_u8m1(v, v, n), n);")
cdz_tier(rvv riscv HEADER riscv_vector.h FLAGS "${rvv_flags}" PROBE "${gather}")
# What is written in the order that an in-order core wants (src/riscv/sliced_ordered_rvv.c) is not scheduled again before
# registers are given out.
cdz_tier(ordered_rvv riscv HEADER riscv_vector.h FLAGS "${rvv_flags} -mllvm -enable-misched=false -mllvm -enable-post-misched=false"
    "${rvv_flags} -fno-schedule-insns" "${rvv_flags}" PROBE "${gather}")
# Vector permutes are written in the order that an in-order core wants; scheduled from the top, they keep it (bottom up,
# the blocks side by side are undone again, to save registers).
foreach(name rvv128 rvv256)
    cdz_tier(${name} riscv HEADER riscv_vector.h FLAGS "${rvv_flags} -mllvm -misched-topdown" "${rvv_flags}" PROBE "${gather}")
endforeach()
# Each with what its run-time check asks for and no more: the compiler may use all that it is told of.
foreach(name zvkned zvkg zvbc)
    set(zvk_${name} "-march=rv64gcv_${name} ${rvv_tune}")
    if(NOT name STREQUAL zvkg)
        string(REPLACE "gcv_" "gcv_zvkb_" zvk_${name} "${zvk_${name}}")
    endif()
endforeach()
cdz_tier(zvkned riscv HEADER riscv_vector.h FLAGS "${zvk_zvkned}" "${zvk_zvkned} -menable-experimental-extensions"
    PROBE "${rvv32} v = __riscv_vrev8_v_u32m1(__riscv_vaesem_vv_u32m1(v, v, n), n);
           __riscv_vse8_v_u8m1(p, __riscv_vreinterpret_v_u32m1_u8m1(v), 16);")
cdz_tier(zvkg riscv HEADER riscv_vector.h FLAGS "${zvk_zvkg}" "${zvk_zvkg} -menable-experimental-extensions"
    PROBE "${rvv32} v = __riscv_vghsh_vv_u32m1(v, v, v, n); __riscv_vse8_v_u8m1(p, __riscv_vreinterpret_v_u32m1_u8m1(v), 16);")
cdz_tier(zvbc riscv HEADER riscv_vector.h FLAGS "${zvk_zvbc}" "${zvk_zvbc} -menable-experimental-extensions"
    PROBE "size_t n = __riscv_vsetvl_e64m1(2); vuint64m1_t v = __riscv_vreinterpret_v_u8m1_u64m1(__riscv_vle8_v_u8m1(p, 16));
           v = __riscv_vclmulh_vv_u64m1(v, v, n); __riscv_vse8_v_u8m1(p, __riscv_vreinterpret_v_u64m1_u8m1(v), 16);")
cdz_tier(zbc riscv HEADER stdint.h FLAGS "-march=rv64gc_zbb_zbc -mstrict-align"
    PROBE "unsigned long x = *(unsigned char *)p, y; __asm__(\"clmulh %0, %1, %1\" : \"=r\"(y) : \"r\"(x)); *(unsigned char *)p = (unsigned char)y;")

# Which of the architectures this compiler builds for; by its macros, since -m32 or a cross compiler may be in play.
function(cdz_check_arch var condition)
    check_c_source_compiles("#if !(${condition})\n#error\n#endif\nint main(void) { return 0; }" ${var})
endfunction()
cdz_check_arch(CDZ_ARCH_X86_64 "defined(__x86_64__)")
cdz_check_arch(CDZ_ARCH_I386 "defined(__i386__)")
cdz_check_arch(CDZ_ARCH_RISCV64 "defined(__riscv) && __riscv_xlen == 64")
cdz_check_arch(CDZ_ARCH_ARM64 "defined(__aarch64__)")

# Sets CDZ_TIER_<name>_USE to the flags with which the tier compiles here, or to NO.
function(cdz_probe_tier name)
    # The answer is kept for as long as the question stays the same.
    string(SHA256 question "${CDZ_TIER_${name}_HEADER} ${CDZ_TIER_${name}_FLAGS} ${CDZ_TIER_${name}_PROBE}")
    if(DEFINED CACHE{CDZ_TIER_${name}_USE} AND "${CDZ_TIER_${name}_QUESTION}" STREQUAL question)
        return()
    endif()
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # assembles, but does not link
    set(CMAKE_REQUIRED_QUIET ON)
    set(header ${CDZ_TIER_${name}_HEADER})
    if(NOT header)
        set(header immintrin.h)
    endif()
    set(use NO)
    set(i 0)
    foreach(flags IN LISTS CDZ_TIER_${name}_FLAGS)
        math(EXPR i "${i} + 1")
        unset(CDZ_TIER_${name}_COMPILES_${i} CACHE)
        set(CMAKE_REQUIRED_FLAGS "${flags}")
        check_c_source_compiles("#include <stddef.h>\n#include <${header}>\nvoid f(void *p);\nvoid f(void *p) { ${CDZ_TIER_${name}_PROBE} }\n"
            CDZ_TIER_${name}_COMPILES_${i})
        if(CDZ_TIER_${name}_COMPILES_${i})
            set(use "${flags}")
            break()
        endif()
    endforeach()
    set(CDZ_TIER_${name}_USE "${use}" CACHE INTERNAL "Flags of the tier ${name}, or NO")
    set(CDZ_TIER_${name}_QUESTION "${question}" CACHE INTERNAL "What that is the answer to")
endfunction()

# Adds the sources of the architecture's directory to the target, and sets CDZ_TIER_DEFINITIONS and CDZ_TIER_LEFT_OUT.
function(cdz_add_tier_sources target)
    set(dirs "")
    set(tiers_of "")
    if(CDZ_ARCH_X86_64)
        set(dirs x86)
        set(tiers_of x86)
    elseif(CDZ_ARCH_I386)
        set(dirs x86) # detection alone: the engines want 64-bit registers, and 16 vector ones
    elseif(CDZ_ARCH_RISCV64)
        set(dirs riscv)
        set(tiers_of riscv)
    elseif(CDZ_ARCH_ARM64)
        set(dirs arm64)
        set(tiers_of arm64)
    endif()
    set(definitions "")
    set(left_out "")
    foreach(dir IN LISTS dirs)
        file(GLOB files CONFIGURE_DEPENDS src/${dir}/*.c)
        foreach(file IN LISTS files)
            cmake_path(GET file STEM stem)
            set(tier "")
            foreach(name IN LISTS CDZ_TIER_NAMES)
                string(LENGTH "${name}" n)
                string(LENGTH "${tier}" best)
                if(CDZ_TIER_${name}_ARCH STREQUAL dir AND stem MATCHES "_${name}$" AND n GREATER best)
                    set(tier ${name})
                endif()
            endforeach()
            if(NOT tier)
                target_sources(${target} PRIVATE ${file})
                continue()
            endif()
            set(use NO)
            if(dir IN_LIST tiers_of)
                cdz_probe_tier(${tier})
                set(use "${CDZ_TIER_${tier}_USE}")
            endif()
            if(use)
                target_sources(${target} PRIVATE ${file})
                separate_arguments(options UNIX_COMMAND "${use}")
                set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}")
                string(TOUPPER "CDZ_HAVE_${stem}" definition)
                list(APPEND definitions ${definition}=1)
            elseif(dir IN_LIST tiers_of)
                list(APPEND left_out ${stem})
            endif()
        endforeach()
    endforeach()
    # For that one file: a new tier then does not rebuild the rest.
    set_source_files_properties(src/engines.c PROPERTIES COMPILE_DEFINITIONS "${definitions}")
    set(CDZ_TIER_DEFINITIONS "${definitions}" PARENT_SCOPE)
    set(CDZ_TIER_LEFT_OUT "${left_out}" PARENT_SCOPE)
    if(left_out)
        list(JOIN left_out ", " names)
        message(STATUS "Left out, since compiler or assembler do not know the instructions: ${names}")
    endif()
endfunction()
