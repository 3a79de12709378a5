/* SPDX-License-Identifier: MIT
 * Steps of explicit methods for chain.c. */
#include "hit/kernel.h"

/* clang-format off */
#define AVERAGE5(name, T)                                                              \
    HIT_OPERATIONS(name, 5);                                                           \
    HIT_VECTOR_KERNEL(name, (i, j), (out, T, next, "[i, j]"),                                 \
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
HIT_VECTOR_KERNEL(fdtd_y, (i, j), (inout, float, ey, "[i, j]"), (in, float, hz, "[i-1:i, j]"))
{
    hit(ey, i, j) -= 0.5f * (hit(hz, i, j) - hit(hz, i - 1, j));
}

HIT_OPERATIONS(fdtd_x, 3);
HIT_VECTOR_KERNEL(fdtd_x, (i, j), (inout, float, ex, "[i, j]"), (in, float, hz, "[i, j-1:j]"))
{
    hit(ex, i, j) -= 0.5f * (hit(hz, i, j) - hit(hz, i, j - 1));
}

HIT_OPERATIONS(fdtd_z, 5);
HIT_VECTOR_KERNEL(fdtd_z, (i, j), (inout, float, hz, "[i, j]"),
           (in, float, ex, "[i, j:j+1]"), (in, float, ey, "[i:i+1, j]"))
{
    hit(hz, i, j) -= 0.7f * (hit(ex, i, j + 1) - hit(ex, i, j) + hit(ey, i + 1, j) -
                             hit(ey, i, j));
}

#define PAIR(d) (hit(now, i - d, j, k) + hit(now, i + d, j, k) + hit(now, i, j - d, k) + \
                 hit(now, i, j + d, k) + hit(now, i, j, k - d) + hit(now, i, j, k + d))

HIT_OPERATIONS(wave3, 36);
HIT_VECTOR_KERNEL(wave3, (i, j, k), (inout, float, older, "[i, j, k]"),
           (in, float, now, "[i-4:i+4, j, k] [i, j-4:j+4, k] [i, j, k-4:k+4]"),
           (in, float, courant2, "[i, j, k]"))
{
    const hit_auto laplace = 1.6f * PAIR(1) - 0.2f * PAIR(2) + (float)(8.0 / 315.0) * PAIR(3) -
                          (float)(1.0 / 560.0) * PAIR(4) -
                          (float)(205.0 / 24.0) * hit(now, i, j, k);

    hit(older, i, j, k) = 2.0f * hit(now, i, j, k) - hit(older, i, j, k) +
                          hit(courant2, i, j, k) * laplace;
}

/* A step of lattice Boltzmann on nine velocities: what comes from the neighbours relaxes
 * towards the equilibrium. The first dimension has the components of a cell. */
#define EQUILIBRIUM(weight, u) \
    ((weight) * density * (1 + 3 * (u) + 4.5f * (u) * (u) - 1.5f * square))
#define RELAXED(k, weight, u) (0.4f * f[k] + 0.6f * EQUILIBRIUM(weight, u))

HIT_OPERATIONS(lattice, 130);
HIT_KERNEL(lattice, (i, j), (out, float, next, "[:, i, j]"),
           (in, float, now, "[0, i, j] [1, i-1, j] [2, i+1, j] [3, i, j-1] [4, i, j+1] "
                            "[5, i-1, j-1] [6, i+1, j+1] [7, i-1, j+1] [8, i+1, j-1]"))
{
    const float f[9] = {
        hit(now, 0, i, j),         hit(now, 1, i - 1, j),     hit(now, 2, i + 1, j),
        hit(now, 3, i, j - 1),     hit(now, 4, i, j + 1),     hit(now, 5, i - 1, j - 1),
        hit(now, 6, i + 1, j + 1), hit(now, 7, i - 1, j + 1), hit(now, 8, i + 1, j - 1)};
    const float density =
        f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8];
    const float x = (f[1] - f[2] + f[5] - f[6] + f[7] - f[8]) / density;
    const float y = (f[3] - f[4] + f[5] - f[6] - f[7] + f[8]) / density;
    const float square = x * x + y * y;

    hit(next, 0, i, j) = RELAXED(0, 4.0f / 9, 0);
    hit(next, 1, i, j) = RELAXED(1, 1.0f / 9, x);
    hit(next, 2, i, j) = RELAXED(2, 1.0f / 9, -x);
    hit(next, 3, i, j) = RELAXED(3, 1.0f / 9, y);
    hit(next, 4, i, j) = RELAXED(4, 1.0f / 9, -y);
    hit(next, 5, i, j) = RELAXED(5, 1.0f / 36, x + y);
    hit(next, 6, i, j) = RELAXED(6, 1.0f / 36, -x - y);
    hit(next, 7, i, j) = RELAXED(7, 1.0f / 36, x - y);
    hit(next, 8, i, j) = RELAXED(8, 1.0f / 36, y - x);
}

HIT_KERNEL(residual, (i, j), (max, float, most, "[0]"), (in, float, next, "[i, j]"),
           (in, float, now, "[i, j]"))
{
    const float change = hit(next, i, j) - hit(now, i, j);

    if (change > hit(most, 0)) hit(most, 0) = change;
    if (-change > hit(most, 0)) hit(most, 0) = -change;
}
