#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# TLS between openssl s_server and s_client on loopback: cadenza on one side, on the other, on both, on neither. Every ARIA suite; with AES
# switched on GCM, CCM and CBC of TLS 1.2 (with and without encrypt-then-MAC) and TLS 1.3. What arrives is compared.
#
# One module counts the keys that are set in it: each end with cadenza has at least two a connection, one for each direction.
# Then sessions that are resumed, in both versions.
#
#   tls.sh MODULES_DIR COUNTING_MODULES_DIR WORK_DIR [MiB]
set -euo pipefail
modules=$1 counting=$2 work=$3 mib=${4:-4}
# shellcheck source=tests/provider/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v openssl >/dev/null || { echo "SKIP tls: no openssl command"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export OPENSSL_MODULES=$modules
unset OPENSSL_CONF CDZ_COUNT_FILE

config aria.cnf aria
config aes.cnf aria,aes
no_config none.cnf
OPENSSL_CONF=none.cnf openssl list -cipher-algorithms >without
if grep -q cadenza without; then echo "the empty configuration has cadenza"; exit 1; fi
is_live aria.cnf
export OPENSSL_MODULES=$counting
is_live aria.cnf
export OPENSSL_CONF=none.cnf
openssl req -x509 -newkey rsa:2048 -nodes -keyout rsa.key -out rsa.crt -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ec.key -out ec.crt -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
openssl dsaparam -out dsa.par 1024 2>/dev/null # for the DSS suites; the strength of the certificate is not what is tested
openssl req -x509 -newkey dsa:dsa.par -nodes -keyout dsa.key -out dsa.crt -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
head -c $((mib << 20)) /dev/urandom >data
size=$(stat -c %s data)

server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT
runs=0
# The server leaves by itself after its last connection, and so tells its count; where there was none it is ended.
settle() {
    for _ in $(seq 100); do
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}
fetch() { # server's configuration, client's, suite, further options of both
    local sconf=$1 cconf=$2 suite=$3 port='' log=server.$((runs + 1)).log counted least=0
    shift 3
    rm -f counted
    local cert=rsa
    case $suite in *ECDSA*) cert=ec ;; *DSS*) cert=dsa ;; esac
    local both=("$@") psk=()
    case $suite in *PSK*) psk=(-psk 00112233445566778899aabbccddeeff) ;; esac
    # Port 0 lets the system choose; s_server prints which.
    OPENSSL_CONF=$sconf CDZ_COUNT_FILE=counted openssl s_server -naccept 1 -accept 127.0.0.1:0 -cert $cert.crt -key $cert.key -WWW -http_server_binmode \
        -cipher "$suite:@SECLEVEL=0" "${psk[@]}" "${both[@]}" >"$log" 2>server.err &
    server=$!
    for _ in $(seq 200); do
        port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$log" 2>/dev/null || true)
        [ -z "$port" ] || break
        sleep 0.02
    done
    [ -n "$port" ] || { echo "no server for $suite"; cat server.err; exit 1; }
    printf 'GET /data HTTP/1.0\r\n\r\n' |
        OPENSSL_CONF=$cconf CDZ_COUNT_FILE=counted timeout 120 openssl s_client -connect 127.0.0.1:$port -CAfile $cert.crt -quiet -cipher "$suite:@SECLEVEL=0" \
            "${psk[@]}" "${both[@]}" >answer 2>client.err || true
    settle
    if ! tail -c "$size" answer | cmp -s - data; then
        echo "FAILED: $suite ${both[*]}: server $sconf, client $cconf"
        cat server.err client.err
        exit 1
    fi
    [ "$sconf" = none.cnf ] || least=$((least + 2))
    [ "$cconf" = none.cnf ] || least=$((least + 2))
    counted=$(awk '{n += $1} END {print n + 0}' counted 2>/dev/null || echo 0)
    if [ "$counted" -lt $least ] || { [ $least = 0 ] && [ "$counted" != 0 ]; }; then
        echo "FAILED: $suite: server $sconf, client $cconf: $counted keys were set in cadenza, not $least"
        exit 1
    fi
    rm -f "$log"
    runs=$((runs + 1))
}

# {ECDHE-ECDSA, ECDHE-RSA, DHE-DSS, DHE-RSA, RSA-PSK, DHE-PSK, RSA, PSK} with 256 and with 128 bits: RFC 6209's GCM suites that OpenSSL has.
suites=0
for suite in $(openssl ciphers 'ARIA:@SECLEVEL=0' | tr : '\n' | grep ARIA); do
    for pair in 'aria.cnf none.cnf' 'none.cnf aria.cnf' 'aria.cnf aria.cnf' 'none.cnf none.cnf'; do fetch $pair "$suite" -tls1_2; done
    suites=$((suites + 1))
done
[ $suites = 16 ] || { echo "FAILED: $suites ARIA suites were tried, not 16"; exit 1; }
for suite in ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384 AES256-CCM AES128-CCM8 ECDHE-RSA-AES256-SHA384 ECDHE-RSA-AES128-SHA256 AES256-SHA; do
    for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf' 'none.cnf none.cnf'; do fetch $pair "$suite" -tls1_2; done
done
for suite in ECDHE-RSA-AES256-SHA384 ECDHE-RSA-AES128-SHA256 AES256-SHA; do # MAC, then encrypt
    for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf' 'aes.cnf aes.cnf' 'none.cnf none.cnf'; do fetch $pair "$suite" -tls1_2 -no_etm; done
done
for suite in TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_AES_128_CCM_SHA256; do
    for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf' 'none.cnf none.cnf'; do fetch $pair ALL -tls1_3 -ciphersuites $suite; done
done

# s_client's second connection takes up the first one's session.
resume() { # server's configuration, client's, version, ciphers
    local sconf=$1 cconf=$2 version=$3 ciphers=$4 port='' log=server.resume.$RANDOM.log
    OPENSSL_CONF=$sconf openssl s_server -naccept 2 -accept 127.0.0.1:0 -cert rsa.crt -key rsa.key -WWW -http_server_binmode "$version" \
        -cipher "$ciphers" >"$log" 2>server.err &
    server=$!
    for _ in $(seq 200); do
        port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' "$log" 2>/dev/null || true)
        [ -z "$port" ] || break
        sleep 0.02
    done
    for option in -sess_out -sess_in; do
        printf 'GET /small HTTP/1.0\r\n\r\n' | OPENSSL_CONF=$cconf timeout 60 openssl s_client -connect "127.0.0.1:$port" -CAfile rsa.crt \
            -ign_eof $option session "$version" -cipher "$ciphers" >$option.out 2>client.err || true
        grep -q 'a small file' ./$option.out || { echo "FAILED: $version $ciphers $option: no answer"; cat client.err; exit 1; }
    done
    grep -q '^Reused, TLSv' ./-sess_in.out || { echo "FAILED: $version $ciphers: the session was not taken up"; exit 1; }
    settle
    runs=$((runs + 1))
}
echo 'a small file' >small
for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf' 'aes.cnf aes.cnf'; do
    # shellcheck disable=SC2086 # words
    resume $pair -tls1_2 ECDHE-ARIA256-GCM-SHA384
    # shellcheck disable=SC2086
    resume $pair -tls1_3 ALL
done
echo "tls: $runs connections of $mib MiB, all bytes right; $suites ARIA suites, each with cadenza on the server's side, the client's, both and neither"
