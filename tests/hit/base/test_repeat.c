/* SPDX-License-Identifier: MIT
 * Elements of many sizes and numbers, against a loop. */
#include "hit/base/alloc.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 16,
    GUARD = 0x5A
};

static void look(const char *element, size_t size_bytes, size_t count)
{
    const size_t bytes = size_bytes * count;
    char *memory = malloc(bytes + 2 * MARGIN);

    ck_assert_ptr_nonnull(memory);
    memset(memory, GUARD, bytes + 2 * MARGIN);
    hit_memory_repeat(memory + MARGIN, count, element, size_bytes);
    for (size_t k = 0; k < count; k++) {
        ck_assert_msg(memcmp(memory + MARGIN + k * size_bytes, element, size_bytes) == 0,
                      "element %zu of %zu, of %zu bytes", k, count, size_bytes);
    }
    for (size_t k = 0; k < MARGIN; k++) {
        ck_assert_int_eq(memory[k], GUARD);
        ck_assert_int_eq(memory[MARGIN + bytes + k], GUARD);
    }
    free(memory);
}

START_TEST(all_elements_are_the_one_and_nothing_else_is_written)
{
    static const size_t size[] = {1,  2,  3,  4,   7,    8,    12,
                                  16, 24, 40, 100, 1000, 4096, 5000};
    static const size_t count[] = {0, 1, 2, 3, 5, 63, 64, 65, 1000, 5001};
    char element[5000];

    for (int equal = 0; equal < 2; equal++) {
        for (size_t k = 0; k < sizeof(element); k++) {
            element[k] = (char)(equal ? 9 : 1 + k * 7 % 120);
        }
        for (size_t s = 0; s < sizeof(size) / sizeof(size[0]); s++) {
            for (size_t c = 0; c < sizeof(count) / sizeof(count[0]); c++) {
                look(element, size[s], count[c]);
            }
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("repeat");
    TCase *tests = tcase_create("repeat");

    tcase_add_test(tests, all_elements_are_the_one_and_nothing_else_is_written);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
