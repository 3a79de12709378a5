/* SPDX-License-Identifier: MIT
 * Internal: the data of tasks, and their copies in memories. */
#ifndef HIT_SCHEDULED_DATA_H
#define HIT_SCHEDULED_DATA_H

#include "hit/scheduled/schedule_impl.h"

void hit_scheduled_data_close(hit_scheduled *s);
/** The datum that is exactly this box; -1: there is none. */
int hit_scheduled_data_find(const hit_scheduled *s, const hit_storage *storage, int piece,
                            const hit_domain *box);
/** The first datum behind datum @p before (-1: of all) that has elements in common with
 * the box, of any piece for @p piece -1, and with any box for NULL; of all tiles for @p
 * storage NULL; -1: none. */
int hit_scheduled_data_next(const hit_scheduled *s, int before,
                            const hit_storage *storage, int piece, const hit_domain *box);
/** A new datum, whose content the host's memory has. @errors HIT_E_NOMEM */
hit_status hit_scheduled_data_add(hit_scheduled *s, hit_storage *storage, int piece,
                                  const hit_domain *box, int *datum);
/** Its number is free, and copies on nodes are. No task uses it. */
void hit_scheduled_data_forget(hit_scheduled *s, int datum);

/** Where the elements of @p datum are on @p node; view->data is NULL where there is no
 * copy. */
hit_view hit_scheduled_data_view(const hit_scheduled *s, int datum, int node);
/** The same, and memory is made for it. @errors HIT_E_NOMEM, HIT_E_LIMIT */
hit_status hit_scheduled_data_make(hit_scheduled *s, int datum, int node, hit_view *view);
/** Free the copy on a node. */
void hit_scheduled_data_drop(hit_scheduled *s, int datum, int node);
/** Where a copy of all elements from a node to another one reads and writes, for which
 * memory is made; source->data is NULL where the content is not defined, so that nothing
 * is to be copied. @errors those of memory; HIT_E_INTERNAL there is no copy to read */
hit_status hit_scheduled_data_prepare(hit_scheduled *s, int datum, int from, int to,
                                      hit_view *source, hit_view *target);

#endif
