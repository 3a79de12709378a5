/* SPDX-License-Identifier: MIT
 * z = x + y, then the product x . y and the norm of z: the smallest program of all. */
#include "hit/hit.h"
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "examples/common.h"

static double number(const void *seed, const hit_index x[])
{
    return example_random(*(const hit_index *)seed, x[0], 0);
}

/** The largest error, as a part of its bound; z must be equal to the last bit. */
static double check(const example *e, const double *z, double dot, double norm)
{
    const hit_index n = e->size[0];
    double sum = 0;
    double size = 0;
    double squares = 0;
    double error;

    for (hit_index i = 0; i < n; i++) {
        double x = example_random(e->seed, i, 0);
        double y = example_random(e->seed + 1, i, 0);

        if (z[i] != x + y) return INFINITY;
        sum += x * y;
        size += fabs(x * y);
        squares += (x + y) * (x + y);
    }
    error = fmax(fabs(dot - sum) / size, fabs(norm - sqrt(squares)) / sqrt(squares));
    return error / (2 * (double)n * DBL_EPSILON);
}

/** Launch everything once; *dot is x . y and *norm is |z|. */
static void run(const example *e, hit_domain all, hit_tile *const tile[], double *dot,
                double *norm)
{
    hit_tile *x = tile[0];
    hit_tile *y = tile[1];
    hit_tile *z = tile[2];
    hit_tile *total = tile[3];

    HIT_MUST(hit_launch(e->hit, &vector_add_double, all, z, x, y));
    HIT_MUST(hit_launch(e->hit, &dot_double, all, total, x, y));
    HIT_MUST(hit_tile_get(total, NULL, dot));
    HIT_MUST(hit_launch(e->hit, &norm2_double, all, total, z));
    HIT_MUST(hit_tile_get(total, NULL, norm));
    *norm = sqrt(*norm);
}

int main(int argc, char **argv)
{
    example e = {.name = "vector",
                 .what = "z = x + y, the dot product of x and y, the norm of z",
                 .dims = 1,
                 .size = {1 << 22},
                 .steps = 5,
                 .seed = 1,
                 .bound = 1};
    const example_option extra[] = {
        {"--seed", "N     of the random numbers", EXAMPLE_COUNT, &e.seed},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    static const char *const name[] = {"x", "y", "z"};
    hit_tile *tile[4];
    hit_layout *layout;
    hit_layout *scalar;
    hit_domain all;
    double dot = 0;
    double norm = 0;

    example_read(&e, argc, argv, extra);
    example_open(&e, &argc, &argv, 3.0 * sizeof(double) * (double)e.size[0]);
    all = hit_domain_of(e.size[0]);
    layout = example_layout(&e, all, "vector_add_double");
    HIT_MUST(hit_layout_create(e.hit, hit_domain_scalar(), "single", &scalar));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name[k], &tile[k]));
    }
    HIT_MUST(hit_tile_create(scalar, HIT_DOUBLE, "total", &tile[3]));
    for (hit_index k = 0; k < 2; k++) {
        example_set(tile[k], number, &(hit_index){e.seed + k});
    }

    example_start(&e);
    for (hit_index t = 0; t < e.steps; t++) {
        run(&e, all, tile, &dot, &norm);
        example_progress(&e, t + 1, e.steps);
    }
    example_stop(&e);
    e.cells = 3.0 * (double)e.steps * (double)e.size[0];
    if (hit_rank(e.hit) == 0) printf("  x . y = %.17g, |z| = %.17g\n", dot, norm);
    if (e.check) {
        double *z = example_gather(&e, tile[2], all);

        if (z != NULL) e.error = check(&e, z, dot, norm);
        free(z);
    }
    for (int k = 0; k < 4; k++) {
        hit_tile_destroy(&tile[k]);
    }
    hit_layout_destroy(&scalar);
    return example_end(&e, &layout);
}
