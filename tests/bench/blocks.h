/* SPDX-License-Identifier: MIT
 * A symmetric matrix in a tile, and its Cholesky factor by launches on blocks. */
#ifndef TESTS_BENCH_BLOCKS_H
#define TESTS_BENCH_BLOCKS_H

#include "hit/hit.h"

/** Blocks of a tile, of which those of the lower triangle are selected. */
typedef struct bench_blocks {
    hit_context *hit;
    hit_tile *tile;
    int n;
    int width;
    int t; /**< blocks in a row */
    hit_tile **block;
    bool waits; /**< after each launch: none runs beside others, or earlier */
} bench_blocks;

/** Element (i, j) of the matrix: symmetric, positive definite. */
double bench_matrix_element(int n, long i, long j);
/** A tile for it, of doubles. */
hit_tile *bench_matrix_tile(hit_context *hit, int n);
/** Is L L' the matrix, in some thousand elements? The program fails if not. */
void bench_check_factor(const char *name, int n, const double *l);

/** Sets t and block; the others are set. */
void bench_blocks_select(bench_blocks *b);
void bench_blocks_drop(bench_blocks *b);
/** Launch all that leaves the factor in the tile. */
void bench_blocks_factor(const bench_blocks *b);

#endif
