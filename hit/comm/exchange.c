/* SPDX-License-Identifier: MIT
 * The executor of message plans: isend/irecv of contiguous buffers that the library packs
 * (an MPI simulator lacks neighbourhood collectives and pays dearly for derived
 * datatypes). A list of elements that is contiguous in memory is sent from, and received
 * into, its place. */
#include "hit/comm/exchange.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/base/status_impl.h"
#include "hit/base/trace.h"
#include "hit/comm/contents.h"

#include <stdlib.h>
#include <string.h>

/* A message of one byte says that the sender has failed: the shortest whole one has two.
 */
enum {
    FAILED_BYTES = 1
};

struct hit_exchange {
    hit_comm *comm;
    hit_message_plan plan;
    int argument;
    size_t size_bytes;
    size_t buffer_bytes;
    size_t *receive_offset;
    size_t *send_offset;
    char **place; /* of the receives: the buffer, or the user's memory; NULL: it brought
                     nothing */
    int forward;  /* request slots: receives, then sends, then forwards from here */
    int next;
    hit_requests *requests;
    hit_contents contents;
    bool unchanged;    /* what this process gives is what it gave before */
    int failing;       /* a process that could not give what it should; -1: none */
    uint64_t memory;   /* of what is under way; 0: nothing of it stays */
    uint64_t messages; /* sent since they were asked for */
    uint64_t bytes;
};

static size_t whole_bytes(const hit_message *message)
{
    return message->size_bytes > FAILED_BYTES ? message->size_bytes : FAILED_BYTES + 1;
}

/* A long message travels as several. */
static size_t chunks(const hit_message *message)
{
    return (whole_bytes(message) + HIT_COMM_CHUNK_BYTES - 1) / HIT_COMM_CHUNK_BYTES;
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
    size_t total = 0;

    HIT_TRY(hit_memory_zeroed((size_t)plan->receives + 1, sizeof(size_t),
                              &x->receive_offset));
    HIT_TRY(hit_memory_zeroed((size_t)plan->sends + 1, sizeof(size_t), &x->send_offset));
    HIT_TRY(hit_memory_zeroed((size_t)plan->receives + 1, sizeof(char *), &x->place));
    for (int k = 0; k < plan->receives; k++) {
        x->receive_offset[k] = total;
        total += hit_memory_padded(whole_bytes(&plan->receive[k]));
    }
    for (int k = 0; k < plan->sends; k++) {
        x->send_offset[k] = total;
        total += hit_memory_padded(whole_bytes(&plan->send[k]));
    }
    x->buffer_bytes = total;
    x->forward = plan->receives + plan->targets;
    return hit_requests_create(x->comm, (int)count_slots(plan, x->forward), &x->requests);
}

hit_status hit_exchange_create(hit_comm *comm, hit_message_plan *plan, int argument,
                               size_t size_bytes, hit_exchange **exchange)
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
    made->size_bytes = size_bytes;
    status = allocate(made);
    if (status != HIT_OK) {
        hit_exchange_destroy(&made);
        return status;
    }
    *exchange = made;
    return HIT_OK;
}

void hit_exchange_destroy(hit_exchange **exchange)
{
    hit_exchange *x = *exchange;

    if (x == NULL) return;
    hit_requests_destroy(&x->requests);
    free(x->receive_offset);
    free(x->send_offset);
    free(x->place);
    hit_message_plan_clear(&x->plan);
    free(x);
    *exchange = NULL;
}

size_t hit_exchange_buffer_bytes(const hit_exchange *exchange)
{
    return exchange->buffer_bytes;
}

void hit_exchange_count(hit_exchange *exchange, uint64_t *messages, uint64_t *bytes)
{
    *messages += exchange->messages;
    *bytes += exchange->bytes;
    exchange->messages = 0;
    exchange->bytes = 0;
}

const hit_message_plan *hit_exchange_plan(const hit_exchange *exchange)
{
    return &exchange->plan;
}

/* A view of the elements of @p transfer, row-major in a message that starts at @p
 * message. */
static hit_view in_message(const hit_exchange *x, const hit_transfer *transfer,
                           char *message)
{
    return hit_view_make(&transfer->domain, x->size_bytes,
                         message + transfer->offset_bytes);
}

/* The address of the elements of @p transfer in @p view if they are contiguous there,
 * else NULL. */
static char *contiguous(const hit_exchange *x, const hit_transfer *transfer,
                        const hit_view *view, const hit_remap *remap)
{
    const hit_view packed = hit_view_make(&transfer->domain, x->size_bytes, NULL);
    const hit_ndcopy copy = hit_ndcopy_make(view, &packed, &transfer->domain, remap);

    return copy.dims == 0 ? view->data + copy.from_offset : NULL;
}

static void copy_elements(const hit_view *from, const hit_view *to,
                          const hit_domain *domain, const hit_remap *remap)
{
    const hit_ndcopy copy = hit_ndcopy_make(from, to, domain, remap);

    hit_ndcopy_run(&copy, from->data, to->data);
}

/* When what is timed began; 0 where it is not timed. */
static double pack_start(const hit_sides *sides)
{
    return sides->pack_s != NULL ? hit_trace_now() : 0;
}

static void pack_end(const hit_sides *sides, double start_s)
{
    if (sides->pack_s != NULL) *sides->pack_s += hit_trace_now() - start_s;
}

bool hit_exchange_is_in_place(const hit_transfer *transfer, const hit_sides *sides)
{
    if (transfer->constant) return false;
    return sides->owner[transfer->owner_piece].data ==
               sides->user[transfer->user_piece].data &&
           hit_remap_is_identity(&transfer->remap, transfer->domain.dims);
}

static hit_status gather_locally(const hit_exchange *x, const hit_sides *sides)
{
    const double start_s = pack_start(sides);
    hit_status status = HIT_OK;

    for (int k = 0; k < x->plan.locals && status == HIT_OK; k++) {
        const hit_transfer *t = &x->plan.transfer[k];
        const hit_view *user = &sides->user[t->user_piece];

        if (hit_exchange_is_in_place(t, sides)) continue;
        if (sides->locally != NULL) {
            status = sides->locally(sides->caller, t);
        } else if (t->constant) {
            hit_view_fill(user, &t->domain, sides->constant);
        } else {
            copy_elements(&sides->owner[t->owner_piece], user, &t->domain, &t->remap);
        }
    }
    pack_end(sides, start_s);
    return status;
}

/* A message that is shorter than the receiver expects: each of its chunks is. */
static hit_status send_to(hit_exchange *x, const hit_message *message,
                          const hit_target *target, const char *data, size_t size_bytes)
{
    const int tag = target->tag * HIT_MAX_ARGS + x->argument;
    const int slot = x->next++;

    HIT_TRY(hit_requests_send(x->requests, slot, target->rank, tag, data, size_bytes));
    for (size_t k = 1; size_bytes <= FAILED_BYTES && k < chunks(message); k++) {
        HIT_TRY(hit_requests_send(x->requests, slot, target->rank, tag, data, 0));
    }
    return HIT_OK;
}

/* Whatever fails, the others wait for theirs. */
static hit_status send_to_targets(hit_exchange *x, const hit_message *message,
                                  const char *data, size_t size_bytes)
{
    const size_t counted =
        size_bytes > FAILED_BYTES ? message->size_bytes : size_bytes; /* as planned */
    hit_first first;

    hit_first_begin(&first);
    for (int k = 0; k < message->targets; k++) {
        const hit_target *target = &x->plan.target[message->first_target + k];

        hit_first_keep(&first, send_to(x, message, target, data, size_bytes));
        x->messages++;
        x->bytes += counted;
    }
    return hit_first_tell(&first);
}

static hit_status start_receives(hit_exchange *x, char *buffer, const hit_view *into)
{
    hit_first first;

    hit_first_begin(&first);
    x->failing = -1;
    for (int k = 0; k < x->plan.receives; k++) {
        const hit_message *message = &x->plan.receive[k];
        const hit_transfer *t = &x->plan.transfer[message->first];
        const bool alone = message->count == 1 && message->size_bytes > FAILED_BYTES;

        x->place[k] = NULL;
        if (into != NULL && alone) {
            x->place[k] = contiguous(x, t, &into[t->user_piece], NULL);
        }
        if (x->place[k] == NULL) x->place[k] = buffer + x->receive_offset[k];
        hit_first_keep(&first,
                       hit_requests_receive(x->requests, k, message->from,
                                            message->tag * HIT_MAX_ARGS + x->argument,
                                            x->place[k], whole_bytes(message)));
    }
    return hit_first_tell(&first);
}

/* Pack message @p k from the owner's side (a gather) or from the user's, and send it. */
static hit_status send_message(hit_exchange *x, int k, const hit_sides *sides)
{
    const bool gather = x->plan.direction == HIT_GATHER;
    const hit_message *message = &x->plan.send[k];
    const double start_s = pack_start(sides);
    char *const buffer = sides->buffer + x->send_offset[k];
    char *data = NULL;

    if (sides->fails) return send_to_targets(x, message, buffer, FAILED_BYTES);
    if (gather && sides->owner == NULL) return send_to_targets(x, message, buffer, 0);
    for (int i = 0; i < message->count; i++) {
        const hit_transfer *t = &x->plan.transfer[message->first + i];
        const hit_view *from =
            gather ? &sides->owner[t->owner_piece] : &sides->user[t->user_piece];
        const hit_remap *remap = gather ? &t->remap : NULL;
        hit_view packed;

        if (message->count == 1 && message->size_bytes > FAILED_BYTES) {
            data = contiguous(x, t, from, remap);
        }
        if (data != NULL) break;
        packed = in_message(x, t, buffer);
        copy_elements(from, &packed, &t->domain, remap);
    }
    if (data == NULL) data = buffer;
    pack_end(sides, start_s);
    return send_to_targets(x, message, data, whole_bytes(message));
}

static hit_status start_messages(hit_exchange *x, const hit_sides *sides, bool seen)
{
    const bool gather = x->plan.direction == HIT_GATHER;
    hit_first first;

    hit_first_begin(&first);
    hit_requests_reset(x->requests);
    x->next = x->plan.receives;
    hit_first_keep(&first, start_receives(x, sides->buffer, gather ? sides->user : NULL));
    for (int k = 0; k < x->plan.sends; k++) {
        hit_first_keep(&first, seen ? send_to_targets(x, &x->plan.send[k], NULL, 0)
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
        hit_first_keep(&first, gather_locally(x, sides));
    }
    if (first.status != HIT_OK || sides->fails) hit_contents_forget(&x->contents);
    if (x->forward > 0) hit_first_keep(&first, start_messages(x, sides, seen));
    return hit_first_tell(&first);
}

static void unpack(const hit_exchange *x, int k, const hit_sides *sides)
{
    const hit_message *message = &x->plan.receive[k];
    const double start_s = pack_start(sides);

    if (x->place[k] != sides->buffer + x->receive_offset[k]) {
        return; /* it is in its place */
    }
    for (int i = 0; i < message->count; i++) {
        const hit_transfer *t = &x->plan.transfer[message->first + i];
        const hit_view packed = in_message(x, t, x->place[k]);

        copy_elements(&packed, &sides->user[t->user_piece], &t->domain, NULL);
    }
    pack_end(sides, start_s);
}

static void note_failing(hit_exchange *x, int k, size_t received)
{
    if (received == FAILED_BYTES) x->failing = x->plan.receive[k].from;
}

/* What a launch that fails drops, the peers take for sent. */
static void note_received(hit_exchange *x, int k, const hit_sides *sides, size_t received)
{
    note_failing(x, k, received);
    if (received == 0 && hit_contents_misses(&x->contents, x->memory)) {
        x->failing = x->plan.receive[k].from;
    }
    if (received > FAILED_BYTES && sides->user == NULL) {
        hit_contents_miss(&x->contents, x->memory);
    }
}

static hit_status tell_failing(const hit_exchange *x, const hit_sides *sides)
{
    if (x->failing < 0) return HIT_OK;
    return HIT_FAIL(HIT_E_PEER, "tile %s: process %d could not write what it should send",
                    sides->name != NULL ? sides->name : "", x->failing);
}

hit_status hit_exchange_end(hit_exchange *exchange, const hit_sides *sides)
{
    hit_exchange *x = exchange;
    hit_first first;
    int slot = 0;
    int whole = 0;

    if (x->forward == 0) return HIT_OK;
    hit_first_begin(&first);
    for (;;) {
        size_t received;

        HIT_TRY(hit_requests_wait_any(x->requests, &slot));
        if (slot < 0) break;
        if (slot >= x->plan.receives) continue;
        received = hit_requests_received(x->requests, slot);
        note_received(x, slot, sides, received);
        whole += received > FAILED_BYTES && sides->user != NULL;
        hit_first_keep(
            &first, send_to_targets(x, &x->plan.receive[slot], x->place[slot], received));
        if (received > FAILED_BYTES && sides->user != NULL) unpack(x, slot, sides);
        if (received <= FAILED_BYTES) x->place[slot] = NULL;
    }
    if (whole == x->plan.receives) hit_contents_complete(&x->contents, x->memory);
    hit_first_keep(&first, tell_failing(x, sides));
    return hit_first_tell(&first);
}

bool hit_exchange_brought(const hit_exchange *exchange, int receive)
{
    return exchange->place[receive] != NULL;
}

bool hit_exchange_changed(const hit_exchange *exchange)
{
    bool any = !exchange->unchanged;

    for (int k = 0; k < exchange->plan.receives; k++) {
        any = any || hit_exchange_brought(exchange, k);
    }
    return any;
}

/* Put the elements of @p t, packed or at the user, onto the owner's. */
static hit_status put(const hit_transfer *t, const hit_view *from, const hit_view *owner,
                      hit_combine combine, void *context)
{
    if (combine != NULL) return combine(context, owner, from, &t->domain);
    copy_elements(from, owner, &t->domain, NULL);
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
            const hit_view packed = in_message(x, t, x->place[k]);

            HIT_TRY(put(t, &packed, &sides->owner[t->owner_piece], combine, context));
        }
    }
    return local_done ? HIT_OK : put_locally(x, sides, combine, context);
}

static hit_status wait_for_all(hit_exchange *x, const hit_sides *sides)
{
    int slot = 0;

    while (slot >= 0) {
        HIT_TRY(hit_requests_wait_any(x->requests, &slot));
        if (slot < 0 || slot >= x->plan.receives) continue;
        note_failing(x, slot, hit_requests_received(x->requests, slot));
    }
    return tell_failing(x, sides);
}

hit_status hit_exchange_return(hit_exchange *exchange, const hit_sides *sides,
                               hit_combine combine, void *context)
{
    hit_exchange *x = exchange;
    hit_first first;
    double start_s;

    hit_first_begin(&first);
    if (x->forward > 0) {
        hit_first_keep(&first, start_messages(x, sides, false));
        hit_first_keep(&first, wait_for_all(x, sides));
    }
    if (first.status != HIT_OK || sides->fails) return hit_first_tell(&first);
    start_s = pack_start(sides);
    hit_first_keep(&first, put_all(x, sides, combine, context));
    pack_end(sides, start_s);
    return hit_first_tell(&first);
}
