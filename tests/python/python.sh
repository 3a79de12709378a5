#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: python.sh BUILD SCRIPT [ARGUMENT...]: runs a script with the package hit over the library in BUILD. With LAUNCHER (and
# a number of processes) in the environment several do. HIT_PRELOAD: the library of a sanitizer. 77: something is missing.
set -eu
build=$1
shift
python=/usr/bin/python3
[ -x "$python" ] || python=python3
for module in cffi numpy; do
    "$python" -c "import $module" 2>/dev/null || {
        echo "skipped: python3-$module is not installed"
        exit 77
    }
done
command -v pkg-config >/dev/null 2>&1 || {
    echo "skipped: pkg-config is not installed"
    exit 77
}
PYTHONPATH=$(cd "$(dirname "$0")/../../python" && pwd)
PKG_CONFIG_PATH=$build/package # hit-uninstalled.pc
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PKG_CONFIG_PATH PYTHONDONTWRITEBYTECODE
if [ -n "${HIT_PRELOAD:-}" ]; then # Python itself leaks
    set -- env LD_PRELOAD="$HIT_PRELOAD" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$python" "$@"
else
    set -- "$python" "$@"
fi
# shellcheck disable=SC2086
exec ${LAUNCHER:-} "$@"
