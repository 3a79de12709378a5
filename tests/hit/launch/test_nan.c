/* SPDX-License-Identifier: MIT
 * In min and max a NaN that a body keeps is the result, on any number of processes,
 * threads, superblocks and devices, and where a scheduler places the launch. */
#include "hit/hit.h"
#include "hit/scheduled/schedule.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>

extern const hit_kernel least_float, least_double, rows_float, rows_double;

enum {
    N = 1600,
    ROWS = 37,
    COLUMNS = 29
};

static hit_context *base; /* keeps MPI open */

static const char *const places[] = {
    "host:threads=1",
    "host:threads=3",
    "host:threads=1:staged:memory=1KiB",
    "host:threads=2:staged:memory=64KiB",
    "host:threads=1 + host:threads=2",
    "host:threads=1 + host:threads=1:staged:memory=4KiB",
};

static void set(hit_type type, void *all, int k, double value)
{
    if (type.kind == HIT_KIND_FLOAT) {
        ((float *)all)[k] = (float)value;
    } else {
        ((double *)all)[k] = value;
    }
}

static double get(hit_tile *tile, const hit_index at[])
{
    float f;
    double d;

    if (hit_tile_type(tile).kind == HIT_KIND_DOUBLE) {
        HIT_MUST(hit_tile_get(tile, at, &d));
        return d;
    }
    HIT_MUST(hit_tile_get(tile, at, &f));
    return (double)f;
}

static hit_tile *make(hit_context *hit, hit_domain domain, hit_type type)
{
    hit_tile *tile;

    HIT_MUST(hit_tile_make(hit, domain, "block", type, "tile", &tile));
    return tile;
}

/* Both are NaN if there is one among 0 to N-1, wherever it stands; -1: there is none. */
static bool least_is_right(hit_context *hit, hit_type type, int nan_at)
{
    const bool is_float = type.kind == HIT_KIND_FLOAT;
    double all[N];
    hit_tile *x = make(hit, hit_domain_of(N), type);
    hit_tile *low = make(hit, hit_domain_scalar(), type);
    hit_tile *high = make(hit, hit_domain_scalar(), type);
    double found[2];

    for (int k = 0; k < N; k++) {
        set(type, all, k, k == nan_at ? NAN : (double)k);
    }
    HIT_MUST(hit_tile_scatter(x, 0, all));
    HIT_MUST(hit_launch(hit, is_float ? &least_float : &least_double, hit_domain_of(N),
                        low, high, x));
    found[0] = get(low, NULL);
    found[1] = get(high, NULL);
    hit_tile_destroy(&x);
    hit_tile_destroy(&low);
    hit_tile_destroy(&high);
    if (nan_at >= 0) return isnan(found[0]) && isnan(found[1]);
    return found[0] == 0 && found[1] == N - 1;
}

/* One NaN makes its row's least and its column's most NaN, and no other. */
static bool rows_are_right(hit_context *hit, hit_type type, int row, int column)
{
    const bool is_float = type.kind == HIT_KIND_FLOAT;
    double all[ROWS * COLUMNS];
    hit_tile *x = make(hit, hit_domain_of(ROWS, COLUMNS), type);
    hit_tile *low = make(hit, hit_domain_of(ROWS), type);
    hit_tile *high = make(hit, hit_domain_of(COLUMNS), type);
    bool right = true;

    for (int k = 0; k < ROWS * COLUMNS; k++) {
        set(type, all, k, k == row * COLUMNS + column ? NAN : (double)k);
    }
    HIT_MUST(hit_tile_scatter(x, 0, all));
    HIT_MUST(hit_launch(hit, is_float ? &rows_float : &rows_double,
                        hit_domain_of(ROWS, COLUMNS), low, high, x));
    for (hit_index i = 0; i < ROWS; i++) {
        const double found = get(low, &i);

        right = right && (i == row ? isnan(found) : found == (double)(i * COLUMNS));
    }
    for (hit_index j = 0; j < COLUMNS; j++) {
        const double found = get(high, &j);
        const double last = (double)((ROWS - 1) * COLUMNS + j);

        right = right && (j == column ? isnan(found) : found == last);
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&low);
    hit_tile_destroy(&high);
    return right;
}

START_TEST(a_nan_that_is_kept_is_the_result)
{
    static const int at[] = {-1, 0, 1, 799, 800, 1598, 1599};
    hit_context *hit;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    for (int k = 0; k < 7; k++) {
        ck_assert_msg(least_is_right(hit, HIT_DOUBLE, at[k]), "%d, %s", at[k],
                      places[_i]);
        ck_assert_msg(least_is_right(hit, HIT_FLOAT, at[k]), "%d, %s", at[k], places[_i]);
    }
    ck_assert_msg(rows_are_right(hit, HIT_DOUBLE, 0, 28), "%s", places[_i]);
    ck_assert_msg(rows_are_right(hit, HIT_FLOAT, 20, 13), "%s", places[_i]);
    ck_assert_msg(rows_are_right(hit, HIT_DOUBLE, 36, 0), "%s", places[_i]);
    hit_close(&hit);
}
END_TEST

/* A scheduler places launches on devices of one process. */
START_TEST(a_nan_is_kept_where_a_scheduler_places_the_launch)
{
    hit_context *hit;

    if (hit_size(base) > 1 || getenv("HIT_CHECK") != NULL) return;
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[5]}, &hit));
    HIT_MUST(hit_schedule(hit, "mct"));
    for (int nan_at = -1; nan_at < N; nan_at += 200) {
        ck_assert(least_is_right(hit, HIT_DOUBLE, nan_at));
    }
    ck_assert(rows_are_right(hit, HIT_FLOAT, 20, 13));
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.launch.nan");
    TCase *tests = tcase_create("nan");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, a_nan_that_is_kept_is_the_result, 0,
                        sizeof(places) / sizeof(places[0]));
    tcase_add_test(tests, a_nan_is_kept_where_a_scheduler_places_the_launch);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
