/* SPDX-License-Identifier: MIT
 * Memory of tasks that are begun and end in random order: what is in use keeps what was
 * written there, and what is free is taken again. */
#include "hit/tile/descriptions.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/random.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TASKS = 1000, /* of a run */
    CASES = 50,
    LINE = 64,
    LARGE = 70000 /* bytes: more than a block has */
};

static const uint64_t open_at_most = 200;

static hit_task_room draw_room(hit_random *random)
{
    return (hit_task_room){.slots = (int)hit_random_index(random, 0, HIT_MAX_ARGS),
                           .writes = (int)hit_random_index(random, 0, 6),
                           .values_bytes =
                               (size_t)hit_random_index(random, 0, 19) == 0
                                   ? LARGE
                                   : (size_t)hit_random_index(random, 0, 300)};
}

static void fill(hit_task *task, const hit_task_room *room, int with)
{
    task->on = (uint64_t)with;
    task->writes = with;
    memset(task->run->slot, with, (size_t)room->slots * sizeof(hit_slot));
    memset(task->write, with, (size_t)room->writes * sizeof(hit_task_write));
    memset(task->value, with, room->values_bytes);
}

static void check(const hit_task *task, const hit_task_room *room, int with)
{
    static unsigned char expected[LARGE];
    const struct {
        const void *memory;
        size_t bytes;
    } part[] = {{task->run->slot, (size_t)room->slots * sizeof(hit_slot)},
                {task->write, (size_t)room->writes * sizeof(hit_task_write)},
                {task->value, room->values_bytes}};

    ck_assert_int_eq(task->writes, with);
    ck_assert_uint_eq(task->on, (uint64_t)with);
    ck_assert_uint_eq(task->values_bytes, room->values_bytes);
    for (int p = 0; p < 3; p++) {
        memset(expected, with, part[p].bytes);
        ck_assert_int_eq(memcmp(part[p].memory, expected, part[p].bytes), 0);
    }
}

static int byte_of(uint64_t number)
{
    return (int)(number % 251);
}

static void run_case(hit_random *random)
{
    static hit_task_room room[TASKS + 1];
    hit_descriptions all = {.first = NULL};
    uint64_t over = 0;

    for (uint64_t n = 1; n <= TASKS; n++) {
        hit_task *task = NULL;

        for (int tries = (int)hit_random_index(random, 1, 2); tries > 0; tries--) {
            room[n] = draw_room(random); /* only the last one is kept */
            task = hit_descriptions_take(&all, n, over, &room[n]);
            ck_assert_ptr_nonnull(task);
            ck_assert_ptr_eq(task, hit_descriptions_at(&all, n));
            ck_assert_uint_eq((uintptr_t)task % LINE, 0);
            fill(task, &room[n], byte_of(n));
        }
        while (n - over > open_at_most ||
               (over < n && hit_random_index(random, 0, 2) > 0)) {
            over++;
            check(hit_descriptions_at(&all, over), &room[over], byte_of(over));
        }
    }
    hit_descriptions_clear(&all);
}

START_TEST(descriptions_in_use_are_kept)
{
    hit_random random = hit_random_start(1);

    for (int k = hit_random_cases(CASES); k > 0; k--) {
        run_case(&random);
    }
}
END_TEST

/* One task at a time takes no more than two blocks, however many there were. */
START_TEST(what_is_over_is_taken_again)
{
    const hit_task_room room = {.slots = 3, .writes = 1, .values_bytes = 16};
    const void *seen[200];
    hit_descriptions all = {.first = NULL};
    int places = 0;

    for (uint64_t n = 1; n <= TASKS; n++) {
        const void *task = hit_descriptions_take(&all, n, n - 1, &room);
        int k = 0;

        while (k < places && seen[k] != task) {
            k++;
        }
        if (k < places) continue;
        ck_assert_int_lt(places, 200);
        seen[places++] = task;
    }
    ck_assert_int_gt(places, 1);
    hit_descriptions_clear(&all);
}
END_TEST

/* So does a task that no block has room for. */
START_TEST(large_ones_do_not_grow_beside_small_ones)
{
    const hit_task_room room[] = {{.slots = 3},
                                  {.slots = 3, .values_bytes = LARGE},
                                  {.slots = 3, .values_bytes = LARGE + LARGE / 2}};
    const long before = test_fault.held;
    hit_descriptions all = {.first = NULL};

    for (uint64_t n = 1; n <= TASKS; n++) {
        const int kind = n == 1 ? 0 : n < TASKS / 2 ? 1 : 2;

        ck_assert_ptr_nonnull(hit_descriptions_take(&all, n, n - 1, &room[kind]));
    }
    ck_assert_int_le(test_fault.held, before + 3); /* numbers, and two blocks */
    hit_descriptions_clear(&all);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("descriptions");
    TCase *tc = tcase_create("descriptions");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, descriptions_in_use_are_kept);
    tcase_add_test(tc, what_is_over_is_taken_again);
    tcase_add_test(tc, large_ones_do_not_grow_beside_small_ones);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
