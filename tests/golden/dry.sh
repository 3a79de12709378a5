#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: dry.sh HEAT CHOLESKY [--write], in the root of the project: what dry runs of these examples plan for 1 and 4
# processes, against dry.txt beside this; --write makes that file anew.
set -u
export XDG_CACHE_HOME=/nonexistent # no models: no times
golden=tests/golden/dry.txt

of_interest() { # the programs' own lines and the name of the device are not for this test
    sed -n "/^plan/s/,.*//p; /^launch\|^chain\|^  how\|^  predicted\|^predicted\|^  .*process\$\|^  device memory.*device\|^device memory\|^in all\|^host memory\|^{\"launch/p" |
        sed 's/"beside_bytes": [1-9][0-9]*/"beside_bytes": N/'
}

plan() {
    HIT_PLAN=$1 HIT_PLAN_PROCESSES=$2 "$heat" --size 4096 --steps 20 --threads 1 --device-memory 4MiB | of_interest
}

all() {
    plan 1 1
    plan 1 4
    plan json 4
    # 120 launches at as many places, of few classes
    HIT_PLAN=1 HIT_PLAN_PROCESSES=4 "$cholesky" --size 1024 --tile 128 | of_interest
}

heat=$1
cholesky=$2
if [ "${3:-}" = --write ]; then
    all >$golden
else
    all | diff -u $golden -
fi
