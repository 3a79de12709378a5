/* SPDX-License-Identifier: MIT
 * What the examples that factor a matrix by blocks share: cholesky, lu and qr. */
#ifndef EXAMPLES_FACTOR_H
#define EXAMPLES_FACTOR_H

#include "examples/common.h"

/** Element (@p i, @p j) of the matrix of an example. */
typedef double (*factor_element)(const example *e, hit_index i, hit_index j);

/** A and b, by blocks: block (i, j) of A is of_a[i * t + j], block i of b is of_b[i]. */
typedef struct factor {
    example e;
    factor_element element;
    hit_index width; /**< --tile: rows and columns of a block, but for the last ones */
    bool solves;     /**< --solve */
    const char *scheduler; /**< --scheduler; NULL: that of HIT_SCHED */
    const char *panels;    /**< HIT_ON() of diagonal blocks; NULL: anywhere */
    char layout_text[64];
    hit_index t;
    hit_layout *layout; /**< of A */
    hit_tile *a;
    hit_tile *b;
    hit_tile **of_a;
    hit_tile **of_b;
} factor;

#define FACTOR_OPTIONS(f)                                                                \
    {"--tile", "N     rows and columns of a block", EXAMPLE_COUNT, &(f)->width},         \
        {"--solve", "      solve A x = b with the factors", EXAMPLE_FLAG, &(f)->solves}, \
        {"--scheduler",                                                                  \
         "S that places launches, as HIT_SCHED does: heft, mct:beta=2, ...",             \
         EXAMPLE_TEXT, &(f)->scheduler},                                                 \
    {                                                                                    \
        "--seed", "N     of the random numbers", EXAMPLE_COUNT, &(f)->e.seed             \
    }

/** The triangle of a tile that counts. */
typedef enum factor_part {
    FACTOR_LOWER,
    FACTOR_UNIT_LOWER, /**< with ones on the diagonal */
    FACTOR_UPPER
} factor_part;

/** A line of the report: how often a kernel was launched. */
typedef struct factor_tasks {
    const char *kernel; /**< NULL: the last */
    hit_index count;
} factor_tasks;

/** Open the library, and make A and b. */
void factor_open(factor *f, int *argc, char ***argv);
/** Blocks of a tile beside A: @p rows for each row of blocks of A, and A's columns. They
 * lie where those of A lie. @p tile is to be destroyed after them. */
hit_tile **factor_beside(factor *f, hit_index rows, hit_type type, hit_tile **tile);
/** Blocks like those on the diagonal of A, one below another. @p tile: the same */
hit_tile **factor_diagonal(factor *f, hit_tile **tile);
/** Factor and, if it is asked for, solve; both are timed. The seconds of the solution. */
double factor_run(factor *f, void (*factorise)(void *what), void (*solve)(void *what),
                  void *what);
/** Print how often the factorisation launches which kernel, and the solution if that
 * takes
 * @p solve_s > 0. */
void factor_report(factor *f, const factor_tasks in_factor[], double solve_s,
                   const factor_tasks in_solve[]);
/** Give back what factor_open() made; the exit code of main(). */
int factor_end(factor *f);

/** The indices of @p tile along @p dim. */
hit_domain factor_along(const hit_tile *tile, int dim);
/** b becomes the solution x of L x = b; @p triangle solves for a block. */
void factor_forward(factor *f, const hit_kernel *triangle);
/** The same of U x = b, or of L' x = b if @p transposed. */
void factor_backward(factor *f, const hit_kernel *triangle, bool transposed);

/** Element @p i of b. */
double factor_right(const example *e, hit_index i);
/** A tile like A that is all of A again, the triangle @p part of A as it is now, or the
 * identity. */
hit_tile *factor_matrix(factor *f);
hit_tile *factor_triangle(factor *f, factor_part part);
hit_tile *factor_identity(factor *f);
/** Print the residual |rest - x y|_1 / (n norm eps) of three tiles, of which the first is
 * destroyed; it becomes the error of the example if it is the largest. The norm is that
 * of A, or 1 if @p relative is not set. @p product: gemm or gemm_nt @collective yes */
void factor_check_product(factor *f, const char *what, const hit_kernel *product,
                          hit_tile *of[3], bool relative);
/** The same for the solution, |A x - b|_1 / ((|A|_1 |x|_1 + |b|_1) n eps). */
void factor_check_solution(factor *f);

#endif
