/* SPDX-License-Identifier: MIT
 * The same work in StarPU 1.3, for comparison: empty tasks, and a product by tiles. Where
 * it was not there when this was built, opening says so (starpu_side_absent.c). Nothing
 * of the library needs it. */
#ifndef TESTS_BENCH_STARPU_SIDE_H
#define TESTS_BENCH_STARPU_SIDE_H

#include "tests/bench/product.h"

#include <stdbool.h>

/** Empty tasks, the cheapest there are. */
typedef struct starpu_empty {
    int tasks;
    bool chain; /**< all read and write one variable; else they have no data at all */
} starpu_empty;

/** Empty tasks of three arguments: a variable that is written, one that all read, and a
 * value. */
typedef struct starpu_tasks {
    int tasks;
    int written; /**< variables that are written in turn, at most 1024; 1: a chain */
} starpu_tasks;

/** A product by tiles x tiles tasks. */
typedef struct starpu_product {
    const product *of; /**< borrowed: A, B, and the function */
    int tiles;         /**< in each dimension of C */
    double *c;         /**< as large as those of the product */
} starpu_product;

/** A task of a graph, of block (i, j) or step k of something. */
typedef struct starpu_step {
    void (*run)(const void *of, int i, int j, int k);
    const void *of;
    int i, j, k;
} starpu_step;

/** Start StarPU, its own choice of a scheduler, with so many threads that run tasks; they
 * sleep but in the variants below. false: there is none, and @p name said so. */
bool starpu_side_open(const char *name, int workers);
void starpu_side_close(void);
/** Seconds per task; a bench_variant, @p context is a starpu_empty. */
double starpu_side_empty(void *context);
/** The same, @p context is a starpu_tasks. */
double starpu_side_tasks(void *context);
/** A bench_variant, @p context is a starpu_product: a task multiplies the rows of A and
 * the columns of B of its tile of C, by one thread of BLAS. */
double starpu_side_product(void *context);

/** A graph of tasks on so many data, of which StarPU knows no more than their numbers:
 * begin; add tasks, each of which writes one and reads others; end waits for all. */
void starpu_side_begin(int data);
void starpu_side_add(const starpu_step *step, int writes, int reads, const int read[]);
void starpu_side_wait(void);
void starpu_side_end(void);

#endif
