#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `cadenza cipher` against `openssl enc -K -iv`: the same bytes for all common modes, key sizes and lengths, both ways. Then
# what enc does not have (tags), and what it does wrong (short keys and IVs).
# thousands of small files: in memory where that can be had
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v openssl >/dev/null || skip "no openssl command"

key=00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0
iv=f0e1d2c3b4a5968778695a4b3c2d1e0f
head -c 300000 /dev/urandom >all
# lengths on both sides of blocks, of pieces and of batches
lengths="0 1 15 16 17 31 32 33 4096 65535 65536 65537 299999"
[ -z "${CDZ_EMULATOR:-}" ] || lengths="0 1 16 17 4097"

compared=0
for cipher in aria aes; do
    for bits in 128 192 256; do
        k=${key:0:$((bits / 4))}
        for mode in ecb cbc cfb ofb ctr cfb8 cfb1; do
            name=$cipher-$bits-$mode
            cadenza --version | grep -qwi "modes:.* $mode\( .*\)\?\$" || continue
            openssl enc -"$name" -K "$k" -iv $iv -in /dev/null -out /dev/null 2>/dev/null || {
                echo "SKIP (part): openssl enc has no $name"
                continue
            }
            ivs=(-iv "$iv")
            [ $mode != ecb ] || ivs=()
            pads=("")
            case $mode in ecb | cbc) pads=("" -nopad) ;; esac
            for pad in "${pads[@]}"; do
                for n in $lengths; do
                    head -c "$n" all >plain
                    if [ -n "$pad" ] && [ $((n % 16)) != 0 ]; then
                        code 5 "$name $pad, $n bytes" cadenza cipher -c "$name" -K "$k" "${ivs[@]}" $pad -o new plain
                        code 5 "$name $pad -d, $n bytes" cadenza cipher -d -c "$name" -K "$k" "${ivs[@]}" $pad -o new plain
                        absent new
                        continue
                    fi
                    openssl enc -"$name" -K "$k" "${ivs[@]}" $pad -in plain -out theirs || bad "openssl $name"
                    code 0 "$name $pad, $n bytes" cadenza cipher -c "$name" -K "$k" "${ivs[@]}" $pad -o ours plain
                    same ours theirs "$name $pad, $n bytes"
                    code 0 "$name -d $pad, $n bytes" cadenza cipher -d -c "$name" -K "$k" "${ivs[@]}" $pad -o back theirs
                    same back plain "$name -d $pad, $n bytes"
                    compared=$((compared + 1))
                done
            done
        done
    done
done
check "something was compared" [ "$compared" -ge 30 ]

# the same through pipes
cadenza cipher -c aria-256-cbc -K $key -iv $iv <all | openssl enc -d -aria-256-cbc -K $key -iv $iv | cmp -s - all ||
    bad "through pipes"
# openssl's other spellings
cadenza cipher -c aria-256-ctr -K $key -iv $iv -e -in all -out a || bad "-in and -out"
cadenza cipher -c ARIA-256-CTR --key $key --iv $iv --encrypt --output b all || bad "long options"
same a b
rm a b new 2>/dev/null

# padding: every last byte, and every length
k=${key:0:32}
for n in 0 15 16 17; do
    head -c $n all >plain
    for last in $([ -z "${CDZ_EMULATOR:-}" ] && seq 0 255 || echo 0 1 2 16 17 255); do
        # a block that ends in this byte, otherwise zero: proper padding for 1 alone
        { head -c 15 /dev/zero && printf "\\$(printf %03o "$last")"; } >block
        [ $n = 0 ] || continue
        cadenza cipher -c aes-128-ecb -nopad -K "$k" block >sealed
        want=5
        [ "$last" = 1 ] && want=0
        code $want "padding that ends in $last" cadenza cipher -d -c aes-128-ecb -K "$k" -o new sealed
        rm -f new
    done
    cadenza cipher -c aria-128-ecb -K "$k" plain | cadenza cipher -d -c aria-128-ecb -K "$k" | cmp -s - plain || bad "padding of $n bytes"
done
for n in 1 2 8 15 16; do # n bytes of value n: proper; one of them changed: not
    byte=$(printf '\\%03o' $n)
    good=$(printf "%${n}s" | sed "s/ /\\$byte/g")
    # shellcheck disable=SC2059
    { head -c $((16 - n)) /dev/zero && printf "$good"; } | cadenza cipher -c aes-128-ecb -nopad -K "$k" >sealed
    code 0 "$n bytes of padding" cadenza cipher -d -c aes-128-ecb -K "$k" -o new sealed
    check "$n bytes of padding" [ "$(stat -c %s new)" = $((16 - n)) ]
    [ $n != 1 ] || continue
    # shellcheck disable=SC2059
    { head -c $((16 - n)) /dev/zero && printf '\000' && printf "${good:4}"; } | cadenza cipher -c aes-128-ecb -nopad -K "$k" >sealed
    rm -f new
    code 5 "$n bytes of padding, the first is wrong" cadenza cipher -d -c aes-128-ecb -K "$k" -o new sealed
    absent new
done
: >void
code 5 "nothing where padding must be" cadenza cipher -d -c aes-128-cbc -K "$k" -iv $iv -o new void
absent new

# lengths are never made right
code 4 "a short key" cadenza cipher -c aria-256-cbc -K "$k" -iv $iv -o new all
said "32 bytes"
code 4 "a long key" cadenza cipher -c aria-128-cbc -K $key -iv $iv -o new all
code 4 "half a byte" cadenza cipher -c aria-128-cbc -K "${k:1}" -iv $iv -o new all
said "odd number"
code 4 "no hexadecimal digit" cadenza cipher -c aria-128-cbc -K "${k:1}g" -iv $iv -o new all
said "no hexadecimal digit"
code 4 "no key" cadenza cipher -c aria-128-cbc -iv $iv -o new all
code 4 "an empty key" cadenza cipher -c aria-128-cbc -K '' -iv $iv -o new all
code 4 "a key with 0x" cadenza cipher -c aria-128-cbc -K "0x$k" -iv $iv -o new all
code 4 "a short IV" cadenza cipher -c aria-128-cbc -K "$k" -iv "${iv:2}" -o new all
said "16 bytes"
code 4 "a long IV" cadenza cipher -c aria-128-cbc -K "$k" -iv "${iv}00" -o new all
code 4 "no IV" cadenza cipher -c aria-128-ctr -K "$k" -o new all
code 4 "an empty IV" cadenza cipher -c aria-128-gcm -K "$k" -iv '' -o new all
code 4 "an IV for ECB" cadenza cipher -c aria-128-ecb -K "$k" -iv $iv -o new all
code 4 "two keys" cadenza cipher -c aria-128-ecb -K "$k" -K "$k" -o new all
code 4 "a tag for CTR" cadenza cipher -d -c aria-128-ctr -K "$k" -iv $iv --tag $iv -o new all
code 4 "associated data for CTR" cadenza cipher -c aria-128-ctr -K "$k" -iv $iv --aad 00 -o new all
code 4 "no padding for CTR" cadenza cipher -c aria-128-ctr -K "$k" -iv $iv --no-padding -o new all
code 4 "equal halves of an XTS key" cadenza cipher -c aria-128-xts -K "$k$k" -iv $iv -o new all
code 5 "XTS of 15 bytes" cadenza cipher -c aria-128-xts -K "$key" -iv $iv -o new <(head -c 15 all)
code 2 "no cipher" cadenza cipher -K "$k" -o new all
code 3 "unknown cipher" cadenza cipher -c aria-128-none -K "$k" -o new all
code 3 "unknown engine" cadenza cipher -c aria-128-ctr -K "$k" -iv $iv --engine aria/none -o new all
code 10 "over its input" cadenza cipher -c aria-128-ctr -K "$k" -iv $iv -o all all
absent new
no_leftovers

# tags: behind the ciphertext, in a file, on the command line
aad=feedfacedeadbeeffeedfacedeadbeefabaddad2 gk=feffe9928665731c6d6a8f9467308308 giv=cafebabefacedbaddecaf888
printf '%s' d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39 >plain.hex
printf '%b' "$(sed 's/../\\x&/g' plain.hex)" >plain
g() { cadenza cipher -c aes-128-gcm -K $gk -iv $giv --aad $aad "$@"; }
tag=5bc94fbc3221a5db94fae95ae7121a47 # the GCM specification's test case 4
code 0 "GCM" g -o sealed plain
check "60 bytes and the tag" [ "$(stat -c %s sealed)" = 76 ]
check "its tag" [ "$(tail -c 16 sealed | od -An -tx1 | tr -d ' \n')" = $tag ]
check "its beginning" [ "$(head -c 4 sealed | od -An -tx1 | tr -d ' \n')" = 42831ec2 ]
code 0 "GCM -d" g -d -o back sealed
same back plain
g -d <sealed | cmp -s - plain || bad "GCM -d through pipes"
code 0 "the tag in a file" g --tag-file tag -o sealed2 plain
check "its tag" [ "$(cat tag)" = $tag ]
head -c 60 sealed | cmp -s - sealed2 || bad "the ciphertext alone"
code 0 "the tag in a file" g -d --tag-file tag -o back2 sealed2
same back2 plain
code 0 "the tag on the command line" g -d --tag $tag -o back3 sealed2
same back3 plain
code 0 "a short tag" g --tag-length 12 -o sealed3 plain
check "60 bytes and 12" [ "$(stat -c %s sealed3)" = 72 ]
code 0 "a short tag" g -d --tag-length 12 -o back4 sealed3
same back4 plain
code 16 "a tag cut off must not do for a whole one" g -d --tag-length 12 -o new sealed
code 16 "a wrong tag" g -d --tag ${tag:2}00 -o new sealed2
code 16 "wrong associated data" cadenza cipher -d -c aes-128-gcm -K $gk -iv $giv --aad 00 -o new sealed
code 16 "a wrong tag, to a pipe" g -d --tag ${tag:2}00 sealed2 >handed.out
check "nothing was handed out" [ ! -s handed.out ]
code 17 "shorter than a tag" g -d -o new <(head -c 15 sealed)
code 4 "a tag of no length of its own" g -d --tag ${tag:2} --tag-length 16 -o new sealed2
code 4 "the tag over the output" g --tag-file new -o new plain
code 4 "the output over the tag" g -d --tag-file tag -o tag sealed2
code 4 "no such tag length" g --tag-length 3 -o new plain
code 4 "--tag when encrypting" g --tag $tag -o new plain
code 4 "a tag file that is none" g -d --tag-file plain -o new sealed2
code 6 "a tag file that is not there" g -d --tag-file none -o new sealed2
absent new
# larger than may be kept until it is verified: refused without a name, fine with one
if [ -z "${CDZ_EMULATOR:-}" ]; then
    head -c 70000000 /dev/zero | g >large
    code 5 "too much to keep" g -d large >handed.out
    check "nothing was handed out" [ ! -s handed.out ]
    code 0 "with a name" g -d -o back5 large
    check "all of it" [ "$(stat -c %s back5)" = 70000000 ]
    flip large 1000
    code 16 "damaged" g -d -o new large
    absent new
fi
# CMAC (SP 800-38B, example 2), GMAC as the tag of a GCM message without text, key wrap (RFC 3394, 4.1)
hex() { od -An -v -tx1 | tr -d ' \n'; }
printf '\153\301\276\342\056\100\237\226\351\075\176\021\163\223\027\052' >block1
c() { cadenza cipher -c aes-128-cmac -K 2b7e151628aed2a6abf7158809cf4f3c "$@"; }
check "CMAC" [ "$(c block1 | hex)" = 070a16b46b4d4144f79bdd9dd04a287c ]
code 0 "CMAC -d" c -d --tag 070a16b46b4d4144f79bdd9dd04a287c block1
code 16 "CMAC -d" c -d --tag 070a16b46b4d4144f79bdd9dd04a287d block1
code 4 "CMAC has no --aad" c --aad 00 -o new block1
check "GMAC" [ "$(cadenza cipher -c aes-128-gmac -K $gk -iv $giv block1 | hex)" = \
    "$(cadenza cipher -c aes-128-gcm -K $gk -iv $giv --aad "$(hex <block1)" /dev/null | hex)" ]
printf '\000\021\042\063\104\125\146\167\210\231\252\273\314\335\356\377' >secret
w() { cadenza cipher -c aes-128-kw -K 000102030405060708090a0b0c0d0e0f "$@"; }
check "KW" [ "$(w secret | hex)" = 1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5 ]
w secret | w -d | cmp -s - secret || bad "KW -d"
w secret >wrapped
flip wrapped 9
code 16 "KW -d, damaged" w -d -o new wrapped
code 5 "KW -d of 16 bytes" w -d -o new block1
code 5 "KW -d of 20 bytes" w -d -o new <(head -c 20 all)
for mode in siv gcm-siv ccm ocb eax; do # not in pieces, or with the lengths first
    n=12
    kk=$k
    [ $mode != siv ] || kk=$key
    m() { cadenza cipher -c aria-128-$mode -K "$kk" -iv "${iv:0:$((2 * n))}" --aad 0011 "$@"; }
    code 0 "$mode" m -o sealed4 all
    check "its length" [ "$(stat -c %s sealed4)" = 300016 ]
    code 0 "$mode -d" m -d -o back6 sealed4
    same back6 all "$mode"
    flip sealed4 100
    code 16 "$mode -d, damaged" m -d -o new sealed4
    absent new "$mode"
done
# XTS: the standard's second vector
check "IEEE 1619, vector 2" [ "$(printf '%032d' 0 | tr 0 D | cadenza cipher -c aes-128-xts -K 1111111111111111111111111111111122222222222222222222222222222222 \
    -iv 33333333330000000000000000000000 | od -An -tx1 | tr -d ' \n')" = c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0 ]
# engines by name give the same
for engine in $(cadenza cpu | sed -nE 's/^ +(aria[^ ]*) +(used|usable) .*/\1/p'); do
    cadenza cipher -c aria-128-cbc -K "$k" -iv $iv --engine "$engine" all | openssl enc -d -aria-128-cbc -K "$k" -iv $iv | cmp -s - all ||
        bad "$engine"
done
no_leftovers
done_testing
