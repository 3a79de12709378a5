# SPDX-License-Identifier: MIT
"""Domains as tuples of ranges: range(1, n - 1) has the indices 1 to n - 2, as in all of Python."""
import functools

from hit.library import fail, ffi

MAX_DIMS = 4


class Domain(tuple):
    """The index set of a tile or of a launch: one range per dimension; none is the domain of a scalar."""

    @property
    def shape(self):
        return tuple(len(r) for r in self)

    def grow(self, width):
        """Both ends of every dimension moved outwards by WIDTH elements, inwards where it is negative."""
        return Domain(range(r.start - width * r.step, r[-1] + width * r.step + 1, r.step) if len(r) else r for r in self)

    def __repr__(self):
        return " x ".join(f"{r.start}:{r.stop}" + (f":{r.step}" if r.step != 1 else "") for r in self) or "()"

    @functools.cached_property
    def handle(self):
        """It as a hit_domain, made once: a launch asks again and again."""
        sigs = [(r.start, r[-1], r.step if len(r) > 1 else 1) if len(r) else (0, -1, 1) for r in self]
        return ffi.new("hit_domain *", {"dims": len(self), "sig": sigs})[0]


def domain(*extents):
    """domain(n, m), domain(range(1, n), 5), or of one tuple of such: a number n stands for range(n)."""
    if len(extents) == 1 and isinstance(extents[0], Domain):
        return extents[0]
    if len(extents) == 1 and isinstance(extents[0], (tuple, list)):
        extents = extents[0]
    if len(extents) > MAX_DIMS:
        fail("HIT_E_ARG", f"expected at most {MAX_DIMS} dimensions but found {len(extents)}")
    ranges = [e if isinstance(e, range) else range(e) for e in extents]
    for r in ranges:
        if r.step < 1:
            fail("HIT_E_ARG", f"expected a range with a step of 1 or more but found {r}")
    return Domain(ranges)


def of_handle(made):
    """The Domain of a hit_domain."""
    return Domain(range(s.begin, s.end + 1, s.stride) for s in made.sig[0:made.dims])
