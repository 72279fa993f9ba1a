# SPDX-License-Identifier: Apache-2.0
# s390x by Debian's cross compiler (package gcc-s390x-linux-gnu), run by qemu-user where the host cannot.
set(cdz_machine s390x)
set(cdz_debian s390x)
set(cdz_multiarch s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-s390x;-L;/usr/s390x-linux-gnu;-E;LD_LIBRARY_PATH=${cdz_extra_lib}")
