#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/examples/simulated.sh HIT CHOLESKY LU QR: the launches of cholesky and lu (without pivoting) on a simulated machine
# take the time and move the bytes that `hit schedule` prints for the same graph, whether they are carried out or
# planned (HIT_PLAN=1), and results are right, also those of qr. With pivots and in qr a diagonal block is one datum, not two,
# since boxes name no triangles: times and bytes are near those of the graph, no more.
set -eu
hit=$1
cholesky=$2
lu=$3
qr=$4
graph=cholesky
program=$cholesky
more=
also=
size=1024
tile=128
check=--check
near=0

# figure NAME: of the JSON object on the last line
figure()
{
    sed -n '$s/, "devices".*//; $s/.*"'"$1"'": *\([-0-9.e+]*\).*/\1/p'
}

# compare MACHINE OPTIONS SCHEDULER
compare()
{
    words=$(echo "$2" | sed 's/\([a-z-]*\)=\([^:]*\):*/--\1 \2 /g')
    # shellcheck disable=SC2086 # several words, or none
    expected=$("$hit" schedule $graph --machine "$1" --size $size --tile $tile --scheduler "$3" $words --json)
    devices=simulated:$1${2:+:$(echo "$2" | tr : ,)}$also
    # shellcheck disable=SC2086
    found=$(HIT_DEVICES=$devices HIT_SCHED=$3 "$program" --size $size --tile $tile --json $check $more)
    for name in makespan_ms moved_bytes tasks; do
        a=$(echo "$expected" | figure $name)
        b=$(echo "$found" | figure $name)
        # the program's time is a difference of numbers in seconds
        if ! awk "BEGIN { d = $a - $b; most = 2e-6 + $near * $a
                          exit !(\"$a\" != \"\" && \"$b\" != \"\" && d < most && d > -most) }"; then
            echo "$devices, $3: expected $name $a but found $b" >&2
            exit 1
        fi
    done
}

for scheduler in heft heftrank dada:alpha=0.5,cp dada:alpha=0 mct:beta=2 home static eager steal random; do
    compare idgraf gpus=3:memory=512KiB "$scheduler"
done
for scheduler in heft:queue=rank dada:alpha=0.5,cp home; do
    compare idgraf '' "$scheduler"
    compare idgraf gpus=2:cpus=1 "$scheduler"
done
# panels that the program keeps on the host, where the machine would let GPUs factor them
more='--panels host'
also=,host-only=none
for scheduler in heft home dada:alpha=0.5,cp; do
    compare idgraf gpus=4:memory=512KiB "$scheduler"
done
more=
also=
trace=$(mktemp)
HIT_TRACE=$trace HIT_DEVICES=simulated:idgraf "$cholesky" --size $size --tile $tile >"$trace.out"
"$hit" trace draw "$trace" >"$trace.svg"
for lane in 'process 0: simulated idgraf: 8 gpu 6 core' 'device 0: copies in' 'device 8: kernels' gemm_nt_double; do
    if ! grep -q ">$lane" "$trace.svg"; then
        echo "expected $lane in the picture of a trace" >&2
        exit 1
    fi
done
rm "$trace" "$trace.out" "$trace.svg"
check= # its product is one task, which fits no such memory
compare idgraf cpus=0:gpus=1:memory=512KiB:host-only=none heft
HIT_SCHED=home HIT_DEVICES=simulated:idgraf:memory=2MiB "$qr" --size $size --tile $tile --check >"$trace"
HIT_SCHED=heft HIT_DEVICES=simulated:idgraf:memory=2MiB "$lu" --size $size --tile $tile --check >"$trace"
rm "$trace"
export HIT_PLAN=1
size=8192
tile=512
compare idgraf '' mct
compare idgraf gpus=4:memory=64MiB dada:alpha=0,cp
size=3840
tile=960
compare sirocco groups=6,6 heft
graph=lu
program=$lu
more='--pivot none'
size=4096
tile=512
compare idgraf '' heft
compare idgraf gpus=4 home
near=0.1
graph='lu-incpiv'
more=
compare idgraf gpus=4 mct
graph=qr
program=$qr
compare idgraf gpus=4 mct
echo equal
