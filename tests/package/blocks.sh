# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What pages have in their fenced blocks.

# shell_blocks PAGE: the lines of all sh blocks
shell_blocks() {
    awk '/^```/ { inside = $0 == "```sh"; next } inside' "$1"
}

# named_files PAGE FOLDER: blocks that begin with the name of a file in a comment
named_files() {
    awk -v folder="$2" '
        /^```/ { inside = !inside; file = ""; next }
        !inside { next }
        file == "" && match($0, /^(\/\*|#) [A-Za-z0-9_.]+( \*\/)?$/) { file = folder "/" $2; next }
        file != "" { print > file }' "$1"
}
