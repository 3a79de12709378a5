/* SPDX-License-Identifier: MIT
 * Internal: the index range of each device of the process, the elements it needs, and its
 * superblock plan. */
#ifndef HIT_LAUNCH_PARTS_H
#define HIT_LAUNCH_PARTS_H

#include "hit/launch/call.h"

struct hit_launch_plan;

/** What a part of a launch needs of one tile argument. */
typedef struct hit_claim {
    hit_domain need; /**< of that of the piece */
    hit_domain box;  /**< what stays on the device: the need, or a little more */
    bool loads;      /**< must the need be on the device before the run? */
    bool partial;    /**< it is added up in a buffer of its own, since another device adds
                        to the same elements */
    size_t offset_bytes;  /**< of that buffer, in the scratch memory */
    hit_view own;         /**< that buffer; refreshed at every launch */
    const hit_view *host; /**< where the elements are: it, or what the piece uses */
} hit_claim;

/** What one device does of one piece of the process's indices. */
typedef struct hit_part {
    int piece;
    int device;
    hit_domain index;
    hit_superblocks superblocks; /**< for a device with its own memory */
    bool rims;                   /**< there is room on the device for the claims' boxes */
    bool replanned;              /**< the device had less memory than its limit */
    hit_claim *claim;            /**< one per use */
} hit_part;

/** Plan what the devices do: needs plan->index and plan->use. @errors HIT_E_NOMEM, and
 * those of hit_call_superblocks(); clear also then */
hit_status hit_parts_plan(struct hit_launch_plan *plan, const hit_call *call);
/** The same by other shares along plan->cut_dim; not of a plan that reduces.
 * @errors also as hit_cut_again(); the plan is then as it was */
hit_status hit_parts_cut(struct hit_launch_plan *plan, const hit_call *call,
                         const hit_index share[]);
/** Several devices have the same shares of indices of the same extents: let them follow
 * from the plan's domain to that of the call. */
void hit_parts_shift(struct hit_launch_plan *plan, const hit_call *call);
/** The parts of a plan of one piece that hit_move() moves: plan->index and what the uses
 * need are new. */
void hit_parts_move(struct hit_launch_plan *plan, const hit_call *call);
void hit_parts_clear(struct hit_launch_plan *plan);
/** Before the parts of a launch run at the same time: what @p part needs and another
 * device than its own has is sent to the host; what it will write is forgotten there. */
hit_status hit_part_settle(const hit_call *call, const struct hit_launch_plan *plan,
                           const hit_part *part);

#endif
