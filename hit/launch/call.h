/* SPDX-License-Identifier: MIT
 * Internal: a launch as the program asked for it. */
#ifndef HIT_LAUNCH_CALL_H
#define HIT_LAUNCH_CALL_H

#include "hit/base/on.h"
#include "hit/device/device.h"
#include "hit/launch/kernels.h"
#include "hit/launch/launch.h"
#include "hit/plan/superblocks.h"
#include "hit/tile/tile_impl.h"

typedef struct hit_call {
    hit_context *context;
    hit_layout *layout; /**< the split, or NULL */
    const hit_kernel *kernel;
    hit_domain domain;
    int count;
    const hit_arg *args;
    const char *on;               /**< HIT_ON(): where it may run; NULL: everywhere */
    uint64_t alias;               /**< hit_alias_of() */
    struct hit_known_call *known; /**< hit_known_call_find(); NULL: it is a new one */
} hit_call;

/** Is the call well formed? Sets its alias. Cheap: done at every launch. */
hit_status hit_call_check(hit_call *call);

/** Is it what HIT_ON() makes? */
static inline bool hit_arg_is_on(const hit_arg *arg)
{
    return arg->tile == NULL && arg->value != NULL && arg->type.size_bytes == 0;
}
/** Where the kernel and the launch say that it may run. */
hit_on hit_call_on(const hit_call *call);
/** The devices of the context on which it may run, and that have an implementation.
 * @errors HIT_E_ABSENT there is none */
hit_status hit_call_able(const hit_call *call, hit_device_set *able);

/** hit_comm_agree_on() the launch: its kernel, indices and tiles; values may differ.
 * @collective yes */
hit_status hit_call_agree(const hit_call *call, hit_status status);
/** hit_comm_note() it: it is compared later. */
void hit_call_note(const hit_call *call);

/** Floating-point operations of @p indices of its indices; 0: the kernel does not say. */
uint64_t hit_call_operations(const hit_call *call, uint64_t indices);

/** Copy the values to @p memory, and let @p slot point to them: a launch that runs later
 * does not find the caller's. Each lies at a multiple of what its type may ask for, up to
 * 64 bytes. False: @p size bytes are no room for them. */
bool hit_call_keep_values(const hit_call *call, void *memory, size_t size,
                          hit_slot slot[]);
/** Bytes that are room for them in any memory. */
size_t hit_call_values_bytes(const hit_call *call);

/** The tile arguments as the planner sees them, for the indices @p index; returns their
 * number.
 * @shape arg: HIT_MAX_ARGS */
int hit_call_plan_args(const hit_call *call, const hit_known_kernel *known,
                       const hit_domain *index, hit_plan_arg arg[]);

/** Plan the superblocks of the indices @p index of one device, of which they may use @p
 * limit_bytes. Pure; what *made held is given back.
 * @errors HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_call_superblocks(const hit_call *call, const hit_known_kernel *known,
                                const hit_device *device, const hit_domain *index,
                                size_t limit_bytes, hit_superblocks *made);

#endif
