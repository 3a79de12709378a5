/* SPDX-License-Identifier: MIT
 * The ring of tasks. Program order is an order of the edges, so that one walk from the
 * newest to the oldest task gives all ranks: four of them per task and ring, and one
 * where the caller waits for all, or for one of tasks of which most have no rank. */
#include "hit/base/memory.h"
#include "hit/sched/sched_impl.h"

#include <stdlib.h>

static const int64_t haste = (int64_t)1 << 50; /* nanoseconds: more than a way takes */

typedef enum state {
    WAITS, /* for tasks before it */
    READY, /* in the heap */
    TAKEN,
    DONE
} state;

typedef struct task {
    uint64_t number;
    uint64_t marked; /* the task to which the last edge goes: a pair has one only */
    int64_t cost;
    int64_t rank;
    uint64_t on; /* the workers that may take it; 0: all */
    state state;
    int befores; /* that are not done */
    int nexts;   /* the first edge to a task behind it, into window->edges; -1 */
    bool failed; /* or is cancelled */
} task;

typedef struct edge {
    int next; /* -1: the last one */
    uint64_t to;
} edge;

struct hit_window {
    int room;
    uint64_t added; /* the number of the last task */
    uint64_t over;
    int open;
    uint64_t ranked; /* the last task when ranks were computed */
    bool hastens;    /* some task does since then */
    task *task;      /* number n is task[n % room]; in the same block of memory */
    int *heap;       /* ready tasks, by their places in the ring; likewise */
    int ready;
    int chosen; /* of them, those for some workers only */
    hit_pool edges;
};

hit_status hit_window_create(int room, hit_window **window)
{
    const size_t each = sizeof(task) + sizeof(int);
    hit_window *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made) + (size_t)room * each, &made));
    made->room = room;
    made->edges.size_bytes = sizeof(edge);
    made->task = (task *)(made + 1);
    made->heap = (int *)(made->task + room);
    status = hit_window_reserve(made, 4 * room);
    if (status != HIT_OK) hit_window_destroy(&made);
    *window = made;
    return status;
}

void hit_window_destroy(hit_window **window_pointer)
{
    hit_window *window = *window_pointer;

    if (window == NULL) return;
    hit_pool_clear(&window->edges);
    free(window);
    *window_pointer = NULL;
}

static edge *edge_at(const hit_window *window, int k)
{
    return hit_pool_at(&window->edges, k);
}

static task *task_of(const hit_window *window, uint64_t number)
{
    return &window->task[number % (uint64_t)window->room];
}

/* ---- ready tasks ---- */

static bool goes_first(const void *of, int a, int b)
{
    const task *one = &((const hit_window *)of)->task[a];
    const task *other = &((const hit_window *)of)->task[b];

    return one->rank != other->rank ? one->rank > other->rank
                                    : one->number < other->number;
}

static void make_ready(hit_window *window, task *t)
{
    t->state = READY;
    window->chosen += t->on != 0;
    window->heap[window->ready] = (int)(t - window->task);
    hit_heap_rise(window->heap, window->ready++, goes_first, window);
}

/* Where in the heap the worker's first task is; -1: there is none for it. */
static int find(const hit_window *window, int worker)
{
    int best = -1;

    if (window->ready == 0) return -1;
    if (window->chosen == 0) return 0;
    for (int k = 0; k < window->ready; k++) {
        const uint64_t on = window->task[window->heap[k]].on;

        if (on != 0 && (on >> worker & 1u) == 0) continue;
        if (best < 0 || goes_first(window, window->heap[k], window->heap[best])) best = k;
    }
    return best;
}

uint64_t hit_window_take(hit_window *window, int worker)
{
    const int at = find(window, worker);
    task *t;

    if (at < 0) return 0;
    t = &window->task[window->heap[at]];
    window->heap[at] = window->heap[--window->ready];
    if (at < window->ready) {
        hit_heap_rise(window->heap, at, goes_first, window);
        hit_heap_sink(window->ready, window->heap, at, goes_first, window);
    }
    window->chosen -= t->on != 0;
    t->state = TAKEN;
    return t->number;
}

/* ---- ranks ---- */

static void compute_ranks(hit_window *window)
{
    for (uint64_t n = window->added; n > window->over; n--) {
        task *t = task_of(window, n);
        int64_t longest = 0;

        for (int k = t->nexts; k >= 0; k = edge_at(window, k)->next) {
            const int64_t rank = task_of(window, edge_at(window, k)->to)->rank;

            if (rank > longest) longest = rank;
        }
        t->rank = longest + t->cost;
    }
    hit_heap_make(window->ready, window->heap, goes_first, window);
    window->ranked = window->added;
    window->hastens = false;
}

void hit_window_rank_for_wait(hit_window *window, bool all)
{
    const uint64_t since = window->added - window->ranked;

    if (window->hastens || since > (all ? 0 : (window->added - window->over) / 2)) {
        compute_ranks(window);
    }
}

void hit_window_hasten(hit_window *window, uint64_t number)
{
    task *t = task_of(window, number);

    if (hit_window_is_done(window, number) || t->cost > haste) return;
    t->cost += haste;
    window->hastens = true;
}

/* ---- edges ---- */

hit_status hit_window_reserve(hit_window *window, int befores)
{
    return hit_pool_reserve(&window->edges, befores, "a window of tasks");
}

int hit_window_free_edges(const hit_window *window)
{
    return hit_pool_left(&window->edges);
}

static void add_edge(hit_window *window, uint64_t before, task *t)
{
    task *first = task_of(window, before);
    int k;

    if (before <= window->over || before >= t->number) return;
    if (first->state == DONE) {
        t->failed = t->failed || first->failed;
        return;
    }
    if (first->marked == t->number) return;
    first->marked = t->number;
    k = hit_pool_take(&window->edges);
    *edge_at(window, k) = (edge){first->nexts, t->number};
    first->nexts = k;
    t->befores++;
}

uint64_t hit_window_add(hit_window *window, int64_t cost, uint64_t on, int befores,
                        const uint64_t before[])
{
    const uint64_t number = window->added + 1;
    task *t = task_of(window, number);

    *t = (task){.number = number, .cost = cost, .rank = cost, .on = on, .nexts = -1};
    for (int k = 0; k < befores; k++) {
        add_edge(window, before[k], t);
    }
    window->added = number;
    window->open++;
    if (t->befores == 0) make_ready(window, t);
    if (number - window->ranked >= (uint64_t)window->room / 4) compute_ranks(window);
    return number;
}

/* ---- the end of a task ---- */

static void advance(hit_window *window)
{
    while (window->over < window->added) {
        const task *t = task_of(window, window->over + 1);

        if (t->state != DONE || t->failed) return;
        window->over++;
    }
}

int hit_window_done(hit_window *window, uint64_t number, bool failed)
{
    task *t = task_of(window, number);
    int ready = 0;

    t->failed = t->failed || failed;
    t->state = DONE;
    window->open--;
    while (t->nexts >= 0) {
        const int k = t->nexts;
        task *next = task_of(window, edge_at(window, k)->to);

        t->nexts = edge_at(window, k)->next;
        hit_pool_give(&window->edges, k);
        next->failed = next->failed || t->failed;
        if (--next->befores > 0) continue;
        make_ready(window, next);
        ready++;
    }
    advance(window);
    return ready;
}

bool hit_window_is_cancelled(const hit_window *window, uint64_t number)
{
    return task_of(window, number)->failed;
}

bool hit_window_is_done(const hit_window *window, uint64_t number)
{
    return number <= window->over || task_of(window, number)->state == DONE;
}

bool hit_window_failed(const hit_window *window, uint64_t number)
{
    const task *t = task_of(window, number);

    return number > window->over && t->state == DONE && t->failed;
}

void hit_window_forgive(hit_window *window)
{
    for (uint64_t n = window->over + 1; n <= window->added; n++) {
        task *t = task_of(window, n);

        if (t->state == DONE) t->failed = false;
    }
    advance(window);
}

uint64_t hit_window_over(const hit_window *window)
{
    return window->over;
}

int hit_window_open(const hit_window *window)
{
    return window->open;
}

int hit_window_ready(const hit_window *window)
{
    return window->ready;
}

bool hit_window_chooses(const hit_window *window)
{
    return window->chosen > 0;
}
