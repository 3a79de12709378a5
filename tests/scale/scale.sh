#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Examples on many processes of one machine: SMPI of SimGrid runs all processes of an MPI program as coroutines of one. What
# they find is compared with a sequential reference, and what they send with what a dry run foretells, exactly. Then heat with
# kernels that take time of the simulation, beside what a dry run foretells of that: within 5 %. Then collective calls per launch
# in longer runs, on the fewest processes, 90 at most: 0.01 at most.
# usage: scale.sh BUILD [PROCESSES...]; default 90 and 1000. The library is configured and
# built in the folder BUILD. Exit status 1: something is wrong or unlike; 77: there is no SMPI.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v smpicc >/dev/null || ! command -v smpirun >/dev/null; then
    echo "scale: skipped, there is no SMPI: apt-get install --no-install-recommends libsimgrid-dev"
    exit 77
fi

configure() {
    cmake -G Ninja -S "$root" -B "$build" -DCMAKE_C_COMPILER=smpicc -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PROJECT_hit_INCLUDE="$root/tests/scale/scale.cmake" -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
        -DHIT_MPI=ON -DHIT_SHARED=OFF -DHIT_TESTS=OFF -DHIT_CHECKS=OFF -DHIT_CUDA=OFF -DHIT_BLAS=OFF -DHIT_HWLOC=OFF \
        -DHIT_PNG=OFF -DHIT_ZSTD=OFF -DHIT_HDF5=OFF
    cmake --build "$build" --target hit_scale
}

build=$(realpath -m "$build")
mkdir -p "$build"
configure >"$build/configure.log" 2>&1 || { tail -n 30 "$build/configure.log" && exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# on PROCESSES PROGRAM...: each on a node of its own, with a link of 2 GB/s and 1 us to all others. Its clock is that of
# the simulation, where computing takes no time. No store of models: all processes would lock it at the same instant. Large
# buffers are mapped, as in a process of its own: SimGrid has malloc() keep them in its heap.
on() {
    local np=$1 platform=$work/$1.xml
    shift
    if [ ! -f "$platform" ]; then
        cat >"$platform" <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n-" suffix="" radical="0-$((np - 1))" speed="1Gf" bw="2GBps" lat="1us"
           loopback_bw="10GBps" loopback_lat="100ns"/>
</platform>
END
        seq -f 'n-%g' 0 $((np - 1)) >"$work/$np.hosts"
    fi
    XDG_CACHE_HOME=/dev/null MALLOC_MMAP_THRESHOLD_=131072 smpirun -np "$np" -platform "$platform" -hostfile "$work/$np.hosts" -no-privatize \
        --cfg=smpi/simulate-computation:no --cfg=smpi/test:1e-7 --cfg=contexts/stack-size:128 \
        --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:0.95 --cfg=smpi/bcast:binomial_tree --cfg=smpi/reduce:binomial \
        --cfg=smpi/allreduce:rdb --cfg=smpi/gather:ompi_binomial --cfg=smpi/barrier:ompi_recursivedoubling \
        --log=root.thresh:warning --log=smpi_config.thresh:warning "$@"
}

# of the line of JSON in the file $1: what launches did
counts() {
    grep -oE '"(launches|superblocks|messages|messages_empty|message_bytes)": [0-9]+' "$1" || true
}

number() { # number NAME, of the run before
    sed -nE "s/.*\"$1\": ([0-9.e+-]+).*/\1/p" "$work/out"
}

wrong=0
# a run and its dry run; sets what row() and curve() print
measure() {
    local np=$1
    shift
    right=yes foretold=yes
    on "$np" "$build/examples/$1" "${@:2}" --check --json --threads 1 >"$work/out" 2>&1 || right=no
    grep -q '"ok": true' "$work/out" || right=no
    HIT_PLAN=1 HIT_PLAN_PROCESSES=$np on 1 "$build/examples/$1" "${@:2}" --check --json --threads 1 >"$work/dry" 2>&1 || true
    if [ "$(counts "$work/out")" != "$(counts "$work/dry")" ] || [ -z "$(counts "$work/out")" ]; then foretold=NO; fi
    read -r launches inside last between kb seconds <<<"$(sed -n 's/^witness //p' "$work/out")"
    if [ $right = yes ] && [ $foretold = yes ]; then return; fi
    wrong=1
    echo "$* on $np: expected a right result, and what the dry run foretells:" && counts "$work/dry" && echo "but found" &&
        tail -n 30 "$work/out"
}

# row PROCESSES PROGRAM...
row() {
    measure "$@"
    awk -v np="$1" -v right=$right -v foretold=$foretold -v messages="$(number messages)" -v bytes="$(number message_bytes)" \
        -v launches="${launches:-0}" -v inside="${inside:-0}" -v last="${last:-0}" -v between="${between:-0}" -v kb="${kb:-0}" -v s="${seconds:-0}" \
        -v program="${*:2}" 'BEGIN {
        printf "| %s | %d | %s | %s | %.1f | %.0f | %d | %d | %d | %d | %.2f | %.1f |\n", program, np, right, foretold,
            messages / np, bytes / np, launches, inside, last, between, kb / 1000 / np, s }'
}

# side PROCESSES EXTENT: of heat with at most some EXTENT x EXTENT elements a process
side() {
    awk -v np="$1" -v part="$2" 'BEGIN { print part * int(sqrt(np) + 0.999) }'
}

# compare_times PROCESSES SIDE: heat with kernels of 2.5e8 indices a second. Messages of a process travel beside each other,
# over its link and over that of another one.
compare_times() {
    local np=$1 rate=2.5e8 found foretold run
    run=(heat --size "$2" --steps 100 --json --threads 1)
    cat >"$work/machine" <<END
# hit machine 1
device core 1
network bytes=1900000000 once_ns=2000
rate heat core * $rate
node equal $np core=1
END
    WITNESS_RATE=$rate on "$np" "$build/examples/${run[0]}" "${run[@]:1}" >"$work/out" 2>&1 || true
    found=$(number time_s)
    HIT_PLAN=json HIT_PLAN_PROCESSES=$np HIT_DEVICES=simulated:$work/machine on 1 "$build/examples/${run[0]}" "${run[@]:1}" \
        >"$work/dry" 2>&1 || true
    foretold=$(sed -nE 's/^\{"launches".*"predicted_s": ([0-9.e+-]+).*/\1/p' "$work/dry")
    awk -v run="${run[*]:0:5}" -v np="$np" -v a="${found:-0}" -v b="${foretold:-0}" 'BEGIN {
        r = a > 0 ? b / a : 0
        printf "%s on %d: %.6f s, foretold %.6f s, %.3f of it\n", run, np, a, b, r
        exit r < 0.95 || r > 1.05 }' || wrong=1
}

# collective calls of a process in launches, behind hit_open(): of one row
count_calls() {
    local np=$1
    shift
    on "$np" "$build/examples/$1" "${@:2}" --threads 1 >"$work/out" 2>&1 || wrong=1
    read -r launches inside last between _ <<<"$(sed -n 's/^witness //p' "$work/out")"
    awk -v program="$*" -v np="$np" -v n="${launches:-0}" -v inside="${inside:-1}" -v between="${between:-0}" 'BEGIN {
        r = n > 0 ? inside / n : 1
        printf "| %s | %d | %d | %d | %.4f | %d |\n", program, np, n, inside, r, between
        exit r > 0.01 }' || wrong=1
}

calls() { # calls PROCESSES
    echo
    echo "| program | processes | launches | collective in them | per launch | between them |"
    echo "| --- | --- | --- | --- | --- | --- |"
    count_calls "$1" heat --size 320 --steps 2000
    count_calls "$1" matmul --size 320 --panel 8 --steps 5
    count_calls "$1" seismic --size 400 --steps 400
    count_calls "$1" cholesky --size 640 --tile 16
}

table() { # table PROCESSES
    local np=$1
    row "$np" heat --size "$(side "$np" 32)" --steps 100
    row "$np" matmul --size 320 --panel 160 --steps 2
    row "$np" seismic --size 400 --steps 20
    row "$np" cholesky --size 512 --tile 32
}

echo "| program | processes | right | as foretold | messages each | bytes each | launches | collective in them | the last one in launch | between them | MB each | processor s |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
if [ $# = 0 ]; then set -- 90 1000; fi
for np in "$@"; do table "$np"; done
echo
least=$(printf '%s\n' 90 "$@" | sort -n | head -n 1)
compare_times 8 "$(side 8 32)" # blocks compute margins that are as large as these parts
compare_times "$least" "$(side "$least" 32)"
for np in "$@"; do compare_times "$np" "$(side "$np" 128)"; done
calls "$least"
exit $wrong
