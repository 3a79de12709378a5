/* SPDX-License-Identifier: MIT
 * Kernels of no index run once, wherever they run, and nowhere else than on a domain
 * without dimensions. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hit/hit.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"

#include <stdlib.h>

extern const hit_kernel once_step, once_turn, once_index;

static hit_context *base; /* keeps MPI open */

START_TEST(other_domains_and_names_are_refused)
{
    expectations e = expect_open(NULL);
    hit_tile *x = NULL;
    hit_tile *y = NULL;

    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(9), "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(9), "block", HIT_INT64, "y", &y));
    expect_failure(&e, hit_launch(e.hit, &once_turn, hit_domain_of(1), y, x), HIT_E_ARG,
                   "a domain with a dimension",
                   "kernel once_turn: expected a domain of 0 dimensions "
                   "(hit_domain_scalar()) but found 1");
    expect_failure(
        &e,
        hit_launch_on(e.hit, hit_tile_layout(x), &once_turn, hit_domain_scalar(), y, x),
        HIT_E_ARG, "a layout with a dimension",
        "kernel once_turn: expected a layout of 0 dimensions "
        "(hit_domain_scalar()), since it has no index, but layout block has 1");
    expect_failure(&e, hit_launch(e.hit, &once_index, hit_domain_scalar(), y),
                   HIT_E_PATTERN, "an index that is not there",
                   "unknown index 'i'; the indices are none");
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    expect_close(&e);
}
END_TEST

/* Each launch is run by one process. */
START_TEST(one_index_runs)
{
    hit_context *hit;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_stats stats;

    HIT_MUST(hit_open(NULL, NULL, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(90), "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(90), "block", HIT_INT64, "y", &y));
    for (int t = 0; t < 5; t++) {
        HIT_MUST(hit_launch(hit, &once_turn, hit_domain_scalar(), y, x));
    }
    HIT_MUST(hit_context_stats_all(hit, &stats));
    ck_assert_uint_eq(stats.indices, 5);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

/* A dry run calls its indices what the program does. */
START_TEST(it_runs_on_no_dimension)
{
    static const char *const plan[] = {"1", "json"};
    static const char *const words[] = {": once_turn on ()\n", "\"domain\": \"()\""};

    for (int k = 0; k < 2; k++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        hit_context *hit = NULL;
        hit_tile *x = NULL;
        hit_tile *y = NULL;

        ck_assert_int_eq(setenv("HIT_PLAN", plan[k], 1), 0);
        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.out = out}, &hit));
        HIT_MUST(hit_tile_make(hit, hit_domain_of(9), "block", HIT_INT64, "x", &x));
        HIT_MUST(hit_tile_make(hit, hit_domain_of(9), "block", HIT_INT64, "y", &y));
        HIT_MUST(hit_launch(hit, &once_turn, hit_domain_scalar(), y, x));
        hit_tile_destroy(&x);
        hit_tile_destroy(&y);
        hit_close(&hit);
        ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
        ck_assert_int_eq(fclose(out), 0);
        if (hit_rank(base) == 0) ck_assert_ptr_nonnull(strstr(text, words[k]));
        free(text);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/launch/once");
    TCase *tests = tcase_create("once");

    tcase_set_timeout(tests, 0);
    add_trial_tests(tests, 77, 20, 8);
    tcase_add_test(tests, other_domains_and_names_are_refused);
    tcase_add_test(tests, one_index_runs);
    tcase_add_test(tests, it_runs_on_no_dimension);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
