/* SPDX-License-Identifier: MIT
 * What makes a launch part of a chain, on one process and on several. */
#include "hit/base/quote.h"
#include "hit/launch/launcher.h"

/* On whatever device a process has. */
static bool runs_anywhere(const hit_call *call)
{
    const hit_on on = hit_call_on(call);

    if (on.of_kernel != NULL || on.of_launch != NULL) return false;
    return call->kernel->host != NULL && call->kernel->cuda != NULL;
}

/* The host reads what stands in data of HIT_WHERE(). */
static bool all_read(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    const bool looks = hit_where_looks_in(plan->known->where) != 0;

    if (looks && context->launcher->chain_both) return false;
    for (int d = 0; d < context->devices && looks; d++) {
        const hit_device *device = context->device[d];

        if (device->spec.spare) continue;
        if (hit_device_function(device, call->kernel) != call->kernel->host) return false;
    }
    return true;
}

const char *hit_chain_kernel_refused(const hit_call *call, const hit_launch_plan *plan)
{
    if (hit_kernel_is_ordered(call->kernel)) return "its indices run in an order";
    if (call->kernel->whole_box != 0) return "it is a kernel of whole boxes";
    if (!all_read(call, plan)) return "HIT_WHERE() asks data, and not all devices do";
    if (plan->known->of->looked != 0) return "what it needs stands in data";
    if (plan->alias != 0) return "a tile that it writes is another argument, too";
    if (call->context->launcher->chain_both && !runs_anywhere(call)) {
        return "not all devices run it";
    }
    if (plan->known->values_bytes > HIT_CHAIN_VALUE_ROOM) {
        return "its values have more than 256 bytes";
    }
    return plan->reduces ? "it reduces" : NULL;
}

const char *hit_chain_own_refused(const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        if (plan->use[u].pattern->only_read > 0) {
            return "of a tile that it writes it reads other elements";
        }
    }
    return NULL;
}

const char *hit_chain_rims_against(const hit_tile *tile, const hit_domain *need)
{
    hit_rim rim[HIT_RIMS];

    if (tile->storage->type.size_bytes > HIT_RIM_BYTES) {
        return "elements of more than 64 bytes come from beyond a boundary";
    }
    if (hit_rims(&tile->domain, tile->boundary, need, rim) < 0) {
        return "elements come from the other side of a tile";
    }
    return NULL;
}

bool hit_launch_takes(const hit_call *call, const char *way, const char *why)
{
    const hit_context *context = call->context;

    if (why != NULL && context->launcher->chain_says) {
        hit_say(hit_context_reports(context), "kernel %s: %s: %s\n", call->kernel->name,
                way, why);
    }
    return why == NULL;
}

void hit_chain_say_end(const hit_context *context, const char *why)
{
    if (!context->launcher->chain_says) return;
    hit_say(hit_context_reports(context), "chain ends at %s\n", why);
}
