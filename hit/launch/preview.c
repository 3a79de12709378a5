/* SPDX-License-Identifier: MIT
 * What a launch would do: the same pure plans that its processes make, one process after
 * the other, added up. What the executor counts must equal it (tests/hit/launch). */
#include "hit/launch/preview.h"

#include "hit/base/memory.h"
#include "hit/launch/cut.h"
#include "hit/launch/use.h"

#include <stdlib.h>

static void count(hit_figure *figure, uint64_t of_process)
{
    figure->sum += of_process;
    if (of_process > figure->most) figure->most = of_process;
}

/* What one process does. */
typedef struct share {
    uint64_t indices;
    uint64_t device_indices[HIT_MAX_DEVICES];
    uint64_t device_peak_bytes[HIT_MAX_DEVICES];
    uint64_t messages;
    uint64_t message_bytes;
    uint64_t superblocks;
    uint64_t bytes_in;
    uint64_t bytes_out;
} share;

static hit_status add_messages(const hit_use *use, const hit_call *call,
                               const hit_split *split, int rank, hit_direction direction,
                               share *mine)
{
    hit_message_plan plan;

    HIT_TRY(hit_use_messages(use, call, split, rank, direction, &plan));
    mine->messages += (uint64_t)plan.targets;
    mine->message_bytes += plan.bytes_sent;
    hit_message_plan_clear(&plan);
    return HIT_OK;
}

static hit_status add_all_messages(const hit_call *call, const hit_known_kernel *known,
                                   const hit_split *split, int rank, share *mine)
{
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;
        hit_use use = {.arg = k, .mode = call->kernel->arg[k].mode};

        if (tile == NULL) continue;
        use.pattern = &known->pattern[k];
        use.tile = tile->domain;
        if (hit_use_gathers(&use, call)) {
            HIT_TRY(add_messages(&use, call, split, rank, HIT_GATHER, mine));
        }
        if (use.mode != HIT_MODE_IN) {
            HIT_TRY(add_messages(&use, call, split, rank, HIT_RETURN, mine));
        }
    }
    return HIT_OK;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* What device @p d does of one piece. */
static hit_status add_part(const hit_call *call, const hit_known_kernel *known, int d,
                           const hit_domain *index, share *mine)
{
    const hit_device *device = call->context->device[d];
    hit_superblocks made = {0};

    if (hit_domain_is_empty(index)) return HIT_OK;
    mine->indices += (uint64_t)hit_domain_count(index);
    mine->device_indices[d] += (uint64_t)hit_domain_count(index);
    if (device->ops->in_place(device->state)) {
        mine->superblocks++;
        return HIT_OK;
    }
    HIT_TRY(hit_superblocks_plan(call, known, device, index, device->limit_bytes, &made));
    mine->superblocks += (uint64_t)made.plan.pieces;
    mine->bytes_in += made.plan.bytes_in;
    mine->bytes_out += made.plan.bytes_out;
    mine->device_peak_bytes[d] = larger(mine->device_peak_bytes[d], made.plan.peak_bytes);
    hit_plan_sum_clear(&made.sum);
    return HIT_OK;
}

static hit_status add_parts(const hit_call *call, const hit_known_kernel *known,
                            const hit_region *index, share *mine)
{
    const int devices = call->context->devices;
    const int parts = index->count * devices;
    hit_domain *cut = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed((size_t)parts + 1, sizeof(hit_domain), &cut));
    status = hit_cut_make(call, known, index, cut);
    for (int k = 0; k < parts && status == HIT_OK; k++) {
        status = add_part(call, known, k % devices, &cut[k], mine);
    }
    free(cut);
    return status;
}

static hit_status plan_share(const hit_call *call, const hit_known_kernel *known,
                             const hit_split *split, int rank, share *mine)
{
    hit_region index = {0};
    hit_status status = hit_split_part(split, rank, &index);

    if (status == HIT_OK) status = add_parts(call, known, &index, mine);
    hit_region_clear(&index);
    HIT_TRY(status);
    return add_all_messages(call, known, split, rank, mine);
}

static void add_devices(const share *mine, int devices, hit_preview *all)
{
    for (int d = 0; d < devices; d++) {
        count(&all->device[d].indices, mine->device_indices[d]);
        all->device[d].peak_bytes =
            larger(all->device[d].peak_bytes, mine->device_peak_bytes[d]);
        all->peak_bytes = larger(all->peak_bytes, mine->device_peak_bytes[d]);
    }
}

hit_status hit_preview_make(const hit_call *call, const hit_known_kernel *known,
                            hit_preview *preview)
{
    hit_preview all = {0};
    hit_split split;

    HIT_TRY(hit_launch_plan_split(call, known, &split));
    for (int rank = 0; rank < call->context->size; rank++) {
        share mine = {0};

        HIT_TRY(plan_share(call, known, &split, rank, &mine));
        all.processes += mine.indices > 0;
        count(&all.indices, mine.indices);
        count(&all.messages, mine.messages);
        count(&all.message_bytes, mine.message_bytes);
        count(&all.superblocks, mine.superblocks);
        count(&all.bytes_in, mine.bytes_in);
        count(&all.bytes_out, mine.bytes_out);
        add_devices(&mine, call->context->devices, &all);
    }
    *preview = all;
    return HIT_OK;
}
