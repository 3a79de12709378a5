/* SPDX-License-Identifier: MIT
 * What all processes hold, in a dry run: the lists of the tiles have the boxes of all of
 * them, and change with the launches as they do in a run. */
#include "hit/dry/dry_impl.h"
#include "hit/tile/footprint.h"

/* *sent: false if it brings nothing that is not there. */
static hit_status note_box(const hit_call *call, const hit_preview_message *one,
                           hit_sent *less, bool *sent)
{
    hit_storage *storage = call->args[one->arg].tile->storage;
    const bool promised = hit_holds_promised(call->context, storage);
    int number;

    HIT_TRY(hit_holds_reserve(storage, 1));
    number = hit_held_find(storage->held, one->from, one->to, &one->box);
    if (number < 0) {
        number =
            hit_held_add(storage->held, one->from, one->to, &one->box, one->size_bytes);
    } else if (promised) {
        less->messages++;
        less->bytes += one->size_bytes;
        *sent = false;
    } else if (hit_held_at(storage->held, number)->looks == storage->looks) {
        less->empty++;
        less->bytes += one->size_bytes;
        *sent = false;
    }
    hit_held_at(storage->held, number)->looks = storage->looks;
    if (hit_footprint_number(call->context->footprint, one->to) < 0) return HIT_OK;
    return hit_held_take_memory(storage->held, number); /* counted, not taken */
}

hit_status hit_dry_boxes_note(const hit_call *call, hit_preview_parts *parts,
                              hit_sent *less)
{
    HIT_TRY(hit_holds_begin(call));
    for (int k = 0; k < parts->count; k++) {
        hit_preview_message *one = &parts->message[k];

        one->sent = true;
        if (one->held) HIT_TRY(note_box(call, one, less, &one->sent));
    }
    return HIT_OK;
}
