/* SPDX-License-Identifier: MIT
 * A small table by hash. What is faster than known is believed sooner than what is
 * slower, since a busy machine only slows down. */
#include "hit/device/pace.h"

#include "hit/data/hash.h"

enum {
    FIRST = 4, /* runs that are timed */
    EACH = 32  /* later, one of so many */
};

hit_pace *hit_paces_find(hit_paces *paces, const hit_kernel *kernel)
{
    hit_pace *pace = &paces->of[hit_hash_word(0, (uintptr_t)kernel) % HIT_PACES];

    if (pace->kernel != kernel) *pace = (hit_pace){.kernel = kernel};
    return pace;
}

bool hit_pace_samples(hit_pace *pace)
{
    return ++pace->runs <= FIRST || pace->runs % EACH == 0;
}

void hit_pace_note(hit_pace *pace, double indices, double seconds)
{
    const double now_ns = 1e9 * seconds / indices;
    const double known_ns = pace->index_ns;
    const double most_ns = 2 * known_ns;

    if (known_ns == 0) {
        pace->index_ns = now_ns;
    } else if (now_ns < known_ns) {
        pace->index_ns = (known_ns + now_ns) / 2;
    } else {
        pace->index_ns += ((now_ns < most_ns ? now_ns : most_ns) - known_ns) / 4;
    }
}
