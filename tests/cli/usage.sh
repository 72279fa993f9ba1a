#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Options, help, unknown names, and what cpu and selftest print. (bench has tests of its own.)
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cadenza keygen -o key || exit 1
echo data >data
code 2 "no command" cadenza
code 2 "unknown command" cadenza frobnicate
code 2 "unknown option" cadenza --frobnicate
code 0 "help" cadenza --help >/dev/null
commands="encrypt decrypt keygen cipher cpu selftest bench openssl"
for c in $commands; do
    check "the help names $c" grep -q "^  $c " <(cadenza --help)
    code 0 "help of $c" cadenza "$c" --help >/dev/null
    check "help of $c says how" grep -q "^usage: cadenza $c" <(cadenza "$c" --help)
    code 0 "help of $c" cadenza "$c" -h >/dev/null
    code 2 "unknown option of $c" cadenza "$c" --frobnicate
    said "--frobnicate" "$c"
    code 2 "unknown letter of $c" cadenza "$c" -Z
    said "-Z" "$c"
done
# every long option that a help text names exists, and is in the manual
for c in $commands; do
    few=()
    case $c in
    bench) few=(--quick aria-128-ecb) ;;
    openssl) few=(--no-speed) ;;
    esac
    for option in $(cadenza "$c" --help | grep -oE -- '--[a-z-]+' | grep -v -- --version | sort -u); do
        checks=$((checks + 1))
        cadenza "$c" "$option" "${few[@]}" 2>err >/dev/null </dev/null || :
        if grep -q "no option $option" err; then bad "the help of $c names $option, which it does not have"; fi
        checks=$((checks + 1))
        # in a manual page's source a dash that is a dash is \-
        tr -d '\\' <"$CDZ_SOURCE_DIR/docs/man/cadenza.1" | grep -q -- "$option" || bad "the manual does not have $option of $c"
    done
done

code 2 "an option without its argument" cadenza encrypt -o
said "needs an argument"
code 2 "an option without its argument" cadenza encrypt --output
code 2 "an argument too many" cadenza encrypt --key-file key --force=yes data
code 2 "two inputs" cadenza encrypt --key-file key -o new data data
code 2 "two secrets" cadenza encrypt --key-file key --passphrase-file data -o new data
code 2 "stdin twice" cadenza encrypt --key-file - -o new </dev/null
code 2 "KDF parameters with a key file" cadenza encrypt --key-file key --kdf-passes 1 -o new data
code 3 "unknown cipher" cadenza encrypt -c des-56-ecb --key-file key -o new data
code 3 "a cipher without a tag" cadenza encrypt -c aria-256-ctr --key-file key -o new data
said "mode with a tag"
code 2 "decrypt has no -c" cadenza decrypt -c aria-256-gcm --key-file key -o new data
absent new

# every cipher that files may have: written, read without being told
ciphers=0
for cipher in {aria,aes}-{128,192,256}-{gcm,gcm-siv,ocb,ccm,eax}; do
    mode=${cipher#*-*-}
    if ! cadenza --version | grep -qwi "modes:.* ${mode}\( .*\)\?\$" || [[ $cipher = *-192-gcm-siv ]]; then
        code 3 "$cipher is not in this build" cadenza encrypt -c "$cipher" --key-file key -o new data
        continue
    fi
    code 0 "$cipher" cadenza encrypt -c "$cipher" --key-file key -o sealed data
    code 0 "$cipher" cadenza decrypt --key-file key -o back sealed
    same back data "$cipher"
    ciphers=$((ciphers + 1))
done
check "at least GCM with both ciphers and all key lengths: $ciphers" [ "$ciphers" -ge 6 ]

# --version
cadenza --version >version
check "version" grep -q "^cadenza [0-9]*\.[0-9]*\.[0-9]*, library [0-9]" version
check "compiler" grep -qE "^compiler: (gcc|clang) [0-9]" version
check "engines" grep -q "^engines: .*aria/portable.*aes/portable.*ghash/portable" version
check "modes" grep -q "^modes: ECB CBC .*GCM" version
check "passphrases" grep -q "^passphrases: " version

# cpu: one engine used of each kind; the mask takes away, and says what is missing
cadenza cpu >cpu
check "features" grep -q "^features: " cpu
check "one engine of each kind is used" [ "$(grep -c ' used  ' cpu)" = 3 ]
all=$(sed -n 's/^features: //p' cpu | tr ' ' '\n' | sed '/^$/d;s/^/-/' | paste -sd, -)
if [ "$all" != "-none,-that,-cadenza,-uses" ] && [ -n "$all" ]; then
    cadenza cpu "--cpu=$all" >masked
    check "everything masked: portable" [ "$(grep -c '/portable .*used' masked)" = 3 ]
    CADENZA_CPU=$all cadenza cpu >masked2
    same masked masked2 "option and environment"
    cadenza "--cpu=$all" cpu >masked3
    same masked masked3 "before and behind the command"
    if grep ' used  ' cpu | grep -qv 'needs nothing'; then
        check "the others say what they lack" grep -q ' lacks [a-z]' masked
        check "selftest skips them by name" grep -q 'skipped: lacks [a-z]' <(cadenza selftest "--cpu=$all")
    fi
fi
code 24 "a bad mask" cadenza --cpu=-no-such-feature cpu
said "no-such-feature"
code 24 "a mask that adds" cadenza cpu --cpu=avx2
code 24 "a bad mask in the environment" env CADENZA_CPU=-nonsense "${cdz_run[@]}" cpu
if [ -z "${CDZ_EMULATOR:-}" ]; then
    said "nonsense"
    code 24 "a bad mask in the environment" env CADENZA_CPU=-nonsense "${cdz_run[@]}" encrypt --key-file key -o new data
fi

# selftest
code 0 "selftest" cadenza selftest >/dev/null
cadenza selftest >selftest
check "every usable engine was tested" [ "$(grep -c ' ok, [1-9]' selftest)" = "$(grep -cE ' (used|usable) ' cpu)" ]
check "no engine failed" [ "$(grep -c FAILED selftest)" = 0 ]

done_testing
