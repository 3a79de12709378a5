/* SPDX-License-Identifier: MIT
 * Shares of devices: in proportion to speeds that are given, or by times as they are
 * measured, as an iterative program is balanced over processes. */
#include "layouts/sharing.h"

#include "hit/base/context.h"
#include "layouts/partition/cpm.h"
#include "layouts/partition/dynamic.h"

#include <string.h>

static hit_status begin(hit_index n, int parts, hit_dynamic **dynamic)
{
    return hit_dynamic_create(n, parts, NULL, dynamic);
}

/* Nobody is left out: who does nothing is never seen to have become faster. */
static void keep_all(int parts, hit_index share[])
{
    for (int k = 0; k < parts; k++) {
        int most = 0;

        if (share[k] > 0) continue;
        for (int other = 1; other < parts; other++) {
            if (share[other] > share[most]) most = other;
        }
        share[most]--;
        share[k]++;
    }
}

static hit_status follow(hit_dynamic *dynamic, int parts, const double seconds[],
                         double steps_left, hit_index share[], bool *better)
{
    hit_index proposed[HIT_MAX_DEVICES] = {0};
    double now_s = 0;
    double then_s = 0;

    *better = false;
    HIT_TRY(hit_dynamic_observe(dynamic, share, seconds));
    HIT_TRY(hit_dynamic_predict(dynamic, share, &now_s));
    HIT_TRY(hit_dynamic_propose(dynamic, proposed, &then_s));
    keep_all(parts, proposed);
    /* what has to move costs about as much as what is computed on it once */
    *better = hit_dynamic_pays(dynamic, now_s, then_s, now_s, steps_left);
    if (*better) memcpy(share, proposed, (size_t)parts * sizeof share[0]);
    return HIT_OK;
}

const hit_sharing hit_sharing_by_speed = {
    .divide = hit_partition_cpm,
    .begin = begin,
    .follow = follow,
    .end = hit_dynamic_destroy,
};
