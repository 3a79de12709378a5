/* SPDX-License-Identifier: MIT
 * The superblock planner: cuts a box of indices into pieces whose data fit a device's
 * memory. A pure function: no device, no MPI. [Torres2013]
 * section IV; differs: the need is counted exactly instead of by a line or a plane, in
 * any number of dimensions. */
#ifndef HIT_PLAN_PLAN_H
#define HIT_PLAN_PLAN_H

#include "hit/data/domain.h"
#include "patterns/kernel.h"
#include "patterns/where.h"

/** One tile argument of the launch to plan; values are none. */
typedef struct hit_plan_arg { /* NOLINT(clang-analyzer-optin.performance.Padding) */
    const char *name;         /**< for messages */
    hit_mode mode;
    size_t size_bytes;                       /**< of one element */
    const hit_pattern *pattern;              /**< borrowed during the call */
    const struct hit_pattern_bounds *bounds; /**< its, borrowed; NULL: not known */
    bool exact;      /**< it is known that indices touch all of what they need */
    hit_domain tile; /**< the tile's domain: limits of ":" */
    hit_domain clip; /**< needs are clipped to this: the tile's domain, or larger when it
                          has a boundary */
    int buffers; /**< what is on the device of it at a time, in needs of a piece; 0: 1 */
    const hit_where *where; /**< of the request, below; borrowed */
} hit_plan_arg;

typedef struct hit_plan_request {
    const char *kernel; /**< names for messages */
    const char *device;
    int args;
    const hit_plan_arg *arg;
    hit_domain index;       /**< what to cut, may be strided */
    const hit_where *where; /**< which of the indices are run; NULL: all. Borrowed as long
                               as the plan is used */
    hit_index block[HIT_MAX_DIMS]; /**< indices per block and dimension, >= 1 */
    size_t limit_bytes;            /**< the device's memory; SIZE_MAX: no limit */
    int in_flight;                 /**< pieces on the device at the same time, >= 1 */
    bool reuse; /**< what the piece before left on the device is not moved again: of an
                   argument with 2 or more buffers what both need, else the same need */
    bool least_bytes; /**< prefer the fewest bytes moved to the fewest pieces
                         (HIT_PLAN_LEAST_BYTES) */
} hit_plan_request;

/** The pieces, in number and shape: piece k is given by hit_plan_piece(). */
typedef struct hit_plan {
    hit_domain index;
    hit_index shape[HIT_MAX_DIMS];  /**< indices per piece and dimension (the last may be
                                       smaller) */
    hit_index blocks[HIT_MAX_DIMS]; /**< the same in blocks */
    hit_index grid[HIT_MAX_DIMS];   /**< pieces per dimension */
    int order[HIT_MAX_DIMS];        /**< dimensions, the one that runs slowest first */
    hit_index pieces; /**< product of grid, or of the boxes below; 0 for an empty index
                         domain */
    hit_index filled; /**< those of them that have indices: hit_plan_next() */
    hit_domain inner; /**< no dimensions: the pieces are those of the grid. Else they are
                         those of this box, ... */
    hit_index early; /**< ... which are so many, and then those of the boxes around it, */
    bool whole;      /**< each of which is one piece */
    const hit_where *where;         /**< the request's */
    size_t peak_bytes;              /**< the largest need of a piece, times in_flight */
    size_t arg_bytes[HIT_MAX_ARGS]; /**< of one argument, the largest need of a piece */
    uint64_t bytes_in;              /**< moved to the device over all pieces */
    uint64_t bytes_out;
} hit_plan;

/** Plan the fewest pieces whose needs fit limit_bytes / in_flight; on ties the fewest
 * bytes moved, then the more square shape. With least_bytes the fewest bytes come first,
 * of the shapes that fit where no other one does with fewer pieces in a dimension and
 * with no more in the others; from the best of these smaller pieces are tried along each
 * dimension, as diagonals ("[i, i]") may move less in them. Pieces are as equal as
 * their number allows, unless only unequal ones fit. All but `out` arguments are moved in
 * (a reduction goes on from piece to piece), all but `in` arguments out; an `out`
 * argument whose cover is not exact is moved in as well, and what is only read of an
 * argument is not moved out. Sums beyond 64 bits stay at the
 * largest value. Where some of the indices are not run the shape is chosen as if they
 * were; then pieces are clipped, empty ones left out, and what is left is counted, unless
 * there are very many.
 *
 * @errors HIT_E_LIMIT one block does not fit: kernel, device, limit, and the bytes of
 * every argument; HIT_E_ARG a block < 1, dims that differ; HIT_E_PATTERN needs depend on
 * the position in ways that leave millions of pieces to look at
 */
hit_status hit_plan_make(const hit_plan_request *request, hit_plan *plan);

/** Let the indices of @p inner, a box of those of the plan, come first, in pieces of
 * their own, and then the boxes around it, at once or in pieces of the same shape;
 * nothing is left on the device between the two. *plan was made for the request. False,
 * and it stays as it is, if a piece would need more memory, if more than 1/16 more bytes
 * would be moved, or if the pieces are very many. */
bool hit_plan_defer(const hit_plan_request *request, const hit_domain *inner,
                    hit_plan *plan);

/** The indices of piece @p k, 0 <= k < pieces, in the order of execution: back and forth
 * (boustrophedon), so that neighbours in time are neighbours in space. Which dimension
 * runs fastest is chosen so that the fewest bytes are moved. */
hit_domain hit_plan_piece(const hit_plan *plan, hit_index k);
/** The first piece from number @p k on that has indices where only some of them are run;
 * plan->pieces: none has. */
hit_index hit_plan_next_filled(const hit_plan *plan, hit_index k);
/** The same of any plan. */
static inline hit_index hit_plan_next(const hit_plan *plan, hit_index k)
{
    return plan->where == NULL ? k : hit_plan_next_filled(plan, k);
}

/** Where piece @p k stands in the round of dimension @p dim that it belongs to: 0 for the
 * first that is run. */
hit_index hit_plan_turn(const hit_plan *plan, hit_index k, int dim);

/** The elements of argument @p arg that the indices @p piece need: its cover, clipped. */
hit_domain hit_plan_need(const hit_plan_arg *arg, const hit_domain *piece);
/** What the indices @p piece write of an argument of which some is only read ("<-"). */
hit_domain hit_plan_written(const hit_plan_arg *arg, const hit_domain *piece);
/** Of @p need, which is that of the piece, what its indices write: all of it, unless some
 * is only read. */
static inline hit_domain hit_plan_writes(const hit_plan_arg *arg, const hit_domain *piece,
                                         const hit_domain *need)
{
    return arg->pattern->only_read == 0 ? *need : hit_plan_written(arg, piece);
}
/** Of an `out` argument: is something left of what @p piece needs that its indices do not
 * write? */
bool hit_plan_leaves(const hit_plan_arg *arg, const hit_domain *piece);
/** Must the argument be moved to the device before the piece runs? What is not only read
 * is moved back. */
static inline bool hit_plan_moves_in(const hit_plan_arg *arg, const hit_domain *piece)
{
    return arg->mode != HIT_MODE_OUT || hit_plan_leaves(arg, piece);
}

/* plan_print.c: plans as text. */

/** Stable text of a plan, for `hit plan` and golden tests. Never more than @p size bytes.
 */
void hit_plan_print(const hit_plan *plan, char *text, size_t size);

/* superblocks.c: how a box of indices goes through the memory of a device: at once, in
 * three lanes, or one superblock at a time. */

/* plan_sum.c: plans of kernels that traverse dimensions of their arguments and sum over
 * them: the sum becomes one more index, which can be cut like the others. What is
 * accumulated stays on the device while panels of the other arguments pass. */

/** Patterns of the arguments that know the further index. {0} holds nothing. */
typedef struct hit_plan_sum {
    int args;
    hit_pattern pattern[HIT_MAX_ARGS];
} hit_plan_sum;

/** Make *to the request *from with the sum of @p kernel as last index, and @p arg its
 * arguments; from->arg are the tile arguments of the kernel in their order.
 * @owner *sum is the caller's until hit_plan_sum_clear(); *to refers to @p arg, and that
 * to *sum
 * @errors HIT_E_ABSENT the kernel declares no sum, its dimensions have different extents,
 * or there are too many indices; HIT_E_NOMEM */
hit_status hit_plan_sum_make(const hit_kernel *kernel, const hit_plan_request *from,
                             hit_plan_sum *sum, hit_plan_arg arg[], hit_plan_request *to);
void hit_plan_sum_clear(hit_plan_sum *sum);
/** Let an argument have the pattern of @p sum, if that has some: what is known of its own
 * is not true of it. */
static inline void hit_plan_sum_set(const hit_plan_sum *sum, int number,
                                    hit_plan_arg *arg)
{
    if (sum->args == 0) return;
    arg->pattern = &sum->pattern[number];
    arg->bounds = NULL;
    arg->exact = false;
}

enum {
    HIT_STREAM_BUFFERS = 3 /* of one argument, at most */
};

typedef struct hit_superblocks {
    hit_plan plan;
    hit_plan_sum sum; /**< if the kernel's sum is cut, too: patterns of the arguments */
    int buffers[HIT_MAX_ARGS]; /**< per argument; 0: superblocks run one at a time */
    int order[HIT_MAX_ARGS];   /**< the arguments by falling alignment of their elements:
                                  so they lie in the arena */
    size_t arena_bytes;        /**< 0: one superblock, which stays on the device */
} hit_superblocks;

/** Choose for the box, the arguments and the limit of @p request, whose arguments are
 * @p arg; its blocks are made smaller where they do not fit.
 * @owner made->sum is the caller's: hit_plan_sum_clear()
 * @errors HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_superblocks_choose(const hit_kernel *kernel,
                                  const hit_plan_request *request, hit_plan_arg arg[],
                                  hit_superblocks *made);

#endif
