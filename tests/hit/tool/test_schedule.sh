#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_schedule.sh HIT: the command line of `hit schedule`: figures, JSON, machine files, mistakes; and the sources do
# not know the machines that they come with.
set -u
hit=$1
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

# expect CODE TEXT ARGUMENT...: the exit code, and a text that must be in what is printed
expect() {
    code=$1 text=$2
    shift 2
    answer=$("$hit" schedule "$@" 2>&1)
    found=$?
    case $answer in
    *"$text"*) [ $found -eq "$code" ] && return ;;
    esac
    echo "hit schedule $*: expected exit code $code and \"$text\" but found $found and:"
    echo "$answer"
    failed=1
}

expect 0 'usage: hit schedule GRAPH' --help
expect 0 '"makespan_ms": 668.571' cholesky --machine idgraf --gpus 1 --size 8192 --tile 512 --scheduler heft --json
expect 0 '"moved_bytes": 2594' cholesky --machine idgraf --gpus 8 --scheduler dada:alpha=0.5,cp --json
expect 0 '"tasks": 1496' qr --machine machines/idgraf.machine --gpus 2 --json
expect 0 '"tasks": 1496' lu --machine idgraf --json
expect 0 '"tasks": 1496' lu-incpiv --machine idgraf --json
expect 0 '28 tasks in 47.184 ms' dgemm --machine sirocco --gpus 1 --cpus 10 --tile 960 --scheduler mct
expect 0 '"runs": 30, "makespan_ms_half_width": 0.000000' cholesky --machine idgraf --runs 30 --json
expect 0 ' 5 runs: ' cholesky --machine idgraf --runs 5 --noise 5
# equal runs from equal seeds; the mean of two runs is that of each of them
noisy() { "$hit" schedule cholesky --machine idgraf --noise 5 --json "$@" | sed 's/.*"makespan_ms": \([0-9.]*\).*/\1/'; }
[ "$(noisy --runs 2 --seed 7)" = "$(noisy --runs 2 --seed 7)" ] || { echo "unlike runs from equal seeds" && failed=1; }
awk "BEGIN { d = ($(noisy --seed 7) + $(noisy --seed 8)) / 2 - $(noisy --runs 2 --seed 7); exit d * d > 1e-10 }" ||
    { echo "--runs 2 is not the mean of the two" && failed=1; }
# what is written back counts at once, or when it is there: memory for a few tiles
back() { "$hit" schedule cholesky --machine idgraf --gpus 1 --memory 8MB --json "$@" | sed 's/.*"makespan_ms": \([0-9.]*\).*/\1/'; }
[ "$(back)" = "$(back --back asked)" ] || { echo "--back asked is not the default" && failed=1; }
[ "$(back)" != "$(back --back arrived)" ] || { echo "--back arrived changes nothing" && failed=1; }
# energy: one device that is busy all the time, one that is not; 4 products of 2 x 100^3 operations at 1 GFLOP/s take 8 ms
machine() { printf '# hit machine 1\ndevice a 1 %s\ndevice b 1 %s\nkernel gemm 2\nspeed gemm a * 1\n' "$1" "$2" >"$dir/power.machine"; }
power() { code=$1 text=$2 && shift 2 && expect "$code" "$text" dgemm --count 4 --tile 100 --machine "$dir/power.machine" "$@"; }
machine 'watts=50 idle=10' 'watts=20 idle=5' # 8 ms x (50 + 5) W
power 0 '"makespan_ms": 8.000000, "energy_j": 0.440000' --json
power 0 'energy 0.44 J'
power 0 '"energy_j_half_width": 0.000000' --runs 3 --json
machine 'watts=50 idle=10' ''
power 0 '"makespan_ms": 8.000000, "moved_bytes"' --json
machine 'watts=50' ''
power 2 'power.machine:2: expected watts= and idle=, or none of them'
machine '' 'watts=5 idle=6'
power 2 'power.machine:3: expected watts= above 0 and idle= from 0 to that but found "5" and "6"'
for watts in 'watts=5 idle=-1' 'watts=-5 idle=-6' 'watts=-5 idle=0' 'watts=0 idle=0' 'watts=nan idle=0' 'watts=inf idle=0' 'watts=5 idle=nan' 'watts=5 idle=x'; do
    machine "$watts" ''
    power 2 'power.machine:2: expected watts= above 0 and idle= from 0 to that but found "'
done
expect 2 'expected "asked" or "arrived" for --back but found "soon"' cholesky --machine idgraf --back soon
expect 2 'for --runs' cholesky --machine idgraf --runs 0
expect 2 'expected a graph' --machine idgraf
expect 2 'expected --machine' cholesky
expect 2 'no option --fast' cholesky --fast
expect 2 'did you mean "heft"?' cholesky --machine idgraf --scheduler hetf
expect 2 'expected cholesky, lu, lu-incpiv, qr or dgemm' svd --machine idgraf
expect 2 'but found "cholesk"; did you mean "cholesky"?' cholesk --machine idgraf
expect 2 'expected the name of a scheduler' cholesky --machine idgraf --scheduler best
expect 2 'expected an option alpha, cp, affinity, queue or learn but found "alpa"; did you mean "alpha"?' \
    cholesky --machine idgraf --scheduler dada:alpa=1
expect 2 'no-such-machine' cholesky --machine no-such-machine
expect 2 '1 to 256 times --tile' cholesky --machine idgraf --size 1000
expect 1 'needs 6291456 bytes at once' cholesky --machine idgraf --cpus 0 --host-only none --memory 6MB
expect 2 'has no kernel "x"' cholesky --machine idgraf --host-only x
expect 2 '"status": "HIT_E_ARG"' cholesky --machine idgraf --gpus many --json
expect 2 '"status": "HIT_E_ARG"' cholesky --machin idgraf --json
expect 2 'expected a machine in .: Is a directory' cholesky --machine .

# other numbers in a machine file give other figures
sed 's/^speed gemm    gpu .*/speed gemm gpu * 400/' machines/idgraf.machine >"$dir/faster.machine"
expect 0 'tasks' cholesky --machine "$dir/faster.machine" --gpus 1 --json
case $answer in *'"makespan_ms": 668.571'*) echo "a faster GPU changed nothing" && failed=1 ;; esac
HIT_MACHINES=$dir expect 0 '816 tasks' cholesky --machine faster
# mistakes in it are told with their place
for line in 'device gpu' 'device gpu 1' 'device x -1' 'device x 257' 'device x*0 1' 'device x 1 memory=1' 'device x 1 window=1' 'device x 1 fast=1' \
    'device x 1 memory=-1 link=pcie' 'device x 1 memory=1MB link=pcie window=-1' 'device x 1 watts=2 idle=1 watts=3' 'link pcie in=1 out=1' \
    'link x in=0 out=1' 'link x in=1 out=-1' 'link x in=1' 'link x in=1 out=1 lanes=0' 'link x in=1 out=1 in_ns=-1' 'link x in=1 out=1 out_ns=-1' \
    'link x in=1 out=1 peer=2' 'speed gemm core * fast' 'speed gemm core * -1' 'speed gemm core * 0' 'speed gemm core * nan' 'speed gemm core * -2x-3' \
    'speed gemm core * 2x-3' 'speed gemm core * 1e200x1e200' 'speed gemm core -1 2' 'speed svd core * 2' 'time gemm core 1 -1' 'kernel gemm 2' \
    'kernel x -1' 'kernel x 1/0' 'host_only x' 'word' 'rate gemm core' 'rate gemm core 0 1' 'rate gemm core * 0' 'rate gemm core * fast' \
    'rate gemm core * inf' 'rate gemm none * 1' 'rate gemm core * 1e19' 'node a 1 gpu=65' 'node a 1 memory=1GB' \
    'node a 1 core=1 memory=no' 'node a 1 core=1 memory=1GB memory=1GB' 'node a' 'node a 1' 'node a 0 core=1' 'node a 1 core' 'node a 1 none=1' 'node a 1 core=0' \
    'node a 1 core=1 core=1' 'node a 1000001 core=1' 'network ns=1' 'network bytes=0' 'network bytes=1 ns=-1' 'network bytes=1 wide=1'; do
    { cat machines/idgraf.machine && echo "$line"; } >"$dir/wrong.machine"
    expect 2 "wrong.machine:$(wc -l <"$dir/wrong.machine"): " cholesky --machine "$dir/wrong.machine"
done
: >"$dir/wrong.machine"
expect 2 'wrong.machine:1: expected "# hit machine 1" but found ""' cholesky --machine "$dir/wrong.machine"

for machine in machines/*.machine; do
    name=$(basename "$machine" .machine)
    grep -rl "$name" hit layouts kernels patterns && echo "these name the machine $name" && failed=1
done
exit $failed
