#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# tests/setuid.sh PROBE: a set-uid program ignores CADENZA_CPU, and every other program takes a bad one for an error. Needs
# root and a file system that honours the bit. The probe has the library in it, since another user may not be able to
# look into the build's directory.
set -euo pipefail
skip() {
    echo "SKIP: $*"
    exit 77
}
probe=$1
[ "$(id -u)" = 0 ] || skip "not root"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
# An owner other than root: so that running it as root changes the effective user.
cp "$probe" "$dir/plain"
cp "$probe" "$dir/setuid"
cp "$(command -v id)" "$dir/id"
chown 65534 "$dir/setuid" "$dir/id"
chmod 4755 "$dir/setuid" "$dir/id"
[ "$("$dir/id" -u)" = 65534 ] || skip "set-uid has no effect in $dir"

want=$("$dir/plain")
if CADENZA_CPU=-nonsense "$dir/plain" >/dev/null; then echo "a bad CADENZA_CPU was accepted"; exit 1; fi
[ "$(CADENZA_CPU=-vperm "$dir/plain")" != "$want" ] || { echo "CADENZA_CPU had no effect"; exit 1; }
for mask in -vperm,-sliced -nonsense; do
    got=$(CADENZA_CPU=$mask "$dir/setuid") || { echo "the set-uid program failed with $mask: $got"; exit 1; }
    [ "$got" = "$want" ] || { echo "the set-uid program listened to $mask: $got"; exit 1; }
done
