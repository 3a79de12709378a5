#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_dry_time.sh HEAT CHOLESKY QR LU: times of a dry run are not known, are measured on request, and are the same
# in every run from then on.
set -u
heat=$1 cholesky=$2 qr=$3 lu=$4
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
failed=0

plan() { # MODE PROCESSES MEMORY
    HIT_PLAN=$1 HIT_PLAN_PROCESSES=$2 "$heat" --size 700x300 --steps 10 --threads 1 --device-memory "$3"
}

expect() { # TEXT FILE: a line that matches
    grep -q -- "$1" "$2" && return
    echo "expected \"$1\" but found:"
    cat "$2"
    failed=1
}

out=$XDG_CACHE_HOME/out
plan 1 1 256KiB >"$out"
expect 'predicted time not known: kernel not measured (HIT_PLAN=measure), copies not measured (HIT_PLAN=measure)$' "$out"
expect '^predicted time in all: not known$' "$out"
plan json 1 256KiB >"$out"
expect '"predicted_s": null, "not_measured": \["kernel", "copies"\]}$' "$out"

plan measure 1 256KiB | grep predicted >"$out"
expect '^  predicted time [0-9.e-]* s$' "$out"
expect '^predicted time in all: [0-9.e-]* s$' "$out"
plan 1 1 256KiB | grep predicted >"$out.again"
cmp "$out" "$out.again" || failed=1 # a plan is a plan
plan json 1 256KiB >"$out"
expect '"predicted_s": [0-9.e-]*, "again_s": [0-9.e-]*}$' "$out"
expect '^{"launches": 10, .*"predicted_s": [0-9.e-]*' "$out"

# what fits stays there; links are known whatever the memory, kernels are not
plan 1 1 64MiB | grep predicted >"$out"
expect 'not known: kernel not measured (HIT_PLAN=measure)$' "$out"
plan measure 1 64MiB | grep predicted >"$out"
expect '^  predicted time [0-9.e-]* s, [0-9.e-]* s with its tiles on the device$' "$out"
# what is factored is regular; the extents of blocks need not be equal
for factors in "$cholesky" "$qr" "$lu"; do
    HIT_PLAN=measure "$factors" --size 128 --tile 64 --threads 1 >"$out" 2>&1
    expect '^predicted time in all: [0-9.e-]* s$' "$out"
done
# messages need somebody to send them to
plan measure 4 256KiB | grep predicted >"$out"
expect 'not known: messages not measured (mpiexec -n 2 hit model measure links)$' "$out"

# each device of a process has models of its own
both() { # MODE
    HIT_PLAN=$1 HIT_DEVICES='host:staged:memory=256KiB:threads=1 + host:threads=1' "$heat" --size 700x300 --steps 10
}
XDG_CACHE_HOME=$XDG_CACHE_HOME/both # nothing is known there
both 1 | grep predicted >"$out"
expect 'predicted time not known: kernel not measured (HIT_PLAN=measure), copies not measured (HIT_PLAN=measure)$' "$out"
both measure | grep predicted >"$out"
expect '^  predicted time [0-9.e-]* s$' "$out"
expect '^predicted time in all: [0-9.e-]* s$' "$out"
both 1 | grep predicted >"$out.again"
cmp "$out" "$out.again" || failed=1
both json >"$out"
expect '"predicted_s": [0-9.e-]*, "again_s": [0-9.e-]*}$' "$out"
exit $failed
