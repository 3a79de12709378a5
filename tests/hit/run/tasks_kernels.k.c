/* SPDX-License-Identifier: MIT
 * Kernels of whole boxes for tests of launches that run side by side. */
#include "tests/hit/run/tasks_kernels.h"

#include "hit/kernel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static hit_index count(const hit_run *run, int d)
{
    return run->end[d] < run->begin[d]
               ? 0
               : (run->end[d] - run->begin[d]) / run->stride[d] + 1;
}

static int64_t *element(const hit_run *run, int arg, hit_index i, hit_index j)
{
    const hit_index at[] = {i, j};

    return (int64_t *)hit_run_address(run, arg, 2, at, sizeof(int64_t));
}

/* c = (3 c + a b + more) modulo a prime */
HIT_BOX_SUM_KERNEL(mix, (i, j), (HIT_ALONG(1, 1), HIT_ALONG(2, 0)), NULL,
                   (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
                   (in, int64_t, b, "[:, j]"), (value, int64_t, more))
{
    const hit_slot *a = &run->slot[1];
    const int64_t more = *(const int64_t *)run->slot[3].base;

    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j += run->stride[1]) {
            int64_t *c = element(run, 0, i, j);
            int64_t sum = 3 * *c + more;

            for (hit_index k = a->begin[1]; k <= a->end[1]; k += a->step[1]) {
                sum += *element(run, 1, i, k) * *element(run, 2, k, j);
            }
            *c = sum % MIX_PRIME;
        }
    }
    return HIT_OK;
}

/* Kernels have no context to hang this on. */
static atomic_int arrived;

/* Wait for another run to begin, for a while; write the indices of the run, negative if
 * there was none. */
HIT_BOX_SUM_KERNEL(meet, (i, j), (HIT_ALONG(1, 1)), NULL, (inout, int64_t, c, "[i, j]"),
                   (in, int64_t, a, "[i, :]"))
{
    const time_t end = time(NULL) + 3;
    const hit_index indices = count(run, 0) * count(run, 1);
    const int other = atomic_fetch_add(&arrived, 1) ^ 1;

    while (atomic_load(&arrived) <= other && time(NULL) < end) {
    }
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            *element(run, 0, i, j) = atomic_load(&arrived) > other ? indices : -indices;
        }
    }
    return HIT_OK;
}

/* What mix does with c and more alone. */
HIT_BOX_SUM_KERNEL(mix_large, (i, j), (HIT_ALONG(1, 1)), NULL,
                   (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
                   (value, large, more))
{
    const large *more = (const large *)run->slot[2].base;

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            int64_t *c = element(run, 0, i, j);

            *c = (3 * *c + more->number[39]) % MIX_PRIME;
        }
    }
    return HIT_OK;
}

/* Not of whole boxes. */
HIT_KERNEL(transpose, (i, j), (out, int64_t, c, "[i, j]"), (in, int64_t, a, "[j, i]"))
{
    hit(c, i, j) = hit(a, j, i);
}

/* Of single indices, and with a value. */
HIT_KERNEL(stir, (i, j), (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[j, i]"),
           (value, int64_t, more))
{
    hit(c, i, j) = (3 * hit(c, i, j) + hit(a, j, i) + more) % MIX_PRIME;
}

/* A whole box that uses the threads it is told of itself: none of them here. */
HIT_BOX_KERNEL(turn, (i), (inout, int64_t, c, "[i, :]"))
{
    const hit_slot *c = &run->slot[0];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        for (hit_index j = c->begin[1]; j <= c->end[1]; j += c->step[1]) {
            int64_t *at = element(run, 0, i, j);

            *at = (5 * *at + i + j) % MIX_PRIME;
        }
    }
    return HIT_OK;
}

HIT_BOX_SUM_KERNEL(refuse, (i, j), (HIT_ALONG(1, 1)), NULL, (inout, int64_t, c, "[i, j]"),
                   (in, int64_t, a, "[i, :]"))
{
    return HIT_FAIL(HIT_E_ARG, "refused row %lld", (long long)run->begin[0]);
}

/* Which thread ran an index. */
HIT_KERNEL(who, (i), (out, int64_t, thread, "[i]"))
{
    hit(thread, i) = (int64_t)(uintptr_t)pthread_self();
}
