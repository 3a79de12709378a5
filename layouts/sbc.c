/* SPDX-License-Identifier: MIT
 * Symmetric block-cyclic, for symmetric matrices: a rank is a pair of two of r numbers,
 * r (r - 1) / 2 pairs in all, and has the blocks whose row and column are that pair
 * modulo r. Block (i, j) and block (j, i) have one owner, so that what a factorisation
 * sends along row i and down column i goes to the same r - 1 ranks: 1 / sqrt(2) of the
 * messages of blockcyclic. Blocks whose row and column are equal modulo r, i, go round
 * among the pairs with i. O. Beaumont, P. Duchon, L. Eyraud-Dubois, J. Langou, M. Verite,
 * "Symmetric block-cyclic distribution: fewer communications leads to faster dense
 * Cholesky factorization" (SC 2022), the extended one; differs: the diagonal goes round
 * from one square of r x r blocks to the next, so that it is even for odd and even r. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct pairs {
    hit_dealt dealt;
    int r;
} pairs;

/** The largest r with r (r - 1) / 2 <= ranks, at least 2. */
static int find_r(int ranks)
{
    int r = 2;

    while ((hit_index)(r + 1) * r / 2 <= ranks) {
        r++;
    }
    return r;
}

/** The rank of a pair of different numbers below r: 01 02 ... 12 13 ... */
static int rank_of(int a, int b, int r)
{
    const int low = a < b ? a : b;
    const int high = a < b ? b : a;

    return (int)((hit_index)low * (2 * r - low - 1) / 2) + high - low - 1;
}

static int rank_at(const hit_dealt *dealt, hit_index row, hit_index column)
{
    const int r = ((const pairs *)(const void *)dealt)->r;
    const int a = (int)(row % r);
    const int b = (int)(column % r);
    int round;

    if (a != b) return rank_of(a, b, r);
    round = (int)((row / r + column / r) % (r - 1));
    return rank_of(a, (a + 1 + round) % r, r);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    const int r = find_r(spec->ranks);
    const hit_index fewer = (hit_index)r * (r - 1) / 2;
    pairs *p;

    if (fewer != spec->ranks) {
        return HIT_LAYOUT_FAIL(spec,
                               "expected r (r - 1) / 2 ranks, as %" PRId64 " or %" PRId64
                               " are, but found %d; blockcyclic is for any number",
                               fewer, fewer + r, spec->ranks);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *p, &p));
    *state = p;
    p->r = r;
    p->dealt.rank = rank_at;
    HIT_TRY(hit_layout_dims(spec, p->dealt.dims)); /* there are two */
    return hit_dealt_read(spec, &p->dealt);
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const pairs *p = state;
    const hit_dealt *d = &p->dealt;
    int a = 0;
    int b = rank + 1;

    while (b >= p->r) { /* the pairs with 0, those with 1 and no 0, ... */
        a++;
        b = b - p->r + a + 1;
    }
    for (hit_index row = 0; row < d->count[0]; row++) {
        if (row % p->r != a && row % p->r != b) continue;
        for (hit_index column = 0; column < d->count[1]; column++) {
            if (column % p->r != a && column % p->r != b) continue;
            if (rank_at(d, row, column) != rank) continue;
            HIT_TRY(hit_dealt_append(spec, d, row, column, part));
        }
    }
    return HIT_OK;
}

const hit_layout_ops hit_layout_sbc = {
    .name = "sbc",
    .options = (const char *const[]){"block", "dims", NULL},
    .help = "block=B or B0xB1 (elements of a block; default 64), "
            "dims=K,L (the dimensions of rows and columns; default 0,1); for r (r - 1) / "
            "2 ranks, symmetric matrices",
    .create = create,
    .destroy = free,
    .part = part,
    HIT_DEALT_OPS,
};
