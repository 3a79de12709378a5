/* SPDX-License-Identifier: MIT
 * Programs whose launches a scheduler places, and that fail: launches, and what is wrong
 * from the beginning. */
#define _POSIX_C_SOURCE 200809L /* setenv, open_memstream */
#include "hit/plugin.h"
#include "hit/sched/machine_file.h"
#include "hit/scheduled/schedule.h"
#include "tests/hit/scheduled/simulate_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_context *base; /* keeps MPI open */

START_TEST(a_kernel_that_fails_is_told_once_and_others_run)
{
    hit_tile *z;
    simulate_pair p;

    simulate_open("", "heft");
    p = simulate_pair_make();
    z = simulate_tile();
    HIT_MUST(hit_launch(hit, &fails, hit_domain_of(N, N), p.y, p.x));
    simulate_add(z, p.x);
    ck_assert_int_eq(hit_wait(hit), HIT_E_DEVICE);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "does not want"));
    HIT_MUST(hit_wait(hit));
    ck_assert_int_eq(simulate_element(z), 1);
    simulate_pair_drop(&p);
    hit_tile_destroy(&z);
    hit_close(&hit);
}
END_TEST

/* As tasks on threads: what reads a result that is not there, what writes what the failed
 * one was to read, and what comes after these does not run; what was launched before, and
 * what has nothing to do with it, does. When it is told, all is as it was before. */
START_TEST(what_comes_after_a_kernel_that_fails_is_cancelled_until_it_is_told)
{
    static const char *const options[] = {"",
                                          "gpus=1,cpus=0",
                                          "gpus=0,cpus=1",
                                          "gpus=2,cpus=0,memory=10KiB",
                                          "host:threads=1:memory=10KiB",
                                          "host:threads=1:memory=64KiB * 2",
                                          "host:threads=1 + host:threads=1:memory=1MiB"};

    for (int k = 0; k < 7; k++) {
        hit_tile *z;
        hit_tile *u;
        simulate_pair p;

        simulate_open(options[k], "mct");
        p = simulate_pair_make();
        z = simulate_tile();
        u = simulate_tile();
        simulate_add(p.x, u);                                             /* x 1 */
        simulate_add(z, p.x);                                             /* z 2 */
        HIT_MUST(hit_launch(hit, &fails, hit_domain_of(N, N), p.y, p.x)); /* y ? */
        simulate_add(z, p.y);
        simulate_add(p.x, u);
        simulate_add(u, z);
        ck_assert_int_eq(hit_wait(hit), HIT_E_DEVICE);
        ck_assert_int_eq(simulate_element(z), 2);
        ck_assert_int_eq(simulate_element(p.x), 1);
        ck_assert_int_eq(simulate_element(u), 0);
        simulate_add(p.y, z);
        ck_assert_int_eq(simulate_element(p.y), 3);
        simulate_pair_drop(&p);
        hit_tile_destroy(&z);
        hit_tile_destroy(&u);
        hit_close(&hit);
    }
}
END_TEST

/* The first in program order: the second one is over earlier, since the first waits. */
START_TEST(the_first_failure_in_program_order_is_told)
{
    static const char *const options[] = {"gpus=0", "host:threads=1:memory=64KiB * 2"};

    for (int k = 0; k < 2; k++) {
        simulate_pair p;
        simulate_pair q;

        simulate_open(options[k], "eager");
        p = simulate_pair_make();
        q = simulate_pair_make();
        simulate_add(p.x, p.y);
        HIT_MUST(hit_launch(hit, &fails, hit_domain_of(N, N), p.y, p.x));
        HIT_MUST(hit_launch(hit, &fails_too, hit_domain_of(N, N), q.y, q.x));
        ck_assert_int_eq(hit_wait(hit), HIT_E_DEVICE);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "does not want"));
        HIT_MUST(hit_wait(hit));
        simulate_pair_drop(&p);
        simulate_pair_drop(&q);
        hit_close(&hit);
    }
}
END_TEST

/* A launch that lets the others run first, since its box is a small part of theirs, is
 * not executed when one of them failed. */
START_TEST(a_launch_that_waits_tells_the_failure_and_does_not_run)
{
    const hit_domain part = {.dims = 2, .sig = {{1, N / 2, 1}, {1, N / 2, 1}}};
    simulate_pair p;

    simulate_open("", "heft");
    p = simulate_pair_make();
    HIT_MUST(hit_launch(hit, &fails, hit_domain_of(N, N), p.y, p.x));
    ck_assert_int_eq(hit_launch(hit, &add_one, part, p.x, p.y), HIT_E_DEVICE);
    HIT_MUST(hit_wait(hit));
    ck_assert_int_eq(simulate_element(p.x), 0);
    simulate_pair_drop(&p);
    hit_close(&hit);
}
END_TEST

/* With a scheduler and without: what meets the failure tells it and is not done, the next
 * time it is; what has nothing to do with it is done before. */
typedef struct failed_scene {
    simulate_pair p;
    hit_tile *total;
    hit_tile *other;
    hit_tile *block; /* of p.y, which `fails` is to write */
    bool
        takes_all; /* a launch that is no task takes the memory of devices: all go home */
} failed_scene;

static const hit_domain corner = {.dims = 2, .sig = {{0, EDGE - 1, 1}, {0, EDGE - 1, 1}}};

static hit_status map_block(const failed_scene *f)
{
    hit_view view;

    HIT_TRY(hit_tile_map(f->block, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i < EDGE; i++) {
        for (hit_index j = 0; j < EDGE; j++) {
            HIT_AT(view, hit_index, i, j) = 9;
        }
    }
    return HIT_OK;
}

static hit_status fill_block(const failed_scene *f)
{
    const int64_t nine = 9;

    return hit_tile_fill(f->block, &nine);
}

/* A launch that is no task. */
static hit_status sum_up(const failed_scene *f)
{
    return hit_launch(hit, &add_up, hit_domain_of(N, N), f->total, f->p.y);
}

static hit_index first_of(hit_tile *tile)
{
    hit_index value = -1;

    HIT_MUST(hit_tile_get(tile, (const hit_index[]){0, 0}, &value));
    return value;
}

static void check_all_ways(failed_scene *f)
{
    static hit_status (*const way[])(const failed_scene *) = {map_block, fill_block,
                                                              sum_up};

    for (int k = 0; k < 3; k++) {
        hit_index before;

        HIT_MUST(hit_launch(hit, &fails, corner, f->p.y, f->p.x));
        ck_assert_int_eq(first_of(f->p.x), 0);
        HIT_MUST(hit_launch(hit, &add_one, corner, f->other, f->p.x));
        if (!f->takes_all) {
            HIT_MUST(hit_launch(hit, &add_up, hit_domain_of(N, N), f->total, f->other));
        }
        ck_assert_int_eq(first_of(f->other), 1);
        before = first_of(f->total);
        ck_assert_int_eq(way[k](f), HIT_E_DEVICE);
        ck_assert_int_eq(first_of(f->total), before);
        if (k == 2) HIT_MUST(fill_block(f)); /* what was not written is not defined */
        HIT_MUST(way[k](f));
        ck_assert_int_eq(first_of(f->p.y), 9);
    }
    ck_assert_int_eq(first_of(f->total), 9 * EDGE);
    HIT_MUST(hit_wait(hit));
}

START_TEST(what_meets_a_failure_tells_it_and_is_not_done)
{
    static const char *const options[] = {"host:threads=2", "", "gpus=1,cpus=0",
                                          "host:threads=1:memory=64KiB * 2",
                                          "host:threads=1 + host:threads=1:memory=1MiB"};

    for (int k = 0; k < 5; k++) {
        failed_scene f;

        simulate_open(options[k], "mct");
        f.takes_all = k >= 3;
        f.p = simulate_pair_make();
        f.total = simulate_tile();
        f.other = simulate_tile();
        HIT_MUST(hit_tile_select(f.p.y, corner, &f.block));
        check_all_ways(&f);
        hit_tile_destroy(&f.block);
        simulate_pair_drop(&f.p);
        hit_tile_destroy(&f.total);
        hit_tile_destroy(&f.other);
        hit_close(&hit);
    }
}
END_TEST

START_TEST(a_launch_that_no_device_can_run_is_told_at_once)
{
    simulate_pair p;

    simulate_open("cpus=0,memory=64", "heft");
    p = simulate_pair_make();
    ck_assert_int_eq(hit_launch(hit, &add_one, hit_domain_of(N, N), p.y, p.x),
                     HIT_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "largest memory"));
    simulate_pair_drop(&p);
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
    (void)snprintf(text, sizeof text, "simulated:%s:gpus=many", simulate_machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "many"));
    (void)snprintf(text, sizeof text, "simulated:%s:colour=3", simulate_machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "noise"));
    (void)snprintf(text, sizeof text, "simulated:%s:back=never", simulate_machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "\"arrived\" for back="));
    (void)snprintf(text, sizeof text, "simulated:%s:gpus=0,cpus=0", simulate_machine);
    ck_assert_int_eq(refuse(text), HIT_E_ARG);
    ck_assert_int_eq(refuse("host + simulated:idgraf"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "alone"));
    ck_assert_int_eq(refuse("simulated:idgraf + host"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "alone"));
    ck_assert_int_eq(refuse("simulated:idgraf; simulated:idgraf"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "alone"));
    ck_assert_int_eq(hit_schedule(NULL, "heft"), HIT_E_ARG);
    ck_assert_int_eq(hit_schedule(base, "heft"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "work in place"));
}
END_TEST

/* As it was without a scheduler. */
START_TEST(a_wrong_scheduler_of_a_program_leaves_its_devices_as_they_are)
{
    simulate_pair p;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:memory=1MiB"}, &hit));
    p = simulate_pair_make();
    simulate_add(p.y, p.x);
    ck_assert_int_eq(hit_schedule(hit, "no_such_one"), HIT_E_ARG);
    simulate_add(p.x, p.y);
    HIT_MUST(hit_schedule(hit, "mct"));
    simulate_add(p.y, p.x);
    ck_assert_int_eq(hit_schedule(hit, "heft:colour=3"), HIT_E_ARG);
    simulate_add(p.x, p.y);
    ck_assert_int_eq(simulate_element(p.x), 4);
    simulate_pair_drop(&p);
    hit_close(&hit);
}
END_TEST

START_TEST(a_wrong_scheduler_is_told_when_the_context_is_opened)
{
    static const char *const wrong[] = {"no_such_one", "mct:beta=many", "heft:colour=3",
                                        "mct:queue=long"};
    char devices[96];

    for (int k = 0; k < 8; k++) {
        (void)snprintf(devices, sizeof devices, "simulated:%s", simulate_machine);
        ck_assert_int_eq(setenv("HIT_SCHED", wrong[k % 4], 1), 0);
        ck_assert_int_eq(refuse(k < 4 ? devices : "host + host:memory=1MiB"), HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "HIT_SCHED: "));
    }
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
}
END_TEST

static int machines_read;

/* names that the linker asks for */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
hit_status __real_hit_machine_find(const char *name, hit_machine *machine);
hit_status __wrap_hit_machine_find(const char *name, hit_machine *machine);

hit_status __wrap_hit_machine_find(const char *name, hit_machine *machine)
{
    machines_read++;
    return __real_hit_machine_find(name, machine);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

START_TEST(a_machine_is_read_once)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    machines_read = 0;
    simulate_open("gpus=1", "mct");
    hit_close(&hit);
    ck_assert_int_eq(machines_read, 1);
    ck_assert_int_eq(setenv("HIT_PLAN", "1", 1), 0);
    HIT_MUST(hit_open_with(
        NULL, NULL,
        &(hit_options){.devices = "simulated:machines/paper90.machine", .out = out},
        &hit));
    ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
    ck_assert_int_eq(hit_size(hit), 90);
    hit_close(&hit);
    ck_assert_int_eq(machines_read, 2);
    ck_assert_int_eq(fclose(out), 0);
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("simulate_errors");
    TCase *tests = tcase_create("errors");

    tcase_add_test(tests, a_kernel_that_fails_is_told_once_and_others_run);
    tcase_add_test(tests,
                   what_comes_after_a_kernel_that_fails_is_cancelled_until_it_is_told);
    tcase_add_test(tests, the_first_failure_in_program_order_is_told);
    tcase_add_test(tests, a_launch_that_waits_tells_the_failure_and_does_not_run);
    tcase_add_test(tests, what_meets_a_failure_tells_it_and_is_not_done);
    tcase_add_test(tests, a_launch_that_no_device_can_run_is_told_at_once);
    tcase_add_test(tests, mistakes_say_what_was_expected);
    tcase_add_test(tests, a_wrong_scheduler_of_a_program_leaves_its_devices_as_they_are);
    tcase_add_test(tests, a_wrong_scheduler_is_told_when_the_context_is_opened);
    tcase_add_test(tests, a_machine_is_read_once);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return simulate_run(&argc, &argv, suite(), &base);
}
