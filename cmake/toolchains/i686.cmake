# SPDX-License-Identifier: Apache-2.0
# i686 by Debian's cross compiler (package gcc-i686-linux-gnu). An x86-64 kernel runs the programs as they are, with the
# cross C library's loader; where it cannot, qemu-i386 does, in which fork() may hang.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
# CDZ_SYSROOT: a directory with more of the target's packages unpacked in it (cmocka: scripts/cross-packages).
set(CDZ_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build-sysroot/i386" CACHE PATH "The target's libraries")
get_filename_component(CDZ_SYSROOT "${CDZ_SYSROOT}" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${CDZ_SYSROOT} /usr/i686-linux-gnu)
# Debian keeps headers that differ by architecture in a folder of their own.
set(CMAKE_C_FLAGS_INIT "-isystem ${CDZ_SYSROOT}/usr/include/i386-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CDZ_SYSROOT)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CDZ_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CDZ_SYSROOT}/usr/lib/i386-linux-gnu/pkgconfig")
set(cdz_cross_lib /usr/i686-linux-gnu/lib)
set(cdz_extra_lib ${CDZ_SYSROOT}/usr/lib/i386-linux-gnu)
execute_process(COMMAND ${cdz_cross_lib}/ld-linux.so.2 --version OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE cdz_not_native)
if(cdz_not_native)
    set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-i386;-L;/usr/i686-linux-gnu;-E;LD_LIBRARY_PATH=${cdz_extra_lib}")
else()
    set(CMAKE_EXE_LINKER_FLAGS_INIT
        "-Wl,--dynamic-linker=${cdz_cross_lib}/ld-linux.so.2 -Wl,-rpath,${cdz_cross_lib}:${cdz_extra_lib}")
endif()
