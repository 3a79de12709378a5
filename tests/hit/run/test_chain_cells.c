/* SPDX-License-Identifier: MIT
 * Chains of launches that write several components of each cell, in a dimension that
 * nothing cuts: the bits of one launch after the other. */
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

extern const hit_kernel fields;

static hit_context *base; /* keeps MPI open */

enum {
    ROWS = 128,
    COLUMNS = 192,
    STEPS = 55
};

/* The components of a cell come first, and are cut by no layout. */
static void expect_fields_blocked(const char *layout, size_t memory_bytes)
{
    chains_scene s[2];

    for (int k = 0; k < 2; k++) {
        hit_domain inner;

        s[k] = memory_bytes > 0
                   ? chains_open_over_staged(memory_bytes, 1, "block", ROWS)
                   : chains_open_over(k == 0 ? &chains_blocked : NULL, 2, "block", ROWS);
        if (k == 1) HIT_MUST(hit_chain(s[k].hit, HIT_CHAIN_OFF));
        chains_drop_tiles(&s[k]);
        s[k].layout = layout;
        chains_make_tiles(&s[k], hit_domain_of(3, ROWS, COLUMNS), HIT_FLOAT);
        inner = hit_domain_grow(hit_domain_of(ROWS, COLUMNS), -1);
        for (int t = 0; t < STEPS; t++) {
            HIT_MUST(hit_launch(s[k].hit, &fields, inner, s[k].tile[1], s[k].tile[0]));
            hit_tile_swap(&s[k].tile[0], &s[k].tile[1]);
        }
    }
    chains_expect_equal(&s[0], &s[1], layout);
    ck_assert_int_gt(3 * (int)chains_chained(&s[0]), 2 * STEPS);
    chains_close(&s[0]);
    chains_close(&s[1]);
}

START_TEST(components_that_come_first_are_blocked)
{
    expect_fields_blocked("block:dims=1", 0);
    expect_fields_blocked("block:dims=2", 0);
    expect_fields_blocked("block:dims=1", 60000);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains of cells");
    TCase *tc = tcase_create("cells");

    tcase_add_test(tc, components_that_come_first_are_blocked);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
