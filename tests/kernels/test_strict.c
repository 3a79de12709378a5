/* SPDX-License-Identifier: MIT
 * One file of kernels in two programs of a folder: each is compiled as its own target
 * asks (STRICT of hit_add_kernels()), not as the other one does. */
#include "hit/kernel.h"
#include "tests/support/check_main.h"

extern const hit_kernel scaled;

START_TEST(a_kernel_is_strict_where_its_target_says_so)
{
    ck_assert_int_eq(scaled.strict, HIT_TEST_STRICT);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("strict");
    TCase *tc = tcase_create("strict");

    tcase_add_test(tc, a_kernel_is_strict_where_its_target_says_so);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
