/* SPDX-License-Identifier: MIT
 * Which indices of a launch are looked at when it has too many. Faults show at the rim,
 * or anywhere, and two indices that meet in an element are often neighbours. So each
 * dimension gives its first and last positions and pairs of neighbours between them, and
 * the sample has all combinations. */
#include "hit/base/memory.h"
#include "hit/check/check_impl.h"
#include "hit/data/sig.h"

#include <math.h>

enum {
    FEWEST = 3 /* positions per dimension */
};

/* The shortest dimension first: what it does not take is left to the others. */
static void choose_counts(hit_sample *sample, hit_index most)
{
    bool chosen[HIT_MAX_DIMS] = {false};

    for (int left = sample->domain.dims; left > 0; left--) {
        const hit_index each = (hit_index)(pow((double)most, 1.0 / left) + 1e-9);
        const hit_index count = each > FEWEST ? each : FEWEST;
        int shortest = -1;

        for (int d = 0; d < sample->domain.dims; d++) {
            if (chosen[d]) continue;
            if (shortest < 0 || sample->count[d] < sample->count[shortest]) shortest = d;
        }
        if (sample->count[shortest] > count) sample->count[shortest] = count;
        chosen[shortest] = true;
        most /= sample->count[shortest];
    }
}

hit_index hit_sample_below(uint64_t *random, hit_index end)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (hit_index)((*random >> 33) % (uint64_t)end);
}

/* The first and last quarters of the count are the rim; between, each pair lies anywhere
 * in a stretch of its own, which has 2 positions or more since the extent exceeds the
 * count. */
static void choose_positions(hit_index extent, hit_index count, uint64_t *random,
                             hit_index position[])
{
    const hit_index rim = count / 4 > 0 ? count / 4 : 1;
    const hit_index pairs = (count - 2 * rim + 1) / 2;
    const hit_index stretch = (extent - 2 * rim) / pairs;
    hit_index filled = 0;

    for (hit_index k = 0; k < rim; k++) {
        position[filled++] = k;
    }
    for (hit_index k = 0; k < pairs; k++) {
        const hit_index at = rim + k * stretch + hit_sample_below(random, stretch - 1);

        position[filled++] = at;
        if (filled < count - rim) position[filled++] = at + 1;
    }
    for (hit_index k = rim; k > 0; k--) {
        position[filled++] = extent - k;
    }
}

hit_status hit_sample_make(const hit_domain *domain, hit_index most, uint64_t seed,
                           hit_sample *sample)
{
    uint64_t random = seed;

    *sample = (hit_sample){.domain = *domain, .whole = true};
    for (int d = 0; d < domain->dims; d++) {
        sample->count[d] = hit_sig_count(domain->sig[d]);
    }
    if (hit_domain_count(domain) <= most) return HIT_OK;
    choose_counts(sample, most);
    for (int d = 0; d < domain->dims; d++) {
        const hit_index extent = hit_sig_count(domain->sig[d]);

        if (sample->count[d] == extent) continue;
        sample->whole = false;
        HIT_TRY(hit_memory_zeroed((size_t)sample->count[d], sizeof(hit_index),
                                  &sample->position[d]));
        choose_positions(extent, sample->count[d], &random, sample->position[d]);
    }
    return HIT_OK;
}

void hit_sample_clear(hit_sample *sample)
{
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        free(sample->position[d]);
    }
    *sample = (hit_sample){0};
}

/* The places of its indices. */
static hit_domain places_of(const hit_sample *sample)
{
    return hit_domain_of_sizes(sample->domain.dims, sample->count);
}

hit_index hit_sample_count(const hit_sample *sample)
{
    const hit_domain places = places_of(sample);

    return hit_domain_count(&places);
}

static void tell_place(const hit_sample *sample, hit_index at[], hit_index *number)
{
    *number = 0;
    for (int d = 0; d < sample->domain.dims; d++) {
        const hit_sig sig = sample->domain.sig[d];
        const hit_index place = sample->place[d];
        const hit_index position =
            sample->position[d] == NULL ? place : sample->position[d][place];

        at[d] = hit_sig_at(sig, position);
        *number = *number * hit_sig_count(sig) + position;
    }
}

bool hit_sample_first(hit_sample *sample, hit_index at[], hit_index *number)
{
    const hit_domain places = places_of(sample);

    if (!hit_domain_first(&places, sample->place)) return false;
    tell_place(sample, at, number);
    return true;
}

bool hit_sample_next(hit_sample *sample, hit_index at[], hit_index *number)
{
    const hit_domain places = places_of(sample);

    if (!hit_domain_next(&places, sample->place)) return false;
    tell_place(sample, at, number);
    return true;
}
