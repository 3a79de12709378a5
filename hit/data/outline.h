/* SPDX-License-Identifier: MIT
 * Internal: from where to where boxes reach, in a form that is compared with many at a
 * time: a filter before an exact comparison. */
#ifndef HIT_DATA_OUTLINE_H
#define HIT_DATA_OUTLINE_H

#include "hit/base/status.h"
#include "hit/data/domain.h"

enum {
    HIT_OUTLINES = 16,    /**< boxes that are compared at a time */
    HIT_OUTLINE_DIMS = 3, /**< dimensions in which they are; the others seldom decide */
};

/** Bounds beyond 32 bits count as the least or the greatest number. */
typedef struct hit_outline {
    int32_t begin[HIT_OUTLINE_DIMS];
    int32_t end[HIT_OUTLINE_DIMS];
} hit_outline;

/** Those of HIT_OUTLINES boxes, side by side. */
typedef struct hit_outlines {
    int32_t begin[HIT_OUTLINE_DIMS][HIT_OUTLINES];
    int32_t end[HIT_OUTLINE_DIMS][HIT_OUTLINES];
} hit_outlines;

/** @p box NULL: of all elements. Not of an empty one. */
hit_outline hit_outline_of(const hit_domain *box);
/** Room for outlines of @p to boxes in an array that has room for @p from <= to, 0 with
 * *outlines NULL. @owner *outlines: free() @errors HIT_E_NOMEM */
hit_status hit_outlines_resize(int from, int to, hit_outlines **outlines);
/** Outline number @p k of an array is that of @p box. */
void hit_outlines_set(hit_outlines *outlines, int k, const hit_domain *box);
/** The first of @p count boxes of the array, from number @p k on, that may have an
 * element in common with @p near; -1: none has. */
int hit_outlines_next(const hit_outlines *outlines, int k, int count,
                      const hit_outline *near);

#endif
