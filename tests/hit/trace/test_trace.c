/* SPDX-License-Identifier: MIT
 * Traces and profiles, at any number of processes: every event of every process is in
 * the file, inside its launch, and the file can be read. */
#define _POSIX_C_SOURCE 200809L /* setenv, mkstemp */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "kernels/kernels.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"
#include "tests/support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hit_kernel star;

enum {
    STEPS = 5
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static hit_context *open_traced(const char *file, const char *devices)
{
    hit_context *hit = NULL;

    setenv("HIT_TRACE", file, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1, .devices = devices},
                           &hit));
    return hit;
}

static void close_traced(hit_context *hit)
{
    hit_close(&hit);
    unsetenv("HIT_TRACE");
}

/* Some steps that exchange halos, in a context that records what HIT_TRACE says. */
static void run_steps(const char *file, const char *devices)
{
    const hit_domain box = hit_domain_of(60, 60);
    hit_context *hit = open_traced(file, devices);
    hit_layout *layout = NULL;
    hit_tile *a = NULL;
    hit_tile *b = NULL;

    HIT_MUST(hit_layout_create(hit, box, "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "b", &b));
    for (int step = 0; step < STEPS; step++) {
        HIT_MUST(hit_launch(hit, &star, hit_domain_grow(box, -3), b, a,
                            HIT_VALUE((int64_t){3})));
        hit_tile_swap(&a, &b);
    }
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_layout_destroy(&layout);
    close_traced(hit);
}

/* A file of process 0's own. */
static void make_name(char *name)
{
    int made;

    if (hit_rank(base) != 0) return;
    made = mkstemp(name);
    ck_assert_int_ge(made, 0);
    close(made);
}

/* The sum of what stands behind "operations" in the events of `kernel`. */
static uint64_t operations(const char *text, const char *kernel)
{
    char word[64];
    uint64_t sum = 0;

    (void)snprintf(word, sizeof(word), "\"name\": \"%s\", \"ph\": \"X\"", kernel);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        sum += strtoull(strstr(at, "\"operations\": ") + 14, NULL, 10);
    }
    return sum;
}

/* Does a number with a '.' follow each of these words? */
static bool has_points(const char *text, const char *word)
{
    bool all = true;

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const char *number = at + strlen(word);

        all &= number[strspn(number, "-0123456789")] == '.';
    }
    return all;
}

START_TEST(a_wrong_setting_of_profiles_is_refused)
{
    hit_context *hit = NULL;
    hit_status status;

    setenv("HIT_PROFILE", "x", 1);
    status = hit_open(NULL, NULL, &hit);
    unsetenv("HIT_PROFILE");
    if (hit_rank(base) != 0) {
        ck_assert_int_eq(status, HIT_E_PEER);
        return;
    }
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "HIT_PROFILE: expected 0 or 1 but found \"x\""));
}
END_TEST

START_TEST(a_trace_has_points_whatever_the_locale)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    char *text;

    make_name(name);
    (void)comma_locale_set();
    run_steps(name, "host");
    comma_locale_reset();
    if (hit_rank(base) != 0) return;
    text = text_of_file(name);
    remove(name);
    ck_assert_int_gt(text_count(text, "\"ts\": "), 0);
    ck_assert(has_points(text, "\"ts\": "));
    ck_assert(has_points(text, "\"dur\": "));
    free(text);
}
END_TEST

START_TEST(a_trace_holds_the_launches_kernels_and_waits_of_all_processes)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    const int processes = hit_size(base);
    char *text;

    make_name(name);
    run_steps(name, "host");
    if (hit_rank(base) != 0) return;
    text = text_of_file(name);
    remove(name);
    ck_assert_int_eq(text_count(text, "\"name\": \"star\", \"ph\": \"X\""),
                     text_count(text, "\"tid\": 0, \"ts\"") +
                         text_count(text, "\"tid\": 256, \"ts\""));
    ck_assert_int_eq(text_count(text, "\"tid\": 0, \"ts\""), STEPS * processes);
    ck_assert_int_ge(text_count(text, "\"tid\": 256, \"ts\""), STEPS * processes);
    ck_assert_uint_eq(operations(text, "star"), 0); /* it does not say */
    ck_assert_int_eq(text_count(text, "\"process_name\""), processes);
    if (processes > 1) ck_assert_int_ge(text_count(text, "\"gather\""), STEPS);
    ck_assert_int_eq(text_count(text, "{"), text_count(text, "}"));
    ck_assert_msg(strncmp(text, "{\"displayTimeUnit\"", 18) == 0, "%s", text);
    ck_assert_msg(strcmp(text + strlen(text) - 4, "\n]}\n") == 0, "%s", text);
    free(text);
}
END_TEST

/* A heat step, and a product with a traversed dimension that is no index. */
static void run_counted(const char *file)
{
    const hit_domain box = hit_domain_of(30, 41);
    hit_context *hit = open_traced(file, "host");
    hit_layout *layout = NULL;
    hit_tile *tile[5] = {NULL};
    const float one = 1;
    const hit_domain shape[5] = {box, box, hit_domain_of(30, 17), hit_domain_of(17, 41),
                                 box};

    for (int k = 0; k < 5; k++) {
        HIT_MUST(hit_layout_create(hit, shape[k], "block", &layout));
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "t", &tile[k]));
        hit_layout_destroy(&layout);
        HIT_MUST(hit_tile_fill(tile[k], &one));
    }
    HIT_MUST(hit_launch(hit, &heat_float, hit_domain_grow(box, -1), tile[1], tile[0],
                        HIT_VALUE(0.1f)));
    HIT_MUST(hit_launch(hit, &gemm_float, box, tile[4], tile[2], tile[3], HIT_VALUE(1.0f),
                        HIT_VALUE(0.0f)));
    for (int k = 0; k < 5; k++) {
        hit_tile_destroy(&tile[k]);
    }
    close_traced(hit);
}

/* Planning that failed is not in the time of the launches that follow. */
START_TEST(a_launch_has_the_time_of_its_own_planning)
{
    const hit_domain box = hit_domain_of(60, 60);
    hit_context *hit = NULL;
    hit_tile *tile[2] = {NULL};
    hit_trace_list *list;

    setenv("HIT_PROFILE", "1", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &hit));
    unsetenv("HIT_PROFILE");
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_make(hit, box, "block", HIT_INT64, "a", &tile[k]));
    }
    for (int step = 0; step < STEPS; step++) {
        const hit_domain inner = hit_domain_grow(box, step == 2 ? 9 : -3);
        const hit_status status =
            hit_launch(hit, &star, inner, tile[0], tile[1], HIT_VALUE((int64_t){3}));

        ck_assert_int_eq(status == HIT_OK, step != 2);
    }
    list = &hit->trace->list[HIT_TRACE_LAUNCH];
    ck_assert_uint_eq(list->count, STEPS - 1);
    for (size_t k = 0; k < STEPS - 1; k++) {
        const hit_trace_event *event = &list->event[k];

        ck_assert(event->plan_s >= 0);
        ck_assert(k == 0 || event->start_s >= event[-1].end_s);
        ck_assert(event->end_s >= event->start_s + event->plan_s);
    }
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_close(&hit);
}
END_TEST

START_TEST(a_launch_tells_the_operations_that_its_kernel_declares)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    char *text;

    make_name(name);
    run_counted(name);
    if (hit_rank(base) != 0) return;
    text = text_of_file(name);
    remove(name);
    ck_assert_uint_eq(operations(text, "heat_float"), 7 * 28 * 39);
    ck_assert_uint_eq(operations(text, "gemm_float"), 2 * 30 * 41 * 17);
    free(text);
}
END_TEST

START_TEST(a_trace_has_the_lanes_of_every_device)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    const int processes = hit_size(base);
    char *text;
    int runs;

    make_name(name);
    run_steps(name, "host+host:staged:share=2");
    if (hit_rank(base) != 0) return;
    text = text_of_file(name);
    remove(name);
    ck_assert_int_eq(text_count(text, "\"tid\": 0, \"ts\""), STEPS * processes);
    /* once a launch; where it has messages, inner indices run apart from the others */
    runs = text_count(text, "\"tid\": 256, \"ts\"");
    ck_assert_int_ge(runs, STEPS * processes);
    ck_assert(processes > 1 || runs == STEPS);
    /* the second device also copies */
    ck_assert_int_gt(text_count(text, "\"tid\": 1792, \"ts\""), STEPS * processes - 1);
    ck_assert_int_gt(text_count(text, "\"tid\": 2048, \"ts\""), 0);
    ck_assert_int_eq(text_count(text, "\"device 0: kernels\""), processes);
    ck_assert_int_eq(text_count(text, "\"device 1: kernels\""), processes);
    ck_assert_int_eq(text_count(text, "\"device 1: copies in\""), processes);
    ck_assert_int_eq(text_count(text, "\"thread_name\""), 10 * processes);
    ck_assert_int_eq(text_count(text, "{"), text_count(text, "}"));
    free(text);
}
END_TEST

/* Bytes of the events in a lane of the first device, whatever their row. */
static uint64_t lane_bytes(const char *text, hit_trace_lane lane)
{
    uint64_t sum = 0;

    for (const char *at = strstr(text, "\"ph\": \"X\""); at != NULL;
         at = strstr(at + 1, "\"ph\": \"X\"")) {
        if (strtol(strstr(at, "\"tid\": ") + 7, NULL, 10) / 256 != lane) continue;
        sum += strtoull(strstr(at, "\"bytes\": ") + 9, NULL, 10);
    }
    return sum;
}

/* Heat, with blocks of up to @p chain launches; what is counted. */
static hit_stats run_heat(const char *file, const char *devices, int chain)
{
    const hit_domain box = hit_domain_of(96, 64);
    hit_context *hit = open_traced(file, devices);
    hit_layout *layout = NULL;
    hit_tile *tile[2] = {NULL};
    const float one = 1;
    hit_stats stats;

    HIT_MUST(hit_layout_create(hit, box, "block:dims=0", &layout));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "t", &tile[k]));
        HIT_MUST(hit_tile_fill(tile[k], &one));
    }
    HIT_MUST(hit_chain(hit, chain));
    for (int step = 0; step < 40; step++) {
        HIT_MUST(hit_launch(hit, &heat_float, hit_domain_grow(box, -1), tile[1], tile[0],
                            HIT_VALUE(0.1f)));
        hit_tile_swap(&tile[0], &tile[1]);
    }
    HIT_MUST(hit_tile_get(tile[0], (hit_index[]){5, 5}, &(float){0}));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&tile[k]);
    }
    hit_layout_destroy(&layout);
    close_traced(hit);
    return stats;
}

START_TEST(the_bytes_of_copies_are_those_that_are_counted)
{
    static const struct {
        const char *devices;
        int chain;
    } way[] = {{"host:staged", 1},
               {"host:staged:memory=16KiB", 1},
               {"host:staged", 8},
               {"host:staged:memory=32KiB", 8}};

    for (size_t k = 0; k < sizeof(way) / sizeof(way[0]); k++) {
        char name[] = "/tmp/hit-test-trace-XXXXXX";
        hit_stats stats;
        char *text;

        make_name(name);
        stats = run_heat(name, way[k].devices, way[k].chain);
        if (hit_rank(base) != 0) continue;
        text = text_of_file(name);
        remove(name);
        ck_assert_uint_gt(stats.bytes_in, 0);
        ck_assert_uint_eq(lane_bytes(text, HIT_TRACE_IN), stats.bytes_in);
        ck_assert_uint_eq(lane_bytes(text, HIT_TRACE_OUT), stats.bytes_out);
        free(text);
    }
}
END_TEST

START_TEST(a_block_shows_its_wait_for_messages)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    const int processes = hit_size(base);
    hit_stats stats;
    char *text;

    make_name(name);
    stats = run_heat(name, "host", 4);
    if (hit_rank(base) != 0) return;
    text = text_of_file(name);
    remove(name);
    if (processes > 1 && stats.chained > 0) {
        ck_assert_int_ge(text_count(text, "\"rims of a block\""), processes);
    }
    ck_assert(processes == 1 || stats.chained > 0);
    free(text);
}
END_TEST

START_TEST(what_went_on_side_by_side_has_lanes_of_its_own)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    hit_context *hit;
    char *text;

    make_name(name);
    hit = open_traced(name, "host");
    for (int k = 0; k < 3 && hit->trace != NULL; k++) { /* 0 to 4, 2 to 6, 5 to 9 */
        const double start_s = hit->trace->origin_s + (k == 2 ? 5 : 2 * k);

        hit_trace_put(
            hit->trace, HIT_TRACE_RUN,
            &(hit_trace_event){.what = "task", .start_s = start_s, .end_s = start_s + 4});
    }
    hit_trace_put(hit->trace, HIT_TRACE_LAUNCH, &(hit_trace_event){.what = "task"});
    close_traced(hit);
    if (hit_rank(base) != 0) return;
    text = text_of_file(name);
    remove(name);
    ck_assert_int_eq(text_count(text, "\"kernels, 2\""), hit_size(base));
    ck_assert_int_eq(text_count(text, "\"tid\": 256, \"ts\""), 2 * hit_size(base));
    ck_assert_int_eq(text_count(text, "\"tid\": 257, \"ts\""), hit_size(base));
    free(text);
}
END_TEST

START_TEST(a_trace_that_cannot_be_written_stops_nobody)
{
    run_steps("/nowhere/trace.json", "host");
    HIT_MUST(hit_barrier(base));
}
END_TEST

START_TEST(a_profile_is_printed_and_stops_nobody)
{
    setenv("HIT_PROFILE", "1", 1);
    run_steps("/nowhere/trace.json", "host");
    unsetenv("HIT_PROFILE");
    HIT_MUST(hit_barrier(base));
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("trace");
    TCase *tests = tcase_create("trace");

    tcase_add_test(tests, a_trace_holds_the_launches_kernels_and_waits_of_all_processes);
    tcase_add_test(tests, a_trace_has_points_whatever_the_locale);
    tcase_add_test(tests, a_wrong_setting_of_profiles_is_refused);
    tcase_add_test(tests, a_launch_has_the_time_of_its_own_planning);
    tcase_add_test(tests, a_launch_tells_the_operations_that_its_kernel_declares);
    tcase_add_test(tests, a_trace_has_the_lanes_of_every_device);
    tcase_add_test(tests, the_bytes_of_copies_are_those_that_are_counted);
    tcase_add_test(tests, a_block_shows_its_wait_for_messages);
    tcase_add_test(tests, what_went_on_side_by_side_has_lanes_of_its_own);
    tcase_add_test(tests, a_trace_that_cannot_be_written_stops_nobody);
    tcase_add_test(tests, a_profile_is_printed_and_stops_nobody);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
