/* SPDX-License-Identifier: MIT
 * What a streamed launch leaves: buffers that lie as before keep their marks. */
#include "hit/stream/stream.h"
#include "tests/support/check_main.h"

#include <string.h>

START_TEST(buffers_that_lie_as_before_keep_their_marks)
{
    char arena[256];
    hit_ring ring[2] = {{.buffers = 2, .each_bytes = 32, .data = arena},
                        {.buffers = 3, .each_bytes = 32, .data = arena + 64}};
    hit_tail tail;

    memset(&tail, 0, sizeof(tail));
    hit_tail_go_on(&tail, 2, ring, 7, 8);
    ck_assert_uint_eq(tail.ring[1].run[2], 7);
    ck_assert_uint_eq(tail.ring[0].sent[1], 8);
    tail.ring[0].run[1] = 20;
    tail.ring[0].at = 1;
    hit_tail_go_on(&tail, 2, ring, 30, 31);
    ck_assert_uint_eq(tail.ring[0].run[1], 20);
    ck_assert_int_eq(tail.ring[0].at, 1);
    ring[1].each_bytes = 16;
    hit_tail_go_on(&tail, 2, ring, 40, 41);
    ck_assert_uint_eq(tail.ring[0].run[1], 40);
    ck_assert_uint_eq(tail.ring[0].sent[0], 41);
    hit_tail_go_on(&tail, 1, ring, 50, 51);
    ck_assert_uint_eq(tail.ring[0].run[0], 50);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("tail");
    TCase *tests = tcase_create("tail");

    tcase_add_test(tests, buffers_that_lie_as_before_keep_their_marks);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
