/* SPDX-License-Identifier: MIT
 * What kernels of factorisations refuse, and what they leave alone. That their results
 * are right is in contract/kernel.c. */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <math.h>
#include <string.h>

static hit_context *hit;

static double element(hit_index i, hit_index j)
{
    return (double)(1 + (i < j ? 3 * i + j : 3 * j + i) % 5) + (i == j ? 100 : 0);
}

static hit_tile *make(hit_index rows, hit_index columns)
{
    hit_layout *layout;
    hit_tile *tile;
    hit_view view;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(rows, columns), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "t", &tile));
    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i < rows; i++) {
        for (hit_index j = 0; j < columns; j++) {
            HIT_AT(view, double, i, j) = element(i, j);
        }
    }
    hit_layout_destroy(&layout);
    return tile;
}

/** One row of indices. */
static hit_tile *make_pivots(hit_index count)
{
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(1, count), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT32, "p", &tile));
    hit_layout_destroy(&layout);
    return tile;
}

static double get(hit_tile *tile, hit_index i, hit_index j)
{
    double value;

    HIT_MUST(hit_tile_get(tile, (const hit_index[]){i, j}, &value));
    return value;
}

static hit_tile *block_of(hit_tile *tile, hit_index begin, hit_index end)
{
    const hit_index first[2] = {begin, begin};
    const hit_index last[2] = {end, end};
    hit_tile *block;

    HIT_MUST(hit_tile_select(tile, hit_domain_box(2, first, last), &block));
    return block;
}

/** Random numbers of -1 to 1. */
static hit_tile *make_random(hit_index rows, hit_index columns)
{
    hit_tile *tile = make(rows, columns);
    hit_random random = hit_random_start(5);
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i < rows; i++) {
        for (hit_index j = 0; j < columns; j++) {
            HIT_AT(view, double, i, j) =
                (double)hit_random_index(&random, -1000000, 1000000) / 1e6;
        }
    }
    return tile;
}

static double worst(double sofar, double value)
{
    return fabs(value) <= sofar ? sofar : fabs(value);
}

static hit_status finish(hit_status status)
{
    return status == HIT_OK ? hit_wait(hit) : status;
}

static const hit_index inner[] = {1, 7, 64, 80}; /* rows of T and L */

/* What other kernels read of a diagonal block has a place of its own. */
static void expect_unit_lower(hit_tile *apart, hit_tile *a, hit_index n)
{
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < n; j++) {
            ck_assert_double_eq(get(apart, i, j), j < i ? get(a, i, j) : i == j);
        }
    }
}

START_TEST(geqrt_and_unmqr_bring_a_block_to_its_triangle)
{
    const hit_index n = 80;
    hit_tile *a = make_random(n, n);
    hit_tile *c = make_random(n, n);
    hit_tile *t = make(inner[_i], n);
    hit_tile *v = make(n, n);
    double off = 0;

    HIT_MUST(hit_launch(hit, &geqrt_double, hit_domain_of(1), a, t, v));
    HIT_MUST(hit_launch(hit, &unmqr_double, hit_domain_of(n), c, v, t));
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < n; j++) {
            off = worst(off, get(c, i, j) - (i <= j ? get(a, i, j) : 0));
        }
    }
    ck_assert_msg(off < 1e-13, "off by %g", off);
    expect_unit_lower(v, a, n);
    hit_tile_destroy(&a);
    hit_tile_destroy(&c);
    hit_tile_destroy(&t);
    hit_tile_destroy(&v);
}
END_TEST

START_TEST(tsqrt_and_tsmqr_bring_two_blocks_to_one_triangle)
{
    const hit_index n = 80;
    const hit_index m = 50;
    hit_tile *r = make(n, n);
    hit_tile *a = make_random(m, n);
    hit_tile *top = make(n, n);
    hit_tile *c = make_random(m, n);
    hit_tile *t = make(inner[_i], n);
    hit_view view;
    double off = 0;

    HIT_MUST(hit_tile_map(top, 0, HIT_READ_WRITE, &view));
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < i; j++) {
            HIT_AT(view, double, i, j) = 0;
        }
    }
    HIT_MUST(hit_launch(hit, &tsqrt_double, hit_domain_of(1), a, r, t));
    HIT_MUST(hit_launch(hit, &tsmqr_double, hit_domain_of(n), c, top, a, t));
    for (hit_index j = 0; j < n; j++) {
        for (hit_index i = 0; i < m; i++) {
            off = worst(off, get(c, i, j));
        }
        for (hit_index i = 0; i < n; i++) {
            off = worst(off, get(top, i, j) - (i <= j ? get(r, i, j) : 0));
            /* the triangle below is another kernel's */
            if (i > j) ck_assert_double_eq(get(r, i, j), element(i, j));
        }
    }
    ck_assert_msg(off < 1e-11, "off by %g", off);
    hit_tile_destroy(&r);
    hit_tile_destroy(&a);
    hit_tile_destroy(&top);
    hit_tile_destroy(&c);
    hit_tile_destroy(&t);
}
END_TEST

START_TEST(getrf_inc_and_gessm_bring_a_block_to_its_triangle)
{
    const hit_index n = 80;
    hit_tile *a = make_random(n, n);
    hit_tile *c = make_random(n, n);
    hit_tile *p = make_pivots(n);
    hit_tile *l = make(n, n);
    double off = 0;
    double largest = 0;

    HIT_MUST(hit_launch(hit, &getrf_inc_double, hit_domain_of(1), a, p, l));
    HIT_MUST(hit_launch(hit, &gessm_double, hit_domain_of(n), c, l, p));
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < n; j++) {
            off = worst(off, get(c, i, j) - (i <= j ? get(a, i, j) : 0));
            if (i > j) largest = worst(largest, get(a, i, j));
        }
    }
    ck_assert_msg(off < 1e-13, "off by %g", off);
    ck_assert(largest <= 1);
    expect_unit_lower(l, a, n);
    hit_tile_destroy(&l);
    hit_tile_destroy(&a);
    hit_tile_destroy(&c);
    hit_tile_destroy(&p);
}
END_TEST

/* Also where the triangle is 0: all its rows come from below. */
START_TEST(tstrf_and_ssssm_bring_two_blocks_to_one_triangle)
{
    const hit_index n = 80;
    const hit_index m = 50 + 30 * (_i % 2);
    hit_tile *u = make_random(n, n);
    hit_tile *top = make_random(n, n);
    hit_tile *a = make_random(m, n);
    hit_tile *c = make_random(m, n);
    hit_tile *l = make(inner[_i / 2], n);
    hit_tile *p = make_pivots(n);
    hit_view view[2];
    double off = 0;

    HIT_MUST(hit_tile_map(u, 0, HIT_READ_WRITE, &view[0]));
    HIT_MUST(hit_tile_map(top, 0, HIT_READ_WRITE, &view[1]));
    for (hit_index i = 0; i < n; i++) {
        for (hit_index j = 0; j < n; j++) {
            if (_i % 2 == 1 && i <= j) HIT_AT(view[0], double, i, j) = 0;
            HIT_AT(view[1], double, i, j) = i <= j ? HIT_AT(view[0], double, i, j) : 0;
        }
    }
    HIT_MUST(hit_launch(hit, &tstrf_double, hit_domain_of(1), a, u, l, p));
    HIT_MUST(hit_launch(hit, &ssssm_double, hit_domain_of(n), c, top, a, l, p));
    for (hit_index j = 0; j < n; j++) {
        for (hit_index i = 0; i < m; i++) {
            off = worst(off, get(c, i, j));
        }
        for (hit_index i = 0; i <= j; i++) {
            off = worst(off, get(top, i, j) - get(u, i, j));
        }
    }
    ck_assert_msg(off < 1e-12, "off by %g", off);
    hit_tile_destroy(&u);
    hit_tile_destroy(&top);
    hit_tile_destroy(&a);
    hit_tile_destroy(&c);
    hit_tile_destroy(&l);
    hit_tile_destroy(&p);
}
END_TEST

START_TEST(pivots_outside_the_blocks_are_refused)
{
    static const int32_t wrong[] = {-1, 1, 20, INT32_MAX}; /* of row 2 */
    hit_tile *c = make(10, 6);
    hit_tile *top = make(10, 6);
    hit_tile *l = make(10, 10);
    hit_tile *m = make(10, 10);
    hit_tile *p = make_pivots(10);
    hit_view view;

    for (int k = 0; k < 4; k++) {
        HIT_MUST(hit_tile_map(p, 0, HIT_WRITE, &view));
        for (hit_index i = 0; i < 10; i++) {
            HIT_AT(view, int32_t, 0, i) = (int32_t)i;
        }
        HIT_AT(view, int32_t, 0, 2) = wrong[k];
        ck_assert_int_eq(
            finish(hit_launch(hit, &gessm_double, hit_domain_of(6), c, l, p)), HIT_E_ARG);
        ck_assert_msg(strstr(hit_status_text(), "for row 2 itself or a later one up to "
                                                "9") != NULL,
                      "%s", hit_status_text());
        ck_assert_int_eq(
            finish(hit_launch(hit, &ssssm_double, hit_domain_of(6), c, top, m, l, p)),
            HIT_E_ARG);
    }
    hit_tile_destroy(&c);
    hit_tile_destroy(&top);
    hit_tile_destroy(&l);
    hit_tile_destroy(&m);
    hit_tile_destroy(&p);
}
END_TEST

START_TEST(reflectors_of_zeros_and_of_huge_numbers_are_right)
{
    static const double scale[] = {0, 1e-200, 1, 1e200};
    double expected[20];

    for (int s = 3; s >= 0; s--) {
        hit_tile *a = make_random(20, 20);
        hit_tile *t = make(4, 20);
        hit_tile *v = make(20, 20);
        hit_view view;

        HIT_MUST(hit_tile_map(a, 0, HIT_READ_WRITE, &view));
        for (hit_index k = 0; k < 400; k++) {
            HIT_AT(view, double, k / 20, k % 20) *= scale[s];
        }
        HIT_MUST(hit_launch(hit, &geqrt_double, hit_domain_of(1), a, t, v));
        for (hit_index k = 0; k < 20; k++) {
            if (s == 3) expected[k] = get(a, k, k) / scale[s];
            ck_assert(fabs(get(a, k, k) - expected[k] * scale[s]) <= 1e-12 * scale[s]);
        }
        hit_tile_destroy(&a);
        hit_tile_destroy(&v);
        hit_tile_destroy(&t);
    }
}
END_TEST

START_TEST(what_is_no_number_is_not_lost_in_a_reflector)
{
    hit_tile *a = make(3, 1);
    hit_tile *r = make(1, 1);
    hit_tile *t = make(1, 1);
    hit_view view;

    HIT_MUST(hit_tile_map(a, 0, HIT_READ_WRITE, &view));
    HIT_AT(view, double, 0, 0) = NAN;
    HIT_AT(view, double, 1, 0) = 0;
    HIT_AT(view, double, 2, 0) = 0;
    HIT_MUST(hit_launch(hit, &tsqrt_double, hit_domain_of(1), a, r, t));
    ck_assert(isnan(get(r, 0, 0)));
    hit_tile_destroy(&a);
    hit_tile_destroy(&r);
    hit_tile_destroy(&t);
}
END_TEST

START_TEST(operands_of_qr_fit_each_other)
{
    hit_tile *square = make(8, 8);
    hit_tile *wide = make(8, 9);
    hit_tile *t = make(4, 8);
    hit_tile *other = make(8, 8);
    const hit_domain one = hit_domain_of(1);

    ck_assert_int_eq(finish(hit_launch(hit, &geqrt_double, one, wide, t, other)),
                     HIT_E_ARG);
    ck_assert_int_eq(finish(hit_launch(hit, &geqrt_double, one, square, wide, other)),
                     HIT_E_ARG);
    ck_assert_int_eq(finish(hit_launch(hit, &tsqrt_double, one, square, wide, t)),
                     HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "tsqrt, argument r: expected 8 x 8 but found "
                                            "8 x 9") != NULL,
                  "%s", hit_status_text());
    ck_assert_int_eq(
        finish(hit_launch(hit, &unmqr_double, hit_domain_of(8), square, wide, t)),
        HIT_E_ARG);
    ck_assert_int_eq(
        finish(hit_launch(hit, &tsmqr_double, hit_domain_of(8), square, other, wide, t)),
        HIT_E_ARG);
    hit_tile_destroy(&square);
    hit_tile_destroy(&wide);
    hit_tile_destroy(&t);
    hit_tile_destroy(&other);
}
END_TEST

START_TEST(potrf_tells_where_a_matrix_is_not_positive_definite)
{
    static const double pivot[] = {-1, NAN};
    const hit_index at = 61;
    hit_view view;
    hit_tile *a = make(90, 90);
    hit_tile *block = block_of(a, 20, 89);

    HIT_MUST(hit_tile_map(a, 0, HIT_READ_WRITE, &view));
    HIT_AT(view, double, at, at) = pivot[_i];
    ck_assert_int_eq(finish(hit_launch(hit, &potrf_double, hit_domain_of(1), block)),
                     HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "minor of order 42 ") != NULL &&
                      strstr(hit_status_text(), "(index 61)") != NULL,
                  "%s", hit_status_text());
    hit_tile_destroy(&block);
    hit_tile_destroy(&a);
}
END_TEST

START_TEST(getrf_tells_where_a_pivot_is_0)
{
    hit_view view;
    hit_tile *a = make(90, 90);
    hit_tile *block = block_of(a, 20, 89);

    HIT_MUST(hit_tile_map(a, 0, HIT_READ_WRITE, &view));
    for (hit_index j = 0; j < 90; j++) {
        HIT_AT(view, double, 61, j) = HIT_AT(view, double, 60, j);
    }
    ck_assert_int_eq(finish(hit_launch(hit, &getrf_double, hit_domain_of(1), block)),
                     HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "row 42 ") != NULL &&
                      strstr(hit_status_text(), "(index 61)") != NULL,
                  "%s", hit_status_text());
    hit_tile_destroy(&block);
    hit_tile_destroy(&a);
}
END_TEST

START_TEST(what_is_above_the_diagonal_stays)
{
    hit_tile *a = make(90, 90);
    hit_tile *b = make(90, 70);

    HIT_MUST(hit_launch(hit, &syrk_double, hit_domain_of(90, 90), a, b, b, HIT_VALUE(2.0),
                        HIT_VALUE(1.0)));
    HIT_MUST(hit_launch(hit, &potrf_double, hit_domain_of(1), a));
    for (hit_index i = 0; i < 90; i++) {
        for (hit_index j = i + 1; j < 90; j++) {
            ck_assert_double_eq(get(a, i, j), element(i, j));
        }
    }
    hit_tile_destroy(&b);
    hit_tile_destroy(&a);
}
END_TEST

START_TEST(factorisations_take_one_index_and_a_square)
{
    static const hit_kernel *const kernel[] = {&potrf_double, &getrf_double};
    hit_tile *square = make(8, 8);
    hit_tile *wide = make(8, 9);

    for (int k = 0; k < 2; k++) {
        ck_assert_int_ne(finish(hit_launch(hit, kernel[k], hit_domain_of(2), square)),
                         HIT_OK);
        ck_assert_int_eq(finish(hit_launch(hit, kernel[k], hit_domain_of(1), wide)),
                         HIT_E_ARG);
        ck_assert_msg(strstr(hit_status_text(), "found 8 x 9") != NULL, "%s",
                      hit_status_text());
    }
    hit_tile_destroy(&square);
    hit_tile_destroy(&wide);
}
END_TEST

START_TEST(a_triangle_has_the_size_of_what_it_solves_for)
{
    hit_tile *l = make(8, 8);
    hit_tile *x = make(9, 9);
    const struct {
        const hit_kernel *kernel;
        const char *what;
    } form[] = {{&trsm_rlt_double, "x has columns, 9, but found 8 x 8"},
                {&trsm_lln_double, "x has rows, 9, but found 8 x 8"},
                {&trsm_llt_double, "x has rows, 9, but found 8 x 8"},
                {&trsm_run_double, "x has columns, 9, but found 8 x 8"},
                {&trsm_lun_double, "x has rows, 9, but found 8 x 8"},
                {&trsm_llnu_double, "x has rows, 9, but found 8 x 8"}};

    for (size_t k = 0; k < sizeof form / sizeof form[0]; k++) {
        ck_assert_int_eq(finish(hit_launch(hit, form[k].kernel, hit_domain_of(9), x, l)),
                         HIT_E_ARG);
        ck_assert_msg(strstr(hit_status_text(), form[k].what) != NULL, "%s",
                      hit_status_text());
    }
    hit_tile_destroy(&l);
    hit_tile_destroy(&x);
}
END_TEST

START_TEST(syrk_takes_boxes_that_meet_on_the_diagonal)
{
    hit_tile *c = make(8, 8);
    hit_tile *a = make(8, 8);
    const hit_index begin[2] = {1, 0};
    const hit_index end[2] = {7, 7};
    const hit_domain odd_rows = {
        .dims = 2,
        .sig = {hit_sig_make(begin[0], end[0], 2), hit_sig_make(begin[1], end[1], 2)}};

    ck_assert_int_eq(finish(hit_launch(hit, &syrk_double, odd_rows, c, a, a,
                                       HIT_VALUE(1.0), HIT_VALUE(1.0))),
                     HIT_E_ARG);
    hit_tile_destroy(&c);
    hit_tile_destroy(&a);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("lapack");
    TCase *tests = tcase_create("lapack");

    tcase_add_loop_test(tests, geqrt_and_unmqr_bring_a_block_to_its_triangle, 0, 4);
    tcase_add_loop_test(tests, tsqrt_and_tsmqr_bring_two_blocks_to_one_triangle, 0, 4);
    tcase_add_test(tests, getrf_inc_and_gessm_bring_a_block_to_its_triangle);
    tcase_add_loop_test(tests, tstrf_and_ssssm_bring_two_blocks_to_one_triangle, 0, 8);
    tcase_add_test(tests, pivots_outside_the_blocks_are_refused);
    tcase_add_test(tests, reflectors_of_zeros_and_of_huge_numbers_are_right);
    tcase_add_test(tests, what_is_no_number_is_not_lost_in_a_reflector);
    tcase_add_test(tests, operands_of_qr_fit_each_other);
    tcase_add_loop_test(tests, potrf_tells_where_a_matrix_is_not_positive_definite, 0, 2);
    tcase_add_test(tests, getrf_tells_where_a_pivot_is_0);
    tcase_add_test(tests, what_is_above_the_diagonal_stays);
    tcase_add_test(tests, factorisations_take_one_index_and_a_square);
    tcase_add_test(tests, a_triangle_has_the_size_of_what_it_solves_for);
    tcase_add_test(tests, syrk_takes_boxes_that_meet_on_the_diagonal);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &hit);
}
