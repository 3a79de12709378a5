/* SPDX-License-Identifier: MIT
 * Internal: calls that were checked and planned before. A program launches the same
 * kernels on the same tiles again and again: such a call is compared once with what it
 * was then, and neither checked nor looked up again. */
#ifndef HIT_LAUNCH_KNOWN_CALL_H
#define HIT_LAUNCH_KNOWN_CALL_H

#include "hit/launch/call.h"

struct hit_launch_plan;
struct hit_runner;

/** One of them; plan NULL: none. Calls with a layout, or HIT_ON(), are not kept. */
typedef struct hit_known_call {
    struct hit_launch_plan *plan;
    /** How it was carried out last (hit/run/live.c), which an equal call begins with. Its
     * slots are right while `ready` is stations->grown. NULL, or 0: they are not set. */
    struct hit_runner *runner;
    uint64_t ready;
    uint64_t place;              /**< the plan's when it served last */
    struct hit_known_call *next; /**< the one that was launched after it; NULL: none */
    /** What a tile argument is, to all that checks and plans; 0: a value. */
    struct {
        uint64_t storage;
        uint64_t shape;
    } tile[HIT_MAX_ARGS];
} hit_known_call;

enum {
    HIT_KNOWN_CALLS = 64 /* a power of two */
};

/** An equal call, whose plan is at the place of @p call now; its alias is set. NULL: it
 * is to be checked and planned. Accepts any call of a context. */
hit_known_call *hit_known_call_find(hit_call *call);
/** Keep a call that was checked with its plan, which is found again under its key. It is
 * known from now on. */
void hit_known_call_keep(hit_call *call, struct hit_launch_plan *plan);
/** The plan goes. */
void hit_known_call_forget(hit_known_call known[], const struct hit_launch_plan *plan);

#endif
