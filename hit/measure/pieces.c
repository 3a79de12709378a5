/* SPDX-License-Identifier: MIT
 * Pieces of a domain. They are as near to cubes as possible, so that domains of different
 * shapes have pieces of one shape: what a kernel gains by the size and the shape of what
 * it runs is then the same for all. */
#include "hit/data/sig.h"
#include "hit/measure/measure_impl.h"

#include <math.h>
#include <stdbool.h>

/* The shortest dimension that is not cut yet. */
static int find_shortest(const hit_domain *whole, const bool cut[])
{
    int shortest = -1;

    for (int d = 0; d < whole->dims; d++) {
        if (cut[d]) continue;
        if (shortest < 0 ||
            hit_sig_count(whole->sig[d]) < hit_sig_count(whole->sig[shortest])) {
            shortest = d;
        }
    }
    return shortest;
}

hit_pieces hit_pieces_cut(const hit_domain *whole, double indices)
{
    hit_pieces made = {.whole = *whole};
    bool cut[HIT_MAX_DIMS] = {false};

    for (int left = whole->dims; left > 0; left--) {
        const int d = find_shortest(whole, cut);
        const double extent = (double)hit_sig_count(whole->sig[d]);
        const double wanted = fmax(1, pow(indices, 1.0 / left));

        cut[d] = true;
        made.count[d] = (hit_index)fmax(1, round(extent / wanted));
        indices /= extent / (double)made.count[d];
    }
    return made;
}

hit_index hit_pieces_count(const hit_pieces *pieces)
{
    const hit_domain grid = hit_domain_of_sizes(pieces->whole.dims, pieces->count);

    return hit_domain_count(&grid);
}

hit_domain hit_pieces_take(hit_pieces *pieces)
{
    const hit_domain grid = hit_domain_of_sizes(pieces->whole.dims, pieces->count);
    hit_domain piece = pieces->whole;
    hit_index at[HIT_MAX_DIMS] = {0};

    hit_domain_at_place(&grid, (uint64_t)pieces->next, at);
    for (int d = 0; d < piece.dims; d++) {
        piece.sig[d] = hit_sig_part(piece.sig[d], at[d], pieces->count[d]);
    }
    pieces->next = (pieces->next + 1) % hit_pieces_count(pieces);
    return piece;
}
