# SPDX-License-Identifier: MIT
"""heat in Python beside heat in C: the same launches in turn, the median of 7 pairs. usage: python.sh BUILD bench.py BUILD"""
import os
import re
import statistics
import subprocess
import sys
import time

import numpy as np

import hit

build = sys.argv[1]
heat = hit.kernels(os.path.join(os.path.dirname(__file__), "../../examples/heat.k.c")).heat


def in_c(size, steps):
    done = subprocess.run([build + "/examples/heat", "--size", str(size), "--steps", str(steps)], check=True, capture_output=True)
    return float(re.search(rb"^ *time +([0-9.]+) s", done.stdout, re.MULTILINE).group(1)) / steps


def in_python(size, steps):
    with hit.open() as h:
        now, next = (h.tile((size, size), "float32", name) for name in ("now", "next"))
        # as in C: small numbers cost more
        now.set(lambda i, j: np.where(i == 0, 0.5, 4 * ((3 * i - size) ** 2 + (2 * j - size) ** 2) < size * size))
        now.copy(next)
        inner = now.domain.grow(-1)
        h.barrier()
        start = time.perf_counter()
        for _ in range(steps):
            h.launch(heat, inner, next, now, 0.2)
            now, next = next, now
        h.wait()
        return (time.perf_counter() - start) / steps


if __name__ == "__main__":
    if len(sys.argv) > 2:  # one run, in a process of its own: MPI starts once
        print(in_python(int(sys.argv[2]), int(sys.argv[3])))
        sys.exit()
    print("size     chains  C, us a launch  Python, us a launch  C / Python")
    for size, steps in [(4, 20000), (256, 20000), (4096, 60)]:
        for chains in ("off", "on"):
            os.environ.pop("HIT_CHAIN", None)
            if chains == "off":
                os.environ["HIT_CHAIN"] = "off"
            pairs = []
            for _ in range(7):
                again = [sys.executable, __file__, build, str(size), str(steps)]
                pairs.append((in_c(size, steps), float(subprocess.run(again, check=True, capture_output=True).stdout)))
            c, python = (1e6 * statistics.median(times) for times in zip(*pairs))
            ratio = statistics.median(a / b for a, b in pairs)
            print(f"{size:4d}^2   {chains:6}  {c:14.2f}  {python:19.2f}  {ratio:10.2f}")
