/* SPDX-License-Identifier: MIT
 * Chains of launches that write several components of each cell, in a dimension that
 * nothing cuts, and of launches on every second row and column: the bits of one launch
 * after the other. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

extern const hit_kernel fields, relax;

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

/* What a program writes by hand may count on an index. */
static hit_status relax_some(const hit_run *run)
{
    for (int d = 0; d < relax.dims; d++) {
        if (run->begin[d] <= run->end[d]) continue;
        return HIT_FAIL(HIT_E_INTERNAL, "expected an index in dimension %d", d);
    }
    return relax.host(run);
}

/* Red and black, each in two boxes; two of one colour do not touch each other. */
static void run_red_black(chains_scene *s)
{
    hit_kernel relax_box = relax;
    static const int first[4][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
    hit_tile *part[2][2] = {{NULL}};

    relax_box.host = relax_some;
    for (int k = 0; k < 4; k++) {
        hit_domain of = s->all;

        for (int d = 0; d < 2; d++) {
            of.sig[d] = hit_sig_make(d == 0 ? k / 2 : k % 2, s->all.sig[d].end, 2);
        }
        HIT_MUST(hit_tile_select(s->tile[0], of, &part[k / 2][k % 2]));
    }
    for (int k = 0; k < 4 * STEPS; k++) {
        const int a = first[k % 4][0];
        const int b = first[k % 4][1];
        const hit_domain box = {2,
                                {hit_sig_make(2 - a, s->all.sig[0].end - 1, 2),
                                 hit_sig_make(2 - b, s->all.sig[1].end - 1, 2)}};

        HIT_MUST(hit_launch(s->hit, &relax_box, box, part[a][b], part[a][1 - b],
                            part[1 - a][b]));
    }
    for (int k = 0; k < 4; k++) {
        hit_tile_destroy(&part[k / 2][k % 2]);
    }
}

/* On several processes, and through a small memory, they run one by one. */
START_TEST(strides_are_blocked_on_one_process_in_place)
{
    static const hit_choice narrow = {.steps = 7, .width = {1, 3}}; /* boxes of none */

    for (int k = 0; k < 4; k++) {
        chains_scene one = k == 3 ? chains_open_over_staged(9000, 1, "block", ROWS)
                                  : chains_open_over(k == 1 ? &narrow : &chains_blocked,
                                                     k + 1, "block", ROWS - k);
        chains_scene other = chains_open_over(NULL, 1, "block", k == 3 ? ROWS : ROWS - k);

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        one.hit->launcher->chain_compares = k == 2;
        run_red_black(&one);
        run_red_black(&other);
        HIT_MUST(hit_wait(one.hit));
        chains_expect_equal(&one, &other, "red and black");
        if (hit_size(base) == 1 && k < 3) {
            ck_assert_int_ge((int)chains_chained(&one), 4 * STEPS - 1);
        } else {
            ck_assert_int_eq((int)chains_chained(&one), 0);
        }
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains of cells");
    TCase *tc = tcase_create("cells");

    tcase_add_test(tc, components_that_come_first_are_blocked);
    tcase_add_test(tc, strides_are_blocked_on_one_process_in_place);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
