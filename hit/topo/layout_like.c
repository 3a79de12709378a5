/* SPDX-License-Identifier: MIT
 * The parts of a layout that follows another one: what factor * x takes into a part, one
 * dimension after the other. A part of contiguous indices gives one range; one that is
 * dealt out (cyclic) gives a strided one, and what is clamped at the ends. */
#include "hit/topo/layout_like.h"

#include "hit/base/memory.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>

/** One dimension of a part, of the domain it is of, and of the layout that follows. */
typedef struct along {
    int dim;
    hit_sig own;
    hit_sig whole;
    hit_index factor;
} along;

/* The first index whose factor * x is not before @p end. */
static hit_index first_from(const along *a, hit_index end)
{
    return hit_index_ceil_div(end, a->factor);
}

/* Append what @p box has of @p sig in the dimension. */
static hit_status append(const along *a, const hit_domain *box, hit_sig sig,
                         hit_region *into)
{
    hit_domain piece = *box;

    piece.sig[a->dim] = hit_sig_intersect(box->sig[a->dim], sig);
    return hit_region_append(into, &piece);
}

/* Indices first..last of the domain, without others between them. */
static hit_status append_run(const along *a, const hit_domain *box, hit_index first,
                             hit_index last, hit_region *into)
{
    const bool lowest = first == a->whole.begin;
    const bool highest = last == a->whole.end;
    const hit_index begin = lowest ? INT64_MIN / 2 : first_from(a, first);
    const hit_index end =
        highest ? INT64_MAX / 2 : first_from(a, last + a->whole.stride) - 1;

    return append(a, box, hit_sig_make(begin, end, 1), into);
}

/* Every stride-th index of a domain. */
static hit_status append_dealt(const along *a, const hit_domain *box, hit_region *into)
{
    const hit_sig own = a->own;

    if (a->whole.stride > 1) { /* all of a gap belong to the index before it */
        for (hit_index k = 0; k < hit_sig_count(own); k++) {
            const hit_index x = hit_sig_at(own, k);

            HIT_TRY(append_run(a, box, x, x, into));
        }
        return HIT_OK;
    }
    HIT_TRY(append(a, box, hit_sig_preimage(own, a->factor, 0), into));
    if (own.begin == a->whole.begin) {
        const hit_index end = first_from(a, own.begin) - 1;

        HIT_TRY(append(a, box, hit_sig_make(INT64_MIN / 2, end, 1), into));
    }
    if (own.end != a->whole.end) return HIT_OK;
    return append(a, box, hit_sig_make(first_from(a, own.end + 1), INT64_MAX / 2, 1),
                  into);
}

/* Replace *boxes by what they have of a part in one dimension. */
static hit_status narrow(const along *a, hit_region *boxes)
{
    const bool run = a->own.begin == a->own.end || a->own.stride == a->whole.stride;
    hit_region into = {0};
    hit_status st = HIT_OK;

    for (int k = 0; k < boxes->count && st == HIT_OK; k++) {
        st = run ? append_run(a, &boxes->part[k], a->own.begin, a->own.end, &into)
                 : append_dealt(a, &boxes->part[k], &into);
    }
    hit_region_clear(boxes);
    *boxes = into;
    return st;
}

/* Append what belongs to the owner of @p own. */
static hit_status follow(const hit_layout *layout, const hit_domain *own,
                         const hit_domain *domain, const hit_index factor[],
                         hit_region *part)
{
    const hit_domain whole = hit_layout_domain(layout);
    hit_region boxes = {0};
    hit_status st = hit_region_append(&boxes, domain);

    for (int d = 0; d < domain->dims && st == HIT_OK; d++) {
        const along a = {d, own->sig[d], whole.sig[d], factor != NULL ? factor[d] : 1};

        st = narrow(&a, &boxes);
    }
    for (int k = 0; k < boxes.count && st == HIT_OK; k++) {
        st = hit_region_append(part, &boxes.part[k]);
    }
    hit_region_clear(&boxes);
    return st;
}

static hit_status follow_all(const hit_layout *layout, int rank, const hit_domain *domain,
                             const hit_index factor[], hit_region *part)
{
    hit_region own = {0};
    hit_status st = hit_layout_part(layout, rank, &own);

    for (int k = 0; k < own.count && st == HIT_OK; k++) {
        st = follow(layout, &own.part[k], domain, factor, part);
    }
    hit_region_clear(&own);
    return st;
}

static hit_status check_factor(const hit_sig sig, int dim, hit_index factor)
{
    if (factor < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a factor >= 1 of dimension %d but found %lld", dim,
                        (long long)factor);
    }
    if (hit_sig_is_empty(sig) || (sig.begin >= -(HIT_INDEX_LIMIT / factor) &&
                                  sig.end <= HIT_INDEX_LIMIT / factor)) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "dimension %d: expected indices times %lld within 2^60 but found "
                    "%lld:%lld",
                    dim, (long long)factor, (long long)sig.begin, (long long)sig.end);
}

static hit_status check(const hit_layout *layout, const hit_domain *domain,
                        const hit_index factor[], hit_layout **made)
{
    const hit_domain whole = hit_layout_domain(layout);

    if (layout == NULL || made == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout and a place for the one like it but "
                        "found NULL");
    }
    HIT_TRY(hit_domain_check_given(domain));
    if (domain->dims != whole.dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a domain of %d dimensions, as that of layout %s, but "
                        "found %d",
                        whole.dims, hit_layout_name(layout), domain->dims);
    }
    if (hit_domain_is_empty(&whole) && !hit_domain_is_empty(domain)) {
        return HIT_FAIL(HIT_E_ARG, "expected a layout of a domain with elements, whose "
                                   "owners can be followed, but found an empty one");
    }
    for (int d = 0; d < domain->dims && factor != NULL; d++) {
        HIT_TRY(check_factor(domain->sig[d], d, factor[d]));
    }
    return HIT_OK;
}

hit_status hit_layout_like(const hit_layout *layout, hit_domain domain,
                           const hit_index factor[], hit_layout **made)
{
    const int ranks = hit_layout_ranks(layout);
    hit_region *part = NULL;
    hit_status st;

    HIT_TRY(check(layout, &domain, factor, made));
    HIT_TRY(hit_memory_zeroed((size_t)ranks, sizeof *part, &part));
    st = HIT_OK;
    for (int rank = 0; rank < ranks && st == HIT_OK; rank++) {
        st = follow_all(layout, rank, &domain, factor, &part[rank]);
    }
    if (st == HIT_OK) st = hit_layout_boxes(layout->context, domain, ranks, part, made);
    for (int rank = 0; rank < ranks; rank++) {
        hit_region_clear(&part[rank]);
    }
    free(part);
    return st;
}
