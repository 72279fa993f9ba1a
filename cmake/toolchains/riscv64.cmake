# SPDX-License-Identifier: Apache-2.0
# riscv64 by clang 19 and lld, in the sysroot that scripts/riscv-sysroot makes, run by the qemu-user that it fetches.
#
# The library as a whole is built for any rv64gc; files for an extension get their flags from cmake/Tiers.cmake.
# CDZ_RISCV_CPU is the CPU that tests see (qemu-riscv64 -cpu): another one needs no other build, only another run with
# the environment's QEMU_CPU (scripts/riscv-check does that).
# lld is not a matter of taste: binutils 2.40 ends in a segmentation fault on clang 19's objects.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CDZ_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../../build-sysroot/riscv64" CACHE PATH "The target's libraries")
get_filename_component(CDZ_SYSROOT "${CDZ_SYSROOT}" ABSOLUTE)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_SYSROOT "${CDZ_SYSROOT}")
set(CMAKE_C_FLAGS_INIT "-march=rv64gc")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld-19")
endforeach()
set(CMAKE_FIND_ROOT_PATH ${CDZ_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CDZ_SYSROOT)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CDZ_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CDZ_SYSROOT}/usr/lib/riscv64-linux-gnu/pkgconfig")
# qemu reads QEMU_CPU; without it, its default rv64 has no vectors.
set(CMAKE_CROSSCOMPILING_EMULATOR "${CDZ_SYSROOT}/bin/qemu-riscv64;-L;${CDZ_SYSROOT}")
