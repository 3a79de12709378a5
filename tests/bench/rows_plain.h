/* SPDX-License-Identifier: MIT
 * One step of stencils as one writes them by hand, on arrays of one thread. */
#ifndef TESTS_BENCH_ROWS_PLAIN_H
#define TESTS_BENCH_ROWS_PLAIN_H

/** An array of ni x nj x nk elements side by side and what a step makes of its inner
 * elements, those at least @p reach from each side: into[] of from[], speed[] and damp[].
 * In two dimensions ni is 1, and all its rows are inner ones. fdtd makes ey[] and ex[] of
 * hz[], then hz[] of both. */
typedef struct rows_grid {
    long ni, nj, nk;
    long reach;
    float *into;
    const float *from, *speed, *damp;
    float *hz, *ex, *ey;
} rows_grid;

typedef void rows_step(const rows_grid *g);

/** Where row (i, j) of an array begins. */
static inline long rows_at(const rows_grid *g, long i, long j)
{
    return (i * g->nj + j) * g->nk;
}

/** The loops in plain C, compiled with the flags of kernels. */
rows_step rows_plain_heat, rows_plain_wave, rows_plain_stencil7, rows_plain_wave3,
    rows_plain_fdtd;
/** The one of this name with intrinsics, of AVX-512 or of AVX2 and FMA, as the flags of
 * kernels allow: rows share what they load. NULL: there is none, or none for this
 * processor. Rows must begin at a line of the cache, and be whole vectors, two at least.
 */
rows_step *rows_hand_of(const char *name);

#endif
