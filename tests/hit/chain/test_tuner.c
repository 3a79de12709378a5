/* SPDX-License-Identifier: MIT
 * Which choice is the fastest? */
#include "hit/chain/tuner.h"
#include "tests/support/check_main.h"

static hit_tuner make(void)
{
    const hit_choose_request r = {.axes = 2,
                                  .extent = {8192, 8192},
                                  .shift = {1, 1},
                                  .growth = {1, 1},
                                  .line_shift = 16,
                                  .line = 16,
                                  .position_bytes = 8,
                                  .cache_bytes = 1 << 20,
                                  .threads = 2,
                                  .most_steps = 64};

    return hit_tuner_make(&r);
}

/* Blocks until all is tried; choice number k takes seconds[k]. Returns how many. */
static int settle(hit_tuner *tuner, const double seconds[])
{
    int blocks = 0;

    while (!hit_tuner_is_settled(tuner)) {
        hit_tuner_note(tuner, seconds[tuner->current]);
        blocks++;
    }
    return blocks;
}

static void set_all(const hit_tuner *tuner, double seconds[], double value)
{
    for (int k = 0; k < tuner->choices; k++) {
        seconds[k] = value;
    }
}

START_TEST(whichever_choice_is_the_fastest_is_found)
{
    for (int best = 0; best < make().choices; best++) {
        hit_tuner tuner = make();
        double seconds[HIT_CHOICES];
        int blocks;

        set_all(&tuner, seconds, 3);
        seconds[best] = 1;
        blocks = settle(&tuner, seconds);
        ck_assert_int_eq(tuner.current, best);
        ck_assert_int_le(blocks, 2 * tuner.choices + 1);
    }
}
END_TEST

static int plain_of(const hit_tuner *tuner)
{
    int k = 0;

    while (!tuner->choice[k].plain) {
        k++;
    }
    return k;
}

START_TEST(one_after_the_other_stays_where_nothing_is_faster)
{
    hit_tuner tuner = make();
    double seconds[HIT_CHOICES];

    set_all(&tuner, seconds, 1.5);
    seconds[plain_of(&tuner)] = 1;
    ck_assert_int_le(settle(&tuner, seconds), 7); /* and the others are not tried */
    ck_assert(hit_tuner_choice(&tuner)->plain);
}
END_TEST

START_TEST(a_choice_that_was_disturbed_once_is_tried_again)
{
    hit_tuner tuner = make();
    double seconds[HIT_CHOICES];

    set_all(&tuner, seconds, 2);
    seconds[0] = 1;
    hit_tuner_note(&tuner, 9); /* the first block does not count */
    hit_tuner_note(&tuner, 2.2);
    (void)settle(&tuner, seconds);
    ck_assert_int_eq(tuner.current, 0);
}
END_TEST

START_TEST(a_choice_that_gets_slower_gives_way)
{
    hit_tuner tuner = make();
    double seconds[HIT_CHOICES];

    set_all(&tuner, seconds, 2);
    seconds[1] = 1;
    (void)settle(&tuner, seconds);
    ck_assert_int_eq(tuner.current, 1);
    for (int k = 0; k < 20; k++) {
        hit_tuner_note(&tuner, tuner.current == 1 ? 5 : 2);
    }
    ck_assert_int_ne(tuner.current, 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tuner");
    TCase *tc = tcase_create("tuner");

    tcase_add_test(tc, whichever_choice_is_the_fastest_is_found);
    tcase_add_test(tc, one_after_the_other_stays_where_nothing_is_faster);
    tcase_add_test(tc, a_choice_that_was_disturbed_once_is_tried_again);
    tcase_add_test(tc, a_choice_that_gets_slower_gives_way);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
