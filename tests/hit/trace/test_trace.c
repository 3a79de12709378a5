/* SPDX-License-Identifier: MIT
 * Traces and profiles, at any number of processes: every event of every process is in
 * the file, inside its launch, and the file can be read. */
#define _POSIX_C_SOURCE 200809L /* setenv, mkstemp */
#include "kernels/kernels.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"

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

static char *read_whole(const char *name)
{
    FILE *file = fopen(name, "r");
    char *text = calloc(1, 1 << 20);

    if (file == NULL || text == NULL) abort();
    (void)fread(text, 1, (1 << 20) - 1, file);
    (void)fclose(file);
    return text;
}

static int count(const char *text, const char *word)
{
    int found = 0;

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        found++;
    }
    return found;
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
    text = read_whole(name);
    remove(name);
    ck_assert_int_gt(count(text, "\"ts\": "), 0);
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
    text = read_whole(name);
    remove(name);
    ck_assert_int_eq(count(text, "\"name\": \"star\", \"ph\": \"X\""),
                     count(text, "\"tid\": 0, \"ts\"") +
                         count(text, "\"tid\": 1, \"ts\""));
    ck_assert_int_eq(count(text, "\"tid\": 0, \"ts\""), STEPS * processes);
    ck_assert_int_ge(count(text, "\"tid\": 1, \"ts\""), STEPS * processes);
    ck_assert_uint_eq(operations(text, "star"), 0); /* it does not say */
    ck_assert_int_eq(count(text, "\"process_name\""), processes);
    if (processes > 1) ck_assert_int_ge(count(text, "\"gather\""), STEPS);
    ck_assert_int_eq(count(text, "{"), count(text, "}"));
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

START_TEST(a_launch_tells_the_operations_that_its_kernel_declares)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    char *text;

    make_name(name);
    run_counted(name);
    if (hit_rank(base) != 0) return;
    text = read_whole(name);
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

    make_name(name);
    run_steps(name, "host+host:staged:share=2");
    if (hit_rank(base) != 0) return;
    text = read_whole(name);
    remove(name);
    ck_assert_int_eq(count(text, "\"tid\": 0, \"ts\""), STEPS * processes);
    ck_assert_int_eq(count(text, "\"tid\": 1, \"ts\""), STEPS * processes);
    /* the second device also copies */
    ck_assert_int_gt(count(text, "\"tid\": 6, \"ts\""), STEPS * processes);
    ck_assert_int_eq(count(text, "\"device 0: kernels\""), processes);
    ck_assert_int_eq(count(text, "\"device 1: kernels\""), processes);
    ck_assert_int_eq(count(text, "\"device 1: copies in\""), processes);
    ck_assert_int_eq(count(text, "\"thread_name\""), 8 * processes);
    ck_assert_int_eq(count(text, "{"), count(text, "}"));
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
    tcase_add_test(tests, a_launch_tells_the_operations_that_its_kernel_declares);
    tcase_add_test(tests, a_trace_has_the_lanes_of_every_device);
    tcase_add_test(tests, a_trace_that_cannot_be_written_stops_nobody);
    tcase_add_test(tests, a_profile_is_printed_and_stops_nobody);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
