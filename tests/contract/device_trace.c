/* SPDX-License-Identifier: MIT
 * What every device must tell where a trace is recorded: each kernel and each copy, in
 * its lane, in order, and inside the time in which it was asked for. */
#include "hit/base/trace.h"
#include "tests/support/check_main.h"
#include "tests/support/device_case.h"
#include "tests/support/test_kernels.h"

#include <stdio.h>
#include <string.h>

static const char *const spec_text[] = {
    "host:threads=1",
    "host:threads=2",
    "host:staged:threads=2",
    "cuda:0:memory=64MiB",
};

enum {
    SPECS = sizeof(spec_text) / sizeof(spec_text[0])
};

/* NULL where this machine has no such device. */
static hit_device *open_traced(int k, hit_trace *trace)
{
    hit_device_spec spec;
    hit_device *device = NULL;
    hit_status opened;
    int count = 0;

    ck_assert_int_eq(hit_device_parse(spec_text[k], NULL, 1, &spec, &count), HIT_OK);
    spec.trace = trace;
    opened = hit_device_open(&spec, &device);
    if (opened == HIT_E_ABSENT) printf("%s: %s\n", spec_text[k], hit_status_text());
    ck_assert(opened == HIT_OK || opened == HIT_E_ABSENT);
    return device;
}

/* To the device and back in lanes of their own, many times before anybody waits. */
static void copy_in_lanes(hit_device *device, case_arg *arg)
{
    hit_view held = arg->host;
    hit_status done = HIT_OK;

    held.data = device->arena;
    for (int k = 0; k < 40; k++) {
        done |= hit_device_copy(device, HIT_LANE_IN, HIT_WAY_IN, &arg->host, &held,
                                &held.domain);
        done |= hit_device_after(device, HIT_LANE_OUT, HIT_LANE_IN,
                                 hit_device_mark(device, HIT_LANE_IN));
        done |= hit_device_copy(device, HIT_LANE_OUT, HIT_WAY_OUT, &held, &arg->host,
                                &held.domain);
        done |= hit_device_after(device, HIT_LANE_IN, HIT_LANE_OUT,
                                 hit_device_mark(device, HIT_LANE_OUT));
    }
    ck_assert_int_eq(done, HIT_OK);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
}

/* Events in order, in the interval; bytes of all of them. */
static uint64_t look_at_events(const hit_trace_list *list, double from_s, double to_s)
{
    const double slack_s = 1e-5; /* a GPU has a clock of its own */
    uint64_t bytes = 0;

    ck_assert_uint_eq(list->lost, 0);
    for (size_t k = 0; k < list->count; k++) {
        ck_assert_double_ge(list->event[k].start_s, from_s - slack_s);
        ck_assert_double_ge(list->event[k].end_s, list->event[k].start_s);
        from_s = list->event[k].end_s;
        bytes += list->event[k].bytes;
    }
    ck_assert_double_le(from_s, to_s + slack_s);
    return bytes;
}

START_TEST(what_a_device_did_is_in_the_trace)
{
    hit_random random = hit_random_start(77);
    const hit_domain box = hit_domain_of(50, 60);
    hit_trace *trace = NULL;
    hit_device *device;
    device_case one;
    bool copies;

    ck_assert_int_eq(hit_trace_create(&trace), HIT_OK);
    device = open_traced(_i, trace);
    if (device == NULL) {
        hit_trace_destroy(&trace);
        return;
    }
    copies = !hit_device_in_place(device);
    device_case_make(&random, &test_sum2, &box, NULL, &one);
    const double start_s = hit_trace_now();
    for (int round = 0; round < 40; round++) {
        ck_assert_int_eq(device_case_run(device, &one), HIT_OK);
    }
    if (copies) copy_in_lanes(device, &one.arg[1]);
    const double end_s = hit_trace_now();
    const uint64_t bytes = one.arg[1].size_bytes;
    const uint64_t both = one.arg[0].size_bytes + bytes;
    const hit_trace_list *runs = &trace->list[HIT_TRACE_RUN];
    ck_assert_uint_eq(look_at_events(runs, start_s, end_s), 0);
    ck_assert_uint_eq(runs->count, 40);
    for (size_t k = 0; k < runs->count; k++) {
        ck_assert_str_eq(runs->event[k].what, "test_sum2");
    }
    ck_assert_uint_eq(trace->list[HIT_TRACE_WITHIN].count, 0);
    for (int lane = HIT_TRACE_IN; lane <= HIT_TRACE_OUT; lane++) {
        const hit_trace_list *list = &trace->list[lane];

        /* whatever lane of the device makes them */
        ck_assert_uint_eq(look_at_events(list, start_s, end_s),
                          copies ? 40 * (both + bytes) : 0);
        ck_assert_uint_eq(list->count, copies ? 120 : 0);
    }
    device_case_clear(&one);
    hit_device_close(&device);
    hit_trace_destroy(&trace);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("contract.device_trace");
    TCase *tests = tcase_create("every device");

    tcase_add_loop_test(tests, what_a_device_did_is_in_the_trace, 0, SPECS);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
