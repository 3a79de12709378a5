#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: dry.sh HEAT [--write], in the root of the project: what a dry run of this example plans for 1 and 4
# processes, against dry.txt beside this; --write makes that file anew.
set -u
export XDG_CACHE_HOME=/nonexistent # no models: no times
golden=tests/golden/dry.txt

plan() { # the program's own lines and the name of the device are not for this test
    HIT_PLAN=$1 HIT_PLAN_PROCESSES=$2 "$heat" --size 4096 --steps 20 --threads 1 --device-memory 4MiB |
        sed -n "/^plan/s/,.*//p; /^launch\|^  predicted\|^predicted\|^  .*process\$\|^  device memory.*device\|^in all\|^{\"launch/p"
}

all() {
    plan 1 1
    plan 1 4
    plan json 4
}

heat=$1
if [ "${2:-}" = --write ]; then
    all >$golden
else
    all | diff -u $golden -
fi
