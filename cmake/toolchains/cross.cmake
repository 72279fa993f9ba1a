# SPDX-License-Identifier: Apache-2.0
# What the toolchain files beside this one have in common. They set, before they include it,
#
#   cdz_machine     the target's name in tools and CMake: aarch64
#   cdz_debian      Debian's name of the architecture: arm64
#   cdz_multiarch   Debian's folder of its libraries: aarch64-linux-gnu
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${cdz_machine})
# CDZ_SYSROOT: a directory with the target's packages unpacked in it, for those of Debian's cross compilers more of them (cmocka).
set(CDZ_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build-sysroot/${cdz_debian}" CACHE PATH "The target's libraries")
get_filename_component(CDZ_SYSROOT "${CDZ_SYSROOT}" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${CDZ_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CDZ_SYSROOT)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CDZ_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CDZ_SYSROOT}/usr/lib/${cdz_multiarch}/pkgconfig")
