/* SPDX-License-Identifier: MIT
 * Tiles in arrays of ScaLAPACK: blocks of a matrix in column-major order, of any
 * descriptor. */
#include "hit/base/context.h"
#include "hit/data/domain_set.h"
#include "hit/hit.h"
#include "hit/tile/tile_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

extern const hit_kernel reach_0, reach_1;

static hit_context *base;

/* One dimension of a matrix, and what this process has of it. */
typedef struct dealt {
    hit_index size, block;
    int grid, first, at; /* at: the coordinate of this process */
    hit_index local;     /* NUMROC */
} dealt;

/* INDXL2G, from 0 */
static hit_index global(const dealt *d, hit_index local)
{
    const hit_index round = (d->grid + d->at - d->first) % d->grid;

    return (local / d->block * d->grid + round) * d->block + local % d->block;
}

static dealt deal(hit_random *random, int grid, int at)
{
    dealt made = {.grid = grid, .at = at};

    made.size = hit_random_index(random, 1, 23);
    made.block = hit_random_index(random, 1, 5);
    made.first = (int)hit_random_index(random, 0, grid - 1);
    while (global(&made, made.local) < made.size) { /* blocks are short at the end only */
        made.local++;
    }
    return made;
}

static int64_t element(hit_index i, hit_index j)
{
    return 1000 * i + j;
}

/* Two matrices in column-major order, of which one is written: their blocks are where
 * ScaLAPACK has them, and nothing is copied. */
typedef struct matrices {
    dealt rows, columns;
    hit_index lead; /* LLD */
    int64_t *memory[2];
    hit_tile *tile[2];
} matrices;

static void make_matrices(matrices *a, hit_random *random)
{
    const int size = hit_size(base);
    const int rank = hit_rank(base);
    const bool by_rows = hit_random_index(random, 0, 1) != 0; /* ranks in BLACS's grid */
    const int p = size == 4 ? 2 : hit_random_index(random, 0, 1) ? size : 1;
    const int q = size / p;
    hit_layout *layout;
    char text[120];

    a->rows = deal(random, p, by_rows ? rank / q : rank % p);
    a->columns = deal(random, q, by_rows ? rank % q : rank / p);
    a->lead = a->rows.local + hit_random_index(random, 1, 3);
    (void)snprintf(text, sizeof(text),
                   "blockcyclic:block=%dx%d,grid=%dx%d,first=%dx%d,order=%s",
                   (int)a->columns.block, (int)a->rows.block, q, p, a->columns.first,
                   a->rows.first, by_rows ? "column" : "row");
    HIT_MUST(hit_layout_create(base, hit_domain_of(a->columns.size, a->rows.size), text,
                               &layout));
    for (int k = 0; k < 2; k++) {
        const size_t count = (size_t)(a->lead * a->columns.local);

        a->memory[k] = malloc((count + 1) * sizeof(int64_t));
        ck_assert_ptr_nonnull(a->memory[k]);
        for (size_t e = 0; e < count; e++) {
            a->memory[k][e] = -7;
        }
        for (hit_index j = 0; j < a->columns.local; j++) {
            for (hit_index i = 0; i < a->rows.local; i++) {
                a->memory[k][j * a->lead + i] =
                    element(global(&a->rows, i), global(&a->columns, j));
            }
        }
        HIT_MUST(hit_tile_adopt(
            layout, HIT_INT64, "matrix",
            a->rows.local * a->columns.local == 0
                ? NULL
                : &(hit_local_array){.first = a->memory[k], .stride = {a->lead, 1}},
            &a->tile[k]));
    }
    hit_layout_destroy(&layout);
}

static void check_matrices(const matrices *a)
{
    for (hit_index j = 0; j < a->columns.local; j++) {
        for (hit_index i = 0; i < a->lead; i++) {
            const int64_t old = element(global(&a->rows, i), global(&a->columns, j));
            const int64_t found = a->memory[1][j * a->lead + i];

            ck_assert_int_eq(found, i < a->rows.local ? 39 * old % 1000003 : -7);
        }
    }
    for (int k = 0; k < 2; k++) {
        for (int b = 0; b < hit_tile_pieces(a->tile[k]); b++) {
            ck_assert_ptr_null(a->tile[k]->storage->adopted[b].wide.data);
        }
    }
}

/* The element of a tile that this process owns. */
static int64_t element_of(hit_tile *tile, const hit_index at[])
{
    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_READ, &view));
        if (hit_domain_has(&view.domain, at)) return *(int64_t *)hit_view_at(&view, at);
    }
    ck_abort_msg("process %d does not own %lld, %lld", hit_rank(base), (long long)at[0],
                 (long long)at[1]);
}

static void expect_memory(const matrices *a, int k, hit_tile *same)
{
    for (hit_index j = 0; j < a->columns.local; j++) {
        for (hit_index i = 0; i < a->lead; i++) {
            const hit_index at[] = {global(&a->columns, j), global(&a->rows, i)};

            ck_assert_int_eq(a->memory[k][j * a->lead + i],
                             i < a->rows.local ? element_of(same, at) : -7);
        }
    }
}

/* What needs neighbours runs in buffers, and comes back. */
static void try_neighbours(const matrices *a)
{
    const hit_domain inner = hit_domain_grow(hit_tile_domain(a->tile[0]), -1);
    hit_layout *layout = hit_tile_layout(a->tile[0]);
    hit_tile *plain[2];

    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_INT64, "plain", &plain[k]));
        HIT_MUST(hit_tile_copy(a->tile[k], plain[k]));
    }
    HIT_MUST(hit_launch(base, &reach_1, inner, a->tile[0], a->tile[1]));
    HIT_MUST(hit_launch(base, &reach_1, inner, plain[0], plain[1]));
    HIT_MUST(hit_tile_map(a->tile[0], 0, HIT_READ, NULL));
    expect_memory(a, 0, plain[0]);
    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&plain[k]);
    }
}

START_TEST(blocks_of_scalapack_are_adopted)
{
    hit_random random = hit_random_start(1);

    for (int n = 0; n < hit_random_cases(200); n++) {
        matrices a = {.lead = 0};

        make_matrices(&a, &random);
        HIT_MUST(
            hit_launch(base, &reach_0, hit_tile_domain(a.tile[0]), a.tile[1], a.tile[0]));
        HIT_MUST(hit_tile_map(a.tile[1], 0, HIT_READ, NULL));
        check_matrices(&a);
        try_neighbours(&a);
        for (int k = 0; k < 2; k++) {
            hit_tile_destroy(&a.tile[k]);
            free(a.memory[k]);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("scalapack");
    TCase *tests = tcase_create("scalapack");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, blocks_of_scalapack_are_adopted);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
