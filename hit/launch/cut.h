/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: a process's indices cut over its devices. */
#ifndef HIT_LAUNCH_CUT_H
#define HIT_LAUNCH_CUT_H

#include "hit/launch/call.h"

/** Cut the pieces @p index of one process's indices over the devices of the context, in
 * proportion to their shares, along one dimension: of those that balance well the one for
 * which the devices need the fewest bytes together. No two devices write the same
 * elements; where no cut has that, or only one device may run the launch
 * (hit_call_able()), one device gets all. Those of @p small get none. Pure.
 *
 * @shape  cut: index->count * context->devices; number k * devices + d is what device d
 *         does of piece k, and may be empty. *dim: the dimension; -1: one gets all
 * @errors HIT_E_NOMEM; HIT_E_ABSENT as hit_call_able()
 */
hit_status hit_cut_make(const hit_call *call, const hit_known_kernel *known,
                        const hit_region *index, const hit_device_set *small,
                        hit_domain cut[], int *dim);
/** The memory of @p device does not hold what an index of its part needs, as its
 * superblocks say: add it to *small, and those that have no more memory. False: no other
 * device may run the launch, and the failure is that of the largest memory. */
bool hit_cut_leave(const hit_call *call, int device, hit_device_set *small);
/** The same along @p dim, of which device d gets @p share[d]; they sum up to the extents
 * of all pieces. Pure.
 * @errors HIT_E_PATTERN two devices would write the same elements; HIT_E_NOMEM */
hit_status hit_cut_again(const hit_call *call, const hit_known_kernel *known,
                         const hit_region *index, int dim, const hit_index share[],
                         hit_domain cut[]);

#endif
