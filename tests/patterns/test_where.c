/* SPDX-License-Identifier: MIT
 * Indices for which inequalities hold: boxes are clipped, counted and taken apart as by
 * looking at each index. */
#include "hit/data/domain_set.h"
#include "hit/data/sig.h"
#include "patterns/where.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

static const hit_kernel_arg args[] = {
    {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "x", "[i]"},
    {HIT_MODE_VALUE, {HIT_KIND_INT64, 8}, "b", NULL},
    {HIT_MODE_VALUE, {HIT_KIND_DOUBLE, 8}, "real", NULL},
};
static const hit_kernel kernel = {
    .name = "k", .dims = 3, .index = {"i", "j", "k"}, .args = 3, .arg = args};

static hit_where parse(const char *text, hit_index b)
{
    const hit_index number[HIT_MAX_ARGS] = {0, b, 0};
    hit_where where;

    ck_assert_int_eq(hit_where_parse(&kernel, text, number, &where), HIT_OK);
    return where;
}

static void check_text(const char *text, const hit_index at[], hit_index b, bool holds)
{
    const hit_where where = parse(text, b);

    ck_assert_msg(hit_where_has(&where, NULL, at) == holds, "%s", text);
}

START_TEST(texts_say_what_they_say)
{
    const hit_index at[HIT_MAX_DIMS] = {3, 5, 2};

    check_text("i <= j", at, 0, true);
    check_text("j <= i", at, 0, false);
    check_text("j <= i + b", at, 2, true);
    check_text("j < i + b", at, 2, false);
    check_text("i-2<=j<=i+2", at, 0, true);
    check_text("i - 2 <= j < i + 2", at, 0, false);
    check_text("k < i < j", at, 0, true);
    check_text("k < i, j < i", at, 0, false);
    check_text("i + k == j", at, 0, true);
    check_text("i + k == j + 1", at, 0, false);
    check_text("j > i >= 3", at, 0, true);
    check_text("2*i - j >= b*k - 3", at, 2, true);
    check_text("2*i - j > b*k - 3", at, 2, false);
    check_text("-i <= 0", at, 0, true);
    check_text("i == j == k", at, 0, false);
    check_text("i < 3 or j > 4", at, 0, true);
    check_text("i < 3 or j > 5", at, 0, false);
    check_text("i < 3 or j > 4 and k > 2", at, 0, false);
    check_text("i < 3, j > 4 or k < 3", at, 0, true);
    check_text("i < 3 and j > 4 or k < b or i == j", at, 2, false);
    check_text("i<3 or\tj>4", at, 0, true);
}
END_TEST

static void check_refused(const char *text, const char *expected)
{
    const hit_index number[HIT_MAX_ARGS] = {0, 1, 0};
    hit_where where;

    ck_assert_int_eq(hit_where_parse(&kernel, text, number, &where), HIT_E_PATTERN);
    ck_assert_msg(strstr(hit_status_text(), expected) != NULL, "%s: %s", text,
                  hit_status_text());
}

START_TEST(other_texts_are_refused)
{
    char text[700] = "i <= 0";

    check_refused("", "a sum");
    check_refused("i", "<=, <, >=, > or ==");
    check_refused("i <", "a sum");
    check_refused("i = j", "<=, <, >=, > or ==");
    check_refused("i <= j + -3", "found '-'");
    check_refused("i <= j j", "HIT_WHERE(\"i <= j j\")");
    check_refused("i <= real", "real");
    check_refused("i <= x[j]", "by its name alone");
    check_refused("x <= x", "on one side");
    check_refused("i <= j/2", "without /");
    check_refused("i%2 == 0", "without /");
    check_refused("[i <= j]", "HIT_WHERE");
    check_refused("i] [i <= j", "HIT_WHERE");
    check_refused("i : j <= 4", "without /, % and :");
    check_refused("i <= j,", "a sum");
    check_refused("i <= j,, j <= k", "a sum");
    check_refused("i <= j or", "a sum");
    check_refused("or i <= j", "a sum");
    check_refused("i <= j or or j <= k", "a sum");
    check_refused("i <= j or, j <= k", "a sum");
    check_refused("i or j", "<=, <, >=, > or ==");
    check_refused("i <= j xor j <= k", "xor");
    check_refused("i <= 3or j <= k", "HIT_WHERE");
    memset(text + 6, ' ', sizeof(text) - 7);
    check_refused(text, "200 characters");
}
END_TEST

/* Differences of two indices mostly, in few alternatives. */
static hit_where random_where(hit_random *random, int dims, bool differences)
{
    hit_where where = {.count = (int)hit_random_index(random, 1, 5)};
    const bool several = hit_random_index(random, 0, 1);
    hit_index alternative = 0;

    for (int k = 0; k < where.count; k++) {
        hit_inequality *of = &where.of[k];

        alternative += k > 0 && several && hit_random_index(random, 0, 2) > 0;
        of->alternative = alternative;

        of->coef[hit_random_index(random, 0, dims - 1)] = 1;
        of->coef[hit_random_index(random, 0, dims - 1)] = -1;
        if (!differences) {
            of->coef[hit_random_index(random, 0, dims - 1)] =
                hit_random_index(random, -3, 3);
        }
        of->offset = hit_random_index(random, -4, 8);
    }
    return where;
}

static bool alternative_has(const hit_where *where, hit_index alternative,
                            const hit_index at[])
{
    hit_where one = {.count = 0};

    for (int k = 0; k < where->count; k++) {
        if (where->of[k].alternative == alternative) one.of[one.count++] = where->of[k];
    }
    return hit_where_has(&one, NULL, at);
}

/* Is it the box around what some alternative has of it? */
static bool is_tight(const hit_where *where, const hit_domain *box)
{
    const hit_index last = where->of[where->count - 1].alternative;

    for (hit_index a = 0; a <= last; a++) {
        hit_domain hull = hit_domain_empty(box->dims);
        hit_index at[HIT_MAX_DIMS] = {0};

        for (bool more = hit_domain_first(box, at); more;
             more = hit_domain_next(box, at)) {
            const hit_domain one = hit_domain_box(box->dims, at, at);

            if (alternative_has(where, a, at)) hull = hit_domain_cover(&hull, &one);
        }
        if (hit_domain_equal(&hull, box)) return true;
    }
    return false;
}

/* Boxes are disjoint, have all that remains, and each is one around what an alternative
 * has of it. */
static void check_boxes(const hit_where *where, const hit_domain *box, bool smallest)
{
    hit_region boxes = {0};
    hit_index at[HIT_MAX_DIMS] = {0};

    ck_assert_int_eq(hit_where_boxes(where, box, &boxes), HIT_OK);
    for (bool more = hit_domain_first(box, at); more; more = hit_domain_next(box, at)) {
        int holders = 0;

        for (int k = 0; k < boxes.count; k++) {
            holders += hit_domain_has(&boxes.part[k], at);
        }
        ck_assert_int_le(holders, 1);
        ck_assert(holders == 1 || !hit_where_has(where, NULL, at));
    }
    for (int k = 0; k < boxes.count; k++) {
        ck_assert(hit_domain_inside(&boxes.part[k], box));
        ck_assert(!smallest || is_tight(where, &boxes.part[k]));
        if (hit_where_is_boxes(where)) ck_assert(hit_where_holds(where, &boxes.part[k]));
    }
    hit_region_clear(&boxes);
}

typedef struct visited {
    const hit_where *where;
    const hit_domain *box;
    const signed char *order;
    hit_index count;
    hit_index last[HIT_MAX_DIMS];
    bool good;
} visited;

/* Is it behind the last one, in the order? */
static bool comes_later(const visited *v, const hit_index at[])
{
    if (v->order[0] == 0) return true; /* any order */
    for (int d = 0; d < v->box->dims && v->count > 0; d++) {
        const hit_index by = (at[d] - v->last[d]) * (v->order[d] < 0 ? -1 : 1);

        if (by != 0) return by > 0;
    }
    return v->count == 0;
}

static hit_status visit(void *of, const hit_domain *box)
{
    visited *v = of;
    hit_index at[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(box, at); more; more = hit_domain_next(box, at)) {
        v->good =
            v->good && hit_where_has(v->where, NULL, at) && hit_domain_has(v->box, at);
    }
    /* boxes are whole along what follows their first open dimension */
    for (int d = 0; d < box->dims; d++) {
        at[d] = v->order[d] < 0 ? box->sig[d].end : box->sig[d].begin;
    }
    v->good = v->good && comes_later(v, at);
    for (int d = 0; d < box->dims; d++) {
        v->last[d] = v->order[d] < 0 ? box->sig[d].begin : box->sig[d].end;
    }
    v->count += hit_domain_count(box);
    return HIT_OK;
}

static void try_box(hit_random *random, int dims, bool differences)
{
    const hit_where where = random_where(random, dims, differences);
    const hit_domain box = hit_random_domain(random, dims, -6, 9, differences ? 1 : 3);
    const hit_domain clipped = hit_where_clip(&where, &box);
    signed char order[HIT_MAX_DIMS] = {
        (signed char)hit_random_index(random, -1, 1),
        (signed char)(hit_random_index(random, 0, 1) * 2 - 1), 1, 1};
    visited v = {.where = &where, .box = &box, .order = order, .good = true};
    hit_domain hull = hit_domain_empty(dims);
    hit_index at[HIT_MAX_DIMS] = {0};
    hit_index count = 0;

    if (order[0] == 0) order[1] = 0;
    for (bool more = hit_domain_first(&box, at); more; more = hit_domain_next(&box, at)) {
        const hit_domain one = hit_domain_box(dims, at, at);

        if (!hit_where_has(&where, NULL, at)) continue;
        ck_assert(hit_domain_has(&clipped, at));
        hull = count > 0 ? hit_domain_cover(&hull, &one) : one;
        count++;
    }
    ck_assert_int_eq(hit_where_count(&where, &box), count);
    ck_assert(hit_where_any(&where, &box) == (count > 0));
    if (hit_where_holds(&where, &box) && !hit_domain_is_empty(&box)) {
        ck_assert_int_eq(count, hit_domain_count(&box));
    } else if (where.of[where.count - 1].alternative == 0 && count > 0) {
        ck_assert_int_lt(count, hit_domain_count(&box));
    }
    check_boxes(&where, &box, differences);
    ck_assert(hit_domain_inside(&clipped, &box));
    if (differences && count > 0) {
        for (int d = 0; d < dims; d++) {
            ck_assert_int_eq(clipped.sig[d].begin, hull.sig[d].begin);
            ck_assert_int_eq(clipped.sig[d].end, hull.sig[d].end);
        }
    }
    ck_assert_int_eq(hit_where_each(&where, &box, order, NULL, visit, &v), HIT_OK);
    ck_assert(v.good);
    ck_assert_int_eq(v.count, count);
}

START_TEST(boxes_are_clipped_counted_and_taken_apart)
{
    const int cases = hit_random_cases(20000);
    hit_random random = hit_random_start(62);

    for (int k = 0; k < cases; k++) {
        try_box(&random, (int)hit_random_index(&random, 1, 3), k % 2 == 0);
    }
}
END_TEST

/* Near the ends of what a hit_index holds nothing overflows. */
START_TEST(large_numbers_are_right)
{
    const hit_index far = (hit_index)1 << 61;
    const hit_domain box =
        hit_domain_box(2, (hit_index[]){-far, -far}, (hit_index[]){far, far});
    const hit_where where = parse("j <= i, b*j >= b*i", HIT_PATTERN_MAX);
    const hit_domain corner =
        hit_domain_box(2, (hit_index[]){far - 2, -far}, (hit_index[]){far, far});
    const hit_domain clipped = hit_where_clip(&where, &corner);

    ck_assert(!hit_where_holds(&where, &box));
    ck_assert_int_eq(clipped.sig[1].begin, far - 2);
    ck_assert_int_eq(hit_where_count(&where, &corner), 3);
}
END_TEST

/* Where looking at each row would take minutes. */
START_TEST(large_counts_are_right)
{
    const hit_index n = 100000;
    const hit_domain square = hit_domain_of(n, n);
    const hit_domain cube = hit_domain_of(n, n, n);
    const hit_where solid = {.count = 2, .of = {{.coef = {-1, 1}}, {.coef = {0, -1, 1}}}};
    const hit_where triangle = {.count = 1, .of = {{.coef = {1, -1}}}};
    const hit_where frame = parse("i < 8 or i >= b - 8 or j < 8 or j >= b - 8", n);
    const hit_where bands = parse("i - b <= j < i or i < j <= i + b", 100);

    ck_assert_int_eq(hit_where_count(&triangle, &square), n * (n + 1) / 2);
    ck_assert_int_eq(hit_where_count(&triangle, &cube), n * n / 2 * (n + 1));
    ck_assert_int_eq(hit_where_count(&solid, &cube), n * (n + 1) / 2 * (n + 2) / 3);
    ck_assert_int_eq(hit_where_count(&frame, &square), n * n - (n - 16) * (n - 16));
    ck_assert_int_eq(hit_where_count(&bands, &square), 200 * n - 100 * 101);
}
END_TEST

/* The pieces of a frame are those that a program would launch one by one. */
START_TEST(frames_are_boxes)
{
    const hit_domain square = hit_domain_of(100, 100);
    const hit_where frame = parse("i < 8 or i >= 92 or j < 8 or j >= 92", 0);
    const hit_domain expected[] = {hit_box_of(0, 7, 0, 99), hit_box_of(92, 99, 0, 99),
                                   hit_box_of(8, 91, 0, 7), hit_box_of(8, 91, 92, 99)};
    hit_region boxes = {0};

    ck_assert_int_eq(hit_where_boxes(&frame, &square, &boxes), HIT_OK);
    ck_assert_int_eq(boxes.count, 4);
    for (int k = 0; k < 4; k++) {
        ck_assert(hit_domain_equal(&boxes.part[k], &expected[k]));
    }
    hit_region_clear(&boxes);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("patterns/where");
    TCase *tests = tcase_create("where");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, texts_say_what_they_say);
    tcase_add_test(tests, other_texts_are_refused);
    tcase_add_test(tests, boxes_are_clipped_counted_and_taken_apart);
    tcase_add_test(tests, large_numbers_are_right);
    tcase_add_test(tests, large_counts_are_right);
    tcase_add_test(tests, frames_are_boxes);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
