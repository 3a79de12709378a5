# SPDX-License-Identifier: MIT
"""The package hit against NumPy, on any number of processes. usage: test_hit.py SOURCE"""
import gc
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

import hit

source = sys.argv.pop(1)
ks = hit.kernels(os.path.join(source, "tests", "python", "kernels.k.c"), flags=f"-I{source}")
PAIR = np.dtype([("number", "int32"), ("half", "float64")], align=True)


class Case(unittest.TestCase):
    def fails(self, status, text, call, *arguments, **named):
        with self.assertRaises(hit.Error) as caught:
            call(*arguments, **named)
        if caught.exception.status != "HIT_E_PEER":  # what process 0 found
            self.assertEqual(caught.exception.status, status)
        self.assertIn(text, caught.exception.text)

    def whole(self, tile):
        """What all processes see of a tile."""
        made = tile.gather()
        return made if made is not None else np.zeros(0)


class Domains(Case):
    def test_ranges_are_domains(self):
        plate = hit.domain(5, range(-2, 7, 3))
        self.assertEqual(plate.shape, (5, 3))
        self.assertEqual(hit.domain((4, 6)).grow(-1), (range(1, 3), range(1, 5)))
        self.assertEqual(plate.grow(1), (range(-1, 6), range(-5, 8, 3)))
        self.assertEqual(hit.domain(0).grow(2), (range(0, 0),))
        self.assertEqual(hit.domain(), ())
        self.assertEqual(repr(plate), "0:5 x -2:7:3")

    def test_what_is_none_is_refused(self):
        self.fails("HIT_E_ARG", "at most 4 dimensions but found 5", hit.domain, 1, 2, 3, 4, 5)
        self.fails("HIT_E_ARG", "a step of 1 or more", hit.domain, range(5, 0, -1))


class Tiles(Case):
    def test_elements_are_numpys(self):
        for dtype in ["float32", "float64", "int8", "uint16", "int64", "bool", "complex64", "complex128", "float16", PAIR]:
            tile = h.tile((7, 5), dtype, "t")
            expected = np.arange(35).reshape(7, 5).astype(dtype) if dtype != PAIR else np.zeros((7, 5), PAIR)
            tile.scatter(expected if h.rank == 0 else None)
            if tile.pieces:
                a = tile.array()
                self.assertEqual(a.dtype, np.dtype(dtype))
                at = np.ix_(*(i.ravel() for i in tile.indices()))
                self.assertTrue((a == expected[at]).all())
            if h.rank == 0:
                self.assertTrue((self.whole(tile) == expected).all())
            else:
                self.assertIsNone(tile.gather())

    def test_numbers_of_16_bits_are_ml_dtypes_or_bits(self):
        tile = h.tile((4, 6), hit.bfloat16, "b")
        bits = np.arange(24, dtype="uint16").reshape(4, 6) + 0x3f80  # 1, 1 + 2^-7, ...
        tile.scatter(bits.view(hit.bfloat16) if h.rank == 0 else None)
        self.assertEqual(tile.get(0, 5).view("uint16"), 0x3f85)
        found = tile.gather()
        if h.rank == 0:
            self.assertTrue((found.view("uint16") == bits).all())
        for piece in range(tile.pieces):
            self.assertEqual(tile.array("r", piece).dtype, hit.bfloat16)
        if hit.bfloat16.names:
            self.fails("HIT_E_ABSENT", "ml_dtypes is not installed", tile.fill, 0.5)
        else:
            tile.fill(0.5)
            self.assertEqual(float(tile.get(3, 3)), 0.5)
            h.launch(ks.times, tile.domain, tile, 3.0)
            self.assertEqual(float(tile.get(3, 3)), 1.5)
        self.assertEqual(ks.times.dtypes, [hit.bfloat16, hit.bfloat16])

    def test_all_layouts_are_set_and_seen(self):
        for layout in ["block", "cyclic", "blockcyclic:block=2", "single"]:
            box = hit.domain(range(-4, 20, 3), 9)
            tile = h.tile(box, "int32", "t", layout=layout)
            tile.set(lambda i, j: 100 * i + j)
            if h.rank == 0:
                i, j = np.meshgrid(*box, indexing="ij")
                self.assertTrue((self.whole(tile) == 100 * i + j).all(), layout)
            else:
                tile.gather()
            self.assertEqual(tile.get(2, 3), 203)

    def test_an_array_shares_memory_and_keeps_its_tile(self):
        tile = h.tile(12, "float64", "t")
        with tile.map("w") as a:
            a[...] = 5
        self.assertFalse(a.flags.writeable)
        self.assertEqual(tile.get(11), 5)
        part = tile.select(range(3, 9)).array()
        del tile
        gc.collect()
        h.tile(12, "float64", "other").fill(1)
        self.assertTrue((a == 5).all() and (part == 5).all())

    def test_an_array_is_read_only_after_the_next_launch(self):
        tile = h.tile(12, "float64", "t")
        part = tile.select(range(2, 9))
        a, b, other = tile.array("rw"), part.array("w"), h.tile(3, "float64", "o").array("w")
        a[...] = 3
        self.assertTrue(a.flags.writeable)
        h.launch(ks.scale, tile.domain, tile, 2.0, 1)
        self.assertFalse(a.flags.writeable or (b.size and b.flags.writeable))
        self.assertTrue(other.flags.writeable or other.size == 0)
        with self.assertRaises(ValueError):
            tile.array("r")[...] = 1
            raise ValueError  # of a process without elements
        self.assertEqual(tile.get(4), 7)

    def test_an_array_outlives_a_tile_that_grows(self):
        now, next = h.tile((3 * h.size, 4), "float64", "now"), h.tile((3 * h.size, 4), "float64", "next")
        now.boundary("periodic")
        now.set(lambda i, j: i + 100 * j)
        a = now.array()
        before = a.copy()
        h.launch(ks.shift, now.domain, next, now)
        h.wait()
        others = [h.tile((3 * h.size, 4), "float64", "o") for _ in range(4)]
        for other in others:
            other.fill(-1)
        self.assertTrue((a == before).all())
        i, j = np.meshgrid(*now.domain, indexing="ij")
        n = 3 * h.size
        found = next.gather()
        if h.rank == 0:
            self.assertTrue((found == (i - 1) % n + 100 * j + 10 * ((i + 1) % n + 100 * j)).all())
        self.fails("HIT_E_ARG", "release the views of tile now first", now.relayout, h.layout(now.domain, "cyclic"))
        del a
        now.relayout(h.layout(now.domain, "cyclic"))
        self.assertEqual(now.get(2, 3), 302)

    def test_dlpack_is_numpys(self):
        tile = h.tile(3 * h.size, "float32", "t")
        taken = np.from_dlpack(tile)
        tile.fill(4)
        self.assertTrue((taken == 4).all() and taken.size == 3)
        self.assertEqual(tile.__dlpack_device__(), (1, 0))

    def test_the_memory_of_a_device_is_given_out(self):
        tile = h.tile(3 * h.size, "float32", "t")
        self.assertFalse(hasattr(tile, "__cuda_array_interface__") and "cuda" not in h.device)
        with mock.patch.object(hit.tile, "GPU", "host"), hit.open("host:threads=1:staged:memory=1MiB") as of:
            there = of.tile(3 * of.size, "float32", "there")
            there.fill(4)
            made = np.asarray(types.SimpleNamespace(__array_interface__=there.__cuda_array_interface__, tile=there))
            self.assertTrue((made == 4).all() and made.shape == (3,))
            made[...] = 5  # in the memory of the device, which is the host's
            self.assertTrue((there.array() == 5).all())

    def test_mistakes_are_told(self):
        tile = h.tile((4, 4), "float32", "t")
        self.fails("HIT_E_ARG", "expected r, w or rw but found 'x'", tile.array, "x")
        self.fails("HIT_E_ARG", "expected a piece", tile.array, "r", 99)
        self.fails("HIT_E_ARG", "expected 2 indices but found 1", tile.get, 1)
        self.fails("HIT_E_ARG", "t", tile.get, 4, 4)
        self.fails("HIT_E_ARG", "expected one of none", tile.boundary, "round")
        self.fails("HIT_E_ARG", "an array of (4, 4) but found (3, 4)", tile.scatter, np.zeros((3, 4)))
        self.fails("HIT_E_ARG", "plain bytes", h.tile, 3, object)
        self.fails("HIT_E_ARG", "in this machine's order", h.tile, 3, ">f4")
        self.fails("HIT_E_ARG", "unknown", h.layout, (3, 3), "unknown")

    def test_files_are_as_in_c(self):
        folder = tempfile.mkdtemp() if h.rank == 0 else ""
        name = h.tile(4096, "uint8", "name", layout="single")  # process 0 tells
        name.scatter(np.frombuffer(folder.encode().ljust(4096, b"\0"), "uint8") if h.rank == 0 else None)
        folder = bytes(name.get(k) for k in range(100)).rstrip(b"\0").decode()
        tile, other = h.tile((6, 7), "int32", "t"), h.tile((6, 7), "int32", "u", layout="cyclic")
        tile.set(lambda i, j: 7 * i + j)
        tile.axis(0, "y", "m", first=1, step=0.5)
        tile.axis(1, "x", values=np.arange(7.0) ** 2)
        for path, options in [("t.npy", {}), ("t.zarr", {"chunks": "2x7", "dataset": "t"})]:
            tile.write(os.path.join(folder, path), **options)
            other.read(os.path.join(folder, path), **({"dataset": "t"} if options else {}))
            self.assertEqual(other.get(5, 6), 41)
        found = np.load(os.path.join(folder, "t.npy"))
        self.assertTrue((found == np.arange(42).reshape(6, 7)).all())
        self.fails("HIT_E_IO", "no.npy", tile.read, os.path.join(folder, "no.npy"))
        self.fails("HIT_E_ARG", "wrong", tile.write, os.path.join(folder, "t.npy"), wrong=1)

    def test_layouts_are_told(self):
        layout = h.layout((8, 8), "block")
        self.assertEqual((layout.ranks, layout.owner(0, 0), layout.owner(8, 0)), (h.size, 0, -1))
        self.assertIn("block", str(layout))
        self.assertEqual(layout.like(9, 9).owner(8, 8), layout.owner(7, 7))
        self.assertEqual(layout.like(4, 4, factor=(2, 2)).owner(3, 3), layout.owner(6, 6))
        mine = range(5 * h.rank, 5 * (h.rank + 1))
        boxes = h.layout_from_parts(5 * h.size, [mine])
        self.assertEqual(boxes.owner(5 * h.size - 1), h.size - 1)

    def test_a_notebook_shows_a_picture(self):
        layout = h.layout((12, 14), "cyclic:dim=1")
        half = layout.like(6, 7, factor=(2, 2))
        owners = {half.owner(0, j) for j in range(7)}
        for shown, parts in (layout, h.size), (half, len(owners)), (h.layout((range(3, 27, 2), 14), "block"), h.size):
            picture = shown._repr_svg_()
            self.assertTrue(picture.startswith("<svg"), picture)
            self.assertEqual(picture.count("<title>rank "), parts)
        self.assertIsNone(h.layout_from_parts(range(5, 5 + h.size), range(5 + h.rank, 6 + h.rank))._repr_svg_())


class Launches(Case):
    def test_values_have_the_kernels_type(self):
        tile = h.tile(6, "float64", "t")
        tile.fill(1)
        h.launch(ks.scale, 6, tile, 3, np.int64(2))
        self.assertEqual(tile.get(3), 5)
        for value, text in [("x", "expected a value of type float64"), (1j, "float64"), (np.float32(1), "float32"),
                            (np.zeros(2), "float64")]:
            self.fails("HIT_E_ARG", text, h.launch, ks.scale, 6, tile, value, 0)
        self.fails("HIT_E_ARG", "expected a value that fits int32", h.launch, ks.scale, 6, tile, 1.0, 2**31)
        self.fails("HIT_E_ARG", "expected a value of type int32", h.launch, ks.scale, 6, tile, 1.0, 0.5)
        self.fails("HIT_E_ARG", "expected a tile as argument a", h.launch, ks.scale, 6, 1.0, 1.0, 1)
        self.fails("HIT_E_ARG", "expected 3 arguments", h.launch, ks.scale, 6, tile, 1.0, 1, 2)
        self.fails("HIT_E_ARG", "arguments", h.launch, ks.scale, 6, tile, 1.0)
        self.fails("HIT_E_ARG", "t", h.launch, ks.scale, 6, tile, tile, 1)
        self.fails("HIT_E_ABSENT", "nowhere", h.launch, ks.scale, 6, tile, 1.0, 1, on="nowhere")
        h.launch(ks.scale, (range(0, 6, 2),), tile, 2.0, 1, on="host", layout=h.layout(6, "cyclic"))
        self.assertEqual((tile.get(2), tile.get(3)), (11, 5))
        h.launch(ks.scale, 6, tile, 0.0, 7, on="host", only="i < 1")
        self.assertEqual((tile.get(0), tile.get(1)), (7, 5))
        h.launch(ks.scale, 6, tile, 0.0, 8, on="host", only="i == 1 or i > 4")
        self.assertEqual([tile.get(i) for i in (0, 1, 3, 5)], [7, 8, 5, 8])
        self.fails("HIT_E_PATTERN", "HIT_WHERE", h.launch, ks.scale, 6, tile, 0.0, 7, only="i")

    def test_sums_and_structs_and_complex_numbers(self):
        a, out = h.tile((5, 6), "float64", "a"), h.tile((), "float64", "out", layout="single")
        a.set(lambda i, j: i * j)
        h.launch(ks.total, a.domain, out, a)
        self.assertEqual(out.get(), 150)
        p = h.tile(5, PAIR, "p")
        h.launch(ks.pairs, 5, p, np.array((3, 5.0), PAIR)[()])
        self.assertEqual(tuple(p.get(4)), (7, 2.5))
        self.fails("HIT_E_ARG", "first", h.launch, ks.pairs, 5, p, b"short")
        c = h.tile(5, "complex128", "c")
        c.fill(2 + 1j)
        h.launch(ks.turn, 5, c, 1j)
        self.assertEqual(c.get(4), -1 + 2j)

    def test_reductions_are_of_any_type(self):
        n = 11 * h.size
        a, out = h.tile(n, "float64", "a"), h.tile((), PAIR, "out", layout="single")
        a.set(lambda i: -((i - n + 3.0) ** 2))
        h.launch(ks.best, n, out, a)
        self.assertEqual(tuple(out.get()), (n - 3, 0))
        self.assertEqual(ks.best.arguments[0], ("reduce", "out", "[]"))
        total, value = h.tile((), ks.exact.dtypes[0], "total", layout="single"), h.tile(1, "float64", "value", layout="single")
        a.set(lambda i: np.where(i % 3 == 0, 1e30, np.where(i % 3 == 1, 1, -1e30)) * (i < 9))
        h.launch(ks.exact, n, total, a)
        h.launch(ks.rounded, 1, value, total)
        self.assertEqual(value.get(0), 3)

    def test_dry_runs_are_dictionaries(self):
        if h.size > 1:
            self.fails("HIT_E_ARG", "expected one process that plans for 9", hit.open, plan=9)
            return
        with hit.open(plan=9) as dry:
            now, next = dry.tile((90, 90), "float64", "now"), dry.tile((90, 90), "float64", "next")
            dry.launch(ks.shift, now.domain.grow(-1), next, now)
            dry.launch(ks.shift, now.domain.grow(-1), next, now)
            first, launch = dry.plan
        self.assertEqual(first["plan"]["processes"], 9)
        self.assertEqual((launch["kernel"], launch["indices"]["sum"], launch["messages"]["sum"]), ("shift", 88 * 88, 12))
        self.assertEqual(dry.plan[-1]["launches"], 2)
        self.assertEqual(h.plan, [])
        self.assertFalse({"HIT_PLAN", "HIT_PLAN_PROCESSES"} & set(os.environ))

    def test_a_chain_is_what_it_is_without(self):
        found = []
        for launches in (1, 0):
            h.chain(launches)
            now, next = h.tile((40, 30), "float64", "now"), h.tile((40, 30), "float64", "next")
            now.set(lambda i, j: np.cos(i + 2.0 * j))
            for _ in range(12):
                h.launch(ks.shift, now.domain.grow(-1), next, now)
                now, next = next, now
            h.wait()
            found.append(now.gather())
        h.chain(1)
        if h.rank == 0:
            np.testing.assert_allclose(found[0], found[1], rtol=1e-14)
        self.assertGreater(h.stats()["launches"], 0)
        self.assertEqual(h.stats(all=True)["launches"], h.size * h.stats()["launches"])

    def test_kernels_of_the_library_are_found(self):
        x, y = h.tile(9, "float32", "x"), h.tile(9, "float32", "y")
        x.fill(3)
        h.launch(h.kernel("axpy_float"), 9, y, x, 0.5)
        self.assertEqual(y.get(8), 1.5)
        h.register(ks.scale)
        self.assertEqual(h.kernel("scale").name, "scale")
        self.assertEqual(ks.scale.arguments, [("inout", "a", "[i]"), ("value", "by", None), ("value", "plus", None)])
        self.fails("HIT_E_ARG", "nothing", h.kernel, "nothing")

    def test_what_the_compiler_says_is_told(self):
        self.fails("HIT_E_ARG", "kernels:2", hit.kernels, "\nHIT_KERNEL(bad, (i), (out, float, a, \"[i]\")) { wrong; }")
        self.assertFalse(hasattr(ks, "malloc"))

    def test_what_was_compiled_is_found_again(self):
        text = "HIT_KERNEL(one, (i), (out, float, a, \"[i]\")) { hit(a, i) = %s; }"
        first = hit.kernels(text % "1")
        stamp = os.stat(first.path).st_mtime_ns
        self.assertEqual((hit.kernels(text % "1").path, os.stat(first.path).st_mtime_ns), (first.path, stamp))
        self.assertEqual(len({first.path, hit.kernels(text % "2").path, hit.kernels(text % "1", strict=True).path,
                              hit.kernels(text % "1", flags="-DX").path}), 4)
        a = h.tile(4, "float32", "a")
        h.launch(hit.kernels(text % "2").one, 4, a)
        self.assertEqual(a.get(3), 2)


with hit.open() as h:
    result = unittest.main(exit=False, failfast=True).result
    kept = h.tile(3, "float64", "kept")
    view = kept.array("rw")
assert (view == 0).all()  # an array outlives its context
try:
    kept.get(0)
    sys.exit("a tile of a closed context gave an element")
except hit.Error as error:
    assert "closed" in error.text, error
sys.exit(not result.wasSuccessful())
