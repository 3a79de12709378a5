/* SPDX-License-Identifier: MIT
 * One way, or the other? */
#include "hit/chain/tuner.h"
#include "tests/support/check_main.h"

enum {
    LAUNCHES = 8
};

/* Rounds without end; one way takes one_s, and the first ones, in which tiles are tried,
 * more. Every @p interrupted one is cut short. Returns what is decided. */
static bool decide(int settle, double one_s, double other_s, int interrupted, int *rounds)
{
    hit_worth worth = {.settle = settle};
    uint64_t launch = 5;
    double now_s = 100;
    bool one = true;

    for (*rounds = 0; !hit_worth_is_decided(&worth); (*rounds)++) {
        ck_assert_int_lt(*rounds, 1000);
        one = hit_worth_next(&worth, launch, LAUNCHES, now_s);
        if (hit_worth_is_decided(&worth)) break;
        now_s += (one ? one_s : other_s) + (*rounds < 20 ? 5 : 0);
        launch += LAUNCHES;
        if (interrupted > 0 && *rounds % interrupted == 0) {
            launch += 3;
            now_s -= 0.5; /* what was cut short counts for nothing */
        }
    }
    for (int k = 0; k < 10; k++) { /* whatever happens then */
        ck_assert_int_eq(hit_worth_next(&worth, launch += 2, LAUNCHES, now_s += 50), one);
    }
    return one;
}

START_TEST(the_faster_one_stays)
{
    int rounds;

    ck_assert(decide(24, 1, 2, 0, &rounds));
    ck_assert_int_le(rounds, 40);
    ck_assert(!decide(24, 2, 1, 0, &rounds));
    ck_assert(decide(24, 1, 1, 0, &rounds));
}
END_TEST

START_TEST(what_is_interrupted_is_tried_again)
{
    int rounds;

    for (int k = 2; k < 6; k++) {
        ck_assert(decide(24, 1, 1.2, k, &rounds));
        ck_assert(!decide(24, 1.2, 1, k, &rounds));
        ck_assert(decide(0, 1, 1.2, k, &rounds));
        ck_assert(!decide(0, 1.2, 1, k, &rounds));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("worth");
    TCase *tc = tcase_create("worth");

    tcase_add_test(tc, the_faster_one_stays);
    tcase_add_test(tc, what_is_interrupted_is_tried_again);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
