/* SPDX-License-Identifier: MIT
 * What the kernels of the catalogue should compute, written a second time in plain C and
 * in double, by name. A kernel without an oracle is still compared in place and staged.
 */
#ifndef TESTS_SUPPORT_ORACLES_H
#define TESTS_SUPPORT_ORACLES_H

#include "hit/data/ndcopy.h"
#include "tests/support/random.h"

/** One argument: a tile's elements, or a value. */
typedef struct hit_oracle_arg {
    hit_view view;
    const void *value; /**< NULL: a tile */
    bool single;       /**< of floats or of pairs of them, not of doubles */
} hit_oracle_arg;

typedef struct hit_oracle {
    const char *name; /**< of the kernel */
    /** Do what the kernel does at index @p x; totals are the identity before. */
    void (*at)(const hit_index x[], const hit_oracle_arg arg[]);
    /** Make a value that is no number; NULL: the kernel has none. */
    void (*value)(hit_random *random, const hit_domain *index, void *value);
    /** Change random arguments so that the result is well conditioned; may be NULL. */
    void (*arrange)(const hit_oracle_arg arg[]);
    int row_arg;    /**< a tile of one row, or 0 */
    bool one_index; /**< the kernel is launched on one index, and never cut */
} hit_oracle;

/** Those of oracles_tiles.c; the last has no name. */
extern const hit_oracle hit_oracles_of_tiles[];
/** Elements of an argument; rows and columns of matrices. */
double hit_oracle_get(const hit_oracle_arg *arg, hit_index i, hit_index j, hit_index k);
void hit_oracle_put(const hit_oracle_arg *arg, const hit_index x[], double value);
/** What lies on the diagonal outweighs the rest of its row. */
void hit_oracle_make_dominant(const hit_oracle_arg *arg);
/** No row of a matrix sums up to more than 1/2 or so. */
void hit_oracle_make_small(const hit_oracle_arg *arg);

/** NULL if there is none. */
const hit_oracle *hit_oracle_find(const char *kernel);

#endif
