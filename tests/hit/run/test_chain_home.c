/* SPDX-License-Identifier: MIT
 * Launches between those of a block over processes that need nothing of other processes,
 * or once did: results are those of one launch after the other, to the bit. */
#include "hit/base/context.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <string.h>

extern const hit_kernel upwind, source, weighted, put_back;

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 64,
    FIELD_ROWS = 8,
    ROWS = 9,
    LAUNCHES = 25, /* of three tiles each: more than a block has in mind */
    STEPS = 60
};

/* A scene, and tiles of other layouts. */
typedef struct home {
    chains_scene s;
    hit_tile *field;
    hit_tile *rows;
    hit_tile *small[3 * LAUNCHES];
    hit_layout *across;
} home;

static home open_home(bool chains)
{
    home h = {.s = chains_open_over(chains ? &chains_blocked : NULL, 1, "block:dims=1",
                                    EXTENT)};
    const hit_domain rows = hit_domain_of(ROWS, EXTENT);

    if (!chains) HIT_MUST(hit_chain(h.s.hit, HIT_CHAIN_OFF));
    HIT_MUST(hit_tile_make(h.s.hit, hit_domain_of(FIELD_ROWS, EXTENT), "block:dims=1",
                           HIT_FLOAT, "field", &h.field));
    HIT_MUST(hit_tile_make(h.s.hit, rows, "block:dims=1", HIT_FLOAT, "rows", &h.rows));
    HIT_MUST(hit_tile_fill(h.field, &(float){3}));
    HIT_MUST(hit_tile_fill(h.rows, &(float){4}));
    HIT_MUST(hit_launch(h.s.hit, &source, hit_box_of(2, 5, 3, EXTENT - 9), h.field,
                        HIT_VALUE(0.75f)));
    HIT_MUST(hit_tile_set_boundary(h.field, 0, HIT_BOUNDARY_CLAMP, NULL));
    for (int k = 0; k < 3 * LAUNCHES; k++) {
        HIT_MUST(hit_tile_make(h.s.hit, hit_domain_of(8, 8), "single", HIT_FLOAT, "small",
                               &h.small[k]));
        HIT_MUST(hit_tile_fill(h.small[k], &(float){(float)k}));
    }
    HIT_MUST(hit_layout_create(h.s.hit, rows, "block:dims=0", &h.across));
    return h;
}

static void close_home(home *h)
{
    for (int k = 0; k < 3 * LAUNCHES; k++) {
        hit_tile_destroy(&h->small[k]);
    }
    hit_tile_destroy(&h->rows);
    hit_tile_destroy(&h->field);
    hit_layout_destroy(&h->across);
    chains_close(&h->s);
}

static void step(home *h, int t)
{
    chains_launch_star(&h->s, h->s.tile[1], h->s.tile[0], t);
    hit_tile_swap(&h->s.tile[0], &h->s.tile[1]);
}

/* The row is inside at first, and then also where it needs what lies beyond. */
static void reach_the_boundary(home *h)
{
    for (int t = 0; t < STEPS; t++) {
        const hit_index row = t < STEPS / 2 ? 2 + t % 5 : t % 7;

        step(h, t);
        HIT_MUST(hit_launch(h->s.hit, &upwind, hit_box_of(row, row, 0, EXTENT - 1),
                            h->rows, h->field));
    }
}

static void change_the_layout(home *h)
{
    const hit_domain inside = hit_box_of(2, FIELD_ROWS - 1, 0, EXTENT - 1);

    for (int t = 0; t < STEPS; t++) {
        step(h, t);
        if (t < STEPS / 2) {
            HIT_MUST(hit_launch(h->s.hit, &upwind, inside, h->rows, h->field));
        } else {
            HIT_MUST(
                hit_launch_on(h->s.hit, h->across, &upwind, inside, h->rows, h->field));
        }
        if (t % 7 == 0) HIT_MUST(hit_tile_fill(h->field, &(float){(float)t}));
    }
}

/* No other process needs it: its owner need not tell. */
static void write_what_one_owns(home *h)
{
    for (int t = 0; t < STEPS; t++) {
        step(h, t);
        HIT_MUST(hit_launch(h->s.hit, &source, hit_domain_of(8, 8), h->small[0],
                            HIT_VALUE(0.25f)));
        if (t % 10 == 5 && hit_tile_pieces(h->small[0]) > 0) {
            hit_view view;

            HIT_MUST(hit_tile_map(h->small[0], 0, HIT_READ_WRITE, &view));
            HIT_AT(view, float, 3, 4) += 2;
        }
    }
}

static void use_many_tiles(home *h)
{
    for (int t = 0; t < STEPS; t++) {
        step(h, t);
        for (int k = 0; k < 3 * LAUNCHES; k += 3) {
            HIT_MUST(hit_launch(h->s.hit, &weighted,
                                hit_domain_grow(hit_domain_of(8, 8), -2), h->small[k],
                                h->small[k + 1], h->small[k + 2]));
        }
        step(h, t);
    }
}

/* Each process its own elements: its neighbours have old ones in their margins. */
static void write_the_field(home *h)
{
    for (int t = 0; t < STEPS; t++) {
        step(h, t);
        HIT_MUST(hit_launch(h->s.hit, &put_back, hit_box_of(2, 5, 1, EXTENT - 2), h->rows,
                            h->s.tile[0]));
    }
}

static void (*const programs[])(home *) = {reach_the_boundary, change_the_layout,
                                           write_what_one_owns, use_many_tiles,
                                           write_the_field};

static void expect_same(hit_tile *a, hit_tile *b, size_t count)
{
    static float found[2][ROWS * EXTENT];

    HIT_MUST(hit_tile_gather(a, 0, found[0]));
    HIT_MUST(hit_tile_gather(b, 0, found[1]));
    ck_assert_mem_eq(found[0], found[1], count * sizeof(float));
}

START_TEST(what_was_at_home_may_be_so_no_more)
{
    home one = open_home(true);
    home plain = open_home(false);

    programs[_i](&one);
    programs[_i](&plain);
    chains_expect_equal(&one.s, &plain.s, "at home");
    expect_same(one.rows, plain.rows, (size_t)ROWS * EXTENT);
    for (int k = 0; k < 3 * LAUNCHES; k++) {
        expect_same(one.small[k], plain.small[k], 64);
    }
    if (programs[_i] != write_the_field) {
        ck_assert_int_gt((int)chains_chained(&one.s), STEPS / 3);
    }
    close_home(&one);
    close_home(&plain);
}
END_TEST

/* Records of each fourth step are known to be at home when they come the second time:
 * then they have been seen twice. There are one or two of them in four steps, the other
 * one behind step second_record[]. */
static const int second_record[] = {-1, 3, 1, 0};

static void record(const home *one, hit_index row, hit_tile *rows)
{
    HIT_MUST(hit_launch(one->s.hit, &upwind, hit_box_of(row, row, 0, EXTENT - 1), rows,
                        one->field));
}

START_TEST(what_comes_the_second_time_repeats)
{
    const int second = second_record[_i];
    home one = open_home(true);
    uint64_t before = 0;
    hit_tile *more;

    HIT_MUST(hit_tile_make(one.s.hit, hit_domain_of(ROWS, EXTENT), "block:dims=1",
                           HIT_FLOAT, "more", &more));
    HIT_MUST(hit_tile_fill(more, &(float){4}));
    for (int t = 0; t < 12 && hit_size(base) > 1; t++) {
        const hit_index row = 2 + t / 4;

        if (t == 8) before = chains_chained(&one.s);
        step(&one, t);
        if (t % 4 == 3) record(&one, row, one.rows);
        if (t % 4 == second) record(&one, row, more);
    }
    if (hit_size(base) > 1) {
        ck_assert_uint_eq(chains_chained(&one.s) - before, second < 0 ? 5 : 6);
    }
    hit_tile_destroy(&more);
    close_home(&one);
}
END_TEST

/* After an error on all processes, of which some had come further, they begin anew. */
START_TEST(chains_begin_anew_after_an_error)
{
    home one = open_home(true);
    home plain = open_home(false);
    hit_status status = HIT_OK;

    if (hit_size(base) > 1) {
        for (int t = 0; t < STEPS && status == HIT_OK; t++) {
            hit_view view;

            status = hit_launch(one.s.hit, &star, one.s.inner, one.s.tile[1],
                                one.s.tile[0], HIT_VALUE((float)t));
            if (t == 20 && hit_rank(base) == 0) {
                HIT_MUST(hit_tile_map(one.s.tile[1], 0, HIT_READ_WRITE, &view));
            }
            if (status == HIT_OK && t == 22) {
                status = hit_launch(one.s.hit, &source, hit_domain_of(FIELD_ROWS, EXTENT),
                                    one.rows, HIT_VALUE(0.5f));
            }
            hit_tile_swap(&one.s.tile[0], &one.s.tile[1]);
        }
        ck_assert_int_eq(status, HIT_E_COMM);
        HIT_MUST(hit_chain(one.s.hit, HIT_CHAIN_ANY));
    }
    for (int k = 0; k < CHAINS_TILES; k++) {
        HIT_MUST(hit_tile_fill(one.s.tile[k], &(float){(float)k}));
        HIT_MUST(hit_tile_fill(plain.s.tile[k], &(float){(float)k}));
    }
    HIT_MUST(hit_tile_fill(one.rows, &(float){4}));
    reach_the_boundary(&one);
    reach_the_boundary(&plain);
    chains_expect_equal(&one.s, &plain.s, "after an error");
    expect_same(one.rows, plain.rows, (size_t)ROWS * EXTENT);
    close_home(&one);
    close_home(&plain);
}
END_TEST

/* Rows of @p width elements that go through memories of 4 KiB. */
static int chained_with_rows(hit_index width)
{
    const hit_domain row = hit_box_of(4, 4, 0, width - 1);
    chains_scene s = chains_open_over_staged(4096, 1, "block:dims=1", EXTENT);
    hit_tile *wide[2] = {NULL, NULL};
    float found = 0;
    int chained;

    HIT_MUST(hit_tile_make(s.hit, hit_domain_of(FIELD_ROWS, width), "block:dims=1",
                           HIT_FLOAT, "wide", &wide[0]));
    HIT_MUST(hit_tile_make(s.hit, hit_domain_of(ROWS, width), "block:dims=1", HIT_FLOAT,
                           "wider", &wide[1]));
    HIT_MUST(hit_tile_fill(wide[0], &(float){3}));
    HIT_MUST(hit_tile_fill(wide[1], &(float){0}));
    for (int t = 0; t < STEPS; t++) {
        chains_launch_star(&s, s.tile[1], s.tile[0], t);
        HIT_MUST(hit_launch(s.hit, &upwind, row, wide[1], wide[0]));
        hit_tile_swap(&s.tile[0], &s.tile[1]);
    }
    HIT_MUST(hit_tile_get(wide[1], (hit_index[]){4, width - 1}, &found));
    ck_assert(found == 3);
    chained = (int)chains_chained(&s);
    hit_tile_destroy(&wide[0]);
    hit_tile_destroy(&wide[1]);
    chains_close(&s);
    return chained;
}

/* Such launches go through the device row by row, too. */
START_TEST(a_row_at_home_that_no_device_has_room_for_ends_chains)
{
    const int size = hit_size(base);

    if (size == 1 || size > 4) return;
    ck_assert_int_gt(chained_with_rows(EXTENT), STEPS);
    ck_assert_int_eq(chained_with_rows((hit_index)size * 1024), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("launches at home in chains over processes");
    TCase *tc = tcase_create("home");

    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, what_was_at_home_may_be_so_no_more, 0,
                        (int)(sizeof(programs) / sizeof(programs[0])));
    tcase_add_test(tc, a_row_at_home_that_no_device_has_room_for_ends_chains);
    tcase_add_loop_test(tc, what_comes_the_second_time_repeats, 0,
                        (int)(sizeof(second_record) / sizeof(second_record[0])));
    tcase_add_test(tc, chains_begin_anew_after_an_error);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
