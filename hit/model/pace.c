/* SPDX-License-Identifier: MIT
 * A small table by hash. What is faster than known is believed sooner than what is
 * slower, since a busy machine only slows down. The way that seems slower is tried again
 * now and then, the more seldom the surer it is slower: data may have moved to other
 * caches, and a busy machine become quiet. */
#include "hit/model/pace.h"

#include "hit/data/hash.h"

#include <math.h>

enum {
    TRIES = 12, /* runs the other way, one behind the other: threads have to wake up, and
                   data to come to their caches */
    TIMED = 4,  /* the last of them, whose times count */
    SOON = 128, /* runs between the first tries and the next; twice as many each time
                   that nothing came of them, ... */
    SELDOM = 1024, /* ... but not more than these */
    HARDLY = 8192, /* runs between tries of a way that is slower by far */
    SAMPLE = 16    /* of them one of so many is timed: not those in which data come back
                      after tries */
};

static const double short_ns = 50000; /* what takes longer is shared */
static const double better = 0.9;     /* other threads are disturbed for a gain only */
/* By so much slower, it is hardly tried again. */
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

/* Is it worth while to know the faster way? */
static bool is_short(const hit_pace *pace, double indices)
{
    const double known_ns = is_better_shared(pace) ? pace->shared_ns : pace->alone_ns;

    return known_ns * indices < short_ns;
}

static bool is_hopeless(const hit_pace *pace)
{
    if (is_better_shared(pace)) return pace->alone_ns > hopeless_alone * pace->shared_ns;
    return pace->shared_ns > hopeless_shared * pace->alone_ns;
}

static void begin_tries(hit_pace *pace, bool shared, unsigned runs)
{
    pace->tries = true;
    pace->shared = shared;
    pace->left = runs;
}

/* Tries are over, or there is nothing to try: follow the faster way for some time. */
static void follow(hit_pace *pace)
{
    const bool before = pace->shared != pace->tries;
    const bool same = pace->wait > 0 && is_better_shared(pace) == before;

    pace->wait = !same ? SOON : pace->wait < SELDOM ? 2 * pace->wait : SELDOM;
    pace->tries = false;
    pace->left = is_hopeless(pace) ? HARDLY : pace->wait;
}

static void turn(hit_pace *pace, double indices)
{
    const bool shared = is_better_shared(pace);

    if (pace->shared_ns == 0) {
        begin_tries(pace, true, TRIES);
    } else if (pace->wait == 0 && pace->alone_ns == 0 && is_short(pace, indices)) {
        begin_tries(pace, false, TIMED);
    } else if (pace->wait > 0 && !pace->tries && (!shared || is_short(pace, indices))) {
        begin_tries(pace, !shared, TRIES);
    } else {
        follow(pace);
    }
}

bool hit_pace_shares(hit_pace *pace, double indices, bool *timed)
{
    if (pace->left == 0) turn(pace, indices);
    pace->left--;
    if (!pace->tries) pace->shared = is_better_shared(pace);
    *timed = pace->tries ? pace->left < TIMED : pace->left % SAMPLE == 0;
    return pace->shared;
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
