#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a prefix, MOVES it, and there builds a consumer by pkg-config (shared and static) and by find_package; OpenSSL loads the
# provider by the configuration that is installed.
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
for page in "$CDZ_SOURCE_DIR"/docs/man/*; do
    [ "$(find "$prefix" -path "*/man${page##*.}/$(basename "$page")" | wc -l)" = 1 ] || { echo "$(basename "$page") is not installed"; exit 1; }
done
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

if [ -e "$CDZ_BUILD_DIR/ossl-modules/cadenza.so" ]; then
    module=$lib/ossl-modules/cadenza.so config=$prefix/share/cadenza/cadenza.cnf
    for file in "$module" "$config"; do [ -f "$file" ] || { echo "$file is not installed"; exit 1; }; done
    if command -v openssl >/dev/null; then
        printf 'openssl_conf = openssl_init\n.include %s\n' "$config" >"$dir/cnf"
        OPENSSL_MODULES=${module%/*} OPENSSL_CONF=$dir/cnf openssl list -cipher-algorithms >"$dir/log"
        grep -q 'ARIA-256-GCM } @ cadenza' "$dir/log" || { echo "OpenSSL does not load $module by $config"; exit 1; }
    fi
else
    echo "the provider is not in this build: not looked for"
fi
