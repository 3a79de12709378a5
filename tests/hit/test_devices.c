/* SPDX-License-Identifier: MIT
 * Kinds of devices that a program adds. What they must do is in tests/contract/device.c.
 */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/tile/station.h"
#include "tests/support/check_main.h"
#include "tests/support/own_device.h"

#include <string.h>
#include <time.h>

extern const hit_kernel bump;

enum {
    N = 60
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static const hit_device_ops *const own_kinds[] = {&own_device, NULL};

static hit_status open_with(const char *devices, const hit_device_ops *const kinds[],
                            hit_context **hit)
{
    const hit_options options = {.devices = devices, .device_kinds = kinds, .threads = 1};

    return hit_open_with(NULL, NULL, &options, hit);
}

/* Two launches of @p kernel, which is bump, or as many for each of @p parts of the rows:
 * the same answer on all processes. */
static bool bumps_are_right(hit_context *hit, const hit_kernel *kernel, int parts)
{
    const hit_domain box = hit_domain_of(N, N);
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    const int64_t one = 1;
    int64_t found[N * N];
    bool right = true;

    HIT_MUST(hit_layout_create(hit, box, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &tile));
    HIT_MUST(hit_tile_fill(tile, &one));
    for (int k = 0; k < 2 * parts; k++) {
        const hit_index row = k % parts * (N / parts);

        HIT_MUST(hit_launch(hit, kernel, hit_box_of(row, row + N / parts - 1, 0, N - 1),
                            tile, HIT_VALUE((int64_t)3)));
    }
    HIT_MUST(hit_tile_gather(tile, 0, found));
    for (int k = 0; hit_rank(hit) == 0 && k < N * N; k++) {
        int64_t want = one;

        for (int step = 0; step < 2; step++) {
            want = (want * 3 + k / N + 2 * (k % N)) % 1009;
        }
        right = right && found[k] == want;
    }
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    return hit_comm_agree(hit->comm, right ? HIT_OK : HIT_E_INTERNAL) == HIT_OK;
}

START_TEST(launches_run_on_a_kind_of_the_program)
{
    hit_context *hit = NULL;
    char text[128];
    bool right;
    int runs;

    HIT_MUST(open_with("own:name=left", own_kinds, &hit));
    right = bumps_are_right(hit, &bump, 1);
    runs = own_device_runs(hit->device[0]);
    hit_context_device(hit, text, sizeof(text));
    hit_close(&hit);
    ck_assert(right);
    ck_assert_int_eq(runs, 2);
    ck_assert_str_eq(text, "a device of the program name=left");
}
END_TEST

START_TEST(a_kind_of_the_program_shares_launches_with_the_host)
{
    hit_context *hit = NULL;
    bool right;
    int runs;

    HIT_MUST(open_with("own:share=2 + host:staged", own_kinds, &hit));
    right = bumps_are_right(hit, &bump, 1);
    runs = own_device_runs(hit->device[0]);
    hit_close(&hit);
    ck_assert(right);
    ck_assert_int_eq(runs, 2);
}
END_TEST

static int prepared;

static hit_status count_preparing(void **left)
{
    *left = NULL;
    prepared++;
    return HIT_OK;
}

START_TEST(a_kind_that_runs_functions_of_the_host_gets_them_prepared_once)
{
    static const char *const devices[] = {"own", "host", "own+host", "own+own"};

    for (int k = 0; k < 4; k++) {
        hit_kernel kernel = bump;
        hit_context *hit = NULL;
        bool right;

        kernel.prepare = count_preparing;
        prepared = 0;
        HIT_MUST(open_with(devices[k], own_kinds, &hit));
        right = bumps_are_right(hit, &kernel, 1);
        hit_close(&hit);
        ck_assert(right);
        ck_assert_msg(prepared == 1, "%s: prepared %d times", devices[k], prepared);
    }
}
END_TEST

/* Longer than it takes to hand a task over. */
static hit_status bump_slowly(const hit_run *run)
{
    struct timespec from;
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec <
             50000);
    return bump.host(run);
}

/* What a task does has as many slots as the kernel has arguments, and no more. */
START_TEST(a_kind_of_the_program_runs_tasks)
{
    hit_kernel kernel = bump;
    hit_context *hit = NULL;
    uint64_t tasks;
    bool right;

    kernel.host = bump_slowly;
    kernel.whole_box = 1; /* those of few indices are tasks, too */
    HIT_MUST(open_with("own+own", own_kinds, &hit));
    right = bumps_are_right(hit, &kernel, N);
    tasks = hit->stations->logged[hit_source_of_tasks(hit->stations)];
    hit_close(&hit);
    ck_assert(right);
    if (hit_size(base) == 1) ck_assert_uint_gt(tasks, 0);
}
END_TEST

START_TEST(without_a_list_all_devices_of_a_preferred_kind_are_used)
{
    static hit_device_ops preferred; /* must live as long as the context */
    const hit_device_ops *const kinds[] = {&preferred, NULL};
    const char *why = "";
    hit_context *hit = NULL;
    char text[128];

    if (hit_device_cuda.count(&why) > 0) return; /* it is preferred, too */
    preferred = own_device;
    preferred.preferred = true;
    HIT_MUST(open_with("", kinds, &hit));
    hit_context_device(hit, text, sizeof(text));
    hit_close(&hit);
    ck_assert_str_eq(text, "a device of the program ");
    HIT_MUST(open_with("", own_kinds, &hit));
    hit_context_device(hit, text, sizeof(text));
    hit_close(&hit);
    ck_assert_ptr_nonnull(strstr(text, "1 thread"));
}
END_TEST

START_TEST(mistakes_list_the_kinds_of_the_program)
{
    hit_context *hit = NULL;

    ck_assert_int_eq(open_with("other", own_kinds, &hit), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(),
                         "expected the kind host, cuda or own but found \"other\""),
                  "%s", hit_status_text());
    ck_assert_int_eq(open_with("own:threads=2", own_kinds, &hit), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "expected name= but found \"threads=2\""),
                  "%s", hit_status_text());
    ck_assert_int_eq(open_with("own", NULL, &hit), HIT_E_ARG);
    ck_assert_ptr_null(hit);
}
END_TEST

START_TEST(fields_of_a_kind_are_printed_as_they_were_read)
{
    hit_device_spec spec;
    char text[128];
    int count = 0;

    HIT_MUST(hit_device_parse("own:name=a:share=3:name=b:slow=2", own_kinds, 1, &spec,
                              &count));
    ck_assert_str_eq(spec.own, "name=a:name=b");
    hit_device_print(&spec, text, sizeof(text));
    ck_assert_str_eq(text, "own:slow=2@0:share=3:name=a:name=b");
    ck_assert_int_eq(hit_device_parse("own:name=123456789012345678901234567890"
                                      ":name=123456789012345678901234567890",
                                      own_kinds, 1, &spec, &count),
                     HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "at most 63 characters"));
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("devices");
    TCase *tests = tcase_create("kinds of the program");

    tcase_add_test(tests, launches_run_on_a_kind_of_the_program);
    tcase_add_test(tests, a_kind_of_the_program_shares_launches_with_the_host);
    tcase_add_test(tests, a_kind_that_runs_functions_of_the_host_gets_them_prepared_once);
    tcase_add_test(tests, a_kind_of_the_program_runs_tasks);
    tcase_add_test(tests, without_a_list_all_devices_of_a_preferred_kind_are_used);
    tcase_add_test(tests, mistakes_list_the_kinds_of_the_program);
    tcase_add_test(tests, fields_of_a_kind_are_printed_as_they_were_read);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
