# SPDX-License-Identifier: Apache-2.0
# riscv64 by clang 19 and lld, in the sysroot that scripts/riscv-sysroot makes, run by the qemu-user that it fetches.
#
# The library as a whole is built for any rv64gc; files for an extension get their flags from cmake/Tiers.cmake.
# CDZ_RISCV_CPU is the CPU that tests see (qemu-riscv64 -cpu): another one needs no other build, only another run with
# the environment's QEMU_CPU (scripts/riscv-check does that).
# lld is not a matter of taste: binutils 2.40 ends in a segmentation fault on clang 19's objects.
set(cdz_machine riscv64)
set(cdz_debian riscv64)
set(cdz_multiarch riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_SYSROOT "${CDZ_SYSROOT}")
set(CMAKE_C_FLAGS_INIT "-march=rv64gc")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld-19")
endforeach()
# qemu reads QEMU_CPU; without it, its default rv64 has no vectors.
set(CMAKE_CROSSCOMPILING_EMULATOR "${CDZ_SYSROOT}/bin/qemu-riscv64;-L;${CDZ_SYSROOT}")
