/* SPDX-License-Identifier: MIT
 * Kernels whose patterns are given when the program runs. */
#include "hit/kernel.h"

/* The elements within r of i; the pattern has to say that. */
HIT_KERNEL(around, (i), (out, int64_t, to, "[i]"), (in, int64_t, from, "[i]"),
           (value, int64_t, r))
{
    int64_t sum = 0;

    for (hit_index k = i - r; k <= i + r; k++) {
        sum += hit(from, k) * (k - i + 100);
    }
    hit(to, i) = sum;
}

/* Kernels of this kind may wait after their launch has returned. */
HIT_BOX_SUM_KERNEL(row_sums, (i, j), (HIT_ALONG(1, 1)), NULL,
                   (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"))
{
    const hit_slot *a = &run->slot[1];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j += run->stride[1]) {
            const hit_index at[] = {i, j};
            int64_t *c = (int64_t *)hit_run_address(run, 0, 2, at, sizeof(int64_t));

            for (hit_index k = a->begin[1]; k <= a->end[1]; k += a->step[1]) {
                const hit_index from[] = {i, k};

                *c += *(int64_t *)hit_run_address(run, 1, 2, from, sizeof(int64_t));
            }
        }
    }
    return HIT_OK;
}
