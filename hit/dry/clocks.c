/* SPDX-License-Identifier: MIT
 * A clock for each process, which only narrow launches need: dry_impl.h. */
#include "hit/base/memory.h"
#include "hit/dry/dry_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hit_status hit_dry_clocks_create(int processes, hit_dry_clocks *clocks)
{
    *clocks = (hit_dry_clocks){.size = processes};
    HIT_TRY(hit_memory_zeroed((size_t)processes, sizeof(double), &clocks->now_s));
    return hit_memory_zeroed((size_t)processes, sizeof(double), &clocks->then_s);
}

void hit_dry_clocks_clear(hit_dry_clocks *clocks)
{
    free(clocks->now_s);
    free(clocks->then_s);
    *clocks = (hit_dry_clocks){0};
}

/* Elements that are sent are there when their sender is done with what was before. Only
 * then does a message that brings them begin, at both ends. */
static void add_messages(hit_dry_clocks *clocks, const hit_preview_parts *parts,
                         bool results)
{
    for (int k = 0; k < parts->count; k++) {
        const hit_preview_message *one = &parts->message[k];
        double *to_s = &clocks->then_s[one->to];

        if (one->result != results || !one->sent) continue;
        *to_s = fmax(*to_s, clocks->now_s[one->from]);
    }
    for (int k = 0; k < parts->count; k++) {
        const hit_preview_message *one = &parts->message[k];

        if (one->result != results || !one->sent) continue;
        clocks->then_s[one->to] += one->time.first_s;
        clocks->then_s[one->from] += one->time.first_s;
        clocks->all.lacks |= one->time.lacks;
    }
}

/* What was looked at is over. */
static void go_on(hit_dry_clocks *clocks, const hit_preview_parts *parts)
{
    for (int k = 0; k < parts->turns; k++) {
        const int rank = parts->turn[k].rank;

        clocks->now_s[rank] = clocks->then_s[rank];
    }
    for (int k = 0; k < parts->count; k++) {
        const hit_preview_message *one = &parts->message[k];

        clocks->now_s[one->from] = clocks->then_s[one->from];
        clocks->now_s[one->to] = clocks->then_s[one->to];
    }
}

void hit_dry_clocks_add(hit_dry_clocks *clocks, const hit_preview_parts *parts,
                        bool again)
{
    add_messages(clocks, parts, false);
    for (int k = 0; k < parts->turns; k++) {
        const hit_forecast time = parts->turn[k].time;

        clocks->then_s[parts->turn[k].rank] += again ? time.again_s : time.first_s;
        clocks->all.lacks |= time.lacks;
    }
    go_on(clocks, parts);
    add_messages(clocks, parts, true);
    go_on(clocks, parts);
    clocks->any = true;
}

hit_forecast hit_dry_clocks_meet(hit_dry_clocks *clocks)
{
    double last_s = 0;

    if (!clocks->any) return clocks->all;
    for (int p = 0; p < clocks->size; p++) {
        last_s = fmax(last_s, clocks->now_s[p]);
    }
    clocks->all.first_s += last_s;
    clocks->all.again_s = clocks->all.first_s;
    memset(clocks->now_s, 0, (size_t)clocks->size * sizeof(double));
    memset(clocks->then_s, 0, (size_t)clocks->size * sizeof(double));
    clocks->any = false;
    return clocks->all;
}
