/* SPDX-License-Identifier: MIT
 * Skewed tiles in chunks and wedges. A tile [a, b) runs the positions [a - shift[l], b -
 * shift[l]) of launch l, launch after launch; tiles ascend along each axis. The chunk
 * [c, d) of an axis runs [c + growth[l], d - shift[l]) of launch l, the wedge at d runs
 * [d - shift[l], d + growth[l]). An item is a chunk or a wedge in each axis, its phase
 * the number of wedges: what it depends on is in itself or in items of earlier phases.
 * Each index of each launch is in one box.
 *
 * @paper [Yuan2017] sections 3 and 4, tiles that shrink and grow in d + 1 phases;
 * differs: slopes are those of the chain, for each launch and side, and chunks are cut in
 * skewed tiles */
#include "hit/chain/tile.h"

#include <string.h>

static const hit_index far = (hit_index)1 << 60;

hit_tiling hit_tiling_make(const hit_skew *chain, int launches)
{
    hit_tiling made = {.chain = chain, .launches = launches};

    for (int c = 0; c < chain->axes; c++) {
        made.chunks[c] = 1;
        made.begin[c] = far;
        made.end[c] = -far;
        for (int l = 0; l < launches; l++) {
            const hit_chain_place *place = &chain->place[l];

            if (place->begin[c] < made.begin[c]) made.begin[c] = place->begin[c];
            if (place->end[c] > made.end[c]) made.end[c] = place->end[c];
        }
    }
    return made;
}

hit_index hit_tiling_shift(const hit_tiling *tiling, int launch, int axis)
{
    const hit_chain_place *place = &tiling->chain->place[launch];
    const bool last = axis == tiling->chain->axes - 1;

    return tiling->lines && last ? place->line_shift : place->shift[axis];
}

hit_index hit_tiling_least_chunk(const hit_tiling *tiling, int axis)
{
    hit_index least = 1;

    for (int l = 0; l < tiling->launches; l++) {
        const hit_index sum =
            hit_tiling_shift(tiling, l, axis) + tiling->chain->place[l].growth[axis];

        if (sum > least) least = sum;
    }
    return least;
}

/* ---- items ---- */

/* Items of a set of axes (a bit each) that have wedges. */
static int items_of(const hit_tiling *tiling, unsigned wedges)
{
    int count = 1;

    for (int c = 0; c < tiling->chain->axes; c++) {
        count *= tiling->chunks[c] - (int)(wedges >> c & 1u);
    }
    return count;
}

static int bits(unsigned set)
{
    int count = 0;

    for (; set != 0; set &= set - 1) {
        count++;
    }
    return count;
}

int hit_tiling_phases(const hit_tiling *tiling)
{
    int phases = 1;

    for (int c = 0; c < tiling->chain->axes; c++) {
        phases += tiling->chunks[c] > 1;
    }
    return phases;
}

int hit_tiling_items(const hit_tiling *tiling, int phase)
{
    int count = 0;

    for (unsigned set = 0; set < 1u << tiling->chain->axes; set++) {
        if (bits(set) == phase) count += items_of(tiling, set);
    }
    return count;
}

/* Where chunk @p chunk of an axis begins: as threads share the indices of a launch. */
static hit_index chunk_begin(const hit_tiling *tiling, int axis, int chunk)
{
    const int64_t count = tiling->end[axis] - tiling->begin[axis] + 1;
    const int64_t chunks = tiling->chunks[axis];
    const int64_t rest = count % chunks;

    return tiling->begin[axis] + count / chunks * chunk + (chunk < rest ? chunk : rest);
}

/* The positions of each launch in chunk or wedge number @p k of an axis. */
static void set_limits(hit_tiling_walk *walk, int axis, int k, bool wedge)
{
    const hit_tiling *tiling = walk->tiling;
    const int chunks = tiling->chunks[axis];
    const hit_index begin = chunk_begin(tiling, axis, k);
    const hit_index end = chunk_begin(tiling, axis, k + 1);

    for (int l = 0; l < tiling->launches; l++) {
        const hit_chain_place *place = &tiling->chain->place[l];
        const hit_index shift = hit_tiling_shift(tiling, l, axis);
        const hit_index growth = place->growth[axis];
        hit_index low = place->begin[axis];
        hit_index high = place->end[axis];

        if (wedge || k < chunks - 1) {
            const hit_index last = wedge ? end + growth - 1 : end - shift - 1;

            if (last < high) high = last;
        }
        if (wedge || k > 0) {
            const hit_index first = wedge ? end - shift : begin + growth;

            if (first > low) low = first;
        }
        walk->low[l][axis] = low;
        walk->high[l][axis] = high;
    }
}

/* The tiles of the axis: the last one takes in what is less than half of one. */
static void set_tiles(hit_tiling_walk *walk, int axis)
{
    const hit_tiling *tiling = walk->tiling;
    const hit_index width = tiling->width[axis];
    hit_index first = far;
    hit_index last = -far;

    for (int l = 0; l < tiling->launches; l++) {
        const hit_index shift = hit_tiling_shift(tiling, l, axis);

        if (walk->low[l][axis] > walk->high[l][axis]) continue;
        if (walk->low[l][axis] + shift < first) first = walk->low[l][axis] + shift;
        if (walk->high[l][axis] + shift > last) last = walk->high[l][axis] + shift;
    }
    walk->tiles[axis] = last < first ? 0 : 1;
    if (axis == tiling->chain->axes - 1 && walk->tiles[axis] > 0) {
        const hit_index line = tiling->chain->line;

        first = hit_index_floor_div(first - tiling->origin, line) * line + tiling->origin;
    }
    walk->first[axis] = first;
    if (width <= 0 || last < first) return;
    walk->tiles[axis] = (last - first + 1 + width / 2) / width;
    if (walk->tiles[axis] < 1) walk->tiles[axis] = 1;
}

static void set_tile(hit_tiling_walk *walk, int axis, hit_index tile)
{
    const hit_index width = walk->tiling->width[axis];

    walk->tile[axis] = tile;
    walk->from[axis] = tile == 0 ? -far : walk->first[axis] + tile * width;
    walk->to[axis] =
        tile == walk->tiles[axis] - 1 ? far : walk->first[axis] + (tile + 1) * width - 1;
}

void hit_tiling_start(const hit_tiling *tiling, int phase, int item,
                      hit_tiling_walk *walk)
{
    unsigned set = 0;

    while (bits(set) != phase || item >= items_of(tiling, set)) {
        if (bits(set) == phase) item -= items_of(tiling, set);
        set++;
    }
    walk->tiling = tiling;
    walk->launch = -1;
    for (int c = 0; c < tiling->chain->axes; c++) {
        const int wedge = (int)(set >> c & 1u);
        const int count = tiling->chunks[c] - wedge;

        set_limits(walk, c, item % count, wedge);
        item /= count;
        set_tiles(walk, c);
        set_tile(walk, c, 0);
        if (walk->tiles[c] == 0) walk->launch = tiling->launches; /* nothing to do */
    }
}

/* ---- boxes ---- */

/* The next tile: the first axis runs fastest, since what runs along it can stay near. */
static bool next_tile(hit_tiling_walk *walk)
{
    for (int c = 0; c < walk->tiling->chain->axes; c++) {
        if (walk->tile[c] + 1 < walk->tiles[c]) {
            set_tile(walk, c, walk->tile[c] + 1);
            return true;
        }
        set_tile(walk, c, 0);
    }
    return false;
}

/* The box of launch @p l in the tile; false: it is empty. */
static bool set_box(const hit_tiling_walk *walk, int l, hit_index begin[],
                    hit_index end[])
{
    for (int c = 0; c < walk->tiling->chain->axes; c++) {
        const hit_index shift = hit_tiling_shift(walk->tiling, l, c);
        const hit_index from = walk->from[c] - shift;
        const hit_index to = walk->to[c] - shift;

        begin[c] = from > walk->low[l][c] ? from : walk->low[l][c];
        end[c] = to < walk->high[l][c] ? to : walk->high[l][c];
        if (begin[c] > end[c]) return false;
    }
    return true;
}

bool hit_tiling_next(hit_tiling_walk *walk, hit_index begin[], hit_index end[])
{
    const int launches = walk->tiling->launches;

    if (walk->launch >= launches) return false;
    for (;;) {
        while (++walk->launch < launches) {
            if (set_box(walk, walk->launch, begin, end)) return true;
        }
        if (!next_tile(walk)) return false;
        walk->launch = -1;
    }
}
