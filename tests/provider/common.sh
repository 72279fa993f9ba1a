# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the provider's scripts share. To be sourced, with $modules set: the folder with cadenza.so.

# config FILE ALGORITHMS: a configuration that prefers cadenza, for `algorithms = ...`, and has a section for `openssl req`.
config() {
    cat >"$1" <<END
openssl_conf = openssl_init
nodejs_conf = openssl_init
[openssl_init]
providers = providers
alg_section = algorithms
[providers]
default = default_provider
cadenza = cadenza_provider
[default_provider]
activate = 1
[cadenza_provider]
activate = 1
algorithms = $2
[algorithms]
default_properties = ?provider=cadenza
[req]
distinguished_name = dn
[dn]
END
}
# no_config FILE: one that has nothing of it.
no_config() { printf '[req]\ndistinguished_name = dn\n[dn]\n' >"$1"; }

# is_live CONFIGURATION: whether ARIA is served by cadenza with it, and is not without. Into a file: grep -q would end a pipe
# early, and pipefail take that for a failure.
is_live() {
    OPENSSL_CONF=$1 openssl list -cipher-algorithms >listed
    grep -q 'ARIA-256-GCM } @ cadenza' listed || { echo "FAILED: the provider is not live with $1"; exit 1; }
}

# A port of the loopback that nobody listens at.
free_port() {
    local try p
    for try in $(seq 20); do
        p=$((20000 + (RANDOM + try) % 20000))
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$p") 2>/dev/null; then echo "$p"; return; fi
    done
    echo 0
}
until_it_listens() {
    for _ in $(seq 100); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
        sleep 0.05
    done
}
# nginx_conf FOLDER PORT <LINES: a server of FOLDER/www by TLS, with further lines in it; FOLDER has rsa.crt, rsa.key and tmp/.
nginx_conf() {
    cat <<END
daemon off;
worker_processes 1;
pid $1/nginx.pid;
error_log $1/error.log;
events { worker_connections 64; }
http {
    access_log off;
    client_body_temp_path $1/tmp/a;
    proxy_temp_path $1/tmp/b;
    fastcgi_temp_path $1/tmp/c;
    uwsgi_temp_path $1/tmp/d;
    scgi_temp_path $1/tmp/e;
    server {
        listen 127.0.0.1:$2 ssl;
        ssl_certificate $1/rsa.crt;
        ssl_certificate_key $1/rsa.key;
        root $1/www;
$(cat)
    }
}
END
}
