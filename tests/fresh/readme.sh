#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: readme.sh [COMMAND...], in a checkout: runs README.md from its first line to its last, as one shell would that is
# given all of its sh blocks; the named commands are left out. Then it builds the program that README.md prints, and
# compares what it says with what the template says, and uninstalls the library.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/package/blocks.sh
. "$top/tests/package/blocks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

leave_out() { # the lines that are none of these commands; a comment behind a command does not count
    awk 'BEGIN { for (k = 1; k < ARGC; k++) { out[ARGV[k]] = 1; ARGV[k] = "" } }
        { line = $0; sub(/ *#.*/, "", line) }
        !(line in out)' "$@"
}

# each line of the blocks, said before it is run; seconds after it
shell_blocks "$top/README.md" | leave_out "$@" | while IFS= read -r line; do
    case $line in '' | ' '* | '#'*) continue ;; esac
    # shellcheck disable=SC2016
    printf 'echo "\\$ "%q; SECONDS=0\n%s\necho "# $SECONDS s"\n' "$line" "$line"
done >"$scratch/commands.sh"
[ "$(grep -c '^echo .# ' "$scratch/commands.sh")" -ge 15 ] || { echo "README.md has hardly any commands" && exit 1; }
cat >>"$scratch/commands.sh" <<'END'
echo "== the program as README.md prints it"
cd "$scratch" && cmake -G Ninja -B build >/dev/null && cmake --build build
[ "$(build/plate)" = "$("$HOME"/plate/build/plate)" ]
echo "== uninstall"
"$top/run" uninstall "$HOME/opt/hit"
[ ! -e "$HOME/opt/hit/bin" ] && [ ! -e "$HOME/opt/hit/share" ] && [ ! -e "$HOME/opt/hit/lib" ]
END
export scratch top
named_files "$top/README.md" "$scratch"
[ -f "$scratch/heat.k.c" ] && [ -f "$scratch/main.c" ] && [ -f "$scratch/CMakeLists.txt" ]
cd "$top"
bash -euo pipefail "$scratch/commands.sh"
echo "README.md works as it is printed"
