/* SPDX-License-Identifier: MIT
 * A process's indices over its devices. The pieces are put one behind the other along one
 * dimension, and what comes out is cut into one range per device by the integer shares of
 * layouts/partition/algorithms.h, or, where some of the indices do not run, by how many
 * of each range do. Where devices with memories of their own then need clearly more than
 * in rectangles, as of the factors of a product, they get rectangles. Devices run at the
 * same time, so that no two may write the same element; an element that one index writes
 * no other index reads. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "hit/launch/launch_plan.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/costs/costs.h"
#include "patterns/transform.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_COMPARED = 4096, /* parts, one with each other */
    MOST_COUNTED = 256,   /* ranges whose indices are counted ... */
    MOST_ASKED = 64,      /* ... and where that takes looks at tables of data, */
    MOST_SEEN = 128,      /* for so many indices of each */
    FEW = 4               /* devices in rectangles have borders as long as in ranges */
};

/* Dimensions whose balance is hardly worse than that of the best one are as good. */
static const double slack = 1.1;
/* Rectangles are worth it by so much: what launches leave on devices is mostly in ranges.
 */
static const double worth = 0.9;

typedef struct cutting {
    const hit_call *call;
    const hit_known_kernel *known;
    const hit_region *index;
    int devices;
    double speed[HIT_MAX_DEVICES]; /* 0: gets no index */
    hit_domain *need;              /* of one argument, per part ... */
    hit_domain *writes;            /* ... and what is written of it */
} cutting;

/* ---- one way to cut ---- */

static void give_all_to_one(const cutting *c, hit_domain cut[])
{
    int best = 0;

    for (int d = 1; d < c->devices; d++) {
        if (c->speed[d] > c->speed[best]) best = d;
    }
    for (int k = 0; k < c->index->count; k++) {
        for (int d = 0; d < c->devices; d++) {
            cut[k * c->devices + d] =
                d == best ? c->index->part[k] : hit_domain_empty(c->index->part[k].dims);
        }
    }
}

/* The part of @p piece that lies at first..last of all pieces, when it begins at @p at.
 */
static hit_domain slice(const hit_domain *piece, int dim, hit_index at, hit_index first,
                        hit_index last)
{
    const hit_index count = hit_sig_count(piece->sig[dim]);
    hit_domain part = *piece;

    first = first > at ? first - at : 0;
    last = last - at < count - 1 ? last - at : count - 1;
    if (last < first) return hit_domain_empty(piece->dims);
    part.sig[dim] = hit_sig_slice(part.sig[dim], first, last);
    return part;
}

/* @p share of all pieces' extents along @p dim. */
static void cut_by_shares(const cutting *c, int dim, const hit_index share[],
                          hit_domain cut[])
{
    hit_index at = 0;

    for (int k = 0; k < c->index->count; k++) {
        const hit_domain *piece = &c->index->part[k];
        hit_index first = 0;

        for (int d = 0; d < c->devices; d++) {
            cut[k * c->devices + d] = slice(piece, dim, at, first, first + share[d] - 1);
            first += share[d];
        }
        at += hit_sig_count(piece->sig[dim]);
    }
}

static hit_index extent_of(const cutting *c, int dim)
{
    hit_index extent = 0;

    for (int k = 0; k < c->index->count; k++) {
        extent += hit_sig_count(c->index->part[k].sig[dim]);
    }
    return extent;
}

/* How many indices of a range run; where that stands in data, as a share of some that are
 * spread over it: by multiples of square roots, whose remainders lie evenly. */
static hit_index count_range(const hit_where *where, const hit_domain *range)
{
    static const double by[HIT_MAX_DIMS] = {0.41421356, 0.73205081, 0.23606798,
                                            0.64575131};
    const hit_index all = hit_domain_count(range);
    hit_index some = 0;

    if (where->sources == 0 || all <= MOST_SEEN) return hit_where_count(where, range);
    for (int k = 0; k < MOST_SEEN; k++) {
        hit_domain one = hit_domain_empty(range->dims);

        for (int d = 0; d < range->dims; d++) {
            const hit_index count = hit_sig_count(range->sig[d]);
            const hit_index at = (hit_index)(fmod(k * by[d], 1) * (double)count);

            one.sig[d] = hit_sig_slice(range->sig[d], at, at);
        }
        one = hit_where_clip(where, &one);
        some += !hit_domain_is_empty(&one);
    }
    return (hit_index)((double)all * (double)some / MOST_SEEN);
}

/* How many indices run at the positions before range k of @p wide positions, in sum[k].
 */
static void count_ranges(const cutting *c, int dim, hit_index wide, hit_index ranges,
                         hit_index sum[])
{
    hit_index at = 0;

    for (int k = 0; k < c->index->count; k++) {
        const hit_domain *piece = &c->index->part[k];
        const hit_index count = hit_sig_count(piece->sig[dim]);

        for (hit_index r = at / wide; r * wide < at + count; r++) {
            const hit_domain range = slice(piece, dim, at, r * wide, r * wide + wide - 1);
            const hit_index some = count_range(c->known->where, &range);

            sum[r + 1] += hit_smaller(some, HIT_COSTS_MOST / ranges / c->index->count);
        }
        at += count;
    }
    for (hit_index r = 0; r < ranges; r++) {
        sum[r + 1] += sum[r];
    }
}

/* Each device gets as many of the indices that run as it is fast. False: there are none,
 * and the shares are not set. */
static hit_status share_ranges(const cutting *c, int dim, hit_index share[], bool *any,
                               double *time)
{
    const hit_index extent = extent_of(c, dim);
    const hit_index most = c->known->where->sources > 0 ? MOST_ASKED : MOST_COUNTED;
    const hit_index wide = (extent + most - 1) / most;
    hit_index sum[MOST_COUNTED + 1] = {0};
    hit_costs costs = {.sum = sum, .parts = c->devices, .speed = c->speed};
    hit_index left = extent;

    *any = false;
    if (extent == 0) return HIT_OK;
    costs.n = (extent + wide - 1) / wide;
    count_ranges(c, dim, wide, costs.n, sum);
    *any = sum[costs.n] > 0;
    if (!*any) return HIT_OK;
    HIT_TRY(hit_partition_costs(&costs, share));
    *time = hit_costs_makespan(&costs, share);
    for (int d = 0; d < c->devices; d++) {
        share[d] = hit_smaller(share[d] * wide, left);
        left -= share[d];
    }
    return HIT_OK;
}

/* ---- how good it is ---- */

/* The time of the slowest device. */
static double makespan(const cutting *c, const hit_domain cut[])
{
    double most = 0;

    for (int d = 0; d < c->devices; d++) {
        double indices = 0;

        for (int k = 0; k < c->index->count; k++) {
            indices += (double)hit_domain_count(&cut[k * c->devices + d]);
        }
        if (indices > 0) most = fmax(most, indices / c->speed[d]);
    }
    return most;
}

/* *time: that of the slowest device. */
static hit_status cut_by_speed(const cutting *c, int dim, hit_index share[],
                               hit_domain cut[], double *time)
{
    bool counted = false;

    if (c->known->where != NULL) HIT_TRY(share_ranges(c, dim, share, &counted, time));
    if (!counted) {
        HIT_TRY(hit_partition_cpm(extent_of(c, dim), c->devices, c->speed, share));
    }
    cut_by_shares(c, dim, share, cut);
    if (!counted) *time = makespan(c, cut);
    return HIT_OK;
}

static bool parts_meet(const cutting *c, const hit_domain cut[])
{
    const int parts = c->index->count * c->devices;

    for (int a = 0; a < parts; a++) {
        if (hit_domain_is_empty(&cut[a])) continue;
        for (int b = a + 1; b < parts; b++) {
            if (a % c->devices == b % c->devices) continue;
            if (hit_domain_is_empty(&cut[b])) continue;
            if (hit_domain_meets(&c->writes[a], &c->need[b])) return true;
            if (hit_domain_meets(&c->need[a], &c->writes[b])) return true;
        }
    }
    return false;
}

/* Would a device write what another one needs? c->need and c->writes are set. Where
 * the boxes around all that each device needs do not meet, the parts do not either. */
static bool clashes(const cutting *c, const hit_domain cut[])
{
    const int parts = c->index->count * c->devices;
    hit_domain hull[HIT_MAX_DEVICES];
    bool any[HIT_MAX_DEVICES] = {false};
    bool near = false;

    for (int k = 0; k < parts; k++) {
        const int d = k % c->devices;

        if (hit_domain_is_empty(&cut[k])) continue;
        hull[d] = any[d] ? hit_domain_cover(&hull[d], &c->need[k]) : c->need[k];
        any[d] = true;
    }
    for (int a = 0; a < c->devices; a++) {
        for (int b = a + 1; b < c->devices; b++) {
            near = near || (any[a] && any[b] && hit_domain_meets(&hull[a], &hull[b]));
        }
    }
    if (!near) return false;
    return parts > MOST_COMPARED || parts_meet(c, cut);
}

/* What the devices need together, in bytes; INFINITY if two would write the same. */
static double bytes_of(const cutting *c, const hit_domain cut[])
{
    const int parts = c->index->count * c->devices;
    double bytes = 0;

    for (int a = 0; a < c->call->count; a++) {
        const hit_arg *arg = &c->call->args[a];
        const hit_mode mode = c->call->kernel->arg[a].mode;

        if (arg->tile == NULL) continue;
        for (int k = 0; k < parts; k++) {
            if (hit_domain_is_empty(&cut[k])) continue;
            c->need[k] =
                hit_pattern_cover(&c->known->pattern[a], &arg->tile->domain, &cut[k]);
            bytes += (double)hit_domain_count(&c->need[k]) * (double)arg->type.size_bytes;
        }
        if (mode == HIT_MODE_IN || hit_mode_reduces(mode)) continue;
        if (c->known->pattern[a].lookups != NULL) continue; /* put together as sums are */
        for (int k = 0; k < parts; k++) {
            c->writes[k] = c->need[k];
            if (c->known->pattern[a].only_read == 0 || hit_domain_is_empty(&cut[k])) {
                continue;
            }
            c->writes[k] =
                hit_pattern_cover(&c->known->writes[a], &arg->tile->domain, &cut[k]);
        }
        if (clashes(c, cut)) return INFINITY;
    }
    return bytes;
}

/* ---- the best ---- */

/* Where all are as good the longest one, which is the one of stencils on the same tiles:
 * what they leave on the devices stays there. */
static bool is_better(const cutting *c, const double bytes[], int d, int best)
{
    if (best < 0 || bytes[d] != bytes[best]) return best < 0 || bytes[d] < bytes[best];
    return extent_of(c, d) > extent_of(c, best);
}

static void cut_rectangle(const hit_domain *piece, int rows, int columns,
                          const hit_rect *rect, hit_domain *cut)
{
    *cut = slice(piece, rows, 0, rect->row, rect->row + rect->height - 1);
    *cut = slice(cut, columns, 0, rect->column, rect->column + rect->width - 1);
}

/* Of dimensions @p rows and @p columns, in columns, by the speeds. */
static hit_status cut_rectangles(const cutting *c, int rows, int columns,
                                 hit_domain cut[])
{
    const hit_domain *piece = &c->index->part[0];
    const hit_plane plane = {.rows = hit_sig_count(piece->sig[rows]),
                             .columns = hit_sig_count(piece->sig[columns]),
                             .parts = c->devices,
                             .speed = c->speed};
    hit_rect rect[HIT_MAX_DEVICES];

    HIT_TRY(hit_partition_columns(&plane, rect));
    for (int d = 0; d < c->devices; d++) {
        cut_rectangle(piece, rows, columns, &rect[d], &cut[d]);
    }
    return HIT_OK;
}

/* Are there enough devices to which bytes have to be brought, and would these be clearly
 * fewer than @p bytes if none came twice? Shares that follow times are those of ranges.
 */
static bool may_be_rectangles(const cutting *c, double bytes, hit_domain cut[])
{
    const hit_context *context = c->call->context;
    int count = 0;

    if (c->index->count != 1 || c->known->where != NULL) return false;
    for (int d = 0; d < c->devices; d++) {
        if (context->device[d]->spec.follows) return false;
        count += c->speed[d] > 0 && !hit_device_in_place(context->device[d]);
    }
    if (count < FEW) return false;
    give_all_to_one(c, cut);
    return bytes_of(c, cut) < worth * bytes;
}

/* Rectangles for which the devices need clearly less than @p bytes. *dim -1: these. */
static hit_status choose_rectangles(const cutting *c, double bytes, double time,
                                    hit_domain cut[], int *dim)
{
    const int dims = c->call->domain.dims;
    double least = worth * bytes;
    int best = -1;

    if (!may_be_rectangles(c, bytes, cut)) return HIT_OK;
    for (int pair = 0; pair < dims * dims; pair++) {
        double found;

        if (pair / dims == pair % dims) continue;
        HIT_TRY(cut_rectangles(c, pair / dims, pair % dims, cut));
        if (makespan(c, cut) > slack * time) continue;
        found = bytes_of(c, cut);
        if (found >= least) continue;
        least = found;
        best = pair;
    }
    if (best < 0) return HIT_OK;
    *dim = -1;
    return cut_rectangles(c, best / dims, best % dims, cut);
}

static hit_status choose(const cutting *c, hit_domain cut[], int *dim)
{
    const int dims = c->call->domain.dims;
    hit_index share[HIT_MAX_DIMS][HIT_MAX_DEVICES];
    double time[HIT_MAX_DIMS];
    double bytes[HIT_MAX_DIMS];
    double least = INFINITY;
    int best = -1;

    for (int d = 0; d < dims; d++) {
        HIT_TRY(cut_by_speed(c, d, share[d], cut, &time[d]));
        bytes[d] = bytes_of(c, cut);
        if (bytes[d] < INFINITY) least = fmin(least, time[d]);
    }
    for (int d = 0; d < dims; d++) {
        if (bytes[d] == INFINITY || time[d] > slack * least) continue;
        if (is_better(c, bytes, d, best)) best = d;
    }
    *dim = best;
    if (best < 0) {
        give_all_to_one(c, cut);
        return HIT_OK;
    }
    HIT_TRY(choose_rectangles(c, bytes[best], least, cut, dim));
    if (*dim >= 0) cut_by_shares(c, best, share[best], cut);
    return HIT_OK;
}

/* Who may run the launch, and how fast they are said to be; *count: how many they are. */
static hit_status set_speeds(cutting *c, const hit_device_set *small, int *count)
{
    const hit_call *call = c->call;
    hit_index share[HIT_MAX_DEVICES];
    hit_device_set able;

    HIT_TRY(hit_call_able(call, &able));
    (void)hit_shares_given(call->context, share);
    *count = 0;
    for (int spare = 0; spare <= 1 && *count == 0; spare++) {
        for (int d = 0; d < c->devices; d++) {
            const hit_device_spec *spec = &call->context->device[d]->spec;

            if (!hit_device_set_has(&able, d) || hit_device_set_has(small, d)) continue;
            if (spec->spare != (spare > 0)) continue;
            c->speed[d] = share[d] > 0 ? (double)share[d] : 1;
            ++*count;
        }
    }
    return HIT_OK;
}

bool hit_cut_leave(const hit_call *call, int device, hit_device_set *small)
{
    hit_device *const *all = call->context->device;
    hit_device_set able;
    bool others = false;

    if (hit_call_able(call, &able) != HIT_OK) return false;
    for (int d = 0; d < call->context->devices; d++) {
        if (!hit_device_in_place(all[d]) &&
            all[d]->limit_bytes <= all[device]->limit_bytes) {
            hit_device_set_add(small, d);
        }
        others =
            others || (hit_device_set_has(&able, d) && !hit_device_set_has(small, d));
    }
    return others;
}

static hit_status make_needs(cutting *c)
{
    const size_t parts = (size_t)c->index->count * (size_t)c->devices;

    HIT_TRY(hit_memory_zeroed(2 * (parts + 1), sizeof(hit_domain), &c->need));
    c->writes = c->need + parts + 1;
    return HIT_OK;
}

hit_status hit_cut_make(const hit_call *call, const hit_known_kernel *known,
                        const hit_region *index, const hit_device_set *small,
                        hit_domain cut[], int *dim)
{
    cutting c = {
        .call = call, .known = known, .index = index, .devices = call->context->devices};
    hit_status status;
    int count = 0;

    *dim = -1;
    HIT_TRY(set_speeds(&c, small, &count));
    if (count == 1 || hit_kernel_is_ordered(call->kernel)) {
        give_all_to_one(&c, cut);
        return HIT_OK;
    }
    HIT_TRY(make_needs(&c));
    status = choose(&c, cut, dim);
    free(c.need);
    return status;
}

hit_status hit_cut_again(const hit_call *call, const hit_known_kernel *known,
                         const hit_region *index, int dim, const hit_index share[],
                         hit_domain cut[])
{
    cutting c = {
        .call = call, .known = known, .index = index, .devices = call->context->devices};
    const hit_index extent = extent_of(&c, dim);
    hit_index all = 0;
    double bytes;

    for (int d = 0; d < c.devices; d++) {
        all += share[d];
    }
    if (all != extent) {
        return HIT_FAIL(HIT_E_ARG, "expected shares of %lld positions but found %lld",
                        (long long)extent, (long long)all);
    }
    HIT_TRY(make_needs(&c));
    cut_by_shares(&c, dim, share, cut);
    bytes = bytes_of(&c, cut);
    free(c.need);
    if (bytes < INFINITY) return HIT_OK;
    return HIT_FAIL(HIT_E_PATTERN, "kernel %s: two devices would write the same elements",
                    call->kernel->name);
}
