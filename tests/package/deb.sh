#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: deb.sh SOURCE [LAUNCHER...]: builds the Debian package as it would be given away (for any machine of this
# kind, without CUDA), unpacks it into a scratch root, and builds and runs the template and the examples there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1
shift
# shellcheck source=tests/package/common.sh
. "$here/common.sh"
need dpkg-deb
need dpkg-shlibdeps

build=${HIT_PACKAGE_BUILD:-$source/build/package}
cmake --preset package -S "$source" -B "$build" >"$scratch/configure.log" 2>&1 || { cat "$scratch/configure.log" && fail configure; }
cmake --build "$build" >"$scratch/build.log" 2>&1 || { tail -n 30 "$scratch/build.log" && fail build; }
rm -f "$build"/*.deb
(cd "$build" && cpack -G DEB >"$scratch/cpack.log" 2>&1) || { tail -n 30 "$scratch/cpack.log" && fail cpack; }
deb=$(find "$build" -maxdepth 1 -name 'hit_*.deb')
[ -f "$deb" ] || fail "no package in $build"
for field in Package Version Architecture Depends; do
    [ -n "$(dpkg-deb -f "$deb" $field)" ] || fail "the package has no $field"
done
dpkg-deb -f "$deb" Depends | grep -q 'libc6 (' || fail "Depends: $(dpkg-deb -f "$deb" Depends)"
mkdir "$scratch/root"
dpkg-deb -x "$deb" "$scratch/root"
usr=$scratch/root/usr
[ "$(ls "$scratch/root")" = usr ] || fail "the package has more than /usr: $(ls "$scratch/root")"
"$usr/bin/hit" info >/dev/null || fail "hit info"
user "$usr" "$usr/share/hit/examples/template" template
user "$usr" "$usr/share/hit/examples" examples
"$scratch/template/plate" || fail plate
for run in "heat --size 64x48 --steps 5" "matmul --size 50" "vector --size 1000" "seismic --size 60x40 --steps 5"; do
    name=${run%% *}
    [ -x "$scratch/examples/$name" ] || continue
    # shellcheck disable=SC2086
    "$scratch/examples/"$run --check >"$scratch/$name.txt" || fail "$run: $(cat "$scratch/$name.txt")"
    # shellcheck disable=SC2086
    if [ $# -gt 0 ]; then "$@" 2 "$scratch/examples/"$run --check >/dev/null || fail "$* 2 $run"; fi
done
echo "ok: $(basename "$deb"), $(($(stat -c %s "$deb") / 1024)) KiB; $(dpkg-deb -f "$deb" Depends)"
