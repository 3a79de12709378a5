# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the tests of the installed library share.

fail() {
    echo "FAILED: $*"
    exit 1
}

# expect TEXT COMMAND...: what the command prints is the text
expect() {
    expected=$1
    shift
    found=$("$@") || fail "exit code $? of $*"
    [ "$found" = "$expected" ] || fail "expected \"$expected\" but found \"$found\" from $*"
    echo "ok: $*"
}

need() {
    command -v "$1" >/dev/null 2>&1 && return
    echo "skipped: $1 is not installed"
    exit 77
}

# user PREFIX SOURCE NAME [OPTION...]: configure and build a project of a user; it lies in $scratch/NAME
user() {
    prefix=$1 source=$2 name=$3
    shift 3
    if ! { cmake -G Ninja -S "$source" -B "$scratch/$name" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_BUILD_TYPE=Release "$@" && cmake --build "$scratch/$name"; } >"$scratch/$name.log" 2>&1; then
        tail -n 30 "$scratch/$name.log"
        fail "$source could not be built"
    fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
