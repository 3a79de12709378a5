/* SPDX-License-Identifier: MIT
 * Random programs against plain loops over whole arrays. HIT_PROGRAMS=10000 tries that
 * many, HIT_SEED begins elsewhere; a program that fails is made smaller and printed. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "tests/programs/program.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>

/* Keeps MPI open while programs open and close contexts of their own. */
static hit_context *base;

static int programs(void)
{
    const char *text = getenv("HIT_PROGRAMS");

    return text != NULL ? atoi(text) : hit_random_cases(400);
}

/* Launches run alone then, and not on simulated machines. */
static bool is_compared(void)
{
    return getenv("HIT_COMPARE") != NULL;
}

static bool goes_wrong(const program *p, const void *wrong)
{
    return !program_run(p, *(const bool *)wrong).good;
}

START_TEST(programs_do_what_plain_loops_do)
{
    const uint64_t first = hit_random_start(1000000).state;
    const int count = programs();
    int launched = 0;
    int refused = 0;
    int chained = 0;

    for (int k = 0; k < count; k++) {
        const program p = program_make(first + (uint64_t)k);
        const outcome found = program_run(&p, false);

        launched += found.launched;
        refused += found.refused;
        chained += found.chained;
        if (!found.good) {
            const program small = program_shrink(&p, goes_wrong, &(bool){false});

            if (hit_rank(base) == 0) program_print(&small);
            ck_abort_msg("program %llu: %s; the small one: %s",
                         (unsigned long long)p.seed, found.text,
                         program_run(&small, false).text);
        }
    }
    if (hit_rank(base) == 0) {
        printf("%d programs, %d launches, %d refused, %d chained\n", count, launched,
               refused, chained);
    }
    if (count >= 100) { /* few may be anything */
        ck_assert_int_gt(launched, 2 * count);
        ck_assert_int_lt(refused, launched / 4);
    }
    if (program_on_gpu == NULL && !is_compared() && count >= 400) {
        ck_assert_int_gt(chained, launched / 400); /* the least on 7 processes; few
                                                    * programs may have no chain at all */
    }
}
END_TEST

/* Every launch on one of two devices of its process, of which one has a memory of its
 * own. */
START_TEST(programs_that_a_scheduler_places_do_what_plain_loops_do)
{
    const uint64_t first = hit_random_start(3000000).state;
    const bool may = program_on_gpu == NULL && !is_compared();
    const int count = may ? programs() / 4 : 0;

    for (int k = 0; k < count; k++) {
        program p = program_make(first + (uint64_t)k);
        outcome found;

        (void)snprintf(p.devices, sizeof(p.devices),
                       "host:threads=1:memory=%dKiB+host:threads=1", 2 << k % 8);
        ck_assert_int_eq(setenv("HIT_SCHED", k % 2 ? "eager" : "mct", 1), 0);
        found = program_run(&p, false);
        if (!found.good) program_print(&p);
        ck_assert_msg(found.good, "program %llu on %s: %s", (unsigned long long)p.seed,
                      p.devices, found.text);
    }
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
}
END_TEST

/* With messages within the process, boundaries, reductions and chains. */
START_TEST(programs_on_simulated_machines_do_what_plain_loops_do)
{
    const uint64_t first = hit_random_start(2000000).state;
    const int count = hit_size(base) == 1 && !is_compared() ? programs() / 2 : 0;
    int chained = 0;

    for (int k = 0; k < count; k++) {
        program p = program_make(first + (uint64_t)k);
        outcome found;

        (void)snprintf(p.devices, sizeof(p.devices),
                       "simulated:machines/idgraf.machine:gpus=%d,memory=%d", k % 4,
                       k % 2 ? 500 + k % 23 * 100 : 100 + k % 23 * 20);
        if (k % 2 == 0) p.chain = HIT_CHAIN_ANY; /* where little fits */
        ck_assert_int_eq(setenv("HIT_SCHED", k % 3 > 0 ? "home" : "mct", 1), 0);
        found = program_run(&p, false);
        chained += found.chained;
        if (!found.good) program_print(&p);
        ck_assert_msg(found.good, "program %llu on %s: %s", (unsigned long long)p.seed,
                      p.devices, found.text);
    }
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
    if (count > 0) {
        printf("%d programs on simulated machines, %d chained\n", count, chained);
    }
    if (count >= 1000) ck_assert_int_gt(chained, 0);
}
END_TEST

/* The search for a small program works: a kernel that is wrong at i = 2 where it has
 * three tiles. */
START_TEST(a_program_that_fails_is_made_small)
{
    program p = {0};
    program small;
    bool found = false;

    for (uint64_t seed = 1; seed < 200 && !found; seed++) {
        p = program_make(seed);
        found = p.steps > 2 && !program_run(&p, true).good;
    }
    ck_assert(found);
    small = program_shrink(&p, goes_wrong, &(bool){true});
    if (hit_rank(base) == 0) program_print(&small);
    ck_assert(!program_run(&small, true).good);
    ck_assert(program_run(&small, false).good);
    ck_assert_int_eq(small.steps, 1);
    ck_assert_int_eq(small.step[0].uses, 3);
    ck_assert_str_eq(small.devices, "host:threads=1");
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("programs");
    TCase *tests = tcase_create("random");

    tcase_add_test(tests, programs_do_what_plain_loops_do);
    tcase_add_test(tests, programs_that_a_scheduler_places_do_what_plain_loops_do);
    tcase_add_test(tests, programs_on_simulated_machines_do_what_plain_loops_do);
    tcase_add_test(tests, a_program_that_fails_is_made_small);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
