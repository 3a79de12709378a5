/* SPDX-License-Identifier: MIT
 * Message plans: pure functions of splits, layouts and patterns. */
#ifndef HIT_COMM_MESSAGE_H
#define HIT_COMM_MESSAGE_H

#include "hit/base/alloc.h"
#include "hit/data/nearby.h"
#include "hit/data/region.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_impl.h"
#include "patterns/where.h"

/* split.c: who runs which indices of a launch: owner computes. The indices are split as
 * the layout of one tile, through an anchor: the one element of that tile each index
 * belongs to. Pure. */

/** Index x belongs to the rank that owns element anchor(x): in tile dimension t
 * coef[t] * x[follows[t]] + offset[t], or offset[t] where follows[t] is -1. */
typedef struct hit_split {
    const hit_layout *layout; /**< borrowed */
    hit_domain index;         /**< of the launch */
    hit_domain tile; /**< of the tile whose layout splits; inside the layout's domain */
    int follows[HIT_MAX_DIMS];
    hit_index coef[HIT_MAX_DIMS];
    hit_index offset[HIT_MAX_DIMS];
    const hit_where *where; /**< which of the indices are run; NULL: all. Borrowed */
    bool joined; /**< a box around all alternatives of these: indices run in an order */
    int arg;     /**< the caller's, as the two before: whose pattern it is by */
} hit_split;

/** Anchor by a pattern's first expression. @errors HIT_E_PATTERN the expression cannot be
 * inverted, or some index belongs to no element of the tile */
hit_status hit_split_by_pattern(const hit_layout *layout, const hit_domain *tile,
                                const hit_pattern *pattern, const hit_domain *index,
                                hit_split *split);
/** Index x is element x of the layout's domain; the one of a launch without dimensions,
 * which is (0), that of a scalar. @errors HIT_E_ARG the domain does not
 * hold them all */
hit_status hit_split_by_layout(const hit_layout *layout, const hit_domain *index,
                               hit_split *split);
/** How many index dimensions the anchor follows. */
int hit_split_followed(const hit_split *split);
/** The indices that belong to the elements @p owned; the layout is not asked. */
hit_domain hit_split_indices(const hit_split *split, const hit_domain *owned);
/** The indices of @p rank, as disjoint domains, in the order of the layout's part; where
 * some do not run, boxes around those that do, for each alternative. *part must be empty,
 * and is so on failure.
 * @errors HIT_E_NOMEM */
hit_status hit_split_part(const hit_split *split, int rank, hit_region *part);
/** Add the ranks that have indices; maybe a few more. @errors HIT_E_NOMEM */
hit_status hit_split_owners(const hit_split *split, hit_owners *owners);

/* message.c: message plans: who sends what for one tile argument of a launch. A pure
 * function of the split, the layout and the pattern: every process knows alone what it
 * gets and gives. The same code serves a halo, a panel, a transpose and a redistribution.
 */

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
    /** Of the elements of each user piece; NULL: all are as large. */
    const size_t *sizes;
    hit_direction direction;
    /** hit/comm/message.h: found before, for the plans of many ranks; NULL: this plan
     * finds it itself. */
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
    size_t size_bytes;   /**< of an element */
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
                     (hit/comm/exchange.h) */
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
/** The memory of its lists. */
size_t hit_message_plan_bytes(const hit_message_plan *plan);

/* around.c: message plans of boxes that are larger than the processes' parts. */

/** Of a tile, what lies around each process's box: @p low and @p high elements per
 * dimension, inside @p cover. All is borrowed. */
typedef struct hit_around_field {
    const hit_domain *cover;
    const hit_index *low; /**< NULL: nothing is wanted of it */
    const hit_index *high;
    size_t size_bytes; /**< of an element */
} hit_around_field;

/** Tiles of one layout. All is borrowed. */
typedef struct hit_around {
    const hit_layout *layout; /**< each part must be one box */
    const hit_index *period;  /**< per dimension: beyond the tile, cover or not, are its
                                 elements again, so far away; 0: nothing is */
    int fields;               /**< HIT_MAX_ARGS at most */
    const hit_around_field *field;
} hit_around;

/** A gather of that, for process @p rank: one message from each process that has some of
 * it. Messages are direct. Pieces, of users and owners, are numbers of fields. @errors
 * HIT_E_NOMEM */
hit_status hit_message_plan_around(const hit_around *around, int rank,
                                   hit_message_plan *plan);

/** The plans of all processes, added up. */
typedef struct hit_around_sum {
    uint64_t messages; /**< sent */
    uint64_t bytes;
    uint64_t most_messages; /**< sent by one process */
    uint64_t most_bytes;
    uint64_t most_receives; /**< of one process */
    uint64_t most_bytes_received;
} hit_around_sum;

/** @errors HIT_E_NOMEM */
hit_status hit_around_add_up(const hit_around *around, hit_around_sum *sum);

/* peers.c: pairs of boxes that meet, found without a look at all pairs. */

/** For each rank some others, ascending: rank[first[r]] to rank[first[r + 1] - 1]. */
typedef struct hit_peers {
    size_t *first; /**< NULL: all of them */
    int *rank;
} hit_peers;

/** Which of @p one and @p other, @p ranks of each, meet: @p of_one has those of other for
 * each of one, @p of_other those of one for each of other. Both are {NULL, NULL} where
 * nearly all meet, and without dimensions. @owner the caller, also on failure:
 * hit_peers_clear() @errors HIT_E_NOMEM */
hit_status hit_peers_find(const hit_hull one[], const hit_hull other[], int ranks,
                          int dims, hit_peers *of_one, hit_peers *of_other);
void hit_peers_clear(hit_peers *peers);

/* needs.c: what one process needs of a tile, as images of elements inside it. */

/** A box of needed elements. */
typedef struct hit_need {
    hit_image image;
    hit_hull near; /**< around its sources: most of what is owned is apart from it, and
                        this is much cheaper to see than hit_needs_overlap() */
    int piece;     /**< the number of the index piece that needs it */
} hit_need;

/** {0} is empty. */
typedef struct hit_needs {
    int count;
    size_t room;
    hit_need *item;
} hit_needs;

/** Append the elements of @p box, some of which may lie beyond the tile. @errors
 * HIT_E_PATTERN it leaves a tile without a boundary; HIT_E_NOMEM */
hit_status hit_needs_add(const hit_domain *tile, const hit_boundary boundary[],
                         const hit_domain *box, int piece, hit_needs *list);
/** The elements of @p image whose sources lie in @p owned: the remap is undone per
 * dimension. */
hit_domain hit_needs_overlap(const hit_image *image, const hit_domain *owned);

/** What each process needs and owns of a request's tile. Processes that neither have
 * indices nor own what others need are not in it: a process is meant by its place, the
 * order is that of ranks. {0} is empty. */
typedef struct hit_everyone {
    int count;
    int *rank;         /**< ascending; NULL: all of them are in it, or none */
    hit_arrays arrays; /**< but for the ranks: */
    hit_needs *need;
    int *like; /**< the first place that needs the same */
    hit_region *owned;
    hit_hulls *hulls; /**< over what each owns */
    hit_peers users;  /**< of a place's elements: all, and maybe a few more */
    hit_peers owners; /**< of what a place needs */
} hit_everyone;

/** Room for @p count processes that need and own nothing. @owner and @errors as below */
hit_status hit_everyone_make(int count, hit_everyone *everyone);
static inline int hit_everyone_rank(const hit_everyone *everyone, int place)
{
    return everyone->rank != NULL ? everyone->rank[place] : place;
}
/** -1: it is not in it. */
int hit_everyone_place(const hit_everyone *everyone, int rank);
/** To be called when what is owned at @p place is in everyone->owned. @errors HIT_E_NOMEM
 */
hit_status hit_everyone_own(hit_everyone *everyone, int place);
/** The request's rank does not matter. @owner the caller, also on failure:
 * hit_everyone_clear() @errors as hit_needs_add() */
hit_status hit_everyone_find(const hit_message_request *request, hit_everyone *everyone);
/** Find out who may exchange elements with whom, before the plans of all of them are
 * made: each would look at all others. Where nearly all meet, nothing is kept.
 * @errors HIT_E_NOMEM */
hit_status hit_everyone_meet(const hit_message_request *request, hit_everyone *everyone);
void hit_everyone_clear(hit_everyone *everyone);

#endif
