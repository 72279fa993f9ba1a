#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The two commands of docs/openssl.md, as they stand there, on a system that has nothing of cadenza: then nginx, whose configuration says
# nothing of ciphers, serves ARIA through it, and curl fetches a file. In mount namespaces of its own, where /usr/local, /etc/ssl and
# libcrypto's folder of modules are copies: the system is not changed.
#
#   newcomer.sh [SYSTEM_MODULES_DIR]      (the argument is for the inner run)
set -euo pipefail
: "${CDZ_SOURCE_DIR:?}" "${CDZ_BUILD_DIR:?}"
# shellcheck source=tests/provider/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
skip() { echo "SKIP newcomer: $1"; exit 77; }
failed() { echo "FAILED: $1"; exit 1; }
PATH=/usr/local/bin:$PATH:/usr/sbin:/sbin
unset OPENSSL_CONF OPENSSL_MODULES LD_LIBRARY_PATH
if [ -z "${1:-}" ]; then
    for tool in openssl nginx curl unshare mount; do command -v $tool >/dev/null || skip "no $tool"; done
    [ "$(id -u)" = 0 ] || skip "only root can have mounts of its own"
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    grep -qxE 'CMAKE_INSTALL_PREFIX:PATH=/usr/local/?' "$CDZ_BUILD_DIR/CMakeCache.txt" || skip "the build is not for /usr/local"
    [ -e /etc/ssl/openssl.cnf ] || skip "no /etc/ssl/openssl.cnf"
    dir=$(openssl version -m | sed 's/.*"\(.*\)"/\1/')
    [ -d "$dir" ] || skip "libcrypto has no folder for modules"
    exec unshare -m --propagation private bash "$0" "$dir"
fi

dir=$1
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; [ -z "$server" ] || wait "$server" 2>/dev/null || true; cd /; rm -rf "$work"' EXIT
cp -a /etc/ssl "$work/ssl"
cp -a "$dir" "$work/modules"
rm -f "$work/modules/cadenza.so"
mkdir "$work/local" "$work/www" "$work/tmp"
cmake=$(command -v cmake)
case $cmake in /usr/local/*) cp -a /usr/local "$work/local.all"; rm -f "$work"/local.all/bin/cadenza; rmdir "$work/local"; mv "$work/local.all" "$work/local" ;; esac
mount --bind "$work/ssl" /etc/ssl
mount --bind "$work/modules" "$dir"
mount --bind "$work/local" /usr/local
cd "$work"
ln -s "$CDZ_BUILD_DIR" build

openssl list -cipher-algorithms >listed
if grep -q cadenza listed; then skip "this system's openssl.cnf has cadenza already"; fi
awk '/^## Two commands$/ {here = 1} here && /^    / {print substr($0, 5); n++} here && n && /^$/ {exit}' "$CDZ_SOURCE_DIR/docs/openssl.md" >commands
[ "$(wc -l <commands)" = 2 ] || failed "docs/openssl.md does not have two commands"
cat commands
sudo() { "$@"; }
# shellcheck disable=SC1091
. ./commands >log 2>&1 || { cat log; failed "the commands"; }
cadenza openssl --no-speed >log || { cat log; failed "cadenza is not live after them"; }
openssl list -cipher-algorithms >listed
grep -q 'ARIA-256-GCM } @ cadenza' listed || failed "OpenSSL does not list it"

openssl req -x509 -newkey rsa:2048 -nodes -keyout rsa.key -out rsa.crt -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2>/dev/null
head -c $((8 << 20)) /dev/urandom >www/file
chmod -R a+rX . # nginx's worker is another user
port=$(free_port)
nginx_conf "$work" "$port" >nginx.conf </dev/null
nginx -c "$work/nginx.conf" -p "$work" >nginx.out 2>&1 &
server=$!
until_it_listens "$port"
curl -sSv --cacert rsa.crt --tls-max 1.2 --ciphers ECDHE-ARIA256-GCM-SHA384 -o got "https://127.0.0.1:$port/file" 2>curl.log || { cat curl.log error.log nginx.out; failed "curl"; }
cmp got www/file || failed "other bytes"
grep -q 'SSL connection using TLSv1.2 / ECDHE-ARIA256-GCM-SHA384' curl.log || { cat curl.log; failed "another suite"; }
for process in "$server" $(pgrep -P "$server" || true); do
    grep -q '/cadenza\.so$' "/proc/$process/maps" || failed "nginx ($process) does not have cadenza.so"
done
echo "newcomer: two commands, and nginx serves ECDHE-ARIA256-GCM-SHA384 through cadenza"
