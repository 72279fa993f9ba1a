#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The provider under the newest OpenSSL 3 that Debian has (sid), which is unpacked into a folder with its C library and not
# installed: the comparison with its default provider call by call, TLS in memory, the life in a process, and its openssl
# command against this system's.
#
#   sid.sh MODULES_DIR WORK_DIR TESTS_DIR       where to get it: apt's own mirror; SUITE (default: sid)
set -euo pipefail
modules=$1 work=$2 tests=$3 suite=${SUITE:-sid}
# shellcheck source=tests/provider/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
skip() { echo "SKIP sid: $1"; exit 77; }
for tool in apt-get dpkg-deb dpkg; do command -v $tool >/dev/null || skip "no $tool"; done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $keyring ] || skip "no $keyring"
mkdir -p "$work"
cd "$work"
work=$PWD
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)
lib=$work/root/usr/lib/$multiarch
if [ ! -e "$work/unpacked" ]; then
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | grep -m1 'debian/*$' ||
        sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*debian\)\/\? .*/\2/p' /etc/apt/sources.list 2>/dev/null | head -n1)
    [ -n "$mirror" ] || skip "no Debian mirror in apt's sources"
    rm -rf apt root
    mkdir -p apt/lists/partial apt/archives/partial root
    : >apt/status
    printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$suite" >apt/sources.list
    # Everything in this folder: the system's lists, preferences and state are neither read nor changed.
    apt=(apt-get -qq -o "Dir::Etc::SourceList=$work/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::Preferences=/dev/null
        -o Dir::Etc::PreferencesParts=/dev/null -o "Dir::State::Lists=$work/apt/lists" -o "Dir::State::status=$work/apt/status"
        -o "Dir::Cache=$work/apt" -o "Dir::Cache::archives=$work/apt/archives" -o APT::Sandbox::User=root -o Debug::NoLocking=1
        -o Acquire::Retries=2)
    "${apt[@]}" update >apt.log 2>&1 || skip "no package lists of $suite: $(tail -n1 apt.log)"
    (cd apt/archives && "${apt[@]}" download libc6 libssl3t64 openssl libzstd1 zlib1g) >>apt.log 2>&1 || skip "no packages of $suite: $(tail -n1 apt.log)"
    for deb in apt/archives/*.deb; do dpkg-deb -x "$deb" root; done
    rm -rf apt
    : >unpacked
fi
loader=$(find "$work/root" -name 'ld-linux-*.so.*' -o -name 'ld64.so.*' | head -n1)
[ -n "$loader" ] || { echo "FAILED: no dynamic loader among the packages"; exit 1; }
# Its own libraries first; cmocka and the like are this system's.
under() { "$loader" --library-path "$lib:/usr/lib/$multiarch:/lib/$multiarch" "$@"; }
export OPENSSL_MODULES=$modules
unset OPENSSL_CONF
config with.cnf aria,aes
no_config without.cnf

version=$(OPENSSL_CONF=without.cnf under "$work/root/usr/bin/openssl" version)
case $version in "$(OPENSSL_CONF=without.cnf openssl version)") echo "FAILED: it is this system's own: $version"; exit 1 ;; esac
echo "$version"
for program in test_provider test_records; do
    [ -x "$tests/$program" ] || skip "no $program: built without cmocka"
    under "$tests/$program" >$program.log 2>&1 || { echo "FAILED: $program"; grep -vE '^\[ +(RUN|OK) ' $program.log | tail -40; exit 1; }
    grep -q "^${version%% (*}" $program.log || { echo "FAILED: $program ran with another libcrypto: $(sed -n 2p $program.log)"; exit 1; }
    tail -n1 $program.log
done
for what in threads fork "load 100" exit; do
    # shellcheck disable=SC2086 # words
    OPENSSL_CONF=with.cnf under "$tests/test_lifetime" $what
done
OPENSSL_CONF=with.cnf under "$work/root/usr/bin/openssl" list -cipher-algorithms >listed
for name in ARIA-256-GCM ARIA-256-CBC AES-256-GCM-SIV AES-128-OCB; do
    grep -q "$name.* @ cadenza" listed || { echo "FAILED: $name is not served by cadenza"; exit 1; }
done
head -c 100000 /dev/urandom >data
for mode in cbc ctr cfb ofb; do
    key=(-K 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f -iv f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff)
    OPENSSL_CONF=with.cnf under "$work/root/usr/bin/openssl" enc -aria-256-$mode "${key[@]}" -in data -out a
    OPENSSL_CONF=without.cnf openssl enc -aria-256-$mode "${key[@]}" -in data -out b
    cmp a b || { echo "FAILED: enc aria-256-$mode"; exit 1; }
done
echo "sid: right with $version"
