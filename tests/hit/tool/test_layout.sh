#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_layout.sh HIT: the command line of `hit layout`: text, pictures, exit codes, mistakes.
set -u
hit=$1
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is printed
expect() {
    code=$1 text=$2
    shift 2
    answer=$("$hit" layout "$@" 2>&1)
    found=$?
    case $answer in
    *"$text"*) [ $found -eq "$code" ] && return ;;
    esac
    echo "hit layout $*: expected exit code $code and \"$text\" but found $found and:"
    echo "$answer"
    failed=1
}

# expect_picture WIDTH HEIGHT BOXES ARGUMENT...: its boxes have that area in pixels, and that number
expect_picture() {
    width=$1 height=$2 boxes=$3
    shift 3
    "$hit" layout draw "$@" --out "$dir/picture.svg" || failed=1
    awk -v width="$width" -v height="$height" -v boxes="$boxes" -v name="$*" -F'"' '
        /^<rect/ { count++; area += $6 * $8; if ($2 + $6 > width + 1 || $4 + $8 > height + 1) outside = 1 }
        /^<\/svg>/ { ended = 1 }
        END {
            off = area / (width * height) - 1
            if (ended && !outside && count == boxes && off < 0.001 && off > -0.001) exit 0
            print "hit layout draw " name ": found " count " boxes of " area " pixels"
            exit 1
        }' "$dir/picture.svg" || failed=1
}

expect 0 'rank 1: 5:9 x 0:2' print block --domain 10x3 --ranks 2
expect 0 'fpm2d:dims=0,1,rects=0.0.10.6;0.6.3.6;3.6.7.6 splits' print fpm2d:speeds=3,1,2 --domain 10x12 --ranks=3
expect 0 'rank 9999: 9999:9999' print cyclic --domain 10000 --ranks 10000
expect 0 'rank 0: 0:5' print fpm:models=tests/data/models/slow.fpm --domain 11 --ranks 2
expect 0 '<title>rank 2: 3 elements</title>' draw block --domain 10 --ranks 3
expect 0 'usage: hit layout' --help
expect 0 'weights=W0' --help

expect_picture 800 400 4 block:grid=2x2 --domain 50x100 --ranks 4
expect_picture 800 400 50 cyclic --domain 50x100 --ranks 4
expect_picture 800 80 3 block --domain 10 --ranks 3
expect_picture 800 800 5 corner:speeds=9,1 --domain 100x100 --ranks 2
expect_picture 800 800 3 corner:speeds=91,9 --domain 10x10 --ranks 2
expect_picture 800 60 64 blockcyclic:block=1x1,grid=2x2 --domain 2x32 --ranks 4
expect_picture 800 600 3 fpm2d:speeds=1,0,2,3 --domain 75x100x4 --ranks 4
expect_picture 800 800 1 single --domain 5x5 --ranks 3

expect 2 'expected print or draw but found nothing'
expect 2 'expected print or draw but found show' show block
expect 2 'expected a layout' draw --ranks 3
expect 2 'expected --domain' draw block --ranks 3
expect 2 'expected --ranks' draw block --domain 3
expect 2 'whole numbers >= 0' draw block --domain 3x --ranks 3
expect 2 'at most 4 whole numbers' draw block --domain 3x3x3x3x3 --ranks 3
expect 2 'from 1 to 2147483647 for --ranks' draw block --domain 3 --ranks 0
expect 2 'from 1 to 2147483647 for --ranks' draw block --domain 3 --ranks 2x2
expect 2 'from 1 to 2147483647 for --ranks' draw block --domain 3 --ranks 3000000000
expect 2 'no option --rank; did you mean "--ranks"?' draw block --domain 3 --rank 3
expect 2 'expected a value after --out' draw block --domain 3 --ranks 3 --out
expect 2 'expected one layout but found block and cyclic' draw block cyclic
expect 2 'but found "blok"' print blok --domain 3 --ranks 3
expect 2 'at most 200000 boxes' draw cyclic --domain 3000000 --ranks 3 --out "$dir/none.svg"
expect 2 'where.svg: cannot be written: No such file' draw block --domain 3 --ranks 3 --out "$dir/no/where.svg"
expect 2 'layout fpm2d: expected speeds= a number > 0 but all 1 are 0' print fpm2d:speeds=0 --domain 3x3 --ranks 1
expect 2 'layout weighted: expected weights= a number > 0 but all 2 are 0' print weighted:weights=0,0 --domain 3 --ranks 2
expect 2 'layout weighted: expected weights= numbers >= 0 but found -2 for rank 1' print weighted:weights=1,-2 --domain 3 --ranks 2
expect 2 'layout cpm: expected speeds= numbers >= 0 but found nan for rank 0' print cpm:speeds=nan,1 --domain 3 --ranks 2
expect 2 'layout block: expected each dimension once in dims= but found 0 twice' print block:dims=0,0 --domain 3x3 --ranks 2
[ -e "$dir/none.svg" ] && echo "half a picture is left" && failed=1

exit $failed
