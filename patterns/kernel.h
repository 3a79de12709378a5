/* SPDX-License-Identifier: MIT
 * What the library knows of a kernel, and what a kernel gets when it runs. Written by the
 * macros of hit/kernel.h, read by devices and the launcher. Compiles as C11, C++17 and
 * CUDA. */
#ifndef PATTERNS_KERNEL_H
#define PATTERNS_KERNEL_H

#include "patterns/pattern.h"

HIT_C_BEGIN

/** Records what a checked body touches: answers where the element with @p count indices
 * @p at lies, in elements from the slot's base. */
typedef struct hit_touch {
    hit_index (*at)(struct hit_touch *self, int count, const hit_index at[]);
} hit_touch;

/** One argument as the running kernel sees it, addressed with GLOBAL indices: element x
 * of a tile is at base + sum over d of floor(x[d] / step[d]) * stride[d] elements. */
typedef struct hit_slot {
    void *base; /**< shifted: may point outside the memory; a value's address */
    hit_index stride[HIT_MAX_DIMS]; /**< elements from one stored element to the next */
    hit_index
        step[HIT_MAX_DIMS]; /**< index distance of stored elements; 1 unless strided */
    hit_index
        begin[HIT_MAX_DIMS]; /**< the limits of the tile's domain, for loops over ":" */
    hit_index end[HIT_MAX_DIMS];
    int dense;        /**< all steps are 1, and so is the last stride */
    hit_touch *touch; /**< only for hit_kernel.checked */
} hit_slot;

/** The threads of the device on which a whole-box kernel runs (hit_run_team()). */
typedef struct hit_team {
    int threads;
    void *self;
    /** Call @p function on all of them, and return when all have returned. */
    void (*run)(void *self, void (*function)(void *of, int thread, int threads),
                void *of);
    /** Within the function: wait until all threads are here. */
    void (*barrier)(void *self);
} hit_team;

/** What a kernel with threads of its own, such as OpenMP's, is told of the device on
 * which it will run: a group of cores. */
typedef struct hit_group {
    int threads;     /**< it may use, the one that calls it among them */
    int cores;       /**< it is to keep to; 0: none are named */
    const int *core; /**< their numbers, as the operating system counts them */
    void *self;
    /** Keep the calling thread, number @p thread of them, on its core. Thread 0, which
     * calls the kernel, is left as it is. Does nothing where no cores are named. */
    void (*bind)(void *self, int thread);
} hit_group;

/** One sequential run of a kernel on a box of indices. */
typedef struct hit_run {
    hit_index begin[HIT_MAX_DIMS];
    hit_index end[HIT_MAX_DIMS]; /**< inclusive */
    hit_index stride[HIT_MAX_DIMS];
    int dense;            /**< all slots are dense, and all strides of the box are 1 */
    int threads;          /**< how many threads a whole-box kernel may use */
    const hit_team *team; /**< these, where there is more than one; NULL: they are its own
                             to make */
    int later;    /**< whole-box kernels with a sum: this is a further part of it, to be
                     added to what the ones before left in `inout` arguments */
    int light;    /**< the launch takes less time than it takes to wake a thread */
    int in_bands; /**< in order: indices of the last two dimensions may run box by
                     box, of any sizes, in the order of the boxes */
    const void *prepared; /**< host: what hit_kernel.prepare left; NULL: nothing */
    /** Which indices of the box are run; NULL: all. Functions of kernels get boxes of
     * which all are. */
    const struct hit_where *where;
    hit_index elements; /**< of the largest tile argument, in the memory it lies in;
                             only for a device that is made slow */
    const void *device; /**< what its kind of devices hands to its own functions, such
                             as hit_cuda_call; NULL for hit_kernel.host */
    hit_slot slot[HIT_MAX_ARGS];
} hit_run;

typedef hit_status (*hit_kernel_function)(const hit_run *run);

/** Of the box of a run: rows, each of one index along @p dim and of a range along @p
 * across, and of what the run says along other dimensions. */
typedef struct hit_ranges {
    int dim;
    int across;
    hit_index
        by; /**< from run->begin[dim], that of the first row, to the next row, ... */
    hit_index count;
    const hit_index *begin; /**< by row */
    const hit_index *end;   /**< inclusive; begin - 1 or less: nothing of it is run */
} hit_ranges;

typedef struct hit_kernel_arg {
    hit_mode mode;
    hit_type type;
    const char *name;
    const char *pattern; /**< text form; NULL for a value */
} hit_kernel_arg;

/** How elements of a type of the program's are reduced (mode reduce; HIT_REDUCTION()).
 * Combining is associative and commutative: its order is not fixed. */
typedef struct hit_reduction {
    /** Fill @p count elements, which are 0 bytes, with what changes nothing. */
    void (*start)(void *elements, hit_index count);
    /** Combine @p count elements of @p from with those of @p onto, one with one. */
    void (*combine)(void *onto, const void *from, hit_index count);
} hit_reduction;

/** The largest element that a reduction may have, in bytes. */
enum {
    HIT_MAX_REDUCED_BYTES = 1024
};

/** Dimension @p dim of argument @p arg, which the kernel traverses (":"). */
typedef struct hit_along {
    int arg;
    int dim;
} hit_along;

/** Floating-point operations of a kernel: additions, subtractions, multiplications and
 * divisions, each one. All 0: not declared. */
typedef struct hit_operations {
    uint64_t per_index;
    uint64_t per_step; /**< more for each index, and each element of dimension ... */
    hit_along along;   /**< ... along.dim of tile argument along.arg */
} hit_operations;

/** The devices on which a kernel may run, as HIT_ON() names them. */
typedef struct hit_kernel_on {
    const char *devices; /**< NULL: all that have an implementation */
} hit_kernel_on;

/** Of a kernel with threads of its own. */
typedef struct hit_kernel_threads {
    /** Called by the thread that will call the kernel, once for each device (paper
     * [Cojean2016]'s prologue). @errors the launch's */
    hit_status (*enter)(const hit_group *group);
} hit_kernel_threads;

/** Of a kernel that is compiled for rows, too (HIT_BY_ROWS()). */
typedef struct hit_kernel_rows {
    /** Run ranges of its last index; all slots are dense, and their strides are 1. */
    hit_status (*run)(const hit_run *run, const hit_ranges *ranges);
} hit_kernel_rows;

typedef struct hit_kernel {
    const char *name;
    int dims;
    const char *index[HIT_MAX_DIMS]; /**< index names; of no index one, "" */
    int args;
    const hit_kernel_arg *arg;
    /** 1: the function does a whole box and uses run->threads itself. 2: the same, but
     * the threads of a device each call it for a part of the box, with run->threads 1. */
    int whole_box;
    /** Dimensions that are one and the same index, over which the kernel sums:
     * hit_begin() and hit_end() may then say a part of it, run after run. */
    int alongs;
    const hit_along *along;
    /** Called once in a context before `host` is, by one thread; may be NULL. What it
     * puts into *prepared, NULL at first, is in run->prepared of all runs of `host`;
     * hit_close() frees it by free(). */
    hit_status (*prepare)(void **prepared);
    hit_kernel_function host; /**< NULL: no implementation for host devices */
    hit_kernel_function cuda; /**< NULL: none for CUDA devices, or built without CUDA */
    /** The host's body with accessors that ask slot[k].touch; NULL: built without checks.
     */
    hit_kernel_function checked;
    const char *c_type[HIT_MAX_ARGS]; /**< of the elements, as it was written; or NULL */
    const hit_reduction *reduction[HIT_MAX_ARGS]; /**< of mode reduce; else NULL */
    const hit_operations *operations;             /**< NULL: not declared */
    const hit_kernel_on *on;                      /**< NULL: everywhere */
    const hit_kernel_threads *own_threads;        /**< NULL: it has none */
    const hit_kernel_rows *rows;                  /**< NULL: a row is a call of `host` */
    /** By index, 1: ascending, -1: descending: the function runs a box in that
     * lexicographic order, and a launch is as if it ran one index after the other. All 0:
     * in any order. */
    signed char order[HIT_MAX_DIMS];
    int strict; /**< compiled without contracted multiply-adds (HIT_STRICT): unlike
                   devices give the same bits */
    /** HIT_KERNEL sets it to the kernel's own address: nobody can write that object. A
     * launch compares such addresses, and the texts of other kernels: a copy has an
     * address that is not its own, a kernel that a program puts together has NULL. A
     * library of kernels stays loaded while a context that launched them is open. */
    const struct hit_kernel *constant;
} hit_kernel;

/** A copy of @p kernel with other patterns: @p pattern has one text for each argument,
 * NULL where it stays as it is. A pattern that is wrong is told at the launch. What is
 * equal to a kernel that was launched before is that kernel, wherever it lies, so that
 * it may be made again and again.
 *
 * @owner *made is the caller's: free(); it may go when the launch has returned
 * @errors HIT_E_ARG a pattern for a value; HIT_E_NOMEM
 */
HIT_API hit_status hit_kernel_with_patterns(const hit_kernel *kernel,
                                            const char *const pattern[],
                                            hit_kernel **made);

/** Do its indices run in an order? */
static inline int hit_kernel_is_ordered(const hit_kernel *kernel)
{
    return kernel->order[0] != 0;
}

/** Has it no index? It has one without a name then, which no pattern can follow, and a
 * launch runs it once, with 0. */
static inline int hit_kernel_runs_once(const hit_kernel *kernel)
{
    return kernel->dims == 1 && kernel->index[0] != NULL && kernel->index[0][0] == '\0';
}

/** Does its function call a body for each index? */
static inline int hit_kernel_has_body(const hit_kernel *kernel)
{
    return kernel->whole_box == 0 || hit_kernel_is_ordered(kernel);
}

/** Is the mode a reduction? */
static inline int hit_mode_reduces(hit_mode mode)
{
    return mode >= HIT_MODE_SUM && mode <= HIT_MODE_REDUCE;
}

HIT_C_END

#endif
