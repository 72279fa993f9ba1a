#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the documents name exists: files and presets. cadenza(3) names the functions of the header, and the manual pages each
# other. (The modes are compared by tests/test_docs.c.)
set -euo pipefail
cd "$CDZ_SOURCE_DIR"
bad=0
complain() {
    echo "$*"
    bad=1
}

# Files and directories named in the documents. (build/... is made, OUT and the like are arguments.)
for doc in *.md docs/*.md; do
    for path in $(grep -oE '\b(src|tests|docs|cmake|cli|bench|provider|scripts|include|\.ci)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' "$doc" | sort -u); do
        case $path in */ARCH* | *CIPHER_* | *ALGORITHM_*) continue ;; esac
        [ -e "$path" ] || complain "$doc names $path, which is not there"
    done
done

# Presets named after --preset.
for preset in $(grep -ohE -- '--preset [a-z0-9-]+' ./*.md docs/*.md | cut -d' ' -f2 | sort -u); do
    grep -q "\"name\": \"$preset\"" CMakePresets.json || complain "no such preset: $preset"
done

# Functions: those of the header, and those of cadenza(3).
functions() { grep -v '^#' "$1" | grep -oE '\bcdz_[a-z0-9_]+\b' | sort -u; }
declared=$(grep '^CDZ_API' include/cadenza.h | grep -oE '\bcdz_[a-z0-9_]+\(' | tr -d '(' | sort -u)
[ "$(wc -l <<<"$declared")" = "$(grep -c '^CDZ_API' include/cadenza.h)" ] || complain "include/cadenza.h is not read as it should be: $declared"
for name in $(comm -23 <(echo "$declared") <(functions docs/man/cadenza.3)); do complain "cadenza(3) does not name $name()"; done
for name in $(comm -13 <(functions include/cadenza.h) <(cat docs/man/* | functions -)); do
    complain "a manual page names $name, which include/cadenza.h has not"
done

# Manual pages: each has all others under SEE ALSO.
for page in docs/man/*; do
    seen=$(sed '1,/^\.S[hH] SEE ALSO/d' "$page" | tr -d '\\')
    for other in docs/man/*; do
        name=$(basename "$other")
        [ "$page" = "$other" ] || grep -qE "^\.(BR|Xr) ${name%.*} \(?${name##*.}\)?( ?,)?$" <<<"$seen" ||
            complain "$page does not name ${name%.*}(${name##*.})"
    done
done
exit $bad
