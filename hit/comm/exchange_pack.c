/* SPDX-License-Identifier: MIT
 * Elements on their way into messages and out of them, and those that stay on a process.
 * Of a message whose elements lie in one place, that is the buffer. */
#include "hit/base/trace.h"
#include "hit/comm/comm_impl.h"

#include <string.h>

/* ---- copies ---- */

hit_view hit_exchange_packed(const hit_transfer *transfer, char *message)
{
    return hit_view_make(&transfer->domain, transfer->size_bytes,
                         message + transfer->offset_bytes);
}

/* The address of the elements of @p t in @p view if they are contiguous there, else
 * NULL. */
static char *contiguous(const hit_transfer *t, const hit_view *view,
                        const hit_remap *remap)
{
    const hit_view packed = hit_view_make(&t->domain, t->size_bytes, NULL);
    hit_ndcopy copy;

    if (view->data == NULL) return NULL;
    copy = hit_ndcopy_make(view, &packed, &t->domain, remap);
    return copy.dims == 0 ? view->data + copy.from_offset : NULL;
}

/* A tile that is gone has none. */
static void copy(const hit_sides *sides, const hit_view *from, const hit_view *to,
                 const hit_transfer *t, const hit_remap *remap)
{
    if (from->data == NULL || to->data == NULL) return;
    if (sides->copy != NULL &&
        (remap == NULL || hit_remap_is_identity(remap, t->domain.dims))) {
        sides->copy(sides->caller, from, to, &t->domain);
    } else {
        hit_view_copy(from, to, &t->domain, remap);
    }
}

double hit_exchange_pack_start(const hit_sides *sides)
{
    return sides->pack_s != NULL ? hit_trace_now() : 0;
}

void hit_exchange_pack_end(const hit_sides *sides, double start_s)
{
    if (sides->pack_s != NULL) *sides->pack_s += hit_trace_now() - start_s;
}

/* ---- what goes ---- */

static bool goes(const hit_exchange *x, const hit_transfer *t)
{
    return x->pieces == HIT_EXCHANGE_ALL || (x->pieces >> t->user_piece & 1u) != 0;
}

/* The elements of a message that go lie behind each other; returns their bytes. */
static size_t choose(hit_exchange *x, const hit_message *message)
{
    size_t bytes = 0;

    for (int i = 0; i < message->count; i++) {
        hit_transfer *t = &x->plan.transfer[message->first + i];

        if (!goes(x, t)) continue;
        t->offset_bytes = bytes;
        bytes += (size_t)hit_domain_count(&t->domain) * t->size_bytes;
    }
    return bytes;
}

void hit_exchange_choose(hit_exchange *exchange, uint64_t pieces)
{
    hit_exchange *x = exchange;
    hit_delivery *const send = x->delivery + x->plan.receives;

    if (x->pieces == pieces) return;
    x->pieces = pieces;
    for (int k = 0; k < x->plan.receives; k++) {
        const size_t bytes = choose(x, &x->plan.receive[k]);

        x->delivery[k] = bytes > 0 ? HIT_DELIVER_NEWS : HIT_DELIVER_NONE;
    }
    for (int k = 0; k < x->plan.sends; k++) {
        x->send_bytes[k] = choose(x, &x->plan.send[k]);
        send[k] = x->send_bytes[k] > 0 ? HIT_DELIVER_NEWS : HIT_DELIVER_NONE;
    }
}

/* ---- what stays on this process ---- */

bool hit_exchange_is_in_place(const hit_transfer *transfer, const hit_sides *sides)
{
    if (transfer->constant) return false;
    return sides->owner[transfer->owner_piece].data ==
               sides->user[transfer->user_piece].data &&
           hit_remap_is_identity(&transfer->remap, transfer->domain.dims);
}

hit_status hit_exchange_gather_locally(const hit_exchange *x, const hit_sides *sides)
{
    const bool planned = hit_comm_is_planned(x->comm);
    const double start_s = hit_exchange_pack_start(sides);
    hit_status status = HIT_OK;

    for (int k = 0; k < x->plan.locals && status == HIT_OK; k++) {
        const hit_transfer *t = &x->plan.transfer[k];
        const hit_view *user = &sides->user[t->user_piece];

        if (!goes(x, t) || hit_exchange_is_in_place(t, sides)) continue;
        if (sides->locally != NULL) {
            status = sides->locally(sides->caller, t);
        } else if (t->constant) {
            hit_view_fill(user, &t->domain, sides->constant);
        } else if (!planned) {
            copy(sides, &sides->owner[t->owner_piece], user, t, &t->remap);
        }
    }
    hit_exchange_pack_end(sides, start_s);
    return status;
}

/* ---- messages ---- */

static bool is_alone(const hit_message *message)
{
    return message->count == 1 && message->size_bytes > HIT_FAILED_BYTES;
}

char *hit_exchange_place(const hit_exchange *x, const hit_message *message,
                         const hit_view *user)
{
    const hit_transfer *t = &x->plan.transfer[message->first];

    return is_alone(message) ? contiguous(t, &user[t->user_piece], NULL) : NULL;
}

const char *hit_exchange_pack(const hit_exchange *x, int k, const hit_sides *sides)
{
    const bool gather = x->plan.direction == HIT_GATHER;
    const hit_message *message = &x->plan.send[k];
    const double start_s = hit_exchange_pack_start(sides);
    char *const buffer = sides->buffer + x->send_offset[k];
    char *data = NULL;

    for (int i = 0; i < message->count && data == NULL; i++) {
        const hit_transfer *t = &x->plan.transfer[message->first + i];
        const hit_view *from =
            gather ? &sides->owner[t->owner_piece] : &sides->user[t->user_piece];
        const hit_remap *remap = gather ? &t->remap : NULL;
        hit_view packed;

        if (!goes(x, t)) continue;
        if (is_alone(message)) data = contiguous(t, from, remap);
        if (data != NULL) continue;
        packed = hit_exchange_packed(t, buffer);
        if (from->data == NULL) {
            memset(packed.data, 0, (size_t)hit_domain_count(&t->domain) * t->size_bytes);
        }
        copy(sides, from, &packed, t, remap);
    }
    hit_exchange_pack_end(sides, start_s);
    return data != NULL ? data : buffer;
}

void hit_exchange_unpack(const hit_exchange *x, int k, const hit_sides *sides)
{
    const hit_message *message = &x->plan.receive[k];
    const double start_s = hit_exchange_pack_start(sides);

    if (x->place[k] != sides->buffer + x->receive_offset[k]) {
        return; /* it is in its place */
    }
    for (int i = 0; i < message->count; i++) {
        const hit_transfer *t = &x->plan.transfer[message->first + i];
        hit_view packed;

        if (!goes(x, t)) continue;
        packed = hit_exchange_packed(t, x->place[k]);
        copy(sides, &packed, &sides->user[t->user_piece], t, NULL);
    }
    hit_exchange_pack_end(sides, start_s);
}
