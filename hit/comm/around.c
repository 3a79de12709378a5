/* SPDX-License-Identifier: MIT
 * Message plans of boxes that are larger than the processes' parts: no pattern is asked,
 * and nothing lies beyond the tile. */
#include "hit/comm/around.h"

#include "hit/comm/needs.h"

#include <stdlib.h>

/* What process @p p owns, and wants to have. */
static hit_status set_rank(const hit_around *around, int p, hit_everyone *all)
{
    const hit_domain *cover = around->cover;
    hit_needs *need = &all->need[p];
    hit_domain box = *cover;
    const hit_domain *own;
    int room = 0;

    all->like[p] = p;
    HIT_TRY(hit_layout_part(around->layout, p, &all->owned[p]));
    if (all->owned[p].count == 0) return HIT_OK;
    own = &all->owned[p].part[0];
    for (int d = 0; d < cover->dims; d++) {
        const hit_sig grown = hit_sig_make(own->sig[d].begin - around->low[d],
                                           own->sig[d].end + around->high[d], 1);

        box.sig[d] = hit_sig_intersect(grown, cover->sig[d]);
    }
    if (hit_domain_is_empty(&box)) return HIT_OK;
    HIT_TRY(hit_needs_grow(&need->piece, 0, &room, sizeof(int)));
    HIT_TRY(hit_needs_grow(&need->image, 0, &need->room, sizeof(hit_image)));
    need->piece[0] = 0;
    need->image[0] = (hit_image){box, hit_remap_identity(), false};
    need->count = 1;
    return HIT_OK;
}

static hit_status set_all(const hit_around *around, hit_everyone *all)
{
    const size_t ranks = (size_t)all->ranks;

    all->need = calloc(ranks, sizeof(hit_needs));
    all->like = calloc(ranks, sizeof(int));
    all->owned = calloc(ranks, sizeof(hit_region));
    if (all->need == NULL || all->like == NULL || all->owned == NULL) {
        return hit_needs_no_memory();
    }
    for (int p = 0; p < all->ranks; p++) {
        HIT_TRY(set_rank(around, p, all));
    }
    return HIT_OK;
}

hit_status hit_message_plan_around(const hit_around *around, int rank,
                                   hit_message_plan *plan)
{
    hit_everyone all = {.ranks = hit_layout_ranks(around->layout)};
    hit_status status = set_all(around, &all);

    if (status == HIT_OK) {
        const hit_message_request request = {.rank = rank,
                                             .ranks = all.ranks,
                                             .layout = around->layout,
                                             .tile = hit_layout_domain(around->layout),
                                             .size_bytes = around->size_bytes,
                                             .direction = HIT_GATHER,
                                             .everyone = &all,
                                             .head_bytes = around->head_bytes,
                                             .direct = true};

        status = hit_message_plan_make(&request, plan);
    }
    hit_everyone_clear(&all);
    return status;
}
