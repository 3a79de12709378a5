/* SPDX-License-Identifier: MIT
 * Steps of which a mask leaves some indices out are in chains, on one process, over
 * several and through small memories; what does not run keeps its elements. */
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdlib.h>

extern const hit_kernel data_sea; /* of hit/launch/where_data_kernels.k.c */

enum {
    N = 202
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static bool is_lake(hit_index i, hit_index j)
{
    return (i - 60) * (i - 60) + (j - 100) * (j - 100) < 900;
}

static hit_tile *make_shore(hit_context *hit)
{
    hit_tile *made = NULL;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(N, N), "block:dims=0", HIT_BOOL, "shore",
                           &made));
    for (int p = 0; p < hit_tile_pieces(made); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(made, p, HIT_WRITE, &view));
        HIT_FOR_EACH (at, view.domain) {
            HIT_AT(view, bool, at[0], at[1]) = !is_lake(at[0], at[1]);
        }
    }
    return made;
}

/* The elements after some steps in end[], on process 0; how many launches were in chains.
 */
static uint64_t run(const char *devices, int most, const char *where, int64_t end[N * N])
{
    const hit_domain all = hit_domain_of(N, N);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *shore;
    hit_stats stats;

    for (int k = 0; k < N * N; k++) {
        end[k] = k % 7;
    }
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    HIT_MUST(hit_chain(hit, most));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_scatter(x, 0, end));
    shore = make_shore(hit);
    for (int t = 0; t < 24; t++) { /* y has zeros where nothing runs */
        HIT_MUST(hit_launch(hit, &data_sea, hit_domain_grow(all, -1), y, x, shore,
                            HIT_WHERE(where)));
        hit_tile_swap(&x, &y);
    }
    HIT_MUST(hit_tile_gather(x, 0, end));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    hit_tile_destroy(&shore);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
    return stats.chained;
}

static void compare(const char *devices, const char *where, uint64_t *chained)
{
    static int64_t expected[N * N];
    static int64_t found[N * N];

    ck_assert_uint_eq(run("host:threads=1", HIT_CHAIN_OFF, where, expected), 0);
    *chained = run(devices, 8, where, found);
    for (int k = 0; k < N * N && hit_rank(base) == 0; k++) {
        ck_assert_msg(found[k] == expected[k], "%s, %s: %d x %d", devices, where, k / N,
                      k % N);
    }
}

START_TEST(what_does_not_run_keeps_its_elements)
{
    const char *const where[] = {"wet == 1", "j <= i", "i < 30 or j > 150 and wet == 1"};

    for (int k = 0; k < 3; k++) {
        uint64_t chained;

        compare("host:threads=2", where[k], &chained);
        if (hit_size(base) > 1) ck_assert_uint_gt(chained, 0);
        compare("host:threads=1:staged:memory=256KiB", where[k], &chained);
        compare("host:threads=1 * 2", where[k], &chained);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("some of the indices in chains");
    TCase *tests = tcase_create("where");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, what_does_not_run_keeps_its_elements);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
