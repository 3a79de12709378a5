/* SPDX-License-Identifier: MIT
 * The layers beyond a boundary are filled by launches, so that they keep their place
 * among the launches that write the layers they come from, and those that read them. */
#include "hit/run/run_impl.h"
#include "patterns/kernel_impl.h"

#include <string.h>

bool hit_chain_rims_run_on(const hit_device *device)
{
    return hit_device_function(device, &hit_rim_kernel[0]) != NULL;
}

const char *hit_chain_rims_refused(const hit_call *call, const hit_use *use)
{
    const hit_tile *tile = call->args[use->arg].tile;

    if (use->mode != HIT_MODE_IN || !use->retained || use->piece[0] < 0) {
        return "elements beyond a boundary lie elsewhere";
    }
    if (tile->storage->pieces != 1) return "elements come from beyond a boundary";
    return hit_chain_rims_against(tile, &use->need[0]);
}

int hit_chain_rims(const hit_runner *r, int use, const hit_domain *need,
                   unsigned periodic, hit_rim rim[])
{
    const hit_use *of = &r->plan->use[use];
    const hit_tile *tile = r->call->args[of->arg].tile;
    hit_domain there;

    if (hit_domain_inside(need, &of->tile)) return 0;
    there = of->tile;
    for (int c = 0; c < there.dims; c++) {
        if ((periodic >> c & 1u) != 0) there.sig[c] = need->sig[c];
    }
    if (hit_domain_inside(need, &there)) return 0;
    return hit_rims(&there, tile->boundary, need, rim);
}

static void set_run(const hit_runner *r, const hit_use *use, const hit_domain *index,
                    hit_chain_record *record)
{
    hit_run *run = &record->run;

    hit_run_copy(run, &r->run, 0);
    run->slot[0] = r->run.slot[use->arg];
    run->slot[1] = (hit_slot){.base = record->value, .dense = 1};
    hit_run_set_box(run, index);
    run->dense = 0;
    run->light = 1;
    run->prepared = NULL;
}

void hit_chain_rim_record(const hit_runner *r, int use, const hit_rim *rim,
                          hit_chain_record *record)
{
    const hit_use *of = &r->plan->use[use];
    const hit_arg *arg = &r->call->args[of->arg];
    const hit_domain indices = hit_rim_indices(rim);
    const size_t size_bytes = arg->type.size_bytes;
    hit_chain_launch *launch = &record->launch;
    hit_rim_fill f = {.dims = indices.dims,
                      .axis = rim->axis,
                      .begin = rim->box.sig[rim->axis].begin,
                      .end = rim->box.sig[rim->axis].end,
                      .constant = rim->constant,
                      .sign = rim->sign,
                      .offset = rim->offset,
                      .size_bytes = size_bytes};

    if (rim->constant) memcpy(f.element, arg->tile->storage->constant, size_bytes);
    memcpy(record->value, &f, sizeof(f));
    hit_rim_accesses(rim, &record->rim[0], &record->rim[1]);
    record->kernel = &hit_rim_kernel[indices.dims - 1];
    record->indices = 0;
    record->arg[0] = record->arg[1] = 0; /* it reads and writes one tile */
    set_run(r, of, &indices, record);
    launch->kernel = record->kernel->name;
    launch->domain = indices;
    launch->uses = rim->constant ? 1 : 2;
    for (int u = 0; u < launch->uses; u++) {
        record->pattern[u] =
            (hit_pattern){indices.dims, indices.dims, 1, &record->rim[u], 0, NULL};
        launch->use[u] = (hit_chain_use){.name = record->kernel->arg[0].name,
                                         .writes = u == 0,
                                         .overwrites = u == 0,
                                         .pattern = &record->pattern[u],
                                         .tile = of->tile,
                                         .cover = u == 0 ? rim->box : hit_rim_source(rim),
                                         .size_bytes = size_bytes};
    }
}
