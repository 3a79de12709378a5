/* SPDX-License-Identifier: MIT
 * Kernels of launches that a scheduler places: of whole blocks, and of elements. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): nanosleep */
#include "hit/kernel.h"

#include <time.h>

static int64_t *at(const hit_run *run, int arg, hit_index i, hit_index j)
{
    const hit_slot *slot = &run->slot[arg];
    const hit_index place[] = {slot->begin[0] + i, slot->begin[1] + j};

    return (int64_t *)hit_run_address(run, arg, 2, place, sizeof(int64_t));
}

HIT_KERNEL(add_one, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, x, "[i, j]"))
{
    hit(y, i, j) = 1 + hit(x, i, j);
}

/** Reads beyond the tile. */
HIT_KERNEL(from_west, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, x, "[i, j-1]"))
{
    hit(y, i, j) = hit(x, i, j - 1);
}

/** Reads beyond the tile on both sides, and what it writes. */
HIT_KERNEL(blur, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, x, "[i, j-1:j+1]"))
{
    hit(y, i, j) = (hit(x, i, j - 1) + 3 * hit(x, i, j + 1)) % 1009;
}

/** Around the element in both dimensions. */
/* Of one tile: all of z lies beyond its first column. */
HIT_KERNEL(beside, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i:i+1, j-1:j]"), (in, int64_t, z, "[i:i+3, j/22-2:j/22-1]"))
{
    hit(y, i, j) = hit(x, i, j) + 2 * hit(x, i + 1, j - 1) + 5 * hit(z, i + 3, -2);
}

HIT_KERNEL(cross, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(y, i, j) = (hit(x, i - 1, j) + 2 * hit(x, i + 1, j) + 3 * hit(x, i, j - 1) +
                    5 * hit(x, i, j + 1)) %
                   1009;
}

/** Writes the other way round. */
HIT_KERNEL(turn, (i, j), (out, int64_t, y, "[j, i]"), (in, int64_t, x, "[i, j]"))
{
    hit(y, j, i) = hit(x, i, j);
}

/** It begins to write after a while, in which the program has gone on. */
HIT_BOX_KERNEL(add_late, (i, j), (inout, int64_t, y, "[i, j]"))
{
    const struct timespec a_while = {0, 30000000};

    (void)nanosleep(&a_while, NULL);
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            const hit_index place[] = {i, j};

            *(int64_t *)hit_run_address(run, 0, 2, place, sizeof(int64_t)) += 1;
        }
    }
    return HIT_OK;
}

HIT_KERNEL(add_up, (i, j), (sum, int64_t, total, "[i, 0]"), (in, int64_t, x, "[i, j]"))
{
    hit(total, i, 0) += hit(x, i, j);
}

HIT_KERNEL(add_up_cross, (i, j), (sum, int64_t, total, "[i, 0]"),
           (in, int64_t, x, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(total, i, 0) += (hit(x, i - 1, j) + 2 * hit(x, i + 1, j) + 3 * hit(x, i, j - 1) +
                         5 * hit(x, i, j + 1)) %
                        1009;
}

HIT_KERNEL(turn_cross, (i, j), (out, int64_t, y, "[j, i]"),
           (in, int64_t, x, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(y, j, i) = (hit(x, i - 1, j) + 2 * hit(x, i + 1, j) + 3 * hit(x, i, j - 1) +
                    5 * hit(x, i, j + 1)) %
                   1009;
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
