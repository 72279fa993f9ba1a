# SPDX-License-Identifier: Apache-2.0
# Hardening, flag by flag where compiler and linker know it. None of it is relied on: it is for the faults not found yet.
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "CDZ_HAS${flag}" var)
    # A warning such as "ignored for this target" counts as no.
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(${flag} ${var})
    unset(CMAKE_REQUIRED_FLAGS)
    if(${var})
        target_compile_options(cdz_flags INTERFACE ${flag})
    endif()
endforeach()
# Fortified calls need optimisation and do not go with the sanitizers, which check the same and more.
if(NOT CMAKE_BUILD_TYPE STREQUAL Debug AND NOT CDZ_SANITIZE)
    target_compile_options(cdz_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
foreach(flag -z,relro -z,now -z,noexecstack)
    string(MAKE_C_IDENTIFIER "CDZ_LINKS${flag}" var)
    check_linker_flag(C "LINKER:${flag}" ${var})
    if(${var})
        target_link_options(cdz_flags INTERFACE "LINKER:${flag}")
    endif()
endforeach()
