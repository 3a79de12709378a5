/* SPDX-License-Identifier: MIT
 * Launches in order, as launches on boxes. These are cut where the indices of processes
 * end, and so small that each fits every device's memory and that there are enough of
 * them for all who can work at the same time. They are launched in waves, so that a
 * process does not wait for all of another one's. */
#include "hit/base/alloc.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "patterns/pattern_impl.h"

#include <math.h>
#include <stdlib.h>

enum {
    BOXES_EACH = 8,   /* along a dimension, for each who works: waves are short at their
                         ends */
    MORE = 5,         /* times hit_ordered.least: what more boxes than threads are worth,
                         and what messages are */
    BOXES_SHARED = 4, /* for each process, along a dimension that they share */
    MOST_PLANS = 3 * HIT_MAX_PLANS / 4 /* on processes each box has a plan, to be kept */
};

/* Numbers of indices along a dimension, of which a box begins at each. */
typedef struct cuts {
    hit_index *at;
    size_t count;
    size_t room;
} cuts;

typedef struct ordering {
    hit_call call;
    hit_status (*launch)(hit_call *call);
    const hit_known_kernel *known;
    hit_waves waves;
    cuts cuts[HIT_MAX_DIMS];
    hit_index most[HIT_MAX_DIMS]; /* indices of a box along each dimension */
    hit_first first;
} ordering;

/* ---- what needs what ---- */

/* Each index writes an element of its own along what the pattern follows, or which others
 * touch what it writes is not known. */
static void carry_unknown(ordering *o, int k)
{
    const hit_domain *index = &o->call.domain;
    hit_sig of[HIT_MAX_DIMS];

    for (int d = 0; d < index->dims; d++) {
        const hit_index by = index->sig[d].end - index->sig[d].begin;
        const bool own = o->known->point[k] && hit_pattern_uses(&o->known->pattern[k], d);

        of[d] = own ? hit_sig_make(0, 0, 1) : hit_sig_make(-by, by, 1);
    }
    hit_waves_carry(&o->waves, of);
}

static void carry(ordering *o, int k)
{
    const hit_pattern *pattern = &o->known->pattern[k];
    const hit_pattern written = hit_pattern_written(pattern);

    if (!hit_pattern_is_element(&written)) {
        carry_unknown(o, k);
        return;
    }
    for (int a = 0; a < pattern->count; a++) {
        const hit_distance distance =
            hit_pattern_distance(&written, &pattern->access[a],
                                 &o->call.args[k].tile->domain, &o->call.domain);

        if (distance.any) hit_waves_carry(&o->waves, distance.of);
    }
}

/* What is written is not read beyond a boundary: its patterns stay in its tile. */
static void find_needs(ordering *o)
{
    for (int k = 0; k < o->call.count; k++) {
        if (o->call.args[k].tile == NULL) continue;
        if (o->call.kernel->arg[k].mode != HIT_MODE_IN) carry(o, k);
    }
}

/* ---- where processes end ---- */

static hit_status cut_at(cuts *c, hit_index at)
{
    HIT_TRY(HIT_ONE_MORE(c->at, c->count, c->room, "boxes"));
    c->at[c->count++] = at;
    return HIT_OK;
}

/* Where a process has every second index each one is a box. */
static hit_status cut_around(ordering *o, const hit_domain *part)
{
    for (int d = 0; d < part->dims; d++) {
        const hit_sig all = o->call.domain.sig[d];
        const hit_sig sig = part->sig[d];
        const hit_index first = (sig.begin - all.begin) / all.stride;
        const hit_index last = (sig.end - all.begin) / all.stride;

        if (hit_sig_count(sig) > 1 && sig.stride > all.stride) o->most[d] = 1;
        HIT_TRY(cut_at(&o->cuts[d], first));
        HIT_TRY(cut_at(&o->cuts[d], last + 1));
    }
    return HIT_OK;
}

static hit_status find_parts(ordering *o)
{
    hit_split split;

    HIT_TRY(hit_launch_plan_split(&o->call, o->known, &split));
    for (int rank = 0; rank < hit_layout_ranks(split.layout); rank++) {
        hit_region part = {0};
        hit_status status = hit_split_part(&split, rank, &part);

        for (int k = 0; k < part.count && status == HIT_OK; k++) {
            if (hit_domain_is_empty(&part.part[k])) continue;
            status = cut_around(o, &part.part[k]);
        }
        hit_region_clear(&part);
        HIT_TRY(status);
    }
    return HIT_OK;
}

/* ---- how large boxes are ---- */

static hit_status ask(hit_context *context, hit_ordered *ordered)
{
    uint64_t most[2] = {0, 1};

    if (ordered->asked) return HIT_OK;
    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];
        const uint64_t threads = (uint64_t)device->threads;

        if (hit_device_in_place(device)) {
            most[1] += threads - (d == 0);
        } else if (~(uint64_t)device->limit_bytes > most[0]) {
            most[0] = ~(uint64_t)device->limit_bytes;
        }
    }
    HIT_TRY(hit_comm_max_u64(context->comm, most, 2));
    ordered->limit_bytes = ~most[0];
    ordered->threads = most[1];
    ordered->asked = true;
    return HIT_OK;
}

static hit_status fit_memory(ordering *o, const hit_ordered *ordered)
{
    hit_context *context = o->call.context;
    hit_superblocks made = {.arena_bytes = 0};

    if (ordered->limit_bytes == UINT64_MAX) return HIT_OK;
    HIT_TRY(hit_call_superblocks(&o->call, o->known, context->device[0], &o->call.domain,
                                 (size_t)ordered->limit_bytes, &made));
    for (int d = 0; d < o->call.domain.dims; d++) {
        if (made.plan.shape[d] < o->most[d]) o->most[d] = made.plan.shape[d];
    }
    hit_plan_sum_clear(&made.sum);
    return HIT_OK;
}

static void cut_into(ordering *o, int d, double boxes)
{
    const double extent = (double)hit_sig_count(o->call.domain.sig[d]);
    const double each = ceil(extent / fmax(boxes, 1));

    if (each < (double)o->most[d]) o->most[d] = (hit_index)each;
}

static bool is_cut_by_processes(const ordering *o, int d)
{
    const cuts *c = &o->cuts[d];

    for (size_t k = 0; k < c->count; k++) {
        if (c->at[k] > 0 && c->at[k] < hit_sig_count(o->call.domain.sig[d])) return true;
    }
    return false;
}

/* @p boxes along both dimensions together. On several processes each has a few along the
 * dimension that they share, to work on while messages are under way, and the more along
 * the other one the sooner the last one begins. */
static void cut_both(ordering *o, int p, int q, double boxes)
{
    const int size = o->call.context->size;
    double along = floor(sqrt(boxes));

    if (is_cut_by_processes(o, p) != is_cut_by_processes(o, q)) {
        const bool first = is_cut_by_processes(o, p);

        along = fmin(along, BOXES_SHARED * (double)size);
        cut_into(o, first ? p : q, along);
        cut_into(o, first ? q : p, floor(boxes / along));
        return;
    }
    cut_into(o, p, along);
    cut_into(o, q, along);
}

/* The same for the threads of a process. As many as these are along each dimension keep
 * all of them busy where sweeps follow each other, and may be small; more of them, for
 * the ends of a sweep, are to be worth it. */
static void cut_for_threads(ordering *o, int p, int q, double boxes)
{
    const double threads = (double)o->call.context->launcher->ordered.threads;
    const double along = fmax(fmin(floor(sqrt(MORE * boxes)), threads),
                              fmin(floor(sqrt(boxes)), BOXES_EACH * threads));

    cut_into(o, p, along);
    cut_into(o, q, along);
}

/* Enough boxes along the first two dimensions, if they are worth it. */
static void share_out(ordering *o, const hit_ordered *ordered)
{
    const hit_domain *index = &o->call.domain;
    const int size = o->call.context->size;
    const double workers = size > 1 ? size : (double)ordered->threads;
    double worth = (double)hit_domain_count(index) / MORE / (double)ordered->least;
    int p = 0;
    int q;

    if (size > 1) worth = fmin(worth, MOST_PLANS);
    while (p < index->dims && hit_sig_count(index->sig[p]) < 2) {
        p++;
    }
    q = p + 1;
    while (q < index->dims && hit_sig_count(index->sig[q]) < 2) {
        q++;
    }
    if (workers < 2 || q >= index->dims) return;
    if (o->waves.back[p][q] > 0) {
        const double rows = (double)hit_sig_count(index->sig[p]);

        cut_into(o, q, fmin(floor(worth / rows), BOXES_EACH * workers));
    } else if (size > 1) {
        cut_both(o, p, q, floor(worth));
    } else {
        cut_for_threads(o, p, q, worth);
    }
}

/* A box is cut where the indices of some process end, or to be smaller. */
static hit_status cut(ordering *o)
{
    const hit_domain *index = &o->call.domain;
    bool is_cut[HIT_MAX_DIMS];
    bool thin[HIT_MAX_DIMS];

    for (int d = 0; d < index->dims; d++) {
        is_cut[d] =
            o->most[d] < hit_sig_count(index->sig[d]) || is_cut_by_processes(o, d);
    }
    hit_waves_thin(&o->waves, is_cut, thin);
    for (int d = 0; d < index->dims; d++) {
        cuts *c = &o->cuts[d];

        HIT_TRY(hit_waves_cut(&o->waves, d, (hit_index)c->count, c->at,
                              thin[d] ? 1 : o->most[d]));
    }
    hit_waves_weigh(&o->waves);
    return HIT_OK;
}

/* ---- all of it ---- */

static hit_status prepare(ordering *o)
{
    hit_ordered *ordered = &o->call.context->launcher->ordered;

    HIT_TRY(ask(o->call.context, ordered));
    HIT_TRY(hit_call_check(&o->call));
    HIT_TRY(hit_launcher_know(&o->call, &o->known));
    if (hit_domain_is_empty(&o->call.domain)) return HIT_OK;
    o->waves.index = o->call.domain;
    for (int d = 0; d < o->call.domain.dims; d++) {
        o->waves.order[d] = o->call.kernel->order[d];
        o->most[d] = hit_sig_count(o->call.domain.sig[d]);
    }
    HIT_TRY(find_parts(o));
    find_needs(o);
    HIT_TRY(fit_memory(o, ordered));
    share_out(o, ordered);
    return cut(o);
}

/* Boxes elsewhere than the superblocks that were asked for may need more. */
static bool fits(const ordering *o, const hit_domain *box)
{
    const hit_context *context = o->call.context;
    const uint64_t limit_bytes = context->launcher->ordered.limit_bytes;
    hit_superblocks made = {.arena_bytes = 0};
    bool one;

    if (limit_bytes == UINT64_MAX) return true;
    one = hit_call_superblocks(&o->call, o->known, context->device[0], box,
                               (size_t)limit_bytes, &made) != HIT_OK ||
          made.plan.pieces <= 1; /* what fits in no way, the launch tells */
    hit_plan_sum_clear(&made.sum);
    return one;
}

/* The first index that has several: along that a box may be halved, and the order stays.
 */
static int first_long(const hit_domain *box)
{
    int d = 0;

    while (d < box->dims && hit_sig_count(box->sig[d]) < 2) {
        d++;
    }
    return d;
}

/* On several processes the others go on, whatever failed here; but none goes on where one
 * cannot plan a box, or its whole call, of which it tells the others as of one box. */
static bool launch_box(void *of, const hit_domain *box)
{
    ordering *o = of;
    hit_call call = o->call;
    hit_domain half[2];
    int d;

    call.domain = hit_where_clip(call.where, box);
    call.of = &o->call.domain;
    if (hit_domain_is_empty(&call.domain)) return true;
    d = first_long(&call.domain);
    if (d < box->dims && !fits(o, &call.domain)) {
        const int before = o->waves.order[d] > 0 ? 0 : 1;

        hit_domain_halve(&call.domain, d, half);
        return launch_box(of, &half[before]) && launch_box(of, &half[1 - before]);
    }
    call.context->launcher->refused = false;
    hit_first_keep(&o->first, o->launch(&call));
    return o->first.status == HIT_OK ||
           (call.context->size > 1 && !call.context->launcher->refused);
}

static void clear(ordering *o)
{
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        free(o->cuts[d].at);
    }
    hit_waves_clear(&o->waves);
}

static hit_status begin(const hit_call *call, hit_status (*launch)(hit_call *call),
                        hit_values *values, ordering *o)
{
    *o = (ordering){.call = *call, .launch = launch};
    (void)hit_call_convert(&o->call, values);
    hit_first_begin(&o->first);
    return prepare(o);
}

hit_status hit_launch_ordered(const hit_call *call, hit_status (*launch)(hit_call *call))
{
    ordering o;
    hit_values values;
    hit_status status;

    if (hit_call_has_results(call)) return hit_launch_results(call);
    status = begin(call, launch, &values, &o);
    if (hit_launcher_makes_room(call->context, status)) {
        clear(&o);
        status = begin(call, launch, &values, &o);
    }
    if (status != HIT_OK || hit_domain_is_empty(&o.call.domain)) {
        status = call->context->executor->launch(&o.call, status);
    } else {
        hit_waves_each(&o.waves, launch_box, &o);
        status = hit_first_tell(&o.first);
    }
    clear(&o);
    return status;
}
