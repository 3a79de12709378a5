# SPDX-License-Identifier: MIT
"""hit: arrays over processes, GPUs and memory limits, launched on by kernels (docs/python.md).

    with hit.open() as h:
        now = h.tile((n, m), "float32", "now")
        h.launch(heat, now.domain.grow(-1), next, now, 0.2)
"""
from hit.context import Context, Layout, open
from hit.domain import Domain, domain
from hit.kernels import Kernel, Kernels, bfloat16, kernels
from hit.library import Error, version
from hit.tile import Tile

__all__ = ["Context", "Domain", "Error", "Kernel", "Kernels", "Layout", "Tile", "bfloat16", "domain", "kernels", "open", "version"]
__version__ = version()
