/* SPDX-License-Identifier: MIT
 * Recording what a GPU does makes the host wait no more often, and shows nothing before
 * somebody waits. On the played CUDA runtime, which counts. */
#include "hit/base/trace.h"
#include "tests/support/check_main.h"
#include "tests/support/device_case.h"

#include <cuda_runtime_api.h>

enum {
    COPIES = 100
};

/* Copies of rows that are packed, or not; how often the host waited for them. */
static unsigned long waits_for(hit_trace *trace, hit_index row)
{
    static float memory[256 * 2048];
    const hit_device_spec spec = {
        .kind = &hit_device_cuda, .memory_bytes = 8 << 20, .trace = trace};
    const hit_domain tile = hit_domain_of(256, 2048);
    const hit_domain part = hit_domain_of(64, row);
    const hit_view host = hit_view_make(&tile, sizeof(float), memory);
    hit_device *device = NULL;
    unsigned long before;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    ck_assert_int_eq(hit_device_reserve(device, 4 << 20), HIT_OK);
    fake_refuses_pins = FAKE_NEVER; /* else all copies are packed */
    hit_device_pin(device, memory, sizeof(memory));
    const hit_view held = hit_view_make(&part, sizeof(float), device->arena);
    before = fake_waits;
    for (int k = 0; k < COPIES; k++) {
        ck_assert_int_eq(
            hit_device_copy(device, HIT_LANE_IN, HIT_WAY_IN, &host, &held, &part),
            HIT_OK);
    }
    const unsigned long waits = fake_waits - before;
    if (trace != NULL) ck_assert_uint_eq(trace->list[HIT_TRACE_IN].count, 0);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
    hit_device_unpin(device, memory, sizeof(memory));
    hit_device_close(&device);
    return waits;
}

START_TEST(a_trace_makes_nobody_wait)
{
    const hit_index row = _i == 0 ? 7 : 2000;
    hit_trace *trace = NULL;

    ck_assert_int_eq(hit_trace_create(&trace), HIT_OK);
    ck_assert_uint_eq(waits_for(trace, row), waits_for(NULL, row));
    ck_assert_uint_eq(trace->list[HIT_TRACE_IN].count, COPIES);
    ck_assert_uint_eq(trace->list[HIT_TRACE_IN].event[COPIES - 1].bytes,
                      64 * (uint64_t)row * sizeof(float));
    hit_trace_destroy(&trace);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("fake_cuda.waits");
    TCase *tests = tcase_create("played GPU");

    tcase_add_loop_test(tests, a_trace_makes_nobody_wait, 0, 2);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
