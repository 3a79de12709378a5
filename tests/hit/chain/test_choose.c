/* SPDX-License-Identifier: MIT
 * Sizes of tiles: what is chosen is legal, and sensible. */
#include "hit/chain/tuner.h"
#include "tests/support/check_main.h"

#include <string.h>

static hit_choose_request request_of(hit_random *random)
{
    hit_choose_request r = {.axes = (int)hit_random_index(random, 1, 4)};

    for (int c = 0; c < r.axes; c++) {
        r.extent[c] = hit_random_index(random, 1, r.axes > 2 ? 500 : 20000);
        r.shift[c] = hit_random_index(random, 0, 9);
        r.growth[c] = hit_random_index(random, 0, 9);
    }
    r.line = 16;
    r.line_shift = (r.shift[r.axes - 1] + 15) / 16 * 16;
    r.position_bytes = (size_t)hit_random_index(random, 4, 64);
    r.cache_bytes = (size_t)hit_random_index(random, 1, 32) << 17;
    r.threads = (int)hit_random_index(random, 1, 64);
    r.most_steps = (int)hit_random_index(random, 1, 64);
    return r;
}

START_TEST(choices_are_unlike_and_one_is_plain)
{
    hit_random random = hit_random_start(3);

    for (int k = 0; k < 3000; k++) {
        const hit_choose_request r = request_of(&random);
        hit_choice choice[HIT_CHOICES];
        const int count = hit_choose(&r, choice);
        int plain = 0;
        bool good = count >= 1 && count <= HIT_CHOICES;

        for (int a = 0; a < count; a++) {
            plain += choice[a].plain;
            good = good && choice[a].steps <= (r.most_steps < 2 ? 1 : r.most_steps);
            for (int b = 0; b < a; b++) {
                good = good && memcmp(&choice[a], &choice[b], sizeof(choice[a])) != 0;
            }
        }
        if (!good || plain != 1) ck_abort_msg("wrong in case %d", k);
    }
}
END_TEST

static hit_choose_request plane(hit_index rows, hit_index columns)
{
    return (hit_choose_request){.axes = 2,
                                .extent = {rows, columns},
                                .shift = {1, 1},
                                .growth = {1, 1},
                                .line_shift = 16,
                                .line = 16,
                                .position_bytes = 8,
                                .cache_bytes = 1 << 20,
                                .threads = 2,
                                .most_steps = 64};
}

START_TEST(a_large_plane_is_run_many_steps_at_once_on_long_rows)
{
    const hit_choose_request r = plane(8192, 8192);
    hit_choice choice[HIT_CHOICES];

    ck_assert_int_gt(hit_choose(&r, choice), 4);
    ck_assert(!choice[0].plain);
    ck_assert_int_ge(choice[0].steps, 12);
    ck_assert_int_ge(choice[0].width[1], 1024);
}
END_TEST

START_TEST(boxes_of_short_rows_have_more_of_them)
{
    const hit_choose_request wide = plane(8192, 8192);
    const hit_choose_request narrow = plane(512, 510);
    hit_choice choice[HIT_CHOICES];

    (void)hit_choose(&wide, choice);
    ck_assert_int_ge(choice[0].width[0], 8);
    ck_assert_int_le(choice[0].width[0], 16);
    (void)hit_choose(&narrow, choice);
    ck_assert_int_ge(choice[0].width[0] * 510, 1 << 14);
    ck_assert_int_le(choice[0].width[0], 64);
}
END_TEST

START_TEST(of_a_known_choice_only_the_steps_are_other)
{
    hit_choose_request r = plane(8192, 8192);
    hit_choice known = {.steps = 12, .lines = true, .width = {0, 2048}};
    hit_choice choice[HIT_CHOICES];

    r.only_steps = r.most_steps = 5;
    r.known = &known;
    ck_assert_int_eq(hit_choose(&r, choice), 2);
    ck_assert(choice[1].plain);
    known.steps = 5;
    ck_assert(hit_choice_equal(&choice[0], &known));
    known.plain = true;
    ck_assert_int_eq(hit_choose(&r, choice), 1);
    ck_assert(choice[0].plain);
}
END_TEST

START_TEST(steps_that_would_reach_through_the_whole_plane_are_plain)
{
    hit_choose_request r = plane(8192, 8192);
    hit_choice choice[HIT_CHOICES];

    r.shift[0] = r.growth[0] = r.shift[1] = r.growth[1] = 8000;
    ck_assert_int_eq(hit_choose(&r, choice), 1);
    ck_assert(choice[0].plain);
}
END_TEST

START_TEST(threads_get_chunks_of_another_axis_where_the_first_is_short)
{
    hit_skew chain = {.axes = 2, .line = 16, .launches = 4};
    const hit_choice choice = {.steps = 4, .width = {8, 64}};
    hit_tiling tiling;

    for (int l = 0; l < 4; l++) {
        hit_chain_place *place = &chain.place[l];

        for (int c = 0; c < 2; c++) {
            place->index[c] = c;
            place->end[c] = c == 0 ? 15 : 999;
            place->shift[c] = place->growth[c] = l;
        }
        place->line_shift = 16 * l;
    }
    tiling = hit_choice_tiling(&choice, &chain, 4, 8);
    ck_assert_int_eq(tiling.chunks[0], 2);
    ck_assert_int_eq(tiling.chunks[1], 4);
    ck_assert_int_eq(hit_tiling_phases(&tiling), 3);
    ck_assert_int_eq(hit_tiling_items(&tiling, 0), 8);
    ck_assert_int_eq(hit_tiling_items(&tiling, 1), 4 + 2 * 3);
    ck_assert_int_eq(hit_tiling_items(&tiling, 2), 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sizes of tiles");
    TCase *tc = tcase_create("choose");

    tcase_add_test(tc, choices_are_unlike_and_one_is_plain);
    tcase_add_test(tc, a_large_plane_is_run_many_steps_at_once_on_long_rows);
    tcase_add_test(tc, boxes_of_short_rows_have_more_of_them);
    tcase_add_test(tc, of_a_known_choice_only_the_steps_are_other);
    tcase_add_test(tc, steps_that_would_reach_through_the_whole_plane_are_plain);
    tcase_add_test(tc, threads_get_chunks_of_another_axis_where_the_first_is_short);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
