/* SPDX-License-Identifier: MIT
 * Names and coordinates of dimensions: what is no axis is refused, and selections have
 * their part. */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "hit/tile/tile_impl.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <string.h>

static hit_context *hit;
static const hit_domain domain = {.dims = 2, .sig = {{10, 40, 3}, {-2, 5, 1}}};

static hit_tile *make(void)
{
    hit_tile *tile;

    HIT_MUST(hit_tile_make(hit, domain, "cyclic", HIT_FLOAT, "field", &tile));
    return tile;
}

START_TEST(what_is_no_axis_is_refused)
{
    static const double bad[] = {0, 1, 2, 3, 4, 5, 6, INFINITY};
    static const struct {
        int dim;
        hit_axis axis;
        const char *text;
    } wrong[] = {
        {-1, {.name = "x"}, "expected a dimension from 0 to 1 but found -1"},
        {2, {.name = "x"}, "expected a dimension from 0 to 1 but found 2"},
        {1, {.name = NULL}, "but found \"NULL\""},
        {1, {.name = ""}, "but found \"\""},
        {1, {.name = "a/b"}, "but found \"a/b\""},
        {1, {.name = "..", .step = 1}, "but found \"..\""},
        {1, {.name = "1x"}, "but found \"1x\""},
        {1, {.name = "y"}, "another name for dimension 1 than for 0 but found \"y\""},
        {1, {.name = "x", .units = "m\n"}, "units of at most 127 characters"},
        {1, {.name = "x", .first = NAN}, "finite coordinates"},
        {1, {.name = "x", .step = INFINITY}, "finite coordinates"},
        {1, {.name = "x", .value = bad}, "found another one at element 7"},
    };
    hit_tile *tile = make();
    hit_tile *part;

    HIT_MUST(hit_tile_set_axis(tile, 0, &(hit_axis){.name = "y"}));
    HIT_MUST(hit_tile_set_axis(tile, 1, &(hit_axis){.name = "x", .units = "m"}));
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_int_eq(hit_tile_set_axis(tile, wrong[k].dim, &wrong[k].axis),
                         HIT_E_ARG);
        ck_assert_msg(strstr(hit_status_text(), wrong[k].text) != NULL, "%s",
                      hit_status_text());
        ck_assert_str_eq(hit_tile_axis(tile, 1).units, "m"); /* nothing has changed */
    }
    ck_assert_int_eq(hit_tile_set_axis(NULL, 0, NULL), HIT_E_ARG);
    HIT_MUST(hit_tile_select(tile, domain, &part));
    ck_assert_int_eq(hit_tile_set_axis(part, 0, NULL), HIT_E_ARG);
    hit_tile_destroy(&part);
    HIT_MUST(hit_tile_set_axis(tile, 1, NULL));
    ck_assert_ptr_null(hit_tile_axis(tile, 1).name);
    hit_tile_destroy(&tile);
}
END_TEST

START_TEST(selections_have_their_part)
{
    static const hit_domain part = {.dims = 2, .sig = {{16, 34, 6}, {-1, 5, 2}}};
    double value[16]; /* every second one */
    hit_tile *whole = make();
    hit_tile *some;

    for (int k = 0; k < 16; k++) {
        value[k] = k * k;
    }
    HIT_MUST(
        hit_tile_set_axis(whole, 0, &(hit_axis){.name = "y", .first = 7, .step = 0.5}));
    HIT_MUST(hit_tile_set_axis(
        whole, 1, &(hit_axis){.name = "x", .value = value, .value_step = 2}));
    HIT_MUST(hit_tile_select(whole, part, &some));
    memset(value, 0, sizeof(value)); /* they are copied */
    for (int d = 0; d < 2; d++) {
        const hit_axis axis = hit_tile_axis(some, d);

        for (hit_index k = 0; k < hit_sig_count(part.sig[d]); k++) {
            const hit_index x = part.sig[d].begin + k * part.sig[d].stride;
            const double right =
                d == 0 ? 7 + 0.5 * (double)(x - 10) : (double)(4 * (x + 2) * (x + 2));

            ck_assert_double_eq(hit_axis_at(&axis, k), right);
        }
    }
    ck_assert_double_eq(hit_tile_axis(whole, 0).step, 1.5); /* of elements */
    hit_tile_destroy(&some);
    hit_tile_destroy(&whole);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("axis");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, what_is_no_axis_is_refused);
    tcase_add_test(tests, selections_have_their_part);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &hit);
}
