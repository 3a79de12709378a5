/* SPDX-License-Identifier: MIT
 * Internal to message plans: pairs of boxes that meet, found without a look at all pairs.
 */
#ifndef HIT_COMM_PEERS_H
#define HIT_COMM_PEERS_H

#include "hit/data/nearby.h"

/** For each rank some others, ascending: rank[first[r]] to rank[first[r + 1] - 1]. */
typedef struct hit_peers {
    size_t *first; /**< NULL: all of them */
    int *rank;
} hit_peers;

/** Which of @p one and @p other, @p ranks of each, meet: @p of_one has those of other for
 * each of one, @p of_other those of one for each of other. Both are {NULL, NULL} where
 * nearly all meet, and without dimensions. @owner the caller, also on failure:
 * hit_peers_clear() @errors HIT_E_NOMEM */
hit_status hit_peers_find(const hit_hull one[], const hit_hull other[], int ranks,
                          int dims, hit_peers *of_one, hit_peers *of_other);
void hit_peers_clear(hit_peers *peers);

#endif
