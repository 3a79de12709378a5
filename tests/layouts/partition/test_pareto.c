/* SPDX-License-Identifier: MIT
 * Pareto-optimal partitions against trying all of them. Energies are whole numbers, few
 * enough that ties are common. */
#include "hit/model/fpm_time.h"
#include "layouts/partition/pareto.h"
#include "layouts/partition/partition.h"
#include "tests/support/check_main.h"
#include "tests/support/fpm_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS = 4,
    UNITS = 9,
    ALL = 400 /* partitions of UNITS units among PARTS processes are 220 */
};

typedef struct problem {
    hit_index n;
    int parts;
    hit_fpm *time[PARTS];
    hit_fpm *energy[PARTS];
    hit_trade all[ALL]; /* without their shares */
    int count;
} problem;

static hit_fpm *random_energy(hit_random *random, hit_index most)
{
    fpm_case table = {.kind = HIT_FPM_TABLE, .cap = INT64_MAX};
    const bool gaps = hit_random_index(random, 0, 3) == 0;

    for (hit_index u = 1; u <= most; u++) {
        if (gaps && u > 1 && hit_random_index(random, 0, 2) == 0) continue;
        table.point[table.count++] =
            (hit_fpm_point){.units = (double)u,
                            .value = (double)hit_random_index(random, 0, 12),
                            .reps = 1};
    }
    return fpm_case_model(&table);
}

/* All partitions whose first @p part shares are set and leave @p left units. */
static void enumerate(problem *p, hit_index share[], int part, hit_index left)
{
    hit_trade one = {0};

    if (part < p->parts - 1) {
        for (share[part] = 0; share[part] <= left; share[part]++) {
            enumerate(p, share, part + 1, left - share[part]);
        }
        return;
    }
    share[part] = left;
    for (int i = 0; i < p->parts; i++) {
        one.makespan_s = fmax(one.makespan_s, hit_fpm_time(p->time[i], share[i]));
        one.energy_j += hit_fpm_time(p->energy[i], share[i]);
    }
    if (isinf(one.makespan_s) || isinf(one.energy_j)) return;
    ck_assert_int_lt(p->count, ALL);
    p->all[p->count++] = one;
}

static void make(hit_random *random, problem *p)
{
    hit_index share[PARTS] = {0};

    *p = (problem){.n = hit_random_index(random, 0, UNITS),
                   .parts = (int)hit_random_index(random, 1, PARTS)};
    for (int i = 0; i < p->parts; i++) {
        const fpm_case time = fpm_case_random(
            random, (fpm_case_shape)hit_random_index(random, 0, CASE_SHAPES - 1),
            1 + p->n);

        p->time[i] = fpm_case_model(&time);
        p->energy[i] = random_energy(random, 1 + p->n);
    }
    enumerate(p, share, 0, p->n);
}

static void clear(problem *p)
{
    for (int i = 0; i < p->parts; i++) {
        hit_fpm_destroy(&p->time[i]);
        hit_fpm_destroy(&p->energy[i]);
    }
}

static bool beats(const hit_trade *a, const hit_trade *b)
{
    return a->makespan_s <= b->makespan_s && a->energy_j <= b->energy_j &&
           (a->makespan_s < b->makespan_s || a->energy_j < b->energy_j);
}

static bool is_optimal(const problem *p, const hit_trade *one)
{
    for (int k = 0; k < p->count; k++) {
        if (beats(&p->all[k], one)) return false;
    }
    return true;
}

/* How many different optimal pairs are there? */
static int count_optimal(const problem *p)
{
    int count = 0;

    for (int k = 0; k < p->count; k++) {
        bool is_new = is_optimal(p, &p->all[k]);

        for (int other = 0; other < k && is_new; other++) {
            is_new = p->all[other].makespan_s != p->all[k].makespan_s ||
                     p->all[other].energy_j != p->all[k].energy_j;
        }
        count += is_new;
    }
    return count;
}

/* The shares add up to n units, and the models give its time and its energy. */
static void check_sound(const problem *p, const hit_trade *one)
{
    hit_trade again = {0};
    hit_index sum = 0;

    for (int i = 0; i < p->parts; i++) {
        ck_assert_int_ge(one->share[i], 0);
        sum += one->share[i];
        again.makespan_s =
            fmax(again.makespan_s, hit_fpm_time(p->time[i], one->share[i]));
        again.energy_j += hit_fpm_time(p->energy[i], one->share[i]);
    }
    ck_assert_int_eq(sum, p->n);
    ck_assert(again.makespan_s == one->makespan_s);
    ck_assert(again.energy_j == one->energy_j);
}

static hit_trade_models models_of(const problem *p)
{
    return (hit_trade_models){p->parts, (const hit_fpm *const *)p->time,
                              (const hit_fpm *const *)p->energy};
}

static hit_status find_within(const problem *p, double slack, hit_trade *found)
{
    const hit_trade_models models = models_of(p);

    return hit_partition_thrifty(p->n, &models, slack, found);
}

static hit_status find(const problem *p, int most, hit_trade **trade, int *trades)
{
    const hit_trade_models models = models_of(p);

    return hit_partition_pareto(p->n, &models, most, trade, trades);
}

START_TEST(the_set_equals_that_of_all_partitions)
{
    hit_random random = hit_random_start(391);
    int several = 0;

    for (int k = 0; k < hit_random_cases(1000); k++) {
        hit_trade *trade = NULL;
        int trades = 0;
        hit_status status;
        problem p;

        make(&random, &p);
        status = find(&p, 0, &trade, &trades);
        ck_assert_msg(status == (p.count == 0 ? HIT_E_LIMIT : HIT_OK), "case %d: %s", k,
                      hit_status_text());
        ck_assert_int_eq(trades, count_optimal(&p));
        for (int t = 0; t < trades; t++) {
            check_sound(&p, &trade[t]);
            ck_assert_msg(is_optimal(&p, &trade[t]), "case %d", k);
            if (t > 0) ck_assert(trade[t].makespan_s < trade[t - 1].makespan_s);
        }
        several += trades > 1;
        hit_partition_trades_free(&trade, trades);
        clear(&p);
    }
    ck_assert_int_gt(several, hit_random_cases(1000) / 4);
}
END_TEST

START_TEST(some_of_the_set_are_of_the_set_with_both_ends)
{
    hit_random random = hit_random_start(392);

    for (int k = 0; k < hit_random_cases(1000); k++) {
        const int most = (int)hit_random_index(&random, 2, 5);
        hit_trade *trade = NULL;
        hit_trade *all = NULL;
        int trades = 0;
        int count = 0;
        problem p;

        make(&random, &p);
        if (find(&p, most, &trade, &trades) == HIT_OK) {
            HIT_MUST(find(&p, 0, &all, &count));
            ck_assert_int_eq(trades, count < most ? count : most);
            for (int t = 0; t < trades; t++) {
                check_sound(&p, &trade[t]);
                ck_assert(is_optimal(&p, &trade[t]));
                if (t > 0) ck_assert(trade[t].makespan_s < trade[t - 1].makespan_s);
            }
            ck_assert(trade[0].energy_j == all[0].energy_j);
            ck_assert(trade[trades - 1].makespan_s == all[count - 1].makespan_s);
        }
        hit_partition_trades_free(&trade, trades);
        hit_partition_trades_free(&all, count);
        clear(&p);
    }
}
END_TEST

START_TEST(the_thrifty_one_has_the_least_energy_of_those_that_are_fast_enough)
{
    static const double slacks[] = {0, 0.05, 0.5, 10};
    hit_random random = hit_random_start(393);

    for (int k = 0; k < hit_random_cases(1000); k++) {
        const double slack = slacks[k % 4];
        hit_index share[PARTS];
        hit_trade one = {.share = share};
        double fastest_s = INFINITY;
        double least_j = INFINITY;
        hit_status status;
        problem p;

        make(&random, &p);
        status = find_within(&p, slack, &one);
        ck_assert_int_eq(status, p.count == 0 ? HIT_E_LIMIT : HIT_OK);
        for (int a = 0; a < p.count; a++) {
            fastest_s = fmin(fastest_s, p.all[a].makespan_s);
        }
        for (int a = 0; a < p.count; a++) {
            if (p.all[a].makespan_s > fastest_s * (1 + slack)) continue;
            least_j = fmin(least_j, p.all[a].energy_j);
        }
        if (status == HIT_OK) {
            check_sound(&p, &one);
            ck_assert(is_optimal(&p, &one));
            ck_assert(one.makespan_s <= fastest_s * (1 + slack));
            ck_assert(one.energy_j == least_j);
        }
        clear(&p);
    }
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    hit_random random = hit_random_start(394);
    hit_index share[PARTS];
    hit_trade one = {.share = share};
    hit_trade *trade = NULL;
    int trades;
    problem p;

    make(&random, &p);
    ck_assert_int_eq(find(&p, -1, &trade, &trades), HIT_E_ARG);
    ck_assert_int_eq(find_within(&p, -0.1, &one), HIT_E_ARG);
    ck_assert_int_eq(find_within(&p, INFINITY, &one), HIT_E_ARG);
    ck_assert_int_eq(find_within(&p, NAN, &one), HIT_E_ARG);
    p.n = INT64_C(1) << 40;
    ck_assert_int_ne(find(&p, 0, &trade, &trades), HIT_OK);
    ck_assert_ptr_null(trade);
    clear(&p);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("Pareto-optimal partitions");
    TCase *tests = tcase_create("pareto");

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, the_set_equals_that_of_all_partitions);
    tcase_add_test(tests, some_of_the_set_are_of_the_set_with_both_ends);
    tcase_add_test(tests,
                   the_thrifty_one_has_the_least_energy_of_those_that_are_fast_enough);
    tcase_add_test(tests, wrong_arguments_are_refused);
    suite_add_tcase(all, tests);
    return all;
}

int main(void)
{
    return check_run(suite());
}
