/* SPDX-License-Identifier: MIT
 * Views and strided n-dimensional copies, for messages, devices and files. */
#ifndef HIT_DATA_NDCOPY_H
#define HIT_DATA_NDCOPY_H

#include "hit/data/domain_set.h"
#include "hit/data/view.h"

HIT_C_BEGIN

/** Runs of run_bytes contiguous bytes, count[d] of them along each of dims loop
 * dimensions. Dimensions that are contiguous in both places are merged into the run when
 * it is made. */
typedef struct hit_ndcopy {
    int dims;
    hit_index count[HIT_MAX_DIMS];
    ptrdiff_t from_stride[HIT_MAX_DIMS];
    ptrdiff_t to_stride[HIT_MAX_DIMS];
    size_t run_bytes;
    ptrdiff_t from_offset; /**< bytes from the data pointer of the source view */
    ptrdiff_t to_offset;
} hit_ndcopy;

/** For each dimension: element x of the destination comes from element sign * x + offset
 * of the source; sign is 1, 0 (the same for all x) or -1. How boundaries fill what lies
 * outside a tile. */
typedef struct hit_remap {
    int sign[HIT_MAX_DIMS];
    hit_index offset[HIT_MAX_DIMS];
} hit_remap;

/** x comes from x. */
HIT_API hit_remap hit_remap_identity(void);
/** Does it, in the first @p dims dimensions? */
static inline bool hit_remap_is_identity(const hit_remap *remap, int dims)
{
    for (int d = 0; d < dims; d++) {
        if (remap->sign[d] != 1 || remap->offset[d] != 0) return false;
    }
    return true;
}

/** The source elements that the destination elements @p domain come from. */
HIT_API hit_domain hit_remap_apply(const hit_remap *remap, const hit_domain *domain);

/** The row-major view of @p domain at @p data. */
HIT_API hit_view hit_view_make(const hit_domain *domain, size_t size_bytes, void *data);
/** The part of @p view that holds @p domain, which must lie inside. */
HIT_API hit_view hit_view_select(const hit_view *view, const hit_domain *domain);

/** Set the elements @p domain, which must lie inside the view, to *element. */
HIT_API void hit_view_fill(const hit_view *view, const hit_domain *domain,
                           const void *element);
/** Are they all equal to *element, byte by byte? */
HIT_API bool hit_view_is_full(const hit_view *view, const hit_domain *domain,
                              const void *element);

/** Copy the elements @p domain of @p to from remap(domain) of @p from (NULL: identity).
 * @p domain must lie inside to->domain, and its image inside from->domain. */
HIT_API hit_ndcopy hit_ndcopy_make(const hit_view *from, const hit_view *to,
                                   const hit_domain *domain, const hit_remap *remap);
/** Carry it out; @p from and @p to are the data pointers of the views. */
HIT_API void hit_ndcopy_run(const hit_ndcopy *copy, const void *from, void *to);
/** Go to the next index @p at of the outer @p loops, which begins with zeros; *from and
 * *to, the offsets of its first run, follow. false: there is none. */
static inline bool hit_ndcopy_next(const hit_ndcopy *copy, int loops, hit_index at[],
                                   ptrdiff_t *from, ptrdiff_t *to)
{
    int d = loops - 1;

    for (; d >= 0 && at[d] == copy->count[d] - 1; d--) {
        *from -= at[d] * copy->from_stride[d];
        *to -= at[d] * copy->to_stride[d];
        at[d] = 0;
    }
    if (d < 0) return false;
    at[d]++;
    *from += copy->from_stride[d];
    *to += copy->to_stride[d];
    return true;
}

/** Make it, and carry it out at once. */
HIT_API void hit_view_copy(const hit_view *from, const hit_view *to,
                           const hit_domain *domain, const hit_remap *remap);
/** The bytes that are moved. */
HIT_API size_t hit_ndcopy_bytes(const hit_ndcopy *copy);

HIT_C_END

#endif
