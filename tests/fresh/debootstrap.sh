#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: debootstrap.sh [root] [sudo] [user] [deb] [readme] [mpich] [clang]   (as root; the first five if none is named)
#
# Does a clone work on a machine that has nothing? Makes an empty Debian 12, or of the suite that HIT_FRESH_SUITE names
# (trixie is Debian 13), below $HIT_FRESH (by default /tmp/hit-fresh) with only git and a shell, from the mirror that this machine uses, clones the last commit
# into it, and there
#   root   runs ./run demo and ./run tests as root
#   sudo   the same as a user with sudo
#   user   sees that a user without rights is told the line to run
#   deb    has the Debian package, built out here, but not the clone: installs it by apt with all it depends on and
#          recommends, and builds and runs the template and the installed examples, alone and on 2 processes
#   readme runs README.md from its first line to its last, as root (readme.sh); HIT_FRESH_LEAVE_OUT="./run tests" leaves
#          that command out
#   mpich  runs ./run demo and ./run tests as root beside MPICH, and sees that no other MPI comes
#   clang  runs ./run tests as root, built by clang with libomp
# In root, mpich and clang warnings of the compiler are errors.
# HIT_FRESH_WORK=1 takes the files as they lie here, committed or not, instead of the last commit.
set -eu
cd "$(dirname "$0")/../.."
top=$(pwd)
fresh=${HIT_FRESH:-/tmp/hit-fresh}
suite=${HIT_FRESH_SUITE:-bookworm}
base=$fresh/base-$suite
root=$fresh/root

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "skipped: this needs root and the package debootstrap"
    exit 77
fi

# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(ORIGIN) $(SITE) $(REPO_URI)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $3 !~ /security/ { print $3; exit }')
if [ -z "$mirror" ]; then
    echo "skipped: apt knows no Debian mirror here"
    exit 77
fi

clean_up() {
    for place in dev/shm proc; do umount "$root/$place" 2>/dev/null || true; done
}
trap clean_up EXIT

make_base() {
    [ -f "$base.done" ] && return
    rm -rf "$base"
    mkdir -p "$fresh"
    echo "debootstrap $suite (log: $fresh/debootstrap.log)"
    debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$base" "$mirror" \
        >"$fresh/debootstrap.log" 2>&1
    touch "$base.done"
}

# an empty machine with the project in /home/ada/hit; /proc and shared memory are what MPI asks for
make_root() {
    clean_up
    rm -rf "$root"
    cp -a "$base" "$root"
    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/shm"
    mount -t tmpfs shm "$root/dev/shm"
    chroot "$root" useradd -m -s /bin/bash ada
    if [ "${HIT_FRESH_WORK:-0}" = 1 ]; then
        mkdir "$root/home/ada/hit"
        git ls-files --cached --others --exclude-standard | tar -cf - -T - | tar -xf - -C "$root/home/ada/hit"
    else
        git clone -q --no-local "$top" "$root/home/ada/hit"
    fi
    chroot "$root" chown -R "${1:-root}" /home/ada/hit
}

inside() { # inside USER COMMAND: a login shell with nothing of this machine's environment
    chroot "$root" env -i HOME=/home/ada PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        setpriv --reuid "$1" --regid "$1" --init-groups --reset-env sh -c "cd /home/ada/hit && $2"
}

install() { # install PACKAGE...: into the root
    chroot "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"' \
        install "$@" >"$fresh/install.log" 2>&1 || { tail -n 30 "$fresh/install.log" && return 1; }
}

as_root() {
    make_root
    inside root 'export HIT_CMAKE=-DHIT_WERROR=ON; ./run demo && ./run tests'
}

as_mpich() {
    make_root
    install mpich libmpich-dev
    inside root 'export HIT_CMAKE=-DHIT_WERROR=ON; ./run demo && ./run tests'
    if chroot "$root" dpkg-query -W libopenmpi-dev openmpi-bin 2>/dev/null | grep .; then
        echo "Open MPI was installed beside MPICH"
        return 1
    fi
    inside root 'build/release/bin/hit info' | grep MPICH
}

as_clang() {
    make_root
    install clang libomp-dev
    inside root 'CC=clang CXX=clang++ HIT_CMAKE=-DHIT_WERROR=ON ./run tests'
}

as_sudo() {
    make_root ada
    install sudo
    echo 'ada ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/ada"
    inside ada './run demo && ./run tests'
}

as_user() {
    make_root ada
    if inside ada './run tests' >"$fresh/user.log" 2>&1; then
        echo "./run tests passed without any rights"
        return 1
    fi
    cat "$fresh/user.log"
    grep -q '^  apt-get update && apt-get install --no-install-recommends .*libopenmpi-dev' "$fresh/user.log"
}

build_deb() { # from what make_root put there
    (
        cd "$root/home/ada/hit"
        cmake --preset package -B "$fresh/package" && cmake --build "$fresh/package"
        rm -f "$fresh"/package/*.deb
        cd "$fresh/package" && cpack -G DEB
    ) >"$fresh/package.log" 2>&1 || { tail -n 30 "$fresh/package.log" && return 1; }
    cp "$fresh"/package/hit_*.deb "$root/tmp/hit.deb"
}

as_deb() {
    make_root
    build_deb
    rm -rf "$root/home/ada/hit"
    mkdir "$root/home/ada/hit"
    chroot "$root" chown ada /home/ada/hit
    inside root 'export DEBIAN_FRONTEND=noninteractive; apt-get update && apt-get install -y /tmp/hit.deb' \
        >"$fresh/deb.log" 2>&1 || { tail -n 30 "$fresh/deb.log" && return 1; }
    # shellcheck disable=SC2016
    inside ada '
        set -e
        export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
        hit info
        for project in template ""; do
            cp -r /usr/share/hit/examples/$project "project$project"
            cmake -S "project$project" -B "build$project" -DCMAKE_BUILD_TYPE=Release
            cmake --build "build$project"
        done
        ldd buildtemplate/plate
        buildtemplate/plate
        for run in "heat --size 64x48 --steps 5" "matmul --size 50" "vector --size 1000" "seismic --size 60x40 --steps 5"; do
            build/$run --check
            mpiexec -n 2 build/$run --check
        done'
}

as_readme() {
    make_root
    inside root "tests/fresh/readme.sh \"${HIT_FRESH_LEAVE_OUT:-}\""
}

make_base
[ $# -gt 0 ] || set -- root sudo user deb readme
for case; do
    echo "== $case"
    "as_$case"
done
echo "all passed"
