/* SPDX-License-Identifier: MIT
 * Returns: what users wrote, or added to, goes back to the owners, in ascending order of
 * ranks, so that sums have the same bits in every run. */
#include "hit/base/status_impl.h"
#include "hit/comm/comm_impl.h"

/* Put the elements of @p t, packed or at the user, onto the owner's. */
static hit_status put(const hit_transfer *t, const hit_view *from, const hit_view *owner,
                      hit_combine combine, void *context)
{
    if (combine != NULL) return combine(context, owner, from, &t->domain);
    hit_view_copy(from, owner, &t->domain, NULL);
    return HIT_OK;
}

static hit_status put_locally(const hit_exchange *x, const hit_sides *sides,
                              hit_combine combine, void *context)
{
    for (int k = 0; k < x->plan.locals; k++) {
        const hit_transfer *t = &x->plan.transfer[k];
        const hit_view *user = &sides->user[t->user_piece];
        const hit_view *owner = &sides->owner[t->owner_piece];

        if (owner->data == user->data) continue;
        HIT_TRY(put(t, user, owner, combine, context));
    }
    return HIT_OK;
}

/* What was received, and what this process has for itself, in ascending order of ranks.
 */
static hit_status put_all(const hit_exchange *x, const hit_sides *sides,
                          hit_combine combine, void *context)
{
    const int me = hit_comm_rank(x->comm);
    bool local_done = false;

    for (int k = 0; k < x->plan.receives; k++) {
        const hit_message *message = &x->plan.receive[k];

        if (!local_done && message->from > me) {
            HIT_TRY(put_locally(x, sides, combine, context));
            local_done = true;
        }
        for (int i = 0; i < message->count; i++) {
            const hit_transfer *t = &x->plan.transfer[message->first + i];
            const hit_view packed = hit_exchange_packed(t, x->place[k]);

            HIT_TRY(put(t, &packed, &sides->owner[t->owner_piece], combine, context));
        }
    }
    return local_done ? HIT_OK : put_locally(x, sides, combine, context);
}

static hit_status wait_for_all(hit_exchange *x, const hit_sides *sides)
{
    size_t received;
    int k;

    do {
        HIT_TRY(hit_exchange_next(x, &k, &received));
    } while (k >= 0);
    return hit_exchange_tell_failing(x, sides);
}

hit_status hit_exchange_return(hit_exchange *exchange, const hit_sides *sides,
                               hit_combine combine, void *context)
{
    hit_exchange *x = exchange;
    hit_first first;
    double start_s;

    if (hit_comm_is_planned(x->comm)) return hit_exchange_start(x, sides, false);
    hit_first_begin(&first);
    if (x->forward > 0) {
        hit_first_keep(&first, hit_exchange_start(x, sides, false));
        hit_first_keep(&first, wait_for_all(x, sides));
    }
    if (first.status != HIT_OK || sides->fails) return hit_first_tell(&first);
    start_s = hit_exchange_pack_start(sides);
    hit_first_keep(&first, put_all(x, sides, combine, context));
    hit_exchange_pack_end(sides, start_s);
    return hit_first_tell(&first);
}
