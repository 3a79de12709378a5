/* SPDX-License-Identifier: MIT
 * Chains of launches that are blocked in time: which ones are, and that their results are
 * those of one launch after the other, to the bit. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

extern const hit_kernel weighted, kick, drift, upwind, source, border_row, keep_row,
    corners, line3, cube7, hyper9;

static hit_context *base; /* keeps MPI open */

typedef void program(chains_scene *s);

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

static const struct {
    const char *name;
    program *run;
    int launches; /* of a step */
} legal[] = {
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
    {"beyond the tile is what its edge has", run_clamp, 1},
    {"beyond the tile it is mirrored", run_mirror, 1},
    {"beyond the tile is a constant", run_constant, 1},
    {"beyond it is its edge, or a constant", run_clamp_and_constant, 1},
    {"beyond it is a constant, or it is mirrored", run_constant_and_mirror, 1},
    {"three dimensions, mirrored or clamped", run_cube_in_mirrors, 1},
};

START_TEST(what_is_legal_is_blocked_and_gives_the_same_bits)
{
    for (size_t k = 0; k < sizeof(legal) / sizeof(legal[0]); k++) {
        for (int threads = 1; threads <= 3; threads++) {
            chains_scene one = chains_open(&chains_blocked, threads);
            chains_scene other = chains_open(NULL, threads);

            HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
            legal[k].run(&one);
            legal[k].run(&other);
            chains_expect_equal(&one, &other, legal[k].name);
            ck_assert_msg(chains_chained(&one) >=
                              (uint64_t)(CHAINS_STEPS * legal[k].launches - 1),
                          "%s: only %d launches are in chains", legal[k].name,
                          (int)chains_chained(&one));
            ck_assert_int_eq((int)chains_chained(&other), 0);
            chains_close(&one);
            chains_close(&other);
        }
    }
}
END_TEST

static uint64_t bytes_moved(chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

/* In pieces, one below the other: what does not fit is as well right step by step. */
START_TEST(what_does_not_fit_a_device_gives_the_same_bits)
{
    static const size_t memory[] = {2500, 4000, 9000, 14000, 25000, 45000, 80000};

    for (size_t k = 0; k < sizeof(legal) / sizeof(legal[0]); k++) {
        int blocked = 0;

        for (int m = 0; m < 7; m++) {
            chains_scene one = chains_open_staged(memory[m], 1 + (m % 4 == 1));
            chains_scene other = chains_open_staged(memory[m], 1);

            HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
            if (m % 2 == 1) one.hit->launcher->chain_choice = &chains_blocked;
            legal[k].run(&one);
            legal[k].run(&other);
            chains_expect_equal(&one, &other, legal[k].name);
            blocked += chains_chained(&one) > 0;
            ck_assert_msg(bytes_moved(&one) <= bytes_moved(&other),
                          "%s in %zu bytes: %llu bytes, and one by one %llu",
                          legal[k].name, memory[m], (unsigned long long)bytes_moved(&one),
                          (unsigned long long)bytes_moved(&other));
            chains_close(&one);
            chains_close(&other);
        }
        ck_assert_msg(blocked > 0, "%s: blocked in no memory", legal[k].name);
    }
}
END_TEST

/* Whatever is tried, for as long as it is. */
START_TEST(the_same_bits_while_sizes_are_tried)
{
    for (size_t k = 0; k < 4; k++) {
        chains_scene one = chains_open(NULL, 2);
        chains_scene other = chains_open(NULL, 2);

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        for (int s = 0; s < 2; s++) {
            chains_scene *of = s == 0 ? &one : &other;

            of->hit->launcher->chain_cache_bytes = (size_t)1 << 18;
            chains_drop_tiles(of);
            chains_make_tiles(of, hit_domain_of(700, 500), HIT_FLOAT);
            for (int t = 0; t < 24; t++) {
                legal[k].run(of);
            }
        }
        chains_expect_equal(&one, &other, legal[k].name);
        ck_assert_int_gt((int)chains_chained(&one), 100);
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

START_TEST(small_tiles_are_not_recorded)
{
    chains_scene s = chains_open(NULL, 2);

    chains_run_star(&s);
    ck_assert_ptr_null(s.hit->stations->recorded.block);
    chains_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, what_is_legal_is_blocked_and_gives_the_same_bits);
    tcase_add_test(tc, what_does_not_fit_a_device_gives_the_same_bits);
    tcase_add_test(tc, the_same_bits_while_sizes_are_tried);
    tcase_add_test(tc, small_tiles_are_not_recorded);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
