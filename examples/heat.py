# SPDX-License-Identifier: MIT
import numpy as np
import hit

heat = hit.kernels("""
HIT_KERNEL(heat, (i, j),
    (out, float, next, "[i, j]"), (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, float, c))
{
    hit(next, i, j) = hit(now, i, j) + c * (hit(now, i - 1, j) + hit(now, i + 1, j) +
                                            hit(now, i, j - 1) + hit(now, i, j + 1) - 4.0f * hit(now, i, j));
}""").heat
n, m = 512, 512
with hit.open() as h:
    now, next = h.tile((n, m), "float32", "now"), h.tile((n, m), "float32", "next")
    now.set(lambda i, j: np.where(i == 0, 0.5, 4 * ((3 * i - n) ** 2 + (2 * j - m) ** 2) < min(n, m) ** 2))
    now.copy(next)
    for t in range(200):
        h.launch(heat, now.domain.grow(-1), next, now, 0.2)
        now, next = next, now
    now.write("heat.npy")
