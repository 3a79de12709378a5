/* SPDX-License-Identifier: MIT
 * What launches that wait are, in memory for just their arguments: the tables of uses and
 * slots are long, and 64 whole ones take half a MiB. The layers beyond a boundary are
 * filled by launches, too, so that they keep their place among the launches that write
 * the layers they come from, and those that read them. */
#include "hit/base/alloc.h"
#include "hit/run/chains.h"
#include "patterns/kernel_impl.h"

#include <stddef.h>
#include <string.h>

enum {
    TURNS = 4 /* of tiles: so many steps before a launch are looked at */
};

/* ---- memory ---- */

/* Where what follows lies, in memory that begins at a line: what kernels get first. */
typedef struct places {
    size_t launch;
    size_t value;
    size_t end;
} places;

static size_t aligned(size_t bytes)
{
    return (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

static places places_of(const hit_chain_room *room)
{
    places of;

    of.launch = aligned(offsetof(hit_run, slot) + (size_t)room->slots * sizeof(hit_slot));
    of.value = aligned(of.launch + hit_chain_launch_bytes(room->uses));
    of.end = of.value + room->values_bytes;
    return of;
}

size_t hit_chain_record_bytes(const hit_chain_room *room)
{
    return hit_memory_padded(places_of(room).end);
}

/* For a launch that takes the place of the one before; {0}: there is none. */
static bool reserve(hit_chain_record *record, const hit_chain_room *room)
{
    const places of = places_of(room);
    const size_t bytes = hit_memory_padded(of.end);
    char *memory;

    if (bytes > record->memory_bytes) {
        hit_memory_release(&record->memory);
        *record = (hit_chain_record){.stamp = record->stamp, .known = record->known};
        if (hit_memory_take(bytes, "a launch that waits", &record->memory) != HIT_OK) {
            *record = (hit_chain_record){.stamp = 0};
            return false;
        }
        record->memory_bytes = bytes;
    }
    memory = record->memory;
    record->run = (hit_run *)(void *)memory;
    record->launch = (hit_chain_launch *)(void *)(memory + of.launch);
    record->value = memory + of.value;
    record->values_bytes = room->values_bytes;
    return true;
}

void hit_chain_record_move(const hit_call *call, const hit_launch_plan *plan,
                           const hit_index move[], hit_run *run)
{
    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        const int d = plan->split.follows[c];

        if (move[c] == 0) continue;
        run->begin[d] -= move[c];
        run->end[d] -= move[c];
        for (int u = 0; u < plan->uses; u++) {
            const int arg = plan->use[u].arg;
            hit_slot *slot = &run->slot[arg];

            slot->base =
                (char *)slot->base +
                move[c] * slot->stride[c] * (hit_index)call->args[arg].type.size_bytes;
        }
    }
}

/* ---- a launch ---- */

bool hit_chain_record_set(hit_chain_record *record, const hit_runner *r,
                          const hit_chain_part *part)
{
    const hit_call *call = r->call;
    const hit_launch_plan *plan = r->plan;
    const hit_chain_room room = {plan->uses, call->count, plan->known->values_bytes};
    hit_chain_launch *launch;

    if (!reserve(record, &room)) return false;
    launch = record->launch;
    launch->kernel = call->kernel->name;
    launch->domain = *part->index;
    launch->uses = plan->uses;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        hit_chain_use_set(call, use, &launch->use[u]);
        launch->use[u].overwrites = use->mode == HIT_MODE_OUT && !part->loads[u];
        launch->use[u].cover = *part->need[u]; /* NOLINT: set for all uses */
        launch->use[u].arg = use->arg;
        launch->use[u].piece = part->piece[u];
    }
    record->kernel = call->kernel;
    record->indices = part->indices;
    record->again = part->again;
    hit_run_copy(record->run, &r->run, call->count);
    if (part->move != NULL) hit_chain_record_move(call, plan, part->move, record->run);
    return hit_call_keep_values(call, record->value, room.values_bytes,
                                record->run->slot);
}

/* Others may have what it had in common with it. */
static void take_part(hit_chains *chains, const hit_chain_record *of)
{
    hit_chain_record *one = &chains->record[chains->count];

    if (one->memory != NULL && chains->before > chains->count) {
        chains->before = chains->count;
    }
    hit_memory_release(&one->memory);
    one->memory_bytes = 0;
    one->launch = of->launch;
    one->run = of->run;
    one->value = of->value;
    one->values_bytes = of->values_bytes;
    one->kernel = of->kernel;
    one->indices = of->indices;
    one->again = of->again;
}

bool hit_chain_record_share(hit_chains *chains, const hit_runner *r,
                            const hit_domain *index)
{
    const int n = chains->count;
    const int period = n > 0 ? n - chains->border[n] : 1;

    for (int m = n - period; m >= 0 && m >= n - TURNS * period; m -= period) {
        const hit_chain_record *one = &chains->record[m];

        if (!hit_chain_record_is(one, r, index)) continue;
        if (!hit_call_has_values(r->call, one->run->slot)) continue;
        take_part(chains, one);
        return true;
    }
    return false;
}

/* ---- rims ---- */

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
    hit_run *run = record->run;

    hit_run_copy(run, &r->run, 0);
    run->slot[0] = r->run.slot[use->arg];
    run->slot[1] = (hit_slot){.base = record->value, .dense = 1};
    hit_run_set_box(run, index);
    run->dense = 0;
    run->light = 1;
    run->prepared = NULL;
    run->where = NULL;
}

bool hit_chain_record_set_rim(hit_chain_record *record, const hit_runner *r, int use,
                              const hit_rim *rim)
{
    static const hit_chain_room room = {2, 2, sizeof(hit_chain_rim_value)};

    if (!reserve(record, &room)) return false;
    hit_chain_rim_set(record, r, use, rim);
    return true;
}

void hit_chain_rim_set(hit_chain_record *record, const hit_runner *r, int use,
                       const hit_rim *rim)
{
    const hit_use *of = &r->plan->use[use];
    const hit_arg *arg = &r->call->args[of->arg];
    const hit_domain indices = hit_rim_indices(rim);
    const size_t size_bytes = arg->type.size_bytes;
    hit_chain_launch *launch = record->launch;
    hit_chain_rim_value *value = record->value;

    value->fill = (hit_rim_fill){.dims = indices.dims,
                                 .axis = rim->axis,
                                 .begin = rim->box.sig[rim->axis].begin,
                                 .end = rim->box.sig[rim->axis].end,
                                 .constant = rim->constant,
                                 .sign = rim->sign,
                                 .offset = rim->offset,
                                 .size_bytes = size_bytes};
    if (rim->constant) {
        memcpy(value->fill.element, arg->tile->storage->constant, size_bytes);
    }
    hit_rim_accesses(rim, &value->access[0], &value->access[1]);
    record->kernel = &hit_rim_kernel[indices.dims - 1];
    record->indices = 0;
    record->again = false;
    set_run(r, of, &indices, record);
    launch->kernel = record->kernel->name;
    launch->domain = indices;
    launch->uses = rim->constant ? 1 : 2;
    for (int u = 0; u < launch->uses; u++) { /* of one tile, of one piece */
        value->pattern[u] =
            (hit_pattern){indices.dims, indices.dims, 1, &value->access[u], 0, NULL};
        launch->use[u] = (hit_chain_use){.name = record->kernel->arg[0].name,
                                         .writes = u == 0,
                                         .overwrites = u == 0,
                                         .pattern = &value->pattern[u],
                                         .tile = of->tile,
                                         .cover = u == 0 ? rim->box : hit_rim_source(rim),
                                         .size_bytes = size_bytes};
    }
}
