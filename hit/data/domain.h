/* SPDX-License-Identifier: MIT
 * Domains: products of signatures, one per dimension. The index set of a tile, of a
 * launch, of a part
 * ([Torres2013] section III.A). A domain of 0 dimensions has one element. */
#ifndef HIT_DATA_DOMAIN_H
#define HIT_DATA_DOMAIN_H

#include "hit/base/status.h"

#include <stdbool.h>

HIT_C_BEGIN

typedef struct hit_domain {
    int dims; /**< 0..HIT_MAX_DIMS */
    hit_sig sig[HIT_MAX_DIMS];
} hit_domain;

/** The domain 0..n0-1 x 0..n1-1 x ...: `hit_domain_of(n, m)`. A size < 1 gives an empty
 * domain; more than HIT_MAX_DIMS sizes do not compile. */
#define hit_domain_of(...)                                                               \
    hit_domain_of_sizes(                                                                 \
        (int)(sizeof((hit_index[]){__VA_ARGS__}) / sizeof(hit_index) +                   \
              0 * sizeof(struct {                                                        \
                  _Static_assert(HIT_SIZES(__VA_ARGS__) <= HIT_MAX_DIMS,                 \
                                 "hit_domain_of: expected at most HIT_MAX_DIMS sizes");  \
                  char unused;                                                           \
              })),                                                                       \
        (const hit_index[]){__VA_ARGS__})
#define HIT_SIZES(...)                                                                   \
    HIT_SIZES_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HIT_SIZES_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count
/** The same from an array; more than HIT_MAX_DIMS sizes give an empty domain. */
HIT_API hit_domain hit_domain_of_sizes(int dims, const hit_index size[]);
/** The box begin[d]..end[d], both inclusive, stride 1. */
HIT_API hit_domain hit_domain_box(int dims, const hit_index begin[],
                                  const hit_index end[]);
/** The same from pairs, begin and end of each dimension, both inclusive:
 * `hit_box_of(1, n - 2, 0, m - 1)` is 1:n-2 x 0:m-1. */
#define hit_box_of(...) HIT_BOX_OF_(HIT_SIZES(__VA_ARGS__), __VA_ARGS__)
#define HIT_BOX_OF_(count, ...) HIT_BOX_OF__(count, __VA_ARGS__)
#define HIT_BOX_OF__(count, ...) HIT_BOX_OF_##count(__VA_ARGS__)
#define HIT_BOX_OF_2(a, b)                                                               \
    hit_domain_box(1, (const hit_index[]){a}, (const hit_index[]){b})
#define HIT_BOX_OF_4(a, b, c, d)                                                         \
    hit_domain_box(2, (const hit_index[]){a, c}, (const hit_index[]){b, d})
#define HIT_BOX_OF_6(a, b, c, d, e, f)                                                   \
    hit_domain_box(3, (const hit_index[]){a, c, e}, (const hit_index[]){b, d, f})
#define HIT_BOX_OF_8(a, b, c, d, e, f, g, h)                                             \
    hit_domain_box(4, (const hit_index[]){a, c, e, g}, (const hit_index[]){b, d, f, h})
/** The indices begin, begin + stride, ... that are not beyond @p end, of which the last
 * one becomes the end: `domain.sig[0] = hit_sig_make(0, n - 1, 2)` is every second row.
 * Empty for a stride < 1. */
HIT_API hit_sig hit_sig_make(hit_index begin, hit_index end, hit_index stride);
/** The domain of a scalar: no dimension, one element. */
HIT_API hit_domain hit_domain_scalar(void);
/* Inline, since every launch asks it many times. */
HIT_API inline bool hit_domain_is_empty(const hit_domain *domain)
{
    for (int d = 0; d < domain->dims; d++) {
        if (domain->sig[d].begin > domain->sig[d].end) return true;
    }
    return false;
}

/** Number of elements, 1 for 0 dimensions; INT64_MAX if there are more. */
HIT_API hit_index hit_domain_count(const hit_domain *domain);
HIT_API inline bool hit_domain_equal(const hit_domain *a, const hit_domain *b)
{
    if (a->dims != b->dims) return false;
    for (int d = 0; d < a->dims; d++) {
        const hit_sig *x = &a->sig[d];
        const hit_sig *y = &b->sig[d];

        if (x->begin == y->begin && x->end == y->end && x->stride == y->stride) continue;
        return hit_domain_is_empty(a) && hit_domain_is_empty(b);
    }
    return true;
}
/** Both must have the same number of dimensions, here and below. */
HIT_API hit_domain hit_domain_intersect(const hit_domain *a, const hit_domain *b);
/** Move both ends of every dimension outwards by @p width elements (inwards if negative).
 * By value, so that calls nest: `hit_domain_grow(hit_domain_of(n, m), -1)`. */
HIT_API hit_domain hit_domain_grow(hit_domain domain, hit_index width);
/** Write as "0:9 x 0:98:2" (end inclusive), "0:-1" for an empty signature, "()" for a
 * scalar. Never more than @p size bytes. */
HIT_API void hit_domain_print(const hit_domain *domain, char *text, size_t size);
/** Visit the elements in row-major order: start with the first, false after the last. */
HIT_API bool hit_domain_first(const hit_domain *domain, hit_index index[]);
HIT_API bool hit_domain_next(const hit_domain *domain, hit_index index[]);
/** The same as a loop, in which @p x is the index, an array of HIT_MAX_DIMS; @p domain is
 * a variable or a member: `HIT_FOR_EACH (x, view.domain) { ... x[0], x[1] ... }`. */
#define HIT_FOR_EACH(x, domain)                                                          \
    for (hit_index x[HIT_MAX_DIMS] = {0}, hit_more_##x = hit_domain_first(&(domain), x); \
         hit_more_##x; hit_more_##x = hit_domain_next(&(domain), x))

HIT_C_END

#endif
