/* SPDX-License-Identifier: MIT
 * What the algorithms have in common: checks, the makespan, giving the last units one by
 * one, halving an interval of times. */
#include "layouts/partition/partition.h"

#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/data/sig.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <stdlib.h>

hit_status hit_partition_check(hit_index n, int parts, const hit_fpm *const model[])
{
    if (n < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected units >= 0 but found %lld", (long long)n);
    }
    if (parts < 1) {
        return HIT_FAIL(HIT_E_ARG, "expected at least one process but found %d", parts);
    }
    for (int i = 0; i < parts; i++) {
        if (hit_fpm_count(model[i]) == 0) {
            return HIT_FAIL(HIT_E_ARG, "the model of process %d has no points", i);
        }
    }
    return HIT_OK;
}

hit_status hit_partition_check_speeds(int parts, const double speed[])
{
    if (parts < 1) return HIT_FAIL(HIT_E_ARG, "expected parts >= 1 but found %d", parts);
    for (int i = 0; i < parts; i++) {
        if (isfinite(speed[i]) && speed[i] >= 0.0) continue;
        return HIT_FAIL(HIT_E_ARG, "expected speeds >= 0 but found %g at position %d",
                        speed[i], i);
    }
    return HIT_OK;
}

hit_index hit_partition_grain(int parts, const hit_fpm *const model[])
{
    hit_index grain = 0;

    for (int i = 0; i < parts && grain != 1; i++) {
        grain = hit_index_gcd(grain, hit_fpm_granularity(model[i]));
    }
    return grain > 0 ? grain : 1;
}

hit_status hit_partition_check_room(hit_index n, int parts, const hit_fpm *const model[])
{
    hit_index room = 0;

    for (int i = 0; i < parts && room < n; i++) {
        hit_index most = hit_fpm_inverse(model[i], INFINITY, n);

        room = most > n - room ? n : room + most;
    }
    if (room == n) return HIT_OK;
    return HIT_FAIL(HIT_E_LIMIT,
                    "expected room for %lld units but the %d process%s can do %lld",
                    (long long)n, parts, parts == 1 ? "" : "es", (long long)room);
}

double hit_partition_makespan(int parts, const hit_fpm *const model[],
                              const hit_index share[])
{
    double makespan = 0.0;

    for (int i = 0; i < parts; i++) {
        double seconds = hit_fpm_time(model[i], share[i]);

        if (seconds > makespan) makespan = seconds;
    }
    return makespan;
}

hit_status hit_partition_report(int parts, const hit_fpm *const model[],
                                const hit_index share[], hit_partition_info made,
                                hit_partition_info *info)
{
    made.makespan_s = hit_partition_makespan(parts, model, share);
    for (int i = 0; i < parts && isinf(made.makespan_s); i++) {
        if (isfinite(hit_fpm_time(model[i], share[i]))) continue;
        return HIT_FAIL(HIT_E_LIMIT, "%s gives process %d %lld units, which it cannot do",
                        made.algorithm, i, (long long)share[i]);
    }
    if (info != NULL) *info = made;
    return HIT_OK;
}

/* ---- the last units ---- */

/** The time with one unit more than @p units. */
static double time_of_next(const hit_fpm *model, hit_index units)
{
    return units < INT64_MAX ? hit_fpm_time(model, units + 1) : INFINITY;
}

static hit_status give(hit_process_queue *q, hit_index left, const hit_fpm *const model[],
                       hit_index share[])
{
    hit_heap_make(q->count, q->process, hit_process_first, q);
    for (; left > 0; left--) {
        int first = q->process[0];

        if (isinf(q->seconds[first])) {
            return HIT_FAIL(HIT_E_LIMIT, "%lld units are more than the processes can do",
                            (long long)left);
        }
        share[first]++;
        q->seconds[first] = time_of_next(model[first], share[first]);
        hit_heap_sink(q->count, q->process, 0, hit_process_first, q);
    }
    return HIT_OK;
}

hit_status hit_partition_finish(hit_index left, int parts, const hit_fpm *const model[],
                                hit_index share[])
{
    hit_process_queue q = {.count = parts};
    hit_arrays arrays = {NULL};
    hit_status st = HIT_TAKE(&arrays, (size_t)parts, q.process);

    if (st == HIT_OK) st = HIT_TAKE(&arrays, (size_t)parts, q.seconds);
    for (int i = 0; i < parts && st == HIT_OK; i++) {
        q.process[i] = i;
        q.seconds[i] = time_of_next(model[i], share[i]);
    }
    if (st == HIT_OK) st = give(&q, left, model, share);
    hit_arrays_free(&arrays);
    return st;
}

/* ---- times ---- */

/* doubles >= 0 are ordered as their bits are */
typedef union bits_of {
    double value;
    uint64_t bits;
} bits_of;

double hit_partition_middle(double low, double high)
{
    const bits_of a = {.value = low};
    const bits_of b = {.value = high};
    const bits_of middle = {.bits = a.bits + (b.bits - a.bits) / 2};

    return middle.value;
}

double hit_partition_bound(hit_index n, int parts, const hit_fpm *const model[])
{
    double sum = 0.0;

    for (int i = 0; i < parts; i++) {
        sum += hit_fpm_fastest(model[i]);
    }
    if (!(sum > 0.0) || isinf(sum)) return 0.0;
    return (double)n / sum * (1.0 - 1e-6); /* more than the roundings of the sum */
}

/* ---- the choice ---- */

hit_status hit_partition_fpm(hit_index n, int parts, const hit_fpm *const model[],
                             hit_index share[], hit_partition_info *info)
{
    HIT_TRY(hit_partition_check(n, parts, model));
    for (int i = 0; i < parts; i++) {
        if (!hit_fpm_is_monotone(model[i])) {
            return hit_partition_optimal(n, parts, model, share, info);
        }
    }
    return hit_partition_gpa(n, parts, model, share, info);
}
