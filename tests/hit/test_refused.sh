#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_refused.sh CC CXX ROOT: mistakes that the compiler must refuse, with a text that says what is wrong.
set -eu
root=$3
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
failed=0

# refuse COMPILER FILE WORDS: the first error has these words
refuse() {
    words=$3
    # shellcheck disable=SC2086 # a compiler and its options
    if $1 -I"$root" -fsyntax-only "$dir/$2" 2>"$dir/text"; then
        echo "$2 compiles"
        failed=1
    elif ! grep error "$dir/text" | head -n 1 | grep -q "$words"; then
        echo "$2: expected \"$words\" first but found:"
        cat "$dir/text"
        failed=1
    fi
}

cat >"$dir/five.k.c" <<'END'
#include "hit/kernel.h"
HIT_KERNEL(five, (i, j, k, l, m), (out, float, y, "[i, j, k, l]"))
{
    hit(y, i, j, k, l) = 1;
}
END
cat >"$dir/sizes.c" <<'END'
#include "hit/hit.h"
hit_domain five_sizes(int n);
hit_domain five_sizes(int n)
{
    return hit_domain_of(n, 3, 4, 5, 6);
}
END
cp "$dir/sizes.c" "$dir/sizes.cpp"

for bare in 0.5 n '"x"' constant; do # values without HIT_VALUE(), and a tile that must not be written
    cat >"$dir/bare.c" <<END
#include "hit/hit.h"
extern const hit_kernel kernel;
hit_status bare(hit_context *hit, hit_tile *x, const hit_tile *constant, int n);
hit_status bare(hit_context *hit, hit_tile *x, const hit_tile *constant, int n)
{
    (void)n;
    (void)constant;
    return hit_launch(hit, &kernel, hit_domain_of(3), x, $bare);
}
END
    refuse "$1 -std=c11" bare.c tile_or_hit_value
done
refuse "$1 -std=c11" five.k.c 'a kernel has at most HIT_MAX_DIMS indices'
refuse "$1 -std=c11" sizes.c 'hit_domain_of: expected at most HIT_MAX_DIMS sizes'
refuse "$2 -std=c++17" sizes.cpp 'hit_domain_of: expected at most HIT_MAX_DIMS sizes'
sed 's/(n, 3, 4, 5, 6)/(n, 3, 4, 5)/' "$dir/sizes.c" >"$dir/four.c"
# shellcheck disable=SC2086
$1 -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$root" -fsyntax-only "$dir/four.c" || failed=1
exit $failed
