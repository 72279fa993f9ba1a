#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# test_lifetime as it is, under valgrind, and linked with the static libcrypto.a: no leak, no invalid access, no crash at exit.
#
#   lifetime.sh MODULES_DIR WORK_DIR PROGRAM SOURCE quick|long
set -euo pipefail
modules=$1 work=$2 program=$3 source=$4 size=$5
# shellcheck source=tests/provider/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export OPENSSL_MODULES=$modules OPENSSL_CONF=$work/with.cnf
config with.cnf aria
ran="" skipped=""

if [ "$size" = quick ]; then
    for what in threads fork "load 200" exit; do
        "$program" $what
    done
    ran="$ran dynamic"
    # A libcrypto of the program's own, as Node has one: the module must work with it and neither need nor disturb another.
    if "${CC:-cc}" -O2 -o static "$source" -Wl,-Bstatic -lcrypto -Wl,-Bdynamic -ldl -pthread 2>static.log; then
        if ldd static | grep -q libcrypto; then echo "FAILED: libcrypto is not static"; exit 1; fi
        for what in threads fork "load 200" exit; do
            ./static $what
        done
        ran="$ran static"
    else
        skipped="$skipped; no static libcrypto.a to link with"
    fi
fi

if command -v valgrind >/dev/null && valgrind -q true 2>/dev/null; then # it needs libc6-dbg
    times=1000
    [ "$size" = long ] || times=20
    for what in "load $times" fork exit; do
        # Lost memory is a leak, and only an invalid access is a fault of "exit", which leaves a context behind on purpose.
        leaks=full
        [ "$what" != exit ] || leaks=no
        # shellcheck disable=SC2086 # words
        if ! valgrind -q --error-exitcode=9 --leak-check=$leaks --errors-for-leak-kinds=definite,indirect \
            --show-leak-kinds=definite,indirect "$program" $what >valgrind.log 2>&1; then
            echo "FAILED under valgrind: $what"
            tail -40 valgrind.log
            exit 1
        fi
    done
    ran="$ran valgrind($times)"
else
    skipped="$skipped; no valgrind"
    [ "$size" = quick ] || { echo "SKIP lifetime: no valgrind"; exit 77; }
fi
echo "lifetime: right:$ran"
[ -z "$skipped" ] || echo "SKIP lifetime: in part${skipped}"
