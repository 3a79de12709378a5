/* SPDX-License-Identifier: MIT
 * Access patterns: which elements of a tile one index of a launch touches.
 * [Torres2013] section III.C: an access expression gives per dimension of the tile a
 * begin and an end, affine in the launch index, and a stride factor; -inf and +inf stand
 * for the tile's limits. */
#ifndef PATTERNS_PATTERN_H
#define PATTERNS_PATTERN_H

#include "hit/data/domain.h"

#include <stdbool.h>

HIT_C_BEGIN

/** What a kernel does with an argument. */
typedef enum hit_mode {
    HIT_MODE_IN,     /**< read */
    HIT_MODE_OUT,    /**< every touched element is written, none is read before */
    HIT_MODE_INOUT,  /**< read and written */
    HIT_MODE_SUM,    /**< the tile becomes the sum of what the indices add */
    HIT_MODE_MIN,    /**< ... the least */
    HIT_MODE_MAX,    /**< ... the greatest */
    HIT_MODE_REDUCE, /**< ... what the combine of its type makes of them (hit_reduction)
                      */
    HIT_MODE_VALUE   /**< not a tile: a scalar or a small struct, copied at the launch */
} hit_mode;

/** The largest magnitude of a coefficient, an offset or a stride: what an expression says
 * of any 64-bit index can then be computed without overflow. */
#define HIT_PATTERN_MAX ((hit_index)1 << 60)

/** What becomes of coef . x before the offset is added. */
typedef enum hit_fold {
    HIT_FOLD_NONE,
    HIT_FOLD_QUOTIENT, /**< "i/2": rounded down, also of negative numbers */
    HIT_FOLD_REMAINDER /**< "i%2": 0 to 1, also of negative numbers */
} hit_fold;

/** coef . x + offset; with a fold (coef . x + inner) / by + offset, or % by; or a limit
 * of the tile. */
typedef struct hit_affine {
    bool infinite; /**< the tile's own limit: its begin in a begin, its end in an end */
    hit_fold fold;
    hit_index coef[HIT_MAX_DIMS];
    hit_index offset;
    hit_index inner; /**< 0 to by - 1; 0 without a fold */
    hit_index by;    /**< >= 1; 0 without a fold */
} hit_affine;

struct hit_extremes; /* hit/data/extremes.h */
struct hit_pattern;

/** An end that stands in data: as a begin the least, as an end the greatest of the
 * numbers that an index touches of another argument, a tile of whole numbers, plus
 * offset. */
typedef struct hit_lookup {
    const char *name; /**< of that argument; borrowed */
    int arg;          /**< its number among those of the kernel */
    bool own;         /**< by its own pattern: "[column]"; else "[first[i]]" */
    hit_index offset;
    struct hit_pattern *at;            /**< what an index touches of it; owned */
    const struct hit_extremes *values; /**< borrowed; NULL: they are not known, so that
                                          it is a limit of the tile */
    hit_domain limits;                 /**< of that tile; set if values is */
    struct hit_lookup *next;           /**< of the pattern that owns them */
} hit_lookup;

/** One dimension of an access expression, both ends inclusive. An index for which the end
 * is before the begin touches nothing ("[0:i-1]" at i = 0). */
typedef struct hit_range {
    hit_affine begin;
    hit_affine end;
    hit_index stride; /**< >= 1; multiplies the stride of the tile's own signature */
    /** Ends that stand in data, within what begin and end say, which are infinite there:
     * what asks only for these takes all of the tile. NULL: they do not. */
    const hit_lookup *low;
    const hit_lookup *high;
} hit_range;

/** One access expression: a box of the tile's domain for every index. */
typedef struct hit_access {
    hit_range range[HIT_MAX_DIMS]; /**< one per dimension of the tile */
    bool looks_up;                 /**< an end of one of them stands in data */
} hit_access;

/** The union of access expressions. */
typedef struct hit_pattern {
    int index_dims; /**< dimensions of the launch */
    int tile_dims;  /**< dimensions of the tile */
    int count;      /**< number of expressions, >= 1 */
    hit_access *access;
    int only_read; /**< the last ones of them, which a launch that writes what the others
                      touch only reads ("<-"): fewer than count */
    hit_lookup *lookups; /**< of all of them; NULL: nothing stands in data */
} hit_pattern;

/** An empty pattern to which expressions are added; the text form is in patterns/parse.h.
 * @owner *pattern is the caller's until hit_pattern_clear()
 * @errors HIT_E_ARG: dims out of 0..HIT_MAX_DIMS (0: a launch of one index, a scalar) */
HIT_API hit_status hit_pattern_init(int index_dims, int tile_dims, hit_pattern *pattern);
/** Add one expression. @errors HIT_E_NOMEM; HIT_E_PATTERN: a stride < 1, a number beyond
 * HIT_PATTERN_MAX, or an index the launch does not have. A range that is
 * hit_range_is_void() touches nothing. */
HIT_API hit_status hit_pattern_add(hit_pattern *pattern, const hit_access *access);
HIT_API void hit_pattern_clear(hit_pattern *pattern);

/** Divide @p sum, which has no fold, by @p by >= 1, or take the remainder: a sum that has
 * no index stays a number, as does one that is divided by 1. */
HIT_API hit_affine hit_affine_fold(const hit_affine *sum, hit_fold fold, hit_index by);
/** Do two differ by the same number whatever the index? No limits of the tile do. */
HIT_API bool hit_affine_is_parallel(const hit_affine *a, const hit_affine *b);

/** The range that touches x[dim] + from .. x[dim] + to. */
HIT_API hit_range hit_range_follow(int dim, hit_index from, hit_index to);
/** The range from .. to whatever the index. */
HIT_API hit_range hit_range_fixed(hit_index from, hit_index to);
/** The tile's whole extent. */
HIT_API hit_range hit_range_all(void);
/** Is the end before the begin whatever the index (they are parallel, and its offset is
 * smaller)? */
HIT_API bool hit_range_is_void(const hit_range *range);

/** The pattern that touches the point x of a tile with the dimensions of the launch.
 * @errors as hit_pattern_init() and hit_pattern_add() */
HIT_API hit_status hit_pattern_point(int dims, hit_pattern *pattern);

/** The expressions of @p pattern that are not only read, as a pattern of their own, which
 * borrows them. */
static inline hit_pattern hit_pattern_written(const hit_pattern *pattern)
{
    hit_pattern written = *pattern;

    written.count -= pattern->only_read;
    written.only_read = 0;
    return written;
}

/** Is the pattern regular: in every expression each dimension is fixed (or the tile's
 * limits) or follows one index with coefficient 1 in begin and end ([Torres2013] section
 * III.E, freed of the condition that it is the index of the same number)? If not, *why
 * (may be NULL) names the expression and the dimension, at most @p size bytes. */
HIT_API bool hit_pattern_is_regular(const hit_pattern *pattern, char *why, size_t size);
/** Which elements does the range touch at most, within @p touched, over the indices @p
 * index, as its ends that stand in data say? */
HIT_API hit_sig hit_range_look_up(const hit_range *range, const hit_domain *index,
                                  hit_sig touched);
/** The least and the greatest of what an end that stands in data may be over @p index,
 * offset included. False: none is touched, or nothing is known of them. */
HIT_API bool hit_lookup_find(const hit_lookup *lookup, const hit_domain *index,
                             hit_index *least, hit_index *greatest);

/** Does any expression use index dimension @p dim? If not, dim is a reduction index. */
HIT_API bool hit_pattern_uses(const hit_pattern *pattern, int dim);
/** Write it in the text form, with the index names @p names. Never more than @p size
 * bytes. */
HIT_API void hit_pattern_print(const hit_pattern *pattern, const char *const names[],
                               char *text, size_t size);

/** Is @p to @p from but for its offsets? @p whole: do they differ by one distance in each
 * dimension of the tile, so that it is moved as a whole? */
HIT_API bool hit_pattern_is_moved(const hit_pattern *from, const hit_pattern *to,
                                  bool whole);

/** Does the pattern traverse dimension @p dim of its tile (":")? */
HIT_API bool hit_pattern_traverses(const hit_pattern *pattern, int dim);

HIT_C_END

#endif
