/* SPDX-License-Identifier: MIT
 * Programs of which each launch can be in a chain. */
#include "tests/hit/run/chains_scene.h"

extern const hit_kernel weighted, kick, drift, upwind, source, border_row, keep_row,
    corners, line3, cube7, hyper9, cells;

static void run_three_tiles(chains_scene *s)
{
    for (int t = 0; t < CHAINS_STEPS; t++) {
        chains_launch_star(s, s->tile[2], s->tile[0], t);
        hit_tile_swap(&s->tile[0], &s->tile[1]);
        hit_tile_swap(&s->tile[1], &s->tile[2]);
    }
}

static void run_in_place(chains_scene *s)
{
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &kick, s->inner, s->tile[1], s->tile[0]));
        HIT_MUST(hit_launch(s->hit, &drift, s->inner, s->tile[0], s->tile[1]));
    }
}

static void run_source(chains_scene *s)
{
    const hit_domain box = hit_domain_box(2, (hit_index[]){9, 30}, (hit_index[]){11, 32});

    for (int t = 0; t < CHAINS_STEPS; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        HIT_MUST(hit_launch(s->hit, &source, box, s->tile[1], HIT_VALUE((float)t * 3)));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_read_only(chains_scene *s)
{
    const hit_domain square = hit_domain_grow(hit_domain_of(CHAINS_N, CHAINS_N), -2);

    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(
            hit_launch(s->hit, &weighted, square, s->tile[1], s->tile[0], s->tile[2]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_upwind(chains_scene *s)
{
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &upwind, s->inner, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_border_row(chains_scene *s)
{
    hit_domain row = s->all;

    row.dims = 1;
    row.sig[0] = s->all.sig[1];
    for (int t = 0; t < CHAINS_STEPS; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        HIT_MUST(hit_launch(s->hit, &border_row, row, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_record(chains_scene *s)
{
    for (int t = 0; t < CHAINS_STEPS; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        HIT_MUST(hit_launch(
            s->hit, &keep_row,
            hit_domain_box(2, (hit_index[]){t, 0}, (hit_index[]){t, CHAINS_N - 1}),
            s->tile[2], s->tile[1]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_selection(chains_scene *s)
{
    const hit_domain part = hit_domain_box(2, (hit_index[]){5, 7}, (hit_index[]){30, 33});
    hit_tile *a = NULL;
    hit_tile *b = NULL;

    HIT_MUST(hit_tile_select(s->tile[0], part, &a));
    HIT_MUST(hit_tile_select(s->tile[1], part, &b));
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &star, hit_domain_grow(part, -1), b, a,
                            HIT_VALUE((float)t)));
        hit_tile_swap(&a, &b);
    }
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
}

static void run_line(chains_scene *s)
{
    chains_drop_tiles(s);
    chains_make_tiles(s, hit_domain_of(500), HIT_DOUBLE);
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &line3, s->inner, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_cube(chains_scene *s)
{
    chains_drop_tiles(s);
    chains_make_tiles(s, hit_domain_of(31, 17, 23), HIT_FLOAT);
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &cube7, s->inner, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_cells(chains_scene *s)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(CHAINS_N + 20, CHAINS_N), -2);

    chains_drop_tiles(s);
    chains_make_tiles(s, hit_domain_of(CHAINS_N + 20, CHAINS_N, 3), HIT_FLOAT);
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &cells, inner, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_hyper(chains_scene *s)
{
    chains_drop_tiles(s);
    chains_make_tiles(s, hit_domain_of(40, 11, 9, 10), HIT_FLOAT);
    for (int t = 0; t < CHAINS_STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &hyper9, s->inner, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

/* Boundaries of a kind in dimension d, then of the other in dimension d + 1 ... */
static void run_boundaries(chains_scene *s, hit_boundary one, hit_boundary other,
                           const hit_kernel *kernel)
{
    for (int k = 0; k < 2; k++) {
        for (int d = 0; d < s->all.dims; d++) {
            HIT_MUST(hit_tile_set_boundary(s->tile[k], d, d % 2 == 0 ? one : other,
                                           &(float){(float)k + 0.5f}));
        }
    }
    for (int t = 0; t < CHAINS_STEPS; t++) {
        if (kernel == &star) {
            HIT_MUST(hit_launch(s->hit, &star, s->all, s->tile[1], s->tile[0],
                                HIT_VALUE((float)t)));
        } else {
            HIT_MUST(hit_launch(s->hit, kernel, s->all, s->tile[1], s->tile[0]));
        }
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static void run_clamp(chains_scene *s)
{
    run_boundaries(s, HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_CLAMP, &star);
}

static void run_mirror(chains_scene *s)
{
    run_boundaries(s, HIT_BOUNDARY_MIRROR, HIT_BOUNDARY_MIRROR, &corners);
}

static void run_constant(chains_scene *s)
{
    run_boundaries(s, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_CONSTANT, &star);
}

static void run_clamp_and_constant(chains_scene *s)
{
    run_boundaries(s, HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_CONSTANT, &corners);
}

static void run_constant_and_mirror(chains_scene *s)
{
    run_boundaries(s, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_MIRROR, &corners);
}

static void run_cube_in_mirrors(chains_scene *s)
{
    chains_drop_tiles(s);
    chains_make_tiles(s, hit_domain_of(80, 17, 13), HIT_FLOAT);
    run_boundaries(s, HIT_BOUNDARY_MIRROR, HIT_BOUNDARY_CLAMP, &cube7);
}

const chains_program chains_legal[] = {
    {"two tiles in turn", chains_run_star, 1},
    {"three tiles in turn", run_three_tiles, 1},
    {"kernels that work in place", run_in_place, 2},
    {"a source in a box of its own", run_source, 2},
    {"a tile that is only read, by another pattern", run_read_only, 1},
    {"upwind", run_upwind, 1},
    {"a row that is copied to the border", run_border_row, 2},
    {"a record of each step", run_record, 2},
    {"selections", run_selection, 1},
    {"one dimension, doubles", run_line, 1},
    {"three dimensions", run_cube, 1},
    {"four dimensions", run_hyper, 1},
    {"components in the last of three dimensions", run_cells, 1},
    {"beyond the tile is what its edge has", run_clamp, 1},
    {"beyond the tile it is mirrored", run_mirror, 1},
    {"beyond the tile is a constant", run_constant, 1},
    {"beyond it is its edge, or a constant", run_clamp_and_constant, 1},
    {"beyond it is a constant, or it is mirrored", run_constant_and_mirror, 1},
    {"three dimensions, mirrored or clamped", run_cube_in_mirrors, 1},
};

const int chains_legal_count = sizeof(chains_legal) / sizeof(chains_legal[0]);
