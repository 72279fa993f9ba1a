#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A set-uid program ignores CADENZA_CPU, and every other program takes a bad one for an error. Needs root and a file system
# that honours the bit.
set -euo pipefail
skip() {
    echo "SKIP: $*"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "not root"
[ -x "$CDZ_BUILD_DIR/cadenza" ] || skip "the command is not built"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$CDZ_BUILD_DIR/cadenza" "$dir/plain"
# An owner other than root who has no files here: so that running it as root changes the effective user.
cp "$CDZ_BUILD_DIR/cadenza" "$dir/setuid"
chown 65534 "$dir/setuid"
chmod 4755 "$dir/setuid"
cp "$(command -v id)" "$dir/id"
chown 65534 "$dir/id"
chmod 4755 "$dir/id"
[ "$("$dir/id" -u)" = 65534 ] || skip "set-uid has no effect in $dir"

want=$("$dir/plain" cpu)
if CADENZA_CPU=-nonsense "$dir/plain" cpu >/dev/null 2>&1; then echo "a bad CADENZA_CPU was accepted"; exit 1; fi
CADENZA_CPU=-vperm "$dir/plain" cpu | grep -q 'features:.* vperm' && { echo "CADENZA_CPU had no effect"; exit 1; }
got=$(CADENZA_CPU=-vperm,-sliced "$dir/setuid" cpu) || { echo "the set-uid program failed"; exit 1; }
[ "$got" = "$want" ] || { echo "the set-uid program listened to CADENZA_CPU:"; echo "$got"; exit 1; }
CADENZA_CPU=-nonsense "$dir/setuid" cpu >/dev/null || { echo "the set-uid program listened to a bad CADENZA_CPU"; exit 1; }
