/* SPDX-License-Identifier: MIT
 * A kernel that only takes time, on the played clock, by the number of its indices. */
#include "tests/layouts/nap.h"

#include "hit/kernel.h"
#include "tests/support/played_clock.h"
#include "tests/support/random.h"

#include <stdatomic.h>

static atomic_llong indices;
static atomic_int times = 1;
/* of the thread that launches, as devices have one thread here */
static hit_random random;
static int odd;

hit_index nap_indices(void)
{
    return (hit_index)atomic_exchange(&indices, 0);
}

void nap_slow_down(int factor)
{
    atomic_store(&times, factor);
}

void nap_disturb(uint64_t seed, int odd_times)
{
    random = (hit_random){.state = seed};
    odd = odd_times;
}

static double disturbance(void)
{
    const double little = 1 + 2e-5 * (double)hit_random_index(&random, 0, 1000);

    return hit_random_index(&random, 0, 15) == 0 ? little * odd : little;
}

/* clang-format off */
HIT_BOX_KERNEL(nap, (i, j),
    (out,   float, next, "[i, j]"),
    (in,    float, now,  "[i-1:i+1, j] [i, j-1:j+1]"))
{
    const hit_index count = played_clock_indices(run, 2);

    atomic_fetch_add(&indices, count);
    played_clock_pass(NAP_S * (double)count * atomic_load(&times) *
                      (odd > 0 ? disturbance() : 1));
    return HIT_OK;
}
/* clang-format on */
