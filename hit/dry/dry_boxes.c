/* SPDX-License-Identifier: MIT
 * What all processes hold, in a dry run: the lists of the tiles have the boxes of all of
 * them, and change with the launches as they do in a run. */
#include "hit/base/context.h"
#include "hit/dry/dry_impl.h"
#include "hit/launch/launcher.h"

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
    return HIT_OK;
}

hit_status hit_dry_boxes_note(const hit_call *call, const hit_known_kernel *known,
                              hit_preview_parts *parts, hit_sent *less)
{
    HIT_TRY(hit_holds_begin(call));
    for (int k = 0; k < parts->count; k++) {
        hit_preview_message *one = &parts->message[k];

        one->sent = true;
        if (one->held) HIT_TRY(note_box(call, one, less, &one->sent));
    }
    hit_holds_end(call, known);
    return HIT_OK;
}
