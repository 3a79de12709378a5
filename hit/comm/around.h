/* SPDX-License-Identifier: MIT
 * Message plans of boxes that are larger than the processes' parts. */
#ifndef HIT_COMM_AROUND_H
#define HIT_COMM_AROUND_H

#include "hit/comm/message.h"

/** A gather of what lies around each process's box: @p low and @p high elements per
 * dimension, inside @p cover. Each part must be one box. Messages are direct.
 * @errors HIT_E_NOMEM */
hit_status hit_message_plan_around(const hit_layout *layout, int rank,
                                   const hit_domain *cover, const hit_index low[],
                                   const hit_index high[], size_t size_bytes,
                                   size_t head_bytes, hit_message_plan *plan);

#endif
