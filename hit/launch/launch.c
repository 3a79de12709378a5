/* SPDX-License-Identifier: MIT
 * Launches: a call is checked here, and handed to the executor of its context. */
#include "hit/launch/launch.h"

#include "hit/data/hash.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_impl.h"

#include <stdio.h>

hit_arg hit_arg_tile(hit_tile *tile)
{
    hit_arg arg = {.tile = tile};

    if (tile != NULL) arg.type = tile->storage->type;
    return arg;
}

extern inline hit_arg hit_arg_value(hit_arg arg);

static hit_status launch(hit_call *call)
{
    hit_status status;

    if (call->known != NULL) return call->context->executor->launch(call, HIT_OK);
    status = hit_call_check(call);
    if (hit_launcher_makes_room(call->context, status)) status = hit_call_check(call);
    return call->context->executor->launch(call, status);
}

/* A call that is not known as it stands. */
static hit_status launch_anew(hit_call *call)
{
    hit_values values;

    if (hit_call_has_results(call)) return hit_launch_results(call);
    if (hit_call_convert(call, &values)) call->known = hit_known_call_find(call);
    return launch(call);
}

static hit_status launch_known(hit_call *call)
{
    call->known = hit_known_call_find(call);
    return call->known != NULL ? launch(call) : launch_anew(call);
}

/* Where one thread does all of it, in the tiles' memory, a launch in order is one box:
 * there is nothing to find out about one that is known. */
static hit_status launch_in_order(hit_call *call)
{
    const hit_context *context = call->context;
    const hit_ordered *ordered = &context->launcher->ordered;

    if (ordered->asked && ordered->threads == 1 && ordered->limit_bytes == UINT64_MAX &&
        context->size == 1) {
        call->known = hit_known_call_find(call);
        if (call->known != NULL) return launch(call);
    }
    return hit_launch_ordered(call, launch_known);
}

/* What stands behind the arguments of the kernel: HIT_ON() and HIT_WHERE(), once each. */
static void take_on(hit_call *call, hit_where *where)
{
    while (call->count > 0 && hit_arg_is_on(&call->args[call->count - 1])) {
        const hit_arg *arg = &call->args[call->count - 1];
        const bool on = arg->type.kind != HIT_KIND_INT8;

        if (on ? call->on != NULL : call->where != NULL) break; /* the check tells */
        if (on) {
            call->on = arg->value;
        } else {
            where->text = arg->value;
            where->count = 0;
            where->sources = 0;
            call->where = where;
        }
        call->count--;
    }
}

hit_status hit_launch_args(hit_context *context, hit_layout *layout,
                           const hit_kernel *kernel, hit_domain domain, int count,
                           const hit_arg args[])
{
    hit_call call = {.context = context,
                     .layout = layout,
                     .kernel = kernel,
                     .domain = domain,
                     .count = count,
                     .args = args};
    hit_where where; /* not cleared as a whole: it is large */

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    HIT_TRY(hit_context_check_thread(context));
    if (context->launcher->kernels >= context->launcher->kernels_most) {
        hit_launcher_forget_kernels(context);
    }
    if (args != NULL) take_on(&call, &where);
    if (kernel != NULL && hit_kernel_is_ordered(kernel)) return launch_in_order(&call);
    return launch_known(&call);
}

static uint64_t mark_chain(const void *launches)
{
    return hit_hash_word(hit_hash_text(HIT_HASH_START, "hit_chain"),
                         (uint64_t) * (const int *)launches);
}

static void say_chain(const void *launches, char *text, size_t size)
{
    (void)snprintf(text, size, "hit_chain(%d)", *(const int *)launches);
}

static hit_status check_chain(int launches)
{
    if (launches >= 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "hit_chain: expected HIT_CHAIN_ANY, HIT_CHAIN_OFF or a number of "
                    "launches but found %d",
                    launches);
}

hit_status hit_chain(hit_context *context, int launches)
{
    const hit_comm_call call = {mark_chain, say_chain, &launches};
    hit_launcher *launcher;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    /* with unlike lengths some would wait for messages of blocks that others do not have
     */
    HIT_TRY(hit_comm_agree_on(context->comm, check_chain(launches), &call));
    launcher = context->launcher;
    launcher->chain_asked = launches != HIT_CHAIN_OFF;
    launcher->promise = launcher->chain_asked ? ++launcher->promises : 0;
    launcher->chain_room = launcher->chain_most;
    if (launches != HIT_CHAIN_ANY && launches < launcher->chain_most) {
        launcher->chain_room = launches;
    }
    return hit_settle(context);
}

hit_status hit_wait(hit_context *context)
{
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    HIT_TRY(hit_context_check_thread(context));
    return hit_settle(context);
}
