#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: night.sh BUILD SEED [LAUNCHER...]: what takes minutes on the played GPU: programs that stream and chain, random
# chains, and 100 wrong statements, others with each seed
set -eu
ptx=$1/tests/support/ptx
seed=$2
shift 2
if [ ! -x "$ptx/hit.run.stream.ptx" ]; then
    echo "skipped: $1 was built without nvcc"
    exit 77
fi
export LD_LIBRARY_PATH="$PWD/$ptx/played${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset HIT_DEVICES || true
echo "seed $seed"
"$@" "$ptx/hit.run.chain.ptx"
"$@" "$ptx/hit.run.stream.ptx"
HIT_SEED=$seed HIT_CHAINS=20 "$@" "$ptx/hit.run.chains_random.ptx"
"$(dirname "$0")/mutate.py" 100 "$seed" 88 "$ptx/ptx.catalogue"
