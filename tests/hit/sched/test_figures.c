/* SPDX-License-Identifier: MIT
 * The engine and the schedulers against figures of an independent simulator: Cholesky of
 * 8192 by tiles of 512 on six cores and some of eight GPUs, and products on groups of
 * cores. */
#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/sched/bounds.h"
#include "hit/sched/clock.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/sched/sched_impl.h"
#include "hit/tool/tool.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/** A run: the graph of hit_tool_graphs[@p kind] on a machine. */
typedef struct run {
    int kind;
    hit_tool_problem problem;
    const char *machine;
    const char *scheduler;
    const char *gpus;
    const char *groups; /**< NULL: none */
} run;

static hit_simulated simulate(hit_context *context, const run *r)
{
    const hit_simulate_options options = {.noise_percent = 0};
    hit_scheduler scheduler;
    hit_machine machine;
    hit_graph graph = {0};
    hit_simulated result;

    HIT_MUST(hit_machine_read(r->machine, &machine));
    HIT_MUST(hit_machine_set(&machine, "gpus", r->gpus));
    if (r->groups != NULL) HIT_MUST(hit_machine_set(&machine, "groups", r->groups));
    HIT_MUST(hit_tool_graph_make(&hit_tool_graphs[r->kind], r->problem, &graph));
    HIT_MUST(hit_scheduler_read(context, r->scheduler, &scheduler));
    HIT_MUST(hit_simulate(&graph, &machine, &scheduler, &options, &result));
    hit_graph_clear(&graph);
    hit_machine_clear(&machine);
    return result;
}

static double gflops(const run *r, const hit_simulated *result)
{
    return hit_tool_graph_operations(&hit_tool_graphs[r->kind], r->problem) /
           (double)result->end_ns;
}

#define IDGRAF "machines/idgraf.machine"
#define SIROCCO "machines/sirocco.machine"
#define CHOLESKY(scheduler, gpus)                                                        \
    {                                                                                    \
        0, {16, 512}, IDGRAF, (scheduler), (gpus), NULL                                  \
    }

START_TEST(numbers_of_a_machine_have_points_in_any_locale)
{
    double number = 0;

    (void)comma_locale_set();
    ck_assert(hit_machine_number("2.5", &number));
    ck_assert_double_eq(number, 2.5);
    ck_assert(!hit_machine_number("2,5", &number));
    ck_assert(!hit_machine_number("", &number));
    ck_assert(!hit_machine_number("inf", &number));
    comma_locale_reset();
}
END_TEST

START_TEST(cholesky_takes_what_the_independent_simulator_says)
{
    static const char *const gpus[] = {"1", "2", "4", "6", "8"};
    static const struct {
        const char *scheduler;
        const char *format;
        const char *figure[5];
    } known[] = {
        {"heft",
         "%.1f(%.1f)",
         {"274.1(769.7)", "458.7(2220.9)", "738.9(3405.8)", "861.1(3932.2)",
          "899.1(4299.2)"}},
        {"dada:alpha=0",
         "%.1f(%.1f)",
         {"203.3(673.2)", "427.8(2237.7)", "710.5(3636.5)", "820.9(4194.3)",
          "852.8(4651.5)"}},
        {"dada:alpha=0.5",
         "%.1f(%.1f)",
         {"206.0(463.5)", "426.1(924.8)", "705.5(1537.2)", "858.4(2103.4)",
          "874.3(2411.7)"}},
        {"dada:alpha=0.5,cp",
         "%.1f(%.1f)",
         {"206.3(467.7)", "423.6(1008.7)", "712.8(1793.1)", "876.0(2296.4)",
          "888.6(2594.2)"}},
        {"mct",
         "%.1f(%.1f)",
         {"274.5(765.5)", "460.0(1289.7)", "736.2(2088.8)", "894.9(2424.3)",
          "971.3(2774.5)"}},
        {"static",
         "%.0f(%.0f)",
         {"221(346)", "418(849)", "694(1099)", "876(1319)", "985(1510)"}},
    };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        for (int g = 0; g < 5; g++) {
            const run r = CHOLESKY(known[k].scheduler, gpus[g]);
            const hit_simulated result = simulate(NULL, &r);
            char text[64];

            (void)snprintf(text, sizeof text, known[k].format, gflops(&r, &result),
                           (double)result.moved_bytes / 1e6);
            ck_assert_str_eq(text, known[k].figure[g]);
            ck_assert_int_eq(result.tasks, 816);
        }
    }
}
END_TEST

START_TEST(heft_ends_at_the_known_moment)
{
    const run one = CHOLESKY("heft", "1");
    const run eight = CHOLESKY("heft", "8");
    char text[64];
    hit_simulated result = simulate(NULL, &one);

    (void)snprintf(text, sizeof text, "%.3f", (double)result.end_ns / 1e6);
    ck_assert_str_eq(text, "668.571");
    result = simulate(NULL, &eight);
    ck_assert_int_eq(result.end_ns / 10000, 20385); /* 203.85 ms */
}
END_TEST

START_TEST(the_owner_of_the_block_by_rank_is_best_and_moves_least)
{
    const run r = CHOLESKY("home", "8");
    const hit_simulated result = simulate(NULL, &r);

    ck_assert_double_ge(gflops(&r, &result), 1005.0);
    ck_assert_int_le(result.moved_bytes, 1520000000);
}
END_TEST

START_TEST(a_group_of_cores_takes_products_that_single_cores_do_not)
{
    const run cores = {4, {28, 960}, SIROCCO, "mct", "1", NULL};
    hit_machine machine;
    hit_scheduler scheduler;
    hit_graph graph = {0};
    const hit_simulate_options options = {.noise_percent = 0};
    hit_simulated result = simulate(NULL, &cores);

    ck_assert_int_eq(result.ran[0], 28);
    ck_assert_int_eq(result.moved_bytes, 0);

    HIT_MUST(hit_machine_read(SIROCCO, &machine));
    HIT_MUST(hit_machine_set(&machine, "gpus", "1"));
    HIT_MUST(hit_machine_set(&machine, "cpus", "10"));
    HIT_MUST(hit_machine_set(&machine, "groups", "10"));
    HIT_MUST(hit_tool_graph_make(&hit_tool_graphs[4], cores.problem, &graph));
    HIT_MUST(hit_scheduler_read(NULL, "mct", &scheduler));
    HIT_MUST(hit_simulate(&graph, &machine, &scheduler, &options, &result));
    ck_assert_int_eq(result.devices, 2);
    ck_assert_int_eq(result.ran[0], 22);
    ck_assert_int_eq(result.ran[1], 6);
    hit_graph_clear(&graph);
    hit_machine_clear(&machine);
}
END_TEST

START_TEST(cholesky_on_groups_is_within_two_percent_of_the_figures)
{
    static const struct {
        run r;
        double tflops;
    } known[] = {
        {{0, {5, 960}, SIROCCO, "mct", "1", NULL}, 0.45},
        {{0, {5, 960}, SIROCCO, "mct", "2", NULL}, 0.60},
        {{0, {10, 960}, SIROCCO, "mct", "1", NULL}, 0.87},
        {{0, {10, 960}, SIROCCO, "mct", "2", NULL}, 1.32},
        {{0, {20, 960}, SIROCCO, "mct", "1", NULL}, 1.51},
        {{0, {20, 960}, SIROCCO, "mct", "2", NULL}, 2.25},
        {{0, {40, 960}, SIROCCO, "mct", "1", NULL}, 1.70},
        {{0, {40, 960}, SIROCCO, "mct", "2", NULL}, 2.66},
        {{0, {5, 960}, SIROCCO, "mct", "1", "10,10"}, 0.88},
        {{0, {5, 960}, SIROCCO, "mct", "2", "10,10"}, 0.97},
        {{0, {10, 960}, SIROCCO, "mct", "1", "10,10"}, 1.24},
        {{0, {10, 960}, SIROCCO, "mct", "2", "10,10"}, 1.88},
        {{0, {20, 960}, SIROCCO, "mct", "1", "10,10"}, 1.41},
        {{0, {20, 960}, SIROCCO, "mct", "2", "10,10"}, 2.25},
        {{0, {40, 960}, SIROCCO, "mct", "1", "10,10"}, 1.49},
        {{0, {40, 960}, SIROCCO, "mct", "2", "10,10"}, 2.42},
        {{0, {20, 1920}, SIROCCO, "mct", "4", NULL}, 4.45},
        {{0, {20, 1920}, SIROCCO, "mct", "4", "10,10"}, 4.65},
    };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const hit_simulated result = simulate(NULL, &known[k].r);
        const double tflops = gflops(&known[k].r, &result) / 1e3;

        ck_assert_msg(fabs(tflops / known[k].tflops - 1.0) <= 0.02,
                      "case %zu: %.4f, not %.2f", k, tflops, known[k].tflops);
    }
}
END_TEST

START_TEST(bounds_are_those_of_the_closed_forms)
{
    static const struct {
        int kind;
        const char *path;
        const char *area;
    } known[] = {{0, "143.508", "94.53"}, {2, "830.7", "576.6"}, {3, "1447.5", "1012.4"}};

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        hit_machine machine;
        hit_graph graph = {0};
        hit_bounds bounds;
        char text[64];
        const int decimals = k == 0 ? 3 : 1;

        HIT_MUST(hit_machine_read(IDGRAF, &machine));
        HIT_MUST(hit_tool_graph_make(&hit_tool_graphs[known[k].kind],
                                     (hit_tool_problem){16, 512}, &graph));
        HIT_MUST(hit_simulate_bounds(&graph, &machine, &bounds));
        (void)snprintf(text, sizeof text, "%.*f", decimals, (double)bounds.path_ns / 1e6);
        ck_assert_str_eq(text, known[k].path);
        (void)snprintf(text, sizeof text, "%.*f", k == 0 ? 2 : 1,
                       (double)bounds.area_ns / 1e6);
        ck_assert_str_eq(text, known[k].area);
        hit_graph_clear(&graph);
        hit_machine_clear(&machine);
    }
}
END_TEST

/* 180.4: the products of 100 ns are all done by the accelerator, which takes 10 for each;
 * the other kernel gains 9.2 there, and the host does a fifth of it. */
START_TEST(all_devices_busy_means_that_what_gains_most_is_accelerated)
{
    hit_machine_kind kind[] = {{"gpu", 1, 1, 2, 0, 1 << 20, false, 0, 0},
                               {"core", 1, 1, 0, -1, 0, false, 0, 0}};
    hit_machine_link link[] = {{"bus", 1, 1000000000, 0, 1000000000, 0, false}};
    hit_machine_speed speed[] = {{"product", "gpu", 0, 0, 10},
                                 {"product", "core", 0, 0, 100},
                                 {"other", "gpu", 0, 0, 100},
                                 {"other", "core", 0, 0, 920}};
    const hit_machine machine = {.kinds = 2,
                                 .links = 1,
                                 .speeds = 4,
                                 .kind = kind,
                                 .link = link,
                                 .speed = speed,
                                 .predicted_percent = 100};
    hit_graph graph = {0};
    hit_graph_task task = {.row = 0};
    hit_bounds bounds;

    HIT_MUST(hit_graph_add_work(&graph, "other", 1, NULL, &task.work));
    HIT_MUST(hit_graph_add_task(&graph, &task, 0, NULL));
    HIT_MUST(hit_graph_add_work(&graph, "product", 1, NULL, &task.work));
    for (int k = 0; k < 10; k++) {
        HIT_MUST(hit_graph_add_task(&graph, &task, 0, NULL));
    }
    HIT_MUST(hit_simulate_bounds(&graph, &machine, &bounds));
    ck_assert_int_eq(bounds.area_ns, 180);
    hit_graph_clear(&graph);
}
END_TEST

/* ---- small cases: a GPU behind a bus of a byte in a nanosecond, and a core ---- */

/** Tasks of a kernel that takes 10 ns on the GPU and @p core_ns on the core, each with
 * one access, to data of @p bytes. */
static hit_simulated simulate_small(hit_machine *machine, int64_t bytes, int64_t core_ns,
                                    const hit_graph_access access[2], bool arrived)
{
    hit_machine_kind kind[] = {{"gpu", 1, 1, 2, 0, bytes, false, 0, 0},
                               {"core", 1, 1, 0, -1, 0, false, 0, 0}};
    hit_machine_link link[] = {{"bus", 1, 1000000000, 0, 1000000000, 0, false}};
    hit_machine_speed speed[] = {{"any", "gpu", 0, 0, 10},
                                 {"any", "core", 0, 0, core_ns}};
    const hit_simulate_options options = {.engine.back_when_arrived = arrived};
    hit_scheduler scheduler;
    hit_graph graph = {0};
    hit_graph_task task = {.row = 0};
    hit_simulated result;
    int datum;

    machine->kinds = 2;
    machine->links = 1;
    machine->speeds = 2;
    machine->kind = kind;
    machine->link = link;
    machine->speed = speed;
    HIT_MUST(hit_scheduler_read(NULL, "heft", &scheduler));
    HIT_MUST(hit_graph_add_work(&graph, "any", 1, NULL, &task.work));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_graph_add_datum(&graph, bytes, &datum));
        HIT_MUST(hit_graph_add_task(&graph, &task, 1, &access[k]));
    }
    HIT_MUST(hit_simulate(&graph, machine, &scheduler, &options, &result));
    hit_graph_clear(&graph);
    return result;
}

/* Room for one datum: the first is copied in, changed, and written back for the second.
 */
START_TEST(only_copies_wait_for_what_is_written_back)
{
    const hit_graph_access writes[] = {{0, true, true}, {1, false, true}};
    const hit_graph_access reads[] = {{0, true, true}, {1, true, true}};
    hit_machine machine = {.predicted_percent = 100};
    hit_simulated result = simulate_small(&machine, 100, 10000, writes, false);

    ck_assert_int_eq(result.end_ns, 120);
    ck_assert_int_eq(result.moved_bytes, 200);
    result = simulate_small(&machine, 100, 10000, reads, false);
    ck_assert_int_eq(result.end_ns, 320);
    ck_assert_int_eq(result.moved_bytes, 300);
    /* as on a real machine, where the room is free when the copy has arrived */
    result = simulate_small(&machine, 100, 10000, writes, true);
    ck_assert_int_eq(result.end_ns, 220);
}
END_TEST

START_TEST(predictions_count_bytes_to_the_last)
{
    const hit_graph_access access[] = {{0, true, false}, {1, false, true}};
    hit_machine machine = {.predicted_percent = 50};
    hit_simulated result = simulate_small(&machine, 199, 109, access, false);

    /* the first on the GPU, at half of 199 and 10 */
    ck_assert_int_eq(result.end_ns, 209);
    result = simulate_small(&machine, 199, 108, access, false);
    ck_assert_int_eq(result.end_ns, 108);
    ck_assert_int_eq(result.moved_bytes, 0);
}
END_TEST

/* Copies count in the first guess wherever they might go, also where their task cannot
 * run: 100 + 2000 + 1800. Half of that is too short for the second task on the GPU. */
START_TEST(the_first_guess_counts_the_longest_copies)
{
    hit_machine_kind kind[] = {{"gpu", 1, 1, 2, 0, 1 << 20, false, 0, 0},
                               {"core", 1, 1, 0, -1, 0, false, 0, 0}};
    hit_machine_link link[] = {{"bus", 1, 1000000000, 0, 1000000000, 0, false}};
    hit_machine_speed speed[] = {{"first", "core", 0, 0, 100},
                                 {"second", "gpu", 0, 0, 2000},
                                 {"second", "core", 0, 0, 1900}};
    const hit_machine machine = {.kinds = 2,
                                 .links = 1,
                                 .speeds = 3,
                                 .kind = kind,
                                 .link = link,
                                 .speed = speed,
                                 .predicted_percent = 100};
    const hit_simulate_options options = {.noise_percent = 0};
    hit_graph_access access = {0, true, true};
    hit_graph_task task = {.row = 0};
    hit_graph graph = {0};
    hit_scheduler scheduler;
    hit_simulated result;

    HIT_MUST(hit_scheduler_read(NULL, "dada:alpha=0,cp", &scheduler));
    HIT_MUST(hit_graph_add_datum(&graph, 1800, &access.datum));
    HIT_MUST(hit_graph_add_work(&graph, "first", 1, NULL, &task.work));
    HIT_MUST(hit_graph_add_task(&graph, &task, 1, &access));
    HIT_MUST(hit_graph_add_work(&graph, "second", 1, NULL, &task.work));
    HIT_MUST(hit_graph_add_task(&graph, &task, 0, NULL));
    HIT_MUST(hit_simulate(&graph, &machine, &scheduler, &options, &result));
    ck_assert_int_eq(result.ran[1], 2);
    hit_graph_clear(&graph);
}
END_TEST

/* ---- a plug-in of the program: all on the last device ---- */

static hit_status last_open(const char *options, const hit_sched_view *view, void **state)
{
    (void)options;
    *state = (void *)view;
    return HIT_OK;
}

static void last_close(void *state)
{
    (void)state;
}

static hit_status last_ready(void *state, int by, int count, const int task[])
{
    const hit_sched_view *view = state;

    (void)by;
    for (int k = 0; k < count; k++) {
        view->give(view->self, task[k], view->devices - 1, view->now_ns(view->self));
    }
    return HIT_OK;
}

static const hit_sched_ops last = {.name = "last",
                                   .help = "all on the last device",
                                   .open = last_open,
                                   .close = last_close,
                                   .ready = last_ready};

START_TEST(a_registered_scheduler_gives_figures_of_its_own)
{
    const run r = CHOLESKY("last", "8");
    hit_context context = {.rank = 0};
    hit_scheduler scheduler;
    hit_simulated result;
    int64_t sum;

    ck_assert_int_eq(hit_scheduler_read(&context, "last", &scheduler), HIT_E_ARG);
    HIT_MUST(hit_scheduler_register(&context, &last));
    ck_assert_int_eq(hit_scheduler_register(&context, &last), HIT_E_ARG);
    result = simulate(&context, &r);
    /* one core does all, without copies: the sum of its times */
    sum = 16LL * 6990507 + 120LL * 14620668 + 120LL * 15516500 + 560LL * 27932930;
    ck_assert_int_eq(result.ran[13], 816);
    ck_assert_int_eq(result.moved_bytes, 0);
    ck_assert_int_eq(result.end_ns, sum);
    hit_registry_destroy(&context.schedulers);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("figures");
    TCase *c = tcase_create("figures");

    tcase_add_test(c, numbers_of_a_machine_have_points_in_any_locale);
    tcase_add_test(c, cholesky_takes_what_the_independent_simulator_says);
    tcase_add_test(c, heft_ends_at_the_known_moment);
    tcase_add_test(c, the_owner_of_the_block_by_rank_is_best_and_moves_least);
    tcase_add_test(c, a_group_of_cores_takes_products_that_single_cores_do_not);
    tcase_add_test(c, cholesky_on_groups_is_within_two_percent_of_the_figures);
    tcase_add_test(c, bounds_are_those_of_the_closed_forms);
    tcase_add_test(c, all_devices_busy_means_that_what_gains_most_is_accelerated);
    tcase_add_test(c, only_copies_wait_for_what_is_written_back);
    tcase_add_test(c, predictions_count_bytes_to_the_last);
    tcase_add_test(c, the_first_guess_counts_the_longest_copies);
    tcase_add_test(c, a_registered_scheduler_gives_figures_of_its_own);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
