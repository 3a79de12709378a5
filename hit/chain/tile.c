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
#include "hit/chain/chain.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "patterns/kernel_impl.h"

static const hit_index far = (hit_index)1 << 60;

hit_tiling hit_tiling_make(const hit_skew *chain, int launches)
{
    hit_tiling made = {.chain = chain, .launches = launches};

    for (int c = 0; c < chain->axes; c++) {
        made.chunks[c] = 1;
        made.begin[c] = far;
        made.end[c] = -far;
        made.from[c] = -far;
        made.to[c] = far;
        for (int l = 0; l < launches; l++) {
            const hit_chain_place *place = &chain->place[l];

            if (place->begin[c] < made.begin[c]) made.begin[c] = place->begin[c];
            if (place->end[c] > made.end[c]) made.end[c] = place->end[c];
        }
    }
    return made;
}

void hit_tiling_limit(hit_tiling *tiling, int axis, hit_index from, hit_index to)
{
    tiling->from[axis] = from;
    tiling->to[axis] = to;
    if (from > tiling->begin[axis]) tiling->begin[axis] = from;
    if (to - 1 < tiling->end[axis]) tiling->end[axis] = to - 1;
}

void hit_tiling_share(hit_tiling *tiling, int threads)
{
    int left = threads;

    for (int c = 0; c < tiling->chain->axes; c++) {
        const hit_index extent = tiling->end[c] - tiling->begin[c] + 1;
        const hit_index room = left == 1 ? 1 : extent / hit_tiling_least_chunk(tiling, c);
        const int chunks = room >= left ? left : room > 1 ? (int)room : 1;

        tiling->chunks[c] = chunks;
        left = (left + chunks - 1) / chunks;
    }
}

void hit_tiling_share_by(hit_tiling *tiling, int threads, const double speed[])
{
    hit_tiling_share(tiling, threads);
    tiling->speed = NULL;
    if (threads > 1 && tiling->chunks[0] == threads) tiling->speed = speed;
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
        if (__builtin_popcount(set) == phase) count += items_of(tiling, set);
    }
    return count;
}

/* How much of the first axis the chunks before @p chunk have by their speeds: each has
 * room for its wedges. */
static hit_index before_by_speed(const hit_tiling *tiling, int chunk)
{
    const int chunks = tiling->chunks[0];
    const hit_index count = tiling->end[0] - tiling->begin[0] + 1;
    const hit_index least = hit_tiling_least_chunk(tiling, 0);
    double all = 0;
    double some = 0;
    hit_index at = 0;

    for (int k = 0; k < chunks; k++) {
        all += tiling->speed[k];
    }
    for (int k = 0; k < chunk; k++) {
        some += tiling->speed[k];
        at = hit_larger(at + least, (hit_index)((double)count * some / all + 0.5));
        at = hit_smaller(at, count - (chunks - k - 1) * least);
    }
    return at;
}

/* The same as threads share the indices of a launch: all as much. */
static hit_index before_evenly(const hit_tiling *tiling, int axis, int chunk)
{
    const hit_index count = tiling->end[axis] - tiling->begin[axis] + 1;
    const hit_index chunks = tiling->chunks[axis];

    return count / chunks * chunk + hit_smaller(chunk, count % chunks);
}

static hit_index before_chunk(const hit_tiling *tiling, int axis, int chunk)
{
    return axis == 0 && tiling->speed != NULL ? before_by_speed(tiling, chunk)
                                              : before_evenly(tiling, axis, chunk);
}

static hit_index chunk_begin(const hit_tiling *tiling, int axis, int chunk)
{
    if (chunk == 0) return tiling->from[axis];
    if (chunk == tiling->chunks[axis]) return tiling->to[axis];
    return tiling->begin[axis] + before_chunk(tiling, axis, chunk);
}

hit_index hit_tiling_chunk(const hit_tiling *tiling, int chunk)
{
    return before_chunk(tiling, 0, chunk + 1) - before_chunk(tiling, 0, chunk);
}

/* Those of the positions from @p first to @p last of an axis that launch @p l has; empty
 * if there are none. */
static hit_sig of_launch(const hit_tiling *tiling, int l, int axis, hit_index first,
                         hit_index last)
{
    const hit_chain_place *place = &tiling->chain->place[l];

    return (hit_sig){hit_larger(first, place->begin[axis]),
                     hit_smaller(last, place->end[axis]), 1};
}

/* The positions of launch @p l in the chunk [begin, end) of an axis. */
static hit_sig in_chunk(const hit_tiling *tiling, int l, int axis, hit_index begin,
                        hit_index end)
{
    return of_launch(tiling, l, axis, begin + tiling->chain->place[l].growth[axis],
                     end - hit_tiling_shift(tiling, l, axis) - 1);
}

/* The same in the wedge at @p at. */
static hit_sig in_wedge(const hit_tiling *tiling, int l, int axis, hit_index at)
{
    return of_launch(tiling, l, axis, at - hit_tiling_shift(tiling, l, axis),
                     at + tiling->chain->place[l].growth[axis] - 1);
}

/* The positions of each launch in chunk or wedge number @p k of an axis. */
static void set_limits(hit_tiling_walk *walk, int axis, int k, bool wedge)
{
    const hit_tiling *tiling = walk->tiling;
    const hit_index begin = chunk_begin(tiling, axis, k);
    const hit_index end = chunk_begin(tiling, axis, k + 1);

    for (int l = 0; l < tiling->launches; l++) {
        const hit_sig in = wedge ? in_wedge(tiling, l, axis, end)
                                 : in_chunk(tiling, l, axis, begin, end);

        walk->low[l][axis] = in.begin;
        walk->high[l][axis] = in.end;
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
        first = hit_smaller(first, walk->low[l][axis] + shift);
        last = hit_larger(last, walk->high[l][axis] + shift);
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

    while (__builtin_popcount(set) != phase || item >= items_of(tiling, set)) {
        if (__builtin_popcount(set) == phase) item -= items_of(tiling, set);
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
static bool set_box(const hit_tiling_walk *walk, int l, hit_domain *box)
{
    for (int c = 0; c < walk->tiling->chain->axes; c++) {
        const hit_index shift = hit_tiling_shift(walk->tiling, l, c);
        const hit_index begin = hit_larger(walk->from[c] - shift, walk->low[l][c]);
        const hit_index end = hit_smaller(walk->to[c] - shift, walk->high[l][c]);

        if (begin > end) return false;
        box->sig[c] = (hit_sig){begin, end, 1};
    }
    return true;
}

bool hit_tiling_next(hit_tiling_walk *walk, hit_domain *box)
{
    const int launches = walk->tiling->launches;

    if (walk->launch >= launches) return false;
    box->dims = walk->tiling->chain->axes;
    for (;;) {
        while (++walk->launch < launches) {
            if (set_box(walk, walk->launch, box)) return true;
        }
        if (!next_tile(walk)) return false;
        walk->launch = -1;
    }
}

/* ---- the rest ---- */

hit_domain hit_tiling_positions(const hit_tiling *tiling, int launch)
{
    const hit_chain_place *place = &tiling->chain->place[launch];

    return hit_domain_box(tiling->chain->axes, place->begin, place->end);
}

hit_domain hit_tiling_inside(const hit_tiling *tiling, int launch)
{
    hit_domain in = {.dims = tiling->chain->axes};

    for (int c = 0; c < in.dims; c++) {
        in.sig[c] = in_chunk(tiling, launch, c, tiling->from[c], tiling->to[c]);
    }
    return in;
}

/* ---- kernels ---- */

bool hit_chain_work_run(const hit_chain_work *work, int launch, const hit_domain *box,
                        hit_run *run)
{
    const hit_skew *chain = work->tiling->chain;
    const hit_chain_place *place = &chain->place[launch];
    bool any = true;

    hit_run_copy(run, work->run[launch], work->kernel[launch]->args);
    for (int c = 0; c < chain->axes; c++) {
        const int index = place->index[c];
        hit_index moved;

        if (index < 0) continue;
        moved = place->begin[c] - run->begin[index];
        run->begin[index] = box->sig[c].begin - moved;
        if (run->stride[index] > 1) { /* the first one of the domain from there on */
            const hit_index late =
                (box->sig[c].begin - place->begin[c]) % run->stride[index];

            if (late > 0) run->begin[index] += run->stride[index] - late;
        }
        run->end[index] = box->sig[c].end - moved;
        any = any && run->begin[index] <= run->end[index];
    }
    return any;
}
