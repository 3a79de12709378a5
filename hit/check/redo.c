/* SPDX-License-Identifier: MIT
 * Work that is done twice on the same elements: they are copied before, and the results
 * of the first time are put beside those of the second one. */
#include "hit/check/check.h"
#include "hit/data/domain_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hit_status hit_redo_keep(hit_redo *redo, const hit_view *view, hit_type type, int of,
                         const hit_domain *dead)
{
    const size_t bytes = (size_t)hit_domain_count(&view->domain) * view->size_bytes;
    void *copy = NULL;
    hit_redo_piece *piece;
    hit_ndcopy kept;

    HIT_TRY(hit_memory_resize((size_t)redo->count + 1, sizeof(*redo->piece), "a check",
                              &redo->piece));
    HIT_TRY(hit_memory_take(bytes, "a copy of a tile", &copy));
    piece = &redo->piece[redo->count++];
    *piece =
        (hit_redo_piece){.view = *view,
                         .other = hit_view_make(&view->domain, view->size_bytes, copy),
                         .type = type,
                         .of = of,
                         .dead = *dead};
    kept = hit_ndcopy_make(view, &piece->other, &view->domain, NULL);
    hit_ndcopy_run(&kept, view->data, copy);
    return HIT_OK;
}

static void swap_bytes(char *one, char *other, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        const char swapped = one[b];

        one[b] = other[b];
        other[b] = swapped;
    }
}

/* What lies between the elements is not theirs. */
void hit_redo_swap(hit_redo *redo)
{
    for (int k = 0; k < redo->count; k++) {
        const hit_redo_piece *piece = &redo->piece[k];
        const hit_ndcopy rows =
            hit_ndcopy_make(&piece->view, &piece->other, &piece->view.domain, NULL);
        hit_index at[HIT_MAX_DIMS] = {0};
        ptrdiff_t one = rows.from_offset;
        ptrdiff_t other = rows.to_offset;

        do {
            swap_bytes(piece->view.data + one, piece->other.data + other, rows.run_bytes);
        } while (hit_ndcopy_next(&rows, rows.dims, at, &one, &other));
    }
}

static double larger(hit_type type, const char *element, double largest)
{
    const double size = hit_type_apart(type, element, NULL);

    return isfinite(size) && size > largest ? size : largest;
}

static double bound_of(const hit_redo_piece *piece, double terms)
{
    const hit_type type = piece->type;
    const hit_domain *domain = &piece->view.domain;
    const double unit = hit_type_unit(type);
    double largest = 0;

    if (unit * terms == 0) return 0;
    HIT_FOR_EACH (at, *domain) {
        largest = larger(type, hit_view_at(&piece->view, at), largest);
        largest = larger(type, hit_view_at(&piece->other, at), largest);
    }
    return unit * terms * largest;
}

const char *hit_redo_other(const hit_redo_piece *piece, const hit_index at[])
{
    return hit_view_at(&piece->other, at);
}

static bool differs(const hit_redo_piece *piece, double terms, hit_index at[])
{
    const hit_type type = piece->type;
    const hit_view *view = &piece->view;
    const double bound = bound_of(piece, terms);

    for (bool more = hit_domain_first(&view->domain, at); more;
         more = hit_domain_next(&view->domain, at)) {
        const char *one = hit_view_at(view, at);
        const char *other = hit_redo_other(piece, at);

        if (memcmp(one, other, type.size_bytes) == 0) continue;
        if (hit_domain_has(&piece->dead, at)) continue;
        if (bound > 0 && hit_type_apart(type, one, other) <= bound) continue;
        return true;
    }
    return false;
}

const hit_redo_piece *hit_redo_find(const hit_redo *redo, double terms, hit_index at[])
{
    for (int k = 0; k < redo->count; k++) {
        if (differs(&redo->piece[k], terms, at)) return &redo->piece[k];
    }
    return NULL;
}

void hit_redo_end(hit_redo *redo)
{
    for (int k = 0; k < redo->count; k++) {
        void *copy = redo->piece[k].other.data;

        hit_memory_release(&copy);
    }
    free(redo->piece);
    *redo = (hit_redo){.count = 0};
}
