/* SPDX-License-Identifier: MIT
 * The launcher's state: parsed kernels, plans by key, scratch memory. */
#include "hit/launch/launcher.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/device/device.h"
#include "hit/launch/queue.h"
#include "hit/launch/verify.h"
#include "patterns/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_status allocate(const hit_context *context, hit_launcher **launcher)
{
    hit_launcher *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status =
        hit_memory_zeroed((size_t)context->devices, sizeof(hit_station), &made->station);
    if (status != HIT_OK) {
        free(made);
        return status;
    }
    made->clock = &context->clock;
    made->stations = context->devices;
    for (int d = 0; d < made->stations; d++) {
        hit_device *device = context->device[d];

        made->station[d].device = device;
        made->station[d].in_place = device->ops->in_place(device->state);
        made->station[d].residents.device = device;
    }
    *launcher = made;
    return HIT_OK;
}

/* All processes have one, or none: those after the first launch do not ask. */
static hit_status make_launcher(hit_context *context)
{
    hit_launcher *made = NULL;
    const hit_status status = hit_comm_agree(context->comm, allocate(context, &made));

    if (status != HIT_OK) {
        hit_launcher_destroy(&made);
        return status;
    }
    context->launcher = made;
    return HIT_OK;
}

hit_status hit_launcher_get(hit_context *context, hit_launcher **launcher)
{
    if (context->launcher == NULL) HIT_TRY(make_launcher(context));
    *launcher = context->launcher;
    return HIT_OK;
}

static void known_destroy(hit_known_kernel *known)
{
    for (int k = 0; k < known->kernel->args; k++) {
        hit_pattern_clear(&known->pattern[k]);
    }
    free(known);
}

void hit_launcher_destroy(struct hit_launcher **launcher_pointer)
{
    hit_launcher *launcher = *launcher_pointer;
    void *scratch;

    if (launcher == NULL) return;
    for (int d = 0; d < launcher->stations; d++) {
        const hit_residents *all = &launcher->station[d].residents;

        while (all->first != NULL) { /* of tiles that outlive the context */
            hit_residents_drop(all->first->home);
        }
    }
    for (int k = 0; k < launcher->plans; k++) {
        hit_launch_plan_destroy(&launcher->plan[k]);
    }
    for (int k = 0; k < launcher->kernels; k++) {
        known_destroy(launcher->kernel[k]);
    }
    scratch = launcher->scratch;
    hit_memory_release(&scratch);
    hit_verify_close(&launcher->verify);
    hit_queue_destroy(&launcher->queue);
    free(launcher->kernel);
    free(launcher->station);
    free(launcher);
    *launcher_pointer = NULL;
}

hit_status hit_launcher_reserve(hit_launcher *launcher, size_t size_bytes)
{
    void *scratch = launcher->scratch;
    void *made = NULL;

    if (size_bytes <= launcher->scratch_bytes) return HIT_OK;
    hit_memory_release(&scratch); /* first, so that both never stand side by side */
    launcher->scratch = NULL;
    launcher->scratch_bytes = 0;
    HIT_TRY(
        hit_memory_take(size_bytes, "temporary pieces and messages of a launch", &made));
    launcher->scratch = made;
    launcher->scratch_bytes = size_bytes;
    return HIT_OK;
}

void hit_launcher_keep_failure(hit_launcher *launcher, hit_status status)
{
    if (status == HIT_OK || launcher->failed != HIT_OK) return;
    launcher->failed = status;
    (void)snprintf(launcher->failed_text, sizeof(launcher->failed_text), "%s",
                   hit_status_text());
}

hit_status hit_launcher_tell_failure(hit_launcher *launcher)
{
    const hit_status failed = launcher->failed;

    launcher->failed = HIT_OK;
    return failed == HIT_OK ? HIT_OK : HIT_FAIL(failed, "%s", launcher->failed_text);
}

static hit_status check_kernel(const hit_kernel *kernel)
{
    int tiles = 0;

    if (kernel->dims < 1 || kernel->dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected 1 to %d indices but found %d",
                        kernel->name, HIT_MAX_DIMS, kernel->dims);
    }
    if (kernel->args < 1 || kernel->args > HIT_MAX_ARGS) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected 1 to %d arguments but found %d",
                        kernel->name, HIT_MAX_ARGS, kernel->args);
    }
    for (int d = 0; d < kernel->dims; d++) {
        if (kernel->index[d] != NULL) continue;
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected %d index names but found %d",
                        kernel->name, kernel->dims, d);
    }
    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];

        if (arg->mode > HIT_MODE_VALUE || arg->type.size_bytes == 0) {
            return HIT_FAIL(HIT_E_ARG,
                            "kernel %s, argument %s: expected a mode and an element size "
                            "but found mode %d and %zu bytes",
                            kernel->name, arg->name, (int)arg->mode,
                            arg->type.size_bytes);
        }
        tiles += arg->mode != HIT_MODE_VALUE;
        if (hit_mode_reduces(arg->mode) && arg->type.kind == HIT_KIND_BYTES) {
            return HIT_FAIL(HIT_E_ARG,
                            "kernel %s, argument %s: only numbers can be reduced",
                            kernel->name, arg->name);
        }
        if (hit_mode_reduces(arg->mode) && kernel->whole_box) {
            return HIT_FAIL(
                HIT_E_ARG,
                "kernel %s, argument %s: a whole-box kernel cannot reduce; use "
                "inout",
                kernel->name, arg->name);
        }
    }
    if (tiles == 0) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected at least one tile argument",
                        kernel->name);
    }
    return HIT_OK;
}

static hit_status parse_patterns(const hit_kernel *kernel, hit_known_kernel *known)
{
    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];
        hit_status status;

        if (arg->mode == HIT_MODE_VALUE) continue;
        status = hit_pattern_parse(arg->pattern, kernel->dims, kernel->index,
                                   &known->pattern[k]);
        if (status != HIT_OK) {
            return HIT_FAIL(status, "kernel %s, argument %s: %s", kernel->name, arg->name,
                            hit_status_text());
        }
    }
    return HIT_OK;
}

/* Is it a dimension of a tile argument? */
static hit_status check_along(const hit_known_kernel *known, hit_along along)
{
    const hit_kernel *kernel = known->kernel;

    if (along.arg < 0 || along.arg >= kernel->args ||
        kernel->arg[along.arg].mode == HIT_MODE_VALUE) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected the number of a tile argument, 0 to %d, in "
                        "HIT_ALONG or HIT_OPERATIONS_ALONG, but found %d",
                        kernel->name, kernel->args - 1, along.arg);
    }
    if (along.dim < 0 || along.dim >= known->pattern[along.arg].tile_dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected a dimension below %d in "
                        "HIT_ALONG or HIT_OPERATIONS_ALONG, but found %d",
                        kernel->name, kernel->arg[along.arg].name,
                        known->pattern[along.arg].tile_dims, along.dim);
    }
    return HIT_OK;
}

static hit_status check_alongs(const hit_known_kernel *known)
{
    const hit_kernel *kernel = known->kernel;

    for (int k = 0; k < kernel->alongs; k++) {
        HIT_TRY(check_along(known, kernel->along[k]));
    }
    if (kernel->operations == NULL || kernel->operations->per_step == 0) return HIT_OK;
    return check_along(known, kernel->operations->along);
}

static bool has_host(const hit_launcher *launcher)
{
    for (int d = 0; d < launcher->stations; d++) {
        if (strcmp(launcher->station[d].device->ops->kind, "host") == 0) return true;
    }
    return false;
}

hit_status hit_launcher_know(hit_launcher *launcher, const hit_kernel *kernel,
                             const hit_known_kernel **known)
{
    hit_known_kernel **grown;
    hit_known_kernel *made;
    hit_status status;

    for (int k = 0; k < launcher->kernels; k++) {
        if (launcher->kernel[k]->kernel == kernel) {
            *known = launcher->kernel[k];
            return HIT_OK;
        }
    }
    HIT_TRY(check_kernel(kernel));
    if (kernel->prepare != NULL && has_host(launcher)) HIT_TRY(kernel->prepare());
    grown = realloc(launcher->kernel,
                    sizeof(hit_known_kernel *) * ((size_t)launcher->kernels + 1));
    if (grown == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for kernel %s", kernel->name);
    }
    launcher->kernel = grown;
    made = calloc(1, sizeof(hit_known_kernel));
    if (made == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for kernel %s", kernel->name);
    }
    made->kernel = kernel;
    status = parse_patterns(kernel, made);
    if (status == HIT_OK) status = check_alongs(made);
    if (status != HIT_OK) {
        known_destroy(made);
        return status;
    }
    launcher->kernel[launcher->kernels++] = made;
    *known = made;
    return HIT_OK;
}

uint64_t hit_call_operations(const hit_call *call, uint64_t indices)
{
    const hit_operations *of = call->kernel->operations;
    uint64_t each;

    if (of == NULL) return 0;
    each = of->per_index;
    if (of->per_step > 0) {
        const hit_tile *tile = call->args[of->along.arg].tile;

        each += of->per_step * (uint64_t)hit_sig_count(tile->domain.sig[of->along.dim]);
    }
    return indices * each;
}
