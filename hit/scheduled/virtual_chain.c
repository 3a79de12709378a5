/* SPDX-License-Identifier: MIT
 * Chains on a simulated machine: a block of launches goes through the memories of its
 * devices as it would on such devices (hit/run/chain_stream.c), which all take some rows.
 * Their clocks are those by which dry runs foretell blocks; kernels take as long for an
 * index as the machine says of the launch as a task. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/run/chains.h"
#include "hit/sched/cluster.h"
#include "hit/scheduled/pieces_clock.h"
#include "hit/scheduled/virtual_impl.h"
#include "hit/tile/station.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A launch that may be in a block. */
typedef struct work {
    char kernel[HIT_MACHINE_NAME];
    int block;
    uint64_t indices;
    uint64_t bytes; /* that it touches */
} work;

/* Who has rows of a block: a device with a memory of its own, a group, or all cores of a
 * kind. */
typedef struct sharer {
    int kind;
    int first; /* number of its first device */
    int together;
    hit_rates rates;
} sharer;

struct hit_virtual_chains {
    hit_scheduled *s;
    hit_chains *block; /* borrowed */
    hit_chain_machine machine;
    sharer sharer[HIT_MAX_DEVICES];
    hit_fpm *unit; /* an index in a second */
    int count;
    size_t room;
    work *known;
};

/* ---- who shares the rows ---- */

/* Copies of devices on one lane take turns. */
static int count_on_lane(const hit_scheduled *s, const hit_machine_device *device)
{
    int count = 0;

    for (int d = 0; d < s->devices; d++) {
        const hit_machine_device *other = &s->device[d];

        count += other->link == device->link && other->lane == device->lane;
    }
    return count;
}

/* False: there are too many. */
static bool add_device(hit_virtual_chains *c, int d)
{
    const hit_machine_device *device = &c->s->device[d];
    const hit_machine_kind *kind = &c->s->machine.kind[device->kind];
    const bool one = kind->link < 0 && !kind->is_group;
    const int n = c->machine.devices;
    sharer *made = &c->sharer[n];

    if (one && n > 0 && c->sharer[n - 1].kind == device->kind) {
        c->sharer[n - 1].together++;
        return true;
    }
    if (n == HIT_MAX_DEVICES) return false;
    *made = (sharer){.kind = device->kind, .first = d, .together = 1};
    made->rates = (hit_rates){.kernel = c->unit, .async = true, .threads = 1};
    made->rates.links.known =
        1u << HIT_LINK_IN | 1u << HIT_LINK_OUT | 1u << HIT_LINK_WITHIN;
    if (device->link >= 0) {
        hit_machine_links(&c->s->machine.link[device->link], count_on_lane(c->s, device),
                          &made->rates.links);
    }
    c->machine.bytes[n] = device->node > 0 ? (size_t)kind->bytes : 0;
    if (c->machine.bytes[n] > c->machine.most_bytes) {
        c->machine.most_bytes = c->machine.bytes[n];
    }
    c->machine.devices++;
    return true;
}

static const char *add_devices(hit_virtual_chains *c)
{
    for (int d = 0; d < c->s->devices; d++) {
        if (!add_device(c, d)) return "every launch: the simulated machine is too large";
    }
    return c->machine.most_bytes > 0
               ? NULL
               : "every launch: no device of the simulated machine has a memory";
}

/* ---- which launches ---- */

/* How long an index takes there; below 0: it cannot run there. */
static double index_s(const hit_virtual_chains *c, const work *of, int device)
{
    const int64_t ns =
        hit_machine_run_ns(&c->s->machine, of->kernel, of->block, c->sharer[device].kind);

    if (ns < 0) return -1;
    return 1e-9 * (double)ns / (double)of->indices / c->sharer[device].together;
}

static const char *against(const hit_call *call, const hit_launch_plan *plan)
{
    hit_scheduled *s = call->context->execution;
    const hit_virtual_chains *c = hit_virtual_of(s)->chains;
    const hit_on on = hit_call_on(call);
    bool runs; /* where nothing is known, on all */
    work of;

    if (on.of_kernel != NULL || on.of_launch != NULL) return "it names its devices";
    if (plan->pieces != 1) return "its indices are in pieces";
    of.indices = plan->indices;
    of.block = hit_scheduled_block(call, plan, 0, plan->indices);
    hit_virtual_name(s, call->kernel->name, of.kernel, &runs);
    for (int k = 0; k < c->machine.devices && runs; k++) {
        if (index_s(c, &of, k) < 0) return "not all devices of the machine run it";
    }
    return NULL;
}

static bool is_known(const work *a, const work *b)
{
    return a->block == b->block && a->indices == b->indices && a->bytes == b->bytes &&
           strcmp(a->kernel, b->kernel) == 0;
}

hit_status hit_virtual_chains_meet(const hit_scheduled *s, const hit_call *call,
                                   const hit_launch_plan *plan)
{
    hit_virtual_chains *c = hit_virtual_of(s)->chains;
    work of;
    int k;

    if (c == NULL || s->context->launcher->chain_room < 2) return HIT_OK;
    if (plan->pieces != 1 || plan->indices == 0) return HIT_OK; /* it is in none */
    if (c->block->count == 0 && !hit_chains_may_begin(s->context, plan)) return HIT_OK;
    of.indices = plan->indices;
    of.block = hit_scheduled_block(call, plan, 0, plan->indices);
    of.bytes = hit_launch_plan_touched(plan);
    HIT_TRY(hit_virtual_know(c->s, call->kernel, of.block, (int64_t)of.bytes, of.kernel));
    for (k = c->count; k > 0 && !is_known(&c->known[k - 1], &of); k--) {
    }
    if (k == 0) {
        HIT_TRY(HIT_ONE_MORE(c->known, c->count, c->room, "launches of chains"));
        c->known[c->count++] = of;
        k = c->count;
    }
    c->block->number = k - 1;
    return HIT_OK;
}

bool hit_virtual_chains_wait(const hit_scheduled *s)
{
    const hit_virtual_chains *c = hit_virtual_of(s)->chains;

    return c != NULL && c->block->count > 0;
}

/* As many as it is faster than the others. */
static void share(void *of, hit_index weight[])
{
    const hit_virtual_chains *c = of;
    const work *begins = &c->known[c->block->number];
    double most_s = 0;

    for (int k = 0; k < c->machine.devices; k++) {
        most_s = fmax(most_s, index_s(c, begins, k));
    }
    for (int k = 0; k < c->machine.devices; k++) {
        const double times = most_s / fmax(index_s(c, begins, k), 1e-6 * most_s);

        weight[k] = most_s > 0 ? (hit_index)(1000 * times + 0.5) : 1;
    }
}

/* ---- how long a block takes ---- */

/* The launches of one of those that share the rows. */
typedef struct turn {
    const hit_virtual_chains *c;
    int device;
    double each_s[HIT_CHAIN_LAUNCHES]; /* of an index; 0: not asked yet */
    double ran_s[HIT_CHAIN_LAUNCHES];
} turn;

static void launch(void *caller, hit_sim *sim, int l, double indices)
{
    turn *t = caller;
    const hit_chain_record *one = &t->c->block->record[l];
    double *each_s = &t->each_s[l];

    if (*each_s == 0) *each_s = index_s(t->c, &t->c->known[one->number], t->device);
    hit_sim_run(sim, indices, *each_s);
    t->ran_s[l] += indices * *each_s;
}

static void put_kernels(const turn *t, const hit_chain_stream *plan, double start_s,
                        double time_s)
{
    const sharer *own = &t->c->sharer[t->device];
    double sum_s = 0;

    for (int l = plan->first; l < plan->first + plan->launches; l++) {
        sum_s += t->ran_s[l];
    }
    for (int l = plan->first; l < plan->first + plan->launches; l++) {
        /* those of very many pieces are not all followed */
        const double own_s = sum_s > time_s ? t->ran_s[l] * time_s / sum_s : t->ran_s[l];
        const hit_trace_event event = {.what = t->c->block->record[l].kernel->name,
                                       .start_s = start_s,
                                       .end_s = start_s + own_s};

        start_s += own_s;
        for (int d = 0; d < own->together && own_s > 0; d++) {
            hit_trace_put(hit_virtual_trace(t->c->s, own->first + d), HIT_TRACE_RUN,
                          &event);
        }
    }
}

static void put_copies(const turn *t, bool in, uint64_t bytes, double start_s,
                       double time_s)
{
    const hit_link *link =
        &t->c->sharer[t->device].rates.links.link[in ? HIT_LINK_IN : HIT_LINK_OUT];
    const double own_s = fmin(time_s, hit_link_time(link, 1, (double)bytes));
    const hit_trace_event event = {.what = "copy",
                                   .start_s = in ? start_s : start_s + time_s - own_s,
                                   .end_s = in ? start_s + own_s : start_s + time_s,
                                   .bytes = bytes};

    if (bytes == 0 || t->c->machine.bytes[t->device] == 0) return;
    hit_trace_put(hit_virtual_trace(t->c->s, t->c->sharer[t->device].first),
                  in ? HIT_TRACE_IN : HIT_TRACE_OUT, &event);
}

/* Groups of launches follow each other. */
static void put(const turn *t, const hit_chain_stream *plan, double time_s)
{
    const hit_virtual *v = hit_virtual_of(t->c->s);
    const double start_s =
        v->trace->origin_s + 1e-9 * (double)v->now_ns + t->c->block->told.time.first_s;

    put_copies(t, true, plan->bytes_in, start_s, time_s);
    put_kernels(t, plan, start_s, time_s);
    put_copies(t, false, plan->bytes_out, start_s, time_s);
}

static hit_status time_of(void *of, hit_chain_pieces *p, int count, hit_forecast *time)
{
    const hit_virtual_chains *c = of;
    turn t = {.c = c, .device = (int)(p - c->block->pieces)};
    const hit_pieces_clock clock = {
        .rates = &c->sharer[t.device].rates, .launch = launch, .caller = &t};

    memset(p->halo, 0, sizeof(p->halo)); /* of the block before */
    for (int s = 0; s < c->block->storages; s++) {
        p->host[s] = &c->block->storage[s]->view[0];
    }
    HIT_TRY(hit_pieces_clock_run(&clock, p, count, time));
    if (hit_virtual_of(c->s)->trace != NULL) put(&t, &p->share->plan, time->first_s);
    return HIT_OK;
}

/* One that fits a device is not cut, and runs where it fits. What it needs is taken to be
 * there. */
static double alone_s(const hit_virtual_chains *c, const hit_chain_record *one)
{
    const work *of = &c->known[one->number];
    double least_s = INFINITY;

    for (int k = 0; k < c->machine.devices; k++) {
        const double each_s = index_s(c, of, k);

        if (c->machine.bytes[k] > 0 && c->machine.bytes[k] < of->bytes) continue;
        least_s = fmin(least_s, each_s * (double)one->indices * c->sharer[k].together);
    }
    return least_s;
}

/* A block has run, or would have: time goes on, and what is only planned is counted. What
 * was recorded counted as a superblock when it was. */
static void tell(void *of, const hit_chains *block, int count)
{
    const hit_virtual_chains *c = of;
    const hit_chain_moved *moved[2] = {&block->told.together, &block->told.alone};
    hit_station *station = &c->s->context->stations->station[0];
    double seconds = block->told.time.first_s;

    for (int l = 0; l < count; l++) {
        const hit_chain_record *one = &block->record[l];

        if (one->indices == 0) continue;
        station->superblocks -= c->machine.carries;
        if (!one->fits || one->chained) continue;
        seconds += alone_s(c, one);
        station->superblocks += !c->machine.carries;
    }
    for (int k = 0; k < 2 && !c->machine.carries; k++) {
        station->residents.bytes_in += moved[k]->bytes_in;
        station->residents.bytes_out += moved[k]->bytes_out;
        station->superblocks += moved[k]->pieces;
    }
    hit_virtual_pass(c->s, llround(1e9 * seconds));
}

/* ---- open and close ---- */

static hit_status begin(hit_virtual_chains *c)
{
    hit_launcher *launcher = c->s->context->launcher;
    const char *why;

    HIT_TRY(hit_fpm_constant(1, &c->unit));
    why = add_devices(c);
    if (why != NULL) {
        hit_chains_shut(c->s->context, why);
        return HIT_OK;
    }
    c->machine.carries = hit_virtual_of(c->s)->carries;
    c->machine.against = against;
    c->machine.share = share;
    c->machine.of = c;
    launcher->chain_machine = &c->machine;
    c->block = hit_chains_of(c->s->context);
    if (c->block == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for chains");
    c->block->pass = 0;
    c->block->tell = tell;
    c->block->time = time_of;
    c->block->tell_of = c;
    return HIT_OK;
}

hit_status hit_virtual_chains_open(hit_scheduled *s)
{
    hit_virtual *v = hit_virtual_of(s);
    hit_status status;

    if (s->context->launcher->chain_most < 2) return HIT_OK;
    HIT_TRY(hit_memory_zeroed(1, sizeof(*v->chains), &v->chains));
    v->chains->s = s;
    status = begin(v->chains);
    if (v->chains->block == NULL) hit_virtual_chains_close(s);
    return status;
}

void hit_virtual_chains_close(hit_scheduled *s)
{
    hit_virtual *v = hit_virtual_of(s);

    if (v->chains == NULL) return;
    s->context->launcher->chain_machine = NULL;
    hit_fpm_destroy(&v->chains->unit);
    free(v->chains->known);
    free(v->chains);
    v->chains = NULL;
}
