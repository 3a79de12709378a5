/* SPDX-License-Identifier: MIT
 * Steps of explicit methods for chain.c. */
#include "hit/kernel.h"

/* clang-format off */
#define AVERAGE5(name, T)                                                              \
    HIT_OPERATIONS(name, 5);                                                           \
    HIT_KERNEL(name, (i, j), (out, T, next, "[i, j]"),                                 \
               (in, T, now, "[i-1:i+1, j] [i, j-1:j+1]"))                              \
    {                                                                                  \
        hit(next, i, j) = (T)0.2 * (hit(now, i, j) + hit(now, i - 1, j) +              \
                                    hit(now, i + 1, j) + hit(now, i, j - 1) +          \
                                    hit(now, i, j + 1));                               \
    }
AVERAGE5(average5_float, float)
AVERAGE5(average5_double, double)

/* Two-dimensional electrodynamics: three kernels in a step, all in place. */
HIT_OPERATIONS(fdtd_y, 3);
HIT_KERNEL(fdtd_y, (i, j), (inout, float, ey, "[i, j]"), (in, float, hz, "[i-1:i, j]"))
{
    hit(ey, i, j) -= 0.5f * (hit(hz, i, j) - hit(hz, i - 1, j));
}

HIT_OPERATIONS(fdtd_x, 3);
HIT_KERNEL(fdtd_x, (i, j), (inout, float, ex, "[i, j]"), (in, float, hz, "[i, j-1:j]"))
{
    hit(ex, i, j) -= 0.5f * (hit(hz, i, j) - hit(hz, i, j - 1));
}

HIT_OPERATIONS(fdtd_z, 5);
HIT_KERNEL(fdtd_z, (i, j), (inout, float, hz, "[i, j]"),
           (in, float, ex, "[i, j:j+1]"), (in, float, ey, "[i:i+1, j]"))
{
    hit(hz, i, j) -= 0.7f * (hit(ex, i, j + 1) - hit(ex, i, j) + hit(ey, i + 1, j) -
                             hit(ey, i, j));
}

#define PAIR(d) (hit(now, i - d, j, k) + hit(now, i + d, j, k) + hit(now, i, j - d, k) + \
                 hit(now, i, j + d, k) + hit(now, i, j, k - d) + hit(now, i, j, k + d))

HIT_OPERATIONS(wave3, 36);
HIT_KERNEL(wave3, (i, j, k), (inout, float, older, "[i, j, k]"),
           (in, float, now, "[i-4:i+4, j, k] [i, j-4:j+4, k] [i, j, k-4:k+4]"),
           (in, float, courant2, "[i, j, k]"))
{
    const float laplace = 1.6f * PAIR(1) - 0.2f * PAIR(2) + (float)(8.0 / 315.0) * PAIR(3) -
                          (float)(1.0 / 560.0) * PAIR(4) -
                          (float)(205.0 / 24.0) * hit(now, i, j, k);

    hit(older, i, j, k) = 2.0f * hit(now, i, j, k) - hit(older, i, j, k) +
                          hit(courant2, i, j, k) * laplace;
}
