#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ./check.sh [--all | --riscv | CTEST OPTIONS]: builds into build/ and runs the tests.
#
# Installs what build and tests need where it is missing (Debian and its relatives, by apt). Says at the end what could
# not be run here, by name: skipped is not passed. Without options all but the long tests are run, with --all those too;
# with --riscv the RISC-V engines, cross-built, under qemu-user (scripts/riscv-check), and nothing else. Other options go
# to ctest: ./check.sh -R cpu, ./check.sh -L quick.
set -euo pipefail
# shellcheck source=scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

case ${1:-} in -h | --help) sed -n '4,9s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

if [ "${1:-}" = --riscv ]; then
    shift
    exec "$cdz_root/scripts/riscv-check" "$@"
fi

require_build
# cmocka: the unit tests; libcrypto and the openssl command: another implementation to compare with; cjson: test vectors
# in JSON; g++: the header as C++.
require pc:cmocka=libcmocka-dev pc:libcrypto=libssl-dev cmd:openssl=openssl pc:libcjson=libcjson-dev cmd:g++=g++
step "building"
build default
step "testing"
case ${1:-} in
'')
    result=0
    run_tests default -LE long || result=$?
    long=$(ctest --test-dir "$cdz_root/build" -N -L long | sed -nE 's/^ *Test +#[0-9]+: //p' | paste -sd' ')
    [ -z "$long" ] || say "long tests, which ./check.sh --all runs: $long"
    exit "$result"
    ;;
--all) run_tests default ;;
*) run_tests default "$@" ;;
esac
