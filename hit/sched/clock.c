/* SPDX-License-Identifier: MIT
 * Virtual time: a heap of what ends when. A copy's end is known when it is asked for,
 * because each lane of a link carries its copies in order. */
#include "hit/sched/clock.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** An action that is going on. */
typedef struct event {
    int64_t end_ns;
    hit_action action;
    bool drops; /* a copy back: then the memory it is made of is free */
} event;

struct hit_simulation {
    const hit_graph *graph;
    const hit_machine *machine;
    hit_simulate_options options;
    hit_engine *engine;
    int64_t now_ns;
    int submitted; /**< tasks, since the last restart */
    event *heap;   /**< the first one ends first */
    size_t events;
    size_t room;
    int64_t *lane_ns;  /**< per link, lane and direction: when it is free */
    int64_t *after_ns; /**< of copies by number: their ends */
    size_t after_room;
    hit_simulated result;
    uint64_t random;
};

/* ---- the heap ---- */

static bool is_earlier(const event *a, const event *b)
{
    if (a->end_ns != b->end_ns) return a->end_ns < b->end_ns;
    return a->action.number < b->action.number;
}

static hit_status push(hit_simulation *c, const event *one)
{
    size_t at = c->events;

    HIT_TRY(hit_memory_grow(c->events + 1, &c->room, sizeof *c->heap, "virtual time",
                            &c->heap));
    c->events++;
    while (at > 0 && is_earlier(one, &c->heap[(at - 1) / 2])) {
        c->heap[at] = c->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    c->heap[at] = *one;
    return HIT_OK;
}

static event pop(hit_simulation *c)
{
    const event first = c->heap[0];
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
static double random_fraction(hit_simulation *c)
{
    c->random ^= c->random >> 12;
    c->random ^= c->random << 25;
    c->random ^= c->random >> 27;
    return ((double)(c->random * UINT64_C(0x2545f4914f6cdd1d) >> 11) + 0.5) * 0x1p-53;
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
static int64_t *lane(const hit_simulation *c, int node, bool in)
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

/* The memory of a datum is free; if its copy back was asked for just before, when that
 * has arrived. */
static void drop(hit_simulation *c, const hit_action *action)
{
    for (size_t k = 0; k < c->events && c->options.engine.back_when_arrived; k++) {
        event *one = &c->heap[k];

        if (!one->action.back || one->action.number != action->number - 1) continue;
        if (one->action.datum != action->datum || one->action.from != action->from) break;
        one->drops = true;
        return;
    }
    (void)carry_out(c, action);
}

/* The end of an action. */
static void end(const hit_simulation *c, event *one)
{
    if (!one->action.back || c->options.engine.back_when_arrived) {
        one->action.skipped = !carry_out(c, &one->action);
    }
    if (one->drops) {
        hit_action freed = one->action;

        freed.kind = HIT_ACTION_DROP;
        (void)carry_out(c, &freed);
    }
}

void hit_simulation_give_up(hit_simulation *c)
{
    for (size_t k = 0; k < c->events; k++) {
        if (c->heap[k].action.back) end(c, &c->heap[k]);
    }
    c->events = 0;
}

static hit_status begin(hit_simulation *c, const hit_action *action)
{
    event one = {.action = *action};
    int64_t start_ns = c->now_ns;

    if (action->kind == HIT_ACTION_DROP) {
        drop(c, action);
        return HIT_OK;
    }
    HIT_TRY(hit_memory_grow((size_t)action->number + 1, &c->after_room,
                            sizeof *c->after_ns, "virtual time", &c->after_ns));
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
        (void)carry_out(c, action); /* others may read it on the host from now */
    }
    return push(c, &one);
}

/* ---- the run ---- */

/* Times are those of the machine file. */
static hit_status expect_no_lessons(const hit_scheduler *scheduler)
{
    if (!scheduler->learns) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG,
        "scheduler %s: expected no option learn on a simulated machine, whose "
        "file says how long kernels take",
        scheduler->ops->name);
}

hit_status hit_simulation_open(const hit_graph *graph, const hit_machine *machine,
                               const hit_scheduler *scheduler,
                               const hit_simulate_options *options, int64_t now_ns,
                               hit_simulation **simulation)
{
    hit_simulation *made;
    hit_status st;

    HIT_TRY(expect_no_lessons(scheduler));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->graph = graph;
    made->machine = machine;
    made->options = *options;
    made->random = options->engine.seed * 2 + 1;
    made->now_ns = now_ns;
    HIT_TRY_GOTO(st,
                 hit_memory_zeroed((size_t)(machine->links + 1) * 2 * HIT_MACHINE_DEVICES,
                                   sizeof *made->lane_ns, &made->lane_ns),
                 close);
    HIT_TRY_GOTO(
        st, hit_engine_open(graph, machine, scheduler, &options->engine, &made->engine),
        close);
    made->result.devices = hit_engine_devices(made->engine);
    *simulation = made;
    return HIT_OK;
close:
    hit_simulation_close(&made);
    return st;
}

void hit_simulation_close(hit_simulation **simulation)
{
    hit_simulation *closing = *simulation;

    if (closing == NULL) return;
    hit_engine_close(&closing->engine);
    free(closing->lane_ns);
    free(closing->after_ns);
    free(closing->heap);
    free(closing);
    *simulation = NULL;
}

hit_status hit_simulation_submit(hit_simulation *c)
{
    HIT_TRY(hit_engine_submit(c->engine, c->now_ns));
    c->submitted = c->graph->tasks;
    return HIT_OK;
}

int hit_simulation_pending(const hit_simulation *c)
{
    return c->submitted - hit_engine_tasks_done(c->engine);
}

hit_status hit_simulation_run(hit_simulation *c, int left)
{
    hit_action action;

    for (;;) {
        while (hit_engine_next(c->engine, &action)) {
            HIT_TRY(begin(c, &action));
        }
        if (left > 0 && hit_simulation_pending(c) <= left) return HIT_OK;
        if (c->events == 0) break;
        event over = pop(c);

        c->now_ns = over.end_ns;
        end(c, &over);
        if (over.action.kind == HIT_ACTION_RUN) c->result.tasks++;
        HIT_TRY(hit_engine_done(c->engine, &over.action, c->now_ns));
    }
    if (hit_simulation_pending(c) == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL,
                    "nothing goes on but %d of %d tasks are not done: the scheduler kept "
                    "them",
                    hit_simulation_pending(c), c->submitted);
}

hit_status hit_simulation_restart(hit_simulation *c, hit_graph *graph,
                                  const hit_scheduler *scheduler)
{
    HIT_TRY(expect_no_lessons(scheduler));
    HIT_TRY(hit_engine_restart(c->engine, scheduler));
    hit_graph_forget_tasks(graph);
    c->submitted = 0;
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
