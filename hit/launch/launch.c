/* SPDX-License-Identifier: MIT
 * Launches: check the call, find its plan or make it, carry it out. Plans are cached
 * under what they depend on, so that a time step costs a look-up; all processes find,
 * make and forget plans alike. */
#include "hit/launch/launch.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/launch/dry.h"
#include "hit/launch/launcher.h"
#include "hit/launch/verify.h"
#include "hit/topo/layout_impl.h"

#include <string.h>

hit_arg hit_arg_tile(hit_tile *tile)
{
    hit_arg arg = {.tile = tile};

    if (tile != NULL) arg.type = tile->storage->type;
    return arg;
}

hit_arg hit_arg_value(hit_arg arg)
{
    return arg;
}

static bool same_type(hit_type a, hit_type b)
{
    return a.kind == b.kind && a.size_bytes == b.size_bytes;
}

static hit_status check_arg(const hit_call *call, int k)
{
    const hit_kernel_arg *expected = &call->kernel->arg[k];
    const hit_arg *found = &call->args[k];
    const bool value = expected->mode == HIT_MODE_VALUE;
    const char *kernel = call->kernel->name;

    if (expected->name == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected a name of argument %d but found "
                        "NULL",
                        kernel, k);
    }
    if ((value ? found->value == NULL : found->tile == NULL) ||
        (found->value != NULL && found->tile != NULL)) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s, argument %s: expected a %s but found %s",
                        kernel, expected->name, value ? "HIT_VALUE()" : "tile",
                        found->value != NULL  ? "a value"
                        : found->tile != NULL ? "a tile"
                                              : "NULL");
    }
    if (!same_type(expected->type, found->type)) {
        return HIT_FAIL(
            HIT_E_ARG,
            "kernel %s, argument %s: expected elements of type %s (%zu bytes) but "
            "found %s (%zu bytes)",
            kernel, expected->name, hit_kind_name(expected->type.kind),
            expected->type.size_bytes, hit_kind_name(found->type.kind),
            found->type.size_bytes);
    }
    if (!value && found->tile->storage->context != call->context) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: tile %s belongs to another context",
                        kernel, expected->name, found->tile->storage->name);
    }
    return HIT_OK;
}

/* A body that writes one argument must not see the same elements through another. */
static hit_status check_alias(const hit_call *call, int k, int other)
{
    const hit_tile *a = call->args[k].tile;
    const hit_tile *b = call->args[other].tile;
    const hit_mode mode = call->kernel->arg[k].mode;

    if (k == other || b == NULL || a->storage != b->storage) return HIT_OK;
    if (mode == HIT_MODE_IN) return HIT_OK;
    const hit_domain common = hit_domain_intersect(&a->domain, &b->domain);
    if (hit_domain_is_empty(&common)) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG,
        "kernel %s: argument %s is written and must not be argument %s as well "
        "(both are tile %s)",
        call->kernel->name, call->kernel->arg[k].name, call->kernel->arg[other].name,
        a->storage->name);
}

static hit_status check_layout(const hit_call *call)
{
    if (call->layout == NULL || call->layout->context == call->context) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "kernel %s: layout %s belongs to %s", call->kernel->name,
                    hit_layout_name(call->layout),
                    call->layout->context == NULL ? "no context: it is for planning"
                                                  : "another context");
}

hit_status hit_call_check(const hit_call *call)
{
    const hit_kernel *kernel = call->kernel;

    if (kernel == NULL || kernel->name == NULL || kernel->arg == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a kernel with a name and arguments but found NULL");
    }
    if (call->args == NULL) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected %d arguments but found NULL",
                        kernel->name, kernel->args);
    }
    if (call->count != kernel->args) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected %d arguments but found %d",
                        kernel->name, kernel->args, call->count);
    }
    HIT_TRY(hit_domain_check(&call->domain));
    if (call->domain.dims != kernel->dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected a domain of %d dimensions but found %d",
                        kernel->name, kernel->dims, call->domain.dims);
    }
    HIT_TRY(check_layout(call));
    for (int k = 0; k < call->count; k++) {
        HIT_TRY(check_arg(call, k));
    }
    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile == NULL) continue;
        for (int other = 0; other < call->count; other++) {
            HIT_TRY(check_alias(call, k, other));
        }
    }
    return HIT_OK;
}

/* hit_hash() of numbers that are hashes: a word at a time, since every launch does it. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t key_of(const hit_call *call)
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
            hit_known_is(plan->known, call->kernel)) {
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

static hit_status make_plan(const hit_call *call, hit_launcher *launcher,
                            hit_launch_plan **plan)
{
    const hit_known_kernel *known = NULL;

    HIT_TRY(hit_launcher_know(launcher, call->kernel, &known));
    HIT_TRY(hit_launch_plan_make(call, known, plan));
    return hit_launcher_reserve(launcher, (*plan)->scratch_bytes);
}

/* The first launch of its kind: the processes plan alone and agree that all could. */
static hit_status new_plan(const hit_call *call, hit_launcher *launcher,
                           hit_status status, hit_launch_plan **plan)
{
    if (status == HIT_OK) status = make_plan(call, launcher, plan);
    status = hit_comm_agree(call->context->comm, status);
    if (status != HIT_OK) {
        hit_launch_plan_destroy(plan);
        return status;
    }
    keep_plan(launcher, *plan);
    return HIT_OK;
}

static hit_status dry_launch(const hit_call *call, hit_status status)
{
    if (status == HIT_OK) status = hit_dry_launch(call, key_of(call));
    return hit_comm_agree(call->context->comm, status);
}

hit_status hit_launch_args(hit_context *context, hit_layout *layout,
                           const hit_kernel *kernel, hit_domain domain, int count,
                           const hit_arg args[])
{
    hit_call call = {context, layout, kernel, domain, count, args};
    hit_launcher *launcher = NULL;
    hit_launch_plan *plan = NULL;
    hit_status status;
    uint64_t key = 0;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    HIT_TRY(hit_launcher_get(context, &launcher));
    status = hit_call_check(&call);
    if (context->dry != NULL) return dry_launch(&call, status);
    HIT_TRY(hit_verify_begin(&call, status, launcher));
    if (status == HIT_OK) {
        key = key_of(&call);
        plan = find_plan(launcher, &call, key);
    }
    if (plan == NULL) {
        HIT_TRY(new_plan(&call, launcher, status, &plan));
        plan->key = key; /* NOLINT(clang-analyzer-core.NullDereference): there now */
    }
    call.kernel = plan->known->kernel; /* for what goes on when the program's has gone */
    plan->last_used = ++launcher->launches;
    return hit_verify_run(&call, launcher->verify, plan);
}

hit_status hit_wait(hit_context *context)
{
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    return hit_settle(context);
}
