/* SPDX-License-Identifier: MIT
 * Traces and profiles, at any number of processes: every event of every process is in
 * the file, inside its launch, and the file can be read. */
#define _POSIX_C_SOURCE 200809L /* setenv, mkstemp */
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

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

/* Some steps that exchange halos, in a context that records what HIT_TRACE says. */
static void run_steps(const char *file, const char *devices)
{
    const hit_domain box = hit_domain_of(60, 60);
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *a = NULL;
    hit_tile *b = NULL;

    setenv("HIT_TRACE", file, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1, .devices = devices},
                           &hit));
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
    hit_close(&hit);
    unsetenv("HIT_TRACE");
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

START_TEST(a_trace_holds_the_launches_kernels_and_waits_of_all_processes)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    const int processes = hit_size(base);
    char *text;

    if (hit_rank(base) == 0) {
        const int made = mkstemp(name);

        ck_assert_int_ge(made, 0);
        close(made);
    }
    run_steps(name, "host");
    if (hit_rank(base) != 0) return;
    text = read_whole(name);
    remove(name);
    ck_assert_int_eq(count(text, "\"name\": \"star\", \"ph\": \"X\""),
                     count(text, "\"tid\": 0, \"ts\"") +
                         count(text, "\"tid\": 1, \"ts\""));
    ck_assert_int_eq(count(text, "\"tid\": 0, \"ts\""), STEPS * processes);
    ck_assert_int_ge(count(text, "\"tid\": 1, \"ts\""), STEPS * processes);
    ck_assert_int_eq(count(text, "\"process_name\""), processes);
    if (processes > 1) ck_assert_int_ge(count(text, "\"gather\""), STEPS);
    ck_assert_int_eq(count(text, "{"), count(text, "}"));
    ck_assert_msg(strncmp(text, "{\"displayTimeUnit\"", 18) == 0, "%s", text);
    ck_assert_msg(strcmp(text + strlen(text) - 4, "\n]}\n") == 0, "%s", text);
    free(text);
}
END_TEST

START_TEST(a_trace_has_the_lanes_of_every_device)
{
    char name[] = "/tmp/hit-test-trace-XXXXXX";
    const int processes = hit_size(base);
    char *text;

    if (hit_rank(base) == 0) {
        const int made = mkstemp(name);

        ck_assert_int_ge(made, 0);
        close(made);
    }
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
