/* SPDX-License-Identifier: MIT
 * One step of stencils as one writes them by hand, on arrays of one thread. */
#ifndef TESTS_BENCH_ROWS_PLAIN_H
#define TESTS_BENCH_ROWS_PLAIN_H

/** An array of ni x nj x nk elements side by side and what a step makes of its inner
 * elements, those at least @p reach from each side: into[] of from[], speed[] and damp[].
 * In two dimensions ni is 1, and all its rows are inner ones. */
typedef struct rows_grid {
    long ni, nj, nk;
    long reach;
    float *into;
    const float *from, *speed, *damp;
} rows_grid;

/** Where row (i, j) of an array begins. */
static inline long rows_at(const rows_grid *g, long i, long j)
{
    return (i * g->nj + j) * g->nk;
}

/** The loops in plain C, compiled with the flags of kernels. */
void rows_plain_heat(const rows_grid *g);
void rows_plain_wave(const rows_grid *g);
void rows_plain_stencil7(const rows_grid *g);
void rows_plain_wave3(const rows_grid *g);
/** wave3 with intrinsics, of AVX-512 or of AVX2 and FMA, as the flags of kernels allow:
 * planes share what they load. False: not for this processor. Rows begin at a line of the
 * cache, and are whole vectors. */
int rows_hand_wave3(const rows_grid *g);

#endif
