/* SPDX-License-Identifier: MIT
 * Runs of positions by cost. Can all be done in time T? The first part takes as many
 * positions as it can, the next one as many of the rest, and so on: no other cuts reach
 * further (Pinar, Tabak, Aykanat, "One-dimensional partitioning for heterogeneous
 * systems: theory and practice", JPDC 68, 2008). T is halved between what failed and the
 * best makespan so far, which is attained. That leaves the last part with the rest;
 * afterwards cuts are moved to where times are even, as far as T allows. */
#include "layouts/partition/costs/costs.h"

#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double hit_costs_time(const hit_costs *costs, int i, hit_index from, hit_index to)
{
    const double cost = (double)(costs->sum[to] - costs->sum[from]);
    double seconds;

    if (from == to) return 0;
    if (costs->speed != NULL) {
        if (costs->speed[i] > 0) return cost / costs->speed[i];
        return INFINITY;
    }
    seconds = hit_fpm_time(costs->fpm[i], to - from);
    return isinf(seconds) ? INFINITY : cost * (seconds / (double)(to - from));
}

double hit_costs_makespan(const hit_costs *costs, const hit_index share[])
{
    hit_index at = 0;
    double most = 0;

    for (int i = 0; i < costs->parts; i++) {
        most = fmax(most, hit_costs_time(costs, i, at, at + share[i]));
        at += share[i];
    }
    return most;
}

/* ---- by speeds ---- */

/** The last position to which part @p i gets from @p from in @p seconds. */
static hit_index reach(const hit_costs *c, int i, hit_index from, double seconds)
{
    hit_index low = from + 1;
    hit_index high = c->n + 1;

    HIT_BISECT(k, low, high, !(hit_costs_time(c, i, from, k) <= seconds));
    return low - 1;
}

/** The first position from which part @p i gets to @p to in @p seconds. */
static hit_index reach_back(const hit_costs *c, int i, hit_index to, double seconds)
{
    hit_index low = 0;
    hit_index high = to;

    HIT_BISECT(k, low, high, hit_costs_time(c, i, k, to) <= seconds);
    return low;
}

/** Fill the shares from the front; are these all positions? */
static bool fill(const hit_costs *c, double seconds, hit_index share[])
{
    hit_index at = 0;

    for (int i = 0; i < c->parts; i++) {
        const hit_index next = reach(c, i, at, seconds);

        share[i] = next - at;
        at = next;
    }
    return at == c->n;
}

/** The smallest makespan, to the last bit. */
static double least_makespan(const hit_costs *c, hit_index trial[])
{
    double low = 0;
    double best;

    if (fill(c, 0, trial)) return 0;
    (void)fill(c, DBL_MAX, trial); /* the first part of a speed > 0 takes all */
    best = hit_costs_makespan(c, trial);
    while (low < best) {
        const double middle = hit_partition_middle(low, best);

        if (middle <= low) break;
        if (fill(c, middle, trial)) {
            best = hit_costs_makespan(c, trial);
        } else {
            low = middle;
        }
    }
    return best;
}

/** The position whose sum is closest to @p wish. */
static hit_index nearest(const hit_costs *c, double wish)
{
    hit_index low = 0;
    hit_index high = c->n;

    HIT_BISECT(k, low, high, (double)c->sum[k] >= wish);
    if (low > 0 && wish - (double)c->sum[low - 1] < (double)c->sum[low] - wish) low--;
    return low;
}

/** Shares of which none takes longer than @p seconds, cut where times are even as far as
 * that allows. @p first: room for parts + 1 */
static void even_out(const hit_costs *c, double seconds, hit_index first[],
                     hit_index share[])
{
    double speeds = 0;
    double before = 0;
    hit_index at = 0;

    first[c->parts] = c->n;
    for (int i = c->parts - 1; i >= 0; i--) { /* the rest can be done from there on */
        first[i] = reach_back(c, i, first[i + 1], seconds);
        speeds += c->speed[i] * DBL_EPSILON; /* their sum must not overflow */
    }
    for (int i = 0; i < c->parts; i++) {
        const hit_index last = reach(c, i, at, seconds);
        hit_index next;

        before += c->speed[i] * DBL_EPSILON;
        next = nearest(c, (double)c->sum[c->n] * (before / speeds));
        if (next > last) next = last;
        if (next < first[i + 1]) next = first[i + 1];
        if (next < at) next = at;
        share[i] = next - at;
        at = next;
    }
}

static hit_status by_speeds(const hit_costs *c, hit_index share[])
{
    hit_index *room;

    HIT_TRY(hit_memory_zeroed((size_t)c->parts + 1, sizeof *room, &room));
    even_out(c, least_makespan(c, room), room, share);
    free(room);
    return HIT_OK;
}

static hit_status check_speeds(const hit_costs *c)
{
    bool some = c->n == 0;

    HIT_TRY(hit_partition_check_speeds(c->parts, c->speed));
    for (int i = 0; i < c->parts; i++) {
        some = some || c->speed[i] > 0;
    }
    if (some) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected a speed > 0 but all %d are 0", c->parts);
}

/* ---- by models ---- */

/** Begin with the cuts for the speeds that the models have at an even share; or with all
 * for the first part. */
static hit_status by_models(const hit_costs *c, hit_index share[])
{
    const double even = fmax(1, (double)c->n / c->parts);
    hit_costs constant = *c;
    double *speed;
    hit_status st = HIT_OK;

    HIT_TRY(hit_partition_check(c->n, c->parts, c->fpm));
    HIT_TRY(hit_memory_zeroed((size_t)c->parts, sizeof *speed, &speed));
    memset(share, 0, (size_t)c->parts * sizeof share[0]);
    share[0] = c->n;
    for (int i = 0; i < c->parts; i++) {
        speed[i] = hit_fpm_speed(c->fpm[i], even);
    }
    constant.speed = speed;
    if (check_speeds(&constant) == HIT_OK) st = by_speeds(&constant, share);
    free(speed);
    return st == HIT_OK ? hit_costs_by_models(c, share) : st;
}

hit_status hit_partition_costs(const hit_costs *costs, hit_index share[])
{
    if (costs->speed == NULL) return by_models(costs, share);
    HIT_TRY(check_speeds(costs));
    return by_speeds(costs, share);
}
