/* SPDX-License-Identifier: MIT
 * The times of kernels, in a table in which one takes the place of another where there
 * are too many. */
#include "hit/data/hash.h"
#include "hit/model/pace.h"
#include "hit/tile/station.h"

static const double light_ns = 1000; /* what takes less takes longer on another thread */

enum {
    LIGHT_RUNS = 8 /* then the next one is expected to be light */
};

static int find(hit_lengths *lengths, const hit_kernel *kernel)
{
    const uint64_t first = hit_hash_word(0, (uintptr_t)kernel) % HIT_LENGTHS;
    uint64_t at = first;

    for (uint64_t k = 0; k < HIT_LENGTHS; k++) {
        at = (first + k) % HIT_LENGTHS;
        if (lengths->of[at].kernel == kernel) return (int)at;
        if (lengths->of[at].kernel == NULL) break;
    }
    lengths->of[at].kernel = kernel;
    lengths->of[at].run_ns = 0;
    lengths->of[at].light = 0;
    return (int)at;
}

/* Of a run, without what it waited for a lock afterwards: threads are woken under the
 * lock, and would be woken more often where that takes long. */
void hit_lengths_note(hit_lengths *lengths, const hit_kernel *kernel, double run_s)
{
    const double run_ns = run_s * 1e9 + 1;
    const int k = find(lengths, kernel);
    int light = lengths->of[k].light;

    lengths->of[k].run_ns = hit_pace_correct(lengths->of[k].run_ns, run_ns);
    light += run_ns < light_ns ? 1 : -LIGHT_RUNS;
    if (light < 0) light = 0;
    if (light > 2 * LIGHT_RUNS) light = 2 * LIGHT_RUNS;
    lengths->of[k].light = light;
}

int64_t hit_lengths_expect(hit_lengths *lengths, const hit_kernel *kernel,
                           int64_t unknown_ns)
{
    const double run_ns = lengths->of[find(lengths, kernel)].run_ns;

    if (run_ns == 0) return unknown_ns;
    return run_ns < 1 ? 1 : run_ns < 1e15 ? (int64_t)run_ns : (int64_t)1e15;
}

bool hit_lengths_is_light(hit_lengths *lengths, const hit_kernel *kernel)
{
    return lengths->of[find(lengths, kernel)].light >= LIGHT_RUNS;
}
