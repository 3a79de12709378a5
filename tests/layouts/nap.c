/* SPDX-License-Identifier: MIT
 * A kernel that sleeps: its time depends on the number of indices and not on how busy the
 * machine is. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "tests/layouts/nap.h"

#include "hit/kernel.h"

#include <stdatomic.h>
#include <time.h>

static atomic_llong indices;
static atomic_int times = 1;

hit_index nap_indices(void)
{
    return (hit_index)atomic_exchange(&indices, 0);
}

void nap_slow_down(int factor)
{
    atomic_store(&times, factor);
}

/* clang-format off */
HIT_BOX_KERNEL(nap, (i, j),
    (out,   float, next, "[i, j]"),
    (in,    float, now,  "[i-1:i+1, j] [i, j-1:j+1]"))
{
    const hit_index rows = (run->end[0] - run->begin[0]) / run->stride[0] + 1;
    const hit_index columns = (run->end[1] - run->begin[1]) / run->stride[1] + 1;
    const double seconds = NAP_S * (double)rows * (double)columns * atomic_load(&times);
    const struct timespec time = {(time_t)seconds,
                                  (long)(1e9 * (seconds - (double)(time_t)seconds))};

    atomic_fetch_add(&indices, (long long)rows * (long long)columns);
    nanosleep(&time, NULL);
    return HIT_OK;
}
/* clang-format on */
