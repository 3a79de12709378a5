/* SPDX-License-Identifier: MIT
 * The end of an exchange that is repeated until somebody has a reason to stop: it may be
 * known to one process alone. The others wait for its messages, so these tell them. What
 * two processes send each other ends with one such message from each of them; so nothing
 * is left under way. */
#include "hit/base/status_impl.h"
#include "hit/comm/comm_impl.h"

static bool receives_from(const hit_message_plan *plan, int rank)
{
    int k = 0;

    while (k < plan->receives && plan->receive[k].from != rank) {
        k++;
    }
    return k < plan->receives;
}

static bool sends_to(const hit_message_plan *plan, int rank)
{
    for (int k = 0; k < plan->sends; k++) {
        const hit_message *message = &plan->send[k];

        for (int t = 0; t < message->targets; t++) {
            if (plan->target[message->first_target + t].rank == rank) return true;
        }
    }
    return false;
}

bool hit_exchange_goes_both_ways(const hit_exchange *exchange)
{
    const hit_message_plan *plan = &exchange->plan;

    for (int k = 0; k < plan->receives; k++) {
        if (!sends_to(plan, plan->receive[k].from)) return false;
    }
    for (int k = 0; k < plan->sends; k++) {
        const hit_message *message = &plan->send[k];

        for (int t = 0; t < message->targets; t++) {
            const int rank = plan->target[message->first_target + t].rank;

            if (!receives_from(plan, rank)) return false;
        }
    }
    return true;
}

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

/* From all that have not left; how many messages these are. */
static int receive_more(hit_exchange *x, char *buffer, hit_first *first)
{
    int count = 0;

    for (int k = 0; k < x->plan.receives; k++) {
        if (x->brought[k] == HIT_BROUGHT_LEAVE) continue;
        x->place[k] = buffer + x->receive_offset[k];
        hit_first_keep(first, hit_exchange_receive(x, k));
        count++;
    }
    return count;
}

static hit_status wait_for_these(hit_exchange *x)
{
    int slot = 0;

    for (;;) {
        HIT_TRY(hit_requests_wait_any(x->requests, &slot));
        if (slot < 0) return HIT_OK;
        if (slot >= x->plan.receives) continue;
        hit_exchange_note_brought(x, slot, hit_requests_received(x->requests, slot));
    }
}

hit_status hit_exchange_leave_begin(hit_exchange *exchange, char *buffer)
{
    hit_exchange *x = exchange;
    hit_first first;

    hit_first_begin(&first);
    hit_requests_reset(x->requests);
    x->next = x->plan.receives;
    (void)receive_more(x, buffer, &first);
    say_so(x, buffer, &first);
    return hit_first_tell(&first);
}

hit_status hit_exchange_leave_end(hit_exchange *exchange, char *buffer)
{
    hit_exchange *x = exchange;
    int more = x->plan.receives;
    hit_first first;

    hit_first_begin(&first);
    while (first.status == HIT_OK && more > 0) {
        hit_first_keep(&first, wait_for_these(x));
        hit_requests_reset(x->requests);
        more = receive_more(x, buffer, &first);
    }
    for (int k = 0; k < x->plan.receives; k++) {
        x->brought[k] = HIT_BROUGHT_NOTHING;
    }
    return hit_first_tell(&first);
}
