/* SPDX-License-Identifier: MIT
 * Internal: calls that were checked and planned before. A program launches the same
 * kernels on the same tiles again and again: such a call is compared once with what it
 * was then, and neither checked nor looked up again. */
#ifndef HIT_LAUNCH_KNOWN_CALL_H
#define HIT_LAUNCH_KNOWN_CALL_H

#include "hit/launch/call.h"

struct hit_launch_plan;

/** One of them; plan NULL: none. Calls with a layout, or HIT_ON(), are not kept. */
typedef struct hit_known_call {
    struct hit_launch_plan *plan;
    /** What a tile argument is, to all that checks and plans; 0: a value. */
    struct {
        uint64_t storage;
        uint64_t shape;
    } tile[HIT_MAX_ARGS];
} hit_known_call;

enum {
    HIT_KNOWN_CALLS = 64 /* a power of two */
};

/** The plan of an equal call, at the place of @p call, whose alias is set; NULL: it is to
 * be checked and planned. Accepts any call of a context. */
struct hit_launch_plan *hit_known_call_find(hit_call *call);
/** Keep a call that was checked with its plan, which is found again under its key. */
void hit_known_call_keep(const hit_call *call, struct hit_launch_plan *plan);
/** The plan goes. */
void hit_known_call_forget(hit_known_call known[], const struct hit_launch_plan *plan);

#endif
