/* SPDX-License-Identifier: MIT
 * What every scheduler of the table must do: end on every graph, whatever ends first;
 * leave every trace legal; be equal in equal runs. The driver here has no clock: it ends
 * what is going on in random order, and keeps its own account of who has what. */
#include "hit/sched/clock.h"
#include "hit/sched/registry.h"
#include "hit/sched/sched_impl.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DATA = 12,
    TASKS = 60,
    NODES = 6
};

static hit_machine_kind kind[] = {
    {"gpu", 4, 1, 2, 0, 400, false, 0, 0},
    {"fast", 1, 1, 0, 0, 300, false, 0, 0},
    {"core", 3, 1, 0, -1, 0, false, 0, 0},
    {"core*4", 1, 4, 1, -1, 0, true, 0, 0},
};
static hit_machine_link link[] = {{"bus", 2, 1000000000, 5, 900000000, 7, false}};
static hit_machine_speed speed[] = {
    {"both", "gpu", 0, 0.0, 50},    {"both", "fast", 0, 0.0, 20},
    {"both", "core", 0, 0.0, 300},  {"both", "core*4", 0, 0.0, 110},
    {"host", "core", 0, 0.0, 40},   {"device", "gpu", 0, 0.0, 90},
    {"device", "fast", 0, 0.0, 90}, {"none", "core", 0, 0.0, 0},
    {"none", "gpu", 0, 0.0, 0},
};

static hit_machine machine_with(int gpus, bool peers)
{
    kind[0].count = gpus;
    link[0].peer = peers;
    return (hit_machine){.kinds = 4,
                         .links = 1,
                         .speeds = sizeof speed / sizeof speed[0],
                         .kind = kind,
                         .link = link,
                         .speed = speed,
                         .predicted_percent = 100};
}

/* All that can run the kernel, or some of them: often one only. */
static hit_device_set some_devices(hit_random *random, const hit_machine *machine,
                                   const char *kernel)
{
    hit_machine_device device[HIT_MACHINE_DEVICES];
    hit_device_set able = {{0}};
    hit_device_set some = {{0}};
    int count;
    int one;

    if (hit_random_index(random, 0, 1) == 0) return some;
    HIT_MUST(hit_machine_devices(machine, &count, device));
    for (int d = 0; d < count; d++) {
        if (hit_machine_run_ns(machine, kernel, 1, device[d].kind) < 0) continue;
        hit_device_set_add(&able, d);
    }
    do {
        one = (int)hit_random_index(random, 0, count - 1);
    } while (!hit_device_set_has(&able, one));
    hit_device_set_add(&some, one);
    for (int d = 0; d < count; d++) {
        if (hit_random_index(random, 0, 4) == 0) hit_device_set_add(&some, d);
    }
    return some;
}

static void add_tasks(hit_random *random, const hit_machine *machine, hit_graph *graph,
                      int tasks)
{
    static const char *const name[] = {"both", "host", "device", "none"};

    for (int t = 0; t < tasks; t++) {
        hit_graph_access access[4];
        const char *kernel = name[hit_random_index(random, 0, 3)];
        const hit_device_set on = some_devices(random, machine, kernel);
        const int count = (int)hit_random_index(random, 1, 4);
        hit_graph_task task = {.row = (int)hit_random_index(random, 0, 9),
                               .column = (int)hit_random_index(random, 0, 9)};

        for (int k = 0; k < count; k++) {
            const int mode = (int)hit_random_index(random, 1, 3);

            access[k] = (hit_graph_access){(int)hit_random_index(random, 0, DATA - 1),
                                           (mode & 1) != 0, (mode & 2) != 0};
        }
        HIT_MUST(hit_graph_add_work(graph, kernel, 1, &on, &task.work));
        HIT_MUST(hit_graph_add_task(graph, &task, count, access));
    }
}

static void add_data(hit_random *random, hit_graph *graph)
{
    for (int d = 0; d < DATA; d++) {
        int number;

        HIT_MUST(hit_graph_add_datum(graph, hit_random_index(random, 1, 70), &number));
    }
}

/* ---- the account ---- */

typedef struct account {
    const hit_graph *graph;
    hit_engine *engine;
    int version[DATA];     /**< how often it was written */
    int held[DATA][NODES]; /**< which version is there; -1: none */
    bool started[2 * TASKS];
    bool ended[2 * TASKS];
    hit_action open[512];
    int carried[512]; /**< the version that an open copy carries */
    int opens;
    bool good;
} account;

static void start_run(account *a, const hit_action *action)
{
    const hit_graph_task *t = &a->graph->task[action->task];
    const int node = hit_engine_device(a->engine, action->device)->node;

    const hit_device_set *on = &a->graph->work[t->work].on;

    a->good = a->good && !a->started[action->task];
    a->good = a->good &&
              (hit_device_set_is_empty(on) || hit_device_set_has(on, action->device));
    a->started[action->task] = true;
    for (int b = 0; b < action->task; b++) { /* all before it are over */
        for (int k = a->graph->task[b].first_next; k >= 0; k = a->graph->link[k].next) {
            if (a->graph->link[k].task == action->task) a->good = a->good && a->ended[b];
        }
    }
    for (int k = 0; k < t->accesses; k++) {
        const hit_graph_access *access = &a->graph->access[t->first_access + k];

        if (!access->reads) continue;
        a->good = a->good && a->held[access->datum][node] == a->version[access->datum];
    }
}

static void end_run(account *a, const hit_action *action)
{
    const hit_graph_task *t = &a->graph->task[action->task];
    const int node = hit_engine_device(a->engine, action->device)->node;

    a->ended[action->task] = true;
    for (int k = 0; k < t->accesses; k++) {
        const hit_graph_access *access = &a->graph->access[t->first_access + k];

        if (access->writes) a->held[access->datum][node] = ++a->version[access->datum];
    }
}

/** What is dropped is on its way to the host at most, and no device holds it any more. */
static void drop(account *a, const hit_action *action)
{
    for (int k = 0; k < a->opens; k++) {
        const hit_action *one = &a->open[k];

        if (one->kind != HIT_ACTION_COPY || one->datum != action->datum) continue;
        a->good = a->good && one->to != action->from;
        a->good = a->good && (one->from != action->from || one->back);
    }
    a->held[action->datum][action->from] = -1;
}

static void begin(account *a, const hit_action *action)
{
    ck_assert_int_lt(a->opens, 512);
    if (action->kind == HIT_ACTION_DROP) {
        drop(a, action);
        return;
    }
    if (action->kind == HIT_ACTION_RUN) {
        start_run(a, action);
    } else { /* a valid copy is sent */
        a->carried[a->opens] = a->held[action->datum][action->from];
        a->good = a->good && a->carried[a->opens] == a->version[action->datum];
        if (action->back) drop(a, action);
    }
    a->open[a->opens++] = *action;
}

/** The memories hold no more than they may, and what is there is what the engine thinks.
 */
static void check_places(account *a)
{
    const hit_place *place = &a->engine->place;

    for (int n = 1; n < place->nodes; n++) {
        int64_t used = 0;

        for (int d = 0; d < DATA; d++) {
            const hit_place_copy *copy = hit_place_at(place, d, n);

            if (copy->has_room) used += a->graph->datum[d].bytes;
            a->good = a->good && (!copy->valid || copy->has_room);
            a->good = a->good && (!copy->valid || a->held[d][n] == a->version[d]);
        }
        a->good = a->good && used == place->used[n] && used <= place->limit[n];
    }
}

/** May the open action end before the others? Copies of a lane keep their order. */
static bool may_end(const account *a, int which)
{
    const hit_action *one = &a->open[which];

    for (int k = 0; k < a->opens && one->kind == HIT_ACTION_COPY; k++) {
        const hit_action *other = &a->open[k];

        if (other->kind != HIT_ACTION_COPY || other->number >= one->number) continue;
        if (other->number == one->after) return false;
        if (other->to == one->to && one->to > 0) return false;
        if (other->from == one->from && one->from > 0) return false;
    }
    return true;
}

static hit_status end_one(hit_random *random, account *a, int64_t now_ns)
{
    int which;
    hit_action action;
    int carried;

    do {
        which = (int)hit_random_index(random, 0, a->opens - 1);
    } while (!may_end(a, which));
    action = a->open[which];
    carried = a->carried[which];
    a->opens--;
    a->open[which] = a->open[a->opens];
    a->carried[which] = a->carried[a->opens];
    if (action.kind == HIT_ACTION_RUN) {
        end_run(a, &action);
    } else {
        a->held[action.datum][action.to] = carried;
    }
    return hit_engine_done(a->engine, &action, now_ns);
}

static void drain(hit_random *random, account *a, int64_t *now_ns)
{
    hit_action action;

    for (;;) {
        while (hit_engine_next(a->engine, &action)) {
            begin(a, &action);
        }
        check_places(a);
        if (a->opens == 0) break;
        HIT_MUST(end_one(random, a, *now_ns += hit_random_index(random, 0, 100)));
    }
}

static const char *const more_texts[] = {
    "dada:alpha=0",   "dada:alpha=1,cp", "dada:cp,affinity=all", "mct:beta=2,queue=rank",
    "mct:queue=lack", "steal:affinity",  "static:queue=rank",
};

static const char *text(int number)
{
    if (number < hit_scheduler_table_count) return hit_scheduler_table[number]->name;
    number -= hit_scheduler_table_count;
    return number < (int)(sizeof more_texts / sizeof more_texts[0]) ? more_texts[number]
                                                                    : NULL;
}

/** Half of the tasks are known at the beginning, the others while these run. */
static void run_one(hit_random *random, const char *scheduler_text, int number)
{
    const hit_machine machine = machine_with(number % 5, number % 3 == 0);
    const hit_engine_options options = {.seed = 1, .back_when_arrived = true};
    hit_scheduler scheduler;
    hit_graph graph = {0};
    account a = {.graph = &graph, .good = true};
    int64_t now_ns = 0;
    hit_action action;

    add_data(random, &graph);
    add_tasks(random, &machine, &graph, TASKS / 2);
    memset(a.held, 0xff, sizeof a.held);
    for (int d = 0; d < DATA; d++) {
        a.held[d][0] = 0;
    }
    HIT_MUST(hit_scheduler_read(NULL, scheduler_text, &scheduler));
    HIT_MUST(hit_engine_open(&graph, &machine, &scheduler, &options, &a.engine));
    HIT_MUST(hit_engine_submit(a.engine, now_ns));
    for (int k = 0; k < 10; k++) {
        while (hit_engine_next(a.engine, &action)) {
            begin(&a, &action);
        }
        if (a.opens > 0) HIT_MUST(end_one(random, &a, ++now_ns));
    }
    add_tasks(random, &machine, &graph, TASKS / 2);
    HIT_MUST(hit_engine_submit(a.engine, now_ns));
    drain(random, &a, &now_ns);
    ck_assert_msg(hit_engine_tasks_done(a.engine) == TASKS, "%s ends in case %d",
                  scheduler_text, number);
    for (int t = 0; t < TASKS; t++) {
        a.good = a.good && a.ended[t];
    }
    ck_assert_msg(a.good, "%s, case %d", scheduler_text, number);
    hit_engine_close(&a.engine);
    hit_graph_clear(&graph);
}

START_TEST(every_trace_ends_and_is_legal_whatever_ends_first)
{
    hit_random random = hit_random_start(16);

    for (int s = 0; text(s) != NULL; s++) {
        for (int i = 0; i < hit_random_cases(300); i++) {
            run_one(&random, text(s), i);
        }
    }
}
END_TEST

START_TEST(runs_from_equal_seeds_are_equal)
{
    hit_random random = hit_random_start(17);
    const hit_machine machine = machine_with(4, false);

    for (int s = 0; text(s) != NULL; s++) {
        hit_graph graph = {0};
        hit_scheduler scheduler;
        hit_simulated one;
        hit_simulated other;
        const hit_simulate_options options = {.engine.seed = 7, .noise_percent = 5};

        add_data(&random, &graph);
        add_tasks(&random, &machine, &graph, TASKS);
        HIT_MUST(hit_scheduler_read(NULL, text(s), &scheduler));
        HIT_MUST(hit_simulate(&graph, &machine, &scheduler, &options, &one));
        HIT_MUST(hit_simulate(&graph, &machine, &scheduler, &options, &other));
        ck_assert_int_eq(one.end_ns, other.end_ns);
        ck_assert_int_eq(one.moved_bytes, other.moved_bytes);
        ck_assert_int_eq(one.copies, other.copies);
        ck_assert(memcmp(one.ran, other.ran, sizeof one.ran) == 0);
        ck_assert(memcmp(one.busy_ns, other.busy_ns, sizeof one.busy_ns) == 0);
        ck_assert_int_eq(one.tasks, TASKS);
        hit_graph_clear(&graph);
    }
}
END_TEST

START_TEST(independent_tasks_on_equal_cores_starve_none)
{
    const hit_simulate_options options = {.noise_percent = 0};

    for (int s = 0; s < hit_scheduler_table_count; s++) {
        hit_machine machine = machine_with(0, false);
        hit_graph graph = {0};
        hit_scheduler scheduler;
        hit_simulated result;
        hit_graph_task task = {.row = 0};

        HIT_MUST(hit_graph_add_work(&graph, "host", 1, NULL, &task.work));
        for (int k = 0; k < 90; k++) {
            HIT_MUST(hit_graph_add_task(&graph, &task, 0, NULL));
        }
        HIT_MUST(hit_scheduler_read(NULL, text(s), &scheduler));
        HIT_MUST(hit_simulate(&graph, &machine, &scheduler, &options, &result));
        for (int d = 1; d < 4; d++) { /* 0 has no such kernel */
            ck_assert_msg(result.ran[d] > 0, "%s", text(s));
        }
        hit_graph_clear(&graph);
    }
}
END_TEST

START_TEST(wrong_options_are_told)
{
    static const char *const wrong[] = {
        "heft:alpha=1",
        "dada:alpha=2",
        "dada:alpha=0.123",
        "dada:alpha=",
        "dada:affinity=",
        "dada:affinity=none",
        "mct:beta=-1",
        "eager:x",
        "steal:queue",
        "dada:cp=0",
        "steal:learn=0",
        "steal:affinity=written",
        "mct:queue=a word that is longer than any that there is",
        "dada:affinity=a word that is longer than any",
        "dada:alpha=0.5000000000000000000000000000000 is no number"};
    const hit_machine machine = machine_with(1, false);
    const hit_engine_options options = {.seed = 0};
    hit_graph graph = {0};

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        hit_scheduler scheduler;
        hit_engine *engine = NULL;
        hit_status st = hit_scheduler_read(NULL, wrong[k], &scheduler);

        if (st == HIT_OK) {
            st = hit_engine_open(&graph, &machine, &scheduler, &options, &engine);
        }
        ck_assert_msg(st == HIT_E_ARG, "%s", wrong[k]);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "scheduler "));
        hit_engine_close(&engine);
    }
}
END_TEST

START_TEST(a_task_that_fits_nowhere_is_told_with_its_size)
{
    const hit_machine machine = machine_with(1, false);
    const hit_engine_options options = {.seed = 0};
    const hit_graph_access access = {0, true, true};
    hit_graph_task task = {.row = 0};
    hit_graph graph = {0};
    hit_scheduler scheduler;
    hit_engine *engine;
    int number;

    HIT_MUST(hit_graph_add_work(&graph, "device", 1, NULL, &task.work));
    HIT_MUST(hit_graph_add_datum(&graph, 4000, &number));
    HIT_MUST(hit_graph_add_task(&graph, &task, 1, &access));
    HIT_MUST(hit_scheduler_read(NULL, "heft", &scheduler));
    HIT_MUST(hit_engine_open(&graph, &machine, &scheduler, &options, &engine));
    ck_assert_int_eq(hit_engine_submit(engine, 0), HIT_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "4000"));
    hit_engine_close(&engine);
    hit_graph_clear(&graph);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("schedulers");
    TCase *c = tcase_create("schedulers");

    tcase_set_timeout(c, 0);
    tcase_add_test(c, every_trace_ends_and_is_legal_whatever_ends_first);
    tcase_add_test(c, runs_from_equal_seeds_are_equal);
    tcase_add_test(c, independent_tasks_on_equal_cores_starve_none);
    tcase_add_test(c, wrong_options_are_told);
    tcase_add_test(c, a_task_that_fits_nowhere_is_told_with_its_size);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
