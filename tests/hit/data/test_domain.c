/* SPDX-License-Identifier: MIT
 * Domains against enumeration: random products of 0 to 3 signatures in a small cube, in
 * which every point is asked one by one. */
#include "hit/data/domain.h"
#include "hit/data/domain_set.h"
#include "tests/support/check_main.h"

#include <string.h>

enum {
    CASES = 4000,
    LOW = -7,
    HIGH = 7,
    STRIDE = 4
};

static bool in(const hit_domain *domain, const hit_index index[])
{
    for (int d = 0; d < domain->dims; d++) {
        hit_sig sig = domain->sig[d];
        if (index[d] < sig.begin || index[d] > sig.end) return false;
        if ((index[d] - sig.begin) % sig.stride != 0) return false;
    }
    return true;
}

/* Visit all points of the cube LOW..HIGH, one dimension after the other. */
static bool next_point(int dims, hit_index index[])
{
    for (int d = dims - 1; d >= 0; d--) {
        if (++index[d] <= HIGH) return true;
        index[d] = LOW;
    }
    return false;
}

static hit_domain random_domain(hit_random *random, int dims)
{
    return hit_random_domain(random, dims, LOW, HIGH, STRIDE);
}

/* Does "a point is in result" equal "what rule says" in the whole cube? */
static bool agrees(const hit_domain *result, const hit_domain *a, const hit_domain *b,
                   bool (*rule)(bool in_a, bool in_b))
{
    hit_index x[HIT_MAX_DIMS] = {LOW, LOW, LOW, LOW};
    do {
        if (in(result, x) != rule(in(a, x), in(b, x))) return false;
    } while (next_point(a->dims, x));
    return true;
}

static bool both(bool in_a, bool in_b)
{
    return in_a && in_b;
}

static void expect_text(hit_domain domain, const char *wanted)
{
    char text[128];
    hit_domain_print(&domain, text, sizeof(text));
    ck_assert_str_eq(text, wanted);
}

START_TEST(sizes_and_boxes_are_the_products_they_name)
{
    expect_text(hit_domain_of(10, 20), "0:9 x 0:19");
    expect_text(hit_domain_of(5), "0:4");
    expect_text(hit_domain_box(2, (hit_index[]){-1, 3}, (hit_index[]){4, 3}),
                "-1:4 x 3:3");
    expect_text(hit_box_of(-1, 4), "-1:4");
    expect_text(hit_box_of(-1, 4, 3, 3), "-1:4 x 3:3");
    expect_text(hit_box_of(0, 1, 2, 3, 4, 5), "0:1 x 2:3 x 4:5");
    expect_text(hit_box_of(0, 1, 2, 3, 4, 5, 6, 7), "0:1 x 2:3 x 4:5 x 6:7");
    expect_text(hit_domain_scalar(), "()");
    expect_text(hit_domain_of(10, 0), "0:-1 x 0:-1");
    hit_domain empty = hit_domain_of(3, -2);
    hit_domain deep = hit_domain_of_sizes(5, (const hit_index[]){1, 1, 1, 1, 1});
    hit_domain hollow = hit_domain_box(1, (hit_index[]){5}, (hit_index[]){4});
    ck_assert(hit_domain_is_empty(&empty));
    ck_assert(hit_domain_is_empty(&deep));
    ck_assert(hit_domain_is_empty(&hollow));
    ck_assert_int_eq(hit_domain_check(&deep), HIT_OK);
}
END_TEST

START_TEST(a_scalar_has_one_element)
{
    hit_domain scalar = hit_domain_scalar();
    hit_index none[1] = {0};
    ck_assert_int_eq(hit_domain_count(&scalar), 1);
    ck_assert(!hit_domain_is_empty(&scalar));
    ck_assert(hit_domain_has(&scalar, none));
    ck_assert(hit_domain_inside(&scalar, &scalar));
    ck_assert(hit_domain_first(&scalar, none));
    ck_assert(!hit_domain_next(&scalar, none));
}
END_TEST

START_TEST(counting_and_visiting_agree_with_enumeration)
{
    hit_random random = hit_random_start(201);
    for (int n = 0; n < CASES; n++) {
        hit_domain domain = random_domain(&random, n % 4);
        hit_index x[HIT_MAX_DIMS] = {LOW, LOW, LOW, LOW};
        hit_index at[HIT_MAX_DIMS] = {0};
        hit_index count = 0;
        bool more = hit_domain_first(&domain, at);
        bool right = true;
        do {
            bool element = in(&domain, x);
            right = right && hit_domain_has(&domain, x) == element;
            if (!element) continue;
            size_t bytes = (size_t)domain.dims * sizeof(x[0]);
            right = right && more && memcmp(x, at, bytes) == 0;
            more = more && hit_domain_next(&domain, at);
            count++;
        } while (next_point(domain.dims, x));
        ck_assert(right && !more);
        ck_assert_int_eq(hit_domain_count(&domain), count);
        ck_assert_int_eq(hit_domain_is_empty(&domain), count == 0);
        HIT_FOR_EACH (each, domain) {
            ck_assert(in(&domain, each));
            count--;
        }
        ck_assert_int_eq(count, 0);
    }
}
END_TEST

START_TEST(intersections_have_the_elements_of_both)
{
    hit_random random = hit_random_start(202);
    for (int n = 0; n < CASES; n++) {
        hit_domain a = random_domain(&random, n % 4);
        hit_domain b = random_domain(&random, n % 4);
        hit_domain common = hit_domain_intersect(&a, &b);
        ck_assert_int_eq(hit_domain_check(&common), HIT_OK);
        ck_assert(agrees(&common, &a, &b, both));
    }
}
END_TEST

START_TEST(covers_hold_both_and_ignore_an_empty_one)
{
    hit_random random = hit_random_start(203);
    for (int n = 0; n < CASES; n++) {
        hit_domain a = random_domain(&random, n % 4);
        hit_domain b = random_domain(&random, n % 4);
        hit_domain cover = hit_domain_cover(&a, &b);
        ck_assert(hit_domain_inside(&a, &cover) && hit_domain_inside(&b, &cover));
        if (hit_domain_is_empty(&a)) ck_assert(hit_domain_equal(&cover, &b));
        if (hit_domain_is_empty(&b)) ck_assert(hit_domain_equal(&cover, &a));
        if (hit_domain_is_empty(&a) || hit_domain_is_empty(&b)) continue;
        for (int d = 0; d < a.dims; d++) {
            hit_sig least = hit_sig_cover(a.sig[d], b.sig[d]);
            ck_assert(hit_sig_equal(cover.sig[d], least));
        }
    }
}
END_TEST

START_TEST(inside_and_equal_are_about_elements)
{
    hit_random random = hit_random_start(204);
    for (int n = 0; n < CASES; n++) {
        hit_domain a = random_domain(&random, n % 3);
        hit_domain b = n % 2 == 0 ? hit_random_subdomain(&random, &a, 2)
                                  : random_domain(&random, n % 3);
        hit_index x[HIT_MAX_DIMS] = {LOW, LOW, LOW, LOW};
        bool inside = true;
        bool same = true;
        do {
            inside = inside && (!in(&b, x) || in(&a, x));
            same = same && in(&b, x) == in(&a, x);
        } while (next_point(a.dims, x));
        ck_assert_int_eq(hit_domain_inside(&b, &a), inside);
        ck_assert_int_eq(hit_domain_equal(&b, &a), same);
    }
    hit_domain line = hit_domain_of(3);
    hit_domain plane = hit_domain_of(3, 3);
    ck_assert(!hit_domain_inside(&line, &plane));
    ck_assert(!hit_domain_equal(&line, &plane));
}
END_TEST

START_TEST(growing_widens)
{
    hit_domain plane = hit_domain_of(10, 20);
    expect_text(hit_domain_grow(plane, 2), "-2:11 x -2:21");
    expect_text(hit_domain_grow(hit_domain_of(10, 20), -1), "1:8 x 1:18");
    expect_text(hit_domain_grow(plane, -5), "0:-1 x 0:-1");
    plane.sig[1] = hit_sig_make(0, 19, 3);
    expect_text(hit_domain_grow(plane, 1), "-1:10 x -3:21:3");
    expect_text(hit_domain_grow(hit_domain_scalar(), 1), "()");
}
END_TEST

START_TEST(dense_means_that_every_stride_is_one)
{
    hit_domain plane = hit_domain_of(10, 20);
    hit_domain scalar = hit_domain_scalar();
    ck_assert(hit_domain_is_dense(&plane));
    ck_assert(hit_domain_is_dense(&scalar));
    plane.sig[0] = hit_sig_make(0, 9, 3);
    ck_assert(!hit_domain_is_dense(&plane));
}
END_TEST

START_TEST(check_names_what_is_not_canonical)
{
    hit_domain domain = hit_domain_of(10, 20);
    ck_assert_int_eq(hit_domain_check(&domain), HIT_OK);
    domain.sig[1] = (hit_sig){0, 10, 3};
    ck_assert_int_eq(hit_domain_check(&domain), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "dimension 1"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "(0, 10, 3)"));
    domain.sig[1] = (hit_sig){0, 10, 0};
    ck_assert_int_eq(hit_domain_check(&domain), HIT_E_ARG);
    domain.sig[1] = (hit_sig){5, 5, 2};
    ck_assert_int_eq(hit_domain_check(&domain), HIT_E_ARG);
    domain.dims = HIT_MAX_DIMS + 1;
    ck_assert_int_eq(hit_domain_check(&domain), HIT_E_ARG);
    domain.dims = -1;
    ck_assert_int_eq(hit_domain_check(&domain), HIT_E_ARG);
}
END_TEST

START_TEST(printing_stays_within_the_buffer)
{
    hit_domain domain = hit_domain_of(10, 99);
    domain.sig[1] = hit_sig_make(0, 98, 2);
    const char *whole = "0:9 x 0:98:2";
    for (size_t size = 0; size <= strlen(whole) + 1; size++) {
        char text[32];
        memset(text, '#', sizeof(text));
        hit_domain_print(&domain, text, size);
        ck_assert_int_eq(text[size], '#');
        if (size == 0) continue;
        ck_assert_uint_eq(strlen(text), size - 1);
        ck_assert_int_eq(strncmp(text, whole, size - 1), 0);
    }
}
END_TEST

START_TEST(large_domains_count_without_overflow)
{
    const hit_index e15 = 1000000000000000;
    hit_domain line = hit_domain_of(e15);
    hit_domain plane = hit_domain_of(1000000000, 1000000000);
    hit_domain cube = hit_domain_of(e15, e15, e15);
    ck_assert_int_eq(hit_domain_count(&line), e15);
    ck_assert_int_eq(hit_domain_count(&plane), 1000000000000000000);
    ck_assert_int_eq(hit_domain_count(&cube), INT64_MAX);
    cube.sig[2] = hit_sig_make(0, -1, 1);
    ck_assert_int_eq(hit_domain_count(&cube), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("domain");
    TCase *domain = tcase_create("domain");

    tcase_add_test(domain, sizes_and_boxes_are_the_products_they_name);
    tcase_add_test(domain, a_scalar_has_one_element);
    tcase_add_test(domain, counting_and_visiting_agree_with_enumeration);
    tcase_add_test(domain, intersections_have_the_elements_of_both);
    tcase_add_test(domain, covers_hold_both_and_ignore_an_empty_one);
    tcase_add_test(domain, inside_and_equal_are_about_elements);
    tcase_add_test(domain, growing_widens);
    tcase_add_test(domain, dense_means_that_every_stride_is_one);
    tcase_add_test(domain, check_names_what_is_not_canonical);
    tcase_add_test(domain, printing_stays_within_the_buffer);
    tcase_add_test(domain, large_domains_count_without_overflow);
    suite_add_tcase(all, domain);
    return all;
}

int main(void)
{
    return check_run(suite());
}
