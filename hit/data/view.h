/* SPDX-License-Identifier: MIT
 * Views: elements of a domain in memory. */
#ifndef HIT_DATA_VIEW_H
#define HIT_DATA_VIEW_H

#include "hit/data/domain.h"

HIT_C_BEGIN

/** Where the elements of a domain lie in memory: element x is at
 * data + sum over d of position(domain.sig[d], x[d]) * stride_bytes[d]. */
typedef struct hit_view {
    hit_domain domain;
    char *data;
    ptrdiff_t stride_bytes[HIT_MAX_DIMS];
    size_t size_bytes; /**< of one element */
} hit_view;

/** The address of the element with @p index. */
HIT_API void *hit_view_at(const hit_view *view, const hit_index index[]);

HIT_C_END

#endif
