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

# say_into KIND WHAT: the next text of that kind, text, json or svg, goes to $said; look() looks at all
said=
saids=0
mkdir said of
say_into() {
    saids=$((saids + 1))
    said=said/$saids.$1
    printf '%s\n' "$2" >"of/$saids.$1"
}

# is_plain FILE: no character in it that a terminal obeys, and no byte that is no UTF-8
is_plain() {
    ! { tr -d '\n' <"$1" | grep -q '[[:cntrl:]]' || grep -q "$(printf '\302[\200-\237]\|\342\200[\252-\256]')" "$1" ||
        ! iconv -f utf-8 -t utf-8 "$1" >/dev/null 2>&1; }
}

# each line of .json is JSON, and .svg is XML: prints those that are not
unreadable='
import glob, json, xml.dom.minidom
for path in glob.glob("said/*.json") + glob.glob("said/*.svg"):
    try:
        if path.endswith(".svg"):
            xml.dom.minidom.parse(path)
        else:
            for line in open(path, encoding="utf-8"): json.loads(line)
    except Exception:
        print(path)'

# what was said since the last look
look() {
    tail -n +1 said/* >all # each begins in a line of its own
    if ! is_plain all; then
        for said in said/*; do
            is_plain "$said" || complain "$(cat "of/${said#said/}") says what a terminal obeys: $(cat -v "$said")"
        done
    fi
    if command -v python3 >/dev/null; then
        for said in $(python3 -c "$unreadable"); do
            complain "$(cat "of/${said#said/}") is no ${said##*.}: $(cat -v "$said")"
        done
    fi
    rm -rf said of
    mkdir said of
}

# tool WORD...: what it answers is plain, and it ends by itself
tool() {
    say_into text "hit $1 $2"
    timeout 300 "$hit" "$@" >"$said" 2>&1 </dev/null
    code=$?
    [ $code -lt 124 ] || complain "hit $1 ended with $code"
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
        say_into json "hit $words --json"
        (
            IFS='|'
            # shellcheck disable=SC2086
            "$hit" $words --json >"$said" 2>errors
        )
    done
}

# in the names of files, and in what they hold
files() {
    printf '# hit model 1\nkind functional\n100 5\n200 6\n' >"$name.fpm" || return
    say_into text "hit model plot"
    PATH=$dir/bin:$PATH "$hit" model plot "./$name.fpm" --out "./$name" >"$said" 2>&1 ||
        complain "hit model plot fails: $(cat "$said")"
    if [ ! -f "./$name.dat" ] || [ ! -f "./$name.png" ]; then
        complain "hit model plot has not written $name.png"
    fi
    if [ "$(grep -cv '^set \|^plot .-. using\|^[0-9.e+-]* [0-9.e+-]*$\|^e$' script)" != 0 ]; then
        complain "gnuplot is asked for more: $(cat -v script)"
    fi
    grep -q '^set title "[^"`$@]*" noenhanced$' script || complain "a title is not quoted: $(grep title script | cat -v)"
    if command -v gnuplot >/dev/null; then
        say_into text "hit model plot"
        "$hit" model plot "./$name.fpm" --out "./$name" >"$said" 2>&1 || complain "gnuplot fails"
    fi
    say_into text "hit partition"
    "$hit" partition even --units 5 "./$name.fpm" >"$said" 2>&1 || complain "hit partition fails: $(cat "$said")"
    printf '# hit model 1\nkind %s\n' "$name" >bad.fpm
    tool partition even --units 5 bad.fpm
    printf '%s' "$name" >bad.fpm
    tool partition even --units 5 bad.fpm
    tool trace draw bad.fpm
    tool schedule cholesky --machine ./bad.fpm
    "$hit" layout draw block --domain 5x5 --ranks 2 --out "./$name.svg" >out 2>&1 || complain "hit layout draw fails"
    say_into svg "hit layout draw"
    cp "./$name.svg" "$said"
    mkdir -p cache/hit/models
    printf '# hit tiles 1\n# kernel %s\n# device %s\n# build now\n4 0x64 1e-10 2\nend\n' "$line" "$line" \
        >cache/hit/models/x-0123456789abcdef.tiles
    tool model list
    tool model show x-
    say_into json "hit model list --json"
    "$hit" model list --json >"$said" 2>&1
    rm -rf cache/hit
}

# in kernels, tiles and files of a program
programs() {
    say_into text "a profile"
    HIT_TRACE="./$name.json" HIT_PROFILE=1 "$hostile" "$name" >"$said" 2>&1
    say_into text "hit trace draw"
    "$hit" trace draw "./$name.json" --out picture.svg >"$said" 2>&1 || complain "hit trace draw fails: $(cat -v "$said")"
    say_into svg "the picture of a trace"
    mv picture.svg "$said"
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "./$name.json" 2>/dev/null ||
        ! command -v python3 >/dev/null || complain "a trace is no JSON"
    say_into text "a dry run"
    HIT_PLAN=1 "$hostile" "$name" >"$said" 2>&1
    say_into json "a dry run in JSON"
    HIT_PLAN=json "$hostile" "$name" >"$said" 2>errors
    say_into text "what a dry run in JSON complains of"
    mv errors "$said"
    for variable in HIT_CHECK HIT_COMPARE HIT_INFER; do
        say_into text "$variable"
        env $variable=1 "$hostile" "$name" >"$said" 2>&1
    done
    say_into text "HIT_CHAIN=say"
    HIT_CHAIN=say "$hostile" "$name" >"$said" 2>&1
    say_into text HIT_DEVICES
    HIT_DEVICES="$name" "$hostile" "$name" >"$said" 2>&1
    say_into text HIT_SCHED
    HIT_SCHED="$name" "$hostile" "$name" >"$said" 2>&1
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
    look
    n=$((n + 1))
done
name=
if [ -e PWNED ] || [ $n != 7 ]; then complain "a name has become a command"; fi
exit $failed
