#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench: one call of every row, on every engine, checked; its outputs; comparisons; honest refusals. No times are looked
# at but where they differ many times over.
# shellcheck source=tests/cli/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# every cipher, mode, direction and key length, on every engine that this CPU can run
code 0 "every row" cadenza bench --quick --engine all '*' >all
modes=$(cadenza --version | sed -n 's/^modes: //p')
for mode in $modes; do
    for cipher in ARIA-128 ARIA-192 ARIA-256 AES-128 AES-192 AES-256; do
        [[ $mode = XTS || $mode = GCM-SIV ]] && [[ $cipher = *-192 ]] && continue
        checks=$((checks + 1))
        [ "$(grep -cE "^$cipher-$mode +(enc|dec|mac|verify) " all)" -ge 2 ] || bad "no two directions of $cipher-$mode"
    done
done
for engine in $(cadenza cpu | awk '$2 == "used" || $2 == "usable" { print $1 }'); do
    check "rows of $engine" grep -qE "[ +]$engine(\+|\$)" all
done
check "every row has a figure" [ "$(grep -cE '^A' all)" = "$(grep -cE '^A[A-Z0-9-]+ +(enc|dec|mac|verify) +-?[0-9.]+ ' all)" ]
some='*' # under an emulator all of it takes minutes
[ -z "${CDZ_EMULATOR:-}" ] || some='*-128-*'
code 0 "sizes" cadenza bench --quick --engine all --sizes 16,17,64,1420,4096 "$some" >sizes
check "17 bytes are not for ECB" [ "$(grep -cE '^ARIA-128-ECB +enc +17 ' sizes)" = 0 ]
check "but for CTR" grep -qE '^ARIA-128-CTR +enc +17 ' sizes
cadenza bench --quick --tcrypt aes-256-gcm >tcrypt
for n in 16 64 128 256 1024 1420 4096 16384; do
    check "$n bytes" grep -qE "^AES-256-GCM +dec +$n " tcrypt
done
check "said twice it is the same" [ "$(cadenza bench --quick --tcrypt --tcrypt aes-256-gcm | grep -c '^AES-256-GCM ')" = 16 ]
code 0 "keys" cadenza bench --quick --key --engine all >keys
check "keys of all lengths" [ "$(awk '{ print $1 }' keys | grep -cE '^(ARIA|AES)-(128|192|256)-KEY$')" -ge 6 ]
code 0 "batches" cadenza bench --quick --batch 7 --engine all 'aria-128-*' 'aes-256-*' >batches
check "batches" grep -qE '^AES-256-GCM-SIV x7 +dec +1024 ' batches
for row in 'ARIA-128-CMAC x7 +mac' 'ARIA-128-CMAC x7 +verify' 'AES-256-GMAC x7 +mac' 'AES-256-GMAC x7 +verify'; do
    check "batches of MACs: $row" grep -qE "^$row +1024 " batches
done
code 0 "files" cadenza bench --quick --file aria-256 aes-128 >files
check "files" [ "$(grep -cE '^(ARIA-256|AES-128)-(GCM|GCM-SIV|OCB|CCM|EAX) file +(enc|dec) +(100|200000) ' files)" = 40 ]
code 0 "threads" cadenza bench --quick --threads 3 aria-128-ctr aes-128-gcm aria-128-cbc-pkcs7 >threads
check "threads" [ "$(grep -c ' 3 threads ' threads)" = 6 ]
code 0 "threads that are the first to ask for the time" cadenza bench --quick --mhz 2000 --threads 3 --file --sizes 100 aria-128-gcm >out

# names: one cipher, the beginning of names, patterns, OpenSSL's spelling
count() { cadenza bench --quick "$@" | grep -cE '^A[A-Z0-9-]+ '; }
check "a name is one cipher" [ "$(count aria-128-gcm)" = 2 ]
check "one direction" [ "$(count --direction dec aria-128-gcm)" = 1 ]
check "another spelling" [ "$(count aes-256-cfb128)" = 2 ]
check "a beginning is the usual modes" [ "$(count aes-192)" -lt "$(count 'aes-192-*')" ]
check "a pattern" [ "$(count '*-gcm')" = 12 ]
check "the default" [ "$(count)" -ge 40 ]

# the engine that was asked for is the one in the row; a mask changes it
check "an engine" [ "$(cadenza bench --quick --engine aria/portable aria-128-ctr | grep -c 'aria/portable$')" = 2 ]
check "two" [ "$(cadenza bench --quick --engine aes/portable+ghash/portable aes-128-gcm | grep -c ' aes/portable+ghash/portable$')" = 2 ]
all=$(cadenza cpu | sed -n 's/^features: //p' | tr ' ' '\n' | sed '/^$/d;s/^/-/' | paste -sd, -)
if [ "$all" != "-none,-that,-cadenza,-uses" ]; then
    check "the mask" [ "$(cadenza bench --quick "--cpu=$all" aria-128-ctr aes-128-gcm | grep -cE 'a(ria|es)/portable(\+ghash/portable)?$')" = 4 ]
fi

code 3 "unknown engine" cadenza bench --engine aria/none >/dev/null
code 3 "unknown cipher" cadenza bench --quick aria-128-none >out
check "nothing was printed" [ ! -s out ]
code 3 "one of two is unknown" cadenza bench --quick aria-128-ctr aria-128-none >out
check "nothing was printed" [ ! -s out ]
said "aria-128-none"
code 3 "a pattern of nothing" cadenza bench --quick 'des-*' >out
check "nothing was printed" [ ! -s out ]
code 3 "an engine of another cipher" cadenza bench --quick --engine aes/portable aria-128-ctr >out
check "nothing was printed" [ ! -s out ]
code 3 "no files of CBC" cadenza bench --quick --file aria-128-cbc >out
code 3 "no batches of key wrapping" cadenza bench --quick --batch 4 aria-128-kw >out
code 4 "no rounds" cadenza bench --rounds 0 >out
code 4 "no size" cadenza bench --sizes 16,,32 >out
code 4 "sizes that the mode does not take" cadenza bench --quick --sizes 17 aria-128-ecb >out
code 4 "no clock rate" cadenza bench --mhz 0 >out
code 4 "no direction" cadenza bench --direction up >out
code 3 "no such library" cadenza bench --peer none >out
code 2 "two things at once" cadenza bench --key --file >out
check "nothing was printed" [ ! -s out ]

# a given clock rate
check "cycles by the rate that is given" awk '$1 == "AES-128-ECB" { n++; if ($4 * 2 - $3 > 2 || $3 - $4 * 2 > 2) exit 1 } END { exit n != 1 }' \
    <(cadenza bench --quick --mhz 2000 --direction enc --sizes 65536 aes-128-ecb | awk '$1 == "AES-128-ECB" { print $1, $2, $5, $6 }')

# the engines that are named are those that run: instructions for AES are many times as fast as slices
if [ -z "${CDZ_EMULATOR:-}${CDZ_SANITIZED:-}" ] && cadenza cpu | grep -qE 'aes/(aesni|vaes-avx2|vaes-avx512) +(used|usable)'; then
    cadenza bench --rounds 5 --engine all --direction enc --sizes 4096 --csv aes-128-ecb >engines.csv
    check "aes/portable takes more than 3 times as long as aes/aesni" awk -F, \
        '$7 == "aes/aesni" { a = $10 } $7 == "aes/portable" { p = $10 } END { exit !(a > 0 && p > 3 * a) }' engines.csv
else
    echo "SKIP: whether the engine named runs by its speed: no AES instructions, an emulator or a sanitizer"
fi

# JSON, and what is made of it
code 0 "JSON" cadenza bench --rounds 9 --sizes 64,4096 --json aria-128-ctr aes-128-gcm >one.json
code 0 "a table from JSON" cadenza bench --from one.json >table
check "its rows" [ "$(grep -cE '^A.*(64|4096) ' table)" = 8 ]
code 0 "JSON from JSON" cadenza bench --from one.json --json >two.json
same one.json two.json "JSON read and written"
if command -v python3 >/dev/null; then
    check "it is JSON" python3 -c 'import json,sys; r = json.load(open("one.json")); sys.exit(not (len(r["results"]) == 4 and all(len(p["rounds"]) == 9 for x in r["results"] for p in x["points"])))'
fi
code 0 "CSV" cadenza bench --from one.json --csv >one.csv
check "CSV: a line a point, as many fields everywhere" [ "$(awk -F, '{ print NF }' one.csv | sort | uniq -c | tr -s ' ')" = " 9 18" ]
code 0 "Markdown" cadenza bench --from one.json --markdown >one.md
check "Markdown: as many cells everywhere" [ "$(grep '^|' one.md | awk -F'|' '{ print NF }' | sort -u | wc -l)" = 1 ]
code 6 "no file" cadenza bench --from missing.json >/dev/null
for what in aria-128-ctr --sizes=64 --tcrypt --key --peers --peer=openssl --gcrypt-deny=intel-aesni --engine=all --batch=4 --file \
    --direction=enc --threads=2 --rounds=5 --mhz=2000 --quick; do
    code 2 "--from with $what" cadenza bench --from one.json "$what" >out
    said "--from shows results; it measures nothing"
    check "nothing was printed" [ ! -s out ]
done
for damage in 's/"points"/"point"/' 's/cadenza bench 1/cadenza bench 9/' 's/"mhz": /"mhz": -/' 's/"threads": 1/"threads": 100000/' \
    's/"rounds": \[[0-9]/"rounds": ["a"/' 's/"library": "[a-z]*"/"library": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"/' \
    's/"rounds": \[[0-9.]*,/"rounds": [0,/' 's/"rounds": \[[0-9.]*,/"rounds": [1e-7,/' 's/"rounds": \[[0-9.]*,/"rounds": [1e16,/' \
    's/"bytes": 64,/"bytes": 0,/'; do
    sed "$damage" one.json >damaged.json
    check "the damage was done" [ "$(cmp -s one.json damaged.json && echo same)" = "" ]
    code 5 "damage: $damage" cadenza bench --from damaged.json >out
    check "nothing was printed" [ ! -s out ]
done
for n in 0 1 100 1000; do
    head -c "$n" one.json >cut.json
    code 5 "cut after $n bytes" cadenza bench --from cut.json >out
done
printf '{"a"' >cut.json
code 5 "cut after a name" cadenza bench --from cut.json >out
said "a name without a colon at byte 4"
# a result needs a point, and a line two
points() { # N SLOPE: one result with so many points
    local i list=
    for ((i = 1; i <= $1; i++)); do list+="${list:+, }{\"bytes\": $((i * 1000)), \"cycles\": 0, \"rounds\": [${i}00, ${i}01]}"; done
    sed '/^  {"algorithm"/,$d' one.json
    echo '{"algorithm": "AES-128-CTR", "direction": "enc", "call": "message", "library": "cadenza", "engine": "aes/portable",'
    echo "\"messages\": 1, \"threads\": 1, \"slope\": $2, \"wrong\": false, \"mhz\": 0, \"mhz_spread\": 0, \"points\": [$list]}]}"
}
for n in 0 1 2; do
    for slope in true false; do
        want=0
        [ "$n" -ge 1 ] && { [ "$n" = 2 ] || [ $slope = false ]; } || want=5
        points $n $slope >points.json
        rm -f points.html
        code $want "$n points, slope $slope" cadenza bench --from points.json --html points.html >out
        [ $want = 0 ] || absent points.html
        [ $want = 5 ] || check "the result is on the page" grep -q '>aes/portable<' points.html
    done
done

# HTML: one page, nothing from elsewhere, all rows in it, names escaped
code 0 "HTML" cadenza bench --from one.json --html one.html >out
check "nothing from elsewhere" [ "$(grep -cE 'https?:|<script|<link|<img|@import|url\(' one.html)" = 0 ]
check "a plot for each" [ "$(grep -c '<polyline' one.html)" = 4 ]
check "bars for each, and figures" [ "$(grep -c '<rect' one.html)" = 4 ] && check "a table" [ "$(grep -c '^<tr>' one.html)" = 8 ]
code 0 "HTML of a line and of keys" cadenza bench --quick --html line.html aria-128-ctr >out
check "it says that it is no measurement" grep -q 'no measurement' line.html
code 0 "HTML of keys" cadenza bench --quick --key --html keys.html >out
check "bars of keys" [ "$(grep -c '<rect' keys.html)" -ge 6 ]
code 0 "before and after" cadenza bench --from one.json --compare two.json --html both.html >out
check "before and after" [ "$(grep -c 'ns/B</text>' both.html)" = 8 ]
sed 's/"cpu": "[^"]*"/"cpu": "<b>\&\\"<\/b>"/' one.json >strange.json
code 0 "strange names" cadenza bench --from strange.json --html strange.html >out
check "are escaped" grep -qF '&lt;b&gt;&amp;&quot;&lt;/b&gt;' strange.html
sed 's/"engine": "a/"engine": "<a/' one.json >strange.json
code 5 "engines have no such names" cadenza bench --from strange.json --html strange.html >out
if command -v python3 >/dev/null; then
    for page in one line keys both; do
        check "$page.html: tags are closed" python3 -c '
import html.parser, sys
class P(html.parser.HTMLParser):
    open, bad = [], 0
    def handle_starttag(self, tag, attrs):
        if tag not in ("meta",): self.open.append(tag)
        self.bad += len(attrs) != len({a for a, _ in attrs})
    def handle_startendtag(self, tag, attrs): pass
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag: self.bad += 1
p = P(); p.feed(open(sys.argv[1], encoding="utf-8").read()); p.close()
sys.exit(p.bad != 0 or p.open != [])' "$page.html"
    done
fi
code 10 "a page over its directory" cadenza bench --from one.json --html . >/dev/null
code 7 "a page nowhere" cadenza bench --from one.json --html none/page.html >/dev/null
code 2 "a page among the results" cadenza bench --from one.json --html - >out
said "--html"
check "nothing was printed" [ ! -s out ]

# compare: the same is not slower; a row twice as slow is, but not beyond a threshold of 200 %
code 0 "the same" cadenza bench --from one.json --compare one.json >same
check "no change" [ "$(grep -c ' +0.0% ' same)" = 8 ]
# times that do not depend on this machine; the second point's rounds, twice as long
sed 's/"rounds": \[[0-9][^]]*\]/"rounds": [100, 101, 102, 103, 104, 105, 106, 107, 108]/' one.json >fixed.json
awk '{
    at = index($0, "\"rounds\": [")
    if (at == 0 || ++n != 2) { print; next }
    head = substr($0, 1, at + 10)
    rest = substr($0, at + 11)
    end = index(rest, "]")
    m = split(substr(rest, 1, end - 1), v, ",")
    for (i = 1; i <= m; i++) head = head (i > 1 ? ", " : "") sprintf("%.6g", 2 * v[i])
    print head substr(rest, end)
}' fixed.json >slow.json
code 26 "a row is slower" cadenza bench --from slow.json --compare fixed.json >slower
check "one row" [ "$(grep -c SLOWER slower)" = 1 ]
said "1 of 8 rows"
code 2 "a threshold of nothing" cadenza bench --from slow.json --threshold 200
said "--threshold is for --compare"
code 0 "a threshold" cadenza bench --from slow.json --compare fixed.json --threshold 200 --html slow.html >/dev/null
check "on the page too" [ "$(grep -c ' slower</text>' slow.html)" = 0 ]
code 26 "a row is slower" cadenza bench --from slow.json --compare fixed.json --html slow.html >/dev/null
check "on the page too" [ "$(grep -c ' slower</text>' slow.html)" = 1 ]
code 0 "faster" cadenza bench --from fixed.json --compare slow.json >/dev/null
code 5 "nothing to compare" cadenza bench --quick aria-256-ofb --compare one.json >/dev/null

# other libraries, where there are some
if cadenza bench --quick --peers --sizes 64,4096 --json '*' >peers.json 2>err; then
    for library in $(sed -n 's/^  {"name": "\([a-z]*\)", "version".*/\1/p' peers.json | grep -v cadenza); do
        check "rows of $library" grep -q "\"library\": \"$library\"" peers.json
        echo "compared with $library"
    done
    check "all agree" [ "$(grep -c '"wrong": true' peers.json)" = 0 ]
    code 0 "ratio" cadenza bench --from peers.json >table
    check "a ratio" grep -qE '^AES-128-CBC +enc +4096 .* [0-9]+\.[0-9]{2}$' table
    code 0 "keys" cadenza bench --quick --key --peers --json >keys.json
    check "keys agree" [ "$(grep -c '"wrong": true' keys.json)" = 0 ]
    code 0 "batches" cadenza bench --quick --batch 5 --peers --json aes-128 >batch.json
    check "batches agree" [ "$(grep -c '"wrong": true' batch.json)" = 0 ]
else
    echo "SKIP: none of the other libraries can be loaded here"
fi
code 6 "a library that is not there" cadenza bench --quick --peer openssl=./none.so >out
code 6 "one that is another" cadenza bench --quick --peer botan=libc.so.6 >out

# interrupted: what there is is printed, and the signal ends it
interrupted() { # FILE ARGS...: its exit code
    local out=$1 child=
    shift
    "${cdz_run[@]}" bench --rounds 10000 --engine aria/portable "$@" >"$out" 2>/dev/null &
    child=$!
    sleep 2
    kill -INT "$child"
    wait "$child"
}
if [ -z "${CDZ_EMULATOR:-}" ]; then
    set -m # else a job in the background ignores SIGINT
    got=0
    interrupted stopped aria-128-ecb aria-256-ofb || got=$?
    check "ended by the signal: $got" [ "$got" = 130 ]
    check "what there was is printed" grep -qE '^ARIA-128-ECB +enc +[0-9.]+ ' stopped
    got=0
    interrupted stopped.json --json aria-128-ecb aria-256-ofb || got=$?
    check "ended by the signal: $got" [ "$got" = 130 ]
    set +m
    code 0 "what there was is JSON" cadenza bench --from stopped.json >stopped
    check "it says so" grep -q 'broken off' stopped
fi
done_testing
