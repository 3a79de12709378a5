/* SPDX-License-Identifier: MIT
 * Launches that a scheduler places: results are those of the sequential program whatever
 * the scheduler and the memory, on simulated machines and on real devices. On the former
 * time is virtual, and equal runs are equal. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/scheduled/schedule.h"
#include "tests/hit/scheduled/simulate_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_context *base; /* keeps MPI open */

/* Real devices, of which some have memories of their own of some blocks. */
static const char *const real[] = {"host:threads=1:memory=384B",
                                   "host:threads=1:memory=400B * 2",
                                   "host:threads=1 + host:threads=2:memory=2KiB",
                                   "host:threads=1:memory=500B + host:threads=1 + "
                                   "host:threads=1:memory=800B:slow=3 + "
                                   "host:threads=1:memory=1KiB"};
enum {
    REAL = sizeof real / sizeof real[0]
};

static const char *const schedulers[] = {
    "heft",
    "heftrank",
    "dada:alpha=0.5,cp",
    "dada:affinity=all",
    "home",
    "mct",
    "mct:beta=2",
    "static",
    "eager",
    "steal",
    "steal:affinity",
    "random",
    "mct:queue=rank",
    "mct:queue=lack",
};
enum {
    SCHEDULERS = sizeof schedulers / sizeof schedulers[0]
};

/* ---- the program ---- */

typedef struct matrix {
    hit_tile *all;
    hit_tile *block[TILES][TILES];
} matrix;

static matrix make_matrix(void)
{
    matrix m = {.all = simulate_tile()};
    hit_view view;

    HIT_MUST(hit_tile_map(m.all, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < N; j++) {
            HIT_AT(view, hit_index, i, j) = 7 * i + j;
        }
    }
    for (hit_index i = 0; i < TILES; i++) {
        for (hit_index j = 0; j < TILES; j++) {
            const hit_domain box = {.dims = 2,
                                    .sig = {{i * EDGE, i * EDGE + EDGE - 1, 1},
                                            {j * EDGE, j * EDGE + EDGE - 1, 1}}};

            HIT_MUST(hit_tile_select(m.all, box, &m.block[i][j]));
        }
    }
    return m;
}

static void drop_matrix(matrix *m)
{
    for (hit_index i = 0; i < TILES; i++) {
        for (hit_index j = 0; j < TILES; j++) {
            hit_tile_destroy(&m->block[i][j]);
        }
    }
    hit_tile_destroy(&m->all);
}

/* As a factorisation goes. */
static void launch_all(const matrix *m)
{
    for (hit_index k = 0; k < TILES; k++) {
        for (hit_index i = k + 1; i < TILES; i++) {
            for (hit_index j = k + 1; j <= i; j++) {
                HIT_MUST(hit_launch(hit, &mix_int64, hit_domain_of(1), m->block[i][j],
                                    m->block[i][k], m->block[j][k]));
            }
        }
    }
}

static void read_all(const matrix *m, hit_index found[])
{
    hit_view view;

    HIT_MUST(hit_tile_map(m->all, 0, HIT_READ, &view));
    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < N; j++) {
            found[i * N + j] = HIT_AT(view, hit_index, i, j);
        }
    }
}

/* One look in the middle: of a block, or a write of it. */
static void run_program(hit_index found[])
{
    matrix m = make_matrix();
    hit_view view;

    launch_all(&m);
    HIT_MUST(hit_tile_map(m.block[2][1], 0, HIT_READ_WRITE, &view));
    HIT_AT(view, hit_index, 2 * EDGE, EDGE) += 5;
    launch_all(&m);
    HIT_MUST(hit_wait(hit));
    launch_all(&m);
    read_all(&m, found);
    drop_matrix(&m);
}

static void want(hit_index expected[])
{
    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &hit));
    run_program(expected);
    hit_close(&hit);
}

/* By each scheduler on each of the machines. */
static void compare_all(const char *const options[], int count)
{
    static hit_index expected[N * N];
    static hit_index found[N * N];

    want(expected);
    for (int k = 0; k < SCHEDULERS * count; k++) {
        simulate_open(options[k % count], schedulers[k / count]);
        run_program(found);
        hit_close(&hit);
        ck_assert_msg(memcmp(found, expected, sizeof found) == 0, "%s on %s",
                      schedulers[k / count], options[k % count]);
    }
}

START_TEST(results_are_those_of_the_host_by_every_scheduler_in_every_memory)
{
    static const char *const options[] = {"",
                                          "memory=400",
                                          "gpus=1,cpus=0,memory=384",
                                          "gpus=0",
                                          "bus=own,window=0",
                                          "gpus=3,memory=800,noise=20,seed=4",
                                          "gpus=8,cpus=6"};

    compare_all(options, 7);
}
END_TEST

START_TEST(on_real_devices_results_are_those_of_the_host_by_every_scheduler)
{
    compare_all(real, REAL);
}
END_TEST

START_TEST(equal_runs_take_equal_times_and_move_equal_bytes)
{
    static hit_index found[N * N];

    for (int s = 0; s < SCHEDULERS; s++) {
        hit_stats stats[2];
        double time_s[2];

        for (int k = 0; k < 2; k++) {
            simulate_open("noise=10,seed=7,memory=800", schedulers[s]);
            run_program(found);
            hit_context_stats(hit, &stats[k]);
            time_s[k] = hit_time(hit);
            hit_close(&hit);
        }
        ck_assert(time_s[0] == time_s[1] && time_s[0] > 0);
        ck_assert_uint_eq(stats[0].bytes_in, stats[1].bytes_in);
        ck_assert_uint_eq(stats[0].bytes_out, stats[1].bytes_out);
    }
}
END_TEST

START_TEST(time_is_that_of_the_machine_file)
{
    matrix m;

    simulate_open("gpus=0,cpus=1", "heft");
    m = make_matrix();
    launch_all(&m);
    ck_assert(hit_time(hit) == 0);
    HIT_MUST(hit_wait(hit));
    ck_assert_double_eq_tol(hit_time(hit), 35 * 500e-9, 1e-12); /* 35 launches */
    drop_matrix(&m);
    hit_close(&hit);
}
END_TEST

/* add_one is not in the machine file: 8 bytes in a nanosecond. */
START_TEST(a_kernel_that_the_machine_does_not_know_takes_its_bytes)
{
    simulate_pair p;

    simulate_open("", "heft");
    p = simulate_pair_make();
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
    HIT_MUST(hit_wait(hit));
    ck_assert_double_eq_tol(hit_time(hit), (2 * N * N + 1) * 1e-9, 1e-12);
    simulate_pair_drop(&p);
    hit_close(&hit);
}
END_TEST

/* Boxes of the same elements that are not equal. */
START_TEST(boxes_that_overlap_without_being_equal_are_right)
{
    hit_domain box = {.dims = 2, .sig = {{1, N - 2, 1}, {1, N - 2, 1}}};
    static const char *const devices[] = {"", "host:threads=1:memory=64KiB * 2",
                                          "host:threads=1:memory=1KiB"};

    for (int d = 0; d < 3; d++) { /* in the last one no launch is a task */
        hit_view view;
        simulate_pair p;

        simulate_open(devices[d], "home");
        p = simulate_pair_make();
        for (int k = 0; k < 10; k++) {
            HIT_MUST(
                hit_launch(hit, &add_one, k % 2 ? box : hit_domain_of(N, N), p.y, p.x));
            HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.x, p.y));
        }
        HIT_MUST(hit_tile_map(p.x, 0, HIT_READ, &view));
        ck_assert_int_eq(HIT_AT(view, hit_index, 4, 4), 20);
        ck_assert_int_eq(HIT_AT(view, hit_index, 0, 4), 10);
        simulate_pair_drop(&p);
        hit_close(&hit);
    }
}
END_TEST

/* More launches than the window holds, and than the graph remembers. */
START_TEST(a_long_program_runs_in_a_window)
{
    static const char *const devices[] = {"memory=10KiB",
                                          "host:threads=1:memory=10KiB * 2"};
    static const int turns[] = {40000, 3000};

    for (int d = 0; d < 2; d++) {
        simulate_pair p;

        simulate_open(devices[d], "mct");
        p = simulate_pair_make();
        for (int k = 0; k < turns[d]; k++) {
            simulate_add(p.y, p.x);
            simulate_add(p.x, p.y);
        }
        ck_assert(hit_time(hit) > 0);
        ck_assert_int_eq(simulate_element(p.x), 2 * turns[d]);
        simulate_pair_drop(&p);
        hit_close(&hit);
    }
}
END_TEST

START_TEST(only_what_is_looked_at_comes_home)
{
    hit_stats before;
    hit_stats after;
    hit_view view;
    double time_s;
    matrix m;

    simulate_open("gpus=1,cpus=0", "heft");
    m = make_matrix();
    launch_all(&m);
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &before);
    ck_assert_uint_eq(before.bytes_out, 0);
    HIT_MUST(hit_tile_map(m.block[2][1], 0, HIT_READ, &view));
    hit_context_stats(hit, &after);
    ck_assert_uint_eq(after.bytes_out, EDGE * EDGE * 8);
    time_s = hit_time(hit);
    HIT_MUST(hit_tile_map(m.block[2][2], 0, HIT_WRITE, &view));
    drop_matrix(&m);
    hit_context_stats(hit, &after);
    ck_assert_uint_eq(after.bytes_out, EDGE * EDGE * 8);
    ck_assert(hit_time(hit) == time_s);
    hit_close(&hit);
}
END_TEST

START_TEST(on_a_real_device_only_what_is_looked_at_comes_home)
{
    hit_stats before;
    hit_stats after;
    hit_view view;
    matrix m;

    simulate_open("host:threads=1:memory=64KiB", "heft");
    m = make_matrix();
    launch_all(&m);
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &before);
    ck_assert_uint_gt(before.bytes_in, 0);
    ck_assert_uint_eq(before.bytes_out, 0);
    HIT_MUST(hit_tile_map(m.block[2][1], 0, HIT_READ, &view));
    hit_context_stats(hit, &after);
    ck_assert_uint_eq(after.bytes_out, EDGE * EDGE * 8);
    launch_all(&m);
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &after);
    ck_assert_uint_eq(after.bytes_in, before.bytes_in);
    drop_matrix(&m);
    hit_close(&hit);
}
END_TEST

/* What a launch that is no task needs comes home, and what it leaves is found. */
START_TEST(launches_that_are_no_tasks_run_between_tasks)
{
    for (int k = 0; k < REAL; k++) {
        simulate_pair p;
        hit_tile *total;
        hit_view view;

        simulate_open(real[k], "mct");
        p = simulate_pair_make();
        total = simulate_tile();
        for (int turn = 1; turn <= 3; turn++) {
            simulate_add(p.y, p.x);
            HIT_MUST(hit_launch(hit, &add_up, hit_domain_of(N, N), total, p.y));
            HIT_MUST(hit_tile_map(total, 0, HIT_READ, &view));
            ck_assert_int_eq(HIT_AT(view, hit_index, 0, 0), (2 * turn - 1) * N);
            simulate_add(p.x, p.y);
        }
        ck_assert_int_eq(simulate_element(p.x), 6);
        simulate_pair_drop(&p);
        hit_tile_destroy(&total);
        hit_close(&hit);
    }
}
END_TEST

/* A launch that reads beyond the tile gives it new memory, while a task on the device in
 * place is about to write to the old one. */
START_TEST(a_tile_that_grows_waits_for_the_tasks_that_use_its_memory)
{
    simulate_pair p;
    hit_view view;

    simulate_open("host:threads=1 + host:threads=1:memory=64KiB", "mct");
    p = simulate_pair_make();
    HIT_MUST(hit_tile_set_boundary(p.x, -1, HIT_BOUNDARY_CLAMP, NULL));
    HIT_MUST(hit_launch(hit, &add_late, hit_domain_of(N, N), p.x, HIT_ON("host:0")));
    HIT_MUST(hit_launch(hit, &from_west, hit_domain_of(N, N), p.y, p.x));
    HIT_MUST(hit_tile_map(p.x, 0, HIT_READ, &view));
    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < N; j++) {
            ck_assert_int_eq(HIT_AT(view, hit_index, i, j), 1);
        }
    }
    ck_assert_int_eq(simulate_element(p.y), 1);
    simulate_pair_drop(&p);
    hit_close(&hit);
}
END_TEST

START_TEST(a_program_may_bring_its_own_scheduler_and_change_it)
{
    hit_sched_ops mine = *hit_scheduler_table[0];
    hit_sched_ops later = *hit_scheduler_table[0];
    const hit_sched_ops *const own[] = {&mine, NULL};
    hit_options options = {.schedulers = own};
    char devices[96];
    static hit_index expected[N * N];
    static hit_index found[N * N];
    simulate_pair p;

    want(expected);
    mine.name = "mine";
    later.name = "later";
    (void)snprintf(devices, sizeof devices, "simulated:%s", simulate_machine);
    options.devices = devices;
    ck_assert_int_eq(setenv("HIT_SCHED", "mine", 1), 0);
    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
    p = simulate_pair_make();
    ck_assert_int_eq(hit_schedule(hit, "later"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "mine"));
    HIT_MUST(hit_scheduler_register(hit, &later));
    HIT_MUST(hit_schedule(hit, "later"));
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
    ck_assert_int_eq(hit_schedule(hit, "heft:colour=3"), HIT_E_ARG);
    ck_assert_int_eq(hit_schedule(hit, "no such one"), HIT_E_ARG);
    HIT_MUST(hit_schedule(hit, "mct:beta=2"));
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
    HIT_MUST(hit_schedule(hit, "mine"));
    run_program(found);
    ck_assert_int_eq(memcmp(found, expected, sizeof found), 0);
    simulate_pair_drop(&p);
    hit_close(&hit);
}
END_TEST

/* Of virtual time planning takes none. */
START_TEST(a_trace_has_the_time_in_which_launches_were_planned)
{
    static const char *const options[] = {"", "host:threads=1:memory=64KiB * 2"};

    for (int k = 0; k < 2; k++) {
        const hit_trace_event *event;
        simulate_pair p;

        ck_assert_int_eq(setenv("HIT_PROFILE", "1", 1), 0);
        simulate_open(options[k], "heft");
        ck_assert_int_eq(unsetenv("HIT_PROFILE"), 0);
        p = simulate_pair_make();
        simulate_add(p.y, p.x);
        HIT_MUST(hit_wait(hit));
        ck_assert_uint_eq(hit->trace->list[HIT_TRACE_LAUNCH].count, 1);
        event = &hit->trace->list[HIT_TRACE_LAUNCH].event[0];
        ck_assert_int_eq(event->plan_s > 0, k == 1);
        ck_assert(event->end_s - event->start_s >= event->plan_s);
        ck_assert_uint_eq(event->indices, (uint64_t)N * N);
        simulate_pair_drop(&p);
        hit_close(&hit);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("simulate");
    TCase *tests = tcase_create("programs");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests,
                   results_are_those_of_the_host_by_every_scheduler_in_every_memory);
    tcase_add_test(tests,
                   on_real_devices_results_are_those_of_the_host_by_every_scheduler);
    tcase_add_test(tests, equal_runs_take_equal_times_and_move_equal_bytes);
    tcase_add_test(tests, time_is_that_of_the_machine_file);
    tcase_add_test(tests, a_kernel_that_the_machine_does_not_know_takes_its_bytes);
    tcase_add_test(tests, boxes_that_overlap_without_being_equal_are_right);
    tcase_add_test(tests, a_long_program_runs_in_a_window);
    tcase_add_test(tests, only_what_is_looked_at_comes_home);
    tcase_add_test(tests, on_a_real_device_only_what_is_looked_at_comes_home);
    tcase_add_test(tests, launches_that_are_no_tasks_run_between_tasks);
    tcase_add_test(tests, a_tile_that_grows_waits_for_the_tasks_that_use_its_memory);
    tcase_add_test(tests, a_program_may_bring_its_own_scheduler_and_change_it);
    tcase_add_test(tests, a_trace_has_the_time_in_which_launches_were_planned);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return simulate_run(&argc, &argv, suite(), &base);
}
