#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A toolchain whose assembler is older than its compiler: with an `as` that refuses GFNI, VAES and VPCLMULQDQ, their engines are
# left out by name, the rest builds, and known answers come out right on what is left.
set -euo pipefail
skip() {
    echo "SKIP: $*"
    exit 77
}
"$CC" --version | grep -qi 'free software foundation' || skip "$CC is not gcc, which alone calls an assembler that can be replaced"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
real=$("$CC" -print-prog-name=as)
cat >"$dir/bin/as" <<END
#!/bin/sh
# The last argument is the file, which gcc has written before; instructions of the younger extensions are unknown.
for file; do :; done
if grep -qE '^[[:space:]]*v?(gf2p8|pclmul[a-z]*[[:space:]].*%[yz]mm|aes(enc|dec)[a-z]*[[:space:]].*%[yz]mm)' "\$file"; then
    echo "\$file: Error: no such instruction" >&2
    exit 1
fi
exec $real "\$@"
END
chmod +x "$dir/bin/as"

cmake -S "$CDZ_SOURCE_DIR" -B "$dir/build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-B$dir/bin" -DCDZ_BENCH=OFF -DCDZ_PROVIDER=OFF \
    -DCDZ_ARGON2=OFF >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; exit 1; }
left_out=$(grep '^-- Left out' "$dir/log") || { echo "nothing was left out"; exit 1; }
echo "$left_out"
for file in "$CDZ_SOURCE_DIR"/src/x86/*_{gfni,vaes,vpclmul}_*.c; do
    [ -e "$file" ] || continue
    stem=$(basename "$file" .c)
    [[ $left_out =~ [\ ]$stem(,|$) ]] || { echo "$stem was not left out"; exit 1; }
done
cmake --build "$dir/build" --parallel 2 --target cadenza_cli >"$dir/log" 2>&1 || { grep -E 'rror' "$dir/log" | head -n 20; exit 1; }
engines=$("$dir/build/cadenza" cpu)
! grep -qE '/(gfni|vaes|vpclmul)' <<<"$engines" || { echo "left-out engines are in the list:"; echo "$engines"; exit 1; }
for want in aria/portable aes/portable aes/aesni; do
    grep -q "$want" <<<"$engines" || { echo "$want is missing as well"; exit 1; }
done
"$dir/build/cadenza" selftest | tail -n 3

# None of the libraries that the tests and options want: what is left configures.
PKG_CONFIG_LIBDIR=$dir/none cmake -S "$CDZ_SOURCE_DIR" -B "$dir/bare" -DCMAKE_C_COMPILER="$CC" >"$dir/log" 2>&1 || { tail -n 30 "$dir/log"; exit 1; }
echo "configures without libraries"

# Link-time optimization finds what only assembly uses. (Distributions build packages with it.)
"$CC" -std=c11 -D_GNU_SOURCE -O2 -flto -fPIC -shared -Wl,-z,defs -I"$CDZ_SOURCE_DIR/include" -I"$CDZ_SOURCE_DIR/src" \
    "$CDZ_SOURCE_DIR"/src/x86/clear_x86.c "$CDZ_SOURCE_DIR"/src/x86/cpu_x86.c "$CDZ_SOURCE_DIR"/src/cpu.c -o "$dir/lto.so"
echo "links with -flto"
