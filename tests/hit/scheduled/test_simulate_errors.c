/* SPDX-License-Identifier: MIT
 * Programs whose launches a scheduler places, and that fail: launches, and what is wrong
 * from the beginning. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/plugin.h"
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

/* A launch that lets the others run first is not executed when one of them failed. */
START_TEST(a_launch_that_waits_tells_the_failure_and_does_not_run)
{
    const hit_domain part = {.dims = 2, .sig = {{1, N - 2, 1}, {1, N - 2, 1}}};
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
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "back=arrived"));
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

static Suite *suite(void)
{
    Suite *made = suite_create("simulate_errors");
    TCase *tests = tcase_create("errors");

    tcase_add_test(tests, a_kernel_that_fails_is_told_once_and_others_run);
    tcase_add_test(tests,
                   what_comes_after_a_kernel_that_fails_is_cancelled_until_it_is_told);
    tcase_add_test(tests, the_first_failure_in_program_order_is_told);
    tcase_add_test(tests, a_launch_that_waits_tells_the_failure_and_does_not_run);
    tcase_add_test(tests, a_launch_that_no_device_can_run_is_told_at_once);
    tcase_add_test(tests, mistakes_say_what_was_expected);
    tcase_add_test(tests, a_wrong_scheduler_of_a_program_leaves_its_devices_as_they_are);
    tcase_add_test(tests, a_wrong_scheduler_is_told_when_the_context_is_opened);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return simulate_run(&argc, &argv, suite(), &base);
}
