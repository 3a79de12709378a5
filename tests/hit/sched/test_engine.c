/* SPDX-License-Identifier: MIT
 * What drivers tell the engine beside ends: how long a work takes, and that a task was
 * not run. */
#include "hit/sched/clock.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "tests/support/check_main.h"

typedef struct scene {
    hit_machine machine;
    hit_graph graph;
    hit_scheduler scheduler;
    hit_simulation *simulation;
    hit_engine *engine;
    int work;
    int datum;
} scene;

/* A GPU and a core, by heft, and a datum that is there for products of 512. */
static void begin(scene *s, const hit_simulate_options *options)
{
    *s = (scene){.work = -1};
    HIT_MUST(hit_machine_read("machines/idgraf.machine", &s->machine));
    HIT_MUST(hit_machine_set(&s->machine, "gpus", "1"));
    HIT_MUST(hit_machine_set(&s->machine, "cpus", "1"));
    HIT_MUST(hit_scheduler_read(NULL, "heft", &s->scheduler));
    HIT_MUST(hit_graph_add_work(&s->graph, "gemm", 512, NULL, &s->work));
    HIT_MUST(hit_graph_add_datum(&s->graph, 1 << 21, &s->datum));
    HIT_MUST(hit_simulation_open(&s->graph, &s->machine, &s->scheduler, options, 0,
                                 &s->simulation));
    s->engine = hit_simulation_engine(s->simulation);
}

static const hit_simulated *run(scene *s)
{
    const hit_graph_access access = {s->datum, true, true};

    HIT_MUST(
        hit_graph_add_task(&s->graph, &(hit_graph_task){.work = s->work}, 1, &access));
    HIT_MUST(hit_simulation_submit(s->simulation));
    HIT_MUST(hit_simulation_run(s->simulation, 0));
    return hit_simulation_result(s->simulation);
}

static void end(scene *s)
{
    hit_simulation_close(&s->simulation);
    hit_graph_clear(&s->graph);
    hit_machine_clear(&s->machine);
}

START_TEST(schedulers_see_what_was_learnt)
{
    scene s;

    begin(&s, &(hit_simulate_options){.noise_percent = 0});
    ck_assert_int_eq(run(&s)->ran[0], 1);
    HIT_MUST(hit_engine_learn(s.engine, s.work, hit_engine_device(s.engine, 0)->kind,
                              INT64_C(1000000000000)));
    ck_assert_int_eq(run(&s)->ran[1], 1);
    HIT_MUST(hit_engine_learn(s.engine, s.work, hit_engine_device(s.engine, 0)->kind, 1));
    ck_assert_int_eq(run(&s)->ran[0], 2);
    end(&s);
}
END_TEST

static bool skip(void *self, const hit_action *action)
{
    return action->kind != HIT_ACTION_RUN || !*(const bool *)self;
}

START_TEST(what_a_skipped_task_was_to_write_stays)
{
    bool skips = true;
    scene s;

    begin(&s, &(hit_simulate_options){.carry = skip, .self = &skips});
    ck_assert_int_eq(run(&s)->ran[0], 1);
    ck_assert_int_eq(hit_engine_where(s.engine, s.datum), 0);
    ck_assert(hit_engine_has(s.engine, s.datum, 0));
    skips = false;
    ck_assert_int_eq(run(&s)->ran[0], 2);
    ck_assert_int_eq(hit_engine_where(s.engine, s.datum), 1);
    ck_assert(!hit_engine_has(s.engine, s.datum, 0));
    end(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("engine");
    TCase *tests = tcase_create("drivers");

    tcase_add_test(tests, schedulers_see_what_was_learnt);
    tcase_add_test(tests, what_a_skipped_task_was_to_write_stays);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
