/* SPDX-License-Identifier: MIT
 * Heat spreads from a hot spot in a plate whose rim keeps its temperature. */
#include "hit/checkpoint/checkpoint.h"
#include "hit/hit.h"
#include "hit/plugin.h"

#include <float.h>

#include "examples/common.h"

extern const hit_kernel heat; /* heat.k.c */

static const float c = 0.2f;

/** The temperature at the beginning, 0 to 1. */
static double initial(const void *what, const hit_index x[])
{
    const hit_index *size = what;
    hit_index u = 3 * x[0] - size[0];
    hit_index v = 2 * x[1] - size[1];
    hit_index r = size[0] < size[1] ? size[0] : size[1];

    if (x[0] == 0) return 0.5;
    return 4 * (u * u + v * v) < r * r ? 1 : 0;
}

/** The steps that were left: others may have been done before a checkpoint. */
static hit_index run(example *e, hit_domain plate, hit_tile **now, hit_tile **next)
{
    const hit_domain inner = hit_domain_grow(plate, -1);
    hit_index done = 0;
    hit_index t;

    HIT_MUST(hit_checkpoint_tile(e->hit, "now", now));
    HIT_MUST(hit_checkpoint_tile(e->hit, "next", next));
    HIT_MUST(hit_checkpoint_value(e->hit, "t", HIT_INT64, &t));
    example_start(e);
    for (t = 1; t <= e->steps; t++) {
        HIT_MUST(hit_checkpoint_step(e->hit));
        HIT_MUST(hit_launch(e->hit, &heat, inner, *next, *now, HIT_VALUE(c)));
        hit_tile_swap(now, next);
        example_look(e, t, 2, (hit_tile *[]){*now, *next});
        example_progress(e, t, e->steps);
        done++;
    }
    example_stop(e);
    return done;
}

/** The same, as one would write it without the library. */
static double check(const example *e, const void *found)
{
    const size_t n = (size_t)e->size[0];
    const size_t m = (size_t)e->size[1];
    float *now;
    float *next;
    double error;

    HIT_MUST(hit_memory_zeroed(n * m, sizeof(float), &now));
    HIT_MUST(hit_memory_zeroed(n * m, sizeof(float), &next));
    for (size_t k = 0; k < n * m; k++) {
        const hit_index x[] = {(hit_index)(k / m), (hit_index)(k % m)};

        now[k] = (float)initial(e->size, x);
        next[k] = now[k];
    }
    for (hit_index t = 0; t < e->steps; t++) {
        float *swap = now;

        for (size_t i = 1; i + 1 < n; i++) {
            for (size_t j = 1; j + 1 < m; j++) {
                const float *u = now + i * m + j;

                next[i * m + j] =
                    u[0] + c * (u[-(ptrdiff_t)m] + u[m] + u[-1] + u[1] - 4.0f * u[0]);
            }
        }
        now = next;
        next = swap;
    }
    error = example_differs(found, now, (hit_index)(n * m), sizeof(float));
    free(now);
    free(next);
    return error;
}

int main(int argc, char **argv)
{
    const char *picture = NULL;
    const char *output = NULL;
    const char *input = NULL;
    const example_option extra[] = {
        {"--picture", "FILE  write the temperatures as a PNG picture", EXAMPLE_TEXT,
         &picture},
        {"--output", "FILE  write the temperatures: .npy, .zarr, .h5, .vtkhdf",
         EXAMPLE_TEXT, &output},
        {"--input", "FILE  begin with these: what --output wrote, or NumPy's floats",
         EXAMPLE_TEXT, &input},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    example e = {.name = "heat",
                 .what = "heat spreads in a plate, a 5-point stencil",
                 .dims = 2,
                 .size = {512, 512},
                 .steps = 200,
                 .rebalances = true};
    hit_layout *layout;
    hit_domain plate;
    hit_tile *now;
    hit_tile *next;

    example_read(&e, argc, argv, extra);
    /* contractions round otherwise than the plain loops, but each step only a little */
    if (!heat.strict) e.bound = 4 * (double)FLT_EPSILON * (double)e.steps;
    if (input != NULL && e.check) example_mistake(&e, "--check begins without --input");
    example_open(&e, &argc, &argv, 2.0 * sizeof(float) * (double)(e.size[0] * e.size[1]));

    HIT_MUST(hit_kernel_register(e.hit, &heat)); /* for layouts that measure it */
    plate = hit_domain_of(e.size[0], e.size[1]);
    layout = example_layout(&e, plate, "heat");
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &next));
    example_set(now, initial, e.size);
    if (input != NULL) HIT_MUST(hit_tile_read(now, input, NULL));
    HIT_MUST(hit_tile_copy(now, next)); /* the rim is never written */
    example_balance(&e, &layout);
    e.cells = (double)run(&e, plate, &now, &next) * (double)(e.size[0] * e.size[1]);
    example_check(&e, now, plate, check);
    if (output != NULL) {
        HIT_MUST(hit_tile_set_axis(now, 0, &(hit_axis){.name = "y", .step = 1}));
        HIT_MUST(hit_tile_set_axis(now, 1, &(hit_axis){.name = "x", .step = 1}));
        HIT_MUST(hit_tile_write(now, output, NULL));
    }
    if (picture != NULL) HIT_MUST(hit_tile_write_png(now, picture, "low=0,high=1"));
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    return example_end(&e, &layout);
}
