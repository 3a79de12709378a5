/* SPDX-License-Identifier: MIT
 * Rounds of as many launches as a block has: first all one way, until what that takes is
 * settled, then both in turn. */
#include "hit/chain/tuner.h"

static void note(double *least_s, double seconds)
{
    if (*least_s == 0 || seconds < *least_s) *least_s = seconds;
}

bool hit_worth_next(hit_worth *worth, uint64_t launch, int launches, double now_s)
{
    const bool follows = launch == worth->launch + (uint64_t)launches;

    if (!hit_worth_is_decided(worth)) {
        if (follows && worth->rounds > worth->settle) {
            note(worth->other ? &worth->other_s : &worth->one_s, now_s - worth->start_s);
        }
        /* one that was interrupted is tried again */
        if (follows || worth->rounds == 0) worth->rounds++;
        worth->other =
            worth->rounds > worth->settle && (worth->rounds - worth->settle) % 2 == 1;
        if (hit_worth_is_decided(worth)) {
            worth->other = worth->other_s < worth->one_s;
        }
    }
    worth->launch = launch;
    worth->start_s = now_s;
    return !worth->other;
}
