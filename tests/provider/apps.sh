#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# OpenSSL's own applications over the provider: what is made with it opens without it, and the other way round, byte for byte where nothing
# random is in it. enc, CMS (EnvelopedData, AuthEnvelopedData), PKCS#12, PKCS#8, PEM, CMAC, GMAC; and whichever of PHP, Ruby, Python, Perl and
# Node the system has, reading what the other side wrote; curl, Python and Perl over TLS; the drop-in for systemd.
#
#   apps.sh MODULES_DIR COUNTING_MODULES_DIR WORK_DIR
set -euo pipefail
modules=$1 counting=$2 work=$3
# shellcheck source=tests/provider/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v openssl >/dev/null || { echo "SKIP apps: no openssl command"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
export OPENSSL_MODULES=$modules
config with.cnf aria
no_config without.cnf
with() { OPENSSL_CONF=with.cnf "$@"; }
without() { OPENSSL_CONF=without.cnf "$@"; }
done_=0
ok() { done_=$((done_ + 1)); }
same() { cmp -s "$1" "$2" || { echo "FAILED: $3"; exit 1; }; ok; }
# Through the module that counts the keys set in it: a program that silently went by OpenSSL's own code is found out.
used() {
    rm -f count
    OPENSSL_MODULES=$counting CDZ_COUNT_FILE=$PWD/count OPENSSL_CONF=with.cnf "$@" || { echo "FAILED: $*"; exit 1; }
    [ "$(awk '{n += $1} END {print n + 0}' count 2>/dev/null || echo 0)" -ge 1 ] || { echo "FAILED: $* did not use cadenza"; exit 1; }
    ok
}
right() { "$@" || { echo "FAILED: $*"; exit 1; }; ok; }

is_live with.cnf

head -c 300007 /dev/urandom >data
K=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f IV=f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
for bits in 128 192 256; do
    key=${K:0:$((bits / 4))}
    for mode in ecb cbc cfb cfb8 cfb1 ofb ctr; do
        iv="-iv $IV"
        [ $mode != ecb ] || iv=
        with openssl enc -aria-$bits-$mode -K "$key" $iv -in data -out a
        without openssl enc -aria-$bits-$mode -K "$key" $iv -in data -out b
        same a b "enc aria-$bits-$mode"
        with openssl enc -d -aria-$bits-$mode -K "$key" $iv -in b -out c
        same c data "enc -d aria-$bits-$mode"
    done
    for mac in "-cipher ARIA-$bits-CBC CMAC" "-cipher ARIA-$bits-GCM -macopt hexiv:000102030405060708090a0b GMAC"; do
        with openssl mac -macopt hexkey:$key -in data $mac >a
        without openssl mac -macopt hexkey:$key -in data $mac >b
        same a b "mac $mac"
    done
done

without openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=test 2>/dev/null
for cipher in aria-128-cbc aria-192-cbc aria-256-cbc aria-128-gcm aria-256-gcm; do
    for side in "with without" "without with"; do
        set -- $side
        $1 openssl cms -encrypt -binary -$cipher -in data -outform DER -out message cert.pem
        $2 openssl cms -decrypt -inform DER -in message -inkey key.pem -out back
        same back data "cms $cipher ($side)"
    done
done
head -c 1000 message >cut.message
if with openssl cms -decrypt -inform DER -in cut.message -inkey key.pem -out back 2>/dev/null; then echo "FAILED: a cut CMS message opened"; exit 1; fi
without openssl cms -encrypt -binary -aria-256-gcm -in data -outform DER -out message cert.pem
# The tag is the last thing in an AuthEnvelopedData.
printf '\x00\x01' | dd of=message bs=1 seek=$(($(stat -c %s message) - 2)) conv=notrunc 2>/dev/null
if with openssl cms -decrypt -inform DER -in message -inkey key.pem -out back 2>/dev/null; then echo "FAILED: a forged CMS message opened"; exit 1; fi
ok

without openssl rsa -in key.pem -out plain.pem 2>/dev/null
for side in "with without" "without with"; do
    set -- $side
    for cipher in aria-128-cbc aria-256-cbc aria-256-ctr aria-256-cfb aria-256-ofb; do
        $1 openssl pkcs8 -topk8 -v2 $cipher -in key.pem -passout pass:secret -out p8
        $2 openssl pkcs8 -in p8 -passin pass:secret | $2 openssl rsa -out back 2>/dev/null
        same back plain.pem "pkcs8 $cipher ($side)"
    done
    $1 openssl pkcs12 -export -inkey key.pem -in cert.pem -keypbe aria-256-cbc -certpbe aria-256-cbc -passout pass:secret -out p12
    $2 openssl pkcs12 -in p12 -passin pass:secret -nodes -nocerts 2>/dev/null | $2 openssl rsa -out back 2>/dev/null
    same back plain.pem "pkcs12 ($side)"
    $1 openssl rsa -aria256 -in key.pem -passout pass:secret -traditional -out pem 2>/dev/null
    $2 openssl rsa -in pem -passin pass:secret -out back 2>/dev/null
    same back plain.pem "PEM ($side)"
    if $2 openssl rsa -in pem -passin pass:wrong -out back 2>/dev/null; then echo "FAILED: a wrong passphrase"; exit 1; fi
done

skipped=
if command -v php >/dev/null && php -r 'exit(function_exists("openssl_encrypt") ? 0 : 1);'; then
    cat >t.php <<'END'
<?php
$k = str_repeat("k", 32); $iv = str_repeat("i", 12); $d = file_get_contents("data");
if ($argv[1] == "make") { $c = openssl_encrypt($d, "aria-256-gcm", $k, OPENSSL_RAW_DATA, $iv, $tag, "aad"); file_put_contents("php", $tag . $c); }
else { $f = file_get_contents("php"); $p = openssl_decrypt(substr($f, 16), "aria-256-gcm", $k, OPENSSL_RAW_DATA, $iv, substr($f, 0, 16), "aad"); exit($p === $d ? 0 : 1); }
END
    used php t.php make
    right without php t.php open
    without php t.php make
    used php t.php open
else
    skipped="$skipped php"
fi
if command -v ruby >/dev/null && ruby -ropenssl -e 1 2>/dev/null; then
    cat >t.rb <<'END'
require "openssl"
c = OpenSSL::Cipher.new("aria-256-cbc")
ARGV[0] == "make" ? c.encrypt : c.decrypt
c.key = "k" * 32
c.iv = "i" * 16
d = File.binread("data")
if ARGV[0] == "make" then File.binwrite("rb", c.update(d) + c.final) else exit((c.update(File.binread("rb")) + c.final) == d) end
END
    used ruby t.rb make
    right without ruby t.rb open
    without ruby t.rb make
    used ruby t.rb open
else
    skipped="$skipped ruby"
fi
if command -v python3 >/dev/null && python3 -c 'import ctypes, sys; ctypes.CDLL("libcrypto.so.3")' 2>/dev/null; then
    cat >t.py <<'END'
import ctypes, sys
c = ctypes.CDLL("libcrypto.so.3")
for f in ("EVP_CIPHER_CTX_new", "EVP_CIPHER_fetch"): getattr(c, f).restype = ctypes.c_void_p
d = open("data", "rb").read()
x = ctypes.c_void_p(c.EVP_CIPHER_CTX_new())
a = ctypes.c_void_p(c.EVP_CIPHER_fetch(None, b"ARIA-256-CTR", None))
enc = sys.argv[1] == "make"
src = d if enc else open("py", "rb").read()
out, n = ctypes.create_string_buffer(len(src) + 16), ctypes.c_int()
assert c.EVP_CipherInit_ex(x, a, None, b"k" * 32, b"i" * 16, int(enc)) == 1
assert c.EVP_CipherUpdate(x, out, ctypes.byref(n), src, len(src)) == 1
if enc: open("py", "wb").write(out.raw[: n.value])
else: sys.exit(out.raw[: n.value] != d)
END
    used python3 t.py make
    right without python3 t.py open
    without python3 t.py make
    used python3 t.py open
else
    skipped="$skipped python3"
fi
if command -v node >/dev/null; then
    cat >t.js <<'END'
const c = require("crypto"), fs = require("fs");
const k = Buffer.alloc(32, "k"), iv = Buffer.alloc(12, "i"), d = fs.readFileSync("data");
if (process.argv[2] === "make") {
    const x = c.createCipheriv("aria-256-gcm", k, iv); x.setAAD(Buffer.from("aad"));
    const out = Buffer.concat([x.update(d), x.final()]); fs.writeFileSync("node", Buffer.concat([x.getAuthTag(), out]));
} else {
    const f = fs.readFileSync("node"), x = c.createDecipheriv("aria-256-gcm", k, iv);
    x.setAAD(Buffer.from("aad")); x.setAuthTag(f.subarray(0, 16));
    process.exit(Buffer.concat([x.update(f.subarray(16)), x.final()]).equals(d) ? 0 : 1);
}
END
    # Node has an OpenSSL of its own, and reads a configuration only where it is told to. The module that counts shows that it is used.
    with_node() { OPENSSL_MODULES=$counting CDZ_COUNT_FILE=node.count node --openssl-shared-config --openssl-config=with.cnf "$@"; }
    rm -f node.count
    if with_node -e 'process.exit(0)' 2>/dev/null; then
        with_node t.js make
        right node t.js open
        node t.js make
        right with_node t.js open
        # The file that `cadenza openssl --standalone` writes serves it too, without the first option.
        if [ -x "${CDZ_BUILD_DIR:-}/cadenza" ]; then
            "$CDZ_BUILD_DIR/cadenza" openssl --standalone >alone.cnf
            rm -f node.alone
            OPENSSL_MODULES=$counting CDZ_COUNT_FILE=node.alone node --openssl-config=<(sed '/^module/d' alone.cnf) t.js make
            right node t.js open
            [ -s node.alone ] || { echo "FAILED: Node did not use cadenza by --openssl-config"; exit 1; }
        fi
        [ "$(awk '{n += $1} END {print n + 0}' node.count)" -ge 2 ] || { echo "FAILED: Node did not use cadenza"; exit 1; }
    else
        skipped="$skipped node"
    fi
else
    skipped="$skipped node"
fi
if command -v perl >/dev/null && perl -MNet::SSLeay -e 1 2>/dev/null; then
    cat >t.pl <<'END'
use Net::SSLeay; # no ciphers in it: what Perl has of OpenSSL is certificates and TLS, so a PKCS#12 file
Net::SSLeay::load_error_strings(); Net::SSLeay::SSLeay_add_ssl_algorithms();
my ($key, $cert) = Net::SSLeay::P_PKCS12_load_file("p12", 0, "secret");
exit($key && $cert ? 0 : 1);
END
    used perl t.pl
    right without perl t.pl
else
    skipped="$skipped perl"
fi

# TLS 1.2 with ARIA, asked for by programs as their users write them, of a server without cadenza.
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT
serve() {
    local log
    log=server.log
    : >$log
    without openssl s_server -accept 127.0.0.1:0 -naccept "$1" -cert cert.pem -key key.pem -tls1_2 -cipher ECDHE-ARIA256-GCM-SHA384 -WWW -http_server_binmode \
        >$log 2>server.err &
    server=$!
    port=
    for _ in $(seq 200); do
        port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' $log)
        [ -z "$port" ] || return 0
        sleep 0.02
    done
    echo "FAILED: no server"
    exit 1
}
gone() { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; server=; }
cat >tls.py <<'END'
import socket, ssl, sys
c = ssl.create_default_context(cafile="cert.pem")
c.check_hostname = False
c.maximum_version = ssl.TLSVersion.TLSv1_2
c.set_ciphers("ECDHE-ARIA256-GCM-SHA384")
s = c.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
assert s.cipher()[0] == "ECDHE-ARIA256-GCM-SHA384"
s.sendall(b"GET /data HTTP/1.0\r\n\r\n")
got = b""
while True:
    part = s.recv(65536)
    if not part: break
    got += part
sys.exit(got.split(b"\r\n\r\n", 1)[1] != open("data", "rb").read())
END
cat >tls.pl <<'END'
use IO::Socket::SSL;
my $s = IO::Socket::SSL->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0], SSL_ca_file => "cert.pem", SSL_verifycn_scheme => "none",
    SSL_version => "TLSv1_2", SSL_cipher_list => "ECDHE-ARIA256-GCM-SHA384") or die "$SSL_ERROR";
$s->get_cipher eq "ECDHE-ARIA256-GCM-SHA384" or exit 1;
print $s "GET /data HTTP/1.0\r\n\r\n";
local $/;
my $got = <$s>;
$got =~ s/^.*?\r\n\r\n//s;
open(my $f, "<:raw", "data") or exit 1;
exit($got eq <$f> ? 0 : 1);
END
get_by_curl() { curl -sS --cacert cert.pem --connect-to "test:$1:127.0.0.1:$1" --tls-max 1.2 --ciphers ECDHE-ARIA256-GCM-SHA384 -o got "https://test:$1/data" && cmp got data; }
if command -v curl >/dev/null && curl -V | head -n1 | grep -q OpenSSL; then
    serve 1; used get_by_curl "$port"; gone
else
    skipped="$skipped curl"
fi
if command -v python3 >/dev/null && python3 -c 'import ssl; assert ssl.OPENSSL_VERSION_INFO[0] == 3' 2>/dev/null; then
    serve 1; used python3 tls.py "$port"; gone
else
    skipped="$skipped python3-ssl"
fi
if command -v perl >/dev/null && perl -MIO::Socket::SSL -e 1 2>/dev/null; then
    serve 1; used perl tls.pl "$port"; gone
else
    skipped="$skipped perl-IO::Socket::SSL"
fi

# The drop-in of docs/openssl.md for a systemd unit: systemd takes it, and says so of what it does not know.
if command -v systemd-analyze >/dev/null && [ -n "${CDZ_SOURCE_DIR:-}" ]; then
    mkdir -p unit/some.service.d
    printf '[Unit]\nDescription=some\n[Service]\nExecStart=/usr/bin/env\n' >unit/some.service
    sed -n '/^    \[Service\]$/,/^$/s/^    //p' "$CDZ_SOURCE_DIR/docs/openssl.md" >unit/some.service.d/cadenza.conf
    grep -q '^Environment=OPENSSL_CONF=/' unit/some.service.d/cadenza.conf || { echo "FAILED: docs/openssl.md has no drop-in"; exit 1; }
    if ! systemd-analyze verify ./unit/some.service >unit.log 2>&1 || [ -s unit.log ]; then
        if grep -q 'cadenza.conf\|Unknown' unit.log; then echo "FAILED: the drop-in"; cat unit.log; exit 1; fi
        skipped="$skipped systemd-analyze"
    else
        ok
    fi
else
    skipped="$skipped systemd-analyze"
fi

# Only cadenza active: what is left out of it fails, and nothing falls back.
cat >strict.cnf <<'END'
openssl_conf = openssl_init
[openssl_init]
providers = providers
[providers]
cadenza = cadenza_provider
[cadenza_provider]
activate = 1
END
strict() { OPENSSL_CONF=strict.cnf "$@"; }
for mode in ecb cbc cfb cfb8 cfb1 ofb ctr; do
    iv="-iv $IV"
    [ $mode != ecb ] || iv=
    # shellcheck disable=SC2086 # words
    strict openssl enc -aria-256-$mode -K $K $iv -in data -out a
    # shellcheck disable=SC2086
    without openssl enc -aria-256-$mode -K $K $iv -in data -out b
    same a b "enc aria-256-$mode with cadenza alone"
done
if strict openssl enc -aes-256-cbc -K $K -iv $IV -in data -out a 2>err; then echo "FAILED: AES was served although it is off"; exit 1; fi
if strict openssl enc -camellia-256-cbc -K $K -iv $IV -in data -out a 2>err; then echo "FAILED: something else was active"; exit 1; fi
ok

echo "apps: $done_ comparisons right${skipped:+; not here, and so skipped:$skipped}"
[ -z "$skipped" ] || echo "SKIP apps: in part, not here:$skipped"
