/* SPDX-License-Identifier: MIT
 * Which kernels OpenBLAS is asked for. That products are right is in contract/kernel.c.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "kernels/gemm.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

START_TEST(kernels_for_older_cores_are_not_taken_on_a_core_with_avx512)
{
    ck_assert_str_eq(hit_gemm_choose("Haswell", NULL, true), "SKYLAKEX");
    ck_assert_str_eq(hit_gemm_choose("Zen", NULL, true), "SKYLAKEX");
    ck_assert_ptr_null(hit_gemm_choose("SkylakeX", NULL, true));
    ck_assert_ptr_null(hit_gemm_choose("Cooperlake", NULL, true));
    ck_assert_ptr_null(hit_gemm_choose("Haswell", NULL, false));
}
END_TEST

START_TEST(what_the_user_says_counts)
{
    ck_assert_ptr_null(hit_gemm_choose("Haswell", "HASWELL", true));
}
END_TEST

#if defined(__x86_64__)
START_TEST(the_library_is_named_with_its_kernels_and_the_reason)
{
    char text[256];
    char small[8];

    ck_assert_int_eq(setenv("OPENBLAS_CORETYPE", "Haswell", 1), 0);
    ck_assert_int_eq(hit_gemm_prepare(), HIT_OK);
    hit_gemm_library(text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "OpenBLAS"));
    ck_assert_ptr_nonnull(strstr(text, "Haswell kernels, as it was loaded before"));
    hit_gemm_library(small, sizeof(small));
    ck_assert_str_eq(small, "OpenBLA");
}
END_TEST
#endif

static Suite *suite(void)
{
    Suite *made = suite_create("gemm");
    TCase *tests = tcase_create("gemm");

    tcase_add_test(tests, kernels_for_older_cores_are_not_taken_on_a_core_with_avx512);
    tcase_add_test(tests, what_the_user_says_counts);
#if defined(__x86_64__)
    tcase_add_test(tests, the_library_is_named_with_its_kernels_and_the_reason);
#endif
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
