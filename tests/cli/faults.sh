#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls that do less than was asked for, are interrupted, or fail where one does not think of it.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -z "${CDZ_EMULATOR:-}" ] || skip "nothing can be preloaded under an emulator"
export ASAN_OPTIONS=verify_asan_link_order=0

cadenza keygen -o key || exit 1
head -c 200000 /dev/urandom >data
: >empty
export CDZ_SHIM_LOG=$work/log
# with WORDS COMMAND...: the command with the shim doing these.
with() {
    local words=$1
    shift
    : >log
    env LD_PRELOAD="$CDZ_SHIM_LIB" CDZ_SHIM="$words" "${cdz_run[@]}" "$@"
}
happened() {
    checks=$((checks + 1))
    grep -q "^$1\$" log || bad "'$1' never happened: the test shows nothing"
}

for words in short eintr again "short eintr again"; do
    code 0 "encrypt with $words" with "$words" encrypt --key-file key -o sealed data
    for w in $words; do happened "$w"; done
    code 0 "decrypt with $words" with "$words" decrypt --key-file key -o back sealed
    for w in $words; do happened "$w"; done
    same back data "$words"
    # shellcheck disable=SC2002
    cat data | with "$words" encrypt --key-file key | with "$words" decrypt --key-file key | cmp -s - data ||
        bad "pipes with $words"
    code 0 "cipher with $words" with "$words" cipher -c aria-128-cbc -K 00112233445566778899aabbccddeeff \
        --iv 00000000000000000000000000000000 -o raw data
    code 0 "keygen with $words" with "$words" keygen -o "key.$words"
    code 0 "that key is good" cadenza encrypt --key-file "key.$words" -o /dev/null data
done

printf old >old
for fault in full=0:8 full=96:8 full=100:8 full=65648:8 full=200000:8 close:8 fsync:7 rename:7 read=65536:6; do
    words=${fault%:*} want=${fault#*:} what=${fault%%[=:]*}
    for direction in encrypt decrypt; do
        cadenza encrypt --key-file key -o sealed data
        in=data
        [ $direction = encrypt ] || in=sealed
        # fits the last limit, which the plaintext does not reach
        [ "$direction $words" != "decrypt full=200000" ] || continue
        cp old target
        code "$want" "$direction with $words" with "$words" "$direction" --key-file key -o target $in
        happened "$what"
        same target old "$direction with $words"
        code "$want" "$direction with $words" with "$words" "$direction" --key-file key -o new $in
        absent new "$direction with $words"
        no_leftovers "$direction with $words"
    done
done
code 8 "the last write of a redirected file fails when it is closed" with close encrypt --key-file key data >redirected
happened close
code 22 "no random bytes" with random encrypt --key-file key -o new data
happened random
absent new
code 22 "no random bytes" with random keygen -o new
absent new
for words in full=10 close fsync; do
    code "$([ $words = fsync ] && echo 7 || echo 8)" "keygen with $words" with $words keygen -o new
    absent new
done
no_leftovers
done_testing
