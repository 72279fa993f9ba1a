# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the command's tests share. To be sourced: makes a directory of its own the current one, and removes it at the end.
set -u
: "${CDZ_SOURCE_DIR:?}" "${CDZ_BUILD_DIR:?}"
unset CADENZA_CPU
read -ra cdz_run <<<"${CDZ_EMULATOR:-}"
cdz_run+=("$CDZ_BUILD_DIR/cadenza")
failures=0 checks=0
work=$(mktemp -d "${TMPDIR:-/tmp}/cadenza-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cadenza() { "${cdz_run[@]}" "$@"; }

bad() {
    printf 'FAILED: %s\n' "$*"
    [ ! -s err ] || sed 's/^/    stderr: /' err
    failures=$((failures + 1))
}
# check WHAT COMMAND...: the command must succeed.
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || bad "$what"
}
# code N WHAT COMMAND...: the command must end with N. Its stderr is in the file err, and where N is not 0 it must say
# something there, as cadenza.
code() {
    local want=$1 what=$2 got=0
    shift 2
    checks=$((checks + 1))
    "$@" 2>err || got=$?
    if [ "$got" != "$want" ]; then
        bad "$what: exit code $got, expected $want"
    elif [ "$want" != 0 ] && [ "$want" -lt 126 ] && ! grep -q '^cadenza: ' err; then
        bad "$what: no sentence"
    fi
}
# said TEXT WHAT: the last command's stderr has the text.
said() {
    checks=$((checks + 1))
    grep -qF -- "$1" err || bad "${2:-}: '$1' was not said"
}
# flip FILE OFFSET: another byte there than was. (A given one would be the one that is there, once in 256 random messages.)
flip() {
    local byte
    byte=$(od -An -v -tu1 -j "$2" -N 1 "$1")
    # shellcheck disable=SC2059 # an octal escape
    printf "\\$(printf %o $((byte ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || bad "$1 and $2 differ${3:+: $3}"
}
absent() {
    checks=$((checks + 1))
    [ ! -e "$1" ] && [ ! -L "$1" ] || bad "$1 is there${2:+: $2}"
}
no_leftovers() {
    checks=$((checks + 1))
    local left
    left=$(find . -name '.cadenza-*')
    [ -z "$left" ] || bad "left over: $left ${1:-}"
}
done_testing() {
    echo "$checks checks, $failures failures"
    [ "$checks" -gt 0 ] && [ "$failures" = 0 ]
    exit
}
skip() {
    echo "SKIP: $*"
    exit 77
}
