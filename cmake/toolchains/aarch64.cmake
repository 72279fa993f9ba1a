# SPDX-License-Identifier: Apache-2.0
# aarch64 by Debian's cross compiler (package gcc-aarch64-linux-gnu), run by qemu-user where the host cannot.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
# CDZ_SYSROOT: a directory with more of the target's packages unpacked in it (cmocka: scripts/cross-packages).
set(CDZ_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build-sysroot/arm64" CACHE PATH "The target's libraries")
get_filename_component(CDZ_SYSROOT "${CDZ_SYSROOT}" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${CDZ_SYSROOT} /usr/aarch64-linux-gnu)
# Debian keeps headers that differ by architecture in a folder of their own.
set(CMAKE_C_FLAGS_INIT "-isystem ${CDZ_SYSROOT}/usr/include/aarch64-linux-gnu")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CDZ_SYSROOT)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CDZ_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CDZ_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=${CDZ_SYSROOT}/usr/lib/aarch64-linux-gnu")
