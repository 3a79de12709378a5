#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: install.sh BUILD: what pip installs of python/ is the package, and a program runs with it; a missing library is told.
set -eu
build=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=python3
for module in pip setuptools wheel cffi numpy; do
    "$python" -c "import $module" 2>/dev/null || {
        echo "skipped: python3-$module is not installed"
        exit 77
    }
done
command -v pkg-config >/dev/null 2>&1 || { echo "skipped: pkg-config is not installed" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$top/python" "$folder/source" # setuptools builds beside the sources
"$python" -m pip install --quiet --no-index --no-build-isolation --no-deps --target "$folder/site" "$folder/source" 2>"$folder/log" || {
    cat "$folder/log"
    exit 1
}
cd "$folder"
PYTHONPATH=$folder/site
export PYTHONPATH
PKG_CONFIG_PATH=$build/package "$python" - <<'PYTHON'
import hit
assert hit.__file__.endswith("/site/hit/__init__.py"), hit.__file__
with hit.open() as h:
    tile = h.tile(4, "float32", "t")
    tile.fill(2)
    assert tile.get(3) == 2
PYTHON
if PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$folder "$python" -c 'import hit' 2>"$folder/log"; then
    echo "expected no libhit"
    exit 1
fi
grep -q 'ImportError: expected libhit where pkg-config looks: export PKG_CONFIG_PATH=' "$folder/log" || {
    cat "$folder/log"
    exit 1
}
echo "ok: pip install"
