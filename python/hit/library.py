# SPDX-License-Identifier: MIT
"""libhit, as pkg-config finds it, and its failures as exceptions."""
import functools
import os
import subprocess

import cffi

from hit import table

ffi = cffi.FFI()
ffi.cdef(table.TYPES + table.FUNCTIONS)
system_ffi = cffi.FFI()
system_ffi.cdef(table.SYSTEM)
system = system_ffi.dlopen(None)


class Error(Exception):
    """A call of libhit that failed: status is "HIT_E_ARG" or the like (docs/errors.md), text what was expected and found."""

    def __init__(self, status, text):
        super().__init__(f"{status}: {text}")
        self.status, self.text = status, text


@functools.lru_cache(maxsize=None)
def package(*question):
    """What pkg-config answers on hit; PKG_CONFIG_PATH says where it looks."""
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), *question, "hit"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as failure:
        raise ImportError("expected libhit where pkg-config looks: export PKG_CONFIG_PATH=PREFIX/lib/pkgconfig, PREFIX being "
                          f"where ./run install put it: {getattr(failure, 'stderr', '') or failure}") from None


PATH = os.path.join(package("--variable=libdir"), "libhit.so." + table.VERSION)
try:
    # for all: what MPI loads itself looks for MPI's own names
    lib = ffi.dlopen(PATH, ffi.RTLD_NOW | ffi.RTLD_GLOBAL)
except OSError as failure:
    raise ImportError(f"expected the shared library of hit {table.VERSION} (cmake -DHIT_SHARED=ON): {failure}") from None


def string(text):
    return ffi.string(text).decode() if text != ffi.NULL else None


def version():
    return string(lib.hit_version())


def fail(status, text):
    raise Error(status, text)


def check(status):
    if status != lib.HIT_OK:
        raise Error(string(lib.hit_status_name(status)), string(lib.hit_status_text()))


def encode(text):
    """A char pointer, also from a path; None is NULL."""
    return ffi.NULL if text is None else ffi.new("char[]", os.fsencode(text))


def encode_options(options):
    """{chunks: "64x64", add: True} is chunks=64x64,add=yes, as options of files and pictures are written."""
    words = [f"{key}={'yes' if value is True else value}" for key, value in options.items()]
    return encode(",".join(words) or None)


def symbol(path, name):
    """The address of what the library at PATH, or what it is linked to, calls NAME; None: there is nothing."""
    library = system.dlopen(os.fsencode(path), ffi.RTLD_NOW)
    if library == system_ffi.NULL:
        raise ImportError(system_ffi.string(system.dlerror()).decode())
    found = system.dlsym(library, name.encode())
    return None if found == system_ffi.NULL else int(system_ffi.cast("uintptr_t", found))
