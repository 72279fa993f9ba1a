#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Detection on whole RISC-V CPUs (qemu-user): what cadenza cpu says of each one's features, and which engines it takes. Nothing but
# the CPU is given: a name that says what to leave out would hide what detection gets wrong. What the emulator cannot be (no
# hwprobe, draft 0.7 of V, keys unknown to a kernel) is in tests/test_cpu.c, as facts.
#
# CDZ_BUILD_DIR: cadenza is there. CDZ_EMULATOR: qemu-riscv64 and its options.
set -euo pipefail
: "${CDZ_BUILD_DIR:?} ${CDZ_EMULATOR:?}"
unset CADENZA_CPU QEMU_CPU
bad=0 n=0
while IFS='|' read -r cpu features engines; do
    n=$((n + 1))
    # shellcheck disable=SC2086 # a command and its options
    if ! said=$($CDZ_EMULATOR -cpu "$cpu" "$CDZ_BUILD_DIR/cadenza" cpu 2>/dev/null </dev/null); then
        printf '%s: cadenza cpu failed\n' "$cpu"
        bad=1
        continue
    fi
    got=$(sed -n 's/^features: //p' <<<"$said")'|'$(sed -nE 's/^  ([a-z0-9/-]+) +used .*/\1/p' <<<"$said" | paste -sd' ')
    if [ "$got" != "$features|$engines" ]; then
        printf '%s:\n  expected %s\n  got      %s\n' "$cpu" "$features|$engines" "$got"
        bad=1
    fi
done <<'END'
rv64|zbb zbc vperm sliced|aria/portable aes/portable ghash/zbc
rv64,zbc=false|zbb vperm sliced|aria/portable aes/portable ghash/portable
rv64,zbb=false|zbc vperm sliced|aria/portable aes/portable ghash/portable
rv64,zbb=false,zbc=false|vperm sliced|aria/portable aes/portable ghash/portable
rv64,zve64d=true,vlen=256|zbb zbc vperm sliced|aria/portable aes/portable ghash/zbc
rv64,zve64d=true,vlen=256,zvkned=true,zvkb=true,zvbc=true,zvkg=true|zbb zbc vperm sliced|aria/portable aes/portable ghash/zbc
rv64,v=true,vlen=128|rvv gather zbb zbc vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv128 ghash/zbc
rv64,v=true,vlen=256|rvv vlen256 gather zbb zbc vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv256 ghash/zbc
rv64,v=true,vlen=512|rvv vlen256 zbb zbc vperm sliced|aria/sliced-rvv aes/sliced-rvv ghash/zbc
rv64,v=true,vlen=1024|rvv vlen256 zbb zbc vperm sliced|aria/sliced-rvv aes/sliced-rvv ghash/zbc
rv64,v=true,vlen=256,zbb=false,zbc=false|rvv vlen256 gather vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv256 ghash/portable
rv64,v=true,vlen=256,zvkned=true|rvv vlen256 gather zbb zbc zvkned vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv256 ghash/zbc
rv64,v=true,vlen=256,zvkned=true,zvkb=true|rvv vlen256 gather zbb zbc zvkb zvkned vperm sliced|aria/sliced-rvv aes/zvkned ghash/zbc
rv64,v=true,vlen=128,zvkned=true,zvkb=true,zvkg=true,zvbc=true|rvv gather zbb zbc zvkb zvbc zvkg zvkned vperm sliced|aria/sliced-rvv aes/zvkned ghash/zvkg
rv64,v=true,vlen=1024,zvkned=true,zvkb=true,zvbc=true,zbb=false,zbc=false|rvv vlen256 zvkb zvbc zvkned vperm sliced|aria/sliced-rvv aes/zvkned ghash/zvbc
rv64,v=true,vlen=512,zvbb=true,zvkg=true,zvkt=true|rvv vlen256 zbb zbc zvkb zvkg zvkt vperm sliced|aria/sliced-rvv aes/sliced-rvv ghash/zvkg
rv64,v=true,vlen=256,zvbc=true,zbc=false|rvv vlen256 gather zbb zvbc vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv256 ghash/portable
rv64,v=true,vlen=128,zvknhb=true,zvksed=true,zvksh=true|rvv gather zbb zbc vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv128 ghash/zbc
rva22u64|zbb vperm sliced|aria/portable aes/portable ghash/portable
rva23u64|rvv gather zbb zvkb zvkt vperm sliced|aria/sliced-rvv aes/sliced-vperm-rvv128 ghash/portable
sifive-u54|vperm sliced|aria/portable aes/portable ghash/portable
thead-c906|vperm sliced|aria/portable aes/portable ghash/portable
xiangshan-nanhu|zbb zbc vperm sliced|aria/portable aes/portable ghash/zbc
tt-ascalon|rvv vlen256 gather zbb zvkb zvbc zvkg zvkned zvkt vperm sliced|aria/sliced-rvv aes/zvkned ghash/zvkg
END
echo "$n CPUs, cadenza cpu: features and engines $([ $bad = 0 ] && echo as expected || echo WRONG)"
exit $bad
