/* SPDX-License-Identifier: MIT
 * Internal: how the launches of a context are carried out. hit/context.c chooses one:
 * live (hit/run), checked (hit/run, around live), or dry (hit/dry). */
#ifndef HIT_LAUNCH_EXECUTOR_H
#define HIT_LAUNCH_EXECUTOR_H

#include "hit/launch/call.h"
#include "hit/launch/stats.h"

typedef struct hit_executor {
    const char *name;
    /** Does it choose the devices by itself? Then launches are planned as if they could
     * run on all of the context's (hit_call_able()). */
    bool places;
    /** Carry out @p call, whose check on this process ended with @p checked. Errors of a
     * call that is wrong come from here, since all processes must agree on them.
     * @collective yes */
    hit_status (*launch)(hit_call *call, hit_status checked);
    /** The figures of all processes together; NULL: what each process counted, added up.
     */
    void (*stats)(const hit_context *context, hit_stats *total);
    /** What hit_time() is; NULL: the context's clock. */
    double (*time_s)(const hit_context *context);
    /** One line on the devices on which launches run; NULL: those of the context. */
    void (*describe)(const hit_context *context, char *text, size_t size);
    /** Give context->execution back, which this executor made. NULL: there is nothing. */
    void (*close)(hit_context *context);
} hit_executor;

#endif
