/* SPDX-License-Identifier: MIT
 * The kernel of random programs: whole blocks, of which it transposes one. */
#include "hit/kernel.h"

static int64_t *at(const hit_run *run, int arg, hit_index i, hit_index j)
{
    const hit_slot *slot = &run->slot[arg];
    const hit_index place[] = {slot->begin[0] + i, slot->begin[1] + j};

    return (int64_t *)hit_run_address(run, arg, 2, place, sizeof(int64_t));
}

/** c = 3 c + a + 2 b' of square blocks. */
HIT_BOX_KERNEL(mix_int64, (k), (inout, int64_t, c, "[:, :]"), (in, int64_t, a, "[:, :]"),
               (in, int64_t, b, "[:, :]"))
{
    const hit_index edge = run->slot[0].end[0] - run->slot[0].begin[0] + 1;

    for (hit_index i = 0; i < edge; i++) {
        for (hit_index j = 0; j < edge; j++) {
            int64_t *c = at(run, 0, i, j);

            *c = (3 * *c + *at(run, 1, i, j) + 2 * *at(run, 2, j, i)) % 1000003;
        }
    }
    return HIT_OK;
}
