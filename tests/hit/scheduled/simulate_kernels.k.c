/* SPDX-License-Identifier: MIT
 * Kernels of programs on simulated machines: of whole blocks, and of elements. */
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

HIT_KERNEL(add_one, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, x, "[i, j]"))
{
    hit(y, i, j) = 1 + hit(x, i, j);
}

HIT_BOX_KERNEL(fails, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, x, "[i, j]"))
{
    (void)run;
    return HIT_FAIL(HIT_E_DEVICE, "the kernel does not want to");
}

HIT_BOX_KERNEL(fails_too, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, x, "[i, j]"))
{
    (void)run;
    return HIT_FAIL(HIT_E_DEVICE, "this one neither");
}

/* How many threads the device has that runs it: devices of unlike numbers are told apart.
 */
static hit_status note_threads(const hit_run *run)
{
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            const hit_index place[] = {i, j};

            *(int64_t *)hit_run_address(run, 0, 2, place, sizeof(int64_t)) = run->threads;
        }
    }
    return HIT_OK;
}

HIT_BOX_KERNEL(threads_of, (i, j), (out, int64_t, y, "[i, j]"))
{
    return note_threads(run);
}

HIT_RUNS_ON(threads_of_second, "host:1");
HIT_BOX_KERNEL(threads_of_second, (i, j), (out, int64_t, y, "[i, j]"))
{
    return note_threads(run);
}

HIT_BOX_KERNEL(sum_of_cores, (k), (inout, int64_t, c, "[:, :]"))
{
    *at(run, 0, 0, 0) += 1;
    return HIT_OK;
}
HIT_RUNS_ON(sum_of_cores, "core:1,core:2");
