/* SPDX-License-Identifier: MIT
 * The window of tasks against a list of all of them: random graphs, whose tasks end in
 * random order, some of them by failing. */
#include "hit/sched/sched_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 16,
    MOST = 100, /* tasks of a run */
    WORKERS = 3,
    BEFORES = 5
};

typedef enum state {
    WAITING,
    TAKEN,
    OVER
} state;

typedef struct truth {
    int tasks;
    state state[MOST + 1];
    bool failed[MOST + 1]; /* or comes after one that did, and was not forgiven */
    int befores[MOST + 1];
    uint64_t before[MOST + 1][BEFORES];
    int64_t cost[MOST + 1];
    uint64_t on[MOST + 1]; /* the workers that may take it; 0: all */
} truth;

static bool is_ready(const truth *t, int task)
{
    for (int k = 0; k < t->befores[task]; k++) {
        if (t->state[t->before[task][k]] != OVER) return false;
    }
    return t->state[task] == WAITING;
}

static bool any_before_failed(const truth *t, int task)
{
    for (int k = 0; k < t->befores[task]; k++) {
        if (t->failed[t->before[task][k]]) return true;
    }
    return false;
}

static uint64_t over_of(const truth *t)
{
    int task = 0;

    while (task < t->tasks && t->state[task + 1] == OVER && !t->failed[task + 1]) {
        task++;
    }
    return (uint64_t)task;
}

static void add(hit_random *r, hit_window *window, truth *t)
{
    const int task = ++t->tasks;

    t->cost[task] = hit_random_index(r, 1, 9);
    t->on[task] = (uint64_t)hit_random_index(r, -4, (1 << WORKERS) - 1);
    if ((int64_t)t->on[task] < 0) t->on[task] = 0;
    t->befores[task] = (int)hit_random_index(r, 0, task == 1 ? 0 : BEFORES);
    for (int k = 0; k < t->befores[task]; k++) {
        t->before[task][k] =
            (uint64_t)hit_random_index(r, task > ROOM ? task - ROOM : 1, task - 1);
    }
    HIT_MUST(hit_window_reserve(window, t->befores[task]));
    ck_assert_uint_eq(hit_window_add(window, t->cost[task], t->on[task], t->befores[task],
                                     t->before[task]),
                      (uint64_t)task);
    t->failed[task] = any_before_failed(t, task);
}

static bool may_take(const truth *t, int worker, int task)
{
    return t->on[task] == 0 || (t->on[task] >> worker & 1u) != 0;
}

static void take(hit_random *r, hit_window *window, truth *t)
{
    const int worker = (int)hit_random_index(r, 0, WORKERS - 1);
    bool chooses = false;
    bool any = false;
    uint64_t task;

    for (int k = 1; k <= t->tasks; k++) {
        any = any || (is_ready(t, k) && may_take(t, worker, k));
        chooses = chooses || (is_ready(t, k) && t->on[k] != 0);
    }
    ck_assert_int_eq(hit_window_chooses(window), chooses);
    task = hit_window_take(window, worker);
    ck_assert_int_eq(task != 0, any);
    if (task == 0) return;
    ck_assert(is_ready(t, (int)task) && may_take(t, worker, (int)task));
    ck_assert_int_eq(hit_window_is_cancelled(window, task),
                     any_before_failed(t, (int)task));
    t->state[task] = TAKEN;
}

/* One of those that were taken. */
static void end_one(hit_random *r, hit_window *window, truth *t)
{
    int task = (int)hit_random_index(r, 1, t->tasks);
    int ready = 0;

    for (int k = 0; k < t->tasks && t->state[task] != TAKEN; k++) {
        task = task % t->tasks + 1;
    }
    if (t->state[task] != TAKEN) return;
    t->failed[task] = any_before_failed(t, task) || hit_random_index(r, 0, 30) == 0;
    for (int k = 1; k <= t->tasks; k++) {
        ready -= is_ready(t, k);
    }
    t->state[task] = OVER;
    for (int k = 1; k <= t->tasks; k++) {
        ready += is_ready(t, k);
    }
    ck_assert_int_eq(hit_window_done(window, (uint64_t)task, t->failed[task]), ready);
}

static void compare(const hit_window *window, const truth *t)
{
    int open = 0;
    int ready = 0;

    for (int k = 1; k <= t->tasks; k++) {
        const uint64_t task = (uint64_t)k;

        open += t->state[k] != OVER;
        ready += is_ready(t, k);
        if (k <= t->tasks - ROOM) continue;
        ck_assert_int_eq(hit_window_is_done(window, task), t->state[k] == OVER);
        ck_assert_int_eq(hit_window_failed(window, task),
                         t->state[k] == OVER && t->failed[k]);
    }
    ck_assert_int_eq(hit_window_open(window), open);
    ck_assert_int_eq(hit_window_ready(window), ready);
    ck_assert_uint_eq(hit_window_over(window), over_of(t));
}

static void forgive(hit_window *window, truth *t)
{
    if (hit_window_open(window) > 0) return;
    hit_window_forgive(window);
    memset(t->failed, 0, sizeof(t->failed));
}

START_TEST(tasks_end_in_any_order_and_none_before_what_it_comes_after)
{
    hit_random r = hit_random_start(20261115);

    for (int n = 0; n < hit_random_cases(200); n++) {
        truth *t = calloc(1, sizeof(*t));
        hit_window *window = NULL;

        ck_assert_ptr_nonnull(t);
        HIT_MUST(hit_window_create(ROOM, &window));
        while (hit_window_over(window) < MOST) {
            const int used = t->tasks - (int)hit_window_over(window);
            const bool room = used < ROOM && t->tasks < MOST;

            switch (hit_random_index(&r, 0, 3)) {
            case 0:
                if (room) add(&r, window, t);
                break;
            case 1:
                take(&r, window, t);
                break;
            case 2:
                if (t->tasks > 0) end_one(&r, window, t);
                break;
            default:
                forgive(window, t);
                break;
            }
            compare(window, t);
        }
        hit_window_destroy(&window);
        free(t);
    }
}
END_TEST

/* A number of tasks at which hit_window_add() does not compute ranks by itself, too. */
START_TEST(those_with_the_longest_way_to_the_end_go_first)
{
    hit_random r = hit_random_start(3);

    for (int n = 0; n < hit_random_cases(2000); n++) {
        truth t = {.tasks = 0};
        const int tasks = (int)hit_random_index(&r, 1, ROOM);
        int64_t rank[ROOM + 1] = {0};
        hit_window *window = NULL;

        HIT_MUST(hit_window_create(ROOM, &window));
        for (int k = 0; k < tasks; k++) {
            add(&r, window, &t);
        }
        hit_window_rank_for_wait(window, true);
        for (int k = tasks; k >= 1; k--) {
            rank[k] += t.cost[k];
            for (int b = 0; b < t.befores[k]; b++) {
                int64_t *before = &rank[t.before[k][b]];

                if (*before < rank[k]) *before = rank[k];
            }
        }
        for (int worker = 0; worker < WORKERS; worker++) {
            int64_t last = INT64_MAX;
            uint64_t task;

            while ((task = hit_window_take(window, worker)) != 0) {
                ck_assert(may_take(&t, worker, (int)task));
                ck_assert_int_le(rank[task], last);
                last = rank[task];
            }
        }
        ck_assert_int_eq(hit_window_ready(window), 0);
        hit_window_destroy(&window);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("window");
    TCase *tc = tcase_create("window");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, tasks_end_in_any_order_and_none_before_what_it_comes_after);
    tcase_add_test(tc, those_with_the_longest_way_to_the_end_go_first);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
