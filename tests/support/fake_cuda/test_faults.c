/* SPDX-License-Identifier: MIT
 * What goes wrong on a GPU and is not seen at once: work that fails after its call has
 * returned, memory that is not pinned. On the played CUDA runtime, which fails on demand.
 */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/device/device.h"
#include "tests/support/check_main.h"
#include "tests/support/device_case.h"
#include "tests/support/test_kernels.h"

#include <cuda_runtime_api.h>

#include <string.h>

#include "fake_streams.h"

enum {
    HOST_BYTES = 2 << 20,
    COLUMNS = 512,
    ROWS = HOST_BYTES / COLUMNS / 4
};

static hit_device *open_gpu(hit_trace *trace)
{
    const hit_device_spec spec = {
        .kind = &hit_device_cuda, .memory_bytes = 8 << 20, .trace = trace};
    hit_device *device = NULL;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    ck_assert_int_eq(hit_device_reserve(device, 4 << 20), HIT_OK);
    return device;
}

static hit_status copy(hit_device *device, hit_lane lane, char *memory, hit_domain part)
{
    const hit_domain all = hit_domain_of(ROWS, COLUMNS);
    const hit_view host = hit_view_make(&all, sizeof(float), memory);
    const hit_view held = hit_view_make(&part, sizeof(float), device->arena);
    const bool in = lane == HIT_LANE_IN;

    return hit_device_copy(device, lane, in ? HIT_WAY_IN : HIT_WAY_OUT,
                           in ? &host : &held, in ? &held : &host, &part);
}

/* The lanes have nothing to do with each other, and the first one that is busy fails. */
START_TEST(a_late_failure_names_the_last_kernel_and_all_lanes_are_waited_for)
{
    static const int64_t base = 1000;
    static char memory[HOST_BYTES];
    const hit_domain box = hit_domain_of(100);
    const hit_domain part = hit_domain_of(1, COLUMNS);
    hit_random random = hit_random_start(1);
    hit_device *device = open_gpu(NULL);
    device_case one;

    device_case_make(&random, &test_mark1, &box, &base, &one);
    ck_assert_int_eq(device_case_run(device, &one), HIT_OK);
    ck_assert_int_eq(copy(device, HIT_LANE_IN, memory, part), HIT_OK);
    ck_assert_int_eq(copy(device, HIT_LANE_OUT, memory, part), HIT_OK);
    ck_assert(fake_is_busy());
    fake_fault(1);
    ck_assert_int_eq(hit_device_wait(device), HIT_E_DEVICE);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "kernel test_mark1"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "illegal memory access"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "cannot use the GPU any more"));
    ck_assert(!fake_is_busy());
    fake_repair();
    device_case_clear(&one);
    hit_device_close(&device);
}
END_TEST

START_TEST(a_kernel_that_is_refused_leaves_no_error_to_the_program)
{
    static const int64_t base = 1000;
    const hit_domain box = hit_domain_of(100);
    hit_random random = hit_random_start(1);
    hit_device *device = open_gpu(NULL);
    device_case one;

    device_case_make(&random, &test_mark1, &box, &base, &one);
    fake_refuses_kernels = FAKE_ALWAYS;
    ck_assert_int_eq(device_case_run(device, &one), HIT_E_DEVICE);
    fake_refuses_kernels = FAKE_NEVER;
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
    device_case_clear(&one);
    hit_device_close(&device);
}
END_TEST

START_TEST(work_that_is_not_over_is_no_error_of_the_program)
{
    static char memory[HOST_BYTES];
    const hit_domain part = hit_domain_of(1, COLUMNS);
    hit_device *device = open_gpu(NULL);
    uint64_t mark;
    bool over = false;
    int looks = 0;

    for (int k = 0; k < 30; k++) {
        ck_assert_int_eq(copy(device, HIT_LANE_OUT, memory, part), HIT_OK);
    }
    mark = hit_device_mark(device, HIT_LANE_OUT);
    for (; !over && looks < 1000; looks++) {
        ck_assert_int_eq(hit_device_reached(device, HIT_LANE_OUT, mark, &over), HIT_OK);
        ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
    }
    ck_assert(over);
    ck_assert_int_gt(looks, 1); /* it was not over at first */
    hit_device_close(&device);
}
END_TEST

/* How much of a copy is packed, and what is said of it, if pinning goes as @p choice
 * says. */
static void copy_with(fake_choice choice, hit_trace *trace, char *text, size_t size)
{
    const hit_domain all = hit_domain_of(ROWS, COLUMNS);
    hit_device *device = open_gpu(trace);
    void *memory = NULL;
    char before[500];
    char after[500];

    hit_device_identity(1, &device, before, sizeof(before));
    ck_assert_int_eq(hit_memory_take(HOST_BYTES, "a test", &memory), HIT_OK);
    memset(memory, 1, HOST_BYTES);
    fake_refuses_pins = choice;
    hit_device_pin(device, memory, HOST_BYTES);
    fake_refuses_pins = FAKE_DICE;
    ck_assert_int_eq(copy(device, HIT_LANE_IN, memory, all), HIT_OK);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
    ck_assert_int_eq(memcmp(device->arena, memory, HOST_BYTES), 0);
    memset(memory, 2, HOST_BYTES);
    ck_assert_int_eq(copy(device, HIT_LANE_OUT, memory, all), HIT_OK);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
    ck_assert_int_eq(memcmp(device->arena, memory, HOST_BYTES), 0);
    hit_device_describe(device, text, size);
    hit_device_identity(1, &device, after, sizeof(after));
    ck_assert_str_eq(before, after); /* models of it are found again */
    hit_device_unpin(device, memory, HOST_BYTES);
    hit_memory_release(&memory);
    hit_device_close(&device);
}

START_TEST(memory_that_is_not_pinned_is_told)
{
    hit_trace *trace = NULL;
    char text[200];

    ck_assert_int_eq(hit_trace_create(&trace), HIT_OK);
    copy_with(FAKE_NEVER, trace, text, sizeof(text));
    ck_assert_ptr_null(strstr(text, "pinned"));
    ck_assert_uint_eq(trace->unpinned_bytes, 0);
    ck_assert_uint_eq(trace->refused_bytes, 0);
    copy_with(FAKE_ALWAYS, trace, text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "2 MiB of host memory could not be pinned"));
    ck_assert_ptr_nonnull(strstr(text, "4 MiB"));
    ck_assert_uint_eq(trace->unpinned_bytes, 2 * HOST_BYTES);
    ck_assert_uint_eq(trace->refused_bytes, HOST_BYTES);
    hit_trace_destroy(&trace);
}
END_TEST

/* As the system gives it, or in pieces that are longer than the pinned memory that they
 * are packed into. */
START_TEST(a_limit_above_what_the_gpu_has_is_refused)
{
    hit_device_spec spec = {.kind = &hit_device_cuda, .memory_bytes = 96 << 20};
    hit_device *device = NULL;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    hit_device_close(&device);
    spec.memory_bytes++;
    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_E_ARG);
    ck_assert_ptr_null(device);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "cuda:0: expected memory= of at most 96 MiB"));
}
END_TEST

START_TEST(a_long_run_of_bytes_is_packed_in_pieces)
{
    enum {
        LONG_BYTES = 18 << 20
    };
    const hit_device_spec spec = {.kind = &hit_device_cuda, .memory_bytes = 40 << 20};
    const hit_domain all =
        _i == 0 ? hit_domain_of(LONG_BYTES) : hit_domain_of(2, 9 << 20);
    const hit_domain part =
        _i == 0 ? all
                : (hit_domain){2, {hit_sig_make(0, 1, 1), hit_sig_make(1, 5 << 20, 1)}};
    hit_device *device = NULL;
    void *memory[2] = {NULL};
    hit_view host[2];
    long wrong = 0;

    ck_assert_int_eq(hit_device_open(&spec, &device), HIT_OK);
    ck_assert_int_eq(hit_device_reserve(device, LONG_BYTES), HIT_OK);
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(hit_memory_take(LONG_BYTES, "a test", &memory[k]), HIT_OK);
        host[k] = hit_view_make(&all, 1, memory[k]);
        for (size_t at = 0; at < LONG_BYTES; at++) {
            ((unsigned char *)memory[k])[at] = k == 0 ? (unsigned char)(at / 255) : 0;
        }
    }
    const hit_view held = hit_view_make(&part, 1, device->arena);
    ck_assert_int_eq(
        hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_IN, &host[0], &held, &part),
        HIT_OK);
    ck_assert_int_eq(
        hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_OUT, &held, &host[1], &part),
        HIT_OK);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
    for (size_t at = 0; at < LONG_BYTES; at++) {
        const hit_index x[] = {(hit_index)at / (9 << 20), (hit_index)at % (9 << 20)};
        const bool sent = _i == 0 || (x[1] >= 1 && x[1] <= 5 << 20);

        wrong += ((unsigned char *)memory[1])[at] !=
                 (sent ? ((unsigned char *)memory[0])[at] : 0);
    }
    ck_assert_int_eq(wrong, 0);
    for (int k = 0; k < 2; k++) {
        hit_memory_release(&memory[k]);
    }
    hit_device_close(&device);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("fake_cuda.faults");
    TCase *tests = tcase_create("played GPU");

    tcase_add_test(tests,
                   a_late_failure_names_the_last_kernel_and_all_lanes_are_waited_for);
    tcase_add_test(tests, a_kernel_that_is_refused_leaves_no_error_to_the_program);
    tcase_add_test(tests, work_that_is_not_over_is_no_error_of_the_program);
    tcase_add_test(tests, memory_that_is_not_pinned_is_told);
    tcase_add_test(tests, a_limit_above_what_the_gpu_has_is_refused);
    tcase_add_loop_test(tests, a_long_run_of_bytes_is_packed_in_pieces, 0, 2);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
