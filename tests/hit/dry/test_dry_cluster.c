/* SPDX-License-Identifier: MIT
 * Dry runs on the nodes of a machine file: what they move is what processes with such
 * devices count; how long they take follows from the file's lines. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/alloc.h"
#include "hit/kernel.h"
#include "kernels/kernels.h"
#include "tests/hit/dry/cluster.h"
#include "tests/hit/launch/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static hit_status open_plan(int processes, FILE *out, hit_context **hit)
{
    return open_plan_on(device, processes, out, hit);
}

/* ---- what is moved ---- */

static hit_stats figures_of(const trial *kind, uint64_t seed, bool dry)
{
    const hit_options options = {.devices = "host:memory=900:threads=1; "
                                            "host:threads=1; host:memory=600:threads=1"};
    scene s = {.good = true, .random = {seed}};
    hit_stats stats;

    if (dry) {
        HIT_MUST(open_plan(hit_size(base), NULL, &s.hit));
    } else {
        HIT_MUST(hit_open_with(NULL, NULL, &options, &s.hit));
    }
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF)); /* dry runs have none */
    kind->run(&s);
    HIT_MUST(hit_context_stats_all(s.hit, &stats));
    hit_close(&s.hit);
    return stats;
}

START_TEST(what_nodes_move_is_what_such_processes_count)
{
    write_machine("device small 1 memory=600 link=bus\n"
                  "device large 1 memory=900 link=bus\ndevice core 1\n"
                  "link bus in=1000000000 out=1000000000\nnode a 1 large=1\n"
                  "node b 1 core=1\nnode c 1 small=1\n");
    for (int k = 0; k < trial_count; k++) {
        const uint64_t seed = 50000 + (uint64_t)k;
        const hit_stats done = figures_of(&trials[k], seed, false);
        hit_stats planned;

        if (hit_rank(base) != 0) continue;
        planned = figures_of(&trials[k], seed, true);
        ck_assert_uint_eq(planned.launches, done.launches);
        ck_assert_uint_eq(planned.indices, done.indices);
        ck_assert_uint_eq(planned.superblocks, done.superblocks);
        ck_assert_uint_eq(planned.messages_sent, done.messages_sent);
        /* a plan does not know that content has not changed since it was sent */
        ck_assert_uint_ge(planned.message_bytes_sent, done.message_bytes_sent);
    }
    (void)unlink(file);
}
END_TEST

/* The figures of a plan of 40 steps, in blocks of up to 8, for 5 processes. */
static hit_stats figures_of_steps(const char *devices)
{
    const hit_domain all = hit_domain_of(200, 80);
    const hit_domain inner = hit_box_of(1, 198, 1, 78);
    const double c = 0.1;
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;
    hit_stats stats;

    HIT_MUST(open_plan_on(devices, 5, NULL, &hit));
    HIT_MUST(hit_chain(hit, 8));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "y", &y));
    for (int t = 0; t < 40; t++) {
        HIT_MUST(hit_launch(hit, &heat_double, inner, y, x, HIT_VALUE(c)));
        hit_tile_swap(&x, &y);
    }
    HIT_MUST(hit_context_stats_all(hit, &stats));
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
    return stats;
}

static void expect_chained(const char *devices)
{
    const hit_stats on_nodes = figures_of_steps(device);
    const hit_stats listed = figures_of_steps(devices);

    ck_assert_uint_gt(on_nodes.chained, 0);
    ck_assert_uint_eq(on_nodes.chained, listed.chained);
    ck_assert_uint_eq(on_nodes.superblocks, listed.superblocks);
    ck_assert_uint_eq(on_nodes.messages_sent, listed.messages_sent);
    ck_assert_uint_eq(on_nodes.message_bytes_sent, listed.message_bytes_sent);
    ck_assert_uint_eq(on_nodes.bytes_in, listed.bytes_in);
    ck_assert_uint_eq(on_nodes.bytes_out, listed.bytes_out);
}

START_TEST(nodes_that_are_alike_have_chains)
{
    if (hit_rank(base) != 0) return;
    write_machine("device core 1\nnode one 2 core=1\nnode two 1 core=1\n");
    expect_chained("host:threads=1");
    (void)unlink(file);
    write_machine("device gpu 1 memory=16KiB link=bus\n"
                  "link bus in=1000000000 out=1000000000\nnode one 3 gpu=1\n");
    expect_chained("host:threads=1:memory=16KiB");
    (void)unlink(file);
}
END_TEST

/* ---- how long it takes ---- */

HIT_BOX_KERNEL(fill_it, (i), (out, double, y, "[i]"))
{
    (void)run;
    return HIT_OK;
}

HIT_BOX_KERNEL(look_at_next_double, (i), (out, double, y, "[i]"),
               (in, double, x, "[i:i+1]"))
{
    (void)run;
    return HIT_OK;
}

/* What is printed of one launch on @p extent indices. */
static char *plan_of(const hit_kernel *kernel, hit_index extent, int processes)
{
    const hit_domain all = hit_domain_of(extent);
    const hit_domain inner = hit_box_of(0, extent - 2);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;

    ck_assert_ptr_nonnull(out);
    HIT_MUST(open_plan(processes, out, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "y", &y));
    if (kernel == &fill_it) {
        HIT_MUST(hit_launch(hit, kernel, all, y));
    } else {
        HIT_MUST(hit_launch(hit, kernel, inner, y, x));
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static void expect_time(const hit_kernel *kernel, hit_index extent, double seconds)
{
    char *text = plan_of(kernel, extent, 0);

    ck_assert_double_eq_tol(number_of(text, "\"predicted_s\": "), seconds,
                            1e-6 * seconds);
    free(text);
}

START_TEST(a_time_is_that_of_the_slowest_node_and_of_its_messages)
{
    if (hit_rank(base) != 0) return;
    write_machine("device core 1\ndevice slow 1\n"
                  "rate fill_it core * 2e6\nrate fill_it slow * 1e6\n"
                  "rate look_at_next core 1000 4e6\nrate look_at_next core 3000 2e6\n"
                  "network bytes=1000000 ns=3000\nnode fast 2 core=2\n"
                  "node slow 1 slow=1\n");
    /* 1000 indices each: two cores 4e6, the slow one 1e6 */
    expect_time(&fill_it, 3000, 1e-3);
    (void)unlink(file);
    write_machine("device core 1\nrate look_at_next core 1000 4e6\n"
                  "rate look_at_next core 3000 2e6\nnetwork bytes=1000000 ns=3000\n"
                  "node one 2 core=1\n");
    /* 2000 indices in the middle of two speeds, one message of 8 bytes at 1e6 B/s; the
     * process that sends has 2000, the one that receives has one less */
    expect_time(&look_at_next_double, 4000, 2000 / 3e6 + 3e-6 + 8e-6);
    (void)unlink(file);
}
END_TEST

/* A quarter of the indices is a process's part. */
static hit_domain quarter_of(int k)
{
    return hit_box_of(k * 1000, k * 1000 + 999);
}

START_TEST(narrow_launches_run_side_by_side)
{
    const hit_domain all = hit_domain_of(4000);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;

    if (hit_rank(base) == 0) {
        write_machine("device core 1\nrate fill_it core * 1e6\n"
                      "rate look_at_next core * 2e6\n"
                      "network bytes=1000000 ns=3000\nnode one 4 core=1\n");
        HIT_MUST(open_plan(0, out, &hit));
        HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "x", &x));
        HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "y", &y));
        /* of both kinds the first launch has a vote: 2 messages of 24 B */
        HIT_MUST(hit_launch(hit, &look_at_next_double, quarter_of(0), y, x));
        for (int k = 0; k < 4; k++) { /* 1 ms; process 1 does twice as much */
            HIT_MUST(hit_launch(hit, &fill_it, quarter_of(k), x));
        }
        HIT_MUST(hit_launch(hit, &fill_it, quarter_of(1), x));
        /* 0.5 ms, when process 1 is done and has sent an element; 2 and 3 do not wait */
        HIT_MUST(hit_launch(hit, &look_at_next_double, quarter_of(0), y, x));
        HIT_MUST(hit_launch(hit, &fill_it, quarter_of(3), x));
        HIT_MUST(hit_launch(hit, &fill_it, all, y)); /* 1 ms on all */
        HIT_MUST(hit_launch(hit, &fill_it, quarter_of(2), x));
        hit_tile_destroy(&x);
        hit_tile_destroy(&y);
        hit_close(&hit);
        (void)unlink(file);
    }
    ck_assert_int_eq(fclose(out), 0);
    if (hit_rank(base) == 0) {
        ck_assert_double_eq_tol(
            number_of(strstr(text, "{\"launches\": "), "predicted_s\": "),
            2 * 54e-6 + 0.5e-3 + 11e-6 + 2e-3 + 11e-6 + 0.5e-3 + 1e-3 + 1e-3, 1e-9);
    }
    free(text);
}
END_TEST

START_TEST(energy_is_that_at_rest_and_of_kernels)
{
    char *text;

    if (hit_rank(base) != 0) return;
    write_machine("device core 1 watts=12 idle=2\ndevice slow 1 watts=5 idle=5\n"
                  "rate fill_it core * 2e6\nrate fill_it slow * 1e6\n"
                  "network bytes=1000000 ns=3000\nnode fast 2 core=2\n"
                  "node slow 1 slow=1\n");
    text = plan_of(&fill_it, 3000, 0);
    /* 1 ms at 2 x 4 + 5 W, and a vote, 3 messages of 24 B; 2 x 1000 indices at 4e6, with
     * 20 W more */
    ck_assert_double_eq_tol(number_of(text, "\"predicted_j\": "),
                            13 * (1e-3 + 81e-6) + 2 * 20 * 25e-5, 1e-8);
    free(text);
    (void)unlink(file);
    write_machine("device core 1\nrate fill_it core * 1e6\nnode one 2 core=1\n");
    text = plan_of(&fill_it, 3000, 0);
    ck_assert_ptr_null(strstr(text, "predicted_j"));
    free(text);
    (void)unlink(file);
}
END_TEST

START_TEST(devices_of_a_node_share_by_their_times)
{
    char *all;
    const char *text;

    if (hit_rank(base) != 0) return;
    write_machine("device core 8\ndevice core*2 2\n"
                  "device gpu 1 memory=1MiB link=bus\n"
                  "link bus in=8000000000 in_ns=100 out=8000000000 out_ns=100\n"
                  "rate fill_it core * 1e6\nrate fill_it core*2 * 2e6\n"
                  "rate fill_it gpu * 5e6\nnetwork bytes=1000000\n"
                  "node mixed 3 core=3 core*2=1 gpu=1\n");
    all = plan_of(&fill_it, 30000, 0);
    /* 3e6, 2e6 and 5e6 */
    ck_assert_ptr_nonnull(strstr(all, "\"processes\": 3, \"device\": \"mixed: 3 core + 1 "
                                      "core*2 + 1 gpu of 1 MiB\""));
    text = strstr(all, "\"devices\"");
    ck_assert_double_eq_tol(number_of(text, "\"most\": "), 3000, 40);
    text = strstr(text, "\"indices\"") + 1;
    text = strstr(text, "\"indices\"");
    ck_assert_double_eq_tol(number_of(text, "\"most\": "), 2000, 40);
    text = strstr(text + 1, "\"indices\"");
    ck_assert_double_eq_tol(number_of(text, "\"most\": "), 5000, 40);
    /* the first launch finds even shares: a third of 10,000 with 2e6 */
    ck_assert_double_eq_tol(number_of(all, "\"predicted_s\": "), 1e4 / 3 / 2e6, 1e-6);
    ck_assert_double_eq_tol(number_of(all, "\"again_s\": "), 1e-3, 1e-5);
    free(all);
    (void)unlink(file);
}
END_TEST

START_TEST(what_a_file_does_not_say_is_not_known)
{
    char *text;

    if (hit_rank(base) != 0) return;
    write_machine("device core 1\nnode one 2 core=1\n");
    text = plan_of(&look_at_next_double, 40, 0);
    ck_assert_ptr_nonnull(strstr(text, "\"predicted_s\": null, \"not_measured\": "
                                       "[\"kernel\", \"messages\"]"));
    free(text);
    /* nodes are taken in turn */
    text = plan_of(&fill_it, 40, 5);
    ck_assert_double_eq(number_of(text, "\"processes\": "), 5);
    free(text);
    (void)unlink(file);
}
END_TEST

START_TEST(what_is_not_there_takes_nothing)
{
    char *text;

    if (hit_rank(base) != 0) return;
    /* more devices than a list has, more threads than could be started, memories that are
     * not the host's, and a kind of nodes that no process is of */
    write_machine("device gpu 1 memory=1MiB link=bus\n"
                  "device core 1\n"
                  "device core*100000 1\n"
                  "link bus in=8000000000 out=8000000000\n"
                  "rate fill_it gpu * 1e6\n"
                  "rate fill_it core 100 1e6\n"
                  "rate fill_it core 200 2e6\n"
                  "rate fill_it core*100000 * 1e6\n"
                  "node a 1 gpu=60\n"
                  "node b 1 gpu=60 core=256\n"
                  "node c 1 gpu=61 core=200\n"
                  "node d 1 gpu=62 core=200\n"
                  "node e 1 gpu=63 core*100000=1\n"
                  "node f 1 gpu=64\n");
    text = plan_of(&fill_it, 50000, 5);
    ck_assert_ptr_nonnull(strstr(text, "e: 63 gpu of 1 MiB + 1 core*100000"));
    ck_assert_ptr_null(strstr(text, "f: 64 gpu"));
    ck_assert_double_eq(number_of(text, "\"staged_bytes\": "), 0);
    free(text);
    (void)unlink(file);
    write_machine("device core 1\n"
                  "rate fill_it core 100 1e6\n"
                  "rate fill_it core * 2e6\n"
                  "node a 1 core=1\n");
    {
        hit_context *hit = NULL;

        ck_assert_int_eq(open_plan(0, NULL, &hit), HIT_E_ARG);
        ck_assert_msg(strstr(hit_status_text(), ":4: expected one rate of fill_it") !=
                          NULL,
                      "%s", hit_status_text());
    }
    (void)unlink(file);
}
END_TEST

/* The elements of a process in a layout that balances for heat. */
static double count_of(const hit_layout *layout, int rank)
{
    hit_region part = {0};
    double count;

    HIT_MUST(hit_layout_part(layout, rank, &part));
    count = (double)hit_region_count(&part);
    hit_region_clear(&part);
    return count;
}

START_TEST(layouts_find_speeds_in_the_file)
{
    const hit_domain all = hit_domain_of(300, 200);
    hit_context *hit;
    hit_layout *layout;

    if (hit_rank(base) != 0) return;
    write_machine("device core 4\n"
                  "device gpu 1 memory=1MiB link=bus\n"
                  "link bus in=8000000000 in_ns=100 out=8000000000 out_ns=100\n"
                  "rate heat core * 1e6\n"
                  "rate heat gpu 10 2e6\n"
                  "rate heat gpu 20 4e6\n"
                  "node one 2 core=1\n"
                  "node four 1 core=3 gpu=1\n");
    HIT_MUST(open_plan(0, NULL, &hit));
    /* 1e6, 1e6, 7e6 */
    HIT_MUST(hit_layout_create(hit, all, "fpm2d:kernel=heat", &layout));
    ck_assert_double_eq_tol(count_of(layout, 0), 60000 / 9., 600);
    ck_assert_double_eq_tol(count_of(layout, 1), 60000 / 9., 600);
    ck_assert_double_eq_tol(count_of(layout, 2), 7 * 60000 / 9., 1200);
    hit_layout_destroy(&layout);
    ck_assert_int_eq(hit_layout_create(hit, all, "fpm2d:kernel=wave_float", &layout),
                     HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(),
                         "expected a line rate for wave_float on node one") != NULL,
                  "%s", hit_status_text());
    hit_close(&hit);
    (void)unlink(file);
}
END_TEST

/* ---- what is refused ---- */

static void refuse(hit_status status, const char *words)
{
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "%s", hit_status_text());
}

START_TEST(nodes_are_for_dry_runs_of_one_process)
{
    hit_options options = {.devices = device};
    hit_context *hit = NULL;

    write_machine("device core 1\nnode one 2 core=1\n");
    setenv("HIT_PLAN", "0", 1);
    refuse(hit_open_from(comm_self(), &options, &hit), "expected HIT_PLAN beside");
    setenv("HIT_PLAN", "measure", 1);
    refuse(hit_open_from(comm_self(), &options, &hit), "but found measure");
    setenv("HIT_PLAN", "1", 1);
    (void)strcat(device, ":gpus=1");
    refuse(hit_open_from(comm_self(), &options, &hit), "expected nothing behind");
    device[strlen(device) - strlen(":gpus=1")] = '\0';
    if (hit_size(base) > 1) {
        refuse(hit_open_with(NULL, NULL, &options, &hit), "expected one process");
    }
    setenv("HIT_PLAN", "0", 1);
    (void)unlink(file);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("dry_cluster");
    TCase *tests = tcase_create("dry_cluster");

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, what_nodes_move_is_what_such_processes_count);
    tcase_add_test(tests, nodes_that_are_alike_have_chains);
    tcase_add_test(tests, a_time_is_that_of_the_slowest_node_and_of_its_messages);
    tcase_add_test(tests, narrow_launches_run_side_by_side);
    tcase_add_test(tests, energy_is_that_at_rest_and_of_kernels);
    tcase_add_test(tests, devices_of_a_node_share_by_their_times);
    tcase_add_test(tests, what_a_file_does_not_say_is_not_known);
    tcase_add_test(tests, what_is_not_there_takes_nothing);
    tcase_add_test(tests, layouts_find_speeds_in_the_file);
    tcase_add_test(tests, nodes_are_for_dry_runs_of_one_process);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
