# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What quickstart.sh, check.sh and .ci/run share: installing what is missing, building quietly. To be sourced.

cdz_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cdz_jobs=${CDZ_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

say() { printf '%s\n' "$*"; }
step() { printf '== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# quietly LOG COMMAND...: output to LOG, and what matters of it on the terminal where the command fails.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if ! "$@" >"$log" 2>&1 </dev/null; then
        grep -aE -A4 '(error|warning|undefined reference|CMake Error|^E: )' "$log" | head -n 60 >&2 || tail -n 60 "$log" >&2
        printf 'error: failed: %s\n       all of its output: %s\n' "$*" "$log" >&2
        return 1
    fi
}

# Root's rights for the installation: asked for once, visibly, before output goes to a file.
get_root() {
    [ "$(id -u)" != 0 ] || return 0
    command -v sudo >/dev/null ||
        die "installing needs root, and there is no sudo. As root: apt-get install --no-install-recommends $*"
    sudo -v || die "sudo refused. As root: apt-get install --no-install-recommends $*"
}
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Is a requirement there? cmd:PROGRAM, pc:PKG-CONFIG MODULE, inc:HEADER, cc (any C compiler), file:PATH.
have() {
    case $1 in
    cc) command -v "${CC:-cc}" >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null ;;
    cmd:*) command -v "${1#cmd:}" >/dev/null ;;
    pc:*) command -v pkg-config >/dev/null && pkg-config --exists "${1#pc:}" ;;
    inc:*) printf '#include <%s>\n' "${1#inc:}" | "$(c_compiler)" -E - >/dev/null 2>&1 ;;
    file:*) [ -e "${1#file:}" ] ;;
    *) die "unknown kind of requirement: $1" ;;
    esac
}
c_compiler() {
    local c
    for c in "${CC:-}" cc gcc clang; do
        if [ -n "$c" ] && command -v "$c"; then return; fi
    done
    echo cc
}

# require REQUIREMENT=DEBIAN-PACKAGE ...: installs by apt what is missing, and says what is missing where there is no apt.
require() {
    local pair missing=() packages=()
    for pair in "$@"; do
        if ! have "${pair%%=*}"; then
            missing+=("${pair%%=*}")
            packages+=("${pair#*=}")
        fi
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        printf 'error: missing here: %s\n' "${missing[*]}" >&2
        printf '       There is no apt-get on this system, so please install them by its own means (cmd: a program,\n' >&2
        printf '       pc: a library with its pkg-config file, inc: a header). On Debian the packages are:\n' >&2
        printf '       %s\n' "${packages[*]}" >&2
        exit 1
    fi
    step "installing ${packages[*]}"
    get_root "${packages[@]}"
    local log=$cdz_root/build/log
    mkdir -p "$log"
    # One list that cannot be had is no matter as long as the packages can: so it is the installation that decides.
    as_root apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 update >"$log/apt-update" 2>&1 || true
    quietly "$log/apt-install" as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -y \
        --no-install-recommends install "${packages[@]}"
    for pair in "$@"; do
        have "${pair%%=*}" || die "${pair#*=} is installed, but ${pair%%=*} is still missing"
    done
}

# draw_seed: a number by which a run draws what it checks besides the rest: the commit's, so that a run can be repeated and
# the next commit draws anew; without git, the day's. CDZ_DRAW in the environment is one's own.
draw_seed() {
    local commit
    if [ -n "${CDZ_DRAW:-}" ]; then
        echo "$CDZ_DRAW"
    elif commit=$(git -C "$cdz_root" rev-parse --verify --quiet HEAD 2>/dev/null); then
        echo $((16#${commit:0:12}))
    else
        echo $(($(date +%s) / 86400))
    fi
}

# What every build needs, and what the passphrases of the command need.
require_build() {
    require cc=gcc cmd:make=make cmd:cmake=cmake cmd:pkg-config=pkg-config
    require inc:stdio.h=libc6-dev pc:libargon2=libargon2-dev pc:libcrypto=libssl-dev
}

# build PRESET: configures where needed, and builds what has changed.
build() {
    local dir=$cdz_root/build
    [ "$1" = default ] || dir=$cdz_root/build-$1
    mkdir -p "$dir/log"
    (cd "$cdz_root" && quietly "$dir/log/configure" cmake --preset "$1") || return 1
    quietly "$dir/log/build" cmake --build "$dir" --parallel "$cdz_jobs" || return 1
    grep -h '^-- Left out' "$dir/log/configure" || true
}

# run_tests PRESET [CTEST OPTIONS]: runs the tests of a build and names those that were skipped, whole programs and single
# cases. Counts in cdz_passed, cdz_failed, cdz_skipped; its result is that of ctest.
run_tests() {
    local dir=$cdz_root/build log result=0
    [ "$1" = default ] || dir=$cdz_root/build-$1
    shift
    log=$dir/log/ctest
    ctest --test-dir "$dir" --parallel "$cdz_jobs" --output-on-failure --no-tests=error "$@" >"$log" 2>&1 </dev/null || result=$?
    # Passed tests are one line each; of the rest all is shown.
    grep -vE '^(Internal ctest changing|Test project|    Start +[0-9]+:)|^$' "$log" || true
    # shellcheck disable=SC2034 # for .ci/run
    cdz_skipped=$(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*Skipped' "$log" || true)
    # shellcheck disable=SC2034
    cdz_passed=$(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed ' "$log" || true)
    cdz_failed=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of.*/\1/p' "$log")
    cdz_failed=${cdz_failed:-1}
    local cases
    cases=$(sed -nE 's/^\[  SKIPPED \] ([A-Za-z_].*)$/\1/p; s/^(SKIP.*)$/\1/p; s/^engine ([a-z0-9\/-]+) +SKIPPED: (.*)$/\1: \2/p' "$dir/Testing/Temporary/LastTest.log" 2>/dev/null |
        grep -vE '^[0-9]+ test' | sort | uniq || true)
    if [ "$cdz_skipped" != 0 ] || [ -n "$cases" ]; then
        say "skipped, not passed:"
        sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .*\*\*\*Skipped.*/  \1/p' "$log"
        [ -z "$cases" ] || printf '%s\n' "$cases" | sed 's/^/    /'
    else
        say "nothing was skipped"
    fi
    return "$result"
}
