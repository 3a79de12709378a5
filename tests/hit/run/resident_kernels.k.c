/* SPDX-License-Identifier: MIT
 * Kernels whose results stay small, so that any number of them can follow each other. */
#include "hit/kernel.h"

HIT_KERNEL(blend, (i, j), (out, int64_t, b, "[i, j]"),
           (in, int64_t, a, "[i-1:i+1, j] [i, j-2:j+1]"))
{
    hit(b, i, j) = (3 * hit(a, i - 1, j) + hit(a, i + 1, j) + 5 * hit(a, i, j - 2) +
                    hit(a, i, j + 1) + i - j) %
                   1009;
}

HIT_KERNEL(bump, (i, j), (inout, int64_t, a, "[i, j]"), (value, int64_t, c))
{
    hit(a, i, j) = (hit(a, i, j) * c + i + 2 * j) % 1009;
}

HIT_KERNEL(spread, (i, j), (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
           (in, int64_t, b, "[:, j]"))
{
    int64_t sum = hit(c, i, j);

    for (hit_index k = hit_begin(a, 1); k <= hit_end(a, 1); k++) {
        sum += hit(a, i, k) * hit(b, k, j);
    }
    hit(c, i, j) = sum % 1009;
}

HIT_KERNEL(columns, (i, j), (sum, int64_t, total, "[j]"), (in, int64_t, a, "[i, j]"))
{
    hit(total, j) += hit(a, i, j);
}

HIT_KERNEL(assign, (i, j), (out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i, j]"))
{
    hit(b, i, j) = hit(a, i, j);
}

/* Of one tile, maybe. */
HIT_KERNEL(assign_both, (i, j), (out, int64_t, b, "[i, j]"),
           (in, int64_t, a, "[i-4:i+4, j]"), (in, int64_t, c, "[6:7, j]"))
{
    hit(b, i, j) = hit(a, i - 4, j) + hit(a, i + 4, j) + hit(c, 6, j) - hit(c, 7, j);
}

/* Neighbours in c belong to different i. */
HIT_KERNEL(weave, (i, j), (inout, int64_t, c, "[i+4*j]"))
{
    hit(c, i + 4 * j) += 10 * i + j;
}

/* c = 3 c + a b */
HIT_BOX_SUM_KERNEL(multiply, (i, j), (HIT_ALONG(1, 1), HIT_ALONG(2, 0)), NULL,
                   (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
                   (in, int64_t, b, "[:, j]"))
{
    const hit_slot *a = &run->slot[1];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j += run->stride[1]) {
            const hit_index at[] = {i, j};
            int64_t *c = (int64_t *)hit_run_address(run, 0, 2, at, sizeof(int64_t));

            if (!run->later) *c *= 3;
            for (hit_index k = a->begin[1]; k <= a->end[1]; k += a->step[1]) {
                const hit_index left[] = {i, k};
                const hit_index right[] = {k, j};

                *c += *(int64_t *)hit_run_address(run, 1, 2, left, sizeof(int64_t)) *
                      *(int64_t *)hit_run_address(run, 2, 2, right, sizeof(int64_t));
            }
        }
    }
    return HIT_OK;
}
