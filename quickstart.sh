#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ./quickstart.sh [FILE]: from a fresh clone to an encrypted file.
#
# Installs what the build needs where it is missing (Debian and its relatives, by apt), builds into build/, then encrypts
# a file, decrypts it, compares the two, and measures the ciphers. FILE is any file of yours, which is only read; without
# it 64 MiB are made for the purpose. Everything else happens in a directory that is removed at the end.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

case ${1:-} in -h | --help) sed -n '4,8s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
input=${1:-}
if [ -n "$input" ]; then
    [ -f "$input" ] && [ -r "$input" ] || die "$input is not a file that can be read"
fi

require_build
step "building"
build default
cadenza=$cdz_root/build/cadenza
"$cadenza" --version

dir=$(mktemp -d "${TMPDIR:-/tmp}/cadenza.XXXXXX")
trap 'rm -rf "$dir"' EXIT
if [ -z "$input" ]; then
    input=$dir/data
    head -c $((64 * 1024 * 1024)) /dev/urandom >"$input"
fi
size=$(stat -c %s "$input")

# timed WHAT COMMAND...
timed() {
    local what=$1 start end
    shift
    start=$(date +%s%N)
    "$@"
    end=$(date +%s%N)
    awk -v what="$what" -v ns=$((end - start)) -v bytes="$size" 'BEGIN {
        printf "%-8s %8.1f MiB in %6.3f s, %8.1f MiB/s (reading and writing included)\n",
            what, bytes / 1048576, ns / 1e9, bytes / 1048576 / (ns / 1e9) }'
}

step "a file of $size bytes, encrypted, decrypted, compared"
"$cadenza" keygen -o "$dir/key"
timed encrypt "$cadenza" encrypt --key-file "$dir/key" -o "$dir/data.cdz" "$input"
timed decrypt "$cadenza" decrypt --key-file "$dir/key" -o "$dir/data.out" "$dir/data.cdz"
cmp "$input" "$dir/data.out" || die "the decrypted file differs from the original"
! cmp -s "$input" "$dir/data.cdz" || die "the encrypted file is the original"
say "the decrypted file is the original, byte for byte"

step "cadenza bench"
"$cadenza" bench
say
say "The command is build/cadenza; README.md shows what it can do, and ./check.sh runs the tests."
