#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: lint.sh CHECK [ARGUMENT...], in the root of the project; 77 says that a tool is missing.
# Each check prints what it found and fails if that is anything.
set -u
check=$1
shift

need() {
    command -v "$1" >/dev/null 2>&1 && return
    echo "skipped: $1 is not installed"
    exit 77
}

# the project's own files with the given endings: those git knows or would add, else those that lie here
files() {
    if command -v git >/dev/null 2>&1 && git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@"
    else
        for ending; do
            find . -path ./build -prune -o -path ./.git -prune -o -name "$ending" -print
        done | sed 's#^\./##'
    fi | while read -r file; do [ -f "$file" ] && echo "$file"; done | sort -u
}

# each header compiles alone: $1 names to leave out, $2 the compiler, then flags; headers for nvcc are left
# out, and so is X_loops.h, the text of functions that X.c includes for each type
headers_alone() {
    without=$1 compiler=$2
    shift 2
    failed=0
    for header in $(files '*.h' | grep -E '^(hit|patterns|layouts|kernels)/' | grep -vE "cuda|_loops[.]h|${without}[.]h"); do
        printf '#include "%s"\ntypedef int hit_lint;\n' "$header" |
            "$compiler" "$@" -Wall -Wextra -Wpedantic -Werror -I. -fsyntax-only - || {
            echo "does not compile alone: $header"
            failed=1
        }
    done
    return $failed
}

# what the text at standard input declares, after its includes; $1: the compiler
declared() {
    "$1" -E '-D__attribute__(x)=' -I. -x c - | awk -f tests/lint/declared.awk | LC_ALL=C sort -u
}

# the headings of a page, as links name them
headings() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

case $check in
layers)
    # shellcheck disable=SC2046
    awk -f tests/lint/layers.awk docs/layers.txt $(files '*.c' '*.h' '*.cu')
    ;;
macros) # what hit/kernel.h gives to kernel files is in the test that is compiled in all three ways
    sed -n 's/^#define \(HIT_[A-Z_]*\|hit[a-z_]*\).*/\1/p' hit/kernel.h | sort -u |
        grep -vE '^HIT_(KERNEL_(H|TABLE|BODY|LOOPS|STRICT)|ORDERED_TABLE|TYPE_OF|AT_|(CUDA|CHECKED)_.*)$' |
        while read -r macro; do
            grep -qw "$macro" tests/hit/kernel_macros.k.c || echo "not in tests/hit/kernel_macros.k.c: $macro"
        done | grep . && exit 1
    exit 0
    ;;
symbols) # $1: nm, $2: the library; kernels of the catalogue have the names of kernels.h
    need "$1"
    "$1" -g --defined-only "$2" | awk '
        FNR == NR { gsub(/[^a-z0-9_]+/, " "); for (i = 1; i <= NF; i++) listed[$i]; next }
        NF != 3 || $3 ~ /^(hit_|__)/ || $3 ~ /^_Z.*(hit_|cudart)/ { next }
        { name = $3; sub(/_(cuda|checked|vectors)$/, "", name) }
        !(name in listed) { print "not named hit_...: " $3; bad = 1 }
        END { exit bad }' kernels/kernels.h -
    ;;
rooms) # $1: nm, $2: the library's objects, with ":" between: folders need only names of lower ones
    need "$1"
    echo "$2" | tr : '\n' | xargs "$1" -A | awk -f tests/lint/symbols.awk docs/layers.txt tests/lint/upward.txt -
    ;;
own) # $1: nm, $2: the library's objects, with ":" between: what X.c defines for others is declared in X.h
    need "$1"
    echo "$2" | tr : '\n' | xargs "$1" -A | awk -f tests/lint/own.awk tests/lint/own.txt -
    ;;
visible) # $1: the compiler: hit/hit.h shows programs at most 70 functions, each used by README.md, the tutorial or an
    # example; macros are expanded there
    scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
    echo '#include "hit/hit.h"' | declared "$1" >"$scratch/names"
    {
        "$1" -E -I. examples/*.c examples/*/*.c | awk '/^# [0-9]+ "/ { ours = $3 ~ /^"examples/ } ours && !/^#/'
        cat README.md docs/tutorial/*.md
    } >"$scratch/uses"
    failed=0
    while read -r name; do
        grep -qw "$name" "$scratch/uses" || { echo "hit/hit.h: $name is in no example" && failed=1; }
    done <"$scratch/names"
    count=$(wc -l <"$scratch/names")
    echo "hit/hit.h shows $count functions"
    if [ "$count" -lt 40 ] || [ "$count" -gt 70 ]; then
        echo "expected 40 to 70"
        failed=1
    fi
    exit $failed
    ;;
exported) # $1: nm, $2: the shared library, $3: the compiler, then the installed headers: the same names, both ways
    need "$1"
    nm=$1 library=$2 compiler=$3
    shift 3
    scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
    printf '#include "%s"\n' "$@" | declared "$compiler" >"$scratch/declared"
    "$nm" -D --defined-only "$library" | awk '{ print $3 }' | LC_ALL=C sort -u >"$scratch/exported"
    [ "$(wc -l <"$scratch/exported")" -gt 100 ] || { echo "expected exported names" && exit 1; }
    LC_ALL=C comm -23 "$scratch/declared" "$scratch/exported" | sed 's/^/declared in an installed header, and not exported: /'
    LC_ALL=C comm -13 "$scratch/declared" "$scratch/exported" | sed 's/^/exported, and declared in no installed header: /'
    cmp -s "$scratch/declared" "$scratch/exported"
    ;;
kinds) # what differs between kinds of devices is a member of hit_device_ops; only the look-up compares names
    # shellcheck disable=SC2046
    if grep -nE 'str(n|case)*cmp\([^;)]*(->|[.])kind\b|[=!]= *&hit_device_' $(files '*.c' '*.h' '*.cu' | grep '^hit/') |
        grep -v '^hit/device/spec.c:[0-9]*:.*strcmp(kind->kind, text)'; then
        echo "expected a member of hit_device_ops in place of a comparison of kinds"
        exit 1
    fi
    ;;
headers-c) # $1: the compiler
    headers_alone _ "$1" -x c -std=c11
    ;;
headers-cxx) # C++ programs see all but X_impl.h
    need g++
    headers_alone _impl g++ -x c++ -std=c++17
    ;;
prints) # what the library prints goes through its context; HIT_MUST is a program's
    # shellcheck disable=SC2046
    ! grep -nE '\b(stdout|stderr|v?printf|puts|putchar|perror)\b *[;,()?]' $(files '*.c' '*.h' '*.cu' | grep -E '^(hit|layouts|kernels|patterns)/' |
        grep -vE '^hit/(tool/|base/(context[.]h|status[.]c|file[.]c|quote[.][ch])$)') | grep -vE ':[ /]*[*]'
    ;;
quote) # text in another language is quoted
    # shellcheck disable=SC2046
    awk -f tests/lint/quote.awk tests/lint/quote.txt $(files '*.c' '*.h' '*.cu' | grep -E '^(hit|layouts|kernels|patterns)/')
    ;;
length)
    failed=0
    files 'hit/*.c' 'hit/*.cu' 'layouts/*.c' | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 22 { print $2 ": " $1 " sources; at most 22 in a folder"; bad = 1 } END { exit bad }' ||
        failed=1
    # shellcheck disable=SC2046
    awk 'FNR == 2 && !/^( \*|\/[*\/]) / { print FILENAME ": expected what lives here behind the SPDX line"; bad = 1 }
        END { exit bad }' $(files '*.c' '*.h' '*.cu' '*.cpp' | grep -v '^examples/template/') ||
        failed=1
    # shellcheck disable=SC2046
    wc -l $(files '*.c' '*.h' '*.cu' '*.awk' '*.cmake' '*.sh' | grep -v '^tests/fuzz/') |
        awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines; at most 500"; bad = 1 } END { exit bad }' ||
        failed=1
    [ $failed = 0 ]
    ;;
format)
    need clang-format
    # shellcheck disable=SC2046
    clang-format --dry-run -Werror $(files '*.c' '*.h' '*.cu')
    ;;
shellcheck)
    need shellcheck
    # shellcheck disable=SC2046
    shellcheck -x run .ci/run $(files '*.sh')
    ;;
errors) # every status has a line in the table of docs/errors.md, and a cause and a remedy below
    failed=0
    # shellcheck disable=SC2013
    for status in $(sed -n 's/^    \(HIT_E_[A-Z]*\),.*/\1/p' hit/base/status.h); do
        grep -q "^| \`$status\` |" docs/errors.md || { echo "docs/errors.md does not list $status" && failed=1; }
        grep -q "^\*\*\`$status\`\*\*" docs/errors.md || { echo "docs/errors.md has no remedy for $status" && failed=1; }
    done
    [ "$(grep -c '^    HIT_E_' hit/base/status.h)" -ge 10 ] || failed=1 # were they found?
    exit $failed
    ;;
names) # what comments and pages name is there
    list=$(mktemp) && trap 'rm -f "$list"' EXIT
    files '*' >"$list"
    # what stands in decisions was so on their day; the other pages have their reader write files
    # shellcheck disable=SC2046
    awk -f tests/lint/names.awk "$list" $(grep -E '[.](c|h|cu)$|^[^/]*[.]md$|^docs/.*[.]md$' "$list" |
        grep -vE '^CHANGELOG|^docs/(decisions/|tutorial/|howto-|recipes|skill)')
    ;;
links) # what a page links to is there, in this tree or in the folder $1: files, and headings in them
    failed=0
    if [ $# -gt 0 ]; then cd "$1" || exit 1; fi
    for page in $(files '*.md'); do
        # shellcheck disable=SC2013
        for link in $(grep -oE '\]\([^):]+\)' "$page" | sed 's/^](//; s/)$//'); do
            target=$(dirname "$page")/${link%%#*}
            if [ "${link%%#*}" = "" ]; then target=$page; fi
            [ -e "$target" ] || { echo "$page: there is no $link" && failed=1; }
            case $link in *'#'*) ;; *) continue ;; esac
            headings "$target" | grep -qxF -- "${link#*#}" || { echo "$page: there is no $link" && failed=1; }
        done
    done
    exit $failed
    ;;
commands) # where only Ninja is installed, CMake has to be told
    # shellcheck disable=SC2046
    if grep -nE 'cmake (-S [^ ]+ )?-B' $(files '*.md' 'examples/*'); then
        echo "expected cmake -G Ninja -B, or a preset"
        exit 1
    fi
    ;;
docs)
    need doxygen
    mkdir -p build/doxygen
    doxygen docs/Doxyfile
    ;;
*)
    echo "unknown check $check"
    exit 2
    ;;
esac
