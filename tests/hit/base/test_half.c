/* SPDX-License-Identifier: MIT
 * Numbers of 16 bits beside what their bits say, as doubles. */
#include "hit/base/half.h"
#include "tests/support/check_main.h"

#include <math.h>

/* One of the two kinds: bits of its exponent, and of its fraction. */
typedef struct format {
    int exponent;
    int fraction;
    float (*to_float)(uint16_t bits);
    uint16_t (*from_float)(float number);
} format;

static float half_to(uint16_t bits)
{
    return hit_half_to_float((hit_half){bits});
}

static uint16_t half_from(float number)
{
    return hit_half_from_float(number).bits;
}

static float bfloat16_to(uint16_t bits)
{
    return hit_bfloat16_to_float((hit_bfloat16){bits});
}

static uint16_t bfloat16_from(float number)
{
    return hit_bfloat16_from_float(number).bits;
}

static const format formats[] = {{5, 10, half_to, half_from},
                                 {8, 7, bfloat16_to, bfloat16_from}};

/* By IEEE 754; @p beyond: infinity is the number that would follow the largest one. */
static double value_of(const format *f, uint16_t bits, bool beyond)
{
    const int bias = (1 << (f->exponent - 1)) - 1;
    const int power = bits >> f->fraction & ((1 << f->exponent) - 1);
    const int fraction = bits & ((1 << f->fraction) - 1);
    const double sign = bits >> 15 == 0 ? 1 : -1;

    if (power == (1 << f->exponent) - 1 && !(beyond && fraction == 0)) {
        return fraction == 0 ? sign * INFINITY : (double)NAN;
    }
    if (power == 0) return sign * ldexp(fraction, 1 - bias - f->fraction);
    return sign * ldexp((1 << f->fraction) + fraction, power - bias - f->fraction);
}

START_TEST(each_of_all_numbers_is_what_its_bits_say)
{
    const format *f = &formats[_i];

    for (unsigned bits = 0; bits <= UINT16_MAX; bits++) {
        const double right = value_of(f, (uint16_t)bits, false);
        const float found = f->to_float((uint16_t)bits);

        ck_assert_int_eq(isnan(found), isnan(right));
        ck_assert_int_eq(isnan(f->to_float(f->from_float(found))), isnan(right));
        if (isnan(right)) continue;
        ck_assert_double_eq((double)found, right);
        ck_assert_int_eq(signbit(found) != 0, bits >> 15);
        ck_assert_uint_eq(f->from_float(found), bits);
    }
}
END_TEST

/* No neighbour is nearer, and of two that are as near it is the even one. */
static bool is_nearest(const format *f, float number, uint16_t found)
{
    const double off = fabs(value_of(f, found, true) - (double)number);
    const uint16_t next = (uint16_t)(found + 1);
    const uint16_t before = (uint16_t)(found - 1);
    const bool is_infinity = isinf(value_of(f, found, false)) != 0;
    bool right = (signbit(number) != 0) == (found >> 15 != 0);

    if (!is_infinity) {
        const double other = fabs(value_of(f, next, true) - (double)number);

        right = right && (off < other || (off == other && found % 2 == 0));
    }
    if ((found & 0x7fff) != 0) {
        const double other = fabs(value_of(f, before, true) - (double)number);

        /* what is beyond infinity is infinity */
        if (is_infinity && fabs((double)number) > fabs(value_of(f, found, true))) {
            return right;
        }
        right = right && (off < other || (off == other && found % 2 == 0));
    }
    return right;
}

START_TEST(the_nearest_number_is_found_and_the_even_one_of_two)
{
    const format *f = &formats[_i];
    hit_random random = hit_random_start(16);

    for (int k = 0; k < 400000; k++) {
        uint32_t bits = (uint32_t)hit_random_index(&random, 0, UINT32_MAX);
        float number;

        if (k % 2 == 0) { /* between two numbers, or beside that */
            const uint16_t near = (uint16_t)bits;
            const double a = value_of(f, near, true);
            const double b = value_of(f, (uint16_t)(near ^ 1u), true);

            number = (float)((a + b) / 2);
            if (k % 8 == 0) number = nextafterf(number, INFINITY);
            if (k % 8 == 2) number = nextafterf(number, -INFINITY);
        } else {
            number = hit_float_of_bits(bits);
        }
        if (isnan(number) || isinf(number)) continue;
        ck_assert_msg(is_nearest(f, number, f->from_float(number)), "%a", (double)number);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("hit/base/half");
    TCase *half = tcase_create("half");

    tcase_add_loop_test(half, each_of_all_numbers_is_what_its_bits_say, 0, 2);
    tcase_add_loop_test(half, the_nearest_number_is_found_and_the_even_one_of_two, 0, 2);
    suite_add_tcase(all, half);
    return all;
}

int main(void)
{
    return check_run(suite());
}
