#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_hostile.sh HIT HOSTILE: names that are commands elsewhere, in every place of the tool and of what programs
# write: nothing is run, terminals do nothing, JSON and SVG can be read. HOSTILE launches a kernel of such a name.
set -u
hit=$1 hostile=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME="$dir/cache" LC_ALL=C
cd "$dir" || exit 2
failed=0

# what gnuplot is asked to do, and what it would print; the real one has its turn below
mkdir bin
printf '#!/bin/sh\ncat >"%s/script"\nprintf picture\n' "$dir" >bin/gnuplot
chmod +x bin/gnuplot

complain() {
    echo "$1; the name is"
    printf '%s\n' "$name" | cat -v
    failed=1
}

# plain FILE WHAT: no character in it that a terminal obeys, and no byte that is no UTF-8
plain() {
    if tr -d '\n' <"$1" | grep -q '[[:cntrl:]]' || grep -q "$(printf '\302[\200-\237]\|\342\200[\252-\256]')" "$1" ||
        ! iconv -f utf-8 -t utf-8 "$1" >/dev/null 2>&1; then
        complain "$2 says what a terminal obeys: $(cat -v "$1")"
    fi
}

# tool WORD...: what it answers is plain, and it ends by itself
tool() {
    timeout 300 "$hit" "$@" >out 2>&1 </dev/null
    code=$?
    [ $code -lt 124 ] || complain "hit $1 ended with $code"
    plain out "hit $1 $2"
}

# json FILE WHAT: each line is JSON
json() {
    plain "$1" "$2"
    command -v python3 >/dev/null || return 0
    python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)' "$1" 2>/dev/null || complain "$2 is no JSON: $(cat -v "$1")"
}

svg() {
    plain "$1" "$2"
    command -v python3 >/dev/null || return 0
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" 2>/dev/null || complain "$2 is no XML"
}

# in every place where a word is expected
words() {
    tool "$name" -
    tool "--$name" -
    tool help "$name"
    tool info "$name"
    tool infer "./$name"
    tool new "$name"
    tool plan "$name" --domain 50x50 --device-memory 1MiB
    tool plan heat "--domain=$name" --device-memory 1MiB
    tool plan heat --domain 50x50 "--device-memory=$name"
    tool plan heat --domain 50x50 --device-memory 1MiB "--type=$name"
    tool layout "$name" block
    tool layout print "$name" --domain 5x5 --ranks 2
    tool layout print "block:grid=$name" --domain 5x5 --ranks 2
    tool layout print "fpm:models=$name" --domain 5x5 --ranks 2
    tool layout draw block --domain 5x5 "--ranks=$name"
    tool layout draw block --domain 5x5 --ranks 2 --out "no/$name"
    tool model show "$name"
    tool model clear "$name"
    tool model measure "$name" --size 5
    tool model measure heat "--size=$name"
    tool model measure heat --size 5 "--devices=$name"
    tool partition "$name" --units 5
    tool partition even --units 5 "./$name"
    tool partition even --units 5 "@$name"
    tool schedule "$name" --machine host
    tool schedule cholesky "--machine=$name"
    tool schedule cholesky --machine host "--scheduler=$name"
    tool trace draw "./$name"
    tool trace draw trace.json "--launches=$name"
    for words in "plan|$name|--domain|5x5" "partition|even|--units|5|./$name" "schedule|cholesky|--machine|$name" \
        "model|measure|$name|--size|5"; do
        (
            IFS='|'
            # shellcheck disable=SC2086
            "$hit" $words --json >out 2>errors
        )
        json out "hit $words --json"
    done
}

# in the names of files, and in what they hold
files() {
    printf '# hit model 1\nkind functional\n100 5\n200 6\n' >"$name.fpm" || return
    PATH=$dir/bin:$PATH "$hit" model plot "./$name.fpm" --out "./$name" >out 2>&1 || complain "hit model plot fails: $(cat out)"
    plain out "hit model plot"
    if [ ! -f "./$name.dat" ] || [ ! -f "./$name.png" ]; then
        complain "hit model plot has not written $name.png"
    fi
    if [ "$(grep -cv '^set \|^plot .-. using\|^[0-9.e+-]* [0-9.e+-]*$\|^e$' script)" != 0 ]; then
        complain "gnuplot is asked for more: $(cat -v script)"
    fi
    grep -q '^set title "[^"`$@]*" noenhanced$' script || complain "a title is not quoted: $(grep title script | cat -v)"
    if command -v gnuplot >/dev/null; then
        "$hit" model plot "./$name.fpm" --out "./$name" >out 2>&1 || complain "gnuplot fails"
        plain out "hit model plot"
    fi
    "$hit" partition even --units 5 "./$name.fpm" >out 2>&1 || complain "hit partition fails: $(cat out)"
    plain out "hit partition"
    printf '# hit model 1\nkind %s\n' "$name" >bad.fpm
    tool partition even --units 5 bad.fpm
    printf '%s' "$name" >bad.fpm
    tool partition even --units 5 bad.fpm
    tool trace draw bad.fpm
    tool schedule cholesky --machine ./bad.fpm
    "$hit" layout draw block --domain 5x5 --ranks 2 --out "./$name.svg" >out 2>&1 || complain "hit layout draw fails"
    svg "./$name.svg" "hit layout draw"
    mkdir -p cache/hit/models
    printf '# hit tiles 1\n# kernel %s\n# device %s\n# build now\n4 0x64 1e-10 2\nend\n' "$line" "$line" \
        >cache/hit/models/x-0123456789abcdef.tiles
    tool model list
    tool model show x-
    "$hit" model list --json >out 2>&1
    json out "hit model list --json"
    rm -rf cache/hit
}

# in kernels, tiles and files of a program
programs() {
    HIT_TRACE="./$name.json" HIT_PROFILE=1 "$hostile" "$name" >out 2>&1
    plain out "a profile"
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "./$name.json" 2>/dev/null ||
        ! command -v python3 >/dev/null || complain "a trace is no JSON"
    "$hit" trace draw "./$name.json" --out picture.svg >out 2>&1 || complain "hit trace draw fails: $(cat -v out)"
    plain out "hit trace draw"
    svg picture.svg "the picture of a trace"
    HIT_PLAN=1 "$hostile" "$name" >out 2>&1
    plain out "a dry run"
    HIT_PLAN=json "$hostile" "$name" >out 2>errors
    json out "a dry run in JSON"
    plain errors "a dry run"
    for variable in HIT_CHECK HIT_COMPARE HIT_INFER; do
        env $variable=1 "$hostile" "$name" >out 2>&1
        plain out "$variable"
    done
    HIT_CHAIN=say "$hostile" "$name" >out 2>&1
    plain out "HIT_CHAIN=say"
    HIT_DEVICES="$name" "$hostile" "$name" >out 2>&1
    plain out "HIT_DEVICES"
    HIT_SCHED="$name" "$hostile" "$name" >out 2>&1
    plain out "HIT_SCHED"
}

n=0
escape=$(printf '\033[31m\033]0;x\007')
eight=$(printf '\233\1773\377\302\233\342\200\256')
for name in "$(printf 'x\n!touch PWNED\n')" "x\`touch PWNED\`\$(touch PWNED)\";!touch PWNED;'" "< touch PWNED" \
    "| touch PWNED" "x%s%n%d\\" "x$escape\"&<>]]><text>" "x$eight\", \"ph\": \"X\", {}"; do
    line=$(printf '%s' "$name" | tr '\n' ' ')
    words
    files
    case $name in x[!\`%]*) programs ;; esac
    n=$((n + 1))
done
name=
if [ -e PWNED ] || [ $n != 7 ]; then complain "a name has become a command"; fi
exit $failed
