/* SPDX-License-Identifier: MIT
 * Message plans of boxes that are larger than the processes' parts: no pattern is asked.
 */
#include "hit/comm/message.h"

/* The box of field @p f that process @p p, which has @p own, wants to have. */
static hit_status add_field(const hit_around *around, int f, const hit_domain *own,
                            hit_needs *need)
{
    const hit_domain whole = hit_layout_domain(around->layout);
    const hit_around_field *field = &around->field[f];
    hit_boundary kind[HIT_MAX_DIMS];
    hit_domain box = *own;

    if (field->low == NULL) return HIT_OK;
    for (int d = 0; d < own->dims; d++) {
        const hit_sig grown = hit_sig_make(own->sig[d].begin - field->low[d],
                                           own->sig[d].end + field->high[d], 1);

        box.sig[d] = around->period[d] > 0
                         ? grown
                         : hit_sig_intersect(grown, field->cover->sig[d]);
        kind[d] = around->period[d] > 0 ? HIT_BOUNDARY_PERIODIC : HIT_BOUNDARY_NONE;
    }
    if (hit_domain_is_empty(&box)) return HIT_OK;
    return hit_needs_add(&whole, kind, &box, f, need); /* images of others */
}

/* What process @p p owns, and wants to have. */
static hit_status set_rank(const hit_around *around, int p, hit_everyone *all)
{
    all->like[p] = p;
    HIT_TRY(hit_layout_part(around->layout, p, &all->owned[p]));
    HIT_TRY(hit_everyone_own(all, p));
    for (int f = 0; f < around->fields && all->owned[p].count > 0; f++) {
        HIT_TRY(add_field(around, f, &all->owned[p].part[0], &all->need[p]));
    }
    return HIT_OK;
}

static hit_status set_all(const hit_around *around, hit_everyone *all)
{
    HIT_TRY(hit_everyone_make(hit_layout_ranks(around->layout), all));
    for (int p = 0; p < all->count; p++) {
        HIT_TRY(set_rank(around, p, all));
    }
    return HIT_OK;
}

/* The plan of process @p rank, or, of 0, what all of them are found by. @shape sizes:
 * HIT_MAX_ARGS */
static hit_message_request request_of(const hit_around *around, int rank,
                                      const hit_everyone *all, size_t sizes[])
{
    for (int f = 0; f < around->fields; f++) {
        sizes[f] = around->field[f].size_bytes;
    }
    return (hit_message_request){.rank = rank,
                                 .ranks = all->count,
                                 .layout = around->layout,
                                 .tile = hit_layout_domain(around->layout),
                                 .sizes = sizes,
                                 .direction = HIT_GATHER,
                                 .everyone = all,
                                 .direct = true};
}

/* Each process owns one box, of all fields. */
static hit_status make(const hit_around *around, int rank, const hit_everyone *all,
                       hit_message_plan *plan)
{
    size_t sizes[HIT_MAX_ARGS];
    const hit_message_request request = request_of(around, rank, all, sizes);

    HIT_TRY(hit_message_plan_make(&request, plan));
    for (int t = 0; t < plan->transfers; t++) {
        plan->transfer[t].owner_piece = plan->transfer[t].user_piece;
    }
    return HIT_OK;
}

hit_status hit_message_plan_around(const hit_around *around, int rank,
                                   hit_message_plan *plan)
{
    hit_everyone all = {0};
    hit_status status = set_all(around, &all);

    if (status == HIT_OK) status = make(around, rank, &all, plan);
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
    hit_message_plan plan;

    HIT_TRY(make(around, rank, all, &plan));
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
        size_t sizes[HIT_MAX_ARGS];
        const hit_message_request request = request_of(around, 0, &all, sizes);

        status = hit_everyone_meet(&request, &all);
    }
    for (int p = 0; p < all.count && status == HIT_OK; p++) {
        status = add_rank(around, p, &all, sum);
    }
    hit_everyone_clear(&all);
    return status;
}
