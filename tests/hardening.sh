#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# tests/hardening.sh FILE ...: the shared objects and programs that are installed are hardened: what the loader has relocated is read-only
# (RELRO, and all of it bound at the start), no stack and no writable memory can be executed, programs are position-independent, stack
# protectors and fortified calls are there; every file was compiled with the flags of cmake/Harden.cmake that the compiler knows, and
# on x86-64 every object has its marks for CET (IBT, SHSTK; whether what is linked has them is up to the C library's own objects, and
# Debian 12's have not). Proves itself first, on an object that has none of it.
set -euo pipefail
READELF=${READELF:-readelf}
cache=$CDZ_BUILD_DIR/CMakeCache.txt
cached() { sed -n "s/^$1:[A-Z]*=//p" "$cache"; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
[ "$(cached CDZ_HARDEN)" = ON ] || { echo "SKIP: built with CDZ_HARDEN=OFF"; exit 77; }
optimised=yes
if [ "$(cached CMAKE_BUILD_TYPE)" = Debug ] || [ -n "$(cached CDZ_SANITIZE)" ]; then optimised=; fi

# Prints what a file lacks.
lacks() {
    local file=$1 header segments dynamic symbols
    header=$("$READELF" -hW "$file") segments=$("$READELF" -lW "$file") dynamic=$("$READELF" -dW "$file")
    symbols=$("$READELF" --dyn-syms -W "$file")
    grep -q 'GNU_RELRO' <<<"$segments" || echo "RELRO"
    grep -qE '\((FLAGS|FLAGS_1)\).*(BIND_NOW|NOW)' <<<"$dynamic" || echo "binding at the start"
    grep -E '^ *GNU_STACK' <<<"$segments" | grep -qE ' RW +0x' || echo "a stack that cannot be executed"
    if grep -E '^ *LOAD' <<<"$segments" | grep -qE ' RWE +0x'; then echo "memory that is either writable or executable"; fi
    if grep -q TEXTREL <<<"$dynamic"; then echo "code without relocations"; fi
    grep -qE 'Type: +DYN' <<<"$header" || echo "a position-independent program"
    grep -q '__stack_chk_fail' <<<"$symbols" || echo "stack protectors"
    if [ -n "$optimised" ]; then grep -qE ' __[a-z]+_chk(@|$| )' <<<"$symbols" || echo "fortified calls"; fi
}

cat >"$dir/bare.c" <<'END'
#include <string.h>
int bare(const char *s) { char text[40]; strcpy(text, s); return text[3]; }
END
"$CC" -O2 -shared -fPIC -fno-stack-protector -U_FORTIFY_SOURCE -Wl,-z,norelro -Wl,-z,lazy -Wl,-z,execstack "$dir/bare.c" -o "$dir/bare.so"
want=4
[ -z "$optimised" ] || want=5
if [ "$(lacks "$dir/bare.so" | wc -l)" -lt $want ]; then
    echo "a bare object does not show: it lacks no more than"
    lacks "$dir/bare.so"
    exit 1
fi

bad=0
for file in "$@"; do
    [ -n "$file" ] || continue # not in this build
    missing=$(lacks "$file")
    [ -z "$missing" ] || { printf '%s has not:\n%s\n' "$file" "$missing"; bad=1; }
done

# The flags, file by file.
commands=$CDZ_BUILD_DIR/compile_commands.json
flags=()
for flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard; do
    if [ "$(cached "CDZ_HAS$(tr -c 'A-Za-z0-9\n' _ <<<"$flag")")" = 1 ]; then flags+=("$flag"); fi
done
[ -z "$optimised" ] || flags+=(-D_FORTIFY_SOURCE=2)
files=0
while IFS= read -r command; do
    files=$((files + 1))
    for flag in "${flags[@]}"; do
        case " $command " in
        *" $flag "*) ;;
        *)
            echo "compiled without $flag: ${command##* -c }"
            bad=1
            ;;
        esac
    done
done < <(sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$commands" | grep -E " -c $CDZ_SOURCE_DIR/(src|cli|provider)/")
objects=0
if [ "$(cached CDZ_HAS_fcf_protection_full)" = 1 ] && "$READELF" -h "$1" | grep -q 'Machine:.*X86-64'; then
    while IFS= read -r object; do
        objects=$((objects + 1))
        "$READELF" -nW "$object" 2>/dev/null | grep -q 'IBT, SHSTK' || { echo "no marks for CET: $object"; bad=1; }
    done < <(find "$CDZ_BUILD_DIR/CMakeFiles/cadenza_objects.dir" "$CDZ_BUILD_DIR/cli" "$CDZ_BUILD_DIR/provider" -name '*.o' 2>/dev/null)
    [ $objects -ge 20 ] || { echo "only $objects objects found"; bad=1; }
fi
[ $files -ge 20 ] || { echo "only $files commands found in $commands"; bad=1; }
[ ${#flags[@]} -ge 2 ] || { echo "the compiler knows hardly a flag of cmake/Harden.cmake: ${flags[*]}"; bad=1; }
[ $bad != 0 ] || echo "$# files, $files compilations, $objects objects with marks for CET, flags: ${flags[*]}"
exit $bad
