/* SPDX-License-Identifier: MIT
 * Memory that is kept is taken again, if it is large enough. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "tests/support/check_main.h"

#include <string.h>

START_TEST(what_was_given_back_is_taken_again)
{
    hit_spare *spare = NULL;
    void *one = NULL;
    void *two = NULL;
    void *old;

    ck_assert_int_eq(hit_spare_create(&spare), HIT_OK);
    ck_assert_int_eq(hit_spare_take(spare, 1000, "a test", &one), HIT_OK);
    ck_assert_int_eq(hit_spare_take(spare, 100, "a test", &two), HIT_OK);
    ck_assert_ptr_ne(one, two);
    memset(one, 1, 1000);
    old = one;
    hit_spare_give(spare, &one);
    ck_assert_ptr_null(one);
    hit_spare_give(spare, &two);
    ck_assert_int_eq(hit_spare_take(spare, 1200, "a test", &one), HIT_OK);
    ck_assert_ptr_eq(one, old); /* a little more than asked for is kept */
    memset(one, 1, 1200);
    ck_assert_int_eq(hit_spare_take(spare, 500, "a test", &two), HIT_OK);
    memset(two, 1, 500);
    hit_spare_give(spare, &one);
    hit_spare_give(spare, &two);
    hit_spare_give(spare, &two); /* accepts NULL */
    hit_spare_destroy(&spare);
    ck_assert_ptr_null(spare);
    hit_spare_destroy(&spare);
}
END_TEST

START_TEST(some_of_many_pieces_are_kept)
{
    void *memory[100];
    void *before[100] = {NULL};
    int kept = 0;
    hit_spare *spare = NULL;

    ck_assert_int_eq(hit_spare_create(&spare), HIT_OK);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 100; k++) {
            ck_assert_int_eq(hit_spare_take(spare, 64, "a test", &memory[k]), HIT_OK);
            for (int j = 0; j < k; j++) {
                ck_assert_ptr_ne(memory[j], memory[k]);
            }
            memset(memory[k], k, 64);
        }
        for (int k = 0; k < 100; k++) {
            for (int j = 0; j < 32; j++) {
                kept += memory[k] == before[j];
            }
        }
        memcpy(before, memory, sizeof(before));
        for (int k = 0; k < 100; k++) {
            ck_assert_int_eq(*(unsigned char *)memory[k], k);
            hit_spare_give(spare, &memory[k]);
        }
    }
    ck_assert_int_ge(kept, 32); /* the first ones; the others went to the system */
    hit_spare_destroy(&spare);
}
END_TEST

START_TEST(without_a_spare_it_is_the_system_s)
{
    void *memory = NULL;

    ck_assert_int_eq(hit_spare_take(NULL, 64, "a test", &memory), HIT_OK);
    memset(memory, 1, 64);
    hit_spare_give(NULL, &memory);
    ck_assert_ptr_null(memory);
    ck_assert_int_eq(hit_spare_take(NULL, SIZE_MAX, "too much", &memory), HIT_E_NOMEM);
    ck_assert_ptr_null(memory);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("spare");
    TCase *tc = tcase_create("spare");

    tcase_add_test(tc, what_was_given_back_is_taken_again);
    tcase_add_test(tc, some_of_many_pieces_are_kept);
    tcase_add_test(tc, without_a_spare_it_is_the_system_s);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
