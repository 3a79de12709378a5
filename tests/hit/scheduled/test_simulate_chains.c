/* SPDX-License-Identifier: MIT
 * Chains on simulated machines: bits are those of one launch after the other, bytes those
 * of real devices with such memories, times those of the kernels and links that the file
 * describes, and a run that is only planned has the same figures. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/launch/launcher.h"
#include "hit/run/chains.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */

enum {
    MEMORY = 5000 /* bytes: less than one of the tiles */
};

static const char fast_bus[] =
    "lanes=2 in=1000000000000000 in_ns=0 out=1000000000000000 out_ns=0";
static const char slow_bus[] = "lanes=2 in=1000000 in_ns=0 out=1000000 out_ns=0";
static const char one_lane[] = "lanes=1 in=1000000 in_ns=0 out=1000000 out_ns=0";

typedef struct machine {
    int gpus;
    int cores;
    const char *bus;
    int gpu_ns; /* of the kernel star */
    int core_ns;
} machine;

typedef struct figures {
    double time_s;
    hit_stats stats;
} figures;

/* ---- a machine ---- */

static char path[100];

/* How HIT_DEVICES names it. */
static const char *write_machine(const machine *of)
{
    static char devices[120];
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    (void)fprintf(file,
                  "# hit machine 1\ndevice gpu %d memory=%d link=bus\n"
                  "device core %d\nlink bus %s\n",
                  of->gpus, MEMORY, of->cores, of->bus);
    if (of->gpu_ns > 0) (void)fprintf(file, "time star gpu * %d\n", of->gpu_ns);
    if (of->core_ns > 0) (void)fprintf(file, "time star core * %d\n", of->core_ns);
    ck_assert_int_eq(fclose(file), 0);
    (void)snprintf(devices, sizeof(devices), "simulated:%s", path);
    return devices;
}

static chains_scene open_on(const char *devices, const hit_choice *choice)
{
    chains_scene s = chains_open_on(choice, devices, "single", CHAINS_N);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    return s;
}

static figures figures_of(const chains_scene *s)
{
    figures made = {.time_s = hit_time(s->hit)};

    hit_context_stats(s->hit, &made.stats);
    return made;
}

static figures run_star(const machine *of, const hit_choice *choice)
{
    chains_scene s = open_on(write_machine(of), choice);
    figures made;

    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    made = figures_of(&s);
    chains_close(&s);
    return made;
}

static uint64_t bytes_of(const figures *of)
{
    return of->stats.bytes_in + of->stats.bytes_out;
}

/* ---- tests ---- */

static uint64_t try_program(const chains_program *program, const machine *of,
                            const hit_choice *choice)
{
    chains_scene want = chains_open_quiet(NULL, "single", CHAINS_N);
    chains_scene s = open_on(write_machine(of), choice);
    uint64_t chained;

    HIT_MUST(hit_chain(want.hit, HIT_CHAIN_OFF));
    program->run(&want);
    program->run(&s);
    HIT_MUST(hit_wait(s.hit));
    chains_expect_equal(&s, &want, program->name);
    chained = figures_of(&s).stats.chained;
    chains_close(&s);
    chains_close(&want);
    return chained;
}

/* A launch that no chain takes, and no other device holds, is a task of a core. */
START_TEST(programs_have_the_same_bits)
{
    static const machine all[] = {{1, 1, fast_bus, 0, 0},
                                  {2, 1, one_lane, 100, 3000},
                                  {1, 3, slow_bus, 50, 400},
                                  {5, 2, slow_bus, 0, 0}};
    const hit_choice small = {.steps = 6, .width = {4, 6, 5, 3}};

    for (size_t m = 0; m < sizeof(all) / sizeof(all[0]); m++) {
        int chained = 0;

        for (int k = 0; k < chains_legal_count; k++) {
            chained += try_program(&chains_legal[k], &all[m], NULL) > 0;
            chained += try_program(&chains_legal[k], &all[m], &small) > 0;
        }
        ck_assert_int_ge(chained, chains_legal_count);
    }
}
END_TEST

/* The real ones have chains from their first launch on, too. */
START_TEST(bytes_are_those_of_real_devices)
{
    for (int devices = 1; devices <= 2; devices++) { /* a third would fit */
        const machine of = {devices, 0, slow_bus, 1000, 0};
        const figures found = run_star(&of, NULL);
        chains_scene s = chains_open_several(devices, MEMORY, 1, "single", CHAINS_N);
        figures want;

        HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
        hit_chains_of(s.hit)->pass = 0;
        chains_run_star(&s);
        HIT_MUST(hit_wait(s.hit));
        want = figures_of(&s);
        ck_assert_uint_gt(want.stats.chained, 0);
        ck_assert_uint_eq(found.stats.chained, want.stats.chained);
        ck_assert_uint_eq(found.stats.bytes_in, want.stats.bytes_in);
        ck_assert_uint_eq(found.stats.bytes_out, want.stats.bytes_out);
        ck_assert_uint_eq(found.stats.superblocks, want.stats.superblocks);
        chains_close(&s);
    }
}
END_TEST

/* One device runs no index twice; two do, and have half of the rest each. */
START_TEST(kernels_take_what_the_file_says)
{
    const machine one = {1, 0, fast_bus, 1000000, 0};
    const machine two = {2, 0, fast_bus, 1000000, 0};
    const machine beside = {1, 2, fast_bus, 1000000, 2000000};
    const figures alone = run_star(&one, NULL);
    const figures half = run_star(&two, NULL);
    const figures cores = run_star(&beside, NULL);
    const double launches_s = 1e-3 * (double)alone.stats.launches;

    ck_assert_uint_eq(alone.stats.chained, alone.stats.launches);
    ck_assert_double_eq_tol(alone.time_s, launches_s, 1e-3 * launches_s);
    ck_assert_double_gt(half.time_s, 0.5 * launches_s);
    ck_assert_double_lt(half.time_s, 0.8 * launches_s);
    /* two cores together are as fast as the other device, and copy nothing */
    ck_assert_double_eq_tol(cores.time_s, half.time_s, 0.1 * half.time_s);
    ck_assert_uint_lt(bytes_of(&cores), bytes_of(&half));
}
END_TEST

/* Bytes cross once for a block, and so the time of a slow link falls. */
START_TEST(copies_take_what_the_link_needs)
{
    const machine one = {1, 0, slow_bus, 1, 0};
    const machine two = {2, 0, slow_bus, 1, 0};
    const machine turns = {2, 0, one_lane, 1, 0};
    const hit_choice single = {.steps = 1, .width = {4, 6, 5, 3}};
    const figures blocked = run_star(&one, NULL);
    const figures steps = run_star(&one, &single);
    const figures lanes = run_star(&two, NULL);
    const figures lane = run_star(&turns, NULL);
    const double in_s = 1e-6 * (double)blocked.stats.bytes_in;

    ck_assert_uint_eq(steps.stats.chained, 0);
    ck_assert_uint_lt(2 * bytes_of(&blocked), bytes_of(&steps));
    ck_assert_double_gt(blocked.time_s, in_s);
    ck_assert_double_lt(blocked.time_s, 1e-6 * (double)bytes_of(&blocked));
    ck_assert_double_lt(2 * blocked.time_s, steps.time_s);
    ck_assert_uint_eq(bytes_of(&lane), bytes_of(&lanes));
    ck_assert_double_eq_tol(lane.time_s, 2 * lanes.time_s, 1e-3 * lane.time_s);
}
END_TEST

START_TEST(a_plan_has_the_same_figures)
{
    static const machine all[] = {{1, 0, slow_bus, 500, 0},
                                  {2, 0, one_lane, 3000, 0},
                                  {3, 2, slow_bus, 3000, 20000}};

    for (size_t m = 0; m < sizeof(all) / sizeof(all[0]); m++) {
        const figures run = run_star(&all[m], NULL);
        figures planned;

        ck_assert_int_eq(setenv("HIT_PLAN", "1", 1), 0);
        planned = run_star(&all[m], NULL);
        ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
        ck_assert_uint_gt(run.stats.chained, 0);
        ck_assert_uint_eq(planned.stats.chained, run.stats.chained);
        ck_assert_uint_eq(planned.stats.bytes_in, run.stats.bytes_in);
        ck_assert_uint_eq(planned.stats.bytes_out, run.stats.bytes_out);
        ck_assert_uint_eq(planned.stats.superblocks, run.stats.superblocks);
        ck_assert_double_eq(planned.time_s, run.time_s);
    }
}
END_TEST

/* A block of four steps, and behind it one step on few rows, some times. */
static figures run_rounds(const machine *of, int rounds, hit_index rows, bool plans)
{
    chains_scene s;
    figures made;

    if (plans) ck_assert_int_eq(setenv("HIT_PLAN", "1", 1), 0);
    s = open_on(write_machine(of), NULL);
    if (plans) ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
    HIT_MUST(hit_chain(s.hit, 4));
    for (int k = 0; k < rounds; k++) {
        const hit_domain all = s.inner;

        for (int t = 0; t < 4; t++) {
            chains_launch_star(&s, s.tile[1 - t % 2], s.tile[t % 2], t);
        }
        if (rows == 0) continue;
        s.inner.sig[0].end = s.inner.sig[0].begin + rows - 1;
        chains_launch_star(&s, s.tile[1], s.tile[0], 2);
        s.inner = all;
    }
    HIT_MUST(hit_wait(s.hit));
    made = figures_of(&s);
    chains_close(&s);
    return made;
}

/* The launch behind the block fits the device, so that it begins none. */
START_TEST(what_a_block_refuses_is_a_task)
{
    static const machine all[] = {{1, 0, fast_bus, 1000000, 0},
                                  {1, 1, fast_bus, 1000000, 3000000}};

    for (int k = 0; k < 4; k++) {
        const machine *of = &all[k / 2];
        const figures blocks = run_rounds(of, 3, 0, k % 2);
        const figures found = run_rounds(of, 3, 4, k % 2);

        ck_assert_uint_eq(blocks.stats.chained, 12);
        ck_assert_uint_eq(found.stats.chained, 12);
        ck_assert_uint_eq(found.stats.launches, 15);
        ck_assert_double_eq_tol(found.time_s - blocks.time_s, 3e-3, 1e-5);
    }
}
END_TEST

/* A row of what it needs has no room on the device. */
START_TEST(what_no_block_can_have_is_a_task)
{
    const machine of = {1, 1, fast_bus, 1000000, 3000000};

    for (int plans = 0; plans <= 1; plans++) {
        const char *devices = write_machine(&of);
        chains_scene s;

        if (plans) ck_assert_int_eq(setenv("HIT_PLAN", "1", 1), 0);
        s = chains_open_on(NULL, devices, "single", 10 * CHAINS_N);
        if (plans) ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
        HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
        for (int t = 0; t < 2; t++) {
            chains_launch_star(&s, s.tile[1], s.tile[0], t);
            HIT_MUST(hit_wait(s.hit));
            ck_assert_double_eq_tol(figures_of(&s).time_s, 3e-3 * (t + 1), 1e-5);
        }
        ck_assert_uint_eq(figures_of(&s).stats.chained, 0);
        chains_close(&s);
    }
}
END_TEST

/* A tile that no launch of the block uses leaves the device, too. */
START_TEST(a_block_has_all_memory)
{
    const machine of = {1, 0, slow_bus, 1000, 0};

    for (int plans = 0; plans <= 1; plans++) {
        const char *devices = write_machine(&of);
        chains_scene s;
        hit_domain all;

        if (plans) ck_assert_int_eq(setenv("HIT_PLAN", "1", 1), 0);
        s = open_on(devices, NULL);
        if (plans) ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
        all = s.inner;
        s.inner.sig[0].end = s.inner.sig[0].begin + 3;
        chains_launch_star(&s, s.tile[2], s.tile[0], 0);
        HIT_MUST(hit_wait(s.hit));
        ck_assert_uint_eq(figures_of(&s).stats.bytes_out, 0);
        s.inner = all;
        chains_launch_star(&s, s.tile[1], s.tile[0], 1); /* it is recorded */
        ck_assert_uint_eq(figures_of(&s).stats.bytes_out, 4 * (CHAINS_N - 4) * 4);
        chains_close(&s);
    }
}
END_TEST

/* All copies, and nothing behind the end. */
START_TEST(a_trace_has_what_the_counters_have)
{
    const machine of = {2, 2, one_lane, 3000, 20000};
    uint64_t bytes[HIT_TRACE_LANES] = {0};
    chains_scene s;
    figures found;

    ck_assert_int_eq(setenv("HIT_TRACE", "/dev/null", 1), 0);
    s = open_on(write_machine(&of), NULL);
    ck_assert_int_eq(unsetenv("HIT_TRACE"), 0);
    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    found = figures_of(&s);
    ck_assert_uint_gt(found.stats.chained, 0);
    for (const hit_trace *trace = s.hit->trace; trace != NULL; trace = trace->next) {
        ck_assert_uint_gt(trace->list[HIT_TRACE_RUN].count, 0);
        for (int lane = HIT_TRACE_RUN; lane < HIT_TRACE_LANES; lane++) {
            for (size_t k = 0; k < trace->list[lane].count; k++) {
                const hit_trace_event *event = &trace->list[lane].event[k];

                bytes[lane] += event->bytes;
                ck_assert_double_le(event->end_s,
                                    s.hit->trace->origin_s + found.time_s + 1e-8);
            }
        }
    }
    ck_assert_uint_eq(bytes[HIT_TRACE_IN], found.stats.bytes_in);
    ck_assert_uint_eq(bytes[HIT_TRACE_OUT], found.stats.bytes_out);
    chains_close(&s);
}
END_TEST

/* Launches are tasks where no device has a memory, where a device cannot run the kernel,
 * and where the program asks for no chain. */
START_TEST(else_launches_are_tasks)
{
    const machine cores = {0, 2, fast_bus, 100, 100};
    const machine no_gpu = {1, 1, fast_bus, 0, 100};
    const machine both = {1, 1, fast_bus, 100, 100};
    chains_scene s = chains_open_on(NULL, write_machine(&both), "single", CHAINS_N);

    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    ck_assert_uint_eq(figures_of(&s).stats.chained, 0);
    chains_close(&s);
    ck_assert_uint_eq(run_star(&cores, NULL).stats.chained, 0);
    ck_assert_uint_eq(run_star(&no_gpu, NULL).stats.chained, 0);
    ck_assert_uint_gt(run_star(&both, NULL).stats.chained, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("chains on simulated machines");
    TCase *tests = tcase_create("chains");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, programs_have_the_same_bits);
    tcase_add_test(tests, bytes_are_those_of_real_devices);
    tcase_add_test(tests, kernels_take_what_the_file_says);
    tcase_add_test(tests, copies_take_what_the_link_needs);
    tcase_add_test(tests, a_plan_has_the_same_figures);
    tcase_add_test(tests, what_a_block_refuses_is_a_task);
    tcase_add_test(tests, what_no_block_can_have_is_a_task);
    tcase_add_test(tests, a_block_has_all_memory);
    tcase_add_test(tests, a_trace_has_what_the_counters_have);
    tcase_add_test(tests, else_launches_are_tasks);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR");
    int code;

    (void)snprintf(path, sizeof(path), "%s/hit-chains-%ld.machine",
                   folder != NULL ? folder : "/tmp", (long)getpid());
    code = check_run_open(&argc, &argv, suite(), &base);
    (void)remove(path);
    return code;
}
