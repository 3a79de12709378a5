/* SPDX-License-Identifier: MIT
 * Programs on simulated machines: results are those of the sequential program whatever
 * the scheduler and the memory, time is virtual, and equal runs are equal. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/run/simulate.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TILES = 6,
    EDGE = 4,
    N = TILES * EDGE
};

extern const hit_kernel mix_int64, add_one, fails;

/* Keeps MPI open. */
static hit_context *base;
static hit_context *hit;
static char machine[64]; /* the path of a file */

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

static hit_tile *make(void)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(N, N), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "A", &tile));
    hit_layout_destroy(&layout);
    return tile;
}

typedef struct pair {
    hit_tile *x;
    hit_tile *y;
} pair;

static pair make_pair(void)
{
    return (pair){make(), make()};
}

static void drop_pair(pair *p)
{
    hit_tile_destroy(&p->x);
    hit_tile_destroy(&p->y);
}

static matrix make_matrix(void)
{
    matrix m = {.all = make()};
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

static void open_on(const char *options, const char *scheduler)
{
    char devices[160];

    (void)snprintf(devices, sizeof devices, "simulated:%s%s%s", machine,
                   options[0] != '\0' ? ":" : "", options);
    ck_assert_int_eq(setenv("HIT_SCHED", scheduler, 1), 0);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
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

START_TEST(results_are_those_of_the_host_by_every_scheduler_in_every_memory)
{
    static const char *const options[] = {"",
                                          "memory=400",
                                          "gpus=1,cpus=0,memory=384",
                                          "gpus=0",
                                          "bus=own,window=0",
                                          "gpus=3,memory=800,noise=20,seed=4",
                                          "gpus=8,cpus=6"};
    static hit_index expected[N * N];
    static hit_index found[N * N];

    want(expected);
    for (int s = 0; s < SCHEDULERS; s++) {
        for (int k = 0; k < 7; k++) {
            open_on(options[k], schedulers[s]);
            run_program(found);
            hit_close(&hit);
            ck_assert_msg(memcmp(found, expected, sizeof found) == 0, "%s on %s",
                          schedulers[s], options[k]);
        }
    }
}
END_TEST

START_TEST(equal_runs_take_equal_times_and_move_equal_bytes)
{
    static hit_index found[N * N];

    for (int s = 0; s < SCHEDULERS; s++) {
        hit_stats stats[2];
        double time_s[2];

        for (int k = 0; k < 2; k++) {
            open_on("noise=10,seed=7,memory=800", schedulers[s]);
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

    open_on("gpus=0,cpus=1", "heft");
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
    pair p;

    open_on("", "heft");
    p = make_pair();
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
    HIT_MUST(hit_wait(hit));
    ck_assert_double_eq_tol(hit_time(hit), (2 * N * N + 1) * 1e-9, 1e-12);
    drop_pair(&p);
    hit_close(&hit);
}
END_TEST

/* Boxes of the same elements that are not equal. */
START_TEST(boxes_that_overlap_without_being_equal_are_right)
{
    hit_domain box = {.dims = 2, .sig = {{1, N - 2, 1}, {1, N - 2, 1}}};
    hit_view view;
    pair p;

    open_on("", "home");
    p = make_pair();
    for (int k = 0; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &add_one, k % 2 ? box : hit_domain_of(N, N), p.y, p.x));
        HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.x, p.y));
    }
    HIT_MUST(hit_tile_map(p.x, 0, HIT_READ, &view));
    ck_assert_int_eq(HIT_AT(view, hit_index, 4, 4), 20);
    ck_assert_int_eq(HIT_AT(view, hit_index, 0, 4), 10);
    drop_pair(&p);
    hit_close(&hit);
}
END_TEST

/* More launches than the window holds, and than the graph remembers. */
START_TEST(a_long_program_runs_in_a_window)
{
    hit_view view;
    pair p;

    open_on("memory=10KiB", "mct");
    p = make_pair();
    for (int k = 0; k < 40000; k++) {
        HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
        HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.x, p.y));
    }
    ck_assert(hit_time(hit) > 0);
    HIT_MUST(hit_tile_map(p.x, 0, HIT_READ, &view));
    ck_assert_int_eq(HIT_AT(view, hit_index, 4, 4), 80000);
    drop_pair(&p);
    hit_close(&hit);
}
END_TEST

START_TEST(only_what_is_looked_at_comes_home)
{
    hit_stats before;
    hit_stats after;
    hit_view view;
    double time_s;
    matrix m;

    open_on("gpus=1,cpus=0", "heft");
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

START_TEST(a_kernel_that_fails_is_told_once_and_others_run)
{
    hit_view view;
    pair p;
    hit_tile *z;

    open_on("", "heft");
    p = make_pair();
    z = make();
    HIT_MUST(hit_launch(hit, &fails, hit_domain_of(N, N), p.y, p.x));
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), z, p.x));
    ck_assert_int_eq(hit_wait(hit), HIT_E_DEVICE);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "does not want"));
    HIT_MUST(hit_wait(hit));
    HIT_MUST(hit_tile_map(z, 0, HIT_READ, &view));
    ck_assert_int_eq(HIT_AT(view, hit_index, 4, 4), 1);
    drop_pair(&p);
    hit_tile_destroy(&z);
    hit_close(&hit);
}
END_TEST

START_TEST(a_launch_that_no_device_can_run_is_told_at_once)
{
    pair p;

    open_on("cpus=0,memory=64", "heft");
    p = make_pair();
    ck_assert_int_eq(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x),
                     HIT_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "largest memory"));
    drop_pair(&p);
    hit_close(&hit);
}
END_TEST

static hit_status refuse(const char *devices)
{
    hit_context *none = NULL;
    const hit_status st =
        hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &none);

    ck_assert_ptr_null(none);
    return st;
}

START_TEST(mistakes_say_what_was_expected)
{
    char text[160];

    ck_assert_int_eq(refuse("simulated:"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "expected simulated:"));
    ck_assert_int_ne(refuse("simulated:nowhere"), HIT_OK);
    (void)snprintf(text, sizeof text, "simulated:%s:gpus=many", machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "many"));
    (void)snprintf(text, sizeof text, "simulated:%s:colour=3", machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "noise"));
    (void)snprintf(text, sizeof text, "simulated:%s:gpus=0,cpus=0", machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_int_eq(hit_schedule(NULL, "heft"), HIT_E_ARG);
    ck_assert_int_eq(hit_schedule(base, "heft"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "not simulated"));
}
END_TEST

/* The scheduler that HIT_SCHED names is looked for when the first launch needs it: it
 * may be the program's own. */
START_TEST(a_program_may_bring_its_own_scheduler_and_change_it)
{
    hit_sched_ops mine = *hit_scheduler_table[0];
    static hit_index expected[N * N];
    static hit_index found[N * N];
    pair p;

    want(expected);
    mine.name = "mine";
    open_on("", "mine");
    p = make_pair();
    ck_assert_int_eq(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "mine"));
    HIT_MUST(hit_scheduler_register(hit, &mine));
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
    ck_assert_int_eq(hit_schedule(hit, "heft:colour=3"), HIT_E_ARG);
    ck_assert_int_eq(hit_schedule(hit, "no such one"), HIT_E_ARG);
    HIT_MUST(hit_schedule(hit, "mct:beta=2"));
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x));
    HIT_MUST(hit_schedule(hit, "mine"));
    run_program(found);
    ck_assert_int_eq(memcmp(found, expected, sizeof found), 0);
    drop_pair(&p);
    hit_close(&hit);
}
END_TEST

/* Two GPUs and three cores; mix takes 200 ns on a GPU. */
static bool write_machine(void)
{
    FILE *file;

    (void)snprintf(machine, sizeof machine, "%s/hit-simulate-%ld.machine",
                   getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp", (long)getpid());
    file = fopen(machine, "w");
    if (file == NULL) return false;
    (void)fputs("# hit machine 1\n"
                "device gpu 2 memory=1MiB window=2 link=bus\n"
                "device core 3\n"
                "link bus lanes=1 in=1000000000 in_ns=100 out=1000000000 out_ns=100\n"
                "kernel mix 1\n"
                "time mix gpu * 200\n"
                "time mix core * 500\n",
                file);
    return fclose(file) == 0;
}

static Suite *suite(void)
{
    Suite *made = suite_create("simulate");
    TCase *tests = tcase_create("programs");

    tcase_add_test(tests,
                   results_are_those_of_the_host_by_every_scheduler_in_every_memory);
    tcase_add_test(tests, equal_runs_take_equal_times_and_move_equal_bytes);
    tcase_add_test(tests, time_is_that_of_the_machine_file);
    tcase_add_test(tests, a_kernel_that_the_machine_does_not_know_takes_its_bytes);
    tcase_add_test(tests, boxes_that_overlap_without_being_equal_are_right);
    tcase_add_test(tests, a_long_program_runs_in_a_window);
    tcase_add_test(tests, only_what_is_looked_at_comes_home);
    tcase_add_test(tests, a_kernel_that_fails_is_told_once_and_others_run);
    tcase_add_test(tests, a_launch_that_no_device_can_run_is_told_at_once);
    tcase_add_test(tests, mistakes_say_what_was_expected);
    tcase_add_test(tests, a_program_may_bring_its_own_scheduler_and_change_it);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    int code;

    if (!write_machine()) return 1;
    code = check_run_open(&argc, &argv, suite(), &base);
    (void)remove(machine);
    return code;
}
