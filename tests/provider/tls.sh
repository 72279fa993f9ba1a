#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# TLS between openssl s_server and s_client on loopback: cadenza on one side, on the other, on both, on neither. Every ARIA suite; with AES
# switched on GCM, CCM and CBC of TLS 1.2 (with and without encrypt-then-MAC) and TLS 1.3. What arrives is compared.
#
#   tls.sh MODULES_DIR WORK_DIR [MiB]
set -euo pipefail
modules=$1 work=$2 mib=${3:-4}
command -v openssl >/dev/null || { echo "SKIP tls: no openssl command"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export OPENSSL_MODULES=$modules
unset OPENSSL_CONF

config() { # file, algorithms
    cat >"$1" <<END
openssl_conf = openssl_init
[openssl_init]
providers = providers
alg_section = algorithms
[providers]
default = default_provider
cadenza = cadenza
[default_provider]
activate = 1
[cadenza]
activate = 1
algorithms = $2
[algorithms]
default_properties = ?provider=cadenza
END
}
config aria.cnf aria
config aes.cnf aria,aes
printf '' >none.cnf
# Into files: grep -q would end a pipe early, and pipefail take that for a failure.
OPENSSL_CONF=none.cnf openssl list -cipher-algorithms >without
OPENSSL_CONF=aria.cnf openssl list -cipher-algorithms >with
if grep -q cadenza without; then echo "the empty configuration has cadenza"; exit 1; fi
grep -q 'ARIA-256-GCM } @ cadenza' with || { echo "the provider is not live"; exit 1; }

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
fetch() { # server's configuration, client's, suite, further options of both
    local sconf=$1 cconf=$2 suite=$3 port log=server.log
    shift 3
    local cert=rsa
    case $suite in *ECDSA*) cert=ec ;; *DSS*) cert=dsa ;; esac
    local both=("$@") psk=()
    case $suite in *PSK*) psk=(-psk 00112233445566778899aabbccddeeff) ;; esac
    # Port 0 lets the system choose; s_server prints which.
    OPENSSL_CONF=$sconf openssl s_server -accept 127.0.0.1:0 -cert $cert.crt -key $cert.key -WWW -http_server_binmode \
        -cipher "$suite:@SECLEVEL=0" "${psk[@]}" "${both[@]}" >$log 2>server.err &
    server=$!
    for _ in $(seq 200); do
        port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' $log)
        [ -z "$port" ] || break
        sleep 0.02
    done
    [ -n "$port" ] || { echo "no server for $suite"; cat server.err; exit 1; }
    printf 'GET /data HTTP/1.0\r\n\r\n' |
        OPENSSL_CONF=$cconf timeout 120 openssl s_client -connect 127.0.0.1:$port -CAfile $cert.crt -quiet -cipher "$suite:@SECLEVEL=0" \
            "${psk[@]}" "${both[@]}" >answer 2>client.err || true
    kill $server 2>/dev/null || true
    wait $server 2>/dev/null || true
    server=
    if ! tail -c "$size" answer | cmp -s - data; then
        echo "FAILED: $suite ${both[*]}: server $sconf, client $cconf"
        cat server.err client.err
        exit 1
    fi
    runs=$((runs + 1))
}

for suite in $(openssl ciphers 'ARIA:@SECLEVEL=0' | tr : '\n' | grep ARIA); do
    for pair in 'aria.cnf none.cnf' 'none.cnf aria.cnf' 'aria.cnf aria.cnf'; do fetch $pair "$suite" -tls1_2; done
done
fetch none.cnf none.cnf ECDHE-ARIA256-GCM-SHA384 -tls1_2
for suite in ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384 AES256-CCM AES128-CCM8 ECDHE-RSA-AES256-SHA384 ECDHE-RSA-AES128-SHA256 AES256-SHA; do
    for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf'; do fetch $pair "$suite" -tls1_2; done
done
for suite in ECDHE-RSA-AES256-SHA384 ECDHE-RSA-AES128-SHA256 AES256-SHA; do # MAC, then encrypt
    for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf' 'aes.cnf aes.cnf'; do fetch $pair "$suite" -tls1_2 -no_etm; done
done
for suite in TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_AES_128_CCM_SHA256; do
    for pair in 'aes.cnf none.cnf' 'none.cnf aes.cnf'; do fetch $pair ALL -tls1_3 -ciphersuites $suite; done
done
echo "tls: $runs connections of $mib MiB, all bytes right"
