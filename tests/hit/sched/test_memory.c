/* SPDX-License-Identifier: MIT
 * Each allocation fails in turn: an error comes back, and nothing is lost. */
#include "hit/sched/bounds.h"
#include "hit/sched/clock.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/tool/tool.h"
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
    HIT_TRY_GOTO(
        st, hit_tool_graph_make(&hit_tool_graphs[0], (hit_tool_problem){6, 512}, &graph),
        clear);
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

/* ---- what a failure leaves ---- */

enum {
    DATA = 9,
    NODES = 3,
    TASKS = 60
};

typedef struct account {
    hit_graph graph;
    hit_engine *engine;
    int version[DATA];     /**< how often it was written */
    int held[DATA][NODES]; /**< which version is there; -1: none */
} account;

static bool carry(void *self, const hit_action *action)
{
    account *a = self;
    const hit_graph_task *task;
    int node;

    if (action->kind == HIT_ACTION_COPY) {
        a->held[action->datum][action->to] = a->held[action->datum][action->from];
    } else if (action->kind == HIT_ACTION_DROP) {
        a->held[action->datum][action->from] = -1;
    } else {
        task = &a->graph.task[action->task];
        node = hit_engine_device(a->engine, action->device)->node;
        for (int k = 0; k < task->accesses; k++) {
            const hit_graph_access *access = &a->graph.access[task->first_access + k];

            if (!access->writes) continue;
            a->held[access->datum][node] = ++a->version[access->datum];
        }
    }
    return true;
}

/* Two accelerators with room for three of nine data: nearly all that is read was written
 * back before. */
static hit_status run_and_keep(account *a, const hit_machine *machine,
                               const hit_simulate_options *options)
{
    hit_scheduler scheduler;
    hit_simulation *simulation = NULL;
    hit_status st;

    HIT_TRY(hit_scheduler_read(NULL, "heft", &scheduler));
    HIT_TRY(hit_simulation_open(&a->graph, machine, &scheduler, options, 0, &simulation));
    a->engine = hit_simulation_engine(simulation);
    st = hit_simulation_submit(simulation);
    if (st == HIT_OK) st = hit_simulation_run(simulation, 0);
    test_fault.on = false;
    if (st != HIT_OK) {
        hit_action action;

        hit_simulation_give_up(simulation);
        while (hit_engine_next(a->engine, &action)) {
            if (action.back) (void)carry(a, &action);
        }
    }
    for (int d = 0; d < DATA; d++) {
        ck_assert_int_eq(a->held[d][hit_engine_where(a->engine, d)], a->version[d]);
    }
    hit_simulation_close(&simulation);
    return st;
}

static void make_tasks(hit_graph *graph)
{
    hit_graph_task task = {.row = 0};
    int datum;

    HIT_MUST(hit_graph_add_work(graph, "both", 1, NULL, &task.work));
    for (int d = 0; d < DATA; d++) {
        HIT_MUST(hit_graph_add_datum(graph, 100, &datum));
    }
    for (int t = 0; t < TASKS; t++) {
        const hit_graph_access access[] = {{t * t % DATA, true, false},
                                           {(t + 4) % DATA, t % 3 > 0, true}};

        HIT_MUST(hit_graph_add_task(graph, &task, 2, access));
    }
}

START_TEST(after_a_failure_all_results_are_where_the_engine_says)
{
    hit_machine_kind kind[] = {{"gpu", 2, 1, 1, 0, 300, false, 0, 0}};
    hit_machine_link link[] = {{"bus", 1, 1000000000, 5, 900000000, 7, false}};
    hit_machine_speed speed[] = {{"both", "gpu", 0, 0.0, 50}};
    const hit_machine machine = {.kinds = 1,
                                 .links = 1,
                                 .speeds = 1,
                                 .kind = kind,
                                 .link = link,
                                 .speed = speed,
                                 .predicted_percent = 100};

    for (int arrived = 0; arrived < 2; arrived++) {
        hit_status st = HIT_E_NOMEM;
        long at = 1;

        for (; st != HIT_OK && at < 1000; at++) {
            account a = {.engine = NULL};
            const hit_simulate_options options = {
                .engine.back_when_arrived = arrived == 1, .carry = carry, .self = &a};

            make_tasks(&a.graph);
            for (int d = 0; d < DATA; d++) {
                for (int n = 1; n < NODES; n++) {
                    a.held[d][n] = -1;
                }
            }
            test_fault.fail_at = at;
            test_fault_begin();
            st = run_and_keep(&a, &machine, &options);
            test_fault.on = false;
            hit_graph_clear(&a.graph);
        }
        ck_assert_int_gt(at, 20); /* were they made to fail? */
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
    tcase_add_test(c, after_a_failure_all_results_are_where_the_engine_says);
    tcase_add_test(c, no_tasks_take_no_time);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
