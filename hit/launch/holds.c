/* SPDX-License-Identifier: MIT
 * What processes hold of tiles that others own. It changes with the launches, which are
 * the same on all processes, and where the host writes a tile: of that, only the owner
 * knows, unless the program has promised that the others write at the same place. */
#include "hit/data/hash.h"
#include "hit/launch/launcher.h"
#include "hit/tile/footprint.h"
#include "hit/topo/layout.h"

#include <stdio.h>

enum {
    SHARE = 8,              /* of another one's mean part that a process holds */
    LEAST_BYTES = 16777216, /* and this much in any case */
};

/* Of what each process owns of the tile, on average; less where it may read from many:
 * in a grid of P processes, rows and columns of sqrt(P). */
static size_t most_bytes(const hit_storage *storage)
{
    const hit_layout *layout = storage->layout;
    const hit_domain whole = hit_layout_domain(layout);
    const size_t ranks = (size_t)hit_layout_ranks(layout);
    const size_t part = (size_t)hit_domain_count(&whole) / ranks;
    const size_t most = part / SHARE * storage->type.size_bytes;
    size_t root = 1;

    while ((root + 1) * (root + 1) <= ranks) {
        root++;
    }
    return (most > LEAST_BYTES ? most : LEAST_BYTES) / root;
}

/* In a run it is this process's. */
static void count(void *of, int to, int64_t bytes)
{
    hit_context *context = of;

    (void)to;
    hit_context_holds(context, bytes);
    hit_context_note_held(context);
}

static hit_status reserve(hit_storage *storage, int more)
{
    hit_context *context = storage->context;

    if (storage->held == NULL) {
        const hit_stations *stations = context->stations;
        const bool told = context->footprint != NULL;
        const hit_held_memory planned = {true, told ? hit_footprint_hold : NULL, storage};
        const hit_held_memory here = {false, count, context};

        HIT_TRY(hit_held_create(most_bytes(storage),
                                &stations->over[hit_source_of_tasks(stations)],
                                storage->reserves ? &planned : &here, &storage->held));
    }
    return hit_held_reserve(storage->held, more);
}

/* What others think this process has cannot be forgotten: a failure must last. */
hit_status hit_holds_reserve(hit_storage *storage, int more)
{
    return reserve(storage, more) == HIT_OK ? HIT_OK : reserve(storage, more);
}

bool hit_holds_promised(const hit_context *context, const hit_storage *storage)
{
    return context->launcher->promise != 0 && storage->shared_out;
}

hit_held_box *hit_holds_find(const hit_call *call, const hit_use *use)
{
    const hit_message_plan *plan = hit_exchange_plan(use->gather);
    const hit_message *message = &plan->receive[0];
    const hit_storage *storage = call->args[use->arg].tile->storage;
    const int number = hit_held_find(storage->held, message->from, call->context->rank,
                                     &plan->transfer[message->first].domain);
    hit_held_box *box = number < 0 ? NULL : hit_held_at(storage->held, number);

    if (box == NULL || box->memory == NULL) return NULL;
    return use->user[0].data == box->memory ? box : NULL;
}

bool hit_holds_all(const hit_call *call, const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (use->piece[0] >= 0 || hit_mode_reduces(use->mode)) continue;
        if (hit_holds_find(call, use) == NULL) return false;
    }
    return true;
}

/* What the program wrote before a launch, as all processes do by its promise. */
typedef struct written {
    const hit_call *call;
    const hit_storage *first; /* NULL: nothing */
    uint64_t mark;
} written;

static uint64_t mark_written(const void *of)
{
    const written *w = of;

    return w->mark;
}

static void say_written(const void *of, char *text, size_t size)
{
    const written *w = of;

    (void)snprintf(text, size,
                   "launch %llu, of kernel %s, with tile %s written before it",
                   (unsigned long long)w->call->context->launcher->launches,
                   w->call->kernel->name, w->first->name);
}

/* The host has written the tile, or the program has promised something else: then what
 * was written before does not matter. */
static void begin_anew(hit_storage *storage, written *w)
{
    const hit_context *context = w->call->context;
    const bool new_promise = storage->held_promise != context->launcher->promise;
    const bool promised = hit_holds_promised(context, storage);

    storage->held_looks = storage->looks;
    storage->held_promise = context->launcher->promise;
    if (promised && !new_promise) {
        if (w->first == NULL) w->first = storage;
        w->mark = hit_hash_word(w->mark, storage->number);
    }
    if (promised || new_promise) hit_held_clear(storage->held);
}

/* A process that wrote alone would wait for messages that others do not send. */
static hit_status compare(const written *w)
{
    const hit_launcher *launcher = w->call->context->launcher;

    if (w->first == NULL || !launcher->holds) return HIT_OK;
    return hit_comm_agree_on(w->call->context->comm, HIT_OK,
                             &(hit_comm_call){mark_written, say_written, w});
}

hit_status hit_holds_begin(const hit_call *call)
{
    const hit_launcher *launcher = call->context->launcher;
    written w = {.call = call, .mark = launcher->launches};

    for (int k = 0; k < call->count; k++) {
        hit_storage *storage =
            call->args[k].tile != NULL ? call->args[k].tile->storage : NULL;

        if (storage == NULL || (storage->held_looks == storage->looks &&
                                storage->held_promise == launcher->promise)) {
            continue;
        }
        begin_anew(storage, &w);
    }
    return compare(&w);
}

void hit_holds_end(const hit_call *call, const hit_known_kernel *known)
{
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;
        hit_domain box;

        if (tile == NULL || tile->storage->held == NULL) continue;
        if (known->kernel->arg[k].mode != HIT_MODE_IN &&
            !hit_domain_is_empty(&call->domain)) {
            hit_pattern_find_cover(&known->writes[k], &tile->domain, &call->domain, &box);
            hit_held_written(tile->storage->held, &box);
        }
        hit_held_trim(tile->storage->held);
    }
}
