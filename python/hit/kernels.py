# SPDX-License-Identifier: MIT
"""Kernels: compiled from the text of a .k.c file, or of the library; and what their arguments are.

A compiled file lies in $XDG_CACHE_HOME/hit/kernels (~/.cache) under a hash of what the preprocessor makes of it, the
compiler's version and the flags: text, headers, the library's version and this machine's processor. A lock lets one process
of a host compile while the others wait."""
import fcntl
import hashlib
import os
import re
import shlex
import subprocess
import tempfile

import numpy as np

from hit.library import fail, ffi, lib, package, string, symbol

# in the order of HIT_KINDS (hit/base/types.h)
DTYPES = dict(enumerate("float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128 float16".split(),
                        lib.HIT_KIND_FLOAT))
try:
    import ml_dtypes
    bfloat16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # NumPy has none: the bits
    bfloat16 = np.dtype([("bits", "uint16")])
DTYPES[lib.HIT_KIND_BFLOAT16] = bfloat16
KINDS = {np.dtype(name): kind for kind, name in DTYPES.items()}
RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
MODES = ["in", "out", "inout", "sum", "min", "max", "reduce", "value"]


def type_of(dtype):
    """The (kind, size) of elements; any that is no number, such as a struct's, is plain bytes."""
    dtype = np.dtype(dtype)
    if dtype.hasobject or not dtype.isnative or dtype.itemsize == 0:
        fail("HIT_E_ARG", f"expected elements of plain bytes in this machine's order but found {dtype!r}")
    return KINDS.get(dtype, lib.HIT_KIND_BYTES), dtype.itemsize


def memory(array, **options):
    """The elements of an array for C; NumPy gives out no buffer of ml_dtypes' numbers."""
    return ffi.from_buffer(array.view("uint16") if array.dtype == bfloat16 else array, **options)


def element(value, dtype, what):
    """VALUE as one element of DTYPE: a number of Python's that it can hold but for digits of a fraction, a whole number of
    any type that fits, or one of the very type, as in C."""
    made = np.asarray(value)
    is_whole = made.dtype.kind in "iu" and dtype.kind in "iu"
    is_wide = type(value) in (bool, int, float, complex) and RANKS.get(made.dtype.kind, 9) <= RANKS.get(dtype.kind, -1)
    if made.shape != () or not (made.dtype == dtype or is_whole or is_wide or dtype.kind == "V"):
        fail("HIT_E_ARG", f"{what}: expected a value of type {dtype} but found {value!r} of type {made.dtype}")
    if dtype == bfloat16 and dtype.names and made.dtype.kind not in "uiV":
        fail("HIT_E_ABSENT", f"{what}: expected bits of 16, as ml_dtypes is not installed, but found {value!r}")
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= int(value) <= np.iinfo(dtype).max:
        fail("HIT_E_ARG", f"{what}: expected a value that fits {dtype} but found {value!r}")
    return np.asarray(value, dtype)


class Kernel:
    """A kernel that can be launched; of each argument its mode, name and pattern, and its dtype."""

    def __init__(self, handle):
        self.handle = handle
        self.name = string(handle.name)
        self.arguments = [(MODES[a.mode], string(a.name), string(a.pattern)) for a in handle.arg[0:handle.args]]
        self.dtypes = [np.dtype(DTYPES.get(a.type.kind, f"V{a.type.size_bytes}")) for a in handle.arg[0:handle.args]]

    def pack(self, k, value, arg):
        """Make ARG of VALUE, argument K; what is returned is to live until the launch."""
        if k >= len(self.arguments):
            fail("HIT_E_ARG", f"kernel {self.name}: expected {len(self.arguments)} arguments but found {k + 1} or more")
        mode, name, _ = self.arguments[k]
        dtype = self.dtypes[k]
        if mode != "value":
            fail("HIT_E_ARG", f"kernel {self.name}: expected a tile as argument {name} but found {value!r}")
        if type(value) is float and dtype.char in "fd":  # the usual one, in less time
            made = ffi.new("float *" if dtype.char == "f" else "double *", value)
            arg.value = made
        elif dtype.kind == "V" and dtype != bfloat16:
            made = bytes(value)
            arg.value = ffi.from_buffer(made)
        else:
            made = element(value, dtype, f"kernel {self.name}, argument {name}")
            arg.value = memory(made)
        arg.type = (KINDS.get(dtype, lib.HIT_KIND_BYTES), len(made) if isinstance(made, bytes) else dtype.itemsize)
        return made

    def __repr__(self):
        return f"<hit kernel {self.name}({', '.join(' '.join(filter(None, a)) for a in self.arguments)})>"


class Kernels:
    """What a kernel file defines: kernels("heat.k.c").heat."""

    def __init__(self, path, names):
        self.path = path
        for name in names:
            setattr(self, name, Kernel(ffi.cast("hit_kernel *", symbol(path, name))))


def _run(command, text=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True)
    except FileNotFoundError:
        fail("HIT_E_ABSENT", f"expected a C compiler but there is no {command[0]}: CC says which")
    if done.returncode != 0:
        fail("HIT_E_ARG", f"{shlex.join(command)}\n{done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def kernels(source, strict=False, flags=""):
    """Compile kernels, or find what was compiled.

    SOURCE is a path that ends in .k.c, or the text of such a file, which needs no #include "hit/kernel.h". They are compiled
    as hit_add_kernels() does, by $CC or the compiler that libhit was made with; STRICT: as hit_add_kernels(... STRICT)
    (docs/kernel.md#rounding). FLAGS are added. An Error has the compiler's text."""
    compiler = shlex.split(os.environ.get("CC") or package("--variable=compiler"))
    command = [*compiler, "-std=c11", "-fPIC", *shlex.split(package("--cflags")), "-include", "hit/kernel.h"]
    checked = shlex.split(package("--variable=checked_flags"))
    own = [package("--variable=kernel_flags"), package("--variable=strict_flags") if strict else "", flags]
    halves = [shlex.split(" ".join(own) + half) for half in (" -DHIT_KERNEL_VECTORS=1", " -DHIT_KERNEL_VECTOR_HALF")]
    if checked:  # the half that HIT_CHECK=1 runs
        halves[0].append("-DHIT_KERNEL_CHECKED=1")
        halves.append([*shlex.split(flags), *checked, "-DHIT_KERNEL_CHECKED_HALF"])
    link = [*shlex.split(package("--libs")), "-Wl,-rpath," + package("--variable=libdir")]
    if os.fspath(source).endswith(".k.c"):
        text = b'#include "' + os.fsencode(os.path.abspath(source)) + b'"\n'
    else:
        text = b'#line 1 "kernels"\n' + source.encode()
    seen = b"".join(_run([*command, *half, "-E", "-dD", "-x", "c", "-"], text) for half in halves[:2])
    about = repr((_run([*compiler, "--version"]), command, halves, link)).encode()
    folder = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "hit", "kernels")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, hashlib.sha256(about + seen).hexdigest()[:32])
    if not os.path.exists(path + ".so"):
        with open(path + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(path + ".so"):  # another process may have been first
                _compile(path + ".so", text, command, halves, link)
    return Kernels(path + ".so", re.findall(r"^[^#\n]*\bconst hit_kernel (\w+) = ", seen.decode(), re.MULTILINE))


def _compile(path, text, command, halves, link):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as scratch:
        objects = [os.path.join(scratch, f"{k}.o") for k in range(len(halves))]
        for flags, made in zip(halves, objects):
            _run([*command, *flags, "-x", "c", "-c", "-", "-o", made], text)
        _run([command[0], "-shared", "-o", os.path.join(scratch, "all.so"), *objects, *link])
        os.replace(os.path.join(scratch, "all.so"), path)
