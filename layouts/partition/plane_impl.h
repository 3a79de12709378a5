/* SPDX-License-Identifier: MIT
 * Internal to layouts/partition: columns of rectangles while they are being found. */
#ifndef HIT_LAYOUTS_PARTITION_PLANE_IMPL_H
#define HIT_LAYOUTS_PARTITION_PLANE_IMPL_H

#include "layouts/partition/plane.h"

#include <stdbool.h>

/** Which parts are in which column, and their sizes. */
typedef struct hit_plane_sizes {
    int columns;
    int *first;        /**< members of column c: first[c]..first[c + 1] - 1 */
    int *member;       /**< parts, column by column, ascending in each */
    hit_index *height; /**< of each member */
    hit_index *width;  /**< of each column */
} hit_plane_sizes;

/** Are the sizes, speeds and models usable? */
hit_status hit_plane_check(const hit_plane *plane);

/* plane_choose.c: the choice among several ways to arrange columns. */

/** The best arrangement among many, which are shown to it twice: first to find the
 * fastest one, then to choose among those that are nearly as fast. */
typedef struct hit_choice {
    const hit_plane *plane;
    bool deciding;   /**< the second time */
    bool any;        /**< is there one that can do all units? */
    double fastest;  /**< makespan, of the first time */
    int parts;       /**< of the one chosen: parts that were to take part, */
    double around;   /**< its half-perimeters, */
    double makespan; /**< its makespan, */
    hit_rect *rect;  /**< its rectangles */
    hit_rect *trial;
} hit_choice;

/** Look at one arrangement, as in hit_plane_given_columns(), in which @p parts take part.
 * More parts are preferred: idling one is no way to communicate less. */
hit_status hit_choice_try(hit_choice *choice, int parts, const int column_of[]);
/** The same for the rectangles in choice->trial, which may be others afterwards. */
hit_status hit_choice_take(hit_choice *choice, int parts);

/** Shows all arrangements to be considered to the choice. @shape area: from
 * hit_plane_areas() */
typedef hit_status (*hit_arrangements)(const hit_plane *plane, const double area[],
                                       hit_choice *choice);
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

#endif
