#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: compare.sh COMMIT [--pairs N] ["BENCH [OPTION...]"]...: is this working tree slower than COMMIT? Both are built
# below build/against with the same options (HIT_CMAKE), and the programs of each benchmark run in turn, N times
# (15). For every figure that both print: the median of the ratios of neighbours, > 1 where this tree is faster, the
# middle half of the ratios, and a verdict: "ok" where the median is at least 0.97 or the middle half contains 1. A
# program that prints no figure is timed as a whole. Processor times are shown, not judged: waiting threads spin.
# Needs no network, and leaves no trace in the repository. Exit status 1: something is slower.
# compare.sh --report: the rows from lines "ours or theirs|pair|name|unit|value"
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/build/against
export TIMEFORMAT='%R %U %S' BENCH_ROUNDS=${BENCH_ROUNDS:-7} # of a program's own
# as ./run bench does it
set -a
# shellcheck source=cmake/mpi.env
. cmake/mpi.env
set +a
unset OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_smsc

[ $# -gt 0 ] || { sed -n '3,9s/^# //p' "$0" && exit 2; }

# figures "side|pair|name|unit|value" into rows; fails if something is slower
report() {
    awk -F '|' '
        function better(what) { # 1: more is better, -1: less is better, 0: neither
            if (what == "times as fast" || what ~ "/s$") return 1
            return what ~ /seconds|of the bound|of its schedule|of the best grid/ ? -1 : 0
        }
        better($4) == 0 || $5 + 0 == 0 { next }
        { key = $3 ", " $4 }
        !(key in unit) { unit[key] = $4; order[++rows] = key }
        { value[key, $1, $2] = $5; if ($2 > pairs) pairs = $2 }
        function row(key,    n, p, k, r, swap, verdict) {
            n = 0
            for (p = 1; p <= pairs; p++) {
                if (!((key, "ours", p) in value && (key, "theirs", p) in value)) continue
                r[n] = value[key, "ours", p] / value[key, "theirs", p]
                if (better(unit[key]) < 0) r[n] = 1 / r[n]
                for (k = n++; k > 0 && r[k] < r[k - 1]; k--) { swap = r[k]; r[k] = r[k - 1]; r[k - 1] = swap }
            }
            if (n == 0) return
            median = r[int(n / 2)]; low = r[int(n / 4)]; high = r[n - 1 - int(n / 4)]
            verdict = median >= 0.97 || (low <= 1 && high >= 1) ? "ok" : "slower"
            if (unit[key] ~ /processors/) verdict = ""
            if (verdict == "slower") bad = 1
            printf "%-56s %7.3f   %7.3f to %7.3f  %s\n", key, median, low, high, verdict
        }
        END { for (k = 1; k <= rows; k++) row(order[k]); exit bad }'
}

if [ "$1" = --report ]; then
    report
    exit
fi
commit=$1 pairs=15
shift
if [ "${1:-}" = --pairs ]; then pairs=$2 && shift 2; fi

# in containers another user may own the repository
id=$(git -c safe.directory='*' rev-parse --verify --quiet --short=12 "$commit^{commit}") ||
    { echo "expected a commit but found $commit" && exit 2; }
source=$folder/$id-source
if [ ! -d "$source" ]; then
    rm -rf "$folder/unpack"
    mkdir -p "$folder/unpack"
    git -c safe.directory='*' archive "$id" | tar -x -C "$folder/unpack"
    mv "$folder/unpack" "$source"
fi
# the instrument is the same on both sides, unless its declarations have changed since
declarations() { gcc -fpreprocessed -E -P "$1"; }
if cmp -s <(declarations tests/bench/bench.h) <(declarations "$source/tests/bench/bench.h"); then
    cp -p tests/bench/bench.[ch] "$source/tests/bench/"
fi

configure() { # configure SOURCE BUILD
    # shellcheck disable=SC2086
    cmake -G Ninja -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release ${HIT_CMAKE:-} >"$2.log" 2>&1 ||
        { tail -n 40 "$2.log" && exit 1; }
}

programs() { # the benchmarks that the build $1 has
    cmake --build "$1" --target help | sed -nE 's/^bench\.([^.:]+): phony$/\1/p' | sort
}

configure . "$folder/ours"
configure "$source" "$folder/$id"
common=$(comm -12 <(programs "$folder/ours") <(programs "$folder/$id"))
if [ $# = 0 ]; then
    # shellcheck disable=SC2086
    set -- $common
fi

compile() { # compile BUILD NAME: with the programs that it starts
    local targets
    targets=$(cmake --build "$1" --target help | sed -nE "s/^(bench\.$2(\.[^:]+)?): phony$/\1/p")
    # shellcheck disable=SC2086
    cmake --build "$1" --parallel "$(nproc)" --target $targets >>"$1.log" 2>&1 || { tail -n 40 "$1.log" && exit 1; }
}

# once BUILD NAME [OPTION...]: one run; a line "name|unit|value" for each figure
once() {
    local program=$1/tests/bench/$2 launcher=() code=0 wall user system out=$folder/out
    case $2 in *-mpi | chain-processes) if command -v mpiexec >/dev/null; then launcher=(mpiexec --bind-to none -n 2); fi ;; esac
    { time "${launcher[@]}" "$program" "${@:3}" >"$out" 2>"$out.err" || code=$?; } 2>"$out.time"
    if [ $code != 0 ]; then
        cat "$out.err" >&2
        return $code
    fi
    read -r wall user system <"$out.time"
    sed -nE 's/^\{"name":"([^"]*)","ratio":([^,]*),.*"unit":"([^"]*)"\}$/\1|\3|\2/p' "$out"
    grep -q '^{"name":' "$out" || echo "$2|seconds of the process|$wall"
    echo "$2|seconds of processors|$(awk -v u="$user" -v s="$system" 'BEGIN { print u + s }')"
}

printf '%s beside %s, %d pairs\n' "this tree" "$id" "$pairs"
slower=0
for bench in "$@"; do
    read -ra line <<<"$bench"
    if ! grep -qxF -- "${line[0]}" <<<"$common"; then
        echo "expected a benchmark of both sides but found ${line[0]}; there are: ${common//$'\n'/ }"
        exit 2
    fi
    compile "$folder/ours" "${line[0]}"
    compile "$folder/$id" "${line[0]}"
    : >"$folder/figures"
    skipped=no
    for ((pair = 1; pair <= pairs; pair++)); do
        sides=(ours theirs)
        if ((pair % 2 == 0)); then sides=(theirs ours); fi # neither has the better place
        for side in "${sides[@]}"; do
            build=$folder/$id code=0
            if [ "$side" = ours ]; then build=$folder/ours; fi
            once "$build" "${line[@]}" >"$folder/lines" || code=$?
            if [ $code = 77 ]; then skipped=yes && break 2; fi # it said why
            if [ $code != 0 ]; then echo "$build/tests/bench/$bench failed: $code" && exit $code; fi
            sed "s/^/$side|$pair|/" "$folder/lines" >>"$folder/figures"
        done
    done
    if [ $skipped = yes ]; then continue; fi
    report <"$folder/figures" || slower=1
done
exit $slower
