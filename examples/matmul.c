/* SPDX-License-Identifier: MIT
 * C = A B on processes in a grid, panel by panel: R. van de Geijn, J. Watts, "SUMMA:
 * scalable universal matrix multiplication algorithm", Concurrency 9 (1997). That a panel
 * of A goes to all processes of a row, and one of B to all of a column, is nowhere
 * written down: it follows from the patterns of the kernel. */
#include "hit/hit.h"
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "examples/common.h"

enum {
    A,
    B,
    C
};

static double number(const void *seed, const hit_index x[])
{
    return example_random(*(const hit_index *)seed, x[0], x[1]);
}

/** One product: alpha A B is added panel by panel. */
static void multiply(const example *e, hit_tile *const tile[], hit_index width)
{
    const hit_index n = e->size[0];
    const hit_index m = e->size[1];
    const hit_index depth = e->size[2];

    for (hit_index k = 0; k < depth; k += width) {
        hit_index last = k + width < depth ? k + width - 1 : depth - 1;
        double beta = k == 0 ? 0.0 : 1.0;
        hit_tile *a;
        hit_tile *b;

        HIT_MUST(hit_tile_select(tile[A], hit_box_of(0, n - 1, k, last), &a));
        HIT_MUST(hit_tile_select(tile[B], hit_box_of(k, last, 0, m - 1), &b));
        HIT_MUST(hit_launch(e->hit, &gemm_double, hit_tile_domain(tile[C]), tile[C], a, b,
                            HIT_VALUE(1.0), HIT_VALUE(beta)));
        hit_tile_destroy(&a);
        hit_tile_destroy(&b);
    }
}

/** The largest error, as a part of its bound: depth * epsilon * |A| |B|. */
static double check(const example *e, const void *found)
{
    const double *c = found;
    const hit_index m = e->size[1];
    double *sum;
    double worst = 0;

    HIT_MUST(hit_memory_zeroed((size_t)(2 * m), sizeof(double), &sum));
    for (hit_index i = 0; i < e->size[0]; i++) {
        for (hit_index j = 0; j < 2 * m; j++) {
            sum[j] = 0;
        }
        for (hit_index k = 0; k < e->size[2]; k++) {
            double a = example_random(e->seed, i, k);

            for (hit_index j = 0; j < m; j++) {
                double ab = a * example_random(e->seed + 1, k, j);

                sum[j] += ab;
                sum[m + j] += fabs(ab);
            }
        }
        for (hit_index j = 0; j < m; j++) {
            double bound = (double)e->size[2] * DBL_EPSILON * sum[m + j];
            double error = fabs(c[i * m + j] - sum[j]) / bound;

            if (!(error <= worst)) worst = isnan(error) ? INFINITY : error;
        }
    }
    free(sum);
    return worst;
}

/** Lay C out, and A and B like it where they are as large; fill A and B. */
static void prepare(example *e, const hit_domain domain[], hit_index width,
                    hit_layout *layout[], hit_tile *tile[])
{
    static const char *const name[] = {"A", "B", "C"};
    char kernel[48];

    snprintf(kernel, sizeof(kernel), "gemm_double,k=%d", (int)width);
    layout[C] = example_layout(e, domain[C], kernel);
    for (int t = A; t <= B; t++) {
        layout[t] = hit_domain_equal(&domain[t], &domain[C])
                        ? hit_layout_share(layout[C])
                        : example_layout(e, domain[t], NULL);
    }
    for (int t = A; t <= C; t++) {
        HIT_MUST(hit_tile_create(layout[t], HIT_DOUBLE, name[t], &tile[t]));
        if (t != C) example_set(tile[t], number, &(hit_index){e->seed + t});
    }
}

int main(int argc, char **argv)
{
    hit_index width = 256;
    example e = {.name = "matmul",
                 .what = "C = A B, distributed, panel by panel",
                 .dims = 3,
                 .size = {1000, 1000, 1000},
                 .steps = 1,
                 .seed = 1,
                 .bound = 1};
    const example_option extra[] = {
        {"--panel", "K     columns of A that are multiplied at a time", EXAMPLE_COUNT,
         &width},
        {"--seed", "N     of the random numbers", EXAMPLE_COUNT, &e.seed},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    hit_layout *layout[3];
    hit_tile *tile[3];
    hit_domain domain[3];
    double elements = 0;

    example_read(&e, argc, argv, extra);
    domain[A] = hit_domain_of(e.size[0], e.size[2]);
    domain[B] = hit_domain_of(e.size[2], e.size[1]);
    domain[C] = hit_domain_of(e.size[0], e.size[1]);
    for (int t = A; t <= C; t++) {
        elements += (double)hit_domain_count(&domain[t]);
    }
    example_open(&e, &argc, &argv, sizeof(double) * elements);
    prepare(&e, domain, width, layout, tile);

    example_start(&e);
    for (hit_index t = 0; t < e.steps; t++) {
        multiply(&e, tile, width);
        example_progress(&e, t + 1, e.steps);
    }
    example_stop(&e);
    e.cells = (double)e.steps * (double)e.size[2] * (double)hit_domain_count(&domain[C]);
    example_check(&e, tile[C], domain[C], check);
    for (int t = A; t <= C; t++) {
        hit_tile_destroy(&tile[t]);
    }
    hit_layout_destroy(&layout[A]);
    hit_layout_destroy(&layout[B]);
    return example_end(&e, &layout[C]);
}
