#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/papers/oracle.sh HIT CHOLESKY LU QR [SEED [CASES]]: see oracle_cases.py; a SEED of "" is that of HIT_SEED, or 1. It
# is skipped where there is no python3.
if ! python3 -c '' 2>/dev/null; then
    echo "python3 is missing: skipped"
    exit 77
fi
exec python3 -B "$(dirname "$0")/oracle_cases.py" "$@"
