#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# nginx serves a file over TLS 1.2 with ECDHE-ARIA256-GCM-SHA384, curl fetches it: both by OpenSSL's own code, then both through the provider. Bytes
# are compared; the last lines are the speeds.
#
#   nginx.sh MODULES_DIR WORK_DIR [MiB]
set -euo pipefail
modules=$1 work=$2 mib=${3:-64}
PATH=$PATH:/usr/sbin
# shellcheck source=tests/provider/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
for tool in openssl nginx curl; do
    command -v $tool >/dev/null || { echo "SKIP nginx: no $tool"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/www" "$work/tmp"
cd "$work"
work=$PWD
export OPENSSL_MODULES=$modules
config with.cnf aria
no_config without.cnf
is_live with.cnf
OPENSSL_CONF=without.cnf openssl req -x509 -newkey rsa:2048 -nodes -keyout rsa.key -out rsa.crt -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
head -c $((mib << 20)) /dev/urandom >www/big.bin
chmod -R a+rX . # nginx's worker may be another user

port=$(free_port)
nginx_conf "$work" "$port" >nginx.conf <<'END'
        ssl_protocols TLSv1.2;
        ssl_ciphers ECDHE-ARIA256-GCM-SHA384;
END
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT
fetch() { # configuration; prints bytes a second
    OPENSSL_CONF=$work/$1 nginx -c "$work/nginx.conf" -p "$work" -g "master_process off;" >nginx.out 2>&1 &
    server=$!
    local speed
    until_it_listens "$port"
    speed=$(OPENSSL_CONF=$work/$1 curl -sS --cacert rsa.crt --tls-max 1.2 --ciphers ECDHE-ARIA256-GCM-SHA384 -o got -w '%{speed_download}' \
        "https://127.0.0.1:$port/big.bin") || { echo "FAILED: curl ($1)" >&2; cat error.log nginx.out >&2; exit 1; }
    kill $server
    wait $server 2>/dev/null || true
    server=
    cmp got www/big.bin >&2 || { echo "FAILED: other bytes ($1)" >&2; exit 1; }
    echo "${speed%.*}"
}
a=$(fetch without.cnf)
b=$(fetch with.cnf)
echo "nginx, curl, $mib MiB, ECDHE-ARIA256-GCM-SHA384: default provider $((a / 1000000)) MB/s, cadenza $((b / 1000000)) MB/s, ratio $((b * 10 / a / 10)).$((b * 10 / a % 10))"
