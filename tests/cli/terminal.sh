#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Passphrases typed at a terminal, binary data that must not go to one, the progress line.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cadenza keygen -o key || exit 1
head -c 1000 /dev/urandom >data
printf 'some text\nin two lines, \303\244\303\266\303\274\n' >text
# play WORDS... -- ARGUMENTS...: cadenza with a user at the terminal; what it ended with is in $end.
play() {
    local words=()
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    checks=$((checks + 1))
    : >err
    if ! "${pty_run[@]}" "${words[@]}" -- "${cdz_run[@]}" "$@" >screen 2>pty.err; then
        bad "the play '${words[*]}' of $*: $(cat pty.err)"
    fi
    end=$(tail -n 2 screen | head -n 1 | tr -d "\0")
    mode=$(tail -n 1 screen)
    check "the terminal is left echoing" [ "$mode" = echo ]
}
ended() { check "$2: ended with '$end' instead of '$1': $(cat screen)" [ "$end" = "$1" ]; }
shown() {
    checks=$((checks + 1))
    grep -qaF -- "$1" screen || bad "${2:-}: '$1' is not on the terminal"
}
hidden() {
    checks=$((checks + 1))
    if grep -qaF -- "$1" screen; then bad "${2:-}: '$1' is on the terminal"; fi
}
read -ra pty_run <<<"${CDZ_EMULATOR:-}"
pty_run+=("$CDZ_PTY")
# shellcheck disable=SC2016
"${pty_run[@]}" expect ready -- sh -c 'echo ready >/dev/tty' >screen 2>pty.err || skip "no terminals here (/dev/ptmx, /dev/pts, /dev/tty): $(tail -n 1 pty.err)"

if [ "$CDZ_ARGON2" = ON ]; then
    fast=(--kdf-memory 8 --kdf-passes 1 --kdf-lanes 1)
    pass='correct horse'
    play expect 'Passphrase: ' noecho send "$pass\\n" expect 'again: ' noecho send "$pass\\n" -- encrypt "${fast[@]}" -o sealed data
    ended 'exit 0' "typed twice"
    hidden "$pass" "typed twice"
    play expect 'Passphrase: ' noecho send "$pass\\n" -- decrypt -o back sealed
    ended 'exit 0' "typed once"
    same back data
    printf '%s' "$pass" >passfile && chmod 600 passfile
    code 0 "the same from a file" cadenza decrypt --passphrase-file passfile -o back2 sealed
    same back2 data
    play expect 'Passphrase: ' send 'wrong\n' -- decrypt -o new sealed
    ended 'exit 15' "a wrong one"
    shown 'the passphrase is wrong'
    absent new
    play expect 'Passphrase: ' send 'one\n' expect 'again: ' send 'two\n' -- encrypt "${fast[@]}" -o new data
    ended 'exit 19' "two that differ"
    shown 'not the same'
    play expect 'Passphrase: ' send 'one\n' expect 'again: ' send 'one and more\n' -- encrypt "${fast[@]}" -o new data
    ended 'exit 19' "two that differ in length"
    play expect 'Passphrase: ' send '\n' -- encrypt "${fast[@]}" -o new data
    ended 'exit 19' "an empty one"
    shown 'empty'
    play expect 'Passphrase: ' send '\004' -- encrypt "${fast[@]}" -o new data
    ended 'exit 19' "the end of input"
    long=$(printf '%01030d' 7)
    play expect 'Passphrase: ' send "$long\\n" -- encrypt "${fast[@]}" -o new data
    ended 'exit 19' "one that is too long"
    play expect 'Passphrase: ' noecho send 'half\003' -- encrypt "${fast[@]}" -o new data
    ended 'signal 2' "ctrl-C"
    absent new
    play expect 'Passphrase: ' noecho kill 15 -- encrypt "${fast[@]}" -o new data
    ended 'signal 15' "SIGTERM"
    play expect 'Passphrase: ' noecho send '\032' wait noecho send "$pass\\n" -- decrypt -o back3 sealed
    ended 'exit 0' "stopped and continued"
    same back3 data
    # stdin is data, and the terminal is asked all the same
    play expect 'Passphrase: ' send "$pass\\n" -- decrypt -o back4 sealed </dev/null
    ended 'exit 0' "stdin is something else"
    # nobody to ask
    if command -v setsid >/dev/null; then
        code 19 "no terminal" setsid -w "${cdz_run[@]}" decrypt -o new sealed </dev/null
        said "no terminal"
        absent new
    fi

    # passphrases in files: one line end is not theirs, everything else is
    try() { # NAME CODE
        code "$2" "passphrase file: $1" cadenza decrypt --passphrase-file "$1" -o new sealed
        rm -f new
    }
    printf '%s\n' "$pass" >lf
    printf '%s\r\n' "$pass" >crlf
    printf '%s\n\n' "$pass" >two
    printf '%s ' "$pass" >blank
    printf '%s\r' "$pass" >cr
    printf '\n' >nothing
    : >void
    head -c 1025 /dev/zero | tr '\0' a >over
    head -c 1024 /dev/zero | tr '\0' a >most
    chmod 600 lf crlf two blank cr nothing void over most
    try lf 0
    try crlf 0
    try two 15
    try blank 15
    try cr 15
    try nothing 19
    try void 19
    try over 19
    try most 15
    code 0 "the longest passphrase" cadenza encrypt --passphrase-file most "${fast[@]}" -o sealed.most data
    code 0 "the longest passphrase" cadenza decrypt --passphrase-file most -o back5 sealed.most
    same back5 data
    code 0 "from standard input" cadenza decrypt --passphrase-file - -o back6 sealed <passfile
    same back6 data
    code 6 "none there" cadenza decrypt --passphrase-file none -o new sealed

    # whatever was chosen for writing is in the header: nothing needs to be said for reading
    for kdf in "8 1 1" "9 2 3" "16 3 16" "64 1 2"; do
        read -r m t p <<<"$kdf"
        code 0 "Argon2id with $kdf" cadenza encrypt --passphrase-file passfile --kdf-memory "$m" --kdf-passes "$t" \
            --kdf-lanes "$p" -o sealed.kdf data
        code 0 "Argon2id with $kdf" cadenza decrypt --passphrase-file passfile -o back.kdf sealed.kdf
        same back.kdf data "$kdf"
    done
    code 0 "the parameters that are used unless told otherwise" cadenza encrypt --passphrase-file passfile -o sealed.kdf data
    check "are these" [ "$(od -An -tx1 -j12 -N12 sealed.kdf | tr -d ' \n')" = 020400000000000300040000 ]
    code 0 "and open" cadenza decrypt --passphrase-file passfile -o back.kdf sealed.kdf
    for bad in "7 1 1" "1025 1 1" "8 0 1" "8 65 1" "8 1 0" "8 1 17" "1024 5 1"; do
        read -r m t p <<<"$bad"
        code 4 "Argon2id with $bad" cadenza encrypt --passphrase-file passfile --kdf-memory "$m" --kdf-passes "$t" \
            --kdf-lanes "$p" -o new data
    done
    code 15 "a key file for a passphrase's file" cadenza decrypt --key-file key -o new sealed
    cadenza encrypt --key-file key -o sealed.key data
    code 15 "a passphrase for a key file's file" cadenza decrypt --passphrase-file passfile -o new sealed.key
    said "$(sed -n 's/^id //p' key)" "the key file's id"
    absent new
else
    code 23 "a passphrase in a build without" cadenza encrypt -o new data
    said "without libargon2"
    absent new
    check "--version says so" grep -q 'key files only' <(cadenza --version)
fi

# binary data and terminals
play -- encrypt --key-file key data
ended 'exit 11' "ciphertext"
shown 'would go to the terminal'
play -- encrypt --key-file key -o /dev/tty data
ended 'exit 11' "ciphertext to /dev/tty"
play -- encrypt --key-file key --force text
ended 'exit 0' "ciphertext by force"
shown 'CDZ'
cadenza encrypt --key-file key -o sealed.text text
cadenza encrypt --key-file key -o sealed.data data
play -- decrypt --key-file key sealed.text
ended 'exit 0' "text"
shown 'in two lines'
play -- decrypt --key-file key sealed.data
ended 'exit 11' "binary plaintext"
shown 'binary'
check "none of it is on the terminal" [ "$(wc -c <screen)" -lt 300 ]
play -- decrypt --key-file key --force sealed.data
ended 'exit 0' "binary plaintext by force"
play -- cipher -c aes-128-ctr -K 00000000000000000000000000000000 --iv 00000000000000000000000000000000 text
ended 'exit 11' "raw ciphertext"
play keep kept -- decrypt --key-file key sealed.data
ended 'exit 0' "stdout is a file"
same kept data

# the progress line: none in the first second, then one, with rate, which goes away
mkfifo slow
(
    exec 8>slow
    for _ in 1 2 3 4 5; do
        head -c 100000 /dev/zero >&8
        sleep 0.5
    done
) &
play -- encrypt --key-file key -o sealed.slow slow
ended 'exit 0' "slow"
wait
shown 'KiB/s'
shown 'so far'
(
    exec 8>slow
    for _ in 1 2 3; do
        head -c 100000 /dev/zero >&8
        sleep 0.6
    done
) &
play -- encrypt --key-file key -q -o sealed.slow slow
wait
hidden 'KiB/s' "quiet"
play -- encrypt --key-file key -o sealed.fast data
hidden 'iB/s' "fast"
no_leftovers
done_testing
