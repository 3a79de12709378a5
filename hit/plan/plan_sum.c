/* SPDX-License-Identifier: MIT
 * A traversed dimension, ":", as one more index: the pattern "[i, :]" becomes "[i, k]",
 * and the planner need not know the difference. */
#include "hit/data/sig.h"
#include "hit/plan/plan.h"

enum {
    BLOCK = 64 /* elements of a sum per block: below, products lose speed */
};

/* The number of tile argument `arg` of the kernel among its tile arguments. */
static int tile_number(const hit_kernel *kernel, int arg)
{
    int number = 0;

    for (int k = 0; k < arg; k++) {
        number += kernel->arg[k].mode != HIT_MODE_VALUE;
    }
    return number;
}

static bool same_extents(const hit_kernel *kernel, const hit_plan_request *request,
                         hit_sig *extent)
{
    for (int k = 0; k < kernel->alongs; k++) {
        const hit_along *along = &kernel->along[k];
        const hit_plan_arg *arg = &request->arg[tile_number(kernel, along->arg)];

        if (k == 0) *extent = arg->tile.sig[along->dim];
        if (!hit_sig_equal(*extent, arg->tile.sig[along->dim])) return false;
    }
    return kernel->alongs > 0 && request->index.dims < HIT_MAX_DIMS &&
           !hit_sig_is_empty(*extent);
}

/* A copy of the pattern with one index more. */
static hit_status widen(const hit_pattern *from, hit_pattern *to)
{
    HIT_TRY(hit_pattern_init(from->index_dims + 1, from->tile_dims, to));
    for (int k = 0; k < from->count; k++) {
        HIT_TRY(hit_pattern_add(to, &from->access[k]));
    }
    to->only_read = from->only_read;
    return HIT_OK;
}

hit_status hit_plan_sum_make(const hit_kernel *kernel, const hit_plan_request *from,
                             hit_plan_sum *sum, hit_plan_arg arg[], hit_plan_request *to)
{
    const int last = from->index.dims;
    hit_sig extent = {0, -1, 1};

    *sum = (hit_plan_sum){.args = 0};
    if (!same_extents(kernel, from, &extent)) {
        return HIT_FAIL(HIT_E_ABSENT, "kernel %s declares no sum that could be cut",
                        kernel->name);
    }
    for (int u = 0; u < from->args; u++) {
        arg[u] = from->arg[u];
        sum->args++;
        hit_plan_sum_set(sum, u, &arg[u]);
        HIT_TRY(widen(from->arg[u].pattern, &sum->pattern[u]));
    }
    for (int k = 0; k < kernel->alongs; k++) {
        const hit_along *along = &kernel->along[k];
        hit_pattern *pattern = &sum->pattern[tile_number(kernel, along->arg)];

        for (int i = 0; i < pattern->count; i++) {
            pattern->access[i].range[along->dim] = hit_range_follow(last, 0, 0);
        }
    }
    *to = *from;
    to->arg = arg;
    to->index.sig[last] = extent;
    to->index.dims = last + 1;
    to->block[last] = BLOCK;
    return HIT_OK;
}

void hit_plan_sum_clear(hit_plan_sum *sum)
{
    for (int u = 0; u < sum->args; u++) {
        hit_pattern_clear(&sum->pattern[u]);
    }
    sum->args = 0;
}
