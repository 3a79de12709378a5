/* SPDX-License-Identifier: MIT
 * Virtual time: a heap of what ends when. A copy's end is known when it is asked for,
 * because each lane of a link carries its copies in order. */
#include "hit/sched/clock.h"

#include "hit/base/alloc.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/sched/sched_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** An action that is going on. */
typedef struct event {
    int64_t end_ns;
    hit_action action;
} event;

struct hit_simulation {
    const hit_machine *machine;
    hit_simulate_options options;
    hit_engine *engine;
    int64_t now_ns;
    event *event;
    int *heap; /**< numbers of all events: the first ones go on, the others are free */
    int events;
    int made;
    size_t event_room, heap_room;
    int64_t *after_ns; /**< of copies by number: their ends */
    int64_t numbers;   /**< the next number of an action is at most this */
    size_t after_room;
    hit_simulated result;
    uint64_t random;
    int64_t lane_ns[]; /**< per link, lane and direction: when it is free */
};

/* ---- the heap ---- */

static bool is_earlier(const void *of, int i, int j)
{
    const event *a = &((const hit_simulation *)of)->event[i];
    const event *b = &((const hit_simulation *)of)->event[j];

    if (a->end_ns != b->end_ns) return a->end_ns < b->end_ns;
    return a->action.number < b->action.number;
}

/** Room for one more action: one that is taken must be carried out. */
static hit_status make_room(hit_simulation *c)
{
    HIT_TRY(HIT_ONE_MORE(c->after_ns, c->numbers, c->after_room, "virtual time"));
    if (c->events < c->made) return HIT_OK;
    HIT_TRY(HIT_ONE_MORE(c->event, c->made, c->event_room, "virtual time"));
    HIT_TRY(HIT_ONE_MORE(c->heap, c->made, c->heap_room, "virtual time"));
    c->heap[c->made] = c->made;
    c->made++;
    return HIT_OK;
}

static void push(hit_simulation *c, const event *one)
{
    c->event[c->heap[c->events]] = *one;
    hit_heap_rise(c->heap, c->events++, is_earlier, c);
}

static event pop(hit_simulation *c)
{
    const int first = c->heap[0];

    c->heap[0] = c->heap[--c->events];
    c->heap[c->events] = first;
    if (c->events > 0) hit_heap_sink(c->events, c->heap, 0, is_earlier, c);
    return c->event[first];
}

/* ---- times ---- */

/** Uniform in (0, 1). */
static double random_fraction(hit_simulation *c)
{
    return ((double)(hit_engine_random(&c->random) >> 11) + 0.5) * 0x1p-53;
}

/** A normal factor around 1, at least a tenth. */
static double noise(hit_simulation *c)
{
    const double radius = sqrt(-2.0 * log(random_fraction(c)));
    const double angle = 6.283185307179586 * random_fraction(c);
    const double factor = 1.0 + c->options.noise_percent / 100.0 * radius * cos(angle);

    return factor > 0.1 ? factor : 0.1;
}

/** When the lane of @p node is free. @param in to the node */
static int64_t *lane(hit_simulation *c, int node, bool in)
{
    const hit_machine_device *device = hit_engine_device(c->engine, node - 1);

    return &c->lane_ns[2 * (device->link * HIT_MACHINE_DEVICES + device->lane) + in];
}

/** Let a copy follow the last ones of its lanes: two, between peers. */
static void carry(hit_simulation *c, const hit_action *action, int64_t *start_ns,
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
    c->result.moved_bytes += action->bytes;
    c->result.copies++;
}

/* false: a task was not run. */
static bool carry_out(const hit_simulation *c, const hit_action *action)
{
    return c->options.carry == NULL || c->options.carry(c->options.self, action);
}

static void start_task(hit_simulation *c, const hit_action *action, int64_t *end_ns)
{
    int64_t run_ns = action->run_ns;

    if (c->options.noise_percent > 0) run_ns = llround((double)run_ns * noise(c));
    *end_ns = c->now_ns + run_ns;
    c->result.ran[action->device]++;
    c->result.busy_ns[action->device] += run_ns;
    if (*end_ns > c->result.end_ns) c->result.end_ns = *end_ns;
}

/* A copy back, which frees the memory it is made of. */
static void carry_back(const hit_simulation *c, const hit_action *action)
{
    hit_action freed = *action;

    (void)carry_out(c, action);
    freed.kind = HIT_ACTION_DROP;
    (void)carry_out(c, &freed);
}

/* The end of an action. */
static void end(const hit_simulation *c, hit_action *action)
{
    if (!action->back) {
        action->skipped = !carry_out(c, action);
    } else if (c->options.engine.back_when_arrived) {
        carry_back(c, action);
    }
}

void hit_simulation_give_up(hit_simulation *c)
{
    for (int k = 0; k < c->events; k++) {
        hit_action *action = &c->event[c->heap[k]].action;

        if (action->back) end(c, action);
    }
    c->events = 0;
}

static void begin(hit_simulation *c, const hit_action *action)
{
    event one = {.action = *action};
    int64_t start_ns = c->now_ns;

    if (action->number >= c->numbers) c->numbers = action->number + 1;
    if (action->kind == HIT_ACTION_DROP) {
        (void)carry_out(c, action);
        return;
    }
    if (action->kind == HIT_ACTION_COPY) {
        carry(c, action, &start_ns, &one.end_ns);
    } else {
        start_task(c, action, &one.end_ns);
    }
    c->after_ns[action->number] = one.end_ns;
    if (c->options.watch != NULL) {
        c->options.watch(c->options.self, action, start_ns, one.end_ns);
    }
    if (action->back && !c->options.engine.back_when_arrived) {
        carry_back(c, action); /* others may read it on the host from now */
    }
    push(c, &one);
}

/* ---- the run ---- */

hit_status hit_simulation_open(const hit_graph *graph, const hit_machine *machine,
                               const hit_scheduler *scheduler,
                               const hit_simulate_options *options, int64_t now_ns,
                               hit_simulation **simulation)
{
    const size_t lanes = ((size_t)machine->links + 1) * 2 * HIT_MACHINE_DEVICES;
    hit_simulation *made;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made + lanes * sizeof made->lane_ns[0], &made));
    made->machine = machine;
    made->options = *options;
    made->random = options->engine.seed * 2 + 1;
    made->now_ns = now_ns;
    st = hit_engine_open(graph, machine, scheduler, &options->engine, &made->engine);
    if (st == HIT_OK) {
        made->result.devices = hit_engine_devices(made->engine);
    } else {
        hit_simulation_close(&made);
    }
    *simulation = made;
    return st;
}

void hit_simulation_close(hit_simulation **simulation)
{
    hit_simulation *closing = *simulation;

    if (closing == NULL) return;
    hit_engine_close(&closing->engine);
    free(closing->after_ns);
    free(closing->event);
    free(closing->heap);
    free(closing);
    *simulation = NULL;
}

hit_status hit_simulation_submit(hit_simulation *c)
{
    return hit_engine_submit(c->engine, c->now_ns);
}

/* What is written back is on the host already, unless the driver says otherwise: then
 * nothing waits for the end of the copy. */
static bool is_waited_for(const hit_simulation *c, const hit_action *action)
{
    return !action->back || c->options.engine.back_when_arrived;
}

/* All that can. */
static hit_status begin_all(hit_simulation *c)
{
    hit_action action;

    HIT_TRY(make_room(c));
    while (hit_engine_next(c->engine, &action)) {
        begin(c, &action);
        HIT_TRY(make_room(c));
    }
    return HIT_OK;
}

/* Time goes on to the next end. *over_ns: when something was over that is waited for. */
static hit_status end_next(hit_simulation *c, int64_t *over_ns)
{
    event over = pop(c);

    c->now_ns = over.end_ns;
    if (is_waited_for(c, &over.action)) *over_ns = c->now_ns;
    end(c, &over.action);
    if (over.action.kind == HIT_ACTION_RUN) c->result.tasks++;
    return hit_engine_done(c->engine, &over.action, c->now_ns);
}

hit_status hit_simulation_run(hit_simulation *c, int left)
{
    int64_t over_ns = c->now_ns;

    for (;;) {
        HIT_TRY(begin_all(c));
        if (left > 0 && hit_engine_pending(c->engine) <= left) return HIT_OK;
        if (c->events == 0) break;
        HIT_TRY(end_next(c, &over_ns));
    }
    c->now_ns = over_ns;
    return hit_engine_check_end(c->engine);
}

hit_status hit_simulation_step(hit_simulation *c)
{
    int64_t over_ns;

    HIT_TRY(begin_all(c));
    if (c->events == 0) return hit_engine_check_end(c->engine);
    HIT_TRY(end_next(c, &over_ns));
    return begin_all(c);
}

hit_status hit_simulation_copy(hit_simulation *c, const hit_action *copy)
{
    int64_t start_ns = c->now_ns;
    int64_t over_ns;
    int64_t end_ns;

    carry(c, copy, &start_ns, &end_ns);
    if (c->options.watch != NULL) {
        c->options.watch(c->options.self, copy, start_ns, end_ns);
    }
    while (c->events > 0 && c->event[c->heap[0]].end_ns <= end_ns) {
        HIT_TRY(end_next(c, &over_ns));
        HIT_TRY(begin_all(c));
    }
    c->now_ns = end_ns;
    return HIT_OK;
}

void hit_simulation_pass(hit_simulation *c, int64_t ns)
{
    c->now_ns += ns;
}

int64_t hit_simulation_now_ns(const hit_simulation *c)
{
    return c->now_ns;
}

const hit_simulated *hit_simulation_result(const hit_simulation *c)
{
    return &c->result;
}

hit_engine *hit_simulation_engine(const hit_simulation *c)
{
    return c->engine;
}

static hit_status set_back(hit_simulate_options *options, const char *name,
                           const char *value)
{
    const bool arrived = strcmp(value, "arrived") == 0;

    if (!arrived && strcmp(value, "asked") != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected \"asked\" or \"arrived\" for %s but found \"%s\"", name,
                        value);
    }
    options->engine.back_when_arrived = arrived;
    return HIT_OK;
}

hit_status hit_simulate_options_set(hit_simulate_options *options, const char *name,
                                    const char *key, const char *value, bool *known)
{
    hit_index number = 0;

    *known = true;
    if (strcmp(key, "noise") == 0) {
        HIT_TRY(hit_number_read(name, value, 0, 100, &number));
        options->noise_percent = (int)number;
    } else if (strcmp(key, "seed") == 0) {
        HIT_TRY(hit_number_read(name, value, 0, INT64_MAX / 2, &number));
        options->engine.seed = (uint64_t)number;
    } else if (strcmp(key, "back") == 0) {
        return set_back(options, name, value);
    } else {
        *known = false;
    }
    return HIT_OK;
}

hit_status hit_simulate(const hit_graph *graph, const hit_machine *machine,
                        const hit_scheduler *scheduler,
                        const hit_simulate_options *options, hit_simulated *result)
{
    hit_simulation *c = NULL;
    hit_status st;

    HIT_TRY(hit_simulation_open(graph, machine, scheduler, options, 0, &c));
    st = hit_simulation_submit(c);
    if (st == HIT_OK) st = hit_simulation_run(c, 0);
    if (st == HIT_OK) *result = c->result;
    hit_simulation_close(&c);
    return st;
}
