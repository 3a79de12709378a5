/* SPDX-License-Identifier: MIT
 * Rounds of as many launches as a block has: first blocks, until their tiles are found,
 * then both in turn. */
#include "hit/chain/worth.h"

enum {
    FIRST = 24, /* rounds until the best tiles of a block are found */
    TURNS = 6   /* and then, every second one alone */
};

bool hit_worth_is_decided(const hit_worth *worth)
{
    return worth->rounds > FIRST + TURNS;
}

static void note(double *least_s, double seconds)
{
    if (*least_s == 0 || seconds < *least_s) *least_s = seconds;
}

bool hit_worth_next(hit_worth *worth, uint64_t launch, int launches, double now_s)
{
    const bool follows = launch == worth->launch + (uint64_t)launches;

    if (!hit_worth_is_decided(worth)) {
        if (follows && worth->rounds > FIRST) {
            note(worth->alone ? &worth->alone_s : &worth->block_s,
                 now_s - worth->start_s);
        }
        /* one that was interrupted is tried again */
        if (follows || worth->rounds == 0) worth->rounds++;
        worth->alone = worth->rounds > FIRST && (worth->rounds - FIRST) % 2 == 1;
        if (hit_worth_is_decided(worth)) {
            worth->alone = worth->alone_s < worth->block_s;
        }
    }
    worth->launch = launch;
    worth->start_s = now_s;
    return !worth->alone;
}
