/* SPDX-License-Identifier: MIT
 * Which launches may be part of a chain: what the program asks for, and what refuses. */
#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/run/chains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cache_bytes(const hit_device *device)
{
    const hit_processor_ops *processor = device->processor;
    size_t found = 0;

    if (processor != NULL && processor->run_chain != NULL) {
        found = processor->cache_bytes(device->state);
    }
    return found > 0 ? found : (size_t)1 << 20;
}

hit_status hit_chains_open(hit_context *context)
{
    const char *text = getenv("HIT_CHAIN");
    hit_launcher *launcher = context->launcher;
    hit_index most = HIT_CHAIN_LAUNCHES;

    launcher->chain_says = text != NULL && strcmp(text, "say") == 0;
    if (text != NULL && strcmp(text, "off") == 0) {
        most = 0;
    } else if (text != NULL && *text != '\0' && !launcher->chain_says) {
        if (hit_number_read("HIT_CHAIN", text, 2, INT32_MAX, &most) != HIT_OK) {
            return HIT_FAIL(HIT_E_ARG,
                            "HIT_CHAIN: expected off, say or the most launches of a "
                            "chain, at least 2, but found \"%.40s\"",
                            text);
        }
    }
    if (most > HIT_CHAIN_LAUNCHES) most = HIT_CHAIN_LAUNCHES;
    launcher->chain_most = (int)most;
    launcher->chain_room = launcher->chain_most;
    launcher->chain_asked = text != NULL && *text >= '0' && *text <= '9';
    launcher->chain_cache_bytes = cache_bytes(context->device[0]);
    return HIT_OK;
}

void hit_chains_shut(hit_context *context, const char *why)
{
    if (context->launcher->chain_most < 2) return;
    context->launcher->chain_most = 0;
    context->launcher->chain_room = 0;
    hit_chain_say_end(context, why);
}

void hit_chains_yield(hit_context *context)
{
    if (context->launcher->chain_asked || context->launcher->chain_room < 2) return;
    context->launcher->chain_room = 0;
    hit_chain_say_end(context,
                      "every launch: a scheduler places it, and hit_chain() was not "
                      "called");
}

/* Of several devices that share the launches of a process. One that works in place has a
 * memory of its own in blocks, where others have one. */
static const char *several_refused(const hit_context *context)
{
    const bool in_place = hit_devices_in_place(context->devices, context->device);

    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];

        if (device->spec.spare) continue;
        if (device->processor == NULL) return "a device runs no chains";
        if (!hit_device_in_place(device)) continue;
        if (in_place ? device->processor->run_chain == NULL : !device->ops->lends) {
            return "a device runs no chains";
        }
    }
    return NULL;
}

const char *hit_chains_devices_refused(const hit_context *context)
{
    const hit_device *device = context->device[0];

    if (device->processor == NULL || device->spec.spare) {
        return "the device runs no chains";
    }
    if (hit_device_sharing(context->devices, context->device) > 1) {
        return several_refused(context);
    }
    if (!context->stations->in_place) return NULL;
    return device->processor->run_chain != NULL ? NULL : "the device runs no chains";
}

/* Do blocks go through memories of devices? */
static bool goes_through(const hit_context *context)
{
    return !context->stations->in_place || context->launcher->chain_machine != NULL;
}

/* The reason why the launches of a plan can never be part of a chain; NULL: they can. */
static const char *reason_against(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    const hit_chain_machine *machine = context->launcher->chain_machine;
    const bool through = goes_through(context);
    const char *why;

    why = hit_chains_devices_refused(context);
    if (why == NULL && machine != NULL) why = machine->against(call, plan);
    if (why != NULL) return why;
    for (int k = 0; k < plan->parts; k++) {
        if (context->device[plan->part[k].device]->spec.spare) {
            return "it runs on a spare device";
        }
    }
    why = hit_chain_kernel_refused(call, plan);
    if (why != NULL) return why;
    if (through || hit_device_sharing(context->devices, context->device) > 1) {
        why = hit_chain_own_refused(plan);
        if (why != NULL) return why;
    }
    if (plan->parts < 1 || plan->pieces != 1) return "its indices are in pieces";
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (use->gather != NULL) {
            why = hit_chain_rims_refused(call, use);
            if (why != NULL) return why;
        }
        if (use->give_back != NULL || use->piece[0] < 0) return "a result is moved";
    }
    if (through) return hit_chain_stream_refused(call, plan);
    return NULL;
}

bool hit_chains_may_take(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_launcher *launcher = call->context->launcher;
    const char *why;
    char line[300];

    if (launcher->chain_most < 2 || call->context->size > 1) return false;
    if (launcher->chain_around) return false;
    why = reason_against(call, plan);
    if (why == NULL) return true;
    if (!launcher->chain_asked && hit_chains_need_halos(call, plan)) {
        why = "it reads beyond a periodic boundary, and hit_chain() was not called";
    }
    (void)snprintf(line, sizeof(line), "kernel %s: %s", call->kernel->name, why);
    hit_chain_say_end(call->context, line);
    return false;
}
