#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The shared library shows exactly the functions that cadenza.h declares: no more, no fewer; and has its SONAME.
set -euo pipefail
lib=$CDZ_BUILD_DIR/libcadenza.so
header=$CDZ_SOURCE_DIR/include/cadenza.h
NM=${NM:-nm} READELF=${READELF:-readelf}

# Names of functions: what stands before a parenthesis in the preprocessed header, its own lines only.
declared=$("$CC" ${CFLAGS:-} -E "$header" | awk -v h="$header" '/^# /{own = index($0, h) > 0; next} own' | tr '\n' ' ' |
    grep -oE '\<cdz_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u)
shown=$("$NM" -D --defined-only "$lib" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u)
[ -n "$declared" ] || { echo "no declaration found in $header"; exit 1; }
if ! diff <(echo "$declared") <(echo "$shown") >/dev/null; then
    echo "cadenza.h (<) and libcadenza.so (>) differ:"
    diff <(echo "$declared") <(echo "$shown") || true
    exit 1
fi
soname=$("$READELF" -d "$lib" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = libcadenza.so.0 ] || { echo "SONAME is '$soname'"; exit 1; }
# The library stands on libc alone.
needed=$("$READELF" -d "$lib" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(libc\.so|ld-linux|ld64|lib[a-z]*san)' || true)
[ -z "$needed" ] || { echo "the library needs $needed"; exit 1; }
echo "$(echo "$shown" | wc -l) functions, SONAME $soname"
