#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files opened by another implementation of docs/file-format.md (reference.py), and files of earlier builds opened by this.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
tests=$(dirname "${BASH_SOURCE[0]}")
case $tests in /*) ;; *) tests=$OLDPWD/$tests ;; esac

# A file and key of format version 1, made once: every later version must open it.
cp "$tests/format1.key" key1 && chmod 600 key1
for n in 1 2; do
    base64 -d "$tests/format1.$n.b64" >sealed || exit 1
    secret=(--key-file key1)
    if [ $n = 2 ]; then
        [ "$CDZ_ARGON2" = ON ] || continue
        printf 'cadenza' >pass && chmod 600 pass
        secret=(--passphrase-file pass)
    fi
    code 0 "a file of format version 1" cadenza decrypt "${secret[@]}" -o back sealed
    check "its text" [ "$(cat back)" = "The cadence that a soloist improvises." ]
done

if ! command -v python3 >/dev/null || ! command -v openssl >/dev/null; then
    echo "SKIP (part): no python3 and openssl: files were not opened by another implementation"
    done_testing
fi
cadenza keygen -o key || exit 1
for cipher in aria-256-gcm aria-192-gcm aria-128-gcm aes-256-gcm aes-192-gcm aes-128-gcm; do
    for n in 0 1 65536 65537 200000; do
        [ $n -le 1 ] || [ $cipher = aria-256-gcm ] || continue
        head -c $n /dev/urandom >data
        code 0 "$cipher $n" cadenza encrypt -c $cipher --key-file key -o sealed data
        checks=$((checks + 1))
        python3 "$tests/reference.py" sealed key >back 2>err || bad "reference.py: $cipher, $n bytes"
        same back data "$cipher, $n bytes"
    done
done
if [ "$CDZ_ARGON2" = ON ] && python3 "$tests/reference.py" --has-argon2; then
    printf 'pass phrase' >pass && chmod 600 pass
    code 0 "passphrase" cadenza encrypt --passphrase-file pass --kdf-memory 9 --kdf-passes 2 --kdf-lanes 3 -o sealed data
    checks=$((checks + 1))
    python3 "$tests/reference.py" sealed pass >back 2>err || bad "reference.py: passphrase"
    same back data passphrase
fi
done_testing
