/* SPDX-License-Identifier: MIT
 * Meters of energy, by counters that are played in a folder, at any number of processes:
 * whose they are, that each counts once, that they begin again, and which cannot be read.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/hit.h"
#include "hit/mpi.h"
#include "hit/trace/meters.h"
#include "tests/hit/trace/played_meters.h"
#include "tests/support/check_main.h"
#include "tests/support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static hit_context *base;

START_TEST(one_process_reads_the_packages_of_a_host_and_nothing_else)
{
    hit_meters *meters = NULL;

    played_open(base);
    HIT_MUST(hit_meters_open(base, &meters));
    ck_assert_int_eq(meters->packages, hit_rank(base) == 0 ? 2 : 0);
    ck_assert_int_eq(meters->devices, 0);
    ck_assert_str_eq(meters->refused, "");
    played_use(2, 3);
    ck_assert_double_eq_tol(played_sum(hit_meters_read(meters, NULL)), 5, 1e-5);
    ck_assert_double_eq_tol(played_sum(hit_meters_read(meters, NULL)), 0, 1e-5);
    hit_meters_close(&meters);
    played_close();
}
END_TEST

START_TEST(one_of_all_groups_reads_the_packages)
{
    hit_context *hit = NULL;
    hit_meters *meters = NULL;

    played_open(base);
    HIT_MUST(hit_open_group(base, hit_rank(base) % 2, NULL, &hit));
    HIT_MUST(hit_meters_open(hit, &meters));
    ck_assert_int_eq(meters->packages, hit_rank(base) == 0 ? 2 : 0);
    hit_meters_close(&meters);
    hit_close(&hit);
    played_close();
}
END_TEST

/* Devices with a meter each, and what these show. */
static double shown_j;

static bool show_shared(void *state, char name[32], double *joules)
{
    (void)state;
    (void)snprintf(name, 32, "shared");
    *joules = shown_j;
    return true;
}

static bool show_own(void *state, char name[32], double *joules)
{
    (void)state;
    (void)snprintf(name, 32, "of process %d", hit_rank(base));
    *joules = shown_j;
    return true;
}

START_TEST(a_device_that_several_have_is_read_once)
{
    const hit_options options = {.devices = "host:threads=1 + host:threads=1"};
    hit_context *hit = NULL;
    hit_meters *meters = NULL;
    hit_device_ops metered[2];
    const hit_device_ops *kept[2];
    double joules;

    setenv("HIT_POWERCAP", "/nowhere", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    ck_assert_int_eq(hit->devices, 2);
    for (int d = 0; d < 2; d++) {
        kept[d] = hit->device[d]->ops;
        metered[d] = *kept[d];
        metered[d].meter = d == 0 ? show_shared : show_own;
        hit->device[d]->ops = &metered[d];
    }
    shown_j = 100;
    HIT_MUST(hit_meters_open(hit, &meters));
    shown_j = 103;
    joules = hit_meters_read(meters, NULL);
    for (int d = 0; d < 2; d++) {
        hit->device[d]->ops = kept[d];
    }
    joules = played_sum(joules);
    ck_assert_double_eq_tol(joules, 3.0 * (1 + hit_size(base)), 1e-5);
    hit_meters_close(&meters);
    hit_close(&hit);
    unsetenv("HIT_POWERCAP");
}
END_TEST

START_TEST(a_machine_without_meters_has_none)
{
    hit_meters *meters = NULL;

    setenv("HIT_POWERCAP", "/nowhere", 1);
    HIT_MUST(hit_meters_open(base, &meters));
    ck_assert_int_eq(meters->packages + meters->devices, 0);
    ck_assert_str_eq(meters->refused, "");
    hit_meters_close(&meters);
    unsetenv("HIT_POWERCAP");
}
END_TEST

/* Only root may read them on most machines; tests may be root, so that a folder stands
 * for such a file. */
static void refuse(int package)
{
    char path[160];

    (void)snprintf(path, sizeof(path), "%s/intel-rapl:%d/energy_uj", played_folder(),
                   package);
    if (hit_rank(base) == 0) ck_assert(remove(path) == 0 && mkdir(path, 0777) == 0);
    HIT_MUST(hit_barrier(base));
}

START_TEST(a_profile_says_which_meters_may_not_be_read)
{
    const bool first = hit_rank(base) == 0;
    char text[8000];

    played_open(base);
    setenv("HIT_PROFILE", "1", 1);
    for (int refused = 1; refused <= 2; refused++) {
        hit_context *hit = NULL;
        FILE *out = tmpfile();

        refuse(2 - refused);
        ck_assert(out != NULL);
        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.out = out}, &hit));
        hit_close(&hit);
        text_of_stream(out, text, sizeof(text));
        ck_assert_int_eq(text_count(text, "no energy is counted of package-"), first);
        ck_assert_int_eq(text_count(text, "intel-rapl:1/energy_uj: Is a directory)"),
                         first);
        ck_assert_int_eq(text_count(text, " package-1 (cannot read "), first);
        ck_assert_int_eq(text_count(text, " package-0 (cannot read "),
                         first && refused == 2);
    }
    unsetenv("HIT_PROFILE");
    played_close();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("meters");
    TCase *tests = tcase_create("meters");

    tcase_add_test(tests, one_process_reads_the_packages_of_a_host_and_nothing_else);
    tcase_add_test(tests, one_of_all_groups_reads_the_packages);
    tcase_add_test(tests, a_device_that_several_have_is_read_once);
    tcase_add_test(tests, a_machine_without_meters_has_none);
    tcase_add_test(tests, a_profile_says_which_meters_may_not_be_read);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
