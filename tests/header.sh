#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cadenza.h compiles alone, as the first thing in a file, as C99 to C17 and as C++ (where a C++ compiler is installed).
set -euo pipefail
h=$CDZ_SOURCE_DIR/include/cadenza.h
strict=(-fsyntax-only -pedantic-errors -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror)
for std in c99 c11 c17 gnu11; do
    printf '#include "%s"\nstatic size_t (*f)(const char *) = cdz_cipher_size;\nint main(void) { return f == 0; }\n' "$h" |
        "$CC" -x c -std=$std "${strict[@]}" -
done
cxx=
for candidate in "${CXX:-}" g++ clang++; do
    if [ -n "$candidate" ] && echo 'int main() { return 0; }' | "$candidate" -x c++ -fsyntax-only - 2>/dev/null; then cxx=$candidate; fi
done
if [ -z "$cxx" ]; then echo "SKIP: no C++ compiler"; exit 77; fi
for std in c++98 c++11 c++20; do
    # long long is older than C++98's standard in every compiler, and stdint.h needs it.
    printf '#include "%s"\nint main() { cdz_info i; return cdz_describe(&i, 0) == CDZ_OK; }\n' "$h" |
        "$cxx" -x c++ -std=$std "${strict[@]}" -Wno-long-long -
done
