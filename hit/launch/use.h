/* SPDX-License-Identifier: MIT
 * Internal: where the elements of one tile argument of a launch lie, and their messages.
 */
#ifndef HIT_LAUNCH_USE_H
#define HIT_LAUNCH_USE_H

#include "hit/comm/exchange.h"
#include "hit/launch/call.h"

struct hit_launch_plan;

/** How one tile argument is used by a launch plan. The arrays have one entry per piece of
 * the process's indices. */
typedef struct hit_use {
    int arg; /**< its number among the kernel's arguments */
    hit_mode mode;
    unsigned beside;            /**< hit_alias_beside() */
    const hit_pattern *pattern; /**< the known kernel's */
    const hit_pattern *writes;  /**< the same without what is only read */
    hit_domain tile;
    uint64_t shape; /**< the tile's */
    hit_domain *need;
    int *piece; /**< the tile's piece that holds the need; -1: a temporary buffer does */
    size_t *offset_bytes; /**< of the temporary buffer, in the scratch memory or below */
    bool retained; /**< what is gathered stays in the tile's memory, on all processes
                      alike */
    bool single;   /**< then: each process owns one box at most */
    bool holds;    /**< some messages before the run bring a box that can be held */
    bool has;      /**< to this process, which needs no more */
    bool kept; /**< temporary buffers are its own, and what is gathered stays there, on
                  all processes alike */
    void *memory;
    size_t memory_bytes;
    hit_context *context;       /**< that holds it, if there is any */
    hit_exchange *gather;       /**< NULL: nothing to get or give before the run */
    size_t gather_offset_bytes; /**< of its buffer, in the scratch memory */
    hit_exchange *give_back;    /**< NULL: nothing afterwards */
    size_t return_offset_bytes;
    int homes;
    hit_home *home;  /**< per device: of temporary pieces */
    hit_view *user;  /**< refreshed at every launch */
    hit_view *owner; /**< one per piece of the tile */
} hit_use;

/** Find where elements of the argument use->arg of a call lie: mode, pattern and tile
 * must be set, and the plan's split and indices. Adds what it needs of scratch memory to
 * the plan. @errors HIT_E_NOMEM, HIT_E_PATTERN; clear it also then
 */
hit_status hit_use_place(hit_use *use, const hit_call *call,
                         struct hit_launch_plan *plan);
/** Then plan its messages, in scratch memory, too. @errors as above */
hit_status hit_use_connect(hit_use *use, const hit_call *call,
                           struct hit_launch_plan *plan);
void hit_use_clear(hit_use *use);
/** Is what the launch needs a halo around what each process owns? The answer, which is in
 * use->retained, depends only on what all processes know, so that all keep halos, or none
 * does. Needs mode and pattern. @errors HIT_E_NOMEM */
hit_status hit_use_set_retained(hit_use *use, const hit_tile *tile,
                                const hit_split *split);
/** May boxes that come be held: does the launch leave them as they are, and do they not
 * lie in the tile? Needs mode and retained. */
bool hit_use_may_hold(const hit_use *use);
/** Are elements of the argument brought to the indices before the run? Needs arg, mode,
 * pattern and tile. */
bool hit_use_gathers(const hit_use *use, const hit_call *call);
/** The plan to ask for of what this process sends and receives for the argument. Needs
 * arg, pattern and writes. */
hit_message_request hit_use_request(const hit_use *use, const hit_call *call,
                                    const hit_split *split, hit_direction direction);
/** Shrink plan->inner to the indices that touch only owned elements of @p tile. */
void hit_use_shrink(const hit_use *use, const hit_tile *tile,
                    struct hit_launch_plan *plan);
/** Before a run: let the memory of @p tile hold what is needed. All arguments of a launch
 * first, since two of them may be the same tile; then refresh. @errors HIT_E_NOMEM */
hit_status hit_use_cover(const hit_use *use, hit_tile *tile, int pieces);
/** Let the views point into the memory of @p tile and into @p scratch. */
void hit_use_refresh(hit_use *use, const hit_tile *tile, int pieces, char *scratch);

/** Must the elements that @p index need of the argument be there before the kernel runs?
 * No if all of them are overwritten. */
bool hit_use_loads(const hit_use *use, const hit_call *call,
                   const hit_known_kernel *known, const hit_domain *index);

/** The piece of the tile's memory that holds the need of piece @p piece of the indices;
 * @p piece itself for a temporary one. */
static inline int hit_use_storage_piece(const hit_use *use, const hit_call *call,
                                        int piece)
{
    const int own = use->piece[piece];

    return own < 0 ? piece : call->args[use->arg].tile->piece[own];
}

/* holds.c: what is held of tiles that others own (hit/comm/exchange.h). */

/** Has the program promised that all processes that own some of the tile write it at the
 * same places among the launches, and do all own some? Then both ends know whether a box
 * that is held is as it was. */
bool hit_holds_promised(const hit_context *context, const hit_storage *storage);
/** Let a tile have a list with room for @p more boxes. @errors HIT_E_NOMEM */
hit_status hit_holds_reserve(hit_storage *storage, int more);
/** Before a launch: what the program wrote of its tiles is held no more. @collective
 * where the program has promised that it is, some has written a tile since a launch had
 * it, and something may be held at all
 * @errors HIT_E_ARG the processes have not written the same tiles */
hit_status hit_holds_begin(const hit_call *call);
/** After it: nor is what it wrote. */
void hit_holds_end(const hit_call *call, const hit_known_kernel *known);

#endif
