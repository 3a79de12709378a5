/* SPDX-License-Identifier: MIT
 * What launches have in common: kernels that are known, plans by key, scratch memory. */
#include "hit/launch/launcher.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>
#include <string.h>

hit_status hit_launcher_create(hit_context *context)
{
    HIT_TRY(hit_stations_create(context, &context->stations));
    return hit_memory_zeroed(1, sizeof(*context->launcher), &context->launcher);
}

static const hit_device *pins(const hit_context *context)
{
    return hit_device_that_pins(context->devices, context->device);
}

static void drop_scratch(hit_context *context)
{
    hit_launcher *launcher = context->launcher;
    void *scratch = launcher->scratch;

    if (scratch == NULL) return;
    if (pins(context)) {
        hit_device_unpin(pins(context), scratch, launcher->scratch_bytes);
    }
    hit_memory_release(&scratch);
    launcher->scratch = NULL;
    launcher->scratch_bytes = 0;
}

void hit_launcher_destroy(hit_context *context)
{
    hit_launcher *launcher = context->launcher;

    if (launcher != NULL) {
        for (int k = 0; k < launcher->plans; k++) {
            hit_launch_plan_destroy(&launcher->plan[k]);
        }
        for (int k = 0; k < launcher->kernels; k++) {
            hit_known_kernel_destroy(launcher->kernel[k]);
        }
        drop_scratch(context);
        free(launcher->kernel);
        free(launcher);
        context->launcher = NULL;
    }
    hit_stations_destroy(&context->stations);
}

hit_status hit_launcher_reserve(hit_context *context, size_t size_bytes)
{
    hit_launcher *launcher = context->launcher;
    void *made = NULL;

    if (size_bytes <= launcher->scratch_bytes) return HIT_OK;
    drop_scratch(context); /* first, so that both never stand side by side */
    HIT_TRY(
        hit_memory_take(size_bytes, "temporary pieces and messages of a launch", &made));
    if (pins(context)) hit_device_pin(pins(context), made, size_bytes);
    launcher->scratch = made;
    launcher->scratch_bytes = size_bytes;
    return HIT_OK;
}

/* ---- kernels ---- */

static bool runs_on_host(const hit_context *context, const hit_kernel *kernel)
{
    if (kernel->host == NULL) return false;
    for (int d = 0; d < context->devices; d++) {
        if (hit_device_function(context->device[d], kernel) == kernel->host) return true;
    }
    return false;
}

hit_status hit_launcher_know(hit_context *context, const hit_kernel *kernel,
                             const hit_known_kernel **known)
{
    hit_launcher *launcher = context->launcher;
    hit_known_kernel *made = NULL;

    for (int k = 0; k < launcher->kernels; k++) {
        if (hit_known_kernel_is(launcher->kernel[k], kernel)) {
            *known = launcher->kernel[k];
            return HIT_OK;
        }
    }
    HIT_TRY(hit_memory_resize((size_t)launcher->kernels + 1, sizeof(hit_known_kernel *),
                              kernel->name, &launcher->kernel));
    HIT_TRY(hit_known_kernel_create(kernel, runs_on_host(context, kernel), &made));
    launcher->kernel[launcher->kernels++] = made;
    *known = made;
    return HIT_OK;
}

/* ---- plans ---- */

/* hit_hash() of numbers that are hashes: a word at a time, since every launch does it. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

uint64_t hit_launcher_key(const hit_call *call)
{
    uint64_t hash = call->layout != NULL ? hit_layout_key(call->layout) : 0;

    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile != NULL) hash = mix(hash, tile->shape);
    }
    return hash;
}

static hit_launch_plan *find_plan(const hit_launcher *launcher, const hit_call *call,
                                  uint64_t key)
{
    for (int k = 0; k < launcher->plans; k++) {
        hit_launch_plan *plan = launcher->plan[k];

        if (plan->key == key && hit_domain_equal(&plan->domain, &call->domain) &&
            hit_known_kernel_is(plan->known, call->kernel)) {
            return plan;
        }
    }
    return NULL;
}

/* Keep a plan, instead of the least recently used one when there are too many. */
static void keep_plan(hit_launcher *launcher, hit_launch_plan *plan)
{
    const int room = (int)(sizeof(launcher->plan) / sizeof(launcher->plan[0]));
    int oldest = 0;

    if (launcher->plans < room) {
        launcher->plan[launcher->plans++] = plan;
        return;
    }
    for (int k = 1; k < room; k++) {
        if (launcher->plan[k]->last_used < launcher->plan[oldest]->last_used) oldest = k;
    }
    hit_launch_plan_destroy(&launcher->plan[oldest]);
    launcher->plan[oldest] = plan;
}

static hit_status make_plan(const hit_call *call, hit_launch_plan **plan)
{
    const hit_known_kernel *known = NULL;

    HIT_TRY(hit_launcher_know(call->context, call->kernel, &known));
    HIT_TRY(hit_launch_plan_make(call, known, plan));
    return hit_launcher_reserve(call->context, (*plan)->scratch_bytes);
}

/* The first launch of its kind: the processes plan alone and agree that all could. */
static hit_status new_plan(const hit_call *call, hit_status status,
                           hit_launch_plan **plan)
{
    if (status == HIT_OK) status = make_plan(call, plan);
    status = hit_comm_agree(call->context->comm, status);
    if (status != HIT_OK) {
        hit_launch_plan_destroy(plan);
        return status;
    }
    keep_plan(call->context->launcher, *plan);
    return HIT_OK;
}

hit_status hit_launcher_plan(hit_call *call, hit_status checked, hit_launch_plan **plan)
{
    hit_launcher *launcher = call->context->launcher;
    hit_launch_plan *found = NULL;
    uint64_t key = 0;

    if (checked == HIT_OK) {
        key = hit_launcher_key(call);
        found = find_plan(launcher, call, key);
    }
    if (found == NULL) {
        HIT_TRY(new_plan(call, checked, &found));
        found->key = key; /* NOLINT(clang-analyzer-core.NullDereference): there now */
    }
    call->kernel = found->known->kernel; /* the program's may go after its launch */
    found->last_used = ++launcher->launches;
    *plan = found;
    return HIT_OK;
}

/* ---- contexts for trials ---- */

hit_status hit_launcher_open_child(hit_context *parent, const hit_executor *executor,
                                   struct hit_spare *spare, hit_device *device,
                                   hit_context **child)
{
    hit_context *made = NULL;

    *child = NULL;
    for (int d = 0; d < parent->devices; d++) { /* the child needs the room */
        if (device != NULL && parent->device[d] != device) continue;
        HIT_TRY(hit_residents_evict(&parent->stations->station[d].residents));
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    *child = made;
    made->size = 1;
    made->clock = parent->clock;
    if (device != NULL) {
        made->devices = 1;
        made->device[0] = device;
    } else {
        made->devices = parent->devices;
        memcpy(made->device, parent->device, sizeof(made->device));
        made->crew = parent->crew;
    }
    made->spare = spare;
    made->search = parent->search;
    made->executor = executor;
    HIT_TRY(hit_comm_open_self(&made->comm));
    return hit_launcher_create(made);
}

void hit_launcher_close_child(hit_context **child)
{
    hit_context *closing = *child;

    if (closing == NULL) return;
    hit_launcher_destroy(closing);
    if (closing->comm != NULL) hit_comm_close(&closing->comm);
    free(closing);
    *child = NULL;
}
