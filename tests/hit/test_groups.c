/* SPDX-License-Identifier: MIT
 * Several runs in one job: contexts over parts of the processes, at the same time. At any
 * number of processes; with several there are two groups of unlike size. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/checkpoint/checkpoint.h"
#include "hit/model/store.h"
#include "hit/mpi.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"
#include "tests/support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hit_kernel star;

enum {
    SIDE = 40,
    CELLS = SIDE * SIDE
};

static hit_context *base;

static int my_group(void)
{
    return hit_rank(base) < (hit_size(base) + 2) / 3 ? 0 : 1;
}

static int groups(void)
{
    return hit_size(base) > 1 ? 2 : 1;
}

/* As a program opens one: with no groups before. */
static hit_context *open_whole(void)
{
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &hit));
    return hit;
}

static hit_context *open_in(hit_context *whole, int group)
{
    const hit_options options = {.threads = 1};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_group(whole, group, &options, &hit));
    return hit;
}

static hit_context *open_group(int group)
{
    return open_in(base, group);
}

/* As many steps as the group has, and what is left on its process 0. */
static void run_steps(hit_context *hit, int steps, int64_t found[CELLS])
{
    const hit_domain box = hit_domain_of(SIDE, SIDE);
    hit_layout *layout = NULL;
    hit_tile *a = NULL;
    hit_tile *b = NULL;

    HIT_MUST(hit_layout_create(hit, box, "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "b", &b));
    for (int k = 0; k < hit_tile_pieces(a); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(a, k, HIT_WRITE, &view));
        HIT_FOR_EACH (x, view.domain) {
            *(int64_t *)hit_view_at(&view, x) = 100 * x[0] + x[1];
        }
    }
    HIT_MUST(hit_tile_copy(a, b));
    for (int step = 0; step < steps; step++) {
        HIT_MUST(hit_launch(hit, &star, hit_domain_grow(box, -3), b, a,
                            HIT_VALUE((int64_t){3})));
        hit_tile_swap(&a, &b);
    }
    HIT_MUST(hit_tile_gather(a, 0, hit_rank(hit) == 0 ? found : NULL));
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_layout_destroy(&layout);
}

START_TEST(groups_run_side_by_side_as_if_they_were_alone)
{
    static int64_t found[CELLS];
    static int64_t expected[CELLS];
    const int steps = 3 + 4 * my_group();
    hit_context *alone = open_group(hit_rank(base));
    hit_context *hit = open_group(my_group());

    ck_assert_int_eq(hit_size(alone), 1);
    ck_assert_int_eq(hit_size(hit), groups() == 1 ? 1
                                    : my_group() == 0
                                        ? (hit_size(base) + 2) / 3
                                        : hit_size(base) - (hit_size(base) + 2) / 3);
    run_steps(hit, steps, found);
    run_steps(alone, steps, expected);
    if (hit_rank(hit) == 0) ck_assert_mem_eq(found, expected, sizeof(found));
    hit_close(&hit);
    hit_close(&alone);
}
END_TEST

START_TEST(a_process_has_the_same_device_in_a_group)
{
    const hit_options options = {.devices = "host:threads=1; host:threads=2"};
    hit_context *whole = NULL;
    hit_context *hit = NULL;
    char before[200];
    char within[200];

    HIT_MUST(hit_open_with(NULL, NULL, &options, &whole));
    HIT_MUST(hit_open_group(whole, my_group(), &options, &hit));
    hit_context_device(whole, before, sizeof(before));
    hit_context_device(hit, within, sizeof(within));
    ck_assert_str_eq(before, within);
    hit_close(&hit);
    hit_close(&whole);
}
END_TEST

static hit_fpm *model_of(double units)
{
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    HIT_MUST(hit_fpm_add(fpm, units, units * 1e-6, 1));
    return fpm;
}

START_TEST(groups_share_a_store)
{
    const hit_model_key key = {"groups", "device", "build"};
    hit_context *hit = open_group(my_group());
    hit_fpm *fpm = NULL;
    own_store store;

    own_store_open_for(&store, base);
    HIT_MUST(hit_barrier(base));
    for (int k = 0; k < 5 && hit_rank(hit) == 0; k++) {
        fpm = model_of(1000.0 * (k + 1) + 500 * my_group());
        HIT_MUST(hit_store_add(&hit->clock, &key, fpm));
        hit_fpm_destroy(&fpm);
    }
    HIT_MUST(hit_barrier(base));
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert(fpm != NULL);
    ck_assert_uint_eq(hit_fpm_count(fpm), (size_t)(5 * groups()));
    hit_fpm_destroy(&fpm);
    own_store_close_for(&store, base);
    hit_close(&hit);
}
END_TEST

static void trace_group(hit_context *whole, int group, int steps)
{
    static int64_t found[CELLS];
    hit_context *hit = open_in(whole, group);

    run_steps(hit, steps, found);
    hit_close(&hit);
}

START_TEST(each_group_has_a_trace_of_its_own)
{
    char folder[TEXT_FOLDER];
    char path[64];
    hit_context *whole = open_whole();

    text_folder_open(base, folder);
    (void)snprintf(path, sizeof(path), "%s/run.json", folder);
    setenv("HIT_TRACE", path, 1);
    trace_group(whole, my_group(), 3 + 4 * my_group());
    unsetenv("HIT_TRACE");
    HIT_MUST(hit_barrier(base));
    ck_assert_int_ne(access(path, F_OK), 0);
    for (int g = 0; g < groups(); g++) {
        char word[64];
        char *text;

        (void)snprintf(path, sizeof(path), "%s/run-%d.json", folder, g);
        text = text_of_file(path);
        (void)snprintf(word, sizeof(word), "\"group %d, process 0: ", g);
        ck_assert_int_eq(text_count(text, word), 1);
        ck_assert_int_ge(text_count(text, "\"name\": \"star\", \"ph\": \"X\""),
                         3 + 4 * g);
        free(text);
    }
    ck_assert_int_eq(text_folder_close(base, folder), groups());
    hit_close(&whole);
}
END_TEST

/* Groups in groups, and those of a second call, with the same numbers. */
START_TEST(no_two_groups_write_one_trace)
{
    static const char *const name[] = {"0-0", "0-1", "0-0.2", "0", "0.2"};
    char folder[TEXT_FOLDER];
    char path[64];
    hit_context *whole = open_whole();
    hit_context *outer = open_in(whole, 0);

    text_folder_open(base, folder);
    (void)snprintf(path, sizeof(path), "%s/run.json", folder);
    setenv("HIT_TRACE", path, 1);
    trace_group(outer, my_group(), 1);
    trace_group(outer, 0, 1);
    trace_group(whole, 0, 1);
    unsetenv("HIT_TRACE");
    HIT_MUST(hit_barrier(base));
    for (int k = 0; k < 5; k++) {
        const bool is_there = (k != 1 || groups() == 2) && k != 3;

        (void)snprintf(path, sizeof(path), "%s/run-%s.json", folder, name[k]);
        ck_assert_msg((access(path, F_OK) == 0) == is_there, "%s", path);
    }
    ck_assert_int_eq(text_folder_close(base, folder), groups() + 2);
    hit_close(&outer);
    hit_close(&whole);
}
END_TEST

/* What the group's process 0 prints when the context is closed. */
START_TEST(each_group_has_a_profile_of_its_own)
{
    static int64_t found[CELLS];
    const hit_options options = {.threads = 1, .out = tmpfile()};
    char text[8000];
    char word[64];
    hit_context *whole = open_whole();
    hit_context *hit = NULL;
    bool is_first;

    ck_assert(options.out != NULL);
    setenv("HIT_PROFILE", "1", 1);
    HIT_MUST(hit_open_group(whole, my_group(), &options, &hit));
    run_steps(hit, 3 + 4 * my_group(), found);
    is_first = hit_rank(hit) == 0;
    (void)snprintf(word, sizeof(word), "group %d, processes: %d\n", my_group(),
                   hit_size(hit));
    hit_close(&hit);
    unsetenv("HIT_PROFILE");
    hit_close(&whole);
    text_of_stream(options.out, text, sizeof(text));
    ck_assert_msg(is_first == (strncmp(text, word, strlen(word)) == 0), "%s", text);
    (void)snprintf(word, sizeof(word), "\nstar %28d ", 3 + 4 * my_group());
    ck_assert_msg(is_first == (strstr(text, word) != NULL), "%s", text);
}
END_TEST

static void write_checkpoints(hit_context *whole)
{
    hit_context *hit = open_in(whole, my_group());

    for (int64_t t = 0; t < 3; t++) {
        if (t == 0) HIT_MUST(hit_checkpoint_value(hit, "t", HIT_INT64, &t));
        HIT_MUST(hit_checkpoint_step(hit));
    }
    hit_close(&hit);
}

START_TEST(each_group_has_checkpoints_of_its_own)
{
    char folder[TEXT_FOLDER];
    char text[80];
    hit_context *whole = open_whole();

    text_folder_open(base, folder);
    (void)snprintf(text, sizeof(text), "every=1steps,path=%s/all", folder);
    setenv("HIT_CHECKPOINT", text, 1);
    write_checkpoints(whole);
    write_checkpoints(whole);
    unsetenv("HIT_CHECKPOINT");
    HIT_MUST(hit_barrier(base));
    for (int k = 0; k < 6; k++) {
        (void)snprintf(text, sizeof(text), "%s/all-%d%s", folder, k % 3,
                       k < 3 ? "" : ".2");
        ck_assert_msg((access(text, F_OK) == 0) == (k % 3 < groups()), "%s", text);
    }
    ck_assert_int_eq(text_folder_close(base, folder), 2 * groups());
    hit_close(&whole);
}
END_TEST

/* Of the whole, and then of the group: the processes that are planned. */
static void plan(const char *processes, hit_context **whole, hit_context **hit,
                 hit_status *status)
{
    const hit_options options = {.threads = 1, .out = tmpfile()};

    ck_assert(options.out != NULL);
    setenv("HIT_PLAN", "1", 1);
    if (processes != NULL) setenv("HIT_PLAN_PROCESSES", processes, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &options, whole));
    *status = hit_open_group(*whole, my_group(), &options, hit);
    unsetenv("HIT_PLAN_PROCESSES");
    setenv("HIT_PLAN", "", 1);
}

START_TEST(a_group_is_planned_for_its_own_size)
{
    char processes[16];
    hit_context *alone = open_group(my_group());
    const int size = hit_size(alone);

    hit_close(&alone);
    (void)snprintf(processes, sizeof(processes), "%d", hit_size(base));
    for (int k = 0; k < 2; k++) {
        hit_context *whole = NULL;
        hit_context *hit = NULL;
        hit_status status;

        plan(k == 0 ? NULL : processes, &whole, &hit, &status);
        ck_assert_msg(status == HIT_OK, "%s", hit_status_text());
        ck_assert_int_eq(hit_size(whole), hit_size(base));
        ck_assert_int_eq(hit_size(hit), size);
        hit_close(&hit);
        hit_close(&whole);
    }
}
END_TEST

START_TEST(groups_of_processes_that_are_not_there_are_not_planned)
{
    hit_context *whole = NULL;
    hit_context *hit = NULL;
    hit_status status;

    if (hit_size(base) > 1) return; /* one process alone plans for others */
    plan("6", &whole, &hit, &status);
    ck_assert_int_eq(hit_size(whole), 6);
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "expected 6 processes that plan groups"));
    ck_assert_ptr_null(hit);
    hit_close(&whole);
}
END_TEST

START_TEST(a_wrong_group_is_refused_everywhere)
{
    const bool first = hit_rank(base) == 0;
    hit_context *hit = NULL;
    hit_context *deep[40] = {open_group(0)};
    hit_status status = HIT_OK;
    int depth = 0;

    ck_assert_int_eq(hit_open_group(base, -1, NULL, &hit), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "expected a group >= 0"));
    ck_assert_int_eq(hit_open_group(base, first ? -1 : 0, NULL, &hit),
                     first ? HIT_E_ARG : HIT_E_PEER);
    ck_assert_int_eq(hit_open_group(NULL, 0, NULL, &hit), HIT_E_ARG);
    ck_assert_int_eq(hit_open_group(base, 0, NULL, NULL), HIT_E_ARG);
    ck_assert_int_eq(hit_open_group(base, 0, NULL, first ? NULL : &hit),
                     first ? HIT_E_ARG : HIT_E_PEER);
    ck_assert_ptr_null(hit);
    while (status == HIT_OK && depth < 39) {
        status = hit_open_group(deep[depth], 0, NULL, &deep[depth + 1]);
        depth += status == HIT_OK;
    }
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "a name of less than 64"));
    for (; depth >= 0; depth--) {
        hit_close(&deep[depth]);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("groups");
    TCase *tests = tcase_create("groups");

    tcase_add_test(tests, groups_run_side_by_side_as_if_they_were_alone);
    tcase_add_test(tests, a_process_has_the_same_device_in_a_group);
    tcase_add_test(tests, groups_share_a_store);
    tcase_add_test(tests, each_group_has_a_trace_of_its_own);
    tcase_add_test(tests, no_two_groups_write_one_trace);
    tcase_add_test(tests, each_group_has_a_profile_of_its_own);
    tcase_add_test(tests, each_group_has_checkpoints_of_its_own);
    tcase_add_test(tests, a_group_is_planned_for_its_own_size);
    tcase_add_test(tests, groups_of_processes_that_are_not_there_are_not_planned);
    tcase_add_test(tests, a_wrong_group_is_refused_everywhere);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
