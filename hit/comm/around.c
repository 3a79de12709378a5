/* SPDX-License-Identifier: MIT
 * Message plans of boxes that are larger than the processes' parts: no pattern is asked.
 */
#include "hit/comm/message.h"

/* What process @p p owns, and wants to have. */
static hit_status set_rank(const hit_around *around, int p, hit_everyone *all)
{
    const hit_domain whole = hit_layout_domain(around->layout);
    const hit_domain *cover = around->cover;
    hit_boundary kind[HIT_MAX_DIMS];
    hit_domain box = *cover;
    const hit_domain *own;

    all->like[p] = p;
    HIT_TRY(hit_layout_part(around->layout, p, &all->owned[p]));
    HIT_TRY(hit_everyone_own(all, p));
    if (all->owned[p].count == 0) return HIT_OK;
    own = &all->owned[p].part[0];
    for (int d = 0; d < cover->dims; d++) {
        const hit_sig grown = hit_sig_make(own->sig[d].begin - around->low[d],
                                           own->sig[d].end + around->high[d], 1);

        box.sig[d] =
            around->period[d] > 0 ? grown : hit_sig_intersect(grown, cover->sig[d]);
        kind[d] = around->period[d] > 0 ? HIT_BOUNDARY_PERIODIC : HIT_BOUNDARY_NONE;
    }
    if (hit_domain_is_empty(&box)) return HIT_OK;
    return hit_needs_add(&whole, kind, &box, 0, &all->need[p]); /* images of others */
}

static hit_status set_all(const hit_around *around, hit_everyone *all)
{
    HIT_TRY(hit_everyone_make(hit_layout_ranks(around->layout), all));
    for (int p = 0; p < all->count; p++) {
        HIT_TRY(set_rank(around, p, all));
    }
    return HIT_OK;
}

static hit_message_request request_of(const hit_around *around, int rank,
                                      const hit_everyone *all)
{
    return (hit_message_request){.rank = rank,
                                 .ranks = all->count,
                                 .layout = around->layout,
                                 .tile = hit_layout_domain(around->layout),
                                 .size_bytes = around->size_bytes,
                                 .direction = HIT_GATHER,
                                 .everyone = all,
                                 .direct = true};
}

hit_status hit_message_plan_around(const hit_around *around, int rank,
                                   hit_message_plan *plan)
{
    hit_everyone all = {0};
    hit_status status = set_all(around, &all);

    if (status == HIT_OK) {
        const hit_message_request request = request_of(around, rank, &all);

        status = hit_message_plan_make(&request, plan);
    }
    hit_everyone_clear(&all);
    return status;
}

static void raise(uint64_t *most, uint64_t of_process)
{
    if (of_process > *most) *most = of_process;
}

static hit_status add_rank(const hit_around *around, int rank, const hit_everyone *all,
                           hit_around_sum *sum)
{
    const hit_message_request request = request_of(around, rank, all);
    hit_message_plan plan;

    HIT_TRY(hit_message_plan_make(&request, &plan));
    sum->messages += (uint64_t)plan.targets;
    sum->bytes += plan.bytes_sent;
    raise(&sum->most_messages, (uint64_t)plan.targets);
    raise(&sum->most_bytes, plan.bytes_sent);
    raise(&sum->most_receives, (uint64_t)plan.receives);
    raise(&sum->most_bytes_received, plan.bytes_received);
    hit_message_plan_clear(&plan);
    return HIT_OK;
}

hit_status hit_around_add_up(const hit_around *around, hit_around_sum *sum)
{
    hit_everyone all = {0};
    hit_status status = set_all(around, &all);

    *sum = (hit_around_sum){0};
    if (status == HIT_OK) {
        const hit_message_request request = request_of(around, 0, &all);

        status = hit_everyone_meet(&request, &all);
    }
    for (int p = 0; p < all.count && status == HIT_OK; p++) {
        status = add_rank(around, p, &all, sum);
    }
    hit_everyone_clear(&all);
    return status;
}
