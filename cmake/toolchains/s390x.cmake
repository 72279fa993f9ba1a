# SPDX-License-Identifier: Apache-2.0
# s390x by Debian's cross compiler (package gcc-s390x-linux-gnu), run by qemu-user where the host cannot.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
# CDZ_SYSROOT: a directory with more of the target's packages unpacked in it (cmocka: scripts/cross-packages).
set(CDZ_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build-sysroot/s390x" CACHE PATH "The target's libraries")
get_filename_component(CDZ_SYSROOT "${CDZ_SYSROOT}" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${CDZ_SYSROOT} /usr/s390x-linux-gnu)
# Debian keeps headers that differ by architecture in a folder of their own.
set(CMAKE_C_FLAGS_INIT "-isystem ${CDZ_SYSROOT}/usr/include/s390x-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CDZ_SYSROOT)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CDZ_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CDZ_SYSROOT}/usr/lib/s390x-linux-gnu/pkgconfig")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-s390x;-L;/usr/s390x-linux-gnu;-E;LD_LIBRARY_PATH=${CDZ_SYSROOT}/usr/lib/s390x-linux-gnu")
