/* SPDX-License-Identifier: MIT
 * The table of kinds of elements, and elements as numbers. */
#include "hit/base/kind.h"
#include "hit/base/types.h"
#include "tests/support/check_main.h"

#include <math.h>

static const hit_type numbers[] = {{HIT_KIND_FLOAT, sizeof(float)},
                                   {HIT_KIND_DOUBLE, sizeof(double)},
                                   {HIT_KIND_INT32, sizeof(int32_t)},
                                   {HIT_KIND_INT64, sizeof(int64_t)},
                                   {HIT_KIND_UINT8, sizeof(uint8_t)}};

START_TEST(kinds_have_the_sizes_of_their_c_types)
{
    for (int k = 0; k < 5; k++) {
        ck_assert_uint_eq(hit_kind_find(numbers[k].kind)->size_bytes,
                          numbers[k].size_bytes);
    }
    ck_assert_str_eq(hit_kind_name(HIT_KIND_INT32), "int32");
    ck_assert_str_eq(hit_kind_find(HIT_KIND_INT32)->c_name, "int32_t");
    ck_assert_str_eq(hit_kind_name(HIT_KIND_BYTES), "plain bytes");
    ck_assert_str_eq(hit_kind_name((hit_kind)99), "plain bytes");
}
END_TEST

START_TEST(what_is_set_is_what_is_got)
{
    for (int k = 0; k < 5; k++) {
        double element;

        hit_type_set(numbers[k], 77, &element);
        ck_assert_double_eq(hit_type_get(numbers[k], &element), 77);
    }
}
END_TEST

START_TEST(too_large_numbers_are_cut_to_what_the_type_holds)
{
    const double large[] = {INFINITY, INFINITY, INT32_MAX, 0x1p63, UINT8_MAX};
    const double least[] = {-INFINITY, -INFINITY, INT32_MIN, -0x1p63, 0};

    for (int k = 0; k < 5; k++) {
        double element;

        hit_type_set(numbers[k], INFINITY, &element);
        ck_assert(hit_type_get(numbers[k], &element) >= large[k]);
        hit_type_set(numbers[k], -INFINITY, &element);
        ck_assert(hit_type_get(numbers[k], &element) <= least[k]);
    }
}
END_TEST

START_TEST(bytes_are_cleared_and_are_no_number)
{
    const hit_type three = HIT_TYPE(HIT_KIND_BYTES, 3);
    unsigned char element[4] = {1, 2, 3, 4};

    hit_type_set(three, 77, element);
    ck_assert_int_eq(element[0] + element[1] + element[2], 0);
    ck_assert_int_eq(element[3], 4);
    ck_assert_double_eq(hit_type_get(three, element), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("hit/base/types");
    TCase *types = tcase_create("types");

    tcase_add_test(types, kinds_have_the_sizes_of_their_c_types);
    tcase_add_test(types, what_is_set_is_what_is_got);
    tcase_add_test(types, too_large_numbers_are_cut_to_what_the_type_holds);
    tcase_add_test(types, bytes_are_cleared_and_are_no_number);
    suite_add_tcase(all, types);
    return all;
}

int main(void)
{
    return check_run(suite());
}
