/* SPDX-License-Identifier: MIT
 * The matrix of the example cholesky, whether its factor is right, and how fast it could
 * be. */
#ifndef EXAMPLES_CHOLESKY_H
#define EXAMPLES_CHOLESKY_H

#include "examples/common.h"

/** Set A, of which only the lower triangle, and b to numbers that depend on the seed: A
 * is symmetric and positive definite. */
void cholesky_set(const example *e, hit_tile *a, hit_tile *b);
/** The residual of the factor @p l, |A - L L'|_1 / (n |A|_1 eps), and that of the
 * solution
 * @p x, |A x - b|_1 / ((|A|_1 |x|_1 + |b|_1) n eps), where it is not NULL. The larger one
 * becomes the error of @p e. @collective yes */
void cholesky_check(example *e, hit_tile *l, hit_tile *x);
/** Print how often a factorisation of @p t x @p t blocks launches which kernel, and a
 * solve if that takes @p solve_s > 0; how many are in the factorisation. */
hit_index cholesky_tasks(const example *e, hit_index t, double solve_s);
/** What no order of the tasks can beat: the longest way through them, and all of them
 * spread evenly over the threads, by the time that each kernel takes alone on a block.
 * Of one process whose threads work in place, and of blocks so small that a launch leaves
 * threads for others. @p a: the blocks, row by row; they are set anew */
void cholesky_bounds(example *e, hit_tile *whole, hit_tile *right, hit_index t,
                     hit_tile *const a[]);

#endif
