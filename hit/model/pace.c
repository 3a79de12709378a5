/* SPDX-License-Identifier: MIT
 * A small table by hash. What is faster than known is believed sooner than what is
 * slower, since a busy machine only slows down. The way that seems slower is tried again
 * now and then, unless it is slower by far: data may have moved to other caches. */
#include "hit/model/pace.h"

#include "hit/data/hash.h"

#include <math.h>

enum {
    FIRST_SHARED = 4, /* runs that are timed: threads may have to wake up */
    FIRST = 6,        /* with those on one thread */
    AGAIN = 128,      /* of so many runs, ... */
    TRIES = 4,        /* ... these are by the other way, one behind the other */
    SAMPLE = 16       /* of so many runs, one is timed */
};

static const double short_ns = 50000; /* what takes longer is shared */
static const double better = 0.9;     /* other threads are disturbed for a gain only */
/* By so much slower, it is not tried again. Shared runs are timed all the time, so that
 * it is seen if they become slower; that they become faster is not. */
static const double hopeless_alone = 1.5;
static const double hopeless_shared = 3;

hit_pace *hit_paces_find(hit_paces *paces, const void *kernel, double indices)
{
    const int size = ilogb(indices);
    const uint64_t hash =
        hit_hash_word(hit_hash_word(0, (uintptr_t)kernel), (uint64_t)size);
    hit_pace *pace = &paces->of[hash % HIT_PACES];

    if (pace->kernel != kernel || pace->size != size) {
        *pace = (hit_pace){.kernel = kernel, .size = size};
    }
    return pace;
}

static bool is_better_shared(const hit_pace *pace)
{
    return pace->alone_ns == 0 || pace->shared_ns < better * pace->alone_ns;
}

/* May the other way be faster than the one that seems to be? */
static bool is_open(const hit_pace *pace, double indices)
{
    const double shared_ns = pace->shared_ns;
    const double alone_ns = pace->alone_ns;

    if (is_better_shared(pace)) {
        return shared_ns * indices < short_ns && alone_ns < hopeless_alone * shared_ns;
    }
    return alone_ns * indices < short_ns && shared_ns < hopeless_shared * alone_ns;
}

bool hit_pace_shares(hit_pace *pace, double indices, bool *timed)
{
    const unsigned run = pace->runs++;
    const bool tries = run % AGAIN < TRIES && is_open(pace, indices);

    *timed = run < FIRST || run % SAMPLE == TRIES - 1;
    if (run < FIRST) return run < FIRST_SHARED || !is_open(pace, indices);
    return is_better_shared(pace) != tries;
}

double hit_pace_correct(double known, double measured)
{
    if (known == 0) return measured;
    if (measured < known) return (known + measured) / 2;
    return known + (fmin(measured, 2 * known) - known) / 4;
}

void hit_pace_note(hit_pace *pace, bool shared, double indices, double seconds)
{
    double *known_ns = shared ? &pace->shared_ns : &pace->alone_ns;

    *known_ns = hit_pace_correct(*known_ns, 1e9 * seconds / indices);
}
