/* SPDX-License-Identifier: MIT
 * The executor of message plans: isend/irecv of contiguous buffers that the library packs
 * (an MPI simulator lacks neighbourhood collectives and pays dearly for derived
 * datatypes). A list of elements that is contiguous in memory is sent from, and received
 * into, its place. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/base/status_impl.h"
#include "hit/base/trace.h"
#include "hit/comm/comm_impl.h"

#include <stdlib.h>

/* The shortest message is longer than one that says something else. */
static size_t padded(size_t size_bytes)
{
    return size_bytes > HIT_FAILED_BYTES ? size_bytes : HIT_FAILED_BYTES + 1;
}

size_t hit_exchange_whole_bytes(const hit_message *message)
{
    return padded(message->size_bytes);
}

static size_t chunks_of(size_t size_bytes)
{
    return (size_bytes + HIT_COMM_CHUNK_BYTES - 1) / HIT_COMM_CHUNK_BYTES;
}

/* A long message travels as several. */
static size_t chunks(const hit_message *message)
{
    return chunks_of(hit_exchange_whole_bytes(message));
}

/* Slots for all, and for the further chunks of each: what was made needs no more memory.
 */
static size_t count_slots(const hit_message_plan *plan, int forward)
{
    size_t slots = (size_t)forward;

    for (int k = 0; k < plan->receives; k++) {
        slots += (chunks(&plan->receive[k]) - 1) * (1 + (size_t)plan->receive[k].targets);
    }
    for (int k = 0; k < plan->sends; k++) {
        slots += (chunks(&plan->send[k]) - 1) * (size_t)plan->send[k].targets;
    }
    return slots;
}

static hit_status allocate(hit_exchange *x)
{
    const hit_message_plan *plan = &x->plan;
    const size_t receives = (size_t)plan->receives;
    const size_t sends = (size_t)plan->sends;
    hit_arrays *all = &x->arrays;
    size_t total = 0;

    HIT_TRY(HIT_TAKE(all, receives, x->receive_offset));
    HIT_TRY(HIT_TAKE(all, sends, x->send_offset));
    HIT_TRY(HIT_TAKE(all, sends, x->send_bytes));
    HIT_TRY(HIT_TAKE(all, receives, x->place));
    HIT_TRY(HIT_TAKE(all, receives, x->own_place));
    HIT_TRY(HIT_TAKE(all, receives, x->brought));
    HIT_TRY(HIT_TAKE(all, receives + sends, x->delivery));
    for (int k = 0; k < plan->receives; k++) {
        x->receive_offset[k] = total;
        total += hit_memory_padded(hit_exchange_whole_bytes(&plan->receive[k]));
    }
    for (int k = 0; k < plan->sends; k++) {
        x->send_offset[k] = total;
        x->send_bytes[k] = plan->send[k].size_bytes;
        total += hit_memory_padded(hit_exchange_whole_bytes(&plan->send[k]));
    }
    x->buffer_bytes = total;
    x->forward = plan->receives + plan->targets;
    x->pieces = HIT_EXCHANGE_ALL;
    return hit_requests_create(x->comm, (int)count_slots(plan, x->forward), &x->requests);
}

hit_status hit_exchange_create(hit_comm *comm, hit_message_plan *plan, int argument,
                               hit_exchange **exchange)
{
    hit_exchange *made;
    hit_status status = hit_memory_zeroed(1, sizeof *made, &made);

    if (status != HIT_OK) {
        hit_message_plan_clear(plan);
        return status;
    }
    made->comm = comm;
    made->plan = *plan;
    *plan = (hit_message_plan){0};
    made->argument = argument;
    status = allocate(made);
    if (status != HIT_OK) hit_exchange_destroy(&made);
    *exchange = made;
    return status;
}

void hit_exchange_destroy(hit_exchange **exchange)
{
    hit_exchange *x = *exchange;

    if (x == NULL) return;
    hit_requests_destroy(&x->requests);
    hit_arrays_free(&x->arrays);
    hit_message_plan_clear(&x->plan);
    free(x);
    *exchange = NULL;
}

size_t hit_exchange_buffer_bytes(const hit_exchange *exchange)
{
    return exchange->buffer_bytes;
}

void hit_exchange_count(hit_exchange *exchange, hit_sent *sent)
{
    sent->messages += exchange->sent.messages;
    sent->empty += exchange->sent.empty;
    sent->bytes += exchange->sent.bytes;
    exchange->sent = (hit_sent){0};
}

void hit_exchange_set_send(hit_exchange *exchange, int k, hit_delivery how)
{
    exchange->delivery[exchange->plan.receives + k] = how;
}

void hit_exchange_set_receive(hit_exchange *exchange, int k, hit_delivery how,
                              char *place)
{
    exchange->delivery[k] = how;
    exchange->own_place[k] = place;
}

const hit_message_plan *hit_exchange_plan(const hit_exchange *exchange)
{
    return &exchange->plan;
}

hit_delivery hit_exchange_delivery(const hit_exchange *exchange, int k)
{
    return exchange->delivery[exchange->plan.receives + k];
}

bool hit_exchange_waits(const hit_exchange *exchange)
{
    int k = 0;

    while (k < exchange->plan.receives && exchange->delivery[k] == HIT_DELIVER_NONE) {
        k++;
    }
    return k < exchange->plan.receives;
}

/* A message that is shorter than the receiver expects has as many chunks. */
hit_status hit_exchange_send_to(hit_exchange *x, const hit_message *message,
                                const hit_target *target, const char *data,
                                size_t size_bytes)
{
    const int tag = target->tag * HIT_MAX_ARGS + x->argument;
    const int slot = x->next++;

    HIT_TRY(hit_requests_send(x->requests, slot, target->rank, tag, data, size_bytes));
    for (size_t k = chunks_of(padded(size_bytes)); k < chunks(message); k++) {
        HIT_TRY(hit_requests_send(x->requests, slot, target->rank, tag, data, 0));
    }
    return HIT_OK;
}

/* Whatever fails, the others wait for theirs. @p counted: without what makes it longer
 * than planned */
static hit_status send_to_targets(hit_exchange *x, const hit_message *message,
                                  const char *data, size_t size_bytes, size_t counted)
{
    hit_first first;

    hit_first_begin(&first);
    for (int k = 0; k < message->targets; k++) {
        const hit_target *target = &x->plan.target[message->first_target + k];

        hit_first_keep(&first,
                       hit_exchange_send_to(x, message, target, data, size_bytes));
        x->sent.messages++;
        x->sent.empty += size_bytes == 0;
        x->sent.bytes += counted;
    }
    return hit_first_tell(&first);
}

/* On to the others that get the same. */
static hit_status forward(hit_exchange *x, int k, size_t received)
{
    const hit_message *message = &x->plan.receive[k];

    return send_to_targets(x, message, x->place[k], received,
                           received > HIT_FAILED_BYTES ? message->size_bytes : received);
}

hit_status hit_exchange_receive(hit_exchange *x, int k)
{
    const hit_message *message = &x->plan.receive[k];

    return hit_requests_receive(x->requests, k, message->from,
                                message->tag * HIT_MAX_ARGS + x->argument, x->place[k],
                                hit_exchange_whole_bytes(message));
}

static hit_status start_receives(hit_exchange *x, char *buffer, const hit_view *into)
{
    hit_first first;

    hit_first_begin(&first);
    x->failing = -1;
    for (int k = 0; k < x->plan.receives; k++) {
        x->brought[k] = HIT_BROUGHT_NOTHING;
        if (x->delivery[k] == HIT_DELIVER_NONE) continue;
        x->place[k] = x->own_place[k];
        if (x->place[k] == NULL && into != NULL) {
            x->place[k] = hit_exchange_place(x, &x->plan.receive[k], into);
        }
        if (x->place[k] == NULL) x->place[k] = buffer + x->receive_offset[k];
        hit_first_keep(&first, hit_exchange_receive(x, k));
    }
    return hit_first_tell(&first);
}

/* What it has for its user, a gather, or for its owner. */
static hit_status send_message(hit_exchange *x, int k, const hit_sides *sides)
{
    const hit_message *message = &x->plan.send[k];
    const size_t bytes = x->send_bytes[k];
    char *const buffer = sides->buffer + x->send_offset[k];
    const bool gather = x->plan.direction == HIT_GATHER;

    if (sides->fails) {
        buffer[0] = HIT_SAYS_FAILED;
        return send_to_targets(x, message, buffer, HIT_FAILED_BYTES, HIT_FAILED_BYTES);
    }
    if (gather && sides->owner == NULL) return send_to_targets(x, message, buffer, 0, 0);
    return send_to_targets(x, message, hit_exchange_pack(x, k, sides), padded(bytes),
                           bytes);
}

/* Was what it has sent before, whose content was @p seen? */
static bool is_empty(hit_delivery how, bool seen)
{
    return how == HIT_DELIVER_EMPTY || (how == HIT_DELIVER_NEWS && seen);
}

/* In a dry run nobody is there: the others send what this process would in their place.
 */
static void foretell(hit_exchange *x, bool seen)
{
    const int receives = x->plan.receives;

    x->failing = -1;
    for (int k = 0; k < receives + x->plan.sends; k++) {
        const hit_message *message =
            k < receives ? &x->plan.receive[k] : &x->plan.send[k - receives];
        const uint64_t targets = (uint64_t)message->targets;
        const bool goes = x->delivery[k] != HIT_DELIVER_NONE;
        const bool comes = goes && !is_empty(x->delivery[k], seen);

        if (k < receives) {
            x->brought[k] = comes ? HIT_BROUGHT_ELEMENTS : HIT_BROUGHT_NOTHING;
        }
        x->sent.messages += goes ? targets : 0;
        x->sent.empty += goes && !comes ? targets : 0;
        x->sent.bytes += comes ? targets * message->size_bytes : 0;
    }
}

hit_status hit_exchange_start(hit_exchange *x, const hit_sides *sides, bool seen)
{
    const bool gather = x->plan.direction == HIT_GATHER;
    hit_first first;

    if (hit_comm_is_planned(x->comm)) {
        foretell(x, seen);
        return HIT_OK;
    }
    hit_first_begin(&first);
    hit_requests_reset(x->requests);
    x->next = x->plan.receives;
    hit_first_keep(&first, start_receives(x, sides->buffer, gather ? sides->user : NULL));
    for (int k = 0; k < x->plan.sends; k++) {
        const hit_delivery how = x->delivery[x->plan.receives + k];

        if (how == HIT_DELIVER_NONE) continue;
        hit_first_keep(&first, is_empty(how, seen) && !sides->fails
                                   ? send_to_targets(x, &x->plan.send[k], NULL, 0, 0)
                                   : send_message(x, k, sides));
    }
    return hit_first_tell(&first);
}

hit_status hit_exchange_begin(hit_exchange *exchange, const hit_sides *sides,
                              const hit_content *content)
{
    hit_exchange *x = exchange;
    const bool seen = hit_contents_seen(&x->contents, content) && !sides->fails;
    hit_first first;

    x->unchanged = seen;
    hit_first_begin(&first); /* whatever happens: the peers wait for messages */
    x->memory = content != NULL ? content->memory : 0;
    if (!seen && !sides->fails && sides->owner != NULL) {
        hit_first_keep(&first, hit_exchange_gather_locally(x, sides));
    }
    if (first.status != HIT_OK || sides->fails) hit_contents_forget(&x->contents);
    if (x->forward > 0) hit_first_keep(&first, hit_exchange_start(x, sides, seen));
    return hit_first_tell(&first);
}

hit_status hit_exchange_next(hit_exchange *x, int *k, size_t *received)
{
    do {
        HIT_TRY(hit_requests_wait_any(x->requests, k));
    } while (*k >= x->plan.receives);
    if (*k < 0) return HIT_OK;
    *received = hit_requests_received(x->requests, *k);
    x->brought[*k] =
        *received > HIT_FAILED_BYTES ? HIT_BROUGHT_ELEMENTS : HIT_BROUGHT_NOTHING;
    if (*received != HIT_FAILED_BYTES) return HIT_OK;
    x->failing = x->plan.receive[*k].from;
    x->brought[*k] =
        x->place[*k][0] == HIT_SAYS_LEFT ? HIT_BROUGHT_LEAVE : HIT_BROUGHT_FAILURE;
    return HIT_OK;
}

/* What a launch that fails drops, the peers take for sent. */
static void note_news(hit_exchange *x, int k, const hit_sides *sides, size_t received)
{
    if (x->delivery[k] != HIT_DELIVER_NEWS) return; /* the receiver holds it */
    if (received == 0 && hit_contents_misses(&x->contents, x->memory)) {
        x->failing = x->plan.receive[k].from;
    }
    if (received > HIT_FAILED_BYTES && sides->user == NULL) {
        hit_contents_miss(&x->contents, x->memory);
    }
}

hit_status hit_exchange_tell_failing(const hit_exchange *x, const hit_sides *sides)
{
    if (x->failing < 0) return HIT_OK;
    return HIT_FAIL(HIT_E_PEER, "tile %s: process %d could not write what it should send",
                    sides->name != NULL ? sides->name : "", x->failing);
}

hit_status hit_exchange_end(hit_exchange *exchange, const hit_sides *sides)
{
    hit_exchange *x = exchange;
    hit_first first;
    int whole = 0;
    int k;

    if (x->forward == 0 || hit_comm_is_planned(x->comm)) return HIT_OK;
    hit_first_begin(&first);
    for (;;) {
        size_t received;

        HIT_TRY(hit_exchange_next(x, &k, &received));
        if (k < 0) break;
        note_news(x, k, sides, received);
        hit_first_keep(&first, forward(x, k, received));
        if (received <= HIT_FAILED_BYTES || sides->user == NULL) continue;
        hit_exchange_unpack(x, k, sides);
        whole++;
    }
    if (whole == x->plan.receives) hit_contents_complete(&x->contents, x->memory);
    hit_first_keep(&first, hit_exchange_tell_failing(x, sides));
    return hit_first_tell(&first);
}

hit_brought hit_exchange_brought(const hit_exchange *exchange, int receive)
{
    return exchange->brought[receive];
}

bool hit_exchange_copied(const hit_exchange *exchange)
{
    return !exchange->unchanged;
}

bool hit_exchange_changed(const hit_exchange *exchange)
{
    bool any = hit_exchange_copied(exchange);

    for (int k = 0; k < exchange->plan.receives; k++) {
        any = any || exchange->brought[k] == HIT_BROUGHT_ELEMENTS;
    }
    return any;
}
