# SPDX-License-Identifier: Apache-2.0
# aarch64 by Debian's cross compiler (package gcc-aarch64-linux-gnu), run by qemu-user where the host cannot.
set(cdz_machine aarch64)
set(cdz_debian arm64)
set(cdz_multiarch aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=${cdz_extra_lib}")
