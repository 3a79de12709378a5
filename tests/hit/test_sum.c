/* SPDX-License-Identifier: MIT
 * Exact sums: rounded once as another algorithm does it, whatever the order and the
 * parts; and what is not finite. */
#include "hit/sum.h"
#include "tests/support/check_main.h"
#include "tests/support/exact.h"

enum {
    CASES = 1000,
    MOST = 4000
};

static double random_number(hit_random *random, int range)
{
    const int64_t whole = (int64_t)(hit_random_next(random) >> 11);
    const double sign = hit_random_next(random) % 2 == 0 ? 1 : -1;

    return sign * ldexp((double)whole, (int)hit_random_index(random, -range, range));
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Numbers, many of which nearly cancel others. */
static int make_numbers(hit_random *random, double number[])
{
    static const int ranges[] = {0, 3, 60, 800};
    const int range = ranges[hit_random_index(random, 0, 3)];
    const int count = (int)hit_random_index(random, 0, 1) == 0
                          ? (int)hit_random_index(random, 0, 12)
                          : (int)hit_random_index(random, 0, MOST);

    for (int k = 0; k < count; k++) {
        number[k] = random_number(random, range);
        if (k > 0 && hit_random_index(random, 0, 1) == 0) {
            number[k] = -number[hit_random_index(random, 0, k - 1)];
        }
        if (hit_random_index(random, 0, 40) == 0) number[k] = ldexp(number[k], -1060);
    }
    return count;
}

START_TEST(sums_are_rounded_once_whatever_the_order)
{
    static double number[MOST];
    hit_random random = hit_random_start(4711);
    int wrong = 0;

    for (int k = 0; k < hit_random_cases(CASES); k++) {
        const int count = make_numbers(&random, number);
        const double right = exact_sum(count, number);
        hit_sum part[5] = {{{0}, 0, 0}};

        for (int n = count; n-- > 0;) {
            hit_sum_add(&part[hit_random_index(&random, 0, 4)], number[n]);
        }
        for (int p = 1; p < 5; p++) {
            hit_sum_combine(&part[0], &part[p]);
        }
        wrong += !same(hit_sum_value(&part[0]), right + 0.0);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

static double sum_of(int count, const double number[])
{
    hit_sum sum = {{0}, 0, 0};

    for (int k = 0; k < count; k++) {
        hit_sum_add(&sum, number[k]);
    }
    return hit_sum_value(&sum);
}

START_TEST(the_largest_and_the_least_numbers_count)
{
    const double most = 0x1.fffffffffffffp1023;
    const double least = 0x1p-1074;

    ck_assert(same(sum_of(0, NULL), 0.0));
    ck_assert(same(sum_of(1, (double[]){most}), most));
    ck_assert(same(sum_of(1, (double[]){-least}), -least));
    ck_assert(same(sum_of(3, (double[]){most, most, -most}), most));
    ck_assert(same(sum_of(2, (double[]){most, most}), (double)INFINITY));
    ck_assert(same(sum_of(2, (double[]){-most, -most}), -(double)INFINITY));
    ck_assert(same(sum_of(3, (double[]){most, least, -most}), least));
    ck_assert(same(sum_of(2, (double[]){1, -1}), 0.0));
    /* 1 + 2^-53 lies between two numbers; a little more does not */
    ck_assert(same(sum_of(2, (double[]){1, 0x1p-53}), 1.0));
    ck_assert(same(sum_of(3, (double[]){1, 0x1p-53, least}), 1 + 0x1p-52));
    ck_assert(same(sum_of(2, (double[]){1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51));
}
END_TEST

START_TEST(what_is_not_finite_stays)
{
    const double inf = (double)INFINITY;

    ck_assert(same(sum_of(2, (double[]){1, inf}), inf));
    ck_assert(same(sum_of(2, (double[]){-inf, 1}), -inf));
    ck_assert(isnan(sum_of(2, (double[]){inf, -inf})));
    ck_assert(isnan(sum_of(2, (double[]){1, (double)NAN})));
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("sum");
    TCase *tests = tcase_create("sums");

    tcase_add_test(tests, sums_are_rounded_once_whatever_the_order);
    tcase_add_test(tests, the_largest_and_the_least_numbers_count);
    tcase_add_test(tests, what_is_not_finite_stays);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
