/* SPDX-License-Identifier: MIT
 * Runs that stop and go on, in each format and between layouts, and what is refused. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): setenv */
#include "hit/io/io_impl.h"
#include "tests/hit/checkpoint/run_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

START_TEST(a_run_goes_on_from_its_newest_checkpoint)
{
    const char *options = _i == 0 ? "every=5steps,memory=1MiB,format=npy"
                                  : "every=5steps,memory=1MiB,format=hdf5";

    if (_i == 1 && !hit_hdf5_is_there()) return;
    run_other_folder();
    run_goes(options, "block", 0, 8);
    run_goes(options, "cyclic", 5, 15);
    io_claim(run_says("goes on after step 5, from "), "says so", options);
    run_goes(options, "block:dims=1", 10, 22);
    run_goes(options, "single", 20, 21);
    io_claim(io_drafts(run_base()) == 0, "leaves no draft", options);
    io_assert();
}
END_TEST

START_TEST(steps_wait_where_copies_have_no_room)
{
    run_other_folder();
    run_goes("every=2steps,memory=0,format=npy", "block", 0, 3);
    run_goes("every=2steps,memory=16B,format=npy", "block", 2, 7);
    run_goes("every=2steps,memory=16B", "cyclic", 6, 7);
    io_assert();
}
END_TEST

START_TEST(older_checkpoints_go_when_a_new_one_is_there)
{
    run_other_folder();
    run_goes("every=3steps,keep=2", "block", 0, 14);
    if (hit_rank(run_base()) == 0) {
        static const int is_there[] = {0, 0, 0, 1, 1};

        for (int k = 0; k < 5; k++) {
            char path[600];

            (void)snprintf(path, sizeof(path), "%s/checkpoint-1-%d", run_folder(), 3 * k);
            ck_assert_int_eq(access(path, F_OK) == 0, is_there[k]);
        }
    }
    io_assert();
}
END_TEST

START_TEST(after_a_regular_end_a_run_begins_anew)
{
    run r;

    run_other_folder();
    run_ask("every=2steps");
    run_open(&r, "block");
    io_claim(steps_do(&r.s, 7) == HIT_OK, "runs", "first");
    run_close(&r, true);
    run_open(&r, "block");
    io_claim(steps_do(&r.s, 2) == HIT_OK, "runs", "again"); /* writes none */
    io_claim(r.s.first == 0, "begins at step 0", "again");
    run_close(&r, false);
    run_goes("every=2steps", "block", 0,
             3); /* that of a run that was cut off counts ... */
    run_goes("every=2steps", "block", 2, 3);
    io_assert();
}
END_TEST

START_TEST(a_run_that_begins_anew_says_so)
{
    run r;

    run_other_folder();
    run_ask("every=2steps");
    for (int k = 0; k < 2; k++) {
        run_open(&r, "block");
        io_claim(steps_do(&r.s, 7) == HIT_OK, "runs", "anew");
        io_claim(r.s.first == 0, "begins at step 0", "anew");
        run_close(&r, true);
    }
    io_claim(run_says("begins anew"), "says so", "anew");
    io_assert();
}
END_TEST

/* ---- what is refused ---- */

/* Let a run whose tiles and values *r has changed meet a checkpoint of steps_begin(). */
static void meets(run *r, const char *text)
{
    run_refused(hit_checkpoint_step(r->hit), HIT_E_ARG, text);
    run_close(r, false);
}

START_TEST(a_checkpoint_of_something_else_is_refused)
{
    hit_index more = 0;
    hit_tile *large;
    run r;

    run_other_folder();
    run_goes("every=2steps", "block", 0, 3);

    run_open(&r, "block");
    (void)snprintf(r.hit->checkpoint->program, HIT_CHECKPOINT_TEXT, "other");
    meets(&r, "expected a checkpoint of other but found one of ");

    run_open(&r, "block");
    HIT_MUST(hit_checkpoint_value(r.hit, "more", HIT_INT64, &more));
    meets(&r, "expected 6 tiles and values but found 5");

    run_open(&r, "block");
    r.hit->checkpoint->item[2].name[0] = 'u';
    meets(&r, "expected the value u but found the value t");

    run_open(&r, "block");
    r.hit->checkpoint->item[3].type = HIT_INT64;
    meets(&r, "share: expected elements of type int64 but found double");

    run_open(&r, "block");
    HIT_MUST(
        hit_tile_make(r.hit, hit_domain_of(37, 42), "block", HIT_INT64, "n", &large));
    hit_tile_swap(&large, &r.s.now);
    hit_tile_destroy(&large);
    meets(&r, "now: expected the domain ");
    run_goes("every=2steps", "block", 2, 3); /* it is still there */
    io_assert();
}
END_TEST

START_TEST(a_second_run_in_the_folder_is_refused)
{
    run first;
    run second;

    run_other_folder();
    run_ask("every=2steps");
    run_open(&first, "block");
    io_claim(steps_do(&first.s, 3) == HIT_OK, "runs", "first");
    run_open(&second, "block");
    run_refused(hit_checkpoint_step(second.hit), HIT_E_IO,
                "another run is in this folder: process ");
    run_close(&second, false);
    io_claim(steps_do(&first.s, 5) == HIT_OK, "goes on", "first");
    run_close(&first, false);
    run_goes("every=2steps", "block", 4, 5);
    io_assert();
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    hit_index value = 0;
    hit_tile *none = NULL;
    run r;

    run_other_folder();
    run_ask("every=2steps");
    run_open(&r, "block");
    run_refused(hit_checkpoint_tile(r.hit, NULL, &r.s.now), HIT_E_ARG, "is NULL");
    run_refused(hit_checkpoint_tile(r.hit, "none", &none), HIT_E_ARG, "expected a tile");
    run_refused(hit_checkpoint_value(r.hit, "a/b", HIT_INT64, &value), HIT_E_ARG,
                "\"a/b\"");
    run_refused(hit_checkpoint_value(r.hit, ".a", HIT_INT64, &value), HIT_E_ARG,
                "\".a\"");
    run_refused(hit_checkpoint_value(r.hit, "t", HIT_INT64, &value), HIT_E_ARG,
                "t was given before");
    run_refused(hit_checkpoint_value(r.hit, "v", HIT_BYTES(char[2000000]), &value),
                HIT_E_ARG, "found 2000000");
    run_refused(hit_checkpoint_step(NULL), HIT_E_ARG, "expected a context");
    HIT_MUST(hit_checkpoint_step(r.hit));
    run_refused(hit_checkpoint_value(r.hit, "late", HIT_INT64, &value), HIT_E_ARG,
                "before the first step");
    run_close(&r, false);
    io_assert();
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    static const char *const wrong[][2] = {
        {"every=10", "expected every= a time such as 30s, 10min, 2h or 1d, or steps"},
        {"every=0steps", "\"0steps\""},
        {"limit=-3s", "expected limit= a time"},
        {"keep=0", "keep="},
        {"at=SIGKILL", "\"SIGKILL\""},
        {"at=SIGUSR1+", "\"SIGUSR1+\""},
        {"format=zarr", "\"zarr\""},
        {"memory=much", "expected memory= a size"},
        {"memory=3furlongs", "a unit of B, kB"},
        {"foo=1", "\"foo\""},
    };

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        hit_context *hit = NULL;

        run_ask(wrong[k][0]);
        run_refused(hit_open(NULL, NULL, &hit), HIT_E_ARG, wrong[k][1]);
    }
    if (!hit_hdf5_is_there()) {
        hit_context *hit = NULL;

        run_ask("format=hdf5");
        run_refused(hit_open(NULL, NULL, &hit), HIT_E_ARG, "built without HDF5");
    }
    ck_assert_int_eq(setenv("HIT_CHECKPOINT", "keep=2", 1), 0);
    {
        hit_context *hit = NULL;

        run_refused(hit_open(NULL, NULL, &hit), HIT_E_ARG, "path=FOLDER");
    }
    io_assert();
}
END_TEST

START_TEST(without_the_variable_nothing_happens)
{
    run r;

    ck_assert_int_eq(unsetenv("HIT_CHECKPOINT"), 0);
    run_open(&r, "block");
    io_claim(steps_do(&r.s, 5) == HIT_OK && steps_right(&r.s), "runs", "no variable");
    run_close(&r, false);
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("checkpoint");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_run_goes_on_from_its_newest_checkpoint, 0, 2);
    tcase_add_test(tests, steps_wait_where_copies_have_no_room);
    tcase_add_test(tests, older_checkpoints_go_when_a_new_one_is_there);
    tcase_add_test(tests, after_a_regular_end_a_run_begins_anew);
    tcase_add_test(tests, a_run_that_begins_anew_says_so);
    tcase_add_test(tests, a_checkpoint_of_something_else_is_refused);
    tcase_add_test(tests, a_second_run_in_the_folder_is_refused);
    tcase_add_test(tests, wrong_calls_are_refused);
    tcase_add_test(tests, wrong_options_are_refused);
    tcase_add_test(tests, without_the_variable_nothing_happens);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return run_main(&argc, &argv, suite());
}
