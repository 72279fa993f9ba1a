# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler for cdz_machine (cross.cmake), with its C library; scripts/cross-packages has installed both, and cmocka.
include(${CMAKE_CURRENT_LIST_DIR}/cross.cmake)
set(CMAKE_C_COMPILER ${cdz_machine}-linux-gnu-gcc)
list(APPEND CMAKE_FIND_ROOT_PATH /usr/${cdz_machine}-linux-gnu)
# Debian keeps headers that differ by architecture in a folder of their own.
set(CMAKE_C_FLAGS_INIT "-isystem ${CDZ_SYSROOT}/usr/include/${cdz_multiarch}")
set(cdz_extra_lib ${CDZ_SYSROOT}/usr/lib/${cdz_multiarch})
