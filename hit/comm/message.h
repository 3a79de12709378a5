/* SPDX-License-Identifier: MIT
 * Message plans: who sends what for one tile argument of a launch. A pure function of the
 * split, the layout and the pattern: every process knows alone what it gets and gives.
 * The same code serves a halo, a panel, a transpose and a redistribution. */
#ifndef HIT_COMM_MESSAGE_H
#define HIT_COMM_MESSAGE_H

#include "hit/comm/split.h"
#include "hit/data/nearby.h"

typedef enum hit_direction {
    HIT_GATHER, /**< owners give what the users of the elements need */
    HIT_RETURN  /**< users give what they wrote, or added to, back to the owners */
} hit_direction;

struct hit_everyone;

typedef struct hit_message_request {
    int rank;
    int ranks;
    const hit_split *split;
    const hit_layout *layout; /**< of the tile; all here is borrowed during the call */
    hit_domain tile;          /**< the tile's domain, inside the layout's */
    const hit_boundary *boundary; /**< one per dimension */
    const hit_pattern *pattern;
    size_t size_bytes; /**< of an element */
    hit_direction direction;
    /** hit/comm/needs.h: found before, for the plans of many ranks; NULL: this plan finds
     * it itself. */
    const struct hit_everyone *everyone;
    bool direct; /**< no trees: no process waits for another one to forward a message */
} hit_message_request;

/** Some elements that go between user piece number user_piece (of the user's indices) and
 * owner piece number owner_piece (of the owner's part). The user's element x is the
 * owner's remap(x). */
typedef struct hit_transfer {
    int user_piece;
    int owner_piece;
    hit_domain domain; /**< in the user's indices */
    hit_remap remap;
    bool constant;       /**< no owner: the tile's constant */
    size_t offset_bytes; /**< in the message */
} hit_transfer;

typedef struct hit_target {
    int rank;
    int tag; /**< to be multiplied by HIT_MAX_ARGS, plus the argument's number */
} hit_target;

/** One buffer: received, or packed here; then sent to its targets. */
typedef struct hit_message {
    int from; /**< the sender of a receive; this process otherwise */
    int tag;
    size_t size_bytes;
    int first; /**< its transfers */
    int count;
    int first_target;
    int targets;
    bool one_box; /**< all that its receiver needs of the tile, a box as it lies in the
                     owner's part, for one piece of its indices: it can be held
                     (hit/comm/held.h) */
} hit_message;

/** The same list of elements that goes to three or more processes goes along a binomial
 * tree of them. Transfers 0..locals-1 stay on this process. */
typedef struct hit_message_plan {
    hit_direction direction;
    int receives;
    int sends;
    int locals;
    int transfers;
    int targets;
    hit_message *receive; /**< by ascending owner, or user in a return */
    hit_message *send;
    hit_transfer *transfer;
    hit_target *target;
    uint64_t bytes_received;
    uint64_t bytes_sent;
} hit_message_plan;

/** @owner *plan is the caller's: hit_message_plan_clear()
 * @errors HIT_E_PATTERN the pattern leaves a tile without a boundary; HIT_E_NOMEM */
hit_status hit_message_plan_make(const hit_message_request *request,
                                 hit_message_plan *plan);
void hit_message_plan_clear(hit_message_plan *plan);

#endif
