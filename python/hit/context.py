# SPDX-License-Identifier: MIT
"""Contexts: the processes and devices of a program; layouts, tiles and launches come from them."""
import atexit
import contextlib
import json
import os
import subprocess
import tempfile

import numpy as np

from hit.domain import domain, of_handle
from hit.kernels import Kernel, type_of
from hit.library import PATH, check, encode, fail, ffi, lib, package, string, symbol, system, system_ffi
from hit.tile import Tile, owned, place_of

_open_ones = []


class Layout:
    """Which process owns which elements of a domain."""

    def __init__(self, handle):
        self.handle = handle
        self.domain = of_handle(lib.hit_layout_domain(handle))

    ranks = property(lambda self: lib.hit_layout_ranks(self.handle))

    def owner(self, *index):
        """The rank that owns an index; -1 outside the domain."""
        return lib.hit_layout_owner(self.handle, place_of(index, self.domain))

    def like(self, *extents, factor=None):
        """A layout of another domain that follows the cuts of this one (hit_layout_like())."""
        factor = ffi.NULL if factor is None else place_of(factor, self.domain)
        return _layout(lib.hit_layout_like, self.handle, domain(*extents).handle, factor)

    def __str__(self):
        text = ffi.new("char[]", 256 + 256 * self.ranks)
        check(lib.hit_layout_print(self.handle, text, len(text)))
        return string(text)

    def _repr_svg_(self):
        """What a notebook shows: the picture of `hit layout draw`; None where that knows no such layout, or is not there."""
        command = [os.path.join(package("--variable=prefix"), "bin", "hit"), "layout", "draw", str(self).partition(" splits ")[0],
                   "--domain", "x".join(map(str, self.domain.shape)), "--ranks", str(self.ranks)]  # boxes elsewhere are refused
        try:
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return None


def _layout(call, *arguments):
    place = ffi.new("hit_layout **")
    check(call(*arguments, place))
    return Layout(owned(place, lib.hit_layout_destroy))


class Context(contextlib.AbstractContextManager):
    """Made by hit.open(); closed by close(), by the end of "with", or by the end of the program."""

    def __init__(self, handle, plan):
        self._place = handle
        self._plan = plan
        _open_ones.append(self)

    def close(self):
        """Launches run, devices are given back, and MPI ends if this context began it; all processes close."""
        if self in _open_ones:
            _open_ones.remove(self)
            lib.hit_close(self._place)

    def __exit__(self, *_):
        self.close()

    handle = property(lambda self: self._place[0])
    rank = property(lambda self: lib.hit_rank(self.handle))
    size = property(lambda self: lib.hit_size(self.handle))
    time = property(lambda self: lib.hit_time(self.handle), doc="Seconds, monotonic.")

    @property
    def device(self):
        """One line on this process's devices."""
        text = ffi.new("char[]", 1024)
        lib.hit_context_device(self.handle, text, len(text))
        return string(text)

    @property
    def plan(self):
        """What a dry run, open(plan=...), has printed so far: a dictionary for each line (docs/dry-run.md)."""
        return [] if self._plan is None else self._plan.lines()

    def stats(self, all=False):
        """What the launches did, of this process, or of ALL (a call that all processes make)."""
        made = ffi.new("hit_stats *")
        call = lib.hit_context_stats_all if all else lib.hit_context_stats
        check(call(self.handle, made) or lib.HIT_OK)  # the latter says nothing
        return {name: getattr(made, name) for name, _ in ffi.typeof("hit_stats").fields}

    def barrier(self):
        check(lib.hit_barrier(self.handle))

    def wait(self):
        """Wait until everything launched so far is done."""
        check(lib.hit_wait(self.handle))

    def chain(self, launches=0):
        """Let chains have at most so many launches; 0: as many as the library likes, 1: there are none (docs/chain.md)."""
        check(lib.hit_chain(self.handle, launches))

    def layout(self, extents, text="block"):
        """Split a domain over the processes as TEXT says (docs/layout.md)."""
        return _layout(lib.hit_layout_create, self.handle, domain(extents).handle, encode(text))

    def layout_from_parts(self, extents, mine):
        """A layout in which each process owns the box that it says."""
        return _layout(lib.hit_layout_from_parts, self.handle, domain(extents).handle, domain(mine).handle)

    def tile(self, where, dtype="float64", name=None, layout="block"):
        """A tile of zeros over a Layout, or over a domain that LAYOUT splits."""
        where = where if isinstance(where, Layout) else self.layout(where, layout)
        place = ffi.new("hit_tile **")
        check(lib.hit_tile_create(where.handle, type_of(dtype), encode(name), place))
        return Tile(owned(place, lib.hit_tile_destroy), name, where.domain, np.dtype(dtype), self.rank)

    def kernel(self, name):
        """A kernel of the library, or one that was registered."""
        place = ffi.new("hit_kernel **")
        check(lib.hit_kernel_find(self.handle, encode(name), place))
        return Kernel(place[0])

    def register(self, kernel):
        """Let texts such as "fpm2d:kernel=heat" name the kernel."""
        check(lib.hit_kernel_register(self.handle, kernel.handle))

    def launch(self, kernel, where, *arguments, on=None, layout=None, only=None):
        """Run KERNEL for every index of a domain, on tiles and values in the kernel's order; ON: the devices, "cuda"
        (HIT_ON()); LAYOUT: that which splits the indices; ONLY: inequalities that must hold, "j <= i or i < 8" (HIT_WHERE())."""
        count = len(arguments)
        packed = ffi.new("hit_arg[]", count + 2)
        kept = []
        for k, argument in enumerate(arguments):
            if isinstance(argument, Tile):
                packed[k] = argument.arg[0]
                if argument._arrays:
                    argument.seal()
            else:
                kept.append(kernel.pack(k, argument, packed[k]))
        texts = (on, lib.HIT_KIND_BYTES), (only, lib.HIT_KIND_INT8)
        named = [(encode(text), kind) for text, kind in texts if text is not None]
        for count, (text, kind) in enumerate(named, count + 1):
            packed[count - 1].value, packed[count - 1].type.kind = text, kind
        check(lib.hit_launch_args(self.handle, ffi.NULL if layout is None else layout.handle, kernel.handle,
                                  domain(where).handle, count, packed))


class _Plan:
    """What a dry run prints, as lines of JSON in a file without a name."""

    def __init__(self):
        self._file = tempfile.TemporaryFile(buffering=0)
        self.stream = system_ffi.gc(system.fdopen(os.dup(self._file.fileno()), b"a"), system.fclose)

    def lines(self):
        system.fflush(self.stream)
        self._file.seek(0)
        return [json.loads(line) for line in self._file]


def _address(comm):
    """Of mpi4py's communicator, if it is of the MPI that libhit calls."""
    from mpi4py import MPI

    if not isinstance(comm, MPI.Comm):
        fail("HIT_E_ARG", f"expected a communicator of mpi4py but found a {type(comm).__name__}")
    theirs = MPI.__file__
    if symbol(PATH, "MPI_Comm_dup") not in (None, symbol(theirs, "MPI_Comm_dup")):  # without MPI libhit says so itself
        fail("HIT_E_ARG", f"expected a communicator of libhit's MPI, {_mpi(PATH)}, but found one of mpi4py's, {_mpi(theirs)}")
    return ffi.cast("void *", MPI._addressof(comm))


def _mpi(path):
    """What the MPI that the library at PATH is linked to calls itself."""
    address = symbol(path, "MPI_Get_library_version")
    if address is None:
        return "of unknown version"
    text = ffi.new("char[]", 8192)
    ffi.cast("int (*)(char *, int *)", address)(text, ffi.new("int *"))
    return string(text).splitlines()[0].strip()


def open(devices=None, comm=None, plan=None):
    """Take this process's devices, and start MPI if it was not started.

    DEVICES: "host:staged:memory=16MiB" or the like; None: as the environment's HIT_DEVICES says. COMM: a communicator of
    mpi4py, which is duplicated. PLAN: nothing is run; launches are planned for so many processes, and Context.plan tells."""
    text = encode(devices)
    options = ffi.new("hit_options *", {"devices": text})
    printed = None if plan is None else _Plan()
    planned = {} if plan is None else {"HIT_PLAN": "json", "HIT_PLAN_PROCESSES": str(plan)}
    before = {name: os.environ[name] for name in planned if name in os.environ}
    place = ffi.new("hit_context **")
    try:
        if plan is not None:
            options.out = ffi.cast("FILE *", int(system_ffi.cast("uintptr_t", printed.stream)))
        os.environ.update(planned)
        check(lib.hit_open_with(ffi.NULL, ffi.NULL, options, place) if comm is None else
              lib.hit_open_from(_address(comm), options, place))
    finally:
        for name in planned:
            os.environ.pop(name, None)
        os.environ.update(before)
    return Context(place, printed)


@atexit.register
def _close_all():
    for context in reversed(_open_ones[:]):
        context.close()
