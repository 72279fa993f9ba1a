#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a prefix, MOVES it, and there builds a consumer by pkg-config (shared and static) and by find_package.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
RUN=${CDZ_EMULATOR:-}

cmake --install "$CDZ_BUILD_DIR" --prefix "$dir/first" >"$dir/log" || { cat "$dir/log"; exit 1; }
mv "$dir/first" "$dir/prefix"
prefix=$dir/prefix
pc=$(dirname "$(find "$prefix" -name cadenza.pc)")
lib=$(dirname "$(find "$prefix" -name libcadenza.so)")
[ -f "$prefix/include/cadenza.h" ] || { echo "no header installed"; exit 1; }
[ "$(readlink "$lib/libcadenza.so")" = libcadenza.so.0 ] || { echo "libcadenza.so does not lead to libcadenza.so.0"; exit 1; }
grep -rlF -e "$dir/first" -e "$CDZ_BUILD_DIR" "$prefix" --include='*.pc' --include='*.cmake' --include='*.h' &&
    { echo "the files above name a directory of the build"; exit 1; }

export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=$lib
version=$(sed -n 's/^#define CDZ_VERSION_[A-Z]* *\([0-9]*\)/\1/p' "$prefix/include/cadenza.h" | paste -sd.)
[ "$(pkg-config --modversion cadenza)" = "$version" ] || { echo "cadenza.pc and cadenza.h differ in version"; exit 1; }

# shellcheck disable=SC2206 # words of CDZ_CFLAGS are options
flags=(-std=c99 -pedantic -Wall -Wextra -Werror ${CDZ_CFLAGS:-})
# shellcheck disable=SC2046
"$CC" "${flags[@]}" "$CDZ_SOURCE_DIR/tests/consumer/main.c" -o "$dir/shared" $(pkg-config --cflags --libs cadenza)
# shellcheck disable=SC2046
"$CC" "${flags[@]}" "$CDZ_SOURCE_DIR/tests/consumer/main.c" -o "$dir/static" $(pkg-config --cflags cadenza) "$lib/libcadenza.a"
$RUN "$dir/shared"
$RUN "$dir/static"

cmake -S "$CDZ_SOURCE_DIR/tests/consumer" -B "$dir/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="${CDZ_CFLAGS:-}" >"$dir/log" || { cat "$dir/log"; exit 1; }
cmake --build "$dir/consumer" >"$dir/log" || { cat "$dir/log"; exit 1; }
$RUN "$dir/consumer/by-cadenza"
$RUN "$dir/consumer/by-static"
