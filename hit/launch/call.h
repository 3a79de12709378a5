/* SPDX-License-Identifier: MIT
 * Internal: a launch as the program asked for it. */
#ifndef HIT_LAUNCH_CALL_H
#define HIT_LAUNCH_CALL_H

#include "hit/base/input.h"
#include "hit/device/device.h"
#include "hit/launch/launch.h"
#include "hit/launch/stats.h"
#include "hit/plan/plan.h"
#include "hit/tile/tile_impl.h"
#include "patterns/kernel.h"
#include "patterns/kernel_impl.h"
#include "patterns/pattern_impl.h"
#include "patterns/transform.h"
#include "patterns/where.h"

struct hit_call;

/* kernels.c: kernels that were launched, with their patterns. */

/** A kernel's patterns, parsed at its first launch. The program may put another kernel in
 * the place of one that it launched, or other texts into its buffers. */
typedef struct hit_known_kernel {
    hit_kernel *kernel;                /**< a copy, with texts of its own */
    const hit_kernel *constant;        /**< the program's object, if it is one; NULL */
    hit_pattern pattern[HIT_MAX_ARGS]; /**< of the tile arguments */
    hit_pattern writes[HIT_MAX_ARGS];  /**< of these, what is not only read; borrowed */
    hit_pattern_bounds bounds[HIT_MAX_ARGS]; /**< of these */
    unsigned written;    /**< those of these that it writes, a bit each */
    unsigned values;     /**< the other arguments, a bit each */
    size_t values_bytes; /**< room for these in any memory, for hit_call_keep_values() */
    unsigned named;      /**< those of them that patterns name */
    unsigned looked; /**< arguments in which ends of patterns stand, and, with numbers,
                          sides of inequalities, a bit each ... */
    struct hit_extremes *table[HIT_MAX_ARGS]; /**< ... and what is known of them, shared
                                                 with their tiles; NULL: nothing */
    hit_index number_of[HIT_MAX_ARGS]; /**< the numbers that the patterns have in their
                                          places, and hit_lookups_number() of tiles */
    hit_where *where;                  /**< which indices its launches run; NULL: all */
    struct hit_known_kernel *of;       /**< the kernel without numbers, which owns the
                                          texts and what is prepared; or itself */
    bool regular;                      /**< all of them are */
    bool shifts;   /**< when the indices move, what they touch moves as a whole */
    bool in_bands; /**< hit_run.in_bands */
    bool point[HIT_MAX_ARGS]; /**< of one expression by which each index that is followed
                                 touches other elements than the others */
    hit_index touches[HIT_MAX_ARGS]; /**< elements, by each index; 0: it depends on the
                                        tile or on the index */
    uint64_t touches_together;       /**< their sum; 0 where one is 0 */
    const char *column;              /**< the argument over whose columns each index walks
                                        ("[:, j]"); NULL: there is none */
    uint64_t number;                 /**< of the kernel among those of a context */
    uint64_t hash;                   /**< hit_known_kernel_hash(), or with numbers */
    uint64_t last_used;              /**< the number of the launch */
    void *prepared;                  /**< by kernel->prepare; NULL: nothing */
} hit_known_kernel;

/** Check a kernel, copy it, parse its patterns, and prepare it if it is @p prepared.
 * @owner *known: hit_known_kernel_destroy()
 * @errors HIT_E_PATTERN; HIT_E_ARG a kernel that is put together wrongly; HIT_E_NOMEM;
 * those of kernel->prepare */
hit_status hit_known_kernel_create(const hit_kernel *kernel, bool prepared,
                                   hit_known_kernel **known);
void hit_known_kernel_destroy(hit_known_kernel *known);
/** The kernel, as the program gave it, with numbers for the values that its patterns
 * name, what is known of the tiles of @p call in which their ends stand, and its
 * inequalities, which are copied.
 * @p number is by the number of the argument; @p known must outlive it. Owner and errors
 * as above; HIT_E_PATTERN a pattern that cannot be with these numbers */
hit_status hit_known_kernel_bind(hit_known_kernel *known, const struct hit_call *call,
                                 const hit_index number[], hit_known_kernel **bound);
/** Copy the inequalities of a call, which has some, to the kernel that is bound for it.
 * @errors HIT_E_PATTERN, HIT_E_ARG the kernel cannot run some of its indices;
 * HIT_E_NOMEM */
hit_status hit_known_kernel_restrict(hit_known_kernel *known,
                                     const struct hit_call *call);
/** Of the hashes of a kernel that is not bound, and of its numbers and inequalities. */
uint64_t hit_known_kernel_bound_hash(const hit_known_kernel *known,
                                     const hit_index number[], const hit_where *where);
/** Of the name and the patterns: equal kernels have the same. */
uint64_t hit_known_kernel_hash(const hit_kernel *kernel);
/** Is @p kernel the one that is known, with the same patterns? */
static inline bool hit_known_kernel_is(const hit_known_kernel *known,
                                       const hit_kernel *kernel)
{
    return known->constant == kernel || hit_kernel_same(known->kernel, kernel);
}
/** hit_pattern_find_cover() of argument @p arg, whose tile is @p tile, over the indices
 * @p index, which are not empty: in a few additions where the pattern is simple. */
static inline void hit_known_kernel_cover(const hit_known_kernel *known, int arg,
                                          const hit_domain *tile, const hit_domain *index,
                                          hit_domain *cover)
{
    if (hit_pattern_bounds_cover(&known->bounds[arg], tile, index, cover)) return;
    hit_pattern_find_cover(&known->pattern[arg], tile, index, cover);
}

typedef struct hit_call {
    hit_context *context;
    hit_layout *layout; /**< the split, or NULL */
    const hit_kernel *kernel;
    hit_domain domain;
    int count;
    const hit_arg *args;
    const char *on;               /**< HIT_ON(): where it may run; NULL: everywhere */
    hit_where *where;             /**< HIT_WHERE(): parsed by hit_call_check(), before
                                     that it has only the text; NULL: all indices run */
    uint64_t alias;               /**< hit_alias_of() */
    struct hit_known_call *known; /**< hit_known_call_find(); NULL: it is a new one */
    const hit_domain *of;         /**< that of the program's call, of which this does a
                                     box (hit/launch/launch_impl.h); NULL: it is that call */
} hit_call;

/** Room for values that are converted. */
typedef struct hit_values {
    hit_arg arg[HIT_MAX_ARGS];
    uint64_t number[HIT_MAX_ARGS];
} hit_values;

/** Let the call have whole numbers of the kernel's types where it has them of others, and
 * they fit. False: it has none. @owner *values lives as long as the call */
bool hit_call_convert(hit_call *call, hit_values *values);

/** The numbers of the value arguments of which @p named has a bit, by the number of the
 * argument. False: one has more digits than 64 bits hold; *arg is its. */
bool hit_call_numbers(const hit_call *call, unsigned named, hit_index number[], int *arg);

/** Write the pattern of argument @p arg with the numbers of the values that it names:
 * "\"[k, j]\" with k = 3". */
void hit_call_print_pattern(const hit_call *call, int arg, char *text, size_t size);

/** Is the call well formed, but for its inequalities? Sets its alias. */
hit_status hit_call_check_given(hit_call *call);
/** known_call.c: is it well formed? Inequalities are parsed; the domain becomes a box
 * around the indices that remain, and where NULL if these are all of it. Cheap: done at
 * every launch that is not known. @errors HIT_E_PATTERN, HIT_E_ARG, those of the check of
 * its arguments */
hit_status hit_call_check(hit_call *call);

/** The arguments of the call in which ends of patterns or sides of inequalities stand, a
 * bit each. */
static inline unsigned hit_call_looked(const hit_call *call,
                                       const hit_known_kernel *known)
{
    return known->looked | hit_where_looks_in(call->where);
}

/** Is it what HIT_ON() makes, or, of kind HIT_KIND_INT8, HIT_WHERE()? */
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

/** Write the indices of a call that was checked, or that is to be, as hit_domain_print():
 * of a kernel of no index "()". */
void hit_call_print_domain(const hit_call *call, char *text, size_t size);

/** Floating-point operations of @p indices of its indices; 0: the kernel does not say. */
uint64_t hit_call_operations(const hit_call *call, uint64_t indices);

/** Copy the values to @p memory, and let @p slot point to them: a launch that runs later
 * does not find the caller's. Each lies at a multiple of what its type may ask for, up to
 * 64 bytes. False: @p size bytes are no room for them. */
bool hit_call_keep_values(const hit_call *call, void *memory, size_t size,
                          hit_slot slot[]);
/** Let @p kept be the call as it is now, with arguments @p args and values in @p memory,
 * for when the program's are gone; tiles are not copied. False: as above. */
bool hit_call_keep(const hit_call *call, void *memory, size_t size, hit_arg args[],
                   hit_call *kept);
/** Does @p slot point to the same values, byte by byte? */
bool hit_call_has_values(const hit_call *call, const hit_slot slot[]);
/** Bytes that are room for a value of that size in any memory. */
size_t hit_call_value_room(size_t size_bytes);

/** The tile arguments as the planner sees them, for the indices @p index (NULL: their
 * clips are set by the caller); returns their number.
 * @shape arg: HIT_MAX_ARGS */
int hit_call_plan_args(const hit_call *call, const hit_known_kernel *known,
                       const hit_domain *index, hit_plan_arg arg[]);

/** Plan the superblocks of the indices @p index of one device, of which they may use @p
 * limit_bytes. Pure; what *made held is given back.
 * @errors HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_call_superblocks(const hit_call *call, const hit_known_kernel *known,
                                const hit_device *device, const hit_domain *index,
                                size_t limit_bytes, hit_superblocks *made);

/** The tile arguments as the superblocks *made see them; returns their number.
 * @shape arg: HIT_MAX_ARGS */
int hit_call_superblock_args(const hit_call *call, const hit_known_kernel *known,
                             const hit_superblocks *made, hit_plan_arg arg[]);
/** Let the superblocks of @p inner, a box of their indices, come first
 * (hit_plan_defer()).
 */
void hit_call_defer(const hit_call *call, const hit_known_kernel *known,
                    const hit_domain *inner, hit_superblocks *made);

/* apart.c: launches of which several arguments are the same tile, or tiles that share
 * elements. One that is written must share none with what the others touch: then a
 * launch may write a row and read the one before it. */

/** Which arguments share elements with one that is written, as a number that plans are
 * kept by; 0: none do. Cheap: done at every launch. */
uint64_t hit_alias_of(const hit_call *call);

/** The arguments, a bit each, with which argument @p k, if it is written, must share no
 * element: those of the same tile. Equal for all calls of an alias. */
unsigned hit_alias_beside(const hit_call *call, int k);
/** Do what is written and what the others touch, for the patterns of a kernel, lie apart?
 * A pattern whose dimensions are not those of its tile is left to others. @errors
 * HIT_E_ARG */
hit_status hit_alias_check(const hit_call *call, const hit_pattern pattern[]);

/* How the launches of a context are carried out. hit/context.c chooses one: live
 * (hit/run), checked (hit/run, around live), or dry (hit/dry). */

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
