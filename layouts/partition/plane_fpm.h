/* SPDX-License-Identifier: MIT
 * Internal: columns of rectangles by models. */
#ifndef LAYOUTS_PARTITION_PLANE_FPM_H
#define LAYOUTS_PARTITION_PLANE_FPM_H

#include "layouts/partition/plane_impl.h"

/** Fill in heights and widths by models. */
hit_status hit_plane_sizes_fpm(const hit_plane *plane, hit_plane_sizes *sizes);
/** What each part would get if units needed not be together: the areas that arrangements
 * are made for. @errors HIT_E_LIMIT infeasible */
hit_status hit_plane_areas(const hit_plane *plane, double area[]);

#endif
