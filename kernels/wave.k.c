/* SPDX-License-Identifier: MIT
 * Acoustic waves in two dimensions, second order in time and eighth in space. `older`
 * holds the field of one step ago and becomes the field of the next step, so two tiles
 * are enough. Borders absorb as in C. Cerjan, D. Kosloff, R. Kosloff, M. Reshef, "A
 * nonreflecting boundary condition for discrete acoustic and elastic wave equations",
 * Geophysics 50 (1985): near them both old fields are multiplied by damping < 1. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */

/* courant2 is (velocity * time step / grid spacing)^2 */
HIT_OPERATIONS(wave_float, 27);
HIT_VECTOR_KERNEL(wave_float, (i, j),
    (inout, float, older,    "[i, j]"),
    (in,    float, now,      "[i-4:i+4, j] [i, j-4:j+4]"),
    (in,    float, courant2, "[i, j]"),
    (in,    float, damping,  "[i, j]"))
{
    const hit_auto n1 = hit(now, i - 1, j) + hit(now, i + 1, j) + hit(now, i, j - 1) +
                     hit(now, i, j + 1);
    const hit_auto n2 = hit(now, i - 2, j) + hit(now, i + 2, j) + hit(now, i, j - 2) +
                     hit(now, i, j + 2);
    const hit_auto n3 = hit(now, i - 3, j) + hit(now, i + 3, j) + hit(now, i, j - 3) +
                     hit(now, i, j + 3);
    const hit_auto n4 = hit(now, i - 4, j) + hit(now, i + 4, j) + hit(now, i, j - 4) +
                     hit(now, i, j + 4);
    const hit_auto laplace = 1.6f * n1 - 0.2f * n2 + (float)(8.0 / 315.0) * n3 -
                          (float)(1.0 / 560.0) * n4 -
                          (float)(205.0 / 36.0) * hit(now, i, j);

    hit(older, i, j) =
        hit(damping, i, j) * (2.0f * hit(now, i, j) + hit(courant2, i, j) * laplace -
                              hit(damping, i, j) * hit(older, i, j));
}

/* Adds one sample of a source: launch it on the box of the shot's radius. */
HIT_KERNEL(wave_source_float, (i, j),
    (inout, float, field, "[i, j]"),
    (value, hit_wave_shot, shot))
{
    const float x = (float)(i - shot.centre[0]) / shot.radius;
    const float y = (float)(j - shot.centre[1]) / shot.radius;
    const float inside = 1.0f - x * x - y * y;

    hit(field, i, j) += inside > 0.0f ? shot.sample * inside * inside : 0.0f;
}
