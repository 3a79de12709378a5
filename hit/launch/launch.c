/* SPDX-License-Identifier: MIT
 * Launches: a call is checked here, and handed to the executor of its context. */
#include "hit/launch/launch.h"

#include "hit/base/context.h"
#include "hit/launch/executor.h"
#include "hit/tile/coherence.h"

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

hit_status hit_launch_args(hit_context *context, hit_layout *layout,
                           const hit_kernel *kernel, hit_domain domain, int count,
                           const hit_arg args[])
{
    hit_call call = {context, layout, kernel, domain, count, args};

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    return context->executor->launch(&call, hit_call_check(&call));
}

hit_status hit_wait(hit_context *context)
{
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    return hit_settle(context);
}
