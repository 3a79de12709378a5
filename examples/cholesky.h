/* SPDX-License-Identifier: MIT
 * How fast the example cholesky could be. */
#ifndef EXAMPLES_CHOLESKY_H
#define EXAMPLES_CHOLESKY_H

#include "examples/factor.h"

/** What no order of the tasks can beat: the longest way through them, and all of them
 * spread evenly over the threads, by the time that each kernel takes alone on a block.
 * Of one process whose threads work in place, and of blocks so small that a launch leaves
 * threads for others. */
void cholesky_bounds(factor *f);

#endif
