/* SPDX-License-Identifier: MIT
 * Internal to layouts: rectangles in columns, as text and for finding an owner. */
#ifndef LAYOUTS_COLUMNS_H
#define LAYOUTS_COLUMNS_H

#include "hit/data/region.h"
#include "hit/topo/layout_plugin.h"
#include "layouts/layouts.h"
#include "layouts/partition/algorithms.h"

/** Rectangles that are a plane, in columns. */
typedef struct hit_columns hit_columns;

/** Read @p count rectangles, "ROW.COLUMN.HEIGHT.WIDTH;...", from option rects=, and check
 * that they are columns of the domain's dimensions @p dims.
 * @owner *columns, NULL before: free(), also after a failure @errors HIT_E_ARG;
 * HIT_E_NOMEM */
hit_status hit_columns_read(const hit_layout_spec *spec, int count, const int dims[2],
                            hit_columns **columns);
/** Rectangle @p k. */
const hit_rect *hit_columns_rect(const hit_columns *columns, int k);
/** The number of the rectangle that holds a position. */
int hit_columns_find(const hit_columns *columns, hit_index row, hit_index column);
/** Is there a rectangle that is not as high (dim 0) or as wide (dim 1) as the plane? */
bool hit_columns_cut(const hit_columns *columns, int dim);
/** Write "dims=K,L,rects=..." and @p more options. @owner *options is the caller's:
 * free()
 */
hit_status hit_columns_options(const int dims[2], int count, const hit_rect rect[],
                               const char *more, char **options);
/** @p rect of the domain's dimensions @p dims, appended to @p part unless it is empty. */
hit_status hit_columns_append(const hit_layout_spec *spec, const int dims[2],
                              const hit_rect *rect, hit_region *part);

#endif
