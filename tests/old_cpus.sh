#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The x86-64 engines on CPUs that have just what they need (qemu-user): an instruction too many is a SIGILL there. For each model,
# the engines' tests, what is left in registers (on two), and which engines ran: those of the list and no others.
#
#   old_cpus.sh BINDIR        test_engines, test_residue and cadenza are there
set -euo pipefail
bin=$1
qemu=$(command -v qemu-x86_64) || { echo "SKIPPED: qemu-x86_64 is not installed"; exit 77; }
unset CADENZA_CPU
export CDZ_TEST_QUICK=1
bad=0

run() { # MODEL PROGRAM, output into $log
    "$qemu" -cpu "$1" "$bin/tests/$2" >"$log" 2>&1 || { echo "$1: $2 failed:"; grep -vE '^\[ +(OK|RUN) ' "$log" | tail -20; return 1; }
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
while read -r model programs engines; do
    for program in ${programs//,/ }; do
        run "$model" "$program" || { bad=1; continue; }
        ran=$(sed -nE 's/^engine +([a-z0-9/-]+) +[0-9]+ calls$/\1/p' "$log" | sort -u | paste -sd' ')
        expected=$(printf '%s\n' $engines aes/portable aria/portable ghash/portable | sort -u | paste -sd' ')
        if [ "$ran" != "$expected" ]; then
            echo "$model: $program ran '$ran', not '$expected'"
            bad=1
        fi
    done
    "$qemu" -cpu "$model" "$bin/cadenza" selftest >"$log" 2>&1 || { echo "$model: cadenza selftest failed:"; tail -5 "$log"; bad=1; }
    echo "$model: ${engines:-portable engines alone}"
done <<'END'
qemu64      test_engines
Nehalem     test_engines,test_residue aria/vperm-ssse3 aes/vperm-ssse3
Westmere    test_engines              aria/vperm-ssse3 aes/vperm-ssse3 aes/aesni ghash/pclmul
SandyBridge test_engines,test_residue aria/vperm-ssse3 aes/vperm-ssse3 aes/aesni ghash/pclmul aria/aesni-avx
Haswell     test_engines              aria/vperm-ssse3 aes/vperm-ssse3 aes/aesni ghash/pclmul aria/aesni-avx aria/aesni-avx2 aes/vperm-avx2
END
exit $bad
