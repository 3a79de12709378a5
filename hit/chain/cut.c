/* SPDX-License-Identifier: MIT
 * A chain on several devices: the same margins as over processes (hit/chain/spread.h),
 * along the first axis. Each device streams its part of all launches
 * (hit/chain/spread.h), and its own rows of the results go out. */
#include "hit/base/memory.h"
#include "hit/chain/spread.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"

#include <stdlib.h>

static const hit_index far = (hit_index)1 << 60;

/* Pieces of so much are large enough for all threads. */
static const size_t little_bytes = (size_t)256 << 20;

hit_status hit_chain_cut_create(int shares, hit_chain_cut **cut)
{
    const size_t count = (size_t)shares;
    hit_chain_cut *made = NULL;
    hit_status status = hit_memory_zeroed(1, sizeof(*made), &made);

    if (status != HIT_OK) return status;
    made->shares = shares;
    status = hit_memory_zeroed(count, sizeof(*made->share), &made->share);
    if (status == HIT_OK) {
        status = hit_memory_zeroed(count, sizeof(*made->weight), &made->weight);
    }
    if (status == HIT_OK && shares > 1) {
        status = hit_memory_zeroed(HIT_CHAIN_LAUNCHES, sizeof(*made->work), &made->work);
    }
    if (status == HIT_OK && shares > 1) {
        status = hit_memory_zeroed((size_t)HIT_CHAIN_LAUNCHES * HIT_MAX_ARGS,
                                   sizeof(*made->work_use), &made->work_use);
    }
    for (int k = 0; k < shares && status == HIT_OK; k++) {
        made->weight[k] = 1;
        if (shares == 1) continue;
        status = hit_memory_zeroed(1, sizeof(hit_chain_narrow), &made->share[k].narrow);
    }
    if (status != HIT_OK) {
        hit_chain_cut_destroy(&made);
        return status;
    }
    *cut = made;
    return HIT_OK;
}

void hit_chain_cut_destroy(hit_chain_cut **cut)
{
    hit_chain_cut *old = *cut;

    if (old == NULL) return;
    for (int k = 0; k < old->shares && old->share != NULL; k++) {
        free(old->share[k].narrow);
    }
    free(old->share);
    free(old->weight);
    free(old->work);
    free(old->work_use);
    free(old);
    *cut = NULL;
}

/* ---- which launches ---- */

static bool reach_of(const hit_skew *chain, int l, const hit_chain_use *use,
                     hit_index *low, hit_index *high)
{
    const hit_chain_axes *axes = &chain->of[use->storage];

    return axes->since > 0 &&
           hit_chain_reach(&chain->place[l], use, 0, axes->dim[0], low, high);
}

static uint32_t written_by(const hit_chain_launch *launch)
{
    uint32_t written = 0;

    for (int u = 0; u < launch->uses; u++) {
        const hit_chain_use *use = &launch->use[u];

        if (use->writes && !hit_domain_is_empty(&use->cover)) {
            written |= (uint32_t)1 << use->storage;
        }
    }
    return written;
}

/* Which element of its first axis a launch writes at position 0, if that is one. */
static hit_index offset_of(const hit_skew *chain, const hit_chain_launch *launch, int l)
{
    hit_index low = 0;
    hit_index high = 0;

    for (int u = 0; u < launch->uses; u++) {
        const hit_chain_use *use = &launch->use[u];

        if (use->writes && reach_of(chain, l, use, &low, &high)) return low;
    }
    return 0;
}

static const char *use_refused(const hit_skew *chain, int l, const hit_chain_use *use,
                               uint32_t written)
{
    hit_index low = 0;
    hit_index high = 0;

    if ((written >> use->storage & 1u) == 0) return NULL;
    if (hit_domain_is_empty(&use->cover)) return NULL;
    if (!reach_of(chain, l, use, &low, &high)) {
        return "several devices cannot share what it touches of a tile that is written";
    }
    if (use->writes && low != high && chain->place[l].index[0] >= 0) {
        return "several devices cannot share the rows that each of its indices writes";
    }
    return NULL;
}

const char *hit_chain_cut_refused(const hit_skew *chain,
                                  const hit_chain_launch *const launch[], int launches)
{
    uint32_t written = 0;

    for (int l = 0; l < launches; l++) {
        written |= written_by(launch[l]);
    }
    for (int l = 0; l < launches; l++) {
        for (int u = 0; u < launch[l]->uses; u++) {
            const char *why = use_refused(chain, l, &launch[l]->use[u], written);

            if (why != NULL) return why;
        }
    }
    return NULL;
}

/* ---- margins ---- */

static void add_use(const hit_skew *chain, int l, const hit_chain_use *use,
                    hit_index offset, hit_deep_launch *launch)
{
    hit_index low = 0;
    hit_index high = 0;
    hit_deep_use *made;

    if (hit_domain_is_empty(&use->cover)) return;
    if (!reach_of(chain, l, use, &low, &high)) return; /* nothing writes it */
    made = &launch->use[launch->uses++];
    *made = (hit_deep_use){.field = use->storage,
                           .reads = !use->writes || !use->overwrites,
                           .writes = use->writes,
                           .whole = use->writes && use->overwrites,
                           .cover = use->cover};
    made->reach.low[0] = offset - low;
    made->reach.high[0] = high - offset;
}

static void set_margins(const hit_chain_stream_request *r, hit_chain_cut *cut)
{
    for (int k = 0; k < r->launches; k++) {
        const int l = r->first + k;
        const hit_chain_launch *launch = r->launch[l];
        const hit_index offset = offset_of(r->chain, launch, l);

        cut->work[k].uses = 0;
        cut->work[k].use = &cut->work_use[(size_t)k * HIT_MAX_ARGS];
        for (int u = 0; u < launch->uses; u++) {
            add_use(r->chain, l, &launch->use[u], offset, &cut->work[k]);
        }
    }
    hit_deep_extend(r->launches, cut->work);
}

/* ---- rows ---- */

/* Around all that is written. */
static hit_sig rows_of(const hit_chain_stream_request *r)
{
    hit_sig made = {far, -far, 1};

    for (int l = r->first; l < r->first + r->launches; l++) {
        for (int u = 0; u < r->launch[l]->uses; u++) {
            const hit_chain_use *use = &r->launch[l]->use[u];
            hit_sig rows;

            if (!use->writes || hit_domain_is_empty(&use->cover)) continue;
            rows = use->cover.sig[r->chain->of[use->storage].dim[0]];
            made.begin = hit_smaller(made.begin, rows.begin);
            made.end = hit_larger(made.end, rows.end);
        }
    }
    return made;
}

static void set_rows(const hit_chain_stream_request *r, hit_chain_cut *cut)
{
    const hit_sig all = rows_of(r);
    const hit_index count = hit_sig_count(all);
    hit_chain_share *first = NULL;
    hit_chain_share *last = NULL;
    hit_index weights = 0;
    hit_index sum = 0;

    for (int k = 0; k < cut->shares; k++) {
        weights += cut->weight[k];
    }
    for (int k = 0; k < cut->shares; k++) {
        hit_chain_share *share = &cut->share[k];

        share->own.stride = 1;
        share->own.begin = all.begin + count * sum / weights;
        sum += cut->weight[k];
        share->own.end = all.begin + count * sum / weights - 1;
        share->rows = hit_sig_count(share->own);
        share->runs = share->rows > 0;
        if (!share->runs) continue;
        if (first == NULL) first = share;
        last = share;
    }
    if (first == NULL) first = last = &cut->share[0]; /* nothing is written */
    first->runs = true;
    first->own.begin = -far;
    last->own.end = far;
}

/* ---- what a share runs ---- */

static hit_domain narrow_cover(const hit_chain_stream_request *r, int l,
                               const hit_chain_use *use, const hit_chain_place *place)
{
    hit_domain cover = use->cover;
    hit_index low = 0;
    hit_index high = 0;
    hit_sig *rows;

    if (place->begin[0] > place->end[0]) return hit_domain_empty(cover.dims);
    if (hit_domain_is_empty(&cover)) return cover;
    if (!reach_of(r->chain, l, use, &low, &high)) return cover;
    rows = &cover.sig[r->chain->of[use->storage].dim[0]];
    *rows = hit_sig_intersect(
        *rows, hit_sig_make(place->begin[0] + low, place->end[0] + high, 1));
    return cover;
}

/* A launch whose positions are one, whatever its indices are, is run as a whole. */
static void narrow_place(hit_index begin, hit_index end, hit_chain_place *place)
{
    if (place->index[0] >= 0) {
        place->begin[0] = hit_larger(place->begin[0], begin);
        place->end[0] = hit_smaller(place->end[0], end);
    } else if (place->begin[0] < begin || place->end[0] > end) {
        place->end[0] = place->begin[0] - 1;
    }
}

static void narrow_launch(const hit_chain_stream_request *r, int l,
                          const hit_margin *extra, const hit_sig *own,
                          hit_chain_narrow *made)
{
    const hit_chain_launch *launch = r->launch[l];
    const hit_index offset = offset_of(r->chain, launch, l);
    hit_chain_place *place = &made->chain.place[l];
    hit_chain_launch *to = &made->launch[l];

    narrow_place(own->begin - extra->low[0] - offset, own->end + extra->high[0] - offset,
                 place);
    to->kernel = launch->kernel;
    to->domain = launch->domain;
    to->uses = launch->uses;
    if (place->index[0] >= 0) {
        to->domain.sig[place->index[0]] = hit_sig_make(place->begin[0], place->end[0], 1);
    }
    for (int u = 0; u < launch->uses; u++) {
        to->use[u] = launch->use[u];
        to->use[u].cover = narrow_cover(r, l, &launch->use[u], place);
    }
    made->list[l] = to;
}

static hit_chain_stream_request narrow(const hit_chain_stream_request *r,
                                       const hit_chain_cut *cut,
                                       const hit_chain_share *share)
{
    hit_chain_narrow *made = share->narrow;
    hit_chain_stream_request some = *r;

    some.alone_bytes = NULL;
    if (made == NULL) return some;
    made->chain = *r->chain;
    for (int k = 0; k < r->launches; k++) {
        narrow_launch(r, r->first + k, &cut->work[k].extra, &share->own, made);
    }
    some.chain = &made->chain;
    some.launch = made->list;
    some.own = &share->own;
    return some;
}

/* ---- all shares ---- */

/* Of the host's memory only what is needed is taken where that is much. */
static bool fit(const hit_chain_stream_request *r, hit_chain_share *share)
{
    hit_chain_stream_request less = *r;

    if (share->host && r->limit_bytes > little_bytes) {
        less.limit_bytes = little_bytes;
        if (hit_chain_stream_fit(&less, &share->plan)) return true;
    }
    return hit_chain_stream_fit(r, &share->plan);
}

bool hit_chain_cut_plan(hit_chain_cut *cut, const hit_chain_stream_request *request)
{
    const hit_chain_stream_request *r = request;

    cut->cost = 0;
    cut->written = 0;
    for (int l = r->first; l < r->first + r->launches; l++) {
        cut->written |= written_by(r->launch[l]);
    }
    if (cut->shares == 1) {
        cut->share[0].runs = true;
        cut->share[0].own = (hit_sig){-far, far, 1};
    } else {
        set_margins(r, cut);
        set_rows(r, cut);
    }
    for (int k = 0; k < cut->shares; k++) {
        hit_chain_share *share = &cut->share[k];
        hit_chain_stream_request some;

        if (!share->runs) continue;
        some = narrow(r, cut, share);
        if (!fit(&some, share)) return false;
        cut->cost += share->plan.cost;
    }
    return hit_chain_stream_is_less(r, hit_chain_cut_bytes(cut));
}

bool hit_chain_cut_plan_group(hit_chain_cut *cut, const hit_chain_stream_request *request,
                              int count)
{
    hit_chain_stream_request some = *request;
    hit_chain_stream_request follows = *request;
    const int left = count - request->first - request->launches;
    hit_domain fresh[HIT_CHAIN_STORAGES];

    if (left > 0) {
        follows.first += request->launches;
        if (left < follows.launches) follows.launches = left;
        hit_chain_stream_fresh(&follows, fresh);
        some.dead = fresh;
    }
    return hit_chain_cut_plan(cut, &some);
}

int hit_chain_cut_group(hit_chain_cut *cut, const hit_chain_stream_request *request,
                        int period)
{
    const int step = period > 0 ? period : 1;
    hit_chain_stream_request some = *request;
    hit_domain fresh[HIT_CHAIN_STORAGES];
    double least = 0;
    int best = 0;

    for (int groups = 1; groups <= request->launches; groups++) {
        const int even = (request->launches + groups - 1) / groups;
        const int launches = (even + step - 1) / step * step;

        some.launches = launches < request->launches ? launches : request->launches;
        if (best > 0 && some.launches == best) continue;
        hit_chain_stream_fresh(&some, fresh);
        some.dead = fresh;
        if (!hit_chain_cut_plan(cut, &some)) continue;
        if (best > 0 && cut->cost / some.launches >= least) continue;
        best = some.launches;
        least = cut->cost / some.launches;
    }
    some.launches = 1;
    return best > 0 || !hit_chain_cut_plan(cut, &some) ? best : 1;
}

uint64_t hit_chain_cut_bytes(const hit_chain_cut *cut)
{
    uint64_t bytes = 0;

    for (int k = 0; k < cut->shares; k++) {
        const hit_chain_share *share = &cut->share[k];

        if (share->runs) bytes += share->plan.bytes_in + share->plan.bytes_out;
    }
    return bytes;
}

/* ---- the rows of others ---- */

hit_domain hit_chain_share_side(const hit_chain_share *share, int storage, hit_domain box,
                                hit_chain_side side)
{
    const int dim = share->plan.band[storage].rows_dim;
    const hit_sig rows[HIT_CHAIN_SIDES] = {
        {-far, share->own.begin - 1, 1}, share->own, {share->own.end + 1, far, 1}};

    if (box.dims == 0) return side == HIT_CHAIN_OWN ? box : hit_domain_empty(0);
    box.sig[dim] = hit_sig_intersect(box.sig[dim], rows[side]);
    return box;
}

hit_domain hit_chain_cut_halo(const hit_chain_cut *cut, const hit_chain_share *share,
                              int storage, hit_chain_side side)
{
    const hit_chain_band *of = &share->plan.band[storage];
    hit_domain box;

    if (side == HIT_CHAIN_OWN || !of->used || (cut->written >> storage & 1u) == 0) {
        return hit_domain_empty(of->box.dims);
    }
    box = hit_chain_share_side(share, storage, of->box, side);
    return hit_domain_inside(&box, &of->fresh) ? hit_domain_empty(box.dims) : box;
}
