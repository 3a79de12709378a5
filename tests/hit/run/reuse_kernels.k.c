/* SPDX-License-Identifier: MIT
 * Kernels for tests of plans that are used again. */
#include "hit/kernel.h"

HIT_KERNEL(pair, (i), (out, int64_t, sum, "[i]"), (in, int64_t, a, "[i]"),
           (in, int64_t, b, "[i-1:i+1]"))
{
    hit(sum, i) = 100 * hit(a, i) + hit(b, i - 1) + hit(b, i + 1);
}

HIT_KERNEL(next_to, (i), (out, int64_t, next, "[i]"), (in, int64_t, now, "[i-1:i+1]"))
{
    hit(next, i) = hit(now, i - 1) + 10 * hit(now, i + 1);
}

/* Fails where the box holds the index `bad`; otherwise copies. */
HIT_BOX_KERNEL(breaks, (i), (out, int64_t, to, "[i]"), (in, int64_t, from, "[i-1:i+1]"),
               (value, int64_t, bad))
{
    const int64_t bad = *(const int64_t *)run->slot[2].base;

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        int64_t *to = hit_run_address(run, 0, 1, &i, sizeof(int64_t));
        const int64_t *from = hit_run_address(run, 1, 1, &i, sizeof(int64_t));

        if (i == bad) return HIT_E_DEVICE;
        *to = *from;
    }
    return HIT_OK;
}

/* Of all elements of the tile that is read. */
HIT_KERNEL(whole_sum, (i), (out, int64_t, to, "[i]"), (in, int64_t, from, "[:]"))
{
    int64_t sum = 0;

    for (hit_index k = hit_begin(from, 0); k <= hit_end(from, 0); k++) {
        sum += hit(from, k);
    }
    hit(to, i) = sum;
}
