# SPDX-License-Identifier: MIT
"""Task graphs of factorisations by t x t tiles of b x b doubles, for oracle.py.

Tasks are added in program order. Where the triangles of a diagonal block are used by
different kernels (QR, LU with incremental pivoting) they are two data of half the bytes.
"""


class Graph:
    """Tasks in program order: kernel, (datum, mode)..., block; and who comes after whom."""

    def __init__(self):
        self.tasks, self.size, self.name = [], [], {}
        self.after, self.waits = [], []
        self.writer, self.readers = {}, {}

    def datum(self, name, size):
        if name not in self.name:
            self.name[name] = len(self.size)
            self.size.append(size)
        return self.name[name]

    def add(self, kernel, block, *accesses):
        t = len(self.tasks)
        self.tasks.append((kernel, accesses, block))
        self.after.append([])
        before = set()
        for d, mode in accesses:
            if d in self.writer:
                before.add(self.writer[d])
            if "W" in mode:
                before.update(self.readers.get(d, ()))
        before.discard(t)
        for d, mode in accesses:
            if "W" in mode:
                self.writer[d], self.readers[d] = t, []
            else:
                self.readers.setdefault(d, []).append(t)
        for s in before:
            self.after[s].append(t)
        self.waits.append(len(before))


def blocks(g, b, halves):
    """Accesses to the block (i, j); a diagonal one may be two data of half the bytes."""
    full = 8 * b * b

    def block(i, j, mode):
        if halves and i == j:
            return [(g.datum(("L", i), full // 2), mode), (g.datum(("U", i), full // 2), mode)]
        return [(g.datum((i, j), full), mode)]
    return block


def cholesky(t, b):
    g = Graph()
    at = blocks(g, b, False)
    for k in range(t):
        g.add("potrf", (k, k), *at(k, k, "RW"))
        for m in range(k + 1, t):
            g.add("trsm", (m, k), *at(k, k, "R"), *at(m, k, "RW"))
        for m in range(k + 1, t):
            g.add("syrk", (m, m), *at(m, k, "R"), *at(m, m, "RW"))
            for n in range(k + 1, m):
                g.add("gemm", (m, n), *at(m, k, "R"), *at(n, k, "R"), *at(m, n, "RW"))
    return g


def lu(t, b):
    g = Graph()
    at = blocks(g, b, False)
    for k in range(t):
        g.add("getrf", (k, k), *at(k, k, "RW"))
        for n in range(k + 1, t):
            g.add("trsm", (k, n), *at(k, k, "R"), *at(k, n, "RW"))
        for m in range(k + 1, t):
            g.add("trsm", (m, k), *at(k, k, "R"), *at(m, k, "RW"))
            for n in range(k + 1, t):
                g.add("gemm", (m, n), *at(m, k, "R"), *at(k, n, "R"), *at(m, n, "RW"))
    return g


def two_triangles(t, b, diagonal, row, column, update, qr):
    g = Graph()
    at = blocks(g, b, True)
    strip = 8 * b * 128

    def extra(m, k, mode):
        return (g.datum(("T", m, k), strip), mode)
    for k in range(t):
        lower, upper = at(k, k, "RW")
        g.add(diagonal, (k, k), lower, upper, *([extra(k, k, "W")] if qr else []))
        for n in range(k + 1, t):
            g.add(row, (k, n), (lower[0], "R"), *([extra(k, k, "R")] if qr else []),
                  *at(k, n, "RW"))
        for m in range(k + 1, t):
            g.add(column, (m, k), upper, *at(m, k, "RW"), extra(m, k, "W"))
            for n in range(k + 1, t):
                g.add(update, (m, n), *at(k, n, "RW"), *at(m, n, "RW"), *at(m, k, "R"),
                      extra(m, k, "R"))
    return g


def lu_incpiv(t, b):
    return two_triangles(t, b, "getrf_inc", "gessm", "tstrf", "ssssm", False)


def qr(t, b):
    return two_triangles(t, b, "geqrt", "unmqr", "tsqrt", "tsmqr", True)


def qr_program(t, b, inner=32):
    """QR as examples/qr.c launches it: a diagonal block is one datum, its reflectors are
    another of the same size, and what is read comes first."""
    g = Graph()
    at = blocks(g, b, False)

    def extra(m, k, mode):
        return (g.datum(("T", m, k), 8 * b * inner), mode)

    def apart(k, mode):
        return (g.datum(("V", k), 8 * b * b), mode)
    for k in range(t):
        g.add("geqrt", (k, k), *at(k, k, "RW"), extra(k, k, "W"), apart(k, "W"))
        for n in range(k + 1, t):
            g.add("unmqr", (k, n), apart(k, "R"), extra(k, k, "R"), *at(k, n, "RW"))
        for m in range(k + 1, t):
            g.add("tsqrt", (m, k), *at(m, k, "RW"), *at(k, k, "RW"), extra(m, k, "W"))
            for n in range(k + 1, t):
                g.add("tsmqr", (m, n), *at(m, k, "R"), extra(m, k, "R"), *at(m, n, "RW"),
                      *at(k, n, "RW"))
    return g


def dgemm(count, b):
    g = Graph()
    for i in range(count):
        g.add("gemm", (i, 0), (g.datum(i, 8 * b * b), "W"))
    return g


GRAPHS = {"cholesky": cholesky, "lu": lu, "lu-incpiv": lu_incpiv, "qr": qr}
