/* SPDX-License-Identifier: MIT
 * Messages of a launch that bring boxes which their receivers hold: which of them go, and
 * where a box lies. Sender and receiver say the same; docs/decisions has why. */
#include "hit/launch/launch_plan.h"
#include "hit/run/run_impl.h"

/* The one transfer of a message that brings a box. */
static const hit_domain *box_of(const hit_use *use, const hit_message *message)
{
    return &hit_exchange_plan(use->gather)->transfer[message->first].domain;
}

static int receiver_of(const hit_use *use, const hit_message *message)
{
    return hit_exchange_plan(use->gather)->target[message->first_target].rank;
}

/* The number of the box that message @p message gives; -1: its receiver has it not. */
static int find_given(const hit_runner *r, const hit_use *use, const hit_message *message)
{
    return hit_held_find(hit_use_storage(use, r->call)->held, r->call->context->rank,
                         receiver_of(use, message), box_of(use, message));
}

static void set_sends(const hit_runner *r, const hit_use *use, bool promised)
{
    const hit_message_plan *plan = hit_exchange_plan(use->gather);
    const hit_storage *storage = hit_use_storage(use, r->call);

    for (int k = 0; k < plan->sends; k++) {
        hit_delivery how = HIT_DELIVER_ANEW;
        int number;

        if (!plan->send[k].one_box) continue;
        number = find_given(r, use, &plan->send[k]);
        if (number >= 0 && promised) {
            how = HIT_DELIVER_NONE;
        } else if (number >= 0 &&
                   hit_held_at(storage->held, number)->looks == storage->looks) {
            how = HIT_DELIVER_EMPTY;
        }
        hit_exchange_set_send(use->gather, k, how);
    }
}

/* The failures of tasks that read a box are not those of this launch. */
static void wait_for_keeper(const hit_runner *r, uint64_t task)
{
    const hit_keeper *keeper = &r->stations->keeper;

    if (keeper->self == NULL) return;
    hit_stations_keep_failure(r->stations, keeper->reach(keeper->self, task));
}

/* Tasks that read a box are logged as if it were in the tile. */
static void wait_for_readers(const hit_runner *r, const hit_use *use,
                             const hit_held_box *box)
{
    wait_for_keeper(r, box->event);
    hit_stations_keep_failure(
        r->stations,
        hit_storage_wait_for_tasks(hit_use_storage(use, r->call), 0, &box->box, true));
}

/* Of a box that this process will hold, or holds. The kernel finds it where it is held,
 * if the box is all that is around what it needs; without memory it is there for this
 * launch only. */
static void set_receive(const hit_runner *r, const hit_use *use, bool promised, bool room)
{
    const hit_message *message = &hit_exchange_plan(use->gather)->receive[0];
    const hit_transfer *t = &hit_exchange_plan(use->gather)->transfer[message->first];
    hit_held *held = hit_use_storage(use, r->call)->held;
    const int me = r->call->context->rank;
    int number = hit_held_find(held, message->from, me, &t->domain);
    const bool known = number >= 0;
    hit_held_box *box;

    if (!known && !room) { /* the launch fails: what comes is dropped */
        hit_exchange_set_receive(use->gather, 0, HIT_DELIVER_ANEW, NULL);
        return;
    }
    if (!known) {
        number = hit_held_add(held, message->from, me, &t->domain, message->size_bytes);
    }
    box = hit_held_at(held, number);
    if (known && !promised) wait_for_readers(r, use, box);
    if (!known || !promised) (void)hit_held_take_memory(held, number);
    if (box->memory != NULL && hit_domain_equal(&use->need[t->user_piece], &t->domain)) {
        use->user[t->user_piece] = hit_view_make(
            &t->domain, hit_use_storage(use, r->call)->type.size_bytes, box->memory);
    }
    hit_exchange_set_receive(use->gather, 0,
                             known && promised ? HIT_DELIVER_NONE : HIT_DELIVER_ANEW,
                             box->memory);
}

hit_status hit_runner_begin_holds(const hit_runner *r, const hit_use *use)
{
    hit_storage *storage = hit_use_storage(use, r->call);
    const bool promised = hit_holds_promised(r->call->context, storage);

    const hit_status status =
        hit_holds_reserve(storage, hit_exchange_plan(use->gather)->sends + 1);

    if (storage->held != NULL && hit_held_is_behind(storage->held)) {
        wait_for_keeper(r, UINT64_MAX);
        hit_stations_keep_failure(r->stations, hit_tasks_wait_all(r->stations->tasks));
    }
    set_sends(r, use, promised);
    if (use->has) set_receive(r, use, promised, status == HIT_OK);
    return status;
}

void hit_runner_note_given(const hit_runner *r, const hit_use *use, bool fails)
{
    const hit_message_plan *plan = hit_exchange_plan(use->gather);
    hit_storage *storage = hit_use_storage(use, r->call);

    for (int k = 0; k < plan->sends; k++) {
        const hit_message *message = &plan->send[k];
        int number;

        if (!message->one_box) continue;
        if (hit_exchange_delivery(use->gather, k) == HIT_DELIVER_NONE) continue;
        number = find_given(r, use, message);
        if (fails) {
            if (number >= 0) hit_held_remove(storage->held, number);
            continue;
        }
        if (number < 0) {
            number = hit_held_add(storage->held, r->call->context->rank,
                                  receiver_of(use, message), box_of(use, message),
                                  message->size_bytes);
        }
        hit_held_at(storage->held, number)->looks = storage->looks;
    }
}

void hit_runner_note_reader(const hit_runner *r, uint64_t task)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        hit_held_box *box = use->has ? hit_holds_find(r->call, use) : NULL;

        if (box != NULL) box->event = task;
    }
}

/* A box that came and could not be held, and that does not come again. */
static hit_status tell_lacking(const hit_runner *r, const hit_use *use)
{
    return HIT_FAIL(
        HIT_E_NOMEM,
        "tile %s: there was no memory to hold a box of another process, which "
        "sent it once",
        hit_use_storage(use, r->call)->name);
}

/* To where the kernel looks for it, if that is elsewhere. */
static void copy_box(const hit_runner *r, const hit_use *use, const hit_held_box *box)
{
    const hit_message *message = &hit_exchange_plan(use->gather)->receive[0];
    const hit_transfer *t = &hit_exchange_plan(use->gather)->transfer[message->first];
    const hit_view *to = &use->user[t->user_piece];
    hit_view from;

    if (box->memory == NULL || to->data == box->memory) return;
    from = hit_view_make(&t->domain, hit_use_storage(use, r->call)->type.size_bytes,
                         box->memory);
    hit_view_copy(&from, to, &t->domain, NULL);
}

hit_status hit_runner_note_received(const hit_runner *r, const hit_use *use)
{
    const hit_message *message = &hit_exchange_plan(use->gather)->receive[0];
    hit_held *held = hit_use_storage(use, r->call)->held;
    const hit_brought brought = hit_exchange_brought(use->gather, 0);
    const int number =
        hit_held_find(held, message->from, r->call->context->rank, box_of(use, message));
    hit_held_box *box;

    if (number < 0) return HIT_OK;
    box = hit_held_at(held, number);
    if (brought == HIT_BROUGHT_FAILURE) {
        hit_held_remove(held, number);
        return HIT_OK;
    }
    if (brought == HIT_BROUGHT_NOTHING && !box->there) return tell_lacking(r, use);
    box->there = box->memory != NULL;
    if (brought == HIT_BROUGHT_ELEMENTS) box->content = ++r->launcher->stamps;
    if (!r->fails && !hit_use_storage(use, r->call)->reserves) copy_box(r, use, box);
    return HIT_OK;
}
