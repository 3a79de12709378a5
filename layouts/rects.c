/* SPDX-License-Identifier: MIT
 * Rectangles: what layouts of rectangles and of slices have, once they are found. They
 * stand in bands: columns of rectangles, one below the other, of which each may be cut
 * into slices again. An owner is found in O(log rectangles): the band of a column, the
 * row in it, the slice in that. */
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

hit_status hit_rects_create(const int dims[2], void **state)
{
    hit_rects *made;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->dims[0] = dims[0];
    made->dims[1] = dims[1];
    *state = made;
    return HIT_OK;
}

void hit_rects_destroy(void *state)
{
    hit_rects *r = state;

    if (r == NULL) return;
    free(r->placed);
    free(r->of_rank);
    free(r->first);
    free(r);
}

hit_status hit_rects_add(hit_rects *rects, int rank, hit_index band, hit_rect rect)
{
    if (rect.height == 0 || rect.width == 0) return HIT_OK;
    HIT_TRY(HIT_ONE_MORE(rects->placed, rects->count, rects->room, "a layout"));
    rects->placed[rects->count++] = (hit_placed){rect, band, rank};
    return HIT_OK;
}

static int compare(const void *one, const void *other)
{
    const hit_placed *a = one;
    const hit_placed *b = other;

    if (a->band != b->band) return a->band < b->band ? -1 : 1;
    if (a->rect.row != b->rect.row) return a->rect.row < b->rect.row ? -1 : 1;
    return (a->rect.column > b->rect.column) - (a->rect.column < b->rect.column);
}

hit_status hit_rects_finish(const hit_layout_spec *spec, int ranks, hit_rects *rects)
{
    hit_rects *r = rects;
    const hit_index rows =
        r->dims[0] < 0 ? 1 : hit_sig_count(spec->domain.sig[r->dims[0]]);
    const hit_index columns = hit_sig_count(spec->domain.sig[r->dims[1]]);

    HIT_TRY(hit_memory_zeroed((size_t)ranks + 2, sizeof *r->first, &r->first));
    HIT_TRY(hit_memory_zeroed((size_t)r->count, sizeof *r->of_rank, &r->of_rank));
    if (r->count > 0) qsort(r->placed, (size_t)r->count, sizeof *r->placed, compare);
    for (int k = 0; k < r->count; k++) {
        r->cut[0] = r->cut[0] || r->placed[k].rect.height < rows;
        r->cut[1] = r->cut[1] || r->placed[k].rect.width < columns;
        r->first[r->placed[k].rank + 2]++;
    }
    for (int rank = 0; rank < ranks; rank++) {
        r->first[rank + 2] += r->first[rank + 1];
    }
    for (int k = 0; k < r->count; k++) { /* first[rank + 1]: where its next one goes */
        r->of_rank[r->first[r->placed[k].rank + 1]++] = k;
    }
    return HIT_OK;
}

/* ---- who owns what ---- */

static hit_domain domain_of(const hit_layout_spec *spec, const hit_rects *r,
                            const hit_rect *rect)
{
    hit_domain mine = spec->domain;
    hit_sig *columns = &mine.sig[r->dims[1]];

    if (r->dims[0] >= 0) {
        hit_sig *rows = &mine.sig[r->dims[0]];

        *rows = hit_sig_slice(*rows, rect->row, rect->row + rect->height - 1);
    }
    *columns = hit_sig_slice(*columns, rect->column, rect->column + rect->width - 1);
    return mine;
}

hit_status hit_rects_part(const hit_layout_spec *spec, const void *state, int rank,
                          hit_region *part)
{
    const hit_rects *r = state;

    for (int k = r->first[rank]; k < r->first[rank + 1]; k++) {
        const hit_domain mine = domain_of(spec, r, &r->placed[r->of_rank[k]].rect);

        HIT_TRY(hit_region_append(part, &mine));
    }
    return HIT_OK;
}

/** The last one that is not behind this place. */
static const hit_placed *last_before(const hit_rects *r, hit_index band, hit_index row,
                                     hit_index column)
{
    const hit_placed place = {.band = band, .rect = {.row = row, .column = column}};
    int low = 1;
    int high = r->count;

    HIT_BISECT(k, low, high, compare(&r->placed[k], &place) > 0);
    return &r->placed[low - 1];
}

/** The one with an element of the domain. */
static const hit_placed *find(const hit_layout_spec *spec, const hit_rects *r,
                              const hit_index index[])
{
    const hit_sig *sig = spec->domain.sig;
    const int *dims = r->dims;
    const hit_index row =
        dims[0] < 0 ? 0 : hit_sig_position(sig[dims[0]], index[dims[0]]);
    const hit_index column = hit_sig_position(sig[dims[1]], index[dims[1]]);
    const hit_placed *found = last_before(r, column, INT64_MAX, INT64_MAX);

    if (dims[0] < 0) return found; /* a slice is a band of its own */
    found = last_before(r, found->band, row, INT64_MAX);
    return last_before(r, found->band, found->rect.row, column);
}

int hit_rects_owner(const hit_layout_spec *spec, const void *state,
                    const hit_index index[])
{
    return find(spec, state, index)->rank;
}

void hit_rects_box(const hit_layout_spec *spec, const void *state,
                   const hit_index index[], hit_domain *box)
{
    *box = domain_of(spec, state, &find(spec, state, index)->rect);
}

bool hit_rects_splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const hit_rects *r = state;

    (void)spec;
    return (dim == r->dims[0] && r->cut[0]) || (dim == r->dims[1] && r->cut[1]);
}
