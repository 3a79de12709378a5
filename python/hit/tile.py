# SPDX-License-Identifier: MIT
"""Tiles, and their elements as NumPy arrays that share the memory."""
import contextlib
import weakref

import numpy as np

from hit.domain import domain, of_handle
from hit.kernels import element, memory, type_of
from hit.library import check, encode, fail, ffi, lib, encode_options, string

INTENTS = {"r": lib.HIT_READ, "w": lib.HIT_WRITE, "rw": lib.HIT_READ_WRITE}
GPU = "cuda"  # the kind of its devices
BOUNDARIES = ["none", "constant", "periodic", "clamp", "mirror"]


def owned(place, destroy, keep=None):
    """What PLACE points to, given back when nobody has it any more, and KEEP not before."""
    return ffi.gc(place[0], lambda handle, kind=ffi.typeof(place), new=ffi.new, kept=keep: destroy(new(kind, handle)))


class _Memory:
    """The elements of a piece: the base of arrays over them. It keeps the tile, and its memory where it is."""

    def __init__(self, handle, view, dtype, writes):
        self.__array_interface__ = {
            "version": 3, "typestr": dtype.str, "data": (int(ffi.cast("uintptr_t", view.data)), not writes),
            "shape": of_handle(view.domain).shape, "strides": tuple(view.stride_bytes[0:view.domain.dims])}
        check(lib.hit_tile_hold(handle))
        self._handle = handle

    def __del__(self, release=lib.hit_tile_release):
        if hasattr(self, "_handle"):
            release(self._handle)


def place_of(index, domain):
    """An index of a domain as C has it; none is that of a scalar."""
    if len(index) != len(domain):
        fail("HIT_E_ARG", f"expected {len(domain)} indices but found {len(index)}")
    return ffi.new("hit_index[]", list(index)) if index else ffi.NULL


class Tile:
    """Elements of one type over a domain, distributed as a layout says; made by Context.tile() and select()."""

    def __init__(self, handle, name, domain, dtype, rank, family=None):
        self.handle, self.name, self.domain, self.dtype, self._rank = handle, name, domain, dtype, rank
        self.arg = ffi.new("hit_arg *", {"tile": handle, "type": type_of(dtype)})
        self._arrays = [] if family is None else family._arrays  # handed out, of a tile and its selections

    pieces = property(lambda self: lib.hit_tile_pieces(self.handle), doc="How many boxes of it this process owns; 0 is legal.")

    def __repr__(self):
        return f"<hit tile {self.name}: {self.dtype} over {self.domain!r}>"

    # --- elements as arrays ---

    def _map(self, mode, piece):
        """An array, and the domain of its elements."""
        if mode not in INTENTS:
            fail("HIT_E_ARG", f"tile {self.name}: expected r, w or rw but found {mode!r}")
        if piece == 0 and self.pieces == 0:
            return np.empty([0] * max(1, len(self.domain)), self.dtype), domain([0] * len(self.domain))
        view = ffi.new("hit_view *")
        check(lib.hit_tile_map(self.handle, piece, INTENTS[mode], view))
        made = np.asarray(_Memory(self.handle, view, self.dtype, mode != "r"))
        if made.dtype != self.dtype:
            made = made.view(self.dtype)
        if mode != "r":
            self._arrays.append(weakref.ref(made))
        return made, of_handle(view.domain)

    def array(self, mode="r", piece=0):
        """The elements of a piece in an array over their memory: "r" to read, "w" to write all, "rw" both. From the next
        launch on the tile, or call of it, on it is read-only, and may be out of date. A process without a piece gets none."""
        return self._map(mode, piece)[0]

    @contextlib.contextmanager
    def map(self, mode="r", piece=0):
        """with tile.map("w") as a: the same, read-only behind it."""
        made = self.array(mode, piece)
        try:
            yield made
        finally:
            made.flags.writeable = False

    def indices(self, piece=0):
        """The global indices of a piece's elements, one open array per dimension, as numpy.ogrid gives them."""
        return _grid(self._map("r", piece)[1])

    def set(self, function):
        """Set every element to FUNCTION(i, j, ...) of its global indices, which come as open arrays."""
        for piece in range(self.pieces):
            made, box = self._map("w", piece)
            made[...] = function(*_grid(box))
        self.seal()

    def seal(self):
        """What was handed out for writing is read-only from now on."""
        for array in self._arrays:
            if array() is not None:
                array().flags.writeable = False
        self._arrays.clear()

    def __dlpack__(self, **options):
        if self.pieces != 1:
            fail("HIT_E_ARG", f"tile {self.name}: expected one piece on this process but found {self.pieces}")
        return self.array("rw").__dlpack__(**options)

    def __dlpack_device__(self):
        return 1, 0  # a CPU

    @property
    def __cuda_array_interface__(self):
        """For CuPy, PyTorch, Numba: the elements in a GPU's memory, which the tile keeps there from now on; none elsewhere."""
        view = ffi.new("hit_view *")
        status = lib.hit_tile_map_device(self.handle, 0, encode(GPU), lib.HIT_READ_WRITE, view)
        if status == lib.HIT_E_ABSENT:
            raise AttributeError(string(lib.hit_status_text()))
        check(status)
        self._there = _Memory(self.handle, view, self.dtype, True)
        return self._there.__array_interface__

    # --- whole tiles: calls that all processes make, but for select() and fill() ---

    def _do(self, call, *arguments):
        self.seal()
        check(call(self.handle, *arguments))

    def _value(self, value):
        return element(value, self.dtype, f"tile {self.name}")

    def select(self, *extents):
        """The elements of a domain as a tile of their own, with the same indices and the same memory."""
        box = domain(*extents)
        place = ffi.new("hit_tile **")
        check(lib.hit_tile_select(self.handle, box.handle, place))
        return Tile(owned(place, lib.hit_tile_destroy, self.handle), self.name, box, self.dtype, self._rank, self)

    def fill(self, value):
        self._do(lib.hit_tile_fill, memory(self._value(value)))

    def copy(self, to):
        """Copy what both have in common to tile TO, from any layout to any other."""
        to.seal()
        self._do(lib.hit_tile_copy, to.handle)

    def get(self, *index):
        """One element, on every process; without an index that of a scalar."""
        made = np.empty((), self.dtype)
        self._do(lib.hit_tile_get, place_of(index, self.domain), memory(made, require_writable=True))
        return made[()]

    def gather(self, root=0):
        """The whole tile as an array of process ROOT's own; None on the others."""
        is_root = self._rank == root
        made = np.empty(self.domain.shape if is_root else 0, self.dtype)
        self._do(lib.hit_tile_gather, root, memory(made, require_writable=True) if is_root else ffi.NULL)
        return made if is_root else None

    def scatter(self, array, root=0):
        """The reverse: what ARRAY of process ROOT says; None on the others."""
        made = None if array is None else np.ascontiguousarray(array, self.dtype)
        if made is not None and made.shape != self.domain.shape:
            fail("HIT_E_ARG", f"tile {self.name}: expected an array of {self.domain.shape} but found {made.shape}")
        self._do(lib.hit_tile_scatter, root, ffi.NULL if made is None else memory(made))

    def relayout(self, layout):
        """Distribute the tile anew; refused while somebody has an array of it."""
        self._do(lib.hit_tile_relayout, layout.handle)

    def boundary(self, boundary, dim=-1, value=None):
        """What lies outside in dimension DIM, or in all: "none", "periodic", "clamp", "mirror", or "constant": VALUE, which the
        others ignore."""
        if boundary not in BOUNDARIES:
            fail("HIT_E_ARG", f"tile {self.name}: expected one of {', '.join(BOUNDARIES)} but found {boundary!r}")
        constant = ffi.NULL if value is None else memory(self._value(value))
        self._do(lib.hit_tile_set_boundary, dim, BOUNDARIES.index(boundary), constant)

    def axis(self, dim, name, units=None, first=0, step=0, values=None):
        """What dimension DIM is called and measured in, for files; VALUES are coordinates, one for each element."""
        texts = encode(name), encode(units)
        values = None if values is None else np.ascontiguousarray(values, "float64")
        if values is not None and values.shape != (len(self.domain[dim]),):
            fail("HIT_E_ARG", f"tile {self.name}: expected {len(self.domain[dim])} coordinates but found {values.shape}")
        places = ffi.NULL if values is None else ffi.from_buffer("double[]", values)
        made = ffi.new("hit_axis *", {"name": texts[0], "units": texts[1], "first": first, "step": step, "value": places})
        self._do(lib.hit_tile_set_axis, dim, made)

    # --- files: options as in hit/io/io.h and hit/io/picture.h ---

    def write(self, path, **options):
        """Write the tile: .npy, .zarr, .h5 or .vtkhdf, as the path ends; tile.write("t.zarr", chunks="64x64")."""
        self._do(lib.hit_tile_write, encode(path), encode_options(options))

    def read(self, path, **options):
        self._do(lib.hit_tile_read, encode(path), encode_options(options))

    def write_png(self, path, **options):
        self._do(lib.hit_tile_write_png, encode(path), encode_options(options))


def _grid(box):
    return np.ix_(*(np.arange(r.start, r.stop, r.step) for r in box)) if len(box) else ()
