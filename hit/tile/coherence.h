/* SPDX-License-Identifier: MIT
 * Internal: coherence between the host's memory of tiles and what devices hold of it, or
 * still have to do with it. Declare accesses of the host here before making them. */
#ifndef HIT_TILE_COHERENCE_H
#define HIT_TILE_COHERENCE_H

#include "hit/tile/tile_impl.h"

/** Log an asynchronous access to the host's memory of a tile, which ends by event @p
 * event of source @p source (hit/tile/station.h). @errors HIT_E_NOMEM: wait for it */
hit_status hit_storage_log(hit_storage *storage, int piece, const hit_domain *box,
                           bool writes, int source, uint64_t event);
/** Wait for the tasks that an access must come after; @p box NULL: to all elements.
 * @errors as hit_tasks_wait() */
hit_status hit_storage_wait_for_tasks(const hit_storage *storage, int piece,
                                      const hit_domain *box, bool writes);
/** What devices hold of it: nothing yet. @errors HIT_E_NOMEM */
hit_status hit_storage_make_homes(hit_storage *storage);
/** Before it goes: launches that use it run, and devices forget it. */
void hit_storage_drop_homes(hit_storage *storage);
/** May a device hold some of it, or have it on its way? */
bool hit_storage_is_away(const hit_storage *storage);
/** Before the host accesses the elements @p box of piece @p piece of the storage (of all
 * pieces of a tile, below): HIT_READ makes its memory right, HIT_WRITE says that what
 * devices hold will be old. @errors of a copy; HIT_E_NOMEM */
hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent);
/** The first half of it: wait for launches and copies that still read or write the host's
 * memory, also for devices that load what they hold. */
hit_status hit_storage_wait(hit_storage *storage, int piece, const hit_domain *box,
                            hit_intent intent);
/** And of HIT_WRITE the other half: what devices hold is old. */
hit_status hit_storage_forget(hit_storage *storage, int piece, const hit_domain *box);
/** Elements of the tile that are copies of others of it (beyond a boundary, or in another
 * piece) change: copy them where both are on one device, and forget the rest, which
 * remains in *left. */
hit_status hit_storage_image(hit_storage *storage, const hit_image_pair *pair,
                             hit_region *left);
/** The same before device @p device reads (@p loads) or writes them: what other devices
 * hold is sent to the host, or forgotten. */
hit_status hit_storage_touch_others(hit_storage *storage, int device, int piece,
                                    const hit_domain *box, bool loads, bool writes);
hit_status hit_tile_touch(hit_tile *tile, const hit_domain *box, hit_intent intent);

/** Make all of the host's memory of a tile right; a scheduler knows nothing of it
 * afterwards. @errors of work that launches left */
hit_status hit_storage_bring_home(hit_storage *storage);

/** Wait for all tasks, and for the work that launches left to the devices.
 * @errors of that work; each is reported once */
hit_status hit_settle(hit_context *context);
/** The same before the memory of @p storage is replaced; errors of tasks are
 * stored for the next call that waits. @errors those of the devices */
hit_status hit_storage_settle(hit_storage *storage);

#endif
