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
