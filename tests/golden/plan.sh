#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: plan.sh HIT [--write], in the root of the project: what `hit plan` prints and its exit codes, against
# plan.txt beside this; --write makes that file anew.
set -u
hit=$1
golden=tests/golden/plan.txt

# shellcheck disable=SC2086 # the words of $1 are arguments
plan() {
    echo "\$ hit plan $1"
    "$hit" plan $1 2>&1 | sed 's/ ([a-z_]*[.]c:[0-9]*)//' # where it failed: debug builds only
    "$hit" plan $1 >/dev/null 2>&1
    echo "= $?"
}

all() {
    for mib in 16 32 64 128 256 512 1024; do
        plan "vector --domain 67107840 --device-memory ${mib}MiB --json"
    done
    for mib in 4 8 16 32 64 128 256 512 1024; do
        plan "heat --domain 8192x8192 --device-memory ${mib}MiB --json"
    done
    for mib in 4 16 64 256; do
        plan "gemm --domain 4096x4096 --device-memory ${mib}MiB --json"
    done
    plan "gemm --domain 4096x4096 --device-memory 512KiB --json"
    plan "gemm --domain 4096x4096 --device-memory 512KiB"
    plan "gemm --domain 4096x4096 --device-memory 3KiB"
    plan "gemm --domain 4096x4096 --device-memory 2KiB"
    plan "gemm --domain 4096x4096 --device-memory 96MiB --type double --launch"
    plan "gemm --domain 4096x4096 --device-memory 6MiB --type double --launch"
    plan "heat --domain 8192x8192 --device-memory 64MiB --launch"
    plan "heat --domain 8192x8192 --device-memory 64MiB --chain 64"
    plan "heat --domain 8192x8192 --device-memory 8MiB --chain 64 --json"
    plan "wave --domain 4096x4096 --device-memory 32MiB --chain 20"
    plan "heat --domain 8192x8192 --device-memory 64KiB --chain 8"
    plan "gemm --domain 512x512 --device-memory 1MiB --chain 8 --json"
    plan "heat --domain 512x512 --device-memory 1MiB --chain 1"
    plan "gemm --domain 4096x4096 --device-memory 16MiB --type double --in-flight 2 --k 512"
    plan "gemm_float --type=double --domain=4096x4096 --device-memory=64MiB"
    plan "heat --domain 65536x65536 --device-memory 24MiB --block 32x8 --least-bytes"
    plan "stencil7 --domain 512x512x512 --device-memory 100MB"
    plan "matvec --domain 4096 --k 4096 --device-memory 64MiB"
    plan "matvec --domain 4096 --device-memory 64MiB"
    plan "dot --domain 1000000 --device-memory 1MB --type float --json"
    plan "heat --domain 8192 --device-memory 4MiB --json"
    plan "heat --domain 8192x0 --device-memory 4MiB"
    plan "heat --domain 8192x8192 --device-memory 4XB"
    plan "heat --domain 8192x8192 --device-memory"
    plan "heat --domain 8192x8192 --device-memory 4MiB --type int"
    plan "heat --domain 9223372036854775807x9223372036854775807 --device-memory 1GiB"
    plan "fill_float --domain 1152921504606846976 --device-memory 1GiB --block 9223372036854775807"
    plan "heat --domain 4611686018427387904x4611686018427387904 --device-memory 1KiB --block 1x1"
    plan "heat --domain 8192x8192 --device-memory 4MiB --in-flight 0"
    plan "haet --domian 8192x8192"
    plan "haet"
    plan "heat --plate 8192x8192 --json"
}

if [ "${2-}" = --write ]; then
    all >"$golden"
else
    all | diff -u "$golden" -
fi
