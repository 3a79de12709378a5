/* SPDX-License-Identifier: MIT
 * What a streamed launch leaves: the last arrival that has some of a box, by random
 * boxes against a search of all that were ever added, and buffers that lie as before. */
#include "hit/data/sig.h"
#include "hit/stream/tail.h"
#include "tests/support/check_main.h"

#include <string.h>

enum {
    CASES = 200,
    ADDED = 60
};

static hit_domain random_box(hit_random *random)
{
    hit_domain box = {.dims = 2};

    for (int d = 0; d < 2; d++) {
        const hit_index begin = hit_random_index(random, 0, 20);

        box.sig[d] = hit_sig_make(begin, begin + hit_random_index(random, 0, 4), 1);
    }
    return box;
}

/* Marks are the numbers from 1 on; what is found may be later than what is asked for,
 * never earlier, and of the last HIT_ARRIVALS it is the one. */
static void compare(const hit_arrivals *arrivals, int added, const char *const memory[],
                    const hit_domain box[], const char *of, const hit_domain *wanted)
{
    const uint64_t found = hit_arrivals_find(arrivals, of, wanted);
    int last = added - 1;

    for (; last >= 0; last--) {
        const hit_domain common = hit_domain_intersect(&box[last], wanted);

        if (memory[last] == of && !hit_domain_is_empty(&common)) break;
    }
    if (last >= 0 && last >= added - HIT_ARRIVALS) {
        ck_assert_uint_eq(found, (uint64_t)last + 1);
    } else if (added > HIT_ARRIVALS) {
        ck_assert_uint_eq(found, (uint64_t)(added - HIT_ARRIVALS));
    } else {
        ck_assert_uint_eq(found, 0);
    }
}

START_TEST(the_last_arrival_is_found)
{
    static const char place[3];
    hit_random random = hit_random_start(5);

    for (int n = 0; n < CASES; n++) {
        hit_arrivals arrivals = {.added = 0};
        const char *memory[ADDED];
        hit_domain box[ADDED];

        for (int added = 0; added < ADDED; added++) {
            const hit_domain wanted = random_box(&random);

            compare(&arrivals, added, memory, box, &place[added % 3], &wanted);
            memory[added] = &place[hit_random_index(&random, 0, 2)];
            box[added] = random_box(&random);
            hit_arrivals_add(&arrivals, memory[added], &box[added], (uint64_t)added + 1);
        }
    }
}
END_TEST

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

    tcase_add_test(tests, the_last_arrival_is_found);
    tcase_add_test(tests, buffers_that_lie_as_before_keep_their_marks);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
