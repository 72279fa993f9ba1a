#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `cadenza openssl`: what it says of a configuration that is complete, lacks something, is broken or names a wrong module, that the lines
# it prints make cadenza used and leave the rest as it was, and that its list of ciphers is OpenSSL's.
#
#   command.sh MODULES_DIR
set -euo pipefail
modules=$(realpath "$1")
unset OPENSSL_CONF OPENSSL_MODULES
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/common.sh"
set +e +o pipefail
command -v openssl >/dev/null || skip "no openssl command"

look() { cadenza openssl --no-speed >out; }
# says TEXT WHAT: it is in what the last one printed, on either stream.
says() {
    checks=$((checks + 1))
    grep -qF -- "$1" out err || { bad "${2:-}: '$1' was not said"; cat out; }
}
# lines FILE [OPTION ...]: what is lacking in a configuration is put at its end, after which it must be live, and lack nothing.
lines() {
    local file=$1
    shift
    export OPENSSL_CONF=$PWD/$file
    code 13 "$file before" look
    code 0 "the lines for $file" cadenza openssl --lines "$@" >lacking
    [ -s lacking ] || bad "$file: no lines"
    cat lacking >>"$file"
    code 0 "$file after" look
    says "ARIA is served by cadenza" "$file"
    code 0 "nothing more for $file" cadenza openssl --lines "$@" >lacking
    check "nothing more is printed for $file" test ! -s lacking
    openssl list -cipher-algorithms >listed 2>/dev/null
    check "OpenSSL's own list, with $file" grep -q 'ARIA-256-GCM } @ cadenza' listed
    unset OPENSSL_CONF
}

# ---- what is lacking
printf '[req]\ndistinguished_name = dn\n[dn]\n' >bare
lines bare
check "the module in the build is named by its whole path" grep -qxF "module = $modules/cadenza.so" bare
printf 'openssl_conf = openssl_init\n[openssl_init]\n[other]\nname = value\n' >empty_init
lines empty_init
cat >others <<'END'
openssl_conf = mine
[mine]
providers = my_providers
alg_section = my_algorithms
[my_providers]
default = my_default
legacy = my_legacy
[my_default]
activate = 1
[my_legacy]
activate = 1
[my_algorithms]
default_properties = ?x=y
END
lines others
OPENSSL_CONF=$PWD/others openssl list -providers >listed
for provider in default legacy cadenza; do check "$provider stays active" grep -q "^  $provider\$" listed; done
check "properties are added to" grep -qxF 'default_properties = ?x=y,?provider=cadenza' others
printf 'openssl_conf = i\n[i]\nproviders = p\n[p]\nlegacy = l\n[l]\nactivate = 1\n' >legacy_alone
lines legacy_alone
OPENSSL_CONF=$PWD/legacy_alone openssl list -providers >listed
for provider in default legacy; do check "$provider is active beside it" grep -q "^  $provider\$" listed; done
sed '/default_properties/d' bare >no_properties
lines no_properties
sed '/activate/d' bare >no_activate
lines no_activate
sed 's/^activate = 1/activate = 0/' bare >inactive # OpenSSL 3.0 takes that for 1
OPENSSL_CONF=$PWD/inactive openssl list -providers >listed
grep -q cadenza listed || lines inactive
lines fresh # not there yet
OPENSSL_CONF=$PWD/bare
export OPENSSL_CONF
code 0 "AES too" cadenza openssl --lines --aes >lacking
cat lacking >>bare
code 0 "AES too" look
check "AES is served by cadenza" grep -q '^AES-256-GCM  *cadenza' out
code 0 "nothing more" cadenza openssl --lines --aes >lacking
check "nothing more for AES" test ! -s lacking

# ---- the list is OpenSSL's
openssl list -cipher-algorithms | sed -n 's/^  *{ \(.*\) } @ .*/\1/p' | tr -s ', ' '\n' | grep -E '^[A-Za-z0-9]+(-[A-Za-z0-9]+)+$' | sort -u >theirs
check "OpenSSL lists many" test "$(wc -l <theirs)" -gt 100
missing=0
while read -r name; do # by one of its names
    grep -qwiF -- "$name" out || {
        alias=$(openssl list -cipher-algorithms | grep -wiF -- "$name" | grep '@' | tr -s '{},@ ' '\n' | grep -m1 -xiFf - <(tr -s ' ' '\n' <out))
        [ -n "$alias" ] || { missing=$((missing + 1)); echo "not listed: $name"; }
    }
done <theirs
check "all that OpenSSL lists" test $missing = 0
code 0 "with speeds" cadenza openssl >out
for cipher in ARIA-256-CCM ARIA-128-XTS ARIA-256-SIV AES-128-GCM-SIV AES-256-OCB AES-256-XTS AES-192-CCM; do
    check "the speed of $cipher" grep -qE "^$cipher +cadenza +([0-9.]+|-) +[0-9.]+" out
done
check "before and after" grep -qE '^ARIA-256-CCM +cadenza +[0-9.]+ +[0-9.]+ +[0-9.]+$' out

# ---- what looks complete and is not
# AES alone is asked for there: ARIA is lacking.
sed 's/^algorithms = .*/algorithms = aes/' bare >aes_alone
lines aes_alone
# A name that is told gets no ending from OpenSSL.
sed "s|^module = .*|module = $modules/cadenza|" bare >no_ending
lines no_ending
# What cannot be read is not absent.
mkdir -p folder
export OPENSSL_CONF=$PWD/folder
code 6 "a configuration that cannot be read" cadenza openssl --lines >lacking
check "nothing to put at its end" test ! -s lacking
says "cannot be read"
code 6 "a configuration that cannot be read" look
says "cannot be read"

# ---- alone in a file
unset OPENSSL_CONF
code 0 "a whole file" cadenza openssl --standalone >alone
export OPENSSL_CONF=$PWD/alone
code 0 "with it" look
check "it is upon the system's" grep -q '^\.include /' alone
check "AES is not in it" grep -q '^  AES-128-CBC (default)\|AES-128-CBC (default)' out
unset OPENSSL_CONF
code 0 "a whole file, AES too" cadenza openssl --standalone --aes >alone
OPENSSL_CONF=$PWD/alone look
check "AES is in it" grep -q '^AES-128-CBC  *cadenza' out

# ---- what is wrong
export OPENSSL_CONF=
code 13 "no configuration wanted" look
said "OPENSSL_CONF is set and empty"
code 13 "no lines for none" cadenza openssl --lines >out
printf 'openssl_conf = i\n[i\n' >broken
export OPENSSL_CONF=$PWD/broken
code 13 "a broken configuration" look
said "broken: line 2"
says "missing close square bracket" "OpenSSL's reason"
code 13 "no lines for it" cadenza openssl --lines >out
check "nothing for a broken one" test ! -s out
said "line 2"
sed "s|^module = .*|module = $PWD/nowhere/cadenza.so|" bare >gone
export OPENSSL_CONF=$PWD/gone
code 13 "a module that is not there" look
says "$PWD/nowhere/cadenza.so (not there)"
says "module = $modules/cadenza.so" "the one that is"
said "the module that the configuration names is not usable"
lines gone
mkdir wrong foreign
echo "not a library" >wrong/cadenza.so
sed "s|^module = .*|module = $PWD/wrong/cadenza.so|" bare >text
export OPENSSL_CONF=$PWD/text
code 13 "a module that is no library" look
says "does not load as cadenza"
says "could not load the shared library" "OpenSSL's reason"
lines text
legacy=$(openssl version -m | sed 's/.*"\(.*\)"/\1/')/legacy.so
if [ -e "$legacy" ]; then
    cp "$legacy" foreign/cadenza.so
    sed '/^module = /d' bare >other
    export OPENSSL_CONF=$PWD/other OPENSSL_MODULES=$PWD/foreign
    code 13 "another provider under the name" look
    says "is not cadenza or cannot be loaded"
    unset OPENSSL_MODULES
else
    echo "SKIP (part): no legacy.so: no other provider under cadenza's name"
fi
sed 's/^algorithms = .*/algorithms = arai/' bare >words
export OPENSSL_CONF=$PWD/words
code 13 "a word that is none" look
says "the words are aria and aes"
export OPENSSL_CONF=$PWD/bare OPENSSL_MODULES=$PWD/foreign
code 0 "a path in the configuration counts, not the environment" look
unset OPENSSL_CONF OPENSSL_MODULES
mkdir 'a $b #c'
cp "$modules/cadenza.so" 'a $b #c/'
printf '[a]\n' >strange
export OPENSSL_CONF=$PWD/strange OPENSSL_MODULES=$PWD/'a $b #c'
code 13 "a strange path" look
cadenza openssl --lines >>strange
unset OPENSSL_MODULES
code 0 "a strange path" look
says "module: $PWD/a \$b #c/cadenza.so ("
unset OPENSSL_CONF

code 6 "no libcrypto" cadenza openssl --libcrypto ./none.so >out
said "libssl3"
code 13 "something else" cadenza openssl --libcrypto libm.so.6 >out
said "is no libcrypto of OpenSSL 3"
code 2 "both" cadenza openssl --lines --standalone
code 2 "--aes alone" cadenza openssl --aes
code 2 "a word" cadenza openssl words
done_testing
