/* SPDX-License-Identifier: MIT
 * What the examples that factor a matrix by blocks share: the tiles, the solution with
 * triangles, and the report. */
#include "examples/factor.h"

#include "hit/scheduled/schedule.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>

double factor_right(const example *e, hit_index i)
{
    return example_random(e->seed + 1, i, 0);
}

static double of_matrix(const void *what, const hit_index x[])
{
    const factor *f = what;

    return f->element(&f->e, x[0], x[1]);
}

static double of_right(const void *what, const hit_index x[])
{
    return factor_right(&((const factor *)what)->e, x[0]);
}

static hit_tile *make(factor *f, hit_layout *layout, const char *name,
                      double (*value)(const void *what, const hit_index x[]))
{
    hit_tile *tile;

    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name, &tile));
    example_set(tile, value, f);
    return tile;
}

hit_tile *factor_matrix(factor *f)
{
    return make(f, f->layout, "A", of_matrix);
}

void factor_open(factor *f, int *argc, char ***argv)
{
    example *e = &f->e;
    hit_layout *layout;
    double n;

    (void)snprintf(f->layout_text, sizeof(f->layout_text), "blockcyclic:block=%" PRId64,
                   f->width);
    if (e->layout[0] == '\0') e->layout = f->layout_text;
    n = (double)e->size[0];
    e->cells = n * n;
    example_open(e, argc, argv, sizeof(double) * n * n);
    if (f->scheduler != NULL) HIT_MUST(hit_schedule(e->hit, f->scheduler));
    /* processes write the same tiles together */
    HIT_MUST(hit_chain(e->hit, HIT_CHAIN_ANY));
    f->layout = example_layout(e, hit_domain_of(e->size[0], e->size[0]), NULL);
    layout = example_layout(e, hit_domain_of(e->size[0], 1), NULL);
    f->a = factor_matrix(f);
    f->b = make(f, layout, "b", of_right);
    hit_layout_destroy(&layout);
    f->t = (e->size[0] + f->width - 1) / f->width;
    f->of_a = example_blocks(f->a, f->width, f->width);
    f->of_b = example_blocks(f->b, f->width, f->width);
}

hit_tile **factor_beside(factor *f, hit_index rows, hit_type type, hit_tile **tile)
{
    example beside = f->e;
    char text[64];
    hit_layout *layout;

    (void)snprintf(text, sizeof(text), "blockcyclic:block=%" PRId64 "x%" PRId64, rows,
                   f->width);
    if (f->e.layout == f->layout_text) beside.layout = text;
    layout = example_layout(&beside, hit_domain_of(f->t * rows, f->e.size[0]), NULL);
    HIT_MUST(hit_tile_create(layout, type, "beside A", tile));
    hit_layout_destroy(&layout);
    return example_blocks(*tile, rows, f->width);
}

hit_tile **factor_diagonal(factor *f, hit_tile **tile)
{
    const hit_index n = f->e.size[0];
    const hit_index width = f->width < n ? f->width : n;
    hit_layout *layout = example_layout(&f->e, hit_domain_of(n, width), NULL);
    hit_tile **blocks;

    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "diagonal", tile));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_memory_zeroed((size_t)f->t + 1, sizeof(hit_tile *), &blocks));
    for (hit_index k = 0; k < f->t; k++) {
        const hit_index first = k * f->width;
        const hit_index last = (first + f->width < n ? first + f->width : n) - 1;
        const hit_domain box = hit_box_of(first, last, 0, last - first);

        HIT_MUST(hit_tile_select(*tile, box, &blocks[k]));
    }
    return blocks;
}

double factor_run(factor *f, void (*factorise)(void *what), void (*solve)(void *what),
                  void *what)
{
    example *e = &f->e;
    hit_stats sum;
    double factor_s;
    double solve_s = 0;

    example_start(e);
    factorise(what);
    example_stop(e);
    factor_s = e->time_s;
    HIT_MUST(hit_context_stats_all(e->hit, &sum));
    e->moved_bytes = sum.bytes_in + sum.bytes_out;
    if (f->solves) {
        example_start(e);
        solve(what);
        example_stop(e);
        solve_s = e->time_s;
    }
    e->time_s = factor_s;
    return solve_s;
}

/** The sum of the counts. */
static hit_index print_tasks(const factor *f, const factor_tasks tasks[])
{
    hit_index sum = 0;

    for (int k = 0; tasks[k].kernel != NULL; k++) {
        if (hit_rank(f->e.hit) == 0) {
            printf("%s%s %" PRId64, k > 0 ? ", " : "", tasks[k].kernel, tasks[k].count);
        }
        sum += tasks[k].count;
    }
    if (hit_rank(f->e.hit) == 0) printf("\n");
    return sum;
}

void factor_report(factor *f, const factor_tasks in_factor[], double solve_s,
                   const factor_tasks in_solve[])
{
    const bool prints = hit_rank(f->e.hit) == 0;

    if (prints) printf("  %-18s ", "tasks");
    f->e.tasks = print_tasks(f, in_factor);
    if (solve_s <= 0) return;
    if (prints) printf("  %-18s %.3f s; ", "solve", solve_s);
    (void)print_tasks(f, in_solve);
}

int factor_end(factor *f)
{
    example_blocks_destroy(&f->of_a);
    example_blocks_destroy(&f->of_b);
    hit_tile_destroy(&f->a);
    hit_tile_destroy(&f->b);
    return example_end(&f->e, &f->layout);
}

hit_domain factor_along(const hit_tile *tile, int dim)
{
    return (hit_domain){.dims = 1, .sig = {hit_tile_domain(tile).sig[dim]}};
}

void factor_forward(factor *f, const hit_kernel *triangle)
{
    const hit_index t = f->t;
    hit_tile **a = f->of_a;
    hit_tile **b = f->of_b;

    for (hit_index k = 0; k < t; k++) {
        HIT_MUST(
            hit_launch(f->e.hit, triangle, factor_along(b[k], 1), b[k], a[k * t + k]));
        for (hit_index i = k + 1; i < t; i++) {
            HIT_MUST(hit_launch(f->e.hit, &gemm_double, hit_tile_domain(b[i]), b[i],
                                a[i * t + k], b[k], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
        }
    }
}

void factor_backward(factor *f, const hit_kernel *triangle, bool transposed)
{
    const hit_kernel *product = transposed ? &gemm_tn_double : &gemm_double;
    const hit_index t = f->t;
    hit_tile **a = f->of_a;
    hit_tile **b = f->of_b;

    for (hit_index k = t - 1; k >= 0; k--) {
        HIT_MUST(
            hit_launch(f->e.hit, triangle, factor_along(b[k], 1), b[k], a[k * t + k]));
        for (hit_index i = 0; i < k; i++) {
            hit_tile *above = transposed ? a[k * t + i] : a[i * t + k];

            HIT_MUST(hit_launch(f->e.hit, product, hit_tile_domain(b[i]), b[i], above,
                                b[k], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
        }
    }
}
