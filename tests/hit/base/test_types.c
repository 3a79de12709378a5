/* SPDX-License-Identifier: MIT
 * The table of kinds of elements, and elements as numbers. */
#include "hit/base/kind.h"
#include "hit/base/types.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <string.h>

#define TYPE(KIND, name, c_type, letter) {HIT_KIND_##KIND, sizeof(c_type)},
static const hit_type numbers[] = {HIT_KINDS(TYPE)};

enum {
    TYPES = sizeof(numbers) / sizeof(numbers[0])
};

START_TEST(kinds_have_the_sizes_of_their_c_types)
{
    for (int k = 0; k < TYPES; k++) {
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
    for (int k = 0; k < TYPES; k++) {
        char element[HIT_MAX_NUMBER_BYTES];

        hit_type_set(numbers[k], 77, element);
        ck_assert_double_eq(hit_type_get(numbers[k], element),
                            numbers[k].kind == HIT_KIND_BOOL ? 1 : 77);
    }
}
END_TEST

START_TEST(too_large_numbers_are_cut_to_what_the_type_holds)
{
    const struct {
        hit_type type;
        double least;
        double most;
    } range[] = {{HIT_FLOAT, -INFINITY, INFINITY},
                 {HIT_DOUBLE, -INFINITY, INFINITY},
                 {HIT_INT8, INT8_MIN, INT8_MAX},
                 {HIT_INT16, INT16_MIN, INT16_MAX},
                 {HIT_INT32, INT32_MIN, INT32_MAX},
                 {HIT_INT64, -0x1p63, 0x1p63},
                 {HIT_UINT8, 0, UINT8_MAX},
                 {HIT_UINT16, 0, UINT16_MAX},
                 {HIT_UINT32, 0, UINT32_MAX},
                 {HIT_UINT64, 0, 0x1p64},
                 {HIT_HALF, -INFINITY, INFINITY},
                 {HIT_BFLOAT16, -INFINITY, INFINITY},
                 {HIT_BOOL, 0, 1}};

    for (size_t k = 0; k < sizeof(range) / sizeof(range[0]); k++) {
        double element = 0;

        hit_type_set(range[k].type, INFINITY, &element);
        ck_assert_double_eq(hit_type_get(range[k].type, &element), range[k].most);
        hit_type_set(range[k].type, -INFINITY, &element);
        ck_assert_double_eq(hit_type_get(range[k].type, &element), range[k].least);
    }
}
END_TEST

/* A whole number of a type, as one that holds all of them. */
__extension__ typedef __int128 wide_number;

static wide_number widen(hit_type type, uint64_t bits)
{
    const int unused = 64 - 8 * (int)type.size_bytes;

    if (hit_kind_find(type.kind)->letter == 'i') {
        return (int64_t)(bits << unused) >> unused;
    }
    return bits << unused >> unused;
}

START_TEST(whole_numbers_are_converted_where_they_fit)
{
    hit_random random = hit_random_start(365);

    for (int k = 0; k < 20000; k++) {
        const hit_type from = numbers[hit_random_index(&random, 0, TYPES - 1)];
        const hit_type to = numbers[hit_random_index(&random, 0, TYPES - 1)];
        const int shift = (int)hit_random_index(&random, 0, 63);
        uint64_t x = (uint64_t)hit_random_index(&random, INT64_MIN, INT64_MAX) >> shift;
        uint64_t y = 0;
        char element[HIT_MAX_NUMBER_BYTES] = {0};
        bool fits = hit_kind_is_whole(from.kind) && hit_kind_is_whole(to.kind);

        if (hit_random_index(&random, 0, 1) == 1) x = 0 - x;
        if (from.kind == HIT_KIND_BOOL) x &= 1;
        if (fits) {
            const wide_number number = widen(from, x);

            fits = widen(to, (uint64_t)number) == number; /* does it come back? */
            if (to.kind == HIT_KIND_BOOL) fits = number == 0 || number == 1;
        }
        memcpy(element, &x, sizeof(x));
        ck_assert_int_eq(hit_type_convert(from, element, to, &y), fits);
        if (fits) ck_assert(widen(to, y) == widen(from, x));
    }
}
END_TEST

START_TEST(c_types_have_kinds_by_size_and_sign)
{
    enum color {
        RED,
        BLUE
    } color = RED;
    const unsigned long long wide = 1;
    const long length = 1;

    ck_assert_int_eq(HIT_KIND_OF(1LL), HIT_KIND_INT64);
    ck_assert_int_eq(HIT_KIND_OF(length), HIT_KIND_OF_WHOLE(sizeof(long), 1));
    ck_assert_int_eq(HIT_KIND_OF(wide), HIT_KIND_UINT64);
    ck_assert_int_eq(HIT_KIND_OF(sizeof(int)), HIT_KIND_OF_WHOLE(sizeof(size_t), 0));
    ck_assert_int_eq(HIT_KIND_OF(BLUE), HIT_KIND_INT32);
    ck_assert(hit_kind_is_whole(HIT_KIND_OF(color)));
    ck_assert(hit_kind_is_whole(HIT_KIND_OF((char)'a')));
    ck_assert_int_eq(HIT_KIND_OF((short)1), HIT_KIND_INT16);
    ck_assert_int_eq(HIT_KIND_OF((bool)1), HIT_KIND_BOOL);
    ck_assert_int_eq(HIT_KIND_OF("text"), HIT_KIND_BYTES);
    ck_assert_int_eq(HIT_KIND_OF(1.0L), HIT_KIND_BYTES);
}
END_TEST

START_TEST(complex_numbers_have_two_parts)
{
    const hit_complex_double z = hit_complex(3, -4);
    const hit_complex_double far = hit_complex(2.5, 1);
    char text[64];

    ck_assert_int_eq(HIT_KIND_OF(z), HIT_KIND_COMPLEX_DOUBLE);
    ck_assert_int_eq(HIT_KIND_OF(hit_complexf(1, 2)), HIT_KIND_COMPLEX_FLOAT);
    ck_assert_double_eq(hit_type_get(HIT_COMPLEX_DOUBLE, &z), 3);
    ck_assert_double_eq(hit_type_imaginary(HIT_COMPLEX_DOUBLE, &z), -4);
    ck_assert_double_eq(hit_type_apart(HIT_COMPLEX_DOUBLE, &z, &far), 5);
    ck_assert_double_eq(hit_type_apart(HIT_COMPLEX_DOUBLE, &z, NULL), 4);
    hit_type_print(HIT_COMPLEX_DOUBLE, &z, text, sizeof(text));
    ck_assert_str_eq(text, "3-4i");
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
    tcase_add_test(types, whole_numbers_are_converted_where_they_fit);
    tcase_add_test(types, c_types_have_kinds_by_size_and_sign);
    tcase_add_test(types, complex_numbers_have_two_parts);
    tcase_add_test(types, bytes_are_cleared_and_are_no_number);
    suite_add_tcase(all, types);
    return all;
}

int main(void)
{
    return check_run(suite());
}
