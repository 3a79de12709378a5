/* SPDX-License-Identifier: MIT
 * Message plans of boxes that are larger than the processes' parts. */
#ifndef HIT_COMM_AROUND_H
#define HIT_COMM_AROUND_H

#include "hit/comm/message.h"

/** What lies around each process's box: @p low and @p high elements per dimension, inside
 * @p cover. All is borrowed. */
typedef struct hit_around {
    const hit_layout *layout; /**< each part must be one box */
    const hit_domain *cover;
    const hit_index *low;
    const hit_index *high;
    size_t size_bytes; /**< of an element */
    size_t head_bytes; /**< of each message */
} hit_around;

/** A gather of that, for process @p rank. Messages are direct. @errors HIT_E_NOMEM */
hit_status hit_message_plan_around(const hit_around *around, int rank,
                                   hit_message_plan *plan);

#endif
