/* SPDX-License-Identifier: MIT
 * The dependency log against one last writer and one list of readers per element. */
#include "hit/data/fence.h"
#include "hit/data/sig.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 12,
    PIECES = 2,
    SOURCES = 3,
    CELLS = PIECES * SIDE * SIDE
};

/* What the log stands for: per element and source the last write and the last read. */
typedef struct truth {
    uint64_t write[CELLS][SOURCES];
    uint64_t read[CELLS][SOURCES];
    uint64_t given[SOURCES];
    uint64_t over[SOURCES];
} truth;

static int cell(int piece, hit_index i, hit_index j)
{
    return (piece * SIDE + (int)i) * SIDE + (int)j;
}

/* Each element of the box. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names of variables */
#define EACH(box, i, j)                                                                  \
    for (hit_index i = (box).sig[0].begin; i <= (box).sig[0].end;                        \
         i += (box).sig[0].stride)                                                       \
        for (hit_index j = (box).sig[1].begin; j <= (box).sig[1].end;                    \
             j += (box).sig[1].stride)
/* NOLINTEND(bugprone-macro-parentheses) */

static hit_domain random_box(hit_random *r, bool strided)
{
    hit_domain box = {.dims = 2};

    for (int d = 0; d < 2; d++) {
        const hit_index begin = hit_random_index(r, 0, SIDE - 1);
        const hit_index stride = strided ? hit_random_index(r, 1, 3) : 1;
        const hit_index count = hit_random_index(r, 0, (SIDE - 1 - begin) / stride);

        box.sig[d] = hit_sig_make(begin, begin + count * stride, stride);
    }
    return box;
}

/* Returns what an access has to wait for, element by element. */
static void expected(const truth *t, int piece, const hit_domain *box, bool writes,
                     uint64_t event[])
{
    memset(event, 0, SOURCES * sizeof(event[0]));
    EACH(*box, i, j)
    {
        for (int s = 0; s < SOURCES; s++) {
            const uint64_t written = t->write[cell(piece, i, j)][s];
            const uint64_t read = t->read[cell(piece, i, j)][s];

            if (written > t->over[s] && written > event[s]) event[s] = written;
            if (writes && read > t->over[s] && read > event[s]) event[s] = read;
        }
    }
}

static void note(truth *t, int piece, const hit_domain *box, bool writes, int source)
{
    const uint64_t event = t->given[source];

    EACH(*box, i, j)
    {
        const int at = cell(piece, i, j);

        if (writes) {
            memset(t->write[at], 0, sizeof(t->write[at]));
            memset(t->read[at], 0, sizeof(t->read[at]));
            t->write[at][source] = event;
        } else {
            t->read[at][source] = event;
        }
    }
}

/* One log from empty to the end; boxes recur, as those of programs do. */
static void run_log(hit_random *r, int steps)
{
    const bool strided = hit_random_index(r, 0, 3) == 0;
    const int known = (int)hit_random_index(r, 1, 12);
    hit_domain box[12];
    hit_fence *fence = NULL;
    truth t = {.over = {0}};

    HIT_MUST(hit_fence_create(SOURCES, -1, t.over, &fence));
    for (int k = 0; k < known; k++) {
        box[k] = random_box(r, strided);
    }
    for (int step = 0; step < steps; step++) {
        const hit_domain now = hit_random_index(r, 0, 4) == 0
                                   ? random_box(r, strided)
                                   : box[hit_random_index(r, 0, known - 1)];
        const int piece = (int)hit_random_index(r, 0, PIECES - 1);
        const int source = (int)hit_random_index(r, 0, SOURCES - 1);
        const bool writes = hit_random_index(r, 0, 2) == 0;
        uint64_t wanted[SOURCES];
        uint64_t found[SOURCES];
        bool any;

        expected(&t, piece, &now, writes, wanted);
        any = hit_fence_find(fence, piece, &now, writes, found);
        ck_assert_mem_eq(found, wanted, sizeof(found));
        ck_assert_int_eq(any, wanted[0] + wanted[1] + wanted[2] > 0);
        t.given[source]++;
        HIT_MUST(hit_fence_add(fence, piece, &now, writes, source, t.given[source]));
        note(&t, piece, &now, writes, source);
        if (hit_random_index(r, 0, 5) == 0) {
            const int s = (int)hit_random_index(r, 0, SOURCES - 1);

            t.over[s] +=
                (uint64_t)hit_random_index(r, 0, (hit_index)(t.given[s] - t.over[s]));
        }
    }
    hit_fence_destroy(&fence);
}

START_TEST(random_boxes_wait_for_what_single_elements_wait_for)
{
    hit_random r = hit_random_start(20261122);

    for (int k = 0; k < hit_random_cases(4000); k++) {
        run_log(&r, 25);
    }
}
END_TEST

/* ---- a source whose events end in any order ---- */

/* Which tasks wrote and read each element last: those that wrote it, one, and all that
 * read it since. */
typedef struct loose_truth {
    uint64_t write[CELLS];
    uint64_t reads[CELLS][4]; /* a bit per task */
} loose_truth;

enum {
    TASKS = 4 * 64
};

static hit_status tick(void *of, uint64_t event)
{
    ((bool *)of)[event] = true;
    return HIT_OK;
}

static void expect_tasks(const loose_truth *t, int piece, const hit_domain *box,
                         bool writes, bool wanted[])
{
    EACH(*box, i, j)
    {
        const int at = cell(piece, i, j);

        wanted[t->write[at]] = true;
        for (int task = 0; task < TASKS && writes; task++) {
            if (t->reads[at][task / 64] >> task % 64 & 1) wanted[task] = true;
        }
    }
}

static void note_task(loose_truth *t, int piece, const hit_domain *box, bool writes,
                      uint64_t task)
{
    EACH(*box, i, j)
    {
        const int at = cell(piece, i, j);

        if (writes) {
            t->write[at] = task;
            memset(t->reads[at], 0, sizeof(t->reads[at]));
        } else {
            t->reads[at][task / 64] |= UINT64_C(1) << task % 64;
        }
    }
}

/* @p blocks: what is read counts as blocks, and waits for more. */
static void run_tasks(hit_random *r, int tasks, bool blocks)
{
    const bool strided = hit_random_index(r, 0, 2) == 0;
    hit_domain box[6];
    uint64_t over[2] = {0};
    loose_truth t = {.write = {0}};
    hit_fence *fence = NULL;

    HIT_MUST(hit_fence_create(2, 1, over, &fence));
    for (int k = 0; k < 6; k++) {
        box[k] = random_box(r, strided);
    }
    for (int task = 1; task <= tasks; task++) {
        const hit_domain now = hit_random_index(r, 0, 4) == 0
                                   ? random_box(r, strided)
                                   : box[hit_random_index(r, 0, 5)];
        const int piece = (int)hit_random_index(r, 0, PIECES - 1);
        const bool writes = hit_random_index(r, 0, 3) == 0;
        bool wanted[TASKS] = {false};
        bool found[TASKS] = {false};
        const hit_loose_event event = {(uint64_t)task, tick, found};

        expect_tasks(&t, piece, &now, writes, wanted);
        if (blocks && !writes) {
            HIT_MUST(hit_fence_follow_blocks(fence, piece, &now, &event));
        } else if (hit_random_index(r, 0, 1) == 0) {
            HIT_MUST(hit_fence_visit(fence, piece, &now, writes, tick, found));
            HIT_MUST(hit_fence_add(fence, piece, &now, writes, 1, (uint64_t)task));
        } else {
            HIT_MUST(hit_fence_follow(fence, piece, &now, writes, &event));
        }
        for (int k = 0; k < TASKS; k++) {
            wanted[k] = wanted[k] && (uint64_t)k > over[1];
            found[k] = found[k] && (wanted[k] || !blocks);
        }
        ck_assert_mem_eq(found, wanted, sizeof(found));
        note_task(&t, piece, &now, writes, (uint64_t)task);
        if (hit_random_index(r, 0, 9) == 0) {
            over[1] = (uint64_t)hit_random_index(r, (hit_index)over[1], task);
        }
    }
    hit_fence_destroy(&fence);
}

START_TEST(of_a_loose_source_all_readers_count_and_not_the_last_one)
{
    hit_random r = hit_random_start(15);

    for (int k = 0; k < hit_random_cases(3000); k++) {
        run_tasks(&r, k % 20 == 0 ? TASKS - 1 : 25, k % 3 == 0);
    }
}
END_TEST

/* Of 2 x 2 blocks each reads a row or a column of those beside it. */
START_TEST(blocks_of_which_others_read_a_part_are_not_cut)
{
    const uint64_t over[1] = {0};
    const hit_index from[4][2] = {{0, 0}, {0, 8}, {8, 0}, {8, 8}};
    hit_fence *fence = NULL;
    uint64_t scans = 0;

    HIT_MUST(hit_fence_create(1, 0, over, &fence));
    for (int task = 1; task <= 40; task++) {
        const hit_index *at = from[(task - 1) % 4];
        bool found[41] = {false};
        const hit_loose_event event = {(uint64_t)task, tick, found};
        const hit_domain own = hit_box_of(at[0], at[0] + 7, at[1], at[1] + 7);
        const hit_domain rows = hit_box_of(at[0] - 1, at[0] + 8, at[1], at[1] + 7);
        const hit_domain columns = hit_box_of(at[0], at[0] + 7, at[1] - 1, at[1] + 8);

        HIT_MUST(hit_fence_follow_blocks(fence, 0, &rows, &event));
        HIT_MUST(hit_fence_follow_blocks(fence, 0, &columns, &event));
        HIT_MUST(hit_fence_follow(fence, 0, &own, true, &event));
        if (task == 8) scans = hit_fence_scans(fence);
        if (task % 4 == 3) ck_assert(found[task - 2] && !found[task - 1]);
        if (task % 4 == 0) ck_assert(found[task - 1] && found[task - 2]);
        if (task > 4) ck_assert(found[task - 4]);
    }
    ck_assert_uint_eq(hit_fence_scans(fence), scans);
    ck_assert_int_le(hit_fence_boxes(fence), 4 + 12); /* what lies around them, too */
    hit_fence_destroy(&fence);
}
END_TEST

START_TEST(a_known_box_is_found_without_comparing_all)
{
    const uint64_t over[1] = {0};
    hit_fence *fence = NULL;
    uint64_t event[1];
    uint64_t scans = 0;

    HIT_MUST(hit_fence_create(1, -1, over, &fence));
    for (uint64_t round = 1; round <= 3; round++) {
        for (hit_index k = 0; k < 1000; k++) {
            const hit_domain block =
                hit_domain_box(2, (hit_index[]){10 * k, 0}, (hit_index[]){10 * k + 9, 9});

            HIT_MUST(hit_fence_add(fence, 0, &block, true, 0, round));
            ck_assert(hit_fence_find(fence, 0, &block, false, event));
            ck_assert_uint_eq(event[0], round);
        }
        if (round == 1) scans = hit_fence_scans(fence);
    }
    ck_assert_uint_eq(hit_fence_scans(fence), scans);
    ck_assert_int_eq(hit_fence_boxes(fence), 1000);
    hit_fence_destroy(&fence);
}
END_TEST

/* A loop over blocks whose accesses end at once: each block is compared with all others
 * in the first round only. */
START_TEST(blocks_that_come_again_are_known_though_they_were_over)
{
    uint64_t over[1] = {0};
    hit_fence *fence = NULL;

    HIT_MUST(hit_fence_create(1, -1, over, &fence));
    for (uint64_t round = 0; round < 3; round++) {
        for (hit_index k = 0; k < 1000; k++) {
            const hit_domain block =
                hit_domain_box(2, (hit_index[]){10 * k, 0}, (hit_index[]){10 * k + 9, 9});

            HIT_MUST(hit_fence_add(fence, 0, &block, true, 0, over[0] + 1));
            over[0]++;
        }
        ck_assert_uint_eq(hit_fence_scans(fence), 1000);
    }
    hit_fence_destroy(&fence);
}
END_TEST

START_TEST(a_write_of_all_makes_one_box_again)
{
    const uint64_t over[1] = {0};
    const hit_domain all = hit_domain_of(100, 100);
    hit_fence *fence = NULL;
    uint64_t event[1];

    HIT_MUST(hit_fence_create(1, -1, over, &fence));
    for (hit_index k = 0; k < 100; k++) {
        const hit_domain row =
            hit_domain_box(2, (hit_index[]){k, 0}, (hit_index[]){k, k});

        HIT_MUST(hit_fence_add(fence, 0, &row, k % 2 == 0, 0, (uint64_t)k + 1));
    }
    ck_assert_int_eq(hit_fence_boxes(fence), 100);
    HIT_MUST(hit_fence_add(fence, 0, &all, true, 0, 200));
    ck_assert_int_eq(hit_fence_boxes(fence), 1);
    ck_assert(hit_fence_find(fence, 0, NULL, true, event));
    ck_assert_uint_eq(event[0], 200);
    hit_fence_destroy(&fence);
}
END_TEST

START_TEST(too_many_boxes_wait_for_more_and_never_for_less)
{
    const uint64_t over[1] = {0};
    hit_fence *fence = NULL;
    uint64_t event[1];

    HIT_MUST(hit_fence_create(1, -1, over, &fence));
    for (hit_index k = 0; k < 10000; k++) {
        const hit_domain one =
            hit_domain_box(1, (hit_index[]){2 * k}, (hit_index[]){2 * k});

        HIT_MUST(hit_fence_add(fence, (int)(k % 2), &one, true, 0, (uint64_t)k + 1));
        ck_assert(hit_fence_find(fence, (int)(k % 2), &one, false, event));
        ck_assert_uint_ge(event[0], (uint64_t)k + 1);
        ck_assert_int_le(hit_fence_boxes(fence), 4096);
    }
    for (hit_index k = 0; k < 10000; k++) {
        const hit_domain one =
            hit_domain_box(1, (hit_index[]){2 * k}, (hit_index[]){2 * k});

        ck_assert(hit_fence_find(fence, (int)(k % 2), &one, false, event));
        ck_assert_uint_ge(event[0], (uint64_t)k + 1);
    }
    hit_fence_destroy(&fence);
}
END_TEST

static hit_domain element(hit_index k)
{
    return hit_domain_box(1, (hit_index[]){2 * k}, (hit_index[]){2 * k});
}

START_TEST(boxes_whose_events_are_over_go)
{
    uint64_t over[1] = {0};
    hit_fence *fence = NULL;

    HIT_MUST(hit_fence_create(1, 0, over, &fence));
    for (hit_index k = 0; k < 20000; k++) {
        const hit_domain one = element(k);

        over[0] = (uint64_t)k;
        HIT_MUST(hit_fence_add(fence, 0, &one, k % 3 > 0, 0, (uint64_t)k + 1));
        ck_assert_int_le(hit_fence_boxes(fence), 1024);
        ck_assert(!hit_fence_is_full(fence));
    }
    hit_fence_destroy(&fence);
}
END_TEST

START_TEST(a_full_log_of_tasks_is_short_when_they_are_over)
{
    uint64_t over[1] = {0};
    hit_fence *fence = NULL;
    hit_index boxes = 0;

    HIT_MUST(hit_fence_create(1, 0, over, &fence));
    for (; !hit_fence_is_full(fence); boxes++) {
        const hit_domain one = element(boxes);

        ck_assert_int_lt((int)boxes, 4096);
        HIT_MUST(hit_fence_add(fence, 0, &one, true, 0, (uint64_t)boxes + 1));
    }
    ck_assert_int_eq(hit_fence_boxes(fence), (int)boxes);
    over[0] = (uint64_t)boxes;
    ck_assert(!hit_fence_is_full(fence));
    ck_assert_int_eq(hit_fence_boxes(fence), 0);
    hit_fence_destroy(&fence);
}
END_TEST

/* What is folded counts as all elements: a box waits for at least what it waited for. */
START_TEST(folded_boxes_wait_for_more_and_never_for_less)
{
    hit_random r = hit_random_start(7);
    const uint64_t over[2] = {0};

    for (int n = 0; n < hit_random_cases(500); n++) {
        hit_fence *fence = NULL;
        hit_domain box[60];
        uint64_t event[2];

        HIT_MUST(hit_fence_create(2, -1, over, &fence));
        for (int k = 0; k < 60; k++) {
            const hit_domain wanted = random_box(&r, false);
            uint64_t last = 0;

            for (int m = 0; m < k; m++) {
                const hit_domain common = hit_domain_intersect(&box[m], &wanted);

                if (!hit_domain_is_empty(&common)) last = (uint64_t)m + 1;
            }
            (void)hit_fence_find(fence, 0, &wanted, false, event);
            if (last + 16 > (uint64_t)k) {
                ck_assert_uint_eq(event[1], last > 0 ? last : event[1]);
            }
            ck_assert_uint_ge(event[1], last);
            ck_assert(event[1] <= last || event[1] + 16 <= (uint64_t)k);
            box[k] = random_box(&r, false);
            HIT_MUST(hit_fence_add(fence, 0, &box[k], true, 1, (uint64_t)k + 1));
            if (k >= 16) hit_fence_fold(fence, 1, (uint64_t)k - 15);
            ck_assert_int_le(hit_fence_boxes(fence), 16 * 9);
        }
        hit_fence_destroy(&fence);
    }
}
END_TEST

/* Who finds none does not take it for one at the next launch. */
START_TEST(without_memory_there_is_no_log)
{
    const uint64_t over[1] = {0};
    hit_fence *fence = NULL;
    hit_status status;
    long held;

    test_fault.held = 0;
    test_fault.fail_at = 1;
    test_fault_begin();
    status = hit_fence_create(1, -1, over, &fence);
    test_fault.on = false;
    held = test_fault.held; /* assertions allocate, too */
    ck_assert_int_eq(status, HIT_E_NOMEM);
    ck_assert_ptr_null(fence);
    ck_assert_int_eq(held, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("fence");
    TCase *log = tcase_create("log");

    tcase_add_test(log, random_boxes_wait_for_what_single_elements_wait_for);
    tcase_add_test(log, of_a_loose_source_all_readers_count_and_not_the_last_one);
    tcase_add_test(log, blocks_of_which_others_read_a_part_are_not_cut);
    tcase_add_test(log, a_known_box_is_found_without_comparing_all);
    tcase_add_test(log, blocks_that_come_again_are_known_though_they_were_over);
    tcase_add_test(log, a_write_of_all_makes_one_box_again);
    tcase_add_test(log, folded_boxes_wait_for_more_and_never_for_less);
    tcase_add_test(log, too_many_boxes_wait_for_more_and_never_for_less);
    tcase_add_test(log, boxes_whose_events_are_over_go);
    tcase_add_test(log, a_full_log_of_tasks_is_short_when_they_are_over);
    tcase_add_test(log, without_memory_there_is_no_log);
    suite_add_tcase(suite, log);
    return suite;
}

int main(void)
{
    return check_run(suite());
}
