/* SPDX-License-Identifier: MIT
 * The table of numbers, the pool and what was used least recently, against plain loops.
 */
#include "hit/base/containers.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/random.h"

enum {
    NUMBERS = 300,
    STEPS = 20000
};

typedef struct model {
    uint64_t hash[NUMBERS];
    int put_at[NUMBERS]; /* 0: it is not there */
} model;

static int last_of(const model *m, uint64_t hash, int before)
{
    int found = -1;

    for (int k = 0; k < NUMBERS; k++) {
        if (m->put_at[k] == 0 || m->hash[k] != hash || m->put_at[k] >= before) continue;
        if (found < 0 || m->put_at[k] > m->put_at[found]) found = k;
    }
    return found;
}

/* Until the table grows, which may change the order of equal hashes. */
static void check_hash(const hit_table *table, const model *m, uint64_t hash)
{
    int expected = last_of(m, hash, STEPS + 1);

    for (int k = hit_table_first(table, hash); k >= 0; k = hit_table_next(table, k)) {
        ck_assert_int_gt(m->put_at[k], 0);
        if (m->hash[k] != hash) continue;
        ck_assert_int_eq(k, expected);
        expected = last_of(m, hash, m->put_at[expected]);
    }
    ck_assert_int_eq(expected, -1);
}

START_TEST(a_table_has_what_was_put_in_and_not_dropped)
{
    hit_random random = hit_random_start(34);
    hit_table table = {0};
    model m = {0};

    ck_assert_int_eq(hit_table_first(&table, 1), -1);
    ck_assert_int_eq(hit_table_reserve(&table, NUMBERS, "a test"), HIT_OK);
    for (int step = 1; step <= STEPS; step++) {
        const int k = (int)hit_random_index(&random, 0, NUMBERS - 1);

        if (m.put_at[k] > 0) {
            hit_table_drop(&table, k);
            m.put_at[k] = 0;
        } else {
            m.hash[k] = (uint64_t)hit_random_index(&random, 0, 40) << 5;
            m.put_at[k] = step;
            hit_table_put(&table, m.hash[k], k);
        }
        check_hash(&table, &m, m.hash[k]);
    }
    for (uint64_t h = 0; h <= 40; h++) {
        check_hash(&table, &m, h << 5);
    }
    hit_table_empty(&table);
    for (uint64_t h = 0; h <= 40; h++) {
        ck_assert_int_eq(hit_table_first(&table, h << 5), -1);
    }
    hit_table_clear(&table);
}
END_TEST

START_TEST(a_table_that_grows_keeps_what_it_has)
{
    hit_table table = {0};

    for (int k = 0; k < NUMBERS; k++) {
        ck_assert_int_eq(hit_table_reserve(&table, k + 1, "a test"), HIT_OK);
        if (k % 3 != 0) hit_table_put(&table, (uint64_t)k / 10, k);
    }
    for (int h = 0; h < NUMBERS / 10; h++) {
        int found = 0;

        for (int k = hit_table_first(&table, (uint64_t)h); k >= 0;
             k = hit_table_next(&table, k)) {
            ck_assert_int_ne(k % 3, 0);
            found += k / 10 == h;
        }
        ck_assert_int_eq(found, 10 - (h % 3 == 0 ? 4 : 3));
    }
    hit_table_clear(&table);
}
END_TEST

/* From empty, and while it grows. */
START_TEST(a_table_without_memory_stays_as_it_is)
{
    for (int grown = 0; grown < 2; grown++) {
        for (long fail_at = 1; fail_at <= 2; fail_at++) {
            hit_table table = {0};

            if (grown) {
                ck_assert_int_eq(hit_table_reserve(&table, 8, "a test"), HIT_OK);
                hit_table_put(&table, 3, 5);
            }
            test_fault_begin();
            test_fault.kind = FAULT_ALLOCATION;
            test_fault.fail_at = fail_at;
            ck_assert_int_eq(hit_table_reserve(&table, NUMBERS, "a test"), HIT_E_NOMEM);
            test_fault.on = false;
            for (uint64_t h = 0; h < NUMBERS; h++) {
                const int expected = grown && h % 8 == 3 ? 5 : -1;

                ck_assert_int_eq(hit_table_first(&table, h), expected);
            }
            ck_assert_int_eq(hit_table_reserve(&table, NUMBERS, "a test"), HIT_OK);
            ck_assert_int_eq(hit_table_first(&table, 3), grown ? 5 : -1);
            hit_table_clear(&table);
        }
    }
}
END_TEST

typedef struct item {
    int next;
    int number;
    char much[50];
} item;

START_TEST(a_pool_gives_each_item_once)
{
    hit_random random = hit_random_start(35);
    hit_pool pool = {.size_bytes = sizeof(item)};
    bool taken[NUMBERS] = {false};
    int count = 0;

    for (int step = 0; step < STEPS; step++) {
        const int k = (int)hit_random_index(&random, 0, NUMBERS - 1);

        if (taken[k]) {
            ck_assert_int_eq(((item *)hit_pool_at(&pool, k))->number, k);
            hit_pool_give(&pool, k);
            taken[k] = false;
            count--;
        } else if (count < NUMBERS / 2) {
            int number;

            ck_assert_int_eq(hit_pool_reserve(&pool, 1, "a test"), HIT_OK);
            ck_assert_int_ge(hit_pool_left(&pool), 1);
            number = hit_pool_take(&pool);
            ck_assert_int_lt(number, NUMBERS); /* those given back come first */
            ck_assert(!taken[number]);
            *(item *)hit_pool_at(&pool, number) = (item){.next = -7, .number = number};
            taken[number] = true;
            count++;
        }
    }
    ck_assert_int_eq(pool.taken, count);
    ck_assert_int_eq(hit_pool_reserve(&pool, 1000, "a test"), HIT_OK);
    ck_assert_int_ge(hit_pool_left(&pool), 1000);
    for (int k = 0; k < NUMBERS; k++) {
        if (taken[k]) ck_assert_int_eq(((item *)hit_pool_at(&pool, k))->number, k);
    }
    hit_pool_clear(&pool);
}
END_TEST

START_TEST(what_was_used_least_recently_is_forgotten)
{
    enum {
        ROOM = 5,
        KEYS = 9
    };
    hit_random random = hit_random_start(36);
    hit_recent recent[ROOM] = {{0}};
    uint64_t used[KEYS + 1] = {0}; /* by key; 0: it is not there */

    for (uint64_t step = 1; step <= STEPS; step++) {
        const uint64_t key = (uint64_t)hit_random_index(&random, 1, KEYS);
        const int before = hit_recent_find(recent, ROOM, key);
        uint64_t oldest = 0;
        int there = 0;
        bool fresh;
        int k;

        for (uint64_t other = 1; other <= KEYS; other++) {
            if (used[other] == 0) continue;
            there++;
            if (oldest == 0 || used[other] < used[oldest]) oldest = other;
        }
        k = hit_recent_meet(recent, ROOM, key, step, &fresh);
        ck_assert_int_eq(fresh, used[key] == 0);
        ck_assert_int_eq(before, fresh ? -1 : k);
        if (fresh && there == ROOM) used[oldest] = 0;
        used[key] = step;
        for (uint64_t other = 1; other <= KEYS; other++) {
            ck_assert_int_eq(hit_recent_find(recent, ROOM, other) >= 0, used[other] > 0);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("table");
    TCase *tc = tcase_create("table");

    tcase_add_test(tc, a_table_has_what_was_put_in_and_not_dropped);
    tcase_add_test(tc, a_table_that_grows_keeps_what_it_has);
    tcase_add_test(tc, a_table_without_memory_stays_as_it_is);
    tcase_add_test(tc, a_pool_gives_each_item_once);
    tcase_add_test(tc, what_was_used_least_recently_is_forgotten);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
