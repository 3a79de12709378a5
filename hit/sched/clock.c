/* SPDX-License-Identifier: MIT
 * Virtual time: a heap of what ends when. A copy's end is known when it is asked for,
 * because each lane of a link carries its copies in order. */
#include "hit/sched/clock.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"

#include <math.h>
#include <stdlib.h>

/** An action that is going on. */
typedef struct event {
    int64_t end_ns;
    hit_action action;
} event;

typedef struct clock_driver {
    const hit_machine *machine;
    const hit_simulate_options *options;
    hit_engine *engine;
    event *heap; /**< the first one ends first */
    size_t events;
    size_t room;
    int64_t *lane_ns;  /**< per link, lane and direction: when it is free */
    int64_t *after_ns; /**< of copies by number: their ends */
    size_t after_room;
    hit_simulated *result;
    uint64_t random;
} clock_driver;

/* ---- the heap ---- */

static bool is_earlier(const event *a, const event *b)
{
    if (a->end_ns != b->end_ns) return a->end_ns < b->end_ns;
    return a->action.number < b->action.number;
}

static hit_status push(clock_driver *c, const event *one)
{
    size_t at = c->events;

    if (c->events == c->room) {
        const size_t room = 2 * c->room + 256;

        HIT_TRY(hit_memory_resize(room, sizeof *c->heap, "virtual time", &c->heap));
        c->room = room;
    }
    c->events++;
    while (at > 0 && is_earlier(one, &c->heap[(at - 1) / 2])) {
        c->heap[at] = c->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    c->heap[at] = *one;
    return HIT_OK;
}

static hit_action pop(clock_driver *c)
{
    const hit_action first = c->heap[0].action;
    const event last = c->heap[--c->events];
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= c->events) break;
        if (child + 1 < c->events && is_earlier(&c->heap[child + 1], &c->heap[child])) {
            child++;
        }
        if (!is_earlier(&c->heap[child], &last)) break;
        c->heap[at] = c->heap[child];
        at = child;
    }
    c->heap[at] = last;
    return first;
}

/* ---- times ---- */

/** Uniform in (0, 1). */
static double random_fraction(clock_driver *c)
{
    c->random ^= c->random >> 12;
    c->random ^= c->random << 25;
    c->random ^= c->random >> 27;
    return ((double)(c->random * UINT64_C(0x2545f4914f6cdd1d) >> 11) + 0.5) * 0x1p-53;
}

/** A normal factor around 1, at least a tenth. */
static double noise(clock_driver *c)
{
    const double radius = sqrt(-2.0 * log(random_fraction(c)));
    const double angle = 6.283185307179586 * random_fraction(c);
    const double factor = 1.0 + c->options->noise_percent / 100.0 * radius * cos(angle);

    return factor > 0.1 ? factor : 0.1;
}

/** When the lane of @p node is free. @param in to the node */
static int64_t *lane(const clock_driver *c, int node, bool in)
{
    const hit_machine_device *device = hit_engine_device(c->engine, node - 1);

    return &c->lane_ns[2 * (device->link * HIT_MACHINE_DEVICES + device->lane) + in];
}

/** Let a copy follow the last ones of its lanes: two, between peers. */
static void carry(clock_driver *c, const hit_action *action, int64_t *start_ns,
                  int64_t *end_ns)
{
    int64_t *in = action->to > 0 ? lane(c, action->to, true) : NULL;
    int64_t *out = action->from > 0 ? lane(c, action->from, false) : NULL;
    const int node = in != NULL ? action->to : action->from;
    const hit_machine_link *link =
        &c->machine->link[hit_engine_device(c->engine, node - 1)->link];

    if (in != NULL && *in > *start_ns) *start_ns = *in;
    if (out != NULL && *out > *start_ns) *start_ns = *out;
    if (action->after >= 0 && c->after_ns[action->after] > *start_ns) {
        *start_ns = c->after_ns[action->after];
    }
    *end_ns = *start_ns + hit_machine_copy_ns(link, in != NULL, action->bytes);
    if (in != NULL) *in = *end_ns;
    if (out != NULL) *out = *end_ns;
    c->result->moved_bytes += action->bytes;
    c->result->copies++;
}

static hit_status begin(clock_driver *c, const hit_action *action, int64_t now_ns)
{
    event one = {.action = *action};
    int64_t start_ns = now_ns;

    if ((size_t)action->number >= c->after_room) {
        const size_t room = 2 * (size_t)action->number + 256;

        HIT_TRY(
            hit_memory_resize(room, sizeof *c->after_ns, "virtual time", &c->after_ns));
        c->after_room = room;
    }
    if (action->kind == HIT_ACTION_COPY) {
        carry(c, action, &start_ns, &one.end_ns);
    } else {
        int64_t run_ns = action->run_ns;

        if (c->options->noise_percent > 0) {
            run_ns = llround((double)run_ns * noise(c));
        }
        one.end_ns = now_ns + run_ns;
        c->result->ran[action->device]++;
        c->result->busy_ns[action->device] += run_ns;
        if (one.end_ns > c->result->end_ns) c->result->end_ns = one.end_ns;
    }
    c->after_ns[action->number] = one.end_ns;
    if (c->options->watch != NULL) {
        c->options->watch(c->options->self, action, start_ns, one.end_ns);
    }
    return push(c, &one);
}

/* ---- the run ---- */

static hit_status run(clock_driver *c, int tasks)
{
    int64_t now_ns = 0;
    hit_action action;

    HIT_TRY(hit_engine_submit(c->engine, 0));
    for (;;) {
        while (hit_engine_next(c->engine, &action)) {
            HIT_TRY(begin(c, &action, now_ns));
        }
        if (c->events == 0) break;
        now_ns = c->heap[0].end_ns;
        action = pop(c);
        HIT_TRY(hit_engine_done(c->engine, &action, now_ns));
    }
    c->result->tasks = hit_engine_tasks_done(c->engine);
    if (c->result->tasks == tasks) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL,
                    "nothing goes on but %d of %d tasks are not done: the scheduler kept "
                    "them",
                    tasks - c->result->tasks, tasks);
}

hit_status hit_simulate(const hit_graph *graph, const hit_machine *machine,
                        const hit_scheduler *scheduler,
                        const hit_simulate_options *options, hit_simulated *result)
{
    clock_driver c = {.machine = machine, .options = options};
    hit_simulated made = {0};
    hit_status st;

    c.result = &made;
    c.random = options->engine.seed * 2 + 1;
    HIT_TRY(hit_memory_zeroed((size_t)(machine->links + 1) * 2 * HIT_MACHINE_DEVICES,
                              sizeof *c.lane_ns, &c.lane_ns));
    HIT_TRY_GOTO(st,
                 hit_engine_open(graph, machine, scheduler, &options->engine, &c.engine),
                 free_lanes);
    st = run(&c, graph->tasks);
    made.devices = hit_engine_devices(c.engine);
    if (st == HIT_OK) *result = made;
    hit_engine_close(&c.engine);
free_lanes:
    free(c.lane_ns);
    free(c.after_ns);
    free(c.heap);
    return st;
}
