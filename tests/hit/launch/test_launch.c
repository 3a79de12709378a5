/* SPDX-License-Identifier: MIT
 * Random launches on random tiles, layouts, boundaries and devices against plain loops
 * over whole arrays. Runs at any number of processes; every process makes the same random
 * choices. */
#include "hit/device/device.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* All trials, @p rounds times, on one context. */
static void run_trials(const hit_options *options, int rounds, uint64_t seed)
{
    scene s = {.good = true};
    hit_stats stats;

    HIT_MUST(hit_open_with(NULL, NULL, options, &s.hit));
    for (int round = 0; round < rounds && s.good; round++) {
        for (int k = 0; k < trial_count && s.good; k++) {
            const uint64_t from = seed + 1000 * (uint64_t)round + (uint64_t)k;

            s.random = (hit_random){from};
            snprintf(s.text, sizeof(s.text), "%s, seed %llu", trials[k].name,
                     (unsigned long long)from);
            trials[k].run(&s);
            s.good = agree_in_scene(&s); /* all stop together */
        }
    }
    hit_context_stats(s.hit, &stats);
    hit_close(&s.hit);
    ck_assert_msg(s.good, "%s", s.text);
    ck_assert_uint_le(stats.device_peak_bytes, stats.device_limit_bytes);
}

START_TEST(launches_in_place_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 1}, 25, 100000);
}
END_TEST

START_TEST(launches_on_threads_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 3}, 8, 200000);
}
END_TEST

START_TEST(launches_in_ample_staged_memory_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 1, .devices = "host:staged:memory=64KiB"}, 10,
               300000);
}
END_TEST

START_TEST(launches_in_scarce_staged_memory_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 2, .device_memory_bytes = 600}, 12, 400000);
}
END_TEST

START_TEST(launches_on_devices_in_place_and_staged_equal_plain_loops)
{
    run_trials(
        &(hit_options){.threads = 1, .devices = "host+host:staged:memory=64KiB:share=2"},
        10, 500000);
}
END_TEST

START_TEST(launches_on_devices_with_scarce_memory_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 1,
                              .devices = "host:memory=600+host:memory=700:share=2"},
               8, 600000);
}
END_TEST

START_TEST(launches_on_three_unlike_devices_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 1,
                              .devices = "host:memory=800+host:share=2:threads=2"
                                         "+host:memory=4KiB:share=3"},
               8, 700000);
}
END_TEST

/* Also where a GPU is played by the processor (tests/support/fake_cuda). */
START_TEST(launches_on_a_gpu_and_the_host_equal_plain_loops)
{
    static const char *const devices[] = {"cuda:0:memory=64KiB:share=2+host",
                                          "host+cuda:0:memory=700:share=2",
                                          "host:memory=900+cuda:0:memory=4KiB+host"};
    const char *why = NULL;

    if (hit_device_cuda.count(&why) == 0) return;
    for (uint64_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++) {
        run_trials(&(hit_options){.threads = 1, .devices = devices[k]}, 5,
                   800000 + 10000 * k);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("launch");
    TCase *tests = tcase_create("random");

    tcase_add_test(tests, launches_in_place_equal_plain_loops);
    tcase_add_test(tests, launches_on_threads_equal_plain_loops);
    tcase_add_test(tests, launches_in_ample_staged_memory_equal_plain_loops);
    tcase_add_test(tests, launches_in_scarce_staged_memory_equal_plain_loops);
    tcase_add_test(tests, launches_on_devices_in_place_and_staged_equal_plain_loops);
    tcase_add_test(tests, launches_on_devices_with_scarce_memory_equal_plain_loops);
    tcase_add_test(tests, launches_on_three_unlike_devices_equal_plain_loops);
    tcase_add_test(tests, launches_on_a_gpu_and_the_host_equal_plain_loops);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
