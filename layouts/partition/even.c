/* SPDX-License-Identifier: MIT
 * The two baselines that take no account of how speed depends on the load: even shares,
 * and shares in proportion to one benchmark of each process. Both keep to what is
 * possible: a process that fails above its memory gets no more than that. */
#include "layouts/partition/even.h"

#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/cpm.h"
#include "layouts/partition/partition.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** What the constant-speed algorithm is given. */
typedef struct constants {
    double *speed;
    hit_index *most;
    hit_index *share;
} constants;

static hit_status make_constants(int parts, constants *made)
{
    size_t count = (size_t)parts;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(count, sizeof *made->speed, &made->speed));
    HIT_TRY_GOTO(st, hit_memory_zeroed(2 * count, sizeof *made->most, &made->most),
                 free_speed);
    made->share = made->most + count;
    return HIT_OK;

free_speed:
    free(made->speed);
    return st;
}

static hit_status run(hit_index n, int parts, const hit_fpm *const model[], bool even,
                      constants *c)
{
    double even_share = fmax(1.0, (double)n / parts);

    for (int i = 0; i < parts; i++) {
        c->most[i] = hit_fpm_inverse(model[i], INFINITY, n);
        /* a benchmark above the limit would fail */
        c->speed[i] =
            even ? 1.0 : hit_fpm_speed(model[i], fmin(even_share, (double)c->most[i]));
    }
    return hit_partition_cpm_limited(n, parts, c->speed, c->most, c->share);
}

static hit_status partition(hit_index n, int parts, const hit_fpm *const model[],
                            bool even, hit_index share[], hit_partition_info *info)
{
    hit_partition_info made = {.iterations = 1, .algorithm = even ? "even" : "cpm"};
    constants c;
    hit_status st;

    HIT_TRY(hit_partition_check(n, parts, model));
    HIT_TRY(make_constants(parts, &c));
    HIT_TRY_GOTO(st, run(n, parts, model, even, &c), free_constants);
    HIT_TRY_GOTO(st, hit_partition_report(parts, model, c.share, made, info),
                 free_constants);
    memcpy(share, c.share, (size_t)parts * sizeof share[0]);

free_constants:
    free(c.most);
    free(c.speed);
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
