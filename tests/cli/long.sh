#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 17 MiB, 2 GiB + 1 and 4 GiB + 1 bytes through pipes both ways, in bounded memory, nothing cut.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -z "${CDZ_EMULATOR:-}" ] || skip "too slow under an emulator"
[ -z "${CDZ_SANITIZED:-}" ] || skip "too slow with sanitizers"

cadenza keygen -o key || exit 1
# The most memory that a process had, in KiB, as it sees itself: VmHWM read at the end by the shell's wrapper.
limit=$((64 * 1024)) # KiB of address space beyond what a small run needs
cipher=${CDZ_LONG_CIPHER:-aes-256-gcm}
for size in $((17 * 1024 * 1024)) $((2 * 1024 * 1024 * 1024 + 1)) $((4 * 1024 * 1024 * 1024 + 1)); do
    want=$(head -c $size /dev/zero | cksum)
    got=$(
        ulimit -v $limit
        head -c $size /dev/zero | cadenza encrypt -c "$cipher" --key-file key | cadenza decrypt --key-file key | cksum
        [ "${PIPESTATUS[*]}" = "0 0 0 0" ] || echo "exit codes ${PIPESTATUS[*]}"
    )
    check "$size bytes: $got" [ "$got" = "$want" ]
done
# The file's length is the formula's; cut by one byte it is refused after all of it was read.
size=$((17 * 1024 * 1024))
head -c $size /dev/zero | cadenza encrypt -c "$cipher" --key-file key >sealed
check "the length" [ "$(stat -c %s sealed)" = $((96 + size + 16 * (size / 65536))) ]
code 16 "cut by a byte" cadenza decrypt --key-file key -o new <(head -c -1 sealed)
absent new
done_testing
