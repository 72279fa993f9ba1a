#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# No x86 object has an instruction that the run-time check of its engine does not ask for: one too many is a SIGILL on a CPU
# that nobody here owns. Every instruction of every object of the library is put down to its extensions. An engine's
# object (src/x86/CIPHER_TIER.c) may use what the engine needs (src/engines.inc.h, which tests/test_cpu.c compares with
# the engine itself), what that builds on, and what the hash needs whose fused functions it has; every other object may use
# what all x86-64 CPUs have. No CPU is needed for it.
set -euo pipefail
OBJDUMP=${OBJDUMP:-objdump} NM=${NM:-nm}
objects=$CDZ_BUILD_DIR/CMakeFiles/cadenza_objects.dir/src

# Reads "mnemonic operands" lines and prints, for each kind of instruction that `allowed` does not cover, the extensions
# that are missing and an example.
classify() {
    awk -v allowed=" $1 " '
    function add(x) { if (index(need, " " x " ") == 0) need = need x " " }
    {
        line = $0
        gsub(/<[^>]*>/, "", line) # names of symbols
        sub(/^(lock|rep|repz|repnz|notrack|bnd|data16|cs|ds|rex\.W) +/, "", line)
        sub(/^(lock|rep|repz|repnz|notrack|bnd|data16|cs|ds|rex\.W) +/, "", line)
        split(line, part, /[ \t]/)
        m = part[1]
        need = " "
        zmm = line ~ /%zmm/; ymm = line ~ /%ymm/; xmm = line ~ /%xmm/
        evex = zmm || line ~ /%k[0-7]/ || line ~ /%[xy]mm(1[6-9]|2[0-9]|3[01])/ || line ~ /\{/
        if (m ~ /^v?(aes(enc|dec|imc|keygen))/) {
            if (zmm || ymm || evex) add("vaes"); else add("aesni")
        } else if (m ~ /pclmul/) {
            if (zmm || ymm || evex) add("vpclmul"); else add("pclmul")
        } else if (m ~ /gf2p8/) add("gfni")

        if (evex) {
            add("avx512f")
            if (!zmm && (xmm || ymm)) add("avx512vl")
            if (m ~ /^v(permb|permi2b|permt2b|pmultishiftqb)$/) add("avx512vbmi")
            else if (m ~ /^v(pshld|pshrd|pcompress[bw]|pexpand[bw])/) add("avx512vbmi2")
            else if (m ~ /^vpopcnt/) add("avx512popcnt")
            else if (m ~ /^v(plzcnt|pconflict|pbroadcastm)/) add("avx512cd")
            else if (m ~ /^vpmadd52/) add("avx512ifma")
            else if (m ~ /^v((and|andn|or|xor)p[sd]|(broadcast|insert|extract)[if](32x2|64x2|32x8)|pmullq|pmov[dq]2m|pmovm2[dq]|fpclass|range|reduce)/ ||
                     m ~ /^k.*b$/ || m ~ /^kaddw$|^ktestw$/) add("avx512dq")
            else if (m ~ /^k(mov|and|or|xor|not|shift[lr]|add|test|unpck).*[dq]$/ && m !~ /^kunpckbw/) add("avx512bw")
            else if (m ~ /^v(movdqu(8|16)|p(add|sub|cmp|cmpu|cmpeq|cmpgt|min[su]|max[su]|shuf|avg|abs|blendm|broadcast|test[n]*m|mov[su]?wb|movm2)[bw]$|padds|paddus|psubs|psubus|punpck[lh](bw|wd)|palignr|psll(w|dq)|psrl(w|dq)|psraw|psllvw|psrlvw|psravw|permw|permi2w|permt2w|packs|packus|pmadd|pmulhw|pmullw|pmulhuw|pmulhrsw|pshufb|pshuf[lh]w|pmov[sz]xbw|psadbw|dbpsadbw|pinsr[bw]|pextr[bw])/)
                add("avx512bw")
        } else if (m ~ /^v(err|erw|mcall|mrun)/) {
        } else if (m ~ /^v/) {
            add("avx")
            if (ymm && m !~ /^v(mov(dq[ua]|[ua]p[sd]|nt|s[hl]dup|ddup|msk)|(xor|and|andn|or|add|sub|mul|div|min|max|cmp[a-z]*|sqrt|round|blend|blendv|shuf|hadd|rcp|rsqrt)p[sd]|insertf128|extractf128|perm2f128|permilp|broadcastf128|broadcasts[sd]|zero|ptest|testp|unpck[lh]p|lddqu|maskmovp|cvt)/ && m !~ /aes|pclmul|gf2p8/)
                add("avx2")
            if (m ~ /^v(pbroadcast|pblendd|ps[lr]lv|psrav|broadcasti128|inserti128|extracti128|perm[dq]$|permp[sd]|pmaskmov|p?gather|perm2i128)/) add("avx2")
            if (m ~ /^vbroadcasts[sd]/ && line !~ /\(/) add("avx2")
        } else if (m ~ /^(pshufb|phadd|phsub|pmaddubsw|pmulhrsw|psign|palignr|pabs[bwd])/) add("ssse3")
        else if (m ~ /^(movddup|movs[hl]dup|lddqu|addsubp|haddp|hsubp)/) add("ssse3")
        else if (m ~ /^(pblendvb|blendvp|pblendw|blendp|pmins[bd]|pminu[wd]|pmaxs[bd]|pmaxu[wd]|pmuldq|pmulld|pmov[sz]x|ptest|pinsr[bdq]|pextr[bdq]|round[sp]|packusdw|pcmpeqq|movntdqa|insertps|extractps|dpp[sd]|mpsadbw|phminposuw)/) add("sse4.1")
        else if (m ~ /^(pcmpgtq|pcmp[ei]str|crc32)/) add("sse4.2")
        else if (m ~ /^sha(1|256)/) add("sha")
        else if (m ~ /^(andn[lq]?|bextr[lq]?|bls(i|r|msk)[lq]?)$/) add("bmi1")
        else if (m ~ /^(bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx)[lq]?$/) add("bmi2")
        else if (m ~ /^lzcnt/) add("lzcnt")
        else if (m ~ /^popcnt/) add("popcnt")
        else if (m ~ /^movbe/) add("movbe")
        else if (m ~ /^ad[co]x/) add("adx")
        # tzcnt is not here: compilers emit it as a bsf that may run faster, and old CPUs run it as bsf.

        n = split(need, all, " ")
        missing = ""
        for (i = 1; i <= n; i++) if (index(allowed, " " all[i] " ") == 0) missing = missing " " all[i]
        if (missing != "" && !(m missing in seen)) { seen[m missing] = 1; print "   " missing ":  " $0 }
    }'
}

# What a word brings with it (src/cpu.c, and x86 itself for sse4.2, which every CPU with AVX has).
implied() {
    local w
    for w in "$@"; do
        case $w in
        ssse3) echo ssse3 ;;
        sse4.1) echo "ssse3 sse4.1" ;;
        aesni | pclmul | gfni) echo "ssse3 sse4.1 $w" ;;
        avx) echo "ssse3 sse4.1 sse4.2 avx" ;;
        avx2) implied avx; echo avx2 ;;
        vaes) implied avx2; echo "aesni vaes" ;;
        vpclmul) implied avx2; echo "pclmul vpclmul" ;;
        avx512f) implied avx2; echo avx512f ;;
        avx512bw | avx512vl) implied avx512f; echo "$w" ;;
        avx512vbmi) implied avx512bw; echo "$w" ;;
        *) echo "$w" ;;
        esac
    done
}

# First the checker itself: each of these must be found to need just that.
while IFS='|' read -r instruction expected; do
    for word in $expected; do
        # Everything else allowed: the word must be missed. The expected words allowed: nothing must be.
        others=$(printf '%s\n' $expected | grep -vxF "$word" | paste -sd' ' || true)
        echo "$instruction" | classify "$others" | grep -q "$word" || { echo "checker: $instruction does not need $word"; exit 1; }
    done
    rest=$(echo "$instruction" | classify "$expected")
    [ -z "$rest" ] || { echo "checker: $instruction needs more than '$expected': $rest"; exit 1; }
done <<'END'
mov    %rdi,%rax|
pxor   %xmm1,%xmm0|
pminub %xmm1,%xmm0|
tzcnt  %eax,%eax|
pshufb %xmm1,%xmm0|ssse3
pinsrq $0x1,%rax,%xmm0|sse4.1
pcmpgtq %xmm1,%xmm0|sse4.2
aesenc %xmm1,%xmm0|aesni
vaesenc %xmm1,%xmm0,%xmm0|aesni avx
vaesenc %ymm1,%ymm0,%ymm0|vaes avx
vaesenc %zmm1,%zmm0,%zmm0|vaes avx512f
gf2p8affineqb $0x0,%xmm1,%xmm0|gfni
vgf2p8affineinvqb $0x63,%ymm1,%ymm0,%ymm0|gfni avx
vgf2p8affineinvqb $0x63,(%rax){1to8},%zmm0,%zmm0|gfni avx512f
pclmullqlqdq %xmm1,%xmm0|pclmul
vpclmulqdq $0x11,%ymm1,%ymm0,%ymm0|vpclmul avx
vmovdqu (%rdi),%ymm0|avx
vpxor  %xmm1,%xmm0,%xmm0|avx
vpxor  %ymm1,%ymm0,%ymm0|avx avx2
vpbroadcastd %xmm1,%xmm0|avx avx2
vbroadcastss (%rax),%ymm0|avx
vbroadcastss %xmm0,%ymm0|avx avx2
vinserti128 $0x1,%xmm1,%ymm0,%ymm0|avx avx2
vzeroupper|avx
vpternlogq $0x96,%zmm2,%zmm1,%zmm0|avx512f
vpternlogq $0x96,%ymm2,%ymm1,%ymm0{%k1}|avx512f avx512vl
vpxor  %ymm17,%ymm0,%ymm0|avx512f avx512vl
vmovdqu8 (%rdi),%zmm0{%k1}{z}|avx512f avx512bw
vpshufb %zmm1,%zmm0,%zmm0|avx512f avx512bw
kmovq  %rax,%k1|avx512f avx512bw
kmovb  %eax,%k1|avx512f avx512dq
vpermb %zmm1,%zmm0,%zmm0|avx512f avx512vbmi
vinserti64x2 $0x1,%xmm1,%zmm0,%zmm0|avx512f avx512dq
andn   %rax,%rbx,%rcx|bmi1
shlx   %rax,%rbx,%rcx|bmi2
popcnt %rax,%rax|popcnt
movbe  (%rdi),%rax|movbe
END

list=$CDZ_SOURCE_DIR/src/engines.inc.h
needs_of() { sed -nE "s/^[EH]\(cdz_$1, \"(.*)\"\)$/\1/p" "$list"; }
checked=0 bad=0
while read -r object; do
    stem=$(basename "$object" .c.o)
    words=$(needs_of "$stem")
    # Fused functions run only when the hash that they name is bound to the key, and that has needs of its own.
    for hash in $("$NM" "$object" | sed -nE 's/^.* U cdz_(ghash_[a-z0-9_]+)$/\1/p'); do
        [ -z "$words" ] || words="$words $(needs_of "$hash")"
    done
    # shellcheck disable=SC2086
    may=$(implied $words | paste -sd' ')
    [ "$stem" != cpu_x86 ] || may=""
    # Clears whatever registers there are, and asks which.
    [ "$stem" != clear_x86 ] || may=$(implied avx512vl | paste -sd' ')
    found=$("$OBJDUMP" -d --no-show-raw-insn "$object" | sed -nE 's/^ +[0-9a-f]+:\t(.*)$/\1/p' | classify "$may")
    checked=$((checked + 1))
    if [ -n "$found" ]; then
        bad=$((bad + 1))
        printf '%s (needs: %s) has instructions beyond that:\n%s\n' "${object#"$objects"/}" "${words:-nothing}" "$found" | head -20
    fi
done < <(find "$objects" -name '*.c.o')
[ "$checked" -gt 5 ] || { echo "only $checked objects found in $objects"; exit 1; }
echo "$checked objects checked, $bad with instructions that they must not have"
[ "$bad" = 0 ]
