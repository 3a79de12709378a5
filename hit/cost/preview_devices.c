/* SPDX-License-Identifier: MIT
 * What the devices of a process would do of a launch: its indices are cut over them as
 * the launch would cut them, and where shares follow times, as often as predicted times
 * know something better. */
#include "hit/base/memory.h"
#include "hit/cost/preview_impl.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/dynamic/dynamic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those of a process's indices whose superblocks run beside its messages, as
 * hit/launch/launch_plan.c says; empty: none do. */
static hit_status find_inner(const hit_preview_call *w, const hit_region *index,
                             const hit_preview_share *mine, hit_domain *inner)
{
    *inner = hit_domain_empty(w->call->domain.dims);
    if (mine->halos == 0) return HIT_OK;
    if (hit_call_against_overlap(w->call, index->count) != NULL) return HIT_OK;
    *inner = index->part[0];
    for (unsigned left = mine->halos; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        const hit_layout *layout = w->call->args[k].tile->storage->layout;
        const hit_use *use = &w->use[k];
        hit_region owned = {0};

        HIT_TRY(hit_layout_part(layout, mine->rank, &owned));
        if (use->mode == HIT_MODE_IN && use->single && owned.count == 1) {
            hit_use_shrink(use, layout, &w->split, &owned.part[0], inner);
        } else {
            *inner = hit_domain_empty(inner->dims);
        }
        hit_region_clear(&owned);
    }
    return HIT_OK;
}

/* The parts of a device run one after another. */
static void add_time(const hit_preview_call *w, const hit_preview_peer *by, int d,
                     const hit_domain *index, const hit_superblocks *made,
                     hit_preview_device *mine)
{
    const hit_rates *rates = &by->rates[d];

    mine->time = hit_forecast_add(
        mine->time, hit_rates_predict(rates, &by->call, w->known, index, made));
    mine->sample = *index;
    if (made != NULL && made->plan.filled > 0) {
        mine->sample = hit_plan_piece(&made->plan, hit_plan_next(&made->plan, 0));
    }
    mine->sample.dims = index->dims; /* without a sum that is cut */
    if (rates->kernel != NULL && rates->kernel_w > 0) {
        const double speed =
            hit_fpm_speed(rates->kernel, (double)hit_domain_count(&mine->sample));

        mine->kernel_j +=
            rates->kernel_w * (double)hit_where_count(w->known->where, index) / speed;
    }
}

/* What device @p d does of one piece. */
static hit_status add_part(const hit_preview_call *w, int d, const hit_domain *index,
                           const hit_domain *inner, hit_preview_share *mine)
{
    const hit_preview_peer *by = hit_preview_peer_of(w, mine->rank);
    const hit_device *device = by->context.device[d];
    hit_preview_device *own = &mine->device[d];
    const hit_domain first = hit_domain_intersect(inner, index);
    hit_superblocks made = {0};
    uint64_t indices;

    if (hit_domain_is_empty(index)) return HIT_OK;
    indices = (uint64_t)hit_where_count(w->known->where, index);
    mine->done.indices += indices;
    own->indices += indices;
    if (hit_device_in_place(device)) {
        mine->done.superblocks++;
        add_time(w, by, d, index, NULL, own);
        return HIT_OK;
    }
    HIT_TRY(hit_call_superblocks(&by->call, w->known, device, index, device->limit_bytes,
                                 &made));
    if (made.arena_bytes > 0) hit_call_defer(&by->call, w->known, &first, &made);
    add_time(w, by, d, index, &made, own);
    mine->done.superblocks += (uint64_t)made.plan.filled;
    mine->done.streams |= made.arena_bytes > 0;
    mine->done.stays |= made.arena_bytes == 0;
    mine->done.bytes_in += made.plan.bytes_in;
    mine->done.bytes_out += made.plan.bytes_out;
    own->peak_bytes = hit_preview_larger(own->peak_bytes, made.plan.peak_bytes);
    hit_plan_sum_clear(&made.sum);
    return HIT_OK;
}

/* One process's indices cut over its devices, once or several times. */
typedef struct trial {
    const hit_preview_call *w;
    const hit_region *index;
    hit_preview_peer *by;
    hit_preview_share *mine;
    hit_device_set small; /* devices that get none */
    hit_domain *cut;
    int dim;    /* that is cut */
    int device; /* that was looked at last */
} trial;

/* What all devices do. */
static hit_status add_cut(trial *t)
{
    const int devices = t->by->context.devices;
    hit_domain inner;

    t->mine->done = (hit_preview_done){0};
    memset(t->mine->device, 0, (size_t)t->w->devices * sizeof(hit_preview_device));
    HIT_TRY(find_inner(t->w, t->index, t->mine, &inner));
    for (int k = 0; k < t->index->count * devices; k++) {
        const hit_domain own = hit_where_clip(t->w->known->where, &t->cut[k]);

        t->device = k % devices;
        HIT_TRY(add_part(t->w, t->device, &own, &inner, t->mine));
    }
    return HIT_OK;
}

/* As the launch cuts where no times are known. */
static hit_status cut_and_add(trial *t)
{
    HIT_TRY(
        hit_cut_make(&t->by->call, t->w->known, t->index, &t->small, t->cut, &t->dim));
    return add_cut(t);
}

/* Who has a part of the dimension that is cut, of *whole indices; false: shares of this
 * launch do not follow times, or times are not known (hit/launch/shares.c). */
static bool may_follow(const trial *t, int *sharing, int device[], hit_index *whole)
{
    const hit_context *context = &t->by->context;
    bool follows = false;
    unsigned lacks = 0;

    *sharing = 0;
    *whole = 0;
    for (int a = 0; a < t->w->call->count; a++) {
        if (hit_mode_reduces(t->w->call->kernel->arg[a].mode)) return false;
    }
    for (int d = 0; d < context->devices; d++) {
        follows = follows || context->device[d]->spec.follows;
        lacks |= t->mine->device[d].time.lacks;
        if (t->mine->device[d].indices > 0) device[(*sharing)++] = d;
    }
    for (int k = 0; k < t->index->count && t->dim >= 0; k++) {
        *whole += hit_sig_count(t->index->part[k].sig[t->dim]);
    }
    return follows && lacks == 0 && t->dim >= 0 && *sharing > 1;
}

/* Devices would write the same, or one of them has too little memory. */
static bool is_no_cut(hit_status status)
{
    return status == HIT_E_LIMIT || status == HIT_E_PATTERN;
}

static hit_status add_shares(trial *t, const hit_index part[])
{
    HIT_TRY(hit_cut_again(&t->by->call, t->w->known, t->index, t->dim, part, t->cut));
    return add_cut(t);
}

/* As a run does with measured times, until nothing better is known. */
static hit_status follow(trial *t, int sharing, const int device[], hit_dynamic *dynamic,
                         hit_index part[])
{
    hit_dynamic_verdict verdict;
    hit_index own[HIT_MAX_DEVICES] = {0};
    double seconds[HIT_MAX_DEVICES] = {0};

    HIT_TRY(hit_dynamic_next(dynamic, NULL, own, &verdict));
    while (verdict == HIT_DYNAMIC_CONTINUE) {
        hit_status status;

        for (int k = 0; k < sharing; k++) {
            part[device[k]] = own[k];
        }
        status = add_shares(t, part);
        if (status != HIT_OK && !is_no_cut(status)) return status;
        for (int k = 0; k < sharing; k++) {
            const hit_forecast time = t->mine->device[device[k]].time;

            seconds[k] = status == HIT_OK ? time.again_s : INFINITY;
        }
        HIT_TRY(hit_dynamic_next(dynamic, seconds, own, &verdict));
    }
    for (int k = 0; k < sharing; k++) {
        part[device[k]] = own[k];
    }
    return add_shares(t, part);
}

/* The same for parts of the same extents; NULL: it was not done. */
static const hit_preview_found *find_again(const trial *t)
{
    const hit_domain *index = &t->index->part[0];

    for (int k = 0; k < t->by->founds && t->index->count == 1; k++) {
        const hit_preview_found *one = &t->by->found[k];
        bool same = one->dim == t->dim;

        for (int d = 0; d < index->dims && same; d++) {
            same = one->extent[d] == hit_sig_count(index->sig[d]);
        }
        if (same) return one;
    }
    return NULL;
}

static void keep_found(const trial *t, const hit_index part[])
{
    const hit_domain *index = &t->index->part[0];
    hit_preview_found *one;

    if (t->index->count != 1 || t->by->founds == HIT_PREVIEW_FOUNDS) return;
    one = &t->by->found[t->by->founds++];
    one->dim = t->dim;
    for (int d = 0; d < index->dims; d++) {
        one->extent[d] = hit_sig_count(index->sig[d]);
    }
    memcpy(one->part, part, sizeof(one->part));
}

/* Where shares follow times, those that a run comes to: by times where what stays on
 * devices is there. */
static hit_status follow_times(trial *t)
{
    static const hit_dynamic_options exact = {.imbalance = 0.01, .noise = -1};
    hit_index part[HIT_MAX_DEVICES] = {0};
    int device[HIT_MAX_DEVICES];
    hit_dynamic *dynamic = NULL;
    const hit_preview_found *before;
    hit_index whole;
    int sharing;
    hit_status status;

    if (!may_follow(t, &sharing, device, &whole) || whole < sharing) return HIT_OK;
    before = find_again(t);
    if (before != NULL) {
        status = add_shares(t, before->part);
    } else {
        HIT_TRY(hit_dynamic_create(whole, sharing, &exact, &dynamic));
        status = follow(t, sharing, device, dynamic, part);
        hit_dynamic_destroy(&dynamic);
        if (status == HIT_OK) keep_found(t, part);
    }
    return is_no_cut(status) ? cut_and_add(t) : status;
}

/* A run begins with the first cut: the first launch takes as long as there. */
static hit_status settle(trial *t)
{
    const int devices = t->w->devices;
    double first_s[HIT_MAX_DEVICES];

    for (int d = 0; d < devices; d++) {
        first_s[d] = t->mine->device[d].time.first_s;
    }
    HIT_TRY(follow_times(t));
    for (int d = 0; d < devices; d++) {
        t->mine->device[d].time.first_s = first_s[d];
    }
    return HIT_OK;
}

hit_status hit_preview_devices(const hit_preview_call *w, const hit_region *index,
                               hit_preview_share *mine)
{
    hit_preview_peer *by = hit_preview_peer_of(w, mine->rank);
    const size_t parts = (size_t)index->count * (size_t)by->context.devices;
    trial t = {.w = w, .index = index, .by = by, .mine = mine, .dim = -1};
    hit_status status;

    HIT_TRY(hit_memory_zeroed(parts + 1, sizeof(hit_domain), &t.cut));
    status = cut_and_add(&t);
    while (status == HIT_E_LIMIT && hit_cut_leave(&by->call, t.device, &t.small)) {
        status = cut_and_add(&t);
    }
    if (status == HIT_OK) status = settle(&t);
    free(t.cut);
    return status;
}
