/* SPDX-License-Identifier: MIT
 * The machine of a process: its devices by kind, each with a link of its own. Times come
 * from stored models (hit/cost/cost.h), and are corrected by what is measured
 * as the program runs: slowly towards longer ones, since a busy machine only slows down.
 * A kind of which nothing is known is taken to be as fast as the best, so that it is
 * tried. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/cost/cost.h"
#include "hit/model/pace.h"
#include "hit/scheduled/real_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WINDOW = 2,               /* tasks staged beside the one that runs */
    HOST_WINDOW = 1,          /* what they need comes home meanwhile */
    LEAST_BYTES = 256 * 1024, /* of copies that say how fast a link is */
    USUAL_NS = 10000          /* latency */
};

static const double usual_bytes_per_s = 5e9;

/* ---- devices and links ---- */

/* Whether one of them runs a kernel, or the other. */
static bool are_alike(const hit_device *a, const hit_device *b)
{
    return a->ops->kind == b->ops->kind && a->limit_bytes == b->limit_bytes &&
           a->threads == b->threads && a->spec.slow.factor == b->spec.slow.factor &&
           a->spec.slow.cliff == b->spec.slow.cliff &&
           hit_device_in_place(a) == hit_device_in_place(b);
}

static void set_link(const hit_context *context, const hit_device *device,
                     hit_machine_link *link)
{
    hit_links links;

    *link = (hit_machine_link){.lanes = HIT_MACHINE_DEVICES,
                               .in_bytes_per_s = (int64_t)usual_bytes_per_s,
                               .in_ns = USUAL_NS,
                               .out_bytes_per_s = (int64_t)usual_bytes_per_s,
                               .out_ns = USUAL_NS};
    hit_links_load(context, device, &links);
    for (int name = HIT_LINK_IN; name <= HIT_LINK_OUT; name++) {
        const hit_link *known = &links.link[name];
        const bool in = name == HIT_LINK_IN;
        const double bytes_per_s = fmin(1 / fmax(known->byte_s, 1e-15), 1e15);

        if ((links.known & 1u << name) == 0) continue;
        *(in ? &link->in_bytes_per_s : &link->out_bytes_per_s) =
            (int64_t)fmax(bytes_per_s, 1);
        *(in ? &link->in_ns : &link->out_ns) = (int64_t)fmin(known->latency_s * 1e9, 1e9);
    }
}

static void add_kind(hit_scheduled *s, const hit_device *device)
{
    hit_machine *machine = &s->machine;
    hit_machine_kind *kind = &machine->kind[machine->kinds];

    *kind =
        (hit_machine_kind){.threads = device->threads, .window = HOST_WINDOW, .link = -1};
    (void)snprintf(kind->name, sizeof kind->name, "%.20s-%d", device->ops->kind,
                   machine->kinds);
    if (!hit_device_in_place(device)) {
        kind->window = WINDOW;
        kind->link = machine->links;
        kind->bytes =
            device->limit_bytes < INT64_MAX ? (int64_t)device->limit_bytes : INT64_MAX;
        set_link(s->context, device, &machine->link[machine->links++]);
    }
    machine->kinds++;
}

/* The machine's number of the kind of device number @p d. */
static int kind_of(hit_scheduled *s, int d, const int first[])
{
    int k = 0;

    while (k < s->machine.kinds &&
           !are_alike(s->context->device[first[k]], s->context->device[d])) {
        k++;
    }
    return k;
}

hit_status hit_real_make_machine(hit_scheduled *s)
{
    const hit_context *context = s->context;
    const size_t most = (size_t)context->devices;
    hit_machine *machine = &s->machine;
    hit_real *r = s->driven;
    int first[HIT_MAX_DEVICES] = {0};
    int kind[HIT_MAX_DEVICES] = {0};

    machine->predicted_percent = 100;
    HIT_TRY(hit_memory_zeroed(most, sizeof *machine->kind, &machine->kind));
    HIT_TRY(hit_memory_zeroed(most, sizeof *machine->link, &machine->link));
    for (int d = 0; d < context->devices; d++) {
        kind[d] = kind_of(s, d, first);
        if (kind[d] == machine->kinds) {
            first[kind[d]] = d;
            add_kind(s, context->device[d]);
        }
        machine->kind[kind[d]].count++;
    }
    HIT_TRY(hit_scheduled_find_devices(s));
    for (int e = 0; e < s->devices; e++) {
        int d = e == 0 || s->device[e].kind != s->device[e - 1].kind
                    ? 0
                    : r->device[e - 1] + 1;

        while (kind[d] != s->device[e].kind) {
            d++;
        }
        r->device[e] = d;
    }
    return HIT_OK;
}

/* ---- times ---- */

/* By kind. */
static hit_learnt *learnt_of(const hit_scheduled *s, int work)
{
    return ((const hit_real *)s->driven)->learnt + (ptrdiff_t)work * s->machine.kinds;
}

/* Let the engine know. */
static hit_status apply(hit_scheduled *s, int work)
{
    const hit_learnt *learnt = learnt_of(s, work);
    double best_ns = INFINITY;

    for (int k = 0; k < s->machine.kinds; k++) {
        if (learnt[k].known_ns > 0) best_ns = fmin(best_ns, learnt[k].known_ns);
    }
    for (int k = 0; k < s->machine.kinds; k++) {
        const double known_ns = learnt[k].known_ns;
        const double ns = known_ns > 0 ? known_ns : fmin(learnt[k].guess_ns, best_ns);

        HIT_TRY(hit_engine_learn(s->engine, work, k, (int64_t)fmin(ns + 1, 1e15)));
    }
    return HIT_OK;
}

hit_device *hit_real_device_of_kind(const hit_scheduled *s, int kind)
{
    int e = 0;

    while (s->device[e].kind != kind) {
        e++;
    }
    return s->context->device[((const hit_real *)s->driven)->device[e]];
}

double hit_real_stored_ns(const hit_scheduled *s, const hit_call *call,
                          const hit_launch_plan *plan, uint64_t indices, int kind)
{
    hit_rates rates = {.kernel = NULL};
    hit_forecast forecast;

    rates.kernel = hit_rates_kernel(call, plan->known, hit_real_device_of_kind(s, kind));
    forecast = hit_predict_in_place(&rates, (hit_index)indices);
    hit_rates_clear(&rates);
    return forecast.lacks == 0 && forecast.again_s > 0 ? forecast.again_s * 1e9 : 0;
}

hit_status hit_real_find_work(hit_scheduled *s, const hit_call *call,
                              const hit_launch_plan *plan, const hit_scheduled_task *task,
                              int64_t bytes, int *work)
{
    const int kinds = s->machine.kinds;
    const int64_t guess_ns = hit_scheduled_guessed_ns(bytes);
    hit_real *r = s->driven;
    char name[HIT_MACHINE_NAME];

    (void)snprintf(name, sizeof name, "%.*s", HIT_MACHINE_NAME - 1, task->kernel->name);
    HIT_TRY(hit_graph_add_work(&s->graph, name, task->block, &task->on, work));
    if (s->scheduler.learns) HIT_TRY(hit_real_lessons_begin(s, call, plan, task));
    if (*work < r->works && learnt_of(s, *work)->guess_ns > 0) {
        return HIT_OK;
    }
    HIT_TRY(hit_machine_add_time(&s->machine, name, task->block, guess_ns));
    HIT_TRY(hit_memory_resize((size_t)s->graph.works * (size_t)kinds, sizeof *r->learnt,
                              "times of tasks", &r->learnt));
    for (; r->works <= *work; r->works++) { /* those before it have failed */
        memset(learnt_of(s, r->works), 0, sizeof *r->learnt * (size_t)kinds);
    }
    for (int k = 0; k < kinds; k++) {
        learnt_of(s, *work)[k] = (hit_learnt){
            hit_real_stored_ns(s, call, plan, task->indices, k), (double)guess_ns};
    }
    return apply(s, *work);
}

hit_status hit_real_learn_run(hit_scheduled *s, int work, int device, double seconds)
{
    hit_learnt *learnt = learnt_of(s, work) + s->device[device].kind;

    learnt->known_ns = hit_pace_correct(learnt->known_ns, fmax(seconds * 1e9, 1));
    return apply(s, work);
}

void hit_real_learn_copy(hit_scheduled *s, int node, bool in, int64_t bytes,
                         double seconds)
{
    hit_machine_link *link = &s->machine.link[s->device[node - 1].link];
    int64_t *bytes_per_s = in ? &link->in_bytes_per_s : &link->out_bytes_per_s;
    const double latency_s = 1e-9 * (double)(in ? link->in_ns : link->out_ns);
    const double byte_s = fmax(seconds - latency_s, 1e-15) / (double)bytes;

    if (bytes < LEAST_BYTES) return;
    *bytes_per_s = (int64_t)fmax(
        1, fmin(1e15, 1 / hit_pace_correct(1 / (double)*bytes_per_s, byte_s)));
}
