#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: entered.sh FOLDER [-v]: which functions does a launch enter in steady state, from hit_launch() on? FOLDER has
# the benchmark `entered`. Counted with valgrind's callgrind: what is called more often in a run of more launches than in
# one of fewer. Of work in place, resident, streamed, in blocks over 2 processes and placed by a scheduler, each beside a
# dry run of the same program: functions that both enter, that only the real run and only the dry run enters, calls for
# each launch, and for each superblock where there are several. -v lists the names.
# What other threads do (lanes of devices, tasks) is not in it, nor is what the compiler put in line.
set -euo pipefail
export LC_ALL=C
program=$(realpath "$1")/entered
names=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export XDG_CACHE_HOME=$work/cache

# profile OUT LAUNCHES COMMAND...: the launcher, if there is one, stands before valgrind
profile() {
    local out=$1 launches=$2 edge=$3
    shift 3
    "${launcher[@]}" env "${settings[@]}" valgrind --tool=callgrind --callgrind-out-file="$work/$out.%p" \
        --toggle-collect='hit_launch_args' "$program" "$edge" "$launches" "$@" >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    # of several processes the first one that wrote
    calls "$(find "$work" -name "$out.*" | sort | head -n 1)" >"$work/$out"
}

# calls FILE: "function calls" of the program's own functions
calls() {
    awk -v program="$program" '
        function name(text,    id) { # "(12) name" the first time, "(12)" later
            id = text
            sub(/\).*/, ")", id)
            if (text ~ /\) /) { known[kind, id] = text; sub(/^[^ ]* /, "", known[kind, id]) }
            return known[kind, id]
        }
        /^ob=/ { kind = "ob"; object = name(substr($0, 4)); next }
        /^cob=/ { kind = "ob"; target = name(substr($0, 5)); next }
        /^fn=/ { kind = "fn"; name(substr($0, 4)); target = ""; next }
        /^cfn=/ { kind = "fn"; called = name(substr($0, 5)); next }
        /^calls=/ {
            split($0, count, /[= ]/)
            if ((target == "" ? object : target) == program) sum[called] += count[2]
            target = ""
        }
        END { for (f in sum) print f, sum[f] }' "$1" | sort
}

# steady NAME FEW MANY: "function calls-per-launch", of those called in each launch or block
steady() {
    join -a 2 "$work/$1.few" "$work/$1.many" | awk -v more=$(($3 - $2)) '
        NF == 3 && $3 > $2 && ($3 - $2) * 40 >= more { print $1, ($3 - $2) / more }' >"$work/$1"
}

# row WHAT EDGE FEW MANY [promise]
row() {
    local what=$1 edge=$2 few=$3 many=$4
    shift 4
    local real=("${settings[@]}") launched=("${launcher[@]}")
    profile real.few "$few" "$edge" "$@"
    profile real.many "$many" "$edge" "$@"
    settings+=(HIT_PLAN=1)
    ((${#launcher[@]} == 0)) || settings+=(HIT_PLAN_PROCESSES=2)
    launcher=()
    profile dry.few "$few" "$edge" "$@"
    profile dry.many "$many" "$edge" "$@"
    settings=("${real[@]}") launcher=("${launched[@]}")
    steady real "$few" "$many"
    steady dry "$few" "$many"
    join -a 1 -a 2 -e - -o 0,1.2,2.2 "$work/real" "$work/dry" | awk -v what="$what" -v names="$names" '
        $2 != "-" && $3 != "-" { both++ }
        $2 != "-" && $3 == "-" { real++ }
        $2 == "-" { dry++ }
        $2 != "-" { calls += $2 }
        $1 == "run_superblock" { s = $2 }
        { list = list sprintf("    %-5s %8s %8s  %s\n", $2 == "-" ? "dry" : $3 == "-" ? "real" : "both", $2, $3, $1) }
        END {
            printf "%-12s %5d %9d %9d %14.1f %19s\n", what, both, real, dry, calls, (s > 1 ? sprintf("%.1f", calls / s) : "-")
            if (names == "-v") printf "%s", list
        }'
    rm -f "$work"/real.* "$work"/dry.*
}

printf '%-12s %5s %9s %9s %14s %19s\n' launch both "only real" "only dry" "calls a launch" "calls a superblock"
launcher=()
settings=(HIT_DEVICES=host:threads=1)
row "in place" 16 100 200
settings=(HIT_DEVICES=host:threads=1:memory=1MiB)
row resident 64 100 200
settings=(HIT_DEVICES=host:threads=1:memory=64KiB)
row streamed 256 20 40
launcher=("${HIT_LAUNCHER:-mpiexec}" --bind-to none -n 2)
settings=(HIT_DEVICES=host:threads=1 HIT_CHAIN=8)
row "2 processes" 128 160 320 promise
launcher=()
settings=(HIT_DEVICES=host:threads=1:memory=1MiB+host:threads=1 HIT_SCHED=mct)
row scheduled 64 100 200
