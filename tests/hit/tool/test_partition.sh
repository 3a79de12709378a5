#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_partition.sh HIT: the command line of `hit partition`: answers, exit codes, mistakes.
set -u
hit=$1
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

model() { # NAME LINE...: a model file
    name=$1
    shift
    printf '# hit model 1\n' >"$dir/$name"
    printf '%s\n' "$@" >>"$dir/$name"
}

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is printed
expect() {
    code=$1 text=$2
    shift 2
    answer=$(cd "$dir" && timeout 600 "$hit" partition "$@" 2>&1)
    found=$?
    case $answer in
    *"$text"*) [ $found -eq "$code" ] && return ;;
    esac
    echo "hit partition $*: expected exit code $code and \"$text\" but found $found and:"
    echo "$answer"
    failed=1
}

model fast 'kind constant' 'speed 300'
model slow 'kind constant' 'speed 100'
model dear 'kind constant' 'speed 33.333333333333336'
model idle 'kind constant' 'speed 0'
model small 'kind constant' 'cap 10' 'speed 1e6'
model cliff 'kind functional' '1000 500' '100 500 # both sides of the limit' '1001 5'
model dips 'kind functional' '50 10' '100 100'
model sizes 'kind table' '30 3' '10 2' '20 1' '20 1'

expect 0 '{"status": "ok", "d": [75, 25], "makespan_s": 0.25, ' fpm --units 100 fast slow --json
expect 0 '"d": [75, 25]' cpm --json --units=100 fast slow
expect 0 '"d": [50, 50]' even --units 100 fast slow --json
expect 0 '"d": [75, 25]' numerical --units 100 fast slow --json
expect 0 '"d": [75, 25]' optimal --units 100 fast slow --json
expect 0 '"algorithm": "gpa"' fpm --units 100 fast slow --json
expect 0 '"algorithm": "optimal"' fpm --units 100 dips slow --json
expect 0 '"makespan_s": 1,' fpm --units 100 dips dips --json
expect 0 'makespan    0.25 s' fpm --units 100 fast slow
expect 0 '"d": [0]' fpm --units 0 fast --json
expect 0 '"d": [1, 0, 0]' fpm --units 1 fast slow idle --json
expect 0 '"d": [10, 90, 0]' fpm --units 100 small fast idle --json
expect 0 '"d": [1000, 1000]' optimal --units 2000 cliff cliff --json
expect 0 '"d": [20, 20]' optimal --units 40 sizes sizes --json
expect 0 '"d": [750000000000000, 250000000000000]' fpm --units 1000000000000000 fast slow --json

for algorithm in even cpm fpm numerical optimal; do
    expect 1 '{"status": "infeasible", "message": "' $algorithm --units 21 small small --json
    expect 1 '{"status": "infeasible", "message": "' $algorithm --units 1 idle idle --json
    expect 0 '{"status": "ok", "d": [0, 0], "makespan_s": 0,' $algorithm --units 0 idle idle --json
done
expect 1 'hit partition: expected room for 21 units but the 2 processes can do 20' fpm --units 21 small small
expect 1 'multiple of 10' optimal --units 41 sizes sizes
expect 2 '{"status": "error", "message": "numerical declines: ' numerical --units 100 dips dips --json

expect 2 '{"status": "error", "message": "expected --units' fpm fast --json
expect 2 'expected a whole number >= 0 for --units' fpm --units -1 fast
expect 2 'expected a whole number >= 0 for --units' fpm --units 9223372036854775808 fast
expect 2 'expected a value after --units' fpm fast --units
expect 2 'expected at least one model' fpm --units 1
expect 2 'expected an algorithm' --units 1
expect 2 'no algorithm "best"' best --units 1 fast
expect 2 'no option --unit' fpm --unit 1 fast
expect 2 'expected a model in absent' fpm --units 1 absent
expect 2 'expected a list of models in absent' fpm --units 1 @absent
expect 2 'expected a model in .: Is a directory' fpm --units 1 .
expect 2 'expected a list of models in .: Is a directory' fpm --units 1 @.
model wrong 'kind functional' '1 x"'
expect 2 'wrong:3: expected a number but found \"x\"\"' fpm --units 1 wrong --json
expect 0 'usage: hit partition' --help

# rectangles, panels, shapes
expect 0 '{"status": "ok", "rects": [[0, 0, 10, 15], [0, 15, 10, 5]], "makespan_s": 0.5' columns --grid 10x20 fast slow --json
expect 0 '"half_perimeter": 40}' columns --grid 10x20 fast slow --json
expect 0 'makespan        0.5 s' columns --grid=10x20 fast slow
expect 0 '"rects": [[0, 0, 20, 20], [0, 20, 20, 20], [20, 20, 20, 20], [20, 0, 20, 20]]' \
    grid --grid 40x40 slow slow slow slow --json
expect 0 '[0, 0, 0, 0]], "makespan_s": 1,' columns --grid 1x300 fast idle --json
expect 0 '{"status": "ok", "rects": [[0, 0, 0, 0]], "makespan_s": 0' columns --grid 0x9 idle --json
expect 0 '{"status": "ok", "owner": [0, 0, 1, 0, 0, 0, 1, 0, 0, 0], "time_s": ' ordered --panels 10 fast slow --json
expect 0 '"owner": [], "time_s": 0}' ordered --panels 0 fast slow --json
expect 0 'all steps' ordered --panels 9 --height 100 cliff slow
expect 0 '"d": [7500, 2500], "shapes": [{"name": "strips", "volume": 10000}, ' shapes --grid 100 fast slow --json
expect 0 '"choice": "block rectangle"}' shapes --grid 100 fast slow slow --json
expect 0 'square corner of the second' shapes --grid 100 fast slow
for algorithm in columns grid; do
    expect 1 '{"status": "infeasible", "message": "' $algorithm --grid 3x7 small small --json
    expect 1 '{"status": "infeasible", "message": "' $algorithm --grid 1x1 idle idle --json
done
expect 1 '{"status": "infeasible", "message": "' ordered --panels 9 idle --json
expect 1 '{"status": "infeasible", "message": "' ordered --panels 9 small --json
expect 2 'expected --grid ROWSxCOLUMNS' columns --grid 10 fast
expect 2 'expected --grid ROWSxCOLUMNS' columns fast
expect 2 'whole numbers >= 0 with' grid --grid 10x-1 fast
expect 2 'expected --panels' ordered fast
expect 2 'expected a whole number >= 1 for --height' ordered --panels 3 --height 0 fast
expect 2 'expected 2 or 3 models but found 1' shapes --grid 9 fast
expect 2 'expected a whole number >= 1 for --grid' shapes --grid 0 fast slow

# time and energy: a model of J after each model; fast takes 1 J for 100 units, slow 3 J
expect 0 '"trades": [{"makespan_s": 0.33333333333333331, "energy_j": 1, "d": [100, 0]}, {"makespan_s": 0.33000000000000002, ' \
    pareto --units 100 --json fast slow slow dear
expect 0 '{"status": "ok", "trades": [{"makespan_s": 0.25, ' pareto --units 100 --points 1 --json fast slow slow dear
expect 0 '"d": [78, 22]' pareto --units 100 --within 5% --json fast slow slow dear
expect 0 '     seconds              J  units of each process' pareto --units 7 fast slow
expect 2 'expected a model of energy after each model but found 3' pareto --units 7 fast slow fast
expect 2 'expected --within as 5% but found "-5%"' pareto --units 7 --within -5% fast slow
expect 2 'a whole number' pareto --units 7 --points 0 fast slow
expect 1 '{"status": "infeasible", "message": "' pareto --units 7 --json idle slow

# ten thousand models, from a list that holds a comment and an empty line
{
    printf '# all\n\n'
    awk 'BEGIN { for (i = 0; i < 5000; i++) print "fast\nslow" }'
} >"$dir/list"
for algorithm in even cpm fpm numerical optimal; do
    expect 0 '{"status": "ok", "d": [' $algorithm --units 2000000000 @list --json
done
for algorithm in columns grid; do
    expect 0 '{"status": "ok", "rects": [[' $algorithm --grid 30000x20000 @list --json
done
expect 0 '"makespan_s": 1000,' optimal --units 2000000000 @list --json
expect 0 '"d": [1, 0, ' fpm --units 5000 @list --json

exit $failed
