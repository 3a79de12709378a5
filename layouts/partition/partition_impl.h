/* SPDX-License-Identifier: MIT
 * Internal: what several algorithms share. */
#ifndef HIT_LAYOUTS_PARTITION_PARTITION_IMPL_H
#define HIT_LAYOUTS_PARTITION_PARTITION_IMPL_H

#include "hit/base/alloc.h"
#include "hit/base/status.h"
#include "hit/model/spans.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/partition.h"

#include <stdbool.h>

/** Are these arguments that an algorithm takes? @errors HIT_E_ARG */
hit_status hit_partition_check(hit_index n, int parts, const hit_fpm *const model[]);
/** Are these speeds? @errors HIT_E_ARG one is negative, infinite or no number */
hit_status hit_partition_check_speeds(int parts, const double speed[]);
/** HIT_E_LIMIT, with a text, if @p n units are more than the sum of what each can do. */
hit_status hit_partition_check_room(hit_index n, int parts, const hit_fpm *const model[]);
/** All loads are multiples of this if all models are tables, else 1. */
hit_index hit_partition_grain(int parts, const hit_fpm *const model[]);
/** Processes as a heap: the one that would finish one more unit first is on top. */
typedef struct hit_process_queue {
    int count;
    int *process;
    double *seconds; /**< of one more unit, by process */
} hit_process_queue;

/** Its order; on ties the lower number goes first. */
static inline bool hit_process_first(const void *context, int i, int j)
{
    const double *seconds = ((const hit_process_queue *)context)->seconds;

    return seconds[i] < seconds[j] || (!(seconds[i] > seconds[j]) && i < j);
}

/** Give @p left more units, one by one, each to the process that then finishes first, on
 * ties to the lowest index. O((parts + left) log(parts)).
 * @errors HIT_E_LIMIT no process can do one more unit */
hit_status hit_partition_finish(hit_index left, int parts, const hit_fpm *const model[],
                                hit_index share[]);
/** Fill *info, which may be NULL. @errors HIT_E_LIMIT a share takes infinitely long */
hit_status hit_partition_report(int parts, const hit_fpm *const model[],
                                const hit_index share[], hit_partition_info made,
                                hit_partition_info *info);
/** The double in the middle of all doubles between @p low and @p high, both >= 0; @p low
 * if there is none. At most 64 halvings reach neighbours, whatever the range. */
double hit_partition_middle(double low, double high);
/** A time in s below that of any partition; 0 if it is not known. */
double hit_partition_bound(hit_index n, int parts, const hit_fpm *const model[]);

/* arrange.c: which areas share a column, when rectangles of given areas are to tile a
 * plane in columns with the least sum of half-perimeters. */

/** The parts with an area > 0, largest first, the lower number first where areas are
 * equal; and how many. @errors HIT_E_NOMEM */
hit_status hit_arrange_rank(int parts, const double area[], int ranked[], int *count);

/** Deal the first @p parts of @p ranked to columns back and forth, 0 1 2 2 1 0 0 1 2 ...:
 * columns of similar sums and numbers, which round best. Others keep their column. */
void hit_arrange_deal(const int ranked[], int parts, int columns, int column_of[]);

/** The best arrangements of some areas, one for each number of columns. */
typedef struct hit_arrange hit_arrange;

/** Find the best arrangement of the areas > 0 in 1, 2, ... columns; sides of rectangles
 * are real numbers here. Known are the numbers of columns up to 3 after the best one, all
 * for up to 60 areas, and beyond 1000 only the best one; never more than there are areas
 * or than @p columns.
 *
 * @shape  area: @p parts numbers >= 0, in any unit, not all 0
 * @owner  *arrange is the caller's: hit_arrange_close()
 * @errors HIT_E_NOMEM
 * @paper  [Beaumont2001]; differs: O(p^2) instead of O(p^3) for the best number of
 *         columns, O(p log p) for every other one
 */
hit_status hit_arrange_open(hit_index rows, hit_index columns, int parts,
                            const double area[], hit_arrange **arrange);
/** Accepts NULL in *arrange; sets it to NULL. */
void hit_arrange_close(hit_arrange **arrange);
/** The number of columns of the best arrangement. */
int hit_arrange_best(const hit_arrange *arrange);
/** The sum of half-perimeters of the best arrangement in this number of columns; INFINITY
 * if it is not known. */
double hit_arrange_cost(const hit_arrange *arrange, int columns);
/** The column of each part, 0..columns-1; -1 for an area of 0. The cost is finite. */
void hit_arrange_get(const hit_arrange *arrange, int columns, int column_of[]);

/* gpa.c: geometric partitioning for models whose times never fall with the load. */

/** The partition with the smallest makespan; among those with the same one, each of the
 * last units went where it finishes first, on ties to the lowest index.
 * O(p log(points) log(range of times)).
 *
 * @errors HIT_E_ARG also a model that is not monotone: hit_partition_optimal() is for
 *         those; else as hit_partition_function
 * @paper  [LastovetskyReddy2007]; [Lastovetsky2014] section 1.2
 */
hit_partition_function hit_partition_gpa;

/* sumset.c: all sums of a number of one set and a number of another. */

/** Append all x + y <= @p most, x of @p a and y of @p b, to the empty @p sums. With I and
 * J spans O(I J log J), or O(most J / 64) where that is less. @errors HIT_E_NOMEM */
hit_status hit_sumset(const hit_spans *a, const hit_spans *b, hit_index most,
                      hit_spans *sums);

/* Columns of rectangles while they are being found. */

/** Which parts are in which column, and their sizes. */
typedef struct hit_plane_sizes {
    int columns;
    int *first;        /**< members of column c: first[c]..first[c + 1] - 1 */
    int *member;       /**< parts, column by column, ascending in each */
    hit_index *height; /**< of each member */
    hit_index *width;  /**< of each column */
    hit_arrays arrays; /**< for what finding them needs, too */
} hit_plane_sizes;

/** Are the sizes, speeds and models usable? */
hit_status hit_plane_check(const hit_plane *plane);

/* plane_choose.c: the choice among several ways to arrange columns. */

/** The best arrangement among many, which are shown to it twice: first to find the
 * fastest one, then to choose among those that are nearly as fast. */
typedef struct hit_plane_choice {
    const hit_plane *plane;
    bool deciding;   /**< the second time */
    bool any;        /**< is there one that can do all units? */
    double fastest;  /**< makespan, of the first time */
    int parts;       /**< of the one chosen: parts that were to take part, */
    double around;   /**< its half-perimeters, */
    double makespan; /**< its makespan, */
    hit_rect *rect;  /**< its rectangles */
    hit_rect *trial;
    hit_arrays arrays; /**< for what an arrangement needs, too */
} hit_plane_choice;

/** Look at one arrangement, as in hit_plane_given_columns(), in which @p parts take part.
 * More parts are preferred: idling one is no way to communicate less. */
hit_status hit_plane_choice_try(hit_plane_choice *choice, int parts,
                                const int column_of[]);
/** The same for the rectangles in choice->trial, which may be others afterwards. */
hit_status hit_plane_choice_take(hit_plane_choice *choice, int parts);

/** Shows all arrangements to be considered to the choice. @shape area: from
 * hit_plane_areas() */
typedef hit_status (*hit_arrangements)(const hit_plane *plane, const double area[],
                                       hit_plane_choice *choice);
/** The rectangles of the best of these arrangements.
 * @errors HIT_E_LIMIT none can do all units */
hit_status hit_plane_choose(const hit_plane *plane, hit_arrangements each,
                            hit_rect rect[]);

/* plane_fpm.c: columns of rectangles by models. */

/** Fill in heights and widths by models. */
hit_status hit_plane_sizes_fpm(const hit_plane *plane, hit_plane_sizes *sizes);
/** What each part would get if units needed not be together: the areas that arrangements
 * are made for. @errors HIT_E_LIMIT infeasible */
hit_status hit_plane_areas(const hit_plane *plane, double area[]);

/* The steps of a factorisation, for the algorithms on ordered sets. */

/** The steps, and who can do what. */
typedef struct hit_steps {
    hit_index panels;
    const hit_index *height; /**< NULL: as many as there are panels left */
    int parts;
    const hit_fpm *const *fpm;
} hit_steps;

/** The time of the step that works on the last @p left panels, of which part i has
 * count[i]. */
double hit_steps_time(const hit_steps *steps, hit_index left, const hit_index count[]);

/* ordered_optimal.c: the best owners of few panels. */

/** Are there so few panels and parts that hit_steps_optimal() is quick? */
bool hit_steps_are_few(const hit_steps *steps);

/** The owners of all panels but the first for which the sum of times is least.
 * @param arrays for what that needs @errors HIT_E_LIMIT infeasible; HIT_E_NOMEM */
hit_status hit_steps_optimal(const hit_steps *steps, hit_arrays *arrays, int owner[]);

#endif
