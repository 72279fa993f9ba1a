# SPDX-License-Identifier: Apache-2.0
# i686 by Debian's cross compiler (package gcc-i686-linux-gnu). An x86-64 kernel runs the programs as they are, with the
# cross C library's loader; where it cannot, qemu-i386 does, in which fork() may hang.
set(cdz_machine i686)
set(cdz_debian i386)
set(cdz_multiarch i386-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(cdz_cross_lib /usr/i686-linux-gnu/lib)
execute_process(COMMAND ${cdz_cross_lib}/ld-linux.so.2 --version OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE cdz_not_native)
if(cdz_not_native)
    set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-i386;-L;/usr/i686-linux-gnu;-E;LD_LIBRARY_PATH=${cdz_extra_lib}")
else()
    set(CMAKE_EXE_LINKER_FLAGS_INIT
        "-Wl,--dynamic-linker=${cdz_cross_lib}/ld-linux.so.2 -Wl,-rpath,${cdz_cross_lib}:${cdz_extra_lib}")
endif()
