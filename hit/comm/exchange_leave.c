/* SPDX-License-Identifier: MIT
 * The end of an exchange that is repeated until somebody has a reason to stop: it may be
 * known to one process alone. The others wait for its messages, so these tell them. What
 * one process sends another ends with one such message, so that nothing is left under
 * way. */
#include "hit/base/status_impl.h"
#include "hit/comm/comm_impl.h"

bool hit_exchange_was_left(const hit_exchange *exchange)
{
    int k = 0;

    while (k < exchange->plan.receives && exchange->brought[k] != HIT_BROUGHT_LEAVE) {
        k++;
    }
    return k < exchange->plan.receives;
}

static void say_so(hit_exchange *x, char *buffer, hit_first *first)
{
    for (int k = 0; k < x->plan.sends; k++) {
        const hit_message *message = &x->plan.send[k];
        char *const says = buffer + x->send_offset[k];

        says[0] = HIT_SAYS_LEFT;
        for (int t = 0; t < message->targets; t++) {
            const hit_target *target = &x->plan.target[message->first_target + t];

            hit_first_keep(
                first, hit_exchange_send_to(x, message, target, says, HIT_FAILED_BYTES));
        }
    }
}

hit_status hit_exchange_leave_begin(hit_exchange *exchange, char *buffer)
{
    hit_exchange *x = exchange;
    hit_first first;

    hit_first_begin(&first);
    hit_requests_reset(x->requests);
    x->next = x->plan.receives;
    for (int k = 0; k < x->plan.receives; k++) {
        if (x->brought[k] == HIT_BROUGHT_LEAVE) continue;
        x->place[k] = buffer + x->receive_offset[k];
        hit_first_keep(&first, hit_exchange_receive(x, k));
    }
    say_so(x, buffer, &first);
    return hit_first_tell(&first);
}

/* A sender may wait until what it has sent is received: so what was dropped is asked for
 * again at once. */
hit_status hit_exchange_leave_end(hit_exchange *exchange)
{
    hit_exchange *x = exchange;
    size_t received;
    int next;

    for (;;) {
        HIT_TRY(hit_exchange_next(x, &next, &received));
        if (next < 0) break;
        if (x->brought[next] != HIT_BROUGHT_LEAVE) HIT_TRY(hit_exchange_receive(x, next));
    }
    for (int k = 0; k < x->plan.receives; k++) {
        x->brought[k] = HIT_BROUGHT_NOTHING;
    }
    return HIT_OK;
}
