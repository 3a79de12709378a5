/* SPDX-License-Identifier: MIT
 * The matrix of the example cholesky, and the residuals that LAPACK's tests look at. */
#include "kernels/kernels.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "examples/cholesky.h"

/** What is on the diagonal outweighs the rest of its row. */
static double element(const example *e, hit_index i, hit_index j)
{
    const double diagonal = i == j ? (double)e->size[0] : 0;

    return diagonal + example_random(e->seed, i > j ? i : j, i > j ? j : i);
}

static double of_whole(const void *e, const hit_index x[])
{
    return element(e, x[0], x[1]);
}

static double of_lower(const void *e, const hit_index x[])
{
    return x[0] < x[1] ? 0 : element(e, x[0], x[1]);
}

static double of_right(const void *e, const hit_index x[])
{
    return example_random(((const example *)e)->seed + 1, x[0], 0);
}

void cholesky_set(const example *e, hit_tile *a, hit_tile *b)
{
    example_set(a, of_lower, e);
    example_set(b, of_right, e);
}

/** The largest sum of sizes of a column: of the n x n matrix @p of, or of A for NULL. */
static double norm(const example *e, const double *of)
{
    const hit_index n = e->size[0];
    double worst = 0;
    double *sum;

    HIT_MUST(hit_memory_zeroed((size_t)n, sizeof(double), &sum));
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < n; j++) {
            sum[j] += fabs(of != NULL ? of[i * n + j] : element(e, i, j));
        }
    }
    for (hit_index j = 0; j < n; j++) {
        if (!(sum[j] <= worst)) worst = isnan(sum[j]) ? INFINITY : sum[j];
    }
    free(sum);
    return worst;
}

/** A x - b, relative to what is rounded. */
static double solve_residual(const example *e, const double *x, double norm_a)
{
    const hit_index n = e->size[0];
    double rest = 0;
    double norm_x = 0;
    double norm_b = 0;

    for (hit_index i = 0; i < n; i++) {
        const double b = of_right(e, &i);
        double sum = -b;

        for (hit_index j = 0; j < n; j++) {
            sum += element(e, i, j) * x[j];
        }
        rest += fabs(sum);
        norm_x += fabs(x[i]);
        norm_b += fabs(b);
    }
    return rest / ((norm_a * norm_x + norm_b) * (double)n * DBL_EPSILON / 2);
}

static void take(example *e, const char *what, double residual)
{
    printf("  %-18s %.3g\n", what, residual);
    if (!(residual <= e->error)) e->error = isnan(residual) ? INFINITY : residual;
}

void cholesky_check(example *e, hit_tile *l, hit_tile *x)
{
    const hit_domain all = hit_tile_domain(l);
    double *found;
    double *solution = NULL;
    hit_tile *rest;

    if (!e->check) return;
    /* above the diagonal of L there still are the zeros of cholesky_set() */
    HIT_MUST(hit_tile_create(hit_tile_layout(l), HIT_DOUBLE, "A - L L'", &rest));
    example_set(rest, of_whole, e);
    HIT_MUST(hit_launch(e->hit, &gemm_nt_double, all, rest, l, l, HIT_VALUE(-1.0),
                        HIT_VALUE(1.0)));
    found = example_gather(e, rest, all);
    if (x != NULL) solution = example_gather(e, x, hit_tile_domain(x));
    hit_tile_destroy(&rest);
    if (hit_rank(e->hit) == 0) {
        const double norm_a = norm(e, NULL);

        take(e, "residual A - LL'",
             norm(e, found) / (norm_a * (double)e->size[0] * DBL_EPSILON / 2));
        if (x != NULL) {
            take(e, "residual Ax - b", solve_residual(e, solution, norm_a));
        }
    }
    free(found);
    free(solution);
}
