/* SPDX-License-Identifier: MIT
 * Residuals of the examples that factor a matrix, as LAPACK's tests look at them. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "examples/factor.h"

static hit_tile *like_a(const factor *f, const char *name)
{
    hit_tile *tile;

    HIT_MUST(hit_tile_create(f->layout, HIT_DOUBLE, name, &tile));
    return tile;
}

static double of_identity(const void *what, const hit_index x[])
{
    (void)what;
    return x[0] == x[1];
}

hit_tile *factor_identity(factor *f)
{
    hit_tile *tile = like_a(f, "I");

    example_set(tile, of_identity, f);
    return tile;
}

/** What a triangle has where its matrix has @p value. */
static double in_triangle(factor_part part, const hit_index x[], double value)
{
    if (part == FACTOR_UNIT_LOWER && x[0] == x[1]) return 1;
    if (part == FACTOR_UPPER) return x[0] <= x[1] ? value : 0;
    return x[0] >= x[1] ? value : 0;
}

hit_tile *factor_triangle(factor *f, factor_part part)
{
    hit_tile *tile = like_a(f, "triangle");
    hit_view from;
    hit_view to;

    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        HIT_MUST(hit_tile_map(f->a, piece, HIT_READ, &from));
        HIT_MUST(hit_tile_map(tile, piece, HIT_WRITE, &to));
        HIT_FOR_EACH (x, to.domain) {
            const double value = *(const double *)hit_view_at(&from, x);

            *(double *)hit_view_at(&to, x) = in_triangle(part, x, value);
        }
    }
    return tile;
}

/** The largest sum of sizes of a column: of the n x n matrix @p of, or of A for NULL. */
static double norm(const factor *f, const double *of)
{
    const hit_index n = f->e.size[0];
    double worst = 0;
    double *sum;

    HIT_MUST(hit_memory_zeroed((size_t)n, sizeof(double), &sum));
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < n; j++) {
            sum[j] += fabs(of != NULL ? of[i * n + j] : f->element(&f->e, i, j));
        }
    }
    for (hit_index j = 0; j < n; j++) {
        if (!(sum[j] <= worst)) worst = isnan(sum[j]) ? INFINITY : sum[j];
    }
    free(sum);
    return worst;
}

/** @p rest is divided by what is rounded in a result of that @p size. */
static void take(factor *f, const char *what, double rest, double size)
{
    const double residual = rest / (size * (double)f->e.size[0] * DBL_EPSILON / 2);

    printf("  %-18s %.3g\n", what, residual);
    if (!(residual <= f->e.error)) f->e.error = isnan(residual) ? INFINITY : residual;
}

void factor_check_product(factor *f, const char *what, const hit_kernel *product,
                          hit_tile *of[3], bool relative)
{
    const hit_domain all = hit_tile_domain(of[0]);
    double *found;

    HIT_MUST(hit_launch(f->e.hit, product, all, of[0], of[1], of[2], HIT_VALUE(-1.0),
                        HIT_VALUE(1.0)));
    found = example_gather(&f->e, of[0], all);
    if (found != NULL) take(f, what, norm(f, found), relative ? norm(f, NULL) : 1);
    free(found);
    hit_tile_destroy(&of[0]);
}

void factor_check_solution(factor *f)
{
    const hit_index n = f->e.size[0];
    double *x = example_gather(&f->e, f->b, hit_tile_domain(f->b));
    double rest = 0;
    double norm_x = 0;
    double norm_b = 0;

    if (x == NULL) return;
    for (hit_index i = 0; i < n; i++) {
        const double b = factor_right(&f->e, i);
        double sum = -b;

        for (hit_index j = 0; j < n; j++) {
            sum += f->element(&f->e, i, j) * x[j];
        }
        rest += fabs(sum);
        norm_x += fabs(x[i]);
        norm_b += fabs(b);
    }
    free(x);
    take(f, "residual Ax - b", rest, norm(f, NULL) * norm_x + norm_b);
}
