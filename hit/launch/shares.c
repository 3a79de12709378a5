/* SPDX-License-Identifier: MIT
 * Shares of devices, as they are given, or as they follow measured times. Of a round of
 * launches the shortest time of each device counts: the minimum is not affected by a
 * delay that happens once. Shares are reconsidered after each round; rounds in which
 * nothing changes become longer. A block of a chain counts as so many launches. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/launch/launch_plan.h"
#include "hit/tile/station.h"
#include "layouts/partition/dynamic/dynamic.h"

#include <math.h>
#include <stdlib.h>

enum {
    SHORT_ROUND = 3, /* launches */
    LONG_ROUND = 48
};

struct hit_shares {
    hit_dynamic *dynamic;
    int devices; /* that take part */
    int device[HIT_MAX_DEVICES];
    double least_s[HIT_MAX_DEVICES]; /* in this round */
    int round;
    int looks; /* in this round; -1: what runs next is not looked at */
    uint64_t launches;
};

bool hit_shares_given(const hit_context *context, hit_index share[])
{
    bool given = context->shares_follow;

    for (int d = 0; d < context->devices; d++) {
        const hit_device_spec *spec = &context->device[d]->spec;

        given = given || spec->share > 0;
        share[d] = spec->share > 0 ? spec->share : 1;
        if (spec->spare) share[d] = 0;
    }
    return given;
}

/* Where the indices of a part begin, among the positions of all pieces. */
static hit_index position_of(const hit_launch_plan *plan, const hit_part *part)
{
    const int dim = plan->cut_dim;
    const hit_sig whole = plan->index[part->piece].sig[dim];
    hit_index before = 0;

    for (int k = 0; k < part->piece; k++) {
        before += hit_sig_count(plan->index[k].sig[dim]);
    }
    return before + (part->index.sig[dim].begin - whole.begin) / whole.stride;
}

/* How much of the dimension that is cut each device has. Parts are only what runs of it:
 * positions where nothing does are those of the device before them. */
void hit_shares_of_plan(const hit_launch_plan *plan, int devices, hit_index share[])
{
    hit_index first = 0;
    hit_index all = 0;

    for (int d = 0; d < devices; d++) {
        share[d] = 0;
    }
    if (plan->cut_dim < 0) return;
    for (int k = 0; k < plan->pieces; k++) {
        all += hit_sig_count(plan->index[k].sig[plan->cut_dim]);
    }
    for (int k = 0; k < plan->parts; k++) {
        const bool last = k + 1 == plan->parts;
        const hit_index next = last ? all : position_of(plan, &plan->part[k + 1]);

        share[plan->part[k].device] += next - first;
        first = next;
    }
}

/* What is run next may find its data elsewhere, or caches cold. */
static void open_round(hit_shares *s, int launches, bool moved)
{
    s->round = launches < LONG_ROUND ? launches : LONG_ROUND;
    s->looks = moved ? -1 : 0;
    for (int d = 0; d < s->devices; d++) {
        s->least_s[d] = INFINITY;
    }
}

hit_status hit_shares_create(int devices, const hit_index share[], hit_shares **shares)
{
    hit_shares *made = NULL;
    hit_index all = 0;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    for (int d = 0; d < devices; d++) {
        if (share[d] > 0) made->device[made->devices++] = d;
        all += share[d];
    }
    open_round(made, SHORT_ROUND, true);
    status = hit_dynamic_create(all, made->devices, NULL, &made->dynamic);
    if (status != HIT_OK) {
        hit_shares_end(&made);
        return status;
    }
    *shares = made;
    return HIT_OK;
}

static int count_sharing(int devices, const hit_index share[])
{
    int count = 0;

    for (int d = 0; d < devices; d++) {
        count += share[d] > 0;
    }
    return count;
}

hit_status hit_shares_begin(const hit_call *call, hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    hit_index share[HIT_MAX_DEVICES];

    if (!context->shares_follow || plan->cut_dim < 0 || plan->reduces) return HIT_OK;
    hit_shares_of_plan(plan, context->devices, share);
    if (count_sharing(context->devices, share) < 2) return HIT_OK;
    return hit_shares_create(context->devices, share, &plan->shares);
}

void hit_shares_end(hit_shares **shares)
{
    if (*shares == NULL) return;
    hit_dynamic_destroy(&(*shares)->dynamic);
    free(*shares);
    *shares = NULL;
}

/* What a device does in no time is 1 ns. */
bool hit_shares_look(hit_shares *s, const hit_stations *stations, int launches)
{
    s->launches += (uint64_t)launches;
    if (s->looks < 0) {
        s->looks = 0;
        return false;
    }
    s->looks += launches;
    for (int k = 0; k < s->devices; k++) {
        const double run_s = stations->station[s->device[k]].run_s / launches;

        s->least_s[k] = fmin(s->least_s[k], fmax(1e-9, run_s));
    }
    return s->looks >= s->round;
}

/* No share becomes 0: a device without work would never be seen to become faster. */
static void keep_all(int parts, hit_index share[])
{
    for (int k = 0; k < parts; k++) {
        int most = 0;

        if (share[k] > 0) continue;
        for (int other = 1; other < parts; other++) {
            if (share[other] > share[most]) most = other;
        }
        share[most]--;
        share[k]++;
    }
}

bool hit_shares_follow(hit_shares *s, hit_index share[])
{
    hit_index own[HIT_MAX_DEVICES] = {0};
    hit_index proposed[HIT_MAX_DEVICES] = {0};
    double now_s = 0;
    double then_s = 0;
    bool better;

    for (int k = 0; k < s->devices; k++) {
        own[k] = share[s->device[k]];
    }
    if (hit_dynamic_observe(s->dynamic, own, s->least_s) != HIT_OK ||
        hit_dynamic_predict(s->dynamic, own, &now_s) != HIT_OK ||
        hit_dynamic_propose(s->dynamic, proposed, &then_s) != HIT_OK) {
        return false;
    }
    keep_all(s->devices, proposed);
    /* what has to move costs about as much as what is computed on it once; as many
     * launches as there were are expected to come */
    better = hit_dynamic_pays(s->dynamic, now_s, then_s, now_s, (double)s->launches);
    for (int k = 0; k < s->devices && better; k++) {
        share[s->device[k]] = proposed[k];
    }
    return better;
}

void hit_shares_open_round(hit_shares *s, bool better)
{
    open_round(s, better ? SHORT_ROUND : 2 * s->round, better);
}

void hit_shares_note(const hit_call *call, hit_launch_plan *plan)
{
    hit_shares *s = plan->shares;
    hit_index share[HIT_MAX_DEVICES];
    bool better;

    if (!hit_shares_look(s, call->context->stations, 1)) return;
    hit_shares_of_plan(plan, call->context->devices, share);
    better = hit_shares_follow(s, share) && hit_parts_cut(plan, call, share) == HIT_OK;
    hit_shares_open_round(s, better);
}
