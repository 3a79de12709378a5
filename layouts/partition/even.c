/* SPDX-License-Identifier: MIT
 * The two baselines that take no account of how speed depends on the load: even shares,
 * and shares in proportion to one benchmark of each process. Both keep to what is
 * possible: a process that fails above its memory gets no more than that. */
#include "layouts/partition/even.h"

#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <string.h>

/** What the constant-speed algorithm is given. */
static void set_speeds(hit_index n, int parts, const hit_fpm *const model[], bool even,
                       double speed[], hit_index most[])
{
    const double even_share = fmax(1.0, (double)n / parts);

    for (int i = 0; i < parts; i++) {
        most[i] = hit_fpm_inverse(model[i], INFINITY, n);
        /* a benchmark above the limit would fail */
        speed[i] =
            even ? 1.0 : hit_fpm_speed(model[i], fmin(even_share, (double)most[i]));
    }
}

static hit_status partition(hit_index n, int parts, const hit_fpm *const model[],
                            bool even, hit_index share[], hit_partition_info *info)
{
    const hit_partition_info made = {.iterations = 1, .algorithm = even ? "even" : "cpm"};
    const size_t count = (size_t)parts;
    hit_arrays arrays = {NULL};
    double *speed;
    hit_index *most; /* and the shares behind it */
    hit_status st;

    HIT_TRY(hit_partition_check(n, parts, model));
    st = HIT_TAKE(&arrays, count, speed);
    if (st == HIT_OK) st = HIT_TAKE(&arrays, 2 * count, most);
    if (st == HIT_OK) {
        set_speeds(n, parts, model, even, speed, most);
        st = hit_partition_cpm_limited(n, parts, speed, most, most + count);
    }
    if (st == HIT_OK) st = hit_partition_report(parts, model, most + count, made, info);
    if (st == HIT_OK) memcpy(share, most + count, count * sizeof share[0]);
    hit_arrays_free(&arrays);
    return st;
}

hit_status hit_partition_even(hit_index n, int parts, const hit_fpm *const model[],
                              hit_index share[], hit_partition_info *info)
{
    return partition(n, parts, model, true, share, info);
}

hit_status hit_partition_single(hit_index n, int parts, const hit_fpm *const model[],
                                hit_index share[], hit_partition_info *info)
{
    return partition(n, parts, model, false, share, info);
}
