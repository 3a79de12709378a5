/* SPDX-License-Identifier: MIT
 * Boxes that are held, against a plain list of them. */
#include "hit/comm/exchange.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

#include <string.h>

enum {
    RANKS = 4,
    MOST = 512, /* boxes of a case */
    MOST_BYTES = 60
};

/* In the order in which they came. */
typedef struct plain {
    int count;
    struct {
        int from;
        int to;
        hit_domain box;
        size_t size_bytes;
    } of[MOST];
} plain;

static int find(const plain *p, int from, int to, const hit_domain *box)
{
    int k = 0;

    while (k < p->count && (p->of[k].from != from || p->of[k].to != to ||
                            !hit_domain_equal(&p->of[k].box, box))) {
        k++;
    }
    return k < p->count ? k : -1;
}

static void take_out(plain *p, int k)
{
    p->count--;
    memmove(&p->of[k], &p->of[k + 1], (size_t)(p->count - k) * sizeof(p->of[0]));
}

static void write_box(plain *p, const hit_domain *box)
{
    for (int k = p->count - 1; k >= 0; k--) {
        const hit_domain common = hit_domain_intersect(&p->of[k].box, box);

        if (!hit_domain_is_empty(&common)) take_out(p, k);
    }
}

/* Of one pair: the bytes, and the oldest but not the last; -1: there is one at most. */
static size_t sum_pair(const plain *p, int from, int to, int *oldest)
{
    size_t sum = 0;
    int boxes = 0;

    *oldest = -1;
    for (int k = 0; k < p->count; k++) {
        if (p->of[k].from != from || p->of[k].to != to) continue;
        if (boxes++ == 0) *oldest = k;
        sum += p->of[k].size_bytes;
    }
    if (boxes < 2) *oldest = -1;
    return sum;
}

static void trim(plain *p)
{
    for (int pair = 0; pair < RANKS * RANKS; pair++) {
        int oldest;

        while (sum_pair(p, pair / RANKS, pair % RANKS, &oldest) > MOST_BYTES &&
               oldest >= 0) {
            take_out(p, oldest);
        }
    }
}

static bool are_equal(const plain *p, const hit_held *held)
{
    bool good = hit_held_count(held) == p->count;

    for (int k = 0; k < p->count && good; k++) {
        const int number = hit_held_find(held, p->of[k].from, p->of[k].to, &p->of[k].box);

        good =
            number >= 0 && hit_held_at(held, number)->size_bytes == p->of[k].size_bytes;
    }
    return good;
}

/* A box of a few blocks, so that equal ones come again. */
static hit_domain random_box(hit_random *random)
{
    hit_domain box = {.dims = 2};

    for (int d = 0; d < 2; d++) {
        const hit_index begin = hit_random_index(random, 0, 5);
        const hit_index width = hit_random_index(random, 0, 7) == 0;

        box.sig[d] = (hit_sig){2 * begin, 2 * (begin + width) + 1, 1};
    }
    return box;
}

static void add(hit_random *random, plain *p, hit_held *held)
{
    const int from = (int)hit_random_index(random, 0, RANKS - 1);
    const int to = (int)hit_random_index(random, 0, RANKS - 1);
    const hit_domain box = random_box(random);
    const size_t size_bytes = 2 * (size_t)hit_domain_count(&box);
    const int number = hit_held_find(held, from, to, &box);

    ck_assert_int_eq(number >= 0, find(p, from, to, &box) >= 0);
    if (number >= 0 || p->count == MOST) return;
    HIT_MUST(hit_held_reserve(held, 1));
    ck_assert_int_eq(
        hit_held_at(held, hit_held_add(held, from, to, &box, size_bytes))->to, to);
    p->of[p->count].from = from;
    p->of[p->count].to = to;
    p->of[p->count].box = box;
    p->of[p->count++].size_bytes = size_bytes;
}

static void change(hit_random *random, plain *p, hit_held *held)
{
    const hit_index what = hit_random_index(random, 0, 39);
    const hit_domain box = random_box(random);

    if (what < 28) {
        add(random, p, held);
    } else if (what < 33) {
        hit_held_written(held, &box);
        write_box(p, &box);
    } else if (what < 36 && p->count > 0) {
        const int k = (int)hit_random_index(random, 0, p->count - 1);

        hit_held_remove(held,
                        hit_held_find(held, p->of[k].from, p->of[k].to, &p->of[k].box));
        take_out(p, k);
    } else if (what < 39) {
        hit_held_trim(held);
        trim(p);
    } else {
        hit_held_clear(held);
        p->count = 0;
    }
}

START_TEST(it_holds_what_a_plain_list_holds)
{
    hit_random random = hit_random_start(61);

    for (int n = hit_random_cases(200); n > 0; n--) {
        static plain p;
        hit_held *held = NULL;
        bool good = true;

        p.count = 0;
        HIT_MUST(hit_held_create(MOST_BYTES, NULL, NULL, &held));
        for (int k = 0; k < 300; k++) {
            change(&random, &p, held);
            good = good && are_equal(&p, held);
        }
        ck_assert(good);
        hit_held_destroy(&held);
    }
}
END_TEST

/* What a box has stays with it whatever goes beside it. */
START_TEST(memory_stays_with_its_box_and_is_used_again)
{
    const hit_domain box[] = {hit_box_of(0, 3), hit_box_of(4, 7), hit_box_of(8, 11)};
    hit_held *held = NULL;
    void *memory[3];

    HIT_MUST(hit_held_create(1000, NULL, NULL, &held));
    HIT_MUST(hit_held_reserve(held, 3));
    for (int k = 0; k < 3; k++) {
        const int number = hit_held_add(held, 0, 1, &box[k], 32);

        HIT_MUST(hit_held_take_memory(held, number));
        memory[k] = hit_held_at(held, number)->memory;
    }
    hit_held_written(held, &box[0]);
    for (int k = 1; k < 3; k++) {
        const int number = hit_held_find(held, 0, 1, &box[k]);

        ck_assert_ptr_eq(hit_held_at(held, number)->memory, memory[k]);
    }
    HIT_MUST(hit_held_take_memory(held, hit_held_add(held, 0, 2, &box[0], 32)));
    ck_assert_ptr_eq(hit_held_at(held, hit_held_find(held, 0, 2, &box[0]))->memory,
                     memory[0]);
    hit_held_destroy(&held);
}
END_TEST

/* A list that has spare room does without memory for a while. */
START_TEST(one_failure_has_no_consequences)
{
    hit_held *held = NULL;

    HIT_MUST(hit_held_create(1000, NULL, NULL, &held));
    HIT_MUST(hit_held_reserve(held, 1));
    for (int k = 0; k < 200; k++) {
        const hit_domain box = hit_box_of(k, k);
        hit_status status;

        test_fault.kind = FAULT_ALLOCATION;
        test_fault.fail_at = 1;
        test_fault_begin();
        status = hit_held_reserve(held, 1);
        test_fault.on = false;
        if (status != HIT_OK) status = hit_held_reserve(held, 1);
        HIT_MUST(status);
        (void)hit_held_add(held, k % 3, 3, &box, 8);
    }
    ck_assert_int_eq(hit_held_count(held), 200);
    hit_held_destroy(&held);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("hit/comm/held");
    TCase *tests = tcase_create("held");

    tcase_add_test(tests, it_holds_what_a_plain_list_holds);
    tcase_add_test(tests, memory_stays_with_its_box_and_is_used_again);
    tcase_add_test(tests, one_failure_has_no_consequences);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return check_run(suite());
}
