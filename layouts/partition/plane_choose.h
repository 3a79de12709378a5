/* SPDX-License-Identifier: MIT
 * Internal: the choice among several ways to arrange columns. */
#ifndef LAYOUTS_PARTITION_PLANE_CHOOSE_H
#define LAYOUTS_PARTITION_PLANE_CHOOSE_H

#include "layouts/partition/plane.h"

#include <stdbool.h>

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

#endif
