#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_model.sh HIT: the command line of `hit model`: measuring, the store, plots, mistakes.
set -u
hit=$1
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
export XDG_CACHE_HOME="$dir/cache"
failed=0

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is printed
expect() {
    code=$1 text=$2
    shift 2
    answer=$("$hit" model "$@" 2>&1)
    found=$?
    case $answer in
    *"$text"*) [ $found -eq "$code" ] && return ;;
    esac
    echo "hit model $*: expected exit code $code and \"$text\" but found $found and:"
    echo "$answer"
    failed=1
}

expect 0 'no models' list
expect 0 '"models": []' list --json
expect 0 '250000' measure heat --size 500 --reps 3
expect 0 '"units": 20000' measure heat --size 100x200 --reps 3 --json
expect 0 '10000' measure gemm_double --size 100 --k 20 --reps 3
expect 0 '30000' measure vector_add_float --size 30000 --reps 3 --forget
expect 0 'kernel  heat_float *x*' list
expect 0 'points  2' list
expect 0 '"kernel": "gemm_double *x* k=20"' list --json
expect 0 'kind functional' show heat
expect 0 "$dir/heat.dat" plot heat --out "$dir/heat"
[ "$(grep -vc '^#' "$dir/heat.dat")" = 2 ] || { echo "heat.dat has not 2 points" && failed=1; }
if command -v gnuplot >/dev/null; then
    [ "$(head -c 4 "$dir/heat.png" | tail -c 3)" = PNG ] || { echo "heat.png is no picture" && failed=1; }
fi
# without gnuplot, and with one that ends before it has read anything: again and again, since SIGPIPE came now and then
mkdir "$dir/bin" && printf '#!/bin/sh\nexit 1\n' >"$dir/bin/gnuplot" && chmod +x "$dir/bin/gnuplot"
path=$PATH
for _ in 1 2 3 4 5 6 7 8; do
    # shellcheck disable=SC2123
    PATH=$dir/cache # where no program is
    expect 0 'no picture: gnuplot is not installed' plot heat --out "$dir/heat"
    PATH=$dir/bin:$path
    expect 0 'no picture: gnuplot failed' plot heat --out "$dir/heat"
    PATH=$path
done
"$hit" model show gemm >"$dir/gemm.fpm" || failed=1
"$hit" partition fpm --units 1000 "$dir/gemm.fpm" "$dir/gemm.fpm" >/dev/null || failed=1
far=$dir$(printf '/.%.0s' $(seq 700)) # a long path
expect 0 '/far.dat' plot heat --out "$far/far"
[ -f "$dir/far.dat" ] || { echo "a long path has become another one" && failed=1; }
expect 2 'expected a path of less than' plot heat --out "$far$far$far/far"
expect 0 "$dir/other.dat" plot "$dir/gemm.fpm" --out "$dir/other"

# joules, by a counter of a package that is played by the time that the process has run, which is known to some ms; and where there is no meter
if [ -r /proc/self/schedstat ]; then
    mkdir -p "$dir/powercap/intel-rapl:0"
    echo package-0 >"$dir/powercap/intel-rapl:0/name"
    echo 9000000000000000 >"$dir/powercap/intel-rapl:0/max_energy_range_uj"
    ln -s /proc/self/schedstat "$dir/powercap/intel-rapl:0/energy_uj"
    export HIT_POWERCAP="$dir/powercap"
    expect 0 '"joules": ' measure heat --size 400 --reps 40 --error 1e-6 --energy --json
    expect 0 ' units/J' list
    expect 0 '# joules_heat_float *x* on' show joules_heat
    "$hit" model show joules_heat | awk '$1 == 160000 && $2 > 0 { found = 1 } END { exit !found }' || {
        echo "expected units per joule of 160000 units" && failed=1
    }
    expect 0 '1 removed' clear joules_heat
fi
HIT_POWERCAP=$dir/nowhere
export HIT_POWERCAP
expect 2 '--energy: expected a meter but found none' measure heat --size 400 --energy
expect 2 'expected a kernel for --energy' measure links --energy
unset HIT_POWERCAP

expect 2 'did you mean "heat_float"?' measure heta_float --size 5
expect 2 'but found "nothing"' measure nothing --size 5
expect 2 'expected --size' measure heat
expect 2 'sizes of 1 or 2 numbers' measure heat --size 5x5x5
expect 2 'sizes of 1 or 2 numbers' measure heat --size 5,
expect 2 'sizes of 1 or 2 numbers' measure heat --size 10x
expect 2 'fits the memory of process 0 but found 1000000000000000 units' measure fill_double --size 1000000000000000 --forget
expect 2 '"seconds": null' measure fill_double --size 1000000000000000 --forget --json
expect 2 'give its extent with --k' measure matvec_float --size 5
expect 2 'from 1 to 4611686018427387903 for --k' measure gemm_double --size 5 --k 0
expect 2 'no option --speed' measure heat --size 5 --speed 3
expect 2 'a value after --size' measure heat --size
expect 2 '"status": "error"' measure heat --json
expect 2 '"status": "error"' measure heat --speed 3 --json
expect 2 'no model'"'s name begins with \"nothing\"" show nothing
expect 2 'but 2 begin with' show ''
expect 2 'expected a model' show "$dir/none.fpm"
expect 2 'usage' list now
expect 2 'usage'
expect 0 'usage' --help
expect 0 'usage' measure --help

for file in "$dir"/cache/hit/models/heat*; do echo nonsense >"$file"; done
expect 0 'not a model' list
expect 2 '# hit model 1' show heat
expect 0 '1 removed' clear gemm
expect 0 '1 removed' clear
expect 0 'no models' list
# tiles of chains: what programs keep
tiles="$dir/cache/hit/models/tiles_heat-0123456789abcdef.tiles"
printf '# hit tiles 1\n# kernel tiles_heat 90x90\n# device here\n# build now\n4 0x64 1e-10 2\n2 0 plain 2.5e-10 2\nend\n' >"$tiles"
expect 0 'kernel  tiles_heat 90x90' list
expect 0 'tiles   2 tried, the fastest of 4 steps, 2.50 times as fast as one launch after the other' list
expect 0 '"build": "now", "tried": 2, "steps": 4, "gain": 2.5}' list --json
expect 0 '4 0x64 1e-10 2' show tiles
expect 2 'expected a model in' plot tiles
sed -i 's/1e-10/9e-10/' "$tiles"
expect 0 'tiles   2 tried, one launch after the other is the fastest' list
sed -i '$d' "$tiles"
expect 0 'is it whole?' list
expect 0 '1 removed' clear tiles
# links: what is listed, shown and cleared like any model
expect 0 'within: ' measure links --devices host:staged:memory=1MiB --reps 3
expect 0 '"link": "out", "run_bytes": 64, "bytes": 65536, "seconds": ' measure links --devices host:staged:memory=1MiB --reps 3 --json
expect 0 '"link": "in", "latency_s": ' measure links --devices host:staged:memory=2MiB --reps 3 --json
expect 0 'kernel  link_in_64' list
expect 0 'kind functional' show link_out_2048
expect 2 'but found "mesure"; did you mean "measure"?' mesure links
expect 2 'there is no link' measure links --devices host
expect 2 'expected no --size' measure links --size 5
expect 2 'expected no --k' measure links --k 5
expect 0 '9 removed' clear
exit $failed
