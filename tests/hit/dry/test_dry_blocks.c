/* SPDX-License-Identifier: MIT
 * How long blocks of launches take in a dry run, where each process computes for itself
 * what it needs of its neighbours: against sums by hand. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/hit/dry/cluster.h"

static hit_context *base;

enum {
    ROWS = 40, /* of 8 elements, of which 6 are computed */
    BLOCK = 4  /* launches */
};

/* So many launches; every launch writes what the next one reads. */
static double seconds_of(int steps, bool periodic)
{
    const hit_domain all = hit_domain_of(ROWS, 8);
    const hit_domain index =
        periodic ? hit_box_of(0, ROWS - 1, 1, 6) : hit_domain_grow(all, -1);
    const double c = 0.1;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;
    double seconds;

    ck_assert_ptr_nonnull(out);
    HIT_MUST(open_plan_on(device, 0, out, &hit));
    HIT_MUST(hit_chain(hit, BLOCK));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_DOUBLE, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_DOUBLE, "y", &y));
    if (periodic) HIT_MUST(hit_tile_set_boundary(x, 0, HIT_BOUNDARY_PERIODIC, NULL));
    if (periodic) HIT_MUST(hit_tile_set_boundary(y, 0, HIT_BOUNDARY_PERIODIC, NULL));
    for (int t = 0; t < steps; t++) {
        HIT_MUST(hit_launch(hit, &heat_double, index, y, x, HIT_VALUE(c)));
        hit_tile_swap(&x, &y);
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
    ck_assert_int_eq(fclose(out), 0);
    seconds = number_of(strstr(text, "{\"launches\": "), "predicted_s\": ");
    free(text);
    return seconds;
}

/* Of a block that follows others. 1 us for a row; of messages 5 us once, 3 us each, 1 us
 * for a row. */
static double seconds_of_block(int processes, bool periodic)
{
    char lines[200];
    double seconds;

    (void)snprintf(lines, sizeof(lines),
                   "device core 1\nrate heat core * 6e6\n"
                   "network bytes=64000000 ns=3000 once_ns=5000\nnode one %d core=1\n",
                   processes);
    write_machine(lines);
    seconds = seconds_of(60, periodic) - seconds_of(20, periodic);
    (void)unlink(file);
    return seconds * BLOCK / 40;
}

START_TEST(a_block_takes_what_its_launches_run)
{
    if (hit_rank(base) != 0) return;
    /* 10 rows in the middle, beside them on both sides 3, 2, 1, 0; 4 from each neighbour
     */
    ck_assert_double_eq_tol(seconds_of_block(4, false), 1e-6 * (52 + 5 + 2 * 3 + 2 * 4),
                            1e-9);
    /* 19 rows each, beside them on one side 3, 2, 1, 0 */
    ck_assert_double_eq_tol(seconds_of_block(2, false), 1e-6 * (82 + 5 + 3 + 4), 1e-9);
    /* 20 rows each, beside them on both sides */
    ck_assert_double_eq_tol(seconds_of_block(2, true), 1e-6 * (92 + 5 + 3 + 2 * 4), 1e-9);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("dry_blocks");
    TCase *tests = tcase_create("dry_blocks");

    tcase_add_test(tests, a_block_takes_what_its_launches_run);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
