#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the documents name exists: files and presets. (The modes are compared by tests/test_docs.c.)
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
exit $bad
