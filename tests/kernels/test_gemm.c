/* SPDX-License-Identifier: MIT
 * Which kernels OpenBLAS is asked for, and how often it is opened. That products are
 * right is in contract/kernel.c. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "kernels/kernels_impl.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

START_TEST(kernels_for_older_cores_are_not_taken_on_a_core_with_avx512)
{
    ck_assert_str_eq(hit_openblas_choose("Haswell", NULL, true), "SKYLAKEX");
    ck_assert_str_eq(hit_openblas_choose("Zen", NULL, true), "SKYLAKEX");
    ck_assert_ptr_null(hit_openblas_choose("SkylakeX", NULL, true));
    ck_assert_ptr_null(hit_openblas_choose("Cooperlake", NULL, true));
    ck_assert_ptr_null(hit_openblas_choose("Haswell", NULL, false));
}
END_TEST

START_TEST(what_the_user_says_counts)
{
    ck_assert_ptr_null(hit_openblas_choose("Haswell", "HASWELL", true));
}
END_TEST

#if defined(__x86_64__)
START_TEST(the_library_is_named_with_its_kernels_and_the_reason)
{
    char text[256];
    char small[8];
    void *library = NULL;

    ck_assert_int_eq(setenv("OPENBLAS_CORETYPE", "Haswell", 1), 0);
    ck_assert_int_eq(hit_openblas_open(&library), HIT_OK);
    free(library);
    hit_gemm_library(text, sizeof(text));
    ck_assert_ptr_nonnull(strstr(text, "OpenBLAS"));
    ck_assert_ptr_nonnull(strstr(text, "Haswell kernels, as it was loaded before"));
    hit_gemm_library(small, sizeof(small));
    ck_assert_str_eq(small, "OpenBLA");
}
END_TEST
#endif

/* Linked with --wrap=dlopen. */
static int opened;

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
void *__real_dlopen(const char *file, int flags);
void *__wrap_dlopen(const char *file, int flags);

void *__wrap_dlopen(const char *file, int flags)
{
    opened++;
    return __real_dlopen(file, flags);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static void multiply(hit_context *hit, hit_tile *tile[])
{
    HIT_MUST(hit_launch(hit, &gemm_double, hit_domain_of(4, 4), tile[0], tile[1], tile[2],
                        HIT_VALUE(1.0), HIT_VALUE(0.0)));
    HIT_MUST(hit_wait(hit));
}

START_TEST(the_library_is_not_opened_for_each_product)
{
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *tile[3] = {NULL};
    int first;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &hit));
    HIT_MUST(hit_layout_create(hit, hit_domain_of(4, 4), "block", &layout));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "t", &tile[k]));
    }
    multiply(hit, tile);
    first = opened;
    for (int k = 0; k < 20; k++) {
        multiply(hit, tile);
    }
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&tile[k]);
    }
    hit_layout_destroy(&layout);
    hit_close(&hit);
    ck_assert_int_eq(opened, first);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("gemm");
    TCase *tests = tcase_create("gemm");

    tcase_add_test(tests, kernels_for_older_cores_are_not_taken_on_a_core_with_avx512);
    tcase_add_test(tests, what_the_user_says_counts);
#if defined(__x86_64__)
    tcase_add_test(tests, the_library_is_named_with_its_kernels_and_the_reason);
#endif
    tcase_add_test(tests, the_library_is_not_opened_for_each_product);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
