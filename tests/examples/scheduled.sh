#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/examples/scheduled.sh HIT CHOLESKY LU QR: factorisations whose launches a scheduler places on devices with memories of a
# few blocks are right, and a trace has the kernels and copies of each device.
set -eu
hit=$1
cholesky=$2
lu=$3
qr=$4
trace=$(mktemp)
for scheduler in mct heft dada:alpha=0.5,cp home eager; do
    for devices in 'host:threads=1:memory=64KiB * 2' 'host:threads=1 + host:threads=1:memory=100KiB' 'host:threads=2:memory=64KiB'; do
        HIT_SCHED=$scheduler HIT_DEVICES=$devices "$cholesky" --check --solve --size 250 --tile 50 >"$trace"
    done
done
HIT_SCHED=home HIT_DEVICES='host:threads=1:memory=96KiB * 2' "$lu" --check --solve --size 250 --tile 50 >"$trace"
HIT_SCHED=mct HIT_DEVICES='host:threads=1:memory=96KiB * 2' "$qr" --check --solve --size 250 --tile 50 >"$trace"
HIT_TRACE=$trace HIT_SCHED=mct HIT_DEVICES='host:threads=1:memory=80KiB * 2' "$cholesky" --size 250 --tile 50 >"$trace.out"
"$hit" trace draw "$trace" >"$trace.svg"
for lane in 'device 0: kernels' 'device 0: copies in' 'device 1: kernels' 'device 1: copies in' gemm_nt_double; do
    if ! grep -q ">$lane" "$trace.svg"; then
        echo "expected $lane in the picture of a trace" >&2
        exit 1
    fi
done
# one that does not exist is refused where launches need none, too
for devices in host:memory=1MiB host:threads=1; do
    if HIT_SCHED=nothing HIT_DEVICES="$devices" "$cholesky" --size 64 --tile 16 2>"$trace"; then
        echo "expected a scheduler that is not there to be told" >&2
        exit 1
    fi
    grep -q 'HIT_SCHED: ' "$trace"
done
rm "$trace" "$trace.out" "$trace.svg"
echo right
