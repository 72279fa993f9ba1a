# SPDX-License-Identifier: Apache-2.0
#
#   cdz_test(NAME [SOURCES file ...] [LIBS lib ...] [NEEDS dependency ...] [LABELS label ...] [TIMEOUT seconds]
#            [DEFINITIONS d ...] [ARGS arg ...])
#
# A cmocka program built from tests/test_NAME.c (or SOURCES) and linked with the static library, so that it can reach
# what the shared one hides. It may exit 77 when it cannot run here, which counts as skipped, never as passed.
# NEEDS names optional packages (openssl, cjson): where one is missing the test is there and is skipped by name.
# LABELS: quick (the default), long, cli, install, ...

if(PkgConfig_FOUND)
    pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
    pkg_check_modules(CJSON IMPORTED_TARGET libcjson)
    pkg_check_modules(LIBCRYPTO IMPORTED_TARGET libcrypto>=3)
    pkg_check_modules(LIBSSL IMPORTED_TARGET libssl>=3)
endif()
set(CDZ_TEST_PACKAGE_openssl LIBCRYPTO)
set(CDZ_TEST_PACKAGE_libssl LIBSSL)
set(CDZ_TEST_PACKAGE_cjson CJSON)
if(NOT CMOCKA_FOUND)
    message(STATUS "cmocka was not found: the unit tests are left out")
endif()

function(cdz_test_properties name timeout labels)
    if(NOT timeout)
        set(timeout 900) # a loaded machine is slow, a hung test is not worth an hour
    endif()
    if(NOT labels)
        set(labels quick)
    endif()
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${timeout} LABELS "${labels}")
endfunction()

function(cdz_skipped_test name reason)
    add_test(NAME ${name} COMMAND sh -c "echo 'SKIP ${name}: ${reason}'; exit 77")
endfunction()

function(cdz_test name)
    cmake_parse_arguments(PARSE_ARGV 1 T "" "TIMEOUT" "SOURCES;LIBS;NEEDS;LABELS;DEFINITIONS;ARGS")
    if(NOT CMOCKA_FOUND)
        cdz_skipped_test(${name} "no cmocka when it was built")
        cdz_test_properties(${name} "${T_TIMEOUT}" "${T_LABELS}")
        return()
    endif()
    set(libs PkgConfig::CMOCKA)
    foreach(need IN LISTS T_NEEDS)
        set(package ${CDZ_TEST_PACKAGE_${need}})
        if(NOT package OR NOT ${package}_FOUND)
            cdz_skipped_test(${name} "no ${need} when it was built")
            cdz_test_properties(${name} "${T_TIMEOUT}" "${T_LABELS}")
            return()
        endif()
        list(APPEND libs PkgConfig::${package})
    endforeach()
    if(NOT T_SOURCES)
        set(T_SOURCES test_${name}.c)
    endif()
    add_executable(test_${name} ${T_SOURCES})
    target_link_libraries(test_${name} PRIVATE cdz_flags cadenza_internals $<TARGET_NAME_IF_EXISTS:cdz_test_support>
        cadenza_static ${libs} ${T_LIBS})
    target_compile_definitions(test_${name} PRIVATE _GNU_SOURCE CDZ_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ${T_DEFINITIONS})
    add_test(NAME ${name} COMMAND test_${name} ${T_ARGS})
    cdz_test_properties(${name} "${T_TIMEOUT}" "${T_LABELS}")
endfunction()

# A bash script: cdz_script_test(NAME file [ARGS arg ...] [LABELS label ...] [TIMEOUT n] [ENVIRONMENT name=value ...]).
# It finds CDZ_SOURCE_DIR, CDZ_BUILD_DIR, CC, and in CDZ_EMULATOR what to run built programs with (empty: nothing).
function(cdz_script_test name file)
    cmake_parse_arguments(PARSE_ARGV 2 T "" "TIMEOUT" "LABELS;ARGS;ENVIRONMENT")
    add_test(NAME ${name} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${T_ARGS})
    cdz_test_properties(${name} "${T_TIMEOUT}" "${T_LABELS}")
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "CDZ_SOURCE_DIR=${CMAKE_SOURCE_DIR};CDZ_BUILD_DIR=${CMAKE_BINARY_DIR};CC=${CMAKE_C_COMPILER};CDZ_EMULATOR=${emulator};${T_ENVIRONMENT}")
endfunction()
