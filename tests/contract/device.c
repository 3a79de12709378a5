/* SPDX-License-Identifier: MIT
 * What every device must do, tried on each that opens on this machine and on the host
 * with 1, 2 and 3 threads, in place, staged and slowed, and on a kind of a program: copy
 * any elements between any strided views, and run any kernel on any box as plain C does,
 * with the same bits each time. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "tests/support/check_main.h"
#include "tests/support/device_case.h"
#include "tests/support/own_device.h"
#include "tests/support/test_kernels.h"

#include <stdio.h>
#include <string.h>

/* The element at index (...) of argument a. */
#define AT(one, a, type, ...)                                                            \
    (*(type *)hit_view_at(&(one)->arg[a].host, (const hit_index[]){__VA_ARGS__}))

static const test_pair pair = {3, -2};
static const int64_t base = 1000;

static const char *const spec_text[] = {
    "host:threads=1",
    "host:threads=2",
    "host:threads=3",
    "host:staged:threads=1",
    "host:staged:threads=2",
    "host:threads=2:slow=2",
    "host:memory=64MiB:threads=3",
    "cuda:0:memory=64MiB",
    "cuda:0:memory=400kB",
    "own",
    "own:slow=2",
};

enum {
    SPECS = sizeof(spec_text) / sizeof(spec_text[0])
};

/* NULL where this machine has no such device. */
static hit_device *open_device(int k)
{
    static const hit_device_ops *const kinds[] = {&own_device, NULL};
    hit_device_spec spec;
    hit_device *device = NULL;
    int count = 0;
    const char *why = "";

    ck_assert_int_eq(hit_device_parse(spec_text[k], kinds, 1, &spec, &count), HIT_OK);
    if (spec.kind->count(&why) == 0) {
        ck_assert_int_eq(hit_device_open(&spec, &device), HIT_E_ABSENT);
        printf("%s: %s\n", spec_text[k], hit_status_text());
        return NULL;
    }
    ck_assert_msg(hit_device_open(&spec, &device) == HIT_OK, "%s: %s", spec_text[k],
                  hit_status_text());
    return device;
}

/* ---- what the kernels of test_kernels.k.c do, once more ---- */

typedef void plain_function(device_case *one, const hit_index x[]);

static void plain_mark1(device_case *one, const hit_index x[])
{
    AT(one, 0, int64_t, x[0]) = base + x[0];
}

static void plain_star2(device_case *one, const hit_index x[])
{
    hit_index i = x[0];
    hit_index j = x[1];
    AT(one, 0, double, i, j) =
        pair.a * AT(one, 1, double, i, j) +
        pair.b * (AT(one, 1, double, i - 1, j) + AT(one, 1, double, i + 1, j)) +
        AT(one, 1, double, i, j - 2) - AT(one, 1, double, i, j + 2);
}

static void plain_update3(device_case *one, const hit_index x[])
{
    int32_t *it = &AT(one, 0, int32_t, x[0], x[1], x[2]);
    *it = *it * 2 + (int32_t)(x[0] + 10 * x[1] + 100 * x[2]) +
          AT(one, 1, uint8_t, x[2], x[0]);
}

static void plain_mark4(device_case *one, const hit_index x[])
{
    AT(one, 0, float, x[0], x[1], x[2], x[3]) =
        (float)(x[0] + 3 * x[1] + 5 * x[2] + 7 * x[3]);
}

static void plain_sum1(device_case *one, const hit_index x[])
{
    AT(one, 0, int32_t, 0) += AT(one, 1, int32_t, x[0]);
}

static void plain_sum2(device_case *one, const hit_index x[])
{
    AT(one, 0, double, 0) += AT(one, 1, double, x[0], x[1]);
}

static void plain_rows(device_case *one, const hit_index x[])
{
    AT(one, 0, double, x[0]) += AT(one, 1, double, x[0], x[1]);
}

static void plain_columns(device_case *one, const hit_index x[])
{
    AT(one, 0, float, x[1]) += AT(one, 1, float, x[0], x[1]);
}

static void plain_extremes(device_case *one, const hit_index x[])
{
    float value = AT(one, 1, float, x[0], x[1]);
    float *low = &AT(one, 0, float, 0);
    int64_t *high = &AT(one, 2, int64_t, x[1]);
    if (value < *low) *low = value;
    if ((int64_t)value > *high) *high = (int64_t)value;
}

static void plain_least3(device_case *one, const hit_index x[])
{
    double value = AT(one, 1, double, x[0], x[1], x[2]);
    double *least = &AT(one, 0, double, x[2], x[0]);
    if (value < *least) *least = value;
}

static void plain_even(device_case *one, const hit_index x[])
{
    uint8_t value = AT(one, 2, uint8_t, x[0], x[1]);
    uint8_t *before = &AT(one, 1, uint8_t, x[0], x[1] - 1);
    uint8_t *here = &AT(one, 1, uint8_t, x[0], x[1]);
    AT(one, 0, int64_t, 2 * x[0]) += value;
    *before = (uint8_t)(*before + 1);
    *here = (uint8_t)(*here + value);
}

static void plain_histogram4(device_case *one, const hit_index x[])
{
    AT(one, 0, int64_t, (x[0] + x[2] + x[3]) & 3, x[1]) += 1;
}

static const struct {
    const hit_kernel *kernel;
    plain_function *plain;
    const void *value;
} kernel_case[] = {
    {&test_mark1, plain_mark1, &base},      {&test_star2, plain_star2, &pair},
    {&test_update3, plain_update3, NULL},   {&test_mark4, plain_mark4, NULL},
    {&test_sum1, plain_sum1, NULL},         {&test_sum2, plain_sum2, NULL},
    {&test_rows, plain_rows, NULL},         {&test_columns, plain_columns, NULL},
    {&test_extremes, plain_extremes, NULL}, {&test_least3, plain_least3, NULL},
    {&test_even, plain_even, NULL},         {&test_histogram4, plain_histogram4, NULL},
};

enum {
    KERNELS = sizeof(kernel_case) / sizeof(kernel_case[0])
};

static void run_plain(plain_function *plain, device_case *one)
{
    hit_index x[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(&one->box, x); more;
         more = hit_domain_next(&one->box, x)) {
        plain(one, x);
    }
}

/* Boxes from one index to a few thousand; never empty, that is another test. */
static hit_domain random_box(hit_random *random, int dims)
{
    static const hit_index most[] = {0, 4000, 70, 17, 8};
    hit_index stride = hit_random_index(random, 1, 3) == 1 ? 3 : 1;
    hit_index low = hit_random_index(random, -20, 20);
    hit_index high = low + hit_random_index(random, 0, most[dims]);
    hit_domain box;

    do {
        box = hit_random_domain(random, dims, low, high, stride);
    } while (hit_domain_is_empty(&box));
    return box;
}

START_TEST(every_kernel_does_what_plain_c_does)
{
    hit_device *device = open_device(_i / KERNELS);
    int k = _i % KERNELS;
    hit_random random = hit_random_start(1700 + (uint64_t)_i);
    bool same = true;

    if (device == NULL) return;
    for (int round = 0; round < 30 && same; round++) {
        hit_domain box = random_box(&random, kernel_case[k].kernel->dims);
        device_case one;
        device_case two;
        device_case_make(&random, kernel_case[k].kernel, &box, kernel_case[k].value,
                         &one);
        device_case_copy(&one, &two);
        run_plain(kernel_case[k].plain, &two);
        ck_assert_msg(device_case_run(device, &one) == HIT_OK, "%s", hit_status_text());
        same = device_case_equal(&one, &two);
        device_case_clear(&one);
        device_case_clear(&two);
    }
    ck_assert_uint_le(device->peak_bytes, device->limit_bytes);
    ck_assert_msg(same, "%s on %s differs", kernel_case[k].kernel->name,
                  spec_text[_i / KERNELS]);
    hit_device_close(&device);
}
END_TEST

START_TEST(results_have_the_same_bits_in_every_run)
{
    hit_device *device = open_device(_i);
    hit_random random = hit_random_start(1800);
    const hit_kernel *const kernel[] = {&test_sum2, &test_rows, &test_columns};
    bool same = true;

    if (device == NULL) return;
    for (int round = 0; round < 9; round++) {
        hit_domain box = hit_domain_of(100 + 37 * round, 91);
        device_case first;
        device_case next;
        device_case_make(&random, kernel[round % 3], &box, NULL, &first);
        device_case_fractions(&random, &first);
        device_case_copy(&first, &next);
        ck_assert_int_eq(device_case_run(device, &first), HIT_OK);
        ck_assert_int_eq(device_case_run(device, &next), HIT_OK);
        same = same && device_case_equal(&first, &next);
        device_case_clear(&first);
        device_case_clear(&next);
    }
    ck_assert(same);
    hit_device_close(&device);
}
END_TEST

START_TEST(an_empty_box_changes_nothing)
{
    hit_device *device = open_device(_i);
    hit_random random = hit_random_start(1900);

    if (device == NULL) return;
    for (int k = 0; k < KERNELS; k++) {
        hit_domain box = random_box(&random, kernel_case[k].kernel->dims);
        device_case one;
        device_case two;
        device_case_make(&random, kernel_case[k].kernel, &box, kernel_case[k].value,
                         &one);
        one.box = hit_domain_empty(box.dims);
        device_case_copy(&one, &two);
        ck_assert_int_eq(device_case_run(device, &one), HIT_OK);
        ck_assert(device_case_equal(&one, &two));
        device_case_clear(&one);
        device_case_clear(&two);
    }
    hit_device_close(&device);
}
END_TEST

enum {
    COPY_BYTES = 8 << 20
};

/* Large enough for several pieces and threads, or a random strided domain. */
static hit_domain random_tile(hit_random *random, int dims, bool large)
{
    static const hit_index most[] = {0, 300000, 500, 60, 15};
    static const hit_index wide[] = {0, 300000, 500, 65, 24};
    hit_index size[HIT_MAX_DIMS];
    hit_domain domain;

    for (int d = 0; d < dims; d++) {
        size[d] = wide[dims];
    }
    if (large) return hit_domain_of_sizes(dims, size);
    do {
        domain = hit_random_domain(random, dims, -5, most[dims], 2);
    } while (hit_domain_is_empty(&domain));
    return domain;
}

/* All 7 on the device and in memory[1]; then the elements `in` of memory[0] go to the
 * device, and from there `out` to memory[1]. */
static bool copies_are_right(hit_device *device, hit_random *random, void *memory[3],
                             int round)
{
    static const size_t sizes[] = {1, 2, 4, 8, 12, 16, 24};
    bool large = round < 24;
    size_t size = large ? 24 : sizes[hit_random_index(random, 0, 6)];
    hit_domain tile = random_tile(random, 1 + round % 4, large);
    size_t bytes = (size_t)hit_domain_count(&tile) * size;
    hit_domain in = large ? hit_domain_grow(tile, -hit_random_index(random, 0, 1))
                          : hit_random_subdomain(random, &tile, 3);
    hit_domain there = hit_random_index(random, 0, 1) == 1 ? in : tile;
    hit_domain out = large ? in : hit_random_subdomain(random, &there, 2);
    hit_view from = hit_view_make(&tile, size, memory[0]);
    hit_view back = hit_view_make(&tile, size, memory[1]);
    hit_view wanted = hit_view_make(&tile, size, memory[2]);
    hit_view held = hit_view_make(&there, size, device->arena);
    hit_domain both = hit_domain_intersect(&in, &out);
    hit_index x[HIT_MAX_DIMS];

    for (size_t at = 0; at < bytes; at++) {
        ((unsigned char *)memory[0])[at] = (unsigned char)(at * 37 + at / 251);
    }
    memset(memory[1], 7, bytes);
    memset(memory[2], 7, bytes);
    ck_assert_int_eq(
        hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_IN, &back, &held, &there), HIT_OK);
    ck_assert_int_eq(hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_IN, &from, &held, &in),
                     HIT_OK);
    ck_assert_int_eq(
        hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_OUT, &held, &back, &out), HIT_OK);
    ck_assert_int_eq(hit_device_wait(device), HIT_OK);
    for (bool more = hit_domain_first(&both, x); more; more = hit_domain_next(&both, x)) {
        memcpy(hit_view_at(&wanted, x), hit_view_at(&from, x), size);
    }
    return memcmp(memory[1], memory[2], bytes) == 0;
}

/* Run by run, packed, or as it is without measurements. */
static void choose_way(hit_device *device, int choice)
{
    hit_links links = {.known = choice < 2 ? (1u << HIT_LINK_NAMES) - 1 : 0};
    const hit_link_name slow = choice == 0 ? HIT_LINK_IN_PACKED : HIT_LINK_IN;
    const hit_link_name slow_too = choice == 0 ? HIT_LINK_OUT_PACKED : HIT_LINK_OUT;

    links.link[slow].latency_s = links.link[slow_too].latency_s = 1;
    if (hit_device_packs(device)) {
        hit_device_set_links(device, &links);
    }
}

static void try_copies(int spec, bool pinned)
{
    hit_device *device = open_device(spec);
    void *memory[3] = {0};
    bool same = true;

    if (device == NULL || device->limit_bytes < COPY_BYTES ||
        hit_device_in_place(device)) {
        hit_device_close(&device);
        return;
    }
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(hit_memory_take(COPY_BYTES, "a test", &memory[k]), HIT_OK);
        if (pinned) hit_device_pin(device, memory[k], COPY_BYTES);
    }
    ck_assert_int_eq(hit_device_reserve(device, COPY_BYTES), HIT_OK);
    for (int choice = 0; choice < 3; choice++) { /* the same copies each way */
        hit_random random = hit_random_start(2000);

        if (choice > 0 && !hit_device_packs(device)) break;
        choose_way(device, choice);
        for (int round = 0; round < 80 && same; round++) {
            same = copies_are_right(device, &random, memory, round);
        }
    }
    ck_assert(same);
    for (int k = 0; k < 3; k++) {
        if (pinned) hit_device_unpin(device, memory[k], COPY_BYTES);
        hit_memory_release(&memory[k]);
    }
    hit_device_close(&device);
}

START_TEST(copies_move_exactly_the_elements_of_the_domain)
{
    try_copies(_i, false);
    try_copies(_i, true);
}
END_TEST

/* Models of links foretell the same copies. */
START_TEST(a_device_that_counts_packs_as_it_would)
{
    hit_device *device = open_device(_i);
    bool packs;

    if (device == NULL) return;
    packs = hit_device_packs(device);
    ck_assert_int_eq(hit_device_count(device), HIT_OK);
    ck_assert_int_eq(hit_device_packs(device), packs);
    if (packs) hit_device_set_links(device, &(hit_links){.known = 0});
    hit_device_set_counting(device, false);
    hit_device_close(&device);
}
END_TEST

START_TEST(every_device_describes_itself_in_one_line)
{
    hit_device *device = open_device(_i);
    char text[200] = "";

    if (device == NULL) return;
    hit_device_describe(device, text, sizeof(text));
    printf("%s: %s\n", spec_text[_i], text);
    ck_assert_uint_gt(strlen(text), 0);
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_int_ge(device->threads, 1);
    hit_device_close(&device);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("contract.device");
    TCase *tests = tcase_create("every device");

    tcase_add_loop_test(tests, every_device_describes_itself_in_one_line, 0, SPECS);
    tcase_add_loop_test(tests, a_device_that_counts_packs_as_it_would, 0, SPECS);
    tcase_add_loop_test(tests, copies_move_exactly_the_elements_of_the_domain, 0, SPECS);
    tcase_add_loop_test(tests, every_kernel_does_what_plain_c_does, 0, SPECS * KERNELS);
    tcase_add_loop_test(tests, results_have_the_same_bits_in_every_run, 0, SPECS);
    tcase_add_loop_test(tests, an_empty_box_changes_nothing, 0, SPECS);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
