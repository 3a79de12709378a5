/* SPDX-License-Identifier: MIT
 * Launches with little work run on the caller, by sizes only; others are split over the
 * threads. */
#include "hit/hit.h"
#include "patterns/kernel.h"
#include "tests/support/check_main.h"

#include <stdatomic.h>

enum {
    N = 1000,
    THREADS = 3
};

/* Base keeps MPI open. */
static hit_context *base;
static hit_context *hit;
static atomic_int calls;

static hit_status count_call(const hit_run *run)
{
    (void)run;
    atomic_fetch_add(&calls, 1);
    return HIT_OK;
}

/* They stay: a tile in the memory of one that is gone would be taken for it. */
enum {
    MOST_TILES = 20
};
static hit_tile *tile[MOST_TILES];
static int tiles;

static hit_tile *make(hit_domain domain)
{
    hit_layout *layout = NULL;
    hit_tile *made = NULL;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "tile", &made));
    hit_layout_destroy(&layout);
    return made;
}

/* On how many threads does a launch of n indices run, whose result has the mode, that
 * reads plane by the pattern and declares so many operations? */
static int threads_of(hit_index n, hit_mode mode, const char *reads, uint64_t operations)
{
    const hit_operations count = {.per_index = operations};
    const hit_kernel_arg arg[] = {
        {.mode = mode,
         .type = HIT_FLOAT,
         .name = "y",
         .pattern = mode == HIT_MODE_SUM ? "[]" : "[i]"},
        {.mode = HIT_MODE_IN, .type = HIT_FLOAT, .name = "x", .pattern = reads}};
    const hit_kernel kernel = {.name = "counts",
                               .dims = 1,
                               .index = {"i"},
                               .args = 2,
                               .arg = arg,
                               .host = count_call,
                               .operations = &count};
    hit_tile *y = make(mode == HIT_MODE_SUM ? hit_domain_scalar() : hit_domain_of(n));
    hit_tile *x = make(hit_domain_of(n, 40));

    atomic_store(&calls, 0);
    HIT_MUST(hit_launch(hit, &kernel, hit_domain_of(n), y, x));
    ck_assert_int_lt(tiles + 1, MOST_TILES);
    tile[tiles++] = y;
    tile[tiles++] = x;
    return atomic_load(&calls);
}

START_TEST(a_small_launch_runs_on_the_caller)
{
    ck_assert_int_eq(threads_of(N, HIT_MODE_OUT, "[i, 0]", 0), 1);
    ck_assert_int_eq(threads_of(N, HIT_MODE_SUM, "[i, 0]", 0), 1);
    ck_assert_int_eq(threads_of(10 * N, HIT_MODE_OUT, "[i, 0]", 0), THREADS);
    ck_assert_int_eq(threads_of(10 * N, HIT_MODE_SUM, "[i, 0]", 0), THREADS);
}
END_TEST

START_TEST(what_each_index_touches_and_computes_counts)
{
    ck_assert_int_eq(threads_of(N, HIT_MODE_OUT, "[i, 0:9]", 0), 1);
    ck_assert_int_eq(threads_of(N, HIT_MODE_OUT, "[i, 0:19]", 0), THREADS);
    ck_assert_int_eq(threads_of(N, HIT_MODE_OUT, "[i, :]", 0), THREADS);
    ck_assert_int_eq(threads_of(N, HIT_MODE_OUT, "[i, 0]", 10), 1);
    ck_assert_int_eq(threads_of(N, HIT_MODE_OUT, "[i, 0]", 20), THREADS);
}
END_TEST

static void open_threads(void)
{
    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=3"}, &hit));
}

static void close_threads(void)
{
    while (tiles > 0) {
        hit_tile_destroy(&tile[--tiles]);
    }
    hit_close(&hit);
}

static Suite *suite(void)
{
    Suite *s = suite_create("hit/run/light");
    TCase *t = tcase_create("light");

    tcase_add_checked_fixture(t, open_threads, close_threads);
    tcase_add_test(t, a_small_launch_runs_on_the_caller);
    tcase_add_test(t, what_each_index_touches_and_computes_counts);
    suite_add_tcase(s, t);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
