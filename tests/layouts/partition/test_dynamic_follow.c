/* SPDX-License-Identifier: MIT
 * Following an iterative program whose processes change their speed. */
#include "layouts/partition/dynamic/dynamic.h"
#include "tests/layouts/partition/speeds.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    UNITS = 1000,
    CHANGES = 10,
    STEPS = 60 /* after each of them */
};

/** A program of 4 processes; from a step on, process 1 is 4 times slower. */
typedef struct program {
    speed s[4];
    double slower; /* process 1 */
    hit_index share[4];
    double seconds[4];
    int moves;
} program;

static double run_step(program *p, hit_random *random, double noise)
{
    double most = 0.0;

    for (int i = 0; i < 4; i++) {
        p->seconds[i] = speed_time(&p->s[i], p->share[i]) * (i == 1 ? p->slower : 1.0) *
                        (1.0 + noise * (2.0 * speed_uniform(random) - 1.0));
        most = fmax(most, p->seconds[i]);
    }
    return most;
}

static double optimum_now(const program *p)
{
    speed s[4];

    memcpy(s, p->s, sizeof s);
    s[1].fastest /= p->slower;
    return speed_optimum(100000, 4, s);
}

static void observe_and_move(hit_dynamic *d, program *p)
{
    hit_index share[4];
    double now;
    double then;

    ck_assert_int_eq(hit_dynamic_observe(d, p->share, p->seconds), HIT_OK);
    ck_assert_int_eq(hit_dynamic_propose(d, share, &then), HIT_OK);
    ck_assert_int_eq(share[0] + share[1] + share[2] + share[3], 100000);
    ck_assert_int_eq(hit_dynamic_predict(d, p->share, &now), HIT_OK);
    if (!hit_dynamic_pays(d, now, then, 2.0 * now, 100.0)) return;
    memcpy(p->share, share, sizeof share);
    p->moves++;
}

START_TEST(a_process_that_becomes_slower_is_followed_and_back)
{
    hit_random random = hit_random_start(74);
    static const double slower[3] = {1.0, 4.0, 1.0};
    double worst = 0.0;
    int most_moves = 0;

    for (int i = 0; i < 50; i++) {
        program p = {.slower = 1.0};
        hit_dynamic *d = NULL;

        for (int k = 0; k < 4; k++) {
            p.s[k] =
                speed_random(&random, i % 2 == 0 ? SPEED_CONSTANT : SPEED_FALLS, 25000);
            p.share[k] = 25000;
        }
        ck_assert_int_eq(hit_dynamic_create(100000, 4, NULL, &d), HIT_OK);
        for (int phase = 0; phase < 3; phase++) {
            p.slower = slower[phase];
            p.moves = 0;
            for (int step = 0; step < 30; step++) {
                double seconds = run_step(&p, &random, 0.02);

                if (step >= 12) worst = fmax(worst, seconds / optimum_now(&p));
                observe_and_move(d, &p);
            }
            if (p.moves > most_moves) most_moves = p.moves;
        }
        hit_dynamic_destroy(&d);
    }
    printf("followed: after 12 steps at most %.3f of the optimum, %d moves in a phase\n",
           worst, most_moves);
    ck_assert_double_le(worst, 1.25); /* 80 % of the possible speed */
    ck_assert_int_le(most_moves, 6);
}
END_TEST

START_TEST(a_single_slow_step_moves_nothing)
{
    hit_random random = hit_random_start(75);
    program p = {.slower = 1.0, .share = {25000, 25000, 25000, 25000}};
    hit_dynamic *d = NULL;

    for (int k = 0; k < 4; k++) {
        p.s[k] = (speed){.kind = SPEED_CONSTANT, .fastest = 10.0};
    }
    ck_assert_int_eq(hit_dynamic_create(100000, 4, NULL, &d), HIT_OK);
    for (int step = 0; step < 100; step++) {
        p.slower = step % 7 == 3 ? 5.0 : 1.0;
        (void)run_step(&p, &random, 0.02);
        observe_and_move(d, &p);
    }
    ck_assert_int_eq(p.moves, 0);
    ck_assert_int_eq(p.share[1], 25000);
    hit_dynamic_destroy(&d);
}
END_TEST

/* A share that took too long once may look as if any share took as long. */
START_TEST(a_single_slow_look_at_a_new_share_leaves_nobody_out)
{
    static const hit_index seen[4][2] = {
        {2048, 2048}, {2048, 2048}, {3087, 1009}, {3283, 813}};
    static const double seconds[4][2] = {
        {4.2, 20.1}, {4.3, 20.5}, {6.15, 8.12}, {6.35, 9.54}};
    hit_dynamic *d = NULL;
    hit_index share[2];
    double then;

    ck_assert_int_eq(hit_dynamic_create(4096, 2, NULL, &d), HIT_OK);
    for (int look = 0; look < 4; look++) {
        ck_assert_int_eq(hit_dynamic_observe(d, seen[look], seconds[look]), HIT_OK);
    }
    ck_assert_int_eq(hit_dynamic_propose(d, share, &then), HIT_OK);
    ck_assert_int_gt(share[1], 500);
    ck_assert_int_eq(hit_dynamic_observe(d, seen[3], seconds[3]), HIT_OK); /* it is so */
    ck_assert_int_eq(hit_dynamic_propose(d, share, &then), HIT_OK);
    ck_assert_int_eq(share[1], 0);
    hit_dynamic_destroy(&d);
}
END_TEST

/* Times that contradict what is known need not be the same to confirm each other. */
START_TEST(two_noisy_looks_are_enough_to_see_a_large_change)
{
    static const double seconds[4][2] = {
        {4.2, 4.2}, {4.2, 4.3}, {4.4, 18.4}, {4.3, 20.9}};
    const hit_index even[2] = {2048, 2048};
    hit_dynamic *d = NULL;
    hit_index share[2];
    double then;

    ck_assert_int_eq(hit_dynamic_create(4096, 2, NULL, &d), HIT_OK);
    for (int look = 0; look < 4; look++) {
        ck_assert_int_eq(hit_dynamic_observe(d, even, seconds[look]), HIT_OK);
    }
    ck_assert_int_eq(hit_dynamic_propose(d, share, &then), HIT_OK);
    ck_assert_int_ge(share[0], 3200);
    hit_dynamic_destroy(&d);
}
END_TEST

/* Constant speeds that change again and again, those of different processes at slightly
 * different steps: shares move before every change was seen twice. Returns how many of
 * the changes were not followed. */
static int follow_changes(hit_random *random, int parts)
{
    hit_index share[3] = {UNITS / parts, UNITS / parts, UNITS - 2 * (UNITS / parts)};
    double cost[3] = {1.0, 1.0, 1.0};
    hit_dynamic *d = NULL;
    int lost = 0;

    if (parts == 2) share[1] = UNITS - share[0];
    ck_assert_int_eq(hit_dynamic_create(UNITS, parts, NULL, &d), HIT_OK);
    for (int change = 0; change < CHANGES; change++) {
        hit_index from[3];
        double next[3];
        double sum = 0.0;
        double most = 0.0;

        for (int i = 0; i < parts; i++) {
            from[i] = hit_random_index(random, 0, 1);
            next[i] = (double)hit_random_index(random, 1, 8);
            sum += 1.0 / next[i];
        }
        for (int step = 0; step < STEPS; step++) {
            double seconds[3];
            hit_index better[3];
            double now;
            double then;

            for (int i = 0; i < parts; i++) {
                if (step == from[i]) cost[i] = next[i];
                seconds[i] = (double)share[i] * cost[i];
            }
            ck_assert_int_eq(hit_dynamic_observe(d, share, seconds), HIT_OK);
            ck_assert_int_eq(hit_dynamic_predict(d, share, &now), HIT_OK);
            ck_assert_int_eq(hit_dynamic_propose(d, better, &then), HIT_OK);
            if (!hit_dynamic_pays(d, now, then, now, 100.0)) continue;
            memcpy(share, better, (size_t)parts * sizeof share[0]);
        }
        for (int i = 0; i < parts; i++) {
            most = fmax(most, (double)share[i] * cost[i]);
        }
        lost += most > 1.06 * UNITS / sum + 8.0; /* gains of 5 % are none */
    }
    hit_dynamic_destroy(&d);
    return lost;
}

START_TEST(changes_that_follow_each_other_closely_are_followed)
{
    hit_random random = hit_random_start(75);
    const int cases = hit_random_cases(400);
    int lost = 0;

    for (int n = 0; n < cases; n++) {
        lost += follow_changes(&random, 2 + n % 2);
    }
    printf("followed: all but %d of %d changes\n", lost, CHANGES * cases);
    ck_assert_int_le(100 * lost, 2 * CHANGES * cases);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("layouts/partition/dynamic_follow");
    TCase *tc = tcase_create("dynamic_follow");

    tcase_add_test(tc, a_process_that_becomes_slower_is_followed_and_back);
    tcase_add_test(tc, a_single_slow_step_moves_nothing);
    tcase_add_test(tc, a_single_slow_look_at_a_new_share_leaves_nobody_out);
    tcase_add_test(tc, changes_that_follow_each_other_closely_are_followed);
    tcase_add_test(tc, two_noisy_looks_are_enough_to_see_a_large_change);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
