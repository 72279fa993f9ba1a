#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every allocation of every subcommand fails, one a run (of those that make thousands in loops, some that are spread over them): the command then ends with a sentence and a code of its own, or has done its
# work all the same (the C library does without a buffer); no output is half made, one that was there stays, and no memory is lost.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -z "${CDZ_EMULATOR:-}" ] || skip "nothing can be preloaded under an emulator"
[ -z "${CDZ_SANITIZED:-}" ] || skip "a sanitizer has an allocator of its own"

cadenza keygen -o key || exit 1
head -c 70000 /dev/urandom >data
cadenza encrypt --key-file key -o sealed data || exit 1
printf old >old
key=00112233445566778899aabbccddeeff iv=000102030405060708090a0b
export CDZ_SHIM_LOG=$work/log
# with N COMMAND...: the command, whose Nth allocation fails; in $got what it ended with.
with() {
    local n=$1
    shift
    : >log
    got=0
    env LD_PRELOAD="$CDZ_SHIM_LIB" "CDZ_SHIM=memory=$n" "${cdz_run[@]}" "$@" >out 2>err </dev/null || got=$?
}
most=100 # runs of one command
total=0 refused=0
# each WHAT RESULT COMMAND...: RESULT is the file that a good run makes or leaves as it was ("-": none, its output counts).
each() {
    local what=$1 result=$2 n all lost memory=0 usual step
    shift 2
    [ "$result" = - ] || cp old "$result"
    with 0 "$@"
    usual=$got # of openssl 13, where nothing is configured
    check "$what" [ "$usual" = 0 -o "$usual" = 13 ]
    all=$(sed -n 's/^allocations //p' log)
    check "$what allocates" [ "${all:-0}" -ge 1 ]
    lost=$(grep -c '^lost' log)
    step=$(((${all:-0} + most - 1) / most))
    for ((n = 1; n <= ${all:-0}; n += step)); do
        [ "$result" = - ] || cp old "$result"
        with "$n" "$@"
        total=$((total + 1)) checks=$((checks + 1))
        grep -q '^memory$' log || bad "$what: allocation $n never came"
        # Nothing is lost that is not there at the end of a good run too.
        [ "$(grep -c '^lost' log)" -le "$lost" ] || bad "$what: allocation $n: $(grep '^lost' log | paste -sd,)"
        if [ "$got" = "$usual" ]; then
            [ "$result" = - ] || ! cmp -s "$result" old || bad "$what: allocation $n: no output and no error"
            continue
        fi
        refused=$((refused + 1))
        [ "$got" != 21 ] || memory=$((memory + 1))
        [ "$got" -lt 126 ] || bad "$what: allocation $n: ended by a signal, or as if: $got"
        grep -q '^cadenza: ' err || bad "$what: allocation $n: code $got without a sentence"
        [ "$result" = - ] || cmp -s "$result" old || bad "$what: allocation $n: code $got, and the output is another"
    done
    no_leftovers "$what"
    printf '%-40s %3d allocations, %3d refused, %3d of them for want of memory\n' "$what" "${all:-0}" "$refused" "$memory"
    [ $most = 100 ] || memory=$((memory + refused)) # what little is tried may not hit the program's own
    refused=0
    check "$what: one refusal at least" [ "$memory" -ge 1 ]
}

each "keygen" - keygen -o -
each "encrypt" target encrypt --key-file key -o target data
each "encrypt to a pipe" - encrypt --key-file key data
each "decrypt" target decrypt --key-file key -o target sealed
for mode in cbc ctr cbc-pkcs7; do
    each "cipher $mode" target cipher -c aria-128-$mode -K $key --iv ${iv}0c0d0e0f -o target sealed
done
each "cipher gcm" target cipher -c aes-128-gcm -K $key --iv $iv --aad 0102 -o target data
if [ "${CDZ_ARGON2:-}" = ON ]; then
    # In one lane: libargon2's threads are not followed. Where one cannot be started, it frees what the others work on; and the C library
    # ends a program whose thread ends and for which it cannot load libgcc_s.
    (umask 077 && echo "a passphrase" >pass)
    cadenza encrypt --passphrase-file pass --kdf-memory 8 --kdf-passes 1 --kdf-lanes 1 -o sealed.pass data
    each "encrypt by a passphrase" target encrypt --passphrase-file pass --kdf-memory 8 --kdf-passes 1 --kdf-lanes 1 -o target data
    each "decrypt by a passphrase" target decrypt --passphrase-file pass -o target sealed.pass
fi
each "cpu" - cpu
each "bench" - bench --quick --sizes 64 aria-128-gcm
each "bench of a batch" - bench --quick --batch 3 --sizes 64 aes-128-ctr
each "bench of keys" - bench --quick --key aria-128
each "bench of files" - bench --quick --file --sizes 100 aria-128
each "bench, all to JSON" - bench --quick --sizes 64,128 --json aes-128-gcm
most=8
each "selftest" - selftest
each "openssl" - openssl --no-speed
done_testing
