/* SPDX-License-Identifier: MIT
 * How a piece of the indices goes through the memory of a device. If all it needs fits,
 * it stays there. Else it is streamed: of each argument there are as many buffers as
 * three lanes need, and the shape that moves the fewest bytes is taken. Where not even a
 * single index leaves room for that, superblocks run one at a time, the fewest of them.
 */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"

/* Blocks of the superblock planner: the smallest unit of a split. Where memory is so
 * small that one does not fit, smaller ones are tried before the launch is refused. */
static bool halve(hit_index block[], int dims)
{
    int largest = 0;

    for (int d = 1; d < dims; d++) {
        if (block[d] > block[largest]) largest = d;
    }
    if (block[largest] == 1) return false;
    block[largest] = (block[largest] + 1) / 2;
    return true;
}

static hit_status search(hit_plan_request *request, hit_plan *plan)
{
    static const hit_index usual[HIT_MAX_DIMS] = {1024, 16, 8, 4};
    hit_status status;

    for (int d = 0; d < request->index.dims; d++) {
        request->block[d] = usual[request->index.dims - 1];
    }
    do {
        status = hit_plan_make(request, plan);
    } while (status == HIT_E_LIMIT && halve(request->block, request->index.dims));
    return status;
}

/* One is worked on; what is only read or only written needs another one for its lane, and
 * what is both needs two. */
static int buffers_for(hit_mode mode)
{
    return mode == HIT_MODE_IN || mode == HIT_MODE_OUT ? 2 : HIT_STREAM_BUFFERS;
}

static bool stream(hit_plan_request request, hit_plan_arg arg[],
                   hit_superblocks *superblocks)
{
    size_t bytes = 0;
    size_t padded = 0;

    for (int u = 0; u < request.args; u++) {
        arg[u].buffers = buffers_for(arg[u].mode);
    }
    request.reuse = true;
    request.least_bytes = true;
    if (search(&request, &superblocks->plan) != HIT_OK) return false;
    for (int u = 0; u < request.args; u++) {
        const size_t each = superblocks->plan.arg_bytes[u];

        superblocks->buffers[u] = arg[u].buffers;
        bytes += (size_t)arg[u].buffers * each;
        padded += (size_t)arg[u].buffers * ((each + 63) / 64 * 64);
    }
    /* where needs depend on the position, the largest ones may not be there together */
    if (bytes > request.limit_bytes) return false;
    superblocks->arena_bytes = padded <= request.limit_bytes ? padded : bytes;
    return true;
}

hit_status hit_superblocks_plan(hit_launch_plan *plan, const hit_call *call, int piece,
                                size_t limit_bytes)
{
    hit_superblocks *superblocks = &plan->superblocks[piece];
    const hit_device *device = call->context->device;
    hit_plan_arg arg[HIT_MAX_ARGS];
    hit_plan_request request = {.kernel = call->kernel->name,
                                .device = device->ops->kind,
                                .args = plan->uses,
                                .arg = arg,
                                .index = plan->index[piece],
                                .limit_bytes = limit_bytes,
                                .in_flight = 1};
    size_t roomy;

    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        arg[u] = (hit_plan_arg){.name = call->kernel->arg[use->arg].name,
                                .mode = use->mode,
                                .size_bytes = call->args[use->arg].type.size_bytes,
                                .pattern = use->pattern,
                                .tile = use->tile,
                                .clip = use->need[piece]};
    }
    *superblocks = (hit_superblocks){.arena_bytes = 0};
    HIT_TRY(search(&request, &superblocks->plan));
    if (superblocks->plan.pieces <= 1) return HIT_OK;
    if (stream(request, arg, superblocks)) return HIT_OK;
    for (int u = 0; u < plan->uses; u++) {
        arg[u].buffers = 1;
        superblocks->buffers[u] = 0;
    }
    HIT_TRY(search(&request, &superblocks->plan));
    superblocks->arena_bytes = superblocks->plan.peak_bytes;
    roomy = superblocks->arena_bytes + 64 * (size_t)plan->uses; /* for aligned pieces */
    if (roomy <= limit_bytes) superblocks->arena_bytes = roomy;
    return HIT_OK;
}
