/* SPDX-License-Identifier: MIT
 * Integer shares for constant speeds: small cases against every distribution and against
 * giving units one by one, large ones against the condition for an optimum, all in exact
 * arithmetic. */
#include "layouts/partition/algorithms.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 10000

__extension__ typedef __int128 wide;

/** units / speed, as a fraction; the speeds of these tests are whole numbers. */
typedef struct ratio {
    hit_index units;
    hit_index speed;
} ratio;

static bool less(ratio a, ratio b)
{
    return (wide)a.units * b.speed < (wide)b.units * a.speed;
}

static ratio makespan(int parts, const hit_index speed[], const hit_index share[])
{
    ratio most = {0, 1};

    for (int i = 0; i < parts; i++) {
        ratio now = {share[i], speed[i]};

        if (share[i] > 0 && less(most, now)) most = now;
    }
    return most;
}

/** Whole speeds of very different size: up to 10^6 : 1, some 0, some equal. The first is
 * > 0. */
static void random_speeds(hit_random *random, int parts, hit_index speed[], double real[])
{
    static const hit_index scale[] = {1, 10, 1000, 1000000};

    for (int i = 0; i < parts; i++) {
        hit_index top = scale[hit_random_index(random, 0, 3)];

        speed[i] = hit_random_index(random, 1, top);
        if (i > 0 && hit_random_index(random, 0, 9) == 0) speed[i] = 0;
        if (i > 0 && hit_random_index(random, 0, 4) == 0) speed[i] = speed[i - 1];
        real[i] = (double)speed[i];
    }
}

/** Is there a distribution of @p n units over the parts from @p i on that ends before @p
 * limit? */
static bool can_beat(hit_index n, int i, int parts, const hit_index speed[], ratio limit)
{
    if (i == parts) return n == 0;
    for (hit_index units = 0; units <= n; units++) {
        if (units > 0 && (speed[i] == 0 || !less((ratio){units, speed[i]}, limit))) break;
        if (can_beat(n - units, i + 1, parts, speed, limit)) return true;
    }
    return false;
}

static void one_by_one(hit_index n, int parts, const hit_index speed[],
                       const hit_index most[], hit_index share[])
{
    memset(share, 0, (size_t)parts * sizeof share[0]);
    for (; n > 0; n--) {
        int first = -1;

        for (int i = 0; i < parts; i++) {
            if (speed[i] == 0 || (most != NULL && share[i] == most[i])) continue;
            if (first < 0 || less((ratio){share[i] + 1, speed[i]},
                                  (ratio){share[first] + 1, speed[first]})) {
                first = i;
            }
        }
        share[first]++;
    }
}

static hit_index sum_of(int parts, const hit_index share[])
{
    hit_index sum = 0;

    for (int i = 0; i < parts; i++) {
        ck_assert_int_ge(share[i], 0);
        sum += share[i];
    }
    return sum;
}

START_TEST(no_distribution_of_a_small_case_ends_earlier)
{
    hit_random random = hit_random_start(21);

    for (int i = 0; i < hit_random_cases(20000); i++) {
        int parts = (int)hit_random_index(&random, 1, 5);
        hit_index n = hit_random_index(&random, 0, 12);
        hit_index speed[5];
        hit_index share[5];
        double real[5];

        random_speeds(&random, parts, speed, real);
        ck_assert_int_eq(hit_partition_cpm(n, parts, real, share), HIT_OK);
        ck_assert_int_eq(sum_of(parts, share), n);
        for (int j = 0; j < parts; j++) {
            if (speed[j] == 0) ck_assert_int_eq(share[j], 0);
        }
        ck_assert(n == 0 || !can_beat(n, 0, parts, speed, makespan(parts, speed, share)));
    }
}
END_TEST

START_TEST(shares_are_those_of_giving_units_one_by_one)
{
    hit_random random = hit_random_start(22);

    for (int i = 0; i < hit_random_cases(5000); i++) {
        int parts = (int)hit_random_index(&random, 1, 40);
        hit_index n = hit_random_index(&random, 0, 300);
        hit_index speed[40];
        hit_index share[40];
        hit_index other[40];
        double real[40];

        random_speeds(&random, parts, speed, real);
        ck_assert_int_eq(hit_partition_cpm(n, parts, real, share), HIT_OK);
        one_by_one(n, parts, speed, NULL, other);
        for (int j = 0; j < parts; j++) {
            ck_assert_int_eq(share[j], other[j]);
        }
    }
}
END_TEST

START_TEST(speeds_scaled_by_a_power_of_two_give_the_same_shares)
{
    hit_random random = hit_random_start(23);

    for (int i = 0; i < hit_random_cases(2000); i++) {
        static const int power[] = {-1000, -300, -1, 1, 300, 1000};
        int parts = (int)hit_random_index(&random, 1, 20);
        hit_index n = hit_random_index(&random, 0, 1000000);
        hit_index speed[20];
        hit_index share[20];
        hit_index other[20];
        double real[20];
        int by = power[hit_random_index(&random, 0, 5)];

        random_speeds(&random, parts, speed, real);
        ck_assert_int_eq(hit_partition_cpm(n, parts, real, share), HIT_OK);
        for (int j = 0; j < parts; j++) {
            real[j] = ldexp(real[j], by);
        }
        ck_assert_int_eq(hit_partition_cpm(n, parts, real, other), HIT_OK);
        for (int j = 0; j < parts; j++) {
            ck_assert_int_eq(share[j], other[j]);
        }
    }
}
END_TEST

/** Fewer than n units can end before the makespan: then no distribution ends before it.
 */
static void check_optimal(hit_index n, int parts, const hit_index speed[],
                          const hit_index share[])
{
    ratio end = makespan(parts, speed, share);
    wide before = 0;

    for (int i = 0; i < parts; i++) {
        if (speed[i] > 0) before += ((wide)end.units * speed[i] - 1) / end.speed;
    }
    ck_assert(before < n);
}

START_TEST(large_cases_have_exact_sums_and_are_optimal)
{
    static const hit_index sizes[] = {INT64_C(1000000000000000), INT64_C(999999999999989),
                                      INT64_C(1) << 53, INT64_MAX};
    hit_random random = hit_random_start(24);
    hit_index *speed = calloc(MOST, sizeof *speed);
    hit_index *share = calloc(MOST, sizeof *share);
    double *real = calloc(MOST, sizeof *real);

    ck_assert(speed != NULL && share != NULL && real != NULL);
    for (int i = 0; i < 100; i++) {
        hit_index n = sizes[i % 4];
        int parts = i == 0 ? MOST : (int)hit_random_index(&random, 1, 300);

        random_speeds(&random, parts, speed, real);
        ck_assert_int_eq(hit_partition_cpm(n, parts, real, share), HIT_OK);
        ck_assert_int_eq(sum_of(parts, share), n);
        check_optimal(n, parts, speed, share);
    }
    free(speed);
    free(share);
    free(real);
}
END_TEST

START_TEST(more_parts_than_units_leave_the_slow_ones_idle)
{
    hit_index share[5];

    ck_assert_int_eq(hit_partition_cpm(7, 5, (const double[]){5, .5, .5, .5, .5}, share),
                     HIT_OK);
    ck_assert_int_eq(share[0], 7);
    ck_assert_int_eq(sum_of(5, share), 7);
    ck_assert_int_eq(hit_partition_cpm(2, 5, (const double[]){1, 1, 1, 1, 1}, share),
                     HIT_OK);
    ck_assert_int_eq(share[0], 1);
    ck_assert_int_eq(share[1], 1);
    ck_assert_int_eq(share[2], 0);
}
END_TEST

START_TEST(extreme_ratios_are_compared_exactly)
{
    hit_index share[3];

    ck_assert_int_eq(
        hit_partition_cpm(1000, 3, (const double[]){1e-308, 1e308, 5e-324}, share),
        HIT_OK);
    ck_assert_int_eq(share[1], 1000);
    ck_assert_int_eq(sum_of(3, share), 1000);
    /* 1 - 2^-53 is slower than 1 */
    ck_assert_int_eq(hit_partition_cpm(1, 2, (const double[]){1.0 - 0x1p-53, 1.0}, share),
                     HIT_OK);
    ck_assert_int_eq(share[1], 1);
    ck_assert_int_eq(
        hit_partition_cpm(3, 3, (const double[]){5e-324, 5e-324, 5e-324}, share), HIT_OK);
    ck_assert_int_eq(share[2], 1);
}
END_TEST

/** Limits, some of them 0; returns the most that all processes with a speed can take, at
 * most @p n. */
static hit_index random_limits(hit_random *random, int parts, const hit_index speed[],
                               hit_index n, hit_index most[])
{
    hit_index room = 0;

    for (int i = 0; i < parts; i++) {
        hit_index top = hit_random_index(random, 0, 1) ? n : 3 * n / parts;

        most[i] = hit_random_index(random, 0, top);
        if (speed[i] > 0) room = most[i] > n - room ? n : room + most[i];
    }
    return room;
}

START_TEST(limited_shares_are_those_of_giving_units_one_by_one)
{
    hit_random random = hit_random_start(25);
    int possible = 0;

    for (int i = 0; i < hit_random_cases(10000); i++) {
        int parts = (int)hit_random_index(&random, 1, 30);
        hit_index n = hit_random_index(&random, 0, 300);
        hit_index speed[30];
        hit_index most[30];
        hit_index share[30];
        hit_index other[30];
        double real[30];
        hit_index room;
        hit_status st;

        random_speeds(&random, parts, speed, real);
        room = random_limits(&random, parts, speed, n, most);
        st = hit_partition_cpm_limited(n, parts, real, most, share);
        ck_assert_int_eq(st, room < n ? HIT_E_LIMIT : HIT_OK);
        if (st != HIT_OK) continue;
        possible++;
        one_by_one(n, parts, speed, most, other);
        ck_assert(memcmp(share, other, (size_t)parts * sizeof share[0]) == 0);
    }
    ck_assert_int_gt(possible, hit_random_cases(4000));
}
END_TEST

START_TEST(large_limited_cases_keep_to_the_limits)
{
    const hit_index n = INT64_C(1000000000000000);
    hit_random random = hit_random_start(26);
    hit_index speed[MOST / 10];
    hit_index most[MOST / 10];
    hit_index share[MOST / 10];
    double real[MOST / 10];

    for (int i = 0; i < 200; i++) {
        int parts = (int)hit_random_index(&random, 1, MOST / 10);
        hit_index room;
        hit_status st;

        random_speeds(&random, parts, speed, real);
        room = random_limits(&random, parts, speed, n, most);
        st = hit_partition_cpm_limited(n, parts, real, most, share);
        ck_assert_int_eq(st, room < n ? HIT_E_LIMIT : HIT_OK);
        if (st != HIT_OK) continue;
        ck_assert_int_eq(sum_of(parts, share), n);
        for (int j = 0; j < parts; j++) {
            if (share[j] > most[j]) ck_assert_int_le(share[j], most[j]);
            if (share[j] == most[j]) speed[j] = 0; /* those below are optimal */
        }
        room = n;
        for (int j = 0; j < parts; j++) {
            if (speed[j] > 0) continue;
            room -= share[j];
            share[j] = 0;
        }
        if (room > 0) check_optimal(room, parts, speed, share);
    }
}
END_TEST

START_TEST(wrong_arguments_are_told)
{
    hit_index share[2] = {7, 7};

    ck_assert_int_eq(hit_partition_cpm(1, 2, (const double[]){0, 0}, share), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_cpm(1, 2, (const double[]){1, NAN}, share), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_cpm(1, 2, (const double[]){INFINITY, 1}, share),
                     HIT_E_ARG);
    ck_assert_int_eq(hit_partition_cpm(1, 2, (const double[]){1, -1}, share), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_cpm(-1, 2, (const double[]){1, 1}, share), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_cpm(1, 0, (const double[]){1, 1}, share), HIT_E_ARG);
    ck_assert_int_eq(share[0], 7);
    ck_assert_int_eq(share[1], 7);
    ck_assert_int_eq(hit_partition_cpm(0, 2, (const double[]){0, 0}, share), HIT_OK);
    ck_assert_int_eq(share[0], 0);
    ck_assert_int_eq(share[1], 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("cpm");
    TCase *tcase = tcase_create("cpm");

    tcase_add_test(tcase, no_distribution_of_a_small_case_ends_earlier);
    tcase_add_test(tcase, shares_are_those_of_giving_units_one_by_one);
    tcase_add_test(tcase, speeds_scaled_by_a_power_of_two_give_the_same_shares);
    tcase_add_test(tcase, large_cases_have_exact_sums_and_are_optimal);
    tcase_add_test(tcase, more_parts_than_units_leave_the_slow_ones_idle);
    tcase_add_test(tcase, extreme_ratios_are_compared_exactly);
    tcase_add_test(tcase, limited_shares_are_those_of_giving_units_one_by_one);
    tcase_add_test(tcase, large_limited_cases_keep_to_the_limits);
    tcase_add_test(tcase, wrong_arguments_are_told);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
