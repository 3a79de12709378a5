/* SPDX-License-Identifier: MIT
 * Numbers of reductions as arguments: a tile of one element stands in for each, and is
 * looked at when the launch has returned. */
#include "hit/launch/launcher.h"
#include "hit/tile/tile_impl.h"
#include "patterns/reduce.h"

#include <string.h>

static bool is_result(const hit_arg *arg)
{
    return arg->tile == NULL && (arg->type.size_bytes & HIT_RESULT_MARK) != 0;
}

bool hit_call_has_results(const hit_call *call)
{
    if (call->args == NULL || call->kernel == NULL) return false;
    if (call->count > HIT_MAX_ARGS || call->count > call->kernel->args) return false;
    for (int k = 0; k < call->count; k++) {
        if (is_result(&call->args[k])) return true;
    }
    return false;
}

static hit_status check(const hit_call *call, int k)
{
    const hit_kernel_arg *arg = &call->kernel->arg[k];

    if (call->args[k].value == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected an address in HIT_RESULT() but "
                        "found NULL",
                        call->kernel->name, arg->name);
    }
    if (hit_mode_reduces(arg->mode)) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "kernel %s, argument %s: HIT_RESULT() is for a reduction (sum, min, "
                    "max, reduce) into \"[]\", but this argument is none",
                    call->kernel->name, arg->name);
}

/* What a launch over no indices leaves. What fails here does so in the launch, too, which
 * tells all processes. */
static void clear(const hit_call *call, int k, hit_tile *tile)
{
    hit_view view = {.data = NULL};

    (void)hit_tile_map(tile, 0, HIT_WRITE, &view);
    if (view.data == NULL) return; /* another process has it */
    (void)hit_reduce_identity(hit_reducer_of(call->kernel, k), view.data, 1);
}

/* The tile that stands in for argument @p k; one of another type is replaced. */
static hit_status stand_in(const hit_call *call, int k, hit_arg *arg)
{
    hit_tile **tile = &call->context->launcher->result[k];
    const hit_type type = {call->args[k].type.kind,
                           call->args[k].type.size_bytes & ~HIT_RESULT_MARK};

    if (*tile != NULL) {
        const hit_type there = (*tile)->storage->type;

        if (there.kind != type.kind || there.size_bytes != type.size_bytes) {
            hit_tile_destroy(tile);
        }
    }
    if (*tile == NULL) {
        HIT_TRY(hit_tile_make(call->context, hit_domain_scalar(), "single", type,
                              call->kernel->arg[k].name, tile));
    }
    *arg = hit_arg_tile(*tile);
    clear(call, k, *tile);
    return HIT_OK;
}

hit_status hit_launch_results(const hit_call *call)
{
    hit_arg args[HIT_MAX_ARGS + 2];
    int count = call->count;
    hit_status status;

    memcpy(args, call->args, sizeof(args[0]) * (size_t)count);
    for (int k = 0; k < count; k++) {
        if (!is_result(&call->args[k])) continue;
        HIT_TRY(check(call, k));
        HIT_TRY(stand_in(call, k, &args[k]));
    }
    if (call->where != NULL) args[count++] = HIT_WHERE(call->where->text);
    if (call->on != NULL) args[count++] = HIT_ON(call->on);
    call->context->launcher->refused = false;
    status = hit_launch_args(call->context, call->layout, call->kernel, call->domain,
                             count, args);
    if (call->context->launcher->refused) return status;
    /* else it may have failed here alone, and others come to look at the numbers */
    for (int k = 0; k < call->count; k++) {
        /* the program's variable, of which hit_arg has the address to read from */
        void *value = (void *)(uintptr_t)call->args[k].value;

        if (is_result(&call->args[k])) {
            status = hit_tile_get_after(status, args[k].tile, NULL, value);
        }
    }
    return status;
}
