/* SPDX-License-Identifier: MIT
 * Each allocation fails in turn: an error comes back, and nothing is lost. */
#include "hit/sched/bounds.h"
#include "hit/sched/clock.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/tool/graphs.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

/** From the machine file to the result. */
static hit_status all(const char *scheduler_text, hit_simulated *result)
{
    const hit_simulate_options options = {.noise_percent = 0};
    hit_machine machine = {0};
    hit_graph graph = {0};
    hit_scheduler scheduler;
    hit_bounds bounds;
    hit_status st;

    HIT_TRY(hit_scheduler_read(NULL, scheduler_text, &scheduler));
    HIT_TRY_GOTO(st, hit_machine_read("machines/idgraf.machine", &machine), clear);
    HIT_TRY_GOTO(st, hit_machine_set(&machine, "groups", "2,3"), clear);
    HIT_TRY_GOTO(st, hit_tool_graphs[0].make(&graph, (hit_tool_problem){6, 512}), clear);
    HIT_TRY_GOTO(st, hit_simulate_bounds(&graph, &machine, &bounds), clear);
    st = hit_simulate(&graph, &machine, &scheduler, &options, result);
clear:
    hit_graph_clear(&graph);
    hit_machine_clear(&machine);
    return st;
}

START_TEST(each_allocation_that_fails_is_told_and_nothing_is_lost)
{
    static const char *const text[] = {"heft",  "heftrank", "dada:cp", "mct",
                                       "eager", "steal",    "home",    "random"};

    for (size_t s = 0; s < sizeof text / sizeof text[0]; s++) {
        hit_status st = HIT_E_NOMEM;
        hit_simulated result;
        long held;
        long at = 1;

        for (; st != HIT_OK && at < 10000; at++) {
            test_fault.held = 0;
            test_fault.fail_at = at;
            test_fault_begin();
            st = all(text[s], &result);
            test_fault.on = false;
            held = test_fault.held; /* assertions allocate, too */
            ck_assert_msg(st == HIT_OK || st == HIT_E_NOMEM, "%s, allocation %ld: %s",
                          text[s], at, hit_status_text());
            ck_assert_msg(held == 0, "%s, allocation %ld: %ld are lost", text[s], at,
                          held);
        }
        ck_assert_int_gt(at, 20); /* were they made to fail? */
        ck_assert_int_eq(result.tasks, 56);
    }
}
END_TEST

START_TEST(no_tasks_take_no_time)
{
    const hit_simulate_options options = {.noise_percent = 0};
    const hit_graph graph = {0};
    hit_machine machine;
    hit_scheduler scheduler;
    hit_simulated result;

    HIT_MUST(hit_machine_read("machines/idgraf.machine", &machine));
    HIT_MUST(hit_scheduler_read(NULL, "heft", &scheduler));
    ck_assert_int_eq(hit_simulate(&graph, &machine, &scheduler, &options, &result),
                     HIT_OK);
    ck_assert_int_eq(result.end_ns, 0);
    ck_assert_int_eq(result.tasks, 0);
    hit_machine_clear(&machine);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("memory");
    TCase *c = tcase_create("memory");

    tcase_add_test(c, each_allocation_that_fails_is_told_and_nothing_is_lost);
    tcase_add_test(c, no_tasks_take_no_time);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
