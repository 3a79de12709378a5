/* SPDX-License-Identifier: MIT
 * What only host devices do: whole-box kernels are called once, failures on other threads
 * keep their text, partial results too large for the limit are not made. */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */
#include "hit/base/clock.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"
#include "patterns/reduce.h"
#include "tests/support/check_main.h"
#include "tests/support/played_clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static hit_device *open_with(const char *text, const hit_clock *clock)
{
    hit_device_spec spec;
    hit_device *device = NULL;
    int count = 0;

    ck_assert_int_eq(hit_device_parse(text, NULL, 1, &spec, &count), HIT_OK);
    spec.clock = clock;
    ck_assert_msg(hit_device_open(&spec, &device) == HIT_OK, "%s", hit_status_text());
    return device;
}

static hit_device *open_host(const char *text)
{
    return open_with(text, NULL);
}

static hit_status run(hit_device *device, const hit_kernel *kernel, const hit_run *box,
                      const hit_domain need[])
{
    return hit_device_run(device, kernel, box, need);
}

/* argument 0 is an array of two numbers: calls, threads */
static hit_status whole(const hit_run *box)
{
    int64_t *seen = box->slot[0].base;

    seen[0]++;
    seen[1] = box->threads;
    return HIT_OK;
}

static const hit_kernel_arg inout_arg[] = {
    {HIT_MODE_INOUT, {HIT_KIND_INT64, 8}, "seen", "[:]"}};

START_TEST(a_whole_box_kernel_is_called_once_and_told_the_threads)
{
    const hit_kernel kernel = {.name = "whole",
                               .dims = 1,
                               .index = {"i"},
                               .args = 1,
                               .arg = inout_arg,
                               .whole_box = 1,
                               .host = whole};
    hit_device *device = open_host("host:threads=3");
    int64_t seen[2] = {0};
    hit_run box = {.end = {99}, .stride = {1}, .slot = {{.base = seen}}};

    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_OK);
    ck_assert_int_eq(seen[0], 1);
    ck_assert_int_eq(seen[1], 3);
    box.end[0] = -1;
    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_OK);
    ck_assert_int_eq(seen[0], 1);
    hit_device_close(&device);
}
END_TEST

static hit_status fails_at_70(const hit_run *box)
{
    if (box->begin[0] > 70 || box->end[0] < 70) return HIT_OK;
    return HIT_FAIL(HIT_E_PATTERN, "index 70 is in %d:%d", (int)box->begin[0],
                    (int)box->end[0]);
}

START_TEST(a_failure_on_another_thread_keeps_its_text)
{
    const hit_kernel kernel = {.name = "fails",
                               .dims = 1,
                               .index = {"i"},
                               .args = 1,
                               .arg = inout_arg,
                               .host = fails_at_70};
    hit_device *device = open_host("host:threads=4");
    hit_run box = {.end = {99}, .stride = {1}};

    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_E_PATTERN);
    ck_assert_msg(strstr(hit_status_text(), "index 70 is in 50:74") != NULL, "%s",
                  hit_status_text());
    box.end[0] = 69;
    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_OK);
    hit_device_close(&device);
}
END_TEST

/* Argument 0 is an array of numbers: one more in the first of the indices of each call.
 */
static hit_status counts(const hit_run *box)
{
    int64_t *seen = box->slot[0].base;

    seen[box->begin[0]]++;
    return HIT_OK;
}

/* Light runs are the caller's, but for those on the rows that threads have written. */
START_TEST(a_light_run_follows_the_rows_of_the_last_shared_one)
{
    enum {
        ROWS = 100
    };
    const hit_kernel kernel = {.name = "counts",
                               .dims = 1,
                               .index = {"i"},
                               .args = 1,
                               .arg = inout_arg,
                               .host = counts};
    hit_device *device = open_host("host:threads=2");
    int64_t seen[ROWS] = {0};
    int64_t other[ROWS] = {0};
    hit_run box = {.end = {ROWS - 1}, .stride = {1}, .slot = {{.base = seen}}};
    hit_run light = {.end = {ROWS - 1}, .stride = {1}, .light = 1};

    light.slot[0].base = seen;
    ck_assert_int_eq(run(device, &kernel, &light, NULL), HIT_OK);
    ck_assert_int_eq(seen[ROWS / 2], 0); /* nothing was shared */
    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_OK);
    ck_assert_int_eq(seen[ROWS / 2], 1);
    ck_assert_int_eq(run(device, &kernel, &light, NULL), HIT_OK);
    ck_assert_int_eq(seen[0], 3);
    ck_assert_int_eq(seen[ROWS / 2], 2);
    light.begin[0] = 2; /* nearly the same rows */
    ck_assert_int_eq(run(device, &kernel, &light, NULL), HIT_OK);
    ck_assert_int_eq(seen[2], 1);
    ck_assert_int_eq(seen[ROWS / 2 + 1], 1);
    light.end[0] = ROWS / 2; /* others */
    ck_assert_int_eq(run(device, &kernel, &light, NULL), HIT_OK);
    ck_assert_int_eq(seen[2], 2);
    ck_assert_int_eq(seen[ROWS / 4 + 2], 0);
    light.begin[0] = 0;
    light.end[0] = ROWS - 1;
    light.slot[0].base = other;
    ck_assert_int_eq(run(device, &kernel, &light, NULL), HIT_OK);
    ck_assert_int_eq(other[0], 1);
    ck_assert_int_eq(other[ROWS / 2], 0);
    hit_device_close(&device);
}
END_TEST

START_TEST(a_kernel_without_a_host_half_is_refused)
{
    const hit_kernel kernel = {
        .name = "elsewhere", .dims = 1, .index = {"i"}, .args = 1, .arg = inout_arg};
    hit_device *device = open_host("host:threads=1");
    hit_run box = {.end = {9}, .stride = {1}};

    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "elsewhere"));
    hit_device_close(&device);
}
END_TEST

/* Adds 1 to every element of a plane for every index. */
static hit_status add_ones(const hit_run *box)
{
    double *plane = box->slot[0].base;

    for (hit_index i = box->begin[0]; i <= box->end[0]; i++) {
        for (hit_index k = box->slot[0].begin[0]; k <= box->slot[0].end[0]; k++) {
            plane[k] += 1;
        }
    }
    return HIT_OK;
}

START_TEST(partial_results_of_any_size_are_right)
{
    enum {
        MOST = 20000
    };
    static const hit_kernel_arg args[] = {
        {HIT_MODE_SUM, {HIT_KIND_DOUBLE, 8}, "plane", "[:]"}};
    const hit_kernel kernel = {.name = "ones",
                               .dims = 1,
                               .index = {"i"},
                               .args = 1,
                               .arg = args,
                               .host = add_ones};
    static const hit_index sizes[] = {1, 10, 1000, 10000, MOST};
    static double plane[MOST];
    hit_device *device = open_host("host:threads=2:memory=1MiB");
    bool good = true;

    /* 1/64 of the limit is 16 KiB: 1000 doubles have partial results, 20000 do not */
    for (int round = 0; round < 5; round++) {
        hit_index size = sizes[round];
        hit_domain need = hit_domain_of(size);
        hit_run box = {.end = {9}, .stride = {1}, .dense = 1};
        box.slot[0] = (hit_slot){
            .base = plane, .stride = {1}, .step = {1}, .end = {size - 1}, .dense = 1};
        memset(plane, 0, sizeof(plane));
        ck_assert_int_eq(run(device, &kernel, &box, &need), HIT_OK);
        for (hit_index k = 0; k < MOST; k++) {
            good = good && plane[k] == (k < size ? 10 : 0);
        }
    }
    ck_assert(good);
    hit_device_close(&device);
}
END_TEST

static hit_status take_a_second(const hit_run *run)
{
    (void)run;
    played_clock_pass(1);
    return HIT_OK;
}

/* What this took itself, beside other programs. */
static double own_s;

static hit_status take_a_millisecond(const hit_run *run)
{
    const double before_s = hit_clock_crowded(NULL);
    const double start_s = hit_clock_now(NULL);

    (void)run;
    hit_clock_wait_until(NULL, start_s + 1e-3);
    own_s = hit_clock_now(NULL) - start_s;
    own_s -= hit_clock_crowded(NULL) - before_s;
    return HIT_OK;
}

/* The seconds of a kernel on tiles of so many elements. */
static double seconds_of(hit_device *device, hit_kernel_function host, hit_index elements)
{
    const hit_kernel kernel = {
        .name = "wait", .dims = 1, .index = {"i"}, .whole_box = 1, .host = host};
    const hit_run box = {.stride = {1}, .dense = 1, .elements = elements};
    const hit_clock *clock = device->spec.clock;
    const double start_s = hit_clock_now(clock);

    ck_assert_int_eq(run(device, &kernel, &box, NULL), HIT_OK);
    return hit_clock_now(clock) - start_s;
}

START_TEST(slow_devices_and_cliffs_take_the_factors_they_say)
{
    static const double expected[] = {1, 20, 100, 20};
    static const hit_index elements[] = {1000, 1000, 1001, 1}; /* the cliff is at 1000 */
    hit_device *device =
        open_with("host:threads=1:slow=20@1:cliff=1000*5", &played_clock);

    for (int k = 0; k < 4; k++) {
        ck_assert_double_eq(seconds_of(device, take_a_second, elements[k]), expected[k]);
    }
    hit_device_close(&device);
}
END_TEST

/* Not in every run: the device's thread may lose its core while it reads the clock. */
START_TEST(a_slow_device_waits_by_the_clock_of_the_system)
{
    hit_device *device = open_host("host:threads=1:slow=20");
    double took_s = 0;

    for (int k = 0; k < 100 && !(own_s > 0 && took_s >= 20 * own_s); k++) {
        took_s = seconds_of(device, take_a_millisecond, 1);
    }
    ck_assert(own_s > 0 && took_s >= 20 * own_s);
    hit_device_close(&device);
}
END_TEST

START_TEST(the_memory_is_that_of_all_numa_nodes)
{
    hit_cores_info info;
    hit_cores *cores = NULL;

    HIT_MUST(hit_cores_open(&cores));
    hit_cores_info_get(cores, &info);
    hit_cores_close(&cores);
    ck_assert_uint_eq(info.memory_bytes,
                      (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE));
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.device.host");
    TCase *tests = tcase_create("host");

    tcase_add_test(tests, a_light_run_follows_the_rows_of_the_last_shared_one);
    tcase_add_test(tests, the_memory_is_that_of_all_numa_nodes);
    tcase_add_test(tests, a_whole_box_kernel_is_called_once_and_told_the_threads);
    tcase_add_test(tests, a_failure_on_another_thread_keeps_its_text);
    tcase_add_test(tests, a_kernel_without_a_host_half_is_refused);
    tcase_add_test(tests, partial_results_of_any_size_are_right);
    tcase_add_test(tests, slow_devices_and_cliffs_take_the_factors_they_say);
    tcase_add_test(tests, a_slow_device_waits_by_the_clock_of_the_system);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
