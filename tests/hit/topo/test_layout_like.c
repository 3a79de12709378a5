/* SPDX-License-Identifier: MIT
 * Layouts that follow another one, against brute force: who owns what factor * x is; and
 * the layout "boxes" that they are, by its text. */
#include "hit/base/context.h"
#include "hit/topo/layout_impl.h"
#include "hit/topo/layout_like.h"
#include "hit/topo/layout_print.h"
#include "tests/support/check_main.h"

#include <string.h>

static hit_layout *plan(hit_domain domain, int ranks, const char *text)
{
    hit_layout *layout = NULL;

    ck_assert_msg(hit_layout_plan_text(NULL, domain, ranks, text, &layout) == HIT_OK,
                  "%s: %s", text, hit_status_text());
    return layout;
}

/* The index of @p sig nearest to @p x, or the one before. */
static hit_index nearest(hit_sig sig, hit_index x)
{
    hit_index found = sig.begin;

    for (hit_index k = 0; k < hit_sig_count(sig); k++) {
        if (hit_sig_at(sig, k) <= x) found = hit_sig_at(sig, k);
    }
    return found;
}

static hit_domain random_domain(hit_random *random, int dims)
{
    hit_domain domain = {.dims = dims};

    for (int d = 0; d < dims; d++) {
        const hit_index count = hit_random_index(random, 1, dims < 3 ? 20 : 7);
        const hit_index stride = hit_random_index(random, 1, 3);
        const hit_index begin = hit_random_index(random, -30, 30);

        domain.sig[d] = hit_sig_make(begin, begin + (count - 1) * stride, stride);
    }
    return domain;
}

static void expect_followed(const hit_layout *layout, const hit_layout *made,
                            const hit_index factor[])
{
    const hit_domain whole = hit_layout_domain(layout);
    const hit_domain domain = hit_layout_domain(made);
    hit_index x[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(&domain, x); more;
         more = hit_domain_next(&domain, x)) {
        hit_index y[HIT_MAX_DIMS] = {0};

        for (int d = 0; d < domain.dims; d++) {
            y[d] = nearest(whole.sig[d], factor[d] * x[d]);
        }
        ck_assert_int_eq(hit_layout_owner(made, x), hit_layout_owner(layout, y));
    }
}

START_TEST(each_index_belongs_to_the_owner_of_its_multiple)
{
    static const char *const texts[] = {"block",          "cyclic", "blockcyclic:block=2",
                                        "weighted:dim=0", "fpm2d",  "single"};
    hit_random random = hit_random_start(20261126);

    for (int i = 0; i < hit_random_cases(600); i++) {
        const char *text = texts[hit_random_index(&random, 0, 5)];
        const int dims = (int)hit_random_index(&random, 0, 3);
        const int ranks = (int)hit_random_index(&random, 1, 7);
        const hit_domain domain = random_domain(&random, dims);
        hit_index factor[HIT_MAX_DIMS];
        hit_layout *layout = NULL;
        hit_layout *made = NULL;

        for (int d = 0; d < HIT_MAX_DIMS; d++) {
            factor[d] = hit_random_index(&random, 1, 3);
        }
        if (hit_layout_plan_text(NULL, random_domain(&random, dims), ranks, text,
                                 &layout) != HIT_OK) {
            layout = plan(random_domain(&random, dims), ranks, "block");
        }
        ck_assert_msg(hit_layout_like(layout, domain, factor, &made) == HIT_OK, "%s",
                      hit_status_text());
        expect_followed(layout, made, factor);
        hit_layout_destroy(&made);
        hit_layout_destroy(&layout);
    }
}
END_TEST

/** The layout like @p text over 2 ranks, as its text, which makes it again. */
static void expect_text(hit_domain of, const char *text, hit_domain domain,
                        const hit_index factor[], const char *expected)
{
    hit_layout *layout = plan(of, 2, text);
    hit_layout *made = NULL;
    hit_layout *again;
    char found[1024];

    ck_assert_int_eq(hit_layout_like(layout, domain, factor, &made), HIT_OK);
    hit_layout_destroy(&layout);
    ck_assert_int_eq(hit_layout_print(made, found, sizeof found), HIT_OK);
    *strstr(found, " splits ") = '\0';
    ck_assert_str_eq(found, expected);
    again = plan(domain, 2, found);
    ck_assert_uint_eq(hit_layout_key(again), hit_layout_key(made));
    hit_layout_destroy(&again);
    hit_layout_destroy(&made);
}

START_TEST(faces_and_coarse_grids_print_as_boxes)
{
    static const hit_index two[] = {2, 2};
    static const hit_index rows[] = {2, 1};

    expect_text(hit_domain_of(8, 4), "block", hit_domain_of(9, 4), NULL,
                "boxes:own=0:3x0:3;4:8x0:3");
    expect_text(hit_domain_of(8, 4), "block", hit_domain_of(4, 2), two,
                "boxes:own=0:1x0:1;2:3x0:1");
    expect_text(hit_domain_of(4, 8), "block:dims=1", hit_domain_of(2, 8), rows,
                "boxes:own=0:1x0:3;0:1x4:7");
    expect_text(hit_domain_of(8), "cyclic", hit_domain_of(10), NULL,
                "boxes:own=0:6:2;1:7:2,8:9");
    expect_text(hit_domain_of(8), "block", hit_domain_of(3), NULL, "boxes:own=0:2;none");
    expect_text(hit_domain_scalar(), "single:root=1", hit_domain_scalar(), NULL,
                "boxes:own=none;()");
    expect_text(hit_domain_of(0), "block", hit_domain_of(0), NULL, "boxes:own=none;none");
}
END_TEST

START_TEST(what_cannot_be_followed_is_refused)
{
    static const hit_index zero[] = {1, 0};
    static const hit_index huge[] = {1, HIT_INDEX_LIMIT};
    hit_layout *layout = plan(hit_domain_of(4, 4), 2, "block");
    hit_layout *none = plan(hit_domain_of(0), 2, "block");
    hit_layout *made = NULL;

    ck_assert_int_eq(hit_layout_like(NULL, hit_domain_of(4), NULL, &made), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_like(layout, hit_domain_of(4, 4), NULL, NULL), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_like(layout, hit_domain_of(4), NULL, &made), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "2 dimensions"));
    ck_assert_int_eq(hit_layout_like(layout, hit_domain_of(4, 4), zero, &made),
                     HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "dimension 1 but found 0"));
    ck_assert_int_eq(hit_layout_like(layout, hit_domain_of(4, 4), huge, &made),
                     HIT_E_ARG);
    ck_assert_int_eq(hit_layout_like(none, hit_domain_of(1), NULL, &made), HIT_E_ARG);
    ck_assert_ptr_null(made);
    hit_layout_destroy(&none);
    hit_layout_destroy(&layout);
}
END_TEST

START_TEST(boxes_that_are_no_layout_are_refused)
{
    static const struct {
        const char *text;
        const char *words;
    } wrong[] = {
        {"boxes", "found \"\" for rank 0"},
        {"boxes:own=0:3x0:3", "for rank 0"},
        {"boxes:own=0:3x0:3;none;none", "for rank 1"},
        {"boxes:own=0:3;none", "found \"0:3;none\""},
        {"boxes:own=0:1x0:3,;2:3x0:3", "for rank 0"},
        {"boxes:own=0:1x0:3;2:3x0:3:0", "for rank 1"},
        {"boxes:own=1:0x0:3;2:3x0:3", "for rank 0"},
        {"boxes:own=0:1x0:3;2:4x0:3", "found 2:4 x 0:3 of rank 1"},
        {"boxes:own=0:1x0:3;1:3x0:3", "0:1 x 0:3 of rank 0 and 1:3 x 0:3 of rank 1"},
        {"boxes:own=0:1x0:3,0:0x1:1;2:3x0:3", "of rank 0 and"},
        {"boxes:own=0:1x0:3;3:3x0:3", "all 16 elements of the domain together but found"},
        {"boxes:own=0:3x0:3;none,rank=1", "unknown option rank"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        hit_layout *layout = NULL;

        ck_assert_int_eq(
            hit_layout_plan_text(NULL, hit_domain_of(4, 4), 2, wrong[k].text, &layout),
            HIT_E_ARG);
        ck_assert_msg(strstr(hit_status_text(), wrong[k].words) != NULL,
                      "%s: \"%s\" is not in \"%s\"", wrong[k].text, wrong[k].words,
                      hit_status_text());
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("layout like");
    TCase *tcase = tcase_create("layout like");

    tcase_add_test(tcase, each_index_belongs_to_the_owner_of_its_multiple);
    tcase_add_test(tcase, faces_and_coarse_grids_print_as_boxes);
    tcase_add_test(tcase, what_cannot_be_followed_is_refused);
    tcase_add_test(tcase, boxes_that_are_no_layout_are_refused);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
