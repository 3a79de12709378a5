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
    const hit_index *period; /**< per dimension: beyond the tile, cover or not, are its
                                elements again, so far away; 0: nothing is */
    size_t size_bytes;       /**< of an element */
} hit_around;

/** A gather of that, for process @p rank. Messages are direct. @errors HIT_E_NOMEM */
hit_status hit_message_plan_around(const hit_around *around, int rank,
                                   hit_message_plan *plan);

/** The plans of all processes, added up. */
typedef struct hit_around_sum {
    uint64_t messages; /**< sent */
    uint64_t bytes;
    uint64_t most_messages; /**< sent by one process */
    uint64_t most_bytes;
    uint64_t most_receives; /**< of one process */
    uint64_t most_bytes_received;
} hit_around_sum;

/** @errors HIT_E_NOMEM */
hit_status hit_around_add_up(const hit_around *around, hit_around_sum *sum);

#endif
