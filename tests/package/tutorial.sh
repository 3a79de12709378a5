#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: tutorial.sh BUILD [LAUNCHER...]: does what docs/tutorial, docs/recipes.md and docs/skill.md say. A block that begins with
# the name of a file in a comment is that file; in a console block, lines after "$ " are run and the others are what they print.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
# shellcheck source=tests/package/common.sh
. "$here/common.sh"

prefix=$scratch/usr
work=$scratch/work
mkdir -p "$work" "$scratch/bin"
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log" || fail "cmake --install"
{ # the launcher under the name that the pages use; without MPI a program runs alone
    echo '#!/bin/sh'
    # shellcheck disable=SC2016
    echo 'shift && np=$1 && shift'
    if [ $# -gt 0 ]; then
        first=$(command -v "$1") # not this one
        shift
        echo "exec $first $* \"\$np\" \"\$@\""
    else
        printf 'exec "$@"\n'
    fi
} >"$scratch/bin/mpiexec"
chmod +x "$scratch/bin/mpiexec"
PATH=$scratch/bin:$prefix/bin:$PATH
CMAKE_PREFIX_PATH=$prefix
export PATH CMAKE_PREFIX_PATH

# split PAGE: blocks into FILES below $work, commands into $scratch/steps/NNN.sh and NNN.txt, in order
split() {
    rm -rf "$scratch/steps"
    mkdir "$scratch/steps"
    awk -v work="$work" -v steps="$scratch/steps" '
        /^```/ && inside { inside = 0; close(file); next }
        /^```/ { inside = 1; kind = substr($0, 4); file = ""; next }
        !inside { next }
        kind == "console" && /^\$ / {
            base = sprintf("%s/%03d", steps, ++n)
            print substr($0, 3) > (base ".sh")
            printf "" > (base ".txt")
            next
        }
        kind == "console" { print > (base ".txt"); next }
        file == "" && match($0, /^(\/\*|#) [A-Za-z0-9_.]+( \*\/)?$/) {
            file = sprintf("%s/file%03d.%s", steps, ++n, $2)
            print > file
            next
        }
        file != "" { print > file }' "$1"
}

for page in "$here"/../../docs/tutorial/[1-9]*.md "$here"/../../docs/recipes.md "$here"/../../docs/skill.md; do
    case $page in */recipes.md | */skill.md) # a project of its own
        rm -rf "$work"
        mkdir "$work"
        ;;
    esac
    split "$page"
    for step in "$scratch"/steps/*; do
        case $step in */file*) cp "$step" "$work/$(basename "$step" | cut -d . -f 2-)" ;; esac
    done
    for command in "$scratch"/steps/*.sh; do
        found=${command%.sh}.out
        (cd "$work" && sh "$command") >"$found" 2>"$scratch/errors" || {
            cat "$found" "$scratch/errors" "$work"/*.log
            fail "$(basename "$page"): $(cat "$command")"
        }
        # a line "..." stands for any lines
        if grep -qx '\.\.\.' "${command%.sh}.txt"; then
            [ -s "$found" ] || fail "$(basename "$page"): nothing from $(cat "$command")"
        elif ! diff "${command%.sh}.txt" "$found"; then
            fail "$(basename "$page"): what $(cat "$command") prints"
        fi
        echo "ok: $(basename "$page"): $(cat "$command")"
    done
done
