# SPDX-License-Identifier: Apache-2.0
# i686 by Debian's cross compiler (package gcc-i686-linux-gnu), run by qemu-user where the host cannot.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
# CDZ_SYSROOT: a directory with more of the target's packages unpacked in it (cmocka: scripts/cross-packages).
set(CDZ_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build-sysroot/i386" CACHE PATH "The target's libraries")
set(CMAKE_FIND_ROOT_PATH ${CDZ_SYSROOT} /usr/i686-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CDZ_SYSROOT)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CDZ_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CDZ_SYSROOT}/usr/lib/i386-linux-gnu/pkgconfig")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-i386;-L;/usr/i686-linux-gnu;-E;LD_LIBRARY_PATH=${CDZ_SYSROOT}/usr/lib/i386-linux-gnu")
